/* SPDX-License-Identifier: BSD-2-Clause */
/* Page walks by each possible rule: at the same time, one after the other, or alone. */
#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { AX, CX, DX, BX, SP, BP, SI, DI };
#define R(reg)   (1ull << (reg))
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Loads from a page that was never used; the next instruction's page is 64 KB further on. */
#define NEW_PAGE(offset)                                                                                               \
    {                                                                                                                  \
        .reads = R(BX), .writes = R(AX), .mems = 1, .mem = {                                                           \
            {.disp = (offset), .base = BX, .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = CODEMAP_LOAD}    \
        }                                                                                                              \
    }
/* Loads with a hit, and divides by the loaded value, which takes longer than a load from memory. */
#define SAME_PAGE                                                                                                      \
    {                                                                                                                  \
        .reads = R(BP), .writes = R(CX), .mems = 1, .mem = {                                                           \
            {.base = BP, .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = CODEMAP_LOAD}                      \
        }                                                                                                              \
    }
#define DIVISION                                                                                                       \
    {                                                                                                                  \
        .reads = R(CX), .writes = R(CX), .unit = CODEMAP_UNIT_IDIV, .op_size = 8                                       \
    }

static const struct codemap_insn
    two_walks[] = {NEW_PAGE(0), NEW_PAGE(1 << 25), {.flags = CODEMAP_INSN_SERIAL}},
    walk_and_hit[] = {NEW_PAGE(0), SAME_PAGE, DIVISION, DIVISION, DIVISION, DIVISION, {.flags = CODEMAP_INSN_SERIAL}};

static struct program program;

static int end(void **state)
{
    program_end(&program);
    return 0;
}

/* Returns the cycles of a hundred rounds. */
static uint64_t cycles(const struct codemap_insn *code, unsigned count, unsigned walks)
{
    struct machine *machine = &program.machine;
    uint64_t before = 0;

    program_load_as(&program, (struct vpmu_config){.revision = VPMU_REV_C, .seed = 1, .walks = walks}, code, count,
                    NULL);
    machine->gpr[BP] = 0x8000;
    machine->gpr[BX] = 0x100000;
    for (unsigned round = 0; round < 200; round++) {
        if (round == 100)
            before = machine->vpmu->pipe.cycle;
        program_run(&program, 1);
        machine->gpr[BX] += 0x10000;
    }
    return machine->vpmu->pipe.cycle - before;
}

TEST_WITH(test_walks, NULL, end)
{
    uint64_t two[3], one[3];

    for (unsigned walks = WALKS_OVERLAP; walks <= WALKS_ALONE; walks++) {
        two[walks] = cycles(two_walks, COUNT(two_walks), walks);
        one[walks] = cycles(walk_and_hit, COUNT(walk_and_hit), walks);
    }
    /* The second walk waits for the first. */
    assert_true(two[WALKS_IN_TURN] >= two[WALKS_OVERLAP] + 100 * 3);
    assert_int_equal(two[WALKS_ALONE], two[WALKS_IN_TURN]);
    /* A load that hits waits for a walk that must be alone. */
    assert_int_equal(one[WALKS_IN_TURN], one[WALKS_OVERLAP]);
    assert_true(one[WALKS_ALONE] >= one[WALKS_IN_TURN] + 100 * 3);
}

RUN_TESTS(NULL, NULL)
