/* SPDX-License-Identifier: BSD-2-Clause */
/* Ops that held retirement up: samples that were made up, and sums that were worked out by hand. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/family/ibs_regs.h"
#include "core/ibs/held.h"

enum { RIP = 0x401000 };

static struct held held;

static struct sample_record op(uint32_t retire, uint32_t wait, uint64_t data3)
{
    struct sample_record record = {.kind = SAMPLE_OP};

    record.reg[IBS_OP_RIP] = RIP;
    record.reg[IBS_OP_DATA] = (uint64_t)retire << 16 | wait;
    record.reg[IBS_OP_DATA3] = data3;
    return record;
}

static void add(uint32_t retire, uint32_t wait, uint64_t data3, enum ibs_nb_source source)
{
    struct sample_record record = op(retire, wait, data3);

    record.reg[IBS_OP_DATA2] = source;
    held_add(&held, &record);
}

static void add_branch(uint64_t rip, uint32_t complete, uint32_t wait, uint64_t bits)
{
    struct sample_record record = op(complete + wait, wait, 0);

    record.reg[IBS_OP_RIP] = rip;
    record.reg[IBS_OP_DATA] |= bits;
    held_add(&held, &record);
}

static struct held_result worked_out(void)
{
    struct held_result result;

    memset(&result, 0xA5, sizeof(result));
    held_work_out(&result, &held);
    return result;
}

static uint64_t miss(uint32_t latency)
{
    return IBS_LD_OP | IBS_DC_MISS | IBS_DC_LIN_ADDR_VALID | (uint64_t)latency << 32;
}

static int empty(void **state)
{
    memset(&held, 0, sizeof(held));
    return 0;
}

TEST_WITH(nothing_is_nothing, empty, NULL)
{
    struct held_result result = worked_out(), zero = {.least = HELD_LEASTS - 1};

    assert_memory_equal(&result, &zero, sizeof(result));
}

/* Only op samples are added, whatever records of other kinds contain. */
TEST_WITH(other_kinds_are_left_out, empty, NULL)
{
    struct sample_record record = op(20, 1, miss(15));

    record.kind = SAMPLE_FETCH;
    held_add(&held, &record);
    record.kind = SAMPLE_PMC;
    held_add(&held, &record);
    assert_int_equal(worked_out().ops, 0);
}

TEST_WITH(misses_are_apart_by_their_source, empty, NULL)
{
    struct held_result result;

    add(20, 1, miss(15), IBS_NB_NONE);
    add(60, 1, miss(55), IBS_NB_L3);
    add(61, 1, miss(56) | IBS_DC_LOCKED_OP, IBS_NB_L3);
    add(120, 1, miss(110) | IBS_DC_LOCKED_OP, IBS_NB_CACHE);
    add(170, 1, miss(165) | IBS_DC_LOCKED_OP, IBS_NB_DRAM);
    add(900, 1, miss(7000) | IBS_DC_LOCKED_OP, IBS_NB_OTHER); /* the source is not memory */
    add(900, 1, miss(7000), (enum ibs_nb_source)5);
    add(12, 1, miss(4), IBS_NB_REMOTE_CACHE);
    add(900, 2, miss(3000), IBS_NB_DRAM);                         /* the op waited for an older op */
    add(5, 1, miss(999) & ~IBS_LD_OP, IBS_NB_NONE);               /* neither a load nor a store */
    add(5, 1, (miss(999) & ~IBS_LD_OP) | IBS_ST_OP, IBS_NB_NONE); /* DcMissLat is not valid for stores */
    add(5, 1, miss(999) & ~IBS_DC_MISS, IBS_NB_NONE);
    add(5, 1, miss(999) | IBS_DC_ST_TO_LD_FWD, IBS_NB_NONE); /* the bytes came from a store */
    result = worked_out();
    assert_int_equal(result.ops, 13);
    assert_int_equal(result.least, 1);
    assert_int_equal(result.sums.ops, 12);
    assert_int_equal(result.sums.miss_cycles[HELD_L2], 15);
    assert_int_equal(result.sums.miss_cycles[HELD_L3], 111);
    assert_int_equal(result.sums.miss_cycles[HELD_CACHE], 114);
    assert_int_equal(result.sums.miss_cycles[HELD_DRAM], 165);
    assert_int_equal(result.sums.locked_cycles, 56 + 110 + 165);
    assert_int_equal(result.sums.forwarded, 1);
    assert_int_equal(result.sums.loads, 10);
    assert_int_equal(result.sums.missed, 6);
}

