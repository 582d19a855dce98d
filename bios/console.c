/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/console.h"

#include "bios/real.h"
#include "core/mem.h"
#include "core/out.h"
#include "drivers/cpu.h"

/* COM1: registers of the PC16550D data sheet, table II. */
enum {
    COM1 = 0x3f8,
    COM1_ENABLE = COM1 + 1, /* of interrupts; the divisor's upper half while DLAB is set */
    COM1_FIFO = COM1 + 2,
    COM1_LINE = COM1 + 3,
    COM1_MODEM = COM1 + 4,
    COM1_STATUS = COM1 + 5,
    COM1_SCRATCH = COM1 + 7,
    LINE_DLAB = 0x80,
    LINE_8N1 = 3,
    MODEM_DTR_RTS = 3,
    STATUS_DATA = 1,
    STATUS_EMPTY = 0x20,
    DIVISOR_115200 = 1,
    SCRATCH_VALUE = 0x5a,
    POLLS = 200000, /* a byte takes 87 us, a read of a port 1 us */
};

/* The screen: memory of a CGA and all that followed; its cursor is in the CRT controller's registers 14 and 15. */
enum {
    SCREEN = 0xb8000,
    CRT_INDEX = 0x3d4,
    CRT_DATA = 0x3d5,
    CRT_CURSOR_HIGH = 14,
    CRT_CURSOR_LOW = 15,
    GREY = 0x0700
};

enum { VIDEO = 0x10, VIDEO_TEXT_MODE = 0x0003, KEYS = 0x16, KEYS_READ = 0x1000, KEYS_WAITS = 0x1100 };

static bool serial, serial_there, screen;
static unsigned row, column;
/* Reading the screen's own memory to scroll it is slow. */
static uint16_t shown[CONSOLE_ROWS * CONSOLE_COLUMNS];

/* ---------------------------------------------------------------- serial */

void console_serial(void)
{
    cpu_out8(COM1_LINE, LINE_DLAB);
    cpu_out8(COM1, DIVISOR_115200);
    cpu_out8(COM1_ENABLE, 0);
    cpu_out8(COM1_LINE, LINE_8N1);
    cpu_out8(COM1_ENABLE, 0); /* the BIOS's handlers are not ours */
    cpu_out8(COM1_FIFO, 1);
    cpu_out8(COM1_MODEM, MODEM_DTR_RTS);
    cpu_out8(COM1_SCRATCH, SCRATCH_VALUE);
    serial = serial_there = cpu_in8(COM1_SCRATCH) == SCRATCH_VALUE;
}

void console_use(bool on)
{
    serial = serial_there && on;
}

static void send(uint8_t byte)
{
    for (unsigned i = 0; i < POLLS && !(cpu_in8(COM1_STATUS) & STATUS_EMPTY); i++)
        cpu_pause();
    cpu_out8(COM1, byte);
}

/* ---------------------------------------------------------------- screen */

static void show(unsigned first, unsigned count)
{
    volatile uint16_t *memory = (volatile uint16_t *)SCREEN;

    for (unsigned i = first; i < first + count; i++)
        memory[i] = shown[i];
}

static void move_cursor(void)
{
    unsigned at = row * CONSOLE_COLUMNS + column;

    cpu_out8(CRT_INDEX, CRT_CURSOR_HIGH);
    cpu_out8(CRT_DATA, (uint8_t)(at >> 8));
    cpu_out8(CRT_INDEX, CRT_CURSOR_LOW);
    cpu_out8(CRT_DATA, (uint8_t)at);
}

static void clear(unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++)
        shown[i] = GREY | ' ';
}

static void next_row(void)
{
    const unsigned all = CONSOLE_ROWS * CONSOLE_COLUMNS, kept = all - CONSOLE_COLUMNS;

    if (++row < CONSOLE_ROWS)
        return;
    row = CONSOLE_ROWS - 1;
    memmove(shown, shown + CONSOLE_COLUMNS, kept * sizeof shown[0]);
    clear(kept, CONSOLE_COLUMNS);
    show(0, all);
}

static void put_on_screen(uint8_t c)
{
    unsigned at;

    switch (c) {
    case '\r':
        column = 0;
        break;
    case '\n':
        next_row();
        break;
    case '\b':
        column -= column != 0;
        break;
    default:
        at = row * CONSOLE_COLUMNS + column;
        shown[at] = GREY | c;
        show(at, 1);
        if (++column == CONSOLE_COLUMNS) {
            column = 0;
            next_row();
        }
    }
    move_cursor();
}

void console_screen(void)
{
    struct real_registers registers = {.eax = VIDEO_TEXT_MODE};

    real_interrupt(VIDEO, &registers);
    screen = true;
    console_clear();
}

void console_clear(void)
{
    row = column = 0;
    clear(0, CONSOLE_ROWS * CONSOLE_COLUMNS);
    if (!screen)
        return;
    show(0, CONSOLE_ROWS * CONSOLE_COLUMNS);
    move_cursor();
}

/* ---------------------------------------------------------------- both */

void console_put(uint16_t c)
{
    uint8_t byte = c < 0x100 ? (uint8_t)c : '?';

    if (serial)
        send(byte);
    if (screen)
        put_on_screen(byte);
}

void console_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            console_put('\r');
        console_put((uint8_t)*text);
    }
}

static void write_text(struct out *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            console_put('\r');
        console_put((uint8_t)text[i]);
    }
}

void console_say(const char *format, ...)
{
    struct out out = {write_text};
    va_list args;

    console_text("ibsbios: ");
    va_start(args, format);
    out_vprintf(&out, format, args);
    va_end(args);
}

bool console_key(struct console_key *ret_key)
{
    enum { ASCII_ESCAPE = 0x1b, EXTENDED = 0xe0 };
    struct real_registers registers = {.eax = KEYS_WAITS};
    uint8_t character;

    if (serial && cpu_in8(COM1_STATUS) & STATUS_DATA) {
        character = cpu_in8(COM1);
    } else {
        real_interrupt(KEYS, &registers);
        if (registers.flags & REAL_ZERO)
            return false;
        registers = (struct real_registers){.eax = KEYS_READ};
        real_interrupt(KEYS, &registers);
        character = (uint8_t)registers.eax;
        if (character == EXTENDED)
            character = 0; /* arrows and others that a first keyboard did not have */
    }
    *ret_key = (struct console_key){
        .character = character == ASCII_ESCAPE ? 0 : character,
        .escape = character == ASCII_ESCAPE,
    };
    return true;
}
