/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds firmware's tables on a BIOS: ACPI's root pointer is at a multiple of 16 in the first KB of the extended BIOS
 * data area or in E0000h to FFFFFh (ACPI 6.5, section 5.2.5.1), SMBIOS' entry points in F0000h to FFFFFh (DSP0134
 * 3.7.0, section 5.2). */
#ifndef BIOS_TABLE_ROOT_H
#define BIOS_TABLE_ROOT_H

#include <stddef.h>
#include <stdint.h>

enum table_root { TABLE_ROOT_ACPI, TABLE_ROOT_SMBIOS_3, TABLE_ROOT_SMBIOS, TABLE_ROOTS };

/* Returns the offset of such a pointer, with a correct checksum, in these bytes; 'size': none. */
size_t table_root_find(enum table_root which, const uint8_t *bytes, size_t size);

#endif
