/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/bios/fake_ports.h"

#include <string.h>
#include <sys/mman.h>

#include "bios/real.h"
#include "drivers/cpu/cpu.h"
#include "tests/unit/bios/fake_disks.h"
#include "tests/unit/bios/fake_pxe.h"

struct ports ports;

void ports_reset(void)
{
    ports = (struct ports){.index = 0x0d, .uart = true, .divisor = {12, 1}, .line = 0x1b, .interrupts = 5, .modem = 8};
}

uint16_t *ports_screen(void)
{
    static void *screen;

    if (!screen)
        screen = mmap((void *)0xb8000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    assert_ptr_equal(screen, (void *)0xb8000);
    return screen;
}

/* ---------------------------------------------------------------- the processor */

uint64_t cpu_rdtsc(void)
{
    return ports.us * PORTS_TSC_OF_US;
}

void cpu_pause(void)
{
    ports.us++;
}

static uint64_t flags = CPU_FLAG_INTERRUPT;

uint64_t cpu_flags(void)
{
    return flags;
}

void cpu_cli(void)
{
    flags = 0;
}

void cpu_sti(void)
{
    flags = CPU_FLAG_INTERRUPT;
}

void real_interrupt(uint8_t number, struct real_registers *registers)
{
    if (number == 0x10) {
        assert_int_equal(registers->eax, 3);
        ports.text_mode = true;
        return;
    }
    if (number == 0x13) {
        fake_disks_call(registers);
        return;
    }
    if (number == 0x15) {
        assert_in_range(ports.power_done, 0, 3);
        ports.power[ports.power_done++] = *registers;
        return;
    }
    if (number == 0x1a) {
        fake_pxe_find(registers);
        return;
    }
    if (number == 0x66) {
        fake_pxe_call(registers);
        return;
    }
    assert_int_equal(number, 0x16);
    registers->flags = ports.keys_left ? 0 : REAL_ZERO;
    if (registers->eax == 0x1000)
        registers->eax = ports.keys[--ports.keys_left];
    else
        assert_int_equal(registers->eax, 0x1100);
}

/* ---------------------------------------------------------------- timer 2 */

static uint64_t counted(void)
{
    return ports.timer_dead || !(ports.gate & 1) ? 0 : (ports.us - ports.timer_from) * 1193182 / 1000000;
}

static void write_timer(uint16_t port, uint8_t value)
{
    if (port == 0x43 && value == 0x80) {
        ports.latched = (uint16_t)(0xffff - counted());
        ports.latched_bytes = 0;
        ports.latches++;
    } else if (port == 0x43) {
        assert_int_equal(value, 0xb0);
        ports.timer_bytes = 0;
    } else {
        assert_int_equal(value, 0xff);
        if (++ports.timer_bytes == 2) {
            ports.timer_from = ports.us;
            ports.us += ports.timer_late;
            ports.timer_late = 0;
        }
    }
}

static uint8_t read_gate(void)
{
    return ports.gate | ports.gate_status | (counted() > 0xffff ? 0x20 : 0);
}

/* ---------------------------------------------------------------- CMOS */

static uint8_t read_cmos(void)
{
    uint8_t index = ports.index & 0x7f;

    if (index == 10)
        return ports.updating && ports.updating-- ? 0x80 : 0x26;
    if (index == 9 && ports.after_digits) {
        uint8_t year = ports.cmos[9];

        ports.after_digits();
        return year;
    }
    return ports.cmos[index];
}

/* ---------------------------------------------------------------- the serial port */

static bool latch(void)
{
    return ports.line & 0x80;
}

static void write_uart(unsigned offset, uint8_t value)
{
    ports.writes++;
    if (offset < 2 && latch())
        ports.divisor[offset] = value;
    else if (offset == 0) {
        assert_int_equal(ports.divisor[0] | ports.divisor[1] << 8, 1);
        assert_int_equal(ports.line, 3);
        assert_int_equal(ports.interrupts, 0);
        assert_true(ports.length + 1 < sizeof ports.sent);
        ports.sent[ports.length++] = (char)value;
        ports.stuck |= ports.length == ports.breaks;
    } else if (offset == 1)
        ports.interrupts = value;
    else if (offset == 2)
        ports.fifo = value & 1;
    else if (offset == 3)
        ports.line = value;
    else if (offset == 4)
        ports.modem = value;
    else if (offset == 7)
        ports.scratch = value;
}

static uint8_t read_uart(unsigned offset)
{
    switch (offset) {
    case 0:
        if (latch())
            return ports.divisor[0];
        ports.key_waits = false;
        return ports.key;
    case 1:
        return latch() ? ports.divisor[1] : ports.interrupts;
    case 2:
        return ports.fifo ? 0xc1 : 1;
    case 3:
        return ports.line;
    case 4:
        return ports.modem;
    case 5:
        ports.reads++;
        return (ports.stuck ? 0 : 0x60) | ports.key_waits;
    case 7:
        return ports.scratch;
    default:
        return 0;
    }
}

/* ---------------------------------------------------------------- all */

void cpu_out8(uint16_t port, uint8_t value)
{
    ports.us++;
    if (port == 0x42 || port == 0x43) {
        write_timer(port, value);
    } else if (port == 0x61) {
        assert_int_equal(value & 0xf0, 0);
        assert_int_equal((value ^ ports.gate) & 0x0c, 0); /* the NMIs of IOCHK and SERR must stay unchanged */
        ports.gate = value;
    } else if (port == 0x70) {
        ports.nmi_changes += (value & 0x80) != (ports.nmi_off ? 0x80 : 0);
        ports.index = value;
    } else if (port >= 0x3f8 && port <= 0x3ff) {
        if (ports.uart)
            write_uart(port - 0x3f8, value);
        else
            ports.writes++;
    } else if (port == 0x64 || port == 0xcf9) {
        assert_in_range(ports.resets_done, 0, 3);
        ports.resets[ports.resets_done++] = (struct ports_write){port, value, ports.us};
    } else if (port == 0x3d4) {
        ports.crt = value;
    } else {
        assert_int_equal(port, 0x3d5);
        assert_in_range(ports.crt, 14, 15);
        ports.cursor[ports.crt - 14] = value;
    }
}

uint8_t cpu_in8(uint16_t port)
{
    ports.us++;
    switch (port) {
    case 0x42:
        return (uint8_t)(ports.latched_bytes++ ? ports.latched >> 8 : ports.latched);
    case 0x61:
        return read_gate();
    case 0x70:
        return ports.index_readable ? ports.index : 0xff;
    case 0x71:
        return read_cmos();
    default:
        assert_in_range(port, 0x3f8, 0x3ff);
        return ports.uart ? read_uart(port - 0x3f8) : 0xff;
    }
}
