/* SPDX-License-Identifier: BSD-2-Clause */
/* Structures that dispatch waits for: each is filled to its last entry, and then by one line more. Each round begins
 * with a drained pipeline and a division of 83 cycles, for which other ops wait. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { AX, CX, DX, BX, SP, BP };
#define R(reg)   (1ull << (reg))
#define NONE     CODEMAP_REG_NONE
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MEM(reg, offset, access)                                                                                       \
    .mems = 1, .mem = {{.disp = (offset), .base = (reg), .index = NONE, .scale = 1, .size = 8, .flags = (access)}}

enum { ROUNDS = 100, FILLED = 4 };

static const struct codemap_insn division = {.reads = R(AX), .writes = R(AX), .unit = CODEMAP_UNIT_IDIV};
static const struct codemap_insn serial = {.flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER};
static const struct codemap_insn back = {
    .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST};

/* The ops of a line. */
#define FREE                                                                                                           \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_NOP                                                                                       \
    }
#define WAITS                                                                                                          \
    {                                                                                                                  \
        .reads = R(AX), .writes = R(CX), .unit = CODEMAP_UNIT_ALU                                                      \
    }
#define SOON                                                                                                           \
    {                                                                                                                  \
        .reads = R(BX), .writes = R(CX), .unit = CODEMAP_UNIT_ALU                                                      \
    }
#define FP                                                                                                             \
    {                                                                                                                  \
        .reads = R(AX), .writes = 1ull << CODEMAP_DEP_XMM0, .unit = CODEMAP_UNIT_FADD                                  \
    }
#define FP_READY                                                                                                       \
    {                                                                                                                  \
        .reads = R(BX), .writes = 1ull << CODEMAP_DEP_XMM0, .unit = CODEMAP_UNIT_FADD                                  \
    }
#define FP_LOAD                                                                                                        \
    {                                                                                                                  \
        .reads = R(AX), .writes = 1ull << CODEMAP_DEP_XMM0, .unit = CODEMAP_UNIT_FADD, MEM(BP, 0, CODEMAP_LOAD)        \
    }
#define LATE                                                                                                           \
    {                                                                                                                  \
        .writes = R(CX), .unit = CODEMAP_UNIT_ALU, MEM(AX, 0, CODEMAP_LOAD)                                            \
    }
#define STORE                                                                                                          \
    {                                                                                                                  \
        .reads = R(DX), .unit = CODEMAP_UNIT_ALU, MEM(BP, 0, CODEMAP_STORE)                                            \
    }
#define LOAD                                                                                                           \
    {                                                                                                                  \
        .writes = R(CX), .unit = CODEMAP_UNIT_ALU, MEM(BP, 0, CODEMAP_LOAD)                                            \
    }

typedef struct codemap_insn line[3];

static struct program program;
static enum vpmu_issue issue; /* the rule of issue that run() uses */

static int end(void **state)
{
    program_end(&program);
    return 0;
}

static const uint64_t stalls[FILLED] = {EVENT(0x0D5, 0), EVENT(0x0D6, 0), EVENT(0x0D7, 0), EVENT(0x0D8, 0)};

/* Runs the division's line, 'first' lines of one kind and 'then' of another. Counts 0D5h to 0D8h of a round, and
 * returns 0D1h less 0D3h, which is the end of the round. */
static uint64_t run(const line *kind, unsigned first, const line *other, unsigned then, uint64_t counts[FILLED])
{
    struct codemap_insn code[PROGRAM_MAX] = {serial, division, FREE, FREE};
    unsigned count = 4;

    for (unsigned n = 0; n < first + then; n++)
        for (unsigned i = 0; i < 3; i++)
            code[count++] = (*(n < first ? kind : other))[i];
    code[count++] = back;
    program_load_as(&program, (struct vpmu_config){.revision = VPMU_REV_C, .seed = 1, .issue = issue}, code, count,
                    NULL);
    program_run(&program, ROUNDS);
    for (unsigned i = 0; i < FILLED; i++)
        counts[i] = (program_count(&program, stalls[i], ROUNDS + 1) + ROUNDS / 2) / ROUNDS;
    return (program_count(&program, EVENT(0x0D1, 0), ROUNDS + 1) -
            program_count(&program, EVENT(0x0D3, 0), ROUNDS + 1) + ROUNDS / 2) /
           ROUNDS;
}

