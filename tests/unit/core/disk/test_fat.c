/* SPDX-License-Identifier: BSD-2-Clause */
/* FAT volumes made by mformat, mcopy and mkfs.fat, whole and damaged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/disk/fat.h"
#include "tests/unit/core/disk/disk.h"

static struct test_disk *disk;
static struct fat fat;

/* Fills a file with numbers that differ at each place. */
static void make_file(const char *name, unsigned bytes)
{
    char path[200];
    FILE *file;

    snprintf(path, sizeof(path), FILES "%s", name);
    file = disk_new_file(path);
    for (unsigned i = 0; i < bytes; i++)
        fputc((int)((i * 7 + i / 512 + i / 65536) & 0xFF), file);
    fclose(file);
}

static uint8_t expected(uint64_t i)
{
    return (uint8_t)(i * 7 + i / 512 + i / 65536);
}

static void check_file(const char *path, uint32_t bytes)
{
    struct fat_file file;
    uint8_t *all = malloc(bytes + 1), some[1500];
    size_t done;

    assert_int_equal(fat_open(&fat, path, &file), FAT_OK);
    assert_false(file.folder);
    assert_int_equal(file.size, bytes);
    assert_int_equal(fat_read(&fat, &file, 0, all, bytes, &done), FAT_OK);
    assert_int_equal(done, bytes);
    for (uint32_t i = 0; i < bytes; i++)
        if (all[i] != expected(i))
            fail_msg("%s: byte %u", path, i);
    /* Reads at places in any order, with ends inside sectors. */
    for (uint32_t n = 0; n < 200; n++) {
        uint32_t offset = (n * 7919u) % (bytes + 600), size = n * 13 % sizeof(some);

        assert_int_equal(fat_read(&fat, &file, offset, some, size, &done), FAT_OK);
        assert_int_equal(done, offset >= bytes ? 0 : size < bytes - offset ? size : bytes - offset);
        for (size_t i = 0; i < done; i++)
            assert_int_equal(some[i], expected(offset + i));
    }
    free(all);
}

/* Checks that the extents hold the file's bytes, and returns their number. */
static unsigned check_extents(const char *path, uint32_t bytes)
{
    struct disk_extent extents[64];
    struct fat_file file;
    unsigned count;
    uint64_t at = 0;

    assert_int_equal(fat_open(&fat, path, &file), FAT_OK);
    assert_int_equal(fat_extents(&fat, &file, extents, 64, &count), FAT_OK);
    for (unsigned e = 0; e < count; e++) {
        assert_true(extents[e].sector + extents[e].count <= disk->sectors);
        for (uint64_t i = 0; i < extents[e].count * DISK_SECTOR && at < bytes; i++, at++)
            assert_int_equal(disk->bytes[extents[e].sector * DISK_SECTOR + i], expected(at));
    }
    assert_int_equal(at, bytes);
    return count;
}

/* Makes a volume of this size by mformat with these options, adds files and folders, and mounts it from sector 'start'
 * of the disk. */
static void volume(unsigned mib, const char *words, const char *more)
{
    make_file("a.bin", 100000);
    make_file("b.bin", 513);
    make_file("none.bin", 0);
    disk = disk_made_by(
        "v.img",
        "rm -f v.img && truncate -s %uM v.img && mformat -i v.img %s -v TEST -N 1B5B0071 :: && "
        "mmd -i v.img ::/ibsboot ::/ibsboot/runs '::/A folder with a long name' && mcopy -i v.img a.bin ::/ && "
        "mcopy -i v.img b.bin '::/A folder with a long name/0001-matmul_classic.profile.csv' && "
        "mcopy -i v.img b.bin none.bin ::/ibsboot && %s",
        mib, words, more);
    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_OK);
    assert_int_equal(fat.serial, 0x1B5B0071);
}

static int end(void **state)
{
    if (disk)
        disk_free(disk);
    disk = NULL;
    return 0;
}

