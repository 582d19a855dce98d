/* SPDX-License-Identifier: BSD-2-Clause */
/* Learns what the machine is, before anything is measured. */
#ifndef APP_PROBE_H
#define APP_PROBE_H

#include "app/base/firmware.h"
#include "app/settings/options.h"
#include "core/base/out.h"
#include "drivers/machine/machine.h"

/* Fills the machine: processor, nodes, rate of the time-stamp counter. False after a line that says why it cannot. */
bool probe_machine(struct machine *machine, struct firmware *fw, struct out *problems);

/* Returns whether the machine has what the configurations need that are set at the start, or by a run of a plan; at the
 * prompt they may change. */
bool probe_suits(const struct machine *machine, const struct options *options);

/* Applies the setting zen_ibs_on where it is not as *asked, which it is then: tries once for each change. Returns
 * whether it tried. */
bool probe_switch_ibs(struct machine *machine, struct firmware *fw, bool on, bool *asked, struct out *problems);

/* Says what it lacks. */
void probe_refusal(const struct machine *machine, struct out *out);

/* Returns whether the image's code is what its code map describes: the listing and the straddle rule speak of these
 * very bytes; a patched image would be described wrongly. Says so. */
bool probe_code(const struct image *image, struct out *out);

#endif
