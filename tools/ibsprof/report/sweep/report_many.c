/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/sweep/report_many.h"

#include "tools/ibsprof/noise/noise_report.h"
#include "tools/ibsprof/report/sweep/report_sweep.h"

static enum exit_code report_noise(const struct noise_files *files, enum form form, const char *output)
{
    if (form != FORM_FOLDED)
        return document_write(output, form, &noise_report_document, files);
    complain("noise runs have no stacks: --format is text, csv, json or html");
    return EXIT_USAGE;
}

static enum exit_code report_sweep(const struct run_list *list, enum form form, const char *against, const char *output)
{
    enum exit_code code;
    struct sweep *sweep;

    if (form == FORM_FOLDED) {
        complain("folded stacks take a single run");
        return EXIT_USAGE;
    }
    sweep = sweep_read(list, against);
    if (!sweep)
        return EXIT_INPUT;
    code = document_write(output, form, &sweep_document, sweep);
    sweep_free(sweep);
    return code;
}

bool report_many(const struct run_list *list, enum form form, const char *against, const char *output,
                 enum exit_code *ret_code)
{
    struct noise_files files = {0};
    bool done = true;

    if (!noise_files_read(&files, list)) {
        *ret_code = EXIT_INPUT;
    } else if (files.count > 0 && files.count == list->count) {
        *ret_code = report_noise(&files, form, output);
    } else if (files.count > 0) {
        complain("some of these are noise runs, others are not: report them separately");
        *ret_code = EXIT_USAGE;
    } else if (list->count > 1) {
        *ret_code = report_sweep(list, form, against, output);
    } else {
        done = false;
    }
    noise_files_free(&files);
    return done;
}
