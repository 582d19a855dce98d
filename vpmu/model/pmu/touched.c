/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pmu/touched.h"

#include "vpmu/model/state.h"

enum {
    TIME_STAMP = 0x10,
    GLOBAL_STATUS = 0xC0000300, /* up to C000_0303, which clears and sets it, except the control */
    GLOBAL_CTL,
    GLOBAL_SET = 0xC0000303,
    CORE_NB_CFG = 0xC001001F,
    SHARED_FIRST = 0xC0010230, /* counters of the L3 and the data fabric, and of the memory controllers */
    SHARED_LAST = 0xC0010247,
    MEMORY_FIRST = 0xC0010800,
    MEMORY_LAST = 0xC00108FF,
    RECORDS_FIRST = 0xC0010300, /* of branches */
    RECORDS_LAST = 0xC001031F,
    SAMPLE_FIRST = 0xC0011031,
    SAMPLE_LAST = 0xC001103D,
    OP_CTL = 0xC0011033,
    NONE = UINT32_MAX,
};

/* Returns whether the processor itself writes the register: time, samples, records, and the overflows of counters. */
static bool result(uint32_t msr)
{
    return msr == TIME_STAMP || (msr >= GLOBAL_STATUS && msr <= GLOBAL_SET && msr != GLOBAL_CTL) ||
           (msr >= RECORDS_FIRST && msr <= RECORDS_LAST) ||
           (msr >= SAMPLE_FIRST && msr <= SAMPLE_LAST && msr != OP_CTL);
}

static bool of_node(uint32_t msr)
{
    return msr == CORE_NB_CFG || (msr >= SHARED_FIRST && msr <= SHARED_LAST) ||
           (msr >= MEMORY_FIRST && msr <= MEMORY_LAST);
}

/* Reads as software does, without counting as its read. */
static bool read_msr(struct vpmu *vpmu, uint32_t msr, uint64_t *value)
{
    uint32_t last = vpmu->last_read, same = vpmu->same_reads;
    bool there;

    vpmu->last_read = NONE;
    there = vpmu_rdmsr(vpmu, msr, value) == VPMU_OK;
    vpmu->last_read = last;
    vpmu->same_reads = same;
    return there;
}

/* Returns the register's row, or NULL. */
static struct touched_register *find(struct touched *touched, enum touched_kind kind, uint32_t at)
{
    for (uint32_t i = 0; i < touched->count; i++)
        if (touched->row[i].at == at && touched->row[i].kind == kind)
            return &touched->row[i];
    return NULL;
}

static void add(struct touched *touched, enum touched_kind kind, uint32_t at, uint64_t before)
{
    if (touched->count == TOUCHED_MAX)
        touched->over = true;
    else
        touched->row[touched->count++] = (struct touched_register){at, (uint8_t)kind, true, before};
}

static bool again(struct touched *touched, enum touched_kind kind, uint32_t at)
{
    struct touched_register *row = find(touched, kind, at);

    if (row)
        row->since = true;
    return row;
}

void touched_msr(struct vpmu *vpmu, uint32_t msr)
{
    struct touched *touched = of_node(msr) ? &vpmu->node->touched : &vpmu->touched;
    uint64_t before;

    if (!result(msr) && !again(touched, TOUCHED_MSR, msr) && read_msr(vpmu, msr, &before))
        add(touched, TOUCHED_MSR, msr, before);
}

void touched_apic(struct vpmu *vpmu, unsigned offset)
{
    if (!vpmu->touched.paused && !again(&vpmu->touched, TOUCHED_APIC, offset))
        add(&vpmu->touched, TOUCHED_APIC, offset, 0);
}

void touched_pci(struct touched *touched, unsigned offset, uint32_t before)
{
    if (!again(touched, TOUCHED_PCI, offset))
        add(touched, TOUCHED_PCI, offset, before);
}

static void forget(struct touched *touched)
{
    for (uint32_t i = 0; i < touched->count; i++)
        touched->row[i].since = false;
}

void touched_forget(struct vpmu *vpmu)
{
    forget(&vpmu->touched);
    forget(&vpmu->node->touched);
}

/* ---------------------------------------------------------------- at the end */

/* Returns whether the register reads otherwise than before; *value: how. */
static bool differs(struct vpmu *vpmu, unsigned node, const struct touched_register *row, uint64_t *value)
{
    uint32_t half = 0;

    *value = 0;
    if (row->kind == TOUCHED_MSR)
        return !read_msr(vpmu, row->at, value) || *value != row->before;
    (void)vpmu_pci_read(vpmu, node, 3, row->at, &half);
    *value = half;
    return row->kind == TOUCHED_PCI && half != row->before;
}

static void write_name(struct out *out, const struct touched_register *row)
{
    if (row->kind == TOUCHED_MSR)
        out_printf(out, "MSR %04X_%04X", row->at >> 16, row->at & 0xFFFF);
    else
        out_printf(out, row->kind == TOUCHED_APIC ? "APIC %03Xh" : "F3x%X", row->at);
}

static void write_names(const struct touched *touched, const char *of, unsigned number, struct out *out)
{
    out_printf(out, "vpmu: %s %u: written:", of, number);
    for (uint32_t i = 0; i < touched->count; i++) {
        if (!touched->row[i].since)
            continue;
        out_printf(out, " ");
        write_name(out, &touched->row[i]);
        out_printf(out, ",");
    }
    out_printf(out, touched->over ? " and more than there is room for\n" : " and no other\n");
}

static unsigned write_list(struct vpmu *vpmu, const struct touched *touched, const char *of, unsigned number,
                           struct out *out)
{
    unsigned other = touched->over;
    uint64_t value;

    write_names(touched, of, number, out);
    for (uint32_t i = 0; i < touched->count; i++) {
        if (!differs(vpmu, number, &touched->row[i], &value))
            continue;
        other++;
        out_printf(out, "vpmu: NOT RESTORED %s %u: ", of, number);
        write_name(out, &touched->row[i]);
        out_printf(out, " before %lx after %lx\n", touched->row[i].before, value);
    }
    return other;
}

unsigned vpmu_write_touched(struct vpmu *vpmu, unsigned core, struct out *out)
{
    unsigned other = write_list(vpmu, &vpmu->touched, "core", core, out);

    for (uint32_t node = 0; !vpmu->config.with && node < vpmu->nodes->count; node++)
        other += write_list(vpmu, &vpmu->nodes->node[node].touched, "node", node, out);
    return other;
}

void vpmu_begin_touched(struct vpmu *vpmu)
{
    vpmu->touched.count = vpmu->node->touched.count = 0;
    vpmu->touched.over = vpmu->node->touched.over = false;
}
