/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers of config=hardware about IBS samples, given steps with made-up records. */
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tests/unit/app/hardware_made.h"
#include "tests/unit/drivers/fake_cpu.h"

#define MISS (IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID | IBS_DC_MISS)

static uint64_t miss(uint64_t latency)
{
    return MISS | latency << 32;
}

MADE(of_places_of_loads)
{
    made_ops(STEP_OP_DRAM, 29, 0, IBS_NB_DRAM, miss(160));
    EXPECT(ibs_dst_proc, CANNOT, "only 29 samples");
    made_ops(STEP_OP_DRAM, 1, 0, IBS_NB_DRAM, miss(160));
    EXPECT(ibs_dst_proc, SAME, "30 loads from a node without the bit, 0 with it");
    made_ops(STEP_OP_DRAM, 1, 0, IBS_NB_DRAM | IBS_NB_DST_PROC, miss(160));
    TURNED(ibs_dst_proc, "a load with the bit set", "30 loads from a node without the bit, 1 with it");
    made_machine->nodes.count = 2;
    EXPECT(ibs_dst_proc, CANNOT, "2 nodes: 30 loads without the bit, 1 with it");
    made_ops(STEP_OP_L2, 40, 0, IBS_NB_NONE, miss(12));
    made_ops(STEP_OP_L2, 10, 0, IBS_NB_L3, MISS | IBS_DC_MAB_HIT);
    memcpy(made->step[STEP_HOP_L2].count, (uint64_t[]){0, 940, 1000, 0}, sizeof(uint64_t[4]));
    EXPECT(source_l2, SAME, "of 1000 misses: 1000 by IBS, 940 by 042h:1E");
    made->step[STEP_HOP_L2].count[1] = 939;
    TURNED(source_l2, "042h:1E does not count 6.1 % of the misses", "of 1000 misses: 1000 by IBS, 939 by 042h:1E");
    made_ops(STEP_OP_L3_4K, 40, 0, IBS_NB_DRAM, miss(160)); /* this step is not asked */
    made_ops(STEP_OP_L3, 30, 0, IBS_NB_L3, miss(52));
    made_ops(STEP_OP_L3, 10, 0, IBS_NB_DRAM, miss(160));
    TURNED(l3_present, "CPUID reports none",
           "0 units of 512 KB; the L3 served 30 of 40 loads"); /* the fake's CPUID tells no units */
    fake_set_leaf(0x80000006, 0, 0, 0, 12 << 18);
    EXPECT(l3_present, SAME, "12 units of 512 KB; the L3 served 30 of 40 loads");
    made_ops(STEP_OP_L3, 20, 0, IBS_NB_DRAM, miss(160));
    EXPECT(l3_present, OTHER, "12 units of 512 KB; the L3 served 30 of 60 loads");
}

/* Zen 4's sources 1 and 5 are a cache of the core complex and a cache of another node; the bit says nothing about the
 * latter. */
MADE(of_later_places)
{
    set_family(0x19, 0x61);
    made_machine->nodes.count = 0; /* unknown, because ACPI has no table */
    made_machine->ibs_caps = 0xBFF;
    fake_set_leaf(0x80000006, 0, 0, 0, 64 << 18);
    made_ops(STEP_OP_DRAM, 30, 0, 3, miss(160));
    made_ops(STEP_OP_DRAM, 5, 0, 1 | IBS_NB_DST_PROC, miss(160));
    EXPECT(ibs_dst_proc, SAME, "30 loads from a node without the bit, 0 with it");
    made_ops(STEP_OP_DRAM, 1, 0, 3 | IBS_NB_DST_PROC, miss(160));
    EXPECT(ibs_dst_proc, OTHER, "30 loads from a node without the bit, 1 with it");
    made_ops(STEP_OP_L3, 21, 0, 1, miss(52));
    made_ops(STEP_OP_L3, 20, 0, 5, miss(52));
    made_ops(STEP_OP_L3, 20, 0, 4, miss(52)); /* reserved */
    EXPECT(l3_present, SAME, "64 units of 512 KB; the L3 served 21 of 41 loads");
    made_ops(STEP_OP_L3, 1, 0, 5, miss(52));
    EXPECT(l3_present, OTHER, "64 units of 512 KB; the L3 served 21 of 42 loads");
}

