/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting, events that are not modelled, both kinds of samples side by side, and General Exploration. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/counter_plan.h"
#include "app/kinds/counters/pmc.h"
#include "app/run/task.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/map.h"

#define RUN "menu=no n=50 "

enum {
    COSTS = 13
}; /* sessions before an exploration: two for each of six workloads, one for the one that begins cold */
enum { WARM_UP = 2 }; /* passes before several that are compared: one over nothing, one over the workload */

/* ---------------------------------------------------------------- counting */

/* Counters that a group leaves empty, below one that an event needs, count nothing and never interrupt. */
APP_TEST(empty_counters_are_filled)
{
    static const struct event some = {.select = 0x0C0};
    struct event_list list = {.count = 2};
    struct event_group groups[] = {{.count = 4, .event = {1, EVENT_GROUP_NONE, EVENT_GROUP_NONE, 0}},
                                   {.count = 2, .event = {EVENT_GROUP_NONE, 1}}};
    static struct pmc_plan plan;

    list.spec[0] = list.spec[1] = (struct event_spec){.event = &some, .kernel = true, .period = 5000};
    counter_plan(&plan, &list, groups, 2);
    plan.mode = PMC_SAMPLING;
    plan.slice = 1;
    assert_int_equal(pmc_check(&plan, &fake_session.machine), SESSION_OK);
    assert_int_equal(plan.group[0].events, 4);
    assert_int_equal(plan.group[0].event[0], 1);
    assert_int_equal(plan.group[0].event[3], 0);
    assert_int_equal(plan.group[1].event[1], 1);
    for (unsigned i = 0; i < plan.events; i++) {
        assert_int_equal(plan.event[i].os, i < 2);
        assert_int_equal(plan.event[i].period, i < 2 ? 5000 : 0);
    }
}

/* Partners are separate events, one for each pair, after the fillers. */
APP_TEST(pairs_have_their_partners)
{
    static const struct event some = {.select = 0x003, .pair = true};
    struct event_list list = {.count = 2};
    struct event_group groups[] = {
        {.count = 6, .event = {0, EVENT_GROUP_MERGE, EVENT_GROUP_NONE, EVENT_GROUP_NONE, 1, EVENT_GROUP_MERGE}},
        {.count = 4, .event = {EVENT_GROUP_NONE, EVENT_GROUP_NONE, 1, EVENT_GROUP_MERGE}}};
    static const uint8_t expected[2][6] = {{0, 6, 4, 5, 1, 8}, {2, 3, 1, 7}};
    static struct pmc_plan plan;

    list.spec[0] = list.spec[1] = (struct event_spec){.event = &some, .kernel = true};
    counter_plan(&plan, &list, groups, 2);
    assert_int_equal(plan.events, 9);
    for (unsigned g = 0; g < 2; g++)
        for (unsigned i = 0; i < groups[g].count; i++)
            assert_int_equal(plan.group[g].event[i], expected[g][i]);
    for (unsigned i = 0; i < plan.events; i++) {
        assert_int_equal(plan.event[i].select, i < 2 ? 0x003 : i < 6 ? 0x076 : 0xFFF);
        assert_int_equal(plan.event[i].os, i < 2);
        assert_int_equal(plan.event[i].user, i >= 2 && i < 6);
    }
}

APP_TEST(counting_subtracts_what_starting_costs)
{
    fake_session.count[0] = (struct fake_count){0x0C0, 12345678, 321, 0};
    assert_int_equal(start(RUN "config=count events=0C0,041,0C2,0C3,040 repeats=2"), 0);
    /* 5 events and the sentinel are in 2 passes, 3 of them in each; each pass also runs twice over nothing, and all of
     * this twice. */
    assert_int_equal(fake_session.runs, WARM_UP + 12);
    for (unsigned i = 0; i < 12; i++) {
        assert_int_equal(fake_session.pass[WARM_UP + i].pmc.mode, PMC_COUNTING);
        assert_int_equal(fake_session.pass[WARM_UP + i].empty, i % 3 != 2);
        assert_non_null(strstr(group_text(&fake_session.pass[WARM_UP + i], 0), "076"));
    }
    assert_shown("12345678");
    assert_not_shown("12345999");
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0001-matmul-classic-count\\counts.csv"),
                           "\n0c0,00,0,RETIRED_INSTRUCTIONS,counted,2,12345678,12345678,12345678,0,321,0,1000000\n"));
}

