/* SPDX-License-Identifier: BSD-2-Clause */
/* The serial port: how it is found, used at each rate, written to with its FIFO and without, and restored. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "drivers/trace/uart.h"

static int begin(void **state)
{
    fake_reset(4);
    fake.flags = 0;
    fake.uart.there = true;
    memcpy(fake.uart.reg, (uint8_t[]){0, 5, 1, 0x1B, 8, 0, 0, 0x77}, 8);
    fake.uart.divisor[0] = 12;
    fake.uart.divisor[1] = 1;
    return 0;
}

static void assert_as_before(void)
{
    static const uint8_t wanted[] = {0, 5, 1, 0x1B, 8, 0, 0, 0x77};

    assert_memory_equal(fake.uart.reg + 1, wanted + 1, 7);
    assert_int_equal(fake.uart.divisor[0], 12);
    assert_int_equal(fake.uart.divisor[1], 1);
}

TEST_WITH(found, begin, NULL)
{
    assert_true(uart_found());
    assert_as_before();
    fake.uart.forgets = true;
    assert_false(uart_found());
    fake.uart.forgets = false;
    fake.uart.there = false;
    assert_false(uart_found());
}

/* The divisor is 1.8432 MHz / 16 / rate. */
TEST_WITH(rates, begin, NULL)
{
    static const unsigned divisors[UART_RATES] = {1, 2, 3, 6, 12};

    for (unsigned rate = 0; rate < UART_RATES; rate++) {
        struct uart uart;

        begin(state);
        fake.uart.rate = divisors[rate];
        uart_take(&uart, (enum uart_rate)rate);
        assert_int_equal(fake.uart.reg[4], 8 | 3); /* DTR and RTS */
        assert_int_equal(fake.uart.reg[2], 1);
        assert_true(uart_put(&uart, 'x'));
        assert_true(uart_put(&uart, 'y'));
        assert_string_equal(fake.uart.sent, "xy");
        uart_give_back(&uart);
        assert_as_before();
    }
}

/* An earlier user may have left the divisor's registers selected. */
TEST_WITH(taken_with_the_latch, begin, NULL)
{
    struct uart uart;

    fake.uart.reg[3] = 0x9B;
    uart_take(&uart, UART_115200);
    assert_int_equal(fake.uart.reg[1], 0);
    assert_true(uart_put(&uart, 'x'));
    assert_string_equal(fake.uart.sent, "x");
    uart_give_back(&uart);
    assert_int_equal(fake.uart.reg[3], 0x9B);
    fake.uart.reg[3] = 0x1B;
    assert_as_before();
}

TEST_WITH(fifo, begin, NULL)
{
    for (unsigned before = 0; before < 2; before++)
        for (unsigned wanted = 0; wanted < 2; wanted++) {
            struct uart uart;

            begin(state);
            fake.uart.reg[2] = before ? 0xC1 : 1;
            uart_take(&uart, UART_115200);
            uart_use_fifo(wanted);
            assert_int_equal(fake.uart.reg[2], wanted ? 0xC1 : 1);
            assert_int_equal(fake.uart.fifo_writes, before != wanted);
            fake.uart.reads = 0;
            for (unsigned i = 0; i < 33; i++)
                assert_true(uart_put(&uart, (uint8_t)('A' + i)));
            assert_int_equal(fake.uart.reads, wanted ? 3 : 33); /* room for 16 bytes each time it is empty */
            uart_give_back(&uart);
            assert_int_equal(fake.uart.reg[2], before ? 0xC1 : 1);
        }
}

TEST_WITH(bytes_that_come, begin, NULL)
{
    uint8_t byte = 1;

    assert_false(uart_get(&byte));
    assert_int_equal(byte, 1);
    fake.uart.reg[0] = 'k';
    fake.uart.comes = true;
    assert_true(uart_get(&byte));
    assert_int_equal(byte, 'k');
}

TEST_WITH(text, begin, NULL)
{
    assert_true(uart_send(UART_115200, "a\nb\n", 4));
    assert_string_equal(fake.uart.sent, "a\r\nb\r\n");
    assert_as_before();
    /* Interrupts are off during a text, and as before afterwards. */
    for (unsigned on = 0; on < 2; on++) {
        fake.flags = on ? CPU_FLAG_INTERRUPT : 0;
        assert_true(uart_send_now(UART_115200, "c", 1));
        assert_int_equal(fake.flags, on ? CPU_FLAG_INTERRUPT : 0);
    }
}

/* The status of a port that is busy for ever is read a million times, and the port is restored. */
TEST_WITH(stuck, begin, NULL)
{
    struct uart uart;

    uart_take(&uart, UART_115200);
    fake.uart.stuck = true;
    fake.uart.reads = 0;
    assert_false(uart_put(&uart, 'x'));
    assert_int_equal(fake.uart.reads, 1 << 20);
    assert_false(uart_idle());
    uart_give_back(&uart);
    assert_as_before();
    assert_false(uart_send(UART_115200, "x", 1));
    assert_int_equal(fake.uart.length, 0);
    for (unsigned breaks = 1; breaks < 4; breaks++) {
        begin(state);
        fake.uart.breaks = breaks;
        fake.flags = CPU_FLAG_INTERRUPT;
        assert_false(uart_send_now(UART_115200, "a\n", 2)); /* after the last byte, too, which is not sent */
        assert_int_equal(fake.uart.length, breaks);
        assert_int_equal(fake.flags, CPU_FLAG_INTERRUPT);
        assert_as_before();
    }
}

RUN_TESTS(NULL, NULL)
