/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads and relocates; the contract is in code.h. */
#include "core/code/code.h"

#include "core/base/mem.h"
#include "core/code/code_parts.h"

struct loading {
    const struct code *code;
    uint8_t *memory;  /* NULL: only check */
    uint64_t address; /* address of rva 0 */
    struct out *problems;
};

struct place {
    uint32_t rva;
    uint32_t room; /* bytes of its piece from there on */
    uint32_t type;
};

static const char *type_name(uint32_t type)
{
    static const char *const names[ELF_R_NAMES] = {
        [ELF_R_NONE] = "NONE",
        [ELF_R_64] = "64",
        [ELF_R_PC32] = "PC32",
        [3] = "GOT32",
        [ELF_R_PLT32] = "PLT32",
        [5] = "COPY",
        [ELF_R_GLOB_DAT] = "GLOB_DAT",
        [ELF_R_JUMP_SLOT] = "JUMP_SLOT",
        [ELF_R_RELATIVE] = "RELATIVE",
        [ELF_R_GOTPCREL] = "GOTPCREL",
        [ELF_R_32] = "32",
        [ELF_R_32S] = "32S",
        [12] = "16",
        [14] = "8",
        [16] = "DTPMOD64",
        [18] = "TPOFF64",
        [19] = "TLSGD",
        [20] = "TLSLD",
        [22] = "GOTTPOFF",
        [23] = "TPOFF32",
        [ELF_R_PC64] = "PC64",
        [25] = "GOTOFF64",
        [26] = "GOTPC32",
        [37] = "IRELATIVE",
        [ELF_R_GOTPCRELX] = "GOTPCRELX",
        [ELF_R_REX_GOTPCRELX] = "REX_GOTPCRELX",
    };

    return type < ELF_R_NAMES && names[type] ? names[type] : "of an unknown number";
}

/* Begins the line: "relocation R_X86_64_32 (10) at run+0x1c". */
static bool refuse(const struct loading *loading, const struct place *place, const char *why, const char *name)
{
    out_printf(loading->problems, "relocation R_X86_64_%s (%u) at ", type_name(place->type), place->type);
    code_write_place(loading->problems, loading->code, place->rva);
    out_printf(loading->problems, why, name);
    out_printf(loading->problems, "\n");
    return false;
}

/* Finds the address of a symbol. A weak one that nothing defines is 0. */
static bool symbol_value(const struct loading *loading, const struct place *place, uint64_t number, uint64_t *ret_value)
{
    const struct code *code = loading->code;
    struct elf_symbol symbol;
    uint32_t rva;

    *ret_value = 0;
    if (!number)
        return true;
    if (number >= code->symbols.count)
        return refuse(loading, place, ": its symbol is missing%s", "");
    symbol = code_symbol(code, number);
    if (symbol.section == ELF_ABSOLUTE) {
        *ret_value = symbol.value;
        return true;
    }
    if (code_symbol_rva(code, &symbol, &rva)) {
        *ret_value = loading->address + rva;
        return true;
    }
    if (symbol.section == ELF_UNDEFINED && symbol.info >> 4 == ELF_BIND_WEAK)
        return true;
    if (symbol.section == ELF_COMMON)
        return refuse(loading, place, ": '%s' is a common variable: compile with -fno-common",
                      code_shown(code_symbol_name(code, &symbol)).text);
    return refuse(loading, place, ": '%s' is not defined here: link its definition into this file",
                  code_shown(code_symbol_name(code, &symbol)).text);
}

static bool put(const struct loading *loading, const struct place *place, uint64_t value, unsigned bytes)
{
    if (place->room < bytes)
        return refuse(loading, place, ": it reaches beyond its section%s", "");
    if (loading->memory)
        memcpy(loading->memory + place->rva, &value, bytes);
    return true;
}

static bool put_relative(const struct loading *loading, const struct place *place, uint64_t value)
{
    int64_t distance = (int64_t)(value - loading->address - place->rva);

    if (distance != (int32_t)distance)
        return refuse(loading, place, ": its target is too far away%s", "");
    return put(loading, place, (uint64_t)distance, 4);
}

/* psABI B.2: 'mov foo@GOTPCREL(%rip), reg' is 'lea foo(%rip), reg' where foo is near; there is no table of addresses.
 */
static bool put_near(const struct loading *loading, const struct place *place, uint64_t value,
                     const struct code_piece *piece)
{
    enum { MOV = 0x8b, LEA = 0x8d };
    uint32_t opcode = place->rva - piece->rva - 2; /* in the piece; beyond it where there is none before the place */

    if (opcode >= piece->file_size || loading->code->file[piece->offset + opcode] != MOV)
        return refuse(loading, place, ": not in a mov: link by 'gcc -shared -nostdlib', which makes a suitable one%s",
                      "");
    if (!put_relative(loading, place, value))
        return false;
    if (loading->memory)
        loading->memory[piece->rva + opcode] = LEA;
    return true;
}