TEST_WITH(test_each_structure_fills, NULL, end)
{
    static const struct {
        line kind;
        unsigned fit; /* lines */
        unsigned full;
    } rows[] = {
        {{FREE, FREE, FREE}, 21, 0}, /* 24 lines, including those of the division, the jump and the serialising op */
        {{FREE, WAITS, FREE}, 8, 1}, /* one station of eight; the other two are empty */
        {{FREE, FREE, WAITS}, 8, 1},    {{FREE, WAITS, WAITS}, 8, 1}, /* two stations; the jump needs the first */
        {{FP, FP, FP}, 12, 2},                                        /* 36 entries */
        {{FREE, FP, FREE}, 12, 2},      /* a line of the scheduler takes no ops of other lines */
        {{FP_LOAD, FREE, FREE}, 12, 2}, /* the load's address is known, so the load is in no station */
        {{FREE, LATE, FREE}, 8, 1},     /* an address micro-op waits in a station */
        {{LATE, LATE, LATE}, 4, 3},     /* LS1: 12 accesses */
        {{STORE, STORE, STORE}, 14, 3}, /* LS2: 32 stores that have not retired, and LS1 with 12 that wait for LS2 */
    };
    uint64_t counts[FILLED];

    for (unsigned i = 0; i < COUNT(rows); i++) {
        print_message("row %u\n", i);
        assert_int_equal(run(&rows[i].kind, rows[i].fit, NULL, 0, counts), 0);
        for (unsigned n = 0; n < FILLED; n++)
            assert_int_equal(counts[n], 0);
        assert_in_range(run(&rows[i].kind, rows[i].fit + 1, NULL, 0, counts), 83 - 3 * 24, 83);
        for (unsigned n = 0; n < FILLED; n++)
            assert_int_equal(counts[n] > 0, n == rows[i].full);
    }
}

/* The jump in line 25 finds reorder buffer and stations full: each event counts its cycles, and 0D1h counts them once.
 * The ops between need no station. */
TEST_WITH(test_causes_overlap, NULL, end)
{
    static const line waits = {WAITS, WAITS, WAITS}, nothing = {FP_READY, FP_READY, FP_READY};
    uint64_t counts[FILLED], all;

    all = run(&waits, 8, &nothing, 15, counts);
    assert_true(counts[0] > 40 && counts[1] > 40);
    assert_int_equal(counts[2] + counts[3], 0);
    assert_int_equal(all, counts[0] > counts[1] ? counts[0] : counts[1]);
}

/* Loads that miss occupy LS2 until their data is there. The lines are in one set, and two of them in the data cache. */
TEST_WITH(test_misses_fill_the_load_store_unit, NULL, end)
{
    struct codemap_insn code[PROGRAM_MAX] = {serial};
    unsigned count = 1;

    for (; count < 73; count++) {
        code[count] = (struct codemap_insn)LOAD;
        code[count].mem[0].disp = (int32_t)count << 15;
    }
    code[count++] = back;
    program_load(&program, VPMU_REV_C, code, count, NULL);
    program_run(&program, ROUNDS);
    assert_in_range(program_count(&program, EVENT(0x0D8, 0), ROUNDS), 100 * ROUNDS, 250 * ROUNDS);
    assert_int_equal(
        program_count(&program, EVENT(0x0D5, 0), ROUNDS) + program_count(&program, EVENT(0x0D6, 0), ROUNDS), 0);
    for (unsigned i = 1; i < 73; i++)
        program.insns[i].mem[0].disp =
            (int32_t)i << 3; /* these loads hit: two execute in each cycle, while three are dispatched */
    program_load(&program, VPMU_REV_C, program.insns, count, NULL);
    program_run(&program, ROUNDS);
    assert_in_range(program_count(&program, EVENT(0x0D8, 0), ROUNDS), ROUNDS, 12 * ROUNDS);
}

/* An entry is free as soon as its op has issued, whatever older ops have not retired. */
TEST_WITH(test_ops_leave_out_of_order, NULL, end)
{
    static const line soon = {SOON, FREE, FREE};
    uint64_t counts[FILLED];

    assert_int_equal(run(&soon, 21, NULL, 0, counts), 0);
}

/* Ready ops behind a waiting op stay with it in the lane's station, so that a ninth op is one too many. The other two
 * lanes have ready ops, too. */
TEST_WITH(test_rules_of_issue, NULL, end)
{
    static const line waits = {FREE, WAITS, FREE}, soon = {FREE, SOON, FREE}, load = {FREE, LOAD, FREE};
    static const struct {
        enum vpmu_issue issue;
        const line *then;
        bool stalls;
    } rows[] = {
        {ISSUE_ANY, &soon, false},  {ISSUE_UNITS, &soon, true},  {ISSUE_LANES, &soon, true},
        {ISSUE_ANY, &load, false},  {ISSUE_UNITS, &load, false}, /* the address of a load */
        {ISSUE_LANES, &load, true},
    };
    uint64_t counts[FILLED];

    for (unsigned i = 0; i < COUNT(rows); i++) {
        issue = rows[i].issue;
        (void)run(&waits, 1, rows[i].then, 7, counts);
        assert_int_equal(counts[1], 0);
        (void)run(&waits, 1, rows[i].then, 8, counts);
        assert_int_equal(counts[1] > 0, rows[i].stalls);
    }
    issue = ISSUE_ANY;
}

RUN_TESTS(NULL, NULL)
