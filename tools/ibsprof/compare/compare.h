/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two sets of runs, side by side: which instructions, rates and latencies differ, and which are shown to be the same.
 *
 *   compare_align   runs to cells: instructions by function and offset, and what was counted of each in each run
 *   compare_judge   cells to items with intervals and verdicts, and one verdict over all (stat_*.h has the statistics)
 *   compare_silicon how firmware has set up the processors, which comes before anything that samples show
 *   compare_sides   what else differs: machine, settings, periods; and what makes a comparison doubtful
 *
 * None of these reads or writes files; cmd_compare.c does, and compare_text.c and its kind write.
 */
#ifndef TOOLS_IBSPROF_COMPARE_H
#define TOOLS_IBSPROF_COMPARE_H

#include <stdio.h>

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/profile/profile.h"
#include "tools/ibsprof/stat/stat_table.h"
#include "tools/ibsprof/stat/stat_verdict.h"

enum { SIDE_A, SIDE_B, SIDES };
enum { COMPARE_WHOLE = UINT32_MAX }; /* place number of the whole workload */

struct compare_run {
    const char *path;
    struct input *input; /* NULL in tests */
    struct run_profile *profile;
    bool partial;                  /* the file is incomplete */
    const char *copy_of;           /* path of an earlier run with the same samples; NULL: none */
    struct run_profile *halves[2]; /* alternate slices of time of a side's only run; otherwise NULL */
};

struct compare_map {
    const char *a, *b; /* function b of side B corresponds to a of side A */
};

struct compare_options {
    double level;              /* of intervals; 0.95. 1 - level is also the rate of false discoveries and of wrong
                                  "equivalent" */
    double power;              /* power for "samples needed"; 0.8 */
    struct stat_margin margin; /* 0.005 and 0.05 */
    double rate_margin;        /* margin of rates, 0..1, whatever their size; below 0: use stat_rate_margin */
    const char *event;         /* "op", "fetch", or an event's name; NULL: the first of these that all runs have */
    const struct compare_map *maps;
    uint32_t map_count;
    bool force_code; /* continue if code bytes differ */
    bool all;        /* text: also list what does not differ */
    uint32_t permutations, resamples;
    uint32_t seed;
    uint64_t (*code_hash)(const struct object *object, uint64_t start, uint64_t size); /* object_code_hash */
};

/* ---------------------------------------------------------------- columns */

enum compare_column_kind { COLUMN_SHARE, COLUMN_WORK, COLUMN_RATE, COLUMN_QUANTILE };

struct compare_column {
    const char *key;   /* "dc_miss" */
    const char *title; /* "DC miss rate of loads" */
    enum compare_column_kind kind;
    uint8_t of;                   /* COLUMN_RATE, enum sample_kind: population of the rate */
    enum derived above[2], below; /* COLUMN_RATE: (above[0] + above[1]) / below; DERIVED_COUNT: none */
    double quantile;
};
extern const struct compare_column compare_columns[];
extern const uint32_t compare_column_count;
struct comparison;
bool compare_has(const struct comparison *c, uint32_t column); /* the processors of all runs have its events */
enum { COMPARE_SHARE = 0, COMPARE_WORK = 1 };                  /* indices in the table */

/* ---------------------------------------------------------------- cells */

struct compare_place {
    char *function;     /* NULL: all places too rare to be judged separately */
    const char *object; /* in the first run that has the place */
    uint64_t offset;    /* in the function; without a function, address in the object */
    uint64_t rva[SIDES];
    const char *text; /* disassembled, or "" */
    const char *file; /* source file; NULL: not known */
    uint32_t line;
    bool seen[SIDES]; /* the side has samples there */
};

/* Samples outside of the workload. */
struct compare_outside {
    char *label; /* "kernel: [kernel.kallsyms]" */
    double samples[SIDES];
};

/* A function with samples on only one side. */
struct compare_one_sided {
    const char *function, *object;
    uint32_t side;
    double samples;
};

struct compare_note {
    char *text;
    bool warning;
};

struct compare_setting {
    char *name, *a, *b;
};

/* ---------------------------------------------------------------- the result */

struct compare_item {
    uint32_t place, column;
    double a, b, low_a, high_a, low_b, high_b; /* shares and rates: 0..1; work: per unit; quantiles: cycles */
    double difference, low, high;              /* b - a */
    double log2_ratio, log2_low, log2_high;
    double n_a, n_b;     /* number of underlying samples: all, loads, branches, misses */
    double phi_a, phi_b; /* design effects */
    double p_value, q;
    double margin; /* margin of equivalence, in the unit of a */
    double factor; /* factor by which the samples must grow to show equivalence */
    bool equivalent;
    enum stat_verdict verdict;
};

