/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings, start, stop and the NMI handler of IBS, as sequences of register accesses. */
#include "tests/unit/drivers/fake_cpu.h"

#include <stdio.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "drivers/pmu/ibs.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/tables.h"

enum { MODEL_B = 2, MODEL_C = 4 };

/* ---------------------------------------------------------------- settings */

struct resolve_row {
    uint32_t model;
    struct ibs_plan plan;
    enum session_error error;
    struct ibs_settings settings;
};

#define FETCH(period, rand)   .fetch = true, .fetch_period = period, .random = rand
#define OP(period, ops, rand) .op = true, .op_period = period, .count_ops = ops, .random = rand

static const struct resolve_row resolve_rows[] = {
    {MODEL_C, {FETCH(0x10, false)}, SESSION_OK, {.fetch_ctl = 0x0001000000000001}},
    {MODEL_C, {FETCH(0xFFFF0, true)}, SESSION_OK, {.fetch_ctl = 0x020100000000FFFF}},
    {MODEL_C, {FETCH(0, false)}, SESSION_FETCH_PERIOD_LOW, {0}},
    {MODEL_C, {FETCH(0x100000, false)}, SESSION_FETCH_PERIOD_HIGH, {0}},
    {MODEL_C, {FETCH(0x11, false)}, SESSION_PERIOD_NIBBLE, {0}},
    {MODEL_C, {OP(0x90, true, false)}, SESSION_OK, {.op_ctl = 0xA0009}},
    {MODEL_C, {OP(0x80, true, false)}, SESSION_OP_PERIOD_LOW, {0}},
    {MODEL_C, {OP(0xFFFF0, false, false)}, SESSION_OK, {.op_ctl = 0x2FFFF}},
    {MODEL_C, {OP(0x100000, false, false)}, SESSION_OP_PERIOD_HIGH, {0}},
    {MODEL_C, {OP(0x1008, false, false)}, SESSION_PERIOD_NIBBLE, {0}},
    /* 65536: 4096 values of CurCnt, MaxCnt up by 2048 / 16 */
    {MODEL_C,
     {OP(0x10000, true, true)},
     SESSION_OK,
     {.op_ctl = 0xA1080, .op_random = IBS_RANDOM_CURCNT, .op_random_range = 4096}},
    /* shorter than 8192: less than half the period */
    {MODEL_C,
     {OP(0x1000, true, true)},
     SESSION_OK,
     {.op_ctl = 0xA0140, .op_random = IBS_RANDOM_CURCNT, .op_random_range = 2048}},
    {MODEL_C,
     {OP(0x90, true, true)},
     SESSION_OK,
     {.op_ctl = 0xA000B, .op_random = IBS_RANDOM_CURCNT, .op_random_range = 64}},
    {MODEL_C,
     {OP(0xFF7F0, true, true)},
     SESSION_OK,
     {.op_ctl = 0xAFFFF, .op_random = IBS_RANDOM_CURCNT, .op_random_range = 4096}},
    /* cycles: MaxCnt varies, as far as its lower 16 bits allow */
    {MODEL_C,
     {OP(0x10000, false, true)},
     SESSION_OK,
     {.op_ctl = 0x21000, .op_random = IBS_RANDOM_BOTH, .op_random_range = 4096}},
    {MODEL_C,
     {OP(0xFF7F0, false, true)},
     SESSION_OK,
     {.op_ctl = 0x2FF7F, .op_random = IBS_RANDOM_BOTH, .op_random_range = 4096}},
    {MODEL_C,
     {OP(0xA0, false, true)},
     SESSION_OK,
     {.op_ctl = 0x2000A, .op_random = IBS_RANDOM_BOTH, .op_random_range = 32}},
    {MODEL_C,
     {OP(0x90, false, true)},
     SESSION_OK,
     {.op_ctl = 0x2000B, .op_random = IBS_RANDOM_CURCNT, .op_random_range = 64}},
    {MODEL_C, {OP(0xFF800, true, true)}, SESSION_OP_PERIOD_HIGH_RANDOM, {0}},
    {MODEL_B, {OP(0x10000, true, true)}, SESSION_NO_OP_COUNTING, {0}},
    {MODEL_B,
     {OP(0x10000, false, true)},
     SESSION_OK,
     {.op_ctl = 0x21000, .op_random = IBS_RANDOM_MAXCNT, .op_random_range = 4096}},
    {MODEL_B,
     {OP(0xFF7F0, false, true)},
     SESSION_OK,
     {.op_ctl = 0x2FF7F, .op_random = IBS_RANDOM_MAXCNT, .op_random_range = 4096}},
    {MODEL_B,
     {OP(0x400, false, true)},
     SESSION_OK,
     {.op_ctl = 0x20040, .op_random = IBS_RANDOM_MAXCNT, .op_random_range = 1024}},
    {MODEL_B, /* half of the range is at most half of the period */
     {OP(0x3F0, false, true)},
     SESSION_OK,
     {.op_ctl = 0x2003F, .op_random = IBS_RANDOM_MAXCNT, .op_random_range = 512}},
    {MODEL_B,
     {OP(0xC0, false, true)},
     SESSION_OK,
     {.op_ctl = 0x2000C, .op_random = IBS_RANDOM_MAXCNT, .op_random_range = 64}},
    {MODEL_B,
     {OP(0xA0, false, true)},
     SESSION_OK,
     {.op_ctl = 0x2000A, .op_random = IBS_RANDOM_MAXCNT, .op_random_range = 32}},
    {MODEL_B, {OP(0x90, false, true)}, SESSION_OK, {.op_ctl = 0x20009}}, /* nothing left to vary */
    {MODEL_B, {OP(0x10000, false, false)}, SESSION_OK, {.op_ctl = 0x21000}},
};

