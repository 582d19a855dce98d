/* SPDX-License-Identifier: BSD-2-Clause */
/* The APIC's timer: what is refused, its rate, its registers, time-based samples. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "drivers/pmu/ibs.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/ticks.h"
#include "drivers/pmu/timer.h"

enum { MODEL_C = 4, TSC_KHZ = 2500000 };

static struct machine machine;
static struct restore_log restore;
static uint64_t ours; /* address of the entry that was opened */
static struct timer_engine timer;
static struct timer_settings settings;
static uint64_t detail;

static const struct machine *with_tsc(uint64_t khz)
{
    machine.tsc_khz = khz;
    return &machine;
}

static enum session_error set_up(const struct timer_plan *plan, uint64_t turns)
{
    restore_init(&restore);
    settings = (struct timer_settings){0};
    timer_init(&timer, plan, turns, with_tsc(TSC_KHZ));
    fake_clear_log();
    return timer_set_up(&timer, FAKE_APIC, &restore, &ours, &settings, &detail);
}

struct check_row {
    uint32_t period;
    uint64_t turns, tsc_khz;
    enum session_error error;
    uint32_t ticks;
};

TEST(test_check)
{
    static const struct check_row rows[] = {
        {0, 0, 0, SESSION_OK, 0},
        {TIMER_PERIOD_DEFAULT, 0, TSC_KHZ, SESSION_OK, 0},
        {TIMER_PERIOD_DEFAULT, 0, 0, SESSION_NO_TSC_RATE, 0},
        {0, 2500000, 0, SESSION_NO_TSC_RATE, 0},
        {10, 0, TSC_KHZ, SESSION_OK, 0},
        {9, 0, TSC_KHZ, SESSION_TIMER_PERIOD_LOW, 0},
        {1000000, 0, TSC_KHZ, SESSION_OK, 0},
        {1000001, 0, TSC_KHZ, SESSION_TIMER_PERIOD_HIGH, 0},
        {0, 25000, TSC_KHZ, SESSION_OK, 1},
        {0, 24999, TSC_KHZ, SESSION_SLICE_SHORT, 0},
        {0, 2500000000, TSC_KHZ, SESSION_OK, 1},
        {0, 2500000001, TSC_KHZ, SESSION_SLICE_LONG, 0},
        /* with samples the timer keeps their pace, and a slice is a whole number of them */
        {1000, 2500000, TSC_KHZ, SESSION_OK, 1},
        {1000, 2499999, TSC_KHZ, SESSION_SLICE_BELOW_TIMER, 0},
        {1000, 3749999, TSC_KHZ, SESSION_OK, 1},
        {1000, 3750000, TSC_KHZ, SESSION_OK, 2},
        {100, 25000000, TSC_KHZ, SESSION_OK, 100},
    };
    fake_machine(&machine, MODEL_C);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct timer_plan plan = {.period = rows[i].period};
        machine.tsc_khz = rows[i].tsc_khz;
        enum session_error error = timer_check(&plan, rows[i].turns, &machine);
        if (error != rows[i].error)
            fail_msg("row %zu: %s", i, session_error_text(error));
        if (!error && timer_ticks(&plan, rows[i].turns, TSC_KHZ) != rows[i].ticks)
            fail_msg("row %zu: %u ticks", i, timer_ticks(&plan, rows[i].turns, TSC_KHZ));
    }
    assert_string_equal(fake.log, "");
}

