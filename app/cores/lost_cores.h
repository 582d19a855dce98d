/* SPDX-License-Identifier: BSD-2-Clause */
/* Cores that did not come back from a run. */
#ifndef APP_LOST_CORES_H
#define APP_LOST_CORES_H

#include "app/cores/cores.h"

/* Stops those of 'away' that are still away, at the program's end: the image is unloaded then, and a core that hangs
 * would go on in whatever comes there. A line says what became of each. */
void lost_cores_stop(struct firmware *fw, const struct machine *machine, const struct cores_set *away, struct out *out);

#endif
