/* SPDX-License-Identifier: BSD-2-Clause */
/* All events that the model claims to model can happen: each row of its table counts in one of these streams. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { AX, CX, DX, BX, SP, BP };
enum { OP_CTL = 0xC0011033, LVT_COUNTERS = 0x340, LVT_NMI = 0x400 };
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define R(reg)   (1ull << (reg))
#define XMM0     (1ull << CODEMAP_DEP_XMM0)
#define X87      (1ull << CODEMAP_DEP_X87)
#define OP_BITS  ((1ull << 17) | (1ull << 19) | 40) /* enabled, counting ops, one in 640 */

static struct program program;
static struct rng rng;

static void load(enum vpmu_revision revision, const struct codemap_insn *code, unsigned count, const char *const *texts)
{
    program_load(&program, revision, code, count, texts);
    program.machine.gpr[BP] = 0x100000;
    rng_seed(&rng, 7);
}

static void step(unsigned index)
{
    machine_step(&program.machine, PAPER_BASE + program.insns[index].rva);
}

/* ---------------------------------------------------------------- streams: a program, and a run of it */

#define ACCESS(bytes, access)                                                                                          \
    .mems = 1, .mem = {{.base = BP, .index = CODEMAP_REG_NONE, .scale = 1, .size = (bytes), .flags = (access)}}
#define LOAD(bytes)  .reads = R(BP), .writes = R(AX), ACCESS(bytes, CODEMAP_LOAD)
#define STORE(bytes) .reads = R(BP) | R(AX), ACCESS(bytes, CODEMAP_STORE)

static const struct codemap_insn memory_code[] = {
    {LOAD(8)},
    {STORE(8)},
    {.flags = CODEMAP_INSN_NONTEMPORAL, STORE(8)},
    {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST},
};

static void load_memory(enum vpmu_revision revision)
{
    load(revision, memory_code, COUNT(memory_code), NULL);
}

static void at(uint64_t address, unsigned insn)
{
    program.machine.gpr[BP] = address;
    step(insn);
}

/* Executes the instruction and the jump after it: the same instruction twice would be one that is announced again. */
static void touch(uint64_t address, unsigned insn)
{
    at(address, insn);
    step(3);
}

/* Reads and writes lines of some areas, in order and at random, with the page size. */
static void run_sweeps(unsigned shift)
{
    static const uint32_t sizes[] = {256 << 10, 1 << 20, 3 << 20};

    space_init(&program.machine.space, shift, FRAMES_CONTIGUOUS);
    for (unsigned i = 0; i < COUNT(sizes); i++) {
        for (uint32_t byte = 0; byte < 2 * sizes[i]; byte += 64)
            touch(0x1000000 + byte % sizes[i], byte & 1024 ? 1 : 0);
        for (unsigned n = 0; n < 20000; n++)
            touch(0x1000000 + rng_below(&rng, sizes[i] / 8) * 8ull, n % 3 == 0);
    }
    touch(0x1000000, 2);
}

static void run_4k(void)
{
    run_sweeps(12);
}

static void run_2m(void)
{
    run_sweeps(21);
    for (unsigned n = 0; n < 2000; n++) /* more pages than the first level has, fewer than the second */
        touch((uint64_t)(n % 64) << 21, 0);
}

/* Makes a page leave the first level after 48 other pages, and stay in the second for 16 walks. */
static void run_1g(void)
{
    space_init(&program.machine.space, 30, FRAMES_CONTIGUOUS);
    for (uint64_t first = 0; first < 200; first += 100) {
        for (uint64_t page = 0; page < 48; page++)
            touch((first + page) << 30, 0);
        for (uint64_t page = 0; page < 47; page++)
            touch((first + page) << 30, 0);
        touch((first + 48) << 30, 0);
        touch((first + 47) << 30, 0);
    }
}

/* Stores and loads that overlap in three wrong ways, and accesses across 16 bytes. */
static const struct codemap_insn forward_code[] = {
    {STORE(8)}, {LOAD(4)}, {STORE(4)}, {LOAD(8)}, {STORE(8)}, {LOAD(8)},
};

static void load_forwards(enum vpmu_revision revision)
{
    load(revision, forward_code, COUNT(forward_code), NULL);
}

static void run_forwards(void)
{
    static const uint8_t offset[] = {0, 2, 0, 0, 12, 12};

    for (unsigned n = 0; n < 60; n++)
        at(0x100000 + n / 6 * 64 + offset[n % 6], n % 6);
}

