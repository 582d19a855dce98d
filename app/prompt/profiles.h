/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Named profiles of settings: batch files on the volume, \ibsboot\NAME.txt, with a line 'run'. The first line that
 * begins with '#' states the purpose.
 */
#ifndef APP_PROFILES_H
#define APP_PROFILES_H

#include "app/prompt/prompt.h"

enum { PROFILES_MAX = 32, PROFILES_NAME_MAX = 40, PROFILES_WORDS = PROFILES_MAX * (PROFILES_NAME_MAX + 1) };

/* Prints name and purpose of each profile, sorted by name. Longer names, and files after PROFILES_MAX, are left out; a
 * line says so. */
void profiles_list(struct console *console);

/* Writes the names that profiles_list() prints, with '|' between. */
void profiles_words(struct firmware *fw, char (*ret_words)[PROFILES_WORDS]);

/* Executes the lines of a batch file as if typed. Returns false after a wrong line, or if the file could not be read,
 * after a line that begins with 'what'. */
bool profiles_run_file(struct console *console, struct options *options, const struct prompt_actions *actions,
                       const char *what, const char *path);

/* Executes the profile of that name, with ".txt" or without. */
bool profiles_run(struct console *console, struct options *options, const struct prompt_actions *actions,
                  const char *name);

#endif
