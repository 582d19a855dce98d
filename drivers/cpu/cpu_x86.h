/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions that the NMI handler uses, inline. Included by cpu.h in the image; tests have calls to a fake
 * instead.
 */
#ifndef DRIVERS_CPU_X86_H
#define DRIVERS_CPU_X86_H

#include <stdint.h>

static inline uint64_t cpu_rdmsr(uint32_t msr)
{
    uint64_t low, high; /* the instruction clears the upper halves of rax and rdx */
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return high << 32 | low;
}

static inline void cpu_wrmsr(uint32_t msr, uint64_t value)
{
    __asm__ volatile("wrmsr" : : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}

static inline uint64_t cpu_rdtsc(void)
{
    uint64_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return high << 32 | low;
}

static inline uint8_t cpu_in8(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline void cpu_linger(uint32_t turns)
{
    while (turns--)
        __asm__ volatile("");
}

#endif
