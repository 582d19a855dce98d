/* Caches: geometry, replacement, the way of a victim, the stream prefetcher, misses in flight. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/vpmu/model/cache.h"

enum {
    L1_BYTES = 64 * 1024,
    WAY = L1_BYTES / 2,  /* addresses this far apart share an L1 set */
    L2_STEP = 32 * 1024, /* and this far an L2 set */
    PAUSE = 10000,       /* cycles between accesses: nothing is in flight any more */
};

static struct caches caches;
static void *memory;
static uint64_t now;

static int setup(void **state)
{
    const struct vpmu_params *params = vpmu_params_of(VPMU_REV_C);

    (void)state;
    memory = calloc(1, caches_memory(params));
    caches_init(&caches, params, memory);
    now = PAUSE;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(memory);
    return 0;
}

static struct dc_result access_at(uint64_t address)
{
    struct dc_result result;

    now += PAUSE;
    caches_data(&caches, address, now, &result);
    return result;
}

static void test_latency_by_source(void **state)
{
    struct dc_result dram = access_at(0x10000), hit = access_at(0x1003C);

    (void)state;
    assert_true(dram.miss);
    assert_int_equal(dram.source, SOURCE_DRAM);
    assert_int_equal(dram.latency, 165 - 3); /* 55 ns at 3 GHz; detection is an L1 access later */
    assert_false(hit.miss);
    assert_int_equal(hit.ready, now + 3);
    assert_int_equal(hit.latency, 0);
    assert_true(access_at(0x10040).miss); /* the next line */
}

static void test_two_ways_least_recently_used(void **state)
{
    (void)state;
    access_at(0);
    access_at(WAY);
    assert_false(access_at(0).miss);
    access_at(2 * WAY); /* WAY was used less recently */
    assert_false(access_at(0).miss);
    assert_true(access_at(WAY).miss);
}

static void test_victims_go_to_l2(void **state)
{
    struct dc_result again;

    (void)state;
    access_at(0);
    access_at(WAY);
    access_at(2 * WAY);
    again = access_at(0);
    assert_int_equal(again.source, SOURCE_L2);
    assert_int_equal(again.latency, 15 - 3);
}

static void test_l1_and_l2_are_exclusive(void **state)
{
    (void)state;
    /* A set of 2 and a set of 16 hold 18 lines, round after round, because no line is in both. */
    for (unsigned round = 0; round < 4; round++)
        for (unsigned i = 0; i < 18; i++)
            access_at((uint64_t)i * L2_STEP);
    assert_int_equal(caches.from[SOURCE_DRAM], 18);
    assert_int_equal(caches.from[SOURCE_L3], 0);
    assert_int_equal(caches.from[SOURCE_L2], 3 * 18);
    /* L1: 16, 17. The line that came into the L2 last moves up, 16 takes its place, and the oldest one can stay. */
    assert_int_equal(access_at(15 * L2_STEP).source, SOURCE_L2);
    assert_int_equal(access_at(0).source, SOURCE_L2);
}

static void test_l2_victims_go_to_l3(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 19; i++)
        access_at((uint64_t)i * L2_STEP);
    assert_int_equal(access_at(0).source, SOURCE_L3);
    assert_int_equal(caches.from[SOURCE_L3], 1);
    assert_int_equal(caches.from[SOURCE_DRAM], 19);
}

/* Lines of one page in the given order; how many of them missed. */
static unsigned misses(uint64_t page, const uint8_t *lines, unsigned count)
{
    unsigned missed = 0;

    for (unsigned i = 0; i < count; i++)
        missed += access_at(page + lines[i] * 64ull).miss;
    return missed;
}

