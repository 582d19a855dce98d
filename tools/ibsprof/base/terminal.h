/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages on standard error, and exit codes. */
#ifndef TOOLS_IBSPROF_TERMINAL_H
#define TOOLS_IBSPROF_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Exit codes of all commands: 0 done; 1 an input is unreadable, or was read only in part; 2 wrong usage; 3 the verdict
 * of 'compare' is one that --fail-if names; 4 an output cannot be written. */
enum exit_code { EXIT_DONE = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_VERDICT = 3, EXIT_OUTPUT = 4 };

/* Prints "ibsprof: " and the line on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns whether this stream may have colour: it is a terminal, NO_COLOR is not set (https://no-color.org) and TERM is
 * not "dumb". */
bool colour_allowed(int fd);

/* Returns the columns of standard output's terminal, limited to least..most; 0: no terminal, or not known. */
unsigned terminal_columns(unsigned least, unsigned most);

/* Show progress, "ibsprof: FILE: 42 %", if standard error is a terminal, after half a second. progress_end() erases the
 * line. */
void progress(const char *what, uint64_t done, uint64_t all);
void progress_end(void);

#endif
