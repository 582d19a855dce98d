/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers of config=hardware about samples of families after Family 10h, given made-up samples of Zen 4 and Zen 5. */
#include "core/family/ibs_regs.h"
#include "tests/unit/app/hardware_made.h"

#define MISS       (IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID | IBS_DC_MISS)
#define WIDE       (4ull << 22)
#define LATENCY(n) ((uint64_t)(n) << 32)
#define REFILL(n)  ((uint64_t)(n) << 48)

enum { FROM_L3 = 1, FROM_DRAM = 3, RESERVED = 4 }; /* sources of Zen 4 */

static struct sample_record *last(enum hardware_steps step)
{
    return &made->step[step].records[made->step[step].samples - 1];
}

static void begin_zen4(void)
{
    set_family(0x19, 0x61);
    made_machine->ibs_caps = 0xBFF;
}

MADE(of_filters)
{
    begin_zen4();
    made_ops(STEP_OP_BEYOND_L3, 29, 0, FROM_DRAM, MISS);
    EXPECT(l3_miss_only_ops, CANNOT, "only 29 samples");
    made_ops(STEP_OP_BEYOND_L3, 1, 0, 0, 0); /* an op that is no load */
    EXPECT(l3_miss_only_ops, SAME, "0 of 30 filtered samples came from the L3");
    made_ops(STEP_OP_BEYOND_L3, 1, 0, FROM_L3, MISS);
    TURNED(l3_miss_only_ops, "a sample from the L3", "1 of 31 filtered samples came from the L3");

    made_fetches(STEP_FETCH_ALU, 29, 0, IBS_FETCH_COMP);
    EXPECT(l3_miss_only_fetches, CANNOT, "only 29 samples");
    made_fetches(STEP_FETCH_ALU, 1, 0, IBS_FETCH_COMP);
    made_fetches(STEP_FETCH_BEYOND_L3, 2, 0, IBS_FETCH_L3_MISS);
    EXPECT(l3_miss_only_fetches, SAME, "0 of 2 filtered samples lack the bit; 30 without the filter");
    made_fetches(STEP_FETCH_BEYOND_L3, 1, 0, IBS_FETCH_L3_MISS);
    EXPECT(l3_miss_only_fetches, OTHER, "0 of 3 filtered samples lack the bit; 30 without the filter");
    made->step[STEP_FETCH_BEYOND_L3].samples = 1;
    last(STEP_FETCH_BEYOND_L3)->reg[IBS_FETCH_CTL] = 0;
    TURNED(l3_miss_only_fetches, "a sample with the bit clear",
           "1 of 1 filtered samples lack the bit; 30 without the filter");

    made_ops(STEP_OP_SLOW, 27, 0, FROM_DRAM, MISS | LATENCY(129));
    made_ops(STEP_OP_SLOW, 1, 0, FROM_DRAM, MISS | LATENCY(128));
    EXPECT(load_latency_passes, CANNOT, "only 28 samples");
    made_ops(STEP_OP_SLOW, 1, 0, FROM_DRAM, (MISS & ~IBS_LD_OP) | LATENCY(129));
    made_ops(STEP_OP_SLOW, 1, 0, FROM_DRAM, (MISS & ~IBS_DC_MISS) | LATENCY(129));
    EXPECT(load_latency_passes, SAME, "3 of 30 filtered samples are not loads of this kind");
    made_ops(STEP_OP_SLOW, 8, 0, FROM_DRAM, MISS | LATENCY(129));
    made_ops(STEP_OP_SLOW, 1, 0, FROM_DRAM, MISS | LATENCY(128));
    TURNED(load_latency_passes, "four of 39 at 128 cycles", "4 of 39 filtered samples are not loads of this kind");
}

MADE(of_all_samples)
{
    begin_zen4();
    made_ops(STEP_OP_FIXED, 26, 0, 0, 0);
    made_ops(STEP_OP_L3, 3, IBS_OP_RIP_INVALID, FROM_L3, MISS);
    EXPECT(rip_invalid_share, CANNOT, "only 29 samples");
    made_ops(STEP_OP_L3, 9, 0, FROM_L3, MISS);
    EXPECT(rip_invalid_share, SAME, "in 3 of 38 samples");
    made_ops(STEP_OP_L3, 1, IBS_OP_RIP_INVALID, FROM_L3, MISS);
    TURNED(rip_invalid_share, "four in 39", "in 4 of 39 samples");
    made->step[STEP_OP_L3].good = false; /* a failed step is not looked at */
    made_ops(STEP_OP_FIXED, 4, 0, 0, 0);
    EXPECT(rip_invalid_share, SAME, "in 0 of 30 samples");
    made->step[STEP_OP_L3].good = true;

    EXPECT(sources_known, CANNOT, "only 13 samples");
    made_ops(STEP_OP_DRAM, 17, 0, FROM_DRAM, MISS);
    EXPECT(sources_known, SAME, "0 of 30 sources are not in the family's list");
    made_ops(STEP_OP_DRAM, 1, 0, RESERVED, MISS);
    TURNED(sources_known, "source 4 of Zen 4", "1 of 31 sources are not in the family's list");
}

