/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports noise runs: all regimes of all runs side by side. */
#ifndef TOOLS_IBSPROF_NOISE_REPORT_H
#define TOOLS_IBSPROF_NOISE_REPORT_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/noise/noise_files.h"

extern const struct document noise_report_document; /* for a struct noise_files; in CSV a row for each regime */

#endif
