/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs: where they are placed, what they are told, how they are started and unloaded. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "bios/bios.h"
#include "bios/console.h"
#include "bios/files.h"
#include "bios/disk/volume.h"
#include "tests/unit/bios/fake_disks.h"
#include "tests/unit/bios/fake_machine.h"
#include "tests/unit/bios/fake_ports.h"

enum { HEADERS = 0x400, FILE_BYTES = 0x600, IMAGE = 0x3123, ENTRY = 0x1010, ONE_MB = 1 << 20 };
enum { AT_ENTRY = 0x58 + 16, AT_PLACE = 0x58 + 24, AT_SUBSYSTEM = 0x58 + 68 };

static EFI_GUID image_guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
static uint8_t file[FILE_BYTES], broken[FILE_BYTES];
static struct boot_info info;
static uint64_t before;

static void put(uint8_t *bytes, size_t at, uint64_t value, size_t size)
{
    memcpy(bytes + at, &value, size);
}

/* Makes a program (Microsoft PE format specification) of IMAGE bytes, with one section. Its function returns the
 * difference of its two arguments. */
static void make_program(uint64_t place, unsigned subsystem)
{
    static const uint8_t code[] = {0x48, 0x89, 0xc8, 0x48, 0x29, 0xd0, 0xc3}; /* mov rax, rcx; sub rax, rdx; ret */

    memset(file, 0, sizeof file);
    put(file, 0x3c, 0x40, 4);
    put(file, 0x40, 0x00004550, 4);
    put(file, 0x44, 0x8664, 2);
    put(file, 0x46, 1, 2);
    put(file, 0x54, 112, 2);
    put(file, 0x58, 0x20b, 2);
    put(file, AT_ENTRY, ENTRY, 4);
    put(file, AT_PLACE, place, 8);
    put(file, 0x58 + 56, IMAGE, 4);
    put(file, 0x58 + 60, HEADERS, 4);
    put(file, AT_SUBSYSTEM, subsystem, 2);
    put(file, 0x58 + 112 + 8, 0x100, 4); /* the section: bytes and place in memory, bytes and place in the file */
    put(file, 0x58 + 112 + 12, 0x1000, 4);
    put(file, 0x58 + 112 + 16, 0x100, 4);
    put(file, 0x58 + 112 + 20, HEADERS, 4);
    memcpy(file + HEADERS + 0x10, code, sizeof code);
}

static void add_module(const char *path, const void *bytes, size_t size)
{
    struct boot_module *module = &info.module[info.modules++];

    module->address = (uint64_t)bytes;
    module->size = size;
    strcpy(module->path, path);
}

static char longest[BOOT_INFO_PATH];

static int begin(void **state)
{
    fake_begin();
    make_program(0, 10);
    memcpy(broken, file, sizeof broken);
    put(broken, AT_ENTRY, IMAGE, 4);
    memset(longest, 'x', sizeof longest - 1);
    info.modules = 0;
    add_module("EFI/BOOT/BOOTX64.EFI", file, sizeof file);
    add_module("broken.efi", broken, sizeof broken);
    add_module(longest, file, sizeof file);
    add_module("a?b.efi", file, sizeof file);
    files_prepare(&info, NULL);
    before = memory_left(&bios.memory);
    return 0;
}

static bool said(const char *text)
{
    return strstr(ports.sent, text) != NULL;
}

static EFI_LOADED_IMAGE *loaded_of(EFI_HANDLE image)
{
    EFI_LOADED_IMAGE *loaded = NULL;

    assert_int_equal(uefi_handle_protocol(image, &image_guid, (void **)&loaded), EFI_SUCCESS);
    return loaded;
}

static EFI_HANDLE load(const char *options)
{
    EFI_HANDLE image = NULL;

    assert_int_equal(uefi_load("EFI/BOOT/BOOTX64.EFI", options, &image), EFI_SUCCESS);
    return image;
}

/* Returns the type of memory that the map gives for an address. */
static uint32_t type_at(uint64_t address)
{
    for (unsigned i = 0; i < bios.memory.rows; i++)
        if (address >= bios.memory.row[i].base && address < bios.memory.row[i].end)
            return bios.memory.row[i].type;
    return 99;
}

/* ---------------------------------------------------------------- loading */

