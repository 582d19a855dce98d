/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/identities.h"

#include "core/family/ibs_regs.h"

#define LEFT(...)  .left = {__VA_ARGS__}, .left_terms = sizeof((uint8_t[]){__VA_ARGS__})
#define RIGHT(...) .right = {__VA_ARGS__}, .right_terms = sizeof((uint8_t[]){__VA_ARGS__})
#define EQUAL      .relation = IDENTITY_EQUAL
#define AT_MOST    .relation = IDENTITY_AT_MOST

/* Short names, so that a relation fits a line. */
#define E(event) DERIVED_##event

/* clang-format off */
const struct identity identity_table[] = {
    /* fetch */
    {EQUAL, LEFT(E(F000_FETCH_ALL)), RIGHT(E(F001_FETCH_KILLED), E(F002_FETCH_ATTEMPTED)),
     .says = "all fetches were killed or attempted"},
    {EQUAL, LEFT(E(F002_FETCH_ATTEMPTED)), RIGHT(E(F003_FETCH_COMPLETED), E(F004_FETCH_ABORTED)),
     .says = "attempted fetches completed or aborted"},
    {AT_MOST, LEFT(E(F005_ITLB_L1_HIT), E(F006_ITLB_L1M_L2H), E(F007_ITLB_L1M_L2M)), RIGHT(E(F002_FETCH_ATTEMPTED)),
     .says = "ITLB outcomes exclude each other"},
    {AT_MOST, LEFT(E(F003_FETCH_COMPLETED)), RIGHT(E(F008_IC_MISS), E(F009_IC_HIT)),
     .not_traits = IBS_TRAIT_FETCH_BY_PHYS,
     .says = "completed fetches hit or missed the IC"},
    {AT_MOST, LEFT(E(F008_IC_MISS), E(F009_IC_HIT)), RIGHT(E(F002_FETCH_ATTEMPTED)),
     .says = "IC hits and misses were attempted"},
    {AT_MOST, LEFT(E(F00A_FETCH_4K), E(F00B_FETCH_2M)), RIGHT(E(F002_FETCH_ATTEMPTED)),
     .says = "page sizes exclude each other"},

    /* op */
    {AT_MOST, LEFT(E(F102_COMP_TO_RETIRE)), RIGHT(E(F101_TAG_TO_RETIRE)),
     .says = "ops are tagged before they complete"},
    {AT_MOST, LEFT(E(F103_BRANCH)), RIGHT(E(F100_OP_ALL)),
     .says = "branches are ops"},
    {AT_MOST, LEFT(E(F105_BRANCH_TAKEN)), RIGHT(E(F103_BRANCH)),
     .says = "taken branches are branches"},
    {AT_MOST, LEFT(E(F104_BRANCH_MISPREDICTED)), RIGHT(E(F103_BRANCH)),
     .says = "mispredicted branches are branches"},
    {AT_MOST, LEFT(E(F104_BRANCH_MISPREDICTED), E(F105_BRANCH_TAKEN)),
     RIGHT(E(F103_BRANCH), E(F106_BRANCH_TAKEN_MISPREDICTED)),
     .says = "both are counted in F106"},
    {AT_MOST, LEFT(E(F106_BRANCH_TAKEN_MISPREDICTED)), RIGHT(E(F104_BRANCH_MISPREDICTED)),
     .says = "F106 is a part of F104"},
    {AT_MOST, LEFT(E(F106_BRANCH_TAKEN_MISPREDICTED)), RIGHT(E(F105_BRANCH_TAKEN)),
     .says = "F106 is a part of F105"},
    {AT_MOST, LEFT(E(F107_RETURN)), RIGHT(E(F103_BRANCH)),
     .says = "returns are branches"},
    {AT_MOST, LEFT(E(F108_RETURN_MISPREDICTED)), RIGHT(E(F107_RETURN)),
     .says = "mispredicted returns are returns"},
    {AT_MOST, LEFT(E(F108_RETURN_MISPREDICTED)), RIGHT(E(F104_BRANCH_MISPREDICTED)),
     .says = "... and mispredicted branches"},
    {AT_MOST, LEFT(E(F109_RESYNC)), RIGHT(E(F100_OP_ALL)),
     .says = "resyncs are ops"},

    /* load/store */
    {AT_MOST, LEFT(E(F200_LOAD_STORE)), RIGHT(E(F100_OP_ALL)),
     .says = "loads and stores are ops"},
    {AT_MOST, LEFT(E(F200_LOAD_STORE)), RIGHT(E(F201_LOAD), E(F202_STORE)),
     .says = "an op can be load and store"},
    {AT_MOST, LEFT(E(F201_LOAD)), RIGHT(E(F200_LOAD_STORE)),
     .says = "loads are loads or stores"},
    {AT_MOST, LEFT(E(F202_STORE)), RIGHT(E(F200_LOAD_STORE)),
     .says = "stores are loads or stores"},
    {EQUAL, LEFT(E(F203_DTLB_L1_HIT), E(F204_DTLB_L1M_L2H), E(F205_DTLB_L1M_L2M)), RIGHT(E(X201_LIN_ADDR_VALID)),
     .not_caps = IBS_CAP_DTLB_PGSIZE, /* only with a physical address */
     .says = "each valid address had one DTLB outcome"},
    {AT_MOST, LEFT(E(X201_LIN_ADDR_VALID)), RIGHT(E(F200_LOAD_STORE)),
     .says = "valid addresses are of loads or stores"},
    {EQUAL, LEFT(E(F211_DTLB_L1_4K), E(F212_DTLB_L1_2M), E(F213_DTLB_L1_1G)), RIGHT(E(F203_DTLB_L1_HIT)),
     .says = "each L1 DTLB hit had one page size"},
    {EQUAL, LEFT(E(F215_DTLB_L2_4K), E(F216_DTLB_L2_2M), E(F217_DTLB_L2_1G)), RIGHT(E(F204_DTLB_L1M_L2H)),
     .says = "each L2 DTLB hit had one page size"},
    {EQUAL, LEFT(E(F206_DC_MISS), E(F207_DC_HIT), E(F20D_UC_ACCESS)), RIGHT(E(F200_LOAD_STORE)),
     .traits = IBS_TRAIT_UC_FIRST,
     .says = "... or were uncacheable"},
    {EQUAL, LEFT(E(F206_DC_MISS), E(F207_DC_HIT)), RIGHT(E(F200_LOAD_STORE)),
     .not_traits = IBS_TRAIT_UC_FIRST,
     .says = "loads and stores hit or missed the DC"},
    {AT_MOST, LEFT(E(X200_LOAD_DC_MISS)), RIGHT(E(F206_DC_MISS)),
     .says = "loads that missed are DC misses"},
    {AT_MOST, LEFT(E(F206_DC_MISS)), RIGHT(E(X200_LOAD_DC_MISS), E(F202_STORE)),
     .says = "other misses are stores"},
    {AT_MOST, LEFT(E(X202_LOAD_DTLB_L1M_L2M)), RIGHT(E(F205_DTLB_L1M_L2M)),
     .says = "loads among the DTLB misses"},
    {AT_MOST, LEFT(E(F208_MISALIGNED)), RIGHT(E(F200_LOAD_STORE)),
     .says = "misaligned accesses are loads or stores"},
    {AT_MOST, LEFT(E(F20B_FORWARDED)), RIGHT(E(F201_LOAD)),
     .says = "stores are forwarded to loads"},
    {AT_MOST, LEFT(E(F20C_FORWARD_CANCELLED)), RIGHT(E(F201_LOAD)),
     .says = "... or that is cancelled"},

    /* northbridge */
    {EQUAL, LEFT(E(F240_NB_LOCAL), E(F241_NB_REMOTE)), RIGHT(E(X240_NB_STATUS)),
     .says = "each NB answer was local or remote"},
    {AT_MOST, LEFT(E(X240_NB_STATUS)), RIGHT(E(X200_LOAD_DC_MISS)),
     .says = "only loads that missed have NB status"},
    {AT_MOST, LEFT(E(F242_NB_LOCAL_L3), E(F243_NB_LOCAL_CACHE), E(F245_NB_LOCAL_DRAM), E(F247_NB_LOCAL_OTHER)),
     RIGHT(E(F240_NB_LOCAL)),
     .says = "local sources exclude each other"},
    {AT_MOST, LEFT(E(F244_NB_REMOTE_CACHE), E(F246_NB_REMOTE_DRAM), E(F248_NB_REMOTE_OTHER)), RIGHT(E(F241_NB_REMOTE)),
     .says = "remote sources exclude each other"},
    {EQUAL, LEFT(E(F249_NB_CACHE_MODIFIED), E(F24A_NB_CACHE_OWNED)),
     RIGHT(E(F243_NB_LOCAL_CACHE), E(F244_NB_REMOTE_CACHE)),
     .says = "a line from a cache was modified or owned"},
    {AT_MOST, LEFT(E(F24B_NB_LOCAL_LATENCY), E(F24C_NB_REMOTE_LATENCY)), RIGHT(E(F219_DC_LOAD_LATENCY)),
     .says = "NB latencies are a part of F219"},
};
/* clang-format on */
const unsigned identity_count = sizeof(identity_table) / sizeof(identity_table[0]);

