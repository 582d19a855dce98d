/* SPDX-License-Identifier: BSD-2-Clause */
/* Write-combining buffers: streaming stores to a line are sent to memory together. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { LINE = 64, ARENA = 0x8000, BP = 5, CORE_LINE = 30 };
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MEM(at, bytes, access)                                                                                         \
    .mems = 1,                                                                                                         \
    .mem = {{.disp = (at), .base = BP, .index = CODEMAP_REG_NONE, .scale = 1, .size = (bytes), .flags = (access)}}
#define STREAM(at, bytes)                                                                                              \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_ALU, .flags = CODEMAP_INSN_NONTEMPORAL, MEM(at, bytes, CODEMAP_STORE)                     \
    }
#define BACK                                                                                                           \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST                                \
    }

static struct caches caches;
static void *memory;
static struct program program;

static int setup(void **state)
{
    const struct vpmu_params *params = vpmu_params_of(VPMU_REV_C);

    memory = calloc(1, caches_memory(params));
    caches_init(&caches, params, memory);
    return 0;
}

static int teardown(void **state)
{
    free(memory);
    return 0;
}

static int end(void **state)
{
    program_end(&program);
    return 0;
}

/* Returns how many lines were sent in the given cycle. */
static unsigned sent(uint64_t cycle)
{
    unsigned lines = 0;

    for (uint32_t i = 0; i < PACE_SLOTS; i++)
        lines += caches.pace.taken[i] != 0;
    assert_true(!lines || caches.pace.origin == cycle);
    return lines;
}

static const struct combine_buffer *open(uint64_t line)
{
    for (unsigned i = 0; i < COMBINE_BUFFERS; i++)
        if (caches.combine.buffer[i].line == line)
            return &caches.combine.buffer[i];
    return NULL;
}

/* A buffer is sent when it is full, whatever the order and sizes of the stores. */
TEST_WITH(test_full_buffers, setup, teardown)
{
    static const uint8_t rows[][2] = {{8, 8}, {0, 8}, {16, 16}, {32, 4}, {36, 2}, {38, 1}, {39, 1}, {48, 16}};

    for (unsigned i = 0; i < COUNT(rows); i++)
        assert_int_equal(combine_store(&caches, 0x10000 + rows[i][0], rows[i][1], 1000), 1000);
    assert_int_equal(sent(1000), 0);
    assert_int_equal(open(0x10000 / LINE)->bytes, ~(0xFFull << 40));
    assert_int_equal(combine_store(&caches, 0x10000 + 40, 8, 2000), 2000);
    assert_int_equal(sent(2000), 1);
    assert_null(open(0x10000 / LINE));
    assert_int_equal(combine_store(&caches, 0x20000, 64, 2000), 2000); /* another buffer */
    assert_int_equal(sent(2000), 2);
}

/* Bytes beyond the line belong to another buffer. */
TEST_WITH(test_across_a_line, setup, teardown)
{
    combine_store(&caches, 0x10000 + 60, 8, 1000);
    assert_int_equal(open(0x10000 / LINE)->bytes, 0xFull << 60);
}

/* There is one more line than there are buffers: the buffer opened first is sent, and is free when memory has taken it.
 * Stores to open lines are found, whichever buffer has them. */
TEST_WITH(test_no_buffer_is_free, setup, teardown)
{
    for (unsigned i = 0; i < 4; i++)
        combine_store(&caches, 0x10000 + i * LINE, 8, 1000 + (i + 3) % 4 * 10); /* the second buffer is opened first */
    combine_store(&caches, 0x10000 + LINE + 8, 8, 1100);                        /* this store opens no buffer */
    assert_int_equal(sent(0), 0);
    assert_int_equal(combine_store(&caches, 0x20000, 8, 2000), 2000);
    assert_int_equal(sent(2000), 1);
    assert_null(open(0x10000 / LINE + 1));
    assert_int_equal(combine_store(&caches, 0x30000, 8, 2000), 2000 + CORE_LINE);
    assert_null(open(0x10000 / LINE + 2));
    assert_non_null(open(0x10000 / LINE));
    assert_non_null(open(0x10000 / LINE + 3));
    assert_int_equal(open(0x30000 / LINE)->opened, 2000 + CORE_LINE);
    assert_int_equal(open(0x30000 / LINE)->bytes, 0xFF);
}

