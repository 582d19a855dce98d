/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact counts of made-up code, with every step given. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/profile/exact.h"

enum { BASE = 0x400000, ARENA = 0x10000000, ARENA_SIZE = 64 * 64 * 3, RCX = 1, RSP = 4, RDI = 7, RBX = 3 };
enum { I_LOAD, I_STORE, I_STOS, I_JCC, I_JMP, I_CALL, I_RET, I_BOTH, INSNS };

#define MEM(base_, index_, scale_, disp_, size_, flags_)                                                               \
    {                                                                                                                  \
        .base = base_, .index = index_, .scale = scale_, .disp = disp_, .size = size_, .flags = flags_                 \
    }
#define NONE CODEMAP_REG_NONE

/* clang-format off */
static const struct codemap_insn insns[INSNS] = {
    {.rva = 0x100, .length = 4, .ops = 1, .mems = 1, .mem = {MEM(RDI, RCX, 8, -8, 8, CODEMAP_LOAD)}},
    {.rva = 0x104, .length = 7, .ops = 1, .mems = 1, .mem = {MEM(CODEMAP_REG_RIP, NONE, 1, 0x2000, 4, CODEMAP_STORE)}},
    {.rva = 0x10b, .length = 2, .ops = 1, .mems = 1, .flags = CODEMAP_INSN_REP, .mem = {MEM(RDI, NONE, 1, 0, 8, CODEMAP_STORE)}},
    {.rva = 0x10d, .length = 2, .ops = 1, .branch = CODEMAP_BR_COND, .target = 0x100},
    {.rva = 0x10f, .length = 2, .ops = 1, .branch = CODEMAP_BR_JUMP_INDIRECT},
    {.rva = 0x111, .length = 5, .ops = 2, .branch = CODEMAP_BR_CALL, .target = 0x100, .mems = 1, .mem = {MEM(RSP, NONE, 1, -8, 8, CODEMAP_STORE)}},
    {.rva = 0x116, .length = 1, .ops = 1, .branch = CODEMAP_BR_RETURN, .mems = 1, .mem = {MEM(RSP, NONE, 1, 0, 8, CODEMAP_LOAD)}},
    /* The instruction does not follow the one before: bytes between them belong to none. */
    {.rva = 0x120, .length = 3, .ops = 1, .mems = 2, .mem = {MEM(NONE, RBX, 4, ARENA, 16, CODEMAP_LOAD | CODEMAP_STORE), MEM(RDI, NONE, 1, 0, 1, CODEMAP_LOAD)}},
};
/* clang-format on */

static const struct codemap map = {.insns = insns, .insn_count = INSNS, .text_rva = 0x100, .text_size = 0x23};

static struct exact exact;
static void *memory;
static uint64_t gpr[EXACT_GPRS];

static void begin(uint32_t bitmaps)
{
    free(memory);
    memory = calloc(1, exact_memory_size(&map, ARENA_SIZE, bitmaps));
    memset(gpr, 0, sizeof(gpr));
    exact_init(&exact, &map, BASE, ARENA_SIZE, bitmaps, memory);
    exact.arena = ARENA;
}

static void step(unsigned insn)
{
    exact_step(&exact, BASE + insns[insn].rva, gpr);
}

/* Ends a test by the step of the workload's return. */
static void end(void)
{
    exact_end(&exact, 0x99);
}

TEST(counts_executions_when_the_next_instruction_is_there)
{
    begin(4);
    step(I_LOAD);
    assert_int_equal(exact.insn[I_LOAD].executions, 0);
    step(I_STORE);
    assert_int_equal(exact.insn[I_LOAD].executions, 1);
    step(I_LOAD);
    step(I_LOAD);
    end();
    assert_int_equal(exact.insn[I_LOAD].executions, 3);
    assert_int_equal(exact.insn[I_STORE].executions, 1);
    assert_int_equal(exact.steps, 4);
    assert_int_equal(exact.outside, 0);
}

TEST(ends_an_instruction_once)
{
    begin(4);
    step(I_LOAD);
    end();
    end();
    assert_int_equal(exact.insn[I_LOAD].executions, 1);
}

