/* SPDX-License-Identifier: BSD-2-Clause */
/* The report as text: what was run where, functions over all files, and core's views. */
#ifndef TOOLS_IBSPROF_REPORT_TEXT_H
#define TOOLS_IBSPROF_REPORT_TEXT_H

#include "core/view/view.h"
#include "tools/ibsprof/profile/measure.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/counters/pmc_run.h"
#include "tools/ibsprof/views/views.h"

enum { REPORT_VIEWS = 128 }; /* the compiled ones, and those of files */

/* Names what rows are, beside instructions, lines and functions; nothing else is shown then. */
enum report_list {
    REPORT_NO_LIST,
    REPORT_CORES,
    REPORT_MODULES,
    REPORT_PROCESSES,
    REPORT_THREADS,
    REPORT_FETCHES, /* from here on by address: report_addresses.h */
    REPORT_REGIONS,
    REPORT_PAGES,
    REPORT_CACHE_LINES,
    REPORT_OBJECTS,
    REPORT_LOADS,   /* report_loads.h */
    REPORT_CALLERS, /* from here on by call stack: report_calls.h */
    REPORT_CALLEES,
    REPORT_STACKS,
    REPORT_BRANCHES, /* of branch records: report_taken.h */
    REPORT_BLOCKS
};

struct report_options {
    const struct view *views[REPORT_VIEWS]; /* none: those of view_by_default(), as far as there are samples */
    unsigned view_count;
    const struct views *own_views; /* of files; NULL: none */
    bool all_views;                /* those that there are, of all */
    int level;                     /* enum profile_level; -1: instructions, then functions first of all */
    enum report_list list;         /* only this list */
    struct input *input;           /* what the profile was read from; for REPORT_PROCESSES, _THREADS */
    unsigned width;                /* columns of text */
    double min_percent;            /* functions and rows with less are not listed (our own runs: all are) */
    const char *object;     /* only this file's, by its name or the end of it; NULL: all that have a fair share */
    struct measure measure; /* what the list of functions is sorted by */
};

/* False, after a complaint, when what was asked for is not there. */
bool report_text(struct out_file *out, const struct run_profile *profile, const struct report_options *options);

/* Views and rows of counter or timer samples of one of our runs. */
void report_pmc_text(struct out_file *out, const struct pmc_run *run, const struct report_options *options);

/* Prints for each event whose periods vary a line on what its figures are; weighted: they are sums of periods, but
 * those of IBS samples. */
void report_periods(struct out *out, const struct run_profile *profile, const char *prefix, bool weighted);

/* How long the measured part of a run of ours took; nothing when 0: not known. What Linux' files say of time is in
 * info.
 */
void report_elapsed(struct out *out, uint64_t us, bool is_model);

/* The lines before the first table: also for other forms of text. */
void report_head(struct out *out, const struct run_profile *profile);

/* Functions, lines or instructions of all files with the samples of every event. */
void report_rows(struct out *out, const struct run_profile *profile, enum profile_level level,
                 const struct report_options *options);

/* Modules: the programs, libraries and parts of the kernel that the samples are in, and the events of each. */
void report_modules(struct out *out, const struct run_profile *profile, const struct report_options *options);
void report_modules_csv(struct out *out, const struct run_profile *profile, const struct report_options *options);

/* Processes, or threads by options.list: by number and name, which are those at the time of the sample. Reads
 * options.input again, from its begin. */
void report_processes(struct out *out, const struct run_profile *profile, const struct report_options *options);
void report_processes_csv(struct out *out, const struct run_profile *profile, const struct report_options *options);

/* Nodes and cores: samples, shares, ratios, latencies. */
void report_cores(struct out *out, const struct run_profile *profile);

/* Writes the cores as CSV: a row for each core, then one for each node, all derived events. */
void report_cores_csv(struct out *out, const struct run_profile *profile);

/* profile.csv's form for our runs; for Linux files the same with a column 'object' first, all sampled places, and
 * events that are no IBS after the derived ones. */
void report_csv(struct out *out, const struct run_profile *profile);

/* Writes the same events by function or line: object, rva, function, file, line, mode, workload before them; rows
 * sorted by the options' measure. */
void report_rows_csv(struct out *out, const struct run_profile *profile, enum profile_level level,
                     const struct report_options *options);

#endif
