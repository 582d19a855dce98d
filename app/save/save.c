/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/save/save.h"

#include "app/save/begun.h"
#include "app/save/run_files.h"
#include "app/save/send.h"
#include "app/base/sentence.h"
#include "core/base/mem.h"
#include "drivers/trace/trace.h"

enum { INDENT = 7, SENDINGS = 3 };

/* A run while it is saved. */
struct saving {
    struct out *out; /* the console */
    struct run *run;
    const struct options *options;
    enum firmware_error error; /* the volume's, after which no file can be written */
    unsigned saved, missing;   /* files */
    unsigned column;           /* column in the line that names the files */
};

/* Prints a file's name. A stick at USB 1's speed takes seconds for a megabyte: "Saving report.txt, profile.csv,
 * perf.data..., run.ini", a point for each megabyte. */
static void name_file(struct saving *saving, const char *name)
{
    unsigned length = (unsigned)strlen(name) + 2;
    bool first = !saving->column, full = saving->column + length > SENTENCE_LINE;

    out_printf(saving->out, "%s%s", first ? "Saving " : full ? ",\n       " : ", ", name);
    saving->column = (first || full ? INDENT : saving->column) + length;
}

static void one_more_megabyte(void *argument)
{
    struct saving *saving = argument;

    if (++saving->column > SENTENCE_LINE) {
        out_printf(saving->out, "\n       ");
        saving->column = INDENT + 1;
    }
    out_printf(saving->out, ".");
}

static void end_line(struct saving *saving)
{
    if (saving->column)
        out_printf(saving->out, "\n");
    saving->column = 0;
}

/* Saves a file, and returns whether it exists. After a failure the next one is tried, which may fit. */
static bool save_one(struct saving *saving, const struct run_file *file)
{
    const char *name = file->name;
    char path[RUN_FOLDER_MAX + 20], phase[40];
    struct out_memory text;
    struct file_sink sink;
    enum firmware_error error;

    if (saving->error)
        return false;
    trace(TRACE_SAVE);
    out_memory_init(&text, phase, sizeof(phase));
    out_printf(&text.out, "saving %s", name);
    begun_phase(saving->run, phase);
    name_file(saving, name);
    out_memory_init(&text, path, sizeof(path));
    out_printf(&text.out, "%s\\%s", saving->run->begun.folder, name);
    file_sink_open(&sink, saving->run->fw, path, saving->run->file_buffer, RUN_FILE_BUFFER);
    sink.progress = one_more_megabyte;
    sink.argument = saving;
    if (sink.error == FIRMWARE_OK)
        run_file_write(file, &sink, saving->run, saving->options);
    error = file_sink_close(&sink);
    saving->saved += !error;
    saving->missing += error != FIRMWARE_OK;
    if (!error)
        return true;
    end_line(saving);
    sentence(saving->out, "NOT SAVED: %s: %s", path, firmware_error_text(error));
    if (error == FIRMWARE_NO_VOLUME || error == FIRMWARE_READ_ONLY || error == FIRMWARE_NO_ANSWER ||
        error == FIRMWARE_REFUSED || error == FIRMWARE_NO_UPLOAD || error > FIRMWARE_AREA)
        saving->error = error;
    return false;
}

/* Saves all files once, and waits for a server that checks them. Returns FIRMWARE_OK also for an incomplete run. */
static enum firmware_error save_files(struct saving *saving)
{
    struct run *run = saving->run;
    struct run_file files[RUN_FILES_MAX];
    bool complete = false;

    saving->saved = saving->missing = 0;
    for (unsigned i = 0, count = run_files(run, &files); i < count; i++)
        if (save_one(saving, &files[i]) && files[i].is_ini)
            complete = true;
    if (complete)
        begun_remove(run);
    trace(TRACE_SAVED);
    end_line(saving);
    return complete && run->fw->confirm ? run->fw->confirm(run->fw) : FIRMWARE_OK;
}

static bool save_run(struct console *console, struct run *run, const struct options *options)
{
    struct saving saving = {.out = &console->out, .run = run, .options = options};
    enum firmware_error error;

    saving.error = begun_folder(run);
    if (saving.error) {
        sentence(saving.out, "NOT SAVED: %s. Of this run there are only the tables above; 'again' prints them.",
                 firmware_error_text(saving.error));
        return false;
    }
    error = save_files(&saving);
    for (unsigned sent = 1; error == FIRMWARE_DAMAGED && sent < SENDINGS; sent++) {
        sentence(saving.out, "Sent again: %s.", firmware_error_text(error));
        error = save_files(&saving);
    }
    if (error)
        sentence(saving.out, "NOT CONFIRMED: %s: %s.", run->begun.folder, firmware_error_text(error));
    if (!saving.missing)
        out_printf(saving.out, "Saved to %s\n", run->begun.folder);
    else if (saving.saved)
        out_printf(saving.out, "The other files (%u) are in %s\n", saving.saved, run->begun.folder);
    return !saving.missing && error != FIRMWARE_DAMAGED;
}

/* A machine that sends its files over the serial port needs no volume. */
bool save_wanted(struct console *console, struct run *run, const struct options *options, unsigned number)
{
    bool serial = options->output == OPTIONS_OUTPUT_SERIAL, good = true;

    if (options->save && serial && begun_folder(run) == FIRMWARE_NO_VOLUME)
        out_printf(&console->out, "No volume: the files go over the serial port only.\n");
    else if (options->save)
        good = save_run(console, run, options);
    if (serial && !send_run(console, run, "", number))
        good = false;
    return good;
}
