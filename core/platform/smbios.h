/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine among equal ones: board, serial numbers and firmware by SMBIOS (DMTF DSP0134 3.7.0: 5.2 entry points, 6.1
 * structures, 7.1 to 7.3 types 0 to 2).
 *
 * All of it is from outside: lengths are bounded by the table, and bytes that are not printable ASCII become '?'.
 */
#ifndef CORE_SMBIOS_H
#define CORE_SMBIOS_H

#include "core/platform/physical.h"

enum smbios_text {
    SMBIOS_FIRMWARE_VENDOR,
    SMBIOS_FIRMWARE_VERSION,
    SMBIOS_FIRMWARE_DATE, /* as firmware wrote it: "08/25/2010" */
    SMBIOS_MAKER,
    SMBIOS_PRODUCT,
    SMBIOS_SERIAL,
    SMBIOS_BOARD_MAKER,
    SMBIOS_BOARD,
    SMBIOS_BOARD_SERIAL,
    SMBIOS_TEXTS,
};

enum { SMBIOS_TEXT_MAX = 64 };

struct smbios {
    char text[SMBIOS_TEXTS][SMBIOS_TEXT_MAX]; /* cut to fit, without blanks at both ends; "": not told */
    char uuid[37];                            /* "4c4c4544-0051-..."; "": not told */
};

enum smbios_error {
    SMBIOS_OK = 0,
    SMBIOS_NO_ENTRY, /* not an entry point, or its checksum is wrong */
    SMBIOS_NO_TABLE, /* the table that it points to is not readable */
};

/* Reads the entry point at this physical address (0: there is none) and its table, as far as that is in order. After
 * an error all texts of *ret_smbios are "". */
enum smbios_error smbios_read(const struct physical_memory *memory, uint64_t entry, struct smbios *ret_smbios);

#endif
