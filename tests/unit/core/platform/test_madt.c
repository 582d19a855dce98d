/* SPDX-License-Identifier: BSD-2-Clause */
/* ACPI's table of cores: the way from the root pointer to APIC IDs, and everything that may be wrong on it. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/platform/madt.h"

/* The machine's physical memory: these bytes, from BASE on. */
enum {
    BASE = 0xE0000,
    ROOT = 0xE0010,
    RSDT = 0xE0100,
    XSDT = 0xE0200,
    OTHER = 0xE0300,
    TABLE = 0xE0400,
    BYTES = 0x600
};

static uint8_t bytes[BYTES];

static const void *map(const struct physical_memory *memory, uint64_t address, size_t size)
{
    (void)memory;
    return address >= BASE && address < BASE + BYTES && size <= BASE + BYTES - address ? bytes + address - BASE : NULL;
}

static const struct physical_memory memory = {map};

static uint8_t *at(uint64_t address)
{
    return bytes + address - BASE;
}

static void put(uint64_t address, uint64_t value, unsigned width)
{
    memcpy(at(address), &value, width);
}

/* Sets the byte at 'where' so that the bytes sum to zero. */
static void sum(uint64_t address, size_t size, uint64_t where)
{
    uint8_t total = 0;

    *at(where) = 0;
    for (size_t i = 0; i < size; i++)
        total = (uint8_t)(total + at(address)[i]);
    *at(where) = (uint8_t)-total;
}

static void head(uint64_t address, const char *name, uint32_t length)
{
    memcpy(at(address), name, 4);
    put(address + 4, length, 4);
    sum(address, length, address + 9);
}

static uint32_t table_length;

static void entry(const uint8_t *entry_bytes, size_t size)
{
    memcpy(at(TABLE + table_length), entry_bytes, size);
    table_length += (uint32_t)size;
    head(TABLE, "APIC", table_length);
}

#define ENTRY(...) entry((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void root_sums(void)
{
    sum(ROOT, 20, ROOT + 8);
    sum(ROOT, 36, ROOT + 32);
}

/* Makes a machine with two cores and an I/O APIC, which both lists name. */
static int set_up(void **state)
{
    memset(bytes, 0, sizeof(bytes));
    memcpy(at(ROOT), "RSD PTR ", 8);
    *at(ROOT + 15) = 2;
    put(ROOT + 16, RSDT, 4);
    put(ROOT + 20, 36, 4);
    put(ROOT + 24, XSDT, 8);
    root_sums();
    put(RSDT + 36, OTHER, 4);
    put(RSDT + 40, TABLE, 4);
    head(RSDT, "RSDT", 44);
    put(XSDT + 36, OTHER, 8);
    put(XSDT + 44, TABLE, 8);
    head(XSDT, "XSDT", 52);
    head(OTHER, "FACP", 36);
    table_length = 44;
    ENTRY(0, 8, 1, 0x10, 1, 0, 0, 0);
    ENTRY(1, 12, 2, 0, 0, 0, 0xC0, 0xFE, 0, 0, 0, 0);
    ENTRY(0, 8, 2, 0x11, 1, 0, 0, 0);
    return 0;
}

static struct madt found(void)
{
    struct madt madt = {0};

    assert_int_equal(madt_find(&memory, ROOT, &madt), MADT_OK);
    return madt;
}

TEST_WITH(cores, set_up, NULL)
{
    struct madt madt = found();

    assert_int_equal(madt.cores, 2);
    assert_int_equal(madt.apic_id[0], 0x10);
    assert_int_equal(madt.apic_id[1], 0x11);
    assert_int_equal(madt.disabled + madt.capable + madt.beyond, 0);
}

/* Both types of entries, entries that are not enabled, that only x2APIC reaches or that are no cores, and a core that
 * is listed twice. */
TEST_WITH(kinds_of_entries, set_up, NULL)
{
    struct madt madt;

    ENTRY(0, 8, 3, 0x12, 0, 0, 0, 0);                                   /* not enabled */
    ENTRY(0, 8, 4, 0x13, 2, 0, 0, 0);                                   /* could be plugged in */
    ENTRY(0, 8, 5, 0x14, 3, 0, 0, 0);                                   /* enabled, whatever the other bits are */
    ENTRY(0, 8, 6, 0xFF, 1, 0, 0, 0);                                   /* the address of all cores */
    ENTRY(9, 16, 0, 0, 0xFE, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0);          /* the last one of xAPIC */
    ENTRY(9, 16, 0, 0, 0x20, 1, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0);          /* 120h */
    ENTRY(9, 16, 0, 0, 0x11, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0);          /* again */
    ENTRY(9, 16, 0, 0, 0xFF, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0);          /* the number of a core in x2APIC mode */
    ENTRY(9, 16, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 9, 0, 0, 0); /* the address of all cores */
    ENTRY(9, 16, 0, 0, 0x30, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0);          /* not enabled */
    ENTRY(0xC7, 2);                                                     /* unknown */
    madt = found();
    assert_int_equal(madt.cores, 6);
    assert_memory_equal(madt.apic_id, ((const uint32_t[]){0x10, 0x11, 0x14, 0xFE, 0x120, 0xFF}), 6 * 4);
    assert_int_equal(madt.disabled, 3);
    assert_int_equal(madt.capable, 1);
    assert_int_equal(madt.beyond, 2);
}

