/* SPDX-License-Identifier: BSD-2-Clause */
/* Doors of an operating system that a boot program does not have, while the host steps (vpmu/shim/os/os.h). Sampling is
 * on: without it nothing is stepped. */
#include "tests/vpmu/selftest/selftest.h"

#include "tests/vpmu/selftest/fixture.h"
#include "vpmu/shim/x86.h"

enum { MSR_STAR = 0xc0000081, MSR_LSTAR, MSR_CSTAR, MSR_SFMASK, TRAPS = 50 };
enum {
    APIC_EOI = 0xb0,
    LVT_TIMER = 0x320,
    TIMER_INITIAL = 0x380,
    TIMER_CURRENT = 0x390,
    TIMER_DIVIDE = 0x3e0,
    DIVIDE_BY_1 = 0xb,
    PIC_MASK = 0x21,
    HALTS = 3,
    HALT_NS = 1000000, /* QEMU's timer counts them */
    LATE_TIMERS = 500, /* of which about one in a hundred is late when the host is idle */
    LATE_NS = 200000,
    LATE_MS = 100, /* of a host that is busy */
};
#define INSTRUCTIONS_ON (0xc0 | 1ull << 17 | 1ull << 22) /* in the kernel; enabled */

bool selftest_by_exits(void)
{
    uint32_t regs[4];
    x86_cpuid(0x40000012, 0, regs);
    return regs[0];
}

static void check_traps(void)
{
    fixture_traps = fixture_trap_flags = 0;
    fixture_traps_loop(TRAPS);
    selftest_check(fixture_traps == 2 * TRAPS, "INT3 and INT n arrive", fixture_traps);
    selftest_check(!(fixture_trap_flags & RFLAGS_TF), "neither their frames nor their handlers show TF",
                   fixture_trap_flags);
}

/* SYSCALL at CPL 0 is as good as from a program, but for the way back. */
static void check_syscall(void)
{
    uint64_t efer = x86_rdmsr(MSR_EFER), star = x86_rdmsr(MSR_STAR), lstar = x86_rdmsr(MSR_LSTAR),
             mask = x86_rdmsr(MSR_SFMASK);
    x86_wrmsr(MSR_EFER, efer | 1);
    x86_wrmsr(MSR_STAR, (uint64_t)x86_cs() << 32);
    x86_wrmsr(MSR_LSTAR, (uint64_t)fixture_syscall_entry);
    x86_wrmsr(MSR_SFMASK, RFLAGS_IF); /* TF stays, for all the guest knows */
    __asm__ volatile("sti");
    uint64_t seen = fixture_syscall(0), behind = fixture_syscall(1);
    uint64_t after = x86_rflags();
    __asm__ volatile("cli");
    x86_wrmsr(MSR_SFMASK, mask);
    x86_wrmsr(MSR_LSTAR, lstar);
    x86_wrmsr(MSR_STAR, star);
    x86_wrmsr(MSR_EFER, efer);
    selftest_check((seen & RFLAGS_IF) && !(seen >> 32 & RFLAGS_IF), "SYSCALL: R11 has IF, RFLAGS have not", seen);
    selftest_check(!((seen | seen >> 32) & RFLAGS_TF), "neither has TF", seen);
    selftest_check(behind == (uint64_t)fixture_syscall_behind, "RCX is what comes behind", behind);
    selftest_check((after & RFLAGS_IF) && !(after & RFLAGS_TF), "POPF brings IF back, and no TF", after);
}

/* Lets the host step for a while, as it does when a counter is on; the count does not matter. */
static void step_a_little(void)
{
    x86_wrmsr(MSR_PERF_CTL0, INSTRUCTIONS_ON);
    x86_wrmsr(MSR_PERF_CTL0, 0);
}

/* Returns the number of interrupts as soon as one has come, or the ticks of the TSC have passed. */
static uint64_t interrupts_within(uint64_t ticks)
{
    uint64_t from = x86_rdtsc();
    __asm__ volatile("sti");
    do {
    } while (fixture_traps == 0 && x86_rdtsc() - from < ticks);
    __asm__ volatile("cli");
    return fixture_traps;
}

