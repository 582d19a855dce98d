/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces of ops: their places, the earliest axis, which op follows which, and the printed words; bits by number. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/ibs/op_trace.h"

enum { SMALL_FLD = 7, STOS = SMALL_CLEAR, IDIV = STOS + 1, NOP = STOS + 2 };

static struct ibs_machine machine;
static struct op_trace_op ops[16];

static int begin(void **state)
{
    machine = ibs_machine_of(0x10, 4, 0x1f);
    memset(ops, 0, sizeof(ops));
    return 0;
}

/* Adds a sample of that instruction with so many cycles from tag to retirement. */
static void add(unsigned op, unsigned insn, uint64_t cycles)
{
    struct sample_record record = op_record(insn, 0, cycles << 16 | 2, 0, 0);

    op_trace_add(&ops[op], &machine, &record, 1000 - cycles);
}

static void place(unsigned count)
{
    op_trace_place(ops, count, &small_map, SMALL_BASE);
}

/* Each row is worked out by hand: the earliest tag that is neither before the last tag nor lets the op retire before
 * the last op. */
TEST_WITH(axis, begin, NULL)
{
    static const struct {
        unsigned cycles, tag, retire;
    } rows[] = {{10, 0, 10}, {4, 6, 10}, {3, 7, 10}, {9, 7, 16}, {0, 16, 16}, {0, 16, 16}, {1, 16, 17}, {40, 16, 56}};

    for (unsigned i = 0; i < 8; i++)
        add(i, SMALL_LOOP, rows[i].cycles);
    place(8);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(ops[i].tag, rows[i].tag);
        assert_int_equal(ops[i].retire, rows[i].retire);
    }
}

/* A lost op takes no time, but its macro-op counts. */
TEST_WITH(lost, begin, NULL)
{
    add(0, IDIV, 10);
    op_trace_add(&ops[1], &machine, NULL, 0);
    add(2, IDIV, 5);
    op_trace_add(&ops[2], &machine, NULL, 0);
    place(3);
    assert_int_equal(ops[1].samples, 0);
    assert_int_equal(ops[1].passes, 1);
    assert_int_equal(ops[1].insn, -1);
    assert_int_equal(ops[1].tag, 0);
    assert_int_equal(ops[2].macro_op, 3);
    assert_int_equal(ops[2].tag, 5);
    assert_int_equal(ops[2].samples, 1);
    assert_int_equal(ops[2].passes, 2);
}

/* An idiv has eight macro-ops; the ninth belongs to another idiv. */
TEST_WITH(macro_ops, begin, NULL)
{
    for (unsigned i = 0; i < 9; i++)
        add(i, IDIV, 1);
    add(9, NOP, 1);
    place(10);
    for (unsigned i = 0; i < 9; i++)
        assert_int_equal(ops[i].macro_op, i % 8 + 1);
    assert_int_equal(ops[9].macro_op, 1);
    assert_int_equal(ops[9].insn, NOP);
}

TEST_WITH(differs, begin, NULL)
{
    static const struct {
        uint64_t data, data2, data3, address;
        unsigned insn;
        uint32_t differs;
        const char *text;
    } rows[] = {
        {0x140005, 0, 0x20001, 64, SMALL_FLD, 0, ""},
        {0x150005, 0, 0x20001, 64, SMALL_FLD, OP_TRACE_LATENCY, "latency"},
        {0x140006, 0, 0x20001, 64, SMALL_FLD, OP_TRACE_LATENCY, "latency"},
        {0x140005, 0, 0x3200020001, 64, SMALL_FLD, OP_TRACE_LATENCY, "latency"},
        {0x140005, 0, 0x20081, 64, SMALL_FLD, OP_TRACE_OUTCOME, "outcome"},
        {0x2000140005, 0, 0x20001, 64, SMALL_FLD, OP_TRACE_OUTCOME, "outcome"},
        {0x140005, 3, 0x20001, 64, SMALL_FLD, OP_TRACE_OUTCOME, "outcome"},
        {0x140005, 0, 0x20001, 128, SMALL_FLD, OP_TRACE_ADDRESS, "address"},
        {0x140005, 0, 0x20001, 64, SMALL_FMUL, OP_TRACE_ADDRESS, "address"},
        {0x150005, 0, 0x20081, 128, SMALL_FLD, 7, "address outcome latency"},
        {0x8000000000140005, 0, 0x8000000000020001, 64, SMALL_FLD, 0, ""}, /* reserved */
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sample_record first = op_record(SMALL_FLD, 0, 0x140005, 0, 0x20001), second;
        struct op_trace_op op = {0};

        first.reg[IBS_OP_DCLINAD] = 64;
        second = op_record(rows[i].insn, 0, rows[i].data, rows[i].data2, rows[i].data3);
        second.reg[IBS_OP_DCLINAD] = rows[i].address;
        op_trace_add(&op, &machine, &first, 500);
        op_trace_add(&op, &machine, &second, 400 + i);
        assert_int_equal(op.differs, rows[i].differs);
        assert_string_equal(op_trace_differs_text(op.differs), rows[i].text);
        assert_int_equal(op.least, 20);
        assert_int_equal(op.most, rows[i].data >> 16 & 0xff);
        assert_int_equal(op.ticks, 400 + i);
        op_trace_add(&op, &machine, &first, 300); /* an op that differed once stays different */
        assert_int_equal(op.differs, rows[i].differs);
        assert_int_equal(op.ticks, 300);
        assert_int_equal(op.samples, 3);
    }
    add(0, SMALL_FLD, 9);
    add(0, SMALL_FLD, 4);
    add(0, SMALL_FLD, 12);
    assert_int_equal(ops[0].least, 4);
    assert_int_equal(ops[0].most, 12);
}

