/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers around the IBS unit: MSRs, PCI configuration of the node, extended local APIC. */
#include "vpmu/model/state.h"

#include "vpmu/model/pmu/branch_sampling.h"
#include "vpmu/model/pmu/contrary.h"
#include "vpmu/model/pmu/touched.h"

/* ---------------------------------------------------------------- MSRs (AMD BKDG 31116) */

enum {
    MSR_TSC = 0x10,
    MSR_PERF_CTL = 0xC0010000,   /* ..0003h */
    MSR_PERF_CTR = 0xC0010004,   /* ..0007h */
    MSR_PERF_CTL_2 = 0xC0010200, /* of later families: 200h + 2n is counter n's control, 201h + 2n its count; the first
                                    four are at C001_0000h as well (Linux arch/x86/events/amd/core.c, AMD APM vol. 2
                                    section 13.2.1) */
    MSR_GLOBAL_STATUS = 0xC0000300, /* PerfMonV2: Linux arch/x86/events/amd/core.c, asm/msr-index.h */
    MSR_GLOBAL_CTL,
    MSR_GLOBAL_CLEAR,
    MSR_GLOBAL_SET,
    MSR_NB_CFG = 0xC001001F,
    MSR_FETCH_CTL = 0xC0011030,
    MSR_FETCH_LINEAR,
    MSR_FETCH_PHYSICAL,
    MSR_OP_CTL,
    MSR_OP_RIP,
    MSR_OP_DATA,
    MSR_OP_DATA2,
    MSR_OP_DATA3,
    MSR_DC_LINEAR,
    MSR_DC_PHYSICAL,
    MSR_CONTROL, /* C001_103A */
    /* Registers that came with later families. */
    MSR_BRANCH_TARGET,
    MSR_FETCH_EXTENDED,
    MSR_OP_DATA4,
    MSR_OP_CTL2,
    MSR_FETCH_CTL2,
};

/* Returns an op's data register and its implemented bits; a reserved bit reads 0. They are writable (AMD APM vol. 2
 * section 13.3; drivers of later families rely on that). NULL: the family has no such register. */
static uint64_t *op_register(struct vpmu *vpmu, uint32_t msr, uint64_t *mask)
{
    const struct vpmu_params *params = vpmu->params;
    struct op_sample *op = &vpmu->ibs.op;

    switch (msr) {
    case MSR_OP_RIP:
        *mask = UINT64_MAX;
        return &op->rip;
    case MSR_OP_DATA:
        *mask = params->data_mask;
        return &op->data;
    case MSR_OP_DATA2:
        *mask = params->data2_mask;
        return &op->data2;
    case MSR_OP_DATA3:
        *mask = params->data3_mask;
        return &op->data3;
    case MSR_DC_LINEAR:
        *mask = UINT64_MAX;
        return &op->dc_linear;
    case MSR_DC_PHYSICAL:
        *mask = params->physical_mask;
        return &op->dc_physical;
    case MSR_BRANCH_TARGET:
        *mask = params->branch_mask;
        return *mask ? &op->target : NULL;
    case MSR_OP_DATA4:
        *mask = params->data4_mask;
        return *mask ? &op->data4 : NULL;
    default:
        return NULL;
    }
}

/* Finds the counter of a control or count; returns false for others. */
static bool counter_register(const struct vpmu *vpmu, uint32_t msr, uint32_t *counter, bool *control)
{
    if (msr - MSR_PERF_CTL < PMC_LEGACY) {
        *counter = msr - MSR_PERF_CTL;
        *control = true;
    } else if (msr - MSR_PERF_CTR < PMC_LEGACY) {
        *counter = msr - MSR_PERF_CTR;
        *control = false;
    } else {
        *counter = (msr - MSR_PERF_CTL_2) / 2;
        *control = !(msr & 1);
        return vpmu->params->pmc_version >= 1 && *counter < vpmu->params->pmc_count;
    }
    return true;
}

/* Reads PerfMonV2's. The status cannot be written (Linux arch/x86/kvm/pmu.c: "Writes are ignored"), only cleared and
 * set. */
static bool global_read(const struct vpmu *vpmu, uint32_t msr, uint64_t *value)
{
    if (vpmu->params->pmc_version < 2 || msr - MSR_GLOBAL_STATUS > MSR_GLOBAL_SET - MSR_GLOBAL_STATUS)
        return false;
    *value = msr == MSR_GLOBAL_CTL ? vpmu->pmc.global : msr == MSR_GLOBAL_STATUS ? vpmu->pmc.overflowed : 0;
    return true;
}