TEST_WITH(translations, empty, NULL)
{
    struct held_result result;
    const uint64_t missed = IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS;

    add(9, 1, IBS_LD_OP | missed | 30ull << 48, IBS_NB_NONE);
    add(9, 1, IBS_ST_OP | missed | 7ull << 48, IBS_NB_NONE); /* not valid for stores */
    add(9, 1, IBS_ST_OP | missed | IBS_DC_L2TLB_MISS, IBS_NB_NONE);
    add(9, 1, IBS_LD_OP | (missed & ~IBS_DC_LIN_ADDR_VALID), IBS_NB_NONE);         /* not valid */
    add(9, 1, IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_L2TLB_MISS, IBS_NB_NONE); /* the L1 had it */
    add(9, 3, IBS_LD_OP | missed | IBS_DC_L2TLB_MISS | 50ull << 48, IBS_NB_NONE);
    result = worked_out();
    assert_int_equal(result.sums.tlb_hits, 2);
    assert_int_equal(result.sums.walks, 1);
    assert_int_equal(result.sums.refill_cycles, 30);
    assert_int_equal(result.sums.loads, 3);
    assert_int_equal(result.sums.missed, 1);
}

/* All samples count, whether they held retirement up or not. */
TEST_WITH(cycles_in_flight, empty, NULL)
{
    struct held_result result;

    add(20, 1, 0, IBS_NB_NONE);
    assert_int_equal(worked_out().shortest, 20);
    add(7, 6, 0, IBS_NB_NONE);
    add(65535, 900, 0, IBS_NB_NONE);
    result = worked_out();
    assert_int_equal(result.shortest, 7);
    assert_int_equal(result.in_flight, 20 + 7 + 65535);
}

/* A forwarded load counts one cycle more, since retirement waits for the op that uses its data; a cancelled forwarding
 * does not. */
TEST_WITH(forwarding, empty, NULL)
{
    struct held_result result;

    add(9, 1, IBS_LD_OP | IBS_DC_ST_TO_LD_FWD, IBS_NB_NONE);
    add(9, 2, IBS_LD_OP | IBS_DC_ST_TO_LD_FWD, IBS_NB_NONE);
    add(9, 2, IBS_LD_OP | IBS_ST_OP | IBS_DC_ST_TO_LD_FWD, IBS_NB_NONE);
    add(9, 3, IBS_LD_OP | IBS_DC_ST_TO_LD_FWD, IBS_NB_NONE);
    add(9, 1, IBS_ST_OP | IBS_DC_ST_TO_LD_FWD, IBS_NB_NONE); /* meaningful for loads */
    add(29, 1, IBS_LD_OP | IBS_DC_ST_TO_LD_CAN, IBS_NB_NONE);
    add(39, 1, IBS_ST_OP | IBS_DC_ST_TO_LD_CAN, IBS_NB_NONE);
    add(49, 2, IBS_LD_OP | IBS_DC_ST_TO_LD_CAN, IBS_NB_NONE);
    result = worked_out();
    assert_int_equal(result.sums.forwarded, 3);
    assert_int_equal(result.sums.cancelled_cycles, 28);
    assert_int_equal(result.sums.ops, 4);
}

/* The least time is the smallest one that more than 1 of 100 samples have. */
TEST_WITH(the_least_is_found, empty, NULL)
{
    struct held_result result;

    add(9, 2, miss(100), IBS_NB_L3);
    for (int i = 0; i < 197; i++)
        add(9, 4, miss(1), IBS_NB_L3);
    add(50, 40, 0, IBS_NB_NONE);
    add(3, 5, IBS_LD_OP | IBS_DC_ST_TO_LD_FWD, IBS_NB_NONE); /* one cycle more than the least */
    result = worked_out();
    assert_int_equal(result.ops, 200);
    assert_int_equal(result.least, 4); /* 1 sample of 200 is an outlier */
    assert_int_equal(result.sums.miss_cycles[HELD_L3], 197);
    assert_int_equal(result.sums.forwarded, 1);
    add(9, 2, miss(100), IBS_NB_L3);
    assert_int_equal(worked_out().least, 4); /* 2 samples of 201 are not yet 1 of 100 */
    add(9, 2, miss(100), IBS_NB_L3);
    result = worked_out();
    assert_int_equal(result.least, 2);
    assert_int_equal(result.sums.miss_cycles[HELD_L3], 300);
}

/* If all ops wait longer than the longest time kept, that time is the least; longer waits are in no sum. */
TEST_WITH(all_wait_longer, empty, NULL)
{
    struct held_result result;

    add(90, 8, miss(50), IBS_NB_L3);
    result = worked_out();
    assert_int_equal(result.least, 7);
    assert_int_equal(result.sums.ops, 0);
    add(90, 7, miss(50) | IBS_DC_L1TLB_MISS, IBS_NB_L3);
    assert_int_equal(worked_out().sums.miss_cycles[HELD_L3], 50);
}

