/* SPDX-License-Identifier: BSD-2-Clause */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cpu.h"

enum { TEXT_BYTES = 1 << 18, PERIOD_MOST = 8 };

static char text[TEXT_BYTES];
static size_t length;

void golden_begin(void)
{
    length = 0;
    text[0] = '\0';
}

static void add(const char *bytes, size_t size)
{
    assert_true(length + size + 1 < sizeof text);
    memcpy(text + length, bytes, size);
    length += size;
    text[length] = '\0';
}

/* Returns the end of so many lines from here on, or NULL if there are fewer. */
static const char *after_lines(const char *at, unsigned lines)
{
    for (; lines && at; lines--) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at;
}

/* Returns how many times a piece of text follows itself. */
static unsigned repeats(const char *at, size_t size)
{
    unsigned times = 1;

    while (!strncmp(at, at + times * size, size))
        times++;
    return times;
}

void golden_add(const char *title)
{
    golden_add_from(title, 0);
}

void golden_add_from(const char *title, size_t place)
{
    char line[200];

    add(line, (size_t)snprintf(line, sizeof line, "== %s\n", title));
    for (const char *at = fake.log + place; *at;) {
        size_t size = 0;
        unsigned times = 1, lines = 0;

        while (times < 3 && ++lines <= PERIOD_MOST) {
            const char *end = after_lines(at, lines);

            size = end ? (size_t)(end - at) : 0;
            times = size ? repeats(at, size) : 1;
        }
        if (times < 3)
            size = (size_t)(after_lines(at, 1) - at);
        add(at, size);
        if (times >= 3)
            add(line, (size_t)snprintf(line, sizeof line, "    the last %u: %u times\n", lines, times));
        at += size * (times >= 3 ? times : 1);
    }
}

void golden_compare(const char *name)
{
    static char wanted[TEXT_BYTES];
    const char *rebase = getenv("REBASE");
    char path[200];
    FILE *file;
    size_t size = 0;

    snprintf(path, sizeof path, "tests/unit/drivers/golden/%s", name);
    file = fopen(path, "r");
    if (file) {
        size = fread(wanted, 1, sizeof wanted - 1, file);
        fclose(file);
    }
    wanted[size] = '\0';
    if (!strcmp(wanted, text))
        return;
    if (rebase && *rebase == '1') {
        print_error("%s is written anew: look at the difference with git\n", path);
        file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(text, 1, length, file), length);
        assert_int_equal(fclose(file), 0);
        return;
    }
    size = 0;
    while (wanted[size] && wanted[size] == text[size])
        size++;
    while (size && text[size - 1] != '\n')
        size--;
    fail_msg("%s differs (REBASE=1 writes it anew); it has:\n%.300s\nand now there is:\n%.300s", path, wanted + size,
             text + size);
}
