#include "tests/vpmu/shim/os.h"

enum { NMI_VECTOR = 2, PF_VECTOR = 14, ALL_EXCEPTIONS = 0xffffffff & ~(1 << NMI_VECTOR) };

/* ---------------------------------------------------------------- what exits */

static void let_run(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    vmcb->intercept_exceptions = 0;
    vmcb->intercept_misc1 &= ~INTERCEPT_IRET;
    vmcb->intercept_misc1 |= shim->nmi.in_service ? INTERCEPT_IRET : 0;
}

static void let_step(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    vmcb->intercept_exceptions = ALL_EXCEPTIONS;
    vmcb->intercept_misc1 &= ~INTERCEPT_IRET;
    vmcb->rflags |= RFLAGS_TF;
}

static void begin(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    clock_sync(shim);
    group_join(shim);
    vpmu_break(shim->model);
    stepper->saved_dr6 = shim->vmcb->dr6;
    stepper->after_pushf = false;
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
    shim->vmcb->rflags &= ~RFLAGS_TF;
    os_timer_end(shim);
    stepper->ticks += x86_rdtsc() - stepper->since;
    stepper->installed = false;
    group_leave(shim);
    clock_restart(shim);
}

void os_tables_changed(struct shim *shim)
{
    shim->os.cr3 = shim->vmcb->cr3;
    vpmu_flush_tlb(shim->model);
    os_code_forget();
}

/* ---------------------------------------------------------------- interrupts */

/* Takes one from the real APIC, as the processor would have; 0: there is none. halt: waits for it. */
static unsigned take_interrupt(bool halt)
{
    world_interrupt = 0;
    if (halt) {
        __asm__ volatile("stgi; sti; hlt; cli; clgi" : : : "memory");
    } else {
        __asm__ volatile("stgi; sti; nop; nop; cli; clgi" : : : "memory");
    }
    return world_interrupt;
}

static void enter(struct shim *shim, unsigned vector, enum door_kind kind, uint32_t error)
{
    vpmu_break(shim->model); /* the announced instruction does not complete, or not now */
    door_enter(shim, vector, kind, error);
}

/* HLT. Nothing happens before the timer's end but what devices do: the model's time goes on to it. */
static void halt(struct shim *shim)
{
    shim->vmcb->rip += 1;
    if (!(shim->vmcb->rflags & RFLAGS_IF)) {
        exit_fatal(shim, "HLT with interrupts off");
    }
    (void)os_timer_skip(shim);
    enter(shim, take_interrupt(true), DOOR_INTERRUPT, 0);
}

static void enter_nmi(struct shim *shim)
{
    nmi_begin(shim);
    door_enter(shim, NMI_VECTOR, DOOR_INTERRUPT, 0);
}

/* ---------------------------------------------------------------- a boundary */

/* The bytes at rip; the physical address of the first, 0: not mapped. */
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

/* Nothing that happens in this NMI handler can be counted or sampled until it has enabled something again. */
static bool quiet(const struct shim *shim)
{
    return shim->nmi.in_service && !shim->settings.step_handlers && !vpmu_counts(shim->model);
}

/* One instruction is announced and, if it is a door, carried out: then true. */
static bool one(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    struct vmcb *vmcb = shim->vmcb;
    uint64_t *gpr = shim->world.gpr;
    uint8_t code[4];
    if (stepper->after_pushf) {
        stepper->after_pushf = false;
        door_clean_image(shim);
    }
    if (shim->os.cr3 != vmcb->cr3) {
        os_tables_changed(shim);
    }
    uint64_t physical = read_code(shim, vmcb->rip, code);
    unsigned place = vmcb->cpl == 0 ? VPMU_KERNEL | VPMU_FOREIGN : os_code_place(shim, vmcb->rip, physical);
    stepper->steps++;
    shim->costs.instructions += shim->nmi.in_service;
    shim->nmi.pending |= vpmu_step_at(shim->model, vmcb->rip, gpr, place);
    os_timer_check(shim);
    if (shim->nmi.pending && !shim->nmi.in_service) {
        enter_nmi(shim);
        return true;
    }
    if (door_pass(shim, code)) {
        return true;
    }
    if (vmcb->cpl == 0 && door_is_halt(code)) {
        halt(shim);
        return true;
    }
    if (code[0] == 0x0f && vmcb->cpl == 0) {
        unsigned length = msr_instruction(shim, code, gpr);
        vmcb->rip += length;
        if (length) {
            return true;
        }
    }
    if (vmcb->cpl == 0 && door_is_invlpg(code)) {
        shim->os.cr3 = 0; /* seen at the next boundary, when it has executed */
    }
    stepper->after_pushf = code[0] == 0x9c;
    return false;
}

void os_boundary(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    for (;;) {
        stepper->armed = vpmu_armed(shim->model);
        /* The handler of an NMI that interrupted what was stepped belongs to it, whatever it disarms. */
        bool wanted = stepper->armed || (shim->nmi.in_service && stepper->hold);
        if (wanted != stepper->installed) {
            if (wanted) {
                begin(shim);
            } else {
                end(shim);
            }
        }
        if (!wanted) {
            if (shim->nmi.pending && !shim->nmi.in_service) {
                enter_nmi(shim);
            }
            let_run(shim);
            return;
        }
        if (quiet(shim)) {
            os_timer_check(shim);
            shim->vmcb->rflags &= ~RFLAGS_TF;
            let_run(shim);
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
    if (!shim->stepper.installed) {
        exit_fatal(shim, "#DB exit without a step");
    }
    shim->vmcb->dr6 = shim->stepper.saved_dr6;
    os_boundary(shim);
}

void os_exit_interrupt(struct shim *shim)
{
    unsigned vector = take_interrupt(false);
    if (vector) {
        if (quiet(shim)) {
            exit_fatal(shim, "an interrupt in an NMI's handler");
        }
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
    if (vector == PF_VECTOR) {
        vmcb->cr2 = vmcb->exit_info2;
    }
    shim->stepper.after_pushf = false;
    os_raise(shim, vector, (uint32_t)vmcb->exit_info1);
}

void os_exit_iret(struct shim *shim)
{
    uint8_t code[4];
    (void)read_code(shim, shim->vmcb->rip, code);
    if (!door_is_iretq(code) || !door_pass(shim, code)) {
        exit_fatal(shim, "an IRET that cannot be carried out");
    }
    os_boundary(shim);
}