/* The table lists every APIC ID. */
TEST_WITH(all_ids, set_up, NULL)
{
    static uint8_t table[44 + 8 * 256];
    struct madt madt;
    uint8_t total = 0;
    uint32_t length = sizeof(table);

    memcpy(table, "APIC", 4);
    memcpy(table + 4, &length, 4);
    for (unsigned i = 0; i < 256; i++)
        memcpy(table + 44 + 8 * i, ((const uint8_t[]){0, 8, 0, (uint8_t)i, 1, 0, 0, 0}), 8);
    for (size_t i = 0; i < sizeof(table); i++)
        total = (uint8_t)(total + table[i]);
    table[9] = (uint8_t)-total;
    assert_int_equal(madt_read(table, sizeof(table), &madt), MADT_OK);
    assert_int_equal(madt.cores, 255);
    assert_int_equal(madt.apic_id[254], 254);
    assert_int_equal(madt.beyond, 0);
}

/* If there are more cores than there is room for, the first are kept, and the others are counted. */
TEST_WITH(many_cores, set_up, NULL)
{
    enum { CORES = MADT_CORES + 3 };
    static uint8_t table[44 + 16 * CORES];
    static struct madt madt;
    uint8_t total = 0;
    uint32_t length = sizeof(table);

    memcpy(table, "APIC", 4);
    memcpy(table + 4, &length, 4);
    for (uint32_t i = 0; i < CORES; i++) {
        uint8_t *entry = table + 44 + 16 * i;
        memcpy(entry, ((const uint8_t[]){9, 16, 0, 0, 0, 0, 0, 0, 1}), 9);
        memcpy(entry + 4, &(uint32_t){i * 4}, 4);
    }
    for (size_t i = 0; i < sizeof(table); i++)
        total = (uint8_t)(total + table[i]);
    table[9] = (uint8_t)-total;
    assert_int_equal(madt_read(table, sizeof(table), &madt), MADT_OK);
    assert_int_equal(madt.cores, MADT_CORES);
    assert_int_equal(madt.apic_id[MADT_CORES - 1], 4 * (MADT_CORES - 1));
    assert_int_equal(madt.beyond, CORES - 64);
    assert_int_equal(madt.more, 3);
}

/* Checks that each defect is refused by its own name, and that nothing is stored. */
static void refuse(enum madt_error want)
{
    struct madt madt = {.cores = 77};
    enum madt_error error = madt_find(&memory, ROOT, &madt);

    if (error != want)
        fail_msg("'%s', wanted '%s'", madt_error_text(error), madt_error_text(want));
    assert_int_equal(madt.cores, 77);
    (void)set_up(NULL);
}

TEST_WITH(damaged_roots, set_up, NULL)
{
    struct madt madt;

    assert_int_equal(madt_find(&memory, 0, &madt), MADT_NO_ROOT);
    assert_int_equal(madt_find(&memory, 0x1000, &madt), MADT_NO_ROOT);
    *at(ROOT) = 'r';
    root_sums();
    refuse(MADT_NO_ROOT);
    *at(ROOT + 9) ^= 1;
    refuse(MADT_NO_ROOT);
}

/* The root pointer has 20 bytes, or 36 with the newer list; a pointer without its last bytes leads to the older
 * list. */
TEST_WITH(roots_at_the_end_of_memory, set_up, NULL)
{
    for (unsigned left = 36; left > 15; left--) {
        uint64_t root = BASE + BYTES - left;
        struct madt madt = {.cores = 77};
        uint8_t whole[36];

        (void)set_up(NULL);
        put(RSDT + 40, OTHER, 4); /* the other table has no cores */
        head(RSDT, "RSDT", 44);
        memcpy(whole, at(ROOT), sizeof(whole));
        memcpy(at(root), whole, left);
        assert_int_equal(madt_find(&memory, root, &madt), left >= 36   ? MADT_OK
                                                          : left >= 20 ? MADT_MISSING
                                                                       : MADT_NO_ROOT);
        assert_int_equal(madt.cores, left >= 36 ? 2 : 77);
    }
}

