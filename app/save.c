#include "app/save.h"

#include "app/report.h"
#include "app/version.h"
#include "core/csv.h"
#include "core/ibs_regs.h"
#include "core/perfdata.h"

static const char runs_path[] = "\\ibsboot\\runs";

enum { FOLDER_MAX = 96, COMMAND_MAX = 512 };

/* The highest number that a folder of earlier runs begins with. */
static void note_number(void *argument, const char *name)
{
    unsigned *highest = argument, number = 0;

    for (; *name >= '0' && *name <= '9'; name++)
        number = number * 10 + (unsigned)(*name - '0');
    if (*name == '-' && number > *highest && number < 100000)
        *highest = number;
}

static enum firmware_error make_folder(const struct run *run, char *folder, size_t size)
{
    struct firmware *fw = run->fw;
    struct out_memory text;
    unsigned highest = 0;
    enum firmware_error error = fw->list(fw, runs_path, note_number, &highest);

    if (error == FIRMWARE_NOT_FOUND) {
        (void)fw->make_folder(fw, "\\ibsboot"); /* a network boot's volume may lack it; the next line tells */
        error = fw->make_folder(fw, runs_path);
    }
    if (error)
        return error;
    out_memory_init(&text, folder, size);
    out_printf(&text.out, "%s\\%04u-%s-ibs", runs_path, highest + 1, run->workload->name);
    return fw->make_folder(fw, folder);
}

static void fact(struct out *out, const char *key, uint64_t value)
{
    out_printf(out, "#: %s = %llu\n", key, (unsigned long long)value);
}

/* Settings first, so that the file can be used as ibsboot.ini to repeat the run; what came of them as "#: key = value". */
static void write_ini(struct out *out, const struct run *run, const struct options *options)
{
    const struct machine *machine = run->machine;
    const struct session_result *result = &run->result;
    const struct firmware_time *time = &run->started;

    out_printf(out, "# A run of ibsboot %s. Copied to \\ibsboot\\ibsboot.ini it is repeated.\n\n", IBSBOOT_VERSION);
    settings_write(&options->settings, out);
    out_printf(out, "\n# What it ran on and what came of it.\n");
    if (time->valid)
        out_printf(out, "#: started = %04u-%02u-%02uT%02u:%02u:%02u\n", time->year, time->month, time->day, time->hour,
                   time->minute, time->second);
    out_printf(out, "#: figures = %s\n", machine->hypervisor ? "model or hypervisor, not silicon" : "silicon");
    out_printf(out, "#: machine.vendor = %s\n#: machine.name = %s\n", machine->vendor, machine->name);
    fact(out, "machine.family", machine->family);
    fact(out, "machine.model", machine->model);
    fact(out, "machine.stepping", machine->stepping);
    out_printf(out, "#: machine.revision = %c\n", machine->revision ? machine->revision : '-');
    out_printf(out, "#: machine.ibs_caps = 0x%x\n", machine->ibs_caps);
    out_printf(out, "#: machine.hypervisor = %s\n", machine->hypervisor ? machine->hypervisor_signature : "none");
    out_printf(out, "#: machine.firmware = %s\n", run->fw->name);
    fact(out, "machine.nodes", machine->nodes);
    fact(out, "machine.cores", machine->cores);
    fact(out, "machine.tsc_khz", machine->tsc_khz);
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && run->workload->params[i].name; i++)
        out_printf(out, "#: workload.%s = %u\n", run->workload->params[i].name, run->params[i]);
    fact(out, "workload.work", run->workload->work(run->params));
    out_printf(out, "#: workload.unit = %s\n", run->workload->unit);
    fact(out, "workload.check", run->check_ok);
    out_printf(out, "#: image_base = 0x%llx\n#: arena.physical = 0x%llx\n#: arena.virtual = 0x%llx\n",
               (unsigned long long)run->image->base, (unsigned long long)run->plan.paging.physical,
               (unsigned long long)result->arena);
    out_printf(out, "#: ibs.op_ctl = 0x%llx\n#: ibs.fetch_ctl = 0x%llx\n", (unsigned long long)result->settings.op_ctl,
               (unsigned long long)result->settings.fetch_ctl);
    fact(out, "ibs.op_period", run->plan.ibs.op_period);
    fact(out, "ibs.op_random_range", result->settings.op_random_range);
    fact(out, "ibs.fetch_period", run->plan.ibs.fetch_period);
    fact(out, "ibs.lvt_offset", result->lvt_offset);
    fact(out, "samples.op", result->counts.op);
    fact(out, "samples.fetch", result->counts.fetch);
    fact(out, "samples.op_lost", result->counts.lost_op);
    fact(out, "samples.fetch_lost", result->counts.lost_fetch);
    fact(out, "samples.op_outside", run->profile.outside_records[IBS_KIND_OP]);
    fact(out, "samples.fetch_outside", run->profile.outside_records[IBS_KIND_FETCH]);
    fact(out, "samples.op_in_handler", run->in_handler[IBS_KIND_OP]);
    fact(out, "samples.fetch_in_handler", run->in_handler[IBS_KIND_FETCH]);
    fact(out, "nmi.all", result->counts.nmi);
    fact(out, "nmi.empty", result->counts.empty);
    fact(out, "nmi.late", result->counts.late);
    fact(out, "nmi.foreign", result->counts.foreign);
    fact(out, "tsc.start", result->tsc_start);
    fact(out, "tsc.stop", result->tsc_stop);
    fact(out, "error", result->error);
    for (unsigned i = 0; i < result->restore.count; i++)
        out_printf(out, "#: restored.%u = %s, 0x%llx, 0x%llx, %s\n", i, result->restore.row[i].what,
                   (unsigned long long)result->restore.row[i].before, (unsigned long long)result->restore.row[i].after,
                   result->restore.row[i].ok ? "same" : "DIFFERENT");
}