/* A new line takes the closed buffer that is free first, before any open one. */
TEST_WITH(test_closed_buffers_first, setup, teardown)
{
    for (unsigned i = 0; i < 4; i++)
        combine_store(&caches, 0x10000 + i * LINE, 64, 1000);
    assert_int_equal(sent(1000), 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(combine_store(&caches, 0x20000 + i * LINE, 8, 1000), 1000 + i * CORE_LINE);
    assert_int_equal(sent(1000), 4);
    combine_store(&caches, 0x20000 + 2 * LINE, 64, 5000);
    assert_int_equal(combine_store(&caches, 0x30000, 8, 5000), 5000);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(open(0x20000 / LINE + i) == NULL, i == 2);
}

TEST_WITH(test_flush, setup, teardown)
{
    combine_flush(&caches, 1000);
    assert_int_equal(sent(0), 0);
    for (unsigned i = 0; i < 3; i++)
        combine_store(&caches, 0x10000 + i * LINE, 8, 1000);
    combine_flush(&caches, 2000);
    assert_int_equal(sent(2000), 3);
    combine_flush(&caches, 2000);
    assert_int_equal(sent(2000), 3);
    combine_store(&caches, 0x10000, 8, 2000);
    caches_empty(&caches);
    assert_null(open(0x10000 / LINE));
}

/* ---------------------------------------------------------------- in programs */

static struct vpmu *model(void)
{
    return program.machine.vpmu;
}

static bool any_open(void)
{
    for (unsigned i = 0; i < COMBINE_BUFFERS; i++)
        if (model()->caches.combine.buffer[i].line != LINE_NONE)
            return true;
    return false;
}

/* Eight lines of eight stores each take as long as memory needs for eight lines; with four stores each, too. */
TEST_WITH(test_pace_of_streaming_stores, NULL, end)
{
    for (unsigned stores = 8; stores >= 4; stores /= 2) {
        struct codemap_insn code[PROGRAM_MAX];
        unsigned count = 0;
        uint64_t before;

        for (unsigned line = 0; line < 8; line++)
            for (unsigned i = 0; i < stores; i++)
                code[count++] = (struct codemap_insn)STREAM((int)(line * LINE + i * 8), 8);
        code[count++] = (struct codemap_insn)BACK;
        program_load(&program, VPMU_REV_C, code, count, NULL);
        program_run(&program, 50);
        before = model()->pipe.retire_cycle;
        program_run(&program, 100);
        assert_in_range(model()->pipe.retire_cycle - before, 100 * 8 * CORE_LINE - 100, 100 * 8 * CORE_LINE + 100);
    }
}

/* A streaming store leaves after earlier stores, and later stores leave after it; no load gets its bytes; its line is
 * in no cache. */
TEST_WITH(test_order, NULL, end)
{
    static const struct codemap_insn code[] = {{.unit = CODEMAP_UNIT_ALU, MEM(0x4000, 8, CODEMAP_STORE)},
                                               STREAM(0, 8),
                                               {.unit = CODEMAP_UNIT_ALU, .writes = 1, MEM(0, 8, CODEMAP_LOAD)},
                                               BACK};
    uint64_t there;

    program_load(&program, VPMU_REV_C, code, COUNT(code), NULL);
    program_run(&program, 1);
    there = l1_peek(&model()->caches.l1d, (ARENA + 0x4000) / LINE)->ready;
    assert_true(any_open());
    assert_int_equal(model()->pipe.stores_gone, there);
    assert_int_equal(model()->caches.combine.buffer[0].opened, there);
    assert_int_equal(model()->truth.rows[2].forwarded + model()->truth.rows[2].cancelled, 0);
    assert_int_equal(model()->truth.rows[1].stores, 1);
}

/* Locked and serialising instructions send all open buffers. */
TEST_WITH(test_what_flushes, NULL, end)
{
    static const struct codemap_insn flushes[] = {
        {.unit = CODEMAP_UNIT_ALU, .flags = CODEMAP_INSN_LOCK, MEM(0x4000, 8, CODEMAP_LOAD | CODEMAP_STORE)},
        {.unit = CODEMAP_UNIT_OTHER, .flags = CODEMAP_INSN_SERIAL},
        {.unit = CODEMAP_UNIT_ALU, MEM(0x4000, 8, CODEMAP_LOAD | CODEMAP_STORE)},
    };

    for (unsigned i = 0; i < COUNT(flushes); i++) {
        const struct codemap_insn code[] = {STREAM(0, 8), flushes[i], BACK};

        program_load(&program, VPMU_REV_C, code, COUNT(code), NULL);
        program_run(&program, 1);
        assert_int_equal(any_open(), i == 2);
    }
}

/* A store to an address that is not mapped is sent nowhere. */
TEST_WITH(test_not_mapped, NULL, end)
{
    static const struct codemap_insn code[] = {STREAM(0, 8), BACK};

    program_load(&program, VPMU_REV_C, code, COUNT(code), NULL);
    program.machine.gpr[BP] = 1ull << 41;
    program_run(&program, 1);
    assert_false(any_open());
}

RUN_TESTS(NULL, NULL)
