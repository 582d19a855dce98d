/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Other cores. Firmware wakes them by INIT and SIPI, which end guest mode, and runs the procedure that it was given. So
 * its MP Services (UEFI Platform Initialization specification, vol. 2, section 13.4) are wrapped: a started procedure
 * first makes its core a guest of the shim, with its own model, and then continues. The core stays a guest until the
 * next INIT. Cores that the guest starts itself are startup.c's.
 */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/firmware/efi.h"

#include "efi/mp_services.h"
#include "vpmu/model/hostile.h"
#include "vpmu/shim/firmware/serial.h"
#include "vpmu/shim/shim.h"
#include "vpmu/shim/startup.h"
#include "vpmu/shim/firmware/truths.h"

enum { CR0_TS = 8, CR4_OSFXSR = 0x200, CR4_OSXMMEXCPT = 0x400 };

struct core {
    UINTN number; /* firmware's */
    mp_procedure what;
    VOID *argument;
    uint64_t before; /* digest of the model's registers */
    bool dead;
    /* HOSTILE_MP_FREEZES: until the firmware signals its event, the core is not idle. */
    EFI_EVENT own, guests;
    bool away;
};

/* Kept here and not in struct hypervisor, which has nothing of UEFI: the guest calls startup() as the firmware's. */
static struct {
    struct mp_services *services, own; /* 'own': as the firmware had them */
    bool frozen;                       /* HOSTILE_MP_FREEZES: a call came too early */
    struct core core[WORLD_CORES];
} firmware;

/* Registers that a profiler programs, and should restore. */
static const uint32_t registers[] = {MSR_IBS_FETCH_CTL,  MSR_IBS_OP_CTL,     MSR_PERF_CTL0,       MSR_PERF_CTL0 + 1,
                                     MSR_PERF_CTL0 + 2,  MSR_PERF_CTL0 + 3,  MSR_PERF_CTR0,       MSR_PERF_CTR0 + 1,
                                     MSR_PERF_CTR0 + 2,  MSR_PERF_CTR3,      MSR_IBS_CONTROL,     MSR_NB_CFG,
                                     MSR_PERF_CTL_2 + 8, MSR_PERF_CTL_2 + 9, MSR_PERF_CTL_2 + 10, MSR_PERF_CTL_2 + 11};
static const uint32_t apic_registers[] = {0xF0, 0x340, 0x500, 0x510, 0x520, 0x530};

/* Returns a sum weighted by odd numbers: it changes with any single register. */
uint64_t cores_digest(struct shim *shim, bool spurious)
{
    uint64_t sum = 0, value;
    uint32_t apic;
    for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++)
        sum = sum * 31 + (vpmu_rdmsr(shim->model, registers[i], &value) == VPMU_OK ? value : 0);
    for (unsigned i = spurious ? 0 : 1; i < sizeof apic_registers / sizeof apic_registers[0]; i++)
        sum = sum * 31 + (vpmu_apic_read(shim->model, apic_registers[i], &apic) == VPMU_OK ? apic : 0);
    return sum;
}

/* HOSTILE_BARE_CORE. */
static void make_bare(struct shim *shim)
{
    static const uint16_t fcw = 0x40;
    /* A core that was bare in an earlier procedure still has CR0.TS, with which FLDCW is #NM. */
    __asm__ volatile("clts; fldcw %0" : : "m"(fcw));
    shim->vmcb->cr0 |= CR0_TS;
    shim->vmcb->cr4 &= ~(uint64_t)(CR4_OSFXSR | CR4_OSXMMEXCPT);
}

/* Runs on the other core, called by firmware. */
static VOID EFIAPI begin(VOID *argument)
{
    struct shim *shim = argument;
    struct core *core = &firmware.core[shim->core];
    while (core->dead || (shim->core == 1 && hostile_has(shim->settings.hostile, HOSTILE_MP_LOSES)))
        __asm__ volatile("cli; hlt");
    shim->nmi = (struct nmi){.delivered = shim->nmi.delivered};
    shim->host_step = HOST_STEP_NONE;
    startup_give_mtrrs();
    shim->x2apic = shim->settings.x2apic;
    svm_begin(shim);
    if (hostile_has(shim->settings.hostile, HOSTILE_BARE_CORE))
        make_bare(shim);
    world_enter_guest(&shim->world);
    core->what(core->argument);
}