MADE(of_later_fields)
{
    uint64_t walk = IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS,
             load = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID;

    begin_zen4();
    made_ops(STEP_OP_L3, 10, 0, 0, load);
    made_ops(STEP_OP_L3, 30, 0, FROM_L3, MISS | IBS_DC_L2_MISS | WIDE);
    EXPECT(l2_miss_of_source, SAME, "0 of 30 loads with a source lack IbsL2Miss");
    EXPECT(width_of_loads, SAME, "0 of 30 loads of 8 bytes have another width");
    made_ops(STEP_OP_L3, 1, 0, FROM_L3, MISS | 3ull << 22);
    TURNED(l2_miss_of_source, "a load from the L3 without the bit", "1 of 31 loads with a source lack IbsL2Miss");
    TURNED(width_of_loads, "a load reads 4 bytes", "1 of 31 loads of 8 bytes have another width");

    made_ops(STEP_OP_L3_4K, 10, 0, 0, load);
    made_ops(STEP_OP_L3_4K, 10, 0, 0, load | IBS_DC_L1TLB_MISS);
    made_ops(STEP_OP_L3_4K, 10, 0, 0, load | walk | REFILL(1));
    made_ops(STEP_OP_L3_4K, 1, 0, 0, 0);
    EXPECT(refill_of_a_miss, SAME, "0 of 30 loads have refill cycles without a miss, or a walk without cycles");
    made_ops(STEP_OP_L3_4K, 1, 0, 0, load | walk);
    EXPECT(refill_of_a_miss, OTHER, "1 of 31 loads have refill cycles without a miss, or a walk without cycles");
    last(STEP_OP_L3_4K)->reg[IBS_OP_DATA3] = load | REFILL(1);
    TURNED(refill_of_a_miss, "cycles without a miss",
           "1 of 31 loads have refill cycles without a miss, or a walk without cycles");

    made_fetches(STEP_FETCH_ALU, 30, 0, IBS_FETCH_COMP | IBS_FETCH_L1TLB_MISS);
    made_fetches(STEP_FETCH_ALU, 1, 0, 0);
    last(STEP_FETCH_ALU)->reg[IBS_FETCH_EXTD] = 1; /* a fetch that did not complete has no valid bit */
    made->step[STEP_FETCH_ALU].records[0].reg[IBS_FETCH_EXTD] = 0xFFFF;
    EXPECT(itlb_refill, SAME, "0 of 30 fetches have refill cycles without a miss, or more than 16 bits");
    made->step[STEP_FETCH_ALU].records[0].reg[IBS_FETCH_EXTD] = 0x10000;
    EXPECT(itlb_refill, OTHER, "1 of 30 fetches have refill cycles without a miss, or more than 16 bits");
    made->step[STEP_FETCH_ALU].records[0].reg[IBS_FETCH_EXTD] = 1;
    made->step[STEP_FETCH_ALU].records[0].reg[IBS_FETCH_CTL] = IBS_FETCH_COMP;
    TURNED(itlb_refill, "cycles without IbsL1TlbMiss",
           "1 of 30 fetches have refill cycles without a miss, or more than 16 bits");

    made_ops(STEP_OP_CALLS, 30, IBS_OP_BRN_RET, 0, 0);
    made_ops(STEP_OP_CALLS, 1, 0, 0, 0);
    last(STEP_OP_CALLS)->reg[IBS_OP_BRTARGET] = UINT64_MAX / 2; /* the op is no branch */
    made->step[STEP_OP_CALLS].records[0].reg[IBS_OP_RIP] = 0x40000000;
    made->step[STEP_OP_CALLS].records[0].reg[IBS_OP_BRTARGET] = 0x40000000 - (8 << 20);
    EXPECT(branch_targets, SAME, "0 of 30 branches have a target outside of the program");
    made->step[STEP_OP_CALLS].records[0].reg[IBS_OP_BRTARGET] = 0x40000000 + (8 << 20);
    EXPECT(branch_targets, SAME, "0 of 30 branches have a target outside of the program");
    made->step[STEP_OP_CALLS].records[0].reg[IBS_OP_BRTARGET]++;
    TURNED(branch_targets, "a target elsewhere", "1 of 30 branches have a target outside of the program");
}

MADE(of_page_sizes)
{
    set_family(0x1A, 0x44);
    made_machine->ibs_caps = 0x81BFF;
    made_ops(STEP_OP_L3_4K, 30, 0, FROM_L3, MISS);
    made_ops(STEP_OP_L3, 29, 0, FROM_L3, MISS | 1 << 4);
    EXPECT(page_size_field, CANNOT, "only 29 samples");
    made_ops(STEP_OP_L3, 1, 0, FROM_L3, MISS | 1 << 4);
    EXPECT(page_size_field, SAME, "not marked 4 KB: 0 of 30 with 4 KB pages, 30 of 30 with 2 MB");
    made_ops(STEP_OP_L3, 1, 0, FROM_L3, MISS);
    TURNED(page_size_field, "a page of 2 MB has 0", "not marked 4 KB: 0 of 30 with 4 KB pages, 30 of 31 with 2 MB");
    made->step[STEP_OP_L3].samples--;
    made_ops(STEP_OP_L3_4K, 1, 0, FROM_L3, MISS | 1 << 4);
    EXPECT(page_size_field, OTHER, "not marked 4 KB: 1 of 31 with 4 KB pages, 30 of 30 with 2 MB");
}
