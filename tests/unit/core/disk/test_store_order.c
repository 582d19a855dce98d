/* SPDX-License-Identifier: BSD-2-Clause */
/* The power fails while a drive's cache holds unwritten sectors, which the drive writes in an order of its own. The
 * tests note the sectors that are written while runs are saved, and replay them: those before some moment are on the
 * disk, and any subset of the last ones. UEFI flushes after each write (efi/sectors.c), so the last ones are sectors of
 * one call. A BIOS has no flush (INT 13h), so they are all that the cache holds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/disk/store.h"
#include "tests/unit/core/disk/disk.h"

enum {
    SECTORS = 700,
    RUNS = 3,
    FILES_OF_A_RUN = 4,
    LARGEST = 40000,
    NOTED_MAX = 600,
    TRIES = 8, /* subsets for each moment */
};

static const struct disk_extent extents[] = {{400, 250}, {50, 300}};
static const size_t sizes[FILES_OF_A_RUN] = {900, 17000, LARGEST, 2000};

static struct test_disk *disk, *after;
static struct disk_ops noting;
static struct store store;
static struct noted {
    uint64_t sector;
    unsigned call; /* number of the write that contains the sector */
    uint8_t bytes[DISK_SECTOR];
} noted[NOTED_MAX];
static unsigned notes, calls;
/* How many notes there are when a file is reported as saved. */
static unsigned saved_at[RUNS][FILES_OF_A_RUN];
static uint8_t content[LARGEST + RUNS * FILES_OF_A_RUN];

static const char *name_of(unsigned run, unsigned file)
{
    static char name[TAR_NAME_MAX];

    snprintf(name, sizeof(name), "ibsboot/runs/%04u-a/file%u", run, file);
    return name;
}

static int note(void *context, uint64_t sector, unsigned count, const void *from)
{
    calls++;
    for (unsigned i = 0; i < count; i++) {
        assert_true(notes < NOTED_MAX);
        noted[notes] = (struct noted){.sector = sector + i, .call = calls};
        memcpy(noted[notes++].bytes, (const uint8_t *)from + i * DISK_SECTOR, DISK_SECTOR);
    }
    return disk->ops.write(disk, sector, count, from);
}

static void save_run(struct store *to, unsigned run)
{
    for (unsigned i = 0; i < FILES_OF_A_RUN; i++) {
        const uint8_t *bytes = content + run * FILES_OF_A_RUN + i;

        assert_int_equal(store_append(to, name_of(run, i), bytes, sizes[i], 0), TAR_OK);
        saved_at[run][i] = notes;
    }
}

/* Fills the area with zeros, except for what an earlier boot left behind the end when it stopped in a file. */
static void first_state(struct test_disk *of)
{
    memset(of->bytes, 0, SECTORS * DISK_SECTOR);
    memset(of->bytes + (extents[0].sector + 2) * DISK_SECTOR, 0xA5, 200 * DISK_SECTOR);
}

static int begin(void **state)
{
    for (unsigned i = 0; i < sizeof(content); i++)
        content[i] = (uint8_t)(1 + (i * 7 + i / 512) % 255);
    disk = disk_of_size(SECTORS);
    after = disk_of_size(SECTORS);
    first_state(disk);
    noting = (struct disk_ops){disk, disk->ops.read, note};
    notes = calls = 0;
    assert_int_equal(store_open(&store, &noting, extents, 2), TAR_OK);
    for (unsigned run = 0; run + 1 < RUNS; run++)
        save_run(&store, run);
    return 0;
}

static int end(void **state)
{
    disk_free(disk);
    disk_free(after);
    return 0;
}

/* Writes to the disk all notes before 'from', and of the notes from..to-1 a random subset. */
static void replay(unsigned from, unsigned to, struct rng *rng)
{
    first_state(after);
    for (unsigned i = 0; i < to; i++)
        if (i < from || rng_next(rng) >> 63)
            memcpy(after->bytes + noted[i].sector * DISK_SECTOR, noted[i].bytes, DISK_SECTOR);
}