static const struct codemap_insn float_code[] = {
    {.writes = XMM0}, {.writes = XMM0}, {.writes = XMM0}, {.writes = XMM0}, {.writes = XMM0},
    {.writes = XMM0}, {.writes = X87},  {.writes = X87},  {.writes = X87},  {.writes = X87},
};
static const char *const float_texts[COUNT(float_code)] = {
    "addss xmm0, xmm1", "mulss xmm0, xmm1", "divss xmm0, xmm1", "addsd xmm0, xmm1", "mulsd xmm0, xmm1",
    "divsd xmm0, xmm1", "fadd st0, st1",    "fmul st0, st1",    "fdiv st0, st1",    "paddw mm0, mm1"};

static void load_floats(enum vpmu_revision revision)
{
    load(revision, float_code, COUNT(float_code), float_texts);
}

/* A double and two singles put the double in each place of a line in turn. */
static const struct codemap_insn double_code[] = {
    {.path = CODEMAP_PATH_DOUBLE, .ops = 2, .writes = R(CX)}, {.writes = R(AX)}, {.writes = R(AX)}};

static void load_doubles(enum vpmu_revision revision)
{
    load(revision, double_code, COUNT(double_code), NULL);
}

static void run_rounds(void)
{
    program_run(&program, 20);
}

/* A division, followed by unpredictable branches that do not wait for it. */
static const struct codemap_insn branch_code[] = {
    {.reads = R(AX), .writes = R(AX), .unit = CODEMAP_UNIT_IDIV, .op_size = 4},
    {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_COND, .target = PROGRAM_FIRST},
    {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP_INDIRECT, .reads = R(CX)},
    {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_CALL, .target = PROGRAM_FIRST},
    {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_RETURN},
    {.flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER},
};

static void load_branches(enum vpmu_revision revision)
{
    load(revision, branch_code, COUNT(branch_code), NULL);
}

static void run_branches(void)
{
    for (unsigned n = 0; n < 2000; n++)
        step(rng_below(&rng, n % 100 ? 5 : 6));
}

/* Loads a division, and ops of one kind that wait for it. */
static void load_waiting(enum vpmu_revision revision, struct codemap_insn waits)
{
    struct codemap_insn code[62] = {[0] = {.reads = R(AX), .writes = R(AX), .unit = CODEMAP_UNIT_IDIV},
                                    [61] = {.flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER}};

    for (unsigned i = 1; i < 61; i++)
        code[i] = waits;
    load(revision, code, COUNT(code), NULL);
}

static void load_waiting_integers(enum vpmu_revision revision)
{
    load_waiting(revision, (struct codemap_insn){.reads = R(AX), .writes = R(CX), .unit = CODEMAP_UNIT_ALU});
}

static void load_waiting_floats(enum vpmu_revision revision)
{
    load_waiting(revision, (struct codemap_insn){.reads = R(AX), .writes = XMM0, .unit = CODEMAP_UNIT_FADD});
}

static void load_waiting_stores(enum vpmu_revision revision)
{
    load_waiting(revision, (struct codemap_insn){.unit = CODEMAP_UNIT_ALU, STORE(8)});
}

/* Runs code outside the map, a page further each time. */
static void run_far_code(unsigned shift, unsigned pages)
{
    space_init(&program.machine.space, shift, FRAMES_CONTIGUOUS);
    for (unsigned n = 0; n < 3 * pages; n++)
        machine_step(&program.machine, 0x10000000 + ((uint64_t)(n % pages) << shift) + n % 64 * 64);
}

/* Uses few enough pages for the second level of the TLB, then too many for that level and for the L2; between them are
 * lines that the data cache has evicted into the L2. */
static void run_far_4k(void)
{
    run_far_code(12, 100);
    for (unsigned round = 0; round < 3; round++)
        for (unsigned n = 0; n < 4096; n++)
            machine_step(&program.machine, 0x20000000 + n * 64);
    run_far_code(12, 9000);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned n = 0; n < 16384; n++)
            machine_step(&program.machine, 0x20000000 + n * 64);
}

static void run_far_2m(void)
{
    run_far_code(21, 40);
}

