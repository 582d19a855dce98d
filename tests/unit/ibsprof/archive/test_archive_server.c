/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof archive on a PostgreSQL server: all answers are the same as those of a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/archived.h"
#include "tests/unit/ibsprof/files.h"

static const char *server;

static int start(void **state)
{
    server = archived_server_start();
    return 0;
}

static int stop(void **state)
{
    archived_server_stop();
    return files_end(state);
}

/* Every test has a database without tables. */
static int begin(void **state)
{
    struct archive archive;

    files_remove_all();
    archived_make_runs("stick/runs");
    if (!server)
        return 0;
    if (!archive_open(&archive, server, true))
        return -1;
    archive_run(&archive, "DROP SCHEMA public CASCADE", NULL, 0, NULL, NULL);
    archive_run(&archive, "CREATE SCHEMA public", NULL, 0, NULL, NULL);
    archive_close(&archive);
    return 0;
}

static void need_server(void)
{
    if (!server) {
        print_message("PostgreSQL is not installed\n");
        skip();
    }
}

static void same_answers(void **state)
{
    need_server();
    assert_int_equal(archived_run("list", server, NULL, NULL).status, EXIT_INPUT);
    tool_expect(archived_run("add", server, "stick", NULL), EXIT_DONE, "4 added, 1 already there, 0 failed\n", "");
    tool_expect(archived_run("add", server, "stick", NULL), EXIT_DONE, "0 added, 5 already there, 0 failed\n", "");
    tool_writes(archived_run("list", server, NULL, NULL), "archive/archive-list.txt");
    tool_writes(archived_run("list", server, NULL, "--json"), "archive/archive-list.json");
    tool_writes(archived_run("list", server, NULL, "--machine=S1"), "archive/archive-list-machine.txt");
    tool_expect(archived_run("query", server, NULL, "--event=F1_0"), EXIT_DONE, "", "");
    tool_writes(archived_run("query", server, NULL, NULL), "archive/archive-query.txt");
    tool_writes(archived_run("query", server, NULL, "--json"), "archive/archive-query.json");
    tool_writes(archived_run("query", server, NULL, "--runs"), "archive/archive-query-runs.txt");
    tool_writes(archived_run("query", server, NULL, "--event=F206"), "archive/archive-query-event.txt");
    tool_writes(archived_run("query", server, NULL, "--instruction=mov rax, rbx"),
                "archive/archive-query-instruction.txt");
    tool_writes(archived_run("query", server, NULL, "--functions"), "archive/archive-query-functions.txt");
    tool_expect(archived_run("query", server, NULL, "--event=' OR 1 = 1 --"), EXIT_DONE, "", "");
    tool_writes(archived_run("query", server, NULL, "--until=2026-01-03"), "archive/archive-query.txt");
    archived_put("lab/0006-loop-ibs", "run.ini", "#: machine.name = Zen\n#: machine.mac = 52-54-00-12-34-56\n");
    archived_put("lab/0006-loop-ibs", "counts.csv", "select\n");
    tool_expect(archived_run("add", server, "lab", NULL), EXIT_DONE, "1 added, 0 already there, 0 failed\n", "");
    assert_non_null(strstr(archived_run("list", server, NULL, "--machine=52-54-00-12-34-56").out, "0006-loop-ibs"));
    tool_expect(archived_run("list", server, NULL, "--machine=%"), EXIT_DONE, "", "");
}

/* The key's index has the counts in an archive of version 2, too. */
static void version_2_opens(void **state)
{
    static const char index[] = "SELECT indexdef FROM pg_indexes WHERE indexname = 'figure_pkey'",
                      to_2[] = "ALTER TABLE figure DROP CONSTRAINT figure_pkey, ADD PRIMARY KEY (code, event, run)";
    struct archive archive;

    need_server();
    assert_int_equal(archived_run("add", server, "stick", NULL).status, EXIT_DONE);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(archive_open(&archive, server, false));
        archived_holds(
            &archive, index,
            "CREATE UNIQUE INDEX figure_pkey ON public.figure USING btree (code, event, run) INCLUDE (count)");
        assert_true(archive_run(&archive, to_2, NULL, 0, NULL, NULL));
        assert_true(archive_run(&archive, "UPDATE archive SET version = 2", NULL, 0, NULL, NULL));
        archive_close(&archive);
    }
    tool_writes(archived_run("query", server, NULL, NULL), "archive/archive-query.txt");
}

/* Expects that a server exports the same as a file, and that it imports an export of a file. */
static void same_exports(void **state)
{
    char command[700];

    need_server();
    assert_int_equal(archived_run("add", files_path("a.db"), "stick", NULL).status, EXIT_DONE);
    assert_int_equal(archived_run("export", files_path("a.db"), "out", NULL).status, EXIT_DONE);
    tool_expect(archived_run("import", server, "out", NULL), EXIT_DONE, "4 added, 0 already there, 0 failed\n", "");
    tool_expect(archived_run("export", server, "out2", NULL), EXIT_DONE, "", "");
    snprintf(command, sizeof(command), "diff -r %s %s", files_path("out"), files_path("out2"));
    assert_int_equal(system(command), 0);
}

