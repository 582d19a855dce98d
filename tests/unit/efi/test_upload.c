/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that no other boot uses, and a server that is away. */
#include <string.h>

#include "tests/unit/efi/fake_server.h"

static void note_name(void *argument, const char *name)
{
    strcpy(argument, name);
}

/* The clock stands still, or fails, on the same machine: no run replaces another. */
TEST_WITH(five_boots, setup, NULL)
{
    for (unsigned fails = 0; fails < 2; fails++) {
        setup(NULL);
        net.clock_fails = fails;
        for (unsigned boot = 0; boot < 5; boot++) {
            power_on();
            net.counts = 0;
            efi_network_open(&efi);
            assert_int_equal(net.counts, 1);
            assert_int_equal(efi.firmware.make_folder(&efi.firmware, "\\ibsboot\\runs\\0001-a"), FIRMWARE_OK);
            assert_memory_equal(efi.network.booted, fails ? "00000000-000000-" : "20260309-010259-", 16);
            for (unsigned i = 0; i < net.file_count; i++)
                assert_string_not_equal(net.files[i], named("0001-a,begun.ini"));
            assert_int_equal(send("\\ibsboot\\runs\\0001-a\\begun.ini"), FIRMWARE_OK);
            assert_string_equal(net.written, named("0001-a,begun.ini"));
        }
        assert_int_equal(net.file_count, 5);
    }
}

/* The server's answer decides: a name under which it has a file is not used, whichever of the two names it is. */
TEST_WITH(names_that_are_taken, setup, NULL)
{
    struct firmware *fw = &efi.firmware;
    char name[32], listed[100] = "";

    efi_network_open(&efi);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs"), FIRMWARE_OK);
    assert_string_equal(net.asked, "");
    strcpy(name, efi.network.booted);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0001-a"), FIRMWARE_OK);
    assert_string_equal(efi.network.booted, name);
    for (unsigned i = 0; i < 2; i++) {
        strcpy(net.files[0], named(i ? "0002-a,report.txt" : "0002-a,begun.ini"));
        net.file_count = 1;
        strcpy(name, efi.network.booted);
        net.one_byte = i; /* begun.ini after it was removed */
        assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0002-a"), FIRMWARE_OK);
        assert_string_not_equal(efi.network.booted, name);
    }
    net.file_count = 0;
    net.taken = 15;
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0003-a"), FIRMWARE_OK);
    net.taken = 16; /* a server that has a file of every name */
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0004-a"), FIRMWARE_REFUSED);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, listed), FIRMWARE_OK);
    assert_string_equal(listed, "0003-a");
    net.taken = 0;
    net.status = EFI_TIMEOUT; /* asked once */
    net.asked[0] = '\0';
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0005-a"), FIRMWARE_OK);
    assert_null(strstr(net.asked, "report.txt"));
}

/* If the names of a run's first files are too long for the server, the server is not asked for them, and nothing is
 * refused yet. It is asked for names that fit. */
TEST_WITH(names_that_are_too_long, setup, NULL)
{
    size_t fixed = strlen("runs/52-54-00-12-34-5f,20260309-010259-1b5b0071,,begun.ini") + 1;

    for (size_t length = 1; length < EFI_PATH_MAX - strlen("\\ibsboot\\runs\\"); length++) {
        char path[EFI_PATH_MAX] = "\\ibsboot\\runs\\";

        setup(NULL);
        efi_network_open(&efi);
        net.asked[0] = '\0';
        memset(path + strlen(path), 'r', length);
        assert_int_equal(efi_upload_begin(&efi, path), FIRMWARE_OK);
        assert_int_equal(strstr(net.asked, ",begun.ini") != NULL, length + fixed <= EFI_PATH_MAX);
        assert_int_equal(fake_system.rested_us, 0);
    }
}

/* A file that the next boot reads again has one name in all boots, and the server is asked for no other name. */
TEST_WITH(kept_from_boot_to_boot, setup, NULL)
{
    static const char path[] = "\\ibsboot\\plan-1234abcd.0", name[] = "runs/52-54-00-12-34-5f,kept,plan-1234abcd.0";
    static const char without[] = "\\ibsboot\\plan-";
    struct firmware *fw;
    char text[8], longest[EFI_PATH_MAX + 40] = "\\ibsboot\\plan-";
    size_t size = 77;

    for (unsigned boot = 0; boot < 2; boot++) {
        power_on();
        efi_network_open(&efi);
        fw = &efi.firmware;
        assert_true(fw->forgets);
        net.asked[0] = '\0';
        if (boot == 0) {
            assert_int_equal(fw->read_file(fw, path, text, sizeof(text), &size), FIRMWARE_NOT_FOUND);
            assert_int_equal(size, 77);
            assert_int_equal(send(path), FIRMWARE_OK);
            assert_string_equal(net.written, name);
        } else {
            net.file_count = 0;
            net.there = name;
            assert_int_equal(fw->read_file(fw, path, text, sizeof(text), &size), FIRMWARE_OK);
            assert_int_equal(size, 4);
            assert_memory_equal(text, "text", 4);
            assert_int_equal(fw->read_file(fw, path, text, 2, &size), FIRMWARE_TOO_LARGE);
        }
        assert_memory_equal(net.asked, name, strlen(name));
        assert_null(strstr(net.asked, "ibsboot/"));
    }
    /* The beginning of a name alone does not name a file that is kept. */
    assert_int_equal(send(without), FIRMWARE_OK);
    assert_string_equal(net.written, named(",plan-"));
    net.asked[0] = '\0';
    memset(longest + strlen(longest), 'a', EFI_PATH_MAX);
    assert_int_equal(fw->read_file(fw, longest, text, sizeof(text), &size), FIRMWARE_NOT_FOUND);
    assert_string_equal(net.asked, "");
}

