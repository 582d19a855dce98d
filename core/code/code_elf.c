/* SPDX-License-Identifier: BSD-2-Clause */
/* Headers, layout and symbols; the contract is in code.h. */
#include "core/code/code.h"

#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/code/code_parts.h"

enum { SEGMENTS_MAX = 64, SECTIONS_MAX = 4096 };

/* ---------------------------------------------------------------- headers */

static bool read_header(struct code *code, struct elf_header *header, struct out *problems)
{
    const uint8_t *bytes = code_bytes(code, 0, sizeof(*header));

    if (!bytes || memcmp(bytes, (const uint8_t[]){0x7f, 'E', 'L', 'F'}, 4) != 0) {
        out_printf(problems, "it is not an ELF file\n");
        return false;
    }
    memcpy(header, bytes, sizeof(*header));
    if (header->machine != ELF_MACHINE_X86_64 || header->ident[ELF_CLASS] != ELF_CLASS_64 ||
        header->ident[ELF_ORDER] != ELF_ORDER_LITTLE) {
        out_printf(problems, "it is for another machine (ELF machine %u, class %u): compile it for x86-64\n",
                   header->machine, header->ident[ELF_CLASS]);
        return false;
    }
    if (header->type != ELF_TYPE_DYN && header->type != ELF_TYPE_REL) {
        out_printf(problems, "its type is %u%s: link it by 'gcc -shared -nostdlib' or 'ld -r'\n", header->type,
                   header->type == ELF_TYPE_EXEC ? ", of a program with fixed addresses" : "");
        return false;
    }
    code->relocatable = header->type == ELF_TYPE_REL;
    return true;
}

static bool is_cut(struct out *problems, const char *what)
{
    out_printf(problems, "its %s are outside of the file, which may have been cut short: copy it again\n", what);
    return false;
}

/* Finds strings, which must end within the file. */
static bool strings_of(const struct code *code, uint64_t number, uint64_t *ret_offset, uint64_t *ret_size)
{
    struct elf_section section;
    const uint8_t *bytes;

    if (number >= code->sections.count)
        return false;
    section = code_section(code, number);
    bytes = section.type == ELF_SECTION_STRINGS ? code_bytes(code, section.offset, section.size) : NULL;
    if (!bytes || !section.size || bytes[section.size - 1])
        return false;
    *ret_offset = section.offset;
    *ret_size = section.size;
    return true;
}

static bool read_sections(struct code *code, const struct elf_header *header, struct out *problems)
{
    struct elf_section section;

    if (!header->section_count || header->section_size != sizeof(section) || header->section_count > SECTIONS_MAX) {
        out_printf(problems, "it has no section headers that can be read, or more than %u: do not strip them\n",
                   SECTIONS_MAX);
        return false;
    }
    code->sections = (struct code_table){header->sections, header->section_count};
    if (!code_bytes(code, header->sections, header->section_count * sizeof(section)))
        return is_cut(problems, "section headers");
    if (!strings_of(code, header->section_names, &code->section_names, &code->section_names_size))
        return is_cut(problems, "names of sections");
    for (uint64_t i = 0; i < code->sections.count; i++) {
        section = code_section(code, i);
        if (section.type != ELF_SECTION_SYMBOLS && (section.type != ELF_SECTION_DYNAMIC_SYMBOLS || code->symbols.count))
            continue;
        if (section.entry_size != sizeof(struct elf_symbol) || !code_bytes(code, section.offset, section.size) ||
            !strings_of(code, section.link, &code->names.offset, &code->names.count))
            return is_cut(problems, "symbols");
        code->symbols = (struct code_table){section.offset, section.size / sizeof(struct elf_symbol)};
        if (section.type == ELF_SECTION_SYMBOLS)
            break;
    }
    return true;
}

/* ---------------------------------------------------------------- layout */

static bool add_piece(struct code *code, const struct code_piece *piece, const char *what, struct out *problems)
{
    if (code->pieces == CODE_PIECES_MAX) {
        out_printf(problems, "it has more than %u %s that are loaded: compile it without -ffunction-sections\n",
                   CODE_PIECES_MAX, what);
        return false;
    }
    code->piece[code->pieces++] = *piece;
    return true;
}

static bool access_of(bool write, bool execute, enum code_access *ret_access, struct out *problems)
{
    *ret_access = execute ? CODE_EXECUTE : write ? CODE_WRITE : CODE_READ;
    if (!write || !execute)
        return true;
    out_printf(problems, "it has memory that is both written and executed, which is not mapped: keep data in separate "
                         "sections, and link without -N\n");
    return false;
}