static uint64_t sum(const uint8_t *terms, unsigned count, const uint64_t *counts)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < count; i++)
        total += counts[terms[i]];
    return total;
}

bool identity_holds(const struct identity *identity, const uint64_t counts[DERIVED_COUNT])
{
    uint64_t left = sum(identity->left, identity->left_terms, counts);
    uint64_t right = sum(identity->right, identity->right_terms, counts);

    return identity->relation == IDENTITY_EQUAL ? left == right : left <= right;
}

static void print_codes(struct out *out, const uint8_t *terms, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        out_printf(out, "%s%s", i ? " + " : "", derived_events[terms[i]].code);
}

static void print_figures(struct out *out, const uint8_t *terms, unsigned count, const uint64_t *counts)
{
    for (unsigned i = 0; i < count; i++)
        out_printf(out, "%s%lu", i ? " + " : "", counts[terms[i]]);
}

static void print(struct out *out, const struct identity *identity, bool holds, const uint64_t *counts)
{
    const char *relation = identity->relation == IDENTITY_EQUAL ? " = " : " <= ";

    out_printf(out, "%s ", holds ? "PASS" : "FAIL");
    print_codes(out, identity->left, identity->left_terms);
    out_printf(out, "%s", relation);
    print_codes(out, identity->right, identity->right_terms);
    out_printf(out, ": %s\n", identity->says);
    if (holds)
        return;
    out_printf(out, "     but ");
    print_figures(out, identity->left, identity->left_terms, counts);
    out_printf(out, " is not%s", relation);
    print_figures(out, identity->right, identity->right_terms, counts);
    out_printf(out, "\n");
}

