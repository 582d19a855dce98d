/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * FAT32 and FAT16, read only: files by path, and the sectors in which a file is. Pure: the disk is two functions.
 *
 * Layout: Microsoft, "FAT: General Overview of On-Disk Format" 1.03 (fatgen103): "Boot Sector and BPB", "FAT Type
 * Determination", "FAT Data Structure", "FAT Directory Structure", "FAT Long Directory Entries". All that is read is
 * checked: chains end where they should, stay inside the volume and do not come back to themselves.
 */
#ifndef CORE_FAT_H
#define CORE_FAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/run/disk.h"

enum {
    FAT_NAME_MAX = 256, /* with its end; a long name has 255 characters at most */
    /* Sectors of tables and folders that are kept, 1 MB: each call of a BIOS takes a millisecond or more, and the
     * folder of 1,000 runs has 250 sectors, which lie among those of the runs. */
    FAT_GROUP = 8,
    FAT_GROUPS = 256,
};

enum fat_error {
    FAT_OK = 0,
    FAT_READ,          /* the disk did not read a sector */
    FAT_NOT_FAT,       /* not a FAT32 or FAT16 file system of 512-byte sectors */
    FAT_DAMAGED,       /* a chain of clusters leaves the volume, is too short, or is a ring */
    FAT_NOT_FOUND,     /* there is no such name */
    FAT_NOT_A_FILE,    /* the name is a folder's */
    FAT_NOT_A_FOLDER,  /* the name, or one before it in the path, is a file's */
    FAT_TOO_FRAGMENTED /* more pieces than there is room for */
};

/* Returns one line without a full stop. */
const char *fat_error_text(enum fat_error error);

struct fat {
    const struct disk_ops *disk;
    uint32_t serial; /* of the volume; 0 when it has none */
    bool fat32;
    uint32_t cluster_sectors, clusters; /* clusters are numbered 2 to clusters + 1 */
    uint32_t root_cluster;              /* FAT32 */
    uint32_t root_sectors;              /* FAT16: from root_start on */
    uint64_t table_start, root_start, data_start;
    uint32_t table_sectors;
    uint64_t end;               /* first sector after the volume */
    uint64_t group[FAT_GROUPS]; /* group of sectors kept in this place, plus 1; 0: none */
    uint8_t sector[DISK_SECTOR];
    uint8_t kept[FAT_GROUPS][FAT_GROUP * DISK_SECTOR];
};

/* Mounts the file system that begins at this sector. */
enum fat_error fat_mount(struct fat *fat, const struct disk_ops *disk, uint64_t start);

struct fat_file {
    bool folder;
    uint32_t size;    /* bytes; 0 for a folder */
    uint32_t first;   /* first cluster; 0: none, or FAT16's root folder */
    uint32_t index;   /* place of the last read in the chain, */
    uint32_t cluster; /* and the cluster there */
};

/* Opens a file or folder by its path: long or short names without regard to case, with '/' or '\\' between; "" is the
 * root. Checks the whole chain of a file. */
enum fat_error fat_open(struct fat *fat, const char *path, struct fat_file *ret_file);

/* Lists the sectors that hold the file's bytes, in order, neighbours joined; the last one may be filled only in part.
 */
enum fat_error fat_extents(struct fat *fat, const struct fat_file *file, struct disk_extent *extents, unsigned most,
                           unsigned *ret_count);

/* Reads 'size' bytes from 'offset' on; fewer at the file's end. */
enum fat_error fat_read(struct fat *fat, struct fat_file *file, uint64_t offset, void *to, size_t size,
                        size_t *ret_done);

/* Calls each() with the names in a folder; characters other than ASCII's are '?'. "." and ".." are left out. */
enum fat_error fat_list(struct fat *fat, struct fat_file *folder,
                        void (*each)(void *argument, const char *name, const struct fat_file *file), void *argument);

/* Reads the 'index'-th sector of a folder into fat->sector; *ret_end: the folder has no more. For
 * core/disk/fat_folder.c. */
enum fat_error fat_folder_sector(struct fat *fat, struct fat_file *folder, uint32_t index, bool *ret_end);

/* Checks the whole chain of a file. For core/disk/fat_folder.c. */
enum fat_error fat_check_chain(struct fat *fat, const struct fat_file *file);

#endif
