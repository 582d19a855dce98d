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
enum { COMPARE_WHOLE = UINT32_MAX }; /* in place of a place: the whole workload */

struct compare_run {
    const char *path;
    struct input *input; /* NULL in tests */
    struct run_profile *profile;
    bool partial;                  /* the file broke off */
    const char *copy_of;           /* path of the run that has the same samples; NULL: none before it */
    struct run_profile *halves[2]; /* one run on a side: alternate slices of its time; else NULL */
};

struct compare_map {
    const char *a, *b; /* function b of side B is a of side A */
};

struct compare_options {
    double level;              /* of intervals; 0.95. 1 - level is also the rate of false discoveries and of wrong
                                  "equivalent" */
    double power;              /* that "samples needed" aims at; 0.8 */
    struct stat_margin margin; /* 0.005 and 0.05 */
    double rate_margin;        /* of rates, 0..1, however small they are; below 0: not chosen (stat_rate_margin) */
    const char *event;         /* "op", "fetch", or the name of an event; NULL: the first of these that all runs have */
    const struct compare_map *maps;
    uint32_t map_count;
    bool force_code; /* go on though code bytes differ */
    bool all;        /* text: list what does not differ as well */
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
    uint8_t of;                   /* COLUMN_RATE, enum sample_kind: whose samples these are */
    enum derived above[2], below; /* COLUMN_RATE: (above[0] + above[1]) / below; DERIVED_COUNT: none */
    double quantile;
};
extern const struct compare_column compare_columns[];
extern const uint32_t compare_column_count;
struct comparison;
bool compare_has(const struct comparison *c, uint32_t column); /* all runs' processors have its events */
enum { COMPARE_SHARE = 0, COMPARE_WORK = 1 };                  /* their places in the table */

/* ---------------------------------------------------------------- cells */

struct compare_place {
    char *function;     /* NULL: all those that are too rare to be judged one by one */
    const char *object; /* of the first run that has it */
    uint64_t offset;    /* in the function; without one: the address in the object */
    uint64_t rva[SIDES];
    const char *text; /* disassembled; "" */
    const char *file; /* source, NULL */
    uint32_t line;
    bool seen[SIDES]; /* has samples there */
};

/* Where samples fell that are not the workload's. */
struct compare_outside {
    char *label; /* "kernel: [kernel.kallsyms]" */
    double samples[SIDES];
};

/* A function that has samples on one side only. */
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
    double a, b, low_a, high_a, low_b, high_b; /* shares and rates: 0..1; work: per unit of work; quantiles: cycles */
    double difference, low, high;              /* b - a */
    double log2_ratio, log2_low, log2_high;
    double n_a, n_b;     /* samples that it rests on: all, loads, branches, misses */
    double phi_a, phi_b; /* design effects */
    double p_value, q;
    double margin; /* of equivalence, in the unit of a */
    double factor; /* by how much the samples must grow for equivalence to be shown */
    bool equivalent;
    enum stat_verdict verdict;
};

struct comparison {
    const struct compare_options *options;
    struct compare_run *runs[SIDES];
    uint32_t run_count[SIDES];
    uint32_t copy_count[SIDES]; /* runs after these that are copies of one of them, and not counted */
    uint32_t shared;            /* recordings that are on both sides */
    const char *figures[SIDES]; /* input_figures of its first run that has any; NULL: all are silicon's */
    const char *event;
    uint32_t kind;         /* enum sample_kind: columns of IBS need op or fetch */
    const char *work_unit; /* NULL: work is not known on both sides */

    struct compare_place *places;
    uint32_t place_count, rare_count; /* rare_count: sampled instructions in the last place */
    double *x[SIDES], *n[SIDES];      /* shares: [run * place_count + place], [run] */
    struct stat_side shares[SIDES];
    struct stat_estimate *estimates[SIDES];
    double *x_halves[SIDES], n_halves[SIDES][2]; /* of the runs' halves, with one run: [half * place_count + place] */
    double *values[SIDES]; /* other columns: [(run * columns + column) * 2 + above or below) * place_count + place] */
    uint32_t **latency[SIDES]; /* [run * place_count + place]: [LATENCY_BINS]; NULL: none */
    double work[SIDES];        /* sum over runs: units of work; 0: not known */
    double *exposure[SIDES];   /* [run]: units of work over the mean period: this number of samples is one op a unit */

    struct compare_one_sided *one_sided;
    uint32_t one_sided_count;
    struct compare_outside *outside;
    uint32_t outside_count;
    struct stat_estimate outside_share[SIDES];
    struct stat_difference outside_difference;
    uint64_t lost[SIDES], throttled[SIDES];

    struct compare_times *times;             /* compare_time.h; NULL: not read */
    struct compare_exploration *exploration; /* compare_explore.h; NULL: the runs are no explorations */
    struct compare_setting *settings;        /* what differs between the sides */
    uint32_t setting_count;
    struct compare_note *notes;
    uint32_t note_count;

    struct stat_whole whole;         /* A against B */
    double whole_q;                  /* of whole.p_value among all items */
    struct stat_whole within[SIDES]; /* A against A and B against B: halves of the runs, or of the one run's time */
    double within_n[SIDES][2];
    bool within_runs[SIDES];   /* halves have two runs at least: the spread between runs is taken into account */
    bool within_failed[SIDES]; /* and yet they differ: nothing else can be believed */

    struct compare_item *items; /* by column, then place, the whole first */
    uint32_t item_count;
    enum stat_verdict of_runs; /* what the samples say of the runs that were read */
    enum stat_verdict verdict; /* of the sides: VERDICT_ONE_RUN where one of them is a single run */
    char *sentence;            /* plain words, no line breaks */
};

/* Fills what is above the statistics from the runs. False with a line in error: nothing in common, or code that differs
 * and is not mapped. */
bool compare_align(struct comparison *c, char *error, size_t error_size);
void compare_sides(struct comparison *c);
void compare_silicon(struct comparison *c);   /* a part of it: registers, as settings that differ, with one warning */
void compare_plan(struct comparison *c);      /* a note: runs of one plan, by its blocks */
void compare_no_source(struct comparison *c); /* notes of events that a side's processor does not have */
void compare_judge(struct comparison *c);
void compare_conclude(struct comparison *c); /* compare_judge's last step */
void compare_free(struct comparison *c);     /* but for the runs */

/* Adds a note; printf's format. */
void compare_note(struct comparison *c, bool warning, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "multiply_matrices+0x72"; "all" for COMPARE_WHOLE; "rare" for the last place when rare_count is not 0. */
void compare_place_name(const struct comparison *c, uint32_t place, char *text, size_t size);
const char *compare_place_text(const struct comparison *c, uint32_t place); /* the instruction */

/* Where the figures come from, as lines that begin with 'prefix'; none when all are silicon's. */
void compare_figures(FILE *to, const struct comparison *c, const char *prefix);

/* "1,234,567" */
void compare_thousands(double value, char *text, size_t size);

/* Returns the row of what differs between the sides with this name ("workload", "period"); NULL: it is the same. */
const struct compare_setting *compare_setting_of(const struct comparison *c, const char *name);

/* Indices of items, the most telling first: different ones by q, then by size of the difference. Free it. */
uint32_t *compare_order(const struct comparison *c);

/* Sample number that "inconclusive" asks for on each side: of all samples. 0 when it does not help. */
double compare_needed(const struct comparison *c, const struct compare_item *item, uint32_t side);

/* The document that a struct comparison becomes, and two of its forms. */
extern const struct document compare_document;
void compare_csv(struct out_file *to, const void *comparison);
void compare_json(struct json *json, const void *comparison);

#endif