/* The timer follows the model's time, and HLT advances to its end. */
static void check_halt(void)
{
    uint32_t lvt = *selftest_apic(LVT_TIMER), divide = *selftest_apic(TIMER_DIVIDE), khz[4];
    uint32_t initial = *selftest_apic(TIMER_INITIAL);
    uint8_t mask = x86_inb(PIC_MASK);
    x86_cpuid(0x40000011, 0, khz);
    x86_outb(PIC_MASK, 0xff); /* its ticks come faster than their handler is stepped */
    fixture_traps = fixture_trap_flags = 0;
    *selftest_apic(TIMER_DIVIDE) = DIVIDE_BY_1;
    *selftest_apic(LVT_TIMER) = FIXTURE_VECTOR;
    uint64_t from = x86_rdtsc();
    for (unsigned i = 0; i < HALTS; i++) {
        *selftest_apic(TIMER_INITIAL) = HALT_NS;
        fixture_halt();
        *selftest_apic(APIC_EOI) = 0;
    }
    uint64_t passed = x86_rdtsc() - from, expected = HALTS * (HALT_NS / 1000ull) * khz[0] / 1000;
    *selftest_apic(LVT_TIMER) = lvt;
    *selftest_apic(TIMER_DIVIDE) = divide;
    *selftest_apic(TIMER_INITIAL) = initial;
    x86_outb(PIC_MASK, mask);
    selftest_check(fixture_traps == HALTS, "HLT ends with the timer's interrupt", fixture_traps);
    selftest_check(passed >= expected && passed < expected * 11 / 10, "and that comes when it is due", passed);
    selftest_check(!((x86_rflags() | fixture_trap_flags) & RFLAGS_TF), "no TF is seen", fixture_trap_flags);
}

/* QEMU's timer interrupts some time after its count has ended: who begins to be stepped meanwhile gets it all the same,
 * and who has had it does not get it again. */
static void check_late_timer(void)
{
    uint32_t lvt = *selftest_apic(LVT_TIMER), divide = *selftest_apic(TIMER_DIVIDE), khz[4];
    uint32_t initial = *selftest_apic(TIMER_INITIAL);
    uint8_t mask = x86_inb(PIC_MASK);
    uint64_t missing = 0, again = 0;
    uint64_t counter = x86_rdmsr(MSR_PERF_CTR0);
    x86_cpuid(0x40000011, 0, khz);
    x86_outb(PIC_MASK, 0xff);
    *selftest_apic(TIMER_DIVIDE) = DIVIDE_BY_1;
    *selftest_apic(LVT_TIMER) = FIXTURE_VECTOR;
    for (unsigned i = 0; i < LATE_TIMERS; i++) {
        fixture_traps = 0;
        *selftest_apic(TIMER_INITIAL) = LATE_NS + i % 100 * 100;
        while (*selftest_apic(TIMER_CURRENT)) {
        }
        step_a_little();
        missing += !interrupts_within(LATE_MS * (uint64_t)khz[0]);
        *selftest_apic(APIC_EOI) = 0;
        again += fixture_traps > 1;

        fixture_traps = 0;
        *selftest_apic(TIMER_INITIAL) = LATE_NS;
        missing += !interrupts_within(LATE_MS * (uint64_t)khz[0]);
        *selftest_apic(APIC_EOI) = 0;
        step_a_little();
        again += interrupts_within(khz[0] / 10) > 1;
    }
    *selftest_apic(LVT_TIMER) = lvt;
    *selftest_apic(TIMER_DIVIDE) = divide;
    *selftest_apic(TIMER_INITIAL) = initial;
    x86_outb(PIC_MASK, mask);
    x86_wrmsr(MSR_PERF_CTR0, counter);
    selftest_check(missing == 0, "a timer that ends when stepping begins interrupts", missing);
    selftest_check(again == 0, "once", again);
}

void doors_check_unstepped(void)
{
    check_late_timer();
}

void doors_check(void)
{
    check_traps();
    check_syscall();
    check_halt();
}
