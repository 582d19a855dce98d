/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A TFTP server and its wire of hostile bytes. In all cases: a transfer ends, nothing is written beyond the room, and
 * no packet that is sent is larger than a block. A DHCP packet's options of hostile bytes: no access outside of them.
 */
#include <stdlib.h>
#include <string.h>

#include "bios/low.h"
#include "bios/net/pxe.h"
#include "bios/net/tftp.h"
#include "bios/real.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stand for the card's code, which is not called here. */
uint8_t low_memory[1];
void real_interrupt(uint8_t number, struct real_registers *registers)
{
}

/* The input: of each packet a port, two bytes of its length, and its bytes. At its end there is silence. */
struct wire {
    const uint8_t *bytes;
    size_t size, sent;
    uint64_t ms;
};

static void send(void *context, uint16_t port, const void *bytes, size_t size)
{
    struct wire *wire = context;
    uint8_t sum = 0;

    if (size < 4 || size >= TFTP_PACKET || ++wire->sent > 1000000)
        abort();
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + ((const uint8_t *)bytes)[i]);
    wire->ms += sum == 1 && port == 1; /* read, for the sanitizer */
}

static bool receive(void *context, uint8_t *bytes, size_t room, size_t *ret_size, uint16_t *ret_port)
{
    struct wire *wire = context;
    size_t size;

    wire->ms++;
    if (wire->size < 3) {
        wire->ms += 500;
        return false;
    }
    *ret_port = (uint16_t)(wire->bytes[0] & 3);
    size = (wire->bytes[1] | (size_t)wire->bytes[2] << 8) & 0x7ff;
    wire->bytes += 3;
    wire->size -= 3;
    size = size < wire->size ? size : wire->size;
    *ret_size = size < room ? size : room;
    memcpy(bytes, wire->bytes, *ret_size);
    wire->bytes += size;
    wire->size -= size;
    return true;
}

static uint64_t milliseconds(void *context)
{
    return ((struct wire *)context)->ms;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t rooms[] = {0, 1, 511, 512, 3000};

    for (unsigned i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        struct wire wire = {.bytes = data, .size = size};
        struct tftp tftp = {.context = &wire,
                            .send = send,
                            .receive = receive,
                            .milliseconds = milliseconds,
                            .tries = 3,
                            .try_ms = 1000};
        uint8_t *bytes = calloc(1, rooms[i] ? rooms[i] : 1);
        uint64_t got = rooms[i];
        enum tftp_error error = tftp_read(&tftp, "name", bytes, &got);

        if (error == TFTP_OK && got > rooms[i])
            abort();
        wire = (struct wire){.bytes = data, .size = size};
        (void)tftp_write(&tftp, "name", bytes, rooms[i]);
        free(bytes);
    }
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *packet = malloc(size ? size : 1);
        const uint8_t *option;

        memcpy(packet, data, size);
        option = pxe_option(packet, size, i ? PXE_MASK : PXE_ROUTER);
        if (option && (option < packet || option + 4 > packet + size))
            abort();
        free(packet);
    }
    return 0;
}
