/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/disk/area_file.h"

/* Returns false if the stick is write-protected, or its firmware does not write to it. */
static bool can_write(struct store *store)
{
    struct area *area = &store->tar.area;
    uint8_t sector[DISK_SECTOR];

    return store->tar.used == area->sectors ||
           (area_read(area, store->tar.used, 1, sector) && area_write(area, store->tar.used, 1, sector));
}

static enum area_refusal refusal_of(enum fat_error error)
{
    switch (error) {
    case FAT_NOT_FOUND:
        return AREA_MISSING;
    case FAT_NOT_A_FILE:
        return AREA_FOLDER;
    case FAT_READ:
        return AREA_UNREAD;
    case FAT_TOO_FRAGMENTED:
        return AREA_PIECES;
    default:
        return AREA_LOST;
    }
}

static enum area_refusal look(struct area_file *area, struct fat *fat)
{
    struct fat_file file;
    enum fat_error error = fat_open(fat, AREA_FILE_NAME, &file);

    if (!error)
        error = fat_extents(fat, &file, area->extents, AREA_FILE_PIECES, &area->pieces);
    if (error)
        return refusal_of(error);
    area->readable = true;
    switch (store_open(&area->store, fat->disk, area->extents, area->pieces)) {
    case TAR_OK:
        return can_write(&area->store) ? AREA_NONE : AREA_UNWRITTEN;
    case TAR_READ:
        return AREA_UNREAD;
    default:
        return AREA_DAMAGED;
    }
}

void area_file_open(struct area_file *area, struct fat *fat)
{
    area->readable = false;
    area->pieces = 0;
    area->refusal = look(area, fat);
}
