/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/uart.h"

#include "drivers/cpu.h"

enum {
    COM1 = 0x3F8,
    UART_DATA = COM1,           /* divisor's low byte while LCR bit 7 is set */
    UART_INTERRUPTS = COM1 + 1, /* divisor's high byte */
    UART_FIFO = COM1 + 2,       /* read: interrupt identification */
    UART_LINE = COM1 + 3,
    UART_MODEM = COM1 + 4,
    UART_STATUS = COM1 + 5,
    UART_SCRATCH = COM1 + 7,
    LINE_DIVISOR = 0x80,
    LINE_8N1 = 3,
    MODEM_READY = 3,     /* DTR, RTS */
    STATUS_READY = 0x20, /* a byte may be written */
    STATUS_IDLE = 0x40,  /* the last bit has left */
    FIFO_ON = 0xC0,      /* both bits: the firmware has switched it on, and it works */
    FIFO_BYTES = 16,
    TRIES = 1 << 20, /* reads; one takes half a microsecond or more on LPC */
};

/* As they were. */
struct state {
    uint8_t line, interrupts, modem, low, high;
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
    cpu_out8(UART_LINE, LINE_DIVISOR | LINE_8N1);
    cpu_out8(UART_DATA, low);
    cpu_out8(UART_INTERRUPTS, high);
}

static void take(struct state *state, enum uart_rate rate)
{
    /* 1.8432 MHz / 16 / rate (data sheet, table III). */
    static const uint8_t divisors[UART_RATES] = {1, 2, 3, 6, 12};

    state->line = cpu_in8(UART_LINE);
    state->modem = cpu_in8(UART_MODEM);
    cpu_out8(UART_LINE, LINE_8N1);
    state->interrupts = cpu_in8(UART_INTERRUPTS);
    cpu_out8(UART_INTERRUPTS, 0);
    cpu_out8(UART_LINE, LINE_DIVISOR | LINE_8N1);
    state->low = cpu_in8(UART_DATA);
    state->high = cpu_in8(UART_INTERRUPTS);
    set_rate(divisors[rate], 0);
    cpu_out8(UART_LINE, LINE_8N1);
    cpu_out8(UART_MODEM, state->modem | MODEM_READY);
}

static void give_back(const struct state *state)
{
    set_rate(state->low, state->high);
    cpu_out8(UART_LINE, LINE_8N1);
    cpu_out8(UART_INTERRUPTS, state->interrupts);
    cpu_out8(UART_LINE, state->line);
    cpu_out8(UART_MODEM, state->modem);
}

/* The next byte may be written. A FIFO that says it is empty has room for 16. */
static bool room(unsigned *left)
{
    if (*left) {
        --*left;
        return true;
    }
    *left = (cpu_in8(UART_FIFO) & FIFO_ON) == FIFO_ON ? FIFO_BYTES - 1 : 0;
    return wait(STATUS_READY);
}

bool uart_send(enum uart_rate rate, const char *text, size_t length)
{
    struct state state;
    unsigned left = 0;
    if (!wait(STATUS_IDLE)) /* the firmware's bytes leave at the firmware's rate */
        return false;
    take(&state, rate);
    bool good = true;
    for (size_t i = 0; good && i < length; i++) {
        if (text[i] == '\n' && (good = room(&left)))
            cpu_out8(UART_DATA, '\r');
        if (good && (good = room(&left)))
            cpu_out8(UART_DATA, (uint8_t)text[i]);
    }
    good = good && wait(STATUS_IDLE);
    give_back(&state);
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
