/* SPDX-License-Identifier: BSD-2-Clause */
/* Events without a source on a side's processor: figures from them are not compared. */
#include <string.h>

#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/profile/no_source.h"

enum { NOTE_SIZE = 800 };

bool compare_has(const struct comparison *c, uint32_t column)
{
    const struct compare_column *of = &compare_columns[column];
    const enum derived events[] = {of->above[0], of->above[1], of->below};

    for (unsigned side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++)
            for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++)
                if (events[i] < DERIVED_COUNT && c->runs[side][run].profile &&
                    !profile_has(c->runs[side][run].profile, (int)events[i]))
                    return false;
    return true;
}

void compare_no_source(struct comparison *c)
{
    char text[SIDES][NOTE_SIZE];

    for (unsigned side = 0; side < SIDES; side++) {
        struct out_memory memory;

        out_memory_init(&memory, text[side], sizeof(text[side]));
        text[side][0] = '\0';
        if (c->run_count[side] > 0 && c->runs[side][0].profile)
            no_source_note(&memory.out, c->runs[side][0].profile, "");
        text[side][strcspn(text[side], "\n")] = '\0';
        if (text[side][0] && (side == SIDE_A || strcmp(text[SIDE_A], text[SIDE_B]) != 0))
            compare_note(c, false, "side %c: %s.", side == SIDE_A ? 'A' : 'B', text[side]);
    }
}
