/* SPDX-License-Identifier: BSD-2-Clause */
/* Where ACPI begins on a BIOS: its root pointer is on a multiple of 16 in the first KB of the extended BIOS data area
 * or in E0000h to FFFFFh (ACPI 6.5, section 5.2.5.1). */
#ifndef BIOS_ACPI_ROOT_H
#define BIOS_ACPI_ROOT_H

#include <stddef.h>
#include <stdint.h>

/* The offset of a root pointer in these bytes; 'size': there is none. */
size_t acpi_root_find(const uint8_t *bytes, size_t size);

#endif
