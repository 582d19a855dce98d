/* SPDX-License-Identifier: BSD-2-Clause */
/* The prompt, the batch file, and commands that only show something: what is read, what is answered, what the status
 * is. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/prompt/prompt.h"
#include "app/prompt/show.h"
#include "tests/unit/app/fixture.h"

/* ---------------------------------------------------------------- keys */

/* The countdown takes 5 s, and a key ends it. */
APP_TEST(the_countdown)
{
    fake_fw.keys = "";
    fake_fw.fail.call = FAKE_READ_KEY;
    fake_fw.fail.at = 1;
    fake_fw.fail.and = 2;
    fake_fw.keys = "xquit\n";
    assert_int_equal(start(SMALL), 0);
    assert_shown("\nAny key for the prompt, Enter for the screen; running in 5 s ...\n  run            run with the "
                 "settings as they are\n");
    assert_not_shown("Running tight-loop");
    assert_int_equal(fake_session.runs, 0);
    assert_in_order((const char *const[]){"\nMachine\n-------\nProcessor     AMD Phenom(tm) fake\n",
                                          "\nMODEL: all figures", "\nAny key for the prompt, ", "\nibsboot> "},
                    4);

    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.keys = "quit\n";
    fake_fw.fail.call = FAKE_READ_KEY;
    fake_fw.fail.at = 1;
    fake_fw.fail.and = 4;
    assert_int_equal(start(SMALL), 0);
    assert_shown("\nAny key for the prompt, Enter for the screen; running in 5 s .....\n\nRunning tight-loop: ");
    assert_shown("\nibsboot> quit\nibsboot: end: status 0\n");
    assert_int_equal(fake_session.runs, 1);
}

/* Typed characters are echoed; backspace removes the last one, if any; other keys do nothing, nor do characters beyond
 * the longest line. The row shows a part of a long line. */
APP_TEST(a_line_is_read)
{
    char keys[300] = "x", shown[300] = "unknown command '";

    for (unsigned i = 0; i < PROMPT_LINE_MAX; i++)
        strcat(keys, "z");
    strcat(keys, "y\b\b\nz\b\b\bconfi\x1bg skid\x7f\n  config skid  \nexit\n");
    for (unsigned i = 0; i < PROMPT_LINE_MAX - 2; i++)
        strcat(shown, "z");
    fake_fw.keys = keys;
    assert_int_equal(start("pager=no " SMALL), 0);
    assert_shown(shown);
    assert_not_shown("zzy");
    assert_shown("\nibsboot> z\b \bconfig skid\nskid: Counter samples beside IBS op samples\n");
    assert_shown("\nibsboot>   config skid  \nskid: Counter samples beside IBS op samples\n");
    assert_shown("\nibsboot> exit\nibsboot: end: status 0\n");
}

APP_TEST(blanks_alone_are_no_command)
{
    fake_fw.keys = "x\n   \nquit\n";
    assert_int_equal(start(SMALL), 0);
    assert_shown("\nibsboot> \nibsboot>    \nibsboot> quit\n");
}

/* Each typed line begins a page: many short answers never wait for a key. */
APP_TEST(each_answer_is_a_page)
{
    static char keys[400] = "x";

    for (unsigned i = 0; i < 40; i++)
        strcat(keys, "again\n");
    fake_fw.keys = strcat(keys, "quit\n");
    assert_int_equal(start("pager=yes " SMALL), 0);
    assert_shown_times("There has been no run yet.\n", 40);
    assert_not_shown("-- more: ");
}

/* Returns the number of rows that the text takes on a screen of so many columns, which begins a new row as soon as one
 * is full, as EDK II's and ibsbios' screens do. */
static unsigned rows_of(const char *text, size_t length, unsigned columns)
{
    unsigned rows = 0, column = 0;

    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n') {
            rows++;
            column = 0;
        } else if (++column == columns) {
            rows++;
            column = 0;
        }
    }
    return rows;
}

