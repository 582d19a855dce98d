/* SPDX-License-Identifier: BSD-2-Clause */
/* FAT volumes made entry by entry: names, limits, and chains that no tool makes. */
#include <stdio.h>
#include <string.h>

#include "core/disk/fat.h"
#include "tests/unit/core/disk/disk.h"

enum { RESERVED = 4, TABLES = 2, LONG = 0x0F, FOLDER = 0x10, LABEL = 0x08, LAST = 0x40, END = 0x0FFFFFFF };

static struct test_disk *disk;
static struct fat fat;
static unsigned table_sectors, sectors_each, root_sectors;

static void put(uint8_t *at, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static int end(void **state)
{
    if (disk) {
        assert_int_equal(disk->beyond, 0); /* a read of the volume's last sectors does not reach beyond the volume */
        disk_free(disk);
    }
    disk = NULL;
    return 0;
}

/* Makes an empty volume with this number of clusters. FAT32: the root is cluster 2; FAT16: the root has 'root'
 * sectors. */
static uint8_t *make(unsigned clusters, unsigned each, unsigned root)
{
    unsigned width = root ? 2 : 4, total;
    uint8_t *boot;

    end(NULL);
    sectors_each = each;
    root_sectors = root;
    table_sectors = ((clusters + 2) * width + DISK_SECTOR - 1) / DISK_SECTOR;
    total = RESERVED + TABLES * table_sectors + root + clusters * each;
    disk = disk_of_size(total);
    boot = disk->bytes;
    put(boot + 11, DISK_SECTOR, 2);
    boot[13] = (uint8_t)each;
    put(boot + 14, RESERVED, 2);
    boot[16] = TABLES;
    put(boot + 17, root * 16, 2);
    if (root) {
        put(boot + (total < 0x10000 ? 19 : 32), total, total < 0x10000 ? 2 : 4);
        put(boot + 22, table_sectors, 2);
        boot[38] = 0x29;
        put(boot + 39, 0x12345678, 4);
    } else {
        put(boot + 32, total, 4);
        put(boot + 36, table_sectors, 4);
        put(boot + 44, 2, 4);
        boot[66] = 0x29;
        put(boot + 67, 0x12345678, 4);
    }
    put(boot + 510, 0xAA55, 2);
    return boot;
}

static void chain(uint32_t cluster, uint32_t next)
{
    uint8_t *table = disk->bytes + RESERVED * DISK_SECTOR;

    put(table + cluster * (root_sectors ? 2 : 4), next, root_sectors ? 2 : 4);
}

static uint64_t sector_of(uint32_t cluster)
{
    return RESERVED + TABLES * table_sectors + root_sectors + (uint64_t)(cluster - 2) * sectors_each;
}

static uint8_t *cluster_at(uint32_t cluster)
{
    return disk->bytes + sector_of(cluster) * DISK_SECTOR;
}

static enum fat_error mount(void)
{
    return fat_mount(&fat, &disk->ops, 0);
}

/* ---------------------------------------------------------------- names */

static uint8_t *next_entry;

/* Returns the checksum of a short name (fatgen103, "FAT Long Directory Entries": ChkSum()). */
static uint8_t checksum(const char *name)
{
    uint8_t sum = 0;

    for (unsigned i = 0; i < 11; i++)
        sum = (uint8_t)(((sum & 1) ? 0x80 : 0) + (sum >> 1) + (uint8_t)name[i]);
    return sum;
}

static uint8_t *short_entry(const char *name, uint8_t attributes, uint32_t cluster, uint32_t size)
{
    uint8_t *entry = next_entry;

    memcpy(entry, name, 11);
    entry[11] = attributes;
    put(entry + 20, cluster >> 16, 2);
    put(entry + 26, cluster, 2);
    put(entry + 28, size, 4);
    next_entry += 32;
    return entry;
}

/* Adds part 'number' of a long name; 'text' is the name from the part's first character on. */
static uint8_t *long_entry(unsigned number, uint8_t sum, const char *text)
{
    static const uint8_t places[] = {1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30};
    uint8_t *entry = next_entry;
    bool ended = false;

    entry[0] = (uint8_t)number;
    entry[11] = LONG;
    entry[13] = sum;
    for (unsigned i = 0; i < 13; i++) {
        put(entry + places[i], ended ? 0xFFFF : (uint8_t)text[i], 2);
        ended = ended || !text[i];
    }
    next_entry += 32;
    return entry;
}

/* Adds a whole long name before its short name. */
static void long_name(const char *text, const char *name)
{
    unsigned parts = ((unsigned)strlen(text) + 12) / 13;

    for (unsigned n = parts; n; n--)
        (void)long_entry(n == parts ? n | LAST : n, checksum(name), text + (n - 1) * 13);
}

static void note_name(void *argument, const char *name, const struct fat_file *file)
{
    sprintf((char *)argument + strlen(argument), "%s%s %x %u\n", name, file->folder ? "/" : "", file->first,
            file->size);
}

static const char *listed(const char *path)
{
    static char text[8000];
    struct fat_file folder;

    text[0] = '\0';
    assert_int_equal(mount(), FAT_OK);
    assert_int_equal(fat_open(&fat, path, &folder), FAT_OK);
    assert_int_equal(fat_list(&fat, &folder, note_name, text), FAT_OK);
    return text;
}

/* Returns a name of 11 capital letters with this checksum. */
static const char *name_with(uint8_t sum)
{
    static char name[12] = "AAAAAAAAAAA";

    do
        for (unsigned i = 10; ++name[i] > 'Z' && i; i--)
            name[i] = 'A';
    while (checksum(name) != sum);
    return name;
}

TEST_WITH(short_names, NULL, end)
{
    make(100, 1, 0);
    chain(2, 3);
    chain(3, END);
    next_entry = cluster_at(2);
    (void)short_entry("A       TXT", 0, 0, 0);
    short_entry("B       TXT", 0x20, 0, 0)[12] = 0x08;
    short_entry("C       TXT", 0, 0, 0)[12] = 0x10;
    short_entry("DDDDDDDDTXT", 0, 0, 0)[12] = 0x18;
    (void)short_entry("NOTHING    ", 0, 0, 0);
    (void)short_entry("E F     G H", 0, 0, 0);
    (void)short_entry("LABEL      ", LABEL, 0, 0);
    (void)short_entry("\xE5"
                      "GONE   TXT",
                      0, 0, 0);
    (void)short_entry("\x05"
                      "       A\x7F\x1F",
                      0, 0, 0);
    (void)short_entry("~       A~ ", 0xC0, 0, 0); /* bits that have no meaning */
    (void)short_entry(".          ", FOLDER, 3, 0);
    (void)short_entry("..         ", FOLDER, 0, 0);
    (void)short_entry(".A         ", FOLDER, 3, 7); /* a folder has no size */
    (void)short_entry("SIZE    ALL", 0, 0x1234567, 0xFEDCBA98);
    (void)short_entry("LAST       ", 0, 0, 0);
    (void)short_entry("IN SECTOR  ", 0, 0, 0);
    next_entry = cluster_at(3);
    (void)short_entry("NEXT       ", 0, 0, 0);
    (void)short_entry("\0LD        ", 0, 0, 0); /* the end of the folder: entries after it do not exist */
    (void)short_entry("AFTER      ", 0, 0, 0);
    assert_string_equal(listed(""), "A.TXT 0 0\nb.TXT 0 0\nC.txt 0 0\ndddddddd.txt 0 0\nNOTHING 0 0\nE F.G H 0 0\n"
                                    "?.A?? 0 0\n~.A~ 0 0\n.A/ 3 0\nSIZE.ALL 1234567 4275878552\nLAST 0 0\n"
                                    "IN SECTO.R 0 0\nNEXT 0 0\n");
}

TEST_WITH(long_names, NULL, end)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789.-_ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char most[300], wanted[1000];
    const unsigned lengths[] = {1, 12, 13, 14, 26, 39, 254, 255};
    struct fat_file file;

    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        make(100, 1, 0);
        chain(2, 3);
        chain(3, END);
        next_entry = cluster_at(2);
        for (unsigned k = 0; k < lengths[i]; k++)
            most[k] = letters[(k * 7 + k / 13) % (sizeof letters - 1)];
        most[lengths[i]] = '\0';
        long_name(most, "SHORT   NAM");
        (void)short_entry("SHORT   NAM", 0, 0, 0);
        snprintf(wanted, sizeof wanted, "%s 0 0\n", most);
        assert_string_equal(listed(""), wanted);
        assert_int_equal(fat_open(&fat, most, &file), FAT_OK);
        assert_int_equal(fat_open(&fat, "short.nam", &file), FAT_OK);
        most[lengths[i] - 1] ^= 1;
        assert_int_equal(fat_open(&fat, most, &file), FAT_NOT_FOUND);
    }
    /* A long name has at most 20 entries: one of 21 is ignored, and of 260 characters 255 count. */
    for (unsigned parts = 20; parts < 22; parts++) {
        make(100, 1, 0);
        chain(2, 3);
        chain(3, END);
        next_entry = cluster_at(2);
        memset(most, 'x', parts * 13);
        most[parts * 13] = '\0';
        long_name(most, "SHORT   NAM");
        (void)short_entry("SHORT   NAM", 0, 0, 0);
        if (parts == 20)
            sprintf(wanted, "%.255s 0 0\n", most);
        assert_string_equal(listed(""), parts == 20 ? wanted : "SHORT.NAM 0 0\n");
    }
}

