/*
 * HTML reports: one file that works offline, from file://. The page is a shell: style, the scripts of tools/ibsprof/html/web
 * and the chart library (d3) are bytes of the program, the data is JSON in a <script type="application/json">, and the
 * script named last draws it. A Content-Security-Policy forbids every request.
 *
 * For other commands: html_begin, an html_data with the JSON of each thing to be drawn, then html_end with the name of
 * the script in web/ that draws it. What web/base.js, charts.js and listing.js offer is said at their heads.
 */
#ifndef TOOLS_IBSPROF_HTML_H
#define TOOLS_IBSPROF_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/ibsprof/base/json.h"

/* Text with '&', '<', '>' and quotes escaped. */
void html_text(FILE *to, const char *text);

/* From the doctype to <body>, with the style. */
void html_begin(FILE *to, const char *title);

/* <script type="application/json" id=...>; 'write' writes exactly one JSON value. False when it did not. */
bool html_data(FILE *to, const char *id, void (*write)(struct json *json, const void *what), const void *what);

/* The scripts: base, charts, listing, and the one that draws ("report.js"), then the end of the page. False when there
 * is no such script. */
bool html_end(FILE *to, const char *script);

/* A file of web/, or "d3.min.js"; size 0: there is none of that name. */
struct html_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};
struct html_file html_file(const char *name);

#endif
