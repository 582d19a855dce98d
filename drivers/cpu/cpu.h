/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The processor, instruction by instruction: the only door to privileged instructions.
 *
 * In the image cpu_x86.h, cpu_x86.c and entry.S implement it. Unit tests link tests/unit/drivers/fake_cpu.c instead,
 * which plays back a script and logs the order of all accesses. Nothing else in the image has privileged instructions.
 */
#ifndef DRIVERS_CPU_H
#define DRIVERS_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* ---- model-specific registers ------------------------------------------------------------------------------------ */

/* Return 0, or the exception vector (13 = #GP) when the register does not exist or refuses the value. *value is 0 after
 * an exception. They need our interrupt table to be in force (session.h). */
uint32_t cpu_rdmsr_safe(uint32_t msr, uint64_t *value);
uint32_t cpu_wrmsr_safe(uint32_t msr, uint64_t value);

#if __STDC_HOSTED__
/* Used by the NMI handler, on registers that were written without an exception before: no fixup, no call. */
uint64_t cpu_rdmsr(uint32_t msr);
void cpu_wrmsr(uint32_t msr, uint64_t value);
uint64_t cpu_rdtsc(void);
uint8_t cpu_in8(uint16_t port);
void cpu_linger(uint32_t turns); /* turns of an empty loop, a cycle or two each */
#else
#include "drivers/cpu/cpu_x86.h"
#endif

/* ---- identification, time ---------------------------------------------------------------------------------------- */

struct cpu_cpuid {
    uint32_t eax, ebx, ecx, edx;
};
void cpu_cpuid(uint32_t leaf, uint32_t subleaf, struct cpu_cpuid *registers);
void cpu_pause(void);
void cpu_wbinvd(void); /* writes all modified lines back and empties this core's caches */

/* ---- ports and memory-mapped registers --------------------------------------------------------------------------- */

void cpu_out8(uint16_t port, uint8_t value);
uint32_t cpu_in32(uint16_t port);
void cpu_out32(uint16_t port, uint32_t value);

/* One aligned 32-bit access, one plain mov between memory and eax. The address is physical; firmware maps it one to
 * one. */
uint32_t cpu_mmio_read32(uint64_t address);
void cpu_mmio_write32(uint64_t address, uint32_t value);

/* ---- control registers, flags ------------------------------------------------------------------------------------ */

uint64_t cpu_read_cr0(void);
void cpu_write_cr0(uint64_t value);
uint64_t cpu_read_cr2(void);
uint64_t cpu_read_cr3(void);
uint64_t cpu_read_dr6(void);
void cpu_write_dr6(uint64_t value);
uint64_t cpu_read_cr4(void);
void cpu_write_cr4(uint64_t value);
void cpu_write_cr3(uint64_t value);

enum { CPU_FLAG_INTERRUPT = 1 << 9 }; /* RFLAGS.IF */
uint64_t cpu_flags(void);
void cpu_cli(void);
void cpu_sti(void);
_Noreturn void cpu_halt(void); /* for ever, interrupts off */

/* x87, MMX and SSE state as FXSAVE stores it; with CR4.OSXSAVE those of AVX and AVX-512 after it, as XSAVE does (AMD
 * APM vol. 2 section 11.5). Firmware expects parts of it unchanged over a call. 2688 bytes: the end of AVX-512's last
 * component where PKRU follows (Intel SDM vol. 1 section 13.5); AMD's ends before. */
enum { CPU_FXSAVE = 512, CPU_XSAVE_HEADER = 64 };
struct cpu_fpu {
    _Alignas(64) uint8_t bytes[2688];
    uint64_t kept; /* bits of XCR0; 0: by FXSAVE */
};
void cpu_fpu_save(struct cpu_fpu *fpu);
void cpu_fpu_restore(const struct cpu_fpu *fpu);
/* Sets x87 and SSE as a program begins with them: all exceptions masked, round to nearest, extended precision (FCW
 * 037Fh, MXCSR 1F80h: UEFI specification 2.3.4.2, System V ABI for AMD64 3.4.1). */
