/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * EFI_MP_SERVICES_PROTOCOL (UEFI Platform Initialization specification 1.7, vol. 2, section 13.4), missing in gnu-efi.
 * Nothing calls the slots without types.
 */
#ifndef EFI_MP_SERVICES_H
#define EFI_MP_SERVICES_H

#include <efi.h>

// clang-format off
#define MP_SERVICES_GUID {0x3fdda605, 0xa76e, 0x4f46, {0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08}}
// clang-format on

typedef VOID(EFIAPI *mp_procedure)(VOID *argument);

enum { MP_BOOT = 1, MP_ENABLED = 2, MP_HEALTHY = 4 }; /* bits of a processor's status */

/* Result of GetProcessorInfo(); later versions of the protocol append to it only if a flag requests that. */
struct mp_processor {
    UINT64 id; /* APIC ID */
    UINT32 status;
    UINT32 package, core, thread;
    UINT64 reserved[6]; /* room for such additions */
};

struct mp_services {
    EFI_STATUS(EFIAPI *get_number)(struct mp_services *mp, UINTN *ret_all, UINTN *ret_enabled);
    EFI_STATUS(EFIAPI *get_info)(struct mp_services *mp, UINTN number, struct mp_processor *ret_info);
    VOID *startup_all;
    EFI_STATUS(EFIAPI *startup)
    (struct mp_services *mp, mp_procedure procedure, UINTN number, EFI_EVENT event, UINTN microseconds, VOID *argument,
     BOOLEAN *finished);
    VOID *switch_boot, *enable;
    EFI_STATUS(EFIAPI *who_am_i)(struct mp_services *mp, UINTN *ret_number);
};

#endif
