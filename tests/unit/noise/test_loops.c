/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops on this machine: whatever takes time from them is in the trace, and a planted disturbance is in its
 * place. */
#include <signal.h>
#include <sys/time.h>
#include <x86intrin.h>

#include "tests/unit/test.h"
#include "noise/loops.h"

enum {
    ROOM = 200000,
    GAPS = 4096,
    KHZ = 1000000 /* whatever the clock is: here ticks count as nanoseconds */,
    SPIN = 1000000,
    INTERRUPTS = 20
};

static struct noise_gap gaps[ROOM];

static struct noise_trace ready(uint32_t capacity)
{
    static uint64_t gap[GAPS];
    struct noise_trace trace = {.gap = gaps, .capacity = capacity};

    for (unsigned i = 0; i < ROOM; i++)
        gaps[i] = (struct noise_gap){1, 1, NOISE_NOT_ASKED};
    for (unsigned i = 0; i < 100; i++)
        noise_gap_loop(gap, GAPS);
    noise_thresholds(&trace, gap, GAPS, KHZ);
    return trace;
}

static volatile unsigned interrupts;
static volatile uint64_t began[INTERRUPTS], ended[INTERRUPTS];

static void interrupt(int number)
{
    uint64_t start = __rdtsc();

    (void)number;
    if (interrupts == INTERRUPTS)
        return;
    while (__rdtsc() - start < SPIN)
        ;
    began[interrupts] = start;
    ended[interrupts] = __rdtsc();
    interrupts++;
}

TEST(a_planted_disturbance_is_found)
{
    struct noise_trace trace = ready(ROOM);
    struct itimerval every = {{0, 10000}, {0, 10000}};

    interrupts = 0;
    signal(SIGALRM, interrupt);
    setitimer(ITIMER_REAL, &every, NULL);
    while (interrupts < INTERRUPTS) {
        unsigned first = interrupts, inside = 0;

        noise_detour_loop(&trace, 400000000);
        for (unsigned i = first; i < interrupts; i++) {
            if (began[i] < trace.start || ended[i] > trace.stop)
                continue; /* between two calls of the loop */
            for (uint32_t k = 0; k < trace.kept; k++)
                if (trace.gap[k].at <= began[i] && trace.gap[k].at + trace.gap[k].ticks >= ended[i])
                    inside++;
            assert_true(trace.kept < ROOM);
        }
        for (unsigned i = first; i < interrupts; i++)
            inside += began[i] < trace.start || ended[i] > trace.stop;
        assert_int_equal(inside, interrupts - first);
        assert_true(trace.largest.ticks >= (inside ? SPIN : 0));
    }
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

TEST(the_trace_is_consistent)
{
    static const uint32_t capacities[] = {ROOM, 3, 0};

    for (unsigned c = 0; c < 3; c++) {
        struct noise_trace trace = ready(capacities[c]);
        uint64_t bins = 0, most = 0, sum = 0;
        unsigned smaller = trace.threshold[NOISE_NINE] > trace.threshold[NOISE_MICROSECOND]; /* enum noise_threshold */

        noise_detour_loop(&trace, 300000000);
        assert_true(trace.stop - trace.start >= 300000000);
        assert_true(trace.reads > 1000);
        for (unsigned i = 0; i < NOISE_BINS; i++)
            bins += trace.bins[i];
        assert_int_equal(bins, trace.count[smaller]);
        assert_int_equal(trace.kept, trace.count[smaller] < trace.capacity ? trace.count[smaller] : trace.capacity);
        for (uint32_t i = 0; i < trace.kept; i++) {
            assert_true(trace.gap[i].ticks >= trace.threshold[smaller]);
            assert_true(trace.gap[i].at >= (i ? trace.gap[i - 1].at + trace.gap[i - 1].ticks : trace.start));
            sum += trace.gap[i].ticks;
            most = trace.gap[i].ticks > most ? trace.gap[i].ticks : most;
        }
        assert_true(trace.ticks[smaller] <= trace.stop - trace.start);
        if (trace.kept == trace.count[smaller]) {
            assert_int_equal(sum, trace.ticks[smaller]);
            assert_int_equal(most, trace.largest.ticks);
        }
        if (capacities[c] < ROOM) /* nothing is written past the end */
            assert_int_equal(gaps[capacities[c]].ticks, 1);
    }
}

/* Called after each detour, including those that are not kept; the time it takes is not a detour. */
static unsigned asked;

static enum noise_cause witness(void *context)
{
    uint64_t start = __rdtsc();

    assert_ptr_equal(context, gaps);
    while (__rdtsc() - start < SPIN)
        ;
    return asked++ % 2 ? NOISE_SMI : NOISE_UNKNOWN;
}

TEST(a_witness_is_asked)
{
    struct noise_trace trace;

    /* On a busy host the loop may hardly run in the first 100 million ticks. */
    for (uint64_t ticks = 100000000; ticks < 100000000000; ticks *= 4) {
        trace = ready(4);
        trace.threshold[NOISE_NINE] = 1; /* each reading of the TSC is a detour */
        trace.witness = witness;
        trace.context = gaps;
        asked = 0;
        noise_detour_loop(&trace, ticks);
        if (asked > 4)
            break;
    }
    assert_true(asked > 4);
    assert_int_equal(trace.count[NOISE_NINE], asked);
    assert_int_equal(trace.by_cause[NOISE_UNKNOWN], (asked + 1) / 2);
    assert_int_equal(trace.by_cause[NOISE_SMI], asked / 2);
    assert_int_equal(trace.by_cause[NOISE_NOT_ASKED], 0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(trace.gap[i].cause, i % 2 ? NOISE_SMI : NOISE_UNKNOWN);
    assert_true(trace.blind >= (uint64_t)asked * SPIN);
    assert_true(trace.blind + trace.ticks[NOISE_NINE] <= trace.stop - trace.start);
    assert_true(trace.gap[0].ticks < SPIN || trace.gap[1].ticks < SPIN || trace.gap[2].ticks < SPIN);
}

/* Ten times the work takes about ten times as long, in the best case. */
TEST(a_quantum_is_fixed_work)
{
    static uint64_t ticks[2][200];
    struct noise_quanta result[2];

    noise_quantum_loop(ticks[0], 200, 20000);
    noise_quantum_loop(ticks[1], 200, 200000);
    for (unsigned i = 0; i < 2; i++)
        noise_analyse_quanta(&result[i], ticks[i], 200);
    assert_in_range(result[1].least * 10 / result[0].least, 70, 140);
    ticks[0][10] = 7;
    noise_quantum_loop(ticks[0], 10, 1);
    assert_int_equal(ticks[0][10], 7);
}

RUN_TESTS(NULL, NULL)
