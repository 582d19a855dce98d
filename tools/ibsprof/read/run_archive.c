/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/run_archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/process.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/read/run_folder.h"

enum { BLOCK = 512, MAGIC = 257 /* of POSIX' "ustar Interchange Format" */ };

static struct process_archives *const all = &process.archives;

bool run_archives_damaged(void)
{
    return all->damaged;
}

/* ---------------------------------------------------------------- operands */

static bool is_tar(const char *path)
{
    const char *end = strrchr(path, '.');
    uint8_t block[BLOCK];
    struct stat status;
    FILE *file;
    size_t size;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || !(file = fopen(path, "rb")))
        return false;
    size = fread(block, 1, BLOCK, file);
    fclose(file);
    /* An empty tar is zeros, and a damaged one anything, so its name counts. */
    return (size == BLOCK && memcmp(block + MAGIC, "ustar", 5) == 0) || (end && strcasecmp(end, ".tar") == 0);
}

/* Splits "TAR" or "TAR:RUN" into the tar, to be freed, and the run. Returns NULL for other operands. */
static char *split(const char *operand, const char **ret_run)
{
    const char *colon = strrchr(operand, ':');
    char *path;

    *ret_run = NULL;
    if (is_tar(operand))
        return must_copy(operand);
    if (!colon || access(operand, F_OK) == 0)
        return NULL;
    path = must_text("%.*s", (int)(colon - operand), operand);
    *ret_run = colon + 1;
    if (is_tar(path))
        return path;
    free(path);
    return NULL;
}

bool run_archive_is(const char *operand)
{
    const char *run;
    char *path = split(operand, &run);

    free(path);
    return path != NULL;
}

/* Returns whether the name is wanted: "3" and "0003" are the run's number, other texts its name. */
static bool is_wanted(const char *name, const char *wanted)
{
    char *end;
    unsigned long number = strtoul(wanted, &end, 10);

    if (!*wanted || *end)
        return strcmp(name, wanted) == 0;
    return strtoul(name, &end, 10) == number && end != name && *end == '-';
}

/* ---------------------------------------------------------------- the folder */

static int remove_one(const char *path, const struct stat *status, int flag, struct FTW *walk)
{
    return remove(path);
}

static void end_folder(void)
{
    close(all->alive);
    waitpid(all->cleaner, NULL, 0);
}

/* Makes the folder, reports its name or an error, and removes it when 'alive' is closed at the other end. Only this
 * process knows the folder until then, so that killing the other one cannot leave it behind. */
static void clean(int tell, int other_end, char *template)
{
    char byte;
    int error;

    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 3; i++)
        close(i); /* pipes that we write to must end with us */
    error = mkdtemp(template) ? 0 : errno;
    (void)!write(tell, &error, sizeof(error));
    (void)!write(tell, template, strlen(template));
    close(tell);
    while (read(other_end, &byte, 1) < 0 && errno == EINTR)
        ;
    if (!error)
        nftw(template, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    _exit(0);
}

/* Starts a process that owns the folder and waits for this one's end, so that the folder is also removed after Ctrl-C
 * and a kill. */
static bool make_folder(void)
{
    const char *place = getenv("TMPDIR");
    int ends[2], told[2], error = 0;
    size_t length;

    if (all->folder)
        return true;
    all->folder = must_text("%s/ibsprof-XXXXXX", place && *place ? place : "/tmp");
    length = strlen(all->folder);
    if (pipe2(ends, O_CLOEXEC) != 0 || pipe2(told, O_CLOEXEC) != 0 || (all->cleaner = fork()) < 0) {
        complain("%s: %s", all->folder, strerror(errno));
        return false;
    }
    if (all->cleaner == 0) {
        close(ends[1]);
        close(told[0]);
        clean(told[1], ends[0], all->folder);
    }
    close(ends[0]);
    close(told[1]);
    if (read(told[0], &error, sizeof(error)) != sizeof(error) || read(told[0], all->folder, length) != (ssize_t)length)
        error = error ? error : EPIPE;
    close(told[0]);
    all->alive = ends[1];
    atexit(end_folder);
    if (error)
        complain("%s: %s", all->folder, strerror(error));
    return !error;
}

/* ---------------------------------------------------------------- contents */

/* Finds the last two names of "ibsboot/runs/0003-matmul-classic-ibs/run.ini". Returns false if there are no two, or
 * they are hidden. */
