/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IBS of Zen that firmware has left off: CPUID says that there is none until four registers are changed.
 *
 * Source of all of it: AMD_IBS_Toolkit, driver/ibs-workarounds.c (registers, bits, scope) and driver/ibs-core.c,
 * check_for_ibs_support (on which models, and that CPUID's leaves are read after it). "Otherwise, we can lock up the
 * core because of SMT work going on": the source takes a core's other thread offline while it writes C001_1029. What a
 * firmware lets its threads do while they wait is not known here, so two threads to a core are refused.
 */
#ifndef DRIVERS_ZEN_IBS_H
#define DRIVERS_ZEN_IBS_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/machine/machine.h"
#include "drivers/machine/restore.h"
#include "drivers/cpu/session_error.h"

/* Returns whether the source has it for this processor (IBS_TRAIT_SWITCH), without a hypervisor or with our model.
 * CPUID may say anything of IBS. */
bool zen_ibs_known(const struct machine *machine);

/* Sets the bits on the calling core, through the log, and reads them back; within a session. sample: also those that
 * the source sets only while IBS runs. SESSION_IBS_SWITCH_SMT: nothing was written. *detail is the MSR of an error. */
enum session_error zen_ibs_switch_on(const struct machine *machine, bool sample, struct restore_log *log,
                                     uint64_t *detail);

#endif
