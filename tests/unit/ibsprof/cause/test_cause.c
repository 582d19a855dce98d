/* SPDX-License-Identifier: BSD-2-Clause */
/* Each cause is tried on samples that have it, on samples that lack it, and on a processor that cannot tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/out.h"
#include "core/family/ibs_regs.h"
#include "tests/unit/ibsprof/fake_input.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/cause/cause.h"

enum { HERE = 0x1000, CALM = 0x2000, TEXT = 4000, MANY = 400, FEW = 40, PERIOD = 1000 };

/* Registers of the samples that have a cause; samples without the bits in 'without' do not have it. */
struct planted {
    const char *name;
    uint8_t kind;
    uint64_t data, data2, data3, fetch;
    uint64_t without; /* the cause's bits in data, data3 or fetch */
    bool later;       /* only on Zen */
    bool first;       /* only on Family 10h */
};

#define TIMES(retire, complete) ((uint64_t)(retire) << 16 | ((retire) - (complete)))
#define QUICK                   TIMES(4, 3)
#define MISS(cycles)            (IBS_LD_OP | IBS_DC_MISS | (uint64_t)(cycles) << 32)
#define OP(name_)               .name = name_, .kind = SAMPLE_OP
#define FETCH(name_)            .name = name_, .kind = SAMPLE_FETCH
#define BRANCH                  (IBS_OP_BRN_RET | QUICK)
#define REMOTE                  IBS_NB_DST_PROC
#define ADDRESS                 (IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS)
#define DONE                    (IBS_FETCH_COMP | IBS_FETCH_PHY_VALID | 300ull << 32)

/* clang-format off */
static const struct planted planted[] = {
    {OP("l2"), QUICK, 0, MISS(12), .without = IBS_DC_MISS, .first = true},
    {OP("l3"), QUICK, IBS_NB_L3, MISS(52), .without = IBS_DC_MISS, .first = true},
    {OP("dram"), QUICK, IBS_NB_DRAM, MISS(160), .without = IBS_DC_MISS},
    {OP("remote-dram"), QUICK, IBS_NB_DRAM | REMOTE, MISS(250), .without = IBS_DC_MISS},
    {OP("sharing"), QUICK, IBS_NB_CACHE, MISS(90), .without = IBS_DC_MISS, .first = true},
    {OP("remote-sharing"), QUICK, IBS_NB_CACHE | REMOTE, MISS(190), .without = IBS_DC_MISS, .first = true},
    {OP("device"), QUICK, IBS_NB_OTHER, MISS(400), .without = IBS_DC_MISS, .first = true},
    {OP("walks"), QUICK, 0, ADDRESS | IBS_DC_L2TLB_MISS, .without = IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS},
    {OP("tlb"), QUICK, 0, ADDRESS, .without = IBS_DC_L1TLB_MISS},
    {OP("branches"), BRANCH | IBS_OP_BRN_MISP, .without = IBS_OP_BRN_MISP},
    {OP("returns"), BRANCH | IBS_OP_RETURN | IBS_OP_BRN_MISP, .without = IBS_OP_BRN_MISP},
    {OP("taken"), BRANCH | IBS_OP_BRN_TAKEN, .without = IBS_OP_BRN_TAKEN},
    {OP("cancelled"), QUICK, 0, IBS_LD_OP | IBS_DC_ST_TO_LD_CAN, .without = IBS_DC_ST_TO_LD_CAN, .first = true},
    {OP("forwarding"), TIMES(160, 159), 0, IBS_LD_OP | IBS_DC_ST_TO_LD_FWD, .without = IBS_DC_ST_TO_LD_FWD},
    {OP("locked"), TIMES(60, 59), 0, IBS_LD_OP | IBS_DC_LOCKED_OP, .without = IBS_DC_LOCKED_OP},
    {OP("banks"), QUICK, 0, IBS_LD_OP | IBS_DC_LD_BNK_CON, .without = IBS_DC_LD_BNK_CON, .first = true},
    {OP("misaligned"), QUICK, 0, IBS_LD_OP | IBS_DC_MIS_ACC, .without = IBS_DC_MIS_ACC},
    {OP("waiting"), TIMES(100, 99), .without = TIMES(100, 99)},
    {OP("retiring"), QUICK},
    {FETCH("instruction-cache"), .fetch = DONE | IBS_FETCH_IC_MISS, .without = IBS_FETCH_IC_MISS},
    {FETCH("instruction-tlb"), .fetch = DONE | IBS_FETCH_L1TLB_MISS | IBS_FETCH_L2TLB_MISS,
     .without = IBS_FETCH_L1TLB_MISS | IBS_FETCH_L2TLB_MISS},
};
/* clang-format on */

