/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/noise/certificate.h"
#include "core/run/facts.h"

/* Found by adding enum witness_what to the first. */
_Static_assert(FACT_CERTIFICATE_BOOST_OFF - FACT_CERTIFICATE_SMIS == WITNESS_BOOST_OFF, "rows in one order");

void certificate_write_run(struct out *out, const struct certificate_run *run)
{
    if (run->sampled) {
        fact_number(out, FACT_SAMPLES_ELSEWHERE, run->elsewhere);
        fact_number(out, FACT_SAMPLES_EDGES, run->edges);
    }
    if (run->why_no_count) {
        fact_not_available(out, FACT_SURPLUS, run->why_no_count);
    } else {
        fact_begin(out, FACT_SURPLUS);
        out_printf(out, " %ld\n", run->surplus);
    }
}

static void write_gaps(struct out *out, const struct certificate_core *of, int core)
{
    if (of->no_loop) {
        fact_not_available(out, FACT_CERTIFICATE_GAPS, of->no_loop, core);
        return;
    }
    fact_number(out, FACT_CERTIFICATE_GAPS, of->gaps, core);
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++)
        if (of->by_cause[i])
            fact_number(out, FACT_CERTIFICATE_CAUSE, of->by_cause[i], core, noise_cause_name(i));
    fact_number(out, FACT_CERTIFICATE_GAP_NS, of->gap_ns, core);
    fact_number(out, FACT_CERTIFICATE_LOOKED, of->looked_us, core);
    fact_number(out, FACT_CERTIFICATE_READS, of->reads, core);
    for (uint32_t i = 0; i < of->gaps_shown; i++) {
        const struct certificate_gap *gap = &of->gap[i];

        fact_begin(out, FACT_CERTIFICATE_GAP, core, i);
        out_printf(out, " %lu ns, TSC %lu, %s pass %u, %s\n", gap->ns, gap->tsc, gap->after ? "after" : "before",
                   gap->pass, noise_cause_name(gap->cause));
    }
}

void certificate_write_core(struct out *out, const struct certificate_core *of, int core)
{
    bool rates = false;

    fact_number(out, FACT_CERTIFICATE_PASSES, of->ended, core);
    if (!of->ended)
        return; /* gaps before a pass that did not end are no certificate */
    for (unsigned what = WITNESS_DRAM; what <= WITNESS_ENERGY; what++)
        rates |= !of->why_not[what];
    if (rates && of->measured_us)
        fact_number(out, FACT_CERTIFICATE_MEASURED, of->measured_us, core);
    for (unsigned what = 0; what < WITNESS_ROWS; what++) {
        enum fact fact = FACT_CERTIFICATE_SMIS + what;

        if (of->why_not[what] == certificate_not_told)
            continue;
        if (of->why_not[what]) {
            fact_not_available(out, fact, of->why_not[what], core);
        } else if (what < WITNESS_PSTATE) {
            fact_number(out, fact, of->sum[what], core);
        } else {
            fact_begin(out, fact, core);
            out_printf(out, " %lu, %lu\n", of->first[what], of->last[what]);
        }
    }
    write_gaps(out, of, core);
}
