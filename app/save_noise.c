#include "app/save_files.h"

#include "app/measure_noise.h"
#include "core/stats.h"

static void fact(struct out *out, const char *regime, const char *key, uint64_t value)
{
    out_printf(out, "#: noise.%s.%s = %llu\n", regime, key, (unsigned long long)value);
}

static void class_facts(struct out *out, const char *regime, const char *name, const struct noise_class *class)
{
    out_printf(out, "#: noise.%s.%s.threshold_ns = %llu\n", regime, name, (unsigned long long)class->threshold_ns);
    out_printf(out, "#: noise.%s.%s.detours = %llu\n", regime, name, (unsigned long long)class->count);
    out_printf(out, "#: noise.%s.%s.milli_per_second = %llu\n", regime, name,
               (unsigned long long)class->milli_per_second);
    out_printf(out, "#: noise.%s.%s.lost_ppb = %llu\n", regime, name, (unsigned long long)class->lost_ppb);
    if (!class->count)
        out_printf(out, "#: noise.%s.%s.fewer_micro_per_second = %llu\n", regime, name,
                   (unsigned long long)class->bound_micro);
}

static void regime_facts(struct out *out, const char *name, const struct run_noise_regime *regime, uint64_t tsc_khz)
{
    const struct noise_result *result = &regime->result;

    fact(out, name, "duration_ns", result->duration_ns);
    fact(out, name, "tsc_start", regime->trace.start);
    fact(out, name, "reads", result->reads);
    fact(out, name, "usual_ps", result->usual_ps);
    fact(out, name, "backwards", result->backwards);
    class_facts(out, name, "nine", &result->by[NOISE_NINE]);
    class_facts(out, name, "microsecond", &result->by[NOISE_MICROSECOND]);
    fact(out, name, "largest_ns", stats_mul_div(regime->trace.largest.ticks, 1000000, tsc_khz));
    fact(out, name, "not_kept", result->not_kept);
    fact(out, name, "blind_ns", result->blind_ns);
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++)
        if (result->by_cause[i])
            out_printf(out, "#: noise.%s.detours: %s = %llu\n", name, noise_cause_name(i),
                       (unsigned long long)result->by_cause[i]);
    for (unsigned i = 0; i < NOISE_BINS; i++)
        if (result->bins[i])
            out_printf(out, "#: noise.%s.bin.%u = %llu\n", name, i, (unsigned long long)result->bins[i]);
    for (unsigned i = 0; i < result->periods; i++)
        out_printf(out, "#: noise.%s.period.%u = %llu ns, %u of %u, HZ %u\n", name, i,
                   (unsigned long long)result->period[i].nanoseconds, result->period[i].detours,
                   result->period[i].expected, noise_tick_hz(&result->period[i]));
    for (unsigned what = WITNESS_SMIS; what <= WITNESS_STRAYS; what++) {
        out_printf(out, "#: noise.%s.counted: %s = ", name, witness_name((enum witness_what)what));
        if (regime->witness.why_not[what])
            out_printf(out, "not available: %s\n", regime->witness.why_not[what]);
        else
            out_printf(out, "%llu\n", (unsigned long long)(regime->last.value[what] - regime->first.value[what]));
    }
    fact(out, name, "quanta", regime->quanta.count);
    fact(out, name, "quanta.least_ticks", regime->quanta.least);
    fact(out, name, "quanta.most_ticks", regime->quanta.most);
    fact(out, name, "quanta.lost_ppb", regime->quanta.lost_ppb);
    for (unsigned i = 0; i < NOISE_BINS; i++)
        if (regime->quanta.late[i])
            out_printf(out, "#: noise.%s.quanta.late.%u = %llu\n", name, i, (unsigned long long)regime->quanta.late[i]);
}

void save_noise_facts(struct out *out, const struct run *run)
{
    const struct run_noise *noise = &run->noise;

    save_fact(out, "noise.duration_ms", noise->duration_ms);
    save_fact(out, "noise.work", noise->work);
    if (noise->masked >= 0)
        save_fact(out, "noise.masked", (uint64_t)noise->masked);
    for (unsigned i = 0; i < NOISE_REGIMES; i++)
        if (noise->regime[i].done)
            regime_facts(out, measure_noise_name((enum noise_regime)i), &noise->regime[i], run->machine->tsc_khz);
}

void save_noise(struct file_sink *sink, const struct run *run, const struct options *options)
{
    struct out *out = &sink->out;

    (void)options;
    out_printf(out, "regime,start_ns,length_ns,cause\n");
    for (unsigned i = 0; i < NOISE_REGIMES; i++) {
        const struct noise_trace *trace = &run->noise.regime[i].trace;

        for (uint32_t k = 0; run->noise.regime[i].done && k < trace->kept; k++)
            out_printf(
                out, "%s,%llu,%llu,%s\n", measure_noise_name((enum noise_regime)i),
                (unsigned long long)stats_mul_div(trace->gap[k].at - trace->start, 1000000, run->machine->tsc_khz),
                (unsigned long long)stats_mul_div(trace->gap[k].ticks, 1000000, run->machine->tsc_khz),
                noise_cause_name(trace->gap[k].cause));
    }
}