static bool names_of(const char *path, char **ret_run, const char **ret_file)
{
    const char *slash = strrchr(path, '/'), *first;

    if (!slash || slash == path || slash[1] == '\0' || slash[1] == '.')
        return false;
    for (first = slash; first > path && first[-1] != '/'; first--)
        ;
    if (*first == '.' || first == slash)
        return false;
    *ret_run = must_text("%.*s", (int)(slash - first), first);
    *ret_file = slash + 1;
    return true;
}

/* Unpacks one file; an empty one means that it was removed. Returns false after a complaint if writing failed. */
static bool take_file(struct archive *from, const char *to, int64_t size, enum exit_code *ret_code)
{
    int file, result;

    if (size == 0) {
        (void)remove(to);
        return true;
    }
    file = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
        complain("%s: %s", to, strerror(errno));
        return false;
    }
    result = archive_read_data_into_fd(from, file);
    close(file);
    if (result == ARCHIVE_OK)
        return true;
    (void)remove(to); /* keep no half of it */
    *ret_code = EXIT_INPUT;
    return true;
}

/* Unpacks one run, or all if 'wanted' is NULL. */
static bool take_out(struct archive *from, const char *tar, const char *to, const char *wanted)
{
    enum exit_code part = EXIT_DONE;
    struct archive_entry *entry;
    uint32_t files = 0;
    bool good = true;
    int result;

    while (good && part == EXIT_DONE && (result = archive_read_next_header(from, &entry)) != ARCHIVE_EOF) {
        char *run, *run_folder, *path;
        const char *file;

        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
            part = EXIT_INPUT;
            break;
        }
        if (archive_entry_filetype(entry) != AE_IFREG || !archive_entry_pathname(entry) ||
            !names_of(archive_entry_pathname(entry), &run, &file))
            continue;
        files++;
        run_folder = must_text("%s/%s", to, run);
        path = must_text("%s/%s", run_folder, file);
        if (!wanted || is_wanted(run, wanted)) {
            (void)mkdir(run_folder, 0700); /* the file's error reports this */
            good = take_file(from, path, archive_entry_size(entry), &part);
        }
        free(path);
        free(run_folder);
        free(run);
    }
    if (part != EXIT_DONE) {
        all->damaged = true;
        complain("%s: damaged after %u files (%s); only the files before are read", tar, files,
                 archive_error_string(from) ? archive_error_string(from) : "no reason known");
    }
    return good;
}

/* Returns the folder that replaces the operand; NULL after a complaint. */
static char *open_one(const char *tar, const char *wanted, uint32_t number)
{
    struct archive *from = archive_read_new();
    char *to = NULL, *result = NULL;
    struct run_list runs = {0};

    archive_read_support_format_tar(from);
    archive_read_support_format_empty(from);
    if (!make_folder())
        goto end;
    to = must_text("%s/%u.tar", all->folder, number); /* no such name is a prefix of another: base/shown.h */
    if (mkdir(to, 0700) != 0) {
        complain("%s: %s", to, strerror(errno));
        goto end;
    }
    shown_add(to, tar);
    if (archive_read_open_filename(from, tar, 1 << 20) != ARCHIVE_OK) {
        complain("%s: not a tar: %s", tar, archive_error_string(from));
        goto end;
    }
    if (!take_out(from, tar, to, wanted))
        goto end;
    if (!run_list_find_all(&runs, to))
        complain(wanted ? "%s: no run '%s' in it; 'ibsprof runs' lists its runs" : "%s: no runs in it", tar, wanted);
    else
        result = must_copy(wanted ? runs.path[0] : to);
    run_list_free(&runs);
end:
    archive_read_free(from);
    free(to);
    return result;
}

bool run_archives_open(int count, char **operands)
{
    for (int i = 0; i < count; i++) {
        const char *wanted;
        char *tar = split(operands[i], &wanted), *instead;

        if (!tar)
            continue;
        instead = open_one(tar, wanted, all->number++);
        free(tar);
        if (!instead)
            return false;
        operands[i] = instead;
    }
    return true;
}

bool run_operands_read(const struct option_table *table, int *argc, char ***argv, void *settings,
                       enum exit_code *ret_code)
{
    if (!options_read(table, argc, argv, settings, ret_code))
        return false;
    for (int i = 0; i < *argc; i++)
        if (strcmp((*argv)[i], "-") == 0)
            (*argv)[i] = (char *)(uintptr_t) "/dev/stdin";
    if (run_archives_open(*argc, *argv))
        return true;
    *ret_code = EXIT_INPUT;
    return false;
}
