/* SPDX-License-Identifier: BSD-2-Clause */
/* Execution units that take one op a cycle: the multiplier, and those of floating point. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"
#include "vpmu/model/pipeline/stations.h"

#define COUNT(a)    (sizeof(a) / sizeof((a)[0]))
#define XMM(n)      (1ull << (CODEMAP_DEP_XMM0 + (n)))
#define MEM(access) .mems = 1, .mem = {{.base = 5, .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = (access)}}

static struct program program;

static int end(void **state)
{
    program_end(&program);
    return 0;
}

/* Returns the cycles of twelve ops of a kind that alternate with ops of a second kind; no op waits for another.
 * general: no fast paths. */
static unsigned cycles_of(struct codemap_insn one, struct codemap_insn other, bool general)
{
    struct codemap_insn code[25];
    uint64_t before;

    for (unsigned i = 0; i < 24; i++)
        code[i] = i & 1 ? other : one;
    code[24] = (struct codemap_insn){.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST};
    program_load(&program, VPMU_REV_C, code, COUNT(code), NULL);
    for (unsigned i = 0; general && i < 24; i++) {
        struct insn_info *info = &program.machine.vpmu->info[i];

        info->kind = KIND_OTHER;
        info->simple = false;
    }
    program_run(&program, 100);
    before = program.machine.vpmu->pipe.retire_cycle;
    program_run(&program, 100);
    return (unsigned)((program.machine.vpmu->pipe.retire_cycle - before + 50) / 100);
}

TEST_WITH(test_ops_of_a_unit, NULL, end)
{
    const struct codemap_insn nop = {.unit = CODEMAP_UNIT_NOP}, add = {.unit = CODEMAP_UNIT_FADD, .writes = XMM(0)},
                              multiply = {.unit = CODEMAP_UNIT_FMUL, .writes = XMM(1)},
                              divide = {.unit = CODEMAP_UNIT_FDIV, .writes = XMM(2)},
                              root = {.unit = CODEMAP_UNIT_FSQRT, .writes = XMM(2)},
                              move = {.unit = CODEMAP_UNIT_FMOVE, .writes = XMM(3)},
                              load = {.unit = CODEMAP_UNIT_FMOVE, .writes = XMM(3), MEM(CODEMAP_LOAD)},
                              store = {.unit = CODEMAP_UNIT_FMOVE, MEM(CODEMAP_STORE)},
                              whole = {.unit = CODEMAP_UNIT_ALU, MEM(CODEMAP_STORE)},
                              add_loaded = {.unit = CODEMAP_UNIT_FADD, .writes = XMM(0), MEM(CODEMAP_LOAD)},
                              imul1 = {.unit = CODEMAP_UNIT_IMUL, .op_size = 1, .writes = 1},
                              imul4 = {.unit = CODEMAP_UNIT_IMUL, .op_size = 4, .writes = 1},
                              imul8 = {.unit = CODEMAP_UNIT_IMUL, .op_size = 8, .writes = 1},
                              imul16 = {.unit = CODEMAP_UNIT_IMUL, .op_size = 16, .writes = 1},
                              shift = {.unit = CODEMAP_UNIT_SHIFT, .op_size = 8, .writes = 1},
                              lea = {.unit = CODEMAP_UNIT_LEA, .writes = 1};
    const struct {
        struct codemap_insn one, other;
        unsigned cycles; /* 9 with three ops a cycle, and the jump */
    } rows[] = {
        {nop, nop, 9},          {add, nop, 12},       {add, add, 24},     {multiply, multiply, 24}, {add, multiply, 12},
        {multiply, divide, 24}, {multiply, root, 24}, {divide, root, 24}, {store, store, 24},       {store, add, 12},
        {store, multiply, 12},  {whole, whole, 9},    {move, move, 9},    {load, nop, 9},           {load, store, 12},
        {add_loaded, add, 24},  {imul1, imul4, 24},   {imul4, nop, 12},   {imul8, nop, 24},         {imul8, imul8, 48},
        {imul4, imul8, 36},     {imul16, nop, 24},    {imul4, add, 12},   {shift, shift, 9},        {lea, lea, 9},
    };

    for (unsigned i = 0; i < COUNT(rows); i++)
        for (unsigned general = 0; general < 2; general++) {
            print_message("row %u, general %u\n", i, general);
            assert_int_equal(cycles_of(rows[i].one, rows[i].other, general), rows[i].cycles);
        }
}

/* A later op uses an earlier free cycle; an op that takes two cycles needs both. */
TEST(test_gaps)
{
    const struct insn_info once = {.unit = EXEC_MULTIPLIER}, twice = {.unit = EXEC_MULTIPLIER, .twice = true},
                           other = {.unit = EXEC_FADD}, any = {.unit = EXEC_ANY};
    static struct pipeline pipe;

    assert_int_equal(unit_from(&pipe, &once, 100), 100);
    assert_int_equal(unit_from(&pipe, &once, 102), 102);
    assert_int_equal(unit_from(&pipe, &twice, 100), 103);
    assert_int_equal(unit_from(&pipe, &once, 100), 101);
    assert_int_equal(unit_from(&pipe, &once, 100), 105);
    assert_int_equal(unit_from(&pipe, &twice, 98), 98);
    assert_int_equal(unit_from(&pipe, &twice, 97), 106);
    assert_int_equal(unit_from(&pipe, &other, 100), 100);
    assert_int_equal(unit_from(&pipe, &any, 100), 100);
    assert_int_equal(unit_from(&pipe, &once, 100 + PORT_RING), 100 + PORT_RING); /* long after that */
}

/* An op that waits for its unit occupies its station meanwhile: it issues when the unit accepts it. */
TEST_WITH(test_ops_wait_in_stations, NULL, end)
{
    struct codemap_insn code[61];
    uint64_t full;

    for (unsigned i = 0; i < 60; i++)
        code[i] = (struct codemap_insn){.unit = CODEMAP_UNIT_IMUL, .op_size = 8, .writes = 1};
    code[60] = (struct codemap_insn){.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST};
    program_load(&program, VPMU_REV_C, code, COUNT(code), NULL);
    program_run(&program, 100);
    full = program_count(&program, EVENT(0x0D6, 0), 100);
    assert_in_range(full, 90 * 100, 120 * 100); /* of 120 cycles */
}

/* Only the last op of an instruction uses the unit. */
TEST_WITH(test_last_op, NULL, end)
{
    const struct codemap_insn two = {.unit = CODEMAP_UNIT_IMUL, .op_size = 4, .ops = 2, .writes = 1},
                              nop = {.unit = CODEMAP_UNIT_NOP};

    assert_in_range(cycles_of(two, nop, false), 12, 14); /* 36 ops and the jump take 12 cycles, and 1 */
}

RUN_TESTS(NULL, NULL)
