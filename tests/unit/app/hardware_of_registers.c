/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers of config=hardware about registers and interrupts, given made-up experiments (fake_trial.h). */
#include <stdio.h>

#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/machine/pci.h"
#include "tests/unit/app/hardware_made.h"
#include "tests/unit/drivers/fake_cpu.h"

enum { OP_PERIOD_MAX = 0xFFFF0 };

/* Makes the question's session fail. */
static void fail_next(void)
{
    fake_session.fail_at = fake_session.runs + 1;
}

#define WHY "a model-specific register raised an exception (c0011033)"

static const struct ibs_plan *last_ibs(void)
{
    return &fake_session.plan.program.ibs;
}

MADE(of_ibs_registers)
{
    EXPECT(maxcnt_zero_stops, SAME, "IbsOpCtl 20000, 0 NMIs");
    assert_true(last_ibs()->op && !last_ibs()->fetch);
    assert_int_equal(last_ibs()->op_period, OP_PERIOD_MAX);
    assert_ptr_equal(fake_trial.nmi, &fake_session.nmi);
    EXPECT(val_is_edge, SAME, "1 NMIs in 100 us");
    fake_trial.ibs.stopped_ctl = IBS_OP_EN | IBS_OP_VAL | 5ull << IBS_OP_CUR_CNT_SHIFT;
    TURNED(maxcnt_zero_stops, "Val set", "IbsOpCtl 60000, 0 NMIs");
    fake_trial.ibs.stopped_ctl = IBS_OP_EN;
    fake_trial.ibs.stopped_nmis = 1;
    EXPECT(maxcnt_zero_stops, OTHER, "IbsOpCtl 20000, 1 NMIs");
    fake_trial.ibs.held_nmis = 2;
    TURNED(val_is_edge, "two NMIs from one Val", "2 NMIs in 100 us");
    fake_trial.ibs.held_val = false;
    EXPECT(val_is_edge, CANNOT, "no op was sampled in 100 us");
    fake_trial.ibs.storm = true;
    EXPECT(maxcnt_zero_stops, OTHER, "NMIs came one after the other until the entry was masked");
    EXPECT(val_is_edge, CANNOT, "an earlier stop sends NMIs one after the other until the entry is masked");
    fake_trial.ibs.ok = false;
    EXPECT(maxcnt_zero_stops, CANNOT, "IbsOpCtl cannot be read");
    EXPECT(val_is_edge, CANNOT, "IbsOpCtl cannot be read");
    fail_next();
    EXPECT(maxcnt_zero_stops, CANNOT, WHY);
    fail_next();
    EXPECT(val_is_edge, CANNOT, WHY);
}

MADE(of_ibs_bits)
{
    EXPECT(fetch_rearm, SAME, "IbsFetchCnt read 2 before, 0 after");
    assert_true(last_ibs()->op && last_ibs()->fetch);
    assert_int_equal(last_ibs()->fetch_period, OP_PERIOD_MAX);
    fake_trial.fetch.after = 2;
    TURNED(fetch_rearm, "the count continues", "IbsFetchCnt read 2 before, 2 after");
    made_machine->errata = IBS_E_FETCH_REARM;
    EXPECT(fetch_rearm, SAME, "IbsFetchCnt read 2 before, 2 after");
    fake_trial.fetch.after = 0;
    EXPECT(fetch_rearm, OTHER, "IbsFetchCnt read 2 before, 0 after");
    fake_trial.fetch.before = 0;
    EXPECT(fetch_rearm, CANNOT, "the fetch counter did not run");
    fake_trial.fetch.ok = false;
    EXPECT(fetch_rearm, CANNOT, "IbsFetchCtl raises an exception");
    fail_next();
    EXPECT(fetch_rearm, CANNOT, WHY);

    fake_trial.holds = 0;
    EXPECT(ctl_bits_hold, SAME, "lost bits: IbsFetchCtl 0, IbsOpCtl 0");
    assert_int_equal(fake_trial.holds, 2);
    assert_int_equal(fake_trial.held[0], IBS_FETCH_MAX_CNT | IBS_FETCH_CNT | IBS_FETCH_RAND_EN);
    assert_int_equal(fake_trial.held[1], IBS_OP_MAX_CNT | IBS_OP_CNT_CTL | IBS_OP_CUR_CNT);
    made_machine->ibs_caps &= ~(uint32_t)(IBS_CAP_OPCNT | IBS_CAP_RDWR_OPCNT); /* as on revision B */
    EXPECT(ctl_bits_hold, SAME, "lost bits: IbsFetchCtl 0, IbsOpCtl 0");
    assert_int_equal(fake_trial.held[3], IBS_OP_MAX_CNT);
    fake_trial.lost[0].msr = MSR_IBS_FETCH_CTL;
    fake_trial.lost[0].result = IBS_FETCH_RAND_EN;
    TURNED(ctl_bits_hold, "RandEn does not hold", "lost bits: IbsFetchCtl 200000000000000, IbsOpCtl 0");
    fake_trial.lost[0].msr = MSR_IBS_OP_CTL;
    fake_trial.lost[0].result = 1;
    EXPECT(ctl_bits_hold, OTHER, "lost bits: IbsFetchCtl 0, IbsOpCtl 1");
    fail_next();
    EXPECT(ctl_bits_hold, CANNOT, WHY);
}

