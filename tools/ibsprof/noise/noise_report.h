/* SPDX-License-Identifier: BSD-2-Clause */
/* The report of noise runs: all regimes of all of them side by side. */
#ifndef TOOLS_IBSPROF_NOISE_REPORT_H
#define TOOLS_IBSPROF_NOISE_REPORT_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/noise/noise_files.h"

extern const struct document noise_report_document; /* of a struct noise_files; in CSV a row for each regime */

#endif
