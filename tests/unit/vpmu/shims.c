/* SPDX-License-Identifier: BSD-2-Clause */
/* The cores of the shim, for those of its files that are tested without the rest (otherwise vpmu/shim/entry.c has the
 * cores). */
#include "vpmu/shim/hypervisor.h"

struct hypervisor hypervisor;

/* Stands in for step.c, which needs a guest. */
bool step_on(const struct shim *shim)
{
    (void)shim;
    return false;
}
