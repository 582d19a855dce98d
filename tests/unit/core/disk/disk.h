/* SPDX-License-Identifier: BSD-2-Clause */
/* A disk in memory, filled by real tools, which can refuse accesses and notes writes. */
#ifndef TESTS_UNIT_CORE_DISK_H
#define TESTS_UNIT_CORE_DISK_H

#include <stdbool.h>
#include <stdio.h>

#include "tests/unit/test.h"
#include "core/run/disk.h"

struct test_disk {
    struct disk_ops ops;
    uint8_t *bytes;
    uint64_t sectors;
    uint64_t bad_read, bad_write; /* sectors whose access fails; ~0: none */
    uint64_t writes_left;         /* sectors until the power fails: later calls fail and write nothing */
    unsigned writes;              /* calls */
    unsigned refuse_write;        /* number of a call that fails once; 0: none */
    bool refuse_after;            /* the failing call writes its data before it fails */
    bool deaf;                    /* writes report success but do nothing */
    unsigned calls;
    unsigned beyond;  /* reads beyond its end */
    uint64_t written; /* sectors */
};

struct test_disk *disk_of_size(uint64_t sectors);
struct test_disk *disk_of_file(const char *path);
void disk_free(struct test_disk *disk);

/* Opens a new file in the tests' folder, and makes the folder if necessary. */
FILE *disk_new_file(const char *path);

void disk_to_file(const struct test_disk *disk, const char *path);

/* Runs a shell command in build/unit/disks, the tests' folder for files; it must succeed. */
void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Runs a command, and returns both of its outputs and its exit status. */
const char *shell_says(int *ret_status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the disk that a shell command makes as the file 'name'. A test program must have unique names for this and
 * all other files of the command, because others run at the same time. A command runs once; each call returns the disk
 * as it was made. */
struct test_disk *disk_made_by(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says the folder of the commands' files, as a prefix of their names. */
#define FILES "build/unit/disks/"

#endif
