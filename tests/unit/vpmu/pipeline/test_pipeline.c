/* SPDX-License-Identifier: BSD-2-Clause */
/* Dispatch, latencies, retirement, loads and stores: small loops whose time can be computed by hand. */
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"

enum { AX, CX, DX, BX, SP, BP, SI, DI, R8, NONE = CODEMAP_REG_NONE };

#define R(reg) (1ull << (reg))
#define FLAGS  (1ull << CODEMAP_DEP_FLAGS)
#define XMM0   (1ull << CODEMAP_DEP_XMM0)

enum { MAX_INSNS = 80, FIRST = 0x1000 };

static struct codemap_insn insns[MAX_INSNS];
static struct codemap map;
static struct machine machine;

/* Loads a program of consecutive instructions, 4 bytes each. */
static void program(const struct codemap_insn *code, unsigned count)
{
    memcpy(insns, code, count * sizeof(*code));
    for (unsigned i = 0; i < count; i++) {
        insns[i].rva = FIRST + 4 * i;
        insns[i].length = 4;
        if (insns[i].ops == 0)
            insns[i].ops = 1;
        if (insns[i].op_size == 0)
            insns[i].op_size = 8;
    }
    map = (struct codemap){.insns = insns, .insn_count = count};
    machine_free(&machine);
    machine_init(&machine, VPMU_REV_C, &map, 1);
    machine.gpr[BP] = 0x8000;
}

/* Runs the whole program 'rounds' times, its end jumping back to its start. */
static void run(unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < map.insn_count; i++)
            machine_step(&machine, PAPER_BASE + insns[i].rva);
}

/* Returns the cycles of a round in the steady state, times 100. */
static unsigned cycles_per_round(void)
{
    uint64_t before;

    run(200);
    before = machine.vpmu->pipe.cycle;
    run(1000);
    return (unsigned)((machine.vpmu->pipe.cycle - before) / 10);
}

/* Makes the lines from the given address on the core's own, so that stores leave the queue when they have retired. */
static void own(uint64_t linear, uint64_t bytes)
{
    vpmu_prepared(machine.vpmu, linear, bytes);
}

static const struct truth_row *row(unsigned index)
{
    return &machine.vpmu->truth.rows[index];
}

#define ALU(dst, src)                                                                                                  \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_ALU, .reads = (src), .writes = (dst) | FLAGS                                              \
    }
#define BACK                                                                                                           \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = FIRST                                        \
    }
#define MEM(offset, bytes, access)                                                                                     \
    .mems = 1, .mem = {{.disp = (offset), .base = BP, .index = NONE, .scale = 1, .size = (bytes), .flags = (access)}}
#define LOAD(dst, offset, bytes)                                                                                       \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_ALU, .reads = R(BP), .writes = (dst), MEM(offset, bytes, CODEMAP_LOAD)                    \
    }
#define STORE(src, offset, bytes)                                                                                      \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_ALU, .reads = R(BP) | (src), MEM(offset, bytes, CODEMAP_STORE)                            \
    }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

TEST(test_three_ops_a_cycle)
{
    struct codemap_insn code[61];

    for (unsigned i = 0; i < 60; i++)
        code[i] = (struct codemap_insn){.unit = CODEMAP_UNIT_ALU, .writes = R(i % 8 == SP ? AX : i % 8)};
    code[60] = (struct codemap_insn)BACK;
    program(code, 61);
    assert_in_range(cycles_per_round(), 2100, 2200); /* 60 / 3, and the jump's own line */
}

TEST(test_chains)
{
    static const struct {
        uint8_t unit, op_size;
        unsigned latency;
    } rows[] = {
        {CODEMAP_UNIT_ALU, 8, 1},    {CODEMAP_UNIT_LEA, 8, 2},    {CODEMAP_UNIT_SHIFT, 8, 1},
        {CODEMAP_UNIT_IMUL, 1, 3},   {CODEMAP_UNIT_IMUL, 2, 4},   {CODEMAP_UNIT_IMUL, 4, 3},
        {CODEMAP_UNIT_IMUL, 8, 4},   {CODEMAP_UNIT_IDIV, 1, 19},  {CODEMAP_UNIT_IDIV, 2, 35},
        {CODEMAP_UNIT_IDIV, 4, 51},  {CODEMAP_UNIT_IDIV, 8, 83},  {CODEMAP_UNIT_FADD, 4, 4},
        {CODEMAP_UNIT_FMUL, 8, 4},   {CODEMAP_UNIT_FDIV, 4, 16},  {CODEMAP_UNIT_FDIV, 8, 20},
        {CODEMAP_UNIT_FSQRT, 4, 19}, {CODEMAP_UNIT_FSQRT, 8, 27},
    };

    for (unsigned i = 0; i < COUNT(rows); i++) {
        bool fp = rows[i].unit >= CODEMAP_UNIT_FADD;
        uint64_t reg = fp ? XMM0 : R(AX);
        struct codemap_insn link = {.unit = rows[i].unit, .op_size = rows[i].op_size, .reads = reg, .writes = reg};
        struct codemap_insn code[9] = {link, link, link, link, link, link, link, link, BACK};

        program(code, 9);
        assert_in_range(cycles_per_round(), 800 * rows[i].latency, 800 * rows[i].latency + 1);
    }
}

