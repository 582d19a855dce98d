/* SPDX-License-Identifier: BSD-2-Clause */
/* Work of a session outside of runs: it describes the machine, and stops a core that was lost. */
#include "drivers/session/session.h"

#include <stddef.h>

#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/session/session_workspace.h"
#include "drivers/machine/silicon.h"
#include "drivers/machine/zen_ibs.h"

struct probing {
    struct machine *machine;
    struct restore_log log;
    enum session_error error;
};

static void undo(void *log, uint64_t unused)
{
    restore_undo(log);
}

static void probe(void *argument, uint64_t unused)
{
    struct probing *probing = argument;
    machine_probe(probing->machine);
    silicon_read(probing->machine, &probing->log);
}

/* Calls with interrupts off and our own tables, and puts changes back. *ret_left: registers that read otherwise. */
static enum session_error guarded(struct probing *probing, void *memory, void (*function)(void *, uint64_t),
                                  uint32_t *ret_left)
{
    if (!session_workspace_ok(memory))
        return SESSION_NO_WORKSPACE;
    struct workspace *workspace = memory;
    workspace->faults = (struct fault_context){0};
    restore_init(&probing->log);
    ibs_init(&workspace->sampling.nmi, &(struct ibs_settings){0}, 0, 0, NULL, 0);

    bool flag = cpu_flags() & CPU_FLAG_INTERRUPT;
    cpu_cli();
    enum session_error error = tables_install(&workspace->tables, &workspace->faults, &workspace->sampling.nmi);
    if (!error) {
        if (fault_guard(&workspace->faults, 0, function, probing, 0))
            error = SESSION_FAULT;
        while (!restore_done(&probing->log))
            (void)fault_guard(&workspace->faults, 0, undo, &probing->log, 0);
        *ret_left = restore_failures(&probing->log);
        tables_remove(&workspace->tables, NULL);
    }
    if (flag)
        cpu_sti();
    return error;
}

enum session_error session_probe(struct machine *machine, void *memory)
{
    struct probing probing = {.machine = machine};
    uint32_t left = 0;
    enum session_error error = guarded(&probing, memory, probe, &left);
    machine->probe_not_restored = left;
    return error;
}

static void switch_on(void *argument, uint64_t unused)
{
    struct probing *probing = argument;
    uint64_t detail;
    probing->error = zen_ibs_switch_on(probing->machine, false, &probing->log, &detail);
    if (probing->error)
        return;
    machine_probe_ibs(probing->machine);
    /* The source goes by the leaf alone, and gives up when that says nothing. */
    if (!probing->machine->ibs || !probing->machine->ibs_leaf)
        probing->error = SESSION_IBS_SWITCH;
}

static void switch_off(struct machine *machine)
{
    machine->ibs = machine->ibs_leaf = machine->ibs_switched = false;
    machine->ibs_caps = 0;
}

enum session_error session_switch_ibs(struct machine *machine, void *memory, bool on)
{
    struct probing probing = {.machine = machine};
    uint32_t left = 0;
    if (machine->ibs_switched)
        switch_off(machine);
    if (!on || machine->ibs || !machine->row)
        return SESSION_OK;
    if (!zen_ibs_known(machine))
        return SESSION_IBS_SWITCH_UNKNOWN;
    enum session_error error = guarded(&probing, memory, switch_on, &left);
    if (!error)
        error = probing.error;
    if (left)
        error = SESSION_RESTORE;
    if (error)
        switch_off(machine);
    machine->ibs_switched = !error;
    return error;
}

void session_stop_core(const struct machine *machine, uint32_t apic_id)
{
    uint64_t apic;
    bool flag = cpu_flags() & CPU_FLAG_INTERRUPT;
    if (apic_find(machine->apic_msr, &apic))
        return;
    cpu_cli(); /* the firmware sends by the same two registers */
    apic_send_init(apic, apic_id);
    if (flag)
        cpu_sti();
}
