/* SPDX-License-Identifier: BSD-2-Clause */
/* Differences between runs in the settings made by firmware: which registers, their values by side, and their names. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

#include "core/platform/silicon.h"
#include "tools/ibsprof/read/run_silicon.h"

enum { SETTINGS = 12, RUNS = 6 };

static struct input_setting settings[2][RUNS][SETTINGS];
static struct input_facts facts[2][RUNS];
static char keys[SILICON_ROWS][60];

static const struct input_facts *facts_of(const void *context, uint32_t side, uint32_t run)
{
    return facts[side][run].setting_count > 0 ? &facts[side][run] : NULL;
}

static int begin(void **state)
{
    memset(facts, 0, sizeof(facts));
    return 0;
}

static void put(unsigned side, unsigned run, const char *key, const char *value)
{
    struct input_facts *of = &facts[side][run];

    of->settings = settings[side][run];
    settings[side][run][of->setting_count++] = (struct input_setting){key, value, true};
}

static struct run_silicon compare(uint32_t a, uint32_t b)
{
    struct run_silicon silicon;

    run_silicon_compare(&silicon, (const uint32_t[]){a, b}, facts_of, NULL);
    return silicon;
}

/* Returns the keys of registers that do not change by themselves, in the order of their rows. */
static const char *key_of(unsigned number, const char **ret_what)
{
    for (unsigned row = 0; row < SILICON_ROWS; row++)
        if (silicon_rows[row].varies != SILICON_MOVES && number-- == 0) {
            snprintf(keys[row], sizeof(keys[row]), "silicon.%s", silicon_rows[row].name);
            *ret_what = silicon_rows[row].what;
            return keys[row];
        }
    fail();
    return NULL;
}

/* Six registers are named, and the message says that there are more. */
TEST_WITH(names, begin, NULL)
{
    char wanted[4000] = "", *at = wanted;

    for (unsigned i = 0; i < 8; i++) {
        const char *what, *key = key_of(i, &what);
        struct run_silicon silicon;

        put(0, 0, key, "0x1");
        put(1, 0, key, "0x2");
        if (i < 6)
            at += sprintf(at, "%s%s (%s)", i ? ", " : "", key + strlen("silicon."), what);
        else if (i == 6)
            sprintf(at, ", ...");
        silicon = compare(1, 1);
        assert_int_equal(silicon.count, i + 1);
        assert_string_equal(silicon.row[i].key, key);
        assert_string_equal(silicon.row[i].value[0], "0x1");
        assert_string_equal(silicon.row[i].value[1], "0x2");
        assert_string_equal(silicon.names, wanted);
        run_silicon_free(&silicon);
        assert_int_equal(silicon.count, 0);
    }
}

/* Runs of a side may differ, too: each value is listed once, and no more than four. A core without a line has the boot
 * core's value. */
TEST_WITH(values, begin, NULL)
{
    static const char *const values[RUNS] = {"0x1", "0x2", "0x1", "0x3", "0x4", "0x5"};
    struct run_silicon silicon;

    for (unsigned run = 0; run < RUNS; run++)
        put(0, run, "silicon.HWCR", values[run]);
    put(1, 0, "silicon.HWCR", "0x1");
    silicon = compare(RUNS, 1);
    assert_int_equal(silicon.count, 1);
    assert_string_equal(silicon.row[0].value[0], "0x1, 0x2, 0x3, 0x4");
    assert_string_equal(silicon.row[0].value[1], "0x1");
    run_silicon_free(&silicon);

    put(1, 0, "core.1.silicon.HWCR", "0x9");
    silicon = compare(1, 1);
    assert_int_equal(silicon.count, 1);
    assert_string_equal(silicon.row[0].key, "core.1.silicon.HWCR");
    assert_string_equal(silicon.row[0].value[0], "0x1");
    assert_string_equal(silicon.row[0].value[1], "0x9");
    assert_int_equal(strncmp(silicon.names, "core.1.HWCR (", 13), 0);
    run_silicon_free(&silicon);
}

/* There is no difference if runs agree, lack the register or all facts, or if the register changes by itself. */
TEST_WITH(no_difference, begin, NULL)
{
    struct run_silicon silicon;
    char moves[60] = "";

    put(0, 0, "silicon.HWCR", "0x1");
    put(1, 0, "silicon.HWCR", "0x1");
    put(1, 0, "silicon.BU_CFG", "0x7");
    put(0, 0, "machine.name", "one");
    put(1, 0, "machine.name", "other");
    for (unsigned row = 0; row < SILICON_ROWS && !moves[0]; row++)
        if (silicon_rows[row].varies == SILICON_MOVES)
            snprintf(moves, sizeof(moves), "silicon.%s", silicon_rows[row].name);
    put(0, 0, moves, "0x1");
    put(1, 0, moves, "0x2");
    silicon = compare(2, 2); /* on each side a run without facts */
    assert_int_equal(silicon.count, 0);
    assert_null(silicon.names);
    run_silicon_free(&silicon);
}

RUN_TESTS(NULL, NULL)
