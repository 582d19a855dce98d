/* SPDX-License-Identifier: BSD-2-Clause */
/* * Two sets of explorations, node by node: the statistics on made-up values, and what 'ibsprof compare' writes about
 * runs. Expected figures: t with 4 degrees of freedom has a closed form, and the normal distribution's tail is erfc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/compare/compare_explore.h"

enum { RUNS = 3 };

static const struct compare_options options = {.level = 0.95, .margin = {0.005, 0.05}};

static struct explore_result a[RUNS], b[RUNS];

static void set(unsigned node, const int64_t in_a[RUNS], const int64_t in_b[RUNS])
{
    for (unsigned run = 0; run < RUNS; run++) {
        a[run].node[node] = (struct explore_node){.value = in_a[run], .reliability_ppm = 1000000};
        b[run].node[node] = (struct explore_node){.value = in_b[run], .reliability_ppm = 1000000};
    }
}

static struct compare_exploration judged(uint32_t runs_a, uint32_t runs_b)
{
    const struct explore_result *const trees[SIDES] = {a, b};
    const uint32_t runs[SIDES] = {runs_a, runs_b};
    struct compare_exploration e;

    compare_explore_judge(&e, trees, runs, &options);
    return e;
}

/* Sets up explorations in which only the nodes that a test sets are known. */
static int nothing_known(void **state)
{
    for (unsigned run = 0; run < RUNS; run++)
        a[run].method = b[run].method = &explore_10h;
    for (unsigned run = 0; run < RUNS; run++)
        for (unsigned i = 0; i < EXPLORE_NODES; i++)
            a[run].node[i].state = b[run].node[i].state = EXPLORE_NOT_COUNTED;
    return 0;
}

static void near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-6 * fmax(fabs(wanted), 1e-3)))
        fail_msg("%.10g, wanted %.10g", got, wanted);
}

/* The means are 0.61 and 0.65, each with a spread of 0.01: t = 0.04 / sqrt(2 * 1e-4 / 3) with 4 degrees of freedom. */
static void between_runs(void **state)
{
    struct compare_exploration e;
    const struct compare_node *node = &e.node[EXPLORE_RETIRING];

    set(EXPLORE_RETIRING, (int64_t[]){600000, 610000, 620000}, (int64_t[]){640000, 660000, 650000});
    b[1].node[EXPLORE_RETIRING].reliability_ppm = 800000;
    b[1].node[EXPLORE_RETIRING].cv_ppm = 30000;
    b[2].node[EXPLORE_RETIRING].flagged = true;
    e = judged(RUNS, RUNS);
    assert_true(node->judged);
    near(node->side[SIDE_A].mean, 0.61);
    near(node->side[SIDE_A].spread, 0.01);
    near(node->side[SIDE_A].high, 0.61 + 4.30265273 * 0.01 / sqrt(3)); /* t of 2 degrees of freedom */
    near(node->side[SIDE_B].reliability, 0.8);
    near(node->side[SIDE_B].repeats, 0.03);
    assert_int_equal(node->side[SIDE_B].flagged, 1);
    near(node->difference, 0.04);
    near(node->low, 0.0173304206);
    near(node->high, 0.0626695794);
    near(node->p_value, 0.0080498931);
    near(node->q, 0.0080498931);
    near(node->margin, 0.0305);
    assert_int_equal(node->verdict, VERDICT_DIFFERENT);
    assert_int_equal(e.judged, 1);
    assert_int_equal(e.count[VERDICT_DIFFERENT], 1);
    /* Four more nodes with this spread: q is adjusted for all five. */
    for (unsigned i = EXPLORE_N0; i <= EXPLORE_N3; i++)
        set(i, (int64_t[]){600000, 610000, 620000}, (int64_t[]){601000, 612000, 620000});
    e = judged(RUNS, RUNS);
    near(node->q, 5 * 0.0080498931);
    assert_int_equal(e.node[EXPLORE_N0].verdict, VERDICT_EQUIVALENT);
}

/* If runs agree to the last digit, their error is still the residue of counting, 0.1 % of cycles; for a ratio, 0.1 % of
 * its value. */
