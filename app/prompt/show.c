/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/show.h"

#include "app/run/kind.h"
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

/* ---------------------------------------------------------------- what only prints */

enum event_set show_event_set(const struct options *options)
{
    return options->event_set ? (enum event_set)options->event_set : EVENT_SET_10H;
}

static bool show_settings(struct out *out, const struct options *options, const char *argument)
{
    (void)argument;
    settings_write(&options->settings, out);
    return true;
}

static bool show_workloads(struct out *out, const struct options *options, const char *argument)
{
    (void)options;
    if (!params_list(out, argument, out))
        return false;
    if (!*argument)
        out_printf(out, "Noise is not a workload but 'config=noise' ('config noise' explains it).\n");
    return true;
}

static bool show_events(struct out *out, const struct options *options, const char *argument)
{
    if (events_list(out, show_event_set(options), argument))
        return true;
    out_printf(out, "events %s: no event has that in its unit, select, symbol or name\n", argument);
    return false;
}

static bool show_event(struct out *out, const struct options *options, const char *argument)
{
    struct event_spec spec;

    if (!event_parse(show_event_set(options), argument, strlen(argument), &spec, out)) {
        out_printf(out, "\n");
        return false;
    }
    event_explain(out, show_event_set(options), spec.event);
    return true;
}

static bool show_configs(struct out *out, const struct options *options, const char *argument)
{
    (void)options;
    (void)argument;
    for (const struct kind *kind = kind_next(NULL); kind; kind = kind_next(kind))
        out_printf(out, "%-18s %s\n", kind->name, kind->title);
    configs_list(out);
    return true;
}

static bool show_config(struct out *out, const struct options *options, const char *argument)
{
    const struct config *config = config_find(argument);
    const struct kind *own = config ? NULL : kind_find(argument);

    if (own)
        out_printf(out, "%s: %s\n%s", own->name, own->title, own->explanation);
    if (own && own->explain)
        own->explain(out, options);
    if (config)
        config_explain(out, config, show_event_set(options));
    if (!own && !config)
        out_printf(out, "config %s: no such configuration; 'configs' names them all\n", argument);
    return own || config;
}

static const struct {
    const char *word;
    bool (*show)(struct out *out, const struct options *options, const char *argument);
    bool argument; /* must be given */
} commands[] = {
    {"show", show_settings, false}, {"list", show_workloads, false},  {"events", show_events, false},
    {"event", show_event, true},    {"configs", show_configs, false}, {"config", show_config, true},
};

static const char *after_blanks(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

enum show_result show_command(struct out *out, const struct options *options, const char *line)
{
    char argument[OPTIONS_TEXT_MAX + 1] = "";
    const char *word = after_blanks(line), *rest = word;
    size_t length, end = 0;

    while (*rest && *rest != ' ')
        rest++;
    length = (size_t)(rest - word);
    rest = after_blanks(rest);
    for (size_t i = 0; rest[i] && i < OPTIONS_TEXT_MAX; i++) {
        argument[i] = rest[i];
        if (rest[i] != ' ')
            end = i + 1;
    }
    argument[end] = '\0';
    for (unsigned i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (str_is(word, length, commands[i].word) && (!commands[i].argument || end))
            return commands[i].show(out, options, argument) ? SHOW_DONE : SHOW_NOTHING;
    return SHOW_NO_COMMAND;
}

void show_refuse(struct out *out, const char *line)
{
    const char *word = after_blanks(line);
    struct nearest nearest;
    size_t length = 0;

    while (word[length] && word[length] != ' ')
        length++;
    nearest_begin(&nearest, word, length);
    for (unsigned i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        (void)nearest_try(&nearest, commands[i].word, strlen(commands[i].word));
    out_printf(out, "show = %s: not one of show, list, events, event NAME, configs, config NAME", line);
    nearest_print(&nearest, out);
    out_printf(out, "\n");
}
