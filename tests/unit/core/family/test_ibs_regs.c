/* SPDX-License-Identifier: BSD-2-Clause */
/* Each getter reads exactly its bits: rows are {getter, mask, highest bit, lowest bit}, numbers as in the BKDG. Bits
 * without a getter: their masks. */
#include "tests/unit/core/check.h"

#include "core/family/ibs_regs.h"

#define FIELDS(ROW)                                                                                                    \
    ROW(ibs_fetch_max_cnt, IBS_FETCH_MAX_CNT, 15, 0)                                                                   \
    ROW(ibs_fetch_lat, IBS_FETCH_LAT, 47, 32)                                                                          \
    ROW(ibs_fetch_comp, IBS_FETCH_COMP, 50, 50)                                                                        \
    ROW(ibs_fetch_phy_valid, IBS_FETCH_PHY_VALID, 52, 52)                                                              \
    ROW(ibs_fetch_pg_sz, IBS_FETCH_PG_SZ, 54, 53)                                                                      \
    ROW(ibs_physad, IBS_PHYSAD, 47, 0)                                                                                 \
    ROW(ibs_op_max_cnt, IBS_OP_MAX_CNT, 15, 0)                                                                         \
    ROW(ibs_op_cur_cnt, IBS_OP_CUR_CNT, 51, 32)                                                                        \
    ROW(ibs_op_comp_to_ret, IBS_OP_COMP_TO_RET, 15, 0)                                                                 \
    ROW(ibs_op_tag_to_ret, IBS_OP_TAG_TO_RET, 31, 16)                                                                  \
    ROW(ibs_op_return, IBS_OP_RETURN, 34, 34)                                                                          \
    ROW(ibs_op_brn_ret, IBS_OP_BRN_RET, 37, 37)                                                                        \
    ROW(ibs_nb_req_src, IBS_NB_REQ_SRC, 2, 0)                                                                          \
    ROW(ibs_nb_dst_proc, IBS_NB_DST_PROC, 4, 4)                                                                        \
    ROW(ibs_nb_cache_hit_st, IBS_NB_CACHE_HIT_ST, 5, 5)                                                                \
    ROW(ibs_ld_op, IBS_LD_OP, 0, 0)                                                                                    \
    ROW(ibs_st_op, IBS_ST_OP, 1, 1)                                                                                    \
    ROW(ibs_dc_l1tlb_miss, IBS_DC_L1TLB_MISS, 2, 2)                                                                    \
    ROW(ibs_dc_l2tlb_miss, IBS_DC_L2TLB_MISS, 3, 3)                                                                    \
    ROW(ibs_dc_miss, IBS_DC_MISS, 7, 7)                                                                                \
    ROW(ibs_dc_ld_bnk_con, IBS_DC_LD_BNK_CON, 9, 9)                                                                    \
    ROW(ibs_dc_st_bnk_con, IBS_DC_ST_BNK_CON, 10, 10)                                                                  \
    ROW(ibs_dc_st_to_ld_can, IBS_DC_ST_TO_LD_CAN, 12, 12)                                                              \
    ROW(ibs_dc_wc_mem_acc, IBS_DC_WC_MEM_ACC, 13, 13)                                                                  \
    ROW(ibs_dc_uc_mem_acc, IBS_DC_UC_MEM_ACC, 14, 14)                                                                  \
    ROW(ibs_dc_locked_op, IBS_DC_LOCKED_OP, 15, 15)                                                                    \
    ROW(ibs_dc_mab_hit, IBS_DC_MAB_HIT, 16, 16)                                                                        \
    ROW(ibs_dc_lin_addr_valid, IBS_DC_LIN_ADDR_VALID, 17, 17)                                                          \
    ROW(ibs_dc_phy_addr_valid, IBS_DC_PHY_ADDR_VALID, 18, 18)                                                          \
    ROW(ibs_dc_miss_lat, IBS_DC_MISS_LAT, 47, 32)

/* Wraps a getter, so that all getters have one type. */
#define THUNK(getter, mask, high, low)                                                                                 \
    static uint64_t get_##getter(uint64_t reg)                                                                         \
    {                                                                                                                  \
        return getter(reg);                                                                                            \
    }
FIELDS(THUNK)

struct field {
    const char *name;
    uint64_t (*get)(uint64_t reg);
    uint64_t mask;
    unsigned high, low;
};
#define FIELD(getter, mask, high, low) {#getter, get_##getter, mask, high, low},
static const struct field fields[] = {FIELDS(FIELD)};