TEST_WITH(told, begin, NULL)
{
    EFI_HANDLE image = load(NULL);
    EFI_LOADED_IMAGE *loaded = loaded_of(image);
    uint8_t *base = loaded->ImageBase;

    assert_int_equal(loaded->Revision, 0x1000);
    assert_ptr_equal(loaded->SystemTable, uefi_system());
    assert_ptr_equal(loaded->DeviceHandle, uefi_device());
    assert_int_equal(loaded->ImageSize, IMAGE);
    assert_int_equal(loaded->ImageCodeType, EfiLoaderCode);
    assert_int_equal(loaded->ImageDataType, EfiLoaderData);
    assert_null(loaded->LoadOptions);
    assert_int_equal(loaded->LoadOptionsSize, 0);
    assert_memory_equal(base, file, HEADERS);
    assert_memory_equal(base + 0x1000, file + HEADERS, 0x100);
    for (unsigned i = 0x1100; i < IMAGE; i++)
        assert_int_equal(base[i], 0);
    assert_int_equal(before - memory_left(&bios.memory), 4 * MEMORY_PAGE);
    assert_int_equal(type_at((uint64_t)base), EfiLoaderCode);
    assert_int_equal(uefi_start_image(image, NULL, NULL), (EFI_STATUS)image - (EFI_STATUS)uefi_system());
    assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
    assert_int_equal(memory_left(&bios.memory), before);
    assert_int_equal(uefi_unload_image(image), EFI_INVALID_PARAMETER);
    assert_int_equal(uefi_start_image(image, NULL, NULL), EFI_INVALID_PARAMETER);
    assert_int_equal(uefi_handle_protocol(image, &image_guid, (void **)&loaded), EFI_UNSUPPORTED);
    /* The program is a driver for the time after the loader. */
    put(file, AT_SUBSYSTEM, 12, 2);
    image = load("");
    loaded = loaded_of(image);
    assert_int_equal(loaded->ImageCodeType, EfiRuntimeServicesCode);
    assert_int_equal(loaded->ImageDataType, EfiRuntimeServicesData);
    assert_int_equal(type_at((uint64_t)loaded->ImageBase), EfiRuntimeServicesCode);
    assert_null(loaded->LoadOptions);
    assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
}

/* A program has the pages that its bytes fill; the last one may be partly filled. */
TEST_WITH(whole_pages, begin, NULL)
{
    static const unsigned sizes[][2] = {{0x2000, 2}, {0x2001, 3}, {0x2fff, 3}, {0x3000, 3}};

    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        EFI_HANDLE image;

        put(file, 0x58 + 56, sizes[i][0], 4);
        image = load(NULL);
        assert_int_equal(before - memory_left(&bios.memory), sizes[i][1] * MEMORY_PAGE);
        assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
        assert_int_equal(before, memory_left(&bios.memory));
    }
}

/* A program is placed where it wants to be, from 1 MB on, if that place is free; otherwise anywhere. */
TEST_WITH(places, begin, NULL)
{
    static const struct boot_range ranges[] = {
        {MACHINE_LOW, MACHINE_LOW_BYTES, 1}, {ONE_MB, 4 * MEMORY_PAGE, 1}, {MACHINE_AT, MACHINE_BYTES, 1}};
    static const uint64_t anywhere = MACHINE_AT + MACHINE_BYTES - 4 * MEMORY_PAGE;
    static const struct {
        uint64_t wanted, got;
    } rows[] = {
        {0, anywhere},
        {ONE_MB, ONE_MB},
        {MACHINE_AT + (3 << 20), MACHINE_AT + (3 << 20)},
        {MACHINE_LOW, anywhere},
        {ONE_MB + MEMORY_PAGE, anywhere}, /* the program would reach over the end */
        {MACHINE_AT + 1, anywhere},
        {1ull << 40, anywhere},
    };
    void *at_1_mb = mmap((void *)ONE_MB, 4 * MEMORY_PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    assert_ptr_equal(at_1_mb, (void *)ONE_MB);
    memory_init(&bios.memory, ranges, 3);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EFI_HANDLE image;

        put(file, AT_PLACE, rows[i].wanted, 8);
        image = load(NULL);
        assert_ptr_equal(loaded_of(image)->ImageBase, (void *)rows[i].got);
        assert_int_equal(uefi_start_image(image, NULL, NULL), (EFI_STATUS)image - (EFI_STATUS)uefi_system());
        assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
    }
    assert_int_equal(munmap(at_1_mb, 4 * MEMORY_PAGE), 0);
}

TEST_WITH(options, begin, NULL)
{
    char text[600];
    EFI_HANDLE image = load("a=\xe9 b");
    EFI_LOADED_IMAGE *loaded = loaded_of(image);

    assert_int_equal(loaded->LoadOptionsSize, 12);
    assert_memory_equal(loaded->LoadOptions, u"a=\u00e9 b", 12);
    assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
    memset(text, 'o', sizeof text);
    text[599] = '\0';
    text[510] = 'p';
    text[511] = 'q';
    image = load(text);
    loaded = loaded_of(image);
    assert_int_equal(loaded->LoadOptionsSize, 1024);
    assert_int_equal(((CHAR16 *)loaded->LoadOptions)[510], 'p');
    assert_int_equal(((CHAR16 *)loaded->LoadOptions)[511], 0);
    assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
    /* No option of the program before is left. */
    image = load("x");
    loaded = loaded_of(image);
    assert_memory_equal(loaded->LoadOptions, u"x\0\0", 8);
    assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
}

