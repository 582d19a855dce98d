/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the format of an input, and opens its reader: files and folders; the contract is in input.h. */
#include "tools/ibsprof/read/input.h"

#include <inttypes.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/family/ibs_family.h"
#include "tools/ibsprof/read/input_inside.h"
#include "tools/ibsprof/read/input_perfdata.h"
#include "tools/ibsprof/read/recorded/recorded.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/read/recorded/spool.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"

enum { READ_AHEAD = 32 << 20, PROGRESS_BYTES = 1 << 20 };

bool input_fail(struct input *input, uint64_t offset, const char *format, ...)
{
    const char *path = input->file_path ? input->file_path : input->path;
    int used = offset == UINT64_MAX
                   ? snprintf(input->error, sizeof(input->error), "%.300s: ", path)
                   : snprintf(input->error, sizeof(input->error), "%.300s: offset %" PRIu64 ": ", path, offset);
    va_list args;

    va_start(args, format);
    vsnprintf(input->error + used, sizeof(input->error) - (size_t)used, format, args);
    va_end(args);
    return false;
}

void input_note_cut(struct input *input, const char *format, ...)
{
    va_list args;

    if (input->cut[0])
        return;
    va_start(args, format);
    vsnprintf(input->cut, sizeof(input->cut), format, args);
    va_end(args);
}

/* Maps the contents of a pipe. */
static bool map_pipe(struct input *input, int file, struct input_file *ret_file)
{
    struct spool spool = spool_open();

    if (spool_fill(&spool, input, file) && spool.size > 0)
        return spool_map(&spool, input, ret_file);
    spool_close(&spool);
    return input->error[0] == '\0' ? input_fail(input, UINT64_MAX, "this pipe is empty") : false;
}

bool input_map(struct input *input, const char *path, struct input_file *ret_file)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    void *bytes = MAP_FAILED;

    if (file < 0 || fstat(file, &status) != 0)
        return input_fail(input, UINT64_MAX, "%s", strerror(errno));
    if (!S_ISREG(status.st_mode)) {
        bool good = map_pipe(input, file, ret_file);

        close(file);
        return good;
    }
    if (status.st_size == 0) {
        close(file);
        return input_fail(input, UINT64_MAX, "the file is empty");
    }
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) {
        close(file);
        return input_fail(input, UINT64_MAX, "cannot be mapped: %s", strerror(errno));
    }
    madvise(bytes, (size_t)status.st_size, MADV_SEQUENTIAL);
    *ret_file =
        (struct input_file){.bytes = bytes, .size = (uint64_t)status.st_size, .held = UINT64_MAX, .descriptor = file};
    return true;
}

void input_close_descriptor(struct input_file *file)
{
    if (file->bytes && file->descriptor >= 0)
        close(file->descriptor);
    file->descriptor = -1;
}

void input_unmap(struct input_file *file)
{
    if (file->bytes)
        munmap((void *)(uintptr_t)file->bytes, file->size);
    input_close_descriptor(file);
}

/* Maps the file, and converts it to a plain one. */
static bool map_file(struct input *input)
{
    if (!input_map(input, input->file_path, &input->file) || !recorded_make_plain(input))
        return false;
    input->facts.file_size = input->file.size;
    return true;
}

void input_release(struct input_file *file, uint64_t offset)
{
    if (offset > file->held)
        offset = file->held;
    if (offset >= file->released + INPUT_RELEASE_STEP) {
        uint64_t until = offset & ~(uint64_t)(INPUT_RELEASE_STEP - 1), ahead = until + READ_AHEAD;

        madvise((void *)(uintptr_t)(file->bytes + file->released), until - file->released, MADV_DONTNEED);
        file->released = until;
        /* Lets the disk read ahead. */
        if (file->asked < until)
            file->asked = until;
        if (ahead > file->size)
            ahead = file->size;
        if (ahead > file->asked) {
            madvise((void *)(uintptr_t)(file->bytes + file->asked), ahead - file->asked, MADV_WILLNEED);
            file->asked = ahead;
        }
    }
}

