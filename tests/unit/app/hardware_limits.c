/* SPDX-License-Identifier: BSD-2-Clause */
/* The limits of what the questions of config=hardware expect: each question is tried at the last expected value, and
 * one beyond. Counts are compared with 1000, so that one more or less is a thousandth. */
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tests/unit/app/hardware_made.h"

#define NO_LIMIT UINT64_MAX

static enum hardware_verdict ask(enum hardware_question question, void (*function)(struct hardware *))
{
    made->asking = question;
    made->answer[question] = (struct hardware_answer){0};
    function(made);
    return made->answer[question].verdict;
}

/* Checks that values from low to high are expected, or are answered with 'inside', and puts the old value back. */
static void limits(enum hardware_question question, void (*function)(struct hardware *), const char *what,
                   uint64_t *value, uint64_t low, uint64_t high, enum hardware_verdict inside)
{
    const uint64_t before = *value, tried[] = {low, high, low - 1, high + 1};

    for (unsigned i = 0; i < 4; i++) {
        enum hardware_verdict wanted = i < 2 ? inside : inside == SAME ? OTHER : SAME;

        if ((i == 1 || i == 3) ? high == NO_LIMIT : i == 2 && low == 0)
            continue;
        *value = tried[i];
        if (ask(question, function) != wanted)
            fail_msg("%s: %lu of %s is %s: %s", hardware_rows[question].id, tried[i], what,
                     hardware_verdict_name(made->answer[question].verdict), made->answer[question].found);
    }
    *value = before;
}

#define LIMITS(id, step_, counter, low, high)                                                                          \
    limits(HARDWARE_##id, hardware_ask_##id, #step_ " " #counter, &made->step[STEP_##step_].count[counter], low, high, \
           SAME)
#define OUTSIDE(id, step_, counter, low, high)                                                                         \
    limits(HARDWARE_##id, hardware_ask_##id, #step_ " " #counter, &made->step[STEP_##step_].count[counter], low, high, \
           OTHER)
