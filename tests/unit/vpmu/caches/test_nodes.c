/* SPDX-License-Identifier: BSD-2-Clause */
/* Two nodes of two cores: home nodes of memory, sources and latencies of remote lines, and the registers of each
 * node. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { CORES = 4, L1_STEP = 0x8000, SET_LINES = 20 };

#define LOW     0x1000000ull /* on node 0, whose memory ends at HALF */
#define HALF    0x8000000ull
#define HIGH    0xC000000ull /* on node 1 */
#define END     0x10000000ull
#define NB_CFG  0xC001001Fu
#define IBS_CTL 0xC001103Au

static const struct vpmu_params *params;
static struct vpmu *core[CORES];
static void *memory[CORES];
static struct space space;
static uint64_t now;

static struct vpmu_config config_of(unsigned node)
{
    return (struct vpmu_config){.revision = VPMU_REV_C,
                                .map = &paper_map,
                                .image_base = PAPER_BASE,
                                .translate = space_translate,
                                .context = &space,
                                .with = core[0],
                                .node = node};
}

static int set_up(void **state)
{
    size_t size = vpmu_size(&paper_map);

    params = vpmu_params_of(VPMU_REV_C);
    space_init(&space, 12, FRAMES_CONTIGUOUS);
    now = 1000;
    for (unsigned i = 0; i < CORES; i++)
        core[i] = NULL;
    for (unsigned i = 0; i < CORES; i++) {
        struct vpmu_config config = config_of(i / 2);

        config.nodes = 2;
        config.memory_end[0] = HALF;
        config.memory_end[1] = END;
        memory[i] = malloc(size);
        core[i] = vpmu_init(memory[i], size, &config);
        assert_non_null(core[i]);
    }
    return 0;
}

static int tear_down(void **state)
{
    for (unsigned i = 0; i < CORES; i++)
        free(memory[i]);
    return 0;
}

static struct dc_result go(unsigned who, uint64_t address, bool store)
{
    struct dc_result result = {.source = SOURCE_L1};

    now += 1000;
    if (!caches_plain_hit(&core[who]->caches, address, now, store))
        caches_data(&core[who]->caches, address, now, store, &result);
    return result;
}

struct step {
    uint8_t core;
    bool store;
    uint8_t from; /* an enum cache_source */
    bool remote;
};

enum { LOAD, STORE };

static void play(uint64_t line, const struct step *steps, unsigned count)
{
    static const uint32_t latencies[CACHE_SOURCES] = {[SOURCE_L2] = L2_LATENCY,
                                                      [SOURCE_L3] = L3_LATENCY,
                                                      [SOURCE_MODIFIED] = CORE_LATENCY,
                                                      [SOURCE_OWNED] = CORE_LATENCY};

    for (unsigned i = 0; i < count; i++) {
        struct dc_result result = go(steps[i].core, line, steps[i].store);
        uint32_t latency = steps[i].from == SOURCE_DRAM ? params->dram_cycles : latencies[steps[i].from];

        if (result.source != steps[i].from || result.remote != steps[i].remote)
            fail_msg("step %u: from %d%s", i, (int)result.source, result.remote ? ", remote" : "");
        if (result.source != SOURCE_L1)
            assert_int_equal(result.latency, latency + (steps[i].remote ? params->hop_cycles : 0) - L1_LATENCY);
    }
}
#define PLAY(line, ...)                                                                                                \
    play(line, (const struct step[]){__VA_ARGS__}, sizeof((const struct step[]){__VA_ARGS__}) / sizeof(struct step))

TEST_WITH(test_memory_of_each_node, set_up, tear_down)
{
    assert_int_equal(params->hop_cycles, 90); /* 30 ns at 3 GHz */
    PLAY(LOW, {0, LOAD, SOURCE_DRAM, false});
    PLAY(LOW + 0x10000, {2, LOAD, SOURCE_DRAM, true});
    PLAY(HIGH, {1, LOAD, SOURCE_DRAM, true});
    PLAY(HIGH + 0x10000, {3, STORE, SOURCE_DRAM, false});
    PLAY(HALF - 64, {0, LOAD, SOURCE_DRAM, false});
    PLAY(HALF, {2, LOAD, SOURCE_DRAM, false});
    PLAY(END, {0, LOAD, SOURCE_DRAM, false}); /* unassigned memory belongs to node 0 */
    assert_int_equal(core[2]->caches.from_remote[SOURCE_DRAM], 1);
    assert_int_equal(core[0]->caches.from_remote[SOURCE_DRAM], 0);
}

