/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that are read, folders that are listed, and what each answer of the volume's driver becomes. */
#include <stdlib.h>
#include <string.h>

#include "core/run/area_refusal.h"
#include "tests/unit/efi/fake_system.h"

static struct efi_firmware efi;
static EFI_LOADED_IMAGE loaded;
static EFI_FILE_IO_INTERFACE volume;
static EFI_FILE root, file;

/* The volume has one file, which is returned in parts, or a folder of names. */
static struct {
    EFI_STATUS handle, volume, open, read, position, at, start, alloc; /* what each function answers */
    char opened[EFI_PATH_MAX];
    UINT64 mode;
    const char *text;
    size_t size, told, at_once; /* told: the size by its position at the end */
    size_t done;
    unsigned reads, open_files, closed_roots;
    const CHAR16 *const *names;
} fake;

static EFI_STATUS EFIAPI handle_protocol(EFI_HANDLE handle, EFI_GUID *guid, VOID **ret)
{
    /* UEFI specification 2.10 section 13.4: EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID */
    static const EFI_GUID wanted = {0x964E5B22, 0x6459, 0x11D2, {0x8E, 0x39, 0x00, 0xA0, 0xC9, 0x69, 0x72, 0x3B}};

    assert_ptr_equal(handle, &fake);
    assert_memory_equal(guid, &wanted, sizeof(wanted));
    *ret = &volume;
    return fake.handle;
}

static EFI_STATUS EFIAPI open_volume(EFI_FILE_IO_INTERFACE *self, EFI_FILE_HANDLE *ret_root)
{
    assert_ptr_equal(self, &volume);
    *ret_root = &root;
    return fake.volume;
}

