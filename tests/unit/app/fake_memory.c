/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/test.h"
#include "tests/unit/app/fake_memory.h"

#include <sys/mman.h>

/* This function exists with the address sanitizer, whether this file is built with it or not. */
void __asan_poison_memory_region(const volatile void *address, size_t size) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *address, size_t size) __attribute__((weak));

static void poison(uint64_t address, size_t size)
{
    if (__asan_poison_memory_region)
        __asan_poison_memory_region((void *)(uintptr_t)address, size);
}

static void unpoison(uint64_t address, size_t size)
{
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region((void *)(uintptr_t)address, size);
}

enum { PAGE = 4096, BLOCKS = 1200 };

static struct block {
    uint64_t address;
    size_t size;
} block[BLOCKS];
static unsigned blocks;
static bool mapped;

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

void *fake_memory_map(uint64_t address, size_t size)
{
    void *memory = mmap((void *)(uintptr_t)address, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* Returns whether a range overlaps a block or the page after it, which stays unmapped. */
static bool overlaps(const struct block *b, uint64_t address, size_t size)
{
    return address < round_up(b->address + b->size, PAGE) + PAGE && b->address < round_up(address + size, PAGE) + PAGE;
}

static bool is_free(uint64_t address, size_t size)
{
    for (unsigned i = 0; i < blocks; i++)
        if (overlaps(&block[i], address, size))
            return false;
    return true;
}

static uint64_t place(size_t size, size_t alignment, uint64_t base, uint64_t end)
{
    uint64_t best = 0;

    for (unsigned i = 0; i <= blocks; i++) {
        uint64_t from = i ? round_up(block[i - 1].address + block[i - 1].size, PAGE) + PAGE : base;
        uint64_t at = round_up(from < base ? base : from, alignment);

        if (at + size <= end && is_free(at, size) && (!best || at < best))
            best = at;
    }
    return best;
}

void *fake_memory_take(size_t size, size_t alignment, uint64_t base, uint64_t end)
{
    uint64_t at;

    if (!mapped) {
        assert_non_null(fake_memory_map(FAKE_MEMORY, FAKE_MEMORY_END - FAKE_MEMORY));
        assert_int_equal(mprotect((void *)(uintptr_t)FAKE_MEMORY, FAKE_MEMORY_END - FAKE_MEMORY, PROT_NONE), 0);
        mapped = true;
    }
    assert_true(size > 0 && alignment >= PAGE && !(alignment & (alignment - 1)));
    at = place(size, alignment, base < FAKE_MEMORY ? FAKE_MEMORY : base, end < FAKE_MEMORY_END ? end : FAKE_MEMORY_END);
    if (!at)
        return NULL;
    assert_true(blocks < BLOCKS);
    block[blocks++] = (struct block){at, size};
    assert_int_equal(mprotect((void *)(uintptr_t)at, round_up(size, PAGE), PROT_READ | PROT_WRITE), 0);
    poison(at + size, round_up(size, PAGE) - size);
    return (void *)(uintptr_t)at;
}

static void give(unsigned i)
{
    void *memory = (void *)(uintptr_t)block[i].address;
    size_t size = round_up(block[i].size, PAGE);

    unpoison(block[i].address, size);
    assert_int_equal(madvise(memory, size, MADV_DONTNEED), 0); /* the memory must be zero when it is taken again */
    assert_int_equal(mprotect(memory, size, PROT_NONE), 0);
    block[i] = block[--blocks];
}

void fake_memory_give(void *memory, size_t size)
{
    for (unsigned i = 0; i < blocks; i++) {
        if (block[i].address != (uint64_t)(uintptr_t)memory)
            continue;
        assert_int_equal(block[i].size, size);
        give(i);
        return;
    }
    fail_msg("%p was given back that was not taken", memory);
}

unsigned fake_memory_blocks(void)
{
    return blocks;
}

void fake_memory_give_all(void)
{
    while (blocks)
        give(0);
}

bool fake_memory_taken(uint64_t address, size_t size)
{
    for (unsigned i = 0; i < blocks; i++)
        if (address >= block[i].address && address + size <= block[i].address + block[i].size)
            return true;
    return false;
}