/* A pass that fails adds nothing to earlier counts: neither a count nor the overhead of starting. */
APP_TEST(what_a_failed_pass_counts_is_nothing)
{
    /* In the second repeat each pass fails once: the two over nothing, and the one over the workload. */
    for (unsigned fails = 1; fails <= 3; fails++) {
        char folder[80];

        fake_session.runs = 0;
        fake_session.count[0] = (struct fake_count){0x0C0, 12345678, 321, 0};
        fake_session.fail_at = WARM_UP + 3 + fails;
        assert_int_equal(start(RUN "config=count events=0C0 repeats=2"), 1);
        snprintf(folder, sizeof(folder), "\\ibsboot\\runs\\000%u-matmul-classic-count\\counts.csv", fails);
        if (!strstr(file_text(folder),
                    "\n0c0,00,0,RETIRED_INSTRUCTIONS,counted,1,12345678,12345678,12345678,0,321,0,1000000\n"))
            fail_msg("pass %u:\n%s", fails, file_text(folder));
    }
}

/* Instructions that a virtual PMU does not count cannot exceed those of the workload, either. */
APP_TEST(instructions_that_are_not_counted)
{
    fake_session.not_modelled[0] = 0x0C0;
    assert_int_equal(start("menu=no workload=alu-independent iterations=9 config=count events=0C0,0C2 repeats=1"), 0);
    assert_string_equal(saved_fact("0001-alu-independent-count", "certificate.instructions_surplus"),
                        "not available: only totals exclude the NMI handler (config=count)");
}

/* The first instruction of the map can be the culprit, too. */
APP_TEST(the_first_instruction_is_the_culprit)
{
    fake_session.culprit = 0;
    assert_int_equal(start(RUN "config=skid"), 0);
    assert_not_shown("there is no culprit to look for");
}

/* Two passes and six events fill the memory for the counts to its last byte. */
APP_TEST(counts_fit_into_their_memory)
{
    assert_int_equal(start(RUN "config=count events=0C0,041,0C2,0C3,040 repeats=1"), 0);
    assert_shown("Counted       6 events in 2 passes, each also for an empty region\n");
    assert_int_equal(fake_session.runs, WARM_UP + 6);
}

/* A single character can name an event. */
APP_TEST(one_character_is_an_event)
{
    assert_int_equal(start(RUN "config=count events=0 repeats=1"), 0);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "076 000");
    assert_int_equal(start(RUN "config=events events=0 periods=given"), 0);
    assert_int_equal(start(RUN "config=ibs events=0"), 1);
}

/* 20 hops are 64 instructions, among them 20 branches of the loop (19 taken) and the ret, which branches and loads;
 * there are 22 more loads. The empty function is a ret, too: on silicon all of it is subtracted, and the virtual PMU
 * counts it as one instruction. */
APP_TEST(counts_that_are_known)
{
    static const struct {
        uint32_t select;
        unsigned silicon, model;
    } rows[] = {{0x0C0, 63, 63}, {0x0C2, 20, 21}, {0x0C4, 19, 20}, {0x0C8, 0, 1}, {0x040, 22, 23}};

    fake_session.otherwise = 0;
    for (unsigned hypervisor = 0; hypervisor < 2; hypervisor++) {
        fake_firmware_clear(&fake_fw);
        fake_session.machine.hypervisor = hypervisor;
        memset(fake_session.count, 0, sizeof(fake_session.count));
        for (unsigned i = 0, n = 0; i < 5; i++) {
            unsigned known = hypervisor ? rows[i].model : rows[i].silicon;

            if (known)
                fake_session.count[n++] = (struct fake_count){rows[i].select, known, 3, 0};
        }
        assert_int_equal(
            start("menu=no save=no config=count events=0C0,0C2,0C4,0C8,040 workload=pointer-chase hops=20 kb=4"), 0);
        for (unsigned i = 0; i < 5; i++) {
            char line[100];
            unsigned known = hypervisor ? rows[i].model : rows[i].silicon;

            snprintf(line, sizeof(line), "\nsame %03X:00 known beforehand %u, counted %u\n", rows[i].select, known,
                     known);
            assert_shown(line);
        }
        assert_not_shown("OTHER ");
    }
}

