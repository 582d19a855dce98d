/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records beside samples, of processors that have them (machine.branches): recording starts before sampling
 * does, stands still while the handler runs, and ends with it. Interrupts are not recorded.
 */
#ifndef DRIVERS_BRANCHES_H
#define DRIVERS_BRANCHES_H

#include "core/ibs/sample_branches.h"
#include "drivers/machine/machine.h"
#include "drivers/pmu/nmi.h"
#include "drivers/machine/restore.h"
#include "drivers/cpu/session_error.h"

/* Records that go beside a sample. */
static inline uint32_t branches_entries(const struct machine *m)
{
    return m->branches < SAMPLE_BRANCHES_MAX ? m->branches : SAMPLE_BRANCHES_MAX;
}

/* Starts recording from empty records, where branches->sample is set; the control registers are in the log before they
 * are written. The records are not: like IBS's data, they are overwritten by what is switched on. *detail is the MSR of
 * an error. */
enum session_error branches_start(struct nmi_branches *branches, struct restore_log *log, uint64_t *detail);

/* Ends it; the handler writes none of the registers any more. A second call does nothing. */
enum session_error branches_stop(struct nmi_branches *branches, uint64_t *detail);

#endif
