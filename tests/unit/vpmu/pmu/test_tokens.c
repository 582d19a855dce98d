/* SPDX-License-Identifier: BSD-2-Clause */
/* Stalls of dispatch on Zen to Zen 3, by the tokens that their events count: each structure alone, all cycles together,
 * and which processor has which event. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { AX, CX, DX, BX, SP, BP };
#define R(reg)   (1ull << (reg))
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MEM(reg, access)                                                                                               \
    .mems = 1, .mem = {{.base = (reg), .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = (access)}}
#define GROUPS ((1ull << 24) | EVENT(0x0AA, 0x03)) /* cycles that dispatch an op */

enum { ROUNDS = 100, ZENS = 3, TOKENS = 8 };

static const char *const names[ZENS] = {"zen", "zen2", "zen3"};

/* The columns are retire queue, schedulers, FP scheduler, loads, stores; both queues; all of 0AF, all of 0AE. */
static const uint64_t tokens[ZENS][TOKENS] = {
    {EVENT(0x0AF, 0x40), EVENT(0x0AF, 0x3F), EVENT(0x0AE, 0x40), EVENT(0x0AE, 0x02), EVENT(0x0AE, 0x04),
     EVENT(0x0AE, 0x06), EVENT(0x0AF, 0x7F), EVENT(0x0AE, 0xFF)},
    {EVENT(0x0AF, 0x20), EVENT(0x0AF, 0x5F), EVENT(0x0AE, 0x40), EVENT(0x0AE, 0x02), EVENT(0x0AE, 0x04),
     EVENT(0x0AE, 0x06), EVENT(0x0AF, 0x7F), EVENT(0x0AE, 0xFF)},
    {EVENT(0x0AF, 0x20), EVENT(0x0AF, 0x1F), EVENT(0x0AE, 0x40), EVENT(0x0AE, 0x02), EVENT(0x0AE, 0x04),
     EVENT(0x0AE, 0x06), EVENT(0x0AF, 0x3F), EVENT(0x0AE, 0xFF)},
};

static struct program program;

static int end(void **state)
{
    program_end(&program);
    return 0;
}

static void load(unsigned zen, const struct codemap_insn *code, unsigned count)
{
    struct vpmu_config config = {.seed = 1};

    assert_true(vpmu_revision_parse(names[zen], &config.revision));
    program_load_as(&program, config, code, count, NULL);
    program_run(&program, ROUNDS);
}

/* Makes a division of 83 cycles, and 90 ops of one kind after it: 30 lines, of which the reorder buffer holds 24. */
static unsigned behind_division(struct codemap_insn code[PROGRAM_MAX], struct codemap_insn op)
{
    unsigned count = 0;

    code[count++] = (struct codemap_insn){.flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER};
    code[count++] = (struct codemap_insn){.reads = R(AX), .writes = R(AX), .unit = CODEMAP_UNIT_IDIV};
    while (count < 92)
        code[count++] = op;
    code[count++] =
        (struct codemap_insn){.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST};
    return count;
}

TEST_WITH(test_each_token, NULL, end)
{
    static const struct {
        struct codemap_insn op;
        uint8_t full; /* the full structures, as bits by the columns of 'tokens' */
    } rows[] = {
        {{.unit = CODEMAP_UNIT_NOP}, 0x41},
        {{.reads = R(AX), .writes = R(CX), .unit = CODEMAP_UNIT_ALU}, 0x42},
        {{.reads = R(AX), .writes = 1ull << CODEMAP_DEP_XMM0, .unit = CODEMAP_UNIT_FADD}, 0x84},
        {{.writes = R(CX), .unit = CODEMAP_UNIT_ALU, MEM(AX, CODEMAP_LOAD)}, 0xA8},
        {{.reads = R(DX), .unit = CODEMAP_UNIT_ALU, MEM(BP, CODEMAP_STORE)}, 0xB0},
    };

    for (unsigned zen = 0; zen < ZENS; zen++)
        for (unsigned i = 0; i < COUNT(rows); i++) {
            struct codemap_insn code[PROGRAM_MAX];

            load(zen, code, behind_division(code, rows[i].op));
            for (unsigned n = 0; n < TOKENS; n++) {
                uint64_t cycles = program_count(&program, tokens[zen][n], ROUNDS);

                if (rows[i].full >> n & 1 ? cycles < 10 * ROUNDS || cycles > 120 * ROUNDS : cycles >= ROUNDS)
                    fail_msg("%s, row %u, event %u: %lu cycles", names[zen], i, n, cycles);
            }
        }
}