/* No store of four bytes is forwarded to a load of eight; a ret stores nothing. */
APP_TEST(a_count_without_a_ret)
{
    fake_session.count[0] = (struct fake_count){0x02A, 50, 3, 0};
    fake_session.machine.hypervisor = false;
    assert_int_equal(start("menu=no save=no config=count events=02A:7 workload=store-forward iterations=50 width=4"),
                     0);
    assert_shown("\nsame 02A:07 known beforehand 50, counted 50\n");
}

/* Each core does the whole work. One group that runs once is compared with nothing, so nothing warms up. */
APP_TEST(known_counts_of_several_cores)
{
    fake_fw.cores = 3;
    fake_session.count[0] = (struct fake_count){0x0C0, 63, 3, 0};
    assert_int_equal(start("menu=no save=no config=count events=0C0 workload=pointer-chase hops=20 kb=4 cores=all"), 0);
    assert_shown("\nCounts known beforehand, of all cores, minus those of an empty workload\n"
                 "same 0C0:00 known beforehand 189, counted 189\n");
}

APP_TEST(one_pass_needs_no_warm_up)
{
    assert_int_equal(start(RUN "config=count events=0C0,041,0C2 repeats=1"), 0);
    assert_int_equal(fake_session.runs, 3);
    assert_shown("Counted       4 events in 1 pass, each also for an empty region\nRepeats       1\n");
    assert_int_equal(start(RUN "config=count events=0C0,041,0C2 repeats=2"), 0);
    assert_int_equal(fake_session.runs, 3 + WARM_UP + 6);
    assert_shown("Repeats       2, after one pass to warm up\n");
}

/* The list has the sentinel once, as the only event that counts clocks at kernel level without other conditions. */
APP_TEST(the_sentinel)
{
    static const struct {
        const char *events, *group;
    } rows[] = {
        {"076,0C0", "076 0c0"},   {"0C0,076", "076 0c0"},   {"0C0,041", "076 0c0 041"},
        {"076:u", "076 076"},     {"076:k", "076"},         {"076:c=1", "076 076"},
        {"076:i:c=1", "076 076"}, {"076:e:c=1", "076 076"}, {"0C0,076:i:c=2,076", "076 0c0 076"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160];
        const struct fake_pass *pass;

        fake_session.runs = 0;
        snprintf(options, sizeof(options), "menu=no save=no repeats=1 config=count events=%s " SMALL, rows[i].events);
        assert_int_equal(start(options), 0);
        pass = &fake_session.pass[0];
        if (strcmp(group_text(pass, 0), rows[i].group))
            fail_msg("%s: %s", rows[i].events, group_text(pass, 0));
        assert_true(pass->pmc.event[pass->pmc.group[0].event[0]].os);
        assert_int_equal(pass->pmc.event[pass->pmc.group[0].event[0]].count_mask, 0);
    }
}

APP_TEST(counting_all_events_of_a_unit)
{
    const char *csv;

    fake_session.not_modelled[0] = 0x042; /* six masks of this event */
    assert_int_equal(start(RUN "config=count events=all:dc"), 0);
    csv = file_text("\\ibsboot\\runs\\0001-matmul-classic-count\\counts.csv");
    assert_non_null(strstr(csv, "\n041,00,0,"));
    assert_non_null(strstr(csv, "\n043,1f,0,"));
    assert_non_null(strstr(csv, "\n043,08,0,"));
    assert_null(strstr(csv, "\n042,"));
    assert_null(strstr(csv, "\n080,"));
    assert_shown("Left out      6 events and mask bits that are not modelled");
    assert_shown("Residue: an empty region, minus the overhead, counts 0 throughout.");
    assert_lines_fit();
    assert_int_equal(start(RUN "config=count events=all"), 1);
    assert_shown("events = all: more than 159; name a unit: events=all:DC\nThe reason is in ");
    assert_int_equal(start(RUN "config=count events=all:XY"), 1);
    assert_int_equal(start(RUN "config=events events=all:DC"), 1); /* events to be sampled must be named one by one */
}

