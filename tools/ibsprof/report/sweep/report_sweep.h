/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One workload over a parameter: the latency of its loads, only from IBS DcMissLat, against the parameter that differs
 * between the runs. With pointer-chase over 'kb' it shows the steps of the memory hierarchy.
 *
 * The load is one instruction, the same in all runs: the one that waited longest for data in all of them together
 * (among equals, or if none waited, the one with the most samples). A load that hit the data cache has no miss
 * latency: it counts as 0 cycles, below all that missed. Percentiles are those of the samples, not of bins.
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
    uint64_t loads; /* samples of the instruction */
    uint32_t cycles[SWEEP_QUANTILES];
    uint64_t by_source[SOURCES];
    uint32_t median_of[SOURCES]; /* for loads answered by this source */
    enum data_source most;       /* source that answered the most loads */
    unsigned source_count;       /* number of sources that the processor may report */
};

/* Neighbouring points of one series with the same source. */
struct sweep_level {
    uint32_t series;
    enum data_source source;
    double from, to; /* range of the parameter */
    uint32_t median; /* median of the points' medians */
    double missed;   /* share of loads that missed */
};

struct sweep {
    char *workload, against[32];
    bool is_model;
    char cpu[64];
    uint64_t load; /* offset of the instruction in the mapped file; for the image, its address in listings */
    char **series; /* "", or further differences: "memory = remote" */
    uint32_t series_count;
    struct sweep_point *points; /* by series, then ascending by x */
    uint32_t count;
    unsigned source_count; /* largest of all points */
    struct sweep_level *levels;
    uint32_t level_count;
};

/* Reads a sweep. against NULL: the parameter that differs ("kb" if several do). Returns NULL, after a complaint, if the
 * runs have several workloads, or nothing differs, or one has no loads. */
struct sweep *sweep_read(const struct run_list *list, const char *against);
void sweep_free(struct sweep *sweep);

extern const struct document sweep_document; /* for a struct sweep */

#endif
