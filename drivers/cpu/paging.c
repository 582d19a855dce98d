/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cpu/paging.h"

#include "core/base/rng.h"
#include "core/code/code.h"
#include "drivers/cpu/cpu.h"

#define SIZE_4K        0x1000ull
#define SIZE_2M        0x200000ull
#define SIZE_1G        0x40000000ull
#define SIZE_MAX_ARENA (64 * SIZE_1G)

/* Page-table entries, AMD APM vol. 2 section 5.4. Accessed and dirty are set in advance, so that the processor need not
 * write to the tables during the measurement. Memory type: write-back by PAT entry 0, then the MTRRs. */
#define ENTRY_PRESENT   0x001ull
#define ENTRY_WRITE     0x002ull
#define ENTRY_ACCESSED  0x020ull
#define ENTRY_DIRTY     0x040ull
#define ENTRY_LARGE     0x080ull
#define ENTRY_USER      0x004ull
#define ENTRY_PAT       0x080ull /* of a 4 KB page */
#define ENTRY_PAT_LARGE 0x1000ull
#define ENTRY_FLAGS     0xF7Full /* of a page of any size: all but ENTRY_LARGE */
#define ENTRY_NX        (1ull << 63)
#define ENTRY_ADDRESS   0x000FFFFFFFFFF000ull
#define CR4_PGE         0x080ull /* global pages */
#define ENTRY_TABLE     (ENTRY_PRESENT | ENTRY_WRITE | ENTRY_ACCESSED)
#define ENTRY_PAGE      (ENTRY_TABLE | ENTRY_DIRTY)

enum {
    ENTRIES = 512,
    SLOT_BEST = 128, /* 64 TB: above the memory of any of these machines */
    SLOT_SHIFT = 39,
    SHIFT_1G = 30,
    SHIFT_2M = 21,
    SHIFT_4K = 12,
    PROGRAM_TABLES = 2, /* of 512 GB and of 1 GB */
    NULL_TABLES = 3,    /* and of 2 MB: of address 0 */
    FIFTH_SHIFT = 48,
};

static bool five_levels(void)
{
    return cpu_read_cr4() & CR4_LA57;
}

static uint64_t page_bytes(enum paging_kind kind)
{
    return kind == PAGING_4K ? SIZE_4K : kind == PAGING_2M ? SIZE_2M : SIZE_1G;
}

static uint64_t units(uint64_t size, uint64_t unit)
{
    return (size + unit - 1) / unit;
}

size_t paging_memory_needed(uint64_t size, enum paging_kind kind)
{
    uint64_t tables = (five_levels() ? 3 : 2) + PROGRAM_TABLES + NULL_TABLES; /* PML5, PML4, page-directory pointers */
    if (kind != PAGING_1G)
        tables += units(size, SIZE_1G);
    if (kind == PAGING_4K)
        tables += units(size, SIZE_2M);
    return (size_t)(tables * SIZE_4K);
}

/* Counts tables: the 2 MB with the code, and one more for its offset in them, may be in two tables of each level
 * above. */
size_t paging_code_memory_needed(uint64_t code_size)
{
    return code_size ? (size_t)((units(code_size, SIZE_2M) + 1 + 2 + 2) * SIZE_4K) : 0;
}

/* Counts a table of 1 GB, and one of 2 MB for each below. */
size_t paging_own_memory_needed(uint32_t pages)
{
    return pages ? (size_t)((1 + units(pages, ENTRIES)) * SIZE_4K) : 0;
}

enum session_error paging_check(const struct paging_plan *plan, bool page_1g)
{
    if (plan->physical % SIZE_2M)
        return SESSION_ARENA_ALIGNMENT;
    if (!plan->size || plan->size % SIZE_4K || plan->size > SIZE_MAX_ARENA)
        return SESSION_ARENA_SIZE;
    if (plan->kind == PAGING_1G && !page_1g)
        return SESSION_NO_1G_PAGES;
    if (plan->kind == PAGING_1G && plan->shuffle)
        return SESSION_SHUFFLE_1G;
    if (!plan->memory || (uintptr_t)plan->memory % SIZE_4K ||
        plan->memory_size < paging_memory_needed(plan->size, plan->kind) + paging_code_memory_needed(plan->code_size) +
                                paging_own_memory_needed(plan->own.pages) ||
        plan->own.pages > CODE_PAGES_MAX)
        return SESSION_PAGE_MEMORY;
    return SESSION_OK;
}

