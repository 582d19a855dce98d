/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The levels at which a profile is read: instructions of the code map, source lines, functions.
 */
#ifndef CORE_LEVELS_H
#define CORE_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/ibs/codemap.h"

enum profile_level {
    PROFILE_INSTRUCTIONS, /* index: instruction of the map */
    PROFILE_LINES,        /* index: 0..line_count-1, ascending by file name's index, then line */
    PROFILE_FUNCTIONS,    /* index: function of the map */
};

struct profile_line {
    uint32_t first; /* lowest instruction of the line */
    uint16_t file;  /* as in codemap_insn: 0xffff = not known */
    uint16_t line;  /* 0 = not known */
};

struct levels {
    const struct codemap *map;
    struct profile_line *lines; /* line_count */
    uint32_t *line_of;          /* per instruction: index into lines */
    uint32_t *next;             /* per instruction: the next one of its line, or LEVELS_END */
    uint32_t line_count;
};

/* Returns the bytes of memory that the lines of this map need; a multiple of 8. */
size_t levels_memory_size(const struct codemap *map);

/* Finds the map's lines. memory[levels_memory_size(map)], 8-byte aligned. */
void levels_init(struct levels *levels, const struct codemap *map, void *memory);

/* Returns the number of rows at a level. */
uint32_t levels_count(const struct levels *levels, enum profile_level level);

/* Returns the row of an instruction at a level. */
uint32_t levels_of(const struct levels *levels, enum profile_level level, uint32_t insn);

/* Return the first instruction of a row, and the one after an instruction, ascending; LEVELS_END when there is none. A
 * map has thousands of instructions, and tables ask for every row many times. */
#define LEVELS_END UINT32_MAX
uint32_t levels_first(const struct levels *levels, enum profile_level level, uint32_t row);
uint32_t levels_next(const struct levels *levels, enum profile_level level, uint32_t insn);

#endif
