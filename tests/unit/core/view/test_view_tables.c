/* SPDX-License-Identifier: BSD-2-Clause */
/* CodeAnalyst's views with fixed samples: a golden file for each, what ratios are computed from, and what is never
 * mixed. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/family/ibs_regs.h"
#include "core/view/view.h"

static char text[32768];
static uint64_t pmc_memory[2048];

static struct out *sink(struct out_memory *memory)
{
    out_memory_init(memory, text, sizeof(text));
    return &memory->out;
}

static void assert_width(void)
{
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        if (strcspn(line, "\n") > 79)
            fail_msg("wider than 79: %.*s", (int)strcspn(line, "\n"), line);
}

/* Returns the profile of the paper's run, with samples for every column. */
static struct profile rich_profile(void)
{
    const uint64_t times = 40ull << 16 | 7, miss = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_MISS;
    const uint64_t load = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID, store = IBS_ST_OP | IBS_DC_LIN_ADDR_VALID;
    const uint64_t ret = times | IBS_OP_BRN_RET | IBS_OP_RETURN | IBS_OP_BRN_TAKEN;
    const uint64_t hit_l2 = load | IBS_DC_L1TLB_MISS;
    const uint64_t remote = IBS_NB_DST_PROC;
    struct profile profile = small_profile();

    add_paper_run(&profile);
    add_many(&profile, op_record(SMALL_RET, 0, ret, 0, load), 90);
    add_many(&profile, op_record(SMALL_RET, 0, ret | IBS_OP_BRN_MISP | IBS_OP_MISP_RETURN, 0, load), 30);
    add_many(&profile,
             op_record(SMALL_COMPARE + 1, 0, times | IBS_OP_BRN_RET | IBS_OP_BRN_MISP | IBS_OP_BRN_TAKEN, 0, 0), 40);
    add_many(&profile, op_record(SMALL_CLEAR, 0, times, 0, store | IBS_DC_ST_BNK_CON | IBS_DC_WC_MEM_ACC), 11);
    add_many(&profile, op_record(SMALL_CLEAR, 0, times, 0, load | IBS_DC_LD_BNK_CON | IBS_DC_UC_MEM_ACC), 12);
    add_many(&profile, op_record(SMALL_CLEAR, 0, times, 0, load | store | IBS_DC_LOCKED_OP | IBS_DC_MAB_HIT), 13);
    add_many(&profile, op_record(SMALL_CLEAR, 0, times, 0, load | IBS_DC_ST_TO_LD_CAN | IBS_DC_MIS_ACC), 14);
    add_many(&profile, op_record(SMALL_CLEAR, 0, times, 0, load | IBS_DC_L1TLB_HIT_2M), 21);
    add_many(&profile, op_record(SMALL_CLEAR, 0, times, 0, load | IBS_DC_L1TLB_HIT_1G), 22);
    add_many(&profile, op_record(SMALL_CLEAR, 0, times, 0, hit_l2 | IBS_DC_L2TLB_HIT_2M), 23);
    add_many(&profile, op_record(SMALL_CLEAR, 0, times, 0, hit_l2 | IBS_DC_L2TLB_HIT_1G), 24);
    for (uint64_t source = 1; source <= 7; source++) {
        if (source > IBS_NB_DRAM && source < IBS_NB_OTHER)
            continue;
        add_many(&profile, op_record(SMALL_LOOP, 0, times, source, miss | (50 + source) << 32), 30 + (unsigned)source);
        add_many(&profile, op_record(SMALL_LOOP, 0, times, source | remote, miss | (150 + source) << 32),
                 3 + (unsigned)source);
        add_many(&profile, op_record(SMALL_LOOP, 0, times, source | IBS_NB_CACHE_HIT_ST, miss | 90ull << 32), 2);
    }
    add_many(&profile, fetch_record(SMALL_LOOP, 0, IBS_FETCH_COMP | IBS_FETCH_L1TLB_MISS | 20ull << 32), 30);
    add_many(&profile, fetch_record(SMALL_LOOP, 0, IBS_FETCH_L1TLB_MISS | IBS_FETCH_L2TLB_MISS | 60ull << 32), 10);
    add_many(&profile, fetch_record(SMALL_LOOP, 0, IBS_FETCH_COMP | IBS_FETCH_PHY_VALID | IBS_BIT(53) | 3ull << 32),
             50);
    return profile;
}

