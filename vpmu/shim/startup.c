/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/startup.h"

#include "vpmu/model/hostile.h"
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/native/native.h"
#include "vpmu/shim/firmware/serial.h"

extern const uint8_t startup_code[] __attribute__((visibility("hidden")));
extern const uint32_t startup_code_64, startup_code_bytes __attribute__((visibility("hidden")));

/* AMD APM vol. 2 section 16.5: message types INIT and STARTUP; destination by APIC ID, no shorthand; INIT asserted. */
enum {
    COMMAND_TYPE = 7 << 8,
    COMMAND_INIT = 5 << 8,
    COMMAND_STARTUP = 6 << 8,
    COMMAND_LOGICAL = 1 << 11,
    COMMAND_ASSERT = 1 << 14,
    COMMAND_SHORTHAND = 3 << 18,
    COMMAND_VECTOR = 0xff,
};

static struct startup *const starts = &hypervisor.startup;

/* ---------------------------------------------------------------- on the core that begins */

/* AMD APM vol. 2 section 7.7: variable, fixed, and last the register that switches them on. */
enum { MTRR_DEFAULT = 0x2ff };
static const struct {
    uint32_t first, last;
} mtrr_rows[] = {{0x200, 0x20f}, {0x250, 0x250}, {0x258, 0x259}, {0x268, 0x26f}, {MTRR_DEFAULT, MTRR_DEFAULT}};

void startup_keep_mtrrs(void)
{
    unsigned n = 0;
    for (unsigned row = 0; row < sizeof mtrr_rows / sizeof mtrr_rows[0]; row++)
        for (uint32_t msr = mtrr_rows[row].first; msr <= mtrr_rows[row].last; msr++)
            starts->mtrr[n++] = x86_rdmsr(msr);
}

void startup_give_mtrrs(void)
{
    unsigned n = 0;
    for (unsigned row = 0; row < sizeof mtrr_rows / sizeof mtrr_rows[0]; row++)
        for (uint32_t msr = mtrr_rows[row].first; msr <= mtrr_rows[row].last; msr++)
            x86_wrmsr(msr, starts->mtrr[n++]);
}

/* Resets the guest as INIT does (AMD APM vol. 2 section 14.1.3), at the segment that STARTUP has named. */
static void reset_guest(struct shim *shim)
{
    enum { CODE = 0x9b, DATA = 0x93, LDT = 0x82, CR0_AFTER_INIT = 0x60000010, FAMILY_10H = 0x100f00 };
    struct vmcb *vmcb = shim->vmcb;
    uint8_t vector = starts->core[shim->core].vector;
    vmcb->cs = (struct vmcb_segment){.selector = (uint16_t)(vector << 8), .attributes = CODE, .limit = 0xffff};
    vmcb->cs.base = (uint64_t)vector << 12;
    vmcb->ds = vmcb->es = vmcb->ss = (struct vmcb_segment){.attributes = DATA, .limit = 0xffff};
    vmcb->gdtr = vmcb->idtr = (struct vmcb_segment){.limit = 0xffff};
    vmcb->ldtr = (struct vmcb_segment){.attributes = LDT, .limit = 0xffff};
    vmcb->efer = EFER_SVME;
    vmcb->cr0 = CR0_AFTER_INIT;
    vmcb->cr2 = vmcb->cr3 = vmcb->cr4 = 0;
    vmcb->dr6 = 0xffff0ff0;
    vmcb->dr7 = 0x400;
    vmcb->rflags = 2;
    vmcb->rip = 0;
    for (unsigned i = 0; i < 16; i++)
        shim->world.gpr[i] = 0;
    shim->world.gpr[GPR_RDX] = FAMILY_10H;
    vmcb->rax = vmcb->rsp = 0;
}

/* Leaves the core as reset does (HOSTILE_BARE_CORE); only this differs after INIT. */
static void make_bare(void)
{
    static const uint16_t fcw = 0x40;
    __asm__ volatile("fldcw %0" : : "m"(fcw));
}

static void begin(struct shim *shim)
{
    step_forget(shim);
    shim->nmi = (struct nmi){.delivered = shim->nmi.delivered};
    shim->host_step = HOST_STEP_NONE;
    svm_begin(shim);
    reset_guest(shim);
    startup_give_mtrrs();
    if (hostile_has(shim->settings.hostile, HOSTILE_BARE_CORE))
        make_bare();
    world_start_guest(&shim->world);
}

