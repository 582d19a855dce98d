/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs that are written to IBSRUNS.TAR in place (save=tar): by sectors, below the firmware's FAT driver, which then has
 * nothing to write. No table or folder changes, and the machine may be switched off at any moment.
 *
 * A driver keeps copies of sectors. EDK II's has pieces of 64 KB, which it writes back whole (FatPkg/EnhancedFatDxe:
 * FatExchangeCachePage()), so a file beside the area that is written later would take parts of the area back in time.
 * So the driver is started anew before the area is read and after it was written, by ReinstallProtocolInterface(),
 * with which firmware itself tells its drivers of a changed disk (UEFI 2.10, sections 7.3.3 and 13.9). Between
 * the two the driver only reads.
 */
#include "efi/area.h"

#include "core/base/civil.h"
#include "core/base/mem.h"

enum {
    ROOM_OF_A_FOLDER = 64 << 10, /* bytes; with less a folder is useless (as for a BIOS: bios/files.c) */
    COPIED = 4096,
};

/* ---------------------------------------------------------------- the area */

static void *grow_rows(void *context, void *old, uint64_t used, uint64_t bytes)
{
    EFI_BOOT_SERVICES *boot = context;
    VOID *memory;

    if (boot->AllocatePool(EfiLoaderData, bytes, &memory) != EFI_SUCCESS)
        return NULL;
    if (old) {
        memcpy(memory, old, used);
        (void)boot->FreePool(old);
    }
    return memory;
}

static void read_index(struct efi_firmware *efi)
{
    area_index_read(&efi->area->index, &efi->area->file.store, grow_rows, efi->system->BootServices);
}

/* Makes the driver write and forget its copies. Returns false if it does not release the volume. */
static bool renew_driver(struct efi_firmware *efi, EFI_BLOCK_IO *block)
{
    EFI_STATUS status;

    efi_files_close(efi);
    status = efi->system->BootServices->ReinstallProtocolInterface(efi->loaded->DeviceHandle,
                                                                   &(EFI_GUID)EFI_BLOCK_IO_PROTOCOL_GUID, block, block);
    efi_files_open(efi);
    return status == EFI_SUCCESS;
}

static enum firmware_error look(struct efi_firmware *efi, struct efi_area *area)
{
    enum firmware_error error = efi_sectors_open(&area->sectors, efi->system->BootServices, efi->loaded->DeviceHandle);

    if (error)
        return error;
    if (!renew_driver(efi, area->sectors.block))
        return FIRMWARE_AREA + AREA_HELD;
    switch (fat_mount(&area->fat, &area->sectors.disk, 0)) {
    case FAT_OK:
        break;
    case FAT_READ:
        return FIRMWARE_AREA + AREA_UNREAD;
    default:
        return FIRMWARE_AREA + AREA_NOT_FAT;
    }
    if (area->fat.end > area->sectors.count) /* the volume claims to be larger than its partition */
        return FIRMWARE_AREA + AREA_LOST;
    area_file_open(&area->file, &area->fat);
    return area->file.refusal ? FIRMWARE_AREA + (enum firmware_error)area->file.refusal : FIRMWARE_OK;
}

static void give_back(struct efi_firmware *efi, struct efi_area *area)
{
    EFI_BOOT_SERVICES *boot = efi->system->BootServices;

    if (area->sectors.written)
        (void)renew_driver(efi, area->sectors.block);
    efi_sectors_close(&area->sectors, boot);
    if (area->index.rows)
        (void)boot->FreePool(area->index.rows);
    (void)boot->FreePool(area);
}

static enum firmware_error open_area(struct efi_firmware *efi)
{
    struct efi_area *area;
    enum firmware_error error;

    if (!efi->root)
        return FIRMWARE_NO_VOLUME;
    if (efi->system->BootServices->AllocatePool(EfiLoaderData, sizeof(*area), (VOID **)&area) != EFI_SUCCESS)
        return FIRMWARE_NO_MEMORY;
    area->index = (struct area_index){.rows = NULL};
    error = look(efi, area);
    if (error) {
        give_back(efi, area);
        return error;
    }
    efi->area = area;
    read_index(efi);
    return FIRMWARE_OK;
}

static void close_area(struct efi_firmware *efi)
{
    struct efi_area *area = efi->area;

    efi->area = NULL;
    if (area)
        give_back(efi, area);
}

void efi_save_to(struct firmware *fw, bool area)
{
    struct efi_firmware *efi = efi_of(fw);

    efi->to_area = area && !efi->bios; /* ibsbios has only one place */
    if (!efi->to_area)
        close_area(efi);
}

