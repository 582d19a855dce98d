/* SPDX-License-Identifier: BSD-2-Clause */
/* Sections and symbols of a file whose headers were read; the contracts are in code.h and code_parts.h. */
#include "core/code/code.h"

#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/code/code_parts.h"
#include "core/ibs/codemap.h"

enum { NOTE_ALIGNMENT = 4 };

const uint8_t *code_bytes(const struct code *code, uint64_t offset, uint64_t size)
{
    return offset <= code->size && size <= code->size - offset ? code->file + offset : NULL;
}

struct elf_section code_section(const struct code *code, uint64_t n)
{
    struct elf_section section;

    memcpy(&section, code->file + code->sections.offset + n * sizeof(section), sizeof(section));
    return section;
}

struct elf_symbol code_symbol(const struct code *code, uint64_t n)
{
    struct elf_symbol symbol;

    memcpy(&symbol, code->file + code->symbols.offset + n * sizeof(symbol), sizeof(symbol));
    return symbol;
}

const char *code_symbol_name(const struct code *code, const struct elf_symbol *symbol)
{
    return symbol->name < code->names.count ? (const char *)code->file + code->names.offset + symbol->name : "";
}

const char *code_section_name(const struct code *code, const struct elf_section *section)
{
    return section->name < code->section_names_size ? (const char *)code->file + code->section_names + section->name
                                                    : "";
}

struct code_shown code_shown(const char *name)
{
    struct code_shown shown = {{0}};

    for (size_t i = 0; name[i] && i + 1 < sizeof(shown.text); i++)
        shown.text[i] = code_is_text(name[i]) ? name[i] : '?';
    return shown;
}

const struct code_piece *code_piece_of(const struct code *code, uint64_t n)
{
    for (unsigned i = 0; i < code->pieces; i++)
        if (code->piece[i].section == n)
            return &code->piece[i];
    return NULL;
}

static const struct code_piece *piece_at(const struct code *code, uint64_t rva)
{
    for (unsigned i = 0; i < code->pieces; i++)
        if (rva - code->piece[i].rva < code->piece[i].size)
            return &code->piece[i];
    return NULL;
}

bool code_symbol_rva(const struct code *code, const struct elf_symbol *symbol, uint32_t *ret_rva)
{
    const struct code_piece *piece;
    uint64_t rva = symbol->value;

    if (symbol->section == ELF_UNDEFINED || symbol->section == ELF_ABSOLUTE || symbol->section == ELF_COMMON)
        return false;
    if (code->relocatable) {
        piece = code_piece_of(code, symbol->section);
        if (!piece || symbol->value > piece->size)
            return false;
        rva += piece->rva;
    } else if (!piece_at(code, rva)) {
        return false;
    }
    *ret_rva = (uint32_t)rva;
    return true;
}

/* Takes GNU's note with the build-id (type 3, owner "GNU"), as ld --build-id writes it; else makes one of all bytes.
 */
void code_find_build_id(struct code *code)
{
    enum { GNU_BUILD_ID = 3 };
    uint64_t made = codemap_hash(code->file, (uint32_t)code->size);

    memcpy(code->build_id, "ibsboot code", 12);
    memcpy(code->build_id + 12, &made, 8);
    for (uint64_t i = 0; i < code->sections.count; i++) {
        struct elf_section section = code_section(code, i);
        const uint8_t *bytes = section.type == ELF_SECTION_NOTE ? code_bytes(code, section.offset, section.size) : NULL;
        struct elf_note head;

        if (!bytes || section.size < sizeof(head) + NOTE_ALIGNMENT + CODE_BUILD_ID)
            continue;
        memcpy(&head, bytes, sizeof(head));
        if (head.type == GNU_BUILD_ID && head.name_size == 4 && head.size == CODE_BUILD_ID &&
            memcmp(bytes + sizeof(head), "GNU", 4) == 0)
            memcpy(code->build_id, bytes + sizeof(head) + NOTE_ALIGNMENT, CODE_BUILD_ID);
    }
}

uint64_t code_hash(const struct code *code)
{
    uint32_t rva[CODE_PIECES_MAX];

    for (unsigned i = 0; i < code->pieces; i++)
        rva[i] = code->piece[i].rva;
    return codemap_hash(code->file, (uint32_t)code->size) ^ codemap_hash(rva, code->pieces * sizeof(*rva));
}

/* ---------------------------------------------------------------- symbols */

bool code_function_at(const struct code *code, uint64_t n, struct code_function *ret_function)
{
    struct elf_symbol symbol;
    const struct code_piece *piece;
    unsigned type;

    *ret_function = (struct code_function){0};
    if (n >= code->symbols.count)
        return false;
    symbol = code_symbol(code, n);
    type = symbol.info & 15;
    if ((type != ELF_SYMBOL_FUNCTION && type != ELF_SYMBOL_NOTYPE) || !*code_symbol_name(code, &symbol) ||
        !code_symbol_rva(code, &symbol, &ret_function->rva))
        return true;
    piece = piece_at(code, ret_function->rva);
    if (!piece || piece->access != CODE_EXECUTE)
        return true;
    ret_function->name = code_symbol_name(code, &symbol);
    ret_function->size = symbol.size <= piece->rva + piece->size - ret_function->rva ? (uint32_t)symbol.size : 0;
    return true;
}

void code_write_place(struct out *out, const struct code *code, uint32_t rva)
{
    struct code_function function, best = {0};

    for (uint64_t i = 0; code_function_at(code, i, &function); i++)
        if (function.name && function.rva <= rva && (!best.name || function.rva > best.rva))
            best = function;
    out_printf(out, "%s+0x%x", code_shown(best.name ? best.name : "").text, rva - best.rva);
}

uint32_t code_find(const struct code *code, const char *name)
{
    struct code_function function;

    for (uint64_t i = 0; code_function_at(code, i, &function); i++)
        if (function.name && str_equal(function.name, name))
            return function.rva;
    return CODE_NONE;
}
