/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/memory.h"

#include "core/base/mem.h"

#define PAGE_MASK ((uint64_t)MEMORY_PAGE - 1)
/* Physical addresses have 48 bits on Family 10h (CPUID 8000_0008h), 52 at most (AMD APM vol. 2 section 5.3). */
#define ADDRESS_END (1ull << 52)

static void insert(struct memory *memory, unsigned at, struct memory_row row)
{
    memmove(&memory->row[at + 1], &memory->row[at], (memory->rows - at) * sizeof row);
    memory->row[at] = row;
    memory->rows++;
}

static void remove_row(struct memory *memory, unsigned at)
{
    memory->rows--;
    memmove(&memory->row[at], &memory->row[at + 1], (memory->rows - at) * sizeof memory->row[0]);
}

static void join(struct memory *memory)
{
    for (unsigned i = 1; i < memory->rows;) {
        struct memory_row *row = &memory->row[i];

        if (row[-1].end == row->base && row[-1].type == row->type) {
            row[-1].end = row->end;
            remove_row(memory, i);
        } else {
            i++;
        }
    }
}

/* Makes [base, end) one row of this type, and replaces earlier ones. */
static bool set(struct memory *memory, uint64_t base, uint64_t end, uint32_t type)
{
    unsigned i = 0;

    if (base >= end)
        return true;
    if (memory->rows + 2 > MEMORY_ROWS)
        return false;
    while (i < memory->rows && memory->row[i].end <= base)
        i++;
    if (i < memory->rows && memory->row[i].base < base) {
        struct memory_row before = memory->row[i];

        before.end = base;
        insert(memory, i++, before);
    }
    while (i < memory->rows && memory->row[i].end <= end)
        remove_row(memory, i);
    if (i < memory->rows && memory->row[i].base < end)
        memory->row[i].base = end;
    insert(memory, i, (struct memory_row){base, end, type});
    join(memory);
    return true;
}

static uint32_t type_of(uint32_t e820)
{
    enum { E820_ACPI = 3, E820_NVS = 4 };

    return e820 == BOOT_INFO_USABLE ? MEMORY_FREE
           : e820 == E820_ACPI      ? MEMORY_ACPI
           : e820 == E820_NVS       ? MEMORY_NVS
                                    : MEMORY_RESERVED;
}

void memory_init(struct memory *memory, const struct boot_range *range, unsigned ranges)
{
    memory->rows = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < ranges; i++) {
            uint64_t base = range[i].base, end = base + range[i].length;
            bool usable = range[i].type == BOOT_INFO_USABLE;

            if (base >= ADDRESS_END || (pass == 0) != usable)
                continue;
            end = end > ADDRESS_END || end < base ? ADDRESS_END : end;
            base = usable ? (base + PAGE_MASK) & ~PAGE_MASK : base & ~PAGE_MASK;
            end = usable ? end & ~PAGE_MASK : (end + PAGE_MASK) & ~PAGE_MASK;
            /* There are four times as many rows as the loader can pass. */
            (void)set(memory, base, end, type_of(range[i].type));
        }
    }
}

bool memory_reserve(struct memory *memory, uint64_t base, uint64_t end, uint32_t type)
{
    base &= ~PAGE_MASK;
    end = (end + PAGE_MASK) & ~PAGE_MASK;
    for (unsigned i = 0; i < memory->rows; i++) {
        struct memory_row row = memory->row[i];
        uint64_t from = row.base > base ? row.base : base, to = row.end < end ? row.end : end;

        if (row.type != MEMORY_FREE || from >= to)
            continue;
        if (!set(memory, from, to, type))
            return false;
        i = 0; /* rows have moved; the new one is not free any more */
    }
    return true;
}

uint64_t memory_take(struct memory *memory, uint64_t pages, uint64_t low, uint64_t high, uint32_t type)
{
    if (low < MEMORY_PAGE)
        low = MEMORY_PAGE; /* address 0 means that there is none */
    for (unsigned i = memory->rows; i-- > 0;) {
        const struct memory_row *row = &memory->row[i];
        uint64_t from = row->base > low ? row->base : low, to = row->end < high ? row->end : high;

        from = (from + PAGE_MASK) & ~PAGE_MASK;
        to &= ~PAGE_MASK;
        if (row->type != MEMORY_FREE || from >= to || (to - from) / MEMORY_PAGE < pages || !pages)
            continue;
        from = to - pages * MEMORY_PAGE;
        return set(memory, from, to, type) ? from : 0;
    }
    return 0;
}

/* Returns the row that contains [base, base + pages); NULL: none. */
static const struct memory_row *row_of(const struct memory *memory, uint64_t base, uint64_t pages)
{
    for (unsigned i = 0; i < memory->rows; i++) {
        const struct memory_row *row = &memory->row[i];

        if (base >= row->base && base < row->end && pages && pages <= (row->end - base) / MEMORY_PAGE)
            return base & PAGE_MASK ? NULL : row;
    }
    return NULL;
}

bool memory_take_at(struct memory *memory, uint64_t base, uint64_t pages, uint32_t type)
{
    const struct memory_row *row = row_of(memory, base, pages);

    return row && row->type == MEMORY_FREE && set(memory, base, base + pages * MEMORY_PAGE, type);
}

static bool was_free(uint32_t type)
{
    return type != MEMORY_RESERVED && type != MEMORY_ACPI && type != MEMORY_NVS;
}

bool memory_give(struct memory *memory, uint64_t base, uint64_t pages)
{
    const struct memory_row *row = row_of(memory, base, pages);

    return row && row->type != MEMORY_FREE && was_free(row->type) &&
           set(memory, base, base + pages * MEMORY_PAGE, MEMORY_FREE);
}

uint64_t memory_top(const struct memory *memory)
{
    for (unsigned i = memory->rows; i-- > 0;)
        if (was_free(memory->row[i].type))
            return memory->row[i].end;
    return 0;
}

uint64_t memory_left(const struct memory *memory)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < memory->rows; i++)
        if (memory->row[i].type == MEMORY_FREE)
            sum += memory->row[i].end - memory->row[i].base;
    return sum;
}
