/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen of settings with made-up runs: what it prints about them, lists of any length, typed values, and what is
 * shown after a run. */
#include <stdio.h>
#include <string.h>

#include "app/prompt/options_check.h"
#include "app/prompt/screen.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/typed_keys.h"

static struct console console;
static struct options options;
static struct machine machine;
static struct results results;
static struct plan_cost cost;
static unsigned runs, expected;
static const char *problem; /* NULL: the run is possible */
static unsigned adds;       /* results of a run */
static bool drops;          /* an older result is dropped for the new one */
static char report[] = "A report\n--------\n";

static bool expect(void *context, struct out *problems, struct plan_cost *ret_cost)
{
    assert_ptr_equal(context, &runs);
    expected++;
    if (problem)
        out_printf(problems, "%s\n", problem);
    *ret_cost = cost;
    return !problem;
}

static void run(void *context)
{
    assert_ptr_equal(context, &runs);
    assert_true(results.instead);
    runs++;
    out_printf(&console.out, "Running.\n");
    if (drops) {
        results.count--;
        results.left++;
    }
    for (unsigned i = 0; i < adds; i++) {
        struct result *row = &results.row[results.count++];

        *row = (struct result){.text = report, .size = sizeof(report), .good = true, .saved = true};
        snprintf(row->name, sizeof(row->name), "run %u", runs);
    }
}

static const struct prompt_actions actions = {
    .context = &runs, .run = run, .expect = expect, .machine = &machine, .results = &results};

static int setup(void **state)
{
    (void)fixture_setup(state);
    assert_true(options_init(&options));
    machine = (struct machine){.vendor = "AuthenticAMD", .name = "Some processor", .tsc_khz = 2000};
    results = (struct results){.fw = &fake_fw.firmware};
    cost = (struct plan_cost){0};
    runs = expected = adds = 0;
    problem = NULL;
    drops = false;
    console_init(&console, &fake_fw.firmware);
    return 0;
}

static void set(const char *words)
{
    assert_true(options_change(&options, words, &console.out));
}

static enum screen_end keys(const char *typed)
{
    enum screen_end end;

    fake_fw.keys = typed;
    end = screen_do(&console, &options, &actions);
    assert_string_equal(fake_fw.keys, "");
    assert_int_equal(fake_fw.terminal.scrolled, 0);
    return end;
}

static const char *last_picture(void)
{
    assert_int_not_equal(fake_fw.terminal.pictures, 0);
    return fake_fw.terminal.picture[fake_fw.terminal.pictures - 1];
}

static void assert_pictured(const char *text)
{
    if (!strstr(last_picture(), text))
        fail_msg("not in the picture: \"%s\":\n%s", text, last_picture());
}

/* ---------------------------------------------------------------- what a run takes */

