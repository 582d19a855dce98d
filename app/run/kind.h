/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kind of measurement: the meaning of a configuration, how it measures, prints and saves. One row in its own file
 * (app/kinds); the linker collects the rows. docs/adding.md says how to add one.
 */
#ifndef APP_KIND_H
#define APP_KIND_H

#include "app/run/run.h"
#include "app/run/sequence.h"

/* Says how the kind uses the events of the task. */
enum kind_events { KIND_NO_EVENTS, KIND_SAMPLES_EVENTS, KIND_COUNTS_EVENTS };

/* Writes a CSV file of the run. */
typedef void kind_csv(struct out *out, const struct run *run);

/* All functions may be NULL. */
struct kind {
    /* Configuration; NULL: core's table has the configurations of this kind. */
    const char *name, *title, *explanation;

    sequence_step *step; /* selects configurations that each run separately; such a kind has no other functions */

    /* Kinds that are parts of this one: they measure one after the other, and print after its own output. */
    const struct kind *parts[TASK_KINDS_MAX - 1];
    bool ibs;      /* needs IBS */
    bool anywhere; /* needs neither IBS nor counters: runs on any processor */
    /* Replaces workloads of the list, on the boot core only; NULL: the user's workload. */
    const struct workload *workload;
    bool all_cores;   /* 'workload' runs on all cores, or on those that the user names */
    const char *uses; /* name of the list's workload that replaces the user's, with uses_params */
    uint32_t uses_params[WORKLOAD_PARAMS_MAX];

    enum kind_events events;
    bool names_events; /* the setting 'events' may name events, */
    bool all_events;   /* also by 'all' */
    bool slots;        /* reports shares of dispatch slots */
    /* Fills in the default events for the processors of the row; NULL: the user must name events. */
    void (*list_events)(struct event_list *list, const struct ibs_family *row, char revision);

    /* Prints what 'config NAME' adds to the explanation. */
    void (*explain)(struct out *out, const struct options *options);

    /* Takes memory and checks whether the kind can run here. Returns false after a line in 'problems'. */
    bool (*prepare)(struct run *run, const struct options *options, struct out *problems);
    void (*begins)(struct out *out, const struct run *run); /* prints before the first pass what good figures need */
    /* Returns the expected number of passes of measure(); a search that knows better calls passes_expect(). NULL: no
     * passes, or the kind reports its own progress. */
    unsigned (*passes)(const struct run *run);
    void (*measure)(struct run *run);  /* makes the passes */
    void (*conclude)(struct run *run); /* called when all kinds have measured */
    bool (*good)(const struct run *run);
    /* Returns about how many samples the passes will record. NULL: none, or unknown beforehand. */
    uint64_t (*expects)(const struct run *run);

    /* Print parts of the report: lines of "Run"; rows of "Samples", and notes on them; tables; lines of "Checks". */
    void (*settings)(struct out *out, const struct run *run);
    void (*samples)(struct out *out, const struct run *run);
    void (*notes)(struct out *out, const struct run *run);
    void (*tables)(struct out *out, const struct run *run);
    void (*checks)(struct out *out, const struct run *run);

    /* Write files: lines of run.ini, a CSV file. Samples are in perf.data. */
    void (*facts)(struct out *out, const struct run *run);
    const char *csv_name;
    kind_csv *csv;
    bool (*has_more_csv)(const struct run *run); /* returns whether the run has a second CSV file */
    const char *more_csv_name;
    kind_csv *more_csv;
    const char *cores_csv_name; /* CSV file for runs on several cores */
    kind_csv *cores_csv;

    /* Counts the instructions retired in one call of the workload, without those of interrupts. Returns false if they
     * were not counted. */
    bool (*retired)(const struct run *run, uint64_t *ret_count);
};

/* Row of the table of kinds. Its alignment equals its size, so that the linker puts the rows of all files next to each
 * other (linker.ld). */
struct kind_row {
    const struct kind *kind;
    unsigned order;
} __attribute__((aligned(16)));

/* Defines a kind that is a configuration. 'place' is its unique place in lists. The second symbol makes the linker
 * refuse two kinds with one place. */
#define KIND(identifier, place)                                                                                        \
    const struct kind identifier;                                                                                      \
    const char kind_order_##place = 0;                                                                                 \
    static const struct kind_row identifier##_row __attribute__((section("kind_rows"), used)) = {&identifier, place};  \
    const struct kind identifier

/* Kinds of core's table of configurations, which are also parts of others. */
extern const struct kind kind_ibs, kind_timer, kind_pmc, kind_count;

/* Returns the kind of the configuration of that name; NULL: none. */
const struct kind *kind_find(const char *config);

/* Prints that no configuration has that name, with the nearest one. */
void kind_not_found(struct out *out, const char *config);

/* Returns the configuration after this one in lists (NULL: the first); NULL: no more. */
const struct kind *kind_next(const struct kind *kind);

/* Iterates over the kinds that a run measures. */
#define EACH_KIND(at, run)                                                                                             \
    const struct kind *const *at = (run)->task.kinds;                                                                  \
    *at;                                                                                                               \
    at++

/* Returns whether the kind brings its own workload, of which nothing is printed. */
static inline bool kind_has_own_workload(const struct run *run)
{
    return run->task.kinds[0]->workload || run->task.kinds[0]->uses;
}

/* Return arena size and work of the stand-in for a workload in such a kind: one page, and one piece. */
size_t kind_one_page(const uint32_t *params);
uint64_t kind_one_piece(const uint32_t *params);

/* Returns whether some kind of the run records samples. */
bool kind_has_samples(const struct run *run);

#endif
