/* SPDX-License-Identifier: BSD-2-Clause */
/* The node of a run's memory: the setting 'memory', on machines of one node and of several. */
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/map.h"

#include <stdio.h>
#include <string.h>

#include "app/base/place.h"
#include "core/family/ibs_regs.h"

static const struct nodes one = {.count = 1, .mask = 1, .of_processor = 1, .ranges = 1, .range = {{0, 1ull << 32, 0}}};
/* Node 1 has no memory. */
static const struct nodes three = {
    .count = 3,
    .mask = 7,
    .of_processor = 1,
    .ranges = 3,
    .range = {{0, 1ull << 32, 0}, {1ull << 32, 3ull << 31, 2}, {3ull << 31, 4ull << 31, 0}}};
static const struct nodes mixed = {
    .count = 2, .mask = 3, .of_processor = 1, .ranges = 2, .range = {{0, 1, 0}, {0, 1, 1}}, .interleaved = true};
static const struct nodes silent = {.count = 2, .mask = 3, .of_processor = 1};

struct setting_row {
    const char *text;
    const struct nodes *nodes;
    int of[3];           /* number of cores on nodes 0, 1, 2 */
    const char *problem; /* NULL: the setting is accepted */
};

#define ANY                                                                                                            \
    {                                                                                                                  \
        NODE_UNKNOWN, NODE_UNKNOWN, NODE_UNKNOWN                                                                       \
    }
#define REFUSED(why) ANY, why

APP_TEST(settings)
{
    static const struct setting_row rows[] = {
        {"auto", &one, ANY, NULL},
        {"local", &one, ANY, NULL},
        {"0", &one, ANY, NULL},
        {"remote", &one, REFUSED("memory = remote: this machine has one node, so all memory is near all cores\n")},
        {"1", &one, REFUSED("this machine has one node")},
        {"auto", &three, {0, 1, 2}, NULL},
        {"local", &three, {0, 1, 2}, NULL},
        {"remote", &three, {2, 2, 0}, NULL},
        {"2", &three, {2, 2, 2}, NULL},
        {"1", &three, REFUSED("memory = 1: not 'auto', 'local', 'remote', nor the number of a node with memory\n")},
        {"3", &three, REFUSED("nor the number of a node")},
        {"8", &one, REFUSED("nor the number of a node")},
        {"far", &three, REFUSED("memory = far: not 'auto'")},
        {"", &three, REFUSED("memory = : not 'auto'")},
        {"auto", &mixed, ANY, NULL},
        {"local", &mixed, REFUSED("interleaved")},
        {"remote", &mixed, REFUSED("interleaved")},
        {"auto", &silent, ANY, NULL},
        {"remote", &silent, REFUSED("neither firmware nor registers say which node has which memory")},
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char said[200] = "";
        struct out_memory problems;
        struct place place;
        bool good;

        out_memory_init(&problems, said, sizeof(said));
        good = place_read(&place, rows[i].text, rows[i].nodes, &problems.out);
        if (good != !rows[i].problem || !strstr(said, rows[i].problem ? rows[i].problem : "") || (good && said[0]))
            fail_msg("row %u: '%s' says '%s'", i, rows[i].text, said);
        for (int node = 0; good && node < 3; node++)
            if (place_of(&place, rows[i].nodes, node) != rows[i].of[node])
                fail_msg("row %u: '%s' of node %d", i, rows[i].text, node);
        if (good)
            assert_int_equal(place_of(&(struct place){.how = PLACE_REMOTE}, rows[i].nodes, NODE_UNKNOWN), NODE_UNKNOWN);
    }
}

#define FOLDER "0001-matmul-classic-ibs"

/* Returns the number of allocations of at least this many bytes that were requested on a node. */
static unsigned placed(uint64_t base, size_t least)
{
    unsigned count = 0;

    for (unsigned i = 0; i < fake_fw.placed_count; i++)
        count += fake_fw.placed[i].base == base && fake_fw.placed[i].size >= least;
    return count;
}

struct run_row {
    const char *options;
    unsigned low, high; /* large blocks on each node: one for all arenas there, one for the samples of its cores */
};

