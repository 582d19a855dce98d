/* SPDX-License-Identifier: BSD-2-Clause */
/* Stores leave for lines that are there and owned; loads that find no line get no bytes from stores; locked
 * instructions. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"
#include "vpmu/model/pipeline/loadstore.h"

enum { AX, CX, DX, BX, SP, BP, SI, DI };
#define R(reg)   (1ull << (reg))
#define BIT(n)   (1ull << (n))
#define NONE     CODEMAP_REG_NONE
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MEM(at, bytes, access)                                                                                         \
    .mems = 1, .mem = {{.disp = (at), .base = BP, .index = NONE, .scale = 1, .size = (bytes), .flags = (access)}}
#define LOAD(reg, at, bytes)                                                                                           \
    {                                                                                                                  \
        .writes = R(reg), .unit = CODEMAP_UNIT_ALU, MEM(at, bytes, CODEMAP_LOAD)                                       \
    }
#define STORE(reg, at, bytes)                                                                                          \
    {                                                                                                                  \
        .reads = R(reg), .unit = CODEMAP_UNIT_ALU, MEM(at, bytes, CODEMAP_STORE)                                       \
    }
#define UPDATE(at, lock)                                                                                               \
    {                                                                                                                  \
        .writes = BIT(CODEMAP_DEP_FLAGS), .unit = CODEMAP_UNIT_ALU, .flags = (lock),                                   \
        MEM(at, 8, CODEMAP_LOAD | CODEMAP_STORE)                                                                       \
    }
#define LOCK(at) UPDATE(at, CODEMAP_INSN_LOCK)
#define NOP                                                                                                            \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_NOP                                                                                       \
    }
#define BACK                                                                                                           \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST                                \
    }

enum { ARENA = 0x8000, COLD = 0x20000, MEMORY = 165 };

static struct program program;
static const uint64_t op_ctl = 0xC0011033;

static struct machine *machine(void)
{
    return &program.machine;
}

static struct pipeline *pipe(void)
{
    return &machine()->vpmu->pipe;
}

static const struct truth_row *row(unsigned index)
{
    return &machine()->vpmu->truth.rows[index];
}

/* Loads a program in which the lines of a page at rbp are the core's own; those from COLD on are in no cache. general:
 * no fast paths. */
static void load(const struct codemap_insn *code, unsigned count, bool general)
{
    program_load(&program, VPMU_REV_C, code, count, NULL);
    for (unsigned i = 0; general && i + 1 < count; i++) {
        struct insn_info *info = &machine()->vpmu->info[i];

        info->kind = KIND_OTHER;
        info->simple = false;
    }
    machine()->gpr[BP] = ARENA;
    vpmu_prepared(machine()->vpmu, ARENA, 4096);
}

/* Brings the translations of both addresses into the TLB. */
static void translate(void)
{
    (void)lsu_translate(machine()->vpmu, ARENA);
    (void)lsu_translate(machine()->vpmu, COLD);
}

static int end(void **state)
{
    program_end(&program);
    return 0;
}

/* Returns the cycles of a round in the steady state, times 10. */
static unsigned cycles(const struct codemap_insn *code, unsigned count, bool general)
{
    uint64_t before;

    load(code, count, general);
    program_run(&program, 100);
    before = pipe()->retire_cycle;
    program_run(&program, 100);
    return (unsigned)((pipe()->retire_cycle - before) / 10);
}

/* InstLatX64 has 18 cycles from one LOCK ADD [m64] to the next. A load begins when the locked store has left, and a
 * locked instruction when all earlier ops have retired and all stores have left. */
TEST_WITH(test_time_of_locked_instructions, NULL, end)
{
    static const struct codemap_insn alone[] = {LOCK(0), LOCK(64), LOCK(0), LOCK(128), BACK},
                                     then_loads[] = {LOCK(0), LOAD(CX, 64, 8), BACK},
                                     after_division[] = {
                                         LOCK(0),
                                         {.reads = BIT(CODEMAP_DEP_FLAGS), .writes = R(CX), .unit = CODEMAP_UNIT_IDIV},
                                         BACK};

    for (unsigned general = 0; general < 2; general++) {
        assert_int_equal(cycles(alone, COUNT(alone), general), 10 * 4 * 18);
        assert_int_equal(row(0)->forwarded + row(2)->forwarded, 0);
        /* The instruction begins in cycle 0, its store leaves in 17; the load has its data in 20 and retires in 21. */
        assert_int_equal(cycles(then_loads, COUNT(then_loads), general), 10 * 22);
        /* The instruction begins in cycle 0; flags are ready in 16, the quotient in 99, and it retires in 100. */
        assert_int_equal(cycles(after_division, COUNT(after_division), general), 10 * 101);
    }
}

/* A locked load requests the line as a store does, and no other core gets the line before the locked store has left. */
TEST_WITH(test_locked_lines, NULL, end)
{
    static const struct codemap_insn code[] = {LOCK(COLD - ARENA), NOP, BACK};
    struct caches *caches = NULL;
    struct l1_line *line;
    uint64_t begin;

    load(code, COUNT(code), false);
    program_run(&program, 1);
    caches = &machine()->vpmu->caches;
    line = l1_peek(&caches->l1d, COLD >> 6);
    assert_non_null(line);
    assert_int_equal(line->modified, LINE_MODIFIED);
    assert_int_equal(caches->requests[REQUEST_STORE], 1);
    begin = line->ready - MEMORY;
    assert_int_equal(pipe()->fence, begin + MEMORY + 18 - 3 - 1);
    assert_int_equal(line->ready + line->held, pipe()->fence);
    assert_int_equal(pipe()->stores_gone, pipe()->fence);
    assert_int_equal(row(0)->load_misses, 1);
}

