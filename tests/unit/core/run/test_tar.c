/* SPDX-License-Identifier: BSD-2-Clause */
/* A tar in an area: headers compared byte by byte with POSIX's rules, and files read at any place in them. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"
#include "core/run/tar.h"

enum { SECTORS = 40 };

static uint8_t disk[SECTORS][DISK_SECTOR];
static uint64_t refused; /* first sector that cannot be read */
static unsigned reads;

static int read_sectors(void *context, uint64_t sector, unsigned count, void *to)
{
    (void)context;
    reads++;
    assert_true(sector + count <= SECTORS);
    if (sector + count > refused)
        return 1;
    memcpy(to, disk[sector], (size_t)count * DISK_SECTOR);
    return 0;
}

static const struct disk_ops ops = {.read = read_sectors};
static const struct disk_extent all = {.sector = 0, .count = SECTORS};

/* Writes a file at this sector and returns the sector after the file. */
static unsigned put(unsigned at, const char *name, unsigned size, uint8_t first)
{
    tar_header(disk[at++], name, size, 0);
    for (unsigned i = 0; i < size; i++)
        disk[at + i / DISK_SECTOR][i % DISK_SECTOR] = (uint8_t)(first + i % 251);
    return at + (size + DISK_SECTOR - 1) / DISK_SECTOR;
}

static int start(void **state)
{
    memset(disk, 0, sizeof(disk));
    refused = SECTORS;
    return 0;
}

TEST_WITH(test_header, start, NULL)
{
    uint8_t block[DISK_SECTOR], wanted[DISK_SECTOR] = {0};
    unsigned sum = 0;

    /* The rules are POSIX.1-1988's, "ustar Interchange Format": numbers are octal, with an end; the checksum takes its
     * own field as blanks. */
    memcpy(wanted, "ibsboot/runs/0001/run.ini", 25);
    memcpy(wanted + 100, "0000644", 8);
    memcpy(wanted + 108, "0000000", 8);
    memcpy(wanted + 116, "0000000", 8);
    memcpy(wanted + 124, "00000012345", 12);
    memcpy(wanted + 136, "14512345670", 12);
    memset(wanted + 148, ' ', 8);
    wanted[156] = '0';
    memcpy(wanted + 257, "ustar\00000", 8);
    for (unsigned i = 0; i < DISK_SECTOR; i++)
        sum += wanted[i];
    snprintf((char *)wanted + 148, 7, "%06o", sum);
    wanted[155] = ' ';
    memset(block, 0xAA, sizeof(block));
    tar_header(block, "ibsboot/runs/0001/run.ini", 012345, 014512345670);
    assert_memory_equal(block, wanted, sizeof(block));
}

TEST_WITH(test_long_name, start, NULL)
{
    char name[TAR_NAME_MAX + 1];
    uint8_t block[DISK_SECTOR];

    memset(name, 'n', sizeof(name));
    name[TAR_NAME_MAX - 1] = '\0';
    tar_header(block, name, 0, 0);
    assert_memory_equal(block, name, TAR_NAME_MAX - 1);
    name[TAR_NAME_MAX - 1] = 'n';
    name[TAR_NAME_MAX] = '\0';
    tar_header(block, name, 0, 0); /* one character too many: cut, and the mode is unchanged */
    assert_memory_equal(block + 99, "n0000644", 8);
}

TEST_WITH(test_files, start, NULL)
{
    struct tar tar;
    struct tar_entry entry;
    uint64_t at = 0;
    unsigned second = put(0, "a", 1300, 1), third = put(second, "b", DISK_SECTOR, 2), end = put(third, "a", 5, 3);

    assert_int_equal(tar_open(&tar, &ops, &all, 1), TAR_OK);
    assert_int_equal(tar.entries, 3);
    assert_int_equal(tar.used, end);
    assert_int_equal(tar_next(&tar, &at, &entry), TAR_OK);
    assert_string_equal(entry.name, "a");
    assert_int_equal(entry.size, 1300);
    assert_int_equal(entry.sector, 1);
    assert_int_equal(entry.next, second);
    assert_int_equal(at, second);
    assert_true(entry.file);
    /* The last entry of a name is the file. */
    assert_int_equal(tar_find(&tar, "a", &entry), TAR_OK);
    assert_int_equal(entry.sector, third + 1);
    assert_int_equal(tar_find(&tar, "b", &entry), TAR_OK);
    assert_int_equal(tar_find(&tar, "c", &entry), TAR_NOT_FOUND);
    put(end, "b", 0, 0);
    assert_int_equal(tar_open(&tar, &ops, &all, 1), TAR_OK);
    assert_int_equal(tar_find(&tar, "b", &entry), TAR_NOT_FOUND); /* gone */
}

