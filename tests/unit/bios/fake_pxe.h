/* SPDX-License-Identifier: BSD-2-Clause */
/* The code of a network card: PXE 2.1 in low memory, with datagrams that a test sends and receives. */
#ifndef TESTS_UNIT_BIOS_FAKE_PXE_H
#define TESTS_UNIT_BIOS_FAKE_PXE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bios/real.h"

enum { PXENV_AT = 0x9f100, PXE_AT = 0x9f200, PXE_ENTRY_AT = 0x9f380 };
enum { FAKE_PACKETS = 8, FAKE_DATAGRAM = 2000 };

struct fake_datagram {
    uint8_t from[4];
    uint16_t port; /* port of the sender */
    size_t size;
    uint8_t bytes[FAKE_DATAGRAM];
};

struct fake_pxe {
    bool there, carry, other_answer;
    /* Packets of DHCP. */
    uint8_t ack[700], reply[700];
    size_t ack_size, reply_size;
    bool fails;                  /* whether each function fails, by AX */
    unsigned calls, refuse_call; /* number of calls; number of the call that fails by AX, 0: none */
    uint16_t status;             /* status of each function */
    size_t claims;               /* by how much returned sizes are too large */
    unsigned opens, closes;
    uint8_t station[4];
    /* Waiting datagrams, and the last sent one. */
    struct fake_datagram in[FAKE_PACKETS], out;
    unsigned first, last, sent;
    uint8_t gateway[4];
    uint16_t own_port;
    /* Called for each sent datagram. */
    void (*answer)(const struct fake_datagram *datagram);
};

extern struct fake_pxe fake_pxe;

/* Removes the card's code. */
void fake_pxe_init(void);
/* Adds the card's code; by DHCP 10.0.17.81 is the station's address, 10.0.17.1 the server's. */
void fake_pxe_begin(void);
/* Sets the structure's checksum to 0. */
void fake_pxe_seal(uint32_t at);
void fake_pxe_put(const char *from, uint16_t port, const void *bytes, size_t size);

void fake_pxe_find(struct real_registers *registers);
void fake_pxe_call(struct real_registers *registers);

#endif
