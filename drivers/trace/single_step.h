/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A workload executed one instruction at a time by RFLAGS.TF, and counted exactly (core/profile/exact.h).
 *
 * After each instruction the processor raises #DB (AMD APM vol. 2 section 13.1.4), at which fault_dispatch() calls
 * single_step_trap(). Every so many steps the workload is left as it stands, registers and floating-point state kept,
 * so that a session may end and the firmware has the machine; another session goes on with it. No frame but the
 * workload's own is on its stack, so sessions need not be alike in theirs.
 */
#ifndef DRIVERS_SINGLE_STEP_H
#define DRIVERS_SINGLE_STEP_H

#include "core/profile/exact.h"
#include "drivers/cpu/cpu.h"

struct fault_context;

enum single_step_state {
    SINGLE_STEP_NEW,
    SINGLE_STEP_STOPPED, /* 'left' steps are over: another session goes on */
    SINGLE_STEP_DONE,    /* the workload returned */
    SINGLE_STEP_DEAF,    /* it returned without a trap: whatever is below this program keeps TF for itself */
};

struct single_step {
    struct exact counts; /* its arena is set when a session begins */
    uint64_t kernel;     /* void (*)(void *arena, const uint32_t *params), and its second argument */
    uint64_t params;
    uint64_t stack_top; /* of the workload, 16-byte aligned; set by the session */
    uint64_t left;      /* steps until the workload is left; at least 1 */
    enum single_step_state state;
    struct cpu_trap_frame frame; /* where it was left */
    struct cpu_fpu fpu;
};

/* Begins or continues the workload, in a guarded call on another stack; the trap leaves it. */
void single_step_enter(void *step, uint64_t arena);

/* Handles the trap after an instruction, or the breakpoint that the workload returns to. */
void single_step_trap(struct single_step *step, struct cpu_trap_frame *frame, struct fault_context *context);

#endif
