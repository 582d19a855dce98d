/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof archive: runs are added once, whatever happens to writers, and are found again with their figures. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/archive/add.h"

#define MAP "rva,function,file,line,instruction,"

static void put(const char *folder, const char *name, const char *text)
{
    char path[300];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    files_write(path, text, strlen(text));
}

static struct tool_result archive(const char *verb, const char *a, const char *b, const char *option)
{
    char *first = strdup(files_path(a)), *second = b ? strdup(files_path(b)) : NULL;
    const char *words[] = {verb, first, second ? second : option, second ? option : NULL, NULL};
    struct tool_result result = tool_run_words(&command_archive, words);

    free(first);
    free(second);
    return result;
}

/* Two runs of one machine, one of another, one without figures, and a copy under another name. */
static void make_runs(const char *folder)
{
    static const char ini[] =
        "workload = \"loop\"\nn = 300\n#: started = 2026-01-02T03:04:05\n#: figures = silicon\n#: machine.name = "
        "Phenom\n"
        "#: machine.vendor = AuthenticAMD\n#: machine.family = 16\n#: machine.model = 4\n#: machine.stepping = 2\n"
        "#: machine.product = Box\n#: machine.board = Board\n#: machine.serial = S1\n"
        "#: machine.firmware = UEFI 2.4\n#: machine.firmware.version = F7\n#: silicon.HWCR = 0x10\n"
        "#: core.1.silicon.PAT = 0x7\n#: selftest = passed\n#: workload.check = 1\n#: config = ibs\n#: samples.op = "
        "60\n";
    char path[100];

    snprintf(path, sizeof(path), "%s/0001-loop-ibs", folder);
    put(path, "run.ini", ini);
    put(path, "note.txt", "a note\n");
    put(path, "profile.csv",
        MAP "F100 All IBS op [samples],F206 IBS DC miss [samples]\n0x1000,f,f.c,7,push rbp,10,0\n"
            "0x1004,f,f.c,8,\"mov rax, rbx\",30,4\n0x1010,g,f.c,9,push rbp,20,1\n,(outside the map),,,,5,0\n");
    put(path, "pmc.csv", MAP "041 MISSES [samples]\n0x1000,f,f.c,7,push rbp,0\n0x1004,f,f.c,8,\"mov rax, rbx\",9\n");
    snprintf(path, sizeof(path), "%s/0002-loop-ibs", folder);
    put(path, "run.ini", ini);
    put(path, "profile.csv",
        MAP "F100 All IBS op [samples]\n0x2004,f,f.c,7,push rbp,11\n0x2008,f,f.c,8,\"mov rax, rbx\",29\n");
    snprintf(path, sizeof(path), "%s/0003-copy", folder);
    put(path, "run.ini", ini);
    put(path, "profile.csv",
        MAP "F100 All IBS op [samples]\n0x2004,f,f.c,7,push rbp,11\n0x2008,f,f.c,8,\"mov rax, rbx\",29\n");
    snprintf(path, sizeof(path), "%s/0004-chain-count", folder);
    put(path, "run.ini",
        "workload = \"chain\"\n#: started = 2026-03-04T00:00:00\n#: figures = MODEL: made up\n#: machine.name = Zen\n"
        "#: machine.firmware = SeaBIOS\n#: machine.board.serial = B2\n#: workload.check = 0\n#: config = count\n");
    put(path, "counts.csv", "select\n");
    snprintf(path, sizeof(path), "%s/0005-begun", folder);
    put(path, "begun.ini", "workload = \"chain\"\n#: machine.name = Zen\n#: phase = saving perf.data\n");
}

static int begin(void **state)
{
    files_remove_all();
    make_runs("stick/runs");
    return 0;
}

static void adds_once(void **state)
{
    tool_expect(archive("add", "a.db", "stick", NULL), EXIT_DONE, "4 added, 1 there already, 0 failed\n", "");
    tool_expect(archive("add", "a.db", "stick/runs/0003-copy", NULL), EXIT_DONE, "0 added, 1 there already, 0 failed\n",
                "");
    /* A note is the user's and not the run's; another file is. */
    put("stick/runs/0002-loop-ibs", "note.txt", "seen\n");
    put("stick/runs/0002-loop-ibs", ".hidden", "x");
    tool_expect(archive("add", "a.db", "stick", NULL), EXIT_DONE, "0 added, 5 there already, 0 failed\n", "");
    put("stick/runs/0002-loop-ibs", "time.csv", "x");
    tool_expect(archive("add", "a.db", "stick", NULL), EXIT_DONE, "1 added, 4 there already, 0 failed\n", "");
}

