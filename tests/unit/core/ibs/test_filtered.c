/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples are compared with the filters that they passed. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/family/ibs_regs.h"
#include "core/ibs/filtered.h"

enum { L3 = 1, DRAM = 3, OTHER_COMPLEX = 2, DATA2_L2 = 0 }; /* Zen 4's raw sources */

static struct ibs_machine machine;
static struct filtered filtered;
static char text[1024];

static int set_up(void **state)
{
    (void)state;
    machine = ibs_machine_of(0x1A, 0x44, 0x81BFF); /* Zen 5 */
    filtered = (struct filtered){.machine = &machine, .l3_only = {true, true}};
    return 0;
}

static const char *print(void)
{
    struct out_memory out;

    out_memory_init(&out, text, sizeof(text));
    filtered_print(&out.out, &filtered);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 79);
    return text;
}

/* Returns whether this op sample contradicts the filter. */
static bool op(uint64_t data3, uint64_t data2)
{
    struct sample_record record = {.kind = SAMPLE_OP};
    uint64_t before = filtered.leaked[SAMPLE_OP];

    record.reg[IBS_OP_DATA2] = data2;
    record.reg[IBS_OP_DATA3] = data3;
    filtered_add(&filtered, &record);
    return filtered.leaked[SAMPLE_OP] > before;
}

TEST_WITH(ops_that_cannot_have_missed_the_l3, set_up, NULL)
{
    uint64_t missed = IBS_DC_MISS | IBS_DC_L2_MISS | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID;

    assert_false(op(IBS_LD_OP | missed, DRAM));
    assert_false(op(IBS_LD_OP | missed, OTHER_COMPLEX));
    assert_false(op(IBS_ST_OP | missed, 0)); /* a store has no source */
    assert_false(op(IBS_ST_OP | missed, L3));
    assert_true(op(IBS_LD_OP | missed, L3));
    assert_true(op(IBS_LD_OP | (missed & ~IBS_DC_L2_MISS), DATA2_L2));
    assert_true(op(IBS_ST_OP | (missed & ~IBS_DC_L2_MISS), 0));
    assert_true(op(IBS_LD_OP, 0)); /* the L1 had it */
    assert_true(op(IBS_ST_OP, 0));
    assert_true(op(0, 0)); /* the op does not access memory */
    /* Uncacheable accesses are not judged. */
    assert_false(op(IBS_LD_OP | IBS_DC_UC_MEM_ACC, 0));
    assert_false(op(IBS_ST_OP | IBS_DC_WC_MEM_ACC, 0));
    assert_false(op(IBS_LD_OP | IBS_DC_SW_PF, 0));
    assert_int_equal(filtered.samples[SAMPLE_OP], 13);
    assert_int_equal(filtered.leaked[SAMPLE_OP], 6);
    assert_string_equal(print(), "WARNING: the processor's filter leaks: 6 of 13 op samples hit the L1, the L2 or\n"
                                 "         the L3, or access no memory. Shares are not those of L3 misses.\n");
}

TEST_WITH(fetches_without_the_bit, set_up, NULL)
{
    struct sample_record record = {.kind = SAMPLE_FETCH}, other = {.kind = SAMPLE_PMC};

    record.reg[IBS_FETCH_CTL] = IBS_FETCH_COMP | IBS_FETCH_L2_MISS | IBS_FETCH_L3_MISS;
    filtered_add(&filtered, &record);
    assert_string_equal(print(), "");
    record.reg[IBS_FETCH_CTL] &= ~IBS_FETCH_L3_MISS;
    filtered_add(&filtered, &record);
    filtered_add(&filtered, &other);
    assert_string_equal(print(), "WARNING: the processor's filter leaks: 1 of 2 fetch samples did not miss the\n"
                                 "         L3. Shares are not those of L3 misses.\n");
}

/* Zen 6's fetch without an address says nothing by this bit, and neither does an unknown processor's. */
TEST_WITH(bits_that_are_not_valid, set_up, NULL)
{
    struct sample_record record = {.kind = SAMPLE_FETCH};

    machine = ibs_machine_of(0x1A, 0x50, 0x81BFF);
    record.reg[IBS_FETCH_CTL] = IBS_FETCH_COMP;
    filtered_add(&filtered, &record);
    assert_int_equal(filtered.leaked[SAMPLE_FETCH], 0);
    record.reg[IBS_FETCH_CTL] |= IBS_FETCH_PHY_VALID;
    filtered_add(&filtered, &record);
    assert_int_equal(filtered.leaked[SAMPLE_FETCH], 1);
    machine = (struct ibs_machine){0};
    filtered_add(&filtered, &record);
    assert_false(op(IBS_LD_OP, 0));
    assert_int_equal(filtered.leaked[SAMPLE_FETCH], 1);
}

/* With the latency filter up to one sample in ten may be dropped without a warning, as Linux drops such samples. */
TEST_WITH(loads_that_were_too_fast, set_up, NULL)
{
    memset(filtered.l3_only, 0, sizeof(filtered.l3_only));
    for (unsigned i = 0; i < 90; i++)
        assert_false(op(0, 0));
    filtered.dropped = 10;
    assert_string_equal(print(), "");
    filtered.dropped = 11;
    assert_string_equal(print(), "WARNING: the processor's filter leaks: 11 of 101 op samples are not loads of\n"
                                 "         this latency. They were dropped.\n");
}

RUN_TESTS(NULL, NULL)
