/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The routing of an IBS interrupt: an entry of the APIC's extended LVT, which says NMI. On Family 10h northbridge
 * register F3x1CC names the entry; firmware assigns none there, so it is done here (Linux arch/x86/events/amd/ibs.c,
 * force_ibs_eilvt_setup; CodeAnalyst's op_model_amd.c). On later families firmware has done it.
 */
#ifndef DRIVERS_LVT_H
#define DRIVERS_LVT_H

#include <stdint.h>

#include "drivers/machine/machine.h"
#include "drivers/machine/restore.h"
#include "drivers/cpu/session_error.h"

/* Sets up the entry as NMI, unmasked, with read-back of each register, which is in the log before it is written.
 * Firmware has assigned it (ibs_family.lvt): takes that of MSR C001_103A; SESSION_NO_FIRMWARE_LVT, *detail the MSR's
 * value: none is valid, or another system's message type is in it. Else: chooses an entry 1..3 (0 belongs to the
 * machine-check threshold), writes it to F3x1CC of every node, and checks that MSR C001_103A shows it (when F3x1CC
 * does not take it: takes the one that firmware assigned, if any). *ours gets the address of the entry's register
 * before that is unmasked: for nmi_mask(). *entry is the chosen one; *detail as in struct session_result. */
enum session_error lvt_set_up(const struct machine *machine, struct restore_log *log, uint64_t *ours, uint32_t *entry,
                              uint64_t *detail);

/* Saves the register of an extended entry, below LVT_ENTRIES, in the log. Returns as restore_save(). */
enum { LVT_ENTRIES = 4 };
uint32_t lvt_save(struct restore_log *log, uint64_t apic, uint32_t entry);

/* Joins, on another core: checks that its node shows the entry, and programs the core's own LVT entry. */
enum session_error lvt_join(const struct machine *machine, struct restore_log *log, uint64_t *ours, uint32_t entry,
                            uint64_t *detail);

#endif
