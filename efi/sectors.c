/* SPDX-License-Identifier: BSD-2-Clause */
/* The sectors of a volume, by EFI_BLOCK_IO_PROTOCOL (UEFI specification 2.10, section 13.9). */
#include "core/base/mem.h"
#include "efi/area.h"

enum { BOUNCE_SECTORS = 64, PAGE = 4096, BOUNCE_PAGES = 2 * BOUNCE_SECTORS * DISK_SECTOR / PAGE };

/* Moves at most BOUNCE_SECTORS between the disk and a buffer that is aligned for it. */
static EFI_STATUS move(struct efi_sectors *of, bool write, uint64_t sector, unsigned count, uint8_t *buffer)
{
    EFI_BLOCK_IO *block = of->block;
    UINTN bytes = (UINTN)count * DISK_SECTOR;
    EFI_STATUS status;

    if (!write)
        return block->ReadBlocks(block, of->media, sector, bytes, buffer);
    status = block->WriteBlocks(block, of->media, sector, bytes, buffer);
    return status == EFI_SUCCESS ? block->FlushBlocks(block) : status;
}

/* Transfers to or from the disk; one of 'to' and 'from' is set. Reads back what was written, because some disks confirm
 * writes that they do not make. */
static int transfer(struct efi_sectors *of, uint64_t sector, unsigned count, uint8_t *to, const uint8_t *from)
{
    uint8_t *back = of->bounce + BOUNCE_SECTORS * DISK_SECTOR;

    if (sector > of->count || count > of->count - sector)
        return -1;
    while (count) {
        unsigned part = count < BOUNCE_SECTORS ? count : BOUNCE_SECTORS;
        size_t bytes = (size_t)part * DISK_SECTOR;

        if (from)
            memcpy(of->bounce, from, bytes);
        of->status = move(of, from, sector, part, of->bounce);
        if (from && of->status == EFI_SUCCESS)
            of->status = move(of, false, sector, part, back);
        if (of->status != EFI_SUCCESS || (from && memcmp(of->bounce, back, bytes) != 0))
            return -1;
        if (to)
            memcpy(to, of->bounce, bytes);
        to = to ? to + bytes : NULL;
        from = from ? from + bytes : NULL;
        sector += part;
        count -= part;
    }
    return 0;
}

static int read_sectors(void *context, uint64_t sector, unsigned count, void *to)
{
    return transfer(context, sector, count, to, NULL);
}

static int write_sectors(void *context, uint64_t sector, unsigned count, const void *from)
{
    struct efi_sectors *of = context;

    of->written = true;
    return transfer(of, sector, count, NULL, from);
}

enum firmware_error efi_sectors_open(struct efi_sectors *of, EFI_BOOT_SERVICES *boot, EFI_HANDLE volume)
{
    const EFI_BLOCK_IO_MEDIA *media;
    EFI_PHYSICAL_ADDRESS bounce;

    *of = (struct efi_sectors){.disk = {of, read_sectors, write_sectors}};
    if (boot->HandleProtocol(volume, &(EFI_GUID)EFI_BLOCK_IO_PROTOCOL_GUID, (VOID **)&of->block) != EFI_SUCCESS)
        return FIRMWARE_AREA + AREA_NO_SECTORS;
    media = of->block->Media;
    if (!media->MediaPresent)
        return FIRMWARE_NO_VOLUME;
    if (media->ReadOnly)
        return FIRMWARE_READ_ONLY;
    if (media->BlockSize != DISK_SECTOR)
        return FIRMWARE_AREA + AREA_LARGE;
    if (media->LastBlock == ~(EFI_LBA)0 || media->IoAlign > PAGE)
        return FIRMWARE_AREA + AREA_NO_SECTORS;
    of->media = media->MediaId;
    of->count = media->LastBlock + 1;
    if (boot->AllocatePages(AllocateAnyPages, EfiLoaderData, BOUNCE_PAGES, &bounce) != EFI_SUCCESS)
        return FIRMWARE_NO_MEMORY;
    of->bounce = (uint8_t *)(uintptr_t)bounce;
    return FIRMWARE_OK;
}

void efi_sectors_close(struct efi_sectors *of, EFI_BOOT_SERVICES *boot)
{
    if (of->bounce)
        (void)boot->FreePages((EFI_PHYSICAL_ADDRESS)(uintptr_t)of->bounce, BOUNCE_PAGES);
    of->bounce = NULL;
}