TEST(counts_what_is_outside_of_the_map)
{
    begin(4);
    exact_step(&exact, BASE + 0xff, gpr);
    exact_step(&exact, BASE + 0x117, gpr); /* an address between two instructions */
    exact_step(&exact, BASE + 0x123, gpr);
    exact_step(&exact, 0, gpr);
    step(I_STORE);
    end();
    assert_int_equal(exact.steps, 5);
    assert_int_equal(exact.outside, 4);
    assert_int_equal(exact_sum(&exact).executions, 1);
}

TEST(takes_a_byte_inside_for_the_instruction)
{
    begin(4);
    exact_step(&exact, BASE + 0x10a, gpr);
    end();
    assert_int_equal(exact.insn[I_STORE].executions, 1);
}

TEST(tells_directions_of_branches)
{
    begin(4);
    for (unsigned i = 0; i < 5; i++) {
        step(I_LOAD);
        step(I_JCC); /* taken four times */
    }
    step(I_JMP);
    step(I_LOAD);
    end();
    assert_int_equal(exact.insn[I_JCC].executions, 5);
    assert_int_equal(exact.insn[I_JCC].taken, 4);
    assert_int_equal(exact.insn[I_JMP].taken, 1);
    assert_int_equal(exact.insn[I_LOAD].taken, 0); /* this is no branch */
}

static uint64_t edge(unsigned from, uint32_t to)
{
    for (unsigned i = 0; i < EXACT_EDGES; i++)
        if (exact.edge[i].count && exact.edge[i].from == from && exact.edge[i].to == to)
            return exact.edge[i].count;
    return 0;
}

TEST(remembers_targets_of_indirect_branches)
{
    begin(4);
    step(I_JMP);
    step(I_STORE);
    step(I_JMP);
    step(I_STORE);
    step(I_JMP);
    step(I_LOAD);
    step(I_CALL); /* a direct branch, whose target is in the map */
    step(I_RET);
    end();
    assert_int_equal(edge(I_JMP, insns[I_STORE].rva), 2);
    assert_int_equal(edge(I_JMP, insns[I_LOAD].rva), 1);
    assert_int_equal(edge(I_RET, EXACT_AWAY), 1);
    assert_int_equal(edge(I_CALL, insns[I_RET].rva), 0);
    assert_int_equal(exact.edges_lost, 0);
}

/* Each pair of branch and target has a place of its own, wherever the search for a place begins. */
TEST(counts_many_targets)
{
    begin(4);
    for (unsigned from = 0; from < 2; from++)
        for (unsigned to = 0; to < INSNS; to++) {
            step(from ? I_JMP : I_RET);
            step(to);
        }
    end();
    for (unsigned to = 0; to < INSNS; to++) {
        assert_in_range(edge(I_JMP, insns[to].rva), 1, 2);
        assert_in_range(edge(I_RET, insns[to].rva), 1, 2);
    }
    assert_int_equal(exact.edges_lost, 0);
}

TEST(counts_targets_without_room)
{
    begin(4);
    for (unsigned i = 0; i < EXACT_EDGES; i++)
        exact.edge[i] = (struct exact_edge){I_JCC, i, 1};
    step(I_JMP);
    step(I_LOAD);
    end();
    assert_int_equal(exact.edges_lost, 1);
    assert_int_equal(exact.insn[I_JMP].executions, 1);
}

TEST(counts_repetitions_of_string_instructions)
{
    begin(4);
    gpr[RDI] = ARENA;
    for (gpr[RCX] = 3; gpr[RCX]; gpr[RCX]--, gpr[RDI] += 8)
        step(I_STOS);
    step(I_STOS); /* some processors trap once more, with nothing left to do */
    step(I_JCC);
    gpr[RCX] = 0;
    step(I_STOS);
    step(I_JCC);
    end();
    assert_int_equal(exact.insn[I_STOS].executions, 2);
    assert_int_equal(exact.insn[I_STOS].repetitions, 3);
    assert_int_equal(exact.insn[I_STOS].mem[0].accesses, 3);
    assert_int_equal(exact.insn[I_STOS].mem[0].high, ARENA + 16);
    assert_int_equal(exact_sum(&exact).stores, 3);
    assert_int_equal(exact_sum(&exact).executions, 4);
}

