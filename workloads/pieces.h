/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pieces of code that jump to one another in turn, 4 KB from one to the next, and the kernel that walks them.
 *
 * A piece adds to two or three of rax, rdx and r8. A round begins with the piece that leaves the requested number, and
 * ends with the last piece's ret.
 */
#ifndef WORKLOADS_PIECES_H
#define WORKLOADS_PIECES_H

#include "workloads/workload.h"

enum { PARAM_ROUNDS = 0, PARAM_PIECES = 1 };

/* The kernel's three statements. last: the last piece's function. */
#define PIECES_FIRST(last)                                                                                             \
    "mov (%rsi), %ecx\n\t"                                                                                             \
    "mov 4(%rsi), %eax\n\t"                                                                                            \
    "shl $12, %eax\n\t"                                                                                                \
    "lea " last "+4096(%rip), %r10\n\t"                                                                                \
    "sub %rax, %r10\n\t"                                                                                               \
    "xor %eax, %eax\n\t"                                                                                               \
    "xor %edx, %edx\n\t"                                                                                               \
    "xor %r8d, %r8d"
#define PIECES_ROUND                                                                                                   \
    "1: call *%r10\n\t"                                                                                                \
    "sub $1, %ecx\n\t"                                                                                                 \
    "jnz 1b"
#define PIECES_RESULT                                                                                                  \
    "xor %rdx, %rax\n\t"                                                                                               \
    "xor %r8, %rax\n\t"                                                                                                \
    "mov %rax, (%rdi)\n\t"                                                                                             \
    "ret"

/* Rotates like the rol of a piece. */
static inline uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static inline uint64_t pieces_work(const uint32_t *params)
{
    return (uint64_t)params[PARAM_ROUNDS] * params[PARAM_PIECES];
}

/* All exact counts. ops: of a piece, its jump to the next or its ret included. 0C2h: one at the end of each piece, the
 * call and the loop's in each round, the ret. 0C4h: all but the loop's last. 040h: the call's and the ret's in each
 * round; two parameters, the result, the ret. */
/* clang-format off */
#define PIECES_EXPECTED(ops)                                                                                           \
    INSTRUCTIONS(.per_unit = (ops), .per_pass = 3, .once = 8 + 4),                                                     \
    {0x0C2, 0, {.per_unit = 1, .per_pass = 2, .once = 1}}, {0x0C4, 0, {.per_unit = 1, .per_pass = 2}},                 \
    {0x0C8, 0, {.per_pass = 1, .once = 1}}, {0x040, 0, {.per_pass = 2, .once = 4}}
/* clang-format on */

#endif
