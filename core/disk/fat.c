/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/disk/fat.h"

#include "core/base/bytes.h"
#include "core/base/mem.h"

/* Offsets in the boot sector (fatgen103, "Boot Sector and BPB Structure"). */
enum {
    BOOT_SECTOR_BYTES = 11,
    BOOT_CLUSTER_SECTORS = 13,
    BOOT_RESERVED = 14,
    BOOT_TABLES = 16,
    BOOT_ROOT_ENTRIES = 17,
    BOOT_TOTAL_16 = 19,
    BOOT_TABLE_16 = 22,
    BOOT_TOTAL_32 = 32,
    BOOT_TABLE_32 = 36,
    BOOT_FLAGS_32 = 40,
    BOOT_VERSION_32 = 42,
    BOOT_ROOT_32 = 44,
    BOOT_SERIAL_16 = 39,
    BOOT_SERIAL_32 = 67, /* both after a byte 29h that says that the serial number is there */
    BOOT_SIGNATURE = 510,
};

enum {
    FLAGS_NOT_MIRRORED = 0x80, /* only the table whose number is in the low bits is kept */
    FLAGS_ACTIVE = 0x0F,
    SERIAL_IS_THERE = 0x29,
    ENTRY_BYTES = 32,
    FAT16_LEAST = 4085, /* clusters; fewer are FAT12's ("FAT Type Determination") */
    READ_MOST = 1 << 12,
};

/* Entries of the table ("FAT Data Structure"): the top four bits of FAT32's are not part of the number. */
#define FAT32_MASK 0x0FFFFFFFu
#define FAT32_END  0x0FFFFFF8u
#define FAT16_END  0xFFF8u

const char *fat_error_text(enum fat_error error)
{
    static const char *const texts[] = {
        [FAT_OK] = "no error",
        [FAT_READ] = "the disk did not read a sector",
        [FAT_NOT_FAT] = "not a FAT32 or FAT16 file system",
        [FAT_DAMAGED] = "the file system's table is damaged there",
        [FAT_NOT_FOUND] = "not found",
        [FAT_NOT_A_FILE] = "a folder, not a file",
        [FAT_NOT_A_FOLDER] = "a file, not a folder",
        [FAT_TOO_FRAGMENTED] = "the file is in too many pieces",
    };

    return (unsigned)error < sizeof(texts) / sizeof(texts[0]) ? texts[error] : "unknown error";
}

/* ---------------------------------------------------------------- the volume */

enum fat_error fat_mount(struct fat *fat, const struct disk_ops *disk, uint64_t start)
{
    uint8_t *boot = fat->sector;
    uint64_t data, total, described;
    uint32_t reserved, tables, table, root_entries, serial;

    memset(fat, 0, offsetof(struct fat, kept));
    fat->disk = disk;
    if (disk->read(disk->context, start, 1, boot))
        return FAT_READ;
    fat->cluster_sectors = boot[BOOT_CLUSTER_SECTORS];
    reserved = bytes_read16(boot + BOOT_RESERVED);
    tables = boot[BOOT_TABLES];
    root_entries = bytes_read16(boot + BOOT_ROOT_ENTRIES);
    fat->fat32 = bytes_read16(boot + BOOT_TABLE_16) == 0;
    table = fat->fat32 ? bytes_read32(boot + BOOT_TABLE_32) : bytes_read16(boot + BOOT_TABLE_16);
    total =
        bytes_read16(boot + BOOT_TOTAL_16) ? bytes_read16(boot + BOOT_TOTAL_16) : bytes_read32(boot + BOOT_TOTAL_32);
    if (boot[BOOT_SIGNATURE] != 0x55 || boot[BOOT_SIGNATURE + 1] != 0xAA ||
        bytes_read16(boot + BOOT_SECTOR_BYTES) != DISK_SECTOR || fat->cluster_sectors == 0 ||
        (fat->cluster_sectors & (fat->cluster_sectors - 1)) || reserved == 0 || tables == 0 || table == 0)
        return FAT_NOT_FAT;
    fat->root_sectors = (root_entries * ENTRY_BYTES + DISK_SECTOR - 1) / DISK_SECTOR;
    if (fat->fat32 ? fat->root_sectors != 0 || bytes_read16(boot + BOOT_VERSION_32) != 0 : fat->root_sectors == 0)
        return FAT_NOT_FAT;
    data = (uint64_t)reserved + (uint64_t)tables * table + fat->root_sectors;
    if (data >= total)
        return FAT_NOT_FAT;
    fat->clusters = (uint32_t)((total - data) / fat->cluster_sectors);
    described = (uint64_t)table * (DISK_SECTOR / (fat->fat32 ? 4 : 2));
    if (described < (uint64_t)fat->clusters + 2 || fat->clusters == 0 || fat->clusters >= FAT32_END - 2 ||
        (!fat->fat32 && (fat->clusters < FAT16_LEAST || fat->clusters >= FAT16_END - 2)))
        return FAT_NOT_FAT;
    fat->table_start = start + reserved;
    fat->table_sectors = table;
    fat->root_start = fat->table_start + (uint64_t)tables * table;
    fat->data_start = start + data;
    fat->end = start + total;
    serial = fat->fat32 ? BOOT_SERIAL_32 : BOOT_SERIAL_16;
    fat->serial = boot[serial - 1] == SERIAL_IS_THERE ? bytes_read32(boot + serial) : 0;
    if (!fat->fat32)
        return FAT_OK;
    fat->root_cluster = bytes_read32(boot + BOOT_ROOT_32);
    if (fat->root_cluster < 2 || fat->root_cluster - 2 >= fat->clusters)
        return FAT_NOT_FAT;
    if (boot[BOOT_FLAGS_32] & FLAGS_NOT_MIRRORED) {
        if ((boot[BOOT_FLAGS_32] & FLAGS_ACTIVE) >= tables)
            return FAT_NOT_FAT;
        fat->table_start += (uint64_t)(boot[BOOT_FLAGS_32] & FLAGS_ACTIVE) * table;
    }
    return FAT_OK;
}

