/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HTML reports: one file that works offline, from file://. The page is a shell: style, the scripts of
 * tools/ibsprof/html/web and the chart library (d3) are bytes of the program, the data is JSON in a <script
 * type="application/json">, and the script named last draws it. A Content-Security-Policy forbids every request.
 *
 * The heads of web/base.js, charts.js and listing.js say what these offer.
 */
#ifndef TOOLS_IBSPROF_HTML_H
#define TOOLS_IBSPROF_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/ibsprof/base/json.h"

/* Writes a page with the JSON that write() makes of 'what' (<script type="application/json" id=...>), drawn by a script
 * of web/ ("report.js"). Returns false if there is no such script, that was not one JSON value, or the stream has an
 * error. */
bool html_page(FILE *to, const char *title, const char *script, const char *id, json_fn *write, const void *what);

/* Returns a file of web/, or "d3.min.js"; size 0: no file of that name. */
struct html_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};
struct html_file html_file(const char *name);

#endif
