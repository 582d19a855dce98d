/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pmu/pmc_truth.h"

#include "vpmu/model/state.h"

enum { NO_RUN = PMC_RUNS };

static uint64_t total_of(const struct vpmu *vpmu, const struct pmc_row *row)
{
    const uint64_t *total = pmc_row_total(vpmu, row, false);

    return total ? *total : 0;
}

static void settle_rows(struct vpmu *vpmu, struct pmc_truth *truth)
{
    for (uint32_t i = 0; i < pmc_row_count; i++) {
        uint64_t now = total_of(vpmu, &pmc_rows[i]);
        uint64_t passed = (now - truth->mark[i]) * pmc_row_each(&pmc_rows[i], vpmu->params);

        truth->mark[i] = now;
        if (!truth->on)
            continue;
        truth->all[i] += passed;
        truth->workload[i] += truth->inside ? passed : 0;
    }
}

void pmc_truth_settle(struct vpmu *vpmu)
{
    struct pmc_truth *truth = &vpmu->pmc_truth;

    settle_rows(vpmu, truth);
    for (uint32_t n = 0; n < PMC_COUNTERS; n++) {
        struct pmc_counter *counter = &vpmu->pmc.counter[n];
        uint64_t elapsed = pmc_elapsed(vpmu, counter), passed = elapsed - counter->settled;

        if (!counter->counts)
            continue;
        counter->settled = elapsed;
        if (counter->run == NO_RUN)
            continue;
        truth->runs[counter->run].counted += passed;
        truth->runs[counter->run].workload += truth->inside ? passed : 0;
    }
}

void pmc_truth_move(struct vpmu *vpmu, bool inside)
{
    pmc_truth_settle(vpmu);
    vpmu->pmc_truth.inside = inside;
}

static uint32_t find_run(struct pmc_truth *truth, uint32_t n, uint64_t ctl)
{
    for (uint32_t i = truth->run_count; i-- > 0;)
        if (truth->runs[i].open && truth->runs[i].counter == n && truth->runs[i].ctl == ctl)
            return i;
    if (truth->run_count == PMC_RUNS) {
        truth->runs_lost++;
        return NO_RUN;
    }
    truth->runs[truth->run_count] = (struct pmc_run){.ctl = ctl, .counter = n, .open = true};
    return truth->run_count++;
}

void pmc_truth_start(struct vpmu *vpmu, struct pmc_counter *counter)
{
    struct pmc_truth *truth = &vpmu->pmc_truth;

    truth->on = true;
    truth->inside = false;
    if (!counter->able)
        return;
    counter->run = find_run(truth, (uint32_t)(counter - vpmu->pmc.counter), counter->ctl & ~VPMC_EN);
    if (counter->run != NO_RUN)
        truth->runs[counter->run].windows++;
}

void pmc_truth_written(struct vpmu *vpmu, uint32_t n)
{
    struct pmc_truth *truth = &vpmu->pmc_truth;

    truth->on = (vpmu->pmc.enabled & ~vpmu->pmc.starting) != 0;
    if (vpmu->pmc.counter[n].ctl)
        return;
    for (uint32_t i = truth->run_count; i-- > 0;)
        if (truth->runs[i].counter == n)
            truth->runs[i].open = false;
}

void pmc_truth_mark(struct vpmu *vpmu)
{
    settle_rows(vpmu, &vpmu->pmc_truth);
}

/* ---------------------------------------------------------------- output */

#define ULL(value) ((unsigned long long)(value))

static void write_event(const struct vpmu *vpmu, const char *name, const uint64_t *counts, uint32_t first,
                        struct out *out)
{
    const struct pmc_row *row = &pmc_rows[first];
    uint64_t total = 0;

    for (uint32_t i = first; i < pmc_row_count; i++)
        if (pmc_rows[i].select == row->select && pmc_rows[i].want == row->want &&
            pmc_row_counts(&pmc_rows[i], vpmu->params, row->select, row->want))
            total += counts[i];
    out_printf(out, "# %s,%03x,%02x,%llu\n", name, row->select, row->want, ULL(total));
}

static bool said_before(uint32_t row)
{
    for (uint32_t i = 0; i < row; i++)
        if (pmc_rows[i].select == pmc_rows[row].select && pmc_rows[i].want == pmc_rows[row].want)
            return true;
    return false;
}

static void write_events(const struct vpmu *vpmu, const char *name, const uint64_t *counts, struct out *out)
{
    out_printf(out, "# %s,select,mask,count\n", name);
    for (uint32_t i = 0; i < pmc_row_count; i++)
        if (!said_before(i) && pmc_row_of_family(&pmc_rows[i], vpmu->params) &&
            pmc_models(vpmu, pmc_rows[i].select, pmc_rows[i].want))
            write_event(vpmu, name, counts, i, out);
}

void pmc_truth_write(struct vpmu *vpmu, struct out *out)
{
    struct pmc_truth *truth = &vpmu->pmc_truth;

    pmc_truth_settle(vpmu);
    write_events(vpmu, "pmc", truth->all, out);
    write_events(vpmu, "pmc_workload", truth->workload, out);
    out_printf(out, "# pmc_runs_lost,%llu\n", ULL(truth->runs_lost));
    out_printf(out, "# pmc_run,counter,perf_ctl,select,mask,windows,counted,workload\n");
    for (uint32_t i = 0; i < truth->run_count; i++) {
        const struct pmc_run *run = &truth->runs[i];

        out_printf(out, "# pmc_run,%u,%llx,%03x,%02x,%llu,%llu,%llu\n", run->counter, ULL(run->ctl),
                   pmc_select_of(run->ctl), pmc_mask_of(run->ctl), ULL(run->windows), ULL(run->counted),
                   ULL(run->workload));
    }
}
