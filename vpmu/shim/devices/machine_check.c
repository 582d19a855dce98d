/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HOSTILE_MACHINE_CHECK: one #MC in the measured part, and the registers that describe it (AMD APM vol. 2 section 9.3).
 */
#include "vpmu/model/hostile.h"
#include "vpmu/shim/shim.h"

enum { VECTOR_MC = 18, AFTER_NMIS = 3, MSR_MCG_CAP = 0x179, MSR_MCG_STATUS = 0x17A, MSR_MC0_STATUS = 0x401 };

/* The status that erratum 383 (AMD 41322) has: two translations of an address in the L1 DTLB; with an address. */
#define MC0_STATUS 0xB600000000010015ull
#define MC0_ADDR   0x401234000ull

bool machine_check_due(const struct shim *shim)
{
    return hostile_has(shim->settings.hostile, HOSTILE_MACHINE_CHECK) && !shim->check.raised &&
           shim->nmi.delivered >= AFTER_NMIS;
}

void machine_check_raise(struct shim *shim)
{
    shim->check.raised = true;
    shim->check.reg[CHECK_GLOBAL] = 5; /* MCIP, RIPV */
    shim->check.reg[CHECK_STATUS] = MC0_STATUS;
    shim->check.reg[CHECK_ADDRESS] = MC0_ADDR;
    exit_inject_exception(shim, VECTOR_MC);
}

enum vpmu_access machine_check_access(struct shim *shim, uint32_t msr, bool write, uint64_t *value)
{
    static const uint32_t msrs[CHECK_REGISTERS] = {MSR_MCG_STATUS, MSR_MC0_STATUS, MSR_MC0_STATUS + 1};
    if (!hostile_has(shim->settings.hostile, HOSTILE_MACHINE_CHECK))
        return VPMU_NOT_MINE;
    if (msr == MSR_MCG_CAP && !write) {
        *value = 0x106; /* six banks, MCG_CTL */
        return VPMU_OK;
    }
    for (unsigned i = 0; i < CHECK_REGISTERS; i++) {
        if (msrs[i] != msr)
            continue;
        if (write)
            shim->check.reg[i] = *value;
        else
            *value = shim->check.reg[i];
        return VPMU_OK;
    }
    return VPMU_NOT_MINE;
}
