/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/power.h"

#include "drivers/cpu/cpu.h"

#define MSR_HWCR           0xC0010015u
#define MSR_PSTATE_LIMIT   0xC0010061u /* 6:4: highest number there is */
#define MSR_PSTATE_CONTROL 0xC0010062u /* 2:0: the one asked for */
#define MSR_PSTATE_STATUS  0xC0010063u /* 2:0: the one in force */
#define PSTATE             7ull
#define HWCR_CPB_DIS       (1ull << 25)
/* Linux arch/x86/include/asm/msr-index.h, MSR_AMD_CPPC_REQ, AMD_CPPC_MAX_PERF_MASK, _MIN_, _DES_: 7:0, 15:8, 23:16. */
#define MSR_CPPC_REQUEST 0xC00102B3u
#define CPPC_LEVELS      0xFFFFFFull
#define CPPC_EACH        0x010101ull
/* FreeBSD sys/amd64/amd64/initcpu.c, init_amd: DE_CFG_10H_12H_STACK_POINTER_JUMP_FIX_BIT. */
#define MSR_DE_CFG   0xC0011029u
#define DE_CFG_STACK (1ull << 0)

/* Checks by the probe's registers whether firmware left CPPC on, and the levels of C001_02B0 (7:0 lowest, 31:24
 * highest; core/platform/silicon_rows.h). */
static enum session_error check_cppc(uint8_t level, const struct silicon *silicon)
{
    uint64_t levels = silicon->value[SILICON_CPPC_CAP1];

    if (!silicon_has(silicon, SILICON_CPPC_ENABLE) || !(silicon->value[SILICON_CPPC_ENABLE] & 1) ||
        !silicon_has(silicon, SILICON_CPPC_CAP1))
        return SESSION_NO_CPPC;
    return level < (levels & 0xFF) || level > (levels >> 24 & 0xFF) ? SESSION_CPPC_LEVEL : SESSION_OK;
}

enum session_error power_check(const struct power_plan *plan, const struct machine *machine)
{
    if (plan->pin && !machine->pstates)
        return SESSION_NO_PSTATES;
    if (plan->erratum_721 && !(machine->errata & IBS_E_721))
        return SESSION_NO_ERRATUM_721;
    if (plan->boost != POWER_BOOST_AS_IS && !machine->boost)
        return SESSION_NO_BOOST;
    return plan->cppc ? check_cppc(plan->cppc, &machine->silicon) : SESSION_OK;
}

static enum session_error set_boost(bool off, struct restore_log *log, uint64_t *detail)
{
    uint64_t hwcr, after;
    *detail = MSR_HWCR;
    if (restore_save(log, RESTORE_MSR, MSR_HWCR, 0, HWCR_CPB_DIS, "MSR C001_0015 HWCR, boost", &hwcr))
        return SESSION_MSR_FAULT;
    hwcr = (hwcr & ~HWCR_CPB_DIS) | (off ? HWCR_CPB_DIS : 0);
    if (cpu_wrmsr_safe(MSR_HWCR, hwcr) || cpu_rdmsr_safe(MSR_HWCR, &after))
        return SESSION_MSR_FAULT;
    *detail = after;
    return (after ^ hwcr) & HWCR_CPB_DIS ? SESSION_BOOST : SESSION_OK;
}

/* Sets the bit, which firmware may have set already. */
static enum session_error set_erratum_721(struct restore_log *log, uint64_t *detail)
{
    uint64_t before, after;
    *detail = MSR_DE_CFG;
    if (restore_save(log, RESTORE_MSR, MSR_DE_CFG, 0, DE_CFG_STACK, "MSR C001_1029 DE_CFG, erratum 721", &before) ||
        cpu_wrmsr_safe(MSR_DE_CFG, before | DE_CFG_STACK) || cpu_rdmsr_safe(MSR_DE_CFG, &after))
        return SESSION_MSR_FAULT;
    *detail = after;
    return after & DE_CFG_STACK ? SESSION_OK : SESSION_ERRATUM_721;
}

/* Leaves the preference in bits 31:24: with least and most alike it has no choice. */
static enum session_error set_cppc(uint8_t level, struct restore_log *log, uint64_t *detail)
{
    uint64_t request, after;
    *detail = MSR_CPPC_REQUEST;
    if (restore_save(log, RESTORE_MSR, MSR_CPPC_REQUEST, 0, CPPC_LEVELS, "MSR C001_02B3 CPPC", &request))
        return SESSION_MSR_FAULT;
    request = (request & ~CPPC_LEVELS) | CPPC_EACH * level;
    if (cpu_wrmsr_safe(MSR_CPPC_REQUEST, request) || cpu_rdmsr_safe(MSR_CPPC_REQUEST, &after))
        return SESSION_MSR_FAULT;
    *detail = after;
    return (after ^ request) & CPPC_LEVELS ? SESSION_CPPC : SESSION_OK;
}

static enum session_error reach(uint8_t pstate, uint64_t tsc_khz, uint64_t *detail)
{
    uint64_t status, from = cpu_rdtsc();
    do {
        *detail = MSR_PSTATE_STATUS;
        if (cpu_rdmsr_safe(MSR_PSTATE_STATUS, &status))
            return SESSION_MSR_FAULT;
        *detail = status;
        if ((status & PSTATE) == pstate)
            return SESSION_OK;
        cpu_pause();
    } while (cpu_rdtsc() - from < tsc_khz);
    return SESSION_PSTATE;
}

static enum session_error set_pstate(uint8_t pstate, uint64_t tsc_khz, struct restore_log *log, uint64_t *detail)
{
    uint64_t limit;
    *detail = MSR_PSTATE_LIMIT;
    if (cpu_rdmsr_safe(MSR_PSTATE_LIMIT, &limit))
        return SESSION_MSR_FAULT;
    *detail = limit;
    if (pstate > (limit >> 4 & PSTATE))
        return SESSION_PSTATE;
    *detail = MSR_PSTATE_CONTROL;
    if (restore_save(log, RESTORE_MSR, MSR_PSTATE_CONTROL, 0, PSTATE, "MSR C001_0062 P-state", NULL) ||
        cpu_wrmsr_safe(MSR_PSTATE_CONTROL, pstate))
        return SESSION_MSR_FAULT;
    return reach(pstate, tsc_khz, detail);
}

enum session_error power_set_up(const struct power_plan *plan, const struct machine *machine, struct restore_log *log,
                                uint64_t *detail)
{
    enum session_error error = SESSION_OK;
    if (plan->boost != POWER_BOOST_AS_IS)
        error = set_boost(plan->boost == POWER_BOOST_OFF, log, detail);
    if (!error && plan->erratum_721)
        error = set_erratum_721(log, detail);
    if (!error && plan->cppc)
        error = set_cppc(plan->cppc, log, detail);
    if (!error && plan->pin)
        error = set_pstate(plan->pstate, machine->tsc_khz, log, detail);
    if (!error)
        *detail = 0;
    return error;
}
