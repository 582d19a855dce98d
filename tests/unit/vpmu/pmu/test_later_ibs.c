/* SPDX-License-Identifier: BSD-2-Clause */
/* A sample's registers on later families: each case in literal bits. */

#include "tests/unit/test.h"
#include "vpmu/model/caches/cache.h"
#include "vpmu/model/pmu/ibs_unit.h"

enum {
    LOAD_MISS = 1 | 1 << 7 | 1 << 17 | 1 << 18, /* load, DC miss, both addresses */
};

static struct ibs_unit unit;

static void start(const char *name)
{
    static const struct vpmu_config config = {.seed = 1};
    enum vpmu_revision revision;

    assert_true(vpmu_revision_parse(name, &revision));
    ibs_init(&unit, vpmu_params_of(revision), &config);
}

/* Makes a load of eight bytes that missed, from the given place. */
static void load(const char *name, enum cache_source source, bool remote)
{
    start(name);
    unit.candidate = (struct op_sample){
        .data2 = 3, .data3 = LOAD_MISS | 60ull << 32, .facts = {.size = 8, .source = source, .remote = remote}};
    ibs_op_retired(&unit);
}

TEST(test_sources)
{
    static const struct {
        const char *name;
        enum cache_source source;
        bool remote;
        uint64_t data2;
    } cases[] = {
        {"15h-00", SOURCE_L3, false, 1},       {"15h-30", SOURCE_MODIFIED, false, 2},
        {"15h-30", SOURCE_OWNED, true, 0x32},  {"16h", SOURCE_DRAM, true, 3}, /* there is no bit for the node */
        {"zen2", SOURCE_L3, false, 2},         {"zen2", SOURCE_MODIFIED, true, 0x14},
        {"zen2", SOURCE_OWNED, false, 0x22},   {"zen2", SOURCE_DRAM, true, 0x13},
        {"zen4", SOURCE_L3, false, 1},         {"zen4", SOURCE_MODIFIED, false, 1},
        {"zen4", SOURCE_MODIFIED, true, 0x15}, {"zen5", SOURCE_DRAM, false, 3},
        {"zen6", SOURCE_DRAM, true, 0x213},
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        load(cases[i].name, cases[i].source, cases[i].remote);
        assert_int_equal(unit.op.data2, cases[i].data2);
    }
}

TEST(test_upper_half)
{
    start("zen2");
    unit.candidate = (struct op_sample){.data2 = 3,
                                        .data3 = LOAD_MISS | 1 << 2 | 170ull << 32,
                                        .facts = {.size = 16, .source = SOURCE_DRAM, .open = 5, .refill = 77}};
    ibs_op_retired(&unit);
    assert_int_equal(unit.op.data3, LOAD_MISS | 1 << 2 | 1 << 20 | 5 << 22 | 5ull << 26 | 170ull << 32 | 77ull << 48);
    load("zen2", SOURCE_L2, false); /* no L2 miss */
    assert_int_equal(unit.op.data3, LOAD_MISS | 4 << 22 | 60ull << 32);
    load("15h-10", SOURCE_DRAM, false); /* has none of these fields */
    assert_int_equal(unit.op.data3, LOAD_MISS | 60ull << 32);

    start("zen2"); /* the latency of a store's refill is not valid */
    unit.candidate = (struct op_sample){.data3 = 2 | 1 << 2 | 1 << 17, .facts = {.size = 4, .refill = 9}};
    ibs_op_retired(&unit);
    assert_int_equal(unit.op.data3, 2 | 1 << 2 | 1 << 17 | 3 << 22);
    start("zen2"); /* neither load nor store */
    unit.candidate = (struct op_sample){.data = 7};
    ibs_op_retired(&unit);
    assert_int_equal(unit.op.data3, 0);
    assert_int_equal(unit.op.data2, 0);
}

/* The widths are 0 for none, then 1, 2, 4 ... 64 bytes. */
TEST(test_widths)
{
    static const uint8_t sizes[][2] = {{1, 1}, {2, 2}, {4, 3}, {8, 4}, {10, 5}, {16, 5}, {32, 6}, {64, 7}};

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        start("zen4");
        unit.candidate = (struct op_sample){.data3 = 1 | 1 << 17, .facts.size = sizes[i][0]};
        ibs_op_retired(&unit);
        assert_int_equal(unit.op.data3 >> 22 & 0xF, sizes[i][1]);
    }
}

