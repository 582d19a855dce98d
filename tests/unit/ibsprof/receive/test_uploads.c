/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs on a boot server: which names and files are taken, where they go, and what stays unchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/base/must.h"

#define RUN "52-54-00-12-34-56,20261125-184829,0001-loop-ibs"

static int setup(void **state)
{
    (void)state;
    files_remove_all();
    files_write("runs/.keep", "", 0);
    unlink(files_path("runs/.keep"));
    return 0;
}

static void upload(const char *name, const char *text)
{
    char *path = must_text("runs/%s", name);

    files_write(path, text, strlen(text));
    free(path);
}

static void upload_run(const char *run, const char *text)
{
    static const char *const names[] = {"report.txt", "run.ini", "perf.data"};
    char name[200];

    for (unsigned i = 0; i < 3; i++) {
        snprintf(name, sizeof(name), "%s,%s", run, names[i]);
        upload(name, text);
    }
    snprintf(name, sizeof(name), "%s,begun.ini", run);
    upload(name, "\n");
}

static struct tool_result take(const char *option)
{
    return tool_run(&command_receive, "--to", files_path("to/new"), files_path("runs"), option, NULL);
}

static void expect_bytes(const char *name, const char *wanted)
{
    FILE *from = fopen(files_path(name), "rb");
    char got[100] = "";

    assert_non_null(from);
    got[fread(got, 1, sizeof(got) - 1, from)] = '\0';
    fclose(from);
    assert_string_equal(got, wanted);
}

#define PLACE "to/new/52-54-00-12-34-56/20261125-184829"

static void a_finished_run(void **state)
{
    (void)state;
    upload_run(RUN, "first");
    tool_expect(take(NULL), 0, "FILES/" PLACE "/0001-loop-ibs\n", "");
    assert_string_equal(files_names(PLACE), "0001-loop-ibs ");
    assert_string_equal(files_names(PLACE "/0001-loop-ibs"), "perf.data report.txt run.ini ");
    expect_bytes(PLACE "/0001-loop-ibs/perf.data", "first");
    assert_string_equal(files_names("runs"), "");
    tool_expect(take(NULL), 0, "", "");
}

/* Machines may add a suffix to the time; two boots and two machines have separate folders. */
static void several_runs(void **state)
{
    (void)state;
    upload_run("52-54-00-12-34-56,20020101-000000-8f3a,0001-a", "a");
    upload_run("52-54-00-12-34-56,20020101-000000-8f3a,0001-a-2", "b");
    upload_run("fe-dc-ba-98-76-54,00000000-000000,12345-a.b_C", "c");
    tool_expect(take(NULL), 0,
                "FILES/to/new/52-54-00-12-34-56/20020101-000000-8f3a/0001-a\n"
                "FILES/to/new/52-54-00-12-34-56/20020101-000000-8f3a/0001-a-2\n"
                "FILES/to/new/fe-dc-ba-98-76-54/00000000-000000/12345-a.b_C\n",
                "");
    expect_bytes("to/new/52-54-00-12-34-56/20020101-000000-8f3a/0001-a-2/run.ini", "b");
}

static void an_unfinished_run(void **state)
{
    (void)state;
    upload_run(RUN, "first");
    upload(RUN ",begun.ini", "#: phase = saving\n");
    upload("52-54-00-12-34-56,20261125-184829,0002-b,begun.ini", "\n"); /* and no other file */
    upload("52-54-00-12-34-56,20261125-184829,0003-c,run.ini", "c");
    tool_expect(take(NULL), 0,
                "not finished: " RUN "\n"
                "not finished: 52-54-00-12-34-56,20261125-184829,0002-b\n"
                "not finished: 52-54-00-12-34-56,20261125-184829,0003-c\n",
                "");
    assert_string_equal(files_names("to"), "");
    upload(RUN ",begun.ini", "#\n");
    tool_expect(take("--all"), 0, "FILES/" PLACE "/0001-loop-ibs\nFILES/" PLACE "/0002-b\nFILES/" PLACE "/0003-c\n",
                "");
    assert_string_equal(files_names(PLACE "/0001-loop-ibs"), "begun.ini perf.data report.txt run.ini ");
    expect_bytes(PLACE "/0001-loop-ibs/begun.ini", "#\n");
    assert_string_equal(files_names("runs"), "");
}

