/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes in place to the run area of the volume that the program was started from (efi/area.c). */
#ifndef EFI_AREA_H
#define EFI_AREA_H

#include "core/disk/area_file.h"
#include "core/disk/area_index.h"
#include "efi/efi_firmware.h"

/* A volume's sectors (efi/sectors.c). */
struct efi_sectors {
    struct disk_ops disk; /* with this struct as context */
    EFI_BLOCK_IO *block;
    UINT32 media;
    uint64_t count;
    uint8_t *bounce;
    EFI_STATUS status; /* of the last call */
    bool written;      /* at least once */
};

/* Opens the sectors of a volume's handle. Returns an error if they cannot be used. efi_sectors_close() must follow in
 * any case. */
enum firmware_error efi_sectors_open(struct efi_sectors *of, EFI_BOOT_SERVICES *boot, EFI_HANDLE volume);
void efi_sectors_close(struct efi_sectors *of, EFI_BOOT_SERVICES *boot);

struct efi_area {
    struct efi_sectors sectors;
    struct fat fat;
    struct area_file file;
    struct area_index index;
};

/* Functions of struct firmware for files in the area; room() only compares bytes. */
enum firmware_error efi_area_make_folder(struct efi_firmware *efi);
enum firmware_error efi_area_room(struct efi_firmware *efi, uint64_t bytes);
enum firmware_error efi_area_create(struct efi_firmware *efi, const char *path);
enum firmware_error efi_area_write(struct efi_firmware *efi, const void *data, size_t size);
enum firmware_error efi_area_end(struct efi_firmware *efi, bool keep);
enum firmware_error efi_area_append(struct efi_firmware *efi, const char *path, const void *data, size_t size);
enum firmware_error efi_area_remove(struct efi_firmware *efi, const char *path);

/* Finds the last entry of this path, if it has bytes. */
bool efi_area_find(const struct efi_firmware *efi, const char *path, struct tar_entry *ret_entry);

/* Writes "\ibsboot\runs" as an entry has it: "ibsboot/runs". Returns the length, or TAR_NAME_MAX if no entry can be as
 * long. (efi/run_area.c) */
size_t efi_area_name(char (*name)[TAR_NAME_MAX], const char *path);

#endif
