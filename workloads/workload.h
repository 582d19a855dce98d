/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A workload: a kernel that is measured, and a row that describes it.
 *
 * One file a workload. The same object files go into the boot image and into a Linux executable, so a workload includes
 * nothing but the headers of this folder, calls nothing outside its file, and works on the memory that it is given (the
 * arena): its arrays are at fixed offsets in the arena, never in .data, so that the page tables and frames under them
 * can be chosen.
 *
 * To add one: write workloads/<name>.c, end it with a WORKLOAD(...) row. No other file changes. Static functions that
 * many kernels have in common are in result.h, loop.h, passes.h and random.h; those for families of workloads in
 * stream.h, pieces.h and targets.h.
 */
#ifndef WORKLOADS_WORKLOAD_H
#define WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WORKLOAD_PARAMS_MAX = 4,
    WORKLOAD_ARRAYS_MAX = 3,
    WORKLOAD_EXPECTED_MAX = 8,
    WORKLOAD_INSTRUCTIONS = 0x0C0, /* PMCxxx of retired instructions */
    WORKLOAD_POWERS = 1,           /* in place of a step */
};

/* After the parameters the array holds the number of this core, from 0 on, and the number of cores that run at the same
 * time. A workload on one core finds 0 and 1. */
enum { WORKLOAD_CORE = WORKLOAD_PARAMS_MAX, WORKLOAD_CORES, WORKLOAD_VALUES };

/* Returns for how many cores an arena has places: up to 64, its size and address do not depend on how many run. */
static inline size_t workload_places(const uint32_t *params)
{
    return params[WORKLOAD_CORES] < 64 ? 64 : params[WORKLOAD_CORES];
}

/* A parameter, set by "name = value" in the settings. */
struct workload_param {
    const char *name;
    uint32_t min, max, fallback;
    const char *help;
};

/* How often something happens in one run(), its ret included, whatever the machine: the sum of these. */
struct workload_count {
    uint32_t per_unit; /* of work() */
    uint32_t per_pass; /* of the first parameter, which is the outer loop's */
    uint32_t once;
    uint64_t (*others)(const uint32_t *params); /* what is no multiple; NULL: none */
};

/* An event (PMCxxx of the BKDG) whose number is known exactly. */
struct workload_expected {
    uint16_t select; /* 0C4 of "0C4:00"; 0: no more */
    uint8_t mask;
    struct workload_count count;
};

struct workload_check {
    uint64_t expected;
    uint64_t got;
};

/* The subject of a workload: the list is ordered by these groups. */
enum workload_group {
    WORKLOAD_ABOUT_MEMORY, /* caches, TLBs, latency, bandwidth */
    WORKLOAD_ABOUT_BRANCHES,
    WORKLOAD_ABOUT_CORE,      /* execution: latencies, width */
    WORKLOAD_ABOUT_FRONT_END, /* fetching of code */
    WORKLOAD_ABOUT_SHARING,   /* several cores */
    WORKLOAD_ABOUT_OWN,       /* own code: none of these files */
    WORKLOAD_ABOUT_GROUPS
};

/* Bytes of the arena, from its beginning. */
struct workload_range {
    uint64_t offset, bytes;
};

struct workload {
    const char *name;  /* as the settings name it */
    const char *title; /* one line */
    const char *shows; /* what its profile shows */
    /* Published measurements, printed below the tables; lines separated by '\n', or NULL. */
    const char *published;
    enum workload_group group;
    const char *kernel; /* the function that is measured */
    const char *unit;   /* the unit of work, e.g. "inner iterations" */
    uint32_t unit_ops;  /* approximate macro-ops of one unit: only to choose a sampling period */
    struct workload_param params[WORKLOAD_PARAMS_MAX]; /* up to the first without a name */
    /* Steps of each parameter: its values are multiples of this; WORKLOAD_POWERS: powers of two; 0: all of the range.
     */
    uint32_t steps[WORKLOAD_PARAMS_MAX];

    /* On several cores: false: each has its own arena; true: all work on the same one, which core 0 prepares and
     * checks. */
    bool shared;

    /* Bytes of arena needed, without the stack. */
    size_t (*arena_size)(const uint32_t *params);
    /* Fills the arena; not measured. Called with the arena mapped as the run maps it. */
    void (*prepare)(void *arena, const uint32_t *params);
    /* Names what prepare() leaves in caches: the n-th range that it fills, in order, at most a page each where it
     * alternates between ranges; false: no more. NULL: all of the arena, from its beginning on. */
    bool (*filled)(const uint32_t *params, uint32_t n, struct workload_range *ret_range);
    /* Names of the arrays, up to the first that is NULL. Range n of filled() is of array n modulo their number; without
     * filled() there is one at most, from the offset arrays_at to the arena's end. */
    const char *arrays[WORKLOAD_ARRAYS_MAX + 1];
    uint32_t arrays_at;
    /* The measured part. */
    void (*run)(void *arena, const uint32_t *params);
    /* Compares the result with a reference computed another way. Not measured. */
    bool (*check)(const void *arena, const uint32_t *params, struct workload_check *ret_check);
    /* Units of work done by one run, for counts per unit. */
    uint64_t (*work)(const uint32_t *params);
    /* Exact counts, up to the first without a select; INSTRUCTIONS() is the first one, where it does not depend on the
     * compiler. A config=count that counts one of them compares. */
    struct workload_expected expected[WORKLOAD_EXPECTED_MAX];
};

/* Retired instructions: a sum of fields of struct workload_count. */
/* clang-format off */
#define INSTRUCTIONS(...) {WORKLOAD_INSTRUCTIONS, 0, {__VA_ARGS__}}
/* clang-format on */

static inline uint64_t workload_count(const struct workload *workload, unsigned row, const uint32_t *params)
{
    const struct workload_count *count = &workload->expected[row].count;

    return count->per_unit * workload->work(params) + (uint64_t)count->per_pass * params[0] + count->once +
           (count->others ? count->others(params) : 0);
}

/* Returns whether the row states how many instructions are retired, and the number in *ret_count. */
static inline bool workload_instructions(const struct workload *workload, const uint32_t *params, uint64_t *ret_count)
{
    *ret_count = workload_count(workload, 0, params);
    return workload->expected[0].select == WORKLOAD_INSTRUCTIONS;
}

/* The measured function begins on a cache line: its position in fetch blocks must not depend on the link order. */
#define WORKLOAD_KERNEL __attribute__((noinline, aligned(64)))

/* A run() in assembly: arena in rdi, params in rsi; rax, rcx, rdx, rsi, rdi, r8 to r11 and xmm0 to xmm15 are free; ends
 * with its own ret. Instructions of one asm statement share its source line; gcc appends a nop and a ud2, which never
 * run. */
#define WORKLOAD_ASM WORKLOAD_KERNEL __attribute__((naked, used))

/* The linker collects the rows: no list to maintain. The pointer table is in link order, which is alphabetical. */
#define WORKLOAD(identifier)                                                                                           \
    static const struct workload identifier;                                                                           \
    static const struct workload *const identifier##_row __attribute__((section("workload_rows"), used)) =             \
        &identifier;                                                                                                   \
    static const struct workload identifier

extern const struct workload *const __start_workload_rows[];
extern const struct workload *const __stop_workload_rows[];

#endif