static void whole(bool fat32)
{
    struct fat_file file;

    assert_int_equal(fat.fat32, fat32);
    check_file("a.bin", 100000);
    check_file("/A.BIN", 100000);
    check_file("\\ibsboot\\b.bin", 513);
    check_file("//ibsboot/\\b.bin", 513);
    check_file("ibsboot/none.bin", 0);
    check_file("a folder WITH a long name/0001-matmul_classic.profile.csv", 513);
    check_file("AFOLDE~1/0001-M~1.CSV", 513);
    check_file("ibsboot/../ibsboot/runs/../b.bin", 513);
    assert_int_equal(check_extents("a.bin", 100000), 1);
    assert_int_equal(check_extents("ibsboot/none.bin", 0), 0);
    assert_int_equal(fat_open(&fat, "c.bin", &file), FAT_NOT_FOUND);
    assert_int_equal(fat_open(&fat, "a.bi", &file), FAT_NOT_FOUND);
    assert_int_equal(fat_open(&fat, "a.bin?", &file), FAT_NOT_FOUND);
    assert_int_equal(fat_open(&fat, "TEST", &file), FAT_NOT_FOUND); /* the volume's label */
    assert_int_equal(fat_open(&fat, "a.bin/b.bin", &file), FAT_NOT_A_FOLDER);
    assert_int_equal(fat_open(&fat, "ibsboot", &file), FAT_OK);
    assert_true(file.folder);
    assert_int_equal(fat_open(&fat, "", &file), FAT_OK);
    assert_true(file.folder);
}

TEST_WITH(fat32_by_mformat, NULL, end)
{
    volume(40, "-F -c 1 -h 255 -s 63", "true");
    whole(true);
    end(state);
    volume(300, "-F -c 8", "true");
    whole(true);
}

TEST_WITH(fat16_by_mformat, NULL, end)
{
    volume(20, "-c 4", "true");
    whole(false);
    end(state);
    volume(16, "-c 2 -r 4", "true");
    whole(false);
}

TEST_WITH(by_mkfs, NULL, end)
{
    static const char *const kinds[] = {"-F 32 -s 1", "-F 32 -s 2 -f 1", "-F 16 -s 8", "-F 16 -s 16 -f 1 -r 64"};

    make_file("a.bin", 100000);
    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        shell("rm -f v.img && truncate -s 144M v.img && PATH=$PATH:/usr/sbin mkfs.fat %s -i 1B5B0071 v.img && "
              "mcopy -i v.img a.bin '::/A name of 11'",
              kinds[i]);
        disk = disk_of_file(FILES "v.img");
        assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_OK);
        assert_int_equal(fat.serial, 0x1B5B0071);
        check_file("a name of 11", 100000);
        end(state);
    }
}

TEST_WITH(inside_a_partition, NULL, end)
{
    make_file("a.bin", 3000);
    shell("rm -f v.img && truncate -s 42M v.img && mformat -i v.img@@1M -F -c 1 -T 80000 -H 2048 -N 1B5B0071 :: && "
          "mcopy -i v.img@@1M a.bin ::/");
    disk = disk_of_file(FILES "v.img");
    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_NOT_FAT);
    assert_int_equal(fat_mount(&fat, &disk->ops, 2048), FAT_OK);
    check_file("a.bin", 3000);
    assert_int_equal(check_extents("a.bin", 3000), 1);
}

/* Files of one cluster each, of which every second one is deleted, leave free space in pieces. */
TEST_WITH(in_pieces, NULL, end)
{
    struct disk_extent extents[8];
    struct fat_file file;
    unsigned count, pieces;

    make_file("c.bin", 40000);
    shell("rm -rf small && mkdir small && cd small && for i in $(seq 1 60); do echo $i >f$i; done");
    /* A large file fills the rest of the volume, so that only the clusters of deleted small files are free. */
    volume(16, "-c 2",
           "mcopy -i v.img small/* :: && truncate -s 16M full.bin && mcopy -i v.img full.bin :: >/dev/null 2>&1 || "
           "for i in $(seq 1 2 59); do mdel -i v.img ::/f$i; done && "
           "size=$(mdir -i v.img :: | sed -n 's/ *\\([0-9 ]*\\) bytes free/\\1/p' | tr -d ' ') && "
           "truncate -s $((size - 30 * 1024)) full.bin && mcopy -i v.img full.bin ::/g.bin && "
           "for i in $(seq 2 2 20); do mdel -i v.img ::/f$i; done && mcopy -i v.img c.bin ::/");
    check_file("c.bin", 40000);
    pieces = check_extents("c.bin", 40000);
    assert_true(pieces > 2);
    assert_int_equal(fat_open(&fat, "c.bin", &file), FAT_OK);
    count = 77;
    assert_int_equal(fat_extents(&fat, &file, extents, 2, &count), FAT_TOO_FRAGMENTED);
    assert_int_equal(count, 77);
}