MADE(of_latencies)
{
    EXPECT(misslat_medians, CANNOT, "too few loads that missed");
    EXPECT(misslat_without_walk, CANNOT, "too few loads that missed");
    made_ops(STEP_OP_L2, 20, 0, 0, miss(12));
    made_ops(STEP_OP_L3, 19, 0, IBS_NB_L3, miss(50));
    EXPECT(misslat_medians, CANNOT, "too few loads that missed");
    made_ops(STEP_OP_L3, 20, 0, IBS_NB_L3, miss(52));
    made_ops(STEP_OP_L2, 50, 0, 0, IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | 3ull << 32); /* hits do not matter */
    made_ops(STEP_OP_DRAM, 20, 0, IBS_NB_DRAM, miss(162));
    EXPECT(misslat_medians, SAME, "median DcMissLat: L2 12, L3 52, memory 162");
    made_ops(STEP_OP_L3_4K, 20, 0, IBS_NB_L3, miss(57));
    EXPECT(misslat_without_walk, SAME, "median 57 cycles with 4 KB pages, 52 with 2 MB");
    made_ops(STEP_OP_L3_4K, 30, 0, IBS_NB_L3, miss(82));
    TURNED(misslat_without_walk, "30 cycles more", "median 82 cycles with 4 KB pages, 52 with 2 MB");
    made_ops(STEP_OP_L2, 30, 0, 0, miss(16));
    TURNED(misslat_medians, "16 cycles at the L2", "median DcMissLat: L2 16, L3 52, memory 162");
    made_begin(); /* latencies beyond the table count as its last one */
    made_ops(STEP_OP_L2, 20, 0, 0, miss(4096));
    made_ops(STEP_OP_L3, 20, 0, IBS_NB_L3, miss(4095));
    made_ops(STEP_OP_DRAM, 10, 0, IBS_NB_DRAM, miss(1));
    made_ops(STEP_OP_DRAM, 10, 0, IBS_NB_DRAM, miss(0xFFFF));
    EXPECT(misslat_medians, OTHER, "median DcMissLat: L2 4095, L3 4095, memory 1");
    made_ops(STEP_OP_STREAM, 30, 0, 0, MISS | IBS_DC_MAB_HIT);
    EXPECT(miss_in_flight, SAME, "30 loads with IbsDcMabHit, 30 of them with IbsDcMiss");
    made_ops(STEP_OP_STREAM, 1, 0, 0, IBS_LD_OP | IBS_DC_MAB_HIT);
    TURNED(miss_in_flight, "a load with IbsDcMabHit alone", "31 loads with IbsDcMabHit, 30 of them with IbsDcMiss");
    made_ops(STEP_OP_STREAM, 3, 0, 0, IBS_ST_OP | IBS_DC_MAB_HIT | IBS_DC_MISS);
    made_ops(STEP_OP_STREAM, 3, 0, 0, MISS);
    EXPECT(miss_in_flight, OTHER, "31 loads with IbsDcMabHit, 30 of them with IbsDcMiss");
}

