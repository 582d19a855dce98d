/* SPDX-License-Identifier: BSD-2-Clause */
/* The estimate of time: small programs in which each step is worked out by hand. Times in flight are the same for all
 * samples of a row unless a test says otherwise, so nothing depends on chance. The comments give advances and free
 * cycles ("room") per sample, in thousandths, because the estimate counts in 1024ths of a cycle. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "core/ibs/time_share.h"

enum { ROWS = SMALL_INSNS + 1, OUTSIDE = SMALL_INSNS, NEAR = 200 };

static struct time_share_sample memory[TIME_SHARE_SAMPLES];
static struct time_share_row rows[ROWS];
static struct time_share share;
static char text[8000];

#define TAKEN           (IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN)
#define WRONG           (IBS_OP_BRN_RET | IBS_OP_BRN_MISP)
#define HIT             IBS_LD_OP
#define MISS            (IBS_LD_OP | IBS_DC_MISS)
#define LATENCY(cycles) ((uint64_t)(cycles) << 32)

/* Begins a test in which row n + 1 follows row n, up to the given number of rows; the others follow nothing. */
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

/* Adds 100 samples: ten in each group. */
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

/* Compares the shares of the first rows and of the front end, in millionths. A round with one sample of each row takes
 * so many cycles, in thousandths. */
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

/* Compares, in 1024ths, the parts of a row's samples that retire first, second and third in their cycle, and the part
 * of the cycle that each sample has. */
static void assert_places(unsigned row, uint64_t first, uint64_t second, uint64_t third, uint64_t alone)
{
    const struct time_share_work *work = &rows[row].work;

    assert_int_equal(work->place[0], first);
    assert_int_equal(work->place[1], second);
    assert_int_equal(work->place[2], third);
    assert_int_equal(work->alone, alone);
}

/* An addition, a move that waits, and a division make a line; the next round's addition waits for the division. The
 * division advances by the 20 cycles that it is longer in flight; the rest of the 26 cycles goes to the addition, which
 * is first. The addition retires with the move: both share a cycle, and the division has a cycle alone. */
TEST(test_line)
{
    begin(3);
    add(0, 100, 1, 0, 0);
    add(1, 100, 98, 0, 0);
    add(2, 120, 1, 0, 0);
    assert_shares(26000, 3, (uint32_t[]){211538, 19231, 769231}, 0);
    /* The case is deterministic, so the interval is empty. */
    assert_near("low", rows[2].part.low, 769231);
    assert_near("high", rows[2].part.high, 769231);
}

/* A load that misses gets all the cycles for which the others wait. They retire in one cycle. */
TEST(test_miss)
{
    begin(3);
    add(0, 1900, 1, 0, MISS | LATENCY(160));
    add(1, 1900, 1898, 0, 0);
    add(2, 1900, 1897, TAKEN, 0);
    assert_shares(170000, 3, (uint32_t[]){996078, 1961, 1961}, 0);
}

/* Two ops share the cycles in proportion to the cycles that each can have taken by itself. */
TEST(test_own_cycles)
{
    static const struct {
        unsigned in_flight, waited;
        uint64_t data3;
        unsigned cycles;
    } ops[] = {
        {500, 1, HIT, 5},
        {500, 1, HIT | IBS_DC_L1TLB_MISS, 5 + 3},
        {500, 1, HIT | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS, 5 + 18},
        {500, 1, MISS | LATENCY(40), 5 + 40},
        {500, 1, MISS | LATENCY(40) | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS, 5 + 40 + 18},
        {500, 1, HIT | LATENCY(40), 5}, /* no miss: not valid */
        {500, 1, MISS | LATENCY(40) | IBS_DC_ST_TO_LD_FWD, 3},
        {500, 1, IBS_ST_OP | IBS_DC_MISS | LATENCY(40), 3},
        {500, 1, 0, 3},
        {31, 1, MISS | LATENCY(400), 30}, /* no longer than it ran */
        {3, 1, 0, 2},                     /* from the op's dispatch to its retirement, with the pipeline empty */
        {500, 2, MISS | LATENCY(40), 0},  /* the op waited, but held nothing up */
    };

    for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        unsigned all = ops[i].cycles + 45;
        uint32_t second = 500000;

        begin(0);
        add(0, 500, 1, 0, MISS | LATENCY(40));
        add(1, ops[i].in_flight, ops[i].waited, 0, ops[i].data3);
        if (ops[i].cycles > 0) {
            second = ops[i].cycles * 1000000u / all;
            /* The ops take half of the free cycles, which is more than a cycle for each. */
            assert_shares(all * (ops[i].cycles > 3 ? 500 : 1000), 2, (uint32_t[]){1000000 - second, second}, 0);
        } else {
            assert_shares(45000, 2, (uint32_t[]){990962, 9038}, 0);
        }
    }
}

