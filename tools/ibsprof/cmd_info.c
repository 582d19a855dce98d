/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof info: describes a file. */
#include <stdio.h>
#include <stdlib.h>

#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/command.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/read/run_ini.h"
#include "tools/ibsprof/report/info/info.h"
#include "tools/ibsprof/read/input_samples.h"
#include "tools/ibsprof/read/run_archive.h"

struct info_settings {
    bool json;
};

#define PLACE(member_) offsetof(struct info_settings, member_)
static const struct option_row option_rows[] = {
    {"json", 'j', NULL, OPTION_FLAG, PLACE(json),
     .help = "one JSON object per FILE, each on one line: the text's figures, and all settings\nand facts of the run"},
    {0},
};

static const struct option_table options = {
    .command = "info",
    .usage =
        "usage: ibsprof info [--json] FILE...\n"
        "\n"
        "Describes each FILE (a run folder, perf.data, or a raw file of AMD_IBS_Toolkit): machine, settings, "
        "events,\nthe number of records of each kind, losses and throttling, time span, and the run's certificate.\n",
    .rows = option_rows,
};

static void count_sample(struct info *info, const struct perfdata_plain *sample)
{
    bool first = info->items[PERFDATA_ITEM_SAMPLE]++ == 0;

    info->types[sample->size ? PERFDATA_RECORD_SAMPLE : 0]++; /* toolkit files have no records */
    info->event_samples[sample->event]++;
    info->event_periods[sample->event] += sample->period;
    if (first || sample->time < info->first_time)
        info->first_time = sample->time;
    if (first || sample->time > info->last_time)
        info->last_time = sample->time;
    if (sample->mode < INFO_MODES)
        info->modes[sample->mode]++;
}

static void count_item(struct info *info, const struct perfdata_item *item)
{
    if (item->type < INFO_TYPES)
        info->types[item->type]++;
    info->items[item->kind]++;
    if (item->kind == PERFDATA_ITEM_MAP) {
        info->maps_with_build_id += item->map.build_id_size > 0;
    } else if (item->kind == PERFDATA_ITEM_LOST) {
        info->lost += item->lost;
        if (item->event < info->facts->event_count)
            info->event_lost[item->event] += item->lost;
    }
}

static enum exit_code print_info(const char *path, bool json)
{
    struct info info = {0};
    struct input_samples items = {0};
    char error[1024];
    struct input *input = input_open(path, error, sizeof(error));
    bool good;

    if (!input) {
        complain("%s", error);
        return EXIT_INPUT;
    }
    info.facts = input_facts(input);
    if (run_phase(info.facts))
        complain("%s: this run was not finished; its last step: %s", path, run_phase(info.facts));
    info.event_samples = must_alloc(info.facts->event_count, sizeof(uint64_t));
    info.event_periods = must_alloc(info.facts->event_count, sizeof(uint64_t));
    info.event_lost = must_alloc(info.facts->event_count, sizeof(uint64_t));
    while (input_samples_next(input, &items))
        if (items.sample)
            count_sample(&info, items.sample);
        else
            count_item(&info, &items.item);
    good = input_error(input)[0] == '\0';
    if (!good) {
        complain("%s", input_error(input));
        info.error = input_error(input);
    }
    if (json)
        info_json(stdout, &info);
    else
        info_text(stdout, &info);
    free(info.event_samples);
    free(info.event_periods);
    free(info.event_lost);
    input_close(input);
    return good ? EXIT_DONE : EXIT_INPUT;
}

static int run(int argc, char **argv)
{
    struct info_settings settings = {0};
    enum exit_code result;

    if (!run_operands_read(&options, &argc, &argv, &settings, &result))
        return result;
    if (argc == 0)
        return options_misused(&options, "no FILE");
    for (int i = 0; i < argc; i++) {
        enum exit_code one = print_info(argv[i], settings.json);

        if (one > result)
            result = one;
        if (!settings.json && i + 1 < argc)
            putchar('\n');
    }
    return output_close(stdout, NULL) ? result : EXIT_OUTPUT;
}

const struct command command_info = {"info", "describe a file: machine, settings, events, counts, losses", run, true};
