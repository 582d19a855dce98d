/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps why a run is refused, and leaves it in the run's place for whoever was not there to read the screen. */
#ifndef APP_REFUSAL_H
#define APP_REFUSAL_H

#include "app/run/run.h"

enum { REFUSAL_TEXT = 1500 };

struct refusal {
    struct out out; /* for the problems */
    struct out *console;
    size_t length;
    char text[REFUSAL_TEXT + 1]; /* of which what is longer is cut */
};

/* Begins one; what is written to refusal->out goes to the console as well, unless that is NULL. */
void refusal_begin(struct refusal *refusal, struct out *console);

/* Saves it to a folder of runs, as begun.ini, and sends it over the serial port, whichever the settings want; a line
 * says where it is. 'run' has the firmware and the machine, and what else is known of the run. */
void refusal_save(const struct refusal *refusal, struct run *run, const struct options *options);

/* Reads \ibsboot\ibsboot.ini and the load options. Returns the number of problems. */
unsigned refusal_read_settings(struct refusal *refusal, struct firmware *fw, struct options *options,
                               const char *load_options);

#endif
