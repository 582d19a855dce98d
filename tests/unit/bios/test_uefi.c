/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables that a program gets, the slots that refuse, protocols, and memory. */
#include <string.h>

#include "bios/bios.h"
#include "bios/console.h"
#include "bios/uefi/uefi_rows.h"
#include "tests/unit/bios/fake_disks.h"
#include "tests/unit/bios/fake_machine.h"
#include "tests/unit/bios/fake_ports.h"

/* EFI_MP_SERVICES_PROTOCOL_GUID (UEFI Platform Initialization specification 1.7, vol. 2, section 13.4). */
static EFI_GUID mp_guid = {0x3fdda605, 0xa76e, 0x4f46, {0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08}};
static EFI_GUID file_system_guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID, path_guid = EFI_DEVICE_PATH_PROTOCOL_GUID,
                image_guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;

static const uint64_t no_roots[TABLE_ROOTS];

static int begin(void **state)
{
    fake_begin();
    uefi_prepare(no_roots, true);
    return 0;
}

/* ---------------------------------------------------------------- tables */

TEST_WITH(system_table, begin, NULL)
{
    static const EFI_GUID guids[TABLE_ROOTS] = {ACPI_TABLE_GUID, SMBIOS3_TABLE_GUID, SMBIOS_TABLE_GUID};
    EFI_SYSTEM_TABLE *table = uefi_system();

    assert_int_equal(table->Hdr.Signature, EFI_SYSTEM_TABLE_SIGNATURE);
    assert_int_equal(table->Hdr.HeaderSize, sizeof *table);
    assert_int_equal(table->Hdr.Revision, 0x20000);
    assert_int_equal(table->BootServices->Hdr.Signature, EFI_BOOT_SERVICES_SIGNATURE);
    assert_int_equal(table->BootServices->Hdr.HeaderSize, sizeof *table->BootServices);
    assert_int_equal(table->BootServices->Hdr.Revision, 0x20000);
    assert_int_equal(table->RuntimeServices->Hdr.Signature, EFI_RUNTIME_SERVICES_SIGNATURE);
    assert_int_equal(table->RuntimeServices->Hdr.HeaderSize, sizeof *table->RuntimeServices);
    assert_int_equal(table->RuntimeServices->Hdr.Revision, 0x20000);
    assert_int_equal(table->Hdr.CRC32 | table->BootServices->Hdr.CRC32 | table->RuntimeServices->Hdr.CRC32, 0);
    assert_memory_equal(table->FirmwareVendor, u"ibsbios", 16);
    assert_int_equal(table->FirmwareRevision, 1);
    assert_ptr_equal(table->StdErr, table->ConOut);
    assert_int_equal(table->ConOut->Mode->MaxMode, 1);
    assert_int_equal(table->ConOut->Mode->Mode, 0);
    assert_int_equal(uefi_file_functions.Revision, EFI_FILE_PROTOCOL_REVISION);
    /* ACPI's root pointer and SMBIOS' entry points are listed if they exist. */
    assert_int_equal(table->NumberOfTableEntries, 0);
    for (unsigned there = 0; there < 1 << TABLE_ROOTS; there++) {
        uint64_t roots[TABLE_ROOTS];
        unsigned entry = 0;

        for (unsigned i = 0; i < TABLE_ROOTS; i++)
            roots[i] = there >> i & 1 ? 0x7ee0010 + i : 0;
        uefi_prepare(roots, false);
        for (unsigned i = 0; i < TABLE_ROOTS; i++) {
            if (!roots[i])
                continue;
            assert_memory_equal(&table->ConfigurationTable[entry].VendorGuid, &guids[i], sizeof guids[i]);
            assert_ptr_equal(table->ConfigurationTable[entry++].VendorTable, (void *)roots[i]);
        }
        assert_int_equal(table->NumberOfTableEntries, entry);
    }
}

