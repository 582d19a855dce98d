/* SPDX-License-Identifier: BSD-2-Clause */
/* A UEFI system table in memory: a console that keeps its text, keys from a script, and functions that tests
 * replace. */
#ifndef TESTS_UNIT_EFI_FAKE_SYSTEM_H
#define TESTS_UNIT_EFI_FAKE_SYSTEM_H

#include "tests/unit/test.h"
#include "efi/efi_firmware.h"

enum { FAKE_TEXT = 4096 };

struct fake_system {
    EFI_SYSTEM_TABLE table;
    EFI_BOOT_SERVICES boot;
    EFI_RUNTIME_SERVICES runtime;
    SIMPLE_TEXT_OUTPUT_INTERFACE out;
    SIMPLE_TEXT_OUTPUT_MODE mode;
    SIMPLE_INPUT_INTERFACE in;
    UINTN rows, columns; /* size of the console's mode; 0: QueryMode fails */
    char text[FAKE_TEXT];
    size_t length, longest; /* longest: longest piece in one call */
    unsigned pieces;
    unsigned clears;
    UINTN attribute, row, column; /* last values that were set */
    const char *keys;             /* keys, in order, then silence; "\xff": a key with scan_code */
    UINT16 scan_code;
    uint64_t stalled_us;            /* time in Stall() */
    uint64_t rested_us;             /* time in awaited timers */
    const char *typed_later;        /* keys that come while a caller waits */
    bool key_events, no_key_events; /* events come without a key; events never come */
    unsigned timers,
        refused_timer; /* number of open timers; the call that refuses: 1 CreateEvent, 2 SetTimer, 3 WaitForEvent */

    bool has_control; /* the console control protocol */
    EFI_SIMPLE_NETWORK *card;
    UINT32 screen; /* the protocol's mode */
    EFI_STATUS refuses;
};

extern struct fake_system fake_system;

/* Makes a firmware with a console of 25 rows and 80 columns and a keyboard; *efi refers to it, and is not yet
 * opened. */
void fake_system_init(struct efi_firmware *efi);

#endif
