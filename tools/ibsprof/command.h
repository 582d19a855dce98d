/*
 * The commands of ibsprof: a row each in main.c, a file each (cmd_*.c).
 *
 * Exit codes, the same for all: 0 done; 1 an input cannot be read, or was read only in part; 2 wrong usage; 3 'compare'
 * was asked to judge (--fail-if) and the verdict is that one; 4 an output cannot be written.
 */
#ifndef TOOLS_IBSPROF_COMMAND_H
#define TOOLS_IBSPROF_COMMAND_H

#include <stdbool.h>

enum exit_code { EXIT_DONE = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_VERDICT = 3, EXIT_OUTPUT = 4 };

struct command {
    const char *name;
    const char *summary;               /* one line for 'ibsprof --help' */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns enum exit_code */
};

extern const struct command command_info, command_report, command_annotate, command_compare, command_export;

/* "ibsprof: " and the line, on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Colour may be used on this stream: it is a terminal, NO_COLOR is not set (https://no-color.org) and TERM is not
 * "dumb". */
bool colour_allowed(int fd);

/* Progress on standard error when that is a terminal: "ibsprof: FILE: 42 %"; nothing otherwise, and nothing during the
 * first half second. progress_end wipes the line. */
void progress(const char *what, unsigned long long done, unsigned long long all);
void progress_end(void);

#endif
