/* SPDX-License-Identifier: BSD-2-Clause */
/* Noise from traces that were made up: what is planted is found, and nothing else is. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/rng.h"
#include "core/noise/noise.h"

enum { KHZ = 2000000 /* two ticks per nanosecond */, ROOM = 100000 };

static struct noise_gap gaps[ROOM];
static struct noise_scratch scratch;

static uint64_t random_below(struct rng *rng, uint64_t below)
{
    return rng_next(rng) % below;
}

/* Adds detours with a period, each late by up to 'jitter'; all values are in nanoseconds. */
static uint32_t plant(uint32_t count, uint64_t first, uint64_t period, uint64_t jitter, uint64_t duration,
                      uint64_t length, struct rng *rng)
{
    for (uint64_t at = first; at < duration; at += period)
        gaps[count++] =
            (struct noise_gap){(at + (jitter ? random_below(rng, jitter) : 0)) * 2, length * 2, NOISE_NOT_ASKED};
    return count;
}

static uint32_t scatter(uint32_t count, uint32_t more, uint64_t duration, uint64_t length, struct rng *rng)
{
    while (more--)
        gaps[count++] = (struct noise_gap){random_below(rng, duration) * 2, length * 2, NOISE_NOT_ASKED};
    return count;
}

static int by_time(const void *a, const void *b)
{
    const struct noise_gap *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

static uint64_t trace_start = 1000000;

/* Returns the trace that the loop would have left: usual gap 20 ns, thresholds 180 ns and 1 us. */
static struct noise_trace trace_of(uint32_t count, uint64_t duration)
{
    struct noise_trace trace = {
        .gap = gaps, .capacity = ROOM, .kept = count, .start = trace_start, .reads = duration / 20};

    trace.stop = trace.start + duration * 2;
    noise_thresholds(&trace, (const uint64_t[]){40}, 1, KHZ);
    qsort(gaps, count, sizeof(gaps[0]), by_time);
    for (uint32_t i = 0; i < count; i++) {
        gaps[i].at += trace.start;
        for (unsigned k = 0; k < NOISE_THRESHOLDS; k++) {
            trace.count[k] += gaps[i].ticks >= trace.threshold[k];
            trace.ticks[k] += gaps[i].ticks >= trace.threshold[k] ? gaps[i].ticks : 0;
        }
        trace.bins[63 - __builtin_clzll(gaps[i].ticks)]++;
    }
    return trace;
}

#define SECONDS(n) ((n)*1000000000ull)

TEST(thresholds)
{
    static uint64_t gap[1000];
    struct noise_trace trace;

    for (unsigned i = 0; i < 1000; i++)
        gap[i] = i % 3 ? 40 : 52;
    for (unsigned i = 0; i < 1000; i += 10) /* a TSC that counts in steps */
        gap[i] = i % 20 ? 1 : 0;
    gap[500] = 1000000;
    noise_thresholds(&trace, gap, 1000, KHZ);
    assert_int_equal(trace.usual, 40);
    assert_int_equal(trace.threshold[NOISE_NINE], 360);
    assert_int_equal(trace.threshold[NOISE_MICROSECOND], 2000);
    /* With a TSC that stands still, and with a broken rate, the threshold is never less than 1 us. */
    noise_thresholds(&trace, (const uint64_t[]){0, 0, 0}, 3, 2000001);
    assert_int_equal(trace.threshold[NOISE_NINE], 9);
    assert_int_equal(trace.threshold[NOISE_MICROSECOND], 2001);
    for (unsigned more = 0; more <= 10; more++) { /* the median of ten values, from one value below the other upwards */
        for (unsigned i = 0; i < 10; i++)
            gap[i] = i < more ? 52 : 40;
        noise_thresholds(&trace, gap, 10, KHZ);
        assert_int_equal(trace.usual, more <= 5 ? 40 : 52);
    }
}

TEST(nothing_is_bounded_by_the_rule_of_three)
{
    struct noise_result result;
    struct noise_trace trace = trace_of(0, SECONDS(600));

    noise_analyse(&result, &trace, KHZ, &scratch);
    assert_int_equal(result.by[NOISE_NINE].count, 0);
    assert_int_equal(result.by[NOISE_NINE].lost_ppb, 0);
    assert_int_equal(result.by[NOISE_NINE].bound_micro, 5000); /* 3 / 600 s */
    assert_int_equal(result.by[NOISE_MICROSECOND].bound_micro, 5000);
    assert_int_equal(result.periods, 0);
    assert_int_equal(result.tops, 0);
    assert_int_equal(result.duration_ns, SECONDS(600));
    assert_int_equal(result.usual_ps, 20000);
}

TEST(sums_are_exact)
{
    struct noise_result result;
    struct rng rng;
    struct noise_trace trace;
    uint32_t count;

    rng_seed(&rng, 1);
    count = plant(0, 1000, 100000000, 0, SECONDS(10), 500, &rng);      /* 100 of 500 ns */
    count = plant(count, 5000, 250000000, 0, SECONDS(10), 3000, &rng); /* 40 of 3 us */
    trace = trace_of(count, SECONDS(10));
    for (unsigned cause = 0; cause < NOISE_CAUSES; cause++)
        trace.by_cause[cause] = 10 + cause;
    for (unsigned bin = 32; bin < NOISE_BINS; bin++) /* of detours of seconds and years */
        trace.bins[bin] = 100 + bin;
    noise_analyse(&result, &trace, KHZ, &scratch);
    for (unsigned cause = 0; cause < NOISE_CAUSES; cause++)
        assert_int_equal(result.by_cause[cause], 10 + cause);
    for (unsigned bin = 32; bin < NOISE_BINS; bin++)
        assert_int_equal(result.bins[bin], 100 + bin);
    assert_int_equal(result.usual_ps, 20000);
    trace.usual = 4000000000; /* 2 s, to the ps */
    noise_analyse(&result, &trace, KHZ, &scratch);
    assert_int_equal(result.usual_ps, 2 * SECONDS(1000));
    trace.usual = 40;
    noise_analyse(&result, &trace, KHZ, &scratch);
    assert_int_equal(result.by[NOISE_NINE].threshold_ns, 180);
    assert_int_equal(result.by[NOISE_NINE].count, 140);
    assert_int_equal(result.by[NOISE_NINE].milli_per_second, 14000);
    assert_int_equal(result.by[NOISE_NINE].lost_ppb, 16720); /* (100 * 480 + 40 * 2980) / 1e10 */
    assert_int_equal(result.by[NOISE_NINE].bound_micro, 0);
    assert_int_equal(result.by[NOISE_MICROSECOND].count, 40);
    assert_int_equal(result.by[NOISE_MICROSECOND].lost_ppb, 11920);
    assert_int_equal(result.bins[9], 100); /* 1000 ticks: 512 to 1023 */
    assert_int_equal(result.bins[12], 40); /* 6000 ticks: 4096 to 8191 */
}

/* Detours take three of four seconds, in ten million detours: so many that a thousand-millionth of a figure shows. */
TEST(nearly_all_is_lost)
{
    struct noise_result result;
    struct noise_trace trace = trace_of(0, SECONDS(4));

    trace.count[NOISE_NINE] = 10000000;
    trace.ticks[NOISE_NINE] = SECONDS(3) * 2 + 10000000 * trace.usual;
    noise_analyse(&result, &trace, KHZ, &scratch);
    assert_int_equal(result.by[NOISE_NINE].lost_ppb, 750000000);
    assert_int_equal(result.by[NOISE_NINE].milli_per_second, 2500000000);
}

TEST(the_longest_are_listed_first)
{
    struct noise_result result;
    struct rng rng;
    struct noise_trace trace;
    uint32_t count = 0;

    rng_seed(&rng, 2);
    for (uint32_t i = 0; i < 50; i++)
        count = plant(count, SECONDS(1) + i * 1000000, SECONDS(100), 0, SECONDS(10), 2000 + i * 7 % 50 * 10, &rng);
    trace = trace_of(count, SECONDS(10));
    noise_analyse(&result, &trace, KHZ, &scratch);
    assert_int_equal(result.tops, NOISE_TOP);
    for (uint32_t i = 0; i < NOISE_TOP; i++) {
        assert_int_equal(result.top[i].ticks, 2000 + (49 - i) * 10);
        assert_int_equal((result.top[i].at - SECONDS(1)) / 1000000 * 7 % 50, 49 - i);
    }
}

/* The rows have the planted detours, the number of random others, and what is to be found. */
TEST(planted_periods_are_found)
{
    static const struct {
        const char *what;
        uint64_t duration;
        uint64_t period[2], jitter[2], length[2]; /* ns */
        uint32_t others, others_length;
        unsigned found, hz;
    } row[] = {
        {"a tick", SECONDS(10), {4000000}, {0}, {3000}, 0, 0, 1, 250},
        {"that jitters by 20 us", SECONDS(10), {4000000}, {20000}, {3000}, 0, 0, 1, 250},
        {"for a second", SECONDS(1), {4000000}, {2000}, {3000}, 20, 5000, 1, 250},
        {"HZ=1000", SECONDS(10), {1000000}, {5000}, {2000}, 500, 5000, 1, 1000},
        {"HZ=100", SECONDS(10), {10000000}, {5000}, {2000}, 500, 5000, 1, 100},
        {"HZ=300", SECONDS(10), {3333333}, {5000}, {2000}, 500, 5000, 1, 300},
        {"among as many others", SECONDS(10), {4000000}, {5000}, {3000}, 2500, 4000, 1, 250},
        {"among many short ones", SECONDS(5), {4000000}, {5000}, {3000}, 50000, 300, 1, 250},
        {"an SMI every 0.7 s", SECONDS(10), {700000000}, {100000}, {150000}, 0, 0, 1, 0},
        {"with a few others", SECONDS(10), {700000000}, {100000}, {150000}, 5, 2000, 1, 0},
        {"a tick and SMIs", SECONDS(20), {4000000, 700000000}, {2000, 100000}, {3000, 150000}, 0, 0, 2, 250},
        {"a tick short of 1 us", SECONDS(10), {4000000}, {1000}, {500}, 300, 400, 1, 250},
    };

    trace_start = 1ull << 45; /* after hours */
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct noise_result result;
        struct noise_trace trace;
        struct rng rng;
        uint32_t count = 0;

        rng_seed(&rng, 100 + i);
        for (unsigned k = 0; k < 2; k++)
            if (row[i].period[k])
                count = plant(count, 1234567 + k * 1700000, row[i].period[k], row[i].jitter[k], row[i].duration,
                              row[i].length[k], &rng);
        count = scatter(count, row[i].others, row[i].duration, row[i].others_length, &rng);
        trace = trace_of(count, row[i].duration);
        noise_analyse(&result, &trace, KHZ, &scratch);
        if (result.periods != row[i].found)
            fail_msg("%s: %u periods, the first of %llu ns", row[i].what, result.periods,
                     (unsigned long long)result.period[0].nanoseconds);
        for (unsigned k = 0; k < row[i].found; k++) {
            uint64_t off = result.period[k].nanoseconds > row[i].period[k]
                               ? result.period[k].nanoseconds - row[i].period[k]
                               : row[i].period[k] - result.period[k].nanoseconds;

            if (off > row[i].period[k] / 500)
                fail_msg("%s: period %llu ns", row[i].what, (unsigned long long)result.period[k].nanoseconds);
            if (result.period[k].detours < result.period[k].expected * 9 / 10)
                fail_msg("%s: %u of %u detours", row[i].what, result.period[k].detours, result.period[k].expected);
        }
        assert_int_equal(noise_tick_hz(&result.period[0]), row[i].hz);
    }
    trace_start = 1000000;
}