/* Reports a run with begun.ini and without samples. */
static void not_finished(struct input *input)
{
    char problem[100];
    const char *phase = NULL;

    if (run_ini_read(&input->ini, &input->facts, input->path, problem, sizeof(problem)))
        phase = run_phase(&input->facts);
    input_fail(input, UINT64_MAX, "this run was not finished; its last step: %s; its settings are in begun.ini",
               phase ? phase : "(not recorded)");
}

/* Returns the folder of the run: the given one, or the only run in it. Returns NULL with a line in the error. */
static char *find_run(struct input *input)
{
    struct run_list runs = {0};
    char *run = NULL;

    if (run_folder_has(input->path, "begun.ini") && !run_folder_has(input->path, "perf.data"))
        not_finished(input);
    else if (!run_list_find(&runs, input->path))
        input_fail(input, UINT64_MAX, "no perf.data and no runs in this folder");
    else if (runs.count > 1)
        input_fail(input, UINT64_MAX, "%u runs are in %.*s: name one of them", runs.count,
                   (int)(strrchr(runs.path[0], '/') - runs.path[0]), runs.path[0]);
    else
        run = must_copy(runs.path[0]);
    run_list_free(&runs);
    return run;
}

static bool read_ini(struct input *input, const char *path)
{
    char problem[100];

    return run_ini_read(&input->ini, &input->facts, path, problem, sizeof(problem)) ||
           input_fail(input, UINT64_MAX, "%s", problem);
}

/* Reports why there is no perf.data: lost, if run.ini counts samples; otherwise never made. */
static bool no_samples(struct input *input, const char *run)
{
    static const enum fact counts[] = {FACT_SAMPLES_OP, FACT_SAMPLES_FETCH, FACT_SAMPLES_PMC, FACT_SAMPLES_TIMER};
    uint64_t samples = 0;

    for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        samples += run_number(&input->facts, counts[i]);
    if (samples > 0)
        return input_fail(input, UINT64_MAX,
                          "perf.data is lost: run.ini says that this run took %" PRIu64
                          " samples; copy the folder again, its tables are in report.txt",
                          samples);
    return input_fail(input, UINT64_MAX, "this run has no perf.data: it took no samples, %s",
                      run_folder_has(run, "counts.csv")     ? "its counts are in counts.csv"
                      : run_folder_has(run, "pairs.csv")    ? "its pairs of cores are in pairs.csv"
                      : run_folder_has(run, "latency.csv")  ? "its lists are in latency.csv"
                      : run_folder_has(run, "hardware.csv") ? "'ibsprof hardware' reads its answers in hardware.csv"
                                                            : "its results are in report.txt");
}

/* Returns whether this is a folder of perf record --threads. */
static bool is_of_threads(const char *folder)
{
    return run_folder_has(folder, "data") && !run_folder_has(folder, "perf.data") &&
           !run_folder_has(folder, "run.ini") && !run_folder_has(folder, "runs");
}

static bool open_threads(struct input *input)
{
    input->facts.format = INPUT_PERFDATA;
    if (!recorded_of_threads(input))
        return false;
    input->facts.file_size = input->file.size;
    return input_open_perfdata(input);
}

static bool open_folder(struct input *input)
{
    char *run;
    bool good;

    if (is_of_threads(input->path))
        return open_threads(input);
    run = find_run(input);
    if (!run)
        return false;
    good = read_ini(input, run);
    if (good && run_folder_has(run, "noise.csv"))
        good = input_fail(
            input, UINT64_MAX,
            "this is a noise run: it took no samples, its detours are in noise.csv, its tables in report.txt");
    if (good && !run_folder_has(run, "perf.data"))
        good = no_samples(input, run);
    if (good) {
        input->file_path = must_text("%s/perf.data", run);
        input->facts.format = INPUT_RUN;
        good = map_file(input) && input_open_perfdata(input);
    }
    free(run);
    return good;
}