struct run {
    struct fake_input *fake;
    struct run_profile *profile;
    struct causes causes;
    char text[TEXT];
};

static void add(struct run *run, const struct planted *what, uint64_t without, uint64_t address, unsigned times)
{
    struct sample_record record = {.kind = what->kind};

    if (what->kind == SAMPLE_FETCH) {
        record.reg[IBS_FETCH_CTL] = what->fetch & ~without;
        record.reg[IBS_FETCH_LINAD] = address;
    } else {
        record.reg[IBS_OP_RIP] = address;
        record.reg[IBS_OP_DATA] = what->data & ~without;
        record.reg[IBS_OP_DATA2] = what->data2;
        record.reg[IBS_OP_DATA3] = what->data3 & ~without;
    }
    for (unsigned i = 0; i < times; i++)
        fake_input_ibs(run->fake, 1, &record);
}

static void begin(struct run *run, uint32_t family)
{
    run->fake = fake_input_make(false);
    run->fake->events[0].period = run->fake->events[1].period = PERIOD;
    run->fake->input.facts.family = family;
    run->fake->input.facts.ibs_caps = family == 0x10 ? 0x1F : 0x3FF;
    fake_input_map(run->fake, 1, 0x1000, 0x10000, 0x1000, "work");
}

static void find_in(struct run *run, const struct cause_time *time)
{
    struct profile_options options = {0};
    struct out_memory memory;
    char error[200];

    run->profile = run_profile_read(&run->fake->input, &options, error, sizeof(error));
    assert_non_null(run->profile);
    causes_find(&run->causes, run->profile, time);
    out_memory_init(&memory, run->text, sizeof(run->text));
    causes_print(&memory.out, run->profile, &run->causes);
}

static void find(struct run *run, uint32_t front_ppm)
{
    find_in(run, &(struct cause_time){.front_ppm = front_ppm});
}

static void end(struct run *run)
{
    run_profile_free(run->profile);
    fake_input_free(run->fake);
}

static const struct cause *named(const struct causes *causes, const char *name)
{
    for (unsigned i = 0; i < causes->count; i++)
        if (strcmp(causes->found[i].row->name, name) == 0)
            return &causes->found[i];
    return NULL;
}

/* Adds so many samples of quick ops, and of ops that have the cause. */
static void plant(struct run *run, const struct planted *what, uint64_t without, uint32_t family, unsigned times)
{
    static const struct planted quick = {OP("retiring"), QUICK};

    begin(run, family);
    add(run, &quick, 0, CALM, MANY);
    add(run, what, without, HERE, times);
    find(run, 0);
}

static void each_cause_speaks_where_it_is_planted(void **state)
{
    for (unsigned i = 0; i < sizeof(planted) / sizeof(planted[0]); i++) {
        const char *name = planted[i].name;
        struct run run;

        plant(&run, &planted[i], 0, 0x10, MANY);
        assert_true(run.causes.count > 0);
        assert_string_equal(name, run.causes.found[0].row->name);
        assert_true(strncmp(run.text, "Cause     ", 10) == 0);
        if (strcmp(name, "retiring") != 0) {
            assert_int_equal(run.causes.found[0].there, MANY);
            assert_int_equal(run.causes.found[0].where->rva, HERE);
        }
        end(&run);
    }
}

static void each_cause_is_silent_without_its_bits(void **state)
{
    for (unsigned i = 0; i < sizeof(planted) / sizeof(planted[0]); i++) {
        struct run run;

        if (!planted[i].without)
            continue;
        plant(&run, &planted[i], planted[i].without, 0x10, MANY);
        if (strcmp(planted[i].name, "waiting") != 0)
            assert_null(named(&run.causes, planted[i].name));
        else
            assert_string_not_equal(run.causes.found[0].row->name, "waiting");
        end(&run);
    }
}

