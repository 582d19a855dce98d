/* SPDX-License-Identifier: BSD-2-Clause */
/* Says whether each register and table that was changed is as before the run. */
#ifndef APP_REPORT_RESTORED_H
#define APP_REPORT_RESTORED_H

#include "app/run/run.h"

/* A line for all, one for each that is not as before, and one where run.ini's log lacks some. */
void report_restored(struct out *out, const struct run *run);

/* "restored.3 = CR3, 0x1000, 0x1000, same" and so on, for run.ini; of several cores each register once, with those that
 * changed it alike. */
void save_restored_facts(struct out *out, const struct run *run);

#endif
