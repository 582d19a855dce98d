/* SPDX-License-Identifier: BSD-2-Clause */
/* The network in UEFI: its protocols, what they report of DHCP, and files of a server on a made-up wire. */
#include "tests/unit/test.h"

#include <string.h>

#include "bios/bios.h"
#include "bios/net/pxe.h"
#include "tests/unit/bios/fake_machine.h"
#include "tests/unit/bios/fake_ports.h"
#include "tests/unit/bios/fake_pxe.h"

static EFI_GUID pxe_guid = EFI_PXE_BASE_CODE_PROTOCOL_GUID, binding_guid = MTFTP_BINDING_GUID, mtftp_guid = MTFTP_GUID,
                file_system_guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
static const uint64_t no_roots[TABLE_ROOTS];
static const char server[] = {10, 0, 17, 1};

static EFI_PXE_BASE_CODE *pxe;

static int begin(void **state)
{
    fake_begin();
    fake_pxe_begin();
    bios.tsc_khz = PORTS_TSC_OF_US * 1000;
    uefi_prepare(no_roots, false);
    assert_true(pxe_find());
    uefi_network_prepare();
    return uefi_handle_protocol(uefi_device(), &pxe_guid, (void **)&pxe) != EFI_SUCCESS;
}

/* ---------------------------------------------------------------- protocols */

TEST_WITH(protocols, begin, NULL)
{
    EFI_SERVICE_BINDING *binding;
    EFI_DEVICE_PATH *path = NULL;
    EFI_HANDLE device, child;
    struct mtftp *mtftp;
    void *none;

    assert_true(pxe->Mode->Started);
    assert_false(pxe->Mode->UsingIpv6);
    assert_int_equal(uefi_locate_device_path(&binding_guid, &path, &device), EFI_SUCCESS);
    assert_ptr_equal(device, uefi_device());
    assert_int_equal(uefi_locate_device_path(&mtftp_guid, &path, &device), EFI_NOT_FOUND);
    assert_int_equal(uefi_handle_protocol(device, &binding_guid, (void **)&binding), EFI_SUCCESS);
    assert_int_equal(binding->CreateChild(binding, &child), EFI_SUCCESS);
    assert_int_equal(uefi_handle_protocol(child, &mtftp_guid, (void **)&mtftp), EFI_SUCCESS);
    assert_ptr_equal(mtftp->write_file, uefi_mtftp_write);
    assert_int_equal(binding->DestroyChild(binding, child), EFI_SUCCESS);
    assert_int_equal(uefi_handle_protocol(device, &mtftp_guid, &none), EFI_UNSUPPORTED);
    assert_int_equal(uefi_handle_protocol(child, &pxe_guid, &none), EFI_UNSUPPORTED);
    assert_int_equal(uefi_handle_protocol(device, &file_system_guid, &none), EFI_SUCCESS);
}

/* Without DHCP's answer there is no network, and no protocol is installed. */
TEST_WITH(no_network, begin, NULL)
{
    EFI_DEVICE_PATH *path = NULL;
    EFI_HANDLE device;
    void *none;

    fake_pxe.ack_size = 239;
    uefi_network_prepare();
    assert_int_equal(uefi_handle_protocol(uefi_device(), &pxe_guid, &none), EFI_UNSUPPORTED);
    assert_int_equal(uefi_handle_protocol(uefi_device(), &binding_guid, &none), EFI_UNSUPPORTED);
    assert_int_equal(uefi_locate_device_path(&binding_guid, &path, &device), EFI_NOT_FOUND);
}

TEST_WITH(what_dhcp_gave, begin, NULL)
{
    const EFI_PXE_BASE_CODE_MODE *mode = pxe->Mode;

    assert_true(mode->DhcpAckReceived);
    assert_memory_equal(&mode->DhcpAck, fake_pxe.ack, 300);
    assert_false(mode->PxeReplyReceived);
    assert_memory_equal(&mode->StationIp, ((uint8_t[]){10, 0, 17, 81}), 4);
    assert_memory_equal(&mode->SubnetMask, ((uint8_t[]){255, 255, 255, 0}), 4);
    assert_int_equal(mode->RouteTableEntries, 1);
    assert_memory_equal(&mode->RouteTable[0].GwAddr, ((uint8_t[]){10, 0, 17, 254}), 4);
    /* A boot server's own packet counts if it names a server. */
    memcpy(fake_pxe.reply, fake_pxe.ack, 300);
    fake_pxe.reply_size = 300;
    fake_pxe.reply[23] = 9;
    uefi_network_prepare();
    assert_true(mode->PxeReplyReceived);
    assert_memory_equal(&mode->PxeReply, fake_pxe.reply, 300);
    memset(fake_pxe.reply + 20, 0, 4);
    uefi_network_prepare();
    assert_false(mode->PxeReplyReceived);
    memset(fake_pxe.ack + 236, 0, 4);
    uefi_network_prepare();
    assert_int_equal(mode->RouteTableEntries, 0);
    assert_memory_equal(&mode->SubnetMask, ((uint8_t[4]){0}), 4);
}

