/* SPDX-License-Identifier: BSD-2-Clause */
/* The page tables are walked as the processor walks them. */
#include "tests/unit/drivers/fake_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "core/code/code.h"
#include "drivers/cpu/paging.h"

#define KB4     0x1000ull
#define MB2     0x200000ull
#define GB1     0x40000000ull
#define ADDRESS 0x000FFFFFFFFFF000ull

#define LA57 (1ull << 12)

static bool five; /* number of levels, in tests with both */

/* Resets to a processor with four or five levels of page tables, as the firmware left it. */
static void reset(void)
{
    static _Alignas(4096) uint64_t top[512];
    fake_reset(4);
    if (!five)
        return;
    memset(top, 0, sizeof top);
    top[0] = (uintptr_t)fake.firmware_pml4 | 0x23;
    top[256] = 0x7000023;
    fake.cr3 = (uintptr_t)top;
    fake.cr4 |= LA57;
}

struct walk {
    uint64_t physical;
    unsigned shift; /* log2 of the page's size, 0: not mapped */
    uint64_t leaf;
};

/* Walks the tables (AMD APM vol. 2 section 5.3), which are at their physical addresses. */
static struct walk walk(uint64_t cr3, uint64_t linear)
{
    struct walk result = {0};
    uint64_t table = cr3 & ADDRESS;
    for (unsigned shift = fake.cr4 & LA57 ? 48 : 39; shift >= 12; shift -= 9) {
        uint64_t entry = ((const uint64_t *)(uintptr_t)table)[linear >> shift & 511];
        if (!(entry & 1))
            return result;
        if (shift == 12 || (shift < 39 && entry & 0x80)) {
            uint64_t offset = (1ull << shift) - 1;
            result.physical = (entry & ADDRESS & ~offset) | (linear & offset);
            result.shift = shift;
            result.leaf = entry;
            return result;
        }
        /* Entries above the leaves are present, writable and accessed; they have neither user nor NX, nor a memory
         * type. */
        assert_int_equal(entry & ~ADDRESS, 0x23);
        table = entry & ADDRESS;
    }
    return result;
}

static void *table_memory;

static struct paging_plan plan_for(enum paging_kind kind, uint64_t physical, uint64_t size, bool shuffle)
{
    struct paging_plan plan = {.kind = kind, .physical = physical, .size = size, .shuffle = shuffle, .seed = 5};
    plan.memory_size = paging_memory_needed(size, kind);
    free(table_memory);
    table_memory = aligned_alloc(4096, plan.memory_size); /* the exact size, so that ASan sees one word more */
    memset(table_memory, 0xFF, plan.memory_size);
    plan.memory = table_memory;
    return plan;
}

struct row {
    enum paging_kind kind;
    uint64_t physical, size;
    bool shuffle;
    unsigned shift;
};

static const struct row rows[] = {
    {PAGING_4K, 3 * MB2, 64 * KB4, false, 12},
    {PAGING_4K, 3 * MB2, 8 * MB2 + 3 * KB4, false, 12},
    {PAGING_4K, 3 * MB2, 8 * MB2 + 3 * KB4, true, 12},
    {PAGING_4K, GB1 - MB2, GB1 + 2 * MB2, true, 12}, /* more than one page directory */
    {PAGING_2M, 7 * MB2, 64 * KB4, false, 21},
    {PAGING_2M, 7 * MB2, 20 * MB2 + KB4, true, 21},
    {PAGING_2M, GB1 - MB2, 3 * GB1, false, 21},
    {PAGING_1G, 5 * GB1, 64 * KB4, false, 30},
    {PAGING_1G, 5 * GB1 + 500 * MB2, 100 * MB2, false, 30}, /* reaches into a second page */
};

