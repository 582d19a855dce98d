/* SPDX-License-Identifier: BSD-2-Clause */
/* Mistyped settings: each gets its exact answer, and nothing is measured. */
#include <stdio.h>
#include <string.h>

#include "app/settings/params.h"
#include "core/base/version.h"
#include "tests/unit/app/fixture.h"

/* Load options with a mistake, and the line that answers each; nothing but the end of the screen's text follows the
 * line. */
static const struct {
    const char *words, *says;
} mistakes[] = {
    /* keys */
    {"page=2m", "load options:3: unknown key 'page'; did you mean 'pages'?\n"},
    {"iteration=5", "load options:3: unknown key 'iteration'; did you mean 'iterations'?\n"},
    {"op-periods=512", "load options:3: unknown key 'op-periods'; did you mean 'op_period'?\n"},
    {"seed", "load options:3: no '=' in 'seed'; a setting is 'key=value'; allowed for 'seed' is a number from 0\n"},
    {"sed", "load options:3: no '=' in 'sed'; a setting is 'key=value'; allowed for 'seed' is a number from 0\n"},
    {"--help", "load options:3: no '=' in '--help'; a setting is 'key=value'\n"},
    {"--revision ryzen", "load options:3: no '=' in '--revision'; a setting is 'key=value'\n"
                         "load options:4: no '=' in 'ryzen'; a setting is 'key=value'\n"},
    {"seed:5", "load options:3: no '=' in 'seed:5'; a setting is 'key=value'; allowed for 'seed' is a number from 0\n"},
    {"show=event 041", "load options:3: show = event: not one of show, list, config NAME, configs, event NAME, events; "
                       "did you mean 'event'?\n"},
    {"show=shw", "load options:3: show = shw: not one of show, list, config NAME, configs, event NAME, events; did "
                 "you mean 'show'?\n"},
    /* words */
    {"pages=3m", "load options:3: '3m' is not a value of 'pages'; allowed is one of 4k, 2m, 1g; did you mean '2m'?\n"},
    {"count=op", "load options:3: 'op' is not a value of 'count'; allowed is one of auto, ops, cycles; did you mean "
                 "'ops'?\n"},
    {"random=nein", "load options:3: 'nein' is not a value of 'random'; allowed is yes or no\n"},
    {"workload=matmul", "load options:3: workload = matmul: no such workload; 'list' names all workloads; did you mean "
                        "'matmul-classic'?\n"},
    {"workload=tightloop",
     "load options:3: workload = tightloop: no such workload; 'list' names all workloads; did you "
     "mean 'tight-loop'?\n"},
    {"workload=nonsense", "load options:3: workload = nonsense: no such workload; 'list' names all workloads\n"},
    {"config=ibs_opls", "load options:3: config = ibs_opls: no such configuration; 'configs' lists them; did you "
                        "mean 'ibs_op_ls'?\n"},
    {"config=tbp,foobar", "load options:3: config = foobar: no such configuration; 'configs' lists them\n"},
    {"config=cuont,tbp", "load options:3: config = cuont: no such configuration; 'configs' lists them; did you "
                         "mean 'count'?\n"},
    {"config=", "load options:3: config = : no such configuration; 'configs' lists them\n"},
    {"config=,,", "load options:3: config = ,,: no such configuration; 'configs' lists them\n"},
    {"memory=lokal", "load options:3: memory = lokal: not 'auto', 'local', 'remote', nor the number of a node with "
                     "memory\n"},
    {"cores=0-", "load options:3: cores = 0-: neither all, first-threads, one-per-ccx, nor a list such as 0,2-3 of "
                 "cores below 1024\n"},
    {"show=evnts", "load options:3: show = evnts: not one of show, list, config NAME, configs, event NAME, events; did "
                   "you mean 'events'?\n"},
    /* numbers */
    {"rows=abc", "load options:3: 'abc' is not a value of 'rows'; allowed is a number from 1 to 1000, or 0\n"},
    {"n=5000", "load options:3: '5000' is not a value of 'n'; allowed is a number from 1 to 1000, or 0\n"},
    {"kb=99999999", "load options:3: '99999999' is not a value of 'kb'; allowed is a number from 4 to 1048576, or 0\n"},
    {"limit_ms=10s", "load options:3: '10s' is not a value of 'limit_ms'; allowed is a number from 0 to 86400000, or "
                     "none; no unit is written\n"},
    {"op_period=150", "load options:3: '150' is not a value of 'op_period'; allowed is a multiple of 16 from 144 to "
                      "134217712, or 0\n"},
    {"fetch_period=24", "load options:3: '24' is not a value of 'fetch_period'; allowed is a multiple of 16 from 16 to "
                        "1048560, or 0\n"},
    {"load_latency=100", "load options:3: '100' is not a value of 'load_latency'; allowed is a multiple of 128 from "
                         "128 to 2048, or 0\n"},
    {"repeats=-1", "load options:3: '-1' is not a value of 'repeats'; allowed is a number from 0 to 10000\n"},
    /* events that the processor must have, even if the configuration does not count them */
    {"config=tbp events=0C0,07A", "events: Family 10h has no event 07A; 'events' lists them\n"},
    {"config=tbp events=NOPE,07A", "events: no event is called 'NOPE'; 'events' lists them\n"
                                   "Family 10h has no event 07A; 'events' lists them\n"},
    /* parameters of another workload */
    {"kb=64", "load options:3: 'kb' is not a parameter of workload matmul-classic, which has n rows\n"},
    {"workload=stream-read kb=262145", "load options:4: kb = 262145: workload stream-read takes 4 to 262144\n"},
    {"workload=false-sharing padding=12",
     "load options:4: padding = 12: workload false-sharing takes multiples of 8 from 8 to 4096\n"},
    {"workload=strided stride=31", "load options:4: stride = 31: workload strided takes multiples of 8 from 8 to "
                                   "1048576\n"},
    {"workload=bank-conflict stride=20", "load options:4: stride = 20: workload bank-conflict takes multiples of 8 "
                                         "from 8 to 1048576\n"},
    {"workload=store-forward width=3", "load options:4: width = 3: workload store-forward takes powers of two from 1 "
                                       "to 8\n"},
    {"workload=store-forward width=6", "load options:4: width = 6: workload store-forward takes powers of two from 1 "
                                       "to 8\n"},
};
enum { MISTAKES = sizeof(mistakes) / sizeof(mistakes[0]) };

