/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/show.h"

#include "app/run/kind.h"
#include "core/base/mem.h"
#include "core/base/str.h"

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
        out_printf(out, "Noise is not a workload: use 'config=noise' ('config noise' explains it).\n");
    return true;
}

static bool show_events(struct out *out, const struct options *options, const char *argument)
{
    if (events_list(out, show_event_set(options), argument))
        return true;
    out_printf(out, "events %s: no event has this in its unit, select, symbol or name\n", argument);
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
        out_printf(out, "config %s: no such configuration; 'configs' names all\n", argument);
    return own || config;
}

/* ---------------------------------------------------------------- the table */

// clang-format off
const struct command_row command_table[COMMANDS] = {
    [COMMAND_RUN]      = {"run", "run", "run with the settings as they are"},
    [COMMAND_SHOW]     = {"show", "show", "the settings, with the values that each allows", .show = show_settings},
    [COMMAND_LIST]     = {"list", "list [NAME]", "the workloads; 'list NAME' explains one or a group", TAKES_WORKLOADS, .show = show_workloads},
    [COMMAND_CONFIG]   = {"config", .takes = TAKES_CONFIGS, .must = true, .show = show_config},
    [COMMAND_CONFIGS]  = {"configs", "configs", "the configurations; 'config NAME' explains one", .show = show_configs},
    [COMMAND_EVENT]    = {"event", .takes = TAKES_EVENTS, .must = true, .show = show_event},
    [COMMAND_EVENTS]   = {"events", "events [TEXT]", "the events of the counters; 'event NAME' explains one", TAKES_TEXT, .show = show_events},
    [COMMAND_PROFILE]  = {"profile", .takes = TAKES_PROFILES},
    [COMMAND_PROFILES] = {"profiles", "profiles", "the named profiles on the volume; 'profile NAME' runs one"},
    [COMMAND_AGAIN]    = {"again", "again", "the last run's report again"},
    [COMMAND_SEND]     = {"send", "send [FILES]", "the last run's files over serial; FILE:12,40-47 are blocks", TAKES_TEXT},
    [COMMAND_SCREEN]   = {"screen", "screen", "settings, their meanings and results, with arrow keys"},
    [COMMAND_HELP]     = {"help", "help", "this list"},
    [COMMAND_QUIT]     = {"quit", "quit", "leave ibsboot"},
    [COMMAND_EXIT]     = {"exit"},
};
// clang-format on

enum command command_find(const char *word, size_t length)
{
    unsigned i = 0;

    while (i < COMMANDS && !str_is(word, length, command_table[i].word))
        i++;
    return (enum command)i;
}

static const char *after_blanks(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

static size_t word_length(const char *word)
{
    size_t length = 0;

    while (word[length] && word[length] != ' ')
        length++;
    return length;
}

enum command command_of(const char *line, const char **ret_argument)
{
    const char *word = after_blanks(line), *rest = after_blanks(word + word_length(word));
    enum command command = command_find(word, word_length(word));
    const struct command_row *row = &command_table[command];

    if (command == COMMANDS || (row->must && !*rest) || (row->takes == TAKES_NOTHING && !row->show && *rest))
        return COMMANDS;
    *ret_argument = rest;
    return command;
}

void commands_nearest(struct nearest *nearest)
{
    for (unsigned i = COMMANDS; i-- > 0;)
        (void)nearest_try(nearest, command_table[i].word, strlen(command_table[i].word));
}

static void explain(struct out *out, const char *form, const char *help)
{
    out_printf(out, "  %-15s%s\n", form, help);
}

void commands_help(struct out *out)
{
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (i == COMMAND_LIST)
            explain(out, "KEY=VALUE ...", "change settings, e.g. pages=2m frames=shuffled rows=10");
        if (command_table[i].form)
            explain(out, command_table[i].form, command_table[i].help);
    }
}

/* ---------------------------------------------------------------- the setting 'show' */

enum show_result show_command(struct out *out, const struct options *options, const char *line)
{
    char argument[OPTIONS_TEXT_MAX + 1] = "";
    const char *rest;
    enum command command = command_of(line, &rest);
    size_t end = 0;

    if (command == COMMANDS || !command_table[command].show)
        return SHOW_NO_COMMAND;
    for (size_t i = 0; rest[i] && i < OPTIONS_TEXT_MAX; i++) {
        argument[i] = rest[i];
        if (rest[i] != ' ')
            end = i + 1;
    }
    argument[end] = '\0';
    return command_table[command].show(out, options, argument) ? SHOW_DONE : SHOW_NOTHING;
}

void show_refuse(struct out *out, const char *line)
{
    const char *word = after_blanks(line), *between = "";
    struct nearest nearest;

    nearest_begin(&nearest, word, word_length(word));
    out_printf(out, "show = %s: not one of ", line);
    for (const struct command_row *row = command_table; row < command_table + COMMANDS; row++) {
        if (!row->show)
            continue;
        (void)nearest_try(&nearest, row->word, strlen(row->word));
        out_printf(out, "%s%s%s", between, row->word, row->must ? " NAME" : "");
        between = ", ";
    }
    nearest_print(&nearest, out);
    out_printf(out, "\n");
}
