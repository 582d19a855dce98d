/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/archived.h"

#include <glob.h>
#include <postgresql/libpq-fe.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/archive/add.h"

void archived_put(const char *folder, const char *name, const char *text)
{
    char path[300];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    files_write(path, text, strlen(text));
}

void archived_make_runs(const char *folder)
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
    archived_put(path, "run.ini", ini);
    archived_put(path, "note.txt", "a note\n");
    archived_put(path, "profile.csv",
                 ARCHIVED_MAP
                 "F100 All IBS op [samples],F206 IBS DC miss [samples]\n0x1000,f,f.c,7,push rbp,10,0\n"
                 "0x1004,f,f.c,8,\"mov rax, rbx\",30,4\n0x1010,g,f.c,9,push rbp,20,1\n,(outside the map),,,,5,0\n");
    archived_put(path, "pmc.csv",
                 ARCHIVED_MAP "041 MISSES [samples]\n0x1000,f,f.c,7,push rbp,0\n0x1004,f,f.c,8,\"mov rax, rbx\",9\n");
    snprintf(path, sizeof(path), "%s/0002-loop-ibs", folder);
    archived_put(path, "run.ini", ini);
    archived_put(path, "profile.csv",
                 ARCHIVED_MAP
                 "F100 All IBS op [samples]\n0x2004,f,f.c,7,push rbp,11\n0x2008,f,f.c,8,\"mov rax, rbx\",29\n");
    snprintf(path, sizeof(path), "%s/0003-copy", folder);
    archived_put(path, "run.ini", ini);
    archived_put(path, "profile.csv",
                 ARCHIVED_MAP
                 "F100 All IBS op [samples]\n0x2004,f,f.c,7,push rbp,11\n0x2008,f,f.c,8,\"mov rax, rbx\",29\n");
    snprintf(path, sizeof(path), "%s/0004-chain-count", folder);
    archived_put(
        path, "run.ini",
        "workload = \"chain\"\n#: started = 2026-03-04T00:00:00\n#: figures = MODEL: made up\n#: machine.name = Zen\n"
        "#: machine.firmware = SeaBIOS\n#: machine.board.serial = B2\n#: workload.check = 0\n#: config = count\n");
    archived_put(path, "counts.csv", "select\n");
    snprintf(path, sizeof(path), "%s/0005-begun", folder);
    archived_put(path, "begun.ini", "workload = \"chain\"\n#: machine.name = Zen\n#: phase = saving perf.data\n");
}

struct tool_result archived_run(const char *verb, const char *place, const char *operand, const char *option)
{
    char *path = operand ? strdup(files_path(operand)) : NULL, *where = strdup(place);
    const char *words[] = {verb, where, path ? path : option, path ? option : NULL, NULL};
    struct tool_result result = tool_run_words(&command_archive, words);

    free(where);
    free(path);
    return result;
}

static void take_text(void *context, const struct store_value *values)
{
    snprintf(context, 1000, "%.*s", (int)values[0].size, (const char *)values[0].bytes);
}

void archived_holds(struct archive *of, const char *sql, const char *wanted)
{
    char text[1000] = "none";

    assert_true(archive_run(of, sql, NULL, 0, take_text, text));
    expect_text(text, wanted);
}

static void take_types(void *context, const struct store_value *values)
{
    assert_int_equal(values[0].type, STORE_NULL);
    assert_int_equal(values[0].size, 0);
    assert_int_equal(values[1].type, STORE_NUMBER);
    assert_int_equal(values[1].number, 5);
    assert_int_equal(values[2].type, STORE_TEXT);
    assert_int_equal(values[2].size, 1);
    assert_memory_equal(values[2].bytes, "x", 1);
    assert_int_equal(values[3].type, STORE_BYTES);
    assert_int_equal(values[3].size, 2);
    assert_memory_equal(values[3].bytes, "\1\2", 2);
    ++*(int *)context;
}

void archived_has_types(struct archive *of, const char *sql)
{
    int rows = 0;

    assert_true(archive_run(of, sql, NULL, 0, take_types, &rows));
    assert_int_equal(rows, 1);
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
        archived_put(folder, "run.ini", text);
        snprintf(text, sizeof(text), ARCHIVED_MAP "ops [samples]\n0x10,f,f.c,7,push rbp,%d\n0x11,f,f.c,8,nop,%d\n",
                 i + 1, i % 3);
        archived_put(folder, "profile.csv", text);
    }
}

static pid_t start_writer(const char *place, int share)
{
    pid_t child = fork();

    if (child == 0) {
        const struct load_options load = {0};
        struct add_sums sums = {0};
        struct archive of;
        char folder[300];

        snprintf(folder, sizeof(folder), "build/unit/ibsprof-files/%d/stress/%d", (int)getppid(), share);
        _exit(archive_open(&of, place, true) && archive_add(&of, folder, &load, &sums) && archive_settle(&of) &&
                      sums.failed == 0
                  ? 0
                  : 1);
    }
    return child;
}

