/* SPDX-License-Identifier: BSD-2-Clause */
/* The report of noise runs: all regimes of all of them side by side. */
#ifndef TOOLS_IBSPROF_NOISE_REPORT_H
#define TOOLS_IBSPROF_NOISE_REPORT_H

#include <stdio.h>

#include "core/out.h"
#include "tools/ibsprof/noise/noise_files.h"

void noise_report_text(struct out *out, const struct noise_files *files);
void noise_report_csv(struct out *out, const struct noise_files *files); /* a row for each regime */

/* False when it could not be written. */
bool noise_report_json(FILE *to, const struct noise_files *files);
bool noise_report_html(FILE *to, const struct noise_files *files);

#endif
