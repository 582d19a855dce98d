/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/stats.h"
#include "core/noise/noise.h"
#include "core/run/facts.h"

/* Returns the name that keys of facts have: "nine", "microsecond". */
static const char *threshold_name(unsigned threshold)
{
    static const char *const names[NOISE_THRESHOLDS] = {[NOISE_NINE] = "nine", [NOISE_MICROSECOND] = "microsecond"};

    return names[threshold];
}

static void write_class(struct out *out, const char *regime, const char *name, const struct noise_class *class)
{
    fact_number(out, FACT_NOISE_THRESHOLD, class->threshold_ns, regime, name);
    fact_number(out, FACT_NOISE_DETOURS, class->count, regime, name);
    fact_number(out, FACT_NOISE_RATE, class->milli_per_second, regime, name);
    fact_number(out, FACT_NOISE_LOST, class->lost_ppb, regime, name);
    if (!class->count)
        fact_number(out, FACT_NOISE_BOUND, class->bound_micro, regime, name);
}

void noise_write_facts(struct out *out, const char *regime, const struct noise_result *result,
                       const struct noise_trace *trace)
{
    fact_number(out, FACT_NOISE_DURATION_NS, result->duration_ns, regime);
    fact_number(out, FACT_NOISE_TSC_START, trace->start, regime);
    fact_number(out, FACT_NOISE_READS, result->reads, regime);
    fact_number(out, FACT_NOISE_USUAL, result->usual_ps, regime);
    fact_number(out, FACT_NOISE_BACKWARDS, result->backwards, regime);
    for (unsigned i = 0; i < NOISE_THRESHOLDS; i++)
        write_class(out, regime, threshold_name(i), &result->by[i]);
    fact_number(out, FACT_NOISE_LARGEST, stats_mul_div(trace->largest.ticks, 1000000, result->tsc_khz), regime);
    fact_number(out, FACT_NOISE_NOT_KEPT, result->not_kept, regime);
    fact_number(out, FACT_NOISE_BLIND, result->blind_ns, regime);
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++)
        if (result->by_cause[i])
            fact_number(out, FACT_NOISE_CAUSE, result->by_cause[i], regime, noise_cause_name(i));
    for (unsigned i = 0; i < NOISE_BINS; i++)
        if (result->bins[i])
            fact_number(out, FACT_NOISE_BIN, result->bins[i], regime, i);
    for (unsigned i = 0; i < result->periods; i++) {
        const struct noise_period *period = &result->period[i];

        fact_begin(out, FACT_NOISE_PERIOD, regime, i);
        out_printf(out, " %lu ns, %u of %u, HZ %u\n", period->nanoseconds, period->detours, period->expected,
                   noise_tick_hz(period));
    }
}

void noise_write_quanta_facts(struct out *out, const char *regime, const struct noise_quanta *quanta)
{
    fact_number(out, FACT_NOISE_QUANTA, quanta->count, regime);
    fact_number(out, FACT_NOISE_QUANTA_LEAST, quanta->least, regime);
    fact_number(out, FACT_NOISE_QUANTA_MOST, quanta->most, regime);
    fact_number(out, FACT_NOISE_QUANTA_LOST, quanta->lost_ppb, regime);
    for (unsigned i = 0; i < NOISE_BINS; i++)
        if (quanta->late[i])
            fact_number(out, FACT_NOISE_QUANTA_LATE, quanta->late[i], regime, i);
}

void noise_write_rows(struct out *out, const char *regime, const struct noise_trace *trace, uint32_t tsc_khz)
{
    for (uint32_t i = 0; i < trace->kept; i++)
        out_printf(out, "%s,%lu,%lu,%s\n", regime, stats_mul_div(trace->gap[i].at - trace->start, 1000000, tsc_khz),
                   stats_mul_div(trace->gap[i].ticks, 1000000, tsc_khz), noise_cause_name(trace->gap[i].cause));
}
