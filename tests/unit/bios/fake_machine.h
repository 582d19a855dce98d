/* SPDX-License-Identifier: BSD-2-Clause */
/* The other parts of a machine below ibsbios' UEFI: memory, CPUID and MSRs, and other cores. */
#ifndef TESTS_UNIT_BIOS_FAKE_MACHINE_H
#define TESTS_UNIT_BIOS_FAKE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "bios/uefi/uefi.h"
#include "drivers/cores/startup.h"

enum { MACHINE_AT = 0x10000000, MACHINE_BYTES = 64 << 20 };
/* Memory for STARTUP is as far below 640 KB as a BIOS leaves it. */
enum { MACHINE_LOW = 0x90000, MACHINE_LOW_BYTES = 0xf000 };

struct fake_machine {
    /* Cores that do not answer, as bits by APIC ID; number of starts of each core. */
    uint64_t silent;
    uint32_t own_id;
    uint32_t reach; /* highest APIC ID that can be reached */
    bool no_apic;
    uint32_t vendor, version; /* EBX of CPUID 0, and EAX of CPUID 1 */
    uint64_t efer;
    unsigned begun[64], rests;
    uint32_t last_id; /* APIC ID of the last started core */
    /* The facts passed to startup_prepare(). */
    struct startup_facts told;
    uint8_t *low;
    /* How many queries about a core come before its function runs. */
    unsigned delay;
};

extern struct fake_machine fake_machine;

/* Sets up a machine with all memory free, and one core. */
void fake_machine_init(void);

/* Begins with this machine, no disks, and a console only on the serial port. */
void fake_begin(void);

#endif
