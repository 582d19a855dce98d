/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the facts in a perf.data file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/read/input_perfdata.h"
#include "tools/ibsprof/base/must.h"

enum { LOOK_AHEAD = 20000, COMMAND_WORDS = 1000 };

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

    for (uint32_t i = 0; i < COMMAND_WORDS && used < COMMAND_MAX && (word = perfdata_command(&self->reader, i)); i++)
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
    self->names[index] = event->pmu_name
                             ? must_text("%s/config=0x%" PRIx64 "/", event->pmu_name, event->config)
                             : must_text("type=%" PRIu32 "/config=0x%" PRIx64 "/", event->type, event->config);
    return self->names[index];
}

static void read_events(struct input *input)
{
    struct perfdata_input *self = input->reader;

    input->facts.event_count = self->reader.event_count;
    input->events = must_alloc(self->reader.event_count, sizeof(*input->events));
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
            .no_cpu = !(event->sample_type & PERFDATA_SAMPLE_CPU),
        };
    }
    input->facts.events = input->events;
}

/* Finds facts that only records have: the name of the program, and which registers its IBS samples have. */
static void look_ahead(struct input *input)
{
    struct perfdata_input *self = input->reader;
    struct perfdata_item item;
    uint64_t at = self->reader.begin;
    bool ibs = false;

    /* In a recording of all processes, or of one that ran already, the first program to start is not what was recorded:
     * perf sets enable_on_exec where it starts the program itself (tools/perf/util/evsel.c, evsel__config). */
    bool starts = !input->facts.is_linux, named = input->facts.workload[0] != '\0'; /* by run.ini */
    /* A program starts others (a script its tools), on other processors too, whose records may come first in the file.
     */
    uint64_t started = UINT64_MAX;

    for (uint32_t i = 0; i < self->reader.event_count; i++) {
        ibs |= self->reader.events[i].pmu != PERFDATA_PMU_OTHER;
        starts |= (self->reader.events[i].flags & PERFDATA_ATTR_ENABLE_ON_EXEC) != 0;
    }
    for (unsigned i = 0;
         i < LOOK_AHEAD && perfdata_read_at(&self->reader, at, &item) == PERFDATA_OK && item.kind != PERFDATA_ITEM_END;
         i++, at += item.size) {
        if (starts && !named && item.kind == PERFDATA_ITEM_COMM && item.misc & PERFDATA_MISC_COMM_EXEC &&
            item.time < started) {
            input->facts.workload = item.text;
            started = item.time;
        }
        if (item.kind == PERFDATA_ITEM_SAMPLE && item.register_count > 0) {
            if (!input->facts.ibs_caps)
                input->facts.ibs_caps = item.caps;
            ibs = false;
        }
        if (!ibs && (!starts || named || (!input->facts.is_linux && input->facts.workload[0])))
            break;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct build_id *)a)->name, ((const struct build_id *)b)->name);
}

static void read_build_ids(struct perfdata_input *self)
{
    struct perfdata_map entry;
    uint64_t at = 0;
    uint8_t mode;
    uint32_t count = 0;

    while (perfdata_build_id(&self->reader, &at, &entry, &mode))
        count++;
    self->build_ids = must_alloc(count, sizeof(*self->build_ids));
    for (at = 0; perfdata_build_id(&self->reader, &at, &entry, &mode);)
        self->build_ids[self->build_id_count++] =
            (struct build_id){.name = entry.name, .bytes = entry.build_id, .size = entry.build_id_size};
    qsort(self->build_ids, count, sizeof(*self->build_ids), by_name);
}

const struct build_id *perfdata_input_build_id(const struct perfdata_input *self, const char *name)
{
    /* The kernel's map is "[kernel.kallsyms]_text" or "_stext", its build-id is that of "[kernel.kallsyms]". */
    static const char kernel[] = "[kernel.kallsyms]";
    struct build_id wanted = {.name = strncmp(name, kernel, sizeof(kernel) - 1) == 0 ? kernel : name};

    return bsearch(&wanted, self->build_ids, self->build_id_count, sizeof(*self->build_ids), by_name);
}

/* Sets a text from the file, unless run.ini has one. */
static void set_text(const char **fact, const char *text)
{
    if (text && !(*fact)[0])
        *fact = text;
}

void perfdata_input_origin(struct input *input)
{
    struct input_facts *facts = &input->facts;
    bool run = run_fact(facts, FACT_FIGURES) != NULL; /* a run says it, and Linux' twin does not */

    facts->no_origin &= !run;
    facts->is_linux = strcmp(facts->release, "no operating system") != 0 && !(run && !facts->release[0]);
    /* Linux reports a hypervisor, but not its kind; the virtual PMU is named in the processor's name. */
    bool ours = strstr(facts->cpu_name, "virtual PMU") != NULL;
    facts->is_hypervisor = facts->is_model && facts->is_linux && !ours;
    facts->is_model = ours || (facts->is_model && !facts->is_linux);
    input->layout = ibs_layout_of(facts->family, facts->model, facts->ibs_caps);
}

void perfdata_input_facts(struct input *input)
{
    struct perfdata_input *self = input->reader;
    struct input_facts *facts = &input->facts;

    set_text(&facts->hostname, self->reader.hostname);
    set_text(&facts->release, self->reader.os_release);
    set_text(&facts->arch, self->reader.arch);
    set_text(&facts->version, self->reader.version);
    set_text(&facts->cpu_name, self->reader.cpu_name);
    facts->no_origin = self->reader.features_missing > 0 && !(self->reader.os_release && self->reader.cpu_name);
    if (!facts->vendor[0])
        read_cpuid(input);
    perfdata_input_origin(input);
    while (facts->node_count < INPUT_NODES_MAX &&
           perfdata_node_at(&self->reader, facts->node_count, &facts->nodes[facts->node_count].number,
                            &facts->nodes[facts->node_count].cores))
        facts->node_count++;
    read_command(input);
    read_events(input);
    read_build_ids(self);
    look_ahead(input);
    input->layout = ibs_layout_of(facts->family, facts->model, facts->ibs_caps);
}
