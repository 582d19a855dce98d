/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ELF for x86-64 as far as own code needs it. Sources: "gABI" is the System V Application Binary Interface, edition of
 * 10 June 2013, chapters 4 and 5; "psABI" is its AMD64 supplement 1.0, section 4.4 (relocations).
 */
#ifndef CORE_CODE_ELF_FORMAT_H
#define CORE_CODE_ELF_FORMAT_H

#include <stdint.h>

/* gABI "ELF Header". */
struct elf_header {
    uint8_t ident[16]; /* 7Fh 'E' 'L' 'F', class, order of bytes, version */
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, segments, sections; /* the last two: offsets in the file */
    uint32_t flags;
    uint16_t size, segment_size, segment_count, section_size, section_count, section_names;
};
_Static_assert(sizeof(struct elf_header) == 64, "as in the file");

enum {
    ELF_CLASS = 4,
    ELF_ORDER = 5,
    ELF_CLASS_64 = 2,
    ELF_ORDER_LITTLE = 1,
    ELF_TYPE_REL = 1,
    ELF_TYPE_EXEC = 2,
    ELF_TYPE_DYN = 3,
    ELF_MACHINE_X86_64 = 62, /* psABI section 4.1.1 */
};

/* gABI "Program Header". */
struct elf_segment {
    uint32_t type, flags;
    uint64_t offset, address, physical, file_size, memory_size, alignment;
};
_Static_assert(sizeof(struct elf_segment) == 56, "as in the file");

enum { ELF_SEGMENT_LOAD = 1, ELF_SEGMENT_TLS = 7, ELF_EXECUTE = 1, ELF_WRITE = 2 };

/* gABI "Sections". */
struct elf_section {
    uint32_t name, type;
    uint64_t flags, address, offset, size;
    uint32_t link, info;
    uint64_t alignment, entry_size;
};
_Static_assert(sizeof(struct elf_section) == 64, "as in the file");

enum {
    ELF_SECTION_SYMBOLS = 2,
    ELF_SECTION_STRINGS = 3,
    ELF_SECTION_RELA = 4,
    ELF_SECTION_NOTE = 7,
    ELF_SECTION_NOBITS = 8,
    ELF_SECTION_REL = 9,
    ELF_SECTION_DYNAMIC_SYMBOLS = 11,
    ELF_SECTION_INIT_ARRAY = 14,
    ELF_SECTION_RELR = 19,
    ELF_FLAG_WRITE = 1,
    ELF_FLAG_ALLOC = 2,
    ELF_FLAG_EXECUTE = 4,
    ELF_FLAG_TLS = 0x400,
};

/* gABI "Symbol Table". */
struct elf_symbol {
    uint32_t name;
    uint8_t info, other;
    uint16_t section;
    uint64_t value, size;
};
_Static_assert(sizeof(struct elf_symbol) == 24, "as in the file");

enum {
    ELF_SYMBOL_NOTYPE = 0,
    ELF_SYMBOL_FUNCTION = 2,
    ELF_BIND_LOCAL = 0,
    ELF_BIND_WEAK = 2,
    ELF_UNDEFINED = 0,
    ELF_ABSOLUTE = 0xfff1,
    ELF_COMMON = 0xfff2,
};

/* gABI "Relocation". */
struct elf_rela {
    uint64_t offset, info; /* info: the symbol in bits 63:32, the type in bits 31:0 */
    int64_t addend;
};
_Static_assert(sizeof(struct elf_rela) == 24, "as in the file");

/* psABI table 4.10. */
enum {
    ELF_R_NONE = 0,
    ELF_R_64 = 1,
    ELF_R_PC32 = 2,
    ELF_R_PLT32 = 4,
    ELF_R_GLOB_DAT = 6,
    ELF_R_JUMP_SLOT = 7,
    ELF_R_RELATIVE = 8,
    ELF_R_GOTPCREL = 9,
    ELF_R_32 = 10,
    ELF_R_32S = 11,
    ELF_R_PC64 = 24,
    ELF_R_GOTPCRELX = 41,
    ELF_R_REX_GOTPCRELX = 42,
    ELF_R_NAMES,
};

/* gABI "Note Section": name and description are padded to four bytes. */
struct elf_note {
    uint32_t name_size, size, type;
};

#endif
