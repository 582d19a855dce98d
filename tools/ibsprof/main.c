/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof: reads runs of ibsboot and perf.data files, draws them, and compares OS-free with OS profiles. */
#include "tools/ibsprof/command.h"

#include <stdio.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/version.h"
#include "tools/ibsprof/base/pager.h"
#include "tools/ibsprof/read/run_archive.h"

static const struct command *const commands[] = {
    &command_runs,     &command_info, &command_report,  &command_annotate, &command_export,  &command_compare,
    &command_hardware, &command_plan, &command_receive, &command_codemap,  &command_snippet, &command_bias,
    &command_archive,  NULL,
};

static void usage(FILE *to)
{
    fputs("usage: ibsprof COMMAND [OPTION...] FILE...\n"
          "\n"
          "Reads runs of ibsboot (folders, perf.data, IBSRUNS.TAR:NUMBER) and perf.data files of Linux' perf.\n"
          "\n",
          to);
    for (unsigned i = 0; commands[i]; i++)
        fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n'ibsprof COMMAND --help' explains a command; 'ibsprof --version' prints the version.\n", to);
}

/* Complains that there is no such command, and names the nearest one. */
static void no_command(const char *word)
{
    char near[NEAREST_MAX + 20];
    struct out_memory out;
    struct nearest nearest;

    out_memory_init(&out, near, sizeof(near));
    nearest_begin(&nearest, word, strlen(word));
    for (unsigned i = 0; commands[i]; i++)
        (void)nearest_try(&nearest, commands[i]->name, strlen(commands[i]->name));
    nearest_print(&nearest, &out.out);
    complain("no command '%s'%s 'ibsprof --help' lists them", word, nearest.name ? near : ";");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("ibsprof " IBSBOOT_VERSION);
        return EXIT_DONE;
    }
    for (unsigned i = 0; commands[i]; i++)
        if (strcmp(argv[1], commands[i]->name) == 0) {
            int code;

            if (commands[i]->is_read)
                pager_begin();
            code = commands[i]->run(argc - 1, argv + 1);
            return code == EXIT_DONE && run_archives_damaged() ? EXIT_INPUT : code;
        }
    no_command(argv[1]);
    return EXIT_USAGE;
}
