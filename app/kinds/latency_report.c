/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/latency.h"

#include "app/base/sentence.h"
#include "app/report/report_ibs.h"
#include "core/run/facts.h"

void latency_settings(struct out *out, const struct run *run)
{
    const struct latency_run *latency = latency_run_of(run);

    out_printf(out, "Lists         %u sizes on %u node%s, %u hops in each\n", latency->sizes, latency->nodes,
               latency->nodes == 1 ? "" : "s", latency->hops);
}

static void nanoseconds(struct out *out, const struct run *run, uint64_t ticks, int width)
{
    uint64_t hops = latency_run_of(run)->hops;

    if (run->machine->tsc_khz)
        out_ratio(out, ticks * 1000, hops * run->machine->tsc_khz, 1000, 1, width);
    else
        out_printf(out, "%*s", width, width ? "?" : "");
}

static void table_row(struct out *out, const struct run *run, const struct latency_node *node,
                      const struct latency_row *row)
{
    if (node->node == NODE_UNKNOWN)
        out_printf(out, "%4s%8u", "-", row->kb);
    else
        out_printf(out, "%4d%8u", node->node, row->kb);
    if (!row->ticks) {
        out_printf(out, "%8s\n", "?");
        return;
    }
    out_ratio(out, row->ticks, latency_run_of(run)->hops, 1, 1, 8);
    nanoseconds(out, run, row->ticks, 8);
    out_printf(out, "%8lu", row->loads);
    if (row->loads) {
        out_ratio(out, row->cycles, row->loads, 1, 1, 8);
        for (unsigned q = 0; q < 3; q++)
            out_printf(out, "%6u", row->quartile[q]);
        report_most_answers(out, row->source, row->loads);
    }
    out_printf(out, "\n");
}

void latency_tables(struct out *out, const struct run *run)
{
    const struct latency_run *latency = latency_run_of(run);

    heading(out, "Latency of a load by size and node of memory");
    out_printf(out, "%-4s%8s%8s%8s%8s%8s%6s%6s%6s  %s\n", "node", "KB", "ticks", "ns", "misses", "mean", "25%", "50%",
               "75%", "who answered");
    for (unsigned n = 0; n < latency->nodes; n++)
        for (unsigned size = 0; size < latency->sizes; size++)
            table_row(out, run, &latency->node[n], &latency->node[n].row[size]);
    sentence(out, "TSC ticks and ns per load, without sampling; sampled loads that missed the data cache, their "
                  "latency from the miss on in core cycles (IbsDcMissLat), and what answered most of them.");
    if (run->passes.core[0].plan.place.paging.kind == PAGING_4K)
        sentence(out, "NOTE: with 4 KB pages the ticks of large lists include page walks; pages=2m has fewer.");
}

void latency_facts(struct out *out, const struct run *run)
{
    const struct latency_run *latency = latency_run_of(run);
    uint64_t measured = 0;

    for (unsigned n = 0; n < latency->nodes; n++)
        for (unsigned size = 0; size < latency->sizes; size++)
            measured += latency->node[n].row[size].ticks != 0;
    fact_number(out, FACT_LATENCY_LISTS, (uint64_t)latency->sizes * latency->nodes);
    fact_number(out, FACT_LATENCY_MEASURED, measured);
    fact_number(out, FACT_LATENCY_HOPS, latency->hops);
}

static void csv_row(struct out *out, const struct run *run, const struct latency_node *node,
                    const struct latency_row *row)
{
    if (node->node != NODE_UNKNOWN)
        out_printf(out, "%d", node->node);
    out_printf(out, ",%u,", row->kb);
    if (row->ticks)
        out_ratio(out, row->ticks, latency_run_of(run)->hops, 1, 2, 0);
    out_printf(out, ",");
    if (row->ticks)
        nanoseconds(out, run, row->ticks, 0);
    out_printf(out, ",%lu,", row->loads);
    if (row->loads)
        out_ratio(out, row->cycles, row->loads, 1, 1, 0);
    for (unsigned q = 0; q < 3; q++)
        if (row->loads)
            out_printf(out, ",%u", row->quartile[q]);
        else
            out_printf(out, ",");
    for (unsigned s = 0; s < IBS_SOURCES; s++)
        out_printf(out, ",%lu", row->source[s]);
    out_printf(out, "\n");
}

void latency_csv(struct out *out, const struct run *run)
{
    const struct latency_run *latency = latency_run_of(run);

    out_printf(out, "node,kb,ticks,ns,misses,mean,lat_25,lat_50,lat_75");
    report_source_columns(out);
    for (unsigned n = 0; n < latency->nodes; n++)
        for (unsigned size = 0; size < latency->sizes; size++)
            csv_row(out, run, &latency->node[n], &latency->node[n].row[size]);
}
