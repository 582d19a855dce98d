/* SPDX-License-Identifier: BSD-2-Clause */
/* The golden files of the application: everything that a run shows, does and writes, as one text. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/settings/options.h"
#include "core/base/version.h"
#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_read.h"
#include "tests/unit/app/fake_loops.h"
#include "tests/unit/app/fixture.h"

enum { TEXT_BYTES = 1 << 20, SHOWN_BEFORE = 200, SHOWN = 800 };

static char text[TEXT_BYTES];
static size_t length;

static void add(const char *bytes, size_t size)
{
    assert_true(length + size < sizeof(text));
    memcpy(text + length, bytes, size);
    length += size;
    text[length] = '\0';
}

static void addf(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void addf(const char *format, ...)
{
    va_list args;
    int written;

    va_start(args, format);
    written = vsnprintf(text + length, sizeof(text) - length, format, args);
    va_end(args);
    assert_true(written >= 0 && length + (size_t)written < sizeof(text));
    length += (size_t)written;
}

/* Adds text without the version, which changes with each release. */
static void add_text(const char *from)
{
    const char *version = "ibsboot " IBSBOOT_VERSION, *at;

    for (; (at = strstr(from, version)); from = at + strlen(version)) {
        add(from, (size_t)(at - from));
        addf("ibsboot VERSION");
    }
    add(from, strlen(from));
}

/* ---------------------------------------------------------------- settings */

/* Returns whether "key=value" is a setting that the run did not change. The settings are the same in every run except
 * for its load options; one golden file has the whole list. */
static bool is_default(const char *word)
{
    static struct options options;
    char value[256];
    struct out_memory memory;

    assert_true(options_init(&options));
    for (unsigned i = 0; i < options.settings.count; i++) {
        out_memory_init(&memory, value, sizeof(value));
        out_printf(&memory.out, "%s=", options.row[i].key);
        settings_write_value(&options.row[i], &memory.out);
        if (!strcmp(word, value))
            return true;
    }
    return false;
}

/* Turns "key = value" into "key=value", without quotes. */
static void to_word(char *word, size_t size, const char *line, size_t line_length)
{
    size_t n = 0;
    bool key = true;

    for (size_t i = 0; i < line_length && n + 1 < size; i++) {
        if (line[i] == '"' || (key && line[i] == ' '))
            continue;
        word[n++] = line[i];
        if (key && line[i] == '=') {
            key = false;
            i++;
        }
    }
    word[n] = '\0';
}

/* Adds a settings file without its comments. */
static void add_ini(const struct fake_file *file)
{
    for (const char *line = file->data, *end; *line; line = end) {
        char word[512];

        end = strchr(line, '\n') + 1;
        to_word(word, sizeof(word), line, (size_t)(end - line - 1));
        if (*word && (line[1] == ':' || (line[0] != '#' && !is_default(word))))
            add(line, (size_t)(end - line));
    }
}

/* ---------------------------------------------------------------- perf.data */

static void add_event(const struct perfdata_reader *reader, unsigned i)
{
    const struct perfdata_file_event *event = &reader->events[i];

    addf("event %u: %s type %u config %llx period %llu\n", i, event->name, event->type,
         (unsigned long long)event->config, (unsigned long long)event->period);
}

static void add_item(const struct perfdata_item *item)
{
    if (item->kind == PERFDATA_ITEM_SAMPLE) {
        addf("%u cpu %u time %llu ip %llx period %llu", item->event, item->cpu, (unsigned long long)item->time,
             (unsigned long long)item->ip, (unsigned long long)item->period);
        for (unsigned r = 1; r < item->register_count && item->record.kind <= SAMPLE_OP; r++)
            addf(" %llx", (unsigned long long)item->registers[r]);
        addf("\n");
    } else if (item->kind == PERFDATA_ITEM_LOST) {
        addf("%u lost %llu\n", item->event, (unsigned long long)item->lost);
    } else if (item->kind == PERFDATA_ITEM_MAP) {
        addf("map %llx, %llx bytes from %llx of %s\n", (unsigned long long)item->map.start,
             (unsigned long long)item->map.length, (unsigned long long)item->map.page_offset, item->map.name);
    } else if (item->kind == PERFDATA_ITEM_COMM) {
        addf("comm %s\n", item->text);
    }
}

/* Adds the settings, with blanks between them. */
static void add_command(const char *words)
{
    char word[512];
    size_t size;

    addf("command");
    for (; *words; words += size + (words[size] == ' ')) {
        size = strcspn(words, " ");
        snprintf(word, sizeof(word), "%.*s", (int)size, words);
        if (!is_default(word))
            addf(" %s", word);
    }
    addf("\n");
}

/* Returns a node's memory from NUMA_TOPOLOGY (perf.data-file-format.txt): the number of nodes; for each node its
 * number, total and free memory in KiB, and its cores as a string after its length. */
static uint64_t node_kb(const struct perfdata_reader *reader, uint32_t index)
{
    const uint8_t *at = reader->file + reader->nodes.offset + 4;
    uint64_t kb;
    uint32_t size;

    for (;; index--) {
        memcpy(&kb, at + 4, sizeof(kb));
        if (!index)
            return kb;
        memcpy(&size, at + 20, sizeof(size));
        at += 24 + size;
    }
}