APP_TEST(counting_takes_all_configured_events)
{
    assert_int_equal(start(RUN "config=count"), 0);
    assert_shown("Counted       ");
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0001-matmul-classic-count\\counts.csv"), "\n07f,03,0,"));
    assert_lines_fit();
}

/* ---------------------------------------------------------------- what is not modelled */

APP_TEST(what_is_not_modelled_is_said)
{
    fake_session.not_modelled[0] = 0x0C2;
    assert_int_equal(start(RUN "config=count events=0C0,0C2,041"), 0);
    for (unsigned i = 0; i < fake_session.runs; i++)
        assert_null(strstr(group_text(&fake_session.pass[i], 0), "0c2"));
    assert_shown("not modelled");
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0001-matmul-classic-count\\counts.csv"),
                           "\n0c2,00,0,RETIRED_BRANCH_INSTRUCTIONS,not modelled,,,,,,,,\n"));
    fake_fw.screen_length = 0;
    assert_int_equal(start(RUN "config=branch periods=given"), 0);
    assert_shown("is not modelled");
    assert_shown("not modelled\n");
    assert_int_equal(start(RUN "config=events events=0C2"), 1);
    assert_shown("the virtual PMU models none of these events");
}

/* ---------------------------------------------------------------- side by side */

APP_TEST(skid_shows_both_sides)
{
    fake_session.culprit = MAP_FMUL;
    assert_int_equal(start(RUN "config=skid periods=given"), 0);
    assert_int_equal(fake_session.runs, 2);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "0c0 040 041 046");
    assert_false(fake_session.pass[0].ibs.op);
    assert_int_equal(fake_session.pass[1].pmc.mode, PMC_OFF);
    assert_true(fake_session.pass[1].ibs.op);
    assert_false(fake_session.pass[1].ibs.fetch);
    assert_shown("Counter samples beside IBS op samples");
    assert_shown("At > DC misses: ");
    assert_shown("100.0% of ");
    assert_lines_fit();
    /* There are two populations, so there are two files. */
    file_text("\\ibsboot\\runs\\0001-matmul-classic-skid\\pmc.csv");
    file_text("\\ibsboot\\runs\\0001-matmul-classic-skid\\profile.csv");
}

/* The first instruction of the map can be the culprit, too. */
APP_TEST(a_culprit_at_the_very_begin)
{
    fake_session.culprit = 0;
    assert_int_equal(start(RUN "config=skid periods=given"), 0);
    assert_shown("\n>  1000 mov eax, dword ptr [rbp-0x14]");
    fake_firmware_clear(&fake_fw);
    fake_session.culprit = -1;
    assert_int_equal(start(RUN "config=skid periods=given"), 0);
    assert_shown("\nNo op sampled by IBS missed the data cache: there is no culprit to find.\n");
    assert_not_shown("At > ");
}

/* An event that is not modelled has no column, neither for samples nor for shares. */
APP_TEST(one_side_is_not_modelled)
{
    fake_session.culprit = MAP_FMUL;
    fake_session.not_modelled[0] = 0x046;
    assert_int_equal(start(RUN "config=skid periods=given"), 0);
    assert_shown("\n>  1009 fmul dword ptr [rbx+rdx*4+0x7e48e        3        - |      357      357\n");
    assert_shown("\nAt > DTLB L1M L2M: 0 counter samples, 100.0% of 357 IBS ops\n");
}

/* ---------------------------------------------------------------- exploration */

/* Sets counts of a processor whose events agree: 1 M cycles, half of the slots retire, back end 30 %. */
static void set_consistent_counts(void)
{
    static const struct fake_count counts[] = {
        {0x076, 1000000, 0, 0}, {0x0C0, 1200000, 0, 0}, {0x0C1, 1500000, 0, 0}, {0x0C1, 800000, 0, 1},
        {0x0C1, 500000, 0, 2},  {0x0C1, 200000, 0, 3},  {0x0C2, 200000, 0, 0},  {0x0D0, 100000, 0, 0},
        {0x0D1, 300000, 0, 0},  {0x0D5, 100000, 0, 0},  {0x0D8, 250000, 0, 0},  {0x040, 600000, 0, 0},
        {0x041, 20000, 0, 0},   {0x042, 20000, 0, 0},   {0x043, 10000, 0, 0},
    };

    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.otherwise = 1000;
}

