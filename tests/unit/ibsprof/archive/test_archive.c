/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof archive: each run is added once, whatever happens to writers, and is found again with its figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/archived.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tools/ibsprof/archive/query.h"

static struct tool_result archive(const char *verb, const char *name, const char *operand, const char *option)
{
    return archived_run(verb, files_path(name), operand, option);
}

static int begin(void **state)
{
    files_remove_all();
    archived_make_runs("stick/runs");
    return 0;
}

static void adds_once(void **state)
{
    tool_expect(archive("add", "a.db", "stick", NULL), EXIT_DONE, "4 added, 1 already there, 0 failed\n", "");
    tool_expect(archive("add", "a.db", "stick/runs/0003-copy", NULL), EXIT_DONE, "0 added, 1 already there, 0 failed\n",
                "");
    /* A note belongs to the user and not to the run; any other file belongs to the run. */
    archived_put("stick/runs/0002-loop-ibs", "note.txt", "seen\n");
    archived_put("stick/runs/0002-loop-ibs", ".hidden", "x");
    tool_expect(archive("add", "a.db", "stick", NULL), EXIT_DONE, "0 added, 5 already there, 0 failed\n", "");
    archived_put("stick/runs/0002-loop-ibs", "time.csv", "x");
    tool_expect(archive("add", "a.db", "stick", NULL), EXIT_DONE, "1 added, 4 already there, 0 failed\n", "");
}

static void lists_and_queries(void **state)
{
    tool_expect(archive("add", "q.db", "stick", NULL), EXIT_DONE, "4 added, 1 already there, 0 failed\n", "");
    tool_writes(archive("list", "q.db", NULL, NULL), "archive/archive-list.txt");
    tool_writes(archive("list", "q.db", NULL, "--json"), "archive/archive-list.json");
    tool_writes(archive("list", "q.db", NULL, "--machine=S1"), "archive/archive-list-machine.txt");
    assert_int_equal(archive("list", "q.db", NULL, "--function=f").status, EXIT_USAGE);
    assert_int_equal(archive("list", "q.db", NULL, "--instruction=ret").status, EXIT_USAGE);
    assert_int_equal(archive("list", "q.db", NULL, "--event=F100").status, EXIT_USAGE);
    tool_writes(archive("query", "q.db", NULL, NULL), "archive/archive-query.txt");
    tool_writes(archive("query", "q.db", NULL, "--csv"), "archive/archive-query.csv");
    tool_writes(archive("query", "q.db", NULL, "--json"), "archive/archive-query.json");
    tool_writes(archive("query", "q.db", NULL, "--runs"), "archive/archive-query-runs.txt");
    tool_writes(archive("query", "q.db", NULL, "--functions"), "archive/archive-query-functions.txt");
    tool_expect(archive("query", "q.db", NULL, "--function=h"), EXIT_DONE, "", "");
    tool_writes(archive("query", "q.db", NULL, "--function=g"), "archive/archive-query-function.txt");
    tool_writes(archive("query", "q.db", NULL, "--instruction=mov rax, rbx"), "archive/archive-query-instruction.txt");
    tool_writes(archive("query", "q.db", NULL, "--event=F206"), "archive/archive-query-event.txt");
    tool_writes(archive("query", "q.db", NULL, "--event=F206 IBS DC miss [samples]"),
                "archive/archive-query-event.txt");
    tool_expect(archive("query", "q.db", NULL, "--event=F20"), EXIT_DONE, "", "");
    tool_expect(archive("query", "q.db", NULL, "--event=' OR 1 = 1 --"), EXIT_DONE, "", "");
    tool_expect(archive("query", "q.db", NULL, "--workload=chain"), EXIT_DONE, "", "");
    tool_expect(archive("query", "q.db", NULL, "--since=2026-01-03"), EXIT_DONE, "", "");
    tool_expect(archive("query", "q.db", NULL, "--until=2026-01-02"), EXIT_DONE, "", "");
    tool_writes(archive("query", "q.db", NULL, "--until=2026-01-03"), "archive/archive-query.txt");
    tool_writes(archive("query", "q.db", NULL, "--machine=Phenom"), "archive/archive-query.txt");
}

