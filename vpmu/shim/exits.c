/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/shim.h"

#include "vpmu/shim/native/native.h"
#include "vpmu/shim/os/os.h"
#include "vpmu/shim/firmware/serial.h"
#include "vpmu/shim/stop.h"

struct hypervisor hypervisor;
_Static_assert(offsetof(struct shim, world) == 0, "world_exit");

typedef unsigned long long ull;

void exit_fatal(struct shim *shim, const char *what)
{
    const struct vmcb *vmcb = shim->vmcb;
    const uint64_t *gpr = shim->world.gpr;
    say("vpmu: core %u: %s: exit %llx info1 %llx info2 %llx int %llx host step %d\n", shim->core, what,
        (ull)vmcb->exit_code, (ull)vmcb->exit_info1, (ull)vmcb->exit_info2, (ull)vmcb->exit_int_info,
        (int)shim->host_step);
    say("vpmu: rip %04x:%016llx rflags %llx rsp %016llx cpl %u\n", vmcb->cs.selector, (ull)vmcb->rip, (ull)vmcb->rflags,
        (ull)vmcb->rsp, vmcb->cpl);
    for (unsigned i = 0; i < 16; i += 4) {
        say("vpmu: r%-2u %016llx %016llx %016llx %016llx\n", i, (ull)gpr[i], (ull)gpr[i + 1], (ull)gpr[i + 2],
            (ull)gpr[i + 3]);
    }
    say("vpmu: cr0 %llx cr2 %llx cr3 %llx cr4 %llx efer %llx idt %llx gdt %llx dr6 %llx\n", (ull)vmcb->cr0,
        (ull)vmcb->cr2, (ull)vmcb->cr3, (ull)vmcb->cr4, (ull)vmcb->efer, (ull)vmcb->idtr.base, (ull)vmcb->gdtr.base,
        (ull)vmcb->dr6);
    say("vpmu: stepping %s, armed %d, steps %llu, nmi pending %d in service %d delivered %llu, image at %llx\n",
        shim->stepper.installed ? "on" : "off", shim->stepper.armed, (ull)shim->stepper.steps, shim->nmi.pending,
        shim->nmi.in_service, (ull)shim->nmi.delivered, stop_image_base());
    stop_qemu(STOP_BROKEN);
}

void exit_inject_exception(struct shim *shim, unsigned vector)
{
    bool has_error = vector == 13;
    if (shim->settings.os && step_on(shim)) {
        os_raise(shim, vector, 0);
        return;
    }
    shim->vmcb->event_injection = EVENT_EXCEPTION | vector | (has_error ? EVENT_HAS_ERROR : 0);
    if (shim->stepper.armed)
        vpmu_break(shim->model); /* the announced instruction did not complete; handlers start with TF clear */
    if (hypervisor.native.stepping && step_on(shim))
        native_suspend(shim, true);
}

void exit_skip(struct shim *shim, unsigned length)
{
    shim->vmcb->rip += length;
}

void exit_boundary(struct shim *shim)
{
    if (shim->settings.os) {
        os_boundary(shim);
        return;
    }
    step_sync(shim);
    if (step_on(shim)) {
        if (hypervisor.native.stepping)
            return; /* the plugin announces the boundary, and delivers a resulting NMI */
        step_announce(shim, shim->vmcb->rip, shim->world.gpr);
    }
    nmi_deliver(shim);
}

/* ---------------------------------------------------------------- one instruction at a time, by #DB exits */

void exit_begin_host_step(struct shim *shim, enum host_step why)
{
    struct vmcb *vmcb = shim->vmcb;
    shim->host_step = why;
    shim->host_step_if = vmcb->rflags & RFLAGS_IF;
    shim->host_step_tf = vmcb->rflags & RFLAGS_TF;
    shim->host_step_dr6 = vmcb->dr6;
    /* Interrupts off: their handler would run with the step's page in place. */
    vmcb->rflags = (vmcb->rflags & ~RFLAGS_IF) | RFLAGS_TF;
    vmcb->intercept_exceptions |= INTERCEPT_DB;
}

