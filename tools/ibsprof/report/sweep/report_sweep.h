/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One workload over a parameter: the latency of its loads, from IBS DcMissLat alone, against the parameter that differs
 * between the runs. Of pointer-chase over 'kb' that is the staircase of the memory hierarchy.
 *
 * The load is one instruction, the same in all runs: that which waited longest for data in all of them together (of
 * equals, and where none waited, that with the most samples). A load that hit the data cache has no miss
 * latency: it counts as 0 cycles, below all that missed. Percentiles are those of the samples themselves, not of bins.
 */
#ifndef TOOLS_IBSPROF_REPORT_SWEEP_H
#define TOOLS_IBSPROF_REPORT_SWEEP_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/profile/profile.h"
#include "tools/ibsprof/read/run_folder.h"

enum { SWEEP_QUANTILES = 3 }; /* 10 %, 50 %, 90 % */

struct sweep_point {
    char *path;
    double x;
    uint32_t series;
    uint64_t loads; /* of the instruction */
    uint32_t cycles[SWEEP_QUANTILES];
    uint64_t by_source[SOURCES];
    uint32_t median_of[SOURCES]; /* of the loads that this source answered */
    enum data_source most;       /* answered the most of them */
    unsigned source_count;       /* sources that the processor may name */
};

/* Neighbouring points of one series whose loads come from the same source. */
struct sweep_level {
    uint32_t series;
    enum data_source source;
    double from, to; /* of the parameter */
    uint32_t median; /* of the points' medians */
    double missed;   /* share of the loads that missed */
};

struct sweep {
    char workload[64], against[32];
    bool is_model;
    char cpu[64];
    uint64_t load; /* the instruction's place in the file that was mapped; of the image, its address in listings */
    char **series; /* "", or what else differs: "memory = remote" */
    uint32_t series_count;
    struct sweep_point *points; /* by series, then ascending */
    uint32_t count;
    unsigned source_count; /* the most of them */
    struct sweep_level *levels;
    uint32_t level_count;
};

/* against NULL: the parameter that differs ("kb" when several do). NULL, after a complaint, when the runs are not of
 * one workload, or nothing differs, or one has no loads. */
struct sweep *sweep_read(const struct run_list *list, const char *against);
void sweep_free(struct sweep *sweep);

extern const struct document sweep_document; /* of a struct sweep */

#endif
