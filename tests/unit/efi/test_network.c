/* SPDX-License-Identifier: BSD-2-Clause */
/* The boot server as a volume: which names are read and written there, and what each answer of the firmware becomes. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/efi/fake_server.h"

/* Wherever it booted, also when iPXE has a volume there; not where the network did not boot. Where it did, and there is
 * no server that can be asked, that is said. */
static void only_from_the_network(void **state)
{
    EFI_FILE root;

    efi.root = &root;
    efi_network_open(&efi);
    assert_non_null(efi.firmware.read_file);
    efi_network_tell(&efi);
    assert_string_equal(fake_system.text, "");
    setup(NULL);
    mode.Started = FALSE;
    efi_network_open(&efi);
    assert_null(efi.firmware.read_file);
    efi_network_tell(&efi);
    assert_string_equal(fake_system.text, "");
    for (unsigned i = 0; i < 2; i++) {
        setup(NULL);
        memset(mode.DhcpAck.Dhcpv4.BootpSiAddr, 0, i ? 4 : 0);
        mode.UsingIpv6 = !i;
        efi_network_open(&efi);
        assert_null(efi.firmware.read_file);
        efi_network_tell(&efi);
        assert_non_null(strstr(fake_system.text, "Booted over the network, but no TFTP server with an IPv4 address"));
    }
    setup(NULL);
    loaded.DeviceHandle = NULL;
    efi_network_open(&efi);
    assert_null(efi.firmware.read_file);
}

static void reads(void **state)
{
    struct firmware *fw = &efi.firmware;
    char text[8];
    size_t size = 0;

    efi_network_open(&efi);
    net.status = EFI_TFTP_ERROR;
    net.code = 1;
    net.there = "ibsboot/ibsboot.ini";
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\ibsboot.ini", text, 8, &size), FIRMWARE_OK);
    assert_int_equal(size, 4);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/ibsboot.ini ibsboot/ibsboot.ini ");
    net.there = "ibsboot/52-54-00-12-34-5f/a";
    net.asked[0] = '\0';
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\a", text, 3, &size), FIRMWARE_TOO_LARGE);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/a ");
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\b", text, 8, &size), FIRMWARE_NOT_FOUND);
    assert_int_equal(fw->read_file(fw, "\\other", text, 8, &size), FIRMWARE_NOT_FOUND);
    net.status = EFI_TIMEOUT; /* not asked twice */
    net.asked[0] = '\0';
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\b", text, 8, &size), FIRMWARE_NO_ANSWER);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/b ");
    /* iPXE: its own statuses, and no length. */
    net.by_ipxe = true;
    net.status = EFI_NOT_FOUND;
    net.there = "ibsboot/ibsboot.ini";
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\ibsboot.ini", text, 8, &size), FIRMWARE_OK);
    assert_int_equal(size, 4);
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\ibsboot.ini", text, 4, &size), FIRMWARE_OK);
    assert_int_equal(size, 4);
    net.status = EFI_ACCESS_DENIED;
    net.asked[0] = '\0';
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\b", text, 8, &size), FIRMWARE_REFUSED);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/b ibsboot/b ");
}

static void note_name(void *argument, const char *name)
{
    strcpy(argument, name);
}

