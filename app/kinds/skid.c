/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counter samples and IBS samples of the same loop side by side: AMD's paper on IBS, section 3 against 4.2.
 *
 * A counter's sample has the place of retirement when the interrupt was taken, an IBS sample the op itself. They are
 * printed side by side and never added or divided: they count different things.
 */
#include "app/run/kind.h"
#include "core/view/view.h"

enum { TEXT_COLUMNS = 33 };

/* Holds the figures of an instruction. */
struct cells {
    uint64_t pmc_dc, pmc_dtlb; /* samples of counters */
    uint64_t ibs_dc, ibs_dtlb; /* ops sampled */
};

struct sources {
    const struct run *run;
    int dc, dtlb; /* events of the counter profile; -1: none */
};

/* Returns the event of this meaning; -1: not counted. */
static int event_of(const struct run *run, enum event_meaning meaning)
{
    for (unsigned i = 0; i < run->task.list.count; i++)
        if (event_means(&run->task.list.spec[i], meaning) && run->task.counted[i])
            return (int)i;
    return -1;
}

static struct cells cells_of(const struct sources *from, enum profile_level level, uint32_t index)
{
    uint64_t pmc[PMC_PROFILE_EVENTS], ibs[DERIVED_COUNT];

    pmc_profile_sum(&from->run->pmc.profile, level, index, pmc);
    profile_sum(&from->run->ibs.profile, level, index, ibs);
    return (struct cells){
        .pmc_dc = from->dc < 0 ? 0 : pmc[from->dc],
        .pmc_dtlb = from->dtlb < 0 ? 0 : pmc[from->dtlb],
        .ibs_dc = ibs[DERIVED_F206_DC_MISS],
        .ibs_dtlb = ibs[DERIVED_F205_DTLB_L1M_L2M],
    };
}

static void cell(struct out *out, uint64_t value, bool there)
{
    if (there)
        out_printf(out, "%9lu", value);
    else
        out_printf(out, "%9s", "-");
}

static void row(struct out *out, const struct sources *from, const struct cells *cells)
{
    cell(out, cells->pmc_dc, from->dc >= 0);
    cell(out, cells->pmc_dtlb, from->dtlb >= 0);
    out_printf(out, " |");
    cell(out, cells->ibs_dc, true);
    cell(out, cells->ibs_dtlb, true);
    out_printf(out, "\n");
}

static void percent(struct out *out, uint64_t part, uint64_t all, const char *of)
{
    if (all)
        out_ratio(out, part, all, 100, 1, 0);
    out_printf(out, "%s%lu %s", all ? "% of " : "", all, of);
}

static void share(struct out *out, const char *what, uint64_t pmc, uint64_t pmc_all, uint64_t ibs, uint64_t ibs_all)
{
    out_printf(out, "At > %s: ", what);
    percent(out, pmc, pmc_all, "counter samples, ");
    percent(out, ibs, ibs_all, "IBS ops\n");
}

static void title(struct out *out)
{
    static const char line[] = "-------------------------------------------------------------------------------";

    out_printf(out, "\nCounter samples beside IBS op samples\n%.*s\n", 79, line);
    out_printf(out, "%-41s   counter samples |  IBS: ops sampled\n", "");
    out_printf(out, "%-41s       DC DTLB L1M |       DC DTLB L1M\n", "");
    out_printf(out, "%-41s   misses      L2M |   misses      L2M\n%.*s\n", "Address Instruction", 79, line);
}

static void tables(struct out *out, const struct run *run)
{
    const struct codemap *map = run->map;
    const struct sources from = {
        .run = run,
        .dc = event_of(run, MEANING_DC_MISSES),
        .dtlb = event_of(run, MEANING_DTLB_WALKS),
    };
    int32_t culprit = view_hottest(&run->ibs.profile, PROFILE_INSTRUCTIONS, DERIVED_F206_DC_MISS);
    struct cells at, all;
    uint32_t function;

    title(out);
    if (culprit < 0) {
        out_printf(out, "No op sampled by IBS missed the data cache: there is no culprit to find.\n");
        return;
    }
    function = profile_level_of(&run->ibs.profile, PROFILE_FUNCTIONS, (uint32_t)culprit);
    at = cells_of(&from, PROFILE_INSTRUCTIONS, (uint32_t)culprit);
    all = cells_of(&from, PROFILE_FUNCTIONS, function);
    for (uint32_t i = 0; i < map->insn_count; i++) {
        struct cells cells;

        if (profile_level_of(&run->ibs.profile, PROFILE_FUNCTIONS, i) != function)
            continue;
        cells = cells_of(&from, PROFILE_INSTRUCTIONS, i);
        out_printf(out, "%c%6x %-*.*s", i == (uint32_t)culprit ? '>' : ' ', map->insns[i].rva, TEXT_COLUMNS,
                   TEXT_COLUMNS, map->strings + map->insns[i].text);
        row(out, &from, &cells);
    }
    out_printf(out, "        %-*s", TEXT_COLUMNS, "all of the function");
    row(out, &from, &all);
    out_printf(out, "\n");
    share(out, "DC misses", at.pmc_dc, all.pmc_dc, at.ibs_dc, all.ibs_dc);
    share(out, "DTLB L1M L2M", at.pmc_dtlb, all.pmc_dtlb, at.ibs_dtlb, all.ibs_dtlb);
    if (run->task.list.set == EVENT_SET_10H)
        out_printf(out, "A counter's sample gives the point of retirement at the interrupt, up to 72 ops\n"
                        "late; an IBS sample, the op itself. Compare the places, not the numbers.\n");
    else
        out_printf(out, "A counter's sample gives the point of retirement at the interrupt, after the\n"
                        "cause; an IBS sample, the op itself. Compare the places, not the numbers.\n");
}

static void list_events(struct event_list *list, const struct ibs_family *row, char revision)
{
    static const enum event_meaning wanted[] = {MEANING_INSTRUCTIONS, MEANING_DC_ACCESSES, MEANING_DC_MISSES,
                                                MEANING_DTLB_WALKS};

    (void)row;
    (void)revision;
    for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        event_list_add(list, wanted[i], 0);
}

KIND(kind_skid, 40) = {
    .name = "skid",
    .title = "Counter samples beside IBS op samples",
    .explanation = "Samples the same loop by retired instructions, DC accesses, DC misses and DTLB\nmisses, and then "
                   "by IBS op, and shows both by instruction, side by side.\n",
    .parts = {&kind_pmc, &kind_ibs},
    .ibs = true,
    .events = KIND_SAMPLES_EVENTS,
    .list_events = list_events,
    .tables = tables,
};