static void refuses(EFI_STATUS(EFIAPI *slot)(void), const char *name)
{
    char line[200] = "ibsbios: unsupported function of UEFI: ";

    ports.length = 0;
    memset(ports.sent, 0, sizeof ports.sent);
    assert_int_equal(slot(), EFI_UNSUPPORTED);
    strcat(strcat(line, name), "\r\n");
    assert_string_equal(ports.sent, line);
}

/* Every slot has the function of its row, or one that prints the slot's name. */
#define IS(name, function)   assert_ptr_equal(table->name, function);
#define REFUSES(of, name)    refuses((EFI_STATUS(EFIAPI *)(void))(void *)table->name, of "." #name);
#define BOOT_REFUSES(name)   REFUSES("BootServices", name)
#define TIME_REFUSES(name)   REFUSES("RuntimeServices", name)
#define OUTPUT_REFUSES(name) REFUSES("ConOut", name)
#define INPUT_REFUSES(name)  REFUSES("ConIn", name)
#define FILE_REFUSES(name)   REFUSES("File", name)
#define MP_REFUSES(name)     REFUSES("MpServices", name)
#define PXE_REFUSES(name)    REFUSES("PxeBaseCode", name)
#define MTFTP_REFUSES(name)  REFUSES("Mtftp", name)
#define NONE(name)

TEST_WITH(slots, begin, NULL)
{
    void *mp;

    {
        EFI_BOOT_SERVICES *table = uefi_system()->BootServices;

        UEFI_BOOT_ROWS(IS, BOOT_REFUSES)
    }
    {
        EFI_RUNTIME_SERVICES *table = uefi_system()->RuntimeServices;

        UEFI_RUNTIME_ROWS(IS, TIME_REFUSES)
    }
    {
        SIMPLE_TEXT_OUTPUT_INTERFACE *table = uefi_system()->ConOut;

        UEFI_OUTPUT_ROWS(IS, OUTPUT_REFUSES)
    }
    {
        SIMPLE_INPUT_INTERFACE *table = uefi_system()->ConIn;

        UEFI_INPUT_ROWS(IS, INPUT_REFUSES)
    }
    {
        const EFI_FILE *table = &uefi_file_functions;

        UEFI_FILE_ROWS(IS, FILE_REFUSES)
    }
    assert_int_equal(uefi_locate_protocol(&mp_guid, NULL, &mp), EFI_SUCCESS);
    {
        struct mp_services *table = mp;

        UEFI_MP_ROWS(IS, MP_REFUSES)
    }
    {
        const EFI_PXE_BASE_CODE *table = &bios.tables.pxe;

        UEFI_PXE_ROWS(IS, PXE_REFUSES)
    }
    {
        const EFI_SERVICE_BINDING *table = &bios.tables.binding;

        UEFI_BINDING_ROWS(IS, NONE)
    }
    {
        const struct mtftp *table = &bios.tables.mtftp;

        UEFI_MTFTP_ROWS(IS, MTFTP_REFUSES)
    }
}

/* ---------------------------------------------------------------- protocols */

TEST_WITH(of_the_volume, begin, NULL)
{
    EFI_HANDLE device = uefi_device();
    EFI_FILE_IO_INTERFACE *volume;
    UINT8 *path;
    void *none = NULL;

    assert_int_equal(uefi_handle_protocol(device, &file_system_guid, (void **)&volume), EFI_SUCCESS);
    assert_int_equal(volume->Revision, EFI_FILE_IO_INTERFACE_REVISION);
    assert_ptr_equal(volume->OpenVolume, uefi_open_volume);
    assert_int_equal(uefi_handle_protocol(device, &path_guid, (void **)&path), EFI_SUCCESS);
    assert_memory_equal(path, ((UINT8[]){0x7f, 0xff, 4, 0}), 4); /* UEFI 2.10, section 10.3.1: only an end */
    assert_int_equal(uefi_handle_protocol(device, &image_guid, &none), EFI_UNSUPPORTED);
    assert_int_equal(uefi_handle_protocol(device, &mp_guid, &none), EFI_UNSUPPORTED);
    assert_int_equal(uefi_handle_protocol(NULL, &file_system_guid, &none), EFI_UNSUPPORTED);
    assert_int_equal(uefi_handle_protocol(NULL, &path_guid, &none), EFI_UNSUPPORTED);
    assert_int_equal(uefi_handle_protocol(NULL, &image_guid, &none), EFI_UNSUPPORTED);
    assert_null(none);
}

