/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/filtered.h"

#include "core/base/wrap.h"
#include "core/family/ibs_regs.h"

enum { DROPPED_PART = 10, LINE = 79, INDENT = 9 };

static bool op_contradicts(const struct ibs_machine *machine, const struct sample_record *record)
{
    uint64_t valid[IBS_RECORD_REGS], data3 = record->reg[IBS_OP_DATA3];

    if (data3 & (IBS_DC_UC_MEM_ACC | IBS_DC_WC_MEM_ACC | IBS_DC_SW_PF))
        return false;
    ibs_valid_bits(machine, record, valid);
    if ((valid[IBS_OP_DATA3] & IBS_DC_MISS) && !(data3 & IBS_DC_MISS))
        return true;
    if ((valid[IBS_OP_DATA3] & IBS_DC_L2_MISS) && !(data3 & IBS_DC_L2_MISS))
        return true;
    return (data3 & IBS_LD_OP) &&
           ibs_source_of(machine, record->reg[IBS_OP_DATA2] & valid[IBS_OP_DATA2]) == IBS_SOURCE_L3;
}

static bool fetch_contradicts(const struct ibs_machine *machine, const struct sample_record *record)
{
    uint64_t valid[IBS_RECORD_REGS];

    ibs_valid_bits(machine, record, valid);
    return (valid[IBS_FETCH_CTL] & IBS_FETCH_L3_MISS) && !(record->reg[IBS_FETCH_CTL] & IBS_FETCH_L3_MISS);
}

void filtered_add(struct filtered *filtered, const struct sample_record *record)
{
    if (record->kind >= IBS_RECORD_KINDS || !(filtered->l3_only[record->kind] || record->kind == SAMPLE_OP))
        return;
    filtered->samples[record->kind]++;
    if (filtered->l3_only[record->kind])
        filtered->leaked[record->kind] += record->kind == SAMPLE_OP ? op_contradicts(filtered->machine, record)
                                                                    : fetch_contradicts(filtered->machine, record);
}

static void warn(struct out *out, uint64_t leaked, uint64_t samples, const char *what)
{
    char text[256];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "WARNING: the processor's filter leaks: %lu of %lu %s", leaked, samples, what);
    wrap_text(out, text, 0, INDENT, LINE);
}

void filtered_print(struct out *out, const struct filtered *f)
{
    if (f->leaked[SAMPLE_OP])
        warn(out, f->leaked[SAMPLE_OP], f->samples[SAMPLE_OP],
             "op samples hit the L1, the L2 or the L3, or access no memory. Shares are not those of L3 misses.");
    if (f->leaked[SAMPLE_FETCH])
        warn(out, f->leaked[SAMPLE_FETCH], f->samples[SAMPLE_FETCH],
             "fetch samples did not miss the L3. Shares are not those of L3 misses.");
    if (f->dropped * DROPPED_PART > f->dropped + f->samples[SAMPLE_OP])
        warn(out, f->dropped, f->dropped + f->samples[SAMPLE_OP],
             "op samples are not loads of this latency. They were dropped.");
}
