/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces that show where a machine hangs: bytes on port 80h, lines on the first serial port. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "drivers/trace/fault.h"
#include "drivers/trace/trace.h"
#include "drivers/trace/uart.h"

static int setup(void **state)
{
    fake_reset(4);
    fake.no_log = true;
    return 0;
}

static void open_uart(void)
{
    fake.uart.there = true;
    /* The firmware leaves 9600 baud, 7 bits, even parity, an interrupt, no modem lines, and a value in the scratch
     * register. */
    memcpy(fake.uart.reg, (const uint8_t[8]){0, 5, 1, 0x1A, 8, 0x60, 0, 0x77}, 8);
    fake.uart.divisor[0] = 12;
}

static void as_it_was(void)
{
    assert_memory_equal(fake.uart.reg, ((const uint8_t[8]){0, 5, 1, 0x1A, 8, 0x60, 0, 0x77}), 8);
    assert_int_equal(fake.uart.divisor[0], 12);
    assert_int_equal(fake.uart.divisor[1], 0);
}

/* Each code stands for one step; ranges do not overlap others. */
TEST(codes_are_unique)
{
    bool used[256] = {false};
    for (unsigned i = 0; i < TRACE_STEPS; i++) {
        assert_true(trace_table[i].code && trace_table[i].code <= trace_table[i].last);
        assert_true(strlen(trace_table[i].what) > 5 && strlen(trace_table[i].what) < 110);
        for (unsigned code = trace_table[i].code; code <= trace_table[i].last; code++) {
            assert_false(used[code]);
            used[code] = true;
        }
    }
}

TEST_WITH(bytes, setup, NULL)
{
    (void)trace_begin(TRACE_NONE, UART_115200);
    trace(TRACE_PROBE); /* nothing is written before a trace is asked for */
    assert_int_equal(fake.posts, 0);
    assert_true(trace_begin(TRACE_POST, UART_115200));
    trace(TRACE_PROBE);
    trace_number(TRACE_START_CORE, 63);
    trace_number(TRACE_AWAIT_CORE, 1);
    trace_number(TRACE_START_CORE, 64); /* this number has no code of its own */
    trace_on(0, TRACE_START_CORE);      /* the step's first code */
    trace_on(0, TRACE_UNDO);
    trace_on(3, TRACE_UNDO); /* the display shows one byte */
    assert_int_equal(fake.posts, 6);
    assert_memory_equal(fake.post, "\x02\x7f\x81\x40\x40\x1e", 6);
    assert_true(trace_begin(TRACE_NONE, UART_115200));
    trace(TRACE_PROBE);
    assert_int_equal(fake.posts, 6);
    assert_int_equal(fake.uart.reads, 0);
}

TEST_WITH(lines, setup, NULL)
{
    open_uart();
    assert_true(trace_begin(TRACE_COM1, UART_115200));
    as_it_was();
    trace(TRACE_UNDO);
    trace_on(2, TRACE_UNDO);
    assert_int_equal(fake.pauses, 0); /* no line waits until another has been sent */
    assert_string_equal(fake.uart.sent, "ibsboot: 1Eh all registers are restored\r\n"
                                        "ibsboot: core 2: 1Eh all registers are restored\r\n");
    assert_int_equal(fake.posts, 1);
    as_it_was();
    assert_true(fake.flags & CPU_FLAG_INTERRUPT);
    fake.flags &= ~(uint64_t)CPU_FLAG_INTERRUPT;
    trace(TRACE_UNDO);
    assert_false(fake.flags & CPU_FLAG_INTERRUPT);
}

static bool told_meanwhile;

static void tell_meanwhile(char byte)
{
    if (!told_meanwhile) {
        told_meanwhile = true;
        trace_on(1, TRACE_UNDO);
    }
    if (fake.uart.length + 1 < sizeof fake.uart.sent)
        fake.uart.sent[fake.uart.length++] = byte;
}

/* The trace waits once for a core that was lost while it sent a line, and then no longer. */
TEST_WITH(a_core_was_lost_while_sending, setup, NULL)
{
    open_uart();
    assert_true(trace_begin(TRACE_COM1, UART_115200));
    told_meanwhile = false;
    fake.uart.take = tell_meanwhile;
    trace(TRACE_UNDO);
    assert_in_range(fake.pauses, 1 << 20, 1 << 24);
    assert_string_equal(fake.uart.sent, "ibsboot: core 1: 1Eh all registers are restored\r\n"
                                        "ibsboot: 1Eh all registers are restored\r\n");
}

