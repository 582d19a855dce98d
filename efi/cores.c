/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Other cores, by MP Services. A started core has neither boot services nor interrupts; it gets the firmware's
 * descriptor and page tables, and a stack.
 */
#include "efi/efi_firmware.h"
#include "efi/mp_services.h"

/* The firmware checks only now and then whether a core is idle again (EDK II: every 100 ms). */
enum { IDLE_TRIES = 200, IDLE_STEP_US = 10000 };

/* Returns false if there is no such service, or no memory for a list of its cores. */
static bool find_cores(struct efi_firmware *efi, UINTN *ret_all, UINTN *ret_self)
{
    EFI_BOOT_SERVICES *boot = efi->system->BootServices;
    UINTN enabled;

    return boot->LocateProtocol(&(EFI_GUID)MP_SERVICES_GUID, NULL, (VOID **)&efi->mp) == EFI_SUCCESS &&
           efi->mp->get_number(efi->mp, ret_all, &enabled) == EFI_SUCCESS &&
           efi->mp->who_am_i(efi->mp, ret_self) == EFI_SUCCESS &&
           boot->AllocatePool(EfiLoaderData, (*ret_all + 1) * sizeof(*efi->core), (VOID **)&efi->core) == EFI_SUCCESS;
}

void efi_cores_open(struct efi_firmware *efi)
{
    UINTN all = 0, self = 0;
    struct mp_processor info;

    efi->cores = 1;
    if (!find_cores(efi, &all, &self)) {
        efi->mp = NULL;
        efi->core = NULL;
        return;
    }
    efi->core[0] = (struct efi_core){.number = self};
    for (UINTN n = 0; n < all; n++)
        if (n != self && efi->mp->get_info(efi->mp, n, &info) == EFI_SUCCESS && (info.status & MP_ENABLED) &&
            (info.status & MP_HEALTHY))
            efi->core[efi->cores++] = (struct efi_core){.number = n};
}

void efi_cores_close(struct efi_firmware *efi)
{
    for (uint32_t core = 0; efi->core && core < efi->cores; core++)
        if (!efi_core_ended(&efi->firmware, core))
            return;
    if (efi->core)
        (void)efi->system->BootServices->FreePool(efi->core);
    efi->core = NULL;
}

enum firmware_error efi_count_cores(struct firmware *fw, uint32_t *ret_count)
{
    *ret_count = efi_of(fw)->cores;
    return efi_of(fw)->mp ? FIRMWARE_OK : FIRMWARE_NO_CORES;
}

enum firmware_error efi_core_apic_id(struct firmware *fw, uint32_t core, uint32_t *ret_id)
{
    struct efi_firmware *efi = efi_of(fw);
    struct mp_processor info;

    if (!efi->mp)
        return FIRMWARE_NO_CORES;
    if (core >= efi->cores || efi->mp->get_info(efi->mp, efi->core[core].number, &info) != EFI_SUCCESS)
        return FIRMWARE_NOT_FOUND;
    *ret_id = (uint32_t)info.id;
    return FIRMWARE_OK;
}

/* Runs on the other core, by the firmware's calling convention. */
static VOID EFIAPI procedure(VOID *argument)
{
    struct efi_core *core = argument;

    core->function(core->argument);
    __atomic_store_n(&core->running, 0, __ATOMIC_RELEASE);
}

bool efi_core_ended(struct firmware *fw, uint32_t core)
{
    struct efi_firmware *efi = efi_of(fw);

    return core >= efi->cores || !efi->core || !__atomic_load_n(&efi->core[core].running, __ATOMIC_ACQUIRE);
}

/* Returns whether the firmware has noticed that the core returned. EDK II of 2014 (UefiCpuPkg CpuMp.c) stops checking
 * for good if it is asked to start a core before that, so it is not asked. */
static bool idle(EFI_BOOT_SERVICES *boot, const struct efi_core *core)
{
    for (unsigned i = 0; i < IDLE_TRIES; i++) {
        if (boot->CheckEvent(core->event) == EFI_SUCCESS)
            return true;
        (void)boot->Stall(IDLE_STEP_US);
    }
    return false;
}

/* After ReadyToBoot, when a boot manager starts programs, the specification requires firmware to refuse calls that do
 * not wait. */
static enum firmware_error error_of(EFI_STATUS status)
{
    switch (status) {
    case EFI_SUCCESS:
        return FIRMWARE_OK;
    case EFI_NOT_READY:
        return FIRMWARE_CORE_BUSY;
    case EFI_UNSUPPORTED:
        return FIRMWARE_CORE_REFUSED;
    default:
        return FIRMWARE_FAILED;
    }
}

enum firmware_error efi_start_core(struct firmware *fw, uint32_t index, void (*function)(void *argument),
                                   void *argument)
{
    struct efi_firmware *efi = efi_of(fw);
    EFI_BOOT_SERVICES *boot = efi->system->BootServices;
    struct efi_core *core;
    EFI_STATUS status;

    if (!efi->mp)
        return FIRMWARE_NO_CORES;
    if (index == 0 || index >= efi->cores)
        return FIRMWARE_NOT_FOUND;
    core = &efi->core[index];
    if (!efi_core_ended(fw, index))
        return FIRMWARE_CORE_BUSY;
    /* With an event the call does not wait for the procedure's end. */
    if (!core->event && boot->CreateEvent(0, TPL_NOTIFY, NULL, NULL, &core->event) != EFI_SUCCESS)
        return FIRMWARE_FAILED;
    core->status = EFI_NOT_READY;
    if (core->started && !idle(boot, core))
        return FIRMWARE_CORE_BUSY;
    core->function = function;
    core->argument = argument;
    core->running = 1;
    status = efi->mp->startup(efi->mp, procedure, core->number, core->event, 0, core, NULL);
    core->status = status;
    core->started = status == EFI_SUCCESS;
    if (!core->started)
        core->running = 0;
    return error_of(status);
}

void efi_core_started(struct firmware *fw, uint32_t core, struct firmware_start *ret_start)
{
    const struct efi_firmware *efi = efi_of(fw);

    *ret_start = (struct firmware_start){.status = efi->core && core < efi->cores ? efi->core[core].status : 0};
}
