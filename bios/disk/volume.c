/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/disk/volume.h"

#include "bios/console.h"

/* A master boot record (Microsoft and IBM, as in UEFI 2.10, section 5.2.1). */
enum { TABLE = 446, ROWS = 4, ROW_BYTES = 16, ROW_TYPE = 4, ROW_START = 8, SIGNATURE = 510, SIGNATURE_VALUE = 0xaa55 };

static bool ours(struct volume *volume, uint64_t start)
{
    return fat_mount(&volume->fat, &volume->disk.ops, start) == FAT_OK && volume->fat.serial == VOLUME_SERIAL;
}

static bool on_disk(struct volume *volume, uint8_t number, bool chs)
{
    struct disk *disk = &volume->disk;
    uint8_t record[DISK_SECTOR];

    if (!disk_open(disk, number, chs) || disk->ops.read(disk, 0, 1, record) ||
        (record[SIGNATURE] | record[SIGNATURE + 1] << 8) != SIGNATURE_VALUE)
        return false;
    if (ours(volume, 0))
        return true;
    for (unsigned i = 0; i < ROWS; i++) {
        const uint8_t *row = record + TABLE + i * ROW_BYTES, *start = row + ROW_START;

        if (row[ROW_TYPE] &&
            ours(volume, start[0] | (uint32_t)start[1] << 8 | (uint32_t)start[2] << 16 | (uint32_t)start[3] << 24))
            return true;
    }
    return false;
}

static bool has_file(struct volume *volume)
{
    struct fat_file file;

    return fat_open(&volume->fat, AREA_FILE_NAME, &file) == FAT_OK && !file.folder;
}

bool volume_find(struct volume *volume, const struct boot_info *info, bool chs)
{
    struct area_file *area = &volume->area;
    unsigned count = disk_count(), found = 0;
    uint8_t best = 0;
    bool best_has_area = false;

    for (unsigned i = 0; i < count; i++) {
        uint8_t number = (uint8_t)(DISK_FIRST + i);
        bool has_area;

        if (!on_disk(volume, number, chs))
            continue;
        found++;
        has_area = has_file(volume);
        if (found == 1 || (info->has_disk && info->disk == number) ||
            (has_area && !best_has_area && !(info->has_disk && info->disk == best))) {
            best = number;
            best_has_area = has_area;
        }
    }
    if (!found) {
        console_say("none of the BIOS's disks (it has %u) has our volume: runs are not saved\n", count);
        return false;
    }
    if (found > 1)
        console_say("%u disks have a volume with our serial number; that of disk %xh is used\n", found, best);
    (void)on_disk(volume, best, chs);
    area_file_open(area, &volume->fat);
    if (area->pieces > 1)
        console_say("IBSRUNS.TAR is in %u pieces\n", area->pieces);
    if (area->refusal)
        console_say("runs are not saved: %s\n", area_refusal_text(area->refusal));
    if (area->refusal == AREA_UNWRITTEN)
        console_say("the disk's error is %xh\n", volume->disk.error);
    console_say("disk %xh%s: %lu KB of runs may follow\n", best, volume->disk.chs ? ", by CHS" : "",
                area->refusal ? 0 : store_room(&area->store) >> 10);
    return true;
}

bool volume_there(struct volume *volume)
{
    uint8_t sector[DISK_SECTOR];

    return !volume->disk.ops.read(&volume->disk, 0, 1, sector);
}
