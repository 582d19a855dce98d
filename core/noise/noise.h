/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noise: how much of a processor's time somebody else took, from gaps between readings of the time-stamp counter.
 *
 * A loop that does nothing but read the TSC (noise/loops.h) leaves a trace: each pair of readings further apart than a
 * threshold is a detour, time that the loop did not have. What stops a loop so is not visible to it: interrupts, other
 * processes, SMIs, a hypervisor, refresh of memory. Here the trace becomes figures: detours a second, the fraction of
 * time lost, the longest ones with their times, a histogram, the periods at which detours come, and, where there was
 * none, how rare they must be.
 *
 * Two thresholds, so that results can be laid beside others': nine times the usual gap (T. Hoefler, T. Schneider, A.
 * Lumsdaine, "Characterizing the Influence of System Noise on Large-Scale Applications by Simulation", SC10: the
 * selfish detour benchmark of Netgauge, after P. Beckman et al. 2006), and 1 us (rtla hwnoise, Linux
 * Documentation/tools/rtla).
 *
 * Use: fill the thresholds by noise_thresholds(), run the loop for as long as is wanted,
 * noise_analyse(), print. The Linux twin does that in tools/workloads/noise.c; in the image a regime (interrupts on,
 * off, all off) is what is around the same calls. Integers only; memory is the caller's.
 */
#ifndef CORE_NOISE_H
#define CORE_NOISE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"

enum noise_threshold { NOISE_NINE, NOISE_MICROSECOND, NOISE_THRESHOLDS };

enum {
    NOISE_BINS = 64,
    NOISE_TOP = 20,
    NOISE_PERIODS = 4,
    NOISE_EVENTS_MAX = 16384, /* detours that are searched for periods */
    NOISE_NEIGHBOURS = 64,    /* detours after each that it is paired with */
    NOISE_STEPS = 128,        /* steps of the logarithmic scale of distances, per power of two */
};

/* Names what a detour was, where somebody can tell (struct noise_trace's witness). */
enum noise_cause {
    NOISE_NOT_ASKED, /* there was no witness: Linux does not let its programs see */
    NOISE_UNKNOWN,   /* none of those below: hardware (refresh, a hypervisor, throttling) or what is not counted here */
    NOISE_SMI,
    NOISE_NMI,
    NOISE_INTERRUPT, /* or, where NMIs are not counted by themselves, one of those */
    NOISE_PSTATE,    /* the P-state was another one after it */
    NOISE_CAUSES,
};

struct noise_gap {
    uint64_t at;    /* the reading before it */
    uint64_t ticks; /* to the one after it */
    uint32_t cause; /* enum noise_cause */
};

/* Holds what the detour loop fills. All times are TSC ticks. */
struct noise_trace {
    struct noise_gap *gap; /* detours of the smaller threshold, the first ones; the caller's memory */
    uint32_t capacity;
    uint32_t kept;                        /* of them; less than count when there was no room */
    uint64_t threshold[NOISE_THRESHOLDS]; /* the caller's: a gap of this many ticks or more is a detour */
    uint64_t usual;                       /* noise_thresholds(): a gap without a detour */
    uint64_t start, stop;                 /* first and last reading */
    uint64_t reads;
    uint64_t count[NOISE_THRESHOLDS]; /* detours, kept or not */
    uint64_t ticks[NOISE_THRESHOLDS]; /* the sum of their gaps */
    uint64_t bins[NOISE_BINS];        /* of the smaller threshold: gaps of 2^i to 2^(i+1) - 1 ticks */
    struct noise_gap largest;
    uint64_t backwards; /* readings lower than the one before (another processor's TSC): no gap */

    /* Returns a detour's cause; NULL: none. The caller's; called right after each detour. Its time is no detour, but
     * unwatched. */
    enum noise_cause (*witness)(void *context);
    void *context;
    uint64_t by_cause[NOISE_CAUSES]; /* detours, kept or not; as bins, of the smaller threshold */
    uint64_t blind;                  /* ticks in the witness */
};

/* Detours that come again and again after the same time. */
struct noise_period {
    uint64_t nanoseconds; /* the mean of the distances between neighbours */
    uint64_t milli_hz;
    uint32_t detours;  /* detours in time, less those by chance; at most 'expected' */
    uint32_t expected; /* detours if none were missing */
};

