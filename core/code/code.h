/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code: an ELF file whose function run() is a workload.
 *
 * The file is untrusted: all functions read within its bytes only. A file that cannot be used gives one line, without
 * the file's name in front: what, where, and what to do. Nothing is allocated.
 */
#ifndef CORE_CODE_CODE_H
#define CORE_CODE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/code/code_note.h"

enum {
    CODE_PAGE = 4096,
    CODE_FILE_MAX = 8 << 20,   /* bytes of a file */
    CODE_MEMORY_MAX = 8 << 20, /* bytes that are loaded */
    CODE_TEXT_MAX = 1 << 20,   /* from the first page that is executed to the last */
    CODE_PAGES_MAX = CODE_MEMORY_MAX / CODE_PAGE,
    CODE_PIECES_MAX = 64, /* segments or sections that are loaded */
    CODE_BUILD_ID = 20,
};

/* Address of code on most machines: 256 GB into the arena's slot of 512 GB, the first from 64 TB on
 * (drivers/cpu/paging.h). Code that loads there also loads at any other address above 4 GB. */
#define CODE_ADDRESS 0x404000000000ull

/* Uses of a page. CODE_NOTHING: nothing is loaded there. */
enum code_access { CODE_NOTHING, CODE_EXECUTE, CODE_READ, CODE_WRITE };

/* One segment (ET_DYN) or section (ET_REL). */
struct code_piece {
    enum code_access access;
    uint32_t rva, size; /* where it is loaded, and bytes there */
    uint32_t offset, file_size;
    uint32_t section; /* ET_REL: number of the section */
};

/* A function of the file. */
struct code_function {
    const char *name;
    uint32_t rva, size; /* size 0: the file does not say */
};

struct code_table {
    uint64_t offset, count;
};

struct code {
    const uint8_t *file;
    size_t size;
    bool relocatable;           /* ET_REL: the layout is made here, not in the file */
    struct code_table sections; /* section headers */
    struct code_table symbols;  /* of .symtab, or else .dynsym */
    struct code_table names;    /* their names; count: bytes, the last of which is NUL */
    uint64_t section_names, section_names_size;
    struct code_piece piece[CODE_PIECES_MAX];
    unsigned pieces;
    uint8_t page[CODE_PAGES_MAX];    /* enum code_access of each page, from rva 0 on */
    uint32_t memory;                 /* bytes to load into: rva 0 to the end of the highest page */
    uint32_t data_pages;             /* pages that are written */
    uint32_t run, prepare, check;    /* rva; CODE_NONE: no function 'prepare' or 'check' */
    uint8_t build_id[CODE_BUILD_ID]; /* the file's GNU build id, or made of its bytes */
    struct code_note note;
};

enum { CODE_NONE = 0xffffffff };

/* Returns whether names may have the byte. Others end a line, or steer a terminal. */
static inline bool code_is_text(char byte)
{
    return (unsigned char)byte >= ' ' && byte != 0x7f;
}

/* Reads headers, layout, symbols and note. *ret_code points into the file. Returns false after a line in 'problems'.
 */
bool code_read(const void *file, size_t size, struct code *ret_code, struct out *problems);

/* Loads the code into code->memory bytes, such that it runs at 'address' (a multiple of CODE_PAGE). False after a line
 * in 'problems', with the relocation, its place and what to do. */
bool code_load(const struct code *code, uint8_t *memory, uint64_t address, struct out *problems);

/* Returns whether code_load() would succeed at this address; needs no memory. */
bool code_check(const struct code *code, uint64_t address, struct out *problems);

/* Reads symbol n, 0 to code->symbols.count - 1; returns false beyond. *ret_function.name is NULL unless the symbol
 * names a place in executable memory. */
bool code_function_at(const struct code *code, uint64_t n, struct code_function *ret_function);

/* Returns a hash of the file and of its pieces' addresses, which for ET_REL the version of this program decides. */
uint64_t code_hash(const struct code *code);

/* Prints "run+0x1c", or "+0x101c" where no function begins at or before it. */
void code_write_place(struct out *out, const struct code *code, uint32_t rva);

#endif