static uint64_t entry_for(const uint64_t *table)
{
    return (uint64_t)(uintptr_t)table | ENTRY_TABLE;
}

/* Shuffles the leaf entries by Fisher-Yates; their tables follow each other in memory: the same pages, other frames.
 */
static void shuffle(uint64_t *leaf, uint64_t count, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (uint64_t i = count; i > 1; i--) {
        uint64_t j = rng_below(&rng, (uint32_t)i);
        uint64_t entry = leaf[i - 1];
        leaf[i - 1] = leaf[j];
        leaf[j] = entry;
    }
}

/* Links 'count' consecutive tables into the entries of 'upper', which may span several tables itself. */
static void link_tables(uint64_t *upper, const uint64_t *tables, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        upper[i] = entry_for(tables + i * ENTRIES);
}

/* Puts a table of our own into an entry of 'shift' bits: a copy of the firmware's, or smaller pages for its large one.
 */
static uint64_t *own_table(uint64_t *entry, unsigned shift, uint64_t **next)
{
    uint64_t *table = *next, old = *entry;
    *next += ENTRIES;
    if (shift < SLOT_SHIFT && old & ENTRY_LARGE) {
        uint64_t large = 1ull << shift, small = large / ENTRIES;
        uint64_t first = old & ENTRY_ADDRESS & ~(large - 1);
        uint64_t pat = old & ENTRY_PAT_LARGE ? small == SIZE_4K ? ENTRY_PAT : ENTRY_PAT_LARGE : 0;
        uint64_t flags = (old & (ENTRY_FLAGS | ENTRY_NX)) | pat | (small == SIZE_4K ? 0 : ENTRY_LARGE);
        for (uint64_t i = 0; i < ENTRIES; i++)
            table[i] = (first + i * small) | flags;
        *entry = entry_for(table) | (old & ENTRY_USER);
    } else {
        const uint64_t *theirs = (const uint64_t *)(uintptr_t)(old & ENTRY_ADDRESS);
        for (uint64_t i = 0; i < ENTRIES; i++)
            table[i] = theirs[i];
        *entry = (uint64_t)(uintptr_t)table | (old & ~ENTRY_ADDRESS);
    }
    return table;
}

/* Makes our own tables for 'linear', where the firmware has any: those whose entries are of 1 << 'last' bytes or more.
 * With entries of 2 MB, the 2 MB around the address are mapped by 4 KB pages afterwards; else pages keep their sizes.
 * With entries of 4 KB, the table of such pages is our own as well, and is returned; NULL where there is none.
 * Unmapped memory and 4 KB pages stay as they are. 'own': the first of our tables. */
static uint64_t *own_path(uint64_t *pml4, uint64_t linear, unsigned last, const uint64_t *own, uint64_t **next)
{
    uint64_t *table = pml4;
    for (unsigned shift = SLOT_SHIFT; shift >= last && shift > SHIFT_4K; shift -= 9) {
        uint64_t *entry = &table[linear >> shift & (ENTRIES - 1)];
        uint64_t *below = (uint64_t *)(uintptr_t)(*entry & ENTRY_ADDRESS);
        bool large = shift < SLOT_SHIFT && *entry & ENTRY_LARGE;
        if (!(*entry & ENTRY_PRESENT) || (large && last > SHIFT_2M) ||
            (shift == SHIFT_2M && last == SHIFT_2M && !large))
            return NULL;
        table = !large && below >= own && below < *next ? below : own_table(entry, shift, next);
    }
    return table;
}

/* Maps nothing at address 0, whatever the firmware has there: a jump by a null pointer would execute it, and a read
 * would go on. */
static void unmap_null(uint64_t *pml4, const uint64_t *own, uint64_t **next)
{
    uint64_t *pages = own_path(pml4, 0, SHIFT_4K, own, next);
    if (pages)
        pages[0] = 0;
}