TEST(test_every_page_is_mapped)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        reset();
        struct paging_plan plan = plan_for(row->kind, row->physical, row->size, row->shuffle);
        uint64_t cr3, arena, page = 1ull << row->shift;
        assert_int_equal(paging_check(&plan, true), SESSION_OK);
        assert_int_equal(paging_build(&plan, fake.cr3 | 0x18, true, &cr3, &arena), SESSION_OK);
        assert_int_equal(cr3 & 0xFFF, 0x18);
        assert_int_equal(arena >> 39, 128);
        assert_int_equal(arena % MB2, row->physical % MB2);

        uint64_t frames = (row->size + row->physical % page + page - 1) / page, moved = 0;
        uint64_t first = row->physical & ~(page - 1);
        uint8_t *seen = calloc(frames, 1);
        for (uint64_t at = 0; at < row->size; at += KB4) {
            struct walk w = walk(cr3, arena + at);
            assert_int_equal(w.shift, row->shift);
            /* NX, dirty, accessed, writable, present; large where the page is; supervisor, write-back */
            assert_int_equal(w.leaf & ~ADDRESS, 0x8000000000000063ull | (row->shift > 12 ? 0x80 : 0));
            assert_in_range(w.physical, first, first + frames * page - 1);
            if (!row->shuffle)
                assert_int_equal(w.physical, row->physical + at);
            moved += w.physical != row->physical + at;
            if (at % page == 0)
                seen[(w.physical - first) / page]++;
        }
        if (row->physical % page == 0) /* each frame occurs once */
            for (uint64_t f = 0; f < frames; f++)
                assert_int_equal(seen[f], 1);
        if (row->shuffle)
            assert_true(moved > row->size / KB4 / 2);
        free(seen);
        /* nothing is mapped beyond the last page, or before the first */
        assert_int_equal(walk(cr3, (arena & ~(page - 1)) + frames * page).shift, 0);
        assert_int_equal(walk(cr3, (arena & ~(page - 1)) - 1).shift, 0);
    }
}

/* Each of two pages can be the first one. */
TEST(test_every_order_is_possible)
{
    unsigned first = 0;
    for (unsigned seed = 0; seed < 100; seed++) {
        struct paging_plan plan = plan_for(PAGING_4K, 3 * MB2, 2 * KB4, true);
        uint64_t cr3, arena;
        plan.seed = seed;
        fake_reset(4);
        assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_OK);
        first += walk(cr3, arena).physical == 3 * MB2;
    }
    assert_in_range(first, 30, 70);
}

TEST(test_firmware_mapping_stays)
{
    struct paging_plan plan = plan_for(PAGING_4K, MB2, MB2, false);
    uint64_t cr3, arena;
    fake_reset(4);
    fake.firmware_pml4[128] = 0x2063; /* this slot is used, so the next is chosen */
    fake.firmware_pml4[511] = 0x3063;
    assert_int_equal(paging_build(&plan, fake.cr3, false, &cr3, &arena), SESSION_OK);
    assert_int_equal(arena >> 39, 129);
    const uint64_t *pml4 = (const uint64_t *)(uintptr_t)cr3;
    for (unsigned i = 1; i < 512; i++) /* test_nothing_at_null() has the first */
        if (i != 129)
            assert_int_equal(pml4[i], fake.firmware_pml4[i]);
    assert_int_equal(walk(cr3, arena).leaf >> 63, 0); /* no NX bit if EFER.NXE is off: the bit would be reserved */
    for (unsigned i = 128; i < 255; i++)
        fake.firmware_pml4[i] = 1;
    assert_int_equal(paging_build(&plan, fake.cr3, false, &cr3, &arena), SESSION_OK);
    assert_int_equal(arena >> 39, 255); /* the last slot of the lower half */
    fake.firmware_pml4[255] = 1;
    assert_int_equal(paging_build(&plan, fake.cr3, false, &cr3, &arena), SESSION_OK);
    assert_int_equal(arena >> 39, 127); /* then downwards */
    for (unsigned i = 2; i < 128; i++)
        fake.firmware_pml4[i] = 1;
    assert_int_equal(paging_build(&plan, fake.cr3, false, &cr3, &arena), SESSION_OK);
    assert_int_equal(arena >> 39, 1);
    fake.firmware_pml4[1] = 1;
    fake.firmware_pml4[0] = 0; /* and the first slot is never chosen */
    assert_int_equal(paging_build(&plan, fake.cr3, false, &cr3, &arena), SESSION_NO_PML4_SLOT);
}