MADE(of_bits)
{
    const uint64_t hit = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS;

    made_ops(STEP_OP_CALLS, 30, IBS_OP_BRN_RET | IBS_OP_RETURN | IBS_OP_BRN_MISP | IBS_OP_MISP_RETURN, 0, 0);
    EXPECT(mispredicted_return, SAME, "30 returns: 30 by bits 34 and 36, 30 by bit 33");
    made_ops(STEP_OP_CALLS, 1, IBS_OP_BRN_RET | IBS_OP_RETURN | IBS_OP_BRN_MISP, 0, 0);
    TURNED(mispredicted_return, "a return by bits 34 and 36 alone", "31 returns: 31 by bits 34 and 36, 30 by bit 33");
    EXPECT(rip_invalid, SAME, "in 0 of 31 samples");
    EXPECT(arena_write_back, SAME, "memory type not known; of 31 ops F20D counts 0, F20E 0");
    made_ops(STEP_OP_CALLS, 1, IBS_OP_RIP_INVALID, 0, IBS_DC_UC_MEM_ACC);
    TURNED(rip_invalid, "bit 38 in one sample", "in 1 of 32 samples");
    made_ops(STEP_OP_TLB, 30, 0, 0, hit);
    EXPECT(data3_bit19, SAME, "F204 30, sum of its pages 30, bit 19 in 0");
    made_ops(STEP_OP_TLB, 1, 0, 0, hit | IBS_DC_L2TLB_HIT_1G);
    TURNED(data3_bit19, "bit 19 in one sample", "F204 31, sum of its pages 31, bit 19 in 1");
    TURNED(arena_write_back, "F20D counts one op", "memory type not known; of 63 ops F20D counts 1, F20E 0");
    made_ops(STEP_OP_CALLS, 1, 0, 0, IBS_DC_WC_MEM_ACC);
    EXPECT(arena_write_back, OTHER, "memory type not known; of 64 ops F20D counts 1, F20E 1");
    /* Ops that the question does not concern are not counted. */
    made_ops(STEP_OP_CALLS, 5, IBS_OP_BRN_RET | IBS_OP_BRN_MISP, 0, 0);
    made_ops(STEP_OP_CALLS, 5, IBS_OP_BRN_RET, 0, 0);
    EXPECT(mispredicted_return, OTHER, "31 returns: 31 by bits 34 and 36, 30 by bit 33");
}

MADE(of_banks)
{
    const uint64_t load = IBS_LD_OP;

    made_ops(STEP_OP_BANK_8, 40, 0, 0, load);
    made_ops(STEP_OP_BANK_16, 40, 0, 0, load);
    made_ops(STEP_OP_BANK_32, 40, 0, 0, load);
    made_ops(STEP_OP_BANK_64, 20, 0, 0, load);
    made_ops(STEP_OP_BANK_64, 20, 0, 0, load | IBS_DC_LD_BNK_CON);
    EXPECT(banks, CANNOT, "only 0 samples");
    made_ops(STEP_OP_BANK_128, 24, 0, 0, load);
    made_ops(STEP_OP_BANK_128, 16, 0, 0, load | IBS_DC_LD_BNK_CON);
    EXPECT(banks, SAME, "F209 of 1000 loads: 0, 0, 0, 500, 400 at 8, 16, 32, 64, 128; F20A 0");
    made_ops(STEP_OP_BANK_128, 1, 0, 0, IBS_ST_OP | IBS_DC_ST_BNK_CON);
    made->step[STEP_OP_BANK_8].good = false;
    strcpy(made->step[STEP_OP_BANK_8].why, "as it is");
    EXPECT(banks, CANNOT, "bank-conflict: as it is");
    made->step[STEP_OP_BANK_8].good = true;
    TURNED(banks, "a store with IbsDcStBnkCon set",
           "F209 of 1000 loads: 0, 0, 0, 500, 400 at 8, 16, 32, 64, 128; F20A 1");
}