/* A long name counts only with all its parts, in order, and with the checksum of the name after it. */
TEST_WITH(parts_of_names, NULL, end)
{
    const char *other;
    uint8_t *entry, sum = checksum("SHORT   NAM");

    make(100, 4, 0);
    chain(2, END);
    next_entry = cluster_at(2);
    /* A first part without a last one, with no entry before it: numbers and checksums of zero mean nothing. */
    (void)long_entry(1, 0, "orphan");
    (void)short_entry(name_with(0), 0, 1, 0);
    (void)long_entry(2 | LAST, sum, "of two parts");
    (void)short_entry("SHORT   NAM", 0, 2, 0);
    (void)long_entry(2 | LAST, sum, "of the wrong checksum");
    (void)long_entry(1, sum ^ 1, "first part is ");
    (void)short_entry("SHORT   NAM", 0, 3, 0);
    (void)long_entry(1 | LAST, sum ^ 0x80, "another's");
    (void)short_entry("SHORT   NAM", 0, 4, 0);
    (void)long_entry(3 | LAST, sum, "x");
    (void)long_entry(1, sum, "a part is gone");
    (void)short_entry("SHORT   NAM", 0, 5, 0);
    (void)long_entry(0 | LAST, sum, "number zero");
    (void)short_entry("SHORT   NAM", 0, 6, 0);
    /* The long name's file was deleted, and a new file has a short name with the same checksum. */
    (void)long_entry(1 | LAST, sum, "deleted");
    (void)short_entry("\xE5HORT   NAM", 0, 7, 0);
    other = name_with(sum);
    (void)short_entry(other, 0, 8, 0);
    /* The long name's file has its entry, and another file with the same checksum follows. */
    (void)long_entry(1 | LAST, sum, "used");
    (void)short_entry("SHORT   NAM", 0, 9, 0);
    (void)short_entry(other, 0, 10, 0);
    /* The long name's parts are deleted together with the file. */
    entry = long_entry(1 | LAST, sum, "deleted");
    entry[0] = 0xE5;
    (void)short_entry("SHORT   NAM", 0, 11, 0);
    /* If two long names follow one another, the second counts. */
    (void)long_entry(2 | LAST, sum, "begun");
    (void)long_entry(1 | LAST, sum, "begun again");
    (void)short_entry("SHORT   NAM", 0, 12, 0);
    /* The name has characters beyond ASCII, and at 100h and above. */
    entry = long_entry(1 | LAST, sum, "a\x7F?b");
    put(entry + 5, 0x141, 2);
    entry[7] = 0x1F;
    (void)short_entry("SHORT   NAM", 0, 13, 0);
    assert_int_not_equal(strncmp(listed(""), "orphan", 6), 0);
    assert_string_equal(strchr(listed(""), ' ') + 1,
                        "1 0\nSHORT.NAM 2 0\nSHORT.NAM 3 0\nSHORT.NAM 4 0\nSHORT.NAM 5 0\nSHORT.NAM 6 0\n"
                        "AAAAAAAA.CAE 8 0\nused 9 0\nAAAAAAAA.CAE a 0\nSHORT.NAM b 0\nbegun again c 0\na??? d 0\n");
}

