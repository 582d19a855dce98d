/* SPDX-License-Identifier: BSD-2-Clause */
/* Several cores of a node: who has a line, who supplies it, who loses it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "vpmu/model/cache.h"

enum { CORES = 4, LINE = 0x10000, L1_STEP = 0x8000 };

static const struct vpmu_params *params;
static struct caches core[CORES];
static void *memory[CORES];
static uint64_t now = 1000;

static int set_up(void **state)
{
    (void)state;
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
    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        free(memory[i]);
    return 0;
}

/* As in the pipeline: the fast path first. Returns the source. */
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
    uint8_t from; /* enum cache_source */
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

/* Two cores that write in turn: each load finds the line modified in the other. */
static void test_ping_pong(void **state)
{
    (void)state;
    PLAY({0, STORE, SOURCE_DRAM}, {0, LOAD, SOURCE_L1}, {1, LOAD, SOURCE_MODIFIED}, {1, STORE, SOURCE_L1},
         {0, LOAD, SOURCE_MODIFIED}, {0, STORE, SOURCE_L1}, {1, STORE, SOURCE_MODIFIED}, {1, LOAD, SOURCE_L1},
         {0, LOAD, SOURCE_MODIFIED});
    assert_int_equal(core[0].upgrades, 1);
    assert_int_equal(core[1].upgrades, 1);
    assert_int_equal(core[0].from[SOURCE_MODIFIED], 2);
}

/* The owner keeps supplying readers; a writer takes the line from all. */
static void test_owned(void **state)
{
    (void)state;
    PLAY({0, STORE, SOURCE_DRAM}, {1, LOAD, SOURCE_MODIFIED}, {2, LOAD, SOURCE_OWNED}, {3, LOAD, SOURCE_OWNED},
         {0, LOAD, SOURCE_L1}, {1, LOAD, SOURCE_L1}, {2, STORE, SOURCE_L1}, {0, LOAD, SOURCE_MODIFIED},
         {1, LOAD, SOURCE_OWNED}, {2, LOAD, SOURCE_L1});
}

/* A line that is dirty in no cache comes from memory (or the L3), and has no owner then. */
static void test_clean(void **state)
{
    (void)state;
    PLAY({0, LOAD, SOURCE_DRAM}, {1, LOAD, SOURCE_DRAM}, {0, STORE, SOURCE_L1}, {1, LOAD, SOURCE_MODIFIED});
    assert_int_equal(core[0].upgrades, 1);
}

/* Evicted to the L2, a line is still found there by other cores, and by a store that has to request it. */
static void test_in_the_l2(void **state)
{
    (void)state;
    PLAY({0, STORE, SOURCE_DRAM});
    go(0, LINE + L1_STEP, LOAD);
    go(0, LINE + 2 * L1_STEP, LOAD);
    PLAY({1, LOAD, SOURCE_MODIFIED}, {0, STORE, SOURCE_L2}, {1, LOAD, SOURCE_MODIFIED});
    assert_int_equal(core[0].upgrades, 1);
}

/* A writer takes the line from another core's L2, too: it is not found there again. */
static void test_taken_out_of_the_l2(void **state)
{
    (void)state;
    for (unsigned modified = 0; modified < 2; modified++) {
        for (unsigned i = 0; i < 3; i++)
            go(0, LINE + i * L1_STEP, i == 0 && modified);
        PLAY({1, STORE, modified ? SOURCE_MODIFIED : SOURCE_DRAM}, {0, LOAD, SOURCE_MODIFIED});
        tear_down(state);
        set_up(state);
    }
}

/* The store of a read-modify-write instruction. */
static void test_modify(void **state)
{
    (void)state;
    PLAY({0, LOAD, SOURCE_DRAM}, {1, LOAD, SOURCE_DRAM});
    caches_modify(&core[1], LINE);
    PLAY({0, LOAD, SOURCE_MODIFIED});
}

/* One core's victims can be hit by the others. */
static void test_l3_is_shared(void **state)
{
    (void)state;
    go(0, LINE, LOAD);
    for (unsigned i = 1; i < 40; i++)
        go(0, LINE + i * L1_STEP, LOAD);
    assert_int_equal(go(1, LINE, LOAD), SOURCE_L3);
}

static void test_full_node(void **state)
{
    static struct caches more[NODE_CORES];
    void *rest = calloc(1, caches_memory(params));
    unsigned joined = CORES;

    (void)state;
    for (unsigned i = 0; i < NODE_CORES; i++) {
        caches_init(&more[i], params, rest);
        joined += caches_join(&more[i], &core[2], 0);
    }
    assert_int_equal(joined, NODE_CORES);
    free(rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ping_pong, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_owned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clean, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_in_the_l2, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_taken_out_of_the_l2, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_modify, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_l3_is_shared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_node, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