/* The rows between the last line and the keys say what the run takes. */
TEST_WITH(what_it_takes, setup, fixture_teardown)
{
    static const struct {
        uint64_t khz, ops, samples, bytes;
        bool save;
        const char *told;
    } rows[] = {
        {0, 1000, 0, 0, true,
         "Time: not known before the run. Samples: few, or not known before the run.\nFiles: about 0 KB.\n"},
        {2000, 0, 3, 1023, true, "Time: not known before the run. Samples: about 3. Files: about 0 KB.\n"},
        {2000, 1999999, 1, 1024, true,
         "Time: less than a second at one op per cycle. Samples: about 1. Files: about 1\nKB.\n"},
        {2000, 2000000, 1, 2048, true,
         "Time: at least about 1 s, at one op per cycle. Samples: about 1. Files: about 2\nKB.\n"},
        {1, 3600000, 123456, 4096, false,
         "Time: at least about 60 min, at one op per cycle. Samples: about 123456. Files:\nabout 4 KB; save=no: they "
         "are not saved.\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        machine.tsc_khz = rows[i].khz;
        cost = (struct plan_cost){.ops = rows[i].ops, .samples = rows[i].samples, .bytes = rows[i].bytes};
        options.save = rows[i].save;
        assert_int_equal(keys(PAUSE PHOTO PAUSE "q"), SCREEN_QUIT);
        assert_pictured(rows[i].told);
        assert_int_equal(expected, i + 1);
    }
    problem = "there is no such thing";
    assert_int_equal(keys("\n" PHOTO "p"), SCREEN_PROMPT);
    assert_pictured("\nThis cannot run: there is no such thing\n");
    assert_int_equal(runs, 0);
    assert_int_equal(keys("\x1b" PAUSE), SCREEN_PROMPT);
}

/* ---------------------------------------------------------------- settings */

/* Both ends of the list on a small and on a large screen, with values and texts longer than the row. */
TEST_WITH(lists_of_settings, setup, fixture_teardown)
{
    char words[OPTIONS_TEXT_MAX + 12];

    fake_fw.terminal.tells_paint = true;
    fake_fw.firmware.rows = 20;
    fake_fw.firmware.columns = 61;
    set("workload=pointer-chase kb=64 config=ibs,skid,noise,explore");
    (void)keys(PHOTO DOWN DOWN PHOTO DOWN DOWN PHOTO PAGE_DOWN PHOTO PAGE_UP PHOTO END PHOTO DOWN UP PHOTO HOME PHOTO
               "q");
    fake_fw.firmware.rows = 64;
    fake_fw.firmware.columns = 161;
    snprintf(words, sizeof(words), "events=%0200u", 41u);
    (void)options_change(&options, words, &console.out);
    (void)keys(END PHOTO "q");
    fake_fw.firmware.rows = 25;
    fake_fw.firmware.columns = 80;
    problem = "a reason that is so long that it takes more than one of the rows of the screen, and it has even more "
              "words, so many that two rows are not enough for it, and at last it is longer than the three rows that "
              "there are: of it nothing is seen below, where the keys are";
    (void)keys(PAUSE PHOTO "q");
    check_pictures("screen/settings.txt");
}

/* The choice stays on its row if the workload has other parameters. */
TEST_WITH(parameters_come_and_go, setup, fixture_teardown)
{
    set("workload=tight-loop");
    (void)keys("eempty\n" PHOTO "estream-triad\n" PHOTO DOWN PHOTO UP "etight-loop\n" PHOTO "q");
    check_pictures("screen/parameters.txt");
    assert_string_equal(options.workload, "tight-loop");
}

/* Values are typed in a field of one row: a value is completed, edited, left unchanged, or given up. */
TEST_WITH(typed_values, setup, fixture_teardown)
{
    set("workload=tight-loop");
    fake_fw.terminal.tells_paint = true;
    (void)keys("e\t" PHOTO "zzz\t" PHOTO "\x1b" PAUSE "epointer-c\t" PHOTO "\n" PHOTO "q");
    assert_string_equal(options.workload, "pointer-chase");
    (void)keys("4econfig\x1b" PAUSE "e" UP PHOTO ",sk\t" PHOTO "\n" PHOTO "q");
    check_pictures("screen/typing.txt");
    assert_string_equal(options.config, "ibs,skid");
    (void)keys("4e" UP UP DOWN "x\x1b" PAUSE "q");
    assert_string_equal(options.config, "ibs,skid");
    (void)keys("4d"
               "1"
               "d"
               "q");
    assert_string_equal(options.config, "ibs");
    assert_string_equal(options.workload, "matmul-classic");
    assert_int_equal(runs, 0);
}

/* A value longer than the screen is shown in part, and set as a whole. */
TEST_WITH(long_values, setup, fixture_teardown)
{
    char typed[400], value[LINE_MAX + 1];

    fake_fw.firmware.rows = 20;
    fake_fw.firmware.columns = 61;
    set("workload=tight-loop");
    for (unsigned i = 0; i < LINE_MAX; i++)
        value[i] = i % 4 == 3 ? ',' : (char)('0' + i % 10);
    value[LINE_MAX] = '\0';
    snprintf(typed, sizeof(typed), "4e%s" PHOTO "\n" PHOTO PAUSE PHOTO "q", value);
    (void)keys(typed);
    assert_pictured("\n-- events = ");
    check_pictures("screen/long-value.txt");
}

/* Right, blank and left take the next word of the choices; for a number they let the user type one. */
TEST_WITH(next_words, setup, fixture_teardown)
{
    set("workload=tight-loop sharing=rerun");
    (void)keys("5" RIGHT PHOTO "q");
    assert_pictured(">  5*sharing        multiplex ");
    (void)keys("5" LEFT PHOTO "q");
    assert_pictured(">  5 sharing        rerun ");
    (void)keys("6" RIGHT "77\n" PHOTO "q");
    assert_pictured(">  6*slice_us       77 ");
    (void)keys("6" LEFT "78\n" PHOTO "6"
               " "
               "79\n" PHOTO "q");
    assert_pictured(">  6*slice_us       79 ");
}

/* ---------------------------------------------------------------- runs */

/* After a run any key leads to its report, 'q' to the list; without a new report no key is read. */
TEST_WITH(after_a_run, setup, fixture_teardown)
{
    set("workload=tight-loop");
    (void)keys("\n" PHOTO PAUSE "x" PHOTO "q");
    assert_int_equal(runs, 1);
    assert_false(results.instead);
    adds = 1;
    (void)keys("\n" PAUSE PAUSE "x" PHOTO "q" PHOTO "q");
    (void)keys("\nq" PHOTO "q");
    assert_int_equal(results.count, 2);
    drops = true;
    (void)keys("\nx" PHOTO "qq");
    adds = 2;
    (void)keys("\nx" PHOTO "qq");
    results.row[1].text = NULL;
    adds = 0;
    drops = false;
    (void)keys("\nx" PHOTO "q");
    check_pictures("screen/after-a-run.txt");
    assert_int_equal(runs, 6);
}

/* ---------------------------------------------------------------- what there is besides */

/* '?' shows the texts of the prompt's commands about the chosen setting. */
TEST_WITH(explained, setup, fixture_teardown)
{
    static const struct {
        const char *keys, *what, *text;
    } rows[] = {
        {"1?" PHOTO "qq", "list all", "\n"},
        {"2?" PHOTO "qq", "list tight-loop", "\ntight-loop: one flat loop of 17 instructions"},
        {"3?" PHOTO "qq", "config skid", "\n"},
        {"4?" PHOTO "qq", "events", "\n"},
        {"5?" PHOTO "qq", "show", "\n"},
    };

    set("workload=tight-loop config=skid,ibs");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char title[80];

        (void)keys(rows[i].keys);
        snprintf(title, sizeof(title), "  Some processor  %s", rows[i].what);
        assert_pictured(title);
        assert_pictured(rows[i].text);
    }
    /* The configuration's own text follows the list of all configurations, after a blank line. */
    (void)keys("3?/skid\n"
               "nG" PHOTO "qq");
    check_pictures("screen/explained.txt");
}

/* Without memory there is no screen, no explanation, and no report. */
TEST_WITH(without_memory, setup, fixture_teardown)
{
    fake_fw.fail.call = FAKE_ALLOCATE;
    fake_fw.fail.at = 1;
    assert_int_equal(screen_do(&console, &options, &actions), SCREEN_PROMPT);
    assert_string_equal(fake_fw.screen, "No screen: there is not enough memory.\n");
    fake_fw.fail.at = 4;
    assert_int_equal(keys(PHOTO "?" PHOTO "q"), SCREEN_QUIT);
    assert_string_equal(fake_fw.terminal.picture[0], fake_fw.terminal.picture[1]);
    assert_true(fake_fw.failed);
}

RUN_TESTS(fixture_load, NULL)
