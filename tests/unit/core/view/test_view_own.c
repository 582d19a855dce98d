/* SPDX-License-Identifier: BSD-2-Clause */
/* Views with operands of their own (sums of events, and counter events that are in no other view), and orders of
 * rows. */
#include <stdio.h>
#include <string.h>

#include "core/view/view_data.h"
#include "tests/unit/core/check.h"
#include "tests/unit/first_set.h"

#include "core/family/ibs_regs.h"
#include "core/view/view.h"

static char text[8192];
static uint64_t pmc_memory[2048];

static struct out *sink(struct out_memory *memory)
{
    out_memory_init(memory, text, sizeof(text));
    return &memory->out;
}

/* Returns counters with 3E8, which is in no other view, and weights of 1000 and 10. */
static struct pmc_profile counters(void)
{
    static const char events[] = "0C0@1000 1E0:01@10 041@10";
    static struct event_list list;
    struct pmc_profile profile;

    assert_int_equal(event_list_parse(EVENT_SET_10H, events, strlen(events), &list, NULL), 0);
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 0, pmc_memory, sizeof(pmc_memory)));
    for (unsigned i = 0; i < list.count; i++)
        pmc_profile_ran(&profile, i, 1, 1);
    return profile;
}

static void add(struct pmc_profile *profile, uint32_t insn, unsigned event, unsigned count)
{
    struct sample_record record = {.kind = SAMPLE_PMC, .reg = {[PMC_EVENT] = event}};

    record.reg[PMC_RIP] = SMALL_BASE + small_map.insns[insn].rva;
    while (count--)
        pmc_profile_add(profile, &record);
}

static const uint32_t derived_terms[] = {DERIVED_F103_BRANCH, DERIVED_F200_LOAD_STORE},
                      counter_terms[] = {VIEW_COUNTER(0x1E0, 0x01), VIEW_DC_MISSES},
                      mixed_terms[] = {DERIVED_F103_BRANCH, VIEW_COUNTER(0x0C0, 0x00)},
                      unknown_terms[] = {VIEW_COUNTER(0x3FF, 0x00)},
                      absent_terms[] = {VIEW_DC_MISSES, VIEW_COUNTER(0x043, 0x1F)};
static const struct view_own own[] = {{"branches and accesses", derived_terms, 2},
                                      {"both", counter_terms, 2},
                                      {"mixed", mixed_terms, 2},
                                      {"unknown", unknown_terms, 1},
                                      {"absent", absent_terms, 2},
                                      {"nothing", NULL, 0}};

/* Returns a view with one column of each kind for the operand, which is also its population. */
static struct view view_of(unsigned operand, uint16_t right)
{
    struct view view = {.name = "t",
                        .title = "T",
                        .what = "w",
                        .column_count = 3,
                        .population = (uint16_t)(VIEW_OWN + operand),
                        .own = own,
                        .own_count = sizeof(own) / sizeof(own[0])};

    view.mark = view.population;
    view.columns[0] = (struct view_column){.title = "C", .kind = VIEW_COUNT, .left = view.mark};
    view.columns[1] =
        (struct view_column){.title = "S", .kind = VIEW_SHARE, .left = view.mark, .decimals = 1, .scale = 100};
    view.columns[2] = (struct view_column){
        .title = "R", .kind = VIEW_RATIO, .left = view.mark, .right = right, .decimals = 3, .scale = 1000};
    return view;
}

TEST(sums)
{
    struct profile profile = small_profile();
    struct view view = view_of(0, DERIVED_F100_OP_ALL);
    struct out_memory memory;

    add_many(&profile, op_record(SMALL_LOOP, 0, 0, 0, IBS_LD_OP), 6);
    add_many(&profile, op_record(SMALL_LOOP, 0, IBS_OP_BRN_RET, 0, IBS_LD_OP), 3);
    add_many(&profile, op_record(SMALL_LOOP, 0, 0, 0, 0), 7);
    assert_true(view_check(&view, sink(&memory)));
    view_print(sink(&memory), &view, &profile, PROFILE_FUNCTIONS, NULL);
    assert_non_null(strstr(text, " 12  100.0%  750.000\n")); /* 3 branches and 9 loads, of 16 ops */
    assert_non_null(strstr(text, "> has the most of this event: branches and accesses.\n"));
    {
        struct view_data data = {.view = &view, .profile = &profile};
        struct view_figure count = view_data_figure(&data, 0, profile.total);

        assert_int_equal(count.left, 12);
        assert_int_equal(count.right, 1);
    }
}

/* Counts and shares are in samples, ratios in the events that samples stand for. */
TEST(sums_of_counters)
{
    struct pmc_profile profile = counters();
    struct view view = view_of(1, VIEW_INSTRUCTIONS);
    struct out_memory memory;

    add(&profile, SMALL_FMUL, 0, 2);
    add(&profile, SMALL_FMUL, 1, 30);
    add(&profile, SMALL_FMUL, 2, 5);
    assert_true(view_measured(&view, &profile));
    view_print_pmc(sink(&memory), &view, &profile, PROFILE_FUNCTIONS, NULL);
    assert_non_null(strstr(text, " 35  100.0%  175.000\n"));
}

