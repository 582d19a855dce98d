/* SPDX-License-Identifier: BSD-2-Clause */
/* The way to a network card's code: how it is found, how it is called, and what it may return. */
#include "tests/unit/test.h"

#include <string.h>

#include "bios/low.h"
#include "bios/net/pxe.h"
#include "tests/unit/bios/fake_machine.h"
#include "tests/unit/bios/fake_pxe.h"

static const struct pxe_peer peer = {{10, 0, 17, 81}, {10, 0, 17, 1}, {10, 0, 17, 254}, 0xc0de};
static const char server[] = {10, 0, 17, 1}, other[] = {10, 0, 17, 2};

static int begin(void **state)
{
    fake_begin();
    fake_pxe_begin();
    return 0;
}

/* ---------------------------------------------------------------- where it is */

TEST_WITH(found, begin, NULL)
{
    /* The interrupt's code calls 9F38h:0000h with ES:DI and BX on the stack, and removes them. */
    static const uint8_t code[] = {0xfb, 0x06, 0x57, 0x53, 0x9a, 0x00, 0x00, 0x38, 0x9f, 0x83, 0xc4, 0x06, 0xcf};
    static const uint8_t vector[] = {LOW_PXE_CODE & 0xff, LOW_PXE_CODE >> 8, 0, 0};

    assert_true(pxe_find());
    assert_memory_equal(low_memory + LOW_PXE_CODE, code, sizeof code);
    assert_memory_equal(low_memory + 4 * 0x66, vector, sizeof vector);
}

TEST_WITH(not_there, begin, NULL)
{
    static const uint8_t none[4];

    fake_pxe.carry = true;
    assert_false(pxe_find());
    fake_pxe_begin();
    fake_pxe.other_answer = true;
    assert_false(pxe_find());
    assert_memory_equal(low_memory + 4 * 0x66, none, 4);
}

/* Each byte of the structures that is checked is wrong once. */
TEST_WITH(structures_that_are_wrong, begin, NULL)
{
    static const struct {
        uint32_t at;
        uint8_t value;
        bool sealed;
    } wrong[] = {
        {PXENV_AT, 'p', false},        {PXENV_AT + 5, '-', true},   {PXENV_AT + 6, 0, true},
        {PXENV_AT + 8, 0x2b, true},    {PXENV_AT + 0x20, 1, false}, {PXENV_AT + 0x28, 1, true},
        {PXENV_AT + 0x2b, 0xff, true}, {PXE_AT, '?', false},        {PXE_AT + 4, 0x57, true},
        {PXE_AT + 0x10, 1, false},
    };

    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fake_pxe_begin();
        assert_true(pxe_find());
        low_memory[wrong[i].at] = wrong[i].value;
        if (wrong[i].sealed)
            fake_pxe_seal(wrong[i].at & ~0xffu);
        assert_false(pxe_find());
    }
    /* The pointer leads beyond 1 MB, or is zero. */
    fake_pxe_begin();
    memset(low_memory + PXENV_AT + 0x28, 0xff, 4);
    fake_pxe_seal(PXENV_AT);
    assert_false(pxe_find());
    fake_pxe_begin();
    memset(low_memory + PXENV_AT + 0x28, 0, 4);
    memcpy(low_memory, low_memory + PXE_AT, 0x58);
    fake_pxe_seal(PXENV_AT);
    assert_false(pxe_find());
}

/* ---------------------------------------------------------------- what DHCP gave */

TEST_WITH(cached_packets, begin, NULL)
{
    uint8_t bytes[1000];

    assert_int_equal(pxe_cached(PXE_ACK, bytes, sizeof bytes), 300);
    assert_memory_equal(bytes, fake_pxe.ack, 300);
    assert_int_equal(pxe_cached(PXE_REPLY, bytes, sizeof bytes), 0);
    assert_int_equal(pxe_cached(PXE_ACK, bytes, 100), 100);
    fake_pxe.claims = 60000; /* bytes that the card did not write are 0 */
    memset(low_memory + LOW_PXE_DATA, 0x5a, 2048);
    assert_int_equal(pxe_cached(PXE_ACK, bytes, sizeof bytes), sizeof bytes);
    assert_memory_equal(bytes, fake_pxe.ack, 300);
    for (unsigned i = 300; i < sizeof bytes; i++)
        assert_int_equal(bytes[i], 0);
    fake_pxe.status = 0x100;
    assert_int_equal(pxe_cached(PXE_ACK, bytes, sizeof bytes), 0);
    fake_pxe.status = 0;
    fake_pxe.fails = true;
    assert_int_equal(pxe_cached(PXE_ACK, bytes, sizeof bytes), 0);
}

