#include "app/save.h"

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
    if (!run_has_noise(run))
        out_printf(&text.out, "%s-", run->workload->name);
    out_printf(&text.out, "%s", run->task.name);
    return fw->make_folder(fw, folder);
}

void save_report(struct file_sink *sink, const struct run *run, const struct options *options)
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

static bool has_records(const struct run *run)
{
    return run_has_ibs(run) || run_has_samples(run);
}

static const struct {
    const char *name;
    save_file *write;
    bool (*wanted)(const struct run *run); /* NULL: always */
    bool csv;                              /* begins with a comment that says whose figures they are, as below */
} save_files[] = {
    {"report.txt", save_report, NULL, false},
    {"profile.csv", save_ibs_profile, run_has_ibs, true},
    {"pmc.csv", save_pmc_profile, run_has_samples, true},
    {"counts.csv", save_counts, run_has_counts, true},
    {"noise.csv", save_noise, run_has_noise, true},
    {"perf.data", save_perfdata, has_records, false},
    {"run.ini", save_ini, NULL, false},
    /* The name that perf.data has for it. The last one: where the volume becomes full, it can be had elsewhere. */
    {"ibsboot.elf", save_elf, has_records, false},
};

/* "# MODEL: ..."; on silicon the first line is the header. */
static void begin_csv(struct out *out, const struct machine *machine)
{
    if (!machine->hypervisor)
        return;
    out_printf(out, "# ");
    report_origin(out, machine);
}

bool save_run(struct console *console, const struct run *run, const struct options *options)
{
    struct out *out = &console->out;
    char folder[FOLDER_MAX], path[FOLDER_MAX + 16];
    enum firmware_error error = make_folder(run, folder, sizeof(folder));

    if (error) {
        sentence(out, "NOT SAVED: %s. The tables above are all there is of this run; 'again' prints them.",
                 firmware_error_text(error));
        return false;
    }
    for (unsigned i = 0; !error && i < sizeof(save_files) / sizeof(save_files[0]); i++) {
        struct file_sink sink;
        struct out_memory text;

        if (save_files[i].wanted && !save_files[i].wanted(run))
            continue;
        out_memory_init(&text, path, sizeof(path));
        out_printf(&text.out, "%s\\%s", folder, save_files[i].name);
        file_sink_open(&sink, run->fw, path);
        if (sink.error == FIRMWARE_OK && save_files[i].csv)
            begin_csv(&sink.out, run->machine);
        if (sink.error == FIRMWARE_OK)
            save_files[i].write(&sink, run, options);
        error = file_sink_close(&sink);
        if (error)
            sentence(out, "NOT SAVED: %s: %s", path, firmware_error_text(error));
    }
    if (!error)
        out_printf(out, "Saved to %s\n", folder);
    return !error;
}
