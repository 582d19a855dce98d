/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of a TFTP server (RFC 1350, with the options of RFC 2347 to 2349), over any exchange of datagrams with the
 * server.
 *
 * Nothing in a packet is trusted: sizes are limited by the request, and each transfer ends after 'tries' attempts
 * without progress.
 */
#ifndef BIOS_NET_TFTP_H
#define BIOS_NET_TFTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TFTP_BLOCK = 1428, TFTP_NAME = 256, TFTP_PACKET = TFTP_BLOCK + 4 + 1 }; /* a byte more than any packet */

enum tftp_error {
    TFTP_OK = 0,
    TFTP_SILENT,    /* no answer, or the answers stopped */
    TFTP_REFUSED,   /* an ERROR packet; struct tftp has its code */
    TFTP_TOO_LARGE, /* the file is larger than the buffer, or the name than a request */
    TFTP_WRONG,     /* the server breaks the protocol */
    TFTP_NO_SIZE,   /* the server does not report sizes (RFC 2349) */
};

struct tftp {
    void *context;
    /* Sends to this port of the server; lost packets are sent again. */
    void (*send)(void *context, uint16_t port, const void *bytes, size_t size);
    /* Receives a datagram of the server, cut to 'room'. Returns false if none came, perhaps after a short wait. */
    bool (*receive)(void *context, uint8_t *bytes, size_t room, size_t *ret_size, uint16_t *ret_port);
    uint64_t (*milliseconds)(void *context);
    /* Called for each accepted OACK and ERROR packet; NULL: unused. */
    void (*hear)(void *context, uint8_t *packet, size_t size);
    unsigned tries, try_ms;
    uint16_t code; /* from the ERROR packet */
};

enum tftp_error tftp_write(struct tftp *tftp, const char *name, const void *bytes, size_t size);

/* Reads a whole file of at most *size bytes, and sets *size. TFTP_TOO_LARGE: *size is the server's figure, or
 * unchanged. */
enum tftp_error tftp_read(struct tftp *tftp, const char *name, void *bytes, uint64_t *size);

/* Asks only for the size. */
enum tftp_error tftp_size(struct tftp *tftp, const char *name, uint64_t *ret_size);

#endif
