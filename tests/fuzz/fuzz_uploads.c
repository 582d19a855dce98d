/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A boot server's folder with hostile names, links and folders. In all cases: what is not below 'to' stays as it was;
 * what is below it is a regular file at MAC/TIME/RUN/NAME and was on the server; a file that has left the server is
 * there, but for what only tells of the others; and what is taken later changes none of it.
 */
#include <ctype.h>
#include <fcntl.h>

#include "core/run/transfer.h"
#include "tests/fuzz/sandbox.h"
#include "tools/ibsprof/receive/uploads.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    sandbox_silence();
    return 0;
}

static char box[SANDBOX_PATH], to[SANDBOX_PATH + 10];
static unsigned files, on_server;
static uint64_t hash;

/* Holds the server's files before they are taken. A file has at most one byte, but for sums.txt. */
enum { SERVED_MAX = 200 };
static struct served {
    char path[SANDBOX_PATH + 300], byte;
    off_t size;
} served[SERVED_MAX], *wanted;
static bool found;

/* ---------------------------------------------------------------- the server's folder */

static size_t take(const uint8_t **data, size_t *size, char *ret, size_t most)
{
    size_t part = most < *size ? most : *size;

    memcpy(ret, *data, part);
    *data += part;
    *size -= part;
    return part;
}

/* A part of a name: one of the usual ones, or up to 15 bytes of the data. */
static void put_part(char *name, const char *const usual[4], const uint8_t **data, size_t *size)
{
    char part[17] = "";

    take(data, size, part, 1);
    if (part[0] & 0x80) {
        unsigned length = part[0] & 15;

        memset(part, 0, sizeof(part));
        take(data, size, part, length);
        strcat(name, part);
    } else {
        strcat(name, usual[part[0] & 3]);
    }
}

/* Tells of an empty run.ini, and of one that is never right. */
static const char right_sums[] = "try 1\n00000000 0 run.ini\nend\n", wrong_sums[] = "try 1\n00000000 1 run.ini\nend\n";

static void put_one(const uint8_t **data, size_t *size)
{
    static const char *const machines[4] = {"52-54-00-12-34-56", "fe-54-00-12-34-56", "..", "x"},
                             *const boots[4] = {"20261125-184829", "20261125-184829-7", "..", ""},
                             *const runs[4] = {"0001-a", "0001-a-2", "0002-b", ".."},
                             *const names[4] = {"begun.ini", "run.ini", "sums.txt", "perf.data"};
    char name[200] = "", path[SANDBOX_PATH + 300], kind = 0;
    int file;

    take(data, size, &kind, 1);
    put_part(name, machines, data, size);
    strcat(name, ",");
    put_part(name, boots, data, size);
    strcat(name, ",");
    put_part(name, runs, data, size);
    strcat(name, ",");
    put_part(name, names, data, size);
    for (char *slash = name; (slash = strchr(slash, '/'));)
        *slash = '_';
    snprintf(path, sizeof(path), "%s/a/runs/%s", box, name);
    if ((kind & 7) == 7) {
        (void)mkdir(path, 0777);
    } else if ((kind & 7) == 6) {
        (void)symlink("../../secret", path);
    } else if ((file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666)) >= 0) {
        const char *text = strstr(name, "sums.txt") ? (kind & 16 ? right_sums : wrong_sums) : &kind;

        if (write(file, text, text == &kind ? (kind >> 3) & 1 : strlen(text)) < 0)
            abort();
        close(file);
    }
}

/* ---------------------------------------------------------------- what is looked at */

static char first_byte(const char *path)
{
    int file = open(path, O_RDONLY);
    char byte = 0;

    if (file < 0 || read(file, &byte, 1) < 0)
        abort();
    close(file);
    return byte;
}

static void count_file(const char *path, const struct stat *status)
{
    (void)path;
    on_server += S_ISREG(status->st_mode) != 0;
}

static void note_file(const char *path, const struct stat *status)
{
    if (S_ISREG(status->st_mode) && on_server < SERVED_MAX) {
        snprintf(served[on_server].path, sizeof(served->path), "%s", path);
        served[on_server].byte = first_byte(path);
        served[on_server].size = status->st_size;
    }
    count_file(path, status);
}

static void find_file(const char *path, const struct stat *status)
{
    found = found ||
            (S_ISREG(status->st_mode) && status->st_size == wanted->size &&
             strcmp(strrchr(path, '/') + 1, strrchr(wanted->path, ',') + 1) == 0 && first_byte(path) == wanted->byte);
}

/* Returns whether the file's run, or one of its name, was taken with sums.txt. These list run.ini alone here, and what
 * they do not list was not whole when the machine sent them. */
