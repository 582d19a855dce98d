/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen above the prompt: pictures of it as golden files, and what its keys do. */
#include <string.h>

#include "app/prompt/prompt.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/typed_keys.h"

static const char *picture(unsigned n)
{
    assert_in_range(n, 0, fake_fw.terminal.pictures - 1);
    return fake_fw.terminal.picture[n];
}

static void assert_in_picture(unsigned n, const char *text)
{
    if (!strstr(picture(n), text))
        fail_msg("not in picture %u: \"%s\":\n%s", n, text, picture(n));
}

static void assert_not_in_picture(unsigned n, const char *text)
{
    if (strstr(picture(n), text))
        fail_msg("in picture %u: \"%s\":\n%s", n, text, picture(n));
}

/* Shows the settings, changes some, runs, shows and searches the report, shows the list of results, and goes back. */
static void a_session(const char *golden)
{
    fake_fw.keys = "\n" PAUSE PHOTO DOWN DOWN PHOTO "e"
                   "tb\t" PHOTO "\n" PAUSE PHOTO UP "e50\n" PAUSE PHOTO "\n" PHOTO "x" PHOTO "/restored\n" PHOTO "nq"
                   "r" PHOTO "\n" PHOTO "qq"
                   "q";
    assert_int_equal(start("save=no " SMALL), 0);
    check_pictures(golden);
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_fw.terminal.scrolled, 0);
}

APP_TEST(pictures_80x25)
{
    a_session("screen/80x25.txt");
}

APP_TEST(pictures_100x31)
{
    fake_fw.firmware.rows = 31;
    fake_fw.firmware.columns = 100;
    a_session("screen/100x31.txt");
}

/* The smallest and the largest screens show everything, and nothing is printed in a last column. */
APP_TEST(any_size)
{
    static const struct {
        uint32_t rows, columns;
    } sizes[] = {{20, 61}, {25, 80}, {50, 80}, {64, 161}, {64, 200}};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_fw.firmware.rows = sizes[i].rows;
        fake_fw.firmware.columns = sizes[i].columns;
        fake_fw.keys = "\n" PAUSE PHOTO "q";
        assert_int_equal(start("save=no " SMALL), 0);
        assert_in_picture(0, " ibsboot ");
        assert_in_picture(0, " MODEL");
        assert_in_picture(0, ">  1*workload ");
        assert_in_picture(0, "\n-- workload = tight-loop ---");
        assert_in_picture(0, "Files: about ");
        assert_in_picture(0, "\n arrows, number  e: change");
        assert_int_equal(fake_fw.terminal.scrolled, 0);
        for (unsigned row = 0; row < sizes[i].rows; row++)
            assert_int_equal(fake_fw.terminal.c[row][sizes[i].columns - 1], ' ');
    }
}

/* If there can be no screen, a line says why, and the prompt comes instead. */
APP_TEST(no_screen)
{
    fake_fw.firmware.columns = 60;
    fake_fw.keys = "\nquit\n";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_says("No screen: it needs 20 rows and 61 columns, but there are 25 and 60.\n");
    assert_shown("\nibsboot> quit\n");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.firmware.rows = 19;
    fake_fw.keys = "xscreen\nquit\n";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_shown("\nibsboot> screen\nNo screen: it needs 20 rows");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.terminal.refuses = true;
    fake_fw.keys = "\nquit\n";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_shown("No screen: this console cannot move its cursor.\n");
}

/* From the screen to the prompt and back, settings and results are unchanged. */
APP_TEST(screen_and_prompt)
{
    fake_fw.keys = "x"
                   "iterations=30\n"
                   "run\n"
                   "screen\n" PAUSE PHOTO "r" PHOTO "\n" PHOTO "q\x1b"
                   "p"
                   "show\n"
                   "quit\n";
    assert_int_equal(start("save=no pager=no workload=tight-loop"), 0);
    assert_in_picture(0, "2*iterations     30 ");
    assert_in_picture(1, ">  1  tight-loop, ibs ");
    assert_in_picture(1, " good");
    assert_in_picture(2, "\nMachine\n-------\n");
    assert_shown("\niterations = 30\n");
}

/* Two marked runs are compared: runs of counters with different work, and runs of IBS with the same settings, whose
 * samples are equal here. */
APP_TEST(two_runs_compared)
{
    fake_fw.keys = "x"
                   "config=ibs\nrun\nrun\n"
                   "config=tbp\nrun\niterations=18\nrun\n"
                   "screen\nrcm" UP "mc" PHOTO "q" UP "mc" PHOTO "q" UP "mc" PHOTO PAGE_DOWN PHOTO "qmm" PHOTO "mqqq";
    assert_int_equal(start("save=no pager=no " SMALL), 0);
    assert_int_equal(fake_session.runs, 4);
    check_pictures("screen/compared.txt");
}