/* The latencies are those of GCC i386.c, amdfam10_cost, and athlon.md, for every class, by operand size 1, 2, 4, 8,
 * 16. */
TEST(test_latencies)
{
    static const uint8_t sizes[] = {1, 2, 4, 8, 16};
    static const struct {
        uint8_t unit, latency[5];
    } rows[] = {
        {CODEMAP_UNIT_ALU, {1, 1, 1, 1, 1}},       {CODEMAP_UNIT_LEA, {2, 2, 2, 2, 2}},
        {CODEMAP_UNIT_SHIFT, {1, 1, 1, 1, 1}},     {CODEMAP_UNIT_IMUL, {3, 4, 3, 4, 5}},
        {CODEMAP_UNIT_IDIV, {19, 35, 51, 83, 83}}, {CODEMAP_UNIT_BRANCH, {1, 1, 1, 1, 1}},
        {CODEMAP_UNIT_FADD, {4, 4, 4, 4, 4}},      {CODEMAP_UNIT_FMUL, {4, 4, 4, 4, 4}},
        {CODEMAP_UNIT_FDIV, {16, 16, 16, 20, 20}}, {CODEMAP_UNIT_FSQRT, {19, 19, 19, 27, 27}},
        {CODEMAP_UNIT_FMOVE, {2, 2, 2, 2, 2}},     {CODEMAP_UNIT_NOP, {1, 1, 1, 1, 1}},
        {CODEMAP_UNIT_OTHER, {1, 1, 1, 1, 1}},     {CODEMAP_UNITS, {1, 1, 1, 1, 1}},
    };
    const struct codemap_mem load = {.flags = CODEMAP_LOAD}, store = {.flags = CODEMAP_STORE};

    for (unsigned i = 0; i < COUNT(rows); i++) {
        for (unsigned size = 0; size < 5; size++) {
            struct codemap_insn insn = {.unit = rows[i].unit, .op_size = sizes[size], .writes = FLAGS};
            /* A plain load completes with its data: a move, which writes no flags. */
            bool moves = rows[i].unit == CODEMAP_UNIT_ALU || rows[i].unit == CODEMAP_UNIT_FMOVE;
            bool integer = rows[i].unit == CODEMAP_UNIT_ALU; /* mov: its data is in the queue after two cycles */

            assert_int_equal(params_latency(&insn), rows[i].latency[size]);
            insn.mem[0] = store;
            insn.mems = 1;
            assert_int_equal(params_latency(&insn), rows[i].latency[size]);
            insn.writes = 0;
            assert_int_equal(params_latency(&insn), integer ? 2 : rows[i].latency[size]);
            insn.mem[0] = load;
            assert_int_equal(params_latency(&insn), moves ? 0 : rows[i].latency[size]);
            insn.writes = FLAGS;
            assert_int_equal(params_latency(&insn), rows[i].unit == CODEMAP_UNIT_FMOVE ? 0 : rows[i].latency[size]);
        }
    }
    /* Sizes in between have the latency of the next size. */
    assert_int_equal(params_latency(&(struct codemap_insn){.unit = CODEMAP_UNIT_IDIV, .op_size = 3}), 51);
    assert_int_equal(params_latency(&(struct codemap_insn){.unit = CODEMAP_UNIT_IMUL, .op_size = 9}), 5);
    assert_int_equal(params_latency(&(struct codemap_insn){.unit = CODEMAP_UNIT_IDIV, .op_size = 0}), 19);
}

TEST(test_x87_latencies)
{
    uint64_t x87 = 1ull << CODEMAP_DEP_X87;

    assert_int_equal(params_latency(&(struct codemap_insn){.unit = CODEMAP_UNIT_FDIV, .op_size = 4, .writes = x87}),
                     19);
    assert_int_equal(params_latency(&(struct codemap_insn){.unit = CODEMAP_UNIT_FSQRT, .op_size = 4, .writes = x87}),
                     35);
}

TEST(test_pointer_chase_takes_load_to_use)
{
    /* The instructions are mov rbp, [rbp]; the driver leaves rbp unchanged, as a pointer to itself. */
    const struct codemap_insn code[] = {LOAD(R(BP), 0, 8), LOAD(R(BP), 0, 8), LOAD(R(BP), 0, 8), LOAD(R(BP), 0, 8),
                                        BACK};

    program(code, COUNT(code));
    assert_in_range(cycles_per_round(), 4 * 300, 4 * 300 + 1);
}