/* Returns whether the tar has this file with all its bytes. *found: whether it has a file of this name. */
static bool is_whole(struct tar *tar, unsigned run, unsigned file, bool *found)
{
    static uint8_t bytes[LARGEST + 1];
    struct tar_entry entry;
    size_t done = 0;

    *found = tar_find(tar, name_of(run, file), &entry) == TAR_OK;
    return *found && tar_read(tar, &entry, 0, bytes, sizeof(bytes), &done) == TAR_OK && done == sizes[file] &&
           memcmp(bytes, content + run * FILES_OF_A_RUN + file, done) == 0;
}

/* Returns how many files exist but are not whole. Files that were saved before 'from' must be whole. */
static unsigned check_files(struct tar *tar, unsigned from, unsigned to)
{
    unsigned wrong = 0;

    for (unsigned run = 0; run + 1 < RUNS; run++) {
        for (unsigned i = 0; i < FILES_OF_A_RUN; i++) {
            bool found, whole = is_whole(tar, run, i, &found);

            if (!whole && saved_at[run][i] <= from)
                fail_msg("cut at %u to %u: file %u of run %u is lost", from, to, i, run);
            wrong += found && !whole;
        }
    }
    return wrong;
}

/* If each call is flushed, the tar is always in order, each file is whole or missing, and the next boot saves its
 * run. */
TEST_WITH(flushed, begin, end)
{
    struct rng rng;

    rng_seed(&rng, 1);
    for (unsigned from = 0, to; from < notes; from = to) {
        for (to = from; to < notes && noted[to].call == noted[from].call; to++)
            ;
        for (unsigned n = 0; n < TRIES; n++) {
            bool found;

            replay(from, to, &rng);
            if (store_open(&store, &after->ops, extents, 2) != TAR_OK)
                fail_msg("cut at %u to %u: the tar is damaged", from, to);
            assert_int_equal(check_files(&store.tar, from, to), 0);
            save_run(&store, RUNS - 1);
            assert_int_equal(check_files(&store.tar, from, to), 0);
            assert_true(is_whole(&store.tar, RUNS - 1, FILES_OF_A_RUN - 1, &found));
        }
    }
}

/* The cache holds some sectors: files saved before them are whole, whether the tar continues behind them or is damaged
 * there, which opening reports. Files in between may have a header and wrong bytes: the checksums of their run tell
 * (sums.txt). */
TEST_WITH(without_a_flush, begin, end)
{
    static const unsigned caches[] = {1, 4, 32, NOTED_MAX};
    struct rng rng;

    rng_seed(&rng, 2);
    for (unsigned c = 0; c < sizeof(caches) / sizeof(caches[0]); c++) {
        unsigned damaged = 0, wrong = 0, tries = 0;

        for (unsigned to = 1; to <= notes; to++) {
            unsigned from = to > caches[c] ? to - caches[c] : 0;

            for (unsigned n = 0; n < TRIES; n++, tries++) {
                enum tar_error error;

                replay(from, to, &rng);
                error = store_open(&store, &after->ops, extents, 2);
                assert_true(error == TAR_OK || error == TAR_DAMAGED);
                damaged += error == TAR_DAMAGED;
                wrong += check_files(&store.tar, from, to) > 0;
                if (error == TAR_OK) {
                    save_run(&store, RUNS - 1);
                    (void)check_files(&store.tar, from, to);
                } else {
                    assert_int_equal(store_append(&store, "a", "a", 1, 0), TAR_DAMAGED);
                }
            }
        }
        print_message("a cache of %u sectors: %u cuts, %u damaged areas, %u with a file that is not whole\n", caches[c],
                      tries, damaged, wrong);
        if (caches[c] == 1)
            assert_int_equal(damaged + wrong, 0);
    }
}

RUN_TESTS(NULL, NULL)