static void golden(const char *view)
{
    char name[64];

    assert_width();
    snprintf(name, sizeof(name), "%s/view_%s.txt", memcmp(view, "ibs_", 4) == 0 ? "ibs" : "view", view);
    check_golden(name, text);
}

TEST(ibs_views)
{
    struct profile profile = rich_profile();

    for (unsigned i = 0; i < view_count_ibs; i++) {
        const struct view *view = &view_table_ibs[i];
        struct out_memory memory;

        view_print(sink(&memory), view, &profile, view->level, NULL);
        golden(view->name);
        for (int level = PROFILE_LINES; level <= PROFILE_FUNCTIONS; level++) {
            view_print(sink(&memory), view, &profile, level, NULL);
            assert_width();
        }
    }
}

/* ---------------------------------------------------------------- counters */

/* Returns a profile of all events that views know, one in each group except 0C0, which is in all groups, and a
 * timer. */
static struct pmc_profile all_events(void)
{
    static struct event_list list;
    static struct event_group groups[EVENT_MEANINGS];
    struct pmc_profile profile;
    unsigned instructions = VIEW_INSTRUCTIONS - VIEW_PMC;

    list.count = EVENT_MEANINGS;
    for (unsigned i = 0; i < EVENT_MEANINGS; i++) {
        list.spec[i] =
            (struct event_spec){.event = event_by_select(EVENT_SET_10H, event_meaning_of(EVENT_SET_10H, i)->select),
                                .user = true,
                                .kernel = true};
        list.spec[i].mask = event_meaning_of(EVENT_SET_10H, i)->mask;
        list.spec[i].period = event_default_period(list.spec[i].event);
        groups[i] = (struct event_group){.count = 2, .event = {(uint8_t)instructions, (uint8_t)i}};
    }
    groups[instructions].count = 1;
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 1000, pmc_memory, sizeof(pmc_memory)));
    ran_groups(&profile, groups, EVENT_MEANINGS);
    return profile;
}

static void add(struct pmc_profile *profile, enum sample_kind kind, uint32_t insn, unsigned operand, unsigned count)
{
    struct sample_record record = {.kind = kind};

    record.reg[PMC_RIP] = insn < SMALL_INSNS ? SMALL_BASE + small_map.insns[insn].rva : 0x1000;
    record.reg[PMC_EVENT] = operand & VIEW_INDEX;
    while (count--)
        pmc_profile_add(profile, &record);
}

static struct pmc_profile rich_pmc_profile(void)
{
    struct pmc_profile profile = all_events();

    for (unsigned operand = VIEW_PMC; operand < VIEW_PMC_END; operand++) {
        unsigned more = operand == VIEW_INSTRUCTIONS ? 21 : 1;

        for (uint32_t insn = SMALL_LOOP; insn < SMALL_RET; insn++)
            add(&profile, SAMPLE_PMC, insn, operand, more * (10 + (insn * 7 + operand * 5) % 31));
        add(&profile, SAMPLE_PMC, SMALL_CLEAR, operand, more);
        add(&profile, SAMPLE_PMC, SMALL_INSNS, operand, operand == VIEW_CYCLES ? 2 : 0);
    }
    for (uint32_t insn = SMALL_LOOP; insn < SMALL_RET; insn++)
        add(&profile, SAMPLE_TIMER, insn, 0, 5 + insn);
    return profile;
}

TEST(pmc_views)
{
    struct pmc_profile profile = rich_pmc_profile();

    for (unsigned i = 0; i < view_count_pmc; i++) {
        const struct view *view = &view_table_pmc[i];
        struct out_memory memory;

        view_print_pmc(sink(&memory), view, &profile, view->level, NULL);
        golden(view->name);
        for (int level = PROFILE_LINES; level <= PROFILE_FUNCTIONS; level++) {
            view_print_pmc(sink(&memory), view, &profile, level, NULL);
            assert_width();
        }
    }
}

