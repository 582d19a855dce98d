/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a line at the prompt, with editing, a history, and completion by Tab. */
#ifndef APP_PROMPT_LINE_H
#define APP_PROMPT_LINE_H

#include "app/base/sinks.h"
#include "app/settings/options.h"
#include "core/screen/line.h"

void prompt_line(struct console *console, const struct options *options, struct line_history *history,
                 char (*ret_text)[LINE_MAX + 1]);

#endif
