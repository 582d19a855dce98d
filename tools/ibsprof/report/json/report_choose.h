/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses what a report lists: functions, and in them rows. A function is what the object's symbols say; samples of an
 * object without a symbol there make one more "function" without a name, whose rows are single addresses.
 */
#ifndef TOOLS_IBSPROF_REPORT_CHOOSE_H
#define TOOLS_IBSPROF_REPORT_CHOOSE_H

#include "tools/ibsprof/report/json/report_json.h"

struct report_function {
    uint32_t object; /* UINT32_MAX: none */
    int32_t func;    /* -1: none */
    uint32_t first;  /* place */
    uint64_t samples;
    uint32_t insns; /* of the code map */
    bool workload;
    bool listed; /* whole, else only what has samples */
};

struct report_choice {
    struct report_function *function; /* ascending by object and address; those without a name where their first is */
    uint32_t count;
    uint64_t least; /* rows with fewer samples are left out */
};

/* To be freed by report_choice_free. */
void report_choose(struct report_choice *choice, const struct run_profile *profile,
                   const struct report_json_options *options);
void report_choice_free(struct report_choice *choice);

/* The code map of an object, or NULL; the first instruction of a function in it. */
const struct codemap *report_map(const struct run_profile *profile, uint32_t object);
uint32_t report_first_insn(const struct codemap *map, int32_t func);

/* All samples of a place: IBS and others. */
uint64_t report_samples(const struct run_profile *profile, const struct profile_place *place);

#endif
