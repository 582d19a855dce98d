/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/net/tftp.h"

#include "core/base/mem.h"
#include "core/base/out.h"
#include "core/base/str.h"

enum { REQUEST_PORT = 69, HEADER = 4, BLOCK_DEFAULT = 512, BLOCK_LEAST = 8 /* RFC 2348 */ };
enum opcode { READ = 1, WRITE, DATA, ACK, ERROR, OACK };
enum { STOPPED = 0, FULL = 3, UNKNOWN_PORT = 5, BAD_OPTION = 8 }; /* codes of ERROR packets */

struct transfer {
    struct tftp *tftp;
    uint16_t port;  /* port of the server; 0: it has not answered */
    uint16_t block; /* number of the expected block */
    size_t block_bytes;
    uint64_t size;    /* as reported by the server */
    bool reads, told; /* told: the server has reported the size */
    size_t out_size, in_size;
    uint8_t out[TFTP_PACKET], in[TFTP_PACKET];
};

static uint16_t word(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static void set_header(uint8_t *packet, enum opcode opcode, uint16_t value)
{
    packet[0] = 0;
    packet[1] = (uint8_t)opcode;
    packet[2] = (uint8_t)(value >> 8);
    packet[3] = (uint8_t)value;
}

static void send_error(const struct transfer *t, uint16_t port, uint16_t code)
{
    uint8_t packet[HEADER + 1] = {0}; /* without a text */

    set_header(packet, ERROR, code);
    t->tftp->send(t->tftp->context, port, packet, sizeof packet);
}

/* ---------------------------------------------------------------- packets that come */

/* Reads options, pairs of texts, and accepts only requested ones (RFC 2347). */
static bool read_options(struct transfer *t)
{
    const char *at = (const char *)t->in + 2, *end = (const char *)t->in + t->in_size, *part[2];
    uint64_t value;

    if (end[-1])
        return false;
    while (at < end) {
        for (unsigned i = 0; i < 2; i++) {
            if (at >= end)
                return false;
            part[i] = at;
            at += strlen(at) + 1;
        }
        if (!str_to_uint(part[1], strlen(part[1]), &value))
            return false;
        if (str_is(part[0], strlen(part[0]), "blksize") && value >= BLOCK_LEAST && value <= TFTP_BLOCK) {
            t->block_bytes = (size_t)value;
        } else if (t->reads && str_is(part[0], strlen(part[0]), "tsize")) {
            t->size = value;
            t->told = true;
        } else {
            return false;
        }
    }
    return true;
}

enum verdict { IGNORED, TAKEN, REPEATED, BROKEN };

static enum verdict judge(struct transfer *t)
{
    uint16_t opcode = word(t->in), value = word(t->in + 2);

    if (opcode == OACK && !t->port)
        return read_options(t) ? TAKEN : BROKEN;
    if (opcode == ACK && !t->reads)
        /* Ignores an older block, because an answer would double all later packets (RFC 1123, 4.2.3.1). */
        return value == t->block ? TAKEN : IGNORED;
    if (opcode == DATA && t->reads && t->in_size <= HEADER + t->block_bytes)
        return value == t->block ? TAKEN : t->port && value == (uint16_t)(t->block - 1) ? REPEATED : IGNORED;
    return IGNORED;
}

static void hear(const struct transfer *t)
{
    if (t->tftp->hear)
        t->tftp->hear(t->tftp->context, (uint8_t *)t->in, t->in_size);
}

/* Processes a received packet. TFTP_SILENT: it does not continue the transfer. */
static enum tftp_error take(struct transfer *t)
{
    struct tftp *tftp = t->tftp;
    uint16_t from, opcode;

    if (!tftp->receive(tftp->context, t->in, sizeof t->in, &t->in_size, &from) || t->in_size < HEADER)
        return TFTP_SILENT;
    opcode = word(t->in);
    if (t->port && from != t->port) {
        if (opcode != ERROR)
            send_error(t, from, UNKNOWN_PORT);
        return TFTP_SILENT;
    }
    if (opcode == ERROR) {
        tftp->code = word(t->in + 2);
        hear(t);
        return TFTP_REFUSED;
    }
    switch (judge(t)) {
    case TAKEN:
        if (opcode == OACK)
            hear(t);
        t->port = from;
        return TFTP_OK;
    case BROKEN:
        send_error(t, from, BAD_OPTION);
        return TFTP_WRONG;
    case REPEATED:
        tftp->send(tftp->context, t->port, t->out, t->out_size); /* the ACK was lost */
        return TFTP_SILENT;
    default:
        return TFTP_SILENT;
    }
}

/* Sends the packet until its answer comes. */
static enum tftp_error ask(struct transfer *t)
{
    struct tftp *tftp = t->tftp;
    enum tftp_error error;

    for (unsigned i = 0; i < tftp->tries; i++) {
        uint64_t start = tftp->milliseconds(tftp->context);

        tftp->send(tftp->context, t->port ? t->port : REQUEST_PORT, t->out, t->out_size);
        do {
            error = take(t);
        } while (error == TFTP_SILENT && tftp->milliseconds(tftp->context) - start < tftp->try_ms);
        if (error != TFTP_SILENT)
            return error;
    }
    return TFTP_SILENT;
}

/* ---------------------------------------------------------------- transfers */

/* Appends a text with its zero. */
static void add(struct transfer *t, const char *text)
{
    size_t size = strlen(text) + 1;

    memcpy(t->out + t->out_size, text, size);
    t->out_size += size;
}

static enum tftp_error begin(struct transfer *t, struct tftp *tftp, const char *name, bool reads)
{
    char number[8];
    struct out_memory text;

    memset(t, 0, sizeof *t);
    t->tftp = tftp;
    t->reads = reads;
    t->block = reads; /* expects ACK 0, or DATA 1 */
    t->block_bytes = BLOCK_DEFAULT;
    tftp->code = 0;
    if (strlen(name) >= TFTP_NAME)
        return TFTP_TOO_LARGE;
    out_memory_init(&text, number, sizeof number);
    out_printf(&text.out, "%u", TFTP_BLOCK);
    t->out[1] = reads ? READ : WRITE;
    t->out_size = 2;
    add(t, name);
    add(t, "octet");
    add(t, "blksize");
    add(t, number);
    if (reads) {
        add(t, "tsize");
        add(t, "0");
    }
    return ask(t);
}

enum tftp_error tftp_write(struct tftp *tftp, const char *name, const void *bytes, size_t size)
{
    struct transfer t;
    enum tftp_error error = begin(&t, tftp, name, false);
    size_t length = t.block_bytes;

    /* A block that is not full is the last, even if it is empty. */
    for (size_t done = 0; !error && length == t.block_bytes; done += length) {
        length = size - done < t.block_bytes ? size - done : t.block_bytes;
        set_header(t.out, DATA, ++t.block);
        if (length)
            memcpy(t.out + HEADER, (const uint8_t *)bytes + done, length);
        t.out_size = HEADER + length;
        error = ask(&t);
    }
    return error;
}

enum tftp_error tftp_read(struct tftp *tftp, const char *name, void *bytes, uint64_t *size)
{
    struct transfer t;
    enum tftp_error error = begin(&t, tftp, name, true);
    uint64_t done = 0;

    t.out_size = HEADER;
    if (!error && word(t.in) == OACK) {
        if (t.told && t.size > *size) {
            *size = t.size;
            send_error(&t, t.port, FULL);
            return TFTP_TOO_LARGE;
        }
        set_header(t.out, ACK, 0);
        error = ask(&t);
    }
    while (!error) {
        size_t length = t.in_size - HEADER;

        if (length > *size - done) {
            send_error(&t, t.port, FULL);
            return TFTP_TOO_LARGE;
        }
        if (length)
            memcpy((uint8_t *)bytes + done, t.in + HEADER, length);
        done += length;
        set_header(t.out, ACK, t.block++);
        if (length < t.block_bytes) {
            tftp->send(tftp->context, t.port, t.out, t.out_size);
            *size = done;
            break;
        }
        error = ask(&t);
    }
    return error;
}

enum tftp_error tftp_size(struct tftp *tftp, const char *name, uint64_t *ret_size)
{
    struct transfer t;
    enum tftp_error error = begin(&t, tftp, name, true);

    if (error)
        return error;
    send_error(&t, t.port, STOPPED);
    *ret_size = t.size;
    return t.told ? TFTP_OK : TFTP_NO_SIZE;
}
