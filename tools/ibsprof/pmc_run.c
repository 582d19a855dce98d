#include "tools/ibsprof/pmc_run.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/elf_file.h"

enum { FIXED_FIELDS = 5, FIELDS_MAX = FIXED_FIELDS + PMC_PROFILE_EVENTS, LINE_MAX_BYTES = 8192, INSNS_MAX = 1 << 20 };

struct reader {
    struct pmc_run *run;
    const char *path; /* of pmc.csv */
    struct codemap_insn *insns;
    struct codemap_func *funcs;
    uint32_t *files;
    char *strings;
    uint64_t *counts; /* insn_count * events */
    uint64_t outside[PMC_PROFILE_EVENTS];
    uint32_t insn_count, insn_room, func_count, file_count, string_size, string_room;
    unsigned events;
    unsigned line;
};

static bool damaged(const struct reader *reader, const char *what)
{
    complain("%s: line %u: %s", reader->path, reader->line, what);
    return false;
}

/* Cuts a line into fields (RFC 4180) in place. Returns how many, 0: too many, or a quote is not closed. */
static unsigned cut(char *line, char *fields[FIELDS_MAX])
{
    unsigned count = 0;
    char *at = line;

    for (;;) {
        char *to = at;
        bool quoted = *at == '"';

        if (count == FIELDS_MAX)
            return 0;
        fields[count++] = at;
        at += quoted;
        while (*at && (quoted || *at != ',')) {
            if (quoted && *at == '"' && at[1] != '"') {
                quoted = false;
                at++;
                break;
            }
            at += quoted && *at == '"';
            *to++ = *at++;
        }
        if (quoted || (*at && *at != ','))
            return 0;
        if (*at == '\0') {
            *to = '\0';
            return count;
        }
        at++;
        *to = '\0';
    }
}

static uint32_t keep(struct reader *reader, const char *text)
{
    uint32_t length = (uint32_t)strlen(text) + 1, at = reader->string_size;

    if (at + length > reader->string_room) {
        reader->string_room = 2 * (reader->string_room + length);
        reader->strings = must_grow(reader->strings, reader->string_room, 1);
    }
    memcpy(reader->strings + at, text, length);
    reader->string_size += length;
    return at;
}

static uint16_t file_of(struct reader *reader, const char *name)
{
    if (name[0] == '\0')
        return UINT16_MAX;
    for (uint32_t i = 0; i < reader->file_count; i++)
        if (strcmp(reader->strings + reader->files[i], name) == 0)
            return (uint16_t)i;
    if (reader->file_count == UINT16_MAX)
        return UINT16_MAX;
    reader->files = must_grow(reader->files, reader->file_count + 1, sizeof(*reader->files));
    reader->files[reader->file_count] = keep(reader, name);
    return (uint16_t)reader->file_count++;
}

static uint16_t func_of(struct reader *reader, uint32_t rva, const char *name)
{
    if (reader->func_count > 0 && strcmp(reader->strings + reader->funcs[reader->func_count - 1].name, name) == 0)
        return (uint16_t)(reader->func_count - 1);
    reader->funcs = must_grow(reader->funcs, reader->func_count + 1, sizeof(*reader->funcs));
    reader->funcs[reader->func_count] = (struct codemap_func){.rva = rva, .name = keep(reader, name)};
    return (uint16_t)reader->func_count++;
}

static bool add_insn(struct reader *reader, char *fields[])
{
    uint64_t rva = strtoull(fields[0], NULL, 16);
    struct codemap_insn *last = reader->insn_count ? &reader->insns[reader->insn_count - 1] : NULL;
    struct codemap_insn *insn;

    if (rva > UINT32_MAX || (last != NULL && rva <= last->rva))
        return damaged(reader, "addresses do not ascend");
    if (reader->insn_count == INSNS_MAX || reader->func_count == UINT16_MAX)
        return damaged(reader, "more instructions than a run has");
    if (last != NULL && rva - last->rva <= 15)
        last->length = (uint8_t)(rva - last->rva);
    if (reader->insn_count == reader->insn_room) {
        reader->insn_room = reader->insn_room ? 2 * reader->insn_room : 1024;
        reader->insns = must_grow(reader->insns, reader->insn_room, sizeof(*reader->insns));
        reader->counts = must_grow(reader->counts, reader->insn_room * (reader->events + 1), sizeof(uint64_t));
    }
    insn = &reader->insns[reader->insn_count];
    *insn = (struct codemap_insn){.rva = (uint32_t)rva, .length = 1, .line = (uint16_t)strtoul(fields[3], NULL, 10)};
    insn->func = func_of(reader, insn->rva, fields[1]);
    insn->file = file_of(reader, fields[2]);
    insn->text = keep(reader, fields[4]);
    for (unsigned e = 0; e < reader->events; e++)
        reader->counts[reader->insn_count * reader->events + e] = strtoull(fields[FIXED_FIELDS + e], NULL, 10);
    reader->insn_count++;
    return true;
}

