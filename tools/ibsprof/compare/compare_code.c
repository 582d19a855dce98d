/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks whether both sides have the same code. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/ibs/codemap.h"
#include "tools/ibsprof/compare/compare_alignment.h"

/* A function with different code in another file and a smaller share than this is taken for another function of the
 * same name. With a larger share it is what is compared, and the user must know. */
static const double ambiguous_share_max = 0.01;

static bool is_mapped(const struct comparison *c, const char *function)
{
    for (uint32_t i = 0; i < c->options->map_count; i++)
        if (strcmp(c->options->maps[i].a, function) == 0)
            return true;
    return false;
}

static uint64_t hash_of(const struct comparison *c, const struct named_place *named)
{
    const struct codemap_func *function;

    if (!named->function)
        return 0;
    function = &named->profile->maps[named->place->object]->funcs[named->place->func];
    return c->options->code_hash(named->profile->objects[named->place->object], function->rva, function->size);
}

static bool same_bytes(const struct named_place *a, const struct named_place *b)
{
    return a->function && b->function &&
           a->profile->objects[a->place->object] == b->profile->objects[b->place->object] &&
           named_place_start(a) == named_place_start(b);
}

/* Returns the end of the places of the function at 'begin', and sums each side's samples. */
static size_t function_end(const struct alignment *w, size_t begin, double samples[SIDES])
{
    size_t end = begin;

    samples[SIDE_A] = samples[SIDE_B] = 0;
    for (; end < w->count && named_place_same_function(w, &w->places[begin], &w->places[end]); end++)
        if (w->places[end].part == 0)
            samples[w->places[end].side] += compare_samples(w->c, w->places[end].profile, w->places[end].place);
    return end;
}

/* Notes that a function with this share of the samples has different code, and what follows. Returns false with a line
 * in 'error' if it cannot be compared. */
static bool note_difference(struct alignment *w, const struct named_place *first, const struct named_place *named,
                            double share, char *error, size_t error_size)
{
    struct comparison *c = w->c;
    bool mapped = is_mapped(c, named->function);

    if (strcmp(named->object, first->object) != 0 && !mapped && share < ambiguous_share_max) {
        compare_note(c, false, "'%s' of %s and of %s are different functions of the same name.", named->function,
                     first->object, named->object);
        ambiguous_name_add(w, named->function, false);
    } else if (!c->options->force_code && !mapped) {
        snprintf(error, error_size,
                 "compare: the code of '%s' in %s is not that in %s, so its instructions cannot be assumed to be "
                 "the same; --map=%s=%s aligns them by offset, --force-code does so for all functions",
                 named->function, named->profile->facts->path, first->profile->facts->path, named->function,
                 named->function);
        return false;
    } else {
        compare_note(c, true, "The code of '%s' differs: its instructions are aligned by offset, as requested.",
                     named->function);
    }
    return true;
}

/* Checks a function; returns false as above. *ret_known: the code bytes are known wherever the function was sampled. */
static bool check_function(struct alignment *w, size_t begin, size_t end, double share, bool *ret_known, char *error,
                           size_t error_size)
{
    const struct named_place *first = NULL;
    uint64_t first_hash = 0;

    *ret_known = true;
    for (size_t i = begin; i < end; i++) {
        const struct named_place *named = &w->places[i];
        uint64_t hash;

        if (first && same_bytes(named, first))
            continue;
        hash = hash_of(w->c, named);
        if (hash == 0) {
            *ret_known = false;
        } else if (!first) {
            first = named;
            first_hash = hash;
        } else if (hash != first_hash) {
            return note_difference(w, first, named, share, error, error_size);
        }
    }
    return true;
}

bool alignment_check_code(struct alignment *w, char *error, size_t error_size)
{
    uint32_t unchecked = 0;

    for (size_t begin = 0, end; begin < w->count; begin = end) {
        double samples[SIDES];
        bool known;

        end = function_end(w, begin, samples);
        /* Code that hardly runs on one side is not judged: it may be another program's, if a whole processor was
         * recorded. */
        if (fmin(samples[SIDE_A], samples[SIDE_B]) < EXPECTED_MIN)
            continue;
        if (!check_function(w, begin, end, fmin(samples[SIDE_A] / w->total[SIDE_A], samples[SIDE_B] / w->total[SIDE_B]),
                            &known, error, error_size))
            return false;
        unchecked += !known;
    }
    if (unchecked > 0)
        compare_note(w->c, true,
                     "For %u function%s the code bytes are not known on both sides (no ELF file was found): so it was "
                     "not checked if they are the same.",
                     unchecked, unchecked == 1 ? "" : "s");
    return true;
}
