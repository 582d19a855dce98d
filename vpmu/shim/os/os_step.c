/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/native/native.h"
#include "vpmu/shim/os/os.h"
#include "vpmu/shim/native/progress.h"

enum { NMI_VECTOR = 2, PF_VECTOR = 14, ALL_EXCEPTIONS = 0xffffffff & ~(1 << NMI_VECTOR) };

/* ---------------------------------------------------------------- what exits */

static void let_run(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    shim->stepper.stepping = false;
    vmcb->intercept_exceptions = 0;
    vmcb->intercept_misc1 &= ~INTERCEPT_IRET;
    vmcb->intercept_misc1 |= shim->nmi.in_service ? INTERCEPT_IRET : 0;
}

static void let_step(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    vmcb->intercept_exceptions = ALL_EXCEPTIONS;
    vmcb->intercept_misc1 &= ~INTERCEPT_IRET;
    step_set(shim, true);
}

static void begin(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    group_join(shim);
    vpmu_break(shim->model);
    stepper->saved_dr6 = shim->vmcb->dr6;
    stepper->after_pushf = stepper->announced = false;
    if (hypervisor.native.stepping)
        native_arm(shim);
    stepper->since = x86_rdtsc();
    stepper->installed = true;
    shim->os.cr3 = 0;
    os_timer_begin(shim);
    shim->vmcb->intercept_misc1 |= INTERCEPT_INTR | INTERCEPT_HLT;
}

static void end(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    shim->vmcb->intercept_misc1 &= ~(INTERCEPT_INTR | INTERCEPT_HLT);
    if (hypervisor.native.stepping)
        native_disarm(shim);
    else
        shim->vmcb->rflags &= ~RFLAGS_TF;
    os_timer_end(shim);
    stepper->ticks += x86_rdtsc() - stepper->since;
    stepper->installed = false;
    group_leave(shim);
}

/* Takes notice that the guest has switched its page tables, or changed an entry. */
static void tables_changed(struct shim *shim)
{
    shim->os.cr3 = shim->vmcb->cr3;
    vpmu_flush_tlb(shim->model);
    os_code_forget();
}

/* ---------------------------------------------------------------- interrupts */

unsigned world_take_interrupt(bool halt)
{
    world_interrupt = 0;
    if (halt)
        __asm__ volatile("stgi; sti; hlt; cli; clgi" : : : "memory");
    else
        __asm__ volatile("stgi; sti; nop; nop; cli; clgi" : : : "memory");
    return world_interrupt;
}

static void enter(struct shim *shim, unsigned vector, enum door_kind kind, uint32_t error)
{
    vpmu_break(shim->model); /* the announced instruction does not complete now */
    door_enter(shim, vector, kind, error);
}

/* Emulates HLT. Apart from devices nothing happens before the timer expires: the model's time advances to that point.
 */
static void halt(struct shim *shim)
{
    shim->vmcb->rip += 1;
    if (!(shim->vmcb->rflags & RFLAGS_IF))
        exit_fatal(shim, "HLT with interrupts off");
    (void)os_timer_skip(shim);
    enter(shim, world_take_interrupt(true), DOOR_INTERRUPT, 0);
}

static void enter_nmi(struct shim *shim)
{
    nmi_begin(shim);
    door_enter(shim, NMI_VECTOR, DOOR_INTERRUPT, 0);
}

/* ---------------------------------------------------------------- a boundary */

/* Reads the bytes at rip; returns the physical address of the first, or 0: not mapped. */
static uint64_t read_code(const struct shim *shim, uint64_t rip, uint8_t code[4])
{
    uint64_t physical = step_guest_address(shim, rip);
    if (!physical) {
        *(uint32_t *)code = 0;
    } else if ((rip & (PAGE_SIZE - 1)) <= PAGE_SIZE - 4) {
        *(uint32_t *)code = *(const uint32_t *)physical;
    } else {
        for (unsigned i = 0; i < 4; i++) {
            uint64_t byte = step_guest_address(shim, rip + i);
            code[i] = byte ? *(const uint8_t *)byte : 0;
        }
    }
    return physical;
}

/* Returns whether nothing in this NMI handler can be counted or sampled, until it enables something again. */
static bool quiet(const struct shim *shim)
{
    return shim->nmi.in_service && !shim->settings.step_handlers && !vpmu_counts(shim->model);
}

/* Asks the model again. The handler of an NMI that interrupted stepped code is stepped too, whatever it disarms. */
static bool wanted(struct shim *shim)
{
    shim->stepper.armed = vpmu_armed(shim->model);
    return shim->stepper.armed || (shim->nmi.in_service && shim->stepper.hold);
}

/* Announces the boundary to the model. code: gets the bytes at rip. */
static void announce(struct shim *shim, uint64_t rip, const uint64_t gpr[16], uint8_t code[4])
{
    struct stepper *stepper = &shim->stepper;
    struct vmcb *vmcb = shim->vmcb;
    if (shim->os.cr3 != vmcb->cr3)
        tables_changed(shim);
    uint64_t physical = read_code(shim, rip, code);
    unsigned place = vmcb->cpl == 0 ? VPMU_KERNEL | VPMU_FOREIGN : os_code_place(shim, rip, physical);
    stepper->steps++;
    shim->costs.instructions += shim->nmi.in_service;
    shim->nmi.pending |= vpmu_step_at(shim->model, rip, gpr, place);
    if (vmcb->cpl == 0 && door_is_invlpg(code))
        shim->os.cr3 = 0; /* seen at the next boundary, when it has executed */
}

