/* SPDX-License-Identifier: BSD-2-Clause */
/* The probe of northbridges: nodes, their memory, and the node of each core. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "drivers/machine/machine.h"

enum { NODE_PRESENT = 0x12031022, MAP = 0x12011022, MAP_RANGES = 8 };

TEST(test_found)
{
    struct machine m;
    fake_reset(8);
    fake.node_id[1] = NODE_PRESENT;
    fake.node_id[2] = 0x16031022; /* Family 15h */
    fake.node_id[7] = NODE_PRESENT;
    fake_clear_log();
    machine_probe(&m);
    assert_non_null(strstr(fake.log, "out cf8 8000fb00")); /* device 1Fh is the last one */
    assert_non_null(strstr(fake.log, "out cf8 8000c100")); /* node 0's map of memory */
    assert_null(strstr(fake.log, "out cf8 80010300"));
    assert_int_equal(m.nodes.count, 3);
    assert_int_equal(m.nodes.mask, 0x83);
    assert_int_equal(m.nodes.ranges, 0); /* no function 1 */
    assert_false(nodes_matter(&m.nodes));
    assert_int_equal(nodes_of_address(&m.nodes, 0x1000), NODE_UNKNOWN);
    assert_int_equal(fake.cf8, 0x80000CAC); /* restored */
}

/* Two nodes of 4 GB and 2 GB, and a third without memory. */
static void two_nodes(struct machine *m)
{
    static const uint32_t map[16] = {0x00000003, 0x00FF0000, 0x01000003, 0x017F0001, 0, 0x00000002};
    fake_reset(4);
    fake.node_id[1] = fake.node_id[2] = NODE_PRESENT;
    fake.map_id = MAP;
    for (unsigned i = 0; i < 16; i++)
        fake.map[i] = map[i];
    machine_probe(m);
}

TEST(test_memory)
{
    static const struct {
        uint64_t address;
        int node;
    } rows[] = {{0, 0}, {0xFFFFFFFF, 0}, {0x100000000, 1}, {0x17FFFFFFF, 1}, {0x180000000, NODE_UNKNOWN}};
    struct machine m;
    two_nodes(&m);
    assert_int_equal(m.nodes.ranges, 2);
    assert_true(nodes_matter(&m.nodes));
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(nodes_of_address(&m.nodes, rows[i].address), rows[i].node);
}

/* If there is one node, or one range of addresses, all memory is near. */
TEST(test_what_matters)
{
    for (uint32_t count = 0; count < 4; count++)
        for (uint32_t ranges = 0; ranges < 4; ranges++) {
            struct nodes nodes = {.count = count, .ranges = ranges};
            assert_int_equal(nodes_matter(&nodes), count >= 2 && ranges >= 2);
            nodes.interleaved = true;
            assert_false(nodes_matter(&nodes));
        }
}

/* Interleaved memory is near to no node. A range that cannot be read or written does not count. */
TEST(test_other_maps)
{
    struct machine m;
    two_nodes(&m);
    fake.map[0] |= 1 << 8;
    machine_probe(&m);
    assert_true(m.nodes.interleaved);
    assert_false(nodes_matter(&m.nodes));
    assert_int_equal(nodes_of_address(&m.nodes, 0), NODE_UNKNOWN);
    two_nodes(&m);
    fake.map[2] &= ~3u;
    machine_probe(&m);
    assert_int_equal(m.nodes.ranges, 1);
    assert_false(nodes_matter(&m.nodes));
    two_nodes(&m);
    fake.map[2] = 0x01800003; /* ends where it begins: an empty range */
    machine_probe(&m);
    assert_int_equal(m.nodes.ranges, 1);
    two_nodes(&m);
    fake.map[2] = 0x017F0003; /* 16 MB */
    machine_probe(&m);
    assert_int_equal(m.nodes.ranges, 2);
    two_nodes(&m);
    fake.node_id[0] = 0; /* the first existing node is read */
    machine_probe(&m);
    assert_int_equal(m.nodes.ranges, 2);
}

