/* SPDX-License-Identifier: BSD-2-Clause */
/* The report as text: which run it is, functions over all files, and core's views. */
#ifndef TOOLS_IBSPROF_REPORT_TEXT_H
#define TOOLS_IBSPROF_REPORT_TEXT_H

#include "core/view/view.h"
#include "tools/ibsprof/profile/measure.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/counters/pmc_run.h"
#include "tools/ibsprof/views/views.h"

enum { REPORT_VIEWS = 128 }; /* built-in views, and those from files */

/* Says what rows are, other than instructions, lines and functions; the report then has only this list. */
enum report_list {
    REPORT_NO_LIST,
    REPORT_CORES,
    REPORT_MODULES,
    REPORT_PROCESSES,
    REPORT_THREADS,
    REPORT_FETCHES, /* the next five are by address: report_addresses.h */
    REPORT_REGIONS,
    REPORT_PAGES,
    REPORT_CACHE_LINES,
    REPORT_OBJECTS,
    REPORT_LOADS,   /* report_loads.h */
    REPORT_CALLERS, /* the next three are by call stack: report_calls.h */
    REPORT_CALLEES,
    REPORT_STACKS,
    REPORT_BRANCHES, /* this and the next are from branch records: report_taken.h */
    REPORT_BLOCKS
};

struct report_options {
    const struct view *views[REPORT_VIEWS]; /* none: those of view_by_default() with samples */
    unsigned view_count;
    const struct views *own_views; /* from files; NULL: none */
    bool all_views;                /* all views with samples */
    int level;                     /* enum profile_level; -1: instructions, after functions */
    enum report_list list;         /* write only this list */
    struct input *input;           /* the profile's input, for REPORT_PROCESSES, _THREADS */
    unsigned width;                /* columns of text */
    double min_percent;            /* functions and rows with less are omitted, except in ibsboot runs */
    const char *object; /* only this file, by its name or the end of its path; NULL: all with a considerable share */
    struct measure measure; /* sorts the list of functions */
};

/* Returns false, after a complaint, if something that was asked for is missing. */
bool report_text(struct out_file *out, const struct run_profile *profile, const struct report_options *options);

/* Prints views and rows of counter or timer samples of an ibsboot run. */
void report_pmc_text(struct out_file *out, const struct pmc_run *run, const struct report_options *options);

/* Prints, for each event with varying periods, a line on the meaning of its figures; weighted: sums of periods, except
 * for IBS samples. */
void report_periods(struct out *out, const struct run_profile *profile, const char *prefix, bool weighted);

/* Prints the time of the measured part of an ibsboot run; nothing if 0, not known. 'ibsprof info' has the times of
 * Linux' files. */
void report_elapsed(struct out *out, uint64_t us, bool is_model);

/* Prints the lines before the first table, also for other forms of text. */
void report_head(struct out *out, const struct run_profile *profile);

/* Prints functions, lines or instructions of all files with samples of every event. */
void report_rows(struct out *out, const struct run_profile *profile, enum profile_level level,
                 const struct report_options *options);

/* Print modules: the programs, libraries and parts of the kernel with samples, and their events. */
void report_modules(struct out *out, const struct run_profile *profile, const struct report_options *options);
void report_modules_csv(struct out *out, const struct run_profile *profile, const struct report_options *options);

/* Print processes, or threads by options.list, with number and name at the time of the sample. Read options.input
 * again, from its start. */
void report_processes(struct out *out, const struct run_profile *profile, const struct report_options *options);
void report_processes_csv(struct out *out, const struct run_profile *profile, const struct report_options *options);

/* Prints nodes and cores: samples, shares, ratios, latencies. */
void report_cores(struct out *out, const struct run_profile *profile);

/* Writes the cores as CSV: a row for each core, then one for each node, all derived events. */
void report_cores_csv(struct out *out, const struct run_profile *profile);

/* Writes profile.csv's form for ibsboot runs; for Linux files with an additional first column 'object', all sampled
 * places, and other events than IBS after the derived ones. */
void report_csv(struct out *out, const struct run_profile *profile);

/* Writes these events by function or line, after object, rva, function, file, line, mode, workload; sorted by the
 * options' measure. */
void report_rows_csv(struct out *out, const struct run_profile *profile, enum profile_level level,
                     const struct report_options *options);

#endif
