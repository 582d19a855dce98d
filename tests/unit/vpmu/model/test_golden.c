/* SPDX-License-Identifier: BSD-2-Clause */
/* The model's output is fixed to the byte: long streams of all kinds, and a digest of the output for each. A change
 * that makes the model faster must leave every digest unchanged. A change of the model's results changes digests: print
 * the new ones by running this program, and say in the commit what changed and why. The model has fast paths for usual
 * instructions and a general path for all. Both must give the same digests. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/random_driver.h"
#include "tests/unit/vpmu/random_walk.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/state.h"

enum {
    COLUMNS = 12, /* of the paper's loop */
    STEPS = 500000,
    TURN = 8, /* steps of a core before another one may have its turn */
};

static struct digest digest;

/* Returns 1 if the digest differs. */
static unsigned differs(const char *name, uint64_t expected, uint64_t value)
{
    if (value != expected)
        print_error("%s: 0x%016llx, expected 0x%016llx\n", name, (unsigned long long)value,
                    (unsigned long long)expected);
    return value != expected;
}

/* ---------------------------------------------------------------- the paper's loop */

struct paper_run {
    const char *name;
    enum vpmu_revision revision;
    unsigned shift; /* log2 of the pages' size */
    enum frames frames;
    uint64_t digest;
};

static void take_sample(struct machine *machine)
{
    driver_nmi(machine->context);
}

static uint64_t run_paper(const struct paper_run *run, uint64_t seed)
{
    static struct machine machine;
    struct random_driver driver;

    machine_init(&machine, run->revision, &paper_map, seed);
    space_init(&machine.space, run->shift, run->frames);
    machine.context = &driver;
    machine.handler = take_sample;
    digest_init(&digest);
    driver_begin(&driver, machine.vpmu, &digest, seed);
    for (unsigned j = 0; j < COLUMNS; j++) {
        machine_matmul(&machine, j, j + 1);
        driver_change(&driver);
    }
    vpmu_break(machine.vpmu);
    digest_registers(&digest, machine.vpmu);
    digest_truth(&digest, machine.vpmu);
    machine_free(&machine);
    return digest.value;
}

static const struct paper_run paper_runs[] = {
    {"paper, revision B", VPMU_REV_B, 12, FRAMES_CONTIGUOUS, 0xd8152d0a74896a33},
    {"paper, revision C, shuffled", VPMU_REV_C, 12, FRAMES_SHUFFLED, 0x9c9735603aadf1bd},
    {"paper, revision E, 2 MB pages", VPMU_REV_E, 21, FRAMES_CONTIGUOUS, 0xf1fb32652dec7ecf},
    {"paper, revision C, 1 GB pages", VPMU_REV_C, 30, FRAMES_CONTIGUOUS, 0xbe96c57ce8c11ba8},
};

TEST(test_paper_loop)
{
    unsigned different = 0;

    for (unsigned i = 0; i < sizeof(paper_runs) / sizeof(paper_runs[0]); i++)
        different += differs(paper_runs[i].name, paper_runs[i].digest, run_paper(&paper_runs[i], i + 1));
    assert_int_equal(different, 0);
}

/* ---------------------------------------------------------------- random programs */

struct random_run {
    const char *name;
    enum vpmu_revision revision;
    uint64_t base; /* address of the program: in 4 KB, 2 MB or 1 GB pages */
    uint32_t cores, nodes;
    bool places, late_nmi, lose_stalled;
    uint64_t disturb;
    uint32_t far;  /* see walk_begin(); 0: 300 */
    uint32_t free; /* set of enum free_cause */
    uint64_t digest;
};

struct core {
    struct vpmu *vpmu;
    struct walk walk;
    struct random_driver driver;
    uint64_t place;
};

static struct random_program program;
static struct core cores[VPMU_NODES];

/* Sends every instruction through the general path: none is of a kind with a fast path (model/usual.c). */
static void forbid_short_ways(struct vpmu *vpmu)
{
    for (uint32_t i = 0; i < program.map.insn_count; i++) {
        struct insn_info *info = &vpmu->info[i];

        info->kind = info->kind == KIND_BRANCH || info->kind == KIND_SPECIAL ? KIND_SPECIAL : KIND_OTHER;
        info->usual = vpmu->outside;
        info->simple = false;
    }
}

static void begin(const struct random_run *run, uint64_t seed, bool short_ways)
{
    random_program_make(&program, run->base, seed);
    digest_init(&digest);
    for (uint32_t i = 0; i < run->cores; i++) {
        struct vpmu_config config = {.revision = run->revision,
                                     .late_nmi = run->late_nmi,
                                     .lose_stalled = run->lose_stalled,
                                     .free = run->free,
                                     .seed = seed + i,
                                     .with = i ? cores[0].vpmu : NULL,
                                     .node = i * run->nodes / run->cores,
                                     .nodes = run->nodes,
                                     .disturb = run->disturb,
                                     .map = &program.map,
                                     .image_base = run->base,
                                     .translate = random_translate};
        size_t size = vpmu_size(&program.map);

        for (uint32_t n = 0; n < run->nodes; n++) /* the frames of the 4 KB pages are in the first 16 MB */
            config.memory_end[n] = n + 1 == run->nodes ? 1ull << 36 : 0x400000ull * (n + 1);
        cores[i].vpmu = vpmu_init(malloc(size), size, &config);
        assert_non_null(cores[i].vpmu);
        if (!short_ways)
            forbid_short_ways(cores[i].vpmu);
        walk_begin(&cores[i].walk, &program, run->far ? run->far : 300, seed * 100 + i);
    }
    for (uint32_t i = 0; i < run->cores; i++)
        driver_begin(&cores[i].driver, cores[i].vpmu, &digest, seed * 1000 + i);
}

