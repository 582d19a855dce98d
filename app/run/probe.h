/* SPDX-License-Identifier: BSD-2-Clause */
/* Examines the machine before anything is measured. */
#ifndef APP_PROBE_H
#define APP_PROBE_H

#include "app/base/firmware.h"
#include "app/settings/options.h"
#include "core/base/out.h"
#include "drivers/machine/machine.h"

/* Fills in processor, nodes, and rate of the time-stamp counter. Returns false after a line that says why it cannot. */
bool probe_machine(struct machine *machine, struct firmware *fw, struct out *problems);

/* Returns whether the machine has what the configurations of the start or of a plan's run need; the prompt may change
 * them. */
bool probe_suits(const struct machine *machine, const struct options *options);

/* Applies the setting zen_ibs_on if it differs from *asked, and sets *asked: tries once for each change. Returns
 * whether it tried. */
bool probe_switch_ibs(struct machine *machine, struct firmware *fw, bool on, bool *asked, struct out *problems);

/* Prints what the machine lacks. */
void probe_refusal(const struct machine *machine, struct out *out);

/* Returns whether the image's code equals what its code map describes; prints if not. The listing and the straddle rule
 * would be wrong for a patched image. */
bool probe_code(const struct image *image, struct out *out);

#endif
