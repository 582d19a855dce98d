/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings that a person has mistyped: each with its exact answer, and nothing is measured. */
#include <string.h>

#include "app/params.h"
#include "tests/unit/app/fixture.h"

/* Values that the program knows of, but not this workload. */
static void parameters_of_a_workload(void **state)
{
    static const struct {
        const char *words, *says;
    } cases[] = {
        {"workload=stream-read kb=262145", "kb = 262145: workload stream-read takes 4 to 262144\n"},
        {"workload=false-sharing padding=12",
         "padding = 12: workload false-sharing takes multiples of 8 from 8 to 4096\n"},
        {"workload=strided stride=31", "stride = 31: workload strided takes multiples of 8 from 8 to 1048576\n"},
        {"workload=bank-conflict stride=20",
         "stride = 20: workload bank-conflict takes multiples of 8 from 8 to 1048576\n"},
        {"workload=store-forward width=3", "width = 3: workload store-forward takes powers of two from 1 to 8\n"},
        {"workload=store-forward width=6", "width = 6: workload store-forward takes powers of two from 1 to 8\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char words[200];

        fixture_teardown(NULL);
        fixture_setup(NULL);
        strcpy(words, "menu=no save=no ");
        assert_int_equal(start(strcat(words, cases[i].words)), 1);
        assert_shown(cases[i].says);
        assert_int_equal(fake_session.runs, 0);
    }
}

/* Names of which another was meant. */
static void nearest_names(void **state)
{
    static const struct {
        const char *words, *says;
    } cases[] = {
        {"workload=matmul",
         "workload = matmul: no such workload; 'list' names them all; did you mean 'matmul-blocked'?\n"},
        {"workload=tightloop",
         "workload = tightloop: no such workload; 'list' names them all; did you mean 'tight-loop'?\n"},
        {"workload=nonsense", "workload = nonsense: no such workload; 'list' names them all\n"},
        {"config=ibs_opls",
         "config = ibs_opls: no such configuration; 'configs' lists them; did you mean 'ibs_op_ls'?\n"},
        {"config=cuont", "config = cuont: no such configuration; 'configs' lists them; did you mean 'count'?\n"},
        {"config=foobar", "config = foobar: no such configuration; 'configs' lists them\n"},
        {"show=evnts", "show = evnts: not one of show, list, events, event NAME, configs, config NAME; did you mean "
                       "'events'?\n"},
        {"show=\"  confg ibs\"",
         "show =   confg ibs: not one of show, list, events, event NAME, configs, config NAME; did "
         "you mean 'config'?\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char words[200];

        fixture_teardown(NULL);
        fixture_setup(NULL);
        strcpy(words, "menu=no save=no ");
        assert_int_equal(start(strcat(words, cases[i].words)), 1);
        assert_says(cases[i].says);
        assert_int_equal(fake_session.runs, 0);
    }
}

#define EVENTS "\\ibsboot\\runs\\0001-matmul-classic-events\\begun.ini"

/* Who was not there finds the reason of a run that was refused in its place; and what cannot be saved is said. */
static void other_refusals_are_saved(void **state)
{
    (void)state;
    assert_int_equal(start("menu=no config=events events=076@1000"), 1);
    assert_shown("\nThe reason is in " EVENTS "\n");
    assert_non_null(strstr(file_text(EVENTS), "\n#: phase = refused: 076: period 1000 is under its minimum of 50000"));
    assert_int_equal(fake_session.runs, 0);

    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.keys = "xconfig=events events=076@1000\nrun\nquit\n"; /* read where it was typed */
    assert_int_equal(start("pager=no"), 1);
    assert_shown("076: period 1000");
    assert_not_shown("The reason is in");
    assert_int_equal(fake_fw.calls[FAKE_FILE_CREATE], 0);

    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.fail.call = FAKE_FILE_CREATE;
    fake_fw.fail.at = 1;
    fake_fw.fail.error = FIRMWARE_FULL;
    assert_int_equal(start("menu=no config=events"), 1);
    assert_says("NOT SAVED: " EVENTS ": ");

    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.fail.call = FAKE_LIST;
    fake_fw.fail.at = 1;
    fake_fw.fail.and = 9;
    fake_fw.fail.error = FIRMWARE_NO_VOLUME;
    assert_int_equal(start("menu=no config=events"), 1);
    assert_says("NOT SAVED: no volume (network boot, or the stick was removed).");
}

/* The range of the setting is the widest of all workloads, and 0 is the default of each. */
static void the_widest_range(void **state)
{
    static struct settings_row row[PARAMS_MAX];
    static struct params params;
    static const struct {
        const char *key;
        uint64_t min, max;
    } cases[] = {{"iterations", 1, 1000000000}, {"kb", 4, 1048576}, {"offset", 0, 64}, {"stride", 8, 1048576}};
    bool found[4] = {false};

    (void)state;
    assert_true(params_init(&params, row));
    for (unsigned i = 0; i < params.count; i++) {
        assert_true(row[i].or_zero);
        for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
            if (strcmp(row[i].key, cases[c].key) != 0)
                continue;
            assert_int_equal(row[i].min, cases[c].min);
            assert_int_equal(row[i].max, cases[c].max);
            found[c] = true;
        }
    }
    assert_true(found[0] && found[1] && found[2] && found[3]);
}

static void good_parameters(void **state)
{
    static const char *const words[] = {"workload=store-forward width=1", "workload=store-forward width=8",
                                        "workload=strided stride=24 kb=4 passes=1",
                                        "workload=false-sharing padding=4096"};

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        char text[200];

        strcpy(text, "menu=no save=no ");
        assert_int_equal(start(strcat(text, words[i])), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(parameters_of_a_workload), TEST(nearest_names),
                                       TEST(other_refusals_are_saved), TEST(the_widest_range), TEST(good_parameters)};

    return cmocka_run_group_tests(tests, fixture_load, NULL);
}