static bool follow(unsigned a, unsigned b, uint64_t data)
{
    struct sample_record record = op_record(a, 0, data, 0, 0);

    begin(NULL);
    op_trace_add(&ops[0], &machine, &record, 0);
    add(1, b, 1);
    place(2);
    return op_trace_follows(&small_map, &ops[0], &ops[1]);
}

TEST_WITH(order, begin, NULL)
{
    const uint64_t taken = 0x2800000000, next = 0x2000000000;

    assert_true(follow(0, 1, 0));
    assert_false(follow(0, 2, 0));
    assert_true(follow(SMALL_LOOP, SMALL_LOOP + 1, 0));
    assert_false(follow(SMALL_LOOP, SMALL_LOOP, 0));
    assert_false(follow(SMALL_LOOP, SMALL_LOOP + 2, 0));
    assert_true(follow(SMALL_COMPARE + 1, SMALL_LOOP, taken));
    assert_false(follow(SMALL_COMPARE + 1, SMALL_RET, taken));
    assert_true(follow(SMALL_COMPARE + 1, SMALL_RET, next));
    assert_false(follow(SMALL_COMPARE + 1, SMALL_LOOP, next));
    assert_true(follow(SMALL_MULTIPLY + 1, SMALL_COMPARE, taken)); /* jmp */
    assert_false(follow(SMALL_MULTIPLY + 1, SMALL_LOOP, taken));
    assert_true(follow(SMALL_RET, SMALL_SETUP, taken)); /* anywhere */
    assert_true(follow(STOS, STOS, 0));
    assert_true(follow(STOS, IDIV, 0));
    assert_false(follow(STOS, NOP, 0));
    assert_true(follow(IDIV, IDIV, 0)); /* the second macro-op of the same idiv */
    assert_false(follow(IDIV, NOP, 0));
    begin(NULL);
    for (unsigned i = 0; i < 8; i++)
        add(i, IDIV, 1);
    add(8, NOP, 1);
    place(9);
    assert_true(op_trace_follows(&small_map, &ops[7], &ops[8]));
    assert_false(op_trace_follows(&small_map, &ops[6], &ops[8]));
    ops[8].insn = -1;
    assert_true(op_trace_follows(&small_map, &ops[6], &ops[8]));
}

TEST_WITH(words, begin, NULL)
{
    static const struct {
        uint64_t data, data2, data3;
        const char *branch, *access, *dc, *dtlb, *source;
    } rows[] = {
        {0, 0, 0, "", "", "", "", ""},
        {0x2000000000, 0, 0, "not taken", "", "", "", ""},
        {0x2800000000, 0, 0, "taken", "", "", "", ""},
        {0x3000000000, 0, 0, "mispredicted not taken", "", "", "", ""},
        {0x3800000000, 0, 0, "mispredicted taken", "", "", "", ""},
        {0x1800000000, 0, 0, "", "", "", "", ""},
        {0, 3, 0x20001, "", "load", "hit", "hit", ""},
        {0, 0, 0x20002, "", "store", "hit", "hit", ""},
        {0, 3, 0x20083, "", "both", "miss", "hit", "DRAM"},
        {0, 1, 0x20085, "", "load", "miss", "L1M L2H", "L3"},
        {0, 0, 0x2008d, "", "load", "miss", "L1M L2M", ""},
        {0, 2, 0x20081, "", "load", "miss", "hit", "cache"},
        {0, 7, 0x24001, "", "load", "hit", "hit", "other"},
        {0, 3, 0x82, "", "store", "miss", "", ""},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sample_record record = op_record(SMALL_FLD, 0, rows[i].data, rows[i].data2, rows[i].data3);
        struct op_trace_op op = {.samples = 1, .record = record};

        assert_string_equal(op_trace_branch(&op), rows[i].branch);
        assert_string_equal(op_trace_access(&op), rows[i].access);
        assert_string_equal(op_trace_dc(&op), rows[i].dc);
        assert_string_equal(op_trace_dtlb(&op), rows[i].dtlb);
        assert_string_equal(op_trace_source(&op, &machine), rows[i].source);
    }
}

RUN_TESTS(NULL, NULL)