/* All groups have 0C0 and one has 076: there are 4 samples of 0C0 for each that 076 would have in its one group. */
TEST(ratios_are_of_weighted_samples)
{
    struct pmc_profile profile = all_events();
    struct out_memory memory;
    char samples[16];

    snprintf(samples, sizeof(samples), " %d ", EVENT_MEANINGS * 30);
    add(&profile, SAMPLE_PMC, SMALL_FMUL, VIEW_INSTRUCTIONS, EVENT_MEANINGS * 30);
    add(&profile, SAMPLE_PMC, SMALL_FMUL, VIEW_CYCLES, 40);
    view_print_pmc(sink(&memory), view_find("ipc_assess"), &profile, PROFILE_FUNCTIONS, NULL);
    assert_non_null(strstr(text, "multiply_matrices"));
    assert_non_null(strstr(text, samples)); /* the number of samples taken */
    assert_non_null(strstr(text, "0.75"));
    assert_non_null(strstr(text, "1.33"));
}

/* Revision B counts 045 with the mask bits that it has. */
TEST(revision_b_has_its_own_mask)
{
    struct event_list list;
    struct pmc_profile profile;
    const char *events = "0C0 040 045:03 046:07";
    struct out_memory memory;

    assert_int_equal(event_list_parse(EVENT_SET_10H, events, strlen(events), &list, NULL), 0);
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 0, pmc_memory, sizeof(pmc_memory)));
    all_ran(&profile);
    add(&profile, SAMPLE_PMC, SMALL_FMUL, VIEW_PMC + 0, 10);
    view_print_pmc(sink(&memory), view_find("dtlb_focus"), &profile, PROFILE_FUNCTIONS, NULL);
    assert_non_null(strstr(text, "DTLB report by function"));
}

/* ---------------------------------------------------------------- what is refused */

TEST(every_view_is_sound)
{
    const struct view *view;
    unsigned count = 0;

    for (; (view = view_at(count)); count++) {
        struct out_memory memory;

        if (!view_check(view, sink(&memory)))
            fail_msg("%s: %s", view->name, text);
        assert_ptr_equal(view_find(view->name), view); /* no name is there twice */
        assert_true(view->column_count <= VIEW_COLUMNS);
        assert_int_equal(view->level, PROFILE_INSTRUCTIONS); /* the golden files are of this level */
        assert_int_equal(view_kind(view), count < view_count + view_count_ibs ? view_kind(view) & 1
                                          : view->population == VIEW_TIMER    ? SAMPLE_TIMER
                                                                              : SAMPLE_PMC);
    }
    assert_int_equal(count, view_count + view_count_ibs + view_count_pmc);
    assert_int_equal(view_count, 4); /* the paper's, which a report shows */
}

