/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exceptions from our own code and from workloads: resume at a fixup, or leave a guarded call with a copy of all
 * registers. Nothing is printed here; the app prints struct cpu_fault after the firmware has its tables back.
 */
#ifndef DRIVERS_FAULT_H
#define DRIVERS_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/cpu/cpu.h"
#include "drivers/cpu/machine_check.h"

/* State at an exception. gpr in the order of the instruction encoding: rax rcx rdx rbx rsp rbp rsi rdi r8..r15. */
struct cpu_fault {
    uint32_t vector; /* 0 divide error, 6 invalid opcode, 13 general protection, 14 page fault, ... */
    uint64_t error;  /* the processor's error code, 0 where there is none */
    uint64_t rip;
    uint64_t rsp;
    uint64_t rflags;
    uint64_t cr2; /* the address of a page fault; stale for other vectors */
    uint64_t gpr[16];
    struct machine_check check; /* of vector 18 */
};

/* Returns "#DE divide error" ..., "exception" for reserved vectors. */
const char *fault_vector_name(uint32_t vector);
/* Returns "rax" ... "r15" for 0..15. */
const char *fault_register_name(unsigned gpr);

/* One per core; the top of each exception stack points to it. */
struct fault_context {
    struct cpu_recovery *recovery; /* innermost guarded call, NULL: none */
    struct cpu_fault fault;        /* of the first exception that left a guarded call */
    uint32_t faults;               /* exceptions that did */
    uint32_t spurious_interrupts;  /* vectors 32..255: none should arrive, interrupts are off */
    uint64_t apic_base;            /* for their EOI; 0: none is sent */
    struct machine_check check;    /* what the last #MC found, and cleared */
    struct single_step *step;      /* of code that is executed step by step; NULL: none is */
};

/* Calls function(argument, value); returns true when an exception ended it (the first one is in context->fault).
 * stack_top as in cpu_guarded_call(). Guarded calls nest. */
bool fault_guard(struct fault_context *context, uint64_t stack_top, void (*function)(void *, uint64_t), void *argument,
                 uint64_t value);

/* Makes the exception leave the innermost guarded call instead of returning to what it interrupted. */
void fault_leave(struct cpu_trap_frame *frame, struct fault_context *context);

/* Called by the exception entry; the pointer to the context is immediately above the frame (tables.h). */
void fault_dispatch(struct cpu_trap_frame *frame, struct fault_context *context);

#endif
