/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/counters/pmc_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/read/run_ini.h"

struct reader {
    struct pmc_run *run;
    const char *path; /* of pmc.csv */
    struct csv_file csv;
    uint64_t *counts; /* instructions * events */
    uint64_t outside[PMC_PROFILE_EVENTS];
    bool counted[PMC_PROFILE_EVENTS]; /* cells of an event whose turn never came are empty */
    unsigned events;
    enum event_set set;
};

static bool damaged(const struct reader *reader, const char *what)
{
    complain("%s: line %u: %s", reader->path, reader->csv.number, what);
    return false;
}

static bool add_insn(struct reader *reader, char *fields[])
{
    struct csv_map *map = &reader->run->csv;
    uint64_t rva = strtoull(fields[0], NULL, 16);
    uint32_t at = map->insn_count, room = map->insn_room;
    const char *problem;

    if (rva > UINT32_MAX || (at > 0 && rva <= map->insns[at - 1].rva))
        return damaged(reader, "addresses do not ascend");
    problem = csv_map_add(map, fields);
    if (problem != NULL)
        return damaged(reader, problem);
    if (map->insn_room != room)
        reader->counts = must_grow(reader->counts, map->insn_room * (reader->events + 1), sizeof(uint64_t));
    for (unsigned e = 0; e < reader->events; e++)
        reader->counts[at * reader->events + e] = strtoull(fields[CSV_MAP_FIELDS + e], NULL, 10);
    return true;
}

/* "041 DATA_CACHE_MISSES [samples]", "timer [samples]" */
static bool read_events(struct reader *reader, char *fields[], struct event_list *list, bool *ret_timer)
{
    for (unsigned e = 0; e < reader->events; e++) {
        const char *title = fields[CSV_MAP_FIELDS + e];

        *ret_timer = e + 1 == reader->events && strcmp(title, "timer [samples]") == 0;
        if (*ret_timer)
            return true;
        if (list->count == EVENT_LIST_MAX ||
            !event_parse(reader->set, title, strcspn(title, " "), &list->spec[list->count], NULL)) {
            complain("%s: line %u: a column that is not an event of %s", reader->path, reader->csv.number,
                     event_set_name(reader->set));
            return false;
        }
        list->count++;
    }
    return true;
}

static bool read_rows(struct reader *reader, FILE *file, struct event_list *list, bool *ret_timer)
{
    struct csv_file *csv = &reader->csv;

    if (!csv_begin(csv, file))
        return damaged(reader, csv->problem);
    if (!csv_map_has(csv) || csv->columns > CSV_MAP_FIELDS + PMC_PROFILE_EVENTS)
        return damaged(reader, "these are not the columns of a run's pmc.csv");
    snprintf(reader->run->origin, sizeof(reader->run->origin), "%s", csv->comment);
    reader->events = csv->columns - CSV_MAP_FIELDS;
    if (!read_events(reader, csv->field, list, ret_timer))
        return false;
    while (csv_next(csv)) {
        if (csv->field[0][0] == '\0')
            for (unsigned e = 0; e < reader->events; e++) {
                reader->outside[e] = strtoull(csv->field[CSV_MAP_FIELDS + e], NULL, 10);
                reader->counted[e] = csv->field[CSV_MAP_FIELDS + e][0] != '\0';
            }
        else if (!add_insn(reader, csv->field))
            return false;
    }
    return !csv->problem || damaged(reader, csv->problem);
}

static bool fill(struct reader *reader, const struct event_list *list, bool timer)
{
    struct pmc_run *run = reader->run;
    size_t size = pmc_profile_memory_size(&run->map, reader->events);

    run->memory = must_alloc(size ? size : 8, 1);
    if (!pmc_profile_init(&run->profile, &run->map, 0, list, timer ? 1 : 0, run->memory, size))
        return damaged(reader, "its events cannot be used");
    for (uint32_t i = 0; i < run->map.insn_count * reader->events; i++) {
        run->profile.rows[i] = reader->counts[i];
        run->profile.event[i % reader->events].samples += reader->counts[i];
    }
    for (unsigned e = 0; e < reader->events; e++) {
        run->profile.event[e].outside = reader->outside[e];
        run->profile.event[e].samples += reader->outside[e];
        pmc_profile_ran(&run->profile, e, reader->counted[e], 1); /* unless run.ini knows better */
    }
    return true;
}

enum pmc_run_state pmc_run_read(struct pmc_run *run, const char *path)
{
    struct reader reader = {.run = run};
    struct input_facts facts = {0};
    struct run_ini ini = {0};
    struct event_list list = {0};
    char *name = run_folder_file(path, "pmc.csv");
    FILE *file = name ? fopen(name, "r") : NULL;
    bool timer = false, good, facts_read;
    char problem[100];

    *run = (struct pmc_run){0};
    if (file == NULL) {
        free(name);
        return PMC_RUN_NONE;
    }
    reader.path = name;
    facts_read = run_ini_read(&ini, &facts, path, problem, sizeof(problem));
    reader.set = list.set = input_event_set(&facts);
    good = read_rows(&reader, file, &list, &timer);
    csv_end(&reader.csv);
    fclose(file);
    run->counts = reader.counts;
    if (good) {
        csv_map_finish(&run->csv);
        run->map = run->csv.map;
        good = fill(&reader, &list, timer);
    }
    free(name);
    if (good && !facts_read) {
        complain("%s: %s", path, problem);
        good = false;
    }
    if (good)
        pmc_run_facts(run, &facts);
    run_ini_free(&ini);
    if (good)
        return PMC_RUN_READ;
    pmc_run_free(run);
    return PMC_RUN_DAMAGED;
}

void pmc_run_free(struct pmc_run *run)
{
    csv_map_free(&run->csv);
    free(run->counts);
    free(run->memory);
    *run = (struct pmc_run){0};
}
