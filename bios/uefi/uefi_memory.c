/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory, from the machine's rows. */
#include "bios/uefi/uefi.h"

#include "bios/bios.h"
#include "bios/low.h"
#include "core/base/mem.h"

enum { FIRST = 1 << 20 }; /* lower addresses only on request */
#define FOUR_GB (1ull << 32)

EFI_STATUS EFIAPI uefi_allocate_pages(EFI_ALLOCATE_TYPE how, EFI_MEMORY_TYPE type, UINTN pages,
                                      EFI_PHYSICAL_ADDRESS *address)
{
    uint64_t found = 0;

    switch (how) {
    case AllocateAnyPages:
        /* Uses memory below 4 GB first: page tables of starting cores must be there. */
        found = memory_take(&bios.memory, pages, FIRST, FOUR_GB, type);
        if (!found)
            found = memory_take(&bios.memory, pages, FOUR_GB, UINT64_MAX, type);
        break;
    case AllocateMaxAddress:
        found = memory_take(&bios.memory, pages, LOW_END, *address + 1, type);
        break;
    case AllocateAddress:
        if (!memory_take_at(&bios.memory, *address, pages, type))
            return EFI_NOT_FOUND;
        found = *address;
        break;
    default:
        return EFI_INVALID_PARAMETER;
    }
    if (!found)
        return EFI_OUT_OF_RESOURCES;
    *address = found;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_free_pages(EFI_PHYSICAL_ADDRESS address, UINTN pages)
{
    return memory_give(&bios.memory, address, pages) ? EFI_SUCCESS : EFI_NOT_FOUND;
}

/* Programs ask for few pieces: each has its own pages, with their number in front. */
enum { POOL_HEADER = 16 };

EFI_STATUS EFIAPI uefi_allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **memory)
{
    EFI_PHYSICAL_ADDRESS base;
    UINTN pages;
    EFI_STATUS status;

    if (size > UINT64_MAX / 2)
        return EFI_OUT_OF_RESOURCES;
    pages = (size + POOL_HEADER + MEMORY_PAGE - 1) / MEMORY_PAGE;
    status = uefi_allocate_pages(AllocateAnyPages, type, pages, &base);
    if (status != EFI_SUCCESS)
        return status;
    *(UINTN *)base = pages;
    *memory = (VOID *)(base + POOL_HEADER);
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_free_pool(VOID *memory)
{
    EFI_PHYSICAL_ADDRESS base = (EFI_PHYSICAL_ADDRESS)memory - POOL_HEADER;

    return base % MEMORY_PAGE ? EFI_INVALID_PARAMETER : uefi_free_pages(base, *(UINTN *)base);
}

VOID *uefi_grow_pool(VOID *old, uint64_t used, uint64_t room)
{
    VOID *memory;

    if (uefi_allocate_pool(EfiBootServicesData, room, &memory) != EFI_SUCCESS)
        return NULL;
    if (old) {
        memcpy(memory, old, used);
        (void)uefi_free_pool(old);
    }
    return memory;
}

EFI_STATUS EFIAPI uefi_get_memory_map(UINTN *size, EFI_MEMORY_DESCRIPTOR *map, UINTN *key, UINTN *each, UINT32 *version)
{
    UINTN room = *size;

    *size = bios.memory.rows * sizeof *map;
    *each = sizeof *map;
    *version = EFI_MEMORY_DESCRIPTOR_VERSION;
    *key = 1; /* for ExitBootServices, which is not offered */
    if (room < *size)
        return EFI_BUFFER_TOO_SMALL;
    for (unsigned i = 0; i < bios.memory.rows; i++) {
        const struct memory_row *row = &bios.memory.row[i];

        map[i] = (EFI_MEMORY_DESCRIPTOR){
            .Type = row->type,
            .PhysicalStart = row->base,
            .NumberOfPages = (row->end - row->base) / MEMORY_PAGE,
            .Attribute = EFI_MEMORY_WB,
        };
    }
    return EFI_SUCCESS;
}

VOID EFIAPI uefi_set_mem(VOID *memory, UINTN size, UINT8 value)
{
    memset(memory, value, size);
}

VOID EFIAPI uefi_copy_mem(VOID *to, VOID *from, UINTN size)
{
    memmove(to, from, size);
}
