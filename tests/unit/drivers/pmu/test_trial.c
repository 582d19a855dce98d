/* SPDX-License-Identifier: BSD-2-Clause */
/* Experiments with registers and interrupts, each in a session on the fake processor, which must be unchanged
 * afterwards. */
#include "tests/unit/drivers/run_fixture.h"

#include <string.h>

#include "tests/unit/drivers/golden.h"

#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/machine/quiet.h"
#include "drivers/pmu/trial.h"

enum { ABSENT = 0x123 };

static void (*experiment)(const struct trial *);
static const char *name;
static void (*on_pause)(unsigned pauses);
static uint32_t read_only; /* offset of an APIC register that cannot be written */
static uint32_t entry_1 = APIC_LVT_MASKED;

static void trial_body(void *argument, uint64_t arena)
{
    const struct trial trial = {&machine, &result.restore, session_nmi(workspace), FAKE_APIC};

    (void)argument;
    (void)arena;
    fake_clear_log();
    uint64_t from = fake.tsc;
    experiment(&trial);
    fake_log("%llu clocks", (unsigned long long)(fake.tsc - from));
    golden_add(name);
}

/* Tries in a session that samples ops, or does nothing; counters and timer send NMIs, or do not. */
static bool open_entries; /* the threshold entries, as the firmware leaves them */
static bool version_2;    /* version 2 of the counters */

static void try_as(const char *title, void (*what)(const struct trial *), bool ibs, uint32_t model, bool nmis)
{
    name = title;
    set_up(model, 1);
    fake.clock_nmis = fake.timer_nmis = nmis;
    fake.apic_read_only = read_only;
    fake.apic[0x500 / 16] = open_entries ? 0x200 : APIC_LVT_MASKED;
    fake.apic[0x510 / 16] = entry_1;
    fake.apic[0x530 / 16] = open_entries ? 0x400 : APIC_LVT_MASKED;
    if (open_entries)
        fake.apic[0x400 / 16] = 0x00080007; /* more entries than exist */
    if (version_2) {
        fake_add_msr(MSR_PMC_GLOBAL_STATUS, 0, 0);
        fake_add_msr(MSR_PMC_GLOBAL_CTL, 6, UINT64_MAX);
        fake_add_msr(MSR_PMC_GLOBAL_STATUS_CLEAR, 0, UINT64_MAX);
    }
    fake.on_pause = on_pause;
    plan.calls = (struct session_calls){.body = trial_body};
    if (!ibs)
        plan.program.ibs = (struct ibs_plan){0};
    plan.program.ibs.fetch = false;
    experiment = what;
    run();
    size_t length = fake.log_length;
    for (uint32_t i = 0; i < result.restore.count; i++)
        if (result.restore.row[i].kind != RESTORE_NOTE)
            fake_log("saved %s, of %llx", result.restore.row[i].what, (unsigned long long)result.restore.row[i].mask);
    golden_add_from("its log", length);
    assert_int_equal(result.error, SESSION_OK);
    assert_true(same_as_before());
}

#define try(what, ...) try_as(#what, what, __VA_ARGS__)

static void of_registers(const struct trial *trial)
{
    uint64_t value;

    assert_true(trial_read(MSR_IBS_OP_CTL, &value));
    assert_false(trial_read(ABSENT, &value));
    assert_int_equal(value, 13);
    assert_int_equal(trial_write_back(MSR_IBS_FETCH_CTL), 0);
    assert_int_equal(trial_write_back(ABSENT), 13);
    assert_int_equal(trial_hold(trial, MSR_IBS_FETCH_CTL, 0x1234, 0xFFFF), 0);
    assert_int_equal(fake_msr(MSR_IBS_FETCH_CTL)->value, 0);
    assert_int_equal(trial_hold(trial, ABSENT, 1, 1), UINT64_MAX);
    assert_int_equal(trial_unstable(MSR_PERF_CTL(0), 10), 0);
    assert_int_equal(trial_unstable(ABSENT, 10), UINT32_MAX);
    fake.fault_at = fake.accesses + 4; /* one of ten reads */
    assert_int_equal(trial_unstable(MSR_PERF_CTL(0), 10), 1);
}

static void of_revision_b(const struct trial *trial)
{
    assert_int_equal(trial_hold(trial, MSR_IBS_OP_CTL, IBS_OP_CNT_CTL | 5, IBS_OP_CNT_CTL | 5), IBS_OP_CNT_CTL);
}