/* The node of the supplier counts, not the home node. */
TEST_WITH(test_caches_of_the_other_node, set_up, tear_down)
{
    PLAY(LOW, {0, STORE, SOURCE_DRAM, false}, {2, LOAD, SOURCE_MODIFIED, true}, {3, LOAD, SOURCE_OWNED, true},
         {1, LOAD, SOURCE_OWNED, false}, {3, STORE, SOURCE_L1, false}, {2, LOAD, SOURCE_MODIFIED, false},
         {0, LOAD, SOURCE_OWNED, true}, {1, STORE, SOURCE_OWNED, true}, {3, LOAD, SOURCE_MODIFIED, true});
    assert_int_equal(core[3]->caches.upgrades, 1);
}

/* Evicts a line from a core's L1D and L2 into the L3. */
static void push_out(unsigned who, uint64_t line)
{
    for (unsigned i = 1; i <= SET_LINES; i++)
        go(who, line + i * L1_STEP, LOAD);
}

TEST_WITH(test_the_other_l3, set_up, tear_down)
{
    PLAY(LOW, {2, STORE, SOURCE_DRAM, true});
    push_out(2, LOW);
    PLAY(LOW, {0, LOAD, SOURCE_MODIFIED, true}, {1, LOAD, SOURCE_OWNED, true}, {3, LOAD, SOURCE_L3, false});
    /* A clean line comes from memory, and a store removes it from the other L3. */
    PLAY(LOW + 0x1000, {2, LOAD, SOURCE_DRAM, true});
    push_out(2, LOW + 0x1000);
    PLAY(LOW + 0x1000, {0, STORE, SOURCE_DRAM, false}, {3, LOAD, SOURCE_MODIFIED, true});
    /* A line that returns to the L3 may be shared. */
    PLAY(LOW + 0x2000, {2, LOAD, SOURCE_DRAM, true});
    push_out(2, LOW + 0x2000);
    PLAY(LOW + 0x2000, {0, LOAD, SOURCE_DRAM, false}, {3, LOAD, SOURCE_L3, false}, {3, STORE, SOURCE_L1, false},
         {0, LOAD, SOURCE_MODIFIED, true});
    assert_int_equal(core[3]->caches.upgrades, 1);
}

/* A store to a shared line waits for the other node's answer. */
TEST_WITH(test_upgrade_takes_a_hop, set_up, tear_down)
{
    struct dc_result result;

    PLAY(LOW, {0, LOAD, SOURCE_DRAM, false}, {1, LOAD, SOURCE_DRAM, false});
    now += 1000;
    caches_data(&core[1]->caches, LOW, now, true, &result);
    assert_int_equal(result.ready - now, L1_LATENCY + L3_LATENCY + params->hop_cycles);
}

TEST_WITH(test_northbridge_totals, set_up, tear_down)
{
    const struct cache_node *node[2] = {core[0]->caches.node, core[2]->caches.node};

    assert_ptr_equal(core[3]->caches.node, node[1]);
    PLAY(LOW, {0, LOAD, SOURCE_DRAM, false}, {1, LOAD, SOURCE_DRAM, false}, {2, LOAD, SOURCE_DRAM, true});
    PLAY(HIGH, {0, STORE, SOURCE_DRAM, true}, {3, LOAD, SOURCE_MODIFIED, true});
    assert_int_equal(node[0]->to_dram[0], 2);
    assert_int_equal(node[0]->to_dram[1], 1);
    assert_int_equal(node[1]->to_dram[0], 1);
    assert_int_equal(node[1]->to_dram[1], 0); /* a cache had the line */
    assert_int_equal(node[0]->to_memory[HERE], 2);
    assert_int_equal(node[0]->to_memory[REMOTE], 1);
    assert_int_equal(node[1]->to_memory[HERE], 1);
    assert_int_equal(node[1]->to_memory[REMOTE], 1);
    assert_int_equal(node[0]->from_remote, 1);
    assert_int_equal(node[1]->from_remote, 1);
    assert_int_equal(node[0]->l3_requests[REQUEST_LOAD], 2);
    assert_int_equal(node[0]->reads[REQUEST_STORE], 1);
    go(0, LOW, STORE);
    assert_int_equal(node[0]->upgrades, 1);
    assert_int_equal(node[0]->to_memory[HERE], 3);
}

