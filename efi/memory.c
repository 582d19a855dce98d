/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for the application: the lowest free memory above the program, or within a range of physical addresses. UEFI
 * maps it one to one. Firmware's own choice would be the highest memory below its own, so that caches and TLBs would
 * see other addresses on each machine.
 */
#include "efi/efi_firmware.h"

enum { PAGE = 4096, FIRST = 1 << 20, LOW_END = 0xA0000 }; /* cores begin below 1 MB, the firmware's and ours */

/* Returns the lowest suitable place in free memory 'row'; 0: none. */
static EFI_PHYSICAL_ADDRESS place_in(const EFI_MEMORY_DESCRIPTOR *row, size_t size, size_t alignment, uint64_t base,
                                     uint64_t end)
{
    uint64_t low = row->PhysicalStart > base ? row->PhysicalStart : base;
    uint64_t high = row->PhysicalStart + row->NumberOfPages * PAGE;

    low = (low + alignment - 1) & ~((uint64_t)alignment - 1);
    high = high < end ? high : end;
    return row->Type == EfiConventionalMemory && high >= low && high - low >= size ? low : 0;
}

/* Returns the firmware's rows, unsorted, 'each' bytes apart, for FreePool(); NULL: unreadable. */
static UINT8 *read_map(EFI_BOOT_SERVICES *boot, UINTN *ret_length, UINTN *ret_each)
{
    UINTN key;
    UINT32 version;
    UINT8 *map;

    *ret_length = 0;
    (void)boot->GetMemoryMap(ret_length, NULL, &key, ret_each, &version);
    *ret_length += 16 * *ret_each; /* allocating memory for the map may add rows to it */
    if (boot->AllocatePool(EfiLoaderData, *ret_length, (void **)&map) != EFI_SUCCESS)
        return NULL;
    if (boot->GetMemoryMap(ret_length, (EFI_MEMORY_DESCRIPTOR *)map, &key, ret_each, &version) == EFI_SUCCESS)
        return map;
    (void)boot->FreePool(map);
    return NULL;
}

/* Returns the lowest free memory in [base, end); 0: none. size: whole pages. */
static EFI_PHYSICAL_ADDRESS lowest(EFI_BOOT_SERVICES *boot, size_t size, size_t alignment, uint64_t base, uint64_t end)
{
    UINTN length, each;
    UINT8 *map = read_map(boot, &length, &each);
    EFI_PHYSICAL_ADDRESS found = 0;

    if (!map)
        return 0;
    for (UINTN at = 0; at + each <= length; at += each) {
        EFI_PHYSICAL_ADDRESS place = place_in((const EFI_MEMORY_DESCRIPTOR *)(map + at), size, alignment, base, end);

        if (place && (!found || place < found))
            found = place;
    }
    if (found && boot->AllocatePages(AllocateAddress, EfiLoaderData, size / PAGE, &found) != EFI_SUCCESS)
        found = 0;
    (void)boot->FreePool(map);
    return found;
}

enum firmware_error efi_memory_map(struct firmware *fw, void (*each)(void *argument, uint64_t first, uint64_t last),
                                   void *argument)
{
    EFI_BOOT_SERVICES *boot = efi_of(fw)->system->BootServices;
    UINTN length, row_bytes;
    UINT8 *map = read_map(boot, &length, &row_bytes);

    if (!map)
        return FIRMWARE_FAILED;
    for (UINTN at = 0; at + row_bytes <= length; at += row_bytes) {
        const EFI_MEMORY_DESCRIPTOR *row = (const EFI_MEMORY_DESCRIPTOR *)(map + at);

        if (row->NumberOfPages)
            each(argument, row->PhysicalStart, row->PhysicalStart + row->NumberOfPages * PAGE - 1);
    }
    (void)boot->FreePool(map);
    return FIRMWARE_OK;
}

void *efi_allocate_in(struct firmware *fw, size_t size, size_t alignment, uint64_t base, uint64_t end)
{
    EFI_BOOT_SERVICES *boot = efi_of(fw)->system->BootServices;
    uint64_t above = (uint64_t)efi_of(fw)->loaded->ImageBase;
    EFI_PHYSICAL_ADDRESS found;

    size = (size + PAGE - 1) / PAGE * PAGE;
    found = lowest(boot, size, alignment, base > above ? base : above, end);
    if (!found)
        found = lowest(boot, size, alignment, base > FIRST ? base : FIRST, end);
    if (found)
        boot->SetMem((void *)found, size, 0);
    return (void *)found;
}

void *efi_allocate(struct firmware *fw, size_t size, size_t alignment)
{
    return efi_allocate_in(fw, size, alignment, 0, UINT64_MAX);
}

/* Allocates memory for code, because no core could begin in data if firmware forbids execution there. */
void *efi_allocate_low(struct firmware *fw, size_t size)
{
    EFI_BOOT_SERVICES *boot = efi_of(fw)->system->BootServices;
    EFI_PHYSICAL_ADDRESS base = LOW_END - 1;
    UINTN pages = (size + PAGE - 1) / PAGE;

    if (boot->AllocatePages(AllocateMaxAddress, EfiLoaderCode, pages, &base) != EFI_SUCCESS)
        return NULL;
    boot->SetMem((void *)base, pages * PAGE, 0);
    return (void *)base;
}

void efi_release(struct firmware *fw, void *memory, size_t size)
{
    if (memory)
        (void)efi_of(fw)->system->BootServices->FreePages((EFI_PHYSICAL_ADDRESS)memory, (size + PAGE - 1) / PAGE);
}