static void lists_and_queries(void **state)
{
    tool_expect(archive("add", "q.db", "stick", NULL), EXIT_DONE, "4 added, 1 there already, 0 failed\n", "");
    tool_writes(archive("list", "q.db", NULL, NULL), "archive-list.txt");
    tool_writes(archive("list", "q.db", NULL, "--json"), "archive-list.json");
    tool_writes(archive("list", "q.db", NULL, "--machine=S1"), "archive-list-machine.txt");
    tool_writes(archive("query", "q.db", NULL, NULL), "archive-query.txt");
    tool_writes(archive("query", "q.db", NULL, "--csv"), "archive-query.csv");
    tool_writes(archive("query", "q.db", NULL, "--json"), "archive-query.json");
    tool_writes(archive("query", "q.db", NULL, "--runs"), "archive-query-runs.txt");
    tool_expect(archive("query", "q.db", NULL, "--function=h"), EXIT_DONE, "", "");
    tool_writes(archive("query", "q.db", NULL, "--function=g"), "archive-query-function.txt");
    tool_writes(archive("query", "q.db", NULL, "--instruction=mov rax, rbx"), "archive-query-instruction.txt");
    tool_writes(archive("query", "q.db", NULL, "--event=F206"), "archive-query-event.txt");
    tool_writes(archive("query", "q.db", NULL, "--event=F206 IBS DC miss [samples]"), "archive-query-event.txt");
    tool_expect(archive("query", "q.db", NULL, "--event=F20"), EXIT_DONE, "", "");
    tool_expect(archive("query", "q.db", NULL, "--event=' OR 1 = 1 --"), EXIT_DONE, "", "");
    tool_expect(archive("query", "q.db", NULL, "--workload=chain"), EXIT_DONE, "", "");
    tool_expect(archive("query", "q.db", NULL, "--since=2026-01-03"), EXIT_DONE, "", "");
    tool_expect(archive("query", "q.db", NULL, "--until=2026-01-02"), EXIT_DONE, "", "");
    tool_writes(archive("query", "q.db", NULL, "--until=2026-01-03"), "archive-query.txt");
    tool_writes(archive("query", "q.db", NULL, "--machine=Phenom"), "archive-query.txt");
}

static void take_text(void *context, const struct store_value *values)
{
    snprintf(context, 1000, "%.*s", (int)values[0].size, (const char *)values[0].bytes);
}

static void holds(struct archive *of, const char *sql, const char *wanted)
{
    char text[1000] = "none";

    assert_true(archive_run(of, sql, NULL, 0, take_text, text));
    expect_text(text, wanted);
}

static void keeps_all_of_a_run(void **state)
{
    struct archive of;

    assert_int_equal(archive("add", "k.db", "stick/runs/0001-loop-ibs", NULL).status, EXIT_DONE);
    assert_true(archive_open(&of, files_path("k.db"), false));
    holds(&of, "SELECT body FROM snapshot JOIN run ON run.silicon = snapshot.id",
          "{\"silicon.HWCR\":\"0x10\",\"core.1.silicon.PAT\":\"0x7\"}");
    holds(&of, "SELECT body FROM snapshot JOIN run ON run.settings = snapshot.id",
          "{\"workload\":\"loop\",\"n\":\"300\"}");
    holds(&of, "SELECT substr(body, 1, 41) FROM snapshot JOIN run ON run.facts = snapshot.id",
          "{\"started\":\"2026-01-02T03:04:05\",\"figures");
    holds(&of, "SELECT vendor || family || model || stepping || product || board || serial || hostname FROM machine",
          "AuthenticAMD1642BoxBoardS1");
    holds(&of, "SELECT name || firmware || kernel || figures || selftest || note FROM run",
          "0001-loop-ibsF7siliconpasseda note");
    holds(&of, "SELECT bytes FROM content JOIN run_file ON run_file.digest = content.digest WHERE name = 'pmc.csv'",
          MAP "041 MISSES [samples]\n0x1000,f,f.c,7,push rbp,0\n0x1004,f,f.c,8,\"mov rax, rbx\",9\n");
    holds(&of, "SELECT group_concat(name, ' ') FROM run_file", "pmc.csv profile.csv run.ini");
    holds(&of, "SELECT source FROM code WHERE place = 4", "f.c:8");
    archive_close(&of);
}

static void damaged_runs(void **state)
{
    put("bad/1", "run.ini", "workload = \"loop\"\n");
    put("bad/1", "profile.csv", MAP "F100 All IBS op [samples]\n0x2004,f,f.c,7,push rbp\n");
    put("bad/2", "run.ini", "workload = \"loop\"\n");
    put("bad/2", "profile.csv", MAP "F100 All IBS op [samples]\n0x2004,f,f.c,7,push rbp,3\n");
    put("bad/3", "run.ini", "a\nb");
    put("bad/3", "perf.data", "no samples");
    tool_expect(
        archive("add", "b.db", "bad", NULL), EXIT_INPUT, "1 added, 0 there already, 2 failed\n",
        "ibsprof: FILES/bad/1: line 2 of its profile.csv: it has more or fewer fields than the first line: copy "
        "the run again\nibsprof: FILES/bad/3/perf.data: neither perf.data nor a raw file of the AMD IBS Toolkit\n");
    tool_expect(archive("add", "b.db", "nothing", NULL), EXIT_INPUT, "0 added, 0 there already, 1 failed\n",
                "ibsprof: FILES/nothing: No such file or directory\n");
}