/* ---------------------------------------------------------------- files */

static enum firmware_error error_of(const struct efi_area *area, enum tar_error error)
{
    enum firmware_error other = efi_file_error(area->sectors.status);

    switch (error) {
    case TAR_OK:
        return FIRMWARE_OK;
    case TAR_FULL:
        return FIRMWARE_FULL;
    case TAR_READ:
    case TAR_WRITE:
        if (other == FIRMWARE_NO_VOLUME || other == FIRMWARE_READ_ONLY)
            return other;
        return FIRMWARE_AREA + (error == TAR_READ ? AREA_UNREAD : AREA_UNWRITTEN);
    default:
        return FIRMWARE_FAILED;
    }
}

static uint64_t now(const struct efi_firmware *efi)
{
    EFI_TIME time;

    if (efi->system->RuntimeServices->GetTime(&time, NULL) != EFI_SUCCESS)
        return 0;
    return civil_seconds(&(struct civil){time.Year, time.Month, time.Day, time.Hour, time.Minute, time.Second});
}

/* Opens the area anew after an error, which may have left a header or not. */
enum firmware_error efi_area_make_folder(struct efi_firmware *efi)
{
    enum firmware_error error = FIRMWARE_OK;

    if (efi->area && efi->area->file.store.refusal)
        close_area(efi);
    if (!efi->area)
        error = open_area(efi);
    if (!error && store_room(&efi->area->file.store) < ROOM_OF_A_FOLDER)
        error = FIRMWARE_AREA + AREA_FULL;
    return error;
}

enum firmware_error efi_area_room(struct efi_firmware *efi, uint64_t bytes)
{
    if (!efi->area)
        return FIRMWARE_FAILED;
    return bytes > store_room(&efi->area->file.store) ? FIRMWARE_FULL : FIRMWARE_OK;
}

enum firmware_error efi_area_create(struct efi_firmware *efi, const char *path)
{
    char name[TAR_NAME_MAX];

    if (!efi->area || efi_area_name(&name, path) == TAR_NAME_MAX)
        return FIRMWARE_FAILED;
    return error_of(efi->area, store_begin(&efi->area->file.store, name, now(efi)));
}

enum firmware_error efi_area_write(struct efi_firmware *efi, const void *data, size_t size)
{
    return error_of(efi->area, store_write(&efi->area->file.store, data, size));
}

enum firmware_error efi_area_end(struct efi_firmware *efi, bool keep)
{
    enum tar_error error = store_end(&efi->area->file.store, keep);

    read_index(efi);
    return error_of(efi->area, error);
}

/* Writes the file again, with the appended data. */
enum firmware_error efi_area_append(struct efi_firmware *efi, const char *path, const void *data, size_t size)
{
    uint8_t bytes[COPIED];
    struct tar_entry entry;
    enum tar_error error;
    size_t part;
    enum firmware_error begun;

    if (!efi_area_find(efi, path, &entry))
        return FIRMWARE_NOT_FOUND;
    begun = efi_area_create(efi, path);
    if (begun)
        return begun;
    for (uint64_t at = 0; at < entry.size; at += part) {
        error = tar_read(&efi->area->file.store.tar, &entry, at, bytes, sizeof(bytes), &part);
        if (!error)
            error = store_write(&efi->area->file.store, bytes, part);
        if (error) {
            begun = error_of(efi->area, error);
            (void)efi_area_end(efi, false);
            return begun;
        }
    }
    (void)efi_area_write(efi, data, size); /* efi_area_end() reports an error */
    return efi_area_end(efi, true);
}

enum firmware_error efi_area_remove(struct efi_firmware *efi, const char *path)
{
    struct tar_entry entry;
    enum firmware_error error;

    if (!efi_area_find(efi, path, &entry))
        return FIRMWARE_NOT_FOUND;
    error = efi_area_create(efi, path); /* an entry without bytes means that the file is deleted */
    return error ? error : efi_area_end(efi, true);
}

bool efi_area_find(const struct efi_firmware *efi, const char *path, struct tar_entry *ret_entry)
{
    const struct area_entry *found;
    char name[TAR_NAME_MAX];

    if (!efi->area || efi_area_name(&name, path) == TAR_NAME_MAX)
        return false;
    found = area_index_find(&efi->area->index, name);
    if (!found || !found->size)
        return false;
    *ret_entry = (struct tar_entry){.size = found->size, .sector = found->sector};
    return true;
}