TEST_WITH(four_at_once, begin, NULL)
{
    EFI_HANDLE images[4], more;

    for (unsigned i = 0; i < 4; i++) {
        images[i] = load(NULL);
        for (unsigned k = 0; k < i; k++) {
            assert_ptr_not_equal(images[i], images[k]);
            assert_ptr_not_equal(loaded_of(images[i])->ImageBase, loaded_of(images[k])->ImageBase);
        }
    }
    assert_int_equal(uefi_load("EFI/BOOT/BOOTX64.EFI", NULL, &more), EFI_OUT_OF_RESOURCES);
    assert_int_equal(uefi_unload_image(images[2]), EFI_SUCCESS);
    assert_ptr_equal(load(NULL), images[2]);
    assert_int_equal(uefi_unload_image((uint8_t *)images[3] + 1), EFI_INVALID_PARAMETER);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(uefi_start_image(images[i], NULL, NULL), (EFI_STATUS)images[i] - (EFI_STATUS)uefi_system());
        assert_int_equal(uefi_unload_image(images[i]), EFI_SUCCESS);
    }
    assert_int_equal(memory_left(&bios.memory), before);
}

/* Each refusal is reported, and neither a file nor memory stays in use: there are 32 files. */
TEST_WITH(refused, begin, NULL)
{
    EFI_HANDLE image = uefi_device();

    assert_int_equal(uefi_load("absent.efi", NULL, &image), EFI_NOT_FOUND);
    assert_string_equal(ports.sent, "");
    for (unsigned i = 0; i < 40; i++) {
        assert_int_equal(uefi_load("broken.efi", NULL, &image), EFI_LOAD_ERROR);
        assert_true(said("ibsbios: broken.efi: it is damaged\r\n"));
        ports.length = 0;
    }
    assert_int_equal(memory_left(&bios.memory), before);
    while (memory_take(&bios.memory, 1, ONE_MB, UINT64_MAX, MEMORY_LOADER_DATA))
        ;
    memset(ports.sent, 0, sizeof ports.sent);
    assert_int_equal(uefi_load("EFI/BOOT/BOOTX64.EFI", NULL, &image), EFI_OUT_OF_RESOURCES);
    assert_true(said("ibsbios: EFI/BOOT/BOOTX64.EFI: no memory for it: 12 KB are wanted\r\n"));
    assert_ptr_equal(image, uefi_device());
}

/* A program's file on a volume is closed when the program is placed; a file that cannot be read is reported. */
TEST_WITH(from_a_volume, begin, NULL)
{
    static struct volume volume;
    EFI_HANDLE image;
    FILE *stream;

    shell("rm -f p.img && truncate -s 4M p.img && mformat -i p.img -c 1 -v TEST -N 1B5B0071 ::");
    stream = fopen(FILES "p.efi", "wb");
    assert_int_equal(fwrite(file, 1, sizeof file, stream), sizeof file);
    assert_int_equal(fclose(stream), 0);
    shell("mcopy -i p.img p.efi ::/p.efi");
    fake_disks_add(disk_of_file(FILES "p.img"));
    memset(&volume, 0, sizeof volume);
    assert_true(volume_find(&volume, &info, false));
    files_prepare(&info, &volume);
    before = memory_left(&bios.memory);
    assert_int_equal(uefi_load("p.efi", "x", &image), EFI_SUCCESS);
    assert_int_equal(before - memory_left(&bios.memory), 4 * MEMORY_PAGE);
    assert_int_equal(uefi_start_image(image, NULL, NULL), (EFI_STATUS)image - (EFI_STATUS)uefi_system());
    assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
    fake_disks.drive[0].fail = 1000;
    ports.length = 0;
    assert_int_equal(uefi_load("p.efi", "x", &image), EFI_DEVICE_ERROR);
    assert_true(said("ibsbios: p.efi: the disk does not read it\r\n"));
    fake_disks.drive[0].fail = 0;
    while (memory_take(&bios.memory, 1, ONE_MB, UINT64_MAX, MEMORY_LOADER_DATA))
        ;
    assert_int_equal(uefi_load("p.efi", "x", &image), EFI_DEVICE_ERROR);
    assert_true(said("ibsbios: p.efi: no memory to read it\r\n"));
}

/* ---------------------------------------------------------------- by a device path */

