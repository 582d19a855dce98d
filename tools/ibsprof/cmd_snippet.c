/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof snippet: own code of a few instructions, and results of its runs for each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/code/code_map.h"
#include "core/code/code_note.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/command.h"
#include "tools/ibsprof/read/run_archive.h"
#include "tools/ibsprof/snippet/snippet_elf.h"
#include "tools/ibsprof/snippet/snippet_runs.h"
#include "tools/ibsprof/symbols/own_map.h"

enum { OTHER_INSTRUCTIONS = 60 /* most instructions around the loops */ };

struct snippet_settings {
    const char *output, *init;
    uint32_t unroll, loop;
    bool of;
};

#define PLACE(member_) offsetof(struct snippet_settings, member_)
static const struct option_row option_rows[] = {
    {"output", 'o', "FILE.elf", OPTION_TEXT, PLACE(output),
     .help = "write to FILE.elf, and its listing to FILE.map (default: snippet.elf)"},
    {"unroll", 'u', "U", OPTION_COUNT, PLACE(unroll), .least = 1, .most = SNIPPET_UNROLL_MAX,
     .help = "copies of the snippet in the loop (default: 100)"},
    {"loop", 'l', "N", OPTION_COUNT, PLACE(loop), .least = 1, .most = SNIPPET_LOOP_MAX,
     .help = "iterations of the loop, unless a run sets loop=N (default: 1000)"},
    {"init", 'i', "TEXT", OPTION_TEXT, PLACE(init), .help = "instructions once before the loop"},
    {"of", 0, NULL, OPTION_FLAG, PLACE(of), .help = "instead print the cost of each instruction in these RUNs"},
    {0},
};

static const struct option_table options = {
    .command = "snippet",
    .usage = "usage: ibsprof snippet [OPTION...] TEXT\n"
             "       ibsprof snippet --of RUN...\n"
             "\n"
             "Makes own code (docs/own-code.md) from a few instructions in Intel's syntax, such as\n'imul rax, rbx; "
             "add rcx, rax', with GNU as and ld: a loop with copies of TEXT, and an empty loop, for\n'./dev run --code "
             "FILE.elf' or the folder \\ibsboot\\code\\ of the stick.\n\n"
             "TEXT may use all registers except rsp and r15, the loop's counter. r14, rdi and rsi begin in the middle "
             "of\n1 MB of memory, all others at 0. TEXT may jump within itself.\n\n"
             "RUNs, or folders of them, that counted two of body=1 (the empty loop), 2 (the copies) and 3 (twice as\n"
             "many) are subtracted; RUNs that sampled by IBS show the cycles of each instruction.\n",
    .rows = option_rows,
};

/* ---------------------------------------------------------------- the file */

/* Returns the workload's name, from FILE.elf without folder and suffix; NULL after a complaint. */
static char *name_of(const char *path)
{
    const char *begin = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t length = strlen(begin);

    if (length > 4 && length - 4 < CODE_NAME && strcmp(begin + length - 4, ".elf") == 0 &&
        strspn(begin, "abcdefghijklmnopqrstuvwxyz0123456789-_") == length - 4)
        return must_text("%.*s", (int)(length - 4), begin);
    complain("%s: ibsboot takes names of at most %d characters of a-z, 0-9, '-' and '_' followed by .elf: choose "
             "another name",
             path, CODE_NAME - 1);
    return NULL;
}

/* Returns whether the map has room for the unrolled snippet, three times. */
static bool fits(const struct snippet *snippet)
{
    uint32_t others = OTHER_INSTRUCTIONS + snippet->init.instructions;
    uint32_t room = others < CODE_MAP_INSNS_MAX ? CODE_MAP_INSNS_MAX - others : 0;
    uint32_t most = room / (3 * snippet->code.instructions);

    if (snippet->unroll <= most)
        return true;
    if (most)
        complain("the snippet: with %u instruction%s, a map has room for only %u copies: choose --unroll=%u",
                 snippet->code.instructions, snippet->code.instructions == 1 ? "" : "s", most, most);
    else
        complain("the snippet: with %u instructions, and %u of --init, it is longer than a map allows, %d",
                 snippet->code.instructions, snippet->init.instructions, CODE_MAP_INSNS_MAX);
    return false;
}

