/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"
#include "tools/ibsprof/base/must.h"

static const struct codemap_insn *insn_of(const struct run_profile *profile, const struct profile_place *place)
{
    return place->insn >= 0 ? &profile->maps[place->object]->insns[place->insn] : NULL;
}

/* Returns a number that is equal for places of one row (besides object, mode and workload). */
static uint64_t key_of(const struct run_profile *profile, const struct profile_place *place, enum profile_level level)
{
    const struct codemap_insn *insn = insn_of(profile, place);

    if (level == PROFILE_FUNCTIONS)
        return (uint64_t)(place->func + 1);
    if (level == PROFILE_LINES && insn)
        return (uint64_t)1 << 63 | (uint64_t)insn->func << 32 | (uint64_t)insn->file << 16 | insn->line;
    return place->rva;
}

struct item {
    const struct profile_place *place;
    uint64_t key;
};

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;

    if (a->place->object != b->place->object)
        return a->place->object < b->place->object ? -1 : 1;
    if (a->place->mode != b->place->mode)
        return a->place->mode < b->place->mode ? -1 : 1;
    if (a->place->workload != b->place->workload)
        return a->place->workload ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->place->rva != b->place->rva ? a->place->rva < b->place->rva ? -1 : 1 : 0;
}

static bool same_row(const struct item *a, const struct item *b)
{
    return a->place->object == b->place->object && a->place->mode == b->place->mode &&
           a->place->workload == b->place->workload && a->key == b->key;
}

static int compare_rows(const void *left, const void *right, void *context)
{
    const struct row *a = left, *b = right;
    uint64_t of_a = measure_of(context, a->counts, a->events), of_b = measure_of(context, b->counts, b->events);

    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

struct rows *rows_make(const struct run_profile *profile, enum profile_level level, const struct measure *measure,
                       bool workload_only)
{
    struct rows *rows = must_new(rows);
    struct item *items = must_alloc(profile->place_count, sizeof(*items));
    struct measure by = *measure;
    uint32_t count = 0, events = profile->facts->event_count;

    for (uint32_t i = 0; i < profile->place_count; i++)
        if (profile->places[i].workload || !workload_only)
            items[count++] = (struct item){&profile->places[i], key_of(profile, &profile->places[i], level)};
    if (count > 0)
        qsort(items, count, sizeof(*items), compare_items);
    rows->rows = must_alloc(count, sizeof(*rows->rows));
    for (uint32_t i = 0; i < count; i++) {
        struct row *row;

        if (i == 0 || !same_row(&items[i - 1], &items[i])) {
            row = &rows->rows[rows->count++];
            row->first = items[i].place;
            row->events = must_alloc(2 * (size_t)events, sizeof(*row->events));
        }
        row = &rows->rows[rows->count - 1];
        for (int e = 0; e < DERIVED_COUNT; e++)
            row->counts[e] += items[i].place->counts[e];
        for (uint32_t e = 0; e < events; e++)
            row->events[e] += items[i].place->events[e];
        for (uint32_t e = 0; e < events && profile->event_varies; e++)
            row->events[events + e] += items[i].place->event_weights[e];
    }
    free(items);
    qsort_r(rows->rows, rows->count, sizeof(*rows->rows), compare_rows, &by);
    return rows;
}

void rows_free(struct rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        free(rows->rows[i].events);
    free(rows->rows);
    free(rows);
}

void row_name(const struct run_profile *profile, const struct row *row, enum profile_level level, char *text,
              size_t size)
{
    const struct profile_place *place = row->first;
    const struct codemap_insn *insn = insn_of(profile, place);
    const struct codemap *map = place->object < profile->object_count ? profile->maps[place->object] : NULL;
    const char *function = profile_function(profile, place);

    if (level == PROFILE_FUNCTIONS && function)
        snprintf(text, size, "%s", function);
    else if (level == PROFILE_FUNCTIONS)
        snprintf(text, size, "(no symbols)");
    else if (!insn)
        snprintf(text, size, "%" PRIx64 "%s%s", place->rva, function ? "  " : "", function ? function : "");
    else if (level == PROFILE_INSTRUCTIONS)
        snprintf(text, size, "%" PRIx32 " %s", insn->rva, map->strings + insn->text);
    else if (insn->file < map->file_count && insn->line > 0)
        snprintf(text, size, "%s:%u  %s", str_basename(map->strings + map->files[insn->file]), insn->line, function);
    else
        snprintf(text, size, "(line not known)  %s", function);
}
