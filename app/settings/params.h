/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The workloads and their parameters, as settings: the same names, ranges and messages in the boot image
 * (app/settings/options.c) and in its Linux twin (tools/workloads). Needs core/run/settings.c and the workloads,
 * nothing else.
 */
#ifndef APP_PARAMS_H
#define APP_PARAMS_H

#include "core/run/settings.h"
#include "workloads/workload.h"

enum {
    PARAMS_MAX = 44, /* different parameter names over all workloads */
    PARAMS_OWN_MAX = 16,
};

struct params {
    uint64_t value[PARAMS_MAX]; /* 0: the workload's default */
    struct settings_row *row;   /* the caller's, one for each value */
    unsigned count;
};

/* Fills row[0] on with a row for each name, PARAMS_MAX at most; they point into 'params', which must not move
 * afterwards. A range is the widest of all workloads; params_of() checks the chosen one's. False when there are more
 * names than that. */
bool params_init(struct params *params, struct settings_row *row);

/* The workload's parameters as set, or its defaults. A value out of its range gives a line in 'problems' and false. */
bool params_of(const struct params *params, const struct workload *workload, uint32_t *values, struct out *problems);

/* The index of the workload's parameter of that name; -1: it has none. */
int params_index(const struct workload *workload, const char *name);

/* Returns whether its value as set, or its default, is in the range of the workload; prints the line that says it is
 * not. */
bool params_takes(const struct params *params, const struct workload *workload, unsigned i);
void params_refuse(struct out *out, const struct params *params, const struct workload *workload, unsigned i);

/* Prints which values a workload's parameter takes: "8 to 64", "multiples of 8 from 8 to 64". */
void params_write_range(struct out *out, const struct workload *workload, unsigned i);

/* Lines of run.ini: the counts that the row states, of one run. */
void params_expected_facts(struct out *out, const struct workload *workload, const uint32_t *values);

/* Takes own code into the list, with parameters whose names find room. False when PARAMS_OWN_MAX are there. It must
 * stay until params_forget_own(). 'why': not NULL: it cannot be used, is listed with this reason, and not found. */
bool params_add_own(const struct workload *workload, const char *why);
void params_forget_own(void);
/* Returns the n-th of these, usable or not; NULL: there are fewer. */
const struct workload *params_own(unsigned n);

/* Returns the n-th workload, of all from 0 on: the built-in ones, then own code that can be used. NULL: there are
 * fewer.
 */
const struct workload *params_nth(unsigned n);

/* The workload of that name, or NULL. */
const struct workload *params_find_workload(const char *name);

/* Prints the line for a name that no workload has, with the nearest one; of equally near ones 'usual'; or why own code
 * of that name cannot be used. */
void params_no_workload(struct out *out, const char *name, const char *usual);

/* Every workload, by groups, a line each ("", which fits into two screens of 80x25); or what the argument names, with
 * parameters: "all", a group, a workload. False when it names none, which 'problems' says. */
bool params_list(struct out *out, const char *argument, struct out *problems);

#endif