static EFI_STATUS EFIAPI open_file(EFI_FILE_HANDLE from, EFI_FILE_HANDLE *ret_file, CHAR16 *name, UINT64 mode,
                                   UINT64 attributes)
{
    size_t n = 0;

    assert_ptr_equal(from, &root);
    do
        fake.opened[n] = (char)name[n];
    while (name[n++]);
    fake.mode = mode;
    if (strcmp(fake.opened, "\\IBSRUNS.TAR") == 0)
        return EFI_NOT_FOUND;
    *ret_file = &file;
    if (fake.open != EFI_SUCCESS)
        return fake.open; /* no specification says what the handle is then */
    fake.open_files++;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI close_file(EFI_FILE_HANDLE handle)
{
    if (handle == &file)
        fake.open_files--;
    fake.closed_roots += handle == &root;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI delete_file(EFI_FILE_HANDLE handle)
{
    fake.open_files--;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI set_position(EFI_FILE_HANDLE handle, UINT64 to)
{
    fake.done = to == ~(UINT64)0 ? fake.told : (size_t)to;
    return to == 0 ? fake.start : fake.position;
}

static EFI_STATUS EFIAPI get_position(EFI_FILE_HANDLE handle, UINT64 *at)
{
    *at = fake.done;
    return fake.at;
}

static EFI_STATUS EFIAPI read_file(EFI_FILE_HANDLE handle, UINTN *size, VOID *to)
{
    size_t part = *size < fake.at_once ? *size : fake.at_once;

    fake.reads++;
    assert_true(fake.reads < 100);
    if (fake.names) {
        EFI_FILE_INFO *info = to;
        const CHAR16 *name = fake.names[fake.reads - 1];
        size_t n = 0;

        assert_true(*size >= SIZE_OF_EFI_FILE_INFO + 2 * EFI_PATH_MAX);
        *size = 0;
        for (; name && name[n]; n++)
            info->FileName[n] = name[n];
        info->FileName[n] = 0;
        if (name)
            *size = SIZE_OF_EFI_FILE_INFO + 2 * n + 2;
        return fake.read;
    }
    part = part < fake.size - fake.done ? part : fake.size - fake.done;
    memcpy(to, fake.text + fake.done, part);
    fake.done += part;
    *size = part;
    return fake.read;
}

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **ret_memory)
{
    *ret_memory = fake.alloc == EFI_SUCCESS ? malloc(size) : NULL;
    return fake.alloc;
}

static EFI_STATUS EFIAPI free_pool(VOID *memory)
{
    free(memory);
    return EFI_SUCCESS;
}

static int setup(void **state)
{
    fake_system_init(&efi);
    memset(&fake, 0, sizeof(fake));
    fake.text = "some text";
    fake.size = fake.told = 9;
    fake.at_once = 4;
    fake_system.boot.HandleProtocol = handle_protocol;
    fake_system.boot.AllocatePool = allocate_pool;
    fake_system.boot.FreePool = free_pool;
    loaded.DeviceHandle = &fake;
    efi.loaded = &loaded;
    volume.OpenVolume = open_volume;
    root = (EFI_FILE){.Open = open_file, .Close = close_file};
    file = (EFI_FILE){.Close = close_file,
                      .Delete = delete_file,
                      .Read = read_file,
                      .SetPosition = set_position,
                      .GetPosition = get_position};
    efi_files_open(&efi);
    return 0;
}

TEST_WITH(the_volume, setup, NULL)
{
    assert_ptr_equal(efi.root, &root);
    efi_files_close(&efi);
    assert_null(efi.root);
    efi_files_close(&efi);
    assert_int_equal(fake.closed_roots, 1);
    fake.handle = EFI_UNSUPPORTED;
    efi.root = &root;
    efi_files_open(&efi);
    assert_null(efi.root);
    fake.handle = EFI_SUCCESS;
    fake.volume = EFI_NO_MEDIA;
    efi_files_open(&efi);
    assert_null(efi.root);
    fake.volume = EFI_SUCCESS;
    loaded.DeviceHandle = NULL;
    efi_files_open(&efi);
    assert_null(efi.root);
    assert_int_equal(efi_make_folder(&efi.firmware, "\\a"), FIRMWARE_NO_VOLUME);
}

/* A driver may return less than was asked for; a file may end before its size. */
TEST_WITH(in_parts, setup, NULL)
{
    char text[16] = "";
    size_t size = 0;

    assert_int_equal(efi_read_file(&efi.firmware, "\\a", text, 9, &size), FIRMWARE_OK);
    assert_int_equal(size, 9);
    assert_string_equal(text, "some text");
    assert_int_equal(fake.reads, 3);
    assert_string_equal(fake.opened, "\\a");
    assert_int_equal(fake.mode, EFI_FILE_MODE_READ);
    fake.told = 12;
    assert_int_equal(efi_read_file(&efi.firmware, "\\a", text, 16, &size), FIRMWARE_OK);
    assert_int_equal(size, 9);
    fake.told = 10;
    assert_int_equal(efi_read_file(&efi.firmware, "\\a", text, 9, &size), FIRMWARE_TOO_LARGE);
    assert_int_equal(size, 10);
    assert_int_equal(fake.open_files, 0);
}

TEST_WITH(cannot_be_read, setup, NULL)
{
    EFI_STATUS *const failing[] = {&fake.read, &fake.position, &fake.at, &fake.start};
    char text[16];
    size_t size = 77;

    for (unsigned i = 0; i < sizeof(failing) / sizeof(failing[0]); i++) {
        *failing[i] = EFI_DEVICE_ERROR;
        fake.reads = 0;
        assert_int_equal(efi_read_file(&efi.firmware, "\\a", text, 16, &size), FIRMWARE_FAILED);
        assert_int_equal(fake.reads, i == 0);
        assert_int_equal(size, 77);
        assert_int_equal(fake.open_files, 0);
        *failing[i] = EFI_SUCCESS;
    }
}

static void note(void *argument, const char *name)
{
    strcat(strcat(argument, name), " ");
}

/* A file or a folder that was not opened is neither read nor closed. */
TEST_WITH(not_opened, setup, NULL)
{
    char text[16];
    size_t size = 77;

    fake.open = EFI_DEVICE_ERROR;
    assert_int_equal(efi_read_file(&efi.firmware, "\\a", text, 16, &size), FIRMWARE_FAILED);
    assert_int_equal(efi_list(&efi.firmware, "\\a", note, text), FIRMWARE_FAILED);
    assert_int_equal(efi_file_append(&efi.firmware, "\\a", text, 1), FIRMWARE_FAILED);
    assert_int_equal(efi_file_remove(&efi.firmware, "\\a"), FIRMWARE_FAILED);
    assert_int_equal(size, 77);
    assert_int_equal(fake.reads, 0);
    assert_int_equal(fake.open_files, 0);
}

TEST_WITH(answers, setup, NULL)
{
    static const struct {
        EFI_STATUS status;
        enum firmware_error error;
    } rows[] = {
        {EFI_SUCCESS, FIRMWARE_OK},
        {EFI_NOT_FOUND, FIRMWARE_NOT_FOUND},
        {EFI_WRITE_PROTECTED, FIRMWARE_READ_ONLY},
        {EFI_ACCESS_DENIED, FIRMWARE_READ_ONLY},
        {EFI_VOLUME_FULL, FIRMWARE_FULL},
        {EFI_OUT_OF_RESOURCES, FIRMWARE_FULL},
        {EFI_NO_MEDIA, FIRMWARE_NO_VOLUME},
        {EFI_MEDIA_CHANGED, FIRMWARE_NO_VOLUME},
        {EFI_DEVICE_ERROR, FIRMWARE_FAILED},
        /* The errors are ibsbios', and other firmware's own. */
        {0xC00000001B5B0000, FIRMWARE_FAILED},
        {0xC00000001B5B0001, FIRMWARE_AREA + AREA_MISSING},
        {0xC00000001B5B0008, FIRMWARE_AREA + AREA_FULL},
        {0xC00000001B5B000C, FIRMWARE_AREA + AREA_HELD},
        {0xC00000001B5B000D, FIRMWARE_FAILED},
        {0xC000000000000001, FIRMWARE_FAILED},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fake.open = rows[i].status;
        assert_int_equal(efi_file_remove(&efi.firmware, "\\a"), rows[i].error);
    }
    assert_int_equal(fake.open_files, 0);
}

TEST_WITH(lists, setup, NULL)
{
    static const CHAR16 *const names[] = {L".", L"0001-a", L"caf\x00E9", L"\x007F\x0080", NULL};
    static CHAR16 longest[EFI_PATH_MAX + 1];
    static const CHAR16 *const one[] = {longest, NULL};
    char listed[EFI_PATH_MAX + 10] = "";

    fake.names = names;
    assert_int_equal(efi_list(&efi.firmware, "\\runs", note, listed), FIRMWARE_OK);
    assert_string_equal(listed, ". 0001-a caf? \x7F? ");
    assert_int_equal(fake.open_files, 0);
    fake.names = one; /* 255 characters, and one more */
    for (unsigned n = EFI_PATH_MAX - 1; n <= EFI_PATH_MAX; n++) {
        longest[n - 1] = 'y';
        for (unsigned i = 0; i + 1 < n; i++)
            longest[i] = 'x';
        listed[0] = '\0';
        fake.reads = 0;
        assert_int_equal(efi_list(&efi.firmware, "\\runs", note, listed), FIRMWARE_OK);
        assert_int_equal(strlen(listed), EFI_PATH_MAX - 1 + 1);
        assert_int_equal(listed[EFI_PATH_MAX - 2], n == EFI_PATH_MAX ? 'x' : 'y');
    }
    listed[0] = '\0';
    fake.read = EFI_DEVICE_ERROR;
    fake.reads = 0;
    assert_int_equal(efi_list(&efi.firmware, "\\runs", note, listed), FIRMWARE_FAILED);
    assert_string_equal(listed, "");
    assert_int_equal(fake.open_files, 0);
}

/* The longest path has 255 characters, including ".new" for a file that is written. */
TEST_WITH(longest_path, setup, NULL)
{
    char path[EFI_PATH_MAX + 8], text[16];
    struct firmware_file *created = NULL;
    size_t size;

    memset(path, 'a', sizeof(path));
    path[255] = '\0';
    assert_int_equal(efi_read_file(&efi.firmware, path, text, 16, &size), FIRMWARE_OK);
    assert_string_equal(fake.opened, path);
    path[255] = 'a';
    path[256] = '\0';
    fake.opened[0] = '\0';
    assert_int_equal(efi_read_file(&efi.firmware, path, text, 16, &size), FIRMWARE_FAILED);
    assert_string_equal(fake.opened, "");
    path[252] = '\0';
    assert_int_equal(efi_file_create(&efi.firmware, path, &created), FIRMWARE_FAILED);
    assert_string_equal(fake.opened, "");
    fake.open = EFI_VOLUME_FULL;
    path[251] = '\0';
    assert_int_equal(efi_file_create(&efi.firmware, path, &created), FIRMWARE_FULL);
    assert_int_equal(strlen(fake.opened), 255);
    assert_string_equal(fake.opened + 251, ".new");
    fake.alloc = EFI_OUT_OF_RESOURCES;
    assert_int_equal(efi_file_create(&efi.firmware, path, &created), FIRMWARE_FAILED);
    assert_null(created);
}

RUN_TESTS(NULL, NULL)
