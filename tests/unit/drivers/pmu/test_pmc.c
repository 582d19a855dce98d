/* SPDX-License-Identifier: BSD-2-Clause */
/* Performance counters: plans, what is programmed and restored, intervals, counting. */
#include "tests/unit/drivers/pmc_plans.h"

#include <stdio.h>
#include <string.h>

#include "drivers/pmu/pmc.h"

enum { MODEL_C = 4 };

static struct machine machine;
static struct restore_log restore;
static uint64_t ours; /* address of the entry that was opened */
static struct pmc_plan plan;
static struct pmc_engine pmc;

/* Sets up on a machine as the firmware leaves it. */
static enum session_error set_up(const struct pmc_plan *with, uint64_t *detail)
{
    fake_machine(&machine, MODEL_C);
    plan = *with;
    restore_init(&restore);
    pmc_init(&pmc, &plan, 0);
    return pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, detail);
}

/* ---------------------------------------------------------------- plans */

/* A change of one field of three_groups. */
struct check_row {
    enum session_error error;
    size_t offset, size;
    uint64_t value;
};

#define ROW(error, field, value)                                                                                       \
    {                                                                                                                  \
        error, offsetof(struct pmc_plan, field), sizeof plan.field, value                                              \
    }

static const struct check_row check_rows[] = {
    ROW(SESSION_OK, mode, PMC_SAMPLING),
    ROW(SESSION_PMC_EVENTS, events, 0),
    ROW(SESSION_PMC_EVENTS, events, PMC_EVENTS_MAX + 1),
    ROW(SESSION_PMC_PRIVILEGE, events, PMC_EVENTS_MAX), /* not too many, but the others have no privilege */
    ROW(SESSION_PMC_GROUPS, groups, 0),
    ROW(SESSION_PMC_GROUPS, groups, PMC_GROUPS_MAX + 1),
    ROW(SESSION_PMC_GROUP_SIZE, groups, PMC_GROUPS_MAX), /* not too many, but the others are empty */
    ROW(SESSION_PMC_GROUP_SIZE, group[2].events, 0),
    ROW(SESSION_PMC_GROUP_SIZE, group[0].events, PMC_LEGACY + 1),
    ROW(SESSION_PMC_GROUP_EVENT, group[2].event[2], 4),
    ROW(SESSION_PMC_GROUP_EVENT, group[2].event[0], 4),
    ROW(SESSION_PMC_GROUP_EVENT, group[0].event[0], 255),
    ROW(SESSION_PMC_GROUP_TWICE, group[2].event[2], 2),
    ROW(SESSION_PMC_GROUP_TWICE, group[2].event[2], 3),
    ROW(SESSION_OK, event[3].select, 0xFFF), /* a pair on an odd counter */
    ROW(SESSION_PMC_MERGE, event[2].select, 0xFFF),
    ROW(SESSION_PMC_SELECT, event[3].select, 0x1000),
    ROW(SESSION_OK, event[0].count_mask, 3),
    ROW(SESSION_PMC_COUNT_MASK, event[0].count_mask, 4),
    ROW(SESSION_OK, event[1].user, true),
    ROW(SESSION_PMC_PRIVILEGE, event[1].os, false),
    ROW(SESSION_OK, event[1].period, 1ull << 46),
    ROW(SESSION_PMC_PERIOD_HIGH, event[1].period, (1ull << 46) + 1),
    ROW(SESSION_PMC_SLICE, slice, 0),
    ROW(SESSION_PMC_COUNTING_GROUPS, mode, PMC_COUNTING),
    ROW(SESSION_OK, groups, 2),
};

