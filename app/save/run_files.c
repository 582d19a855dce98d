/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/save/run_files.h"

#include "app/run/code.h"
#include "app/report/report.h"
#include "core/base/version.h"

static void save_report(struct file_sink *sink, const struct run *run, const struct options *options)
{
    (void)options;
    out_printf(&sink->out, "ibsboot %s\n", IBSBOOT_VERSION);
    report_run(&sink->out, run);
}

static void save_elf(struct file_sink *sink, const struct run *run, const struct options *options)
{
    (void)options;
    (void)file_sink_bytes(sink, run->image->elf, run->image->elf_size); /* errors are kept in the sink */
}

static void save_code(struct file_sink *sink, const struct run *run, const struct options *options)
{
    (void)options;
    (void)file_sink_bytes(sink, run->code.file->bytes, run->code.file->size);
}

/* Writes the CSV file of a kind. Under a hypervisor it begins with "# MODEL: ...", on silicon with the header. */
static void save_csv(struct out *out, const struct run *run, kind_csv *csv)
{
    if (run->machine->hypervisor)
        out_printf(out, "# ");
    report_origin(out, run->machine);
    csv(out, run);
}

unsigned run_files(const struct run *run, struct run_file (*ret_files)[RUN_FILES_MAX])
{
    const struct kind *const *kinds = run->task.kinds;
    struct run_file *file = *ret_files;

    *file++ = (struct run_file){.name = "report.txt", .write = save_report};
    for (unsigned i = TASK_KINDS_MAX; i-- > 0;)
        if (kinds[i] && kinds[i]->csv)
            *file++ = (struct run_file){.name = kinds[i]->csv_name, .csv = kinds[i]->csv};
    for (unsigned i = 0; i < TASK_KINDS_MAX; i++)
        if (kinds[i] && kinds[i]->has_more_csv && kinds[i]->has_more_csv(run))
            *file++ = (struct run_file){.name = kinds[i]->more_csv_name, .csv = kinds[i]->more_csv};
    for (unsigned i = 0; i < TASK_KINDS_MAX && run->passes.workers > 1; i++)
        if (kinds[i] && kinds[i]->cores_csv)
            *file++ = (struct run_file){.name = kinds[i]->cores_csv_name, .csv = kinds[i]->cores_csv};
    if (kind_has_samples(run))
        *file++ = (struct run_file){.name = "perf.data", .write = save_perfdata, .is_large = true};
    *file++ = (struct run_file){.name = "run.ini", .write = save_ini, .is_ini = true};
    /* Under the name in perf.data, and last: if the volume is full, it can be had elsewhere. */
    if (kind_has_samples(run))
        *file++ = (struct run_file){.name = "ibsboot.elf", .write = save_elf};
    if (kind_has_samples(run) && run->code.file)
        *file++ = (struct run_file){.name = run->code.file->file_name, .write = save_code};
    return (unsigned)(file - *ret_files);
}

void run_file_write(const struct run_file *file, struct file_sink *sink, const struct run *run,
                    const struct options *options)
{
    if (file->csv)
        save_csv(&sink->out, run, file->csv);
    else
        file->write(sink, run, options);
}
