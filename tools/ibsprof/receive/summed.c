/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The order of steps allows for a power cut between any two: the copies are right and on the disk, their folder has
 * its name, the run is kept (in an archive), the machine has its answer, the server's files are removed. Missing steps
 * are done the next time, because sums.txt on the server equals the folder's.
 */
#include "tools/ibsprof/receive/summed.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/receive/sums.h"

struct summed_run {
    struct uploads *uploads;
    const struct uploaded_run *run;
    char text[SUMS_MAX + 1]; /* copy of sums.txt: the server's may change meanwhile */
    size_t size;
    struct sums sums;
};

static bool read_text(int file, char *text, size_t *ret_size)
{
    ssize_t size = pread(file, text, SUMS_MAX + 1, 0);

    *ret_size = size > 0 ? (size_t)size : 0;
    return size > 0;
}

/* Returns whether a file of the folder matches its row. */
static bool is_right(const struct sums_row *row, const char *folder)
{
    char *path = must_text("%s/%s", folder, row->name);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool right = file >= 0 && sums_right(row, file);

    if (file >= 0)
        close(file);
    free(path);
    return right;
}

/* Returns whether the folder has these files: a damaged run that was taken by hand also has sums.txt. */
static bool is_there(const struct summed_run *summed, const char *folder)
{
    char *path = must_text("%s/" SUMS_NAME, folder), text[SUMS_MAX + 1];
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    size_t size = 0;
    bool same =
        file >= 0 && read_text(file, text, &size) && size == summed->size && memcmp(text, summed->text, size) == 0;

    if (file >= 0)
        close(file);
    free(path);
    for (uint32_t i = 0; same && i < summed->sums.count; i++)
        same = is_right(&summed->sums.row[i], folder);
    return same;
}

/* Returns the folder RUN, RUN-2, ... of an earlier copy of the run; NULL: none. */
static char *find_there(const struct summed_run *summed)
{
    const struct upload *first = summed->run->file;
    char *wanted = must_text("%s/%s/%s/%s", summed->uploads->order->to, first->machine, first->boot, first->run);
    char *path = must_copy(wanted);
    struct stat status;

    for (unsigned number = 2; lstat(path, &status) == 0 && !is_there(summed, path); number++) {
        free(path);
        path = must_text("%s-%u", wanted, number);
    }
    free(wanted);
    if (lstat(path, &status) == 0)
        return path;
    free(path);
    return NULL;
}

/* Copies the file and checks the copy. */
static enum summed copy_one(struct summed_run *summed, const struct sums_row *row, const char *folder)
{
    struct upload *upload = upload_find(summed->run, row->name);
    enum summed result = SUMMED_DAMAGED;

    if (upload && !upload_copy(summed->uploads, upload, folder))
        result = SUMMED_FAILED;
    else if (upload && upload->taken && is_right(row, folder))
        result = SUMMED_TAKEN;
    if (result == SUMMED_DAMAGED)
        printf("damaged: %s,%s,%s: %s\n", summed->run->file->machine, summed->run->file->boot, summed->run->file->run,
               row->name);
    return result;
}

static enum summed copy_all(struct summed_run *summed, const char *folder)
{
    char *path = must_text("%s/" SUMS_NAME, folder);
    enum summed result = SUMMED_TAKEN;

    for (uint32_t i = 0; i < summed->sums.count && result == SUMMED_TAKEN; i++)
        result = copy_one(summed, &summed->sums.row[i], folder);
    if (result == SUMMED_TAKEN && !output_replace(path, summed->text, summed->size))
        result = SUMMED_FAILED;
    free(path);
    return result;
}

/* Returns the run's new folder; NULL: *result is the reason. */
static char *take_new(struct summed_run *summed, enum summed *result)
{
    char *place, *folder, *path = NULL;

    *result = upload_begin(summed->uploads, summed->run, &place, &folder) ? copy_all(summed, folder) : SUMMED_FAILED;
    if (*result == SUMMED_TAKEN)
        path = upload_name_folder(folder, place, summed->run->file->run);
    if (*result == SUMMED_TAKEN && !path)
        *result = SUMMED_FAILED;
    if (!path)
        upload_remove_copies(summed->run, folder);
    free(folder);
    free(place);
    return path;
}

/* Sends the answer to the machine, if there is a folder for answers. */
static bool answer(const struct summed_run *summed, const char *before)
{
    const struct uploads_order *order = summed->uploads->order;
    const struct upload *first = summed->run->file;
    char *path, *text;
    bool good;

    if (!order->confirm)
        return true;
    path = must_text("%s/%s,%s,%s", order->confirm, first->machine, first->boot, first->run);
    text = must_text("%s%s", before, summed->text);
    good = output_replace(path, text, strlen(text));
    free(text);
    free(path);
    return good;
}

/* Keeps the folder, and removes the server's files. */
static enum summed end(struct summed_run *summed, const char *folder)
{
    const struct uploads_order *order = summed->uploads->order;

    if ((order->keep && !order->keep(order->context, folder)) || !answer(summed, ""))
        return SUMMED_FAILED;
    for (uint32_t i = 0; i < summed->run->count; i++)
        summed->run->file[i].taken = true; /* including files that were incomplete when sums.txt was sent */
    upload_remove(summed->uploads, summed->run);
    return SUMMED_TAKEN;
}

/* Tells the machine that the run is damaged, and forgets begun.ini and sums.txt until they come again. */
static enum summed refuse(struct summed_run *summed)
{
    if (summed->uploads->code == EXIT_DONE)
        summed->uploads->code = EXIT_INPUT;
    if (!summed->uploads->order->confirm)
        return SUMMED_DAMAGED;
    if (!answer(summed, "again\n"))
        return SUMMED_FAILED;
    for (uint32_t i = 0; i < summed->run->count; i++)
        summed->run->file[i].taken =
            strcmp(summed->run->file[i].file, SUMS_NAME) == 0 || strcmp(summed->run->file[i].file, "begun.ini") == 0;
    upload_remove(summed->uploads, summed->run);
    return SUMMED_DAMAGED;
}

enum summed summed_take(struct uploads *uploads, const struct uploaded_run *run)
{
    struct summed_run summed = {.uploads = uploads, .run = run};
    off_t size;
    int file = upload_open(uploads, upload_find(run, SUMS_NAME), &size);
    enum summed result = SUMMED_TAKEN;
    char *folder;

    if (file < 0)
        return SUMMED_OPEN;
    if (!read_text(file, summed.text, &summed.size) || !sums_read(&summed.sums, summed.text, summed.size)) {
        close(file);
        return SUMMED_OPEN;
    }
    close(file);
    folder = find_there(&summed);
    if (!folder)
        folder = take_new(&summed, &result);
    if (folder)
        result = end(&summed, folder);
    else if (result == SUMMED_DAMAGED)
        result = refuse(&summed);
    free(folder);
    sums_free(&summed.sums);
    return result;
}