/* Two equal boards are from a maker who gives no serial numbers. */
static void tells_equal_boards_apart(void **state)
{
    static const char *const option[] = {"--machine=52-54-00-12-34-57", "--machine=0102-03"};
    struct tool_result got;

    for (unsigned i = 6; i <= 7; i++) {
        char folder[40], ini[300];

        snprintf(folder, sizeof(folder), "lab/000%u-loop-ibs", i);
        snprintf(ini, sizeof(ini),
                 "#: machine.name = Phenom\n#: machine.vendor = AuthenticAMD\n#: machine.family = 16\n"
                 "#: machine.board = Board\n#: machine.uuid = 0102-0%u\n#: machine.mac = 52-54-00-12-34-5%u\n"
                 "#: config = ibs\n",
                 i - 4, i);
        archived_put(folder, "run.ini", ini);
        archived_put(folder, "profile.csv", ARCHIVED_MAP "F100 All IBS op [samples]\n0x1000,f,f.c,7,push rbp,10\n");
    }
    tool_expect(archive("add", "l.db", "lab", NULL), EXIT_DONE, "2 added, 0 already there, 0 failed\n", "");
    for (unsigned i = 0; i < 2; i++) {
        got = archive("list", "l.db", NULL, option[i]);
        assert_int_equal(got.status, EXIT_DONE);
        assert_non_null(strstr(got.out, "0007-loop-ibs"));
        assert_null(strstr(got.out, "0006-loop-ibs"));
    }
    tool_expect(archive("list", "l.db", NULL, "--machine=52-54-00-12-34-5"), EXIT_DONE, "", "");
    tool_expect(archive("list", "l.db", NULL, "--machine=52-54-00-12-34-5_"), EXIT_DONE, "", "");
    tool_expect(archive("list", "l.db", NULL, "--machine=0102%"), EXIT_DONE, "", "");
    tool_expect(archive("list", "l.db", NULL, "--machine=%"), EXIT_DONE, "", "");
    tool_expect(archive("query", "l.db", NULL, "--event=F1_0"), EXIT_DONE, "", "");
}

struct plan {
    bool by_key, whole;
};

static void take_step(void *context, const struct store_value *values)
{
    struct plan *plan = context;

    plan->by_key |= strstr(values[3].bytes, "SEARCH figure USING PRIMARY KEY (code=? AND event=?)") != NULL;
    plan->whole |= strstr(values[3].bytes, "SCAN figure") || strstr(values[3].bytes, "GROUP BY");
}

/* Figures of a few instructions are found by the table's key, because an archive has millions of others. */
static void reads_only_what_is_asked(void **state)
{
    static const struct archive_filters filters[] = {
        {.instruction = "push rbp", .whole = "-"},
        {.function = "f", .event = "F206", .whole = "-"},
        {.function = "f", .machine = "S1", .since = "2026-01-01", .whole = ""},
    };
    struct archive of;

    assert_int_equal(archive("add", "p.db", "stick", NULL).status, EXIT_DONE);
    assert_true(archive_open(&of, files_path("p.db"), false));
    for (unsigned i = 0; i < 6; i++) {
        struct store_value values[ARCHIVE_FILTERS_MAX];
        struct plan plan = {false, false};
        unsigned count = 0;
        char *sql = archive_question(i % 2 ? ARCHIVE_EACH : ARCHIVE_SUMS, &filters[i / 2], values, &count), *explain;

        assert_int_not_equal(asprintf(&explain, "EXPLAIN QUERY PLAN %s", sql), -1);
        assert_true(archive_run(&of, explain, values, count, take_step, &plan));
        assert_true(plan.by_key && !plan.whole);
        free(explain);
        free(sql);
    }
    archive_close(&of);
}

static void keeps_all_of_a_run(void **state)
{
    struct archive of;

    assert_int_equal(archive("add", "k.db", "stick/runs/0001-loop-ibs", NULL).status, EXIT_DONE);
    assert_true(archive_open(&of, files_path("k.db"), false));
    archived_holds(&of, "SELECT body FROM snapshot JOIN run ON run.silicon = snapshot.id",
                   "{\"silicon.HWCR\":\"0x10\",\"core.1.silicon.PAT\":\"0x7\"}");
    archived_holds(&of, "SELECT body FROM snapshot JOIN run ON run.settings = snapshot.id",
                   "{\"workload\":\"loop\",\"n\":\"300\"}");
    archived_holds(&of, "SELECT substr(body, 1, 41) FROM snapshot JOIN run ON run.facts = snapshot.id",
                   "{\"started\":\"2026-01-02T03:04:05\",\"figures");
    archived_holds(
        &of, "SELECT vendor || family || model || stepping || product || board || serial || hostname FROM machine",
        "AuthenticAMD1642BoxBoardS1");
    archived_holds(&of, "SELECT name || firmware || kernel || figures || selftest || note FROM run",
                   "0001-loop-ibsF7siliconpasseda note");
    archived_holds(&of,
                   "SELECT bytes FROM content JOIN run_file ON run_file.digest = content.digest WHERE name = 'pmc.csv'",
                   ARCHIVED_MAP "041 MISSES [samples]\n0x1000,f,f.c,7,push rbp,0\n0x1004,f,f.c,8,\"mov rax, rbx\",9\n");
    archived_holds(&of, "SELECT group_concat(name, ' ') FROM run_file", "pmc.csv profile.csv run.ini");
    archived_holds(&of, "SELECT source FROM code WHERE place = 4", "f.c:8");
    archive_close(&of);
}