/* Pages end with a question only if someone can answer it. */
APP_TEST(no_pages_without_a_keyboard)
{
    fake_fw.firmware.keys = false;
    fake_fw.firmware.rows = 12;
    fake_fw.keys = "qqqq";
    assert_int_equal(start("menu=no pager=yes show=configs"), 0);
    assert_true(rows_of(fake_fw.screen, strlen(fake_fw.screen), 80) > 12);
    assert_not_shown("-- more");
    assert_string_equal(fake_fw.keys, "qqqq");
}

/* No page is longer than the screen, whatever its size. The page's first row is the prompt's, and its last row the
 * question's. */
APP_TEST(pages_fit_the_screen)
{
    static const struct {
        uint32_t rows, columns;
    } screens[] = {{25, 80}, {31, 100}, {50, 80}, {12, 40}, {25, 30}};
    static const char more[] = "-- more: any key, q skips the rest --\n";

    for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
        unsigned most = 0, pages = 0;
        const char *at;

        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_fw.firmware.rows = screens[i].rows;
        fake_fw.firmware.columns = screens[i].columns;
        fake_fw.keys =
            i % 2 ? "xevents\n                                                                           quit\n"
                  : "xshow\n                                                                             quit\n";
        assert_int_equal(start("pager=yes " SMALL), 0);
        at = strchr(strstr(fake_fw.screen, "ibsboot> "), '\n') + 1;
        for (const char *end; (end = strstr(at, more)); at = end + sizeof(more) - 1) {
            unsigned rows = rows_of(at, (size_t)(end - at), screens[i].columns);

            most = rows > most ? rows : most;
            pages++;
        }
        if (pages < 2 || most != screens[i].rows - 1)
            fail_msg("%u rows: %u pages of up to %u", screens[i].rows, pages, most);
    }
}

/* A page of 80 columns has no row of more than 79 characters, and no word is broken. A text for a log keeps its lines,
 * and the lines of 'show' are short enough for the screen. */
APP_TEST(pages_break_at_words)
{
    static const char asked[] = "config a name of many words, which no configuration has, and which is long";
    char keys[200];

    snprintf(keys, sizeof(keys), "x%s\nshow\nquit\n", asked);
    fake_fw.keys = keys;
    assert_int_equal(start("pager=no " SMALL), 0);
    assert_shown("has, and which is long: no such configuration; 'configs' names all\n");
    for (const char *line = strstr(fake_fw.screen, "ibsboot> show\n"); *line; line = strchr(line, '\n') + 1)
        assert_in_range(strcspn(line, "\n"), 0, 79);
    assert_shown("\n# what to measure; 'configs' at the prompt names all configurations; several,\n# separated "
                 "by commas, run one");

    snprintf(keys, sizeof(keys), "x%s\nquit\n", asked);
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.keys = keys;
    assert_int_equal(start("pager=yes " SMALL), 0);
    assert_shown("\nconfig a name of many words, which no configuration has, and which is long: no \n"
                 "    such configuration; 'configs' names all\n");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.firmware.columns = 78;
    fake_fw.keys = keys;
    assert_int_equal(start("pager=no " SMALL), 0);
    assert_shown("\nconfig a name of many words, which no configuration has, and which is long: \n    no such");
}

/* On a screen that is too narrow no text is lost, and the rest of a line is indented further. */
APP_TEST(a_narrow_screen)
{
    fake_fw.firmware.columns = 60;
    fake_fw.keys = "xconfigs\nquit\n";
    assert_int_equal(start("pager=no " SMALL), 0);
    for (const char *line = strstr(fake_fw.screen, "ibsboot> configs\n"); *line; line = strchr(line, '\n') + 1)
        assert_in_range(strcspn(line, "\n"), 0, 59);
    assert_shown("\n  KEY=VALUE ...  change settings, e.g. pages=2m \n    frames=shuffled rows=10\n");
    assert_shown("\n    model), not from silicon.\n");
}

/* Without a keyboard nothing waits for one, and the program ends after its run. */
APP_TEST(no_keyboard)
{
    fake_fw.firmware.keys = false;
    assert_int_equal(start("pager=yes " SMALL), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_fw.calls[FAKE_READ_KEY], 0);
    assert_not_shown("Any key");
    assert_not_shown("ibsboot> ");
    assert_shown("\nNo prompt: this firmware has no keyboard.\n");
}