static void end(const struct random_run *run)
{
    digest_cpuid(&digest, cores[0].vpmu);
    for (uint32_t i = run->cores; i-- > 0;) {
        assert_int_equal(cores[i].driver.impossible, 0);
        vpmu_break(cores[i].vpmu);
        digest_registers(&digest, cores[i].vpmu);
        digest_truth(&digest, cores[i].vpmu);
    }
    for (uint32_t i = 0; i < run->cores; i++)
        free(cores[i].vpmu);
}

/* Announces the boundary, and returns whether an NMI comes. */
static bool announce(const struct random_run *run, struct core *core)
{
    struct walk *walk = &core->walk;
    bool nmi;

    if (run->places && rng_below(&walk->rng, 40) == 0)
        core->place = rng_below(&walk->rng, 4);
    nmi = run->places ? vpmu_step_at(core->vpmu, walk->rip, walk->gpr, (unsigned)core->place)
                      : vpmu_step(core->vpmu, walk->rip, walk->gpr);
    digest_add(&digest, vpmu_tsc(core->vpmu) << 1 | nmi);
    return nmi;
}

static void step(const struct random_run *run, struct core *core)
{
    struct rng *rng = &core->walk.rng;

    if (announce(run, core)) {
        driver_nmi(&core->driver);
        if (rng_below(rng, 2))
            vpmu_break(core->vpmu); /* the handler was not stepped */
        else if (rng_below(rng, 2))
            (void)announce(run, core); /* the handler was stepped: the instruction is announced again */
    }
    if (rng_below(rng, 200) == 0)
        driver_change(&core->driver);
    if (rng_below(rng, 2000) == 0)
        vpmu_flush_tlb(core->vpmu);
    if (rng_below(rng, 1000) == 0)
        (void)announce(run, core);
    walk_step(&core->walk);
}

static uint64_t run_random(const struct random_run *run, uint64_t seed, bool short_ways)
{
    struct core *core = &cores[0];
    struct rng turns;

    rng_seed(&turns, seed);
    begin(run, seed, short_ways);
    for (uint64_t i = 0; i < STEPS; i++) {
        if (i % TURN == 0)
            core = &cores[rng_below(&turns, run->cores)];
        step(run, core);
    }
    end(run);
    return digest.value;
}

#define LOW  0x400000ull
#define MID  0x10000000ull
#define HIGH 0x80000000ull

static const struct random_run random_runs[] = {
    {"revision B", VPMU_REV_B, LOW, 1, 1, .digest = 0x203af261974d840b},
    {"revision C", VPMU_REV_C, LOW, 1, 1, .digest = 0x9a00e41034669cf},
    {"revision C, late NMIs, in 2 MB pages", VPMU_REV_C, MID, 1, 1, .late_nmi = true, .digest = 0x1cbc8e06b2131a84},
    {"revision E, lost tags, in 1 GB pages", VPMU_REV_E, HIGH, 1, 1, .lose_stalled = true,
     .digest = 0x6f724a266979e3bd},
    {"revision C, jumps", VPMU_REV_C, LOW, 1, 1, .far = 20, .digest = 0x4b109883f099eccb},
    {"revision C, places", VPMU_REV_C, LOW, 1, 1, .places = true, .disturb = 70000, .digest = 0x84125eeb734e629b},
    {"revision B, late NMIs, places", VPMU_REV_B, MID, 1, 1, .places = true, .late_nmi = true,
     .digest = 0x79afe5e1ee8afc1c},
    {"four cores", VPMU_REV_C, LOW, 4, 1, .digest = 0xfcef8ebd2dc418af},
    {"two nodes of two cores", VPMU_REV_E, LOW, 4, 2, .places = true, .digest = 0x7b79a3276c73bb02},
    {"eight nodes", VPMU_REV_B, LOW, 8, 8, .disturb = 3000, .digest = 0x8d60ecb13206cb2f},
    {"revision C, free caches and TLBs", VPMU_REV_C, LOW, 1, 1, .free = 0x7F, .digest = 0xe98b46688f40e0fb},
    {"four cores, all other causes free", VPMU_REV_C, LOW, 4, 1, .free = 0x3F80, .digest = 0x22d526aef24195d8},
};

static unsigned random_runs_differ(bool short_ways)
{
    unsigned different = 0;

    for (unsigned i = 0; i < VPMU_NODES; i++)
        cores[i].place = VPMU_KERNEL; /* each run begins in the state in which the last one left the core */
    for (unsigned i = 0; i < sizeof(random_runs) / sizeof(random_runs[0]); i++)
        different +=
            differs(random_runs[i].name, random_runs[i].digest, run_random(&random_runs[i], i + 1, short_ways));
    return different;
}

TEST(test_random_programs)
{
    assert_int_equal(random_runs_differ(true), 0);
}

TEST(test_without_short_ways)
{
    assert_int_equal(random_runs_differ(false), 0);
}

RUN_TESTS(NULL, NULL)
