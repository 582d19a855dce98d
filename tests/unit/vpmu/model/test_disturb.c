/* SPDX-License-Identifier: BSD-2-Clause */
/* The planted NMI comes once, at its time, whatever the LVT entries say, and is counted as an interrupt. */
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"
#include "vpmu/model/state.h"

enum { INTERRUPTS_TAKEN = 0x0CF };

static struct machine machine;

static void run(uint64_t disturb, bool counted)
{
    machine_init(&machine, VPMU_REV_C, &paper_map, 1);
    machine.vpmu->config.disturb = disturb;
    if (counted)
        machine_wrmsr(&machine, PERF_CTL, EVENT(INTERRUPTS_TAKEN, 0) | PERF_EN);
    machine_matmul(&machine, 0, 10);
}

TEST(test_once_at_its_time)
{
    static const uint64_t rows[] = {1, 1000, 50000};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t begin;

        run(rows[i], true);
        begin = machine.vpmu->apic.plant_at - rows[i];
        assert_int_equal(machine.nmis, 1);
        assert_int_equal(machine_rdmsr(&machine, PERF_CTR), 1);
        assert_in_range(vpmu_planted(machine.vpmu) - begin, rows[i], rows[i] + 500); /* the time of one instruction */
        assert_int_equal(vpmu_nmi_causes(machine.vpmu), VPMU_CAUSE_PLANTED);
        machine_free(&machine);
    }
}

TEST(test_never_unless_asked_for)
{
    run(0, true);
    assert_int_equal(machine.nmis, 0);
    assert_int_equal(vpmu_planted(machine.vpmu), 0);
    machine_free(&machine);
    run(1000, false); /* neither a counter nor a timer: the delay has no starting point */
    assert_int_equal(machine.nmis, 0);
    machine_free(&machine);
}

RUN_TESTS(NULL, NULL)