/* Does what must happen before, or in place of, the announced instruction. Returns false if it executes. */
static bool act(struct shim *shim, const uint8_t code[4])
{
    struct vmcb *vmcb = shim->vmcb;
    os_timer_check(shim);
    if (shim->nmi.pending && !shim->nmi.in_service) {
        enter_nmi(shim);
        return true;
    }
    if (door_pass(shim, code)) {
        vmcb->interrupt_shadow = 0;
        return true;
    }
    if (vmcb->cpl == 0 && door_is_halt(code)) {
        vmcb->interrupt_shadow = 0;
        halt(shim);
        return true;
    }
    if (code[0] == 0x0f && vmcb->cpl == 0) {
        unsigned length = msr_instruction(shim, code, shim->world.gpr);
        vmcb->rip += length;
        return length != 0;
    }
    shim->stepper.after_pushf = code[0] == 0x9c && !hypervisor.native.stepping;
    return false;
}

uint32_t os_native_boundary(struct shim *shim, uint64_t rip, uint64_t gpr[16])
{
    uint8_t code[4];
    if (!wanted(shim) || quiet(shim))
        return PLUGIN_LEAVE;
    announce(shim, rip, gpr, code);
    shim->stepper.announced =
        os_timer_due(shim) || (shim->nmi.pending && !shim->nmi.in_service) || door_leads_elsewhere(code);
    if (shim->stepper.announced)
        return PLUGIN_LEAVE;
    unsigned length = code[0] == 0x0f && shim->vmcb->cpl == 0 ? msr_instruction(shim, code, gpr) : 0;
    return length ? PLUGIN_SKIP + length : PLUGIN_GO_ON;
}

/* Announces the instruction at rip, unless that has been done, and acts on it. Returns false if it executes. */
static bool one(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    uint8_t code[4];
    if (stepper->after_pushf) {
        stepper->after_pushf = false;
        door_clean_image(shim);
    }
    if (stepper->announced) {
        (void)read_code(shim, shim->vmcb->rip, code);
        stepper->announced = false;
    } else {
        announce(shim, shim->vmcb->rip, shim->world.gpr, code);
        progress_step(stepper->steps);
    }
    return act(shim, code);
}

void os_boundary(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    for (;;) {
        /* An announced instruction was to be stepped, even if its announcement has ended stepping. */
        bool step = stepper->announced || wanted(shim);
        if (step != stepper->installed) {
            if (step)
                begin(shim);
            else
                end(shim);
        }
        if (!step) {
            if (shim->nmi.pending && !shim->nmi.in_service)
                enter_nmi(shim);
            let_run(shim);
            return;
        }
        if (!stepper->announced && quiet(shim)) {
            os_timer_check(shim);
            step_set(shim, false);
            let_run(shim);
            return;
        }
        if (hypervisor.native.stepping && !stepper->announced) {
            let_step(shim); /* the plugin announces the next one */
            return;
        }
        if (!one(shim)) {
            let_step(shim);
            return;
        }
    }
}

/* ---------------------------------------------------------------- exits */

void os_exit_db(struct shim *shim)
{
    if (!shim->stepper.installed)
        exit_fatal(shim, "#DB exit without a step");
    if (hypervisor.native.stepping) {
        os_exit_exception(shim); /* the guest's own */
        return;
    }
    shim->vmcb->dr6 = shim->stepper.saved_dr6;
    os_boundary(shim);
}

void os_exit_interrupt(struct shim *shim)
{
    /* The plugin has not reached the instruction at rip yet, before which pending events are due. */
    if (hypervisor.native.stepping && step_on(shim) && one(shim)) {
        os_boundary(shim);
        return;
    }
    unsigned vector = world_take_interrupt(false);
    if (vector) {
        if (quiet(shim))
            exit_fatal(shim, "an interrupt in an NMI's handler");
        enter(shim, vector, DOOR_INTERRUPT, 0);
    }
    os_boundary(shim);
}

void os_raise(struct shim *shim, unsigned vector, uint32_t error)
{
    enter(shim, vector, DOOR_FAULT, error);
    os_boundary(shim);
}

void os_exit_exception(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    unsigned vector = (unsigned)(vmcb->exit_code - EXIT_EXCEPTION);
    if (vector == PF_VECTOR)
        vmcb->cr2 = vmcb->exit_info2;
    shim->stepper.after_pushf = false;
    os_raise(shim, vector, (uint32_t)vmcb->exit_info1);
}

void os_exit_iret(struct shim *shim)
{
    uint8_t code[4];
    (void)read_code(shim, shim->vmcb->rip, code);
    if (!door_is_iretq(code) || !door_pass(shim, code))
        exit_fatal(shim, "an IRET that cannot be emulated");
    os_boundary(shim);
}