TEST(kinds_are_never_mixed)
{
    enum { OP = DERIVED_F100_OP_ALL, MISS = DERIVED_F206_DC_MISS, FETCH = DERIVED_F000_FETCH_ALL };
    static const struct {
        uint8_t kind;
        uint16_t population, mark, left, plus, right;
        const char *problem; /* NULL: sound */
    } rows[] = {
        {VIEW_RATIO, OP, OP, MISS, 0, OP, NULL},
        {VIEW_COUNT, OP, OP, MISS, 0, VIEW_INSTRUCTIONS, NULL}, /* not used */
        {VIEW_RATIO, OP, OP, MISS, 0, VIEW_INSTRUCTIONS, "T: IBS op and counter samples must not be combined: C\n"},
        {VIEW_RATIO, VIEW_INSTRUCTIONS, VIEW_INSTRUCTIONS, VIEW_DC_MISSES, 0, OP,
         "T: IBS op and counter samples must not be combined: C\n"},
        {VIEW_SUM, OP, OP, MISS, VIEW_DC_MISSES, OP, "T: IBS op and counter samples must not be combined: C\n"},
        {VIEW_RATIO, VIEW_TIMER, VIEW_TIMER, VIEW_INSTRUCTIONS, 0, VIEW_TIMER,
         "T: counter and timer samples must not be combined: C\n"},
        {VIEW_RATIO, OP, OP, MISS, 0, FETCH, "T: IBS fetch and IBS op samples must not be combined: C\n"},
        {VIEW_COUNT, OP, OP, VIEW_DC_MISSES, 0, 0, "T: IBS op and counter samples belong into separate tables: C\n"},
        {VIEW_COUNT, OP, VIEW_DC_MISSES, MISS, 0, 0, "T: IBS op and counter samples must not be combined: the mark\n"},
        {VIEW_COUNT, OP, OP, DERIVED_COUNT, 0, 0, "T: names an unknown event\n"},
        {VIEW_COUNT, OP, OP, VIEW_PMC_END, 0, 0, "T: names an unknown event\n"},
        {VIEW_COUNT, OP, OP, VIEW_TIMER + 1, 0, 0, "T: names an unknown event\n"},
        {VIEW_COUNT, OP, OP, 0x400, 0, 0, "T: names an unknown event\n"},
    };

    for (size_t i = 0; i < 3 * sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile profile = small_profile();
        struct view view = {.name = "t", .title = "T", .what = "w", .column_count = 3};
        const size_t place = i / (sizeof(rows) / sizeof(rows[0])), row = i % (sizeof(rows) / sizeof(rows[0]));
        struct out_memory memory;

        view.population = rows[row].population;
        view.mark = rows[row].mark;
        for (unsigned other = 0; other < 3; other++) /* sound operands beside it */
            view.columns[other] = (struct view_column){.title = "S", .kind = VIEW_COUNT, .left = rows[row].population};
        view.columns[place] = (struct view_column){.title = "C", .kind = rows[row].kind, .left = rows[row].left};
        view.columns[place].plus = rows[row].plus;
        view.columns[place].right = rows[row].right;
        view.columns[place].scale = 1;
        assert_int_equal(view_check(&view, sink(&memory)), !rows[row].problem);
        assert_string_equal(text, rows[row].problem ? rows[row].problem : "");
        assert_int_equal(view_check(&view, NULL), !rows[row].problem);
        /* A view of this kind prints nothing. */
        add_paper_run(&profile);
        view_print(sink(&memory), &view, &profile, PROFILE_FUNCTIONS, NULL);
        if (rows[row].problem)
            assert_string_equal(text, rows[row].problem);
    }
}

TEST(a_view_needs_all_of_its_events)
{
    static const struct {
        uint8_t kind;
        uint16_t left, plus, right;
        bool sound;
    } rows[] = {
        {VIEW_COUNT, VIEW_DC_MISSES, 0, 0, false},
        {VIEW_COUNT, VIEW_INSTRUCTIONS, VIEW_DC_MISSES, VIEW_DC_MISSES, true}, /* not used */
        {VIEW_SUM, VIEW_INSTRUCTIONS, VIEW_DC_MISSES, VIEW_INSTRUCTIONS, false},
        {VIEW_SUM, VIEW_INSTRUCTIONS, VIEW_INSTRUCTIONS, VIEW_DC_MISSES, false},
        {VIEW_RATIO, VIEW_INSTRUCTIONS, 0, VIEW_DC_MISSES, false},
        {VIEW_RATIO, VIEW_INSTRUCTIONS, VIEW_DC_MISSES, VIEW_INSTRUCTIONS, true},
    };
    struct event_list list;

    assert_int_equal(event_list_parse(EVENT_SET_10H, "0C0", 3, &list, NULL), 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct view view = {.name = "t", .title = "T", .what = "w", .column_count = 1};
        struct pmc_profile pmc;
        struct out_memory memory;

        view.population = view.mark = VIEW_INSTRUCTIONS;
        view.columns[0] = (struct view_column){.title = "C", .kind = rows[i].kind, .left = rows[i].left, .scale = 1};
        view.columns[0].plus = rows[i].plus;
        view.columns[0].right = rows[i].right;
        assert_true(pmc_profile_init(&pmc, &small_map, SMALL_BASE, &list, 0, pmc_memory, sizeof(pmc_memory)));
        all_ran(&pmc);
        view_print_pmc(sink(&memory), &view, &pmc, PROFILE_FUNCTIONS, NULL);
        assert_string_equal(text, rows[i].sound ? "T: no samples\n" : "T: event 041:00 was not measured\n");
    }
}