static bool global_write(struct vpmu *vpmu, uint32_t msr, uint64_t value)
{
    uint64_t before;

    if (!global_read(vpmu, msr, &before))
        return false;
    if (msr == MSR_GLOBAL_CTL)
        pmc_write_global(vpmu, value);
    else if (msr == MSR_GLOBAL_CLEAR)
        vpmu->pmc.overflowed &= ~value;
    else if (msr == MSR_GLOBAL_SET)
        vpmu->pmc.overflowed |= value & ((1u << vpmu->params->pmc_count) - 1);
    return true;
}

/* Returns the last of the registers around IBS's, whether this family has it or not. */
static uint32_t last(const struct vpmu *vpmu)
{
    return vpmu->params->quirks & QUIRK_FIRMWARE_LVT ? MSR_FETCH_CTL2 : MSR_OP_DATA4;
}

/* Returns true while sampling or counting, or when a stopped counter has an event. */
static bool vpmu_used(const struct vpmu *vpmu)
{
    uint64_t controls = 0;

    for (uint32_t n = 0; n < PMC_COUNTERS; n++)
        controls |= vpmu->pmc.counter[n].ctl;
    return ibs_armed(&vpmu->ibs) || controls || apic_armed(&vpmu->apic);
}

/* Returns whether switches may change what registers say. */
static bool contrary(const struct vpmu *vpmu)
{
    return RARELY(vpmu->config.hostile) && params_later(vpmu->params);
}

static enum vpmu_access read_msr(struct vpmu *vpmu, uint32_t msr, uint64_t *value)
{
    uint64_t mask, *data = op_register(vpmu, msr, &mask);
    uint32_t counter;
    bool control;

    if (data)
        *value = *data;
    else if (msr == MSR_FETCH_EXTENDED && vpmu->params->extended_mask)
        *value = vpmu->ibs.fetch_extended;
    else if (msr == MSR_FETCH_CTL)
        *value = ibs_read_fetch_ctl(&vpmu->ibs);
    else if (msr == MSR_FETCH_LINEAR)
        *value = vpmu->ibs.fetch_linear;
    else if (msr == MSR_FETCH_PHYSICAL)
        *value = vpmu->ibs.fetch_physical;
    else if (msr == MSR_OP_CTL2 && vpmu->params->op2_mask)
        *value = vpmu->ibs.op_ctl2;
    else if (msr == MSR_FETCH_CTL2 && vpmu->params->fetch2_mask)
        *value = vpmu->ibs.fetch_ctl2;
    else if (msr == MSR_OP_CTL)
        *value = ibs_read_op_ctl(&vpmu->ibs, vpmu->pipe.cycle);
    else if (msr == MSR_CONTROL)
        *value = vpmu_ibs_control(vpmu);
    else if (msr == MSR_NB_CFG)
        *value = vpmu->node->nb_cfg;
    else if (msr == MSR_TSC)
        *value = vpmu_tsc_shown(vpmu);
    else if (counter_register(vpmu, msr, &counter, &control))
        *value = control ? vpmu->pmc.counter[counter].ctl : pmc_read(vpmu, counter);
    else if (!global_read(vpmu, msr, value) && !silicon_read(vpmu, msr, value) &&
             !shared_counters_read(vpmu, msr, value) &&
             !branch_stack_read(&vpmu->branches, vpmu->params->branches, msr, value) &&
             !branch_sampling_read(vpmu, msr, value))
        return msr > MSR_CONTROL && msr <= last(vpmu) ? VPMU_GP : power_read(vpmu, msr, value);
    return VPMU_OK;
}

enum vpmu_access vpmu_rdmsr(struct vpmu *vpmu, uint32_t msr, uint64_t *value)
{
    enum vpmu_access access = read_msr(vpmu, msr, value);

    return contrary(vpmu) ? contrary_read(vpmu, msr, access, value) : access;
}

static enum vpmu_access write_msr(struct vpmu *vpmu, uint32_t msr, uint64_t value)
{
    uint64_t mask = 0, *data = op_register(vpmu, msr, &mask);
    bool used = vpmu_used(vpmu), control;
    uint32_t counter;

