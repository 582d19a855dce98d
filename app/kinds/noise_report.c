#include "app/facts.h"
#include "app/kinds/noise.h"
#include "app/report_certificate.h"
#include "app/sentence.h"
#include "core/stats.h"

static const char *regime_name(enum noise_regime regime)
{
    static const char *const names[NOISE_REGIMES] = {"firmware", "masked", "alone"};

    return names[regime];
}

static const char *regime_title(enum noise_regime regime)
{
    static const char *const titles[NOISE_REGIMES] = {
        "As the firmware runs: its interrupts on",
        "Interrupts off",
        "Everything off: interrupts, local vector table, watchdog; own tables",
    };

    return titles[regime];
}

/* ---------------------------------------------------------------- the report */

void noise_settings(struct out *out, const struct run *run)
{
    const struct noise *noise = run->own;

    out_printf(out,
               "Regimes       %u of %llu ms; a detour is a gap of 9 usual ones, or 1 us\n"
               "Fixed work    %llu times %llu multiplications\n",
               NOISE_REGIMES, (unsigned long long)noise->duration_ms, (unsigned long long)noise->quanta,
               (unsigned long long)noise->work);
    if (noise->masked >= 0)
        out_printf(out, "Masked        %d entries of the local vector table, besides interrupts\n", noise->masked);
    else
        out_printf(out, "Masked        interrupts only: the local vector table cannot be reached\n");
}

/* What the processor itself counted during the detour loop. */
static void report_counted(struct out *out, const struct noise_in_regime *regime)
{
    for (unsigned what = WITNESS_SMIS; what <= WITNESS_STRAYS; what++) {
        if (regime->witness.why_not[what])
            out_printf(out, "     %s: not available: %s\n", witness_name((enum witness_what)what),
                       regime->witness.why_not[what]);
        else
            out_printf(out, "     %s: %llu\n", witness_name((enum witness_what)what),
                       (unsigned long long)(regime->last.value[what] - regime->first.value[what]));
    }
    report_certificate_clock(out, &regime->witness, &regime->first, &regime->last,
                             regime->last.value[WITNESS_APERF] - regime->first.value[WITNESS_APERF],
                             regime->last.value[WITNESS_MPERF] - regime->first.value[WITNESS_MPERF]);
}

void noise_tables(struct out *out, const struct run *run)
{
    const struct noise *noise = run->own;

    for (unsigned i = 0; i < NOISE_REGIMES; i++) {
        const struct noise_in_regime *regime = &noise->regime[i];

        heading(out, regime_title((enum noise_regime)i));
        if (!regime->done) {
            out_printf(out, "Not measured.\n");
            continue;
        }
        if (i == NOISE_FIRMWARE && !regime->interrupts_on)
            out_printf(out, "NOTE: the firmware called this program with interrupts off.\n");
        noise_print(out, &regime->result);
        report_counted(out, regime);
        noise_print_quanta(out, &regime->quanta, (uint32_t)run->machine->tsc_khz);
    }
}

/* ---------------------------------------------------------------- files */

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

static void regime_facts(struct out *out, const char *name, const struct noise_in_regime *regime, uint64_t tsc_khz)
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

void noise_facts(struct out *out, const struct run *run)
{
    const struct noise *noise = run->own;

    save_fact(out, "noise.duration_ms", noise->duration_ms);
    save_fact(out, "noise.work", noise->work);
    if (noise->masked >= 0)
        save_fact(out, "noise.masked", (uint64_t)noise->masked);
    for (unsigned i = 0; i < NOISE_REGIMES; i++)
        if (noise->regime[i].done)
            regime_facts(out, regime_name((enum noise_regime)i), &noise->regime[i], run->machine->tsc_khz);
}

void noise_csv(struct out *out, const struct run *run)
{
    const struct noise *noise = run->own;

    out_printf(out, "regime,start_ns,length_ns,cause\n");
    for (unsigned i = 0; i < NOISE_REGIMES; i++) {
        const struct noise_trace *trace = &noise->regime[i].trace;

        for (uint32_t k = 0; noise->regime[i].done && k < trace->kept; k++)
            out_printf(
                out, "%s,%llu,%llu,%s\n", regime_name((enum noise_regime)i),
                (unsigned long long)stats_mul_div(trace->gap[k].at - trace->start, 1000000, run->machine->tsc_khz),
                (unsigned long long)stats_mul_div(trace->gap[k].ticks, 1000000, run->machine->tsc_khz),
                noise_cause_name(trace->gap[k].cause));
    }
}
