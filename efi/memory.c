/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory for the application: anywhere, or in a range of physical addresses. UEFI maps it one to one. */
#include "efi/efi_firmware.h"

enum { PAGE = 4096, FIRST = 1 << 20 }; /* memory below 1 MB is used by firmware to start other cores */

void *efi_allocate(struct firmware *fw, size_t size, size_t alignment)
{
    EFI_BOOT_SERVICES *boot = efi_of(fw)->system->BootServices;
    EFI_PHYSICAL_ADDRESS base = 0;
    UINTN pages = (size + PAGE - 1) / PAGE, spare = alignment > PAGE ? alignment / PAGE : 0;
    EFI_PHYSICAL_ADDRESS aligned;

    if (boot->AllocatePages(AllocateAnyPages, EfiLoaderData, pages + spare, &base) != EFI_SUCCESS)
        return NULL;
    aligned = (base + alignment - 1) & ~((EFI_PHYSICAL_ADDRESS)alignment - 1);
    /* Give back what the alignment did not need. */
    if (aligned > base)
        (void)boot->FreePages(base, (aligned - base) / PAGE);
    if (base + spare * PAGE > aligned)
        (void)boot->FreePages(aligned + pages * PAGE, (base + spare * PAGE - aligned) / PAGE);
    boot->SetMem((void *)aligned, pages * PAGE, 0);
    return (void *)aligned;
}

/* The highest suitable place in free memory 'row'; 0: none. */
static EFI_PHYSICAL_ADDRESS place_in(const EFI_MEMORY_DESCRIPTOR *row, size_t size, size_t alignment, uint64_t base,
                                     uint64_t end)
{
    uint64_t low = row->PhysicalStart > base ? row->PhysicalStart : base;
    uint64_t high = row->PhysicalStart + row->NumberOfPages * PAGE;
    uint64_t place;

    low = low > FIRST ? low : FIRST;
    high = high < end ? high : end;
    if (row->Type != EfiConventionalMemory || high < low || high - low < size)
        return 0;
    place = (high - size) & ~((uint64_t)alignment - 1);
    return place >= low ? place : 0;
}

void *efi_allocate_in(struct firmware *fw, size_t size, size_t alignment, uint64_t base, uint64_t end)
{
    EFI_BOOT_SERVICES *boot = efi_of(fw)->system->BootServices;
    UINTN length = 0, key, each;
    UINT32 version;
    UINT8 *map;
    EFI_PHYSICAL_ADDRESS found = 0;

    size = (size + PAGE - 1) / PAGE * PAGE;
    (void)boot->GetMemoryMap(&length, NULL, &key, &each, &version);
    length += 16 * each; /* allocating memory for the map may add rows to it */
    if (boot->AllocatePool(EfiLoaderData, length, (void **)&map) != EFI_SUCCESS)
        return NULL;
    if (boot->GetMemoryMap(&length, (EFI_MEMORY_DESCRIPTOR *)map, &key, &each, &version) != EFI_SUCCESS)
        length = 0;
    for (UINTN at = 0; !found && at + each <= length; at += each) {
        found = place_in((const EFI_MEMORY_DESCRIPTOR *)(map + at), size, alignment, base, end);
        if (found && boot->AllocatePages(AllocateAddress, EfiLoaderData, size / PAGE, &found) != EFI_SUCCESS)
            found = 0;
    }
    (void)boot->FreePool(map);
    if (found)
        boot->SetMem((void *)found, size, 0);
    return (void *)found;
}

void efi_release(struct firmware *fw, void *memory, size_t size)
{
    if (memory)
        (void)efi_of(fw)->system->BootServices->FreePages((EFI_PHYSICAL_ADDRESS)memory, (size + PAGE - 1) / PAGE);
}
