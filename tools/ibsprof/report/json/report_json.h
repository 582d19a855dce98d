/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile as JSON: 'ibsprof report --json', and the data of the HTML report. The schema is described in
 * docs/files.md; its version grows when something in it changes its meaning or goes away.
 */
#ifndef TOOLS_IBSPROF_REPORT_JSON_H
#define TOOLS_IBSPROF_REPORT_JSON_H

#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/profile/profile.h"
#include "tools/ibsprof/views/views.h"

enum { REPORT_JSON_VERSION = 1 };

/* Writes more of the samples into the document. */
typedef void report_more_fn(struct json *json, const struct run_profile *profile, void *context);

struct report_json_options {
    uint32_t rows_max;   /* sampled instructions; beyond that those with the fewest samples are summed up by function */
    uint32_t listed_max; /* instructions without samples: functions with the most samples are listed whole first */
    const struct views *own_views; /* of files, beside the compiled ones; NULL: none */
    report_more_fn *more;          /* NULL: nothing more */
    void *more_context;
    const char *source_dir; /* where source files are looked for first (source.h); NULL: nowhere else than always */
};

extern const struct report_json_options report_json_all; /* nothing is left out */

void report_json_write(struct json *json, const struct run_profile *profile, const struct report_json_options *options);

/* All of it, to a stream; own_views and source_dir as above. False when it could not be written. */
bool report_json(FILE *to, const struct run_profile *profile, const struct views *own_views, const char *source_dir);

/* The report of one run as an HTML page; the rest as in the options above. False when it could not be written. */
bool report_html(FILE *to, const struct run_profile *profile, const struct views *own_views, const char *source_dir,
                 report_more_fn *more, void *more_context);

#endif
