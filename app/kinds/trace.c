/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traces of ops: with a first interval of n ops, IBS tags the n-th op after its start, the same one in each pass. So
 * each op of a sequence has its own passes, and no earlier sample disturbs it.
 *
 * The interval is IbsOpMaxCnt less IbsOpCurCnt, and IbsOpMaxCnt is the longest possible, so the workload ends before a
 * second sample. If the tagged op is flushed, the pass has no sample.
 */
#include "app/kinds/trace.h"

#include "app/run/kind.h"
#include "app/base/sentence.h"
#include "core/base/mem.h"
#include "core/family/ibs_regs.h"

enum {
    REPEATS = 2,
    RING = 16,     /* records: each pass clears so many, and fills one */
    STRIDE = 8,    /* ops */
    DEAF = 64,     /* intervals without a sample before the first one */
    MORE = 16,     /* one in so many: by how much dispatch may exceed the ops of a workload's row */
    SPARE = 1024,  /* ops of starting and stopping */
    SILENT = 1024, /* ops in a row without a sample, after which none is expected */
};

static uint32_t period_of(const struct machine *machine)
{
    return machine->ibs_caps & IBS_CAP_OPCNTEXT ? IBS_OP_PERIOD_EXT : IBS_PERIOD_MAX;
}

/* Returns the reason for a refusal, or NULL. */
static const char *refusal(const struct run *run, const struct options *options)
{
    uint32_t caps = run->machine->ibs_caps;

    if (!(caps & IBS_CAP_OPCNT))
        return "needs op intervals that are counted in ops (CPUID 8000_001Bh EAX bit 4; Family 10h: from revision C "
               "on)";
    if (!(caps & IBS_CAP_RDWR_OPCNT))
        return "needs an IbsOpCurCnt that may be written (CPUID 8000_001Bh EAX bit 3)";
    if (options->count == OPTIONS_COUNT_CYCLES)
        return "counts ops: do not set 'count'";
    if (options->l3_miss_only || options->load_latency)
        return "needs every op: do not set l3_miss_only and load_latency";
    if (run->passes.cores > 1)
        return "works on the boot core alone: leave 'cores' at 0";
    return NULL;
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    const char *why = refusal(run, options);
    uint32_t period = period_of(run->machine);
    uint64_t ops = run->workload->work(run->params) * run->workload->unit_ops;
    uint64_t last = options->trace_from + options->trace_ops + TRACE_BEFORE_MAX;
    struct trace_run *trace;

    ops += ops / MORE + SPARE;
    if (why) {
        sentence(problems, "config = trace: %s", why);
        return false;
    }
    if (ops > period || last > period) {
        sentence(problems, "config = trace: %s %lu ops, and one interval is %u at most: take a smaller one",
                 ops > period ? "a pass of this workload dispatches some" : "trace_from and trace_ops reach to",
                 ops > period ? ops : last, period);
        return false;
    }
    trace = run->own = pool_take(&run->pool, sizeof(*trace), POOL_PAGE, "the trace", problems);
    if (!trace)
        return false;
    *trace = (struct trace_run){
        .plan = {.op = true, .op_period = period, .count_ops = true, .op_exact = 1},
        .machine = ibs_machine_of(run->machine->family, run->machine->model, run->machine->ibs_caps),
        .from = (uint32_t)options->trace_from,
        .wanted = (uint32_t)options->trace_ops,
        .repeats = options->repeats ? (uint32_t)options->repeats : REPEATS,
    };
    trace->op = pool_take(&run->pool, trace->wanted * sizeof(*trace->op), POOL_PAGE, "the ops", problems);
    if (!trace->op)
        return false;
    memset(trace->op, 0, trace->wanted * sizeof(*trace->op));
    return passes_possible(&run->passes, &(struct session_program){.ibs = trace->plan}, problems);
}

/* ---------------------------------------------------------------- passes */

/* Leaves room for a few more records, because a pass clears all it has. */
static void make_room(struct passes *passes, uint64_t before, uint32_t records)
{
    passes->capacity = records - before < RING ? records : (uint32_t)before + RING;
    passes_share_room(passes);
}

/* Runs a pass that tags its n-th op, from the start of IBS on. *ret_sampled: *ret_record has its sample. Returns false
 * if the pass failed. */
static bool tag(struct run *run, uint32_t n, struct sample_record *ret_record, bool *ret_sampled)
{
    struct trace_run *trace = run->own;
    struct session_program program = {.ibs = trace->plan};
    uint64_t before = run->passes.samples;
    bool good;

    program.ibs.op_exact = n;
    make_room(&run->passes, before, trace->records);
    /* Only the first pass has a noise certificate. */
    good = !run->passes.run ? passes_run(&run->passes, &program) : passes_run_plain(&run->passes, &program);
    *ret_sampled = good && run->passes.samples > before;
    if (*ret_sampled)
        *ret_record = run->passes.records[before];
    if (!good)
        trace->end = TRACE_BROKEN;
    return good;
}

