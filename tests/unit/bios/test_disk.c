/* SPDX-License-Identifier: BSD-2-Clause */
/* Disks by INT 13h: with the extensions and without, in parts that the BIOS accepts, and with repeated attempts. */
#include <stdlib.h>
#include <string.h>

#include "bios/low.h"
#include "tests/unit/bios/fake_disks.h"

enum { SECTORS = 3000 };

static struct disk disk;
static struct fake_drive *drive;
static uint8_t bytes[SECTORS * DISK_SECTOR];

static int begin(void **state)
{
    struct test_disk *sectors = disk_of_size(SECTORS);

    fake_disks_init();
    for (unsigned i = 0; i < SECTORS * DISK_SECTOR; i++)
        sectors->bytes[i] = (uint8_t)(i * 7 + i / 512 + i / 65536);
    drive = fake_disks_add(sectors);
    return 0;
}

static int end(void **state)
{
    fake_disks_init();
    return 0;
}

TEST_WITH(counted, begin, end)
{
    for (unsigned count = 0; count < 256; count++) {
        low_memory[0x475] = (uint8_t)count;
        assert_int_equal(disk_count(), count < 1 ? 1 : count > 16 ? 16 : count);
    }
}

/* Asks for a disk's geometry, and checks how the disk is then read. */
TEST_WITH(opened, begin, end)
{
    static const struct {
        bool no_extensions, other_answer, no_packet, no_parameters, asked;
        uint32_t sectors;
        bool good, chs;
    } rows[] = {
        {false, false, false, false, false, 63, true, false}, {true, false, false, false, false, 63, true, true},
        {false, true, false, false, false, 63, true, true},   {false, false, true, false, false, 63, true, true},
        {false, false, false, false, true, 63, true, true},   {false, false, false, true, false, 63, true, false},
        {false, false, false, true, true, 63, false, true},   {true, false, false, true, false, 63, false, true},
        {false, false, false, false, true, 64, true, false},  {true, false, false, false, false, 64, false, true},
        {false, false, false, false, false, 64, true, false},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(state);
        drive->no_extensions = rows[i].no_extensions;
        drive->other_answer = rows[i].other_answer;
        drive->no_packet = rows[i].no_packet;
        drive->no_parameters = rows[i].no_parameters;
        drive->sectors = rows[i].sectors; /* 64 sectors are reported as 0 */
        if (disk_open(&disk, DISK_FIRST, rows[i].asked) != rows[i].good || disk.chs != rows[i].chs)
            fail_msg("row %u: chs %u", i, disk.chs);
        if (rows[i].good) {
            assert_int_equal(disk.ops.read(disk.ops.context, 1, 1, bytes), 0);
            assert_memory_equal(bytes, drive->disk->bytes + DISK_SECTOR, DISK_SECTOR);
        }
    }
    assert_false(disk_open(&disk, DISK_FIRST + 1, false));
    begin(state);
    drive->heads = 255;
    assert_true(disk_open(&disk, DISK_FIRST, true));
    assert_int_equal(disk.heads, 255);
    assert_int_equal(disk.sectors, 63);
    assert_int_equal(disk.number, DISK_FIRST);
}

/* Moves everything at once, then every piece by itself; calls by cylinder, head and sector end with the track. */
static void moved(bool chs, uint32_t heads, uint32_t sectors, unsigned largest)
{
    uint8_t *copy = malloc(SECTORS * DISK_SECTOR);

    drive->heads = heads;
    drive->sectors = sectors;
    assert_true(disk_open(&disk, DISK_FIRST, chs));
    assert_int_equal(disk.chs, chs);
    assert_int_equal(disk.ops.read(disk.ops.context, 0, SECTORS, bytes), 0);
    assert_memory_equal(bytes, drive->disk->bytes, SECTORS * DISK_SECTOR);
    assert_int_equal(fake_disks.largest, largest);
    memset(bytes, 0, sizeof bytes);
    for (unsigned at = 0, part = 1; at < SECTORS; at += part, part = part * 3 % 97 + 1) {
        part = part < SECTORS - at ? part : SECTORS - at;
        assert_int_equal(disk.ops.read(disk.ops.context, at, part, bytes + at * DISK_SECTOR), 0);
    }
    assert_memory_equal(bytes, drive->disk->bytes, SECTORS * DISK_SECTOR);
    for (unsigned i = 0; i < SECTORS * DISK_SECTOR; i++)
        copy[i] = bytes[i] ^ 0xa5;
    assert_int_equal(disk.ops.write(disk.ops.context, 0, SECTORS, copy), 0);
    assert_memory_equal(copy, drive->disk->bytes, SECTORS * DISK_SECTOR);
    assert_int_equal(disk.ops.write(disk.ops.context, 100, 80, bytes), 0);
    memcpy(copy + 100 * DISK_SECTOR, bytes, 80 * DISK_SECTOR);
    assert_memory_equal(copy, drive->disk->bytes, SECTORS * DISK_SECTOR);
    assert_int_equal(fake_disks.largest, largest);
    free(copy);
}

