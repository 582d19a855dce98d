/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/trace/fault.h"

#include <stddef.h>

#include "drivers/cpu/apic.h"
#include "drivers/trace/single_step.h"
#include "drivers/trace/trace.h"

enum {
    VECTOR_INTERRUPTS = 32, /* exceptions are below */
    VECTOR_DB = 1,
    VECTOR_BP = 3,
    VECTOR_MC = 18,
    GPR_RAX = 0,
    GPR_RSP = 4,
    GPR_RDI = 7,
    FLAGS_NONE = 2, /* bit 1 always reads 1: no interrupts, no trap, direction up */
};

const char *fault_vector_name(uint32_t vector)
{
    /* AMD APM vol. 2 section 8.2. */
    static const char *const names[VECTOR_INTERRUPTS] = {
        [0] = "#DE divide error",
        [1] = "#DB debug",
        [2] = "NMI",
        [3] = "#BP breakpoint",
        [4] = "#OF overflow",
        [5] = "#BR bound range",
        [6] = "#UD invalid opcode",
        [7] = "#NM device not available",
        [8] = "#DF double fault",
        [10] = "#TS invalid TSS",
        [11] = "#NP segment not present",
        [12] = "#SS stack",
        [13] = "#GP general protection",
        [14] = "#PF page fault",
        [16] = "#MF x87 floating point",
        [17] = "#AC alignment check",
        [18] = "#MC machine check",
        [19] = "#XF SIMD floating point",
    };
    if (vector < VECTOR_INTERRUPTS && names[vector])
        return names[vector];
    return "exception";
}

const char *fault_register_name(unsigned gpr)
{
    static const char *const names[16] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                          "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    return gpr < 16 ? names[gpr] : "?";
}

bool fault_guard(struct fault_context *context, uint64_t stack_top, void (*function)(void *, uint64_t), void *argument,
                 uint64_t value)
{
    struct cpu_recovery recovery = {.outer = context->recovery};
    context->recovery = &recovery;
    uint32_t left_by_fault = cpu_guarded_call(&recovery, stack_top, function, argument, value);
    context->recovery = recovery.outer;
    return left_by_fault != 0;
}

static void remember(struct cpu_fault *fault, const struct cpu_trap_frame *frame, const struct machine_check *check)
{
    fault->check = frame->vector == VECTOR_MC ? *check : (struct machine_check){0};
    fault->vector = (uint32_t)frame->vector;
    fault->error = frame->error;
    fault->rip = frame->rip;
    fault->rsp = frame->rsp;
    fault->rflags = frame->rflags;
    fault->cr2 = cpu_read_cr2();
    for (unsigned i = 0; i < 16; i++)
        fault->gpr[i] = i == GPR_RSP ? frame->rsp : frame->gpr[i];
}

void fault_leave(struct cpu_trap_frame *frame, struct fault_context *context)
{
    struct cpu_recovery *recovery = context->recovery;
    /* A second exception before the guarded call has been left would otherwise come back here for ever. */
    context->recovery = recovery->outer;
    frame->rip = recovery->rip;
    frame->rsp = recovery->rsp;
    frame->rflags = FLAGS_NONE;
    frame->gpr[GPR_RDI] = (uint64_t)(intptr_t)recovery;
}

/* Returns whether it is the trap of a step, or the breakpoint that stepped code returns to. */
static bool is_step(const struct cpu_trap_frame *frame, const struct fault_context *context)
{
    return context->step &&
           (frame->vector == VECTOR_DB || (frame->vector == VECTOR_BP && frame->rip == cpu_step_end_address() + 1));
}

void fault_dispatch(struct cpu_trap_frame *frame, struct fault_context *context)
{
    if (is_step(frame, context)) {
        single_step_trap(context->step, frame, context);
        return;
    }
    if (frame->vector >= VECTOR_INTERRUPTS) {
        context->spurious_interrupts++;
        if (context->apic_base)
            apic_write(context->apic_base + APIC_EOI, 0);
        return;
    }

    if (frame->vector == VECTOR_MC)
        machine_check_read(&context->check, true);
    uint64_t fixup = cpu_fixup(frame->rip);
    if (fixup) {
        frame->rip = fixup;
        frame->gpr[GPR_RAX] = frame->vector;
        return;
    }

    struct cpu_fault now;
    remember(&now, frame, &context->check);
    trace_fault(&now, !context->recovery);
    if (!context->recovery)
        cpu_halt(); /* between two tables, which only a bug of ours can cause */
    if (context->faults++ == 0)
        context->fault = now;
    fault_leave(frame, context);
}
