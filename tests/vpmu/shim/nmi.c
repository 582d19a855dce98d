/*
 * NMIs of the model. They are injected by the processor itself (event injection), so that the guest's own gate, IST and
 * handler are put to the test; the frame shows the workload's state. One at a time: what comes while a handler runs
 * waits for its IRETQ.
 */
#include "tests/vpmu/shim/shim.h"

#include "tests/vpmu/shim/serial.h"

static bool sample_valid(struct shim *shim, uint32_t msr, unsigned bit)
{
    uint64_t value;
    return vpmu_rdmsr(shim->model, msr, &value) == VPMU_OK && (value >> bit & 1);
}

void nmi_deliver(struct shim *shim)
{
    struct nmi *nmi = &shim->nmi;
    struct vmcb *vmcb = shim->vmcb;
    if (!nmi->pending || nmi->in_service || (vmcb->event_injection & EVENT_VALID)) {
        return;
    }
    nmi->pending = false;
    nmi->in_service = true;
    nmi->delivered++;
    handler_begin(&shim->costs, sample_valid(shim, MSR_IBS_FETCH_CTL, 49), sample_valid(shim, MSR_IBS_OP_CTL, 18));
    vpmu_break(shim->model);
    vmcb->event_injection = EVENT_NMI;
    if (shim->stepper.armed || shim->settings.count_handler) {
        /* Delivery clears TF, yet the handler is to be stepped from its first instruction: let its fetch exit. */
        nmi->awaiting_handler = true;
        vmcb->nested_cr3 = (uint64_t)shim->nested->root_no_fetch;
    } else {
        step_sync(shim);
        vmcb->intercept_misc1 |= INTERCEPT_IRET;
    }
}

void nmi_handler_entered(struct shim *shim)
{
    shim->nmi.awaiting_handler = false;
    shim->vmcb->nested_cr3 = (uint64_t)shim->nested->root;
    step_sync(shim);
    shim->vmcb->rflags |= RFLAGS_TF;
    exit_boundary(shim);
}

void nmi_leave_stub(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    uint64_t *gpr = shim->world.gpr;
    const struct interrupt_frame *frame = (const void *)step_guest_address(shim, gpr[GPR_RBX]);
    if (!frame) {
        exit_fatal(shim, "the stub's frame is not mapped");
    }
    for (unsigned i = 0; i < 16; i++) {
        gpr[i] = world_step_gpr[i];
    }
    vmcb->rip = frame->rip;
    vmcb->rflags = frame->rflags;
    gpr[GPR_RSP] = frame->rsp;
    if (frame->cs != vmcb->cs.selector || frame->ss != vmcb->ss.selector) {
        exit_fatal(shim, "the interrupted code segment or stack segment is not the stub's");
    }
    /* Not a new boundary: the model has been told of it. */
    step_sync(shim);
    nmi_deliver(shim);
}

void nmi_iret(struct shim *shim)
{
    if (shim->nmi.in_service) {
        shim->nmi.in_service = false;
        handler_end(&shim->costs);
        if (vpmu_take_pending_nmi(shim->model)) {
            shim->nmi.pending = true;
        }
    }
}

void exit_iret(struct shim *shim)
{
    /* Nothing is being stepped now; a frame from when something was still has TF set. */
    uint64_t flags = step_guest_address(shim, shim->world.gpr[GPR_RSP] + 16);
    if (flags && step_is_iretq(shim, shim->vmcb->rip)) {
        *(uint64_t *)flags &= ~RFLAGS_TF;
    }
    shim->vmcb->intercept_misc1 &= ~INTERCEPT_IRET;
    exit_begin_host_step(shim, HOST_STEP_IRET);
}