/* An address also waits for its index register: it is known when both registers are. */
TEST(test_addresses_wait_for_the_index)
{
    struct codemap_insn load = LOAD(R(DX), 0, 8);

    load.reads = R(BP) | R(DX);
    load.mem[0].index = DX;

    const struct codemap_insn code[] = {load, load, load, load, BACK};

    program(code, COUNT(code));
    assert_in_range(cycles_per_round(), 4 * 300, 4 * 300 + 1);
}

/* A push onto the x87 stack does not change the registers below: a waiting op waits for the slowest of them. */
TEST(test_x87_push_does_not_hide_a_slow_op)
{
    const uint64_t x87 = 1ull << CODEMAP_DEP_X87;
    struct codemap_insn push = LOAD(x87, 0, 4);
    const struct codemap_insn divide = {.unit = CODEMAP_UNIT_FDIV, .op_size = 4, .reads = x87, .writes = x87};
    const struct codemap_insn add = {.unit = CODEMAP_UNIT_FADD, .op_size = 4, .reads = x87, .writes = x87};

    push.unit = CODEMAP_UNIT_FMOVE;
    const struct codemap_insn code[] = {divide, push, add, BACK};

    program(code, COUNT(code));
    assert_in_range(cycles_per_round(), 100 * (19 + 4), 100 * (19 + 4) + 1);
}

TEST(test_two_loads_a_cycle)
{
    struct codemap_insn code[61];

    for (unsigned i = 0; i < 60; i++)
        code[i] = (struct codemap_insn)LOAD(R(AX), 0, 8);
    code[60] = (struct codemap_insn)BACK;
    program(code, 61);
    assert_in_range(cycles_per_round(), 3000, 3050);
    assert_int_equal(row(0)->forwarded + row(0)->cancelled, 0);
}

TEST(test_counter_in_memory)
{
    /* For add [rbp], 1 the forwarded load takes 6 and the addition 1: the 7 of InstLatX64, AuthenticAMD0100F42
     * (Deneb). */
    const struct codemap_insn rmw = {
        .unit = CODEMAP_UNIT_ALU, .reads = R(BP), .writes = FLAGS, MEM(0, 8, CODEMAP_LOAD | CODEMAP_STORE)};
    const struct codemap_insn code[] = {rmw, rmw, rmw, rmw, BACK};

    program(code, COUNT(code));
    own(0x8000, 64);
    assert_in_range(cycles_per_round(), 4 * 700, 4 * 700 + 1);
    assert_int_equal(row(1)->loads, row(1)->stores);
    assert_int_equal(row(1)->forwarded, row(1)->executions);
    assert_int_equal(machine.vpmu->info[1].ops, 1);
}

/* An instruction whose length is missing in the map has one byte. */
TEST(test_no_length)
{
    const struct codemap_insn insn = {.rva = 0x1000, .ops = 1, .op_size = 8};
    const struct codemap of_one = {.insns = &insn, .insn_count = 1};
    struct machine one;

    machine_init(&one, VPMU_REV_C, &of_one, 1);
    assert_int_equal(one.vpmu->info[0].length, 1);
    machine_free(&one);
}

TEST(test_forwarding_rules)
{
    static const struct {
        int store_at, store_size, load_at, load_size;
        unsigned forwarded, cancelled, misaligned;
    } rows[] = {
        {0, 8, 0, 8, 1, 0, 0},   {0, 8, 0, 4, 1, 0, 0}, /* a part with the same first byte */
        {0, 8, 4, 4, 0, 1, 0},                          /* another first byte */
        {0, 4, 0, 8, 0, 1, 0},                          /* the store is smaller */
        {0, 8, 8, 8, 0, 0, 0},                          /* no byte in common */
        {12, 8, 12, 8, 0, 1, 1},                        /* misaligned: crosses 16 bytes */
        {8, 8, 12, 8, 0, 1, 1},
    };

    for (unsigned i = 0; i < COUNT(rows); i++) {
        const struct codemap_insn code[] = {STORE(R(AX), rows[i].store_at, (uint8_t)rows[i].store_size),
                                            LOAD(R(CX), rows[i].load_at, (uint8_t)rows[i].load_size), BACK};

        program(code, COUNT(code));
        own(0x8000, 64);
        run(101);
        assert_int_equal(row(1)->executions, 101);
        assert_int_equal(row(1)->forwarded, 101 * rows[i].forwarded);
        assert_int_equal(row(1)->cancelled, 101 * rows[i].cancelled);
        assert_int_equal(machine.vpmu->truth.rare[1].misaligned, 101 * rows[i].misaligned);
    }
}