static void each_cause_is_silent_where_the_processor_cannot_tell(void **state)
{
    for (unsigned i = 0; i < sizeof(planted) / sizeof(planted[0]); i++) {
        struct run run;

        if (!planted[i].first || planted[i].data2)
            continue;
        plant(&run, &planted[i], 0, 0x17, MANY);
        if (strcmp(planted[i].name, "l2") != 0)
            assert_null(named(&run.causes, planted[i].name));
        end(&run);
    }
}

/* On Zen the L2 miss bit says that the L2 did not answer, and sources differ. */
static void zen_has_its_own_sources(void **state)
{
    static const struct planted l2 = {OP("l2"), QUICK, 0, MISS(14)};
    static const struct planted near = {OP("near"), QUICK, 2, MISS(50) | IBS_DC_L2_MISS};
    static const struct planted dram = {OP("dram"), QUICK, 3, MISS(300) | IBS_DC_L2_MISS};
    const struct planted *all[] = {&l2, &near, &dram};

    for (unsigned i = 0; i < 3; i++) {
        struct run run;

        plant(&run, all[i], 0, 0x17, MANY);
        assert_true(run.causes.count > 0);
        assert_string_equal(run.causes.found[0].row->name, all[i]->name);
        assert_int_equal(run.causes.found[0].count, MANY);
        end(&run);
    }
}

/* A locked op waits for a line that another core has. */
static void locked_ops_on_shared_lines_are_sharing(void **state)
{
    static const struct planted shared = {OP("sharing"), TIMES(900, 899), IBS_NB_CACHE, MISS(400) | IBS_DC_LOCKED_OP};
    struct run run;

    plant(&run, &shared, 0, 0x10, MANY);
    assert_string_equal(run.causes.found[0].row->name, "sharing");
    assert_null(named(&run.causes, "locked"));
    end(&run);
}

/* Forwarding takes no longer than all waits of ops together. */
static void forwarding_is_a_part_of_all_waits(void **state)
{
    static const struct planted quick = {OP("forwarding"), QUICK, 0, IBS_LD_OP | IBS_DC_ST_TO_LD_FWD};
    struct run run;

    plant(&run, &quick, 0, 0x10, MANY);
    assert_string_equal(run.causes.found[0].row->name, "retiring");
    end(&run);
}

/* Completed ops that wait for older ones hold nothing up. */
static void ops_that_waited_for_their_turn_are_not_the_place(void **state)
{
    static const struct planted held = {OP("waiting"), (uint64_t)210 << 16 | 100};
    struct run run;

    begin(&run, 0x10);
    add(&run, &planted[17], 0, HERE, MANY);
    add(&run, &held, 0, CALM, MANY);
    find(&run, 0);
    assert_string_equal(run.causes.found[0].row->name, "waiting");
    assert_int_equal(run.causes.found[0].where->rva, HERE);
    end(&run);
}

static void nothing_is_said_of_too_few_samples(void **state)
{
    struct run run;

    begin(&run, 0x10);
    add(&run, &planted[2], 0, HERE, 99);
    find(&run, 0);
    assert_int_equal(run.causes.count, 0);
    assert_string_equal(run.text, "");
    end(&run);
}

static void few_samples_are_trusted_little(void **state)
{
    struct run run;

    plant(&run, &planted[2], 0, 0x10, FEW);
    assert_int_equal(run.causes.found[0].trust, CAUSE_LOW);
    end(&run);
    plant(&run, &planted[2], 0, 0x10, MANY);
    assert_int_equal(run.causes.found[0].trust, CAUSE_HIGH);
    end(&run);
    /* Fewer than ten samples are no cause. */
    plant(&run, &planted[2], 0, 0x10, 9);
    assert_null(named(&run.causes, "dram"));
    end(&run);
}

static void the_front_end_leads_with_more_than_half_of_the_time(void **state)
{
    struct run run;

    begin(&run, 0x10);
    add(&run, &planted[18], 0, HERE, MANY);
    find(&run, 499999);
    assert_null(named(&run.causes, "front-end"));
    end(&run);
    begin(&run, 0x10);
    add(&run, &planted[18], 0, HERE, MANY);
    find(&run, 650000);
    assert_string_equal(run.causes.found[0].row->name, "front-end");
    assert_non_null(strstr(run.text, "an estimated 65.0 % of the time"));
    end(&run);
}

