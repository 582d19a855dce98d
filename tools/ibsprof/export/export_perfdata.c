/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes perf.data by the image's writer (core/perfdata/perfdata.h): the same registers, one process, one map. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/export/export.h"
#include "tools/ibsprof/base/must.h"

struct samples {
    struct sample_record *records;
    size_t count;
    struct perfdata_map program;
    bool has_program;
    struct perfdata_counter *counters; /* indexed by events of the input */
    uint64_t *lost;                    /* indexed by events of the input */
    uint32_t cores;
};

/* Samples of counters and of the timer name their event and their count. */
static void add_sample(struct samples *samples, const struct perfdata_item *sample)
{
    struct sample_record record = sample->record;

    if (record.kind == SAMPLE_PMC)
        record.reg[PMC_EVENT] = sample->event;
    samples->counters[sample->event].samples++;
    samples->counters[sample->event].total += sample->period;
    *must_add(samples->records, samples->count) = record;
    if (record.cpu >= samples->cores && record.cpu < UINT32_MAX)
        samples->cores = record.cpu + 1;
}

/* Reads all of the input, and keeps the samples, because the writer reads them twice. */
static bool read_all(struct export *export, struct samples *samples)
{
    const struct input_facts *facts = input_facts(export->input);
    struct perfdata_item item;

    while (input_next(export->input, &item)) {
        if (item.kind == PERFDATA_ITEM_END)
            return true;
        if (item.kind == PERFDATA_ITEM_SAMPLE && export_wants(export, item.record.kind))
            add_sample(samples, &item);
        if (item.kind == PERFDATA_ITEM_MAP && item.map.protection & PROT_EXEC && !samples->has_program) {
            samples->program = item.map;
            samples->has_program = true;
        }
        if (item.kind == PERFDATA_ITEM_LOST && item.event < facts->event_count)
            samples->lost[item.event] += item.lost;
    }
    complain("%s", input_error(export->input));
    return false;
}

static int write_bytes(void *context, const void *data, size_t size)
{
    return fwrite(data, 1, size, context) == size ? 0 : -1;
}

/* Writes the processor's name, the only place where perf.data says that it is a model. */
static void name_processor(const struct input_facts *facts, char *name, size_t size)
{
    bool said = strstr(facts->cpu_name, "virtual PMU");

    snprintf(name, size, "%s%s", facts->cpu_name,
             !said && facts->is_model && strncmp(input_figures(facts), "MODEL", 5) == 0 ? " (virtual PMU)" : "");
}

static int write_all(struct export *export, const struct samples *samples)
{
    const struct input_facts *facts = input_facts(export->input);
    const struct perfdata_map *program = &samples->program;
    struct perfdata_counter timer;
    char name[300];
    struct perfdata_info info = {
        .vendor = facts->vendor,
        .cpu_name = name,
        .family = facts->family,
        .model = facts->model,
        .stepping = facts->stepping,
        .caps = facts->ibs_caps,
        .cores = samples->cores,
        .tsc_khz = 0, /* times are nanoseconds, or ticks of an unknown length, already */
        .image_base = program->start - program->page_offset,
        .text_rva = (uint32_t)program->page_offset,
        .text_size = (uint32_t)program->length,
        .text_offset = (uint32_t)program->page_offset,
        .build_id = program->build_id_size == 20 ? program->build_id : NULL,
        .elf_name = samples->has_program ? program->name : "unknown",
        .version = facts->version,
        .command = facts->command,
        .comm = facts->workload,
        .counters = samples->counters,
        .counter_count = facts->event_count,
    };

    name_processor(facts, name, sizeof(name));
    for (uint32_t i = 0; i < facts->event_count; i++) {
        const struct input_event *event = &facts->events[i];
        struct perfdata_counter *counter = &samples->counters[i];

        if (!export_wants(export, event->kind))
            continue;
        if (event->kind <= SAMPLE_OP) {
            uint64_t variant = event->kind == SAMPLE_OP ? IBS_OP_CNT_CTL : IBS_FETCH_RAND_EN;

            info.event[event->kind] = (struct perfdata_event){.sampled = true,
                                                              .variant = event->config & variant,
                                                              .period = event->type ? event->period : 0,
                                                              .lost = samples->lost[i]};
            continue;
        }
        counter->sampled = true;
        counter->name = event->name;
        counter->config = event->config;
        counter->period = event->period;
        counter->lost = samples->lost[i];
        if (event->kind == SAMPLE_TIMER) {
            timer = *counter;
            info.timer = &timer;
            counter->sampled = false;
        }
    }
    return perfdata_write(&info, samples->records, samples->count, write_bytes, export->output) == 0 ? EXIT_DONE
                                                                                                     : EXIT_OUTPUT;
}

int export_perfdata(struct export *export)
{
    struct samples samples = {.cores = 1};
    const struct input_facts *facts = input_facts(export->input);
    int result;

    if (facts->is_linux && facts->format == INPUT_PERFDATA) {
        complain("%s: is already a perf.data file of Linux, whose maps would be lost: copy the file", facts->path);
        return EXIT_USAGE;
    }
    samples.counters = must_alloc(facts->event_count, sizeof(*samples.counters));
    samples.lost = must_alloc(facts->event_count, sizeof(*samples.lost));
    result = read_all(export, &samples) ? EXIT_DONE : EXIT_INPUT;
    if (write_all(export, &samples) != EXIT_DONE)
        result = EXIT_OUTPUT;
    free(samples.records);
    free(samples.counters);
    free(samples.lost);
    return result;
}
