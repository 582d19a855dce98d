/* SPDX-License-Identifier: BSD-2-Clause */
/* Own code from hostile bytes: what is taken is loaded, mapped and named, and nothing outside is read or written. A map
 * of such bytes: all of its indices lead into it. */
#include <stdlib.h>
#include <string.h>

#include "core/code/code_map.h"
#include "core/code/elf_format.h"
#include "core/base/crc32c.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY_MOST = 1 << 15 };

static char text[4096];
static volatile size_t computed; /* what is read of a map, so that the reading stays */

/* One line for each refusal. */
static void check_said(const struct out_memory *said)
{
    const char *newline = strchr(text, '\n');

    if (!said->needed || !newline || newline[1])
        abort();
}

static void use_map(const struct codemap *map)
{
    size_t sum = 0;

    for (uint32_t i = 0; i < map->insn_count; i++) {
        const struct codemap_insn *insn = &map->insns[i];

        sum += strlen(map->strings + insn->text) + strlen(map->strings + map->funcs[insn->func].name);
        if (insn->file != 0xffff)
            sum += strlen(map->strings + map->files[insn->file]);
        if (codemap_find(map, insn->rva) != (int32_t)i)
            abort();
    }
    computed = sum;
}

static void try_code(const uint8_t *bytes, size_t size)
{
    static struct code code;
    struct codemap map;
    struct out_memory said;
    uint32_t values[CODE_NOTE_PARAMETERS] = {0};
    uint8_t *memory;

    out_memory_init(&said, text, sizeof(text));
    if (!code_read(bytes, size, &code, &said.out)) {
        check_said(&said);
        return;
    }
    if (code.memory > CODE_MEMORY_MAX || code.run >= code.memory || code.page[code.run / CODE_PAGE] != CODE_EXECUTE)
        abort();
    (void)code_note_arena(&code.note, values);
    if (code.memory > MEMORY_MOST)
        return;
    (void)code_check(&code, CODE_ADDRESS, &said.out);
    out_memory_init(&said, text, sizeof(text));
    memory = malloc(code.memory);
    if (!code_load(&code, memory, CODE_ADDRESS, &said.out))
        check_said(&said);
    free(memory);
    memory = malloc(code_plain_size(&code));
    code_plain_make(&code, memory, &map);
    use_map(&map);
    free(memory);
}

/* The sum hides all else from the fuzzer, and so do sizes that do not add up: strings take what is left. */
static void mend_map(struct code_map_header *header, size_t size)
{
    size_t others;

    memcpy(header->magic, "ibsmap\0", 8);
    header->version = CODE_MAP_VERSION;
    others = code_map_size(header) - header->string_bytes;
    if (others >= size)
        return;
    header->string_bytes = (uint32_t)(size - others);
    header->crc = crc32c(0, header + 1, size - sizeof(*header));
}

static void try_map(uint8_t *bytes, size_t size)
{
    struct codemap map;
    struct out_memory said;
    uint64_t hash;

    if (size >= sizeof(struct code_map_header))
        mend_map((struct code_map_header *)bytes, size);
    out_memory_init(&said, text, sizeof(text));
    if (!code_map_read(bytes, size, &map, &hash, &said.out)) {
        check_said(&said);
        return;
    }
    use_map(&map);
    for (uint32_t i = 0; i < map.insn_count; i++) /* texts of a plain map are offsets, whatever the file */
        computed += code_forbidden(map.strings + map.insns[i].text) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);

    memcpy(bytes, data, size);
    if (size >= 4 && memcmp(bytes, "ibsm", 4) == 0)
        try_map(bytes, size);
    else
        try_code(bytes, size);
    free(bytes);
    return 0;
}
