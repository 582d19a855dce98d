/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/app/fake_loops.h"

#include <stdio.h>
#include <string.h>

#include "core/family/pmc_regs.h"
#include "tests/unit/app/fake_session.h"
#include "tests/unit/drivers/fake_cpu.h"

enum { SMIS = 0x02B, INTERRUPTS = 0x0CF, PSTATE_STATUS = 0xC0010063, MULTIPLICATION = 4, LAST_LATER = 100 };

struct fake_loops fake_loops;

void fake_loops_init(void)
{
    memset(&fake_loops, 0, sizeof(fake_loops));
    fake_loops.tsc = 5000000;
    fake_loops.gap = FAKE_GAP;
}

/* Adds a line to the trace: the loop and its arguments, and whether interrupts and counters are on. */
static void say(const char *what, unsigned long long a, unsigned long long b)
{
    size_t left = sizeof(fake_loops.trace) - fake_loops.trace_length;
    char text[120], counters[40] = "";
    uint64_t ctl;
    int length;

    for (unsigned n = 0; n < PMC_LEGACY; n++)
        if (!cpu_rdmsr_safe(MSR_PERF_CTL(n), &ctl) && ctl & PMC_CTL_EN)
            snprintf(counters + strlen(counters), sizeof(counters) - strlen(counters), " %u=%02llx", n,
                     (unsigned long long)ctl & 0xFF);
    snprintf(text, sizeof(text), what, a, b);
    length = snprintf(fake_loops.trace + fake_loops.trace_length, left, "%s, interrupts %s, counters%s\n", text,
                      cpu_flags() & CPU_FLAG_INTERRUPT ? "on" : "off", *counters ? counters : " off");
    assert_true(length > 0 && (size_t)length < left);
    fake_loops.trace_length += (size_t)length;
}

static void count(unsigned select)
{
    uint64_t ctl, value;

    for (unsigned n = 0; n < PMC_LEGACY; n++)
        if (!cpu_rdmsr_safe(MSR_PERF_CTL(n), &ctl) && ctl & PMC_CTL_EN && (ctl & 0xFF) == select &&
            !cpu_rdmsr_safe(MSR_PERF_CTR(n), &value))
            (void)cpu_wrmsr_safe(MSR_PERF_CTR(n), value + 1);
}

static void happen(enum noise_cause cause)
{
    uint64_t state;

    switch (cause) {
    case NOISE_SMI:
        count(SMIS);
        break;
    case NOISE_NMI:
        fake_session.live_nmis++;
        count(INTERRUPTS);
        break;
    case NOISE_INTERRUPT:
        fake_session.live_interrupts++;
        count(INTERRUPTS);
        break;
    case NOISE_PSTATE:
        if (!cpu_rdmsr_safe(PSTATE_STATUS, &state))
            fake_msr(PSTATE_STATUS)->value = state ^ 1;
        break;
    default:
        break;
    }
}

void noise_gap_loop(uint64_t *gap, uint32_t number)
{
    say("%llu gaps", number, 0);
    for (uint32_t i = 0; i < number; i++)
        gap[i] = fake_loops.gap;
    fake_loops.tsc += number * fake_loops.gap;
}

static void detour(struct noise_trace *trace, const struct fake_detour *one)
{
    enum noise_cause cause = NOISE_NOT_ASKED;
    struct noise_gap gap = {trace->start + one->at, one->ticks, 0};

    happen(one->cause);
    if (trace->witness) {
        cause = trace->witness(trace->context);
        trace->blind += FAKE_WITNESS;
    }
    gap.cause = cause;
    trace->by_cause[cause]++;
    for (unsigned i = 0; i < NOISE_THRESHOLDS; i++) {
        trace->count[i] += one->ticks >= trace->threshold[i];
        trace->ticks[i] += one->ticks >= trace->threshold[i] ? one->ticks : 0;
    }
    trace->bins[63 - __builtin_clzll(one->ticks)]++;
    if (one->ticks > trace->largest.ticks)
        trace->largest = gap;
    if (trace->kept < trace->capacity)
        trace->gap[trace->kept++] = gap;
}

void noise_detour_loop(struct noise_trace *trace, uint64_t duration)
{
    bool warm_up = trace->threshold[NOISE_NINE] == 1;
    unsigned loop = fake_loops.loops;

    say("detours for %llu ticks, from %llu", duration, trace->threshold[NOISE_NINE]);
    trace->kept = 0;
    trace->backwards = warm_up ? 9 : loop < FAKE_LOOPS ? fake_loops.backwards[loop] : 0;
    trace->blind = 0;
    trace->largest = (struct noise_gap){0, 0, 0};
    memset(trace->by_cause, 0, sizeof(trace->by_cause));
    memset(trace->count, 0, sizeof(trace->count));
    memset(trace->ticks, 0, sizeof(trace->ticks));
    memset(trace->bins, 0, sizeof(trace->bins));
    trace->start = fake_loops.tsc;
    trace->reads = duration / fake_loops.gap;
    if (warm_up) /* during warm-up all gaps are detours */
        detour(trace, &(struct fake_detour){0, fake_loops.gap, NOISE_SMI});
    for (unsigned i = 0; !warm_up && loop < FAKE_LOOPS && i < FAKE_DETOURS && fake_loops.detour[loop][i].ticks; i++)
        detour(trace, &fake_loops.detour[loop][i]);
    fake_loops.loops += !warm_up;
    if (!warm_up)
        fake_clocks_run();
    fake_loops.tsc += duration;
    trace->stop = fake_loops.tsc;
}

/* Stores equal quanta, of which the last is late. */
void noise_quantum_loop(uint64_t *ticks, uint64_t number, uint64_t work)
{
    say("%llu quanta of %llu", number, work);
    for (uint64_t i = 0; i < number; i++)
        ticks[i] = work * MULTIPLICATION + (i + 1 == number && number > 1 ? LAST_LATER : 0);
    fake_loops.tsc += number * work * MULTIPLICATION;
}
