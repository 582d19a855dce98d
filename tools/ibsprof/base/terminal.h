/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages on standard error, and the codes with which the program ends. */
#ifndef TOOLS_IBSPROF_TERMINAL_H
#define TOOLS_IBSPROF_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Exit codes of all commands: 0 done; 1 an input cannot be read, or was read only in part; 2 wrong usage; 3 'compare'
 * was asked to judge (--fail-if) and the verdict is one of those asked for; 4 an output cannot be written. */
enum exit_code { EXIT_DONE = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_VERDICT = 3, EXIT_OUTPUT = 4 };

/* "ibsprof: " and the line, on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Colour may be used on this stream: it is a terminal, NO_COLOR is not set (https://no-color.org) and TERM is not
 * "dumb". */
bool colour_allowed(int fd);

/* Columns of the terminal that standard output is, from least to most; 0: it is none, or does not say. */
unsigned terminal_columns(unsigned least, unsigned most);

/* Progress on standard error when that is a terminal: "ibsprof: FILE: 42 %"; nothing otherwise, and nothing during the
 * first half second. progress_end wipes the line. */
void progress(const char *what, uint64_t done, uint64_t all);
void progress_end(void);

#endif
