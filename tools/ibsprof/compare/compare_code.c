/* Is the code of both sides the same? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/codemap.h"
#include "tools/ibsprof/compare/compare_alignment.h"

/* A function with a smaller share than this, with other code in another file, is another one that has the same name. A
 * larger one is what is to be compared, and the user must know. */
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

bool alignment_check_code(struct alignment *w, char *error, size_t error_size)
{
    struct comparison *c = w->c;
    uint32_t unchecked = 0;

    for (size_t begin = 0, end, after; begin < w->count; begin = end) {
        const struct named_place *first = NULL;
        double samples[SIDES] = {0, 0};
        uint64_t hash = 0;
        bool known = true;

        for (end = begin; end < w->count && named_place_same_function(w, &w->places[begin], &w->places[end]); end++)
            if (w->places[end].part == 0)
                samples[w->places[end].side] += compare_samples(c, w->places[end].profile, w->places[end].place);
        after = end;
        /* What hardly runs on one side (other programs' code, when all of a processor was recorded) is not judged. */
        if (fmin(samples[SIDE_A], samples[SIDE_B]) < EXPECTED_MIN)
            continue;
        for (end = begin; end < after; end++) {
            const struct named_place *named = &w->places[end];
            uint64_t own;

            if (first && same_bytes(named, first))
                continue;
            own = hash_of(c, named);
            if (own == 0) {
                known = false;
            } else if (!first) {
                first = named;
                hash = own;
            } else if (own != hash && strcmp(named->object, first->object) != 0 && !is_mapped(c, named->function) &&
                       fmin(samples[SIDE_A] / w->total[SIDE_A], samples[SIDE_B] / w->total[SIDE_B]) <
                           ambiguous_share_max) {
                compare_note(c, false, "'%s' of %s and of %s are different functions of the same name.",
                             named->function, first->object, named->object);
                ambiguous_name_add(w, named->function, false);
                break;
            } else if (own != hash && !c->options->force_code && !is_mapped(c, named->function)) {
                snprintf(error, error_size,
                         "compare: the code of '%s' in %s is not that in %s, so its instructions cannot be told to be "
                         "the same; --map=%s=%s takes them by offset, --force-code does so for all functions",
                         named->function, named->profile->facts->path, first->profile->facts->path, named->function,
                         named->function);
                return false;
            } else if (own != hash) {
                compare_note(c, true, "The code of '%s' differs: its instructions are aligned by offset as was asked.",
                             named->function);
                break;
            }
        }
        end = after;
        unchecked += !known;
    }
    if (unchecked > 0)
        compare_note(c, true,
                     "Of %u function%s the code bytes are not known on both sides (no ELF file was found): that they "
                     "are the same was not checked.",
                     unchecked, unchecked == 1 ? "" : "s");
    return true;
}
