/* SPDX-License-Identifier: BSD-2-Clause */
/* The answers of each question of config=hardware for steps with made-up counts and samples, at the limits of the
 * expected range. test_hardware.c tests the run around the questions. */
#include <stdio.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tests/unit/app/hardware_made.h"
#include "tests/unit/drivers/fake_cpu.h"

MADE(counters)
{
    made_count(STEP_TIGHT_FETCH, 1000, 0, 851, 3);
    EXPECT(event_087, SAME, "of 1000 cycles 087h counts 851, 0D0h 3");
    made_count(STEP_TIGHT_FETCH, 1000, 0, 12, 3);
    TURNED(event_087, "087h in 12 of 1000 cycles", "of 1000 cycles 087h counts 12, 0D0h 3");
    made_count(STEP_TIGHT_FETCH, 1000, 0, 900, 51);
    EXPECT(event_087, OTHER, "of 1000 cycles 087h counts 900, 0D0h 51");
    made_count(STEP_TIGHT_FLAGS, 1000, 1010, 99, 0);
    EXPECT(invert_edge, SAME, "0C1h 1000, 0C1h:i 1010, 076h:e 99");
    made_count(STEP_TIGHT_FETCH, 1000, 100, 0, 0);
    EXPECT(drain_0d3, SAME, "0D3h 100 cycles, 0 for an empty region");
    made_count(STEP_TIGHT_FLAGS, 1000, 989, 99, 0);
    TURNED(invert_edge, "0C1h:i 1.1 % below 0C1h", "0C1h 1000, 0C1h:i 989, 076h:e 99");
    made_count(STEP_TIGHT_FETCH, 1000, 110, 0, 0);
    made->step[STEP_TIGHT_FETCH].empty[1] = 9;
    TURNED(drain_0d3, "0D3h counts 101 cycles more than for the empty region",
           "0D3h 110 cycles, 9 for an empty region");
    made_count(STEP_TIGHT_FLAGS, 1000, 1000, 100, 0);
    EXPECT(invert_edge, OTHER, "0C1h 1000, 0C1h:i 1000, 076h:e 100");
    made_count(STEP_TIGHT_FETCH, 1000, 109, 0, 0);
    EXPECT(drain_0d3, SAME, "0D3h 109 cycles, 9 for an empty region");
    made_count(STEP_ALU_FETCH, 800 * 15, 0, 0, 0);
    EXPECT(event_080_unit, SAME, "15.00 in a pass of 249 bytes");
    made_count(STEP_ALU_FETCH, 800 * 8, 0, 0, 0);
    TURNED(event_080_unit, "080h counts 8 in a pass", "8.00 in a pass of 249 bytes");
    made_count(STEP_MISALIGNED, 12293, 4096, 0, 0);
    EXPECT(misaligned_in_040, SAME, "040h 12293 of 12293, 047h 4096 of 4096");
    made_count(STEP_MISALIGNED, 12293 - 4096, 4096, 0, 0);
    TURNED(misaligned_in_040, "040h does not count the crossings", "040h 8197 of 12293, 047h 4096 of 4096");
    made_count(STEP_MISALIGNED, 12293, 4000, 0, 0);
    EXPECT(misaligned_in_040, OTHER, "040h 12293 of 12293, 047h 4000 of 4096");
    made_count(STEP_REFILLS, 1020, 1000, 0, 0);
    EXPECT(refills_agree, SAME, "042h:01 1020, 043h:1F 1000");
    made_count(STEP_REFILLS, 1021, 1000, 0, 0);
    TURNED(refills_agree, "042h:01 2.1 % above 043h:1F", "042h:01 1021, 043h:1F 1000");
    EXPECT(empty_ret, CANNOT, "the model counts only instructions for code outside of the workloads");
    made->model = false;
    memcpy(made->step[STEP_RETS].empty, (uint64_t[]){1, 1, 1, 2}, sizeof(uint64_t[4]));
    EXPECT(empty_ret, SAME, "0C2h 1, 0C4h 1, 0C8h 1, 040h 2");
    memcpy(made->step[STEP_RETS].empty, (uint64_t[]){1, 1, 0, 1}, sizeof(uint64_t[4]));
    TURNED(empty_ret, "0C8h does not count the return", "0C2h 1, 0C4h 1, 0C8h 0, 040h 1");
}

