/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records beside samples, on processors that have them (machine.branches): recording starts before sampling
 * does, stands still while the handler runs, and ends with it. Interrupts are not recorded.
 *
 * Zen 3 (machine.branch_sampling) records the 16 branches after the overflow of counter 0, whose interrupt waits for
 * them. Other interrupts would cut that short, so only that counter may sample, and only the event that is recorded
 * (Linux arch/x86/events/amd/brs.c, amd_brs_hw_config).
 */
#ifndef DRIVERS_BRANCHES_H
#define DRIVERS_BRANCHES_H

#include "core/ibs/sample_branches.h"
#include "drivers/machine/machine.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/pmc.h"
#include "drivers/machine/restore.h"
#include "drivers/cpu/session_error.h"

/* Returns the records beside a sample. */
static inline uint32_t branches_entries(const struct machine *m)
{
    return m->branches < SAMPLE_BRANCHES_MAX ? m->branches : SAMPLE_BRANCHES_MAX;
}

/* Checks whether this processor has them, and beside such samples. ibs: IBS samples, too. */
enum session_error branches_check(const struct machine *m, const struct pmc_plan *pmc, bool ibs);

/* Starts recording from empty records where branches->sample is set. The control registers are in the log before they
 * are written; the records are not: like IBS's data, they are overwritten by what is switched on. *detail is the MSR
 * of an error. */
enum session_error branches_start(struct nmi_branches *branches, struct restore_log *log, uint64_t *detail);

/* Ends recording: the handler writes none of the registers any more. A second call does nothing. */
enum session_error branches_stop(struct nmi_branches *branches, uint64_t *detail);

#endif