static bool in_workload(const struct run *run, const struct sample_record *record)
{
    return run_insn(run, record->reg[IBS_OP_RIP]) >= 0;
}

/* Tries intervals until one finds an op of the workload, and returns it; 0: none. *any: some had a sample. */
static uint32_t scan(struct run *run, uint32_t from, uint32_t to, uint32_t step, bool *any)
{
    struct sample_record record;
    bool sampled;

    for (uint32_t n = from; n <= to; n += step) {
        if (!tag(run, n, &record, &sampled))
            return 0;
        *any |= sampled;
        if (sampled && in_workload(run, &record))
            return n;
        if (n >= DEAF && !*any)
            return 0;
    }
    return 0;
}

/* Finds the smallest interval that reaches the workload; the ops before it are this program's. Strides are shorter than
 * most workloads; if they skip one, every op is tried. */
static bool find_first(struct run *run)
{
    struct trace_run *trace = run->own;
    bool any = false;
    uint32_t n = scan(run, STRIDE, TRACE_BEFORE_MAX, STRIDE, &any);

    if (n)
        n = scan(run, n - STRIDE + 1, n, 1, &any);
    else if (any && trace->end != TRACE_BROKEN)
        n = scan(run, 1, TRACE_BEFORE_MAX, 1, &any);
    if (n)
        trace->before = n - 1;
    else if (trace->end != TRACE_BROKEN)
        trace->end = any ? TRACE_NOT_FOUND : TRACE_DEAF;
    return n;
}

/* Tags the same op in each repeat. Returns false if the trace ends before it. */
static bool trace_op(struct run *run, uint32_t i)
{
    struct trace_run *trace = run->own;
    struct op_trace_op *op = &trace->op[i];

    for (uint32_t r = 0; r < trace->repeats; r++) {
        struct sample_record record = {0};
        bool sampled;

        if (!tag(run, trace->before + trace->from + i, &record, &sampled))
            return false;
        if (sampled && !op->samples && !in_workload(run, &record)) {
            trace->end = TRACE_OVER;
            return false;
        }
        op_trace_add(op, &trace->machine, sampled ? &record : NULL, record.tsc - run->passes.result.tsc_start);
    }
    return true;
}

/* Trailing ops without a sample are not the workload's, if it has ended. */
static void judge(struct run *run)
{
    struct trace_run *trace = run->own;

    while (trace->end == TRACE_OVER && trace->count && !trace->op[trace->count - 1].samples)
        trace->count--;
    op_trace_place(trace->op, trace->count, run->map, run->map_base);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct op_trace_op *op = &trace->op[i];

        trace->lost += !op->samples;
        trace->differ += op->samples && (op->differs || op->samples < op->passes);
        if (!i || !op->samples || !op[-1].samples)
            continue;
        trace->known++;
        trace->breaks += !op_trace_follows(run->map, op - 1, op);
    }
}

/* Returns the passes for ops; those of the search for the first op are not known. */
static unsigned passes(const struct run *run)
{
    const struct trace_run *trace = run->own;

    return trace->wanted * trace->repeats;
}

static void measure(struct run *run)
{
    struct trace_run *trace = run->own;
    uint32_t silent = 0;

    trace->records = run->passes.capacity;
    if (find_first(run)) {
        passes_expect(&run->passes, passes(run));
        for (uint32_t i = 0; i < trace->wanted && trace_op(run, i); i++) {
            trace->count = i + 1;
            silent = trace->op[i].samples ? 0 : silent + 1;
            if (silent == SILENT) {
                trace->end = TRACE_OVER;
                break;
            }
        }
        judge(run);
    }
    run->passes.capacity = trace->records;
}

static bool good(const struct run *run)
{
    return trace_run_of(run)->count > 0;
}

KIND(kind_trace, 47) = {
    .name = "trace",
    .title = "Ops in sequence, each with its time from tag to retirement",
    .explanation = "IBS tags the n-th op of the workload, for one n after the other, each in its\n"
                   "own passes: what each op of a sequence did, and how long it took. trace_ops\n"
                   "ops from trace_from on, 'repeats' times each (2); each takes a run of the\n"
                   "workload, so choose a short one. Needs op intervals counted in ops, and an\n"
                   "IbsOpCurCnt that is writable.\n",
    .ibs = true,
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .good = good,
    .settings = trace_settings,
    .tables = trace_tables,
    .checks = trace_checks,
    .facts = trace_facts,
    .csv_name = "trace.csv",
    .csv = trace_csv,
};
