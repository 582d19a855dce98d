/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.ini of a run: settings as "key = value", and what came of them as "#: key = value" (core/run/facts.h). The list
 * of both is in struct input_facts; runs of older images may lack facts, and have some that core/run/facts_rows.h has
 * not.
 */
#ifndef TOOLS_IBSPROF_RUN_INI_H
#define TOOLS_IBSPROF_RUN_INI_H

#include "core/run/facts.h"
#include "tools/ibsprof/read/input.h"

/* Holds what the facts' texts are in. */
struct run_ini {
    char *text;
    struct input_setting *settings;
};

/* Reads run.ini of the run that 'path' is (run_folder.h) into *facts: settings, machine, work, whose figures; or
 * begun.ini, which a run has until it is saved. A run without either leaves them as they were. False with a line in
 * error, without a path. */
bool run_ini_read(struct run_ini *ini, struct input_facts *facts, const char *path, char *error, size_t error_size);
void run_ini_free(struct run_ini *ini);

/* How far a run came that was not finished: the last phase in its begun.ini; NULL: it was, or does not say. */
const char *run_phase(const struct input_facts *facts);

/* The value of a setting, or of a fact by its key; NULL: there is none. */
const char *run_value(const struct input_facts *facts, const char *key, bool fact);

/* The value of a fact with these indices (core/run/facts.h), NULL: there is none; as a number, 0 when there is none. */
const char *run_fact(const struct input_facts *facts, enum fact fact, ...);
uint64_t run_number(const struct input_facts *facts, enum fact fact, ...);

/* Returns NULL when the value of a FACT_OR_WHY is a number, which is in *ret; else why it is not there. */
const char *run_why_not(const char *value, uint64_t *ret);

#endif