MADE(of_writes)
{
    EXPECT(write_back, SAME, "C001_1030, 1033 to 1039");
    fake_trial.written_back[3].msr = MSR_IBS_DC_PHYSAD;
    fake_trial.written_back[3].result = TRIAL_CHANGED;
    TURNED(write_back, "C001_1039 reads differently", "MSR c0011039: reads differently, 256");
    fake_trial.written_back[2].msr = MSR_IBS_FETCH_CTL; /* the answer tells the first that fails */
    EXPECT(write_back, OTHER, "MSR c0011030: exception 13");
    fail_next();
    EXPECT(write_back, CANNOT, WHY);

    fake_trial_init();
    EXPECT(read_only_registers, SAME, "exceptions of C001_1031, 1032, 103A: 13, 13, 13");
    fake_trial.written_back[0].result = 0;
    TURNED(read_only_registers, "C001_1031 accepts the write", "exceptions of C001_1031, 1032, 103A: 0, 13, 13");
    fake_trial.written_back[0].result = 13;
    fake_trial.written_back[1].result = 6;
    EXPECT(read_only_registers, OTHER, "exceptions of C001_1031, 1032, 103A: 13, 6, 13");
    fake_trial.written_back[1].result = 13;
    fake_trial.written_back[2].result = 0;
    EXPECT(read_only_registers, OTHER, "exceptions of C001_1031, 1032, 103A: 13, 13, 0");
    fail_next();
    EXPECT(read_only_registers, CANNOT, WHY);
}

MADE(of_stops)
{
    EXPECT(late_nmi, SAME, "3 NMIs after 64 stops, at most 1 after one");
    assert_int_equal(fake_trial.stops, 64);
    assert_int_equal(last_ibs()->op_period, OP_PERIOD_MAX);
    fake_trial.two_steps.most = 2;
    TURNED(late_nmi, "two NMIs after a stop", "3 NMIs after 64 stops, at most 2 after one");
    fake_trial.two_steps = (struct trial_stops){.storm = true};
    EXPECT(late_nmi, OTHER, "NMIs came one after the other until the entry was masked");
    fail_next();
    EXPECT(late_nmi, CANNOT, WHY);
    EXPECT(one_step_stop, SAME, "9 NMIs after 1000 stops, at most 1 after one");
    assert_int_equal(fake_trial.stops, 1000);
    assert_int_equal(last_ibs()->op_period, OP_PERIOD_MAX);
    fake_trial.one_step.most = 2;
    TURNED(one_step_stop, "two NMIs after a stop", "9 NMIs after 1000 stops, at most 2 after one");
    fail_next();
    EXPECT(one_step_stop, CANNOT, WHY);
    made->sessions = 5;
    EXPECT(erratum_420_ends, SAME, "0 storms in 5 sessions");
    /* The storms of all sessions are added up. */
    fake_session.result.counts.storm = 2;
    EXPECT(write_back, SAME, "C001_1030, 1033 to 1039");
    EXPECT(write_back, SAME, "C001_1030, 1033 to 1039");
    TURNED(erratum_420_ends, "storms in two sessions", "4 storms in 7 sessions");
    EXPECT(ibs_uc_wc, CANNOT, "the model follows loads of the workloads alone");
}

