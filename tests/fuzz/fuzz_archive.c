/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tar of runs with hostile names, kinds and sizes, as ibsprof takes it out: in all cases only regular files two
 * folders below its own folder in TMPDIR, and nothing anywhere else.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "core/run/tar.h"
#include "tests/fuzz/sandbox.h"
#include "tools/ibsprof/read/run_archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

static char box[SANDBOX_PATH], place[SANDBOX_PATH + 10];

static void remove_box(void)
{
    sandbox_remove(box);
}

/* ibsprof makes its folder once, and a process that removes it at the end. */
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    sandbox_silence();
    sandbox_make(box);
    snprintf(place, sizeof(place), "%s/tmp", box);
    if (mkdir(place, 0777) != 0 || setenv("TMPDIR", place, 1) != 0 || atexit(remove_box) != 0)
        abort();
    return 0;
}

static void look(const char *path, const struct stat *status)
{
    const char *name = path + strlen(box);
    unsigned depth = 0;

    for (const char *at = name; *at; at++)
        depth += *at == '/';
    /* tmp/ibsprof-XXXXXX/NUMBER/RUN/FILE */
    if (strncmp(name, "/tmp", 4) != 0 || (depth == 5 ? !S_ISREG(status->st_mode) : !S_ISDIR(status->st_mode)) ||
        depth > 5)
        abort();
    if (depth >= 3)
        sandbox_remove_one(path, status); /* the next input's is another number */
}

/* The sum of a header is made right, or hardly any input would come further. */
static void mend(uint8_t *block)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < DISK_SECTOR; i++)
        sum += i >= 148 && i < 156 ? ' ' : block[i];
    snprintf((char *)block + 148, 8, "%06o", sum);
}

/* Six bytes before each entry: kind, length of the name, size of the contents, contents that are missing, and the parts
 * of the header that are as the data have them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char kinds[] = "000001257xgLK";
    static const char *const before[] = {"", "ibsboot/runs/", "../", "/"};
    int file = memfd_create("tar", 0);
    char path[64], *operand[1] = {path};

    if (file < 0)
        abort();
    for (unsigned entries = 0; size >= 6 && entries < 20; entries++) {
        uint8_t block[DISK_SECTOR], contents[4 * DISK_SECTOR] = {0}, what[6];
        char name[TAR_NAME_MAX] = "";
        size_t length, bytes;

        memcpy(what, data, 6);
        data += 6;
        size -= 6;
        length = what[1] % 60 < size ? what[1] % 60 : size;
        strcpy(name, before[what[1] / 60 & 3]);
        memcpy(name + strlen(name), data, length);
        data += length;
        size -= length;
        bytes = what[2] < size ? what[2] : size;
        tar_header(block, name, what[5] & 1 ? (uint64_t)what[3] << (what[4] & 31) : bytes, 0);
        block[156] = (uint8_t)kinds[what[0] % (sizeof(kinds) - 1)];
        memcpy(contents, data, bytes);
        if (what[5] & 2)
            memcpy(block + 157, data, bytes < 100 ? bytes : 100); /* where a link leads */
        if (what[5] & 4)
            memcpy(block + 345, data, bytes < 155 ? bytes : 155); /* a prefix of the name */
        mend(block);
        if (write(file, block, sizeof(block)) < 0 ||
            (bytes && write(file, contents, what[5] & 8 ? bytes : DISK_SECTOR) < 0))
            abort();
        data += bytes;
        size -= bytes;
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    if (size > 0 && *data & 1)
        strcat(path, ":0001");
    (void)run_archives_open(1, operand);
    if (operand[0] != path)
        free(operand[0]);
    sandbox_walk(box, look);
    close(file);
    return 0;
}
