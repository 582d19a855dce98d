/* SPDX-License-Identifier: BSD-2-Clause */
/* The database of an archive: versions, transactions, texts that are stored once, and files that are no archives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/unit/ibsprof/archived.h"
#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/archive/archive.h"

static const char count_machines[] = "SELECT COUNT(*) FROM machine";

static int begin(void **state)
{
    files_remove_all();
    files_write("x", "", 0); /* makes the folder */
    return 0;
}

static int64_t number_of(struct archive *archive, const char *sql)
{
    int64_t number = -1;

    assert_true(archive_run(archive, sql, NULL, 0, archive_take_number, &number));
    return number;
}

/* Returns the message of opening this file, with the tests' folder as FILES; NULL: the file was opened. */
static const char *refusal(const char *name, bool create)
{
    struct archive archive;
    FILE *stream;
    char *place = strdup(files_path(name));
    bool opened;
    const char *said;

    tool_begin(&stream);
    FILE *before = stderr;
    stderr = stream;
    opened = archive_open(&archive, place, create);
    stderr = before;
    said = tool_end(stream);
    if (opened)
        archive_close(&archive);
    said = strstr(said, name) ? strstr(said, name) + strlen(name) : said;
    free(place);
    return opened ? NULL : said;
}

static void opening(void **state)
{
    struct archive archive;
    char said[100];

    assert_string_equal(refusal("none.db", false), ": unable to open database file\n");
    assert_int_not_equal(access(files_path("none.db"), F_OK), 0);
    assert_null(refusal("a.db", true));
    assert_null(refusal("a.db", true));
    assert_null(refusal("a.db", false));
    files_write("empty.db", "", 0);
    assert_string_equal(refusal("empty.db", false), ": it contains no archive: 'ibsprof archive add' makes one\n");
    files_write("text.db",
                "workload = \"loop\" and more text than the head of a database has, which is 100 bytes long\n"
                "in each file of it, whatever the size of its pages is\n",
                140);
    assert_string_equal(refusal("text.db", true), ": file is not a database\n");
    assert_true(archive_open(&archive, files_path("a.db"), false));
    assert_int_equal(number_of(&archive, "SELECT version FROM archive"), ARCHIVE_VERSION);
    assert_true(archive_run(&archive, "UPDATE archive SET version = 1000", NULL, 0, NULL, NULL));
    archive_close(&archive);
    snprintf(said, sizeof(said),
             ": its tables have version 1000, but this ibsprof knows version %u: take a newer ibsprof\n",
             ARCHIVE_VERSION);
    assert_string_equal(refusal("a.db", true), said);
}

/* A writer that opens a new file while another writer is about to write to it waits. */
static void begun_by_two(void **state)
{
    const char *place = files_path("two.db"); /* of this process */
    struct archive archive;
    int gate[2], status;
    char byte;

    assert_int_equal(pipe(gate), 0);
    if (fork() == 0) {
        sqlite3 *db;
        bool good = sqlite3_open(place, &db) == SQLITE_OK &&
                    sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK && write(gate[1], "", 1) == 1;

        usleep(300000);
        _exit(good && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK ? 0 : 1);
    }
    assert_int_equal(read(gate[0], &byte, 1), 1);
    close(gate[0]);
    close(gate[1]);
    assert_true(archive_open(&archive, place, true));
    archive_close(&archive);
    assert_true(wait(&status) > 0);
    assert_int_equal(status, 0);
}

