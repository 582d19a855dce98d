/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exact counts of the measured code, one instruction after the other: executions, directions of branches, lines of
 * memory operands. drivers/trace/single_step.c calls exact_step() before each instruction, with interrupts off: it does
 * not allocate, and what finds no room is counted.
 *
 * A step is a trap: an instruction, or one repetition of a string instruction (AMD APM vol. 2 section 13.1.4).
 */
#ifndef CORE_PROFILE_EXACT_H
#define CORE_PROFILE_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/ibs/codemap.h"

enum {
    EXACT_GPRS = 16,    /* general registers, in the order of struct codemap_mem */
    EXACT_LINE = 64,    /* bytes */
    EXACT_EDGES = 4096, /* room for targets of indirect branches and returns; a power of two */
};

/* Counts of a memory operand. */
struct exact_operand {
    uint64_t accesses;
    uint64_t changes;   /* accesses whose first line differs from that of the access before */
    uint64_t low, high; /* first byte of the lowest access and of the highest one */
    uint64_t last;      /* line of the last access */
    uint32_t lines;     /* different lines in the arena, if there is a bitmap */
    uint32_t bits;      /* number of the bitmap, from 1 on; 0: there was none left */
};

struct exact_insn {
    uint64_t executions;
    uint64_t repetitions; /* of a string instruction */
    uint64_t taken;       /* executions not followed by the next instruction */
    struct exact_operand mem[2];
};

/* Counts how often an indirect branch or return went somewhere; count 0: the place is free. */
struct exact_edge {
    uint32_t from; /* index of the instruction */
    uint32_t to;   /* RVA; EXACT_AWAY: outside of the map */
    uint64_t count;
};

#define EXACT_AWAY UINT32_MAX

struct exact {
    const struct codemap *map;
    uint64_t base;   /* address of RVA 0 */
    uint32_t *index; /* for each byte of the map's text: its instruction, or EXACT_AWAY */
    struct exact_insn *insn;
    struct exact_edge *edge;
    uint64_t arena, arena_size;
    uint64_t *bits;     /* bitmaps of the arena's lines */
    uint64_t bits_each; /* words of one */
    uint32_t bitmaps, bitmaps_used;

    uint32_t at;            /* the executing instruction; EXACT_AWAY: none of the map's */
    uint64_t steps;         /* steps begun */
    uint64_t outside;       /* of these, outside of the map */
    uint64_t edges_lost;    /* executions of indirect branches whose target found no room */
    uint64_t operands_lost; /* operands without a bitmap */
};

/* Returns the number of bitmaps: one for each memory operand of the map, as far as 64 MB have room for them. */
uint32_t exact_bitmaps(const struct codemap *map, uint64_t arena_size);

/* Returns the bytes for the counts of a map, with bitmaps for so many memory operands. */
size_t exact_memory_size(const struct codemap *map, uint64_t arena_size, uint32_t bitmaps);

/* Prepares counts, in memory that is all 0 and 8-byte aligned. */
void exact_init(struct exact *exact, const struct codemap *map, uint64_t base, uint64_t arena_size, uint32_t bitmaps,
                void *memory);

/* Ends the instruction that executed, and begins the one at rip with these general registers (rsp among them). */
void exact_step(struct exact *exact, uint64_t rip, const uint64_t gpr[EXACT_GPRS]);

/* Ends the instruction that executed, and begins none: rip is where the code has returned to. */
void exact_end(struct exact *exact, uint64_t rip);

/* Sums over all instructions of the map. */
struct exact_sums {
    uint64_t executions;
    uint64_t branches, taken; /* executions of branches of all kinds, calls and returns */
    uint64_t loads, stores;   /* memory operands that were accessed */
};
struct exact_sums exact_sum(const struct exact *exact);

#endif
