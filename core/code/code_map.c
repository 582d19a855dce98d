/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/code/code_map.h"

#include "core/base/crc32c.h"
#include "core/base/mem.h"
#include "core/code/elf_format.h"

static const char magic[8] = "ibsmap";

enum { NO_FILE = 0xffff };

size_t code_map_size(const struct code_map_header *header)
{
    return sizeof(*header) + header->insn_count * sizeof(struct codemap_insn) +
           header->func_count * sizeof(struct codemap_func) + header->file_count * sizeof(uint32_t) +
           header->string_bytes;
}

/* Takes the end of an ELF file's section headers, which linkers write last. */
size_t code_size_by_header(const void *bytes, size_t room)
{
    static const uint8_t elf_magic[4] = {0x7f, 'E', 'L', 'F'};
    const struct code_map_header *map = bytes;
    struct elf_header elf;
    size_t table;

    if (room >= sizeof(elf) && memcmp(bytes, elf_magic, sizeof(elf_magic)) == 0) {
        memcpy(&elf, bytes, sizeof(elf));
        table = (size_t)elf.section_count * sizeof(struct elf_section);
        return elf.sections <= room && table <= room - elf.sections ? (size_t)elf.sections + table : 0;
    }
    if (room >= sizeof(*map) && memcmp(map->magic, magic, sizeof(magic)) == 0 && code_map_size(map) <= room)
        return code_map_size(map);
    return 0;
}

static bool is_register(uint8_t number, bool rip)
{
    return number < 16 || number == CODEMAP_REG_NONE || (rip && number == CODEMAP_REG_RIP);
}

static bool is_mem(const struct codemap_mem *mem)
{
    return is_register(mem->base, true) && is_register(mem->index, false) &&
           (mem->scale == 1 || mem->scale == 2 || mem->scale == 4 || mem->scale == 8) &&
           !(mem->flags & ~(CODEMAP_LOAD | CODEMAP_STORE));
}

static bool is_insn(const struct codemap_insn *insn, const struct code_map_header *header)
{
    if (insn->text >= header->string_bytes || insn->func >= header->func_count ||
        (insn->file != NO_FILE && insn->file >= header->file_count) || !insn->length || insn->length > 15 ||
        insn->path > CODEMAP_PATH_VECTOR || insn->unit >= CODEMAP_UNITS || insn->branch > CODEMAP_BR_RETURN ||
        insn->mems > 2 || !insn->ops || insn->ops > 64 || insn->target >= CODE_MEMORY_MAX)
        return false;
    for (unsigned i = 0; i < insn->mems; i++)
        if (!is_mem(&insn->mem[i]))
            return false;
    return insn->rva - header->text_rva < header->text_size &&
           insn->length <= header->text_size - (insn->rva - header->text_rva);
}

/* Returns whether instructions and functions ascend without overlap of instructions, all within bounds. */
static bool insns_hold(const struct codemap *map, const struct code_map_header *header)
{
    for (uint32_t i = 0; i < map->insn_count; i++) {
        const struct codemap_insn *insn = &map->insns[i];

        if (!is_insn(insn, header))
            return false;
        if (i && (insn->rva < insn[-1].rva + insn[-1].length || insn->func < insn[-1].func))
            return false;
    }
    for (uint32_t i = 0; i < map->func_count; i++) {
        const struct codemap_func *func = &map->funcs[i];

        if (func->name >= header->string_bytes || func->rva >= CODE_MEMORY_MAX ||
            func->size > CODE_MEMORY_MAX - func->rva || (i && func->rva < func[-1].rva))
            return false;
    }
    for (uint32_t i = 0; i < map->file_count; i++)
        if (map->files[i] >= header->string_bytes)
            return false;
    return true;
}

/* Returns whether the size is right; numbers below these limits cannot make it overflow. */
static bool header_holds(const struct code_map_header *header, size_t size)
{
    return header->insn_count && header->insn_count <= CODE_MAP_INSNS_MAX && header->func_count <= NO_FILE &&
           header->file_count <= NO_FILE && header->string_bytes && header->string_bytes <= CODE_MAP_FILE_MAX &&
           header->text_rva < CODE_MEMORY_MAX && header->text_size <= CODE_MEMORY_MAX - header->text_rva &&
           code_map_size(header) == size;
}

/* Returns whether the last text has an end, and all are printable. */
static bool strings_hold(const struct codemap *map, const struct code_map_header *header)
{
    for (uint32_t i = 0; i < header->string_bytes; i++)
        if (map->strings[i] && !code_is_text(map->strings[i]))
            return false;
    return !map->strings[header->string_bytes - 1];
}

static void point(struct codemap *map, const struct code_map_header *header)
{
    const uint8_t *at = (const uint8_t *)(header + 1);

    *map = (struct codemap){.insn_count = header->insn_count,
                            .func_count = header->func_count,
                            .file_count = header->file_count,
                            .text_rva = header->text_rva,
                            .text_size = header->text_size};
    map->insns = (const struct codemap_insn *)at;
    at += map->insn_count * sizeof(*map->insns);
    map->funcs = (const struct codemap_func *)at;
    at += map->func_count * sizeof(*map->funcs);
    map->files = (const uint32_t *)at;
    at += map->file_count * sizeof(*map->files);
    map->strings = (const char *)at;
}

bool code_map_read(const void *bytes, size_t size, struct codemap *ret_map, uint64_t *ret_elf_hash,
                   struct out *problems)
{
    const struct code_map_header *header = bytes;
    struct codemap map;

    if (size < sizeof(*header) || memcmp(header->magic, magic, sizeof(magic)) != 0)
        out_printf(problems, "it is not a code map: make it by 'ibsprof codemap'\n");
    else if (header->version != CODE_MAP_VERSION)
        out_printf(problems,
                   "it has version %u, but this program reads %u: make it by 'ibsprof codemap' of this version\n",
                   header->version, CODE_MAP_VERSION);
    else if (!header_holds(header, size) || crc32c(0, header + 1, size - sizeof(*header)) != header->crc)
        out_printf(problems, "it is damaged or cut short: make it again by 'ibsprof codemap'\n");
    else {
        point(&map, header);
        if (strings_hold(&map, header) && insns_hold(&map, header)) {
            *ret_map = map;
            *ret_elf_hash = header->elf_hash;
            return true;
        }
        out_printf(problems, "it contradicts itself: make it again by 'ibsprof codemap'\n");
    }
    return false;
}

void code_map_seal(void *bytes, const struct codemap *map, uint32_t string_bytes, uint64_t elf_hash)
{
    struct code_map_header *header = bytes;

    *header = (struct code_map_header){.version = CODE_MAP_VERSION,
                                       .elf_hash = elf_hash,
                                       .insn_count = map->insn_count,
                                       .func_count = map->func_count,
                                       .file_count = map->file_count,
                                       .string_bytes = string_bytes,
                                       .text_rva = map->text_rva,
                                       .text_size = map->text_size};
    memcpy(header->magic, magic, sizeof(magic));
    header->crc = crc32c(0, header + 1, code_map_size(header) - sizeof(*header));
}
