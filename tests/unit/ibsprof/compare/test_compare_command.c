/* SPDX-License-Identifier: BSD-2-Clause */
/* * 'ibsprof compare' on small runs: all its outputs, its options, and its messages when it is used wrongly. The counts
 * are in the table. Expected shares, rates, intervals, p, q, verdicts and samples needed were computed from the table
 * with Python and scipy 1.10, and are in the files below expected/; intervals of latencies and of distances come from
 * the bootstrap (test_stat_values.c tests these). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum {
    PUSH = 0x401010,
    LOAD = 0x401016,
    ADD = 0x401019,
    DEC = 0x40101b,
    JNZ = 0x40101d,
    RET = 0x401020,
    COLD = 0x401030,
    HANDLER = 0x401040
};

/* The samples of a run. So many of the loads at LOAD missed the DC, half of them with 15 cycles and half with 150, and
 * so many missed the L1 DTLB; so many branches were mispredicted. The handler's samples are not the workload's. */
struct counts {
    unsigned push, load, add, dec, jnz, ret, cold, handler;
    unsigned missed, walked, mispredicted;
    unsigned fetches, ic_misses;
};

static const struct counts a1 = {100, 400, 200, 90, 300, 2, 30, 20, 120, 40, 30, 50, 10},
                           a2 = {120, 380, 210, 80, 310, 3, 20, 25, 130, 30, 24, 60, 9},
                           b1 = {105, 395, 190, 85, 305, 1, 10, 60, 126, 200, 27, 40, 8},
                           b2 = {110, 410, 205, 95, 290, 2, 12, 70, 118, 220, 31, 70, 20};

static void make(const char *folder, const struct counts *c, const char *settings)
{
    const uint64_t load = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID;
    char ini[1000];

    made_run_begin();
    made_run_op(c->push, (struct made_op){.at = PUSH});
    for (unsigned i = 0; i < c->load; i++) {
        uint64_t data3 = load, cycles = i % 2 ? 15 : 150;

        if (i < c->missed)
            data3 |= IBS_DC_MISS | cycles << 32;
        if (i >= c->load - c->walked)
            data3 |= IBS_DC_L1TLB_MISS | (i % 4 ? IBS_DC_L2TLB_MISS : 0);
        made_run_op(1, (struct made_op){.at = LOAD,
                                        .data2 = i % 2 ? IBS_NB_NONE : IBS_NB_DRAM,
                                        .data3 = data3,
                                        .address = 0x1000000 + 64 * i});
    }
    made_run_op(c->add, (struct made_op){.at = ADD, .data3 = load | IBS_ST_OP, .address = 0x2000000});
    made_run_op(c->dec, (struct made_op){.at = DEC});
    made_run_op(c->mispredicted, (struct made_op){.at = JNZ, .data = IBS_OP_BRN_RET | IBS_OP_BRN_MISP});
    made_run_op(c->jnz - c->mispredicted, (struct made_op){.at = JNZ, .data = IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN});
    made_run_op(c->ret, (struct made_op){.at = RET, .data = IBS_OP_BRN_RET | IBS_OP_RETURN});
    made_run_op(c->cold, (struct made_op){.at = COLD});
    made_run_op(c->handler, (struct made_op){.at = HANDLER});
    made_run_fetch(c->fetches - c->ic_misses,
                   (struct made_fetch){.at = PUSH, .ctl = IBS_FETCH_COMP | IBS_FETCH_PHY_VALID});
    made_run_fetch(c->ic_misses,
                   (struct made_fetch){.at = PUSH, .ctl = IBS_FETCH_COMP | IBS_FETCH_PHY_VALID | IBS_FETCH_IC_MISS});
    snprintf(ini, sizeof(ini),
             "%s#: figures = silicon\n#: machine.name = P\n#: workload.work = 1000\n#: workload.unit = turns\n",
             settings);
    made_run_write(folder, ini);
}

static char a[2][300], b[2][300];

