/* SPDX-License-Identifier: BSD-2-Clause */
/* Differences in the firmware's setup of the runs' processors, reported before anything from samples. */
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/read/run_silicon.h"

static const struct input_facts *facts_of(const void *context, uint32_t side, uint32_t run)
{
    const struct comparison *c = context;

    return c->runs[side][run].profile->facts;
}

void compare_silicon(struct comparison *c)
{
    struct run_silicon silicon;

    run_silicon_compare(&silicon, c->run_count, facts_of, c);
    for (uint32_t i = 0; i < silicon.count; i++) {
        const struct run_silicon_difference *row = &silicon.row[i];

        *must_add(c->settings, c->setting_count) = (struct compare_setting){
            .name = must_copy(row->key), .a = must_copy(row->value[0]), .b = must_copy(row->value[1])};
    }
    if (silicon.count)
        compare_note(c, true,
                     "The processors were not set up alike: %s. This, and not the code, may cause differences between "
                     "the samples. The values are among the differences between the sides.",
                     silicon.names);
    run_silicon_free(&silicon);
}
