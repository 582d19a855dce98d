/* SPDX-License-Identifier: BSD-2-Clause */
/* The run area: appended to here, read by GNU tar; cut off after every sector, full, damaged, and refused by its
 * disk. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/disk/store.h"
#include "tests/unit/core/disk/disk.h"

enum { SECTORS = 600, TIME = 1700000000, FILES_IN_SEQUENCE = 9 };

/* The area has several pieces, not in the disk's order. */
static const struct disk_extent extents[] = {{400, 100}, {10, 3}, {200, 197}, {100, 90}};
enum { AREA = 100 + 3 + 197 + 90 };

static struct test_disk *disk;
static struct store store;

static int begin(void **state)
{
    disk = disk_of_size(SECTORS);
    memset(disk->bytes, 0x5A, SECTORS * DISK_SECTOR); /* sectors outside the area must stay so */
    for (unsigned e = 0; e < 4; e++)
        memset(disk->bytes + extents[e].sector * DISK_SECTOR, 0, extents[e].count * DISK_SECTOR);
    assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_OK);
    return 0;
}

static int end(void **state)
{
    disk_free(disk);
    return 0;
}

/* Writes the area into a file, as a host sees it. */
static void area_to_file(const char *path)
{
    FILE *file = disk_new_file(path);

    for (unsigned e = 0; e < 4; e++)
        fwrite(disk->bytes + extents[e].sector * DISK_SECTOR, DISK_SECTOR, extents[e].count, file);
    assert_int_equal(fclose(file), 0);
}

static const unsigned sizes[FILES_IN_SEQUENCE] = {0, 1, 511, 512, 513, 1024, 40000, 7, 32768};

static const char *name_of(unsigned i)
{
    static char name[TAR_NAME_MAX];

    snprintf(name, sizeof(name), "ibsboot/runs/0001-matmul_classic-ibs/file%u", i);
    return name;
}

static uint8_t byte_of(unsigned file, uint64_t i)
{
    return (uint8_t)(1 + (file * 31 + i * 7 + i / 512) % 255); /* never zero */
}

static enum tar_error append_one(unsigned i)
{
    uint8_t *bytes = malloc(sizes[i] + 1);
    enum tar_error error = store_begin(&store, name_of(i), TIME);

    for (unsigned k = 0; k < sizes[i]; k++)
        bytes[k] = byte_of(i, k);
    for (unsigned at = 0, part = 1; !error && at < sizes[i]; at += part, part = part * 3 + 1) {
        part = part < sizes[i] - at ? part : sizes[i] - at;
        error = store_write(&store, bytes + at, part);
    }
    free(bytes);
    if (store.writing)
        error = store_end(&store, true);
    return error;
}

static void check_content(struct tar *tar, const struct tar_entry *entry, unsigned i)
{
    uint8_t *bytes = malloc(sizes[i] + 600);
    size_t done;

    assert_string_equal(entry->name, name_of(i));
    assert_int_equal(entry->size, sizes[i]);
    assert_int_equal(tar_read(tar, entry, 0, bytes, sizes[i] + 600, &done), TAR_OK);
    assert_int_equal(done, sizes[i]);
    for (unsigned k = 0; k < sizes[i]; k++)
        if (bytes[k] != byte_of(i, k))
            fail_msg("file %u, byte %u", i, k);
    if (sizes[i] > 700) {
        assert_int_equal(tar_read(tar, entry, 300, bytes, 650, &done), TAR_OK);
        assert_int_equal(bytes[0], byte_of(i, 300));
        assert_int_equal(bytes[649], byte_of(i, 949));
    }
    free(bytes);
}

/* Checks that the area has the first files of the sequence, all of them whole, and returns how many there are. */
static unsigned check_area(void)
{
    struct tar tar;
    struct tar_entry entry;
    unsigned count = 0;

    assert_int_equal(tar_open(&tar, &disk->ops, extents, 4), TAR_OK);
    for (uint64_t at = 0; tar_next(&tar, &at, &entry) == TAR_OK; count++)
        check_content(&tar, &entry, count);
    assert_int_equal(tar.entries, count);
    for (unsigned s = 0; s < SECTORS; s++) {
        bool ours = false;

        for (unsigned e = 0; e < 4; e++)
            ours = ours || (s >= extents[e].sector && s < extents[e].sector + extents[e].count);
        assert_true(ours || disk->bytes[s * DISK_SECTOR] == 0x5A);
    }
    return count;
}

