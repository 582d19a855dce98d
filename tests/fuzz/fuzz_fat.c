/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A FAT volume of hostile bytes: the input is laid over a small volume that is in order, as (sector, offset, bytes). In
 * all cases: no access outside the disk, an end in bounded time, and extents inside the disk that are as long as the
 * file.
 */
#include <stdlib.h>
#include <string.h>

#include "core/disk/fat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SECTORS = 4500, MOST = 16, RESERVED = 1, TABLE = 17, ROOT = 4, CLUSTERS_FROM = RESERVED + TABLE + ROOT };

static uint8_t disk[SECTORS * DISK_SECTOR];
static unsigned files;

static int read_sectors(void *context, uint64_t sector, unsigned count, void *to)
{
    (void)context;
    if (sector > SECTORS || count > SECTORS - sector)
        return 1;
    memcpy(to, disk + sector * DISK_SECTOR, (size_t)count * DISK_SECTOR);
    return 0;
}

static void put(uint8_t *at, uint32_t value, unsigned width)
{
    memcpy(at, &value, width);
}

/* FAT16, or FAT32 with the same places for the table and the first folder. */
static void whole_volume(bool fat32)
{
    uint8_t *entry = disk + (fat32 ? CLUSTERS_FROM : RESERVED + TABLE) * DISK_SECTOR;

    memset(disk, 0, (CLUSTERS_FROM + 4) * DISK_SECTOR);
    put(disk + 11, DISK_SECTOR, 2);
    disk[13] = disk[14] = disk[16] = 1;
    put(disk + 19, fat32 ? 2000 : SECTORS, 2);
    if (fat32) {
        put(disk + 36, TABLE, 4);
        put(disk + 44, 2, 4);
        put(disk + 14, RESERVED + ROOT, 2);
    } else {
        put(disk + 17, ROOT * 16, 2);
        put(disk + 22, TABLE, 2);
    }
    put(disk + 510, 0xAA55, 2);
    for (unsigned i = 2; i < 20; i++) /* a chain of all but the first */
        put(disk + (fat32 ? RESERVED + ROOT : RESERVED) * DISK_SECTOR + i * (fat32 ? 4 : 2),
            i == 2 || i == 19 ? 0x0FFFFFFF : i + 1, fat32 ? 4 : 2);
    memcpy(entry, "IBSRUNS TAR", 11);
    put(entry + 26, 3, 2);
    put(entry + 28, 17 * DISK_SECTOR, 4);
    memcpy(entry + 32, "RUNS       \x10", 12);
    put(entry + 32 + 26, 4, 2);
}

static void look(struct fat *fat, const char *path)
{
    struct disk_extent extents[MOST];
    struct fat_file file;
    uint8_t some[3 * DISK_SECTOR];
    unsigned count;
    size_t done;

    if (fat_open(fat, path, &file) || file.folder)
        return;
    if (fat_extents(fat, &file, extents, MOST, &count) == FAT_OK) {
        uint64_t sectors = 0;

        for (unsigned i = 0; i < count; i++)
            sectors += extents[i].count;
        if (sectors != (file.size + 511ull) / 512)
            abort();
        for (unsigned i = 0; i < count; i++) /* no sector is twice in a file: it would be overwritten */
            for (unsigned k = 0; k < i; k++)
                if (extents[i].sector < extents[k].sector + extents[k].count &&
                    extents[k].sector < extents[i].sector + extents[i].count)
                    abort();
    }
    for (uint64_t at = 0; at < file.size && at < 60000; at += 1000)
        if (fat_read(fat, &file, at, some, sizeof(some), &done) == FAT_OK && done > sizeof(some))
            abort();
}

static void count_name(void *argument, const char *name, const struct fat_file *file)
{
    (void)argument, (void)file;
    if (strlen(name) >= FAT_NAME_MAX)
        abort();
    files++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct disk_ops ops = {.read = read_sectors};
    struct fat fat;
    struct fat_file root;

    if (size < 1)
        return 0;
    whole_volume(data[0] & 1);
    for (size_t at = 1; at + 3 <= size;) {
        size_t place = (size_t)(data[at] % (CLUSTERS_FROM + 4)) * DISK_SECTOR + 2 * data[at + 1],
               count = data[at + 2] % 40;

        for (at += 3; count && at < size && place < sizeof(disk); count--)
            disk[place++] = data[at++];
    }
    if (fat_mount(&fat, &ops, 0))
        return 0;
    look(&fat, "IBSRUNS.TAR");
    look(&fat, "runs/x");
    look(&fat, "a long name of more than one entry");
    if (fat_open(&fat, "", &root) == FAT_OK)
        (void)fat_list(&fat, &root, count_name, NULL);
    return 0;
}
