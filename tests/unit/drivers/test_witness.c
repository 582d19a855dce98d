/* What can be read of SMIs, interrupts and P-states, what a gap is then called, and all local interrupts masked. */
#include "fake_cpu.h"

#include <string.h>

#include "core/pmc_regs.h"
#include "drivers/quiet.h"
#include "drivers/witness.h"

static struct machine machine;
static struct restore_log restore;
static struct witness witness;
static uint64_t nmis;
static uint32_t strays;

enum { ALL = 15, APERF = 0xE8, MPERF = 0xE7, HWCR = 0xC0010015, LIMIT = 0xC0010061, STATUS = 0xC0010063 };

/* A revision E processor: boost, P-states, APERF. */
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
    machine_probe(&machine, 2500000);
}

static void open_with(unsigned counters)
{
    restore_init(&restore);
    nmis = strays = 0;
    witness_open(&witness, &machine, counters, &restore, (struct session_live){&nmis, &strays});
}

static void everything_is_read(void **state)
{
    struct witness_reading reading;

    with_everything();
    fake_msr(MSR_PERF_CTL(1))->value = 0x0000040000200000; /* reserved bits that stay as they are */
    fake_msr(MSR_PERF_CTR(0))->value = 77;
    open_with(ALL);
    for (unsigned what = 0; what < WITNESS_ROWS; what++)
        assert_null(witness.why_not[what]);
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0x43002B);
    assert_int_equal(fake_msr(MSR_PERF_CTL(1))->value, 0x00000400006300CF);
    fake_msr(MSR_PERF_CTR(1))->value = 12;
    nmis = 5;
    witness_read(&witness, &reading);
    assert_int_equal(reading.value[WITNESS_SMIS], 0); /* the counter begins at 0 */
    assert_int_equal(reading.value[WITNESS_INTERRUPTS], 12);
    assert_int_equal(reading.value[WITNESS_NMIS], 5);
    assert_int_equal(reading.value[WITNESS_APERF], 1000);
    assert_int_equal(reading.value[WITNESS_MPERF], 2000);
    assert_int_equal(reading.value[WITNESS_PSTATE], 3);
    assert_int_equal(reading.value[WITNESS_LIMIT], 1);
    assert_int_equal(reading.value[WITNESS_BOOST_OFF], 1);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0);
    assert_int_equal(fake_msr(MSR_PERF_CTL(1))->value, 0x0000040000200000);
    assert_int_equal(fake_msr(MSR_PERF_CTR(0))->value, 77);
}

static void gaps_are_named(void **state)
{
    static const struct {
        const char *what;
        unsigned smi, interrupts, nmis, strays, pstate;
        enum noise_cause cause;
    } rows[] = {
        {"nothing", 0, 0, 0, 0, 0, NOISE_UNKNOWN},    {"an SMI", 1, 0, 0, 0, 0, NOISE_SMI},
        {"an NMI", 0, 1, 1, 0, 0, NOISE_NMI},         {"an interrupt", 0, 1, 0, 1, 0, NOISE_INTERRUPT},
        {"one more", 0, 1, 0, 0, 0, NOISE_INTERRUPT}, {"another clock", 0, 0, 0, 0, 1, NOISE_PSTATE},
        {"an SMI first", 1, 1, 1, 0, 1, NOISE_SMI},   {"nothing again", 0, 0, 0, 0, 0, NOISE_UNKNOWN},
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

static void what_cannot_be_read_says_why(void **state)
{
    with_everything();
    open_with(1 << 3);
    assert_null(witness.why_not[WITNESS_SMIS]);
    assert_int_equal(fake_msr(MSR_PERF_CTL(3))->value, 0x43002B);
    assert_string_equal(witness.why_not[WITNESS_INTERRUPTS], "the counters are in use");
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0);

    with_everything();
    fake_msr(MSR_PERF_CTL(0))->writable = 0; /* as emulators have it */
    open_with(ALL);
    assert_string_equal(witness.why_not[WITNESS_SMIS], "the counter does not hold what is written to it");
    assert_int_equal(witness_ask(&witness), NOISE_UNKNOWN);

    with_everything();
    fake_set_leaf(6, 0, 0, 0, 0);
    fake_set_leaf(0x80000007, 0, 0, 0, 0);
    open_with(ALL);
    assert_string_equal(witness.why_not[WITNESS_APERF], "CPUID 6 has none");
    assert_string_equal(witness.why_not[WITNESS_PSTATE], "CPUID 8000_0007 has none");
    assert_string_equal(witness.why_not[WITNESS_BOOST_OFF], "CPUID 8000_0007: no boost");

    with_everything();
    machine.family = 6; /* another maker's: its counters are not touched */
    fake_clear_log();
    open_with(ALL);
    assert_string_equal(witness.why_not[WITNESS_SMIS], "not a Family 10h processor");
    assert_null(strstr(fake.log, "c001000"));
}

static void the_firmware_s_time_is_watched(void **state)
{
    with_everything();
    fake_msr(MSR_PERF_CTR(0))->value = 77;
    open_with(ALL);
    restore_undo(&restore);
    witness_reopen(&witness);
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0x43002B);
    assert_int_equal(fake_msr(MSR_PERF_CTR(0))->value, 0);
    assert_non_null(witness.why_not[WITNESS_NMIS]);
    nmis++; /* not ours: nothing counts them now */
    assert_int_equal(witness_ask(&witness), NOISE_UNKNOWN);
    fake_msr(MSR_PERF_CTR(1))->value++;
    assert_int_equal(witness_ask(&witness), NOISE_INTERRUPT);
    witness_close(&witness);
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0);
    assert_int_equal(fake_msr(MSR_PERF_CTR(0))->value, 77);
}

static void local_interrupts_are_masked(void **state)
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
    assert_int_equal(fake.apic[0x320 / 16], 0x00030040);
    assert_int_equal(fake.apic[0x330 / 16], 0x10200);
    assert_int_equal(fake.apic[0x350 / 16], 0x10700);
    assert_int_equal(fake.apic[0x360 / 16], 0x10400);
    assert_int_equal(fake.apic[0x370 / 16], 0x100FE);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_memory_equal(fake.apic, before.apic, sizeof(fake.apic));

    fake.apic[0x30 / 16] = 0x00040010; /* no thermal one */
    restore_init(&restore);
    assert_int_equal(quiet_mask_lvt(&machine, &restore), 4);
    assert_int_equal(fake.apic[0x330 / 16], 0x200);
    machine.apic_msr |= 0x400; /* x2APIC */
    assert_int_equal(quiet_mask_lvt(&machine, &restore), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_read),           cmocka_unit_test(gaps_are_named),
        cmocka_unit_test(what_cannot_be_read_says_why), cmocka_unit_test(the_firmware_s_time_is_watched),
        cmocka_unit_test(local_interrupts_are_masked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