/* Zen 4 has the same number for retired ops, another one for interrupts, and counts other accesses under the number
 * 040h. */
MADE(meanings)
{
    struct hardware_event dtlb = {0x046, 0x07, false, false, 0}, here;

    set_family(0x19, 0x61);
    made->step[STEP_SAMPLED_OFTEN].counts.recorded[SAMPLE_PMC] = 10;
    made_count(STEP_SAMPLED_OFTEN, 0, 12, 0, 0);
    EXPECT(nmis_in_0cf, SAME, "02Ch 12, NMIs with a sample 10");
    fake_session.not_modelled[0] = 0x02C;
    EXPECT(nmis_in_0cf, CANNOT, "event 02C:00 is not modelled");
    fake_session.not_modelled[0] = 0;
    made_count(STEP_TIGHT_FLAGS, 1000, 1010, 99, 0);
    EXPECT(invert_edge, SAME, "0C1h 1000, 0C1h:i 1010, 076h:e 99");
    EXPECT(misaligned_in_040, CANNOT, "not on this family: event 040:00 is Family 10h's");
    EXPECT(refills_agree, CANNOT, "not on this family: event 042:01 is Family 10h's");
    here = hardware_event_here(made, &dtlb);
    assert_int_equal(here.select, 0x045);
    assert_int_equal(here.mask, 0xF0);
    dtlb.mask = 0x01;
    assert_int_equal(hardware_event_here(made, &dtlb).select, 0);
    set_family(0x17, 0x71);
    made->step[STEP_DIVIDE].ticks = 1000;
    made_count(STEP_DIVIDE, 1020, 0, 0, 0);
    EXPECT(tsc_is_core_clock, SAME, "1.020 clocks for each TSC tick");
    set_family(0x10, 4);
    assert_int_equal(hardware_event_here(made, &dtlb).select, 0x046);
}

MADE(clocks_and_stalls)
{
    made_count(STEP_DIVIDE, 1020, 0, 0, 0);
    made->step[STEP_DIVIDE].ticks = 1000;
    EXPECT(tsc_is_core_clock, SAME, "1.020 clocks for each TSC tick");
    made->step[STEP_DIVIDE].ticks = 2000;
    TURNED(tsc_is_core_clock, "0.51 clocks for a tick", "0.510 clocks for each TSC tick");
    made_count(STEP_STALLS_A, 1000, 500, 520, 7);
    made_count(STEP_STALLS_B, 20, 300, 40, 50);
    made_count(STEP_STALLS_C, 60, 11, 12, 10);
    EXPECT(stall_identities, SAME, "076h 1000, 0D0h 500, 0D1h 520, 0D2h to 0DAh 510");
    made_count(STEP_STALLS_C, 60, 11, 12, 9);
    TURNED(stall_identities, "0D1h 2.2 % above the sum of its causes",
           "076h 1000, 0D0h 500, 0D1h 520, 0D2h to 0DAh 509");
    made_count(STEP_STALLS_C, 60, 11, 12, 100);
    made_count(STEP_STALLS_A, 1000, 500, 521, 7);
    EXPECT(stall_identities, OTHER, "076h 1000, 0D0h 500, 0D1h 521, 0D2h to 0DAh 600");
    fake_session.not_modelled[0] = 0x0D4; /* the answer is then 0 */
    EXPECT(stall_identities, OTHER, "076h 1000, 0D0h 500, 0D1h 521, 0D2h to 0DAh 600");
    fake_session.not_modelled[0] = 0x0D5;
    EXPECT(stall_identities, CANNOT, "event 0D5:00 is not modelled");
    fake_session.not_modelled[0] = 0;
    made_count(STEP_PREFETCHES, 0, 0, 0, 0);
    EXPECT(prefetches_067, SAME, "067h:01 0, 067h:02 0");
    made_count(STEP_PREFETCHES, 0, 1, 0, 0);
    TURNED(prefetches_067, "067h:02 counts one", "067h:01 0, 067h:02 1");
    made_count(STEP_CORE_SELECT, 100, 50, 0, 0);
    EXPECT(core_select_437, SAME, "4E0h:F7 100, 4E0h:17 50");
    made_count(STEP_CORE_SELECT, 100, 100, 0, 0);
    TURNED(core_select_437, "one core bit counts as much as all", "4E0h:F7 100, 4E0h:17 100");
    EXPECT(event_4ed, CANNOT, "revision C");
    made_machine->revision = 'E';
    made_count(STEP_EVENT_4ED, 0, 500, 0, 0);
    EXPECT(event_4ed, SAME, "4EDh 0, 4E1h 500");
    made_count(STEP_EVENT_4ED, 3, 500, 0, 0);
    TURNED(event_4ed, "4EDh counts three", "4EDh 3, 4E1h 500");
}