static int begin(void **state)
{
    /* The processor's registers differ in one that keeps its value, one that changes by itself, and one of another
     * core. */
    make("a/1", &a1, "pages = 4k\n#: silicon.HWCR = 0x1000000\n#: silicon.COFVID_STATUS = 0x1\n#: silicon.PAT = 0x6\n");
    make("a/2", &a2, "pages = 4k\n#: silicon.HWCR = 0x1000000\n#: silicon.COFVID_STATUS = 0x2\n#: silicon.PAT = 0x6\n");
    make("b/1", &b1,
         "pages = 2m\n#: silicon.HWCR = 0x1000008\n#: silicon.COFVID_STATUS = 0x3\n#: silicon.PAT = 0x6\n"
         "#: core.1.silicon.PAT = 0x0\n");
    make("b/2", &b2, "pages = 2m\n#: silicon.HWCR = 0x1000008\n#: silicon.COFVID_STATUS = 0x3\n#: silicon.PAT = 0x6\n");
    program_make("program.elf");
    for (int i = 0; i < 2; i++) {
        snprintf(a[i], sizeof(a[i]), "%s", files_path(i ? "a/2" : "a/1"));
        snprintf(b[i], sizeof(b[i]), "%s", files_path(i ? "b/2" : "b/1"));
    }
    return 0;
}

static void outputs(void **state)
{
    char name[300];
    struct tool_result page;
    char *data;

    tool_writes(tool_run(&command_compare, a[0], a[1], "--", b[0], b[1], NULL), "compare/compare.txt");
    tool_writes(tool_run(&command_compare, "--all", a[0], a[1], "--", b[0], b[1], NULL), "compare/compare-all.txt");
    tool_writes(tool_run(&command_compare, "--csv", a[0], a[1], "--", b[0], b[1], NULL), "compare/compare.csv");
    tool_writes(tool_run(&command_compare, "-f", "json", a[0], a[1], "--", b[0], b[1], NULL), "compare/compare.json");
    /* Options may stand on both sides. */
    tool_writes(tool_run(&command_compare, a[0], a[1], "--", b[0], "--csv", b[1], NULL), "compare/compare.csv");
    page = tool_run(&command_compare, "--html", a[0], a[1], "--", b[0], b[1], NULL);
    assert_int_equal(page.status, EXIT_DONE);
    data = strstr(page.out, "id=\"comparison\">\n");
    assert_non_null(data);
    *strstr(data, "</script>") = '\0';
    expect_file(strchr(data, '\n') + 1, "compare/compare.json");
    snprintf(name, sizeof(name), "%s", files_path("out.csv"));
    tool_expect(tool_run(&command_compare, "--csv", "--output", name, a[0], a[1], "--", b[0], b[1], NULL), EXIT_DONE,
                "", "");
    expect_file(files_read(name), "compare/compare.csv");
    /* With one run a side the halves are alternate slices of its time. */
    tool_writes(tool_run(&command_compare, "--format=csv", a[0], b[0], NULL), "compare/compare-one.csv");
    tool_writes(tool_run(&command_compare, "--help", NULL), "usage/usage-compare.txt");
    tool_writes(tool_run(&command_compare, "-h", NULL), "usage/usage-compare.txt");
}

static void options(void **state)
{
    /* The options are fetches; 99 % intervals and other margins; another seed; functions with another name. */
    tool_writes(tool_run(&command_compare, "--event=fetch", "--csv", a[0], a[1], "--", b[0], b[1], NULL),
                "compare/compare-fetch.csv");
    tool_writes(tool_run(&command_compare, "--csv", "--level=99", "--margin=30", "--margin-relative=80", a[0], a[1],
                         "--", b[0], b[1], NULL),
                "compare/compare-level.csv");
    tool_writes(tool_run(&command_compare, "--csv", "--seed=2", "--resamples=100", a[0], a[1], "--", b[0], b[1], NULL),
                "compare/compare-seed.csv");
    /* A margin for shares does not change that for rates, up to its own value; a margin for rates is used unchanged. */
    assert_non_null(strstr(tool_run(&command_compare, "--json", "--margin=20", a[0], a[1], "--", b[0], b[1], NULL).out,
                           "\"margin_points_of_rates\":null,"));
    assert_non_null(
        strstr(tool_run(&command_compare, "--json", "--margin-rates=0.25", a[0], a[1], "--", b[0], b[1], NULL).out,
               "\"margin_points_of_rates\":0.25,"));
    tool_writes(tool_run(&command_compare, "--csv", "--map=cold=hot", "--force-code", a[0], b[0], NULL),
                "compare/compare-map.csv");
}

