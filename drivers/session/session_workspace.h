/* SPDX-License-Identifier: BSD-2-Clause */
/* Layout of what plan->place.workspace points to; for drivers/session/session*.c alone. */
#ifndef DRIVERS_SESSION_WORKSPACE_H
#define DRIVERS_SESSION_WORKSPACE_H

#include "drivers/session/sampling.h"
#include "drivers/pmu/tables.h"

/* Everything whose address must not change during a run. */
struct workspace {
    struct tables tables;
    struct fault_context faults;
    struct sampling sampling;
    struct cpu_fpu fpu;
    bool fpu_saved;
};

static inline bool session_workspace_ok(const void *workspace)
{
    return workspace && (uintptr_t)workspace % 4096 == 0;
}

#endif
