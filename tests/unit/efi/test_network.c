/* SPDX-License-Identifier: BSD-2-Clause */
/* The boot server as a volume: which names are read and written there, and what each answer of the firmware becomes. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/efi/fake_server.h"

/* The network is used if the machine booted from it, even if iPXE has a volume there, and otherwise not. If it booted
 * from the network and no server can be asked, a message says so. */
TEST_WITH(only_from_the_network, setup, NULL)
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
        assert_string_equal(fake_system.text,
                            "Booted over the network, but no TFTP server with an IPv4 address is known: settings of "
                            "the server\r\nare not read, and no runs go there.\r\n");
        assert_int_equal(fake_system.length, strlen(fake_system.text));
    }
    setup(NULL);
    loaded.DeviceHandle = NULL;
    efi_network_open(&efi);
    assert_null(efi.firmware.read_file);
}

/* A machine that did not boot over the network is named after its first card, if that is an Ethernet card. */
TEST_WITH(name_of_the_card, setup, NULL)
{
    EFI_SIMPLE_NETWORK_MODE card_mode = {.HwAddressSize = 6,
                                         .CurrentAddress.Addr = {0x52, 0x54, 0, 0xab, 0xcd, 0xef, 0x77}};
    EFI_SIMPLE_NETWORK card = {.Mode = &card_mode};

    for (unsigned started = 0; started < 2; started++) {
        setup(NULL);
        fake_system.card = &card;
        mode.Started = started != 0;
        efi_network_open(&efi);
        assert_string_equal(efi.network.machine, started ? "52-54-00-12-34-5f" : "52-54-00-ab-cd-ef");
    }
    setup(NULL);
    fake_system.card = &card;
    loaded.DeviceHandle = NULL;
    card_mode.HwAddressSize = 20;
    efi_network_open(&efi);
    assert_string_equal(efi.network.machine, "");
    assert_null(efi.firmware.read_file);
}

/* The server is the one in the packet that named the boot file: a PXE server's, a proxy's, or DHCP's. */
TEST_WITH(whose_server, setup, NULL)
{
    for (unsigned named = 0; named < 8; named++) {
        static const UINT8 none[4];
        UINT8 *const servers[] = {mode.PxeReply.Dhcpv4.BootpSiAddr, mode.ProxyOffer.Dhcpv4.BootpSiAddr,
                                  mode.DhcpAck.Dhcpv4.BootpSiAddr};
        unsigned first = 3;

        setup(NULL);
        mode.PxeReplyReceived = mode.ProxyOfferReceived = TRUE;
        for (unsigned i = 0; i < 3; i++) {
            memcpy(servers[i], named & 1 << i ? (UINT8[]){10, 0, 17, (UINT8)(i + 1)} : none, 4);
            first = first == 3 && named & 1 << i ? i : first;
        }
        efi_network_open(&efi);
        assert_int_equal(efi.network.unknown, named == 0);
        if (named)
            assert_memory_equal(&efi.network.server, ((UINT8[]){10, 0, 17, (UINT8)(first + 1)}), 4);
        /* Packets that did not come are ignored. */
        setup(NULL);
        memcpy(mode.PxeReply.Dhcpv4.BootpSiAddr, (UINT8[]){10, 0, 17, 8}, 4);
        memcpy(mode.ProxyOffer.Dhcpv4.BootpSiAddr, (UINT8[]){10, 0, 17, 9}, 4);
        mode.DhcpAckReceived = named & 1;
        efi_network_open(&efi);
        assert_int_equal(efi.network.unknown, !(named & 1));
        if (named & 1)
            assert_memory_equal(&efi.network.server, ((UINT8[]){10, 0, 17, 1}), 4);
    }
}