/* Makes firmware that maps everything that the processor can address: each entry of each upper table is present. */
static void map_everything(uint64_t *directories)
{
    reset();
    for (uint64_t i = 0; i < 512; i++) {
        directories[i] = i * GB1 | 0xE3;
        fake.firmware_pml4[i] = (uintptr_t)directories | 0x23;
        if (five)
            ((uint64_t *)(uintptr_t)fake.cr3)[i] = (uintptr_t)fake.firmware_pml4 | 0x23;
    }
}

/* Returns the slot of the arena, or 0 if there was none and the tables in force are unchanged. */
static unsigned slot_of(struct paging_plan *plan)
{
    uint64_t cr3, arena, physical = 0;

    if (paging_build(plan, fake.cr3, true, &cr3, &arena) == SESSION_NO_PML4_SLOT)
        return 0;
    for (uint64_t at = 0; at < plan->size; at += KB4)
        assert_int_equal(walk(cr3, arena + at).physical, plan->physical + at);
    for (uint64_t slot = 0; slot < 256; slot++) {
        physical = walk(cr3, (slot << 39) + 3 * GB1 + 77).physical;
        assert_int_equal(physical, slot == arena >> 39 ? 0 : 3 * GB1 + 77);
    }
    return arena >> 39;
}

TEST(test_all_is_mapped)
{
    static _Alignas(4096) uint64_t directories[512];
    for (unsigned levels = 4; levels <= 5; levels++) {
        five = levels == 5;
        map_everything(directories);
        struct paging_plan plan = plan_for(PAGING_4K, 3 * MB2, 2 * MB2, false);
        assert_int_equal(slot_of(&plan), 0); /* the places of memory are not known */
        plan.slots.known = true;
        paging_slots_use(&plan.slots, 0, 5 * GB1);
        assert_int_equal(slot_of(&plan), 128);
        paging_slots_use(&plan.slots, 128ull << 39, 131ull << 39);
        assert_int_equal(slot_of(&plan), 132);
        paging_slots_use(&plan.slots, 132ull << 39, (255ull << 39) - 1);
        assert_int_equal(slot_of(&plan), 255);
        paging_slots_use(&plan.slots, (256ull << 39) - 1, UINT64_MAX);
        assert_int_equal(slot_of(&plan), 127);
        paging_slots_use(&plan.slots, 2ull << 39, 127ull << 39);
        assert_int_equal(slot_of(&plan), 1);
        /* A slot in which the firmware maps nothing is better than one without memory. */
        fake.firmware_pml4[200] = 0;
        assert_int_equal(paging_build(&plan, fake.cr3, true, &(uint64_t){0}, &(uint64_t){0}), SESSION_OK);
        assert_int_equal(walk((uintptr_t)plan.memory, (200ull << 39)).shift, 12);
        fake.firmware_pml4[200] = fake.firmware_pml4[0];
        paging_slots_use(&plan.slots, (2ull << 39) - 1, (2ull << 39) - 1);
        plan.slots.used[0] &= ~1ull; /* the first slot is never taken */
        assert_int_equal(slot_of(&plan), 0);
    }
    five = false;
}

TEST(test_slots)
{
    struct paging_slots slots = {0};
    paging_slots_use(&slots, 1ull << 39, (2ull << 39) - 1);
    assert_int_equal(slots.used[0], 2);
    paging_slots_use(&slots, (64ull << 39) - 1, 64ull << 39);
    assert_int_equal(slots.used[0], 2 | 1ull << 63);
    assert_int_equal(slots.used[1], 1);
    paging_slots_use(&slots, 256ull << 39, UINT64_MAX); /* addresses in the upper half, and an APIC of MSRs */
    paging_slots_use(&slots, 5ull << 39, 4ull << 39);   /* a map in order has no such range */
    assert_int_equal(slots.used[0], 2 | 1ull << 63);
    assert_int_equal(slots.used[2] | slots.used[3], 0);
    paging_slots_use(&slots, 255ull << 39, UINT64_MAX);
    assert_int_equal(slots.used[3], 1ull << 63);
    assert_false(slots.known);
}