TEST(getters_read_exactly_their_bits)
{
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const struct field *f = &fields[i];
        uint64_t all = (2ull << (f->high - f->low)) - 1;

        if (f->mask != all << f->low)
            fail_msg("mask of %s", f->name);
        if (f->get(0) != 0 || f->get(UINT64_MAX) != all)
            fail_msg("%s of all zeros or all ones", f->name);
        for (unsigned bit = 0; bit < 64; bit++) {
            uint64_t want = bit >= f->low && bit <= f->high ? 1ull << (bit - f->low) : 0;

            if (f->get(1ull << bit) != want || f->get(~(1ull << bit)) != (all & ~want))
                fail_msg("%s at bit %u", f->name, bit);
        }
    }
}

TEST(masks_are_one_bit_each)
{
    static const struct {
        uint64_t mask;
        unsigned bit;
    } rows[] = {
        {IBS_FETCH_EN, 48},         {IBS_FETCH_VAL, 49},       {IBS_FETCH_IC_MISS, 51},   {IBS_FETCH_L1TLB_MISS, 55},
        {IBS_FETCH_L2TLB_MISS, 56}, {IBS_FETCH_RAND_EN, 57},   {IBS_OP_EN, 17},           {IBS_OP_VAL, 18},
        {IBS_OP_CNT_CTL, 19},       {IBS_OP_BRN_RESYNC, 32},   {IBS_OP_MISP_RETURN, 33},  {IBS_OP_BRN_TAKEN, 35},
        {IBS_OP_BRN_MISP, 36},      {IBS_DC_L1TLB_HIT_2M, 4},  {IBS_DC_L1TLB_HIT_1G, 5},  {IBS_DC_L2TLB_HIT_2M, 6},
        {IBS_DC_MIS_ACC, 8},        {IBS_DC_ST_TO_LD_FWD, 11}, {IBS_DC_L2TLB_HIT_1G, 19},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(rows[i].mask, 1ull << rows[i].bit);
    assert_int_equal(IBS_FETCH_CNT, 0xFFFF0000);
}

TEST(killed_is_none_of_five_bits)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        int reached = bit == 50 || bit == 51 || bit == 52 || bit == 55 || bit == 56;

        assert_int_equal(ibs_fetch_killed(1ull << bit), !reached);
    }
    assert_true(ibs_fetch_killed(0));
}

TEST(addresses_are_made_canonical)
{
    assert_int_equal(ibs_canonical(0xABCD7FFFFFFFFFFFull), 0x00007FFFFFFFFFFFull);
    assert_int_equal(ibs_canonical(0x1234800000000000ull), 0xFFFF800000000000ull);
    assert_int_equal(ibs_canonical(0x401191), 0x401191);
}

TEST(capabilities_default_to_revision_b)
{
    static const struct {
        uint32_t max_leaf, eax, want;
    } rows[] = {
        {0x8000001A, 0x1F, 0x07}, /* the processor has no such leaf: eax is another leaf's */
        {0x8000001B, 0x1F, 0x1F}, /* revision C */
        {0x8000001B, 0x1E, 0x07}, /* flags not valid */
        {0x8000001B, 0x00, 0x07}, {0x8000001F, 0x7FF, 0x7FF},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(ibs_caps(rows[i].max_leaf, rows[i].eax), rows[i].want);
    assert_int_equal(IBS_CAP_RDWR_OPCNT | IBS_CAP_OPCNT | IBS_CAPS_DEFAULT, 0x1F);
}

TEST(periods_of_counts)
{
    assert_int_equal(ibs_period(0x1000), 65536);
    assert_int_equal(ibs_period(0xFFFF), IBS_PERIOD_MAX);
}

/* The period has 27 bits: the upper seven are not shifted, and count only on processors that have them. */
TEST(long_periods)
{
    static const uint32_t periods[] = {0x90, 0xFFFF0, 0x100000, 0x1234560, IBS_OP_PERIOD_EXT};

    for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
        uint64_t bits = ibs_op_period_bits(periods[i]);

        assert_int_equal(ibs_op_period(bits | IBS_OP_EN | IBS_OP_VAL | IBS_OP_CNT_CTL, 0xFF), periods[i]);
        assert_int_equal(ibs_op_period(bits, 0x1F), periods[i] & 0xFFFF0);
    }
    assert_int_equal(ibs_op_period_bits(IBS_OP_PERIOD_EXT), 0x7F0FFFF);
}

RUN_TESTS(NULL, NULL)
