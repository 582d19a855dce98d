/* SPDX-License-Identifier: BSD-2-Clause */
/* 'ibsprof receive' when the system refuses something: its messages, and what remains of the runs. */
#include "tests/unit/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/crc32c.h"
#include "core/run/transfer.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/refused.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/receive/uploads.h"

#define NOTHING_OF_OURS                                                                                                \
    "ibsprof: no part of a run arrived: is output=serial set, and is the rate equal to serial_rate?\n"
#define RUN   "52-54-00-12-34-56,20261125-184829,0001-a"
#define PLACE "to/52-54-00-12-34-56/20261125-184829"

static int begin(void **state)
{
    files_remove_all();
    return 0;
}

static bool there(const char *name)
{
    return access(files_path(name), F_OK) == 0;
}

static void text_file(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

/* Returns the number of names in a folder. */
static unsigned count_in(const char *folder)
{
    DIR *list = opendir(files_path(folder));
    unsigned count = 0;

    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(list);
    return count;
}

/* ---------------------------------------------------------------- a serial line */

/* Writes the log of a run of two short files; if it is incomplete, of the second file only the name. */
static const char *log_of(bool complete)
{
    static const char *const names[] = {"report.txt", "run.ini"};
    static char text[4 * (TRANSFER_LINE_MAX + 2)];
    size_t length = 0;

    for (uint8_t f = 0; f < 2; f++) {
        struct transfer_head head = {.files = 2, .size = 5, .crc = crc32c(0, "12345", 5), .folder = "0001-a"};
        struct transfer_block block = {0x1234ABCD, f, 0, 5, "12345"};
        struct transfer_block first;

        strcpy(head.name, names[f]);
        assert_true(transfer_head_write(&head, block.run, f, &first));
        length += transfer_encode(&first, text + length);
        text[length++] = '\n';
        if (f == 0 || complete) {
            length += transfer_encode(&block, text + length);
            text[length++] = '\n';
        }
    }
    return files_write("log", text, length);
}

static struct tool_result receive(bool complete)
{
    return tool_run(&command_receive, "--to", files_path("to"), log_of(complete), NULL);
}

TEST_WITH(files_that_cannot_be_written, begin, files_end)
{
    refuse(REFUSED_RENAME, 0, EDQUOT);
    tool_expect(receive(true), EXIT_OUTPUT, "",
                "ibsprof: FILES/to/0001-a/report.txt: cannot be written: Disk quota exceeded\n");
    assert_false(there("to/0001-a/report.txt") || there("to/0001-a/run.ini") || there("to/0001-a/received.lines"));
    begin(NULL);
    refuse(REFUSED_RENAME, 1, EDQUOT);
    tool_expect(receive(true), EXIT_OUTPUT, "",
                "ibsprof: FILES/to/0001-a/run.ini: cannot be written: Disk quota exceeded\n");
    begin(NULL);
    refuse(REFUSED_RENAME, 1, EDQUOT);
    tool_expect(receive(false), EXIT_OUTPUT, "",
                "ibsprof: FILES/to/0001-a/received.lines: cannot be written: Disk quota exceeded\n");
    assert_true(there("to/0001-a/report.txt"));
    text_file("file", "");
    tool_expect(tool_run(&command_receive, "--to", files_path("file"), log_of(true), NULL), EXIT_OUTPUT, "",
                "ibsprof: FILES/file/0001-a: cannot be made: Not a directory\n");
}

/* Both names for the run are in use; what is there stays unchanged. */
TEST_WITH(no_name_is_left, begin, files_end)
{
    text_file("to/0001-a/report.txt", "other");
    mkdir(files_path("to/0001-a-1234abcd"), 0777); /* although the folder is empty */
    tool_expect(receive(true), EXIT_OUTPUT, "",
                "ibsprof: FILES/to/0001-a-1234abcd: has files of another run: give another folder by --to\n");
    assert_string_equal(files_read(files_path("to/0001-a/report.txt")), "other");
    assert_int_equal(count_in("to/0001-a-1234abcd"), 0);
    /* One file is the run's, and the other differs. */
    text_file("to/0001-a-1234abcd/report.txt", "12345");
    text_file("to/0001-a-1234abcd/run.ini", "1234");
    tool_expect(receive(true), EXIT_OUTPUT, "",
                "ibsprof: FILES/to/0001-a-1234abcd: has files of another run: give another folder by --to\n");
    text_file("to/0001-a-1234abcd/run.ini", "12345");
    tool_expect(receive(true), EXIT_DONE, "FILES/to/0001-a-1234abcd: 2 of 2 files, 10 bytes\n", "");
}

/* ---------------------------------------------------------------- a port */

/* The operand opens but cannot be read at its beginning: the memory of this process, which has nothing at 0. */
TEST_WITH(a_port_that_cannot_be_read, begin, files_end)
{
    tool_expect(tool_run(&command_receive, "--to", files_path("to"), "/proc/self/mem", NULL), EXIT_INPUT, "",
                "ibsprof: reading: Input/output error\n" NOTHING_OF_OURS);
    /* Runs from other operands are still received. */
    tool_expect(tool_run(&command_receive, "--to", files_path("to"), "/proc/self/mem", log_of(true), NULL), EXIT_INPUT,
                "FILES/to/0001-a: 2 of 2 files, 10 bytes\n", "ibsprof: reading: Input/output error\n");
}

TEST_WITH(a_rate_that_is_refused, begin, files_end)
{
    int line = posix_openpt(O_RDWR | O_NOCTTY);
    char said[300];

    assert_true(line >= 0 && grantpt(line) == 0 && unlockpt(line) == 0);
    refuse(REFUSED_TERMINAL, 0, EINVAL);
    snprintf(said, sizeof(said), "ibsprof: %s: cannot be set to 19200 baud: Invalid argument\n" NOTHING_OF_OURS,
             ptsname(line));
    tool_expect(tool_run(&command_receive, "--rate=19200", "--to", files_path("to"), ptsname(line), NULL), EXIT_INPUT,
                "", said);
    close(line);
}

/* ---------------------------------------------------------------- a boot server */

static void upload(void)
{
    static const char *const names[] = {"begun.ini", "perf.data", "run.ini"};

    for (unsigned i = 0; i < 3; i++) {
        char name[100];

        snprintf(name, sizeof(name), "runs/" RUN ",%s", names[i]);
        text_file(name, i == 0 ? "\n" : "first");
    }
}

static struct tool_result take(void)
{
    return tool_run(&command_receive, "--to", files_path("to"), files_path("runs"), NULL);
}

/* Checks that a run that was not taken is unchanged on the server, and nowhere else. */
static void expect_untaken(void)
{
    assert_int_equal(count_in("runs"), 3);
    assert_int_equal(count_in(PLACE), 0);
    tool_expect(take(), EXIT_DONE, "FILES/" PLACE "/0001-a\n", "");
    assert_int_equal(count_in("runs"), 0);
    assert_string_equal(files_read(files_path(PLACE "/0001-a/run.ini")), "first");
}

TEST_WITH(a_copy_that_is_refused, begin, files_end)
{
    upload();
    refuse(REFUSED_FSYNC, 1, EDQUOT);
    char said[300];

    snprintf(said, sizeof(said), "ibsprof: FILES/" PLACE "/.new-%d/run.ini: cannot be written: Disk quota exceeded\n",
             (int)getpid());
    tool_expect(take(), EXIT_OUTPUT, "", said);
    expect_untaken();
}

TEST_WITH(a_name_that_is_refused, begin, files_end)
{
    char said[300];

    upload();
    refuse(REFUSED_RENAME, 0, EXDEV);
    snprintf(said, sizeof(said),
             "ibsprof: FILES/" PLACE "/.new-%d: cannot become FILES/" PLACE "/0001-a: Invalid cross-device link\n",
             (int)getpid());
    tool_expect(take(), EXIT_OUTPUT, "", said);
    expect_untaken();
}

TEST_WITH(a_folder_that_is_refused, begin, files_end)
{
    char name[100], said[300];

    upload();
    snprintf(name, sizeof(name), PLACE "/.new-%d", (int)getpid());
    assert_int_equal(mkdir(files_path(name), 0777), 0);
    snprintf(said, sizeof(said), "ibsprof: FILES/%s: cannot be made: File exists\n", name);
    tool_expect(take(), EXIT_OUTPUT, "", said);
    assert_int_equal(rmdir(files_path(name)), 0);
    expect_untaken();
}

/* The run is taken; files that stay on the server are reported, and are no finished run any more. */
TEST_WITH(an_end_that_is_refused, begin, files_end)
{
    upload();
    refuse(REFUSED_UNLINK, 1, EPERM);
    tool_expect(take(), EXIT_INPUT, "FILES/" PLACE "/0001-a\n",
                "ibsprof: FILES/runs/" RUN ",perf.data: cannot be removed: Operation not permitted\n");
    assert_int_equal(count_in("runs"), 1);
    assert_int_equal(count_in(PLACE "/0001-a"), 2);
    tool_expect(take(), EXIT_DONE, "not finished: " RUN "\n", "");
}

TEST_WITH(a_server_that_is_gone, begin, files_end)
{
    static const struct uploads_order order = {.from = "/nowhere", .to = "/nowhere"};
    enum exit_code code = EXIT_DONE;

    expect_text(TOOL_COMPLAINS(code = uploads_take(&order)),
                "ibsprof: /nowhere: runs cannot be moved from there: No such file or directory\n");
    assert_int_equal(code, EXIT_INPUT);
}

RUN_TESTS(NULL, NULL)
