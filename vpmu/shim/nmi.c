/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NMIs of the model. The frame shows the workload's state, not the stub's. One at a time: an NMI that comes while a
 * handler runs waits for its IRETQ.
 *
 * The processor delivers them, by event injection, so that the guest's own gate, stack and handler are tested. But an
 * exit costs as much as a hundred steps, so most NMIs that come while stepping are delivered by the stub itself, which
 * does in memory what the processor would do. Each way checks the other: for every injected NMI the state in which the
 * processor enters the handler must be the state that the stub would have produced.
 */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/shim.h"

#include "vpmu/shim/native/native.h"
#include "vpmu/shim/os/os.h"
#include "vpmu/shim/firmware/serial.h"

/* The processor delivers the first INJECTED_FIRST NMIs of a run, and then one in INJECTED_ONE_IN. */
enum { INJECTED_FIRST = 32, INJECTED_ONE_IN = 1024 };

/* Flags that interrupts clear in 64-bit mode (APM vol. 2 section 8.9.3): TF, NT, RF, VM; and IF through an interrupt
 * gate. */
#define RFLAGS_RF     (1ull << 16)
#define CLEARED_FLAGS (RFLAGS_TF | 1ull << 14 | RFLAGS_RF | 1ull << 17)

enum { GATE_BYTES = 16, NMI_VECTOR = 2, TSS_IST = 0x24 };

static bool sample_valid(struct shim *shim, uint32_t msr, unsigned bit)
{
    uint64_t value;
    return vpmu_rdmsr(shim->model, msr, &value) == VPMU_OK && (value >> bit & 1);
}

void nmi_begin(struct shim *shim)
{
    struct nmi *nmi = &shim->nmi;
    nmi->pending = false;
    nmi->in_service = true;
    nmi->delivered++;
    /* An expired timer no longer arms the model, but its NMI has interrupted stepped code all the same. */
    shim->stepper.hold = shim->stepper.armed || nmi->of_step;
    shim->stepper.armed = vpmu_armed(shim->model);
    nmi->of_step = false;
    handler_begin(&shim->costs, sample_valid(shim, MSR_IBS_FETCH_CTL, 49), sample_valid(shim, MSR_IBS_OP_CTL, 18),
                  vpmu_nmi_causes(shim->model));
    vpmu_break(shim->model);
}

static uint64_t gate_target(const uint64_t gate[2])
{
    return (gate[0] & 0xffff) | (gate[0] >> 48 & 0xffff) << 16 | gate[1] << 32;
}

uint64_t nmi_handler_address(const struct shim *shim)
{
    const uint64_t *gate = (const uint64_t *)step_guest_address(shim, shim->vmcb->idtr.base + NMI_VECTOR * GATE_BYTES);
    return gate ? gate_target(gate) : 0;
}

/* Predicts the state in which the handler starts when an NMI interrupts "from" in ring 0 (APM vol. 2 section 8.9).
 * Returns false for an unusual gate, which is left to the processor. */
static bool predict(const struct shim *shim, uint64_t idt, const struct interrupt_frame *from,
                    struct interrupt_frame *to)
{
    const uint64_t *gate = (const uint64_t *)step_guest_address(shim, idt + NMI_VECTOR * GATE_BYTES);
    if (!gate)
        return false;
    unsigned type = gate[0] >> 40 & 0xf, ist = gate[0] >> 32 & 7;
    bool present = gate[0] >> 47 & 1;
    if (!present || (type != 0xe && type != 0xf))
        return false;
    uint64_t stack = from->rsp;
    if (ist) {
        const uint64_t *slot =
            (const uint64_t *)step_guest_address(shim, shim->vmcb->tr.base + TSS_IST + 8 * (uint64_t)(ist - 1));
        if (!slot)
            return false;
        stack = *slot;
    }
    to->rip = gate_target(gate);
    to->cs = gate[0] >> 16 & 0xffff;
    to->rflags = from->rflags & ~(CLEARED_FLAGS | (type == 0xe ? RFLAGS_IF : 0));
    to->rsp = (stack & ~15ull) - sizeof *to;
    /* SS is null after a switch of privilege; after a mere switch of stacks, documents leave it open and processors
     * differ: it is taken from the injected NMIs. */
    to->ss = ist ? shim->nmi.ist_ss : from->ss;
    return true;
}

bool nmi_deliver_in_stub(struct shim *shim, struct interrupt_frame *frame)
{
    struct interrupt_frame from = *frame, to;
    if (shim->nmi.delivered < INJECTED_FIRST || machine_check_due(shim) || shim->nmi.delivered % INJECTED_ONE_IN == 0 ||
        !predict(shim, x86_idtr().base, &from, &to))
        return false;
    nmi_begin(shim);
    from.rflags &= ~RFLAGS_TF; /* not the guest's; the handler's IRETQ restores it */
    *(struct interrupt_frame *)to.rsp = from;
    *frame = to;
    frame->rflags |= RFLAGS_TF;
    return true;
}