struct code_row {
    unsigned shift;      /* log2 of the size of the firmware's page there */
    uint64_t code, size; /* linear */
    uint64_t flags;      /* flags of the firmware's page, without its size */
    uint64_t leaf;       /* flags of each 4 KB page */
};

/* Code is mapped by 4 KB pages with the same frames, rights and memory type; memory around the code stays as the
 * firmware has mapped it. */
TEST(test_code_by_small_pages)
{
    static const struct code_row codes[] = {
        {21, 5 * MB2 + 3 * KB4, KB4, 0x63, 0x63},
        {21, 6 * MB2 - KB4, 2 * KB4, 0x8000000000001163ull, 0x80000000000001E3ull}, /* two of them; NX, global, PAT */
        {30, 7 * MB2 + 5, MB2 - 5, 0x63, 0x63},
        {30, 7 * MB2 + 5, MB2, 0x1063, 0xE3},
        {30, GB1 - 5, 10, 0x63, 0x63},              /* two of 1 GB */
        {21, 6 * MB2 - 1, 2 * MB2 + 2, 0x63, 0x63}, /* four pieces under the same tables */
        {12, 5 * MB2 + 3 * KB4, KB4, 0x61, 0x61},
    };
    uint64_t *tables[3];
    for (unsigned i = 0; i < 3; i++)
        tables[i] = aligned_alloc(4096, 4096); /* each table alone, so that ASan sees one word more */
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        const struct code_row *row = &codes[i];
        reset();
        struct paging_plan plan = plan_for(PAGING_4K, MB2, MB2, false);
        uint64_t cr3, arena, large = 1ull << row->shift;
        for (unsigned n = 0; n < 3; n++)
            memset(tables[n], 0, 4096);
        fake.firmware_pml4[0] = (uintptr_t)tables[0] | 0x23;
        tables[0][0] = (uintptr_t)tables[1] | 0x23;
        tables[1][5] = (uintptr_t)tables[2] | 0x23;
        for (uint64_t p = 0; p < 512; p++)
            if (row->shift == 30)
                tables[0][p] = p * large | row->flags | 0x80;
            else if (row->shift == 21)
                tables[1][p] = p * large | row->flags | 0x80;
            else
                tables[2][p] = (5 * MB2 + p * large) | row->flags;
        plan.code = row->code;
        plan.code_size = row->size;
        assert_int_equal(paging_check(&plan, true), SESSION_PAGE_MEMORY);
        plan.memory_size += paging_code_memory_needed(row->size);
        free(table_memory);
        plan.memory = table_memory = aligned_alloc(4096, plan.memory_size);
        assert_int_equal(paging_check(&plan, true), SESSION_OK);
        assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_OK);
        assert_int_equal(walk(cr3, arena).physical, MB2);
        uint64_t end = row->code + row->size, step = row->size > KB4 ? KB4 / 2 : 1;

        for (uint64_t at = row->code; at < end; at += step) {
            struct walk w = walk(cr3, at);
            assert_int_equal(w.shift, 12);
            assert_int_equal(w.physical, at);
            assert_int_equal(w.leaf & ~ADDRESS, row->leaf);
        }
        if (row->shift == 12) { /* if there are 4 KB pages already, the firmware's own table stays in use */
            tables[2][3] ^= 0x40;
            assert_int_equal(walk(cr3, row->code).leaf, tables[2][3]);
        }
        if (row->shift == 21) {
            struct walk w = walk(cr3, ((row->code + row->size) & ~(MB2 - 1)) + MB2);
            assert_int_equal(w.shift, 21);
            assert_int_equal(tables[1][5], 5 * MB2 | row->flags | 0x80); /* the firmware's own */
        }
        if (row->shift > 12) { /* to the end of the firmware's table */
            assert_int_equal(walk(cr3, 511 * large + 77).physical, 511 * large + 77);
            assert_int_equal(walk(cr3, 511 * large).shift, row->shift);
        }
    }
    for (unsigned i = 0; i < 3; i++)
        free(tables[i]);
}

