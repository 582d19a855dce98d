/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole sessions with everything on, on each kind of processor: every access, and the results. */
#include "tests/unit/drivers/run_fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "tests/unit/drivers/golden.h"

static struct sample_stack stacks[CAPACITY + 1];

/* Puts a counter behind its overflow. */
static void overflow(uint32_t counter, uint64_t value)
{
    fake_msr(machine.pmc.ctr + counter * machine.pmc.stride)->value = value;
    if (machine.pmc.version >= 2)
        fake_msr(MSR_PMC_GLOBAL_STATUS)->value |= 1ull << counter;
}

static void sampled(bool fetch, bool op)
{
    fake_msr(MSR_IBS_FETCH_CTL)->value |= fetch && plan.program.ibs.fetch ? IBS_FETCH_VAL : 0;
    fake_msr(MSR_IBS_OP_CTL)->value |= op && plan.program.ibs.op ? IBS_OP_VAL : 0;
    fake.rip += 0x10;
    fake_nmi();
}

/* Delivers each reason for an NMI alone, and several at once; more than there is room for. */
static void work(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake.rip = 0x403000;
    sampled(true, false);
    sampled(false, true);
    sampled(false, false);
    if (plan.program.pmc.mode) {
        overflow(0, 5);
        sampled(false, false);
        overflow(1, 3);
        sampled(true, true);
    }
    fake.tsc += 2500000; /* a tick, and the next group */
    sampled(false, false);
    if (plan.program.pmc.mode) {
        overflow(0, 7);
        sampled(false, true);
    }
    fake.tsc += 2500000;
    sampled(true, false);
    sampled(true, true);
}

static void note_result(void)
{
    fake_log("error %u, detail %llx, samples %llu, entry %u, node %u, id %u", result.error,
             (unsigned long long)result.error_detail, (unsigned long long)result.samples, result.lvt_offset,
             result.node, result.apic_id);
    fake_log("handler %s", fake.later_gate     ? "of later families"
                           : fake.lingers_gate ? "that lingers"
                           : fake.stacks_gate  ? "with call stacks"
                                               : "of Family 10h");
    fake_log("nmis %llu, empty %llu, late %llu, storms %llu", (unsigned long long)result.counts.nmi,
             (unsigned long long)result.counts.empty, (unsigned long long)result.counts.late,
             (unsigned long long)result.counts.storm);
    for (unsigned i = 0; i < SAMPLE_KINDS; i++)
        fake_log("kind %u: %llu, lost %llu", i, (unsigned long long)result.counts.recorded[i],
                 (unsigned long long)result.counts.lost[i]);
    fake_log("counters of the session's own: %x", session_live(workspace).counters);
    fake_log("timer %u, %llu kHz, %u", result.timer.by, (unsigned long long)result.timer.khz, result.timer.count);
    for (unsigned i = 0; i < plan.program.pmc.events; i++)
        fake_log("event %u: %llu, %llu samples, %llu lost", i, (unsigned long long)result.pmc.event[i].total,
                 (unsigned long long)result.pmc.event[i].samples, (unsigned long long)result.pmc.event[i].lost);
    for (unsigned i = 0; i < plan.program.pmc.groups; i++)
        fake_log("group %u: %llu turns, %llu ticks", i, (unsigned long long)result.pmc.group[i].slices,
                 (unsigned long long)result.pmc.group[i].tsc);
    for (uint32_t i = 0; i < result.samples; i++) {
        fake_log("record %u: kind %u, core %u", i, records[i].kind, records[i].cpu);
        for (unsigned r = 0; r < 8; r++)
            if (records[i].reg[r])
                fake_log("  %u: %llx", r, (unsigned long long)records[i].reg[r]);
        if (plan.place.stacks)
            fake_log("  stack: %llx, %u, %u", (unsigned long long)stacks[i].rip, stacks[i].depth, stacks[i].end);
    }
    for (uint32_t i = 0; i < result.restore.count; i++) {
        const struct restore_row *row = &result.restore.row[i];

        if (row->kind != RESTORE_NOTE && row->kind != RESTORE_CR3)
            fake_log("restored %s %u: %llx, %llx, %llx%s", row->what, row->unit, (unsigned long long)row->before,
                     (unsigned long long)row->after, (unsigned long long)row->mask, row->ok ? "" : ", not");
    }
}

