/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settings from hostile bytes: a file's text (first byte even) or load options (odd). In all cases values stay within
 * their ranges, the sink gets printable lines, and written settings read back without errors.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t number;
static bool flag;
static uint32_t choice;
static char string[12];

static const struct settings_row rows[] = {
    {"samples", SETTINGS_UINT, &number, "20", 10, 1000, NULL, "A number.", 0, false},
    {"random", SETTINGS_BOOL, &flag, "yes", 0, 0, NULL, "A flag.", 0, false},
    {"page_size", SETTINGS_CHOICE, &choice, "4k", 0, 0, "4k|2m|1g", "A choice.\nOf three.", 0, false},
    {"name", SETTINGS_STRING, string, "abc", 0, sizeof(string) - 1, NULL, "A text.", 0, false},
};
static const struct settings settings = {rows, sizeof(rows) / sizeof(rows[0]), NULL};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void count_write(struct out *out, const char *text, size_t length)
{
    (void)out;
    for (size_t i = 0; i < length; i++)
        check((text[i] >= ' ' && text[i] <= '~') || text[i] == '\n');
}

static void check_values(void)
{
    check(number >= 10 && number <= 1000);
    check(choice <= 2);
    check(memchr(string, 0, sizeof(string)) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct out sink = {count_write};
    struct out_memory memory;
    char written[2048];
    uint64_t was_number;
    uint32_t was_choice;
    char was_string[sizeof(string)];

    if (size == 0)
        return 0;
    check(settings_defaults(&settings) == 0);
    if (data[0] & 1)
        settings_parse_words(&settings, "words", (const char *)data + 1, size - 1, &sink);
    else
        settings_parse_text(&settings, "text", data + 1, size - 1, &sink);
    check_values();

    was_number = number;
    was_choice = choice;
    memcpy(was_string, string, sizeof(string));
    out_memory_init(&memory, written, sizeof(written));
    settings_write(&settings, &memory.out);
    check(memory.needed < sizeof(written));
    check(settings_defaults(&settings) == 0);
    check(settings_parse_text(&settings, "written", written, memory.needed, &sink) == 0);
    check(number == was_number && choice == was_choice && strcmp(string, was_string) == 0);
    return 0;
}
