/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers of config=hardware about a Zen's counters outside of the cores, power, clocks and addresses. */
#include "core/family/branch_regs.h"
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "tests/unit/app/hardware_made.h"
#include "tests/unit/drivers/fake_cpu.h"

#define WHY  "a model-specific register raised an exception (c0011033)"
#define LOAD (IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID)
#define MISS (LOAD | IBS_DC_MISS | 20ull << 32)

static void begin(uint32_t family, uint32_t model, uint32_t caps)
{
    made_begin();
    set_family(family, model);
    made_machine->ibs_caps = caps;
    made_machine->pmc = made_machine->row->pmc;
    made_machine->branches = 16;
}

static void fail_next(void)
{
    fake_session.fail_at = fake_session.runs + 1;
}

static void loses(uint32_t msr, uint64_t bits)
{
    fake_trial.lost[0].msr = msr;
    fake_trial.lost[0].result = bits;
}

/* Asks once with all bits kept, and once with one bit lost. */
#define KEEPS(id, msr, mask, bit, condition, same, other)                                                              \
    fake_trial.holds = 0;                                                                                              \
    loses(0, 0);                                                                                                       \
    EXPECT(id, SAME, same);                                                                                            \
    assert_true(fake_trial.held[0] == (mask));                                                                         \
    loses(msr, 1ull << (bit));                                                                                         \
    TURNED(id, condition, other);                                                                                      \
    fail_next();                                                                                                       \
    EXPECT(id, CANNOT, WHY)

MADE(of_outer_counters)
{
    begin(0x19, 0x61, 0xBFF);
    KEEPS(l3_control_holds, 0xC0010230, 0x0300C0000000FFFF, 46, "slices do not hold",
          "c0010230 loses 0 of 300c0000000ffff", "c0010230 loses 400000000000 of 300c0000000ffff");
    KEEPS(l3_count_holds, 0xC0010231, PMC_COUNTER_MASK, 47, "bit 47 is lost", "c0010231 loses 0 of ffffffffffff",
          "c0010231 loses 800000000000 of ffffffffffff");
    KEEPS(memory_control_holds, 0xC0010800, 0x10A, 8, "bit 8 is lost", "c0010800 loses 0 of 10a",
          "c0010800 loses 100 of 10a");
    KEEPS(memory_count_holds, 0xC0010801, PMC_COUNTER_MASK, 45, "bit 45 is lost", "c0010801 loses 0 of ffffffffffff",
          "c0010801 loses 200000000000 of ffffffffffff");
    KEEPS(merge_event_holds, 0xC0010202, 0xF000000FF, 35, "bits 35:32 are lost", "c0010202 loses 0 of f000000ff",
          "c0010202 loses 800000000 of f000000ff");
    KEEPS(branch_selection_holds, MSR_LBR_SELECT, 0x1FF, 8, "bit 8 is lost", "c000010e loses 0 of 1ff",
          "c000010e loses 100 of 1ff");

    fake_set_leaf(CPUID_LEAF_PMC, 1, 4 << 16, 3, 0);
    EXPECT(memory_counters_told, SAME, "4 counters for 2 controllers");
    fake_set_leaf(CPUID_LEAF_PMC, 1, 1 << 16, 1, 0);
    TURNED(memory_counters_told, "one counter", "1 counters for 1 controllers");
    fake_set_leaf(CPUID_LEAF_PMC, 1, 4 << 16, 0, 0);
    EXPECT(memory_counters_told, OTHER, "4 counters for 0 controllers");

    fake_set_leaf(0x80000001, 0, 0, 1 << 28 | 1 << 24, 0);
    EXPECT(outer_told, SAME, "L3 1, data fabric 1");
    fake_set_leaf(0x80000001, 0, 0, 1 << 24, 0);
    TURNED(outer_told, "no L3", "L3 0, data fabric 1");
    fake_set_leaf(0x80000001, 0, 0, 1 << 28, 0);
    EXPECT(outer_told, OTHER, "L3 1, data fabric 0");

    begin(0x17, 0x71, 0x3FF);
    fake_trial.holds = 0;
    loses(0, 0);
    EXPECT(l3_control_holds, SAME, "c0010230 loses 0 of ff0f00000000ffff");
    KEEPS(fabric_control_holds, 0xC0010240, 0x3807, 12, "bit 12 is lost", "c0010240 loses 0 of 3807",
          "c0010240 loses 1000 of 3807");
    KEEPS(fabric_count_holds, 0xC0010241, PMC_COUNTER_MASK, 46, "bit 46 is lost", "c0010241 loses 0 of ffffffffffff",
          "c0010241 loses 400000000000 of ffffffffffff");
}

