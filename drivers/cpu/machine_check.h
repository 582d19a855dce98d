/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Banks of the machine-check architecture (AMD APM vol. 2 section 9.3): which errors the processor has recorded. All
 * that MCG_CAP counts are read, by the registers of scalable MCA where the processor has it.
 */
#ifndef DRIVERS_MACHINE_CHECK_H
#define DRIVERS_MACHINE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* Banks with an error that are kept; further ones are cleared all the same. Family 10h has 6 banks, Zen 23 to 32. */
enum { MACHINE_CHECK_KEPT = 32 };

struct machine_check_bank {
    uint32_t bank;
    uint64_t status;
    uint64_t address; /* 0 when the status says that there is none */
};

struct machine_check {
    uint64_t global; /* MCG_STATUS; bit 2: a machine check is in progress */
    uint32_t count;  /* banks that hold an error */
    struct machine_check_bank bank[MACHINE_CHECK_KEPT];
};

/* Reads the banks; with 'clear' clears what it has read, as a handler of #MC must: while MCG_STATUS says that one is
 * in progress, a second one shuts the processor down (AMD 41322, erratum 383). Missing registers read as empty. May be
 * called in an exception's handler. */
void machine_check_read(struct machine_check *check, bool clear);

/* Prints a bank, without the line's end: "bank 4 status b600000000010015h address 1234000h". */
struct out;
void machine_check_print(struct out *out, const struct machine_check_bank *bank);

#endif
