/* SPDX-License-Identifier: BSD-2-Clause */
/* Readings of SMIs, interrupts and P-states, the cause of a gap that follows from them, and the masking of all local
 * interrupts. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "core/family/pmc_regs.h"
#include "drivers/machine/quiet.h"
#include "drivers/pmu/witness.h"

static struct machine machine;
static struct restore_log restore;
static struct witness witness;
static uint64_t nmis;
static uint32_t strays;

enum { ALL = 15, APERF = 0xE8, MPERF = 0xE7, HWCR = 0xC0010015, LIMIT = 0xC0010061, STATUS = 0xC0010063 };

/* Sets up a revision E processor with boost, P-states and APERF. */
static void with_everything(void)
{
    fake_reset(0xA);
    fake_set_leaf(0, 6, 0x68747541, 0x444D4163, 0x69746E65);
    fake_set_leaf(6, 0, 0, 1, 0);
    fake_set_leaf(0x80000007, 0, 0, 0, 1u << 7 | 1u << 9);
    fake_add_msr(APERF, 1000, ~0ull);
    fake_add_msr(MPERF, 2000, ~0ull);
    fake_add_msr(HWCR, 1ull << 25 | 0x10, 0);
    fake_add_msr(LIMIT, 0x41, 0);
    fake_add_msr(STATUS, 0x3, ~0ull);
    machine_probe(&machine);
    machine.tsc_khz = 2500000;
}

static void open_with(unsigned counters)
{
    restore_init(&restore);
    nmis = strays = 0;
    witness_open(&witness, &machine, counters, &restore, (struct session_live){&nmis, &strays, 0, 0});
}

/* The event of interrupts taken has another number from Zen on, and DMA is no event of Zen's cores; on 15h neither is
 * known. */
TEST(events_of_later_families)
{
    fake_machine_later(&machine, FAKE_ZEN4);
    fake_msr(MSR_PMC_GLOBAL_CTL)->value = 0;
    open_with(ALL);
    assert_int_equal(fake_msr(0xC0010200)->value, 0x43002B);
    assert_int_equal(fake_msr(0xC0010202)->value, 0x43002C);
    assert_int_equal(fake_msr(MSR_PMC_GLOBAL_CTL)->value, 0x3F);
    assert_string_equal(witness.why_not[WITNESS_DMA], "this family has no known event for this");
    restore_undo(&restore);
    assert_int_equal(fake_msr(MSR_PMC_GLOBAL_CTL)->value, 0);
    /* If a run uses four counters, there are two more. */
    open_with(0x30);
    assert_int_equal(fake_msr(0xC0010208)->value, 0x43002B);
    assert_int_equal(fake_msr(0xC001020A)->value, 0x43002C);
    fake_msr(0xC001020B)->value = 17;
    struct witness_reading reading;
    witness_read(&witness, &reading);
    assert_int_equal(reading.value[WITNESS_INTERRUPTS], 17);
    witness_close(&witness);
    assert_int_equal(fake_msr(0xC0010208)->value, 0);
    assert_int_equal(fake_msr(0xC001020B)->value, 0);
    fake_machine_later(&machine, FAKE_15H_30);
    open_with(ALL);
    assert_string_equal(witness.why_not[WITNESS_INTERRUPTS], "this family has no known event for this");
    assert_int_equal(fake_msr(0xC0010200)->value, 0x43002B);
}

