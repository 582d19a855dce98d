/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events, and MP Services over drivers/cores/startup.c. Each procedure starts its core by INIT, as in most firmware,
 * so a core that became a guest of a hypervisor in an earlier procedure is outside of guest mode again. Between
 * procedures the core halts. There are no timers: callers that wait for a procedure notice its end.
 */
#include "bios/uefi/uefi.h"

#include "bios/bios.h"
#include "bios/clock.h"
#include "bios/console.h"
#include "core/base/mem.h"
#include "core/family/ibs_family.h"
#include "core/platform/madt.h"
#include "drivers/cpu/cpu.h"

enum {
    EVENTS = UEFI_EVENTS,
    EVENTS_OF_A_CORE = 2, /* one of a program, one of vpmu.efi below it */
    WAIT_STEP_US = 100,
};
#define MSR_APIC_BASE 0x1Bu
#define MSR_EFER      0xC0000080u
#define EFER_NXE      0x800u

static struct uefi_cores *const here = &bios.cores;

/* ---------------------------------------------------------------- events */

static struct uefi_event *event_of(EFI_EVENT handle)
{
    for (unsigned i = 0; i < here->events; i++)
        if (handle == &here->event[i] && here->event[i].used)
            return &here->event[i];
    return NULL;
}

EFI_STATUS EFIAPI uefi_create_event(UINT32 type, EFI_TPL level, EFI_EVENT_NOTIFY notify, VOID *context,
                                    EFI_EVENT *ret_event)
{
    if (type != 0 && type != EVT_NOTIFY_SIGNAL)
        return EFI_UNSUPPORTED;
    for (unsigned i = 0; i < here->events; i++) {
        if (here->event[i].used)
            continue;
        here->event[i] = (struct uefi_event){.used = true, .type = type, .notify = notify, .context = context};
        *ret_event = &here->event[i];
        return EFI_SUCCESS;
    }
    return EFI_OUT_OF_RESOURCES;
}