static bool is_summed(const struct served *file)
{
    const char *name = strrchr(file->path, '/') + 1, *end = strrchr(name, ',');

    for (unsigned number = 1; end && number < 9; number++) {
        char path[SANDBOX_PATH + 400], suffix[12] = "";

        if (number > 1)
            snprintf(suffix, sizeof(suffix), "-%u", number);
        snprintf(path, sizeof(path), "%s/%.*s%s/sums.txt", to, (int)(end - name), name, suffix);
        for (char *comma = path + strlen(to); (comma = strchr(comma, ','));)
            *comma = '/';
        if (access(path, F_OK) == 0)
            return strcmp(end, ",run.ini") != 0;
    }
    return false;
}

/* Looks for each file that has left the server, but for begun.ini, sums.txt and empty ones. */
static void look_for_lost(unsigned count)
{
    for (wanted = served; wanted < served + count && wanted < served + SERVED_MAX; wanted++) {
        const char *name = strrchr(wanted->path, ',');

        if (wanted->size == 0 || access(wanted->path, F_OK) == 0)
            continue;
        found = name && (strcmp(name, ",begun.ini") == 0 || strcmp(name, ",sums.txt") == 0 || is_summed(wanted));
        if (name && !found)
            sandbox_walk(to, find_file);
        if (!found)
            abort();
    }
}

static void look_outside(const char *path, const struct stat *status)
{
    const char *name = path + strlen(box);

    if (strncmp(name, "/a/", 3) == 0 ? strncmp(name, "/a/runs", 7) != 0 && strncmp(name, "/a/to", 5) != 0
                                     : strcmp(name, "/a") != 0 && strcmp(name, "/secret") != 0)
        abort();
    if (strcmp(name, "/secret") == 0 && (!S_ISREG(status->st_mode) || status->st_size != 6))
        abort();
}

/* Each part of the path is what its place may have. */
static void look_at_file(const char *path, const struct stat *status)
{
    const char *part = path + strlen(to);
    unsigned depth = 0;

    for (; *part == '/'; depth++) {
        size_t length = strcspn(++part, "/");

        if (!transfer_is_name(part, length) ||
            (depth == 0 && (length != 17 || strspn(part, "0123456789abcdef-") < 17)) ||
            (depth == 1 && (!isdigit((unsigned char)part[7]) || part[8] != '-')) ||
            (depth == 2 && !isdigit((unsigned char)part[3])) || (depth == 3 && !strchr(part, '.')))
            abort();
        part += length;
    }
    if (S_ISREG(status->st_mode) ? depth != 4 : !S_ISDIR(status->st_mode) || depth > 3)
        abort();
    files += depth == 4;
}

static void add_to_hash(const char *path, const struct stat *status)
{
    uint64_t sum = (uint64_t)status->st_ino * 31 + (uint64_t)status->st_size + (uint64_t)status->st_mtim.tv_nsec;

    for (; S_ISREG(status->st_mode) && *path; path++)
        sum = (sum ^ (uint8_t)*path) * 0x100000001b3u;
    hash += S_ISREG(status->st_mode) ? sum : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char from[SANDBOX_PATH + 10], path[SANDBOX_PATH + 10];
    unsigned before, taken;
    FILE *secret;

    sandbox_make(box);
    snprintf(path, sizeof(path), "%s/a", box);
    snprintf(from, sizeof(from), "%s/a/runs", box);
    snprintf(to, sizeof(to), "%s/a/to", box);
    if (mkdir(path, 0777) != 0 || mkdir(from, 0777) != 0)
        abort();
    snprintf(path, sizeof(path), "%s/secret", box);
    secret = fopen(path, "w");
    if (!secret || fputs("secret", secret) < 0 || fclose(secret) != 0)
        abort();
    /* Twice, so that the second time finds names that are taken; the third time takes unfinished runs. */
    files = 0;
    for (unsigned round = 0; round < 3; round++) {
        uint64_t unchanged;

        while (size > 0 && (round > 0 || *data != 0xFF))
            put_one(&data, &size);
        if (size > 0) {
            data++;
            size--;
        }
        on_server = 0;
        sandbox_walk(from, note_file);
        before = on_server;
        hash = 0;
        sandbox_walk(to, add_to_hash);
        unchanged = hash;
        taken = files;
        files = 0;
        if (uploads_take(&(struct uploads_order){.from = from, .to = to, .all = round == 2}) == EXIT_OUTPUT)
            abort();
        on_server = files = 0;
        sandbox_walk(from, count_file);
        sandbox_walk(to, look_at_file);
        sandbox_walk(box, look_outside);
        look_for_lost(before);
        /* Each file is here or there, but for a begun.ini that says only that a run is finished. */
        if (before - on_server < files - taken ||
            (round == 2 && before - on_server != files - taken && before == on_server))
            abort();
        if (files == taken) {
            hash = 0;
            sandbox_walk(to, add_to_hash);
            if (hash != unchanged)
                abort();
        }
    }
    sandbox_remove(box);
    return 0;
}