/* No op is long in flight: 14 cycles are more than an op dispatched into an empty pipeline and an op that waits for it
 * can have taken. They get 2 and 1.05: 1, and a 20th of what a second cycle would be. */
TEST(test_front_end)
{
    begin(2);
    add(0, 3, 1, 0, 0);
    add(1, 4, 1, 0, 0);
    assert_shares(14000, 2, (uint32_t[]){142857, 74986}, 782157);
    assert_near("low", share.front.low, 782157);
    assert_near("high", share.front.high, 782157);
}

/* Long ops have room if there is a 50th of a cycle for each op: three cycles each, 7 of 1007. They then take what is
 * left; with 6 of 1006 they do not. */
TEST(test_some_long)
{
    for (unsigned some = 0; some < 2; some++) {
        begin(0);
        for (unsigned i = 0; i < 1000; i++)
            add_one(0, 3, 1, 0, 0);
        for (unsigned i = 0; i < (some ? 7 : 6); i++)
            add_one(1, 50, 1, 0, 0);
        assert_true(time_share_estimate(&share, 14, 1));
        assert_true(some ? share.front.share == 0 : share.front.share > 800000);
        assert_true(some ? rows[1].part.share > 800000 : rows[1].part.share < 10000);
    }
}

/* A mispredicted branch costs 9 cycles, unless the cycles have no room for that. */
TEST(test_mispredicted)
{
    begin(2);
    add(0, 3, 1, 0, 0);
    add(1, 4, 1, WRONG, 0);
    assert_shares(13000, 2, (uint32_t[]){153846, 773062}, 73092);
    begin(2);
    add(0, 3, 1, 0, 0);
    add(1, 4, 1, WRONG, 0);
    assert_shares(5000, 2, (uint32_t[]){400000, 209960}, 390040);
    begin(2);
    add(0, 3, 1, 0, 0);
    add(1, 4, 1, IBS_OP_BRN_MISP, 0); /* no branch: not valid */
    assert_shares(14000, 2, (uint32_t[]){142857, 74986}, 782157);
}

/* If there is no room for refills, a mispredicted branch is treated as any other op. */
TEST(test_no_room_for_refills)
{
    uint64_t values[2][2];

    for (unsigned wrong = 0; wrong < 2; wrong++) {
        begin(2);
        add(0, 3, 1, 0, 0);
        add(1, 4, 1, wrong ? WRONG : IBS_OP_BRN_RET, 0);
        assert_true(time_share_estimate(&share, 5, 2));
        values[wrong][0] = rows[0].work.value;
        values[wrong][1] = rows[1].work.value;
    }
    assert_memory_equal(values[0], values[1], sizeof(values[0]));
}

/* There is room for refills from the cycles of the refills and a third of a cycle for each op on. */
TEST(test_just_room_for_refills)
{
    const uint64_t refills = 100 * 9 * TIME_SHARE_UNIT, needed = refills + 200 * TIME_SHARE_UNIT / 3;

    for (unsigned less = 0; less < 2; less++) {
        begin(2);
        add(0, 3, 1, 0, 0);
        add(1, 4, 1, WRONG, 0);
        assert_true(time_share_estimate(&share, needed - less, 200 * TIME_SHARE_UNIT));
        if (less)
            assert_in_range(rows[1].work.value, 0, refills - 1);
        else
            assert_in_range(rows[1].work.value, refills, needed);
    }
}

