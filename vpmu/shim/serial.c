/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/serial.h"

#include "vpmu/shim/x86.h"

/* 16550 at the first PC serial port: transmit register, line status register and its "transmit register empty" bit. */
enum { COM1 = 0x3f8, COM1_STATUS = COM1 + 5, STATUS_EMPTY = 0x20 };

static void put_byte(char byte)
{
    while (!(x86_inb(COM1_STATUS) & STATUS_EMPTY)) {
    }
    x86_outb(COM1, (uint8_t)byte);
}

static void serial_write(struct out *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            put_byte('\r');
        put_byte(text[i]);
    }
}

void say(const char *format, ...)
{
    struct out serial = {.write = serial_write};
    va_list args;
    va_start(args, format);
    out_vprintf(&serial, format, args);
    va_end(args);
}
