/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cores/startup.h"

#include <stddef.h>

#include "core/base/mem.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/cpu/paging.h"
#include "drivers/cores/trampoline.h"

#define OFFSET(field, name) _Static_assert(offsetof(struct trampoline, field) == (name), "trampoline.S")
OFFSET(base, TRAMPOLINE_BASE);
OFFSET(cr3, TRAMPOLINE_CR3);
OFFSET(efer, TRAMPOLINE_EFER);
OFFSET(cr0, TRAMPOLINE_CR0);
OFFSET(cr4, TRAMPOLINE_CR4);
OFFSET(root, TRAMPOLINE_ROOT);
OFFSET(stack, TRAMPOLINE_STACK);
OFFSET(entry, TRAMPOLINE_ENTRY);
OFFSET(value, TRAMPOLINE_VALUE);
OFFSET(gdt, TRAMPOLINE_GDT);
OFFSET(idt, TRAMPOLINE_IDT);
OFFSET(cs, TRAMPOLINE_CS);
OFFSET(ss, TRAMPOLINE_SS);
OFFSET(own, TRAMPOLINE_OWN);
OFFSET(own_limit, TRAMPOLINE_TABLE);
OFFSET(to_32, TRAMPOLINE_TO_32);
OFFSET(to_64, TRAMPOLINE_TO_64);
_Static_assert(sizeof(struct trampoline) == TRAMPOLINE_CODE, "trampoline.S");
_Static_assert(sizeof(struct startup_core) <= STARTUP_CORE_BYTES - 32768, "mailbox and stack");

enum {
    PAGE_BYTES = 4096,
    /* Intel MultiProcessor Specification 1.4, appendix B.4, the universal start-up algorithm. */
    INIT_US = 10000,    /* from INIT to STARTUP */
    STARTUP_US = 200,   /* to the second STARTUP */
    ANSWER_US = 500000, /* far more than a thousand instructions take */
    STOP_US = 1000,     /* a core in its loop would have answered */
};

#define MSR_EFER 0xC0000080u
/* AMD APM vol. 2 section 3.1.7: SCE, LME, NXE, FFXSR. The processor sets LMA; nobody here needs SVME. */
#define EFER_TAKEN 0x4901ull

static uint32_t load(const uint32_t *value)
{
    return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *value, uint32_t new)
{
    __atomic_store_n(value, new, __ATOMIC_RELEASE);
}

/* ---------------------------------------------------------------- the other core */

static void take_state(struct startup_core *core)
{
    memory_types_read(&core->found, core->types->extended);
    core->set = memory_types_set(core->types, &core->wrong);
    core->switched = apic_is_msr(core->apic) && apic_use_msrs();
    if (core->spurious != apic_read(core->apic + APIC_SPURIOUS))
        apic_write(core->apic + APIC_SPURIOUS, core->spurious);
    core->wrong += core->spurious != apic_read(core->apic + APIC_SPURIOUS);
    core->wrong += core->cr0 != cpu_read_cr0();
    core->wrong += core->cr4 != cpu_read_cr4();
    core->wrong += core->efer != (cpu_rdmsr(MSR_EFER) & EFER_TAKEN);
}

/* Runs the core's loop, on its own stack; the trampoline leads here. */
static void serve(uint64_t value)
{
    struct startup_core *core = (struct startup_core *)(uintptr_t)value;

    take_state(core);
    store(&core->alive, 1);
    for (uint32_t done = 0;; store(&core->done, ++done)) {
        while (load(&core->request) == done)
            cpu_pause();
        if (core->function)
            core->function(core->argument);
    }
}

/* ---------------------------------------------------------------- the boot core */

enum startup_error startup_prepare(struct startup *startup, const struct startup_facts *facts, void *low)
{
    bool flag = cpu_flags() & CPU_FLAG_INTERRUPT;

    *startup = (struct startup){.low = low, .tsc_khz = facts->tsc_khz};
    if (apic_find(facts->apic_msr, &startup->apic))
        return STARTUP_NO_APIC;
    if ((uintptr_t)low + STARTUP_LOW_BYTES > STARTUP_LOW_END ||
        !paging_identity(cpu_read_cr3(), (uintptr_t)low, facts->nxe))
        return STARTUP_TABLES;
    cpu_cli();
    memory_types_read(&startup->types, facts->registers_known);
    if (flag)
        cpu_sti();
    return STARTUP_OK;
}

uint32_t startup_own_id(const struct startup *startup)
{
    return apic_own_id(startup->apic);
}

bool startup_reaches(const struct startup *startup, uint32_t apic_id)
{
    return apic_is_msr(startup->apic) || apic_id < 0xFF;
}

