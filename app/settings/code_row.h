/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of own code (core/code) beside those of the built-in workloads (app/settings/params.h): the same in the boot
 * image (app/run/code.h) and in its Linux twin (tools/workloads). Needs app/settings/params.c and core/, nothing else.
 */
#ifndef APP_CODE_ROW_H
#define APP_CODE_ROW_H

#include "app/settings/params.h"
#include "core/code/code_map.h"

enum { CODE_FILES_MAX = PARAMS_OWN_MAX, CODE_WHY_MAX = 240 };

struct code_file {
    struct workload workload;      /* its row; functions are set by code_set_functions() */
    char name[CODE_NAME];          /* of the workload */
    char file_name[CODE_NAME + 4]; /* "dot.elf" */
    char title[CODE_TITLE];
    char unit[24];
    char why[CODE_WHY_MAX];        /* it cannot be used; "": it can */
    char why_no_map[CODE_WHY_MAX]; /* it is shown by addresses; "": it has a map */
    struct code code;
    struct codemap map;
    void *bytes, *map_bytes;
    size_t size, map_size;
};

/* Makes a workload of a file's bytes, and a map's (NULL: there is none), which stay in use. 'known': how many files
 * there are already. 'is_setting': whether a name is a setting's, and so no parameter's. */
void code_take(struct code_file *file, const char *file_name, unsigned known, bool (*is_setting)(const char *name));

/* Writes a text with one '%s' into an array of that size, as for 'why'. */
void code_keep(char *to, size_t size, const char *format, const char *text);

/* The n-th file that was taken, NULL: there are fewer. */
struct code_file *code_file_at(unsigned n);

/* The file that the workload is of; NULL: it is built in. */
const struct code_file *code_of(const struct workload *workload);

/* Sets the workload's functions: the file's, loaded at this address. */
void code_set_functions(const struct code_file *file, uint64_t address);

/* Forgets all of them, whose memory is the caller's again. */
void code_forget_rows(void);

#endif
