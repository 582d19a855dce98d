/* SPDX-License-Identifier: BSD-2-Clause */
/* A server that checks a run: when the program asks it, and what follows from each answer. */
#include <string.h>

#include "tests/unit/app/fixture.h"

#define FOLDER "\\ibsboot\\runs\\0001-tight-loop-ibs"

static enum firmware_error answers[5]; /* the answers, in order */
static unsigned asked, creates[5];     /* creates: files that had been created by then */

static enum firmware_error confirm(struct firmware *fw)
{
    assert_ptr_equal(fw->context, &fake_fw);
    assert_non_null(fake_file_find(&fake_fw, FOLDER "\\run.ini"));
    assert_null(fake_file_find(&fake_fw, FOLDER "\\begun.ini"));
    creates[asked] = fake_fw.calls[FAKE_FILE_CREATE];
    return answers[asked++];
}

static int run(enum firmware_error first, enum firmware_error second, enum firmware_error third)
{
    answers[0] = first;
    answers[1] = second;
    answers[2] = third;
    asked = 0;
    fake_fw.screen_length = 0;
    fake_files_clear(&fake_fw);
    memset(fake_fw.calls, 0, sizeof(fake_fw.calls));
    fake_fw.firmware.forgets = true; /* as on a server's volume: begun.ini is removed each time */
    fake_fw.firmware.confirm = confirm;
    return start("menu=no " SMALL);
}

APP_TEST(a_run_that_is_confirmed)
{
    assert_int_equal(run(FIRMWARE_OK, 0, 0), 0);
    assert_int_equal(asked, 1);
    assert_shown("Saved to " FOLDER);
    assert_not_shown("CONFIRMED");
    assert_not_shown("Sent again");
}

/* All files are sent again, and at most twice. */
APP_TEST(a_run_that_is_damaged)
{
    static const char again[] =
        "Sent again: the boot server has files of this run that differ from those that were sent.";

    assert_int_equal(run(FIRMWARE_DAMAGED, FIRMWARE_OK, 0), 0);
    assert_int_equal(asked, 2);
    assert_int_equal(creates[1] - creates[0], creates[0] - 1); /* all files except begun.ini */
    assert_says(again);
    assert_shown_times("Saved to ", 1);
    assert_not_shown("CONFIRMED");
    assert_int_equal(run(FIRMWARE_DAMAGED, FIRMWARE_DAMAGED, FIRMWARE_DAMAGED), 1);
    assert_int_equal(asked, 3);
    assert_int_equal(times_said(again), 2);
    assert_says("NOT CONFIRMED: " FOLDER
                ": the boot server has files of this run that differ from those that were sent.");
    assert_int_equal(run(FIRMWARE_DAMAGED, FIRMWARE_UNCONFIRMED, 0), 0);
    assert_int_equal(asked, 2);
}

/* The files exist, so the program continues. */
APP_TEST(a_run_that_is_not_confirmed)
{
    assert_int_equal(run(FIRMWARE_UNCONFIRMED, 0, 0), 0);
    assert_int_equal(asked, 1);
    assert_says("NOT CONFIRMED: " FOLDER
                ": the boot server has not confirmed this run; it accepts a run when all of its files have arrived.");
    assert_shown("Saved to " FOLDER);
}

/* A run without run.ini is not complete, so the server is not asked. */
APP_TEST(a_run_that_is_not_complete)
{
    fake_fw.fail.call = FAKE_FILE_CREATE;
    fake_fw.fail.at = 2;
    fake_fw.fail.and = 20;
    assert_int_equal(run(FIRMWARE_OK, 0, 0), 1);
    assert_int_equal(asked, 0);
}

RUN_TESTS(fixture_load, NULL)
