/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/options.h"

#include "core/counts.h"
#include "drivers/timer.h"

/* Rows before the workloads' own parameters. 'value' is an offset into struct options here. */
struct option {
    struct settings_row row;
    size_t offset;
};

_Static_assert(EVENT_SHARING_NONE == 0 && EVENT_SHARING_RERUN == 1 && EVENT_SHARING_MULTIPLEX == 2,
               "choices of sharing");

#define AT(field) .offset = offsetof(struct options, field)

// clang-format off
static const struct option options_table[] = {
    {{.key = "workload", .type = SETTINGS_STRING, .initial = "matmul-classic", .max = OPTIONS_NAME_MAX,
      .help = "what to run; 'list' at the prompt names them all"}, AT(workload)},
    {{.key = "config", .type = SETTINGS_STRING, .initial = "ibs", .max = OPTIONS_TEXT_MAX,
      .help = "what to measure; 'configs' at the prompt names them all; several with commas between are\n"
              "run one after the other"}, AT(config)},
    {{.key = "events", .type = SETTINGS_STRING, .initial = "", .max = OPTIONS_TEXT_MAX,
      .help = "events to sample or count in place of the configuration's, with commas between, for example\n"
              "RETIRED_INSTRUCTIONS@250000,041,046:07:k; 'events' at the prompt lists them. config=count takes\n"
              "'all' too, or all:DC for a unit's: each event, and each bit of its mask by itself"}, AT(events)},
    {{.key = "sharing", .type = SETTINGS_CHOICE, .initial = "rerun", .choices = "none|rerun|multiplex",
      .help = "more than four events: refused, or the workload is run again for each group of four, or the\n"
              "groups take turns in one run (not where totals are counted: count, explore)"}, AT(sharing)},
    {{.key = "slice_us", .type = SETTINGS_UINT, .initial = "1000", .min = TIMER_PERIOD_MIN, .max = TIMER_PERIOD_MAX,
      .help = "multiplex: microseconds of a turn"}, AT(slice_us)},
    {{.key = "periods", .type = SETTINGS_CHOICE, .initial = "auto", .choices = "auto|given|measured",
      .help = "between two samples of an event without '@period' in 'events': the configuration's (given), or from a\n"
              "counting run before: up to 10,000 samples of it, one in 5,000 ops (measured); auto is given on silicon"},
     AT(periods)},
    {{.key = "repeats", .type = SETTINGS_UINT, .initial = "0", .max = COUNTS_REPEATS_MAX,
      .help = "times that everything is counted or sampled again, for the spread; 0: counting 5 times on silicon"},
     AT(repeats)},
    {{.key = "timer_us", .type = SETTINGS_UINT, .initial = "1000", .min = TIMER_PERIOD_MIN, .max = TIMER_PERIOD_MAX,
      .help = "microseconds between two time-based samples"}, AT(timer_us)},
    {{.key = "cores", .type = SETTINGS_STRING, .initial = "0", .max = OPTIONS_TEXT_MAX,
      .help = "cores that run the workload at the same time, each sampled: all, or a list as 0,2-3; 0 is the boot core"},
     AT(cores)},
    {{.key = "limit_ms", .type = SETTINGS_UINT, .initial = "0", .max = TIMER_LIMIT_MAX,
      .help = "the workload is stopped after so many milliseconds, and its samples are kept; 0: after 10 minutes\n"
              "on silicon, never under a hypervisor"}, AT(limit_ms)},
    {{.key = "op", .type = SETTINGS_BOOL, .initial = "yes", .help = "IBS op sampling"}, AT(op)},
    {{.key = "fetch", .type = SETTINGS_BOOL, .initial = "yes", .help = "IBS fetch sampling"}, AT(fetch)},
    {{.key = "count", .type = SETTINGS_CHOICE, .initial = "auto", .choices = "auto|ops|cycles",
      .help = "what the op interval counts: dispatched ops (uniform over executed ops; revision C and later) or\n"
              "core cycles (weighted by where dispatch waits); auto takes ops where the processor can"}, AT(count)},
    {{.key = "op_period", .type = SETTINGS_UINT, .initial = "0", .max = 0xffff0,
      .help = "ops or cycles between op samples, a multiple of 16 from 144; 0: chosen for the workload"}, AT(op_period)},
    {{.key = "fetch_period", .type = SETTINGS_UINT, .initial = "0", .max = 0xffff0,
      .help = "fetches between fetch samples, a multiple of 16; 0: chosen for the workload"}, AT(fetch_period)},
    {{.key = "random", .type = SETTINGS_BOOL, .initial = "yes",
      .help = "randomise the intervals; without it a loop is sampled at the same few ops (for teaching)"}, AT(random)},
    {{.key = "seed", .type = SETTINGS_UINT, .initial = "1", .max = UINT64_MAX,
      .help = "of the random intervals: the same seed repeats a run"}, AT(seed)},
    {{.key = "pages", .type = SETTINGS_CHOICE, .initial = "4k", .choices = "4k|2m|1g",
      .help = "page size of the workload's memory"}, AT(pages)},
    {{.key = "code_pages", .type = SETTINGS_CHOICE, .initial = "firmware", .choices = "firmware|4k",
      .help = "page size of the program's code: as the firmware mapped it (2 MB mostly), or as Linux has it"},
     AT(code_pages)},
    {{.key = "frames", .type = SETTINGS_CHOICE, .initial = "contiguous", .choices = "contiguous|shuffled",
      .help = "order of the page frames under it"}, AT(shuffled)},
    {{.key = "frame_seed", .type = SETTINGS_UINT, .initial = "1", .max = UINT64_MAX, .help = "of the shuffled order"},
     AT(frame_seed)},
    {{.key = "memory", .type = SETTINGS_STRING, .initial = "auto", .max = OPTIONS_NAME_MAX,
      .help = "node whose memory the workload gets: local (its core's own), remote (the next one), a node's number;\n"
              "auto is local, but takes what there is"}, AT(memory)},
    {{.key = "records", .type = SETTINGS_UINT, .initial = "131072", .min = 1, .max = 1u << 24,
      .help = "samples that there is room for, 80 bytes each; more are counted as lost"}, AT(records)},
    {{.key = "noise_ms", .type = SETTINGS_UINT, .initial = "0", .max = 86400000,
      .help = "config=noise: milliseconds in each regime; 0: 10000, or 1 on the virtual PMU"}, AT(noise_ms)},
    {{.key = "noise_detours", .type = SETTINGS_UINT, .initial = "65536", .min = 1, .max = 1u << 24,
      .help = "config=noise: detours of each regime that are kept, 24 bytes each; more are counted only"},
     AT(noise_detours)},
    {{.key = "noise_quanta", .type = SETTINGS_UINT, .initial = "0", .max = 10000000,
      .help = "config=noise: times that the same work is done; 0: 10000, or 20 on the virtual PMU"}, AT(noise_quanta)},
    {{.key = "noise_work", .type = SETTINGS_UINT, .initial = "0", .max = 1000000000,
      .help = "config=noise: multiplications in each; 0: 20000, or 500 on the virtual PMU"}, AT(noise_work)},
    {{.key = "show", .type = SETTINGS_STRING, .initial = "", .max = OPTIONS_TEXT_MAX,
      .help = "print what this command of the prompt prints, and end: events DC, event 041, configs, config assess"},
     AT(show)},
    {{.key = "batch", .type = SETTINGS_STRING, .initial = "", .max = OPTIONS_TEXT_MAX,
      .help = "a file with lines as at the prompt, settings and 'run', for example \\ibsboot\\batch.txt: many runs\n"
              "in one boot, then it ends"}, AT(batch)},
    {{.key = "save", .type = SETTINGS_BOOL, .initial = "yes", .help = "write the run's files to the volume"}, AT(save)},
    {{.key = "menu", .type = SETTINGS_BOOL, .initial = "yes",
      .help = "wait 5 seconds for a key, then offer a prompt; no: run at once and end"}, AT(menu)},
    {{.key = "pager", .type = SETTINGS_BOOL, .initial = "yes", .help = "at the prompt: stop after each screen"}, AT(pager)},
};
// clang-format on

enum { OPTIONS_FIXED = sizeof(options_table) / sizeof(options_table[0]) };

_Static_assert(OPTIONS_FIXED + PARAMS_MAX <= SETTINGS_ROWS_MAX, "room for all rows");

bool options_init(struct options *options)
{
    *options = (struct options){0};
    for (unsigned i = 0; i < OPTIONS_FIXED; i++) {
        options->row[i] = options_table[i].row;
        options->row[i].value = (char *)options + options_table[i].offset;
    }
    if (!params_init(&options->params, options->row + OPTIONS_FIXED))
        return false;
    options->settings = (struct settings){.rows = options->row, .count = OPTIONS_FIXED + options->params.count};
    return settings_defaults(&options->settings) == 0;
}

bool options_next_config(const char **at, char name[OPTIONS_TEXT_MAX + 1])
{
    size_t length = 0;

    while (**at == ',')
        ++*at;
    while (**at && **at != ',')
        name[length++] = *(*at)++;
    name[length] = '\0';
    return length != 0;
}
