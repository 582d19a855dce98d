/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/console.h"

#include "bios/bios.h"
#include "bios/real.h"
#include "core/base/mem.h"
#include "core/base/out.h"
#include "drivers/cpu/cpu.h"

/* The screen: memory of a CGA and of all its successors; its cursor is in the CRT controller's registers 14 and 15. */
enum {
    SCREEN = 0xb8000,
    CRT_INDEX = 0x3d4,
    CRT_DATA = 0x3d5,
    CRT_CURSOR_HIGH = 14,
    CRT_CURSOR_LOW = 15,
    GREY = 0x07,
    BRIGHT = 8,
};

enum { VIDEO = 0x10, VIDEO_TEXT_MODE = 0x0003, KEYS = 0x16, KEYS_READ = 0x1000, KEYS_WAITS = 0x1100 };

static struct console *const console = &bios.console;

/* ---------------------------------------------------------------- serial */

void console_serial(void)
{
    console->serial = uart_found() && uart_idle();
    if (!console->serial)
        return;
    uart_take(&console->uart, UART_115200);
    uart_use_fifo(true); /* keys may arrive faster than they are read */
}

void console_end(void)
{
    if (console->serial && uart_idle())
        uart_give_back(&console->uart);
    console->serial = false;
}

/* Sends a byte; a port that does not send costs a second for each. */
static void send(uint8_t byte)
{
    if (uart_put(&console->uart, byte))
        return;
    uart_give_back(&console->uart);
    console->serial = false;
    console_text("\n");
    console_say("the serial port does not send: from here on there is only the screen\n");
}

/* ---------------------------------------------------------------- screen */

static void show(unsigned first, unsigned count)
{
    volatile uint16_t *memory = (volatile uint16_t *)SCREEN;

    for (unsigned i = first; i < first + count; i++)
        memory[i] = console->shown[i];
}

static void move_cursor(void)
{
    unsigned at = console->row * CONSOLE_COLUMNS + console->column;

    cpu_out8(CRT_INDEX, CRT_CURSOR_HIGH);
    cpu_out8(CRT_DATA, (uint8_t)(at >> 8));
    cpu_out8(CRT_INDEX, CRT_CURSOR_LOW);
    cpu_out8(CRT_DATA, (uint8_t)at);
}

static void clear(unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++)
        console->shown[i] = GREY << 8 | ' ';
}

static void next_row(void)
{
    const unsigned all = CONSOLE_ROWS * CONSOLE_COLUMNS, kept = all - CONSOLE_COLUMNS;

    if (++console->row < CONSOLE_ROWS)
        return;
    console->row = CONSOLE_ROWS - 1;
    memmove(console->shown, console->shown + CONSOLE_COLUMNS, kept * sizeof console->shown[0]);
    clear(kept, CONSOLE_COLUMNS);
    show(0, all);
}

static void put_on_screen(uint8_t c)
{
    unsigned at;

    switch (c) {
    case '\r':
        console->column = 0;
        break;
    case '\n':
        next_row();
        break;
    case '\b':
        console->column -= console->column != 0;
        break;
    default:
        at = console->row * CONSOLE_COLUMNS + console->column;
        console->shown[at] = (uint16_t)(console->attribute << 8 | c);
        show(at, 1);
        if (++console->column == CONSOLE_COLUMNS) {
            console->column = 0;
            next_row();
        }
    }
    move_cursor();
}

static void blank(void)
{
    console->row = console->column = 0;
    clear(0, CONSOLE_ROWS * CONSOLE_COLUMNS);
    if (!console->screen)
        return;
    show(0, CONSOLE_ROWS * CONSOLE_COLUMNS);
    move_cursor();
}

void console_screen(void)
{
    struct real_registers registers = {.eax = VIDEO_TEXT_MODE};

    real_interrupt(VIDEO, &registers);
    console->screen = true;
    console->attribute = GREY;
    blank();
}

/* Sends a terminal's control sequence. */
static void send_sequence(const char *format, ...)
{
    char text[24];
    struct out_memory memory;
    va_list args;

    out_memory_init(&memory, text, sizeof text);
    va_start(args, format);
    out_vprintf(&memory.out, format, args);
    va_end(args);
    for (const char *c = text; *c && console->serial; c++)
        send((uint8_t)*c);
}

void console_clear(void)
{
    blank();
    send_sequence("\x1b[2J\x1b[H");
}

bool console_move(unsigned row, unsigned column)
{
    if (row >= CONSOLE_ROWS || column >= CONSOLE_COLUMNS)
        return false;
    console->row = row;
    console->column = column;
    if (console->screen)
        move_cursor();
    send_sequence("\x1b[%u;%uH", row + 1, column + 1);
    return true;
}

void console_attribute(uint8_t attribute)
{
    static const uint8_t colours[] = {0, 4, 2, 6, 1, 5, 3, 7}; /* ECMA-48's colours by VGA's */

    console->attribute = attribute;
    send_sequence("\x1b[0;%s3%u;4%um", attribute & BRIGHT ? "1;" : "", colours[attribute & 7u],
                  colours[attribute >> 4 & 7u]);
}

/* ---------------------------------------------------------------- both */

void console_put(uint16_t c)
{
    uint8_t byte = c < 0x100 ? (uint8_t)c : '?';

    if (console->serial)
        send(byte);
    if (console->screen)
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

/* Returns UEFI's scan code (UEFI 2.10, appendix B, table B.1) for a BIOS's: INT 16h returns that of the IBM PC's
 * keyboard, in Ralf Brown's interrupt list table 00006. */
static uint16_t scan_code_of(uint8_t code)
{
    static const struct {
        uint8_t bios, uefi;
    } rows[] = {{0x48, 1}, {0x50, 2}, {0x4d, 3}, {0x4b, 4}, {0x47, 5},
                {0x4f, 6}, {0x52, 7}, {0x53, 8}, {0x49, 9}, {0x51, 10}};

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].bios == code)
            return rows[i].uefi;
    return 0;
}

bool console_key(struct console_key *ret_key)
{
    enum { ASCII_ESCAPE = 0x1b, EXTENDED = 0xe0, UEFI_ESCAPE = 0x17 };
    struct real_registers registers = {.eax = KEYS_WAITS};
    uint16_t scan_code = 0;
    uint8_t character;

    if (!console->serial || !uart_get(&character)) {
        real_interrupt(KEYS, &registers);
        if (registers.flags & REAL_ZERO)
            return false;
        registers = (struct real_registers){.eax = KEYS_READ};
        real_interrupt(KEYS, &registers);
        character = (uint8_t)registers.eax;
        if (character == EXTENDED)
            character = 0; /* arrows and other keys that the first keyboard lacked */
        if (!character)
            scan_code = scan_code_of((uint8_t)(registers.eax >> 8));
    }
    if (character == ASCII_ESCAPE)
        *ret_key = (struct console_key){.scan_code = UEFI_ESCAPE};
    else
        *ret_key = (struct console_key){.character = character, .scan_code = scan_code};
    return true;
}
