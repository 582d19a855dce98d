/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/zen_ibs.h"

#include <stddef.h>

#include "drivers/cpu/cpu.h"
#include "drivers/machine/vpmu_query.h"

#define MSR_STATIC 0xC0011029u
#define STATIC_ON  (1ull << 19)

struct bits {
    uint32_t msr;
    uint64_t set, clear;
    const char *what;
};

/* FAM17H_MSR_WA_1 to 3 and CPUID_EXT_FEATURES of the source, in its order. */
static const struct bits for_cpuid[] = {
    {0xC0011005, 1ull << 42, 0, "MSR C001_1005 CPUID features"}, /* of each thread: 8000_0001h ECX[10] */
    {MSR_STATIC, STATIC_ON, 0, "MSR C001_1029 (IBS switch)"},    /* of each core */
};
static const struct bits while_sampling[] = {
    {0xC0011020, 1ull << 54, 0, "MSR C001_1020 (SpecLockMap)"}, /* of each core, as the next */
    {0xC0010296, 0, 0x404040, "MSR C001_0296 (CC6)"},
};

bool zen_ibs_known(const struct machine *m)
{
    return m->row && m->row->traits & IBS_TRAIT_SWITCH && (!m->hypervisor || vpmu_is_model(m));
}

/* Reads EBX[15:8], threads per core less one (AMD APM vol. 3, Fn8000_001E). With SMT off in the setup it is 0: Xen
 * 4852a150 ("an accurate value to use on AMD hardware"). */
static bool two_threads(const struct machine *machine)
{
    struct cpu_cpuid r = {0};
    if (machine->max_extended_leaf >= CPUID_LEAF_CORE && machine->extended_ecx & CPUID_EXT_ECX_TOPOLOGY)
        cpu_cpuid(CPUID_LEAF_CORE, 0, &r);
    return r.ebx >> 8 & 0xFF;
}

static enum session_error change(const struct bits *bits, struct restore_log *log, uint64_t *detail)
{
    uint64_t before, after;
    *detail = bits->msr;
    if (cpu_rdmsr_safe(bits->msr, &before))
        return SESSION_MSR_FAULT;
    uint64_t wanted = (before | bits->set) & ~bits->clear;
    if (wanted == before) /* the source does not write C001_1029 then either */
        return SESSION_OK;
    if (restore_save(log, RESTORE_MSR, bits->msr, 0, ~0ull, bits->what, NULL) || cpu_wrmsr_safe(bits->msr, wanted) ||
        cpu_rdmsr_safe(bits->msr, &after))
        return SESSION_MSR_FAULT;
    return (after ^ wanted) & (bits->set | bits->clear) ? SESSION_IBS_SWITCH : SESSION_OK;
}

static enum session_error check_threads(const struct machine *machine, uint64_t *detail)
{
    uint64_t value;
    *detail = MSR_STATIC;
    if (cpu_rdmsr_safe(MSR_STATIC, &value))
        return SESSION_MSR_FAULT;
    return !(value & STATIC_ON) && two_threads(machine) ? SESSION_IBS_SWITCH_SMT : SESSION_OK;
}

enum session_error zen_ibs_switch_on(const struct machine *machine, bool sample, struct restore_log *log,
                                     uint64_t *detail)
{
    enum session_error error = check_threads(machine, detail);
    for (unsigned i = 0; i < sizeof(for_cpuid) / sizeof(for_cpuid[0]) && !error; i++)
        error = change(&for_cpuid[i], log, detail);
    for (unsigned i = 0; i < sizeof(while_sampling) / sizeof(while_sampling[0]) && sample && !error; i++)
        error = change(&while_sampling[i], log, detail);
    if (!error)
        *detail = 0;
    return error;
}
