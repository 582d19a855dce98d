/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts other cores, by the setting 'core_start': the firmware if it can, otherwise this program, by INIT and STARTUP
 * (drivers/cores/startup.h), on cores that ACPI names. Firmware may have no service for it, and one that has it must
 * refuse a program that a boot manager has started (UEFI PI specification vol. 2 section 13.4: EFI_UNSUPPORTED after
 * ReadyToBoot), or may not see a core come back, or keep one that never begins: the next pass takes that core.
 *
 * It is a struct firmware itself: what the firmware's was, with the functions of cores replaced. A core that this
 * program has started is its own up to the end, whatever is set then.
 */
#ifndef APP_CORE_START_H
#define APP_CORE_START_H

#include "app/base/firmware.h"
#include "core/base/out.h"
#include "drivers/machine/machine.h"
#include "drivers/cores/startup.h"

struct core_start_own {
    struct startup_core *core; /* NULL: it did not answer, and is not asked again */
    uint32_t apic_id;
};

/* Holds what the firmware was asked to run on a core. The firmware may keep a core for ever that has never begun; then
 * this program takes the core, and whoever comes first says so. */
struct core_start_call {
    void (*function)(void *argument);
    void *argument;
    uint32_t state; /* enum core_start_state */
};

enum core_start_state { CORE_START_NONE, CORE_START_CALLED, CORE_START_BEGUN, CORE_START_TAKEN };

struct core_start {
    struct firmware firmware; /* first, for the application */
    struct firmware *under;
    const struct machine *machine;
    const uint32_t *how; /* enum options_core_start */

    bool counted; /* the firmware's cores, once */
    enum firmware_error count_error;
    uint32_t firmware_count;

    bool ready; /* startup_prepare() was done */
    enum firmware_error error;
    void *low;
    struct startup startup;
    uint32_t count, *apic_id; /* cores in ACPI's order, the boot core first; 0: not read yet, or in error */
    uint32_t listed;          /* by ACPI, with those that are not reached */
    uint32_t more;            /* that ACPI names, and this program keeps no list of */

    struct core_start_call *call; /* by the firmware's number; NULL: it was not asked for any yet */

    uint32_t owned;
    struct core_start_own *own;
    size_t own_bytes; /* of that memory */
};

/* On a machine that has been probed. All three are used up to core_start_end(). */
void core_start_init(struct core_start *start, struct firmware *under, const struct machine *machine,
                     const uint32_t *how);

/* Stops all cores that this program has started, and gives their memory back. A line for those that do not stop. */
void core_start_end(struct core_start *start, struct out *out);

/* "the firmware", or "INIT and STARTUP (MP Services: EFI_STATUS 8000000000000003)". */
void core_start_print(struct out *out, const struct firmware_start *start);

#endif