MADE(interrupts)
{
    EXPECT(nmis_in_0cf, CANNOT, "no samples");
    made_count(STEP_SAMPLED_OFTEN, 0, 74, 0, 0);
    made->step[STEP_SAMPLED_OFTEN].counts.recorded[SAMPLE_PMC] = 70;
    made->step[STEP_SAMPLED_OFTEN].counts.lost[SAMPLE_PMC] = 6;
    EXPECT(nmis_in_0cf, SAME, "0CFh 74, NMIs with a sample 76");
    made->step[STEP_SAMPLED_OFTEN].counts.lost[SAMPLE_PMC] = 7;
    TURNED(nmis_in_0cf, "0CFh counts three fewer than the NMIs", "0CFh 74, NMIs with a sample 77");
    made_count(STEP_SAMPLED_SELDOM, 0, 7, 0, 0);
    made->step[STEP_SAMPLED_SELDOM].counts.recorded[SAMPLE_PMC] = 9;
    EXPECT(interrupts_are_nmis, SAME, "0CFh 7, NMIs with a sample 9");
    made_count(STEP_SAMPLED_SELDOM, 0, 0, 0, 0);
    TURNED(interrupts_are_nmis, "0CFh stays 0", "0CFh 0, NMIs with a sample 9");
    made->step[STEP_LIMITED].timer = (struct timer_settings){.by = TIMER_BY_APIC, .khz = 204000};
    EXPECT(apic_timer_rate, SAME, "204000 kHz");
    made->step[STEP_LIMITED].timer.khz = 204001;
    TURNED(apic_timer_rate, "204,001 kHz", "204001 kHz");
    made->step[STEP_LIMITED].timer.by = TIMER_BY_COUNTER;
    EXPECT(apic_timer_rate, CANNOT, "the APIC's timer makes no ticks");
    EXPECT(handler_cycles, CANNOT, "no samples");
    made->step[STEP_OP_FIXED].counts.recorded[SAMPLE_OP] = 10;
    made->step[STEP_OP_FIXED].elapsed = 50000;
    made->step[STEP_ALU_COUNT].ticks = 1;
    EXPECT(handler_cycles, SAME, "5000 TSC ticks for each of 10 NMIs");
    made->step[STEP_ALU_COUNT].ticks = 0;
    TURNED(handler_cycles, "5000 ticks for an NMI", "5000 TSC ticks for each of 10 NMIs");
}

