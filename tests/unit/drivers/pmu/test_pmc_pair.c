/* SPDX-License-Identifier: BSD-2-Clause */
/* Merged counters: an event that adds more than 15 in a cycle uses an even counter, and event FFFh the next one. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "drivers/pmu/nmi.h"
#include "drivers/pmu/pmc.h"

enum { CAPACITY = 4 };

static struct machine machine;
static struct restore_log restore;
static struct nmi_context engine;
static struct cpu_nmi_frame frame;
static struct sample_record ring[CAPACITY];
static struct pmc_engine pmc;

/* Plans instructions, and floating-point operations that are counted in a pair. */
static const struct pmc_plan pair = {
    .mode = PMC_SAMPLING,
    .events = 3,
    .event = {{.select = 0x0C0, .os = true},
              {.select = 0x003, .unit_mask = 0x0F, .os = true, .period = 1000},
              {.select = 0xFFF}},
    .groups = 1,
    .group = {{.events = 3, .event = {1, 2, 0}}},
};

static void start(enum fake_later which, const struct pmc_plan *plan)
{
    uint64_t ours, detail;
    fake_machine_later(&machine, which);
    assert_int_equal(pmc_check(plan, &machine), SESSION_OK);
    memset(ring, 0, sizeof ring);
    restore_init(&restore);
    engine = (struct nmi_context){
        .state = NMI_RUNNING_ALL, .pmc = &pmc, .frame = &frame, .ring = {.record = ring, .capacity = CAPACITY}};
    pmc_init(&pmc, plan, 0);
    pmc_use(&pmc, &machine.pmc);
    fake_clear_log();
    assert_int_equal(pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail), SESSION_OK);
    pmc_resume_later(&pmc);
}

/* The upper bits are written before the lower ones, which make both valid; the partner is enabled before the other
 * counter. */
TEST(test_a_pair_is_sampled)
{
    uint64_t detail;
    struct pmc_result result;
    start(FAKE_ZEN2, &pair);
    assert_non_null(strstr(fake.log, "wrmsr c0010203 ffff\nwrmsr c0010201 fffffffffc18\nwrmsr c0010200 120f03\n"
                                     "rdmsr c0010200\nwrmsr c0010202 f004000ff\nrdmsr c0010202\n"
                                     "wrmsr c0010205 0\nwrmsr c0010204 200c0\n"));
    assert_non_null(strstr(fake.log, "wrmsr c0010200 520f03\nwrmsr c0010202 f004000ff\nwrmsr c0010204 4200c0\n"));
    fake_msr(0xC0010201)->value = 5;
    fake_msr(0xC0010203)->value = 0; /* the partner wrapped as well */
    fake_clear_log();
    nmi_handler_later(&engine, 0);
    assert_string_equal(fake.log, "wrmsr c0010200 120f03\nwrmsr c0010202 f004000ff\nwrmsr c0010204 200c0\n"
                                  "rdmsr c0010201\nwrmsr c0010203 ffff\nwrmsr c0010201 fffffffffc18\n"
                                  "apic w 340 400\n"
                                  "wrmsr c0010200 520f03\nwrmsr c0010202 f004000ff\nwrmsr c0010204 4200c0\n");
    fake_msr(0xC0010201)->value = ~0ull << 48 | pmc_preset(900); /* the pair is read as a whole */
    fake_msr(0xC0010205)->value = 77;
    fake_clear_log();
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_OK);
    assert_non_null(strstr(fake.log, "wrmsr c0010200 0\nwrmsr c0010202 0\nwrmsr c0010204 0\n"));
    pmc_collect(&pmc, &result);
    assert_int_equal(result.event[0].total, 77);
    assert_int_equal(result.event[1].total, 1000 + 5 + 100);
    assert_int_equal(result.event[1].samples, 1);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_int_equal(fake_msr(0xC0010202)->value, 0);
    assert_int_equal(fake_msr(0xC0010203)->value, 0);
}

/* Version 2 switches all counters by the global control, including the partner. */
TEST(test_a_pair_of_version_2)
{
    start(FAKE_ZEN4, &pair);
    assert_non_null(strstr(fake.log, "wrmsr c0010203 ffff\nwrmsr c0010201 fffffffffc18\nwrmsr c0010200 520f03\n"));
    assert_int_equal(fake_msr(0xC0010202)->value, 0xF004000FF);
    assert_int_equal(fake_msr(MSR_PMC_GLOBAL_CTL)->value, 7);
}

/* If a turn continues with the pair, its upper bits are set again; the partner has no write of its own. */
TEST(test_a_pair_goes_on)
{
    start(FAKE_ZEN2, &pair);
    fake_clear_log();
    pmc_write_pair(&pmc, 0, ~0ull << 48 | 1234);
    pmc_write_pair(&pmc, 1, 99);
    pmc_write_pair(&pmc, 2, 7);
    assert_string_equal(fake.log, "wrmsr c0010203 ffff\nwrmsr c0010201 4d2\nwrmsr c0010205 7\n");
}

/* A partner belongs behind an even counter, and counts at no privilege level by itself. */
TEST(test_what_is_refused)
{
    struct pmc_plan plan = pair;
    fake_machine_later(&machine, FAKE_ZEN2);
    plan.group[0] = (struct pmc_group){.events = 3, .event = {1, 0, 2}};
    assert_int_equal(pmc_check(&plan, &machine), SESSION_PMC_MERGE);
    plan.group[0] = (struct pmc_group){.events = 1, .event = {2}};
    assert_int_equal(pmc_check(&plan, &machine), SESSION_PMC_MERGE);
    plan = pair;
    plan.event[1].os = false;
    assert_int_equal(pmc_check(&plan, &machine), SESSION_PMC_PRIVILEGE);
}

RUN_TESTS(NULL, NULL)