/* Evicts core 0's line HIGH from all caches of its node. */
static void push_to_memory(void)
{
    uint64_t l3_step = (uint64_t)params->l3_sets << LINE_SHIFT;

    for (unsigned i = 1; i <= params->l3_ways + L2_WAYS + L1_WAYS + 1; i++)
        go(0, LOW + i * l3_step, LOAD);
}

/* The copy in the other node's L3 from before the store is out of date, even when memory has the new data. */
TEST_WITH(test_store_leaves_no_copy_in_the_other_l3, set_up, tear_down)
{
    for (unsigned store = 0; store < 2; store++) {
        PLAY(HIGH, {2, store, SOURCE_DRAM, false});
        push_out(2, HIGH);
        PLAY(HIGH, {0, STORE, store ? SOURCE_MODIFIED : SOURCE_DRAM, true});
        push_to_memory();
        PLAY(HIGH, {3, LOAD, SOURCE_DRAM, false}, {3, LOAD, SOURCE_L1, false}, {0, STORE, SOURCE_DRAM, true});
        push_to_memory();
    }
}

/* A modified line that leaves the L3 is written to its home node, whichever node that is. */
TEST_WITH(test_write_back, set_up, tear_down)
{
    const struct cache_node *node = core[0]->caches.node;
    uint64_t dram;

    go(0, HIGH, STORE);
    dram = node->to_dram[1];
    push_to_memory();
    assert_int_equal(node->writebacks, 1);
    assert_int_equal(node->to_dram[1], dram + 1);
}

static uint64_t rdmsr(unsigned who, uint32_t msr)
{
    uint64_t value = 0;

    assert_int_equal(vpmu_rdmsr(core[who], msr, &value), VPMU_OK);
    return value;
}

static uint32_t pci(unsigned who, unsigned node, unsigned function, unsigned offset)
{
    uint32_t value = 0;

    assert_int_equal(vpmu_pci_read(core[who], node, function, offset, &value), VPMU_OK);
    return value;
}

/* Any core reaches any node's configuration space; MSRs belong to the core's own node. */
TEST_WITH(test_registers_of_each_node, set_up, tear_down)
{
    uint32_t value;

    assert_int_equal(vpmu_pci_write(core[0], 1, 3, 0x1CC, 0x102), VPMU_OK);
    assert_int_equal(vpmu_pci_write(core[3], 0, 3, 0x1CC, 0x101), VPMU_OK);
    assert_int_equal(vpmu_pci_write(core[0], 2, 3, 0x1CC, 0x103), VPMU_NOT_MINE);
    assert_int_equal(vpmu_pci_read(core[0], 2, 3, 0x1CC, &value), VPMU_NOT_MINE);
    for (unsigned i = 0; i < CORES; i++) {
        assert_int_equal(rdmsr(i, IBS_CTL), i < 2 ? 0x101 : 0x102);
        assert_int_equal(pci(i, 1, 3, 0x1CC), 0x102);
    }
    assert_int_equal(vpmu_wrmsr(core[2], NB_CFG, 1ull << 46), VPMU_OK);
    assert_int_equal(rdmsr(3, NB_CFG), 1ull << 46);
    assert_int_equal(rdmsr(1, NB_CFG), 1ull << 54); /* an APIC ID has the core in its low bits */
    assert_true(vpmu_cf8_extended(core[3]));
    assert_false(vpmu_cf8_extended(core[1]));
}

/* F0x60 and F1x[7C:40] as Linux reads them (arch/x86/mm/amdtopology.c). */
TEST_WITH(test_map_of_the_memory, set_up, tear_down)
{
    for (unsigned node = 0; node < 2; node++) {
        assert_int_equal(pci(1, node, 0, 0), 0x12001022);
        assert_int_equal(pci(1, node, 0, 0x60), node | 1 << 4);
        assert_int_equal(pci(1, node, 1, 0), 0x12011022);
        assert_int_equal(pci(1, node, 1, 0x40), 3);
        assert_int_equal(pci(1, node, 1, 0x44), 7 << 16);
        assert_int_equal(pci(1, node, 1, 0x48), 8 << 16 | 3);
        assert_int_equal(pci(1, node, 1, 0x4C), 15 << 16 | 1);
        assert_int_equal(pci(1, node, 1, 0x50), 0);
    }
}