/* If some fetches miss, these have the front end's time. */
static void misses_explain_the_front_ends_time(void **state)
{
    struct run run;

    begin(&run, 0x10);
    add(&run, &planted[2], 0, HERE, MANY);
    add(&run, &planted[19], 0, HERE, FEW);
    find(&run, 650000);
    assert_string_equal(run.causes.found[0].row->name, "instruction-cache");
    assert_string_equal(run.causes.found[1].row->name, "dram");
    end(&run);
}

/* Begins a run of 400 page walks at HERE and 400 forwarded loads at CALM, and estimates these millionths of 4000 cycles
 * at each. */
static void estimate(struct run *run, uint32_t here, uint32_t calm, double cycles)
{
    static struct codemap_insn insns[] = {{.rva = HERE, .length = 4}, {.rva = CALM, .length = 4}};
    static const struct codemap map = {.insns = insns, .insn_count = 2};
    struct time_share_row rows[2] = {{.part.share = here}, {.part.share = calm}};
    struct cause_time time = {.cycles = cycles, .map = &map, .rows = rows};

    begin(run, 0x10);
    add(run, &planted[7], 0, HERE, MANY);
    add(run, &planted[13], 0, CALM, MANY);
    find_in(run, &time);
}

/* 400 walks of 18 cycles are more than 400 forwarded loads of 6, unless they wait behind others. */
static void ops_wait_no_longer_than_their_estimated_time(void **state)
{
    struct run run;

    estimate(&run, 100000, 900000, 4000.0 * PERIOD);
    assert_int_equal(run.causes.count, 3);
    assert_string_equal(run.causes.found[0].row->name, "forwarding");
    assert_float_equal(run.causes.found[0].cycles, 2400, 0.01);
    assert_int_equal(run.causes.found[0].trust, CAUSE_HIGH);
    /* Forwarding leaves 3600 less 2400 of the time, and a third of a cycle for each op. */
    assert_string_equal(run.causes.found[1].row->name, "waiting");
    assert_float_equal(run.causes.found[1].cycles, 1066.67, 0.01);
    /* The time is 400 less a third of a cycle for each op. */
    assert_string_equal(run.causes.found[2].row->name, "walks");
    assert_float_equal(run.causes.found[2].cycles, 266.67, 0.01);
    assert_float_equal(run.causes.cycles, 4000, 0.01);
    assert_non_null(strstr(run.text, "  sure    high: by estimated time 2.3 times the next; at most 60.0 % of the\n"
                                     "          time\n"));
    end(&run);
    /* Ops without time have no wait. */
    estimate(&run, 0, 1000000, 4000.0 * PERIOD);
    assert_null(named(&run.causes, "walks"));
    end(&run);
    /* Without cycles shares of the time tell nothing. */
    estimate(&run, 100000, 900000, 0);
    assert_string_equal(run.causes.found[0].row->name, "walks");
    assert_float_equal(run.causes.found[0].cycles, 7200, 0.01);
    assert_float_equal(run.causes.cycles, 0, 0);
    assert_non_null(strstr(run.text, "by rough weights 3.0 times the next\n"));
    end(&run);
}

/* Code outside the map has no estimate. */
static void a_place_without_an_estimate_is_weighed_roughly(void **state)
{
    static struct codemap_insn insn = {.rva = CALM, .length = 4};
    static const struct codemap map = {.insns = &insn, .insn_count = 1};
    struct time_share_row row = {.part.share = 900000};
    struct cause_time time = {.cycles = 4000.0 * PERIOD, .map = &map, .rows = &row};
    struct run run;

    begin(&run, 0x10);
    add(&run, &planted[7], 0, HERE, MANY);
    add(&run, &planted[7], 0, HERE + (1ull << 32), MANY);
    find_in(&run, &time);
    assert_float_equal(named(&run.causes, "walks")->cycles, 7200 * 2, 0.01);
    end(&run);
}

/* Ops that retire at the highest rate are the cause if they have half of the time, and otherwise have no place in the
 * order. */
static void retiring_leads_with_most_of_the_time(void **state)
{
    for (unsigned more = 0; more < 2; more++) {
        struct run run;

        /* 800 ops need 266.7 cycles. */
        estimate(&run, 500000, 500000, (more ? 355 : 356) * (double)PERIOD);
        if (more)
            assert_string_equal(run.causes.found[0].row->name, "retiring");
        else
            assert_null(named(&run.causes, "retiring"));
        end(&run);
    }
}