TEST(refused)
{
    static const struct {
        unsigned operand;
        const char *problem;
    } rows[] = {
        {2, "T: IBS op and counter samples must not be combined: C\n"},
        {3, "T: names an unknown event\n"},
        {5, "T: names an unknown event\n"},
        {6, "T: names an unknown event\n"},
    };
    struct pmc_profile profile = counters();
    struct view view = view_of(4, VIEW_INSTRUCTIONS);
    struct out_memory memory;

    view_print_pmc(sink(&memory), &view, &profile, PROFILE_FUNCTIONS, NULL);
    assert_string_equal(text, "T: event 043:1F was not measured\n");
    assert_false(view_measured(&view, &profile));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        view = view_of(rows[i].operand, DERIVED_F100_OP_ALL);
        assert_false(view_check(&view, sink(&memory)));
        assert_string_equal(text, rows[i].problem);
    }
}

/* A processor has an operand if it has all the events of the sum; columns without an operand are dropped, and so is an
 * order by them. */
TEST(with_sources)
{
    struct view view = view_of(0, DERIVED_F101_TAG_TO_RETIRE), got;
    struct derived_set set = {.has = {[DERIVED_F103_BRANCH] = true, [DERIVED_F200_LOAD_STORE] = true}};

    view.population = DERIVED_F103_BRANCH;
    assert_true(view_with_sources(&view, first_set(), &got));
    assert_int_equal(got.column_count, 3);
    for (unsigned sort = 0; sort <= 3; sort++) {
        view.sort = (uint8_t)sort;
        assert_true(view_with_sources(&view, &set, &got)); /* all columns except the ratio */
        assert_int_equal(got.column_count, 2);
        assert_string_equal(got.columns[1].title, "S");
        assert_int_equal(got.sort, sort < 3 ? sort : 0);
        assert_int_equal(got.mark, view.mark);
    }
    view.columns[2] = (struct view_column){.title = "P",
                                           .kind = VIEW_SUM,
                                           .left = view.mark,
                                           .plus = DERIVED_F101_TAG_TO_RETIRE,
                                           .right = DERIVED_F103_BRANCH};
    assert_true(view_with_sources(&view, &set, &got));
    assert_int_equal(got.column_count, 2);
    view.columns[2].plus = view.mark;
    assert_true(view_with_sources(&view, &set, &got));
    assert_int_equal(got.column_count, 3);
    view.columns[2].left = DERIVED_F101_TAG_TO_RETIRE;
    assert_true(view_with_sources(&view, &set, &got));
    assert_int_equal(got.column_count, 2);
    /* Without one of the sum's events its own columns are dropped, and rows of another kind are marked. */
    set.has[DERIVED_F103_BRANCH] = false;
    view.population = DERIVED_F200_LOAD_STORE;
    view.columns[2] = (struct view_column){.title = "A", .kind = VIEW_COUNT, .left = DERIVED_F200_LOAD_STORE};
    assert_true(view_with_sources(&view, &set, &got));
    assert_int_equal(got.mark, DERIVED_F200_LOAD_STORE);
    set.has[DERIVED_F103_BRANCH] = true;
    view.population = DERIVED_F103_BRANCH;
    set.has[DERIVED_F200_LOAD_STORE] = false;
    view.columns[2] = (struct view_column){.title = "B", .kind = VIEW_COUNT, .left = DERIVED_F103_BRANCH};
    assert_true(view_with_sources(&view, &set, &got));
    assert_int_equal(got.column_count, 1);
    assert_string_equal(got.columns[0].title, "B");
    assert_int_equal(got.mark, DERIVED_F103_BRANCH);
    view.columns[2].left = view.mark;
    assert_false(view_with_sources(&view, &set, &got));
    /* Events of counters do not depend on the set. */
    view = view_of(1, VIEW_INSTRUCTIONS);
    assert_true(view_with_sources(&view, &set, &got));
    assert_int_equal(got.column_count, 3);
    view = view_of(0, DERIVED_F103_BRANCH);
    assert_false(view_with_sources(&view, &set, &got)); /* the events that choose the rows are missing */
}

/* Functions are sorted by address, and in reverse. */
TEST(order)
{
    static const uint32_t backward[] = {2, 1, 0};
    const struct view_options how = {.order = backward};
    struct profile profile = small_profile();
    struct view view = view_of(0, DERIVED_F100_OP_ALL);
    struct out_memory memory;
    const char *first, *last;

    assert_int_equal(small_map.func_count, 3);
    add_many(&profile, op_record(SMALL_CLEAR, 0, 0, 0, IBS_LD_OP), 6);
    add_many(&profile, op_record(SMALL_LOOP, 0, 0, 0, IBS_LD_OP), 3);
    for (int level = PROFILE_INSTRUCTIONS; level <= PROFILE_FUNCTIONS; level += 2)
        for (int turned = 0; turned < 2; turned++) {
            view_print(sink(&memory), &view, &profile, level, turned ? &how : NULL);
            first = strstr(text, "multiply_matrices");
            last = strstr(text, "clear");
            assert_non_null(first);
            assert_non_null(last);
            assert_int_equal(first > last, turned);
        }
}

RUN_TESTS(NULL, NULL)