TEST(test_resolve)
{
    for (size_t i = 0; i < sizeof resolve_rows / sizeof resolve_rows[0]; i++) {
        const struct resolve_row *row = &resolve_rows[i];
        struct machine machine;
        struct ibs_settings settings = {0};
        fake_machine(&machine, row->model);
        enum session_error error = ibs_resolve(&row->plan, &machine, &settings);
        if (error != row->error || memcmp(&settings, &row->settings, sizeof settings))
            fail_msg("row %zu: error %d fetch %llx op %llx random %d range %u", i, error,
                     (unsigned long long)settings.fetch_ctl, (unsigned long long)settings.op_ctl, settings.op_random,
                     settings.op_random_range);
    }
}

TEST(test_resolve_caps)
{
    struct machine machine;
    fake_machine(&machine, MODEL_C);
    struct ibs_plan both = {FETCH(0x10000, true), .op = true, .op_period = 0x10000};
    machine.ibs_caps = IBS_CAP_FFV | IBS_CAP_OP;
    assert_int_equal(ibs_resolve(&both, &machine, NULL), SESSION_NO_FETCH_SAMPLING);
    machine.ibs_caps = IBS_CAP_FFV | IBS_CAP_FETCH;
    assert_int_equal(ibs_resolve(&both, &machine, NULL), SESSION_NO_OP_SAMPLING);
    machine.ibs = false;
    assert_int_equal(ibs_resolve(&both, &machine, NULL), SESSION_NO_IBS);
    assert_int_equal(ibs_resolve(&(struct ibs_plan){FETCH(0x10000, true)}, &machine, NULL), SESSION_NO_IBS);
    assert_int_equal(ibs_resolve(&(struct ibs_plan){.op = true, .op_period = 0x10000}, &machine, NULL), SESSION_NO_IBS);
    assert_int_equal(ibs_resolve(&(struct ibs_plan){0}, &machine, NULL), SESSION_OK); /* nothing to sample */
}

/* ---------------------------------------------------------------- randomisation */

struct random_row {
    uint32_t model;
    uint32_t period;
    bool ops;
    uint32_t range;
    uint32_t steps; /* number of values of CurCnt, 0: no variation */
};

/* Returns the interval in counts until the next sample. */
static uint32_t interval(uint64_t ctl)
{
    return ibs_period(ibs_op_max_cnt(ctl)) - ibs_op_cur_cnt(ctl);
}

TEST(test_random_intervals)
{
    static const struct random_row rows[] = {
        {MODEL_C, 0x10000, true, 4096, 4096}, {MODEL_C, 0x90, true, 64, 64},      {MODEL_C, 0xFF7F0, true, 4096, 4096},
        {MODEL_C, 0x10000, false, 4096, 16},  {MODEL_C, 0xA0, false, 32, 16},     {MODEL_C, 0x90, false, 64, 64},
        {MODEL_C, 0xFF7F0, false, 4096, 16},  {MODEL_B, 0x10000, false, 4096, 0}, {MODEL_B, 0xFF7F0, false, 4096, 0},
        {MODEL_B, 0x400, false, 1024, 0},     {MODEL_B, 0xC0, false, 64, 0},
    };
    enum { DRAWS = 200000 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct random_row *row = &rows[i];
        struct machine machine;
        struct ibs_settings settings;
        struct nmi_context engine;
        fake_machine(&machine, row->model);
        struct ibs_plan plan = {OP(row->period, row->ops, true)};
        assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_OK);
        ibs_init(&engine, &settings, 42, 0, NULL, 0);
        uint64_t sum = 0;
        uint32_t low = ~0u, high = 0, steps = 0;
        for (unsigned n = 0; n < DRAWS; n++) {
            uint64_t ctl = ibs_next_op_ctl(&engine);
            assert_int_equal(ctl & ~(IBS_OP_MAX_CNT | IBS_OP_CUR_CNT), IBS_OP_EN | (row->ops ? IBS_OP_CNT_CTL : 0));
            steps = ibs_op_cur_cnt(ctl) > steps ? ibs_op_cur_cnt(ctl) : steps;
            assert_true(ibs_op_max_cnt(ctl) >= 9);
            uint32_t counts = interval(ctl);
            sum += counts;
            low = counts < low ? counts : low;
            high = counts > high ? counts : high;
        }
        /* The whole range is used, and no more; the mean is the period within half a count and five standard errors. */
        assert_in_range(high - low, row->range - row->range / 16, row->range);
        assert_int_equal(steps, row->steps ? row->steps - 1 : 0);
        assert_int_equal(engine.linger, row->model == MODEL_B ? 16 : 0); /* if only MaxCnt varies */
        double mean = (double)sum / DRAWS, error = mean - row->period;
        double bound = 0.5 + 5.0 * row->range * 0.289 / 447.0;
        if (error > bound || error < -bound)
            fail_msg("row %zu: mean %f of period %u", i, mean, row->period);
    }
}

