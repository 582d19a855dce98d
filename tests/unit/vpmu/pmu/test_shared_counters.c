/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of the L3, the data fabric and the memory controllers, compared with the lines that passed through the
 * caches; registers, events and masks are literal. */

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"

#define ALL_ZEN  0xFF0F000000000000ull
#define ALL_ZEN3 0x0300C00000000000ull
#define ON       0x400000ull
#define ON_UMC   0x80000000ull

enum { EIGHT_MB = 8 << 20 };

static struct machine machine;

static void start(const char *name)
{
    struct vpmu_config config = {.seed = 1};

    assert_true(vpmu_revision_parse(name, &config.revision));
    machine_init_as(&machine, &paper_map, config);
}

static uint64_t reads(uint32_t msr)
{
    return machine_rdmsr(&machine, msr);
}

static void writes(uint32_t msr, uint64_t value)
{
    machine_wrmsr(&machine, msr, value);
}

/* Loads or stores to each line of 8 MB from there on, in steps that no stream follows. */
static void touch(uint64_t from, bool store)
{
    struct dc_result result;

    for (uint64_t i = 0, line = 0; i < 1 << 17; i++, line = (line + 40503) & ((1 << 17) - 1))
        if (!caches_plain_hit(&machine.vpmu->caches, from + (line << 6), i * 1000, store))
            caches_data(&machine.vpmu->caches, from + (line << 6), i * 1000, store, &result);
}

/* The caches' counts since the call before. */
struct passed {
    uint64_t l2_misses, from_l3, dram;
};

static struct passed passed(void)
{
    static struct passed before;
    const struct caches *caches = &machine.vpmu->caches;
    struct passed now = {0}, since;

    for (unsigned i = 0; i < CACHE_REQUESTERS; i++)
        now.l2_misses += caches->l2_misses[i];
    now.from_l3 = caches->from[SOURCE_L3];
    now.dram = caches->node->to_dram[0];
    since = (struct passed){now.l2_misses - before.l2_misses, now.from_l3 - before.from_l3, now.dram - before.dram};
    before = now;
    return since;
}

static void cpuid_of(const char *name, uint32_t features, uint32_t numbers, uint32_t controllers)
{
    uint32_t regs[4] = {0, 0, 1u << 28 | 3u << 23, 0}, later[4] = {0};

    start(name);
    vpmu_cpuid(machine.vpmu, 0x80000001, 0, regs);
    assert_int_equal(regs[2] & (1u << 28 | 3u << 23), features);
    vpmu_cpuid(machine.vpmu, 0x80000022, 0, later);
    assert_int_equal(later[1] & 0x3FFC00, numbers);
    assert_int_equal(later[2], controllers);
    machine_free(&machine);
}

TEST(what_cpuid_says)
{
    cpuid_of("15h-60", 1u << 23, 0, 0);
    cpuid_of("zen", 1u << 28 | 3u << 23, 0, 0);
    cpuid_of("zen3", 1u << 28 | 3u << 23, 0, 0);
    cpuid_of("zen4", 1u << 28 | 3u << 23, 4 << 16 | 4 << 10, 1);
    cpuid_of("zen6", 1u << 28 | 3u << 23, 4 << 16 | 4 << 10, 1);
}

TEST(only_from_zen_on)
{
    uint64_t value;

    start("15h-60");
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0010230, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0010240, 0), VPMU_NOT_MINE);
    machine_free(&machine);
    start("zen3");
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001023B, &value), VPMU_OK);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001023C, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0010247, &value), VPMU_OK);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0010248, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0010800, &value), VPMU_NOT_MINE);
    machine_free(&machine);
}

/* Counts lines that were requested from the L3, and those that it did not have; on the way out and back to memory. */
static void counts_of(const char *name, uint64_t all, uint64_t miss)
{
    struct passed since, before;

    start(name);
    writes(0xC0010230, all | ON | 0xFF04);
    writes(0xC0010232, all | ON | miss);
    writes(0xC0010234, ON | 0xFF04); /* neither a slice nor a thread is selected */
    writes(0xC0010236, all | 0xFF04);
    passed();
    for (unsigned i = 0; i < 2; i++)
        touch(0, i);
    since = passed();
    assert_true(since.from_l3 > 0);
    assert_int_equal(reads(0xC0010231), since.l2_misses);
    assert_int_equal(reads(0xC0010233), since.l2_misses - since.from_l3);
    assert_int_equal(reads(0xC0010235), 0);
    assert_int_equal(reads(0xC0010237), 0);
    writes(0xC0010230, all | 0xFF04); /* stopped: the count does not change */
    writes(0xC0010233, 5);
    before = since;
    touch(EIGHT_MB, true);
    since = passed();
    assert_true(since.from_l3 < since.l2_misses);
    assert_int_equal(reads(0xC0010231), before.l2_misses);
    assert_int_equal(reads(0xC0010233), 5 + since.l2_misses - since.from_l3);
    machine_free(&machine);
}

TEST(the_l3)
{
    counts_of("zen2", ALL_ZEN, 0x0106);
    counts_of("zen2", ALL_ZEN, 0x0104);
    counts_of("zen3", ALL_ZEN3, 0x0106);
    counts_of("zen5", ALL_ZEN3, 0x0104);
}

/* Hits, other misses and the masks exist on some families alone. */
TEST(events_of_other_families)
{
    start("zen2");
    writes(0xC0010230, ALL_ZEN | ON | 0xFE04);
    writes(0xC0010232, ALL_ZEN3 | ON | 0xFF04);
    touch(0, false);
    assert_int_equal(reads(0xC0010231), 0);
    assert_int_equal(reads(0xC0010232), (3ull << 56) | ON | 0xFF04);
    assert_int_equal(reads(0xC0010233), 0);
    machine_free(&machine);
    start("zen4");
    writes(0xC0010230, ALL_ZEN3 | ON | 0x0106);
    writes(0xC0010240, ON | 0x3807);
    touch(0, false);
    assert_int_equal(reads(0xC0010231), 0);
    assert_int_equal(reads(0xC0010241), 0);
    machine_free(&machine);
}

TEST(the_data_fabric)
{
    start("zen2");
    writes(0xC0010240, ON | 0x3807);
    writes(0xC0010242, ON | 0x3847); /* another channel */
    writes(0xC0010244, ON | 0x0807);
    passed();
    touch(0, true);
    touch(0, true);
    assert_int_equal(reads(0xC0010241), passed().dram);
    assert_int_equal(reads(0xC0010243), 0);
    assert_int_equal(reads(0xC0010245), 0);
    machine_free(&machine);
}

/* Zen 4's L3 holds 8 MB: nothing is written back, except for stores that bypass the caches. */
TEST(the_memory_controller)
{
    struct passed since;

    start("zen4");
    writes(0xC0010800, ON_UMC | 0x00A);
    writes(0xC0010802, ON_UMC | 0x10A);
    writes(0xC0010804, ON_UMC | 0x20A);
    writes(0xC0010806, ON | 0x10A);
    passed();
    touch(0, true);
    for (unsigned i = 0; i < 8; i++)
        (void)combine_store(&machine.vpmu->caches, 0x100000 + i * 8, 8, 1000);
    since = passed();
    assert_int_equal(reads(0xC0010803), since.dram);
    assert_int_equal(reads(0xC0010805), 1);
    assert_int_equal(reads(0xC0010801), since.dram + 1);
    assert_int_equal(reads(0xC0010807), 0);
    machine_free(&machine);
}

RUN_TESTS(NULL, NULL)
