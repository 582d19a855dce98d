/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports that are kept: under which name, how many, and what happens without memory. */
#include <stdio.h>
#include <string.h>

#include "app/base/sinks.h"
#include "app/prompt/results.h"
#include "core/base/heat.h"
#include "tests/unit/app/fixture.h"

static struct results results;
static const struct workload workload = {.name = "some-work"};
static struct console console;
static unsigned lines;

static int setup(void **state)
{
    (void)fixture_setup(state);
    results = (struct results){.fw = &fake_fw.firmware, .wanted = true};
    lines = 3;
    console_init(&console, &fake_fw.firmware);
    return 0;
}

static void report(struct out *out, const struct run *run)
{
    for (unsigned i = 0; i < lines; i++)
        out_printf(out, "%s: line %u of a report that has some length\n", run->workload->name, i);
}

static struct result *add(const char *folder)
{
    struct run run = {.workload = &workload, .task = {.name = "ibs"}};

    snprintf(run.begun.folder, sizeof(run.begun.folder), "%s", folder);
    return results_add(&results, &run, report, &console.out);
}

TEST_WITH(names_and_texts, setup, fixture_teardown)
{
    const struct result *result = add("\\ibsboot\\runs\\0007-some-work-ibs");

    assert_string_equal(result->name, "0007-some-work-ibs");
    assert_int_equal(strlen(result->text), result->length);
    assert_int_equal(result->size, result->length + 1 + 4);
    assert_null(result->heat);
    assert_non_null(strstr(result->text, "\nsome-work: line 2 of"));
    assert_string_equal(add("")->name, "some-work, ibs");
    assert_int_equal(results.count, 2);
    results_release(&results);
    assert_int_equal(results.count, 0);
    assert_int_equal(results.bytes, 0);
    results.wanted = false;
    assert_null(add(""));
}

static void report_of_rows(struct out *out, const struct run *run)
{
    out_printf(out, "A table of %s\n", run->workload->name);
    heat_row(out, 1, 2);
    out_printf(out, "hot\n");
    heat_row(out, 1, 9);
    out_printf(out, "colder\nin all\n");
}

/* Heat is kept of the lines that tell it. */
TEST_WITH(heat_of_rows, setup, fixture_teardown)
{
    struct run run = {.workload = &workload, .task = {.name = "ibs"}};
    const struct result *result = results_add(&results, &run, report_of_rows, &console.out);

    assert_string_equal(result->text, "A table of some-work\nhot\ncolder\nin all\n");
    assert_memory_equal(result->heat, "\0\10\2\0", 5);
    results_release(&results);
}

/* The oldest give way to a new one: by their number, and by their size. */
TEST_WITH(the_oldest_give_way, setup, fixture_teardown)
{
    char name[40];

    for (unsigned i = 0; i < RESULTS_MAX + 2; i++) {
        snprintf(name, sizeof(name), "\\%04u-x", i);
        assert_non_null(add(name)->text);
    }
    assert_int_equal(results.count, RESULTS_MAX);
    assert_int_equal(results.left, 2);
    assert_string_equal(results.row[0].name, "0002-x");
    lines = RESULTS_BYTES_MAX / 100;
    assert_non_null(add("\\large")->text);
    assert_non_null(add("\\larger")->text);
    assert_true(results.bytes <= RESULTS_BYTES_MAX);
    assert_string_equal(results.row[results.count - 1].name, "larger");
    results_release(&results);
}

TEST_WITH(without_memory, setup, fixture_teardown)
{
    fake_fw.fail.call = FAKE_ALLOCATE;
    fake_fw.fail.at = 1;
    assert_null(add("\\one")->text);
    assert_shown("NOTE: there is no memory to keep this report for the screen.\n");
    assert_non_null(add("\\two")->text);
    assert_int_equal(results.bytes, results.row[1].size);
    results_release(&results);
}

RUN_TESTS(fixture_load, NULL)
