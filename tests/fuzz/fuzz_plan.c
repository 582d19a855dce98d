/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plan from hostile bytes. In all cases problems are printable lines, there are no more points than allowed, and the
 * text of each point is a plan of that one point, which is written again to the same text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { POINTS = 40 }; /* of many, that are looked at */

static struct plan plan, again;
static char text[2 * SETTINGS_TEXT_MAX], other[2 * SETTINGS_TEXT_MAX];

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_write(struct out *out, const char *line, size_t length)
{
    (void)out;
    for (size_t i = 0; i < length; i++)
        check((line[i] >= ' ' && line[i] <= '~') || line[i] == '\n' || line[i] == '\t');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct out sink = {check_write};
    struct out_memory to;

    if (plan_read(&plan, "plan", data, size, &sink))
        return 0;
    check(plan.points >= 1 && plan.points <= PLAN_POINTS_MAX);
    for (unsigned i = 0; i < plan.points; i += 1 + plan.points / POINTS) {
        size_t length;

        out_memory_init(&to, text, sizeof(text));
        plan_write_point(&plan, i, &to.out);
        length = to.needed;
        if (length > SETTINGS_TEXT_MAX)
            continue;
        check_write(NULL, text, length);
        check(plan_read(&again, "point", text, length, &sink) == 0 && again.points == 1);
        out_memory_init(&to, other, sizeof(other));
        plan_write_point(&again, 0, &to.out);
        check(to.needed == length && !memcmp(text, other, length));
        plan_write_name(&plan, i, &sink);
    }
    return 0;
}
