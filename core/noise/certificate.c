/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/noise/certificate.h"

#include "core/base/stats.h"

enum { MILLION = 1000000 };

const char certificate_not_told[] = "not reported";

const char *witness_name(enum witness_what what)
{
    static const char *const names[WITNESS_ROWS] = {
        "SMIs",   "interrupts", "NMIs",         "stray interrupts",           "APERF",         "MPERF",
        "clocks", "TSC",        "DMA requests", [WITNESS_PSTATE] = "P-state", "P-state limit", "boost off"};
    return names[what];
}

const char *certificate_verdict_name(enum certificate_verdict verdict)
{
    static const char *const names[] = {"", "PASS", "NOTE", "FAIL"};

    return names[verdict];
}

static void give(struct certificate_sink *sink, enum certificate_verdict verdict, const char *what, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

static void give(struct certificate_sink *sink, enum certificate_verdict verdict, const char *what, const char *format,
                 ...)
{
    struct certificate_row row = {.verdict = verdict};
    struct out_memory text;
    va_list list;

    out_memory_init(&text, row.what, sizeof(row.what));
    out_printf(&text.out, "%s", what);
    out_memory_init(&text, row.value, sizeof(row.value));
    va_start(list, format);
    out_vprintf(&text.out, format, list);
    va_end(list);
    sink->take(sink, &row);
}

/* Returns whether a value is not available, after a row with the reason, or not told. */
static bool missing(struct certificate_sink *sink, const char *what, const char *why_not)
{
    if (why_not && why_not != certificate_not_told)
        give(sink, CERTIFICATE_NONE, what, "not available: %s", why_not);
    return why_not != NULL;
}

static enum certificate_verdict note_if(bool condition)
{
    return condition ? CERTIFICATE_NOTE : CERTIFICATE_PASS;
}

/* Judges a count that should be 0. */
static void judge_none(const struct certificate_core *core, enum witness_what what, struct certificate_sink *sink)
{
    if (!missing(sink, witness_name(what), core->why_not[what]))
        give(sink, note_if(core->sum[what] > 0), witness_name(what), "%lu", core->sum[what]);
}

static void judge_interrupts(const struct certificate_core *core, struct certificate_sink *sink)
{
    uint64_t taken = core->sum[WITNESS_INTERRUPTS], nmis = core->sum[WITNESS_NMIS];

    judge_none(core, WITNESS_STRAYS, sink);
    if (!missing(sink, witness_name(WITNESS_INTERRUPTS), core->why_not[WITNESS_INTERRUPTS]))
        give(sink, note_if(taken > nmis), witness_name(WITNESS_INTERRUPTS), "%lu taken, %lu NMIs handled", taken, nmis);
    if (core->nmis_told)
        give(sink, core->foreign || (core->each_brings && core->empty) ? CERTIFICATE_NOTE : CERTIFICATE_NONE,
             "NMIs without a sample", "%lu, and %lu late; from the chipset: %lu", core->empty, core->late,
             core->foreign);
}

/* MPERF counts at the TSC's rate (Linux arch/x86/kernel/cpu/aperfmperf.c). */
static void judge_ratio(const struct certificate_core *core, const char *what, struct certificate_sink *sink)
{
    uint64_t ppm = stats_mul_div(core->sum[WITNESS_APERF], MILLION, core->sum[WITNESS_MPERF]);

    if (core->tsc_khz)
        give(sink, CERTIFICATE_NONE, what, "%lu ppm of the nominal one, %lu MHz", ppm,
             stats_mul_div(ppm, core->tsc_khz, MILLION * 1000ull));
    else
        give(sink, CERTIFICATE_NONE, what, "%lu ppm of the nominal one", ppm);
}

void certificate_judge_clock(const struct certificate_core *core, struct certificate_sink *sink)
{
    static const char clock[] = "clock (APERF/MPERF)";
    const char *why_not = core->why_not[WITNESS_APERF] ? core->why_not[WITNESS_APERF] : core->why_not[WITNESS_MPERF];

    if (!why_not && !core->sum[WITNESS_MPERF])
        why_not = "MPERF does not count";
    if (!missing(sink, clock, why_not))
        judge_ratio(core, clock, sink);
    if (!core->why_not[WITNESS_CLOCKS] && core->sum[WITNESS_TSC])
        give(sink, CERTIFICATE_NONE, "clock (076h over the TSC)", "%lu ppm of the TSC's rate",
             stats_mul_div(core->sum[WITNESS_CLOCKS], MILLION, core->sum[WITNESS_TSC]));
    for (enum witness_what what = WITNESS_PSTATE; what <= WITNESS_BOOST_OFF; what++)
        if (!missing(sink, witness_name(what), core->why_not[what]))
            give(sink, note_if(core->first[what] != core->last[what]), witness_name(what),
                 "%lu at the start, %lu at the end", core->first[what], core->last[what]);
}

uint64_t certificate_bound_milli(const struct certificate_core *core)
{
    return core->no_loop || core->gaps || !core->looked_us ? 0 : 3000000000ull / core->looked_us;
}

static void judge_gaps(const struct certificate_core *core, struct certificate_sink *sink)
{
    const char *separator = "\nof them ";
    char what[64], causes[100] = "", bound[64] = "";
    struct out_memory text;

    if (missing(sink, "gaps", core->no_loop))
        return;
    out_memory_init(&text, what, sizeof(what));
    out_printf(&text.out, "gaps");
    if (core->gap_ns)
        out_printf(&text.out, " of %lu ns or more", core->gap_ns);
    out_printf(&text.out, " around the measured part");
    out_memory_init(&text, causes, sizeof(causes));
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++) {
        if (!core->by_cause[i])
            continue;
        out_printf(&text.out, "%s%lu %s", separator, core->by_cause[i], noise_cause_name(i));
        separator = ", ";
    }
    out_memory_init(&text, bound, sizeof(bound));
    if (!core->gaps && core->looked_us)
        out_printf(&text.out, ";\nnone, so fewer than %lu per second (95 %%)",
                   stats_mul_div(3, MILLION, core->looked_us));
    give(sink, note_if(core->gaps > 0), what, "%lu%s\nlooked for in %lu us, %lu readings of the TSC%s", core->gaps,
         causes, core->looked_us, core->reads, bound);
}

