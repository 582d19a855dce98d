/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes documents of commands in the requested form. */
#ifndef TOOLS_IBSPROF_DOCUMENT_H
#define TOOLS_IBSPROF_DOCUMENT_H

#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/base/terminal.h"

enum form { FORM_TEXT, FORM_CSV, FORM_JSON, FORM_HTML, FORM_FOLDED, FORM_AUTOFDO };

/* Functions that write all of 'what'. */
struct document {
    void (*text)(struct out_file *to, const void *what);
    void (*csv)(struct out_file *to, const void *what);
    json_fn *json;
    const char *title, *script, *id; /* for the page that draws the JSON: html_page */
};

/* Writes text, CSV, JSON or HTML. Returns false if writing JSON or HTML failed. */
bool document_put(FILE *to, enum form form, const struct document *document, const void *what);

/* Writes the document to 'path'; NULL or "-": standard output. Prints errors. */
enum exit_code document_write(const char *path, enum form form, const struct document *document, const void *what);

#endif