void cpu_fpu_init(void);

/* ---- descriptor tables ---- */

struct cpu_table {
    uint16_t limit; /* size in bytes - 1 */
    uint64_t base;
} __attribute__((packed));
void cpu_sgdt(struct cpu_table *table);
void cpu_lgdt(const struct cpu_table *table);
void cpu_sidt(struct cpu_table *table);
void cpu_lidt(const struct cpu_table *table);
uint16_t cpu_str(void);
void cpu_ltr(uint16_t selector); /* the descriptor must be an available TSS, never null */

struct cpu_segments {
    uint16_t cs, ss, ds, es, fs, gs;
};
void cpu_read_segments(struct cpu_segments *segments);

/* ---- entries from the interrupt table ---- */

/* Describes what the common exception entry leaves on the stack, lowest address first. gpr is in the order of the
 * instruction encoding: rax rcx rdx rbx (unused) rbp rsi rdi r8..r15. The entry reloads all of it, so changing it
 * changes where the exception returns to. */
struct cpu_trap_frame {
    uint64_t gpr[16];
    uint64_t vector;
    uint64_t error; /* 0 for vectors without an error code */
    uint64_t rip;
    uint64_t cs;
    uint64_t rflags;
    uint64_t rsp;
    uint64_t ss;
};
_Static_assert(sizeof(struct cpu_trap_frame) == 184, "entry.S and trap_dispatch agree on 184 bytes");

/* Describes what the processor itself stores on the stack of the NMI, lowest address first. */
struct cpu_nmi_frame {
    uint64_t rip, cs, rflags, rsp, ss;
};

/* Describes what cpu_nmi_entry stores right below that frame, and reloads. */
struct cpu_nmi_saved {
    uint64_t r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax;
};
_Static_assert(sizeof(struct cpu_nmi_saved) == 72, "as entry.S pushes it");

/* Returns the address for a gate of the interrupt table: the NMI entry for vector 2, one stub for each of the others.
 */
uint64_t cpu_gate_address(uint8_t vector);

/* Returns the NMI entry with call stacks, for vector 2. */
uint64_t cpu_nmi_stacks_address(void);

/* Returns the one that takes a random time more, with call stacks or without. */
uint64_t cpu_nmi_lingers_address(void);

/* Returns the address of later families' handler, with call stacks or without. */
uint64_t cpu_nmi_later_address(void);

/* Returns the one with branch records. */
uint64_t cpu_nmi_branches_address(void);

/* Returns the one of Branch Sampling. */
uint64_t cpu_nmi_branch_sampling_address(void);

/* Returns where the fault-safe instruction at rip continues after an exception; 0 when rip is not one of them. */
uint64_t cpu_fixup(uint64_t rip);

/* Loads all general registers, stack and flags from the frame, and goes on at its rip. */
_Noreturn void cpu_enter_frame(const struct cpu_trap_frame *frame);

/* Calls the code at its rip so, with cpu_step_end_address() as the return address, below the frame's rsp. */
_Noreturn void cpu_call_frame(struct cpu_trap_frame *frame);

/* Returns the address of an INT3, where that code returns to. */
uint64_t cpu_step_end_address(void);

/* ---- a call that an exception can leave ---- */

struct cpu_recovery {
    uint64_t rip, rsp, rbx, rbp, r12, r13, r14, r15;
    struct cpu_recovery *outer; /* not used by the assembly */
};

/* Calls function(argument, value) on the stack that ends at stack_top (16-byte aligned; 0: on the current stack).
 * Returns 0 when it returned, 1 when an exception handler resumed at *recovery. fault.h wraps it. */
uint32_t cpu_guarded_call(struct cpu_recovery *recovery, uint64_t stack_top, void (*function)(void *, uint64_t),
                          void *argument, uint64_t value);

#endif
