/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gnu-efi's headers for the files of the shim that call the firmware. Its library is not used: the compiler makes the
 * calls.
 */
#ifndef VPMU_SHIM_EFI_H
#define VPMU_SHIM_EFI_H

#define GNU_EFI_USE_MS_ABI 1
#include <efi.h>

extern EFI_SYSTEM_TABLE *system_table;

#endif
