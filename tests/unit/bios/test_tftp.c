/* SPDX-License-Identifier: BSD-2-Clause */
/* TFTP with a made-up server, on a wire that loses, doubles and forges packets. */
#include "tests/unit/test.h"

#include <string.h>

#include "bios/net/tftp.h"

enum { RRQ = 1, WRQ, DATA, ACK, ERROR, OACK };
enum { PORT = 1069, OTHER = 6666, FILE_MOST = 600000, QUEUE = 64, TRIES = 3, TRY_MS = 1000, POLL_MS = 50 };

struct packet {
    uint16_t port;
    size_t size;
    uint8_t bytes[2000];
};

static struct {
    /* The server's behaviour. */
    const char *options; /* the options in its OACK, with their zeros; NULL: it knows none */
    size_t options_size, block;
    bool silent, doubles;           /* doubles: each packet is sent twice, as may happen on a network */
    bool repeats;                   /* a block is sent again after some time without its ACK */
    unsigned lose;                  /* number of the packet that is lost, from either side, from 1 on */
    unsigned silent_from;           /* our packets from this number on are not answered */
    uint16_t error;                 /* code + 1 of an ERROR for the request */
    void (*before)(uint16_t block); /* sends other packets before the answer */
    /* The file of the server. */
    uint8_t file[FILE_MOST];
    size_t size;
    bool complete;
    uint16_t next;
    /* The wire. */
    struct packet queue[QUEUE];
    unsigned first, last, sent, moved;
    uint64_t ms;
    /* Counts of what the server has seen. */
    char request[400];
    size_t request_size;
    unsigned data, acks, errors, to_other, heard;
    uint16_t error_code;
} net;

static void put(uint16_t port, const void *bytes, size_t size)
{
    struct packet *packet = &net.queue[net.last++ % QUEUE];

    if (++net.moved == net.lose)
        net.last--;
    assert_in_range(net.last - net.first, 0, QUEUE);
    packet->port = port;
    packet->size = size;
    memcpy(packet->bytes, bytes, size);
}

static void put_words(uint16_t port, uint16_t opcode, uint16_t value, const void *bytes, size_t size)
{
    uint8_t packet[2000] = {0, (uint8_t)opcode, (uint8_t)(value >> 8), (uint8_t)value};

    memcpy(packet + 4, bytes, size);
    put(port, packet, 4 + size);
    if (net.doubles)
        put(port, packet, 4 + size);
}

static void put_data(uint16_t block)
{
    size_t at = (block - 1) * net.block, left = net.size - at;

    if (at <= net.size)
        put_words(PORT, DATA, block, net.file + at, left < net.block ? left : net.block);
}

static void answer_request(const uint8_t *packet)
{
    uint8_t oack[200] = {0, OACK};

    net.next = 1;
    if (net.before)
        net.before(0);
    if (net.error) {
        put_words(PORT, ERROR, (uint16_t)(net.error - 1), "why", 4);
    } else if (net.options) {
        memcpy(oack + 2, net.options, net.options_size);
        put(PORT, oack, 2 + net.options_size);
    } else if (packet[1] == RRQ) {
        put_data(1);
    } else {
        put_words(PORT, ACK, 0, "", 0);
    }
}

/* Keeps the block if it is the next one, and acknowledges each block. */
static void take_data(uint16_t block, const uint8_t *bytes, size_t size)
{
    net.data++;
    if (net.before)
        net.before(block);
    if (block == net.next) {
        memcpy(net.file + net.size, bytes, size);
        net.size += size;
        net.next++;
        net.complete = size < net.block;
    }
    put_words(PORT, ACK, block, "", 0);
}

static void wire_send(void *context, uint16_t port, const void *bytes, size_t size)
{
    const uint8_t *packet = bytes;
    uint16_t value = (uint16_t)(packet[2] << 8 | packet[3]);

    assert_ptr_equal(context, &net);
    assert_in_range(size, 4, TFTP_PACKET - 1);
    assert_int_equal(packet[0], 0);
    net.sent++;
    if (packet[1] == ERROR) {
        net.errors++;
        net.error_code = value;
        net.to_other += port == OTHER;
        return;
    }
    assert_int_equal(port, packet[1] <= WRQ ? 69 : PORT);
    if (++net.moved == net.lose || net.silent || (net.silent_from && net.sent >= net.silent_from))
        return;
    if (packet[1] <= WRQ) {
        net.request_size = size;
        memcpy(net.request, packet, size);
        answer_request(packet);
    } else if (packet[1] == ACK) {
        net.acks++;
        if (net.before)
            net.before((uint16_t)(value + 1));
        put_data((uint16_t)(value + 1));
    } else {
        assert_int_equal(packet[1], DATA);
        assert_in_range(size, 4, 4 + net.block);
        take_data(value, packet + 4, size - 4);
    }
}