static bool is_too_large(struct out *problems)
{
    out_printf(problems, "its loaded parts are larger than %u MB: put arrays into the arena\n", CODE_MEMORY_MAX >> 20);
    return false;
}

static bool read_segments(struct code *code, const struct elf_header *header, struct out *problems)
{
    struct elf_segment segment;

    if (header->segment_size != sizeof(segment) || header->segment_count > SEGMENTS_MAX ||
        !code_bytes(code, header->segments, header->segment_count * sizeof(segment)))
        return is_cut(problems, "program headers");
    for (unsigned i = 0; i < header->segment_count; i++) {
        struct code_piece piece = {0};

        memcpy(&segment, code->file + header->segments + i * sizeof(segment), sizeof(segment));
        if (segment.type == ELF_SEGMENT_TLS) {
            out_printf(problems, "it has thread-local variables (TLS), but there are no threads here: use the arena\n");
            return false;
        }
        if (segment.type != ELF_SEGMENT_LOAD || !segment.memory_size)
            continue;
        if (segment.memory_size > CODE_MEMORY_MAX || segment.address > CODE_MEMORY_MAX - segment.memory_size)
            return is_too_large(problems);
        if (segment.file_size > segment.memory_size || !code_bytes(code, segment.offset, segment.file_size))
            return is_cut(problems, "segments");
        if (!access_of(segment.flags & ELF_WRITE, segment.flags & ELF_EXECUTE, &piece.access, problems))
            return false;
        piece.rva = (uint32_t)segment.address;
        piece.size = (uint32_t)segment.memory_size;
        piece.offset = (uint32_t)segment.offset;
        piece.file_size = (uint32_t)segment.file_size;
        if (!add_piece(code, &piece, "segments", problems))
            return false;
    }
    return true;
}

/* Returns where a section goes, from 'at' on: to the place in its page that it has in the file, as segments do. So
 * pages can be mapped of the file, and perf's arithmetic of pages holds. A page has bytes of one page of the file. */
static uint64_t place_of(const struct code *code, uint64_t at, const struct elf_section *section, uint64_t alignment)
{
    const struct code_piece *before = code->pieces ? &code->piece[code->pieces - 1] : NULL;
    bool same_page;

    at = (at + alignment - 1) & ~(alignment - 1);
    if (section->type == ELF_SECTION_NOBITS || section->offset % alignment)
        return at;
    at += (section->offset - at) % CODE_PAGE;
    same_page = before && (before->rva + before->size - 1) / CODE_PAGE == at / CODE_PAGE;
    if (same_page && before->file_size && before->offset - before->rva != section->offset - at)
        at += CODE_PAGE;
    return at;
}

/* Places the sections of one access in a row. */
static bool place_sections(struct code *code, enum code_access wanted, uint64_t *at, struct out *problems)
{
    for (uint64_t i = 0; i < code->sections.count; i++) {
        struct elf_section section = code_section(code, i);
        struct code_piece piece = {.section = (uint32_t)i};
        uint64_t alignment = section.alignment > 1 ? section.alignment : 1;

        if (!(section.flags & ELF_FLAG_ALLOC) || !section.size)
            continue;
        if (section.flags & ELF_FLAG_TLS) {
            out_printf(problems, "it has thread-local variables (TLS), but there are no threads here: use the arena\n");
            return false;
        }
        if (!access_of(section.flags & ELF_FLAG_WRITE, section.flags & ELF_FLAG_EXECUTE, &piece.access, problems))
            return false;
        if (piece.access != wanted)
            continue;
        if (alignment > CODE_PAGE || alignment & (alignment - 1)) {
            out_printf(problems, "section %s is aligned to %lu, which is not a power of two up to a page\n",
                       code_shown(code_section_name(code, &section)).text, alignment);
            return false;
        }
        *at = place_of(code, *at, &section, alignment);
        if (section.size > CODE_MEMORY_MAX || *at > CODE_MEMORY_MAX - section.size)
            return is_too_large(problems);
        if (section.type != ELF_SECTION_NOBITS && !code_bytes(code, section.offset, section.size))
            return is_cut(problems, "sections");
        piece.rva = (uint32_t)*at;
        piece.size = (uint32_t)section.size;
        piece.offset = section.type == ELF_SECTION_NOBITS ? 0 : (uint32_t)section.offset;
        piece.file_size = section.type == ELF_SECTION_NOBITS ? 0 : piece.size;
        if (!add_piece(code, &piece, "sections", problems))
            return false;
        *at += section.size;
    }
    *at = (*at + CODE_PAGE - 1) & ~(uint64_t)(CODE_PAGE - 1);
    return true;
}

