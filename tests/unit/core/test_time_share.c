/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The estimate of time: small programs of which each step is worked out by hand. Times in flight are the same for all
 * samples of a row unless a test says otherwise, so nothing is left to chance.
 *
 * Advances and rooms below are cycles for each sample. Thousandths: the estimate counts in 1024ths of a cycle.
 */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/ibs_regs.h"
#include "core/time_share.h"

enum { ROWS = SMALL_INSNS + 1, OUTSIDE = SMALL_INSNS, NEAR = 600 };

static struct time_share_sample memory[TIME_SHARE_SAMPLES];
static struct time_share_row rows[ROWS];
static struct time_share share;

#define TAKEN           (IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN)
#define MISS            (IBS_LD_OP | IBS_DC_MISS)
#define LATENCY(cycles) ((uint64_t)(cycles) << 32)

/* Row n + 1 follows row n, up to the given number of rows; the others follow nothing. */
static void begin(unsigned following)
{
    for (unsigned i = 0; i < ROWS; i++)
        rows[i].follows = i > 0 && i < following;
    time_share_init(&share, memory, rows, ROWS);
}

static void add_one(uint32_t row, unsigned in_flight, unsigned waited, uint64_t data, uint64_t data3)
{
    struct sample_record record = {.kind = SAMPLE_OP};

    record.reg[IBS_OP_DATA] = (uint64_t)in_flight << 16 | waited | data;
    record.reg[IBS_OP_DATA3] = data3;
    time_share_add(&share, row, &record);
}

/* 100 samples: ten of each group. */
static void add(uint32_t row, unsigned in_flight, unsigned waited, uint64_t data, uint64_t data3)
{
    for (unsigned i = 0; i < 100; i++)
        add_one(row, in_flight, waited, data, data3);
}

static void assert_near(const char *what, uint32_t value, uint32_t expected)
{
    if (value + NEAR < expected || value > expected + NEAR)
        fail_msg("%s: %u, expected %u", what, value, expected);
}

/* Shares of the first rows in millionths, and of the front end. Each round of one sample a row takes so many cycles, in
 * thousandths. */
static void assert_shares(uint32_t cycles_milli, unsigned count, const uint32_t *expected, uint32_t front)
{
    char name[20];

    assert_true(time_share_estimate(&share, cycles_milli, 1000ull * count));
    for (unsigned i = 0; i < count; i++) {
        snprintf(name, sizeof(name), "row %u", i);
        assert_near(name, rows[i].part.share, expected[i]);
    }
    assert_near("front end", share.front.share, front);
}

/* A line of an addition, a move that waits, a division; the next round's addition waits for it. The division advances
 * by the 20 cycles that it is longer in flight; what is left of 26 goes to the addition, which is first. It retires
 * with the move: they share a cycle, the division has one alone. */
static void test_line(void **state)
{
    begin(3);
    add(0, 100, 1, 0, 0);
    add(1, 100, 98, 0, 0);
    add(2, 120, 1, 0, 0);
    assert_shares(26000, 3, (uint32_t[]){213287, 13986, 772727}, 0);
}

/* A load that misses has all that the others wait for. They retire in one cycle. */
static void test_miss(void **state)
{
    begin(3);
    add(0, 1900, 1, 0, MISS | LATENCY(160));
    add(1, 1900, 1898, 0, 0);
    add(2, 1900, 1897, TAKEN, 0);
    assert_shares(170000, 3, (uint32_t[]){996078, 1961, 1961}, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_miss),

    };

    return cmocka_run_group_tests_name("test_time_share", tests, NULL, NULL);
}
