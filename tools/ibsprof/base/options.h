/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Options of a command, a row each: the source of parsing, checks, --help, completion and the manual's lists.
 *
 * Every table has three more options: -h, --help prints the help text; --complete [OPTION], for ibsprof.bash only,
 * prints all options, or the words for OPTION, a line each; --manual, for ibsprof.1 only, prints the options in roff.
 */
#ifndef TOOLS_IBSPROF_OPTIONS_H
#define TOOLS_IBSPROF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/ibsprof/base/terminal.h"

/* Says which type is at 'place' of the command's settings, and what the option stores there. */
enum option_kind {
    OPTION_FLAG,   /* bool: becomes true */
    OPTION_TEXT,   /* const char *: the argument */
    OPTION_FOLDER, /* const char *: an existing folder; or the effect of 'call' */
    OPTION_NUMBER, /* double: a number from least to most, divided by 'divisor' unless that is 0 */
    OPTION_COUNT,  /* uint32_t: a whole number from least to most */
    OPTION_WORD,   /* int: the argument's index in words */
    OPTION_WORDS,  /* uint32_t: a bit for each of the words, separated by commas */
    OPTION_VALUE,  /* int: 'value' */
    OPTION_CALL,   /* the effect of 'call' */
    OPTION_TABLE,  /* no option: includes the rows of 'table', whose settings begin at 'place' */
};

struct option_row {
    const char *name;     /* without dashes */
    char letter;          /* or 0 */
    const char *argument; /* name in the help text; NULL: no argument */
    enum option_kind kind;
    size_t place;
    const char *help;                /* follows the words, if any; ' ' between lines */
    const char *const *words;        /* NULL after the last; with OPTION_CALL for completion only */
    const char *(*word)(unsigned n); /* words of OPTION_CALL that are computed at run time */
    double least, most, divisor;
    int value;
    const char *(*call)(void *place, char *argument); /* returns NULL, or the error: "names two functions" */
    const struct option_row *table;
};

struct option_table {
    const char *command;
    const char *usage;             /* help text before the options */
    const struct option_row *rows; /* ends with a row without a name */
    const char *notes;             /* help text after the options; NULL: none */
};

/* Reads the options, and leaves the operands in argv and argc. Returns false if the command ends with *ret_code, after
 * help or a complaint. */
bool options_read(const struct option_table *table, int *argc, char ***argv, void *settings, enum exit_code *ret_code);

/* Complains of the operands ("no FILE") and refers to --help. */
enum exit_code options_misused(const struct option_table *table, const char *what);

#endif
