/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code map of own code as a file beside it, NAME.map, which 'ibsprof codemap' writes: the image has no
 * disassembler. Header, instructions, functions, files and strings follow each other, as core/ibs/codemap.h lays them
 * out, so that a file that was read to memory is used there. It is untrusted: every index and address is checked.
 */
#ifndef CORE_CODE_CODE_MAP_H
#define CORE_CODE_CODE_MAP_H

#include "core/code/code.h"
#include "core/ibs/codemap.h"

enum {
    CODE_MAP_VERSION = 2,
    CODE_MAP_INSNS_MAX = 16384, /* the virtual PMU has room for as many */
    CODE_MAP_FILE_MAX = 4 << 20,
};

struct code_map_header {
    char magic[8]; /* "ibsmap" */
    uint32_t version;
    uint32_t crc;      /* CRC-32C of all bytes after this header */
    uint64_t elf_hash; /* code_hash() of the ELF file */
    uint32_t insn_count, func_count, file_count, string_bytes;
    uint32_t text_rva, text_size; /* from the first instruction to the end of the last */
};
_Static_assert(sizeof(struct code_map_header) == 48, "8-byte aligned instructions follow");

/* Returns the bytes of such a file. */
size_t code_map_size(const struct code_map_header *header);

/* Returns the size of a file of code, or of a map, by its header; 0 if it is neither, or longer than 'room'. */
size_t code_size_by_header(const void *bytes, size_t room);

/* Fills *ret_map with pointers into the bytes, which are 8-byte aligned and must stay, and *ret_elf_hash with the hash
 * of the ELF file. Returns false after a line in 'problems', which lacks the file's name. */
bool code_map_read(const void *bytes, size_t size, struct codemap *ret_map, uint64_t *ret_elf_hash,
                   struct out *problems);

/* Writes the header of a map, with the sum over the bytes that follow it: code_map_size() bytes in all. */
void code_map_seal(void *bytes, const struct codemap *map, uint32_t string_bytes, uint64_t elf_hash);

/* Returns why own code must not have an instruction, given as the text of a map; NULL if it may. Forbidden ones change
 * the processor's state: where code runs they do not fault, and their effect would outlast the run. */
const char *code_forbidden(const char *text);

/* Prints the first forbidden instruction of a map, "run+0x7, cli: ..."; returns false if there is none. */
bool code_find_forbidden(const struct code *code, const struct codemap *map, struct out *problems);

/* Makes a map without known instructions: functions by their symbols, and each byte as an instruction, or each group
 * of bytes where there is much code, with "+0x1c" as its text. */
size_t code_plain_size(const struct code *code);
void code_plain_make(const struct code *code, void *memory, struct codemap *ret_map);

#endif
