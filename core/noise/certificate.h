/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The noise certificate of a run: what else took the processor while the workload was measured. One judgement for the
 * image's report and for ibsprof, which reads the figures from the facts of run.ini.
 *
 *   PASS   looked at, and nothing there
 *   NOTE   something there that the reader should know of
 *   FAIL   samples outside of workload and profiler: something else ran
 *   ""     not a matter of good or bad, or not available, with the reason
 */
#ifndef CORE_CERTIFICATE_H
#define CORE_CERTIFICATE_H

#include <stdbool.h>

#include "core/noise/noise.h"

/* Names what a processor counts (drivers/pmu/witness.h). */
enum witness_what {
    WITNESS_SMIS,       /* performance event 02Bh */
    WITNESS_INTERRUPTS, /* performance event 0CFh: hardware interrupts taken, NMIs among them */
    WITNESS_NMIS,       /* taken by our handler; only while a session's tables are in force */
    WITNESS_STRAYS,     /* maskable interrupts that came although they were off; the same */
    WITNESS_APERF,      /* clocks at the actual frequency, while not halted */
    WITNESS_MPERF,      /* clocks at the highest nominal one, likewise */
    WITNESS_CLOCKS,     /* performance event 076h: where there are no APERF and MPERF, to compare with */
    WITNESS_TSC,        /* the TSC */
    WITNESS_DMA,        /* performance event 0E9h: requests of devices to this node's memory */
    /* Outside of the cores (drivers/pmu/outer.h), for all that share the unit; bytes, microjoules. */
    WITNESS_L3,        /* requests to the L3 of the core complex */
    WITNESS_L3_MISSES, /* of these, misses */
    WITNESS_DRAM,      /* to and from memory, by up to four of its channels */
    WITNESS_DRAM_READ, /* where directions are told apart, and all channels counted */
    WITNESS_DRAM_WRITTEN,
    WITNESS_ENERGY_CORE,
    WITNESS_ENERGY,    /* of the processor */
    WITNESS_PSTATE,    /* of the core; 0: the fastest that is not boosted */
    WITNESS_LIMIT,     /* fastest P-state allowed at the moment */
    WITNESS_BOOST_OFF, /* 1: core performance boost is disabled */
    WITNESS_ROWS,
};

/* Returns a name: "SMIs", "interrupts", ...; NULL for counts outside of the cores. */
const char *witness_name(enum witness_what what);

enum { CERTIFICATE_GAPS = 5, CERTIFICATE_VALUE_MAX = 239 };

struct certificate_gap {
    uint64_t ns;
    uint64_t tsc;
    uint32_t pass;  /* from 0 */
    bool after;     /* after the measured part, not before it */
    uint32_t cause; /* enum noise_cause */
};

/* Stands for a reason when a file gives none; it makes no row. */
extern const char certificate_not_told[];

/* Certifies a core. Sums are over its passes that ended. */
struct certificate_core {
    uint32_t core;
    uint32_t begun, ended;             /* passes */
    const char *why_not[WITNESS_ROWS]; /* NULL: it was read */
    uint64_t sum[WITNESS_ROWS];
    uint64_t measured_us;                             /* all measured parts; 0: not told */
    uint32_t tsc_khz;                                 /* 0: not known */
    uint64_t first[WITNESS_ROWS], last[WITNESS_ROWS]; /* rows from WITNESS_PSTATE on: at the start, at the end */
    /* NMIs of the whole run: empty, late, and of the chipset. */
    bool nmis_told, each_brings; /* each_brings: this sampling makes no empty NMIs */
    uint64_t empty, late, foreign;
    /* Gaps between readings of the TSC, around the measured parts. */
    const char *no_loop; /* why they were not looked for, or NULL */
    uint64_t gaps, by_cause[NOISE_CAUSES], reads, looked_us;
    uint64_t gap_ns;                              /* threshold of a gap; 0: not told */
    struct certificate_gap gap[CERTIFICATE_GAPS]; /* the longest, longest first */
    uint32_t gaps_shown;
    uint64_t tsc_start, tsc_stop; /* of the measured part of the last pass; 0: not told */
};

/* Certifies all cores. */
struct certificate_run {
    bool sampled;             /* edges and elsewhere are known */
    uint64_t edges;           /* samples on the rest of this program, which starts and stops the measurement */
    uint64_t elsewhere;       /* samples on anything else; there must be none */
    const char *why_no_count; /* NULL: surplus is known */
    int64_t surplus;          /* instructions retired beyond those that the workload's row states */
};

/* ---------------------------------------------------------------- the judgement */

enum certificate_verdict { CERTIFICATE_NONE, CERTIFICATE_PASS, CERTIFICATE_NOTE, CERTIFICATE_FAIL };
const char *certificate_verdict_name(enum certificate_verdict verdict); /* "", "PASS", ... */

struct certificate_row {
    enum certificate_verdict verdict;
    char what[64];                         /* "": the value is a sentence */
    char value[CERTIFICATE_VALUE_MAX + 1]; /* may have several lines, with '\n' between */
};

/* Takes the rows, in their order. */
struct certificate_sink {
    void (*take)(struct certificate_sink *sink, const struct certificate_row *row);
};

void certificate_judge_run(const struct certificate_run *run, struct certificate_sink *sink);
void certificate_judge_core(const struct certificate_core *core, struct certificate_sink *sink);

/* Judges frequency, P-state and boost alone. */
void certificate_judge_clock(const struct certificate_core *core, struct certificate_sink *sink);

/* Returns the upper bound of the rate of gaps when none was observed, in thousandths per second, at 95 % confidence;
 * else 0. The rule of three (Hanley and Lippman-Hand, JAMA 249, 1983). */
uint64_t certificate_bound_milli(const struct certificate_core *core);

/* ---------------------------------------------------------------- facts (core/run/facts.h) */

void certificate_write_run(struct out *out, const struct certificate_run *run);

/* 'core' as in "[core.CORE.]". */
void certificate_write_core(struct out *out, const struct certificate_core *of, int core);

#endif