static bool wire_receive(void *context, uint8_t *bytes, size_t room, size_t *ret_size, uint16_t *ret_port)
{
    const struct packet *packet = &net.queue[net.first % QUEUE];

    if (net.first == net.last) {
        net.ms += POLL_MS;
        if (net.repeats && net.ms % 400 < POLL_MS)
            put_data((uint16_t)net.acks);
        return false;
    }
    net.ms++;
    net.first++;
    *ret_port = packet->port;
    *ret_size = packet->size < room ? packet->size : room;
    memcpy(bytes, packet->bytes, *ret_size);
    return true;
}

static uint64_t wire_ms(void *context)
{
    return net.ms;
}

static void wire_hear(void *context, uint8_t *packet, size_t size)
{
    net.heard = net.heard * 10 + packet[1];
}

static struct tftp tftp;
static uint8_t bytes[FILE_MOST];

/* Sets up a server with RFC 2348's blocks of 1000 bytes, and a pattern as file. */
static int begin(void **state)
{
    memset(&net, 0, sizeof net);
    net.options = "blksize\0001000";
    net.options_size = 13;
    net.block = 1000;
    tftp = (struct tftp){.context = &net,
                         .send = wire_send,
                         .receive = wire_receive,
                         .milliseconds = wire_ms,
                         .hear = wire_hear,
                         .tries = TRIES,
                         .try_ms = TRY_MS};
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    return 0;
}

static void wrote(size_t size)
{
    assert_int_equal(tftp_write(&tftp, "runs/a", bytes, size), TFTP_OK);
    assert_true(net.complete);
    assert_int_equal(net.size, size);
    assert_memory_equal(net.file, bytes, size);
}

static void has(size_t size)
{
    memcpy(net.file, bytes, size);
    net.size = size;
    memset(bytes, 0, sizeof bytes);
}

static void read_all(size_t size)
{
    uint64_t got = size + 5;

    has(size);
    assert_int_equal(tftp_read(&tftp, "a", bytes, &got), TFTP_OK);
    assert_int_equal(got, size);
    assert_memory_equal(net.file, bytes, size);
}

/* ---------------------------------------------------------------- what is asked for */

TEST_WITH(requests, begin, NULL)
{
    static const char writes[] = "\0\2runs/a\0octet\0blksize\0001428",
                      reads[] = "\0\1a\0octet\0blksize\0001428\0tsize\0000";

    wrote(10);
    assert_int_equal(net.request_size, sizeof writes);
    assert_memory_equal(net.request, writes, sizeof writes);
    begin(NULL);
    read_all(10);
    assert_int_equal(net.request_size, sizeof reads);
    assert_memory_equal(net.request, reads, sizeof reads);
    assert_int_equal(net.heard, OACK);
    assert_int_equal(net.acks, 2); /* the ACK of the options, and that of the block, which is the last */
}

TEST_WITH(names_that_are_too_long, begin, NULL)
{
    char name[TFTP_NAME + 1] = {0};
    uint64_t size = 1;

    memset(name, 'a', TFTP_NAME);
    assert_int_equal(tftp_write(&tftp, name, bytes, 1), TFTP_TOO_LARGE);
    assert_int_equal(tftp_read(&tftp, name, bytes, &size), TFTP_TOO_LARGE);
    assert_int_equal(net.sent, 0);
    name[TFTP_NAME - 1] = '\0';
    assert_int_equal(tftp_write(&tftp, name, bytes, 1), TFTP_OK);
}

/* Files have each size about one block and two, and without options come in blocks of 512 bytes. */
TEST_WITH(sizes, begin, NULL)
{
    for (unsigned plain = 0; plain < 2; plain++) {
        for (unsigned i = 0; i < 12; i++) {
            begin(NULL);
            net.block = plain ? 512 : 1000;
            net.options = plain ? NULL : net.options;
            wrote(i / 4 * net.block + i % 4 * (i % 4 == 3 ? 100 : 1));
            begin(NULL);
            net.block = plain ? 512 : 1000;
            net.options = plain ? NULL : net.options;
            read_all(i / 4 * net.block + i % 4 * (i % 4 == 3 ? 100 : 1));
        }
    }
}

