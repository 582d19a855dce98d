/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen above the prompt: settings with meanings and values, the cost of the run, and the results of this boot. */
#ifndef APP_SCREEN_H
#define APP_SCREEN_H

#include "app/prompt/face.h"
#include "app/prompt/prompt.h"

enum screen_end {
    SCREEN_PROMPT, /* the user wants the prompt, or no screen is possible, after a line */
    SCREEN_QUIT,
};

enum screen_end screen_do(struct console *console, struct options *options, const struct prompt_actions *actions);

/* Lists the results, and shows the chosen reports. */
void screen_results(struct face *face, const struct results *results);

/* Shows the report of one result. */
void screen_result_read(struct face *face, const struct result *result);

#endif
