/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/receive/uploads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/run/transfer.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/receive/summed.h"
#include "tools/ibsprof/receive/sums.h"
#include "tools/ibsprof/receive/upload_files.h"

/* Size of begun.ini of a finished run: TFTP cannot remove it, so it is sent as only a newline. */
enum { BEGUN_EMPTY = 1 };

/* ---------------------------------------------------------------- names */

/* Returns whether the text begins like the pattern: 'h' is a hexadecimal digit, 'd' a decimal one. */
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

/* Returns whether a run has files of this name, including own code, which has its ELF file's name. */
static bool is_sent(const char *file)
{
    static const char elf[] = ".elf";
    size_t length = strlen(file), end = sizeof(elf) - 1;

    if (length > end && strcmp(file + length - end, elf) == 0 && transfer_is_name(file, length))
        return true;
    for (unsigned i = 0; run_folder_sent[i]; i++)
        if (strcmp(run_folder_sent[i], file) == 0)
            return true;
    return false;
}

static const char machine[] = "hh-hh-hh-hh-hh-hh";

/* Returns whether a machine keeps this file on the server between boots, such as its place in a plan (efi/upload.c). */
static bool is_kept(const char *name)
{
    static const char kept[] = ",kept,";

    return begins(name, machine) && strncmp(name + sizeof(machine) - 1, kept, sizeof(kept) - 1) == 0;
}

/* Splits the name. Returns false for names that no machine writes. */
static bool read_name(struct upload *upload)
{
    char *next = upload->machine;

    strsep(&next, ",");
    upload->boot = strsep(&next, ",");
    upload->run = strsep(&next, ",");
    upload->file = next;
    /* The time may be followed by more. A run's number has at least four digits (app/save/save.c). */
    return upload->file && strlen(upload->machine) == sizeof(machine) - 1 && is_name(upload->machine, machine) &&
           is_name(upload->boot, "dddddddd-dddddd") && is_name(upload->run, "dddd") && is_sent(upload->file);
}

static bool same_run(const struct upload *a, const struct upload *b)
{
    return strcmp(a->machine, b->machine) == 0 && strcmp(a->boot, b->boot) == 0 && strcmp(a->run, b->run) == 0;
}

/* ---------------------------------------------------------------- runs */

/* Returns whether begun.ini has text, so the machine is at work; also, after a complaint, if it is no file. */
static bool is_begun(struct uploads *uploads, const struct uploaded_run *run)
{
    struct upload *begun = upload_find(run, "begun.ini");
    off_t size = 0;
    int file = begun ? upload_open(uploads, begun, &size) : -1;

    if (file >= 0)
        close(file);
    return begun && (file < 0 || size > BEGUN_EMPTY);
}

/* Removes files of a run that came again after it was taken: an empty begun.ini, or a file whose request was late,
 * which in.tftpd makes anew. Returns false for other runs. */
static bool remove_rest(struct uploads *uploads, const struct uploaded_run *run)
{
    char *folder = must_text("%s/%s/%s/%s", uploads->order->to, run->file->machine, run->file->boot, run->file->run);
    char *path = must_text("%s/" SUMS_NAME, folder);
    bool rest = access(path, F_OK) == 0 && upload_came_again(uploads, run, folder);

    free(path);
    free(folder);
    for (uint32_t i = 0; rest && i < run->count; i++)
        run->file[i].taken = true;
    if (rest)
        upload_remove(uploads, run);
    return rest;
}

/* Copies the run into a new folder, names that, and removes the run from the server. Returns false after a complaint if
 * writing failed. */
static bool take(struct uploads *uploads, const struct uploaded_run *run)
{
    char *place, *folder, *path = NULL;
    bool good = upload_begin(uploads, run, &place, &folder);

    if (good) {
        if (run->finished)
            upload_find(run, "begun.ini")->taken = true;
        for (uint32_t i = 0; good && i < run->count; i++)
            good = run->file[i].taken || upload_copy(uploads, &run->file[i], folder);
        path = good ? upload_name_folder(folder, place, run->file->run) : NULL;
        good = path != NULL;
        if (good)
            upload_remove(uploads, run);
        else
            upload_remove_copies(run, folder);
        good = good && (!uploads->order->keep || uploads->order->keep(uploads->order->context, path));
    }
    free(path);
    free(folder);
    free(place);
    return good;
}

/* Takes one run, or prints why not. Returns false after a complaint if writing failed. */
static bool take_one(struct uploads *uploads, struct uploaded_run *run)
{
    bool has_sums = upload_find(run, SUMS_NAME);
    enum summed summed = has_sums ? summed_take(uploads, run) : SUMMED_OPEN;

    run->finished = false;
    if (summed != SUMMED_OPEN && !(summed == SUMMED_DAMAGED && uploads->order->all))
        return summed != SUMMED_FAILED;
    if (!has_sums && !is_begun(uploads, run)) {
        if (remove_rest(uploads, run))
            return true;
        run->finished = upload_find(run, "begun.ini") && upload_find(run, "run.ini") && !uploads->order->confirm;
    }
    if (run->finished || uploads->order->all)
        return take(uploads, run);
    printf("not finished: %s,%s,%s\n", run->file->machine, run->file->boot, run->file->run);
    return true;
}

static bool take_all(struct uploads *uploads)
{
    struct uploaded_run run = {.file = uploads->file};

    for (uint32_t left = uploads->count; left > 0; left -= run.count, run.file += run.count) {
        for (run.count = 1; run.count < left && same_run(&run.file[0], &run.file[run.count]);)
            run.count++;
        if (!take_one(uploads, &run))
            return false;
    }
    return true;
}

/* Reads the names. Returns false after a complaint. */
static bool list(struct uploads *uploads)
{
    struct dirent **entries;
    int count = access(uploads->order->from, W_OK) == 0 ? scandir(uploads->order->from, &entries, NULL, alphasort) : -1;
    const char *other = NULL;
    unsigned others = 0;

    if (count < 0)
        complain("%s: runs cannot be moved from there: %s", uploads->order->from, strerror(errno));
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
        complain("%s: %u files that belong to no run are left there; the first: '%s'", uploads->order->from, others,
                 other);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    if (count >= 0)
        free(entries);
    return count >= 0;
}

/* Locks the folder against other programs that take from it, because two would give one run two names. Returns -1 if it
 * is unreadable, which the listing reports. */
static int lock(const char *from)
{
    int file = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (file >= 0)
        (void)flock(file, LOCK_EX); /* on file systems without locks, the user starts one program at a time */
    return file;
}

enum exit_code uploads_take(const struct uploads_order *order)
{
    struct uploads uploads = {.order = order, .code = EXIT_DONE};
    int locked = lock(order->from);

    if (!list(&uploads))
        uploads.code = EXIT_INPUT;
    else if (!take_all(&uploads))
        uploads.code = EXIT_OUTPUT;
    for (uint32_t i = 0; i < uploads.count; i++) {
        free(uploads.file[i].machine);
        free(uploads.file[i].name);
    }
    free(uploads.file);
    if (locked >= 0)
        close(locked);
    return uploads.code;
}