/* Returns a sector of a table or folder, good until the next call, or NULL if the disk did not read it. Reads its
 * neighbours as well; if that fails, only the sector. */
static const uint8_t *kept_sector(struct fat *fat, uint64_t sector)
{
    uint64_t group = sector / FAT_GROUP, first = group * FAT_GROUP, left = fat->end - first;
    unsigned place = group % FAT_GROUPS;

    if (fat->group[place] != group + 1) {
        fat->group[place] = 0;
        if (fat->disk->read(fat->disk->context, first, left < FAT_GROUP ? (unsigned)left : FAT_GROUP, fat->kept[place]))
            return fat->disk->read(fat->disk->context, sector, 1, fat->sector) ? NULL : fat->sector;
        fat->group[place] = group + 1;
    }
    return fat->kept[place] + (sector - first) * DISK_SECTOR;
}

/* ---------------------------------------------------------------- chains */

/* Finds the cluster after this one; 0: it is the last. */
static enum fat_error next_cluster(struct fat *fat, uint32_t cluster, uint32_t *ret_next)
{
    uint32_t each = DISK_SECTOR / (fat->fat32 ? 4 : 2), value;
    const uint8_t *table = kept_sector(fat, fat->table_start + cluster / each);

    if (!table)
        return FAT_READ;
    value =
        fat->fat32 ? bytes_read32(table + cluster % each * 4) & FAT32_MASK : bytes_read16(table + cluster % each * 2);
    if (value >= (fat->fat32 ? FAT32_END : FAT16_END)) {
        *ret_next = 0;
        return FAT_OK;
    }
    if (value < 2 || value - 2 >= fat->clusters)
        return FAT_DAMAGED;
    *ret_next = value;
    return FAT_OK;
}

static uint64_t cluster_sector(const struct fat *fat, uint32_t cluster)
{
    return fat->data_start + (uint64_t)(cluster - 2) * fat->cluster_sectors;
}

static uint32_t clusters_of(const struct fat *fat, uint32_t size)
{
    uint32_t bytes = fat->cluster_sectors * DISK_SECTOR; /* 64 KB at most */

    return size / bytes + (size % bytes != 0);
}

enum fat_error fat_check_chain(struct fat *fat, const struct fat_file *file)
{
    uint32_t wanted = clusters_of(fat, file->size), cluster = file->first, length = 0;

    if (wanted && (cluster < 2 || cluster - 2 >= fat->clusters))
        return FAT_DAMAGED;
    /* A ring has no end: more steps than there are clusters. */
    for (; wanted && cluster; length++) {
        enum fat_error error = length < fat->clusters ? next_cluster(fat, cluster, &cluster) : FAT_DAMAGED;

        if (error)
            return error;
    }
    return length >= wanted ? FAT_OK : FAT_DAMAGED; /* longer than the size: room kept for more */
}

/* Makes the file's cluster the 'index'-th of its chain. */
static enum fat_error seek(struct fat *fat, struct fat_file *file, uint32_t index)
{
    if (file->cluster == 0 || index < file->index) {
        file->index = 0;
        file->cluster = file->first;
    }
    while (file->index < index) {
        uint32_t next;
        enum fat_error error = next_cluster(fat, file->cluster, &next);

        if (error || next == 0)
            return error ? error : FAT_DAMAGED;
        file->cluster = next;
        file->index++;
    }
    return FAT_OK;
}

