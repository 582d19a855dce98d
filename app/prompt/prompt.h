/* SPDX-License-Identifier: BSD-2-Clause */
/* The interactive prompt: changes settings, runs, shows, quits. */
#ifndef APP_PROMPT_H
#define APP_PROMPT_H

#include "app/base/firmware.h"
#include "app/settings/options.h"
#include "app/prompt/plan.h"
#include "app/prompt/refusal.h"
#include "app/prompt/results.h"
#include "app/base/sinks.h"
#include "core/screen/line.h"

enum { PROMPT_LINE_MAX = LINE_MAX };

enum prompt_how { PROMPT_NOT_WANTED, PROMPT_LINES, PROMPT_SCREEN };

/* Counts down on the console, and returns what the pressed key chose; PROMPT_NOT_WANTED at once if there is no
 * keyboard. */
enum prompt_how prompt_wanted(struct console *console, unsigned seconds);

struct prompt_actions {
    void *context;
    void (*run)(void *context);
    /* Returns whether 'run' can do everything with the present settings; if not, a line says why. */
    bool (*check)(void *context, struct out *problems);
    void (*refused)(void *context, const struct refusal *refusal); /* called if a whole batch is refused */
    void (*again)(void *context);                                  /* prints the last run's report again */
    /* Sends the last run's files over the serial port, all or those of 'what' (app/save/send.h). Returns false if some
     * were not sent. */
    bool (*send)(void *context, const char *what);
    /* Returns the result of 'check', and the approximate cost. */
    bool (*expect)(void *context, struct out *problems, struct plan_cost *ret_cost);
    const struct machine *machine;
    struct results *results;
};

/* Runs the prompt until 'quit'. screen: shows the screen first (app/prompt/screen.h). Returns false at once if there is
 * no keyboard. */
bool prompt_loop(struct console *console, struct options *options, const struct prompt_actions *actions, bool screen);

/* Executes the lines of a file as if typed: settings, 'run', and commands that show; '#' begins a comment. Checks all
 * lines before the first takes effect. Returns false if a line is wrong, and then executes none, or if one fails. */
bool prompt_batch(struct console *console, struct options *options, const struct prompt_actions *actions,
                  const char *text, size_t size);

#endif