static void note_name(void *argument, const char *name, const struct fat_file *file)
{
    char *text = argument;

    sprintf(text + strlen(text), "%s%s %u\n", name, file->folder ? "/" : "", file->size);
}

TEST_WITH(lists, NULL, end)
{
    char text[4000] = "";
    struct fat_file folder;

    volume(40, "-F -c 1", "mcopy -i v.img b.bin ::/ibsboot/ümlaut.txt && mcopy -i v.img b.bin ::/ibsboot/UPPER.x");
    assert_int_equal(fat_open(&fat, "", &folder), FAT_OK);
    assert_int_equal(fat_list(&fat, &folder, note_name, text), FAT_OK);
    assert_string_equal(text, "ibsboot/ 0\nA folder with a long name/ 0\na.bin 100000\n");
    text[0] = '\0';
    assert_int_equal(fat_open(&fat, "ibsboot", &folder), FAT_OK);
    assert_int_equal(fat_list(&fat, &folder, note_name, text), FAT_OK);
    assert_string_equal(text, "runs/ 0\nb.bin 513\nnone.bin 0\n?mlaut.txt 513\nUPPER.x 513\n");
    assert_int_equal(fat_open(&fat, "a.bin", &folder), FAT_OK);
    assert_int_equal(fat_list(&fat, &folder, note_name, text), FAT_NOT_A_FOLDER);
}

/* In a folder of many clusters names between deleted ones are found. */
TEST_WITH(thousand_folders, NULL, end)
{
    struct fat_file file;

    volume(40, "-F -c 1",
           "mmd -i v.img $(for i in $(seq 1000 1999); do echo ::/ibsboot/runs/$i-matmul_classic-ibs; done) && "
           "mrd -i v.img ::/ibsboot/runs/1500-matmul_classic-ibs");
    assert_int_equal(fat_open(&fat, "ibsboot/runs/1999-matmul_classic-ibs", &file), FAT_OK);
    assert_true(file.folder);
    assert_int_equal(fat_open(&fat, "ibsboot/runs/1500-matmul_classic-ibs", &file), FAT_NOT_FOUND);
    /* Calls of a BIOS take milliseconds. The folder's sectors lie among 1,000 others; a group of eight is read once,
     * unless the cache holds it at the place of a group of the table. */
    assert_in_range(disk->calls, 1235 / FAT_GROUP, 1235 / FAT_GROUP + 10);
    disk->calls = 0;
    assert_int_equal(fat_open(&fat, "ibsboot/runs/1998-matmul_classic-ibs", &file), FAT_OK);
    assert_in_range(disk->calls, 0, 10);
}

/* ---------------------------------------------------------------- damage */

static uint8_t *table(unsigned entry)
{
    return disk->bytes + fat.table_start * DISK_SECTOR + (fat.fat32 ? 4 : 2) * entry;
}

/* Drops the cached sectors of the disk. */
static void forget(void)
{
    memset(fat.group, 0, sizeof(fat.group));
}

static void set_table(unsigned entry, uint32_t value)
{
    memcpy(table(entry), &value, fat.fat32 ? 4 : 2);
    forget();
}

static void chains(bool fat32)
{
    struct fat_file file;
    uint32_t first, saved = 0;

    assert_int_equal(fat.fat32, fat32);
    assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_OK);
    first = file.first;
    memcpy(&saved, table(first + 5), fat32 ? 4 : 2);
    static const uint32_t bad[] = {0, 1, 0xFFF7, 0xFF0};
    for (unsigned i = 0; i < 4; i++) {
        set_table(first + 5, fat32 && bad[i] > 1 ? bad[i] | 0x0FFF0000 : bad[i] | (fat32 ? 0 : 0xF000 * (bad[i] > 1)));
        assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_DAMAGED);
    }
    set_table(first + 5, first + 2); /* a ring */
    assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_DAMAGED);
    set_table(first + 5, first + 5); /* a ring of one cluster */
    assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_DAMAGED);
    set_table(first + 5, 0x0FFFFFFF); /* the chain ends too early */
    assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_DAMAGED);
    if (fat32) {
        set_table(first + 5, saved | 0xA0000000); /* the top bits are not part of the number */
        assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_OK);
    }
    set_table(first + 5, saved);
    assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_OK);
    /* A chain may have more clusters than the file needs; it may not end in a ring. */
    for (unsigned last = 100000 / (fat.cluster_sectors * 512), more = 0; more < 2; more++) {
        set_table(first + last, first + last + 2000);
        set_table(first + last + 2000, more ? first : 0x0FFFFFFF);
        assert_int_equal(fat_open(&fat, "a.bin", &file), more ? FAT_DAMAGED : FAT_OK);
    }
}