TEST_WITH(test_cpuid, set_up, tear_down)
{
    uint32_t regs[4] = {0x3028, 0, 3, 0};

    vpmu_cpuid(core[3], 0x80000008, 0, regs);
    assert_int_equal(regs[2], 1 << 12 | 1); /* a processor has two cores, which one bit of the APIC ID numbers */
    assert_int_equal(regs[0], 0x3028);
    regs[1] = 0x03040800;
    vpmu_cpuid(core[3], 1, 0, regs);
    assert_int_equal(regs[1], 0x03020800);
}

/* The modelled events depend on the machine (docs/model.md). */
TEST_WITH(test_what_is_modelled, set_up, tear_down)
{
    static const struct {
        uint16_t select;
        uint8_t mask;
        bool one, two, nodes;
    } rows[] = {
        {0x042, 0x02, false, true, true},   {0x042, 0x08, false, true, true},   {0x043, 0x0A, false, true, true},
        {0x043, 0x01, false, false, false}, {0x044, 0x0A, false, true, true},   {0x06C, 0x0C, false, true, true},
        {0x06C, 0x10, false, false, false}, {0x07D, 0x08, false, true, true},   {0x0EA, 0x20, false, true, true},
        {0x0EA, 0x3D, true, true, true},    {0x4E2, 0xF5, false, true, true},   {0x1E0, 0x01, true, true, true},
        {0x1E0, 0x02, false, false, true},  {0x1E0, 0x04, false, false, false}, {0x1E0, 0xFF, true, true, true},
        {0x0E9, 0xA8, true, true, true},    {0x0E9, 0x98, false, false, true},  {0x0E9, 0xB8, true, true, true},
        {0x0E9, 0x68, false, false, true},  {0x0E9, 0xA2, false, false, false},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (pmc_modelled(params, 1, 1, rows[i].select, rows[i].mask) != rows[i].one ||
            pmc_modelled(params, 2, 1, rows[i].select, rows[i].mask) != rows[i].two ||
            pmc_modelled(params, 4, 2, rows[i].select, rows[i].mask) != rows[i].nodes)
            fail_msg("%03x:%02x", rows[i].select, rows[i].mask);
}

/* A northbridge event counts all cores of its node, and none of the other node's; events on line states count each core
 * alone. */
TEST_WITH(test_counters, set_up, tear_down)
{
    static const struct {
        uint16_t select;
        uint8_t mask;
        uint8_t count;
    } rows[] = {{0x1E0, 0x01, 2}, {0x1E0, 0x02, 1}, {0x0E9, 0xB8, 4}, {0x0E9, 0x68, 1},
                {0x043, 0x02, 1}, {0x043, 0x10, 1}, {0x07D, 0x08, 3}, {0x0EA, 0x20, 1}};
    uint64_t before;

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t control = rows[i].select & 0xFF, line = LOW + i * 0x1000;

        control |= (uint64_t)(rows[i].select >> 8) << 32 | (uint64_t)rows[i].mask << 8 | 1 << 22 | 1 << 17;
        vpmu_wrmsr(core[1], 0xC0010004, 0);
        vpmu_wrmsr(core[1], 0xC0010000, control);
        vpmu_step(core[1], PAPER_BASE, (uint64_t[16]){0}); /* the counter counts from the next boundary on */
        vpmu_step(core[1], PAPER_BASE + 0x10000, (uint64_t[16]){0});
        before = rdmsr(1, 0xC0010004);
        PLAY(line, {0, LOAD, SOURCE_DRAM, false}, {1, LOAD, SOURCE_DRAM, false}, {2, LOAD, SOURCE_DRAM, true},
             {0, STORE, SOURCE_L1, false});
        PLAY(HIGH + i * 0x1000, {1, STORE, SOURCE_DRAM, true});
        if (rdmsr(1, 0xC0010004) - before != rows[i].count)
            fail_msg("%03x:%02x: %u", rows[i].select, rows[i].mask, (unsigned)(rdmsr(1, 0xC0010004) - before));
        vpmu_wrmsr(core[1], 0xC0010000, 0);
    }
}