static void waits(const struct trial *trial)
{
    uint64_t from = fake.tsc;

    trial_wait(trial, 40);
    assert_in_range(fake.tsc - from, 100000, 110000); /* 2.5 GHz */
    from = fake.tsc;
    trial_wait(trial, 2000);
    assert_in_range(fake.tsc - from, 5000000, 5002000);
}

static void test_registers(void **state)
{
    try(of_registers, false, MODEL_C, false);
    try(of_revision_b, false, MODEL_B, false);
    try(waits, false, MODEL_C, false);
}

static struct trial_global global;

/* Advances counter 0 in each pause, if its bit is set. */
static void counts_on(unsigned pauses)
{
    uint64_t *count = &fake_msr(MSR_PERF_CTR(0))->value, first = *count;

    (void)pauses;
    if (!(fake_msr(MSR_PMC_GLOBAL_CTL)->value & 1))
        return;
    *count = (first + 1000) & PMC_COUNTER_MASK;
    if (*count < first)
        fake_msr(MSR_PMC_GLOBAL_STATUS)->value |= 1;
}

static void globals(const struct trial *trial)
{
    fake.on_pause = version_2 ? counts_on : NULL;
    trial_global(trial, &global);
    fake.on_pause = NULL;
}

static void test_global(void **state)
{
    try(globals, false, MODEL_C, false);
    assert_false(global.ok);
    version_2 = true;
    try(globals, false, MODEL_C, false);
    version_2 = false;
    assert_int_equal(fake_msr(MSR_PMC_GLOBAL_CTL)->value, 6);
    assert_true(global.ok && !global.before && global.after && global.cleared);
    assert_true(global.on > 1000);
    assert_int_equal(global.off, 0);
}

static struct trial_overflow overflow;

static void overflows(const struct trial *trial)
{
    trial_overflow(trial, &overflow);
    assert_int_equal(trial->nmi->state, NMI_IDLE);
}

/* Like the model, the fake masks LVTPC when it delivers; without clocks there is no overflow. */
static void test_overflow(void **state)
{
    try(overflows, false, MODEL_C, true);
    assert_true(overflow.ok && overflow.masked);
    assert_int_equal(overflow.nmis, 1);
    assert_true(overflow.stops > 0 && overflow.stops <= 64);
    assert_int_equal(overflow.late, 0);
    try(overflows, false, MODEL_C, false);
    assert_true(overflow.ok && !overflow.masked);
    assert_int_equal(overflow.nmis, 0);
}

/* Delivers NMIs after some of the stops, when none should come any more: the result has those of the worst stop. */
static void late_nmis(unsigned pauses)
{
    static unsigned since, stop;
    bool counts = fake_msr(MSR_PERF_CTL(0))->value & PMC_CTL_EN;

    stop += counts && since;
    since = counts ? 0 : since + 1;
    if (since == 5)
        for (unsigned n = 0; n < (stop == 3 ? 2 : stop == 7); n++)
            fake_nmi();
}

static void test_late(void **state)
{
    on_pause = late_nmis;
    try(overflows, false, MODEL_C, false);
    on_pause = NULL;
    assert_true(overflow.ok);
    assert_int_equal(overflow.late, 2);
    assert_int_equal(overflow.stops, 2);
}

static struct trial_timer timer;

static void times(const struct trial *trial)
{
    uint32_t state = trial->nmi->state;

    trial_timer(trial, &timer);
    assert_int_equal(trial->nmi->state, state);
}

static void test_timer(void **state)
{
    try(times, false, MODEL_C, true);
    assert_true(timer.ok && timer.holds);
    assert_int_equal(timer.nmis, 1);
    assert_int_equal(timer.left, 0);
    try(times, false, MODEL_C, false);
    assert_int_equal(timer.nmis, 0);
    read_only = APIC_LVT_TIMER;
    try(times, false, MODEL_C, false);
    read_only = 0;
    assert_true(timer.ok && !timer.holds);
}

static struct trial_ibs ibs;
static bool endless, early;

/* Samples an op at once if possible, and delivers its NMI; or delivers NMIs as long as the entry is open. */
static void sample(unsigned pauses)
{
    struct fake_msr *ctl = fake_msr(MSR_IBS_OP_CTL);
    bool counts = (ctl->value & IBS_OP_EN) && (ctl->value & IBS_OP_MAX_CNT) && !(ctl->value & IBS_OP_VAL);

    if (counts)
        ctl->value |= IBS_OP_VAL;
    if (counts || (endless && !(fake.apic[0x510 / 16] & APIC_LVT_MASKED)))
        fake_nmi();
}

static unsigned stopped_left;

