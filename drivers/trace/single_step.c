/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/trace/single_step.h"

#include "drivers/trace/fault.h"

enum { GPR_RSP = 4, GPR_RSI = 6, GPR_RDI = 7 };

#define FLAG_ALWAYS 0x002ull /* reads as 1 (AMD APM vol. 2 section 3.1.6, as TF) */
#define FLAG_TRAP   0x100ull

static void begin(struct single_step *step, uint64_t arena)
{
    struct cpu_trap_frame *frame = &step->frame;
    struct cpu_segments segments;

    cpu_read_segments(&segments);
    *frame = (struct cpu_trap_frame){.rip = step->kernel,
                                     .cs = segments.cs,
                                     .rflags = FLAG_ALWAYS | FLAG_TRAP,
                                     .rsp = step->stack_top,
                                     .ss = segments.ss};
    frame->gpr[GPR_RDI] = arena;
    frame->gpr[GPR_RSI] = step->params;
    frame->gpr[GPR_RSP] = frame->rsp - sizeof(uint64_t); /* where the workload will return to */
    step->counts.arena = arena;
    exact_step(&step->counts, frame->rip, frame->gpr);
}

void single_step_enter(void *argument, uint64_t arena)
{
    struct single_step *step = argument;

    bool new = step->state == SINGLE_STEP_NEW;

    step->state = SINGLE_STEP_STOPPED;
    if (new) {
        begin(step, arena);
        cpu_call_frame(&step->frame);
    }
    cpu_fpu_restore(&step->fpu);
    cpu_enter_frame(&step->frame);
}

void single_step_trap(struct single_step *step, struct cpu_trap_frame *frame, struct fault_context *context)
{
    uint64_t end = cpu_step_end_address();

    /* The processor leaves rsp's place in pushed registers to the entry. */
    frame->gpr[GPR_RSP] = frame->rsp;
    if (frame->rip == end || frame->rip == end + 1) { /* #BP is reported after its INT3 */
        step->state = frame->rip == end ? SINGLE_STEP_DONE : SINGLE_STEP_DEAF;
        exact_end(&step->counts, frame->rip);
        fault_leave(frame, context);
        return;
    }
    frame->rflags |= FLAG_TRAP; /* POPF may have cleared it */
    exact_step(&step->counts, frame->rip, frame->gpr);
    if (--step->left)
        return;
    step->frame = *frame;
    fault_leave(frame, context);
}
