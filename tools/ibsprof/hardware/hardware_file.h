/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hardware.csv, as config=hardware leaves it (core/hardware/hardware.h): the answers of one machine. A file that was
 * left behind by a question that ended the machine has the answers up to there.
 */
#ifndef TOOLS_IBSPROF_HARDWARE_FILE_H
#define TOOLS_IBSPROF_HARDWARE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hardware/hardware.h"

struct hardware_file_row {
    uint32_t number;
    enum hardware_verdict verdict;
    char *id, *found, *question, *expected, *check, *changes;
};

struct hardware_file {
    char *path;
    char *machine, *firmware, *program, *figures; /* "": the file does not say */
    bool is_model;                                /* the answers are about a virtual machine */
    struct hardware_file_row *row;
    uint32_t rows;
};

/* 'path': the file, or a folder with it (of a run, or a boot stick). False: it cannot be read, or only in part; a line
 * in 'error' says what is wrong, where, and what to do. What could be read is in *file all the same, which is to be
 * freed. */
bool hardware_file_read(struct hardware_file *file, const char *path, char *error, size_t error_size);
void hardware_file_free(struct hardware_file *file);

/* NULL: it has no such question. */
const struct hardware_file_row *hardware_file_find(const struct hardware_file *file, const char *id);

#endif