enum fat_error fat_folder_sector(struct fat *fat, struct fat_file *folder, uint32_t index, bool *ret_end)
{
    uint32_t place = index / fat->cluster_sectors;
    const uint8_t *bytes;
    uint64_t sector;

    *ret_end = false;
    if (!fat->fat32 && folder->first == 0) {
        *ret_end = index >= fat->root_sectors;
        sector = fat->root_start + index;
    } else {
        if (folder->cluster && place == folder->index + 1) { /* may be beyond the end */
            uint32_t next;
            enum fat_error error = next_cluster(fat, folder->cluster, &next);

            if (error)
                return error;
            *ret_end = next == 0;
            folder->cluster = next;
            folder->index = next ? place : 0;
        } else {
            enum fat_error error = seek(fat, folder, place);

            if (error)
                return error;
        }
        sector = *ret_end ? 0 : cluster_sector(fat, folder->cluster) + index % fat->cluster_sectors;
    }
    if (*ret_end)
        return FAT_OK;
    bytes = kept_sector(fat, sector);
    if (!bytes)
        return FAT_READ;
    memmove(fat->sector, bytes, DISK_SECTOR);
    return FAT_OK;
}

/* ---------------------------------------------------------------- contents */

enum fat_error fat_extents(struct fat *fat, const struct fat_file *file, struct disk_extent *extents, unsigned most,
                           unsigned *ret_count)
{
    uint64_t left = file->size / DISK_SECTOR + (file->size % DISK_SECTOR != 0);
    uint32_t cluster = file->first;
    unsigned count = 0;

    if (file->folder)
        return FAT_NOT_A_FILE;
    while (left) {
        uint64_t sector = cluster_sector(fat, cluster),
                 part = left < fat->cluster_sectors ? left : fat->cluster_sectors;
        enum fat_error error;

        if (count && extents[count - 1].sector + extents[count - 1].count == sector) {
            extents[count - 1].count += part;
        } else {
            if (count == most)
                return FAT_TOO_FRAGMENTED;
            extents[count++] = (struct disk_extent){sector, part};
        }
        left -= part;
        if (left == 0)
            break;
        error = next_cluster(fat, cluster, &cluster);
        if (error || cluster == 0)
            return error ? error : FAT_DAMAGED;
    }
    *ret_count = count;
    return FAT_OK;
}

/* Counts the sectors from this place on that are neighbours on the disk, up to 'most'. */
static enum fat_error neighbours(struct fat *fat, struct fat_file *file, uint64_t offset, uint64_t most,
                                 uint64_t *ret_sector, uint64_t *ret_count)
{
    uint64_t place = offset / DISK_SECTOR, inside = place % fat->cluster_sectors;
    enum fat_error error = seek(fat, file, (uint32_t)(place / fat->cluster_sectors));

    if (error)
        return error;
    *ret_sector = cluster_sector(fat, file->cluster) + inside;
    *ret_count = fat->cluster_sectors - inside;
    while (*ret_count < most) {
        uint32_t next;

        error = next_cluster(fat, file->cluster, &next);
        if (error)
            return error;
        if (next != file->cluster + 1)
            break;
        file->cluster = next;
        file->index++;
        *ret_count += fat->cluster_sectors;
    }
    *ret_count = *ret_count < most ? *ret_count : most;
    return FAT_OK;
}

enum fat_error fat_read(struct fat *fat, struct fat_file *file, uint64_t offset, void *to, size_t size,
                        size_t *ret_done)
{
    uint8_t *at = to;
    size_t done = 0;

    if (file->folder)
        return FAT_NOT_A_FILE;
    if (offset >= file->size)
        size = 0;
    else if (size > file->size - offset)
        size = (size_t)(file->size - offset);
    while (done < size) {
        uint64_t inside = (offset + done) % DISK_SECTOR, whole = (size - done) / DISK_SECTOR, sector, count;
        bool direct = inside == 0 && whole > 0;
        size_t part;
        enum fat_error error = neighbours(fat, file, offset + done,
                                          !direct             ? 1
                                          : whole < READ_MOST ? whole
                                                              : READ_MOST,
                                          &sector, &count);

        if (error)
            return error;
        if (fat->disk->read(fat->disk->context, sector, (unsigned)count, direct ? at + done : fat->sector))
            return FAT_READ;
        part = direct ? (size_t)count * DISK_SECTOR : (size_t)(DISK_SECTOR - inside);
        if (!direct) {
            part = part < size - done ? part : size - done;
            memcpy(at + done, fat->sector + inside, part);
        }
        done += part;
    }
    *ret_done = done;
    return FAT_OK;
}
