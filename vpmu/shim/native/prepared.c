/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/native/prepared.h"

#include "vpmu/shim/native/native.h"

/* Reads one number of the table. Returns false if it is not mapped to memory. */
static bool read(const struct shim *shim, uint64_t linear, uint64_t *number)
{
    uint64_t at = linear % sizeof *number ? 0 : step_guest_address(shim, linear);
    *number = at ? *(const uint64_t *)at : 0;
    return at != 0;
}

static bool fill(struct shim *shim)
{
    uint64_t at = shim->filled, count, linear, bytes;
    if (!read(shim, at, &count) || count > VPMU_PREPARED_RANGES)
        return false;
    for (at += sizeof count; count; count--, at += sizeof linear + sizeof bytes) {
        if (!read(shim, at, &linear) || !read(shim, at + sizeof linear, &bytes))
            return false;
        vpmu_prepared(shim->model, linear, bytes);
    }
    return true;
}

uint32_t prepared_work(uint32_t core, uint64_t rip, uint64_t gpr[16])
{
    hypervisor.shim[core].filled_well = fill(&hypervisor.shim[core]);
    return 0;
}

enum vpmu_access prepared_access(struct shim *shim, bool write, uint64_t *value)
{
    if (!write) {
        *value = 0;
        return VPMU_OK;
    }
    shim->filled = *value;
    shim->filled_well = false;
    if (hypervisor.native.stepping)
        PLUGIN_RING(BELL_WORK);
    else
        prepared_work((uint32_t)(shim - hypervisor.shim), 0, NULL);
    return shim->filled_well ? VPMU_OK : VPMU_GP;
}
