/* SPDX-License-Identifier: BSD-2-Clause */
/* 'ibsprof report' of several runs, and of runs that are no profile: noise runs side by side, and one workload over a
 * parameter (report_sweep.h). */
#ifndef TOOLS_IBSPROF_REPORT_MANY_H
#define TOOLS_IBSPROF_REPORT_MANY_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/read/run_folder.h"

/* False: it is one run with samples. True: reported, or complained of, with *ret_code. against: of a sweep; NULL: the
 * parameter that differs. */
bool report_many(const struct run_list *list, enum form form, const char *against, const char *output,
                 enum exit_code *ret_code);

#endif
