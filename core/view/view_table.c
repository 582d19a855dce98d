/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The views. Columns and their formulas follow AMD's IBS paper (P. Drongowski, "Instruction-Based Sampling: a new
 * performance analysis technique for AMD Family 10h processors", 2007) and CodeAnalyst's ViewConfig files; order as in
 * the paper.
 */
#include "core/view/view_rows.h"

/* clang-format off */
const struct view view_table[] = {
    {
        .name = "ibs_fetch", .title = "IBS fetch profile", .what = "fetches sampled",
        .level = PROFILE_INSTRUCTIONS, .population = DERIVED_F002_FETCH_ATTEMPTED, .mark = DERIVED_F002_FETCH_ATTEMPTED,
        .paper = true, .configs = "ibs",
        COLUMNS(
            COUNT("All", F000_FETCH_ALL),
            COUNT("Killed", F001_FETCH_KILLED),
            COUNT("At-\ntempted", F002_FETCH_ATTEMPTED),
            COUNT("Com-\npleted", F003_FETCH_COMPLETED),
            COUNT("Aborted", F004_FETCH_ABORTED),
            COUNT("IC\nmiss", F008_IC_MISS)),
        .footnote = "All = killed + attempted, attempted = completed + aborted. A fetch address is\nthat of a block or branch target; the sample counts for the instruction at this address. Fetches are speculative: fetched code was not necessarily executed. Functions with only killed fetches are left out.",
    },
    {
        .name = "ibs_op", .title = "IBS op profile", .what = "ops sampled",
        .level = PROFILE_INSTRUCTIONS, .population = DERIVED_F100_OP_ALL, .mark = DERIVED_F100_OP_ALL,
        .paper = true, .configs = "ibs",
        COLUMNS(
            COUNT("All\nops", F100_OP_ALL),
            SHARE("% of\nops", F100_OP_ALL),
            COUNT("Branch", F103_BRANCH),
            COUNT("Load/\nstore", F200_LOAD_STORE)),
    },
    {
        .name = "ibs_ls", .title = "IBS load/store breakdown", .what = "ops sampled",
        .level = PROFILE_INSTRUCTIONS, .population = DERIVED_F200_LOAD_STORE, .mark = DERIVED_F206_DC_MISS,
        .paper = true, .configs = "ibs",
        COLUMNS(
            COUNT("Load", F201_LOAD),
            COUNT("Store", F202_STORE),
            COUNT("DC\nmiss", F206_DC_MISS),
            COUNT("DTLB\nL1M\nL2H", F204_DTLB_L1M_L2H),
            COUNT("DTLB\nL1M\nL2M", F205_DTLB_L1M_L2M),
            COUNT("Mis-\nalign", F208_MISALIGNED)),
        .footnote = "L1M L2H: missed the L1 DTLB, hit the L2 DTLB. L1M L2M: missed both. Only ops that retired have samples: fewer samples than misses by a counter (041) are not a better result.",
    },
    {
        .name = "ibs_dclat", .title = "IBS DC miss latency", .what = "ops sampled, cycles",
        .level = PROFILE_INSTRUCTIONS, .population = DERIVED_F201_LOAD, .mark = DERIVED_F219_DC_LOAD_LATENCY,
        .paper = true, .configs = "ibs",
        COLUMNS(
            COUNT("Loads", F201_LOAD),
            COUNT("Loads\nmissed", X200_LOAD_DC_MISS),
            PERCENT("Miss\nratio", X200_LOAD_DC_MISS, F201_LOAD),
            COUNT("Sum of\ncycles", F219_DC_LOAD_LATENCY),
            AVERAGE("Mean\ncycles", F219_DC_LOAD_LATENCY, X200_LOAD_DC_MISS),
            PERCENT("DTLB\nL1M\nL2M", X202_LOAD_DTLB_L1M_L2M, F201_LOAD)),
        /* CodeAnalyst's own view divides F219 by F206, which counts stores too. */
        .footnote = "Cycles: from detecting the miss to the return of data; the mean is over the\nloads that missed. Ratios refer to loads. L1M L2M: missed L1 and L2 DTLB.",
    },
};
/* clang-format on */
const unsigned view_count = sizeof(view_table) / sizeof(view_table[0]);
