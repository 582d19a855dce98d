/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/noise/noise.h"

#include "core/base/stats.h"

/* Prints value / 10^digits. */
static void put_fraction(struct out *out, uint64_t value, int digits, int width)
{
    uint64_t unit = 1;
    int left = width - digits - 1;

    for (int i = 0; i < digits; i++)
        unit *= 10;
    out_printf(out, "%*lu.", left > 0 ? left : 0, value / unit);
    for (unit /= 10; unit; unit /= 10)
        out_printf(out, "%lu", value / unit % 10);
}

const char *noise_cause_name(uint32_t cause)
{
    static const char *const names[NOISE_CAUSES] = {"", "unknown", "SMI", "NMI", "interrupt", "P-state change"};

    return cause < NOISE_CAUSES ? names[cause] : "";
}

static void print_class(struct out *out, const char *name, const struct noise_class *class)
{
    out_printf(out, "%-17s %9lu ns %10lu ", name, class->threshold_ns, class->count);
    put_fraction(out, class->milli_per_second, 3, 12);
    out_printf(out, " %13lu\n", class->lost_ppb);
    if (!class->count) {
        out_printf(out, "    none, so fewer than ");
        put_fraction(out, class->bound_micro, 6, 0);
        out_printf(out, " a second (95 %%)\n");
    }
}

static void print_periods(struct out *out, const struct noise_result *result)
{
    for (unsigned i = 0; i < result->periods; i++) {
        const struct noise_period *period = &result->period[i];
        unsigned hz = noise_tick_hz(period);

        out_printf(out, "Period: ");
        put_fraction(out, period->milli_hz, 3, 0);
        out_printf(out, " times a second, every ");
        put_fraction(out, (period->nanoseconds + 500) / 1000, 3, 0);
        out_printf(out, " ms: %u of %u detours\n", period->detours, period->expected);
        if (hz)
            out_printf(out, "    as the timer tick of a kernel with HZ=%u\n", hz);
    }
    if (!result->periods && result->tops)
        out_printf(out, "Period: none found\n");
}

/* Prints the detours of each cause, and for how long the loop did not look because it asked the witness. */
static void print_causes(struct out *out, const struct noise_result *result)
{
    const char *separator = "Causes: ";

    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++) {
        if (!result->by_cause[i])
            continue;
        out_printf(out, "%s%lu %s", separator, result->by_cause[i], noise_cause_name(i));
        separator = ", ";
    }
    if (*separator == ',')
        out_printf(out, "; %lu ns not watched during this\n", result->blind_ns);
}

static void print_bins(struct out *out, const char *title, const uint64_t *bins, uint32_t tsc_khz)
{
    uint64_t most = 0;
    unsigned first = NOISE_BINS, last = 0;

    for (unsigned i = 0; i < NOISE_BINS; i++) {
        if (bins[i] > most)
            most = bins[i];
        if (bins[i] && first == NOISE_BINS)
            first = i;
        if (bins[i])
            last = i;
    }
    if (!most)
        return;
    out_printf(out, "%s\n", title);
    for (unsigned i = first; i <= last; i++) {
        unsigned length = 0, most_length = 0;

        /* Bars by powers of two: a single one in a million is still seen. */
        while (bins[i] >> length)
            length++;
        while (most >> most_length)
            most_length++;
        out_printf(out, "%12lu %11lu ", stats_mul_div(i ? 1ull << i : 0, 1000000, tsc_khz), bins[i]);
        for (unsigned bar = 0; bar < length * 40 / most_length; bar++)
            out_printf(out, "*");
        out_printf(out, "\n");
    }
}

void noise_print(struct out *out, const struct noise_result *result)
{
    out_printf(out, "Noise, selfish detour: ");
    put_fraction(out, result->duration_ns / 1000000, 3, 0);
    out_printf(out, " s, %lu readings of the TSC,\n    ", result->reads);
    put_fraction(out, result->usual_ps, 3, 0);
    out_printf(out, " ns apart as a rule\n%-17s %12s %10s %12s %13s\n", "detours from", "", "detours", "a second",
               "lost [1e-9]");
    print_class(out, "9 x the usual gap", &result->by[NOISE_NINE]);
    print_class(out, "1 us", &result->by[NOISE_MICROSECOND]);
    if (result->backwards)
        out_printf(out, "WARNING: the TSC went backwards %lu times: was it read on several processors?\n",
                   result->backwards);
    print_periods(out, result);
    print_causes(out, result);
    if (result->not_kept)
        out_printf(
            out,
            "The first %lu detours were kept: periods and the list below use only these, the\n    figures above all.\n",
            result->by[NOISE_NINE].count > result->by[NOISE_MICROSECOND].count
                ? result->by[NOISE_NINE].count - result->not_kept
                : result->by[NOISE_MICROSECOND].count - result->not_kept);
    print_bins(out, "  from [ns]     detours (bars: powers of two)", result->bins, result->tsc_khz);
    if (result->tops)
        out_printf(out, "  longest [us]  at [s]%s\n", result->witnessed ? "        what" : "");
    for (uint32_t i = 0; i < result->tops; i++) {
        put_fraction(out, result->top[i].ticks, 3, 14);
        out_printf(out, "  ");
        put_fraction(out, result->top[i].at, 9, 0);
        out_printf(out, "%s%s\n", result->witnessed ? "  " : "", noise_cause_name(result->top[i].cause));
    }
}

void noise_print_quanta(struct out *out, const struct noise_quanta *result, uint32_t tsc_khz)
{
    out_printf(out, "Noise, fixed work quantum: %lu quanta of ", result->count);
    put_fraction(out, stats_mul_div(result->least, 1000000, tsc_khz), 3, 0);
    out_printf(out, " us at least;\n    lost %lu e-9; the longest took ", result->lost_ppb);
    put_fraction(out, result->spread_ppm, 4, 0);
    out_printf(out, " %% more\n");
    print_bins(out, "  more [ns]      quanta (bars: powers of two)", result->late, tsc_khz);
}
