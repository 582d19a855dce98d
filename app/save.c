/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/save.h"

#include "app/kind.h"
#include "app/report.h"
#include "app/save_files.h"
#include "app/sentence.h"
#include "core/version.h"

static const char runs_path[] = "\\ibsboot\\runs";

enum { FOLDER_MAX = 96, NUMBER_END = 100000000 /* folders with such numbers are not ours */ };

/* The highest number that a folder of earlier runs begins with. */
static void note_number(void *argument, const char *name)
{
    unsigned *highest = argument, number = 0;

    for (; *name >= '0' && *name <= '9' && number < NUMBER_END; name++)
        number = number * 10 + (unsigned)(*name - '0');
    if (*name == '-' && number > *highest && number < NUMBER_END)
        *highest = number;
}

static enum firmware_error make_folder(const struct run *run, char *folder, size_t size)
{
    struct firmware *fw = run->fw;
    struct out_memory text;
    unsigned highest = 0;
    enum firmware_error error = fw->list(fw, runs_path, note_number, &highest);

    if (error == FIRMWARE_NOT_FOUND) {
        error = fw->make_folder(fw, "\\ibsboot"); /* a network boot's volume may lack it */
        if (!error)
            error = fw->make_folder(fw, runs_path);
    }
    if (error)
        return error;
    out_memory_init(&text, folder, size);
    out_printf(&text.out, "%s\\%04u-", runs_path, highest + 1);
    if (!run->task.kinds[0]->workload)
        out_printf(&text.out, "%s-", run->workload->name);
    out_printf(&text.out, "%s", run->task.name);
    return fw->make_folder(fw, folder);
}

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

/* The CSV file of a kind. Where there is a hypervisor it begins with "# MODEL: ..."; on silicon with the header. */
static void save_csv(struct out *out, const struct run *run, const struct kind *kind)
{
    if (run->machine->hypervisor)
        out_printf(out, "# ");
    report_origin(out, run->machine);
    kind->csv(out, run);
}

/* A run that is being saved; nothing more is written after an error. */
struct saving {
    struct out *out; /* the console */
    const struct run *run;
    const struct options *options;
    char folder[FOLDER_MAX];
    enum firmware_error error;
};

/* One file: by 'write', or the kind's. */
static void save_one(struct saving *saving, const char *name, save_file *write, const struct kind *kind)
{
    char path[FOLDER_MAX + 16];
    struct out_memory text;
    struct file_sink sink;

    if (saving->error)
        return;
    out_memory_init(&text, path, sizeof(path));
    out_printf(&text.out, "%s\\%s", saving->folder, name);
    file_sink_open(&sink, saving->run->fw, path);
    if (sink.error == FIRMWARE_OK && kind)
        save_csv(&sink.out, saving->run, kind);
    else if (sink.error == FIRMWARE_OK)
        write(&sink, saving->run, saving->options);
    saving->error = file_sink_close(&sink);
    if (saving->error)
        sentence(saving->out, "NOT SAVED: %s: %s", path, firmware_error_text(saving->error));
}

bool save_run(struct console *console, const struct run *run, const struct options *options)
{
    struct saving saving = {.out = &console->out, .run = run, .options = options};
    const struct kind *const *kinds = run->task.kinds;

    saving.error = make_folder(run, saving.folder, sizeof(saving.folder));
    if (saving.error) {
        sentence(saving.out, "NOT SAVED: %s. Only the tables above exist of this run; 'again' prints them.",
                 firmware_error_text(saving.error));
        return false;
    }
    save_one(&saving, "report.txt", save_report, NULL);
    for (unsigned i = TASK_KINDS_MAX; i-- > 0;)
        if (kinds[i] && kinds[i]->csv)
            save_one(&saving, kinds[i]->csv_name, NULL, kinds[i]);
    if (kind_has_samples(run))
        save_one(&saving, "perf.data", save_perfdata, NULL);
    save_one(&saving, "run.ini", save_ini, NULL);
    /* By the name that perf.data has for it, and last: where the volume becomes full, it can be had elsewhere. */
    if (kind_has_samples(run))
        save_one(&saving, "ibsboot.elf", save_elf, NULL);
    if (!saving.error)
        out_printf(saving.out, "Saved to %s\n", saving.folder);
    return !saving.error;
}