/* The map has a range in each register; addresses before, in and after each range are looked up. */
TEST(test_full_map)
{
    struct machine m;
    two_nodes(&m);
    for (unsigned i = 0; i < MAP_RANGES; i++) {
        fake.map[2 * i] = (2 * i + 1) << 16 | 3;
        fake.map[2 * i + 1] = (2 * i + 1) << 16 | (7 - i);
    }
    machine_probe(&m);
    assert_int_equal(m.nodes.ranges, MAP_RANGES);
    for (unsigned i = 0; i < MAP_RANGES; i++) {
        uint64_t base = (2ull * i + 1) << 24;
        assert_int_equal(nodes_of_address(&m.nodes, base - 1), NODE_UNKNOWN);
        assert_int_equal(nodes_of_address(&m.nodes, base), 7 - i);
        assert_int_equal(nodes_of_address(&m.nodes, base + 0xFFFFFF), 7 - i);
        assert_int_equal(nodes_of_address(&m.nodes, base + 0x1000000), NODE_UNKNOWN);
    }
}

struct core_row {
    uint32_t ecx;     /* of CPUID 8000_0008h */
    uint64_t node_id; /* MSR C001_100C; 0: there is none */
    uint32_t first, apic_id, node;
};

TEST(test_cores)
{
    static const struct core_row rows[] = {
        {0x2003, 0, 0, 3, 0},       {0x2003, 0, 0, 4, 1},       {0x2003, 0, 0, 15, 3},
        {0x0003, 0, 0, 7, 1},       {0x3005, 0, 0, 8, 1},       {0x0000, 0, 0, 1, 1},
        {0x2003, 0, 0x10, 0x13, 0}, {0x2003, 0, 0x10, 0x14, 1}, /* the firmware's first APIC ID is not 0 */
        {0x400B, 8, 0, 5, 0},       {0x400B, 8, 0, 6, 1},       {0x400B, 8, 0, 0x16, 3}, /* two nodes of six cores */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        fake_reset(9);
        fake_set_leaf(0x80000008, 0x3030, 0, rows[i].ecx, 0);
        fake_set_leaf(1, 0x00100F93, rows[i].first << 24, 0x00802009, 0x178BFBFF);
        if (rows[i].node_id) {
            fake_set_leaf(0x80000001, 0, 0, 1u << 10 | 1u << 19, 0);
            fake_add_msr(0xC001100C, rows[i].node_id, 0);
        }
        machine_probe(&m);
        if (nodes_of_core(&m, rows[i].apic_id) != rows[i].node)
            fail_msg("row %u: node %u", i, nodes_of_core(&m, rows[i].apic_id));
        if (!rows[i].node_id)
            assert_int_equal(nodes_own(&m, rows[i].apic_id), rows[i].node);
    }
}

/* Bits 2:0 of an APIC ID are the node if there are several processors and the firmware left NB_CFG[54] clear. */
TEST(test_nodes_in_low_bits)
{
    static const struct {
        uint64_t nb_cfg;
        bool second;
        uint32_t apic_id, node;
    } rows[] = {{0, true, 0x00, 0},
                {0, true, 0x01, 1},
                {0, true, 0xC0, 0},
                {0, true, 0xC1, 1},
                {0x0040000000000000, true, 1, 0},
                {0x0040000000000000, true, 4, 1},
                {0xFFBFFFFFFFFFFFFF, true, 1, 1},
                {0, false, 1, 0}}; /* with one node the bits tell nothing */
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        fake_reset(4);
        fake_msr(0xC001001F)->value = rows[i].nb_cfg;
        if (rows[i].second)
            fake.node_id[1] = NODE_PRESENT;
        machine_probe(&m);
        assert_int_equal(m.nodes.node_low, rows[i].second && !(rows[i].nb_cfg >> 54 & 1));
        assert_int_equal(nodes_of_core(&m, rows[i].apic_id), rows[i].node);
    }
}

/* With as many nodes as the processor has cores each core has its own node; with more, or before the search, all belong
 * to the first. */
TEST(test_cores_of_a_small_processor)
{
    struct machine m = {.cores = 2, .core_bits = 1, .nodes = {.of_processor = 2}};
    assert_int_equal(nodes_of_core(&m, 0), 0);
    assert_int_equal(nodes_of_core(&m, 1), 1);
    assert_int_equal(nodes_of_core(&m, 3), 3);
    m.cores = 1;
    assert_int_equal(nodes_of_core(&m, 1), 0);
    assert_int_equal(nodes_of_core(&m, 2), 2);
    m.nodes.of_processor = 0;
    assert_int_equal(nodes_of_core(&m, 3), 0);
}

/* On a processor with two nodes a core's own register is more reliable than its APIC ID. */
TEST(test_own)
{
    struct machine m;
    fake_reset(9);
    fake_set_leaf(0x80000001, 0, 0, 1u << 10 | 1u << 19, 0);
    fake_add_msr(0xC001100C, 8 | 5, 0);
    machine_probe(&m);
    assert_int_equal(m.nodes.of_processor, 2);
    assert_int_equal(nodes_own(&m, 0), 5);
}