MADE(of_intervals)
{
    made_ops(STEP_OP_FIXED, 100, 0, 0, 0);
    made_ops(STEP_OP_RANDOM, 92, 0, 0, 0);
    EXPECT(curcnt_shortens, SAME, "92 samples with random intervals, 100 with fixed ones");
    made->step[STEP_OP_RANDOM].counts.recorded[SAMPLE_OP] = 91;
    TURNED(curcnt_shortens, "9 % fewer samples", "91 samples with random intervals, 100 with fixed ones");
    EXPECT(ibs_dst_proc, CANNOT, "the intervals of ops do not vary here: question 95");
    TURNED(curcnt_after_sample, "CurCnt 0 in each sample",
           "1 values of bits 6:0 in 100 samples, the other bits up to 0");
    for (unsigned i = 0; i < 17; i++)
        made->step[STEP_OP_FIXED].records[i].reg[IBS_OP_CTL] = (uint64_t)(i * 7) << IBS_OP_CUR_CNT_SHIFT;
    EXPECT(curcnt_after_sample, SAME, "17 values of bits 6:0 in 100 samples, the other bits up to 0");
    made->step[STEP_OP_FIXED].records[0].reg[IBS_OP_CTL] = 0x80ull << IBS_OP_CUR_CNT_SHIFT;
    EXPECT(curcnt_after_sample, OTHER, "17 values of bits 6:0 in 100 samples, the other bits up to 80");
    made_machine->ibs_caps = 7;
    EXPECT(curcnt_shortens, CANNOT, "software must not write IbsOpCurCnt of this processor");
    EXPECT(revision_b_counter, CANNOT, "revision C");
    made_machine->revision = 'B';
    made->step[STEP_ALU_COUNT].count[0] = 100 * 208;
    EXPECT(revision_b_counter, SAME, "20800 cycles by samples, 20800 by 076h");
    made->step[STEP_ALU_COUNT].count[0] = 2 * 20800;
    TURNED(revision_b_counter, "half as many cycles", "20800 cycles by samples, 41600 by 076h");
    /* 8 samples have 1008 cycles, each 200 until it retired */
    made->answer[HARDWARE_curcnt_shortens].verdict = SAME;
    made_ops(STEP_OP_CYCLES, 40, 200ull << 16, 0, 0);
    made->step[STEP_HOP_L3].count[0] = 40 * 1208;
    EXPECT(cycle_tags_wait, SAME, "48320 cycles by 40 samples, 48320 by 076h");
    made->step[STEP_HOP_L3].count[0] = 2 * 40 * 1208;
    TURNED(cycle_tags_wait, "half as many cycles", "48320 cycles by 40 samples, 96640 by 076h");
}

MADE(of_fetches)
{
    uint64_t base;

    base = (uint64_t)(uintptr_t)made->step[STEP_FETCH_ALU].workload->run;
    made->step[STEP_FETCH_TAKEN].params[0] = 400;
    made_fetches(STEP_FETCH_TAKEN, 68, base, 0);
    EXPECT(fetch_counter, SAME, "19.0 fetches counted per pass");
    made_fetches(STEP_FETCH_TAKEN, 61, base, 0);
    TURNED(fetch_counter, "36 fetches a pass", "36.1 fetches counted per pass");
    made->step[STEP_FETCH_TAKEN].fetch_address = 0xFFFF800000001000;
    EXPECT(fetch_upper_bits, SAME, "C001_1031 is ffff800000001000");
    made->step[STEP_FETCH_TAKEN].fetch_address = 0x1000000001000;
    TURNED(fetch_upper_bits, "bit 48 set alone", "C001_1031 is 1000000001000");
    made_fetches(STEP_FETCH_ALU, 96, base + 64, 7 | 7ull << 16);
    made_fetches(STEP_FETCH_ALU, 4, base, 7 | 7ull << 16);
    made_fetches(STEP_FETCH_ALU, 5, base + 9 * 32, 7 | 7ull << 16);
    EXPECT(loop_head, SAME, "4 of 100 samples; an equal share is 11");
    EXPECT(fetch_cnt_reads_max, SAME, "equal in 105 of 105 samples");
    made_fetches(STEP_FETCH_ALU, 2, base, 7);
    TURNED(loop_head, "6 of 102 samples", "6 of 102 samples; an equal share is 11");
    TURNED(fetch_cnt_reads_max, "0 in two samples", "equal in 105 of 107 samples");
}

/* The line has 48 ops of 4 bytes from the 32nd byte on. */
MADE(of_a_line)
{
    uint64_t base;

    base = (uint64_t)(uintptr_t)made->step[STEP_OP_ALU_CYCLES].workload->run;
    made_ops(STEP_OP_ALU_CYCLES, 480, 0, 0, 0);
    for (unsigned i = 0; i < 480; i++)
        made->step[STEP_OP_ALU_CYCLES].records[i].reg[IBS_OP_RIP] = base + 32 + 4 * (i % 48);
    EXPECT(line_ops_equal, SAME, "chi-square 0.00 per degree of freedom, 480 samples of 48 ops");
    for (unsigned i = 0; i < 480; i++)
        made->step[STEP_OP_ALU_CYCLES].records[i].reg[IBS_OP_RIP] = base + 32 + 12 * (i % 16);
    TURNED(line_ops_equal, "only each third op has samples",
           "chi-square 20.43 per degree of freedom, 480 samples of 48 ops");
    for (unsigned i = 0; i < 480; i++)
        made->step[STEP_OP_ALU_CYCLES].records[i].reg[IBS_OP_RIP] = base + (i % 2 ? 31 : 32 + 4 * 48);
    EXPECT(line_ops_equal, CANNOT, "only 0 samples");
    made_machine->revision = 'B';
    EXPECT(line_ops_equal, CANNOT, "revision B: intervals vary by multiples of 16 cycles");
}