/* Forwarding works at any address, in any part of a granule or of the look-up table. */
TEST(test_forwarding_everywhere)
{
    static const uint8_t sizes[] = {1, 2, 4, 8};

    for (unsigned size = 0; size < COUNT(sizes); size++) {
        const struct codemap_insn code[] = {STORE(R(AX), 0, sizes[size]), LOAD(R(CX), 0, sizes[size]), BACK};
        unsigned all = 0;

        program(code, COUNT(code));
        own(0x8000, 64);
        own(0x10000, 0x2000);
        for (uint64_t address = 0x10000; address < 0x12000; address += sizes[size] * 3 + 1, all++) {
            machine.gpr[BP] = address & ~(uint64_t)(sizes[size] - 1);
            run(1);
        }
        machine.gpr[BP] = 0x8000;
        run(1);
        assert_int_equal(row(1)->forwarded, all + 1);
        assert_int_equal(row(1)->cancelled, 0);
    }
}

/* Loads from one address and stores to another, like movs. */
TEST(test_two_operands)
{
    const struct codemap_insn move = {
        .unit = CODEMAP_UNIT_OTHER,
        .reads = R(SI) | R(DI),
        .mems = 2,
        .mem = {{.base = SI, .index = NONE, .scale = 1, .size = 8, .flags = CODEMAP_LOAD},
                {.disp = 8, .base = DI, .index = BX, .scale = 4, .size = 8, .flags = CODEMAP_STORE}}};
    const struct codemap_insn code[] = {move, LOAD(R(AX), 0, 8), BACK};
    uint64_t misses;

    program(code, COUNT(code));
    own(0x30000, 64);
    machine.gpr[SI] = 0x20000;
    machine.gpr[DI] = 0x30000 - 8 - 4 * 16;
    machine.gpr[BX] = 16;
    machine.gpr[BP] = 0x30000;
    run(10);
    assert_int_equal(row(0)->loads, 10);
    assert_int_equal(row(0)->stores, 10);
    assert_int_equal(row(1)->forwarded, 10); /* from the store to the second operand's address */
    vpmu_break(machine.vpmu);                /* nothing is in flight any more */
    misses = row(1)->load_misses;
    machine.gpr[BP] = 0x20000;
    run(2);
    assert_int_equal(row(1)->forwarded, 10);
    assert_int_equal(row(1)->load_misses, misses); /* the first operand brought it in */
}

/* A second store elsewhere must not hide the first one from a load. */
TEST(test_stores_do_not_hide_each_other)
{
    static const struct {
        int first, second;
        uint8_t size;
    } rows[] = {
        {0, 4, 4},    /* neighbours, like the loop counter and the sum of the paper's program */
        {0, 1, 1},    /* in one granule of the look-up table */
        {0, 2048, 4}, /* in one slot of the table */
        {4, 2048, 8},
    };

    for (unsigned i = 0; i < COUNT(rows); i++) {
        const struct codemap_insn code[] = {STORE(R(AX), rows[i].first, rows[i].size),
                                            STORE(R(AX), rows[i].second, rows[i].size),
                                            LOAD(R(CX), rows[i].first, rows[i].size), BACK};

        program(code, COUNT(code));
        own(0x8000, 4096);
        run(101);
        assert_int_equal(row(2)->forwarded, 101);
    }
}

TEST(test_retired_store_is_in_the_cache)
{
    const struct codemap_insn code[] = {STORE(R(AX), 0, 4), LOAD(R(CX), 0, 8), BACK};

    program(code, COUNT(code));
    own(0x8000, 64);
    machine_step(&machine, PAPER_BASE + insns[0].rva);
    machine_step(&machine, PAPER_BASE + insns[1].rva);
    vpmu_break(machine.vpmu); /* the store retires */
    machine_step(&machine, PAPER_BASE + insns[1].rva);
    machine_step(&machine, PAPER_BASE + insns[2].rva);
    assert_int_equal(row(1)->loads, 1);
    assert_int_equal(row(1)->forwarded + row(1)->cancelled, 0);
}

TEST(test_store_queue_holds_32)
{
    struct codemap_insn code[36];

    for (unsigned others = 31; others <= 32; others++) {
        code[0] = (struct codemap_insn)STORE(R(DX), 0, 8);
        for (unsigned i = 1; i <= others; i++)
            code[i] = (struct codemap_insn)STORE(R(DX), (int)(64 + 8 * i), 8);
        /* All stores wait for a long division, so that none retires before the load. */
        code[others + 1] = (struct codemap_insn)LOAD(R(CX), 0, 8);
        code[others + 2] = (struct codemap_insn){.unit = CODEMAP_UNIT_IDIV, .reads = R(DX), .writes = R(DX)};
        code[others + 3] = (struct codemap_insn)BACK;
        program(code, others + 4);
        run(3);
        run(1);
        assert_int_equal(row(others + 1)->forwarded > 0, others == 31);
    }
}

