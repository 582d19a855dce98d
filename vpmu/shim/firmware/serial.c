/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/firmware/serial.h"

#include "core/platform/uart_regs.h"
#include "vpmu/shim/x86.h"

static void put_byte(char byte)
{
    while (!(x86_inb(UART_STATUS) & UART_STATUS_READY)) {
    }
    x86_outb(UART_DATA, (uint8_t)byte);
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
