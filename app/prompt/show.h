/* SPDX-License-Identifier: BSD-2-Clause */
/* The prompt's commands as one table: what 'help' prints of them, what completes them, what is near to a word that is
 * none of them, what the prompt does. And those that only print: what there is to run, to measure and to set; also for
 * the setting 'show'. */
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
    COMMAND_EXIT, /* the same by another word, which is neither explained nor completed */
    COMMANDS,
};

enum command_takes { TAKES_NOTHING, TAKES_WORKLOADS, TAKES_CONFIGS, TAKES_EVENTS, TAKES_PROFILES, TAKES_TEXT };

struct command_row {
    const char *word;
    const char *form; /* the word with what follows it, for 'help'; NULL: another row explains it */
    const char *help;
    uint8_t takes; /* enum command_takes */
    bool must;     /* take it */
    /* Prints; false after a line for a name that is none. NULL: it does something else. */
    bool (*show)(struct out *out, const struct options *options, const char *argument);
};

extern const struct command_row command_table[COMMANDS];

/* Returns the command whose word it is, upper or lower case; COMMANDS: none. */
enum command command_find(const char *word, size_t length);

/* Returns the command of a line, with blanks around its words or without; *ret_argument is what follows the word.
 * COMMANDS: it is none, or has something after it that it does not take. */
enum command command_of(const char *line, const char **ret_argument);

/* Compares the words of all commands, the last one first: "qiut" is as near to "list" as to "quit". */
void commands_nearest(struct nearest *nearest);

/* Prints a line for each command that is explained, and one for settings. */
void commands_help(struct out *out);

enum show_result {
    SHOW_DONE,
    SHOW_NOTHING, /* no such name: a line said so */
    SHOW_NO_COMMAND,
};

/* show, list, config NAME, configs, event NAME, events [TEXT]; blanks around the words do not matter. */
enum show_result show_command(struct out *out, const struct options *options, const char *line);

/* Returns the processor's table of events; Family 10h's where it has none. */
enum event_set show_event_set(const struct options *options);

/* Prints the line for what is no such command, with the nearest one. */
void show_refuse(struct out *out, const char *line);

#endif
