/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports whether each changed register and table has its old value after the run. */
#ifndef APP_REPORT_RESTORED_H
#define APP_REPORT_RESTORED_H

#include "app/run/run.h"

/* Prints one line for all, one for each that differs, and one if run.ini's log is incomplete. */
void report_restored(struct out *out, const struct run *run);

/* Writes "restored.3 = CR3, 0x1000, 0x1000, same" and so on to run.ini; a register that several cores changed alike is
 * written once, with these cores. */
void save_restored_facts(struct out *out, const struct run *run);

#endif
