/* SPDX-License-Identifier: BSD-2-Clause */
/* Own code from hostile bytes: what is taken is loaded, mapped and named, and nothing outside is read or written. A map
 * of such bytes: all of its indices lead into it. */
#include <stdlib.h>
#include <string.h>

#include "core/code/code_map.h"
#include "core/code/elf_format.h"
#include "core/base/crc32c.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY_MOST = 1 << 16 };

static char text[4096];

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
    if (sum == 1)
        abort(); /* so that it is computed */
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
    (void)code_check(&code, 0x404000000000, &said.out);
    out_memory_init(&said, text, sizeof(text));
    memory = malloc(code.memory);
    if (!code_load(&code, memory, 0x404000000000, &said.out))
        check_said(&said);
    free(memory);
    memory = malloc(code_plain_size(&code));
    code_plain_make(&code, memory, &map);
    use_map(&map);
    free(memory);
}

static void try_map(uint8_t *bytes, size_t size)
{
    struct code_map_header *header = (struct code_map_header *)bytes;
    struct codemap map;
    struct out_memory said;
    uint64_t hash;

    /* The sum hides all else from the fuzzer. */
    if (size >= sizeof(*header)) {
        memcpy(header->magic, "ibsmap\0", 8);
        header->version = CODE_MAP_VERSION;
        header->crc = crc32c(0, header + 1, size - sizeof(*header));
    }
    out_memory_init(&said, text, sizeof(text));
    if (code_map_read(bytes, size, &map, &hash, &said.out))
        use_map(&map);
    else
        check_said(&said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);

    memcpy(bytes, data, size);
    try_code(bytes, size);
    try_map(bytes, size);
    free(bytes);
    return 0;
}
