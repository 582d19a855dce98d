/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers of config=hardware about registers of families after Family 10h, given made-up experiments (fake_trial.h). */
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "tests/unit/app/hardware_made.h"
#include "tests/unit/drivers/fake_cpu.h"

#define WHY "a model-specific register raised an exception (c0011033)"

static void fail_next(void)
{
    fake_session.fail_at = fake_session.runs + 1;
}

static void loses(uint32_t msr, uint64_t bits)
{
    fake_trial.lost[0].msr = msr;
    fake_trial.lost[0].result = bits;
}

MADE(of_capabilities)
{
    EXPECT(caps_of_row, CANNOT, "no machine of the family is known to have reported it");
    set_family(0x19, 0x61);
    made_machine->ibs_caps = 0x1BFF; /* with one capability more */
    EXPECT(caps_of_row, SAME, "EAX 1bff, known of the family bff");
    made_machine->ibs_caps = 0x3FF;
    TURNED(caps_of_row, "a bit is clear", "EAX 3ff, known of the family bff");

    EXPECT(op_data4_as_told, SAME, "CPUID says that it does not exist, and it raises an exception");
    made_machine->ibs_caps |= IBS_CAP_OPDATA4;
    EXPECT(op_data4_as_told, OTHER, "CPUID says that it exists, and it raises an exception");
    fake_add_msr(0xC001103D, 1, 0);
    EXPECT(op_data4_as_told, SAME, "CPUID says that it exists, and it can be read");
    made_machine->ibs_caps &= ~(uint32_t)IBS_CAP_OPDATA4;
    TURNED(op_data4_as_told, "it exists, but CPUID does not say so",
           "CPUID says that it does not exist, and it can be read");
    fail_next();
    EXPECT(op_data4_as_told, CANNOT, WHY);

    made_machine->ibs_caps = IBS_CAP_FETCHCTLEXTD;
    TURNED(fetch_extd_as_told, "EAX says that it exists, but it raises an exception",
           "CPUID says that it exists, and it raises an exception");
    fake_add_msr(0xC001103C, 0, 0);
    EXPECT(fetch_extd_as_told, SAME, "CPUID says that it exists, and it can be read");
    EXPECT(branch_target_as_told, SAME, "CPUID says that it does not exist, and it raises an exception");
    fake_add_msr(0xC001103B, 0, 0);
    TURNED(branch_target_as_told, "EAX does not say that it exists, but it can be read",
           "CPUID says that it does not exist, and it can be read");
    made_machine->ibs_caps = IBS_CAP_BRNTRGT;
    EXPECT(branch_target_as_told, SAME, "CPUID says that it exists, and it can be read");
    EXPECT(fetch_extd_as_told, OTHER, "CPUID says that it does not exist, and it can be read");

    EXPECT(tsc_invariant, CANNOT, "there is no leaf 8000_0007h");
    made_machine->tsc_told = made_machine->tsc_invariant = true;
    EXPECT(tsc_invariant, SAME, "8000_0007h EDX[8] is 1");
    made_machine->tsc_invariant = false;
    TURNED(tsc_invariant, "the bit is clear", "8000_0007h EDX[8] is 0");

    EXPECT(boost_bit_holds, CANNOT, "this processor has no boost");
    made_machine->boost = true;
    EXPECT(boost_bit_holds, SAME, "HWCR[25] holds");
    loses(0xC0010015, 1 << 25);
    TURNED(boost_bit_holds, "the bit does not hold", "HWCR[25] does not hold");
    fail_next();
    EXPECT(boost_bit_holds, CANNOT, WHY);
    made->model = false;
    EXPECT(boost_bit_holds, CANNOT, "a hypervisor owns the register");
    made_machine->hypervisor = false;
    EXPECT(boost_bit_holds, OTHER, "HWCR[25] does not hold");

    EXPECT(branch_records_off, OTHER, "C000_010F raises exception 13");
    fake_add_msr(0xC000010F, 1, 0);
    EXPECT(branch_records_off, SAME, "C000_010F is 1");
    fake_msr(0xC000010F)->value = 0x41;
    TURNED(branch_records_off, "`branch-records`", "C000_010F is 41");
    made_machine->branch_sampling = true;
    EXPECT(branch_records_off, SAME, "C000_010F is 41");
    fake_msr(0xC000010F)->value = 0x1C;
    TURNED(branch_records_off, "`branch-records`", "C000_010F is 1c");
    fail_next();
    EXPECT(branch_records_off, CANNOT, WHY);
}

