/* SPDX-License-Identifier: BSD-2-Clause */
/* The rest of a machine below ibsbios' UEFI: memory that can be used, CPUID and MSRs, and other cores. */
#ifndef TESTS_UNIT_BIOS_FAKE_MACHINE_H
#define TESTS_UNIT_BIOS_FAKE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "bios/uefi/uefi.h"
#include "drivers/cores/startup.h"

enum { MACHINE_AT = 0x10000000, MACHINE_BYTES = 64 << 20 };
/* Memory that STARTUP reaches, as far below 640 KB as a BIOS leaves it. */
enum { MACHINE_LOW = 0x90000, MACHINE_LOW_BYTES = 0xf000 };

struct fake_machine {
    /* Cores: those that do not answer, as bits of APIC ids; how often each was started. */
    uint64_t silent;
    uint32_t own_id;
    uint32_t reach; /* APIC ids up to this one are reached */
    bool no_apic;
    uint32_t vendor, version; /* CPUID 0, EBX, and CPUID 1, EAX */
    uint64_t efer;
    unsigned begun[64], rests;
    uint32_t last_id; /* that was started */
    /* Facts that startup_prepare() was given. */
    struct startup_facts told;
    uint8_t *low;
    /* A function that was handed over runs when the core is next asked for, after so many questions. */
    unsigned delay;
};

extern struct fake_machine fake_machine;

/* All memory is free, and there is one core. */
void fake_machine_init(void);

/* Begins with that, no disks, and a console at the serial port alone. */
void fake_begin(void);

#endif
