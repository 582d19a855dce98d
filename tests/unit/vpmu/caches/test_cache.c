/* SPDX-License-Identifier: BSD-2-Clause */
/* Caches: geometry, replacement, victims, the stream prefetcher, misses in flight. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "vpmu/model/caches/cache.h"

enum {
    L1_BYTES = 64 * 1024,
    WAY = L1_BYTES / 2,  /* addresses this far apart share an L1 set */
    L2_STEP = 32 * 1024, /* and this far an L2 set */
    PAUSE = 10000,       /* cycles between accesses, so that nothing is in flight any more */
};

static struct caches caches;
static void *memory;
static uint64_t now;

static int setup(void **state)
{
    const struct vpmu_params *params = vpmu_params_of(VPMU_REV_C);

    memory = calloc(1, caches_memory(params));
    caches_init(&caches, params, memory);
    now = PAUSE;
    return 0;
}

static int teardown(void **state)
{
    free(memory);
    return 0;
}

static struct dc_result access_at(uint64_t address)
{
    struct dc_result result;

    now += PAUSE;
    caches_data(&caches, address, now, false, &result);
    return result;
}

TEST_WITH(test_latency_by_source, setup, teardown)
{
    struct dc_result dram = access_at(0x10000), hit = access_at(0x1003C);

    assert_true(dram.miss);
    assert_int_equal(dram.source, SOURCE_DRAM);
    assert_int_equal(dram.latency, 165 - 3); /* 55 ns at 3 GHz; detection is an L1 access later */
    assert_false(hit.miss);
    assert_int_equal(hit.ready, now + 3);
    assert_int_equal(hit.latency, 0);
    assert_true(access_at(0x10040).miss); /* the next line */
}

TEST_WITH(test_two_ways_least_recently_used, setup, teardown)
{
    access_at(0);
    access_at(WAY);
    assert_false(access_at(0).miss);
    access_at(2 * WAY); /* WAY was used less recently */
    assert_false(access_at(0).miss);
    assert_true(access_at(WAY).miss);
}

TEST_WITH(test_victims_go_to_l2, setup, teardown)
{
    struct dc_result again;

    access_at(0);
    access_at(WAY);
    access_at(2 * WAY);
    again = access_at(0);
    assert_int_equal(again.source, SOURCE_L2);
    assert_int_equal(again.latency, 15 - 3);
}

TEST_WITH(test_l1_and_l2_are_exclusive, setup, teardown)
{
    /* A set of 2 and a set of 16 ways hold 18 lines, round after round, because no line is in both. */
    for (unsigned round = 0; round < 4; round++)
        for (unsigned i = 0; i < 18; i++)
            access_at((uint64_t)i * L2_STEP);
    assert_int_equal(caches.from[SOURCE_DRAM], 18);
    assert_int_equal(caches.from[SOURCE_L3], 0);
    assert_int_equal(caches.from[SOURCE_L2], 3 * 18);
    /* The L1 has lines 16 and 17. The line that entered the L2 last moves up, line 16 takes its place, and the oldest
     * line stays. */
    assert_int_equal(access_at(15 * L2_STEP).source, SOURCE_L2);
    assert_int_equal(access_at(0).source, SOURCE_L2);
}

TEST_WITH(test_l2_victims_go_to_l3, setup, teardown)
{
    for (unsigned i = 0; i < 19; i++)
        access_at((uint64_t)i * L2_STEP);
    assert_int_equal(access_at(0).source, SOURCE_L3);
    assert_int_equal(caches.from[SOURCE_L3], 1);
    assert_int_equal(caches.from[SOURCE_DRAM], 19);
}

/* Accesses lines of one page in the given order, and returns the number of misses. */
static unsigned misses(uint64_t page, const uint8_t *lines, unsigned count)
{
    unsigned missed = 0;

    for (unsigned i = 0; i < count; i++)
        missed += access_at(page + lines[i] * 64ull).miss;
    return missed;
}

