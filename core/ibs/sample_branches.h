/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The latest taken branches at a sample's NMI, as the processor recorded them.
 *
 * Between the target of one branch and the address of the next one only the code there was executed: each such piece
 * ran once, whichever instruction was sampled.
 */
#ifndef CORE_SAMPLE_BRANCHES_H
#define CORE_SAMPLE_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLE_BRANCHES_MAX = 16 }; /* Zen 4 and Zen 5 have as many */

/* The registers, the latest branch first; what a processor does not have is 0. */
struct sample_branches {
    struct {
        uint64_t from, to;
    } entry[SAMPLE_BRANCHES_MAX];
};

/* Meanings of two bits of To; the numbers are those of Linux' PERF_BR_SPEC (include/uapi/linux/perf_event.h). */
enum branch_how {
    BRANCH_EMPTY,       /* nothing was recorded */
    BRANCH_WRONG_PATH,  /* executed speculatively, and never retired */
    BRANCH_CERTAIN,     /* not speculatively, on the right path */
    BRANCH_SPECULATIVE, /* speculatively, on the right path */
    BRANCH_HOWS,
};

struct branch_record {
    uint64_t from, to;       /* canonical addresses */
    bool mispredicted, told; /* told: whether that is known */
    enum branch_how how;
};

/* Sums over samples. */
struct branch_sums {
    uint64_t by_how[BRANCH_HOWS]; /* records; those of BRANCH_EMPTY and BRANCH_WRONG_PATH belong to no path */
    uint64_t mispredicted;        /* on the right path */
};

/* Decodes the records that are not empty, the latest first; returns their number. */
unsigned branches_decode(const struct sample_branches *branches, struct branch_record found[SAMPLE_BRANCHES_MAX]);

/* Marks records of Zen 3, which lack the bits above, as retired (BRANCH_CERTAIN). */
void branches_mark_retired(struct sample_branches *branches);

/* Adds a sample's first 'entries' records. */
void branches_add(struct branch_sums *sums, const struct sample_branches *branches, unsigned entries);

#endif
