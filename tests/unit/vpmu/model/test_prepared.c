/* SPDX-License-Identifier: BSD-2-Clause */
/* Caches after memory was filled without steps: the lines filled last are where a machine would have them, and are not
 * counted. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { KB = 1024, LINE = 64, L1 = 64 * KB, L2 = 512 * KB, L3 = 6 * KB * KB };
#define ARENA 0x4000000ull

static struct machine machine;

static int setup(void **state)
{
    machine_init(&machine, VPMU_REV_C, &paper_map, 1);
    return 0;
}

static int teardown(void **state)
{
    machine_free(&machine);
    return 0;
}

static void fill(uint64_t address, uint64_t bytes)
{
    vpmu_prepared(machine.vpmu, address, bytes);
}

/* Returns the cache that has the line of this linear address, and the line's state. */
static enum cache_source place(uint64_t linear, int *modified)
{
    const struct caches *caches = &machine.vpmu->caches;
    uint64_t physical, tables[4], line;
    unsigned count;
    int64_t at;

    assert_int_not_equal(space_translate(&machine.space, linear, &physical, tables, &count), 0);
    line = physical / LINE;
    *modified = -1;
    struct l1_line *inner = l1_peek(&machine.vpmu->caches.l1d, line);
    if (inner) {
        assert_int_equal(inner->ready, 0);
        *modified = inner->modified;
        return SOURCE_L1;
    }
    if ((at = outer_find(&caches->l2, line)) >= 0) {
        *modified = caches->l2.modified[at];
        return SOURCE_L2;
    }
    if ((at = outer_find(&caches->node->l3, line)) >= 0) {
        *modified = caches->node->l3.modified[at];
        return SOURCE_L3;
    }
    return SOURCE_DRAM;
}

TEST_WITH(what_was_filled_last_is_nearest, setup, teardown)
{
    for (unsigned shuffled = 0; shuffled < 2; shuffled++) {
        const uint64_t bytes = 8 * KB * KB;
        uint64_t found[CACHE_SOURCES] = {0};

        space_init(&machine.space, 12, shuffled ? FRAMES_SHUFFLED : FRAMES_CONTIGUOUS);
        fill(ARENA, bytes);
        for (uint64_t at = 0; at < bytes; at += LINE) {
            int modified;
            enum cache_source source = place(ARENA + at, &modified);

            found[source]++;
            if (shuffled)
                continue;
            assert_int_equal(source, at >= bytes - L1             ? SOURCE_L1
                                     : at >= bytes - L1 - L2      ? SOURCE_L2
                                     : at >= bytes - L1 - L2 - L3 ? SOURCE_L3
                                                                  : SOURCE_DRAM);
            assert_int_equal(modified, source == SOURCE_DRAM ? -1 : LINE_MODIFIED);
        }
        /* With frames in any order the L1 (32 KB a way) and the L2 (32 KB) fill unevenly, but completely. */
        assert_int_equal(found[SOURCE_L1], L1 / LINE);
        assert_int_equal(found[SOURCE_L2], L2 / LINE);
        assert_true(found[SOURCE_L3] <= L3 / LINE);
        assert_true(found[SOURCE_L3] > L3 / LINE * 9 / 10);
    }
}

/* Exactly the lines that were touched are filled, including those at the edges. */
TEST_WITH(edges, setup, teardown)
{
    static const struct {
        uint64_t from, bytes, first, lines;
    } rows[] = {{0, 0, 0, 0},  {0, 1, 0, 1},    {0, 64, 0, 1},      {0, 65, 0, 2},
                {63, 2, 0, 2}, {64, 64, 64, 1}, {4095, 2, 4032, 2}, {130, 4096, 128, 65}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        machine_free(&machine);
        machine_init(&machine, VPMU_REV_C, &paper_map, 1);
        fill(ARENA + rows[i].from, rows[i].bytes);
        for (uint64_t at = 0; at < 16384; at += LINE) {
            bool in = at >= rows[i].first && at < rows[i].first + rows[i].lines * LINE;
            int modified;

            if (place(ARENA + at, &modified) != (in ? SOURCE_L1 : SOURCE_DRAM))
                fail_msg("row %u: %llx", i, (unsigned long long)at);
        }
    }
}

