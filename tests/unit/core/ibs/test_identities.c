/* SPDX-License-Identifier: BSD-2-Clause */
/* The identities hold for any legal registers, and fail as soon as a count is off. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/first_set.h"

#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "core/ibs/identities.h"

/* Returns random registers, without the combinations that the documentation rules out. */
static struct sample_record random_record(struct rng *rng)
{
    struct sample_record record = {.kind = (uint32_t)rng_bits(rng, 1)};
    uint64_t *reg = record.reg;

    for (int i = 0; i < 8; i++)
        reg[i] = rng_next(rng);
    if (record.kind == SAMPLE_FETCH) {
        if (rng_below(rng, 4) == 0)
            reg[IBS_FETCH_CTL] &= ~IBS_FETCH_REACHED; /* killed fetches would be rare otherwise */
        return record;
    }
    if (ibs_op_comp_to_ret(reg[IBS_OP_DATA]) > ibs_op_tag_to_ret(reg[IBS_OP_DATA]))
        reg[IBS_OP_DATA] |= IBS_OP_TAG_TO_RET;
    if (reg[IBS_OP_DATA2] & 4)
        reg[IBS_OP_DATA2] |= 3; /* 4..6 are reserved */
    if (reg[IBS_OP_DATA3] & IBS_DC_L2TLB_HIT_2M)
        reg[IBS_OP_DATA3] &= ~IBS_DC_L2TLB_HIT_1G;
    return record;
}

TEST(hold_on_random_legal_registers)
{
    uint64_t total[DERIVED_COUNT] = {0};
    struct rng rng;

    rng_seed(&rng, 2007);
    for (int i = 0; i < 100000; i++) {
        struct sample_record record = random_record(&rng);
        uint64_t counts[DERIVED_COUNT] = {0};

        derived_add(first_set(), counts, &record);
        if (identities_check(NULL, first_set(), counts, IDENTITIES_ALL) != 0)
            fail_msg("record %d", i);
        for (int e = 0; e < DERIVED_COUNT; e++)
            total[e] += counts[e];
    }
    assert_int_equal(identities_check(NULL, first_set(), total, IDENTITIES_ALL), 0);
    /* A relation is not tested by an event that never happened. */
    for (int e = 0; e < DERIVED_FIRST; e++)
        if (total[e] < 100)
            fail_msg("%s happened %llu times", derived_events[e].code, (unsigned long long)total[e]);
}

/* Each relation notices one count more on its left side, if both sides were equal before. */
TEST(fail_when_a_count_is_off)
{
    for (unsigned i = 0; i < identity_count; i++) {
        const struct identity *identity = &identity_table[i];

        for (unsigned term = 0; term < identity->left_terms; term++) {
            uint64_t counts[DERIVED_COUNT] = {0};

            assert_true(identity_holds(identity, counts));
            counts[identity->left[0]] += 5;
            counts[identity->right[0]] += 5;
            assert_true(identity_holds(identity, counts));
            counts[identity->left[term]]++;
            assert_false(identity_holds(identity, counts));
            counts[identity->right[identity->right_terms - 1]] += 2;
            assert_int_equal(identity_holds(identity, counts), identity->relation == IDENTITY_AT_MOST);
        }
    }
}

TEST(print_what_was_checked)
{
    static char text[16384];
    struct out_memory memory;
    uint64_t counts[DERIVED_COUNT] = {[DERIVED_F000_FETCH_ALL] = 10,
                                      [DERIVED_F001_FETCH_KILLED] = 4,
                                      [DERIVED_F002_FETCH_ATTEMPTED] = 6,
                                      [DERIVED_F003_FETCH_COMPLETED] = 6,
                                      [DERIVED_F009_IC_HIT] = 6};

    out_memory_init(&memory, text, sizeof(text));
    assert_int_equal(identities_check(&memory.out, first_set(), counts, IDENTITIES_ALL), 0);
    assert_non_null(strstr(text, "PASS F000 = F001 + F002: all fetches were killed or attempted\n"));
    assert_non_null(strstr(text, "PASS F242 + F243 + F245 + F247 <= F240: "));
    assert_non_null(strstr(text, "PASS 38 of 38 identities between the counts hold\n"));
    assert_null(strstr(text, " but ")); /* figures are printed only for relations that do not hold */
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 79);

    counts[DERIVED_F000_FETCH_ALL] = 11;
    counts[DERIVED_F109_RESYNC] = 1;
    out_memory_init(&memory, text, sizeof(text));
    assert_int_equal(identities_check(&memory.out, first_set(), counts, IDENTITIES_FAILED_ONLY), 2);
    assert_string_equal(text, "FAIL F000 = F001 + F002: all fetches were killed or attempted\n"
                              "     but 11 is not = 4 + 6\n"
                              "FAIL F109 <= F100: resyncs are ops\n"
                              "     but 1 is not <= 0\n"
                              "FAIL 36 of 38 identities between the counts hold\n");
}

/* Some relations hold on some processors alone, depending on when their registers are valid. */
TEST(processors_have_their_own)
{
    static const char fetch[] = ": completed fetches hit or missed the IC\n",
                      uncacheable[] = ": ... or were uncacheable\n",
                      cacheable[] = ": loads and stores hit or missed the DC\n";
    static const struct {
        unsigned family, model;
        bool fetch, uncacheable;
    } rows[] = {{0x10, 4, true, false},    {0x15, 2, true, false},    {0x17, 1, true, true},
                {0x19, 0x21, true, true},  {0x19, 0x61, true, true},  {0x1A, 0x44, true, true},
                {0x1A, 0x50, false, true}, {0x1A, 0x8F, false, true}, {0x1A, 0xC0, false, true}};
    static const uint64_t counts[DERIVED_COUNT];
    static char text[16384];

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct ibs_machine machine = ibs_machine_of(rows[i].family, rows[i].model, 0x3F);
        struct derived_set set = derived_set_of(&machine);
        struct out_memory memory;

        out_memory_init(&memory, text, sizeof(text));
        assert_int_equal(identities_check(&memory.out, &set, counts, IDENTITIES_ALL), 0);
        assert_int_equal(strstr(text, fetch) != NULL, rows[i].fetch);
        assert_int_equal(strstr(text, uncacheable) != NULL, rows[i].uncacheable);
        assert_int_equal(strstr(text, cacheable) != NULL, !rows[i].uncacheable);
    }
}

RUN_TESTS(NULL, NULL)