TEST_WITH(counts, begin, NULL)
{
    UINT64 first, second;

    assert_int_equal(uefi_get_monotonic_count(&first), EFI_SUCCESS);
    assert_int_equal(uefi_get_monotonic_count(&second), EFI_SUCCESS);
    assert_int_not_equal(first, second);
}

/* ---------------------------------------------------------------- a server */

static struct {
    const char *oack; /* the OACK without its opcode; NULL: none */
    size_t oack_size;
    const char *text; /* text of the file */
    uint8_t error;    /* error code + 1 */
    char written[100];
    size_t size;
} tftp;

static void answer(const struct fake_datagram *datagram)
{
    const uint8_t *bytes = datagram->bytes;
    uint8_t packet[300] = {0};
    size_t size = 4;

    assert_memory_equal(datagram->from, server, 4);
    if (bytes[1] == 5)
        return;
    if (bytes[1] <= 2 && tftp.error) {
        packet[1] = 5;
        packet[3] = (uint8_t)(tftp.error - 1);
        size = 5;
    } else if (bytes[1] <= 2 && tftp.oack) {
        packet[1] = 6;
        memcpy(packet + 2, tftp.oack, tftp.oack_size);
        size = 2 + tftp.oack_size;
    } else if (bytes[1] == 2) {
        packet[1] = 4;
    } else if (bytes[1] == 3) {
        packet[1] = 4;
        packet[3] = bytes[3];
        tftp.size = datagram->size - 4;
        memcpy(tftp.written, bytes + 4, tftp.size);
    } else if (bytes[1] == 1 || !bytes[3]) {
        packet[1] = 3;
        packet[3] = 1;
        memcpy(packet + 4, tftp.text, strlen(tftp.text));
        size += strlen(tftp.text);
    } else {
        return;
    }
    fake_pxe_put(server, 1069, packet, size);
}

static int serve(void **state)
{
    memset(&tftp, 0, sizeof tftp);
    tftp.text = "text";
    if (begin(state))
        return 1;
    fake_pxe.answer = answer;
    return 0;
}

/* Operations other than reading a file and asking for its size are refused, and nothing is sent for them. */
TEST_WITH(other_operations, serve, NULL)
{
    EFI_IP_ADDRESS address = {.v4.Addr = {10, 0, 17, 1}};

    tftp.oack = "tsize\0004";
    tftp.oack_size = 8;
    for (unsigned operation = EFI_PXE_BASE_CODE_TFTP_FIRST; operation <= EFI_PXE_BASE_CODE_MTFTP_LAST; operation++) {
        for (unsigned no_buffer = 0; no_buffer < 2; no_buffer++) {
            bool known = !no_buffer && (operation == EFI_PXE_BASE_CODE_TFTP_READ_FILE ||
                                        operation == EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE);
            char bytes[10];
            UINT64 size = sizeof bytes;
            unsigned sent = fake_pxe.sent, opens = fake_pxe.opens;

            assert_int_equal(
                pxe->Mtftp(pxe, operation, bytes, FALSE, &size, NULL, &address, (UINT8 *)"name", NULL, no_buffer != 0),
                known ? EFI_SUCCESS : EFI_UNSUPPORTED);
            assert_int_equal(size, known ? 4 : sizeof bytes);
            assert_int_equal(fake_pxe.opens, opens + known);
            assert_int_equal(fake_pxe.sent > sent, known);
        }
    }
}

static EFI_STATUS transfer(EFI_PXE_BASE_CODE_TFTP_OPCODE operation, char *bytes, UINT64 *size)
{
    EFI_IP_ADDRESS address = {.v4.Addr = {10, 0, 17, 1}};
    UINTN block = 1428;

    return pxe->Mtftp(pxe, operation, bytes, FALSE, size, &block, &address, (UINT8 *)"name", NULL, FALSE);
}

