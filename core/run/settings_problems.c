/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/settings_problems.h"

#include "core/base/mem.h"

enum { SHOWN_MAX = 24 }; /* characters of the user's text that a problem's line repeats */

static void write_nowhere(struct out *out, const char *text, size_t length)
{
    (void)out;
    (void)text;
    (void)length;
}

void settings_problems_init(struct settings_problems *problems, const char *name, struct out *out)
{
    memset(problems, 0, sizeof(*problems));
    problems->nowhere.write = write_nowhere;
    problems->out = out;
    problems->name = name;
}

struct out *settings_problem(struct settings_problems *problems, unsigned line)
{
    struct out *out = problems->count++ < SETTINGS_PROBLEMS_SHOWN ? problems->out : &problems->nowhere;

    if (line)
        out_printf(out, "%s:%u: ", problems->name, line);
    else
        out_printf(out, "%s: ", problems->name);
    return out;
}

unsigned settings_problems_end(struct settings_problems *problems)
{
    if (problems->count > SETTINGS_PROBLEMS_SHOWN)
        out_printf(problems->out, "%s: and %u more problems\n", problems->name,
                   problems->count - SETTINGS_PROBLEMS_SHOWN);
    return problems->count;
}

void settings_show(struct out *out, const char *text, size_t length)
{
    out_printf(out, "'");
    for (size_t i = 0; i < length && i < SHOWN_MAX; i++)
        out_printf(out, "%c", text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
    out_printf(out, "%s'", length > SHOWN_MAX ? ".." : "");
}
