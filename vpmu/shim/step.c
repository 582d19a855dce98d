/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When stepping begins and ends. The QEMU plugin steps, where there is one (native.h); else RFLAGS.TF does, as
 * described here.
 *
 * Single-stepping inside the guest: the gate. While the model counts, RFLAGS.TF is set and the guest's vector 1 leads
 * to the stub in doors.S, so that a step costs an exception in the guest instead of a #VMEXIT (0.5 us against 15 us
 * under QEMU's TCG). What happens at each step is in boundary.c.
 *
 * Handlers of interrupts and exceptions start with TF clear and are not stepped until their IRETQ restores it: those of
 * firmware use memory below RSP, where the stub's frame would fall. NMI handlers are stepped (nmi.c), as silicon keeps
 * counting in them.
 */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/shim.h"

#include "vpmu/shim/native/native.h"
#include "vpmu/shim/firmware/serial.h"

static uint64_t current_cr3(const struct shim *shim)
{
    /* Writes of CR3 exit, so the VMCB has it; where the plugin calls, the register is out of reach. */
    return shim->in_guest && !hypervisor.native.stepping ? x86_cr3() : shim->vmcb->cr3;
}

uint64_t step_guest_walk(const struct shim *shim, uint64_t linear)
{
    struct guest_page page = guest_walk(shim->vmcb->cr3, linear);
    return page.shift ? page.physical : 0;
}

unsigned step_translate(void *context, uint64_t linear, uint64_t *physical, uint64_t table_addresses[4],
                        unsigned *tables)
{
    struct guest_page page = guest_walk(current_cr3(context), linear);
    *physical = page.physical;
    for (unsigned i = 0; i < page.depth; i++)
        table_addresses[i] = page.entries[i];
    *tables = page.depth;
    return page.shift;
}

/* ---------------------------------------------------------------- the gate */

static uint64_t *gate_word(struct shim *shim, unsigned word)
{
    uint64_t address = step_guest_address(shim, shim->stepper.gate + 8 * word);
    if (!address)
        exit_fatal(shim, "the guest's IDT is not mapped");
    return (uint64_t *)address;
}

enum need { NEED_READ, NEED_WRITE, NEED_EXECUTE };

/* Requires 1:1 maps in the guest's page tables, on which the stub and the model run. */
static void require_mapped(struct shim *shim, const void *what, const char *name, enum need need)
{
    struct guest_page page = guest_walk(shim->vmcb->cr3, (uint64_t)what);
    bool allowed = need == NEED_WRITE ? page.writable : need == NEED_EXECUTE ? page.executable : true;
    if (!page.shift || page.physical != (uint64_t)what || !allowed) {
        say("vpmu: %s at %llx: mapped to %llx, writable %d, executable %d\n", name, (unsigned long long)(uint64_t)what,
            (unsigned long long)page.physical, page.writable, page.executable);
        exit_fatal(shim, "the guest's page tables do not keep the virtual PMU in its place");
    }
}

static const char *stub_of(const struct shim *shim)
{
    return world_step_stubs + shim->core * WORLD_STUB;
}

static void new_gate(const struct shim *shim, uint64_t gate[2])
{
    uint64_t entry = (uint64_t)stub_of(shim);
    gate[0] =
        (entry & 0xffff) | (uint64_t)shim->vmcb->cs.selector << 16 | 0x8e00ull << 32 | (entry >> 16 & 0xffff) << 48;
    gate[1] = entry >> 32;
}