/* Random detours of any rate have no period; nor have detours that always come shortly before another one. */
TEST(no_period_is_invented)
{
    static const uint32_t rows[] = {3, 5, 10, 30, 100, 300, 1000, 3000, 10000, 16384, 40000};
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (unsigned seed = 0; seed < 20; seed++) {
            struct noise_result result;
            struct noise_trace trace;
            struct rng rng;
            uint32_t count;

            rng_seed(&rng, 1000 * i + seed);
            count = scatter(0, rows[i], SECONDS(10), 3000, &rng);
            trace = trace_of(count, SECONDS(10));
            noise_analyse(&result, &trace, KHZ, &scratch);
            wrong += result.periods != 0;
            for (unsigned k = 0; k < result.periods; k++)
                print_message("%u at random, seed %u: %llu ns, %u of %u\n", rows[i], seed,
                              (unsigned long long)result.period[k].nanoseconds, result.period[k].detours,
                              result.period[k].expected);
        }
    }
    assert_int_equal(wrong, 0); /* of 220; four of nine alike, which chance made of 10 detours, were one */
}

TEST(an_echo_is_no_period)
{
    static const uint64_t echoes[] = {3000, 50000, 1500000, 2000000, 2500000};

    for (size_t i = 0; i < sizeof(echoes) / sizeof(echoes[0]); i++) {
        struct noise_result result;
        struct noise_trace trace;
        struct rng rng;
        uint32_t count;

        rng_seed(&rng, i);
        count = plant(0, 1000000, 4000000, 1000, SECONDS(10), 3000, &rng);
        count = plant(count, 1000000 + echoes[i], 4000000, 1000, SECONDS(10), 5000, &rng);
        trace = trace_of(count, SECONDS(10));
        noise_analyse(&result, &trace, KHZ, &scratch);
        if (echoes[i] == 2000000) /* half-way between: the echo has a period of its own */
            assert_in_range(result.period[0].nanoseconds, 1999000, 2001000);
        else if (result.periods != 1 || noise_tick_hz(&result.period[0]) != 250)
            fail_msg("echo after %llu ns: %u periods, %llu ns", (unsigned long long)echoes[i], result.periods,
                     (unsigned long long)result.period[0].nanoseconds);
    }
}