/* A failed step has a reason: a wrong result, an error without the workload or with it, an exception. */
MADE(of_failed_steps)
{
    made->step[STEP_DIVIDE].done = false;
    fake_session.core[0].spoils = true;
    EXPECT(tsc_is_core_clock, CANNOT, "divide-chain: the result of divide-chain was wrong");
    fake_session.core[0].spoils = false;
    for (unsigned n = 1; n <= 2; n++) {
        unsigned before = fake_session.runs;

        made->step[STEP_DIVIDE].done = false;
        fake_session.fail_at = before + n;
        EXPECT(tsc_is_core_clock, CANNOT, "divide-chain: a model-specific register raised an exception (c0011033)");
        assert_int_equal(fake_session.runs, before + n);
    }
    assert_int_equal(made->step[STEP_DIVIDE].error, SESSION_MSR_FAULT);
    assert_int_equal(made->step[STEP_DIVIDE].vector, 0);
    made->step[STEP_DIVIDE].done = false;
    fake_session.fail_at = 0;
    fake_session.result.error = SESSION_FAULT;
    EXPECT(tsc_is_core_clock, CANNOT, "divide-chain: an exception ended the run (0)");
    made->step[STEP_DIVIDE].done = false;
    fake_session.result.faulted = true;
    fake_session.result.fault.vector = 6;
    fake_session.result.fault.rip = 0x1234;
    EXPECT(tsc_is_core_clock, CANNOT, "divide-chain: exception #UD invalid opcode at 1234");
    made->step[STEP_OP_FIXED].done = false;
    EXPECT(f3x1cc_sticks, CANNOT, "alu-independent: exception #UD invalid opcode at 1234");
    assert_int_equal(made->step[STEP_OP_FIXED].error, SESSION_FAULT);
    assert_int_equal(made->step[STEP_OP_FIXED].vector, 6);
    made_begin();
    fake_session.result.spurious_interrupts = 3;
    fake_session.result.counts = (struct nmi_counts){.nmi = 7, .late = 2};
    fake_session.result.timer.khz = 201000;
    made->step[STEP_OP_FIXED].done = false;
    assert_ptr_equal(hardware_step(made, STEP_OP_FIXED), &made->step[STEP_OP_FIXED]);
    assert_int_equal(made->step[STEP_OP_FIXED].error, SESSION_OK);
    assert_int_equal(made->step[STEP_OP_FIXED].vector, 0);
    assert_int_equal(made->step[STEP_OP_FIXED].interrupts, 3);
    assert_int_equal(made->step[STEP_OP_FIXED].counts.late, 2);
    assert_int_equal(made->step[STEP_OP_FIXED].elapsed, 999000);
    assert_int_equal(made->step[STEP_OP_FIXED].lvt_offset, 1);
    assert_int_equal(made->step[STEP_OP_FIXED].timer.khz, 201000);
    fake_session.count[0] = (struct fake_count){.select = 0x076, .total = 5000, .overhead = 30};
    fake_session.count[1] = (struct fake_count){.select = 0x0C0, .total = 700, .overhead = 2};
    made->step[STEP_DIVIDE].done = false;
    assert_non_null(hardware_step(made, STEP_DIVIDE));
    assert_int_equal(made->step[STEP_DIVIDE].empty[0], 30);
    assert_int_equal(made->step[STEP_DIVIDE].empty[1], 2);
    assert_int_equal(made->step[STEP_DIVIDE].count[0], 5030);
    assert_int_equal(made->step[STEP_DIVIDE].count[1], 702);
    assert_true(made->step[STEP_DIVIDE].ticks > 0);
    set_family(0x19, 0x61);
    EXPECT(event_080_unit, CANNOT, "not on this family: event 080:00 is Family 10h's");
}
