/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/compare/compare_load.h"

#include "tools/ibsprof/compare/compare_copies.h"

/* The time of a single run is cut into so many slices, which alternate between the halves. The halves then see the same
 * phases of the program, unless phases are shorter than a slice. */
enum { SLICES = 64 };

struct half {
    uint64_t first, last;
    uint64_t which;
};

static bool in_half(void *context, uint64_t time)
{
    const struct half *half = context;
    double span = (double)(half->last - half->first) + 1, at = time < half->first ? 0 : (double)(time - half->first);

    return ((uint64_t)(at / span * SLICES) & 1) == half->which;
}

static bool read_halves(struct compare_run *run, const struct load_options *options)
{
    struct profile_options profile = options->profile;
    char error[1024] = "";

    for (uint64_t which = 0; which < 2; which++) {
        struct half half = {run->profile->first_time, run->profile->last_time, which};

        input_rewind(run->input);
        profile.keep = in_half;
        profile.keep_context = &half;
        run->halves[which] = run_profile_read(run->input, &profile, error, sizeof(error));
        if (!run->halves[which]) {
            complain("%s", error);
            return false;
        }
    }
    return true;
}

static const struct compare_run *original(const struct compare_run *runs, uint32_t count,
                                          const struct run_profile *profile)
{
    for (uint32_t i = 0; i < count; i++)
        if (compare_same_samples(runs[i].profile, profile))
            return &runs[i];
    return NULL;
}

/* Moves copies to the end, and keeps the order of the others, whose number it returns. */
static uint32_t part_copies(struct compare_run *runs, uint32_t count)
{
    uint32_t different = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct compare_run *first = original(runs, different, runs[i].profile);
        struct compare_run run = runs[i];

        if (first) {
            runs[i].copy_of = first->path;
            continue;
        }
        runs[i] = runs[different];
        runs[different++] = run;
    }
    return different;
}

bool compare_load(struct compare_run *runs, uint32_t count, const struct load_options *options, uint32_t *ret_different)
{
    for (uint32_t i = 0; i < count; i++) {
        struct loaded loaded;

        if (!load_run(&loaded, runs[i].path, options))
            return false;
        input_rest(loaded.input);
        runs[i].input = loaded.input;
        runs[i].profile = loaded.profile;
        runs[i].partial = loaded.partial;
    }
    *ret_different = part_copies(runs, count);
    return *ret_different != 1 || runs[0].profile->last_time <= runs[0].profile->first_time ||
           read_halves(&runs[0], options);
}

void compare_unload(struct compare_run *runs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (int half = 0; half < 2; half++)
            run_profile_free(runs[i].halves[half]);
        if (runs[i].profile)
            load_free(&(struct loaded){.input = runs[i].input, .profile = runs[i].profile});
    }
}