/* The number of block 65536 is 0 again. */
TEST_WITH(block_numbers_wrap, begin, NULL)
{
    net.options = "blksize\0008";
    net.options_size = 10;
    net.block = 8;
    wrote(FILE_MOST - 1);
    assert_in_range(net.data, 1 << 16, FILE_MOST);
}

/* ---------------------------------------------------------------- a wire that loses and doubles */

TEST_WITH(each_packet_lost_once, begin, NULL)
{
    for (unsigned lose = 1; lose <= 10; lose++) {
        begin(NULL);
        net.lose = lose;
        wrote(3500);
        assert_in_range(net.ms, TRY_MS, 2 * TRY_MS);
        begin(NULL);
        net.lose = lose;
        read_all(3500);
    }
}

/* An ACK that comes twice must not have its block sent twice (the "sorcerer's apprentice", RFC 1123). */
TEST_WITH(acknowledged_twice, begin, NULL)
{
    net.doubles = true;
    wrote(5500);
    assert_int_equal(net.data, 6);
    assert_int_equal(net.ms < TRY_MS, true);
}

/* A block that comes twice is acknowledged twice, and taken once. */
TEST_WITH(blocks_twice, begin, NULL)
{
    net.doubles = true;
    read_all(1500);
    assert_in_range(net.acks, 3, 8);
}

/* A lost ACK is sent again as soon as its block comes again, not only after a long silence. */
TEST_WITH(ack_lost, begin, NULL)
{
    net.repeats = true;
    net.lose = 7; /* the ACK of block 2, after the request, the OACK, and two blocks with ACKs */
    read_all(3500);
    assert_in_range(net.ms, 400, TRY_MS - 1);
}

TEST_WITH(silence, begin, NULL)
{
    uint64_t size = 9;

    net.silent = true;
    assert_int_equal(tftp_write(&tftp, "a", bytes, 10), TFTP_SILENT);
    assert_int_equal(net.sent, TRIES);
    assert_in_range(net.ms, TRIES * TRY_MS, TRIES * (TRY_MS + POLL_MS));
    assert_int_equal(tftp_read(&tftp, "a", bytes, &size), TFTP_SILENT);
    assert_int_equal(tftp_size(&tftp, "a", &size), TFTP_SILENT);
    assert_int_equal(size, 9);
    assert_int_equal(net.heard, 0);
    /* The server falls silent in the middle, too. */
    begin(NULL);
    net.silent_from = 3;
    assert_int_equal(tftp_write(&tftp, "a", bytes, 5000), TFTP_SILENT);
    assert_int_equal(net.sent, 2 + TRIES);
    begin(NULL);
    net.silent_from = 3;
    has(5000);
    size = 5000;
    assert_int_equal(tftp_read(&tftp, "a", bytes, &size), TFTP_SILENT);
    assert_int_equal(net.sent, 2 + TRIES);
}

/* ---------------------------------------------------------------- a server that refuses */

TEST_WITH(errors, begin, NULL)
{
    uint64_t size = 9;

    net.error = 1 + 0x0203;
    assert_int_equal(tftp_write(&tftp, "a", bytes, 10), TFTP_REFUSED);
    assert_int_equal(tftp.code, 0x0203);
    assert_int_equal(net.heard, ERROR);
    assert_int_equal(tftp_read(&tftp, "a", bytes, &size), TFTP_REFUSED);
    assert_int_equal(tftp_size(&tftp, "a", &size), TFTP_REFUSED);
    /* The code of an earlier transfer is not kept; an ERROR is not answered. */
    net.error = 0;
    net.silent = true;
    assert_int_equal(tftp_write(&tftp, "a", bytes, 10), TFTP_SILENT);
    assert_int_equal(tftp.code, 0);
    assert_int_equal(net.errors, 0);
}

static void full_at_2(uint16_t block)
{
    if (block == 2)
        put_words(PORT, ERROR, 3, "full", 5);
}

TEST_WITH(error_in_the_middle, begin, NULL)
{
    net.before = full_at_2;
    assert_int_equal(tftp_write(&tftp, "a", bytes, 5000), TFTP_REFUSED);
    assert_int_equal(tftp.code, 3);
    assert_int_equal(net.data, 2);
}

/* ---------------------------------------------------------------- a hostile wire */

