/* Is the code of both sides the same? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/codemap.h"
#include "tools/ibsprof/compare/compare_found.h"

/* A function with a smaller share than this, with other code in another file, is another one that has the same name. A
 * larger one is what is to be compared, and the user must know. */
static const double namesake_max = 0.01;

static bool is_mapped(const struct comparison *c, const char *function)
{
    for (uint32_t i = 0; i < c->options->map_count; i++)
        if (strcmp(c->options->maps[i].a, function) == 0)
            return true;
    return false;
}

static uint64_t hash_of(const struct comparison *c, const struct found *found)
{
    const struct codemap_func *function;

    if (found->function == NULL)
        return 0;
    function = &found->profile->maps[found->place->object]->funcs[found->place->func];
    return c->options->code_hash(found->profile->objects[found->place->object], function->rva, function->size);
}

static bool same_bytes(const struct found *a, const struct found *b)
{
    return a->function != NULL && b->function != NULL &&
           a->profile->objects[a->place->object] == b->profile->objects[b->place->object] &&
           found_start(a) == found_start(b);
}

bool found_check_code(struct aligning *w, char *error, size_t error_size)
{
    struct comparison *c = w->c;
    uint32_t unchecked = 0;

    for (size_t begin = 0, end, after; begin < w->count; begin = end) {
        const struct found *first = NULL;
        double samples[SIDES] = {0, 0};
        uint64_t hash = 0;
        bool known = true;

        for (end = begin; end < w->count && found_same_function(w, &w->found[begin], &w->found[end]); end++)
            if (w->found[end].part == 0)
                samples[w->found[end].side] += compare_samples(c, w->found[end].profile, w->found[end].place);
        after = end;
        /* What hardly runs on one side (other programs' code, when all of a processor was recorded) is not judged. */
        if (fmin(samples[SIDE_A], samples[SIDE_B]) < EXPECTED_MIN)
            continue;
        for (end = begin; end < after; end++) {
            const struct found *found = &w->found[end];
            uint64_t own;

            if (first != NULL && same_bytes(found, first))
                continue;
            own = hash_of(c, found);
            if (own == 0) {
                known = false;
            } else if (first == NULL) {
                first = found;
                hash = own;
            } else if (own != hash && strcmp(found->object, first->object) != 0 && !is_mapped(c, found->function) &&
                       fmin(samples[SIDE_A] / w->total[SIDE_A], samples[SIDE_B] / w->total[SIDE_B]) < namesake_max) {
                compare_note(c, false, "'%s' of %s and of %s are different functions of the same name.",
                             found->function, first->object, found->object);
                found_tell_apart(w, found->function, false);
                break;
            } else if (own != hash && !c->options->force_code && !is_mapped(c, found->function)) {
                snprintf(error, error_size,
                         "compare: the code of '%s' in %s is not that in %s, so its instructions cannot be told to be "
                         "the same; --map=%s=%s takes them by offset, --force-code does so for all functions",
                         found->function, found->profile->facts->path, first->profile->facts->path, found->function,
                         found->function);
                return false;
            } else if (own != hash) {
                compare_note(c, true, "The code of '%s' differs: its instructions are aligned by offset as was asked.",
                             found->function);
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