static VOID EFIAPI core_is_idle(EFI_EVENT event, VOID *argument)
{
    struct core *core = argument;
    core->away = false;
    (void)system_table->BootServices->SignalEvent(core->guests);
}

/* Replaces the guest's event by one of the shim's. Returns false if the call comes too early. */
static bool watch_event(struct core *core, EFI_EVENT *event)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    firmware.frozen = firmware.frozen || core->away;
    if (firmware.frozen ||
        (!core->own && EFI_ERROR(boot->CreateEvent(EVT_NOTIFY_SIGNAL, TPL_CALLBACK, core_is_idle, core, &core->own))))
        return false;
    core->guests = *event;
    core->away = true;
    *event = core->own;
    return true;
}

static EFI_STATUS EFIAPI startup(struct mp_services *mp, mp_procedure what, UINTN number, EFI_EVENT event,
                                 UINTN microseconds, VOID *argument, BOOLEAN *finished)
{
    uint32_t i = 1;
    if (hostile_has(hypervisor.shim[0].settings.hostile, HOSTILE_MP_REFUSES))
        return EFI_UNSUPPORTED;
    if (firmware.frozen)
        return EFI_NOT_READY;
    while (i < hypervisor.cores && firmware.core[i].number != number)
        i++;
    if (i == hypervisor.cores)
        return firmware.own.startup(mp, what, number, event, microseconds, argument, finished);
    firmware.core[i].what = what;
    firmware.core[i].argument = argument;
    if (hostile_has(hypervisor.shim[0].settings.hostile, HOSTILE_MP_FREEZES) && !watch_event(&firmware.core[i], &event))
        return EFI_NOT_READY;
    hypervisor.startup.passes = true;
    EFI_STATUS status = firmware.own.startup(mp, begin, number, event, microseconds, &hypervisor.shim[i], finished);
    hypervisor.startup.passes = false;
    return status;
}

static bool add_core(UINTN number, UINTN all, const struct vpmu_config *first)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    struct shim *shim = &hypervisor.shim[hypervisor.cores];
    struct vpmu_config config = *first;
    size_t size = vpmu_size_with_own(config.map, config.revision),
           pages = (sizeof *shim->pages + EFI_PAGE_MASK) / EFI_PAGE_SIZE;
    EFI_PHYSICAL_ADDRESS memory;
    if (EFI_ERROR(boot->AllocatePages(AllocateAnyPages, EfiRuntimeServicesData,
                                      pages + (size + EFI_PAGE_MASK) / EFI_PAGE_SIZE, &memory)))
        return false;
    config.with = hypervisor.shim[0].model;
    config.node = (uint32_t)(number * config.nodes / all); /* firmware sorts them by APIC ID */
    config.seed += hypervisor.cores;
    config.context = shim;
    shim->core = hypervisor.cores;
    shim->settings = hypervisor.shim[0].settings;
    shim->pages = (struct shim_pages *)memory;
    shim->model = vpmu_init((void *)(memory + pages * EFI_PAGE_SIZE), size, &config);
    firmware.core[hypervisor.cores].number = number;
    hypervisor.cores++;
    return shim->model != NULL;
}

static void hide_services(void)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    EFI_HANDLE handles[4];
    UINTN size = sizeof handles;
    if (!EFI_ERROR(boot->LocateHandle(ByProtocol, &(EFI_GUID)MP_SERVICES_GUID, NULL, &size, handles)))
        (void)boot->UninstallProtocolInterface(handles[0], &(EFI_GUID)MP_SERVICES_GUID, firmware.services);
}

