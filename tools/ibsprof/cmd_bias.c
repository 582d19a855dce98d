/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof bias: how far each way of sampling is from exact counts. */
#include <stdio.h>

#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/bias/bias.h"
#include "tools/ibsprof/command.h"
#include "tools/ibsprof/read/run_archive.h"

struct bias_settings {
    int form; /* enum form */
    const char *output;
};

static const struct option_row option_rows[] = {
    {"json", 'j', NULL, OPTION_VALUE, offsetof(struct bias_settings, form), .value = FORM_JSON,
     .help = "write one JSON object: a row for each comparison"},
    {"output", 'o', "FILE", OPTION_TEXT, offsetof(struct bias_settings, output),
     .help = "write to FILE (default: standard output)"},
    {0},
};

static const struct option_table options = {
    .command = "bias",
    .usage = "usage: ibsprof bias [--json] [-o FILE] EXACT RUN...\n"
             "\n"
             "Compares the samples of RUNs by instruction with the exact counts of EXACT, a run with config=exact of\n"
             "the same workload, parameters and code: IBS op samples, samples of the counters 0C0 and 076, and of\n"
             "the timer. Says how many are elsewhere, and how many would be by chance alone; for runs on the "
             "virtual\nPMU also how far each is from the true time.\n",
    .rows = option_rows,
};

static int run(int argc, char **argv)
{
    struct bias_settings settings = {.form = FORM_TEXT};
    enum exit_code code;
    struct bias bias;

    if (!run_operands_read(&options, &argc, &argv, &settings, &code))
        return code;
    if (argc < 2)
        return options_misused(&options, argc ? "no RUN beside EXACT" : "no EXACT");
    if (bias_read(&bias, argv[0], argv + 1, argc - 1)) {
        bias_judge(&bias);
        code = document_write(settings.output, (enum form)settings.form, &bias_document, &bias);
    } else {
        code = EXIT_INPUT;
    }
    bias_free(&bias);
    return code;
}

const struct command command_bias = {"bias", "how far samples are from exact counts, and from chance", run, true};
