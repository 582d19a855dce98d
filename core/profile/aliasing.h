/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does the sampling alias with the code? A self check that needs no reference.
 *
 * In a straight-line block every instruction executes equally often. When dispatched ops are counted, each macro-op of
 * the block must therefore be sampled equally often, up to chance. With a fixed period and nothing else on the machine
 * a loop is sampled at the same few ops instead. Per basic block of the code map the samples are compared with the
 * expectation (proportional to macro-ops) by chi-square. Over all blocks:
 *
 *   chi2/df     about 1 when the sampling is fair; else it grows with the number of samples
 *   dispersion  sqrt((chi2 - df) / samples): root mean square deviation from the expectation, relative to it, whatever
 *               the number of samples. Linux saw single ops 45.8 % off with a poor and 2.4 % off with a good
 *               randomisation (commit 0f4cd769c410, arithmetic from its figures); a fixed period gives over 100 %.
 *
 * "Aliased" needs both: certain (chi2 above what chance reaches once in a million runs, stats_chi2_certain()) and large
 * (dispersion at least 25 %).
 *
 * Left out: VectorPath and REP instructions (their number of ops is not known), blocks of one instruction, and blocks
 * with an expected count below 5 at any instruction (Cochran's rule). Blocks end at branches and start at targets of
 * direct branches. Targets of jump tables are not in the code map, so code with switch statements may look dispersed.
 *
 * When core clocks are counted instead, stalls make the ops of a block differ by nature: the figures show that bias,
 * and there is no verdict.
 */
#ifndef CORE_ALIASING_H
#define CORE_ALIASING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/profile/profile.h"

struct aliasing {
    uint64_t samples;        /* in the blocks that were tested */
    uint32_t blocks;         /* tested blocks */
    uint32_t insns;          /* in them */
    uint32_t df;             /* degrees of freedom: insns - blocks */
    uint32_t silent;         /* instructions of these blocks without any sample */
    uint64_t chi2_milli;     /* sum of chi-square, thousandths */
    uint32_t dispersion_ppm; /* relative, parts per million; 0 when chi2 <= df */
    bool ops_counted;        /* as given */
    bool aliased;            /* verdict; always false unless ops_counted */
    /* the block with the largest chi-square */
    uint32_t worst_first, worst_last; /* instructions */
    uint32_t worst_top;               /* the instruction with the most samples for its macro-ops there ... */
    uint64_t worst_top_samples;       /* ... and how many of ... */
    uint64_t worst_samples;           /* ... the block's samples it holds */
    uint32_t worst_silent;            /* instructions of the block without any sample */
};

/* Tests a profile. ops_counted: IbsOpCntCtl was 1. */
void aliasing_check(struct aliasing *result, const struct profile *profile, bool ops_counted);

/* Prints one line when all is well ("Op samples within basic blocks: ..."), a WARNING of a few lines when aliased. */
void aliasing_print(struct out *out, const struct aliasing *result, const struct profile *profile);

/* Returns whether the instruction starts a basic block. Walks the map: for tests and listings, not for inner loops. */
bool aliasing_block_starts(const struct codemap *map, uint32_t insn);

#endif
