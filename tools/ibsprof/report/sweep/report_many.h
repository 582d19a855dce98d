/* SPDX-License-Identifier: BSD-2-Clause */
/* 'ibsprof report' of several runs, or of runs without a profile: noise runs side by side, or one workload over a
 * parameter (report_sweep.h). */
#ifndef TOOLS_IBSPROF_REPORT_MANY_H
#define TOOLS_IBSPROF_REPORT_MANY_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/read/run_folder.h"

/* Returns false for one run with samples. Otherwise reports or complains, and sets *ret_code. against: parameter of a
 * sweep; NULL: the one that differs. */
bool report_many(const struct run_list *list, enum form form, const char *against, const char *output,
                 enum exit_code *ret_code);

#endif