/* A server that is away for less than a minute gets the file. Each try is reported, and the number of tries is
 * limited. */
TEST_WITH(a_server_that_is_away, setup, NULL)
{
    static const struct {
        EFI_STATUS status;
        unsigned away, writes, pauses;
        enum firmware_error error;
        const char *file;
    } rows[] = {
        {EFI_TIMEOUT, 1, 2, 1, FIRMWARE_OK, "run.ini"},          {EFI_TIMEOUT, 6, 7, 6, FIRMWARE_OK, "run.ini"},
        {EFI_TIMEOUT, 99, 7, 6, FIRMWARE_NO_ANSWER, "run.ini"},  {EFI_ICMP_ERROR, 3, 4, 3, FIRMWARE_OK, "run.ini"},
        {EFI_ICMP_ERROR, 99, 16, 15, FIRMWARE_NO_ANSWER, "a"},   {EFI_NO_MEDIA, 1, 2, 1, FIRMWARE_OK, "run.ini"},
        {EFI_TIMEOUT, 1, 1, 0, FIRMWARE_NO_ANSWER, "begun.ini"}, {EFI_TIMEOUT, 1, 2, 1, FIRMWARE_OK, "xbegun.ini"},
        {EFI_DEVICE_ERROR, 1, 1, 0, FIRMWARE_FAILED, "run.ini"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char path[100] = "\\ibsboot\\runs\\0001-a\\";
        unsigned lines = 0;

        setup(NULL);
        efi_network_open(&efi);
        net.away = rows[i].status;
        net.tries_away = rows[i].away;
        assert_int_equal(send(strcat(path, rows[i].file)), rows[i].error);
        assert_int_equal(net.writes, rows[i].writes);
        assert_int_equal(fake_system.rested_us, 4000000ull * rows[i].pauses);
        for (const char *at = net.screen;
             (at = strstr(at, "The boot server does not answer (TFTP); tried again after ")); at++)
            lines++;
        assert_int_equal(lines, rows[i].pauses);
        if (i == 0)
            assert_string_equal(net.screen,
                                "\nThe boot server does not answer (TFTP); tried again after 10 s of 60.\n");
        assert_int_equal(net.memory + net.children, 0);
    }
}

/* Each file of a run is refused once, with each answer: files on the server are whole, and all others arrive. */
TEST_WITH(each_upload_refused, setup, NULL)
{
    static const char *const files[] = {"begun.ini", "report.txt", "profile.csv",
                                        "perf.data", "run.ini",    "ibsboot.elf"};
    static const EFI_STATUS with[] = {EFI_TFTP_ERROR, EFI_DEVICE_ERROR, EFI_TIMEOUT, EFI_ICMP_ERROR, EFI_NO_MEDIA};
    unsigned places = 0;

    for (unsigned w = 0; w < 5; w++) {
        for (unsigned refused = 0; refused < 6; refused++, places++) {
            unsigned arrived = 0;

            setup(NULL);
            efi_network_open(&efi);
            assert_int_equal(efi.firmware.make_folder(&efi.firmware, "\\ibsboot\\runs\\0001-a"), FIRMWARE_OK);
            for (unsigned i = 0; i < 6; i++) {
                char path[100] = "\\ibsboot\\runs\\0001-a\\";
                bool waits = w >= 2 && i > 0;
                enum firmware_error error;

                net.writes = 0;
                net.away = with[w];
                net.tries_away = i == refused;
                error = send(strcat(path, files[i]));
                assert_int_equal(error != FIRMWARE_OK, i == refused && !waits);
                arrived += !error;
            }
            assert_int_equal(net.file_count, arrived);
            /* The next run. */
            net.tries_away = 0;
            assert_int_equal(efi.firmware.make_folder(&efi.firmware, "\\ibsboot\\runs\\0002-a"), FIRMWARE_OK);
            assert_int_equal(send("\\ibsboot\\runs\\0002-a\\run.ini"), FIRMWARE_OK);
        }
    }
    print_message("%u uploads refused\n", places);
}

RUN_TESTS(NULL, NULL)