/* A recording of Linux: figures are of its samples, and its kernel is known. */
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
                "1 added, 0 there already, 0 failed\n", "");
    tool_writes(archive("query", "l.db", NULL, NULL), "archive-query-samples.txt");
    assert_true(archive_open(&of, files_path("l.db"), false));
    holds(&of, "SELECT name FROM machine", "made by a test");
    archive_close(&of);
}

/* ---------------------------------------------------------------- writers that are killed */

enum { STRESS_RUNS = 60, STRESS_WRITERS = 4, STRESS_KILLS = 12 };

static void make_stress(void)
{
    for (int i = 0; i < STRESS_RUNS; i++) {
        char folder[100], text[200];

        snprintf(folder, sizeof(folder), "stress/%d/%03d", i % STRESS_WRITERS, i);
        snprintf(text, sizeof(text),
                 "workload = \"loop\"\n#: machine.serial = %d\n#: started = 2026-01-01T00:%02d:00\n", i % 7, i);
        put(folder, "run.ini", text);
        snprintf(text, sizeof(text), MAP "ops [samples]\n0x10,f,f.c,7,push rbp,%d\n0x11,f,f.c,8,nop,%d\n", i + 1,
                 i % 3);
        put(folder, "profile.csv", text);
    }
}

static pid_t start_writer(int share)
{
    pid_t child = fork();

    if (child == 0) {
        const struct load_options load = {0};
        struct add_sums sums = {0};
        struct archive of;
        char folder[300], place[300];

        snprintf(folder, sizeof(folder), "build/unit/ibsprof-files/%d/stress/%d", (int)getppid(), share);
        snprintf(place, sizeof(place), "build/unit/ibsprof-files/%d/s.db", (int)getppid());
        _exit(archive_open(&of, place, true) && archive_add(&of, folder, &load, &sums) && archive_settle(&of) &&
                      sums.failed == 0
                  ? 0
                  : 1);
    }
    return child;
}

static int64_t number_of(struct archive *of, const char *sql)
{
    int64_t number = -1;

    assert_true(archive_run(of, sql, NULL, 0, archive_take_number, &number));
    return number;
}

static void killed_writers(void **state)
{
    pid_t writer[STRESS_WRITERS];
    struct archive of;
    int status, expected = 0;

    make_stress();
    for (int i = 0; i < STRESS_WRITERS; i++)
        writer[i] = start_writer(i);
    for (int i = 0; i < STRESS_KILLS; i++) {
        usleep(1000 + 7000 * (unsigned)(i % 5));
        kill(writer[i % STRESS_WRITERS], SIGKILL);
        waitpid(writer[i % STRESS_WRITERS], &status, 0);
        writer[i % STRESS_WRITERS] = start_writer(i % STRESS_WRITERS);
    }
    for (int i = 0; i < STRESS_WRITERS; i++) {
        assert_int_equal(waitpid(writer[i], &status, 0), writer[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (int i = 0; i < STRESS_RUNS; i++)
        expected += i + 1 + i % 3;
    assert_true(archive_open(&of, files_path("s.db"), false));
    assert_int_equal(number_of(&of, "SELECT COUNT(*) FROM run"), STRESS_RUNS);
    assert_int_equal(number_of(&of, "SELECT COUNT(*) FROM machine"), 7);
    assert_int_equal(number_of(&of, "SELECT COUNT(*) FROM code WHERE place >= 0"), 2);
    assert_int_equal(number_of(&of, "SELECT SUM(count) FROM figure JOIN code ON code.id = code WHERE place >= 0"),
                     expected);
    assert_int_equal(number_of(&of, "SELECT COUNT(*) FROM run_file"), 2 * STRESS_RUNS);
    archive_close(&of);
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
        cmocka_unit_test_setup(adds_once, begin),          cmocka_unit_test_setup(lists_and_queries, begin),
        cmocka_unit_test_setup(keeps_all_of_a_run, begin), cmocka_unit_test_setup(damaged_runs, begin),
        cmocka_unit_test_setup(samples_of_linux, begin),   cmocka_unit_test_setup(killed_writers, begin),
        cmocka_unit_test_setup(wrong_usage, begin),
    };
    return cmocka_run_group_tests_name("archive", tests, NULL, files_end);
}
