/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads run.ini: settings as "key = value", and results as "#: key = value" (core/run/facts.h). struct input_facts
 * lists both; runs of older images may lack facts, or have some that core/run/facts_rows.h lacks.
 */
#ifndef TOOLS_IBSPROF_RUN_INI_H
#define TOOLS_IBSPROF_RUN_INI_H

#include "core/run/facts.h"
#include "tools/ibsprof/read/input.h"

/* Holds the texts of the facts. */
struct run_ini {
    char *text;
    struct input_setting *settings;
};

/* Reads run.ini of the run that 'path' means (run_folder.h) into *facts: settings, machine, work, origin of figures; or
 * begun.ini, which a run has until it is saved. Without either, *facts is unchanged. Returns false with a line in
 * 'error', without the path. */
bool run_ini_read(struct run_ini *ini, struct input_facts *facts, const char *path, char *error, size_t error_size);
void run_ini_free(struct run_ini *ini);

/* Returns the last phase of an unfinished run, from its begun.ini; NULL: finished, or not known. */
const char *run_phase(const struct input_facts *facts);

/* Returns the value of a setting, or of a fact, by its key; NULL: none. */
const char *run_value(const struct input_facts *facts, const char *key, bool fact);

/* Return the value of a fact with these indices (core/run/facts.h); NULL: none; as a number, 0: none. */
const char *run_fact(const struct input_facts *facts, enum fact fact, ...);
uint64_t run_number(const struct input_facts *facts, enum fact fact, ...);

/* Returns NULL if the value of a FACT_OR_WHY is a number, which is then in *ret; otherwise the reason for its
 * absence. */
const char *run_why_not(const char *value, uint64_t *ret);

#endif
