/* SPDX-License-Identifier: BSD-2-Clause */
/* Words that Tab completes: names of commands, settings, workloads, configurations, events and choices. */
#include <stdio.h>
#include <string.h>

#include "app/prompt/complete.h"
#include "tests/unit/app/fixture.h"

enum { ANY = 1000 };

static struct options options;

static int setup(void **state)
{
    (void)fixture_setup(state);
    assert_true(options_init(&options));
    return 0;
}

TEST_WITH(words, setup, fixture_teardown)
{
    static const struct {
        const char *line, *text;
        unsigned before, count;
    } rows[] = {
        {"ag", "again", 2, 1},
        {"pro", "profile", 3, 2},
        {"  scr", "screen", 3, 1},
        {"lis", "list ", 3, 1},
        {"page", "page", 4, 2}, /* pages=, pager= */
        {"pages=", "", 0, 3},
        {"PAGES=2", "2m ", 1, 1},
        {"op=", "", 0, 2},
        {"op=y", "yes ", 1, 1},
        {"seed=", "", 0, 0},
        {"limit_ms=n", "none ", 1, 1},
        {"workload=pointer-c", "pointer-chase ", 9, 1},
        {"rows=1 config=ibs,sk", "skid ", 2, 1},
        {"config=ibs,", "", 0, ANY}, /* all of them */
        {"events=041,data_cache_m", "DATA_CACHE_MISSES ", 12, 1},
        {"list pointer-c", "pointer-chase ", 9, 1},
        {"  list  pointer-c", "pointer-chase ", 9, 1},
        {" rows=1  lis", "", 3, 0},
        {"config asse", "assess ", 4, 1},
        {"config=noise,skid,asse", "assess ", 4, 1},
        {"list ski", "", 3, 0},
        {"config pointer-c", "", 9, 0},
        {"config CPU_CLK_UN", "", 10, 0},
        {"event ski", "", 3, 0},
        {"workload=ski", "", 3, 0},
        {"config=pointer-c", "", 9, 0},
        {"events=ski", "", 3, 0},
        {"ru", "run", 2, 1},
        {"prof", "profile", 4, 2},
        {"rows=1 ru", "", 2, 0},
        {"rows=1 ro", "rows=", 2, 1},
        {"send ro", "", 2, 0},
        {"config ski", "skid ", 3, 1},
        {"event CPU_CLK_UN", "CPU_CLK_UNHALTED ", 10, 1},
        {"pages=2m fram", "frame", 4, 2},
        {"pages=2m frame_", "frame_seed=", 6, 1},
        {"iterations", "", 10, 0}, /* not a parameter of this workload */
        {"row", "rows=", 3, 1},
        {"nothing-like-it", "", 15, 0},
        {"nokey=x", "", 1, 0},
        {"send per", "", 3, 0},
        {"events pag", "", 3, 0},
        {"run pages=2", "2m ", 1, 1},
        {"help frame_", "frame_seed=", 6, 1},
        {"qu", "quit", 2, 1},
        {"exi", "", 3, 0},     /* a second name of the command */
        {"ev", "event", 2, 3}, /* events= */
        {"profile x", "", 1, 0},
        {"profile z", "z", 1, 2},
        {"events z", "", 1, 0},
        {"send z", "", 1, 0},
        {"show see", "seed=", 3, 1},
        {"configs see", "seed=", 3, 1},
        {"profiles see", "seed=", 3, 1},
        {"again see", "seed=", 3, 1},
        {"screen see", "seed=", 3, 1},
        {"quit see", "seed=", 3, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct complete found;

        complete_word(&options, "zig|zag", rows[i].line, &found);
        if (rows[i].text[0] && strcmp(found.text, rows[i].text))
            fail_msg("'%s': '%s'", rows[i].line, found.text);
        if (found.before != rows[i].before)
            fail_msg("'%s': before %u", rows[i].line, found.before);
        if (rows[i].count != ANY ? found.count != rows[i].count : found.count < 20)
            fail_msg("'%s': %u", rows[i].line, found.count);
    }
}

/* Lists are printed in columns, on screens of several widths. */
TEST_WITH(lists, setup, fixture_teardown)
{
    static const char *const lines[] = {"", "p", "rows=1 p", "pages=", "op=", "seed=", "workload=", "config ", "x"};
    static const unsigned widths[] = {80, 61, 30, 132};
    static char text[60000];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        for (size_t w = 0; w < (i ? 3 : 4); w++) {
            out_printf(&memory.out, "==== \"%s\" in %u columns\n", lines[i], widths[w]);
            complete_list(&options, NULL, lines[i], widths[w], &memory.out);
        }
    assert_true(memory.needed < sizeof(text));
    check_golden_text("screen/words.txt", text);
}

TEST_WITH(neighbours, setup, fixture_teardown)
{
    const struct settings_row *pages = settings_find(&options.settings, "pages", 5),
                              *op = settings_find(&options.settings, "op", 2),
                              *seed = settings_find(&options.settings, "seed", 4),
                              *limit = settings_find(&options.settings, "limit_ms", 8);
    struct settings_span word;

    assert_true(complete_next(&options, pages, 1, &word));
    assert_memory_equal(word.at, "2m", word.length);
    assert_true(complete_next(&options, pages, -1, &word));
    assert_memory_equal(word.at, "1g", word.length);
    assert_true(settings_set(pages, "1g", 2));
    assert_true(complete_next(&options, pages, 1, &word));
    assert_memory_equal(word.at, "4k", word.length);
    assert_true(complete_next(&options, op, 1, &word));
    assert_memory_equal(word.at, "no", word.length);
    assert_false(complete_next(&options, seed, 1, &word));
    assert_false(complete_next(&options, limit, 1, &word));
}

/* At the prompt Tab inserts what is certain, and lists what is possible below. */
APP_TEST(tab_at_the_prompt)
{
    fake_fw.keys = "xpages=2\tsee\t7\npag\t\tr=no\nshow\nworkload=point\t\nquit\n";
    assert_int_equal(start("pager=no save=no " SMALL), 0);
    assert_shown("\n  pages  pager\nibsboot> page");
    assert_shown("\npages = 2m\n");
    assert_shown("\nseed = 7\n");
}

/* A list that is longer than the screen stops at its end, unless the pager is off. */
APP_TEST(long_lists)
{
    for (unsigned pager = 0; pager < 2; pager++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_fw.firmware.rows = 8;
        fake_fw.keys = pager ? "x\t qquit\n" : "x\tquit\n";
        assert_int_equal(start(pager ? "save=no " SMALL : "pager=no save=no " SMALL), 0);
        assert_shown_times("-- more: any key, q skips the rest --", pager ? 2 : 0);
        assert_shown("ibsboot> quit");
    }
}

static void put_text(const char *path, const char *text)
{
    fake_file_put(&fake_fw, path, text, strlen(text));
}

/* After 'profile' Tab completes the names of texts that run something, as they are on the volume now. */
APP_TEST(profiles_by_tab)
{
    fake_folder_put(&fake_fw, "\\ibsboot");
    put_text("\\ibsboot\\misses.txt", "# Who misses?\nseed=21\nrun\n");
    put_text("\\ibsboot\\mixed.txt", "seed=22\nrun\n");
    put_text("\\ibsboot\\mineral.txt", "no profile\n");
    put_text("\\ibsboot\\branches.txt", "seed=23\nrun\n");
    fake_fw.keys = "xprofile m\t\tx\t\nshow\nquit\n";
    assert_int_equal(start("pager=no save=no " SMALL), 0);
    assert_shown("profile mi\n  misses  mixed\nibsboot> profile mi");
    assert_shown("\nseed = 22\n");
    assert_not_shown("mineral");
    fake_fw.keys = "xprofile \tq\t\n Profile b\t\nquit\n";
    assert_int_equal(start("pager=no save=no " SMALL), 0);
    assert_shown("\n  branches  misses    mixed\nibsboot> profile ");
    assert_int_equal(fake_session.runs, 2);
}

/* If a folder or a file cannot be read, it has no names; the prompt continues. */
APP_TEST(profiles_not_read)
{
    fake_folder_put(&fake_fw, "\\ibsboot");
    put_text("\\ibsboot\\one.txt", "run\n");
    fake_fw.fail.call = FAKE_LIST;
    fake_fw.fail.at = 1;
    fake_fw.fail.and = 1000;
    fake_fw.keys = "xprofile o\t\nquit\n";
    assert_int_equal(start("pager=no save=no " SMALL), 0);
    assert_shown("profile: \\ibsboot\\o.txt: no such file");
}

RUN_TESTS(fixture_load, NULL)
