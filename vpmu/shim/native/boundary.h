/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does what both ways of stepping share at each instruction boundary (boundary.c, native.c). Inline: on the path of
 * every step.
 */
#ifndef VPMU_SHIM_BOUNDARY_H
#define VPMU_SHIM_BOUNDARY_H

#include "vpmu/model/inline.h"
#include "vpmu/shim/shim.h"

enum { OPCODE_IRET = 0xcf, PREFIX_REX_W = 0x48, PREFIX_TWO_BYTES = 0x0f };

/* Returns whether boundaries must be announced to the model. */
INLINED bool boundary_told(const struct shim *shim)
{
    return shim->stepper.armed || (shim->nmi.in_service && shim->stepper.hold);
}

/* Announces the boundary to the model. Returns true if the host must act there. */
INLINED bool boundary_announce(struct shim *shim, uint64_t rip, const uint64_t gpr[16])
{
    shim->stepper.steps++;
    if (USUALLY(boundary_told(shim)) && RARELY(vpmu_step(shim->model, rip, gpr))) {
        shim->nmi.pending = true;
        shim->nmi.of_step = !shim->nmi.in_service;
    }
    if (USUALLY(!shim->nmi.in_service))
        return RARELY(shim->nmi.pending || !shim->stepper.armed);
    if (!step_wanted(shim))
        return true;
    shim->costs.instructions += shim->settings.count_handler;
    return false;
}

/* Takes an IRETQ, before which NMIs are not open yet. Returns true if the host must act there. */
bool boundary_iretq(struct shim *shim, const uint64_t gpr[16]);

#endif
