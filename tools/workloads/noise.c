/* The noise loops under Linux: the same object as in the image, the same table. */
#include "noise/loops.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/workloads/twin.h"

enum {
    CALIBRATION_MS = 200,
    CALIBRATION_GAPS = 4096,
    DETOURS_KEPT = 1 << 20, /* 16 MB */
};

struct noise_options {
    uint64_t seconds, quanta, work, cpu;
    uint32_t format;
};

static struct noise_options options;

static const struct settings_row rows[] = {
    {.key = "seconds",
     .type = SETTINGS_UINT,
     .value = &options.seconds,
     .initial = "10",
     .min = 1,
     .max = 86400,
     .help = "how long detours are looked for"},
    {.key = "quanta",
     .type = SETTINGS_UINT,
     .value = &options.quanta,
     .initial = "10000",
     .max = 10000000,
     .help = "of fixed work, after that; 0: none"},
    {.key = "work",
     .type = SETTINGS_UINT,
     .value = &options.work,
     .initial = "20000",
     .min = 1,
     .max = 1000000000,
     .help = "multiplications in a quantum"},
    {.key = "cpu",
     .type = SETTINGS_UINT,
     .value = &options.cpu,
     .initial = "0",
     .max = 8191,
     .help = "stay on this processor"},
    {.key = "format",
     .type = SETTINGS_CHOICE,
     .value = &options.format,
     .initial = "text",
     .choices = "text|csv|json",
     .help = "of what is printed; csv: a row for each detour; --csv and --json are short for it"},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

void noise_help(void)
{
    twin_settings_help(rows, ROWS);
}

static void write_stdout(struct out *out, const char *text, size_t length)
{
    (void)out;
    fwrite(text, 1, length, stdout);
}

/* The TSC's rate; the last gaps are those of a warm loop. */
static uint32_t calibrate(uint64_t *gap)
{
    double start = seconds_now(), now;
    uint64_t first = ticks_now(), last;

    do {
        noise_gap_loop(gap, CALIBRATION_GAPS);
        now = seconds_now();
        last = ticks_now();
    } while (now - start < CALIBRATION_MS * 1e-3);
    return (uint32_t)((double)(last - first) / (now - start) / 1000 + 0.5);
}

/* Over the whole run: better than the short calibration's. */
static uint32_t rate(double seconds, uint64_t ticks)
{
    return (uint32_t)((double)ticks / seconds / 1000 + 0.5);
}

static void report(struct noise_trace *trace, const struct noise_quanta *quanta, uint32_t tsc_khz, bool pinned)
{
    static struct noise_scratch scratch;
    static struct noise_result result;
    struct out out = {.write = write_stdout};

    if (options.format == TWIN_CSV) {
        noise_write_csv(&out, trace, tsc_khz);
        return;
    }
    noise_analyse(&result, trace, tsc_khz, &scratch);
    if (options.format == TWIN_JSON) {
        noise_write_json(&out, &result, quanta->count ? quanta : NULL, trace);
        return;
    }
    printf("Under Linux, on processor %d (%s); TSC %u kHz\n", sched_getcpu(), pinned ? "pinned" : "not pinned",
           tsc_khz);
    noise_print(&out, &result);
    if (quanta->count)
        noise_print_quanta(&out, quanta, tsc_khz);
}

int noise_command(int count, char **words)
{
    static uint64_t gaps[CALIBRATION_GAPS];
    const struct settings settings = {.rows = rows, .count = ROWS};
    struct noise_trace trace = {.capacity = DETOURS_KEPT};
    struct noise_quanta quanta = {0};
    uint64_t first, *ticks;
    double start;
    uint32_t tsc_khz;
    bool pinned;

    (void)settings_defaults(&settings);
    options.cpu = UINT64_MAX;
    if (!twin_words_read(&settings, count, words))
        return TWIN_USAGE;
    pinned = options.cpu != UINT64_MAX;
    if (pinned && !pin_to(options.cpu))
        return TWIN_MACHINE;
    trace.gap = malloc(DETOURS_KEPT * sizeof(*trace.gap));
    ticks = malloc((options.quanta + 1) * sizeof(*ticks));
    if (!trace.gap || !ticks) {
        complain("no memory");
        free(trace.gap);
        free(ticks);
        return TWIN_MACHINE;
    }
    /* Their pages are there before the loops run. */
    memset(trace.gap, 1, DETOURS_KEPT * sizeof(*trace.gap));
    memset(ticks, 1, (options.quanta + 1) * sizeof(*ticks));
    tsc_khz = calibrate(gaps);
    noise_thresholds(&trace, gaps, CALIBRATION_GAPS, tsc_khz);
    noise_warm_up(&trace, tsc_khz);
    start = seconds_now();
    first = ticks_now();
    noise_detour_loop(&trace, (uint64_t)tsc_khz * 1000 * options.seconds);
    tsc_khz = rate(seconds_now() - start, ticks_now() - first);
    noise_quantum_loop(ticks, options.quanta, options.work);
    noise_analyse_quanta(&quanta, ticks, options.quanta);
    report(&trace, &quanta, tsc_khz, pinned);
    free(trace.gap);
    free(ticks);
    return TWIN_DONE;
}
