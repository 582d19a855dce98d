/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/save/begun.h"

#include "app/run/kind.h"
#include "app/run/save_files.h"
#include "app/base/sentence.h"
#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/base/version.h"
#include "core/perfdata/perfdata.h"
#include "core/run/facts.h"
#include "drivers/cpu/cpu.h"
#include "drivers/trace/trace.h"

static const char runs_path[] = BEGUN_RUNS;

enum {
    NUMBER_END = 100000000, /* folders with higher numbers are not ours */
    PATH_MAX = RUN_FOLDER_MAX + 16,
    PHASE_MAX = 160,         /* a reason for a refusal is the longest */
    PASS_MS = 1000,          /* between two notes on passes, each of which costs a write */
    OTHER_BYTES = 128 << 10, /* approximate size of all files except perf.data and the ELF file */
};

/* Beginning of a phase that is the reason why a run was not begun. */
static const char refused[] = "refused: ";

/* Suspects for a reset in a phase with this beginning, the second if usb_legacy=off. NMIs that wait in system
 * management mode: firmware that executes IRET there takes them with tables that are not its own (Intel SDM vol. 3,
 * "NMI Handling While in SMM"). */
static const struct suspects {
    const char *phase, *who, *without_usb;
} suspects[] = {
    {"measuring",
     "system management mode, interrupted by an NMI of sampling: most SMIs come from USB legacy emulation, so try "
     "usb_legacy=off, or a PS/2 keyboard; then a watchdog of the board, a machine check, the power supply",
     "other SMIs (temperature, power; USB legacy emulation was off), a watchdog of the board, a machine check, the "
     "power supply"},
    {"measured", "the firmware's console, which printed the report", NULL},
    {"saving", "the volume, or the firmware's driver for it: try another port or stick, or save=no output=serial",
     NULL},
};

/* The folder with the highest number. */
struct last {
    unsigned number; /* 0: none */
    char name[RUN_FOLDER_MAX];
};

static void note_folder(void *argument, const char *name)
{
    struct last *last = argument;
    const char *at = name;
    unsigned number = 0;
    struct out_memory text;

    for (; *at >= '0' && *at <= '9' && number < NUMBER_END; at++)
        number = number * 10 + (unsigned)(*at - '0');
    if (*at != '-' || number <= last->number || number >= NUMBER_END)
        return;
    last->number = number;
    out_memory_init(&text, last->name, sizeof(last->name));
    out_printf(&text.out, "%s", name);
}

static void path_of(char (*path)[PATH_MAX], const char *folder, const char *name)
{
    struct out_memory text;

    out_memory_init(&text, *path, sizeof(*path));
    out_printf(&text.out, "%s\\%s", folder, name);
}

void begun_folder_path(const struct run *run, unsigned number, char (*ret_folder)[RUN_FOLDER_MAX])
{
    struct out_memory text;

    out_memory_init(&text, *ret_folder, sizeof(*ret_folder));
    out_printf(&text.out, "%s\\%04u-", runs_path, number);
    if (!run->workload || !run->task.kinds[0]) {
        out_printf(&text.out, "refused");
        return;
    }
    if (!kind_has_own_workload(run))
        out_printf(&text.out, "%s-", run->workload->name);
    out_printf(&text.out, "%s", run->task.name);
}

void begun_place(struct firmware *fw, const struct options *options)
{
    if (fw->save_to && options->save)
        fw->save_to(fw, options->save == OPTIONS_SAVE_TAR);
}

enum firmware_error begun_folder(struct run *run)
{
    struct firmware *fw = run->fw;
    struct last last = {0};
    enum firmware_error error = FIRMWARE_OK;

    if (run->begun.folder[0])
        return FIRMWARE_OK;
    error = fw->list(fw, runs_path, note_folder, &last);
    if (error && error != FIRMWARE_NOT_FOUND)
        return error;
    /* A network boot's volume may lack the folders, and listed runs may be in a tar. */
    error = fw->make_folder(fw, BEGUN_FOLDER);
    if (!error)
        error = fw->make_folder(fw, runs_path);
    if (error)
        return error;
    begun_folder_path(run, last.number + 1, &run->begun.folder);
    error = fw->make_folder(fw, run->begun.folder);
    if (error)
        run->begun.folder[0] = '\0';
    return error;
}

void begun_phase(struct run *run, const char *phase)
{
    char path[PATH_MAX], line[PHASE_MAX + 16];
    struct out_memory text;

    if (!run->begun.written)
        return;
    path_of(&path, run->begun.folder, "begun.ini");
    out_memory_init(&text, line, sizeof(line));
    fact_text(&text.out, FACT_PHASE, phase);
    (void)run->fw->file_append(run->fw, path, line, strlen(line)); /* after an error the file lacks only this phase */
    run->begun.tsc = cpu_rdtsc();
}

