#include "tests/unit/app/fixture.h"

#include "tests/unit/drivers/fake_cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_firmware fake_fw;
static const uint8_t build_id[20] = {0x1b, 0x5b};
uint8_t *text_bytes;
uint64_t image_base;
struct image image;

int fixture_load(void **state)
{
    FILE *file = fopen("build/ibsboot-stage2.text", "rb");
    long size;

    (void)state;
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text_bytes = malloc((size_t)size);
    assert_int_equal(fread(text_bytes, 1, (size_t)size, file), size);
    fclose(file);
    image_base = (uint64_t)(uintptr_t)text_bytes - 0x1000; /* linker.ld: .text begins at 1000h */
    image = (struct image){.base = image_base, .text_rva = 0x1000, .text_size = (uint32_t)size, .build_id = build_id};
    return 0;
}

int fixture_free(void **state)
{
    (void)state;
    free(text_bytes);
    return 0;
}

int fixture_setup(void **state)
{
    fake.no_log = true; /* nobody reads it here, and it would be full after some runs */
    (void)state;
    fake_firmware_init(&fake_fw);
    fake_session_init(image_base);
    return 0;
}

int fixture_teardown(void **state)
{
    (void)state;
    fake_firmware_done(&fake_fw);
    return 0;
}

int start(const char *options)
{
    return app_main(&fake_fw.firmware, options, &image);
}

void assert_shown(const char *text)
{
    if (!strstr(fake_fw.screen, text))
        fail_msg("not shown: \"%s\" in:\n%s", text, fake_fw.screen);
}

void assert_not_shown(const char *text)
{
    if (strstr(fake_fw.screen, text))
        fail_msg("shown: \"%s\" in:\n%s", text, fake_fw.screen);
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
            fail_msg("a line is longer than 79 columns: ...%.100s", p - 79);
    }
}

const char *file_text(const char *path)
{
    const struct fake_file *file = fake_file_find(&fake_fw, path);

    if (!file)
        fail_msg("%s was not written", path);
    return file->data;
}

long long fact(const char *folder, const char *key)
{
    char path[128], line[128];
    const char *text, *found;

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%s\\run.ini", folder);
    snprintf(line, sizeof(line), "\n#: %s = ", key);
    text = file_text(path);
    found = strstr(text, line);
    return found ? atoll(found + strlen(line)) : -1;
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