/* Each cycle dispatches an op, waits for the front end, or waits for tokens of one event or both. */
TEST_WITH(test_all_cycles, NULL, end)
{
    struct codemap_insn code[PROGRAM_MAX];
    unsigned count = behind_division(code, (struct codemap_insn){.reads = R(AX), .writes = R(CX)});

    for (unsigned zen = 1; zen < ZENS; zen++) {
        uint64_t cycles, dispatching, empty, waits[2];

        load(zen, code + 1, count - 1);
        cycles = program_count(&program, EVENT(0x076, 0), ROUNDS);
        dispatching = program_count(&program, GROUPS, ROUNDS);
        empty = program_count(&program, EVENT(0x0A9, 0), ROUNDS);
        waits[0] = program_count(&program, tokens[zen][6], ROUNDS);
        waits[1] = program_count(&program, tokens[zen][7], ROUNDS);
        assert_true(empty > 0 && dispatching >= 30 * ROUNDS && waits[0] > 20 * ROUNDS);
        assert_int_equal(waits[1], 0);
        assert_in_range(dispatching + empty + waits[0], cycles - 100, cycles + 100); /* at the two ends */
    }
}

/* A wrong path longer than the reorder buffer waits for its places. */
TEST_WITH(test_wrong_path, NULL, end)
{
    static const struct codemap_insn code[] = {
        {.reads = R(BP), .writes = R(AX), .unit = CODEMAP_UNIT_IDIV, .op_size = 4},
        {.reads = R(AX), .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_COND, .target = PROGRAM_FIRST + 12},
        {.writes = R(CX)},
        {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST},
    };

    for (unsigned zen = 0; zen < ZENS; zen++)
        for (unsigned n = 0; n < TOKENS; n += 6) {
            uint64_t right;

            load(zen, code, COUNT(code));
            right = program_count(&program, tokens[zen][n], ROUNDS);
            counter_start(&program.machine, 0, tokens[zen][n]);
            for (unsigned i = 0; i < COUNT(code); i++)
                if (i != 2)
                    machine_step(&program.machine, PAPER_BASE + program.insns[i].rva);
            program_run(&program, ROUNDS - 1);
            assert_in_range(counter_stop(&program.machine, 0) - right, 51 - ROB_LINES - 8, 51 - ROB_LINES + 8);
        }
}

TEST_WITH(test_who_has_them, NULL, end)
{
    static const struct {
        uint16_t select;
        uint8_t mask;
        bool has[ZENS];
    } rows[] = {
        {0x0A9, 0x00, {false, true, true}},   {0x0AA, 0x01, {true, true, true}},
        {0x0AA, 0x03, {true, true, true}},    {0x0AA, 0x02, {false, false, false}},
        {0x0AA, 0x07, {false, false, false}}, {0x0AE, 0x01, {false, false, false}},
        {0x0AE, 0xF7, {false, false, false}}, {0x0AE, 0x80, {false, false, false}},
        {0x0AF, 0x01, {false, false, false}}, {0x0AF, 0x10, {false, false, false}},
        {0x0C7, 0x00, {true, true, true}},    {0x0AF, 0x7F, {true, true, false}},
        {0x1A0, 0x01, {false, false, false}}, {0x0D6, 0x02, {false, false, false}},
    };
    static const struct codemap_insn code[] = {
        {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST}};

    for (unsigned zen = 0; zen < ZENS; zen++) {
        load(zen, code, 1);
        for (unsigned i = 0; i < COUNT(rows); i++)
            if (pmc_models(program.machine.vpmu, rows[i].select, rows[i].mask) != rows[i].has[zen])
                fail_msg("%s: %03x:%02x", names[zen], rows[i].select, rows[i].mask);
        for (unsigned n = 0; n < TOKENS; n++)
            assert_true(pmc_models(program.machine.vpmu, pmc_select_of(tokens[zen][n]), pmc_mask_of(tokens[zen][n])));
    }
}

RUN_TESTS(NULL, NULL)
