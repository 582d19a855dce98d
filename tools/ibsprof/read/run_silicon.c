/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/run_silicon.h"

#include <stdlib.h>
#include <string.h>

#include "core/platform/silicon.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_ini.h"

enum { VALUES = 4, NAMES = 6 };

static const char prefix[] = "silicon.";

struct sides {
    const uint32_t *runs;
    const struct input_facts *(*facts)(const void *context, uint32_t side, uint32_t run);
    const void *context;
};

/* Returns the register of a key; SILICON_ROWS: none, or one that changes by itself. */
static enum silicon_register register_of(const char *key)
{
    const char *name = strstr(key, prefix);
    enum silicon_register row = SILICON_ROWS;

    if (name && fact_is(key, FACT_SILICON)) {
        name += sizeof(prefix) - 1;
        row = silicon_find(name, strlen(name));
    }
    return row < SILICON_ROWS && silicon_rows[row].varies == SILICON_MOVES ? SILICON_ROWS : row;
}

/* Returns a value of the snapshot. Cores and nodes that equal the boot core have no line. NULL: the run has no
 * snapshot. */
static const char *value_of(const struct input_facts *facts, const char *key)
{
    const char *value = facts ? run_value(facts, key, true) : NULL;

    return value || !facts ? value : run_value(facts, strstr(key, prefix), true);
}

/* Joins the different values of a side's runs with commas, and returns their number. */
static uint32_t values_of(const struct sides *sides, uint32_t side, const char *key, char **ret_text)
{
    const char *shown[VALUES];
    uint32_t count = 0;

    for (uint32_t run = 0; run < sides->runs[side]; run++) {
        const char *value = value_of(sides->facts(sides->context, side, run), key);
        uint32_t i = 0;

        while (value && i < count && strcmp(shown[i], value) != 0)
            i++;
        if (value && i == count && count < VALUES)
            shown[count++] = value;
    }
    *ret_text = NULL;
    for (uint32_t i = 0; i < count; i++) {
        char *longer = must_text("%s%s%s", i ? *ret_text : "", i ? ", " : "", shown[i]);

        free(*ret_text);
        *ret_text = longer;
    }
    return count;
}

static bool listed(const struct run_silicon *silicon, const char *key)
{
    for (uint32_t i = 0; i < silicon->count; i++)
        if (strcmp(silicon->row[i].key, key) == 0)
            return true;
    return false;
}

/* Appends a name: "HWCR (caching of page tables), core 1's PAT (memory types)". */
static void name_one(char **names, const char *key, enum silicon_register row)
{
    const char *name = strstr(key, prefix) + sizeof(prefix) - 1;
    char *longer = must_text("%s%s%.*s%s (%s)", *names ? *names : "", *names ? ", " : "",
                             (int)(strstr(key, prefix) - key), key, name, silicon_rows[row].what);

    free(*names);
    *names = longer;
}

/* Adds the key if the runs differ. */
static void add(struct run_silicon *silicon, const struct sides *sides, const char *key)
{
    struct run_silicon_difference row = {.key = key};
    uint32_t a = values_of(sides, 0, key, &row.value[0]), b = values_of(sides, 1, key, &row.value[1]);

    if (!a || !b || (a == 1 && b == 1 && strcmp(row.value[0], row.value[1]) == 0)) {
        free(row.value[0]);
        free(row.value[1]);
        return;
    }
    *must_add(silicon->row, silicon->count) = row;
    if (silicon->count <= NAMES)
        name_one(&silicon->names, key, register_of(key));
}

void run_silicon_compare(struct run_silicon *ret, const uint32_t runs[RUN_SILICON_SIDES],
                         const struct input_facts *(*facts)(const void *context, uint32_t side, uint32_t run),
                         const void *context)
{
    const struct sides sides = {runs, facts, context};

    *ret = (struct run_silicon){0};
    for (uint32_t side = 0; side < RUN_SILICON_SIDES; side++)
        for (uint32_t run = 0; run < runs[side]; run++) {
            const struct input_facts *of = facts(context, side, run);

            for (uint32_t i = 0; of && i < of->setting_count; i++)
                if (of->settings[i].fact && register_of(of->settings[i].key) != SILICON_ROWS &&
                    !listed(ret, of->settings[i].key))
                    add(ret, &sides, of->settings[i].key);
        }
    if (ret->count > NAMES) {
        char *longer = must_text("%s, ...", ret->names);

        free(ret->names);
        ret->names = longer;
    }
}

void run_silicon_free(struct run_silicon *silicon)
{
    for (uint32_t i = 0; i < silicon->count; i++)
        for (uint32_t side = 0; side < RUN_SILICON_SIDES; side++)
            free(silicon->row[i].value[side]);
    free(silicon->row);
    free(silicon->names);
    *silicon = (struct run_silicon){0};
}
