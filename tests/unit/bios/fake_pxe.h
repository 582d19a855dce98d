/* SPDX-License-Identifier: BSD-2-Clause */
/* The code of a network card: PXE 2.1 in low memory, with datagrams that a test sends and gets. */
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
    uint16_t port; /* that it is from */
    size_t size;
    uint8_t bytes[FAKE_DATAGRAM];
};

struct fake_pxe {
    bool there, carry, other_answer;
    /* Packets of DHCP. */
    uint8_t ack[700], reply[700];
    size_t ack_size, reply_size;
    bool fails;                  /* each function, by AX */
    unsigned calls, refuse_call; /* this one fails so, once; 0: none */
    uint16_t status;             /* of each function */
    size_t claims;               /* sizes that it gives back are so many bytes larger */
    unsigned opens, closes;
    uint8_t station[4];
    /* Datagrams that wait, and the last that was sent. */
    struct fake_datagram in[FAKE_PACKETS], out;
    unsigned first, last, sent;
    uint8_t gateway[4];
    uint16_t own_port;
    /* Is called for each that is sent. */
    void (*answer)(const struct fake_datagram *datagram);
};

extern struct fake_pxe fake_pxe;

/* There is none. */
void fake_pxe_init(void);
/* There is one, and 10.0.17.81 is the station's address by DHCP, 10.0.17.1 the server's. */
void fake_pxe_begin(void);
/* Sums up the structure's bytes to 0 again. */
void fake_pxe_seal(uint32_t at);
void fake_pxe_put(const char *from, uint16_t port, const void *bytes, size_t size);

void fake_pxe_find(struct real_registers *registers);
void fake_pxe_call(struct real_registers *registers);

#endif
