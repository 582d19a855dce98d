/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The two worlds and the doors between them (doors.S): the host loop around VMRUN, and the stub that single-steps
 * inside the guest.
 *
 * The host runs on its own page tables, descriptor tables and stack; all of it is in the image, whose memory is of a
 * runtime type.
 */
#ifndef VPMU_SHIM_WORLD_H
#define VPMU_SHIM_WORLD_H

/* Offsets into struct world for doors.S; world.c asserts them. */
#define WORLD_VMCB       0
#define WORLD_GPR        8
#define WORLD_HOST_CR3   136
#define WORLD_HOST_STACK 144
#define WORLD_GDTR       152
#define WORLD_IDTR       168

#define WORLD_CORES 8     /* as many cores as there are stubs */
#define WORLD_STUB  512   /* bytes between two stubs */
#define WORLD_STEP  16640 /* bytes of struct world_step_data */

#define HOST_CS      8
#define HOST_DS      16
#define HOST_VECTORS 32 /* exceptions; higher vectors are interrupts */
#define HOST_GATES   256
#define HOST_STUB    16 /* bytes per entry of host_vectors */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/shim/vmcb.h"
#include "vpmu/shim/x86.h"

/* General registers are numbered as in the instruction encoding. */
enum { GPR_RAX, GPR_RCX, GPR_RDX, GPR_RBX, GPR_RSP, GPR_RBP, GPR_RSI, GPR_RDI };

struct world {
    struct vmcb *vmcb;
    uint64_t gpr[16]; /* the guest's, between #VMEXIT and VMRUN; rax and rsp too */
    uint64_t host_cr3;
    uint64_t host_stack; /* top */
    struct table_register gdtr __attribute__((aligned(8)));
    struct table_register idtr __attribute__((aligned(8)));
};

/* Describes what the processor pushes for an interrupt in 64-bit mode. */
struct interrupt_frame {
    uint64_t rip, cs, rflags, rsp, ss;
};

struct gate {
    uint16_t offset_0;
    uint16_t selector;
    uint16_t type; /* 8e00h: present, interrupt gate, no IST */
    uint16_t offset_16;
    uint32_t offset_32;
    uint32_t reserved;
};

/* Fills in world: the host's GDT and IDT ('gate'), which all cores share, host_cr3 as page tables, and the top of a
 * stack. The vmcb is set by the caller. */
void world_init(struct world *world, struct gate gate[HOST_GATES], uint64_t host_cr3, uint64_t host_stack);

/* Splits off the host: it continues in its loop, and the caller returns as the guest, with its registers unchanged.
 * EFER.SVME must be set and the VMCB complete except rip, rsp and rflags. Interrupts stay as they are. */
void world_enter_guest(struct world *world);

/* Runs the VMCB as it is, in the host's loop, on a core that never was a guest. Does not return. */
_Noreturn void world_start_guest(struct world *world);

/* Called by the host loop after each #VMEXIT, with GIF clear. */
void world_exit(struct world *world);

/* Prints an exception in the host and ends QEMU. frame: vector, error code (0 where there is none), interrupt frame.
 */
void world_host_exception(const uint64_t *frame);

/* The vector of the interrupt that the host took last. The host's interrupts are off except where it takes one that is
 * meant for the guest (os_step.c); after an interrupt they are off again. */
extern volatile uint32_t world_interrupt;
/* Takes an interrupt from the real APIC in host mode, as the processor would, and returns its vector; 0: none. halt:
 * waits for one. os_step.c. */
unsigned world_take_interrupt(bool halt);

/* The stubs for the guest's vector 1, one for each core, and the address of their VMMCALL. */
extern char world_step_stubs[], world_step_vmmcall[];

/* Data of a core's stub. */
struct world_step_data {
    uint64_t gpr[16]; /* the registers at the boundary that the stub is reporting */
    uint8_t stack[16384];
    uint8_t above[128];
};
_Static_assert(sizeof(struct world_step_data) == WORLD_STEP, "doors.S");
extern struct world_step_data world_step_data[WORLD_CORES];

/* Called by the stub, in guest mode, at each instruction boundary. Returns the frame to resume, together with the
 * registers in world_step_data. NULL: leave by the VMMCALL; the host knows where to resume, and the stub is abandoned.
 */
struct interrupt_frame *world_step(struct interrupt_frame *frame, uint32_t core);

#endif
#endif
