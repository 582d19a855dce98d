/* SPDX-License-Identifier: BSD-2-Clause */
/* Caches and TLBs by processor: their misses are compared with a simulation that shares no code and no figure with the
 * model: lines and pages have the time of their last use, and sets are searched. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/caches/cache.h"

/* ---------------------------------------------------------------- the simulation */

enum { LINES = 64, ACCESSES = 40000, RECENT = 32, NONE = -1 };

static struct level {
    int sets, ways;
    struct {
        int64_t line;
        uint32_t used;
        int flow; /* direction of the stream that has brought the line */
    } slot[16384];
} first, second;

static bool shared_levels; /* the L2 contains the lines of the L1 */
static uint32_t clock_now;
static int64_t recent[RECENT];
static uint32_t recent_count, first_misses, second_misses;

static void make(struct level *level, int kb, int ways)
{
    level->ways = ways;
    level->sets = kb * 1024 / LINES / ways;
    for (int i = 0; i < level->sets * ways; i++)
        level->slot[i].line = NONE;
}

static int where(const struct level *level, int64_t line)
{
    int begin = (int)(line % level->sets) * level->ways;

    for (int i = begin; i < begin + level->ways; i++)
        if (level->slot[i].line == line)
            return i;
    return NONE;
}

/* Puts a line into a level and returns the line that it replaces: an empty place, or the line unused for the longest
 * time. */
static int64_t place(struct level *level, int64_t line, int flow)
{
    int begin = (int)(line % level->sets) * level->ways, to = begin;
    int64_t gone;

    for (int i = begin; i < begin + level->ways; i++) {
        if (level->slot[i].line == NONE) {
            to = i;
            break;
        }
        if (level->slot[i].used < level->slot[to].used)
            to = i;
    }
    gone = level->slot[to].line;
    level->slot[to].line = line;
    level->slot[to].used = ++clock_now;
    level->slot[to].flow = flow;
    return gone;
}

/* Brings a line to the L1, and returns whether the L2 had it. */
static bool bring(int64_t line, int flow)
{
    int at = where(&second, line);
    bool there = at != NONE;
    int64_t gone;

    if (there && shared_levels)
        second.slot[at].used = ++clock_now;
    else if (there)
        second.slot[at].line = NONE;
    if (!there && shared_levels && (gone = place(&second, line, 0)) != NONE && where(&first, gone) != NONE)
        first.slot[where(&first, gone)].line = NONE;
    gone = place(&first, line, flow);
    if (gone != NONE && !shared_levels)
        (void)place(&second, gone, 0);
    return there;
}

static void ahead(int64_t line, int flow)
{
    int64_t wanted = line + 2 * flow;
    int at = where(&first, wanted);

    if (wanted / 64 != line / 64) /* a page has 64 lines */
        return;
    if (at != NONE)
        first.slot[at].flow = flow;
    else
        (void)bring(wanted, flow);
}

static void simulate(uint64_t address)
{
    int64_t line = (int64_t)(address / LINES);
    int at = where(&first, line), flow = 0;

    if (at != NONE) {
        first.slot[at].used = ++clock_now;
        flow = first.slot[at].flow;
        first.slot[at].flow = 0;
        if (!flow)
            return;
        recent[recent_count++ % RECENT] = line;
        ahead(line, flow);
        return;
    }
    for (int i = 0; i < RECENT; i++)
        flow = recent[i] == line - 1 ? 1 : flow == 0 && recent[i] == line + 1 ? -1 : flow;
    first_misses++;
    second_misses += !bring(line, 0);
    if (flow)
        ahead(line, flow);
    recent[recent_count++ % RECENT] = line;
}

/* ---------------------------------------------------------------- addresses of workloads */

static uint32_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % limit;
}

/* Returns addresses of the multiplication of matrices of 1000 by 1000 numbers of four bytes: a along a row, b down a
 * column. */
static uint64_t classic(uint32_t i)
{
    uint32_t k = i / 2 % 1000, j = i / 2000;

    return i % 2 ? 0x800000 + (uint64_t)k * 4000 + (uint64_t)j * 4 : 0x100000 + (uint64_t)k * 4;
}
static uint64_t interchanged(uint32_t i)
{
    return i % 2 ? 0x800000 + (uint64_t)(i / 2) * 4 : 0x100000 + (uint64_t)(i / 2 % 1000) * 4;
}
static uint64_t chase(uint32_t i)
{
    (void)i;
    return 0x100000 + (uint64_t)random_below(700 * 1024 / 8) * 8;
}
static uint64_t chase_small(uint32_t i)
{
    (void)i;
    return 0x100000 + (uint64_t)random_below(44 * 1024 / 8) * 8;
}
static uint64_t strided(uint32_t i)
{
    return 0x100000 + (uint64_t)(i % 700) * 1088;
}

/* The caches are transcribed from AMD's CPUID words a second time: L1D and L2 in KB and ways. */
static const struct {
    const char *name;
    int l1_kb, l1_ways, l2_kb, l2_ways;
    bool inclusive;
} processors[] = {
    {"C", 64, 2, 512, 16, false},  {"zen", 32, 8, 512, 8, true},   {"zen2", 32, 8, 512, 8, true},
    {"zen3", 32, 8, 512, 8, true}, {"zen4", 32, 8, 1024, 8, true}, {"zen5", 48, 12, 1024, 16, true},
};