/* ---------------------------------------------------------------- folders */

/* A folder has at most 65536 entries: a full one is read to its end, a longer one is damaged. */
TEST_WITH(full_folders, NULL, end)
{
    struct fat_file file;

    for (unsigned more = 0; more < 2; more++) {
        make(65 + 4, 64, 0);
        for (unsigned c = 2; c < 2 + 64 + more; c++) {
            memset(cluster_at(c), 0xE5, 64 * DISK_SECTOR);
            chain(c, c + 1);
        }
        chain(2 + 64 + more - 1, END);
        next_entry = cluster_at(66) - 32;
        (void)short_entry("LAST       ", 0, 0, 0);
        assert_int_equal(mount(), FAT_OK);
        assert_int_equal(fat_open(&fat, "last", &file), FAT_OK);
        assert_int_equal(fat_open(&fat, "none", &file), more ? FAT_DAMAGED : FAT_NOT_FOUND);
    }
    /* A file is found in each sector of clusters that are not neighbours, in both kinds of root folders. */
    for (unsigned root = 0; root < 3; root += 2) {
        make(5000, 4, root);
        chain(2, root ? 0xFFFF : 0x0FFFFFFF);
        chain(3, 5);
        chain(5, root ? 0xFFF8 : 0x0FFFFFF8);
        next_entry = root ? disk->bytes + (sector_of(2) - 2) * DISK_SECTOR : cluster_at(2);
        (void)short_entry("FOLDER     ", FOLDER, 3, 0);
        for (unsigned i = 1; i < 16 * (root ? 2 : 4); i++)
            (void)short_entry("FILE       ", 0, 0, 0);
        next_entry = cluster_at(root ? 2 : 4); /* behind the end of a full root folder */
        (void)short_entry("BEHIND     ", 0, 0, 0);
        memset(cluster_at(3), 0xE5, 4 * DISK_SECTOR);
        memset(cluster_at(5), 0xE5, 4 * DISK_SECTOR);
        next_entry = cluster_at(3) + 2 * DISK_SECTOR;
        (void)short_entry("..         ", FOLDER, 0, 0);
        next_entry = cluster_at(5) + 4 * DISK_SECTOR - 32;
        (void)short_entry("DEEP       ", 0, 0, 0);
        assert_int_equal(mount(), FAT_OK);
        assert_int_equal(fat_open(&fat, "folder/../folder/deep", &file), FAT_OK);
        assert_int_equal(fat_open(&fat, "behind", &file), FAT_NOT_FOUND);
        disk->bad_read = root ? sector_of(2) : 0; /* where no folder continues, nothing is read */
        assert_int_equal(fat_open(&fat, "folder/none", &file), FAT_NOT_FOUND);
        assert_int_equal(fat_open(&fat, "none", &file), FAT_NOT_FOUND);
        disk->bad_read = ~0ull;
        put(cluster_at(3) + 2 * DISK_SECTOR + 26, 1, 2);
        fat.group[0] = 0;
        assert_int_equal(mount(), FAT_OK);
        assert_int_equal(fat_open(&fat, "folder/../x", &file), FAT_DAMAGED);
        put(cluster_at(3) + 2 * DISK_SECTOR + 26, 5002, 2);
        assert_int_equal(mount(), FAT_OK);
        assert_int_equal(fat_open(&fat, "folder/../x", &file), FAT_DAMAGED);
        put(cluster_at(3) + 2 * DISK_SECTOR + 26, 5001, 2);
        assert_int_equal(mount(), FAT_OK);
        assert_int_equal(fat_open(&fat, "folder/../x", &file), FAT_NOT_FOUND);
        chain(3, 1); /* leads to no cluster */
        assert_int_equal(mount(), FAT_OK);
        assert_int_equal(fat_open(&fat, "folder/deep", &file), FAT_DAMAGED);
    }
}