MADE(code)
{
    made_count(STEP_DIVIDE, 26440, 0, 0, 0);
    made_count(STEP_ALU_COUNT, 1000, 2910, 2900, 0);
    EXPECT(divide_and_width, SAME, "26.44 cycles per division, 2.91 instructions per cycle");
    EXPECT(dispatch_lines, SAME, "2.90 ops per cycle");
    made_count(STEP_ALU_COUNT, 1000, 2000, 2000, 0);
    TURNED(divide_and_width, "2.00 instructions per cycle", "26.44 cycles per division, 2.00 instructions per cycle");
    TURNED(dispatch_lines, "2.00 ops per cycle", "2.00 ops per cycle");
    made_machine->revision = 'B';
    EXPECT(divide_and_width, SAME, "26.44 cycles per division, 2.00 instructions per cycle");
    EXPECT(dispatch_lines, SAME, "2.00 ops per cycle");
    made_machine->revision = 'C';
    made_count(STEP_RANDOM, 100, 1100, 6, 0);
    EXPECT(mispredict_cycles, SAME, "11.06 cycles for each of 100 mispredicted branches");
    made_count(STEP_RANDOM, 100, 1301, 0, 0);
    TURNED(mispredict_cycles, "13.01 cycles for a branch", "13.01 cycles for each of 100 mispredicted branches");
    made_count(STEP_WALK_24, 2400, 0, 0, 0);
    made_count(STEP_WALK_16, 160, 0, 0, 0);
    EXPECT(code_walk, SAME, "081h per piece: 1.00 with 24 pieces, 0.10 with 16");
    made_count(STEP_WALK_16, 161, 0, 0, 0);
    TURNED(code_walk, "a miss in ten pieces of 16", "081h per piece: 1.00 with 24 pieces, 0.10 with 16");
    made_count(STEP_CODE_40, 2400, 0, 0, 0);
    made_count(STEP_CODE_24, 0, 0, 0, 0);
    EXPECT(itlb_reach, SAME, "084h per piece: 1.00 with 40 pieces, 0.00 with 24");
    made_count(STEP_CODE_40, 2279, 0, 0, 0);
    TURNED(itlb_reach, "0.95 misses for each of 40 pieces", "084h per piece: 0.95 with 40 pieces, 0.00 with 24");
    made_count(STEP_CALLS_24, 20, 0, 0, 0);
    made_count(STEP_CALLS_25, 100, 0, 0, 0);
    made_count(STEP_CALLS_40, 1600, 0, 1600, 0);
    EXPECT(return_stack, SAME, "0C9h per round: 0.20 at 24, 1.00 at 25, 16.00 at 40; 089h: 16.00 at 40");
    made_count(STEP_CALLS_25, 0, 0, 0, 0);
    TURNED(return_stack, "no miss at a depth of 25",
           "0C9h per round: 0.20 at 24, 0.00 at 25, 16.00 at 40; 089h: 16.00 at 40");
    made_count(STEP_JUMPS, 2000, 0, 0, 0);
    made_count(STEP_CALLS_INDIRECT, 1500, 0, 0, 0);
    EXPECT(indirect_targets, SAME, "0CAh: 1.000 per jump, 0.750 per call");
    made_count(STEP_CALLS_INDIRECT, 2000, 0, 0, 0);
    TURNED(indirect_targets, "every call mispredicted", "0CAh: 1.000 per jump, 1.000 per call");
    TURNED(branch_history, "every period's end predicted", "no period up to 20");
    made_count(STEP_PATTERN_4, 674, 0, 0, 0);
    made_count(STEP_PATTERN_5, 540, 0, 0, 0);
    EXPECT(branch_history, SAME, "5: 540 mispredicted of 600 ends");
    made_count(STEP_PATTERN_4, 675, 0, 0, 0);
    EXPECT(branch_history, OTHER, "4: 675 mispredicted of 750 ends");
}