/* A missing port is noticed, and the trace waits once for a port that never takes a byte. */
TEST_WITH(no_uart, setup, NULL)
{
    assert_false(trace_begin(TRACE_COM1, UART_115200));
    trace(TRACE_UNDO);
    assert_int_equal(fake.posts, 1);

    open_uart();
    assert_true(trace_begin(TRACE_COM1, UART_115200));
    fake.uart.stuck = true;
    trace(TRACE_UNDO);
    assert_in_range(fake.uart.reads, 1 << 20, (1 << 20) + 10);
    fake.uart.reads = 0;
    trace(TRACE_UNDO);
    assert_int_equal(fake.uart.reads, 0);
    assert_int_equal(fake.posts, 3);
    assert_int_equal(fake.uart.length, 0);
    as_it_was();
}

/* Each rate has its divisor (data sheet, table III); the port is as before afterwards, and so is the interrupt flag. */
TEST_WITH(rates, setup, NULL)
{
    static const unsigned divisors[UART_RATES] = {1, 2, 3, 6, 12};
    for (unsigned rate = 0; rate < UART_RATES; rate++) {
        setup(NULL);
        open_uart();
        fake.uart.rate = divisors[rate];
        assert_true(uart_send_now((enum uart_rate)rate, "a\n", 2));
        assert_string_equal(fake.uart.sent, "a\r\n");
        as_it_was();
        assert_true(fake.flags & CPU_FLAG_INTERRUPT);
        assert_true(trace_begin(TRACE_COM1, (enum uart_rate)rate));
        trace(TRACE_UNDO);
    }
    fake.flags &= ~(uint64_t)CPU_FLAG_INTERRUPT;
    assert_true(uart_send_now(UART_9600, "b", 1));
    assert_false(fake.flags & CPU_FLAG_INTERRUPT);
}

/* If the firmware has switched the FIFO on, sixteen bytes are written for one reading of the port's status; otherwise
 * one. */
TEST_WITH(fifo, setup, NULL)
{
    char text[101];
    memset(text, 'x', 100);
    text[100] = '\0';
    open_uart();
    assert_true(uart_send_now(UART_115200, text, 100));
    assert_in_range(fake.uart.reads, 102, 104);
    setup(NULL);
    open_uart();
    fake.uart.reg[2] = 0xC1;
    assert_true(uart_send_now(UART_115200, text, 100));
    assert_string_equal(fake.uart.sent, text);
    assert_in_range(fake.uart.reads, 8, 10);
    fake.uart.breaks = 20;
    assert_false(uart_send_now(UART_115200, text, 100));
}

TEST_WITH(faults, setup, NULL)
{
    struct cpu_fault fault = {.vector = 18,
                              .error = 0x1f,
                              .rip = 0x1234567890,
                              .rflags = 0x202,
                              .cr2 = 0xabc,
                              .check = {.count = 1, .bank = {{.bank = 4, .status = 0xb600000000010015}}}};
    for (unsigned i = 0; i < 16; i++)
        fault.gpr[i] = 0x1111111111111111u * i;
    open_uart();
    (void)trace_begin(TRACE_COM1, UART_115200);
    trace_fault(&fault, true);
    assert_int_equal(fake.post[0], 0xD2);
    assert_string_equal(
        fake.uart.sent,
        "ibsboot: #MC machine check, and nothing to return to: stopped\r\n"
        "ibsboot: rip 0000001234567890 error 1f cr2 abc rflags 202\r\n"
        "ibsboot: rax 0000000000000000 rcx 1111111111111111 rdx 2222222222222222 rbx 3333333333333333\r\n"
        "ibsboot: rsp 4444444444444444 rbp 5555555555555555 rsi 6666666666666666 rdi 7777777777777777\r\n"
        "ibsboot: r8 8888888888888888 r9 9999999999999999 r10 aaaaaaaaaaaaaaaa r11 bbbbbbbbbbbbbbbb\r\n"
        "ibsboot: r12 cccccccccccccccc r13 dddddddddddddddd r14 eeeeeeeeeeeeeeee r15 ffffffffffffffff\r\n"
        "ibsboot: bank 4 status b600000000010015h address 0h\r\n");
    as_it_was();
    (void)trace_begin(TRACE_NONE, UART_115200);
    trace_fault(&fault, false);
    assert_int_equal(fake.posts, 1);
}

RUN_TESTS(NULL, NULL)