/* The program's tables of 512 GB and of 1 GB are copies, so that later changes of the firmware's tables have no effect.
 * Everything is mapped as before. */
TEST(test_tables_of_the_program)
{
    for (unsigned shift = 12; shift <= 30; shift += 9) {
        reset();
        struct paging_plan plan = plan_for(PAGING_4K, MB2, MB2, false);
        uint64_t *tables[3], *own, cr3, arena, entry, at = GB1 + 5 * MB2 + 3 * KB4;

        for (unsigned n = 0; n < 3; n++) {
            tables[n] = aligned_alloc(4096, 4096);
            memset(tables[n], 0, 4096);
        }
        fake.firmware_pml4[0] = (uintptr_t)tables[0] | 0x23;
        tables[0][0] = (uintptr_t)tables[1] | 0x23;
        tables[0][2] = tables[0][0];
        tables[0][1] = shift == 30 ? GB1 | 0xE3 : (uintptr_t)tables[1] | 0x23;
        tables[1][5] = shift == 21 ? (GB1 + 5 * MB2) | 0x80000000000000E3ull : (uintptr_t)tables[2] | 0x23;
        for (uint64_t p = 0; p < 512; p++)
            tables[2][p] = (GB1 + 5 * MB2 + p * KB4) | 0x63;
        plan.program = at;
        assert_int_equal(paging_check(&plan, true), SESSION_OK);
        assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_OK);
        assert_int_equal(walk(cr3, at).shift, shift);
        assert_int_equal(walk(cr3, at).physical, at);
        assert_int_equal(walk(cr3, at).leaf >> 63, shift == 21);
        assert_int_equal(walk(cr3, arena).physical, MB2);
        entry = ((const uint64_t *)(uintptr_t)cr3)[0];
        if (five)
            entry = ((const uint64_t *)(uintptr_t)(entry & ADDRESS))[0];
        own = (uint64_t *)(uintptr_t)(entry & ADDRESS);
        assert_ptr_not_equal(own, tables[0]);
        assert_int_equal(entry & ~ADDRESS, 0x23);
        assert_int_equal(own[2], tables[0][2]); /* another GB: the firmware's table */
        if (shift < 30) {
            uint64_t *directory = (uint64_t *)(uintptr_t)(own[1] & ADDRESS);

            assert_ptr_not_equal(directory, tables[1]);
            assert_memory_equal(directory, tables[1], 4096); /* 4 KB pages: their table is the firmware's */
        } else {
            assert_memory_equal(own + 1, tables[0] + 1, 4088);
        }
        for (unsigned n = 0; n < 3; n++)
            free(tables[n]);
    }
}

/* Nothing is mapped at address 0, whatever pages the firmware uses there; everything else there is unchanged, and the
 * firmware's tables are not written. */
