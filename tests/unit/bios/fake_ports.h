/* SPDX-License-Identifier: BSD-2-Clause */
/* A PC's ports in memory: timer 2 with port 61h, CMOS, the first serial port, the screen's cursor, and keys by INT 16h;
 * resets and switching off are noted. Each access takes a microsecond, in which the TSC counts 2,000. */
#ifndef TESTS_UNIT_BIOS_FAKE_PORTS_H
#define TESTS_UNIT_BIOS_FAKE_PORTS_H

#include <stdbool.h>

#include "tests/unit/test.h"
#include "bios/real.h"

enum { PORTS_TSC_OF_US = 2000 };

struct ports {
    uint64_t us;
    /* Port 61h: bits 3:0 as written; status bits 7, 6 and 4 as read. */
    uint8_t gate, gate_status;
    bool timer_dead;
    uint64_t timer_from, timer_late; /* time of loading; microseconds that something else takes then */
    unsigned timer_bytes, latched_bytes, latches;
    uint16_t latched;
    /* CMOS: the written index; whether the index is readable; number of writes to it with a bit 7 other than
     * 'nmi_off'. */
    uint8_t index, cmos[128];
    bool index_readable, nmi_off;
    unsigned nmi_changes, updating; /* number of reads of status A during an update */
    void (*after_digits)(void);     /* called when the year has been read */
    /* The serial port: registers, divisor, FIFO control; bytes until it stops sending, 0: never. */
    bool uart, fifo, stuck;
    uint8_t line, interrupts, modem, scratch, divisor[2], key;
    bool key_waits;
    unsigned breaks, writes, reads, length;
    char sent[4096];
    /* The screen. */
    uint8_t crt, cursor[2];
    bool text_mode;
    uint16_t keys[8]; /* values of AX that INT 16h returns */
    unsigned keys_left;
    /* How the machine ended: writes to the keyboard controller's port 64h and to CF9h, and calls of INT 15h. */
    struct ports_write {
        uint16_t port;
        uint8_t value;
        uint64_t us;
    } resets[4];
    struct real_registers power[4];
    unsigned resets_done, power_done;
};

extern struct ports ports;

void ports_reset(void);
/* Returns the screen's memory, mapped at B8000h. */
uint16_t *ports_screen(void);

#endif