TEST(everything_is_read)
{
    struct witness_reading reading;

    with_everything();
    fake_msr(MSR_PERF_CTL(1))->value = 0x0000040000200000; /* reserved bits that stay as they are */
    fake_msr(MSR_PERF_CTR(0))->value = 77;
    open_with(ALL);
    for (unsigned what = 0; what < WITNESS_ROWS; what++)
        if (what != WITNESS_CLOCKS && what != WITNESS_TSC && (what < WITNESS_L3 || what > WITNESS_ENERGY))
            assert_null(witness.why_not[what]);
    assert_ptr_equal(witness.why_not[WITNESS_CLOCKS], certificate_not_told); /* APERF and MPERF tell the clocks */
    assert_ptr_equal(witness.why_not[WITNESS_TSC], certificate_not_told);
    assert_true(restore.count > 0);
    for (uint32_t i = 0; i < restore.count; i++)
        assert_int_equal(restore.row[i].unit, 0);
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0x43002B);
    assert_int_equal(fake_msr(MSR_PERF_CTL(1))->value, 0x00000400006300CF);
    assert_int_equal(fake_msr(MSR_PERF_CTL(2))->value, 0x43A2E9);
    assert_int_equal(fake_msr(MSR_PERF_CTL(3))->value, 0);
    fake_msr(MSR_PERF_CTR(2))->value = 21;
    fake_msr(MSR_PERF_CTR(1))->value = 12;
    nmis = 5;
    strays = 6;
    witness.nmis = NULL; /* NMIs are not counted */
    witness.strays = NULL;
    witness_read(&witness, &reading);
    assert_int_equal(reading.value[WITNESS_NMIS], 0);
    assert_int_equal(reading.value[WITNESS_STRAYS], 0);
    witness.nmis = &nmis;
    witness.strays = &strays;
    fake.tsc = 5000;
    witness_read(&witness, &reading);
    assert_int_equal(reading.tsc, 6000);
    assert_int_equal(reading.value[WITNESS_STRAYS], 6);
    assert_int_equal(reading.value[WITNESS_SMIS], 0); /* the difference begins at 0 */
    assert_int_equal(reading.value[WITNESS_INTERRUPTS], 12);
    assert_int_equal(reading.value[WITNESS_DMA], 21);
    assert_int_equal(reading.value[WITNESS_TSC], 0);
    assert_int_equal(reading.value[WITNESS_NMIS], 5);
    assert_int_equal(reading.value[WITNESS_APERF], 1000);
    assert_int_equal(reading.value[WITNESS_MPERF], 2000);
    assert_int_equal(reading.value[WITNESS_PSTATE], 3);
    assert_int_equal(reading.value[WITNESS_LIMIT], 1);
    assert_int_equal(reading.value[WITNESS_BOOST_OFF], 1);
    fake_msr(HWCR)->value = 0x7ull << 24; /* bit 25 alone */
    witness_read(&witness, &reading);
    assert_int_equal(reading.value[WITNESS_BOOST_OFF], 1);
    fake_msr(HWCR)->value = 0x5ull << 24;
    witness_read(&witness, &reading);
    assert_int_equal(reading.value[WITNESS_BOOST_OFF], 0);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0);
    assert_int_equal(fake_msr(MSR_PERF_CTL(1))->value, 0x0000040000200000);
    assert_int_equal(fake_msr(MSR_PERF_CTR(0))->value, 77);
}

TEST(gaps_are_named)
{
    static const struct {
        const char *what;
        unsigned smi, interrupts, nmis, strays, pstate;
        enum noise_cause cause;
    } rows[] = {
        {"nothing", 0, 0, 0, 0, 0, NOISE_UNKNOWN},    {"an SMI", 1, 0, 0, 0, 0, NOISE_SMI},
        {"an NMI", 0, 1, 1, 0, 0, NOISE_NMI},         {"an interrupt", 0, 1, 0, 1, 0, NOISE_INTERRUPT},
        {"one more", 0, 1, 0, 0, 0, NOISE_INTERRUPT}, {"another clock", 0, 0, 0, 0, 1, NOISE_PSTATE},
        {"an SMI first", 1, 1, 1, 0, 1, NOISE_SMI},   {"a stray one alone", 0, 0, 0, 1, 0, NOISE_INTERRUPT},
        {"an NMI alone", 0, 0, 1, 0, 0, NOISE_NMI},   {"nothing again", 0, 0, 0, 0, 0, NOISE_UNKNOWN},
    };

    with_everything();
    open_with(ALL);
    witness_begin(&witness);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        enum noise_cause cause;

        fake_msr(MSR_PERF_CTR(0))->value += rows[i].smi;
        fake_msr(MSR_PERF_CTR(1))->value += rows[i].interrupts;
        nmis += rows[i].nmis;
        strays += rows[i].strays;
        fake_msr(STATUS)->value ^= rows[i].pstate;
        cause = witness_ask(&witness);
        if (cause != rows[i].cause)
            fail_msg("%s: %s", rows[i].what, noise_cause_name(cause));
    }
}