/* If only the first detours were kept, their period is computed over their time, not over the whole run. */
TEST(a_full_list_still_has_its_period)
{
    struct noise_result result;
    struct noise_trace trace;
    struct rng rng;
    uint32_t count;

    rng_seed(&rng, 7);
    count = plant(0, 1000000, 4000000, 1000, SECONDS(100), 3000, &rng);
    trace = trace_of(count, SECONDS(100));
    trace.kept = trace.capacity = 1000;
    noise_analyse(&result, &trace, KHZ, &scratch);
    assert_int_equal(result.not_kept, count - 1000);
    assert_int_equal(result.periods, 1);
    assert_int_equal(noise_tick_hz(&result.period[0]), 250);
    assert_in_range(result.period[0].expected, 995, 1000);
}

TEST(quanta)
{
    static const uint64_t ticks[] = {1000, 1000, 1001, 1500, 1000, 5000};
    struct noise_quanta result;

    noise_analyse_quanta(&result, ticks, 6);
    assert_int_equal(result.least, 1000);
    assert_int_equal(result.most, 5000);
    assert_int_equal(result.sum, 10501);
    assert_int_equal(result.lost_ppb, 428625845); /* 4501 / 10501 */
    assert_int_equal(result.spread_ppm, 4000000);
    assert_int_equal(result.late[0], 4);  /* 0, 0, 1, 0 */
    assert_int_equal(result.late[8], 1);  /* 500 */
    assert_int_equal(result.late[11], 1); /* 4000 */
    noise_analyse_quanta(&result, ticks, 0);
    assert_int_equal(result.least, 0);
    assert_int_equal(result.lost_ppb, 0);
}

