/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which functions of one name are the same. */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/compare/compare_alignment.h"
#include "tools/ibsprof/base/must.h"

struct ambiguous_name *ambiguous_name_find(const struct alignment *w, const char *function)
{
    for (uint32_t i = 0; i < w->ambiguous_count; i++)
        if (strcmp(w->ambiguous[i].name, function) == 0)
            return &w->ambiguous[i];
    return NULL;
}

uint64_t named_place_start(const struct named_place *named)
{
    return named->place->rva - named->offset;
}

/* Compares two functions of one name; 0: they are the same. */
static int by_ambiguous_name(const struct alignment *w, const struct named_place *a, const struct named_place *b)
{
    const struct ambiguous_name *ambiguous = ambiguous_name_find(w, a->function);
    int order = !ambiguous ? 0 : strcmp(a->object, b->object);

    if (order != 0 || !ambiguous || !ambiguous->by_start)
        return order;
    return named_place_start(a) < named_place_start(b) ? -1 : named_place_start(a) > named_place_start(b);
}

void ambiguous_name_add(struct alignment *w, const char *function, bool by_start)
{
    struct ambiguous_name *ambiguous = ambiguous_name_find(w, function);

    if (!ambiguous) {
        ambiguous = must_add(w->ambiguous, w->ambiguous_count);
        *ambiguous = (struct ambiguous_name){.name = must_copy(function)};
    }
    ambiguous->by_start = ambiguous->by_start || by_start;
}

static int by_side_and_function(const void *left, const void *right)
{
    const struct named_place *a = left, *b = right;
    int order;

    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    if (!a->function || !b->function)
        return (a->function != NULL) - (b->function != NULL);
    order = strcmp(a->function, b->function);
    if (order == 0)
        order = strcmp(a->object, b->object);
    if (order != 0)
        return order;
    return named_place_start(a) < named_place_start(b) ? -1 : named_place_start(a) > named_place_start(b);
}

/* Functions of one name in two objects of one side are distinguished by the object's name. Otherwise the object does
 * not matter: the same code is part of the image here and of a Linux program there. */
void ambiguous_names_collect(struct alignment *w)
{
    if (w->count > 0)
        qsort(w->places, w->count, sizeof(*w->places), by_side_and_function);
    for (size_t i = 1; i < w->count; i++) {
        const struct named_place *a = &w->places[i - 1], *b = &w->places[i];

        if (a->side != b->side || !a->function || !b->function || strcmp(a->function, b->function) != 0 ||
            !(compare_samples(w->c, a->profile, a->place) > 0) || !(compare_samples(w->c, b->profile, b->place) > 0))
            continue;
        if (strcmp(a->object, b->object) != 0)
            ambiguous_name_add(w, a->function, false);
        else if (a->profile->objects[a->place->object] == b->profile->objects[b->place->object] &&
                 named_place_start(a) != named_place_start(b))
            ambiguous_name_add(w, a->function, true);
    }
}

int named_place_compare(const struct alignment *w, const struct named_place *a, const struct named_place *b)
{
    int order;

    if ((!a->function) != (!b->function))
        return !a->function ? 1 : -1;
    order = a->function ? strcmp(a->function, b->function) : strcmp(a->object, b->object);
    if (order == 0 && a->function)
        order = by_ambiguous_name(w, a, b);
    if (order != 0)
        return order;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static int by_cell(const void *left, const void *right, void *alignment)
{
    return named_place_compare(alignment, left, right);
}

void named_places_sort(struct alignment *w)
{
    if (w->count > 0)
        qsort_r(w->places, w->count, sizeof(*w->places), by_cell, w);
}

bool named_place_same_function(const struct alignment *w, const struct named_place *a, const struct named_place *b)
{
    if (!a->function || !b->function)
        return a->function == b->function && strcmp(a->object, b->object) == 0;
    return strcmp(a->function, b->function) == 0 && by_ambiguous_name(w, a, b) == 0;
}
