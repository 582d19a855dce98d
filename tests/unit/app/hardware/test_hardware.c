/* SPDX-License-Identifier: BSD-2-Clause */
/* A run of config=hardware: every question is asked, is noted before it is asked, and survives failures of others. */
#include <stdio.h>
#include <string.h>

#include "app/hardware/hardware.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/drivers/fake_cpu.h"

#define HARDWARE_RUN "menu=no config=hardware "
#define KEPT         "\\ibsboot\\hardware.csv"
#define SAVED        "\\ibsboot\\runs\\0001-hardware\\hardware.csv"

enum { ALARM_MS = 1 };

static void arrange(void)
{
    fake_session.endless_ms = ALARM_MS;
    fake_session.op_samples = 300;
    fake_session.fetch_samples = 300;
}

/* Returns how many rows have this verdict. */
static unsigned with(const char *csv, const char *verdict)
{
    unsigned n = 0;

    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        char row[80];

        snprintf(row, sizeof(row), "\n%u,%s,%s,", hardware_rows[i].number, hardware_rows[i].id, verdict);
        n += strstr(csv, row) != NULL;
    }
    return n;
}

/* Returns "114 questions: " with the number of rows. */
static const char *all_questions(void)
{
    static char text[40];

    snprintf(text, sizeof(text), "\n%u questions: ", HARDWARE_ROWS);
    return text;
}

static bool has(const char *csv, const char *id, const char *rest)
{
    char row[200];

    snprintf(row, sizeof(row), ",%s,%s", id, rest);
    return strstr(csv, row);
}

APP_TEST(all_is_asked)
{
    unsigned by_hand = 0;
    const char *csv;

    arrange();
    assert_int_equal(start(HARDWARE_RUN), 0);
    assert_true(fake_session.plan.place.paging.slots.known);
    assert_lines_fit();
    csv = file_text(SAVED);
    for (unsigned i = 0; i < HARDWARE_ROWS; i++)
        by_hand += hardware_rows[i].by == HARDWARE_BY_PERSON || hardware_rows[i].by == HARDWARE_BY_CORES;
    assert_int_equal(with(csv, "by hand"), by_hand);
    assert_int_equal(with(csv, "as expected") + with(csv, "otherwise") + with(csv, "not answerable"),
                     HARDWARE_ROWS - by_hand);
    assert_true(has(csv, "one_step_stop", "not answerable,only with dangerous=yes,"));
    assert_true(has(csv, "alarm", "as expected,stopped after 1000 us,"));
    assert_true(has(csv, "hop_latency", "by hand,needs runs with cores=all,"));
    /* The file kept meanwhile has the same answers; only its first line, which all files of a model have, is
     * additional. */
    assert_memory_equal(csv, "# MODEL", 7);
    assert_string_equal(strchr(csv, '\n') + 1, file_text(KEPT));
    assert_memory_equal(file_text(KEPT), "# machine = AMD Phenom(tm) fake, family 10h model 4h stepping 2 revision C\n",
                        75);
    assert_shown(all_questions());
    assert_says("The answers come from a model, and describe this model, not silicon");
    assert_says("another answer changes: ");
    assert_shown("Not answerable here\n");
}

/* The requests to each session: pages and code, periods, counters, limits; the memory's place is noted only if it has
 * changed since the session before. */
APP_TEST(what_sessions_do)
{
    static char text[FAKE_TRACE_BYTES];
    const char *arena = "";
    char *to = text;

    arrange();
    assert_int_equal(start(HARDWARE_RUN "save=no dangerous=yes"), 0);
    for (const char *line = fake_session.trace, *end; (end = strchr(line, '\n')); line = end + 1) {
        size_t length = (size_t)(end + 1 - line);

        if (!strncmp(line, "  arena ", 8)) {
            bool same = !strncmp(line, arena, length);

            arena = line;
            if (same)
                continue;
        }
        memcpy(to, line, length);
        to += length;
    }
    check_golden_text("hardware_sessions.txt", text);
}

static unsigned notes, sessions;
static char last[64];

