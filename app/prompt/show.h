/* SPDX-License-Identifier: BSD-2-Clause */
/* The prompt's commands as one table for 'help', completion, suggestions and execution; and the commands that only
 * print workloads, configurations, events and settings, also for the setting 'show'. */
#ifndef APP_SHOW_H
#define APP_SHOW_H

#include "app/settings/options.h"
#include "core/base/nearest.h"
#include "core/family/event_set.h"

enum command {
    COMMAND_RUN,
    COMMAND_SHOW,
    COMMAND_LIST,
    COMMAND_CONFIG,
    COMMAND_CONFIGS,
    COMMAND_EVENT,
    COMMAND_EVENTS,
    COMMAND_PROFILE,
    COMMAND_PROFILES,
    COMMAND_AGAIN,
    COMMAND_SEND,
    COMMAND_SCREEN,
    COMMAND_HELP,
    COMMAND_QUIT,
    COMMAND_EXIT, /* synonym of quit, which is neither explained nor completed */
    COMMANDS,
};

enum command_takes { TAKES_NOTHING, TAKES_WORKLOADS, TAKES_CONFIGS, TAKES_EVENTS, TAKES_PROFILES, TAKES_TEXT };

struct command_row {
    const char *word;
    const char *form; /* word and arguments, for 'help'; NULL: another row explains it */
    const char *help;
    uint8_t takes; /* enum command_takes */
    bool must;     /* the argument is required */
    /* Prints. Returns false after a line for an unknown name. NULL: the command does not print. */
    bool (*show)(struct out *out, const struct options *options, const char *argument);
};

extern const struct command_row command_table[COMMANDS];

/* Returns the command with this word, in upper or lower case; COMMANDS: none. */
enum command command_find(const char *word, size_t length);

/* Returns the command of a line, with any blanks around its words; *ret_argument follows the command. COMMANDS:
 * unknown, or an argument that it does not take. */
enum command command_of(const char *line, const char **ret_argument);

/* Compares the words of all commands, the last one first: "qiut" is as near to "list" as to "quit". */
void commands_nearest(struct nearest *nearest);

/* Prints a line for each command that is explained, and one for settings. */
void commands_help(struct out *out);

enum show_result {
    SHOW_DONE,
    SHOW_NOTHING, /* unknown name, after a line */
    SHOW_NO_COMMAND,
};

/* Executes show, list, config NAME, configs, event NAME, events [TEXT]; ignores blanks around the words. */
enum show_result show_command(struct out *out, const struct options *options, const char *line);

/* Returns the processor's table of events, or Family 10h's if it has none. */
enum event_set show_event_set(const struct options *options);

/* Prints that the line is no such command, with the nearest one. */
void show_refuse(struct out *out, const char *line);

#endif
