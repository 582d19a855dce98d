/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs on a boot server with sums.txt: each is taken once and whole, kept, and confirmed, however often it is sent and
 * whenever the receiver ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "core/base/crc32c.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tests/unit/test.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/receive/sums.h"
#include "tools/ibsprof/receive/uploads.h"

#define RUN    "52-54-00-12-34-56,20261125-184829,0001-loop-ibs"
#define PLACE  "to/52-54-00-12-34-56/20261125-184829"
#define FOLDER PLACE "/0001-loop-ibs"

static unsigned kept;
static bool refuses, ends;
static char kept_folder[300], sums_text[SUMS_MAX], from[300], to[300],
    answers[300]; /* answers of this process, also after a fork */

static int setup(void **state)
{
    files_remove_all();
    files_write("runs/.keep", "", 0);
    unlink(files_path("runs/.keep"));
    files_write("answers/.keep", "", 0);
    unlink(files_path("answers/.keep"));
    strcpy(from, files_path("runs"));
    strcpy(to, files_path("to"));
    strcpy(answers, files_path("answers"));
    kept = 0;
    refuses = ends = false;
    return 0;
}

static bool keep(void *context, const char *folder)
{
    assert_string_equal(context, "context");
    kept++;
    snprintf(kept_folder, sizeof(kept_folder), "%s", folder);
    if (ends)
        _exit(9);
    return !refuses;
}

static enum exit_code take(void)
{
    return uploads_take(
        &(struct uploads_order){.from = from, .to = to, .confirm = answers, .keep = keep, .context = "context"});
}

static void upload(const char *name, const char *text)
{
    char *path = must_text("runs/" RUN ",%s", name);

    files_write(path, text, strlen(text));
    free(path);
}

static void upload_sums(unsigned try, const char *const *names, const char *const *texts, unsigned count)
{
    size_t length = (size_t)snprintf(sums_text, sizeof(sums_text), "try %u\n", try);

    for (unsigned i = 0; i < count; i++)
        length += (size_t)snprintf(sums_text + length, sizeof(sums_text) - length, "%08x %zu %s\n",
                                   crc32c(0, texts[i], strlen(texts[i])), strlen(texts[i]), names[i]);
    strcat(sums_text, "end\n");
    upload("sums.txt", sums_text);
}

static void upload_run(unsigned try, const char *text)
{
    static const char *const names[] = {"report.txt", "run.ini", "time.csv", "own.elf"};
    const char *const texts[] = {text, "of the run", "", "code"};

    for (unsigned i = 0; i < 4; i++)
        upload(names[i], texts[i]);
    upload_sums(try, names, texts, 4);
    upload("begun.ini", "\n");
}