/* ---------------------------------------------------------------- limits of a volume */

TEST_WITH(cluster_counts, NULL, end)
{
    static const struct {
        unsigned clusters, root;
        bool good;
    } rows[] = {{4084, 2, false},  {4085, 2, true}, {65525, 1, true},
                {65526, 1, false}, {1, 0, true},    {100000, 0, true}};

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make(rows[i].clusters, 1, rows[i].root);
        if (mount() != (rows[i].good ? FAT_OK : FAT_NOT_FAT))
            fail_msg("%u clusters", rows[i].clusters);
        if (!rows[i].good)
            continue;
        assert_int_equal(fat.clusters, rows[i].clusters);
        assert_int_equal(fat.fat32, !rows[i].root);
        assert_int_equal(fat.serial, 0x12345678);
        assert_int_equal(fat.data_start, sector_of(2));
        assert_int_equal(fat.root_start, sector_of(2) - rows[i].root);
        assert_int_equal(fat.end, disk->sectors);
        disk->bytes[rows[i].root ? 38 : 66] = 0x28;
        assert_int_equal(mount(), FAT_OK);
        assert_int_equal(fat.serial, 0);
    }
    /* The table has just as many entries as are needed, or one less. */
    for (unsigned clusters = 126; clusters < 128; clusters++) {
        make(clusters, 1, 0);
        put(disk->bytes + 36, 1, 4);
        put(disk->bytes + 32, RESERVED + TABLES + clusters, 4);
        assert_int_equal(mount(), clusters == 126 ? FAT_OK : FAT_NOT_FAT);
    }
    /* The tables end behind the volume: the space left for clusters is negative, or 5000 clusters in 32 bits. */
    make(5000, 1, 0);
    put(disk->bytes + 36, 1u << 31, 4);
    put(disk->bytes + 32, RESERVED + 5000, 4);
    assert_int_equal(mount(), FAT_NOT_FAT);
    /* The root's number must be that of a cluster. */
    for (unsigned root = 0; root < 103; root++) {
        make(100, 1, 0);
        put(disk->bytes + 44, root, 4);
        assert_int_equal(mount(), root >= 2 && root < 102 ? FAT_OK : FAT_NOT_FAT);
    }
    /* A partly used sector of the root counts as a whole one. */
    make(5000, 1, 2);
    put(disk->bytes + 17, 17, 2);
    assert_int_equal(mount(), FAT_OK);
    assert_int_equal(fat.root_sectors, 2);
    /* The number of the table in use must be that of an existing table. */
    for (unsigned flags = 0x7F; flags < 0x84; flags++) {
        make(1000, 1, 0);
        disk->bytes[40] = (uint8_t)flags;
        assert_int_equal(mount(), flags > 0x81 ? FAT_NOT_FAT : FAT_OK);
        assert_true(flags > 0x81 || fat.table_start == RESERVED + (flags == 0x81 ? table_sectors : 0));
    }
}