static enum noise_cause never_asked(void *context)
{
    return NOISE_UNKNOWN;
}

TEST(it_prints)
{
    static char text[20000];
    struct out_memory out;
    struct noise_result result;
    struct noise_quanta fixed;
    struct noise_trace trace;
    struct rng rng;
    uint32_t count;

    rng_seed(&rng, 9);
    count = plant(0, 1000000, 4000000, 0, SECONDS(10), 3000, &rng);
    trace = trace_of(count, SECONDS(10));
    noise_analyse(&result, &trace, KHZ, &scratch);
    out_memory_init(&out, text, sizeof(text));
    noise_print(&out.out, &result);
    assert_non_null(strstr(text, "10.000 s, 500000000 readings of the TSC,\n    20.000 ns apart as a rule\n"));
    assert_non_null(strstr(text, "9 x the usual gap       180 ns       2500      250.000        745000\n"));
    assert_non_null(strstr(text, "1 us                   1000 ns       2500      250.000        745000\n"));
    assert_non_null(strstr(text, "Period: 250.000 times a second, every 4.000 ms: 2500 of 2500 detours\n"
                                 "    as the timer tick of a kernel with HZ=250\n"));
    assert_non_null(strstr(text, "\n         3.000  0.001000000\n"));
    out_memory_init(&out, text, sizeof(text));
    out_printf(&out.out, NOISE_CSV_HEADER);
    noise_write_rows(&out.out, "linux", &trace, KHZ);
    assert_memory_equal(text, "regime,start_ns,length_ns,cause\nlinux,1000000,3000,\nlinux,5000000,3000,\n", 72);

    trace = trace_of(2, SECONDS(10));
    trace.witness = never_asked;
    trace.gap[0].cause = NOISE_SMI;
    trace.by_cause[NOISE_SMI] = trace.by_cause[NOISE_UNKNOWN] = 1;
    trace.blind = 2000;
    noise_analyse(&result, &trace, KHZ, &scratch);
    trace.gap[0].cause = NOISE_NOT_ASKED;
    out_memory_init(&out, text, sizeof(text));
    noise_print(&out.out, &result);
    assert_non_null(strstr(text, "Causes: 1 unknown, 1 SMI; 1000 ns not watched during this\n"));
    assert_non_null(strstr(text, "000  SMI\n"));

    /* Causes without detours are left out, and causes after them are not. */
    result.by_cause[NOISE_UNKNOWN] = 0;
    result.by_cause[NOISE_SMI] = 3;
    result.by_cause[NOISE_NMI] = 0;
    result.by_cause[NOISE_INTERRUPT] = 4;
    out_memory_init(&out, text, sizeof(text));
    noise_print(&out.out, &result);
    assert_non_null(strstr(text, "Causes: 3 SMI, 4 interrupt; 1000 ns not watched during this\n"));

    /* The detours have no period, and more short or long detours occurred than were kept. */
    result.periods = 0;
    result.not_kept = 5;
    for (unsigned more = 0; more < 2; more++) {
        result.by[NOISE_NINE].count = more ? 105 : 25;
        result.by[NOISE_MICROSECOND].count = more ? 15 : 205;
        out_memory_init(&out, text, sizeof(text));
        noise_print(&out.out, &result);
        assert_non_null(strstr(text, "\nPeriod: none found\n"));
        assert_non_null(strstr(text, more ? "The first 100 detours" : "The first 200 detours"));
    }

    trace = trace_of(0, SECONDS(10));
    noise_analyse(&result, &trace, KHZ, &scratch);
    out_memory_init(&out, text, sizeof(text));
    noise_print(&out.out, &result);
    assert_non_null(strstr(text, "none, so fewer than 0.300000 a second (95 %)\n"));
    assert_null(strstr(text, "Period"));
    assert_null(strstr(text, "What they were"));
    assert_null(strstr(text, "powers of two")); /* no title of bars that are missing, either */
    noise_analyse_quanta(&fixed, (const uint64_t[]){200000, 300000}, 2);
    out_memory_init(&out, text, sizeof(text));
    noise_print_quanta(&out.out, &fixed, KHZ);
    assert_non_null(
        strstr(text, "2 quanta of 100.000 us at least;\n    lost 200000000 e-9; the longest took 50.0000 % more\n"));
}

