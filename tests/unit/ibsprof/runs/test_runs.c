/* SPDX-License-Identifier: BSD-2-Clause */
/* 'ibsprof runs': the list of a folder, and changes of runs, with everything that is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"

static void text_file(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

static bool there(const char *name)
{
    return access(files_path(name), F_OK) == 0;
}

/* Makes a stick with two runs, one of them under another name, a noise run, and a folder that is no run. */
static int begin(void **state)
{
    files_remove_all();
    text_file(
        "stick/runs/0001-loop-ibs/run.ini",
        "workload = \"loop\"\nconfig = \"ibs,tbp\"\n#: started = 2026-11-22T19:05:38\n#: figures = MODEL: made up\n"
        "#: machine.name = made by a test\n#: workload.check = 1\n#: workload.n = 300\n#: workload.rows = 1\n"
        "#: config = ibs\n#: samples.op = 4325\n#: samples.fetch = 1846\n#: elapsed_us = 652\n");
    text_file("stick/runs/0001-loop-ibs/report.txt", "12345");
    text_file(
        "stick/runs/0012-other/run.ini",
        "workload = \"a, b\"\n#: figures = silicon\n#: machine.name = Phenom\n#: config = tbp\n#: workload.check = 0\n"
        "#: samples.timer = 40\n#: samples.pmc = 2\n");
    text_file("stick/runs/noise/run.ini", "#: config = noise\n");
    text_file("stick/runs/empty/report.txt", "");
    text_file("stick/runs/settings/run.ini", "workload = \"loop\"\n");
    return 0;
}

static void lists(void **state)
{
    tool_expect(tool_run(&command_runs, files_path("stick"), NULL), EXIT_DONE,
                "Number  Name           Started              Workload  Config  Samples  Machine\n"
                "     1  0001-loop-ibs  2026-11-22 19:05:38  loop      ibs        6171  MODEL\n"
                "    12  0012-other                          a, b      tbp          42  Phenom\n"
                "        noise                                         noise\n"
                "        settings                            loop\n",
                "");
    /* With a single run columns without values are left out. */
    tool_expect(tool_run(&command_runs, files_path("stick/runs/noise/"), NULL), EXIT_DONE,
                "Name   Config\nnoise  noise\n", "");
    tool_expect(tool_run(&command_runs, "--csv", files_path("stick"), NULL), EXIT_DONE,
                "number,name,started,workload,config,samples,machine,note,path\n"
                "1,0001-loop-ibs,2026-11-22 19:05:38,loop,ibs,6171,MODEL,,FILES/stick/runs/0001-loop-ibs\n"
                "12,0012-other,,\"a, b\",tbp,42,Phenom,,FILES/stick/runs/0012-other\n"
                ",noise,,,noise,,,,FILES/stick/runs/noise\n,settings,,loop,,,,,FILES/stick/runs/settings\n",
                "");
    tool_expect(
        tool_run(&command_runs, "-j", files_path("stick/runs/0012-other"), files_path("stick/runs/noise"), NULL),
        EXIT_DONE,
        "{\"schema\":\"ibsprof runs\",\n\"version\":1,\n\"generator\":\"ibsprof N\",\n\"runs\":["
        "{\"number\":12,\"name\":\"0012-other\",\"started\":null,\"workload\":\"a, "
        "b\",\"config\":\"tbp\",\"samples\":42,"
        "\"machine\":\"Phenom\",\"note\":null,\"path\":\"FILES/stick/runs/0012-other\"},\n"
        "{\"number\":null,\"name\":\"noise\",\"started\":null,\"workload\":null,\"config\":\"noise\",\"samples\":null,"
        "\"machine\":null,\"note\":null,\"path\":\"FILES/stick/runs/noise\"}]}\n",
        "");
}

static void properties(void **state)
{
    tool_expect(tool_run(&command_runs, "-p", files_path("stick/runs/0001-loop-ibs"),
                         files_path("stick/runs/0012-other"), NULL),
                EXIT_DONE,
                "Run         FILES/stick/runs/0001-loop-ibs\nNumber      1\nName        0001-loop-ibs\n"
                "Started     2026-11-22 19:05:38\nElapsed     652 us\nWorkload    loop\n            n = 300\n"
                "            rows = 1\nResult      right\nConfig      ibs\nProcessor   made by a test\n"
                "Figures     MODEL: made up\nSamples     4325 of IBS ops\n            1846 of IBS fetches\n"
                "Files       report.txt                 5 bytes\n            run.ini                  275 bytes\n"
                "\nRun         FILES/stick/runs/0012-other\nNumber      12\nName        0012-other\nWorkload    a, b\n"
                "Result      WRONG, or not completely checked\nConfig      tbp\nProcessor   Phenom\n"
                "Figures     silicon\n            2 of counters\n            40 of the timer\n"
                "Files       run.ini                  143 bytes\n",
                "");
    text_file("first/run.ini", "#: workload.n = 300\n");
    assert_non_null(strstr(tool_run(&command_runs, "-p", files_path("first"), NULL).out, "\n            n = 300\n"));
}