MADE(of_later_bits)
{
    set_family(0x19, 0x61);
    made_machine->ibs_caps = 0xBFF;
    fake_trial.holds = 0;
    EXPECT(filter_bits_hold, SAME, "lost bits: IbsFetchCtl 0, IbsOpCtl 0");
    assert_int_equal(fake_trial.held[0], 1ull << 59);
    assert_int_equal(fake_trial.held[1], 1 << 16);
    made_machine->ibs_caps |= IBS_CAP_LDLAT;
    EXPECT(filter_bits_hold, SAME, "lost bits: IbsFetchCtl 0, IbsOpCtl 0");
    assert_int_equal(fake_trial.held[3], 0x1Full << 59 | 1 << 16);
    loses(MSR_IBS_OP_CTL, 1 << 16);
    TURNED(filter_bits_hold, "IbsOpCtl[16] does not hold", "lost bits: IbsFetchCtl 0, IbsOpCtl 10000");
    loses(MSR_IBS_FETCH_CTL, 1ull << 59);
    EXPECT(filter_bits_hold, OTHER, "lost bits: IbsFetchCtl 800000000000000, IbsOpCtl 0");
    fail_next();
    EXPECT(filter_bits_hold, CANNOT, WHY);

    fake_trial.holds = 0;
    EXPECT(counts_of_27_bits, SAME, "lost bits: IbsOpCtl 0");
    assert_int_equal(fake_trial.held[0], 0x7FFFFFFull << 32 | 0x7F << 20);
    loses(MSR_IBS_OP_CTL, 1 << 26);
    TURNED(counts_of_27_bits, "bit 26 of the interval does not hold", "lost bits: IbsOpCtl 4000000");
    fail_next();
    EXPECT(counts_of_27_bits, CANNOT, WHY);

    made_machine->apic_msr = FAKE_APIC | 0x900;
    fake.apic[APIC_EXTENDED_FEATURE / 16] = 4 << 16;
    fake.mirrors = false;
    fake_msr(MSR_IBS_CONTROL)->value = 0x103;
    EXPECT(firmware_entry, SAME, "C001_103A is 103, for 4 entries");
    fake_msr(MSR_IBS_CONTROL)->value = 0x104;
    TURNED(firmware_entry, "entry 4 of 4", "C001_103A is 104, for 4 entries");
    fake_msr(MSR_IBS_CONTROL)->value = 3; /* this bit is not valid */
    EXPECT(firmware_entry, OTHER, "C001_103A is 3, for 4 entries");
    fake_msr(MSR_IBS_CONTROL)->value = 0x103;
    made_machine->apic_msr = 0;
    EXPECT(firmware_entry, OTHER, "C001_103A is 103, for 0 entries");
    fail_next();
    EXPECT(firmware_entry, CANNOT, WHY);
}

MADE(of_later_counters)
{
    set_family(0x19, 0x61);
    fake_set_leaf(CPUID_LEAF_PMC, 1, 0x46, 0, 0);
    EXPECT(counters_by_cpuid, SAME, "CPUID says 6, the family's row 6");
    fake_set_leaf(CPUID_LEAF_PMC, 1, 0x64, 0, 0);
    TURNED(counters_by_cpuid, "CPUID says 4", "CPUID says 4, the family's row 6");

    made_machine->pmc = made_machine->row->pmc;
    fake_trial.holds = 0;
    EXPECT(each_counter_holds, SAME, "0 of 6 counters lose bits: 0");
    assert_int_equal(fake_trial.holds, 6);
    assert_int_equal(fake_trial.held[1], 0xFFFFFFFFFFFF);
    loses(0xC0010207, 1ull << 47);
    TURNED(each_counter_holds, "counter 3 loses bit 47", "1 of 6 counters lose bits: 800000000000");
    fail_next();
    EXPECT(each_counter_holds, CANNOT, WHY);

    for (uint32_t c = 0; c < 4; c++) {
        fake_add_msr(0xC0010201 + 2 * c, 0, UINT64_MAX);
        fake_msr(MSR_PERF_CTR(c))->value = 0x5AA51234 + c;
    }
    EXPECT(legacy_counters, SAME, "0 of 4 read differently");
    fake_msr(MSR_PERF_CTR(3))->value = 0;
    TURNED(legacy_counters, "C001_0007h reads something else", "1 of 4 read differently");
    fail_next();
    EXPECT(legacy_counters, CANNOT, WHY);

    fake_trial.holds = 0;
    EXPECT(global_bits_hold, SAME, "lost bits: 0");
    assert_int_equal(fake_trial.held[0], 0x3F);
    loses(MSR_PMC_GLOBAL_CTL, 1 << 5);
    TURNED(global_bits_hold, "bit 5 does not hold", "lost bits: 20");
    fail_next();
    EXPECT(global_bits_hold, CANNOT, WHY);

    EXPECT(global_status, SAME, "bit 0: 0 before, 1 after, 0 when cleared");
    EXPECT(global_control, SAME, "1000 clocks with the bit set, 0 with it clear");
    fake_trial.global.cleared = false;
    TURNED(global_status, "the bit stays", "bit 0: 0 before, 1 after, 1 when cleared");
    fake_trial.global = (struct trial_global){.ok = true, .cleared = true, .on = 999};
    EXPECT(global_status, OTHER, "bit 0: 0 before, 0 after, 0 when cleared");
    EXPECT(global_control, OTHER, "999 clocks with the bit set, 0 with it clear");
    fake_trial.global =
        (struct trial_global){.ok = true, .before = true, .after = true, .cleared = true, .on = 1000, .off = 1};
    EXPECT(global_status, OTHER, "bit 0: 1 before, 1 after, 0 when cleared");
    TURNED(global_control, "it counts with its bit clear", "1000 clocks with the bit set, 1 with it clear");
    fake_trial.global.ok = false;
    EXPECT(global_status, CANNOT, "counter or APIC cannot be used");
    EXPECT(global_control, CANNOT, "counter or APIC cannot be used");
    fail_next();
    EXPECT(global_status, CANNOT, WHY);
}
