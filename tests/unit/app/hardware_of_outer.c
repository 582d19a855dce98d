/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers of config=hardware about fields of misses and addresses of a Zen. */
#include "core/family/ibs_regs.h"
#include "tests/unit/app/hardware_made.h"
#include "tests/unit/drivers/fake_cpu.h"

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

static struct sample_record *last(enum hardware_steps step)
{
    return &made->step[step].records[made->step[step].samples - 1];
}

void of_fields_of_misses(void **state)
{
    uint64_t width = 4ull << 22, open = 2ull << 26;

    (void)state;
    begin(0x19, 0x61, 0xBFF);
    made_ops(STEP_OP_L3, 30, 0, 3, MISS | width | open);
    made_ops(STEP_OP_L3, 1, 0, 0, LOAD | width);
    made_ops(STEP_OP_L3, 1, 0, 0, 0);
    made_ops(STEP_OP_L3, 1, 0, 0, IBS_DC_MISS);
    made_fetches(STEP_FETCH_ALU, 1, 0, 0);
    last(STEP_FETCH_ALU)->reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_MISS | open;
    EXPECT(latency_of_misses, SAME, "0 of 30 loads that missed have no latency");
    EXPECT(address_of_misses, SAME, "0 of 30 loads that missed have no physical address");
    EXPECT(open_requests_of_misses, SAME, "0 of 30 requests are of no miss");
    EXPECT(width_of_accesses, SAME, "0 of 31 loads and stores have no width");
    made_ops(STEP_OP_L3, 1, 0, 3, LOAD | IBS_DC_MISS | width);
    TURNED(latency_of_misses, "a miss of 0 cycles", "1 of 31 loads that missed have no latency");
    made_ops(STEP_OP_L3, 1, 0, 3, (MISS & ~IBS_DC_PHY_ADDR_VALID) | width);
    TURNED(address_of_misses, "a miss without bit 18", "1 of 32 loads that missed have no physical address");
    made_ops(STEP_OP_L3, 1, 0, 0, LOAD | width | 1ull << 31);
    TURNED(open_requests_of_misses, "a request of a hit", "1 of 31 requests are of no miss");
    made_ops(STEP_OP_L3, 1, 0, 0, IBS_ST_OP | width);
    made_ops(STEP_OP_L3, 1, 0, 0, LOAD);
    TURNED(width_of_accesses, "a load of no width", "1 of 36 loads and stores have no width");
}

void of_places(void **state)
{
    struct sample_record *record;

    (void)state;
    begin(0x19, 0x61, 0xBFF);
    fake_set_leaf(0x80000008, 0x3028, 0, 0, 0);
    made_ops(STEP_OP_L3, 30, 0, 0, LOAD);
    made_ops(STEP_OP_L3, 1, 0, 0, 0);
    last(STEP_OP_L3)->reg[IBS_OP_DCLINAD] = last(STEP_OP_L3)->reg[IBS_OP_DCPHYSAD] = 1ull << 50; /* not valid */
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
    TURNED(physical_data, "one bit above", "1 of 30 physical addresses are beyond CPUID's bits");
    TURNED(canonical_data, "bit 47 alone", "1 of 30 addresses are not canonical");
    TURNED(canonical_ops, "bit 63 alone", "1 of 31 addresses are not canonical");

    made_fetches(STEP_FETCH_ALU, 30, 0x401000, IBS_FETCH_COMP | IBS_FETCH_PHY_VALID);
    made_fetches(STEP_FETCH_ALU, 1, 0x401000, 0);
    last(STEP_FETCH_ALU)->reg[IBS_FETCH_PHYSAD] = 1ull << 50;
    EXPECT(physical_fetches, SAME, "0 of 30 physical addresses are beyond CPUID's bits");
    EXPECT(canonical_fetches, SAME, "0 of 31 addresses are not canonical");
    record = last(STEP_FETCH_ALU) - 1;
    record->reg[IBS_FETCH_PHYSAD] = 1ull << 40;
    record->reg[IBS_FETCH_LINAD] = 1ull << 48;
    TURNED(physical_fetches, "one bit above", "1 of 30 physical addresses are beyond CPUID's bits");
    TURNED(canonical_fetches, "bit 48 alone", "1 of 31 addresses are not canonical");
}
