/* SPDX-License-Identifier: BSD-2-Clause */
/* Several cores of a node: which core has a line, which supplies it, and which loses it. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "vpmu/model/caches/cache.h"

enum { CORES = 4, LINE = 0x10000, L1_STEP = 0x8000 };

static const struct vpmu_params *params;
static struct caches core[CORES];
static void *memory[CORES];
static uint64_t now = 1000;

static int set_up(void **state)
{
    params = vpmu_params_of(VPMU_REV_C);
    for (unsigned i = 0; i < CORES; i++) {
        memory[i] = calloc(1, caches_memory(params));
        caches_init(&core[i], params, memory[i]);
        if (i)
            assert_true(caches_join(&core[i], &core[0], 0));
    }
    return 0;
}

static int tear_down(void **state)
{
    for (unsigned i = 0; i < CORES; i++)
        free(memory[i]);
    return 0;
}

/* Accesses a line as the pipeline does, with the fast path first. Returns the source. */
static enum cache_source go(unsigned who, uint64_t address, bool store)
{
    struct dc_result result;

    now += 1000;
    if (caches_plain_hit(&core[who], address, now, store))
        return SOURCE_L1;
    caches_data(&core[who], address, now, store, &result);
    if (result.source >= SOURCE_MODIFIED)
        assert_int_equal(result.latency, CORE_LATENCY - L1_LATENCY);
    return (enum cache_source)result.source;
}

struct step {
    uint8_t core;
    bool store;
    uint8_t from; /* an enum cache_source */
};

enum { LOAD, STORE };

static void play(const struct step *steps, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        enum cache_source from = go(steps[i].core, LINE, steps[i].store);
        if (from != steps[i].from)
            fail_msg("step %u: from %d, not %d", i, (int)from, steps[i].from);
    }
}
#define PLAY(...)                                                                                                      \
    play((const struct step[]){__VA_ARGS__}, sizeof((const struct step[]){__VA_ARGS__}) / sizeof(struct step))

/* If two cores write in turn, each load finds the line modified in the other. */
TEST_WITH(test_ping_pong, set_up, tear_down)
{
    PLAY({0, STORE, SOURCE_DRAM}, {0, LOAD, SOURCE_L1}, {1, LOAD, SOURCE_MODIFIED}, {1, STORE, SOURCE_L1},
         {0, LOAD, SOURCE_MODIFIED}, {0, STORE, SOURCE_L1}, {1, STORE, SOURCE_MODIFIED}, {1, LOAD, SOURCE_L1},
         {0, LOAD, SOURCE_MODIFIED});
    assert_int_equal(core[0].upgrades, 1);
    assert_int_equal(core[1].upgrades, 1);
    assert_int_equal(core[0].from[SOURCE_MODIFIED], 2);
}

/* The owner keeps supplying readers; a writer takes the line from all cores. */
TEST_WITH(test_owned, set_up, tear_down)
{
    PLAY({0, STORE, SOURCE_DRAM}, {1, LOAD, SOURCE_MODIFIED}, {2, LOAD, SOURCE_OWNED}, {3, LOAD, SOURCE_OWNED},
         {0, LOAD, SOURCE_L1}, {1, LOAD, SOURCE_L1}, {2, STORE, SOURCE_L1}, {0, LOAD, SOURCE_MODIFIED},
         {1, LOAD, SOURCE_OWNED}, {2, LOAD, SOURCE_L1});
}

/* A line that is dirty in no cache comes from memory (or the L3), and then has no owner. */
TEST_WITH(test_clean, set_up, tear_down)
{
    PLAY({0, LOAD, SOURCE_DRAM}, {1, LOAD, SOURCE_DRAM}, {0, STORE, SOURCE_L1}, {1, LOAD, SOURCE_MODIFIED});
    assert_int_equal(core[0].upgrades, 1);
}

/* A line that was evicted to the L2 is still found there by other cores, and by a store that has to request it. */
TEST_WITH(test_in_the_l2, set_up, tear_down)
{
    PLAY({0, STORE, SOURCE_DRAM});
    go(0, LINE + L1_STEP, LOAD);
    go(0, LINE + 2 * L1_STEP, LOAD);
    PLAY({1, LOAD, SOURCE_MODIFIED}, {0, STORE, SOURCE_L2}, {1, LOAD, SOURCE_MODIFIED});
    assert_int_equal(core[0].upgrades, 1);
}

/* A writer takes the line from another core's L2, too, where it is then not found any more. */
TEST_WITH(test_taken_out_of_the_l2, set_up, tear_down)
{
    for (unsigned modified = 0; modified < 2; modified++) {
        for (unsigned i = 0; i < 3; i++)
            go(0, LINE + i * L1_STEP, i == 0 && modified);
        PLAY({1, STORE, modified ? SOURCE_MODIFIED : SOURCE_DRAM}, {0, LOAD, SOURCE_MODIFIED});
        tear_down(state);
        set_up(state);
    }
}

