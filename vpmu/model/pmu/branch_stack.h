/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records of Zen 4 and later: the latest taken branches, in the order of their retirement. Bits and numbers are
 * written independently of core/family/branch_regs.h. Sources: Linux arch/x86/events/amd/lbr.c (struct branch_entry,
 * LBR_SELECT_*), arch/x86/include/asm/msr-index.h.
 *
 * Not modelled: branches of wrong paths (but for HOSTILE_BRANCHES), far branches and interrupts, the freeze by the
 * counters' interrupt.
 */
#ifndef VPMU_BRANCH_STACK_H
#define VPMU_BRANCH_STACK_H

#include <stdbool.h>
#include <stdint.h>

enum { BRANCH_STACK_MAX = 16 }; /* a power of two */

/* A counter's interrupt that waits for branches (branch_sampling.h). */
enum branches_wait {
    BRANCHES_NOT,
    BRANCHES_REQUESTED, /* requested, on its way to the core */
    BRANCHES_CAPTURED,  /* the core holds it back, and captures */
};

struct branch_stack {
    uint64_t from[BRANCH_STACK_MAX], to[BRANCH_STACK_MAX]; /* as the registers are read, also branch_sampling.h's */
    uint64_t select, control;                              /* C000_010E, C000_010F */
    uint32_t latest;
    uint32_t pushed;
    bool on; /* taken branches are recorded */
    enum branches_wait waits;
    bool wrong_paths; /* every eighth record is of a wrong path */
};

/* Leaves it as firmware does: off, or with HOSTILE_BRANCHES on. */
void branch_stack_init(struct branch_stack *stack, bool hostile);

/* Records a taken branch that has retired. branch: enum codemap_branch. */
void branch_stack_push(struct branch_stack *stack, uint8_t branch, uint64_t from, uint64_t to, bool mispredicted,
                       bool user);

/* entries: the processor's number. Return false for other registers. */
bool branch_stack_read(struct branch_stack *stack, uint32_t entries, uint32_t msr, uint64_t *value);
bool branch_stack_write(struct branch_stack *stack, uint32_t entries, uint32_t msr, uint64_t value);

#endif