/* Loads of the APIC's page, on silicon: the samples of that session decide. */
MADE(of_memory_types)
{
    made->model = false;
    fake_session.op_samples = 600;
    EXPECT(ibs_uc_wc, OTHER, "of 386 loads F20D 0, F20E 0");
    assert_int_equal(last_ibs()->op_period, 160);
    assert_int_equal(fake_trial.apic_reads, 4000);
    fake_session.load_bits = IBS_DC_UC_MEM_ACC;
    EXPECT(ibs_uc_wc, SAME, "of 386 loads F20D 386, F20E 0");
    fake_session.load_bits = IBS_DC_WC_MEM_ACC;
    TURNED(ibs_uc_wc, "a load that F20E counts", "of 386 loads F20D 0, F20E 386");
    fake_session.op_samples = 20;
    EXPECT(ibs_uc_wc, CANNOT, "only 14 samples");
    fail_next();
    EXPECT(ibs_uc_wc, CANNOT, WHY);
}

MADE(of_overflows)
{
    EXPECT(lvtpc_masked, SAME, "masked after its NMI");
    EXPECT(counter_nmi_late, SAME, "0 later than 1 us after the stop; 40 of 64 stops had one");
    fake_trial.overflow.masked = false;
    fake_trial.overflow.late = 1;
    TURNED(lvtpc_masked, "not masked", "not masked after its NMI");
    TURNED(counter_nmi_late, "an NMI 1 us after a stop", "1 later than 1 us after the stop; 40 of 64 stops had one");
    set_family(0x15, 1); /* from this family on the answer is open */
    EXPECT(lvtpc_masked, SAME, "not masked after its NMI");
    fake_trial.overflow.masked = true;
    EXPECT(lvtpc_masked, OTHER, "masked after its NMI");
    set_family(0x14, 1);
    EXPECT(lvtpc_masked, SAME, "masked after its NMI");
    set_family(0x10, 4);
    fake_trial.overflow.stops = 0;
    EXPECT(counter_nmi_late, CANNOT, "no overflow came before its stop");
    fake_trial.overflow.nmis = 0;
    EXPECT(lvtpc_masked, CANNOT, "the overflow sent no NMI");
    EXPECT(counter_nmi_late, CANNOT, "the overflow sent no NMI");
    fake_trial.overflow = (struct trial_overflow){.nmis = 1};
    EXPECT(lvtpc_masked, CANNOT, "counter or APIC cannot be used");
    fail_next();
    EXPECT(lvtpc_masked, CANNOT, WHY);

    EXPECT(timer_nmi_holds, SAME, "holds, count 0 after its end");
    EXPECT(timer_nmi_arrives, SAME, "1 NMIs of one end, error status 0");
    fake_trial.timer.left = 7;
    fake_trial.timer.nmis = 2;
    fake_trial.timer.status = 0x20;
    TURNED(timer_nmi_holds, "the count is not 0", "holds, count 7 after its end");
    TURNED(timer_nmi_arrives, "two NMIs for one end of the count", "2 NMIs of one end, error status 20");
    fake_trial.timer = (struct trial_timer){.ok = true};
    EXPECT(timer_nmi_holds, OTHER, "does not hold, count 0 after its end");
    EXPECT(timer_nmi_arrives, OTHER, "0 NMIs of one end, error status 0");
    fake_trial.timer.ok = false;
    EXPECT(timer_nmi_holds, CANNOT, "the APIC's registers cannot be reached");
    fail_next();
    EXPECT(timer_nmi_arrives, CANNOT, WHY);
}

/* Returns an entry of the local vector table of the fake processor, whose APIC the machine's description switches
 * on. */
static uint32_t *entry(uint32_t offset)
{
    return &fake.apic[offset / 16];
}

