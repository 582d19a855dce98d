/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The volume of a machine that was booted over the network: files of the boot server, by TFTP through the firmware:
 * read by the PXE Base Code protocol (UEFI specification 2.10 section 24.3), written by efi/mtftp.c.
 *
 * TFTP neither lists, nor makes folders, nor appends. So what is read as \ibsboot\NAME is the server's ibsboot/MAC/NAME
 * or, where there is none, ibsboot/NAME; and what is written as \ibsboot\runs\RUN\NAME is its
 * runs/MAC,DATE-TIME-NUMBER,RUN,NAME with the date of this boot (efi/upload.c). A file is collected in memory and sent
 * when it is closed. One that would be removed is sent empty but for a newline. A file that the next boot reads again
 * (FIRMWARE_KEPT) is read and written as runs/MAC,kept,NAME.
 */
#include "efi/efi_firmware.h"

#include "core/base/mem.h"
#include "core/base/out.h"

enum {
    BLOCK_BYTES = 1428, /* with its headers in one Ethernet frame, also behind PPPoE's 8 bytes and a VLAN's 4 */
    FIRST_ROOM = 64 << 10,
};

/* Describes a file on the network; files.c has its own struct of this name. */
struct firmware_file {
    struct efi_firmware *efi;
    char name[EFI_PATH_MAX];
    UINT8 *bytes;
    size_t size, room;
};

enum firmware_error efi_download(struct efi_firmware *efi, const char *name, void *bytes, UINT64 *size)
{
    EFI_PXE_BASE_CODE *pxe = efi->network.pxe;
    UINT64 max = *size;
    UINTN block = BLOCK_BYTES;
    EFI_STATUS status;

    memset(bytes, 0, max);
    status = pxe->Mtftp(pxe, EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, FALSE, size, &block, &efi->network.server,
                        (UINT8 *)name, NULL, FALSE);
    /* iPXE leaves the size unchanged (efi_pxe_mtftp()); the file is text. */
    while (status == EFI_SUCCESS && *size && *size == max && !((UINT8 *)bytes)[max - 1])
        *size = --max;
    return efi_network_error(status, pxe->Mode->TftpErrorReceived ? pxe->Mode->TftpError.ErrorCode : 0);
}

/* Returns the path after "\ibsboot\", with '/' between names; NULL: outside of that folder. */
static bool name_of(const struct efi_firmware *efi, const char *path, const char *before, bool own,
                    char (*ret_name)[EFI_PATH_MAX])
{
    static const char folder[] = "\\ibsboot\\";
    struct out_memory text;

    out_memory_init(&text, *ret_name, sizeof(*ret_name));
    if (strlen(path) < sizeof(folder) || memcmp(path, folder, sizeof(folder) - 1) != 0)
        return false;
    out_printf(&text.out, "%s%s%s", before, own ? efi->network.machine : "", own ? "/" : "");
    for (path += sizeof(folder) - 1; *path; path++)
        out_printf(&text.out, "%c", *path == '\\' ? '/' : *path);
    return text.needed < sizeof(*ret_name);
}

static enum firmware_error read_file(struct firmware *fw, const char *path, void *buffer, size_t max, size_t *ret_size)
{
    struct efi_firmware *efi = efi_of(fw);
    enum firmware_error error = FIRMWARE_NOT_FOUND;
    bool kept = efi_upload_is_kept(path);
    char name[EFI_PATH_MAX];

    for (int own = !kept; own >= 0 && (error == FIRMWARE_NOT_FOUND || error == FIRMWARE_REFUSED); own--) {
        UINT64 size = max;

        if (!(kept ? efi_upload_name(efi, path, "", &name) : name_of(efi, path, "ibsboot/", own, &name)))
            return FIRMWARE_NOT_FOUND;
        error = efi_download(efi, name, buffer, &size);
        if (error == FIRMWARE_OK || error == FIRMWARE_TOO_LARGE)
            *ret_size = (size_t)size;
    }
    return error;
}

/* Lists the files that this boot has made, for the next run's number. */
static enum firmware_error list(struct firmware *fw, const char *path, void (*each)(void *argument, const char *name),
                                void *argument)
{
    if (!efi_of(fw)->network.last_run[0])
        return FIRMWARE_NOT_FOUND;
    each(argument, efi_of(fw)->network.last_run);
    return FIRMWARE_OK;
}

static enum firmware_error make_folder(struct firmware *fw, const char *path)
{
    struct efi_network *network = &efi_of(fw)->network;
    const char *run = efi_upload_run(path);
    enum firmware_error error = run ? efi_upload_begin(efi_of(fw), path) : FIRMWARE_OK;
    struct out_memory text;

    if (!run || error)
        return error;
    out_memory_init(&text, network->last_run, sizeof(network->last_run));
    out_printf(&text.out, "%s", run);
    efi_receipt_begin(efi_of(fw));
    return FIRMWARE_OK;
}

static enum firmware_error file_create(struct firmware *fw, const char *path, struct firmware_file **ret_file)
{
    struct efi_firmware *efi = efi_of(fw);
    struct firmware_file *file;

    if (efi->system->BootServices->AllocatePool(EfiLoaderData, sizeof(*file), (void **)&file) != EFI_SUCCESS)
        return FIRMWARE_FAILED;
    *file = (struct firmware_file){.efi = efi};
    if (!efi_upload_name(efi, path, "", &file->name)) {
        (void)efi->system->BootServices->FreePool(file);
        return FIRMWARE_FAILED;
    }
    *ret_file = file;
    return FIRMWARE_OK;
}

