/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/trace.h"

#include "app/run/kind.h"
#include "app/base/sentence.h"
#include "core/family/ibs_regs.h"
#include "core/profile/csv.h"
#include "core/run/facts.h"

enum { LINES_MAX = 64, TEXT_COLUMNS = 23, WORDS = 10, BAR = 18 };

void trace_settings(struct out *out, const struct run *run)
{
    const struct trace_run *trace = trace_run_of(run);

    out_printf(out, "Op trace      %u ops from op %u of the workload on, %u passes for each\n", trace->count,
               trace->from, trace->repeats);
    if (trace->count)
        out_printf(out, "IBS started   %u ops before the workload's first\n", trace->before);
}

/* ---------------------------------------------------------------- table */

static void words(struct out *out, const struct op_trace_op *op)
{
    uint64_t data = op->record.reg[IBS_OP_DATA], data3 = op->record.reg[IBS_OP_DATA3];
    char text[40];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    if (!op->samples)
        out_printf(&memory.out, "lost ");
    if (data & IBS_OP_BRN_RET)
        out_printf(&memory.out, data & IBS_OP_BRN_TAKEN ? "taken " : "next ");
    if ((data & IBS_OP_BRN_RET) && (data & IBS_OP_BRN_MISP))
        out_printf(&memory.out, "misp ");
    if (ibs_ld_op(data3))
        out_printf(&memory.out, "ld ");
    if (ibs_st_op(data3))
        out_printf(&memory.out, "st ");
    if (ibs_dc_miss(data3))
        out_printf(&memory.out, "M ");
    if (ibs_dc_l1tlb_miss(data3))
        out_printf(&memory.out, ibs_dc_l2tlb_miss(data3) ? "T2 " : "T1 ");
    if (op->differs || (op->samples && op->samples < op->passes))
        out_printf(&memory.out, "*");
    out_printf(out, " %-*.*s", WORDS, WORDS, text);
}

/* Draws the time from tag to retirement; BAR is the width of the whole trace. */
static void bar(struct out *out, const struct op_trace_op *op, uint64_t all)
{
    uint64_t from = all ? op->tag * BAR / all : 0, to = all ? op->retire * BAR / all : 0;

    out_printf(out, "|");
    for (uint64_t i = 0; op->samples && i < BAR && i <= to; i++)
        out_printf(out, i < from ? " " : "=");
    out_printf(out, "\n");
}

static void line(struct out *out, const struct run *run, uint32_t i, uint64_t all)
{
    const struct trace_run *trace = trace_run_of(run);
    const struct op_trace_op *op = &trace->op[i];
    const struct codemap *map = run->map;

    out_printf(out, "%6u", trace->from + i);
    if (op->insn >= 0) {
        const struct codemap_insn *insn = &map->insns[op->insn];

        out_printf(out, " %6x %-*.*s", insn->rva, TEXT_COLUMNS, TEXT_COLUMNS, map->strings + insn->text);
        out_printf(out, insn->ops > 1 ? "%2u" : "  ", op->macro_op);
    } else {
        out_printf(out, " %*s", 7 + TEXT_COLUMNS + 2, "");
    }
    if (op->samples)
        out_printf(out, "%5u%5u", ibs_op_tag_to_ret(op->record.reg[IBS_OP_DATA]),
                   ibs_op_comp_to_ret(op->record.reg[IBS_OP_DATA]));
    else
        out_printf(out, "%10s", "");
    words(out, op);
    bar(out, op, all);
}

static void notes(struct out *out, const struct run *run)
{
    const struct trace_run *trace = trace_run_of(run);

    if (trace->end == TRACE_DEAF)
        sentence(out,
                 "WARNING: no sample came after a short first interval: IbsOpCurCnt does not hold what is written.");
    else if (trace->end == TRACE_NOT_FOUND)
        sentence(out, "WARNING: none of the first %u ops after the start of IBS belongs to the workload.",
                 TRACE_BEFORE_MAX);
    else if (trace->end == TRACE_OVER && trace->count)
        sentence(out, "NOTE: the workload ends after op %u.", trace->from + trace->count - 1);
    else if (trace->end == TRACE_OVER)
        sentence(out, "WARNING: the workload has no op %u: take a smaller trace_from.", trace->from);
    if (trace->lost)
        sentence(out,
                 "NOTE: %u of these ops gave no sample: they were tagged and never retired, for example on the wrong "
                 "path of a branch.",
                 trace->lost);
    if (trace->differ)
        sentence(out, "NOTE: %u of these ops, marked *, did not repeat (trace.csv says in which field).",
                 trace->differ);
}

