/*
 * What the streaming workloads share: arrays of 8-byte elements that are walked from one end to the other, pass after
 * pass, as J. McCalpin's STREAM does it.
 *
 * Each array begins 8 KB further into the data cache's 32 KB ways than the one before: three arrays of a size that is
 * a multiple of 32 KB would otherwise fall on the same two places of each set, and miss at every element.
 */
#ifndef WORKLOADS_STREAM_H
#define WORKLOADS_STREAM_H

#include "workloads/workload.h"

enum { PARAM_PASSES = 0, PARAM_KB = 1 };

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
    return (uint64_t)params[PARAM_KB] * (1024 / ELEMENT);
}

static inline uint64_t distance(const uint32_t *params)
{
    return ((uint64_t)params[PARAM_KB] * 1024 + WAY - 1) / WAY * WAY + APART;
}

static inline void *array_of(const void *arena, const uint32_t *params, unsigned which)
{
    return (void *)((uintptr_t)arena + FIRST + which * distance(params));
}

static inline size_t size_of(const uint32_t *params, unsigned arrays)
{
    return FIRST + (size_t)(arrays * distance(params));
}

static inline uint64_t work(const uint32_t *params)
{
    return (uint64_t)params[PARAM_PASSES] * elements(params);
}

/* The loop's jump in each element, one for the next pass, and the ret. */
static inline uint64_t branches(const uint32_t *params)
{
    return work(params) + params[PARAM_PASSES] + 1;
}

/* The last element's jump of a pass falls through; the next pass, or the ret, makes up for it. */
static inline uint64_t taken(const uint32_t *params)
{
    return work(params);
}

static inline uint64_t returns(const uint32_t *params)
{
    (void)params;
    return 1;
}

#endif