/* Names may have the largest length; names outside \ibsboot are not asked for. */
TEST_WITH(names, setup, NULL)
{
    static const char *const elsewhere[] = {"\\other", "\\elsewhere\\ibsboot.ini", "\\ibsbootXabcdef", "\\ibsboot\\"};
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;
    char path[400] = "\\ibsboot\\x\\y", text[8], name[EFI_PATH_MAX];
    size_t size = 77, length;

    efi_network_open(&efi);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(fw->read_file(fw, elsewhere[i], text, 8, &size), FIRMWARE_NOT_FOUND);
    assert_string_equal(net.asked, "");
    net.status = EFI_TFTP_ERROR;
    net.code = 1;
    assert_int_equal(fw->read_file(fw, path, text, 8, &size), FIRMWARE_NOT_FOUND);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/x/y ibsboot/x/y ");
    assert_int_equal(size, 77);
    /* "ibsboot/MAC/" has 26 characters, "\ibsboot\" has 9. */
    memset(path + 9, 'a', 255 - 26);
    path[9 + 255 - 26] = '\0';
    net.asked[0] = '\0';
    assert_int_equal(fw->read_file(fw, path, text, 8, &size), FIRMWARE_NOT_FOUND);
    assert_int_equal(strlen(net.asked), 255 + 1 + 255 - 18 + 1);
    strcat(path, "a");
    net.asked[0] = '\0';
    assert_int_equal(fw->read_file(fw, path, text, 8, &size), FIRMWARE_NOT_FOUND);
    assert_string_equal(net.asked, "");
    /* Names that are written have the same limit. */
    assert_ptr_equal(efi_upload_run("\\ibsboot\\runs\\"), NULL);
    assert_ptr_equal(efi_upload_run("\\ibsboot\\runX\\0001-a"), NULL);
    assert_string_equal(efi_upload_run("\\ibsboot\\runs\\1"), "1");
    assert_true(efi_upload_name(&efi, "a%s", ".%u", &name));
    assert_string_equal(name, named(",a%s.%u"));
    length = 255 - strlen(named(","));
    memset(path, 'a', length);
    path[length] = '\0';
    assert_true(efi_upload_name(&efi, path, "", &name));
    assert_int_equal(strlen(name), 255);
    assert_int_equal(fw->file_create(fw, path, &file), FIRMWARE_OK);
    assert_int_equal(fw->file_close(file, false), FIRMWARE_OK);
    strcat(path, "a");
    assert_false(efi_upload_name(&efi, path, "", &name));
    assert_int_equal(fw->file_create(fw, path, &file), FIRMWARE_FAILED);
    assert_int_equal(fw->file_remove(fw, path), FIRMWARE_FAILED);
    assert_int_equal(net.memory, 0);
    assert_int_equal(net.writes, 0);
    assert_int_equal(fw->file_append(fw, "\\ibsboot\\a", "x", 1), FIRMWARE_NO_UPLOAD);
}

TEST_WITH(reads, setup, NULL)
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
    size = 0;
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\a", text, 3, &size), FIRMWARE_TOO_LARGE);
    assert_int_equal(size, 4);
    memset(text, 'x', sizeof(text)); /* the text is cleared first */
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/a ");
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\b", text, 8, &size), FIRMWARE_NOT_FOUND);
    assert_int_equal(fw->read_file(fw, "\\other", text, 8, &size), FIRMWARE_NOT_FOUND);
    net.status = EFI_TIMEOUT; /* asked only once */
    net.asked[0] = '\0';
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\b", text, 8, &size), FIRMWARE_NO_ANSWER);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/b ");
    /* iPXE has its own statuses, and no lengths. */
    net.by_ipxe = true;
    net.status = EFI_NOT_FOUND;
    net.there = "ibsboot/ibsboot.ini";
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\ibsboot.ini", text, 8, &size), FIRMWARE_OK);
    assert_int_equal(size, 4);
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\ibsboot.ini", text, 4, &size), FIRMWARE_OK);
    assert_int_equal(size, 4);
    net.empty = true;
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\ibsboot.ini", text, 4, &size), FIRMWARE_OK);
    assert_int_equal(size, 0);
    net.empty = false;
    net.status = EFI_TFTP_ERROR; /* without the server's packet */
    net.code = 1;
    net.no_packet = true;
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\b", text, 8, &size), FIRMWARE_REFUSED);
    net.status = EFI_ACCESS_DENIED;
    net.asked[0] = '\0';
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\b", text, 8, &size), FIRMWARE_REFUSED);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/b ibsboot/b ");
}

static void note_name(void *argument, const char *name)
{
    strcpy(argument, name);
}

TEST_WITH(writes, setup, NULL)
{
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;
    char *large = calloc(1, 100000), name[100] = "";

    fw->room = efi_room;
    efi_network_open(&efi);
    assert_null(fw->room); /* the server does not tell its room */
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_NOT_FOUND);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot"), FIRMWARE_OK);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs"), FIRMWARE_OK);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0001-a"), FIRMWARE_OK);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_OK);
    assert_string_equal(name, "0001-a");
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0002-100%d"), FIRMWARE_OK);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_OK);
    assert_string_equal(name, "0002-100%d");
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\7"), FIRMWARE_OK);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_OK);
    assert_string_equal(name, "7");
    net.full = true;
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\run.ini", &file), FIRMWARE_FAILED);
    net.full = false;
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\run.ini", &file), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, "begin", 5), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, large, 100000), FIRMWARE_OK);
    net.full = true;
    assert_int_equal(fw->file_write(file, large, 100000), FIRMWARE_FULL);
    net.full = false;
    assert_string_equal(net.written, "");
    assert_int_equal(fw->file_close(file, true), FIRMWARE_OK);
    assert_string_equal(net.written, named("0001-a,run.ini"));
    assert_int_equal(net.size, 100005);
    assert_memory_equal(net.bytes, "begin\0", 6);
    assert_int_equal(fw->file_remove(fw, "\\ibsboot\\runs\\0001-a\\begun.ini"), FIRMWARE_OK);
    assert_string_equal(net.written, named("0001-a,begun.ini"));
    assert_int_equal(net.size, 1);
    assert_int_equal(net.bytes[0], '\n');
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\hardware.csv", &file), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, "x", 1), FIRMWARE_OK);
    assert_int_equal(fw->file_close(file, true), FIRMWARE_OK);
    assert_string_equal(net.written, named(",hardware.csv"));
    net.written[0] = '\0';
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\run.ini", &file), FIRMWARE_OK);
    net.allocations = 0; /* 64 KB at first, then twice as much each time */
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(fw->file_write(file, large, 32768), FIRMWARE_OK);
    assert_int_equal(net.allocations, 1);
    for (unsigned i = 0; i < 65536; i++)
        assert_int_equal(fw->file_write(file, large, 1), FIRMWARE_OK);
    assert_int_equal(net.allocations, 2);
    assert_int_equal(fw->file_close(file, false), FIRMWARE_OK);
    assert_string_equal(net.written, "");
    assert_int_equal(net.children, 0);
    assert_int_equal(net.memory, 0);
    free(large);
}