TEST(test_sequence)
{
    fake_machine(&machine, MODEL_C);
    fake.apic[0x38] = 0x1234;
    fake.apic[0x3E] = 0x3;
    fake.apic[0x32] = 0x200EF;
    uint64_t from = fake.tsc;
    assert_int_equal(set_up(&(struct timer_plan){.period = 1000}, 0), SESSION_OK);
    assert_in_range(fake.tsc - from, 5 * TSC_KHZ, 5 * TSC_KHZ + 3000); /* the rate is measured for 5 ms */
    assert_true(fake.pauses > 0);
    assert_string_equal(fake.log, "apic r 380\napic r 3e0\napic r 320\n"
                                  "apic w 320 10400\n" /* masked during the measurement */
                                  "apic w 3e0 b\napic w 380 ffffffff\napic r 390\napic r 390\napic w 380 0\n"
                                  "apic w 320 400\napic r 320\n");
    assert_int_equal(settings.khz, 250000);
    assert_int_equal(settings.count, 250000);
    assert_int_equal(detail, 0);
    assert_true(timer.used && timer.sampling);
    assert_false(timer.started);
    fake_clear_log();
    assert_false(timer_expired(&timer)); /* its count is 0, but it has not been started */
    timer_start(&timer);
    assert_false(timer_expired(&timer));
    fake.tsc += 2499999;
    assert_false(timer_expired(&timer));
    fake.tsc += 1;
    assert_true(timer_expired(&timer));
    fake.tsc += 1ull << 40;
    assert_true(timer_expired(&timer)); /* and stays expired */
    timer_start(&timer);
    assert_false(timer_expired(&timer));
    fake_clear_log();
    timer_stop(&timer);
    restore_undo(&restore);
    /* The timer is stopped while our mask is set; then the firmware's mode and divider are restored, and its count
     * last. */
    assert_string_equal(fake.log,
                        "apic w 320 10400\napic w 380 0\n"
                        "apic w 320 200ef\napic r 320\napic w 3e0 3\napic r 3e0\napic w 380 1234\napic r 380\n");
    assert_int_equal(restore_failures(&restore), 0);
    assert_int_equal(restore.count, 3);
}

struct rate_row {
    uint64_t timer_tsc; /* TSC ticks per count */
    uint32_t period;
    uint64_t turns;
    uint64_t khz;
    uint32_t count;
};

