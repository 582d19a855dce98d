/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The figures of the tables of AMD's paper on IBS (P. Drongowski, "Instruction-Based Sampling: A New Performance
 * Analysis Technique for AMD Family 10h Processors", 2007) that can be read in its text copy. The copy runs the columns
 * of a row together and has lost many rows; what is not here is not legible.
 *
 * Each row has a 'copy': the text as it stands there, with a | before and after each figure. Figures that cannot be
 * told apart are NONE, and their digits stand between two marks. The text before or after the figures has the address
 * of the row, or of the next one, as that table writes it. 'doubt' says what else the digits could be.
 */
#ifndef BENCH_PAPER_PUBLISHED_H
#define BENCH_PAPER_PUBLISHED_H

#include <stdbool.h>

enum {
    NONE = -1,
    /* Counts between two samples, of every column whose total is known: 16 instructions and 11 data cache accesses in
     * each of 10^9 iterations, and three completed fetches (docs/paper.md). */
    PUBLISHED_PERIOD = 250000,
    PUBLISHED_LATENCY_SUM = 92465, /* cycles of the DC misses at 4011C2 (section 4.2) */
    PUBLISHED_MISPREDICTED = 2,    /* of the branch samples at 4011A1 (section 4.2) */
    PUBLISHED_COLUMNS = 5,         /* of a row, at most */
    PUBLISHED_PAGES = 14,
};

enum published_table { OP_SAMPLES, LOADS_AND_STORES, FETCHES, COUNTER_SAMPLES, PUBLISHED_TABLES };

/* A row: its figures in the order of the table's columns. */
struct published_row {
    long address, figures[PUBLISHED_COLUMNS];
    const char *copy, *doubt; /* copy: "" where it is part of a column or of a sentence */
};

/* Columns. */
enum { OP_ALL, OP_BRANCHES, OP_ACCESSES };
enum { ACCESS_LOADS, ACCESS_STORES, ACCESS_MISSES, ACCESS_WALKS };
enum { FETCH_ALL, FETCH_KILLED, FETCH_ATTEMPTED, FETCH_COMPLETED, FETCH_ABORTED };
enum { COUNTER_INSTRUCTIONS, COUNTER_ACCESSES, COUNTER_MISSES, COUNTER_WALKS };

struct published {
    const char *name;
    unsigned page, columns;
    const char *notation; /* of addresses, for printf() */
    const struct published_row *rows;
    unsigned count;
};
extern const struct published published[PUBLISHED_TABLES];

/* Figures of several rows one after the other, as appendices C and D have them: the columns first_column and following,
 * of rows in ascending order, up to 'last'. */
struct published_column {
    enum published_table table;
    unsigned page, first_column, columns;
    bool sampled; /* only rows that have samples */
    long last;
    const char *copy;
};
extern const struct published_column published_columns[];
extern const unsigned published_column_count;

/* Figures in sentences. */
struct published_sentence {
    unsigned page;
    enum published_table table;
    long address;
    unsigned column; /* PUBLISHED_COLUMNS: in no table */
    long figure;
    const char *copy;
};
extern const struct published_sentence published_sentences[];
extern const unsigned published_sentence_count;

/* The row of this address, or a null pointer. */
const struct published_row *published_find(enum published_table table, long address);

/* Says what is wrong with the reading of a row, of a column, or of a sentence: its figures are not those between the
 * marks of its copy, or the copy is not of this row and this table. A null pointer when nothing is. */
const char *published_row_wrong(enum published_table table, const struct published_row *row);
const char *published_column_wrong(const struct published_column *column);
const char *published_sentence_wrong(const struct published_sentence *sentence);
/* Tells whether a column or a sentence has this figure. */
bool published_elsewhere(enum published_table table, long address, unsigned column);

/* Looks for every copy, without its marks, in the text of the paper, on its page; prints those that are not there, and
 * returns how many those are. */
unsigned published_not_in(const char *paper);

#endif
