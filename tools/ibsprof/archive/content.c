/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/archive/content.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/read/run_folder.h"

/* A value of SQLite or PostgreSQL holds at most 1 GB (sqlite.org/limits.html; bytea). */
enum { FILE_MAX = 512 << 20 };

static void in_digits(struct sha256_ctx *sha, char ret_text[DIGEST_TEXT])
{
    uint8_t digest[SHA256_DIGEST_SIZE];

    sha256_digest(sha, sizeof(digest), digest);
    for (unsigned i = 0; i < sizeof(digest); i++)
        snprintf(ret_text + 2 * (size_t)i, 3, "%02x", digest[i]);
}

void content_digest(const void *bytes, size_t size, char ret_text[DIGEST_TEXT])
{
    struct sha256_ctx sha;

    sha256_init(&sha);
    sha256_update(&sha, size, bytes);
    in_digits(&sha, ret_text);
}

/* Reads a whole file. Returns false with errno. */
static bool read_all(int fd, struct content_file *file)
{
    ssize_t got = 1;
    size_t done = 0;

    for (; done < file->size && got > 0; done += (size_t)got) {
        got = read(fd, (char *)file->bytes + done, file->size - done);
        if (got < 0)
            return false;
    }
    errno = EIO; /* it became shorter */
    return done == file->size;
}

bool content_add(struct content *content, const char *path, const char *name)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    bool good = fd >= 0 && fstat(fd, &status) == 0;

    if (good && status.st_size > FILE_MAX) {
        good = false;
        errno = EFBIG;
    } else if (good) {
        struct content_file file = {.name = must_copy(name), .size = (size_t)status.st_size};

        file.bytes = must_alloc(file.size, 1);
        good = read_all(fd, &file);
        content_digest(file.bytes, file.size, file.digest);
        *must_add(content->file, content->count) = file;
    }
    if (!good)
        complain("%s: %s", shown(path), strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}

static int is_of_run(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "note.txt") != 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool add_folder(struct content *content, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_of_run, by_bytes);
    bool good = true;

    for (int i = 0; i < count; i++) {
        char *path = must_text("%s/%s", folder, entries[i]->d_name);
        struct stat status;

        if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
            good &= content_add(content, path, entries[i]->d_name);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return good;
}

void content_identify(struct content *content)
{
    struct sha256_ctx sha;

    sha256_init(&sha);
    for (uint32_t i = 0; i < content->count; i++) {
        sha256_update(&sha, strlen(content->file[i].name) + 1, (const uint8_t *)content->file[i].name);
        sha256_update(&sha, DIGEST_TEXT - 1, (const uint8_t *)content->file[i].digest);
    }
    in_digits(&sha, content->digest);
}

bool content_read(struct content *content, const char *path)
{
    struct stat status;
    bool good;

    *content = (struct content){0};
    if (run_folder_has(path, "run.ini") || run_folder_has(path, "begun.ini")) {
        good = add_folder(content, path);
    } else {
        bool is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
        char *file = is_folder ? must_text("%s/perf.data", path) : must_copy(path);

        good = content_add(content, file, "perf.data");
        free(file);
    }
    content_identify(content);
    return good;
}

void content_free(struct content *content)
{
    for (uint32_t i = 0; i < content->count; i++) {
        free(content->file[i].name);
        free(content->file[i].bytes);
    }
    free(content->file);
    *content = (struct content){0};
}