/* Stores as a read-modify-write instruction does. */
TEST_WITH(test_modify, set_up, tear_down)
{
    PLAY({0, LOAD, SOURCE_DRAM}, {1, LOAD, SOURCE_DRAM});
    caches_modify(&core[1], LINE, now);
    PLAY({0, LOAD, SOURCE_MODIFIED});
}

/* ---------------------------------------------------------------- when */

enum {
    FIRST = 165,
    CORE = 110,
    UPGRADE = 55
}; /* memory, another core's cache, the answers to an upgrade: as long as the L3 takes */

static struct dc_result at(unsigned who, uint64_t cycle, bool store)
{
    struct dc_result result;

    caches_data(&core[who], LINE, cycle, store, &result);
    return result;
}

/* A core that asks for a line on its way to another core gets the line after that core; the third to ask gets it after
 * both. */
TEST_WITH(test_lines_go_from_one_to_the_next, set_up, tear_down)
{
    struct dc_result result;

    assert_int_equal(at(0, 1000, STORE).ready, 1000 + FIRST);
    result = at(1, 1010, STORE);
    assert_int_equal(result.ready, 1000 + FIRST + CORE);
    assert_int_equal(result.latency, FIRST + CORE - 10 - 3);
    assert_int_equal(at(2, 1001, LOAD).ready, 1000 + FIRST + 2 * CORE);
    assert_int_equal(at(3, 2000, LOAD).ready, 2000 + CORE); /* long after all transfers */
}

/* A clean line in flight to another core delays nobody: memory supplies it again. */
TEST_WITH(test_clean_lines_wait_for_nobody, set_up, tear_down)
{
    at(0, 1000, LOAD);
    assert_int_equal(at(1, 1019, LOAD).ready, 1019 + FIRST); /* memory gives a line in 19 cycles */
}

/* A store to a line that others may have waits for their answers, and so does the next core that wants the line. */
TEST_WITH(test_upgrades_take_time, set_up, tear_down)
{
    at(0, 1000, LOAD);
    at(1, 1000, LOAD);
    assert_int_equal(at(0, 2000, STORE).ready, 2000 + 3 + UPGRADE);
    assert_false(at(0, 2001, LOAD).miss); /* the data was there */
    assert_int_equal(at(0, 2001, LOAD).ready, 2004);
    assert_int_equal(at(1, 2010, LOAD).ready, 2000 + 3 + UPGRADE + CORE);
}

/* The upgrade of a line on its way begins when the line has arrived. */
TEST_WITH(test_upgrades_of_lines_in_flight, set_up, tear_down)
{
    struct dc_result result;

    at(0, 1000, LOAD);
    at(1, 1019, LOAD);
    result = at(1, 1020, STORE);
    assert_true(result.mab_hit);
    assert_int_equal(result.ready, 1019 + FIRST + UPGRADE);
    assert_int_equal(at(0, 3000, LOAD).ready, 3000 + CORE);
}

TEST_WITH(test_upgrades_from_the_l2, set_up, tear_down)
{
    go(0, LINE, STORE);
    go(0, LINE + L1_STEP, LOAD);
    go(0, LINE + 2 * L1_STEP, LOAD);
    go(1, LINE, LOAD);
    assert_int_equal(at(0, 90000, STORE).ready, 90000 + 15 + UPGRADE);
    assert_int_equal(at(1, 90001, LOAD).ready, 90000 + 15 + UPGRADE + CORE);
}

/* Until it has owned the line, a core continues to use it, even if another has asked for it: for loads and stores that
 * have their data by then. */
TEST_WITH(test_lines_are_used_before_they_leave, set_up, tear_down)
{
    at(0, 1000, LOAD);
    at(1, 1000, LOAD);
    at(0, 2000, STORE); /* owned from 2058 on */
    at(1, 2010, STORE);
    assert_int_equal(at(0, 2055, LOAD).source, SOURCE_L1);
    assert_int_equal(at(0, 2055, STORE).ready, 2058);
    assert_int_equal(caches_modify(&core[0], LINE, 2058), 2058);
    assert_int_equal(at(0, 2056, LOAD).source, SOURCE_MODIFIED);
}

/* If the other core reads, the store needs no further upgrade. */
TEST_WITH(test_lines_are_stored_to_before_they_leave, set_up, tear_down)
{
    at(0, 1000, LOAD);
    at(1, 1000, LOAD);
    at(0, 2000, STORE);
    at(1, 2010, LOAD);
    assert_int_equal(at(0, 2040, STORE).ready, 2043);
    assert_int_equal(core[0].upgrades, 1);
    assert_int_equal(at(0, 2056, STORE).ready, 2056 + 3 + UPGRADE);
    assert_int_equal(core[0].upgrades, 2);
}