TEST_WITH(answers, setup, NULL)
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

/* The server's code has two bytes; a packet without them has no code. If the firmware lacks something, there is no
 * code, either. */
TEST_WITH(codes, setup, NULL)
{
    bool *const lacks[] = {&net.no_path, &net.no_binding, &net.no_protocol, &net.no_driver};
    UINT16 code = 77;
    char byte = 'x';

    efi_network_open(&efi);
    assert_int_equal(efi_mtftp_write(&efi, "a", &byte, 1, &code), EFI_SUCCESS);
    assert_int_equal(code, 0);
    net.status = EFI_TFTP_ERROR;
    net.code = 3;
    for (unsigned bytes = 3; bytes <= 4; bytes++) {
        net.packet_bytes = bytes;
        assert_true(efi_mtftp_write(&efi, "a", &byte, 1, &code) == EFI_TFTP_ERROR);
        assert_int_equal(code, bytes == 4 ? 3 : 0);
    }
    net.code_high = 1;
    assert_true(efi_mtftp_write(&efi, "a", &byte, 1, &code) == EFI_TFTP_ERROR);
    assert_int_equal(code, 0x103);
    net.gateway = 0;
    mode.RouteTableEntries = 0;
    assert_true(efi_mtftp_write(&efi, "a", &byte, 1, &code) == EFI_TFTP_ERROR);
    net.writes = 0;
    for (unsigned i = 0; i < 4; i++) {
        *lacks[i] = true;
        code = 77;
        assert_true(efi_mtftp_write(&efi, "a", &byte, 1, &code) == EFI_UNSUPPORTED);
        assert_int_equal(code, 0);
        assert_int_equal(net.children, 0);
        *lacks[i] = false;
    }
    assert_int_equal(net.writes, 0);
}

TEST_WITH(errors, setup, NULL)
{
    static const struct {
        EFI_STATUS status;
        UINT16 code;
        enum firmware_error error;
    } rows[] = {
        {EFI_SUCCESS, 1, FIRMWARE_OK},
        {EFI_BUFFER_TOO_SMALL, 1, FIRMWARE_TOO_LARGE},
        {EFI_TIMEOUT, 1, FIRMWARE_NO_ANSWER},
        {EFI_NO_RESPONSE, 1, FIRMWARE_NO_ANSWER},
        {EFI_ICMP_ERROR, 1, FIRMWARE_NO_ANSWER},
        {EFI_NO_MEDIA, 1, FIRMWARE_NO_ANSWER},
        {EFI_UNSUPPORTED, 1, FIRMWARE_NO_UPLOAD},
        {EFI_TFTP_ERROR, 1, FIRMWARE_NOT_FOUND},
        {EFI_TFTP_ERROR, 3, FIRMWARE_FULL},
        {EFI_TFTP_ERROR, 2, FIRMWARE_REFUSED},
        {EFI_TFTP_ERROR, 0, FIRMWARE_REFUSED},
        {EFI_TFTP_ERROR, 4, FIRMWARE_REFUSED},
        {EFI_NOT_FOUND, 2, FIRMWARE_NOT_FOUND},
        {EFI_ACCESS_DENIED, 1, FIRMWARE_REFUSED},
        {EFI_DEVICE_ERROR, 1, FIRMWARE_FAILED},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(efi_network_error(rows[i].status, rows[i].code), rows[i].error);
}

/* A server that answered at first and then stopped gets the whole file once more; any other server does not. */
TEST_WITH(last_answer_is_lost, setup, NULL)
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

RUN_TESTS(NULL, NULL)
