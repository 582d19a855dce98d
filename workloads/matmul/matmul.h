/* SPDX-License-Identifier: BSD-2-Clause */
/* Common to the matrix multiplies: the matrices in the arena, and how they are addressed. */
#ifndef WORKLOADS_MATMUL_H
#define WORKLOADS_MATMUL_H

#include "workloads/workload.h"

enum {
    SIZE = 1000, /* rows and columns; the row stride is 4000 bytes whatever n is */
    PARAM_N = 0,
    PARAM_ROWS = 1,
};

/* The arena corresponds to the paper's process from 400000h on: matrix_a at 413FE0h, matrix_b at 7E48E8h, matrix_r at
 * BB51E8h. With that, and contiguous frames, the arrays keep the paper's places in the L1D (modulo 32 KB). */
enum {
    PAPER_BASE = 0x400000,
    PLACE_A = 0x413FE0 - PAPER_BASE,
    PLACE_B = 0x7E48E8 - PAPER_BASE,
    PLACE_R = 0xBB51E8 - PAPER_BASE,
    BYTES = SIZE * SIZE * 4,
};

struct matrices {
    char before_a[PLACE_A];
    float a[SIZE][SIZE];
    char before_b[PLACE_B - PLACE_A - BYTES];
    float b[SIZE][SIZE];
    char before_r[PLACE_R - PLACE_B - BYTES];
    float r[SIZE][SIZE];
};

_Static_assert(offsetof(struct matrices, a) == PLACE_A, "a at the paper's place");
_Static_assert(offsetof(struct matrices, b) == PLACE_B, "b at the paper's place");
_Static_assert(offsetof(struct matrices, r) == PLACE_R, "r at the paper's place");

/* The paper's arrays were globals, reached as [register + constant]. A base register of this file's own gives the same
 * form in position-independent code, where a global would cost one more instruction and a pointer variable one more
 * load per access. */
register struct matrices *matrix __asm__("rbx");

#endif
