/* SPDX-License-Identifier: BSD-2-Clause */
/* The prefetcher's history when its lines share a hash: no count by hash may fall below zero. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "vpmu/model/caches/cache.h"

enum {
    PAUSE = 10000, /* cycles between accesses, so that nothing is in flight any more */
    LAST_HASH = STREAM_HASHES - 1,
};

static struct caches caches;
static uint64_t now;

static void access_line(uint64_t line)
{
    struct dc_result result;

    now += PAUSE;
    caches_data(&caches, line << LINE_SHIFT, now, false, &result);
}

/* Makes misses on lines that are no neighbours and have the given hash. Returns the last line. */
static uint64_t miss(uint32_t count, uint64_t hash)
{
    uint64_t line = hash;

    for (uint32_t i = 0; i < count; i++) {
        line += STREAM_HASHES;
        access_line(line);
    }
    return line;
}

static void assert_descends(uint64_t line)
{
    uint64_t before = caches.prefetches;

    access_line(line - 1);
    assert_int_equal(caches.prefetches, before + 1);
}

static int setup(void **state)
{
    const struct vpmu_params *params = vpmu_params_of(VPMU_REV_C);

    *state = calloc(1, caches_memory(params));
    caches_init(&caches, params, *state);
    return 0;
}

static int teardown(void **state)
{
    free(*state);
    return 0;
}

/* The hashes include that of LINE_NONE, with which the history begins. */
TEST_WITH(test_one_hash, setup, teardown)
{
    static const uint32_t counts[] = {1, STREAM_HISTORY, STREAM_HASHES - STREAM_HISTORY, STREAM_HASHES};

    for (uint32_t hash = 100; hash < STREAM_HASHES; hash += LAST_HASH - 100)
        for (uint32_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
            caches_empty(&caches);
            assert_descends(miss(counts[i], hash));
        }
}

TEST_WITH(test_emptied_again_and_again, setup, teardown)
{
    uint64_t line = 0;

    for (uint32_t i = 0; i < STREAM_HASHES / STREAM_HISTORY; i++) {
        caches_empty(&caches);
        line = miss(STREAM_HISTORY, 100);
    }
    assert_descends(line);
}

/* A line that left the history starts no stream. */
TEST_WITH(test_forgotten, setup, teardown)
{
    uint64_t line;

    caches_empty(&caches);
    line = miss(1, 100);
    for (uint32_t i = 0; i < STREAM_HISTORY; i++)
        access_line(0x100000 + STREAM_HASHES * i);
    access_line(line - 1);
    assert_int_equal(caches.prefetches, 0);
}

RUN_TESTS(NULL, NULL)