static void install_gate(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    struct vmcb *vmcb = shim->vmcb;
    if (vmcb->cpl != 0 || vmcb->idtr.limit < 31)
        exit_fatal(shim, "no place for the stepping stub: not in ring 0, or no vector 1 in the IDT");
    require_mapped(shim, stub_of(shim), "stub", NEED_EXECUTE);
    require_mapped(shim, &world_step_data[shim->core], "stub data", NEED_WRITE);
    require_mapped(shim, shim->model, "model", NEED_WRITE);
    require_mapped(shim, (const void *)(vmcb->cr3 & PAGE_ADDRESS), "page table", NEED_READ);

    uint64_t gate[2];
    new_gate(shim, gate);
    stepper->gate = vmcb->idtr.base + 16;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t *word = gate_word(shim, i);
        stepper->saved_gate[i] = *word;
        *word = gate[i];
    }
    __asm__ volatile("vmsave %%rax" : : "a"(vmcb) : "memory"); /* for tr.base; nothing else of it is used */
    stepper->saved_dr6 = vmcb->dr6;
    stepper->after_pushf = false;
    vmcb->rflags |= RFLAGS_TF;
}

static void remove_gate(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    uint64_t gate[2];
    new_gate(shim, gate);
    if ((uint32_t)*gate_word(shim, 1) == gate[1]) /* else the guest has installed its own gate, which stays */
        for (unsigned i = 0; i < 2; i++)
            *gate_word(shim, i) = stepper->saved_gate[i];
    shim->vmcb->rflags &= ~RFLAGS_TF;
    shim->vmcb->dr6 = stepper->saved_dr6;
}

/* ---------------------------------------------------------------- either way */

bool step_on(const struct shim *shim)
{
    return shim->stepper.installed &&
           (hypervisor.native.stepping ? shim->stepper.stepping : shim->vmcb->rflags & RFLAGS_TF);
}

void step_set(struct shim *shim, bool on)
{
    if (hypervisor.native.stepping)
        native_step(shim, on);
    else
        shim->vmcb->rflags = (shim->vmcb->rflags & ~RFLAGS_TF) | (on ? RFLAGS_TF : 0);
}

static void install(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    group_join(shim);
    if (hypervisor.native.stepping)
        native_arm(shim);
    else
        install_gate(shim);
    stepper->since = x86_rdtsc();
    stepper->installed = true;
}

void step_remove(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    bool suspended = stepper->installed && !step_on(shim);
    if (!stepper->installed)
        return;
    if (hypervisor.native.stepping)
        native_disarm(shim);
    else
        remove_gate(shim);
    stepper->ticks += x86_rdtsc() - stepper->since;
    stepper->frames = shim->nmi.in_service + suspended;
    stepper->installed = false;
    group_leave(shim);
}

void step_forget(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    if (stepper->installed && hypervisor.native.stepping)
        native_disarm(shim);
    stepper->installed = stepper->armed = stepper->hold = stepper->stepping = stepper->unannounced = false;
}

void step_sync(struct shim *shim)
{
    struct stepper *stepper = &shim->stepper;
    struct vmcb *vmcb = shim->vmcb;
    step_rearm(shim);
    /* A pending NMI of stepped code keeps stepping on, and no time passes, until its handler begins. */
    bool wanted = step_wanted(shim) || (stepper->installed && shim->nmi.pending && shim->nmi.of_step);
    if (wanted && !stepper->installed)
        install(shim);
    else if (!wanted)
        step_remove(shim);
    if (stepper->installed) {
        vmcb->intercept_misc1 |= INTERCEPT_IDTR_WRITE;
        vmcb->intercept_misc1 &= ~(INTERCEPT_PAUSE | INTERCEPT_HLT);
        if (!hypervisor.native.stepping)
            vmcb->intercept_misc1 &= ~INTERCEPT_IRET; /* the stub's own IRETQ must not exit */
    } else {
        vmcb->intercept_misc1 &= ~INTERCEPT_IDTR_WRITE;
        vmcb->intercept_misc1 |= shim->nmi.in_service || stepper->frames ? INTERCEPT_IRET : 0;
        vmcb->intercept_misc1 |= hypervisor.cores > 1 ? INTERCEPT_PAUSE | INTERCEPT_HLT : 0; /* group.c */
    }
    vmcb->intercept_cr_write |= INTERCEPT_CR3;
}
