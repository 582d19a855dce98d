/* Functions of the same name: which of them are one. */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/compare/compare_found.h"
#include "tools/ibsprof/base/must.h"

struct namesake *found_namesake(const struct aligning *w, const char *function)
{
    for (uint32_t i = 0; i < w->ambiguous_count; i++)
        if (strcmp(w->ambiguous[i].name, function) == 0)
            return &w->ambiguous[i];
    return NULL;
}

uint64_t found_start(const struct found *found)
{
    return found->place->rva - found->offset;
}

/* Order of two functions of the same name: 0 when they are one. */
static int by_namesake(const struct aligning *w, const struct found *a, const struct found *b)
{
    const struct namesake *namesake = found_namesake(w, a->function);
    int order = namesake == NULL ? 0 : strcmp(a->object, b->object);

    if (order != 0 || namesake == NULL || !namesake->by_start)
        return order;
    return found_start(a) < found_start(b) ? -1 : found_start(a) > found_start(b);
}

void found_tell_apart(struct aligning *w, const char *function, bool by_start)
{
    struct namesake *namesake = found_namesake(w, function);

    if (namesake == NULL) {
        w->ambiguous = must_grow(w->ambiguous, (w->ambiguous_count + 1), sizeof(*w->ambiguous));
        namesake = &w->ambiguous[w->ambiguous_count++];
        *namesake = (struct namesake){.name = must_copy(function)};
    }
    namesake->by_start = namesake->by_start || by_start;
}

static int by_side_and_function(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    int order;

    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    if (a->function == NULL || b->function == NULL)
        return (a->function != NULL) - (b->function != NULL);
    order = strcmp(a->function, b->function);
    if (order == 0)
        order = strcmp(a->object, b->object);
    if (order != 0)
        return order;
    return found_start(a) < found_start(b) ? -1 : found_start(a) > found_start(b);
}

/* Functions that two objects of one side have by the same name are told apart by the object's name. Without that, the
 * object does not matter: the same code is part of the image here and of a Linux program there. */
void found_tell_ambiguous_apart(struct aligning *w)
{
    if (w->count > 0)
        qsort(w->found, w->count, sizeof(*w->found), by_side_and_function);
    for (size_t i = 1; i < w->count; i++) {
        const struct found *a = &w->found[i - 1], *b = &w->found[i];

        if (a->side != b->side || a->function == NULL || b->function == NULL || strcmp(a->function, b->function) != 0 ||
            !(compare_samples(w->c, a->profile, a->place) > 0) || !(compare_samples(w->c, b->profile, b->place) > 0))
            continue;
        if (strcmp(a->object, b->object) != 0)
            found_tell_apart(w, a->function, false);
        else if (a->profile->objects[a->place->object] == b->profile->objects[b->place->object] &&
                 found_start(a) != found_start(b))
            found_tell_apart(w, a->function, true);
    }
}

int found_compare(const struct aligning *w, const struct found *a, const struct found *b)
{
    int order;

    if ((a->function == NULL) != (b->function == NULL))
        return a->function == NULL ? 1 : -1;
    order = a->function != NULL ? strcmp(a->function, b->function) : strcmp(a->object, b->object);
    if (order == 0 && a->function != NULL)
        order = by_namesake(w, a, b);
    if (order != 0)
        return order;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static const struct aligning *sorting; /* qsort has no argument for it */

static int by_cell(const void *left, const void *right)
{
    return found_compare(sorting, left, right);
}

void found_sort(struct aligning *w)
{
    sorting = w;
    if (w->count > 0)
        qsort(w->found, w->count, sizeof(*w->found), by_cell);
}

bool found_same_function(const struct aligning *w, const struct found *a, const struct found *b)
{
    if (a->function == NULL || b->function == NULL)
        return a->function == b->function && strcmp(a->object, b->object) == 0;
    return strcmp(a->function, b->function) == 0 && by_namesake(w, a, b) == 0;
}