TEST(test_same_seed_same_intervals)
{
    struct machine machine;
    struct ibs_settings settings;
    struct nmi_context a, b, c;
    fake_machine(&machine, MODEL_C);
    struct ibs_plan plan = {OP(0x10000, true, true)};
    assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_OK);
    ibs_init(&a, &settings, 7, 0, NULL, 0);
    ibs_init(&b, &settings, 7, 0, NULL, 0);
    ibs_init(&c, &settings, 8, 0, NULL, 0);
    bool differs = false;
    for (unsigned i = 0; i < 100; i++) {
        uint64_t value = ibs_next_op_ctl(&a);
        assert_int_equal(value, ibs_next_op_ctl(&b));
        differs |= value != ibs_next_op_ctl(&c);
    }
    assert_true(differs);
}

/* The first intervals that were drawn, of one kind. */
struct drawn {
    uint64_t sum, least, most;
    unsigned odd; /* number that are no multiples of 16 */
};

static void add_drawn(struct drawn *drawn, uint64_t interval)
{
    drawn->sum += interval;
    drawn->least = !drawn->least || interval < drawn->least ? interval : drawn->least;
    drawn->most = interval > drawn->most ? interval : drawn->most;
    drawn->odd += interval % 16 != 0;
}

enum { FIRSTS = 4000 };

/* Checks that each number of counts is equally likely, from the least on: the mean is within four standard errors of
 * half the range. */
static void check_drawn(const struct drawn *drawn, uint32_t range, uint32_t least, bool exact)
{
    if (range <= least) {
        assert_int_equal(drawn->sum, (uint64_t)least * FIRSTS);
        return;
    }
    assert_in_range(drawn->sum / FIRSTS, range * 0.48, range * 0.52);
    assert_int_equal(drawn->least, least);
    assert_in_range(drawn->most, range * 0.99 - 16, range);
    assert_in_range(drawn->odd, exact ? FIRSTS * 0.9 : 0, exact ? FIRSTS * 0.97 : 0);
}

/* The control registers do not differ otherwise, and later intervals are as without a first interval. */
TEST(test_first_interval)
{
    static const struct {
        uint32_t model;
        struct ibs_plan plan;
    } rows[] = {
        {MODEL_C,
         {.op = true,
          .fetch = true,
          .op_period = 0x10000,
          .fetch_period = 0x4000,
          .random = true,
          .op_first = 0x10000,
          .fetch_first = 0x4000}},
        {MODEL_C,
         {.op = true,
          .fetch = true,
          .op_period = 0x90,
          .fetch_period = 0x10,
          .count_ops = true,
          .op_first = 0x90,
          .fetch_first = 0x10}},
        {MODEL_B, {.op = true, .op_period = 0x2000, .random = true, .op_first = 0x2000}},
        {MODEL_C, {.op = true, .op_period = 0xF0000, .random = true, .op_first = 50001}},
        {MODEL_C,
         {.fetch = true, .fetch_period = 0x8000, .op_period = 0x8000, .op_first = 0x8000, .fetch_first = 0x8000}}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct ibs_plan plan = rows[i].plan, plain = rows[i].plan;
        struct machine machine;
        struct ibs_settings settings, other;
        struct nmi_context nmi, without;
        struct drawn op = {0}, fetch = {0};

        fake_machine(&machine, rows[i].model);
        plain.op_first = plain.fetch_first = 0;
        assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_OK);
        assert_int_equal(ibs_resolve(&plain, &machine, &other), SESSION_OK);
        ibs_init(&without, &other, 3, 0, NULL, 0);
        assert_int_equal(without.op_first | without.fetch_first, 0);
        for (unsigned seed = 0; seed < FIRSTS; seed++) {
            ibs_init(&nmi, &settings, seed, 0, NULL, 0);
            assert_int_equal(nmi.op_ctl, without.op_ctl);
            assert_int_equal(nmi.fetch_ctl, without.fetch_ctl);
            assert_int_equal(nmi.op_first != 0, plan.op);
            assert_int_equal(nmi.fetch_first != 0, plan.fetch);
            if (plan.op) {
                assert_int_equal(nmi.op_first & ~(0xFFFFull | 0xFull << 32), settings.op_ctl & ~0xFFFFull);
                add_drawn(&op, ((nmi.op_first & 0xFFFF) << 4) - (nmi.op_first >> 32));
            }
            if (plan.fetch) {
                assert_int_equal(nmi.fetch_first & ~0xFFFFull, settings.fetch_ctl & ~0xFFFFull);
                add_drawn(&fetch, (nmi.fetch_first & 0xFFFF) << 4);
            }
        }
        if (plan.op)
            check_drawn(&op, plan.op_first, 0x90, plan.random && rows[i].model == MODEL_C);
        if (plan.fetch)
            check_drawn(&fetch, plan.fetch_first, 0x10, false);
    }
}

