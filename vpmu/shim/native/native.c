/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/native/native.h"

#include "vpmu/shim/native/boundary.h"
#include "vpmu/shim/os/os.h"

enum { NMI_VECTOR = 2, EXCEPTIONS = 0xffffffff & ~(1 << NMI_VECTOR) };

/* ---------------------------------------------------------------- what exits */

void native_step(struct shim *shim, bool on)
{
    struct vmcb *vmcb = shim->vmcb;
    shim->stepper.stepping = on;
    if (shim->settings.os)
        return; /* os_step.c */
    /* Handlers are not announced: so exceptions and interrupts must exit, and a handler's IRETQ, after which
     * announcements continue. */
    vmcb->intercept_exceptions = on ? EXCEPTIONS : 0;
    vmcb->intercept_misc1 &= ~(INTERCEPT_INTR | INTERCEPT_SWINT | INTERCEPT_IRET);
    vmcb->intercept_misc1 |= on                                                ? INTERCEPT_INTR | INTERCEPT_SWINT
                             : shim->stepper.installed || shim->nmi.in_service ? INTERCEPT_IRET
                                                                               : 0;
}

void native_arm(struct shim *shim)
{
    shim->stepper.unannounced = false;
    native_step(shim, true);
    PLUGIN_RING(BELL_ARM);
}

void native_disarm(struct shim *shim)
{
    PLUGIN_RING(BELL_DISARM);
    native_step(shim, false);
}

/* ---------------------------------------------------------------- an announcement */

static uint32_t leave(struct shim *shim, uint64_t rip)
{
    shim->stepper.left_at = rip;
    return PLUGIN_LEAVE;
}

/* Acts at a boundary where the host must: QEMU itself delivers an NMI, all else is done after an exit. */
static __attribute__((noinline)) uint32_t act(struct shim *shim, uint64_t rip)
{
    if (!shim->nmi.pending || shim->nmi.in_service || !step_wanted(shim) || machine_check_due(shim))
        return leave(shim, rip);
    shim->nmi.handler = nmi_handler_address(shim);
    nmi_begin(shim);
    return PLUGIN_NMI;
}

/* Returns a byte of the guest's code; 0: it is at 0 or beyond RAM, and the fetch will fault. */
INLINED uint8_t code_byte(uint64_t rip)
{
    return USUALLY(rip - 1 < hypervisor.native.link.ram_end - 1) ? *(const uint8_t *)rip : 0;
}

/* Takes a boundary of a firmware's guest that the model is told of. */
INLINED uint32_t boundary(struct shim *shim, uint64_t rip, uint64_t gpr[16])
{
    if (boundary_announce(shim, rip, gpr))
        return act(shim, rip);
    uint8_t opcode = code_byte(rip);
    if (opcode == PREFIX_REX_W && code_byte(rip + 1) == OPCODE_IRET && boundary_iretq(shim, gpr))
        return act(shim, rip);
    unsigned length = opcode == PREFIX_TWO_BYTES ? msr_instruction(shim, (const uint8_t *)rip, gpr) : 0;
    return length ? PLUGIN_SKIP + length : PLUGIN_GO_ON;
}

/* Stays a function: inlined, the compiler would compute the core's address anew at each use. */
static __attribute__((noinline)) uint32_t of_core(struct shim *shim, uint64_t rip, uint64_t gpr[16])
{
    struct stepper *stepper = &shim->stepper;
    if (!stepper->stepping || shim->host_step != HOST_STEP_NONE)
        return PLUGIN_GO_ON;
    if (RARELY(stepper->unannounced)) {
        stepper->unannounced = false;
        return PLUGIN_GO_ON;
    }
    if (RARELY(shim->nmi.handler)) {
        /* The plugin requested an NMI from QEMU: this must be the first instruction of its handler. */
        bool elsewhere = rip != shim->nmi.handler;
        shim->nmi.handler = 0;
        if (elsewhere) {
            stepper->problem = "an NMI led elsewhere than to its handler";
            return leave(shim, rip);
        }
    }
    if (RARELY(!group_may_step(shim)))
        return PLUGIN_YIELD;
    if (RARELY(shim->settings.os)) {
        stepper->left_at = rip;
        return os_native_boundary(shim, rip, gpr);
    }
    return boundary(shim, rip, gpr);
}

uint32_t native_boundary(uint32_t core, uint64_t rip, uint64_t gpr[16])
{
    return of_core(&hypervisor.shim[core], rip, gpr);
}

void exit_native(struct shim *shim)
{
    if (shim->stepper.problem)
        exit_fatal(shim, shim->stepper.problem);
    if (shim->vmcb->rip != shim->stepper.left_at)
        exit_fatal(shim, "the plugin left the guest at another instruction");
    if (shim->settings.os) {
        os_boundary(shim);
        return;
    }
    step_sync(shim);
    if (!step_is_iretq(shim, shim->vmcb->rip)) /* else after it: NMIs are open then, and its stack is free */
        nmi_deliver(shim);
}

/* ---------------------------------------------------------------- handlers that are not stepped */

/* Sets TF in the frame's image of RFLAGS, as stepping by TF does: so the frame itself tells, at its IRETQ, that the
 * interrupted code was stepped. */
void native_suspend(struct shim *shim, bool repeats)
{
    shim->vmcb->rflags |= RFLAGS_TF;
    shim->stepper.repeats = repeats || shim->stepper.unannounced;
    native_step(shim, false);
}

bool native_resume(struct shim *shim)
{
    if (!hypervisor.native.stepping || !shim->stepper.installed || !step_is_iretq(shim, shim->vmcb->rip))
        return false;
    uint64_t *flags = (uint64_t *)step_guest_address(shim, shim->world.gpr[GPR_RSP] + 16);
    if (!flags || !(*flags & RFLAGS_TF))
        return false;
    *flags &= ~RFLAGS_TF;
    return true;
}

void native_resumed(struct shim *shim)
{
    step_sync(shim);
    if (shim->stepper.installed) {
        native_step(shim, true);
        shim->stepper.unannounced = shim->stepper.repeats;
    }
}

void exit_native_exception(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    unsigned vector = (unsigned)(vmcb->exit_code - EXIT_EXCEPTION);
    bool has_error = vector == 8 || (vector >= 10 && vector <= 14) || vector == 17;
    if (vector == 14)
        vmcb->cr2 = vmcb->exit_info2;
    vmcb->event_injection = EVENT_EXCEPTION | vector;
    if (has_error)
        vmcb->event_injection |= EVENT_HAS_ERROR | vmcb->exit_info1 << 32;
    native_suspend(shim, true);
}

/* Does as TF does, where the debug exception comes after the instruction to which IRETQ returns: it is not announced.
 */
void exit_native_software(struct shim *shim)
{
    enum { INT3 = 0xcc };
    struct vmcb *vmcb = shim->vmcb;
    const uint8_t *code = (const uint8_t *)step_guest_address(shim, vmcb->rip);
    bool int3 = code[0] == INT3;
    vmcb->event_injection = EVENT_SOFTWARE | (int3 ? 3u : code[1]);
    exit_skip(shim, int3 ? 1 : 2);
    native_suspend(shim, true);
}

void exit_native_interrupt(struct shim *shim)
{
    unsigned vector = world_take_interrupt(false);
    if (vector) {
        shim->vmcb->event_injection = EVENT_VALID | vector; /* type 0: an external interrupt */
        native_suspend(shim, false);
    }
}
