/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles cores that did not return from a run. */
#ifndef APP_LOST_CORES_H
#define APP_LOST_CORES_H

#include "app/cores/cores.h"

/* Stops the cores of 'away' that still have not returned, when the program ends: the firmware unloads the image, and a
 * hanging core would execute whatever is loaded there. Prints a line for each. */
void lost_cores_stop(struct firmware *fw, const struct machine *machine, const struct cores_set *away, struct out *out);

#endif