TEST(test_branches)
{
    start("zen2");
    unit.candidate = (struct op_sample){.data = 1ull << 37 | 1ull << 33, .facts = {.next = 0x1234, .vector = true}};
    ibs_op_retired(&unit);
    assert_int_equal(unit.op.target, 0x1234);
    assert_int_equal(unit.op.data, 1ull << 37 | 1ull << 40); /* bit 33 is reserved, 40 is microcode */
    unit.candidate.data = 0;
    ibs_op_retired(&unit);
    assert_int_equal(unit.op.target, 0);
}

/* With CPUID 8000_001B EAX[19], bits 5:4 are the page's size. */
TEST(test_page_size)
{
    for (unsigned page = 0; page < 3; page++) {
        start("zen5");
        unit.candidate = (struct op_sample){.data3 = 1 | 1 << 2 | 1 << 6 | 3 << 17, .facts = {.size = 8, .page = page}};
        ibs_op_retired(&unit);
        assert_int_equal(unit.op.data3, 1 | 1 << 2 | page << 4 | 3 << 17 | 4 << 22);
        start("zen2"); /* has bits for entries that were hit there: for a miss none is set */
        unit.candidate = (struct op_sample){.data3 = 1 | 1 << 2 | 3 << 17, .facts = {.size = 8, .page = page}};
        ibs_op_retired(&unit);
        assert_int_equal(unit.op.data3, 1 | 1 << 2 | 3 << 17 | 4 << 22);
    }
}

/* By erratum 718 bits of an earlier sample stay until the register is written. */
TEST(test_sticky)
{
    load("15h-10", SOURCE_DRAM, false);
    unit.candidate = (struct op_sample){.data3 = 2 | 1 << 17};
    ibs_op_retired(&unit);
    assert_int_equal(unit.op.data3, LOAD_MISS | 2);
    unit.op.data3 = 0;
    ibs_op_retired(&unit);
    assert_int_equal(unit.op.data3, 2 | 1 << 17);
}

/* Returns the bits that were set at times and clear at times in many samples, as bits of invalid fields must be. */
static uint64_t seen_both(void (*sample)(void), const uint64_t *value)
{
    uint64_t ever = 0, always = UINT64_MAX;

    for (unsigned i = 0; i < 100; i++) {
        sample();
        ever |= *value;
        always &= *value;
    }
    return ever & ~always;
}

static void sample_again(void)
{
    ibs_op_retired(&unit);
}

TEST(test_not_valid)
{
    load("zen3", SOURCE_DRAM, false);
    assert_int_equal(seen_both(sample_again, &unit.op.data2), 0x20); /* only the state */
    unit.candidate.data3 |= 1 << 16;                                 /* erratum 1293 */
    assert_int_equal(seen_both(sample_again, &unit.op.data2), 0x37);
    assert_int_equal(seen_both(sample_again, &unit.op.data3), 0x3Full << 26 | 1 << 20);
    start("15h-00"); /* erratum 717 */
    unit.candidate = (struct op_sample){.data = 1ull << 37, .data3 = 1 | 1 << 17, .facts.next = 0x1000};
    assert_int_equal(seen_both(sample_again, &unit.op.data3), 1 << 16);
    assert_int_equal(seen_both(sample_again, &unit.op.target), 0x70);
    load("15h-00", SOURCE_DRAM, false);
    assert_int_equal(seen_both(sample_again, &unit.op.data3), 0);
}

TEST(test_rip_invalid)
{
    unsigned marked = 0;

    start("zen4");
    unit.rip_invalid = true;
    unit.candidate = (struct op_sample){.rip = 0x401000};
    for (unsigned i = 0; i < 1000; i++) {
        ibs_op_retired(&unit);
        assert_int_equal(unit.op.data >> 38 & 1, unit.op.rip != 0x401000);
        marked += unit.op.data >> 38 & 1;
    }
    assert_in_range(marked, 80, 170);
}

/* ---------------------------------------------------------------- fetch */

static struct fetch_event event;

static void fetch_again(void)
{
    unit.fetch_ctl &= 0xFFFF;
    unit.fetch_tag_next = true;
    ibs_fetch(&unit, &event);
}

static uint64_t fetch(const char *name, uint64_t bits, uint32_t miss)
{
    start(name);
    event = (struct fetch_event){
        .address = 0x1000, .physical = 0x2000, .bits = bits, .latency = 3, .miss = miss, .refill = 21};
    fetch_again();
    return unit.fetch_ctl >> 50;
}

enum { DONE = 1 | 1 << 2 }; /* bits from 50 on: complete, physical address */

