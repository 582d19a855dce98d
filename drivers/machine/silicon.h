/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the registers of core/platform/silicon.h. It writes nothing but NB_CFG bit 46, without which half of those in
 * PCI space cannot be reached.
 */
#ifndef DRIVERS_SILICON_H
#define DRIVERS_SILICON_H

#include "core/platform/silicon.h"
#include "drivers/machine/machine.h"
#include "drivers/machine/restore.h"

/* Reads all registers of the calling core and of each node into machine->silicon and machine->node_silicon; to be
 * called with our own interrupt table in force, after machine_probe(). The log gets what was changed. */
void silicon_read(struct machine *machine, struct restore_log *log);

/* Reads only those of the calling core and its local APIC, within a session that has changed none of them yet. */
void silicon_read_core(struct silicon *silicon, const struct machine *machine);

#endif