/* An op that is less in flight than the row before is the first of a line, and has all of its two cycles. Otherwise it
 * has 0.3 of them, and the rest of its samples retire with the op before: 0.8 of a cycle each. */
TEST(test_first_of_line)
{
    begin(2);
    add(0, 20, 1, 0, 0);
    add(1, 10, 1, 0, 0);
    assert_shares(5000, 2, (uint32_t[]){600000, 400000}, 0);
    begin(2);
    add(0, 20, 1, 0, 0);
    add(1, 20, 1, 0, 0);
    assert_shares(3600, 2, (uint32_t[]){777800, 222200}, 0);
}

/* The fourth op begins a line, so it advances by at least a cycle. The rows advance by 3, 0.6, 0.6 and 2, and have
 * 0.773, 0.653, 0.773 and 1 of the cycles in which they retire. */
TEST(test_width)
{
    begin(4);
    for (unsigned i = 0; i < 4; i++)
        add(i, 20, 1, 0, 0);
    assert_shares(6199, 4, (uint32_t[]){447330, 105340, 124710, 322620}, 0);
    /* 614 of 1024 samples advance, and 410 retire with the row before. 410 * 614 / 1024 is 245, 410 * 410 / 1024 is
     * 164. */
    assert_places(0, 1024, 0, 0, 790); /* 614 alone, 410 * 614 / 2 and 410 * 410 / 3 */
    assert_places(1, 614, 410, 0, 668);
    assert_places(2, 615, 245, 164, 792); /* no later row retires with the first ones: 615, 245 / 2, 164 / 3 */
    assert_places(3, 1024, 0, 0, 1024);
}

/* The row before must fall through at least half as often as the row is executed, and its samples that are taken
 * branches tell nothing of the row. The row has 10 of 30 cycles by the difference, or half of them. */
TEST(test_row_before)
{
    for (unsigned taken = 40; taken <= 60; taken += 10) {
        begin(2);
        for (unsigned i = 0; i < 100; i++) {
            add_one(0, i % 10 < taken / 10 ? 11 : 20, 1, i % 10 < taken / 10 ? TAKEN : IBS_OP_BRN_RET, 0);
            add_one(1, 30, 1, 0, 0);
        }
        if (taken <= 50)
            assert_shares(30000, 2, (uint32_t[]){666667, 333333}, 0);
        else
            assert_shares(30000, 2, (uint32_t[]){500000, 500000}, 0);
    }
    begin(1);
    add(0, 20, 1, 0, 0);
    add(1, 30, 1, 0, 0);
    assert_shares(30000, 2, (uint32_t[]){500000, 500000}, 0);
}

/* The 60 % that are least in flight count: 24 and 36 cycles have the mean 30 with an error of 0.781, which leaves 9.219
 * of 30. */
TEST(test_middle)
{
    begin(2);
    for (unsigned i = 0; i < 1000; i++)
        add_one(0, 20, 1, 0, 0);
    for (unsigned i = 0; i < 100; i++)
        for (unsigned n = 0; n < 10; n++)
            add_one(1, n < 3 ? 24 : n < 6 ? 36 : 9000, 1, 0, 0);
    assert_true(time_share_estimate(&share, 30, 2));
    assert_near("row 1", rows[1].part.share, 325100); /* 1000 samples: 0.245 */
}

/* The error of the row before counts as well: 0.245, and with the error of the row itself 0.346, of 30 cycles. */
TEST(test_middle_of_the_row_before)
{
    for (unsigned both = 0; both < 2; both++) {
        begin(2);
        for (unsigned i = 0; i < 100; i++)
            for (unsigned n = 0; n < 10; n++) {
                add_one(0, n < 3 ? 24 : n < 6 ? 36 : 9000, 1, 0, 0);
                add_one(1, n < 6 ? 60 - 6 * both + 12 * both * (n >= 3) : 9000, 1, 0, 0);
            }
        assert_true(time_share_estimate(&share, 60, 2));
        assert_in_range(rows[1].work.advance, both ? 30355 : 30460, both ? 30375 : 30480);
    }
}