/* Returns figures that no two lines share, so that every form is printed. */
static struct noise_result made_result(void)
{
    struct noise_result result = {
        .duration_ns = 12345678901,
        .reads = 987654321,
        .backwards = 3,
        .usual_ps = 20005,
        .tsc_khz = 2500000,
        .by = {{180, 4321, 350123, 745001, 0}, {1000, 0, 0, 0, 242999}},
        .bins = {[0] = 7, [9] = 1, [10] = 1023, [11] = 1024, [13] = 65535},
        .top = {{1500000001, 700123, NOISE_SMI}, {2500000002, 9001, NOISE_NMI}, {1, 1001, NOISE_UNKNOWN}},
        .tops = 3,
        .not_kept = 4000,
        .witnessed = true,
        .by_cause = {5, 11, 12, 13, 14, 15},
        .blind_ns = 5678,
        .period = {{4000100, 249994, 2400, 2500}, {700123456, 1428, 14, 17}},
        .periods = 2,
    };

    return result;
}

TEST(every_form)
{
    static char text[20000];
    const struct noise_quanta quanta = {.count = 1000,
                                        .least = 250000,
                                        .most = 375001,
                                        .sum = 260000000,
                                        .lost_ppb = 38461538,
                                        .spread_ppm = 500004,
                                        .late = {[0] = 900, [3] = 99, [16] = 1}};
    struct noise_result result = made_result();
    struct noise_gap kept[10];
    struct noise_trace trace = {.gap = kept, .capacity = 10, .kept = 10, .start = 1000};
    struct out_memory out;

    for (unsigned i = 0; i < 10; i++)
        kept[i] =
            (struct noise_gap){1000 + 2500000ull * i * i, 2500000 + 5 * i, NOISE_UNKNOWN}; /* i * i ms; 1 ms and more */
    out_memory_init(&out, text, sizeof(text));
    noise_print(&out.out, &result);
    result.witnessed = false;
    result.backwards = result.not_kept = 0;
    memset(result.by_cause, 0, sizeof(result.by_cause));
    result.by_cause[NOISE_NOT_ASKED] = 77;
    for (unsigned i = 0; i < 3; i++)
        result.top[i].cause = NOISE_NOT_ASKED;
    result.by[NOISE_MICROSECOND].count = 5000;
    noise_print(&out.out, &result);
    noise_print_quanta(&out.out, &quanta, result.tsc_khz);
    noise_write_rows(&out.out, "alone", &trace, result.tsc_khz);
    check_golden("noise.txt", text);

    out_memory_init(&out, text, sizeof(text));
    result = made_result();
    trace.largest.ticks = 9999999;
    noise_write_facts(&out.out, "alone", &result, &trace);
    noise_write_quanta_facts(&out.out, "alone", &quanta);
    result.periods = 0;
    memset(result.bins, 0, sizeof(result.bins));
    memset(result.by_cause, 0, sizeof(result.by_cause));
    noise_write_facts(&out.out, "linux", &result, &trace);
    check_golden("noise_facts.txt", text);
}

/* A long quantum's bin begins at its exact time: 2^31 ticks of 2.5 GHz. */
TEST(a_long_quantum_has_its_bin)
{
    static char text[1000];
    const struct noise_quanta quanta = {.count = 1, .least = 1, .most = 1, .sum = 1, .late = {[31] = 1}};
    struct out_memory out;

    out_memory_init(&out, text, sizeof(text));
    noise_print_quanta(&out.out, &quanta, 2500000);
    assert_non_null(strstr(text, "(bars: powers of two)\n   858993459           1 ****"));
}

