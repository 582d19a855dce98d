/* SPDX-License-Identifier: BSD-2-Clause */
/* The rate at which memory sends and takes lines. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "vpmu/model/caches/cache.h"

static struct pace pace;

static int begin(void **state)
{
    pace_init(&pace, 30);
    return 0;
}

/* Lines of a burst come one after the other, from the first request on. */
TEST_WITH(test_lines_of_a_burst, begin, NULL)
{
    for (uint64_t i = 0; i < PACE_SLOTS; i++)
        assert_int_equal(pace_take(&pace, 1007), 1007 + 30 * i);
    assert_int_equal(pace_take(&pace, 1007 + PACE_SLOTS * 30 - 1), 1007 + PACE_SLOTS * 30);
}

/* A request that comes late enough does not wait, and the next one waits until the slot is over. After a pause as long
 * as all slots, the slots begin with the request. */
TEST_WITH(test_pauses, begin, NULL)
{
    assert_int_equal(pace_take(&pace, 10007), 10007);
    assert_int_equal(pace_take(&pace, 10036), 10037);
    assert_int_equal(pace_take(&pace, 10066), 10067);
    assert_int_equal(pace_take(&pace, 10100), 10100);
    assert_int_equal(pace_take(&pace, 10101), 10127);
    assert_int_equal(pace_take(&pace, 10127 + 30 * 256 - 1), 10127 + 30 * 256 - 1);
    assert_int_equal(pace_take(&pace, 10127 + 30 * 256 - 1), 10127 + 30 * 256);
    assert_int_equal(pace_take(&pace, 10127 + 30 * 512), 10127 + 30 * 512);
    assert_int_equal(pace_take(&pace, 10127 + 30 * 512 + 5 + 30 * 256), 10127 + 30 * 512 + 5 + 30 * 256);
    assert_int_equal(pace_take(&pace, 10127 + 30 * 512 + 6 + 30 * 256), 10127 + 30 * 512 + 5 + 30 * 257);
}