static void exit_db(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    enum host_step why = shim->host_step;
    if (shim->settings.os && why == HOST_STEP_NONE) {
        os_exit_db(shim);
        return;
    }
    if (why == HOST_STEP_NONE && hypervisor.native.stepping && step_on(shim)) {
        exit_native_exception(shim); /* the guest's own */
        return;
    }
    shim->host_step = HOST_STEP_NONE;
    vmcb->intercept_exceptions &= step_on(shim) && hypervisor.native.stepping ? ~0u : ~INTERCEPT_DB;
    vmcb->dr6 = shim->host_step_dr6;
    /* IRET has loaded RFLAGS itself; after any other instruction they are restored. */
    if (why != HOST_STEP_IRET && why != HOST_STEP_RESUME) {
        vmcb->rflags = (vmcb->rflags & ~(RFLAGS_IF | RFLAGS_TF)) | (shim->host_step_if ? RFLAGS_IF : 0) |
                       (shim->host_step_tf ? RFLAGS_TF : 0);
    }
    switch (why) {
    case HOST_STEP_APIC_REAL:
    case HOST_STEP_APIC_SHADOW:
        apic_end_host_step(shim, why == HOST_STEP_APIC_SHADOW);
        break;
    case HOST_STEP_IRET:
        nmi_iret(shim);
        break;
    case HOST_STEP_RESUME:
        native_resumed(shim);
        break;
    case HOST_STEP_TABLES:
        vpmu_flush_tlb(shim->model);
        step_sync(shim);
        if (!shim->host_step_on && shim->stepper.installed)
            step_set(shim, false); /* in an interrupt's handler, which is not stepped */
        break;
    case HOST_STEP_NONE:
        exit_fatal(shim, "#DB exit without a step");
    }
    bool guest_tf =
        shim->host_step_tf && !shim->stepper.installed && (why == HOST_STEP_APIC_REAL || why == HOST_STEP_APIC_SHADOW);
    exit_boundary(shim);
    if (guest_tf && !(vmcb->event_injection & EVENT_VALID)) {
        vmcb->dr6 |= 1u << 14; /* BS: the trap that the guest requested by its own TF */
        exit_inject_exception(shim, 1);
    }
}

/* ---------------------------------------------------------------- the other exits */

static void exit_cpuid(struct shim *shim)
{
    uint64_t *gpr = shim->world.gpr;
    uint32_t leaf = (uint32_t)gpr[GPR_RAX], subleaf = (uint32_t)gpr[GPR_RCX];
    uint32_t regs[4];
    x86_cpuid(leaf, subleaf, regs);
    vpmu_cpuid(shim->model, leaf, subleaf, regs);
    switch (leaf) {
    case OS_LEAF:
        regs[0] = shim->settings.os && os_command(shim, subleaf);
        break;
    case 1:
        regs[2] |= 1u << 31; /* hypervisor present */
        regs[2] |= shim->settings.x2apic ? 1u << 21 : 0;
        break;
    case 0x80000001:
        regs[2] &= ~(1u << 2); /* SVM is in use */
        break;
    case 0x8000000a:
        regs[0] = regs[1] = regs[2] = regs[3] = 0;
        break;
    }
    gpr[GPR_RAX] = regs[0];
    gpr[GPR_RBX] = regs[1];
    gpr[GPR_RCX] = regs[2];
    gpr[GPR_RDX] = regs[3];
    exit_skip(shim, 2);
    exit_boundary(shim);
}

static void exit_vmmcall(struct shim *shim)
{
    if (shim->vmcb->rip == (uint64_t)world_step_vmmcall)
        nmi_leave_stub(shim);
    else
        exit_inject_exception(shim, 6);
}

static void exit_svm_instruction(struct shim *shim)
{
    exit_inject_exception(shim, 6); /* CPUID says that there is none */
}