MADE(of_entries)
{
    made_machine->apic_msr = FAKE_APIC | 0x900;
    *entry(APIC_EXTENDED_FEATURE) = 4 << 16;
    for (uint32_t i = 0; i < 4; i++)
        *entry(APIC_EXTENDED_LVT + 16 * i) = APIC_LVT_MASKED | i;
    EXPECT(extended_lvt_free, SAME, "4 entries: 10000 10001 10002 10003");
    *entry(APIC_EXTENDED_LVT) = 0xF0; /* an entry that is not ours */
    EXPECT(extended_lvt_free, SAME, "4 entries: f0 10001 10002 10003");
    *entry(APIC_EXTENDED_LVT + 16) = 0xF1;
    TURNED(extended_lvt_free, "an entry that is not masked", "4 entries: f0 f1 10002 10003");
    *entry(APIC_EXTENDED_LVT + 16) = APIC_LVT_MASKED;
    *entry(APIC_EXTENDED_LVT + 48) = APIC_LVT_MASKED | 0x200; /* SMI */
    EXPECT(extended_lvt_free, OTHER, "4 entries: f0 10000 10002 10200");
    *entry(APIC_EXTENDED_FEATURE) = 3 << 16;
    EXPECT(extended_lvt_free, OTHER, "3 entries: f0 10000 10002 0");
    *entry(APIC_EXTENDED_FEATURE) = 5 << 16; /* only the first four are looked at */
    EXPECT(extended_lvt_free, OTHER, "5 entries: f0 10000 10002 10200");
    fail_next();
    EXPECT(extended_lvt_free, CANNOT, WHY);

    *entry(APIC_VERSION) = 5 << 16;
    *entry(APIC_LVT_TIMER) = *entry(0x330) = APIC_LVT_MASKED;
    *entry(0x340) = *entry(0x350) = *entry(0x360) = *entry(0x370) = 0x400;
    EXPECT(lvt_restored, SAME, "4 entries masked, 0 registers not as before");
    fake_session.result.restore.count = 1; /* a row that was not restored */
    fake_session.result.restore.row[0] = (struct restore_row){.what = "made", .undone = true};
    fake_session.result.error = SESSION_RESTORE;
    TURNED(lvt_restored, "a register has another value", "4 entries masked, 1 registers not as before");
    fake_session.result.error = SESSION_OK;
    for (uint32_t offset = 0x340; offset <= 0x370; offset += 16)
        *entry(offset) = APIC_LVT_MASKED;
    EXPECT(lvt_restored, CANNOT, "no entry is open");
    made_machine->apic_msr = 0;
    EXPECT(lvt_restored, CANNOT, "the local vector table cannot be reached");
    fail_next();
    EXPECT(lvt_restored, CANNOT, WHY);
}

MADE(of_the_spurious_vector)
{
    struct restore_row *row = fake_session.result.restore.row;

    EXPECT(svr_boot_core, SAME, "0F0h needed no change");
    fake_session.result.restore.count = 3;
    row[0] = (struct restore_row){.kind = RESTORE_MSR, .address = 0x10F0, .before = 0xF, .undone = true, .ok = true};
    row[1] = (struct restore_row){.kind = RESTORE_MMIO, .address = 0xFEE00320, .undone = true, .ok = true};
    row[2] =
        (struct restore_row){.kind = RESTORE_MMIO, .address = 0xFEE000F0, .before = 0x1FF, .undone = true, .ok = true};
    EXPECT(svr_boot_core, SAME, "0F0h was 1ff");
    row[2].before = 0xFF;
    TURNED(svr_boot_core, "bit 8 clear", "0F0h was ff");
    fail_next();
    EXPECT(svr_boot_core, CANNOT, WHY);
}