/* MOV to memory and back takes 8 cycles, and so does MOVSS (InstLatX64, AuthenticAMD0100F42, Deneb). */
TEST(test_forwarding_in_time)
{
    static const struct {
        uint8_t unit, store_size, load_size;
        unsigned cycles;
    } rows[] = {
        {CODEMAP_UNIT_ALU, 8, 8, 2 + 6},               /* the store's execution, load to use */
        {CODEMAP_UNIT_ALU, 8, 4, 2 + 6},               /* a part of the stored bytes */
        {CODEMAP_UNIT_ALU, 4, 8, 2 + 1 + 1 + 6},       /* cancelled: execution, retirement, the cycle after it */
        {CODEMAP_UNIT_FMOVE, 8, 8, 2 + 6},             /* not longer for floating point ... */
        {CODEMAP_UNIT_FMOVE, 4, 8, 2 + 1 + 1 + 6 + 2}, /* ... unless the bytes come from the cache */
    };

    for (unsigned i = 0; i < COUNT(rows); i++) {
        uint64_t value = rows[i].unit == CODEMAP_UNIT_ALU ? R(AX) : XMM0;
        struct codemap_insn pair[] = {STORE(value, 0, rows[i].store_size), LOAD(value, 0, rows[i].load_size)};

        pair[0].unit = pair[1].unit = rows[i].unit;
        const struct codemap_insn code[] = {pair[0], pair[1], pair[0], pair[1], pair[0], pair[1], BACK};

        program(code, COUNT(code));
        assert_in_range(cycles_per_round(), 300 * rows[i].cycles, 300 * rows[i].cycles + 1);
    }
}

TEST(test_floating_point_load)
{
    struct codemap_insn code[] = {LOAD(XMM0, 0, 4), LOAD(XMM0, 0, 4), BACK};
    static const struct {
        uint8_t unit;
        unsigned cycles;
    } rows[] = {{CODEMAP_UNIT_ALU, 3}, {CODEMAP_UNIT_FMOVE, 3 + 2}, {CODEMAP_UNIT_FADD, 3 + 2 + 4}};

    for (unsigned i = 0; i < COUNT(rows); i++) {
        code[0].unit = code[1].unit = rows[i].unit;
        program(code, COUNT(code));
        run(1000);
        vpmu_break(machine.vpmu); /* no addition waits for its unit */
        machine_step(&machine, PAPER_BASE + insns[0].rva);
        machine_step(&machine, PAPER_BASE + insns[1].rva);
        assert_int_equal(machine.vpmu->pipe.ready[CODEMAP_DEP_XMM0], machine.vpmu->pipe.cycle + 1 + rows[i].cycles);
    }
}

TEST(test_misaligned_load_costs_an_access)
{
    struct codemap_insn code[21];

    for (unsigned i = 0; i < 20; i++)
        code[i] = (struct codemap_insn)LOAD(R(AX), 12, 8);
    code[20] = (struct codemap_insn)BACK;
    program(code, 21);
    assert_in_range(cycles_per_round(), 2000, 2050); /* two port slots each: one a cycle */
    assert_int_equal(machine.vpmu->truth.rare[0].misaligned, row(0)->executions);
}

/* A store across 16 bytes takes one cycle more to leave the queue for the cache (SOG-K8 section 5.2: a misaligned store
 * takes at least a cycle more). */
TEST(test_misaligned_stores_leave_one_a_cycle)
{
    struct codemap_insn code[61];

    for (unsigned offset = 8; offset <= 12; offset += 4) {
        for (unsigned i = 0; i < 60; i++)
            code[i] = (struct codemap_insn)STORE(R(AX), (int)offset, 8);
        code[60] = (struct codemap_insn)BACK;
        program(code, 61);
        own(0x8000, 64);
        assert_in_range(cycles_per_round(), offset == 12 ? 6000 : 2100, offset == 12 ? 6050 : 2200);
    }
}

/* In the loops of the workloads bank-conflict and misaligned each conflict, and each misaligned load, costs a cycle. */
TEST(test_loops_that_show_a_cycle)
{
    struct codemap_insn first = LOAD(R(CX), 0, 8), second = LOAD(R(AX), 0, 8), word = LOAD(R(SI), 0, 8);

    first.mem[0].index = second.mem[0].index = word.mem[0].index = AX;
    for (int offset = 64; offset <= 72; offset += 8) {
        second.mem[0].disp = offset;
        const struct codemap_insn banks[] = {
            first, second, ALU(R(DX), R(DX) | R(CX)), ALU(R(BX), R(BX) | R(AX)), ALU(R(R8), R(R8)), BACK};

        program(banks, COUNT(banks));
        assert_in_range(cycles_per_round(), offset == 64 ? 400 : 300, offset == 64 ? 401 : 301);
    }
    for (int offset = 8; offset <= 12; offset += 4) {
        word.mem[0].disp = offset;
        const struct codemap_insn words[] = {word,
                                             ALU(R(DX), R(DX) | R(SI)),
                                             STORE(R(DX), 0x1000 + offset, 8),
                                             ALU(R(SI), R(SI)),
                                             ALU(R(AX), R(AX)),
                                             ALU(R(AX), R(AX) | R(SI)),
                                             ALU(R(DI), R(AX)),
                                             BACK};

        program(words, COUNT(words));
        own(0x8000, 0x2000);
        assert_in_range(cycles_per_round(), offset == 12 ? 600 : 500, offset == 12 ? 601 : 501);
        assert_int_equal(machine.vpmu->truth.rare[0].misaligned, offset == 12 ? row(0)->executions : 0);
    }
}

