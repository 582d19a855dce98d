/* perf.data as input: facts from its features, items from its records. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/perfdata_format.h"
#include "core/perfdata_read.h"
#include "tools/ibsprof/input_inside.h"

enum { FRAMES_MAX = 65536 / 8, COMMAND_MAX = 4096, LOOK_AHEAD = 20000 };

struct perfdata_input {
    struct perfdata_reader reader;
    char vendor[32];
    char command[COMMAND_MAX];
    char *names[PERFDATA_EVENTS_MAX]; /* made up here, or NULL */
    uint64_t frames[FRAMES_MAX];      /* call chain of the last sample */
};

static bool fail(struct input *input, enum perfdata_error error)
{
    struct perfdata_input *self = input->reader;

    if (error == PERFDATA_NOT_PERFDATA)
        return input_fail(input, UINT64_MAX, "neither perf.data nor a raw file of the AMD IBS Toolkit");
    return input_fail(input, self->reader.error_at, "%s",
                      self->reader.why ? self->reader.why : perfdata_error_text(error));
}

/* "AuthenticAMD,16,4,2" */
static void read_cpuid(struct input *input)
{
    struct perfdata_input *self = input->reader;
    struct input_facts *facts = &input->facts;

    if (self->reader.cpuid && sscanf(self->reader.cpuid, "%31[^,],%" SCNu32 ",%" SCNu32 ",%" SCNu32, self->vendor,
                                     &facts->family, &facts->model, &facts->stepping) >= 1)
        facts->vendor = self->vendor;
}

static void read_command(struct input *input)
{
    struct perfdata_input *self = input->reader;
    size_t used = 0;
    const char *word;

    for (uint32_t i = 0; i < 1000 && used < COMMAND_MAX && (word = perfdata_command(&self->reader, i)); i++)
        used += (size_t)snprintf(self->command + used, COMMAND_MAX - used, "%s%s", i ? " " : "", word);
    input->facts.command = self->command;
}

