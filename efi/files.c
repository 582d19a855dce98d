/* SPDX-License-Identifier: BSD-2-Clause */
/* Files on the volume that the image was loaded from. Writing never leaves a half-written file under its final name. */
#include "efi/efi_firmware.h"

#include "core/base/mem.h"
#include "core/run/area_refusal.h"
#include "efi/area.h"

struct firmware_file {
    struct efi_firmware *efi;
    EFI_FILE_HANDLE handle;  /* NULL: in the run area */
    char path[EFI_PATH_MAX]; /* final path */
    bool failed;
};

enum firmware_error efi_file_error(EFI_STATUS status)
{
    switch (status) {
    case EFI_SUCCESS:
        return FIRMWARE_OK;
    case EFI_NOT_FOUND:
        return FIRMWARE_NOT_FOUND;
    case EFI_WRITE_PROTECTED:
    case EFI_ACCESS_DENIED:
        return FIRMWARE_READ_ONLY;
    case EFI_VOLUME_FULL:
    case EFI_OUT_OF_RESOURCES:
        return FIRMWARE_FULL;
    case EFI_NO_MEDIA:
    case EFI_MEDIA_CHANGED:
        return FIRMWARE_NO_VOLUME;
    default:
        if (status > EFIERR_OEM(AREA_STATUS) && status < EFIERR_OEM(AREA_STATUS) + AREA_REFUSAL_COUNT)
            return FIRMWARE_AREA + (enum firmware_error)(status - EFIERR_OEM(AREA_STATUS));
        return FIRMWARE_FAILED;
    }
}

void efi_files_open(struct efi_firmware *efi)
{
    EFI_FILE_IO_INTERFACE *volume = NULL;

    efi->root = NULL;
    if (efi->loaded->DeviceHandle == NULL ||
        efi->system->BootServices->HandleProtocol(efi->loaded->DeviceHandle, &(EFI_GUID)SIMPLE_FILE_SYSTEM_PROTOCOL,
                                                  (void **)&volume) != EFI_SUCCESS)
        return; /* network boot, perhaps with a server (efi/network.c); otherwise reported when a file is requested */
    if (volume->OpenVolume(volume, &efi->root) != EFI_SUCCESS)
        efi->root = NULL;
}

void efi_files_close(struct efi_firmware *efi)
{
    if (efi->root)
        (void)efi->root->Close(efi->root);
    efi->root = NULL;
}

/* Converts an ASCII path to UCS-2. Returns false if it is too long. */
static bool path16(CHAR16 *out, const char *path, const char *suffix)
{
    size_t n = 0;

    for (; *path; path++, n++) {
        if (n + 1 >= EFI_PATH_MAX)
            return false;
        out[n] = (unsigned char)*path;
    }
    for (; *suffix; suffix++, n++) {
        if (n + 1 >= EFI_PATH_MAX)
            return false;
        out[n] = (unsigned char)*suffix;
    }
    out[n] = 0;
    return true;
}

enum firmware_error efi_open(struct efi_firmware *efi, const char *path, const char *suffix, UINT64 mode,
                             UINT64 attributes, EFI_FILE_HANDLE *ret_handle)
{
    CHAR16 name[EFI_PATH_MAX];

    if (!efi->root)
        return FIRMWARE_NO_VOLUME;
    if (!path16(name, path, suffix))
        return FIRMWARE_FAILED;
    return efi_file_error(efi->root->Open(efi->root, ret_handle, name, mode, attributes));
}

/* Deletes the file path + suffix, if there is one. */
static void remove_left(struct efi_firmware *efi, const char *path, const char *suffix)
{
    EFI_FILE_HANDLE left;

    if (!efi_open(efi, path, suffix, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &left))
        (void)left->Delete(left); /* closes too */
}

