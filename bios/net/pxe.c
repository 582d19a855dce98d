/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/net/pxe.h"

#include "bios/low.h"
#include "bios/real.h"
#include "core/base/bytes.h"
#include "core/base/mem.h"

/* INT 1Ah, and the structures PXENV+ and !PXE (sections 3.1 and 3.2): sizes and offsets. */
enum {
    INT_PXE = 0x1a,
    INSTALLED = 0x5650,
    IS_INSTALLED = 0x564e,
    PXENV_LEAST = 0x2c,
    PXENV_VERSION = 6,
    PXENV_LENGTH = 8,
    PXENV_PXE = 0x28,
    VERSION_2_1 = 0x0201,
    PXE_LEAST = 0x58,
    PXE_LENGTH = 4,
    PXE_ENTRY = 0x10,
};

/* Functions, and their parameters after the status. */
enum { UDP_OPEN = 0x30, UDP_CLOSE, UDP_READ, UDP_WRITE, GET_CACHED_INFO = 0x71 };

struct udp_open {
    uint16_t status;
    uint8_t station[4];
};

struct udp_read {
    uint16_t status;
    uint8_t from[4], to[4];
    uint8_t from_port[2], to_port[2]; /* both have the most significant byte first */
    uint16_t size, offset, segment;
} __attribute__((packed));

struct udp_write {
    uint16_t status;
    uint8_t to[4], gateway[4];
    uint8_t from_port[2], to_port[2];
    uint16_t size, offset, segment;
} __attribute__((packed));

struct get_cached_info {
    uint16_t status, type, size, offset, segment, limit;
};

enum {
    VECTOR = 0x66, /* the last vector reserved for programs */
    CALL_BYTES = 64,
    DATA_BYTES = 2048,
    ENTRY_AT = 5, /* in the code below */
};

/* Code of an interrupt that real_interrupt() can call: calls function BX with the parameters at ES:DI. */
static const uint8_t from_interrupt[] = {
    0xfb,                   /* sti */
    0x06,                   /* push %es */
    0x57,                   /* push %di */
    0x53,                   /* push %bx */
    0x9a, 0,    0,    0, 0, /* lcall to the entry of !PXE */
    0x83, 0xc4, 0x06,       /* add $6, %sp */
    0xcf,                   /* iret */
};

/* Returns a structure, at any segment and offset below 1 MB; NULL: the sum of its bytes is not 0. */
static const uint8_t *structure(uint32_t offset, uint32_t segment, const char *name, size_t length_at, size_t least)
{
    uint32_t address = (segment << 4) + offset;
    const uint8_t *bytes = low_memory + address;

    if (!address || address > 0x100000 - 0x100 || memcmp(bytes, name, strlen(name)) != 0 || bytes[length_at] < least ||
        !bytes_sum_to_zero(bytes, bytes[length_at]))
        return NULL;
    return bytes;
}

bool pxe_find(void)
{
    struct real_registers registers = {.eax = INSTALLED};
    const uint8_t *pxenv, *pxe;

    real_interrupt(INT_PXE, &registers);
    if (registers.flags & REAL_CARRY || (registers.eax & 0xffff) != IS_INSTALLED)
        return false;
    pxenv = structure(registers.ebx & 0xffff, registers.es, "PXENV+", PXENV_LENGTH, PXENV_LEAST);
    if (!pxenv || bytes_read16(pxenv + PXENV_VERSION) < VERSION_2_1)
        return false;
    pxe =
        structure(bytes_read16(pxenv + PXENV_PXE), bytes_read16(pxenv + PXENV_PXE + 2), "!PXE", PXE_LENGTH, PXE_LEAST);
    if (!pxe)
        return false;
    memcpy(low_memory + LOW_PXE_CODE, from_interrupt, sizeof from_interrupt);
    memcpy(low_memory + LOW_PXE_CODE + ENTRY_AT, pxe + PXE_ENTRY, 4);
    memcpy(low_memory + 4 * VECTOR, &(uint32_t){LOW_PXE_CODE}, 4);
    return true;
}

