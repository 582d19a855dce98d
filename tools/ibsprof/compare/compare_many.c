/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/compare/compare_many.h"

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/base/out_file.h"

static enum exit_code write_comparison(const struct noise_comparison *c, enum compare_format format, const char *output)
{
    FILE *to = output_open(output);

    if (!to)
        return EXIT_OUTPUT;
    if (format == COMPARE_TEXT)
        noise_compare_text(to, c);
    else if (format == COMPARE_CSV)
        noise_compare_csv(to, c);
    else if (format == COMPARE_JSON)
        (void)noise_compare_json(to, c); /* output_close tells what could not be written */
    else
        (void)noise_compare_html(to, c);
    return output_close(to, output) ? EXIT_DONE : EXIT_OUTPUT;
}

bool compare_noise(const struct run_list sides[NOISE_SIDES], const struct noise_compare_options *options,
                   enum compare_format format, const char *output, enum stat_verdict *ret_verdict,
                   enum exit_code *ret_code)
{
    struct noise_comparison c = {.options = *options};
    struct noise_files *a = &c.side[0].files, *b = &c.side[1].files;
    bool done = true;
    char error[1024];

    *ret_code = EXIT_INPUT;
    if (noise_files_read(a, &sides[0]) && noise_files_read(b, &sides[1])) {
        uint32_t noise = a->count + b->count;

        if (noise == 0) {
            done = false;
        } else if (noise < sides[0].count + sides[1].count) {
            complain("compare: some of these are noise runs, others are not");
        } else if (!noise_compare(&c, error, sizeof(error))) {
            complain("%s", error);
        } else {
            *ret_code = write_comparison(&c, format, output);
            *ret_verdict = c.verdict;
        }
    }
    noise_files_free(a);
    noise_files_free(b);
    return done;
}
