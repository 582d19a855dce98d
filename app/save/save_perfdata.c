/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/save_files.h"

#include "app/run/code.h"
#include "app/run/kind.h"
#include "core/base/version.h"
#include "core/family/ibs_regs.h"
#include "core/base/mem.h"
#include "core/perfdata/perfdata.h"

enum {
    COMMAND_MAX = 2048,
    NAME_BYTES = 80,
    CORE_BYTES = 5, /* "1023," */
    LISTS_BYTES = CORES_MAX * CORE_BYTES + NODES_MAX,
};

_Static_assert(CORES_MAX <= 10000, "CORE_BYTES");

_Static_assert((int)EVENT_LIST_MAX <= (int)PERFDATA_COUNTERS, "all events of a run have a place in the file");

static int write_bytes(void *context, const void *data, size_t size)
{
    return file_sink_bytes(context, data, size);
}

static void counters_of(const struct run *run, struct perfdata_counter *counters, char (*names)[NAME_BYTES])
{
    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct pmc_profile_event *row = &run->pmc.profile.event[i];
        struct event_spec spec = run->task.list.spec[i];
        struct out_memory name;

        spec.period = 0; /* not part of the name, because perf shows it separately */
        out_memory_init(&name, names[i], NAME_BYTES);
        event_write(&spec, true, &name.out);
        counters[i] = (struct perfdata_counter){
            .sampled = run->task.counted[i],
            .name = names[i],
            .config = event_ctl(&spec),
            .period = row->period,
            .samples = row->samples,
            .total = pmc_profile_estimate(row, row->samples),
            .lost = run->pmc.lost[i],
        };
    }
}

/* Writes settings in one line, as load options. */
static void write_settings(const struct settings *settings, char (*line)[COMMAND_MAX])
{
    struct out_memory text;

    out_memory_init(&text, *line, sizeof(*line));
    for (unsigned i = 0; i < settings->count; i++) {
        out_printf(&text.out, "%s%s=", i ? " " : "", settings->rows[i].key);
        settings_write_value(&settings->rows[i], &text.out);
    }
}

enum { ANY_NODE = NODES_MAX };

/* Writes the cores of a node that took part: "0,1,4". Returns the rest of the buffer, behind its final 0. */
static char *write_cores(const struct run *run, uint32_t node, char *text, const char *end)
{
    struct out_memory list;
    const char *comma = "";

    out_memory_init(&list, text, (size_t)(end - text));
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (!core->worker || core->lost || (node != ANY_NODE && core->result.node != node))
            continue;
        out_printf(&list.out, "%s%u", comma, core->cpu);
        comma = ",";
    }
    return text + strlen(text) + 1;
}

/* Lists the nodes, and returns their number. Each core is in one; if none is known, in node 0: perf c2c opens no file
 * without nodes. */
static uint32_t nodes_of(const struct run *run, struct perfdata_node *nodes, char (*lists)[LISTS_BYTES])
{
    const struct nodes *from = &run->machine->nodes;
    char *cores = *lists;
    uint32_t count = 0;

    for (uint32_t node = 0; node < NODES_MAX; node++) {
        if (!(from->srat ? node < from->count : from->mask >> node & 1))
            continue;
        nodes[count] = (struct perfdata_node){.number = node, .cores = cores};
        for (uint32_t i = 0; i < from->ranges; i++)
            if (from->range[i].node == node)
                nodes[count].memory_kb += (from->range[i].end - from->range[i].base) / 1024;
        cores = write_cores(run, node, cores, *lists + sizeof(*lists));
        count++;
    }
    if (count)
        return count;
    nodes[0] = (struct perfdata_node){.cores = cores};
    write_cores(run, ANY_NODE, cores, *lists + sizeof(*lists));
    return 1;
}

/* Lists the executed pieces of own code; returns their number. */
static uint32_t code_of_run(const struct run *run, struct perfdata_code *pieces)
{
    const struct code_file *file = run->code.file;
    uint32_t pieces_count = 0;

    for (unsigned i = 0; file && i < file->code.pieces; i++) {
        const struct code_piece *piece = &file->code.piece[i];

        if (piece->access == CODE_EXECUTE && piece->file_size)
            pieces[pieces_count++] = (struct perfdata_code){file->file_name, file->code.build_id,
                                                            run->code.address + piece->rva, piece->size, piece->offset};
    }
    return pieces_count;
}

void save_perfdata(struct file_sink *sink, const struct run *run, const struct options *options)
{
    const struct machine *machine = run->machine;
    const struct nmi_counts *counts = &run->passes.counts;
    char command[COMMAND_MAX], lists[LISTS_BYTES];
    struct perfdata_node nodes[NODES_MAX];
    bool timed = run->task.kinds[0] == &kind_timer;
    char names[EVENT_LIST_MAX][NAME_BYTES];
    struct perfdata_code code[CODE_PIECES_MAX];
    struct perfdata_counter counters[EVENT_LIST_MAX];
    const struct perfdata_counter timer = {
        .sampled = true,
        .name = "cpu-clock",
        .period = (uint64_t)run->task.timer_us * 1000, /* ns, as perf counts that clock */
        .lost = counts->lost[SAMPLE_TIMER],
    };
    const struct perfdata_info info = {
        .vendor = machine->vendor,
        .cpu_name = machine->name,
        .family = machine->family,
        .model = machine->model,
        .stepping = machine->stepping,
        .caps = machine->ibs_caps,
        .cores = run->cores.core[run->cores.count - 1] + 1, /* up to the last one that was sampled */
        .nodes = nodes,
        .node_count = nodes_of(run, nodes, &lists),
        .tsc_khz = (uint32_t)machine->tsc_khz,
        .tsc0 = run->passes.tsc_start,
        .image_base = run->image->base,
        .text_rva = run->image->text_rva,
        .text_size = run->image->text_size,
        .text_offset = run->image->text_rva,
        .build_id = run->image->build_id,
        .elf_name = "ibsboot.elf",
        .code = code,
        .code_count = code_of_run(run, code),
        .version = IBSBOOT_VERSION,
        .command = command,
        .comm = run->workload->name,
        .event = {[SAMPLE_FETCH] = {.sampled = run->ibs.plan.fetch,
                                    .variant = run->ibs.settings.fetch_ctl & IBS_FETCH_RAND_EN,
                                    .period = run->ibs.plan.fetch_period,
                                    .lost = counts->lost[SAMPLE_FETCH]},
                  [SAMPLE_OP] = {.sampled = run->ibs.plan.op,
                                 .variant = run->ibs.plan.count_ops,
                                 .period = run->ibs.plan.op_period,
                                 .lost = counts->lost[SAMPLE_OP]}},
        .counters = counters,
        .counter_count = run->pmc.memory ? run->task.list.count : 0,
        .timer = timed ? &timer : NULL,
        .stacks = run->passes.stacks,
        .branches = run->passes.branches,
        .branches_bare = machine->branch_sampling,
    };

    if (run->pmc.memory)
        counters_of(run, counters, names);
    write_settings(&options->settings, &command);
    (void)perfdata_write(&info, run->passes.records, (size_t)run->passes.samples, write_bytes,
                         sink); /* kept in sink->error */
}