MADE(of_power)
{
    begin(0x19, 0x61, 0xBFF);
    fake_set_leaf(0x80000007, 0, 0, 0, 0);
    EXPECT(energy_as_told, SAME, "CPUID says that they do not exist, and 0 can be read");
    EXPECT(energy_unit, CANNOT, "C001_0299 raises an exception");
    fake_add_msr(0xC0010299, 0xA1003, 0);
    EXPECT(energy_as_told, OTHER, "CPUID says that they do not exist, and 1 can be read");
    fake_set_leaf(0x80000007, 0, 0, 0, 1 << 14);
    fake_add_msr(0xC001029B, 0, 0);
    TURNED(energy_as_told, "two of three can be read", "CPUID says that they exist, and 2 can be read");
    fake_add_msr(0xC001029A, 0, 0);
    EXPECT(energy_as_told, SAME, "CPUID says that they exist, and 3 can be read");
    EXPECT(energy_unit, SAME, "2^-16 J");
    fake_msr(0xC0010299)->value = 10 << 8;
    EXPECT(energy_unit, SAME, "2^-10 J");
    fake_msr(0xC0010299)->value = 20 << 8;
    EXPECT(energy_unit, SAME, "2^-20 J");
    fake_msr(0xC0010299)->value = 21 << 8;
    EXPECT(energy_unit, OTHER, "2^-21 J");
    fake_msr(0xC0010299)->value = 9 << 8;
    TURNED(energy_unit, "2^-9 J", "2^-9 J");
    fail_next();
    EXPECT(energy_as_told, CANNOT, WHY);
    fail_next();
    EXPECT(energy_unit, CANNOT, WHY);

    fake_set_leaf(0x80000008, 0, 0, 0, 0);
    EXPECT(cppc_as_told, SAME, "CPUID says that they do not exist, and C001_02B0 raises an exception");
    EXPECT(cppc_levels_in_order, CANNOT, "CPUID does not report CPPC by MSRs");
    EXPECT(cppc_request_holds, CANNOT, "CPUID does not report CPPC by MSRs");
    fake_set_leaf(0x80000008, 0, 1 << 27, 0, 0);
    EXPECT(cppc_as_told, OTHER, "CPUID says that they exist, and C001_02B0 raises an exception");
    EXPECT(cppc_levels_in_order, CANNOT, "C001_02B0 raises an exception");
    fake_add_msr(0xC00102B0, 0xA6783C14, 0);
    EXPECT(cppc_as_told, SAME, "CPUID says that they exist, and C001_02B0 can be read");
    EXPECT(cppc_levels_in_order, SAME, "lowest 20, nominal 120, highest 166");
    fake_trial.holds = 0;
    loses(0, 0);
    EXPECT(cppc_request_holds, SAME, "a6a6a6 written, 0 differs");
    assert_int_equal(fake_trial.held[0], 0xA6A6A6);
    loses(0xC00102B3, 0x80);
    TURNED(cppc_request_holds, "bit 7 is lost", "a6a6a6 written, 80 differs");
    fail_next();
    EXPECT(cppc_request_holds, CANNOT, WHY);
    fake_msr(0xC00102B0)->value = 0x77783C14;
    TURNED(cppc_levels_in_order, "nominal above highest", "lowest 20, nominal 120, highest 119");
    fake_msr(0xC00102B0)->value = 0x78783C78;
    EXPECT(cppc_levels_in_order, OTHER, "lowest 120, nominal 120, highest 120");
    fake_msr(0xC00102B0)->value = 0x78783C00;
    EXPECT(cppc_levels_in_order, OTHER, "lowest 0, nominal 120, highest 120");
    fake_set_leaf(0x80000008, 0, 0, 0, 0);
    TURNED(cppc_as_told, "they can be read, but CPUID does not say so",
           "CPUID says that they do not exist, and C001_02B0 can be read");
    fail_next();
    EXPECT(cppc_as_told, CANNOT, WHY);
}

MADE(of_clocks_of_zen)
{
    begin(0x1A, 0x44, 0x81BFF);
    EXPECT(tsc_at_p0, CANNOT, "HWCR raises an exception");
    fake_add_msr(0xC0010015, 1 << 24, 0);
    EXPECT(tsc_at_p0, SAME, "HWCR is 1000000");
    fake_msr(0xC0010015)->value = ~(1ull << 24);
    TURNED(tsc_at_p0, "the bit is clear", "HWCR is fffffffffeffffff");
    fail_next();
    EXPECT(tsc_at_p0, CANNOT, WHY);

    made_machine->silicon = (struct silicon){.read = true, .clocks = IBS_CLOCKS_5};
    made_machine->tsc_khz = 3000000;
    EXPECT(clock_of_p0, CANNOT, "the register of P0 has no clock");
    made_machine->silicon.state[SILICON_PSTATE_0] = SILICON_READ;
    made_machine->silicon.value[SILICON_PSTATE_0] = 1ull << 63 | 600;
    EXPECT(clock_of_p0, SAME, "P0 3000 MHz, TSC 3000000 kHz");
    made_machine->tsc_khz = 2940000;
    TURNED(clock_of_p0, "the TSC is 2 % slower", "P0 3000 MHz, TSC 2940000 kHz");

    EXPECT(extended_entries, CANNOT, "the local APIC is not mapped in memory");
    made_machine->apic_msr = FAKE_APIC | 0x900;
    fake.apic[APIC_EXTENDED_FEATURE / 16] = 4 << 16;
    EXPECT(extended_entries, SAME, "4 entries");
    fake.apic[APIC_EXTENDED_FEATURE / 16] = 3 << 16;
    TURNED(extended_entries, "three entries", "3 entries");
    fail_next();
    EXPECT(extended_entries, CANNOT, WHY);
}