/* Checks that GNU tar lists the first 'count' files with their sizes and extracts the right bytes. */
static void check_by_tar(unsigned count)
{
    int status;
    const char *text;
    char wanted[2000] = "";

    area_to_file(FILES "area.tar");
    text = shell_says(
        &status,
        "rm -rf x && mkdir x && tar -C x -xf area.tar 2>tar.err; grep -v 'lone zero block' tar.err; "
        "cd x && find . -type f -printf '%%P %%s\\n' | sort; find . -type f | sort | xargs -r cat | cksum >../sum");
    for (unsigned i = 0; i < count; i++)
        sprintf(wanted + strlen(wanted), "%s %u\n", name_of(i), sizes[i]);
    assert_string_equal(text, wanted);
    {
        FILE *file = disk_new_file(FILES "all.bin");

        for (unsigned i = 0; i < count; i++)
            for (unsigned k = 0; k < sizes[i]; k++)
                fputc(byte_of(i, k), file);
        fclose(file);
    }
    shell("cksum <all.bin | cmp - sum");
}

TEST_WITH(appended, begin, end)
{
    struct tar_entry entry;
    unsigned sectors = 0;

    assert_int_equal(store_room(&store), (AREA - 3) * 512);
    for (unsigned i = 0; i < FILES_IN_SEQUENCE; i++) {
        assert_int_equal(append_one(i), TAR_OK);
        sectors += 1 + (sizes[i] + 511) / 512;
        assert_int_equal(store.tar.used, sectors);
        assert_int_equal(check_area(), i + 1);
    }
    check_by_tar(FILES_IN_SEQUENCE);
    shell("tar -tvf area.tar --utc --full-time | grep -q -- '-rw-r--r-- 0/0 *513 2023-11-14 22:13:20 .*file4'");
    assert_int_equal(tar_find(&store.tar, name_of(4), &entry), TAR_OK);
    check_content(&store.tar, &entry, 4);
    assert_int_equal(tar_find(&store.tar, name_of(0), &entry), TAR_NOT_FOUND); /* an empty version removes the file */
    assert_int_equal(tar_find(&store.tar, "ibsboot", &entry), TAR_NOT_FOUND);
    /* A store that is opened again continues at the end. */
    assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_OK);
    assert_int_equal(store.tar.used, sectors);
    assert_int_equal(store.tar.entries, FILES_IN_SEQUENCE);
}

/* Leaves what an earlier boot had written when it stopped in a file of 90 blocks. */
static void stop_in_a_file(void)
{
    static uint8_t bytes[90 * 512];

    memset(bytes, 0xA5, sizeof(bytes));
    disk->writes_left = 80;
    assert_int_equal(store_append(&store, "half", bytes, sizeof(bytes), 0), TAR_WRITE);
    disk->writes_left = ~0ull;
    disk->written = 0;
    assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_OK);
    assert_int_equal(store.tar.entries, 0);
}

/* The power fails after any number of sectors: the area then has the complete files, and the next boot appends the
 * rest. */
TEST_WITH(power_cuts, begin, end)
{
    uint64_t all;
    unsigned last = 0;

    stop_in_a_file();
    for (unsigned i = 0; i < FILES_IN_SEQUENCE; i++)
        assert_int_equal(append_one(i), TAR_OK);
    all = disk->written;
    assert_true(all > 150);
    for (uint64_t cut = 0; cut <= all; cut++) {
        unsigned done = 0, there;

        end(state);
        begin(state);
        stop_in_a_file();
        disk->writes_left = cut;
        while (done < FILES_IN_SEQUENCE && append_one(done) == TAR_OK)
            done++;
        there = check_area();
        /* The last header may have been written although the program was not told so. */
        assert_in_range(there, done, done + 1);
        assert_true(there >= last);
        if (there > last || cut % 16 == 0)
            check_by_tar(there);
        last = there;
        disk->writes_left = ~0ull;
        assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_OK);
        for (unsigned i = there; i < FILES_IN_SEQUENCE; i++)
            assert_int_equal(append_one(i), TAR_OK);
        assert_int_equal(check_area(), FILES_IN_SEQUENCE);
    }
    assert_int_equal(last, FILES_IN_SEQUENCE);
}

/* The last version of a file is the file; a removed one is not there. */
TEST_WITH(changed_and_removed, begin, end)
{
    struct tar_entry entry;
    char text[20];
    size_t done;

    assert_int_equal(store_append(&store, "a/begun.ini", "one", 3, 0), TAR_OK);
    assert_int_equal(store_append(&store, "a/b", "other", 5, 0), TAR_OK);
    assert_int_equal(store_append(&store, "a/begun.ini", "one two", 7, 0), TAR_OK);
    assert_int_equal(tar_find(&store.tar, "a/begun.ini", &entry), TAR_OK);
    assert_int_equal(tar_read(&store.tar, &entry, 0, text, sizeof(text), &done), TAR_OK);
    assert_int_equal(done, 7);
    assert_memory_equal(text, "one two", 7);
    assert_int_equal(store_remove(&store, "a/begun.ini", 0), TAR_OK);
    assert_int_equal(tar_find(&store.tar, "a/begun.ini", &entry), TAR_NOT_FOUND);
    assert_int_equal(store_remove(&store, "a/begun.ini", 0), TAR_NOT_FOUND);
    assert_int_equal(tar_find(&store.tar, "a/b", &entry), TAR_OK);
}

