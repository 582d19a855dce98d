/* SPDX-License-Identifier: BSD-2-Clause */
/* Several configurations, one after the other: those that the setting 'config' lists, and those that a kind stands for.
 */
#ifndef APP_SEQUENCE_H
#define APP_SEQUENCE_H

#include "app/base/firmware.h"
#include "app/settings/options.h"
#include "drivers/machine/machine.h"

/* Sets the options of a kind's n-th configuration, counted from 0, of those that this machine can run. False: there are
 * no more. */
typedef bool sequence_step(unsigned n, const struct machine *machine, struct options *options);

/* Names who calls, and for whom. */
struct sequence {
    struct firmware *fw;
    const struct machine *machine;
    struct options *options; /* as they were, once sequence_each() has returned */
    bool (*one)(void *context, struct out *problems);
    void *context;
};

/* Calls one() for each configuration, with 'config' and what else it needs set, up to one for which it is false. */
bool sequence_each(const struct sequence *sequence, struct out *problems);

/* The setting names several, or one that stands for several. */
bool sequence_is_several(const char *config);

#endif
