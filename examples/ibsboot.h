/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code for ibsboot: include this, write run(), and describe it by IBSBOOT_CODE(). docs/own-code.md shows how.
 *
 *   void run(void *arena, const uint32_t *parameters)      what is measured
 *   void prepare(void *arena, const uint32_t *parameters)  fills the arena before each pass; not measured; optional
 *   bool check(const void *arena, const uint32_t *parameters, struct ibsboot_check *result)
 *                                                          says whether the result is right; not measured; optional
 *
 * All memory that run() works on is in the arena, whose pages and frames the settings choose. There is no libc, and
 * nothing of the system may be called. After the parameters come the number of this core, from 0 on, and the number of
 * cores: parameters[IBSBOOT_CORE] and parameters[IBSBOOT_CORES].
 */
#ifndef IBSBOOT_H
#define IBSBOOT_H

#include <stdbool.h>
#include <stdint.h>

enum { IBSBOOT_CORE = 4, IBSBOOT_CORES = 5 };
enum { IBSBOOT_POWERS = 1 /* as a step: powers of two alone */ };
enum { IBSBOOT_SHARED = 1 /* as a flag: on several cores all work on one arena, which core 0 prepares and checks */ };

struct ibsboot_check {
    uint64_t expected, got;
};

/* A setting of its own: "name=value". Names are of a-z, 0-9, '-' and '_'. */
struct ibsboot_parameter {
    char name[16];
    char help[48];
    uint32_t min, max, initial; /* min is 1 or more */
    uint32_t step;              /* values are multiples of it; 0: all of them */
    uint32_t arena_each;        /* bytes of the arena for each unit of it */
    uint32_t multiplies;        /* 1: the units of work are a multiple of it */
};

/* An event whose number follows from the parameters: per unit of work, per pass (the first parameter), and once. */
struct ibsboot_expected {
    uint16_t select, mask; /* 0x0C0: retired instructions */
    uint32_t per_unit, per_pass, once;
};

struct ibsboot_note {
    char name[32];     /* workload=name */
    char title[80];    /* one line */
    char unit[24];     /* of work, such as "elements" */
    uint64_t arena;    /* bytes, besides those of parameters */
    uint32_t unit_ops; /* macro-ops of one unit of work, about: to choose how often to sample; 0: not known */
    uint32_t flags;
    struct ibsboot_parameter parameter[4];
    struct ibsboot_expected expected[8];
};

/* In the file: a note of owner "ibsboot" and type 1, the version of this layout. */
struct ibsboot_section {
    uint32_t owner_bytes, note_bytes, version;
    char owner[8];
    struct ibsboot_note note;
} __attribute__((packed, aligned(4)));

#define IBSBOOT_CODE(...)                                                                                              \
    __attribute__((section(".note.ibsboot"), used,                                                                     \
                   aligned(4))) static const struct ibsboot_section ibsboot_section = {                                \
        8, sizeof(struct ibsboot_note), 1, "ibsboot", {__VA_ARGS__}}

#endif
