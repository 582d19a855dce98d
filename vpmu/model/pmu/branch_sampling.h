/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch Sampling of Zen 3 (BRS): from a counter's overflow on the next 16 taken branches are captured; then the
 * counter's interrupt is delivered, which waited for them. Bits are written independently of core/family/branch_regs.h.
 * Sources: Linux arch/x86/events/amd/brs.c (union amd_debug_extn_cfg; amd_brs_disable: the processor stops when all
 * are full; perf_amd_brs_lopwr_cb: a waiting interrupt comes when capturing is switched off), commit ada543459cab
 * (branches are captured from where the interrupt would have come; those before belong to no record).
 *
 * Choices: without bits 4:3, which "must always be set", nothing is captured and no interrupt waits; an interrupt
 * waits for 16 branches however long they take. Not modelled: far branches and interrupts.
 */
#ifndef VPMU_BRANCH_SAMPLING_H
#define VPMU_BRANCH_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu;

/* Leaves it off as firmware does; with HOSTILE_BRANCHES on, with records of its own. */
void branch_sampling_init(struct vpmu *vpmu, bool hostile);

/* Records a taken branch that has retired, while either kind of records is on. branch: enum codemap_branch. */
void branches_record(struct vpmu *vpmu, uint8_t branch, uint64_t from, uint64_t to, bool mispredicted);

/* Notes that counter n has overflowed, and its interrupt is on its way. */
void branch_sampling_overflow(struct vpmu *vpmu, uint32_t n);

/* Takes interrupts (set of enum apic_source) that have come to the core; returns those that do not wait. */
uint32_t branch_sampling_catch(struct vpmu *vpmu, uint32_t sources);

/* Return false for other registers. */
bool branch_sampling_read(struct vpmu *vpmu, uint32_t msr, uint64_t *value);
bool branch_sampling_write(struct vpmu *vpmu, uint32_t msr, uint64_t value);

#endif
