/* SPDX-License-Identifier: BSD-2-Clause */
/* Strides and lines of loads with known accesses, sampled as IBS does, some hundred ops apart. */
#include <math.h>
#include <stdlib.h>

#include "core/base/rng.h"
#include "tests/unit/test.h"
#include "tools/ibsprof/profile/data/stride.h"

enum { SAMPLES = 2000, JITTER = 128 };

static struct stride_access accesses[SAMPLES];
static struct rng rng;

/* Samples a load that is executed once in 'ops' ops; execution n is at address(n). One op in 'period', plus up to
 * JITTER more, is sampled, whichever it is; the load's samples are kept. Returns their number. */
static uint32_t sample(uint64_t (*address)(uint64_t n), uint32_t ops, uint32_t period, uint32_t samples)
{
    uint64_t at = 0, told = 0;
    uint32_t count = 0;

    while (count < samples) {
        at += period + rng_below(&rng, JITTER);
        told += period;
        if (at % ops == 0)
            accesses[count++] = (struct stride_access){address(at / ops), told, 3 * at, 0, 0};
    }
    return count;
}

/* Gives a load's accesses, in their order, and returns its stride. */
static struct stride stride(uint32_t count, uint64_t period)
{
    struct stride_pairs pairs = {0};
    struct stride found;

    stride_begin(&pairs);
    for (uint32_t i = 1; i < count; i++)
        stride_add(&pairs, &accesses[i - 1], &accesses[i]);
    found = stride_of(&pairs, period);
    free(pairs.pair);
    return found;
}

static int by_address(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

static struct stride_reuse reuse(uint32_t count)
{
    struct stride_lines lines = {0};
    uint64_t addresses[SAMPLES];

    for (uint32_t i = 0; i < count; i++)
        addresses[i] = accesses[i].address;
    qsort(addresses, count, sizeof(*addresses), by_address);
    for (uint32_t i = 0; i < count; i++)
        stride_line_add(&lines, addresses[i]);
    return stride_reuse_of(&lines);
}

static void expect(struct stride got, enum stride_kind kind, int64_t bytes)
{
    assert_int_equal(got.kind, kind);
    assert_int_equal(got.bytes, bytes);
    assert_true(kind != STRIDE_STEADY || (got.agree >= 4 && 3 * got.agree >= got.pairs));
}

static uint64_t forward(uint64_t n)
{
    return 0x10000 + n % 65536 * 64;
}

static uint64_t backward(uint64_t n)
{
    return 0x900000 - n % 100000 * 24;
}

/* Returns the address of b[k][j] in a multiplication of 1000 rows: down a column, then down the next one. */
static uint64_t column(uint64_t n)
{
    return 0x400000 + n % 1000 * 4000 + n / 1000 % 1000 * 4;
}

static uint64_t scrambled(uint64_t n)
{
    uint64_t x = n * 0x9E3779B97F4A7C15u;

    x ^= x >> 29;
    return 0x100000 + x * 0xBF58476D1CE4E5B9u % 16384 * 64;
}

static uint64_t two_places(uint64_t n)
{
    return n % 64 ? 0x7000 : 0x8000;
}

/* Returns addresses of passes with 512 executions, some of which lie between two samples. */
static uint64_t short_pass(uint64_t n)
{
    return 0x10000 + n % 512 * 8;
}

TEST(strides_that_are_known)
{
    struct stride got;

    rng_seed(&rng, 1);
    for (uint32_t ops = 1; ops <= 9; ops += 4)
        expect(stride(sample(forward, ops, 5000, 300), 5000), STRIDE_STEADY, 64);
    expect(stride(sample(backward, 7, 3000, 200), 3000), STRIDE_STEADY, -24);
    got = stride(sample(column, 22, 2000, 1000), 2000);
    expect(got, STRIDE_STEADY, 4000);
    assert_true(got.pairs <= 500); /* only the nearest pairs: most are in another column */
    assert_int_equal(got.divisor, 4);
}

/* If the number of ops between samples is unknown, time is used, or what the samples count. */
TEST(strides_by_time)
{
    rng_seed(&rng, 2);
    expect(stride(sample(forward, 4, 5000, 300), 0), STRIDE_STEADY, 64);
    for (uint32_t i = 0; i < 300; i++)
        accesses[i].ops = i;
    expect(stride(300, 0), STRIDE_STEADY, 64);
    assert_int_equal(stride(300, 1).kind, STRIDE_NONE);
}

/* If other work takes the time, ops decide. */
TEST(strides_by_ops)
{
    uint64_t time = 0;
    uint32_t count;

    rng_seed(&rng, 6);
    count = sample(forward, 5, 2000, 400);
    for (uint32_t i = 0; i < count; i++)
        accesses[i].time = time += 1 + rng_below(&rng, 1000000);
    expect(stride(count, 2000), STRIDE_STEADY, 64);
}

TEST(no_stride)
{
    struct stride got;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        rng_seed(&rng, seed);
        got = stride(sample(scrambled, 3, 4000, 20 + 50 * (uint32_t)seed), 4000);
        expect(got, STRIDE_NONE, 0);
        assert_int_equal(got.divisor, 64);
    }
    got = stride(sample(two_places, 1, 4000, 300), 4000);
    expect(got, STRIDE_FIXED, 0);
    assert_in_range(got.agree, 270, 299);
    assert_int_equal(stride(sample(forward, 4, 5000, 8), 5000).kind, STRIDE_FEW);
    assert_int_equal(stride(0, 5000).kind, STRIDE_FEW);
}