static enum firmware_error file_write(struct firmware_file *file, const void *data, size_t size)
{
    EFI_BOOT_SERVICES *boot = file->efi->system->BootServices;

    if (file->size + size > file->room) {
        size_t room = file->room ? file->room : FIRST_ROOM;
        UINT8 *bytes;

        while (room < file->size + size)
            room *= 2;
        if (boot->AllocatePool(EfiLoaderData, room, (void **)&bytes) != EFI_SUCCESS)
            return FIRMWARE_FULL;
        if (file->bytes) {
            memcpy(bytes, file->bytes, file->size);
            (void)boot->FreePool(file->bytes);
        }
        file->bytes = bytes;
        file->room = room;
    }
    memcpy(file->bytes + file->size, data, size);
    file->size += size;
    return FIRMWARE_OK;
}

static enum firmware_error file_close(struct firmware_file *file, bool keep)
{
    EFI_BOOT_SERVICES *boot = file->efi->system->BootServices;
    enum firmware_error error = keep ? efi_upload(file->efi, file->name, file->bytes, file->size) : FIRMWARE_OK;

    if (keep && !error)
        efi_receipt_add(file->efi, file->name, file->bytes, file->size);
    if (file->bytes)
        (void)boot->FreePool(file->bytes);
    (void)boot->FreePool(file);
    return error;
}

static enum firmware_error file_append(struct firmware *fw, const char *path, const void *data, size_t size)
{
    (void)fw, (void)path, (void)data, (void)size;
    return FIRMWARE_NO_UPLOAD;
}

static enum firmware_error file_remove(struct firmware *fw, const char *path)
{
    char name[EFI_PATH_MAX];

    return efi_upload_name(efi_of(fw), path, "", &name) ? efi_receipt_finish(efi_of(fw), name) : FIRMWARE_FAILED;
}

/* Returns the packet that named the boot file: from the boot server, a proxy, or DHCP itself. */
static const EFI_PXE_BASE_CODE_DHCPV4_PACKET *answer(const EFI_PXE_BASE_CODE_MODE *mode)
{
    static const UINT8 none[4];
    const EFI_PXE_BASE_CODE_DHCPV4_PACKET *packets[] = {
        mode->PxeReplyReceived ? &mode->PxeReply.Dhcpv4 : NULL,
        mode->ProxyOfferReceived ? &mode->ProxyOffer.Dhcpv4 : NULL,
        mode->DhcpAckReceived ? &mode->DhcpAck.Dhcpv4 : NULL,
    };

    for (unsigned i = 0; i < sizeof(packets) / sizeof(packets[0]); i++)
        if (packets[i] && memcmp(packets[i]->BootpSiAddr, none, sizeof(none)) != 0)
            return packets[i];
    return NULL;
}

enum { MAC_BYTES = 6 };

static void name_machine(struct efi_network *network, const UINT8 *address)
{
    struct out_memory text;

    out_memory_init(&text, network->machine, sizeof(network->machine));
    for (unsigned i = 0; i < MAC_BYTES; i++)
        out_printf(&text.out, "%s%02x", i ? "-" : "", address[i]);
}

/* Names the machine by the first card that firmware drives, for boots from other devices. UEFI specification 2.10,
 * section 24.1. */
static void name_by_card(struct efi_firmware *efi)
{
    EFI_SIMPLE_NETWORK *card;

    if (efi->system->BootServices->LocateProtocol(&(EFI_GUID)EFI_SIMPLE_NETWORK_PROTOCOL_GUID, NULL, (VOID **)&card) ==
            EFI_SUCCESS &&
        card->Mode->HwAddressSize == MAC_BYTES)
        name_machine(&efi->network, card->Mode->CurrentAddress.Addr);
}

/* A volume on the same device is iPXE's: the files that it has loaded. */
void efi_network_open(struct efi_firmware *efi)
{
    const EFI_PXE_BASE_CODE_DHCPV4_PACKET *packet = NULL;
    EFI_PXE_BASE_CODE *pxe;

    name_by_card(efi);
    if (!efi->loaded->DeviceHandle ||
        efi->system->BootServices->HandleProtocol(efi->loaded->DeviceHandle, &(EFI_GUID)EFI_PXE_BASE_CODE_PROTOCOL_GUID,
                                                  (void **)&pxe) != EFI_SUCCESS ||
        !pxe->Mode->Started)
        return;
    if (!pxe->Mode->UsingIpv6)
        packet = answer(pxe->Mode);
    efi->network.unknown = !packet;
    if (!packet)
        return;
    efi->network.pxe = pxe;
    memcpy(&efi->network.server, packet->BootpSiAddr, 4);
    name_machine(&efi->network, packet->BootpHwAddr);
    efi_upload_name_boot(efi);
    efi->firmware.read_file = read_file;
    efi->firmware.list = list;
    efi->firmware.forgets = true;
    efi->firmware.make_folder = make_folder;
    efi->firmware.room = NULL;
    efi->firmware.save_to = NULL;
    efi->firmware.file_create = file_create;
    efi->firmware.file_write = file_write;
    efi->firmware.file_close = file_close;
    efi->firmware.file_append = file_append;
    efi->firmware.file_remove = file_remove;
    efi->firmware.confirm = efi_receipt_wait;
}

void efi_network_tell(struct efi_firmware *efi)
{
    static const char text[] = "Booted over the network, but no TFTP server with an IPv4 address is known: settings of "
                               "the server\nare not read, and no runs go there.\n";

    if (efi->network.unknown)
        efi_print(&efi->firmware, text, sizeof(text) - 1);
}
