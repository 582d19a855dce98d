/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs several configurations, one after the other: those that the setting 'config' lists, and those that a kind stands
 * for. */
#ifndef APP_SEQUENCE_H
#define APP_SEQUENCE_H

#include "app/base/firmware.h"
#include "app/settings/options.h"
#include "drivers/machine/machine.h"

/* Sets the options of a kind's n-th configuration, counted from 0, that this machine can run. Returns false if there
 * are fewer. */
typedef bool sequence_step(unsigned n, const struct machine *machine, struct options *options);

/* Holds the caller's data. */
struct sequence {
    struct firmware *fw;
    const struct machine *machine;
    struct options *options; /* restored when sequence_each() returns */
    bool (*one)(void *context, struct out *problems);
    void *context;
};

/* Calls one() for each configuration, with 'config' and related options set, until one() returns false. */
bool sequence_each(const struct sequence *sequence, struct out *problems);

/* Returns whether the setting names several configurations, or one that stands for several. */
bool sequence_is_several(const char *config);

#endif
