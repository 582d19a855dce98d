/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof codemap: the listing of own code, for the image, which has no disassembler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/command.h"
#include "tools/ibsprof/symbols/own_map.h"

struct codemap_settings {
    const char *output;
};

static const struct option_row option_rows[] = {
    {"output", 'o', "FILE", OPTION_TEXT, offsetof(struct codemap_settings, output),
     .help = "write to FILE (default: beside FILE.elf, as FILE.map)"},
    {0},
};

static const struct option_table options = {
    .command = "codemap",
    .usage =
        "usage: ibsprof codemap [-o FILE] FILE.elf...\n"
        "\n"
        "Checks own code (docs/own-code.md) as ibsboot does, and writes its listing beside it, FILE.map: put both\n"
        "into \\ibsboot\\code\\ of the stick, and ibsboot shows functions, lines and instructions. The virtual "
        "PMU\nneeds the map to step the code.\n",
    .rows = option_rows,
};

static void note(const char *place, const char *text, const char *why, const char *effect)
{
    printf("NOTE: %s: %s: %s: %s\n", place, text, why, effect);
}

static enum exit_code make_one(const char *path, const char *output)
{
    char *to = output ? must_copy(output) : own_map_path(path);
    struct own_map map;
    enum exit_code code = EXIT_DONE;

    if (!own_map_make(path, note, &map))
        code = EXIT_INPUT;
    else if (!output_replace(to, map.bytes, map.size))
        code = EXIT_OUTPUT;
    else
        printf("%s: %u instructions in %u functions\n", to, map.instructions, map.functions);
    free(map.bytes);
    free(to);
    return code;
}

static int run(int argc, char **argv)
{
    struct codemap_settings settings = {0};
    enum exit_code code;

    if (!options_read(&options, &argc, &argv, &settings, &code))
        return code;
    if (argc == 0)
        return options_misused(&options, "no FILE.elf");
    if (argc > 1 && settings.output)
        return options_misused(&options, "--output takes one FILE.elf");
    for (int i = 0; i < argc; i++) {
        enum exit_code one = make_one(argv[i], settings.output);

        code = one != EXIT_DONE ? one : code;
    }
    return code;
}

const struct command command_codemap = {"codemap", "make the listing of own code, which ibsboot shows", run, false};
