#include "tests/vpmu/shim/shim.h"

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
    /* SVME: this machine has no SVM to switch on. */
    if (*value & (~EFER_KNOWN | EFER_SVME)) {
        return VPMU_GP;
    }
    vmcb->efer = (*value & ~EFER_LMA) | (vmcb->efer & EFER_LMA) | EFER_SVME;
    return VPMU_OK;
}

static enum vpmu_access svm_msr_access(struct shim *shim, bool write, uint64_t *value)
{
    return VPMU_GP;
}

/* The model is asked first. What it does not own: these, or the processor's own register. */
static const struct {
    uint32_t msr;
    enum vpmu_access (*access)(struct shim *shim, bool write, uint64_t *value);
} own_msrs[] = {
    {MSR_EFER, efer_access},
    {MSR_VM_CR, svm_msr_access},
    {MSR_VM_HSAVE_PA, svm_msr_access},
};

static enum vpmu_access access_msr(struct shim *shim, uint32_t msr, bool write, uint64_t *value)
{
    enum vpmu_access result = write ? vpmu_wrmsr(shim->model, msr, *value) : vpmu_rdmsr(shim->model, msr, value);
    if (result != VPMU_NOT_MINE) {
        return result;
    }
    for (unsigned i = 0; i < sizeof own_msrs / sizeof own_msrs[0]; i++) {
        if (own_msrs[i].msr == msr) {
            return own_msrs[i].access(shim, write, value);
        }
    }
    /* Beyond the ranges of the permission map every access exits, and no Family 10h processor has a register there. */
    uint32_t block = msr & ~0x1fffu;
    if (block != 0 && block != 0xc0000000 && block != 0xc0010000) {
        return VPMU_GP;
    }
    if (write) {
        x86_wrmsr(msr, *value);
    } else {
        *value = x86_rdmsr(msr);
    }
    return VPMU_OK;
}

static uint64_t operand(const uint64_t gpr[16])
{
    return (gpr[GPR_RDX] & 0xffffffff) << 32 | (gpr[GPR_RAX] & 0xffffffff);
}

/* The access has succeeded: results, counts, and what a write may have set off. */
static void finish(struct shim *shim, bool write, uint64_t gpr[16], uint64_t value)
{
    if (shim->nmi.in_service) {
        handler_access(&shim->costs, (uint32_t)gpr[GPR_RCX], write);
    }
    if (!write) {
        gpr[GPR_RAX] = value & 0xffffffff;
        gpr[GPR_RDX] = value >> 32;
        return;
    }
    step_rearm(shim);
    if (vpmu_take_pending_nmi(shim->model)) {
        shim->nmi.pending = true;
    }
}

bool msr_access_modelled(struct shim *shim, bool write, uint64_t gpr[16])
{
    uint32_t msr = (uint32_t)gpr[GPR_RCX];
    uint64_t value = operand(gpr);
    if (msr < MSR_IBS_FETCH_CTL || msr > MSR_IBS_LAST ||
        (write ? vpmu_wrmsr(shim->model, msr, value) : vpmu_rdmsr(shim->model, msr, &value)) != VPMU_OK) {
        return false;
    }
    finish(shim, write, gpr, value);
    return true;
}

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