/* Takes a write of CR3 or, while the stub is installed, of IDTR: the page tables or the IDT change, and the stub must
 * be installed again. */
static void exit_tables(struct shim *shim)
{
    shim->host_step_on = step_on(shim);
    step_remove(shim);
    shim->vmcb->intercept_misc1 &= ~INTERCEPT_IDTR_WRITE;
    shim->vmcb->intercept_cr_write &= (uint16_t)~INTERCEPT_CR3;
    exit_begin_host_step(shim, HOST_STEP_TABLES);
}

/* Takes an exception, an interrupt or HLT, by the kind of guest. */
static void exit_exception(struct shim *shim)
{
    if (shim->settings.os)
        os_exit_exception(shim);
    else
        exit_native_exception(shim);
}

static void exit_interrupt(struct shim *shim)
{
    if (shim->settings.os)
        os_exit_interrupt(shim);
    else
        exit_native_interrupt(shim);
}

static void exit_hlt(struct shim *shim)
{
    if (shim->settings.os) {
        os_boundary(shim); /* missed at its boundary: handled now */
        return;
    }
    shim->vmcb->intercept_misc1 &= ~INTERCEPT_HLT; /* until the next exit */
    group_rest(shim);
}

static void exit_pause(struct shim *shim)
{
    group_pass(shim);
    exit_skip(shim, 2); /* f3 90 */
    exit_boundary(shim);
}

static void exit_shutdown(struct shim *shim)
{
    exit_fatal(shim, "triple fault in the guest");
}

static const struct {
    uint64_t first, last;
    void (*handle)(struct shim *shim);
} exit_table[] = {
    {EXIT_MSR, EXIT_MSR, exit_msr},
    {EXIT_NPF, EXIT_NPF, exit_npf},
    {EXIT_VMMCALL, EXIT_VMMCALL, exit_vmmcall},
    {EXIT_DB, EXIT_DB, exit_db},
    {EXIT_EXCEPTION, EXIT_EXCEPTION + 31, exit_exception},
    {EXIT_INTR, EXIT_INTR, exit_interrupt},
    {EXIT_HLT, EXIT_HLT, exit_hlt},
    {EXIT_SWINT, EXIT_SWINT, exit_native_software},
    {EXIT_PAUSE, EXIT_PAUSE, exit_pause},
    {EXIT_PLUGIN, EXIT_PLUGIN, exit_native},
    {EXIT_IRET, EXIT_IRET, exit_iret},
    {EXIT_RDTSC, EXIT_RDTSC, exit_read},
    {EXIT_RDPMC, EXIT_RDPMC, exit_read},
    {EXIT_RDTSCP, EXIT_RDTSCP, exit_read},
    {EXIT_CPUID, EXIT_CPUID, exit_cpuid},
    {EXIT_IOIO, EXIT_IOIO, exit_io},
    {EXIT_IDTR_WRITE, EXIT_IDTR_WRITE, exit_tables},
    {EXIT_CR3_WRITE, EXIT_CR3_WRITE, exit_tables},
    {EXIT_SHUTDOWN, EXIT_SHUTDOWN, exit_shutdown},
    {EXIT_VMRUN, EXIT_SKINIT, exit_svm_instruction},
};

void world_exit(struct world *world)
{
    struct shim *shim = (struct shim *)world;
    uint64_t start = x86_rdtsc();
    shim->in_guest = false;
    shim->exits++;
    if (shim->vmcb->exit_int_info & EVENT_VALID)
        shim->vmcb->event_injection = shim->vmcb->exit_int_info; /* the exit interrupted a delivery: deliver again */
    for (unsigned i = 0; i < sizeof exit_table / sizeof exit_table[0]; i++) {
        if (shim->vmcb->exit_code >= exit_table[i].first && shim->vmcb->exit_code <= exit_table[i].last) {
            exit_table[i].handle(shim);
            shim->in_guest = true;
            shim->host_ticks += x86_rdtsc() - start;
            return;
        }
    }
    exit_fatal(shim, "unexpected exit");
}