/* The sum of a bit of IbsOpData3 over samples of every op for some time. */
static uint64_t bit_count;
static uint64_t bit_mask;
static void count_bit(struct machine *from)
{
    bit_count += (machine_rdmsr(from, 0xC0011037) & bit_mask) != 0;
    machine_wrmsr(from, 0xC0011033, 1 | 1 << 17 | 1 << 19 | 3ull << 32); /* 13 ops later */
}

TEST(test_bank_conflict)
{
    static const struct {
        int second;
        bool conflict;
    } rows[] = {{0, false},       {8, false},       {64, true},      {64 + 8, false}, {64 + 16, false},
                {64 + 32, false}, {64 + 56, false}, {0x8000, false}, {0x4000, true},  {0x8000 + 64, true}};

    for (unsigned i = 0; i < COUNT(rows); i++) {
        const struct codemap_insn code[] = {LOAD(R(AX), 0, 8), LOAD(R(CX), rows[i].second, 8), BACK};

        program(code, COUNT(code));
        machine.handler = count_bit;
        bit_mask = 1 << 9;
        bit_count = 0;
        machine_wrmsr(&machine, 0xC0011033, 1 | 1 << 17 | 1 << 19);
        run(1000);
        assert_int_equal(bit_count > 0, rows[i].conflict);

        /* The truth counts the conflict; a line follows in which the cache catches up, and the second load waits. */
        const struct codemap_insn slow[] = {code[0],           code[1],           ALU(R(DX), R(DX)),
                                            ALU(R(DX), R(DX)), ALU(R(DX), R(DX)), BACK};

        program(slow, COUNT(slow));
        run(101);
        assert_int_equal(machine.vpmu->truth.rare[0].bank_conflicts, 0);
        /* The first round walks the page tables, one load after the other. */
        assert_in_range(machine.vpmu->truth.rare[1].bank_conflicts, rows[i].conflict ? row(1)->executions - 1 : 0,
                        rows[i].conflict ? row(1)->executions : 0);
    }
}

TEST(test_misprediction_costs_twelve)
{
    const struct codemap_insn code[] = {
        ALU(R(AX), R(AX)),
        {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_COND, .target = FIRST + 12},
        ALU(R(CX), R(CX)),
        ALU(R(AX), R(AX)),
        BACK,
    };
    uint64_t branch_executed, next;

    program(code, COUNT(code));
    run(200); /* never taken */
    machine_step(&machine, PAPER_BASE + FIRST);
    machine_step(&machine, PAPER_BASE + FIRST + 4);
    machine_step(&machine, PAPER_BASE + FIRST + 12); /* taken now */
    branch_executed = machine.vpmu->pipe.cycle + 1;  /* the branch waits for nothing */
    machine_step(&machine, PAPER_BASE + FIRST + 16);
    next = machine.vpmu->pipe.cycle + 1; /* a line begins with the op after the branch, which executes a cycle later */
    assert_int_equal(row(1)->mispredicted, 1);
    assert_int_equal(next - branch_executed, 12);
}

TEST(test_reorder_buffer_holds_24_lines)
{
    struct codemap_insn code[80];
    uint64_t load_line, before;

    code[0] = (struct codemap_insn)LOAD(R(AX), 0x100000, 8);
    for (unsigned i = 1; i < 79; i++)
        code[i] = (struct codemap_insn){.unit = CODEMAP_UNIT_NOP};
    code[79] = (struct codemap_insn)BACK;
    program(code, 80);
    machine.gpr[BP] = 0x8000;
    run(3);
    machine.gpr[BP] += 0x40000; /* a line in another page, from memory */
    machine_step(&machine, PAPER_BASE + insns[0].rva);
    machine_step(&machine, PAPER_BASE + insns[1].rva);
    load_line = machine.vpmu->pipe.cycle;
    before = load_line;
    for (unsigned i = 2; i < 78; i++) {
        machine_step(&machine, PAPER_BASE + insns[i].rva);
        if (machine.vpmu->pipe.cycle > before + 1) {
            /* Lines have three ops: the load and 71 more ops are in flight, and the 73rd op waits for the load to
             * retire. */
            assert_int_equal(i, 73);
            assert_true(machine.vpmu->pipe.cycle - load_line > 165);
            return;
        }
        before = machine.vpmu->pipe.cycle;
    }
    fail();
}