TEST(test_check)
{
    fake_machine(&machine, MODEL_C);
    for (size_t i = 0; i < sizeof check_rows / sizeof check_rows[0]; i++) {
        const struct check_row *row = &check_rows[i];
        plan = three_groups;
        memcpy((char *)&plan + row->offset, &row->value, row->size); /* little-endian */
        enum session_error error = pmc_check(&plan, &machine);
        if (error != row->error)
            fail_msg("row %zu: %s", i, session_error_text(error));
        assert_string_not_equal(session_error_text(error), "unknown error");
    }
    plan = three_groups;
    plan.groups = 1;
    plan.slice = 0;
    assert_int_equal(pmc_check(&plan, &machine), SESSION_OK);
    plan.mode = PMC_COUNTING;
    assert_int_equal(pmc_check(&plan, &machine), SESSION_OK);
    plan.groups = 2;
    assert_int_equal(pmc_check(&plan, &machine), SESSION_PMC_COUNTING_GROUPS);
    plan.mode = PMC_OFF;
    plan.groups = 99;
    assert_int_equal(pmc_check(&plan, &machine), SESSION_OK);
    machine.ibs = false; /* counters do not need IBS */
    assert_int_equal(pmc_check(&three_groups, &machine), SESSION_OK);
    machine.pmc.count = 0;
    assert_int_equal(pmc_check(&three_groups, &machine), SESSION_NO_PMC);
    assert_int_equal(pmc_check(&(struct pmc_plan){0}, &machine), SESSION_OK);
    assert_string_equal(fake.log, "");
}

TEST(test_what_a_plan_needs)
{
    plan = three_groups;
    assert_int_equal(pmc_turns(&plan), 2500000);
    assert_true(pmc_takes_samples(&plan));
    plan.groups = 1;
    assert_int_equal(pmc_turns(&plan), 0);
    for (unsigned n = 0; n < 3; n++)
        plan.event[n].period = 0;
    plan.event[3].period = 1000; /* for an event that is in no group */
    assert_false(pmc_takes_samples(&plan));
    plan.groups = 2; /* group 2 has the event, and is not used */
    assert_false(pmc_takes_samples(&plan));
    plan.groups = 3;
    assert_true(pmc_takes_samples(&plan));
    plan.mode = PMC_COUNTING;
    assert_false(pmc_takes_samples(&plan));
    assert_int_equal(pmc_turns(&plan), 0);
}

/* ---------------------------------------------------------------- set-up */

TEST(test_set_up_sequence)
{
    uint64_t detail;
    assert_int_equal(set_up(&two_events, &detail), SESSION_OK);
    assert_string_equal(fake.log,
                        "rdmsr c0010000\nrdmsr c0010004\nrdmsr c0010001\nrdmsr c0010005\n"
                        "wrmsr c0010000 0\nwrmsr c0010004 ffffffffffff\n"
                        "wrmsr c0010001 0\nwrmsr c0010005 ffffffffffff\n"
                        "wrmsr c0010004 fffffffffc18\nwrmsr c0010000 1200c0\nrdmsr c0010000\n" /* -1000; OS, Int */
                        "wrmsr c0010005 fffffffffe0c\nwrmsr c0010001 120041\nrdmsr c0010001\n" /* -500 */
                        "apic r 340\napic w 340 400\napic r 340\n");
    fake_clear_log();
    pmc_resume(&pmc);
    pmc_pause(&pmc, 0);
    assert_string_equal(fake.log, "wrmsr c0010000 5200c0\nwrmsr c0010001 520041\n"
                                  "wrmsr c0010000 1200c0\nwrmsr c0010001 120041\n");
}

struct ctl_row {
    struct pmc_event event;
    uint64_t ctl;
};