MADE(memory)
{
    made_count(STEP_HOP_L1, 12000, 0, 0, 0);
    made_count(STEP_HOP_L2, 120000, 990, 1000, 0);
    made_count(STEP_HOP_L3, 220000, 0, 0, 0);
    made_count(STEP_HOP_DRAM, 600000, 0, 0, 0);
    EXPECT(hop_cycles, SAME, "cycles per hop: L1 3.0, L2 15.0, L3 55.0, memory 150.0");
    EXPECT(explore_constants, SAME, "L2 15.0, L3 55.0, memory 150.0");
    made_count(STEP_HOP_L3, 280000, 0, 0, 0);
    TURNED(hop_cycles, "70 cycles in the L3", "cycles per hop: L1 3.0, L2 15.0, L3 70.0, memory 150.0");
    made_machine->l3_kb = 2048; /* less than the list needs */
    EXPECT(hop_cycles, SAME, "cycles per hop: L1 3.0, L2 15.0, L3 70.0, memory 150.0");
    made_count(STEP_HOP_L3, 144000, 0, 0, 0);
    EXPECT(hop_cycles, OTHER, "cycles per hop: L1 3.0, L2 15.0, L3 36.0, memory 150.0");
    TURNED(explore_constants, "36 cycles in the L3", "L2 15.0, L3 36.0, memory 150.0");
    made_count(STEP_INDEX_CONTIGUOUS, 0, 1000, 0, 0);
    made_count(STEP_INDEX_SHUFFLED, 21, 1000, 0, 0);
    EXPECT(l1d_index, SAME, "041h of 1000 accesses: 0 contiguous, 21 shuffled");
    made_count(STEP_INDEX_SHUFFLED, 20, 1000, 0, 0);
    TURNED(l1d_index, "20 of 1000 miss with shuffled frames", "041h of 1000 accesses: 0 contiguous, 20 shuffled");
    made_count(STEP_WRITE, 1000, 0, 0, 0);
    made_count(STEP_WRITE_STREAMING, 49, 0, 0, 0);
    EXPECT(streaming_stores, SAME, "040h 1000 through the caches, 49 streaming");
    made_count(STEP_WRITE_STREAMING, 50, 0, 0, 0);
    TURNED(streaming_stores, "040h counts one in twenty", "040h 1000 through the caches, 50 streaming");
    made_count(STEP_FORWARD, 1, 497, 2, 500);
    made_count(STEP_FORWARD_040, 950, 0, 0, 0);
    EXPECT(forward_reasons, SAME, "02Ah 1 + 497 + 2, 07 500; 040h 1.90 per pass");
    made_count(STEP_FORWARD_040, 1500, 0, 0, 0);
    TURNED(forward_reasons, "040h counts 3.00 in a pass", "02Ah 1 + 497 + 2, 07 500; 040h 3.00 per pass");
    made_count(STEP_FORWARD, 500, 500, 0, 500);
    made_count(STEP_FORWARD_040, 1000, 0, 0, 0);
    EXPECT(forward_reasons, OTHER, "02Ah 500 + 500 + 0, 07 500; 040h 2.00 per pass");
    made_count(STEP_STRIDE_128, 901, 1000, 0, 0);
    EXPECT(prefetch_stride, SAME, "901 misses in 1000 accesses");
    made_count(STEP_STRIDE_128, 900, 1000, 0, 0);
    TURNED(prefetch_stride, "a tenth of the accesses hit", "900 misses in 1000 accesses");
}

MADE(tlbs)
{
    made_count(STEP_REACH_48, 0, 409, 0, 0);
    made_count(STEP_REACH_49, 0, 4000, 0, 0);
    made_count(STEP_REACH_512, 0, 0, 500, 0);
    made_count(STEP_REACH_576, 0, 0, 2500, 0);
    made_count(STEP_REACH_640, 0, 0, 4096, 0);
    EXPECT(tlb_steps, SAME, "in 1000 hops 045h 99, 976 at 48, 49; 046h 122, 610, 1000 at 512, 576, 640");
    EXPECT(l2_dtlb_replacement, SAME, "046h 1000 in 1000 hops at 640 pages");
    made_count(STEP_REACH_48, 0, 410, 0, 0);
    TURNED(tlb_steps, "045h in 100 of 1000 hops at 48 pages",
           "in 1000 hops 045h 100, 976 at 48, 49; 046h 122, 610, 1000 at 512, 576, 640");
    made_count(STEP_REACH_48, 0, 0, 0, 0);
    made_machine->revision = 'B';
    EXPECT(tlb_steps, SAME, "in 1000 hops 045h 0, 976 at 48, 49; 046h 122, 610, 1000 at 512, 576, 640");
    TURNED(l2_dtlb_replacement, "revision B: a walk in each hop", "046h 1000 in 1000 hops at 640 pages");
    made_count(STEP_REACH_640, 0, 0, 3200, 0);
    EXPECT(l2_dtlb_replacement, SAME, "046h 781 in 1000 hops at 640 pages");
    made_count(STEP_REACH_2048, 100000, 0, 4000, 0);
    made_count(STEP_REACH_2048_LARGE, 60000, 0, 0, 0);
    EXPECT(walk_through_l2, SAME, "10.0 additional cycles for each of 4000 walks");
    made_count(STEP_REACH_2048_LARGE, 110000, 0, 0, 0);
    TURNED(walk_through_l2, "no additional cycle with 4 KB pages", "0.0 additional cycles for each of 4000 walks");
}

