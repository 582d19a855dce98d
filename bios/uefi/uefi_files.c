/* SPDX-License-Identifier: BSD-2-Clause */
/* EFI_FILE_PROTOCOL over files.c. */
#include "bios/uefi/uefi.h"

#include "bios/files.h"
#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/run/area_refusal.h"

struct file {
    EFI_FILE functions;
    struct files_node *node; /* NULL: a folder */
    char path[FILES_PATH];
    uint64_t at; /* bytes; names in a folder */
    /* The names of a folder while it is being read. */
    struct name *names;
    uint64_t count, room;
};

struct name {
    char text[FILES_PATH];
    bool folder;
};

static EFI_STATUS status_of(enum files_error error)
{
    if (error > FILES_AREA)
        return EFIERR_OEM(AREA_STATUS) + (error - FILES_AREA);
    switch (error) {
    case FILES_OK:
        return EFI_SUCCESS;
    case FILES_NOT_FOUND:
        return EFI_NOT_FOUND;
    case FILES_GONE:
        return EFI_NO_MEDIA;
    case FILES_FULL:
        return EFI_VOLUME_FULL;
    case FILES_MEMORY:
        return EFI_OUT_OF_RESOURCES;
    case FILES_NAME:
        return EFI_INVALID_PARAMETER;
    default:
        return EFI_DEVICE_ERROR;
    }
}

/* Makes a path from the root, with '/' between names. Returns false if it is too long. */
static bool whole_path(char path[FILES_PATH], const struct file *from, const CHAR16 *name)
{
    size_t n = 0;

    if (name[0] == '\\') {
        name++;
    } else {
        n = strlen(from->path);
        memcpy(path, from->path, n);
        if (n && name[0])
            path[n++] = '/';
    }
    for (; *name; name++) {
        if (n + 1 >= FILES_PATH)
            return false;
        path[n++] = *name == '\\' ? '/' : *name < 0x80 ? (char)*name : '?';
    }
    path[n] = '\0';
    return true;
}