/* Checks that the kept file names one question as running, and counts the sessions and the questions that are named. */
static void look(const struct session_plan *plan)
{
    const char *csv = file_text(KEPT), *running = strstr(csv, ",running,");
    char id[64] = "";

    (void)plan;
    sessions++;
    assert_int_equal(with(csv, "running"), 1);
    for (unsigned i = 0; i < HARDWARE_ROWS; i++)
        if (!strncmp(running - strlen(hardware_rows[i].id), hardware_rows[i].id, strlen(hardware_rows[i].id)))
            snprintf(id, sizeof(id), "%s", hardware_rows[i].id);
    notes += strcmp(id, last) != 0;
    snprintf(last, sizeof(last), "%s", id);
}

APP_TEST(each_is_noted_before)
{
    arrange();
    notes = sessions = 0;
    fake_session.on_run = look;
    assert_int_equal(start(HARDWARE_RUN), 0);
    assert_true(sessions > 100);
    assert_true(notes > 30 && notes < HARDWARE_ROWS);
    assert_int_equal(with(file_text(KEPT), "running"), 0);
    assert_int_equal(with(file_text(KEPT), "not reached"), 0);
}

/* An exception affects one step: questions that need this step have a reason, all others their answer. */
APP_TEST(a_failure_is_one_question_s)
{
    unsigned unanswered, sessions_then;

    arrange();
    assert_int_equal(start(HARDWARE_RUN), 0);
    unanswered = with(file_text(SAVED), "not answerable");
    sessions_then = fake_session.runs;
    assert_int_equal(fixture_teardown(state), 0);
    assert_int_equal(fixture_setup(state), 0);
    arrange();
    fake_session.fail_at = 1; /* samples with fixed intervals, for the first question */
    assert_int_equal(start(HARDWARE_RUN), 0);
    assert_true(has(file_text(SAVED), "curcnt_shortens", "not answerable,alu-independent: "));
    assert_true(with(file_text(SAVED), "not answerable") > unanswered);
    assert_true(with(file_text(SAVED), "not answerable") < unanswered + 12);
    assert_true(fake_session.runs >= sessions_then - 3);
}

APP_TEST(dangerous_ones_come_last)
{
    arrange();
    notes = sessions = 0;
    fake_session.on_run = look;
    assert_int_equal(start(HARDWARE_RUN "dangerous=yes"), 0);
    assert_string_equal(last, "one_step_stop");
    assert_false(has(file_text(SAVED), "one_step_stop", "not answerable,only with"));
    assert_shown(", 0 registers not as before; with dangerous questions");
}

/* Each session of the check restores one row wrongly. */
APP_TEST(what_is_not_restored_is_counted)
{
    char text[60];

    arrange();
    notes = sessions = 0;
    fake_session.on_run = look;
    fake_session.result.restore.count = 1;
    fake_session.result.restore.row[0] = (struct restore_row){.what = "made", .undone = true};
    assert_int_equal(start(HARDWARE_RUN "cores=0"), 1);
    snprintf(text, sizeof(text), "Sessions      %u, %u registers not as before\n", sessions, sessions);
    assert_shown(text);
}

APP_TEST(nothing_is_written_without_save)
{
    arrange();
    assert_int_equal(start(HARDWARE_RUN "save=no"), 0);
    assert_shown(all_questions());
    assert_int_equal(fake_fw.calls[FAKE_FILE_CREATE], 0);
    assert_shown("saving_speed           nothing is written: save=no, or a write failed\n");
}

/* If the volume takes no files, the answers are on the screen, and the program does not try to write before each
 * question. */
APP_TEST(a_full_volume)
{
    arrange();
    fake_fw.fail.call = FAKE_FILE_CREATE;
    fake_fw.fail.at = 1;
    fake_fw.fail.and = 1000;
    assert_int_equal(start(HARDWARE_RUN), 1);
    assert_shown(all_questions());
    assert_shown("NOT SAVED");
    assert_true(fake_fw.calls[FAKE_FILE_CREATE] < 10);
}

/* Asks another family's questions, on a volume that takes no folder, and therefore no notes. */
APP_TEST(another_family)
{
    arrange();
    set_family(0x19, 0x61);
    fake_fw.fail.call = FAKE_MAKE_FOLDER;
    fake_fw.fail.at = 1;
    fake_fw.fail.and = 1000;
    (void)start(HARDWARE_RUN);
    assert_shown("not on this family: ");
    assert_shown("saving_speed           nothing is written: save=no, or a write failed\n");
    assert_shown("\nAs expected\n");
    assert_int_equal(fake_fw.calls[FAKE_FILE_CREATE], 0);
}

RUN_TESTS(fixture_load, NULL)
