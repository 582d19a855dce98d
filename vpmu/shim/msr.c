/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/native/native.h"
#include "vpmu/shim/native/own_code.h"
#include "vpmu/shim/native/prepared.h"

/* EFER as a Family 10h processor has it (APM vol. 2 section 3.1.7): SCE LME LMA NXE SVME LMSLE FFXSR. */
#define EFER_KNOWN 0x7d01ull
#define EFER_LMA   (1ull << 10)

static enum vpmu_access efer_access(struct shim *shim, bool write, uint64_t *value)
{
    struct vmcb *vmcb = shim->vmcb;
    if (!write) {
        *value = vmcb->efer & ~EFER_SVME;
        return VPMU_OK;
    }
    /* SVME: this machine shows no SVM to enable. */
    if (*value & (~EFER_KNOWN | EFER_SVME))
        return VPMU_GP;
    vmcb->efer = (*value & ~EFER_LMA) | (vmcb->efer & EFER_LMA) | EFER_SVME;
    return VPMU_OK;
}

static enum vpmu_access svm_msr_access(struct shim *shim, bool write, uint64_t *value)
{
    return VPMU_GP;
}

static enum vpmu_access forget_access(struct shim *shim, bool write, uint64_t *value)
{
    if (!write) {
        *value = 0;
        return VPMU_OK;
    }
    if (vpmu_armed(shim->model))
        return VPMU_GP;
    vpmu_forget(shim->model);
    shim->costs = (struct handler_costs){0};
    return VPMU_OK;
}

static enum vpmu_access part_access(struct shim *shim, bool write, uint64_t *value)
{
    if (!write) {
        *value = 0;
        return VPMU_OK;
    }
    return !vpmu_armed(shim->model) && vpmu_truth_part(shim->model, *value) ? VPMU_OK : VPMU_GP;
}

/* Accesses go to the model first. Registers that it does not own are handled by these, or are the processor's. */
static const struct {
    uint32_t msr;
    enum vpmu_access (*access)(struct shim *shim, bool write, uint64_t *value);
} own_msrs[] = {
    {MSR_EFER, efer_access},           {MSR_VM_CR, svm_msr_access},
    {MSR_VM_HSAVE_PA, svm_msr_access}, {VPMU_MSR_PREPARED, prepared_access},
    {VPMU_MSR_FORGET, forget_access},  {VPMU_MSR_PART, part_access},
    {VPMU_MSR_CODE, own_code_access},
};

static enum vpmu_access access_msr(struct shim *shim, uint32_t msr, bool write, uint64_t *value)
{
    clock_sync(shim);
    clock_wait(shim);
    enum vpmu_access result = write ? vpmu_wrmsr(shim->model, msr, *value) : vpmu_rdmsr(shim->model, msr, value);
    if (result == VPMU_NOT_MINE)
        result = machine_check_access(shim, msr, write, value);
    if (result == VPMU_NOT_MINE)
        result = x2apic_access(shim, msr, write, value);
    if (result != VPMU_NOT_MINE)
        return result;
    for (unsigned i = 0; i < sizeof own_msrs / sizeof own_msrs[0]; i++)
        if (own_msrs[i].msr == msr)
            return own_msrs[i].access(shim, write, value);
    /* Outside the ranges of the permission map every access exits, and no Family 10h processor has a register there. */
    uint32_t block = msr & ~0x1fffu;
    if (block != 0 && block != 0xc0000000 && block != 0xc0010000)
        return VPMU_GP;
    if (write)
        x86_wrmsr(msr, *value);
    else
        *value = x86_rdmsr(msr);
    return VPMU_OK;
}

static uint64_t operand(const uint64_t gpr[16])
{
    return (gpr[GPR_RDX] & 0xffffffff) << 32 | (gpr[GPR_RAX] & 0xffffffff);
}

static void set_result(uint64_t gpr[16], uint64_t value)
{
    gpr[GPR_RAX] = value & 0xffffffff;
    gpr[GPR_RDX] = value >> 32;
}

/* Finishes a successful access: results, counts, and the effects of a write. */
static void finish(struct shim *shim, bool write, uint64_t gpr[16], uint64_t value)
{
    if (shim->nmi.in_service)
        handler_access(&shim->costs, (uint32_t)gpr[GPR_RCX], write);
    if (!write) {
        set_result(gpr, value);
        return;
    }
    step_rearm(shim);
    if (vpmu_take_pending_nmi(shim->model))
        shim->nmi.pending = true;
}

/* ---------------------------------------------------------------- without an exit */

enum { WRMSR = 0x30, RDTSC = 0x31, RDMSR = 0x32, RDPMC = 0x33, GROUP_7 = 0x01, RDTSCP = 0xf9 };

