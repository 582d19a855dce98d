/* SPDX-License-Identifier: BSD-2-Clause */
/* A model that was told to forget has the results of a new one; registers and time stay. */

#include "tests/unit/test.h"
#include "tests/unit/vpmu/digest.h"
#include "tests/unit/vpmu/stream.h"

static struct machine machine;
static struct histogram histogram;

static int setup(void **state)
{
    machine_init(&machine, VPMU_REV_C, &paper_map, 7);
    return 0;
}

static int teardown(void **state)
{
    machine_free(&machine);
    return 0;
}

static void run(unsigned first, unsigned last)
{
    histogram = (struct histogram){.period = 640, .count_ops = true, .random_bits = 8};
    histogram_start(&machine, &histogram);
    machine_matmul(&machine, first, last);
    histogram_stop(&machine);
    vpmu_break(machine.vpmu);
}

/* Returns a digest of the exact counts and of the samples. */
static uint64_t result(void)
{
    struct digest digest;

    digest_init(&digest);
    digest_truth(&digest, machine.vpmu);
    for (unsigned i = 0; i <= PAPER_INSNS; i++)
        digest_add(&digest, histogram.op[i] << 32 | histogram.misses[i]);
    return digest.value;
}

TEST_WITH(as_new, setup, teardown)
{
    const struct rng random = machine.vpmu->ibs.rng;
    uint64_t fresh, tsc;

    run(0, 6);
    fresh = result();
    teardown(state);
    setup(state);
    run(3, 5); /* caches, predictors and random bits as they are at that time */
    run(0, 6);
    assert_int_not_equal(result(), fresh);
    tsc = vpmu_tsc(machine.vpmu);
    machine_wrmsr(&machine, 0xC0010005, 1234);
    (void)rng_next(&machine.vpmu->ibs.rng); /* no earlier sample took one of these bits */
    vpmu_forget(machine.vpmu);
    assert_int_equal(vpmu_tsc(machine.vpmu), tsc);
    assert_int_equal(machine_rdmsr(&machine, 0xC0010005), 1234);
    assert_memory_equal(&machine.vpmu->ibs.rng, &random, sizeof(random));
    /* A wait of the empty line must have a row to be counted in. */
    assert_ptr_equal(machine.vpmu->pipe.members[0], machine.vpmu->outside->row);
    run(0, 6);
    assert_int_equal(result(), fresh);
    /* An instruction that was announced before does not retire any more. */
    machine_step(&machine, PAPER_BASE + paper_map.insns[0].rva);
    machine_step(&machine, PAPER_BASE + paper_map.insns[1].rva);
    vpmu_forget(machine.vpmu);
    machine_step(&machine, PAPER_BASE + paper_map.insns[2].rva);
    assert_false(vpmu_truth_counted(machine.vpmu));
}

RUN_TESTS(NULL, NULL)