/* Half of the branches in row 1 are taken, to row 0, which no row is known to precede. In the first case row 0 advances
 * by 3 cycles, and no sample retires with an op before; in the second by half a cycle, and half of its samples do,
 * second or third, as the branches retire first or second. Rows 1 and 2 advance by 0.6 and 0.1. */
TEST(test_taken)
{
    static const struct {
        unsigned cycles;
        uint32_t shares[3];
    } turns[] = {{38994, {714580, 186290, 99120}}, {6499, {372540, 423980, 203510}}};

    for (unsigned turn = 0; turn < 2; turn++) {
        begin(3);
        for (unsigned i = 0; i < 100; i++) {
            add_one(0, 20, 1, 0, 0);
            add_one(1, 20, 1, i / 10 % 2 ? TAKEN : IBS_OP_BRN_RET, 0);
            if (i / 10 % 2)
                add_one(2, 20, 1, 0, 0);
        }
        assert_true(time_share_estimate(&share, turns[turn].cycles, 25000));
        for (unsigned i = 0; i < 3; i++)
            assert_in_range(rows[i].part.share, turns[turn].shares[i] - 300, turns[turn].shares[i] + 300);
    }
    /* Row 0 shares a cycle in 512 of 1024 cases, rows 1 and 2 in 922. A third of row 0 is first assumed to follow each
     * place: 170, so row 1 has 256, 615 and 153 of its branches, and of row 0 512 * 256 / 1024 are second, 512 * 615 /
     * 1024 third. */
    assert_places(0, 589, 128, 307, 408);
    assert_places(1, 379, 530, 115, 465);
    assert_places(2, 206, 341, 477, 446);
}

/* Rows whose ops nearly always waited advance by a cycle at most. They have all of the cycle if all but the least tenth
 * of them are equally long in flight, within a cycle; otherwise a third. */
TEST(test_waited)
{
    static const struct {
        unsigned least, most;
        uint32_t second;
    } times[] = {{31, 31, 33333}, {30, 31, 33333}, {30, 32, 16667}};

    for (unsigned t = 0; t < sizeof(times) / sizeof(times[0]); t++) {
        begin(2);
        for (unsigned i = 0; i < 100; i++) {
            add_one(0, 20, 1, 0, 0);
            add_one(1, i < 10 ? 29 : i < 50 ? times[t].least : times[t].most, 5, 0, 0);
        }
        assert_true(time_share_estimate(&share, 30, 2));
        assert_near("row 1", rows[1].part.share, times[t].second);
    }
}

/* A store that is 40 cycles longer in flight than the row before advances by two. An op that also loads advances by
 * 40. */
TEST(test_stores)
{
    for (unsigned loads = 0; loads < 2; loads++) {
        begin(2);
        add(0, 20, 1, 0, 0);
        add(1, 60, 1, 0, IBS_ST_OP | (loads ? IBS_LD_OP : 0));
        assert_true(time_share_estimate(&share, 50, 2));
        assert_in_range(rows[1].work.advance, (loads ? 40 : 2) * 1024, (loads ? 45 : 2) * 1024);
    }
    /* The kind of the row is that of most of its samples. */
    for (unsigned stores = 1; stores < 100; stores++) {
        begin(2);
        add(0, 20, 1, 0, 0);
        for (unsigned i = 0; i < 100; i++)
            add_one(1, 60, 1, 0, i < stores ? IBS_ST_OP : 0);
        assert_true(time_share_estimate(&share, 50, 2));
        assert_in_range(rows[1].work.advance, (stores <= 50 ? 40 : 2) * 1024, (stores <= 50 ? 45 : 2) * 1024);
    }
}

/* A return has three ops, one of them a branch: executed as often as the row before, it advances by a third of the ten
 * cycles for each op. No row follows the return, though most of its samples are no branches. */