/* Takes interrupts of a counter and of IBS. */
static void run_interrupts(void)
{
    struct machine *machine = &program.machine;

    vpmu_apic_write(machine->vpmu, LVT_COUNTERS, LVT_NMI);
    machine_wrmsr(machine, PERF_CTR + 3, 0 - 100ull);
    machine_wrmsr(machine, PERF_CTL + 3, EVENT(0x0C0, 0) | PERF_EN | PERF_INT);
    for (unsigned sample = 0; sample < 4; sample++) {
        machine_wrmsr(machine, OP_CTL, OP_BITS);
        program_run(&program, 100);
        machine_wrmsr(machine, OP_CTL, 0);
    }
    machine_wrmsr(machine, PERF_CTL + 3, 0);
}

static const struct {
    void (*load)(enum vpmu_revision revision);
    void (*run)(void);
} streams[] = {
    {load_floats, run_rounds},
    {load_doubles, run_rounds},
    {load_forwards, run_forwards},
    {load_branches, run_branches},
    {load_memory, run_4k},
    {load_memory, run_2m},
    {load_memory, run_1g},
    {load_floats, run_far_4k},
    {load_floats, run_far_2m},
    {load_floats, run_interrupts},
    {load_waiting_integers, run_rounds},
    {load_waiting_floats, run_rounds},
    {load_waiting_stores, run_rounds},
};

/* ---------------------------------------------------------------- the rows */

static const struct vpmu_params *params;
static bool seen[PMC_ROWS_MAX];

static uint64_t event_of(const struct pmc_row *row)
{
    return EVENT(row->select, row->want);
}

/* Finds up to three modelled rows that have not counted yet, from 'start' on. */
static unsigned next_rows(uint32_t *start, uint32_t rows[3])
{
    unsigned count = 0;

    for (; *start < pmc_row_count && count < 3; ++*start)
        if (!seen[*start] && !(pmc_rows[*start].flags & PMC_SHARING) &&
            pmc_modelled(params, 1, 1, pmc_rows[*start].select, pmc_rows[*start].want) &&
            pmc_row_counts(&pmc_rows[*start], params, pmc_rows[*start].select, pmc_rows[*start].want))
            rows[count++] = *start;
    return count;
}

static void count_rows(enum vpmu_revision revision, unsigned stream, const uint32_t rows[3], unsigned count)
{
    streams[stream].load(revision);
    for (unsigned n = 0; n < count; n++)
        counter_start(&program.machine, n, event_of(&pmc_rows[rows[n]]));
    streams[stream].run();
    for (unsigned n = 0; n < count; n++)
        seen[rows[n]] = counter_stop(&program.machine, n) > 1; /* one event may come from the way to the stop */
}

TEST(test_each_modelled_row_counts)
{
    for (enum vpmu_revision revision = VPMU_REV_B; revision <= VPMU_REV_E; revision++) {
        uint32_t rows[3], start;
        unsigned count;

        params = vpmu_params_of(revision);
        for (unsigned i = 0; i < PMC_ROWS_MAX; i++)
            seen[i] = false;
        for (unsigned stream = 0; stream < COUNT(streams); stream++)
            for (start = 0; (count = next_rows(&start, rows)) != 0;)
                count_rows(revision, stream, rows, count);
        start = 0;
        while ((count = next_rows(&start, rows)) != 0)
            for (unsigned n = 0; n < count; n++)
                print_error("%03x:%02x on revision %u counted nothing\n", pmc_rows[rows[n]].select,
                            pmc_rows[rows[n]].want, revision);
        start = 0;
        assert_int_equal(next_rows(&start, rows), 0);
    }
    program_end(&program);
}

/* Events that cannot happen here are not modelled: they would read 0 alone, whatever was executed. Together with other
 * bits of the mask that 0 is right. */
TEST(test_what_never_happens_is_not_modelled)
{
    static const struct {
        uint16_t select;
        uint8_t alone, beside;
    } rows[] = {{0x042, 0x02, 0x1F}, {0x042, 0x08, 0x1F}, {0x043, 0x01, 0x1F}, {0x043, 0x0B, 0x1F},
                {0x044, 0x03, 0x1F}, {0x06C, 0x1C, 0x1F}, {0x07D, 0x08, 0x2F}, {0x4E2, 0xF5, 0xFF}};

    for (enum vpmu_revision revision = VPMU_REV_B; revision <= VPMU_REV_E; revision++) {
        params = vpmu_params_of(revision);
        for (unsigned i = 0; i < COUNT(rows); i++) {
            assert_false(pmc_modelled(params, 1, 1, rows[i].select, rows[i].alone));
            assert_true(pmc_modelled(params, 1, 1, rows[i].select, rows[i].beside));
        }
    }
}

RUN_TESTS(NULL, NULL)
