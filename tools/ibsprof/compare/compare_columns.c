/* SPDX-License-Identifier: BSD-2-Clause */
/* A row for each compared figure of an instruction and of the whole workload. */
#include "core/ibs/record.h"
#include "tools/ibsprof/compare/compare.h"

#define RATE(of_, above_, more_, below_)                                                                               \
    .kind = COLUMN_RATE, .of = SAMPLE_##of_, .above = {DERIVED_##above_, DERIVED_##more_}, .below = DERIVED_##below_
#define NO_RATE(kind_) .kind = COLUMN_##kind_, .above = {DERIVED_COUNT, DERIVED_COUNT}, .below = DERIVED_COUNT

/* clang-format off */
const struct compare_column compare_columns[] = {
    [COMPARE_SHARE] = {.key = "share", .title = "share of samples", NO_RATE(SHARE)},
    [COMPARE_WORK] = {.key = "per_work", .title = "per unit of work", NO_RATE(WORK)},
    {.key = "dc_miss", .title = "DC miss rate of loads",
     RATE(OP, X200_LOAD_DC_MISS, COUNT, F201_LOAD)},
    {.key = "dtlb_l1_miss", .title = "L1 DTLB miss rate",
     RATE(OP, F204_DTLB_L1M_L2H, F205_DTLB_L1M_L2M, X201_LIN_ADDR_VALID)},
    {.key = "dtlb_l2_miss", .title = "L1+L2 DTLB miss rate",
     RATE(OP, F205_DTLB_L1M_L2M, COUNT, X201_LIN_ADDR_VALID)},
    {.key = "mispredict", .title = "branch mispredict rate",
     RATE(OP, F104_BRANCH_MISPREDICTED, COUNT, F103_BRANCH)},
    {.key = "ic_miss", .title = "IC miss rate of fetches",
     RATE(FETCH, F008_IC_MISS, COUNT, F002_FETCH_ATTEMPTED)},
    {.key = "itlb_l1_miss", .title = "L1 ITLB miss rate",
     RATE(FETCH, F006_ITLB_L1M_L2H, F007_ITLB_L1M_L2M, F002_FETCH_ATTEMPTED)},
    {.key = "latency_p50", .title = "median DC miss latency", NO_RATE(QUANTILE), .of = SAMPLE_OP, .quantile = 0.5},
    {.key = "latency_p90", .title = "p90 DC miss latency", NO_RATE(QUANTILE), .of = SAMPLE_OP, .quantile = 0.9},
};
/* clang-format on */
const uint32_t compare_column_count = sizeof(compare_columns) / sizeof(compare_columns[0]);