/* A word that is no command is called unknown, with the nearest command or setting. */
APP_TEST(unknown_commands)
{
    static const struct {
        const char *typed, *says;
    } rows[] = {
        {"rnu", "unknown command 'rnu'; 'help' lists the commands; did you mean 'run'?\n"},
        {"run now", "unknown command 'run now'; 'help' lists the commands; did you mean 'run'?\n"},
        {"config", "config NAME: the name is missing; 'configs' lists them\n"},
        {"event ", "event NAME: the name is missing; 'events' lists them\n"},
        {"agian", "unknown command 'agian'; 'help' lists the commands; did you mean 'again'?\n"},
        {"snd perf.data", "unknown command 'snd perf.data'; 'help' lists the commands; did you mean 'send'?\n"},
        {"qiut", "unknown command 'qiut'; 'help' lists the commands; did you mean 'quit'?\n"},
        {"exti", "unknown command 'exti'; 'help' lists the commands; did you mean 'exit'?\n"},
        {"hlep", "unknown command 'hlep'; 'help' lists the commands; did you mean 'help'?\n"},
        {"profilse x", "unknown command 'profilse x'; 'help' lists the commands; did you mean 'profile'?\n"},
        {"profilez", "unknown command 'profilez'; 'help' lists the commands; did you mean 'profiles'?\n"},
        {"confgs", "unknown command 'confgs'; 'help' lists the commands; did you mean 'configs'?\n"},
        {"evens DC", "unknown command 'evens DC'; 'help' lists the commands; did you mean 'events'?\n"},
        {"hopla-hopla", "unknown command 'hopla-hopla'; 'help' lists the commands\n"},
        {"seed", "unknown command 'seed'; 'help' lists the commands; a setting is written seed=VALUE; allowed is a "
                 "number from 0\n"},
        {"pages 2m", "unknown command 'pages 2m'; 'help' lists the commands; a setting is written pages=VALUE; allowed "
                     "is one of 4k, 2m, 1g\n"},
        {"iteratons", "unknown command 'iteratons'; 'help' lists the commands; a setting is written iterations=VALUE; "
                      "allowed is a number from 1 to 1000000000, or 0\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char keys[80], shown[300];

        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_fw.firmware.columns = 200;
        snprintf(keys, sizeof(keys), "x%s\nquit\n", rows[i].typed);
        snprintf(shown, sizeof(shown), "\nibsboot> %s\n%sibsboot> quit\n", rows[i].typed, rows[i].says);
        fake_fw.keys = keys;
        assert_int_equal(start("pager=no " SMALL), 0);
        assert_shown(shown);
    }
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.keys = "xhelp\nquit\n";
    assert_int_equal(start("pager=no " SMALL), 0);
    assert_shown_times("KEY=VALUE ...", 2);
    assert_shown("\n  help           this list\n  quit           leave ibsboot\nibsboot> quit\n");
}

/* The answer to a mistake at the prompt says what is allowed, and the program does not fail. */
APP_TEST(what_is_not_understood)
{
    fake_fw.keys = "xrun now\nagain\npages=3\npages=2m\nrun\nquit\n";
    assert_int_equal(start("pager=no " SMALL), 0);
    assert_shown_times("KEY=VALUE ...", 1);
    assert_shown("\nibsboot> again\nThere has been no run yet.\n");
    assert_shown("\nibsboot> pages=3\nsetting:1: ");
    assert_shown("\nibsboot> pages=2m\nibsboot> run\n\nRunning tight-loop: ");
    assert_int_equal(fake_session.plan.place.paging.kind, PAGING_2M);
}

/* After a refused run there is no report to show again; a run that failed fails the program. */
APP_TEST(runs_at_the_prompt)
{
    fake_fw.keys = "xconfig=events\nrun\nagain\nquit\n";
    assert_int_equal(start("pager=no " SMALL), 1);
    assert_shown("\nibsboot> run\nconfig = events: name the events, for example events=0C0,041\n");
    assert_shown("\nibsboot> again\nThere has been no run yet.\n");
    assert_shown("ibsboot: end: status 1\n");
}

/* After a run the list of configurations is as it was set. */
APP_TEST(the_list_of_configurations_stays)
{
    fake_fw.keys = "xconfig=,tbp,,ibs_op_ls\nrun\nshow\nconfig=,,\nrun\nquit\n";
    assert_int_equal(start("pager=no save=no " SMALL), 0);
    assert_shown("\nconfig = \",tbp,,ibs_op_ls\"\n");
    assert_int_equal(fake_session.runs, 4);
    assert_shown("\nsetting:1: config = ,,: no such configuration; 'configs' lists them\nibsboot> run\n");
}

/* ---------------------------------------------------------------- a batch */

#define FILE_NAME "\\ibsboot\\batch.txt"

static int run_batch(const char *text)
{
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_folder_put(&fake_fw, "\\ibsboot");
    fake_file_put(&fake_fw, FILE_NAME, text, strlen(text));
    return start("batch=" FILE_NAME " save=no " SMALL);
}

APP_TEST(lines_of_a_batch)
{
    assert_int_equal(run_batch("# two runs\r\n\r\n  config=tbp\r\nrun\r\nconfig skid\n  # again\n\nRUN"), 0);
    assert_int_equal(fake_session.runs, 2);
    assert_shown_times("Running tight-loop", 2);
    assert_shown("\nskid: Counter samples beside IBS op samples\n");
    assert_not_shown("batch:");
    assert_not_shown("ibsboot> ");

    assert_int_equal(run_batch(""), 0);
    assert_int_equal(fake_session.runs, 0);

    assert_int_equal(run_batch("run\nconfig=tbp runs=3\nrun\n"), 1);
    assert_int_equal(fake_session.runs, 0);
    assert_shown("setting:2: ");
    assert_shown("\nbatch: ended at this line: config=tbp runs=3\nbatch: none of its lines was run\n");

    assert_int_equal(run_batch("run\nruns\nrun\n"), 1);
    assert_int_equal(fake_session.runs, 0);
    assert_shown("\nunknown command 'runs'; 'help' lists the commands; did you mean 'run'?\n"
                 "batch: ended at this line: runs\n");

    assert_int_equal(run_batch("config nonsense\nrun\n"), 1);
    assert_int_equal(fake_session.runs, 0);
    assert_shown("\nbatch: ended at this line: config nonsense\n");
}

/* Each run is checked with the settings that it will have, before the first run; then the settings are as they were. */
APP_TEST(runs_of_a_batch)
{
    assert_int_equal(run_batch("config=tbp\nrun\nconfig=events\nrun\nevents=0C0\n"), 1);
    assert_int_equal(fake_session.runs, 0);
    assert_shown("\nconfig = events: name the events, for example events=0C0,041\n"
                 "batch: ended at this line: run\nbatch: none of its lines was run\n");
    assert_int_equal(run_batch("run\nconfig=tbp,ibs\nrun\n"), 0);
    assert_int_equal(fake_session.runs, 3);
    assert_shown("\nIBS op        1 sample");
    assert_int_equal(run_batch("config=nonsense,tbp\nrun\n"), 1);
    assert_int_equal(fake_session.runs, 0);
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_folder_put(&fake_fw, "\\ibsboot");
    fake_file_put(&fake_fw, FILE_NAME, "seed=9\nrun\nkb=5\n", 16);
    assert_int_equal(start("batch=" FILE_NAME " " SMALL), 1);
    assert_shown("\nsetting:1: 'kb' is not a parameter of workload tight-loop, which has iterations\n"
                 "batch: ended at this line: kb=5\nbatch: none of its lines was run\n"
                 "The reason is in \\ibsboot\\runs\\0001-refused\\begun.ini\n");
    assert_int_equal(fake_session.runs, 0);
    assert_non_null(
        strstr(file_text("\\ibsboot\\runs\\0001-refused\\begun.ini"), "\n# batch: ended at this line: kb=5\n"));
    assert_int_equal(run_batch("show\nseed=7\n"), 0); /* the check has left no seed behind */
    assert_shown("\nseed = 1\n");
    assert_shown_times("\nseed = ", 1);
}

/* A run that fails does not end the batch, but fails the program. */
APP_TEST(failing_runs_of_a_batch)
{
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_folder_put(&fake_fw, "\\ibsboot");
    fake_file_put(&fake_fw, FILE_NAME, "run\nrun\n", 8);
    fake_session.fail_at = 1;
    assert_int_equal(start("batch=" FILE_NAME " save=no " SMALL), 1);
    assert_shown_times("\nRunning tight-loop", 2);
    assert_not_shown("batch: ended");
}

APP_TEST(long_lines_of_a_batch)
{
    char text[PROMPT_LINE_MAX + 20] = "";

    for (unsigned i = 0; i < PROMPT_LINE_MAX; i++)
        strcat(text, i ? "x" : "#");
    strcat(text, "\r\nrun\n");
    assert_int_equal(run_batch(text), 0);
    assert_int_equal(fake_session.runs, 1);
    memmove(text + 1, text, strlen(text) + 1);
    assert_int_equal(run_batch(text), 1);
    assert_int_equal(fake_session.runs, 0);
    assert_shown(
        "\nbatch: a line of 121 characters, more than 120\nbatch: none of its lines was run\nibsboot: end: status 1\n");
}

APP_TEST(a_batch_that_is_not_there)
{
    char *large = calloc(1, SETTINGS_TEXT_MAX + 1);

    assert_int_equal(start("batch=\\none.txt " SMALL), 1);
    assert_shown("\nbatch = \\none.txt: no such file\nibsboot: end: status 1\n");
    assert_int_equal(start("batch=x " SMALL), 1);
    assert_shown("\nbatch = x: no such file\n");
    memset(large, '#', SETTINGS_TEXT_MAX + 1);
    fake_file_put(&fake_fw, "\\large.txt", large, SETTINGS_TEXT_MAX + 1);
    free(large);
    assert_int_equal(start("batch=\\large.txt " SMALL), 1);
    assert_shown("\nbatch = \\large.txt: the file is too large\n");
    assert_int_equal(fake_session.runs, 0);
}

/* Each command of the table is executed, in upper case, too. */
APP_TEST(each_command)
{
    for (unsigned i = 0; i < COMMANDS; i++) {
        bool leaves = i == COMMAND_QUIT || i == COMMAND_EXIT || i == COMMAND_SCREEN; /* the screen then reads the q */
        char keys[80], word[40];

        fixture_teardown(NULL);
        fixture_setup(NULL);
        for (size_t c = 0; c <= strlen(command_table[i].word); c++)
            word[c] = (char)toupper(command_table[i].word[c]);
        snprintf(keys, sizeof(keys), "x%s%s\nq\nquit\n", word, command_table[i].must ? " 041" : "");
        fake_fw.keys = keys;
        (void)start("pager=no save=no " SMALL);
        assert_shown_times("unknown command", !leaves);
        assert_shown_times("unknown command 'q'", !leaves);
        assert_int_equal(fake_session.runs, i == COMMAND_RUN);
    }
}

/* ---------------------------------------------------------------- what only shows */

APP_TEST(show_commands)
{
    static const struct {
        const char *line;
        enum show_result result;
        const char *says, *lacks;
    } rows[] = {
        {"show", SHOW_DONE, "\nworkload = \"matmul-classic\"\n", "pages = 2m"},
        {"  show  me ", SHOW_DONE, "\nworkload = \"matmul-classic\"\n", "Noise"},
        {"list", SHOW_DONE, "Noise is not a workload: use 'config=noise' ('config noise' explains it).\n", "neither"},
        {"list memory", SHOW_DONE, "-- memory --", "Noise is not a workload"},
        {"list  tight-loop ", SHOW_DONE, "tight-loop: one flat loop of 17 instructions\n", "-- "},
        {"list nonsense", SHOW_NOTHING, "list nonsense: neither", "Noise"},
        {"events", SHOW_DONE, "041", "nonsense"},
        {"events nonsense", SHOW_NOTHING, "events nonsense: no event has this in its unit, select, symbol or name\n",
         "041"},
        {"event 041", SHOW_DONE, "DATA_CACHE_MISSES", "\n\n\n"},
        {"event 999", SHOW_NOTHING, "999", "DATA_CACHE"},
        {"event", SHOW_NO_COMMAND, "", "e"},
        {"event ", SHOW_NO_COMMAND, "", "e"},
        {"config", SHOW_NO_COMMAND, "", "c"},
        {"configs", SHOW_DONE, "noise              What takes time from a program\n", "nonsense"},
        {"configs", SHOW_DONE, "data_access ", "nonsense"},
        {"config noise", SHOW_DONE,
         "noise: What takes time from a program\nNo workload: a loop that only reads the TSC", "there is"},
        {"config explore", SHOW_DONE,
         "end, and their parts; counted in passes, followed by one with IBS op.\n\nThe rows of config=explore",
         "of 6 x 076"},
        {"config branch", SHOW_DONE, "Investigate branching", "there is"},
        {"config a b", SHOW_NOTHING, "config a b: no such configuration; 'configs' names all\n", "Investigate"},
        {"showing", SHOW_NO_COMMAND, "", "s"},
        {"run", SHOW_NO_COMMAND, "", "r"},
        {"", SHOW_NO_COMMAND, "", "a"},
        {"   ", SHOW_NO_COMMAND, "", "a"},
    };
    static struct options options;
    static char text[1 << 16];

    assert_true(options_init(&options));
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct out_memory memory;
        enum show_result result;

        out_memory_init(&memory, text, sizeof(text));
        result = show_command(&memory.out, &options, rows[i].line);
        if (result != rows[i].result || !strstr(text, rows[i].says) || strstr(text, rows[i].lacks))
            fail_msg("'%s': %d, and:\n%s", rows[i].line, result, text);
    }
}

