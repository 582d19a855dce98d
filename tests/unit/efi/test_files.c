/* SPDX-License-Identifier: BSD-2-Clause */
/* Files on a volume whose driver fails at the end: what was written stays, under the name with .new. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/efi/fake_system.h"

static struct efi_firmware efi;

/* The one file that is written. */
static struct {
    EFI_FILE handle, root;
    char name[EFI_PATH_MAX], data[64]; /* name: as the driver would show it; "": not there */
    UINTN size;
    unsigned open;
    EFI_STATUS flush, set_info, write;
} file;

static void narrow(char *to, const CHAR16 *from)
{
    while ((*to++ = (char)*from++))
        ;
}

static EFI_STATUS EFIAPI open_file(EFI_FILE_HANDLE root, EFI_FILE_HANDLE *ret_file, CHAR16 *name, UINT64 mode,
                                   UINT64 attributes)
{
    char text[EFI_PATH_MAX];

    assert_ptr_equal(root, &file.root);
    narrow(text, name);
    if (strcmp(text, file.name) != 0 && !(mode & EFI_FILE_MODE_CREATE))
        return EFI_NOT_FOUND;
    strcpy(file.name, text);
    file.open++;
    *ret_file = &file.handle;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI close_file(EFI_FILE_HANDLE handle)
{
    file.open--;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI delete_file(EFI_FILE_HANDLE handle)
{
    file.open--;
    file.name[0] = '\0';
    file.size = 0;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI write_file(EFI_FILE_HANDLE handle, UINTN *size, VOID *data)
{
    assert_true(file.size + *size <= sizeof(file.data));
    memcpy(file.data + file.size, data, *size);
    file.size += *size;
    return file.write;
}

static EFI_STATUS EFIAPI flush_file(EFI_FILE_HANDLE handle)
{
    return file.flush;
}

static EFI_STATUS EFIAPI get_info(EFI_FILE_HANDLE handle, EFI_GUID *type, UINTN *size, VOID *buffer)
{
    memset(buffer, 0, *size);
    return EFI_SUCCESS;
}

/* In the folder where it is. */
static EFI_STATUS EFIAPI set_info(EFI_FILE_HANDLE handle, EFI_GUID *type, UINTN size, VOID *buffer)
{
    EFI_FILE_INFO *info = buffer;

    if (file.set_info == EFI_SUCCESS)
        narrow(strrchr(file.name, '\\') + 1, info->FileName);
    return file.set_info;
}

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **ret_memory)
{
    *ret_memory = malloc(size);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pool(VOID *memory)
{
    free(memory);
    return EFI_SUCCESS;
}

static int setup(void **state)
{
    fake_system_init(&efi);
    memset(&file, 0, sizeof(file));
    file.root.Open = open_file;
    file.handle = (EFI_FILE){.Close = close_file,
                             .Delete = delete_file,
                             .Write = write_file,
                             .Flush = flush_file,
                             .GetInfo = get_info,
                             .SetInfo = set_info};
    fake_system.boot.AllocatePool = allocate_pool;
    fake_system.boot.FreePool = free_pool;
    efi.root = &file.root;
    return 0;
}

/* Creates, writes and closes \runs\a.txt. */
static enum firmware_error save(void)
{
    struct firmware_file *open = NULL;
    enum firmware_error error = efi_file_create(&efi.firmware, "\\runs\\a.txt", &open);

    assert_int_equal(error, FIRMWARE_OK);
    assert_string_equal(file.name, "\\runs\\a.txt.new");
    error = efi_file_write(open, "text", 4);
    return efi_file_close(open, error == FIRMWARE_OK);
}

static void in_order(void **state)
{
    assert_int_equal(save(), FIRMWARE_OK);
    assert_string_equal(file.name, "\\runs\\a.txt");
    assert_memory_equal(file.data, "text", 4);
    assert_int_equal(file.open, 0);
}

static void it_cannot_be_renamed(void **state)
{
    file.set_info = EFI_ACCESS_DENIED;
    assert_int_equal(save(), FIRMWARE_NOT_RENAMED);
    assert_string_equal(file.name, "\\runs\\a.txt.new");
    assert_int_equal(file.size, 4);
    assert_int_equal(file.open, 0);
}

static void it_cannot_be_flushed(void **state)
{
    file.flush = EFI_DEVICE_ERROR;
    assert_int_equal(save(), FIRMWARE_NOT_RENAMED);
    assert_string_equal(file.name, "\\runs\\a.txt.new");
    assert_int_equal(file.open, 0);
}

/* Half of a file is of no use, and its room is. */
static void it_cannot_be_written(void **state)
{
    file.write = EFI_VOLUME_FULL;
    (void)save();
    assert_string_equal(file.name, "");
    assert_int_equal(file.open, 0);
}

static EFI_STATUS EFIAPI set_position(EFI_FILE_HANDLE handle, UINT64 position)
{
    assert_true(position == ~(UINT64)0); /* the fake writes at the end */
    return EFI_SUCCESS;
}

static void a_line_more(void **state)
{
    file.handle.SetPosition = set_position;
    assert_int_equal(efi_file_append(&efi.firmware, "\\runs\\a.txt", "x", 1), FIRMWARE_NOT_FOUND);
    assert_int_equal(efi_file_remove(&efi.firmware, "\\runs\\a.txt"), FIRMWARE_NOT_FOUND);
    assert_int_equal(save(), FIRMWARE_OK);
    assert_int_equal(efi_file_append(&efi.firmware, "\\runs\\a.txt", " more", 5), FIRMWARE_OK);
    assert_int_equal(file.size, 9);
    assert_memory_equal(file.data, "text more", 9);
    file.write = EFI_VOLUME_FULL;
    assert_int_equal(efi_file_append(&efi.firmware, "\\runs\\a.txt", "x", 1), FIRMWARE_FULL);
    assert_int_equal(file.open, 0);
    assert_int_equal(efi_file_remove(&efi.firmware, "\\runs\\a.txt"), FIRMWARE_OK);
    assert_string_equal(file.name, "");
    assert_int_equal(file.open, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(in_order, setup),
        cmocka_unit_test_setup(it_cannot_be_renamed, setup),
        cmocka_unit_test_setup(it_cannot_be_flushed, setup),
        cmocka_unit_test_setup(it_cannot_be_written, setup),
        cmocka_unit_test_setup(a_line_more, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