/* ---------------------------------------------------------------- on the core that sends */

static bool same(struct shim *shim)
{
    return cores_digest(shim, false) == starts->core[shim->core].before && !vpmu_armed(shim->model);
}

static void send_init(struct startup_core *core, volatile uint32_t *command, uint32_t value)
{
    struct shim *shim = &hypervisor.shim[core - starts->core];
    core->spoilt = core->spoilt || (core->known && !core->waits && !same(shim));
    group_stop(shim, command, value);
    vpmu_apic_init(shim->model);
    if (!core->known) {
        core->before = cores_digest(shim, false);
        core->x2apic = shim->x2apic;
    }
    core->known = core->waits = true;
}

bool startup_command(volatile uint32_t *command, uint32_t apic_id, uint32_t value)
{
    struct startup_core *core = starts->core;
    uint32_t type = value & COMMAND_TYPE;
    while (core < starts->core + WORLD_CORES && !(core->there && core->apic_id == apic_id))
        core++;
    if (starts->passes || !starts->page || core == starts->core + WORLD_CORES ||
        value & (COMMAND_LOGICAL | COMMAND_SHORTHAND) ||
        (type != COMMAND_STARTUP && (type != COMMAND_INIT || !(value & COMMAND_ASSERT))))
        return false;
    if (type == COMMAND_INIT) {
        send_init(core, command, value);
    } else if (core->waits && !core->dead) { /* else it is ignored */
        core->waits = false;
        core->started = true;
        core->vector = (uint8_t)value;
        *command = (value & ~(uint32_t)COMMAND_VECTOR) | starts->page;
    }
    return true;
}

void startup_add(struct shim *shim, uint32_t apic_id, bool dead)
{
    starts->core[shim->core] = (struct startup_core){.there = true, .apic_id = apic_id, .dead = dead};
}

bool startup_was(const struct shim *shim)
{
    return starts->core[shim->core].started;
}

bool startup_restored(struct shim *shim)
{
    const struct startup_core *core = &starts->core[shim->core];
    return !core->spoilt && same(shim) && shim->x2apic == core->x2apic && !shim->apic_off;
}

void startup_place(void *memory)
{
    starts->place = memory;
}

void startup_fill(uint64_t host_cr3)
{
    /* Equals host_gdt in world.c. */
    static const uint64_t gdt[] = {0, 0x00af9b000000ffff, 0x00cf93000000ffff};
    uint8_t *bytes = starts->place;
    uint32_t base = (uint32_t)(uint64_t)starts->place;
    if (!starts->place)
        return;
    for (uint32_t i = 0; i < startup_code_bytes; i++)
        bytes[i] = startup_code[i];
    *(uint32_t *)(bytes + STARTUP_BASE) = base;
    *(uint32_t *)(bytes + STARTUP_CR3) = (uint32_t)host_cr3;
    *(uint64_t *)(bytes + STARTUP_ENTRY) = (uint64_t)begin;
    *(uint16_t *)(bytes + STARTUP_GDTR) = sizeof gdt - 1;
    *(uint32_t *)(bytes + STARTUP_GDTR + 2) = base + STARTUP_GDT;
    *(uint32_t *)(bytes + STARTUP_FAR) = base + startup_code_64;
    *(uint16_t *)(bytes + STARTUP_FAR + 4) = HOST_CS;
    for (unsigned i = 0; i < sizeof gdt / sizeof gdt[0]; i++)
        ((uint64_t *)(bytes + STARTUP_GDT))[i] = gdt[i];
    for (unsigned i = 0; i < WORLD_CORES; i++)
        if (starts->core[i].there && starts->core[i].apic_id < 256)
            ((uint64_t *)(bytes + STARTUP_WORLDS))[starts->core[i].apic_id] = (uint64_t)&hypervisor.shim[i].world;
    starts->page = host_cr3 >> 32 ? 0 : base >> 12;
    if (!starts->page)
        say("vpmu: the host's page tables are above 4 GB: cores that the guest starts would not be its own\n");
}
