/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/efi/fake_blocks.h"

#include <stdlib.h>
#include <string.h>

struct fake_blocks fake_blocks;

static EFI_BLOCK_IO block;
static EFI_FILE_IO_INTERFACE volume;
static EFI_FILE root;
static EFI_LOADED_IMAGE loaded;
static int device;

static bool refused(void)
{
    return ++fake_blocks.calls == fake_blocks.refuse_call;
}

static void check(UINT32 media, UINTN bytes, const void *buffer)
{
    assert_int_equal(media, fake_blocks.media.MediaId);
    assert_int_equal(bytes % DISK_SECTOR, 0);
    assert_true(!fake_blocks.media.IoAlign || (uintptr_t)buffer % fake_blocks.media.IoAlign == 0);
}

static EFI_STATUS EFIAPI read_blocks(EFI_BLOCK_IO *self, UINT32 media, EFI_LBA sector, UINTN bytes, VOID *buffer)
{
    struct test_disk *disk = fake_blocks.disk;

    check(media, bytes, buffer);
    if (refused())
        return fake_blocks.refuse_with;
    return disk->ops.read(disk, sector, (unsigned)(bytes / DISK_SECTOR), buffer) ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI write_blocks(EFI_BLOCK_IO *self, UINT32 media, EFI_LBA sector, UINTN bytes, VOID *buffer)
{
    struct test_disk *disk = fake_blocks.disk;
    bool refuse = refused();

    check(media, bytes, buffer);
    assert_false(fake_blocks.unflushed); /* the driver must flush before the next call, whatever the disk caches */
    if (refuse && !fake_blocks.refuse_after)
        return fake_blocks.refuse_with;
    if (disk->ops.write(disk, sector, (unsigned)(bytes / DISK_SECTOR), buffer))
        return EFI_DEVICE_ERROR;
    fake_blocks.unflushed = !refuse;
    return refuse ? fake_blocks.refuse_with : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI flush_blocks(EFI_BLOCK_IO *self)
{
    fake_blocks.unflushed = false;
    return refused() ? fake_blocks.refuse_with : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI open_file(EFI_FILE_HANDLE from, EFI_FILE_HANDLE *ret_file, CHAR16 *name, UINT64 mode,
                                   UINT64 attributes)
{
    assert_int_equal(mode, EFI_FILE_MODE_READ); /* otherwise the driver would write */
    return EFI_NOT_FOUND;
}

static EFI_STATUS EFIAPI close_root(EFI_FILE_HANDLE handle)
{
    fake_blocks.roots--;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI open_volume(EFI_FILE_IO_INTERFACE *self, EFI_FILE_HANDLE *ret_root)
{
    fake_blocks.roots++;
    *ret_root = &root;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI handle_protocol(EFI_HANDLE handle, EFI_GUID *guid, VOID **ret_interface)
{
    assert_ptr_equal(handle, &device);
    if (!memcmp(guid, &(EFI_GUID)EFI_BLOCK_IO_PROTOCOL_GUID, sizeof(*guid)) && !fake_blocks.missing)
        *ret_interface = &block;
    else if (!memcmp(guid, &(EFI_GUID)SIMPLE_FILE_SYSTEM_PROTOCOL, sizeof(*guid)))
        *ret_interface = &volume;
    else
        return EFI_UNSUPPORTED;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI reinstall(EFI_HANDLE handle, EFI_GUID *guid, VOID *old, VOID *with)
{
    assert_ptr_equal(handle, &device);
    assert_memory_equal(guid, &(EFI_GUID)EFI_BLOCK_IO_PROTOCOL_GUID, sizeof(*guid));
    assert_ptr_equal(old, &block);
    assert_ptr_equal(with, &block);
    assert_int_equal(fake_blocks.roots, 0); /* files that are open on the volume would be lost */
    fake_blocks.starts++;
    return fake_blocks.held ? EFI_ACCESS_DENIED : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **ret_memory)
{
    assert_int_equal(type, EfiLoaderData);
    if (fake_blocks.no_pool && --fake_blocks.no_pool == 0)
        return EFI_OUT_OF_RESOURCES;
    fake_blocks.pools++;
    *ret_memory = malloc(size);
    memset(*ret_memory, 0xa5, size); /* as firmware returns it: not zeros */
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pool(VOID *memory)
{
    fake_blocks.pools--;
    free(memory);
    return EFI_SUCCESS;
}

static UINTN pages_taken; /* one piece at a time */

static EFI_STATUS EFIAPI allocate_pages(EFI_ALLOCATE_TYPE how, EFI_MEMORY_TYPE type, UINTN pages,
                                        EFI_PHYSICAL_ADDRESS *ret_memory)
{
    assert_int_equal(how, AllocateAnyPages);
    assert_int_equal(type, EfiLoaderData);
    if (fake_blocks.no_pages)
        return EFI_OUT_OF_RESOURCES;
    fake_blocks.pools++;
    pages_taken = pages;
    *ret_memory = (uintptr_t)aligned_alloc(4096, pages * 4096);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pages(EFI_PHYSICAL_ADDRESS memory, UINTN pages)
{
    assert_int_equal(pages, pages_taken);
    fake_blocks.pools--;
    free((void *)(uintptr_t)memory);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI get_time(EFI_TIME *time, EFI_TIME_CAPABILITIES *capabilities)
{
    *time = (EFI_TIME){.Year = 2026, .Month = 11, .Day = 29, .Hour = 20};
    return EFI_SUCCESS;
}

void fake_blocks_init(struct efi_firmware *efi, struct test_disk *disk)
{
    fake_system_init(efi);
    fake_blocks = (struct fake_blocks){.disk = disk,
                                       .media = {.MediaId = 7,
                                                 .MediaPresent = TRUE,
                                                 .LogicalPartition = TRUE,
                                                 .BlockSize = DISK_SECTOR,
                                                 .IoAlign = 512,
                                                 .LastBlock = disk->sectors - 1},
                                       .refuse_with = EFI_DEVICE_ERROR};
    block = (EFI_BLOCK_IO){.Media = &fake_blocks.media,
                           .ReadBlocks = read_blocks,
                           .WriteBlocks = write_blocks,
                           .FlushBlocks = flush_blocks};
    volume = (EFI_FILE_IO_INTERFACE){.OpenVolume = open_volume};
    root = (EFI_FILE){.Open = open_file, .Close = close_root};
    loaded = (EFI_LOADED_IMAGE){.DeviceHandle = &device};
    efi->loaded = &loaded;
    fake_system.boot.HandleProtocol = handle_protocol;
    fake_system.boot.ReinstallProtocolInterface = reinstall;
    fake_system.boot.AllocatePool = allocate_pool;
    fake_system.boot.FreePool = free_pool;
    fake_system.boot.AllocatePages = allocate_pages;
    fake_system.boot.FreePages = free_pages;
    fake_system.runtime.GetTime = get_time;
    efi_files_open(efi);
}

unsigned fake_blocks_end(void)
{
    disk_free(fake_blocks.disk);
    return fake_blocks.pools + fake_blocks.roots + fake_blocks.unflushed;
}