/* From Family 17h on CPUID tells the own node, and ACPI's table, whose node 1 has the APIC IDs 2 and 3, the others'
 * nodes and memory. */
TEST(nodes_by_cpuid)
{
    static struct machine machine;
    static struct srat srat = {.nodes = 2, .cores = 4, .ranges = 3};
    for (uint32_t i = 0; i < 4; i++) {
        srat.core[i].apic_id = i;
        srat.core[i].node = i / 2;
    }
    for (uint32_t i = 0; i < 3; i++) {
        srat.range[i].base = (uint64_t)i << 32;
        srat.range[i].end = ((uint64_t)i + 1) << 32;
        srat.range[i].node = i == 1;
    }
    fake_machine(&machine, 4);
    struct nodes northbridges = machine.nodes;
    nodes_take(&machine, &srat); /* on Family 10h northbridges tell */
    assert_memory_equal(&machine.nodes, &northbridges, sizeof northbridges);

    machine.row = ibs_family_of(0x17, 0x31);
    machine.max_extended_leaf = 0x8000001E;
    machine.extended_ecx = 1 << 22;
    fake_set_leaf(0x8000001E, 0x45, 0x102, 0x103, 0);
    nodes_take(&machine, NULL);
    assert_int_equal(machine.nodes.count, 0);
    assert_int_equal(machine.nodes.of_processor, 2);
    assert_int_equal(nodes_own(&machine, 0), 3);
    assert_int_equal(nodes_of_core(&machine, 3), 0);
    assert_false(nodes_matter(&machine.nodes));

    nodes_take(&machine, &srat);
    assert_int_equal(machine.nodes.count, 2);
    assert_int_equal(machine.nodes.mask, 0);
    assert_int_equal(nodes_own(&machine, 2), 1);
    assert_int_equal(nodes_of_core(&machine, 1), 0);
    assert_int_equal(nodes_of_core(&machine, 3), 1);
    assert_int_equal(nodes_of_core(&machine, 9), 0); /* an ID that is not in the table */
    assert_int_equal(nodes_of_address(&machine.nodes, 0x1FFFFFFFFull), 1);
    assert_int_equal(nodes_of_address(&machine.nodes, 0x200000000ull), 0);
    assert_int_equal(nodes_of_address(&machine.nodes, 0x300000000ull), NODE_UNKNOWN);
    assert_true(nodes_matter(&machine.nodes));

    /* The probe does this without a table. */
    fake_reset_later(FAKE_ZEN);
    fake_set_leaf(0x8000001E, 0x45, 0x102, 0x103, 0);
    struct machine probed;
    machine_probe(&probed);
    assert_int_equal(probed.nodes.of_processor, probed.extended_ecx >> 22 & 1 ? 2 : 1);
    assert_int_equal(probed.nodes.boot_apic_id, machine_apic_id());

    machine.extended_ecx = 0; /* no such leaf */
    nodes_take(&machine, NULL);
    assert_int_equal(machine.nodes.of_processor, 1);
    assert_int_equal(nodes_own(&machine, 0), 0);
}