#define TAKEN(id, step_, kind, low, high)                                                                              \
    limits(HARDWARE_##id, hardware_ask_##id, #step_, &made->step[STEP_##step_].counts.recorded[kind], low, high, SAME)
#define ANSWERS(id) ask(HARDWARE_##id, hardware_ask_##id)

static void set(enum hardware_steps step, const char *name, uint32_t value)
{
    const struct workload *workload = made->step[step].workload;
    unsigned i = 0;

    while (strcmp(workload->params[i].name, name) != 0)
        i++;
    made->step[step].params[i] = value;
}

MADE(limits_of_counters)
{
    made_count(STEP_TIGHT_FETCH, 1000, 0, 1000, 0);
    LIMITS(event_087, TIGHT_FETCH, 3, 0, 50);
    made_count(STEP_TIGHT_FETCH, 1000, 0, 1000, 50);
    LIMITS(event_087, TIGHT_FETCH, 2, 201, NO_LIMIT);
    LIMITS(event_087, TIGHT_FETCH, 0, 1000, NO_LIMIT);
    made_count(STEP_TIGHT_FLAGS, 1000, 1000, 0, 0);
    LIMITS(invert_edge, TIGHT_FLAGS, 1, 990, 1010);
    LIMITS(invert_edge, TIGHT_FLAGS, 2, 0, 99);
    made->step[STEP_TIGHT_FETCH].empty[1] = 7;
    LIMITS(drain_0d3, TIGHT_FETCH, 1, 0, 107);
    set(STEP_ALU_FETCH, "iterations", 1000);
    LIMITS(event_080_unit, ALU_FETCH, 0, 15000, 18500);
    made_count(STEP_MISALIGNED, 12293, 4096, 0, 0);
    LIMITS(misaligned_in_040, MISALIGNED, 0, 12171, 12415);
    LIMITS(misaligned_in_040, MISALIGNED, 1, 4056, 4136);
    made_count(STEP_REFILLS, 1000, 1000, 0, 0);
    LIMITS(refills_agree, REFILLS, 0, 980, 1020);
    made->step[STEP_DIVIDE].ticks = 1000;
    LIMITS(tsc_is_core_clock, DIVIDE, 0, 980, 1020);
    made->step[STEP_SAMPLED_OFTEN].counts.recorded[SAMPLE_PMC] = 10;
    made->step[STEP_SAMPLED_SELDOM].counts.recorded[SAMPLE_PMC] = 10;
    LIMITS(nmis_in_0cf, SAMPLED_OFTEN, 1, 8, 12);
    LIMITS(interrupts_are_nmis, SAMPLED_SELDOM, 1, 8, 12);
    made_count(STEP_CORE_SELECT, 1000, 0, 0, 0);
    OUTSIDE(core_select_437, CORE_SELECT, 1, 950, 1050);
    LIMITS(prefetches_067, PREFETCHES, 0, 0, 0);
    LIMITS(prefetches_067, PREFETCHES, 1, 0, 0);
    made->model = false;
    memcpy(made->step[STEP_RETS].empty, (uint64_t[]){1, 1, 1, 1}, sizeof(uint64_t[4]));
    for (unsigned i = 0; i < 4; i++)
        limits(HARDWARE_empty_ret, hardware_ask_empty_ret, "over nothing", &made->step[STEP_RETS].empty[i], 1,
               i == 3 ? NO_LIMIT : 1, SAME);
    made->step[STEP_LIMITED].timer.by = TIMER_BY_APIC;
    limits(HARDWARE_apic_timer_rate, hardware_ask_apic_timer_rate, "kHz", &made->step[STEP_LIMITED].timer.khz, 196000,
           204000, SAME);
}

/* Each cause counts, and so does each kind of stall. */
MADE(limits_of_stalls)
{
    made_count(STEP_STALLS_A, 1000, 500, 100, 1000);
    LIMITS(stall_identities, STALLS_A, 1, 0, 920);
    LIMITS(stall_identities, STALLS_A, 2, 0, 520);
    made_count(STEP_STALLS_A, 2000, 0, 1020, 100);
    made_count(STEP_STALLS_B, 101, 102, 103, 104);
    made_count(STEP_STALLS_C, 105, 106, 107, 172);
    LIMITS(stall_identities, STALLS_A, 3, 100, NO_LIMIT);
    LIMITS(stall_identities, STALLS_B, 0, 101, NO_LIMIT);
    LIMITS(stall_identities, STALLS_B, 1, 102, NO_LIMIT);
    LIMITS(stall_identities, STALLS_B, 2, 103, NO_LIMIT);
    LIMITS(stall_identities, STALLS_B, 3, 104, NO_LIMIT);
    LIMITS(stall_identities, STALLS_C, 0, 105, NO_LIMIT);
    LIMITS(stall_identities, STALLS_C, 1, 106, NO_LIMIT);
    LIMITS(stall_identities, STALLS_C, 2, 107, NO_LIMIT);
    LIMITS(stall_identities, STALLS_C, 3, 172, NO_LIMIT);
}

MADE(limits_of_code)
{
    set(STEP_DIVIDE, "steps", 1000);
    made_count(STEP_DIVIDE, 26000, 0, 0, 0);
    made_count(STEP_ALU_COUNT, 1000, 2900, 2900, 0);
    LIMITS(divide_and_width, DIVIDE, 0, 24500, 27500);
    LIMITS(divide_and_width, ALU_COUNT, 1, 2800, 3050);
    LIMITS(dispatch_lines, ALU_COUNT, 2, 2800, 3050);
    made_machine->revision = 'B';
    made_count(STEP_ALU_COUNT, 1000, 2000, 2000, 0);
    LIMITS(divide_and_width, ALU_COUNT, 1, 1900, 2200);
    LIMITS(dispatch_lines, ALU_COUNT, 2, 1900, 2200);
    made_machine->revision = 'C';
    made_count(STEP_RANDOM, 1000, 5000, 6000, 0);
    LIMITS(mispredict_cycles, RANDOM, 1, 4000, 7000);
    LIMITS(mispredict_cycles, RANDOM, 2, 5000, 8000);
    set(STEP_WALK_24, "rounds", 500);
    set(STEP_WALK_24, "pieces", 2);
    set(STEP_WALK_16, "rounds", 250);
    set(STEP_WALK_16, "pieces", 4);
    made_count(STEP_WALK_24, 1000, 0, 0, 0);
    LIMITS(code_walk, WALK_24, 0, 950, 1100);
    LIMITS(code_walk, WALK_16, 0, 0, 100);
    set(STEP_CODE_40, "rounds", 500);
    set(STEP_CODE_40, "pieces", 2);
    set(STEP_CODE_24, "rounds", 250);
    set(STEP_CODE_24, "pieces", 4);
    made_count(STEP_CODE_40, 1000, 0, 0, 0);
    LIMITS(itlb_reach, CODE_40, 0, 950, 1100);
    LIMITS(itlb_reach, CODE_24, 0, 0, 100);
    set(STEP_CALLS_24, "rounds", 1000);
    set(STEP_CALLS_25, "rounds", 1000);
    set(STEP_CALLS_40, "rounds", 1000);
    made_count(STEP_CALLS_25, 1000, 0, 0, 0);
    made_count(STEP_CALLS_40, 16000, 0, 0, 0);
    LIMITS(return_stack, CALLS_24, 0, 0, 200);
    LIMITS(return_stack, CALLS_25, 0, 800, 1500);
    LIMITS(return_stack, CALLS_40, 0, 15000, 17500);
    set(STEP_JUMPS, "iterations", 1000);
    set(STEP_CALLS_INDIRECT, "iterations", 1000);
    made_count(STEP_JUMPS, 1000, 0, 0, 0);
    made_count(STEP_CALLS_INDIRECT, 750, 0, 0, 0);
    LIMITS(indirect_targets, JUMPS, 0, 950, 1050);
    LIMITS(indirect_targets, CALLS_INDIRECT, 0, 700, 800);
}

/* All periods are tried from the first to the last, each with 1000 ends. */
MADE(limits_of_patterns)
{
    for (unsigned step = STEP_PATTERN_4; step <= STEP_PATTERN_20; step++) {
        uint32_t period = hardware_param(&made->step[step], "period");
        enum hardware_verdict wanted = period >= 5 && period <= 16 ? SAME : OTHER;

        set((enum hardware_steps)step, "iterations", 1000 * period);
        made->step[step].count[0] = 899;
        assert_int_equal(ANSWERS(branch_history), OTHER);
        assert_string_equal(made->answer[HARDWARE_branch_history].found, "no period up to 20");
        made->step[step].count[0] = 900;
        assert_int_equal(ANSWERS(branch_history), wanted);
        assert_string_not_equal(made->answer[HARDWARE_branch_history].found, "no period up to 20");
        made->step[step].count[0] = 100000;
        assert_int_equal(ANSWERS(branch_history), wanted);
        made->step[step].count[0] = 100001;
        assert_int_equal(ANSWERS(branch_history), OTHER);
        made->step[step].count[0] = 0;
    }
}

MADE(limits_of_hops)
{
    static const enum hardware_steps steps[] = {STEP_HOP_L1, STEP_HOP_L2, STEP_HOP_L3, STEP_HOP_DRAM};

    for (unsigned i = 0; i < 4; i++) {
        set(steps[i], "hops", 1000);
        made_count(steps[i], (uint64_t[]){3000, 15000, 55000, 140000}[i], 0, 0, 0);
    }
    LIMITS(hop_cycles, HOP_L1, 0, 2900, 3500);
    LIMITS(hop_cycles, HOP_L2, 0, 12000, 18000);
    LIMITS(hop_cycles, HOP_DRAM, 0, 100000, 250000);
    made_machine->l3_kb = 4096; /* as large as the list */
    LIMITS(hop_cycles, HOP_L3, 0, 45000, 65000);
    made_machine->l3_kb--;
    LIMITS(hop_cycles, HOP_L3, 0, 45000, 90000);
    LIMITS(explore_constants, HOP_L2, 0, 10005, 19995);
    LIMITS(explore_constants, HOP_L3, 0, 36685, 73315);
    LIMITS(explore_constants, HOP_DRAM, 0, 93380, 186620);
}

MADE(limits_of_memory)
{
    made_count(STEP_INDEX_CONTIGUOUS, 10, 1000, 0, 0);
    made_count(STEP_INDEX_SHUFFLED, 41, 1000, 0, 0);
    LIMITS(l1d_index, INDEX_SHUFFLED, 0, 41, NO_LIMIT);
    LIMITS(l1d_index, INDEX_CONTIGUOUS, 0, 0, 10);
    made_count(STEP_WRITE, 1000, 0, 0, 0);
    LIMITS(streaming_stores, WRITE_STREAMING, 0, 0, 49);
    made_count(STEP_WRITE_STREAMING, 49, 0, 0, 0);
    LIMITS(streaming_stores, WRITE, 0, 981, NO_LIMIT);
    set(STEP_FORWARD_040, "iterations", 1000);
    made_count(STEP_FORWARD_040, 2000, 0, 0, 0);
    made_count(STEP_FORWARD, 300, 300, 400, 1000);
    LIMITS(forward_reasons, FORWARD, 0, 290, 310);
    LIMITS(forward_reasons, FORWARD, 1, 290, 310);
    LIMITS(forward_reasons, FORWARD, 2, 390, 410);
    LIMITS(forward_reasons, FORWARD_040, 0, 1900, 2300);
    made_count(STEP_STRIDE_128, 901, 1000, 0, 0);
    LIMITS(prefetch_stride, STRIDE_128, 0, 901, NO_LIMIT);
    made_count(STEP_REACH_2048, 30005, 0, 1000, 0);
    made_count(STEP_REACH_2048_LARGE, 5, 0, 0, 0);
    LIMITS(walk_through_l2, REACH_2048, 0, 10005, 60005);
    made_ops(STEP_OP_L2, 400, 0, IBS_NB_NONE, IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_MISS);
    made_ops(STEP_OP_L2, 600, 0, IBS_NB_L3, IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_MISS);
    made_count(STEP_HOP_L2, 0, 400, 1000, 0);
    LIMITS(source_l2, HOP_L2, 1, 340, 460);
}

MADE(limits_of_tlbs)
{
    static const enum hardware_steps steps[] = {STEP_REACH_48, STEP_REACH_49, STEP_REACH_512, STEP_REACH_576,
                                                STEP_REACH_640};

    for (unsigned i = 0; i < 5; i++)
        set(steps[i], "hops", 1000);
    made_count(STEP_REACH_49, 0, 900, 0, 0);
    made_count(STEP_REACH_512, 0, 0, 299, 0);
    made_count(STEP_REACH_576, 0, 0, 600, 0);
    made_count(STEP_REACH_640, 0, 0, 1000, 0);
    LIMITS(tlb_steps, REACH_48, 1, 0, 99);
    LIMITS(tlb_steps, REACH_49, 1, 801, NO_LIMIT);
    LIMITS(tlb_steps, REACH_512, 2, 0, 299);
    LIMITS(tlb_steps, REACH_576, 2, 500, NO_LIMIT);
    LIMITS(tlb_steps, REACH_640, 2, 901, NO_LIMIT);
    LIMITS(l2_dtlb_replacement, REACH_640, 2, 951, NO_LIMIT);
    made_machine->revision = 'B';
    LIMITS(tlb_steps, REACH_576, 2, 400, NO_LIMIT);
    LIMITS(tlb_steps, REACH_640, 2, 451, NO_LIMIT);
    OUTSIDE(l2_dtlb_replacement, REACH_640, 2, 951, NO_LIMIT);
}

/* Sets the loads with conflicts in each step, out of 1000. */
static void conflicts(const unsigned many[5])
{
    static const enum hardware_steps steps[] = {STEP_OP_BANK_8, STEP_OP_BANK_16, STEP_OP_BANK_32, STEP_OP_BANK_64,
                                                STEP_OP_BANK_128};

    for (unsigned i = 0; i < 5; i++) {
        made->step[steps[i]].samples = 0;
        made_ops(steps[i], many[i], 0, 0, IBS_LD_OP | IBS_DC_LD_BNK_CON);
        made_ops(steps[i], 1000 - many[i], 0, 0, IBS_LD_OP);
    }
}

MADE(limits_of_banks)
{
    for (unsigned i = 0; i < 5; i++) {
        unsigned many[5] = {0, 0, 0, 500, 500};
        const unsigned low = i < 3 ? 0 : 350, high = i < 3 ? 49 : 650;

        for (unsigned beyond = 0; beyond < 2; beyond++) {
            many[i] = high + beyond;
            conflicts(many);
            assert_int_equal(ANSWERS(banks), beyond ? OTHER : SAME);
            many[i] = low - (low ? beyond : 0);
            conflicts(many);
            assert_int_equal(ANSWERS(banks), beyond && low ? OTHER : SAME);
        }
    }
}

/* Makes records of loads with this latency. */
static void latency(enum hardware_steps step, uint64_t cycles)
{
    made->step[step].samples = 0;
    made_ops(step, 40, 0, IBS_NB_L3,
             IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID | IBS_DC_MISS | cycles << 32);
}

MADE(limits_of_latencies)
{
    static const struct {
        enum hardware_steps step;
        unsigned usual, low, high;
    } rows[] = {{STEP_OP_L2, 12, 10, 15}, {STEP_OP_L3, 52, 42, 65}, {STEP_OP_DRAM, 162, 98, 259}};

    for (unsigned i = 0; i < 3; i++)
        latency(rows[i].step, rows[i].usual);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned tried[] = {rows[i].low, rows[i].high, rows[i].low - 1, rows[i].high + 1};

        for (unsigned t = 0; t < 4; t++) {
            latency(rows[i].step, tried[t]);
            assert_int_equal(ANSWERS(misslat_medians), t < 2 ? SAME : OTHER);
        }
        latency(rows[i].step, rows[i].usual);
    }
    latency(STEP_OP_L3, 1000);
    for (unsigned t = 0; t < 4; t++) {
        latency(STEP_OP_L3_4K, (unsigned[]){900, 1100, 899, 1101}[t]);
        assert_int_equal(ANSWERS(misslat_without_walk), t < 2 ? SAME : OTHER);
    }
}

