/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The network that booted the machine, as efi/network.c and efi/mtftp.c use it, by the card's own code (net/pxe.c).
 * The protocols are on the handle of the volume, which is the only device.
 */
#include "bios/bios.h"
#include "bios/clock.h"
#include "bios/net/pxe.h"
#include "bios/net/tftp.h"
#include "core/base/mem.h"
#include "drivers/cpu/cpu.h"

/* Tries and seconds of EDK II (NetworkPkg/UefiPxeBcDxe/PxeBcImpl.h, PXEBC_MTFTP_*), for which efi/receipt.c waits. */
enum { READ_TRIES = 7, READ_SECONDS = 4 };
enum { FIRST_PORT = 0xc000, PORTS = 0x4000, POLL_US = 20, ADDRESS_BYTES = 4, DHCP_LEAST = 240 };

static struct uefi_network *const network = &bios.network;

/* A transfer, and the listener to its packets. */
struct transfer {
    struct tftp tftp;
    struct pxe_peer peer;
    struct mtftp_token *token;
};

static void send(void *context, uint16_t port, const void *bytes, size_t size)
{
    pxe_send(&((struct transfer *)context)->peer, port, bytes, size);
}

static bool receive(void *context, uint8_t *bytes, size_t room, size_t *ret_size, uint16_t *ret_port)
{
    if (pxe_receive(&((struct transfer *)context)->peer, bytes, room, ret_size, ret_port))
        return true;
    clock_wait(POLL_US);
    return false;
}

static uint64_t milliseconds(void *context)
{
    (void)context;
    return cpu_rdtsc() / clock_tsc_khz();
}

static void hear(void *context, uint8_t *packet, size_t size)
{
    struct mtftp_token *token = ((struct transfer *)context)->token;

    if (token && token->check)
        (void)token->check(&bios.tables.mtftp, token, (UINT16)size, packet);
}

/* Begins a transfer with a port of its own, so that it hears nothing of an earlier one (RFC 1350, section 4). */
static bool begin(struct transfer *transfer, const void *server)
{
    const UINT8 *station = network->mode.StationIp.v4.Addr, *mask = network->mode.SubnetMask.v4.Addr;
    bool here = true;

    transfer->tftp.context = transfer;
    transfer->tftp.send = send;
    transfer->tftp.receive = receive;
    transfer->tftp.milliseconds = milliseconds;
    transfer->tftp.hear = hear;
    memcpy(transfer->peer.station, station, ADDRESS_BYTES);
    memcpy(transfer->peer.server, server, ADDRESS_BYTES);
    for (unsigned i = 0; i < ADDRESS_BYTES; i++)
        here = here && !((station[i] ^ transfer->peer.server[i]) & mask[i]);
    if (!here && network->mode.RouteTableEntries)
        memcpy(transfer->peer.gateway, network->mode.RouteTable[0].GwAddr.v4.Addr, ADDRESS_BYTES);
    network->transfers += network->transfers ? 1 : cpu_rdtsc() | 1;
    transfer->peer.port = (uint16_t)(FIRST_PORT + network->transfers % PORTS);
    return pxe_open(&transfer->peer);
}

static EFI_STATUS end(struct transfer *transfer, enum tftp_error error)
{
    static const EFI_STATUS statuses[] = {
        [TFTP_OK] = EFI_SUCCESS,           [TFTP_SILENT] = EFI_TIMEOUT,
        [TFTP_REFUSED] = EFI_TFTP_ERROR,   [TFTP_TOO_LARGE] = EFI_BUFFER_TOO_SMALL,
        [TFTP_WRONG] = EFI_PROTOCOL_ERROR, [TFTP_NO_SIZE] = EFI_UNSUPPORTED,
    };

    pxe_close();
    network->mode.TftpErrorReceived = error == TFTP_REFUSED;
    network->mode.TftpError.ErrorCode = (UINT8)transfer->tftp.code;
    return statuses[error];
}

EFI_STATUS EFIAPI uefi_pxe_mtftp(EFI_PXE_BASE_CODE *pxe, EFI_PXE_BASE_CODE_TFTP_OPCODE operation, VOID *bytes,
                                 BOOLEAN overwrite, UINT64 *size, UINTN *block, EFI_IP_ADDRESS *server, UINT8 *name,
                                 EFI_PXE_BASE_CODE_MTFTP_INFO *info, BOOLEAN no_buffer)
{
    struct transfer transfer = {.tftp = {.tries = READ_TRIES, .try_ms = READ_SECONDS * 1000}};

    if ((operation != EFI_PXE_BASE_CODE_TFTP_READ_FILE && operation != EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE) ||
        no_buffer)
        return EFI_UNSUPPORTED;
    if (!begin(&transfer, server))
        return EFI_DEVICE_ERROR;
    return end(&transfer, operation == EFI_PXE_BASE_CODE_TFTP_READ_FILE
                              ? tftp_read(&transfer.tftp, (const char *)name, bytes, size)
                              : tftp_size(&transfer.tftp, (const char *)name, size));
}

/* ---------------------------------------------------------------- files to the server */