TEST_WITH(mp_services, begin, NULL)
{
    EFI_GUID other = mp_guid;
    EFI_HANDLE handles[2] = {NULL, NULL};
    UINTN size = 7;
    void *mp = NULL, *again = NULL;

    other.Data4[7] ^= 1;
    assert_int_equal(uefi_locate_protocol(&other, NULL, &mp), EFI_NOT_FOUND);
    assert_null(mp);
    assert_int_equal(uefi_locate_protocol(&mp_guid, NULL, &mp), EFI_SUCCESS);
    assert_int_equal(uefi_locate_handle(AllHandles, &mp_guid, NULL, &size, handles), EFI_NOT_FOUND);
    assert_int_equal(uefi_locate_handle(ByProtocol, &other, NULL, &size, handles), EFI_NOT_FOUND);
    assert_int_equal(size, 7);
    assert_int_equal(uefi_locate_handle(ByProtocol, &mp_guid, NULL, &size, handles), EFI_BUFFER_TOO_SMALL);
    assert_int_equal(size, 8);
    assert_null(handles[0]);
    assert_int_equal(uefi_locate_handle(ByProtocol, &mp_guid, NULL, &size, handles), EFI_SUCCESS);
    assert_ptr_equal(handles[0], mp);
    size = sizeof handles;
    assert_int_equal(uefi_locate_handle(ByProtocol, &mp_guid, NULL, &size, handles), EFI_SUCCESS);
    assert_int_equal(size, 8);
    assert_null(handles[1]);
    /* Only all three arguments together remove the protocol, and only once. */
    assert_int_equal(uefi_uninstall_protocol(uefi_device(), &mp_guid, mp), EFI_NOT_FOUND);
    assert_int_equal(uefi_uninstall_protocol(handles[0], &other, mp), EFI_NOT_FOUND);
    assert_int_equal(uefi_uninstall_protocol(handles[0], &mp_guid, &other), EFI_NOT_FOUND);
    assert_int_equal(uefi_locate_protocol(&mp_guid, NULL, &again), EFI_SUCCESS);
    assert_ptr_equal(again, mp);
    assert_int_equal(uefi_uninstall_protocol(handles[0], &mp_guid, mp), EFI_SUCCESS);
    assert_int_equal(uefi_uninstall_protocol(handles[0], &mp_guid, mp), EFI_NOT_FOUND);
    assert_int_equal(uefi_locate_protocol(&mp_guid, NULL, &again), EFI_NOT_FOUND);
    assert_int_equal(uefi_locate_handle(ByProtocol, &mp_guid, NULL, &size, handles), EFI_NOT_FOUND);
    /* On a machine with one core the protocol does not exist. */
    uefi_prepare(no_roots, false);
    assert_int_equal(uefi_locate_protocol(&mp_guid, NULL, &again), EFI_NOT_FOUND);
}

/* ---------------------------------------------------------------- memory */