/* ---------------------------------------------------------------- chains */

enum { CLUSTERS = 100 };

/* Makes a FAT32 volume with clusters of two sectors and a file "F" of this size from cluster 10 on. Byte 0 of each
 * sector is its number. */
static void file_of(uint32_t size)
{
    make(CLUSTERS, 2, 0);
    chain(2, END);
    next_entry = cluster_at(2);
    (void)short_entry("F          ", 0, 10, size);
    for (unsigned c = 3; c < 2 + CLUSTERS; c++) {
        cluster_at(c)[0] = (uint8_t)(2 * c);
        cluster_at(c)[DISK_SECTOR] = (uint8_t)(2 * c + 1);
    }
}

static enum fat_error open_file(struct fat_file *file)
{
    assert_int_equal(mount(), FAT_OK);
    return fat_open(&fat, "F", file);
}

/* Clusters have the numbers 2 to 101. */
TEST_WITH(numbers, NULL, end)
{
    static const struct {
        uint32_t next;
        enum fat_error wanted;
    } rows[] = {{0, FAT_DAMAGED},   {1, FAT_DAMAGED},          {2, FAT_DAMAGED},         {101, FAT_OK},
                {102, FAT_DAMAGED}, {0x0FFFFFF7, FAT_DAMAGED}, {0x0FFFFFF8, FAT_DAMAGED}};
    struct fat_file file;

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file_of(2 * 2 * DISK_SECTOR);
        chain(2, 0); /* the root was read once, earlier */
        chain(10, rows[i].next);
        chain(101, END);
        if (open_file(&file) != rows[i].wanted)
            fail_msg("next %x", rows[i].next);
    }
    /* The chain may end when all bytes are there, and may begin only with the number of a cluster. */
    for (uint32_t end = 0x0FFFFFF8; end <= 0x0FFFFFFF; end++) {
        file_of(2 * DISK_SECTOR);
        chain(10, end);
        assert_int_equal(open_file(&file), FAT_OK);
        file_of(2 * DISK_SECTOR + 1);
        chain(10, end);
        assert_int_equal(open_file(&file), FAT_DAMAGED);
    }
    for (uint32_t first = 0; first < 103; first++) {
        file_of(1);
        chain(first ? first : 1, END);
        put(cluster_at(2) + 26, first, 2);
        assert_int_equal(open_file(&file), first >= 2 && first < 102 ? FAT_OK : FAT_DAMAGED);
    }
}