TEST(test_several_ops)
{
    begin(3);
    for (unsigned i = 0; i < 100; i++) {
        add_one(0, 20, 1, 0, 0);
        for (unsigned n = 0; n < 3; n++)
            add_one(1, 30, 1, n == 2 ? TAKEN : 0, 0);
        add_one(2, 30, 1, 0, 0);
    }
    assert_true(time_share_estimate(&share, 15, 5));
    assert_true(!rows[1].work.leads && rows[2].work.leads);
    assert_int_equal(rows[1].work.advance, 10 * 1024 / 3);
}

/* A row with more than twice the samples of the row before still follows that row if chance may be the reason: less
 * than two standard errors. */
TEST(test_few_samples)
{
    static const struct {
        unsigned before, row;
        bool leads;
    } counts[] = {{2, 5, false}, {3, 12, true}, {40, 90, true}, {45, 90, false}, {2, 9, true}, {2, 8, false}};

    for (unsigned c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
        begin(2);
        for (unsigned i = 0; i < counts[c].before; i++)
            add_one(0, 20, 1, 0, 0);
        for (unsigned i = 0; i < counts[c].row; i++)
            add_one(1, 30, 1, 0, 0);
        add(OUTSIDE, 20, 1, 0, 0);
        assert_true(time_share_estimate(&share, 20, 1));
        if (rows[1].work.leads != counts[c].leads)
            fail_msg("%u and %u: leads %u", counts[c].before, counts[c].row, rows[1].work.leads);
    }
}

/* The rows claim more than all cycles: they get as many as there are. */
TEST(test_too_many)
{
    begin(2);
    add(0, 20, 1, 0, 0);
    add(1, 50, 1, 0, 0);
    assert_shares(10000, 2, (uint32_t[]){64720, 935280}, 0);
}

/* Among short ops, a load that misses has 0.3 of its 7 cycles, and one that hits has a 20th of five. */
TEST(test_short_misses)
{
    begin(2);
    add(0, 8, 1, 0, 0);
    add(1, 8, 1, 0, MISS | LATENCY(2));
    assert_true(time_share_estimate(&share, 2, 2));
    assert_int_equal(rows[1].work.room, 7 * 307);
    begin(2);
    add(0, 8, 1, 0, 0);
    add(1, 8, 1, 0, HIT);
    assert_true(time_share_estimate(&share, 2, 2));
    assert_int_equal(rows[1].work.room, 5 * 51);
}

/* Ten groups of 20 have 8 and 12 samples of one row in turn. Without one of them the row has 92 or 88 of 180; the
 * variance of the mean is 0.9 * 10 * (2 / 180)^2, and Student's t is 2.262. */
TEST(test_interval)
{
    begin(0);
    for (unsigned i = 0; i < 200; i++)
        add_one(i / 10 < (i % 2 ? 12 : 8) ? 0 : 1, 20, 1, 0, 0);
    assert_true(time_share_estimate(&share, 5, 1));
    assert_near("share", rows[0].part.share, 500000);
    assert_near("low", rows[0].part.low, 424600);
    assert_near("high", rows[0].part.high, 575400);
    assert_near("other", rows[1].part.low, 424600);
    /* 8 or 12 of 20 branches are mispredicted, at 20 cycles an op: 9 cycles of each of these, and two of each op, are
     * not the front end's. */
    begin(0);
    for (unsigned i = 0; i < 200; i++)
        add_one(0, 3, 1, i / 10 < (i % 2 ? 12 : 8) ? WRONG : 0, 0);
    assert_true(time_share_estimate(&share, 20, 1));
    assert_near("front", share.front.share, 675000);
    assert_near("low", share.front.low, 641070);
    assert_near("high", share.front.high, 708930);
}

/* One row gets all that is to be distributed, to the last unit. */
TEST(test_all_is_given)
{
    uint64_t front, all;

    begin(1);
    add(0, 20, 1, 0, 0);
    assert_true(time_share_estimate(&share, 3, 1));
    all = time_share_values(&share, TIME_SHARE_ALL, 3, 1, &front);
    assert_int_equal(front, 0);
    assert_int_equal(all, 3 * 100 * TIME_SHARE_UNIT);
    assert_int_equal(rows[0].work.value, all);
}

