/* SPDX-License-Identifier: BSD-2-Clause */
/* A function with its source lines and instructions, and their samples. */
#ifndef TOOLS_IBSPROF_ANNOTATE_H
#define TOOLS_IBSPROF_ANNOTATE_H

#include "tools/ibsprof/profile/measure.h"
#include "tools/ibsprof/base/out_file.h"

enum { ANNOTATE_MORE = 5 };

struct annotate_options {
    struct measure measure;             /* measure of shares and heat */
    struct measure more[ANNOTATE_MORE]; /* measures of further columns, as counts */
    unsigned more_count;
    const char *source_dir; /* NULL: none */
    unsigned width;
    bool colour;
};

/* Prints one function of an object of the profile. */
void annotate_function(struct out *out, const struct run_profile *profile, uint32_t object, uint32_t func,
                       const struct annotate_options *options);

/* Write the listing as CSV: a header, then for each function a row of its sums (row "function"), its source lines
 * ("line", or "inlined" from other files), and its instructions ("instruction", or "address" without known code). A
 * line without code has no figures. Figures are not rounded; a mean without a miss is an empty cell. */
void annotate_csv_header(struct out *out, const struct run_profile *profile, const struct annotate_options *options);
void annotate_csv(struct out *out, const struct run_profile *profile, uint32_t object, uint32_t func,
                  const struct annotate_options *options);

#endif