APP_TEST(where_a_run_s_memory_is)
{
    /* With n=100 an arena has 190 KB; with records=20000 each of four cores has 5000 records in 400 KB, and the records
     * of all are on the boot core's node. */
    static const struct run_row rows[] = {
        {"cores=all", 3, 2},
        {"cores=all memory=remote", 3, 2},
        {"cores=all memory=1", 2, 2},
        {"cores=0", 2, 0},
        {"cores=0 memory=remote", 1, 1},
        {"cores=0 memory=1", 1, 1},
        {"cores=2,3 memory=0", 2, 1},
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160] = "menu=no save=no n=100 records=20000 ";

        set_two_nodes();
        fake_fw.placed_count = 0;
        assert_int_equal(start(strcat(options, rows[i].options)), 0);
        if (placed(0, 150000) != rows[i].low || placed(NODE_1_MEMORY, 150000) != rows[i].high)
            fail_msg("%s: %u and %u", rows[i].options, placed(0, 150000), placed(NODE_1_MEMORY, 150000));
    }
}

/* If a node has no room, 'auto' uses another node, and a node that was named is refused. */
APP_TEST(no_room)
{
    set_two_nodes();
    fake_fw.no_room = NODE_1_MEMORY;
    assert_int_equal(start("menu=no save=no cores=2"), 0);
    assert_says("memory = auto: no room on node 1 of core 2; its workload has memory of node 0");
    assert_int_equal(start("menu=no save=no cores=2 memory=local"), 1);
    assert_shown("no memory for the workload on node 1: ");
    assert_lines_fit();
}

static uint32_t all_beyond(unsigned core)
{
    return core ? core + 100 : 0;
}

/* If the nodes of cores are unknown, memory near them is refused, and 'auto' says on which node memory is. */
APP_TEST(cores_of_no_known_node)
{
    set_two_nodes();
    fake_fw.cores = 9; /* five more than two nodes have */
    fake_fw.id_of = all_beyond;
    assert_int_equal(start("menu=no save=no cores=3 memory=local"), 1);
    assert_says("memory = local: the node of core 3 is not known; set memory=auto, or the number of a node");
    assert_int_equal(start("menu=no save=no cores=0,3 memory=remote"), 1);
    assert_says("memory = remote: the node of core 3 is not known; set memory=auto, or the number of a node");
    assert_int_equal(start("menu=no save=no cores=3 memory=1"), 0);
    assert_not_shown("memory = auto");
    assert_int_equal(start("menu=no save=no cores=3"), 0);
    assert_says("memory = auto: the node of core 3 is not known; its workload has memory of node 0");
    assert_not_shown("likewise for other cores");
    assert_int_equal(start("menu=no save=no cores=0,3,4"), 0);
    assert_says("core 3 is not known; its workload has memory of node 0, likewise for other cores");
    assert_lines_fit();
}

/* A node without memory. */
APP_TEST(no_memory_on_it)
{
    set_two_nodes();
    fake_session.machine.nodes.range[1].node = 0; /* both ranges belong to the first node */
    assert_int_equal(start("menu=no save=no cores=2 memory=local"), 1);
    assert_says("memory = local: node 1, with core 2, has no memory; set memory=remote, or the number of another");
    assert_int_equal(start("menu=no save=no cores=0 memory=local"), 0);
    assert_not_shown("memory = auto");
    assert_int_equal(start("menu=no save=no cores=2 memory=remote"), 0);
    assert_int_equal(start("menu=no save=no cores=0,2"), 0);
    assert_says("memory = auto: no room on node 1 of core 2; its workload has memory of node 0");
    assert_lines_fit();
}

/* The table of nodes is in the report, and its figures are facts. */
APP_TEST(shown)
{
    set_two_nodes();
    assert_int_equal(start("menu=no cores=1"), 0);
    assert_shown("node 1: memory 40000000 to 5fffffff");
    assert_shown("core 1 node 0");
    assert_shown("on another node");
    assert_int_equal(fact(FOLDER, "core.1.loads.far_dram"), 0);
    assert_int_equal(fact(FOLDER, "core.1.arena.node"), 0);
    assert_int_equal(fact(FOLDER, "core.0.loads.far_dram"), -1); /* this core did not work */
    assert_lines_fit();
}

