/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starting other cores without the firmware: INIT, STARTUP, STARTUP by the local APIC (AMD APM vol. 2 section 16.5;
 * times: Intel MultiProcessor Specification 1.4, appendix B.4), once for each core. A started core then waits in a
 * loop of PAUSE for what it is to do, or rests. Before INIT ends it, it gets back its memory types and the mode of its
 * APIC, for INIT leaves those as they are; so it ends as it was found, waiting for whoever starts it next.
 *
 * Nothing here needs a firmware. The caller supplies memory.
 */
#ifndef DRIVERS_STARTUP_H
#define DRIVERS_STARTUP_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/cpu/memory_types.h"

enum {
    STARTUP_LOW_BYTES = 8192,   /* the code with which a core begins, and a page table */
    STARTUP_LOW_END = 0xA0000,  /* STARTUP's vectors A0h to BFh are reserved (MultiProcessor Specification B.4.2) */
    STARTUP_CORE_BYTES = 36864, /* mailbox, and a stack of 32 KB, as under EDK II */
};

enum startup_error {
    STARTUP_OK = 0,
    STARTUP_NO_APIC, /* off */
    STARTUP_TABLES,  /* the low memory is not mapped as code one to one */
    STARTUP_SILENT,  /* the core does not answer */
};

/* Says what startup_prepare() needs to know of the processor (drivers/machine/machine.h). */
struct startup_facts {
    uint64_t apic_msr, tsc_khz;
    bool nxe, registers_known;
};

/* Holds the boot core's state that all cores get. */
struct startup {
    uint8_t *low;
    uint64_t apic, tsc_khz;
    struct memory_types types;
};

/* A core's mailbox, in the caller's memory of STARTUP_CORE_BYTES. */
struct startup_core {
    uint32_t alive;         /* it is in its loop */
    uint32_t request, done; /* numbers of functions handed over and ended */
    void (*function)(void *argument);
    void *argument;
    /* The boot core's state, which the core is to have, and what came of it. */
    const struct memory_types *types;
    uint64_t apic, cr0, cr4, efer;
    uint32_t spurious; /* APIC 0F0h */
    uint32_t set;      /* registers of memory types that differed, and were set */
    uint32_t wrong;    /* registers that still differ; after startup_stop(), from those that were found */
    bool switched;     /* the APIC was in xAPIC mode, the boot core's is not */
    struct memory_types found;
    bool resting; /* it halts, or is about to */
};

/* Prepares for starts, on the boot core, between runs. low: STARTUP_LOW_BYTES of memory below STARTUP_LOW_END,
 * 4096-byte aligned, for as long as cores are started. */
enum startup_error startup_prepare(struct startup *startup, const struct startup_facts *facts, void *low);

/* Returns the APIC ID of the calling core, as its APIC has it and other cores' command registers address it. */
uint32_t startup_own_id(const struct startup *startup);

/* Returns whether INIT and STARTUP reach a core with this APIC ID: in x2APIC mode any, else up to FEh. */
bool startup_reaches(const struct startup *startup, uint32_t apic_id);

/* Starts the core with this APIC ID, with 'core' as its mailbox and stack: memory of STARTUP_CORE_BYTES, 4096-byte
 * aligned, which is the core's until startup_stop(). It may be the memory of an earlier start of the same core,
 * whatever that core does: it is written to 10 ms after INIT. One at a time. A core that does not answer within half a
 * second is sent INIT again, so that it does not come later; even so its memory should not be reused. */
enum startup_error startup_begin(const struct startup *startup, struct startup_core *core, uint32_t apic_id);

/* Hands over a function, with interrupts off and a stack of 32 KB; returns at once. Only when startup_ended(). */
void startup_run(struct startup_core *core, void (*function)(void *argument), void *argument);
bool startup_ended(const struct startup_core *core);

/* Halts it until startup_wake() is called, with the same memory. Only when startup_ended(), which stays true.
 * To the processor a loop of PAUSE is work, so boost, which needs idle cores, would differ in runs on fewer cores. */
void startup_rest(struct startup_core *core);

/* Starts a resting core again, as startup_begin() does; what was found on it at its first start is kept. */
enum startup_error startup_wake(const struct startup *startup, struct startup_core *core, uint32_t apic_id);

/* Gives it back its memory types and the mode of its APIC, if they were set, and stops it by INIT. Returns true if it
 * does not answer any more, so that its memory may be given back; false if it does, or if that is not known, because
 * its function had not returned. core->wrong then counts the registers that are not as they were found. */
bool startup_stop(const struct startup *startup, struct startup_core *core, uint32_t apic_id);

#endif
