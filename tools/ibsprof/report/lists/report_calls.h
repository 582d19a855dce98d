/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples by their call stacks: functions with those that called them, or with those that they called, and whole
 * stacks. Text, CSV and JSON have the same rows; the text leaves out those with less than options.min_percent of the
 * samples and says how many.
 */
#ifndef TOOLS_IBSPROF_REPORT_CALLS_H
#define TOOLS_IBSPROF_REPORT_CALLS_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/report/tables/report_text.h"

bool report_is_calls(enum report_list list);

/* options.list says which, options.measure of what. Reads options.input again, from its begin; files of its maps are
 * looked for by 'search'. FORM_FOLDED: whole stacks for flame graphs, whatever the list. False, after a complaint: no
 * event of the file has call chains. */
bool report_calls(struct out_file *out, enum form form, const struct run_profile *profile,
                  const struct object_search *search, const struct report_options *options);

#endif
