/* SPDX-License-Identifier: BSD-2-Clause */
/* Two runs are saved to the run area, and each write to the disk fails once, before or after its data are written. The
 * tar stays in order, files reported as saved are whole, and the next boot saves its run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/disk/store.h"
#include "tests/unit/core/disk/disk.h"

enum { SECTORS = 1200, FILES_OF_A_RUN = 6, RUNS = 3 };

static const struct disk_extent extents[] = {{700, 500}, {100, 550}};
static const size_t sizes[FILES_OF_A_RUN] = {900, 5000, 30000, 70000, 2000, 9000};
static struct test_disk *disk;
static struct store store;
static uint8_t content[70000 + RUNS];

static const char *name_of(unsigned run, unsigned file)
{
    static char name[TAR_NAME_MAX];

    snprintf(name, sizeof(name), "ibsboot/runs/%04u-a/file%u", run, file);
    return name;
}

/* Saves a run as bios/files.c does. Returns the files that were reported as saved, as bits. */
static unsigned save_run(unsigned run)
{
    unsigned saved = 0;

    for (unsigned i = 0; i < FILES_OF_A_RUN; i++) {
        enum tar_error error = store_begin(&store, name_of(run, i), 0);

        for (size_t at = 0; !error && at < sizes[i]; at += 1000)
            error = store_write(&store, content + run + at, sizes[i] - at < 1000 ? sizes[i] - at : 1000);
        if (store.writing)
            error = store_end(&store, !error) ? TAR_WRITE : error;
        saved |= (unsigned)!error << i;
    }
    return saved;
}

/* Checks that every entry is whole, and that each file reported as saved exists. */
static void check(unsigned call, unsigned run, unsigned saved)
{
    struct tar tar;
    struct tar_entry entry;

    if (tar_open(&tar, &disk->ops, extents, 2) != TAR_OK)
        fail_msg("write %u: the tar is damaged", call);
    for (unsigned i = 0; i < FILES_OF_A_RUN; i++) {
        static uint8_t bytes[sizeof(content)];
        size_t done = 0;

        if (tar_find(&tar, name_of(run, i), &entry) != TAR_OK) {
            if (saved & 1 << i)
                fail_msg("write %u: file %u of run %u is not there", call, i, run);
            continue;
        }
        assert_int_equal(tar_read(&tar, &entry, 0, bytes, sizeof(bytes), &done), TAR_OK);
        if (done != sizes[i] || memcmp(bytes, content + run, done) != 0)
            fail_msg("write %u: file %u of run %u is not whole", call, i, run);
    }
}

static void new_disk(void)
{
    if (disk)
        disk_free(disk);
    disk = disk_of_size(SECTORS);
    assert_int_equal(store_open(&store, &disk->ops, extents, 2), TAR_OK);
}

TEST(each_write)
{
    enum { ALL = (1 << FILES_OF_A_RUN) - 1 };
    unsigned writes, said = 0;

    for (unsigned i = 0; i < sizeof(content); i++)
        content[i] = (uint8_t)(1 + (i * 7 + i / 512) % 255);
    new_disk();
    assert_int_equal(save_run(0), ALL);
    assert_int_equal(save_run(1), ALL);
    writes = disk->writes;
    for (unsigned call = 1; call <= writes; call++) {
        for (unsigned after = 0; after < 2; after++) {
            unsigned first, second;

            new_disk();
            disk->refuse_write = call;
            disk->refuse_after = after;
            first = save_run(0);
            second = save_run(1);
            said += first != ALL || second != ALL;
            check(call, 0, first);
            check(call, 1, second);
            assert_int_equal(store_open(&store, &disk->ops, extents, 2), TAR_OK); /* the next boot */
            assert_int_equal(save_run(2), ALL);
            check(call, 0, first);
            check(call, 1, second);
            check(call, 2, ALL);
        }
    }
    print_message("%u writes, each refused before and after: %u were told\n", writes, said);
    assert_int_equal(said, 2 * writes); /* no write was skipped */
    assert_in_range(writes, 30, 2000);
    disk_free(disk);
}

RUN_TESTS(NULL, NULL)
