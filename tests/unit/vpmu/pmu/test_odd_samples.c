/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples whose fields contradict each other because of a switch: how many there are of each kind, and none without the
 * switch. */

#include "tests/unit/test.h"
#include "vpmu/model/caches/cache.h"
#include "vpmu/model/hostile.h"
#include "vpmu/model/pmu/ibs_unit.h"

enum { SAMPLES = 16000, ONE_IN = 16, OFF = 250 /* eight standard deviations of a count of 1000 */ };

#define LOAD   (1ull | 1ull << 17 | 1ull << 18 | 4ull << 22)
#define MISS   (LOAD | 1ull << 7 | 1ull << 20 | 2ull << 26 | 60ull << 32)
#define TAGGED (9ull << 16 | 4)

static struct ibs_unit unit;

static void start(const char *name, uint64_t hostile)
{
    const struct vpmu_config config = {.seed = 1, .hostile = hostile};
    enum vpmu_revision revision;

    assert_true(vpmu_revision_parse(name, &revision));
    ibs_init(&unit, vpmu_params_of(revision), &config);
}

/* Returns whether a sample is contradictory. */
typedef bool wrong(const struct op_sample *op);

static struct op_sample sampled(const struct op_sample *candidate)
{
    unit.candidate = *candidate;
    ibs_op_retired(&unit);
    return unit.op;
}

static void about(const char *name, uint64_t hostile, const struct op_sample *candidate, wrong *is, unsigned expected)
{
    unsigned n = 0;

    start(name, hostile);
    for (unsigned i = 0; i < SAMPLES; i++) {
        struct op_sample op = sampled(candidate);

        n += is(&op);
    }
    assert_in_range(n + OFF * (expected != 0), expected, expected + 2 * OFF * (expected != 0));
}

/* Checks that one sample in sixteen is contradictory with the switch, and none without it. */
static void one_in(const char *name, enum hostile_switch which, const struct op_sample *candidate, wrong *is)
{
    about(name, 0, candidate, is, 0);
    about(name, 1ull << which, candidate, is, SAMPLES / ONE_IN);
}

#define WRONG(name, condition)                                                                                         \
    static bool name(const struct op_sample *op)                                                                       \
    {                                                                                                                  \
        return condition;                                                                                              \
    }

WRONG(backwards, (op->data & 0xFFFF) > (op->data >> 16 & 0xFFFF))
WRONG(one_early, (op->data & 0xFFFF) == (op->data >> 16 & 0xFFFF) + 1)
WRONG(no_branch, (op->data & 7ull << 34) && !(op->data >> 37 & 1))
WRONG(not_taken, (op->data >> 34 & 1) && !(op->data >> 35 & 1))
WRONG(to_nowhere, !op->target)
WRONG(far_away, op->target >> 40 == 1)
WRONG(not_canonical, op->rip >> 63)
WRONG(physical_alone, (op->data3 >> 17 & 3) == 2)
WRONG(of_no_access, op->data3 >> 17 & 1)
WRONG(another_place, ((op->dc_linear ^ op->dc_physical) & 0xFFF) != 0)
WRONG(beyond, op->dc_physical >> 51)
WRONG(odd_linear, op->dc_linear >> 47 == 1)
WRONG(walk_alone, (op->data3 >> 2 & 3) == 2)
WRONG(refill_alone, (op->data3 >> 48) && !(op->data3 >> 2 & 1))
WRONG(l2_alone, (op->data3 >> 20 & 1) && !(op->data3 >> 7 & 1))
WRONG(latency_alone, (op->data3 >> 32 & 0xFFFF) && !(op->data3 >> 7 & 1))
WRONG(open_alone, (op->data3 >> 26 & 0x3F) && !(op->data3 >> 7 & 1))
WRONG(no_latency, !(op->data3 >> 32 & 0xFFFF))
WRONG(no_physical, !(op->data3 >> 18 & 1))
WRONG(l2_hit, !(op->data3 >> 20 & 1))
WRONG(no_width, !(op->data3 >> 22 & 15))
WRONG(combined, op->data3 >> 13 & 1)
WRONG(small_page, !(op->data3 >> 4 & 3))
WRONG(remote, op->data2 >> 4 & 1)
WRONG(unknown_zen, (op->data2 & 7) == 5)
WRONG(unknown_zen4, (op->data2 & 7) == 5 && op->data2 >> 6 == 1)

TEST(test_branches)
{
    const struct op_sample ret = {.data = TAGGED | 11ull << 34, .rip = 0x401000, .facts.next = 0x402000},
                           other = {.data = TAGGED}, late = {.data = 9ull << 16 | 0xFFF5};

    one_in("zen4", HOSTILE_ODD_FIELDS, &ret, backwards);
    one_in("zen4", HOSTILE_ODD_FIELDS, &other, one_early);
    one_in("zen4", HOSTILE_ODD_FIELDS, &late, one_early);
    one_in("zen4", HOSTILE_ODD_FIELDS, &other, no_branch);
    one_in("zen4", HOSTILE_ODD_FIELDS, &ret, not_taken);
    one_in("zen4", HOSTILE_ODD_FIELDS, &ret, to_nowhere);
    one_in("zen4", HOSTILE_ODD_FIELDS, &ret, not_canonical);
    one_in("zen4", HOSTILE_ODD_FIELDS, &ret, far_away);
}