/* "041 DATA_CACHE_MISSES [samples]", "timer [samples]" */
static bool read_events(struct reader *reader, char *fields[], struct event_list *list, bool *ret_timer)
{
    for (unsigned e = 0; e < reader->events; e++) {
        const char *title = fields[FIXED_FIELDS + e];

        *ret_timer = e + 1 == reader->events && strcmp(title, "timer [samples]") == 0;
        if (*ret_timer)
            return true;
        if (list->count == EVENT_LIST_MAX || !event_parse(title, strcspn(title, " "), &list->spec[list->count], NULL))
            return damaged(reader, "a column that is no event of Family 10h");
        list->count++;
    }
    return true;
}

static bool read_rows(struct reader *reader, FILE *file, struct event_list *list, bool *ret_timer)
{
    char line[LINE_MAX_BYTES], *fields[FIELDS_MAX];

    while (fgets(line, sizeof(line), file) != NULL) {
        unsigned count;

        reader->line++;
        if (line[strcspn(line, "\n")] == '\0')
            return damaged(reader, "it ends in the middle of a line, or the line is too long");
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' && reader->events == 0) {
            snprintf(reader->run->origin, sizeof(reader->run->origin), "%.*s", ORIGIN_MAX, line);
            continue;
        }
        count = cut(line, fields);
        if (reader->events == 0) {
            if (count <= FIXED_FIELDS || strcmp(fields[0], "rva") != 0)
                return damaged(reader, "these are not the columns of a run's pmc.csv");
            reader->events = count - FIXED_FIELDS;
            if (!read_events(reader, fields, list, ret_timer))
                return false;
            continue;
        }
        if (count != FIXED_FIELDS + reader->events)
            return damaged(reader, "it has more or fewer fields than the first line");
        if (fields[0][0] == '\0')
            for (unsigned e = 0; e < reader->events; e++)
                reader->outside[e] = strtoull(fields[FIXED_FIELDS + e], NULL, 10);
        else if (!add_insn(reader, fields))
            return false;
    }
    return reader->events > 0 || damaged(reader, "it is empty");
}

static void make_map(struct reader *reader)
{
    struct pmc_run *run = reader->run;

    for (uint32_t i = 0; i < reader->insn_count; i++) {
        struct codemap_func *func = &reader->funcs[reader->insns[i].func];

        func->size = reader->insns[i].rva + reader->insns[i].length - func->rva;
    }
    run->map = (struct codemap){.insns = reader->insns,
                                .funcs = reader->funcs,
                                .files = reader->files,
                                .strings = reader->strings,
                                .insn_count = reader->insn_count,
                                .func_count = reader->func_count,
                                .file_count = reader->file_count};
}

static bool fill(struct reader *reader, const struct event_list *list, bool timer)
{
    struct pmc_run *run = reader->run;
    size_t size = pmc_profile_memory_size(&run->map, reader->events);

    run->memory[5] = must_alloc(size ? size : 8, 1);
    if (!pmc_profile_init(&run->profile, &run->map, 0, list, timer ? 1 : 0, run->memory[5], size))
        return damaged(reader, "its events cannot be taken");
    for (uint32_t i = 0; i < reader->insn_count * reader->events; i++) {
        run->profile.rows[i] = reader->counts[i];
        run->profile.event[i % reader->events].samples += reader->counts[i];
    }
    for (unsigned e = 0; e < reader->events; e++) {
        run->profile.event[e].outside = reader->outside[e];
        run->profile.event[e].samples += reader->outside[e];
    }
    return true;
}

/* The folder of a run from its path or that of a file in it, with a file's name behind it. */
static bool file_in_run(const char *path, const char *name, char *text, size_t size)
{
    struct stat status;
    const char *slash = strrchr(path, '/');

    if (stat(path, &status) != 0)
        return false;
    if (S_ISDIR(status.st_mode))
        return snprintf(text, size, "%s/%s", path, name) < (int)size;
    return snprintf(text, size, "%.*s%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, name) < (int)size;
}

enum pmc_run_state pmc_run_read(struct pmc_run *run, const char *path)
{
    struct reader reader = {.run = run};
    struct event_list list = {0};
    char name[PATH_MAX];
    bool timer = false, good;
    FILE *file;

    *run = (struct pmc_run){0};
    if (!file_in_run(path, "pmc.csv", name, sizeof(name)) || (file = fopen(name, "r")) == NULL)
        return PMC_RUN_NONE;
    reader.path = name;
    (void)keep(&reader, "");
    good = read_rows(&reader, file, &list, &timer);
    fclose(file);
    run->memory[0] = reader.insns;
    run->memory[1] = reader.funcs;
    run->memory[2] = reader.files;
    run->memory[3] = reader.strings;
    run->memory[4] = reader.counts;
    if (good) {
        make_map(&reader);
        good = fill(&reader, &list, timer);
    }
    if (good && file_in_run(path, "run.ini", name, sizeof(name)))
        pmc_run_facts(run, name);
    if (good)
        return PMC_RUN_READ;
    pmc_run_free(run);
    return PMC_RUN_DAMAGED;
}

void pmc_run_free(struct pmc_run *run)
{
    for (unsigned i = 0; i < sizeof(run->memory) / sizeof(run->memory[0]); i++)
        free(run->memory[i]);
    *run = (struct pmc_run){0};
}
