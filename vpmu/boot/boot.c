/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vpmu-boot.efi: the boot file of the volume. Starts \vpmu.efi from there.
 *
 * Two programs, because OVMF starts no runtime driver as the default boot file, and vpmu.efi must be one: an operating
 * system started later leaves the memory of runtime drivers alone.
 *
 * With -fw_cfg name=opt/ibsboot/hold,string=1 it waits until that text changes, and then reads the volume again: the
 * state after the firmware's start can be saved in one QEMU, and others continue from there with their own volumes
 * (tools/qemu/snapshot).
 */
#include "vpmu/shim/firmware/efi.h"

#include "vpmu/shim/firmware/files.h"
#include "vpmu/shim/firmware/fw_cfg.h"
#include "vpmu/shim/firmware/serial.h"

EFI_STATUS efi_main(EFI_HANDLE handle, EFI_SYSTEM_TABLE *table);

enum { POLL_US = 1000 };

static bool held(void)
{
    char text[4];
    bool too_long;
    return fw_cfg_read("opt/ibsboot/hold", text, sizeof text, &too_long) && !too_long && text[0] == '1';
}

/* Waits, then drops what the firmware has cached of the volume, which has been exchanged. */
static void wait(EFI_HANDLE device)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    say("vpmu: held\n");
    while (held())
        (void)boot->Stall(POLL_US);
    (void)boot->DisconnectController(device, NULL, NULL);
    (void)boot->ConnectController(device, NULL, NULL, TRUE);
}

EFI_STATUS efi_main(EFI_HANDLE handle, EFI_SYSTEM_TABLE *table)
{
    EFI_LOADED_IMAGE *self;
    EFI_HANDLE driver;
    system_table = table;
    EFI_STATUS status =
        table->BootServices->HandleProtocol(handle, &(EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID, (VOID **)&self);
    if (EFI_ERROR(status))
        return status;
    if (held())
        wait(self->DeviceHandle);
    status = files_load_image(handle, self->DeviceHandle, "\\vpmu.efi", &driver);
    if (!EFI_ERROR(status))
        status = table->BootServices->StartImage(driver, NULL, NULL);
    say("vpmu: cannot start \\vpmu.efi: %llx\n", (unsigned long long)status);
    return status;
}