struct comparison {
    const struct compare_options *options;
    struct compare_run *runs[SIDES];
    uint32_t run_count[SIDES];
    uint32_t copy_count[SIDES]; /* runs after run_count that are copies, and not counted */
    uint32_t shared;            /* number of recordings on both sides */
    const char *figures[SIDES]; /* input_figures of the first run that has any; NULL: all are from silicon */
    const char *event;
    uint32_t kind;         /* enum sample_kind: columns of IBS need op or fetch */
    const char *work_unit; /* NULL: some side's work is not known */

    struct compare_place *places;
    uint32_t place_count, rare_count; /* rare_count: number of sampled instructions in the last place */
    double *x[SIDES], *n[SIDES];      /* shares: [run * place_count + place], [run] */
    struct stat_side shares[SIDES];
    struct stat_estimate *estimates[SIDES];
    double *x_halves[SIDES], n_halves[SIDES][2]; /* halves of a side's only run: [half * place_count + place] */
    double *values[SIDES]; /* other columns: [(run * columns + column) * 2 + above or below) * place_count + place] */
    uint32_t **latency[SIDES]; /* [run * place_count + place]: [LATENCY_BINS]; NULL: none */
    double work[SIDES];        /* units of work of all runs; 0: not known */
    double *exposure[SIDES]; /* [run]: units of work divided by the mean period: so many samples are one op per unit */

    struct compare_one_sided *one_sided;
    uint32_t one_sided_count;
    struct compare_outside *outside;
    uint32_t outside_count;
    struct stat_estimate outside_share[SIDES];
    struct stat_difference outside_difference;
    uint64_t lost[SIDES], throttled[SIDES];

    struct compare_times *times;             /* compare_time.h; NULL: not read */
    struct compare_exploration *exploration; /* compare_explore.h; NULL: not all runs are explorations */
    struct compare_setting *settings;        /* differences between the sides */
    uint32_t setting_count;
    struct compare_note *notes;
    uint32_t note_count;

    struct stat_whole whole;         /* A against B */
    double whole_q;                  /* q of whole.p_value among all items */
    struct stat_whole within[SIDES]; /* A against A and B against B: halves of the runs, or of the only run's time */
    double within_n[SIDES][2];
    bool within_runs[SIDES];   /* halves have at least two runs, so the spread between runs is included */
    bool within_failed[SIDES]; /* the halves differ: no other result can be trusted */

    struct compare_item *items; /* sorted by column, then place, the whole first */
    uint32_t item_count;
    enum stat_verdict of_runs; /* verdict on the runs that were read */
    enum stat_verdict verdict; /* verdict on the sides: VERDICT_ONE_RUN if one side is a single run */
    char *sentence;            /* in plain words, without line breaks */
};

/* Fills all members above the statistics from the runs. Returns false with a line in 'error' if nothing is in common,
 * or code differs and is not mapped. */
bool compare_align(struct comparison *c, char *error, size_t error_size);
void compare_sides(struct comparison *c);
void compare_silicon(struct comparison *c);   /* part of compare_sides(): registers that differ, and a warning */
void compare_plan(struct comparison *c);      /* adds a note on blocks if all runs are of one plan */
void compare_no_source(struct comparison *c); /* adds notes on events that a side's processor lacks */
void compare_judge(struct comparison *c);
void compare_conclude(struct comparison *c); /* last step of compare_judge() */
void compare_free(struct comparison *c);     /* does not free the runs */

/* Adds a note in printf's format. */
void compare_note(struct comparison *c, bool warning, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Writes "multiply_matrices+0x72"; "all" for COMPARE_WHOLE; "rare" for the last place if rare_count is not 0. */
void compare_place_name(const struct comparison *c, uint32_t place, char *text, size_t size);
const char *compare_place_text(const struct comparison *c, uint32_t place); /* returns the instruction */

/* Prints the origin of the figures in lines that begin with 'prefix'; nothing if all are from silicon. */
void compare_figures(FILE *to, const struct comparison *c, const char *prefix);

/* Writes a number such as "1,234,567". */
void compare_thousands(double value, char *text, size_t size);

/* Returns the setting of this name ("workload", "period") that differs between the sides; NULL: none. */
const struct compare_setting *compare_setting_of(const struct comparison *c, const char *name);

/* Returns the items' indices, the most important first: different ones by q, then by the size of the difference. To be
 * freed. */
uint32_t *compare_order(const struct comparison *c);

/* Returns how many samples of all kinds "inconclusive" needs on each side; 0: more samples do not help. */
double compare_needed(const struct comparison *c, const struct compare_item *item, uint32_t side);

/* The document of a struct comparison, and two of its forms. */
extern const struct document compare_document;
void compare_csv(struct out_file *to, const void *comparison);
void compare_json(struct json *json, const void *comparison);

#endif
