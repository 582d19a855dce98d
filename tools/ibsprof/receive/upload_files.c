/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/receive/upload_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/receive/sums.h"

int upload_open(struct uploads *uploads, const struct upload *upload, off_t *ret_size)
{
    char *path = must_text("%s/%s", uploads->order->from, upload->name);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool opened = file >= 0;
    struct stat status;

    if (opened && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(file);
        file = -1;
    }
    if (file < 0) {
        complain("%s: is left there: %s", path, opened ? "it is not a file" : strerror(errno));
        uploads->code = EXIT_INPUT;
    } else {
        *ret_size = status.st_size;
    }
    free(path);
    return file;
}

bool upload_copy(struct uploads *uploads, struct upload *upload, const char *folder)
{
    char *path = must_text("%s/%s", folder, upload->file);
    off_t size;
    int from = upload_open(uploads, upload, &size), to = -1;
    ssize_t part = 1;

    if (from >= 0) {
        to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        while (to >= 0 && part > 0)
            part = sendfile(to, from, NULL, INT_MAX);
        /* On the disk, because the server's copy is removed next. */
        upload->taken = to >= 0 && part == 0 && fsync(to) == 0;
        if (to >= 0)
            upload->taken &= close(to) == 0;
        if (!upload->taken)
            complain("%s: cannot be written: %s", path, strerror(errno));
        close(from);
    }
    free(path);
    return from < 0 || upload->taken;
}

void upload_remove_copies(const struct uploaded_run *run, const char *folder)
{
    for (uint32_t i = 0; i < run->count; i++) {
        char *path = must_text("%s/%s", folder, run->file[i].file);

        (void)unlink(path); /* it may not exist */
        run->file[i].taken = false;
        free(path);
    }
    (void)rmdir(folder);
}

/* Returns whether the first file's bytes are the beginning of the second's. */
static bool is_beginning(FILE *file, FILE *whole)
{
    int byte = getc(file);

    while (byte != EOF && byte == getc(whole))
        byte = getc(file);
    return byte == EOF && !ferror(file);
}

bool upload_came_again(struct uploads *uploads, const struct uploaded_run *run, const char *folder)
{
    bool same = true;

    for (uint32_t i = 0; same && i < run->count; i++) {
        char *path = must_text("%s/%s", folder, run->file[i].file);
        FILE *taken = fopen(path, "rb");
        off_t size = 0;
        int sent = upload_open(uploads, &run->file[i], &size);
        FILE *file = sent >= 0 ? fdopen(sent, "rb") : NULL;

        same = file && (taken ? is_beginning(file, taken) : size == 0 || strcmp(run->file[i].file, "begun.ini") == 0);
        if (file)
            fclose(file);
        else if (sent >= 0)
            close(sent);
        if (taken)
            fclose(taken);
        free(path);
    }
    return same;
}

/* Removes a file that has been taken. */
static void remove_one(struct uploads *uploads, const struct upload *upload)
{
    char *path = must_text("%s/%s", uploads->order->from, upload->name);

    if (upload->taken && unlink(path) != 0) {
        complain("%s: cannot be removed: %s", path, strerror(errno));
        uploads->code = EXIT_INPUT;
    }
    free(path);
}

void upload_remove(struct uploads *uploads, const struct uploaded_run *run)
{
    const struct upload *last = upload_find(run, SUMS_NAME);

    for (uint32_t i = 0; i < run->count; i++)
        if (&run->file[i] != last)
            remove_one(uploads, &run->file[i]);
    if (last)
        remove_one(uploads, last);
}

struct upload *upload_find(const struct uploaded_run *run, const char *file)
{
    for (uint32_t i = 0; i < run->count; i++)
        if (strcmp(run->file[i].file, file) == 0)
            return &run->file[i];
    return NULL;
}

bool upload_begin(const struct uploads *uploads, const struct uploaded_run *run, char **ret_place, char **ret_folder)
{
    bool good;

    *ret_place = must_text("%s/%s/%s", uploads->order->to, run->file->machine, run->file->boot);
    *ret_folder = must_text("%s/.new-%d", *ret_place, (int)getpid());
    good = output_make_folders(*ret_place);
    if (good && mkdir(*ret_folder, 0777) != 0) {
        complain("%s: cannot be made: %s", *ret_folder, strerror(errno));
        good = false;
    }
    return good;
}

/* Puts the names in a folder, the folder's own, and that of its parent, onto the disk. */
static bool settle(const char *folder)
{
    static const char *const places[] = {".", "..", "../.."};
    bool good = true;

    for (unsigned i = 0; good && i < sizeof(places) / sizeof(places[0]); i++) {
        char *path = must_text("%s/%s", folder, places[i]);
        int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        good = file >= 0 && fsync(file) == 0;
        if (file >= 0)
            close(file);
        free(path);
    }
    return good;
}

char *upload_name_folder(const char *folder, const char *place, const char *run)
{
    char *wanted = must_text("%s/%s", place, run), *path = must_copy(wanted);
    struct stat status;
    unsigned number = 1;

    while (lstat(path, &status) == 0) {
        free(path);
        path = must_text("%s-%u", wanted, ++number);
    }
    if (settle(folder) && rename(folder, path) == 0 && settle(place)) {
        if (number > 1)
            complain("%s is there already, so this run's name is now %s-%u", wanted, run, number);
        puts(path);
    } else {
        complain("%s: cannot become %s: %s", folder, path, strerror(errno));
        free(path);
        path = NULL;
    }
    free(wanted);
    return path;
}
