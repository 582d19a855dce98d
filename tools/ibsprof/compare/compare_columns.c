/* What is compared of each instruction and of the whole workload: a row each. */
#include "core/record.h"
#include "tools/ibsprof/compare/compare.h"

#define RATE(key, title, of, above, more, below)                                                                       \
    {                                                                                                                  \
        key, title, COLUMN_RATE, of, {above, more}, below, 0                                                           \
    }

const struct compare_column compare_columns[] = {
    [COMPARE_SHARE] = {"share", "share of samples", COLUMN_SHARE, 0, {DERIVED_COUNT, DERIVED_COUNT}, DERIVED_COUNT, 0},
    [COMPARE_WORK] = {"per_work", "per unit of work", COLUMN_WORK, 0, {DERIVED_COUNT, DERIVED_COUNT}, DERIVED_COUNT, 0},
    RATE("dc_miss", "DC miss rate of loads", IBS_KIND_OP, DERIVED_X200_LOAD_DC_MISS, DERIVED_COUNT, DERIVED_F201_LOAD),
    RATE("dtlb_l1_miss", "L1 DTLB miss rate", IBS_KIND_OP, DERIVED_F204_DTLB_L1M_L2H, DERIVED_F205_DTLB_L1M_L2M,
         DERIVED_X201_LIN_ADDR_VALID),
    RATE("dtlb_l2_miss", "L1+L2 DTLB miss rate", IBS_KIND_OP, DERIVED_F205_DTLB_L1M_L2M, DERIVED_COUNT,
         DERIVED_X201_LIN_ADDR_VALID),
    RATE("mispredict", "branch mispredict rate", IBS_KIND_OP, DERIVED_F104_BRANCH_MISPREDICTED, DERIVED_COUNT,
         DERIVED_F103_BRANCH),
    RATE("ic_miss", "IC miss rate of fetches", IBS_KIND_FETCH, DERIVED_F008_IC_MISS, DERIVED_COUNT,
         DERIVED_F002_FETCH_ATTEMPTED),
    RATE("itlb_l1_miss", "L1 ITLB miss rate", IBS_KIND_FETCH, DERIVED_F006_ITLB_L1M_L2H, DERIVED_F007_ITLB_L1M_L2M,
         DERIVED_F002_FETCH_ATTEMPTED),
    {"latency_p50",
     "median DC miss latency",
     COLUMN_QUANTILE,
     IBS_KIND_OP,
     {DERIVED_COUNT, DERIVED_COUNT},
     DERIVED_COUNT,
     0.5},
    {"latency_p90",
     "p90 DC miss latency",
     COLUMN_QUANTILE,
     IBS_KIND_OP,
     {DERIVED_COUNT, DERIVED_COUNT},
     DERIVED_COUNT,
     0.9},
};
const uint32_t compare_column_count = sizeof(compare_columns) / sizeof(compare_columns[0]);
