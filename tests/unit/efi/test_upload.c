/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that no other boot has. */
#include <string.h>

#include "tests/unit/efi/fake_server.h"

static void note_name(void *argument, const char *name)
{
    strcpy(argument, name);
}

/* The clock stands still, or fails; the machine is the same. No run takes the place of another. */
static void five_boots(void **state)
{
    for (unsigned fails = 0; fails < 2; fails++) {
        setup(NULL);
        net.clock_fails = fails;
        for (unsigned boot = 0; boot < 5; boot++) {
            power_on();
            efi_network_open(&efi);
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

/* The server's answer decides: a name under which it has a file is not taken, whichever of the two it is. */
static void names_that_are_taken(void **state)
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
        assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0002-a"), FIRMWARE_OK);
        assert_string_not_equal(efi.network.booted, name);
    }
    net.taken = 15;
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0003-a"), FIRMWARE_OK);
    net.taken = 16; /* a server that has everything */
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0004-a"), FIRMWARE_REFUSED);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, listed), FIRMWARE_OK);
    assert_string_equal(listed, "0003-a");
    net.taken = 0;
    net.status = EFI_TIMEOUT; /* asked once */
    net.asked[0] = '\0';
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0005-a"), FIRMWARE_OK);
    assert_null(strstr(net.asked, "report.txt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(five_boots, setup),
        cmocka_unit_test_setup(names_that_are_taken, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
