/* run.ini of a run: settings as "key = value", what came of them as "#: key = value" (app/save_ini.c). */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/origin.h"
#include "tools/ibsprof/read/input_inside.h"
#include "tools/ibsprof/base/must.h"

enum { RUN_TEXT_MAX = 1 << 20 };

static char *trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* A value in double quotes, or up to a comment. */
static char *value_of(char *text, bool fact)
{
    char *value = trim(text);

    if (fact)
        return value;
    if (value[0] == '"' && strchr(value + 1, '"')) {
        *strchr(value + 1, '"') = '\0';
        return value + 1;
    }
    for (char *at = value; *at; at++)
        if ((*at == '#' || *at == ';') && (at == value || isspace((unsigned char)at[-1]))) {
            *at = '\0';
            break;
        }
    return trim(value);
}

static bool add_line(struct input *input, char *line)
{
    bool fact = strncmp(line, "#:", 2) == 0;
    char *equals;

    if (fact)
        line += 2;
    line = trim(line);
    equals = strchr(line, '=');
    if (!equals || (!fact && (*line == '#' || *line == ';')))
        return true;
    *equals = '\0';
    input->settings = must_grow(input->settings, input->facts.setting_count + 1, sizeof(*input->settings));
    input->settings[input->facts.setting_count++] =
        (struct input_setting){.key = trim(line), .value = value_of(equals + 1, fact), .fact = fact};
    return true;
}

static const char *setting(const struct input *input, const char *key, bool fact)
{
    for (uint32_t i = 0; i < input->facts.setting_count; i++)
        if (input->settings[i].fact == fact && strcmp(input->settings[i].key, key) == 0)
            return input->settings[i].value;
    return NULL;
}

static uint64_t number(const struct input *input, const char *key)
{
    const char *value = setting(input, key, true);

    return value ? strtoull(value, NULL, 0) : 0;
}

static void set_facts(struct input *input)
{
    struct input_facts *facts = &input->facts;
    const char *figures = setting(input, "figures", true), *value;

    facts->settings = input->settings;
    facts->is_model = figures && strcmp(figures, "silicon") != 0;
    if (facts->is_model && strchr(figures, ':') != NULL)
        facts->figures = figures;
    if ((value = setting(input, "machine.vendor", true)))
        facts->vendor = value;
    if ((value = setting(input, "machine.name", true)))
        facts->cpu_name = value;
    facts->family = (uint32_t)number(input, "machine.family");
    facts->model = (uint32_t)number(input, "machine.model");
    facts->stepping = (uint32_t)number(input, "machine.stepping");
    facts->ibs_caps = (uint32_t)number(input, "machine.ibs_caps");
    facts->tsc_khz = (uint32_t)number(input, "machine.tsc_khz");
    facts->work = number(input, "workload.work");
    if ((value = setting(input, "workload.unit", true)))
        facts->work_unit = value;
    if ((value = setting(input, "workload", false)))
        facts->workload = value;
}

const char *input_figures(const struct input_facts *facts)
{
    if (facts->is_model && facts->figures)
        return facts->figures;
    if (facts->is_model)
        return ORIGIN_MODEL;
    return facts->is_hypervisor ? "HYPERVISOR: recorded in a virtual machine; its counters may not be silicon's."
                                : NULL;
}

bool input_read_run(struct input *input, const char *folder)
{
    char path[4096];
    FILE *file;
    size_t size;
    char *next;

    snprintf(path, sizeof(path), "%s/run.ini", folder);
    file = fopen(path, "rb");
    if (!file)
        return errno == ENOENT ? true : input_fail(input, UINT64_MAX, "run.ini: %s", strerror(errno));
    input->run_text = must_alloc(RUN_TEXT_MAX + 1, 1);
    size = fread(input->run_text, 1, RUN_TEXT_MAX, file);
    fclose(file);
    input->run_text[size] = '\0';
    if (size == RUN_TEXT_MAX || memchr(input->run_text, '\0', size))
        return input_fail(input, UINT64_MAX, "run.ini beside it is no text, or larger than 1 MiB");
    for (char *line = input->run_text; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        add_line(input, line);
    }
    set_facts(input);
    return true;
}