TEST_WITH(by_packets, begin, end)
{
    moved(false, 16, 63, 64);
    assert_int_equal(low_memory[LOW_PACKET], 16);
}

TEST_WITH(by_tracks, begin, end)
{
    moved(true, 16, 63, 63);
    begin(state);
    moved(true, 2, 17, 17); /* more than 64 cylinders */
    begin(state);
    moved(true, 3, 4, 4); /* cylinders up to 249 */
    begin(state);
    moved(true, 1, 3, 3); /* up to 999 */
}

/* By cylinders 1,024 can be addressed, and not one more. */
TEST_WITH(beyond_cylinders, begin, end)
{
    drive->heads = 1;
    drive->sectors = 2;
    assert_true(disk_open(&disk, DISK_FIRST, true));
    assert_int_equal(disk.ops.read(disk.ops.context, 2047, 1, bytes), 0);
    assert_memory_equal(bytes, drive->disk->bytes + 2047 * DISK_SECTOR, DISK_SECTOR);
    fake_disks.moves = 0;
    assert_int_not_equal(disk.ops.read(disk.ops.context, 2048, 1, bytes), 0);
    assert_int_not_equal(disk.ops.read(disk.ops.context, 2047, 2, bytes), 0);
    assert_int_equal(fake_disks.moves, 1);
}

/* There are four attempts with a reset after each failure; once all have failed there is one, until one succeeds. */
TEST_WITH(tries, begin, end)
{
    assert_true(disk_open(&disk, DISK_FIRST, false));
    drive->fail = 3;
    assert_int_equal(disk.ops.read(disk.ops.context, 5, 1, bytes), 0);
    assert_int_equal(fake_disks.moves, 4);
    assert_int_equal(fake_disks.resets, 3);
    assert_memory_equal(bytes, drive->disk->bytes + 5 * DISK_SECTOR, DISK_SECTOR);
    drive->fail = 100;
    assert_int_not_equal(disk.ops.read(disk.ops.context, 5, 1, bytes), 0);
    assert_int_equal(disk.error, 4);
    assert_int_equal(fake_disks.moves, 8);
    assert_int_not_equal(disk.ops.write(disk.ops.context, 5, 1, bytes), 0);
    assert_int_equal(fake_disks.moves, 9);
    assert_int_equal(fake_disks.resets, 8);
    assert_true(disk.failed);
    drive->fail = 0;
    assert_int_equal(disk.ops.read(disk.ops.context, 5, 1, bytes), 0);
    assert_false(disk.failed);
    drive->fail = 1;
    assert_int_equal(disk.ops.read(disk.ops.context, 5, 1, bytes), 0);
    /* The second of two parts fails. */
    drive->disk->bad_read = 100;
    assert_int_not_equal(disk.ops.read(disk.ops.context, 0, 128, bytes), 0);
    drive->disk->bad_write = 100;
    assert_int_not_equal(disk.ops.write(disk.ops.context, 0, 128, bytes), 0);
}

/* A write to a protected disk is not repeated. */
TEST_WITH(protected_disk, begin, end)
{
    for (unsigned chs = 0; chs < 2; chs++) {
        begin(state);
        assert_true(disk_open(&disk, DISK_FIRST, chs));
        drive->write_error = DISK_WRITE_PROTECTED;
        assert_int_not_equal(disk.ops.write(disk.ops.context, 5, 1, bytes), 0);
        assert_int_equal(disk.error, 3);
        assert_int_equal(fake_disks.moves, 1);
        assert_int_equal(fake_disks.resets, 0);
        drive->write_error = 0xcc;
        assert_int_not_equal(disk.ops.write(disk.ops.context, 5, 1, bytes), 0);
        assert_int_equal(disk.error, 0xcc);
        assert_int_equal(fake_disks.moves, 5);
    }
}

RUN_TESTS(NULL, NULL)