TEST(test_control_values)
{
    static const struct ctl_row rows[] = {
        {EVENT(0, 0, 0), 0x020000},
        {{.user = true}, 0x010000},
        {EVENT(0x0C1, 0, 0), 0x0200C1},
        {EVENT(0x0C1, 0, 1), 0x1200C1},
        {EVENT(0x046, 0x07, 0), 0x020746},
        {EVENT(0x1CF, 0, 0), 0x1000200CF},
        {EVENT(0x4E1, 0xF7, 0), 0x40002F7E1},
        {{.select = 0x0C1, .user = true}, 0x0100C1},
        {{.select = 0x0C1, .user = true, .os = true, .edge = true}, 0x0700C1},
        {{.select = 0x0C1, .os = true, .invert = true, .count_mask = 1}, 0x18200C1},
        {{.select = 0x0C1, .os = true, .count_mask = 3}, 0x30200C1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pmc_plan one = {.mode = PMC_SAMPLING, .events = 1, .event = {rows[i].event}, .groups = 1};
        one.group[0].events = 1;
        uint64_t detail;
        assert_int_equal(set_up(&one, &detail), SESSION_OK);
        if (ctl(0) != rows[i].ctl)
            fail_msg("row %zu: %llx", i, (unsigned long long)ctl(0));
        assert_int_equal(ctr(0), rows[i].event.period ? 0xFFFFFFFFFFFF : 0);
    }
}

/* Only the reserved bits stay as they were, as in CodeAnalyst's op_model_amd.c. */
TEST(test_reserved_bits_stay)
{
    uint64_t detail;
    fake_machine(&machine, MODEL_C);
    plan = two_events;
    pmc_init(&pmc, &plan, 0);
    restore_init(&restore);
    fake_msr(MSR_PERF_CTL(0))->value = ~0ull;
    fake_msr(MSR_PERF_CTL(1))->value = 1ull << 63 | 0x345;
    assert_int_equal(pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail), SESSION_OK);
    assert_int_equal(ctl(0), 0xFFFFFCF0003200C0);
    assert_int_equal(ctl(1), 1ull << 63 | 0x120041);
    pmc_resume(&pmc);
    assert_int_equal(ctl(0), 0xFFFFFCF0007200C0);
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_OK);
    assert_int_equal(ctl(0), 0xFFFFFCF000200000);
    assert_int_equal(ctl(1), 1ull << 63);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_int_equal(ctl(0), ~0ull);
    assert_int_equal(ctl(1), 1ull << 63 | 0x345);
}

/* A counter that was running continues with its old value, and only then. */
TEST(test_restore_order)
{
    uint64_t detail;
    fake_machine(&machine, MODEL_C);
    plan = two_events;
    pmc_init(&pmc, &plan, 0);
    restore_init(&restore);
    fake_msr(MSR_PERF_CTL(0))->value = 0x5200C0;
    fake_msr(MSR_PERF_CTR(0))->value = 0x123456789ABC;
    fake.apic[0x34] = 0x100FE;
    assert_int_equal(pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail), SESSION_OK);
    fake_clear_log();
    restore_undo(&restore);
    assert_string_equal(fake.log, "apic w 340 100fe\napic r 340\n"
                                  "wrmsr c0010005 0\nrdmsr c0010005\nwrmsr c0010001 0\nrdmsr c0010001\n"
                                  "wrmsr c0010004 123456789abc\nrdmsr c0010004\n"
                                  "wrmsr c0010000 5200c0\nrdmsr c0010000\n");
    assert_int_equal(restore_failures(&restore), 0);
    assert_string_equal(restore.row[0].what, "MSR C001_0000 PERF_CTL0");
    assert_string_equal(restore.row[3].what, "MSR C001_0005 PERF_CTR1");
}

TEST(test_refused)
{
    uint64_t detail;
    fake_machine(&machine, MODEL_C);
    plan = two_events;
    pmc_init(&pmc, &plan, 0);
    restore_init(&restore);
    fake_msr(MSR_PERF_CTL(1))->writable = 0; /* a hypervisor that swallows the write */
    assert_int_equal(pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail), SESSION_PMC_ENABLE);
    assert_int_equal(detail, 0xC0010001);
    fake_clear_log();
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_OK); /* the counters never started: the log restores them */
    assert_string_equal(fake.log, "");

    fake_machine(&machine, MODEL_C);
    pmc_init(&pmc, &plan, 0);
    restore_init(&restore);
    fake_remove_msr(MSR_PERF_CTR(1));
    assert_int_equal(pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail), SESSION_MSR_FAULT);
    assert_int_equal(detail, 0xC0010005);
    assert_null(strstr(fake.log, "wrmsr")); /* nothing is written before all is saved */

    fake_machine(&machine, MODEL_C);
    pmc_init(&pmc, &plan, 0);
    restore_init(&restore);
    fake.apic_read_only = 0x340;
    assert_int_equal(pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail), SESSION_LVTPC);
    assert_int_equal(detail, 0x10000);
}

