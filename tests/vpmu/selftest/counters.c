/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/vpmu/selftest/selftest.h"
#include "vpmu/shim/x86.h"

enum {
    LVT_TIMER = 0x320,
    LVT_COUNTERS = 0x340,
    TIMER_INITIAL = 0x380,
    TIMER_CURRENT = 0x390,
    TIMER_DIVIDE = 0x3e0,
    LVT_NMI = 0x400,
    LVT_MASKED = 0x10000,
    DIVIDE_BY_1 = 0xb,
    ROUNDS = 4000,
    ROUND = 24, /* instructions */
    PERIOD = 997,
    TIMER_COUNT = 100,
};
#define CTL_OS       (1ull << 17)
#define CTL_INT      (1ull << 20)
#define CTL_EN       (1ull << 22)
#define INSTRUCTIONS (0xc0 | CTL_OS)
#define CYCLES       (0x76 | CTL_OS)
#define OPS          (0xc1 | CTL_OS)
#define ALL_QUIET    (0xd9 | CTL_OS) /* not modelled */

static struct {
    uint64_t count, overflows, outside, frame_flags, back, last;
    volatile bool rearm, stopping;
} nmis;

static bool in_loop(const struct nmi_frame *frame)
{
    return frame->rip >= (uint64_t)fixture_loop_begin && frame->rip <= (uint64_t)fixture_loop_end;
}

static void note(const struct nmi_frame *frame)
{
    uint64_t now = x86_rdtsc();
    nmis.count++;
    nmis.outside += !in_loop(frame);
    nmis.frame_flags |= frame->rflags;
    nmis.back += now < nmis.last;
    nmis.last = now;
}

static void on_overflow(const struct nmi_frame *frame)
{
    x86_wrmsr(MSR_PERF_CTL0, INSTRUCTIONS | CTL_INT);
    if (nmis.stopping)
        return; /* it was on its way */
    note(frame);
    nmis.overflows += x86_rdmsr(MSR_PERF_CTR0) >> 47 == 0;
    if (nmis.rearm)
        *selftest_apic(LVT_COUNTERS) = LVT_NMI;
    x86_wrmsr(MSR_PERF_CTR0, 0 - (uint64_t)PERIOD);
    x86_wrmsr(MSR_PERF_CTL0, INSTRUCTIONS | CTL_INT | CTL_EN);
}

static void on_tick(const struct nmi_frame *frame)
{
    note(frame);
    *selftest_apic(TIMER_INITIAL) = TIMER_COUNT;
}

static uint64_t rdpmc(uint32_t counter)
{
    uint32_t low, high;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
    return (uint64_t)high << 32 | low;
}

static void try_rdpmc(uint64_t counter)
{
    (void)rdpmc((uint32_t)counter);
}

static uint64_t count_of(uint64_t ctl, void (*what)(uint64_t), uint64_t argument)
{
    x86_wrmsr(MSR_PERF_CTR0, 0);
    x86_wrmsr(MSR_PERF_CTL0, ctl | CTL_EN);
    what(argument);
    x86_wrmsr(MSR_PERF_CTL0, 0);
    return x86_rdmsr(MSR_PERF_CTR0);
}

static void loop(uint64_t rounds)
{
    (void)fixture_loop(rounds);
}

static uint64_t count(uint64_t ctl, uint64_t rounds)
{
    return count_of(ctl, loop, rounds);
}

/* Instructions at which a stepper may lose its way. */
static void check_awkward(void)
{
    uint64_t pauses = count_of(INSTRUCTIONS, fixture_pauses_loop, 30) - count_of(INSTRUCTIONS, fixture_pauses_loop, 10);
    selftest_check(pauses == 20 * 4, "PAUSE, and what comes after it, counted once", pauses);
    /* Outside of the map, announcements of the same address are one instruction. Within: tests/workloads/repeat.c. */
    uint64_t ops = count_of(OPS, fixture_rep, 1);
    selftest_check(count_of(OPS, fixture_rep, 0) == ops && count_of(OPS, fixture_rep, 60) == ops,
                   "REP is one instruction, with nothing to do, too", ops);
    fixture_traps = 0;
    uint64_t instructions = count_of(INSTRUCTIONS, fixture_traps_loop, 10);
    selftest_check(fixture_traps == 20 && instructions > 10, "INT3 and INT n while stepped", fixture_traps);
}

static void check_counting(void)
{
    uint64_t less = count(INSTRUCTIONS, ROUNDS), more = count(INSTRUCTIONS, 2 * ROUNDS);
    selftest_check(more - less == ROUNDS * ROUND, "instructions counted exactly", more - less);
    selftest_check(less - ROUNDS * ROUND < 100, "few of them around the loop", less - ROUNDS * ROUND);
    selftest_check(rdpmc(0) == more, "RDPMC shows the counter", rdpmc(0));
    fixture_faults = 0;
    fixture_fault_skip = 2;
    try_rdpmc(4);
    selftest_check(fixture_faults == 1, "there is no counter 4", fixture_faults);

    uint64_t before = x86_rdtsc(), cycles = count(CYCLES, ROUNDS), passed = x86_rdtsc() - before;
    selftest_check(cycles > ROUNDS * 3 && cycles < passed, "cycles", cycles);

    x86_wrmsr(MSR_PERF_CTR0, 0x77);
    x86_wrmsr(MSR_PERF_CTL0, ALL_QUIET | CTL_EN);
    (void)fixture_loop(ROUNDS);
    x86_wrmsr(MSR_PERF_CTL0, 0);
    selftest_check(x86_rdmsr(MSR_PERF_CTR0) == 0x77, "what is not modelled stands still", x86_rdmsr(MSR_PERF_CTR0));
    uint32_t known[4], unknown[4];
    x86_cpuid(0x40000010, 0xc0, known);
    x86_cpuid(0x40000010, 0xd9, unknown);
    selftest_check(known[0] == 1 && unknown[0] == 0, "CPUID says which is which", unknown[0]);
}