TEST(causes_and_ticks_have_names)
{
    static const char *const names[] = {"", "unknown", "SMI", "NMI", "interrupt", "P-state change", ""};
    static const struct {
        uint64_t milli_hz;
        unsigned hz;
    } rows[] = {
        {100000, 100},   {99501, 100},   {99500, 0},  {100499, 100},   {100500, 0},   {250000, 250}, {248751, 250},
        {248750, 0},     {251249, 250},  {251250, 0}, {300000, 300},   {298501, 300}, {301499, 300}, {301500, 0},
        {1000000, 1000}, {995001, 1000}, {995000, 0}, {1004999, 1000}, {1005000, 0},  {0, 0},        {200000, 0},
    };

    for (uint32_t cause = 0; cause < 7; cause++)
        assert_string_equal(noise_cause_name(cause), names[cause]);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) /* within half a per cent */
        assert_int_equal(noise_tick_hz(&(struct noise_period){.milli_hz = rows[i].milli_hz}), rows[i].hz);
}

/* The first detour is no tick; nothing of an earlier analysis is left in the scratch memory. */
TEST(the_first_detour_is_not_counted)
{
    struct noise_result result;
    struct noise_trace trace;
    uint32_t count = plant(0, 500000, SECONDS(2), 0, SECONDS(1), 3000, NULL);

    for (uint64_t n = 0; n < 250; n++)
        if (n % 25)
            count = plant(count, 1000000 + n * 4000000, SECONDS(2), 0, SECONDS(1), 3000, NULL);
    trace = trace_of(count, SECONDS(1));
    memset(&scratch, 1, sizeof(scratch));
    noise_analyse(&result, &trace, KHZ, &scratch);
    assert_int_equal(result.periods, 1);
    assert_int_equal(result.period[0].expected, 250);
    assert_int_equal(result.period[0].detours, 240);
}

/* Four detours at one distance are a period; three, and a tick of another period, are not. The mean is rounded to the
 * nearest ns: the last detour is 1 ns late. */
TEST(few_make_a_period)
{
    enum { TICK = 4000000, RARE = 101500000, FIRST = 1000000 };

    for (unsigned ticks = 0; ticks < 2; ticks++) {
        struct noise_result result;
        struct noise_trace trace;
        uint32_t count = ticks ? plant(0, FIRST, TICK, 0, 450000000, 3000, NULL) : 0;

        for (unsigned n = ticks; n < 4; n++)
            count = plant(count, FIRST + n * (uint64_t)RARE + n / 3, SECONDS(1), 0, 450000000, 3000, NULL);
        trace = trace_of(count, 450000000);
        noise_analyse(&result, &trace, KHZ, &scratch);
        assert_int_equal(result.periods, 1);
        assert_in_range(result.period[0].nanoseconds, ticks ? TICK - 1000 : RARE, ticks ? TICK + 1000 : RARE);
        if (!ticks)
            assert_int_equal(result.period[0].detours, 4);
    }
}

TEST(the_shortest_four_are_listed)
{
    static const uint64_t periods[] = {3000000, 7100000, 17300000, 41900000, 97700000};
    struct noise_result result;
    struct noise_trace trace;
    uint32_t count = 0;

    for (unsigned i = 0; i < 5; i++)
        count = plant(count, 1000000 + 1234567 * i, periods[i], 0, SECONDS(10), 3000, NULL);
    trace = trace_of(count, SECONDS(10));
    noise_analyse(&result, &trace, KHZ, &scratch);
    assert_int_equal(result.periods, NOISE_PERIODS);
    for (unsigned i = 0; i < NOISE_PERIODS; i++)
        assert_in_range(result.period[i].nanoseconds, periods[i] - periods[i] / 500, periods[i] + periods[i] / 500);
}

/* Every tenth detour of a period is missing: those that came are counted, out of all that the period demands; the mean
 * is the planted period, to the nanosecond, and random detours are not counted. */
