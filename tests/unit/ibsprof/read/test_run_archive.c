/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs in a tar: which operands name a run, what is extracted, what is left of a damaged tar, and that no file
 * stays. */
#include <errno.h>
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
#include "tests/unit/ibsprof/refused.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/base/process.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/read/run_archive.h"

static char place[300], tar[300], plain[300], empty[300], cut[300], none[300], renamed[300];

static void shell(const char *format, ...)
{
    char command[2000];
    va_list args;

    va_start(args, format);
    vsnprintf(command, sizeof(command), format, args);
    va_end(args);
    assert_int_equal(system(command), 0);
}

/* Makes a tar of two runs as on a stick, and of files outside runs. The second run's report was emptied later. */
static int begin(void **state)
{
    snprintf(place, sizeof(place), "%s", files_path("tmp/x"));
    *strrchr(place, '/') = '\0';
    snprintf(tar, sizeof(tar), "%s", files_path("stick.bin"));
    snprintf(plain, sizeof(plain), "%s", files_path("plain"));
    snprintf(empty, sizeof(empty), "%s", files_path("empty.TAR"));
    snprintf(cut, sizeof(cut), "%s", files_path("cut.tar"));
    snprintf(none, sizeof(none), "%s", files_path("none.tar"));
    snprintf(renamed, sizeof(renamed), "%s", files_path("a:b"));
    shell("cd %s && mkdir -p in/ibsboot/runs && cd in/ibsboot/runs && mkdir 0003-loop-ibs 0012-walk-count .hidden && "
          "for r in 0003-loop-ibs 0012-walk-count .hidden; do echo \"run = $r\" >$r/run.ini; echo text >$r/report.txt; "
          "echo data >$r/perf.data; done; echo x >0003-loop-ibs/.secret; mkdir 0003-loop-ibs/deeper; echo alone "
          ">../../alone; "
          "ln -s /etc/passwd 0003-loop-ibs/link",
          files_path("."));
    shell("cd %s/in && tar --format=ustar -cf ../stick.bin ibsboot alone && : >ibsboot/runs/0012-walk-count/report.txt "
          "&& "
          "tar --format=ustar -rf ../stick.bin ibsboot/runs/0012-walk-count/report.txt",
          files_path("."));
    shell("cd %s && echo no tar >plain && : >empty.TAR && cp stick.bin a:b && "
          "tar --format=ustar -cf none.tar -C in alone && mkdir -p runs/0007-cut-ibs && cd runs && "
          "echo first >0007-cut-ibs/run.ini && head -c 3000 /dev/zero >0007-cut-ibs/perf.data && "
          "tar --format=ustar -cf - 0007-cut-ibs/run.ini 0007-cut-ibs/perf.data | head -c 2536 >../cut.tar",
          files_path("."));
    setenv("TMPDIR", place, 1);
    return 0;
}

static void operands(void **state)
{
    static const struct {
        const char *name, *run;
        bool is;
    } rows[] = {
        {tar, "", true},
        {tar, ":0003", true},
        {tar, ":any name", true},
        {plain, "", false},
        {plain, ":3", false},
        {empty, "", true},
        {cut, ":3", true},
        {place, "", false},
        {"/nowhere.tar", "", false},
        {"/nowhere.tar", ":3", false},
        {renamed, "", true},
        {renamed, ":3", true},
    };
    char operand[400];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(operand, sizeof(operand), "%s%s", rows[i].name, rows[i].run);
        if (run_archive_is(operand) != rows[i].is)
            fail_msg("%s: %d", operand, !rows[i].is);
    }
    /* An existing file is a path, whatever it contains. */
    shell("cp %s '%s:3'", plain, tar);
    snprintf(operand, sizeof(operand), "%s:3", tar);
    assert_false(run_archive_is(operand));
    shell("rm '%s:3'", tar);
}

