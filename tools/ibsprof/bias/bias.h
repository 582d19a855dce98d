/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How wrong each way of sampling is: the samples of runs by instruction, against the exact counts of a run with
 * config=exact of the same code, workload and parameters; and against the time that the virtual PMU knows.
 */
#ifndef TOOLS_IBSPROF_BIAS_H
#define TOOLS_IBSPROF_BIAS_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/read/run_ini.h"
#include "tools/ibsprof/stat/stat_bias.h"

/* ---------------------------------------------------------------- exact counts */

struct bias_insn {
    uint32_t rva, offset; /* offset: from the function's first executed instruction */
    char *function, *text;
    double executions, taken, ops; /* ops: macro-ops of all executions */
    int32_t before;                /* what was executed most often just before it; -1: not known */
};

/* A run's facts, as long as it is open. */
struct bias_facts {
    char *path;
    struct run_ini ini;
    struct input_facts facts;
};

struct bias_exact {
    struct bias_facts run;
    struct bias_insn *insn; /* ascending; one more is for all that was never executed */
    uint32_t insns;
    double executions, ops;
};

/* False after a complaint. */
bool bias_facts_read(struct bias_facts *run, const char *path);
void bias_facts_free(struct bias_facts *run);

bool bias_exact_read(struct bias_exact *exact, const char *path);
void bias_exact_free(struct bias_exact *exact);

/* The index of an address; 'insns' where no instruction that begins there was executed. */
uint32_t bias_exact_find(const struct bias_exact *exact, uint64_t rva);

/* ---------------------------------------------------------------- samples */

enum bias_by { BIAS_IBS_OPS, BIAS_IBS_CYCLES, BIAS_INSTRUCTIONS, BIAS_CYCLES, BIAS_TIMER, BIAS_WAYS };

/* Samples of one kind of one run. Arrays have insns + 1 elements. */
struct bias_way {
    enum bias_by by;
    double *samples;
    double *weighted; /* IBS: by cycles from tag to retirement; NULL: none */
    double outside;   /* samples in the handler, firmware, and the program's own code */
};

struct bias_run {
    struct bias_facts run;
    bool once;   /* one op sample in each pass: nothing was disturbed before it */
    bool failed; /* it says so itself: its samples end before the workload does */
    double lost; /* samples: the buffer was full */
    struct bias_way *way;
    uint32_t ways;
    double *estimated;                 /* time.csv; NULL: none. One more element is for the front end */
    double *truth;                     /* the virtual PMU's time, likewise */
    const char *truth_name, *no_truth; /* the file; why there is none although there is a file */
};

/* Reads a run, and compares it with the exact one. False after a complaint. */
bool bias_run_read(struct bias_run *run, const struct bias_exact *exact, const char *path);
void bias_run_free(struct bias_run *run);

/* Looks for the truth beside a run: in the folder of its boot (docs/model.md). */
void bias_truth_read(struct bias_run *run, const struct bias_exact *exact);

/* ---------------------------------------------------------------- answers */

enum bias_against { BIAS_AGAINST_OPS, BIAS_AGAINST_EXECUTIONS, BIAS_AGAINST_TIME };

enum bias_estimate { BIAS_PLAIN, BIAS_WEIGHTED, BIAS_MOVED_BACK, BIAS_TIME_CSV };

/* One comparison. */
struct bias_row {
    uint32_t run, way; /* indices */
    enum bias_against against;
    enum bias_estimate estimate;
    struct stat_bias stat;          /* of other estimates than plain samples n, tvd and worst alone */
    double worst_here, worst_there; /* shares of its worst instruction */
};

struct bias {
    struct bias_exact exact;
    struct bias_run *run;
    uint32_t runs;
    struct bias_row *row;
    uint32_t rows;
    int32_t nearest; /* row of the estimate that is nearest to the true time; -1: no truth */
};

/* The number of samples of a run by IBS ops, counted in ops, and how many there are by its intervals. */
struct bias_number {
    double samples, least, most;
    double missing; /* share that is surely missing, of 'least'; 0: none */
    double surplus; /* likewise too many, of 'most' */
};

/* Returns false where nothing tells how many there must be: intervals that are not random, or of cycles, or samples
 * that are known to be lost. */
bool bias_number(const struct bias *bias, uint32_t run, uint32_t way, struct bias_number *ret);

/* Reads the runs that these paths name. False after a complaint. */
bool bias_read(struct bias *bias, const char *exact, char *const *paths, int count);
void bias_judge(struct bias *bias);
void bias_free(struct bias *bias);

/* Names what is sampled: "IBS ops, counted in ops". */
const char *bias_way_name(enum bias_by by);

/* Puts "weighted by cycles to retirement"; "" of plain samples. */
const char *bias_estimate_name(enum bias_estimate estimate);
const char *bias_against_name(enum bias_against against);

/* "multiply_matrices+0x2d fld dword ptr [rcx+rax*4+8]", to be freed; of the last index what it stands for. */
char *bias_place(const struct bias_exact *exact, uint32_t index);

/* Returns what a reader may conclude of plain samples, a sentence; to be freed. */
char *bias_sentence(const struct bias_row *row);

extern const struct document bias_document; /* of a struct bias */

#endif
