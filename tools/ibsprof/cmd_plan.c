/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof plan: prints the runs of a plan, in order, before a machine is booted with it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/settings.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/command.h"
#include "tools/plan/plan.h"

static const struct option_row option_rows[] = {{0}};

static const struct option_table options = {
    .command = "plan",
    .usage = "usage: ibsprof plan FILE...\n"
             "\n"
             "Checks plans (docs/measuring.md) with the code of ibsboot, and lists their runs in order. The abilities "
             "of\na machine are not known here. A line is 'key = value', or begins a [section] with its own runs; a "
             "value\nmay be a list: 4k | 2m, 1..3, 10..50 +10, 4..16384 x2.\n",
    .rows = option_rows,
};

static enum exit_code print_one(const char *path)
{
    struct out_file out, problems;
    FILE *file = fopen(path, "rb");
    char *text;
    void *memory;
    size_t size;
    bool good;

    if (!file) {
        complain("%s: %s", path, strerror(errno));
        return EXIT_INPUT;
    }
    out_file_init(&out, stdout, false);
    out_file_init(&problems, stderr, false);
    text = must_alloc(1, SETTINGS_TEXT_MAX + 1);
    memory = must_alloc(1, plan_memory());
    size = fread(text, 1, SETTINGS_TEXT_MAX + 1, file);
    if (ferror(file)) {
        complain("%s: %s", path, strerror(errno));
        good = false;
    } else {
        good = plan_print(path, text, size, memory, &out.out, &problems.out);
    }
    (void)fclose(file);
    free(memory);
    free(text);
    return good ? EXIT_DONE : EXIT_INPUT;
}

static int run(int argc, char **argv)
{
    enum exit_code code;
    char none;

    if (!options_read(&options, &argc, &argv, &none, &code))
        return code;
    if (argc == 0)
        return options_misused(&options, "no FILE");
    for (int i = 0; i < argc; i++)
        if (print_one(argv[i]) != EXIT_DONE)
            code = EXIT_INPUT;
    return code;
}

const struct command command_plan = {"plan", "check a plan, and list its runs", run, true};