TEST(test_rates)
{
    static const struct rate_row rows[] = {
        {10, 10, 0, 250000, 2500},
        {10, 1000000, 0, 250000, 250000000},
        {10, 0, 250000, 250000, 25000},
        {10, 1000, 5000000, 250000, 250000}, /* the period of samples counts, not that of turns */
        {2, 1000, 0, 1250000, 1250000},
        {25000, 10, 0, 100, 1},
        {125000, 10, 0, 20, 1}, /* never 0 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_machine(&machine, MODEL_C);
        fake.timer_tsc = rows[i].timer_tsc;
        fake.tsc = 0x123456789000;
        assert_int_equal(set_up(&(struct timer_plan){.period = rows[i].period}, rows[i].turns), SESSION_OK);
        if (settings.khz != rows[i].khz || settings.count != rows[i].count)
            fail_msg("row %zu: %u kHz, count %u", i, (unsigned)settings.khz, settings.count);
        assert_int_equal(timer.sampling, rows[i].period != 0);
    }
}

TEST(test_refused)
{
    fake_machine(&machine, MODEL_C);
    fake.timer_tsc = 0;
    assert_int_equal(set_up(&(struct timer_plan){.period = 1000}, 0), SESSION_TIMER_RATE);
    assert_int_equal(detail, 0);
    fake.timer_tsc = 1;
    assert_int_equal(set_up(&(struct timer_plan){.period = 1000}, 0), SESSION_TIMER_RATE);
    assert_int_equal(detail, TSC_KHZ);

    /* The timer's rate is at most 2 GHz. */
    for (unsigned faster = 0; faster < 2; faster++) {
        fake_machine(&machine, MODEL_C);
        fake.timer_tsc = faster ? 1 : 2;
        restore_init(&restore);
        timer_init(&timer, &(struct timer_plan){.period = 1000}, 0, with_tsc(faster ? 2000001 : 4000000));
        assert_int_equal(timer_set_up(&timer, FAKE_APIC, &restore, &ours, &settings, &detail),
                         faster ? SESSION_TIMER_RATE : SESSION_OK);
        assert_int_equal(faster ? detail : settings.khz, faster ? 2000001 : 2000000);
    }

    fake_machine(&machine, MODEL_C);
    fake.apic_read_only = 0x320; /* an entry that cannot be an NMI */
    assert_int_equal(set_up(&(struct timer_plan){.period = 1000}, 0), SESSION_LVT_TIMER);
    assert_int_equal(detail, 0x10000);

    fake_clear_log();
    timer_init(&timer, &(struct timer_plan){.period = 1000}, 0, with_tsc(TSC_KHZ));
    timer_stop(&timer); /* before any set-up */
    assert_string_equal(fake.log, "");
}

/* If a model states the rate, it is exact, and the same in each run. */
TEST(test_stated_rate)
{
    fake_machine(&machine, MODEL_C);
    machine.hypervisor = true;
    memcpy(machine.hypervisor_signature, "ibsbootvPMU", 12);
    fake_set_leaf(0x40000000, 0x40000011, 0, 0, 0);
    fake_set_leaf(0x40000011, 3000000, 123456, 0, 0);
    fake.apic[0x3E0 / 16] = 0; /* as INIT leaves it: divided by 2 */
    assert_int_equal(set_up(&(struct timer_plan){.period = 1000}, 0), SESSION_OK);
    assert_int_equal(fake.apic[0x3E0 / 16], 0xB);
    assert_int_equal(settings.khz, 123456);
    assert_int_equal(settings.count, 123456);
    assert_null(strstr(fake.log, "ffffffff")); /* no rate was measured */
}

/* Nothing is written that the log cannot restore. */
TEST(test_full_restore_log)
{
    for (uint32_t room = 0; room <= 3; room++) {
        fake_machine(&machine, MODEL_C);
        restore_init(&restore);
        for (uint32_t i = 0; i < RESTORE_ROWS - room; i++)
            assert_int_equal(restore_save(&restore, RESTORE_PCI, 0x1CC, i, ~0ull, "", NULL), 0);
        timer_init(&timer, &(struct timer_plan){.period = 1000}, 0, with_tsc(TSC_KHZ));
        fake_clear_log();
        detail = 77;
        enum session_error error = timer_set_up(&timer, FAKE_APIC, &restore, &ours, &settings, &detail);
        assert_int_equal(detail, 0);
        assert_int_equal(error, room < 3 ? SESSION_LVT_TIMER : SESSION_OK);
        assert_int_equal(strstr(fake.log, "apic w") == NULL, room < 3);
    }
}

/* Each of the timer's registers is compared after it has been restored. */
TEST(test_restored_registers_are_compared)
{
    static const struct {
        uint32_t offset, before;
    } rows[] = {{0x380, 0x1234}, {0x3E0, 0x3}, {0x320, 0x200EF}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_machine(&machine, MODEL_C);
        fake.apic[rows[i].offset / 16] = rows[i].before;
        assert_int_equal(set_up(&(struct timer_plan){.period = 1000}, 0), SESSION_OK);
        fake.apic_read_only = rows[i].offset;
        fake.apic[rows[i].offset / 16] = rows[i].before ^ 1;
        restore_undo(&restore);
        assert_int_equal(restore_failures(&restore), 1);
    }
}

TEST(test_random_counts)
{
    enum { N = 20000, COUNT = 250000, RANGE = 16384 };
    int64_t sum = 0;
    uint32_t first = 0;
    fake_machine(&machine, MODEL_C);
    assert_int_equal(set_up(&(struct timer_plan){.period = 1000, .random = true, .seed = 5}, 0), SESSION_OK);
    assert_int_equal(settings.count, COUNT);
    for (unsigned n = 0; n < N; n++) {
        fake_clear_log();
        timer_start(&timer);
        int64_t off_by = (int64_t)fake.apic[0x38] - COUNT;
        assert_true(off_by >= -RANGE / 2 && off_by <= RANGE / 2);
        sum += off_by;
        first = n ? first : fake.apic[0x38];
    }
    assert_in_range(sum / N + 200, 0, 400); /* 5 standard errors are 170 */
    assert_int_equal(set_up(&(struct timer_plan){.period = 1000, .random = true, .seed = 5}, 0), SESSION_OK);
    timer_start(&timer);
    assert_int_equal(fake.apic[0x38], first);
    assert_int_not_equal(first, COUNT);
    assert_int_equal(set_up(&(struct timer_plan){.period = 1000, .random = true, .seed = 6}, 0), SESSION_OK);
    timer_start(&timer);
    assert_int_not_equal(fake.apic[0x38], first);
}

/* A count below 16 has no room for a range, and is not varied. */
TEST(test_short_counts_do_not_vary)
{
    fake_machine(&machine, MODEL_C);
    fake.timer_tsc = 2500; /* 1 MHz */
    assert_int_equal(set_up(&(struct timer_plan){.period = 15, .random = true, .seed = 5}, 0), SESSION_OK);
    assert_int_equal(settings.count, 15);
    for (unsigned n = 0; n < 100; n++) {
        timer_start(&timer);
        assert_int_equal(fake.apic[0x38], 15);
    }
    bool varied = false;
    assert_int_equal(set_up(&(struct timer_plan){.period = 16, .random = true, .seed = 5}, 0), SESSION_OK);
    for (unsigned n = 0; n < 100; n++) {
        timer_start(&timer);
        assert_in_range(fake.apic[0x38], 15, 17);
        varied |= fake.apic[0x38] != 16;
    }
    assert_true(varied);
}

/* Time-based samples without counters. */
TEST(test_samples)
{
    static struct sample_record records[2];
    static struct nmi_context engine;
    static struct cpu_nmi_frame frame = {.rip = 0x402000};
    static const struct ibs_settings no_ibs = {0};
    fake_machine(&machine, MODEL_C);
    assert_int_equal(set_up(&(struct timer_plan){.period = 1000}, 0), SESSION_OK);
    ibs_init(&engine, &no_ibs, 0, 2, records, 2);
    engine.timer = &timer;
    engine.frame = &frame;
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    timer_start(&timer);
    fake_clear_log();
    nmi_handler(&engine); /* another NMI */
    assert_string_equal(fake.log, "apic r 390\nin 61\n");
    assert_int_equal(engine.counts.empty, 1);
    for (unsigned n = 0; n < 3; n++) {
        fake.tsc += 2500000;
        fake_clear_log();
        nmi_handler(&engine);
        assert_string_equal(fake.log, "apic r 390\napic w 380 3d090\n");
    }
    assert_int_equal(engine.counts.recorded[SAMPLE_TIMER], 2);
    assert_int_equal(engine.counts.lost[SAMPLE_TIMER], 1);
    assert_int_equal(engine.counts.empty, 1);
    assert_int_equal(records[1].kind, SAMPLE_TIMER);
    assert_int_equal(records[1].cpu, 2);
    assert_int_equal(records[1].reg[TIMER_RIP], 0x402000);
    assert_int_equal(records[1].reg[1], 0);
    assert_true(records[1].tsc > records[0].tsc);
}

struct alarm_row {
    uint64_t limit_ms;
    uint32_t divide, count; /* register values; the timer counts at 250 MHz */
};

/* The alarm alone is periodic, later than the limit by 1/64, and divided if 32 bits have no room. */
TEST(test_alarm)
{
    static const struct alarm_row rows[] = {
        {1, 0xB, 253907},
        {16000, 0xB, 4062500001}, /* the longest that fits undivided */
        {17000, 0x0, 2158203125},
        {600000, 0x9, 2380371093}, /* divided by 64 */
        {1000000, 0x9, 3967285156},
        {TIMER_LIMIT_MAX, 0xA, 0xFFFFFFFF}, /* this alarm comes several times before the limit */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_machine(&machine, MODEL_C);
        assert_int_equal(set_up(&(struct timer_plan){.limit_ms = rows[i].limit_ms, .random = true}, 0), SESSION_OK);
        assert_true(timer.alarm);
        assert_false(timer.used);
        assert_int_equal(fake.apic[0x32], 0x20400);
        if (fake.apic[0x3E] != rows[i].divide || timer.count != rows[i].count)
            fail_msg("row %zu: divide %x, count %u", i, fake.apic[0x3E], timer.count);
        assert_int_equal(timer_limit(&timer), rows[i].limit_ms * TSC_KHZ);
        timer_start(&timer);
        assert_int_equal(fake.apic[0x38], timer.count);
    }
    /* With samples the timer keeps their period, and needs no alarm. */
    set_up(&(struct timer_plan){.limit_ms = 5, .period = 1000}, 0);
    assert_false(timer.alarm);
    assert_int_equal(fake.apic[0x32], 0x400);
    assert_int_equal(timer_limit(&timer), 5 * TSC_KHZ);
    assert_int_equal(timer_check(&(struct timer_plan){.limit_ms = TIMER_LIMIT_MAX + 1ull}, 0, &machine),
                     SESSION_LIMIT_HIGH);
    assert_int_equal(timer_check(&(struct timer_plan){.limit_ms = TIMER_LIMIT_MAX}, 0, &machine), SESSION_OK);
    machine.tsc_khz = 0; /* a limit that is not possible does not prevent the run */
    assert_int_equal(timer_check(&(struct timer_plan){.limit_ms = 1}, 0, &machine), SESSION_OK);
}

/* 3,075,557 ms at 1,375 kHz, and a 64th, are 2^32 - 1 counts: the timer takes them undivided, and a millisecond more
 * divided by two. */
TEST(test_longest_alarm)
{
    for (unsigned more = 0; more < 2; more++) {
        fake_machine(&machine, MODEL_C);
        machine.hypervisor = true;
        memcpy(machine.hypervisor_signature, "ibsbootvPMU", 12);
        fake_set_leaf(0x40000000, 0x40000011, 0, 0, 0);
        fake_set_leaf(0x40000011, TSC_KHZ, 1375, 0, 0);
        assert_int_equal(set_up(&(struct timer_plan){.limit_ms = 3075557 + more}, 0), SESSION_OK);
        assert_int_equal(settings.khz, 1375);
        assert_int_equal(fake.apic[0x3E], more ? 0x0 : 0xB);
        assert_int_equal(timer.count, more ? 2147484346 : UINT32_MAX);
    }
}

/* A counter that cannot be restored is not used, and without a counter there are no ticks. */
TEST(test_ticks_without_room)
{
    static struct nmi_context engine;
    for (uint32_t room = 3; room < 6; room++) { /* three rows for the timer, and three for the counter */
        fake_machine(&machine, MODEL_C);
        fake.timer_nmis = false;
        engine = (struct nmi_context){0};
        restore_init(&restore);
        while (restore.count + room < RESTORE_ROWS)
            restore_note(&restore, "full", 0, 0, true);
        timer_init(&timer, &(struct timer_plan){.period = 1000}, 0, with_tsc(TSC_KHZ));
        detail = 77;
        fake_clear_log();
        assert_int_equal(ticks_set_up(&timer, &engine, &machine, 0, &restore, &settings, &detail), SESSION_NO_TICK);
        assert_int_equal(settings.by, TIMER_IMPOSSIBLE);
        assert_null(strstr(fake.log, "wrmsr c001000"));
        assert_null(strstr(fake.log, "apic w 340"));
    }
    /* There is room, but neither sends an NMI: both are restored, and masked. */
    fake_machine(&machine, MODEL_C);
    fake.timer_nmis = false;
    fake.clock_nmis = 0;
    engine = (struct nmi_context){0};
    restore_init(&restore);
    timer_init(&timer, &(struct timer_plan){.period = 1000}, 0, with_tsc(TSC_KHZ));
    assert_int_equal(ticks_set_up(&timer, &engine, &machine, 0, &restore, &settings, &detail), SESSION_NO_TICK);
    assert_int_equal(fake.apic[0x340 / 16], 0x10400);
    assert_int_equal(fake.apic[0x320 / 16] & 0x10000, 0x10000);
    assert_int_equal(fake_msr(MSR_PERF_CTL(TICKS_COUNTER))->value, 0);
    /* Nothing needs ticks, or there is no APIC. */
    timer_init(&timer, &(struct timer_plan){0}, 0, with_tsc(TSC_KHZ));
    detail = 77;
    assert_int_equal(ticks_set_up(&timer, &engine, &machine, 0, &restore, &settings, &detail), SESSION_OK);
    assert_int_equal(detail, 0);
    timer_init(&timer, &(struct timer_plan){.period = 1000}, 0, with_tsc(TSC_KHZ));
    machine.apic_msr = 0;
    detail = 77;
    assert_int_equal(ticks_set_up(&timer, &engine, &machine, 0, &restore, &settings, &detail), SESSION_APIC_DISABLED);
    assert_int_equal(detail, 0);
}

RUN_TESTS(NULL, NULL)