/* On Zen 043h counts the L2, the L3 or another core's caches, and memory. */
TEST(test_sources_of_zen)
{
    static const uint8_t bits[] = {
        [SOURCE_L2] = 1, [SOURCE_L3] = 2, [SOURCE_MODIFIED] = 2, [SOURCE_OWNED] = 2, [SOURCE_DRAM] = 8};
    struct vpmu_config config = config_of(0);
    size_t size = vpmu_size(&paper_map);
    struct vpmu *pair[2] = {NULL, NULL};

    assert_true(vpmu_revision_parse("zen2", &config.revision));
    for (unsigned i = 0; i < 2; i++) {
        config.with = pair[0];
        pair[i] = vpmu_init(malloc(size), size, &config);
        assert_non_null(pair[i]);
    }
    for (unsigned source = 0; source < sizeof(bits); source++)
        for (unsigned bit = 1; bits[source] && bit < 16; bit *= 2) {
            uint64_t before, after;

            vpmu_wrmsr(pair[1], 0xC0010000, 0x43 | bit << 8 | 1 << 22 | 1 << 17);
            vpmu_step(pair[1], PAPER_BASE, (uint64_t[16]){0});
            vpmu_step(pair[1], PAPER_BASE + 0x10000, (uint64_t[16]){0});
            assert_int_equal(vpmu_rdmsr(pair[1], 0xC0010004, &before), VPMU_OK);
            pair[1]->caches.from[source] += 5;
            assert_int_equal(vpmu_rdmsr(pair[1], 0xC0010004, &after), VPMU_OK);
            assert_int_equal(after - before, bit == bits[source] ? 5 : 0);
            vpmu_wrmsr(pair[1], 0xC0010000, 0);
        }
    for (unsigned i = 0; i < 2; i++)
        free(pair[i]);
}

/* A sample of a later family also says whose memory was accessed, and how many misses were under way: none if each load
 * waits for the one before. */
TEST_WITH(test_remote_sample, set_up, tear_down)
{
    struct codemap_insn code[] = {
        {.reads = 1 << 5,
         .writes = 1 << 5,
         .mems = 1,
         .mem = {{.base = 5, .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = CODEMAP_LOAD}}},
        {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST}};
    static struct program program;

    for (unsigned remote = 0; remote < 2; remote++) {
        struct vpmu_config config = {.seed = 1, .nodes = 2, .memory_end = {remote ? 0x1000 : 1ull << 40, 1ull << 41}},
                           other;
        void *second;

        assert_true(vpmu_revision_parse("zen2", &config.revision));
        code[0].writes = remote ? 0 : 1 << 5;
        program_load_as(&program, config, code, 2, NULL);
        other = (struct vpmu_config){.revision = config.revision,
                                     .map = &program.map,
                                     .translate = space_translate,
                                     .context = &program.machine.space,
                                     .with = program.machine.vpmu,
                                     .node = 1};
        second = malloc(vpmu_size(&program.map));
        assert_non_null(vpmu_init(second, vpmu_size(&program.map), &other));
        /* Samples ops until one is the load. */
        for (unsigned n = 0; n < 10000 && !(machine_rdmsr(&program.machine, 0xC0011037) & 1); n++) {
            if (n % 1000 == 0)
                machine_wrmsr(&program.machine, 0xC0011033, 1 << 17 | 1 << 19 | 0x10);
            program_run(&program, 1);
            program.machine.gpr[5] += 4096;
        }
        assert_int_equal(machine_rdmsr(&program.machine, 0xC0011036), remote ? 0x13 : 3);
        assert_in_range(machine_rdmsr(&program.machine, 0xC0011037) >> 26 & 0x3F, remote ? 2 : 0, remote ? 7 : 0);
        free(second);
    }
    program_end(&program);
}

TEST_WITH(test_impossible_places, set_up, tear_down)
{
    size_t size = vpmu_size(&paper_map);
    void *more = malloc(size), *third = malloc(size);
    struct vpmu_config config = config_of(2);

    assert_null(vpmu_init(more, size, &config)); /* there are only two nodes */
    config.with = NULL;
    config.nodes = 4;
    assert_null(vpmu_init(more, size, &config)); /* the first core must be on node 0 */
    config.node = 0;
    config.nodes = VPMU_NODES + 1;
    assert_null(vpmu_init(more, size, &config));
    /* The first core of a node must follow those of the nodes before it. */
    config.nodes = 4;
    config.with = vpmu_init(more, size, &config);
    assert_non_null(config.with);
    config.node = 2;
    assert_null(vpmu_init(third, size, &config));
    config.node = 1;
    assert_non_null(vpmu_init(third, size, &config));
    free(third);
    free(more);
}

RUN_TESTS(NULL, NULL)