TEST(computes_addresses)
{
    const struct exact_operand *load, *store, *both;

    begin(4);
    load = &exact.insn[I_LOAD].mem[0];
    store = &exact.insn[I_STORE].mem[0];
    both = exact.insn[I_BOTH].mem;
    gpr[RDI] = ARENA + 0x1000;
    gpr[RCX] = 5;
    gpr[RBX] = 0x20;
    step(I_LOAD);
    step(I_STORE);
    step(I_BOTH);
    gpr[RCX] = 2;
    step(I_LOAD);
    end();
    assert_int_equal(load->low, ARENA + 0x1000 + 8);
    assert_int_equal(load->high, ARENA + 0x1000 + 32);
    assert_int_equal(store->low, BASE + 0x2000);
    assert_int_equal(store->bits, 0); /* outside the arena */
    assert_int_equal(both[0].low, ARENA + 0x80);
    assert_int_equal(both[1].low, ARENA + 0x1000);
    assert_int_equal(exact_sum(&exact).loads, 4);
    assert_int_equal(exact_sum(&exact).stores, 2);
}

TEST(counts_different_lines_and_changes)
{
    static const uint32_t offset[] = {0, 40, 64, 0, 130, 130, ARENA_SIZE - 8, ARENA_SIZE - 1, ARENA_SIZE};
    const struct exact_operand *operand;

    begin(4);
    operand = &exact.insn[I_LOAD].mem[0];
    for (unsigned i = 0; i < sizeof(offset) / sizeof(offset[0]); i++) {
        gpr[RDI] = ARENA + offset[i] + 8;
        step(I_LOAD);
    }
    end();
    assert_int_equal(operand->accesses, 9);
    assert_int_equal(operand->lines, 4); /* lines 0, 1, 2 and the arena's last; nothing is marked after it */
    assert_int_equal(operand->changes, 5);
    assert_int_equal(operand->bits, 1);
}

TEST(marks_both_lines_of_an_access_across)
{
    begin(4);
    gpr[RDI] = ARENA + 60 + 8;
    step(I_LOAD);
    end();
    assert_int_equal(exact.insn[I_LOAD].mem[0].lines, 2);
    assert_int_equal(exact.insn[I_LOAD].mem[0].changes, 0);
}

/* The map has seven memory operands. W words of eight bytes have a bit for each line of an arena of 64 (64 W - 1)
 * bytes. */
TEST(bitmaps_of_a_large_arena_fit_in_64_mb)
{
    enum { BYTES = 64 << 20 };
    const uint64_t words = BYTES / 8 / 5, most = 64 * (64 * words - 1);

    assert_int_equal(exact_bitmaps(&map, ARENA_SIZE), 7);
    assert_int_equal(exact_bitmaps(&map, most), 5);
    assert_int_equal(exact_bitmaps(&map, most + 64), 4);
    assert_true(exact_memory_size(&map, most, 5) - exact_memory_size(&map, most, 0) <= BYTES);
}

TEST(operands_have_bitmaps_of_their_own)
{
    begin(2);
    gpr[RDI] = ARENA + 8;
    step(I_LOAD);
    gpr[RDI] = ARENA + 64 * 70;
    step(I_BOTH);
    step(I_LOAD);
    gpr[RSP] = ARENA + 64 * 5;
    step(I_RET);
    step(I_RET);
    end();
    assert_int_equal(exact.insn[I_LOAD].mem[0].lines, 2);
    assert_int_equal(exact.insn[I_BOTH].mem[0].lines, 1); /* at ARENA + 0 */
    assert_int_equal(exact.insn[I_BOTH].mem[1].bits, 0);  /* two other operands have all the bits */
    assert_int_equal(exact.operands_lost, 2);
    assert_int_equal(exact.insn[I_RET].mem[0].accesses, 2);
}

TEST(sums_branches_of_all_kinds)
{
    begin(4);
    step(I_CALL);
    step(I_LOAD);
    step(I_JCC);
    step(I_JMP);
    step(I_RET);
    end();
    assert_int_equal(exact_sum(&exact).branches, 4);
    assert_int_equal(exact_sum(&exact).taken, 3);
    assert_int_equal(exact_sum(&exact).executions, 5);
    free(memory);
    memory = NULL;
}

RUN_TESTS(NULL, NULL)
