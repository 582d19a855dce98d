/* SPDX-License-Identifier: BSD-2-Clause */
/* The noise loops under Linux: the same object as in the image, the same table. */
#include "noise/loops.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/run/facts.h"
#include "tools/workloads/twin.h"

enum {
    CALIBRATION_MS = 200,
    CALIBRATION_GAPS = 4096,
    DETOURS_KEPT = 1 << 20, /* 16 MB */
    FOLDER_MAX = 400,
};

struct noise_options {
    uint64_t seconds, quanta, work, cpu;
    uint32_t format;
    char folder[FOLDER_MAX + 1]; /* "": none */
};

#define AT(field) .offset = offsetof(struct noise_options, field)

static const struct twin_option table[] = {
    {{.key = "seconds",
      .type = SETTINGS_UINT,
      .initial = "10",
      .min = 1,
      .max = 86400,
      .help = "how long detours are looked for"},
     AT(seconds)},
    {{.key = "quanta",
      .type = SETTINGS_UINT,
      .initial = "10000",
      .max = 10000000,
      .help = "of fixed work, after that; 0: none"},
     AT(quanta)},
    {{.key = "work",
      .type = SETTINGS_UINT,
      .initial = "20000",
      .min = 1,
      .max = 1000000000,
      .help = "multiplications in a quantum"},
     AT(work)},
    {{.key = "cpu", .type = SETTINGS_UINT, .initial = "0", .max = 8191, .help = "stay on this processor"}, AT(cpu)},
    {{.key = "format",
      .type = SETTINGS_CHOICE,
      .initial = "text",
      .choices = "text|csv",
      .help = "of what is printed; csv, or --csv: noise.csv, a row for each detour"},
     AT(format)},
    {{.key = "folder",
      .type = SETTINGS_STRING,
      .initial = "",
      .max = FOLDER_MAX,
      .help = "write run.ini and noise.csv into this folder, as a run of ibsboot has them"},
     AT(folder)},
};

enum { ROWS = sizeof(table) / sizeof(table[0]) };

void noise_help(void)
{
    twin_options_help(table, ROWS);
}

struct file_out {
    struct out out;
    FILE *file;
};

static void write_file(struct out *out, const char *text, size_t length)
{
    fwrite(text, 1, length, ((struct file_out *)out)->file);
}

/* Returns the TSC's rate; the last gaps are those of a warm loop. */
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

/* Returns the rate over the whole run, which is more exact than the short calibration. */
static uint32_t rate(double seconds, uint64_t ticks)
{
    return (uint32_t)((double)ticks / seconds / 1000 + 0.5);
}

/* ---------------------------------------------------------------- what is written */

static const char regime[] = "linux";

/* Holds the measurements. */
struct measured {
    const struct noise_trace *trace;
    const struct noise_result *result;
    const struct noise_quanta *quanta;
    const struct noise_options *options;
};

static void write_ini(struct out *out, const struct measured *measured)
{
    out_printf(out, "# Under Linux, by ibsboot-workloads. Copied to \\ibsboot\\ibsboot.ini it is run without.\n\n");
    out_printf(out, "config = \"noise\"\nnoise_ms = %lu\nnoise_quanta = %lu\nnoise_work = %lu\n\n",
               measured->options->seconds * 1000, measured->options->quanta, measured->options->work);
    fact_number(out, FACT_MACHINE_TSC_KHZ, measured->result->tsc_khz);
    fact_text(out, FACT_CONFIG, "noise");
    fact_number(out, FACT_NOISE_DURATION, measured->options->seconds * 1000);
    fact_number(out, FACT_NOISE_WORK, measured->options->work);
    noise_write_facts(out, regime, measured->result, measured->trace);
    if (measured->quanta->count)
        noise_write_quanta_facts(out, regime, measured->quanta);
}

static void write_csv(struct out *out, const struct measured *measured)
{
    out_printf(out, NOISE_CSV_HEADER);
    noise_write_rows(out, regime, measured->trace, measured->result->tsc_khz);
}

static bool save(const char *name, void (*write)(struct out *out, const struct measured *measured),
                 const struct measured *measured)
{
    char path[FOLDER_MAX + 20];
    struct file_out out = {.out.write = write_file};
    bool good;

    snprintf(path, sizeof(path), "%s/%s", measured->options->folder, name);
    out.file = fopen(path, "w");
    if (out.file) {
        write(&out.out, measured);
        good = !ferror(out.file);
        if (fclose(out.file) == 0 && good)
            return true;
    }
    complain("%s: cannot be written: %s", path, strerror(errno));
    return false;
}

static bool save_folder(const struct measured *measured)
{
    if (mkdir(measured->options->folder, 0777) != 0 && errno != EEXIST) {
        complain("%s: cannot be made: %s", measured->options->folder, strerror(errno));
        return false;
    }
    return save("run.ini", write_ini, measured) && save("noise.csv", write_csv, measured);
}

static bool report(const struct measured *measured, bool pinned)
{
    struct file_out out = {.out.write = write_file, .file = stdout};

    if (measured->options->format == TWIN_CSV) {
        write_csv(&out.out, measured);
    } else {
        printf("Under Linux, on processor %d (%s); TSC %u kHz\n", sched_getcpu(), pinned ? "pinned" : "not pinned",
               measured->result->tsc_khz);
        noise_print(&out.out, measured->result);
        if (measured->quanta->count)
            noise_print_quanta(&out.out, measured->quanta, measured->result->tsc_khz);
    }
    return !measured->options->folder[0] || save_folder(measured);
}

int noise_command(int count, char **words)
{
    uint64_t gaps[CALIBRATION_GAPS];
    struct noise_options options;
    struct settings_row rows[ROWS];
    const struct settings settings = {.rows = rows, .count = ROWS};
    struct noise_trace trace = {.capacity = DETOURS_KEPT};
    struct noise_scratch scratch;
    struct noise_result result = {0};
    struct noise_quanta quanta = {0};
    uint64_t first, *ticks;
    double start;
    uint32_t tsc_khz;
    bool pinned, written;

    twin_rows_make(rows, table, ROWS, &options);
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
    /* Touches the pages before the loops run. */
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
    noise_analyse(&result, &trace, tsc_khz, &scratch);
    noise_analyse_quanta(&quanta, ticks, options.quanta);
    written = report(&(struct measured){&trace, &result, &quanta, &options}, pinned);
    free(trace.gap);
    free(ticks);
    return written ? TWIN_DONE : TWIN_OUTPUT;
}
