/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads hardware.csv of config=hardware (core/hardware/hardware.h): the answers of one machine. If a question ended
 * the machine, the file has the answers before it.
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
    char *machine, *firmware, *program, *figures; /* "": not in the file */
    bool is_model;                                /* answers of a virtual machine */
    struct hardware_file_row *row;
    uint32_t rows;
};

/* Reads 'path': the file, or a folder with it (a run's, or a boot stick). Returns false if all or a part of it is
 * unreadable; a line in 'error' says what is wrong, where, and what to do. *file then has the readable part.
 * hardware_file_free() must follow in any case. */
bool hardware_file_read(struct hardware_file *file, const char *path, char *error, size_t error_size);
void hardware_file_free(struct hardware_file *file);

/* Returns NULL if there is no such question. */
const struct hardware_file_row *hardware_file_find(const struct hardware_file *file, const char *id);

#endif