static void verdict_as_status(void **state)
{
    static const struct {
        const char *option;
        int different, same;
    } rows[] = {{"--fail-if=different", EXIT_VERDICT, EXIT_DONE},
                {"--fail-if=one-run", EXIT_DONE, EXIT_VERDICT},
                {"--fail-if=different,both", EXIT_VERDICT, EXIT_DONE},
                {"--fail-if=equivalent,inconclusive,one-run", EXIT_DONE, EXIT_VERDICT}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(tool_run(&command_compare, rows[i].option, a[0], a[1], "--", b[0], b[1], NULL).status,
                         rows[i].different);
        assert_int_equal(tool_run(&command_compare, rows[i].option, "--resamples=100", a[0], a[0], NULL).status,
                         rows[i].same);
    }
}

/* With one run a side that differs clearly the runs are called different, and the sides are not judged, even if one
 * side has two runs. */
static void one_run_a_side(void **state)
{
    static const char *const options[] = {"--fail-if=different,both,equivalent,inconclusive", "--fail-if=one-run"};
    static const int status[] = {EXIT_DONE, EXIT_VERDICT};

    for (int i = 0; i < 2; i++) {
        struct tool_result got = tool_run(&command_compare, options[i], a[0], b[0], NULL);

        assert_int_equal(got.status, status[i]);
        assert_true(strncmp(got.out, "These runs differ: ", 19) == 0);
        assert_non_null(strstr(got.out, "One run per side"));
        got = tool_run(&command_compare, options[i], a[0], a[1], "--", b[0], NULL);
        assert_int_equal(got.status, status[i]);
        assert_true(strncmp(got.out, "These runs differ: ", 19) == 0);
    }
    assert_non_null(strstr(tool_run(&command_compare, "--json", a[0], b[0], NULL).out,
                           "\"verdict\":\"one-run\",\n\"of_runs\":\"different\","));
}

/* Each output of a comparison says where its figures come from. */
static void models(void **state)
{
    static const char model[] = "MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.";
    char text[200], path[300];
    struct tool_result got;

    make("model", &a1,
         "#: figures = MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n");
    snprintf(path, sizeof(path), "%s", files_path("model"));
    got = tool_run(&command_compare, path, b[0], NULL);
    snprintf(text, sizeof(text), "\nSide A: %s\n", model);
    assert_non_null(strstr(got.out, text));
    got = tool_run(&command_compare, path, path, NULL);
    snprintf(text, sizeof(text), "\n%s\n", model);
    assert_non_null(strstr(got.out, text));
    got = tool_run(&command_compare, "--csv", b[0], path, NULL);
    snprintf(text, sizeof(text), "# Side B: %s\ncolumn,", model);
    assert_true(strncmp(got.out, text, strlen(text)) == 0);
    got = tool_run(&command_compare, "--json", b[0], path, NULL);
    snprintf(text, sizeof(text), "\"figures\":\"%s\"", model);
    assert_non_null(strstr(got.out, text));
    assert_non_null(strstr(got.out, "\"figures\":null"));
}

/* Returns whether the text has this sentence, with its lines joined. */
static bool says(const char *text, const char *wanted)
{
    static char flat[1 << 20];
    size_t at = 0;

    for (; *text != '\0' && at + 1 < sizeof(flat); text++)
        if (!((*text == ' ' || *text == '\n') && at > 0 && flat[at - 1] == ' '))
            flat[at++] = *text == '\n' ? ' ' : *text;
    flat[at] = '\0';
    return strstr(flat, wanted) != NULL;
}

/* A warning about two programs comes before their shares, which would mislead a reader. */
static void two_workloads(void **state)
{
    char one[300], other[300];
    const char *got;

    make("walked", &a1, "workload = pointer-chase\n");
    make("multiplied", &a2, "workload = matmul-classic\n");
    snprintf(one, sizeof(one), "%s", files_path("walked"));
    snprintf(other, sizeof(other), "%s", files_path("multiplied"));
    got = tool_run(&command_compare, one, other, NULL).out;
    assert_true(strncmp(got, "These runs differ: the sides", 28) == 0);
    assert_true(says(got, "the sides ran different workloads, pointer-chase in A and matmul-classic in B; "));
    assert_null(strstr(got, "comparisons differ"));
    make("multiplied", &a1, "workload = pointer-chase\n");
    assert_false(says(tool_run(&command_compare, one, other, NULL).out, "different workloads"));
}