TEST_WITH(test_streams, setup, teardown)
{
    static const struct {
        uint8_t lines[8];
        unsigned missed;
    } rows[] = {
        {{0, 1, 2, 3, 4, 5, 6, 7}, 3},     /* two misses in a row start a stream two lines on, and hits continue it */
        {{0, 2, 4, 6, 8, 10, 12, 14}, 8},  /* not neighbours */
        {{7, 6, 5, 4, 3, 2, 1, 0}, 3},     /* descending */
        {{0, 20, 1, 21, 2, 22, 3, 23}, 6}, /* two streams at once */
        {{0, 27, 1, 26, 2, 25, 3, 24}, 6}, /* in both directions */
        {{60, 61, 62, 63, 8, 9, 10, 11}, 6}, {{10, 12, 11, 13, 30, 40, 50, 60}, 7}, /* between two lines: ascending */
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(misses(0x100000 + i * 0x10000, rows[i].lines, 8), rows[i].missed);
}

TEST_WITH(test_stream_goes_on_behind_a_resident_line, setup, teardown)
{
    static const uint8_t all[] = {0, 1, 2, 3, 4, 5};

    access_at(0x200000 + 3 * 64);
    assert_int_equal(misses(0x200000, all, 6), 3); /* no further misses at 4 and 5 */
}

TEST_WITH(test_stream_ends_with_the_page, setup, teardown)
{
    static const uint8_t end[] = {60, 61, 62, 63}, begin[] = {3, 2, 1, 0};

    misses(0x300000, end, 4);
    assert_int_equal(caches.prefetches, 1); /* line 63 alone */
    assert_true(access_at(0x301000).miss);
    misses(0x306000, begin, 4);
    assert_int_equal(caches.prefetches, 3); /* line 2 of the page after the first one, which continues; line 0 */
    assert_true(access_at(0x305FC0).miss);
}

TEST_WITH(test_second_miss_to_a_line_in_flight, setup, teardown)
{
    struct dc_result first, second, third;

    caches_data(&caches, 0x5000, 1000, false, &first);
    caches_data(&caches, 0x5008, 1010, false, &second);
    caches_data(&caches, 0x5010, 1165, false, &third);
    assert_false(first.mab_hit);
    assert_true(second.miss && second.mab_hit);
    assert_int_equal(second.ready, first.ready);
    assert_int_equal(second.latency, first.ready - 1013);
    assert_int_equal(second.source, SOURCE_DRAM);
    assert_false(third.miss);
}

/* A prefetch takes as long as a miss from the same source, and begins 12 cycles after the use. */
TEST_WITH(test_prefetched_line_in_flight, setup, teardown)
{
    static const struct {
        unsigned others; /* other lines of its sets since the line's last use */
        uint8_t source;
        uint32_t latency;
    } rows[] = {{0, SOURCE_DRAM, 30 + 165}, {2, SOURCE_L2, 12 + 15}, {19, SOURCE_L3, 12 + 55}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint64_t line = 0x400100 + i * 0x1000;
        struct dc_result result;

        for (unsigned n = 0; rows[i].others && n <= rows[i].others; n++)
            access_at(line + n * L2_STEP);
        access_at(line - 192);
        now += PAUSE;
        caches_data(&caches, line - 128, now, false, &result); /* the second access of a stream */
        caches_data(&caches, line, now + 5, false, &result);
        assert_true(result.miss && result.mab_hit);
        assert_int_equal(result.source, rows[i].source);
        assert_int_equal(result.ready, now + rows[i].latency);
    }
}

/* Returns the address of one of nine lines that are in the L2; memory would limit their rate. */
static uint64_t line_in_l2(unsigned i)
{
    return 0x100000 + i * 0x2000;
}

static void fill_l2(void)
{
    for (unsigned i = 0; i < 9; i++)
        for (unsigned n = 0; n < 3; n++)
            access_at(line_in_l2(i) + n * WAY);
    now += PAUSE;
}

TEST_WITH(test_only_eight_misses_at_once, setup, teardown)
{
    struct dc_result result = {0};

    fill_l2();
    for (unsigned i = 0; i < 8; i++)
        caches_data(&caches, line_in_l2(i), now, false, &result);
    assert_int_equal(result.ready, now + 15);
    caches_data(&caches, line_in_l2(8), now, false, &result);
    assert_int_equal(result.ready, now + 15 + 15);
    assert_int_equal(result.latency, 15 + 15 - 3);
}

/* A prefetch needs a buffer when it begins, 12 cycles after the use, and is dropped without one. */
TEST_WITH(test_prefetches_need_a_buffer, setup, teardown)
{
    for (unsigned late = 0; late < 2; late++) {
        uint64_t before, dropped = caches.prefetches_dropped, taken = 0;
        struct dc_result result;

        access_at(0x600000 + late * 0x1000);
        now += PAUSE;
        for (unsigned i = 0; i < MAB_COUNT; i++) {
            caches.mab[i] = now + 12 + late;
            taken += caches.mab_cycles[i];
        }
        before = caches.prefetches;
        caches.mab[3] = 0; /* the miss that starts the stream has this buffer */
        caches_data(&caches, 0x600040 + late * 0x1000, now, false, &result);
        assert_int_equal(caches.prefetches - before, !late);
        assert_int_equal(caches.prefetches_dropped - dropped, late);
        for (unsigned i = 0; i < MAB_COUNT; i++)
            taken -= caches.mab_cycles[i];
        /* The miss takes 165 cycles, and so does the prefetch, which has its turn at memory 18 cycles after its
         * begin. */
        assert_int_equal(0 - taken, late ? 165 : 165 + 18 + 165);
    }
}

TEST_WITH(test_code_and_walks, setup, teardown)
{
    assert_int_equal(caches_fetch(&caches, 0x7000), 165 - 3);
    assert_int_equal(caches_fetch(&caches, 0x7020), 0);
    assert_int_equal(caches_walk(&caches, 0x9000), 165);
    assert_int_equal(caches_walk(&caches, 0x9038), 15);
    assert_true(access_at(0x9000).source == SOURCE_L2); /* the walk filled the L2, not the L1D */
}

static void store_at(uint64_t address)
{
    struct dc_result result;

    now += PAUSE;
    caches_data(&caches, address, now, true, &result);
}

/* Asserts the state, E or M, of a line that went from the L1D to the L2 and was loaded again. */
static void assert_came_back(uint64_t address, enum line_state expected)
{
    static uint64_t others = 4;
    uint64_t before[LINE_STATES] = {caches.dc_refills_l2[LINE_EXCLUSIVE], caches.dc_refills_l2[LINE_MODIFIED]};

    for (unsigned i = 0; i < L1_WAYS; i++)
        access_at(address + others++ * WAY);
    access_at(address);
    for (unsigned i = 0; i < LINE_STATES; i++)
        assert_int_equal(caches.dc_refills_l2[i] - before[i], i == expected);
}

TEST_WITH(test_states_of_lines, setup, teardown)
{
    access_at(0x10000);
    assert_came_back(0x10000, LINE_EXCLUSIVE);
    store_at(0x10040); /* misses */
    assert_came_back(0x10040, LINE_MODIFIED);
    access_at(0x10080);
    store_at(0x10080); /* hits in the way used last */
    assert_came_back(0x10080, LINE_MODIFIED);
    assert_came_back(0x10080, LINE_MODIFIED); /* loaded in the state before */
    access_at(0x100C0);
    access_at(0x100C0 + WAY);
    store_at(0x100C0); /* in the other way */
    assert_came_back(0x100C0, LINE_MODIFIED);
    access_at(0x10100);
    caches_modify(&caches, 0x1013F, now);
    assert_came_back(0x10100, LINE_MODIFIED);
    assert_int_equal(caches.dc_refills_nb[LINE_MODIFIED], 1); /* the store that missed */
}

TEST_WITH(test_plain_hits_of_stores, setup, teardown)
{
    access_at(0x10000);
    assert_true(caches_plain_hit(&caches, 0x10020, now + PAUSE, false));
    assert_came_back(0x10000, LINE_EXCLUSIVE);
    access_at(0x10040);
    assert_true(caches_plain_hit(&caches, 0x10060, now + PAUSE, true));
    assert_came_back(0x10040, LINE_MODIFIED);
}

TEST_WITH(test_lines_on_their_way_out, setup, teardown)
{
    store_at(0);
    for (unsigned i = 1; i < 20; i++)
        access_at((uint64_t)i * L2_STEP);
    /* There are 20 lines for 2 and 16 places: two lines have moved on to the L3, the stored one first. */
    assert_int_equal(caches.dc_evicted[LINE_MODIFIED], 1);
    assert_int_equal(caches.dc_evicted[LINE_EXCLUSIVE], 17);
    assert_int_equal(caches.l2_fills, 18);
    assert_int_equal(caches.l2_writebacks, 1);
    assert_int_equal(caches.node->l3_fills[LINE_MODIFIED], 1);
    assert_int_equal(caches.node->l3_fills[LINE_EXCLUSIVE], 1);
    assert_int_equal(access_at(0).source, SOURCE_L3);
    assert_int_equal(caches.dc_refills_nb[LINE_MODIFIED], 2); /* the store's miss, and this one */
}

TEST_WITH(test_requests_by_requester, setup, teardown)
{
    caches_fetch(&caches, 0x7000);
    caches_fetch(&caches, 0x7000);
    caches_walk(&caches, 0x9000);
    caches_walk(&caches, 0x9008);
    access_at(0x9000); /* the walk has brought this line into the L2 */
    store_at(0x20000);
    access_at(0x30000);
    access_at(0x30040); /* starts a stream: one prefetch */
    assert_int_equal(caches.requests[REQUEST_IC], 1);
    assert_int_equal(caches.node->l3_misses[REQUEST_IC], 1);
    assert_int_equal(caches.requests[REQUEST_WALK], 2);
    assert_int_equal(caches.l2_misses[REQUEST_WALK], 1);
    assert_int_equal(caches.requests[REQUEST_LOAD], 3);
    assert_int_equal(caches.l2_misses[REQUEST_LOAD], 2);
    assert_int_equal(caches.requests[REQUEST_STORE], 1);
    assert_int_equal(caches.node->l3_misses[REQUEST_STORE], 1);
    assert_int_equal(caches.requests[REQUEST_PREFETCH], 1);
    assert_int_equal(caches.l2_misses[REQUEST_PREFETCH], 1);
}

TEST_WITH(test_buffers_of_misses, setup, teardown)
{
    struct dc_result result;
    uint64_t requests = 0, cycles = 0;

    fill_l2();
    memset(caches.mab_requests, 0, sizeof(caches.mab_requests));
    memset(caches.mab_cycles, 0, sizeof(caches.mab_cycles));
    for (unsigned i = 0; i < 9; i++)
        caches_data(&caches, line_in_l2(i), now, false, &result);
    for (unsigned i = 0; i < MAB_COUNT; i++) {
        requests += caches.mab_requests[i];
        cycles += caches.mab_cycles[i];
    }
    for (unsigned i = 0; i < MAB_COUNT; i++)
        assert_in_range(caches.mab_requests[i], 1, 2);
    assert_int_equal(requests, 9);
    assert_int_equal(cycles, 9 * 15); /* the ninth waited for a buffer, which is counted for no buffer */
}

TEST_WITH(test_l3_by_revision, setup, teardown)
{
    assert_int_equal(vpmu_params_of(VPMU_REV_B)->l3_sets * vpmu_params_of(VPMU_REV_B)->l3_ways * 64, 2 << 20);
    assert_int_equal(vpmu_params_of(VPMU_REV_C)->l3_sets * vpmu_params_of(VPMU_REV_C)->l3_ways * 64, 6 << 20);
    assert_int_equal(vpmu_params_of(VPMU_REV_B)->dram_cycles, 110);
    assert_int_equal(vpmu_params_of(VPMU_REV_E)->dram_cycles, 176);
}

RUN_TESTS(NULL, NULL)