APP_TEST(nothing_is_run)
{
    _Static_assert(MISTAKES >= 30, "thirty mistakes");
    for (size_t i = 0; i < MISTAKES; i++) {
        char words[200], screen[600];

        fixture_teardown(NULL);
        fixture_setup(NULL);
        snprintf(words, sizeof(words), "menu=no save=no %s", mistakes[i].words);
        snprintf(screen, sizeof(screen),
                 "%sBecause of this nothing was run; 'show' at the prompt lists what is allowed.\n"
                 "ibsboot: end: status 1\n",
                 mistakes[i].says);
        assert_int_equal(start(words), 1);
        assert_shown(screen);
        assert_int_equal(fake_session.runs, 0);
        assert_int_equal(fake_fw.calls[FAKE_FILE_CREATE], 0); /* save=no */
    }
}

/* At the prompt the line is asked for again, and no setting of it is used. */
APP_TEST(the_prompt_asks_again)
{
    for (size_t i = 0; i < MISTAKES; i++) {
        char keys[300];

        fixture_teardown(NULL);
        fixture_setup(NULL);
        snprintf(keys, sizeof(keys), "xseed=99 %s\nshow\nquit\n", mistakes[i].words);
        fake_fw.keys = keys;
        assert_int_equal(start("pager=no"), 0);
        assert_shown("\nsetting:");
        assert_shown("\nseed = 1\n");
        assert_int_equal(fake_session.runs, 0);
    }
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.keys = "xseed=99 kb=64 workload=stream-read\nshow\nquit\n";
    assert_int_equal(start("pager=no"), 0);
    assert_shown("\nseed = 99\n");
    assert_shown("\nworkload = \"stream-read\"\n");
    assert_shown("\nkb = 64\n");
}

#define INI     "\\ibsboot\\ibsboot.ini"
#define REFUSED "\\ibsboot\\runs\\0001-refused\\begun.ini"

static void put_ini(const char *text)
{
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_folder_put(&fake_fw, "\\ibsboot");
    fake_file_put(&fake_fw, INI, text, strlen(text));
}

/* Both mistakes are reported, and none hides the other. */
APP_TEST(mistakes_of_two_kinds)
{
    put_ini("page = 2m\nkb = 64\n");
    assert_int_equal(start("menu=no"), 1);
    assert_shown("ibsboot.ini:1: unknown key 'page'; did you mean 'pages'?\n"
                 "ibsboot.ini:2: 'kb' is not a parameter of workload matmul-classic, which has n rows\n");
    assert_int_equal(fake_session.runs, 0);
}

/* The text that sets the configuration reports it, and a later text does not report it again. */
APP_TEST(a_configuration_is_told_once)
{
    put_ini("config = foobar\n");
    assert_int_equal(start("menu=no seed=5"), 1);
    assert_shown_times("config = foobar: no such configuration", 1);
    assert_int_equal(fake_session.runs, 0);
}

/* A user who was away finds the reason in place of the run, with the settings that were understood. */
APP_TEST(the_reason_is_saved)
{
    const char *text;

    put_ini("rows = 7\npage = 2m\nframes = shuffled\n");
    assert_int_equal(start("menu=no"), 1);
    assert_shown("ibsboot.ini:2: unknown key 'page'; did you mean 'pages'?\n");
    assert_shown("\nThe reason is in " REFUSED "\n");
    assert_int_equal(fake_session.runs, 0);
    text = file_text(REFUSED);
    assert_non_null(strstr(text, "# A run of ibsboot " IBSBOOT_VERSION " that was refused; nothing was measured.\n"
                                 "# ibsboot.ini:2: unknown key 'page'; did you mean 'pages'?\n\n"));
    assert_non_null(strstr(text, "\nrows = 7\n"));
    assert_non_null(strstr(text, "\nframes = shuffled\n"));
    assert_non_null(strstr(text, "\n#: machine.name = AMD Phenom(tm) fake\n"));
    assert_non_null(strstr(text, "\n#: started = 2026-11-21T12:34:56\n"));
    assert_non_null(strstr(text, "\n#: phase = refused: ibsboot.ini:2: unknown key 'page'; did you mean"));

    fake_firmware_clear(&fake_fw); /* the next boot says so */
    fake_file_put(&fake_fw, INI, "", 0);
    assert_int_equal(start("menu=no save=no"), 0);
    assert_says("NOT RUN: \\ibsboot\\runs\\0001-refused was refused: ibsboot.ini:2: unknown key 'page'; did you mean "
                "'pages'? ");
    assert_not_shown("NOT FINISHED");
}