/* A parameter is the value that the workload used, not the one typed: 0 stands for its default. */
static void parameters_as_taken(void **state)
{
    char one[300], other[300];
    const char *got;

    make("typed", &a1, "n = 1000\nrows = 0\n#: workload.n = 1000\n#: workload.rows = 1\n");
    make("default", &a1, "n = 0\nrows = 2\n#: workload.n = 1000\n#: workload.rows = 2\n");
    snprintf(one, sizeof(one), "%s", files_path("typed"));
    snprintf(other, sizeof(other), "%s", files_path("default"));
    got = tool_run(&command_compare, "--json", one, other, NULL).out;
    assert_non_null(strstr(got, "\"settings_that_differ\":[{\"name\":\"workload.rows\",\"a\":\"1\",\"b\":\"2\"}]"));
}

/* Periods are printed with their unit. */
static void periods_have_units(void **state)
{
    static const struct {
        const char *options;
        bool cycles;
        const char *a, *b;
    } rows[] = {{"--event=op", false, "1000 ops", "2000 ops"},
                {"--event=op", true, "1000 cycles", "2000 cycles"},
                {"--event=fetch", false, "1000 fetches", "2000 fetches"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char path[2][300], wanted[200];

        for (int side = 0; side < 2; side++) {
            made_run_begin();
            for (int kind = 0; kind < 2; kind++)
                made_info.event[kind].period = side ? 2000 : 1000;
            made_info.event[SAMPLE_OP].variant = !rows[i].cycles;
            made_run_op(10, (struct made_op){.at = LOAD});
            made_run_fetch(10, (struct made_fetch){.at = PUSH, .ctl = IBS_FETCH_COMP});
            snprintf(path[side], sizeof(path[side]), "%s", made_run_write(side ? "unit/b" : "unit/a", ""));
        }
        snprintf(wanted, sizeof(wanted), "{\"name\":\"period\",\"a\":\"%s\",\"b\":\"%s\"}", rows[i].a, rows[i].b);
        assert_non_null(
            strstr(tool_run(&command_compare, "--json", rows[i].options, path[0], path[1], NULL).out, wanted));
    }
}

/* A recording that is named several times counts once in intervals, p and verdict, with two runs a side and with
 * one. */
static void copies(void **state)
{
    char twin[300], *once;
    struct tool_result got;

    make("a/twin", &a1, "pages = 4k\n");
    snprintf(twin, sizeof(twin), "%s", files_path("a/twin"));
    once = strdup(tool_run(&command_compare, "--csv", a[0], a[1], "--", b[0], b[1], NULL).out);
    got = tool_run(&command_compare, "--csv", a[0], a[0], twin, a[1], a[1], "--", b[0], b[1], b[0], NULL);
    expect_text(got.out, once);
    free(once);
    got = tool_run(&command_compare, a[0], twin, a[1], a[1], "--", b[0], b[1], b[0], NULL);
    assert_true(says(got.out,
                     "WARNING: 2 of the 4 runs of side A are copies and not counted: FILES/a/twin has the same "
                     "samples as FILES/a/1 (and 1 more). "));
    assert_true(says(got.out, "WARNING: 1 of the 3 runs of side B are copies and not counted: FILES/b/1 has the same "
                              "samples as FILES/b/1. "));
    assert_true(says(got.out, "A: 2 runs, "));
    /* Six copies of one run are one run, whose halves are compared. */
    got = tool_run(&command_compare, "--fail-if=one-run", a[0], a[0], a[0], twin, a[0], a[0], "--", b[0], b[0], NULL);
    assert_int_equal(got.status, EXIT_VERDICT);
    assert_true(says(got.out, "A: 1 run, "));
    once = strdup(tool_run(&command_compare, "--json", a[0], b[0], NULL).out);
    got = tool_run(&command_compare, "--json", a[0], twin, "--", b[0], b[0], NULL);
    expect_text(strstr(got.out, "\"a_against_a\""), strstr(once, "\"a_against_a\""));
    free(once);
}

/* A side's first ten paths are listed before the first result, and further ones are counted. */
static void many_runs(void **state)
{
    char path[13][300], folder[40];
    struct tool_result got;

    for (unsigned i = 0; i < 13; i++) {
        struct counts one = a1;

        one.add += i;
        snprintf(folder, sizeof(folder), "many/%02u", i);
        make(folder, &one, "pages = 4k\n");
        snprintf(path[i], sizeof(path[i]), "%s", files_path(folder));
    }
    got = tool_run(&command_compare, path[0], path[1], path[2], path[3], path[4], path[5], path[6], path[7], path[8],
                   path[9], path[10], path[11], "--", path[12], NULL);
    assert_true(says(got.out, "A: 12 runs, "));
    assert_true(says(got.out, " FILES/many/09 and 2 more (--json has all) B: 1 run, "));
    assert_false(says(got.out, "FILES/many/10"));
    got = tool_run(&command_compare, path[0], path[1], path[2], path[3], path[4], path[5], path[6], path[7], path[8],
                   path[9], "--", path[12], NULL);
    assert_true(says(got.out, " FILES/many/09 B: 1 run, "));
}

/* One recording is on both sides. */
static void copies_on_both_sides(void **state)
{
    struct tool_result got = tool_run(&command_compare, "--fail-if=inconclusive", a[0], a[1], "--", a[1], b[1], NULL);

    assert_int_equal(got.status, EXIT_VERDICT);
    assert_true(says(got.out, "Inconclusive: a recording is on both sides, so the sides are not independent"));
    assert_true(says(got.out, "WARNING: FILES/a/2 of side A and FILES/a/2 of side B have the same samples"));
    got = tool_run(&command_compare, "--fail-if=inconclusive", a[0], a[1], "--", a[0], a[1], NULL);
    assert_int_equal(got.status, EXIT_VERDICT);
    assert_true(says(got.out, "Inconclusive: both sides are the same recordings"));
    assert_true(says(tool_run(&command_compare, a[0], a[0], NULL).out,
                     "Undecided for these runs: both sides are the same recordings"));
}

static void mistakes(void **state)
{
    static const struct {
        const char *option, *error;
    } rows[] = {
        {"--format=pdf", "ibsprof: compare: --format is text, csv, json or html, not 'pdf'\n"},
        {"--margin=-1", "ibsprof: compare: --margin takes a number from 0 to 100, not '-1'\n"},
        {"--margin=101", "ibsprof: compare: --margin takes a number from 0 to 100, not '101'\n"},
        {"--margin=", "ibsprof: compare: --margin takes a number from 0 to 100, not ''\n"},
        {"--margin=1x", "ibsprof: compare: --margin takes a number from 0 to 100, not '1x'\n"},
        {"--margin-relative=100.5", "ibsprof: compare: --margin-relative takes a number from 0 to 100, not '100.5'\n"},
        {"--level=49", "ibsprof: compare: --level takes a number from 50 to 99.99, not '49'\n"},
        {"--level=100", "ibsprof: compare: --level takes a number from 50 to 99.99, not '100'\n"},
        {"--resamples=99", "ibsprof: compare: --resamples takes a whole number from 100 to 1000000, not '99'\n"},
        {"--resamples=1000001",
         "ibsprof: compare: --resamples takes a whole number from 100 to 1000000, not '1000001'\n"},
        {"--seed=-1", "ibsprof: compare: --seed takes a whole number from 0 to 4294967295, not '-1'\n"},
        {"--seed=4294967296", "ibsprof: compare: --seed takes a whole number from 0 to 4294967295, not '4294967296'\n"},
        {"--map=x", "ibsprof: compare: --map names two functions, A=B, and may be given 64 times, not 'x'\n"},
        {"--map==x", "ibsprof: compare: --map names two functions, A=B, and may be given 64 times, not '=x'\n"},
        {"--map=x=", "ibsprof: compare: --map names two functions, A=B, and may be given 64 times, not 'x='\n"},
        {"--fail-if=same",
         "ibsprof: compare: --fail-if is different, equivalent, both, inconclusive or one-run, not 'same'\n"},
        {"--fail-if=both,same",
         "ibsprof: compare: --fail-if is different, equivalent, both, inconclusive or one-run, not 'both,same'\n"},
        {"--core=x", "ibsprof: compare: --core is a list of numbers below 1024, such as 0,2-3, not 'x'\n"},
        {"--nothing", "ibsprof: compare: no option '--nothing'; 'ibsprof compare --help' lists them\n"},
    };
    static const char *const several[] = {"", "F1", "F10", "o", "all", "IBS"}; /* events, if they are any */
    static const char how[] =
        "ibsprof: compare: two runs, or several on each side with '--' between the sides; 'ibsprof compare "
        "--help' explains\n";

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        tool_expect(tool_run(&command_compare, rows[i].option, a[0], b[0], NULL), EXIT_USAGE, "", rows[i].error);
    tool_expect(tool_run(&command_compare, NULL), EXIT_USAGE, "", how);
    tool_expect(tool_run(&command_compare, a[0], NULL), EXIT_USAGE, "", how);
    tool_expect(tool_run(&command_compare, a[0], a[1], b[0], NULL), EXIT_USAGE, "", how);
    tool_expect(tool_run(&command_compare, a[0], "--", NULL), EXIT_USAGE, "", how);
    tool_expect(tool_run(&command_compare, "--", b[0], NULL), EXIT_USAGE, "", how);
    tool_expect(tool_run(&command_compare, a[0], "--", b[0], "--", b[1], NULL), EXIT_USAGE, "", how);
    tool_expect(tool_run(&command_compare, a[0], files_path("none"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/none: No such file or directory\n");
    tool_expect(tool_run(&command_compare, files_path("none"), b[0], NULL), EXIT_INPUT, "",
                "ibsprof: FILES/none: No such file or directory\n");
    tool_expect(tool_run(&command_compare, "--event=cpu-clock", a[0], b[0], NULL), EXIT_INPUT, "",
                "ibsprof: compare: not every run has samples of 'cpu-clock'; all have: op, fetch\n");
    for (size_t i = 0; i < sizeof(several) / sizeof(several[0]); i++) {
        char option[40], error[200];

        snprintf(option, sizeof(option), "--event=%s", several[i]);
        snprintf(error, sizeof(error), "ibsprof: compare: not every run has samples of '%s'; all have: op, fetch\n",
                 several[i]);
        tool_expect(tool_run(&command_compare, option, a[0], b[0], NULL), EXIT_INPUT, "", error);
    }
    tool_expect(tool_run(&command_compare, a[0], "--", b[0], "--nothing", NULL), EXIT_USAGE, "",
                "ibsprof: compare: no option '--nothing'; 'ibsprof compare --help' lists them\n");
    tool_expect(tool_run(&command_compare, "-o", "/nowhere/at/all", a[0], b[0], NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all: cannot be written: No such file or directory\n");
    tool_expect(tool_run(&command_compare, "-o", "/dev/full", a[0], b[0], NULL), EXIT_OUTPUT, "",
                "ibsprof: /dev/full: cannot be written: No space left on device\n");
    tool_expect(tool_run(&command_compare, "--core=5", a[0], b[0], NULL), EXIT_INPUT, "",
                "ibsprof: FILES/a/1: no samples of core 5\n");
}

/* At most 64 functions may be mapped. */
static void many_maps(void **state)
{
    const char *list[70] = {NULL};
    char words[65][40];

    for (int i = 0; i < 65; i++) {
        snprintf(words[i], sizeof(words[i]), "--map=a%d=b%d", i, i);
        list[i] = words[i];
    }
    list[65] = a[0];
    list[66] = b[0];
    tool_expect(tool_run_words(&command_compare, list), EXIT_USAGE, "",
                "ibsprof: compare: --map names two functions, A=B, and may be given 64 times, not 'a64=b64'\n");
    list[64] = "--csv";
    assert_int_equal(tool_run_words(&command_compare, list).status, EXIT_DONE);
}

/* There is colour on a terminal only. */
static void on_a_terminal(void **state)
{
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    assert_non_null(
        strstr(tool_run_on_terminal(80, &command_compare, "--resamples=100", a[0], b[0], NULL).out, "\033["));
    setenv("NO_COLOR", "1", 1);
    assert_null(strstr(tool_run_on_terminal(80, &command_compare, "--resamples=100", a[0], b[0], NULL).out, "\033[3"));
}

/* The run has no sample of the workload. */
static void nothing_to_compare(void **state)
{
    static const struct counts only_handler = {.handler = 10, .fetches = 1};
    char text[400];

    make("empty", &only_handler, "");
    snprintf(text, sizeof(text), "ibsprof: compare: FILES/empty: no sample of IBS op is in the workload\n");
    tool_expect(tool_run(&command_compare, a[0], files_path("empty"), NULL), EXIT_INPUT, "", text);
    tool_expect(tool_run(&command_compare, files_path("empty"), a[0], NULL), EXIT_INPUT, "", text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs),
        cmocka_unit_test(options),
        cmocka_unit_test(verdict_as_status),
        cmocka_unit_test(one_run_a_side),
        cmocka_unit_test(models),
        cmocka_unit_test(two_workloads),
        cmocka_unit_test(parameters_as_taken),
        cmocka_unit_test(periods_have_units),
        cmocka_unit_test(copies),
        cmocka_unit_test(many_runs),
        cmocka_unit_test(copies_on_both_sides),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(many_maps),
        cmocka_unit_test(on_a_terminal),
        cmocka_unit_test(nothing_to_compare),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
