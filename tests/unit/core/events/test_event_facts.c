/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of Zen to Zen 6, compared with other projects' lists line by line: each event of a list has a row with its
 * number, mask and name, or a reason here; each row has a line in a list. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/str.h"
#include "core/events/events.h"

/* A line of tests/facts: unit, number and mask, processors, file, name. */
struct fact {
    char unit[8], zens[8], file[24], name[128];
    unsigned select, mask;
};

/* Lists the lines that have no row, or, for events of the core's units, a row with another name; 'name' is a part of
 * the name, NULL: any name. */
static const struct {
    const char *unit, *file, *name, *reason;
    bool by_name;
} exceptions[] = {
    {"l3", NULL, NULL, "counted by the L3's counters (MSR C001_0230 on): drivers/pmu/outer.c has those that are read",
     false},
    {"df", NULL, NULL,
     "counted by the data fabric's counters (MSR C001_0240 on): drivers/pmu/outer.c has those that are read", false},
    {"umc", NULL, NULL,
     "counted by the memory controllers' counters (MSR C001_0800 on): drivers/pmu/outer.c has those that are read",
     false},
    {"core", "recommended", NULL, "a second name for number and mask of another line", true},
    {"core", "decode", "de_disp_stall_cycles_dynamic_tokens_part1", "Zen 6 alone, one mask: the other masks' is taken",
     true},
    {"core", "amd64", "_NONE", "mask 00, which counts nothing", false},
};

static unsigned char found[EVENT_SETS][0x1000]; /* numbers that occur in the lists */

static bool excepted(const struct fact *fact, bool by_name)
{
    for (size_t i = 0; i < sizeof(exceptions) / sizeof(exceptions[0]); i++)
        if (!strcmp(exceptions[i].unit, fact->unit) &&
            (!exceptions[i].file || !strcmp(exceptions[i].file, fact->file)) &&
            (!exceptions[i].name || strstr(fact->name, exceptions[i].name)) && by_name == exceptions[i].by_name)
            return true;
    return false;
}

static void compare(const struct fact *fact, enum event_set set, bool names)
{
    struct event_spec spec = {.event = event_by_select(set, fact->select), .mask = (uint8_t)fact->mask, .kernel = true};

    if (excepted(fact, false))
        return;
    if (!spec.event)
        fail_msg("%s: no row %03X (%s)", event_set_name(set), fact->select, fact->name);
    found[set][fact->select] = 1;
    if (!event_check(&spec, 'E', NULL))
        fail_msg("%s: %03X has no mask %02X (%s)", event_set_name(set), fact->select, fact->mask, fact->name);
    if (names && !str_is(fact->name, strcspn(fact->name, "."), spec.event->symbol) && !excepted(fact, true))
        fail_msg("%s: %03X is '%s', not '%s'", event_set_name(set), fact->select, spec.event->symbol, fact->name);
}

/* Compares all lines of a file and returns their number. */
static unsigned compare_file(const char *name, bool names)
{
    FILE *file = fopen(name, "r");
    unsigned lines = 0;
    char line[256];

    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        struct fact fact;

        if (*line == '#')
            continue;
        assert_int_equal(sscanf(line, "%7s %x:%x %7s %23s %127s", fact.unit, &fact.select, &fact.mask, fact.zens,
                                fact.file, fact.name),
                         6);
        assert_true(fact.select <= 0xFFF && *fact.zens);
        for (const char *zen = fact.zens; *zen; zen++)
            compare(&fact, (enum event_set)(EVENT_SET_ZEN + *zen - '1'), names);
        lines++;
    }
    fclose(file);
    return lines;
}

TEST(linux_lists)
{
    assert_int_equal(compare_file("tests/facts/zen_linux.txt", true), 1440);
}

/* Only number and mask are compared, because libpfm4 has its own names. */
TEST(libpfm4_lists)
{
    assert_int_equal(compare_file("tests/facts/zen_libpfm4.txt", false), 539);
}

TEST(rows_have_a_source)
{
    for (int set = EVENT_SET_ZEN; set <= EVENT_SET_ZEN6; set++)
        for (unsigned i = 0; i < event_count(set); i++)
            if (!found[set][event_at(set, i)->select])
                fail_msg("%s: %03X is in no list", event_set_name(set), event_at(set, i)->select);
}

RUN_TESTS(NULL, NULL)
