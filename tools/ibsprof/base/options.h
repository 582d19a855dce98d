/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The options of a command: a row each, from which parsing, checks of values, --help, completion and the lists of the
 * manual follow.
 *
 * Three options come with every table: -h, --help prints the help text; --complete [OPTION], for ibsprof.bash only,
 * prints all options, or the words that OPTION takes, a line each; --manual, for ibsprof.1 only, prints them in roff.
 */
#ifndef TOOLS_IBSPROF_OPTIONS_H
#define TOOLS_IBSPROF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/ibsprof/base/terminal.h"

/* Names what stands at 'place' of the command's settings, and what an option does to it. */
enum option_kind {
    OPTION_FLAG,   /* bool: becomes true */
    OPTION_TEXT,   /* const char *: the argument */
    OPTION_FOLDER, /* the same, of a folder that exists; or what 'call' does with it */
    OPTION_NUMBER, /* double: the argument, from least to most, divided by 'divisor' when that is not 0 */
    OPTION_COUNT,  /* uint32_t: the argument, a whole number from least to most */
    OPTION_WORD,   /* int: the argument's index in words */
    OPTION_WORDS,  /* uint32_t: one bit for each of the words, which commas separate */
    OPTION_VALUE,  /* int: becomes 'value' */
    OPTION_CALL,   /* whatever 'call' does */
    OPTION_TABLE,  /* no option: the rows of 'table', whose settings are there */
};

struct option_row {
    const char *name;     /* without dashes */
    char letter;          /* or 0 */
    const char *argument; /* its name in the help text; NULL: the option takes none */
    enum option_kind kind;
    size_t place;
    const char *help;                /* comes after the words, if there are any; '\n' between lines */
    const char *const *words;        /* NULL after the last; of OPTION_CALL for completion only */
    const char *(*word)(unsigned n); /* the same of OPTION_CALL, where they are found as the program runs */
    double least, most, divisor;
    int value;
    const char *(*call)(void *place, char *argument); /* NULL, or what is wrong: "names two functions" */
    const struct option_row *table;
};

struct option_table {
    const char *command;
    const char *usage;             /* the help text before the options */
    const struct option_row *rows; /* up to one without a name */
    const char *notes;             /* and after them; NULL: nothing */
};

/* Sets what argv asks for. True: argv and argc become the operands. False: the command ends with *ret_code, for help
 * was printed, or a complaint. */
bool options_read(const struct option_table *table, int *argc, char ***argv, void *settings, enum exit_code *ret_code);

/* Complains of the operands ("no FILE") and points to --help. */
enum exit_code options_misused(const struct option_table *table, const char *what);

#endif
