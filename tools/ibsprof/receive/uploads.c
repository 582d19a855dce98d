/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/receive/uploads.h"

#include <dirent.h>
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

#include "core/run/transfer.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/read/run_folder.h"

/* begun.ini of a finished run: it cannot be removed by TFTP, so it is sent as a newline alone. */
enum { BEGUN_EMPTY = 1 };

/* A file's name, with its commas replaced by ends. */
struct upload {
    char *name; /* as it is on the server */
    char *machine, *boot, *run, *file;
    bool taken;
};

/* The files of one run: neighbours in the order of names. */
struct uploaded_run {
    struct upload *file;
    uint32_t count;
    bool finished;
};

struct uploads {
    const char *from, *to;
    struct upload *file;
    uint32_t count;
    enum exit_code code;
};

/* ---------------------------------------------------------------- names */

/* The text begins as the pattern says: 'h' is a hexadecimal digit, 'd' a decimal one. */
static bool begins(const char *text, const char *pattern)
{
    static const char digits[] = "0123456789abcdef";

    for (; *pattern; pattern++, text++) {
        const char *digit = *text ? strchr(digits, *text) : NULL;

        if (*pattern == '-' ? *text != '-' : !digit || (*pattern == 'd' && digit - digits >= 10))
            return false;
    }
    return true;
}

static bool is_name(const char *text, const char *pattern)
{
    return begins(text, pattern) && transfer_is_name(text, strlen(text));
}

static bool is_sent(const char *file)
{
    for (unsigned i = 0; run_folder_sent[i]; i++)
        if (strcmp(run_folder_sent[i], file) == 0)
            return true;
    return false;
}

static const char machine[] = "hh-hh-hh-hh-hh-hh";

/* Returns whether a machine keeps the file on the server from boot to boot, as its place in a plan (efi/upload.c). */
static bool is_kept(const char *name)
{
    static const char kept[] = ",kept,";

    return begins(name, machine) && strncmp(name + sizeof(machine) - 1, kept, sizeof(kept) - 1) == 0;
}

/* Splits the name; false: no machine names a file so. */
static bool read_name(struct upload *upload)
{
    char *next = upload->machine;

    strsep(&next, ",");
    upload->boot = strsep(&next, ",");
    upload->run = strsep(&next, ",");
    upload->file = next;
    /* The time may have more after it. A run's number has at least four digits (app/save/save.c). */
    return upload->file && strlen(upload->machine) == sizeof(machine) - 1 && is_name(upload->machine, machine) &&
           is_name(upload->boot, "dddddddd-dddddd") && is_name(upload->run, "dddd") && is_sent(upload->file);
}

static bool same_run(const struct upload *a, const struct upload *b)
{
    return strcmp(a->machine, b->machine) == 0 && strcmp(a->boot, b->boot) == 0 && strcmp(a->run, b->run) == 0;
}

/* ---------------------------------------------------------------- files */

/* Opens a file of the server's; -1 after a complaint: a link, or anything else that no machine has written. */
static int open_upload(struct uploads *uploads, const struct upload *upload, off_t *ret_size)
{
    char *path = must_text("%s/%s", uploads->from, upload->name);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool opened = file >= 0;
    struct stat status;

    if (opened && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(file);
        file = -1;
    }
    if (file < 0) {
        complain("%s: stays there: %s", path, opened ? "it is not a file" : strerror(errno));
        uploads->code = EXIT_INPUT;
    } else {
        *ret_size = status.st_size;
    }
    free(path);
    return file;
}

/* Copies one file, or skips one that cannot be taken. False after a complaint: it cannot be written. */
static bool copy(struct uploads *uploads, struct upload *upload, const char *folder)
{
    char *path = must_text("%s/%s", folder, upload->file);
    off_t size;
    int from = open_upload(uploads, upload, &size), to = -1;
    ssize_t part = 1;

    if (from >= 0) {
        to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        while (to >= 0 && part > 0)
            part = sendfile(to, from, NULL, INT_MAX);
        upload->taken = to >= 0 && part == 0 && fsync(to) == 0; /* the server's copy is removed next */
        if (to >= 0)
            upload->taken &= close(to) == 0;
        if (!upload->taken)
            complain("%s: cannot be written: %s", path, strerror(errno));
        close(from);
    }
    free(path);
    return from < 0 || upload->taken;
}

/* Takes back a folder that did not become complete. */
static void remove_copies(const struct uploaded_run *run, const char *folder)
{
    for (uint32_t i = 0; i < run->count; i++) {
        char *path = must_text("%s/%s", folder, run->file[i].file);

        (void)unlink(path); /* it may not be there */
        free(path);
    }
    (void)rmdir(folder);
}

