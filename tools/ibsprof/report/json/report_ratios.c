/* SPDX-License-Identifier: BSD-2-Clause */
/* Ratios of counts with their intervals, of a run, a core or a node. Pages only display them, by key. */
#include "tools/ibsprof/report/json/report_parts.h"

#include <math.h>

#include "tools/ibsprof/stat/stat_prop.h"

static const struct {
    const char *key;
    uint8_t part, more; /* enum derived: part, or part + more; DERIVED_COUNT: no more */
    uint8_t whole;
} ratios[] = {
    {"dc", DERIVED_F206_DC_MISS, DERIVED_COUNT, DERIVED_F200_LOAD_STORE},
    {"dc_loads", DERIVED_X200_LOAD_DC_MISS, DERIVED_COUNT, DERIVED_F201_LOAD},
    {"cache", DERIVED_F243_NB_LOCAL_CACHE, DERIVED_COUNT, DERIVED_F201_LOAD},
    {"dtlb", DERIVED_F205_DTLB_L1M_L2M, DERIVED_COUNT, DERIVED_X201_LIN_ADDR_VALID},
    {"dtlb_l2", DERIVED_F204_DTLB_L1M_L2H, DERIVED_COUNT, DERIVED_X201_LIN_ADDR_VALID},
    {"remote", DERIVED_F241_NB_REMOTE, DERIVED_COUNT, DERIVED_X240_NB_STATUS},
    {"branch", DERIVED_F104_BRANCH_MISPREDICTED, DERIVED_COUNT, DERIVED_F103_BRANCH},
    {"misaligned", DERIVED_F208_MISALIGNED, DERIVED_COUNT, DERIVED_F200_LOAD_STORE},
    {"ic", DERIVED_F008_IC_MISS, DERIVED_COUNT, DERIVED_F002_FETCH_ATTEMPTED},
    {"itlb", DERIVED_F006_ITLB_L1M_L2H, DERIVED_F007_ITLB_L1M_L2M, DERIVED_F002_FETCH_ATTEMPTED},
    {"aborted", DERIVED_F004_FETCH_ABORTED, DERIVED_COUNT, DERIVED_F002_FETCH_ATTEMPTED},
};

void report_ratios(struct json *json, const struct run_profile *profile, const uint64_t counts[DERIVED_COUNT])
{
    json_key_object(json, "ratios");
    for (unsigned i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
        uint64_t part = counts[ratios[i].part], whole = counts[ratios[i].whole];
        double low, high;

        if (ratios[i].more != DERIVED_COUNT)
            part += counts[ratios[i].more];
        if (whole == 0 || !profile_has(profile, ratios[i].part) || !profile_has(profile, ratios[i].whole))
            continue;
        stat_wilson((double)part / (double)whole, (double)whole, 0.95, INFINITY, &low, &high);
        json_key_array(json, ratios[i].key);
        json_uint(json, part);
        json_uint(json, whole);
        json_real(json, low);
        json_real(json, high);
        json_end(json);
    }
    json_end(json);
}