static void fill_trampoline(const struct startup *startup, struct startup_core *core)
{
    /* Code and data: flat, ring 0 (AMD APM vol. 2 section 4.7); the last is of 64-bit mode. */
    static const uint64_t own[] = {0, 0x00CF9B000000FFFF, 0x00CF93000000FFFF, 0x00AF9B000000FFFF};
    struct trampoline *t = (struct trampoline *)startup->low;
    struct cpu_segments segments;
    uint32_t base = (uint32_t)(uintptr_t)startup->low;
    uint64_t root = cpu_read_cr3();

    memcpy(startup->low, trampoline_code, trampoline_places[2]);
    memcpy(startup->low + PAGE_BYTES, (const void *)(uintptr_t)(root & 0x000FFFFFFFFFF000), PAGE_BYTES);
    cpu_read_segments(&segments);
    t->base = base;
    t->cr3 = base + PAGE_BYTES;
    t->efer = core->efer;
    t->cr0 = core->cr0;
    t->cr4 = core->cr4;
    t->root = root;
    t->stack = (uintptr_t)core + STARTUP_CORE_BYTES;
    t->entry = (uintptr_t)serve;
    t->value = (uintptr_t)core;
    cpu_sgdt(&t->gdt);
    cpu_sidt(&t->idt);
    t->cs = segments.cs;
    t->ss = segments.ss;
    memcpy(t->own, own, sizeof own);
    t->own_limit = sizeof own - 1;
    t->own_base = base + TRAMPOLINE_OWN;
    t->to_32 = base + trampoline_places[0];
    t->to_32_cs = TRAMPOLINE_CODE_32;
    t->to_64 = base + trampoline_places[1];
    t->to_64_cs = TRAMPOLINE_CODE_64;
}

static void wait(const struct startup *startup, uint32_t microseconds, const uint32_t *value, uint32_t until)
{
    uint64_t start = cpu_rdtsc(), ticks = startup->tsc_khz * microseconds / 1000;

    while (load(value) != until && cpu_rdtsc() - start < ticks)
        cpu_pause();
}

/* Sends INIT or STARTUP with interrupts off: the firmware's interrupts use the same two registers. */
static void send(const struct startup *startup, uint32_t apic_id, bool init)
{
    bool flag = cpu_flags() & CPU_FLAG_INTERRUPT;

    cpu_cli();
    if (init)
        apic_send_init(startup->apic, apic_id);
    else
        apic_send_startup(startup->apic, apic_id, (uint32_t)((uintptr_t)startup->low / PAGE_BYTES));
    if (flag)
        cpu_sti();
}

/* Clears mailbox and stack, and fills the mailbox. */
static void fill_mailbox(const struct startup *startup, struct startup_core *core)
{
    memset(core, 0, STARTUP_CORE_BYTES);
    core->types = &startup->types;
    core->apic = startup->apic;
    core->cr0 = cpu_read_cr0();
    core->cr4 = cpu_read_cr4();
    core->efer = cpu_rdmsr(MSR_EFER) & EFER_TAKEN;
    core->spurious = apic_read(startup->apic + APIC_SPURIOUS);
}

enum startup_error startup_begin(const struct startup *startup, struct startup_core *core, uint32_t apic_id)
{
    static const uint32_t never;

    send(startup, apic_id, true);
    wait(startup, INIT_US, &never, 1);
    fill_mailbox(startup, core);
    fill_trampoline(startup, core);
    send(startup, apic_id, false);
    wait(startup, STARTUP_US, &core->alive, 1);
    if (!load(&core->alive))
        send(startup, apic_id, false);
    wait(startup, ANSWER_US, &core->alive, 1);
    if (load(&core->alive))
        return STARTUP_OK;
    send(startup, apic_id, true);
    return STARTUP_SILENT;
}

enum startup_error startup_wake(const struct startup *startup, struct startup_core *core, uint32_t apic_id)
{
    const struct startup_core before = *core;
    enum startup_error error = startup_begin(startup, core, apic_id);

    core->found = before.found;
    core->set = before.set;
    core->switched = before.switched;
    return error;
}

void startup_run(struct startup_core *core, void (*function)(void *argument), void *argument)
{
    core->function = function;
    core->argument = argument;
    store(&core->request, core->request + 1);
}

bool startup_ended(const struct startup_core *core)
{
    return core->resting || load(&core->done) == core->request;
}

static void halt(void *unused)
{
    (void)unused;
    cpu_halt();
}

/* Halts by HLT: on Families 10h and 11h MWAIT does not lead to C1 (Linux arch/x86/kernel/process.c, mwait_usable), and
 * waiting for STARTUP after INIT is no state that the manuals count as idle. */
void startup_rest(struct startup_core *core)
{
    if (core->resting)
        return;
    startup_run(core, halt, NULL);
    core->resting = true;
}

/* Runs on the other core, the last of its functions. */
static void give_back(void *argument)
{
    struct startup_core *core = argument;

    (void)memory_types_set(&core->found, &core->wrong);
    core->wrong += core->switched && !apic_use_memory();
}

bool startup_stop(const struct startup *startup, struct startup_core *core, uint32_t apic_id)
{
    bool idle;

    if (core->resting) /* a halted core cannot be asked whether INIT has stopped it */
        (void)startup_wake(startup, core, apic_id);
    idle = load(&core->alive) && startup_ended(core);
    core->wrong = 0;
    if (idle && (core->set || core->switched)) {
        startup_run(core, give_back, core);
        wait(startup, ANSWER_US, &core->done, core->request);
        idle = startup_ended(core);
    }
    send(startup, apic_id, true);
    if (!idle)
        return false;
    wait(startup, STOP_US, &core->done, core->request + 1); /* INIT is on its way */
    startup_run(core, NULL, NULL);
    wait(startup, STOP_US, &core->done, core->request);
    return !startup_ended(core);
}
