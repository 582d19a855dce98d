/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs in IBSRUNS.TAR together with runs in folders, as UEFI's side sees them. */
#include <stdlib.h>
#include <string.h>

#include "core/run/tar.h"
#include "tests/unit/efi/fake_system.h"

enum { SECTORS = 100 };

static struct efi_firmware efi;
static EFI_FILE root, folder, tar_file;
static uint8_t bytes[SECTORS * DISK_SECTOR];
static uint64_t used, position, size_bytes, bad_from;
static bool has_tar, has_folder;
static unsigned folder_entries, open_files;
static bool no_end, no_position, short_reads; /* functions that the driver lacks */
static char listed[1000];

static EFI_STATUS EFIAPI open_file(EFI_FILE_HANDLE from, EFI_FILE_HANDLE *ret_file, CHAR16 *name, UINT64 mode,
                                   UINT64 attributes)
{
    char text[EFI_PATH_MAX];

    for (unsigned i = 0; i == 0 || text[i - 1]; i++)
        text[i] = (char)name[i];
    assert_int_equal(mode, EFI_FILE_MODE_READ);
    assert_int_equal(attributes, 0);
    *ret_file = NULL;
    if (has_tar && !strcmp(text, "\\IBSRUNS.TAR"))
        *ret_file = &tar_file;
    if (has_folder && !strcmp(text, "\\ibsboot\\runs"))
        *ret_file = &folder;
    if (!*ret_file)
        return EFI_NOT_FOUND;
    position = 0;
    folder_entries = 0;
    open_files++;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI close_file(EFI_FILE_HANDLE handle)
{
    open_files--;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI set_position(EFI_FILE_HANDLE handle, UINT64 to)
{
    position = to == ~(UINT64)0 ? size_bytes : to;
    return no_end && to == ~(UINT64)0 ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI get_position(EFI_FILE_HANDLE handle, UINT64 *at)
{
    *at = position;
    return no_position ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI read_file(EFI_FILE_HANDLE handle, UINTN *size, VOID *to)
{
    if (position > size_bytes || position + *size > bad_from)
        return EFI_DEVICE_ERROR;
    *size = *size < size_bytes - position ? *size : size_bytes - position;
    memcpy(to, bytes + position, *size);
    position += *size;
    *size -= short_reads;
    return EFI_SUCCESS;
}

/* Lists a folder of one run. */
static EFI_STATUS EFIAPI read_folder(EFI_FILE_HANDLE handle, UINTN *size, VOID *to)
{
    static const CHAR16 name[] = L"0003-by-uefi";
    EFI_FILE_INFO *info = to;

    if (folder_entries++) {
        *size = 0;
        return EFI_SUCCESS;
    }
    memcpy(info->FileName, name, sizeof(name));
    return EFI_SUCCESS;
}

static void add(const char *name, const char *text)
{
    tar_header(bytes + used * DISK_SECTOR, name, strlen(text), 0);
    strcpy((char *)bytes + (used + 1) * DISK_SECTOR, text);
    used += 1 + (strlen(text) + DISK_SECTOR - 1) / DISK_SECTOR;
}

static void note(void *argument, const char *name)
{
    strcat(strcat(listed, name), " ");
}

static int setup(void **state)
{
    fake_system_init(&efi);
    memset(bytes, 0, sizeof(bytes));
    used = 0;
    size_bytes = sizeof(bytes);
    bad_from = UINT64_MAX;
    listed[0] = '\0';
    root = (EFI_FILE){.Open = open_file, .Close = close_file};
    folder = (EFI_FILE){.Close = close_file, .Read = read_folder};
    tar_file =
        (EFI_FILE){.Close = close_file, .Read = read_file, .SetPosition = set_position, .GetPosition = get_position};
    efi.root = &root;
    has_tar = true;
    has_folder = true;
    no_end = no_position = short_reads = false;
    return 0;
}

static int teardown(void **state)
{
    return (int)open_files; /* all files were closed */
}

static void two_runs(void)
{
    add("ibsboot/runs/0001-matmul_classic-ibs/begun.ini", "phase");
    add("ibsboot/runs/0001-matmul_classic-ibs/run.ini", "one");
    add("ibsboot/runs/0002-a/begun.ini", "two");
    add("ibsboot/runs/0002-a/begun.ini", "");
    add("ibsboot/runsX/0009-a/run.ini", "no");
    add("ibsboot/runs", "no");
    add("other", "no");
    add("at-the-top", "top");
}

TEST_WITH(lists_both, setup, teardown)
{
    two_runs();
    assert_int_equal(efi_list(&efi.firmware, "\\ibsboot\\runs", note, NULL), FIRMWARE_OK);
    assert_string_equal(listed, "0001-matmul_classic-ibs 0002-a 0003-by-uefi ");
}

TEST_WITH(lists_one, setup, teardown)
{
    two_runs();
    has_folder = false;
    assert_int_equal(efi_list(&efi.firmware, "\\ibsboot\\runs", note, NULL), FIRMWARE_OK);
    assert_string_equal(listed, "0001-matmul_classic-ibs 0002-a ");
    listed[0] = '\0';
    assert_int_equal(efi_list(&efi.firmware, "\\ibsboot\\none", note, NULL), FIRMWARE_NOT_FOUND);
    has_tar = false;
    assert_int_equal(efi_list(&efi.firmware, "\\ibsboot\\runs", note, NULL), FIRMWARE_NOT_FOUND);
    has_folder = true;
    assert_int_equal(efi_list(&efi.firmware, "\\ibsboot\\runs", note, NULL), FIRMWARE_OK);
    assert_string_equal(listed, "0003-by-uefi ");
}

TEST_WITH(reads, setup, teardown)
{
    static char large[20000];
    char text[600];
    size_t size = 99;

    two_runs();
    assert_int_equal(
        efi_read_file(&efi.firmware, "\\ibsboot\\runs\\0001-matmul_classic-ibs\\run.ini", text, 600, &size),
        FIRMWARE_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(text, "one", 3);
    size = 99;
    assert_int_equal(efi_read_file(&efi.firmware, "\\ibsboot\\runs\\0001-matmul_classic-ibs\\run.ini", text, 2, &size),
                     FIRMWARE_TOO_LARGE);
    assert_int_equal(size, 3);
    assert_int_equal(efi_read_file(&efi.firmware, "\\ibsboot\\runs\\0002-a\\begun.ini", text, 600, &size),
                     FIRMWARE_NOT_FOUND); /* removed */
    /* This file is shorter than the one before. */
    assert_int_equal(efi_read_file(&efi.firmware, "\\at-the-top", text, 600, &size), FIRMWARE_OK);
    assert_memory_equal(text, "top", 3);
    memset(large, 'z', sizeof(large) - 1);
    add("large", large);
    assert_int_equal(efi_read_file(&efi.firmware, "\\large", large, sizeof(large), &size), FIRMWARE_OK);
    bad_from = (used - 1) * DISK_SECTOR; /* its last sector */
    assert_int_equal(efi_read_file(&efi.firmware, "\\large", large, sizeof(large), &size), FIRMWARE_FAILED);
    memset(text, 'n', 200);
    text[200] = '\0';
    assert_int_equal(efi_read_file(&efi.firmware, text, text, 600, &size), FIRMWARE_NOT_FOUND);
}

/* Files before the damage count. */
TEST_WITH(damaged, setup, teardown)
{
    two_runs();
    bytes[4 * DISK_SECTOR] ^= 1; /* the header of 0002's */
    assert_int_equal(efi_list(&efi.firmware, "\\ibsboot\\runs", note, NULL), FIRMWARE_OK);
    assert_string_equal(listed, "0001-matmul_classic-ibs 0003-by-uefi ");
    size_bytes = 3 * DISK_SECTOR + 5; /* the file is shorter than its entry */
    listed[0] = '\0';
    assert_int_equal(efi_list(&efi.firmware, "\\ibsboot\\runs", note, NULL), FIRMWARE_OK);
    assert_string_equal(listed, "0001-matmul_classic-ibs 0003-by-uefi ");
    size_bytes = 0;
    listed[0] = '\0';
    assert_int_equal(efi_list(&efi.firmware, "\\ibsboot\\runs", note, NULL), FIRMWARE_OK);
    assert_string_equal(listed, "0003-by-uefi ");
}

/* Names of runs begin alike, with files of each other between them; one name has the largest length; a volume does not
 * answer. */
TEST_WITH(names, setup, teardown)
{
    bool *const cannot[] = {&no_end, &no_position, &short_reads};
    char longest[120] = "ibsboot/runs/", path[120] = "\\", text[8];
    size_t size;

    add("ibsboot/runs/0001-a/run.ini", "one");
    add("ibsboot/runs/0001-ab/run.ini", "one");
    add("ibsboot/runs/0001-a", "one");
    add("ibsboot/runs/", "one");
    add("ibsboot/runs/x", "one");
    memset(longest + 13, 'y', TAR_NAME_MAX - 1 - 13);
    add(longest, "long");
    has_folder = false;
    assert_true(efi_area_list(&efi, "\\ibsboot\\runs", note, NULL));
    assert_memory_equal(listed, "0001-a 0001-ab 0001-a x yyy", 27);
    assert_int_equal(strlen(listed), 24 + TAR_NAME_MAX - 1 - 13 + 1);
    strcat(path, longest);
    assert_int_equal(efi_area_read(&efi, path, text, 8, &size), FIRMWARE_OK);
    assert_int_equal(efi_area_read(&efi, longest, text, 4, &size), FIRMWARE_OK);
    assert_memory_equal(text, "long", 4);
    add("eight888/01/a", "eight");
    add("short", "five");
    assert_int_equal(efi_area_read(&efi, "\\eight888\\01\\a", text, 8, &size), FIRMWARE_OK);
    assert_int_equal(size, 5);
    add("eight888", "eight");
    assert_int_equal(efi_area_read(&efi, "\\eight888", text, 8, &size), FIRMWARE_OK);
    listed[0] = '\0';
    assert_true(efi_area_list(&efi, "\\eight888", note, NULL));
    assert_string_equal(listed, "01 ");
    strcat(path, "y"); /* begins like the other name */
    assert_int_equal(efi_area_read(&efi, path, text, 8, &size), FIRMWARE_NOT_FOUND);
    assert_false(efi_area_list(&efi, path, note, NULL));
    for (unsigned i = 0; i < 3; i++) {
        *cannot[i] = true;
        assert_false(efi_area_list(&efi, "\\ibsboot\\runs", note, NULL));
        assert_int_equal(efi_area_read(&efi, "\\ibsboot\\runs\\x", text, 8, &size), FIRMWARE_NOT_FOUND);
        *cannot[i] = false;
    }
    assert_int_equal(open_files, 0);
    efi.root = NULL;
    assert_false(efi_area_list(&efi, "\\ibsboot\\runs", note, NULL));
}

RUN_TESTS(NULL, NULL)
