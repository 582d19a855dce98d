/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/commands.h"

#include "core/base/mem.h"
#include "core/base/str.h"

enum { SETTINGS_AFTER = 2 }; /* rows before the line for settings */

const struct command_row command_table[COMMANDS] = {
    {"run", "run", "run with the settings as they are", TAKES_NOTHING},
    {"show", "show", "the settings, and what each takes", TAKES_NOTHING},
    {"list", "list [NAME]", "the workloads; 'list NAME' explains one or a group", TAKES_WORKLOADS},
    {"config", NULL, NULL, TAKES_CONFIGS},
    {"configs", "configs", "what can be measured; 'config NAME' explains one", TAKES_NOTHING},
    {"event", NULL, NULL, TAKES_EVENTS},
    {"events", "events [TEXT]", "the events of the counters; 'event NAME' explains one", TAKES_TEXT},
    {"profile", NULL, NULL, TAKES_PROFILES},
    {"profiles", "profiles", "the named profiles on the volume; 'profile NAME' runs one", TAKES_NOTHING},
    {"again", "again", "the last run's report once more", TAKES_NOTHING},
    {"send", "send [FILES]", "the last run's files over serial; FILE:12,40-47 are blocks", TAKES_TEXT},
    {"screen", "screen", "settings, their meaning and the results, by arrow keys", TAKES_NOTHING},
    {"help", "help", "these lines", TAKES_NOTHING},
    {"quit", "quit", "leave ibsboot", TAKES_NOTHING},
};

const struct command_row *command_find(const char *word, size_t length)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        if (str_is(word, length, command_table[i].word))
            return &command_table[i];
    return NULL;
}

void commands_nearest(struct nearest *nearest)
{
    for (unsigned i = COMMANDS; i-- > 0;)
        (void)nearest_try(nearest, command_table[i].word, strlen(command_table[i].word));
    (void)nearest_try(nearest, "exit", strlen("exit"));
}

static void explain(struct out *out, const char *form, const char *help)
{
    out_printf(out, "  %-15s%s\n", form, help);
}

void commands_help(struct out *out)
{
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (i == SETTINGS_AFTER)
            explain(out, "KEY=VALUE ...", "change settings, e.g. pages=2m frames=shuffled rows=10");
        if (command_table[i].form)
            explain(out, command_table[i].form, command_table[i].help);
    }
}
