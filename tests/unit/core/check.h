/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers of the tests of core/: cmocka, a small code map with samples, golden files. */
#ifndef TESTS_UNIT_CORE_CHECK_H
#define TESTS_UNIT_CORE_CHECK_H

#include "tests/unit/test.h"
#include "core/ibs/codemap.h"
#include "core/ibs/record.h"
#include "core/profile/profile.h"

/* A hand-made map of three functions: 'setup' (no samples), 'multiply_matrices' (a loop in x87 code) and 'clear' (REP
 * and VectorPath). */
extern const struct codemap small_map;

enum {
    SMALL_BASE = 0x7E000000, /* run-time address of RVA 0 in these tests */
    SMALL_SETUP = 0,         /* index of a function's first instruction */
    SMALL_MULTIPLY = 3,
    SMALL_LOOP = 5, /* first instruction of the loop's body, a block of 7 instructions */
    SMALL_FMUL = 8,
    SMALL_COMPARE = 12, /* first instruction of the loop's test, a block of 2 instructions */
    SMALL_RET = 14,
    SMALL_CLEAR = 15,
    SMALL_INSNS = 19,
};

/* Holds a profile of small_map. */
extern uint64_t small_memory[4096];

struct profile small_profile(void);

/* Make samples: count ops or fetches at the instruction plus offset bytes. */
struct sample_record op_record(uint32_t insn, unsigned offset, uint64_t data, uint64_t data2, uint64_t data3);
struct sample_record fetch_record(uint32_t insn, unsigned offset, uint64_t ctl);
void add_many(struct profile *profile, struct sample_record record, unsigned count);

/* Adds samples of a run like the one in the IBS paper, with the paper's figures at fld, fmul, fadd and at the loop's
 * branch. */
void add_paper_run(struct profile *profile);

/* Return a square root and a distance as references in floating point, without another library. */
double root_of(double x);
double distance_of(double a, double b);

/* Compares text with tests/unit/core/golden/<name>. With REBASE=1 in the environment the function rewrites a file that
 * differs; the test program still fails, so that a forgotten REBASE hides nothing. Look at the difference with git
 * before you commit it. */
void check_golden(const char *name, const char *text);

/* Returns the golden file's text, which the caller frees; "" if there is no file. */
char *golden_text(const char *name);

struct pmc_profile;
struct event_group;

/* Calls pmc_profile_ran() for all events of a run, with equal slices: for each event once per group that contains it,
 * for the timer always. With re-runs: once per run with the one group; with multiplexing: once per run with all
 * groups. */
void ran_groups(struct pmc_profile *profile, const struct event_group *groups, unsigned count);

/* Makes one run in which all events and the timer were counted all the time. */
void all_ran(struct pmc_profile *profile);

#endif
