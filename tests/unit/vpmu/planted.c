/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/test.h"
#include "tests/unit/vpmu/planted.h"

#include <stdlib.h>

#include "tests/unit/vpmu/program.h"

enum { AX, CX, DX, BX, SP, BP };
#define R(reg) (1ull << (reg))
#define MEM(reg, access)                                                                                               \
    .mems = 1, .mem = {{.base = (reg), .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = (access)}}

enum { ROUNDS = 60, BEHIND = 90, AT_ONCE = 4 };
enum shape { BEHIND_DIVISION, MISSES, ALONE, BRANCHES };

static const struct filling {
    enum shape shape;
    struct codemap_insn op;
    unsigned ops;
} fillings[PLANTED] = {
    [PLANTED_RETIRE] = {BEHIND_DIVISION, {.unit = CODEMAP_UNIT_NOP}, BEHIND},
    [PLANTED_SCHEDULERS] = {BEHIND_DIVISION, {.reads = R(AX), .writes = R(CX)}, BEHIND},
    [PLANTED_FLOATING] = {BEHIND_DIVISION,
                          {.reads = R(AX), .writes = 1ull << CODEMAP_DEP_XMM0, .unit = CODEMAP_UNIT_FADD},
                          BEHIND},
    [PLANTED_STORES] = {BEHIND_DIVISION, {.reads = R(DX), MEM(BP, CODEMAP_STORE)}, BEHIND},
    [PLANTED_MISSES] = {MISSES, {.writes = R(CX), MEM(BP, CODEMAP_LOAD)}, 72},
    [PLANTED_JUMPS] = {ALONE, {.unit = CODEMAP_UNIT_NOP}, 1},
    [PLANTED_FULL_LINES] = {ALONE, {.unit = CODEMAP_UNIT_NOP}, 92},
    [PLANTED_BRANCHES] = {BRANCHES, {.unit = CODEMAP_UNIT_NOP}, 2},
};

static struct program program;

static void load(const char *name, const struct filling *from)
{
    struct vpmu_config config = {.seed = 1};
    struct codemap_insn code[PROGRAM_MAX];
    unsigned count = 0;

    assert_true(vpmu_revision_parse(name, &config.revision));
    if (from->shape == BEHIND_DIVISION)
        code[count++] = (struct codemap_insn){.reads = R(AX), .writes = R(AX), .unit = CODEMAP_UNIT_IDIV};
    if (from->shape == BRANCHES) {
        code[count++] = (struct codemap_insn){.reads = R(BP), .writes = R(AX), .unit = CODEMAP_UNIT_IDIV, .op_size = 1};
        code[count++] = (struct codemap_insn){.reads = R(AX),
                                              .unit = CODEMAP_UNIT_BRANCH,
                                              .branch = CODEMAP_BR_COND,
                                              .target = PROGRAM_FIRST + 4 * (2 + from->ops)};
    }
    for (unsigned i = 0; i < from->ops; i++) {
        code[count] = from->op;
        if (from->shape == MISSES)
            code[count].mem[0].disp = (int32_t)(i + 1) << 15;
        count++;
    }
    code[count++] =
        (struct codemap_insn){.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST};
    program_load_as(&program, config, code, count, NULL);
    program_run(&program, ROUNDS);
}

/* Runs the same steps each time; branches go either way at random. */
static void run(const struct filling *from)
{
    struct rng rng;

    if (from->shape != BRANCHES) {
        program_run(&program, ROUNDS);
        return;
    }
    rng_seed(&rng, 3);
    for (unsigned round = 0; round < 4 * ROUNDS; round++)
        for (unsigned i = 0, taken = rng_below(&rng, 2); i < program.map.insn_count; i++)
            if (!taken || i < 2 || i + 1 == program.map.insn_count)
                machine_step(&program.machine, PAPER_BASE + program.insns[i].rva);
}

void planted_count(enum planted of, const char *processor, struct planted_count *counts, unsigned count)
{
    const struct filling *from = &fillings[of];

    for (unsigned first = 0; first < count; first += AT_ONCE) {
        unsigned some = count - first < AT_ONCE ? count - first : AT_ONCE;

        load(processor, from);
        for (unsigned i = 0; i < some; i++) {
            struct planted_count *one = &counts[first + i];

            one->modelled = pmc_models(program.machine.vpmu, one->select, one->mask);
            counter_start(&program.machine, i, EVENT(one->select, one->mask) | (uint64_t)one->count_mask << 24);
        }
        run(from);
        for (unsigned i = some; i-- > 0;)
            counts[first + i].total = counter_stop(&program.machine, i);
    }
    program_end(&program);
}
