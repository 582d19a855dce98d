/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/exact.h"

#include "app/run/code.h"
#include "app/run/kind.h"
#include "app/base/sentence.h"
#include "core/profile/csv.h"
#include "core/run/facts.h"
#include "drivers/machine/vpmu_query.h"

enum { LINES_MAX = 40, TEXT_COLUMNS = 32 };

/* Returns how much was executed, in the counter's unit. */
static uint64_t stepped_by(const struct exact_run *exact, uint32_t select)
{
    struct exact_sums sums = exact_sum(&exact->step.counts);

    return select == EXACT_INSTRUCTIONS ? sums.executions : sums.branches;
}

static const char *name_of(uint32_t select)
{
    return select == EXACT_INSTRUCTIONS ? "retired instructions" : "retired branches";
}

void exact_settings(struct out *out, const struct run *run)
{
    const struct exact_run *exact = exact_of(run);

    uint64_t ms = run->machine->tsc_khz ? exact->ticks / run->machine->tsc_khz : 0;

    out_printf(out, "Exact counts  %lu instructions executed one by one, in %u part%s", exact->step.counts.steps,
               exact->parts, exact->parts == 1 ? "" : "s");
    if (ms)
        out_printf(out, ": %lu.%lu s", ms / 1000, ms % 1000 / 100);
    out_printf(out, "\n");
}

/* ---------------------------------------------------------------- tables */

static uint64_t executions_of(const struct exact *counts, uint32_t from, uint32_t end)
{
    uint64_t sum = 0;

    for (uint32_t i = from; i < end; i++)
        sum += counts->insn[i].executions;
    return sum;
}

static void instruction(struct out *out, const struct exact *counts, uint32_t i)
{
    const struct codemap_insn *insn = &counts->map->insns[i];
    const struct exact_insn *of = &counts->insn[i];
    const struct exact_operand *mem = &of->mem[0];

    out_printf(out, "%7x %-*.*s %12lu", insn->rva, TEXT_COLUMNS, TEXT_COLUMNS, counts->map->strings + insn->text,
               of->executions);
    if (insn->branch != CODEMAP_BR_NONE)
        out_ratio(out, of->taken, of->executions, 100, 1, 8);
    if (insn->mems && mem->bits)
        out_printf(out, "%*u %8lu", insn->branch != CODEMAP_BR_NONE ? 9 : 17, mem->lines, mem->changes);
    out_printf(out, "\n");
}

/* Prints the functions' instructions, those with the most executions first, as many as fit. */
static void functions(struct out *out, const struct exact *counts)
{
    uint64_t below = UINT64_MAX;

    for (unsigned lines = 0; lines < LINES_MAX;) {
        uint64_t most = 0, sum;
        uint32_t best = 0, best_end = 0;

        for (uint32_t from = 0, end; from < counts->map->insn_count; from = end) {
            end = codemap_function_end(counts->map, from);
            sum = executions_of(counts, from, end);
            if (sum > most && sum < below) {
                most = sum;
                best = from;
                best_end = end;
            }
        }
        if (!most)
            break;
        below = most;
        out_printf(out, "%s: %lu\n", counts->map->strings + counts->map->funcs[counts->map->insns[best].func].name,
                   most);
        for (uint32_t i = best; i < best_end && lines < LINES_MAX; i++, lines++)
            instruction(out, counts, i);
    }
}

static void notes(struct out *out, const struct run *run)
{
    const struct exact_run *exact = exact_of(run);

    if (exact->refused)
        sentence(out, "NOTE: no counter checks the steps: %s.", session_error_text(exact->refused));
    if (exact->step.state == SINGLE_STEP_DEAF)
        sentence(out, "NOTE: no trap came after an instruction (RFLAGS.TF): what is below this program keeps it.");
    else if (!exact_whole(exact) && exact->parts)
        sentence(out, "NOTE: the counts are of the first %lu instructions%s.", exact->step.counts.steps,
                 exact->stopped ? ": Esc ended the run" : "");
    if (exact->step.counts.edges_lost)
        sentence(out, "NOTE: %lu indirect branches went to more targets than there is room for: edges.csv lacks them.",
                 exact->step.counts.edges_lost);
    if (exact->step.counts.operands_lost)
        sentence(out, "NOTE: the lines of %lu memory operands are not counted: the arena is too large.",
                 exact->step.counts.operands_lost);
    if (run->code.file && run->code.file->why_no_map[0])
        sentence(out, "NOTE: without the file's map branches and memory operands are not known.");
}

