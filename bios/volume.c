/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/volume.h"

#include "bios/console.h"
#include "bios/disk.h"
#include "bios/fat.h"
#include "bios/store.h"

/* A master boot record (Microsoft and IBM, as in UEFI 2.10, section 5.2.1). */
enum { TABLE = 446, ROWS = 4, ROW_BYTES = 16, ROW_TYPE = 4, ROW_START = 8, SIGNATURE = 510, SIGNATURE_VALUE = 0xaa55 };

enum { PIECES = 1024 }; /* of the run area */

static struct disk disk;
static struct fat fat;
static struct store store;
static struct disk_extent extents[PIECES];
static bool writable;

static bool ours(uint64_t start)
{
    return fat_mount(&fat, &disk.ops, start) == FAT_OK && fat.serial == VOLUME_SERIAL;
}

static bool on_disk(uint8_t number, bool chs)
{
    uint8_t record[DISK_SECTOR];

    if (!disk_open(&disk, number, chs) || disk.ops.read(&disk, 0, 1, record) ||
        (record[SIGNATURE] | record[SIGNATURE + 1] << 8) != SIGNATURE_VALUE)
        return false;
    if (ours(0))
        return true;
    for (unsigned i = 0; i < ROWS; i++) {
        const uint8_t *row = record + TABLE + i * ROW_BYTES, *start = row + ROW_START;

        if (row[ROW_TYPE] &&
            ours(start[0] | (uint32_t)start[1] << 8 | (uint32_t)start[2] << 16 | (uint32_t)start[3] << 24))
            return true;
    }
    return false;
}

static bool has_area(void)
{
    struct fat_file file;

    return fat_open(&fat, VOLUME_AREA, &file) == FAT_OK && !file.folder;
}

/* The sector where the next header goes, as it is. A stick may be write-protected, or this BIOS may not write to it. */
static bool can_write(void)
{
    struct area *area = &store.tar.area;
    uint8_t sector[DISK_SECTOR];

    writable = store.tar.used == area->sectors ||
               (area_read(area, store.tar.used, 1, sector) && area_write(area, store.tar.used, 1, sector));
    return writable;
}

/* NULL: there is none. */
static struct store *open_area(void)
{
    struct fat_file file;
    unsigned count = 0;
    enum fat_error error = fat_open(&fat, VOLUME_AREA, &file);
    enum tar_error refusal;

    if (!error)
        error = fat_extents(&fat, &file, extents, PIECES, &count);
    if (error) {
        console_say("IBSRUNS.TAR on the volume: %s: runs are not saved\n", fat_error_text(error));
        return NULL;
    }
    refusal = store_open(&store, &disk.ops, extents, count);
    if (refusal)
        console_say("IBSRUNS.TAR: %s: runs are not saved\n", tar_error_text(refusal));
    else if (!can_write())
        console_say("the disk does not write (error %xh): runs are not saved\n", disk.error);
    if (count > 1)
        console_say("IBSRUNS.TAR is in %u pieces\n", count);
    return &store;
}

void volume_find(const struct boot_info *info, bool chs, struct fat **ret_fat, struct store **ret_store)
{
    unsigned count = disk_count(), found = 0;
    uint8_t best = 0;
    bool best_has_area = false;

    *ret_fat = NULL;
    *ret_store = NULL;
    for (unsigned i = 0; i < count; i++) {
        uint8_t number = (uint8_t)(DISK_FIRST + i);
        bool area;

        if (!on_disk(number, chs))
            continue;
        found++;
        area = has_area();
        if (found == 1 || (info->has_disk && info->disk == number) ||
            (area && !best_has_area && !(info->has_disk && info->disk == best))) {
            best = number;
            best_has_area = area;
        }
    }
    if (!found) {
        console_say("none of the BIOS's disks (it has %u) has our volume: runs are not saved\n", count);
        return;
    }
    if (found > 1)
        console_say("%u disks have a volume with our serial number; that of disk %xh is used\n", found, best);
    (void)on_disk(best, chs);
    *ret_fat = &fat;
    *ret_store = open_area();
    console_say("disk %xh%s: %lu KB of runs may follow\n", best, disk.chs ? ", by CHS" : "",
                *ret_store && writable ? store_room(*ret_store) >> 10 : 0);
}

bool volume_writable(void)
{
    return writable;
}

bool volume_there(void)
{
    uint8_t sector[DISK_SECTOR];

    return !disk.ops.read(&disk, 0, 1, sector);
}