/* The least and the most are drawn, and all between; an interval longer than the processor counts is refused. */
TEST(test_first_range)
{
    struct machine machine;
    struct ibs_settings settings;
    struct nmi_context nmi;
    struct ibs_plan plan = {.op = true, .op_period = 0x8000, .random = true, .op_first = 0x94};
    unsigned seen[5] = {0};

    fake_machine(&machine, MODEL_C);
    assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_OK);
    for (unsigned seed = 0; seed < 8000; seed++) {
        uint64_t interval;

        ibs_init(&nmi, &settings, seed, 0, NULL, 0);
        interval = ((nmi.op_first & 0xFFFF) << 4) - (nmi.op_first >> 32);
        assert_in_range(interval, 0x90, 0x94);
        seen[interval - 0x90]++;
    }
    for (unsigned i = 1; i < 5; i++)
        assert_in_range(seen[i], 25, 90);
    plan.op_first = 0xFFFF0;
    assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_OK);
    plan.op_first++;
    assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_OP_PERIOD_HIGH);
    plan = (struct ibs_plan){.fetch = true, .fetch_period = 0x8000, .fetch_first = 0xFFFF1};
    assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_FETCH_PERIOD_HIGH);
    plan.fetch_first--;
    assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_OK);
}

/* The first interval is exactly as long as the plan says; a period of 27 bits has its upper bits elsewhere. */
TEST(test_exact_first)
{
    static const struct {
        uint32_t caps, period, exact;
        enum session_error error;
        uint64_t op_first;
    } rows[] = {
        {0x1F, 0xFFFF0, 1, SESSION_OK, 0x000FFFEF000AFFFF},
        {0x1F, 0xFFFF0, 0xFFFF0, SESSION_OK, 0x00000000000AFFFF},
        {0x1F, 0x90, 0x8F, SESSION_OK, 0x00000001000A0009},
        {0x5F, 0x7FFFFF0, 0x123, SESSION_OK, 0x07FFFECD07FAFFFF},
        {0x1F, 0x90, 0x91, SESSION_OP_EXACT, 0},
        {0x17, 0xFFFF0, 1, SESSION_OP_EXACT, 0}, /* IbsOpCurCnt cannot be written */
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct ibs_plan plan = {.op = true, .count_ops = true, .op_period = rows[i].period, .op_exact = rows[i].exact};
        struct ibs_settings settings = {0};
        struct machine machine;
        struct nmi_context nmi;

        fake_machine(&machine, MODEL_C);
        machine.ibs_caps = rows[i].caps;
        assert_int_equal(ibs_resolve(&plan, &machine, &settings), rows[i].error);
        ibs_init(&nmi, &settings, 1, 0, NULL, 0);
        assert_int_equal(nmi.op_first, rows[i].op_first);
        plan.random = true;
        assert_int_not_equal(ibs_resolve(&plan, &machine, NULL), SESSION_OK);
        plan.op = plan.random = false;
        assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_OK);
        assert_int_equal(settings.op_exact, 0);
    }
}

/* ---------------------------------------------------------------- start and stop */

static struct sample_record ring[4];
static struct nmi_context engine;
static struct restore_log restore;

static void set_up(uint32_t model, struct ibs_plan plan, uint32_t capacity)
{
    struct machine machine;
    struct ibs_settings settings;
    fake_machine(&machine, model);
    assert_int_equal(ibs_resolve(&plan, &machine, &settings), SESSION_OK);
    memset(ring, 0, sizeof ring);
    restore_init(&restore);
    ibs_init(&engine, &settings, 1, 3, ring, capacity);
    engine.entry[NMI_ENTRY_IBS] = FAKE_APIC + 0x510;
    fake_clear_log();
}

