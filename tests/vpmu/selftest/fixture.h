/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Assembly that the self-test needs: interrupt entries, a loop whose result shows lost registers, and single
 * instructions that must fault or must not.
 */
#ifndef VPMU_SELFTEST_FIXTURE_H
#define VPMU_SELFTEST_FIXTURE_H

#define FIXTURE_VECTOR 0x61

#ifndef FIXTURE_ASSEMBLER

#include <stdint.h>

struct nmi_frame {
    uint64_t rip, cs, rflags, rsp, ss;
};

/* Gates 2, 6 and 13. The latter two count the fault and resume after the instruction, fixture_fault_skip bytes on. */
void fixture_nmi_entry(void);
void fixture_ud_entry(void);
void fixture_gp_entry(void);
extern volatile uint64_t fixture_faults, fixture_fault_skip;
/* Not 0: they also stop op sampling, by clearing IbsOpCtl. */
extern volatile uint64_t fixture_fault_stops;

/* Called by the NMI gate. */
void fixture_nmi(const struct nmi_frame *frame);

/* Mixes all general registers for a number of rounds; the result depends on each of them. */
uint64_t fixture_loop(uint64_t rounds);
extern const char fixture_loop_begin[], fixture_loop_end[];
/* RFLAGS as PUSHFQ shows them, after which POPFQ puts them back, a number of times; the OR of all that was seen. */
uint64_t fixture_flags_loop(uint64_t rounds);

/* PAUSE, NOP, DEC, JNZ in a loop. */
void fixture_pauses_loop(uint64_t rounds);
/* REP STOSB of this many bytes, at most 64. */
void fixture_rep(uint64_t bytes);
/* CPUID in a loop of three instructions. */
void fixture_cpuid_loop(uint64_t rounds);

/* Gates 3 and FIXTURE_VECTOR. Counts, and ORs all RFLAGS that are to be seen: those of the frame and those inside. */
void fixture_trap_entry(void);
extern volatile uint64_t fixture_traps, fixture_trap_flags;
/* INT3 and INT n, a number of times. */
void fixture_traps_loop(uint64_t rounds);
/* SYSCALL, with LSTAR leading to fixture_syscall_entry. 0: low half R11, high half RFLAGS as they were there. Else the
 * RCX that it got, which should be fixture_syscall_behind. */
uint64_t fixture_syscall(uint64_t which);
void fixture_syscall_entry(void);
extern const char fixture_syscall_behind[];
/* STI, HLT, CLI. */
void fixture_halt(void);

/* Each is one instruction (and a return). */
void fixture_vmrun(uint64_t vmcb);
void fixture_vmmcall(void);
void fixture_or_memory(volatile uint32_t *where, uint32_t bits);

#endif
#endif
