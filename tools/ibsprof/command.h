/* SPDX-License-Identifier: BSD-2-Clause */
/* Commands of ibsprof: a row each in main.c, a file each (cmd_*.c). */
#ifndef TOOLS_IBSPROF_COMMAND_H
#define TOOLS_IBSPROF_COMMAND_H

#include "tools/ibsprof/base/terminal.h"

struct command {
    const char *name;
    const char *summary;               /* one line for 'ibsprof --help' */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an enum exit_code */
    bool is_read;                      /* prints text for reading: use a pager */
};

extern const struct command command_runs, command_info, command_report, command_annotate, command_compare,
    command_export, command_hardware, command_receive, command_codemap, command_snippet, command_bias, command_archive,
    command_plan;

#endif
