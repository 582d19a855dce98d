/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of a TFTP server (RFC 1350, with the options of RFC 2347 to 2349), over whatever brings datagrams to the
 * server's address and from there.
 *
 * Nothing in a packet is believed: sizes are within what was asked for, and each transfer ends, whatever comes, after
 * so many tries without progress.
 */
#ifndef BIOS_NET_TFTP_H
#define BIOS_NET_TFTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TFTP_BLOCK = 1428, TFTP_NAME = 256, TFTP_PACKET = TFTP_BLOCK + 4 + 1 }; /* one byte more than any packet has */

enum tftp_error {
    TFTP_OK = 0,
    TFTP_SILENT,    /* no answer, or none that goes on */
    TFTP_REFUSED,   /* an ERROR packet, whose code is in struct tftp */
    TFTP_TOO_LARGE, /* the file, for the room; the name, for a request */
    TFTP_WRONG,     /* the server breaks the protocol */
    TFTP_NO_SIZE,   /* the server does not tell sizes (RFC 2349) */
};

struct tftp {
    void *context;
    /* Sends to this port of the server. What is lost is sent again. */
    void (*send)(void *context, uint16_t port, const void *bytes, size_t size);
    /* Takes a datagram that has come from the server, cut to the room. False: none has come; it may have waited for one
     * a little. */
    bool (*receive)(void *context, uint8_t *bytes, size_t room, size_t *ret_size, uint16_t *ret_port);
    uint64_t (*milliseconds)(void *context);
    /* Is called for each OACK and ERROR packet that is taken; NULL: nobody is. */
    void (*hear)(void *context, uint8_t *packet, size_t size);
    unsigned tries, try_ms;
    uint16_t code; /* of the ERROR packet */
};

enum tftp_error tftp_write(struct tftp *tftp, const char *name, const void *bytes, size_t size);

/* Reads a whole file of at most *size bytes, and sets *size. TFTP_TOO_LARGE: *size is what the server says, or as it
 * was. */
enum tftp_error tftp_read(struct tftp *tftp, const char *name, void *bytes, uint64_t *size);

/* Asks for the size alone. */
enum tftp_error tftp_size(struct tftp *tftp, const char *name, uint64_t *ret_size);

#endif