static void runs_that_agree(void **state)
{
    struct compare_exploration e;

    set(EXPLORE_BACK, (int64_t[]){500000, 500000, 500000}, (int64_t[]){500300, 500300, 500300});
    set(EXPLORE_FRONT, (int64_t[]){100000, 100000, 100000}, (int64_t[]){103000, 103000, 103000});
    set(EXPLORE_CPI, (int64_t[]){4000000, 4000000, 4000000}, (int64_t[]){4100000, 4100000, 4100000});
    set(EXPLORE_BAD_RATIO, (int64_t[]){0, 0, 0}, (int64_t[]){0, 0, 0});
    e = judged(RUNS, RUNS);
    near(e.node[EXPLORE_BACK].p_value, 0.7133031739);
    assert_int_equal(e.node[EXPLORE_BACK].verdict, VERDICT_EQUIVALENT);
    near(e.node[EXPLORE_FRONT].p_value, 2.385634540e-4);
    assert_int_equal(e.node[EXPLORE_FRONT].verdict, VERDICT_BOTH);
    near(e.node[EXPLORE_CPI].high - e.node[EXPLORE_CPI].difference, 1.959963985 * hypot(0.004, 0.0041) / sqrt(3));
    near(e.node[EXPLORE_CPI].margin, 0.2); /* only the relative margin */
    assert_int_equal(e.node[EXPLORE_CPI].verdict, VERDICT_BOTH);
    assert_int_equal(e.node[EXPLORE_BAD_RATIO].verdict, VERDICT_EQUIVALENT);
}

/* For samples agreement shows no more than that: no missing load in three short runs does not prove that there is
 * none. */
static void samples_that_agree(void **state)
{
    struct compare_exploration e;

    set(EXPLORE_MEMORY, (int64_t[]){0, 0, 0}, (int64_t[]){0, 0, 0});
    e = judged(RUNS, RUNS);
    assert_false(e.node[EXPLORE_MEMORY].judged);
    set(EXPLORE_MEMORY, (int64_t[]){0, 0, 0}, (int64_t[]){0, 0, 3000});
    e = judged(RUNS, RUNS);
    assert_true(e.node[EXPLORE_MEMORY].judged);
    near(e.node[EXPLORE_MEMORY].high, 0.001 + 2.918823 * sqrt(1e-6 + 1e-6 / 3)); /* t with 3.56 degrees of freedom */
}

/* With one run on a side, or a node that a run does not know, there is no verdict. */
static void without_verdict(void **state)
{
    struct compare_exploration e;

    set(EXPLORE_BACK, (int64_t[]){100000, 100000, 100000}, (int64_t[]){900000, 900000, 900000});
    set(EXPLORE_CORE, (int64_t[]){1, 1, 1}, (int64_t[]){1, 1, 1});
    a[0].node[EXPLORE_BACK].cv_ppm = 1500;
    b[1].node[EXPLORE_CORE].state = EXPLORE_DROPPED;
    for (int side = 0; side < SIDES; side++) {
        e = judged(side ? RUNS : 1, side ? 1 : RUNS);
        assert_false(e.node[EXPLORE_BACK].judged);
        assert_int_equal(e.node[EXPLORE_BACK].verdict, VERDICT_ONE_RUN);
        near(e.node[EXPLORE_BACK].difference, 0.8);
        near(e.node[EXPLORE_BACK].side[SIDE_A].repeats, 0.0015);
        assert_true(isnan(e.node[EXPLORE_BACK].low) && isnan(e.node[EXPLORE_BACK].q));
        assert_true(isnan(e.node[EXPLORE_BACK].side[side].spread));
        assert_int_equal(e.judged, 0);
    }
    e = judged(RUNS, RUNS);
    assert_true(e.node[EXPLORE_CORE].side[SIDE_A].known);
    assert_false(e.node[EXPLORE_CORE].side[SIDE_B].known || e.node[EXPLORE_CORE].judged);
    assert_int_equal(e.judged, 1);
}

/* ---------------------------------------------------------------- the command */

/* Makes a run of 1,000,000 cycles. */
static void make(const char *folder, unsigned stalls, unsigned instructions, unsigned seed)
{
    char name[100], text[1000];

    made_run_begin();
    made_run_op(20 + seed, (struct made_op){.at = 0x401010, .data = 40 << 16 | 10});
    snprintf(text, sizeof(text), "#: figures = silicon\n#: config = %s\n#: ibs.op_ctl = 0xe003e\n",
             stalls ? "explore" : "ibs");
    made_run_write(folder, text);
    if (stalls == 0)
        return;
    snprintf(text, sizeof(text),
             "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n"
             "076,00,0,CPU_CLK_UNHALTED,counted,4,1000000,999000,1001000,500,17,3,999546\n"
             "0c0,00,0,RETIRED_INSTRUCTIONS,counted,4,%u,1,1,2500,9,0,1000000\n"
             "0d0,00,0,DECODER_EMPTY,counted,4,100000,100000,100000,0,9,0,990000\n"
             "0d1,00,0,DISPATCH_STALLS,counted,4,%u,1,1,0,9,0,850000\n"
             "0d2,00,0,DISPATCH_STALL_FOR_BRANCH_ABORT,%s,9,0,990000\n",
             instructions, stalls, folder[0] == 'b' ? "not modelled,,,,," : "counted,4,0,0,0,0");
    snprintf(name, sizeof(name), "%s/counts.csv", folder);
    files_write(name, text, strlen(text));
}