/* Notes a pass in a run of many. */
static void begun_pass(void *argument, unsigned pass)
{
    struct run *run = argument;
    char phase[PHASE_MAX];
    struct out_memory text;

    if (cpu_rdtsc() - run->begun.tsc < run->machine->tsc_khz * PASS_MS)
        return;
    out_memory_init(&text, phase, sizeof(phase));
    out_printf(&text.out, "measuring, %s %u", run->passes.steps ? run->passes.steps : "pass", pass);
    begun_phase(run, phase);
}

static const char *who_of(const struct suspects *row, bool usb_off)
{
    return usb_off && row->without_usb ? row->without_usb : row->who;
}

static void write_suspects(struct out *out, bool usb_off)
{
    out_printf(out, "\n# Suspects, should this machine have been reset, by the last phase:\n");
    for (unsigned i = 0; i < sizeof(suspects) / sizeof(suspects[0]); i++)
        out_printf(out, "# %s: %s.\n", suspects[i].phase, who_of(&suspects[i], usb_off));
}

uint64_t begun_expected_samples(const struct run *run)
{
    uint64_t samples = 0;

    for (EACH_KIND(kind, run))
        samples += (*kind)->expects ? (*kind)->expects(run) : 0;
    return samples < run->passes.capacity ? samples : run->passes.capacity;
}

uint64_t begun_expected_bytes(const struct run *run)
{
    return begun_expected_samples(run) * PERFDATA_SAMPLE_MAX + (kind_has_samples(run) ? run->image->elf_size : 0) +
           OTHER_BYTES;
}

/* Warns, before a long run, of a volume without enough room for its files. */
static void check_room(const struct run *run, struct out *problems)
{
    uint64_t bytes = begun_expected_bytes(run);

    if (run->fw->room && run->fw->room(run->fw, run->begun.folder, bytes) == FIRMWARE_FULL)
        sentence(problems,
                 "WARNING: this run cannot be saved completely now: its files take about %lu KB, and the volume has "
                 "less room.",
                 bytes >> 10);
}

void begun_write(struct run *run, const struct options *options, struct out *problems)
{
    char path[PATH_MAX];
    struct file_sink sink;
    enum firmware_error error;

    trace(TRACE_BEGUN);
    begun_place(run->fw, options);
    error = begun_folder(run);
    if (error) {
        /* Without a volume the files may go to the serial port. */
        if (error != FIRMWARE_NO_VOLUME || options->output != OPTIONS_OUTPUT_SERIAL)
            sentence(problems, "WARNING: this run cannot be saved now: %s", firmware_error_text(error));
        return;
    }
    path_of(&path, run->begun.folder, "begun.ini");
    file_sink_open(&sink, run->fw, path, run->file_buffer, RUN_FILE_BUFFER);
    if (!sink.error) {
        out_printf(&sink.out,
                   "# A run of ibsboot %s that was begun. run.ini takes this file's place when the run is saved.\n\n",
                   IBSBOOT_VERSION);
        settings_write(&options->settings, &sink.out);
        write_suspects(&sink.out, options->usb_legacy == OPTIONS_USB_OFF);
        out_printf(&sink.out, "\n# The machine, and how far the run came.\n");
        save_machine_facts(&sink.out, run);
        fact_text(&sink.out, FACT_CONFIG, run->task.name);
        fact_text(&sink.out, FACT_PHASE, "measuring");
    }
    error = file_sink_close(&sink);
    if (error)
        sentence(problems, "begun.ini: %s; after a reset there would be no record of this run",
                 firmware_error_text(error));
    run->begun.written = !error;
    check_room(run, problems);
    run->begun.tsc = cpu_rdtsc();
    run->passes.began = begun_pass;
    run->passes.began_argument = run;
}

