/* SPDX-License-Identifier: BSD-2-Clause */
/* The run area of a volume: why nothing is written to it, and the list of its entries. */
#include <stdlib.h>
#include <string.h>

#include "core/disk/area_file.h"
#include "core/disk/area_index.h"
#include "tests/unit/core/disk/disk.h"

enum { AREA_SECTORS = 2100 };

static struct test_disk *disk;
static struct fat fat;
static struct area_file area;

/* Makes a volume of 4 MB with clusters of one sector, and changes it by a command. */
static void volume(const char *command)
{
    if (disk)
        disk_free(disk);
    disk = disk_made_by("i.img",
                        "rm -f i.img i.tar && truncate -s 4M i.img && mformat -i i.img -c 1 -N 1B5B0071 :: && "
                        "truncate -s %u i.tar && mcopy -i i.img i.tar ::/IBSRUNS.TAR && %s",
                        AREA_SECTORS * 512, command);
    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_OK);
}

static int end(void **state)
{
    disk_free(disk);
    disk = NULL;
    return 0;
}

static uint64_t first_sector(void)
{
    struct fat_file file;

    assert_int_equal(fat_open(&fat, "IBSRUNS.TAR", &file), FAT_OK);
    return fat.data_start + file.first - 2;
}

/* Makes a file of clusters that are not neighbours, up to the largest number of pieces. */
static void scatter(unsigned pieces)
{
    uint64_t at = first_sector() - fat.data_start + 2;

    for (unsigned n = 1; n <= AREA_SECTORS; n++) {
        uint64_t next = n == AREA_SECTORS ? 0xffff : at + (n < pieces ? 2 : 1);
        uint8_t *entry = disk->bytes + fat.table_start * DISK_SECTOR + at * 2;

        entry[0] = (uint8_t)next;
        entry[1] = (uint8_t)(next >> 8);
        at = next;
    }
    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_OK);
}

static void assert_area(enum area_refusal refusal, bool readable, unsigned pieces)
{
    area.readable = !readable;
    area.pieces = 99;
    area_file_open(&area, &fat);
    assert_int_equal(area.refusal, refusal);
    assert_int_equal(area.readable, readable);
    assert_int_equal(area.pieces, pieces);
}

TEST_WITH(reasons, NULL, end)
{
    uint64_t first;

    volume("true");
    assert_area(AREA_NONE, true, 1);
    assert_int_equal(disk->written, 1); /* the sector of the next header was written back as it was */
    assert_int_equal(store_room(&area.store), (AREA_SECTORS - 3) * DISK_SECTOR);
    first = first_sector();
    disk->bad_write = first;
    assert_area(AREA_UNWRITTEN, true, 1);
    disk->bad_write = ~0ull;
    disk->bad_read = first;
    assert_area(AREA_UNREAD, true, 1);
    disk->bad_read = ~0ull;
    memcpy(disk->bytes + first * DISK_SECTOR, "something else", 14);
    disk->written = 0;
    assert_area(AREA_DAMAGED, true, 1);
    assert_int_equal(disk->written, 0);
    /* A full area has no sector in which a write could be tried. */
    tar_header(disk->bytes + first * DISK_SECTOR, "a", (AREA_SECTORS - 1) * DISK_SECTOR, 0);
    assert_area(AREA_NONE, true, 1);
    assert_int_equal(disk->written, 0);
    volume("mdel -i i.img ::/IBSRUNS.TAR");
    assert_area(AREA_MISSING, false, 0);
    volume("mdel -i i.img ::/IBSRUNS.TAR && mmd -i i.img ::/IBSRUNS.TAR");
    assert_area(AREA_FOLDER, false, 0);
    volume("true");
    scatter(AREA_FILE_PIECES);
    assert_area(AREA_NONE, true, AREA_FILE_PIECES);
    volume("true");
    scatter(AREA_FILE_PIECES + 1);
    assert_area(AREA_PIECES, false, 0);
    volume("true");
    memset(disk->bytes + fat.table_start * DISK_SECTOR + (first_sector() - fat.data_start + 2) * 2 + 8, 0, 2);
    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_OK);
    assert_area(AREA_LOST, false, 0);
    volume("true");
    disk->bad_read = fat.root_start;
    assert_area(AREA_UNREAD, false, 0);
}

static unsigned grown, most; /* calls that returned memory; how many may */

static void *grow(void *context, void *old, uint64_t used, uint64_t bytes)
{
    void *memory;

    assert_ptr_equal(context, &fat);
    if (grown == most)
        return NULL;
    grown++;
    memory = malloc(bytes);
    if (old)
        memcpy(memory, old, used);
    free(old);
    return memory;
}

TEST_WITH(index_of_entries, NULL, end)
{
    struct area_index index = {.rows = NULL};
    const struct area_entry *entry;

    volume("true");
    assert_area(AREA_NONE, true, 1);
    most = 2;
    area_index_read(&index, NULL, grow, &fat);
    assert_null(area_index_row(&index, 0));
    for (unsigned i = 0; i < 300; i++) { /* more entries than the list has room for at first */
        char name[20] = "runs/000";

        name[5] = (char)('0' + i / 100);
        name[6] = (char)('0' + i / 10 % 10);
        name[7] = (char)('0' + i % 10);
        assert_int_equal(store_append(&area.store, name, "text", 1 + i % 4, 0), TAR_OK);
    }
    area_index_read(&index, &area.store, grow, &fat);
    assert_int_equal(index.count, 300);
    assert_int_equal(store_append(&area.store, "RUNS/007", "other", 5, 0), TAR_OK);
    assert_int_equal(store_remove(&area.store, "runs/008", 0), TAR_OK);
    area_index_read(&index, &area.store, grow, &fat);
    assert_int_equal(index.count, 302);
    entry = area_index_find(&index, "runs/007");
    assert_int_equal(entry->size, 5);
    assert_int_equal(entry->sector, 601); /* after 300 headers and 300 sectors of data */
    assert_int_equal(area_index_find(&index, "Runs/008")->size, 0);
    assert_int_equal(area_index_find(&index, "runs/299")->size, 4);
    assert_string_equal(area_index_row(&index, 0)->path, "runs/000");
    assert_string_equal(area_index_row(&index, 301)->path, "runs/008");
    assert_null(area_index_row(&index, 302));
    assert_null(area_index_find(&index, "runs"));
    free(index.rows);
    /* If memory ends, the first rows are kept. */
    grown = 0;
    most = 1;
    index = (struct area_index){.rows = NULL};
    area_index_read(&index, &area.store, grow, &fat);
    assert_int_equal(index.count, 256);
    free(index.rows);
}

RUN_TESTS(NULL, NULL)