MADE(of_counters_registers)
{
    made_count(STEP_SAMPLED_OFTEN, 49900, 100, 0, 0);
    made->step[STEP_SAMPLED_OFTEN].counts.recorded[SAMPLE_PMC] = 100;
    fake_trial.holds = fake_trial.reads = 0;
    EXPECT(counters_48_bits, SAME, "bits of ones that did not hold 0; samples x period 49900, total 49900");
    assert_int_equal(fake_trial.held[0], (1ull << 48) - 1);
    assert_int_equal(fake_trial.reads, 4000);
    EXPECT(perf_ctl_stable, SAME, "0 of 4000 reads differ");
    made_count(STEP_SAMPLED_OFTEN, 66534, 100, 0, 0);
    TURNED(counters_48_bits, "a third more than samples x period",
           "bits of ones that did not hold 0; samples x period 49900, total 66534");
    made_count(STEP_SAMPLED_OFTEN, 49405, 100, 0, 0);
    EXPECT(counters_48_bits, OTHER, "bits of ones that did not hold 0; samples x period 49900, total 49405");
    made_count(STEP_SAMPLED_OFTEN, 49900, 100, 0, 0);
    fake_trial.lost[0].msr = MSR_PERF_CTR(0);
    fake_trial.lost[0].result = 1ull << 47;
    EXPECT(counters_48_bits, OTHER, "bits of ones that did not hold 800000000000; samples x period 49900, total 49900");
    fake_trial.lost[0].msr = 0;
    for (unsigned c = 0; c < PMC_LEGACY; c++) {
        fake_trial.unstable[c].msr = MSR_PERF_CTL(c);
        fake_trial.unstable[c].result = 1u << c;
    }
    TURNED(perf_ctl_stable, "15 reads differ", "15 of 4000 reads differ");
    made->model = false; /* silicon has longer periods */
    made_count(STEP_SAMPLED_OFTEN, 16 * 49900, 100, 0, 0);
    EXPECT(counters_48_bits, SAME, "bits of ones that did not hold 0; samples x period 798400, total 798400");
    fail_next();
    EXPECT(perf_ctl_stable, CANNOT, WHY);
    fail_next();
    EXPECT(counters_48_bits, CANNOT, WHY);
}

MADE(of_firmware_registers)
{
    fake_add_msr(0xC0010015, 0, 0);
    fake_add_msr(0xC0011023, 0, 0);
    EXPECT(tlb_errata_bits, CANNOT, "a register raises exception 13");
    fake_add_msr(0xC001102A, 0, 0);
    EXPECT(tlb_errata_bits, SAME, "HWCR[3] 0, BU_CFG[1] 0, BU_CFG2[29] 0");
    fake_msr(0xC0010015)->value = ~(1ull << 3);
    fake_msr(0xC0011023)->value = ~(1ull << 1);
    fake_msr(0xC001102A)->value = ~(1ull << 29);
    EXPECT(tlb_errata_bits, SAME, "HWCR[3] 0, BU_CFG[1] 0, BU_CFG2[29] 0");
    fake_msr(0xC0010015)->value = 1 << 3;
    TURNED(tlb_errata_bits, "HWCR[3] set on revision C", "HWCR[3] 1, BU_CFG[1] 0, BU_CFG2[29] 0");
    fake_msr(0xC0010015)->value = 0;
    fake_msr(0xC0011023)->value = 1 << 1;
    EXPECT(tlb_errata_bits, OTHER, "HWCR[3] 0, BU_CFG[1] 1, BU_CFG2[29] 0");
    fake_msr(0xC0011023)->value = 0;
    fake_msr(0xC001102A)->value = 1 << 29;
    EXPECT(tlb_errata_bits, OTHER, "HWCR[3] 0, BU_CFG[1] 0, BU_CFG2[29] 1");
    made_machine->revision = 'B';
    EXPECT(tlb_errata_bits, SAME, "HWCR[3] 0, BU_CFG[1] 0, BU_CFG2[29] 1");
    fake_msr(0xC001102A)->value = 0;
    EXPECT(tlb_errata_bits, OTHER, "HWCR[3] 0, BU_CFG[1] 0, BU_CFG2[29] 0");
    fail_next();
    EXPECT(tlb_errata_bits, CANNOT, WHY);

    fake_add_msr(0xC0010061, 0x21, 0);
    TURNED(p_state, "MSRC001_0063 is missing",
           "state 5, limit 1; HWCR[25] 0, HWCR[24] 0"); /* exception 13: the register does not exist */
    fake_add_msr(0xC0010063, 0x39, 0);
    fake_msr(0xC0010015)->value = 1 << 25;
    EXPECT(p_state, SAME, "state 1, limit 1; HWCR[25] 1, HWCR[24] 0");
    fake_msr(0xC0010015)->value = 1 << 24;
    fake_msr(0xC0010063)->value = 2;
    EXPECT(p_state, OTHER, "state 2, limit 1; HWCR[25] 0, HWCR[24] 1");
    made->model = false;
    EXPECT(p_state, CANNOT, "a hypervisor owns these registers");
    EXPECT(tlb_errata_bits, CANNOT, "a hypervisor owns these registers");
    made_machine->hypervisor = false;
    EXPECT(p_state, OTHER, "state 2, limit 1; HWCR[25] 0, HWCR[24] 1");
    fail_next();
    EXPECT(p_state, CANNOT, WHY);
}