void trace_tables(struct out *out, const struct run *run)
{
    const struct trace_run *trace = trace_run_of(run);
    uint64_t all = trace->count ? trace->op[trace->count - 1].retire : 0;

    out_printf(out, "\nOps in sequence: cycles from tag to retirement, and from completion\n");
    out_printf(out, "%.79s\n", "-------------------------------------------------------------------------------");
    notes(out, run);
    if (!trace->count)
        return;
    out_printf(out,
               "ld, st: load, store; M: DC miss; T1, T2: DTLB L1, L2 miss; bar: the earliest\ntimes that fit all of "
               "these, %lu cycles in all\n",
               all);
    out_printf(out, "%6s %-*s %5s%5s\n", "op", 7 + TEXT_COLUMNS + 1, "Address Instruction", "tag", "comp");
    for (uint32_t i = 0; i < trace->count && i < LINES_MAX; i++)
        line(out, run, i, all);
    if (trace->count > LINES_MAX)
        out_printf(out, "... and %u more in trace.csv\n", trace->count - LINES_MAX);
}

void trace_checks(struct out *out, const struct run *run)
{
    const struct trace_run *trace = trace_run_of(run);

    if (trace->known)
        sentence(out, "%s program order: by the listing %u of %u ops can follow the op before",
                 trace->breaks ? "OTHER" : "same", trace->known - trace->breaks, trace->known);
}

/* ---------------------------------------------------------------- files */

void trace_facts(struct out *out, const struct run *run)
{
    const struct trace_run *trace = trace_run_of(run);

    fact_number(out, FACT_TRACE_FROM, trace->from);
    fact_number(out, FACT_TRACE_OPS, trace->count);
    fact_number(out, FACT_TRACE_BEFORE, trace->before);
    fact_number(out, FACT_TRACE_REPEATS, trace->repeats);
    fact_number(out, FACT_TRACE_LOST, trace->lost);
    fact_number(out, FACT_TRACE_DIFFER, trace->differ);
    fact_number(out, FACT_TRACE_KNOWN, trace->known);
    fact_number(out, FACT_TRACE_BREAKS, trace->breaks);
}

static void sampled(struct out *out, const struct run *run, const struct op_trace_op *op)
{
    const uint64_t *reg = op->record.reg;

    out_printf(out, ",%u,%u,%u,%u,%s,%s", ibs_op_tag_to_ret(reg[IBS_OP_DATA]), op->least, op->most,
               ibs_op_comp_to_ret(reg[IBS_OP_DATA]), op_trace_branch(op), op_trace_access(op));
    if (ibs_dc_lin_addr_valid(reg[IBS_OP_DATA3]))
        out_printf(out, ",0x%lx", reg[IBS_OP_DCLINAD]);
    else
        out_printf(out, ",");
    out_printf(out, ",%s,%s,", op_trace_dc(op), op_trace_dtlb(op));
    if (ibs_ld_op(reg[IBS_OP_DATA3]) && ibs_dc_miss(reg[IBS_OP_DATA3]))
        out_printf(out, "%u", ibs_dc_miss_lat(reg[IBS_OP_DATA3]));
    out_printf(out, ",%s,%lu,%lu,%lu\n", op_trace_source(op, &trace_run_of(run)->machine), op->tag, op->retire,
               op->ticks);
}

void trace_csv(struct out *out, const struct run *run)
{
    const struct trace_run *trace = trace_run_of(run);

    out_printf(out,
               "op,rva,function,file,line,instruction,macro_op,ops,passes,samples,differs,tag_to_retire,least,most,"
               "completion_to_retire,branch,access,address,dc,dtlb,miss_latency,source,tag,retire,ticks\n");
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct op_trace_op *op = &trace->op[i];

        out_printf(out, "%u,", trace->from + i);
        if (op->insn >= 0) {
            csv_instruction(out, run->map, (uint32_t)op->insn);
            out_printf(out, ",%u,%u", op->macro_op, run->map->insns[op->insn].ops);
        } else {
            out_printf(out, ",,,,,,");
        }
        out_printf(out, ",%u,%u,%s", op->passes, op->samples, op_trace_differs_text(op->differs));
        if (op->samples)
            sampled(out, run, op);
        else
            out_printf(out, ",,,,,,,,,,,,%lu,,\n", op->tag);
    }
}
