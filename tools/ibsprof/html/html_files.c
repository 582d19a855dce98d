/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of web/ and the chart library as bytes of the program. A new file is a row below. */
#include "tools/ibsprof/html/html.h"

#include <string.h>

/* Debian's package node-d3: the single-file build of d3 5 (BSD licence, see web/d3-licence.txt). */
#ifndef D3_FILE
#define D3_FILE "/usr/share/nodejs/d3/dist/d3.min.js"
#endif

/* The assembler reads them: no generated source, no tool besides. */
#define BYTES(symbol_, path_)                                                                                          \
    __asm__(".pushsection .rodata, \"a\"\n"                                                                            \
            ".balign 8\n" #symbol_ ": .incbin \"" path_ "\"\n" #symbol_ "_end: .byte 0\n"                              \
            ".popsection\n");                                                                                          \
    extern const unsigned char symbol_[], symbol_##_end[];

BYTES(html_d3, D3_FILE)
BYTES(html_d3_licence, "tools/ibsprof/html/web/d3-licence.txt")
BYTES(html_report_css, "tools/ibsprof/html/web/report.css")
BYTES(html_base_js, "tools/ibsprof/html/web/base.js")
BYTES(html_charts_js, "tools/ibsprof/html/web/charts.js")
BYTES(html_listing_js, "tools/ibsprof/html/web/listing.js")
BYTES(html_views_js, "tools/ibsprof/html/web/views.js")
BYTES(html_views_cores_js, "tools/ibsprof/html/web/views_cores.js")
BYTES(html_views_lines_js, "tools/ibsprof/html/web/views_lines.js")
BYTES(html_views_certificate_js, "tools/ibsprof/html/web/views_certificate.js")
BYTES(html_views_noise_js, "tools/ibsprof/html/web/views_noise.js")
BYTES(html_noise_js, "tools/ibsprof/html/web/noise.js")
BYTES(html_compare_noise_js, "tools/ibsprof/html/web/compare_noise.js")
BYTES(html_sweep_js, "tools/ibsprof/html/web/sweep.js")
BYTES(html_views_run_js, "tools/ibsprof/html/web/views_run.js")
BYTES(html_views_roofline_js, "tools/ibsprof/html/web/views_roofline.js")
BYTES(html_report_js, "tools/ibsprof/html/web/report.js")
BYTES(html_compare_js, "tools/ibsprof/html/web/compare.js")
BYTES(html_hardware_js, "tools/ibsprof/html/web/hardware.js")
BYTES(html_archive_js, "tools/ibsprof/html/web/archive.js")
BYTES(html_trace_js, "tools/ibsprof/html/web/trace.js")

static const struct {
    const char *name;
    const unsigned char *begin, *end;
} files[] = {
    {"d3.min.js", html_d3, html_d3_end},
    {"d3-licence.txt", html_d3_licence, html_d3_licence_end},
    {"report.css", html_report_css, html_report_css_end},
    {"base.js", html_base_js, html_base_js_end},
    {"charts.js", html_charts_js, html_charts_js_end},
    {"listing.js", html_listing_js, html_listing_js_end},
    {"views.js", html_views_js, html_views_js_end},
    {"views_cores.js", html_views_cores_js, html_views_cores_js_end},
    {"views_lines.js", html_views_lines_js, html_views_lines_js_end},
    {"views_certificate.js", html_views_certificate_js, html_views_certificate_js_end},
    {"views_noise.js", html_views_noise_js, html_views_noise_js_end},
    {"noise.js", html_noise_js, html_noise_js_end},
    {"compare_noise.js", html_compare_noise_js, html_compare_noise_js_end},
    {"sweep.js", html_sweep_js, html_sweep_js_end},
    {"views_run.js", html_views_run_js, html_views_run_js_end},
    {"views_roofline.js", html_views_roofline_js, html_views_roofline_js_end},
    {"report.js", html_report_js, html_report_js_end},
    {"compare.js", html_compare_js, html_compare_js_end},
    {"hardware.js", html_hardware_js, html_hardware_js_end},
    {"archive.js", html_archive_js, html_archive_js_end},
    {"trace.js", html_trace_js, html_trace_js_end},
};

struct html_file html_file(const char *name)
{
    for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (strcmp(files[i].name, name) == 0)
            return (struct html_file){files[i].name, files[i].begin, (size_t)(files[i].end - files[i].begin)};
    return (struct html_file){name, NULL, 0};
}
