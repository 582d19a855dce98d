/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/plan_rows.h"

#include "app/base/pool.h"
#include "app/base/sinks.h"
#include "app/save/begun.h"
#include "core/base/crc32c.h"
#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/run/facts.h"

enum {
    PATH_MAX = RUN_FOLDER_MAX + 16,
    INI_MAX = 1 << 20, /* enough for 1024 cores */
    LINE_MAX = 60,
};

/* ---------------------------------------------------------------- keys */

struct summing {
    struct out out;
    uint32_t crc;
};

static void sum(struct out *out, const char *text, size_t length)
{
    struct summing *summing = (struct summing *)out;

    summing->crc = crc32c(summing->crc, text, length);
}

uint32_t plan_key(const char *plan, const struct settings_span *section, unsigned at, const struct options *options,
                  const struct machine *machine)
{
    static const int names[] = {SMBIOS_SERIAL, SMBIOS_BOARD_SERIAL};
    struct summing summing = {.out.write = sum};
    struct out *out = &summing.out;
    bool about_run = true;

    out_printf(out, "%s\n%.*s\n%u\n%s %s\n", plan, (int)section->length, section->at, at, machine->name,
               machine->board.uuid);
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        out_printf(out, "%s\n", machine->board.text[names[i]]);
    for (unsigned i = 0; i < options->settings.count; i++) {
        /* From 'show' on, settings say what happens with a run; the workloads' parameters follow them. */
        if (options->row[i].value == options->show)
            about_run = false;
        if (&options->row[i] == options->params.row)
            about_run = true;
        if (!about_run)
            continue;
        out_printf(out, "%s=", options->row[i].key);
        settings_write_value(&options->row[i], out);
        out_printf(out, "\n");
    }
    return summing.crc;
}

/* ---------------------------------------------------------------- what is there */

/* Search for runs. */
struct finding {
    struct firmware *fw;
    struct plan_rows *rows;
    struct plan_row *row; /* row of the latest lines; NULL: not of the plan */
    uint32_t ms;
    char *text; /* INI_MAX bytes */
};

static bool number_after(const char *line, size_t length, const char *key, uint64_t *ret_number)
{
    size_t skip = strlen(key);

    return length > skip && !memcmp(line, key, skip) && str_to_uint(line + skip, length - skip, ret_number);
}

/* Reads a complete line. The last line of a run, or of its part of the plan's own file, marks the run as completed. */
static void note_line(struct finding *finding, const char *line, size_t length, bool done)
{
    uint64_t number;

    if (number_after(line, length, "#: plan.key = ", &number)) {
        const struct plan_rows *rows = finding->rows;

        finding->row = NULL;
        for (unsigned i = 0; i < rows->points * rows->times && !finding->row; i++)
            if (rows->row[i].key == number)
                finding->row = &finding->rows->row[i];
    } else if (number_after(line, length, "#: plan.ms = ", &number)) {
        finding->ms = (uint32_t)number;
    } else if (finding->row && number_after(line, length, "#: plan.hottest = ", &number)) {
        finding->row->begun += !done && finding->row->begun < UINT8_MAX;
        if (done)
            *finding->row = (struct plan_row){finding->row->key, true, 0, finding->ms, (uint32_t)number};
        finding->row = NULL;
    }
}

/* An incomplete last line was being written. */
static void note_text(struct finding *finding, size_t size, bool done)
{
    size_t begin = 0;

    finding->row = NULL;
    for (size_t at = 0; at < size; at++)
        if (finding->text[at] == '\n') {
            note_line(finding, finding->text + begin, at - begin, done);
            begin = at + 1;
        }
}

static bool note_file(struct finding *finding, const char *path, bool done)
{
    struct firmware *fw = finding->fw;
    size_t size = 0;

    if (fw->read_file(fw, path, finding->text, INI_MAX, &size))
        return false;
    note_text(finding, size, done);
    return true;
}

static void note_run(void *argument, const char *name)
{
    struct finding *finding = argument;
    char path[PATH_MAX];
    struct out_memory text;

    if (name[0] < '0' || name[0] > '9')
        return;
    out_memory_init(&text, path, sizeof(path));
    out_printf(&text.out, "%s\\%s\\run.ini", BEGUN_RUNS, name);
    if (text.needed >= sizeof(path) || note_file(finding, path, true))
        return;
    out_memory_init(&text, path, sizeof(path));
    out_printf(&text.out, "%s\\%s\\begun.ini", BEGUN_RUNS, name);
    (void)note_file(finding, path, false); /* a run without files is not known */
}

/* Returns the path of the plan's file 0 or 1, for machines whose runs cannot be listed. */
static void kept_path(const char *plan, unsigned which, char (*path)[PATH_MAX])
{
    struct out_memory text;

    out_memory_init(&text, *path, sizeof(*path));
    out_printf(&text.out, "%s%08x.%u", FIRMWARE_KEPT, crc32c(0, plan, strlen(plan)), which);
}

bool plan_rows_find(struct plan_rows *rows, struct firmware *fw, const char *plan)
{
    struct finding finding = {.fw = fw, .rows = rows, .text = fw->allocate(fw, INI_MAX, POOL_PAGE)};
    char path[PATH_MAX];

    if (!finding.text)
        return false;
    for (unsigned which = 0; fw->forgets && which < 2; which++) {
        kept_path(plan, which, &path);
        (void)note_file(&finding, path, true); /* none yet */
    }
    (void)fw->list(fw, BEGUN_RUNS, note_run, &finding); /* none yet */
    fw->release(fw, finding.text, INI_MAX);
    return true;
}

enum firmware_error plan_rows_keep(const struct plan_rows *rows, struct firmware *fw, const char *plan)
{
    char path[PATH_MAX], buffer[4 * LINE_MAX];
    struct file_sink sink;

    if (!fw->forgets)
        return FIRMWARE_OK;
    kept_path(plan, plan_rows_done(rows, &(uint64_t){0}) % 2, &path);
    file_sink_open(&sink, fw, path, buffer, sizeof(buffer));
    for (unsigned i = 0; !sink.error && i < rows->points * rows->times; i++) {
        if (!rows->row[i].done)
            continue;
        fact_number(&sink.out, FACT_PLAN_KEY, rows->row[i].key);
        fact_number(&sink.out, FACT_PLAN_MS, rows->row[i].ms);
        fact_number(&sink.out, FACT_PLAN_HOTTEST, rows->row[i].hottest);
    }
    return file_sink_close(&sink);
}

unsigned plan_rows_done(const struct plan_rows *rows, uint64_t *ret_ms)
{
    unsigned done = 0;

    *ret_ms = 0;
    for (unsigned i = 0; i < rows->points * rows->times; i++) {
        done += rows->row[i].done;
        *ret_ms += rows->row[i].ms;
    }
    return done;
}

bool plan_rows_enough(const struct plan_rows *rows, uint64_t samples)
{
    for (unsigned point = 0; point < rows->points; point++) {
        uint64_t sum_of = 0;

        for (unsigned round = 0; round < rows->times; round++)
            sum_of += rows->row[round * rows->points + point].hottest;
        if (sum_of < samples)
            return false;
    }
    return true;
}
