/* SPDX-License-Identifier: BSD-2-Clause */
/* ACPI's table of nodes: what is read from it, and what is refused. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "core/platform/srat.h"

static uint8_t table[1 << 16];
static size_t length;
static struct srat srat;

static void put(const uint8_t *entry, size_t size)
{
    memcpy(table + length, entry, size);
    length += size;
}

static void mend(void)
{
    uint8_t sum = 0;

    memcpy(table + 4, &(uint32_t){(uint32_t)length}, 4);
    table[9] = 0;
    for (size_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + table[i]);
    table[9] = (uint8_t)-sum;
}

/* Reads a copy that has exactly these bytes, so that ASan sees a read of one byte more. */
static enum srat_error read_table(size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    enum srat_error error;

    memcpy(copy, table, size);
    error = srat_read(copy, size, &srat);
    free(copy);
    return error;
}

static void begin(void)
{
    memset(table, 0, sizeof table);
    memcpy(table, "SRAT", 4);
    length = 48;
}

#define ENTRY(...) put((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void core(uint8_t id, uint32_t domain, uint8_t flags)
{
    ENTRY(0, 16, (uint8_t)domain, id, flags, 0, 0, 0, 0, (uint8_t)(domain >> 8), (uint8_t)(domain >> 16),
          (uint8_t)(domain >> 24), 0, 0, 0, 0);
}

static void wide_core(uint32_t id, uint32_t domain, uint8_t flags)
{
    uint8_t entry[24] = {2, 24, 0, 0, [12] = flags};

    memcpy(entry + 4, &domain, 4);
    memcpy(entry + 8, &id, 4);
    put(entry, sizeof entry);
}

static void memory(uint32_t domain, uint64_t base, uint64_t size, uint8_t flags)
{
    uint8_t entry[40] = {1, 40, [28] = flags};

    memcpy(entry + 2, &domain, 4);
    memcpy(entry + 8, &base, 8);
    memcpy(entry + 16, &size, 8);
    put(entry, sizeof entry);
}

/* The table has both kinds of cores, domains of 32 bits in any order, and entries that are not enabled. */
TEST(nodes)
{
    begin();
    core(4, 0x01020305, 1);
    core(5, 7, 0);
    memory(2, 0, 0x80000000, 1);
    memory(0x01020305, 0x100000000, 0x40000000, 3);
    memory(9, 0x200000000, 0x40000000, 0); /* could be plugged in */
    memory(9, 0x200000000, 0, 1);
    wide_core(0x10123, 2, 1);
    wide_core(0x124, 3, 0);
    ENTRY(3, 4, 1, 2); /* an entry of another kind */
    mend();
    assert_int_equal(read_table(length), SRAT_OK);
    assert_int_equal(srat.nodes, 2);
    assert_int_equal(srat.domain[0], 2);
    assert_int_equal(srat.domain[1], 0x01020305);
    assert_int_equal(srat.cores, 2);
    assert_int_equal(srat_node_of(&srat, 4), 1);
    assert_int_equal(srat_node_of(&srat, 0x10123), 0);
    assert_int_equal(srat_node_of(&srat, 0x123), -1);
    assert_int_equal(srat_node_of(&srat, 5), -1);
    assert_int_equal(srat.ranges, 2);
    assert_int_equal(srat.range[0].base, 0);
    assert_int_equal(srat.range[0].end, 0x80000000);
    assert_int_equal(srat.range[0].node, 0);
    assert_int_equal(srat.range[1].base, 0x100000000);
    assert_int_equal(srat.range[1].end, 0x140000000);
    assert_int_equal(srat.range[1].node, 1);
}