/* Lines that are too long are broken, and their rest is indented further. */
APP_TEST(list_of_one)
{
    static struct options options;
    static char text[1 << 12];
    struct out_memory memory;

    assert_true(options_init(&options));
    out_memory_init(&memory, text, sizeof(text));
    assert_int_equal(show_command(&memory.out, &options, "list pointer-chase"), SHOW_DONE);
    assert_string_equal(text, "pointer-chase: a walk along a list in random order\n"
                              "    shows back-end bound by memory: every load depends on the previous one, and\n"
                              "        misses all caches\n"
                              "    hops=262144  loads, one after the other; the default is once around 16 MB\n"
                              "        (1 to 1000000000)\n"
                              "    kb=16384  size of the list in KB, with a 64-byte line for each element (4\n"
                              "        to 1048576)\n");
}

/* The setting 'show' has the prompt's commands as values. */
APP_TEST(the_setting_show)
{
    assert_int_equal(start("show=\"list nonsense\""), 1);
    assert_shown("list nonsense: neither");
    assert_not_shown("show = ");
    assert_int_equal(start("menu=no show=x"), 1);
    assert_shown("show = x: not one of ");
    assert_int_equal(start("menu=no show=\"nonsense\""), 1);
    assert_says("show = nonsense: not one of show, list, config NAME, configs, event NAME, events\n");
    assert_int_equal(start("show=\"config skid\" menu=no"), 0);
    assert_int_equal(fake_session.runs, 0);
}

/* A copy of the settings points into itself, so that a change of the copy leaves the original unchanged. */
APP_TEST(a_copy_is_its_own)
{
    static struct options first, copy;
    const char *begin = (const char *)&copy;

    assert_true(options_init(&first));
    options_copy(&copy, &first);
    assert_ptr_equal(copy.settings.rows, copy.row);
    assert_ptr_equal(copy.settings.line, copy.line);
    assert_int_equal((const char *)copy.params.row - begin, (const char *)first.params.row - (const char *)&first);
    for (unsigned i = 0; i < copy.settings.count; i++)
        assert_int_equal((const char *)copy.row[i].value - begin,
                         (const char *)first.row[i].value - (const char *)&first);
}

RUN_TESTS(fixture_load, NULL)
