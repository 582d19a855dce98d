/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/run/facts.h"
#include "core/platform/silicon.h"
#include "tools/ibsprof/report/info/info.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/input_names.h"
#include "tools/ibsprof/base/shown.h"

/* Returns a name such as "a run of ibsboot". */
static const char *format_of(const struct input_facts *facts)
{
    switch (facts->format) {
    case INPUT_RUN:
        return facts->is_linux ? "a recording of Linux' perf" : "a run of ibsboot";
    case INPUT_TOOLKIT_OP:
        return "raw op samples of AMD_IBS_Toolkit";
    case INPUT_TOOLKIT_FETCH:
        return "raw fetch samples of AMD_IBS_Toolkit";
    case INPUT_PERFDATA:
        break;
    }
    return facts->is_linux ? "perf.data of Linux' perf" : "perf.data of ibsboot";
}

/* Returns a name such as "MMAP2"; NULL: none. */
static const char *record_name(uint32_t type)
{
    /* Linux include/uapi/linux/perf_event.h; from 64 on tools/lib/perf/include/perf/event.h. */
    static const char *const names[INFO_TYPES] = {
        [1] = "MMAP",
        [2] = "LOST",
        [3] = "COMM",
        [4] = "EXIT",
        [5] = "THROTTLE",
        [6] = "UNTHROTTLE",
        [7] = "FORK",
        [8] = "READ",
        [9] = "SAMPLE",
        [10] = "MMAP2",
        [11] = "AUX",
        [12] = "ITRACE_START",
        [13] = "LOST_SAMPLES",
        [14] = "SWITCH",
        [15] = "SWITCH_CPU_WIDE",
        [16] = "NAMESPACES",
        [17] = "KSYMBOL",
        [18] = "BPF_EVENT",
        [19] = "CGROUP",
        [20] = "TEXT_POKE",
        [21] = "AUX_OUTPUT_HW_ID",
        [64] = "ATTR",
        [65] = "EVENT_TYPE",
        [66] = "TRACING_DATA",
        [67] = "BUILD_ID",
        [68] = "FINISHED_ROUND",
        [69] = "ID_INDEX",
        [70] = "AUXTRACE_INFO",
        [71] = "AUXTRACE",
        [72] = "AUXTRACE_ERROR",
        [73] = "THREAD_MAP",
        [74] = "CPU_MAP",
        [75] = "STAT_CONFIG",
        [76] = "STAT",
        [77] = "STAT_ROUND",
        [78] = "EVENT_UPDATE",
        [79] = "TIME_CONV",
        [80] = "FEATURE",
        [81] = "COMPRESSED",
        [82] = "FINISHED_INIT",
    };

    return names[type];
}

static const char *kind_name(enum sample_kind kind)
{
    static const char *const names[SAMPLE_KINDS] = {
        [SAMPLE_FETCH] = "IBS fetch", [SAMPLE_OP] = "IBS op", [SAMPLE_PMC] = "counter", [SAMPLE_TIMER] = "clock"};

    return names[kind];
}

/* Prints a line, if the value is not empty. */
static void print_line(FILE *file, const char *what, const char *value)
{
    if (value[0])
        fprintf(file, "%-14s%s\n", what, value);
}

static void print_machine(FILE *file, const struct input_facts *facts)
{
    print_line(file, "processor", facts->cpu_name);
    if (facts->vendor[0])
        fprintf(file, "%-14s%s family %" PRIx32 "h model %" PRIx32 "h stepping %" PRIu32 "\n", "", facts->vendor,
                facts->family, facts->model, facts->stepping);
    if (facts->ibs_caps)
        fprintf(file, "%-14sIBS capabilities 0x%" PRIx32 "\n", "", facts->ibs_caps);
    if (input_figures(facts))
        fprintf(file, "%-14sfigures are of a model or hypervisor, not of silicon\n", "");
    print_line(file, "host", facts->hostname);
    print_line(file, "system", facts->release);
    print_line(file, "architecture", facts->arch);
    if (facts->version[0])
        fprintf(file, "%-14s%s %s\n", "recorded by", facts->is_linux ? "perf" : "ibsboot", facts->version);
    if (facts->is_linux || facts->setting_count == 0) /* otherwise the settings, which follow, are the command */
        print_line(file, "command", facts->command);
    print_line(file, "workload", facts->workload);
    if (facts->work)
        fprintf(file, "%-14s%" PRIu64 " %s\n", "work", facts->work, facts->work_unit);
}