/* Requests of earlier cycles take free slots of that time, also before the first request. */
TEST_WITH(test_requests_in_any_order, begin, NULL)
{
    static const uint16_t rows[][2] = {{1000, 1000}, {1020, 1030}, {1200, 1200}, {1199, 1210},
                                       {1169, 1169}, {1170, 1240}, {1140, 1140}, {1139, 1270},
                                       {970, 970},   {999, 1060},  {969, 969}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(pace_take(&pace, 10000 + rows[i][0]), 10000 + rows[i][1]);
}

/* Requests from any cycle on have the same results at later times. */
TEST_WITH(test_time_is_relative, begin, NULL)
{
    static const uint64_t origins[] = {30, 31, 59, 1ull << 40, (uint64_t)0 - 100};
    static const uint16_t requests[] = {0, 0, 5, 40, 500, 480, 500, 501, 560, 2000, 1990, 2060, 2061, 2062};
    uint64_t first[sizeof(requests) / sizeof(requests[0])];

    for (unsigned i = 0; i < sizeof(origins) / sizeof(origins[0]); i++) {
        (void)begin(state);
        (void)pace_take(&pace, origins[i] - 10000 * (i != 4));
        for (unsigned n = 0; n < sizeof(requests) / sizeof(requests[0]); n++) {
            uint64_t served = pace_take(&pace, origins[i] + requests[n] + 10000 * (i == 4)) - origins[i];

            first[n] = i ? first[n] : served;
            assert_int_equal(served - 10000 * (i == 4), first[n]);
        }
    }
}

/* There are more lines than slots: the search must end. */
TEST_WITH(test_full, begin, NULL)
{
    for (uint64_t i = 0; i < PACE_SLOTS; i++)
        assert_int_equal(pace_take(&pace, 1000), 1000 + 30 * i);
    assert_int_equal(pace_take(&pace, 1000), 1000 + 30 * PACE_SLOTS);
}

/* ---------------------------------------------------------------- in the caches */

enum { CORES = 3, DRAM = 165, CORE_LINE = 30, NODE_LINE = 19 };

static struct caches core[CORES];
static void *memory[CORES];

static void make(uint32_t nodes)
{
    const struct vpmu_params *params = vpmu_params_of(VPMU_REV_C);
    uint64_t end[VPMU_NODES] = {1ull << 30, 1ull << 31};

    for (unsigned i = 0; i < CORES; i++) {
        memory[i] = calloc(1, caches_memory(params));
        caches_init(&core[i], params, memory[i]);
        if (i)
            assert_true(caches_join(&core[i], &core[0], nodes > 1 && i == CORES - 1));
    }
    caches_place_memory(&core[0], end);
}

static int tear_down(void **state)
{
    for (unsigned i = 0; i < CORES; i++)
        free(memory[i]);
    return 0;
}

static struct dc_result load(unsigned who, uint64_t address, uint64_t cycle)
{
    struct dc_result result;

    caches_data(&core[who], address, cycle, false, &result);
    return result;
}

/* A line of 64 bytes at 6500 and 10000 MB/s takes the nearest number of cycles. */
TEST(test_cycles_of_a_line)
{
    static const struct {
        enum vpmu_revision revision;
        uint32_t core, node;
    } rows[] = {{VPMU_REV_B, 20, 13}, {VPMU_REV_C, 30, 19}, {VPMU_REV_E, 32, 20}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(vpmu_params_of(rows[i].revision)->core_line, rows[i].core);
        assert_int_equal(vpmu_params_of(rows[i].revision)->node_line, rows[i].node);
    }
}

TEST_WITH(test_a_core_waits_for_its_own_lines, NULL, tear_down)
{
    struct dc_result result;

    make(1);
    assert_int_equal(load(0, 0x100000, 1000).ready, 1000 + DRAM);
    result = load(0, 0x200000, 1001);
    assert_int_equal(result.ready, 1000 + CORE_LINE + DRAM);
    assert_int_equal(result.latency, CORE_LINE - 1 + DRAM - 3);
    assert_int_equal(load(0, 0x300000, 2000).ready, 2000 + DRAM);
}

/* A node's memory serves all cores, each of which has its own rate. */
TEST_WITH(test_cores_share_the_memory, NULL, tear_down)
{
    make(1);
    load(0, 0x100000, 1000);
    assert_int_equal(load(1, 0x200000, 1000).ready, 1000 + NODE_LINE + DRAM);
    assert_int_equal(load(2, 0x300000, 1000).ready, 1000 + 2 * NODE_LINE + DRAM);
    assert_int_equal(load(1, 0x400000, 1000).ready, 1000 + 3 * NODE_LINE + DRAM); /* not earlier than 1030 */
}

/* Each node has its own memory; a core's rate is the same wherever the memory is. */
TEST_WITH(test_nodes_have_their_own_memory, NULL, tear_down)
{
    make(2);
    load(0, 0x100000, 1000);
    assert_int_equal(load(2, 0x40000000, 1000).ready, 1000 + DRAM);
    assert_int_equal(load(1, 0x40100000, 1000).ready, 1000 + NODE_LINE + DRAM + 90);
    assert_int_equal(load(0, 0x40200000, 1000).ready, 1000 + 2 * NODE_LINE + DRAM + 90);
}

/* ---------------------------------------------------------------- the memory controller's prefetcher */

enum { AHEAD = 96, FAR = 1000 }; /* FAR: cycles between accesses, so that none waits */

/* The third of three lines at equal distances up to four takes less time, up or down. No line has its neighbour before
 * it, so the core's own prefetcher does nothing. */
TEST_WITH(test_lines_that_are_read_ahead, NULL, tear_down)
{
    static const struct {
        int lines[4];
        uint32_t cycles[4];
    } rows[] = {
        {{0, 2, 4, 6}, {DRAM, DRAM, AHEAD, AHEAD}},     {{0, 3, 6, 9}, {DRAM, DRAM, AHEAD, AHEAD}},
        {{0, 4, 8, 12}, {DRAM, DRAM, AHEAD, AHEAD}},    {{0, 5, 10, 15}, {DRAM, DRAM, DRAM, DRAM}},
        {{40, 38, 36, 34}, {DRAM, DRAM, AHEAD, AHEAD}}, {{40, 36, 32, 28}, {DRAM, DRAM, AHEAD, AHEAD}},
        {{40, 35, 30, 25}, {DRAM, DRAM, DRAM, DRAM}},   {{0, 2, 5, 8}, {DRAM, DRAM, DRAM, AHEAD}},
        {{0, 4, 2, 6}, {DRAM, DRAM, DRAM, AHEAD}},      {{4, 0, 8, 20}, {DRAM, DRAM, AHEAD, DRAM}},
        {{60, 64, 68, 72}, {DRAM, DRAM, AHEAD, AHEAD}}, /* beyond the page's end */
    };

    make(1);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned n = 0; n < 4; n++) {
            uint64_t cycle = 10000 * (i + 1) + FAR * n;
            struct dc_result result = load(0, 0x1000000 * (i + 1) + (uint64_t)rows[i].lines[n] * 64, cycle);

            assert_int_equal(result.ready - cycle, rows[i].cycles[n]);
            assert_int_equal(result.latency, rows[i].cycles[n] - 3);
            assert_int_equal(result.source, SOURCE_DRAM);
        }
}

/* The memory remembers 16 lines, of all cores together. */
TEST_WITH(test_streams_of_the_memory, NULL, tear_down)
{
    for (unsigned others = 14; others <= 15; others++) {
        make(1);
        load(0, 0x1000000, 10000);
        load(0, 0x1000080, 11000);
        for (uint64_t i = 0; i < others; i++)
            load(1, 0x4000000 + i * 0x100000, 12000 + FAR * i);
        assert_int_equal(load(2, 0x1000100, 100000).ready, 100000 + (others == 14 ? AHEAD : DRAM));
        caches_empty(&core[0]);
        assert_int_equal(load(0, 0x1000180, 110000).ready, 110000 + DRAM);
        if (others == 14)
            tear_down(state);
    }
}