/* The plan has the most groups possible: each has its result, and no other memory is read. */
TEST(test_results_of_the_most_groups)
{
    static struct pmc_result result;
    fake_machine(&machine, MODEL_C);
    plan = three_groups;
    plan.groups = PMC_GROUPS_MAX;
    for (uint32_t g = 0; g < PMC_GROUPS_MAX; g++)
        plan.group[g] = (struct pmc_group){.events = 1, .event = {(uint8_t)(g % plan.events)}};
    assert_int_equal(pmc_check(&plan, &machine), SESSION_OK);
    pmc_init(&pmc, &plan, 0);
    for (uint32_t g = 0; g < PMC_GROUPS_MAX; g++)
        pmc.tsc[g] = 100 + g;
    memset(&result, 0xA5, sizeof result);
    pmc_collect(&pmc, &result);
    for (uint32_t g = 0; g < PMC_GROUPS_MAX; g++)
        assert_int_equal(result.group[g].tsc, 100 + g);
}

/* Whichever access is refused, the error names its register. */
TEST(test_refused_registers_are_named)
{
    enum { ACCESSES = 4 + 4 + 6 }; /* two counters: saved, cleared, programmed and read back */
    for (unsigned n = 1; n <= ACCESSES; n++) {
        uint64_t detail;
        char line[32];
        fake_machine(&machine, MODEL_C);
        plan = two_events;
        pmc_init(&pmc, &plan, 0);
        restore_init(&restore);
        fake_clear_log();
        fake.accesses = 0;
        fake.fault_at = n;
        assert_int_equal(pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail), SESSION_MSR_FAULT);
        snprintf(line, sizeof line, "msr %llx refused\n", (unsigned long long)detail);
        assert_true(strlen(fake.log) > strlen(line));
        assert_string_equal(fake.log + strlen(fake.log) - strlen(line), line);
    }
}

/* A counter that cannot be read at the end keeps its last known value, and no overflow is counted. */
TEST(test_unreadable_counter_at_the_end)
{
    uint64_t detail, value;
    assert_int_equal(set_up(&two_events, &detail), SESSION_OK);
    pmc_resume(&pmc);
    value = pmc.slot[0][0].value;
    fake_remove_msr(MSR_PERF_CTR(0));
    fake_msr(MSR_PERF_CTR(1))->value = 77; /* it counted past 0 */
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_MSR_FAULT);
    assert_int_equal(detail, MSR_PERF_CTR(0));
    assert_int_equal(pmc.slot[0][0].value, value);
    assert_int_equal(pmc.slot[0][0].overflows, 0);
    assert_int_equal(pmc.slot[0][1].value, 77);
    assert_int_equal(pmc.slot[0][1].overflows, 1);
}

TEST(test_full_restore_log)
{
    for (uint32_t room = 0; room <= 5; room++) {
        uint64_t detail;
        fake_machine(&machine, MODEL_C);
        plan = two_events;
        pmc_init(&pmc, &plan, 0);
        restore_init(&restore);
        for (uint32_t i = 0; i < RESTORE_ROWS - room; i++)
            assert_int_equal(restore_save(&restore, RESTORE_PCI, 0x1CC, i, ~0ull, "", NULL), 0);
        fake_clear_log();
        enum session_error error = pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail);
        assert_int_equal(error, room < 4 ? SESSION_MSR_FAULT : room < 5 ? SESSION_LVTPC : SESSION_OK);
        assert_int_equal(strstr(fake.log, "wrmsr") == NULL,
                         room < 4); /* a register that could not be restored is not written */
        assert_int_equal(strstr(fake.log, "apic w") == NULL, room < 5);
    }
}