/* The figures here are products of samples and periods. */
MADE(limits_of_samples)
{
    uint64_t base = (uint64_t)(uintptr_t)made->step[STEP_FETCH_ALU].workload->run;

    set(STEP_FETCH_TAKEN, "iterations", 1000);
    made->step[STEP_FETCH_TAKEN].ibs.fetch_period = 2;
    TAKEN(fetch_counter, FETCH_TAKEN, SAMPLE_FETCH, 8500, 11000);
    made_ops(STEP_OP_CYCLES, 30, 5ull << 16, 0, 0);
    made->step[STEP_OP_CYCLES].ibs.op_period = 1;
    made->step[STEP_HOP_L3].count[0] = 1000;
    TAKEN(cycle_tags_wait, OP_CYCLES, SAMPLE_OP, 700, 950);
    made->step[STEP_OP_FIXED].counts.recorded[SAMPLE_OP] = 1000;
    TAKEN(curcnt_shortens, OP_RANDOM, SAMPLE_OP, 920, 1080);
    made->step[STEP_OP_FIXED].ibs.op_period = 2;
    made->step[STEP_ALU_COUNT].count[0] = 1000;
    made_machine->revision = 'B';
    TAKEN(revision_b_counter, OP_FIXED, SAMPLE_OP, 450, 550);
    made->step[STEP_OP_FIXED].counts.recorded[SAMPLE_OP] = 0;
    made_ops(STEP_OP_FIXED, 100, 0, 0, 0);
    for (unsigned i = 0; i < 16; i++)
        made->step[STEP_OP_FIXED].records[i].reg[IBS_OP_CTL] = (uint64_t)(i * 8 + 7) << IBS_OP_CUR_CNT_SHIFT;
    assert_int_equal(ANSWERS(curcnt_after_sample), SAME); /* 17 different values, with the 0 of the other records */
    made->step[STEP_OP_FIXED].records[0].reg[IBS_OP_CTL] = 0;
    assert_int_equal(ANSWERS(curcnt_after_sample), OTHER);
    made_fetches(STEP_FETCH_ALU, 4, base, 0);
    made_fetches(STEP_FETCH_ALU, 77, base + 8 * 32 + 31, 0);
    made_fetches(STEP_FETCH_ALU, 9, base + 9 * 32, 0);
    made_fetches(STEP_FETCH_ALU, 9, base - 1, 0);
    assert_int_equal(ANSWERS(loop_head), SAME);
    made_fetches(STEP_FETCH_ALU, 1, base + 31, 0);
    made_fetches(STEP_FETCH_ALU, 18, base + 32, 0);
    assert_int_equal(ANSWERS(loop_head), OTHER);
    made_fetches(STEP_FETCH_ALU, 1, base + 32, 0);
    assert_int_equal(ANSWERS(loop_head), SAME);
}

/* There are 480 samples of 48 ops, 10 for each op except for pairs of which one has so many more and the other so many
 * fewer: the sum of squares tells how unequal they are. */
MADE(limits_of_lines)
{
    static const unsigned apart[] = {10, 10, 10, 10, 7, 4, 2, 1, 1};
    const struct hardware_step *step = &made->step[STEP_OP_ALU_CYCLES];
    uint64_t first = (uint64_t)(uintptr_t)step->workload->run + 32;

    made_ops(STEP_OP_ALU_CYCLES, 480, 0, 0, 0);
    for (unsigned pairs = 8; pairs <= 9; pairs++) {
        unsigned at = 0;

        for (unsigned op = 0; op < 48; op++) {
            unsigned more = op / 2 < pairs ? apart[op / 2] : 0;

            for (unsigned n = 0; n < (op % 2 ? 10 + more : 10 - more); n++)
                step->records[at++].reg[IBS_OP_RIP] = first + 4 * op;
        }
        assert_int_equal(at, 480);
        assert_int_equal(ANSWERS(line_ops_equal), pairs == 8 ? SAME : OTHER);
    }
}