static void sample(bool rearm)
{
    nmis.count = nmis.overflows = nmis.outside = nmis.frame_flags = nmis.back = nmis.last = 0;
    nmis.rearm = rearm;
    nmis.stopping = false;
    selftest_nmi = on_overflow;
    *selftest_apic(LVT_COUNTERS) = LVT_NMI;
    x86_wrmsr(MSR_PERF_CTR0, 0 - (uint64_t)PERIOD);
    x86_wrmsr(MSR_PERF_CTL0, INSTRUCTIONS | CTL_INT | CTL_EN);
    (void)fixture_loop(ROUNDS);
    nmis.stopping = true;
    x86_wrmsr(MSR_PERF_CTL0, 0);
}

static void check_overflow(void)
{
    uint64_t gate = x86_idtr().base + 16, before = *(const uint64_t *)gate, most = ROUNDS * ROUND / PERIOD;
    uint32_t entry = *selftest_apic(LVT_COUNTERS);

    sample(true);
    selftest_check(nmis.count > most * 85 / 100 && nmis.count <= most + 1, "an NMI for each period", nmis.count);
    selftest_check(nmis.overflows == nmis.count, "the counter has wrapped in each", nmis.overflows);
    selftest_check(nmis.outside <= 2, "overflows elsewhere than in the loop", nmis.outside);
    selftest_check(!(nmis.frame_flags & RFLAGS_TF), "their frames show no TF", nmis.frame_flags);
    selftest_check(nmis.back == 0, "RDTSC never goes back", nmis.back);
    selftest_check(*(const uint64_t *)gate == before, "the gate of vector 1 is back again", *(const uint64_t *)gate);

    sample(false);
    selftest_check(nmis.count == 1, "one NMI when the entry stays masked", nmis.count);
    selftest_check(*selftest_apic(LVT_COUNTERS) == (LVT_NMI | LVT_MASKED), "which delivery has masked",
                   *selftest_apic(LVT_COUNTERS));
    *selftest_apic(LVT_COUNTERS) = entry;
    selftest_nmi = 0;
}

static void check_timer(void)
{
    uint32_t entry = *selftest_apic(LVT_TIMER), divide = *selftest_apic(TIMER_DIVIDE);
    uint32_t initial = *selftest_apic(TIMER_INITIAL), khz[4];
    x86_cpuid(0x40000011, 0, khz);

    *selftest_apic(LVT_TIMER) = LVT_NMI | LVT_MASKED;
    selftest_check(*selftest_apic(LVT_TIMER) == (LVT_NMI | LVT_MASKED), "the timer takes type NMI",
                   *selftest_apic(LVT_TIMER));
    *selftest_apic(TIMER_DIVIDE) = DIVIDE_BY_1;
    *selftest_apic(TIMER_INITIAL) = 0xffffffff;
    /* The host may take the processor away between any two of these: the time is between the inner and the outer one.
     */
    uint64_t outer = x86_rdtsc(), left = *selftest_apic(TIMER_CURRENT), inner = x86_rdtsc(), now;
    do {
        now = x86_rdtsc();
    } while (now - inner < 5ull * khz[0]);
    uint64_t counted = left - *selftest_apic(TIMER_CURRENT);
    uint64_t shortest = (now - inner) * khz[1] / khz[0], longest = (x86_rdtsc() - outer) * khz[1] / khz[0];
    selftest_check(counted > shortest * 95 / 100 && counted < longest * 105 / 100, "its rate by the TSC", counted);

    nmis.count = nmis.outside = nmis.frame_flags = nmis.back = nmis.last = 0;
    selftest_nmi = on_tick;
    *selftest_apic(LVT_TIMER) = LVT_NMI;
    uint64_t from = x86_rdtsc();
    *selftest_apic(TIMER_INITIAL) = TIMER_COUNT;
    (void)fixture_loop(ROUNDS);
    uint64_t most = (x86_rdtsc() - from) * khz[1] / khz[0] / TIMER_COUNT;
    *selftest_apic(LVT_TIMER) = LVT_NMI | LVT_MASKED;
    *selftest_apic(TIMER_INITIAL) = 0;
    selftest_nmi = 0;
    selftest_check(nmis.count > most / 2 && nmis.count <= most, "an NMI each time it ends", nmis.count);
    selftest_check(nmis.outside <= 2 && nmis.back == 0, "in the loop, one after the other", nmis.outside);
    selftest_check(!(x86_rflags() & RFLAGS_TF), "nothing is stepped any more", x86_rflags());

    *selftest_apic(LVT_TIMER) = entry;
    *selftest_apic(TIMER_DIVIDE) = divide;
    *selftest_apic(TIMER_INITIAL) = initial;
    selftest_check(*selftest_apic(LVT_TIMER) == entry && *selftest_apic(TIMER_DIVIDE) == divide &&
                       *selftest_apic(TIMER_INITIAL) == initial,
                   "the real timer is back", *selftest_apic(LVT_TIMER));
}

void counters_check(void)
{
    uint64_t counter = x86_rdmsr(MSR_PERF_CTR0);
    check_awkward();
    check_counting();
    check_overflow();
    check_timer();
    x86_wrmsr(MSR_PERF_CTR0, counter);
}
