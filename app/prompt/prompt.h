/* SPDX-License-Identifier: BSD-2-Clause */
/* The interactive prompt: change settings, run, show, quit. */
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

/* Says what a key within the given time asks for; counts down on the console. At once nothing without a keyboard. */
enum prompt_how prompt_wanted(struct console *console, unsigned seconds);

struct prompt_actions {
    void *context;
    void (*run)(void *context);
    /* Returns whether all that 'run' would do can be done with the settings as they are; if not, a line says why. */
    bool (*check)(void *context, struct out *problems);
    void (*refused)(void *context, const struct refusal *refusal); /* a batch, nothing of which was run */
    void (*again)(void *context);                                  /* print the last run's report once more */
    /* Send the last run's files over the serial port, all or those of 'what' (app/save/send.h); false: not all went. */
    bool (*send)(void *context, const char *what);
    /* Returns what 'check' does, and about what all of it takes. */
    bool (*expect)(void *context, struct out *problems, struct plan_cost *ret_cost);
    const struct machine *machine;
    struct results *results;
};

/* Until 'quit'. 'screen': begins with the screen (app/prompt/screen.h). False at once where there is no keyboard. */
bool prompt_loop(struct console *console, struct options *options, const struct prompt_actions *actions, bool screen);

/* The lines of a file as if they were typed: settings, 'run', and commands that show; lines with '#' are comments. All
 * lines are checked before the first is done, and with a wrong one none is. False then, and when a line failed. */
bool prompt_batch(struct console *console, struct options *options, const struct prompt_actions *actions,
                  const char *text, size_t size);

#endif
