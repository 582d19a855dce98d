/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The note of own code (section .note.ibsboot): what examples/ibsboot.h writes. Its layout is fixed; a later version
 * has another number.
 */
#ifndef CORE_CODE_CODE_NOTE_H
#define CORE_CODE_CODE_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/out.h"

enum {
    CODE_NOTE_VERSION = 1, /* the note's type */
    CODE_NOTE_PARAMETERS = 4,
    CODE_NOTE_EXPECTED = 8,
    CODE_NOTE_SHARED = 1, /* flag: on several cores all work on the same arena */
    CODE_NAME = 32,
    CODE_TITLE = 80,
};

/* Fields are those of struct workload_param, workload_expected and workload_count (workloads/workload.h). */
struct code_parameter {
    char name[16]; /* "": no more */
    char help[48];
    uint32_t min, max, initial, step;
    uint32_t arena_each; /* bytes of arena for each unit of the parameter */
    uint32_t multiplies; /* not 0: the units of work are proportional to it */
};

struct code_expected {
    uint16_t select; /* 0: no more */
    uint16_t mask;
    uint32_t per_unit, per_pass, once;
};

struct code_note {
    char name[CODE_NAME];
    char title[CODE_TITLE];
    char unit[24];
    uint64_t arena;    /* bytes, besides those of parameters */
    uint32_t unit_ops; /* approximate macro-ops of one unit of work; 0: not known */
    uint32_t flags;
    struct code_parameter parameter[CODE_NOTE_PARAMETERS];
    struct code_expected expected[CODE_NOTE_EXPECTED];
};
_Static_assert(sizeof(struct code_note) == 152 + CODE_NOTE_PARAMETERS * 88 + CODE_NOTE_EXPECTED * 16, "as in files");

/* Reads the section, and skips notes of other owners. Without a note the arena is 1 MB and all else is 0. Returns
 * false after a line in 'problems'. */
bool code_note_read(const uint8_t *section, size_t size, struct code_note *ret_note, struct out *problems);

/* Returns the bytes of arena, without the stack; UINT64_MAX if they exceed 64 bits. */
uint64_t code_note_arena(const struct code_note *note, const uint32_t *values);

/* Returns the units of work: the product of the parameters that multiply, or 1. */
uint64_t code_note_work(const struct code_note *note, const uint32_t *values);

#endif
