/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/ibs_time.h"

/* Returns false for filtered samples, which stand for no number of ops. */
static bool possible(const struct run *run)
{
    const struct ibs_plan *plan = &run->ibs.plan;
    struct ibs_machine machine = ibs_machine_of(run->machine->family, run->machine->model, run->machine->ibs_caps);

    return run->reference && plan->op && plan->count_ops && !plan->l3_miss_only && !plan->load_latency &&
           time_share_supports(&machine);
}

bool ibs_time_prepare(struct run *run, struct out *problems)
{
    uint32_t rows = run->map->insn_count + 1;
    size_t samples_size = TIME_SHARE_SAMPLES * sizeof(struct time_share_sample);
    struct time_share_sample *samples;
    struct time_share_row *row;

    if (!possible(run))
        return true;
    samples = pool_take(&run->pool, samples_size, POOL_PAGE, "samples for the estimated time", problems);
    row = samples ? pool_take(&run->pool, rows * sizeof(*row), POOL_PAGE, "the estimated time", problems) : NULL;
    if (!row)
        return false;
    time_share_follow(row, run->map);
    time_share_init(&run->ibs.time, samples, row, rows);
    return true;
}

void ibs_time_add(struct run *run, int32_t insn, const struct sample_record *record)
{
    if (run->ibs.time.samples)
        time_share_add(&run->ibs.time, insn < 0 ? run->map->insn_count : (uint32_t)insn, record);
}

void ibs_time_estimate(struct run *run)
{
    const struct disturbance *of = &run->disturbance;
    const struct nmi_counts *counts = &run->passes.counts;
    uint64_t samples = counts->recorded[SAMPLE_OP] + counts->lost[SAMPLE_OP] - run->ibs.in_handler[SAMPLE_OP];

    if (run->ibs.time.samples)
        run->ibs.timed = time_share_estimate(&run->ibs.time, of->undisturbed[DISTURBANCE_CYCLES] * run->ibs.repeats,
                                             samples * run->ibs.plan.op_period);
}

bool ibs_time_known(const struct run *run)
{
    return run->ibs.timed;
}

void ibs_time_print(struct out *out, const struct run *run)
{
    if (!run->ibs.time.samples)
        return;
    if (!run->ibs.timed) {
        out_printf(out, "\nEstimated time: not known: too few op samples, or cycles were not counted\n");
        return;
    }
    out_printf(out, "\n");
    time_share_print(out, &run->ibs.time, run->map);
}

void ibs_time_csv(struct out *out, const struct run *run)
{
    time_share_csv(out, &run->ibs.time, run->map);
}