static bool has(const char *folder, const char *name)
{
    char path[700];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* Returns the folder in place of an operand, which the caller frees if it is another. */
static char *opened(const char *operand)
{
    char *operands[] = {(char *)operand};

    return run_archives_open(1, operands) ? operands[0] : NULL;
}

static void takes_runs_out(void **state)
{
    static const char *const one[] = {":0003", ":3", ":0003-loop-ibs"};
    char operand[400], *folder = opened(tar);
    struct stat status;

    assert_non_null(folder);
    assert_true(strncmp(folder, place, strlen(place)) == 0);
    assert_true(has(folder, "0003-loop-ibs/run.ini") && has(folder, "0003-loop-ibs/perf.data"));
    assert_true(has(folder, "0003-loop-ibs/report.txt") && has(folder, "0012-walk-count/run.ini"));
    assert_false(has(folder, "0012-walk-count/report.txt")); /* emptied, and therefore gone */
    assert_false(has(folder, ".hidden") || has(folder, "0003-loop-ibs/.secret") || has(folder, "0003-loop-ibs/link"));
    assert_false(has(folder, "0003-loop-ibs/deeper") || has(folder, "alone") || has(folder, "in"));
    snprintf(operand, sizeof(operand), "%s/0003-loop-ibs/run.ini", folder);
    assert_int_equal(stat(operand, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(status.st_size, strlen("run = 0003-loop-ibs\n"));
    assert_string_equal(shown(folder), tar); /* messages name the tar */
    free(folder);
    for (unsigned i = 0; i < 3; i++) {
        snprintf(operand, sizeof(operand), "%s%s", tar, one[i]);
        folder = opened(operand);
        assert_non_null(folder);
        assert_non_null(strstr(folder, "/0003-loop-ibs"));
        assert_true(has(folder, "perf.data") && !has(folder, "../0012-walk-count"));
        free(folder);
    }
    snprintf(operand, sizeof(operand), "%s:12", tar);
    folder = opened(operand);
    assert_non_null(folder);
    assert_non_null(strstr(folder, "/0012-walk-count"));
    free(folder);
    folder = opened(plain); /* the folder is left unchanged */
    assert_ptr_equal(folder, plain);
    assert_false(run_archives_damaged());
}

static const char *complaint(const char *operand)
{
    return tool_run(&command_info, operand, NULL).err;
}

static void says_what_is_missing(void **state)
{
    static const char *const no_run[] = {":4", ":1", ":31", ":0003-loop", ":"};
    char operand[400], wanted[300];

    for (unsigned i = 0; i < sizeof(no_run) / sizeof(no_run[0]); i++) {
        snprintf(operand, sizeof(operand), "%s%s", tar, no_run[i]);
        snprintf(wanted, sizeof(wanted), "ibsprof: FILES/stick.bin: no run '%s' in it; 'ibsprof runs' lists its runs\n",
                 no_run[i] + 1);
        expect_text(complaint(operand), wanted);
    }
    expect_text(complaint(none), "ibsprof: FILES/none.tar: no runs in it\n");
    shell("cp %s %s", plain, files_path("text.tar"));
    expect_text(complaint(files_path("text.tar")), "ibsprof: FILES/text.tar: not a tar: Unrecognized archive format\n");
    expect_text(complaint(empty), "ibsprof: FILES/empty.TAR: no runs in it\n");
    assert_int_equal(tool_run(&command_info, empty, NULL).status, EXIT_INPUT);
    assert_false(run_archives_damaged());
}

/* Files before the damage are read. */
static void reads_what_is_whole(void **state)
{
    char *folder;
    const char *said = TOOL_COMPLAINS(folder = opened(cut));

    /* The message begins with libarchive's words. */
    assert_non_null(strstr(said, "ibsprof: FILES/cut.tar: damaged after 2 files (Truncated tar archive"));
    assert_non_null(folder);
    assert_true(has(folder, "0007-cut-ibs/run.ini"));
    assert_false(has(folder, "0007-cut-ibs/perf.data")); /* not even half of the file */
    assert_true(run_archives_damaged());
    free(folder);
}

/* A header with a wrong checksum ends reading. */
static void a_damaged_header_is_told(void **state)
{
    char damaged[400], *folder;
    const char *said;

    snprintf(damaged, sizeof(damaged), "%s", files_path("damaged.tar"));
    shell("cp '%s' '%s' && printf X | dd of='%s' bs=1 seek=1030 conv=notrunc 2>/dev/null", cut, damaged, damaged);
    said = TOOL_COMPLAINS(folder = opened(damaged));
    assert_non_null(strstr(said, "ibsprof: FILES/damaged.tar: damaged after 1 files ("));
    assert_non_null(strstr(said, "; only the files before are read\n"));
    assert_non_null(folder);
    assert_true(has(folder, "0007-cut-ibs/run.ini"));
    free(folder);
}

static char *kept; /* kept by a child */

static bool emptied(const char *folder, bool wanted)
{
    char command[500];

    snprintf(command, sizeof(command), "ls %s | grep -q .", folder);
    for (unsigned wait = 0; wait < 1000; wait++) {
        if ((system(command) != 0) == wanted)
            return true;
        usleep(10000);
    }
    return false;
}

enum end { EXITS, IS_KILLED, ALL_ARE_KILLED, SIGNALS_COME, ENDS };

/* Extracts runs in a new process, which ends in this way. */
static pid_t take_and_end(const char *fresh, enum end end)
{
    pid_t child = fork();

    if (child != 0)
        return child;
    setpgid(0, 0);
    setenv("TMPDIR", fresh, 1);
    kept = opened(tar);
    if (!kept)
        _exit(1);
    if (end == SIGNALS_COME) {
        kill(process.archives.cleaner, SIGINT);
        kill(process.archives.cleaner, SIGTERM);
        kill(process.archives.cleaner, SIGPIPE);
    } else if (end != EXITS) {
        pause();
    }
    exit(0); /* atexit() functions run */
}

/* The folder is removed with the process, however it ended. This must be the first test, because this process has no
 * folder yet. */
static void nothing_stays(void **state)
{
    for (enum end end = 0; end < ENDS; end++) {
        char fresh[400];
        pid_t child;

        snprintf(fresh, sizeof(fresh), "%s/fresh%u", place, end);
        shell("mkdir -p %s", fresh);
        child = take_and_end(fresh, end);
        if (end == IS_KILLED || end == ALL_ARE_KILLED) {
            assert_true(emptied(fresh, false));
            kill(end == IS_KILLED ? child : -child, SIGKILL);
        }
        waitpid(child, NULL, 0);
        assert_true(emptied(fresh, true));
    }
}

/* A reader of the process's output sees its end, although the process that removes the folder still exists. */
static void output_ends_with_us(void **state)
{
    int ends[2];
    char byte;
    pid_t child;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++)
            dup2(ends[1], i);
        close(ends[0]);
        close(ends[1]);
        kept = opened(tar);
        if (!kept)
            _exit(1);
        for (int i = 0; i < 3; i++)
            close(i);
        pause();
    }
    close(ends[1]);
    alarm(60);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    alarm(0);
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, WNOHANG), 0); /* that process waits */
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* Returns the message of a new process that extracts runs, with this folder for temporary files. */
static const char *complaint_of_another(const char *temporary, int no_pipe)
{
    const char *complaints = files_path("complaints");
    pid_t child = fork();
    int status;

    if (child == 0) {
        setenv("TMPDIR", temporary, 1);
        if (!freopen(complaints, "w", stderr))
            _exit(1);
        if (no_pipe >= 0)
            refuse(REFUSED_PIPE, (unsigned)no_pipe, EMFILE);
        kept = opened(tar);
        fflush(stderr);
        _exit(kept ? 2 : 0);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    return files_read(complaints);
}

/* This must be the second test: this process has no folder yet. */
static void nowhere_to_put_it(void **state)
{
    const char *said = complaint_of_another("/nowhere", -1);

    assert_int_equal(strncmp(said, "ibsprof: /nowhere/ibsprof-", 26), 0);
    assert_non_null(strstr(said, ": No such file or directory\n"));
    for (int i = 0; i < 2; i++)
        expect_text(complaint_of_another("/nowhere", i), "ibsprof: /nowhere/ibsprof-XXXXXX: Too many open files\n");
    said = complaint_of_another("", 0);
    expect_text(said, "ibsprof: /tmp/ibsprof-XXXXXX: Too many open files\n");
}

/* The folder of a tar, or of a run in it, cannot be made. */
static void no_room(void **state)
{
    char wanted[700];
    const char *said;
    char *folder;

    refuse(REFUSED_MKDIR, 0, ENOSPC);
    said = TOOL_COMPLAINS(folder = opened(tar));
    snprintf(wanted, sizeof(wanted), "ibsprof: FILES%s/%u.tar: No space left on device\n",
             strstr(process.archives.folder, "/tmp/ibsprof-"), process.archives.number - 1);
    expect_text(said, wanted);
    assert_null(folder);
    refuse(REFUSED_MKDIR, 1, ENOSPC);
    said = TOOL_COMPLAINS(folder = opened(tar));
    assert_int_equal(strncmp(said, "ibsprof: FILES/stick.bin:00", 27), 0);
    expect_text(strstr(said, ": N"), ": No such file or directory\n");
    assert_null(folder);
    refuse(REFUSED_MKDIR, 0, ENOSPC);
    assert_int_equal(tool_run(&command_info, tar, NULL).status, EXIT_INPUT);
}

/* Each of many tars has its own folder, which messages call by the name of the tar. */
static void many_tars(void **state)
{
    for (unsigned i = 0; i < 12; i++) {
        const char *wanted = i % 2 ? tar : renamed;
        char *folder = opened(wanted);

        assert_non_null(folder);
        assert_string_equal(shown(folder), wanted);
        assert_true(has(folder, "0003-loop-ibs/run.ini"));
        free(folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_stays),
        cmocka_unit_test(output_ends_with_us),
        cmocka_unit_test(nowhere_to_put_it),
        cmocka_unit_test(operands),
        cmocka_unit_test(takes_runs_out),
        cmocka_unit_test(says_what_is_missing),
        cmocka_unit_test(reads_what_is_whole),
        cmocka_unit_test(a_damaged_header_is_told),
        cmocka_unit_test(no_room),
        cmocka_unit_test(many_tars),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
