/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kind of measurement: what a configuration asks for, measures, prints and saves. One row in its own file
 * (app/kinds); the linker collects the rows. docs/adding.md says how to add one.
 */
#ifndef APP_KIND_H
#define APP_KIND_H

#include "app/run/run.h"
#include "app/run/sequence.h"

/* Says what the events of the task are for. */
enum kind_events { KIND_NO_EVENTS, KIND_SAMPLES_EVENTS, KIND_COUNTS_EVENTS };

/* Writes a CSV file of the run. */
typedef void kind_csv(struct out *out, const struct run *run);

/* All functions may be NULL. */
struct kind {
    /* The configuration; NULL: core's table has those of this kind. */
    const char *name, *title, *explanation;

    sequence_step *step; /* it stands for other configurations, each a run of its own; it has nothing else then */

    /* Other kinds that are parts of it: measured one after the other, and printed after its own output. */
    const struct kind *parts[TASK_KINDS_MAX - 1];
    bool ibs;                        /* needs IBS */
    bool anywhere;                   /* needs neither IBS nor counters: any processor will do */
    const struct workload *workload; /* instead of one of the list's, and on the boot core only; NULL: the user's */
    bool all_cores;                  /* with such a workload: on all cores, or on those that the user names */
    const char *uses;                /* the same by the name of one of the list's, with these parameters */
    uint32_t uses_params[WORKLOAD_PARAMS_MAX];

    enum kind_events events;
    bool names_events; /* the setting 'events' may name them, */
    bool all_events;   /* by 'all' too */
    bool slots;        /* shares of dispatch slots */
    /* Lists the events of the row's processors, else; NULL: they must be named. */
    void (*list_events)(struct event_list *list, const struct ibs_family *row, char revision);

    /* Prints what 'config NAME' adds to the explanation. */
    void (*explain)(struct out *out, const struct options *options);

    /* Memory, and whether it can run here; false after a line in 'problems'. */
    bool (*prepare)(struct run *run, const struct options *options, struct out *problems);
    void (*begins)(struct out *out,
                   const struct run *run); /* says what the run should have, before anything is measured */
    /* Returns how many passes measure() will make, as far as is known before; a search that knows better calls
     * passes_expect(). NULL: none, or it tells itself how far it is. */
    unsigned (*passes)(const struct run *run);
    void (*measure)(struct run *run);  /* its passes */
    void (*conclude)(struct run *run); /* when all kinds have measured */
    bool (*good)(const struct run *run);
    /* Returns about how many samples the passes will record. NULL: none, or nothing tells beforehand. */
    uint64_t (*expects)(const struct run *run);

    /* Parts of the report: lines of "Run"; rows of "Samples", and notes on them; tables; lines of
     * "Checks". */
    void (*settings)(struct out *out, const struct run *run);
    void (*samples)(struct out *out, const struct run *run);
    void (*notes)(struct out *out, const struct run *run);
    void (*tables)(struct out *out, const struct run *run);
    void (*checks)(struct out *out, const struct run *run);

    /* Files: lines of run.ini, a CSV file. Samples are in perf.data. */
    void (*facts)(struct out *out, const struct run *run);
    const char *csv_name;
    kind_csv *csv;
    bool (*has_more_csv)(const struct run *run); /* one more where it says so */
    const char *more_csv_name;
    kind_csv *more_csv;
    const char *cores_csv_name; /* one more where several cores worked */
    kind_csv *cores_csv;

    /* Instructions retired in one call of the workload, without those of interrupts; false: not counted. */
    bool (*retired)(const struct run *run, uint64_t *ret_count);
};

/* A row of the table of kinds. Aligned to its size, so that the linker puts the rows of all files next to each other
 * (linker.ld). */
struct kind_row {
    const struct kind *kind;
    unsigned order;
} __attribute__((aligned(16)));

/* Defines a kind that is a configuration. 'place' is a number: its place in lists, of which each has one. The second
 * symbol has no use but that two kinds of one place do not link. */
#define KIND(identifier, place)                                                                                        \
    const struct kind identifier;                                                                                      \
    const char kind_order_##place = 0;                                                                                 \
    static const struct kind_row identifier##_row __attribute__((section("kind_rows"), used)) = {&identifier, place};  \
    const struct kind identifier

/* The kinds of core's table of configurations, which are also parts of others. */
extern const struct kind kind_ibs, kind_timer, kind_pmc, kind_count;

/* The kind of the configuration of that name, or NULL. */
const struct kind *kind_find(const char *config);

/* Prints the line for a name that no configuration has, with the nearest one. */
void kind_not_found(struct out *out, const char *config);

/* The kind that comes after this one in lists (NULL: the first), of those that are a configuration; NULL: no more. */
const struct kind *kind_next(const struct kind *kind);

/* Iterates over the kinds that a run measures. */
#define EACH_KIND(at, run)                                                                                             \
    const struct kind *const *at = (run)->task.kinds;                                                                  \
    *at;                                                                                                               \
    at++

/* The workload is not the user's: nothing is said of it. */
static inline bool kind_has_own_workload(const struct run *run)
{
    return run->task.kinds[0]->workload || run->task.kinds[0]->uses;
}

/* The arena and the work of what stands for a workload in such a kind: one page, and one piece. */
size_t kind_one_page(const uint32_t *params);
uint64_t kind_one_piece(const uint32_t *params);

/* True when some kind of the run records samples. */
bool kind_has_samples(const struct run *run);

#endif