static void expect_bytes(const char *name, const char *before, const char *wanted)
{
    FILE *file = fopen(files_path(name), "rb");
    char got[SUMS_MAX] = "", *all = must_text("%s%s", before, wanted);

    assert_non_null(file);
    got[fread(got, 1, sizeof(got) - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, all);
    free(all);
}

static void expect_taken(const char *text)
{
    assert_string_equal(files_names("runs"), "");
    assert_string_equal(files_names(PLACE), "0001-loop-ibs ");
    assert_string_equal(files_names(FOLDER), "own.elf report.txt run.ini sums.txt time.csv ");
    expect_bytes(FOLDER "/report.txt", "", text);
    expect_bytes(FOLDER "/sums.txt", "", sums_text);
    assert_string_equal(files_names("answers"), RUN " ");
    expect_bytes("answers/" RUN, "", sums_text);
    assert_string_equal(kept_folder, files_path(FOLDER));
}

TEST_WITH(a_run_that_is_right, setup, NULL)
{
    upload_run(1, "report");
    upload("counts.csv", "not whole when the sums were made");
    assert_int_equal(take(), EXIT_DONE);
    expect_taken("report");
    assert_int_equal(kept, 1);
    /* The sums come again, because the machine had no answer yet; then begun.ini comes alone. */
    unlink(files_path("answers/" RUN));
    upload("sums.txt", sums_text);
    assert_int_equal(take(), EXIT_DONE);
    expect_taken("report");
    assert_int_equal(kept, 2);
    upload("begun.ini", "\n");
    assert_int_equal(take(), EXIT_DONE);
    expect_taken("report");
    upload("report.txt", ""); /* a late request: in.tftpd begins the file again */
    upload("counts.csv", "");
    assert_int_equal(take(), EXIT_DONE);
    expect_taken("report");
    upload("begun.ini", "#\n"); /* the begun.ini of a run that is under way */
    assert_int_equal(take(), EXIT_DONE);
    assert_string_equal(files_names("runs"), RUN ",begun.ini ");
    /* The whole run comes again. */
    upload_run(1, "report");
    assert_int_equal(take(), EXIT_DONE);
    expect_taken("report");
}

/* An equal name does not make the runs the same, and nothing is overwritten. */
TEST_WITH(another_run_of_that_name, setup, NULL)
{
    for (unsigned round = 0; round < 2; round++) {
        upload_run(1, "first");
        assert_int_equal(take(), EXIT_DONE);
        upload_run(1, "second");
        assert_int_equal(take(), EXIT_DONE);
        assert_string_equal(kept_folder, files_path(FOLDER "-2"));
        expect_bytes("answers/" RUN, "", sums_text);
        assert_string_equal(files_names("runs"), "");
        assert_string_equal(files_names(PLACE), "0001-loop-ibs 0001-loop-ibs-2 ");
    }
    expect_bytes(FOLDER "/report.txt", "", "first");
    expect_bytes(FOLDER "-2/report.txt", "", "second");
}

/* A run without sums is not removed because its name is taken: only files are that can have been sent again for the
 * earlier run. */
TEST_WITH(another_run_without_sums, setup, NULL)
{
    static const char *const reports[] = {"firsts", "First", "second"};

    for (unsigned i = 0; i < 3; i++) {
        char *folder = must_text(FOLDER "-%u", i + 2), *report = must_text("%s/report.txt", folder);

        upload_run(1, "first");
        assert_int_equal(take(), EXIT_DONE);
        upload_run(1, reports[i]);
        unlink(files_path("runs/" RUN ",sums.txt"));
        assert_int_equal(take(), EXIT_DONE);
        assert_string_equal(files_names("runs"),
                            RUN ",begun.ini " RUN ",own.elf " RUN ",report.txt " RUN ",run.ini " RUN ",time.csv ");
        (void)tool_run(&command_receive, "--to", files_path("to"), files_path("runs"), NULL);
        assert_string_equal(files_names("runs"), "");
        expect_bytes(report, "", reports[i]);
        free(report);
        free(folder);
    }
    expect_bytes(FOLDER "/report.txt", "", "first");
}

/* A file that the run of this name does not have stays, unless it is empty, as after a late request. */
TEST_WITH(a_file_more_without_sums, setup, NULL)
{
    upload_run(1, "first");
    assert_int_equal(take(), EXIT_DONE);
    upload("pmc.csv", "");
    assert_int_equal(take(), EXIT_DONE);
    assert_string_equal(files_names("runs"), "");
    upload("pmc.csv", "x");
    assert_int_equal(take(), EXIT_DONE);
    assert_string_equal(files_names("runs"), RUN ",pmc.csv ");
}

/* If a file is missing, shorter, longer, or has other bytes, the run is asked for again, and is then taken. */
TEST_WITH(damage, setup, NULL)
{
    static const char *const damages[] = {NULL, "repor", "reportx", "Report", ""};

    for (unsigned i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        setup(NULL);
        upload_run(1, "report");
        if (damages[i])
            upload("report.txt", damages[i]);
        else
            unlink(files_path("runs/" RUN ",report.txt"));
        assert_int_equal(take(), EXIT_INPUT);
        assert_string_equal(files_names("to/52-54-00-12-34-56/20261125-184829"), "");
        expect_bytes("answers/" RUN, "again\n", sums_text);
        assert_null(strstr(files_names("runs"), "sums.txt"));
        assert_non_null(strstr(files_names("runs"), "run.ini"));
        assert_int_equal(take(), EXIT_DONE); /* nothing happens until the sums come again */
        upload("begun.ini", "\n");           /* which follows the first files */
        assert_int_equal(take(), EXIT_DONE);
        assert_int_equal(kept, 0);
        upload_run(2, "report");
        assert_int_equal(take(), EXIT_DONE);
        expect_taken("report");
    }
}

/* A machine that waits for an answer has not sent everything before its sums, whatever begun.ini contains. */
TEST_WITH(no_sums_yet, setup, NULL)
{
    upload_run(1, "report");
    unlink(files_path("runs/" RUN ",sums.txt"));
    upload("begun.ini", "");
    assert_int_equal(take(), EXIT_DONE);
    assert_string_equal(files_names("to"), "");
    upload("sums.txt", sums_text);
    assert_int_equal(take(), EXIT_DONE);
    expect_taken("report");
}

/* Without a folder for answers the run stays unchanged. */
TEST_WITH(damage_by_hand, setup, NULL)
{
    struct tool_result got;

    upload_run(1, "report");
    upload("report.txt", "Report");
    got = tool_run(&command_receive, "--to", files_path("to"), files_path("runs"), NULL);
    tool_expect(got, 1, "damaged: " RUN ": report.txt\n", "");
    assert_non_null(strstr(files_names("runs"), "sums.txt"));
    got = tool_run(&command_receive, "--all", "--to", files_path("to"), files_path("runs"), NULL);
    assert_int_equal(got.status, 1);
    assert_string_equal(files_names(FOLDER), "begun.ini own.elf report.txt run.ini sums.txt time.csv ");
    assert_string_equal(files_names("runs"), "");

    /* The damaged file is the last one: the files before it were right. */
    setup(NULL);
    upload_run(1, "report");
    upload("own.elf", "CODE");
    got = tool_run(&command_receive, "--all", "--to", files_path("to"), files_path("runs"), NULL);
    assert_int_equal(got.status, 1);
    assert_string_equal(files_names(FOLDER), "begun.ini own.elf report.txt run.ini sums.txt time.csv ");
    assert_string_equal(files_names("runs"), "");
}

/* A run that was taken by hand while it was damaged has a sums.txt: when it is sent whole, it is still taken, and only
 * once. */
TEST_WITH(damage_by_hand_then_whole, setup, NULL)
{
    upload_run(1, "report");
    upload("report.txt", "Report");
    (void)tool_run(&command_receive, "--all", "--to", files_path("to"), files_path("runs"), NULL);
    for (unsigned round = 0; round < 2; round++) {
        upload_run(1, "report");
        assert_int_equal(take(), EXIT_DONE);
        assert_string_equal(files_names("runs"), "");
        assert_string_equal(files_names(PLACE), "0001-loop-ibs 0001-loop-ibs-2 ");
    }
    expect_bytes(FOLDER "/report.txt", "", "Report");
    expect_bytes(FOLDER "-2/report.txt", "", "report");
}

/* A damaged run without begun.ini is taken after a finished one. */
TEST_WITH(damage_after_a_finished_run, setup, NULL)
{
    static const char *const names[] = {"run.ini"}, *const texts[] = {"x"};

    files_write("runs/52-54-00-12-34-55,20261125-184829,0001-loop-ibs,run.ini", "a", 1);
    files_write("runs/52-54-00-12-34-55,20261125-184829,0001-loop-ibs,begun.ini", "\n", 1);
    upload("run.ini", "y");
    upload_sums(1, names, texts, 1);
    assert_int_equal(tool_run(&command_receive, "--all", "--to", files_path("to"), files_path("runs"), NULL).status, 1);
    assert_string_equal(files_names("runs"), "");
    assert_string_equal(files_names(FOLDER), "run.ini sums.txt ");
}

/* If sums are not complete, or not a machine's, the run waits, even if begun.ini is empty. */
TEST_WITH(sums_that_are_none, setup, NULL)
{
    static char long_text[SUMS_MAX + 100];
    static const char *const texts[] = {
        "",
        "try 1\n",
        "try 1\n00000000 0 run.ini\n",
        "try 1\n00000000 0 run.ini\nend",
        "try 1\n00000000 0 run.ini\nend\n\n",
        "try x\n00000000 0 run.ini\nend\n",
        "try \n00000000 0 run.ini\nend\n",
        "tri 1\n00000000 0 run.ini\nend\n",
        "try 1\nend\n",
        "try 1\n00000000 0 report.txt\nend\n",
        "try 1\n00000000 0 run.ini\n00000000 0 run.ini\nend\n",
        "try 1\n00000000 0 run.ini\n00000000 0 ../run.ini\nend\n",
        "try 1\n00000000 0 run.ini\n00000000 0 .profile\nend\n",
        "try 1\n00000000 0 run.ini\n00000000 0 \nend\n",
        "try 1\n00000000  run.ini\nend\n",
        "try 1\n 0 run.ini\nend\n",
        "try 1\n0000000g 0 run.ini\nend\n",
        "try 1\n000000000 0 run.ini\nend\n",
        "try 1\n00000000 -1 run.ini\nend\n",
        "try 1\n00000000 1234567890123456 run.ini\nend\n",
        long_text,
    };
    struct sums sums;

    strcpy(long_text, "try 1\n00000000 0 run.ini\n");
    for (unsigned i = 0; strlen(long_text) <= SUMS_MAX - 4; i++)
        sprintf(long_text + strlen(long_text), "00000000 0 %u.csv\n", i);
    strcat(long_text, "end\n");
    assert_true(strlen(long_text) > SUMS_MAX);
    upload_run(1, "report");
    for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        upload("sums.txt", texts[i]);
        assert_int_equal(take(), EXIT_DONE);
        assert_string_equal(files_names("to"), "");
        assert_string_equal(files_names("answers"), "");
        assert_false(sums_read(&sums, texts[i], strlen(texts[i])));
    }
    /* The text is the longest possible, or contains a NUL. */
    long_text[SUMS_MAX - 4] = '\0';
    while (long_text[strlen(long_text) - 1] != '\n')
        long_text[strlen(long_text) - 1] = '\0';
    strcat(long_text, "end\n");
    assert_true(sums_read(&sums, long_text, strlen(long_text)));
    assert_string_equal(sums.row[1].name, "0.csv");
    sums_free(&sums);
    assert_false(sums_read(&sums, "try 1\n00000000 0 run.ini\nend\n\0", 30));
    unlink(files_path("runs/" RUN ",sums.txt"));
    assert_int_equal(symlink("/dev/zero", files_path("runs/" RUN ",sums.txt")), 0);
    assert_int_equal(take(), EXIT_INPUT);
    assert_string_equal(files_names("to"), "");
}