static bool modelled(uint32_t msr)
{
    return (msr >= MSR_IBS_FETCH_CTL && msr <= MSR_IBS_LAST) || (msr >= MSR_PERF_CTL0 && msr <= MSR_PERF_CTR3) ||
           (msr >= MSR_PERF_CTL_2 && msr <= MSR_PERF_CTR5_2) || (msr >= MSR_GLOBAL_FIRST && msr <= MSR_GLOBAL_LAST) ||
           (msr >= MSR_BRANCH_FIRST && msr <= MSR_BRANCH_LAST) ||
           (msr >= MSR_BRANCH_SELECT && msr <= MSR_BRANCH_CONTROL) || msr == MSR_TSC;
}

static unsigned read_or_write(struct shim *shim, bool write, uint64_t gpr[16])
{
    uint32_t msr = (uint32_t)gpr[GPR_RCX];
    uint64_t value = operand(gpr);
    if (!modelled(msr) ||
        (write ? vpmu_wrmsr(shim->model, msr, value) : vpmu_rdmsr(shim->model, msr, &value)) != VPMU_OK)
        return 0;
    finish(shim, write, gpr, value);
    return 2;
}

/* Returns the register that RDPMC reads: of six core counters, four of the data fabric, six of the L3 (AMD APM vol. 3,
 * RDPMC; Linux arch/x86/events/amd/uncore.c, RDPMC_BASE_NB and RDPMC_BASE_LLC); 0: there is no such counter. */
static uint32_t counter_msr(uint32_t counter)
{
    static const struct {
        uint32_t end, count0;
    } rows[] = {{4, MSR_PERF_CTR0}, {6, MSR_PERF_CTL_2 + 9}, {10, MSR_FABRIC_CTL + 1}, {16, MSR_L3_CTL + 1}};
    uint32_t begin = 0;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; begin = rows[i++].end)
        if (counter < rows[i].end)
            return rows[i].count0 + (counter - begin) * (i ? 2 : 1);
    return 0;
}

/* Reads a counter; returns false if there is none. */
static bool read_counter(struct shim *shim, uint64_t gpr[16])
{
    uint64_t value;
    uint32_t msr = counter_msr((uint32_t)gpr[GPR_RCX]);
    if (!msr || vpmu_rdmsr(shim->model, msr, &value) != VPMU_OK)
        return false;
    set_result(gpr, value);
    return true;
}

unsigned msr_instruction(struct shim *shim, const uint8_t *code, uint64_t gpr[16])
{
    switch (code[1]) {
    case RDMSR:
    case WRMSR:
        return read_or_write(shim, code[1] == WRMSR, gpr);
    case RDTSC:
        set_result(gpr, vpmu_tsc_shown(shim->model));
        return 2;
    case RDPMC:
        return read_counter(shim, gpr) ? 2 : 0;
    case GROUP_7:
        if (code[2] != RDTSCP || hypervisor.native.stepping) /* TSC_AUX is the processor's: out of the plugin's reach */
            return 0;
        set_result(gpr, vpmu_tsc_shown(shim->model));
        gpr[GPR_RCX] = x86_rdmsr(MSR_TSC_AUX);
        return 3;
    default:
        return 0;
    }
}

/* ---------------------------------------------------------------- the exits */

void exit_msr(struct shim *shim)
{
    uint64_t *gpr = shim->world.gpr;
    bool write = shim->vmcb->exit_info1 & 1;
    uint64_t value = operand(gpr);
    if (access_msr(shim, (uint32_t)gpr[GPR_RCX], write, &value) == VPMU_GP) {
        exit_inject_exception(shim, 13);
        return;
    }
    finish(shim, write, gpr, value);
    exit_skip(shim, 2); /* 0f 30, 0f 32 */
    exit_boundary(shim);
}

void exit_read(struct shim *shim)
{
    uint64_t *gpr = shim->world.gpr;
    clock_sync(shim);
    if (shim->vmcb->exit_code == EXIT_RDPMC) {
        if (!read_counter(shim, gpr)) {
            exit_inject_exception(shim, 13);
            return;
        }
    } else {
        set_result(gpr, vpmu_tsc_shown(shim->model));
    }
    if (shim->vmcb->exit_code == EXIT_RDTSCP)
        gpr[GPR_RCX] = x86_rdmsr(MSR_TSC_AUX);
    clock_wait(shim); /* after the read: a handler that reads the TSC first sees the time of its call */
    exit_skip(shim, shim->vmcb->exit_code == EXIT_RDTSCP ? 3 : 2); /* 0f 31, 0f 33, 0f 01 f9 */
    exit_boundary(shim);
}
