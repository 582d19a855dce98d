/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/firmware/files.h"

#include <stdbool.h>

EFI_SYSTEM_TABLE *system_table;

enum { PATH_CHARS = 256, BLOCK_BYTES = 1428 };

UINTN files_widen(CHAR16 *to, UINTN count, const char *from)
{
    UINTN i = 0;
    while (from[i] && i + 1 < count) {
        to[i] = (CHAR16)(unsigned char)from[i];
        i++;
    }
    to[i] = 0;
    return (i + 1) * sizeof *to;
}

/* Opens a new file for writing; an older one is deleted first. */
static EFI_STATUS create(EFI_FILE_HANDLE root, CHAR16 *path, EFI_FILE_HANDLE *file)
{
    const UINT64 mode = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE;
    if (!EFI_ERROR(root->Open(root, file, path, mode, 0)))
        (void)(*file)->Delete(*file);
    return root->Open(root, file, path, mode | EFI_FILE_MODE_CREATE, 0);
}

EFI_STATUS files_write(EFI_HANDLE device, const char *path, void (*fill)(const void *what, struct out *out),
                       const void *what)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    struct out_memory measure, text;
    char nothing[1];
    out_memory_init(&measure, nothing, sizeof nothing);
    fill(what, &measure.out);
    VOID *memory;
    EFI_STATUS status = boot->AllocatePool(EfiBootServicesData, measure.needed + 1, &memory);
    if (EFI_ERROR(status))
        return status;
    out_memory_init(&text, memory, measure.needed + 1);
    fill(what, &text.out);

    EFI_FILE_IO_INTERFACE *volume;
    EFI_FILE_HANDLE root, file;
    CHAR16 wide[PATH_CHARS];
    (void)files_widen(wide, PATH_CHARS, path);
    status = boot->HandleProtocol(device, &(EFI_GUID)EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID, (VOID **)&volume);
    if (!EFI_ERROR(status))
        status = volume->OpenVolume(volume, &root);
    if (!EFI_ERROR(status)) {
        status = create(root, wide, &file);
        if (!EFI_ERROR(status)) {
            UINTN size = measure.needed;
            status = file->Write(file, &size, memory);
            EFI_STATUS closed = file->Close(file);
            status = EFI_ERROR(status) ? status : closed;
        }
        (void)root->Close(root);
    }
    (void)boot->FreePool(memory);
    return status;
}

/* Loads from the server of a network boot, by TFTP; the device's own path makes it the image's device, as from a
 * volume. */
static EFI_STATUS load_from_server(EFI_HANDLE parent, EFI_PXE_BASE_CODE *pxe, EFI_DEVICE_PATH *device_path,
                                   const char *path, EFI_HANDLE *image)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    UINT8 name[PATH_CHARS];
    UINTN n = 0, block = BLOCK_BYTES;
    UINT64 size = 0;
    VOID *bytes;
    EFI_IP_ADDRESS server;
    for (path += *path == '\\'; path[n] && n + 1 < PATH_CHARS; n++)
        name[n] = path[n] == '\\' ? '/' : (UINT8)path[n];
    name[n] = 0;
    /* Beside another DHCP server the boot server is a proxy, and names itself in an offer, or a reply, of its own. */
    const EFI_PXE_BASE_CODE_PACKET *named = pxe->Mode->PxeReplyReceived     ? &pxe->Mode->PxeReply
                                            : pxe->Mode->ProxyOfferReceived ? &pxe->Mode->ProxyOffer
                                                                            : &pxe->Mode->DhcpAck;
    boot->CopyMem(&server, (VOID *)named->Dhcpv4.BootpSiAddr, 4);
    EFI_STATUS status =
        pxe->Mtftp(pxe, EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE, NULL, FALSE, &size, &block, &server, name, NULL, FALSE);
    if (EFI_ERROR(status))
        return status;
    status = boot->AllocatePool(EfiBootServicesData, size, &bytes);
    if (EFI_ERROR(status))
        return status;
    status = pxe->Mtftp(pxe, EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, FALSE, &size, &block, &server, name, NULL, FALSE);
    if (!EFI_ERROR(status))
        status = boot->LoadImage(FALSE, parent, device_path, bytes, size, image);
    (void)boot->FreePool(bytes);
    return status;
}

EFI_STATUS files_load_image(EFI_HANDLE parent, EFI_HANDLE device, const char *path, EFI_HANDLE *image)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    EFI_DEVICE_PATH *device_path;
    EFI_STATUS status = boot->HandleProtocol(device, &(EFI_GUID)EFI_DEVICE_PATH_PROTOCOL_GUID, (VOID **)&device_path);
    if (EFI_ERROR(status))
        return status;
    EFI_PXE_BASE_CODE *pxe;
    if (!EFI_ERROR(boot->HandleProtocol(device, &(EFI_GUID)EFI_PXE_BASE_CODE_PROTOCOL_GUID, (VOID **)&pxe)))
        return load_from_server(parent, pxe, device_path, path, image);

    /* The device's path without its end node, then a file path node, then the end (UEFI 2.10 section 10.3). */
    union {
        UINT8 bytes[2048];
        EFI_DEVICE_PATH path;
    } whole;
    UINTN length = 0;
    const UINT8 *from = (const UINT8 *)device_path;
    while (from[length] != END_DEVICE_PATH_TYPE)
        length += (UINTN)(from[length + 2] | from[length + 3] << 8);
    if (length + sizeof(CHAR16) * PATH_CHARS + 8 > sizeof whole)
        return EFI_BUFFER_TOO_SMALL;
    boot->CopyMem(whole.bytes, device_path, length);
    CHAR16 wide[PATH_CHARS];
    UINTN path_bytes = files_widen(wide, PATH_CHARS, path);
    UINT8 *node = whole.bytes + length;
    node[0] = MEDIA_DEVICE_PATH;
    node[1] = MEDIA_FILEPATH_DP;
    node[2] = (UINT8)(path_bytes + 4);
    node[3] = (UINT8)((path_bytes + 4) >> 8);
    boot->CopyMem(node + 4, wide, path_bytes);
    UINT8 *end = node + 4 + path_bytes;
    end[0] = END_DEVICE_PATH_TYPE;
    end[1] = END_ENTIRE_DEVICE_PATH_SUBTYPE;
    end[2] = 4;
    end[3] = 0;
    return boot->LoadImage(FALSE, parent, &whole.path, NULL, 0, image);
}
