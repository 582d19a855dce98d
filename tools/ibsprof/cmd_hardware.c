/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof hardware: answers of machines to config=hardware, side by side. */
#include <stdio.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/hardware/hardware_report.h"
#include "tools/ibsprof/read/run_archive.h"

struct hardware_settings {
    int form; /* enum form */
    const char *output;
};

static const struct option_row option_rows[] = {
    {"csv", 0, NULL, OPTION_VALUE, offsetof(struct hardware_settings, form), .value = FORM_CSV,
     .help = "write a row for each answer of each machine"},
    {"json", 'j', NULL, OPTION_VALUE, offsetof(struct hardware_settings, form), .value = FORM_JSON,
     .help = "write one JSON object: the questions, and the machines with their answers"},
    {"html", 0, NULL, OPTION_VALUE, offsetof(struct hardware_settings, form), .value = FORM_HTML,
     .help = "a page for a browser, in one file"},
    {"output", 'o', "FILE", OPTION_TEXT, offsetof(struct hardware_settings, output),
     .help = "write to FILE (default: standard output)"},
    {0},
};

static const struct option_table options = {
    .command = "hardware",
    .usage = "usage: ibsprof hardware [--csv | --json | --html] [-o FILE] FILE...\n"
             "\n"
             "Compares the answers of machines to config=hardware. Each FILE is a hardware.csv, or a folder or "
             "boot\nstick with this file. For each unexpected answer it shows which constant of the model or line of "
             "the driver\nchanges.\n",
    .rows = option_rows,
};

static int run(int argc, char **argv)
{
    struct hardware_settings settings = {.form = FORM_TEXT};
    struct hardware_report report = {0};
    enum exit_code code, written;
    char error[1024];

    if (!run_operands_read(&options, &argc, &argv, &settings, &code))
        return code;
    if (argc == 0)
        return options_misused(&options, "no FILE");
    for (int i = 0; i < argc; i++) {
        struct hardware_file file;

        if (!hardware_file_read(&file, argv[i], error, sizeof(error))) {
            complain("%s", error);
            code = EXIT_INPUT;
        }
        if (file.rows)
            *must_add(report.file, report.files) = file;
        else
            hardware_file_free(&file);
    }
    if (report.files) {
        hardware_report_begin(&report);
        written = document_write(settings.output, (enum form)settings.form, &hardware_document, &report);
        code = written ? written : code;
    }
    hardware_report_free(&report);
    return code;
}

const struct command command_hardware = {"hardware", "answers of machines to config=hardware, side by side", run, true};