/* The restored entry is compared, except for the bit that says that an interrupt is waiting for delivery. */
TEST(test_restored_entry_is_compared)
{
    static const struct {
        uint32_t lvt;
        uint32_t failures;
    } rows[] = {{0x100FE, 0}, {0x110FE, 0}, {0x00400, 1}, {0x000FE, 1}, {0x100FF, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t detail;
        fake_machine(&machine, MODEL_C);
        plan = two_events;
        pmc_init(&pmc, &plan, 0);
        restore_init(&restore);
        fake.apic[0x34] = 0x100FE;
        assert_int_equal(pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail), SESSION_OK);
        fake.apic[0x34] = rows[i].lvt;
        fake.apic_read_only = 0x340;
        restore_undo(&restore);
        assert_int_equal(restore_failures(&restore), rows[i].failures);
    }
}

/* Groups that are not used take no counters, whatever their rows hold. */
TEST(test_groups_that_are_not_used)
{
    struct pmc_plan one = three_groups;
    uint64_t detail;
    one.groups = 2;
    assert_int_equal(set_up(&one, &detail), SESSION_OK);
    assert_int_equal(pmc.counters, 2);
    assert_non_null(strstr(fake.log, "c0010001"));
    assert_null(strstr(fake.log, "c0010002"));

    /* The plan has the most groups possible. */
    one.groups = PMC_GROUPS_MAX;
    for (unsigned g = 0; g < PMC_GROUPS_MAX; g++)
        one.group[g] = (struct pmc_group){.events = 1, .event = {0}};
    assert_int_equal(set_up(&one, &detail), SESSION_OK);
    assert_int_equal(pmc.counters, 1);
}

/* ---------------------------------------------------------------- intervals */

/* The mean of random intervals is the period, and all intervals are near it. */
TEST(test_random_intervals)
{
    static const struct {
        uint64_t period, range;
    } rows[] = {{100000, 8192}, {65536, 8192}, {65535, 4096}, {500, 32},
                {16, 2},        {15, 0},       {1, 0},        {1ull << 46, 1ull << 43}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        plan = two_events;
        plan.random = true;
        plan.event[0].period = rows[i].period;
        pmc_init(&pmc, &plan, 0);
        struct pmc_slot *slot = &pmc.slot[0][0];
        assert_int_equal(slot->random_range, rows[i].range);
        enum { N = 20000 };
        int64_t sum = 0;
        for (unsigned n = 0; n < N; n++) {
            int64_t off_by = (int64_t)((0 - pmc_next_start(&pmc, slot)) & PMC_COUNTER_MASK) - (int64_t)rows[i].period;
            assert_true(off_by >= -(int64_t)rows[i].range / 2 && off_by <= (int64_t)rows[i].range / 2);
            assert_false(pmc_overflowed(slot->start));
            sum += off_by;
        }
        /* 5 standard errors of the sum of N from a uniform distribution: 5 * range * sqrt(N / 12) */
        int64_t limit = (int64_t)rows[i].range * 205;
        assert_true(sum <= limit && sum >= -limit);
    }
}

TEST(test_random_is_repeatable)
{
    static struct pmc_engine again, other;
    plan = two_events;
    plan.random = true;
    plan.seed = 7;
    pmc_init(&pmc, &plan, 0);
    pmc_init(&again, &plan, 0);
    plan.seed = 8;
    pmc_init(&other, &plan, 0);
    assert_int_equal(pmc.slot[0][0].start, again.slot[0][0].start);
    assert_int_not_equal(pmc.slot[0][0].start, other.slot[0][0].start);
    assert_int_not_equal(pmc.slot[0][0].start, pmc_preset(1000));
}

/* ---------------------------------------------------------------- counting */

/* If an exception stops the counters without a pause before, the time until then counts, and no counter runs any
 * more. */