/* Names of perf's own events: tools/perf/util/parse-events.c. */
static const char *const hardware[] = {
    "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
    "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
static const char *const software[] = {"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
                                       "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
                                       "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

static const char *make_name(struct perfdata_input *self, uint32_t index)
{
    const struct perfdata_file_event *event = &self->reader.events[index];
    enum { HARDWARE = 0, SOFTWARE = 1 };

    if (event->name && event->name[0])
        return event->name;
    if (event->type == HARDWARE && event->config < sizeof(hardware) / sizeof(hardware[0]))
        return hardware[event->config];
    if (event->type == SOFTWARE && event->config < sizeof(software) / sizeof(software[0]))
        return software[event->config];
    if (asprintf(&self->names[index], "%s%" PRIu32 "/config=0x%" PRIx64 "/",
                 event->pmu_name ? event->pmu_name : "type ", event->type, event->config) < 0)
        abort();
    return self->names[index];
}

static void read_events(struct input *input)
{
    struct perfdata_input *self = input->reader;

    input->facts.event_count = self->reader.event_count;
    input->events = calloc(self->reader.event_count + 1, sizeof(*input->events));
    if (!input->events)
        abort();
    for (uint32_t i = 0; i < self->reader.event_count; i++) {
        const struct perfdata_file_event *event = &self->reader.events[i];
        bool frequency = event->flags & PERFDATA_ATTR_FREQ;

        input->events[i] = (struct input_event){
            .name = make_name(self, i),
            .kind = perfdata_kind(event),
            .type = event->type,
            .config = event->config,
            .period = frequency ? 0 : event->period,
            .frequency = frequency ? event->period : 0,
            .sample_type = event->sample_type,
        };
    }
    input->facts.events = input->events;
}

/* What only records say: the name of the program, and which registers its IBS samples have. */
static void look_ahead(struct input *input)
{
    struct perfdata_input *self = input->reader;
    struct perfdata_item item;
    uint64_t at = self->reader.begin;
    bool ibs = false;

    for (uint32_t i = 0; i < self->reader.event_count; i++)
        ibs |= self->reader.events[i].pmu != PERFDATA_PMU_OTHER;
    for (unsigned i = 0;
         i < LOOK_AHEAD && perfdata_read_at(&self->reader, at, &item) == PERFDATA_OK && item.kind != PERFDATA_ITEM_END;
         i++, at += item.size) {
        if (item.kind == PERFDATA_ITEM_COMM && item.misc & PERFDATA_MISC_COMM_EXEC && !input->facts.workload[0])
            input->facts.workload = item.text;
        if (item.kind == PERFDATA_ITEM_SAMPLE && item.register_count > 0) {
            if (!input->facts.ibs_caps)
                input->facts.ibs_caps = item.caps;
            ibs = false;
        }
        if (!ibs && input->facts.workload[0])
            break;
    }
}

static void fill_sample(struct perfdata_input *self, const struct perfdata_item *from, struct input_sample *to)
{
    *to = (struct input_sample){
        .event = from->event,
        .mode = from->mode,
        .exact = (from->misc & PERFDATA_MISC_EXACT_IP) != 0,
        .pid = from->pid,
        .tid = from->tid,
        .cpu = from->cpu,
        .ip = from->ip,
        .addr = from->addr,
        .phys_addr = from->phys_addr,
        .time = from->time,
        .period = from->period ? from->period : 1,
        .data_src = from->data_src,
        .weight = from->weight,
        .caps = from->caps,
        .register_count = from->register_count < PERFDATA_RAW_REGS ? from->register_count : PERFDATA_RAW_REGS,
        .record = from->record,
        .offset = from->at,
    };
    memcpy(to->registers, from->registers, sizeof(to->registers));
    to->record.tsc = from->time;
    if (from->callchain_count) {
        memcpy(self->frames, from->callchain, from->callchain_count * sizeof(uint64_t));
        to->callchain = self->frames;
        to->callchain_count = from->callchain_count;
    }
}

static void fill_map(const struct perfdata_item *from, struct input_map *to)
{
    enum { EXECUTE = 4 };

    *to = (struct input_map){
        .pid = from->pid,
        .tid = from->tid,
        .start = from->map.start,
        .length = from->map.length,
        .page_offset = from->map.page_offset,
        .mode = from->mode,
        .executable = (from->map.protection & EXECUTE) != 0,
        .has_build_id = from->map.build_id_size > 0,
        .build_id_size = from->map.build_id_size,
        .name = from->map.name,
    };
    if (to->has_build_id)
        memcpy(to->build_id, from->map.build_id, to->build_id_size);
}

static void fill(struct input *input, const struct perfdata_item *from, struct input_item *to)
{
    static const enum input_kind kinds[] = {
        [PERFDATA_ITEM_END] = INPUT_END,
        [PERFDATA_ITEM_SAMPLE] = INPUT_SAMPLE,
        [PERFDATA_ITEM_LOST] = INPUT_LOST,
        [PERFDATA_ITEM_MAP] = INPUT_MAP,
        [PERFDATA_ITEM_COMM] = INPUT_COMM,
        [PERFDATA_ITEM_FORK] = INPUT_FORK,
        [PERFDATA_ITEM_EXIT] = INPUT_EXIT,
        [PERFDATA_ITEM_THROTTLE] = INPUT_THROTTLE,
        [PERFDATA_ITEM_UNTHROTTLE] = INPUT_UNTHROTTLE,
        [PERFDATA_ITEM_OTHER] = INPUT_OTHER,
    };

    to->kind = kinds[from->kind];
    to->record_type = from->type;
    to->event = from->event;
    to->count = from->lost;
    if (from->kind == PERFDATA_ITEM_SAMPLE)
        fill_sample(input->reader, from, &to->sample);
    else if (from->kind == PERFDATA_ITEM_MAP)
        fill_map(from, &to->map);
    to->comm.pid = from->pid;
    to->comm.tid = from->tid;
    to->comm.parent = from->parent_pid;
    to->comm.exec = from->kind == PERFDATA_ITEM_COMM && from->misc & PERFDATA_MISC_COMM_EXEC;
    to->comm.text = from->text;
}

static bool next_item(struct input *input, struct input_item *ret_item)
{
    struct perfdata_input *self = input->reader;
    struct perfdata_item item;
    enum perfdata_error error = perfdata_next(&self->reader, &item);

    if (error != PERFDATA_OK)
        return fail(input, error);
    fill(input, &item, ret_item);
    input_release(&input->file, self->reader.at);
    return true;
}

static void rewind_input(struct input *input)
{
    struct perfdata_input *self = input->reader;

    self->reader.at = self->reader.begin;
}

static uint64_t position(const struct input *input)
{
    const struct perfdata_input *self = input->reader;

    return self->reader.at;
}

static void close_input(struct input *input)
{
    struct perfdata_input *self = input->reader;

    for (uint32_t i = 0; i < PERFDATA_EVENTS_MAX; i++)
        free(self->names[i]);
    free(self);
}

/* The file's word, unless run.ini, or nobody, has one. */
static void set_text(const char **fact, const char *text)
{
    if (text && !(*fact)[0])
        *fact = text;
}

bool input_open_perfdata(struct input *input)
{
    struct perfdata_input *self = calloc(1, sizeof(*self));
    struct input_facts *facts = &input->facts;
    enum perfdata_error error;

    if (!self)
        abort();
    input->reader = self;
    input->next = next_item;
    input->rewind = rewind_input;
    input->close = close_input;
    input->position = position;
    error = perfdata_open(&self->reader, input->file.bytes, input->file.size);
    if (error != PERFDATA_OK)
        return fail(input, error);
    set_text(&facts->hostname, self->reader.hostname);
    set_text(&facts->release, self->reader.os_release);
    set_text(&facts->arch, self->reader.arch);
    set_text(&facts->version, self->reader.version);
    set_text(&facts->cpu_name, self->reader.cpu_name);
    facts->is_linux = strcmp(facts->release, "no operating system") != 0;
    if (!facts->vendor[0])
        read_cpuid(input);
    read_command(input);
    read_events(input);
    look_ahead(input);
    return true;
}
