/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/run_ini.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/origin.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_folder.h"

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

/* Returns a value in double quotes, or up to a comment. */
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

static void add_line(struct run_ini *ini, struct input_facts *facts, char *line)
{
    bool fact = strncmp(line, "#:", 2) == 0;
    char *equals;

    if (fact)
        line += 2;
    line = trim(line);
    equals = strchr(line, '=');
    if (!equals || (!fact && (*line == '#' || *line == ';')))
        return;
    *equals = '\0';
    *must_add(ini->settings, facts->setting_count) =
        (struct input_setting){.key = trim(line), .value = value_of(equals + 1, fact), .fact = fact};
}

const char *run_phase(const struct input_facts *facts)
{
    const char *phase = NULL;

    for (uint32_t i = 0; i < facts->setting_count; i++)
        if (facts->settings[i].fact && strcmp(facts->settings[i].key, "phase") == 0)
            phase = facts->settings[i].value;
    return phase;
}

const char *run_value(const struct input_facts *facts, const char *key, bool fact)
{
    for (uint32_t i = 0; i < facts->setting_count; i++)
        if (facts->settings[i].fact == fact && strcmp(facts->settings[i].key, key) == 0)
            return facts->settings[i].value;
    return NULL;
}

static const char *value_by(const struct input_facts *facts, enum fact fact, va_list indices)
{
    char key[FACT_KEY_MAX + 1];
    struct out_memory memory;

    out_memory_init(&memory, key, sizeof(key));
    fact_vkey(&memory.out, fact, indices);
    return run_value(facts, key, true);
}

const char *run_fact(const struct input_facts *facts, enum fact fact, ...)
{
    const char *value;
    va_list indices;

    va_start(indices, fact);
    value = value_by(facts, fact, indices);
    va_end(indices);
    return value;
}

uint64_t run_number(const struct input_facts *facts, enum fact fact, ...)
{
    const char *value;
    va_list indices;

    va_start(indices, fact);
    value = value_by(facts, fact, indices);
    va_end(indices);
    return value ? strtoull(value, NULL, 0) : 0;
}

static void set_text(const char **text, const char *value)
{
    if (value)
        *text = value;
}

static void set_facts(struct input_facts *facts)
{
    const char *figures = run_fact(facts, FACT_FIGURES);

    facts->is_model = figures && strcmp(figures, "silicon") != 0;
    if (facts->is_model && strchr(figures, ':') != NULL)
        facts->figures = figures;
    set_text(&facts->vendor, run_fact(facts, FACT_MACHINE_VENDOR));
    set_text(&facts->cpu_name, run_fact(facts, FACT_MACHINE_NAME));
    facts->family = (uint32_t)run_number(facts, FACT_MACHINE_FAMILY);
    facts->model = (uint32_t)run_number(facts, FACT_MACHINE_MODEL);
    facts->stepping = (uint32_t)run_number(facts, FACT_MACHINE_STEPPING);
    facts->ibs_caps = (uint32_t)run_number(facts, FACT_MACHINE_IBS_CAPS);
    facts->tsc_khz = (uint32_t)run_number(facts, FACT_MACHINE_TSC_KHZ);
    facts->work = run_number(facts, FACT_WORK);
    set_text(&facts->work_unit, run_fact(facts, FACT_WORK_UNIT));
    set_text(&facts->workload, run_value(facts, "workload", false));
}

const char *input_figures(const struct input_facts *facts)
{
    if (facts->is_model && facts->figures)
        return facts->figures;
    if (facts->is_model)
        return ORIGIN_MODEL;
    if (facts->no_origin)
        return "UNKNOWN: the file was cut off before it says if its figures come from silicon or a model.";
    return facts->is_hypervisor ? "HYPERVISOR: recorded in a virtual machine; its counters may not be silicon's."
                                : NULL;
}

bool run_ini_read(struct run_ini *ini, struct input_facts *facts, const char *path, char *error, size_t error_size)
{
    char *complete = run_folder_file(path, "run.ini"), *next;
    char *name = complete ? complete : run_folder_file(path, "begun.ini");
    FILE *file = name ? fopen(name, "rb") : NULL;
    bool there = name != NULL, begun = there && !complete;
    size_t size;

    free(name);
    if (there && !file)
        snprintf(error, error_size, "run.ini: %s", strerror(errno));
    if (!file)
        return !there;
    ini->text = must_alloc(RUN_TEXT_MAX + 1, 1);
    size = fread(ini->text, 1, RUN_TEXT_MAX, file);
    fclose(file);
    if (size == RUN_TEXT_MAX || memchr(ini->text, '\0', size)) {
        snprintf(error, error_size, "run.ini beside it is not text, or larger than 1 MiB");
        return false;
    }
    ini->text = must_grow(ini->text, size + 1, 1); /* compare keeps those of all runs */
    for (char *line = ini->text; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        else if (begun)
            break; /* the last line, cut by a reset */
        add_line(ini, facts, line);
    }
    facts->settings = ini->settings;
    set_facts(facts);
    return true;
}

void run_ini_free(struct run_ini *ini)
{
    free(ini->text);
    free(ini->settings);
    *ini = (struct run_ini){0};
}

const char *run_why_not(const char *value, uint64_t *ret)
{
    static const char not_available[] = "not available: ";

    if (strncmp(value, not_available, sizeof(not_available) - 1) == 0)
        return value + sizeof(not_available) - 1;
    *ret = strtoull(value, NULL, 0);
    return NULL;
}