/* Loads that have their data when they are dispatched, and retire at once, took no time: the front end gets all
 * cycles. */
TEST(test_nothing_is_given)
{
    begin(1);
    add(0, 1, 1, 0, HIT);
    assert_true(time_share_estimate(&share, 3, 1));
    assert_int_equal(rows[0].work.value, 0);
    assert_int_equal(share.front.share, TIME_SHARE_MILLION);
}

/* Whatever the samples, no row has more than all cycles, and the sum of all rows is all cycles, except for rounding. */
TEST(test_random_samples)
{
    struct rng rng;

    rng_seed(&rng, 7);
    for (unsigned round = 0; round < 300; round++) {
        unsigned samples = 100 + rng_below(&rng, 900), count = 1 + rng_below(&rng, ROWS),
                 long_ones = rng_below(&rng, 2);
        uint64_t front, all, sum = 0, cycles = 1 + rng_below(&rng, 100);

        begin(rng_below(&rng, ROWS));
        for (unsigned i = 0; i < samples; i++) {
            unsigned waited = 1 + rng_below(&rng, 20), more = rng_below(&rng, rng_below(&rng, 4) ? 8 : 200);
            bool load = rng_below(&rng, 2), branch = rng_below(&rng, 6) == 0;

            add_one(rng_below(&rng, count), waited + (long_ones ? more : more % 4), waited,
                    branch ? (rng_below(&rng, 3) ? TAKEN : WRONG) : 0, load ? MISS | LATENCY(rng_below(&rng, 50)) : 0);
        }
        assert_true(time_share_estimate(&share, cycles, 10));
        all = time_share_values(&share, TIME_SHARE_ALL, cycles, 10, &front);
        for (unsigned i = 0; i < ROWS; i++) {
            assert_in_range(rows[i].work.value, 0, all);
            sum += rows[i].work.value;
        }
        if (sum + front > all + samples || sum + front + samples < all)
            fail_msg("round %u: %lu and %lu, of %lu", round, (unsigned long)sum, (unsigned long)front,
                     (unsigned long)all);
    }
}

/* If there are many samples, every fourth is kept, from all groups. */
TEST(test_many)
{
    unsigned group[TIME_SHARE_GROUPS] = {0};

    begin(0);
    for (unsigned i = 0; i < 3 * TIME_SHARE_SAMPLES; i++)
        add_one(i / 4 % 2, i / 4, 1, 0, 0);
    assert_int_equal(share.stride, 2);
    assert_int_equal(share.count, 3 * TIME_SHARE_SAMPLES / 4);
    for (unsigned i = 0; i < share.count; i++) {
        assert_int_equal(memory[i].in_flight, i);
        group[memory[i].group]++;
    }
    for (unsigned i = 0; i < TIME_SHARE_GROUPS; i++)
        assert_in_range(group[i], share.count / 10 - 1, share.count / 10 + 1);
    assert_true(time_share_estimate(&share, 5, 1));
    assert_in_range(rows[0].part.share, 499000, 501000);
}

/* Samples are thinned out only when there is no room for the next one that counts. */
TEST(test_as_many_as_fit)
{
    begin(1);
    for (unsigned i = 0; i < TIME_SHARE_SAMPLES; i++)
        add_one(0, 10, 1, 0, 0);
    assert_int_equal(share.count, TIME_SHARE_SAMPLES);
    add_one(0, 10, 1, 0, 0);
    assert_int_equal(share.count, TIME_SHARE_SAMPLES / 2 + 1);
    for (unsigned i = TIME_SHARE_SAMPLES + 1; i < 2 * TIME_SHARE_SAMPLES; i++)
        add_one(0, 10, 1, 0, 0);
    assert_int_equal(share.count, TIME_SHARE_SAMPLES);
    add_one(0, 10, 1, 0, 0);
    assert_int_equal(share.count, TIME_SHARE_SAMPLES / 2 + 1);
}

