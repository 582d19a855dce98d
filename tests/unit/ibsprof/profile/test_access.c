/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses by their data source: words as Linux writes them (arch/x86/events/intel/ds.c, arch/x86/events/amd/ibs.c). */
#include "tests/unit/test.h"

#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/profile/access.h"

#define LVL(flags_)   ((uint64_t)(PERFDATA_MEM_LVL_HIT | (flags_)) << PERFDATA_MEM_LVL)
#define SNOOP(state_) ((uint64_t)PERFDATA_MEM_SNOOP_##state_ << PERFDATA_MEM_SNOOP)
#define REMOTE        (1ull << PERFDATA_MEM_REMOTE)
#define SAME_NODE     ((uint64_t)PERFDATA_MEM_HOPS_0 << PERFDATA_MEM_HOPS)
#define OTHER_NODE    ((uint64_t)PERFDATA_MEM_HOPS_1 << PERFDATA_MEM_HOPS)
#define NEAR          LVL(PERFDATA_MEM_LVL_L3 | PERFDATA_MEM_LVL_REM_CCE1)

static const struct {
    uint64_t word;
    enum access_answer answer;
} words[] = {
    {LVL(PERFDATA_MEM_LVL_L1), ANSWER_L1},
    {LVL(PERFDATA_MEM_LVL_LFB), ANSWER_BUFFER},
    {LVL(PERFDATA_MEM_LVL_L2), ANSWER_L2},
    {LVL(PERFDATA_MEM_LVL_L3), ANSWER_L3},
    {LVL(PERFDATA_MEM_LVL_L3) | SNOOP(HIT), ANSWER_L3}, /* Intel: another core had the line, too */
    {LVL(PERFDATA_MEM_LVL_L3) | SNOOP(HITM), ANSWER_CACHE},
    {NEAR | SAME_NODE | SNOOP(NA), ANSWER_NEAR}, /* Zen to Zen 3 */
    {NEAR | SAME_NODE | SNOOP(HITM), ANSWER_CACHE},
    {NEAR | SAME_NODE | SNOOP(HIT), ANSWER_CACHE},                       /* Family 10h: owned */
    {LVL(PERFDATA_MEM_LVL_REM_CCE1) | REMOTE | SAME_NODE, ANSWER_CACHE}, /* Zen 4: another core complex */
    {LVL(PERFDATA_MEM_LVL_REM_CCE1) | SNOOP(HITM), ANSWER_REMOTE_CACHE}, /* Intel */
    {LVL(PERFDATA_MEM_LVL_REM_CCE2) | REMOTE | OTHER_NODE, ANSWER_REMOTE_CACHE},
    {LVL(PERFDATA_MEM_LVL_LOC_RAM), ANSWER_DRAM},
    {LVL(PERFDATA_MEM_LVL_LOC_RAM) | REMOTE, ANSWER_REMOTE_DRAM},
    {LVL(PERFDATA_MEM_LVL_REM_RAM1), ANSWER_REMOTE_DRAM},
    {LVL(PERFDATA_MEM_LVL_REM_RAM2), ANSWER_REMOTE_DRAM},
    {LVL(PERFDATA_MEM_LVL_UNC), ANSWER_OTHER},
    {LVL(PERFDATA_MEM_LVL_IO), ANSWER_OTHER},
    {(uint64_t)PERFDATA_MEM_LVL_NA << PERFDATA_MEM_LVL, ANSWER_OTHER},
};

static struct access access_by(uint64_t op, uint64_t word, uint64_t weight)
{
    struct perfdata_item item = {.addr = 0x1234, .phys_addr = 0x5678, .weight = weight, .data_src = op | word};
    struct access access;

    access_of_word(&item, &access);
    assert_true(access.addressed);
    assert_int_equal(access.address, 0x1234);
    assert_int_equal(access.line, 0x5678);
    return access;
}