/* Headers close together are read at once: eight sectors, also if they do not stand at the area's beginning. */
TEST_WITH(test_reads_several_at_once, start, NULL)
{
    struct tar_entry entry;
    struct tar tar;
    uint64_t at = 0;
    unsigned end = put(0, "a", 13 * DISK_SECTOR, 'a'); /* sector 14 */

    for (unsigned i = 0; i < 3; i++)
        end = put(end, "b", 1, 'b');
    assert_int_equal(tar_open(&tar, &ops, &all, 1), TAR_OK);
    tar_forget(&tar);
    reads = 0;
    assert_int_equal(tar_next(&tar, &at, &entry), TAR_OK);
    assert_int_equal(reads, 1);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(tar_next(&tar, &at, &entry), TAR_OK);
    assert_int_equal(at, end);
    assert_int_equal(reads, 2);
}

/* The last header may be in any of the area's last sectors: no sector after the area is read. */
TEST_WITH(test_reads_to_the_end, start, NULL)
{
    for (unsigned first = SECTORS - TAR_WINDOW - 1; first < SECTORS; first++) {
        struct tar_entry entry;
        struct tar tar;

        (void)start(NULL);
        assert_int_equal(put(0, "a", (first - 1) * DISK_SECTOR, 'a'), first);
        put(first, "b", 0, 0);
        assert_int_equal(tar_open(&tar, &ops, &all, 1), TAR_OK);
        assert_int_equal(tar.entries, 2);
        assert_int_equal(tar.used, first + 1);
        tar_forget(&tar);
        assert_int_equal(tar_find(&tar, "a", &entry), TAR_OK);
        assert_int_equal(entry.next, first);
    }
}

/* Sets the header's checksum by POSIX's rule, whatever its other fields contain. */
static void sum_up(uint8_t *block)
{
    unsigned sum = 0;

    memset(block + 148, ' ', 8);
    for (unsigned i = 0; i < DISK_SECTOR; i++)
        sum += block[i];
    snprintf((char *)block + 148, 8, "%06o", sum);
    block[155] = ' ';
}

/* Files are of type '0', or of no type, as older programs write; links, folders and headers of pax are no files. */
TEST_WITH(test_types, start, NULL)
{
    static const char types[] = {'0', '\0', '1', '2', '5', 'x', 'g'};

    for (unsigned i = 0; i < sizeof(types); i++) {
        struct tar_entry entry;
        struct tar tar;
        uint64_t at = 0;

        put(0, "a", 0, 0);
        disk[0][156] = (uint8_t)types[i];
        sum_up(disk[0]);
        assert_int_equal(tar_open(&tar, &ops, &all, 1), TAR_OK);
        assert_int_equal(tar_next(&tar, &at, &entry), TAR_OK);
        assert_string_equal(entry.name, "a");
        assert_int_equal(entry.file, i < 2);
    }
}