enum firmware_error efi_read_file(struct firmware *fw, const char *path, void *buffer, size_t max, size_t *ret_size)
{
    EFI_FILE_HANDLE handle;
    UINT64 size = ~(UINT64)0;
    enum firmware_error error = efi_open(efi_of(fw), path, "", EFI_FILE_MODE_READ, 0, &handle);

    if (error == FIRMWARE_NOT_FOUND)
        return efi_area_read(efi_of(fw), path, buffer, max, ret_size);
    if (error)
        return error;
    /* Position -1 is the end (UEFI specification, EFI_FILE_PROTOCOL.SetPosition): the size without a FileInfo buffer.
     */
    if (handle->SetPosition(handle, ~(UINT64)0) != EFI_SUCCESS || handle->GetPosition(handle, &size) != EFI_SUCCESS ||
        handle->SetPosition(handle, 0) != EFI_SUCCESS) {
        error = FIRMWARE_FAILED;
    } else if (size > max) {
        *ret_size = (size_t)size;
        error = FIRMWARE_TOO_LARGE;
    } else {
        size_t done = 0;
        while (done < size && !error) {
            UINTN part = (UINTN)(size - done);
            error = efi_file_error(handle->Read(handle, &part, (char *)buffer + done));
            if (part == 0)
                break;
            done += part;
        }
        if (!error)
            *ret_size = done;
    }
    (void)handle->Close(handle);
    return error;
}

enum firmware_error efi_list(struct firmware *fw, const char *path, void (*each)(void *argument, const char *name),
                             void *argument)
{
    /* Room for an EFI_FILE_INFO with the longest FAT name. */
    UINT64 buffer[(sizeof(EFI_FILE_INFO) + 2 * EFI_PATH_MAX) / sizeof(UINT64) + 1];
    EFI_FILE_HANDLE handle;
    bool in_area = efi_area_list(efi_of(fw), path, each, argument);
    enum firmware_error error = efi_open(efi_of(fw), path, "", EFI_FILE_MODE_READ, 0, &handle);

    if (error == FIRMWARE_NOT_FOUND && in_area)
        return FIRMWARE_OK;
    if (error)
        return error;
    for (;;) {
        UINTN size = sizeof(buffer);
        EFI_FILE_INFO *info = (EFI_FILE_INFO *)buffer;
        char name[EFI_PATH_MAX];
        size_t n = 0;

        error = efi_file_error(handle->Read(handle, &size, buffer));
        if (error || size == 0)
            break;
        for (; n + 1 < sizeof(name) && info->FileName[n]; n++)
            name[n] = info->FileName[n] < 0x80 ? (char)info->FileName[n] : '?';
        name[n] = '\0';
        each(argument, name);
    }
    (void)handle->Close(handle);
    return error;
}

enum firmware_error efi_file_create(struct firmware *fw, const char *path, struct firmware_file **ret_file)
{
    struct efi_firmware *efi = efi_of(fw);
    struct firmware_file *file;
    size_t length = strlen(path);
    enum firmware_error error;

    if (length >= sizeof(file->path))
        return FIRMWARE_FAILED;
    if (efi->system->BootServices->AllocatePool(EfiLoaderData, sizeof(*file), (void **)&file) != EFI_SUCCESS)
        return FIRMWARE_FAILED;
    file->efi = efi;
    file->handle = NULL;
    file->failed = false;
    memcpy(file->path, path, length + 1);
    if (efi->to_area) {
        error = efi_area_create(efi, path);
    } else {
        /* A shorter new file would keep the tail of one left by an interrupted run. */
        remove_left(efi, path, ".new");
        error = efi_open(efi, path, ".new", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE, 0,
                         &file->handle);
    }
    if (error) {
        (void)efi->system->BootServices->FreePool(file);
        return error;
    }
    *ret_file = file;
    return FIRMWARE_OK;
}

enum firmware_error efi_file_write(struct firmware_file *file, const void *data, size_t size)
{
    UINTN part = size;
    enum firmware_error error = file->handle ? efi_file_error(file->handle->Write(file->handle, &part, (void *)data))
                                             : efi_area_write(file->efi, data, size);