/* A copy that is not modified leaves at once. */
TEST_WITH(test_clean_lines_leave_at_once, set_up, tear_down)
{
    at(0, 1000, LOAD);
    at(1, 1000, LOAD);
    at(0, 1001, STORE); /* core 1's copy is on its way until 1165 */
    assert_int_equal(at(1, 1100, LOAD).source, SOURCE_MODIFIED);
}

TEST_WITH(test_held_lines, set_up, tear_down)
{
    assert_int_equal(caches_modify(&core[0], LINE, 1000), 0);
    caches_hold(&core[0], LINE, 1000); /* the line is not there: no effect */
    at(0, 1000, STORE);
    assert_int_equal(caches_modify(&core[0], LINE, 1165), 1165);
    caches_hold(&core[0], LINE, 1165);
    assert_int_equal(l1_peek(&core[0].l1d, LINE >> 6)->held, 0);
    caches_hold(&core[0], LINE, 1200);
    caches_hold(&core[0], LINE, 1190); /* the time is not shortened */
    assert_int_equal(at(1, 1010, STORE).ready, 1200 + CORE);
    caches_hold(&core[1], LINE, 1ull << 40);
    assert_int_equal(l1_peek(&core[1].l1d, LINE >> 6)->held, UINT32_MAX);
}

/* A read-modify-write's store upgrades the line when the load has its data. */
TEST_WITH(test_modify_takes_time, set_up, tear_down)
{
    at(0, 1000, LOAD);
    at(1, 1019, LOAD);
    assert_int_equal(caches_modify(&core[1], LINE, 1020), 1019 + FIRST + UPGRADE);
    assert_int_equal(caches_modify(&core[1], LINE, 2000), 1019 + FIRST + UPGRADE); /* owned from then on */
    at(0, 3000, LOAD);
    assert_int_equal(caches_modify(&core[1], LINE, 3200), 3200 + UPGRADE);
}

/* Cores' cycles are compared in their common time, of which a core's cycles may be behind or ahead. If software has set
 * a TSC so that two cores seem to be far apart, no core waits. */
TEST_WITH(test_common_time, set_up, tear_down)
{
    static const struct {
        int64_t ahead; /* by which core 1's cycles are ahead of common time */
        uint64_t request, wait;
    } rows[] = {{0, 1010, 155}, {5000, 1010, 0},       {-5000, 6010, 155}, {100, 1010, 55},        {-1, 1165, 1},
                {0, 1165, 0},   {-99999, 1165, 99999}, {-100000, 1165, 0}, {-(1ll << 40), 1165, 0}};
    static uint64_t clock;

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        tear_down(state);
        set_up(state);
        clock = (uint64_t)rows[i].ahead;
        core[1].clock = &clock;
        at(0, 1000, STORE);
        assert_int_equal(at(1, rows[i].request, LOAD).ready, rows[i].request + rows[i].wait + CORE);
        assert_int_equal(core[0].leaving.line, rows[i].wait ? LINE >> 6 : LINE_NONE);
        core[0].clock = &clock; /* both cores have the clock: no difference */
        at(0, 300000, STORE);
        assert_int_equal(at(1, 300010, LOAD).ready, 300000 + 55 + 3 + CORE);
    }
}

/* A prefetch waits for the line's owner, too. */
TEST_WITH(test_prefetches_wait, set_up, tear_down)
{
    struct dc_result result;

    caches_data(&core[0], LINE + 192, 1000, STORE, &result);
    caches_data(&core[1], LINE, 1010, LOAD, &result);
    caches_data(&core[1], LINE + 64, 1011, LOAD, &result); /* begins a stream */
    assert_int_equal(l1_peek(&core[1].l1d, (LINE + 192) >> 6)->ready, 1000 + FIRST + CORE);
}

/* Without lines in the caches no line is on its way out. */
TEST_WITH(test_empty_caches_keep_nothing, set_up, tear_down)
{
    at(0, 1000, STORE);
    at(1, 1010, STORE);
    caches_empty(&core[0]);
    assert_int_equal(at(0, 1020, LOAD).source, SOURCE_MODIFIED);
}

/* One core's victims can be hit by the others. */
TEST_WITH(test_l3_is_shared, set_up, tear_down)
{
    go(0, LINE, LOAD);
    for (unsigned i = 1; i < 40; i++)
        go(0, LINE + i * L1_STEP, LOAD);
    assert_int_equal(go(1, LINE, LOAD), SOURCE_L3);
}

TEST_WITH(test_full_node, set_up, tear_down)
{
    static struct caches more[NODE_CORES];
    void *rest = calloc(1, caches_memory(params));
    unsigned joined = CORES;

    for (unsigned i = 0; i < NODE_CORES; i++) {
        caches_init(&more[i], params, rest);
        joined += caches_join(&more[i], &core[2], 0);
    }
    assert_int_equal(joined, NODE_CORES);
    free(rest);
}

RUN_TESTS(NULL, NULL)
