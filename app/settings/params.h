/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The workloads and their parameters as settings, with the same names, ranges and messages in the boot image
 * (app/settings/options.c) and in its Linux twin (tools/workloads). Needs only core/run/settings.c and the workloads.
 */
#ifndef APP_PARAMS_H
#define APP_PARAMS_H

#include "core/run/settings.h"
#include "workloads/workload.h"

enum {
    PARAMS_MAX = 44, /* number of distinct parameter names of all workloads */
    PARAMS_OWN_MAX = 16,
};

struct params {
    uint64_t value[PARAMS_MAX]; /* 0: the workload's default */
    struct settings_row *row;   /* from the caller, one for each value */
    unsigned count;
};

/* Fills rows from row[0] on, one for each name, PARAMS_MAX at most. They point into 'params', which must not move
 * afterwards. A range is the widest of all workloads; params_of() checks the chosen workload's. Returns false if there
 * are more names. */
bool params_init(struct params *params, struct settings_row *row);

/* Reads the workload's parameters as set, or its defaults. Returns false after a line in 'problems' for a value out of
 * range. */
bool params_of(const struct params *params, const struct workload *workload, uint32_t *values, struct out *problems);

/* Returns the index of the workload's parameter of that name; -1: none. */
int params_index(const struct workload *workload, const char *name);

/* Returns whether the parameter's value as set, or its default, is in the workload's range; params_refuse() prints that
 * it is not. */
bool params_takes(const struct params *params, const struct workload *workload, unsigned i);
void params_refuse(struct out *out, const struct params *params, const struct workload *workload, unsigned i);

/* Prints the range of a workload's parameter: "8 to 64", "multiples of 8 from 8 to 64". */
void params_write_range(struct out *out, const struct workload *workload, unsigned i);

/* Writes lines of run.ini: the counts that the row states for one run. */
void params_expected_facts(struct out *out, const struct workload *workload, const uint32_t *values);

/* Adds own code to the list, with those parameters whose names fit. Returns false if PARAMS_OWN_MAX are listed.
 * 'workload' must stay valid until params_forget_own(). why: reason why it cannot be used; it is then listed, but not
 * found. NULL: usable. */
bool params_add_own(const struct workload *workload, const char *why);
void params_forget_own(void);
/* Returns the n-th own workload, usable or not; NULL: there are fewer. */
const struct workload *params_own(unsigned n);

/* Returns the n-th of all workloads, from 0 on: the built-in ones, then usable own code. NULL: there are fewer. */
const struct workload *params_nth(unsigned n);

/* Returns the workload of that name, or NULL. */
const struct workload *params_find_workload(const char *name);

/* Prints why own code of that name cannot be used, or that no workload has that name, with the nearest one; 'usual'
 * wins among equally near ones. */
void params_no_workload(struct out *out, const char *name, const char *usual);

/* Prints every workload by groups, a line each, on two screens of 80x25 at most (""); or with parameters what the
 * argument names: "all", a group, a workload. Returns false after a line in 'problems' if it names none. */
bool params_list(struct out *out, const char *argument, struct out *problems);

#endif