TEST(test_fetch)
{
    assert_int_equal(fetch("zen2", 5ull << 50, 0), DONE);
    assert_int_equal(unit.fetch_extended, 21);
    assert_int_equal(fetch("zen2", 7ull << 50, 12), DONE | 2);           /* from the L2 */
    assert_int_equal(fetch("zen2", 7ull << 50, 52), DONE | 2 | 1 << 8);  /* from the L3 */
    assert_int_equal(fetch("zen2", 7ull << 50, 163), DONE | 2 | 1 << 8); /* bit 61 is reserved */
    assert_int_equal(fetch("zen4", 7ull << 50, 163), DONE | 2 | 1 << 8 | 1 << 10 | 1 << 11);
    assert_int_equal(fetch("zen4", 6ull << 50, 0), 6); /* not complete: no data of the op cache */
    assert_int_equal(fetch("16h", 7ull << 50, 163), DONE | 2);
    assert_int_equal(fetch("zen3", 13ull << 50, 0) >> 3 & 3, 2); /* erratum 1347: 2 MB */
    assert_int_equal(fetch("zen2", 13ull << 50, 0) >> 3 & 3, 1);
    (void)fetch("zen3", 7ull << 50, 12); /* erratum 1238 */
    assert_int_equal(seen_both(fetch_again, &unit.fetch_ctl), 1ull << 51);
    (void)fetch("zen6", 0, 0); /* killed before its translation */
    assert_int_equal(seen_both(fetch_again, &unit.fetch_ctl), 0x35E8FFFF00000000);
    (void)fetch("zen5", 0, 0);
    assert_int_equal(seen_both(fetch_again, &unit.fetch_ctl), 0);
}

/* ---------------------------------------------------------------- controls */

#define FETCH_EN (1ull << 48)
#define OP_EN    (1ull << 17 | 1ull << 19) /* the enable bit, and counting of ops */

/* Returns the number of fetches up to the one that is sampled, including it. */
static unsigned fetches(void)
{
    unsigned n = 0;
    uint64_t samples = unit.fetch_samples;

    event = (struct fetch_event){.address = 0x1000, .bits = 5ull << 50};
    while (unit.fetch_samples == samples && n < 1000) {
        ibs_fetch(&unit, &event);
        n++;
    }
    return n;
}

TEST(test_fetch_begins_again)
{
    static const struct {
        const char *name;
        unsigned without, with; /* fetches to the next sample if En stays set, and if it was clear */
    } cases[] = {{"15h-30", 33, 33}, {"16h", 2, 33},   {"zen", 2, 33},
                 {"zen2", 2, 33},    {"zen3", 33, 33}, {"zen4", 33, 33}};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        start(cases[i].name);
        ibs_write_fetch_ctl(&unit, FETCH_EN | 2);
        assert_int_equal(fetches(), 33);
        ibs_write_fetch_ctl(&unit, FETCH_EN | 2);
        assert_int_equal(fetches(), cases[i].without);
        ibs_write_fetch_ctl(&unit, 2);
        ibs_write_fetch_ctl(&unit, FETCH_EN | 2);
        assert_int_equal(fetches(), cases[i].with);
    }
    start("zen2"); /* the written count is used if En was clear */
    ibs_write_fetch_ctl(&unit, 2);
    ibs_write_fetch_ctl(&unit, FETCH_EN | 2 | 1 << 16);
    assert_int_equal(fetches(), 17);
    start("15h-10"); /* erratum 719 */
    ibs_write_fetch_ctl(&unit, FETCH_EN | 2 | 1 << 16);
    assert_int_equal(fetches(), 33);
    start("15h-30");
    ibs_write_fetch_ctl(&unit, FETCH_EN | 2 | 1 << 16);
    assert_int_equal(fetches(), 17);
}

/* On a family without erratum 420 there are no NMIs without a sample. */
TEST(test_disable)
{
    start("zen2");
    ibs_write_op_ctl(&unit, OP_EN | 0x10, 0);
    ibs_write_op_ctl(&unit, 0, 0);
    assert_int_equal(unit.storm, 0);
    start("C");
    ibs_write_op_ctl(&unit, OP_EN | 0x10, 0);
    ibs_write_op_ctl(&unit, 0, 0);
    assert_int_equal(unit.storm, 16);
}

/* The maximum and the count have upper bits. */
TEST(test_27_bits)
{
    start("12h");
    ibs_write_op_ctl(&unit, OP_EN | 0x00300010 | 0x100000ull << 32, 0);
    assert_int_equal(unit.op_left, 0x300100 - 0x100000);
    unit.op_left = 0x100;
    assert_int_equal(ibs_read_op_ctl(&unit, 0) >> 32, 0x300000);
}

/* Returns whether an op with these registers makes a sample. */
static bool sampled(struct op_sample op)
{
    uint64_t samples = unit.op_samples;

    unit.op_ctl &= ~(1ull << 18);
    unit.candidate = op;
    ibs_op_retired(&unit);
    return unit.op_samples > samples;
}