TEST(test_loads)
{
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct access access = access_by(PERFDATA_MEM_OP_LOAD, words[i].word, 70);
        bool missed = words[i].answer != ANSWER_L1 && words[i].answer != ANSWER_OTHER;

        assert_true(access.load);
        assert_int_equal(access.answer, words[i].answer);
        assert_int_equal(access.modified, (words[i].word & SNOOP(HITM)) != 0);
        assert_int_equal(access.counts[DERIVED_F200_LOAD_STORE], 1);
        assert_int_equal(access.counts[DERIVED_F201_LOAD], 1);
        assert_int_equal(access.counts[DERIVED_F202_STORE], 0);
        assert_int_equal(access.counts[DERIVED_F206_DC_MISS], missed);
        assert_int_equal(access.counts[DERIVED_X200_LOAD_DC_MISS], missed);
        assert_int_equal(access.counts[DERIVED_F219_DC_LOAD_LATENCY], missed ? 70 : 0);
    }
}

TEST(test_stores)
{
    const uint64_t missed = (uint64_t)(PERFDATA_MEM_LVL_MISS | PERFDATA_MEM_LVL_L1) << PERFDATA_MEM_LVL;

    for (int miss = 0; miss < 2; miss++) {
        struct access access = access_by(PERFDATA_MEM_OP_STORE, miss ? missed | SNOOP(HITM) : words[0].word, 9);

        assert_false(access.load || access.modified);
        assert_int_equal(access.counts[DERIVED_F200_LOAD_STORE], 1);
        assert_int_equal(access.counts[DERIVED_F201_LOAD], 0);
        assert_int_equal(access.counts[DERIVED_F202_STORE], 1);
        assert_int_equal(access.counts[DERIVED_F206_DC_MISS], miss);
        assert_int_equal(access.counts[DERIVED_X200_LOAD_DC_MISS], 0);
        assert_int_equal(access.counts[DERIVED_F219_DC_LOAD_LATENCY], 0);
    }
    /* An access that loads and stores counts as a load, as in perf c2c; a prefetch counts as neither. */
    assert_int_equal(
        access_by(PERFDATA_MEM_OP_LOAD | PERFDATA_MEM_OP_STORE, words[0].word, 0).counts[DERIVED_F202_STORE], 0);
    assert_int_equal(access_by(8, words[0].word, 0).counts[DERIVED_F200_LOAD_STORE], 0);
}

TEST(test_translations)
{
    static const struct {
        unsigned tlb;
        enum derived counted;
    } rows[] = {
        {PERFDATA_MEM_TLB_HIT | PERFDATA_MEM_TLB_L1, DERIVED_F203_DTLB_L1_HIT},
        {PERFDATA_MEM_TLB_HIT | PERFDATA_MEM_TLB_L1 | PERFDATA_MEM_TLB_L2, DERIVED_F203_DTLB_L1_HIT},
        {PERFDATA_MEM_TLB_HIT | PERFDATA_MEM_TLB_L2, DERIVED_F204_DTLB_L1M_L2H},
        {PERFDATA_MEM_TLB_MISS | PERFDATA_MEM_TLB_L2, DERIVED_F205_DTLB_L1M_L2M},
        {PERFDATA_MEM_TLB_NA, DERIVED_COUNT},
    };
    static const enum derived all[] = {DERIVED_F203_DTLB_L1_HIT, DERIVED_F204_DTLB_L1M_L2H, DERIVED_F205_DTLB_L1M_L2M};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct access access = access_by(PERFDATA_MEM_OP_LOAD, (uint64_t)rows[i].tlb << PERFDATA_MEM_TLB, 0);

        for (unsigned k = 0; k < sizeof(all) / sizeof(all[0]); k++)
            assert_int_equal(access.counts[all[k]], all[k] == rows[i].counted);
    }
}

TEST(test_no_address)
{
    struct perfdata_item item = {.data_src = PERFDATA_MEM_OP_LOAD | words[0].word};
    struct access access;

    access_of_word(&item, &access);
    assert_false(access.addressed);
    assert_int_equal(access.line, 0);
}

