/* SPDX-License-Identifier: BSD-2-Clause */
/* A folder for fuzzers of code that writes files: made for each input, checked as a whole, and removed. */
#ifndef TESTS_FUZZ_SANDBOX_H
#define TESTS_FUZZ_SANDBOX_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SANDBOX_PATH = 1024 };

/* Keeps output of the tested code apart from the fuzzer's. */
static inline void sandbox_silence(void)
{
    stdout = fopen("/dev/null", "w");
    stderr = fopen("/dev/null", "w");
    if (!stdout || !stderr)
        abort();
}

static inline void sandbox_make(char path[SANDBOX_PATH])
{
    strcpy(path, "/dev/shm/fuzz-XXXXXX"); /* faster than a disk */
    if (mkdtemp(path))
        return;
    strcpy(path, "/tmp/fuzz-XXXXXX");
    if (!mkdtemp(path))
        abort();
}

/* Calls each() with the path of each file, folder and link below 'folder', without that itself; the contents of a
 * folder come first. */
static inline void sandbox_walk(const char *folder, void (*each)(const char *path, const struct stat *status))
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;

    while (entries && (entry = readdir(entries)) != NULL) {
        char path[SANDBOX_PATH];
        struct stat status;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) >= SANDBOX_PATH || lstat(path, &status) != 0)
            abort();
        if (S_ISDIR(status.st_mode))
            sandbox_walk(path, each);
        each(path, &status);
    }
    if (entries)
        closedir(entries);
}

static inline void sandbox_remove_one(const char *path, const struct stat *status)
{
    if (S_ISDIR(status->st_mode) ? rmdir(path) : unlink(path))
        abort();
}

static inline void sandbox_remove(const char *path)
{
    sandbox_walk(path, sandbox_remove_one);
    if (rmdir(path) != 0)
        abort();
}

#endif