    if (!error && part != size)
        error = FIRMWARE_FULL;
    if (error)
        file->failed = true;
    return error;
}

enum firmware_error efi_file_append(struct firmware *fw, const char *path, const void *data, size_t size)
{
    EFI_FILE_HANDLE handle;
    UINTN part = size;
    enum firmware_error error;

    if (efi_of(fw)->to_area)
        return efi_area_append(efi_of(fw), path, data, size);
    error = efi_open(efi_of(fw), path, "", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &handle);
    if (error)
        return error;
    error = efi_file_error(handle->SetPosition(handle, ~(UINT64)0)); /* the end */
    if (!error)
        error = efi_file_error(handle->Write(handle, &part, (void *)data));
    if (!error)
        error = part == size ? efi_file_error(handle->Flush(handle)) : FIRMWARE_FULL;
    (void)handle->Close(handle);
    return error;
}

enum firmware_error efi_file_remove(struct firmware *fw, const char *path)
{
    EFI_FILE_HANDLE handle;
    enum firmware_error error;

    if (efi_of(fw)->to_area)
        return efi_area_remove(efi_of(fw), path);
    error = efi_open(efi_of(fw), path, "", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &handle);
    return error ? error : efi_file_error(handle->Delete(handle)); /* closes too */
}

/* Renames by writing the FileName of the file's information block (UEFI specification, EFI_FILE_PROTOCOL.SetInfo). */
static enum firmware_error rename_to_final(struct firmware_file *file)
{
    UINT64 buffer[(sizeof(EFI_FILE_INFO) + 4 * EFI_PATH_MAX) / sizeof(UINT64) + 1];
    EFI_FILE_INFO *info = (EFI_FILE_INFO *)buffer;
    UINTN size = sizeof(buffer), n = 0;
    EFI_STATUS status = file->handle->GetInfo(file->handle, &(EFI_GUID)EFI_FILE_INFO_ID, &size, info);
    const char *name = file->path;

    if (status != EFI_SUCCESS)
        return efi_file_error(status);
    /* Renaming fails if the name exists, so the old file is deleted first, once the new one is complete. */
    remove_left(file->efi, file->path, "");
    for (const char *at = file->path; *at; at++)
        if (*at == '\\')
            name = at + 1;
    do
        info->FileName[n] = (unsigned char)name[n];
    while (name[n++]);
    info->Size = SIZE_OF_EFI_FILE_INFO + n * sizeof(CHAR16);
    return efi_file_error(file->handle->SetInfo(file->handle, &(EFI_GUID)EFI_FILE_INFO_ID, (UINTN)info->Size, info));
}

/* Ends a file of the volume: flushes, renames and closes it, or deletes it. */
static enum firmware_error end_file(struct firmware_file *file, bool keep)
{
    enum firmware_error error = FIRMWARE_OK;

    if (keep) {
        if (file->handle->Flush(file->handle) != EFI_SUCCESS)
            error = FIRMWARE_NOT_RENAMED;
        else
            error = efi_prove_room(file->efi, file->path);
        keep = error != FIRMWARE_FULL;
        if (!error)
            error = rename_to_final(file);
        /* A file under another name is better than none. Over a BIOS, a file that was not renamed does not exist. */
        if (error && keep && !file->efi->bios)
            error = FIRMWARE_NOT_RENAMED;
    }
    if (keep)
        (void)file->handle->Close(file->handle);
    else
        (void)file->handle->Delete(file->handle); /* closes too */
    return error;
}

enum firmware_error efi_file_close(struct firmware_file *file, bool keep)
{
    EFI_BOOT_SERVICES *boot = file->efi->system->BootServices;
    enum firmware_error error;

    keep = keep && !file->failed;
    error = file->handle ? end_file(file, keep) : efi_area_end(file->efi, keep);
    (void)boot->FreePool(file);
    return error;
}
