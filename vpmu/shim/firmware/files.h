/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of the volume of vpmu.efi, through the firmware.
 */
#ifndef VPMU_SHIM_FILES_H
#define VPMU_SHIM_FILES_H

#include "vpmu/shim/firmware/efi.h"

#include "core/base/out.h"

/* Writes a text file, made by fill(what, out), over an older one; path in ASCII with backslashes. */
EFI_STATUS files_write(EFI_HANDLE device, const char *path, void (*fill)(const void *what, struct out *out),
                       const void *what);

/* Loads a PE image from the volume, or from the boot server where the device is a network's. */
EFI_STATUS files_load_image(EFI_HANDLE parent, EFI_HANDLE device, const char *path, EFI_HANDLE *image);

/* Converts ASCII to CHAR16, always terminated. Returns the bytes written, terminator included. */
UINTN files_widen(CHAR16 *to, UINTN count, const char *from);

#endif