static void notes(void **state)
{
    char text[220] = "";
    const char *path = files_path("stick/runs/0012-other");

    tool_expect(tool_run(&command_runs, "--note=with the new BIOS", path, NULL), EXIT_DONE, "", "");
    tool_expect(tool_run(&command_runs, path, NULL), EXIT_DONE,
                "Number  Name        Workload  Config  Samples  Machine  Note\n"
                "    12  0012-other  a, b      tbp          42  Phenom   with the new BIOS\n",
                "");
    assert_non_null(strstr(tool_run(&command_runs, "-p", path, NULL).out, "\nNote        with the new BIOS\n"));
    tool_expect(tool_run(&command_runs, "--note=two\nlines", path, NULL), EXIT_INPUT, "",
                "ibsprof: a note is one line of at most 200 bytes\n");
    memset(text, 'x', 208);
    memcpy(text, "--note=", 7);
    tool_expect(tool_run(&command_runs, text, path, NULL), EXIT_INPUT, "",
                "ibsprof: a note is one line of at most 200 bytes\n");
    text[207] = '\0';
    tool_expect(tool_run(&command_runs, text, path, NULL), EXIT_DONE, "", "");
    assert_non_null(strstr(tool_run(&command_runs, path, NULL).out, text + 7));
    tool_expect(tool_run(&command_runs, "--note=", path, NULL), EXIT_DONE, "", "");
    assert_false(there("stick/runs/0012-other/note.txt"));
    tool_expect(tool_run(&command_runs, "--note=", path, NULL), EXIT_DONE, "", ""); /* there was no note */
    tool_expect(tool_run(&command_runs, "--note=x", files_path("stick"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stick: not the folder of a run: it has no run.ini\n");
}

/* A note in another user's folder may be a link, whose target stays unchanged. */
static void a_note_is_no_link(void **state)
{
    char text[10];
    FILE *from;

    text_file("kept", "kept");
    assert_int_equal(symlink("../../../kept", files_path("stick/runs/0012-other/note.txt")), 0);
    assert_int_equal(symlink("../../../kept", files_path("stick/runs/0012-other/note.txt.new")), 0);
    tool_expect(tool_run(&command_runs, "--note=mine", files_path("stick/runs/0012-other"), NULL), EXIT_DONE, "", "");
    assert_non_null(strstr(tool_run(&command_runs, files_path("stick"), NULL).out, "  mine\n"));
    from = fopen(files_path("kept"), "r");
    assert_non_null(from);
    assert_string_equal(fgets(text, sizeof(text), from), "kept");
    fclose(from);
    assert_int_equal(access(files_path("stick/runs/0012-other/note.txt.new"), F_OK), -1);
}

/* Names from other sources can neither control the terminal, nor look like other lines. */
static void control_characters(void **state)
{
    text_file("a/0001-\x1b[2J\nb\x7f\xc2\x9b\xc3\xa4/run.ini",
              "#: config = a\x1b]0;b\x07\n#: machine.name = c\x1b[31m\n");
    text_file("a/0001-\x1b[2J\nb\x7f\xc2\x9b\xc3\xa4/x\ry", "");
    text_file("a/0001-\x1b[2J\nb\x7f\xc2\x9b\xc3\xa4/note.txt", "d\te\n");
    tool_expect(tool_run(&command_runs, files_path("a"), NULL), EXIT_DONE,
                "Number  Name                         Config         Machine    Note\n"
                "     1  0001-\\x1b[2J\\x0ab\\x7f\\x9b\xc3\xa4  a\\x1b]0;b\\x07  c\\x1b[31m  d\\x09e\n",
                "");
    const char *out = tool_run(&command_runs, "-p", files_path("a"), NULL).out;
    for (const char *at = out; *at; at++)
        assert_true(*at == '\n' || (unsigned char)*at >= ' ');
    assert_non_null(strstr(out, "\nName        0001-\\x1b[2J\\x0ab\\x7f\\x9b\xc3\xa4\n"));
    assert_non_null(strstr(out, "            x\\x0dy "));
    tool_expect(tool_run(&command_runs, "/nowhere\n\x1b", NULL), EXIT_INPUT, "",
                "ibsprof: /nowhere\\x0a\\x1b: No such file or directory\n");
}

/* Runs of several boots are in several folders, as ./dev run and 'ibsprof receive' make them; their names distinguish
 * them. */
static void several_folders(void **state)
{
    text_file("build/runs/2026-a/runs/0001-x/run.ini", "#: config = ibs\n");
    text_file("build/runs/2026-b/runs/0001-x/begun.ini", "#: config = ibs\n#: phase = saving\n");
    text_file("build/runs/2026-c/volume.img", "");
    text_file("build/runs/2026-d/bare-C/runs/0001-y/run.ini", "#: config = tbp\n");
    text_file("build/runs/.hidden/runs/0001-x/run.ini", "#: config = ibs\n");
    text_file("build/runs/2026-d/too/far/down/0001-y/run.ini", "#: config = tbp\n");
    assert_int_equal(symlink("2026-a", files_path("build/runs/latest")), 0);
    tool_expect(tool_run(&command_runs, files_path("build/runs"), NULL), EXIT_DONE,
                "Number  Name                       Config  Note\n"
                "     1  2026-a/runs/0001-x         ibs\n"
                "     1  2026-b/runs/0001-x         ibs     NOT FINISHED: saving\n"
                "     1  2026-d/bare-C/runs/0001-y  tbp\n",
                "");
    tool_expect(tool_run(&command_runs, files_path("build/runs/2026-a"), NULL), EXIT_DONE,
                "Number  Name    Config\n     1  0001-x  ibs\n", "");
    assert_non_null(strstr(tool_run(&command_runs, "--csv", files_path("build/runs"), NULL).out,
                           "\n1,0001-x,,,ibs,,,,FILES/build/runs/2026-a/runs/0001-x\n"));
}

static void names(void **state)
{
    static const char *const wrong[] = {"a/b", "", ".hidden", "-x", "end.", "a b", "a\"b", "7-loop", "\xc3\xa4"};

    tool_expect(tool_run(&command_runs, "--rename=before", files_path("stick/runs/0012-other/"), NULL), EXIT_DONE,
                "FILES/stick/runs/0012-before\n", "");
    assert_false(there("stick/runs/0012-other"));
    tool_expect(tool_run(&command_runs, "--rename=quiet", files_path("stick/runs/noise"), NULL), EXIT_DONE,
                "FILES/stick/runs/quiet\n", "");
    tool_expect(tool_run(&command_runs, "--rename=0001-x", files_path("stick/runs/quiet"), NULL), EXIT_INPUT, "",
                "ibsprof: '0001-x' cannot be the name of a run: letters, digits and - _ . +, at most 80; its number "
                "stays, and is not part of the name\n");
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char option[40], said[200];

        snprintf(option, sizeof(option), "--rename=%s", wrong[i]);
        snprintf(said, sizeof(said),
                 "ibsprof: '%s' cannot be the name of a run: letters, digits and - _ . +, at most 80; its number "
                 "stays, and is not part of the name\n",
                 wrong[i]);
        tool_expect(tool_run(&command_runs, option, files_path("stick/runs/quiet"), NULL), EXIT_INPUT, "", said);
        assert_true(there("stick/runs/quiet/run.ini"));
    }
    /* A run is never renamed over another one. */
    text_file("stick/runs/0012-after/run.ini", "#: config = tbp\n");
    tool_expect(tool_run(&command_runs, "--rename=after", files_path("stick/runs/0012-before"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stick/runs/0012-after: already exists\n");
    tool_expect(tool_run(&command_runs, "--rename=x", files_path("stick/runs/empty"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stick/runs/empty: not the folder of a run: it has no run.ini\n");
    tool_expect(tool_run(&command_runs, "--rename=x", files_path("stick/runs/settings"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stick/runs/settings: not the folder of a run: its run.ini has settings only, and no "
                "facts\n");
}

/* Runs the command with a terminal at which this text is typed. */
static struct tool_result typed(const char *text, const char *const *words)
{
    struct tool_result got;
    int before = dup(STDIN_FILENO), keyboard, line;

    assert_int_equal(openpty(&keyboard, &line, NULL, NULL, NULL), 0);
    assert_int_equal(write(keyboard, text, strlen(text)), (ssize_t)strlen(text));
    dup2(line, STDIN_FILENO);
    clearerr(stdin);
    got = tool_run_words(&command_runs, words);
    dup2(before, STDIN_FILENO);
    close(before);
    close(line);
    close(keyboard);
    return got;
}

static void deletes(void **state)
{
    char one[300], two[300];
    const char *const words[] = {"--delete", one, NULL}, *const both[] = {"--delete", one, two, NULL};
    int nothing = open("/dev/null", O_RDONLY), before = dup(STDIN_FILENO);

    snprintf(one, sizeof(one), "%s", files_path("stick/runs/0001-loop-ibs"));
    snprintf(two, sizeof(two), "%s", files_path("stick/runs/0012-other"));
    dup2(nothing, STDIN_FILENO);
    tool_expect(tool_run_words(&command_runs, words), EXIT_INPUT, "",
                "ibsprof: runs: --delete asks for each run; without a terminal, --yes replaces the answer\n");
    dup2(before, STDIN_FILENO);
    close(nothing);
    close(before);
    tool_expect(typed("n\n", words), EXIT_DONE, "",
                "delete FILES/stick/runs/0001-loop-ibs (2 files, 280 bytes)? [y/N] ");
    tool_expect(typed("yesterday\n", words), EXIT_DONE, "",
                "delete FILES/stick/runs/0001-loop-ibs (2 files, 280 bytes)? [y/N] ");
    assert_true(there("stick/runs/0001-loop-ibs/run.ini") && there("stick/runs/0001-loop-ibs/report.txt"));
    tool_expect(typed("n\nY\n", both), EXIT_DONE, "deleted FILES/stick/runs/0012-other\n",
                "delete FILES/stick/runs/0001-loop-ibs (2 files, 280 bytes)? [y/N] "
                "delete FILES/stick/runs/0012-other (1 files, 143 bytes)? [y/N] ");
    assert_false(there("stick/runs/0012-other"));
    tool_expect(tool_run(&command_runs, "--delete", "--yes", one, NULL), EXIT_DONE,
                "deleted FILES/stick/runs/0001-loop-ibs\n", "");
    assert_false(there("stick/runs/0001-loop-ibs"));
    assert_true(there("stick/runs/noise/run.ini"));
}

/* Each file that the image, the Linux twin and the receiver write belongs to a run. */
static void deletes_each_kind_of_file(void **state)
{
    static const char *const names[] = {"core-counts.csv", "hardware.csv", "received.lines", "report.txt.new",
                                        "PERF.DATA"};
    char path[100];

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "stick/runs/0012-other/%s", names[i]);
        text_file(path, "");
    }
    text_file("stick/runs/0001-loop-ibs/report.txt.newer", "");
    tool_expect(tool_run(&command_runs, "--delete", "-y", files_path("stick/runs/0012-other"), NULL), EXIT_DONE,
                "deleted FILES/stick/runs/0012-other\n", "");
    tool_expect(tool_run(&command_runs, "--delete", "-y", files_path("stick/runs/0001-loop-ibs"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stick/runs/0001-loop-ibs: not deleted: its 'report.txt.newer' is not a file of a run; "
                "move it away first\n");
}

static void delete_refuses(void **state)
{
    tool_expect(tool_run(&command_runs, "--delete", "-y", files_path("stick"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stick: not the folder of a run: it has no run.ini\n");
    tool_expect(tool_run(&command_runs, "--delete", "-y", files_path("stick/runs/settings"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stick/runs/settings: not the folder of a run: its run.ini has settings only, and no "
                "facts\n");
    /* If one of several runs is refused, nothing is deleted. */
    text_file("stick/runs/0012-other/thesis.txt", "mine");
    tool_expect(tool_run(&command_runs, "--delete", "-y", files_path("stick/runs/noise"),
                         files_path("stick/runs/0012-other"), NULL),
                EXIT_INPUT, "",
                "ibsprof: FILES/stick/runs/0012-other: not deleted: its 'thesis.txt' is not a file of a run; move it "
                "away first\n");
    assert_true(there("stick/runs/noise/run.ini") && there("stick/runs/0012-other/run.ini"));
    mkdir(files_path("stick/runs/noise/perf.data"), 0777); /* a folder with a file's name */
    tool_expect(
        tool_run(&command_runs, "--delete", "-y", files_path("stick/runs/noise"), NULL), EXIT_INPUT, "",
        "ibsprof: FILES/stick/runs/noise: not deleted: its 'perf.data' is not a file of a run; move it away first\n");
    assert_true(there("stick/runs/noise/run.ini") && there("stick/runs/noise/perf.data"));
    /* A link leads out of the run. */
    assert_int_equal(symlink("../../../kept", files_path("stick/runs/0001-loop-ibs/perf.data")), 0);
    tool_expect(tool_run(&command_runs, "--delete", "-y", files_path("stick/runs/0001-loop-ibs"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stick/runs/0001-loop-ibs: not deleted: its 'perf.data' is not a file of a run; move it "
                "away first\n");
    assert_true(there("stick/runs/0001-loop-ibs/run.ini"));
}

static void mistakes(void **state)
{
    static const struct {
        const char *const words[6], *error;
    } rows[] = {
        {{NULL}, "no FOLDER"},
        {{"--csv", "--json", "x"}, "one of --properties, --csv, --json, --note, --rename and --delete at a time"},
        {{"--note=x", "--delete", "x"}, "one of --properties, --csv, --json, --note, --rename and --delete at a time"},
        {{"--yes", "x"}, "--yes belongs to --delete"},
        {{"--rename=x", "a", "b"}, "--rename takes one run"},
    };
    char error[300];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(error, sizeof(error), "ibsprof: runs: %s; 'ibsprof runs --help' explains\n", rows[i].error);
        tool_expect(tool_run_words(&command_runs, rows[i].words), EXIT_USAGE, "", error);
    }
    tool_expect(tool_run(&command_runs, "/nowhere/at/all", files_path("stick/runs/empty"), NULL), EXIT_INPUT, "",
                "ibsprof: /nowhere/at/all: No such file or directory\nibsprof: FILES/stick/runs/empty: no runs here\n");
    expect_file(tool_run(&command_runs, "--help", NULL).out, "usage/usage-runs.txt");
}

/* Runs that a reset ended are listed with how far they came; 'info' says so, too, and the other runs are as before. */
static void not_finished(void **state)
{
    text_file("stick/runs/0013-loop-ibs/begun.ini", "workload = \"loop\"\n#: config = ibs\n#: phase = measuring\n"
                                                    "#: phase = saving perf.data\n#: phase = saving run.i");
    text_file("stick/runs/0002-loop-ibs/begun.ini", "workload = \"loop\"\n#: config = ibs\n#: phase = measuring\n");
    text_file("stick/runs/0001-loop-ibs/begun.ini", "#: phase = saving ibsboot.elf\n"); /* the run has its run.ini */
    tool_expect(
        tool_run(&command_runs, files_path("stick"), NULL), EXIT_DONE,
        "Number  Name           Started              Workload  Config  Samples  Machine  Note\n"
        "     1  0001-loop-ibs  2026-11-22 19:05:38  loop      ibs        6171  MODEL\n"
        "     2  0002-loop-ibs                       loop      ibs                       NOT FINISHED: measuring\n"
        "    12  0012-other                          a, b      tbp          42  Phenom\n"
        "    13  0013-loop-ibs                       loop      ibs                       NOT FINISHED: saving "
        "perf.data\n"
        "        noise                                         noise\n"
        "        settings                            loop\n",
        "");
    tool_expect(tool_run(&command_runs, files_path("stick/runs/0001-loop-ibs"), NULL), EXIT_DONE,
                "Number  Name           Started              Workload  Config  Samples  Machine\n"
                "     1  0001-loop-ibs  2026-11-22 19:05:38  loop      ibs        6171  MODEL\n",
                "");
    tool_expect(tool_run(&command_info, files_path("stick/runs/0013-loop-ibs"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stick/runs/0013-loop-ibs: this run was not finished; its last step: saving perf.data; "
                "its settings are in begun.ini\n");
}

int main(void)
{
#define TEST(name_) cmocka_unit_test_setup_teardown(name_, begin, files_end)
    const struct CMUnitTest tests[] = {
        TEST(lists),
        TEST(properties),
        TEST(notes),
        TEST(a_note_is_no_link),
        TEST(control_characters),
        TEST(several_folders),
        TEST(names),
        TEST(deletes_each_kind_of_file),
        TEST(deletes),
        TEST(delete_refuses),
        TEST(mistakes),
        cmocka_unit_test_setup_teardown(not_finished, begin, files_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