void nmi_deliver(struct shim *shim)
{
    struct nmi *nmi = &shim->nmi;
    struct vmcb *vmcb = shim->vmcb;
    if (!nmi->pending || nmi->in_service || (vmcb->event_injection & EVENT_VALID))
        return;
    if (machine_check_due(shim)) {
        machine_check_raise(shim);
        return;
    }
    nmi_begin(shim);
    vmcb->event_injection = EVENT_NMI;
    if (hypervisor.native.stepping && step_wanted(shim)) {
        step_sync(shim); /* the plugin announces the handler's first instruction */
        native_step(shim, true);
        return;
    }
    vmcb->rflags &= ~RFLAGS_TF;
    if (step_wanted(shim)) {
        /* Delivery clears TF, but the handler must be stepped from its first instruction: its fetch is made to exit. */
        nmi->interrupted = (struct interrupt_frame){
            vmcb->rip, vmcb->cs.selector, vmcb->rflags, shim->world.gpr[GPR_RSP], vmcb->ss.selector,
        };
        nmi->awaiting_handler = true;
        vmcb->nested_cr3 = (uint64_t)shim->nested->root_no_fetch;
    } else {
        vmcb->intercept_misc1 |= INTERCEPT_IRET;
    }
}

/* Compares frames except RF in the image of RFLAGS: QEMU 7.2 leaves it unchanged, 10.0 sets it for an injected NMI. It
 * keeps instruction breakpoints from triggering twice, and there are none. */
static bool same_frame(const struct interrupt_frame *a, const struct interrupt_frame *b)
{
    return a->rip == b->rip && a->cs == b->cs && !((a->rflags ^ b->rflags) & ~RFLAGS_RF) && a->rsp == b->rsp &&
           a->ss == b->ss;
}

static void say_frame(const char *what, const struct interrupt_frame *frame)
{
    say("vpmu: %s: rip %04llx:%llx rflags %llx rsp %04llx:%llx\n", what, (unsigned long long)frame->cs,
        (unsigned long long)frame->rip, (unsigned long long)frame->rflags, (unsigned long long)frame->ss,
        (unsigned long long)frame->rsp);
}

void nmi_handler_entered(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    shim->nmi.awaiting_handler = false;
    vmcb->nested_cr3 = (uint64_t)shim->nested->root;
    shim->nmi.ist_ss = vmcb->ss.selector;
    step_sync(shim);

    struct interrupt_frame now = {
        vmcb->rip, vmcb->cs.selector, vmcb->rflags & ~RFLAGS_TF, shim->world.gpr[GPR_RSP], vmcb->ss.selector,
    };
    struct interrupt_frame expected = {0};
    const struct interrupt_frame *pushed = (const void *)step_guest_address(shim, now.rsp);
    if (!pushed || !predict(shim, vmcb->idtr.base, &shim->nmi.interrupted, &expected) || !same_frame(&now, &expected) ||
        !same_frame(pushed, &shim->nmi.interrupted)) {
        say_frame("entered", &now);
        say_frame("expected", &expected);
        if (pushed)
            say_frame("pushed", pushed);
        say_frame("interrupted", &shim->nmi.interrupted);
        exit_fatal(shim, "the processor entered the NMI handler in another state than the stub would have");
    }
    vmcb->rflags |= RFLAGS_TF;
    exit_boundary(shim);
}

void nmi_leave_stub(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    const struct interrupt_frame *frame = (const void *)step_guest_address(shim, (uint64_t)shim->stepper.frame);
    for (unsigned i = 0; i < 16; i++)
        shim->world.gpr[i] = world_step_data[shim->core].gpr[i];
    vmcb->rip = frame->rip;
    vmcb->rflags = frame->rflags;
    shim->world.gpr[GPR_RSP] = frame->rsp;
    if (frame->cs != vmcb->cs.selector)
        exit_fatal(shim, "the interrupted code segment is not the stub's");
    if (frame->ss != vmcb->ss.selector)
        vmcb->ss = svm_segment(&vmcb->gdtr, (uint16_t)frame->ss);
    /* Not a new boundary: it has been announced, if the model is armed. */
    step_sync(shim);
    nmi_deliver(shim);
}

void nmi_iret(struct shim *shim)
{
    if (shim->nmi.in_service) {
        shim->nmi.in_service = false;
        handler_end(&shim->costs);
        if (vpmu_take_pending_nmi(shim->model) || vpmu_asks_again(shim->model))
            shim->nmi.pending = true;
    }
}

void exit_iret(struct shim *shim)
{
    if (shim->settings.os) {
        os_exit_iret(shim);
        return;
    }
    if (native_resume(shim)) {
        shim->vmcb->intercept_misc1 &= ~INTERCEPT_IRET;
        exit_begin_host_step(shim, HOST_STEP_RESUME);
        return;
    }
    /* Stepping has ended, but a frame from that time still has TF set. Any other TF is the guest's own. */
    uint64_t flags = step_guest_address(shim, shim->world.gpr[GPR_RSP] + 16);
    if (shim->stepper.frames && flags && *(uint64_t *)flags & RFLAGS_TF && step_is_iretq(shim, shim->vmcb->rip)) {
        *(uint64_t *)flags &= ~RFLAGS_TF;
        shim->stepper.frames--;
    }
    shim->vmcb->intercept_misc1 &= ~INTERCEPT_IRET;
    exit_begin_host_step(shim, HOST_STEP_IRET);
}