static void compare(size_t p, uint64_t (*address)(uint32_t))
{
    static struct caches caches;
    enum vpmu_revision revision = VPMU_REV_C;
    uint32_t missed = 0, far = 0;
    uint64_t now = 0;
    void *memory;

    assert_true(vpmu_revision_parse(processors[p].name, &revision));
    memory = calloc(1, caches_memory(vpmu_params_of(revision)));
    caches_init(&caches, vpmu_params_of(revision), memory);
    make(&first, processors[p].l1_kb, processors[p].l1_ways);
    make(&second, processors[p].l2_kb, processors[p].l2_ways);
    shared_levels = processors[p].inclusive;
    clock_now = recent_count = first_misses = second_misses = 0;
    memset(recent, 0xFF, sizeof(recent));
    random_state = 1;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        uint64_t at = address(i);
        struct dc_result result;

        caches_data(&caches, at, now += 10000, false, &result); /* nothing is in flight any more */
        missed += result.miss;
        far += result.miss && result.source != SOURCE_L2;
        simulate(at);
    }
    free(memory);
    assert_true(missed > 0);
    assert_int_equal(missed, first_misses);
    assert_int_equal(far, second_misses);
}

TEST(test_miss_ratios)
{
    static uint64_t (*const workloads[])(uint32_t) = {classic, interchanged, chase, chase_small, strided};

    for (size_t p = 0; p < sizeof(processors) / sizeof(processors[0]); p++)
        for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
            compare(p, workloads[i]);
}

/* ---------------------------------------------------------------- TLBs */

/* The TLBs are transcribed a second time, for pages of 4 KB: entries of the L1 DTLB; sets and ways of the L2 DTLB. */
static const struct {
    const char *name;
    int l1, sets, ways;
} tlbs[] = {
    {"C", 48, 128, 4},     {"zen", 64, 128, 12},  {"zen2", 64, 128, 16},
    {"zen3", 64, 128, 16}, {"zen4", 72, 128, 24}, {"zen5", 96, 256, 16},
};

/* Returns addresses in more pages than Zen's L2 DTLB has entries for. */
static uint64_t many_pages(uint32_t i)
{
    return (uint64_t)random_below(1600) * 4096 + i % 4096;
}

static void simulate_pages(uint64_t address)
{
    int64_t page = (int64_t)(address / 4096);
    int at = where(&first, page);

    if (at != NONE) {
        first.slot[at].used = ++clock_now;
        return;
    }
    first_misses++;
    (void)place(&first, page, 0);
    at = where(&second, page);
    if (at != NONE) {
        second.slot[at].used = ++clock_now;
        return;
    }
    second_misses++;
    (void)place(&second, page, 0);
}

static void make_tlb(struct level *level, int sets, int ways)
{
    level->sets = sets;
    level->ways = ways;
    for (int i = 0; i < sets * ways; i++)
        level->slot[i].line = NONE;
}

static void compare_tlbs(size_t p, uint64_t (*address)(uint32_t))
{
    struct vpmu_config config = {.seed = 1};
    struct machine machine;
    uint32_t missed = 0, walked = 0;

    assert_true(vpmu_revision_parse(tlbs[p].name, &config.revision));
    machine_init_as(&machine, &paper_map, config);
    make_tlb(&first, 1, tlbs[p].l1);
    make_tlb(&second, tlbs[p].sets, tlbs[p].ways);
    clock_now = first_misses = second_misses = 0;
    random_state = 1;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        struct translation result;
        uint64_t at = address(i);

        simulate_pages(at);
        if (tlbs_find_recent(&machine.vpmu->tlbs, at))
            continue;
        tlbs_data_missed(&machine.vpmu->tlbs, &machine.vpmu->caches, &machine.vpmu->config, at, &result);
        missed++;
        walked += result.level == TLB_WALK;
    }
    machine_free(&machine);
    assert_true(missed > 0);
    assert_int_equal(missed, first_misses);
    assert_int_equal(walked, second_misses);
}

TEST(test_tlb_miss_ratios)
{
    static uint64_t (*const workloads[])(uint32_t) = {classic, interchanged, chase, strided, many_pages};

    for (size_t p = 0; p < sizeof(tlbs) / sizeof(tlbs[0]); p++)
        for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
            compare_tlbs(p, workloads[i]);
}

/* Returns whether a line misses in the end that the L1 always finds, but that grows old in an L2 that contains it as
 * well. */
static bool misses_when_old(const char *name, int others)
{
    static struct caches caches;
    enum vpmu_revision revision = VPMU_REV_C;
    struct dc_result result;
    uint64_t now = 0, step;
    void *memory;

    assert_true(vpmu_revision_parse(name, &revision));
    memory = calloc(1, caches_memory(vpmu_params_of(revision)));
    caches_init(&caches, vpmu_params_of(revision), memory);
    step = (uint64_t)caches.l2.sets * LINES;
    for (int i = 1; i <= others; i++) {
        caches_data(&caches, 0, now += 10000, true, &result);
        assert_true(result.miss == (i == 1));
        caches_data(&caches, (uint64_t)i * step, now += 10000, false, &result);
    }
    caches_data(&caches, 0, now += 10000, false, &result);
    if (result.miss)
        assert_int_equal(result.source, SOURCE_L3); /* modified, and therefore not lost */
    free(memory);
    return result.miss;
}

TEST(test_an_inclusive_l2_takes_from_the_l1)
{
    assert_false(misses_when_old("zen", 7));
    assert_true(misses_when_old("zen", 8));
    assert_false(misses_when_old("zen5", 15));
    assert_true(misses_when_old("zen5", 16));
    assert_false(misses_when_old("15h-00", 40)); /* not inclusive: the L1D keeps it */
    assert_false(misses_when_old("C", 40));
}

RUN_TESTS(NULL, NULL)