/* Returns the text from the section's head on. */
static const char *section(const char *text, const char *head)
{
    const char *at = strstr(text, head);

    return at ? at : "";
}

static void commands(void **state)
{
    char path[6][300];
    struct tool_result got;

    program_make("program.elf");
    for (int i = 0; i < 3; i++) {
        static const unsigned stalls[2][3] = {{250000, 260000, 255000}, {400000, 403000, 401000}};

        snprintf(path[i], sizeof(path[i]), "%s", files_path((const char *[]){"a1", "a2", "a3"}[i]));
        snprintf(path[3 + i], sizeof(path[3 + i]), "%s", files_path((const char *[]){"b1", "b2", "b3"}[i]));
        make((const char *[]){"a1", "a2", "a3"}[i], stalls[0][i], 1500000, (unsigned)i);
        make((const char *[]){"b1", "b2", "b3"}[i], stalls[1][i], 1501000 + 1000 * (unsigned)i, 3 + (unsigned)i);
    }
    got = tool_run(&command_compare, path[0], path[1], path[2], "--", path[3], path[4], path[5], NULL);
    assert_non_null(strstr(got.out, "NOTE: Both sides are explorations: of "));
    expect_file(section(got.out, "\nGeneral Exploration"), "compare/compare-explore.txt");
    got = tool_run(&command_compare, "--all", path[0], path[3], NULL);
    assert_non_null(strstr(got.out, "explorations. The rows of their trees"));
    expect_file(section(got.out, "\nGeneral Exploration"), "compare/compare-explore-one.txt");
    got = tool_run(&command_compare, "--csv", path[0], path[1], path[2], "--", path[3], path[4], path[5], NULL);
    expect_file(section(got.out, "exploration,"), "compare/compare-explore.csv");
    got = tool_run(&command_compare, "--json", path[0], path[1], path[2], "--", path[3], path[4], path[5], NULL);
    expect_file(section(got.out, "\"exploration\":"), "compare/compare-explore.json");
    make("a2", 0, 0, 7);
    got = tool_run(&command_compare, path[0], path[1], "--", path[3], path[4], NULL);
    assert_non_null(strstr(got.out, "NOTE: Some of the runs are explorations and others are not"));
    assert_string_equal(section(got.out, "\nGeneral Exploration"), "");
}

/* ---------------------------------------------------------------- trees by slots */

/* Makes a run on Zen 4 (six slots) or Zen 5: a million cycles; a quarter of the slots retires, and half waits in the
 * back end, three quarters of it for memory. The front end has the rest; the event of its latency was not modelled. */
static void make_slots(const char *folder, unsigned slots, unsigned expected)
{
    static char text[4000];
    char facts[300], name[100];

    made_run_begin();
    made_info.family = slots == 6 ? 0x19 : 0x1A;
    made_info.model = slots == 6 ? 0x61 : 0x44;
    made_info.caps = slots == 6 ? 0xBFF : 0x81BFF;
    made_run_op(20, (struct made_op){.at = 0x401010, .data = 40 << 16 | 10});
    snprintf(facts, sizeof(facts),
             "#: figures = model\n#: config = explore\n#: ibs.op_ctl = 0xe003e\n#: expected.0c0:00 = %u\n", expected);
    made_run_write(folder, facts);
    strcpy(text, "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n");
#define COUNTED(event, mean)                                                                                           \
    sprintf(text + strlen(text), "%s,counted,4,%u,1,1,500,9,0,990000\n", event, (unsigned)(mean))
    COUNTED("076,00,0,ls_not_halted_cyc", 1000000);
    COUNTED("0c0,00,0,ex_ret_instr", 1200000);
    COUNTED("0c1,00,0,ex_ret_ops", slots * 250000);
    COUNTED("1a0,01,0,de_no_dispatch_per_slot", slots * 230000);
    COUNTED("1a0,1e,0,de_no_dispatch_per_slot", slots * 500000);
    COUNTED("1a0,60,0,de_no_dispatch_per_slot", 0);
    COUNTED("0aa,07,0,de_src_op_disp", slots * 270000);
    sprintf(text + strlen(text), "1a0,01,%u,de_no_dispatch_per_slot,not modelled,,,,,,,,\n", slots);
    COUNTED("0c2,00,0,ex_ret_brn", 100000);
    COUNTED("0c3,00,0,ex_ret_brn_misp", 3000);
    COUNTED(slots == 6 ? "096,00,0,resyncs_or_nc_redirects" : "09f,01,0,bp_redirects", 1000);
    /* With six slots this is fewer cycles than dispatch waits: the back end's parts cannot be told apart. */
    COUNTED("0d6,02,0,ex_no_retire", slots == 6 ? 300000 : 600000);
    COUNTED("0d6,a2,0,ex_no_retire", slots == 6 ? 210000 : 450000);
    COUNTED("1c2,00,0,ex_ret_ucode_ops", slots * 10000);
    COUNTED("02c,00,0,ls_int_taken", 0);
#undef COUNTED
    snprintf(name, sizeof(name), "%s/counts.csv", folder);
    files_write(name, text, strlen(text));
}