TEST_WITH(read, serve, NULL)
{
    char bytes[10] = {0};
    UINT64 size = 5;

    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, &size), EFI_SUCCESS);
    assert_int_equal(size, 4);
    assert_string_equal(bytes, "text");
    assert_memory_equal(fake_pxe.gateway, ((uint8_t[4]){0}), 4);
    assert_int_equal(fake_pxe.opens, 1);
    assert_int_equal(fake_pxe.closes, 1);
    size = 3;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, &size), EFI_BUFFER_TOO_SMALL);
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_WRITE_FILE, bytes, &size), EFI_UNSUPPORTED);
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE, NULL, &size), EFI_UNSUPPORTED);
    tftp.oack = "tsize\0004";
    tftp.oack_size = 8;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE, NULL, &size), EFI_SUCCESS);
    assert_int_equal(size, 4);
    tftp.oack_size = 7;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE, NULL, &size), EFI_PROTOCOL_ERROR);
    assert_int_equal(fake_pxe.opens, fake_pxe.closes);
    /* Two successive transfers never use the same port. */
    for (unsigned i = 0, before = 0; i < 5; i++, before = fake_pxe.own_port) {
        (void)transfer(EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE, NULL, &size);
        assert_int_not_equal(fake_pxe.own_port, before);
        assert_in_range(fake_pxe.own_port, 0xc000, 0xffff);
    }
}

/* The code of an ERROR is returned until the next transfer. */
TEST_WITH(refused, serve, NULL)
{
    char bytes[10];
    UINT64 size = sizeof bytes;

    tftp.error = 1 + 6;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, &size), EFI_TFTP_ERROR);
    assert_true(pxe->Mode->TftpErrorReceived);
    assert_int_equal(pxe->Mode->TftpError.ErrorCode, 6);
    tftp.error = 0;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, &size), EFI_SUCCESS);
    assert_false(pxe->Mode->TftpErrorReceived);
}

/* The transfer gives up after seven times four seconds, for which efi/receipt.c waits. */
TEST_WITH(silent, serve, NULL)
{
    uint64_t start = ports.us;
    UINT64 size;

    fake_pxe.answer = NULL;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE, NULL, &size), EFI_TIMEOUT);
    assert_int_equal(fake_pxe.sent, 7);
    assert_in_range(ports.us - start, 27999000, 28100000);
    fake_pxe.fails = true;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE, NULL, &size), EFI_DEVICE_ERROR);
}

static void first_block_alone(const struct fake_datagram *datagram)
{
    uint8_t packet[4 + 512] = {0, 3, 0, 1};

    if (datagram->bytes[1] == 1)
        fake_pxe_put(server, 1069, packet, sizeof packet);
}

/* If the server stops in the middle, packets that came before do not count as later ones, and are not answered
 * again. */
TEST_WITH(silent_in_the_middle, serve, NULL)
{
    char bytes[2000];
    UINT64 size = sizeof bytes;

    fake_pxe.answer = first_block_alone;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, &size), EFI_TIMEOUT);
    assert_int_equal(fake_pxe.sent, 1 + 7);
    assert_int_equal(fake_pxe.opens, fake_pxe.closes);
}

TEST_WITH(gateway, serve, NULL)
{
    char bytes[10];
    UINT64 size = sizeof bytes;

    pxe->Mode->StationIp.v4.Addr[2] = 18;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, &size), EFI_SUCCESS);
    assert_memory_equal(fake_pxe.gateway, ((uint8_t[]){10, 0, 17, 254}), 4);
    pxe->Mode->RouteTableEntries = 0;
    assert_int_equal(transfer(EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, &size), EFI_SUCCESS);
    assert_memory_equal(fake_pxe.gateway, ((uint8_t[4]){0}), 4);
}

/* ---------------------------------------------------------------- files to the server */

static unsigned checked;

static EFI_STATUS EFIAPI check(struct mtftp *mtftp, struct mtftp_token *token, UINT16 size, const UINT8 *packet)
{
    assert_ptr_equal(mtftp, &bios.tables.mtftp);
    checked = packet[1];
    return EFI_SUCCESS;
}