static const struct ibs_plan both_fixed = {.fetch = true, .fetch_period = 0x10000, .op = true, .op_period = 0x20000};

struct sequence_row {
    uint32_t model;
    bool e420;
    struct ibs_plan plan;
    const char *start, *stop;
};

/* CurCnt counts while the workload runs: in the fake it is 123h when sampling is stopped. */
static const struct sequence_row sequence_rows[] = {
    {MODEL_C,
     true,
     {FETCH(0x10000, false), .op = true, .op_period = 0x20000, .count_ops = true},
     "rdmsr c0011030\nwrmsr c0011030 0\nrdmsr c0011030\n"
     "rdmsr c0011033\nwrmsr c0011033 0\nrdmsr c0011033\n"
     "wrmsr c0011030 1000000001000\nrdmsr c0011030\n"
     "wrmsr c0011033 a2000\nrdmsr c0011033\n",
     "rdmsr c0011033\nwrmsr c0011033 123000a0000\n"
     "rdmsr c0011030\nwrmsr c0011030 1000000000000\n"
     "apic w 510 10400\n"
     "wrmsr c0011033 12300080000\nwrmsr c0011030 0\n"
     "wrmsr c0011033 0\nwrmsr c0011030 0\n"},
    {MODEL_C,
     false,
     {OP(0x20000, true, false)},
     "rdmsr c0011033\nwrmsr c0011033 0\nrdmsr c0011033\nwrmsr c0011033 a2000\nrdmsr c0011033\n",
     "rdmsr c0011033\napic w 510 10400\nwrmsr c0011033 12300080000\nwrmsr c0011033 0\n"},
    {MODEL_B,
     true,
     {OP(0x20000, false, false)},
     "rdmsr c0011033\nwrmsr c0011033 0\nrdmsr c0011033\nwrmsr c0011033 22000\nrdmsr c0011033\n",
     "rdmsr c0011033\nwrmsr c0011033 20000\napic w 510 10400\nwrmsr c0011033 0\nwrmsr c0011033 0\n"},
    {MODEL_B,
     false,
     {FETCH(0x10000, true)},
     "rdmsr c0011030\nwrmsr c0011030 0\nrdmsr c0011030\nwrmsr c0011030 201000000001000\nrdmsr c0011030\n",
     "rdmsr c0011030\napic w 510 10400\nwrmsr c0011030 200000000000000\nwrmsr c0011030 0\n"},
};

TEST(test_sequences)
{
    for (size_t i = 0; i < sizeof sequence_rows / sizeof sequence_rows[0]; i++) {
        const struct sequence_row *row = &sequence_rows[i];
        uint64_t detail;
        set_up(row->model, row->plan, 4);
        assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
        assert_int_equal(detail, 0);
        assert_int_equal(engine.state, NMI_RUNNING_IBS);
        assert_string_equal(fake.log, row->start);
        if (row->model == MODEL_C)
            fake_msr(MSR_IBS_OP_CTL)->value |= 0x123ull << IBS_OP_CUR_CNT_SHIFT;
        fake_clear_log();
        assert_int_equal(ibs_stop(&engine, row->e420, 50000, &detail), SESSION_OK);
        assert_int_equal(engine.state, NMI_STOPPING);
        assert_string_equal(fake.log, row->stop);
        assert_int_equal(fake.pauses, 49); /* the stop waited 50000 ticks for a late NMI; a reading takes 1000 */
    }
}

/* A register that does not exist is named, and nothing is started. */
TEST(test_absent_registers)
{
    static const uint32_t msrs[] = {MSR_IBS_FETCH_CTL, MSR_IBS_OP_CTL};
    for (size_t i = 0; i < 2; i++) {
        uint64_t detail = 0xDEAD;
        set_up(MODEL_C, both_fixed, 4);
        fake_remove_msr(msrs[i]);
        assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_MSR_FAULT);
        assert_int_equal(detail, msrs[i]);
        assert_int_equal(engine.state, NMI_IDLE);
    }
}

/* The first value that is written has the first interval, and later values have the others. */
TEST(test_first_value)
{
    uint64_t detail;

    set_up(MODEL_C,
           (struct ibs_plan){.op = true,
                             .fetch = true,
                             .op_period = 0x8000,
                             .fetch_period = 0x4000,
                             .op_first = 0x8000,
                             .fetch_first = 0x4000},
           4);
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    assert_int_equal(fake_msr(MSR_IBS_OP_CTL)->value, engine.op_first);
    assert_int_equal(fake_msr(MSR_IBS_FETCH_CTL)->value, engine.fetch_first);
    assert_int_not_equal(engine.op_first, engine.op_ctl);
    assert_int_equal(ibs_next_op_ctl(&engine), engine.op_ctl);
}

