/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs that a server checks: what the server is told of each run, and how long a machine waits for its answer. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/efi/fake_server.h"

#define RUN "\\ibsboot\\runs\\0001-a"

static enum firmware_error make_run(const char *path)
{
    return efi.firmware.make_folder(&efi.firmware, path);
}

/* Sends two files and begun.ini, as a run does, up to the newline. */
static enum firmware_error send_run(void)
{
    assert_int_equal(send(RUN "\\begun.ini"), FIRMWARE_OK);
    assert_int_equal(send(RUN "\\report.txt"), FIRMWARE_OK);
    assert_int_equal(send("\\ibsboot\\runs\\0001-ab\\other"), FIRMWARE_OK);
    assert_int_equal(send("\\ibsboot\\plan-1"), FIRMWARE_OK);
    assert_int_equal(send(RUN "\\run.ini"), FIRMWARE_OK);
    return efi.firmware.file_remove(&efi.firmware, RUN "\\begun.ini");
}

static void begin(const char *wait, const char *answers)
{
    setup(NULL);
    efi_network_open(&efi);
    net.wait = wait;
    assert_int_equal(make_run(RUN), FIRMWARE_OK);
    net.answers = answers;
}

/* CRC-32C of "x", computed bit by bit with RFC 3720's polynomial. */
#define X_SUM "a93c5f93"

TEST(sums_of_what_was_sent)
{
    begin("600\n", "k");
    assert_int_equal(send_run(), FIRMWARE_OK);
    assert_string_equal(net.sums, "try 1\n" X_SUM " 1 report.txt\n" X_SUM " 1 run.ini\nend\n");
    assert_string_equal(net.files[net.file_count - 2], named("0001-a,sums.txt"));
    assert_string_equal(net.files[net.file_count - 1], named("0001-a,begun.ini"));
    assert_memory_equal(net.bytes, "\n", 1);
    assert_int_equal(net.size, 1);
    net.asked[0] = '\0';
    assert_int_equal(efi.firmware.confirm(&efi.firmware), FIRMWARE_OK);
    assert_int_equal(strlen(net.asked), strlen(named("0001-a")) + 5 + 1); /* "confirmed/" for "runs/", and a blank */
    assert_memory_equal(net.asked, "confirmed/52-54-00-12-34-5f,", 28);
    assert_string_equal(net.screen, "The boot server has checked the run and keeps it.\n");
    assert_int_equal(fake_system.rested_us, 0);
}

/* Files whose names are not a run's are in no list: no name, another boot's name, a name that is cut off. */
TEST(names_of_no_file)
{
    char name[EFI_PATH_MAX];

    begin("600\n", "k");
    snprintf(name, sizeof(name), "%s", named("0001-a,"));
    efi_receipt_add(&efi, name, "x", 1);
    name[strlen(name) - 1] = '\0';
    efi_receipt_add(&efi, name, "x", 1);
    efi_receipt_add(&efi, "runs/52-54-00-12-34-5f,20200101-000000-00000000,0001-a,report.txt", "x", 1);
    efi_receipt_add(&efi, "", "x", 1);
    assert_string_equal(efi.network.receipt.text, "try 1\n");
    snprintf(name, sizeof(name), "%s", named("0001-a,a"));
    efi_receipt_add(&efi, name, "x", 1);
    assert_string_equal(efi.network.receipt.text, "try 1\n" X_SUM " 1 a\n");
}

/* The list of the next run has its own files alone, and no file that was not sent. */
TEST(the_next_run)
{
    begin("600\n", "kk");
    (void)send_run();
    assert_int_equal(make_run("\\ibsboot\\runs\\0002-b"), FIRMWARE_OK);
    net.away = EFI_DEVICE_ERROR;
    net.writes = 0;
    net.tries_away = 1;
    assert_int_equal(send("\\ibsboot\\runs\\0002-b\\perf.data"), FIRMWARE_FAILED);
    assert_int_equal(send("\\ibsboot\\runs\\0002-b\\run.ini"), FIRMWARE_OK);
    assert_int_equal(efi.firmware.file_remove(&efi.firmware, "\\ibsboot\\runs\\0002-b\\begun.ini"), FIRMWARE_OK);
    assert_string_equal(net.sums, "try 1\n" X_SUM " 1 run.ini\nend\n");
}

/* A server that does not announce that it checks gets no list, and the program does not wait for it. */
TEST(servers_that_do_not_check)
{
    static const char *const waits[] = {NULL, "", "\n", "0\n", "600", "86401\n", "4294967297\n", "-5\n", "6 0\n", "x"};

    for (unsigned i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        begin(waits[i], "a");
        assert_int_equal(send_run(), FIRMWARE_OK);
        assert_int_equal(net.sums_sent, 0);
        assert_int_equal(efi.firmware.confirm(&efi.firmware), FIRMWARE_OK);
        assert_string_equal(net.answers, "a");
    }
    begin("86400\n", "k");
    (void)send_run();
    assert_int_equal(net.sums_sent, 1);
    /* While a server is away, its state is unknown. A server that no longer announces that it checks does not. */
    for (unsigned i = 0; i < 2; i++) {
        net.status = i ? EFI_SUCCESS : EFI_TIMEOUT;
        net.wait = NULL;
        assert_int_equal(make_run("\\ibsboot\\runs\\0002-a"), FIRMWARE_OK);
        assert_int_equal(efi.network.receipt.wait, i ? 0 : 86400);
    }
}