static void write_report(struct file_sink *sink, const struct run *run, const struct options *options)
{
    (void)options;
    out_printf(&sink->out, "ibsboot %s\n", IBSBOOT_VERSION);
    report_run(&sink->out, run);
}

static void write_csv(struct file_sink *sink, const struct run *run, const struct options *options)
{
    (void)options;
    csv_write_profile(&sink->out, &run->profile);
}

static void write_run_ini(struct file_sink *sink, const struct run *run, const struct options *options)
{
    write_ini(&sink->out, run, options);
}

static int write_bytes(void *context, const void *data, size_t size)
{
    return file_sink_bytes(context, data, size);
}

static void write_perfdata(struct file_sink *sink, const struct run *run, const struct options *options)
{
    const struct machine *machine = run->machine;
    const struct session_plan *plan = &run->plan;
    const struct session_result *result = &run->result;
    char command[COMMAND_MAX];
    struct out_memory text;
    const struct perfdata_info info = {
        .vendor = machine->vendor,
        .cpu_name = machine->name,
        .family = machine->family,
        .model = machine->model,
        .stepping = machine->stepping,
        .caps = machine->ibs_caps,
        .cores = 1, /* that were sampled */
        .tsc_khz = (uint32_t)machine->tsc_khz,
        .tsc0 = result->tsc_start,
        .image_base = run->image->base,
        .text_rva = run->image->text_rva,
        .text_size = run->image->text_size,
        .text_offset = run->image->text_rva,
        .build_id = run->image->build_id,
        .elf_name = "ibsboot.elf",
        .version = IBSBOOT_VERSION,
        .command = command,
        .comm = run->workload->name,
        .event = {[IBS_KIND_FETCH] = {.sampled = plan->ibs.fetch,
                                      .variant = result->settings.fetch_ctl & IBS_FETCH_RAND_EN,
                                      .period = plan->ibs.fetch_period,
                                      .lost = result->counts.lost_fetch},
                  [IBS_KIND_OP] = {.sampled = plan->ibs.op,
                                   .variant = plan->ibs.count_ops,
                                   .period = plan->ibs.op_period,
                                   .lost = result->counts.lost_op}},
    };

    out_memory_init(&text, command, sizeof(command));
    for (unsigned i = 0; i < options->settings.count; i++) {
        out_printf(&text.out, "%s%s=", i ? " " : "", options->settings.rows[i].key);
        settings_write_value(&options->settings.rows[i], &text.out);
    }
    (void)perfdata_write(&info, plan->records, (size_t)result->samples, write_bytes, sink); /* kept in sink->error */
}

static const struct {
    const char *name;
    void (*write)(struct file_sink *sink, const struct run *run, const struct options *options);
} save_files[] = {
    {"report.txt", write_report},
    {"profile.csv", write_csv},
    {"perf.data", write_perfdata},
    {"run.ini", write_run_ini},
};

bool save_run(struct console *console, const struct run *run, const struct options *options)
{
    struct out *out = &console->out;
    char folder[FOLDER_MAX], path[FOLDER_MAX + 16];
    enum firmware_error error = make_folder(run, folder, sizeof(folder));

    if (error) {
        out_printf(out, "NOT SAVED: %s. The tables above are all there is of this run; 'again' prints them.\n",
                   firmware_error_text(error));
        return false;
    }
    for (unsigned i = 0; !error && i < sizeof(save_files) / sizeof(save_files[0]); i++) {
        struct file_sink sink;
        struct out_memory text;

        out_memory_init(&text, path, sizeof(path));
        out_printf(&text.out, "%s\\%s", folder, save_files[i].name);
        file_sink_open(&sink, run->fw, path);
        if (sink.error == FIRMWARE_OK)
            save_files[i].write(&sink, run, options);
        error = file_sink_close(&sink);
        if (error)
            out_printf(out, "NOT SAVED: %s: %s\n", path, firmware_error_text(error));
    }
    if (!error)
        out_printf(out, "Saved to %s\n", folder);
    return !error;
}