/* Calls a function; its parameters are copied there and back. */
static bool call(uint16_t function, void *parameters, size_t size)
{
    struct real_registers registers = {.ebx = function, .edi = LOW_PXE_CALL};
    uint16_t status;

    memset(low_memory + LOW_PXE_CALL, 0, CALL_BYTES);
    memcpy(low_memory + LOW_PXE_CALL, parameters, size);
    real_interrupt(VECTOR, &registers);
    memcpy(parameters, low_memory + LOW_PXE_CALL, size);
    memcpy(&status, parameters, sizeof status);
    return !(registers.eax & 0xffff) && !status;
}

size_t pxe_cached(enum pxe_packet which, void *bytes, size_t room)
{
    struct get_cached_info info = {
        .type = (uint16_t)which, .size = DATA_BYTES, .segment = LOW_PXE_DATA >> 4, .limit = DATA_BYTES};
    size_t size;

    memset(low_memory + LOW_PXE_DATA, 0, DATA_BYTES);
    if (!call(GET_CACHED_INFO, &info, sizeof info))
        return 0;
    size = info.size < DATA_BYTES ? info.size : DATA_BYTES;
    size = size < room ? size : room;
    memcpy(bytes, low_memory + LOW_PXE_DATA, size);
    return size;
}

const uint8_t *pxe_option(const uint8_t *packet, size_t size, uint8_t code)
{
    enum { OPTIONS = 240, PAD = 0, END = 255, ADDRESS_BYTES = 4 };
    static const uint8_t cookie[] = {99, 130, 83, 99};

    if (size < OPTIONS || memcmp(packet + OPTIONS - sizeof cookie, cookie, sizeof cookie) != 0)
        return NULL;
    for (size_t at = OPTIONS; at + 1 < size && packet[at] != END;) {
        size_t length = packet[at + 1];

        if (packet[at] == PAD) {
            at++;
            continue;
        }
        if (length > size - at - 2)
            return NULL;
        if (packet[at] == code)
            return length >= ADDRESS_BYTES ? packet + at + 2 : NULL;
        at += 2 + length;
    }
    return NULL;
}

bool pxe_open(const struct pxe_peer *peer)
{
    struct udp_open open = {0};

    memcpy(open.station, peer->station, sizeof open.station);
    return call(UDP_OPEN, &open, sizeof open);
}

void pxe_close(void)
{
    uint16_t status = 0;

    (void)call(UDP_CLOSE, &status, sizeof status);
}

static void set_port(uint8_t *to, uint16_t port)
{
    to[0] = (uint8_t)(port >> 8);
    to[1] = (uint8_t)port;
}

void pxe_send(const struct pxe_peer *peer, uint16_t port, const void *bytes, size_t size)
{
    struct udp_write write = {.size = (uint16_t)size, .segment = LOW_PXE_DATA >> 4};

    if (size > DATA_BYTES)
        return;
    memcpy(write.to, peer->server, sizeof write.to);
    memcpy(write.gateway, peer->gateway, sizeof write.gateway);
    set_port(write.from_port, peer->port);
    set_port(write.to_port, port);
    memcpy(low_memory + LOW_PXE_DATA, bytes, size);
    (void)call(UDP_WRITE, &write, sizeof write); /* a failure equals a packet lost on the way */
}

bool pxe_receive(const struct pxe_peer *peer, void *bytes, size_t room, size_t *ret_size, uint16_t *ret_port)
{
    struct udp_read read = {.size = (uint16_t)(room < DATA_BYTES ? room : DATA_BYTES), .segment = LOW_PXE_DATA >> 4};
    uint16_t most = read.size;

    memcpy(read.to, peer->station, sizeof read.to);
    set_port(read.to_port, peer->port);
    if (!call(UDP_READ, &read, sizeof read) || memcmp(read.from, peer->server, sizeof read.from) != 0 ||
        read.size > most)
        return false;
    memcpy(bytes, low_memory + LOW_PXE_DATA, read.size);
    *ret_size = read.size;
    *ret_port = (uint16_t)(read.from_port[0] << 8 | read.from_port[1]);
    return true;
}