/* Each answer has its result, and its time between queries. A run that is sent again has another try. */
TEST(answers)
{
    static const struct {
        const char *wait, *answers;
        enum firmware_error error;
        unsigned pauses, sums;
    } rows[] = {
        {"600\n", "--k", FIRMWARE_OK, 2, 1},
        {"600\n", "opk", FIRMWARE_OK, 2, 1},
        {"600\n", "-a", FIRMWARE_DAMAGED, 1, 1},
        {"600\n", "---------k", FIRMWARE_OK, 9, 1},
        {"600\n", "----------k", FIRMWARE_OK, 10, 2}, /* after 20 s the run is sent again */
        {"600\n", "--------------------k", FIRMWARE_OK, 20, 3},
        {"600\n", "tk", FIRMWARE_OK, 1, 2},
        {"1\n", "-", FIRMWARE_UNCONFIRMED, 0, 1},
        {"2\n", "-k", FIRMWARE_UNCONFIRMED, 0, 1},
        {"3\n", "-k", FIRMWARE_OK, 1, 1},
        {"30\n", "tk", FIRMWARE_UNCONFIRMED, 0, 1},
        {"31\n", "tk", FIRMWARE_OK, 1, 2},
        {"60\n", "", FIRMWARE_UNCONFIRMED, 29, 3},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin(rows[i].wait, rows[i].answers);
        assert_int_equal(send_run(), FIRMWARE_OK);
        assert_int_equal(efi.firmware.confirm(&efi.firmware), rows[i].error);
        assert_int_equal(fake_system.rested_us, 2000000ull * rows[i].pauses);
        assert_int_equal(net.sums_sent, rows[i].sums);
        assert_string_equal(net.files[net.file_count - 1], named("0001-a,begun.ini"));
        assert_int_equal(strlen(net.screen) != 0, rows[i].error == FIRMWARE_OK);
    }
    begin("600\n", "ak");
    for (unsigned try = 1; try <= 2; try++) {
        char wanted[80];

        (void)send_run();
        snprintf(wanted, sizeof(wanted), "try %u\n%s", try, X_SUM " 1 report.txt\n" X_SUM " 1 run.ini\nend\n");
        assert_string_equal(net.sums, wanted);
        assert_int_equal(efi.firmware.confirm(&efi.firmware), try == 1 ? FIRMWARE_DAMAGED : FIRMWARE_OK);
    }
}

/* If the sums cannot be sent the run is not confirmed, and the program does not wait, because nothing was asked. */
TEST(sums_that_do_not_arrive)
{
    begin("600\n", "k");
    net.status = EFI_DEVICE_ERROR;
    assert_int_equal(efi.firmware.file_remove(&efi.firmware, RUN "\\begun.ini"), FIRMWARE_FAILED);
    assert_string_equal(net.written,
                        named("0001-a,sums.txt")); /* and no newline, which would say that everything has arrived */
    net.status = EFI_SUCCESS;
    assert_int_equal(efi.firmware.confirm(&efi.firmware), FIRMWARE_UNCONFIRMED);
    assert_string_equal(net.answers, "k");
    begin("600\n", "k"); /* more files than the list takes */
    for (unsigned i = 0; i < 200; i++)
        assert_int_equal(send(RUN "\\report.txt"), FIRMWARE_OK);
    assert_int_equal(efi.firmware.file_remove(&efi.firmware, RUN "\\begun.ini"), FIRMWARE_FAILED);
    assert_int_equal(net.sums_sent, 0);
    assert_int_equal(efi.firmware.confirm(&efi.firmware), FIRMWARE_UNCONFIRMED);
}

static void print_nothing(struct firmware *fw, const char *text, size_t length)
{
    (void)fw, (void)text, (void)length;
}

/* If a server may take long, the program waits as long for it when it is away. */
TEST(away_as_long_as_it_may_take)
{
    static const struct {
        const char *wait;
        unsigned writes;
    } rows[] = {{NULL, 7}, {"30\n", 7}, {"600\n", 61}};

    for (unsigned i = 0; i < 3; i++) {
        begin(rows[i].wait, "");
        net.away = EFI_TIMEOUT;
        net.writes = 0;
        net.tries_away = 99;
        efi.firmware.print = print_nothing;
        assert_int_equal(send(RUN "\\run.ini"), FIRMWARE_NO_ANSWER);
        assert_int_equal(net.writes, rows[i].writes);
    }
}

RUN_TESTS(NULL, NULL)
