/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Our own descriptor tables: GDT with a TSS, IDT with all 256 vectors, one stack for NMI, #DF, #MC and all others each,
 * so that no handler ever uses the stack of what it interrupted.
 *
 * The GDT is a copy of the firmware's with the TSS after it: all segment selectors stay valid, none is reloaded, and
 * between two loads the firmware's handlers work too.
 */
#ifndef DRIVERS_TABLES_H
#define DRIVERS_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/cpu/cpu.h"
#include "drivers/trace/fault.h"
#include "drivers/pmu/nmi.h"
#include "drivers/machine/restore.h"
#include "drivers/cpu/session_error.h"

enum {
    TABLES_GDT_COPY = 128, /* descriptors taken over from the firmware, at most */
    TABLES_STACK_BYTES = 8192,
    TABLES_IST_NMI = 1, /* interrupt stack table entries; the rest share the last */
    TABLES_IST_DF,
    TABLES_IST_MC,
    TABLES_IST_REST,
    TABLES_STACKS = TABLES_IST_REST,
};

/* 64-bit task-state segment, AMD APM vol. 2 section 12.2.5. */
struct tables_tss {
    uint32_t reserved0;
    uint64_t rsp[3];
    uint64_t reserved1;
    uint64_t ist[7]; /* entry n of a gate is ist[n - 1] */
    uint64_t reserved2;
    uint16_t reserved3;
    uint16_t io_map;
} __attribute__((packed));
_Static_assert(sizeof(struct tables_tss) == 104, "as the processor lays it out");

/* 64-bit interrupt gate, AMD APM vol. 2 section 4.8.3. */
struct tables_gate {
    uint16_t offset_low;
    uint16_t selector;
    uint8_t ist;
    uint8_t type;
    uint16_t offset_middle;
    uint32_t offset_high;
    uint32_t reserved;
};
_Static_assert(sizeof(struct tables_gate) == 16, "as the processor lays it out");

/* The entry code finds its context right above the frame, which is where the stack begins. */
struct tables_stack {
    uint8_t bytes[TABLES_STACK_BYTES - sizeof(struct cpu_nmi_frame) - 16];
    struct cpu_nmi_frame frame;
    void *context; /* 16-byte aligned: the processor aligns the stack before it stores the frame */
    uint64_t unused;
};

/* All tables; 16-byte aligned, mapped one to one; about 40 KB. */
struct tables {
    _Alignas(16) struct tables_stack stack[TABLES_STACKS]; /* [n - 1] for IST entry n */
    _Alignas(16) struct tables_gate idt[256];
    _Alignas(16) uint64_t gdt[TABLES_GDT_COPY + 2];
    struct tables_tss tss;
    /* the firmware's */
    struct cpu_table old_gdt, old_idt;
    uint16_t old_tr;
};

_Static_assert(sizeof(struct tables_stack) == TABLES_STACK_BYTES, "the context is 16-byte aligned, the frame below it");

/* Puts our tables in force on this core, with interrupts off; tells the handler where the frames of NMIs will be.
 * SESSION_GDT: nothing was changed. */
enum session_error tables_install(struct tables *tables, struct fault_context *faults, struct nmi_context *nmi);

/* Restores the firmware's tables, reads back, and notes each in the log (NULL: no log). Where the firmware has no TSS,
 * TR keeps leading to the image's, the same for all cores, with no stacks, because a run's memory is given back before
 * the program ends. */
void tables_remove(struct tables *tables, struct restore_log *log);

#endif
