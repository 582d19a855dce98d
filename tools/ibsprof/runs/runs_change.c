/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes, names and the end of runs; the contract is in runs.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/runs/runs.h"

enum { NAME_MAX_CHARS = 80 };

bool run_is_one(const char *path)
{
    struct run_entry run;
    bool facts = false;

    if (!run_folder_has(path, "run.ini")) {
        complain("%s: not the folder of a run: it has no run.ini", path);
        return false;
    }
    if (!run_entry_read(&run, path))
        return false;
    for (uint32_t i = 0; i < run.facts.setting_count; i++)
        facts |= run.facts.settings[i].fact;
    if (!facts)
        complain("%s: not the folder of a run: its run.ini has settings only, and no facts", path);
    run_entry_free(&run);
    return facts;
}

/* ---------------------------------------------------------------- note */

bool run_set_note(const char *path, const char *note)
{
    char *file = must_text("%s/note.txt", path);
    bool good = strlen(note) <= RUNS_NOTE_MAX;

    for (const char *at = note; *at; at++)
        good &= isprint((unsigned char)*at) || (unsigned char)*at >= 0x80;
    if (!good) {
        complain("a note is one line of at most %d bytes", RUNS_NOTE_MAX);
    } else if (note[0] == '\0') {
        good = unlink(file) == 0 || errno == ENOENT;
        if (!good)
            complain("%s: cannot be removed: %s", file, strerror(errno));
    } else {
        char *line = must_text("%s\n", note);

        good = output_replace(file, line, strlen(line));
        free(line);
    }
    free(file);
    return good;
}

/* ---------------------------------------------------------------- name */

/* Returns whether FAT, and a command line without quotes, accept the name. */
static bool is_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-_.+", *at))
            return false;
    return name[0] && name[0] != '.' && name[0] != '-' && name[strlen(name) - 1] != '.' &&
           strlen(name) <= NAME_MAX_CHARS;
}

static bool is_free(const char *path)
{
    struct stat status;

    if (lstat(path, &status) != 0 && errno == ENOENT)
        return true;
    complain("%s: already exists", path);
    return false;
}

bool run_rename(const char *path, const char *name)
{
    char *whole = realpath(path, NULL), *slash = whole ? strrchr(whole, '/') : NULL, *wanted;
    size_t digits = slash ? strspn(slash + 1, "0123456789") : 0;
    bool good;

    if (!is_name(name) || (isdigit((unsigned char)name[0]) && name[strspn(name, "0123456789")] == '-')) {
        complain("'%s' cannot be the name of a run: letters, digits and - _ . +, at most %d; its number stays, and is "
                 "not part of the name",
                 name, NAME_MAX_CHARS);
        free(whole);
        return false;
    }
    if (!slash) {
        complain("%s: %s", path, strerror(errno));
        free(whole);
        return false;
    }
    if (digits > 0 && slash[1 + digits] == '-')
        wanted = must_text("%.*s%s", (int)(slash + 1 + digits + 1 - whole), whole, name);
    else
        wanted = must_text("%.*s%s", (int)(slash + 1 - whole), whole, name);
    good = is_free(wanted);
    if (good && rename(whole, wanted) != 0) {
        complain("%s: cannot become %s: %s", path, wanted, strerror(errno));
        good = false;
    }
    if (good)
        printf("%s\n", wanted);
    free(wanted);
    free(whole);
    return good;
}

/* ---------------------------------------------------------------- delete */

/* Returns whether a name is among 'files', also with ".new" at its end, if firmware could not rename it
 * (efi/files.c). */
static bool is_among(const char *const *files, const char *name)
{
    for (; *files; files++) {
        size_t length = strlen(*files);

        if (strncasecmp(*files, name, length) == 0 && (!name[length] || strcasecmp(name + length, ".new") == 0))
            return true;
    }
    return false;
}

/* Returns whether the image, the Linux twin or this program writes this name into a run's folder. */
static bool is_a_runs(const char *name)
{
    static const char *const ours[] = {"note.txt", "received.lines", NULL};

    return is_among(run_folder_sent, name) || is_among(ours, name);
}

struct content {
    unsigned count;
    uint64_t bytes;
};

/* Checks that everything in the folder is a run's; remove: deletes it. */
static bool walk(const char *path, bool remove, struct content *content)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    bool good = count >= 0;

    *content = (struct content){0};
    if (!good)
        complain("%s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char *file = must_text("%s/%s", path, name);
        struct stat status;

        if (good && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            good = lstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_a_runs(name);
            if (!good)
                complain("%s: not deleted: its '%s' is not a file of a run; move it away first", path, name);
            content->count++;
            content->bytes += good ? (uint64_t)status.st_size : 0;
            if (good && remove && unlink(file) != 0) {
                complain("%s: cannot be deleted: %s", file, strerror(errno));
                good = false;
            }
        }
        free(file);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return good;
}

static bool may_delete(const char *path, const struct content *content)
{
    char answer[16] = "";

    fprintf(stderr, "delete %s (%u files, %" PRIu64 " bytes)? [y/N] ", path, content->count, content->bytes);
    if (!fgets(answer, sizeof(answer), stdin))
        fputc('\n', stderr);
    answer[strcspn(answer, "\n")] = '\0';
    return strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0;
}

bool runs_delete(char *const *paths, uint32_t count, bool yes)
{
    struct content content;
    bool good = true;

    if (!yes && !isatty(STDIN_FILENO)) {
        complain("runs: --delete asks for each run; without a terminal, --yes replaces the answer");
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        good &= run_is_one(paths[i]) && walk(paths[i], false, &content);
    for (uint32_t i = 0; i < count && good; i++) {
        (void)walk(paths[i], false, &content);
        if (!yes && !may_delete(paths[i], &content))
            continue;
        good = walk(paths[i], true, &content);
        if (good && rmdir(paths[i]) != 0) {
            complain("%s: cannot be deleted: %s", paths[i], strerror(errno));
            good = false;
        }
        if (good)
            printf("deleted %s\n", paths[i]);
    }
    return good;
}