TEST(what_cannot_be_read_says_why)
{
    struct witness_reading reading;

    with_everything();
    open_with(1 << 3);
    assert_null(witness.why_not[WITNESS_SMIS]);
    assert_int_equal(fake_msr(MSR_PERF_CTL(3))->value, 0x43002B);
    assert_string_equal(witness.why_not[WITNESS_INTERRUPTS], "the counters are in use");
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0);

    with_everything();
    fake_msr(MSR_PERF_CTL(0))->writable = 0; /* as in emulators */
    open_with(ALL);
    assert_string_equal(witness.why_not[WITNESS_SMIS], "the counter does not hold what is written to it");
    assert_int_equal(witness_ask(&witness), NOISE_UNKNOWN);

    with_everything();
    fake_set_leaf(6, 0, 0, 0, 0);
    fake_set_leaf(0x80000007, 0, 0, 0, 0);
    open_with(ALL);
    assert_string_equal(witness.why_not[WITNESS_APERF], "CPUID 6 has none");
    assert_string_equal(witness.why_not[WITNESS_MPERF], "CPUID 6 has none");
    assert_string_equal(witness.why_not[WITNESS_PSTATE], "CPUID 8000_0007 has none");
    assert_string_equal(witness.why_not[WITNESS_LIMIT], "CPUID 8000_0007 has none");
    assert_string_equal(witness.why_not[WITNESS_BOOST_OFF], "CPUID 8000_0007: no boost");
    witness_read(&witness, &reading);
    for (unsigned what = 0; what < WITNESS_ROWS; what++)
        if (witness.why_not[what])
            assert_int_equal(reading.value[what], 0);

    with_everything();
    machine.pmc.count = 0; /* on another maker's processor counters are not touched */
    fake_clear_log();
    open_with(ALL);
    assert_string_equal(witness.why_not[WITNESS_SMIS], "no counters that this program can use");
    assert_null(strstr(fake.log, "c001000"));

    with_everything(); /* on our own virtual PMU: event 0CFh without a unit mask is asked for last */
    machine.hypervisor = true;
    strcpy(machine.hypervisor_signature, "ibsbootvPMU");
    fake_set_leaf(0x40000000, 0x40000010, 0, 0, 0);
    fake_set_leaf(0x40000010, 0, 0, 0, 0);
    open_with(ALL);
    assert_string_equal(witness.why_not[WITNESS_SMIS], "the virtual PMU does not model it");
    assert_string_equal(witness.why_not[WITNESS_INTERRUPTS], "the virtual PMU does not model it");
    assert_int_equal(fake.subleaf, 0xA200E9);

    with_everything();
    fake_remove_msr(MSR_PERF_CTR(0));
    fake_remove_msr(APERF);
    open_with(ALL);
    assert_string_equal(witness.why_not[WITNESS_SMIS], "the counter cannot be read");
    assert_string_equal(witness.why_not[WITNESS_APERF], "reading it raises an exception");
    assert_null(witness.why_not[WITNESS_MPERF]);
}

/* Without APERF and MPERF clocks are counted, and the TSC is read beside them; another core of the node has its own
 * counts of each core's events, and none of the node's. */
TEST(clocks_without_aperf)
{
    struct witness_reading reading;

    with_everything();
    fake_set_leaf(6, 0, 0, 0, 0);
    restore_init(&restore);
    witness_open(&witness, &machine, ALL, &restore, (struct session_live){&nmis, &strays, 0, OUTER_SHARED_NODE});
    assert_null(witness.why_not[WITNESS_CLOCKS]);
    assert_null(witness.why_not[WITNESS_TSC]);
    assert_string_equal(witness.why_not[WITNESS_DMA], "another core counts it");
    assert_int_equal(fake_msr(MSR_PERF_CTL(2))->value, 0x430076);
    assert_int_equal(fake_msr(MSR_PERF_CTL(3))->value, 0);
    fake_msr(MSR_PERF_CTR(2))->value = 99;
    witness_read(&witness, &reading);
    assert_int_equal(reading.value[WITNESS_CLOCKS], 99);
    assert_int_equal(reading.value[WITNESS_TSC], reading.tsc);
    witness_close(&witness);
    assert_int_equal(fake_msr(MSR_PERF_CTL(2))->value, 0);
    witness_reopen(&witness);
    assert_int_equal(fake_msr(MSR_PERF_CTL(2))->value, 0x430076);
    fake_clear_log();
    restore_undo(&restore); /* clocks continue until the counter is stopped */
    assert_true(strstr(fake.log, "wrmsr c0010002 0\n") < strstr(fake.log, "wrmsr c0010006 0\n"));
}

