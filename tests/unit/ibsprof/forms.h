/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs commands in many forms, on samples with random registers. Texts are compared by checksums, a line for each
 * command; build/unit/ibsprof-got/NAME.out has the texts. */
#ifndef TESTS_UNIT_IBSPROF_FORMS_H
#define TESTS_UNIT_IBSPROF_FORMS_H

#include <stdint.h>

#include "tests/unit/ibsprof/tool.h"

/* Return random bits that depend only on the seed; each bit is set in one of two cases, or in one of four. */
void forms_seed(uint64_t seed);
uint64_t forms_bits(void);
uint64_t forms_few_bits(void);
uint64_t forms_any(uint64_t count); /* Returns 0 to count - 1. */

/* Begin and end lines that are compared with expected/NAME.txt. */
void forms_begin(const char *name);
void forms_end(void);

/* Adds a line for a command's output; 'input' names its input. */
void forms_line(const char *command, const char *options, const char *input, struct tool_result got);

/* Runs a command with each of these options, whose words are separated by blanks, on these inputs. */
void forms_each(const struct command *command, const char *const *options, size_t count, const char *const *inputs,
                const char *name);
#define FORMS_EACH(command_, options_, inputs_, name_)                                                                 \
    forms_each(&(command_), options_, sizeof(options_) / sizeof((options_)[0]), inputs_, name_)

#endif