/* Returns addresses of passes such that samples are a whole pass less some executions apart, and addresses seem to go
 * down; or half a pass apart, and both directions look alike. */
static uint64_t long_pass(uint64_t n)
{
    return 0x10000 + n % 2048 * 8;
}

TEST(the_way_that_it_goes)
{
    struct stride got;

    rng_seed(&rng, 5);
    got = stride(sample(long_pass, 8, 1300 * 8, 200), 1300 * 8);
    assert_true(got.kind == STRIDE_NONE || (got.kind == STRIDE_STEADY && (got.bytes == 8 || got.either)));
    got = stride(sample(long_pass, 8, 1024 * 8, 1000), 1024 * 8);
    assert_true(got.kind == STRIDE_STEADY && got.either && llabs(got.bytes) == 8);
    got = stride(sample(long_pass, 8, 300 * 8, 200), 300 * 8);
    expect(got, STRIDE_STEADY, 8);
    assert_false(got.either);
}

/* Samples that are some passes and a bit apart differ as regularly, but not by the number of executions between
 * them. */
TEST(passes_between_samples)
{
    rng_seed(&rng, 3);
    assert_int_equal(stride(sample(short_pass, 4, 512 * 4 * 3 - 300, 300), 512 * 4 * 3 - 300).kind, STRIDE_NONE);
}

/* With two threads the executions between their samples tell nothing. */
TEST(streams_are_apart)
{
    uint32_t count;

    rng_seed(&rng, 4);
    count = sample(forward, 4, 5000, 300);
    for (uint32_t i = 0; i < count; i++)
        accesses[i].stream = i;
    assert_int_equal(stride(count, 5000).kind, STRIDE_FEW);
}

/* If there are more pairs than are kept, each has the same chance to be kept, so the stride and the share that agrees
 * stay. */
TEST(more_pairs_than_are_kept)
{
    enum { PAIRS = 4 * STRIDE_PAIRS };
    struct stride_pairs pairs = {0};
    struct stride_access before = {0};
    struct stride got;

    rng_seed(&rng, 7);
    stride_begin(&pairs);
    for (uint64_t i = 1; i <= PAIRS; i++) {
        /* The first half advances by 16 bytes with each execution; in the other half one of four is anywhere. */
        bool astray = i > PAIRS / 2 && i % 4 == 0;
        uint32_t executed = 1000 + rng_below(&rng, 1000);
        struct stride_access access = {.address = before.address + (astray ? rng_below(&rng, 1 << 30) : 16 * executed),
                                       .ops = before.ops + executed,
                                       .time = before.time + executed};

        stride_add(&pairs, &before, &access);
        before = access;
    }
    assert_int_equal(pairs.count, STRIDE_PAIRS);
    assert_int_equal(pairs.seen, PAIRS);
    got = stride_of(&pairs, 0);
    expect(got, STRIDE_STEADY, 16);
    assert_int_equal(got.pairs, STRIDE_PAIRS);
    /* 7 of 8 pairs agree; the standard deviation is 0.1 %. */
    assert_in_range(got.agree, STRIDE_PAIRS * 0.87, STRIDE_PAIRS * 0.88);
    stride_begin(&pairs);
    assert_int_equal(pairs.count + pairs.seen, 0);
    free(pairs.pair);
}

/* Lines are used evenly: their number is found within four of the stated errors, and as often as expected within
 * one. */
TEST(lines_that_are_used)
{
    double square = 0;

    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct stride_reuse got;

        rng_seed(&rng, seed);
        got = reuse(sample(scrambled, 3, 4000, SAMPLES));
        square += pow((got.used - 16384) / got.used_error, 2);
        assert_true(fabs(got.used - 16384) < 4 * got.used_error);
        assert_true(fabs(got.again - got.even) < 4 * sqrt(got.even / SAMPLES));
        assert_true(got.used_error / got.used > 0.05 && got.used_error / got.used < 0.11);
    }
    assert_true(square / 50 > 0.5 && square / 50 < 1.6); /* the error is neither too large nor too small */
}

TEST(lines_that_are_not_used_again)
{
    struct stride_reuse got;

    for (uint32_t i = 0; i < 100; i++)
        accesses[i] = (struct stride_access){.address = 0x10020 + 6400 * i};
    got = reuse(100);
    assert_int_equal(got.lines, 100);
    assert_int_equal(got.pages, 100);
    assert_int_equal(got.first, 0x10020);
    assert_int_equal(got.last, 0x10020 + 99 * 6400);
    assert_true(got.again == 0 && got.used_least);
    assert_true(fabs(got.used - 99 * 100 / 2 / 3.0) < 1e-9);
    assert_true(fabs(got.even - 99 / 2.0 / 9901) < 1e-4);
    accesses[50].address = accesses[20].address + 31; /* the line's last byte */
    assert_true(fabs(reuse(100).used - 99 * 100 / 2 / 4.74) < 1e-9);
    assert_int_equal(reuse(100).lines, 99);
    got = reuse(1);
    assert_true(got.again == 0 && got.even == 0 && got.used == 0 && got.used_least);
    for (uint32_t i = 0; i < 100; i++)
        accesses[i].address = 0x10000 + i % 64;
    got = reuse(100);
    assert_true(got.used == 1 && got.used_error == 0 && !got.used_least);
}

RUN_TESTS(NULL, NULL)