/* The L3's counts are read together with the others. */
TEST(counts_outside_of_the_cores)
{
    struct witness_reading reading;

    fake_machine_later(&machine, FAKE_ZEN2);
    machine.extended_ecx |= 1u << 28;
    for (uint32_t msr = 0xC0010230; msr <= 0xC0010233; msr++)
        fake_add_msr(msr, 5, msr % 2 ? PMC_COUNTER_MASK : ~0ull);
    open_with(0);
    fake_msr(0xC0010231)->value = 1234;
    fake_msr(0xC0010233)->value = 56;
    witness_read(&witness, &reading);
    assert_int_equal(reading.value[WITNESS_L3], 1234);
    assert_int_equal(reading.value[WITNESS_L3_MISSES], 56);
    restore_undo(&restore);
    assert_int_equal(fake_msr(0xC0010230)->value, 5);
}

/* The session's own counter does not belong to the witness, which neither programs nor saves that counter. */
TEST(the_session_s_counters)
{
    for (unsigned own = 0; own < 4; own++) {
        with_everything();
        fake_msr(MSR_PERF_CTL(own))->value = 0x530076;
        restore_init(&restore);
        witness_open(&witness, &machine, ALL, &restore, (struct session_live){&nmis, &strays, 1u << own, 0});
        assert_int_equal(fake_msr(MSR_PERF_CTL(own))->value, 0x530076);
        assert_int_not_equal(fake_msr(MSR_PERF_CTL(own ? 0 : 1))->value, 0);
        for (uint32_t i = 0; i < restore.count; i++)
            assert_true(restore.row[i].kind != RESTORE_MSR || restore.row[i].address != MSR_PERF_CTL(own));
        restore_undo(&restore);
    }
}

/* Both registers of both counters are compared after they have been restored. */
TEST(restored_counters_are_compared)
{
    for (unsigned n = 0; n < 4; n++) {
        uint32_t msr = n & 1 ? MSR_PERF_CTL(n / 2) : MSR_PERF_CTR(n / 2);

        with_everything();
        open_with(ALL);
        fake_msr(msr)->value = 4;
        fake_msr(msr)->writable = ~4ull;
        restore_undo(&restore);
        assert_int_equal(restore_failures(&restore), 1);
    }
}

/* Counters that were not used are left alone to the end. */
TEST(other_counters_are_not_touched)
{
    with_everything();
    for (unsigned n = 0; n < 3; n++)
        fake_msr(MSR_PERF_CTL(n))->value = fake_msr(MSR_PERF_CTR(n))->value = 0x1234 + n;
    open_with(1 << 3);
    restore_undo(&restore);
    witness_reopen(&witness);
    witness_close(&witness);
    for (unsigned n = 0; n < 3; n++) {
        assert_int_equal(fake_msr(MSR_PERF_CTL(n))->value, 0x1234 + n);
        assert_int_equal(fake_msr(MSR_PERF_CTR(n))->value, 0x1234 + n);
    }
}

/* If one counter cannot be opened again, the other can. */
TEST(one_counter_is_opened_again)
{
    with_everything();
    fake_remove_msr(MSR_PERF_CTL(0));
    fake_msr(MSR_PERF_CTL(1))->value = 0x1234;
    open_with(ALL);
    assert_non_null(witness.why_not[WITNESS_SMIS]);
    assert_null(witness.why_not[WITNESS_INTERRUPTS]);
    restore_undo(&restore);
    fake_msr(MSR_PERF_CTR(1))->value = 9;
    witness_reopen(&witness);
    assert_int_equal(fake_msr(MSR_PERF_CTL(1))->value, 0x4300CF);
    assert_int_equal(fake_msr(MSR_PERF_CTR(1))->value, 0);
    witness_close(&witness);
    assert_int_equal(fake_msr(MSR_PERF_CTL(1))->value, 0x1234);
}