static void writes(void **state)
{
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;
    char *large = calloc(1, 100000), name[100] = "";

    efi_network_open(&efi);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_NOT_FOUND);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot"), FIRMWARE_OK);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs"), FIRMWARE_OK);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0001-a"), FIRMWARE_OK);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_OK);
    assert_string_equal(name, "0001-a");
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0002-100%d"), FIRMWARE_OK);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_OK);
    assert_string_equal(name, "0002-100%d");
    net.full = true;
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\run.ini", &file), FIRMWARE_FAILED);
    net.full = false;
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\run.ini", &file), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, "begin", 5), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, large, 100000), FIRMWARE_OK);
    assert_string_equal(net.written, "");
    assert_int_equal(fw->file_close(file, true), FIRMWARE_OK);
    assert_string_equal(net.written, named("0001-a,run.ini"));
    assert_int_equal(net.size, 100005);
    assert_memory_equal(net.bytes, "begin\0", 6);
    assert_int_equal(fw->file_remove(fw, "\\ibsboot\\runs\\0001-a\\begun.ini"), FIRMWARE_OK);
    assert_string_equal(net.written, named("0001-a,begun.ini"));
    assert_int_equal(net.size, 1);
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\hardware.csv", &file), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, "x", 1), FIRMWARE_OK);
    assert_int_equal(fw->file_close(file, true), FIRMWARE_OK);
    assert_string_equal(net.written, named(",hardware.csv"));
    net.written[0] = '\0';
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\run.ini", &file), FIRMWARE_OK);
    assert_int_equal(fw->file_close(file, false), FIRMWARE_OK);
    assert_string_equal(net.written, "");
    assert_int_equal(net.children, 0);
    assert_int_equal(net.memory, 0);
    free(large);
}

static void answers(void **state)
{
    static const struct {
        EFI_STATUS status;
        UINT8 code;
        enum firmware_error error;
    } rows[] = {
        {EFI_TIMEOUT, 0, FIRMWARE_NO_ANSWER},   {EFI_ICMP_ERROR, 0, FIRMWARE_NO_ANSWER},
        {EFI_TFTP_ERROR, 1, FIRMWARE_REFUSED},  {EFI_TFTP_ERROR, 2, FIRMWARE_REFUSED},
        {EFI_TFTP_ERROR, 3, FIRMWARE_FULL},     {EFI_UNSUPPORTED, 0, FIRMWARE_NO_UPLOAD},
        {EFI_DEVICE_ERROR, 0, FIRMWARE_FAILED}, {EFI_SUCCESS, 0, FIRMWARE_OK},
    };
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;

    efi_network_open(&efi);
    for (unsigned i = 0; i <= sizeof(rows) / sizeof(rows[0]); i++) {
        bool last = i == sizeof(rows) / sizeof(rows[0]);

        net.no_driver = last;
        net.status = last ? EFI_SUCCESS : rows[i].status;
        net.code = last ? 0 : rows[i].code;
        assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\x", &file), FIRMWARE_OK);
        assert_int_equal(fw->file_write(file, "x", 1), FIRMWARE_OK);
        assert_int_equal(fw->file_close(file, true), last ? FIRMWARE_NO_UPLOAD : rows[i].error);
        assert_int_equal(net.children, 0);
        assert_int_equal(net.memory, 0);
    }
}

/* A server that answered first and then did not gets the whole file once more, any other not. */
static void last_answer_is_lost(void **state)
{
    static const struct {
        unsigned lost;
        bool silent;
        EFI_STATUS status;
        unsigned writes;
        enum firmware_error error;
    } rows[] = {
        {0, false, EFI_SUCCESS, 1, FIRMWARE_OK},         {1, false, EFI_SUCCESS, 2, FIRMWARE_OK},
        {2, false, EFI_SUCCESS, 2, FIRMWARE_NO_ANSWER},  {1, true, EFI_SUCCESS, 1, FIRMWARE_NO_ANSWER},
        {0, false, EFI_TFTP_ERROR, 1, FIRMWARE_REFUSED}, {1, false, EFI_TFTP_ERROR, 2, FIRMWARE_REFUSED},
    };
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;

    efi_network_open(&efi);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        net.lost = rows[i].lost;
        net.silent = rows[i].silent;
        net.status = rows[i].status;
        net.writes = 0;
        assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\begun.ini", &file), FIRMWARE_OK);
        assert_int_equal(fw->file_write(file, "x", 1), FIRMWARE_OK);
        assert_int_equal(fw->file_close(file, true), rows[i].error);
        assert_int_equal(net.writes, rows[i].writes);
        assert_int_equal(net.children, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(only_from_the_network, setup),
        cmocka_unit_test_setup(reads, setup),
        cmocka_unit_test_setup(writes, setup),
        cmocka_unit_test_setup(answers, setup),
        cmocka_unit_test_setup(last_answer_is_lost, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
