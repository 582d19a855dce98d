/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/test.h"
#include "tests/unit/bios/fake_pxe.h"

#include <string.h>

#include "bios/low.h"

struct fake_pxe fake_pxe;

/* Offsets in the structures, and functions (Intel, "Preboot Execution Environment (PXE) Specification" 2.1). */
enum { PXENV_BYTES = 0x2c, PXE_BYTES = 0x58 };
enum { UDP_OPEN = 0x30, UDP_CLOSE, UDP_READ, UDP_WRITE, GET_CACHED_INFO = 0x71 };

void fake_pxe_init(void)
{
    memset(&fake_pxe, 0, sizeof fake_pxe);
}

void fake_pxe_seal(uint32_t at)
{
    uint8_t *bytes = low_memory + at, sum_at = bytes[0] == 'P' ? 9 : 5, length = bytes[bytes[0] == 'P' ? 8 : 4],
            sum = 0;

    bytes[sum_at] = 0;
    for (unsigned i = 0; i < length; i++)
        sum = (uint8_t)(sum + bytes[i]);
    bytes[sum_at] = (uint8_t)-sum;
}

static void put_far(uint32_t at, uint32_t address)
{
    uint16_t far[] = {(uint16_t)(address & 15), (uint16_t)(address >> 4)};

    memcpy(low_memory + at, far, sizeof far);
}

void fake_pxe_begin(void)
{
    static const uint8_t options[] = {99, 130, 83, 99, 53, 1,  5,   0,  1, 4,  255, 255, 255,
                                      0,  3,   8,  10, 0,  17, 254, 10, 0, 17, 2,   255};

    fake_pxe_init();
    fake_pxe.there = true;
    memset(low_memory + PXENV_AT, 0, 0x280);
    memcpy(low_memory + PXENV_AT, "PXENV+\x01\x02", 8);
    low_memory[PXENV_AT + 8] = PXENV_BYTES;
    put_far(PXENV_AT + 0x28, PXE_AT);
    memcpy(low_memory + PXE_AT, "!PXE", 4);
    low_memory[PXE_AT + 4] = PXE_BYTES;
    put_far(PXE_AT + 0x10, PXE_ENTRY_AT);
    fake_pxe_seal(PXENV_AT);
    fake_pxe_seal(PXE_AT);
    memcpy(fake_pxe.ack + 16, ((uint8_t[]){10, 0, 17, 81, 10, 0, 17, 1}), 8);
    memcpy(fake_pxe.ack + 28, ((uint8_t[]){0x52, 0x54, 0, 0x12, 0x34, 0x5f}), 6);
    memcpy(fake_pxe.ack + 236, options, sizeof options);
    fake_pxe.ack_size = 300;
}

void fake_pxe_put(const char *from, uint16_t port, const void *bytes, size_t size)
{
    struct fake_datagram *in = &fake_pxe.in[fake_pxe.last++ % FAKE_PACKETS];

    assert_in_range(fake_pxe.last - fake_pxe.first, 1, FAKE_PACKETS);
    memcpy(in->from, from, 4);
    in->port = port;
    in->size = size;
    memcpy(in->bytes, bytes, size);
}

void fake_pxe_find(struct real_registers *registers)
{
    assert_int_equal(registers->eax, 0x5650);
    if (!fake_pxe.there) {
        registers->flags = REAL_CARRY;
        return;
    }
    registers->flags = fake_pxe.carry ? REAL_CARRY : 0;
    registers->eax = 0xabcd0000 | (fake_pxe.other_answer ? 0x5650 : 0x564e);
    registers->ebx = 0xabcd0000 | (PXENV_AT & 15);
    registers->es = PXENV_AT >> 4;
}

/* ---------------------------------------------------------------- functions */

static uint16_t word(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint16_t port(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

/* Returns the buffer that a size, an offset and a segment describe. */
static uint8_t *buffer(const uint8_t *at)
{
    uint32_t address = word(at + 2) + word(at + 4) * 16u;

    assert_in_range(address, LOW_PXE_DATA, LOW_BOUNCE - word(at));
    return low_memory + address;
}

static void set_size(uint8_t *at, size_t size)
{
    size += fake_pxe.claims;
    at[0] = (uint8_t)size;
    at[1] = (uint8_t)(size >> 8);
}

static bool cached(uint8_t *call)
{
    bool ack = word(call + 2) == 2;
    size_t size = ack ? fake_pxe.ack_size : fake_pxe.reply_size;

    assert_in_range(word(call + 2), 2, 3);
    size = size < word(call + 4) ? size : word(call + 4);
    memcpy(buffer(call + 4), ack ? fake_pxe.ack : fake_pxe.reply, size);
    set_size(call + 4, size);
    return true;
}

static bool read_udp(uint8_t *call)
{
    const struct fake_datagram *in = &fake_pxe.in[fake_pxe.first % FAKE_PACKETS];
    size_t size = in->size < word(call + 14) ? in->size : word(call + 14);

    assert_memory_equal(call + 6, fake_pxe.station, 4);
    assert_int_equal(port(call + 12), fake_pxe.own_port);
    if (fake_pxe.first == fake_pxe.last)
        return false;
    fake_pxe.first++;
    memcpy(call + 2, in->from, 4);
    call[10] = (uint8_t)(in->port >> 8);
    call[11] = (uint8_t)in->port;
    memcpy(buffer(call + 14), in->bytes, size);
    set_size(call + 14, size);
    return true;
}

static bool write_udp(const uint8_t *call, bool refused)
{
    struct fake_datagram *out = &fake_pxe.out;

    fake_pxe.own_port = port(call + 10);
    if (refused)
        return false;
    fake_pxe.sent++;
    memcpy(out->from, call + 2, 4); /* the receiver */
    memcpy(fake_pxe.gateway, call + 6, 4);
    out->port = port(call + 12);
    out->size = word(call + 14);
    memcpy(out->bytes, buffer(call + 14), out->size);
    if (fake_pxe.answer)
        fake_pxe.answer(out);
    return true;
}

void fake_pxe_call(struct real_registers *registers)
{
    uint8_t *call = low_memory + LOW_PXE_CALL;
    bool open = fake_pxe.opens > fake_pxe.closes, good = true, refused = ++fake_pxe.calls == fake_pxe.refuse_call;

    assert_int_equal(registers->es, 0);
    assert_int_equal(registers->edi, LOW_PXE_CALL);
    assert_int_equal(word(call), 0);
    switch (registers->ebx) {
    case UDP_OPEN:
        assert_false(open);
        if (fake_pxe.fails || fake_pxe.status || refused)
            break;
        fake_pxe.opens++;
        memcpy(fake_pxe.station, call + 2, 4);
        break;
    case UDP_CLOSE:
        assert_true(open);
        fake_pxe.closes++;
        break;
    case UDP_READ:
        assert_true(open);
        good = !refused && read_udp(call);
        break;
    case UDP_WRITE:
        assert_true(open);
        good = write_udp(call, refused);
        break;
    case GET_CACHED_INFO:
        good = cached(call);
        break;
    default:
        fail_msg("function %x", registers->ebx);
    }
    registers->eax = 0xabcd0000 | (fake_pxe.fails || !good || refused);
    call[0] = (uint8_t)fake_pxe.status;
    call[1] = (uint8_t)(fake_pxe.status >> 8);
}
