/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk along frame pointers: complete, cut and broken chains, and memory with any content. */
#include <string.h>

#include "tests/unit/test.h"
#include "core/base/rng.h"
#include "core/ibs/sample_stack.h"

enum { WORDS = 64, RIP = 0x1234 };

static uint64_t memory[WORDS];
static struct sample_stack stack;

static uint64_t at(unsigned word)
{
    return (uint64_t)(uintptr_t)&memory[word];
}

/* Writes a frame at this word: the address of the next frame, and the return address. */
static void frame(unsigned word, uint64_t next, uint64_t address)
{
    memory[word] = next;
    memory[word + 1] = address;
}

static void walk(uint64_t rbp, uint32_t depth)
{
    memset(&stack, 0xee, sizeof(stack));
    sample_stack_walk(&stack, RIP, rbp, at(0), at(WORDS), depth);
    assert_int_equal(stack.rip, RIP);
}

static int begin(void **state)
{
    memset(memory, 0, sizeof(memory));
    frame(0, at(10), 1);
    frame(10, at(12), 2); /* as close as frames can be */
    frame(12, at(WORDS - 2), 3);
    frame(WORDS - 2, 0, 4);
    return 0;
}

TEST_WITH(whole, begin, NULL)
{
    walk(at(0), SAMPLE_STACK_MAX);
    assert_int_equal(stack.depth, 4);
    assert_int_equal(stack.end, SAMPLE_STACK_WHOLE);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(stack.address[i], i + 1);
    walk(at(0), 4);
    assert_int_equal(stack.end, SAMPLE_STACK_WHOLE);
    walk(0, 4);
    assert_int_equal(stack.depth, 0);
    assert_int_equal(stack.end, SAMPLE_STACK_WHOLE);
}

TEST_WITH(cut, begin, NULL)
{
    walk(at(0), 3);
    assert_int_equal(stack.depth, 3);
    assert_int_equal(stack.end, SAMPLE_STACK_CUT);
    assert_int_equal(stack.address[2], 3);
    assert_int_equal(stack.address[3], 0xeeeeeeeeeeeeeeeeu); /* not written */
}

TEST_WITH(broken, begin, NULL)
{
    const struct {
        uint64_t rbp; /* the next frame after the one at 0 */
        uint32_t depth;
    } rows[] = {
        {at(0), 1},              /* itself */
        {at(1), 1},              /* within it */
        {at(10) + 4, 1},         /* not aligned */
        {at(WORDS - 1), 1},      /* half of the frame lies outside the stack */
        {at(WORDS), 1},          /* outside the stack */
        {at(0) - 16, 1},         /* below the stack */
        {UINT64_MAX & ~7ull, 1}, /* would wrap around */
        {1, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        frame(0, rows[i].rbp, 1);
        walk(at(0), SAMPLE_STACK_MAX);
        assert_int_equal(stack.depth, rows[i].depth);
        assert_int_equal(stack.end, SAMPLE_STACK_BROKEN);
        walk(rows[i].rbp == at(0) || rows[i].rbp == at(1) ? 8 : rows[i].rbp, SAMPLE_STACK_MAX);
        assert_int_equal(stack.depth, 0);
        assert_int_equal(stack.end, SAMPLE_STACK_BROKEN);
    }
    begin(NULL);
    frame(12, at(10), 3); /* a loop */
    walk(at(0), SAMPLE_STACK_MAX);
    assert_int_equal(stack.depth, 3);
    assert_int_equal(stack.end, SAMPLE_STACK_BROKEN);
    /* The stack is too small for a frame. */
    sample_stack_walk(&stack, RIP, 8, 0, 15, 4);
    assert_int_equal(stack.end, SAMPLE_STACK_BROKEN);
}

/* Whatever the memory holds, nothing outside it is read (the sanitizer would report it, as the memory has no
 * neighbours), frames ascend, and the addresses found are in it. */
TEST_WITH(anything, begin, NULL)
{
    uint64_t ends[SAMPLE_STACK_ENDS] = {0};
    struct rng rng;

    rng_seed(&rng, 7);
    for (unsigned round = 0; round < 200000; round++) {
        uint32_t depth = 1 + rng_below(&rng, SAMPLE_STACK_MAX), seen = 0;
        uint64_t rbp, last = 0;

        for (unsigned i = 0; i < WORDS; i++)
            memory[i] = rng_below(&rng, 4)
                            ? at(0) + 8 * (uint64_t)rng_below(&rng, WORDS + 4) + (rng_below(&rng, 32) == 0)
                        : rng_below(&rng, 2) ? 0
                                             : rng_next(&rng);
        rbp = rng_below(&rng, 8) ? at(rng_below(&rng, WORDS)) : rng_next(&rng);
        walk(rbp, depth);
        assert_true(stack.depth <= depth && stack.end < SAMPLE_STACK_ENDS);
        for (; seen < stack.depth; seen++, rbp = *(const uint64_t *)(uintptr_t)rbp) {
            assert_true(rbp >= at(0) && rbp <= at(WORDS - 2) && rbp % 8 == 0 && (seen == 0 || rbp >= last + 16));
            assert_int_equal(stack.address[seen], ((const uint64_t *)(uintptr_t)rbp)[1]);
            last = rbp;
        }
        assert_true((stack.end == SAMPLE_STACK_WHOLE) == (rbp == 0));
        assert_true(stack.end != SAMPLE_STACK_CUT || stack.depth == depth);
        ends[stack.end]++;
    }
    for (unsigned end = 0; end < SAMPLE_STACK_ENDS; end++)
        assert_true(ends[end] > 1000);
}

RUN_TESTS(NULL, NULL)