    vpmu->ibs.open = vpmu_lvt_open(vpmu);
    if ((msr == MSR_FETCH_CTL || msr == MSR_OP_CTL) && !silicon_ibs_runs(vpmu))
        value &= msr == MSR_OP_CTL ? ~VOP_EN : ~VFETCH_EN;
    if (data)
        *data = value & mask;
    else if (msr == MSR_FETCH_CTL)
        ibs_write_fetch_ctl(&vpmu->ibs, value);
    else if (msr == MSR_OP_CTL)
        ibs_write_op_ctl(&vpmu->ibs, value, vpmu->pipe.cycle);
    else if (msr == MSR_OP_CTL2 && vpmu->params->op2_mask)
        ibs_write_op_ctl2(&vpmu->ibs, value, vpmu->pipe.cycle);
    else if (msr == MSR_FETCH_CTL2 && vpmu->params->fetch2_mask)
        ibs_write_fetch_ctl2(&vpmu->ibs, value);
    else if (msr == MSR_NB_CFG)
        vpmu->node->nb_cfg = value;
    else if (msr == MSR_TSC)
        apic_set_tsc(vpmu, value << vpmu->tsc_shift);
    else if (counter_register(vpmu, msr, &counter, &control))
        (control ? pmc_write_ctl : pmc_write)(vpmu, counter, value);
    else if (!global_write(vpmu, msr, value) && !silicon_write(vpmu, msr, value) &&
             !shared_counters_write(vpmu, msr, value) &&
             !branch_stack_write(&vpmu->branches, vpmu->params->branches, msr, value) &&
             !branch_sampling_write(vpmu, msr, value)) /* read-only: addresses of a fetch, the copy of F3x1CC */
        return msr >= MSR_FETCH_LINEAR && msr <= last(vpmu) ? VPMU_GP : power_write(vpmu, msr, value);
    /* The model does not see changes of CR3. Page tables are built before sampling starts. */
    if (!used && vpmu_used(vpmu))
        tlbs_flush(&vpmu->tlbs);
    vpmu_look_after(vpmu);
    return VPMU_OK;
}

enum vpmu_access vpmu_wrmsr(struct vpmu *vpmu, uint32_t msr, uint64_t value)
{
    touched_msr(vpmu, msr);
    if (!contrary(vpmu))
        return write_msr(vpmu, msr, value);
    return contrary_write(vpmu, msr, write_msr(vpmu, msr, contrary_written(vpmu, msr, value)));
}

/* ---------------------------------------------------------------- PCI: bus 0, devices 18h.., functions 0 to 4 */

enum {
    PCI_FUNCTIONS = 5,
    PCI_SIZE = 0x1000,
    PCI_ID = 0x00,
    PCI_CLASS = 0x08,
    PCI_HEADER = 0x0C,
    PCI_NODE_ID = 0x60,       /* function 0: bits 2:0 NodeId, 6:4 NodeCnt, nodes less one */
    PCI_DRAM_BASE = 0x40,     /* function 1: 40h + 8n, bits 31:16 address bits 39:24, 1:0 can be written and read;
                                 44h + 8n: the same bits of the last byte, 2:0 whose it is */
    PCI_BOOST = 0x15C,        /* function 4: bit 2 NumBoostStates, 1:0 BoostSrc */
    PCI_IBS_CONTROL = 0x1CC,  /* function 3 */
    IBS_CONTROL_MASK = 0x10F, /* bit 8 LvtOffsetVal, bits 3:0 LvtOffset */
};

static bool pci_known(const struct vpmu *vpmu, unsigned node, unsigned function, unsigned offset)
{
    return node < vpmu->nodes->count && function < PCI_FUNCTIONS && offset < PCI_SIZE && (offset & 3) == 0;
}

/* Returns whether device 18h is a northbridge. From Zen on it is the data fabric, whose registers are not modelled. */
static bool northbridge(const struct vpmu_params *params)
{
    return params->events != EVENTS_ZEN;
}

/* Returns the map of the memory: every node has the same (BKDG 31116, F1x[7C:40]; Linux arch/x86/mm/amdtopology.c). */
static uint32_t dram_map(const struct vpmu_nodes *nodes, unsigned offset)
{
    unsigned n = (offset - PCI_DRAM_BASE) / 8;
    uint64_t base = n ? nodes->memory_end[n - 1] : 0, end = nodes->memory_end[n];

    if (n >= nodes->count || end <= base)
        return 0;
    if ((offset & 7) == 0)
        return (uint32_t)(base >> 24 << 16) | 3;
    return (uint32_t)((end - 1) >> 24 << 16) | n;
}

