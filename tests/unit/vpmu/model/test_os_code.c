/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of a Linux program that belong to the map: vpmu/shim/os/os_code.c. */
#include <string.h>

#include "tests/unit/test.h"
#include "vpmu/shim/os/os.h"

enum {
    PAGE = 4096,
    TEXT_RVA = 0x1000,
    TEXT_SIZE = 2 * PAGE + 100,
    BASE = 0x402000,
    ALU = 3,            /* bytes of an instruction that has no displacement */
    RELATIVE = 7,       /* bytes of an instruction that may have a displacement, the last four */
    EDGE = 2 * PAGE - 2 /* the second instruction crosses the border of its page */
};

static _Alignas(PAGE) uint8_t text[3 * PAGE], copy[3 * PAGE], program[3 * PAGE];
static const struct codemap_insn insns[] = {
    {.rva = TEXT_RVA + 8, .length = ALU},
    {.rva = TEXT_RVA + 8 + ALU, .length = RELATIVE},
    {.rva = TEXT_RVA + PAGE + 16, .length = RELATIVE},
    {.rva = TEXT_RVA + EDGE, .length = RELATIVE},
    {.rva = TEXT_RVA + 2 * PAGE + 40, .length = ALU},
};
static const struct codemap map = {
    .insns = insns, .insn_count = sizeof(insns) / sizeof(insns[0]), .text_rva = TEXT_RVA, .text_size = TEXT_SIZE};
static struct shim shim;

static void fresh(void)
{
    memset(&shim, 0, sizeof(shim));
    shim.settings.code = BASE;
    for (unsigned i = 0; i < sizeof(text); i++)
        text[i] = program[i] = (uint8_t)(i * 37 + i / 256);
    os_code_init(&map, text, copy);
}

static bool ours(unsigned offset)
{
    unsigned place = os_code_place(&shim, BASE + offset, (uint64_t)(program + offset));

    assert_true(place & VPMU_USER);
    return !(place & VPMU_FOREIGN);
}

TEST(test_the_same_code)
{
    fresh();
    assert_true(ours(8));
    assert_true(ours(PAGE + 16));
    assert_true(ours(2 * PAGE + 40));
    assert_true(ours(TEXT_SIZE - 1));
    assert_false(ours(TEXT_SIZE));
    assert_int_equal(os_code_place(&shim, BASE - 1, (uint64_t)program), VPMU_USER | VPMU_FOREIGN);
    assert_int_equal(os_code_place(&shim, BASE, 0), VPMU_USER | VPMU_FOREIGN); /* not mapped */
    shim.settings.code = 0;                                                    /* no address was given */
    assert_int_equal(os_code_place(&shim, 8, (uint64_t)(program + 8)), VPMU_USER | VPMU_FOREIGN);
}

/* Flips bytes of the program, and returns which of the three pages still belong to the map. */
static unsigned pages_with(unsigned first, unsigned count)
{
    unsigned pages = 0;

    fresh();
    for (unsigned i = 0; i < count; i++)
        program[first + i] ^= 0x55;
    for (unsigned page = 0; page < 3; page++)
        pages |= (unsigned)ours(page * PAGE + 16) << page;
    return pages;
}

TEST(test_operands_that_a_linker_fills_in)
{
    assert_int_equal(pages_with(8 + ALU + 3, 4), 7);
    assert_int_equal(pages_with(PAGE + 16 + 3, 4), 7);
    assert_int_equal(pages_with(EDGE + 3, 4), 7); /* on the next page */
    assert_int_equal(pages_with(EDGE, 4), 7);     /* on both pages */
    assert_int_equal(pages_with(0, 8), 7);        /* between functions */
    assert_int_equal(pages_with(2 * PAGE + 43, 60), 7);
}

TEST(test_other_code)
{
    assert_int_equal(pages_with(8, 1), 6);
    assert_int_equal(pages_with(8 + ALU - 1, 1), 6);
    assert_int_equal(pages_with(8 + ALU + 2, 5), 6);
    assert_int_equal(pages_with(PAGE + 16, 5), 5);
    assert_int_equal(pages_with(PAGE + 16 + 2, 5), 5);
    assert_int_equal(pages_with(2 * PAGE, 5), 3); /* the rest of an instruction that begins on the page before */
    assert_int_equal(pages_with(2 * PAGE + 40, 1), 3);
}

TEST(test_a_page_is_compared_once)
{
    fresh();
    assert_true(ours(8));
    program[8] ^= 1;
    assert_true(ours(9)); /* comparing a whole page for every instruction would be too slow */
    os_code_forget();
    assert_false(ours(8));
    assert_false(ours(9));
    program[8] ^= 1;
    os_code_forget();
    assert_true(ours(8));
    /* An equal address in another page of memory belongs to another process. */
    assert_int_equal(os_code_place(&shim, BASE + 8, (uint64_t)(program + PAGE + 8)), VPMU_USER | VPMU_FOREIGN);
}

RUN_TESTS(NULL, NULL)