/* Removes from the server what has been taken, begun.ini first: without it the rest is no finished run. */
static void remove_uploads(struct uploads *uploads, const struct uploaded_run *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        char *path = must_text("%s/%s", uploads->from, run->file[i].name);

        if (run->file[i].taken && unlink(path) != 0) {
            complain("%s: cannot be removed: %s", path, strerror(errno));
            uploads->code = EXIT_INPUT;
        }
        free(path);
    }
}

/* ---------------------------------------------------------------- runs */

static struct upload *find(const struct uploaded_run *run, const char *file)
{
    for (uint32_t i = 0; i < run->count; i++)
        if (strcmp(run->file[i].file, file) == 0)
            return &run->file[i];
    return NULL;
}

static bool is_finished(struct uploads *uploads, const struct uploaded_run *run)
{
    const struct upload *begun = find(run, "begun.ini");
    off_t size = 0;
    int file = begun ? open_upload(uploads, begun, &size) : -1;

    if (file < 0)
        return false;
    close(file);
    return size <= BEGUN_EMPTY && find(run, "run.ini");
}

/* Gives the folder the first of the names RUN, RUN-2, RUN-3, ... that nothing has. False after a complaint. */
static bool name_folder(const char *folder, const char *place, const char *run)
{
    char *wanted = must_text("%s/%s", place, run), *path = must_copy(wanted);
    struct stat status;
    unsigned number = 1;
    bool good;

    while (lstat(path, &status) == 0) {
        free(path);
        path = must_text("%s-%u", wanted, ++number);
    }
    good = rename(folder, path) == 0;
    if (!good)
        complain("%s: cannot become %s: %s", folder, path, strerror(errno));
    else if (number > 1)
        complain("%s is there already, so this run's name is now %s-%u", wanted, run, number);
    if (good)
        puts(path);
    free(path);
    free(wanted);
    return good;
}

/* Copies the run into a new folder, names that, and removes the run from the server. False after a complaint: something
 * cannot be written. */
static bool take(struct uploads *uploads, const struct uploaded_run *run)
{
    char *place = must_text("%s/%s/%s", uploads->to, run->file->machine, run->file->boot);
    char *folder = must_text("%s/.new-%d", place, (int)getpid());
    bool good = output_make_folders(place);

    if (good && mkdir(folder, 0777) != 0) {
        complain("%s: cannot be made: %s", folder, strerror(errno));
        good = false;
    } else if (good) {
        if (run->finished)
            find(run, "begun.ini")->taken = true;
        for (uint32_t i = 0; good && i < run->count; i++)
            good = run->file[i].taken || copy(uploads, &run->file[i], folder);
        good = good && name_folder(folder, place, run->file->run);
        if (good)
            remove_uploads(uploads, run);
        else
            remove_copies(run, folder);
    }
    free(folder);
    free(place);
    return good;
}

static bool take_all(struct uploads *uploads, bool all)
{
    struct uploaded_run run = {.file = uploads->file};

    for (uint32_t left = uploads->count; left > 0; left -= run.count, run.file += run.count) {
        for (run.count = 1; run.count < left && same_run(&run.file[0], &run.file[run.count]);)
            run.count++;
        run.finished = is_finished(uploads, &run);
        if (!run.finished && !all)
            printf("not finished: %s,%s,%s\n", run.file->machine, run.file->boot, run.file->run);
        else if (!take(uploads, &run))
            return false;
    }
    return true;
}

/* Reads the names; false after a complaint. */
static bool list(struct uploads *uploads)
{
    struct dirent **entries;
    int count = access(uploads->from, W_OK) == 0 ? scandir(uploads->from, &entries, NULL, alphasort) : -1;
    const char *other = NULL;
    unsigned others = 0;

    if (count < 0)
        complain("%s: runs cannot be moved from there: %s", uploads->from, strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        struct upload upload = {.name = must_copy(name), .machine = must_copy(name)};

        if (read_name(&upload)) {
            *must_add(uploads->file, uploads->count) = upload;
            continue;
        }
        free(upload.machine);
        free(upload.name);
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || is_kept(name))
            continue;
        other = other ? other : name;
        others++;
    }
    if (others)
        complain("%s: %u files of no run stay there; the first: '%s'", uploads->from, others, other);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    if (count >= 0)
        free(entries);
    return count >= 0;
}

enum exit_code uploads_take(const char *from, const char *to, bool all)
{
    struct uploads uploads = {.from = from, .to = to, .code = EXIT_DONE};

    if (!list(&uploads))
        uploads.code = EXIT_INPUT;
    else if (!take_all(&uploads, all))
        uploads.code = EXIT_OUTPUT;
    for (uint32_t i = 0; i < uploads.count; i++) {
        free(uploads.file[i].machine);
        free(uploads.file[i].name);
    }
    free(uploads.file);
    return uploads.code;
}
