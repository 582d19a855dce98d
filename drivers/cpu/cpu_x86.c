/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions themselves. What the NMI handler needs is inline in cpu_x86.h, what needs labels is in entry.S.
 */
#include "drivers/cpu/cpu.h"

#include <stddef.h>

#include "drivers/cpu/nmi_text.h"

extern const int32_t cpu_fixups[] __attribute__((visibility("hidden")));     /* entry.S */
extern const uint8_t cpu_trap_stubs[] __attribute__((visibility("hidden"))); /* 256 of 16 bytes */
extern const uint8_t cpu_step_end[] __attribute__((visibility("hidden")));
void cpu_nmi_entry(void) __attribute__((visibility("hidden")));
void cpu_nmi_entry_stacks(void) __attribute__((visibility("hidden")));
void cpu_nmi_entry_lingers(void) __attribute__((visibility("hidden")));
void cpu_nmi_entry_later(void) __attribute__((visibility("hidden")));
void cpu_nmi_entry_branches(void) __attribute__((visibility("hidden")));
void cpu_nmi_entry_branch_sampling(void) __attribute__((visibility("hidden")));

enum { VECTOR_NMI = 2, STUB_BYTES = 16 };

void cpu_cpuid(uint32_t leaf, uint32_t subleaf, struct cpu_cpuid *r)
{
    __asm__ volatile("cpuid" : "=a"(r->eax), "=b"(r->ebx), "=c"(r->ecx), "=d"(r->edx) : "a"(leaf), "c"(subleaf));
}

void cpu_pause(void)
{
    __asm__ volatile("pause" : : : "memory");
}

void cpu_wbinvd(void)
{
    __asm__ volatile("wbinvd" : : : "memory");
}

void cpu_out8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

uint32_t cpu_in32(uint16_t port)
{
    uint32_t value;
    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

void cpu_out32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port));
}

NMI_TEXT uint32_t cpu_mmio_read32(uint64_t address)
{
    uint32_t value;
    __asm__ volatile("movl (%1), %0" : "=a"(value) : "r"(address) : "memory");
    return value;
}

NMI_TEXT void cpu_mmio_write32(uint64_t address, uint32_t value)
{
    __asm__ volatile("movl %0, (%1)" : : "a"(value), "r"(address) : "memory");
}

uint64_t cpu_read_cr0(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr0, %0" : "=r"(value));
    return value;
}

void cpu_write_cr0(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr0" : : "r"(value) : "memory");
}

uint64_t cpu_read_dr6(void)
{
    uint64_t value;
    __asm__ volatile("mov %%dr6, %0" : "=r"(value));
    return value;
}

void cpu_write_dr6(uint64_t value)
{
    __asm__ volatile("mov %0, %%dr6" : : "r"(value) : "memory");
}

uint64_t cpu_step_end_address(void)
{
    return (uint64_t)(uintptr_t)cpu_step_end;
}

uint64_t cpu_read_cr2(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr2, %0" : "=r"(value));
    return value;
}

uint64_t cpu_read_cr3(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr3, %0" : "=r"(value));
    return value;
}

uint64_t cpu_read_cr4(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    return value;
}

void cpu_write_cr4(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr4" : : "r"(value) : "memory");
}

void cpu_write_cr3(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr3" : : "r"(value) : "memory");
}

uint64_t cpu_flags(void)
{
    uint64_t flags;
    __asm__ volatile("pushfq\n\tpop %0" : "=r"(flags));
    return flags;
}

void cpu_cli(void)
{
    __asm__ volatile("cli" : : : "memory");
}

void cpu_sti(void)
{
    __asm__ volatile("sti" : : : "memory");
}

_Noreturn void cpu_halt(void)
{
    for (;;)
        __asm__ volatile("cli\n\thlt");
}

void cpu_fpu_init(void)
{
    static const uint32_t mxcsr = 0x1F80;
    __asm__ volatile("fninit\n\tldmxcsr %0" : : "m"(mxcsr));
}

void cpu_sgdt(struct cpu_table *table)
{
    __asm__ volatile("sgdt %0" : "=m"(*table));
}

void cpu_lgdt(const struct cpu_table *table)
{
    __asm__ volatile("lgdt %0" : : "m"(*table) : "memory");
}

void cpu_sidt(struct cpu_table *table)
{
    __asm__ volatile("sidt %0" : "=m"(*table));
}

void cpu_lidt(const struct cpu_table *table)
{
    __asm__ volatile("lidt %0" : : "m"(*table) : "memory");
}

uint16_t cpu_str(void)
{
    uint16_t selector;
    __asm__ volatile("str %0" : "=r"(selector));
    return selector;
}

void cpu_ltr(uint16_t selector)
{
    __asm__ volatile("ltr %0" : : "r"(selector) : "memory");
}

void cpu_read_segments(struct cpu_segments *s)
{
    __asm__ volatile("mov %%cs, %0" : "=r"(s->cs));
    __asm__ volatile("mov %%ss, %0" : "=r"(s->ss));
    __asm__ volatile("mov %%ds, %0" : "=r"(s->ds));
    __asm__ volatile("mov %%es, %0" : "=r"(s->es));
    __asm__ volatile("mov %%fs, %0" : "=r"(s->fs));
    __asm__ volatile("mov %%gs, %0" : "=r"(s->gs));
}

uint64_t cpu_gate_address(uint8_t vector)
{
    return vector == VECTOR_NMI ? (uint64_t)cpu_nmi_entry : (uint64_t)&cpu_trap_stubs[vector * STUB_BYTES];
}

uint64_t cpu_nmi_stacks_address(void)
{
    return (uint64_t)cpu_nmi_entry_stacks;
}

uint64_t cpu_nmi_lingers_address(void)
{
    return (uint64_t)cpu_nmi_entry_lingers;
}

uint64_t cpu_nmi_later_address(void)
{
    return (uint64_t)cpu_nmi_entry_later;
}

uint64_t cpu_nmi_branches_address(void)
{
    return (uint64_t)cpu_nmi_entry_branches;
}

uint64_t cpu_nmi_branch_sampling_address(void)
{
    return (uint64_t)cpu_nmi_entry_branch_sampling;
}

uint64_t cpu_fixup(uint64_t rip)
{
    for (const int32_t *row = cpu_fixups; row[0]; row += 2)
        if ((uint64_t)(intptr_t)row + (int64_t)row[0] == rip)
            return (uint64_t)(intptr_t)(row + 1) + (int64_t)row[1];
    return 0;
}
