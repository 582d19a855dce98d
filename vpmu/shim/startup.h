/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cores that the guest starts itself, by INIT and STARTUP. SVM can neither intercept STARTUP nor, under QEMU, INIT, and
 * a reset core is no guest. So the guest's writes of the APIC's command register are intercepted (apic.c): INIT is
 * passed on; in place of the guest's STARTUP the core gets one for the shim's own page below 1 MB, becomes a guest
 * there, and begins in real mode where the guest's STARTUP would have sent it.
 */
#ifndef VPMU_SHIM_STARTUP_H
#define VPMU_SHIM_STARTUP_H

/* Offsets in that page for begin.S. */
#define STARTUP_BASE   8
#define STARTUP_CR3    12
#define STARTUP_ENTRY  16
#define STARTUP_GDTR   24
#define STARTUP_FAR    32
#define STARTUP_GDT    40
#define STARTUP_CODE   64
#define STARTUP_WORLDS 2048 /* struct world of each core, by APIC ID: 256 pointers */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/shim/shim.h"

struct startup {
    bool passes;    /* commands are the firmware's own, on its way to start a core, and pass */
    uint8_t *place; /* NULL: none, so what the guest starts is out of the shim's reach */
    uint32_t page;
    struct startup_core {
        bool there, dead;
        uint32_t apic_id;
        bool waits;   /* it has had INIT */
        bool started; /* ever, by the guest */
        uint8_t vector;
        uint64_t before; /* digest at its first INIT */
        bool known, spoilt;
    } core[WORLD_CORES];
    uint64_t mtrr[16 + 11 + 1];
};

/* Where cores are to begin: 4096 bytes below 640 KB. */
void startup_place(void *memory);
/* When all cores are known, with the host's page tables. */
void startup_fill(uint64_t host_cr3);
/* This core has that APIC ID. dead: it ignores STARTUP. */
void startup_add(struct shim *shim, uint32_t apic_id, bool dead);

/* The guest on a core writes the command register. False: it is none of these commands, or passes. */
bool startup_command(volatile uint32_t *command, uint32_t apic_id, uint32_t value);

/* The guest has started this core. */
bool startup_was(const struct shim *shim);
/* Each time it was stopped, and now, the modelled registers were as at its first INIT. */
bool startup_restored(struct shim *shim);

/* INIT leaves the registers of memory types as they are (AMD APM vol. 2 section 14.1.3); QEMU's clears them. Taken on
 * the boot core, given to a core that begins. */
void startup_keep_mtrrs(void);
void startup_give_mtrrs(void);

/* vpmu/shim/cores.c: of the modelled registers that a profiler programs. spurious: 0F0h, too. */
uint64_t cores_digest(struct shim *shim, bool spurious);

#endif
#endif
