/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Selects the functions and rows of a report. Functions are the symbols of an object; its samples without a symbol
 * form another "function" without a name, whose rows are single addresses.
 */
#ifndef TOOLS_IBSPROF_REPORT_CHOOSE_H
#define TOOLS_IBSPROF_REPORT_CHOOSE_H

#include "tools/ibsprof/report/json/report_json.h"

struct report_function {
    uint32_t object; /* UINT32_MAX: none */
    int32_t func;    /* -1: none */
    uint32_t first;  /* first place */
    uint64_t samples;
    uint32_t insns; /* number in the code map */
    bool workload;
    bool listed; /* with all instructions; otherwise only sampled ones */
};

struct report_choice {
    struct report_function *function; /* ascending by object and address; one without a name by its first address */
    uint32_t count;
    uint64_t least; /* rows with fewer samples are omitted */
};

/* Fills *choice; report_choice_free() frees it. */
void report_choose(struct report_choice *choice, const struct run_profile *profile,
                   const struct report_json_options *options);
void report_choice_free(struct report_choice *choice);

/* Return the code map of an object, or NULL; and a function's first instruction in it. */
const struct codemap *report_map(const struct run_profile *profile, uint32_t object);
uint32_t report_first_insn(const struct codemap *map, int32_t func);

/* Returns all samples of a place, IBS and others. */
uint64_t report_samples(const struct run_profile *profile, const struct profile_place *place);

#endif