TEST_WITH(damaged_chains, NULL, end)
{
    volume(40, "-F -c 1", "true");
    chains(true);
    end(state);
    volume(20, "-c 4", "true");
    chains(false);
}

TEST_WITH(damaged_folders, NULL, end)
{
    struct fat_file file;
    uint32_t first;

    volume(40, "-F -c 1", "true");
    assert_int_equal(fat_open(&fat, "ibsboot", &file), FAT_OK);
    first = file.first;
    memset(disk->bytes + (fat.data_start + first - 2) * 512, 0xE5, 512);
    set_table(first, first);
    assert_int_equal(fat_open(&fat, "ibsboot/x", &file), FAT_DAMAGED);
    set_table(first, 0x0FFFFFFF);
    assert_int_equal(fat_open(&fat, "ibsboot/x", &file), FAT_NOT_FOUND);
}

TEST_WITH(refused_boot_sectors, NULL, end)
{
    /* offset, width, value */
    static const uint32_t changes[][3] = {
        {510, 1, 0}, {511, 1, 0},          {11, 2, 1024},      {13, 1, 0},   {13, 1, 3},    {14, 2, 0}, {16, 1, 0},
        {36, 4, 0},  {36, 4, 3},           {32, 4, 100},       {17, 2, 512}, {42, 2, 1},    {44, 4, 1}, {44, 4, ~0u},
        {32, 4, 0},  {32, 4, 0xFFFFFFFFu}, {36, 4, 0xFFFFFFu}, {22, 2, 100}, {40, 2, 0x82},
    };

    volume(40, "-F -c 1", "true");
    for (unsigned i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        uint8_t saved[512];

        memcpy(saved, disk->bytes, 512);
        memcpy(disk->bytes + changes[i][0], &changes[i][2], changes[i][1]);
        if (fat_mount(&fat, &disk->ops, 0) != FAT_NOT_FAT)
            fail_msg("change %u is taken", i);
        memcpy(disk->bytes, saved, 512);
    }
    /* The flags name the second table as the only one in use. */
    disk->bytes[40] = 0x81;
    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_OK);
    memset(disk->bytes + (fat.table_start - fat.table_sectors) * 512, 0, 512);
    check_file("a.bin", 100000);
    /* The volume is FAT12. */
    shell("rm -f v.img && truncate -s 1440K v.img && mformat -i v.img -f 1440 ::");
    end(state);
    disk = disk_of_file(FILES "v.img");
    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_NOT_FAT);
}

TEST_WITH(refused_reads, NULL, end)
{
    struct fat_file file;
    uint8_t some[512];
    size_t done = 5;

    volume(40, "-F -c 1", "true");
    assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_OK);
    disk->bad_read = fat.data_start + file.first - 2 + 3;
    assert_int_equal(fat_read(&fat, &file, 0, some, 512, &done), FAT_OK);
    assert_int_equal(fat_read(&fat, &file, 3 * 512, some, 512, &done), FAT_READ);
    disk->bad_read = fat.table_start; /* kept */
    assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_OK);
    forget();
    assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_READ);
    for (unsigned i = 0; i < 2; i++) { /* a neighbour, read in one group with the wanted sector */
        uint64_t wanted = i ? fat.data_start : fat.table_start;
        disk->bad_read = wanted / FAT_GROUP * FAT_GROUP + FAT_GROUP - 1;
        assert_true(disk->bad_read > wanted);
        forget();
        assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_OK);
        assert_int_equal(fat_read(&fat, &file, 512, some, 512, &done), FAT_OK);
    }
    forget();
    disk->bad_read = fat.data_start;
    assert_int_equal(fat_open(&fat, "a.bin", &file), FAT_READ);
    disk->bad_read = 0;
    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_READ);
}

TEST(texts)
{
    for (int i = FAT_OK; i <= FAT_TOO_FRAGMENTED; i++)
        for (int k = FAT_OK; k < i; k++) /* each error has its own text */
            assert_string_not_equal(fat_error_text((enum fat_error)i), fat_error_text((enum fat_error)k));
    assert_string_equal(fat_error_text((enum fat_error)99), "unknown error");
}

RUN_TESTS(NULL, NULL)