static void fail_step(enum hardware_steps which, enum session_error error, uint32_t vector)
{
    made->step[which].good = false;
    made->step[which].error = error;
    made->step[which].vector = vector;
    strcpy(made->step[which].why, "as it is");
}

/* The reason of an answer is one failed step, or one event that is not modelled. */
MADE(reasons)
{
    made->step[STEP_DIVIDE].good = false;
    snprintf(made->step[STEP_DIVIDE].why, STEP_WHY, "exception #UD at 1234");
    EXPECT(tsc_is_core_clock, CANNOT, "divide-chain: exception #UD at 1234");
    EXPECT(divide_and_width, CANNOT, "divide-chain: exception #UD at 1234");
    fake_session.not_modelled[0] = 0x067;
    EXPECT(prefetches_067, CANNOT, "event 067:01 is not modelled");
    fake_session.not_modelled[0] = 0;
    EXPECT(model_known, SAME, "model 4h stepping 2: revision C");
    made_machine->revision = '?';
    TURNED(model_known, "a model without a known revision", "model 4h stepping 2: revision ?");
    made_machine->cr4 = 0x668;
    EXPECT(cr4_and_banks, SAME, "CR4 668: MCE 1, PGE 0; 0 banks with an error");
    made_machine->check.count = 1;
    TURNED(cr4_and_banks, "a bank with an error", "CR4 668: MCE 1, PGE 0; 1 banks with an error");
    made_machine->check.count = 0;
    made_machine->cr4 = 0x680;
    EXPECT(cr4_and_banks, OTHER, "CR4 680: MCE 0, PGE 1; 0 banks with an error");
    made->step[STEP_OP_FIXED].lvt_offset = 2;
    EXPECT(f3x1cc_sticks, SAME, "entry 2, as written");
    EXPECT(f3x1cc_mirrored, SAME, "C001_103A as written, on 1 node");
    made_machine->nodes.count = 2;
    EXPECT(f3x1cc_mirrored, SAME, "C001_103A as written, on 2 nodes");
    made->step[STEP_OP_FIXED].firmware_entry = true;
    TURNED(f3x1cc_sticks, "the firmware's entry is used", "entry 2, the firmware's");
    TURNED(f3x1cc_mirrored, "F3x1CC keeps its old value", "F3x1CC does not hold what is written");
    fail_step(STEP_OP_FIXED, SESSION_IBS_CONTROL, 0);
    EXPECT(f3x1cc_mirrored, OTHER, "as it is");
    EXPECT(f3x1cc_sticks, CANNOT, "alu-independent: as it is");
    fail_step(STEP_OP_FIXED, SESSION_F3X1CC, 0);
    EXPECT(f3x1cc_mirrored, OTHER, "as it is");
    fail_step(STEP_OP_FIXED, SESSION_NO_FREE_LVT, 0);
    EXPECT(f3x1cc_mirrored, CANNOT, "alu-independent: as it is");
}