/* A place in the reorder buffer is free in the cycle after its line retires, as IBS shows, whose IbsTagToRet runs from
 * dispatch to retirement. The load of the test above retires in a cycle R together with two more ops, then three ops
 * retire in each cycle: op n in R + (n - 1) / 3. Op 72 was dispatched 23 cycles after the load, op 73 in R + 1. */
TEST(test_line_is_free_when_its_ops_have_retired)
{
    enum { IBS_OP_CTL = 0xC0011033, IBS_OP_DATA = 0xC0011035, OP_MODE = 1 << 17 | 1 << 19 };
    uint64_t tag_to_ret[2];

    for (unsigned n = 0; n < 2; n++) {
        struct codemap_insn code[80];

        code[0] = (struct codemap_insn)LOAD(R(AX), 0x100000, 8);
        for (unsigned i = 1; i < 79; i++)
            code[i] = (struct codemap_insn){.unit = CODEMAP_UNIT_NOP};
        code[79] = (struct codemap_insn)BACK;
        program(code, 80);
        run(3);
        machine.gpr[BP] += 0x40000;
        machine_step(&machine, PAPER_BASE + insns[0].rva); /* the jump before it executes now */
        machine_wrmsr(&machine, IBS_OP_CTL, 0x10 | OP_MODE | (256 - 72ull - n) << 32);
        for (unsigned i = 1; i < 80; i++)
            machine_step(&machine, PAPER_BASE + insns[i].rva);
        assert_int_equal(machine.nmis, 1);
        tag_to_ret[n] = machine_rdmsr(&machine, IBS_OP_DATA) >> 16 & 0xFFFF;
    }
    assert_int_equal(tag_to_ret[1], 24 - 1);
    assert_true(tag_to_ret[0] > 165); /* like all ops before it, op 72 waits for the load */
}

/* An op joins a line only if it has been fetched: here in the first pass over code that is in no cache, with 16
 * instructions in a line of the L1I. Fetched ops are dispatched without waiting for the rest. */
TEST(test_ops_that_are_not_fetched_yet_start_a_line)
{
    struct codemap_insn code[40];

    for (unsigned i = 0; i < 39; i++)
        code[i] = (struct codemap_insn){.unit = CODEMAP_UNIT_NOP};
    code[39] = (struct codemap_insn)BACK;
    program(code, 40);
    run(1);
    assert_int_equal(row(14)->dispatch_sixths, 2);
    assert_int_equal(row(15)->dispatch_sixths, 6); /* 15 = 5 lines of three, and this op alone */
    assert_int_equal(row(16)->dispatch_sixths, 2);
    assert_int_equal(row(31)->dispatch_sixths, 6);
}

TEST(test_three_retire_a_cycle)
{
    struct codemap_insn code[62];
    uint64_t first;

    code[0] = (struct codemap_insn)LOAD(R(AX), 0x100000, 8);
    for (unsigned i = 1; i < 61; i++)
        code[i] = (struct codemap_insn){.unit = CODEMAP_UNIT_NOP};
    code[61] = (struct codemap_insn)BACK;
    program(code, 62);
    run(20);
    machine.gpr[BP] += 0x40000;
    machine_step(&machine, PAPER_BASE + insns[0].rva);
    machine_step(&machine, PAPER_BASE + insns[1].rva);
    first = machine.vpmu->pipe.retire_cycle; /* the load from memory, for which all others wait */
    for (unsigned i = 2; i <= 61; i++)
        machine_step(&machine, PAPER_BASE + insns[i].rva);
    assert_int_equal(machine.vpmu->pipe.retire_cycle - first, 20); /* 61 ops, three a cycle */
}

TEST(test_front_end_is_at_most_its_depth_ahead)
{
    const struct codemap_insn divide = {.unit = CODEMAP_UNIT_IDIV, .op_size = 8, .reads = R(AX), .writes = R(AX)};
    const struct codemap_insn code[] = {divide, divide, divide, BACK};

    program(code, COUNT(code));
    run(100);
    assert_in_range(machine.vpmu->pipe.cycle - machine.vpmu->front.cycle, 0, 3 * 83 + FRONT_DEPTH);
}

