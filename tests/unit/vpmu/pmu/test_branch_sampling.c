/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch Sampling: a counter's interrupt that waits for 16 taken branches of a known loop; all numbers are literal. */

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/hostile.h"

enum { CONTROL = 0xC000010F, COUNTER0 = 0xC0010201, ON = 0x1C, VALID = 0x20 };
#define TAKEN_BRANCHES 0x1300C4ull /* interrupts */

static struct machine machine;
static uint64_t control, counted; /* values at the NMI */

static void at_nmi(struct machine *at)
{
    control = machine_rdmsr(at, CONTROL);
    counted = machine_rdmsr(at, COUNTER0);
}

static void start_as(const char *name, uint32_t hostile)
{
    machine_start(&machine, name, hostile);
    machine.handler = at_nmi;
    control = counted = 0;
}

/* Makes counter n overflow at the period's last branch. */
static void arm(uint64_t on, uint32_t n, uint64_t period)
{
    uint32_t value;

    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x340, 0x400), VPMU_OK);
    machine_wrmsr(&machine, CONTROL, on);
    machine_wrmsr(&machine, COUNTER0 + 2 * n, -period & ((1ull << 48) - 1));
    machine_wrmsr(&machine, COUNTER0 - 1 + 2 * n, TAKEN_BRANCHES | 1ull << 22);
    (void)vpmu_apic_read(machine.vpmu, 0x340, &value);
    assert_int_equal(value, 0x400);
}

/* Runs a row of matrix multiplication, 1002 taken branches, and the first instruction of the next row. */
static void run_row(void)
{
    machine_matmul(&machine, 0, 1);
    machine_step(&machine, 0x40116F);
}

static uint64_t from(unsigned n)
{
    return machine_rdmsr(&machine, 0xC0010300 + 2 * n);
}

static uint64_t to(unsigned n)
{
    return machine_rdmsr(&machine, 0xC0010301 + 2 * n);
}

/* The interrupt has each record once, in the order of the branches, and then none. */
TEST(sixteen_after_the_overflow)
{
    uint64_t taken;

    start_as("zen3", 0);
    assert_int_equal(machine_rdmsr(&machine, CONTROL), 0x18);
    arm(ON, 0, 100);
    run_row();
    assert_int_equal(machine.nmis, 1);
    assert_in_range(counted, 16, 30); /* branches beyond the overflow: 16, and those until capturing begins */
    assert_int_equal(control, 0x38);  /* off, valid, back at record 0 */
    for (unsigned n = 0; n < 16; n++) {
        assert_int_equal(from(n), 0x4011CF);
        assert_int_equal(to(n), 0x401191);
    }
    taken = machine_rdmsr(&machine, COUNTER0);
    run_row();
    assert_int_equal(machine.nmis, 1);
    assert_in_range(machine_rdmsr(&machine, COUNTER0), taken + 1000, taken + 3000);
    machine_free(&machine);
}

/* The latest record is the last one written: records of the loop's end are in the middle here. */
TEST(in_order)
{
    unsigned end = 0;

    start_as("zen3", 0);
    for (unsigned period = 980; period < 1000 && !end; period++) {
        arm(ON, 0, period);
        run_row();
        while (end < 14 && from(end) != 0x4011A1)
            end++;
        end = end == 14 ? 0 : end;
    }
    assert_in_range(end, 1, 13);
    assert_int_equal(from(end - 1), 0x4011CF);
    assert_int_equal(to(end), 0x4011D1);
    assert_int_equal(from(end + 1), 0x4011E7);
    assert_int_equal(to(end + 1), 0x40116F);
    machine_free(&machine);
}

/* If Branch Sampling is off, lacks bits that must be set, or samples another counter, the interrupt comes by itself,
 * and nothing is recorded. */
