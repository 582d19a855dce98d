/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of own code (core/code) beside the built-in workloads (app/settings/params.h), shared by the boot image
 * (app/run/code.h) and its Linux twin (tools/workloads). Needs only app/settings/params.c and core/.
 */
#ifndef APP_CODE_ROW_H
#define APP_CODE_ROW_H

#include "app/settings/params.h"
#include "core/code/code_map.h"

enum { CODE_FILES_MAX = PARAMS_OWN_MAX, CODE_WHY_MAX = 240 };

struct code_file {
    struct workload workload;      /* row of the workload; code_set_functions() sets its functions */
    char name[CODE_NAME];          /* of the workload */
    char file_name[CODE_NAME + 4]; /* "dot.elf" */
    char title[CODE_TITLE];
    char unit[24];
    char why[CODE_WHY_MAX];        /* why it cannot be used; "": it can */
    char why_no_map[CODE_WHY_MAX]; /* why it is shown by addresses; "": it has a map */
    struct code code;
    struct codemap map;
    void *bytes, *map_bytes;
    size_t size, map_size;
};

/* Makes a workload of a file's bytes and its map's (NULL: none), which must stay valid. 'known': number of files so
 * far. 'is_setting': returns whether a name is a setting's, and cannot be a parameter's. */
void code_take(struct code_file *file, const char *file_name, unsigned known, bool (*is_setting)(const char *name));

/* Formats text for 'why' into an array of that size; 'format' has one '%s'. */
void code_keep(char *to, size_t size, const char *format, const char *text);

/* Returns the n-th file; NULL: there are fewer. */
struct code_file *code_file_at(unsigned n);

/* Returns the file of a workload; NULL: the workload is built in. */
const struct code_file *code_of(const struct workload *workload);

/* Sets the workload's functions for a file loaded at this address. */
void code_set_functions(const struct code_file *file, uint64_t address);

/* Forgets all files; the caller may free their memory. */
void code_forget_rows(void);

#endif
