/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts other cores, by the setting 'core_start': the firmware if it can, otherwise this program, by INIT and STARTUP
 * (drivers/cores/startup.h), on cores that ACPI names. Firmware may lack this service, or must refuse a program that a
 * boot manager has started (UEFI PI specification vol. 2 section 13.4: EFI_UNSUPPORTED after ReadyToBoot). It may also
 * not notice that a core has returned, or keep a core that never begins: the next pass takes that core.
 *
 * It is itself a struct firmware, a copy of the firmware's with the functions of cores replaced. A core that this
 * program has started remains under its control to the end, even if the setting changes.
 */
#ifndef APP_CORE_START_H
#define APP_CORE_START_H

#include "app/base/firmware.h"
#include "core/base/out.h"
#include "drivers/machine/machine.h"
#include "drivers/cores/startup.h"

struct core_start_own {
    struct startup_core *core; /* NULL: the core did not answer, and is not asked again */
    uint32_t apic_id;
};

/* Holds the function that the firmware was asked to run on a core. The firmware may keep a core that never begins; then
 * this program takes the core. 'state' records which of the two came first. */
struct core_start_call {
    void (*function)(void *argument);
    void *argument;
    uint32_t state; /* enum core_start_state */
};

enum core_start_state { CORE_START_NONE, CORE_START_CALLED, CORE_START_BEGUN, CORE_START_TAKEN };

struct core_start {
    struct firmware firmware; /* first member: the application's view */
    struct firmware *under;
    const struct machine *machine;
    const uint32_t *how; /* enum options_core_start */

    bool counted; /* the firmware's cores have been counted */
    enum firmware_error count_error;
    uint32_t firmware_count;

    bool ready; /* startup_prepare() has succeeded */
    enum firmware_error error;
    void *low;
    struct startup startup;
    uint32_t count, *apic_id; /* cores in ACPI's order, the boot core first; 0: not yet read, or in error */
    uint32_t listed;          /* cores that ACPI lists, with those that cannot be reached */
    uint32_t more;            /* cores that ACPI names beyond the length of this program's list */

    struct core_start_call *call; /* indexed by the firmware's number; NULL: no core was asked for yet */

    uint32_t owned;
    struct core_start_own *own;
    size_t own_bytes; /* size of 'own' */
};

/* Begins on a probed machine. 'under', 'machine' and 'how' must stay valid up to core_start_end(). */
void core_start_init(struct core_start *start, struct firmware *under, const struct machine *machine,
                     const uint32_t *how);

/* Stops all cores that this program has started, and frees their memory. Prints a line for each core that does not
 * stop. */
void core_start_end(struct core_start *start, struct out *out);

/* Prints "the firmware", or "INIT and STARTUP (MP Services: EFI_STATUS 8000000000000003)". */
void core_start_print(struct out *out, const struct firmware_start *start);

#endif
