/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "core/base/crc32c.h"

enum { WORDS = 12 };

static FILE *table, *texts;
static const char *compared;
static uint64_t state;

void forms_seed(uint64_t seed)
{
    state = seed;
}

uint64_t forms_bits(void)
{
    state = state * 6364136223846793005 + 1442695040888963407;
    return state >> 33 | state << 31;
}

uint64_t forms_few_bits(void)
{
    return forms_bits() & forms_bits();
}

uint64_t forms_any(uint64_t count)
{
    return forms_bits() % count;
}

void forms_begin(const char *name)
{
    char path[100];

    compared = name;
    mkdir("build/unit/ibsprof-got", 0777);
    snprintf(path, sizeof(path), "build/unit/ibsprof-got/%s.out", name);
    texts = fopen(path, "w");
    assert_non_null(texts);
    tool_begin(&table);
}

void forms_end(void)
{
    char name[100];

    fclose(texts);
    snprintf(name, sizeof(name), "%s.txt", compared);
    expect_file(tool_end(table), name);
}

void forms_line(const char *command, const char *options, const char *input, struct tool_result got)
{
    unsigned lines = 0;

    for (const char *at = got.out; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    fprintf(table, "%s %s %s: %d, %u lines, %08x %08x\n", command, options, input, got.status, lines,
            crc32c(0, got.out, strlen(got.out)), crc32c(0, got.err, strlen(got.err)));
    fprintf(texts, "==== %s %s %s: %d\n%s%s", command, options, input, got.status, got.out, got.err);
}

static struct tool_result command_with(const struct command *command, const char *options, const char *const *inputs)
{
    const char *words[2 * WORDS] = {0};
    char copy[200], *rest = copy;
    unsigned count = 0;

    snprintf(copy, sizeof(copy), "%s", options);
    for (const char *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
        words[count++] = word;
    for (unsigned i = 0; inputs[i]; i++)
        words[count++] = inputs[i];
    return tool_run_words(command, words);
}

void forms_each(const struct command *command, const char *const *options, size_t count, const char *const *inputs,
                const char *name)
{
    for (size_t i = 0; i < count; i++)
        forms_line(command->name, options[i], name, command_with(command, options[i], inputs));
}
