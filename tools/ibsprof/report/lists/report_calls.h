/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples by call stack: functions with their callers, or with the functions that they call, and whole stacks. Text,
 * CSV and JSON have the same rows; the text omits those with less than options.min_percent of the samples and says how
 * many.
 */
#ifndef TOOLS_IBSPROF_REPORT_CALLS_H
#define TOOLS_IBSPROF_REPORT_CALLS_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/report/tables/report_text.h"

bool report_is_calls(enum report_list list);

/* Writes the list options.list for options.measure. Reads options.input again, from its start; 'search' finds files of
 * maps. FORM_FOLDED: whole stacks for flame graphs, for any list. Returns false, after a complaint, if no event of the
 * file has call chains. */
bool report_calls(struct out_file *out, enum form form, const struct run_profile *profile,
                  const struct object_search *search, const struct report_options *options);

#endif