/* A read takes one call for each piece. */
TEST_WITH(neighbours, NULL, end)
{
    uint8_t bytes[20 * DISK_SECTOR];
    struct disk_extent extents[4];
    struct fat_file file;
    unsigned count = 9;
    size_t done;

    file_of(17 * DISK_SECTOR + 5); /* clusters 10 to 15, 30, 31, 20 */
    for (unsigned c = 10; c < 15; c++)
        chain(c, c + 1);
    chain(15, 30);
    chain(30, 31);
    chain(31, 20);
    chain(20, END);
    assert_int_equal(open_file(&file), FAT_OK);
    disk->calls = 0;
    memset(bytes, 0xEE, sizeof bytes);
    assert_int_equal(fat_read(&fat, &file, 0, bytes, sizeof bytes, &done), FAT_OK);
    assert_int_equal(done, 17 * DISK_SECTOR + 5);
    assert_int_equal(disk->calls, 4); /* three pieces, and the last, partial sector */
    for (unsigned i = 0; i < 18; i++)
        assert_int_equal(bytes[i * DISK_SECTOR], i < 12 ? 20 + i : i < 16 ? 60 + i - 12 : 40 + i - 16);
    assert_int_equal(bytes[17 * DISK_SECTOR + 4], 0);
    assert_int_equal(bytes[17 * DISK_SECTOR + 5], 0xEE);
    assert_int_equal(fat_extents(&fat, &file, extents, 4, &count), FAT_OK);
    assert_int_equal(count, 3);
    assert_int_equal(extents[0].sector, sector_of(10));
    assert_int_equal(extents[0].count, 12);
    assert_int_equal(extents[1].sector, sector_of(30));
    assert_int_equal(extents[1].count, 4);
    assert_int_equal(extents[2].count, 2);
    count = 9;
    assert_int_equal(fat_extents(&fat, &file, extents, 2, &count), FAT_TOO_FRAGMENTED);
    assert_int_equal(count, 9);
    /* Reads a place in the middle, then one before it. */
    assert_int_equal(fat_read(&fat, &file, 13 * DISK_SECTOR, bytes, DISK_SECTOR, &done), FAT_OK);
    assert_int_equal(bytes[0], 61);
    assert_int_equal(fat_read(&fat, &file, 3 * DISK_SECTOR, bytes, DISK_SECTOR, &done), FAT_OK);
    assert_int_equal(bytes[0], 23);
    assert_int_equal(fat_read(&fat, &file, 18 * DISK_SECTOR, bytes, DISK_SECTOR, &done), FAT_OK);
    assert_int_equal(done, 0);
}

/* If a chain is changed after the file was opened, no place beyond the change is believed. */
TEST_WITH(changed_chains, NULL, end)
{
    uint8_t bytes[8 * DISK_SECTOR];
    struct disk_extent extents[4];
    struct fat_file file;
    unsigned count = 9;
    size_t done = 9;

    for (unsigned i = 0; i < 3; i++) {
        file_of(8 * DISK_SECTOR);
        for (unsigned c = 10; c < 13; c++)
            chain(c, c + 1);
        chain(13, END);
        assert_int_equal(open_file(&file), FAT_OK);
        chain(11, i ? END : 0);
        memset(fat.group, 0, sizeof fat.group);
        disk->bad_read = i == 2 ? RESERVED : ~0ull;
        bytes[0] = 0xEE;
        assert_int_equal(fat_read(&fat, &file, 0, bytes, sizeof bytes, &done), i == 2 ? FAT_READ : FAT_DAMAGED);
        assert_int_equal(bytes[0], i == 1 ? 20 : 0xEE); /* not beyond the part of the table that was read */
        assert_int_equal(fat_extents(&fat, &file, extents, 4, &count), i == 2 ? FAT_READ : FAT_DAMAGED);
        assert_int_equal(fat_read(&fat, &file, 6 * DISK_SECTOR, bytes, 1, &done), i == 2 ? FAT_READ : FAT_DAMAGED);
        assert_int_equal(count, 9);
        assert_int_equal(done, 9);
    }
    assert_int_equal(fat_open(&fat, "", &file), FAT_OK);
    assert_int_equal(fat_extents(&fat, &file, extents, 4, &count), FAT_NOT_A_FILE);
    assert_int_equal(fat_read(&fat, &file, 0, bytes, 1, &done), FAT_NOT_A_FILE);
}

RUN_TESTS(NULL, NULL)
