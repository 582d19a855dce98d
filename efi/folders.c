/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folders of the volume, and the room that a new entry needs.
 *
 * EDK II's FAT driver looks for room too late. It writes a new folder's entry before the folder has a cluster
 * (FatPkg/EnhancedFatDxe: FatOFileOpen(), FatCreateDotDirEnts()), and removes a file's old name before there is a place
 * for the new one (FatSetFileInfo()). On a full volume the folder's entry then stays with cluster 0. It cannot be
 * deleted (FatDelete() wants "." and ".." in it), and what is put into it is lost. Of the file nothing is left. The
 * free space that the driver tells is the volume's own note of it (FSInfo), which may be wrong. So a file takes what an
 * entry can need, and gives it back, just before.
 */
#include "efi/area.h"

/* Two clusters of FAT's largest size: one for the folder that gets the entry, one for a new folder. */
enum { CLUSTER_MAX = 64 << 10, ROOM_BYTES = CLUSTER_MAX + 1 };

/* Allocates this many bytes for a file path + suffix, and frees them. */
static enum firmware_error take_room(struct efi_firmware *efi, const char *path, const char *suffix, uint64_t bytes)
{
    UINT8 byte = 0;
    UINTN size = sizeof(byte);
    EFI_FILE_HANDLE file;
    enum firmware_error error =
        efi_open(efi, path, suffix, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE, 0, &file);

    if (error)
        return error;
    /* The bytes before this one are not written, but occupy their clusters. */
    error = efi_file_error(file->SetPosition(file, bytes - sizeof(byte)));
    if (!error)
        error = efi_file_error(file->Write(file, &size, &byte));
    if (!error && size != sizeof(byte))
        error = FIRMWARE_FULL;
    if (file->Delete(file) != EFI_SUCCESS && !error) /* closes too */
        error = FIRMWARE_FAILED;
    return error;
}

enum firmware_error efi_prove_room(struct efi_firmware *efi, const char *path)
{
    return efi->bios ? FIRMWARE_OK /* ibsbios appends to a file of fixed size */
                     : take_room(efi, path, ".tmp", ROOM_BYTES);
}

enum firmware_error efi_room(struct firmware *fw, const char *folder, uint64_t bytes)
{
    if (efi_of(fw)->to_area)
        return efi_area_room(efi_of(fw), bytes);
    return take_room(efi_of(fw), folder, "\\room.tmp", bytes);
}

/* Returns false if the driver does not report it. */
static bool folder_info(EFI_FILE_HANDLE folder, UINT64 *ret_size, bool *ret_folder)
{
    UINT64 buffer[(sizeof(EFI_FILE_INFO) + 2 * EFI_PATH_MAX) / sizeof(UINT64) + 1];
    UINTN size = sizeof(buffer);
    const EFI_FILE_INFO *info = (const EFI_FILE_INFO *)buffer;

    if (folder->GetInfo(folder, &(EFI_GUID)EFI_FILE_INFO_ID, &size, buffer) != EFI_SUCCESS)
        return false;
    *ret_size = info->FileSize;
    *ret_folder = info->Attribute & EFI_FILE_DIRECTORY;
    return true;
}

/* Returns whether a folder can hold files: it has a cluster. EDK II's driver reports the size of a folder's clusters; a
 * driver that does not reports none for \EFI either. */
static bool can_hold_files(struct efi_firmware *efi, EFI_FILE_HANDLE folder)
{
    UINT64 size, other = 0;
    bool is_folder;
    EFI_FILE_HANDLE compared;

    if (!folder_info(folder, &size, &is_folder))
        return true;
    if (!is_folder || size)
        return is_folder;
    if (efi_open(efi, "\\EFI", "", EFI_FILE_MODE_READ, 0, &compared))
        return true;
    (void)folder_info(compared, &other, &is_folder);
    (void)compared->Close(compared);
    return !other;
}

/* Removes what a failed call has left of a new folder. */
static enum firmware_error take_back(struct efi_firmware *efi, const char *path, enum firmware_error error)
{
    EFI_FILE_HANDLE left;

    if (!efi_open(efi, path, "", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &left) &&
        left->Delete(left) != EFI_SUCCESS)
        return FIRMWARE_BAD_FOLDER;
    return error;
}

enum firmware_error efi_make_folder(struct firmware *fw, const char *path)
{
    struct efi_firmware *efi = efi_of(fw);
    EFI_FILE_HANDLE folder;
    enum firmware_error error;

    if (efi->to_area)
        return efi_area_make_folder(efi);
    error = efi_open(efi, path, "", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &folder);
    if (error == FIRMWARE_NOT_FOUND) {
        error = efi_prove_room(efi, path);
        if (error)
            return error;
        error = efi_open(efi, path, "", EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE,
                         EFI_FILE_DIRECTORY, &folder);
        if (error)
            return take_back(efi, path, error);
    }
    if (error)
        return error;
    if (!can_hold_files(efi, folder))
        error = FIRMWARE_BAD_FOLDER;
    (void)folder->Close(folder);
    return error;
}
