/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers of power from Zen on: levels of performance (CPPC) and counts of energy (RAPL). Both are registers alone:
 * the model's clock stays as it is. Sources: Linux arch/x86/include/asm/msr-index.h (MSR_AMD_CPPC_CAP1 to _STATUS,
 * MSR_AMD_RAPL_POWER_UNIT, _CORE_ENERGY_STATUS, _PKG_ENERGY_STATUS), drivers/cpufreq/amd-pstate.c, which finds CPPC's
 * registers by CPUID 8000_0008h EBX[27], and arch/x86/events/rapl.c, which finds RAPL's by CPUID 8000_0007h EDX[14].
 */
#include "vpmu/model/hostile.h"
#include "vpmu/model/state.h"

enum {
    MSR_POWER_UNIT = 0xC0010299,
    MSR_CORE_ENERGY,
    MSR_PACKAGE_ENERGY,
    MSR_CPPC_CAP1 = 0xC00102B0,
    MSR_CPPC_ENABLE,
    MSR_CPPC_CAP2,
    MSR_CPPC_REQUEST,
    MSR_CPPC_STATUS,
    UNITS = 0xA1003, /* choice: power 2^-3 W in 3:0, energy 2^-16 J in 12:8, time 2^-10 s in 19:16 */
    CAP1 = 166 << 24 | 120 << 16 | 60 << 8 | 20, /* choice: highest, nominal, lowest that saves, lowest level */
    REQUEST = 0x80 << 24 | 20 << 8 | 166,        /* choice: a preference, the least and the most */
    CORE_UNITS = 197,                            /* choice, in each millisecond: 3 W of a core, */
    BASE_UNITS = 655,                            /* and 10 W of the processor beside its cores */
};

uint32_t power_features(const struct vpmu *vpmu, uint32_t leaf)
{
    if (leaf == 0x80000008)
        return vpmu->params->cppc ? 1u << 27 : 0;
    return vpmu->params->events == EVENTS_ZEN ? 1u << 14 : 0;
}

void power_init(struct vpmu *vpmu)
{
    vpmu->cppc_request = (uint32_t)REQUEST;
}

/* Returns a count of energy, which the processor adds up each millisecond (rapl.c, by which perf polls). */
static uint32_t energy(const struct vpmu *vpmu, uint64_t units)
{
    return (uint32_t)(vpmu_tsc(vpmu) / vpmu_tsc_khz(vpmu) * units);
}

static bool energies_fault(const struct vpmu *vpmu)
{
    return vpmu->params->events != EVENTS_ZEN || hostile_has(vpmu->config.hostile, HOSTILE_ENERGY_FAULTS);
}

/* Reads with CPPC on, as firmware left it (choice); it stays on until a reset. */
enum vpmu_access power_read(const struct vpmu *vpmu, uint32_t msr, uint64_t *value)
{
    uint32_t cores = vpmu->nodes->cores / vpmu->nodes->count;

    if (msr >= MSR_POWER_UNIT && msr <= MSR_PACKAGE_ENERGY) {
        if (energies_fault(vpmu))
            return params_later(vpmu->params) ? VPMU_GP : VPMU_NOT_MINE;
        *value = msr == MSR_POWER_UNIT    ? UNITS
                 : msr == MSR_CORE_ENERGY ? energy(vpmu, CORE_UNITS)
                                          : energy(vpmu, BASE_UNITS + CORE_UNITS * cores);
        return VPMU_OK;
    }
    if (msr < MSR_CPPC_CAP1 || msr > MSR_CPPC_STATUS)
        return VPMU_NOT_MINE;
    if (!vpmu->params->cppc)
        return params_later(vpmu->params) ? VPMU_GP : VPMU_NOT_MINE;
    *value = msr == MSR_CPPC_CAP1      ? (uint32_t)CAP1
             : msr == MSR_CPPC_ENABLE  ? 1
             : msr == MSR_CPPC_REQUEST ? vpmu->cppc_request
                                       : 0;
    return VPMU_OK;
}

enum vpmu_access power_write(struct vpmu *vpmu, uint32_t msr, uint64_t value)
{
    uint64_t before;
    enum vpmu_access access = power_read(vpmu, msr, &before);

    if (access != VPMU_OK)
        return access;
    if (msr == MSR_CPPC_REQUEST && !hostile_has(vpmu->config.hostile, HOSTILE_CPPC_IGNORED))
        vpmu->cppc_request = (uint32_t)value;
    /* Registers that count or tell are not to be written (choice); the switch keeps its value. */
    return msr == MSR_CPPC_REQUEST || msr == MSR_CPPC_ENABLE ? VPMU_OK : VPMU_GP;
}