TEST(test_refused)
{
    begin(0);
    for (unsigned i = 0; i < 99; i++)
        add_one(0, 20, 1, 0, 0);
    assert_false(time_share_estimate(&share, 5, 1));
    add_one(OUTSIDE, 20, 1, 0, 0);
    assert_false(time_share_estimate(&share, 0, 1));
    assert_false(time_share_estimate(&share, 5, 0));
    assert_true(time_share_estimate(&share, 5, 1));
    assert_near("outside", rows[OUTSIDE].part.share, 10000);
}

TEST(test_supports)
{
    struct ibs_machine machine = ibs_machine_of(0x10, 4, 0x1F);

    assert_true(time_share_supports(&machine));
    machine = ibs_machine_of(0x19, 0x11, 0x1F);
    assert_false(time_share_supports(&machine));
    machine = ibs_machine_of(0x99, 0, 0x1F);
    assert_false(time_share_supports(&machine));
}

/* Within functions there are no gaps; the first instruction of a function follows another only if it is next to it. */
TEST(test_follow)
{
    for (unsigned i = 0; i < ROWS; i++)
        rows[i].follows = true;
    time_share_follow(rows, &small_map);
    assert_false(rows[0].follows);
    assert_false(rows[OUTSIDE].follows);
    for (unsigned i = SMALL_LOOP; i <= SMALL_RET; i++)
        assert_true(rows[i].follows);
    assert_int_equal(rows[SMALL_MULTIPLY].follows,
                     small_map.insns[SMALL_MULTIPLY - 1].rva + small_map.insns[SMALL_MULTIPLY - 1].length ==
                         small_map.insns[SMALL_MULTIPLY].rva);
}

TEST(test_print)
{
    struct out_memory out;

    time_share_follow(rows, &small_map);
    time_share_init(&share, memory, rows, ROWS);
    for (unsigned i = 0; i < 7; i++)
        add(SMALL_LOOP + i, 40 + (i > 3 ? 30 : 0), i == 4 ? 1 : 20, 0, i == 4 ? MISS | LATENCY(60) : 0);
    add(OUTSIDE, 3, 1, 0, 0);
    add_one(SMALL_CLEAR, 3, 1, 0, 0);
    assert_true(time_share_estimate(&share, 700, 101));
    out_memory_init(&out, text, sizeof(text));
    time_share_print(&out.out, &share, &small_map);
    time_share_csv(&out.out, &share, &small_map);
    assert_true(out.needed < out.size);
    check_golden("time_share.txt", text);
    for (const char *line = text; *line && strncmp(line, "rva", 3) != 0; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 79);
}

/* The rows with the most are marked: one row of the map, which may be its last, even if other code has more. */
TEST(test_marks)
{
    static const struct {
        struct time_share_part last, before;
        const char *marked;
    } tables[] = {
        {{300000, 290000, 310000}, {200000, 190000, 289999}, "\n   1054 nop "},
        {{300000, 290000, 310000}, {200000, 190000, 290000}, "\n>  1054 nop "},
        {{300000, 290000, 310000}, {300001, 299000, 310001}, "\n>  1054 nop "},
    };
    struct out_memory out;

    begin(0);
    memset(rows, 0, sizeof(rows));
    share.count = 10;
    rows[SMALL_INSNS - 1].work.count = rows[SMALL_INSNS - 2].work.count = rows[OUTSIDE].work.count = 3;
    rows[OUTSIDE].part = (struct time_share_part){500000, 490000, 510000};
    for (unsigned i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        rows[SMALL_INSNS - 1].part = tables[i].last;
        rows[SMALL_INSNS - 2].part = tables[i].before;
        out_memory_init(&out, text, sizeof(text));
        time_share_print(&out.out, &share, &small_map);
        assert_non_null(strstr(text, "\n>  1055 ret "));
        assert_non_null(strstr(text, tables[i].marked));
    }
}

RUN_TESTS(NULL, NULL)