TEST(damages)
{
    begin();
    core(4, 1, 1);
    mend();
    assert_int_equal(read_table(length), SRAT_OK);
    assert_int_equal(read_table(length - 1), SRAT_LENGTH);
    assert_int_equal(read_table(47), SRAT_LENGTH);
    table[48] ^= 1;
    assert_int_equal(read_table(length), SRAT_CHECKSUM);
    table[48] ^= 1;
    table[0] = 'T';
    assert_int_equal(read_table(length), SRAT_LENGTH);

    static const uint8_t lengths[][2] = {{0, 15}, {1, 39}, {2, 23}, {7, 1}, {7, 0}, {7, 41}};
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        begin();
        put((uint8_t[40]){lengths[i][0], lengths[i][1]}, lengths[i][1] > 1 && lengths[i][1] < 40 ? lengths[i][1] : 40);
        mend();
        assert_int_equal(read_table(length), SRAT_ENTRY);
    }
    begin();
    memory(1, 0xFFFFFFFFFFFFF000, 0x2000, 1);
    mend();
    assert_int_equal(read_table(length), SRAT_ENTRY);
    begin();
    ENTRY(5);
    mend();
    assert_int_equal(read_table(length), SRAT_ENTRY);
}

/* Fills each list to its last place, and then adds one entry more. */
TEST(limits)
{
    for (unsigned more = 0; more < 2; more++) {
        enum srat_error want = more ? SRAT_MANY : SRAT_OK;
        begin();
        for (uint32_t i = 0; i < SRAT_NODES + more; i++)
            wide_core(i, 100 - i, 1);
        mend();
        assert_int_equal(read_table(length), want);
        begin();
        for (uint32_t i = 0; i < SRAT_RANGES + more; i++)
            memory(1, (uint64_t)i << 30, 1 << 30, 1);
        mend();
        assert_int_equal(read_table(length), want);
        begin();
        for (uint32_t i = 0; i < SRAT_CORES + more; i++)
            wide_core(i, i % 3, 1);
        mend();
        assert_int_equal(read_table(length), want);
    }
}

/* ---------------------------------------------------------------- by the root pointer */

/* Physical memory has a root pointer at 16, a list at 64, and the table at 128. */
enum { ROOT = 16, LIST = 64, TABLE = 128 };

static uint8_t physical[1 << 12];

static const void *map(const struct physical_memory *of, uint64_t address, size_t size)
{
    (void)of;
    return address + size <= sizeof physical ? physical + address : NULL;
}

static void make_sum(uint8_t *bytes, size_t size, unsigned where)
{
    uint8_t sum = 0;

    bytes[where] = 0;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + bytes[i]);
    bytes[where] = (uint8_t)-sum;
}

/* Writes the root pointer of ACPI 1.0, and its list of one table: the present one. */
static void place(void)
{
    memset(physical, 0, sizeof physical);
    memcpy(physical + ROOT, "RSD PTR ", 8);
    memcpy(physical + ROOT + 16, &(uint32_t){LIST}, 4);
    make_sum(physical + ROOT, 20, 8);
    memcpy(physical + LIST, "RSDT", 4);
    memcpy(physical + LIST + 4, &(uint32_t){40}, 4);
    memcpy(physical + LIST + 36, &(uint32_t){TABLE}, 4);
    make_sum(physical + LIST, 40, 9);
    memcpy(physical + TABLE, table, length);
}

TEST(found_by_the_root)
{
    const struct physical_memory of = {map};

    begin();
    core(4, 1, 1);
    core(6, 9, 1);
    mend();
    place();
    assert_int_equal(srat_find(&of, ROOT, &srat), SRAT_OK);
    assert_int_equal(srat.cores, 2);
    assert_int_equal(srat_node_of(&srat, 6), 1);
    assert_int_equal(srat_find(&of, 0, &srat), SRAT_MISSING);
    assert_int_equal(srat_find(&of, LIST, &srat), SRAT_MISSING);
    physical[TABLE + 9] ^= 1;
    assert_int_equal(srat_find(&of, ROOT, &srat), SRAT_CHECKSUM);
    physical[TABLE + 4] = 35; /* shorter than a header */
    assert_int_equal(srat_find(&of, ROOT, &srat), SRAT_LENGTH);
    physical[TABLE + 4] = 47;
    assert_int_equal(srat_find(&of, ROOT, &srat), SRAT_LENGTH);
    physical[TABLE + 3] = 'S';
    assert_int_equal(srat_find(&of, ROOT, &srat), SRAT_MISSING);
    physical[LIST + 9] ^= 1;
    assert_int_equal(srat_find(&of, ROOT, &srat), SRAT_MISSING);
}

RUN_TESTS(NULL, NULL)