/* A row names a link, which is never followed. */
TEST_WITH(sums_of_a_link, setup, NULL)
{
    static const char *const names[] = {"report.txt", "run.ini"}, *const texts[] = {"secret", "r"};

    files_write("secret", "secret", 6);
    upload("run.ini", "r");
    assert_int_equal(symlink("../secret", files_path("runs/" RUN ",report.txt")), 0);
    upload_sums(1, names, texts, 2);
    assert_int_equal(take(), EXIT_INPUT);
    assert_string_equal(files_names(PLACE), "");
    expect_bytes("answers/" RUN, "again\n", sums_text);
}

/* The receiver ends in the middle: while the run is being kept; with some of the server's files removed; with an answer
 * that cannot be written; with a run that cannot be written. */
TEST_WITH(ends_in_the_middle, setup, NULL)
{
    struct rlimit before, small;
    int status;
    pid_t child;

    upload_run(1, "report");
    ends = true;
    child = fork();
    if (child == 0) {
        (void)take();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 9);
    assert_string_equal(files_names("answers"), "");
    ends = false;
    refuses = true;
    assert_int_equal(take(), EXIT_OUTPUT);
    assert_string_equal(files_names("answers"), "");
    assert_string_equal(files_names(PLACE), "0001-loop-ibs ");
    refuses = false;
    rmdir(files_path("answers"));
    assert_int_equal(take(), EXIT_OUTPUT);
    mkdir(files_path("answers"), 0777);
    unlink(files_path("runs/" RUN ",begun.ini"));
    unlink(files_path("runs/" RUN ",report.txt"));
    assert_int_equal(take(), EXIT_DONE);
    expect_taken("report");

    setup(NULL);
    upload_run(1, "report");
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    for (unsigned most = 0; most < 12;
         most++) { /* the longest of the run's files has 10 bytes, and sums.txt has more */
        small = before;
        small.rlim_cur = most;
        setrlimit(RLIMIT_FSIZE, &small);
        status = take();
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(status, EXIT_OUTPUT);
        assert_string_equal(files_names(PLACE), "");
    }
    assert_int_equal(kept, 0);
    assert_int_equal(take(), EXIT_DONE);
    expect_taken("report");
}