/* An archive of this version is opened without waiting for writers. */
static void opened_beside_a_writer(void **state)
{
    struct archive archive;
    sqlite3 *db;

    assert_true(archive_open(&archive, files_path("beside.db"), true));
    archive_close(&archive);
    assert_int_equal(sqlite3_open(files_path("beside.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    alarm(20); /* otherwise it would wait for ever */
    assert_true(archive_open(&archive, files_path("beside.db"), false));
    archive_close(&archive);
    alarm(0);
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

enum { LOG_WRITERS = 4, LOG_ROWS = 1500, LOG_MOST = 24 << 20 };

static pid_t start_row_writer(const char *place, int writer)
{
    static char body[4000];
    pid_t child = fork();

    if (child == 0) {
        struct archive of;
        bool good = archive_open(&of, place, false);
        int64_t id;

        memset(body, 'x', sizeof(body) - 1);
        for (int i = 0; i < LOG_ROWS && good; i++) {
            char digest[30];

            snprintf(digest, sizeof(digest), "%d-%d", i, writer);
            good = archive_id(&of, ARCHIVE_SNAPSHOTS, (struct store_value[]){archive_text(digest), archive_text(body)},
                              &id);
        }
        _exit(good ? 0 : 1);
    }
    return child;
}

/* With several writers there is no moment without a reader: the log of their writes still stays short. */
static void log_stays_short(void **state)
{
    const char *place = files_path("log.db");
    char log[300];
    struct archive archive;
    struct stat status;
    off_t most = 0;
    int exit;

    snprintf(log, sizeof(log), "%s-wal", place);
    assert_true(archive_open(&archive, place, true));
    for (int i = 0; i < LOG_WRITERS; i++)
        assert_true(start_row_writer(place, i) > 0);
    for (int running = LOG_WRITERS; running > 0; usleep(1000)) {
        if (stat(log, &status) == 0 && status.st_size > most)
            most = status.st_size;
        if (waitpid(-1, &exit, WNOHANG) > 0) {
            running--;
            assert_int_equal(exit, 0);
        }
    }
    if (most > LOG_MOST)
        fail_msg("the log had %lld bytes", (long long)most);
    assert_int_equal(number_of(&archive, "SELECT COUNT(*) FROM snapshot"), LOG_WRITERS * LOG_ROWS);
    archive_close(&archive);
}

static void statements(void **state)
{
    const struct store_value texts[] = {archive_text("a\nb\x1b[2J\xff\xc3\xa4\x7f"), archive_text("plain")};
    struct archive archive;
    FILE *stream;

    assert_true(archive_open(&archive, files_path("s.db"), true));
    assert_true(archive_run(&archive, "INSERT INTO snapshot (body, digest) VALUES ($1, $2)", texts, 2, NULL, NULL));
    assert_int_equal(number_of(&archive, "SELECT body = 'a?b?[2J?\xc3\xa4?' AND digest = 'plain' FROM snapshot"), 1);
    tool_begin(&stream);
    FILE *before = stderr;
    stderr = stream;
    assert_false(archive_run(&archive, "SELECT id FROM nowhere", NULL, 0, NULL, NULL));
    assert_false(archive_run(&archive, "INSERT INTO snapshot (body, digest) VALUES ($1, $2)", texts, 2, NULL, NULL));
    stderr = before;
    expect_text(tool_end(stream), "ibsprof: FILES/s.db: no such table: nowhere\n"
                                  "ibsprof: FILES/s.db: UNIQUE constraint failed: snapshot.digest\n");
    archived_has_types(&archive, "SELECT NULL, 5, 'x', x'0102'");
    /* A statement that failed can be run with other values. */
    assert_true(archive_run(&archive, "INSERT INTO snapshot (body, digest) VALUES ($1, $2)",
                            (struct store_value[]){archive_text("y"), archive_text("x")}, 2, NULL, NULL));
    archive_close(&archive);
}

static void transactions(void **state)
{
    static const char insert[] = "INSERT INTO machine (key) VALUES ($1)";
    const struct store_value a = archive_text("a"), b = archive_text("b");
    struct archive archive, other;

    assert_true(archive_open(&archive, files_path("t.db"), true));
    assert_true(archive_open(&other, files_path("t.db"), true));
    assert_true(archive_begin(&archive));
    archive_queue(&archive);
    assert_true(archive_run(&archive, insert, &a, 1, NULL, NULL));
    assert_int_equal(number_of(&other, count_machines), 0);
    assert_false(archive_end(&archive, false));
    assert_int_equal(number_of(&archive, count_machines), 0);
    assert_true(archive_begin(&archive));
    assert_true(archive_run(&archive, insert, &b, 1, NULL, NULL));
    assert_true(archive_end(&archive, true));
    assert_int_equal(number_of(&other, count_machines), 1);
    assert_true(archive_settle(&archive));
    assert_int_equal(number_of(&archive, "SELECT version FROM archive"), ARCHIVE_VERSION);
    assert_int_equal(number_of(&archive, "PRAGMA synchronous"), 2); /* FULL */
    assert_int_equal(number_of(&other, "PRAGMA synchronous"), 1);
    archive_close(&other);
    archive_close(&archive);
}

static int64_t code_id(struct archive *archive, const char *function, int64_t place, const char *source)
{
    const struct store_value values[] = {archive_text(function), store_number(place), archive_text("nop"),
                                         archive_text("x.elf"), archive_text(source)};
    int64_t id = 0;

    assert_true(archive_id(archive, ARCHIVE_CODE, values, &id));
    assert_int_not_equal(id, 0);
    return id;
}

static void dictionaries(void **state)
{
    const struct store_value name = archive_text("f");
    struct archive archive, other;
    int64_t ids[4], event = 0;

    assert_true(archive_open(&archive, files_path("d.db"), true));
    assert_true(archive_open(&other, files_path("d.db"), true));
    ids[0] = code_id(&archive, "f", 0, "f.c:1");
    ids[1] = code_id(&archive, "f", 4, "f.c:1");
    ids[2] = code_id(&archive, "f", 4, "f.c:2");
    ids[3] = code_id(&other, "g", 4, "f.c:2");
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(ids[i], ids[j]);
    assert_int_equal(code_id(&archive, "f", 4, "f.c:1"), ids[1]);
    assert_int_equal(code_id(&other, "f", 4, "f.c:2"), ids[2]);
    assert_int_equal(code_id(&archive, "g", 4, "f.c:2"), ids[3]);
    assert_int_equal(number_of(&archive, "SELECT COUNT(*) FROM code WHERE object = 'x.elf' AND instruction = 'nop'"),
                     4);
    /* Dictionaries are separate, and a known value is not queried again. */
    assert_true(archive_id(&archive, ARCHIVE_EVENTS, &name, &event));
    assert_int_equal(number_of(&archive, "SELECT id FROM event WHERE name = 'f'"), event);
    assert_true(archive_run(&archive, "DELETE FROM code", NULL, 0, NULL, NULL));
    assert_int_equal(code_id(&archive, "f", 0, "f.c:1"), ids[0]);
    assert_int_equal(number_of(&archive, "SELECT COUNT(*) FROM code"), 0);
    archive_close(&other);
    archive_close(&archive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening),         cmocka_unit_test(begun_by_two), cmocka_unit_test(opened_beside_a_writer),
        cmocka_unit_test(statements),      cmocka_unit_test(transactions), cmocka_unit_test(dictionaries),
        cmocka_unit_test(log_stays_short),
    };
    return cmocka_run_group_tests_name("archive_store", tests, begin, files_end);
}