TEST(test_nothing_at_null)
{
    for (unsigned shift = 12; shift <= 30; shift += 9) {
        reset();
        struct paging_plan plan = plan_for(PAGING_4K, 3 * MB2, MB2, false);
        uint64_t *tables[3], cr3, arena, sum = 0, large = 1ull << shift;

        for (unsigned n = 0; n < 3; n++) {
            tables[n] = aligned_alloc(4096, 4096);
            memset(tables[n], 0, 4096);
        }
        fake.firmware_pml4[0] = (uintptr_t)tables[0] | 0x23;
        tables[0][0] = (uintptr_t)tables[1] | 0x23;
        tables[1][0] = (uintptr_t)tables[2] | 0x23;
        for (uint64_t p = 0; p < 512; p++)
            tables[(30 - shift) / 9][p] = p * large | 0x63 | (shift > 12 ? 0x80 : 0);
        for (unsigned n = 0; n < 3; n++)
            for (unsigned p = 0; p < 512; p++)
                sum += tables[n][p];
        plan.program = 5 * MB2;
        assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_OK);
        assert_int_equal(walk(cr3, 0).shift, 0);
        assert_int_equal(walk(cr3, KB4 - 1).shift, 0);
        for (uint64_t at = KB4; at < MB2; at += KB4 / 2)
            assert_int_equal(walk(cr3, at).physical, at);
        assert_int_equal(walk(cr3, KB4).shift, 12);
        assert_int_equal(walk(cr3, KB4).leaf & ~ADDRESS, 0x63);
        assert_int_equal(walk(cr3, 511 * large).physical, 511 * large);
        assert_int_equal(walk(cr3, MB2).shift, shift == 12 ? 0 : 21);
        assert_int_equal(walk(cr3, arena).physical, 3 * MB2);
        for (unsigned n = 0; n < 3; n++) {
            for (unsigned p = 0; p < 512; p++)
                sum -= tables[n][p];
            free(tables[n]);
        }
        assert_int_equal(sum, 0);
    }
}

/* If the program is not mapped, no table is made. */
TEST(test_program_not_mapped)
{
    struct paging_plan plan = plan_for(PAGING_4K, MB2, MB2, false);
    uint64_t cr3, arena;

    fake_reset(4);
    memset(fake.firmware_pml4, 0, 4096);
    plan.program = GB1;
    assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_OK);
    assert_int_equal(((const uint64_t *)(uintptr_t)cr3)[0], 0);
    assert_int_equal(walk(cr3, arena).physical, MB2);
}

TEST(test_shuffle_is_seeded)
{
    uint64_t order[3][512];
    for (unsigned n = 0; n < 3; n++) {
        struct paging_plan plan = plan_for(PAGING_4K, MB2, 512 * KB4, true);
        uint64_t cr3, arena;
        fake_reset(4);
        plan.seed = n == 2 ? 6 : 5;
        assert_int_equal(paging_build(&plan, fake.cr3, false, &cr3, &arena), SESSION_OK);
        for (unsigned i = 0; i < 512; i++)
            order[n][i] = walk(cr3, arena + i * KB4).physical;
    }
    assert_memory_equal(order[0], order[1], sizeof order[0]);
    assert_memory_not_equal(order[0], order[2], sizeof order[0]);
}

struct memory_row {
    enum paging_kind kind;
    uint64_t size, tables;
};

/* One PML4 and one table of directories cover up to 512 GB; there is a directory for each GB, and a table for each 2 MB
 * begun; two more above the program, and three above address 0. */
TEST(test_memory_needed)
{
    static const struct memory_row needs[] = {
        {PAGING_1G, KB4, 2},       {PAGING_1G, 5 * GB1, 2},
        {PAGING_2M, MB2, 3},       {PAGING_2M, GB1, 3},
        {PAGING_2M, GB1 + KB4, 4}, {PAGING_4K, KB4, 4},
        {PAGING_4K, MB2, 4},       {PAGING_4K, MB2 + KB4, 5},
        {PAGING_4K, GB1, 3 + 512}, {PAGING_4K, GB1 + KB4, 4 + 513},
    };
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        assert_int_equal(paging_memory_needed(needs[i].size, needs[i].kind), (needs[i].tables + 2 + 3) * KB4);
    /* Code needs tables for its 2 MB and one more, because it may begin anywhere within them, with two tables of each
     * level above. */
    assert_int_equal(paging_code_memory_needed(0), 0);
    assert_int_equal(paging_code_memory_needed(1), 6 * KB4);
    assert_int_equal(paging_code_memory_needed(MB2), 6 * KB4);
    assert_int_equal(paging_code_memory_needed(MB2 + 1), 7 * KB4);
}