/* A step's session tells the last address of a fetch, and whose entry of the local vector table is in use. */
MADE(of_steps)
{
    struct restore_row *row = fake_session.result.restore.row;

    fake_msr(MSR_IBS_FETCH_LINAD)->value = 0x1000000001000;
    made->step[STEP_FETCH_TAKEN].done = false;
    EXPECT(fetch_upper_bits, OTHER, "C001_1031 is 1000000001000");
    fake_session.result.restore.count = 2;
    row[0] = (struct restore_row){
        .kind = RESTORE_PCI, .address = PCI_IBS_CONTROL, .before = IBS_CTL_LVT_VALID | 1, .undone = true, .ok = true};
    row[1] = (struct restore_row){.kind = RESTORE_NOTE, .undone = true, .ok = true};
    made->step[STEP_OP_FIXED].done = false;
    EXPECT(f3x1cc_sticks, OTHER, "entry 1, the firmware's");
    row[0].before = IBS_CTL_LVT_VALID | 2;
    made->step[STEP_OP_FIXED].done = false;
    EXPECT(f3x1cc_sticks, SAME, "entry 1, as written");
    row[0].before = 1; /* this row is not valid */
    made->step[STEP_OP_FIXED].done = false;
    EXPECT(f3x1cc_sticks, SAME, "entry 1, as written");
    row[0].before = IBS_CTL_LVT_VALID | 1;
    row[0].address = PCI_IBS_CONTROL + 4;
    made->step[STEP_OP_FIXED].done = false;
    EXPECT(f3x1cc_sticks, SAME, "entry 1, as written");
}

/* Walks in memory are larger than any L3 up to 32 MB, and no walk has more than 64 MB. */
MADE(of_sizes)
{
    static const struct {
        uint32_t l3_kb, kb;
    } rows[] = {{0, 16384}, {8192, 16384}, {8704, 17408}, {32768, 65536}, {98304, 65536}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct out_memory problems;
        char text[200];

        made_machine->l3_kb = rows[i].l3_kb;
        out_memory_init(&problems, text, sizeof(text));
        (void)hardware_steps_prepare(made, &problems.out);
        assert_int_equal(hardware_param(&made->step[STEP_HOP_DRAM], "kb"), rows[i].kb);
        assert_int_equal(hardware_param(&made->step[STEP_HOP_L3], "kb"), 4096);
    }
}

/* The run's facts have the sums of all sessions. */
MADE(of_sums)
{
    const struct passes *passes = &made->run->passes;

    fake_session.result.counts = (struct nmi_counts){.nmi = 5, .empty = 4, .late = 3, .foreign = 2, .storm = 1};
    fake_session.result.spurious_interrupts = 6;
    fake_session.result.restore.count = 1;
    fake_session.result.restore.row[0] = (struct restore_row){.what = "made", .undone = true};
    EXPECT(write_back, SAME, "C001_1030, 1033 to 1039");
    EXPECT(write_back, SAME, "C001_1030, 1033 to 1039");
    assert_int_equal(passes->counts.nmi, 10);
    assert_int_equal(passes->counts.empty, 8);
    assert_int_equal(passes->counts.late, 6);
    assert_int_equal(passes->counts.foreign, 4);
    assert_int_equal(passes->counts.storm, 2);
    assert_int_equal(passes->spurious_interrupts, 12);
    assert_int_equal(passes->restore_failed, 2);
    assert_int_equal(made->sessions, 2);
    assert_int_equal(hardware_param(&made->step[STEP_HOP_L3], "kb"), 4096);
    assert_int_equal(hardware_param(&made->step[STEP_HOP_L3], "none"), 0);
}