TEST(not_waiting)
{
    static const uint64_t controls[] = {0x18, 4, 0xC, ON | 1 << 24};

    for (unsigned i = 0; i < sizeof(controls) / sizeof(controls[0]); i++) {
        start_as("zen3", 0);
        arm(controls[i], 0, 100);
        run_row();
        assert_int_equal(machine.nmis, 1);
        assert_in_range(counted, 0, 14);
        assert_int_equal(control, controls[i]);
        assert_int_equal(to(0), 0);
        machine_free(&machine);
    }
    start_as("zen3", 0);
    arm(ON | 1 << 24, 1, 100);
    run_row();
    assert_int_equal(machine.nmis, 1);
    assert_int_equal(control, 0x38 | 1 << 24);
    machine_free(&machine);
}

/* If it is switched off before all records are full, the interrupt comes with those that exist. */
TEST(switched_off)
{
    for (unsigned period = 1000; period > 980; period--) { /* less than 16 of the row's branches are left */
        start_as("zen3", 0);
        arm(ON, 0, period);
        run_row();
        control = machine_rdmsr(&machine, CONTROL);
        if (control & VALID)
            break;
        machine_free(&machine);
    }
    assert_in_range(control >> 16, 1, 15);
    assert_int_equal(control & 0xFFFF, ON | VALID);
    assert_int_equal(machine.nmis, 0);
    /* A write that leaves it on does not do so. */
    machine_wrmsr(&machine, 0xC0010300 + 2 * 15, 0);
    machine_wrmsr(&machine, CONTROL, control);
    assert_false(vpmu_take_pending_nmi(machine.vpmu));
    machine_wrmsr(&machine, CONTROL, control & ~4ull);
    assert_true(vpmu_take_pending_nmi(machine.vpmu));
    assert_int_equal(machine_rdmsr(&machine, CONTROL), control & ~4ull);
    assert_int_not_equal(to((unsigned)(control >> 16) - 1), 0);
    assert_int_equal(to((unsigned)(control >> 16)), 0);
    machine_free(&machine);
}

/* A masked entry loses the request: nothing waits, and nothing is captured. */
TEST(masked)
{
    start_as("zen3", 0);
    arm(ON, 0, 100);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x340, 0x10400), VPMU_OK);
    run_row();
    assert_int_equal(machine.nmis, 0);
    assert_int_equal(machine_rdmsr(&machine, CONTROL), ON);
    machine_free(&machine);
}

TEST(left_on)
{
    start_as("zen3", 1u << HOSTILE_BRANCHES);
    assert_int_equal(machine_rdmsr(&machine, CONTROL), 5 << 16 | VALID | ON);
    assert_int_equal(from(15), 0x100F);
    assert_int_equal(to(0), 0x1000);
    machine_free(&machine);
}

TEST(registers_there_are)
{
    /* Bit 31 of EBX of 8000_0008h tells Branch Sampling, and bit 27 CPPC. */
    static const struct {
        const char *name;
        uint32_t ebx;
    } rows[] = {{"zen2", 0}, {"zen3", 1u << 31}, {"zen4", 1u << 27}};
    uint64_t value;

    for (unsigned i = 0; i < 3; i++) {
        uint32_t leaf[4] = {0, (~rows[i].ebx & (1u << 31 | 1u << 27)) | 0x1234};

        start_as(rows[i].name, 0);
        vpmu_cpuid(machine.vpmu, 0x80000008, 0, leaf);
        assert_int_equal(leaf[1], rows[i].ebx | 0x1234);
        machine_free(&machine);
    }
    start_as("zen3", 0);
    machine_wrmsr(&machine, 0xC001031F, 7);
    assert_int_equal(to(15), 7);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0010320, 7), VPMU_NOT_MINE);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC000010E, &value), VPMU_NOT_MINE);
    machine_free(&machine);
    start_as("zen2", 0);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, CONTROL, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0010300, 1), VPMU_NOT_MINE);
    machine_free(&machine);
}

RUN_TESTS(NULL, NULL)
