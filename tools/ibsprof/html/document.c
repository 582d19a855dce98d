/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/html/document.h"

#include "tools/ibsprof/html/html.h"

bool document_put(FILE *to, enum form form, const struct document *document, const void *what)
{
    struct out_file out;

    if (form == FORM_JSON)
        return json_document(to, document->json, what);
    if (form == FORM_HTML)
        return html_page(to, document->title, document->script, document->id, document->json, what);
    out_file_init(&out, to, colour_allowed(fileno(to)));
    (form == FORM_TEXT ? document->text : document->csv)(&out, what);
    return true;
}

enum exit_code document_write(const char *path, enum form form, const struct document *document, const void *what)
{
    FILE *to = output_open(path);

    if (!to)
        return EXIT_OUTPUT;
    (void)document_put(to, form, document, what); /* output_close tells what could not be written */
    return output_close(to, path) ? EXIT_DONE : EXIT_OUTPUT;
}
