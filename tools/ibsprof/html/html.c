/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/html/html.h"

/* Writes a text with '&', '<', '>' and quotes escaped. */
static void write_text(FILE *to, const char *text)
{
    static const char *const escapes[UINT8_MAX + 1] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};

    for (; *text; text++)
        if (escapes[(uint8_t)*text])
            fputs(escapes[(uint8_t)*text], to);
        else
            fputc(*text, to);
}

static void write_part(FILE *to, const char *name)
{
    struct html_file file = html_file(name);

    fwrite(file.bytes, 1, file.size, to);
}

/* From the doctype to <body>, with the style. */
static void write_head(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          /* Nothing is loaded, ever; the icon is none, so that browsers do not ask for one. */
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          to);
    write_text(to, title);
    fputs("</title>\n<style>\n", to);
    write_part(to, "report.css");
    fputs("</style>\n</head>\n<body>\n"
          "<noscript><p class=\"noscript\">This report needs JavaScript, which is switched off here. "
          "\"ibsprof report\" prints the report as text.</p></noscript>\n",
          to);
}

/* The scripts: base, charts, listing, and the one that draws, then the end of the page. */
static void write_scripts(FILE *to, const char *script)
{
    static const char *const always[] = {"base.js",        "charts.js",      "listing.js",
                                         "views.js",       "views_cores.js", "views_certificate.js",
                                         "views_noise.js", "views_run.js",   "views_roofline.js",
                                         "views_lines.js"};

    fputs("<script>\n/*\n", to);
    write_part(to, "d3-licence.txt");
    fputs("*/\n", to);
    write_part(to, "d3.min.js");
    fputs("\n</script>\n<script>\n\"use strict\";\n", to);
    for (unsigned i = 0; i < sizeof(always) / sizeof(always[0]); i++)
        write_part(to, always[i]);
    write_part(to, script);
    fputs("</script>\n</body>\n</html>\n", to);
}

bool html_page(FILE *to, const char *title, const char *script, const char *id, json_fn *write, const void *what)
{
    bool good;

    if (html_file(script).size == 0)
        return false;
    write_head(to, title);
    fprintf(to, "<script type=\"application/json\" id=\"%s\">\n", id);
    good = json_document(to, write, what);
    fputs("</script>\n", to);
    write_scripts(to, script);
    return good && fflush(to) == 0 && !ferror(to);
}
