/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen on top of the prompt: settings with what they mean and take, what the run will take, and the results of
 * this boot. */
#ifndef APP_SCREEN_H
#define APP_SCREEN_H

#include "app/prompt/face.h"
#include "app/prompt/prompt.h"

enum screen_end {
    SCREEN_PROMPT, /* the user wants the prompt, or there can be no screen, which a line has said */
    SCREEN_QUIT,
};

enum screen_end screen_do(struct console *console, struct options *options, const struct prompt_actions *actions);

/* The list of results, and the reports of those that are chosen. */
void screen_results(struct face *face, const struct results *results);

/* Shows the report of one. */
void screen_result_read(struct face *face, const struct result *result);

#endif
