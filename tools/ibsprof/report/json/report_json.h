/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile as JSON: 'ibsprof report --json', and the data of the HTML report. docs/files.md describes the schema; its
 * version grows when a part changes its meaning or is removed.
 */
#ifndef TOOLS_IBSPROF_REPORT_JSON_H
#define TOOLS_IBSPROF_REPORT_JSON_H

#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/profile/profile.h"
#include "tools/ibsprof/views/views.h"

enum { REPORT_JSON_VERSION = 1 };

/* Writes more data of the samples into the document. */
typedef void report_more_fn(struct json *json, const struct run_profile *profile, void *context);

struct report_json_options {
    uint32_t rows_max; /* sampled instructions; beyond that, those with the fewest samples are summed up by function */
    uint32_t listed_max; /* instructions without samples; functions with the most samples are listed whole first */
    const struct views *own_views; /* from files, in addition to built-in ones; NULL: none */
    report_more_fn *more;          /* NULL: nothing */
    void *more_context;
    const char *source_dir; /* folder to search first for source files (source.h); NULL: only the usual ones */
};

extern const struct report_json_options report_json_all; /* omits nothing */

void report_json_write(struct json *json, const struct run_profile *profile, const struct report_json_options *options);

/* Writes the complete document to a stream; own_views and source_dir as above. Returns false if writing failed. */
bool report_json(FILE *to, const struct run_profile *profile, const struct views *own_views, const char *source_dir);

/* Writes the report of one run as an HTML page; the parameters are those of the options. Returns false if writing
 * failed. */
bool report_html(FILE *to, const struct run_profile *profile, const struct views *own_views, const char *source_dir,
                 report_more_fn *more, void *more_context);

#endif