static void test_streams(void **state)
{
    static const struct {
        uint8_t lines[8];
        unsigned missed;
    } rows[] = {
        {{0, 1, 2, 3, 4, 5, 6, 7}, 2},     /* two misses in a row start a stream, hits keep it going */
        {{0, 2, 4, 6, 8, 10, 12, 14}, 8},  /* not neighbours */
        {{7, 6, 5, 4, 3, 2, 1, 0}, 8},     /* descending */
        {{0, 20, 1, 21, 2, 22, 3, 23}, 4}, /* two streams at once */
        {{60, 61, 62, 63, 8, 9, 10, 11}, 4},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(misses(0x100000 + i * 0x10000, rows[i].lines, 8), rows[i].missed);
}

static void test_stream_goes_on_behind_a_resident_line(void **state)
{
    static const uint8_t all[] = {0, 1, 2, 3, 4, 5};

    (void)state;
    access_at(0x200000 + 3 * 64);
    assert_int_equal(misses(0x200000, all, 6), 2); /* not again at 4 and 5 */
}

static void test_stream_ends_with_the_page(void **state)
{
    static const uint8_t end[] = {61, 62, 63};
    uint64_t before;

    (void)state;
    misses(0x300000, end, 3);
    before = caches.prefetches;
    assert_true(access_at(0x301000).miss);
    assert_int_equal(before, 1); /* line 63 alone */
}

static void test_second_miss_to_a_line_in_flight(void **state)
{
    struct dc_result first, second, third;

    (void)state;
    caches_data(&caches, 0x5000, 1000, &first);
    caches_data(&caches, 0x5008, 1010, &second);
    caches_data(&caches, 0x5010, 1165, &third);
    assert_false(first.mab_hit);
    assert_true(second.miss && second.mab_hit);
    assert_int_equal(second.ready, first.ready);
    assert_int_equal(second.latency, first.ready - 1013);
    assert_int_equal(second.source, SOURCE_DRAM);
    assert_false(third.miss);
}

static void test_only_eight_misses_at_once(void **state)
{
    struct dc_result result = {0};

    (void)state;
    for (unsigned i = 0; i < 8; i++)
        caches_data(&caches, 0x100000 + i * 0x2000, 1000, &result);
    assert_int_equal(result.ready, 1165);
    caches_data(&caches, 0x200000, 1000, &result);
    assert_int_equal(result.ready, 1165 + 165);
    assert_int_equal(result.latency, 165 + 165 - 3);
}

static void test_code_and_walks(void **state)
{
    (void)state;
    assert_int_equal(caches_fetch(&caches, 0x7000), 165 - 3);
    assert_int_equal(caches_fetch(&caches, 0x7020), 0);
    assert_int_equal(caches_walk(&caches, 0x9000), 165);
    assert_int_equal(caches_walk(&caches, 0x9038), 15);
    assert_true(access_at(0x9000).source == SOURCE_L2); /* the walk filled the L2, not the L1D */
}

static void test_l3_by_revision(void **state)
{
    (void)state;
    assert_int_equal(vpmu_params_of(VPMU_REV_B)->l3_sets * vpmu_params_of(VPMU_REV_B)->l3_ways * 64, 2 << 20);
    assert_int_equal(vpmu_params_of(VPMU_REV_C)->l3_sets * vpmu_params_of(VPMU_REV_C)->l3_ways * 64, 6 << 20);
    assert_int_equal(vpmu_params_of(VPMU_REV_B)->dram_cycles, 110);
    assert_int_equal(vpmu_params_of(VPMU_REV_E)->dram_cycles, 176);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_latency_by_source, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_ways_least_recently_used, setup, teardown),
        cmocka_unit_test_setup_teardown(test_victims_go_to_l2, setup, teardown),
        cmocka_unit_test_setup_teardown(test_l1_and_l2_are_exclusive, setup, teardown),
        cmocka_unit_test_setup_teardown(test_l2_victims_go_to_l3, setup, teardown),
        cmocka_unit_test_setup_teardown(test_streams, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stream_goes_on_behind_a_resident_line, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stream_ends_with_the_page, setup, teardown),
        cmocka_unit_test_setup_teardown(test_second_miss_to_a_line_in_flight, setup, teardown),
        cmocka_unit_test_setup_teardown(test_only_eight_misses_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_code_and_walks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_l3_by_revision, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