EFI_STATUS EFIAPI uefi_mtftp_create(EFI_SERVICE_BINDING *binding, EFI_HANDLE *child)
{
    *child = &bios.tables.mtftp;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_mtftp_destroy(EFI_SERVICE_BINDING *binding, EFI_HANDLE child)
{
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_mtftp_configure(struct mtftp *mtftp, const struct mtftp_config *config)
{
    network->config = config ? *config : (struct mtftp_config){0};
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_mtftp_write(struct mtftp *mtftp, struct mtftp_token *token)
{
    struct transfer transfer = {.tftp = {.tries = network->config.tries, .try_ms = network->config.try_seconds * 1000u},
                                .token = token};

    if (!begin(&transfer, network->config.server))
        return EFI_DEVICE_ERROR;
    return end(&transfer, tftp_write(&transfer.tftp, token->name, token->bytes, token->size));
}

/* Counts calls in this boot; the upper half, the number of resets, is always 0, because nothing is kept. */
EFI_STATUS EFIAPI uefi_get_monotonic_count(UINT64 *ret_count)
{
    *ret_count = ++network->counts;
    return EFI_SUCCESS;
}

/* ---------------------------------------------------------------- what is where */

EFI_STATUS EFIAPI uefi_locate_device_path(EFI_GUID *protocol, EFI_DEVICE_PATH **path, EFI_HANDLE *ret_device)
{
    if (!network->there || memcmp(protocol, &(EFI_GUID)MTFTP_BINDING_GUID, sizeof *protocol) != 0)
        return EFI_NOT_FOUND;
    *ret_device = uefi_device();
    return EFI_SUCCESS;
}

VOID *uefi_network(EFI_HANDLE handle, const EFI_GUID *protocol)
{
    const struct {
        EFI_GUID guid;
        EFI_HANDLE handle;
        VOID *interface;
    } rows[] = {
        {EFI_PXE_BASE_CODE_PROTOCOL_GUID, uefi_device(), &bios.tables.pxe},
        {MTFTP_BINDING_GUID, uefi_device(), &bios.tables.binding},
        {MTFTP_GUID, &bios.tables.mtftp, &bios.tables.mtftp},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0] && network->there; i++)
        if (handle == rows[i].handle && !memcmp(protocol, &rows[i].guid, sizeof *protocol))
            return rows[i].interface;
    return NULL;
}

void uefi_network_prepare(void)
{
    EFI_PXE_BASE_CODE_MODE *mode = &network->mode;
    const UINT8 none[ADDRESS_BYTES] = {0}, *ack = mode->DhcpAck.Raw, *option;
    size_t size;

    memset(network, 0, sizeof *network);
    size = pxe_cached(PXE_ACK, &mode->DhcpAck, sizeof mode->DhcpAck);
    mode->Started = TRUE;
    mode->DhcpAckReceived = size >= DHCP_LEAST;
    if (!mode->DhcpAckReceived)
        return;
    network->there = true;
    mode->PxeReplyReceived = pxe_cached(PXE_REPLY, &mode->PxeReply, sizeof mode->PxeReply) >= DHCP_LEAST &&
                             memcmp(mode->PxeReply.Dhcpv4.BootpSiAddr, none, ADDRESS_BYTES) != 0;
    memcpy(&mode->StationIp, mode->DhcpAck.Dhcpv4.BootpYiAddr, ADDRESS_BYTES);
    option = pxe_option(ack, size, PXE_MASK);
    if (option)
        memcpy(&mode->SubnetMask, option, ADDRESS_BYTES);
    option = pxe_option(ack, size, PXE_ROUTER);
    if (option)
        memcpy(&mode->RouteTable[mode->RouteTableEntries++].GwAddr, option, ADDRESS_BYTES);
}

const char *uefi_network_fetch(const char *name, uint64_t *ret_address, uint64_t *ret_size)
{
    const EFI_PXE_BASE_CODE_MODE *mode = &network->mode;
    const EFI_PXE_BASE_CODE_PACKET *named;
    EFI_IP_ADDRESS server = {{0}};
    EFI_STATUS status;
    VOID *bytes = NULL;

    if (!network->there)
        return "the network card's code has no answer of DHCP";
    named = mode->PxeReplyReceived ? &mode->PxeReply : &mode->DhcpAck;
    memcpy(&server, named->Dhcpv4.BootpSiAddr, ADDRESS_BYTES);
    status = uefi_pxe_mtftp(&bios.tables.pxe, EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE, NULL, FALSE, ret_size, NULL,
                            &server, (UINT8 *)name, NULL, FALSE);
    if (status == EFI_SUCCESS && uefi_allocate_pool(EfiLoaderData, *ret_size, &bytes) != EFI_SUCCESS)
        return "no memory for it";
    if (status == EFI_SUCCESS)
        status = uefi_pxe_mtftp(&bios.tables.pxe, EFI_PXE_BASE_CODE_TFTP_READ_FILE, bytes, FALSE, ret_size, NULL,
                                &server, (UINT8 *)name, NULL, FALSE);
    *ret_address = (uint64_t)bytes;
    return status == EFI_SUCCESS       ? NULL
           : status == EFI_TFTP_ERROR  ? "the server refuses it (TFTP)"
           : status == EFI_TIMEOUT     ? "the server does not answer (TFTP)"
           : status == EFI_UNSUPPORTED ? "the server does not tell its size (TFTP, RFC 2349)"
                                       : "the network card or the server is in error";
}
