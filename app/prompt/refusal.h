/* SPDX-License-Identifier: BSD-2-Clause */
/* Records why a run is refused, and saves the reason in the run's place for users who did not see the screen. */
#ifndef APP_REFUSAL_H
#define APP_REFUSAL_H

#include "app/run/run.h"

enum { REFUSAL_TEXT = 1500 };

struct refusal {
    struct out out; /* receives the problems */
    struct out *console;
    size_t length;
    char text[REFUSAL_TEXT + 1]; /* longer text is cut */
};

/* Begins a refusal. Text written to refusal->out also goes to the console, unless that is NULL. */
void refusal_begin(struct refusal *refusal, struct out *console);

/* Saves the refusal as begun.ini in a folder of runs, and sends it over the serial port, whatever the settings; a line
 * says where it is. 'run' has the firmware, the machine, and what else is known. */
void refusal_save(const struct refusal *refusal, struct run *run, const struct options *options);

/* Reads \ibsboot\ibsboot.ini and the load options. Returns the number of problems. */
unsigned refusal_read_settings(struct refusal *refusal, struct firmware *fw, struct options *options,
                               const char *load_options);

#endif