static void killed_writers(void **state)
{
    need_server();
    archived_stress(server);
}

static void keeps_files(void **state)
{
    struct archive archive;

    need_server();
    archived_put("stick/runs/0001-loop-ibs", "empty.csv", "");
    archived_put("stick/runs/0001-loop-ibs", "other.csv", "a\\b\x01\xff\n");
    assert_int_equal(archived_run("add", server, "stick/runs/0001-loop-ibs", NULL).status, EXIT_DONE);
    assert_true(archive_open(&archive, server, false));
    archived_holds(
        &archive,
        "SELECT bytes FROM content JOIN run_file ON run_file.digest = content.digest WHERE name = 'other.csv'",
        "a\\b\x01\xff\n");
    archived_holds(
        &archive,
        "SELECT bytes FROM content JOIN run_file ON run_file.digest = content.digest WHERE name = 'empty.csv'", "");
    assert_int_equal(archived_number(&archive, "SELECT CAST(COUNT(certificate) AS INTEGER) FROM run"), 1);
    archived_holds(&archive, "SELECT certificate FROM run", "");
    archive_close(&archive);
}

/* There are more statements than are sent at once; an error in one of them undoes all. */
static void transactions(void **state)
{
    static const char insert[] = "INSERT INTO event (name) VALUES ($1)";
    struct archive archive;
    FILE *stream, *before = stderr;

    need_server();
    assert_true(archive_open(&archive, server, true));
    for (int64_t wrong = 0; wrong < 2; wrong++) {
        bool good = archive_begin(&archive);

        tool_begin(&stream);
        stderr = stream;
        archive_queue(&archive);
        for (int64_t i = 0; i < 1200; i++) {
            char name[30];

            snprintf(name, sizeof(name), "%d", (int)(wrong && i == 3 ? 2 : i + 2000 * !wrong));
            good = archive_run(&archive, insert, &(struct store_value){STORE_TEXT, 0, name, strlen(name)}, 1, NULL,
                               NULL) &&
                   good;
        }
        good = archive_end(&archive, good);
        stderr = before;
        assert_int_equal(good, !wrong);
        assert_non_null(strstr(tool_end(stream), wrong ? "duplicate key value violates unique constraint" : ""));
        assert_int_equal(archived_number(&archive, "SELECT COUNT(*) FROM event"), 1200);
    }
    assert_true(archive_settle(&archive));
    archived_holds(&archive, "SHOW synchronous_commit", "on");
    archive_close(&archive);
}

/* An error in one statement is reported, and the next statement is run. */
static void statements(void **state)
{
    struct archive archive;
    char *place;

    need_server();
    assert_true(archive_open(&archive, server, true));
    archived_has_types(&archive, "SELECT NULL, 5, 'x'::text, '\\x0102'::bytea");
    for (unsigned i = 0; i < 2; i++) {
        const char *said;
        bool good = true;

        said = TOOL_COMPLAINS(
            good = archive_run(&archive, i ? "SELECT 1 / 0" : "SELECT id FROM nowhere", NULL, 0, NULL, NULL));
        assert_false(good);
        place = strdup(said);
        assert_int_equal(strncmp(place, "ibsprof: ", 9), 0);
        assert_int_equal(strncmp(place + 9, server, strlen(server)), 0);
        assert_non_null(strstr(place + 9 + strlen(server),
                               i ? ": ERROR:  division by zero" : ": ERROR:  relation \"nowhere\" does not exist"));
        free(place);
        assert_int_equal(archived_number(&archive, "SELECT 5"), 5);
    }
    /* If the server ends the connection, this is reported, and each later statement says that there is none. */
    for (unsigned i = 0; i < 3; i++) {
        static const char *const statements[] = {"SELECT pg_terminate_backend(pg_backend_pid())", "SELECT 6",
                                                 "SELECT 5"};
        const char *said;
        bool good = true;

        said = TOOL_COMPLAINS(good = archive_run(&archive, statements[i], NULL, 0, NULL, NULL));
        assert_false(good);
        assert_non_null(strstr(said, i ? ": no connection to the server\n" : ": FATAL:  terminating connection"));
        assert_null(strstr(strchr(said, '\n') + 1, "no connection"));
    }
    archive_close(&archive);
}

static void no_server(void **state)
{
    struct tool_result got = archived_run("list", "postgresql:///x?host=/nowhere", NULL, NULL);

    assert_int_equal(got.status, EXIT_INPUT);
    assert_non_null(strstr(got.err, "ibsprof: postgresql:///x?host=/nowhere: connection to server on socket "
                                    "\"/nowhere/.s.PGSQL.5432\" failed"));
    assert_int_equal(archived_run("list", "postgres://", NULL, NULL).status, EXIT_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(same_answers, begin), cmocka_unit_test_setup(killed_writers, begin),
        cmocka_unit_test_setup(same_exports, begin), cmocka_unit_test_setup(version_2_opens, begin),
        cmocka_unit_test_setup(keeps_files, begin),  cmocka_unit_test_setup(transactions, begin),
        cmocka_unit_test_setup(statements, begin),   cmocka_unit_test(no_server),
    };
    return cmocka_run_group_tests_name("archive_server", tests, start, stop);
}
