/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/trace/uart.h"

#include "core/platform/uart_regs.h"
#include "drivers/cpu/cpu.h"

enum {
    FIFO_ON = 0xC0, /* both bits: the firmware has switched it on, and it works */
    FIFO_BYTES = 16,
    TRIES = 1 << 20, /* reads; one takes half a microsecond or more on LPC */
};

bool uart_found(void)
{
    uint8_t before = cpu_in8(UART_SCRATCH);
    bool keeps = true;
    if (cpu_in8(UART_STATUS) == 0xFF)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        uint8_t value = i ? 0xA5 : 0x5A;
        cpu_out8(UART_SCRATCH, value);
        keeps = keeps && cpu_in8(UART_SCRATCH) == value;
    }
    cpu_out8(UART_SCRATCH, before);
    return keeps;
}

static bool wait(uint8_t status)
{
    for (unsigned i = 0; i < TRIES; i++)
        if (cpu_in8(UART_STATUS) & status)
            return true;
    return false;
}

static void set_rate(uint8_t low, uint8_t high)
{
    cpu_out8(UART_LINE, UART_LINE_DIVISOR | UART_LINE_8N1);
    cpu_out8(UART_DATA, low);
    cpu_out8(UART_INTERRUPTS, high);
}

static bool has_fifo(void)
{
    return (cpu_in8(UART_FIFO) & FIFO_ON) == FIFO_ON;
}

void uart_use_fifo(bool on)
{
    if (has_fifo() != on)
        cpu_out8(UART_FIFO, on);
}

void uart_take(struct uart *uart, enum uart_rate rate)
{
    /* 1.8432 MHz / 16 / rate (data sheet, table III). */
    static const uint8_t divisors[UART_RATES] = {1, 2, 3, 6, 12};

    uart->line = cpu_in8(UART_LINE);
    uart->modem = cpu_in8(UART_MODEM);
    cpu_out8(UART_LINE, UART_LINE_8N1);
    uart->interrupts = cpu_in8(UART_INTERRUPTS);
    cpu_out8(UART_INTERRUPTS, 0);
    cpu_out8(UART_LINE, UART_LINE_DIVISOR | UART_LINE_8N1);
    uart->low = cpu_in8(UART_DATA);
    uart->high = cpu_in8(UART_INTERRUPTS);
    set_rate(divisors[rate], 0);
    cpu_out8(UART_LINE, UART_LINE_8N1);
    cpu_out8(UART_MODEM, uart->modem | UART_MODEM_READY);
    uart->fifo = has_fifo();
    uart->room = 0;
}

bool uart_idle(void)
{
    return wait(UART_STATUS_IDLE);
}

void uart_give_back(const struct uart *uart)
{
    set_rate(uart->low, uart->high);
    cpu_out8(UART_LINE, UART_LINE_8N1);
    cpu_out8(UART_INTERRUPTS, uart->interrupts);
    uart_use_fifo(uart->fifo);
    cpu_out8(UART_LINE, uart->line);
    cpu_out8(UART_MODEM, uart->modem);
}

/* Writes a byte. An empty FIFO has room for 16. */
bool uart_put(struct uart *uart, uint8_t byte)
{
    if (uart->room) {
        uart->room--;
    } else {
        uart->room = has_fifo() ? FIFO_BYTES - 1 : 0;
        if (!wait(UART_STATUS_READY))
            return false;
    }
    cpu_out8(UART_DATA, byte);
    return true;
}

bool uart_get(uint8_t *ret_byte)
{
    if (!(cpu_in8(UART_STATUS) & UART_STATUS_DATA))
        return false;
    *ret_byte = cpu_in8(UART_DATA);
    return true;
}

bool uart_send(enum uart_rate rate, const char *text, size_t length)
{
    struct uart uart;
    if (!uart_idle()) /* the firmware's bytes leave at the firmware's rate */
        return false;
    uart_take(&uart, rate);
    bool good = true;
    for (size_t i = 0; good && i < length; i++)
        good = (text[i] != '\n' || uart_put(&uart, '\r')) && uart_put(&uart, (uint8_t)text[i]);
    good = good && uart_idle();
    uart_give_back(&uart);
    return good;
}

bool uart_send_now(enum uart_rate rate, const char *text, size_t length)
{
    bool flag = cpu_flags() & CPU_FLAG_INTERRUPT, good;
    cpu_cli();
    good = uart_send(rate, text, length);
    if (flag)
        cpu_sti();
    return good;
}
