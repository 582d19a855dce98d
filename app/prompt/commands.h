/* SPDX-License-Identifier: BSD-2-Clause */
/* The prompt's commands as a table: what 'help' prints of them, what completes them, and what is near to a word that is
 * none of them. */
#ifndef APP_COMMANDS_H
#define APP_COMMANDS_H

#include <stdint.h>

#include "core/base/nearest.h"

enum command_takes { TAKES_NOTHING, TAKES_WORKLOADS, TAKES_CONFIGS, TAKES_EVENTS, TAKES_PROFILES, TAKES_TEXT };

struct command_row {
    const char *word;
    const char *form; /* the word with what follows it, for 'help'; NULL: another row explains it */
    const char *help;
    uint8_t takes; /* enum command_takes */
};

enum { COMMANDS = 14 };
extern const struct command_row command_table[COMMANDS];

/* Returns the row of a command's word; NULL: it is none. */
const struct command_row *command_find(const char *word, size_t length);

/* Compares the words of all commands, the last one first: "qiut" is as near to "list" as to "quit". */
void commands_nearest(struct nearest *nearest);

/* Prints a line for each command that is explained, and one for settings. */
void commands_help(struct out *out);

#endif