static uint64_t sample_data, sample_data3;
static void take_sample(struct machine *from)
{
    sample_data = machine_rdmsr(from, 0xC0011035);
    sample_data3 = machine_rdmsr(from, 0xC0011037);
    machine_wrmsr(from, op_ctl, 0);
}

/* A store misses, and a load of the same bytes follows: the load's own look-up finds the line on its way, so the load
 * gets nothing from the store, which cannot leave, either. The load has its data when the store has left. */
TEST_WITH(test_no_bytes_without_the_line, NULL, end)
{
    static const struct codemap_insn code[] = {NOP, NOP, NOP, STORE(CX, COLD - ARENA, 8), LOAD(AX, COLD - ARENA, 8),
                                               BACK};

    for (unsigned general = 0; general < 2; general++) {
        for (unsigned sampled = 0; sampled < 2; sampled++) {
            struct l1_line *line;

            load(code, COUNT(code), general);
            machine()->handler = take_sample;
            if (sampled)
                machine_wrmsr(machine(), op_ctl, 1 | 1ull << 17 | 1ull << 19 | 11ull << 32); /* the fifth op */
            translate();
            program_run(&program, 1);
            line = l1_peek(&machine()->vpmu->caches.l1d, COLD >> 6);
            assert_int_equal(pipe()->stores_gone, line->ready);
            assert_int_equal(pipe()->ready[AX], line->ready + 1 + 3);
            assert_int_equal(row(4)->forwarded + row(4)->cancelled, 0);
            assert_int_equal(row(4)->load_misses, 1);
            assert_int_equal(row(4)->mab_hits, 1);
            assert_in_range(row(4)->miss_cycles, MEMORY - 3, MEMORY + 1); /* both are dispatched in one line */
            if (!sampled)
                continue;
            program_run(&program, 1);
            assert_int_equal(sample_data3 & (BIT(0) | BIT(7) | BIT(11)), BIT(0) | BIT(7));
            assert_int_equal(sample_data3 >> 32, row(4)->miss_cycles);
            assert_true((sample_data >> 16 & 0xFFFF) - (sample_data & 0xFFFF) > sample_data3 >> 32);
        }
    }
}

/* The store has left by the time the line is there for the load, which waits no longer. */
TEST(test_line_comes_after_the_store)
{
    static const struct store store = {.data = 90, .retire = 100, .size = 8};
    struct dc_result found = {.ready = 104, .latency = 50, .miss = true};

    assert_int_equal(lsu_take_bytes(&store, 50, 2, &found), 0);
    assert_int_equal(found.ready, 104);
    assert_int_equal(found.latency, 50);
    found.ready = 103;
    assert_int_equal(lsu_take_bytes(&store, 50, 2, &found), 0);
    assert_int_equal(found.ready, 104);
    assert_int_equal(found.latency, 51);
    found.miss = false;
    assert_int_equal(lsu_take_bytes(&store, 50, 0, &found), VDATA3_FORWARDED);
    assert_int_equal(found.ready, 96);
    assert_int_equal(lsu_take_bytes(&store, 95, 2, &found), VDATA3_FORWARDED);
    assert_int_equal(found.ready, 99);
}

/* Stores leave in order: a store that misses delays the next one, here for a larger load that waits for that store. */
TEST_WITH(test_stores_leave_in_order, NULL, end)
{
    static const struct codemap_insn code[] = {STORE(CX, COLD - ARENA, 8), STORE(CX, 0, 4), LOAD(AX, 0, 8), BACK};

    for (unsigned general = 0; general < 2; general++) {
        const struct l1_line *line;

        load(code, COUNT(code), general);
        program_run(&program, 1);
        line = l1_peek(&machine()->vpmu->caches.l1d, COLD >> 6);
        assert_int_equal(pipe()->stores_gone, line->ready);
        assert_int_equal(row(2)->cancelled, 1);
        assert_int_equal(pipe()->ready[AX], line->ready + 1 + 6);
    }
}

/* A store across two lines leaves when both are owned, and takes a cycle more because it is misaligned. */
TEST_WITH(test_stores_across_two_lines, NULL, end)
{
    static const struct codemap_insn code[] = {STORE(CX, 60, 8), NOP, BACK};

    for (unsigned cold = 0; cold < 2; cold++) {
        struct caches *caches;

        load(code, COUNT(code), false);
        caches = &machine()->vpmu->caches;
        *l1_peek(&caches->l1d, (ARENA >> 6) + cold) = (struct l1_line){.line = LINE_NONE};
        program_run(&program, 1);
        assert_int_equal(pipe()->stores_gone, l1_peek(&caches->l1d, (ARENA >> 6) + cold)->ready + 1);
    }
}

/* On another core's line the store of an update leaves when the line is owned, and the next store after it. */
TEST_WITH(test_updates_of_shared_lines, NULL, end)
{
    static const struct codemap_insn code[] = {UPDATE(0, 0), UPDATE(0, 0), BACK};

    for (unsigned general = 0; general < 2; general++) {
        struct l1_line *line;

        load(code, COUNT(code), general);
        line = l1_peek(&machine()->vpmu->caches.l1d, ARENA >> 6);
        line->modified = LINE_SHARED;
        translate();
        program_run(&program, 1);
        assert_int_equal(line->modified, LINE_MODIFIED);
        assert_int_equal(row(1)->forwarded, 1); /* the data is there, and the line is no other core's */
        assert_int_equal(pipe()->stores_gone, line->ready + line->held);
        /* The first has its data in cycle 0, the second in 7, and retires in 9. */
        assert_int_equal(pipe()->stores_gone - pipe()->retire_cycle, 55 - 9);
    }
}

RUN_TESTS(NULL, NULL)