struct noise_class {
    uint64_t threshold_ns;
    uint64_t count;
    uint64_t milli_per_second;
    uint64_t lost_ppb; /* of the time: each detour's gap but for a usual one, in 1e-9 */
    /* Upper bound of detours a second when there were none, at 95 % confidence, in 1e-6; else 0. The rule of three:
     * none in T seconds, so fewer than 3/T (J. Hanley, A. Lippman-Hand, JAMA 249, 1983). */
    uint64_t bound_micro;
};

struct noise_result {
    uint64_t duration_ns, reads, backwards;
    uint64_t usual_ps; /* gap without a detour */
    uint32_t tsc_khz;
    struct noise_class by[NOISE_THRESHOLDS];
    uint64_t bins[NOISE_BINS];       /* as in the trace */
    struct noise_gap top[NOISE_TOP]; /* the longest of those kept, in nanoseconds, from the start; longest first */
    uint32_t tops;
    uint64_t not_kept;
    bool witnessed;
    uint64_t by_cause[NOISE_CAUSES]; /* as in the trace */
    uint64_t blind_ns;
    struct noise_period period[NOISE_PERIODS];
    unsigned periods;
};

/* Room for the search for periods. */
struct noise_scratch {
    uint64_t at[NOISE_EVENTS_MAX];
    bool member[NOISE_EVENTS_MAX];
    uint32_t step[64 * NOISE_STEPS];
};

/* Sets the usual gap and the thresholds from some thousand gaps (noise_gap_loop()). The usual gap is the median, which
 * a detour among them does not move. (The benchmark takes the minimum. Some processors' TSC counts in steps of tens of
 * ticks and adds one to a reading that would repeat the last, so that their minimum is 1 tick.) tsc_khz: not 0. */
void noise_thresholds(struct noise_trace *trace, const uint64_t *gap, uint32_t count, uint32_t tsc_khz);

void noise_analyse(struct noise_result *result, const struct noise_trace *trace, uint32_t tsc_khz,
                   struct noise_scratch *scratch);

/* Finds periods of 'count' detours, in the order of their times (nanoseconds), over a run of duration_ns. Returns
 * their number, at most NOISE_PERIODS; the shortest is found first. At least half of a period's expected detours come
 * in time, and chance would not do that. scratch->at holds the times, at most NOISE_EVENTS_MAX, and is used up. */
unsigned noise_periods(struct noise_period *period, struct noise_scratch *scratch, uint32_t count,
                       uint64_t duration_ns);

/* Returns a cause's name: "SMI", "NMI", ...; "" for NOISE_NOT_ASKED. */
const char *noise_cause_name(uint32_t cause);

/* Returns 100, 250, 300 or 1000 when a Linux kernel built with that HZ would tick so (Linux kernel/Kconfig.hz), else
 * 0. */
unsigned noise_tick_hz(const struct noise_period *period);

/* ---------------------------------------------------------------- fixed work quantum */

/* Holds the times of one piece of work that is done again and again (noise/loops.h); M. Sottile, R. Minnich, "Analysis
 * of microbenchmarks for performance tuning of clusters", Cluster 2004. */
struct noise_quanta {
    uint64_t count, least, most, sum; /* ticks */
    uint64_t lost_ppb;                /* sum of (t - least) / sum of t */
    uint64_t spread_ppm;              /* (most - least) / least */
    uint64_t late[NOISE_BINS]; /* quanta that took 2^i to 2^(i+1) - 1 ticks more than the least; bin 0: 0 and 1 */
};

void noise_analyse_quanta(struct noise_quanta *result, const uint64_t *ticks, uint64_t count);

/* ---------------------------------------------------------------- text (core/noise/noise_print.c) */

void noise_print(struct out *out, const struct noise_result *result);
void noise_print_quanta(struct out *out, const struct noise_quanta *result, uint32_t tsc_khz);

/* ---------------------------------------------------------------- files (core/noise/noise_facts.c) */

/* Write a regime's figures ("alone", "linux") as facts of run.ini (core/run/facts.h), and those of its fixed work. */
void noise_write_facts(struct out *out, const char *regime, const struct noise_result *result,
                       const struct noise_trace *trace);
void noise_write_quanta_facts(struct out *out, const char *regime, const struct noise_quanta *quanta);

/* Writes rows of noise.csv, one for each detour of a regime that was kept, after the header line. */
#define NOISE_CSV_HEADER "regime,start_ns,length_ns,cause\n"
void noise_write_rows(struct out *out, const char *regime, const struct noise_trace *trace, uint32_t tsc_khz);

#endif