static void after_half_a_stop(unsigned pauses)
{
    if (fake_msr(MSR_IBS_OP_CTL)->value == IBS_OP_EN && stopped_left) {
        stopped_left--;
        fake_nmi();
    }
}

static void of_ibs(const struct trial *trial)
{
    uint32_t state = trial->nmi->state;

    fake.nmi_at_pause = early ? fake.pauses + 1 : 0;
    trial_ibs(trial, &ibs);
    assert_int_equal(trial->nmi->state, state);
    assert_int_equal(fake_msr(MSR_IBS_OP_CTL)->value, 0);
}

static void test_ibs(void **state)
{
    endless = false;
    on_pause = sample;
    try(of_ibs, true, MODEL_C, false);
    assert_true(ibs.ok && ibs.held_val && !ibs.storm);
    assert_int_equal(ibs.held_nmis, 1);
    assert_int_equal(ibs.stopped_nmis, 0);
    assert_int_equal(ibs.stopped_ctl & (IBS_OP_EN | IBS_OP_VAL | IBS_OP_MAX_CNT), IBS_OP_EN);
    on_pause = NULL; /* nothing is sampled */
    try(of_ibs, true, MODEL_C, false);
    assert_true(ibs.ok && !ibs.held_val && !ibs.storm);
    assert_int_equal(ibs.held_nmis, 0);
    stopped_left = 2; /* the NMIs of a stop by MaxCnt alone */
    on_pause = after_half_a_stop;
    try(of_ibs, true, MODEL_C, false);
    on_pause = NULL;
    assert_int_equal(ibs.stopped_nmis, 2);
    assert_int_equal(ibs.held_nmis, 0);
    early = true; /* an NMI of the sampling that was stopped first */
    try(of_ibs, true, MODEL_C, false);
    early = false;
    assert_int_equal(ibs.stopped_nmis, 0);
    assert_int_equal(ibs.held_nmis, 0);
}

static void test_ibs_in_a_storm(void **state)
{
    endless = true;
    on_pause = sample;
    try(of_ibs, true, MODEL_C, false);
    assert_true(ibs.ok && ibs.storm);
    assert_true(result.counts.storm > 0);
    on_pause = NULL;
}

static unsigned samples;

/* Samples one op, and delivers its NMI as long as Val is set and the entry is open. */
static void level(unsigned pauses)
{
    struct fake_msr *ctl = fake_msr(MSR_IBS_OP_CTL);

    if (ctl->value == (IBS_OP_EN | 0x40) && samples) {
        samples--;
        ctl->value |= IBS_OP_VAL;
    }
    if (ctl->value & IBS_OP_VAL && !(fake.apic[0x510 / 16] & APIC_LVT_MASKED))
        fake_nmi();
}

static void test_ibs_of_a_level(void **state)
{
    samples = 1;
    on_pause = level;
    try(of_ibs, true, MODEL_C, false);
    on_pause = NULL;
    assert_true(ibs.ok && ibs.held_val && !ibs.storm);
    assert_int_equal(ibs.held_nmis, NMI_STORM);
}

static struct trial_fetch fetch;
static unsigned counts_from; /* pauses after which the counter stands at 3 * 16 */

static void of_fetches(const struct trial *trial)
{
    uint64_t from = fake.tsc;

    trial_fetch_restart(trial, &fetch);
    assert_in_range(fake.tsc - from, 1, 260000); /* 100 us of 2.5 GHz */
    assert_int_equal(fake_msr(MSR_IBS_FETCH_CTL)->value, 0);
}

static void count_fetches(unsigned pauses)
{
    if (fake_msr(MSR_IBS_FETCH_CTL)->value == (IBS_FETCH_EN | 0xFFFF) && pauses > counts_from)
        fake_msr(MSR_IBS_FETCH_CTL)->value |= 3 << 16;
}

static void nmi_while_it_counts(unsigned pauses)
{
    count_fetches(pauses);
    if (fake_msr(MSR_IBS_FETCH_CTL)->value & IBS_FETCH_EN)
        fake_nmi();
}

/* The counter holds the last written value, 0, unless it ignores the write. */
static void test_fetch_restart(void **state)
{
    on_pause = count_fetches;
    counts_from = 5;
    try(of_fetches, true, MODEL_C, false);
    assert_true(fetch.ok);
    assert_int_equal(fetch.before, 3);
    assert_int_equal(fetch.after, 0);
    on_pause = nmi_while_it_counts; /* which belongs to no sample */
    try(of_fetches, true, MODEL_C, false);
    assert_int_equal(result.counts.nmi, 0);
    on_pause = count_fetches;
    counts_from = 1000; /* the counter does not run in that time */
    try(of_fetches, true, MODEL_C, false);
    on_pause = NULL;
    assert_true(fetch.ok);
    assert_int_equal(fetch.before, 0);
}

