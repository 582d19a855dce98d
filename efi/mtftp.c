/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file to a TFTP server, by the firmware's TFTP driver, EFI_MTFTP4_PROTOCOL (efi/mtftp.h).
 *
 * Not by the PXE Base Code protocol, which the image was booted by and which can write, too: EDK II's
 * PxeBcMtftp4WriteFile() leaves the Context of its token as the stack has it, and its check of each OACK and ERROR
 * packet goes through that pointer (NetworkPkg/UefiPxeBcDxe/PxeBcMtftp.c). OVMF 2022.11 stops there with #GP.
 */
#include "core/base/mem.h"
#include "core/base/out.h"
#include "efi/efi_firmware.h"
#include "efi/mtftp.h"

enum { TRIES = EFI_MTFTP_SECONDS, TRY_SECONDS = 1 };
enum { ERROR_OPCODE = 5 }; /* RFC 1350, section 5 */

static const EFI_GUID binding_guid = MTFTP_BINDING_GUID, mtftp_guid = MTFTP_GUID;

/* Holds what the server's packets said. */
struct answer {
    bool any;
    UINT16 code; /* of an ERROR packet */
};

/* Called for each OACK and ERROR packet. */
static EFI_STATUS EFIAPI check(struct mtftp *mtftp, struct mtftp_token *token, UINT16 size, const UINT8 *packet)
{
    struct answer *answer = token->context;

    answer->any = true;
    if (size >= 4 && packet[1] == ERROR_OPCODE)
        answer->code = (UINT16)(packet[2] << 8 | packet[3]);
    return EFI_SUCCESS;
}

/* Finds the driver on the card, whose child is the device that the image was booted from. */
static EFI_SERVICE_BINDING *binding_of(struct efi_firmware *efi)
{
    EFI_BOOT_SERVICES *boot = efi->system->BootServices;
    EFI_SERVICE_BINDING *binding;
    EFI_DEVICE_PATH *path;
    EFI_HANDLE card;

    if (boot->HandleProtocol(efi->loaded->DeviceHandle, &(EFI_GUID)DEVICE_PATH_PROTOCOL, (void **)&path) !=
            EFI_SUCCESS ||
        boot->LocateDevicePath((EFI_GUID *)&binding_guid, &path, &card) != EFI_SUCCESS ||
        boot->HandleProtocol(card, (EFI_GUID *)&binding_guid, (void **)&binding) != EFI_SUCCESS)
        return NULL;
    return binding;
}

static EFI_STATUS write(struct efi_firmware *efi, struct mtftp *mtftp, const char *name, void *bytes, size_t size,
                        struct answer *answer)
{
    const EFI_PXE_BASE_CODE_MODE *mode = efi->network.pxe->Mode;
    struct mtftp_config config = {.server_port = MTFTP_PORT, .tries = TRIES, .try_seconds = TRY_SECONDS};
    char block[8];
    struct out_memory text;
    const struct mtftp_option option = {"blksize", block}; /* RFC 2348; a server without this option gets 512 */
    struct mtftp_token token = {
        .name = name, .options = 1, .option = &option, .size = size, .bytes = bytes, .context = answer, .check = check};
    EFI_STATUS status;

    out_memory_init(&text, block, sizeof(block));
    out_printf(&text.out, "%u", MTFTP_BLOCK_BYTES);
    memcpy(config.station, &mode->StationIp, sizeof(config.station));
    memcpy(config.mask, &mode->SubnetMask, sizeof(config.mask));
    memcpy(config.server, &efi->network.server, sizeof(config.server));
    if (mode->RouteTableEntries)
        memcpy(config.gateway, &mode->RouteTable[0].GwAddr, sizeof(config.gateway));
    status = mtftp->configure(mtftp, &config);
    if (status == EFI_SUCCESS)
        status = mtftp->write_file(mtftp, &token);
    (void)mtftp->configure(mtftp, NULL);
    return status;
}

EFI_STATUS efi_mtftp_write(struct efi_firmware *efi, const char *name, void *bytes, size_t size, UINT16 *ret_code)
{
    EFI_SERVICE_BINDING *binding = binding_of(efi);
    EFI_HANDLE child = NULL;
    struct mtftp *mtftp;
    struct answer answer = {0};
    EFI_STATUS status;

    *ret_code = 0;
    if (!binding || binding->CreateChild(binding, &child) != EFI_SUCCESS)
        return EFI_UNSUPPORTED;
    status = efi->system->BootServices->HandleProtocol(child, (EFI_GUID *)&mtftp_guid, (void **)&mtftp);
    if (status == EFI_SUCCESS)
        status = write(efi, mtftp, name, bytes, size, &answer);
    /* The answer to the last block may be lost: the server then has the file, has ended the transfer, and ignores that
     * block (RFC 1350 section 6 encourages it to wait; tftpd-hpa waits a second). */
    if (status != EFI_SUCCESS && status != EFI_TFTP_ERROR && answer.any)
        status = write(efi, mtftp, name, bytes, size, &answer);
    *ret_code = answer.code;
    (void)binding->DestroyChild(binding, child);
    return status;
}