TEST_WITH(full, begin, end)
{
    static uint8_t bytes[AREA * 512];
    uint64_t used;

    memset(bytes, 1, sizeof(bytes));
    assert_int_equal(store_append(&store, "large", bytes, (AREA - 3) * 512 + 1, 0), TAR_FULL);
    assert_int_equal(check_area(), 0);
    check_by_tar(0);
    shell("! test -s tar.err"); /* no complaint about a lone zero block */
    assert_int_equal(append_one(0), TAR_OK);
    assert_int_equal(append_one(1), TAR_OK);
    used = store.tar.used;
    assert_int_equal(store_append(&store, "large", bytes, store_room(&store) + 1, 0), TAR_FULL);
    assert_int_equal(append_one(2), TAR_OK);
    assert_int_equal(check_area(), 3);
    assert_int_equal(store.tar.used, used + 2);
    assert_int_equal(store_append(&store, "fits", bytes, store_room(&store), 0), TAR_OK);
    assert_int_equal(store_room(&store), 0);
    assert_int_equal(store_append(&store, "no", bytes, 1, 0), TAR_FULL);
    assert_int_equal(store_append(&store, "empty", bytes, 0, 0), TAR_FULL);
    shell("true");
    area_to_file(FILES "area.tar");
    shell("test $(tar -tf area.tar | wc -l) = 4");
    /* The area has no pieces. */
    assert_int_equal(store_open(&store, &disk->ops, extents, 0), TAR_OK);
    assert_int_equal(store_append(&store, "a", bytes, 1, 0), TAR_FULL);
}

/* A tar that GNU tar made to the last block of the area has no end marks; nothing can be added. */
TEST_WITH(of_gnu_tar, begin, end)
{
    struct disk_extent whole;
    struct tar_entry entry;

    shell("rm -rf y && mkdir -p y/%s && echo text >y/a && ln -s a y/link && "
          "echo deep >y/%s/file-of-a-long-path && tar --format=ustar -C y -cf y.tar . && cd y && tar --format=ustar -b "
          "1 -cf ../z.tar a",
          "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
          "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789");
    end(state);
    disk = disk_of_file(FILES "y.tar");
    whole = (struct disk_extent){0, disk->sectors};
    assert_int_equal(store_open(&store, &disk->ops, &whole, 1), TAR_OK);
    assert_int_equal(store.tar.entries, 5);
    assert_int_equal(tar_find(&store.tar, "./a", &entry), TAR_OK);
    assert_int_equal(tar_find(&store.tar, "./link", &entry), TAR_NOT_FOUND);
    assert_int_equal(store_append(&store, "b", "new", 3, 0), TAR_OK);
    disk_to_file(disk, FILES "y2.tar");
    shell("tar -xOf y2.tar b | grep -qx new && test $(tar -tf y2.tar | wc -l) = 6");
    end(state);
    disk = disk_of_file(FILES "z.tar");
    whole.count = 2;
    assert_int_equal(store_open(&store, &disk->ops, &whole, 1), TAR_OK);
    assert_int_equal(store.tar.entries, 1);
    assert_int_equal(store_append(&store, "b", "new", 3, 0), TAR_FULL);
}

/* Each kind of damage is reported; the files before it can be read, and nothing is written after it. */
TEST_WITH(damaged, begin, end)
{
    static const unsigned places[] = {0, 124, 148, 257, 300};

    for (unsigned p = 0; p < 5; p++) {
        uint8_t *header;
        struct tar_entry entry;

        end(state);
        begin(state);
        for (unsigned i = 1; i < 5; i++)
            assert_int_equal(append_one(i), TAR_OK);
        header = disk->bytes + (extents[0].sector + 4) * DISK_SECTOR; /* the header of the third file */
        header[places[p]] ^= 0x01;
        assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_DAMAGED);
        assert_int_equal(store.tar.entries, 2);
        assert_int_equal(tar_find(&store.tar, name_of(2), &entry), TAR_OK);
        assert_int_equal(tar_find(&store.tar, name_of(3), &entry), TAR_NOT_FOUND);
        assert_int_equal(append_one(5), TAR_DAMAGED);
    }
    /* A file that is no tar at all, and an entry whose size exceeds the area. */
    memset(disk->bytes + extents[0].sector * DISK_SECTOR, 'x', 512);
    assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_DAMAGED);
    tar_header(disk->bytes + extents[0].sector * DISK_SECTOR, "a", (AREA - 1) * 512 + 1, 0);
    assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_DAMAGED);
    tar_header(disk->bytes + extents[0].sector * DISK_SECTOR, "a", (AREA - 1) * 512, 0);
    assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_OK);
    assert_int_equal(store_room(&store), 0);
    tar_header(disk->bytes + extents[0].sector * DISK_SECTOR, "a", 077777777777, 0);
    assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_DAMAGED);
}

