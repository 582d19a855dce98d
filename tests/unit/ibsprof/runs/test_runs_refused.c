/* SPDX-License-Identifier: BSD-2-Clause */
/* 'ibsprof runs' if the system refuses a change, or no answer comes: the message, and what still exists. */
#include "tests/unit/test.h"

#include <errno.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/refused.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/runs/runs.h"

static void text_file(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

static bool there(const char *name)
{
    return access(files_path(name), F_OK) == 0;
}

static int begin(void **state)
{
    files_remove_all();
    text_file("runs/0001-a/run.ini", "#: config = ibs\n");
    text_file("runs/0001-a/report.txt", "12345");
    text_file("runs/0002-b/run.ini", "#: config = ibs\n");
    return 0;
}

/* In place of a note there is a folder, which is neither removed nor replaced. */
TEST_WITH(a_note_that_is_a_folder, begin, files_end)
{
    text_file("runs/0001-a/note.txt/x", "");
    tool_expect(tool_run(&command_runs, "--note=", files_path("runs/0001-a"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/runs/0001-a/note.txt: cannot be removed: Is a directory\n");
    tool_expect(tool_run(&command_runs, "--note=x", files_path("runs/0001-a"), files_path("runs/0002-b"), NULL),
                EXIT_INPUT, "", "ibsprof: FILES/runs/0001-a/note.txt: cannot be written: Is a directory\n");
    assert_true(there("runs/0001-a/note.txt/x"));
    assert_string_equal(files_read(files_path("runs/0002-b/note.txt")), "x\n"); /* the next run still gets its note */
}

TEST_WITH(a_name_that_is_refused, begin, files_end)
{
    refuse(REFUSED_RENAME, 0, EXDEV);
    tool_expect(tool_run(&command_runs, "--rename=c", files_path("runs/0001-a"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/runs/0001-a: cannot become FILES/runs/0001-c: Invalid cross-device link\n");
    assert_true(there("runs/0001-a/run.ini") && !there("runs/0001-c"));
    /* A link without a target is a name in use, too. */
    assert_int_equal(symlink("nowhere", files_path("runs/0001-c")), 0);
    tool_expect(tool_run(&command_runs, "--rename=c", files_path("runs/0001-a"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/runs/0001-c: already exists\n");
    assert_true(there("runs/0001-a/run.ini"));
}

/* The name has the largest length, or one character more. */
TEST_WITH(long_names, begin, files_end)
{
    char option[120] = "--rename=", wanted[300];

    memset(option + strlen(option), 'x', 80);
    snprintf(wanted, sizeof(wanted), "FILES/runs/0001-%s\n", option + 9);
    tool_expect(tool_run(&command_runs, option, files_path("runs/0001-a"), NULL), EXIT_DONE, wanted, "");
    strcat(option, "x");
    snprintf(wanted, sizeof(wanted),
             "ibsprof: '%s' cannot be the name of a run: letters, digits and - _ . +, at most 80; its number stays, "
             "and is not part of the name\n",
             option + 9);
    tool_expect(tool_run(&command_runs, option, files_path("runs/0002-b"), NULL), EXIT_INPUT, "", wanted);
    assert_true(there("runs/0002-b/run.ini"));
}

/* A refusal ends the command: later files stay, and so does the next run. */
TEST_WITH(an_end_that_is_refused, begin, files_end)
{
    refuse(REFUSED_UNLINK, 1, EPERM);
    tool_expect(tool_run(&command_runs, "--delete", "-y", files_path("runs/0001-a"), files_path("runs/0002-b"), NULL),
                EXIT_INPUT, "", "ibsprof: FILES/runs/0001-a/run.ini: cannot be deleted: Operation not permitted\n");
    assert_true(!there("runs/0001-a/report.txt") && there("runs/0001-a/run.ini") && there("runs/0002-b/run.ini"));
    refuse(REFUSED_RMDIR, 0, EBUSY);
    tool_expect(tool_run(&command_runs, "--delete", "-y", files_path("runs/0001-a"), files_path("runs/0002-b"), NULL),
                EXIT_INPUT, "", "ibsprof: FILES/runs/0001-a: cannot be deleted: Device or resource busy\n");
    assert_true(there("runs/0001-a") && there("runs/0002-b/run.ini"));
}

/* At the end of the input there is no answer; the line is ended for the next message. */
TEST_WITH(no_answer, begin, files_end)
{
    int before = dup(STDIN_FILENO), keyboard, line;
    struct tool_result got;

    assert_int_equal(openpty(&keyboard, &line, NULL, NULL, NULL), 0);
    assert_int_equal(write(keyboard, "\4", 1), 1);
    dup2(line, STDIN_FILENO);
    clearerr(stdin);
    got = tool_run(&command_runs, "--delete", files_path("runs/0001-a"), NULL);
    dup2(before, STDIN_FILENO);
    clearerr(stdin);
    close(before);
    close(line);
    close(keyboard);
    tool_expect(got, EXIT_DONE, "", "delete FILES/runs/0001-a (2 files, 21 bytes)? [y/N] \n");
    assert_true(there("runs/0001-a/run.ini") && there("runs/0001-a/report.txt"));
}

TEST_WITH(runs_in_a_tar, begin, files_end)
{
    static const char *const changes[] = {"--note=x", "--rename=x", "--delete"};
    char command[700];

    snprintf(command, sizeof(command), "tar --format=ustar -C %s -cf %s runs", files_path("."), files_path("a.tar"));
    assert_int_equal(system(command), 0);
    for (unsigned i = 0; i < 3; i++)
        tool_expect(tool_run(&command_runs, changes[i], files_path("a.tar"), NULL), EXIT_INPUT, "",
                    "ibsprof: FILES/a.tar: runs in a tar cannot be changed: extract them with tar -xf first\n");
}

/* A run may disappear after the command has checked it. */
TEST_WITH(a_run_that_is_gone, begin, files_end)
{
    bool good = true;

    expect_text(TOOL_COMPLAINS(good = run_rename("/nowhere/0001-a", "x")),
                "ibsprof: /nowhere/0001-a: No such file or directory\n");
    assert_false(good);
}

/* One run was not finished, is named itself, and has the shortest note; another has a run.ini that is none. */
TEST_WITH(runs_that_are_not_whole, begin, files_end)
{
    text_file("runs/0003-c/begun.ini", "#: config = ibs\n#: phase = measuring\n");
    text_file("runs/0003-c/note.txt", "x\r\n");
    tool_expect(tool_run(&command_runs, files_path("runs/0003-c"), NULL), EXIT_DONE,
                "Number  Name    Config  Note\n     3  0003-c  ibs     NOT FINISHED: measuring; x\n", "");
    files_write("runs/0002-b/run.ini", "#: \0", 4);
    tool_expect(tool_run(&command_runs, files_path("runs"), NULL), EXIT_INPUT,
                "Number  Name    Config  Note\n     1  0001-a  ibs\n"
                "     3  0003-c  ibs     NOT FINISHED: measuring; x\n",
                "ibsprof: FILES/runs/0002-b: run.ini beside it is not text, or larger than 1 MiB\n");
    tool_expect(tool_run(&command_runs, "--note=x", files_path("runs/0002-b"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/runs/0002-b: run.ini beside it is not text, or larger than 1 MiB\n");
    assert_false(there("runs/0002-b/note.txt"));
}

RUN_TESTS(NULL, NULL)