static void no_note(const char *place, const char *text, const char *why, const char *effect)
{
    (void)place, (void)text, (void)why, (void)effect; /* snippet_code_make() has printed this once for all copies */
}

static char *read_all(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    size_t room = 8u << 20;
    char *bytes = must_alloc(room, 1);

    *ret_size = file ? fread(bytes, 1, room, file) : 0;
    if (file)
        (void)fclose(file);
    return bytes;
}

static enum exit_code write_files(const struct snippet *snippet, const char *linked, const char *output)
{
    struct own_map map;
    size_t size;
    char *elf = read_all(linked, &size), *map_path = own_map_path(output);
    enum exit_code code = EXIT_INPUT;

    if (own_map_make(linked, no_note, &map)) {
        code = output_replace(output, elf, size) && output_replace(map_path, map.bytes, map.size) ? EXIT_DONE
                                                                                                  : EXIT_OUTPUT;
        if (code == EXIT_DONE)
            printf("%s: %u instruction%s, %u times in a loop of %u; its listing is %s\n", output,
                   snippet->code.instructions, snippet->code.instructions == 1 ? "" : "s", snippet->unroll,
                   snippet->loop, map_path);
    }
    free(map.bytes);
    free(map_path);
    free(elf);
    return code;
}

static bool make_code(const struct binutils *tools, const struct snippet_settings *settings, struct snippet *snippet)
{
    if (!snippet_code_make(tools, snippet->text, "the snippet", &snippet->code))
        return false;
    if (snippet->code.instructions == 0) {
        complain("the snippet: it has no instruction");
        return false;
    }
    return (!settings->init || snippet_code_make(tools, settings->init, "--init", &snippet->init)) && fits(snippet);
}

static enum exit_code make(const struct snippet_settings *settings, const char *text, char *name)
{
    struct snippet snippet = {.name = name, .text = text, .unroll = settings->unroll, .loop = settings->loop};
    struct binutils tools;
    enum exit_code code = EXIT_INPUT;
    char *source, *linked;

    if (!binutils_begin(&tools))
        return EXIT_OUTPUT;
    if (make_code(&tools, settings, &snippet)) {
        source = snippet_source(&snippet);
        linked = binutils_path(&tools, "snippet.elf");
        if (binutils_assemble(&tools, "snippet", source, "the unrolled snippet") && binutils_link(&tools, "snippet"))
            code = write_files(&snippet, linked, settings->output);
        free(linked);
        free(source);
    }
    free(snippet.code.bytes);
    free(snippet.init.bytes);
    binutils_end(&tools);
    return code;
}

static int run(int argc, char **argv)
{
    struct snippet_settings settings = {.output = "snippet.elf", .unroll = 100, .loop = 1000};
    enum exit_code code;
    char *name;

    if (!options_read(&options, &argc, &argv, &settings, &code))
        return code;
    if (settings.of && argc == 0)
        return options_misused(&options, "no RUN");
    if (settings.of) {
        code = run_archives_open(argc, argv) ? snippet_runs_print(stdout, argv, argc) : EXIT_INPUT;
        return output_close(stdout, NULL) ? (int)code : EXIT_OUTPUT;
    }
    if (argc != 1)
        return options_misused(&options, argc ? "more than one TEXT" : "no TEXT");
    name = name_of(settings.output);
    code = name ? make(&settings, argv[0], name) : EXIT_USAGE;
    free(name);
    return code;
}

const struct command command_snippet = {"snippet", "make own code of a few instructions, and print the cost of each",
                                        run, false};