TEST_WITH(refused, begin, end)
{
    assert_int_equal(append_one(0), TAR_OK);
    assert_int_equal(append_one(1), TAR_OK);
    disk->bad_write = extents[0].sector + 4; /* a sector of a file's body */
    assert_int_equal(append_one(2), TAR_WRITE);
    assert_int_equal(check_area(), 2);
    disk->bad_write = extents[0].sector + 3; /* a header's sector, which may have been written */
    assert_int_equal(append_one(2), TAR_WRITE);
    disk->bad_write = ~0ull;
    assert_int_equal(store.tar.entries, 2); /* the failed file is not counted */
    assert_int_equal(store.tar.used, 3);
    assert_int_equal(append_one(2), TAR_OK); /* the store has read the area again */
    /* The disk reports success but does not write. */
    disk->deaf = true;
    assert_int_equal(append_one(3), TAR_WRITE);
    disk->deaf = false;
    /* The sector was written but could not be read back: the next boot finds the file, whole. */
    assert_int_equal(store_open(&store, &disk->ops, extents, 4), TAR_OK);
    disk->bad_read = extents[0].sector + store.tar.used;
    assert_int_equal(append_one(3), TAR_WRITE);
    disk->bad_read = extents[0].sector;
    assert_int_equal(append_one(4), TAR_READ);
    disk->bad_read = ~0ull;
    assert_int_equal(append_one(4), TAR_OK);
    assert_int_equal(check_area(), 5);
}

TEST_WITH(misuse, begin, end)
{
    struct tar_entry entry;
    char name[200];

    memset(name, 'n', sizeof(name));
    name[101] = '\0';
    assert_int_equal(store_begin(&store, name, 0), TAR_NAME);
    assert_int_equal(store_begin(&store, "", 0), TAR_NAME);
    name[100] = '\0';
    assert_int_equal(store_append(&store, name, "x", 1, 0), TAR_OK);
    area_to_file(FILES "area.tar");
    shell("tar -tf area.tar | grep -qx 'n*'");
    assert_int_equal(store_write(&store, "x", 1), TAR_BUSY);
    assert_int_equal(store_end(&store, true), TAR_BUSY);
    assert_int_equal(store_name(&store, "a"), TAR_BUSY);
    assert_int_equal(store_begin(&store, "a.new", 0), TAR_OK);
    assert_int_equal(store_name(&store, ""), TAR_NAME);
    assert_int_equal(store_name(&store, "a"), TAR_OK);
    assert_int_equal(store_write(&store, "x", 1), TAR_OK);
    assert_int_equal(store_end(&store, true), TAR_OK);
    assert_int_equal(tar_find(&store.tar, "a", &entry), TAR_OK);
    assert_int_equal(tar_find(&store.tar, "a.new", &entry), TAR_NOT_FOUND);
    assert_int_equal(store_begin(&store, "a", 0), TAR_OK);
    assert_int_equal(store_begin(&store, "b", 0), TAR_BUSY);
    assert_int_equal(store_write(&store, "x", 1), TAR_OK);
    assert_int_equal(store_end(&store, false), TAR_OK);
    assert_int_equal(store.tar.entries, 2);
    for (int i = TAR_OK; i <= TAR_BUSY; i++)
        assert_null(strchr(tar_error_text((enum tar_error)i), '\n'));
}

/* Opening an area with 1,000 files of a kilobyte takes one read for every two or three headers. */
TEST_WITH(many, begin, end)
{
    struct disk_extent whole = {0, 4000};
    char name[1000] = "";

    end(state);
    disk = disk_of_size(4000);
    assert_int_equal(store_open(&store, &disk->ops, &whole, 1), TAR_OK);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof(name), "ibsboot/runs/%04u-a/run.ini", i + 1);
        assert_int_equal(store_append(&store, name, name, sizeof(name), 0), TAR_OK);
    }
    disk->calls = 0;
    assert_int_equal(store_open(&store, &disk->ops, &whole, 1), TAR_OK);
    assert_int_equal(store.tar.entries, 1000);
    assert_in_range(disk->calls, 1, 400);
}

RUN_TESTS(NULL, NULL)
