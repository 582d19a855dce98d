/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/core/disk/disk.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int disk_read(void *context, uint64_t sector, unsigned count, void *to)
{
    struct test_disk *disk = context;

    disk->calls++;
    disk->beyond += sector > disk->sectors || count > disk->sectors - sector;
    if (sector > disk->sectors || count > disk->sectors - sector ||
        (disk->bad_read >= sector && disk->bad_read - sector < count))
        return 1;
    memcpy(to, disk->bytes + sector * DISK_SECTOR, (size_t)count * DISK_SECTOR);
    return 0;
}

static int disk_write(void *context, uint64_t sector, unsigned count, const void *from)
{
    struct test_disk *disk = context;
    bool refuse;

    disk->calls++;
    if (sector > disk->sectors || count > disk->sectors - sector ||
        (disk->bad_write >= sector && disk->bad_write - sector < count))
        return 1;
    refuse = ++disk->writes == disk->refuse_write;
    if (refuse && !disk->refuse_after)
        return 1;
    for (unsigned i = 0; i < count; i++) {
        if (disk->writes_left == 0)
            return 1;
        disk->writes_left--;
        disk->written++;
        if (!disk->deaf)
            memcpy(disk->bytes + (sector + i) * DISK_SECTOR, (const uint8_t *)from + i * DISK_SECTOR, DISK_SECTOR);
    }
    return refuse;
}

struct test_disk *disk_of_size(uint64_t sectors)
{
    struct test_disk *disk = calloc(1, sizeof(*disk));

    *disk = (struct test_disk){
        .ops = {.context = disk, .read = disk_read, .write = disk_write},
        .bytes = calloc(sectors ? sectors : 1, DISK_SECTOR),
        .sectors = sectors,
        .bad_read = ~0ull,
        .bad_write = ~0ull,
        .writes_left = ~0ull,
    };
    return disk;
}

struct test_disk *disk_of_file(const char *path)
{
    int file = open(path, O_RDONLY);
    off_t size = lseek(file, 0, SEEK_END), at = 0;
    struct test_disk *disk = disk_of_size((uint64_t)size / DISK_SECTOR);

    assert_true(size >= 0);
    /* Only data are copied, since most of a volume is a hole. */
    while ((at = lseek(file, at, SEEK_DATA)) >= 0) {
        off_t end = lseek(file, at, SEEK_HOLE), bytes = end - at;

        if (end > (off_t)(disk->sectors * DISK_SECTOR))
            bytes = (off_t)(disk->sectors * DISK_SECTOR) - at;
        assert_true(bytes <= 0 || pread(file, disk->bytes + at, (size_t)bytes, at) == bytes);
        at = end;
    }
    assert_int_equal(close(file), 0);
    return disk;
}

void disk_free(struct test_disk *disk)
{
    free(disk->bytes);
    free(disk);
}

FILE *disk_new_file(const char *path)
{
    FILE *file = fopen(path, "wb");

    if (!file) {
        shell(":");
        file = fopen(path, "wb");
    }
    assert_non_null(file);
    return file;
}

void disk_to_file(const struct test_disk *disk, const char *path)
{
    FILE *file = disk_new_file(path);

    assert_int_equal(fwrite(disk->bytes, DISK_SECTOR, disk->sectors, file), disk->sectors);
    assert_int_equal(fclose(file), 0);
}

static const char *run(int *ret_status, const char *format, va_list args)
{
    static char text[65536];
    char command[4096];
    int n = snprintf(command, sizeof(command), "{ mkdir -p " FILES " && cd " FILES " && export MTOOLS_SKIP_CHECK=1; ");
    size_t length;
    FILE *pipe;

    vsnprintf(command + n, sizeof(command) - (size_t)n - 16, format, args);
    strcat(command, "\n} 2>&1");
    pipe = popen(command, "r");
    assert_non_null(pipe);
    length = fread(text, 1, sizeof(text) - 1, pipe);
    text[length] = '\0';
    *ret_status = WEXITSTATUS(pclose(pipe));
    return text;
}

void shell(const char *format, ...)
{
    va_list args;
    const char *text;
    int status;

    va_start(args, format);
    text = run(&status, format, args);
    va_end(args);
    if (status)
        fail_msg("%s: %s", format, text);
}

const char *shell_says(int *ret_status, const char *format, ...)
{
    va_list args;
    const char *text;

    va_start(args, format);
    text = run(ret_status, format, args);
    va_end(args);
    return text;
}

struct test_disk *disk_made_by(const char *name, const char *format, ...)
{
    enum { MADE_MOST = 32 };
    static char *made[MADE_MOST];
    char command[3000], kept[200];
    unsigned i = 0;
    va_list args;

    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    while (i < MADE_MOST && made[i] && strcmp(made[i], command) != 0)
        i++;
    assert_in_range(i, 0, MADE_MOST - 1);
    snprintf(kept, sizeof kept, FILES "kept-%u-%s", i, name);
    if (!made[i]) {
        char from[200];

        shell("%s", command);
        snprintf(from, sizeof from, FILES "%s", name);
        assert_int_equal(rename(from, kept), 0);
        made[i] = strdup(command);
    }
    return disk_of_file(kept);
}
