/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads by instruction: stride, lines and pages of sampled addresses (profile/data/stride.h). */
#ifndef TOOLS_IBSPROF_REPORT_LOADS_H
#define TOOLS_IBSPROF_REPORT_LOADS_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/report/tables/report_text.h"

/* Writes text, CSV or JSON. Reads options.input again, from its start. The text omits loads with less than
 * options.min_percent of the load samples. */
void report_loads(struct out_file *out, enum form form, const struct run_profile *profile,
                  const struct object_search *search, const struct report_options *options);

#endif
