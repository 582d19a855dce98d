/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Common to the streaming workloads: arrays of 8-byte elements that are walked from one end to the other, pass after
 * pass, as J. McCalpin's STREAM does it.
 *
 * Each array begins 8 KB further into the data cache's 32 KB ways than the one before: three arrays of a size that is
 * a multiple of 32 KB would otherwise fall on the same two ways of each set, and miss at every element.
 */
#ifndef WORKLOADS_STREAM_H
#define WORKLOADS_STREAM_H

#include "workloads/loop.h"
#include "workloads/passes.h"
#include "workloads/result.h"

/* The asm has these, too. */
enum {
    FIRST = 4096, /* offset of the first array in the arena; the result is at 0 */
    WAY = 32768,
    APART = 8192,
    ELEMENT = 8,
};

/* In rdx: bytes of an array. In r11: from one array to the next. In r8, r9, r10: the arrays. In ecx: passes. */
#define STREAM_ARRAYS                                                                                                  \
    "mov (%rsi), %ecx\n\t"                                                                                             \
    "mov 4(%rsi), %edx\n\t"                                                                                            \
    "shl $10, %rdx\n\t"                                                                                                \
    "lea 32767(%rdx), %r11\n\t"                                                                                        \
    "and $-32768, %r11\n\t"                                                                                            \
    "add $8192, %r11\n\t"                                                                                              \
    "lea 4096(%rdi), %r8\n\t"                                                                                          \
    "lea (%r8,%r11), %r9\n\t"                                                                                          \
    "lea (%r9,%r11), %r10"

enum { STREAM_ARRAYS_INSTRUCTIONS = 9 };

#define STREAM_PARAMS(default_kb)                                                                                      \
    {"passes", 1, 1000000, 1, "from end to end"},                                                                      \
    {                                                                                                                  \
        "kb", 4, 262144, default_kb, "size of each array in KB"                                                        \
    }

static inline uint64_t elements(const uint32_t *params)
{
    return bytes(params) / ELEMENT;
}

static inline uint64_t units_in_pass(const uint32_t *params)
{
    return elements(params);
}

static inline uint64_t distance(const uint32_t *params)
{
    return (bytes(params) + WAY - 1) / WAY * WAY + APART;
}

static inline void *array_of(const void *arena, const uint32_t *params, unsigned which)
{
    return (void *)((uintptr_t)arena + FIRST + which * distance(params));
}

/* Names what a stream's prepare() fills: element by element of each array in turn. */
static inline bool stream_filled(const uint32_t *params, uint32_t arrays, uint32_t n, struct workload_range *ret_range)
{
    enum { PIECE = 4096 };
    uint64_t at = n / arrays * (uint64_t)PIECE, rest = at < bytes(params) ? bytes(params) - at : 0;

    *ret_range =
        (struct workload_range){(uintptr_t)array_of(NULL, params, n % arrays) + at, rest < PIECE ? rest : PIECE};
    return rest != 0;
}

static inline size_t size_of(const uint32_t *params, unsigned arrays)
{
    return FIRST + (size_t)(arrays * distance(params));
}

#endif