static void report_by_slots(void **state)
{
    static const char *const forms[] = {"--csv", "--json"};
    struct tool_result got;

    program_make("program.elf");
    make_slots("six", 6, 1200001);
    make_slots("eight", 8, 1200002);
    got = tool_run(&command_report, "--view=exploration", files_path("six"), NULL);
    expect_file(got.out, "explore/explored-slots.txt");
    for (unsigned i = 0; i < 2; i++) {
        got = tool_run(&command_report, "--view=exploration", forms[i], files_path("six"), NULL);
        expect_file(got.out, i ? "explore/explored-slots.json" : "explore/explored-slots.csv");
    }
    got = tool_run(&command_report, files_path("eight"), NULL);
    assert_non_null(strstr(got.out, "General Exploration, top-down of eight slots per cycle: 1000000 cycles\n"));
    assert_non_null(strstr(got.out, "\n*   Memory bound                         37.5 % slots "));
    assert_non_null(strstr(got.out, "\nNot modelled: 1A0:01:c=8\n"));
    /* The ret of an empty workload counts as one instruction. */
    assert_non_null(strstr(got.out, "FAIL        0C0 = expected + 02C + exceptions: 1200000 against 1200001\n"));
    got = tool_run(&command_report, "--html", files_path("eight"), NULL);
    assert_non_null(strstr(got.out, "\"slots\":8"));
}

/* Trees with the same rows are compared, also with six slots and with eight; Family 10h has other rows. */
static void compare_by_slots(void **state)
{
    char path[3][300];
    struct tool_result got;

    program_make("program.elf");
    make_slots("six", 6, 1200001);
    make_slots("eight", 8, 1200001);
    make("tenth", 250000, 1500000, 1);
    snprintf(path[0], sizeof(path[0]), "%s", files_path("six"));
    snprintf(path[1], sizeof(path[1]), "%s", files_path("eight"));
    snprintf(path[2], sizeof(path[2]), "%s", files_path("tenth"));
    got = tool_run(&command_compare, path[0], path[1], NULL);
    assert_non_null(strstr(section(got.out, "\nGeneral Exploration"),
                           "  Retiring, % slots\n       25.00     25.00     0.00 repeats: 0.05 % 0.05 %\n"));
    assert_non_null(strstr(got.out, "Some of the processors have 6 slots per cycle and others 8"));
    got = tool_run(&command_compare, "--json", path[0], path[0], NULL);
    assert_non_null(strstr(got.out, "{\"name\":\"Memory bound\",\"unit\":\"% slots\",\"ratio\":false,\"level\":2,"
                                    "\"parent\":14,\"a\":{\"value\":0.21,"));
    assert_null(strstr(got.out, "slots per cycle"));
    for (unsigned i = 0; i < 2; i++) {
        got = tool_run(&command_compare, path[i ? 2 : 0], path[i ? 0 : 2], NULL);
        assert_string_equal(section(got.out, "\nGeneral Exploration"), "");
        assert_non_null(strstr(got.out, i ? "Some explorations use Family 10h and others top-down of six slots"
                                          : "Some explorations use top-down of six slots per cycle and others"));
    }
}

static void verdicts_have_colours(void **state)
{
    static const char *const wanted[VERDICTS] = {[VERDICT_DIFFERENT] = "\033[1;33mdifferent\033[0m",
                                                 [VERDICT_BOTH] = "\033[33mboth\033[0m",
                                                 [VERDICT_EQUIVALENT] = "\033[34mequivalent\033[0m",
                                                 [VERDICT_INCONCLUSIVE] = "\033[2minconclusive\033[0m"};

    for (unsigned i = 0; i < VERDICTS; i++) {
        const struct compare_node node = {.judged = true, .verdict = (enum stat_verdict)i};
        const struct compare_node_form form = {.name = "Row", .unit = "%", .scale = 1};
        FILE *to;

        if (wanted[i])
            assert_non_null(strstr(TOOL_WRITES(to, compare_node_text(to, &node, &form, false, true)), wanted[i]));
        assert_null(strchr(TOOL_WRITES(to, compare_node_text(to, &node, &form, false, false)), '\033'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(between_runs, nothing_known),
        cmocka_unit_test_setup(runs_that_agree, nothing_known),
        cmocka_unit_test_setup(samples_that_agree, nothing_known),
        cmocka_unit_test_setup(without_verdict, nothing_known),
        cmocka_unit_test(commands),
        cmocka_unit_test(report_by_slots),
        cmocka_unit_test(compare_by_slots),
        cmocka_unit_test(verdicts_have_colours),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