/* Sends everything that would end or spoil the transfer from another port, and useless packets from the right port. */
static void forge(uint16_t block)
{
    if (!block)
        return;
    put_words(OTHER, ACK, block, "", 0);
    put_words(OTHER, DATA, block, "evil", 4);
    put_words(OTHER, ERROR, 2, "evil", 5);
    put_words(OTHER, OACK, 0, "", 0);
    put(PORT, "\0\4\0", 3);
    put(PORT, "", 0);
    put(PORT, "\0\5", 2);
    put_words(PORT, 77, block, "evil", 4);
    put_words(PORT, ACK, (uint16_t)(block + 1), "", 0);
    put_words(PORT, ACK, (uint16_t)(block - 1), "", 0);
    put_words(PORT, DATA, (uint16_t)(block + 1), "evil", 4);
    put_words(PORT, OACK, 0x6200, "lksize\0008", 9);
}

TEST_WITH(packets_that_are_not_of_the_transfer, begin, NULL)
{
    net.before = forge;
    wrote(3500);
    assert_int_equal(net.data, 4);
    /* Each packet except the ERROR gets the answer that the port is unknown here (RFC 1350, section 4). */
    assert_int_equal(net.to_other, 4 * 3);
    assert_int_equal(net.errors, 4 * 3);
    assert_int_equal(net.error_code, 5);
    begin(NULL);
    net.before = forge;
    read_all(3500);
    assert_in_range(net.to_other, 1, 4 * 3);
}

static void too_long(uint16_t block)
{
    if (block)
        put_words(PORT, DATA, block, bytes, block == 1 ? 1001 : 1996);
}

TEST_WITH(blocks_that_are_too_long, begin, NULL)
{
    net.before = too_long;
    read_all(2500);
}

/* Options that were not asked for, sizes outside the requested range, and texts without an end are refused. */
TEST_WITH(wrong_options, begin, NULL)
{
    static const struct {
        const char *options;
        size_t size;
    } wrong[] = {
        {"blksize\0001429", 13}, {"blksize\0007", 10}, {"blksize\000x", 10},  {"blksize\0001000", 12}, {"blksize", 8},
        {"windowsize\0002", 13}, {"blksize\000", 9},   {"blksize\000-8", 11}, {"timeout\0001", 10},    {"\0", 2},
        {"tsize\0005", 8},
    };
    uint64_t size;

    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        begin(NULL);
        net.options = wrong[i].options;
        net.options_size = wrong[i].size;
        assert_int_equal(tftp_write(&tftp, "a", bytes, 10), TFTP_WRONG);
        assert_int_equal(net.errors, 1);
        assert_int_equal(net.error_code, 8);
        assert_int_equal(net.data, 0);
        assert_int_equal(net.heard, 0);
        size = 100;
        if (i + 1 < sizeof wrong / sizeof wrong[0])
            assert_int_equal(tftp_read(&tftp, "a", bytes, &size), TFTP_WRONG);
    }
}

/* ---------------------------------------------------------------- how large a file is */

TEST_WITH(too_large, begin, NULL)
{
    uint64_t size = 2499;

    has(2500);
    bytes[2499] = 0x5a;
    assert_int_equal(tftp_read(&tftp, "a", bytes, &size), TFTP_TOO_LARGE);
    assert_int_equal(size, 2499); /* the size was not announced */
    assert_int_equal(bytes[2499], 0x5a);
    assert_int_equal(net.error_code, 3);
    begin(NULL);
    has(2500);
    net.options = "TSize\0002500\000blksize\0001000";
    net.options_size = 24;
    assert_int_equal(tftp_read(&tftp, "a", bytes, &size), TFTP_TOO_LARGE);
    assert_int_equal(size, 2500);
    assert_int_equal(net.acks, 0);
    assert_int_equal(net.error_code, 3);
    assert_int_equal(tftp_read(&tftp, "a", bytes, &size), TFTP_OK);
    assert_memory_equal(bytes, net.file, 2500);
    /* The server announces less than it sends. */
    begin(NULL);
    has(2500);
    net.options = "tsize\0001\0blksize\0001000";
    net.options_size = 21;
    size = 1000;
    bytes[1000] = 0x5a;
    assert_int_equal(tftp_read(&tftp, "a", bytes, &size), TFTP_TOO_LARGE);
    assert_int_equal(bytes[1000], 0x5a);
}

TEST_WITH(size_alone, begin, NULL)
{
    uint64_t size = 7;

    has(2500);
    net.options = "tsize\0002500";
    net.options_size = 11;
    assert_int_equal(tftp_size(&tftp, "a", &size), TFTP_OK);
    assert_int_equal(size, 2500);
    assert_int_equal(net.errors, 1);
    assert_int_equal(net.error_code, 0);
    assert_int_equal(net.acks, 0);
    net.options = NULL;
    net.block = 512;
    assert_int_equal(tftp_size(&tftp, "a", &size), TFTP_NO_SIZE);
}

RUN_TESTS(NULL, NULL)