void paging_slots_use(struct paging_slots *slots, uint64_t first, uint64_t last)
{
    for (uint64_t slot = first >> SLOT_SHIFT; slot <= last >> SLOT_SHIFT && slot < PAGING_SLOTS; slot++)
        slots->used[slot / 64] |= 1ull << slot % 64;
}

/* Finds a slot from 64 TB up, then from there down; never the first, which has the APIC, low memory and all that is
 * read by address 0. overlay: ignores the firmware's maps, as slots->used says enough. 0: there is none. */
static unsigned find_slot(const struct paging_slots *slots, const uint64_t *firmware, bool overlay)
{
    for (unsigned n = 0; n < PAGING_SLOTS - 1; n++) {
        unsigned slot = n < PAGING_SLOTS - SLOT_BEST ? SLOT_BEST + n : PAGING_SLOTS - 1 - n;
        bool used = overlay ? slots->used[slot / 64] >> slot % 64 & 1 : firmware[slot] & ENTRY_PRESENT;
        if (!used)
            return slot;
    }
    return 0;
}

static unsigned choose_slot(const struct paging_slots *slots, const uint64_t *firmware)
{
    unsigned slot = find_slot(slots, firmware, false);
    return slot || !slots->known ? slot : find_slot(slots, firmware, true);
}

/* Returns the table of 512 GB entries that is in force; its first 256 are the lower half. */
static const uint64_t *lower_half(uint64_t cr3)
{
    const uint64_t *top = (const uint64_t *)(uintptr_t)(cr3 & ENTRY_ADDRESS); /* its first entry maps this code */
    return five_levels() ? (const uint64_t *)(uintptr_t)(top[0] & ENTRY_ADDRESS) : top;
}

unsigned paging_slot(const struct paging_slots *slots)
{
    return choose_slot(slots, lower_half(cpu_read_cr3()));
}

/* Returns whether an earlier chosen slot may still be used; on another core, whose tables may differ. */
static bool may_use(const struct paging_slots *slots, const uint64_t *firmware, unsigned slot)
{
    return !(firmware[slot] & ENTRY_PRESENT) || (slots->known && !(slots->used[slot / 64] >> slot % 64 & 1));
}

/* Maps own code: code is read and executed, constants are read, data read and written (AMD APM vol. 2 section 5.6: a
 * page is writable where R/W is set in all entries on the way; CR0.WP makes that hold for this program, too). */
static void map_own(const struct paging_own *own, bool nx, uint64_t *directories, uint64_t *tables)
{
    uint64_t *leaf = tables + ENTRIES, data = own->data, no_execute = nx ? ENTRY_NX : 0;
    uint64_t count = units(own->pages, ENTRIES);

    for (uint64_t i = 0; i < (1 + count) * ENTRIES; i++)
        tables[i] = 0;
    directories[PAGING_OWN / SIZE_1G] = entry_for(tables);
    link_tables(tables, leaf, count);
    for (uint32_t i = 0; i < own->pages; i++) {
        uint64_t physical = own->physical + i * SIZE_4K;

        if (own->page[i] == CODE_EXECUTE) {
            leaf[i] = physical | ENTRY_PRESENT | ENTRY_ACCESSED;
        } else if (own->page[i] == CODE_READ) {
            leaf[i] = physical | ENTRY_PRESENT | ENTRY_ACCESSED | no_execute;
        } else if (own->page[i] == CODE_WRITE && own->data) {
            leaf[i] = data | ENTRY_PAGE | no_execute;
            data += SIZE_4K;
        }
    }
}