static struct trial_stops one_step;

static void of_one_step(const struct trial *trial)
{
    one_step = (struct trial_stops){77, 77, true};
    trial_one_step(trial, 5, &one_step);
}

static unsigned pauses_left;

static void nmi_now(unsigned pauses)
{
    if (!(fake_msr(MSR_IBS_OP_CTL)->value & IBS_OP_EN) && pauses_left) {
        pauses_left--;
        fake_nmi();
    }
}

static void test_one_step(void **state)
{
    pauses_left = 3;
    on_pause = nmi_now;
    try(of_one_step, true, MODEL_C, false);
    assert_int_equal(one_step.all, 3);
    assert_in_range(one_step.most, 1, 3);
    on_pause = NULL;
    try(of_one_step, true, MODEL_C, false);
    assert_int_equal(one_step.all, 0);
    assert_int_equal(one_step.most, 0);
    assert_false(one_step.storm);
}

static struct trial_stops two_steps;
static uint32_t stops, stops_seen, nmis_of_a_stop, entry_open;

static void of_two_steps(const struct trial *trial)
{
    uint32_t state = trial->nmi->state;

    two_steps = (struct trial_stops){77, 77, true};
    fake.nmi_at = fake.accesses + 2; /* between the steps of the first stop */
    trial_two_steps(trial, stops, &two_steps);
    assert_int_equal(trial->nmi->state, state);
    assert_int_equal(fake_msr(MSR_IBS_OP_CTL)->value, 0);
}

/* Delivers the erratum's NMIs after the second step, in which the enable bit is cleared while MaxCnt is already 0. */
static void nmis_after_a_stop(unsigned pauses)
{
    static bool enabled;
    bool was = enabled;

    enabled = fake_msr(MSR_IBS_OP_CTL)->value & IBS_OP_EN;
    if (enabled || !was)
        return;
    stops_seen++;
    entry_open += !(fake.apic[0x510 / 16] & APIC_LVT_MASKED);
    for (uint32_t n = 0; n < nmis_of_a_stop && stops_seen == 3; n++)
        fake_nmi();
}

/* Ends an interval, and delivers its NMI, before the second step. */
static void sample_before(unsigned pauses)
{
    struct fake_msr *ctl = fake_msr(MSR_IBS_OP_CTL);

    if ((ctl->value & IBS_OP_EN) && !(ctl->value & IBS_OP_VAL)) {
        ctl->value |= IBS_OP_VAL;
        fake_nmi();
    }
}

/* Tries with the entry open, which the session's own stop masks first, so that here the interrupt is delivered. */
static void test_two_steps(void **state)
{
    const char *at;

    stops = 5;
    stops_seen = entry_open = 0;
    on_pause = nmis_after_a_stop;
    nmis_of_a_stop = 2;
    try(of_two_steps, true, MODEL_C, false);
    assert_int_equal(two_steps.all, 2);
    assert_int_equal(two_steps.most, 2);
    assert_int_equal(result.counts.empty, 0); /* that NMI did not count as an NMI of sampling */
    assert_false(two_steps.storm);
    assert_true(stops_seen >= 4); /* the first stop is before any pause */
    assert_int_equal(entry_open, stops_seen);
    /* Each stop has both steps: MaxCnt = 0 with the enable bit set, then the enable bit. */
    at = strstr(fake.log, "wrmsr c0011033 20040\nrdmsr c0011033\nwrmsr c0011033 20000\nwrmsr c0011033 0\n");
    assert_non_null(at);
    on_pause = sample_before;
    try(of_two_steps, true, MODEL_C, false);
    assert_int_equal(two_steps.all, 0);
    assert_int_equal(two_steps.most, 0);
    /* A storm masks the entry, and no further stop is tried. */
    stops_seen = entry_open = 0;
    nmis_of_a_stop = NMI_STORM;
    on_pause = nmis_after_a_stop;
    try(of_two_steps, true, MODEL_C, false);
    on_pause = NULL;
    assert_true(two_steps.storm);
    assert_int_equal(stops_seen, 3);
    assert_int_equal(two_steps.most, NMI_STORM);
    assert_int_equal(result.counts.storm, 1);
}

static uint32_t off_entry;
static bool off_tried;

