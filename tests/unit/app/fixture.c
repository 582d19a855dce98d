/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/app/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/app/fake_loops.h"
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fake_trial.h"
#include "tests/unit/app/map.h"
#include "tests/unit/drivers/fake_cpu.h"

struct fake_firmware fake_fw;
static const uint8_t build_id[20] = {0x1b, 0x5b, [19] = 0xb5};
/* The file is longer than the buffer of a file. */
static uint8_t elf[5000] = {0x7f, 'E', 'L', 'F', [sizeof(elf) - 1] = 0xe1};
uint8_t *text_bytes;
struct image image = {
    .base = IMAGE_BASE,
    .text_rva = MAP_TEXT,
    .text_size = MAP_IMAGE_SIZE,
    .handler_rva = MAP_HANDLER,
    .handler_size = MAP_HANDLER_SIZE,
    .build_id = build_id,
    .elf = elf,
    .elf_size = sizeof(elf),
};

int fixture_load(void **state)
{
    if (text_bytes)
        return 0;
    text_bytes = fake_memory_map(IMAGE_BASE + MAP_TEXT, MAP_IMAGE_SIZE);
    assert_non_null(text_bytes);
    for (unsigned i = 0; i < MAP_TEXT_SIZE; i++)
        text_bytes[i] = map_byte(i);
    return 0;
}

int fixture_setup(void **state)
{
    fake_reset(4);          /* a processor whose counters can be programmed */
    fake.no_log = true;     /* the log is unused here, and would be full after some runs */
    fake_memory_give_all(); /* frees what a failed test has left */
    fake_firmware_init(&fake_fw);
    fake_session_init(IMAGE_BASE);
    fake_loops_init();
    fake_trial_init();
    return 0;
}

int fixture_teardown(void **state)
{
    fake_firmware_done(&fake_fw);
    return 0;
}

int start_as_is(const char *options)
{
    char words[4096];

    snprintf(words, sizeof(words), "%s%s", options, strstr(options, "hold_s=") ? "" : " hold_s=0");
    return app_main(&fake_fw.firmware, words, &image);
}

int start(const char *options)
{
    char words[4096];

    assert_true((size_t)snprintf(words, sizeof(words), "%s selftest=no%s", options,
                                 strstr(options, "reference=") ? "" : " reference=no") < sizeof(words));
    return start_as_is(words);
}

void set_two_nodes(void)
{
    fake_fw.cores = 4;
    fake_session.machine.cores = 2;
    fake_session.machine.core_bits = 1;
    fake_session.machine.nodes = (struct nodes){.count = 2,
                                                .mask = 3,
                                                .of_processor = 1,
                                                .ranges = 2,
                                                .range = {{0, NODE_1_MEMORY, 0}, {NODE_1_MEMORY, FAKE_MEMORY_END, 1}}};
}

void set_reference_counts(void)
{
    static const struct fake_count counts[] = {
        {.select = 0x076, .total = 1000000}, {.select = 0x041, .total = 20000},  {.select = 0x046, .total = 5000},
        {.select = 0x0C3, .total = 3000},    {.select = 0x0C0, .total = 900000}, {.select = 0x042, .total = 18000},
        {.select = 0x043, .total = 2000},    {.select = 0x067, .total = 700},
    };

    fake_session.result.counts.nmi = 100;
    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.calm = 500;
}

void set_family(uint32_t family, uint32_t model)
{
    fake_session.machine.family = family;
    fake_session.machine.model = model;
    fake_session.machine.revision = 0;
    fake_family(&fake_session.machine);
}

void assert_shown(const char *text)
{
    if (!strstr(fake_fw.screen, text))
        fail_msg("not shown: \"%s\" in:\n%s", text, fake_fw.screen);
}

/* Skips blanks and ends of lines. */
static size_t spaces(const char *text)
{
    return strspn(text, " \n");
}

static bool same_words(const char *shown, const char *text)
{
    while (*text) {
        if (spaces(text) ? !spaces(shown) : *shown != *text)
            return false;
        shown += spaces(text) ? spaces(shown) : 1;
        text += spaces(text) ? spaces(text) : 1;
    }
    return true;
}

unsigned times_said(const char *text)
{
    unsigned times = 0;

    for (const char *at = fake_fw.screen; *at; at++)
        times += same_words(at, text);
    return times;
}

void assert_says(const char *text)
{
    if (!times_said(text))
        fail_msg("not said: \"%s\" in:\n%s", text, fake_fw.screen);
}

void assert_not_shown(const char *text)
{
    if (strstr(fake_fw.screen, text))
        fail_msg("shown: \"%s\" in:\n%s", text, fake_fw.screen);
}

void assert_shown_times(const char *text, unsigned times)
{
    unsigned found = 0;

    for (const char *at = fake_fw.screen; (at = strstr(at, text)); at++)
        found++;
    if (found != times)
        fail_msg("%u times, not %u: \"%s\" in:\n%s", found, times, text, fake_fw.screen);
}

void assert_in_order(const char *const *texts, unsigned count)
{
    const char *at = fake_fw.screen;

    for (unsigned i = 0; i < count; i++) {
        const char *found = strstr(at, texts[i]);
        if (!found)
            fail_msg("\"%s\" is missing or out of order in:\n%s", texts[i], fake_fw.screen);
        at = found;
    }
}

void assert_lines_fit(void)
{
    unsigned column = 0;

    for (const char *p = fake_fw.screen; *p; p++) {
        column = *p == '\n' ? 0 : column + 1;
        if (column > 79)
            fail_msg("a line is longer than 79 columns: %.100s", p - 79);
    }
}

const char *file_text(const char *path)
{
    const struct fake_file *file = fake_file_find(&fake_fw, path);

    if (!file)
        fail_msg("%s was not written", path);
    return file->data;
}

static const char *find_fact(const char *folder, const char *key)
{
    char path[FAKE_PATH], line[128];
    const char *found;

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%s\\run.ini", folder);
    snprintf(line, sizeof(line), "\n#: %s = ", key);
    found = strstr(file_text(path), line);
    return found ? found + strlen(line) : NULL;
}

long long fact(const char *folder, const char *key)
{
    const char *found = find_fact(folder, key);

    return found ? atoll(found) : -1;
}

const char *saved_fact(const char *folder, const char *key)
{
    static char text[256];
    const char *found = find_fact(folder, key);

    snprintf(text, sizeof(text), "%.*s", found ? (int)strcspn(found, "\n") : 0, found ? found : "");
    return text;
}

const char *group_text(const struct fake_pass *pass, unsigned group)
{
    static char text[64];
    size_t length = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < pass->pmc.group[group].events; i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%03x", i ? " " : "",
                                   pass->pmc.event[pass->pmc.group[group].event[i]].select);
    return text;
}