TEST(missing_detours_are_not_counted)
{
    static const struct {
        uint32_t others;
        unsigned low, high; /* detours of 2500, of which 2250 came */
    } rows[] = {{0, 2250, 2250}, {2000, 2150, 2350}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct noise_result result;
        struct noise_trace trace;
        struct rng rng;
        uint32_t count = 0;

        rng_seed(&rng, 300);
        for (uint64_t n = 0; n < 2500; n++)
            if (n % 10)
                count = plant(count, 1000000 + n * 4000000, SECONDS(100), 0, SECONDS(10), 3000, &rng);
        count = scatter(count, rows[i].others, SECONDS(10), 4000, &rng);
        trace = trace_of(count, SECONDS(10));
        noise_analyse(&result, &trace, KHZ, &scratch);
        assert_int_equal(result.periods, 1);
        assert_in_range(result.period[0].nanoseconds, 3999000, 4001000);
        assert_in_range(result.period[0].milli_hz, 249900, 250100);
        assert_in_range(result.period[0].expected, 2499, 2500);
        assert_in_range(result.period[0].detours, rows[i].low, rows[i].high);
    }
}

/* If the list is full, the detours end with the last one kept; otherwise they cover the whole run. */
TEST(a_list_that_just_fits)
{
    for (uint32_t room = 1250; room <= 1251; room++) {
        struct noise_result result;
        struct noise_trace trace;
        struct rng rng;
        uint32_t count;

        rng_seed(&rng, 7);
        count = plant(0, 1000000, 4000000, 0, SECONDS(5), 3000, &rng);
        assert_int_equal(count, 1250);
        trace = trace_of(count, SECONDS(8));
        trace.capacity = room;
        noise_analyse(&result, &trace, KHZ, &scratch);
        assert_int_equal(result.not_kept, 0);
        assert_int_equal(result.periods, 1);
        assert_int_equal(result.period[0].expected, room == 1250 ? 1249 : 2000);
        assert_in_range(result.period[0].detours, 1249, 1250);
    }
}

/* A period must continue: detours in twos, and a few in threes, at one distance are no period, however many there
 * are. */
TEST(pairs_are_no_period)
{
    struct noise_result result;
    struct noise_trace trace;
    struct rng rng;
    uint32_t count = 0;

    rng_seed(&rng, 17);
    for (unsigned i = 0; i < 800; i++) {
        uint64_t first = random_below(&rng, SECONDS(9));

        count = plant(count, first, 4000000, 0, first + (i % 40 ? 5000000 : 9000000), 3000, &rng);
    }
    trace = trace_of(count, SECONDS(10));
    noise_analyse(&result, &trace, KHZ, &scratch);
    assert_int_equal(result.periods, 0);
}

/* ---------------------------------------------------------------- where a period begins to be one */

enum { PERIOD = 4000000, TICK = PERIOD / 1000 };

static struct noise_period found[NOISE_PERIODS];

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Returns the first period of detours at these times in microseconds; 0: none. */
static uint64_t first_period(const uint32_t *at, uint32_t count, uint64_t duration)
{
    memset(&scratch, 0, sizeof(scratch));
    for (uint32_t i = 0; i < count; i++)
        scratch.at[i] = SECONDS(1) + at[i] * 1000ull;
    qsort(scratch.at, count, sizeof(scratch.at[0]), by_value);
    return noise_periods(found, &scratch, count, duration) ? found[0].nanoseconds : 0;
}

/* A distance of more than a third of the time is no period, because two bursts are too few. */
TEST(bursts_are_no_period)
{
    for (uint32_t apart = 320000; apart <= 350000; apart += 30000) {
        uint32_t at[8];

        for (uint32_t i = 0; i < 8; i++)
            at[i] = i % 4 * 2 + (i < 4 ? 0 : apart);
        if (apart < 333333)
            assert_in_range(first_period(at, 8, SECONDS(1)), 319990000, 320010000);
        else
            assert_int_equal(first_period(at, 8, SECONDS(1)), 0);
    }
}

/* Other detours lie 2 % beside the ticks, and make distances that are nearly alike: the ticks' distances must exceed
 * those around them by an eighth, and by four times their root. */
TEST(alike_by_more_than_chance)
{
    static const struct {
        uint32_t ticks, expected, beside[4];
        bool period;
    } rows[] = {
        {6, 8, {4080, 7920, 12080, 20080}, true},  /* 5 alike, 7 around */
        {6, 8, {4080, 7920, 12080, 15920}, false}, /* 5, 8 */
        {6,
         9,
         {4131, 7869, 12131, 15869},
         false}, /* at the end of the neighbourhood, eight steps away: the same result */
        {7, 10, {4080, 7920, 12080, 15920}, true}, /* 6, 8 */
        {7, 8, {4080, 7920, 12080, 15920}, true},  /* where chance makes one, seven are just enough */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t at[16], count = 0;

        for (uint32_t n = 0; n < rows[i].ticks; n++)
            at[count++] = TICK * n;
        for (uint32_t n = 0; n < 4; n++)
            at[count++] = rows[i].beside[n];
        if ((first_period(at, count, rows[i].expected * (uint64_t)PERIOD) == PERIOD) != rows[i].period)
            fail_msg("row %u", (unsigned)i);
    }
}

