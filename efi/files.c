/* SPDX-License-Identifier: BSD-2-Clause */
/* Files on the volume that the image was loaded from. Writing never leaves a half-written file under its final name. */
#include "efi/efi_firmware.h"

struct firmware_file {
    struct efi_firmware *efi;
    EFI_FILE_HANDLE handle;
    CHAR16 path[EFI_PATH_MAX]; /* to be renamed to */
    const CHAR16 *final_name;  /* its last part, without the folder */
    bool failed;
};

static EFI_GUID file_info_guid = EFI_FILE_INFO_ID;
static EFI_GUID volume_guid = SIMPLE_FILE_SYSTEM_PROTOCOL;

static enum firmware_error error_of(EFI_STATUS status)
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
        return FIRMWARE_FAILED;
    }
}

void efi_files_open(struct efi_firmware *efi)
{
    EFI_FILE_IO_INTERFACE *volume = NULL;

    efi->root = NULL;
    if (efi->loaded->DeviceHandle == NULL ||
        efi->system->BootServices->HandleProtocol(efi->loaded->DeviceHandle, &volume_guid, (void **)&volume) !=
            EFI_SUCCESS)
        return; /* network boot: perhaps the server's (efi/network.c); else it is reported when a file is requested */
    if (volume->OpenVolume(volume, &efi->root) != EFI_SUCCESS)
        efi->root = NULL;
}

void efi_files_close(struct efi_firmware *efi)
{
    if (efi->root)
        (void)efi->root->Close(efi->root);
    efi->root = NULL;
}

/* ASCII path to UCS-2; false when it is too long. */
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

static enum firmware_error open_path(struct efi_firmware *efi, const char *path, const char *suffix, UINT64 mode,
                                     UINT64 attributes, EFI_FILE_HANDLE *ret_handle)
{
    CHAR16 name[EFI_PATH_MAX];

    if (!efi->root)
        return FIRMWARE_NO_VOLUME;
    if (!path16(name, path, suffix))
        return FIRMWARE_FAILED;
    return error_of(efi->root->Open(efi->root, ret_handle, name, mode, attributes));
}

enum firmware_error efi_read_file(struct firmware *fw, const char *path, void *buffer, size_t max, size_t *ret_size)
{
    EFI_FILE_HANDLE handle;
    UINT64 size = ~(UINT64)0;
    enum firmware_error error = open_path(efi_of(fw), path, "", EFI_FILE_MODE_READ, 0, &handle);

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
            error = error_of(handle->Read(handle, &part, (char *)buffer + done));
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
    enum firmware_error error = open_path(efi_of(fw), path, "", EFI_FILE_MODE_READ, 0, &handle);

    if (error == FIRMWARE_NOT_FOUND && in_area)
        return FIRMWARE_OK;
    if (error)
        return error;
    for (;;) {
        UINTN size = sizeof(buffer);
        EFI_FILE_INFO *info = (EFI_FILE_INFO *)buffer;
        char name[EFI_PATH_MAX];
        size_t n = 0;

        error = error_of(handle->Read(handle, &size, buffer));
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

enum firmware_error efi_make_folder(struct firmware *fw, const char *path)
{
    EFI_FILE_HANDLE handle;
    enum firmware_error error =
        open_path(efi_of(fw), path, "", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE,
                  EFI_FILE_DIRECTORY, &handle);

    if (!error)
        (void)handle->Close(handle);
    return error;
}

enum firmware_error efi_file_create(struct firmware *fw, const char *path, struct firmware_file **ret_file)
{
    struct efi_firmware *efi = efi_of(fw);
    struct firmware_file *file;
    EFI_FILE_HANDLE old;
    enum firmware_error error;

    if (efi->system->BootServices->AllocatePool(EfiLoaderData, sizeof(*file), (void **)&file) != EFI_SUCCESS)
        return FIRMWARE_FAILED;
    file->efi = efi;
    file->failed = false;
    /* A shorter new file would keep the tail of one left by an interrupted run. */
    if (!open_path(efi, path, ".new", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &old))
        (void)old->Delete(old);
    error = path16(file->path, path, "") ? FIRMWARE_OK : FIRMWARE_FAILED;
    file->final_name = file->path;
    for (const CHAR16 *p = file->path; !error && *p; p++)
        if (*p == '\\')
            file->final_name = p + 1;
    if (!error)
        error = open_path(efi, path, ".new", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE, 0,
                          &file->handle);
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
    enum firmware_error error = error_of(file->handle->Write(file->handle, &part, (void *)data));

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
    enum firmware_error error = open_path(efi_of(fw), path, "", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &handle);

    if (error)
        return error;
    error = error_of(handle->SetPosition(handle, ~(UINT64)0)); /* the end */
    if (!error)
        error = error_of(handle->Write(handle, &part, (void *)data));
    if (!error)
        error = part == size ? error_of(handle->Flush(handle)) : FIRMWARE_FULL;
    (void)handle->Close(handle);
    return error;
}

enum firmware_error efi_file_remove(struct firmware *fw, const char *path)
{
    EFI_FILE_HANDLE handle;
    enum firmware_error error = open_path(efi_of(fw), path, "", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &handle);

    return error ? error : error_of(handle->Delete(handle)); /* closes too */
}

/* Renames by writing the FileName of the file's information block (UEFI specification, EFI_FILE_PROTOCOL.SetInfo). */
static enum firmware_error rename_to_final(struct firmware_file *file)
{
    UINT64 buffer[(sizeof(EFI_FILE_INFO) + 4 * EFI_PATH_MAX) / sizeof(UINT64) + 1];
    EFI_FILE_INFO *info = (EFI_FILE_INFO *)buffer;
    UINTN size = sizeof(buffer);
    EFI_STATUS status = file->handle->GetInfo(file->handle, &file_info_guid, &size, info);
    UINTN n = 0;

    EFI_FILE_HANDLE old;

    if (status != EFI_SUCCESS)
        return error_of(status);
    /* A name that is there is not taken: what it names goes first, when the new file is whole. */
    if (file->efi->root->Open(file->efi->root, &old, file->path, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0) ==
        EFI_SUCCESS)
        (void)old->Delete(old);
    do
        info->FileName[n] = file->final_name[n];
    while (file->final_name[n++]);
    info->Size = SIZE_OF_EFI_FILE_INFO + n * sizeof(CHAR16);
    return error_of(file->handle->SetInfo(file->handle, &file_info_guid, (UINTN)info->Size, info));
}

enum firmware_error efi_file_close(struct firmware_file *file, bool keep)
{
    enum firmware_error error = FIRMWARE_OK;
    EFI_BOOT_SERVICES *boot = file->efi->system->BootServices;

    if (keep && !file->failed) {
        if (file->handle->Flush(file->handle) != EFI_SUCCESS)
            error = FIRMWARE_NOT_RENAMED;
        else
            error = rename_to_final(file);
        /* Better under another name than not at all. Over a BIOS, what cannot get its name is not there. */
        if (error && !file->efi->bios)
            error = FIRMWARE_NOT_RENAMED;
        (void)file->handle->Close(file->handle);
    } else {
        (void)file->handle->Delete(file->handle); /* closes too */
    }
    (void)boot->FreePool(file);
    return error;
}
