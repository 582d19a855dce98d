/* SPDX-License-Identifier: BSD-2-Clause */
/* Output on console and serial port, keys of both, and that the serial port is restored. */
#include "tests/unit/bios/fake_ports.h"

#include <string.h>

#include "bios/bios.h"
#include "bios/console.h"

static int set_up(void **state)
{
    ports_reset();
    console_end();
    memset(ports_screen(), 0, 4000);
    ports.writes = ports.reads = 0;
    return 0;
}

/* Returns a row of the screen without the blanks at its end. */
static const char *row(unsigned number)
{
    static char text[81];
    unsigned n = 80;

    for (unsigned i = 0; i < 80; i++) {
        uint16_t cell = ports_screen()[number * 80 + i];

        assert_int_equal(cell >> 8, 7);
        text[i] = (char)cell;
    }
    while (n && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    return text;
}

TEST_WITH(both, set_up, NULL)
{
    console_serial();
    console_screen();
    assert_true(ports.text_mode);
    console_say("%u lines\n", 2u);
    console_put(0x263a);
    assert_string_equal(ports.sent, "ibsbios: 2 lines\r\n?");
    assert_string_equal(row(0), "ibsbios: 2 lines");
    assert_string_equal(row(1), "?");
    assert_int_equal(ports.cursor[0] << 8 | ports.cursor[1], 81);
    console_put('\b');
    console_put(0x100); /* the first character that does not fit into a byte */
    assert_string_equal(row(1), "?");
    console_text("\bx\ny\rz");
    assert_string_equal(row(1), "x");
    assert_string_equal(row(2), "z");
    console_clear();
    assert_string_equal(row(1), "");
    assert_int_equal(ports.cursor[1], 0);
    console_text("\b");
    assert_int_equal(ports.cursor[1], 0);
    console_text("ab");
    console_put('\n'); /* down, and not to the left */
    assert_int_equal(ports.cursor[0] << 8 | ports.cursor[1], 82);
}

/* Whatever is shown, only the console changes. */
TEST_WITH(nothing_else, set_up, NULL)
{
    static struct bios before;

    memset(&before, 0x5a, sizeof before);
    before.console = bios.console;
    bios = before;
    console_screen();
    for (unsigned i = 0; i < 2 * CONSOLE_ROWS; i++)
        console_text("a line\n");
    console_clear();
    assert_true(console_move(CONSOLE_ROWS - 1, CONSOLE_COLUMNS - 1));
    console_put('x');
    before.console = bios.console;
    assert_memory_equal(&bios, &before, sizeof bios);
    memset(&bios, 0, sizeof bios);
}

/* A terminal has sixteen colours for characters and eight for the background; bit 7, which blinks on a screen, has no
 * colour. */
TEST_WITH(attributes, set_up, NULL)
{
    static const char colours[] = "04261537";

    console_serial();
    for (unsigned attribute = 0; attribute < 256; attribute++) {
        char wanted[] = "\x1b[0;1;3x;4xm";

        wanted[7] = colours[attribute & 7];
        wanted[10] = colours[attribute >> 4 & 7];
        if (!(attribute & 8))
            memmove(wanted + 4, wanted + 6, sizeof wanted - 6);
        ports.length = 0;
        memset(ports.sent, 0, sizeof ports.sent);
        console_attribute((uint8_t)attribute);
        assert_string_equal(ports.sent, wanted);
    }
}

TEST_WITH(scrolls, set_up, NULL)
{
    char line[82];

    memset(line, 'w', 80);
    line[80] = '\0';
    console_screen();
    for (unsigned i = 0; i < 24; i++)
        console_text(i ? "b\n" : "a\n");
    assert_string_equal(row(0), "a");
    console_text(line);
    assert_string_equal(row(0), "b");
    assert_string_equal(row(23), line);
    assert_string_equal(row(24), "");
    assert_int_equal(ports.cursor[0] << 8 | ports.cursor[1], 24 * 80);
}

/* Rate, format, interrupts, modem lines and FIFO are restored; only the scratch register was written before the port
 * was known to exist. */
TEST_WITH(given_back, set_up, NULL)
{
    console_serial();
    assert_true(ports.fifo);
    assert_int_equal(ports.modem, 8 | 3);
    console_text("a");
    console_end();
    assert_int_equal(ports.divisor[0] | ports.divisor[1] << 8, 12 | 1 << 8);
    assert_int_equal(ports.line, 0x1b);
    assert_int_equal(ports.interrupts, 5);
    assert_int_equal(ports.modem, 8);
    assert_int_equal(ports.scratch, 0);
    assert_false(ports.fifo);
    console_text("b");
    assert_string_equal(ports.sent, "a");
    console_end(); /* once */
    ports_reset();
    ports.fifo = true;
    console_serial();
    console_end();
    assert_true(ports.fifo);
}

TEST_WITH(no_port, set_up, NULL)
{
    struct console_key key;

    ports.uart = false;
    console_serial();
    assert_int_equal(ports.writes, 0);
    console_screen();
    console_text("a");
    assert_int_equal(ports.writes, 0);
    assert_string_equal(row(0), "a");
    assert_false(console_key(&key));
}

/* A port that is busy from the start is not used; a port that stops is given up after one wait, and the screen says
 * so. */
TEST_WITH(never_empty, set_up, NULL)
{
    ports.stuck = true;
    console_serial();
    assert_int_equal(ports.line, 0x1b);
    assert_in_range(ports.reads, 1 << 20, (1 << 20) + 2);
    ports.stuck = false;
    ports.breaks = 3;
    console_serial();
    console_screen();
    ports.reads = 0;
    for (unsigned i = 0; i < 100; i++)
        console_text("x");
    assert_in_range(ports.reads, 1 << 20, (1 << 20) + 64);
    assert_int_equal(ports.line, 0x1b);
    assert_string_equal(row(1), "ibsbios: the serial port does not send: from here on there is only the screen");
}

TEST_WITH(keys, set_up, NULL)
{
    /* The keys are the arrows of both keyboards, the six keys above them, and a function key (UEFI 2.10, appendix B,
     * table B.1). */
    static const struct {
        uint16_t bios, uefi;
    } named[] = {{0x48e0, 1}, {0x4800, 1}, {0x50e0, 2}, {0x4de0, 3}, {0x4be0, 4},  {0x47e0, 5},
                 {0x4fe0, 6}, {0x52e0, 7}, {0x53e0, 8}, {0x49e0, 9}, {0x51e0, 10}, {0x3b00, 0}};
    struct console_key key;

    assert_false(console_key(&key));
    ports.keys[0] = 0x1e61;
    ports.keys_left = 1;
    assert_true(console_key(&key));
    assert_int_equal(key.character, 'a');
    assert_int_equal(key.scan_code, 0);
    ports.keys[0] = 0x011b;
    ports.keys_left = 1;
    assert_true(console_key(&key));
    assert_int_equal(key.character, 0);
    assert_int_equal(key.scan_code, 0x17);
    for (unsigned i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        ports.keys[0] = named[i].bios;
        ports.keys_left = 1;
        assert_true(console_key(&key));
        assert_int_equal(key.character, 0);
        assert_int_equal(key.scan_code, named[i].uefi);
    }
    ports.key = 's';
    ports.key_waits = true;
    assert_false(console_key(&key)); /* the port is not in use */
    console_serial();
    assert_true(console_key(&key));
    assert_int_equal(key.character, 's');
    assert_false(console_key(&key));
}

RUN_TESTS(NULL, NULL)