/* Half of the times of a period, less two, must have a detour both before and after them. The rows spread a hundred
 * ticks over so many runs: each run has two ends. */
TEST(half_of_a_period_goes_on)
{
    static const struct {
        uint32_t runs, more; /* runs of ticks, with one missing after each; further ticks that are missing */
        bool period;
    } rows[] = {{17, 2, true}, {18, 0, false}}; /* 48 and 47 in the middle */

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t at[100], count = 0, missing = 0;

        for (uint32_t n = 0; n < 100; n++) {
            bool gap = missing < rows[i].runs - 1 && n % 5 == 4;
            bool second = n % 5 == 0 && n > 0 && n <= 5 * rows[i].more;

            missing += gap;
            if (!gap && !second)
                at[count++] = TICK * n;
        }
        if ((first_period(at, count, 100ull * PERIOD) == PERIOD) != rows[i].period)
            fail_msg("row %u", (unsigned)i);
    }
}

/* Adds detours a microsecond apart, none of them a period away from a tick. */
static uint32_t burst(uint32_t *at, uint32_t count, uint32_t until)
{
    for (uint32_t n = 0; count < until; n++)
        at[count++] = 10 * TICK + TICK * 3 / 10 + n;
    return count;
}

/* With many other detours around, some have others a period before and after them by chance: of 1200, each with 0.048
 * others where it looks for one (1200 * 2 % of the period, in 500 periods), 1200 * 0.048 * 0.048 = 2.8, so 3. That many
 * more must have both. */
TEST(goes_on_by_more_than_chance)
{
    static uint32_t at[1200];

    for (uint32_t last = 498; last <= 499; last++) { /* 83 runs: 250 and 251 ticks in the middle of one */
        uint32_t count = 0, missing = 0;

        for (uint32_t n = 0; n < last; n++) {
            bool gap = missing < 82 && n % 6 == 5;

            missing += gap;
            if (!gap)
                at[count++] = TICK * n;
        }
        assert_int_equal(count - 2 * 83, last - 82 - 2 * 83);
        count = burst(at, count, 1200);
        assert_int_equal(first_period(at, count, 500ull * PERIOD) == PERIOD, last == 499);
    }
}

/* Pairs a period apart are no ticks. Of 69 detours chance makes 2 * 69 * 69 * 2 % / 20 = 9.5 members of a chain of 20,
 * so 10; at least six times the root of 9 more are necessary: 28. */
TEST(members_by_more_than_chance)
{
    static const uint32_t beside[] = {TICK / 10, TICK / 5, TICK / 2, TICK * 7 / 10};

    for (uint32_t pairs = 3; pairs <= 4; pairs++) {
        uint32_t at[69], count = 0;

        for (uint32_t n = 0; n < 20; n++)
            at[count++] = TICK * n;
        for (uint32_t n = 0; n < pairs; n++) {
            at[count++] = TICK * 3 * n + beside[n];
            at[count++] = TICK * 3 * n + beside[n] + TICK;
        }
        count = burst(at, count, 69);
        assert_int_equal(first_period(at, count, 20ull * PERIOD), pairs == 4 ? PERIOD : 0);
    }
}

/* The nearer of two detours at about the right time counts: ten ticks have a second detour 20 us after them, for
 * which the next tick comes 20 us too early, and which is not taken for the tick. */
TEST(the_nearest_is_the_partner)
{
    uint32_t at[110], count = 0;

    for (uint32_t n = 0; n < 100; n++) {
        at[count++] = TICK * n;
        if (n % 10 == 3)
            at[count++] = TICK * n + 20;
    }
    assert_int_equal(first_period(at, count, 100ull * PERIOD), 3998165); /* of 99 times 4 ms, ten times 3.98 ms */
}

/* Three distances are nearly alike; 4195 us is off by more than a hundredth of their mean, 4237.7 us. The two that
 * remain make no chain of four. */
TEST(a_better_value_may_leave_too_few)
{
    static const uint32_t at[] = {0, 1000, 4259, 1000 + 4195, 2 * 4259};

    found[0].nanoseconds = 77; /* the result must stay unchanged */
    assert_int_equal(first_period(at, 5, 5ull * PERIOD), 0);
    assert_int_equal(found[0].nanoseconds, 77);
}

/* One detour that has three others at similar distances is no chain; two more, a little less far apart, do not make it
 * one. */
TEST(a_star_is_no_period)
{
    static const uint32_t at[] = {0, 3984, 4012, 4013, 7000, 10948};

    assert_int_equal(first_period(at, 6, 5ull * PERIOD), 0);
}

RUN_TESTS(NULL, NULL)