/* With CR4.LA57 there is one table more at the top; its other entries stay, and the arena is in the first 256 TB. */
TEST(test_five_levels)
{
    size_t four = paging_memory_needed(MB2, PAGING_4K);
    five = true;
    test_every_page_is_mapped(state);
    test_code_by_small_pages(state);
    test_tables_of_the_program(state);
    test_nothing_at_null(state);
    reset();
    struct paging_plan plan = plan_for(PAGING_4K, MB2, MB2, false);
    uint64_t cr3, arena, before = fake.cr3;
    assert_int_equal(plan.memory_size, four + KB4);
    assert_int_equal(paging_build(&plan, before, true, &cr3, &arena), SESSION_OK);
    assert_int_equal(arena >> 39, 128);
    assert_int_equal(((const uint64_t *)(uintptr_t)cr3)[256], 0x7000023);
    assert_int_equal(((const uint64_t *)(uintptr_t)before)[0], (uintptr_t)fake.firmware_pml4 | 0x23);
    /* Memory is mapped one to one, through the fifth level. */
    static _Alignas(4096) uint64_t directories[512];
    directories[5] = 5 * GB1 | 0x83;
    fake.firmware_pml4[0] = (uintptr_t)directories | 3;
    assert_true(paging_identity(before, 5 * GB1 + KB4, true));
    for (unsigned n = 64; n < 512; n++) { /* each entry depends on its own address alone */
        assert_false(paging_identity(before, n * GB1 + KB4, true));
        directories[n] = n * GB1 | 0x83;
        assert_true(paging_identity(before, n * GB1 + KB4, true));
        assert_true(paging_identity(before, (n + 1) * GB1 - KB4, true));
    }
    fake.cr4 &= ~LA57;
    assert_false(paging_identity(before, 5 * GB1 + KB4, true));
    five = false;
}

TEST(test_refusals)
{
    struct paging_plan good = plan_for(PAGING_4K, MB2, MB2, false), plan;
    assert_int_equal(paging_check(&good, false), SESSION_OK);
    plan = good, plan.physical += KB4;
    assert_int_equal(paging_check(&plan, true), SESSION_ARENA_ALIGNMENT);
    plan = good, plan.size = 0;
    assert_int_equal(paging_check(&plan, true), SESSION_ARENA_SIZE);
    plan = good, plan.size -= 1;
    assert_int_equal(paging_check(&plan, true), SESSION_ARENA_SIZE);
    plan = good, plan.size = 64 * GB1 + KB4;
    assert_int_equal(paging_check(&plan, true), SESSION_ARENA_SIZE);
    plan.size = 64 * GB1;
    assert_int_equal(paging_check(&plan, true),
                     SESSION_PAGE_MEMORY); /* allowed, except for the memory for its tables */
    plan = good, plan.kind = PAGING_1G;
    assert_int_equal(paging_check(&plan, false), SESSION_NO_1G_PAGES);
    plan.shuffle = true;
    assert_int_equal(paging_check(&plan, true), SESSION_SHUFFLE_1G);
    plan = good, plan.memory_size -= 1;
    assert_int_equal(paging_check(&plan, true), SESSION_PAGE_MEMORY);
    plan = good, plan.memory = NULL;
    assert_int_equal(paging_check(&plan, true), SESSION_PAGE_MEMORY);
    plan = good, plan.memory = (char *)plan.memory + 8;
    assert_int_equal(paging_check(&plan, true), SESSION_PAGE_MEMORY);
}

static int free_tables(void **state)
{
    free(table_memory);
    return 0;
}

