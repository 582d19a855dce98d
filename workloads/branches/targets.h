/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Targets of indirect branches in a loop: 16 consecutive places of 16 bytes, each of which adds its number, from 1 on,
 * to r9 and returns to the loop.
 */
#ifndef WORKLOADS_TARGETS_H
#define WORKLOADS_TARGETS_H

#include "workloads/loop.h"

enum {
    PARAM_TARGETS = 1,
    TARGETS = 16,
};

/* To be placed after a label and a .balign 16. back: the instruction that ends each. */
#define TARGETS_CODE(back)                                                                                             \
    ".irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16\n\t"                                           \
    "add $\\number, %r9\n\t" back "\n\t"                                                                               \
    ".balign 16, 0xcc\n\t"                                                                                             \
    ".endr"

/* 0C2h: to the target, back, and the loop's; the ret. 0C4h: all but the loop's last. */
/* clang-format off */
#define TARGETS_BRANCHES {0x0C2, 0, {.per_unit = 3, .once = 1}}, {0x0C4, 0, {.per_unit = 3}}
/* clang-format on */

#endif