TEST_WITH(written, serve, NULL)
{
    struct mtftp_config config = {.server = {10, 0, 17, 1}, .server_port = 69, .tries = 2, .try_seconds = 3};
    struct mtftp_token token = {.name = "runs/a", .size = 5, .bytes = (VOID *)"hello", .check = check};
    struct mtftp *mtftp = &bios.tables.mtftp;
    uint64_t start;

    assert_int_equal(mtftp->configure(mtftp, &config), EFI_SUCCESS);
    assert_int_equal(mtftp->write_file(mtftp, &token), EFI_SUCCESS);
    assert_int_equal(tftp.size, 5);
    assert_memory_equal(tftp.written, "hello", 5);
    assert_int_equal(checked, 0);
    tftp.error = 1 + 3;
    assert_int_equal(mtftp->write_file(mtftp, &token), EFI_TFTP_ERROR);
    assert_int_equal(checked, 5);
    token.check = NULL;
    assert_int_equal(mtftp->write_file(mtftp, &token), EFI_TFTP_ERROR);
    fake_pxe.answer = NULL;
    start = ports.us;
    assert_int_equal(mtftp->write_file(mtftp, &token), EFI_TIMEOUT);
    assert_in_range(ports.us - start, 5999000, 6100000);
    assert_int_equal(fake_pxe.opens, fake_pxe.closes);
    fake_pxe.fails = true;
    assert_int_equal(mtftp->write_file(mtftp, &token), EFI_DEVICE_ERROR);
    assert_int_equal(mtftp->configure(mtftp, NULL), EFI_SUCCESS);
    assert_int_equal(bios.network.config.tries, 0);
}

/* Each call of the card's code is refused once: the file arrives, or the failure is reported, and the next file
 * arrives. */
TEST_WITH(each_call_of_the_card, serve, NULL)
{
    struct mtftp_config config = {.server = {10, 0, 17, 1}, .server_port = 69, .tries = 7, .try_seconds = 1};
    struct mtftp_token token = {.name = "runs/a", .size = 5, .bytes = (VOID *)"hello"};
    struct mtftp *mtftp = &bios.tables.mtftp;
    unsigned calls, told = 0;

    assert_int_equal(mtftp->configure(mtftp, &config), EFI_SUCCESS);
    fake_pxe.calls = 0;
    assert_int_equal(mtftp->write_file(mtftp, &token), EFI_SUCCESS);
    calls = fake_pxe.calls;
    for (unsigned call = 1; call <= calls; call++) {
        EFI_STATUS status;

        tftp.size = fake_pxe.calls = 0;
        fake_pxe.refuse_call = call;
        status = mtftp->write_file(mtftp, &token);
        told += status != EFI_SUCCESS;
        assert_true(status != EFI_SUCCESS || tftp.size == 5);
        assert_int_equal(fake_pxe.opens, fake_pxe.closes);
        assert_int_equal(mtftp->write_file(mtftp, &token), EFI_SUCCESS);
        assert_int_equal(tftp.size, 5);
    }
    print_message("%u calls of the card's code refused: %u files were not sent\n", calls, told);
    assert_in_range(calls, 6, 100);
}

/* ---------------------------------------------------------------- the boot file */

TEST_WITH(fetched, serve, NULL)
{
    static const char cookie[] = "the network card's code has no answer of DHCP";
    uint64_t address = 0, size = 0;

    assert_string_equal(uefi_network_fetch("a", &address, &size), "the server does not tell its size (TFTP, RFC 2349)");
    tftp.oack = "tsize\0004";
    tftp.oack_size = 8;
    assert_null(uefi_network_fetch("a", &address, &size));
    assert_int_equal(size, 4);
    assert_memory_equal((void *)address, "text", 4);
    tftp.oack = "tsize\000999999999999";
    tftp.oack_size = 19;
    assert_string_equal(uefi_network_fetch("a", &address, &size), "no memory for it");
    tftp.error = 2;
    assert_string_equal(uefi_network_fetch("a", &address, &size), "the server refuses it (TFTP)");
    fake_pxe.answer = NULL;
    assert_string_equal(uefi_network_fetch("a", &address, &size), "the server does not answer (TFTP)");
    fake_pxe.ack_size = 0;
    uefi_network_prepare();
    assert_string_equal(uefi_network_fetch("a", &address, &size), cookie);
    fake_pxe.ack_size = 300;
    fake_pxe.status = 1;
    uefi_network_prepare();
    assert_string_equal(uefi_network_fetch("a", &address, &size), cookie);
}

RUN_TESTS(NULL, NULL)