static void of_apic_off(const struct trial *trial)
{
    off_tried = trial_apic_off(trial, &off_entry);
    assert_true(fake.apic[APIC_LVT_TIMER / 16] & APIC_LVT_MASKED);
    fake_log("tried");
}

/* All entries are masked before the APIC is switched off, and the tried one before it is on again. The fake masks as
 * the APM says, unless the entry cannot be written. */
static void test_apic_off(void **state)
{
    try(of_apic_off, false, MODEL_C, false);
    assert_true(off_tried);
    assert_int_equal(off_entry, APIC_LVT_MASKED | APIC_LVT_NMI);
    assert_non_null(
        strstr(fake.log, "apic w f0 ff\napic w 510 400\napic r 510\napic w 510 10000\napic w f0 1ff\ntried\n"));
    entry_1 = APIC_LVT_MASKED | 0x2F1; /* the entry's other bits stay */
    try(of_apic_off, false, MODEL_C, false);
    entry_1 = APIC_LVT_MASKED;
    assert_non_null(strstr(fake.log, "apic w 510 102f1\napic w f0 1ff\ntried\n"));
    /* Entries that the firmware left open, and that switching off has masked, are open again. */
    open_entries = true;
    try(of_apic_off, false, MODEL_C, false);
    open_entries = false;
    read_only = 0x510;
    try(of_apic_off, false, MODEL_C, false);
    read_only = 0;
    assert_true(off_tried);
    assert_int_equal(off_entry, APIC_LVT_MASKED);
}

/* Tries nothing without room in the log, because the old values could not be restored. */
static void of_full_log(const struct trial *trial)
{
    static struct restore_log full;
    struct trial without = *trial;
    uint32_t entry, nmis = trial->nmi->state;
    unsigned accesses;

    full.count = RESTORE_ROWS;
    without.log = &full;
    accesses = fake.accesses;
    trial_overflow(&without, &overflow);
    trial_timer(&without, &timer);
    assert_false(overflow.ok || timer.ok);
    assert_true(trial_hold(&without, MSR_PERF_CTR(0), 5, ~0ull) == UINT64_MAX);
    assert_false(trial_apic_off(&without, &entry));
    assert_int_equal(trial->nmi->state, nmis);
    assert_null(strstr(fake.log, "apic w f0 ff\n"));
    assert_true(fake.accesses < accesses + 40); /* reads, and no writes */
    /* Only the entries of the extended part have no row. */
    full.count = 0;
    assert_true(quiet_mask_lvt(trial->machine, &full) >= 0);
    assert_int_equal(restore_save(&full, RESTORE_MMIO, trial->apic + APIC_SPURIOUS, 0, ~0ull, "", NULL), 0);
    while (full.count < RESTORE_ROWS)
        restore_note(&full, "full", 0, 0, true);
    assert_false(trial_apic_off(&without, &entry));
    assert_null(strstr(fake.log, "apic w f0 ff\n"));
    full.count = RESTORE_ROWS - 10;
    restore_undo(&full);
    fake.log_length = 0;
    trial_read_apic(trial, 3);
    assert_string_equal(fake.log, "apic r 30\napic r 30\napic r 30\n");
    without.apic = 0;
    trial_read_apic(&without, 3);
    assert_string_equal(fake.log, "apic r 30\napic r 30\napic r 30\n");
    without.nmi->entry[NMI_ENTRY_COUNTERS] = 5; /* the handler writes to no entry that it cannot reach */
    trial_overflow(&without, &overflow);
    assert_false(overflow.ok);
    assert_int_equal(without.nmi->entry[NMI_ENTRY_COUNTERS], 0);
}

static void test_full_log(void **state)
{
    try(of_full_log, false, MODEL_C, false);
}

/* Compares each access of each experiment above, in order. */
static void test_accesses(void **state)
{
    golden_compare("trials.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),      cmocka_unit_test(test_global),
        cmocka_unit_test(test_overflow),       cmocka_unit_test(test_late),
        cmocka_unit_test(test_timer),          cmocka_unit_test(test_ibs),
        cmocka_unit_test(test_ibs_in_a_storm), cmocka_unit_test(test_ibs_of_a_level),
        cmocka_unit_test(test_fetch_restart),  cmocka_unit_test(test_one_step),
        cmocka_unit_test(test_two_steps),      cmocka_unit_test(test_apic_off),
        cmocka_unit_test(test_full_log),       cmocka_unit_test(test_accesses),
    };

    golden_begin();
    return cmocka_run_group_tests(tests, run_allocate, run_release);
}
