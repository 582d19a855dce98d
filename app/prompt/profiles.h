/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Named profiles of settings: batch files on the volume, \ibsboot\NAME.txt, with a line 'run'. What a profile is for
 * says its first line that begins with '#'.
 */
#ifndef APP_PROFILES_H
#define APP_PROFILES_H

#include "app/prompt/prompt.h"

enum { PROFILES_MAX = 32, PROFILES_NAME_MAX = 40, PROFILES_WORDS = PROFILES_MAX * (PROFILES_NAME_MAX + 1) };

/* Each profile's name and what it is for, a line each, in the order of names; longer names, and more than PROFILES_MAX
 * files, are left out, which a line says. */
void profiles_list(struct console *console);

/* Writes the names of those that profiles_list() shows, with '|' between. */
void profiles_words(struct firmware *fw, char (*ret_words)[PROFILES_WORDS]);

/* The lines of the batch file, as if they were typed. False after a wrong line, or a line that says why it could not be
 * read: 'what' begins it. */
bool profiles_run_file(struct console *console, struct options *options, const struct prompt_actions *actions,
                       const char *what, const char *path);

/* Runs the profile of that name, with ".txt" or without. */
bool profiles_run(struct console *console, struct options *options, const struct prompt_actions *actions,
                  const char *name);

#endif
