/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a trace of ops (config=trace) as a page: ops downwards, cycles to the right. */
#ifndef TOOLS_IBSPROF_TRACE_PAGE_H
#define TOOLS_IBSPROF_TRACE_PAGE_H

#include "tools/ibsprof/export/konata.h"

/* Writes the page, which html/web/trace.js draws. Returns false if writing failed. */
bool export_trace_page(FILE *to, const struct trace_file *file);

#endif