enum vpmu_access vpmu_pci_read(struct vpmu *vpmu, unsigned node, unsigned function, unsigned offset, uint32_t *value)
{
    if (!pci_known(vpmu, node, function, offset))
        return VPMU_NOT_MINE;
    *value = 0;
    if (offset == PCI_ID)
        *value = 0x1022u | (vpmu->params->pci_id + function) << 16;
    else if (offset == PCI_CLASS)
        *value = 0x06000000; /* host bridge */
    else if (offset == PCI_HEADER)
        *value = 0x00800000; /* multi-function */
    else if (function == 0 && offset == PCI_NODE_ID &&
             northbridge(vpmu->params)) /* Linux arch/x86/kernel/quirks.c, arch/x86/mm/amdtopology.c */
        *value = node | (vpmu->nodes->count - 1) << 4;
    else if (function == 1 && northbridge(vpmu->params) && offset >= PCI_DRAM_BASE &&
             offset < PCI_DRAM_BASE + 8 * VPMU_NODES)
        *value = dram_map(vpmu->nodes, offset);
    else if (function == 4 && northbridge(vpmu->params) &&
             offset == PCI_BOOST) /* Linux tools/power/cpupower/utils/helpers/amd.c */
        *value = vpmu->params->boost_mhz ? 1 << 2 | 1 : 0;
    else if (function == 3 && offset == PCI_IBS_CONTROL && !(vpmu->params->quirks & QUIRK_FIRMWARE_LVT))
        *value = vpmu->nodes->node[node].ibs_control;
    return VPMU_OK;
}

enum vpmu_access vpmu_pci_write(struct vpmu *vpmu, unsigned node, unsigned function, unsigned offset, uint32_t value)
{
    if (!pci_known(vpmu, node, function, offset))
        return VPMU_NOT_MINE;
    if (function == 3 && offset == PCI_IBS_CONTROL && !(vpmu->params->quirks & QUIRK_FIRMWARE_LVT)) {
        touched_pci(&vpmu->nodes->node[node].touched, offset, vpmu->nodes->node[node].ibs_control);
        vpmu->nodes->node[node].ibs_control = value & IBS_CONTROL_MASK;
    }
    return VPMU_OK;
}

bool vpmu_cf8_extended(const struct vpmu *vpmu)
{
    return (vpmu->node->nb_cfg >> 46) & 1; /* EnableCf8ExtCfg */
}

/* ---------------------------------------------------------------- extended local APIC */

enum {
    APIC_FEATURES = 0x400,
    APIC_LVT_FIRST = 0x500,
    APIC_LVT_LAST = 0x530,
    LVT_MASK = 0x107FF, /* 16 mask, 10:8 message type, 7:0 vector */
};

enum vpmu_access vpmu_apic_read(struct vpmu *vpmu, unsigned offset, uint32_t *value)
{
    if (offset == APIC_FEATURES)
        *value = LVT_ENTRIES << 16;
    else if (offset >= APIC_LVT_FIRST && offset <= APIC_LVT_LAST && (offset & 0xF) == 0)
        *value = vpmu->lvt[(offset - APIC_LVT_FIRST) >> 4];
    else if (apic_read(vpmu, offset, value) != VPMU_OK)
        return VPMU_NOT_MINE;
    if (contrary(vpmu))
        *value = contrary_apic(vpmu, offset, *value);
    return VPMU_OK;
}

enum vpmu_access vpmu_apic_write(struct vpmu *vpmu, unsigned offset, uint32_t value)
{
    bool used = vpmu_used(vpmu);
    enum vpmu_access result = VPMU_OK;

    if (offset >= APIC_LVT_FIRST && offset <= APIC_LVT_LAST && (offset & 0xF) == 0)
        vpmu->lvt[(offset - APIC_LVT_FIRST) >> 4] = apic_lvt_value(&vpmu->apic, value & LVT_MASK);
    else if (offset != APIC_FEATURES) /* read-only: ignored */
        result = apic_write(vpmu, offset, value);
    if (result == VPMU_OK)
        touched_apic(vpmu, offset);
    if (!used && vpmu_used(vpmu))
        tlbs_flush(&vpmu->tlbs);
    vpmu_look_after(vpmu);
    return result;
}

void vpmu_apic_init(struct vpmu *vpmu)
{
    enum { SVR_AFTER_INIT = 0xFF, MASKED = 0x10000 };

    vpmu->touched.paused = true;
    (void)vpmu_apic_write(vpmu, APIC_SVR, SVR_AFTER_INIT);
    (void)vpmu_apic_write(vpmu, APIC_LVT_TIMER, MASKED);
    (void)vpmu_apic_write(vpmu, APIC_LVT_COUNTERS, MASKED);
    for (unsigned offset = APIC_LVT_FIRST; offset <= APIC_LVT_LAST; offset += 0x10)
        (void)vpmu_apic_write(vpmu, offset, MASKED);
    vpmu->touched.paused = false;
}
