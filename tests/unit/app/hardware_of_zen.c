/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers of config=hardware about fields of a Zen's samples that should agree, given made-up samples. */
#include "core/family/ibs_regs.h"
#include "tests/unit/app/hardware_made.h"

#define LOAD (IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID)
#define MISS (LOAD | IBS_DC_MISS)

enum { FROM_L3 = 1, FROM_DRAM = 3 }; /* sources of Zen 4 */

static struct sample_record *last(enum hardware_steps step)
{
    return &made->step[step].records[made->step[step].samples - 1];
}

static void begin_zen4(void)
{
    made_begin();
    set_family(0x19, 0x61);
    made_machine->ibs_caps = 0xBFF;
}

MADE(of_branch_fields)
{
    uint64_t branch = IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN;

    begin_zen4();
    made_ops(STEP_OP_FIXED, 29, 2ull << 16 | 2, 0, 0);
    EXPECT(counts_in_order, CANNOT, "only 29 samples");
    made_fetches(STEP_FETCH_ALU, 1, 0, 0); /* of an op this question asks nothing */
    last(STEP_FETCH_ALU)->reg[IBS_OP_DATA] = 3;
    made_ops(STEP_OP_CALLS, 1, 3ull << 16 | 2, 0, 0);
    EXPECT(counts_in_order, SAME, "0 of 30 samples completed before they were tagged");
    made_ops(STEP_OP_CALLS, 1, 2ull << 16 | 3, 0, 0);
    TURNED(counts_in_order, "completed 3 cycles and tagged 2 cycles before it retired",
           "1 of 31 samples completed before they were tagged");
    made->step[STEP_OP_CALLS].good = false; /* a failed step is not looked at */
    made_ops(STEP_OP_FIXED, 1, 2ull << 16, 0, 0);
    EXPECT(counts_in_order, SAME, "0 of 30 samples completed before they were tagged");

    begin_zen4();
    made_ops(STEP_OP_CALLS, 10, branch | IBS_OP_RETURN, 0, 0);
    made_ops(STEP_OP_CALLS, 10, IBS_OP_BRN_RET | IBS_OP_BRN_MISP, 0, 0);
    made_ops(STEP_OP_FIXED, 10, branch, 0, 0);
    made_ops(STEP_OP_FIXED, 10, IBS_OP_BRN_RET, 0, 0);
    EXPECT(branch_bits_of_branches, SAME, "0 of 30 samples with bits of branches lack IbsOpBrnRet");
    made_ops(STEP_OP_FIXED, 1, IBS_OP_BRN_TAKEN, 0, 0);
    TURNED(branch_bits_of_branches, "taken, but not a branch",
           "1 of 31 samples with bits of branches lack IbsOpBrnRet");
    made_ops(STEP_OP_FIXED, 1, IBS_OP_BRN_MISP, 0, 0);
    made_ops(STEP_OP_FIXED, 1, IBS_OP_RETURN, 0, 0);
    EXPECT(branch_bits_of_branches, OTHER, "3 of 33 samples with bits of branches lack IbsOpBrnRet");

    begin_zen4();
    made_ops(STEP_OP_CALLS, 29, branch, 0, 0);
    EXPECT(returns_are_taken, CANNOT, "only 0 samples");
    made_ops(STEP_OP_CALLS, 30, branch | IBS_OP_RETURN, 0, 0);
    EXPECT(returns_are_taken, SAME, "0 of 30 returns were not taken");
    made_ops(STEP_OP_CALLS, 1, IBS_OP_BRN_RET | IBS_OP_RETURN, 0, 0);
    TURNED(returns_are_taken, "a return that was not taken", "1 of 31 returns were not taken");

    begin_zen4();
    made_ops(STEP_OP_CALLS, 31, branch, 0, 0);
    for (unsigned i = 0; i < 31; i++)
        made->step[STEP_OP_CALLS].records[i].reg[IBS_OP_BRTARGET] = 1;
    made_ops(STEP_OP_CALLS, 1, IBS_OP_BRN_RET, 0, 0);
    made_ops(STEP_OP_CALLS, 1, IBS_OP_BRN_TAKEN, 0, 0);
    made_fetches(STEP_FETCH_ALU, 1, 0, 0);
    last(STEP_FETCH_ALU)->reg[IBS_OP_DATA] = branch;
    EXPECT(targets_of_taken, SAME, "0 of 31 taken branches have no target");
    made->step[STEP_OP_CALLS].records[7].reg[IBS_OP_BRTARGET] = 0;
    TURNED(targets_of_taken, "a taken branch to 0", "1 of 31 taken branches have no target");
}

