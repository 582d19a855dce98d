/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs commands of ibsprof in this process, as from a shell, and compares their output. */
#ifndef TESTS_UNIT_IBSPROF_TOOL_H
#define TESTS_UNIT_IBSPROF_TOOL_H

#include <stdio.h>

#include "tools/ibsprof/command.h"

struct tool_result {
    int status;
    char *out, *err; /* "FILES" replaces the folder of the test's files (files.h), and "N" the version */
};

/* Runs a command with the words after its name; NULL ends them. The texts are valid until the next call. */
struct tool_result tool_run(const struct command *command, ...);
struct tool_result tool_run_words(const struct command *command, const char *const *words);

/* Runs a command with a terminal of this many columns as standard output and standard error: both are in 'out'. */
struct tool_result tool_run_on_terminal(unsigned columns, const struct command *command, ...);

/* Captures what a function writes to a stream; the text is valid until the next call. */
#define TOOL_WRITES(stream_, call_) (tool_begin(&stream_), (void)(call_), tool_end(stream_))
void tool_begin(FILE **ret_stream);
const char *tool_end(FILE *stream);

/* Captures the messages of a function on standard error; the text is valid until the next call. */
#define TOOL_COMPLAINS(call_) (tool_begin_errors(), (void)(call_), tool_end_errors())
void tool_begin_errors(void);
const char *tool_end_errors(void);

/* Compares the status and both texts: the test fails at the first line that differs. */
void tool_expect(struct tool_result got, int status, const char *out, const char *err);

/* Compares two texts, and fails with the first line that differs. */
void expect_text(const char *got, const char *wanted);

/* Compares a text with a file below tests/unit/ibsprof/expected. A text that differs is left in
 * build/unit/ibsprof-got. */
void expect_file(const char *got, const char *name);

/* Expects success, nothing on standard error, and this file on standard output. */
void tool_writes(struct tool_result got, const char *name);

#endif