void exact_tables(struct out *out, const struct run *run)
{
    const struct exact *counts = &exact_of(run)->step.counts;
    struct exact_sums sums = exact_sum(counts);

    out_printf(out, "\nExact counts: executions, branches taken, lines of the first memory operand\n");
    out_printf(out, "%.79s\n", "-------------------------------------------------------------------------------");
    notes(out, run);
    out_printf(out, "Executed %lu, branches %lu, of these taken %lu; loads %lu, stores %lu\n", sums.executions,
               sums.branches, sums.taken, sums.loads, sums.stores);
    out_printf(out, "%-40s %12s %7s %8s %8s\n", "Address Instruction", "executions", "taken %", "lines", "changes");
    functions(out, counts);
}

void exact_checks(struct out *out, const struct run *run)
{
    const struct exact_run *exact = exact_of(run);

    for (unsigned i = 0; exact_whole(exact) && i < EXACT_EVENTS; i++) {
        const struct exact_event *event = &exact->event[i];
        uint64_t stepped = stepped_by(exact, event->select);

        if (event->counted)
            sentence(out, "%s %03X %s: counter %lu, step by step %lu", event->count == stepped ? "same" : "OTHER",
                     event->select, name_of(event->select), event->count, stepped);
    }
}

/* ---------------------------------------------------------------- files */

void exact_facts(struct out *out, const struct run *run)
{
    const struct exact_run *exact = exact_of(run);

    fact_number(out, FACT_EXACT_INSTRUCTIONS, exact->step.counts.steps);
    fact_number(out, FACT_EXACT_WHOLE, exact_whole(exact));
    fact_number(out, FACT_EXACT_PARTS, exact->parts);
    for (unsigned i = 0; i < EXACT_EVENTS; i++) {
        const struct exact_event *event = &exact->event[i];

        if (event->counted)
            fact_number(out, FACT_EXACT_COUNTED, event->count, event->select);
        fact_number(out, FACT_EXACT_STEPPED, stepped_by(exact, event->select), event->select);
    }
}

static void operand(struct out *out, const struct codemap_mem *mem, const struct exact_operand *counts)
{
    static const char *const access[] = {"", "load", "store", "both"};

    out_printf(out, ",%s,%lu,", access[mem->flags & (CODEMAP_LOAD | CODEMAP_STORE)], counts->accesses);
    if (counts->bits)
        out_printf(out, "%u,%lu", counts->lines, counts->changes);
    else
        out_printf(out, ",%lu", counts->changes);
    out_printf(out, ",0x%lx,0x%lx", counts->low, counts->high);
}

void exact_csv(struct out *out, const struct run *run)
{
    const struct exact *counts = &exact_of(run)->step.counts;

    out_printf(out, "rva,function,file,line,instruction,ops,executions,repetitions,taken");
    for (unsigned m = 1; m <= 2; m++)
        out_printf(out, ",access%u,accesses%u,lines%u,changes%u,low%u,high%u", m, m, m, m, m, m);
    out_printf(out, "\n");
    for (uint32_t i = 0; i < counts->map->insn_count; i++) {
        const struct codemap_insn *insn = &counts->map->insns[i];
        const struct exact_insn *of = &counts->insn[i];

        if (!of->executions && !of->repetitions)
            continue;
        csv_instruction(out, counts->map, i);
        out_printf(out, ",%u,%lu,", insn->ops, of->executions);
        if (insn->flags & CODEMAP_INSN_REP)
            out_printf(out, "%lu", of->repetitions);
        out_printf(out, ",");
        if (insn->branch != CODEMAP_BR_NONE)
            out_printf(out, "%lu", of->taken);
        for (unsigned m = 0; m < 2; m++)
            if (m < insn->mems && of->mem[m].accesses)
                operand(out, &insn->mem[m], &of->mem[m]);
            else
                out_printf(out, ",,,,,,");
        out_printf(out, "\n");
    }
}

bool exact_has_edges(const struct run *run)
{
    const struct exact *counts = &exact_of(run)->step.counts;

    for (unsigned i = 0; i < EXACT_EDGES; i++)
        if (counts->edge[i].count)
            return true;
    return false;
}

void exact_edges_csv(struct out *out, const struct run *run)
{
    const struct exact *counts = &exact_of(run)->step.counts;

    out_printf(out, "from,to,count\n");
    for (unsigned i = 0; i < EXACT_EDGES; i++) {
        const struct exact_edge *edge = &counts->edge[i];

        if (!edge->count)
            continue;
        out_printf(out, "0x%x,", counts->map->insns[edge->from].rva);
        if (edge->to != EXACT_AWAY)
            out_printf(out, "0x%x", edge->to);
        out_printf(out, ",%lu\n", edge->count);
    }
}
