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
    uint8_t *place; /* NULL: none, so the shim cannot reach cores that the guest starts */
    uint32_t page;
    struct startup_core {
        bool there, dead;
        uint32_t apic_id;
        bool waits;   /* INIT has come */
        bool started; /* ever, by the guest */
        uint8_t vector;
        uint64_t before; /* digest at its first INIT */
        bool x2apic;     /* mode of its APIC then */
        bool known, spoilt;
    } core[WORLD_CORES];
    uint64_t mtrr[16 + 11 + 1];
};

/* Gives the place where cores begin: 4096 bytes below 640 KB. */
void startup_place(void *memory);
/* Fills it, with the host's page tables, when all cores are known. */
void startup_fill(uint64_t host_cr3);
/* Adds a core with that APIC ID. dead: it ignores STARTUP. */
void startup_add(struct shim *shim, uint32_t apic_id, bool dead);

/* Takes a write of the command register by the guest. Returns false if it is none of these commands, or passes. */
bool startup_command(volatile uint32_t *command, uint32_t apic_id, uint32_t value);

/* Returns whether the guest has started this core. */
bool startup_was(const struct shim *shim);
/* Returns whether the modelled registers were as at its first INIT each time it was stopped, and now; and now the mode
 * of its APIC, which a core that rests keeps. */
bool startup_restored(struct shim *shim);

/* Keep the registers of memory types of the boot core for a core that begins: INIT leaves them alone (AMD APM vol. 2
 * section 14.1.3), QEMU's clears them. */
void startup_keep_mtrrs(void);
void startup_give_mtrrs(void);

/* Returns a digest of the modelled registers that a profiler programs (vpmu/shim/cores.c). spurious: 0F0h, too. */
uint64_t cores_digest(struct shim *shim, bool spurious);

#endif
#endif