/* Each page of own code has one purpose; pages that are written have frames of their own. */
TEST(test_own_code)
{
    static uint8_t uses[1026];
    for (unsigned levels = 4; levels <= 5; levels++) {
        five = levels == 5;
        reset();
        struct paging_plan plan = plan_for(PAGING_4K, 3 * MB2, 2 * MB2, true);
        uint64_t cr3, arena, code = (128ull << 39) + (1ull << 38), data = 0x7000000;
        memset(uses, 0, sizeof uses);
        uses[0] = uses[511] = CODE_EXECUTE;
        uses[1] = CODE_READ;
        uses[3] = uses[512] = uses[1025] = CODE_WRITE;
        plan.own = (struct paging_own){1026, uses, 0x5000000, data};
        fake.firmware_pml4[0] = 0;
        plan.code = 5 * MB2; /* the tables for it would be in between */
        plan.code_size = 1;
        plan.memory_size += paging_code_memory_needed(1) + paging_own_memory_needed(1026) - 1;
        assert_int_equal(paging_own_memory_needed(1026), 4 * KB4);
        assert_int_equal(paging_own_memory_needed(512), 2 * KB4);
        assert_int_equal(paging_own_memory_needed(0), 0);
        assert_int_equal(paging_check(&plan, true), SESSION_PAGE_MEMORY);
        plan.memory_size++;
        free(table_memory);
        plan.memory = table_memory = aligned_alloc(4096, plan.memory_size);
        memset(table_memory, 0xFF, plan.memory_size);
        plan.slot = paging_slot(&plan.slots);
        assert_int_equal(plan.slot, 128);
        assert_int_equal(paging_own_address(plan.slot), code);
        assert_int_equal(paging_check(&plan, true), SESSION_OK);
        assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_OK);
        for (unsigned nx = 0; nx < 2; nx++) {
            uint64_t no = nx ? 1ull << 63 : 0;
            assert_int_equal(paging_build(&plan, fake.cr3, nx, &cr3, &arena), SESSION_OK);
            assert_int_equal(walk(cr3, code + 5).leaf, 0x5000000 | 0x21);
            assert_int_equal(walk(cr3, code + 511 * KB4).leaf, (0x5000000 + 511 * KB4) | 0x21);
            assert_int_equal(walk(cr3, code + KB4).leaf, (0x5000000 + KB4) | 0x21 | no);
            assert_int_equal(walk(cr3, code + 3 * KB4).leaf, data | 0x63 | no);
            assert_int_equal(walk(cr3, code + 512 * KB4).leaf, (data + KB4) | 0x63 | no);
            assert_int_equal(walk(cr3, code + 1025 * KB4).leaf, (data + 2 * KB4) | 0x63 | no);
            for (unsigned page = 0; page < 2048; page++)
                assert_int_equal(walk(cr3, code + page * KB4).shift, page < 1026 && uses[page] ? 12 : 0);
            assert_int_equal(walk(cr3, code - 1).shift, 0);
        }
        plan.own.data = 0; /* a core that does not run own code */
        assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_OK);
        assert_int_equal(walk(cr3, code + 3 * KB4).shift, 0);
        plan.own.pages = CODE_PAGES_MAX + 1;
        plan.memory_size += MB2;
        assert_int_equal(paging_check(&plan, true), SESSION_PAGE_MEMORY);
    }
    five = false;
}

/* All cores use the slot that was chosen on the boot core, or none. */
TEST(test_chosen_slot)
{
    reset();
    struct paging_plan plan = plan_for(PAGING_4K, 3 * MB2, 2 * MB2, false);
    uint64_t cr3, arena;
    plan.slot = 77;
    assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_OK);
    assert_int_equal(arena >> 39, 77);
    fake.firmware_pml4[77] = 0x23;
    assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_NO_PML4_SLOT);
    plan.slots.known = true; /* no memory there */
    assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_OK);
    paging_slots_use(&plan.slots, 77ull << 39, 77ull << 39);
    assert_int_equal(paging_build(&plan, fake.cr3, true, &cr3, &arena), SESSION_NO_PML4_SLOT);
    for (unsigned i = 0; i < 256; i++)
        fake.firmware_pml4[i] = 1;
    plan.slots.known = false;
    assert_int_equal(paging_slot(&plan.slots), 0);
}

RUN_TESTS(NULL, free_tables)