/* Erratum 383: one error is corrected, and one is not. */
MADE(translations)
{
    fake_add_msr(0x401, 0x7FFFFFFFFFFFFFFF, 0);
    EXPECT(no_stale_translation, SAME, "MC0_STATUS 7fffffffffffffff after code_pages=4k");
    fake_msr(0x401)->value = 1ull << 63;
    TURNED(no_stale_translation, "MC0_STATUS holds an error", "MC0_STATUS 8000000000000000 after code_pages=4k");
    made_machine->check.count = 1;
    made_machine->check.bank[0].bank = 4;
    EXPECT(no_stale_translation, OTHER, "MC0_STATUS 8000000000000000 after code_pages=4k");
    made_machine->check.bank[0].bank = 0;
    EXPECT(no_stale_translation, CANNOT, "bank 0 has held an error since boot: question 92");
    made_machine->check.count = 0;
    EXPECT(no_stale_translation, OTHER, "MC0_STATUS 8000000000000000 after code_pages=4k");
    fake_session.fail_at = fake_session.runs + 1;
    EXPECT(no_stale_translation, CANNOT, "a model-specific register raised an exception (c0011033)");
    fail_step(STEP_CODE_40, SESSION_FAULT, 18);
    EXPECT(no_stale_translation, OTHER, "with code_pages=4k as it is");
    fail_step(STEP_CODE_40, SESSION_FAULT, 13);
    EXPECT(no_stale_translation, CANNOT, "code-pages: as it is");
}

/* The questions' answer is the time of a session, or of a file. */
MADE(of_sessions)
{
    struct machine slow = *made_machine;

    made->step[STEP_LIMITED].timer.by = TIMER_IMPOSSIBLE;
    EXPECT(alarm, CANNOT, "nothing makes ticks here");
    made->step[STEP_LIMITED].timer.by = TIMER_BY_APIC;
    fake_session.endless_ms = 1;
    EXPECT(alarm, SAME, "stopped after 1000 us");
    assert_int_equal(fake_session.plan.program.timer.limit_ms, 1);
    slow.tsc_khz = 2 * made_machine->tsc_khz;
    made->place.machine = &slow;
    TURNED(alarm, "stopped after 2 ms", "stopped after 2000 us");
    slow.tsc_khz = 2 * made_machine->tsc_khz - 2000;
    EXPECT(alarm, SAME, "stopped after 1999 us");
    slow.tsc_khz = made_machine->tsc_khz - 2000;
    EXPECT(alarm, OTHER, "stopped after 999 us");
    /* If no alarm comes, the pass still ends. */
    fake_session.endless_ms = 0;
    fake_session.result.timer.by = TIMER_BY_APIC;
    EXPECT(alarm, OTHER, "not stopped within 100 ms");
    fake_session.result.timer.by = TIMER_IMPOSSIBLE;
    EXPECT(alarm, CANNOT, "nothing made ticks in this pass");
    fake_session.fail_at = fake_session.runs + 1;
    EXPECT(alarm, CANNOT, "a model-specific register raised an exception (c0011033)");
    made->step[STEP_LIMITED].good = false;
    strcpy(made->step[STEP_LIMITED].why, "as it is");
    EXPECT(alarm, CANNOT, "alu-independent: as it is");

    fake_folder_put(&fake_fw, "\\ibsboot");
    made->save = true; /* without that folder the sessions before could not be noted */
    EXPECT(saving_speed, SAME, "65536 bytes in 0 ms");
    assert_int_equal(strlen(file_text("\\ibsboot\\hardware.csv")), 65536);
    made_machine->tsc_khz = 1;
    TURNED(saving_speed, "a second for 64 KB", "65536 bytes in 1000 ms");
    fake_fw.fail.call = FAKE_FILE_WRITE;
    fake_fw.fail.at = 1;
    fake_fw.fail.and = 1000;
    fake_fw.fail.error = FIRMWARE_FULL;
    EXPECT(saving_speed, OTHER, "the volume is full");
    made->save = false;
    EXPECT(saving_speed, CANNOT, "nothing is written: save=no, or a write failed");
}

int main(void)
{
    return made_run();
}