/* Revision B's first interval is random by MaxCnt, revision C's by CurCnt. */
TEST(test_random_start_value)
{
    uint64_t detail;
    set_up(MODEL_C, (struct ibs_plan){OP(0x10000, true, true)}, 4);
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    uint64_t c = fake_msr(MSR_IBS_OP_CTL)->value;
    assert_int_equal(c & ~(0xFFFull << 32), 0xA1080);
    assert_int_not_equal(ibs_op_cur_cnt(c), 0);
    set_up(MODEL_B, (struct ibs_plan){OP(0x10000, false, true)}, 4);
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    uint64_t b = fake_msr(MSR_IBS_OP_CTL)->value;
    assert_int_equal(b & ~IBS_OP_MAX_CNT, IBS_OP_EN);
    assert_int_not_equal(ibs_op_max_cnt(b), 0x1000);
}

TEST(test_enable_does_not_hold)
{
    uint64_t detail;
    set_up(MODEL_C, both_fixed, 4);
    fake_msr(MSR_IBS_OP_CTL)->writable = 0; /* as QEMU's stock CPUs do */
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_IBS_ENABLE);
    assert_int_equal(detail, MSR_IBS_OP_CTL);
    set_up(MODEL_C, both_fixed, 4);
    fake_msr(MSR_IBS_FETCH_CTL)->writable = 0xFFFF;
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_IBS_ENABLE);
    assert_int_equal(detail, MSR_IBS_FETCH_CTL);
    set_up(MODEL_C, both_fixed, 4); /* left by a sample, and never cleared: there would be no other sample */
    fake_msr(MSR_IBS_OP_CTL)->value = IBS_OP_VAL;
    fake_msr(MSR_IBS_OP_CTL)->writable = ~IBS_OP_VAL;
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_IBS_ENABLE);
    assert_int_equal(detail, MSR_IBS_OP_CTL);
}

TEST(test_stop_goes_through)
{
    uint64_t detail;
    set_up(MODEL_C, both_fixed, 4);
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    fake.fault_at = fake.accesses + 1; /* reading IbsOpCtl */
    assert_int_equal(ibs_stop(&engine, true, 50000, &detail), SESSION_MSR_FAULT);
    assert_int_equal(detail, MSR_IBS_OP_CTL);
    assert_int_equal(fake_msr(MSR_IBS_OP_CTL)->value, 0);
    assert_int_equal(fake_msr(MSR_IBS_FETCH_CTL)->value, 0);
    /* still in the erratum's order */
    assert_non_null(strstr(fake.log, "wrmsr c0011033 20000\n"));
}

/* ---------------------------------------------------------------- the handler */

#define FETCH_READY (IBS_FETCH_EN | IBS_FETCH_VAL | 0x1000)
#define OP_READY    (IBS_OP_EN | IBS_OP_VAL | 0x2000)

/* Runs the handler as an NMI would, without tables. */
static void nmi(uint64_t fetch_ctl, uint64_t op_ctl)
{
    fake_msr(MSR_IBS_FETCH_CTL)->value = fetch_ctl;
    fake_msr(MSR_IBS_OP_CTL)->value = op_ctl;
    fake_clear_log();
    nmi_handler(&engine);
}

static void start(struct ibs_plan plan, uint32_t capacity)
{
    uint64_t detail;
    set_up(MODEL_C, plan, capacity);
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    fake_msr(MSR_IBS_FETCH_LINAD)->value = 0xFFFF0000004010F0;
    fake_msr(MSR_IBS_FETCH_PHYSAD)->value = 0x7654010F0;
    fake_msr(MSR_IBS_OP_RIP)->value = 0x401234;
    fake_msr(MSR_IBS_OP_DATA)->value = 0x2000110007;
    fake_msr(MSR_IBS_OP_DATA2)->value = 3;
    fake_msr(MSR_IBS_DC_LINAD)->value = 0x400000001000;
    fake_msr(MSR_IBS_DC_PHYSAD)->value = 0x123001000;
}

#define READ_CTLS "rdmsr c0011030\nrdmsr c0011033\n"
#define ARM_FETCH "wrmsr c0011030 1000000001000\n"
#define ARM_OP    "wrmsr c0011033 22000\n"