static bool open_file(struct input *input)
{
    enum input_format format;
    bool good = true;

    input->file_path = must_copy(input->path);
    if (!map_file(input))
        return false;
    if (input_is_toolkit(&input->file, &format)) {
        input->facts.format = format;
        return input_open_toolkit(input);
    }
    input->facts.format = INPUT_PERFDATA;
    if (!input_open_perfdata(input))
        return false;
    /* A single file of a run: run.ini is beside it. */
    if (!input->facts.is_linux || input->facts.no_origin)
        good = read_ini(input, input->file_path);
    if (good && input->facts.no_origin)
        perfdata_input_origin(input);
    return good;
}

/* Matches names in run.ini, which are the file's with their periods: "MISALIGNED_ACCESSES:00@25000". */
static void mark_not_measured(struct input *input)
{
    const char *event;

    for (uint32_t number = 0; (event = run_fact(&input->facts, FACT_EVENT, number)); number++)
        for (uint32_t i = 0; run_fact(&input->facts, FACT_EVENT_STATE, number) && i < input->facts.event_count; i++)
            if (strlen(input->events[i].name) == strcspn(event, "@") &&
                strncmp(input->events[i].name, event, strcspn(event, "@")) == 0)
                input->events[i].not_measured = true;
}

struct input *input_open(const char *path, char *error, size_t error_size)
{
    struct input *input = must_new(input);
    struct stat status;
    bool good;

    input->path = must_copy(path);
    input->facts.path = input->path;
    input->facts.vendor = input->facts.cpu_name = input->facts.hostname = input->facts.release = "";
    input->facts.arch = input->facts.version = input->facts.command = input->facts.workload = "";
    input->facts.work_unit = "";
    if (stat(path, &status) != 0)
        good = input_fail(input, UINT64_MAX, "%s", strerror(errno));
    else
        good = S_ISDIR(status.st_mode) ? open_folder(input) : open_file(input);
    if (!good) {
        snprintf(error, error_size, "%s", input->error);
        input_close(input);
        return NULL;
    }
    mark_not_measured(input);
    return input;
}

const struct input_facts *input_facts(const struct input *input)
{
    return &input->facts;
}

void input_show_progress(struct input *input)
{
    uint64_t now = input->position(input);

    if (input->shown > now || now - input->shown < PROGRESS_BYTES)
        return;
    input->shown = now;
    progress(input->facts.path, now, input->facts.file_size);
}

void input_hide_progress(struct input *input)
{
    input->shown = UINT64_MAX;
}

bool input_next(struct input *input, struct perfdata_item *ret_item)
{
    bool good = input->next(input, ret_item);

    if (good && ret_item->kind != PERFDATA_ITEM_END)
        input_show_progress(input);
    else
        progress_end();
    return good;
}

uint32_t input_next_plain(struct input *input, struct perfdata_plain *samples, uint32_t count)
{
    uint32_t given = input->next_plain ? input->next_plain(input, samples, count) : 0;

    if (given > 0)
        input_show_progress(input);
    return given;
}

const struct perfdata_reader *input_reader(const struct input *input)
{
    return input->perfdata;
}

const char *input_error(const struct input *input)
{
    return input->error;
}

void input_rewind(struct input *input)
{
    input->error[0] = '\0';
    if (input->shown != UINT64_MAX)
        input->shown = 0;
    input->file.released = input->file.asked = 0;
    input->file.held = UINT64_MAX;
    input->rewind(input);
}

void input_rest(struct input *input)
{
    if (input->file.bytes)
        madvise((void *)(uintptr_t)input->file.bytes, input->file.size, MADV_DONTNEED);
    input_close_descriptor(&input->file);
}

void input_close(struct input *input)
{
    if (!input)
        return;
    if (input->close)
        input->close(input);
    input_unmap(&input->file);
    windows_free(input->windows);
    free(input->events);
    run_ini_free(&input->ini);
    free(input->file_path);
    free(input->path);
    free(input);
}

enum event_set input_event_set(const struct input_facts *facts)
{
    const struct ibs_family *row = ibs_family_of(facts->family, facts->model);

    if (row && row->events)
        return (enum event_set)row->events;
    return facts->is_linux ? EVENT_SET_NONE : EVENT_SET_10H;
}