/* Existing files and folders are not replaced, whatever they are. */
static void a_name_that_is_taken(void **state)
{
    (void)state;
    upload_run(RUN, "first");
    (void)take(NULL);
    files_write(PLACE "/0001-loop-ibs-3", "a file", 6);
    assert_int_equal(symlink("nowhere", files_path(PLACE "/0001-loop-ibs-4")), 0);
    upload_run(RUN, "second");
    tool_expect(take(NULL), 0, "FILES/" PLACE "/0001-loop-ibs-2\n",
                "ibsprof: FILES/" PLACE "/0001-loop-ibs is there already, so this run's name is now 0001-loop-ibs-2\n");
    upload_run(RUN, "third");
    tool_expect(take(NULL), 0, "FILES/" PLACE "/0001-loop-ibs-5\n",
                "ibsprof: FILES/" PLACE "/0001-loop-ibs is there already, so this run's name is now 0001-loop-ibs-5\n");
    expect_bytes(PLACE "/0001-loop-ibs/run.ini", "first");
    expect_bytes(PLACE "/0001-loop-ibs-2/run.ini", "second");
    expect_bytes(PLACE "/0001-loop-ibs-3", "a file");
    expect_bytes(PLACE "/0001-loop-ibs-5/run.ini", "third");
}

/* Anyone who reaches the server may choose these names: all files stay there, and none becomes a run. */
static void other_names(void **state)
{
    static const char *const names[] = {
        "x,..,..,home,.ssh,authorized_keys",
        "x,..,..,home,.ssh,begun.ini",
        "..,..,0001-a,run.ini",
        "52-54-00-12-34-56,..,0001-a,run.ini",
        "52-54-00-12-34-56,20261125-184829,..,run.ini",
        "52-54-00-12-34-56,20261125-184829,,hardware.csv",
        "52-54-00-12-34-56,20261125-184829,.0001-a,run.ini",
        "52-54-00-12-34-56,20261125-184829,001-a,run.ini",
        "52-54-00-12-34-56,20261125-184829,000:-a,run.ini",
        "52-54-00-12-34-56,20261125-184829,000a-a,run.ini",
        "52-54-00-12-34-56,20261125-184829,0001-\x1b[2J,run.ini",
        "52-54-00-12-34-56,20261125-184829,0001 a,run.ini",
        "52-54-00-12-34-56,20261125-184829,0001-a,run.ini,x",
        "52-54-00-12-34-56,20261125-184829,0001-a,.profile",
        "52-54-00-12-34-56,20261125-184829,0001-a,note.txt",
        "52-54-00-12-34-56,20261125-184829,0001-a,received.lines",
        "52-54-00-12-34-56,20261125-184829,0001-a,RUN.INI",
        "52-54-00-12-34-56,20261125-184829,0001-a,",
        "52-54-00-12-34-56,20261125-184829,0001-a",
        "52-54-00-12-34-56,20261125-184829",
        "52-54-00-12-34-56,20261125-18482,0001-a,run.ini",
        "52-54-00-12-34-56,2026112-1848290,0001-a,run.ini",
        "52-54-00-12-34-56,20261125184829,0001-a,run.ini",
        "52-54-00-12-34-5,20261125-184829,0001-a,run.ini",
        "52-54-00-12-34-567,20261125-184829,0001-a,run.ini",
        "52-54-00-12-34-5g,20261125-184829,0001-a,run.ini",
        "52-54-00-12-34-5F,20261125-184829,0001-a,run.ini",
        "52-54-00-12-34_56,20261125-184829,0001-a,run.ini",
        "52-54-00-12-34,kept,plan",
        "52-54-00-12-34-56,keep,plan",
        "52-54-00-12-34-56,20261125_184829,0001-a,run.ini",
        "run.ini",
    };
    const unsigned count = sizeof(names) / sizeof(names[0]);
    struct tool_result got;
    char text[80];

    (void)state;
    for (unsigned i = 0; i < count; i++)
        upload(names[i], "hostile");
    upload("52-54-00-12-34-56,kept,plan-1", "a machine's own");
    for (unsigned all = 0; all < 2; all++) {
        got = take(all ? "--all" : NULL);
        assert_int_equal(got.status, 0);
        assert_string_equal(got.out, "");
        snprintf(text, sizeof(text), "%u files that belong to no run are left there; the first: '", count);
        assert_non_null(strstr(got.err, text));
        assert_string_equal(files_names("to"), "");
    }
    for (unsigned i = 0; i < count; i++) {
        char *path = must_text("runs/%s", names[i]);

        expect_bytes(path, "hostile");
        free(path);
    }
}

