/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/receive/received.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

/* Length of a line at ibsboot's prompt, and the most such lines for blocks before the whole file is requested. */
enum { COMMAND_MAX = 110, COMMANDS = 5 };

struct commands {
    char *line[COMMANDS];
    unsigned count;
    bool too_many;
};

static void add_command(struct commands *commands, const char *line)
{
    if (commands->count == COMMANDS)
        commands->too_many = true;
    else
        commands->line[commands->count++] = must_copy(line);
}

/* "40-47", or "40". */
static void range_text(char text[24], uint32_t first, uint32_t last)
{
    if (first == last)
        snprintf(text, 24, "%" PRIu32, first);
    else
        snprintf(text, 24, "%" PRIu32 "-%" PRIu32, first, last);
}

static bool is_missing(const struct received_file *file, uint32_t block)
{
    return block >= file->room || !file->size[block];
}

/* Writes the missing blocks as requests. */
static void ask_for_blocks(const struct received_file *file, struct commands *commands)
{
    uint32_t blocks = transfer_blocks(file->head.size);
    char line[COMMAND_MAX + 32] = "", text[24];

    for (uint32_t i = 0, last; i < blocks; i = last + 1) {
        last = i;
        if (!is_missing(file, i))
            continue;
        while (last + 1 < blocks && is_missing(file, last + 1))
            last++;
        range_text(text, i, last);
        if (line[0] && strlen(line) + strlen(text) + 1 > COMMAND_MAX) {
            add_command(commands, line);
            line[0] = '\0';
        }
        if (!line[0])
            snprintf(line, sizeof(line), "send %s:%s", file->head.name, text);
        else
            snprintf(line + strlen(line), sizeof(line) - strlen(line), ",%s", text);
    }
    if (line[0])
        add_command(commands, line);
}

static void print_commands(FILE *to, struct commands *commands, const char *all)
{
    if (commands->too_many)
        fprintf(to, "    at the prompt: %s\n", all);
    for (unsigned i = 0; i < commands->count; i++) {
        if (!commands->too_many)
            fprintf(to, "    at the prompt: %s\n", commands->line[i]);
        free(commands->line[i]);
    }
}

static void print_file(FILE *to, const struct received_file *file)
{
    uint32_t blocks = transfer_blocks(file->head.size), missing = 0;
    struct commands commands = {0};
    char *all = must_text("send %s", file->head.name);

    for (uint32_t i = 0; i < blocks; i++)
        missing += is_missing(file, i);
    if (received_file_wrong(file) || !missing) {
        fprintf(to, "  %s: its parts do not match; they are not kept\n    at the prompt: %s\n", file->head.name, all);
    } else {
        fprintf(to, "  %s: %" PRIu32 " of %" PRIu32 " blocks are missing\n", file->head.name, missing, blocks);
        if (missing < blocks)
            ask_for_blocks(file, &commands);
        else
            add_command(&commands, all);
        print_commands(to, &commands, all);
    }
    free(all);
}

void received_print(FILE *to, const struct received_run *run, const char *folder)
{
    uint64_t bytes = 0;
    unsigned complete = 0, nameless = 0;

    for (unsigned f = 0; f < run->files; f++) {
        const struct received_file *file = &run->file[f];

        complete += received_file_complete(file);
        nameless += !file->known;
        bytes += received_file_complete(file) ? file->head.size : 0;
    }
    fprintf(to, "%s: %u of %u files, %" PRIu64 " bytes%s\n", folder, complete, run->files, bytes,
            complete == run->files ? "" : "; INCOMPLETE:");
    for (unsigned f = 0; f < run->files; f++)
        if (run->file[f].known && !received_file_complete(&run->file[f]))
            print_file(to, &run->file[f]);
    if (nameless > 0)
        fprintf(to, "  files whose names did not arrive either: %u\n    at the prompt: send\n", nameless);
}