static struct sample_record *last(enum hardware_steps step)
{
    return &made->step[step].records[made->step[step].samples - 1];
}

MADE(of_fields_of_misses)
{
    uint64_t width = 4ull << 22, open = 2ull << 26;

    begin(0x19, 0x61, 0xBFF);
    made_ops(STEP_OP_L3, 30, 0, 3, MISS | width | open);
    made_ops(STEP_OP_L3, 1, 0, 0, LOAD | width);
    made_ops(STEP_OP_L3, 1, 0, 0, 0);
    made_ops(STEP_OP_L3, 1, 0, 0, IBS_DC_MISS);
    made_fetches(STEP_FETCH_ALU, 1, 0, 0);
    last(STEP_FETCH_ALU)->reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_MISS | open;
    EXPECT(latency_of_misses, SAME, "0 of 30 loads that missed have no latency");
    EXPECT(address_of_misses, SAME, "0 of 30 loads that missed have no physical address");
    EXPECT(open_requests_of_misses, SAME, "0 of 30 samples with open requests are not misses");
    EXPECT(width_of_accesses, SAME, "0 of 31 loads and stores have no width");
    made_ops(STEP_OP_L3, 1, 0, 3, LOAD | IBS_DC_MISS | width);
    TURNED(latency_of_misses, "a miss of 0 cycles", "1 of 31 loads that missed have no latency");
    made_ops(STEP_OP_L3, 1, 0, 3, (MISS & ~IBS_DC_PHY_ADDR_VALID) | width);
    TURNED(address_of_misses, "a miss with bit 18 clear", "1 of 32 loads that missed have no physical address");
    made_ops(STEP_OP_L3, 1, 0, 0, LOAD | width | 1ull << 31);
    TURNED(open_requests_of_misses, "an open request for a hit", "1 of 31 samples with open requests are not misses");
    made_ops(STEP_OP_L3, 1, 0, 0, IBS_ST_OP | width);
    made_ops(STEP_OP_L3, 1, 0, 0, LOAD);
    TURNED(width_of_accesses, "a load without a width", "1 of 36 loads and stores have no width");
}

MADE(of_places)
{
    struct sample_record *record;

    begin(0x19, 0x61, 0xBFF);
    fake_set_leaf(0x80000008, 0x3028, 0, 0, 0);
    made_ops(STEP_OP_L3, 30, 0, 0, LOAD);
    made_ops(STEP_OP_L3, 1, 0, 0, 0);
    last(STEP_OP_L3)->reg[IBS_OP_DCLINAD] = last(STEP_OP_L3)->reg[IBS_OP_DCPHYSAD] =
        1ull << 50; /* this address is not valid */
    EXPECT(physical_data, SAME, "0 of 30 physical addresses are beyond CPUID's bits");
    EXPECT(canonical_data, SAME, "0 of 30 addresses are not canonical");
    EXPECT(canonical_ops, SAME, "0 of 31 addresses are not canonical");
    record = last(STEP_OP_L3) - 1;
    record->reg[IBS_OP_DCPHYSAD] = (1ull << 40) - 1;
    record->reg[IBS_OP_DCLINAD] = record->reg[IBS_OP_RIP] = 0xFFFF800000000000;
    EXPECT(physical_data, SAME, "0 of 30 physical addresses are beyond CPUID's bits");
    EXPECT(canonical_data, SAME, "0 of 30 addresses are not canonical");
    EXPECT(canonical_ops, SAME, "0 of 31 addresses are not canonical");
    record->reg[IBS_OP_DCPHYSAD] = 1ull << 40;
    record->reg[IBS_OP_DCLINAD] = 1ull << 47;
    record->reg[IBS_OP_RIP] = 1ull << 63;
    TURNED(physical_data, "one bit too high", "1 of 30 physical addresses are beyond CPUID's bits");
    TURNED(canonical_data, "bit 47 set alone", "1 of 30 addresses are not canonical");
    TURNED(canonical_ops, "bit 63 set alone", "1 of 31 addresses are not canonical");

    made_fetches(STEP_FETCH_ALU, 30, 0x401000, IBS_FETCH_COMP | IBS_FETCH_PHY_VALID);
    made_fetches(STEP_FETCH_ALU, 1, 0x401000, 0);
    last(STEP_FETCH_ALU)->reg[IBS_FETCH_PHYSAD] = 1ull << 50;
    EXPECT(physical_fetches, SAME, "0 of 30 physical addresses are beyond CPUID's bits");
    EXPECT(canonical_fetches, SAME, "0 of 31 addresses are not canonical");
    record = last(STEP_FETCH_ALU) - 1;
    record->reg[IBS_FETCH_PHYSAD] = 1ull << 40;
    record->reg[IBS_FETCH_LINAD] = 1ull << 48;
    TURNED(physical_fetches, "one bit too high", "1 of 30 physical addresses are beyond CPUID's bits");
    TURNED(canonical_fetches, "bit 48 set alone", "1 of 31 addresses are not canonical");
}