TEST(test_accesses)
{
    const struct op_sample hit = {.data = TAGGED,
                                  .data3 = LOAD,
                                  .dc_linear = 0x5010,
                                  .dc_physical = 0x8010,
                                  .facts = {.size = 8, .source = SOURCE_L2}};
    const struct op_sample none = {.data = TAGGED};
    static wrong *const hits[] = {physical_alone, another_place, beyond,        odd_linear, walk_alone,
                                  refill_alone,   l2_alone,      latency_alone, open_alone};

    for (unsigned i = 0; i < sizeof(hits) / sizeof(hits[0]); i++)
        one_in("zen4", HOSTILE_ODD_FIELDS, &hit, hits[i]);
    one_in("zen4", HOSTILE_ODD_FIELDS, &none, of_no_access);
}

TEST(test_misses)
{
    struct op_sample miss = {.data = TAGGED, .data2 = 3, .data3 = MISS, .facts = {.size = 8, .source = SOURCE_DRAM}};
    static wrong *const misses[] = {no_latency, no_physical, l2_hit, no_width};

    for (unsigned i = 0; i < sizeof(misses) / sizeof(misses[0]); i++)
        one_in("zen4", HOSTILE_ODD_FIELDS, &miss, misses[i]);
    one_in("zen4", HOSTILE_ODD_FIELDS, &miss, unknown_zen4);
    one_in("zen2", HOSTILE_ODD_FIELDS, &miss, unknown_zen);
    one_in("zen2", HOSTILE_ODD_FIELDS, &miss, remote);
    miss.data3 |= 1ull << 14;
    one_in("zen4", HOSTILE_ODD_FIELDS, &miss, combined);
    miss.data3 |= 1ull << 4;
    miss.facts.page = 1;
    one_in("zen5", HOSTILE_ODD_FIELDS, &miss, small_page);
    about("C", 1ull << HOSTILE_ODD_FIELDS, &miss, no_latency, 0);
}

/* Memory is always reported as the L3, and the L3 every third time as memory; other sources stay. */
TEST(test_wrong_sources)
{
    struct op_sample miss = {.data2 = 3, .data3 = MISS, .facts = {.source = SOURCE_DRAM}};
    unsigned memory = 0;

    for (unsigned i = 0; i < 2; i++) {
        start(i ? "zen2" : "zen4", 1ull << HOSTILE_SOURCES_WRONG);
        miss.facts.source = SOURCE_DRAM;
        assert_int_equal(sampled(&miss).data2, i ? 2 : 1);
        miss.facts.source = SOURCE_L3;
        for (unsigned n = 0; n < SAMPLES / 2; n++)
            memory += sampled(&miss).data2 == 3;
    }
    assert_in_range(memory, SAMPLES / 3 - 500, SAMPLES / 3 + 500);
    start("zen4", 1ull << HOSTILE_SOURCES_WRONG);
    miss.facts.source = SOURCE_MODIFIED;
    assert_int_equal(sampled(&miss).data2, 1);
}

TEST(test_walk_in_latency)
{
    struct op_sample miss = {.data3 = LOAD | 1ull << 7 | 60ull << 32, .facts = {.source = SOURCE_L2, .refill = 7}};

    start("zen4", 0);
    assert_int_equal(sampled(&miss).data3 >> 32 & 0xFFFF, 60);
    start("zen4", 1ull << HOSTILE_WALK_IN_LATENCY);
    assert_int_equal(sampled(&miss).data3 >> 32 & 0xFFFF, 88);
    miss.facts.refill = 0x20000;
    assert_int_equal(sampled(&miss).data3 >> 32 & 0xFFFF, 0xFFFF);
    miss.data3 = LOAD; /* a hit */
    assert_int_equal(sampled(&miss).data3 >> 32 & 0xFFFF, 0);
}

/* One in four of the samples that the filter should drop is kept. */
TEST(test_leaks)
{
    const struct op_sample hit = {.data3 = LOAD, .facts.source = SOURCE_L2};

    for (unsigned leaks = 0; leaks < 2; leaks++) {
        start("zen4", leaks ? 1ull << HOSTILE_FILTERS_LEAK : 0);
        unit.op_ctl = 1 << 16; /* L3MissOnly */
        for (unsigned i = 0; i < SAMPLES; i++)
            (void)sampled(&hit);
        if (leaks)
            assert_in_range(unit.op_samples, SAMPLES / 4 - 500, SAMPLES / 4 + 500);
        else
            assert_int_equal(unit.op_samples, 0);
    }
}

TEST(test_fetches)
{
    const struct fetch_event event = {.address = 0x401010, .physical = 0x7010, .bits = 1ull << 50 | 1ull << 52};
    unsigned n[5] = {0};

    for (unsigned odd = 0; odd < 2; odd++) {
        start("zen4", odd ? 1ull << HOSTILE_ODD_FIELDS : 0);
        for (unsigned i = 0; i < SAMPLES; i++) {
            unit.fetch_ctl = 1ull << 48 | 1;
            unit.fetch_tag_next = true;
            ibs_fetch(&unit, &event);
            n[0] += ((unit.fetch_linear ^ unit.fetch_physical) & 0xFFF) != 0;
            n[1] += unit.fetch_physical >> 51 != 0;
            n[2] += !(unit.fetch_ctl >> 52 & 1);
            n[3] += unit.fetch_linear >> 48 != 0;
            n[4] += unit.fetch_extended != 0; /* cycles of a refill that was not necessary */
            assert_true(!unit.fetch_extended || unit.fetch_extended == 5);
        }
        for (unsigned i = 0; i < 5; i++)
            assert_in_range(n[i], odd ? SAMPLES / ONE_IN - OFF : 0, odd ? SAMPLES / ONE_IN + OFF : 0);
    }
}

RUN_TESTS(NULL, NULL)
