/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose memory a run's is: the setting 'memory', on machines of one node and of several. */
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
    int of[3];           /* cores on nodes 0, 1, 2 */
    const char *problem; /* NULL: it is taken */
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

/* Allocations of at least this many bytes that were requested on a node. */
static unsigned placed(uint64_t base, size_t least)
{
    unsigned count = 0;

    for (unsigned i = 0; i < fake_fw.placed_count; i++)
        count += fake_fw.placed[i].base == base && fake_fw.placed[i].size >= least;
    return count;
}

struct run_row {
    const char *options;
    unsigned low, high; /* large pieces on each node: one for all arenas there, one for the samples of its cores */
};

APP_TEST(where_a_run_s_memory_is)
{
    /* n=100: an arena of 190 KB; records=20000: 5000 for each of four cores, 400 KB; those of all are the boot core's.
     */
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

/* No room there: 'auto' goes elsewhere, what was named is refused. */
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

/* Cores of which nothing says where they are: what is near them cannot be had, and 'auto' says whose memory it is. */
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
    fake_session.machine.nodes.range[1].node = 0; /* both ranges: the first one's */
    assert_int_equal(start("menu=no save=no cores=2 memory=local"), 1);
    assert_says("memory = local: node 1, with core 2, has no memory; set memory=remote, or the number of another");
    assert_int_equal(start("menu=no save=no cores=0 memory=local"), 0);
    assert_not_shown("memory = auto");
    assert_int_equal(start("menu=no save=no cores=2 memory=remote"), 0);
    assert_int_equal(start("menu=no save=no cores=0,2"), 0);
    assert_says("memory = auto: no room on node 1 of core 2; its workload has memory of node 0");
    assert_lines_fit();
}

/* The table of nodes, in the report and as facts. */
APP_TEST(shown)
{
    set_two_nodes();
    assert_int_equal(start("menu=no cores=1"), 0);
    assert_shown("node 1: memory 40000000 to 5fffffff");
    assert_shown("core 1 node 0");
    assert_shown("on another node");
    assert_int_equal(fact(FOLDER, "core.1.loads.far_dram"), 0);
    assert_int_equal(fact(FOLDER, "core.1.arena.node"), 0);
    assert_int_equal(fact(FOLDER, "core.0.loads.far_dram"), -1); /* it did not work */
    assert_lines_fit();
}

/* Whose memory it was, as facts: the addresses that the firmware gave are of those nodes. */
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

/* Served loads by core: 5000 samples are 357 of the instruction that misses, on each. */
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
    fake_session.culprit = 0; /* that of the first sample, and of each 14th after it */
    assert_int_equal(start("menu=no cores=0,3 fetch=no " SMALL), 0);
    assert_shown("\nall                         716 ");
}

/* Cores of the second and the third node: rows of both, and none of the first. */
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
    assert_shown_times("\nnode 1 ", 2); /* of samples, and of loads */
    assert_shown_times("\nnode 2 ", 2);
    assert_shown("\ncore 4 node 2  ?              0 ");
    assert_shown("\n              memory: no map of the nodes' memory\n");
}

/* Where no core has come back there is no table of what was served. */
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

/* One core of each node may count what a node counts, two of one may not. */
APP_TEST(node_events)
{
    set_two_nodes();
    assert_int_equal(start("menu=no save=no cores=1,2 config=count events=0E0"), 0);
    set_two_nodes();
    assert_int_equal(start("menu=no save=no cores=2,3 config=count events=0E0"), 1);
    assert_shown("0E0: is counted once per node; 2 cores of a node would share the count");
}

RUN_TESTS(fixture_load, NULL)