/* 400 ops need 133.3 cycles and wait for 50 more; a taken branch takes 2 if there are as many branches. */
static void taken_branches_have_what_the_others_leave(void **state)
{
    static struct codemap_insn insn = {.rva = HERE, .length = 4};
    static const struct codemap map = {.insns = &insn, .insn_count = 1};
    struct time_share_row row = {.part.share = TIME_SHARE_MILLION};
    static const double cycles[][2] = {{1000, 800}, {500, 316.67}, {193, 0}};

    for (unsigned i = 0; i < 3; i++) {
        struct cause_time time = {.cycles = cycles[i][0] * PERIOD, .map = &map, .rows = &row};
        const struct cause *taken;
        struct run run;

        begin(&run, 0x10);
        add(&run, &planted[11], 0, HERE, MANY);
        find_in(&run, &time);
        taken = named(&run.causes, "taken");
        if (cycles[i][1] > 0)
            assert_float_equal(taken->cycles, cycles[i][1], 0.01);
        else
            assert_null(taken);
        end(&run);
    }
}

static void the_text_has_figures_place_and_what_to_try(void **state)
{
    struct run run;

    plant(&run, &planted[2], 0, 0x10, MANY);
    assert_string_equal(run.text, "Cause     Loads wait for memory: 400 of 400 sampled loads (100.0 %), 160.0\n"
                                  "          cycles each.\n"
                                  "  where   1000 in work: 400 of them\n"
                                  "  try     Read in order, so that the prefetcher can follow, or prefetch well\n"
                                  "          ahead; work on blocks that fit into the caches.\n"
                                  "  sure    high: by rough weights 240.0 times the next\n");
    end(&run);
}

/* The text and JSON of each cause on both kinds of processors: which causes, their order, figures, sentences and
 * keys. */
static void all_that_is_said(void **state)
{
    FILE *out;

    tool_begin(&out);
    for (unsigned i = 0; i < 2 * sizeof(planted) / sizeof(planted[0]); i++) {
        struct json json;
        struct run run;

        begin(&run, i % 2 ? 0x19 : 0x10);
        run.fake->events[0].period = 2 * PERIOD;
        add(&run, &planted[18], 0, CALM, MANY);
        add(&run, &planted[i / 2], 0, HERE, MANY);
        add(&run, &planted[i / 2], 0, CALM, FEW);
        if (planted[i / 2].kind == SAMPLE_FETCH)
            add(&run, &planted[20], 0, HERE, FEW);
        find(&run, 0);
        fprintf(out, "%s\n%s", planted[i / 2].name, run.text);
        json_init(&json, out);
        json_object(&json);
        causes_json(&json, run.profile, &run.causes);
        json_end(&json);
        assert_true(json_finish(&json));
        end(&run);
    }
    expect_file(tool_end(out), "causes.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cause_speaks_where_it_is_planted),
        cmocka_unit_test(each_cause_is_silent_without_its_bits),
        cmocka_unit_test(each_cause_is_silent_where_the_processor_cannot_tell),
        cmocka_unit_test(zen_has_its_own_sources),
        cmocka_unit_test(locked_ops_on_shared_lines_are_sharing),
        cmocka_unit_test(forwarding_is_a_part_of_all_waits),
        cmocka_unit_test(ops_that_waited_for_their_turn_are_not_the_place),
        cmocka_unit_test(nothing_is_said_of_too_few_samples),
        cmocka_unit_test(few_samples_are_trusted_little),
        cmocka_unit_test(the_front_end_leads_with_more_than_half_of_the_time),
        cmocka_unit_test(misses_explain_the_front_ends_time),
        cmocka_unit_test(ops_wait_no_longer_than_their_estimated_time),
        cmocka_unit_test(a_place_without_an_estimate_is_weighed_roughly),
        cmocka_unit_test(retiring_leads_with_most_of_the_time),
        cmocka_unit_test(taken_branches_have_what_the_others_leave),
        cmocka_unit_test(the_text_has_figures_place_and_what_to_try),
        cmocka_unit_test(all_that_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