/* The older list is used alone, by revision, or if the newer list is damaged. */
TEST_WITH(lists, set_up, NULL)
{
    *at(ROOT + 15) = 0;
    put(ROOT + 24, 0x123456789, 8);
    root_sums();
    assert_int_equal(found().cores, 2);
    (void)set_up(NULL);
    *at(ROOT + 15) = 1; /* the newer list is of revision 2 */
    root_sums();
    put(XSDT + 44, 0, 8);
    head(XSDT, "XSDT", 52);
    assert_int_equal(found().cores, 2);
    *at(ROOT + 15) = 2;
    root_sums();
    refuse(MADT_MISSING);
    *at(XSDT + 9) ^= 1;
    assert_int_equal(found().cores, 2);
    *at(RSDT + 9) ^= 1;
    refuse(MADT_NO_TABLES);
    (void)set_up(NULL); /* lists with another name, or too short for one */
    put(XSDT + 36, 0, 8);
    put(XSDT + 44, 0, 8);
    head(XSDT, "YSDT", 52);
    assert_int_equal(found().cores, 2);
    head(XSDT, "XSDT", 35);
    assert_int_equal(found().cores, 2);
    head(RSDT, "YSDT", 44);
    refuse(MADT_NO_TABLES);
    (void)set_up(NULL);
    *at(XSDT + 9) ^= 1;
    *at(ROOT + 32) ^= 1; /* only the checksum of the long form is wrong */
    put(RSDT + 40, OTHER, 4);
    head(RSDT, "RSDT", 44);
    refuse(MADT_MISSING);
    put(ROOT + 20, 35, 4);
    root_sums();
    put(RSDT + 40, OTHER, 4);
    head(RSDT, "RSDT", 44);
    refuse(MADT_MISSING);
    put(XSDT + 44, 0, 8); /* one list is empty, the other leads nowhere */
    put(XSDT + 36, 0x77777777, 8);
    head(XSDT, "XSDT", 52);
    refuse(MADT_MISSING);
    head(XSDT, "XSDT", 51); /* the last entry of the list is cut off */
    refuse(MADT_MISSING);
    head(XSDT, "XSDT", 36);
    refuse(MADT_MISSING);
    put(XSDT + 4, 35, 4);
    put(RSDT + 4, 2 << 20, 4);
    refuse(MADT_NO_TABLES);
    put(ROOT + 24, BASE + BYTES - 4, 8); /* no memory behind the table's name */
    put(ROOT + 16, BASE + BYTES - 4, 4);
    root_sums();
    memcpy(at(BASE + BYTES - 4), "RSDT", 4);
    refuse(MADT_NO_TABLES);
    *at(XSDT + 9) ^= 1;
    put(RSDT + 36, BASE + BYTES - 4, 4);
    put(RSDT + 40, BASE + BYTES - 4, 4);
    head(RSDT, "RSDT", 44);
    memcpy(at(BASE + BYTES - 4), "APIC", 4);
    refuse(MADT_MISSING);
}

TEST_WITH(damaged_tables, set_up, NULL)
{
    static const uint32_t lengths[] = {0, 35, 36, 43, 1u << 30, 0xFFFFFFFF};
    struct madt madt;

    for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        put(TABLE + 4, lengths[i], 4);
        refuse(MADT_LENGTH);
    }
    assert_int_equal(madt_read(at(TABLE), table_length - 1, &madt), MADT_LENGTH);
    head(TABLE, "APIC", 45); /* a byte of an entry, and no more memory */
    uint8_t *exact = memcpy(malloc(45), at(TABLE), 45);
    assert_int_equal(madt_read(exact, 45, &madt), MADT_ENTRY);
    free(exact);
    (void)set_up(NULL);
    *at(TABLE + 60) ^= 1;
    refuse(MADT_CHECKSUM);
    ENTRY(0, 7, 1, 0x12, 1, 0, 0);
    refuse(MADT_ENTRY);
    ENTRY(9, 15, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0);
    refuse(MADT_ENTRY);
    ENTRY(0, 9, 1, 0x12, 1, 0, 0, 0); /* an entry that reaches one byte beyond the end */
    refuse(MADT_ENTRY);
    ENTRY(0x40, 0);
    refuse(MADT_ENTRY);
    ENTRY(0x40, 1);
    refuse(MADT_ENTRY);
    ENTRY(0x40, 1, 2); /* refused, although the two bytes after the first would be an entry */
    refuse(MADT_ENTRY);
    ENTRY(0x40);
    refuse(MADT_ENTRY);
    ENTRY(0x40, 2); /* the shortest possible entry */
    assert_int_equal(found().cores, 2);
}

TEST_WITH(texts, set_up, NULL)
{
    for (unsigned i = 0; i <= MADT_ENTRY; i++)
        assert_true(madt_error_text((enum madt_error)i)[0] != '\0');
    assert_string_equal(madt_error_text((enum madt_error)(MADT_ENTRY + 1)), "unknown error");
}

RUN_TESTS(NULL, NULL)