/* Each node's memory remembers its own lines, whichever core asks. */
TEST_WITH(test_streams_of_other_nodes, NULL, tear_down)
{
    make(2);
    load(0, 0x40000000, 10000);
    load(2, 0x40000080, 11000);
    for (uint64_t i = 0; i < 20; i++)
        load(0, 0x4000000 + i * 0x100000, 12000 + FAR * i);
    assert_int_equal(load(0, 0x40000100, 100000).ready, 100000 + AHEAD + 90);
}

TEST(test_cycles_of_what_is_read_ahead)
{
    assert_int_equal(vpmu_params_of(VPMU_REV_B)->dram_ahead, 64);
    assert_int_equal(vpmu_params_of(VPMU_REV_C)->dram_ahead, AHEAD);
    assert_int_equal(vpmu_params_of(VPMU_REV_E)->dram_ahead, 102);
}

/* Loads in a chain, line by line or at a distance, up or down: InstLatX64, AuthenticAMD0100F42_K10_Deneb_MemLatX64 has
 * 9 cycles from the L2, 23 from the L3 and 43 to 45 from memory for lines, and 92, 100 and 184 from memory for each
 * second, fourth and eighth line. */
TEST_WITH(test_chains_as_measured, NULL, tear_down)
{
    static const struct {
        uint32_t kb, apart;
        uint32_t least, most; /* in hundredths of a cycle */
    } rows[] = {{256, 64, 880, 940},      {2048, 64, 2220, 2330},   {16384, 64, 3600, 3900},
                {16384, 128, 9500, 9700}, {16384, 256, 9500, 9700}, {16384, 512, 16400, 16600}};

    for (unsigned i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t lines = rows[i / 2].kb * 1024ull / rows[i / 2].apart, cycle = 100000, begin = 0;

        make(1);
        for (unsigned pass = 0; pass < 2; pass++) {
            begin = cycle;
            for (uint64_t n = 0; n < lines; n++)
                cycle = load(0, 0x10000000 + (i % 2 ? lines - 1 - n : n) * rows[i / 2].apart, cycle).ready;
        }
        assert_in_range((cycle - begin) * 100 / lines, rows[i / 2].least, rows[i / 2].most);
        if (i + 1 < 2 * sizeof(rows) / sizeof(rows[0]))
            tear_down(state);
    }
}

/* Cores with different cycles are compared in their common time. */
TEST_WITH(test_cores_of_different_cycles, NULL, tear_down)
{
    static const uint64_t ahead = 1000000;

    make(1);
    core[1].clock = &ahead;
    load(0, 0x100000, ahead + 1000);
    assert_int_equal(load(1, 0x200000, 1000).ready, 1000 + NODE_LINE + DRAM);
}

/* Fills the set of a line in all caches with modified lines: two, 16, and 48 ways; then loads one more. Each is the
 * first access after a pause. */
static uint64_t evict(uint64_t cycle)
{
    struct dc_result result;

    for (uint64_t i = 0; i < 2 + 16 + 48 + 1; i++)
        caches_data(&core[0], i << 17, cycle += 100000, true, &result);
    return cycle;
}

/* A modified line that leaves the L3 occupies memory as long as the line that comes. */
TEST_WITH(test_write_backs, NULL, tear_down)
{
    uint64_t cycle;

    make(1);
    cycle = evict(1000);
    assert_int_equal(core[0].node->writebacks, 1);
    assert_int_equal(load(0, 0x4000000, cycle + 2 * CORE_LINE - 1).ready, cycle + 2 * CORE_LINE + DRAM);
    tear_down(state);
    make(1);
    cycle = evict(1000);
    /* The line has used the node's slots 0 to 18; its victim, sent in 30, has used 19 to 37. */
    assert_int_equal(load(1, 0x4000000, cycle).ready, cycle + 2 * NODE_LINE + DRAM);
}

/* Lines from other caches or the L3 do not wait for memory. */
TEST_WITH(test_only_lines_of_memory_wait, NULL, tear_down)
{
    make(1);
    for (uint64_t i = 0; i < 19; i++)
        load(0, i << 17, 1000 * (i + 1));
    load(0, 0x4000000, 50000);
    assert_int_equal(load(0, 0, 50000).source, SOURCE_L3);
    assert_int_equal(load(0, 1 << 17, 50000).ready, 50000 + 55);
}

/* Code and page walks occupy memory at the time of the latest request for data, and do not wait. */
TEST_WITH(test_code_and_walks, NULL, tear_down)
{
    for (unsigned walk = 0; walk < 2; walk++) {
        make(1);
        load(0, 0x100000, 1000);
        assert_int_equal(walk ? caches_walk(&core[0], 0x200000) : caches_fetch(&core[0], 0x200000) + 3, DRAM);
        assert_int_equal(load(0, 0x300000, 1001).ready, 1000 + 2 * CORE_LINE + DRAM);
        if (!walk)
            tear_down(state);
    }
}

/* With empty caches nothing is under way. */
TEST_WITH(test_empty_caches, NULL, tear_down)
{
    make(1);
    load(0, 0x100000, 1000);
    caches_empty(&core[0]);
    assert_int_equal(core[0].now, 0);
    assert_int_equal(load(0, 0x200000, 1000).ready, 1000 + DRAM);
}

RUN_TESTS(NULL, NULL)