TEST(test_vector_path_goes_alone)
{
    const struct codemap_insn vector = {.unit = CODEMAP_UNIT_OTHER, .ops = 4, .path = CODEMAP_PATH_VECTOR};
    const struct codemap_insn code[] = {ALU(R(AX), 0), vector, ALU(R(CX), 0), ALU(R(DX), 0), BACK};

    program(code, COUNT(code));
    run(100);
    vpmu_break(machine.vpmu);                                          /* ends the last line, without the last jump */
    assert_int_equal(row(0)->dispatch_sixths, 6 * row(0)->executions); /* a line of its own */
    assert_int_equal(row(1)->dispatch_sixths, (6 + 6) * row(1)->executions); /* lines of 3 and 1 */
    assert_int_equal(row(2)->dispatch_sixths, 2 * 99 + 3);
}

TEST(test_streaming_store_leaves_the_caches_alone)
{
    struct codemap_insn store = STORE(XMM0, 0x500000, 16);
    struct codemap_insn code[] = {store, BACK};

    code[0].flags = CODEMAP_INSN_NONTEMPORAL;
    program(code, COUNT(code));
    run(10);
    assert_int_equal(row(0)->stores, 10);
    assert_int_equal(row(0)->store_misses, 0);
    assert_int_equal(machine.vpmu->caches.from[SOURCE_DRAM], 0);
}

/* The processor's return stack has the caller of a workload, whose call was not announced to the model: the return to
 * that caller does not count as mispredicted. Any other return does. */
TEST(test_return_to_an_unknown_caller)
{
    static const struct {
        bool called; /* whether the call was announced; what comes before the return */
        uint64_t to; /* RVA */
        unsigned wrong;
    } rows[] = {
        {false, 0x5000, 0}, {false, FIRST + 8, 1}, {true, 0x5000, 1}, {true, FIRST + 4, 0}, {true, FIRST + 12, 1},
    };
    const struct codemap_insn code[] = {
        {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_CALL, .target = FIRST + 16},
        {.unit = CODEMAP_UNIT_NOP},
        {.unit = CODEMAP_UNIT_NOP},
        {.unit = CODEMAP_UNIT_NOP},
        {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_RETURN},
    };

    for (unsigned i = 0; i < COUNT(rows); i++) {
        program(code, COUNT(code));
        if (rows[i].called)
            machine_step(&machine, PAPER_BASE + FIRST);
        machine_step(&machine, PAPER_BASE + FIRST + 16);
        machine_step(&machine, PAPER_BASE + rows[i].to);
        assert_int_equal(row(4)->branches, 1);
        assert_int_equal(row(4)->taken, 1);
        assert_int_equal(row(4)->mispredicted, rows[i].wrong);
    }
}

TEST(test_rep_runs_once_per_trap)
{
    struct codemap_insn code[] = {
        {.unit = CODEMAP_UNIT_OTHER, .ops = 3, .path = CODEMAP_PATH_VECTOR, .flags = CODEMAP_INSN_REP},
        ALU(R(AX), 0),
        BACK};

    program(code, COUNT(code));
    for (unsigned i = 0; i < 10; i++)
        machine_step(&machine, PAPER_BASE + insns[0].rva);
    machine_step(&machine, PAPER_BASE + insns[1].rva);
    machine_step(&machine, PAPER_BASE + insns[1].rva); /* any other instruction: the same boundary once more */
    machine_step(&machine, PAPER_BASE + insns[2].rva);
    assert_int_equal(row(0)->executions, 10);
    assert_int_equal(row(1)->executions, 1);
}

TEST(test_break_forgets_the_announced_one)
{
    const struct codemap_insn code[] = {ALU(R(AX), 0), ALU(R(AX), 0), BACK};

    program(code, COUNT(code));
    machine_step(&machine, PAPER_BASE + insns[0].rva);
    vpmu_break(machine.vpmu);
    machine_step(&machine, PAPER_BASE + insns[1].rva);
    machine_step(&machine, PAPER_BASE + insns[2].rva);
    assert_int_equal(row(0)->executions, 0);
    assert_int_equal(row(1)->executions, 1);
    assert_int_equal(machine.vpmu->truth.totals.broken, 1);
}

TEST(test_outside_of_the_map)
{
    const struct codemap_insn code[] = {ALU(R(AX), 0), BACK};

    program(code, COUNT(code));
    run(1);
    for (unsigned i = 0; i < 5; i++)
        machine_step(&machine, 0x900000 + 3 * i);
    machine_step(&machine, 0x10); /* below the image */
    machine_step(&machine, ~0ull - 3);
    machine_step(&machine, PAPER_BASE + insns[0].rva + 1); /* in the middle of an instruction */
    run(1);
    assert_int_equal(row(2)->executions, 8);
    machine_step(&machine, PAPER_BASE); /* the image's first byte: no instruction of the map has RVA 0 */
    machine_step(&machine, PAPER_BASE + 4);
    assert_int_equal(row(2)->executions, 9);
    assert_int_equal(row(1)->executions, 2);
    assert_int_equal(row(0)->executions, 2);
}

static int stop(void **state)
{
    machine_free(&machine);
    return 0;
}

RUN_TESTS(NULL, stop)