static void add_header(const struct perfdata_reader *reader)
{
    const char *word, *cores;
    struct perfdata_map map;
    uint64_t at = 0;
    uint32_t number;
    uint8_t mode;

    addf("written by %s\n", strcmp(reader->version, IBSBOOT_VERSION) ? reader->version : "VERSION");
    addf("cpu %s, %s, %u of %u\n", reader->cpu_name, reader->cpuid, reader->cpus_online, reader->cpus_available);
    addf("times %llu to %llu\n", (unsigned long long)reader->first_time, (unsigned long long)reader->last_time);
    for (uint32_t i = 0; (word = perfdata_command(reader, i)); i++)
        add_command(word);
    for (uint32_t i = 0; perfdata_node_at(reader, i, &number, &cores); i++)
        addf("node %u: cores %s, %llu KiB\n", number, cores, (unsigned long long)node_kb(reader, i));
    while (perfdata_build_id(reader, &at, &map, &mode)) {
        addf("build id of %s: ", map.name);
        for (unsigned i = 0; i < map.build_id_size; i++)
            addf("%02x", map.build_id[i]);
        addf("\n");
    }
}

static void add_perfdata(const struct fake_file *file)
{
    static struct perfdata_reader reader;
    struct perfdata_item item;

    assert_int_equal(perfdata_open(&reader, file->data, file->size), PERFDATA_OK);
    add_header(&reader);
    for (unsigned i = 0; i < reader.event_count; i++)
        add_event(&reader, i);
    do {
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        add_item(&item);
    } while (item.kind != PERFDATA_ITEM_END);
}

/* ---------------------------------------------------------------- all of it */

static bool ends_with(const char *path, const char *name)
{
    return strlen(path) > strlen(name) && !strcmp(path + strlen(path) - strlen(name), name);
}

/* Adds the report, which must be what the console showed, from the machine to the last check. */
static void add_report(const struct fake_file *file)
{
    const char *first = strchr(file->data, '\n');

    assert_non_null(first);
    if (strncmp(file->data, "ibsboot " IBSBOOT_VERSION "\n", strlen("ibsboot " IBSBOOT_VERSION "\n")))
        fail_msg("%s begins with %.*s", file->path, (int)(first - file->data), file->data);
    addf("as on the screen, under the version\n");
    if (!strstr(fake_fw.screen, first + 1))
        fail_msg("%s is not what was shown:\n%s\n---\n%s", file->path, file->data, fake_fw.screen);
}

static void add_file(const struct fake_file *file)
{
    addf("=== %s%s\n", file->path, file->folder ? "\\" : "");
    if (file->folder)
        return;
    if (ends_with(file->path, "report.txt"))
        add_report(file);
    else if (ends_with(file->path, "run.ini"))
        add_ini(file);
    else if (ends_with(file->path, "perf.data"))
        add_perfdata(file);
    else if (ends_with(file->path, ".elf"))
        addf("%zu bytes\n", file->size);
    else
        add_text(file->data);
}

/* ---------------------------------------------------------------- comparing */

static unsigned line_of(const char *from, size_t at)
{
    unsigned line = 1;

    for (size_t i = 0; i < at; i++)
        line += from[i] == '\n';
    return line;
}

static char *read_golden(const char *path)
{
    FILE *file = fopen(path, "r");
    char *want;
    long size;

    if (!file)
        fail_msg("cannot open %s (run from the project's root; REBASE=1 writes it)", path);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    want = calloc(1, (size_t)size + 1);
    assert_int_equal(fread(want, 1, (size_t)size, file), size);
    fclose(file);
    return want;
}

void check_golden_text(const char *name, const char *is)
{
    const char *rebase = getenv("REBASE");
    char path[200], *want;
    size_t at = 0, from;

    snprintf(path, sizeof(path), "tests/unit/app/golden/%s", name);
    if (rebase && *rebase == '1') {
        FILE *file = fopen(path, "w");

        assert_non_null(file);
        fputs(is, file);
        fclose(file);
        fail_msg("%s is written anew: look at git diff", path);
    }
    want = read_golden(path);
    while (want[at] && want[at] == is[at])
        at++;
    if (want[at] != is[at]) {
        from = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
        print_error("%s differs from line %u on (REBASE=1 writes it anew). There it is:\n%.*s\nbut now it is:\n%.*s\n",
                    path, line_of(want, at), SHOWN, want + from, SHOWN, is + from);
        free(want);
        fail();
    }
    free(want);
}

void check_pictures(const char *name)
{
    length = 0;
    for (unsigned i = 0; i < fake_fw.terminal.pictures; i++)
        addf("==== picture %u\n%s", i + 1, fake_fw.terminal.picture[i]);
    check_golden_text(name, text);
}

void check_golden(const char *name, int status)
{
    length = 0;
    assert_lines_fit();
    addf("=== status %d\n=== screen\n", status);
    add_text(fake_fw.screen);
    addf("=== sessions\n%s", fake_session.trace);
    if (fake_session.prepared || fake_session.forgotten)
        addf("=== the model was told of %u ranges, of %u at last, %llu bytes, and %u times to forget\n",
             fake_session.prepared, fake_session.prepared_told, (unsigned long long)fake_session.prepared_bytes,
             fake_session.forgotten);
    if (fake_loops.trace_length)
        addf("=== noise loops\n%s", fake_loops.trace);
    for (unsigned i = 0; i < fake_fw.files; i++)
        add_file(&fake_fw.file[i]);
    check_golden_text(name, text);
}