static struct op_sample miss(enum cache_source source, uint64_t latency)
{
    return (struct op_sample){.data3 = LOAD_MISS | latency << 32, .facts = {.size = 8, .source = source}};
}

TEST(test_filters)
{
    start("zen4");
    ibs_write_op_ctl(&unit, OP_EN | 1 << 16 | 0x100, 0); /* only misses of the L3 */
    unit.op_left = 1;
    assert_false(sampled((struct op_sample){.data = 7}));
    assert_in_range(unit.op_left, 0x1000 - 127, 0x1000);
    assert_false(sampled(miss(SOURCE_L2, 12)));
    assert_false(sampled(miss(SOURCE_L3, 52)));
    assert_false(sampled((struct op_sample){.data3 = 1, .facts = {.size = 8, .source = SOURCE_DRAM}})); /* no miss */
    assert_int_equal(unit.requests, 0);
    assert_true(sampled(miss(SOURCE_DRAM, 160)));
    assert_int_equal(unit.op_filtered, 4);

    start("zen5");
    ibs_write_op_ctl(&unit, OP_EN | 1ull << 63 | 1ull << 59 | 0x100, 0); /* more than 256 cycles */
    assert_false(sampled(miss(SOURCE_DRAM, 256)));
    assert_true(sampled(miss(SOURCE_DRAM, 257)));
    ibs_write_op_ctl(&unit, OP_EN | 1ull << 59 | 0x100, 0);
    assert_true(sampled(miss(SOURCE_L2, 12)));

    start("zen4");
    ibs_write_fetch_ctl(&unit, FETCH_EN | 1ull << 59 | 2);
    assert_int_equal(fetches(), 1000);
    assert_in_range(unit.fetch_filtered, 100, 800); /* not one of 33: intervals begin at a random part of the count */
    event.bits = 7ull << 50;
    event.miss = 160;
    unit.fetch_tag_next = true;
    ibs_fetch(&unit, &event);
    assert_int_equal(unit.fetch_samples, 1);
    assert_int_equal(unit.fetch_ctl >> 59 & 1, 1);
}

TEST(test_second_controls)
{
    start("zen6");
    ibs_write_op_ctl(&unit, OP_EN | 0x100, 0);
    ibs_write_op_ctl2(&unit, 2, 0); /* addresses with bit 63 clear */
    assert_false(sampled((struct op_sample){.rip = 0x1000}));
    assert_true(sampled((struct op_sample){.rip = 1ull << 63}));
    ibs_write_op_ctl2(&unit, 4, 0);
    assert_true(sampled((struct op_sample){.rip = 0x1000}));
    assert_false(sampled((struct op_sample){.rip = 1ull << 63}));
    ibs_write_op_ctl2(&unit, 8, 0);
    assert_false(sampled((struct op_sample){.data3 = 2}));
    assert_true(sampled((struct op_sample){.data3 = 2 | 1 << 13}));
    assert_int_equal(unit.op.data2, 0x100);

    start("zen6"); /* Dis stops the count, which later continues */
    ibs_write_op_ctl(&unit, OP_EN | 0x100, 0);
    unit.op_left = 0x123;
    ibs_write_op_ctl2(&unit, 1, 0);
    assert_false(ibs_counting(&unit));
    ibs_write_op_ctl2(&unit, 0, 0);
    assert_int_equal(unit.op_left, 0x123);
    ibs_write_op_ctl(&unit, 0, 0);
    ibs_write_fetch_ctl(&unit, FETCH_EN | 2);
    unit.fetch_left = 16; /* 16 of 32 are left */
    ibs_write_fetch_ctl2(&unit, 1);
    assert_false(ibs_counting(&unit));
    assert_false(unit.fetch_running);
    assert_int_equal(ibs_read_fetch_ctl(&unit) >> 16 & 0xFFFF, 1); /* 16 */
    ibs_write_fetch_ctl2(&unit, 0);
    assert_true(unit.fetch_running);
    assert_int_equal(unit.fetch_left, 16);
    ibs_write_fetch_ctl2(&unit, 1 << 5); /* the opposite of the op's */
    event = (struct fetch_event){.address = 1ull << 63, .bits = 5ull << 50};
    unit.fetch_tag_next = true;
    ibs_fetch(&unit, &event);
    assert_int_equal(unit.fetch_samples, 0);
    assert_int_equal(fetches() < 40, 1);
    ibs_write_fetch_ctl(&unit, FETCH_EN | 2);
    ibs_write_fetch_ctl2(&unit, 1 << 1); /* 128 cycles or more */
    assert_int_equal(fetches(), 1000);
}

RUN_TESTS(NULL, NULL)