#define EVENTS "\\ibsboot\\runs\\0001-matmul-classic-events\\begun.ini"

/* A user who was away finds the reason of a refused run in its place; an error in saving the reason is reported. */
APP_TEST(other_refusals_are_saved)
{
    assert_int_equal(start("menu=no config=events events=076@1000"), 1);
    assert_shown("\nThe reason is in " EVENTS "\n");
    assert_non_null(strstr(file_text(EVENTS), "\n#: phase = refused: 076: period 1000 is under its minimum of 50000"));
    assert_int_equal(fake_session.runs, 0);

    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.keys =
        "xconfig=events events=076@1000\nrun\nquit\n"; /* the reason was shown where the settings were typed */
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

/* With a menu the prompt comes at once, so that the mistake can be corrected, and no run starts by itself. */
APP_TEST(a_menu_after_mistakes)
{
    fake_fw.keys = "quit\n";
    assert_int_equal(start("pager=no page=2m"), 1);
    assert_not_shown("running in 5 s");
    assert_shown("\nibsboot> quit\n");
    assert_shown("\nThe reason is in " REFUSED "\n");
    assert_int_equal(fake_session.runs, 0);

    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.keys = "pages=2m\nrun\nquit\n";
    assert_int_equal(start("page=2m pager=no save=no " SMALL), 1);
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_session.plan.place.paging.kind, PAGING_2M);
}

/* Each text is checked by itself: a file may set parameters of another workload than the load options name. */
APP_TEST(parameters_of_two_texts)
{
    put_ini("workload = matmul-classic\nrows = 2\n");
    assert_int_equal(start("menu=no save=no workload=tight-loop iterations=9"), 0);
    assert_int_equal(fake_session.runs, 1);
    put_ini("workload = strided\nkb = 1048576\n");
    assert_int_equal(start("menu=no save=no workload=stream-read"), 1);
    assert_shown("\nload options: kb = 1048576: workload stream-read takes 4 to 262144\n");
    assert_int_equal(fake_session.runs, 0);
    put_ini("workload = strided\nkb = 0\n"); /* 0 is the default */
    assert_int_equal(start("menu=no save=no rows=0 workload=tight-loop iterations=9"), 0);
}

/* Every configuration in a list is checked before the first runs, also against what the machine has. */
APP_TEST(lists)
{
    assert_int_equal(start("menu=no config=tbp,events " SMALL), 1);
    assert_shown("config = events: name the events, for example events=0C0,041\n");
    assert_int_equal(fake_session.runs, 0);
    assert_shown("\nThe reason is in \\ibsboot\\runs\\0001-tight-loop-events\\begun.ini\n");

    fixture_teardown(NULL);
    fixture_setup(NULL);
    assert_int_equal(start("menu=no save=no config=tbp,ibs " SMALL), 0);
    assert_int_equal(fake_session.runs, 2);
}

/* The setting's range is the widest of all workloads, and 0 stands for each workload's default. */
APP_TEST(the_widest_range)
{
    static struct settings_row row[PARAMS_MAX];
    static struct params params;
    static const struct {
        const char *key;
        uint64_t min, max;
    } cases[] = {{"iterations", 1, 1000000000}, {"kb", 4, 1048576}, {"offset", 0, 64}, {"stride", 8, 1048576}};
    bool found[4] = {false};

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

/* Each workload's name has a character too many at its end. */
APP_TEST(every_workload_is_near)
{
    const struct workload *workload;
    unsigned n = 0;

    for (; (workload = params_nth(n)); n++) {
        char wrong[80], wanted[80], said[400];
        struct out_memory text;

        snprintf(wrong, sizeof(wrong), "%sy", workload->name);
        snprintf(wanted, sizeof(wanted), "; did you mean '%s'?\n", workload->name);
        out_memory_init(&text, said, sizeof(said));
        params_no_workload(&text.out, wrong, "");
        if (!strstr(said, wanted))
            fail_msg("%s", said);
    }
    assert_true(n > 10);
}

APP_TEST(good_parameters)
{
    static const char *const words[] = {"workload=store-forward width=1", "workload=store-forward width=8",
                                        "workload=strided stride=24 kb=4 passes=1",
                                        "workload=false-sharing padding=4096"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        char text[200];

        strcpy(text, "menu=no save=no ");
        assert_int_equal(start(strcat(text, words[i])), 0);
    }
}

RUN_TESTS(fixture_load, NULL)