EFI_STATUS EFIAPI uefi_signal_event(EFI_EVENT handle)
{
    struct uefi_event *event = event_of(handle);

    if (!event)
        return EFI_INVALID_PARAMETER;
    if (event->type & EVT_NOTIFY_SIGNAL)
        event->notify(event, event->context);
    else
        event->signalled = true;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_check_event(EFI_EVENT handle)
{
    struct uefi_event *event = event_of(handle);

    if (!event || event->type & EVT_NOTIFY_SIGNAL)
        return EFI_INVALID_PARAMETER;
    uefi_cores_look();
    if (!event->signalled)
        return EFI_NOT_READY;
    event->signalled = false;
    return EFI_SUCCESS;
}

/* ---------------------------------------------------------------- cores */

void uefi_cores_look(void)
{
    for (unsigned i = 0; i < here->cores; i++) {
        struct uefi_core *core = &here->core[i];

        if (!core->busy || !startup_ended(core->mailbox))
            continue;
        core->busy = false;
        startup_rest(core->mailbox);
        if (core->event)
            (void)uefi_signal_event(core->event);
    }
}

static const void *map(const struct physical_memory *memory, uint64_t address, size_t size)
{
    return address + size <= 1ull << 32 || address + size <= memory_top(&bios.memory) ? (const void *)address : NULL;
}

static void add_core(uint32_t apic_id)
{
    unsigned at = here->cores;

    while (at && here->core[at - 1].apic_id > apic_id) {
        here->core[at] = here->core[at - 1];
        at--;
    }
    here->core[at] = (struct uefi_core){.apic_id = apic_id};
    here->cores++;
}

static struct startup_facts facts_of_processor(void)
{
    const struct ibs_family *row = NULL;
    struct cpu_cpuid vendor, version;

    cpu_cpuid(0, 0, &vendor);
    cpu_cpuid(1, 0, &version);
    if (vendor.ebx == 0x68747541) /* "Auth" of AuthenticAMD */
        row = ibs_family_of((version.eax >> 8 & 15) == 15 ? 15 + (version.eax >> 20 & 0xff) : version.eax >> 8 & 15,
                            (version.eax >> 12 & 0xf0) | (version.eax >> 4 & 15));
    return (struct startup_facts){
        .apic_msr = cpu_rdmsr(MSR_APIC_BASE),
        .tsc_khz = clock_tsc_khz(),
        .nxe = cpu_rdmsr(MSR_EFER) & EFER_NXE,
        .registers_known = row && row->traits & IBS_TRAIT_SILICON_KNOWN,
    };
}

/* Used until the cores have been counted, and on a machine with one. */
static void begin_alone(void)
{
    memset(here->first_event, 0, sizeof here->first_event);
    here->event = here->first_event;
    here->events = EVENTS;
    here->first_core = (struct uefi_core){0};
    here->core = &here->first_core;
    here->cores = 1;
    here->boot_core = 0;
}

/* Runs before any program starts, so no event is in use. */
static bool take_lists(uint32_t count)
{
    uint64_t events_size = (EVENTS + (uint64_t)EVENTS_OF_A_CORE * count) * sizeof *here->event;
    uint64_t size = events_size + count * sizeof *here->core;
    EFI_PHYSICAL_ADDRESS memory;

    if (uefi_allocate_pages(AllocateAnyPages, EfiBootServicesData, (size + MEMORY_PAGE - 1) / MEMORY_PAGE, &memory) !=
        EFI_SUCCESS)
        return false;
    memset((void *)memory, 0, size);
    here->event = (struct uefi_event *)memory;
    here->events = EVENTS + EVENTS_OF_A_CORE * count;
    here->core = (struct uefi_core *)(memory + events_size);
    return true;
}

bool uefi_cores_prepare(uint64_t acpi_root)
{
    static const struct physical_memory memory = {map};
    struct startup_facts facts;
    EFI_PHYSICAL_ADDRESS low = STARTUP_LOW_END - 1;
    struct madt madt;
    enum madt_error error = madt_find(&memory, acpi_root, &madt);
    uint32_t own;

    begin_alone();
    if (error) {
        console_say("%s: this core alone\n", madt_error_text(error));
        return false;
    }
    if (madt.cores < 2)
        return false;
    facts = facts_of_processor();
    if (uefi_allocate_pages(AllocateMaxAddress, EfiBootServicesData, STARTUP_LOW_BYTES / MEMORY_PAGE, &low) !=
            EFI_SUCCESS ||
        startup_prepare(&here->startup, &facts, (void *)low) != STARTUP_OK || !take_lists(madt.cores + 1)) {
        console_say("other cores cannot be started: this core alone\n");
        return false;
    }
    own = startup_own_id(&here->startup);
    here->cores = 0;
    add_core(own);
    for (uint32_t i = 0; i < madt.cores; i++)
        if (madt.apic_id[i] != own && startup_reaches(&here->startup, madt.apic_id[i]))
            add_core(madt.apic_id[i]);
    while (here->core[here->boot_core].apic_id != own)
        here->boot_core++;
    if (madt.more || here->cores < madt.cores)
        console_say("%u cores are used, of %u: the others %s\n", here->cores, madt.cores + madt.more,
                    madt.more ? "are more than there is room for" : "have APIC ids that only x2APIC mode reaches");
    return here->cores > 1;
}

EFI_STATUS EFIAPI uefi_mp_get_number(struct mp_services *mp, UINTN *ret_all, UINTN *ret_enabled)
{
    *ret_all = *ret_enabled = here->cores;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_mp_get_info(struct mp_services *mp, UINTN number, struct mp_processor *ret_info)
{
    if (number >= here->cores)
        return EFI_NOT_FOUND;
    ret_info->id = here->core[number].apic_id;
    ret_info->status = MP_ENABLED | MP_HEALTHY | (number == here->boot_core ? MP_BOOT : 0);
    ret_info->package = ret_info->core = ret_info->thread = 0;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_mp_who_am_i(struct mp_services *mp, UINTN *ret_number)
{
    uint32_t own = startup_own_id(&here->startup);

    for (unsigned i = 0; i < here->cores; i++) {
        if (here->core[i].apic_id == own) {
            *ret_number = i;
            return EFI_SUCCESS;
        }
    }
    return EFI_NOT_FOUND;
}

/* Runs on the other core. */
static void run(void *argument)
{
    struct uefi_core *core = argument;

    core->procedure(core->argument);
}

EFI_STATUS EFIAPI uefi_mp_startup(struct mp_services *mp, mp_procedure procedure, UINTN number, EFI_EVENT event,
                                  UINTN microseconds, VOID *argument, BOOLEAN *finished)
{
    struct uefi_core *core = &here->core[number];
    EFI_PHYSICAL_ADDRESS memory;

    if (number >= here->cores)
        return EFI_NOT_FOUND;
    if (number == here->boot_core || !procedure)
        return EFI_INVALID_PARAMETER;
    uefi_cores_look();
    /* INIT ends whatever the core does: a core whose function never returned can be started again, as by EDK II
     * (StartupThisAPWorker in UefiCpuPkg/Library/MpInitLib/MpLib.c has no state "busy"). */
    core->busy = false;
    if (!core->mailbox) {
        if (uefi_allocate_pages(AllocateAnyPages, EfiBootServicesData, STARTUP_CORE_BYTES / MEMORY_PAGE, &memory) !=
            EFI_SUCCESS)
            return EFI_OUT_OF_RESOURCES;
        core->mailbox = (struct startup_core *)memory;
    }
    core->event = event_of(event);
    if (startup_begin(&here->startup, core->mailbox, core->apic_id) != STARTUP_OK)
        return EFI_TIMEOUT;
    core->procedure = procedure;
    core->argument = argument;
    core->busy = true;
    startup_run(core->mailbox, run, core);
    for (UINTN waited = 0; !event && core->busy; waited += WAIT_STEP_US) {
        if (microseconds && waited > microseconds)
            return EFI_TIMEOUT;
        clock_wait(WAIT_STEP_US);
        uefi_cores_look();
    }
    if (finished)
        *finished = !core->busy;
    return EFI_SUCCESS;
}