TEST_WITH(command_lines, setup, NULL)
{
    files_write("log", "", 0);
    for (unsigned i = 0; i < 2; i++)
        tool_expect(
            tool_run(&command_receive, i ? "--confirm" : "--archive", "x", files_path("log"), NULL), 2, "",
            "ibsprof: receive: --all, --confirm and --archive are for folders of a boot server; 'ibsprof receive "
            "--help' explains\n");
    tool_expect(tool_run(&command_receive, "--all", "--confirm", "x", files_path("runs"), NULL), 2, "",
                "ibsprof: receive: --all takes what --confirm refuses; 'ibsprof receive --help' explains\n");
    /* The run goes into an archive once. A run that the archive cannot read is still taken. */
    upload_run(1, "report");
    assert_int_equal(
        tool_run(&command_receive, "--archive", files_path("db"), "--to", files_path("to"), files_path("runs"), NULL)
            .status,
        0);
    assert_string_equal(files_names(PLACE), "0001-loop-ibs ");
    assert_int_equal(access(files_path("db"), F_OK), 0);
    files_write("no-db", "no database, but a text of some length", 38);
    upload_run(1, "other");
    assert_int_equal(
        tool_run(&command_receive, "--archive", files_path("no-db"), "--to", files_path("to"), files_path("runs"), NULL)
            .status,
        4);
    assert_non_null(strstr(files_names("runs"), "sums.txt"));
}

RUN_TESTS(NULL, NULL)
