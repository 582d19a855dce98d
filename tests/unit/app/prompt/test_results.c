/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports that are kept: under which names, how many, and what happens without memory. */
#include <stdio.h>
#include <string.h>

#include "app/base/sinks.h"
#include "app/prompt/results.h"
#include "app/run/kind.h"
#include "core/base/heat.h"
#include "tests/unit/app/fixture.h"

static struct results results;
static uint64_t work(const uint32_t *params)
{
    return params[0];
}

static const struct workload workload = {.name = "some-work", .unit = "passes", .work = work};
static const struct kind kind;
static const struct machine machine;
static struct options options;
static struct console console;
static unsigned lines;

static struct run made_run(void)
{
    return (struct run){.workload = &workload,
                        .task = {.name = "ibs", .kinds = {&kind}},
                        .machine = &machine,
                        .options = &options,
                        .map = &image_codemap,
                        .params = {40}};
}

static int setup(void **state)
{
    (void)fixture_setup(state);
    results = (struct results){.fw = &fake_fw.firmware, .wanted = true};
    lines = 3;
    assert_true(options_init(&options));
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
    struct run run = made_run();

    snprintf(run.begun.folder, sizeof(run.begun.folder), "%s", folder);
    return results_add(&results, &run, report, &console.out);
}

TEST_WITH(names_and_texts, setup, fixture_teardown)
{
    const struct result *result = add("\\ibsboot\\runs\\0007-some-work-ibs");

    assert_string_equal(result->name, "0007-some-work-ibs");
    assert_int_equal(strlen(result->text), result->length);
    assert_in_range(result->size, result->length + sizeof(*result->figures),
                    result->length + sizeof(*result->figures) + 30);
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

/* Heat is kept for the lines that have it. */
TEST_WITH(heat_of_rows, setup, fixture_teardown)
{
    struct run run = made_run();
    const struct result *result = results_add(&results, &run, report_of_rows, &console.out);

    assert_string_equal(result->text, "A table of some-work\nhot\ncolder\nin all\n");
    assert_memory_equal(result->heat, "\0\10\2\0", 5);
    results_release(&results);
}

/* Figures belong to the run, and are kept when the run is gone. */
TEST_WITH(figures, setup, fixture_teardown)
{
    struct run run = made_run();
    const struct result *result;

    options.pages = 1;
    options.seed = 7;
    result = results_add(&results, &run, report, &console.out);
    memset(&run, 0xee, sizeof(run));
    options.seed = 8;
    assert_string_equal(result->figures->settings, "seed=7\npages=2m\n");
    assert_string_equal(result->figures->workload, "some-work");
    assert_string_equal(result->figures->config, "ibs");
    assert_string_equal(result->figures->what, "");
    assert_int_equal(result->figures->work, 40);
    assert_false(result->figures->good);
    results_release(&results);
}

/* The oldest reports are dropped for a new one, by their number and by their size. */
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