TEST(test_fetch_sample)
{
    start(both_fixed, 4);
    nmi(FETCH_READY | IBS_FETCH_COMP, IBS_OP_EN | 0x2000);
    assert_string_equal(fake.log, READ_CTLS "rdmsr c0011031\n" ARM_FETCH);
    assert_int_equal(engine.ring.count, 1);
    assert_int_equal(ring[0].kind, SAMPLE_FETCH);
    assert_int_equal(ring[0].cpu, 3);
    assert_int_not_equal(ring[0].tsc, 0);
    assert_int_equal(ring[0].reg[IBS_FETCH_CTL], FETCH_READY | IBS_FETCH_COMP);
    assert_int_equal(ring[0].reg[IBS_FETCH_LINAD], 0x4010F0); /* the upper bits are copies of bit 47 */
    assert_int_equal(ring[0].reg[IBS_FETCH_PHYSAD], 0);

    fake_msr(MSR_IBS_FETCH_LINAD)->value = 0x1234800000001000;
    nmi(FETCH_READY | IBS_FETCH_PHY_VALID, IBS_OP_EN | 0x2000);
    assert_string_equal(fake.log, READ_CTLS "rdmsr c0011031\nrdmsr c0011032\n" ARM_FETCH);
    assert_int_equal(ring[1].reg[IBS_FETCH_LINAD], 0xFFFF800000001000);
    assert_int_equal(ring[1].reg[IBS_FETCH_PHYSAD], 0x7654010F0);
    assert_int_equal(engine.counts.recorded[SAMPLE_FETCH], 2);
    assert_int_equal(engine.counts.nmi, 2);
}

struct op_row {
    uint64_t data3;
    const char *reads; /* after Rip, Data and Data3 */
};

