/* SPDX-License-Identifier: BSD-2-Clause */
/* A boot file that calls address 0, for bios.sh: there is no memory in ibsbios' page tables. */
#include <efi.h>

EFI_STATUS EFIAPI efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

EFI_STATUS EFIAPI efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    void (*volatile nothing)(void) = NULL;

    (void)image;
    (void)system;
    nothing();
    return EFI_SUCCESS;
}
