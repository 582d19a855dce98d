/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/settings/options.h"

#include "core/base/str.h"
#include "core/family/ibs_regs.h"
#include "core/profile/counts.h"
#include "drivers/pmu/timer.h"

_Static_assert(EVENT_SHARING_NONE == 0 && EVENT_SHARING_RERUN == 1 && EVENT_SHARING_MULTIPLEX == 2,
               "choices of sharing");

#define NAME   .type = SETTINGS_STRING, .max = OPTIONS_NAME_MAX
#define TEXT   .type = SETTINGS_STRING, .max = OPTIONS_TEXT_MAX
#define UINT   .type = SETTINGS_UINT
#define BOOL   .type = SETTINGS_BOOL
#define CHOICE .type = SETTINGS_CHOICE
#define SETTING(type_, key_, initial_, ...)                                                                            \
    {.key = #key_, .value = (void *)offsetof(struct options, key_), .initial = initial_, type_, __VA_ARGS__},

/* Rows before the workloads' own parameters. 'value' is an offset into struct options here. */
static const struct settings_row options_table[] = {
#include "app/settings/options_rows.h"
};

enum { OPTIONS_FIXED = sizeof(options_table) / sizeof(options_table[0]) };

_Static_assert(OPTIONS_FIXED + PARAMS_MAX <= SETTINGS_ROWS_MAX, "room for all rows");

bool options_init(struct options *options)
{
    *options = (struct options){0};
    for (unsigned i = 0; i < OPTIONS_FIXED; i++) {
        options->row[i] = options_table[i];
        options->row[i].value = (char *)options + (uintptr_t)options_table[i].value;
    }
    if (!params_init(&options->params, options->row + OPTIONS_FIXED))
        return false;
    options->settings =
        (struct settings){.rows = options->row, .count = OPTIONS_FIXED + options->params.count, .line = options->line};
    return settings_defaults(&options->settings) == 0;
}

bool options_has_key(const char *name)
{
    for (unsigned i = 0; i < OPTIONS_FIXED; i++)
        if (str_equal(options_table[i].key, name))
            return true;
    return false;
}

void options_copy(struct options *to, const struct options *from)
{
    *to = *from;
    for (unsigned i = 0; i < from->settings.count; i++)
        to->row[i].value = (char *)to + ((const char *)from->row[i].value - (const char *)from);
    to->settings.rows = to->row;
    to->settings.line = to->line;
    to->params.row = to->row + OPTIONS_FIXED;
}

bool options_next_config(const char **at, char name[OPTIONS_TEXT_MAX + 1])
{
    size_t length = 0;

    while (**at == ',')
        ++*at;
    while (**at && **at != ',')
        name[length++] = *(*at)++;
    name[length] = '\0';
    return length != 0;
}
