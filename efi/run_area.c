/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads runs in IBSRUNS.TAR, including those of the same stick on a machine with a BIOS, and of an earlier save=tar,
 * so that numbers continue and an unfinished run is reported. Reads by the firmware's driver, unless the area is open
 * for writing (efi/area.c): the driver's copies of its sectors may then be old.
 */
#include "core/base/mem.h"
#include "efi/area.h"

struct run_area {
    EFI_FILE_HANDLE handle; /* NULL: it is open for writing */
    struct tar *tar;
    struct disk_ops disk;
    struct disk_extent extent; /* the file from its first byte on */
    struct tar of_file;
};

static int read_sectors(void *context, uint64_t sector, unsigned count, void *to)
{
    const struct run_area *area = context;
    UINTN size = (UINTN)count * DISK_SECTOR;

    return area->handle->SetPosition(area->handle, sector * DISK_SECTOR) != EFI_SUCCESS ||
           area->handle->Read(area->handle, &size, to) != EFI_SUCCESS || size != (UINTN)count * DISK_SECTOR;
}

/* Returns false if there is none. In a damaged one, the entries before the damage are visible. */
static bool open_area(struct efi_firmware *efi, struct run_area *area)
{
    static const CHAR16 name[] = L"\\IBSRUNS.TAR";
    UINT64 size;

    area->handle = NULL;
    area->tar = efi->area ? &efi->area->file.store.tar : &area->of_file;
    if (efi->area)
        return true;
    if (!efi->root || efi->root->Open(efi->root, &area->handle, (CHAR16 *)name, EFI_FILE_MODE_READ, 0) != EFI_SUCCESS)
        return false;
    /* Position -1 is the end, as in efi/files.c. */
    if (area->handle->SetPosition(area->handle, ~(UINT64)0) != EFI_SUCCESS ||
        area->handle->GetPosition(area->handle, &size) != EFI_SUCCESS)
        size = 0;
    area->disk = (struct disk_ops){.context = area, .read = read_sectors};
    area->extent = (struct disk_extent){0, size / DISK_SECTOR};
    (void)tar_open(area->tar, &area->disk, &area->extent, 1);
    return true;
}

static void close_area(struct run_area *area)
{
    if (area->handle)
        (void)area->handle->Close(area->handle);
}

size_t efi_area_name(char (*name)[TAR_NAME_MAX], const char *path)
{
    size_t n = 0;

    if (*path == '\\')
        path++;
    for (; *path && n < TAR_NAME_MAX; path++, n++)
        (*name)[n] = *path;
    for (size_t i = 0; i < n; i++)
        if ((*name)[i] == '\\')
            (*name)[i] = '/';
    if (n < TAR_NAME_MAX)
        (*name)[n] = '\0';
    return n;
}

bool efi_area_list(struct efi_firmware *efi, const char *path, void (*each)(void *argument, const char *name),
                   void *argument)
{
    char folder[TAR_NAME_MAX], last[TAR_NAME_MAX] = "";
    size_t length = efi_area_name(&folder, path);
    struct run_area area;
    struct tar_entry entry;
    bool any = false;

    if (length == TAR_NAME_MAX || !open_area(efi, &area))
        return false;
    for (uint64_t at = 0; at < area.tar->used && tar_next(area.tar, &at, &entry) == TAR_OK;) {
        char *name = entry.name + length + 1, *end = name;

        if (strlen(entry.name) <= length + 1 || memcmp(entry.name, folder, length) != 0 || name[-1] != '/')
            continue;
        any = true;
        while (*end && *end != '/')
            end++;
        *end = '\0';
        if (memcmp(last, name, (size_t)(end - name) + 1) != 0) /* the files of a run are adjacent */
            each(argument, name);
        memcpy(last, name, (size_t)(end - name) + 1);
    }
    close_area(&area);
    return any;
}

enum firmware_error efi_area_read(struct efi_firmware *efi, const char *path, void *buffer, size_t max,
                                  size_t *ret_size)
{
    enum firmware_error error = FIRMWARE_NOT_FOUND;
    char name[TAR_NAME_MAX];
    struct run_area area;
    struct tar_entry entry;

    if (efi_area_name(&name, path) == TAR_NAME_MAX || !open_area(efi, &area))
        return FIRMWARE_NOT_FOUND;
    if (efi->area ? efi_area_find(efi, path, &entry) : tar_find(area.tar, name, &entry) == TAR_OK) {
        if (entry.size > max) {
            *ret_size = (size_t)entry.size;
            error = FIRMWARE_TOO_LARGE;
        } else {
            error = tar_read(area.tar, &entry, 0, buffer, max, ret_size) ? FIRMWARE_FAILED : FIRMWARE_OK;
        }
    }
    close_area(&area);
    return error;
}
