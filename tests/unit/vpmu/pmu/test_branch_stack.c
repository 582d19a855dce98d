/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch records: what is recorded of a known loop, in which order, by which selection; all numbers are literal. */

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/pmu/branch_stack.h"
#include "vpmu/model/hostile.h"

#define ADDRESS      (~0ull >> 6)
#define MISPREDICTED (1ull << 63)

static struct machine machine;

static void start(const char *name)
{
    struct vpmu_config config = {.seed = 1};

    assert_true(vpmu_revision_parse(name, &config.revision));
    machine_init_as(&machine, &paper_map, config);
}

/* Runs a row of matrix multiplication, and the first instruction of the next row. */
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

TEST(a_known_loop)
{
    start("zen4");
    run_row();
    assert_int_equal(to(0), 0); /* not switched on */
    machine_wrmsr(&machine, 0xC000010F, 1 << 6 | 1);
    run_row();
    assert_int_equal(from(0), 0x4011E7);
    assert_int_equal(to(0), 3ull << 62 | 0x40116F);
    assert_int_equal(from(1), MISPREDICTED | 0x4011A1); /* the loop's end */
    assert_int_equal(to(1), 3ull << 62 | 0x4011D1);
    for (unsigned n = 2; n < 16; n++) {
        assert_int_equal(from(n), 0x4011CF);
        assert_int_equal(to(n), 3ull << 62 | 0x401191);
    }
    machine_wrmsr(&machine, 0xC000010F, 1);
    machine_wrmsr(&machine, 0xC0010301, 0);
    run_row();
    assert_int_equal(to(0), 0); /* off again */
    assert_int_equal(to(2), 3ull << 62 | 0x401191);
    machine_free(&machine);
}

/* Branches that are not selected leave no gap: there are 3 jumps instead of the conditional branch. */
TEST(selected)
{
    start("zen5");
    machine_wrmsr(&machine, 0xC000010E, ~0ull);
    assert_int_equal(machine_rdmsr(&machine, 0xC000010E), 0x1FF);
    machine_wrmsr(&machine, 0xC000010E, 1 << 2);
    machine_wrmsr(&machine, 0xC000010F, 1 << 6);
    run_row();
    assert_int_equal(from(0), 0x4011E7);
    assert_int_equal(from(1), 0x4011CF);
    machine_wrmsr(&machine, 0xC000010E, 1 << 7);
    run_row();
    assert_int_equal(from(0) & ADDRESS, 0x4011A1);
    assert_int_equal(from(1), 0x4011E7);
    machine_wrmsr(&machine, 0xC000010E, 1); /* privileged code is kept out */
    run_row();
    assert_int_equal(from(0) & ADDRESS, 0x4011A1);
    machine_free(&machine);
}

/* Each kind of branch, and each privilege, is selected by its bit. */
TEST(kinds)
{
    static const struct {
        uint8_t branch, bit;
    } rows[] = {{CODEMAP_BR_COND, 2},   {CODEMAP_BR_CALL, 3},          {CODEMAP_BR_CALL_INDIRECT, 4},
                {CODEMAP_BR_RETURN, 5}, {CODEMAP_BR_JUMP_INDIRECT, 6}, {CODEMAP_BR_JUMP, 7},
                {CODEMAP_BR_NONE, 7}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned bit = 0; bit < 9; bit++)
            for (unsigned user = 0; user < 2; user++) {
                struct branch_stack stack = {.select = 1u << bit};

                branch_stack_push(&stack, rows[i].branch, 0x1000, 0x2000, true, user);
                assert_int_equal(stack.latest, bit != rows[i].bit && bit != (user ? 1 : 0));
            }
}

/* Every eighth record is of a wrong path, and there is an earlier state to restore. */
TEST(hostile)
{
    struct vpmu_config config = {.seed = 1, .hostile = 1u << HOSTILE_BRANCHES};
    unsigned wrong = 0;

    assert_true(vpmu_revision_parse("zen4", &config.revision));
    machine_init_as(&machine, &paper_map, config);
    assert_int_equal(machine_rdmsr(&machine, 0xC000010E), 0x1F);
    assert_int_equal(machine_rdmsr(&machine, 0xC000010F), 1 << 6);
    assert_true(machine.vpmu->branches.on);
    machine_wrmsr(&machine, 0xC000010E, 0);
    run_row();
    for (unsigned n = 0; n < 16; n++)
        wrong += to(n) >> 62 == 1;
    assert_int_equal(wrong, 2);
    machine_free(&machine);
    assert_true(vpmu_revision_parse("zen3", &config.revision));
    machine_init_as(&machine, &paper_map, config);
    assert_false(machine.vpmu->branches.on);
    machine_free(&machine);
}

TEST(registers_there_are)
{
    uint32_t leaf[4] = {0};
    uint64_t value;

    start("zen6");
    vpmu_cpuid(machine.vpmu, 0x80000022, 0, leaf);
    assert_int_equal(leaf[0], 3);
    assert_int_equal(leaf[1] & 0x3FF, 16 << 4 | 6);
    machine_wrmsr(&machine, 0xC001031F, 7);
    assert_int_equal(to(15), 7);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0010320, 7), VPMU_NOT_MINE);
    machine_free(&machine);
    start("zen2");
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC000010E, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC000010F, 1 << 6), VPMU_NOT_MINE);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0010300, &value), VPMU_NOT_MINE);
    machine_free(&machine);
}

RUN_TESTS(NULL, NULL)
