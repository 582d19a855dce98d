/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/op_trace.h"

#include "core/family/ibs_regs.h"

/* Durations are compared as such, all other bits as outcomes. */
#define DATA_LATENCY  (IBS_OP_COMP_TO_RET | IBS_OP_TAG_TO_RET)
#define DATA3_LATENCY IBS_DC_MISS_LAT

static struct sample_record valid_of(const struct ibs_machine *machine, const struct sample_record *record)
{
    struct sample_record valid = *record;
    uint64_t bits[IBS_RECORD_REGS];

    ibs_valid_bits(machine, record, bits);
    for (unsigned reg = IBS_OP_DATA; reg <= IBS_OP_DATA3; reg++)
        valid.reg[reg] &= bits[reg];
    return valid;
}

static uint32_t differences(const struct sample_record *a, const struct sample_record *b)
{
    uint64_t data = a->reg[IBS_OP_DATA] ^ b->reg[IBS_OP_DATA], data3 = a->reg[IBS_OP_DATA3] ^ b->reg[IBS_OP_DATA3];
    uint32_t differs = 0;

    if (a->reg[IBS_OP_RIP] != b->reg[IBS_OP_RIP] || a->reg[IBS_OP_DCLINAD] != b->reg[IBS_OP_DCLINAD])
        differs |= OP_TRACE_ADDRESS;
    if ((data & ~DATA_LATENCY) || (data3 & ~DATA3_LATENCY) || a->reg[IBS_OP_DATA2] != b->reg[IBS_OP_DATA2])
        differs |= OP_TRACE_OUTCOME;
    if ((data & DATA_LATENCY) || (data3 & DATA3_LATENCY))
        differs |= OP_TRACE_LATENCY;
    return differs;
}

void op_trace_add(struct op_trace_op *op, const struct ibs_machine *machine, const struct sample_record *record,
                  uint64_t ticks)
{
    struct sample_record valid;
    uint16_t cycles;

    op->passes++;
    if (!record)
        return;
    valid = valid_of(machine, record);
    cycles = (uint16_t)ibs_op_tag_to_ret(valid.reg[IBS_OP_DATA]);
    if (!op->samples++) {
        op->record = valid;
        op->least = op->most = cycles;
        op->ticks = ticks;
        return;
    }
    op->differs |= differences(&op->record, &valid);
    op->least = cycles < op->least ? cycles : op->least;
    op->most = cycles > op->most ? cycles : op->most;
    op->ticks = ticks < op->ticks ? ticks : op->ticks;
}

/* ---------------------------------------------------------------- places */

static uint32_t ops_of(const struct codemap *map, const struct op_trace_op *op)
{
    return op->insn >= 0 && map->insns[op->insn].ops ? map->insns[op->insn].ops : 1;
}

/* Returns the next macro-op of the same instruction, unless that has no more. */
static uint32_t macro_op(const struct codemap *map, const struct op_trace_op *last, uint32_t distance,
                         const struct op_trace_op *op)
{
    if (last && last->insn == op->insn && op->insn >= 0 && last->macro_op + distance <= ops_of(map, op))
        return last->macro_op + distance;
    return 1;
}

void op_trace_place(struct op_trace_op *ops, uint32_t count, const struct codemap *map, uint64_t base)
{
    const struct op_trace_op *last = NULL;
    uint64_t tag = 0, retire = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct op_trace_op *op = &ops[i];
        uint64_t cycles = ibs_op_tag_to_ret(op->record.reg[IBS_OP_DATA]);

        op->insn = -1;
        op->tag = op->retire = tag;
        if (!op->samples)
            continue;
        op->insn = codemap_find(map, op->record.reg[IBS_OP_RIP] - base);
        op->macro_op = macro_op(map, last, last ? (uint32_t)(op - last) : 0, op);
        if (retire > tag + cycles)
            op->tag = tag = retire - cycles;
        op->retire = retire = tag + cycles;
        last = op;
    }
}

bool op_trace_follows(const struct codemap *map, const struct op_trace_op *a, const struct op_trace_op *b)
{
    const struct codemap_insn *from, *to;
    bool taken = a->record.reg[IBS_OP_DATA] & IBS_OP_BRN_TAKEN;

    if (a->insn < 0 || b->insn < 0)
        return true;
    from = &map->insns[a->insn];
    to = &map->insns[b->insn];
    if (a->macro_op < ops_of(map, a))
        return b->insn == a->insn;
    if (from->flags & CODEMAP_INSN_REP)
        return b->insn == a->insn || to->rva == from->rva + from->length;
    switch (from->branch) {
    case CODEMAP_BR_NONE:
        return to->rva == from->rva + from->length;
    case CODEMAP_BR_COND:
        return to->rva == (taken ? from->target : from->rva + from->length);
    case CODEMAP_BR_JUMP:
    case CODEMAP_BR_CALL:
        return to->rva == from->target;
    default:
        return true;
    }
}

/* ---------------------------------------------------------------- words */

const char *op_trace_branch(const struct op_trace_op *op)
{
    uint64_t data = op->record.reg[IBS_OP_DATA];
    bool mispredicted = data & (IBS_OP_BRN_MISP | IBS_OP_MISP_RETURN);

    if (!(data & IBS_OP_BRN_RET))
        return "";
    if (data & IBS_OP_BRN_TAKEN)
        return mispredicted ? "mispredicted taken" : "taken";
    return mispredicted ? "mispredicted not taken" : "not taken";
}

const char *op_trace_access(const struct op_trace_op *op)
{
    static const char *const words[] = {"", "load", "store", "both"};

    return words[op->record.reg[IBS_OP_DATA3] & (IBS_LD_OP | IBS_ST_OP)];
}

static bool accesses(const struct op_trace_op *op)
{
    return op->record.reg[IBS_OP_DATA3] & (IBS_LD_OP | IBS_ST_OP);
}

const char *op_trace_dc(const struct op_trace_op *op)
{
    return !accesses(op) ? "" : ibs_dc_miss(op->record.reg[IBS_OP_DATA3]) ? "miss" : "hit";
}

const char *op_trace_dtlb(const struct op_trace_op *op)
{
    uint64_t data3 = op->record.reg[IBS_OP_DATA3];

    if (!accesses(op) || !ibs_dc_lin_addr_valid(data3))
        return "";
    if (!ibs_dc_l1tlb_miss(data3))
        return "hit";
    return ibs_dc_l2tlb_miss(data3) ? "L1M L2M" : "L1M L2H";
}

const char *op_trace_source(const struct op_trace_op *op, const struct ibs_machine *machine)
{
    uint64_t data3 = op->record.reg[IBS_OP_DATA3];

    /* Only loads that missed are sure to have the status (core/family/ibs_regs.h). */
    if (!ibs_ld_op(data3) || !(ibs_dc_miss(data3) || ibs_dc_uc_mem_acc(data3)))
        return "";
    return ibs_source_text(ibs_source_of(machine, op->record.reg[IBS_OP_DATA2]));
}

const char *op_trace_differs_text(uint32_t differs)
{
    static const char *const words[] = {"",        "address",         "outcome",         "address outcome",
                                        "latency", "address latency", "outcome latency", "address outcome latency"};

    return words[differs & 7];
}