static bool relocate(const struct loading *loading, const struct place *place, const struct elf_rela *rela,
                     const struct code_piece *piece)
{
    uint64_t symbol, value;

    if (place->type == ELF_R_RELATIVE)
        return put(loading, place, loading->address + (uint64_t)rela->addend, 8);
    if (!symbol_value(loading, place, rela->info >> 32, &symbol))
        return false;
    value = symbol + (uint64_t)rela->addend;
    switch (place->type) {
    case ELF_R_64:
        return put(loading, place, value, 8);
    case ELF_R_GLOB_DAT:
    case ELF_R_JUMP_SLOT:
        return put(loading, place, symbol, 8);
    case ELF_R_PC64:
        return put(loading, place, value - loading->address - place->rva, 8);
    case ELF_R_PC32:
    case ELF_R_PLT32:
        return put_relative(loading, place, value);
    case ELF_R_GOTPCRELX:
    case ELF_R_REX_GOTPCRELX:
        return put_near(loading, place, value, piece);
    case ELF_R_32:
        if (value != (uint32_t)value)
            return refuse(loading, place, ": code is above 4 GB here: compile with -fPIE or -fPIC%s", "");
        return put(loading, place, value, 4);
    case ELF_R_32S:
        if ((int64_t)value != (int32_t)value)
            return refuse(loading, place, ": code is above 4 GB here: compile with -fPIE or -fPIC%s", "");
        return put(loading, place, value, 4);
    default:
        return refuse(loading, place, ": this kind is not supported: link by 'gcc -shared -nostdlib'%s", "");
    }
}

/* Returns the piece with the place; NULL: nothing is loaded there. */
static const struct code_piece *find_piece(const struct code *code, uint64_t section, uint64_t offset,
                                           uint64_t *ret_rva)
{
    if (code->relocatable) {
        const struct code_piece *piece = code_piece_of(code, section);

        *ret_rva = piece ? piece->rva + offset : 0;
        return piece && offset < piece->size ? piece : NULL;
    }
    *ret_rva = offset;
    for (unsigned i = 0; i < code->pieces; i++)
        if (offset - code->piece[i].rva < code->piece[i].size)
            return &code->piece[i];
    return NULL;
}

static bool relocate_section(const struct loading *loading, const struct elf_section *section)
{
    const struct code *code = loading->code;
    const uint8_t *bytes = code_bytes(code, section->offset, section->size);
    struct elf_rela rela;

    if (!bytes || section->entry_size != sizeof(rela)) {
        out_printf(loading->problems, "its relocations are outside of the file, which may have been cut short: copy it "
                                      "again\n");
        return false;
    }
    for (uint64_t at = 0; section->size - at >= sizeof(rela); at += sizeof(rela)) {
        const struct code_piece *piece;
        struct place place;
        uint64_t rva;

        memcpy(&rela, bytes + at, sizeof(rela));
        if ((uint32_t)rela.info == ELF_R_NONE)
            continue;
        piece = find_piece(code, section->info, rela.offset, &rva);
        place = (struct place){.rva = (uint32_t)rva, .type = (uint32_t)rela.info};
        if (!piece)
            return refuse(loading, &place, ": nothing is loaded there%s", "");
        place.room = piece->rva + piece->size - place.rva;
        if (!relocate(loading, &place, &rela, piece))
            return false;
    }
    return true;
}

static bool relocate_all(const struct loading *loading)
{
    const struct code *code = loading->code;

    for (uint64_t i = 0; i < code->sections.count; i++) {
        struct elf_section section = code_section(code, i);

        if (section.type != ELF_SECTION_RELA)
            continue;
        /* ET_REL: relocations of loaded sections; ET_DYN: those that are loaded themselves. */
        if (code->relocatable ? code_piece_of(code, section.info) != NULL : (section.flags & ELF_FLAG_ALLOC) != 0)
            if (!relocate_section(loading, &section))
                return false;
    }
    return true;
}

bool code_check(const struct code *code, uint64_t address, struct out *problems)
{
    const struct loading loading = {.code = code, .address = address, .problems = problems};

    return relocate_all(&loading);
}

bool code_load(const struct code *code, uint8_t *memory, uint64_t address, struct out *problems)
{
    const struct loading loading = {.code = code, .memory = memory, .address = address, .problems = problems};

    memset(memory, 0, code->memory);
    for (unsigned i = 0; i < code->pieces; i++)
        memcpy(memory + code->piece[i].rva, code->file + code->piece[i].offset, code->piece[i].file_size);
    return relocate_all(&loading);
}