static bool is_small(const struct code *code, struct out *problems)
{
    uint32_t first = CODE_NONE, last = 0;

    for (uint32_t page = 0; page < code->memory / CODE_PAGE; page++) {
        if (code->page[page] != CODE_EXECUTE)
            continue;
        first = first == CODE_NONE ? page : first;
        last = page + 1;
    }
    if (!last || last - first <= CODE_TEXT_MAX / CODE_PAGE)
        return true;
    out_printf(problems, "it has more than %u KB of code: leave out code that run() does not call\n",
               CODE_TEXT_MAX >> 10);
    return false;
}

/* Marks the pages of each piece; none may have two uses. */
static bool mark_pages(struct code *code, struct out *problems)
{
    for (unsigned i = 0; i < code->pieces; i++) {
        const struct code_piece *piece = &code->piece[i];
        uint32_t end = (piece->rva + piece->size + CODE_PAGE - 1) / CODE_PAGE;

        for (uint32_t page = piece->rva / CODE_PAGE; page < end; page++) {
            if (code->page[page] && code->page[page] != piece->access) {
                out_printf(problems, "code and data share a page: link with -z separate-code\n");
                return false;
            }
            code->data_pages += !code->page[page] && piece->access == CODE_WRITE;
            code->page[page] = (uint8_t)piece->access;
        }
        if (end * CODE_PAGE > code->memory)
            code->memory = end * CODE_PAGE;
    }
    return is_small(code, problems);
}

/* ---------------------------------------------------------------- what is refused, found by sections */

static bool read_note(struct code *code, struct out *problems)
{
    for (uint64_t i = 0; i < code->sections.count; i++) {
        struct elf_section section = code_section(code, i);
        const uint8_t *bytes;

        if (!str_equal(code_section_name(code, &section), ".note.ibsboot"))
            continue;
        bytes = section.type == ELF_SECTION_NOBITS ? NULL : code_bytes(code, section.offset, section.size);
        if (!bytes)
            return is_cut(problems, "notes");
        return code_note_read(bytes, section.size, &code->note, problems);
    }
    return code_note_read(NULL, 0, &code->note, problems);
}

static bool check_sections(const struct code *code, struct out *problems)
{
    for (uint64_t i = 0; i < code->sections.count; i++) {
        struct elf_section section = code_section(code, i);
        bool loaded = section.flags & ELF_FLAG_ALLOC && section.size;

        if (loaded && section.type == ELF_SECTION_INIT_ARRAY)
            out_printf(problems, "it has constructors (%s), which nothing calls here: call them in prepare()\n",
                       code_shown(code_section_name(code, &section)).text);
        else if (loaded && section.type == ELF_SECTION_RELR)
            out_printf(problems, "it has packed relocations (%s): link with -z nopack-relative-relocs\n",
                       code_shown(code_section_name(code, &section)).text);
        else if (loaded && section.type == ELF_SECTION_REL)
            out_printf(problems, "it has relocations without addends (%s), which x86-64 does not use\n",
                       code_shown(code_section_name(code, &section)).text);
        else
            continue;
        return false;
    }
    return true;
}

bool code_read(const void *file, size_t size, struct code *ret_code, struct out *problems)
{
    struct elf_header header;
    uint64_t at = 0;

    *ret_code = (struct code){.file = file, .size = size};
    if (size > CODE_FILE_MAX) {
        out_printf(problems, "it has more than %u MB: 'strip --strip-debug' makes it smaller\n", CODE_FILE_MAX >> 20);
        return false;
    }
    if (!read_header(ret_code, &header, problems) || !read_sections(ret_code, &header, problems) ||
        !check_sections(ret_code, problems))
        return false;
    if (!ret_code->relocatable && !read_segments(ret_code, &header, problems))
        return false;
    for (unsigned access = CODE_EXECUTE; ret_code->relocatable && access <= CODE_WRITE; access++)
        if (!place_sections(ret_code, (enum code_access)access, &at, problems))
            return false;
    if (!mark_pages(ret_code, problems) || !read_note(ret_code, problems))
        return false;
    ret_code->run = code_find(ret_code, "run");
    ret_code->prepare = code_find(ret_code, "prepare");
    ret_code->check = code_find(ret_code, "check");
    if (ret_code->run == CODE_NONE) {
        out_printf(problems, "it has no function run(): write one, and do not make it static\n");
        return false;
    }
    code_find_build_id(ret_code);
    return true;
}