TEST(test_stopped_while_it_runs)
{
    static struct pmc_result result;
    uint64_t detail;
    assert_int_equal(set_up(&two_events, &detail), SESSION_OK);
    fake.tsc = 0;
    pmc_resume(&pmc);
    assert_true(pmc.running);
    fake.tsc = 50000;
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_OK);
    assert_false(pmc.running);
    pmc_collect(&pmc, &result);
    assert_int_equal(result.group[0].tsc, 50000); /* from 1000 to 51000 */
}

TEST(test_counting)
{
    struct pmc_plan count = two_events;
    uint64_t detail;
    count.mode = PMC_COUNTING;
    count.random = true; /* has no meaning here */
    assert_int_equal(set_up(&count, &detail), SESSION_OK);
    assert_null(strstr(fake.log, "apic")); /* no interrupt */
    assert_int_equal(ctl(0), 0x0200C0);
    assert_int_equal(ctr(0), 0);
    fake_clear_log();
    fake.tsc = 0;
    pmc_resume(&pmc);
    fake_count(0, 123456789012);
    fake_count(1, (1ull << 48) - 1);
    pmc_pause(&pmc, 1800); /* the TSC was 1000 when the counters started */
    assert_string_equal(fake.log, "wrmsr c0010000 4200c0\nwrmsr c0010001 420041\n"
                                  "wrmsr c0010000 200c0\nwrmsr c0010001 20041\n");
    fake_count(0, 5); /* off */
    static struct pmc_result result;
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_OK);
    pmc_collect(&pmc, &result);
    assert_int_equal(result.event[0].total, 123456789012);
    assert_int_equal(result.event[1].total, (1ull << 48) - 1);
    assert_int_equal(result.event[0].overflows, 0);
    assert_int_equal(result.event[0].tsc, 800);

    /* A second stop has nothing to do. */
    fake_clear_log();
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_OK);
    assert_string_equal(fake.log, "");
}

/* Counts of another core are added figure by figure, from the first event to the last group. */
TEST(test_sums)
{
    static struct pmc_result sum, other, before;
    uint64_t *word = (uint64_t *)&other;

    for (size_t i = 0; i < sizeof(other) / sizeof(*word); i++)
        word[i] = 1000 + i;
    for (unsigned times = 1; times <= 2; times++) {
        before = sum;
        pmc_result_add(&sum, &other);
        for (unsigned n = 0; n < PMC_EVENTS_MAX; n++) {
            assert_int_equal(sum.event[n].total, before.event[n].total + other.event[n].total);
            assert_int_equal(sum.event[n].overflows, before.event[n].overflows + other.event[n].overflows);
            assert_int_equal(sum.event[n].samples, before.event[n].samples + other.event[n].samples);
            assert_int_equal(sum.event[n].lost, before.event[n].lost + other.event[n].lost);
            assert_int_equal(sum.event[n].tsc, before.event[n].tsc + other.event[n].tsc);
        }
        for (unsigned g = 0; g < PMC_GROUPS_MAX; g++) {
            assert_int_equal(sum.group[g].tsc, before.group[g].tsc + other.group[g].tsc);
            assert_int_equal(sum.group[g].slices, before.group[g].slices + other.group[g].slices);
            for (unsigned c = 0; c < PMC_COUNTERS; c++) {
                struct turns both = before.group[g].turns[c], *own = &sum.group[g].turns[c];
                assert_int_equal(sum.group[g].counter[c].total,
                                 before.group[g].counter[c].total + other.group[g].counter[c].total);
                if (times == 1) /* without own figures the other core's */
                    both = other.group[g].turns[c];
                else
                    turns_of_core(&both, &other.group[g].turns[c]);
                assert_int_equal(own->turns, both.turns);
                assert_int_equal(own->events, both.events);
                assert_true(own->squares == both.squares);
                assert_true(own->turns);
            }
        }
    }
}

RUN_TESTS(NULL, NULL)