TEST(test_op_sample_reads_what_is_valid)
{
    static const struct op_row rows[] = {
        {0, ""},
        {IBS_LD_OP, ""},
        {IBS_LD_OP | IBS_DC_MISS, "rdmsr c0011036\n"},
        {IBS_ST_OP | IBS_DC_MISS, ""},
        {IBS_ST_OP | IBS_DC_LIN_ADDR_VALID, "rdmsr c0011038\n"},
        {IBS_ST_OP | IBS_DC_PHY_ADDR_VALID, "rdmsr c0011039\n"},
        {IBS_LD_OP | IBS_DC_MISS | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID,
         "rdmsr c0011036\nrdmsr c0011038\nrdmsr c0011039\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char expected[500];
        start((struct ibs_plan){OP(0x20000, false, false)}, 4);
        fake_msr(MSR_IBS_OP_DATA3)->value = rows[i].data3;
        nmi(0, OP_READY);
        snprintf(expected, sizeof expected, "rdmsr c0011033\nrdmsr c0011034\nrdmsr c0011035\nrdmsr c0011037\n%s" ARM_OP,
                 rows[i].reads);
        assert_string_equal(fake.log, expected);
        const struct sample_record *r = &ring[0];
        assert_int_equal(r->kind, SAMPLE_OP);
        assert_int_equal(r->reg[IBS_OP_CTL], OP_READY);
        assert_int_equal(r->reg[IBS_OP_RIP], 0x401234);
        assert_int_equal(r->reg[IBS_OP_DATA], 0x2000110007);
        assert_int_equal(r->reg[IBS_OP_DATA3], rows[i].data3);
        assert_int_equal(r->reg[IBS_OP_DATA2], strstr(rows[i].reads, "1036") ? 3 : 0);
        assert_int_equal(r->reg[IBS_OP_DCLINAD], strstr(rows[i].reads, "1038") ? 0x400000001000 : 0);
        assert_int_equal(r->reg[IBS_OP_DCPHYSAD], strstr(rows[i].reads, "1039") ? 0x123001000 : 0);
    }
}

TEST(test_both_in_one_nmi)
{
    start(both_fixed, 4);
    nmi(FETCH_READY, OP_READY);
    assert_string_equal(fake.log,
                        READ_CTLS "rdmsr c0011031\nrdmsr c0011034\nrdmsr c0011035\nrdmsr c0011037\n" ARM_FETCH ARM_OP);
    assert_int_equal(engine.ring.count, 2);
    assert_int_equal(ring[0].kind, SAMPLE_FETCH);
    assert_int_equal(ring[1].kind, SAMPLE_OP);
    assert_int_equal(ring[0].tsc, ring[1].tsc);
    assert_int_equal(engine.counts.nmi, 1);
    /* the second request arrives when nothing is left to take */
    uint64_t tsc = fake.tsc;
    nmi(IBS_FETCH_EN | 0x1000, IBS_OP_EN | 0x2000);
    assert_int_equal(fake.tsc, tsc); /* the time belongs to no sample, so it is not read */
    assert_string_equal(fake.log, READ_CTLS "in 61\n");
    assert_int_equal(engine.counts.empty, 1);
    assert_int_equal(engine.counts.late, 0);
    assert_int_equal(engine.ring.count, 2);
}

TEST(test_op_rearm_is_random)
{
    start((struct ibs_plan){OP(0x20000, true, true)}, 4);
    nmi(0, OP_READY);
    uint64_t first = fake_msr(MSR_IBS_OP_CTL)->value;
    nmi(0, OP_READY);
    uint64_t second = fake_msr(MSR_IBS_OP_CTL)->value;
    assert_int_equal(first & ~(0xFFFull << 32), 0xA2080);
    assert_int_equal(second & ~(0xFFFull << 32), 0xA2080);
    assert_int_not_equal(first, second);
}

TEST(test_full_ring_loses_and_rearms)
{
    start(both_fixed, 1);
    nmi(FETCH_READY, OP_READY); /* one record fits */
    assert_string_equal(fake.log, READ_CTLS "rdmsr c0011031\n" ARM_FETCH ARM_OP);
    nmi(FETCH_READY, OP_READY);
    assert_string_equal(fake.log, READ_CTLS ARM_FETCH ARM_OP);
    assert_int_equal(engine.ring.count, 1);
    assert_int_equal(engine.counts.recorded[SAMPLE_FETCH], 1);
    assert_int_equal(engine.counts.recorded[SAMPLE_OP], 0);
    assert_int_equal(engine.counts.lost[SAMPLE_FETCH], 1);
    assert_int_equal(engine.counts.lost[SAMPLE_OP], 2);
    assert_int_equal(ring[1].tsc, 0); /* nothing behind the end */
}

TEST(test_foreign_nmi)
{
    start(both_fixed, 4);
    fake.port_61 = 0x80;
    nmi(IBS_FETCH_EN, IBS_OP_EN);
    fake.port_61 = 0x40;
    nmi(IBS_FETCH_EN, IBS_OP_EN);
    assert_int_equal(engine.counts.foreign, 2);
    assert_int_equal(engine.counts.empty, 0);
    nmi(IBS_FETCH_EN, IBS_OP_EN); /* still set by an earlier NMI: not the reason for this one */
    assert_int_equal(engine.counts.foreign, 2);
    assert_int_equal(engine.counts.empty, 1);
    engine.counts.empty = 0;
    fake.port_61 = 0x3F; /* speaker and timer bits mean nothing */
    nmi(IBS_FETCH_EN, IBS_OP_EN);
    assert_int_equal(engine.counts.empty, 1);
}

/* Once the stop has begun, the handler does not write the control registers, even if there is a sample. */
TEST(test_late_nmi)
{
    start(both_fixed, 4);
    engine.state = NMI_STOPPING;
    nmi(FETCH_READY, OP_READY);
    assert_string_equal(fake.log, "in 61\n");
    assert_int_equal(engine.counts.late, 1);
    assert_int_equal(engine.ring.count, 0);
}

/* A row of NMIs without a cause ends with the entries masked; a sample in between begins a new row. */
TEST(test_storm)
{
    static const enum nmi_state states[] = {NMI_IDLE, NMI_STOPPING, NMI_RUNNING_IBS};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        start(both_fixed, 4);
        engine.entry[NMI_ENTRY_TIMER] = FAKE_APIC + 0x320;
        engine.state = NMI_RUNNING_IBS;
        for (unsigned n = 1; n < NMI_STORM; n++)
            nmi(IBS_FETCH_EN, IBS_OP_EN);
        nmi(FETCH_READY, IBS_OP_EN);
        engine.state = states[i];
        for (unsigned n = 1; n < NMI_STORM; n++)
            nmi(IBS_FETCH_EN, IBS_OP_EN);
        assert_null(strstr(fake.log, "apic"));
        assert_int_equal(engine.counts.storm, 0);
        nmi(IBS_FETCH_EN, IBS_OP_EN);
        assert_non_null(strstr(fake.log, "apic w 510 10400\napic w 320 10400\n")); /* no other entry is ours */
        assert_null(strstr(fake.log, "apic w 340"));
        assert_int_equal(engine.counts.storm, 1);
        assert_int_equal(engine.cut, states[i] == NMI_RUNNING_IBS);
        assert_int_equal(engine.counts.empty + engine.counts.late, 2 * NMI_STORM - 1); /* each NMI is counted */
        for (unsigned n = 1; n < NMI_STORM; n++)                                       /* the next row is as long */
            nmi(IBS_FETCH_EN, IBS_OP_EN);
        assert_int_equal(engine.counts.storm, 1);
        nmi(IBS_FETCH_EN, IBS_OP_EN);
        assert_int_equal(engine.counts.storm, 2);
    }
}

/* NMIs that only a test counts can be a storm, too: without a limit the test would never end. */
TEST(test_storm_while_testing)
{
    start(both_fixed, 4);
    engine.entry[NMI_ENTRY_TIMER] = FAKE_APIC + 0x320;
    nmi_test(&engine);
    for (unsigned n = 1; n < NMI_STORM; n++)
        nmi(FETCH_READY, OP_READY);
    assert_string_equal(fake.log, "");
    nmi(FETCH_READY, OP_READY);
    assert_string_equal(fake.log, "apic w 510 10400\napic w 320 10400\n");
    assert_int_equal(engine.counts.storm, 1);
    assert_int_equal(nmi_tested(&engine), NMI_STORM);
    assert_int_equal(engine.counts.nmi, 0);
    assert_false(engine.cut);
}

RUN_TESTS(NULL, NULL)