static bool has_all(const struct derived_set *set, const uint8_t *terms, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!set->has[terms[i]])
            return false;
    return true;
}

bool identity_asked(const struct identity *identity, const struct derived_set *set)
{
    uint32_t traits = set->machine.row ? set->machine.row->traits : 0, caps = set->machine.caps;

    return has_all(set, identity->left, identity->left_terms) && has_all(set, identity->right, identity->right_terms) &&
           (traits & identity->traits) == identity->traits && !(traits & identity->not_traits) &&
           !(caps & identity->not_caps);
}

unsigned identities_asked(const struct derived_set *set)
{
    unsigned asked = 0;

    for (unsigned i = 0; i < identity_count; i++)
        asked += identity_asked(&identity_table[i], set);
    return asked;
}

unsigned identities_check(struct out *out, const struct derived_set *set, const uint64_t counts[DERIVED_COUNT],
                          enum identities_print what)
{
    unsigned failed = 0, asked = identities_asked(set);

    for (unsigned i = 0; i < identity_count; i++) {
        bool holds = identity_holds(&identity_table[i], counts);

        if (!identity_asked(&identity_table[i], set))
            continue;
        failed += !holds;
        if (out && (what == IDENTITIES_ALL || !holds))
            print(out, &identity_table[i], holds, counts);
    }
    if (out)
        out_printf(out, "%s %u of %u identities between the counts hold\n", failed ? "FAIL" : "PASS", asked - failed,
                   asked);
    return failed;
}
