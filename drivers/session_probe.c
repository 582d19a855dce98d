/* SPDX-License-Identifier: BSD-2-Clause */
/* What a session does outside of runs: it describes the machine, and stops a core that was lost. */
#include "drivers/session.h"

#include <stddef.h>

#include "drivers/apic.h"
#include "drivers/cpu.h"
#include "drivers/session_workspace.h"
#include "drivers/silicon.h"

struct probing {
    struct machine *machine;
    struct restore_log log;
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

enum session_error session_probe(struct machine *machine, void *memory)
{
    if (!session_workspace_ok(memory))
        return SESSION_NO_WORKSPACE;
    struct workspace *workspace = memory;
    struct probing probing = {.machine = machine};
    workspace->faults = (struct fault_context){0};
    restore_init(&probing.log);
    ibs_init(&workspace->sampling.nmi, &(struct ibs_settings){0}, 0, 0, NULL, 0);

    bool flag = cpu_flags() & CPU_FLAG_INTERRUPT;
    cpu_cli();
    enum session_error error = tables_install(&workspace->tables, 0, &workspace->faults, &workspace->sampling.nmi);
    if (!error) {
        if (fault_guard(&workspace->faults, 0, probe, &probing, 0))
            error = SESSION_FAULT;
        while (!restore_done(&probing.log))
            (void)fault_guard(&workspace->faults, 0, undo, &probing.log, 0);
        machine->probe_not_restored = restore_failures(&probing.log);
        tables_remove(&workspace->tables, NULL);
    }
    if (flag)
        cpu_sti();
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