/* Sizes are octal digits, with or without blanks before them, and with a blank, a zero or nothing after them. */
TEST_WITH(test_sizes, start, NULL)
{
    static const struct {
        const char *field;
        bool good;
        uint64_t size;
    } rows[] = {
        {"00000002424\0", true, 1300},
        {"00000002424 ", true, 1300},
        {"000000002424", true, 1300},
        {"       2424 ", true, 1300},
        {"2424        ", true, 1300},
        {"2424\0\0\0\0\0\0\0\0", true, 1300},
        {"            ", false, 0},
        {"\0           ", false, 0},
        {"80000002424 ", false, 0},
        {"/0000002424 ", false, 0},
        {"2424x       ", false, 0},
        {"24248       ", false, 0},
        {"       x    ", false, 0},
        {"           8", false, 0},
        {"           3", true, 3},
        {"-0000002424 ", false, 0},
        {"2424/       ", false, 0},
        /* The size equals the sectors behind the header, or exceeds them by one byte, or by far. */
        {"00000047000 ", true, 19968},
        {"00000047001 ", false, 0},
        {"00000050000 ", false, 0},
        {"77777777777 ", false, 0},
    };
    struct tar tar;
    struct tar_entry entry;
    uint64_t at;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        (void)start(NULL);
        put(0, "a", 0, 0);
        memcpy(disk[0] + 124, rows[i].field, 12);
        sum_up(disk[0]);
        at = 0;
        assert_int_equal(tar_open(&tar, &ops, &all, 1), rows[i].good ? TAR_OK : TAR_DAMAGED);
        assert_int_equal(tar.entries, rows[i].good);
        if (!rows[i].good)
            continue;
        assert_int_equal(tar_next(&tar, &at, &entry), TAR_OK);
        assert_int_equal(entry.size, rows[i].size);
    }
}

TEST_WITH(test_read, start, NULL)
{
    struct tar tar;
    struct tar_entry entry;
    uint8_t got[1400];

    put(0, "a", 1300, 7);
    assert_int_equal(tar_open(&tar, &ops, &all, 1), TAR_OK);
    assert_int_equal(tar_find(&tar, "a", &entry), TAR_OK);
    for (unsigned offset = 0; offset <= 1301; offset += offset % 512 == 510 ? 1 : 17) {
        for (unsigned size = 1; size < sizeof(got); size += 173) {
            unsigned left = offset < 1300 ? 1300 - offset : 0, wanted = size < left ? size : left;
            size_t done = 99;

            memset(got, 0xEE, sizeof(got));
            assert_int_equal(tar_read(&tar, &entry, offset, got, size, &done), TAR_OK);
            assert_int_equal(done, wanted);
            for (unsigned i = 0; i < wanted; i++)
                assert_int_equal(got[i], (uint8_t)(7 + (offset + i) % 251));
            assert_int_equal(got[wanted], 0xEE);
        }
    }
}

TEST_WITH(test_refused, start, NULL)
{
    struct tar tar;
    struct tar_entry entry;
    uint8_t got[1300];
    size_t done;

    put(0, "a", 1300, 7);
    assert_int_equal(tar_open(&tar, &ops, &all, 1), TAR_OK);
    assert_int_equal(tar_find(&tar, "a", &entry), TAR_OK);
    refused = 2;
    tar_forget(&tar);
    assert_int_equal(tar_read(&tar, &entry, 0, got, sizeof(got), &done), TAR_READ);
    assert_int_equal(tar_read(&tar, &entry, 1, got, 20, &done), TAR_READ);
    assert_int_equal(tar_open(&tar, &ops, &all, 1), TAR_READ);
    /* The file has whole sectors, and no part of one after them. */
    (void)start(state);
    put(0, "a", 2 * DISK_SECTOR, 7);
    assert_int_equal(tar_open(&tar, &ops, &all, 1), TAR_OK);
    assert_int_equal(tar_find(&tar, "a", &entry), TAR_OK);
    refused = 2;
    done = 9;
    assert_int_equal(tar_read(&tar, &entry, 0, got, sizeof(got), &done), TAR_READ);
    assert_int_equal(tar_read(&tar, &entry, DISK_SECTOR, got, sizeof(got), &done), TAR_READ);
    assert_int_equal(done, 9);
    assert_int_equal(tar_read(&tar, &entry, 0, got, DISK_SECTOR, &done), TAR_OK);
    assert_int_equal(done, DISK_SECTOR);
}

TEST(test_texts)
{
    assert_string_equal(tar_error_text(TAR_OK), "no error");
    for (unsigned i = 0; i <= TAR_BUSY; i++) {
        assert_non_null(tar_error_text((enum tar_error)i));
        for (unsigned other = 0; other < i; other++)
            assert_string_not_equal(tar_error_text((enum tar_error)i), tar_error_text((enum tar_error)other));
        assert_string_not_equal(tar_error_text((enum tar_error)i), "unknown error");
    }
    assert_string_equal(tar_error_text((enum tar_error)(TAR_BUSY + 1)), "unknown error");
}

RUN_TESTS(NULL, NULL)
