/* SPDX-License-Identifier: BSD-2-Clause */
/* Family 10h's method of General Exploration: its tables (explore_input.c, explore_tree.c) and formulas together. */
#include "core/base/wrap.h"
#include "core/explore/explore_formulas.h"

enum { LINE = 79 };

static const struct explore_section sections[] = {
    {EXPLORE_CPI, "Instructions", NULL},
    {EXPLORE_CYCLES_FRONT, "Cycles by dispatch (exclusive)", NULL},
    {EXPLORE_RETIRING, "Slots, three per cycle (level 1 is exclusive: its sum is 100 %)", NULL},
    {EXPLORE_N0, "Cycles by macro-ops retired (exclusive)", "Cycles by macro-ops retired"},
};

/* Says why a part of a flagged back end may cost more or less by itself than its row says. */
static void tell_overlap(struct out *out, const struct explore_result *result)
{
    char text[200];
    struct out_memory memory;

    if (result->overlap_ppm <= PPM || !result->node[EXPLORE_BACK].flagged)
        return;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "The waits of memory and forwarding overlap: together they are ");
    out_ratio(&memory.out, result->overlap_ppm, PPM, 1, 1, 0);
    out_printf(&memory.out,
               " times the back end, and are scaled down to it. If one of them is removed, others may take its place.");
    wrap_text(out, text, 0, 0, LINE);
}

static void legend(struct out *out, const struct explore_result *result)
{
    const uint32_t *cost = result->costs.of;
    char text[300];
    struct out_memory memory;

    out_printf(out, "Raw: cycles with this cause; they overlap. dropped: outside of -5 %% to 105 %%.\n");
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "est.: by the cycles of one mispredict (%u)%s L2 hit (%u), ", cost[EXPLORE_COST_MISPREDICT],
               result->measured ? "; measured before the run:" : ",", cost[EXPLORE_COST_L2]);
    out_printf(&memory.out, "memory access (%u), ", cost[EXPLORE_COST_MEMORY]);
    out_printf(&memory.out, "L2 TLB hit (%u), page walk (%u), forwarding (%u); data that missed: IbsDcMissLat.",
               cost[EXPLORE_COST_TLB_L2], cost[EXPLORE_COST_WALK], cost[EXPLORE_COST_FORWARD]);
    wrap_text(out, text, 0, 0, LINE);
    tell_overlap(out, result);
    /* The rows of data and of locked ops have one cause. */
    explore_tell_share(
        out, result->locked_ppm, "Locked ops wait for their lines in ",
        "of the cycles, and nothing else runs meanwhile: without the locks, most of these waits disappear, too.");
    wrap_text(
        out,
        "The three slots of a cycle all belong to one program: the family has no SMT, so do not halve any figure. The "
        "ideal CPI is a third of the ops per instruction; on a core with four slots it would be a quarter.",
        0, 0, LINE);
}

/* Two groups of four with the mispredict ratio's 0C2, then four more. Left out are events of the node, which no core's
 * interrupt tells apart (sources of misses), and what the tree takes from IBS. */
static const uint8_t sampled[] = {
    EXPLORE_C,  EXPLORE_C0, EXPLORE_U,  EXPLORE_C3, EXPLORE_D0, EXPLORE_D1, EXPLORE_D2, EXPLORE_C2,
    EXPLORE_82, EXPLORE_83, EXPLORE_84, EXPLORE_85, EXPLORE_D3, EXPLORE_D4, EXPLORE_D5, EXPLORE_D6,
    EXPLORE_D7, EXPLORE_D8, EXPLORE_D9, EXPLORE_DA, EXPLORE_42, EXPLORE_43, EXPLORE_68, EXPLORE_69,
};

const struct explore_method explore_10h = {
    .title = "Family 10h",
    .sets = EVENT_IN(10H) | EVENT_IN(12H), /* the same pipeline; 0CC, 068, 069, 4E0 and 4E1 are not there */
    .slots = 3,
    .ibs = true,
    .fitted = true,
    .costs = true,
    .events = EXPLORE_EVENTS,
    .rows = EXPLORE_NODES,
    .checks = EXPLORE_CHECKS,
    .sections = sizeof(sections) / sizeof(sections[0]),
    .event = explore_events,
    .row = explore_tree,
    .check = explore_checks,
    .section = sections,
    .sampled = sampled,
    .needed = 7,
    .shallow = 8,
    .deep = sizeof(sampled),
    .column = {EXPLORE_CPI, EXPLORE_RETIRING, EXPLORE_BAD, EXPLORE_FRONT, EXPLORE_BACK},
    .left = "slack",
    .begin = explore_begin,
    .formula = explore_formula,
    .legend = legend,
};