/* A run that began by itself, because nobody pressed a key, is among the results. */
APP_TEST(a_run_before_the_prompt)
{
    fake_fw.keys = PAUSE PAUSE PAUSE PAUSE PAUSE "screen\nr" PHOTO "\n" PHOTO "qqq";
    assert_int_equal(start("save=no pager=no " SMALL), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_in_picture(0, ">  1  tight-loop, ibs ");
    assert_in_picture(1, "\nMachine\n-------\n");
    assert_shown("\nMachine\n-------\n"); /* and its report was printed */
}

/* Text that is printed before a run, here about a plan, does not stop at each page, whatever the prompt's pager is. */
APP_TEST(long_announcements)
{
    static const char plan[] = "config = tbp\nworkload = tight-loop\niterations = 9..40\n";

    fake_file_put(&fake_fw, "\\p.ini", plan, sizeof(plan) - 1);
    fake_fw.firmware.rows = 20;
    fake_fw.keys = "xhelp\nscreen\n\nx" PHOTO "qr" PHOTO "qq";
    assert_int_equal(start("save=no plan=\\p.ini"), 0);
    assert_int_equal(fake_session.runs, 32);
    assert_not_shown("-- more");
    assert_in_picture(0, "\nMachine\n-------\n");
    assert_in_picture(1, "> 32  tight-loop, tbp ");
}

/* A value that is not allowed is reported, and changes nothing. */
APP_TEST(wrong_values)
{
    fake_fw.keys = "\n"
                   "12" PHOTO "e9x\n" PHOTO PAUSE PHOTO "e12345\n" PAUSE PHOTO "d" PAUSE PHOTO "e\x1b"
                   "e\n" PHOTO "q";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_in_picture(0, "> 12 limit_ms ");
    assert_in_picture(1, "setting:1: '9x' is not a value of 'limit_ms'; allowed is a number from 0 to");
    assert_in_picture(2, "'9x' is not a value");
    assert_in_picture(2, "> 12 limit_ms       0 ");
    assert_in_picture(3, "> 12*limit_ms       12345 ");
    assert_in_picture(4, "> 12 limit_ms       0 ");
    assert_in_picture(5, "> 12 limit_ms       0 ");
    assert_int_equal(fake_session.runs, 0);
}

/* A run that is not possible is announced as such before Enter, which then does nothing. */
APP_TEST(not_to_be_run)
{
    fake_fw.keys = "\n" DOWN DOWN "eevents\n" PAUSE PHOTO "\n\n" PHOTO "q";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_in_picture(0, "This cannot run: config = events: name the events");
    assert_in_picture(1, "This cannot run: config = events: name the events");
    assert_int_equal(fake_session.runs, 0);
}

/* Left and right go through the words in a ring; numbers are typed instead. */
APP_TEST(words_one_after_the_other)
{
    fake_fw.keys = "\n"
                   "99" PHOTO "4" DOWN PHOTO RIGHT PHOTO RIGHT RIGHT PHOTO LEFT PHOTO "q";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_in_picture(0, ">  9 ");
    assert_in_picture(1, ">  5 sharing        rerun ");
    assert_in_picture(2, ">  5*sharing        multiplex ");
    assert_in_picture(3, ">  5 sharing        rerun ");
    assert_in_picture(4, ">  5*sharing        none ");
}

/* Another workload has other parameters, and those of the first workload do not matter. */
APP_TEST(another_workload)
{
    fake_fw.keys = "\n"
                   "epointer-chase\n" PAUSE PHOTO "q";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_in_picture(0, ">  1*workload       pointer-chase ");
    assert_in_picture(0, "  2 hops           262144 ");
    assert_in_picture(0, "  3 kb             16384                   size of the list in KB");
    assert_not_in_picture(0, "iterations");
    assert_in_picture(0, "Time: less than a second");
}

/* The full explanation of a setting, and the list of results without an explanation. */
APP_TEST(explanations)
{
    fake_fw.keys = "\n"
                   "?" PHOTO "q" DOWN "?" PHOTO "q" DOWN "?" PHOTO "q" DOWN "?" PHOTO "q" DOWN "?" PHOTO "q"
                   "r" PHOTO "\nq"
                   "q";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_in_picture(0, "-- memory -- caches, TLBs, latency");
    assert_in_picture(1, "tight-loop: one flat loop of 17 instructions");
    assert_in_picture(2, "noise              What takes time from a program");
    assert_in_picture(3, "DC ");
    assert_in_picture(4, "\n# what to run; 'list' at the prompt names all workloads\n");
    assert_in_picture(5, "There has been no run yet.");
}

/* Noise on the line changes no setting that the noise does not name, starts nothing that takes long, and leaves the
 * screen in order. */
APP_TEST(noise_on_the_line)
{
    static char keys[4000];
    unsigned random = 7;

    strcpy(keys, "\n");
    for (unsigned i = 1; i < sizeof(keys) - 20; i++) {
        static const char letters[] = "\x1b[O~;123\4\5\6\7/nNgGbd\t\x7f\x80";

        random = random * 1103515245 + 12345;
        keys[i] = letters[(random >> 16) % (sizeof(letters) - 1)];
    }
    strcpy(keys + sizeof(keys) - 20, "\x1b\x1b\x1b\x1b\x1b\x1b\nquit\n");
    fake_fw.keys = keys;
    assert_int_equal(start("save=no pager=no " SMALL), 0);
    assert_int_equal(fake_session.runs, 0);
    assert_shown("\nibsboot> quit\n");
}

RUN_TESTS(fixture_load, NULL)
