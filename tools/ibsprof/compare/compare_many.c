/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/compare/compare_many.h"

#include "tools/ibsprof/base/terminal.h"

bool compare_noise(const struct run_list sides[NOISE_SIDES], const struct noise_compare_options *options,
                   enum form form, const char *output, enum stat_verdict *ret_verdict, enum exit_code *ret_code)
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
            *ret_code = document_write(output, form, &noise_compare_document, &c);
            *ret_verdict = c.verdict;
        }
    }
    noise_compare_free(&c);
    noise_files_free(a);
    noise_files_free(b);
    return done;
}