TEST_WITH(pages, begin, NULL)
{
    EFI_PHYSICAL_ADDRESS at = 1, other;

    /* By default memory is at 1 MB or above; memory below is allocated only on request. */
    assert_int_equal(uefi_allocate_pages(AllocateAnyPages, EfiLoaderData, 2, &at), EFI_SUCCESS);
    assert_int_equal(at, MACHINE_AT + MACHINE_BYTES - 2 * MEMORY_PAGE);
    assert_int_equal(uefi_allocate_pages(AllocateAnyPages, EfiLoaderData, MACHINE_BYTES / MEMORY_PAGE - 2, &other),
                     EFI_SUCCESS);
    assert_int_equal(other, MACHINE_AT);
    other = 5;
    assert_int_equal(uefi_allocate_pages(AllocateAnyPages, EfiLoaderData, 1, &other), EFI_OUT_OF_RESOURCES);
    assert_int_equal(other, 5);
    /* The limit is the last byte that may belong to the memory. */
    other = MACHINE_LOW + 2 * MEMORY_PAGE - 1;
    assert_int_equal(uefi_allocate_pages(AllocateMaxAddress, EfiLoaderData, 2, &other), EFI_SUCCESS);
    assert_int_equal(other, MACHINE_LOW);
    other = MACHINE_LOW + 3 * MEMORY_PAGE - 2;
    assert_int_equal(uefi_allocate_pages(AllocateMaxAddress, EfiLoaderData, 1, &other), EFI_OUT_OF_RESOURCES);
    other = MACHINE_LOW + 3 * MEMORY_PAGE;
    assert_int_equal(uefi_allocate_pages(AllocateAddress, EfiLoaderData, 1, &other), EFI_SUCCESS);
    assert_int_equal(other, MACHINE_LOW + 3 * MEMORY_PAGE);
    assert_int_equal(uefi_allocate_pages(AllocateAddress, EfiLoaderData, 1, &other), EFI_NOT_FOUND);
    assert_int_equal(uefi_allocate_pages(MaxAllocateType, EfiLoaderData, 1, &other), EFI_INVALID_PARAMETER);
    assert_int_equal(uefi_free_pages(at, 3), EFI_NOT_FOUND);
    assert_int_equal(uefi_free_pages(at, 2), EFI_SUCCESS);
    assert_int_equal(uefi_free_pages(at, 2), EFI_NOT_FOUND);
}

/* Memory is allocated below 4 GB while there is some, then above; memory below 18000h, which calls of the BIOS use,
 * never is. */
TEST_WITH(order_of_memory, begin, NULL)
{
    static const struct boot_range ranges[] = {
        {0x1000, 0x17000, 1}, {0xff000, 0x2000, 1}, {0xfffff000, 0x2000, 1}, {1ull << 40, 0x1000, 1}};
    static const uint64_t wanted[] = {0xfffff000, 0x100000, 1ull << 40, 1ull << 32};
    EFI_PHYSICAL_ADDRESS at;

    memory_init(&bios.memory, ranges, 4);
    at = 0x17fff;
    assert_int_equal(uefi_allocate_pages(AllocateMaxAddress, EfiLoaderData, 1, &at), EFI_OUT_OF_RESOURCES);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(uefi_allocate_pages(AllocateAnyPages, EfiLoaderData, 1, &at), EFI_SUCCESS);
        assert_int_equal(at, wanted[i]);
    }
    assert_int_equal(uefi_allocate_pages(AllocateAnyPages, EfiLoaderData, 1, &at), EFI_OUT_OF_RESOURCES);
}