static EFI_STATUS make(const char *path, struct files_node *node, EFI_FILE_HANDLE *ret_file)
{
    struct file *file;
    EFI_STATUS status = uefi_allocate_pool(EfiBootServicesData, sizeof *file, (VOID **)&file);

    if (status != EFI_SUCCESS)
        return status;
    *file = (struct file){.functions = uefi_file_functions, .node = node};
    memcpy(file->path, path, strlen(path) + 1);
    *ret_file = &file->functions;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_open_volume(EFI_FILE_IO_INTERFACE *interface, EFI_FILE_HANDLE *ret_root)
{
    return make("", NULL, ret_root);
}

EFI_STATUS EFIAPI uefi_file_open(EFI_FILE_HANDLE self, EFI_FILE_HANDLE *ret_file, CHAR16 *name, UINT64 mode,
                                 UINT64 attributes)
{
    struct files_node *node = NULL;
    char path[FILES_PATH];
    enum files_error error;
    EFI_STATUS status;

    if (!whole_path(path, (struct file *)self, name))
        return EFI_INVALID_PARAMETER;
    error = files_open(path, false, &node);
    if (error == FILES_NOT_FOUND) {
        /* A folder exists if a file is in it. */
        if (files_folder(path))
            error = FILES_OK;
        else if (mode & EFI_FILE_MODE_CREATE && attributes & EFI_FILE_DIRECTORY)
            error = files_make_folder();
        else if (mode & EFI_FILE_MODE_CREATE)
            error = files_open(path, true, &node);
    }
    if (error)
        return status_of(error);
    status = make(path, node, ret_file);
    if (status != EFI_SUCCESS && node)
        (void)files_close(node);
    return status;
}

static void release(struct file *file)
{
    if (file->names)
        (void)uefi_free_pool(file->names);
    (void)uefi_free_pool(file);
}

EFI_STATUS EFIAPI uefi_file_close(EFI_FILE_HANDLE self)
{
    struct file *file = (struct file *)self;
    enum files_error error = file->node ? files_close(file->node) : FILES_OK;

    release(file);
    return status_of(error);
}

EFI_STATUS EFIAPI uefi_file_delete(EFI_FILE_HANDLE self)
{
    struct file *file = (struct file *)self;
    bool good = file->node && files_delete(file->node);

    release(file);
    return good ? EFI_SUCCESS : EFI_WARN_DELETE_FAILURE;
}

/* ---------------------------------------------------------------- folders */

static void add_name(void *argument, const char *text, size_t length, bool folder)
{
    struct file *file = argument;
    struct name *name;

    if (length >= FILES_PATH)
        return;
    for (uint64_t i = file->count; i-- > 0;)
        if (str_is(text, length, file->names[i].text))
            return;
    if (file->count == file->room) {
        uint64_t room = file->room ? 2 * file->room : 64;
        struct name *larger = uefi_grow_pool(file->names, file->count * sizeof *name, room * sizeof *name);

        if (!larger)
            return;
        file->names = larger;
        file->room = room;
    }
    name = &file->names[file->count++];
    memcpy(name->text, text, length);
    name->text[length] = '\0';
    name->folder = folder;
}

static EFI_STATUS give_info(const char *name, bool folder, uint64_t bytes, UINTN *size, VOID *buffer)
{
    UINTN length = strlen(name) + 1, needed = SIZE_OF_EFI_FILE_INFO + length * sizeof(CHAR16), room = *size;
    EFI_FILE_INFO *info = buffer;

    *size = needed;
    if (room < needed)
        return EFI_BUFFER_TOO_SMALL;
    memset(info, 0, needed);
    info->Size = needed;
    info->FileSize = info->PhysicalSize = bytes;
    info->Attribute = folder ? EFI_FILE_DIRECTORY : 0;
    for (UINTN i = 0; i < length; i++)
        info->FileName[i] = (uint8_t)name[i];
    return EFI_SUCCESS;
}

static EFI_STATUS read_folder(struct file *file, UINTN *size, VOID *buffer)
{
    EFI_STATUS status;

    if (file->at == 0 && !file->names)
        files_list(file->path, add_name, file);
    if (file->at >= file->count) {
        *size = 0;
        return EFI_SUCCESS;
    }
    status = give_info(file->names[file->at].text, file->names[file->at].folder, 0, size, buffer);
    file->at += status == EFI_SUCCESS;
    return status;
}

/* ---------------------------------------------------------------- contents */

EFI_STATUS EFIAPI uefi_file_read(EFI_FILE_HANDLE self, UINTN *size, VOID *buffer)
{
    struct file *file = (struct file *)self;
    uint64_t left;

    if (!file->node)
        return read_folder(file, size, buffer);
    left = file->at < file->node->size ? file->node->size - file->at : 0;
    *size = *size < left ? *size : left;
    memcpy(buffer, file->node->data + file->at, *size);
    file->at += *size;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_file_write(EFI_FILE_HANDLE self, UINTN *size, VOID *buffer)
{
    struct file *file = (struct file *)self;
    enum files_error error = file->node ? files_write(file->node, file->at, buffer, *size) : FILES_NOT_FOUND;

    if (error)
        *size = 0;
    file->at += *size;
    return status_of(error);
}

EFI_STATUS EFIAPI uefi_file_get_position(EFI_FILE_HANDLE self, UINT64 *position)
{
    *position = ((struct file *)self)->at;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_file_set_position(EFI_FILE_HANDLE self, UINT64 position)
{
    struct file *file = (struct file *)self;

    file->at = position == UINT64_MAX && file->node ? file->node->size : position;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_file_get_info(EFI_FILE_HANDLE self, EFI_GUID *type, UINTN *size, VOID *buffer)
{
    struct file *file = (struct file *)self;

    if (memcmp(type, &(EFI_GUID)EFI_FILE_INFO_ID, sizeof *type) != 0)
        return EFI_UNSUPPORTED;
    return give_info(str_basename(file->node ? file->node->path : file->path), !file->node,
                     file->node ? file->node->size : 0, size, buffer);
}

/* Only the name can be changed. */
EFI_STATUS EFIAPI uefi_file_set_info(EFI_FILE_HANDLE self, EFI_GUID *type, UINTN size, VOID *buffer)
{
    struct file *file = (struct file *)self;
    const EFI_FILE_INFO *info = buffer;
    char path[FILES_PATH];
    size_t n = 0;

    if (!file->node || memcmp(type, &(EFI_GUID)EFI_FILE_INFO_ID, sizeof *type) != 0)
        return EFI_UNSUPPORTED;
    n = (size_t)(str_basename(file->node->path) - file->node->path);
    memcpy(path, file->node->path, n);
    for (const CHAR16 *c = info->FileName; *c; c++) {
        if (n + 1 >= FILES_PATH)
            return EFI_INVALID_PARAMETER;
        path[n++] = *c < 0x80 ? (char)*c : '?';
    }
    path[n] = '\0';
    return status_of(files_rename(file->node, path));
}

/* A file is written as a whole, once it has its name. */
EFI_STATUS EFIAPI uefi_file_flush(EFI_FILE_HANDLE self)
{
    return EFI_SUCCESS;
}