/* Decodes one access alone. */
static struct access access_of(const struct run_profile *profile, const struct sample_record *record)
{
    struct accesses *accesses = accesses_make(profile);
    struct access access = *accesses_of_op(accesses, (const uint8_t *)record->reg);

    accesses_free(accesses);
    return access;
}

/* The registers are Family 10h's: another core had modified the line. */
TEST(test_registers)
{
    static struct run_profile profile;
    struct ibs_machine machine = ibs_machine_of(0x10, 10, 0x1f);
    struct sample_record record = {0};
    struct access access;

    profile.set = derived_set_of(&machine);
    record.reg[IBS_OP_DATA2] = IBS_NB_CACHE;
    record.reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_MISS | IBS_DC_LIN_ADDR_VALID | 90ull << 32;
    record.reg[IBS_OP_DCLINAD] = 0x7000;
    record.reg[IBS_OP_DCPHYSAD] = 0x9000;
    access = access_of(&profile, &record);
    assert_true(access.addressed && access.load && access.modified);
    assert_int_equal(access.answer, ANSWER_CACHE);
    assert_int_equal(access.address, 0x7000);
    assert_int_equal(access.line, 0); /* not valid */
    assert_int_equal(access.counts[DERIVED_F219_DC_LOAD_LATENCY], 90);
    record.reg[IBS_OP_DATA3] |= IBS_DC_PHY_ADDR_VALID;
    access = access_of(&profile, &record);
    assert_int_equal(access.line, 0x9000);
    assert_string_equal(access_answer_name(access.answer), "another core's cache");
}

static void check_many(unsigned family, unsigned model, uint32_t caps)
{
    enum { DIFFERENT = 300, SAMPLES = 3000 };
    static struct run_profile profile;
    static struct sample_record different[DIFFERENT];
    struct ibs_machine machine = ibs_machine_of(family, model, caps);
    struct accesses *accesses = accesses_make(&profile);
    struct rng rng;

    profile.set = derived_set_of(&machine);
    rng_seed(&rng, family);
    for (int i = 0; i < DIFFERENT; i++)
        for (int r = 0; r < IBS_OP_REGS; r++)
            different[i].reg[r] = rng_next(&rng) & (rng_below(&rng, 2) ? rng_next(&rng) : UINT64_MAX);
    for (int i = 0; i < SAMPLES; i++) {
        struct sample_record record = different[rng_below(&rng, DIFFERENT)];
        const struct access *access;
        struct access wanted;

        record.reg[IBS_OP_DATA] ^= rng_next(&rng) & UINT32_MAX;
        record.reg[IBS_OP_DATA3] ^= rng_next(&rng) & ~(uint64_t)UINT32_MAX;
        record.reg[IBS_OP_RIP] = rng_next(&rng);
        record.reg[IBS_OP_DCLINAD] = rng_next(&rng);
        record.reg[IBS_OP_DCPHYSAD] = rng_next(&rng);
        wanted = access_of(&profile, &record);
        access = accesses_of_op(accesses, (const uint8_t *)record.reg);
        assert_memory_equal(access->counts, wanted.counts, sizeof(wanted.counts));
        assert_int_equal(access->addressed, wanted.addressed);
        assert_int_equal(access->address, wanted.address);
        assert_int_equal(access->line, wanted.line);
        assert_int_equal(access->answer, wanted.answer);
        assert_int_equal(access->load, wanted.load);
        assert_int_equal(access->modified, wanted.modified);
    }
    accesses_free(accesses);
}

/* Decoding each kind of access once has the same result as decoding every sample, whatever its addresses and
 * latencies. */
TEST(test_many)
{
    check_many(0x10, 4, 0x1f);
    check_many(0x14, 1, 0xff);
    check_many(0x17, 0x31, 0x3ff);
    check_many(0x19, 0x11, 0xfff);
}

RUN_TESTS(NULL, NULL)