/* The questions that are skipped on Zen 4, and on Family 10h, and the reasons. */
MADE(of_families)
{
    static char text[HARDWARE_ROWS * 200];
    size_t length = 0;

    set_family(0x19, 0x61);
    made_machine->ibs_caps = 0xBFF;
    made_machine->branches = 16;
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const char *why = hardware_not_of_family(made, (enum hardware_question)i);

        if (why)
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s: %s\n", hardware_rows[i].id, why);
    }
    length += (size_t)snprintf(text + length, sizeof(text) - length, "\nFamily 10h\n");
    set_family(0x10, 4);
    made_machine->ibs_caps = 0x1F;
    made_machine->branches = 0;
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const char *why = hardware_not_of_family(made, (enum hardware_question)i);

        if (why)
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s: %s\n", hardware_rows[i].id, why);
    }
    check_golden_text("hardware_family.txt", text);

    /* Zen 3 records branches, but cannot select them */
    set_family(0x19, 0x21);
    made_machine->branches = 16;
    made_machine->branch_sampling = true;
    assert_null(hardware_not_of_family(made, HARDWARE_branch_records_off));
    assert_string_equal(hardware_not_of_family(made, HARDWARE_branch_selection_holds),
                        "branch sampling (Zen 3) records all taken branches");
    made_machine->branch_sampling = false;
    assert_null(hardware_not_of_family(made, HARDWARE_branch_selection_holds));
}

MADE(of_ports_and_thresholds)
{
    EXPECT(erratum_721, CANNOT, "MSRC001_1029 raises exception 13");
    fake_add_msr(0xC0011029, 0x10001, 0);
    EXPECT(erratum_721, SAME, "MSRC001_1029 is 10001");
    fake_msr(0xC0011029)->value = 0xFFFE;
    TURNED(erratum_721, "bit 0 clear", "MSRC001_1029 is fffe");
    made->model = false;
    EXPECT(erratum_721, CANNOT, "a hypervisor owns the register");
    made_machine->hypervisor = false;
    EXPECT(erratum_721, OTHER, "MSRC001_1029 is fffe");
    fail_next();
    EXPECT(erratum_721, CANNOT, WHY);

    fake.port_61 = 0x34;
    fake.port_70 = 0x8F;
    EXPECT(nmi_ports, SAME, "61h reads 34: SERR off, IOCHK on; 70h reads 8f");
    fake.port_61 = 0x48;
    TURNED(nmi_ports, "IOCHK pending", "61h reads 48: SERR on, IOCHK off; 70h reads 8f");
    fake.port_61 = 0x80;
    EXPECT(nmi_ports, OTHER, "61h reads 80: SERR on, IOCHK on; 70h reads 8f");
    fail_next();
    EXPECT(nmi_ports, CANNOT, WHY);

    EXPECT(threshold_entries, SAME, "IBS has entry 1; memory, links, L3: -1, -1, -1 (-1: none)");
    assert_true(last_ibs()->op);
    fake_add_msr(0x413, 1ull << 52, 0); /* this bit is not valid */
    fake_add_msr(0xC0000408, 1ull << 63 | 2ull << 52, 0);
    fake_add_msr(0xC0000409, 1ull << 63 | 0xFull << 52 | 1ull << 56, 0);
    EXPECT(threshold_entries, SAME, "IBS has entry 1; memory, links, L3: -1, 2, 15 (-1: none)");
    fake_msr(0xC0000409)->value = 1ull << 63 | 1ull << 52;
    TURNED(threshold_entries, "the L3's threshold uses the entry of IBS",
           "IBS has entry 1; memory, links, L3: -1, 2, 1 (-1: none)");
    fake_msr(0xC0000409)->value = 0;
    fake_msr(0xC0000408)->value = 1ull << 63 | 1ull << 52;
    EXPECT(threshold_entries, OTHER, "IBS has entry 1; memory, links, L3: -1, 1, -1 (-1: none)");
    fake_msr(0xC0000408)->value = 0;
    fake_msr(0x413)->value |= 1ull << 63;
    EXPECT(threshold_entries, OTHER, "IBS has entry 1; memory, links, L3: 1, -1, -1 (-1: none)");
    fail_next();
    EXPECT(threshold_entries, CANNOT, WHY);
}