TEST_WITH(options, begin, NULL)
{
    uint8_t *ack = fake_pxe.ack;

    assert_memory_equal(pxe_option(ack, 300, PXE_MASK), ((uint8_t[]){255, 255, 255, 0}), 4);
    assert_memory_equal(pxe_option(ack, 300, PXE_ROUTER), ((uint8_t[]){10, 0, 17, 254}), 4);
    assert_null(pxe_option(ack, 300, 54));
    /* The packet is cut off within the option, and before it. */
    assert_non_null(pxe_option(ack, 260, PXE_ROUTER));
    assert_null(pxe_option(ack, 259, PXE_ROUTER));
    assert_null(pxe_option(ack, 251, PXE_ROUTER));
    assert_null(pxe_option(ack, 239, PXE_MASK));
    /* The option is too short for an address; is behind the end; has no cookie before it. */
    ack[245] = 3;
    assert_null(pxe_option(ack, 300, PXE_MASK));
    ack[240] = 255;
    assert_null(pxe_option(ack, 300, PXE_ROUTER));
    begin(NULL);
    ack[239] = 98;
    assert_null(pxe_option(ack, 300, PXE_MASK));
}

/* ---------------------------------------------------------------- datagrams */

TEST_WITH(sent, begin, NULL)
{
    static uint8_t large[2049];

    assert_true(pxe_open(&peer));
    assert_memory_equal(fake_pxe.station, peer.station, 4);
    pxe_send(&peer, 0x1234, "hello", 5);
    assert_memory_equal(fake_pxe.out.from, server, 4);
    assert_memory_equal(fake_pxe.gateway, peer.gateway, 4);
    assert_int_equal(fake_pxe.own_port, 0xc0de);
    assert_int_equal(fake_pxe.out.port, 0x1234);
    assert_int_equal(fake_pxe.out.size, 5);
    assert_memory_equal(fake_pxe.out.bytes, "hello", 5);
    pxe_send(&peer, 0x1234, large, sizeof large);
    assert_int_equal(fake_pxe.sent, 1);
    pxe_close();
    assert_int_equal(fake_pxe.closes, 1);
    fake_pxe.status = 0x60;
    assert_false(pxe_open(&peer));
}

TEST_WITH(received, begin, NULL)
{
    uint8_t bytes[100] = {0};
    size_t size = 77;
    uint16_t port = 66;

    assert_true(pxe_open(&peer));
    fake_pxe.own_port = peer.port;
    assert_false(pxe_receive(&peer, bytes, sizeof bytes, &size, &port));
    fake_pxe_put(server, 0x1234, "hello", 5);
    assert_true(pxe_receive(&peer, bytes, sizeof bytes, &size, &port));
    assert_int_equal(size, 5);
    assert_int_equal(port, 0x1234);
    assert_memory_equal(bytes, "hello", 6);
    /* Datagrams come from another sender, are cut to the room, or have a size that was not asked for. */
    fake_pxe_put(other, 0x4321, "evil", 5);
    assert_false(pxe_receive(&peer, bytes, sizeof bytes, &size, &port));
    assert_int_equal(port, 0x1234);
    assert_memory_equal(bytes, "hello", 6);
    fake_pxe_put(server, 0x1234, "HELLO", 5);
    assert_true(pxe_receive(&peer, bytes, 3, &size, &port));
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "HELlo", 6);
    fake_pxe_put(server, 0x1234, "abcde", 5);
    fake_pxe.claims = 96;
    assert_false(pxe_receive(&peer, bytes, sizeof bytes, &size, &port));
    assert_memory_equal(bytes, "HELlo", 6);
}

RUN_TESTS(NULL, NULL)