MADE(of_addresses)
{
    begin_zen4();
    made_ops(STEP_OP_L3, 15, 0, 0, LOAD);
    made_ops(STEP_OP_L3, 15, 0, 0, (LOAD & ~IBS_LD_OP) | IBS_ST_OP);
    made_ops(STEP_OP_L3, 9, 0, 0, 0);
    made_fetches(STEP_FETCH_ALU, 1, 0, 0);
    last(STEP_FETCH_ALU)->reg[IBS_OP_DATA3] = LOAD;
    last(STEP_FETCH_ALU)->reg[IBS_OP_DCPHYSAD] = 1;
    EXPECT(linear_of_physical, SAME, "0 of 30 samples have only a physical address");
    EXPECT(accesses_have_addresses, SAME, "0 of 30 loads and stores have no linear address");
    EXPECT(addresses_of_accesses, SAME, "0 of 30 samples with an address are neither load nor store");
    last(STEP_OP_L3)->reg[IBS_OP_DCLINAD] = 0x2000; /* this sample has no addresses */
    EXPECT(offsets_of_data, SAME, "0 of 30 pairs of addresses differ within the page");
    made->step[STEP_OP_L3].records[0].reg[IBS_OP_DCLINAD] = 0x2FFF;
    made->step[STEP_OP_L3].records[0].reg[IBS_OP_DCPHYSAD] = 0x1FFF;
    EXPECT(offsets_of_data, SAME, "0 of 30 pairs of addresses differ within the page");
    made->step[STEP_OP_L3].records[0].reg[IBS_OP_DCLINAD] = 0x2000;
    made->step[STEP_OP_L3].records[0].reg[IBS_OP_DCPHYSAD] = 0x1001;
    TURNED(offsets_of_data, "physical 1001h, linear 2000h", "1 of 30 pairs of addresses differ within the page");
    made->step[STEP_OP_L3].records[0].reg[IBS_OP_DCPHYSAD] = 0x1800;
    EXPECT(offsets_of_data, OTHER, "1 of 30 pairs of addresses differ within the page");
    made_ops(STEP_OP_L3, 1, 0, 0, IBS_DC_PHY_ADDR_VALID);
    TURNED(linear_of_physical, "bit 18 set alone", "1 of 31 samples have only a physical address");
    EXPECT(offsets_of_data, OTHER, "1 of 30 pairs of addresses differ within the page");
    made_ops(STEP_OP_L3, 1, 0, 0, IBS_LD_OP);
    TURNED(accesses_have_addresses, "a load without an address", "1 of 31 loads and stores have no linear address");
    made_ops(STEP_OP_L3, 1, 0, 0, IBS_ST_OP);
    EXPECT(accesses_have_addresses, OTHER, "2 of 32 loads and stores have no linear address");
    made_ops(STEP_OP_L3, 1, 0, 0, IBS_DC_LIN_ADDR_VALID);
    TURNED(addresses_of_accesses, "an op with an address that is neither load nor store",
           "1 of 31 samples with an address are neither load nor store");

    begin_zen4();
    made_fetches(STEP_FETCH_ALU, 30, 0x2001, IBS_FETCH_COMP | IBS_FETCH_PHY_VALID);
    for (unsigned i = 0; i < 30; i++)
        made->step[STEP_FETCH_ALU].records[i].reg[IBS_FETCH_PHYSAD] = 0x1001;
    made_fetches(STEP_FETCH_ALU, 1, 1, 0);
    made_ops(STEP_OP_L3, 1, 0, 0, 0);
    last(STEP_OP_L3)->reg[IBS_FETCH_CTL] = IBS_FETCH_PHY_VALID | IBS_FETCH_COMP;
    EXPECT(offsets_of_code, SAME, "0 of 30 pairs of addresses differ within the page");
    EXPECT(fetches_have_addresses, SAME, "0 of 30 completed fetches have no physical address");
    made->step[STEP_FETCH_ALU].records[3].reg[IBS_FETCH_LINAD] = 0x2000;
    TURNED(offsets_of_code, "physical 1001h, linear 2000h", "1 of 30 pairs of addresses differ within the page");
    made->step[STEP_FETCH_ALU].records[3].reg[IBS_FETCH_LINAD] = 0x2801;
    EXPECT(offsets_of_code, OTHER, "1 of 30 pairs of addresses differ within the page");
    made_fetches(STEP_FETCH_ALU, 1, 0, IBS_FETCH_COMP);
    TURNED(fetches_have_addresses, "a completed fetch with bit 52 clear",
           "1 of 31 completed fetches have no physical address");
}