enum session_error paging_build(const struct paging_plan *plan, uint64_t cr3, bool nx, uint64_t *new_cr3,
                                uint64_t *arena)
{
    bool five = five_levels();
    const uint64_t *top = (const uint64_t *)(uintptr_t)(cr3 & ENTRY_ADDRESS); /* its first entry maps this code */
    const uint64_t *firmware = lower_half(cr3);
    uint64_t *root = plan->memory, *pml4 = five ? root + ENTRIES : root;
    unsigned slot = plan->slot ? plan->slot : choose_slot(&plan->slots, firmware);
    if (!slot || !may_use(&plan->slots, firmware, slot))
        return SESSION_NO_PML4_SLOT;

    uint64_t words = paging_memory_needed(plan->size, plan->kind) / sizeof *root;
    for (uint64_t i = 0; i < words; i++)
        root[i] = i < ENTRIES ? top[i] : 0;
    if (five) {
        root[0] = (uint64_t)(uintptr_t)pml4 | (top[0] & ~ENTRY_ADDRESS);
        for (unsigned i = 0; i < ENTRIES; i++)
            pml4[i] = firmware[i];
    }

    uint64_t *directories = pml4 + ENTRIES; /* one entry per GB */
    uint64_t page = page_bytes(plan->kind);
    uint64_t first = plan->physical & ~(page - 1);
    uint64_t pages = units(plan->physical + plan->size - first, page);
    uint64_t *leaf = directories;
    if (plan->kind != PAGING_1G) {
        uint64_t count_1g = units(plan->size, SIZE_1G);
        leaf = directories + ENTRIES;
        link_tables(directories, leaf, count_1g);
        if (plan->kind == PAGING_4K) {
            uint64_t *page_tables = leaf + count_1g * ENTRIES;
            link_tables(leaf, page_tables, units(plan->size, SIZE_2M));
            leaf = page_tables;
        }
    }
    uint64_t flags = ENTRY_PAGE | (plan->kind == PAGING_4K ? 0 : ENTRY_LARGE) | (nx ? ENTRY_NX : 0);
    for (uint64_t i = 0; i < pages; i++)
        leaf[i] = (first + i * page) | flags;
    if (plan->shuffle)
        shuffle(leaf, pages, plan->seed);

    pml4[slot] = entry_for(directories);
    uint64_t *own = root + words - (PROGRAM_TABLES + NULL_TABLES) * ENTRIES, *next = own;
    if (plan->program)
        (void)own_path(pml4, plan->program, SHIFT_1G, own, &next);
    for (uint64_t at = plan->code & ~(SIZE_2M - 1); plan->code_size && at < plan->code + plan->code_size; at += SIZE_2M)
        (void)own_path(pml4, at, SHIFT_2M, own, &next);
    unmap_null(pml4, own, &next); /* last: the others' places do not depend on it */
    if (plan->own.pages)
        map_own(&plan->own, nx, directories, root + words + paging_code_memory_needed(plan->code_size) / sizeof *root);
    *new_cr3 = (uint64_t)(uintptr_t)root | (cr3 & ~ENTRY_ADDRESS);
    *arena = ((uint64_t)slot << SLOT_SHIFT) + (plan->physical - first);
    return SESSION_OK;
}

void paging_load(uint64_t cr3)
{
    uint64_t cr4 = cpu_read_cr4();
    if (cr4 & CR4_PGE)
        cpu_write_cr4(cr4 & ~CR4_PGE); /* flushes all (AMD APM vol. 2 section 5.5.2) */
    cpu_write_cr3(cr3);
    if (cr4 & CR4_PGE)
        cpu_write_cr4(cr4);
}

bool paging_identity(uint64_t cr3, uint64_t page, bool nx)
{
    const uint64_t *table = (const uint64_t *)(uintptr_t)(cr3 & ENTRY_ADDRESS);
    for (unsigned shift = five_levels() ? FIFTH_SHIFT : SLOT_SHIFT;; shift -= 9) {
        uint64_t entry = table[page >> shift & (ENTRIES - 1)], below = (1ull << shift) - 1;
        if (!(entry & ENTRY_PRESENT) || !(entry & ENTRY_WRITE) || (nx && entry & ENTRY_NX))
            return false;
        if (shift == 12 || (shift < SLOT_SHIFT && entry & ENTRY_LARGE))
            return (entry & ENTRY_ADDRESS & ~below) == (page & ~below);
        table = (const uint64_t *)(uintptr_t)(entry & ENTRY_ADDRESS);
    }
}