static void damaged_runs(void **state)
{
    archived_put("bad/1", "run.ini", "workload = \"loop\"\n");
    archived_put("bad/1", "profile.csv", ARCHIVED_MAP "F100 All IBS op [samples]\n0x2004,f,f.c,7,push rbp\n");
    archived_put("bad/2", "run.ini", "workload = \"loop\"\n");
    archived_put("bad/2", "profile.csv", ARCHIVED_MAP "F100 All IBS op [samples]\n0x2004,f,f.c,7,push rbp,3\n");
    archived_put("bad/3", "run.ini", "a\nb");
    archived_put("bad/3", "perf.data", "no samples");
    tool_expect(
        archive("add", "b.db", "bad", NULL), EXIT_INPUT, "1 added, 0 already there, 2 failed\n",
        "ibsprof: FILES/bad/1: line 2 of its profile.csv: it has more or fewer fields than the first line: copy "
        "the run again\nibsprof: FILES/bad/3/perf.data: neither perf.data nor a raw file of the AMD IBS Toolkit\n");
    tool_expect(archive("add", "b.db", "nothing", NULL), EXIT_INPUT, "0 added, 0 already there, 1 failed\n",
                "ibsprof: FILES/nothing: No such file or directory\n");
}

/* A recording of Linux has figures of its samples, and its kernel is known. */
static void samples_of_linux(void **state)
{
    char run[300];
    struct archive of;

    program_make("l/program.elf");
    made_run_begin();
    made_run_op(7, (struct made_op){.at = PROGRAM_TEXT, .data = 0x10005});
    made_run_op(5, (struct made_op){.at = PROGRAM_TEXT + 2, .data = 0x10005});
    snprintf(run, sizeof(run), "%s", made_run_write("l", NULL));
    tool_expect(tool_run(&command_archive, "add", files_path("l.db"), run, NULL), EXIT_DONE,
                "1 added, 0 already there, 0 failed\n", "");
    tool_writes(archive("query", "l.db", NULL, NULL), "archive/archive-query-samples.txt");
    assert_true(archive_open(&of, files_path("l.db"), false));
    archived_holds(&of, "SELECT name FROM machine", "made by a test");
    archive_close(&of);
}

static void killed_writers(void **state)
{
    char place[300];

    snprintf(place, sizeof(place), "%s", files_path("s.db"));
    archived_stress(place);
}

/* Turns an archive into one with version 1 of the tables, in which functions and runs have no sums. */
static void as_version_1(const char *place)
{
    struct archive of;

    assert_true(archive_open(&of, place, false));
    assert_true(archive_run(&of, "DELETE FROM figure WHERE code IN (SELECT id FROM code WHERE place = -1)", NULL, 0,
                            NULL, NULL));
    assert_true(archive_run(&of, "DELETE FROM code WHERE place = -1", NULL, 0, NULL, NULL));
    assert_true(archive_run(&of, "UPDATE archive SET version = 1", NULL, 0, NULL, NULL));
    archive_close(&of);
}

static void version_1_opens(void **state)
{
    char place[300];

    snprintf(place, sizeof(place), "%s", files_path("v.db"));
    assert_int_equal(archived_run("add", place, "stick", NULL).status, EXIT_DONE);
    as_version_1(place);
    tool_writes(archived_run("query", place, NULL, NULL), "archive/archive-query.txt");
    tool_writes(archived_run("query", place, NULL, "--functions"), "archive/archive-query-functions.txt");
    tool_expect(archived_run("add", place, "stick", NULL), EXIT_DONE, "0 added, 5 already there, 0 failed\n", "");
}

static void wrong_usage(void **state)
{
    assert_int_equal(tool_run(&command_archive, NULL).status, EXIT_USAGE);
    assert_int_equal(archive("add", "u.db", NULL, NULL).status, EXIT_USAGE);
    assert_int_equal(archive("list", "u.db", "stick", NULL).status, EXIT_USAGE);
    assert_int_equal(archive("none", "u.db", NULL, NULL).status, EXIT_USAGE);
    assert_int_equal(archive("list", "u.db", NULL, NULL).status, EXIT_INPUT);
    assert_int_not_equal(access(files_path("u.db"), F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(adds_once, begin),
        cmocka_unit_test_setup(lists_and_queries, begin),
        cmocka_unit_test_setup(tells_equal_boards_apart, begin),
        cmocka_unit_test_setup(keeps_all_of_a_run, begin),
        cmocka_unit_test_setup(damaged_runs, begin),
        cmocka_unit_test_setup(samples_of_linux, begin),
        cmocka_unit_test_setup(killed_writers, begin),
        cmocka_unit_test_setup(wrong_usage, begin),
        cmocka_unit_test_setup(version_1_opens, begin),
        cmocka_unit_test_setup(reads_only_what_is_asked, begin),
    };
    return cmocka_run_group_tests_name("archive", tests, NULL, files_end);
}