/* Filling a second time changes only the order; nothing is counted, and no time passes. */
TEST_WITH(nothing_is_counted, setup, teardown)
{
    struct caches *caches = &machine.vpmu->caches;
    static struct caches before;
    uint64_t tsc = vpmu_tsc(machine.vpmu);

    before = *caches;
    fill(ARENA, 4 * KB * KB);
    fill(ARENA, 4 * KB * KB);
    before.l1d = caches->l1d;
    assert_memory_equal(&before, caches, sizeof(before));
    assert_int_equal(vpmu_tsc(machine.vpmu), tsc);
}

/* A line that is in the L1D is modified in place: nothing is evicted for it. */
TEST_WITH(what_is_near_already, setup, teardown)
{
    struct caches *own = &machine.vpmu->caches;
    uint64_t physical, tables[4];
    struct dc_result result;
    unsigned count;

    space_init(&machine.space, 12, FRAMES_CONTIGUOUS);
    (void)space_translate(&machine.space, ARENA, &physical, tables, &count);
    fill(ARENA + L1 / 2, LINE); /* the other way of its set */
    caches_data(own, physical, 0, false, &result);
    assert_int_equal(l1_peek(&own->l1d, physical / LINE)->modified, LINE_EXCLUSIVE);
    fill(ARENA, LINE);
    assert_int_equal(l1_peek(&own->l1d, physical / LINE)->modified, LINE_MODIFIED);
    assert_non_null(l1_peek(&own->l1d, (physical + L1 / 2) / LINE));
}

static unsigned none(void *context, uint64_t linear, uint64_t *physical, uint64_t tables[4], unsigned *count)
{
    (void)context;
    *count = 0;
    *physical = linear;
    return linear >= ARENA + 4096 ? 12 : 0;
}

TEST_WITH(pages_that_are_not_mapped, setup, teardown)
{
    machine.vpmu->config.translate = none;
    fill(ARENA, 8192);
    assert_null(l1_peek(&machine.vpmu->caches.l1d, ARENA / LINE));
    assert_null(l1_peek(&machine.vpmu->caches.l1d, (ARENA + 4095) / LINE));
    assert_non_null(l1_peek(&machine.vpmu->caches.l1d, (ARENA + 4096) / LINE));
}

static void other_core_loses_it(unsigned node)
{
    const struct vpmu_params *params = vpmu_params_of(VPMU_REV_C);
    struct caches *own;
    static struct caches other;
    void *memory = calloc(1, caches_memory(params));
    struct dc_result result;
    uint64_t physical, tables[4];
    unsigned count;

    machine_free(&machine);
    machine_init(&machine, VPMU_REV_C, &paper_map, 1);
    own = &machine.vpmu->caches;
    (void)space_translate(&machine.space, ARENA, &physical, tables, &count);
    caches_init(&other, params, memory);
    assert_false(caches_join(&other, own, 2)); /* before there is a second core */
    assert_true(caches_join(&other, own, node));
    for (unsigned had = 0; had < 2; had++) {
        if (had)
            caches_data(own, physical, 1000, false, &result);
        caches_data(&other, physical, 2000, true, &result);
        if (had)
            caches_data(own, physical, 3000, false, &result);
        assert_non_null(l1_peek(&other.l1d, physical / LINE));
        fill(ARENA, LINE);
        assert_null(l1_peek(&other.l1d, physical / LINE));
        assert_int_equal(l1_peek(&own->l1d, physical / LINE)->modified, LINE_MODIFIED);
    }
    /* The line leaves the other core's L2, where a page walk has put it. */
    (void)caches_walk(&other, physical + LINE);
    assert_true(outer_find(&other.l2, physical / LINE + 1) >= 0);
    fill(ARENA + LINE, LINE);
    assert_int_equal(outer_find(&other.l2, physical / LINE + 1), -1);
    free(memory);
}

/* The core that fills a line has it alone, even if the line was shared, with a core on this node or on another. */
TEST_WITH(other_cores_lose_it, setup, teardown)
{
    for (unsigned node = 0; node < 2; node++)
        other_core_loses_it(node);
}

RUN_TESTS(NULL, NULL)