enum { WITH_COUNTERS = 1, WITH_TIMER = 2, WITH_STACKS = 4, BY_COUNTER = 8, COUNTED = 16, WITHOUT_IBS = 32 };

/* Runs a session; later is -1 for Family 10h with this model. */
static void session(const char *title, int later, uint32_t model, unsigned with)
{
    set_up(model, 1);
    memset(stacks, 0, sizeof stacks);
    if (later >= 0) {
        fake_reset_later((enum fake_later)later);
        machine_probe(&machine);
        machine.tsc_khz = 2500000;
        if (machine.pmc.version >= 2)
            fake_msr(MSR_PMC_GLOBAL_STATUS)->value = 0;
        fake_clear_log();
        fake.accesses = 0;
    }
    if (with & WITHOUT_IBS)
        plan.program.ibs = (struct ibs_plan){0};
    if (with & WITH_COUNTERS) {
        plan.program.pmc = (struct pmc_plan){
            .mode = with & COUNTED ? PMC_COUNTING : PMC_SAMPLING,
            .events = 3,
            .event = {{.select = 0x0C0, .os = true, .period = 1000},
                      {.select = 0x041, .unit_mask = 7, .user = true, .period = 2000},
                      {.select = 0x076, .os = true, .edge = true, .invert = true, .count_mask = 2, .period = 3000}},
            .groups = 2,
            .group = {{.events = 2, .event = {0, 1}}, {.events = 1, .event = {2}}},
            .slice = 2500000,
        };
        if (with & COUNTED)
            plan.program.pmc.groups = 1;
    }
    if (with & WITH_TIMER)
        plan.program.timer.period = 1000;
    if (with & WITH_STACKS) {
        plan.place.stacks = stacks;
        plan.place.stack_depth = 3;
        fake.rbp = 8;
    }
    fake.timer_nmis = !(with & BY_COUNTER);
    plan.calls.body = work;
    run();
    note_result();
    golden_add(title);
    assert_true(same_as_before());
}

TEST(family_10h)
{
    golden_begin();
    session("B, IBS", -1, MODEL_B, 0);
    session("C, IBS", -1, MODEL_C, 0);
    session("C, all", -1, MODEL_C, WITH_COUNTERS | WITH_TIMER);
    session("D, all with stacks", -1, MODEL_D, WITH_COUNTERS | WITH_TIMER | WITH_STACKS);
    session("C, counts", -1, MODEL_C, WITH_COUNTERS | COUNTED);
    session("C, counters", -1, MODEL_C, WITH_COUNTERS | WITHOUT_IBS);
    session("C, timer", -1, MODEL_C, WITH_TIMER | WITHOUT_IBS);
    session("C, ticks of a counter", -1, MODEL_C, WITH_TIMER | BY_COUNTER);
    golden_compare("sessions-10h.txt");
}

TEST(later_families)
{
    static const struct {
        const char *name;
        enum fake_later later;
    } rows[] = {{"15h 00h", FAKE_15H_00}, {"16h", FAKE_16H},    {"Zen", FAKE_ZEN},
                {"Zen 2", FAKE_ZEN2},     {"Zen 4", FAKE_ZEN4}, {"Zen 6", FAKE_ZEN6}};

    golden_begin();
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char title[80];

        snprintf(title, sizeof title, "%s, IBS", rows[i].name);
        session(title, (int)rows[i].later, MODEL_C, 0);
        snprintf(title, sizeof title, "%s, all", rows[i].name);
        session(title, (int)rows[i].later, MODEL_C, WITH_COUNTERS | WITH_TIMER | (i % 2 ? WITH_STACKS : 0));
        snprintf(title, sizeof title, "%s, counters", rows[i].name);
        session(title, (int)rows[i].later, MODEL_C, WITH_COUNTERS | WITHOUT_IBS);
    }
    session("Zen 2, ticks of a counter", FAKE_ZEN2, MODEL_C, WITH_TIMER | BY_COUNTER);
    session("Zen 4, ticks of a counter beside others", FAKE_ZEN4, MODEL_C, WITH_COUNTERS | WITH_TIMER | BY_COUNTER);
    session("Zen 4, counts", FAKE_ZEN4, MODEL_C, WITH_COUNTERS | COUNTED);
    golden_compare("sessions-later.txt");
}

RUN_TESTS(run_allocate, run_release)