/* The facts say on which nodes the memory was: the firmware returned addresses of these nodes. */
APP_TEST(whose_memory_it_was)
{
    static const struct {
        const char *options;
        int arena[4], records[4];
    } rows[] = {
        {"cores=0", {0}, {0}},
        {"cores=0 memory=1", {1}, {0}},
        {"cores=all", {0, 0, 1, 1}, {0, 0, 1, 1}},
        {"cores=all memory=remote", {1, 1, 0, 0}, {0, 0, 1, 1}},
        {"cores=all memory=0", {0, 0, 0, 0}, {0, 0, 1, 1}},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[128], folder[64];

        set_two_nodes();
        snprintf(options, sizeof(options), "menu=no " SMALL " %s", rows[i].options);
        assert_int_equal(start(options), 0);
        snprintf(folder, sizeof(folder), "000%u-tight-loop-ibs", i + 1);
        for (unsigned core = 0; core < (strstr(options, "all") ? 4 : 1); core++) {
            char arena[32], records[32];

            snprintf(arena, sizeof(arena), "core.%u.arena.node", core);
            snprintf(records, sizeof(records), "core.%u.records.node", core);
            if (fact(folder, arena) != rows[i].arena[core] || fact(folder, records) != rows[i].records[core])
                fail_msg("%s: core %u: %lld, %lld", options, core, fact(folder, arena), fact(folder, records));
        }
    }
}

/* The table shows each core's loads by their source: of 5000 samples 357 are of the instruction that misses, on each
 * core. */
APP_TEST(loads_of_each_core)
{
    set_two_nodes();
    fake_session.culprit = MAP_FMUL;
    fake_session.served[0] = IBS_NB_L3;
    fake_session.served_count = 1;
    assert_int_equal(start("menu=no cores=0,3 " SMALL), 0);
    assert_int_equal(fact("0001-tight-loop-ibs", "core.0.loads.l3"), 357);
    assert_int_equal(fact("0001-tight-loop-ibs", "core.3.loads.l3"), 357);
    assert_shown("\nall                         714 ");
    fake_session.culprit = 0; /* the instruction of the first sample, and of each 14th after it */
    assert_int_equal(start("menu=no cores=0,3 fetch=no " SMALL), 0);
    assert_shown("\nall                         716 ");
}

/* With cores on the second and third node the table has rows for both, and none for the first. */
APP_TEST(rows_of_three_nodes)
{
    fake_fw.cores = 6;
    fake_session.machine.cores = 2;
    fake_session.machine.core_bits = 1;
    fake_session.machine.nodes = (struct nodes){.count = 3, .mask = 7, .of_processor = 1};
    assert_int_equal(start("menu=no cores=2-4 fetch=no " SMALL), 0);
    assert_not_shown("\nnode 0 ");
    assert_shown_times("\nnode 1            10000        0        0 ", 1);
    assert_shown_times("\nnode 2             5000        0        0 ", 1);
    assert_shown_times("\nnode 1 ", 2); /* in the table of samples, and in that of loads */
    assert_shown_times("\nnode 2 ", 2);
    assert_shown("\ncore 4 node 2  ?              0 ");
    assert_shown("\n              memory: no map of the nodes' memory\n");
}

/* If no core has come back, there is no table of sources. */
APP_TEST(no_core_no_table)
{
    set_two_nodes();
    fake_fw.dead = 1 << 2 | 1 << 3;
    assert_int_equal(start("menu=no save=no cores=2-3 " SMALL), 1);
    assert_not_shown("on another node");
    fake_memory_give_all();
}

APP_TEST(not_on_one_node)
{
    assert_int_equal(start("menu=no"), 0);
    assert_not_shown("on another node");
    assert_int_equal(fake_fw.placed_count, 0);
    assert_int_equal(start("menu=no memory=remote"), 1);
    assert_shown("memory = remote: this machine has one node");
    assert_lines_fit();
}

/* Events of a node may be counted on one of its cores, but not on two. */
APP_TEST(node_events)
{
    set_two_nodes();
    assert_int_equal(start("menu=no save=no cores=1,2 config=count events=0E0"), 0);
    set_two_nodes();
    assert_int_equal(start("menu=no save=no cores=2,3 config=count events=0E0"), 1);
    assert_shown("0E0: is counted once per node; 2 cores of a node would share the count");
}

RUN_TESTS(fixture_load, NULL)