MADE(of_misses)
{
    begin_zen4();
    made_ops(STEP_OP_TLB, 30, 0, 0, LOAD | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS);
    EXPECT(walks_miss_first, SAME, "0 of 30 samples with IbsDcL2TlbMiss lack IbsDcL1TlbMiss");
    EXPECT(latency_of_hits, SAME, "0 of 30 loads that hit have a latency");
    made_ops(STEP_OP_TLB, 1, 0, 0, LOAD | IBS_DC_L2TLB_MISS);
    TURNED(walks_miss_first, "a miss of the second level only",
           "1 of 31 samples with IbsDcL2TlbMiss lack IbsDcL1TlbMiss");
    made_ops(STEP_OP_L3, 1, 0, 0, IBS_ST_OP | 1ull << 32);
    made_ops(STEP_OP_L3, 30, 0, FROM_L3, MISS | IBS_DC_L2_MISS | 40ull << 32);
    made_fetches(STEP_FETCH_ALU, 1, 0, 0);
    last(STEP_FETCH_ALU)->reg[IBS_OP_DATA3] = LOAD | 1ull << 32;
    EXPECT(latency_of_hits, SAME, "0 of 31 loads that hit have a latency");
    made_ops(STEP_OP_L3, 1, 0, 0, LOAD | 1ull << 32);
    TURNED(latency_of_hits, "one cycle for a hit", "1 of 32 loads that hit have a latency");
    last(STEP_OP_L3)->reg[IBS_OP_DATA3] = LOAD | 1ull << 47;
    EXPECT(latency_of_hits, OTHER, "1 of 32 loads that hit have a latency");
    EXPECT(l2_misses_miss_first, SAME, "0 of 30 samples with IbsL2Miss lack IbsDcMiss");
    made_ops(STEP_OP_L3, 1, 0, 0, LOAD | IBS_DC_L2_MISS);
    TURNED(l2_misses_miss_first, "a miss of the L2 only", "1 of 31 samples with IbsL2Miss lack IbsDcMiss");
}

MADE(of_sources)
{
    begin_zen4();
    made_ops(STEP_OP_L3, 26, 0, FROM_L3, MISS);
    made_ops(STEP_OP_L3, 3, 0, FROM_DRAM, MISS);
    made_ops(STEP_OP_L3, 40, 0, 0, MISS);
    made_ops(STEP_OP_L3, 1, 0, FROM_L3, LOAD);
    made_ops(STEP_OP_L3, 1, 0, FROM_L3, MISS & ~IBS_LD_OP);
    made_ops(STEP_OP_L3, 1, 0, 2, MISS); /* the cache of another complex */
    made_fetches(STEP_OP_L3, 1, 0, 0);
    last(STEP_OP_L3)->reg[IBS_OP_DATA2] = FROM_L3;
    last(STEP_OP_L3)->reg[IBS_OP_DATA3] = MISS;
    EXPECT(source_of_l3, CANNOT, "only 29 samples");
    made_ops(STEP_OP_L3, 1, 0, FROM_L3, MISS);
    EXPECT(source_of_l3, SAME, "27 of 30 loads that missed the L2");
    made_ops(STEP_OP_L3, 1, 0, FROM_DRAM, MISS);
    TURNED(source_of_l3, "four of 31 from memory", "27 of 31 loads that missed the L2");
    made->step[STEP_OP_L3].good = false;
    EXPECT(source_of_l3, CANNOT, "pointer-chase: ");

    made_ops(STEP_OP_DRAM, 9, 0, FROM_DRAM, MISS);
    made_ops(STEP_OP_DRAM, 21, 0, FROM_L3, MISS);
    EXPECT(source_of_memory, SAME, "9 of 30 loads that missed the L2");
    made_ops(STEP_OP_DRAM, 1, 0, FROM_L3, MISS);
    TURNED(source_of_memory, "22 of 31 from the L3", "9 of 31 loads that missed the L2");

    made_begin();
    set_family(0x17, 0x71);
    made_machine->ibs_caps = 0x3FF;
    made_ops(STEP_OP_L3, 30, 0, 2, MISS); /* on Zen 2: L3 or a near cache */
    EXPECT(source_of_l3, SAME, "30 of 30 loads that missed the L2");
}

MADE(of_latencies_of_levels)
{
    begin_zen4();
    made_ops(STEP_OP_L2, 30, 0, 0, MISS | 10ull << 32);
    made_ops(STEP_OP_L3, 30, 0, FROM_L3, MISS | 40ull << 32);
    made_ops(STEP_OP_DRAM, 29, 0, FROM_DRAM, MISS | 41ull << 32);
    EXPECT(latencies_rise, CANNOT, "only 29 samples");
    made_ops(STEP_OP_DRAM, 1, 0, FROM_DRAM, MISS | 41ull << 32);
    EXPECT(latencies_rise, SAME, "on average 10, 40, 41 cycles");
    made_ops(STEP_OP_DRAM, 30, 0, FROM_L3, MISS | 42ull << 32);
    TURNED(latencies_rise, "the L3 is as slow as memory", "on average 10, 41, 41 cycles");
    made_ops(STEP_OP_DRAM, 30, 0, FROM_DRAM, MISS | 50ull << 32);
    made_ops(STEP_OP_L2, 30, 0, 0, MISS | 72ull << 32);
    EXPECT(latencies_rise, OTHER, "on average 41, 41, 45 cycles");
    made->step[STEP_OP_L3].good = false;
    EXPECT(latencies_rise, CANNOT, "pointer-chase: ");
}
