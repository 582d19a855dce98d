/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACPI's tables of this machine: firmware maps memory one to one.
 */
#ifndef APP_ACPI_H
#define APP_ACPI_H

#include "core/platform/acpi.h"

/* Each address but the first is from a table whose checksum is right. */
extern const struct acpi_memory acpi_mapped;

#endif
