/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/report_many.h"

#include <stdlib.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/noise/noise_report.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/report/report_sweep.h"

static enum exit_code report_noise(const struct noise_files *files, enum report_form form, const char *output)
{
    struct out_file out;
    FILE *to;

    if (form == FORM_FOLDED) {
        complain("noise runs have no stacks: --format is text, csv, json or html");
        return EXIT_USAGE;
    }
    to = output_open(output);
    if (!to)
        return EXIT_OUTPUT;
    out_file_init(&out, to, false);
    if (form == FORM_TEXT)
        noise_report_text(&out.out, files);
    else if (form == FORM_CSV)
        noise_report_csv(&out.out, files);
    else if (form == FORM_JSON)
        (void)noise_report_json(to, files); /* output_close tells what could not be written */
    else
        (void)noise_report_html(to, files);
    return output_close(to, output) ? EXIT_DONE : EXIT_OUTPUT;
}

static enum exit_code report_sweep(const struct run_list *list, enum report_form form, const char *against,
                                   const char *output)
{
    char error[1024] = "";
    struct out_file out;
    struct sweep *sweep;
    FILE *to;

    if (form == FORM_FOLDED) {
        complain("folded stacks are of one run");
        return EXIT_USAGE;
    }
    sweep = sweep_read(list, against, error, sizeof(error));
    if (!sweep) {
        complain("%s", error);
        return EXIT_INPUT;
    }
    to = output_open(output);
    if (to) {
        out_file_init(&out, to, false);
        if (form == FORM_TEXT)
            sweep_text(&out.out, sweep);
        else if (form == FORM_CSV)
            sweep_csv(&out.out, sweep);
        else if (form == FORM_JSON)
            (void)sweep_json(to, sweep);
        else
            (void)sweep_html(to, sweep);
    }
    sweep_free(sweep);
    return to && output_close(to, output) ? EXIT_DONE : EXIT_OUTPUT;
}

bool report_many(const struct run_list *list, enum report_form form, const char *against, const char *output,
                 enum exit_code *ret_code)
{
    struct noise_files files = {0};
    bool done = true;

    if (!noise_files_read(&files, list)) {
        *ret_code = EXIT_INPUT;
    } else if (files.count > 0 && files.count == list->count) {
        *ret_code = report_noise(&files, form, output);
    } else if (files.count > 0) {
        complain("some of these are noise runs, others are not: report them apart");
        *ret_code = EXIT_USAGE;
    } else if (list->count > 1) {
        *ret_code = report_sweep(list, form, against, output);
    } else {
        done = false;
    }
    noise_files_free(&files);
    return done;
}