int64_t archived_number(struct archive *of, const char *sql)
{
    int64_t number = -1;

    assert_true(archive_run(of, sql, NULL, 0, archive_take_number, &number));
    return number;
}

void archived_stress(const char *place)
{
    pid_t writer[STRESS_WRITERS];
    struct archive of;
    int status, expected = 0;

    make_stress();
    for (int i = 0; i < STRESS_WRITERS; i++)
        writer[i] = start_writer(place, i);
    for (int i = 0; i < STRESS_KILLS; i++) {
        usleep(1000 + 7000 * (unsigned)(i % 5));
        kill(writer[i % STRESS_WRITERS], SIGKILL);
        waitpid(writer[i % STRESS_WRITERS], &status, 0);
        writer[i % STRESS_WRITERS] = start_writer(place, i % STRESS_WRITERS);
    }
    for (int i = 0; i < STRESS_WRITERS; i++) {
        assert_int_equal(waitpid(writer[i], &status, 0), writer[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (int i = 0; i < STRESS_RUNS; i++)
        expected += i + 1 + i % 3;
    assert_true(archive_open(&of, place, false));
    assert_int_equal(archived_number(&of, "SELECT COUNT(*) FROM run"), STRESS_RUNS);
    assert_int_equal(archived_number(&of, "SELECT COUNT(*) FROM machine"), 7);
    assert_int_equal(archived_number(&of, "SELECT COUNT(*) FROM code WHERE place >= 0"), 2);
    assert_int_equal(
        archived_number(&of,
                        "SELECT CAST(SUM(count) AS BIGINT) FROM figure JOIN code ON code.id = code WHERE place >= 0"),
        expected);
    assert_int_equal(archived_number(&of, "SELECT COUNT(*) FROM run_file"), 2 * STRESS_RUNS);
    archive_close(&of);
}

/* ---------------------------------------------------------------- a server */

enum { NOBODY = 65534, START_TRIES = 300 };

static char server_folder[64], server_place[200];
static pid_t server;

/* Returns Debian's folder of PostgreSQL's programs; NULL: there is none. */
static const char *bin_folder(void)
{
    static char folder[100];
    glob_t found;

    if (glob("/usr/lib/postgresql/*/bin", 0, NULL, &found) == 0)
        snprintf(folder, sizeof(folder), "%s", found.gl_pathv[0]);
    globfree(&found);
    return folder[0] ? folder : NULL;
}

/* Runs a program of PostgreSQL, which refuses to run as root, and finds other programs through its first word. */
static pid_t start_as_nobody(char **words)
{
    pid_t child = fork();

    if (child == 0) {
        char path[300], log[100];

        if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
            _exit(126);
        snprintf(path, sizeof(path), "%s/%s", bin_folder(), words[0]);
        snprintf(log, sizeof(log), "%s/log", server_folder);
        words[0] = path;
        if (!freopen(log, "a", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) == -1 || chdir("/") != 0)
            _exit(126);
        execv(path, words);
        _exit(127);
    }
    return child;
}

/* Fails with the last lines that PostgreSQL's programs wrote. */
static void server_failed(const char *what)
{
    char command[120];

    snprintf(command, sizeof(command), "tail -n 20 %s/log", server_folder);
    (void)!system(command);
    fail_msg("PostgreSQL: %s", what);
}

const char *archived_server_start(void)
{
    char data[100], *initdb[] = {"initdb", "-D",         data, "-U",   "ibsprof",   "-A",
                                 "trust",  "--locale=C", "-E", "UTF8", "--no-sync", NULL};
    char *postgres[] = {"postgres",          "-D", data,        "-k", server_folder, "-c",
                        "listen_addresses=", "-c", "fsync=off", NULL};
    bool ready = false;
    int status;

    if (!bin_folder())
        return NULL;
    strcpy(server_folder, "/tmp/ibsprof-server-XXXXXX");
    assert_non_null(mkdtemp(server_folder));
    if (getuid() == 0)
        assert_int_equal(chown(server_folder, NOBODY, NOBODY), 0);
    snprintf(data, sizeof(data), "%s/data", server_folder);
    assert_int_not_equal(waitpid(start_as_nobody(initdb), &status, 0), -1);
    if (status)
        server_failed("initdb");
    server = start_as_nobody(postgres);
    snprintf(server_place, sizeof(server_place), "postgresql:///postgres?user=ibsprof&host=%s", server_folder);
    /* The socket exists before the server answers. */
    for (int i = 0; i < START_TRIES && !(ready = PQping(server_place) == PQPING_OK); i++)
        usleep(100000);
    if (!ready)
        server_failed("no answer in 30 s");
    return server_place;
}

void archived_server_stop(void)
{
    char command[120];
    int status;

    if (server <= 0)
        return;
    kill(server, SIGINT); /* the signal for a fast shutdown */
    waitpid(server, &status, 0);
    server = 0;
    snprintf(command, sizeof(command), "rm -rf %s", server_folder);
    assert_int_equal(system(command), 0);
}