/* Rows of counts outside of the core: adjacent ones that exist, and their rate per second. */
static const struct outer_row {
    const char *name;
    uint8_t first, last; /* enum witness_what */
    uint32_t unit;       /* of which the figures are shown */
    const char *format[2], *rate;
} outer_rows[] = {
    {"L3 requests", WITNESS_L3, WITNESS_L3_MISSES, 1, {"%lu", "%lu missed"}, NULL},
    {"DRAM, by channels 0 to 3", WITNESS_DRAM, WITNESS_DRAM, 1, {"%lu bytes"}, "MB/s"},
    {"DRAM", WITNESS_DRAM_READ, WITNESS_DRAM_WRITTEN, 1, {"%lu bytes read", "%lu written"}, "MB/s"},
    {"energy", WITNESS_ENERGY_CORE, WITNESS_ENERGY, 1000, {"%lu mJ of the core", "%lu mJ of the processor"}, "W"},
};

static void judge_outer(const struct certificate_core *core, const struct outer_row *row, struct certificate_sink *sink)
{
    const char *const *why_not = core->why_not, *separator = "";
    char value[CERTIFICATE_VALUE_MAX + 1];
    struct out_memory text;
    uint64_t all = 0;

    out_memory_init(&text, value, sizeof(value));
    for (unsigned what = row->first; what <= row->last; what++) {
        if (why_not[what])
            continue;
        out_printf(&text.out, "%s", separator);
        out_printf(&text.out, row->format[what - row->first], core->sum[what] / row->unit);
        separator = ", ";
        all = row->unit == 1 ? all + core->sum[what] : core->sum[what]; /* the processor's energy has the core's */
    }
    if (!*separator) {
        (void)missing(sink, row->name, why_not[row->first]);
        return;
    }
    if (row->rate && core->measured_us)
        out_printf(&text.out, ", %lu.%03lu %s", all / core->measured_us,
                   all % core->measured_us * 1000 / core->measured_us, row->rate);
    give(sink, CERTIFICATE_NONE, row->name, "%s", value);
}

void certificate_judge_core(const struct certificate_core *core, struct certificate_sink *sink)
{
    if (!core->ended) {
        give(sink, CERTIFICATE_NONE, "none", "no pass was completed");
        return;
    }
    if (core->ended < core->begun)
        give(sink, CERTIFICATE_NOTE, "", "of %u passes %u were completed; only these are covered here", core->begun,
             core->ended);
    judge_none(core, WITNESS_SMIS, sink);
    judge_interrupts(core, sink);
    certificate_judge_clock(core, sink);
    if (!missing(sink, witness_name(WITNESS_DMA), core->why_not[WITNESS_DMA]))
        give(sink, CERTIFICATE_NONE, witness_name(WITNESS_DMA), "%lu", core->sum[WITNESS_DMA]);
    for (unsigned i = 0; i < sizeof(outer_rows) / sizeof(outer_rows[0]); i++)
        judge_outer(core, &outer_rows[i], sink);
    judge_gaps(core, sink);
}

void certificate_judge_run(const struct certificate_run *run, struct certificate_sink *sink)
{
    if (run->sampled)
        give(sink, run->elsewhere ? CERTIFICATE_FAIL : CERTIFICATE_PASS, "samples on neither workload nor profiler",
             "%lu\non the code that starts and stops the measurement: %lu", run->elsewhere, run->edges);
    if (!run->why_no_count)
        give(sink, note_if(run->surplus != 0), "retired instructions in excess of the workload's", "%lld",
             (long long)run->surplus);
    else if (run->why_no_count != certificate_not_told)
        give(sink, CERTIFICATE_NONE, "retired instructions", "not available:\n%s", run->why_no_count);
}