/* Each branch has its own least time; correctly predicted branches and ops that are no branches do not count. */
TEST_WITH(branches, empty, NULL)
{
    const uint64_t wrong = IBS_OP_BRN_RET | IBS_OP_BRN_MISP;
    struct held_result result;

    add_branch(RIP, 20, 1, wrong);
    add_branch(RIP, 10, 30, wrong);
    add_branch(RIP, 12, 1, wrong);
    add_branch(RIP + 8, 4, 1, wrong);
    add_branch(RIP + 8, 40, 1, wrong);
    add_branch(RIP + 16, 3, 1, wrong); /* at once */
    add_branch(RIP + 24, 2, 1, wrong);
    add_branch(RIP, 1, 1, IBS_OP_BRN_RET);
    add_branch(RIP, 1, 1, IBS_OP_BRN_MISP);
    result = worked_out();
    assert_int_equal(result.mispredicted, 7);
    assert_int_equal(result.late_cycles, 3 * 7 + 2 * 1);
}

/* Counters that contradict each other do not produce a huge wait. */
TEST_WITH(retired_before_it_completed, empty, NULL)
{
    struct sample_record record = op(5, 9, 0);

    record.reg[IBS_OP_DATA] |= IBS_OP_BRN_RET | IBS_OP_BRN_MISP;
    held_add(&held, &record);
    assert_int_equal(worked_out().late_cycles, 0);
}

/* Branches for which there is no place share the last one. */
TEST_WITH(more_branches_than_places, empty, NULL)
{
    struct held_result result;

    for (unsigned i = 0; i < HELD_BRANCHES + 10; i++)
        add_branch(RIP + i, 100 + i, 1, IBS_OP_BRN_RET | IBS_OP_BRN_MISP);
    result = worked_out();
    assert_int_equal(held.branches, HELD_BRANCHES);
    assert_int_equal(held.branch[HELD_BRANCHES - 1].samples, 11);
    assert_int_equal(result.mispredicted, HELD_BRANCHES + 10);
    /* The first 63 have 97 to 159; the last place has eleven times its least. */
    assert_int_equal(result.late_cycles, 63 * (97 + 159) / 2 + 11 * 160);
}

/* The oldest op waits at most HELD_HIT cycles for a hit, and for a miss as long as the miss took, including the refill
 * of the TLB; for locked loads the least time to completion is kept. */
TEST_WITH(own_waits_of_loads, empty, NULL)
{
    uint64_t locked = IBS_LD_OP | IBS_ST_OP | IBS_DC_LOCKED_OP;
    struct held_result result;

    add(51, 1, IBS_LD_OP, IBS_NB_NONE);
    add(6, 1, IBS_LD_OP, IBS_NB_NONE);
    add(91, 1, miss(70), IBS_NB_DRAM);
    add(91, 1, miss(70) | 9ull << 48, IBS_NB_DRAM);
    add(41, 1, IBS_ST_OP, IBS_NB_NONE);
    add(41, 9, IBS_LD_OP, IBS_NB_NONE); /* the op waited for an older op */
    result = worked_out();
    assert_int_equal(result.sums.load_cycles, HELD_HIT + 5 + 70 + 79);
    assert_int_equal(result.sums.locks, 0);
    add(31, 1, locked, IBS_NB_NONE);
    assert_int_equal(worked_out().sums.lock_least, 30);
    add(26, 1, locked, IBS_NB_NONE);
    add(96, 1, locked, IBS_NB_NONE);
    result = worked_out();
    assert_int_equal(result.sums.locks, 3);
    assert_int_equal(result.sums.lock_least, 25);
    assert_int_equal(result.sums.load_cycles, HELD_HIT + 5 + 70 + 79);
}

/* All loads count, whether they held retirement up or not, and of these the misaligned ones. */
TEST_WITH(misaligned_loads, empty, NULL)
{
    struct held_result result;

    add(20, 1, IBS_LD_OP | IBS_DC_MIS_ACC, 0);
    add(20, 40, IBS_LD_OP | IBS_ST_OP | IBS_DC_MIS_ACC, 0);
    add(20, 1, IBS_LD_OP, 0);
    add(20, 1, IBS_ST_OP | IBS_DC_MIS_ACC, 0);
    add(20, 1, 0, 0);
    result = worked_out();
    assert_int_equal(result.loads, 3);
    assert_int_equal(result.misaligned, 2);
}

RUN_TESTS(NULL, NULL)