/* Writes each line after "# ". */
static void write_comment(struct out *out, const char *text)
{
    while (*text) {
        size_t length = 0;

        while (text[length] && text[length] != '\n')
            length++;
        out_printf(out, "# %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

void begun_refused(struct run *run, const struct options *options, const char *text, struct out *out)
{
    char path[PATH_MAX], buffer[512], phase[PHASE_MAX + 1];
    struct out_memory line;
    struct file_sink sink;
    enum firmware_error error;
    size_t first = 0;

    begun_place(run->fw, options);
    error = begun_folder(run);
    if (error) {
        sentence(out, "NOT SAVED: %s.", firmware_error_text(error));
        return;
    }
    run->fw->now(run->fw, &run->started);
    while (text[first] && text[first] != '\n')
        first++;
    out_memory_init(&line, phase, sizeof(phase));
    out_printf(&line.out, "%s%.*s", refused, (int)first, text);
    path_of(&path, run->begun.folder, "begun.ini");
    file_sink_open(&sink, run->fw, path, buffer, sizeof(buffer));
    if (!sink.error) {
        out_printf(&sink.out, "# A run of ibsboot %s that was refused; nothing was measured.\n", IBSBOOT_VERSION);
        write_comment(&sink.out, text);
        out_printf(&sink.out, "\n");
        settings_write(&options->settings, &sink.out);
        out_printf(&sink.out, "\n# The machine.\n");
        save_machine_facts(&sink.out, run);
        fact_text(&sink.out, FACT_PHASE, phase);
    }
    error = file_sink_close(&sink);
    if (error)
        sentence(out, "NOT SAVED: %s: %s", path, firmware_error_text(error));
    else
        sentence(out, "The reason is in %s", path);
}

void begun_remove(struct run *run)
{
    char path[PATH_MAX];

    /* On a server the empty file shows that the run is finished, even if its text did not arrive. */
    if (!run->begun.written && !run->fw->forgets)
        return;
    path_of(&path, run->begun.folder, "begun.ini");
    (void)run->fw->file_remove(run->fw, path); /* a file that stays does no harm: its last line is true */
    run->begun.written = false;
}

/* Finds the last phase in the text; an incomplete last line was being written. */
static void last_phase(const char *text, size_t size, char (*phase)[PHASE_MAX])
{
    static const char key[] = "#: phase = ";
    struct out_memory copy;
    size_t end;

    for (size_t at = 0; at < size; at = end + 1) {
        size_t skip = sizeof(key) - 1;

        for (end = at; end < size && text[end] != '\n'; end++)
            ;
        if (end == size || end - at < skip || memcmp(text + at, key, skip) != 0)
            continue;
        out_memory_init(&copy, *phase, sizeof(*phase));
        out_printf(&copy.out, "%.*s", (int)(end - at - skip), text + at + skip);
    }
}

/* Returns whether the file has this line. */
static bool has_line(const char *text, size_t size, const char *line)
{
    size_t length = strlen(line);

    for (size_t at = 0; at + length < size; at++)
        if ((!at || text[at - 1] == '\n') && text[at + length] == '\n' && !memcmp(text + at, line, length))
            return true;
    return false;
}

static void tell_suspects(struct out *out, const char *phase, bool usb_off)
{
    for (unsigned i = 0; i < sizeof(suspects) / sizeof(suspects[0]); i++)
        if (str_is(phase, strlen(suspects[i].phase), suspects[i].phase))
            sentence(out, "If the machine was reset: %s.", who_of(&suspects[i], usb_off));
}

void begun_report_last(struct firmware *fw, struct out *out)
{
    char folder[RUN_FOLDER_MAX], path[PATH_MAX], phase[PHASE_MAX] = "", *text;
    struct out_memory name;
    struct last last = {0};
    size_t size = 0;
    bool told = true;

    if (fw->list(fw, runs_path, note_folder, &last) || !last.number)
        return;
    out_memory_init(&name, folder, sizeof(folder));
    out_printf(&name.out, "%s\\%s", runs_path, last.name);
    text = fw->allocate(fw, SETTINGS_TEXT_MAX, 4096);
    if (!text)
        return;
    path_of(&path, folder, "begun.ini");
    if (fw->read_file(fw, path, text, SETTINGS_TEXT_MAX, &size) == FIRMWARE_OK) {
        last_phase(text, size, &phase);
    } else {
        path_of(&path, folder, "run.ini");
        told = fw->read_file(fw, path, text, SETTINGS_TEXT_MAX, &size) != FIRMWARE_NOT_FOUND;
    }
    if (str_is(phase, sizeof(refused) - 1, refused)) {
        sentence(out, "NOT RUN: %s was %s", folder, phase);
    } else if (phase[0]) {
        sentence(out, "NOT FINISHED: %s stopped in this step: %s. Its settings are in its begun.ini.", folder, phase);
        tell_suspects(out, phase, has_line(text, size, "usb_legacy = off"));
    } else if (!told) {
        sentence(out, "NOT FINISHED: %s was not started; nothing was measured.", folder);
    }
    fw->release(fw, text, SETTINGS_TEXT_MAX);
}
