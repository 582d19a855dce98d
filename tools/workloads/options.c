/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line, read by the parser of the image's load options (core/run/settings.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/workloads/twin.h"

#define AT(field) .offset = offsetof(struct twin_options, field)

static const struct twin_option options_table[] = {
    {{.key = "cpu", .type = SETTINGS_UINT, .initial = "0", .max = 8191, .help = "stay on this processor"}, AT(cpu)},
    {{.key = "pages",
      .type = SETTINGS_CHOICE,
      .initial = "4k",
      .choices = "4k|2m|1g",
      .help = "page size of the workload's memory: reserved huge pages, else transparent ones; the result is printed"},
     AT(pages)},
    {{.key = "repeat",
      .type = SETTINGS_UINT,
      .initial = "1",
      .min = 1,
      .max = 1000000,
      .help = "measured runs; the memory is prepared again for each"},
     AT(repeat)},
    {{.key = "warm_up",
      .type = SETTINGS_UINT,
      .initial = "0",
      .max = 1000000,
      .help = "runs before these that are not measured"},
     AT(warm_up)},
    {{.key = "pause",
      .type = SETTINGS_BOOL,
      .initial = "no",
      .help = "after preparing the first measured run, print the process id and wait for Enter or SIGUSR1"},
     AT(pause)},
    {{.key = "control",
      .type = SETTINGS_STRING,
      .initial = "",
      .max = TWIN_CONTROL_MAX,
      .help = "FIFOs COMMANDS[,ACKS] of 'perf record --delay=-1 --control=fifo:COMMANDS,ACKS': only the measured part "
              "is sampled"},
     AT(control)},
    {{.key = "print_map", .type = SETTINGS_BOOL, .initial = "no", .help = "print where the measured code is, and end"},
     AT(print_map)},
    {{.key = "format",
      .type = SETTINGS_CHOICE,
      .initial = "text",
      .choices = "text|csv|json|ini",
      .help = "of what is printed; --csv and --json are short for it; ini: as run.ini of a boot"},
     AT(format)},
};

enum { OPTIONS_FIXED = sizeof(options_table) / sizeof(options_table[0]) };

_Static_assert(OPTIONS_FIXED + PARAMS_MAX <= SETTINGS_ROWS_MAX, "room for all rows");

bool twin_has_option(const char *name)
{
    for (unsigned i = 0; i < OPTIONS_FIXED; i++)
        if (strcmp(options_table[i].row.key, name) == 0)
            return true;
    return false;
}

static void write_stderr(struct out *out, const char *text, size_t length)
{
    (void)out;
    fwrite(text, 1, length, stderr);
}

void twin_rows_make(struct settings_row *rows, const struct twin_option *table, unsigned count, void *values)
{
    for (unsigned i = 0; i < count; i++) {
        rows[i] = table[i].row;
        rows[i].value = (char *)values + table[i].offset;
    }
}

static void set_up(struct twin_options *options)
{
    bool good;

    *options = (struct twin_options){0};
    twin_rows_make(options->row, options_table, OPTIONS_FIXED, options);
    options->settings = (struct settings){.rows = options->row, .count = OPTIONS_FIXED};
    good = params_init(&options->params, options->row + OPTIONS_FIXED);
    for (unsigned i = 0; i < options->params.count; i++) {
        const char *key = options->params.row[i].key;

        good &= !settings_find(&options->settings, key, strlen(key)); /* a workload's parameter with an option's name */
    }
    options->settings.count += options->params.count;
    if (!good || settings_defaults(&options->settings)) {
        complain("the table of options is wrong; this is a defect of the program");
        abort();
    }
    options->cpu = UINT64_MAX;
}

/* "--key" as "key=yes" where key is yes or no. */
static void add_word(FILE *text, const struct settings *settings, const char *word)
{
    const struct settings_row *row;

    if (strcmp(word, "--csv") == 0 || strcmp(word, "--json") == 0) {
        fprintf(text, "format=%s\n", word + 2);
        return;
    }
    if (strncmp(word, "--", 2) == 0)
        word += 2;
    row = strchr(word, '=') ? NULL : settings_find(settings, word, strlen(word));
    fprintf(text, "%s%s\n", word, row && row->type == SETTINGS_BOOL ? "=yes" : "");
}

bool twin_words_read(const struct settings *settings, int count, char **words)
{
    struct out problems = {.write = write_stderr};
    char *text = NULL;
    size_t size = 0;
    unsigned wrong;
    FILE *stream = open_memstream(&text, &size);

    if (!stream) {
        complain("no memory");
        return false;
    }
    for (int i = 0; i < count; i++)
        add_word(stream, settings, words[i]);
    fclose(stream);
    wrong = settings_parse_words(settings, "ibsboot-workloads", text, size, &problems);
    free(text);
    return wrong == 0;
}

bool twin_options_read(struct twin_options *options, int count, char **words)
{
    set_up(options);
    return twin_words_read(&options->settings, count, words);
}

/* "--warm-up=N" and what it is for. */
void twin_options_help(const struct twin_option *table, unsigned count)
{
    static const char *const value[] = {[SETTINGS_UINT] = "=N", [SETTINGS_BOOL] = "", [SETTINGS_STRING] = "=..."};

    for (unsigned i = 0; i < count; i++) {
        const struct settings_row *row = &table[i].row;
        bool choice = row->type == SETTINGS_CHOICE;
        char word[80];

        snprintf(word, sizeof(word), "--%s%s%s", row->key, choice ? "=" : value[row->type], choice ? row->choices : "");
        for (char *c = word; *c; c++)
            if (*c == '_')
                *c = '-';
        printf("  %-22s %s\n", word, row->help);
    }
}

void twin_help(void)
{
    twin_options_help(options_table, OPTIONS_FIXED);
}