APP_TEST(exploration_counts_then_samples_ops)
{
    set_consistent_counts();
    fake_session.culprit = MAP_FMUL;
    fake_session.culprit_holds = true;
    assert_int_equal(start(RUN "config=explore"), 0);
    for (unsigned i = 0; i < COSTS; i++) {
        assert_int_equal(fake_session.pass[i].pmc.mode, PMC_COUNTING);
        assert_string_equal(group_text(&fake_session.pass[i], 0), "076");
        assert_false(fake_session.pass[i].empty);
    }
    assert_true(fake_session.pass[COSTS].empty && !fake_session.pass[COSTS + 1].empty);
    for (unsigned i = COSTS + WARM_UP; i + 1 < fake_session.runs; i++) {
        assert_int_equal(fake_session.pass[i].pmc.mode, PMC_COUNTING);
        assert_int_equal(fake_session.pass[i].empty, (i - COSTS - WARM_UP) % 3 != 2);
    }
    assert_int_equal(fake_session.pass[fake_session.runs - 1].pmc.mode, PMC_OFF);
    assert_true(fake_session.pass[fake_session.runs - 1].ibs.op);
    assert_shown("General Exploration, Family 10h: 1000000 cycles");
    assert_shown("* Back-end bound");
    assert_shown("PASS        R1 + R2 + R3 = U within 1 %: 1500000 against 1500000");
    assert_shown("*   Memory bound                         29.9 % slots ");
    assert_shown("MODEL: ");
    assert_lines_fit();
    file_text("\\ibsboot\\runs\\0001-matmul-classic-explore\\counts.csv");
    file_text("\\ibsboot\\runs\\0001-matmul-classic-explore\\profile.csv");
}

APP_TEST(invariants_that_fail_are_told)
{
    set_consistent_counts();
    fake_session.count[3].total = 900000; /* cycles in which an op retires */
    assert_int_equal(start(RUN "config=explore"), 1);
    assert_shown("FAIL        R1 + R2 + R3 = U");
}

APP_TEST(exploration_without_some_events)
{
    set_consistent_counts();
    fake_session.not_modelled[0] = 0x0D5;
    fake_session.not_modelled[1] = 0x043;
    assert_int_equal(start(RUN "config=explore"), 0);
    assert_shown("not modelled");
    assert_lines_fit();
}

/* Cores without op samples do not hide the samples of others. */
APP_TEST(exploration_on_cores_with_few_samples)
{
    set_two_nodes();
    set_consistent_counts();
    fake_session.culprit = MAP_FMUL;
    fake_session.culprit_holds = true;
    fake_session.core[0].own = true;
    fake_session.core[2] = (struct fake_core){.own = true, .op_samples = 14};
    assert_int_equal(start("menu=no cores=0,2 config=explore " SMALL), 0);
    /* One sample held retirement up: a miss of 50 cycles, a walk of 30, of the back end's 29.9. */
    assert_shown("*     L2 hits, est.                      18.7 % slots ");
    assert_shown("*     DTLB misses, est.                  11.2 % slots ");
    fake_session.core[2].op_samples = 0;
    assert_int_equal(start("menu=no cores=0,2 config=explore " SMALL), 0);
    assert_shown("    Memory bound                      not counted");
}

/* When cycles are counted instead of ops, slow ops are sampled more often, so their times say nothing about shares. */
APP_TEST(exploration_by_cycles)
{
    set_consistent_counts();
    assert_int_equal(start("menu=no count=cycles config=explore " SMALL), 0);
    assert_shown("    Memory bound                      not counted");
}

/* 100 hops are 304 instructions, minus the ret that the empty region has as well; and there were 1000 interrupts. */
APP_TEST(instructions_that_are_known_are_checked)
{
    set_consistent_counts();
    fake_session.count[1].total = 303 + 1000;
    assert_int_equal(start("menu=no config=explore workload=pointer-chase kb=4 hops=100"), 0);
    assert_shown("PASS        C0 = expected + CF + exceptions: 1303 against 1303");
    fake_session.count[1].total++;
    assert_int_equal(start("menu=no config=explore workload=pointer-chase kb=4 hops=100"), 1);
    assert_shown("FAIL        C0 = expected + CF + exceptions: 1304 against 1303");
}

