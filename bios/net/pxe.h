/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The network of a machine whose card has loaded this program, by the card's own code in real mode (Intel, "Preboot
 * Execution Environment (PXE) Specification" 2.1). Multiboot loaders end that code before they start a kernel: iPXE in
 * shutdown_boot(), mboot.c32 in unload_pxe(), whatever "keeppxe" says. So pxe_find() is only for boot.S, which the
 * card itself starts.
 */
#ifndef BIOS_NET_PXE_H
#define BIOS_NET_PXE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pxe_packet { PXE_ACK = 2, PXE_REPLY = 3 }; /* from DHCP; from the boot server, or DHCP's again */

struct pxe_peer {
    uint8_t station[4], server[4], gateway[4]; /* gateway 0: the server is in this network */
    uint16_t port;                             /* local port */
};

/* Finds the card's code; must run before address 0 is unmapped. */
bool pxe_find(void);

/* Copies a packet that the card has received. Returns its size; 0: there is none. */
size_t pxe_cached(enum pxe_packet which, void *bytes, size_t room);

/* Returns a DHCP option that is an address, four bytes of the packet (RFC 2132); NULL: missing. */
enum { PXE_MASK = 1, PXE_ROUTER = 3 };
const uint8_t *pxe_option(const uint8_t *packet, size_t size, uint8_t code);

/* Opens an exchange of datagrams with the peer, until pxe_close(). */
bool pxe_open(const struct pxe_peer *peer);
void pxe_close(void);
void pxe_send(const struct pxe_peer *peer, uint16_t port, const void *bytes, size_t size);
/* Receives a datagram. Returns false if none has come. */
bool pxe_receive(const struct pxe_peer *peer, void *bytes, size_t room, size_t *ret_size, uint16_t *ret_port);

#endif
