/* SPDX-License-Identifier: BSD-2-Clause */
/* The program of program.s as an ELF file. */
#ifndef TESTS_UNIT_IBSPROF_PROGRAM_H
#define TESTS_UNIT_IBSPROF_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/ibsprof/symbols/object.h"

enum {
    PROGRAM_TEXT = 0x401000,
    PROGRAM_OFFSET = 0x1000,
    PROGRAM_SIZE = 0x43
};                                   /* address of .text; its place in the file */
extern const uint8_t program_id[20]; /* the file's build-id */

/* Makes this file in the tests' folder (files.h) by as and ld, and returns its path. */
const char *program_make(const char *name);

/* Makes another file from this assembly; as_options, ld_options: "" or several words. ld_options NULL: not linked. */
const char *program_of(const char *name, const char *assembly, const char *as_options, const char *ld_options);

/* Finds the function at an address in the object's code map, with all executed addresses in it. Returns false if there
 * is none. */
bool program_function(struct object *object, uint64_t rva, uint64_t *ret_start, uint64_t *ret_size,
                      const char **ret_name);

/* Selects the functions that start in start..end. */
struct codemap *program_part(const struct codemap *map, uint64_t start, uint64_t end);

#endif