/* The name of a run has the largest length, or one character more. */
static void long_names(void **state)
{
    char run[300] = RUN;

    (void)state;
    memset(run + strlen(run), 'x', 79 - strlen("0001-loop-ibs"));
    upload_run(run, "long");
    assert_string_equal(take(NULL).err, "");
    assert_string_equal(files_names("runs"), "");
    strcat(run, "x");
    upload_run(run, "long");
    assert_string_equal(take(NULL).out, "");
}

/* Links and folders are never followed, and the run is taken without them. */
static void no_files(void **state)
{
    (void)state;
    upload_run(RUN, "first");
    files_write("secret", "secret", 6);
    unlink(files_path("runs/" RUN ",report.txt"));
    assert_int_equal(symlink("../secret", files_path("runs/" RUN ",report.txt")), 0);
    assert_int_equal(mkdir(files_path("runs/" RUN ",counts.csv"), 0777), 0);
    assert_int_equal(mkfifo(files_path("runs/" RUN ",noise.csv"), 0666), 0);
    alarm(60); /* no process writes to the pipe */
    tool_expect(take(NULL), 1, "FILES/" PLACE "/0001-loop-ibs\n",
                "ibsprof: FILES/runs/" RUN ",counts.csv: is left there: it is not a file\n"
                "ibsprof: FILES/runs/" RUN ",noise.csv: is left there: it is not a file\n"
                "ibsprof: FILES/runs/" RUN ",report.txt: is left there: Too many levels of symbolic links\n");
    assert_string_equal(files_names(PLACE "/0001-loop-ibs"), "perf.data run.ini ");
    assert_string_equal(files_names("runs"), RUN ",counts.csv " RUN ",noise.csv " RUN ",report.txt ");
    alarm(0);
    expect_bytes("secret", "secret");

    setup(NULL);
    upload_run(RUN, "first");
    unlink(files_path("runs/" RUN ",begun.ini"));
    assert_int_equal(symlink("/dev/null", files_path("runs/" RUN ",begun.ini")), 0);
    tool_expect(take(NULL), 1, "not finished: " RUN "\n",
                "ibsprof: FILES/runs/" RUN ",begun.ini: is left there: Too many levels of symbolic links\n");
}

/* A run that cannot be written stays on the server, and no part of it is anywhere else. */
static void a_full_volume(void **state)
{
    static char large[100001];
    struct rlimit before, small;
    struct tool_result got;

    (void)state;
    memset(large, 'x', sizeof(large) - 1);
    upload_run(RUN, "first");
    upload(RUN ",perf.data", large);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 50000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    got = take(NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(got.status, 4);
    assert_string_equal(got.out, "");
    assert_non_null(strstr(got.err, "/perf.data: cannot be written: File too large\n"));
    assert_string_equal(files_names(PLACE), "");
    tool_expect(take(NULL), 0, "FILES/" PLACE "/0001-loop-ibs\n", "");

    setup(NULL);
    upload_run(RUN, "first");
    files_write("to/new/52-54-00-12-34-56", "a file", 6);
    tool_expect(take(NULL), 4, "", "ibsprof: FILES/" PLACE ": cannot be made: Not a directory\n");
    assert_string_equal(files_names("runs"), RUN ",begun.ini " RUN ",perf.data " RUN ",report.txt " RUN ",run.ini ");
}

static void command_lines(void **state)
{
    (void)state;
    files_write("log", "", 0);
    tool_expect(tool_run(&command_receive, files_path("log"), files_path("runs"), NULL), 2, "",
                "ibsprof: receive: either folders of a boot server, or ports and files; 'ibsprof receive --help' "
                "explains\n");
    tool_expect(tool_run(&command_receive, "--all", files_path("log"), NULL), 2, "",
                "ibsprof: receive: --all, --confirm and --archive are for folders of a boot server; 'ibsprof receive "
                "--help' explains\n");
    files_write("more/" RUN ",run.ini", "a", 1);
    tool_expect(tool_run(&command_receive, "--to", files_path("to"), files_path("runs"), files_path("more"), NULL), 0,
                "not finished: " RUN "\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_finished_run, setup),    cmocka_unit_test_setup(several_runs, setup),
        cmocka_unit_test_setup(an_unfinished_run, setup), cmocka_unit_test_setup(a_name_that_is_taken, setup),
        cmocka_unit_test_setup(other_names, setup),       cmocka_unit_test_setup(long_names, setup),
        cmocka_unit_test_setup(no_files, setup),          cmocka_unit_test_setup(a_full_volume, setup),
        cmocka_unit_test_setup(command_lines, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
