/* SPDX-License-Identifier: BSD-2-Clause */
/* The place of memory: the lowest free place above the program, whatever else the firmware has allocated. */
#include "tests/unit/efi/fake_system.h"

#include <stdbool.h>
#include <stdlib.h>

enum { PAGE = 4096, MB = 1 << 20, ROWS = 48 };

static EFI_LOADED_IMAGE loaded;
static EFI_MEMORY_DESCRIPTOR rows[ROWS];
static unsigned count, taken, pools;
static UINT64 taken_pages, cleared;
static EFI_PHYSICAL_ADDRESS taken_at;
static bool refuses, no_map, no_pool;
static unsigned grows;

static void row(uint32_t type, uint64_t base, uint64_t end)
{
    rows[count++] = (EFI_MEMORY_DESCRIPTOR){
        .Type = type, .PhysicalStart = base, .NumberOfPages = (end - base) / PAGE, .Attribute = EFI_MEMORY_WB};
}

static EFI_STATUS EFIAPI get_memory_map(UINTN *size, EFI_MEMORY_DESCRIPTOR *map, UINTN *key, UINTN *each,
                                        UINT32 *version)
{
    enum { LONGER = 16 }; /* the firmware's rows may have more fields than we know */
    UINTN room = *size;

    if (!map)
        assert_int_equal(room, 0);
    *each = sizeof *map + LONGER;
    *size = count * *each;
    *key = *version = 1;
    if (room < *size || no_map)
        return EFI_BUFFER_TOO_SMALL;
    for (unsigned i = 0; i < count; i++)
        *(EFI_MEMORY_DESCRIPTOR *)((uint8_t *)map + i * *each) = rows[i];
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **ret_memory)
{
    assert_int_equal(type, EfiLoaderData);
    if (no_pool)
        return EFI_OUT_OF_RESOURCES;
    for (unsigned i = 0; i < grows; i++) /* allocated memory may split rows */
        row(EfiLoaderData, 0xFEull << 40, (0xFEull << 40) + PAGE);
    *ret_memory = malloc(size);
    pools++;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pool(VOID *memory)
{
    free(memory);
    pools--;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI allocate_pages(EFI_ALLOCATE_TYPE how, EFI_MEMORY_TYPE type, UINTN pages,
                                        EFI_PHYSICAL_ADDRESS *address)
{
    assert_int_equal(how, AllocateAddress);
    assert_int_equal(type, EfiLoaderData);
    if (refuses)
        return EFI_NOT_FOUND;
    taken++;
    taken_at = *address;
    taken_pages = pages;
    return EFI_SUCCESS;
}

static VOID EFIAPI set_mem(VOID *memory, UINTN size, UINT8 value)
{
    assert_int_equal((EFI_PHYSICAL_ADDRESS)memory, taken_at);
    assert_int_equal(value, 0);
    cleared = size;
}

/* Places the program at 64 MB, with 3 MB, and free memory around it in no order. */
static void prepare(struct efi_firmware *efi)
{
    fake_system_init(efi);
    fake_system.boot.GetMemoryMap = get_memory_map;
    fake_system.boot.AllocatePool = allocate_pool;
    fake_system.boot.FreePool = free_pool;
    fake_system.boot.AllocatePages = allocate_pages;
    fake_system.boot.SetMem = set_mem;
    efi->loaded = &loaded;
    loaded.ImageBase = (VOID *)(64ull * MB);
    count = taken = pools = 0;
    refuses = no_map = no_pool = false;
    grows = 0;
    row(EfiConventionalMemory, 512ull * MB, 516ull * MB);
    row(EfiConventionalMemory, 67ull * MB + PAGE, 256ull * MB);
    row(EfiBootServicesData, 256ull * MB, 512ull * MB);
    row(EfiLoaderCode, 64ull * MB, 67ull * MB + PAGE);
    row(EfiConventionalMemory, 0, 640ull << 10);
    row(EfiConventionalMemory, 2ull * MB, 64ull * MB);
}

static uint64_t place(struct efi_firmware *efi, uint64_t size, uint64_t alignment, uint64_t base, uint64_t end)
{
    uint64_t at = (uint64_t)efi_allocate_in(&efi->firmware, size, alignment, base, end);

    assert_int_equal(pools, 0);
    if (at) {
        assert_int_equal(at, taken_at);
        assert_int_equal(taken_pages, (size + PAGE - 1) / PAGE);
        assert_int_equal(cleared, taken_pages * PAGE);
    }
    return at;
}

TEST(lowest_above_the_program)
{
    struct efi_firmware efi;

    prepare(&efi);
    assert_int_equal((uint64_t)efi_allocate(&efi.firmware, 100, PAGE), 67 * MB + PAGE);
    assert_int_equal(taken_pages, 1);
    assert_int_equal((uint64_t)efi_allocate(&efi.firmware, 12 * MB, 2 * MB), 68 * MB);
    /* Exactly all free memory is asked for, and one page more. */
    assert_int_equal(place(&efi, 188ull * MB, 2 * MB, 0, UINT64_MAX), 68 * MB);
    assert_int_equal(place(&efi, 188ull * MB + 1, 2 * MB, 0, UINT64_MAX), 0);
    assert_int_equal(taken, 3);
}

TEST(in_a_range)
{
    struct efi_firmware efi;

    prepare(&efi);
    assert_int_equal(place(&efi, PAGE, PAGE, 256ull * MB, 1024ull * MB), 512 * MB);
    assert_int_equal(place(&efi, PAGE, PAGE, 100ull * MB + 1, 1024ull * MB), 100 * MB + PAGE);
    assert_int_equal(place(&efi, 4ull * MB, PAGE, 514ull * MB, UINT64_MAX), 0);
    /* The range has nothing above the program, so the place is below it, but not below 1 MB. */
    assert_int_equal(place(&efi, PAGE, PAGE, 0, 64ull * MB), 2 * MB);
    assert_int_equal(place(&efi, PAGE, PAGE, 0, 2ull * MB), 0);
}

/* No memory below 1 MB is used, wherever the range begins, and whatever the firmware reports as free. */
TEST(never_below_1_mb)
{
    struct efi_firmware efi;

    prepare(&efi);
    row(EfiConventionalMemory, 640ull << 10, MB);
    for (uint64_t base = 0; base < MB; base += PAGE) {
        assert_int_equal(place(&efi, PAGE, PAGE, base, 64ull * MB), 2 * MB);
        assert_int_equal(place(&efi, PAGE, PAGE, base, MB), 0);
    }
    row(EfiConventionalMemory, MB, 2ull * MB);
    for (uint64_t base = 0; base <= MB; base += PAGE)
        assert_int_equal(place(&efi, PAGE, PAGE, base, 64ull * MB), MB);
    assert_int_equal(place(&efi, PAGE, PAGE, MB + 1, 64ull * MB), MB + PAGE);
}

/* If the firmware put the program at the top, memory below is used. */
TEST(program_at_the_top)
{
    struct efi_firmware efi;

    prepare(&efi);
    loaded.ImageBase = (VOID *)(520ull * MB);
    assert_int_equal((uint64_t)efi_allocate(&efi.firmware, PAGE, PAGE), 2 * MB);
    assert_int_equal((uint64_t)efi_allocate(&efi.firmware, 100ull * MB, PAGE), 67 * MB + PAGE);
}

static struct {
    uint64_t first, last;
} seen[ROWS];
static unsigned seen_count;

static void see(void *argument, uint64_t first, uint64_t last)
{
    assert_ptr_equal(argument, &seen_count);
    seen[seen_count].first = first;
    seen[seen_count++].last = last;
}

/* All rows are passed on, of whatever type, except those without a page. */
TEST(map_of_memory)
{
    struct efi_firmware efi;

    prepare(&efi);
    row(EfiMemoryMappedIO, 1ull << 40, 1ull << 40);
    row(EfiReservedMemoryType, 0xFFull << 40, (0xFFull << 40) + PAGE);
    seen_count = 0;
    assert_int_equal(efi_memory_map(&efi.firmware, see, &seen_count), FIRMWARE_OK);
    assert_int_equal(seen_count, 7);
    assert_int_equal(seen[0].first, 512ull * MB);
    assert_int_equal(seen[0].last, 516ull * MB - 1);
    assert_int_equal(seen[4].last, (640 << 10) - 1);
    assert_int_equal(seen[5].last, 64 * MB - 1);
    assert_int_equal(seen[6].first, 0xFFull << 40);
    assert_int_equal(seen[6].last, (0xFFull << 40) + PAGE - 1);
    assert_int_equal(pools, 0);
    grows = 16;
    assert_int_equal(efi_memory_map(&efi.firmware, see, &seen_count), FIRMWARE_OK);
    assert_int_equal(seen_count, 7 + 7 + 16);
    grows = 17;
    assert_int_equal(efi_memory_map(&efi.firmware, see, &seen_count), FIRMWARE_FAILED);
    assert_int_equal(pools, 0);
    seen_count = 7;
    grows = 0;
    for (unsigned n = 0; n < 2; n++) {
        no_map = n == 0;
        no_pool = n == 1;
        assert_int_equal(efi_memory_map(&efi.firmware, see, &seen_count), FIRMWARE_FAILED);
        assert_null(efi_allocate(&efi.firmware, PAGE, PAGE));
    }
    assert_int_equal(seen_count, 7);
    assert_int_equal(pools, 0);
}

TEST(firmware_refuses)
{
    struct efi_firmware efi;

    prepare(&efi);
    refuses = true;
    cleared = 0;
    assert_null(efi_allocate(&efi.firmware, PAGE, PAGE));
    assert_int_equal(cleared, 0);
    assert_int_equal(pools, 0);
}

static EFI_STATUS EFIAPI allocate_low(EFI_ALLOCATE_TYPE how, EFI_MEMORY_TYPE type, UINTN pages,
                                      EFI_PHYSICAL_ADDRESS *address)
{
    assert_int_equal(how, AllocateMaxAddress);
    assert_int_equal(type, EfiLoaderCode); /* cores begin in this memory */
    assert_int_equal(*address, 0x9FFFF);
    if (refuses)
        return EFI_NOT_FOUND;
    taken_pages = pages;
    taken_at = *address = 0x9F000 - (pages - 1) * PAGE;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pages(EFI_PHYSICAL_ADDRESS address, UINTN pages)
{
    assert_int_equal(address, taken_at);
    assert_int_equal(pages, taken_pages);
    taken_pages = 0;
    return EFI_SUCCESS;
}

TEST(below_1_mb)
{
    static const struct {
        size_t size;
        unsigned pages;
    } sizes[] = {{1, 1}, {PAGE, 1}, {PAGE + 1, 2}, {3 * PAGE - 1, 3}};
    struct efi_firmware efi;

    prepare(&efi);
    fake_system.boot.AllocatePages = allocate_low;
    fake_system.boot.FreePages = free_pages;
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        void *memory = efi_allocate_low(&efi.firmware, sizes[i].size);

        assert_int_equal((uint64_t)memory, 0xA0000 - sizes[i].pages * PAGE);
        assert_int_equal(taken_pages, sizes[i].pages);
        assert_int_equal(cleared, sizes[i].pages * PAGE);
        efi_release(&efi.firmware, NULL, sizes[i].size);
        assert_int_equal(taken_pages, sizes[i].pages);
        efi_release(&efi.firmware, memory, sizes[i].size);
        assert_int_equal(taken_pages, 0);
    }
    refuses = true;
    cleared = 0;
    assert_null(efi_allocate_low(&efi.firmware, PAGE));
    assert_int_equal(cleared, 0);
}

RUN_TESTS(NULL, NULL)