/* Makes nodes (UEFI 2.10, section 10.3): one of a PCI device, one of a file with this path, and the end. */
static EFI_DEVICE_PATH *path_of(const CHAR16 *text, unsigned characters)
{
    static UINT8 path[1000];
    unsigned length = 4 + 2 * characters;

    memcpy(path, (UINT8[]){1, 1, 6, 0, 2, 31}, 6);
    memcpy(path + 6, (UINT8[]){4, 4, (UINT8)length, (UINT8)(length >> 8)}, 4);
    memcpy(path + 10, text, 2 * characters);
    memcpy(path + 6 + length, (UINT8[]){0x7f, 0xff, 4, 0}, 4);
    return (EFI_DEVICE_PATH *)path;
}

static EFI_STATUS by_path(EFI_DEVICE_PATH *path)
{
    EFI_HANDLE image = NULL;
    EFI_STATUS status = uefi_load_image(FALSE, NULL, path, NULL, 0, &image);

    if (status == EFI_SUCCESS) {
        assert_null(loaded_of(image)->LoadOptions);
        assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
    }
    return status;
}

#define TEXT(text) path_of((const CHAR16 *)(text), sizeof(text) / 2)

TEST_WITH(device_paths, begin, NULL)
{
    CHAR16 text[300];
    UINT8 *path;

    assert_int_equal(by_path(TEXT(u"\\EFI\\BOOT\\BOOTX64.EFI")), EFI_SUCCESS);
    assert_int_equal(by_path(TEXT(u"EFI\\Boot/bootx64.efi")), EFI_SUCCESS);
    assert_int_equal(by_path(TEXT(u"\\\\EFI\\BOOT\\BOOTX64.EFI")), EFI_SUCCESS);
    assert_int_equal(by_path(TEXT(u"EFI\\\\BOOT\\BOOTX64.EFI")), EFI_NOT_FOUND);
    assert_int_equal(by_path(TEXT(u"a\u0162b.efi")), EFI_SUCCESS); /* characters outside Latin-1 become "?" */
    assert_int_equal(by_path(TEXT(u"a\u0100b.efi")), EFI_SUCCESS);
    assert_int_equal(by_path(TEXT(u"\\absent.efi")), EFI_NOT_FOUND);
    for (unsigned i = 0; i < 300; i++)
        text[i] = 'x';
    text[127] = 0;
    assert_int_equal(by_path(path_of(text, 128)), EFI_SUCCESS);
    text[127] = 'x';
    text[128] = 0;
    assert_int_equal(by_path(path_of(text, 129)), EFI_NOT_FOUND);
    text[128] = 'x';
    text[299] = 0;
    assert_int_equal(by_path(path_of(text, 300)), EFI_NOT_FOUND);
    /* Nodes of any length may stand before the file's, here one of 260 bytes; one path has no end. */
    path = (UINT8 *)path_of(u"", 1) + 6;
    memmove(path + 260, TEXT(u"broken.efi"), 40);
    memset(path, 'x', 256);
    memcpy(path + 256, (UINT8[4]){0}, 4);
    memcpy(path, (UINT8[]){4, 3, 4, 1}, 4); /* a node with the type of a file's */
    assert_int_equal(by_path((EFI_DEVICE_PATH *)path), EFI_LOAD_ERROR);
    memcpy(path, (UINT8[]){2, 4, 4, 1}, 4); /* a node with the subtype of a file's */
    assert_int_equal(by_path((EFI_DEVICE_PATH *)path), EFI_LOAD_ERROR);
    memcpy(path, (UINT8[]){2, 1, 3, 0}, 4);
    assert_int_equal(by_path((EFI_DEVICE_PATH *)path), EFI_INVALID_PARAMETER);
    memcpy(path, (UINT8[]){2, 1, 4, 0, 0x7f, 0xff, 4, 0}, 8);
    assert_int_equal(by_path((EFI_DEVICE_PATH *)path), EFI_NOT_FOUND);
    assert_int_equal(by_path(NULL), EFI_UNSUPPORTED);
}

/* A program in memory, which came over the network, has whatever path is given with it. */
TEST_WITH(from_memory, begin, NULL)
{
    EFI_HANDLE image = NULL;

    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(uefi_load_image(FALSE, NULL, i ? NULL : TEXT(u"none.efi"), file, sizeof file, &image),
                         EFI_SUCCESS);
        assert_memory_equal(loaded_of(image)->ImageBase, file, HEADERS);
        assert_int_equal(uefi_unload_image(image), EFI_SUCCESS);
    }
    assert_int_equal(uefi_load_image(FALSE, NULL, NULL, file, 100, &image), EFI_LOAD_ERROR);
    assert_true(said("ibsbios: a program in memory: "));
    assert_int_equal(memory_left(&bios.memory), before);
}

RUN_TESTS(NULL, NULL)