TEST(the_firmware_s_time_is_watched)
{
    with_everything();
    fake_msr(MSR_PERF_CTR(0))->value = 77;
    open_with(ALL);
    fake_msr(MSR_PERF_CTR(1))->value = 9;
    assert_int_equal(witness_ask(&witness), NOISE_INTERRUPT);
    restore_undo(&restore);
    witness_reopen(&witness);
    assert_int_equal(witness_ask(&witness), NOISE_UNKNOWN); /* the counters start again */
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0x43002B);
    assert_int_equal(fake_msr(MSR_PERF_CTR(0))->value, 0);
    assert_int_equal(fake_msr(MSR_PERF_CTL(1))->value, 0x4300CF);
    assert_int_equal(fake_msr(MSR_PERF_CTR(1))->value, 0);
    assert_non_null(witness.why_not[WITNESS_NMIS]);
    assert_non_null(witness.why_not[WITNESS_STRAYS]);
    assert_null(witness.why_not[WITNESS_APERF]);
    assert_null(witness.why_not[WITNESS_INTERRUPTS]);
    strays++;
    nmis++; /* not ours: these NMIs are no longer counted */
    assert_int_equal(witness_ask(&witness), NOISE_UNKNOWN);
    fake_msr(MSR_PERF_CTR(1))->value++;
    assert_int_equal(witness_ask(&witness), NOISE_INTERRUPT);
    witness_close(&witness);
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0);
    assert_int_equal(fake_msr(MSR_PERF_CTR(0))->value, 77);
}

TEST(local_interrupts_are_masked)
{
    static struct fake before;

    fake_machine(&machine, 4);
    fake.apic[0x30 / 16] = 0x00050010; /* six entries */
    fake.apic[0x320 / 16] = 0x00020040;
    fake.apic[0x330 / 16] = 0x200; /* thermal: an SMI */
    fake.apic[0x340 / 16] = 0x10000;
    fake.apic[0x350 / 16] = 0x700;
    fake.apic[0x360 / 16] = 0x400; /* LINT1: an NMI */
    fake.apic[0x370 / 16] = 0xFE;
    before = fake;
    restore_init(&restore);
    assert_int_equal(quiet_mask_lvt(&machine, &restore), 5);
    for (uint32_t n = 0; n < restore.count; n++)
        assert_int_equal(restore.row[n].unit, 0);
    assert_int_equal(fake.apic[0x320 / 16], 0x00030040);
    assert_int_equal(fake.apic[0x330 / 16], 0x10200);
    assert_int_equal(fake.apic[0x350 / 16], 0x10700);
    assert_int_equal(fake.apic[0x360 / 16], 0x10400);
    assert_int_equal(fake.apic[0x370 / 16], 0x100FE);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_memory_equal(fake.apic, before.apic, sizeof(fake.apic));

    /* An entry that cannot be masked is reported; an entry that waits for delivery is not. */
    static const struct {
        uint32_t lvt;
        int failures;
    } sticks[] = {{0x100FE, 1}, {0x010FE, 0}};
    for (unsigned i = 0; i < 2; i++) {
        fake.apic[0x370 / 16] = 0xFE;
        restore_init(&restore);
        assert_int_equal(quiet_mask_lvt(&machine, &restore), 5);
        fake.apic[0x370 / 16] = sticks[i].lvt;
        fake.apic_read_only = 0x370;
        restore_undo(&restore);
        assert_int_equal(restore_failures(&restore), sticks[i].failures);
        fake.apic_read_only = 0;
    }
    machine.apic_msr &= ~0x800ull;
    assert_int_equal(quiet_mask_lvt(&machine, &restore), -1);
}

/* The version register tells how many entries exist (AMD APM vol. 2 section 16.3.4: the timer first, then LINT0, LINT1,
 * error, counters, thermal). */
TEST(only_entries_that_exist_are_masked)
{
    static const uint32_t order[] = {0x320, 0x350, 0x360, 0x370, 0x340, 0x330};
    static const uint32_t versions[] = {0x00000010, 0x00010010, 0x00020010, 0x00030010, 0x00040010,
                                        0x00050010, 0x80050010, 0x00100010, 0x00FF0010};

    for (unsigned i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        unsigned there = i < 6 ? i + 1 : 6;

        fake_machine(&machine, 4);
        fake.apic[0x30 / 16] = versions[i];
        for (unsigned n = 0; n < 6; n++)
            fake.apic[order[n] / 16] = 0xF0;
        restore_init(&restore);
        assert_int_equal(quiet_mask_lvt(&machine, &restore), there);
        for (unsigned n = 0; n < 6; n++)
            assert_int_equal(fake.apic[order[n] / 16], n < there ? 0x100F0 : 0xF0);
    }
}

RUN_TESTS(NULL, NULL)