TEST_WITH(map_of_memory, begin, NULL)
{
    EFI_MEMORY_DESCRIPTOR map[8];
    UINTN size = 3 * sizeof map[0] - 1, key = 0, each = 0;
    UINT32 version = 0;
    EFI_PHYSICAL_ADDRESS at;

    assert_int_equal(uefi_allocate_pages(AllocateAnyPages, EfiRuntimeServicesCode, 3, &at), EFI_SUCCESS);
    memset(map, 0xff, sizeof map);
    assert_int_equal(uefi_get_memory_map(&size, map, &key, &each, &version), EFI_BUFFER_TOO_SMALL);
    assert_int_equal(size, 3 * sizeof map[0]);
    assert_int_equal(map[0].Type, 0xffffffff);
    assert_int_equal(uefi_get_memory_map(&size, map, &key, &each, &version), EFI_SUCCESS);
    assert_int_equal(size, 3 * sizeof map[0]);
    assert_int_equal(each, sizeof map[0]);
    assert_int_equal(version, 1); /* UEFI 2.10, section 7.2.3 */
    assert_int_not_equal(key, 0);
    assert_int_equal(map[0].Type, EfiConventionalMemory);
    assert_int_equal(map[0].PhysicalStart, MACHINE_LOW);
    assert_int_equal(map[0].NumberOfPages, MACHINE_LOW_BYTES / MEMORY_PAGE);
    assert_int_equal(map[1].PhysicalStart, MACHINE_AT);
    assert_int_equal(map[1].NumberOfPages, MACHINE_BYTES / MEMORY_PAGE - 3);
    assert_int_equal(map[2].Type, EfiRuntimeServicesCode);
    assert_int_equal(map[2].PhysicalStart, at);
    assert_int_equal(map[2].NumberOfPages, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(map[i].Attribute, 8); /* EFI_MEMORY_WB */
        assert_int_equal(map[i].VirtualStart, 0);
        assert_int_equal(map[i].Pad, 0);
    }
    assert_int_equal(map[3].Type, 0xffffffff);
}

TEST_WITH(pool, begin, NULL)
{
    uint64_t before = memory_left(&bios.memory);
    uint8_t *piece, *larger;

    for (UINTN less = 0; less < 8200; less += 100) /* sizes whose pages are none or few, in 64 bits */
        assert_int_equal(uefi_allocate_pool(EfiLoaderData, UINT64_MAX - less, (void **)&piece), EFI_OUT_OF_RESOURCES);
    assert_int_equal(uefi_allocate_pool(EfiLoaderData, MACHINE_BYTES, (void **)&piece), EFI_OUT_OF_RESOURCES);
    for (unsigned i = 0; i < 3; i++) {
        /* 16 bytes of each piece are its header. */
        static const unsigned sizes[] = {1, MEMORY_PAGE - 16, MEMORY_PAGE - 15}, wanted[] = {1, 1, 2};

        assert_int_equal(uefi_allocate_pool(EfiLoaderData, sizes[i], (void **)&piece), EFI_SUCCESS);
        assert_int_equal((uintptr_t)piece % 16, 0);
        assert_int_equal(before - memory_left(&bios.memory), wanted[i] * MEMORY_PAGE);
        memset(piece, 0xff, sizes[i]);
        assert_int_equal(uefi_free_pool(piece + 1), EFI_INVALID_PARAMETER);
        assert_int_equal(uefi_free_pool(piece), EFI_SUCCESS);
        assert_int_equal(memory_left(&bios.memory), before);
    }
    /* A piece that grows keeps its bytes, and the old one is freed; without memory it stays. */
    piece = uefi_grow_pool(NULL, 0, 100);
    memcpy(piece, "0123456789", 10);
    larger = uefi_grow_pool(piece, 9, 3 * MEMORY_PAGE);
    assert_memory_equal(larger, "012345678", 9);
    assert_int_not_equal(larger[9], '9');
    assert_int_equal(before - memory_left(&bios.memory), 4 * MEMORY_PAGE);
    assert_null(uefi_grow_pool(larger, 9, MACHINE_BYTES));
    assert_memory_equal(larger, "012345678", 9);
    assert_int_equal(before - memory_left(&bios.memory), 4 * MEMORY_PAGE);
}

TEST_WITH(bytes, begin, NULL)
{
    char text[8] = "abcdefg";

    uefi_copy_mem(text + 1, text, 4);
    assert_string_equal(text, "aabcdfg");
    uefi_copy_mem(text, text + 2, 4);
    assert_string_equal(text, "bcdfdfg");
    uefi_set_mem(text + 1, 3, 'x');
    assert_string_equal(text, "bxxxdfg");
}

RUN_TESTS(NULL, NULL)