static bool is_there(const char *folder, const char *name)
{
    char *path = must_text("%s/%s", folder, name);
    bool there = access(path, R_OK) == 0;

    free(path);
    return there;
}

/* Prints perf's command. perf looks for the run's ELF file in the current folder, otherwise it prints bare addresses;
 * --symfs is the folder to search. Omits names that need quotes in a shell. */
static void print_perf(FILE *file, const struct input_facts *facts)
{
    char *folder = must_copy(facts->path);
    size_t length = strlen(folder), tail = strlen("/perf.data");

    if (length > tail && strcmp(folder + length - tail, "/perf.data") == 0)
        folder[length - tail] = '\0';
    if (!facts->is_linux && is_there(folder, "ibsboot.elf") && is_there(folder, "perf.data")) {
        bool plain =
            folder[strspn(folder, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+:,-")] == 0;
        const char *name = plain ? folder : "FOLDER";

        if (strcmp(shown(folder), folder) != 0) /* the folder is removed when this program ends */
            fprintf(file, "%-14stake the run out of its archive first: tar -xf\n", "for perf");
        else
            fprintf(file, "%-14sperf report --symfs=%s -i %s/perf.data\n", "for perf", name, name);
    }
    free(folder);
}

static void print_events(FILE *file, const struct info *info)
{
    fprintf(file, "\nevents\n");
    for (uint32_t i = 0; i < info->facts->event_count; i++) {
        const struct input_event *event = &info->facts->events[i];

        fprintf(file, "  %-28s %-10s", event->name, kind_name(event->kind));
        if (event->frequency)
            fprintf(file, " frequency %-10" PRIu64, event->frequency);
        else
            fprintf(file, " period %-13" PRIu64, event->period);
        if (event->not_measured)
            fprintf(file, " %12s", "not measured");
        else
            fprintf(file, " %12" PRIu64 " samples", info->event_samples[i]);
        if (info->event_lost[i])
            fprintf(file, ", %" PRIu64 " lost", info->event_lost[i]);
        putc('\n', file);
    }
}

/* perf.data calls the code of a run without an operating system user mode, but it runs in ring 0. */
static const char *mode_name(const struct input_facts *facts, unsigned mode)
{
    return mode == MODE_USER && !facts->is_linux ? "in ring 0 (perf calls it user)" : input_mode_name(mode);
}

static void print_counts(FILE *file, const struct info *info)
{
    fprintf(file, "\n%-14s%" PRIu64, "samples", info->items[PERFDATA_ITEM_SAMPLE]);
    for (unsigned i = 0; i < INFO_MODES; i++)
        if (info->modes[i])
            fprintf(file, "; %" PRIu64 " %s", info->modes[i], mode_name(info->facts, i));
    fprintf(file, "\n%-14s%" PRIu64 ", %" PRIu64 " with build-id\n", "maps", info->items[PERFDATA_ITEM_MAP],
            info->maps_with_build_id);
    fprintf(file, "%-14s%" PRIu64 " named, %" PRIu64 " forked, %" PRIu64 " ended\n", "processes",
            info->items[PERFDATA_ITEM_COMM], info->items[PERFDATA_ITEM_FORK], info->items[PERFDATA_ITEM_EXIT]);
    fprintf(file, "%-14s%" PRIu64 "%s\n", "lost", info->lost,
            info->lost ? ": the profile has gaps, which may be unevenly distributed" : "");
    fprintf(file, "%-14s%" PRIu64 "%s\n", "throttled", info->items[PERFDATA_ITEM_THROTTLE],
            info->items[PERFDATA_ITEM_THROTTLE]
                ? " times: the kernel stopped sampling when it became too expensive, so busy phases are missing"
                : "");
    fprintf(file, "%-14s%" PRIu64, "others", info->items[PERFDATA_ITEM_OTHER]);
    if (info->items[PERFDATA_ITEM_OTHER]) {
        const char *separator = ":";

        for (uint32_t type = 0; type < INFO_TYPES; type++) {
            static const char known[] = {1, 2, 3, 4, 5, 6, 7, 9, 10, 13};

            if (!info->types[type] || memchr(known, (int)type, sizeof(known)))
                continue;
            if (record_name(type))
                fprintf(file, "%s %" PRIu64 " %s", separator, info->types[type], record_name(type));
            else
                fprintf(file, "%s %" PRIu64 " of type %" PRIu32, separator, info->types[type], type);
            separator = ",";
        }
    }
    putc('\n', file);
    if (info->items[PERFDATA_ITEM_SAMPLE] && input_is_ticks(info->facts))
        fprintf(file, "%-14s%" PRIu64 " to %" PRIu64 ", %" PRIu64 " ticks\n", "TSC", info->first_time, info->last_time,
                info->last_time - info->first_time);
    else if (info->items[PERFDATA_ITEM_SAMPLE])
        fprintf(file, "%-14s%.9f s to %.9f s, %.9f s\n", "time", (double)info->first_time / 1e9,
                (double)info->last_time / 1e9, (double)(info->last_time - info->first_time) / 1e9);
}

/* Prints registers with their meanings. */
static void print_silicon(FILE *file, const struct input_facts *facts)
{
    bool some = false;

    for (uint32_t i = 0; i < facts->setting_count; i++) {
        const char *key = facts->settings[i].key, *name = strstr(key, "silicon.");
        enum silicon_register row;
        char label[80];

        if (!facts->settings[i].fact || !name || !fact_is(key, FACT_SILICON))
            continue;
        if (!some)
            fprintf(file, "\nsilicon\n");
        some = true;
        row = silicon_find(name + strlen("silicon."), strlen(name) - strlen("silicon."));
        snprintf(label, sizeof(label), "%.*s%s", (int)(name - key), key, name + strlen("silicon."));
        fprintf(file, "  %-24s %-18s %s\n", label, facts->settings[i].value,
                row < SILICON_ROWS ? silicon_rows[row].what : "");
    }
}

static void print_run(FILE *file, const struct input_facts *facts)
{
    if (facts->setting_count == 0)
        return;
    fprintf(file, "\nsettings\n");
    for (uint32_t i = 0; i < facts->setting_count; i++)
        if (!facts->settings[i].fact)
            fprintf(file, "  %s = %s\n", facts->settings[i].key, facts->settings[i].value);
    /* Prints facts on the run's quality; --json and the file have the others. */
    fprintf(file, "\ncertificate\n");
    for (uint32_t i = 0; i < facts->setting_count; i++)
        if (facts->settings[i].fact && fact_is(facts->settings[i].key, FACT_QUALITY))
            fprintf(file, "  %s = %s\n", facts->settings[i].key, facts->settings[i].value);
}

void info_text(FILE *file, const struct info *info)
{
    const struct input_facts *facts = info->facts;

    fprintf(file, "%s: %s, %" PRIu64 " bytes\n", shown(facts->path), format_of(facts), facts->file_size);
    if (info->error)
        fprintf(file, "%-14sonly up to this point: %s\n", "read", info->error);
    print_machine(file, facts);
    print_perf(file, facts);
    print_events(file, info);
    print_counts(file, info);
    print_run(file, facts);
    print_silicon(file, facts);
}

/* ---------------------------------------------------------------- JSON */

static void write_event(struct json *json, const struct info *info, uint32_t i)
{
    const struct input_event *event = &info->facts->events[i];

    json_object(json);
    json_key_text(json, "name", event->name);
    json_key_text(json, "kind", input_kind_name(event->kind));
    json_key_uint(json, "type", event->type);
    json_key_hex(json, "config", event->config);
    json_key_uint(json, "period", event->period);
    json_key_uint(json, "frequency", event->frequency);
    json_key_hex(json, "sample_type", event->sample_type);
    json_key_known(json, "samples", !event->not_measured, info->event_samples[i]);
    json_key_uint(json, "sum_of_periods", info->event_periods[i]);
    json_key_uint(json, "lost", info->event_lost[i]);
    json_end(json);
}

static void write_records(struct json *json, const struct info *info)
{
    char number[20];

    json_key_object(json, "records");
    for (uint32_t type = 0; type < INFO_TYPES; type++) {
        snprintf(number, sizeof(number), "%" PRIu32, type);
        if (info->types[type])
            json_key_uint(json, record_name(type) ? record_name(type) : number, info->types[type]);
    }
    json_end(json);
}

static void write_settings(struct json *json, const struct input_facts *facts, const char *name, bool fact)
{
    json_key_object(json, name);
    for (uint32_t i = 0; i < facts->setting_count; i++)
        if (facts->settings[i].fact == fact)
            json_key_text(json, facts->settings[i].key, facts->settings[i].value);
    json_end(json);
}

static void write_info(struct json *json, const struct info *info)
{
    const struct input_facts *facts = info->facts;

    json_object(json);
    json_key_text(json, "path", shown(facts->path));
    json_key_text(json, "format", input_format_name(facts->format));
    json_key_uint(json, "size", facts->file_size);
    json_key_text(json, "error", info->error ? info->error : "");
    json_key_text(json, "vendor", facts->vendor);
    json_key_text(json, "cpu_name", facts->cpu_name);
    json_key_uint(json, "family", facts->family);
    json_key_uint(json, "model", facts->model);
    json_key_uint(json, "stepping", facts->stepping);
    json_key_hex(json, "ibs_caps", facts->ibs_caps);
    json_key_bool(json, "is_model", facts->is_model);
    json_key_bool(json, "is_linux", facts->is_linux);
    json_key_text(json, "hostname", facts->hostname);
    json_key_text(json, "release", facts->release);
    json_key_text(json, "arch", facts->arch);
    json_key_text(json, "version", facts->version);
    json_key_text(json, "command", facts->command);
    json_key_text(json, "workload", facts->workload);
    json_key_uint(json, "work", facts->work);
    json_key_text(json, "work_unit", facts->work_unit);
    json_key_uint(json, "tsc_khz", facts->tsc_khz);
    json_key_array(json, "events");
    for (uint32_t i = 0; i < facts->event_count; i++)
        write_event(json, info, i);
    json_end(json);
    write_records(json, info);
    json_key_uint(json, "samples", info->items[PERFDATA_ITEM_SAMPLE]);
    json_key_uint(json, "lost", info->lost);
    json_key_uint(json, "throttled", info->items[PERFDATA_ITEM_THROTTLE]);
    json_key_uint(json, "maps", info->items[PERFDATA_ITEM_MAP]);
    json_key_uint(json, "maps_with_build_id", info->maps_with_build_id);
    json_key_uint(json, input_is_ticks(facts) ? "first_tsc" : "first_ns", info->first_time);
    json_key_uint(json, input_is_ticks(facts) ? "last_tsc" : "last_ns", info->last_time);
    write_settings(json, facts, "settings", false);
    write_settings(json, facts, "facts", true);
    json_end(json);
}

void info_json(FILE *file, const struct info *info)
{
    struct json json;

    json_init(&json, file);
    json.one_line = true;
    write_info(&json, info);
    (void)json_finish(&json); /* output_close tells what could not be written */
}