TEST(a_view_needs_its_own_samples)
{
    struct profile profile = rich_profile();
    struct pmc_profile pmc = all_events();
    struct event_list list;
    struct out_memory memory;

    view_print(sink(&memory), view_find("ipc_assess"), &profile, PROFILE_FUNCTIONS, NULL);
    assert_string_equal(text, "IPC assessment: is a table of counter samples, but these samples are others\n");
    view_print_pmc(sink(&memory), view_find("ibs_op"), &pmc, PROFILE_FUNCTIONS, NULL);
    assert_string_equal(text, "IBS op profile: is a table of IBS op samples, but these samples are others\n");
    view_print_pmc(sink(&memory), view_find("ipc_assess"), &pmc, PROFILE_FUNCTIONS, NULL);
    assert_string_equal(text, "IPC assessment: no samples\n");

    assert_int_equal(event_list_parse(EVENT_SET_10H, "0C0 042:1E", 10, &list, NULL), 0);
    assert_true(pmc_profile_init(&pmc, &small_map, SMALL_BASE, &list, 0, pmc_memory, sizeof(pmc_memory)));
    all_ran(&pmc);
    view_print_pmc(sink(&memory), view_find("dc_focus"), &pmc, PROFILE_FUNCTIONS, NULL);
    assert_string_equal(text, "Data access report: event 041:00 was not measured\n");
    view_print_pmc(sink(&memory), view_find("ipc_assess"), &pmc, PROFILE_FUNCTIONS, NULL);
    assert_string_equal(text, "IPC assessment: event 076:00 was not measured\n");
    view_print_pmc(sink(&memory), view_find("timer"), &pmc, PROFILE_FUNCTIONS, NULL);
    assert_string_equal(text, "Time-based profile: the timer was not used\n");

    /* The event is in the list, but its turn never came: there is no table, and there are no zeros. */
    assert_int_equal(event_list_parse(EVENT_SET_10H, "0C0 041 042:1E", 14, &list, NULL), 0);
    assert_true(pmc_profile_init(&pmc, &small_map, SMALL_BASE, &list, 0, pmc_memory, sizeof(pmc_memory)));
    pmc_profile_ran(&pmc, 0, 1, 2);
    pmc_profile_ran(&pmc, 2, 1, 2);
    add(&pmc, SAMPLE_PMC, SMALL_FMUL, VIEW_PMC + 0, 10);
    view_print_pmc(sink(&memory), view_find("dc_focus"), &pmc, PROFILE_FUNCTIONS, NULL);
    assert_string_equal(text, "Data access report: event 041:00 was not measured\n");
}

/* Prints all numbers of the tables, so that no number changes unnoticed. */
TEST(each_number)
{
    const struct {
        const struct view *table;
        unsigned count;
    } tables[] = {{view_table, view_count}, {view_table_ibs, view_count_ibs}, {view_table_pmc, view_count_pmc}};
    static char numbers[60000];
    struct out_memory memory;

    out_memory_init(&memory, numbers, sizeof(numbers));
    for (unsigned t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
        for (unsigned i = 0; i < tables[t].count; i++) {
            const struct view *view = &tables[t].table[i];

            out_printf(&memory.out, "%s: level %u, population %u, mark %u, sort %u, paper %u, often %u, configs %s\n",
                       view->name, view->level, view->population, view->mark, view->sort, view->paper, view->if_often,
                       view->configs ? view->configs : "-");
            for (unsigned c = 0; c < view->column_count; c++) {
                const struct view_column *column = &view->columns[c];

                out_printf(&memory.out, "  kind %u, decimals %u, scale %u, %u, %u, %u\n", column->kind,
                           column->decimals, column->scale, column->left, column->plus, column->right);
            }
            for (unsigned o = 0; o < view->own_count; o++) {
                out_printf(&memory.out, "  %s:", view->own[o].name);
                for (unsigned n = 0; n < view->own[o].count; n++)
                    out_printf(&memory.out, " %x", view->own[o].terms[n]);
                out_printf(&memory.out, "\n");
            }
        }
    assert_true(memory.needed < sizeof(numbers));
    check_golden("view/view_numbers.txt", numbers);
}

RUN_TESTS(NULL, NULL)
