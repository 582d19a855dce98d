/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures the error of each way of sampling: compares the samples of runs by instruction with the exact counts of a
 * run with config=exact of the same code, workload and parameters; and with the true time in the virtual PMU.
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
    int32_t before;                /* index of the most frequent predecessor; -1: not known */
};

/* A run's facts, valid while the run is open. */
struct bias_facts {
    char *path;
    struct run_ini ini;
    struct input_facts facts;
};

struct bias_exact {
    struct bias_facts run;
    struct bias_insn *insn; /* ascending; one more element for everything never executed */
    uint32_t insns;
    double executions, ops;
};

/* Return false after a complaint. */
bool bias_facts_read(struct bias_facts *run, const char *path);
void bias_facts_free(struct bias_facts *run);

bool bias_exact_read(struct bias_exact *exact, const char *path);
void bias_exact_free(struct bias_exact *exact);

/* Returns the index of an address; 'insns' if no executed instruction begins there. */
uint32_t bias_exact_find(const struct bias_exact *exact, uint64_t rva);

/* ---------------------------------------------------------------- samples */

enum bias_by { BIAS_IBS_OPS, BIAS_IBS_CYCLES, BIAS_INSTRUCTIONS, BIAS_CYCLES, BIAS_TIMER, BIAS_WAYS };

/* Samples of one kind in one run. Arrays have insns + 1 elements. */
struct bias_way {
    enum bias_by by;
    double *samples;
    double *weighted; /* IBS: weighted by cycles from tag to retirement; NULL: none */
    double outside;   /* samples in the handler, firmware, and the program's own code */
};

struct bias_run {
    struct bias_facts run;
    bool once;   /* one op sample in each pass, which nothing disturbed before it */
    bool failed; /* by its own account: the samples end before the workload does */
    double lost; /* samples lost to a full buffer */
    struct bias_way *way;
    uint32_t ways;
    double *estimated;                 /* time.csv; NULL: none. One more element, for the front end */
    double *truth;                     /* time in the virtual PMU; same size */
    const char *truth_name, *no_truth; /* name of the file; why it is unusable, or NULL */
};

/* Reads a run and compares it with the exact one. Returns false after a complaint. */
bool bias_run_read(struct bias_run *run, const struct bias_exact *exact, const char *path);
void bias_run_free(struct bias_run *run);

/* Looks for the true time in the folder of the run's boot (docs/model.md). */
void bias_truth_read(struct bias_run *run, const struct bias_exact *exact);

/* ---------------------------------------------------------------- answers */

enum bias_against { BIAS_AGAINST_OPS, BIAS_AGAINST_EXECUTIONS, BIAS_AGAINST_TIME };

enum bias_estimate { BIAS_PLAIN, BIAS_WEIGHTED, BIAS_MOVED_BACK, BIAS_TIME_CSV };

/* One comparison. */
struct bias_row {
    uint32_t run, way; /* indices */
    enum bias_against against;
    enum bias_estimate estimate;
    struct stat_bias stat;          /* estimates other than plain samples: only n, tvd and worst */
    double worst_here, worst_there; /* both shares of the worst instruction */
};

struct bias {
    struct bias_exact exact;
    struct bias_run *run;
    uint32_t runs;
    struct bias_row *row;
    uint32_t rows;
    int32_t nearest; /* row of the estimate nearest to the true time; -1: true time not known */
};

/* Number of IBS op samples of a run that counts ops, and the range expected from its intervals. */
struct bias_number {
    double samples, least, most;
    double missing; /* share of 'least' that is certainly missing; 0: none */
    double surplus; /* share of 'most' that is certainly too many; 0: none */
};

/* Returns false if the expected number is not known: intervals are not random, or count cycles, or samples were
 * lost. */
bool bias_number(const struct bias *bias, uint32_t run, uint32_t way, struct bias_number *ret);

/* Reads the runs of these paths. Returns false after a complaint. */
bool bias_read(struct bias *bias, const char *exact, char *const *paths, int count);
void bias_judge(struct bias *bias);
void bias_free(struct bias *bias);

/* Returns what is sampled: "IBS ops, counted in ops". */
const char *bias_way_name(enum bias_by by);

/* Returns a name such as "weighted by cycles to retirement"; "" for plain samples. */
const char *bias_estimate_name(enum bias_estimate estimate);
const char *bias_against_name(enum bias_against against);

/* Returns "multiply_matrices+0x2d fld dword ptr [rcx+rax*4+8]", or, for the last index, its meaning; to be freed. */
char *bias_place(const struct bias_exact *exact, uint32_t index);

/* Returns a conclusion from plain samples, as a sentence; to be freed. */
char *bias_sentence(const struct bias_row *row);

extern const struct document bias_document; /* for a struct bias */

#endif
