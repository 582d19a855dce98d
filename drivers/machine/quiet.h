/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Switches off what a session leaves as the firmware had it, because samples do not mind it, but silence does.
 *
 * A session has interrupts off, its own tables in force, and the watchdog is off since the program began; but entries
 * of the local vector table may still send NMIs and SMIs (LINT1, thermal, counters). Here all of them are masked.
 */
#ifndef DRIVERS_QUIET_H
#define DRIVERS_QUIET_H

#include "drivers/machine/machine.h"
#include "drivers/machine/restore.h"

/* Masks the entries; returns how many were not masked before, or -1 if the APIC is off. To be called within a session;
 * its log unmasks them at the end. */
int quiet_mask_lvt(const struct machine *machine, struct restore_log *log);

#endif
