/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run area of hostile bytes: headers are made right where they nearly are, or hardly any input would come further. In
 * all cases: no access outside the area; what was readable before something is appended is readable afterwards; and
 * what was appended is found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/disk/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SECTORS = 40 };

static uint8_t *disk;
static uint64_t sectors;

static int read_sectors(void *context, uint64_t sector, unsigned count, void *to)
{
    (void)context;
    if (sector > sectors || count > sectors - sector)
        abort();
    memcpy(to, disk + sector * DISK_SECTOR, (size_t)count * DISK_SECTOR);
    return 0;
}

static int write_sectors(void *context, uint64_t sector, unsigned count, const void *from)
{
    (void)context;
    if (sector > sectors || count > sectors - sector)
        abort();
    memcpy(disk + sector * DISK_SECTOR, from, (size_t)count * DISK_SECTOR);
    return 0;
}

/* The sum of a block that says that it is a header. */
static void mend(uint8_t *block)
{
    unsigned sum = 0;

    if (memcmp(block + 257, "ustar", 5) != 0 || block[155] == 0xFF)
        return;
    for (unsigned i = 0; i < DISK_SECTOR; i++)
        sum += i >= 148 && i < 156 ? ' ' : block[i];
    snprintf((char *)block + 148, 8, "%06o", sum);
}

/* All entries: number, and a hash of names and contents. */
static uint64_t look(struct tar *tar, uint64_t entries, uint64_t *ret_hash)
{
    struct tar_entry entry;
    uint64_t count = 0;

    *ret_hash = 0;
    for (uint64_t at = 0; count < entries && tar_next(tar, &at, &entry) == TAR_OK; count++) {
        static uint8_t bytes[SECTORS * DISK_SECTOR];
        size_t done;

        if (tar_read(tar, &entry, 0, bytes, sizeof(bytes), &done) || done != entry.size ||
            strlen(entry.name) >= TAR_NAME_MAX)
            abort();
        for (size_t i = 0; i < done; i++)
            *ret_hash = (*ret_hash ^ bytes[i]) * 0x100000001b3u;
        for (const char *c = entry.name; *c; c++)
            *ret_hash = (*ret_hash ^ (uint8_t)*c) * 0x100000001b3u;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct disk_ops ops = {.read = read_sectors, .write = write_sectors};
    static struct store store;
    struct disk_extent extents[2];
    uint64_t hash, again, entries;
    struct tar_entry entry;
    enum tar_error error;

    sectors = size / DISK_SECTOR + 8;
    if (size == 0 || sectors > SECTORS)
        return 0;
    disk = calloc(sectors, DISK_SECTOR); /* of exactly this size, for the sanitizer */
    memcpy(disk, data, size);
    for (uint64_t i = 0; i < sectors; i++)
        mend(disk + i * DISK_SECTOR);
    extents[0] = (struct disk_extent){0, data[0] % sectors};
    extents[1] = (struct disk_extent){extents[0].count, sectors - extents[0].count};
    error = store_open(&store, &ops, extents, 2);
    entries = store.tar.entries;
    if (look(&store.tar, entries, &hash) != entries)
        abort();
    if (error && store_append(&store, "new", data, size, 1) != error)
        abort();
    if (error == TAR_OK) {
        size_t part = size < 3000 ? size : 3000;
        bool fits = part <= store_room(&store);

        if (store_append(&store, "new", data, part, 1) != (fits ? TAR_OK : TAR_FULL))
            abort();
        if (fits && (tar_find(&store.tar, "new", &entry) || entry.size != part))
            abort();
    }
    if (store_open(&store, &ops, extents, 2) != error || look(&store.tar, entries, &again) != entries || again != hash)
        abort();
    free(disk);
    return 0;
}