APP_TEST(exploration_on_each_revision)
{
    set_consistent_counts();
    for (const char *revision = "BCDE"; *revision; revision++) {
        fake_session.machine.revision = *revision;
        fake_session.machine.ibs_caps = *revision == 'B' ? 7 : 0x1f;
        fake_fw.screen_length = 0;
        assert_int_equal(start("menu=no save=no config=explore " SMALL), 0);
        assert_shown("General Exploration, Family 10h");
    }
}

/* Explores on a processor with slots: five groups, with the cycles in each. Of 6 or 8 million slots 1.5 million
 * retire. */
APP_TEST(exploration_by_slots)
{
    static const struct {
        uint32_t family, model, slots, resync;
        const char *title, *retiring, *sum, *most, *of;
    } of[] = {
        {0x19, 0x61, 6, 0x096, "General Exploration, top-down of six slots per cycle: 1000000 cycles",
         "  Retiring                               25.0 % slots ", "5976000 against 6000000",
         "with three ops 3 of 6\nslots count as front-end bound, and retiring is at most 50.0 %.\n",
         "Retiring: % slots of 6 x 076,"},
        {0x1A, 0x44, 8, 0x09F, "General Exploration, top-down of eight slots per cycle: 1000000 cycles",
         "  Retiring                               18.8 % slots ", "7966000 against 8000000",
         "with three ops 5 of 8\nslots count as front-end bound, and retiring is at most 37.5 %.\n",
         "Retiring: % slots of 8 x 076,"},
    };

    for (unsigned i = 0; i < 2; i++) {
        const uint32_t slots = of[i].slots;
        const struct fake_count counts[] = {
            {0x076, 1000000, 0, 0},
            {0x0C1, 1500000, 0, 0},
            {0x0101A0, 93000 * slots, 0, 0},
            {0x0101A0, 90000, 0, slots},
            {0x1E01A0, (1000 - 93 - 5) * 1000 * slots - 1600000, 0, 0},
            {0x6001A0, 6000, 0, 0},
            {0x0700AA, 1600000, 0, 0},
            {of[i].resync, 500, 0, 0},
            {0x0200D6, 500000, 0, 0},
            {0xA200D6, 400000, 0, 0},
        };

        set_family(of[i].family, of[i].model);
        memset(fake_session.count, 0, sizeof(fake_session.count));
        memcpy(fake_session.count, counts, sizeof(counts));
        fake_session.otherwise = 1000;
        fake_session.runs = 0;
        fake_fw.screen_length = 0;
        assert_int_equal(start("menu=no save=no config=explore " SMALL), 0);
        assert_string_equal(group_text(&fake_session.pass[WARM_UP], 0), "076 0c0 0c1 1a0 1a0 1a0");
        assert_int_equal(fake_session.runs, WARM_UP + 3 * 3 + 1);
        assert_shown(of[i].title);
        assert_shown(of[i].retiring);
        assert_shown("    Latency: nothing supplied           (9.0) % slots ");
        assert_shown("all slots within 5 %:");
        assert_shown(of[i].sum);
        assert_shown(of[i].most);
        fake_session.machine.hypervisor = false;
        fake_fw.screen_length = 0;
        assert_int_equal(start("menu=no save=no config=explore " SMALL), 0);
        assert_not_shown("The virtual PMU dispatches");
        fake_session.machine.hypervisor = true;
        assert_int_equal(start("show=\"config explore\""), 0);
        assert_shown(of[i].of);
    }
    /* A check that fails decides the status. */
    fake_session.count[4].total /= 2;
    assert_int_equal(start("menu=no save=no config=explore " SMALL), 1);
    assert_shown("FAIL        1A0:01 + 1A0:1E + 1A0:60 + 0AA = all slots within 5 %");
}

/* Events that were reset leave nothing behind: the configuration's own periods are measured. */
APP_TEST(events_taken_back)
{
    static char trace[FAKE_TRACE_BYTES];

    assert_int_equal(start(RUN "config=branch periods=measured"), 0);
    memcpy(trace, fake_session.trace, sizeof(trace));
    fixture_teardown(NULL);
    fixture_setup(NULL);
    assert_int_equal(start(RUN "config=branch periods=measured events=041@500 events="), 0);
    assert_string_equal(fake_session.trace, trace);
}

RUN_TESTS(fixture_load, NULL)