/* Listed IDs that the firmware has raised: with the boot core, without it, or none of them. */
TEST(lifted)
{
    static const struct {
        uint32_t nodes, of_processor, cores, core_bits, first; /* first: the boot core's ID by CPUID */
        struct nodes_ids ids;
        uint32_t lift;
        struct {
            uint32_t id;
            int node;
        } core[3];
    } rows[] = {
        /* two nodes of four */
        {2, 1, 4, 2, 0, {0, 1, 7}, 0, {{1, 0}, {3, 0}, {4, 1}}},
        {2, 1, 4, 2, 0, {1, 2, 8}, 1, {{4, 0}, {5, 1}, {8, 1}}},
        {2, 1, 4, 2, 0, {0, 2, 8}, 1, {{4, 0}, {5, 1}, {8, 1}}},
        {2, 1, 4, 2, 0, {8, 9, 15}, 8, {{9, 0}, {11, 0}, {12, 1}}},
        {2, 1, 4, 2, 0, {0, 9, 15}, 8, {{9, 0}, {11, 0}, {12, 1}}},
        {2, 1, 4, 2, 0, {0x10, 0x11, 0x17}, 0x10, {{0x11, 0}, {0x13, 0}, {0x14, 1}}},
        {2, 1, 4, 2, 0, {0, 0x11, 0x17}, 0x10, {{0x11, 0}, {0x13, 0}, {0x14, 1}}},
        {2, 1, 4, 2, 0x10, {0x10, 0x11, 0x17}, 0, {{0x11, 0}, {0x13, 0}, {0x14, 1}}}, /* CPUID agrees */
        {2, 1, 4, 2, 0x10, {0x18, 0x19, 0x1F}, 8, {{0x19, 0}, {0x1B, 0}, {0x1C, 1}}},
        {2, 1, 4, 2, 0x10, {0x10, 0x12, 0x18}, 1, {{0x12, 0}, {0x14, 0}, {0x15, 1}}},
        /* the list is shorter than the machine, or another machine's: the IDs stay as they are, and no node is used
         * that does not exist */
        {2, 1, 4, 2, 0, {0, 4, 7}, 0, {{4, 1}, {7, 1}, {8, NODE_UNKNOWN}}},
        {2, 1, 4, 2, 0, {0, 0x11, 0x19}, 0, {{0x11, NODE_UNKNOWN}, {7, 1}, {3, 0}}},
        {2, 1, 4, 2, 0, {0, 0x11, 0x16}, 0x10, {{0x17, 1}, {0x18, NODE_UNKNOWN}, {0x13, 0}}},
        {2, 1, 4, 2, 0, {0, UINT32_MAX, 0}, 0, {{7, 1}, {8, NODE_UNKNOWN}, {0, 0}}},
        {2, 1, 4, 2, 0, {0, 0, 8}, 0, {{4, 1}, {7, 1}, {0, 0}}},
        /* one core each; and two processors with two nodes of six cores */
        {2, 1, 1, 1, 0, {0, 2, 2}, 0, {{2, 1}, {4, NODE_UNKNOWN}, {0, 0}}},
        {2, 1, 1, 1, 0, {0, 0x12, 0x12}, 0x10, {{0x12, 1}, {0x10, 0}, {0x14, NODE_UNKNOWN}}},
        {4, 2, 12, 4, 0, {0, 1, 0x1B}, 0, {{5, 0}, {6, 1}, {0x16, 3}}},
        {4, 2, 12, 4, 0, {0, 0x21, 0x3B}, 0x20, {{0x25, 0}, {0x26, 1}, {0x36, 3}}},
        {4, 2, 12, 4, 0, {0x20, 0x21, 0x3B}, 0x20, {{0x25, 0}, {0x26, 1}, {0x36, 3}}},
        /* with one node the IDs tell nothing */
        {1, 1, 4, 2, 0, {0, 0x11, 0x13}, 0, {{3, 0}, {1, 0}, {0, 0}}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m = {
            .cores = rows[i].cores,
            .core_bits = rows[i].core_bits,
            .nodes = {.count = rows[i].nodes, .of_processor = rows[i].of_processor, .boot_apic_id = rows[i].first}};
        if (nodes_lift(&m, &rows[i].ids) != rows[i].lift)
            fail_msg("row %u: lifted by %x", i, nodes_lift(&m, &rows[i].ids));
        for (unsigned c = 0; c < 3; c++)
            if (nodes_of_listed(&m, rows[i].core[c].id, rows[i].lift) != rows[i].core[c].node)
                fail_msg("row %u: core %x: node %d", i, rows[i].core[c].id,
                         nodes_of_listed(&m, rows[i].core[c].id, rows[i].lift));
        m.nodes.node_low =
            true; /* the node is then in the low bits: only the boot core's ID tells how far IDs were raised */
        assert_int_equal(nodes_lift(&m, &rows[i].ids),
                         rows[i].nodes > 1 && rows[i].ids.boot != rows[i].first ? rows[i].ids.boot - rows[i].first : 0);
    }
}

/* ACPI's table has the IDs of the list. */
TEST(lifted_in_a_table)
{
    static struct srat srat = {.nodes = 2, .cores = 2, .core = {{0x10, 0}, {0x14, 1}}};
    struct machine m = {.cores = 4, .core_bits = 2, .nodes = {.count = 2, .of_processor = 1, .srat = &srat}};
    assert_int_equal(nodes_lift(&m, &(struct nodes_ids){0x10, 0x11, 0x17}), 0);
    assert_int_equal(nodes_of_listed(&m, 0x10, 0), 0);
    assert_int_equal(nodes_of_listed(&m, 0x14, 0), 1);
    assert_int_equal(nodes_of_listed(&m, 4, 0), NODE_UNKNOWN);
}

RUN_TESTS(NULL, NULL)
