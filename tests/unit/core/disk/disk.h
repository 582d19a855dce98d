/* SPDX-License-Identifier: BSD-2-Clause */
/* A disk in memory, filled by real tools, which can refuse and notes what is written. */
#ifndef TESTS_UNIT_CORE_DISK_H
#define TESTS_UNIT_CORE_DISK_H

#include <stdbool.h>

#include "tests/unit/test.h"
#include "core/run/disk.h"

struct test_disk {
    struct disk_ops ops;
    uint8_t *bytes;
    uint64_t sectors;
    uint64_t bad_read, bad_write; /* these sectors are refused; ~0: none */
    uint64_t writes_left;         /* sectors; then the power goes: nothing more is written, and calls fail */
    unsigned writes;              /* calls */
    unsigned refuse_write;        /* this call fails, once; 0: none */
    bool refuse_after;            /* it writes, and fails all the same */
    bool deaf;                    /* writes are answered with success and not done */
    unsigned calls;
    unsigned beyond;  /* of those, reads that go beyond its end */
    uint64_t written; /* sectors */
};

struct test_disk *disk_of_size(uint64_t sectors);
struct test_disk *disk_of_file(const char *path);
void disk_free(struct test_disk *disk);

void disk_to_file(const struct test_disk *disk, const char *path);

/* Runs a command of the shell in build/unit/disks, the tests' folder for files; it must succeed. */
void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Runs a command, and returns what both outputs got and its exit status. */
const char *shell_says(int *ret_status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the disk that a command of the shell makes as the file 'name'. That name, and those of all files that the
 * command makes, are a test program's own: others run beside it. A command is run once; each call returns the disk as
 * it was made. */
struct test_disk *disk_made_by(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* FILES "build/unit/disks/" in front of what the commands made. */
#define FILES "build/unit/disks/"

#endif