/* Prepares for cores that the guest starts itself. */
static bool prepare_startup(void)
{
    EFI_PHYSICAL_ADDRESS page = 0x9ffff;
    if (hypervisor.cores > 1 &&
        EFI_ERROR(system_table->BootServices->AllocatePages(AllocateMaxAddress, EfiRuntimeServicesData, 1, &page))) {
        say("vpmu: no memory below 640 KB\n");
        return false;
    }
    for (uint32_t i = 1; i < hypervisor.cores; i++) {
        struct mp_processor info;
        if (!EFI_ERROR(firmware.services->get_info(firmware.services, firmware.core[i].number, &info)))
            startup_add(&hypervisor.shim[i], (uint32_t)info.id, firmware.core[i].dead);
    }
    startup_place(hypervisor.cores > 1 ? (void *)page : NULL);
    return true;
}

bool cores_prepare(const struct vpmu_config *config, uint32_t dead, bool hide)
{
    UINTN all = 1, enabled = 1, self = 0;
    if (EFI_ERROR(system_table->BootServices->LocateProtocol(&(EFI_GUID)MP_SERVICES_GUID, NULL,
                                                             (VOID **)&firmware.services)) ||
        EFI_ERROR(firmware.services->get_number(firmware.services, &all, &enabled)) ||
        EFI_ERROR(firmware.services->who_am_i(firmware.services, &self)))
        return nodes_divide_cores(config->nodes, 1);
    if (!nodes_divide_cores(config->nodes, (uint32_t)all))
        return false;
    for (UINTN n = 0; n < all && hypervisor.cores < WORLD_CORES; n++) {
        if (n != self && !add_core(n, all, config)) {
            say("vpmu: no memory for another core\n");
            return false;
        }
    }
    if (all > WORLD_CORES)
        say("vpmu: the virtual PMU has %u cores, this machine %u: the others are without it\n", WORLD_CORES,
            (unsigned)all);
    if (dead < hypervisor.cores)
        firmware.core[dead].dead = dead != 0;
    for (uint32_t i = 1; i < hypervisor.cores; i++)
        firmware.core[i].before = cores_digest(&hypervisor.shim[i], true);
    if (!hypervisor.shim[0].settings.os && !prepare_startup())
        return false;
    startup_keep_mtrrs();
    firmware.own = *firmware.services;
    firmware.services->startup = startup;
    if (hide)
        hide_services();
    return true;
}

static VOID EFIAPI answer(VOID *argument)
{
    *(volatile bool *)argument = true;
}

/* Returns whether firmware, or whoever comes next, can start a core that the guest has started. */
static bool taken_back(uint32_t i)
{
    enum { PATIENCE_US = 1000000 };
    bool answered = false;
    hypervisor.startup.passes = true;
    EFI_STATUS status =
        firmware.own.startup(firmware.services, answer, firmware.core[i].number, NULL, PATIENCE_US, &answered, NULL);
    hypervisor.startup.passes = false;
    say("vpmu: core %u: started by the guest; the firmware %s\n", i,
        answered && !EFI_ERROR(status) ? "starts it again" : "CANNOT START IT");
    return answered && !EFI_ERROR(status);
}

bool cores_end(void *device)
{
    bool good = true;
    for (uint32_t i = 1; i < hypervisor.cores; i++) {
        struct shim *shim = &hypervisor.shim[i];
        bool same = startup_was(shim) ? startup_restored(shim)
                                      : cores_digest(shim, true) == firmware.core[i].before && !vpmu_armed(shim->model);
        say("vpmu: core %u: %llu steps, %llu exits, %llu NMIs; registers of the model %s\n", i,
            (unsigned long long)shim->stepper.steps, (unsigned long long)shim->exits,
            (unsigned long long)shim->nmi.delivered, same ? "as before" : "NOT RESTORED");
        /* A core that was stopped in the middle of its measurement would be stepped in the firmware. */
        good = same && (!startup_was(shim) || taken_back(i)) && good;
        truths_write(device, shim);
    }
    return good;
}
