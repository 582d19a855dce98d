/* SPDX-License-Identifier: BSD-2-Clause */
/* Files by EFI_FILE_PROTOCOL: read from the volume, the run area and the loader's modules, and written to the run
 * area. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bios/bios.h"
#include "bios/console.h"
#include "bios/files.h"
#include "bios/disk/volume.h"
#include "tests/unit/bios/fake_disks.h"
#include "tests/unit/bios/fake_machine.h"
#include "tests/unit/bios/fake_ports.h"

enum { AREA_BYTES = 1 << 20, RW = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, NEW = RW | EFI_FILE_MODE_CREATE };

static struct volume volume;
static struct boot_info info;
static EFI_FILE_HANDLE root;
static uint64_t memory_before;
static EFI_GUID file_info_guid = EFI_FILE_INFO_ID;

static const char module_text[] = "of the loader";

static void next_boot(void)
{
    memset(&volume, 0, sizeof volume);
    fake_machine_init();
    assert_true(volume_find(&volume, &info, false));
    files_prepare(&info, &volume);
    memory_before = memory_left(&bios.memory);
    assert_int_equal(uefi_open_volume(NULL, &root), EFI_SUCCESS);
}

static int begin(void **state)
{
    ports_reset();
    console_end();
    console_serial();
    fake_disks_init();
    memset(&info, 0, sizeof info);
    info.modules = 2;
    info.module[0] = (struct boot_module){(uint64_t)module_text, sizeof module_text - 1, "ibsboot/module.txt"};
    info.module[1] = (struct boot_module){(uint64_t)module_text, 6, "only/here/deep.txt"};
    fake_disks_add(disk_made_by(
        "f.img",
        "rm -f f.img area && truncate -s 20M f.img && mformat -i f.img -c 1 -v TEST -N 1B5B0071 :: && "
        "truncate -s %u area && mcopy -i f.img area ::/IBSRUNS.TAR && mmd -i f.img ::/ibsboot ::/ibsboot/runs "
        "::/ibsboot/runs/0007-old && "
        "seq 2000 >numbers.txt && printf 'of the volume' >module.txt && printf 'old' >run.ini && : >empty.txt && "
        "mcopy -i f.img numbers.txt module.txt empty.txt ::/ibsboot/ && mcopy -i f.img run.ini "
        "::/ibsboot/runs/0007-old/ && mmd -i f.img ::/long && for n in 127 128 200; do "
        "mcopy -i f.img run.ini ::/long/$(printf %%0${n}u 0) || exit 1; done",
        AREA_BYTES));
    next_boot();
    return 0;
}

static int end(void **state)
{
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    fake_disks_init();
    return 0;
}

/* ---------------------------------------------------------------- helpers */

/* Takes memory until no pieces of 64 KB are left for files. */
static void take_memory(void)
{
    while (memory_take(&bios.memory, 16, 0, UINT64_MAX, MEMORY_LOADER_DATA))
        ;
}

static CHAR16 *wide(const char *text)
{
    static CHAR16 buffers[4][300];
    static unsigned next;
    CHAR16 *buffer = buffers[next++ % 4];
    size_t i = 0;

    for (; text[i]; i++)
        buffer[i] = (unsigned char)text[i];
    buffer[i] = 0;
    return buffer;
}

static EFI_STATUS open_from(EFI_FILE_HANDLE from, const char *path, UINT64 mode, UINT64 attributes,
                            EFI_FILE_HANDLE *ret_file)
{
    return from->Open(from, ret_file, wide(path), mode, attributes);
}

static EFI_FILE_HANDLE opened(const char *path, UINT64 mode)
{
    EFI_FILE_HANDLE file = NULL;

    if (open_from(root, path, mode, 0, &file) != EFI_SUCCESS)
        fail_msg("%s is not opened", path);
    return file;
}

static EFI_STATUS status_of_open(const char *path, UINT64 mode, UINT64 attributes)
{
    EFI_FILE_HANDLE file;
    EFI_STATUS status = open_from(root, path, mode, attributes, &file);

    if (status == EFI_SUCCESS)
        assert_int_equal(file->Close(file), EFI_SUCCESS);
    return status;
}

static EFI_STATUS put(EFI_FILE_HANDLE file, const char *text)
{
    UINTN size = strlen(text);
    EFI_STATUS status = file->Write(file, &size, (void *)text);

    assert_int_equal(size, status ? 0 : strlen(text));
    return status;
}

static EFI_STATUS name(EFI_FILE_HANDLE file, const char *to)
{
    UINT64 buffer[100];
    EFI_FILE_INFO *told = (EFI_FILE_INFO *)buffer;
    UINTN size = sizeof buffer, n = 0;

    assert_int_equal(file->GetInfo(file, &file_info_guid, &size, told), EFI_SUCCESS);
    do
        told->FileName[n] = (unsigned char)to[n];
    while (to[n++]);
    return file->SetInfo(file, &file_info_guid, SIZE_OF_EFI_FILE_INFO + n * 2, told);
}

/* Writes a file as the program does (efi/files.c), and returns the first error. */
static EFI_STATUS save(const char *path, const char *to, const char *text)
{
    EFI_FILE_HANDLE file = opened(path, NEW);
    EFI_STATUS status = put(file, text);

    if (!status)
        status = file->Flush(file);
    if (!status)
        status = name(file, to);
    assert_int_equal(status ? file->Delete(file) : file->Close(file), EFI_SUCCESS);
    return status;
}

static void assert_file(const char *path, const char *text)
{
    EFI_FILE_HANDLE file = opened(path, EFI_FILE_MODE_READ);
    char got[200] = "";
    UINTN size = sizeof got - 1;

    assert_int_equal(file->Read(file, &size, got), EFI_SUCCESS);
    assert_int_equal(size, strlen(text));
    assert_string_equal(got, text);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
}

/* Returns "name name/ ", where the slash marks a folder. */
static const char *listed(const char *path)
{
    static char text[1000];
    uint64_t left = memory_left(&bios.memory);
    EFI_FILE_HANDLE folder = opened(path, EFI_FILE_MODE_READ);
    size_t n = 0;

    text[0] = '\0';
    for (;;) {
        UINT64 buffer[100];
        EFI_FILE_INFO *told = (EFI_FILE_INFO *)buffer;
        UINTN size = sizeof buffer;

        assert_int_equal(folder->Read(folder, &size, buffer), EFI_SUCCESS);
        if (!size)
            break;
        assert_int_equal(size, told->Size);
        for (unsigned i = 0; told->FileName[i]; i++)
            text[n++] = (char)told->FileName[i];
        n += (size_t)sprintf(text + n, told->Attribute & EFI_FILE_DIRECTORY ? "/ " : " ");
    }
    assert_int_equal(folder->Close(folder), EFI_SUCCESS);
    assert_int_equal(memory_left(&bios.memory), left);
    return text;
}

/* ---------------------------------------------------------------- reading */

TEST_WITH(read_in_parts, begin, end)
{
    EFI_FILE_HANDLE file = opened("\\ibsboot\\numbers.txt", EFI_FILE_MODE_READ);
    char got[9000], wanted[9000] = "";
    UINT64 at = 0;
    UINTN size = 5, n = 0;

    for (unsigned i = 1; i <= 2000; i++)
        n += (UINTN)sprintf(wanted + n, "%u\n", i);
    assert_int_equal(file->Read(file, &size, got), EFI_SUCCESS);
    assert_int_equal(size, 5);
    size = sizeof got;
    assert_int_equal(file->Read(file, &size, got + 5), EFI_SUCCESS);
    assert_int_equal(size, n - 5);
    assert_memory_equal(got, wanted, n);
    assert_int_equal(file->GetPosition(file, &at), EFI_SUCCESS);
    assert_int_equal(at, n);
    size = 1;
    assert_int_equal(file->Read(file, &size, got), EFI_SUCCESS);
    assert_int_equal(size, 0);
    assert_int_equal(file->SetPosition(file, n - 2), EFI_SUCCESS);
    size = 10;
    assert_int_equal(file->Read(file, &size, got), EFI_SUCCESS);
    assert_int_equal(size, 2);
    assert_int_equal(file->SetPosition(file, UINT64_MAX), EFI_SUCCESS);
    assert_int_equal(file->GetPosition(file, &at), EFI_SUCCESS);
    assert_int_equal(at, n);
    assert_int_equal(file->SetPosition(file, n + 100), EFI_SUCCESS);
    size = 10;
    assert_int_equal(file->Read(file, &size, got), EFI_SUCCESS);
    assert_int_equal(size, 0);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    assert_int_equal(memory_left(&bios.memory) + MEMORY_PAGE, memory_before); /* the root's page */
}

/* A file of the run area hides the loader's file of that name, and the loader's hides the volume's. */
TEST_WITH(first_place_counts, begin, end)
{
    EFI_FILE_HANDLE file;

    assert_file("\\ibsboot\\module.txt", "of the loader");
    assert_file("ONLY\\here\\Deep.TXT", "of the");
    assert_file("\\ibsboot\\empty.txt", "");
    assert_int_equal(save("\\ibsboot\\m.new", "module.txt", "of the area"), EFI_SUCCESS);
    assert_file("\\ibsboot\\module.txt", "of the area");
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    next_boot();
    assert_file("\\ibsboot\\module.txt", "of the area");
    assert_int_equal(status_of_open("\\ibsboot\\absent.txt", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    assert_int_equal(status_of_open("\\IBSRUNS.TAR", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    files_prepare(&info, NULL); /* without a volume */
    assert_file("\\ibsboot\\module.txt", "of the loader");
    assert_int_equal(status_of_open("\\ibsboot\\numbers.txt", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    assert_int_equal(status_of_open("\\ibsboot\\a.txt", NEW, 0), EFI_NO_MEDIA);
    file = opened("\\ibsboot\\module.txt", RW);
    assert_int_equal(put(file, "x"), EFI_NO_MEDIA);
    (void)file->Close(file);
}

TEST_WITH(paths, begin, end)
{
    EFI_FILE_HANDLE folder, file;
    char path[200];

    assert_int_equal(open_from(root, "ibsboot", EFI_FILE_MODE_READ, 0, &folder), EFI_SUCCESS);
    assert_int_equal(open_from(folder, "runs\\0007-old\\run.ini", EFI_FILE_MODE_READ, 0, &file), EFI_SUCCESS);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    assert_int_equal(open_from(folder, "\\only\\here\\deep.txt", EFI_FILE_MODE_READ, 0, &file), EFI_SUCCESS);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    assert_int_equal(open_from(folder, "", EFI_FILE_MODE_READ, 0, &file), EFI_SUCCESS);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    memset(path, 'x', sizeof path);
    path[128] = '\0';
    assert_int_equal(open_from(folder, path, EFI_FILE_MODE_READ, 0, &file), EFI_INVALID_PARAMETER);
    path[127] = '\0';
    assert_int_equal(status_of_open(path, EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    path[127] = 'x';
    assert_int_equal(status_of_open(path, EFI_FILE_MODE_READ, 0), EFI_INVALID_PARAMETER);
    assert_int_equal(folder->Close(folder), EFI_SUCCESS);
    assert_int_equal(status_of_open("\\ibsboot\\numbers\xe9.txt", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    assert_int_equal(save("\\ibsboot\\caf\xe9", "caf\xe9.txt", "?"), EFI_SUCCESS);
    assert_non_null(strstr(listed("\\ibsboot"), "caf?.txt "));
}

TEST_WITH(info_of, begin, end)
{
    EFI_FILE_HANDLE file = opened("\\ibsboot\\numbers.txt", EFI_FILE_MODE_READ), folder;
    EFI_GUID other = file_info_guid;
    UINT64 buffer[100];
    EFI_FILE_INFO *told = (EFI_FILE_INFO *)buffer;
    UINTN needed = SIZE_OF_EFI_FILE_INFO + 12 * 2, size = needed - 1;

    memset(buffer, 0xff, sizeof buffer);
    assert_int_equal(file->GetInfo(file, &file_info_guid, &size, told), EFI_BUFFER_TOO_SMALL);
    assert_int_equal(size, needed);
    assert_int_equal(file->GetInfo(file, &file_info_guid, &size, told), EFI_SUCCESS);
    assert_int_equal(told->Size, needed);
    assert_int_equal(told->FileSize, 8893);
    assert_int_equal(told->PhysicalSize, 8893);
    assert_int_equal(told->Attribute, 0);
    assert_memory_equal(told->FileName, wide("numbers.txt"), 24);
    other.Data1 ^= 1;
    assert_int_equal(file->GetInfo(file, &other, &size, told), EFI_UNSUPPORTED);
    assert_int_equal(file->SetInfo(file, &other, size, told), EFI_UNSUPPORTED);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    folder = opened("\\ibsboot\\runs", EFI_FILE_MODE_READ);
    size = sizeof buffer;
    assert_int_equal(folder->GetInfo(folder, &file_info_guid, &size, told), EFI_SUCCESS);
    assert_int_equal(told->FileSize, 0);
    assert_int_equal(told->Attribute, EFI_FILE_DIRECTORY);
    assert_memory_equal(told->FileName, wide("runs"), 10);
    assert_int_equal(folder->SetInfo(folder, &file_info_guid, size, told), EFI_UNSUPPORTED);
    size = 1;
    assert_int_equal(folder->Write(folder, &size, buffer), EFI_NOT_FOUND);
    assert_int_equal(size, 0);
    assert_int_equal(folder->Delete(folder), EFI_WARN_DELETE_FAILURE);
}

/* A folder has the names of all places, each once; no name is lost if the buffer is too small. */
TEST_WITH(folders, begin, end)
{
    EFI_FILE_HANDLE folder;
    UINT64 buffer[100];
    UINTN size = 20;

    assert_string_equal(listed("\\ibsboot"), "module.txt runs/ numbers.txt empty.txt ");
    assert_string_equal(listed("\\only"), "here/ ");
    assert_string_equal(listed("\\only\\here"), "deep.txt ");
    assert_string_equal(listed(""), "ibsboot/ only/ IBSRUNS.TAR long/ ");
    assert_int_equal(status_of_open("\\onl", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    assert_int_equal(status_of_open("\\only\\her", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    assert_int_equal(status_of_open("\\ibsboot\\runs\\0001-new", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    assert_int_equal(status_of_open("\\ibsboot\\runs\\0001-new", NEW, EFI_FILE_DIRECTORY), EFI_SUCCESS);
    assert_int_equal(save("\\ibsboot\\runs\\0001-new\\a.new", "a.txt", "a"), EFI_SUCCESS);
    assert_int_equal(save("\\ibsboot\\runs\\0001-new\\b.new", "b.txt", "b"), EFI_SUCCESS);
    assert_string_equal(listed("\\ibsboot\\runs"), "0001-new/ 0007-old/ ");
    assert_string_equal(listed("\\ibsboot\\runs\\0001-new"), "a.txt b.txt ");
    folder = opened("\\ibsboot\\runs", EFI_FILE_MODE_READ);
    assert_int_equal(folder->Read(folder, &size, buffer), EFI_BUFFER_TOO_SMALL);
    assert_int_equal(size, SIZE_OF_EFI_FILE_INFO + 9 * 2);
    assert_int_equal(folder->Read(folder, &size, buffer), EFI_SUCCESS);
    size = sizeof buffer;
    assert_int_equal(folder->Read(folder, &size, buffer), EFI_SUCCESS);
    assert_memory_equal(((EFI_FILE_INFO *)buffer)->FileName, wide("0007-old"), 18);
    assert_int_equal(folder->SetPosition(folder, 0), EFI_SUCCESS);
    size = sizeof buffer;
    assert_int_equal(folder->Read(folder, &size, buffer), EFI_SUCCESS);
    assert_memory_equal(((EFI_FILE_INFO *)buffer)->FileName, wide("0001-new"), 18);
    assert_int_equal(folder->Close(folder), EFI_SUCCESS);
}

/* Names too long for a path are not listed, because they could not be opened. */
TEST_WITH(long_names_of_the_volume, begin, end)
{
    char name_of_it[FILES_PATH + 1];

    memset(name_of_it, '0', 127);
    strcpy(name_of_it + 127, " ");
    assert_string_equal(listed("\\long"), name_of_it);
}

/* A file that is being written is listed in its folder, and so is its folder, until the file is deleted. */
TEST_WITH(open_files_listed, begin, end)
{
    EFI_FILE_HANDLE file = opened("\\new\\first.txt", NEW);

    assert_string_equal(listed("\\new"), "first.txt ");
    assert_int_equal(put(file, "text"), EFI_SUCCESS);
    assert_string_equal(listed("\\new"), "first.txt ");
    assert_int_equal(file->Delete(file), EFI_SUCCESS);
    assert_int_equal(status_of_open("\\new", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
}

/* ---------------------------------------------------------------- writing */

/* A written file exists after the next boot under its last name, and nothing exists under its first name. */
TEST_WITH(written, begin, end)
{
    EFI_FILE_HANDLE file = opened("\\ibsboot\\runs\\0008-a\\x.new", NEW);

    assert_int_equal(put(file, "one "), EFI_SUCCESS);
    assert_int_equal(put(file, "two"), EFI_SUCCESS);
    assert_int_equal(file->Flush(file), EFI_SUCCESS);
    assert_int_equal(name(file, "x.txt"), EFI_SUCCESS);
    assert_int_equal(put(file, "more"), EFI_DEVICE_ERROR); /* the file has ended */
    assert_int_equal(file->Close(file), EFI_DEVICE_ERROR);
    assert_file("\\ibsboot\\runs\\0008-a\\x.txt", "one two");
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    next_boot();
    assert_file("\\ibsboot\\runs\\0008-a\\x.txt", "one two");
    assert_string_equal(listed("\\ibsboot\\runs\\0008-a"), "x.txt ");
    assert_int_equal(status_of_open("\\ibsboot\\runs\\0008-a\\x.new", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
}

/* A file is written only in order, from its beginning to its end. */
TEST_WITH(in_order_alone, begin, end)
{
    EFI_FILE_HANDLE file = opened("\\ibsboot\\x.new", NEW);

    assert_int_equal(put(file, "abc"), EFI_SUCCESS);
    assert_int_equal(file->SetPosition(file, 1), EFI_SUCCESS);
    assert_int_equal(put(file, "x"), EFI_DEVICE_ERROR);
    assert_int_equal(file->SetPosition(file, 3), EFI_SUCCESS);
    assert_int_equal(put(file, "d"), EFI_SUCCESS);
    assert_int_equal(name(file, "x.txt"), EFI_SUCCESS);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    assert_file("\\ibsboot\\x.txt", "abcd");
    /* A file that is never renamed exists under its first name. */
    file = opened("\\ibsboot\\y.txt", NEW);
    assert_int_equal(put(file, "y"), EFI_SUCCESS);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    assert_file("\\ibsboot\\y.txt", "y");
    /* The area is refused while a file is open. */
    file = opened("\\ibsboot\\z.new", NEW);
    assert_int_equal(put(file, "z"), EFI_SUCCESS);
    volume.area.refusal = AREA_UNREAD;
    assert_int_equal(put(file, "z"), 0xC00000001B5B0000 + AREA_UNREAD);
    assert_int_equal(name(file, "z.txt"), 0xC00000001B5B0000 + AREA_UNREAD);
    volume.area.refusal = AREA_NONE;
    assert_int_equal(file->Delete(file), EFI_SUCCESS);
}

/* A second file that is open at the same time, and a file that is changed, are kept in memory, and written when they
 * are closed. */
TEST_WITH(several, begin, end)
{
    EFI_FILE_HANDLE first = opened("\\ibsboot\\1.txt", NEW), second = opened("\\ibsboot\\2.txt", NEW), again;
    char long_text[100001];

    memset(long_text, 'l', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(put(first, "first"), EFI_SUCCESS);
    assert_int_equal(second->SetPosition(second, 3), EFI_SUCCESS);
    assert_int_equal(put(second, "second"), EFI_SUCCESS);
    assert_int_equal(second->SetPosition(second, 0), EFI_SUCCESS);
    assert_int_equal(put(second, "The"), EFI_SUCCESS);
    /* Until the first file has ended, no other can end. */
    assert_int_equal(second->Close(second), EFI_DEVICE_ERROR);
    assert_int_equal(first->Close(first), EFI_SUCCESS);
    assert_file("\\ibsboot\\1.txt", "first");
    again = opened("\\ibsboot\\1.txt", RW);
    second = opened("\\ibsboot\\1.txt", RW);
    assert_int_equal(again->SetPosition(again, UINT64_MAX), EFI_SUCCESS);
    assert_int_equal(put(again, " and more"), EFI_SUCCESS);
    assert_int_equal(again->Close(again), EFI_SUCCESS);
    assert_int_equal(second->SetPosition(second, 100), EFI_SUCCESS);
    assert_int_equal(put(second, long_text), EFI_SUCCESS); /* larger than the file's memory before */
    assert_int_equal(second->Close(second), EFI_SUCCESS);
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    next_boot();
    first = opened("\\ibsboot\\1.txt", EFI_FILE_MODE_READ);
    {
        char got[100200];
        UINTN size = sizeof got;

        assert_int_equal(first->Read(first, &size, got), EFI_SUCCESS);
        assert_int_equal(size, 100100);
        assert_memory_equal(got, "first and more\0\0", 16);
        assert_int_equal(got[99], 0);
        assert_memory_equal(got + 100, long_text, 100000);
    }
    assert_int_equal(first->Close(first), EFI_SUCCESS);
}

/* Fills gaps of files in memory with zeros, and leaves bytes beside them unchanged. */
TEST_WITH(gaps, begin, end)
{
    EFI_FILE_HANDLE first = opened("\\ibsboot\\1.txt", NEW),
                    file[] = {opened("\\ibsboot\\2.txt", NEW), opened("\\ibsboot\\3.txt", NEW)};
    static char text[40001], got[60002];

    memset(text, 'l', sizeof text - 1);
    assert_int_equal(put(first, "first"), EFI_SUCCESS);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(put(file[i], text), EFI_SUCCESS);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(file[i]->SetPosition(file[i], 60000), EFI_SUCCESS);
        assert_int_equal(put(file[i], "!"), EFI_SUCCESS);
    }
    assert_int_equal(first->Close(first), EFI_SUCCESS);
    for (unsigned i = 0; i < 2; i++) {
        UINTN size = sizeof got;

        assert_int_equal(file[i]->SetPosition(file[i], 0), EFI_SUCCESS);
        assert_int_equal(file[i]->Read(file[i], &size, got), EFI_SUCCESS);
        assert_int_equal(size, 60001);
        assert_memory_equal(got, text, 40001);
        assert_memory_equal(got + 40000, got + 40001, 19999);
        assert_int_equal(got[60000], '!');
        assert_int_equal(file[i]->Close(file[i]), EFI_SUCCESS);
    }
}

TEST_WITH(deleted, begin, end)
{
    EFI_FILE_HANDLE file;

    assert_int_equal(save("\\ibsboot\\x.new", "x.txt", "x"), EFI_SUCCESS);
    file = opened("\\ibsboot\\x.txt", RW);
    assert_int_equal(file->Delete(file), EFI_SUCCESS);
    assert_int_equal(status_of_open("\\ibsboot\\x.txt", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    /* A file of the volume or the loader cannot be removed, since it would come back. */
    file = opened("\\ibsboot\\numbers.txt", RW);
    assert_int_equal(file->Delete(file), EFI_WARN_DELETE_FAILURE);
    file = opened("\\only\\here\\deep.txt", RW);
    assert_int_equal(file->Delete(file), EFI_WARN_DELETE_FAILURE);
    /* A file that is deleted while it is written leaves its room to the next. */
    file = opened("\\ibsboot\\z.txt", NEW);
    assert_int_equal(put(file, "z"), EFI_SUCCESS);
    assert_int_equal(file->Delete(file), EFI_SUCCESS);
    assert_int_equal(save("\\ibsboot\\w.new", "w.txt", "w"), EFI_SUCCESS);
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    next_boot();
    assert_int_equal(status_of_open("\\ibsboot\\x.txt", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    assert_int_equal(status_of_open("\\ibsboot\\z.txt", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    assert_file("\\ibsboot\\w.txt", "w");
}

/* A file of the volume stays hidden once the area has had a file of that name that was deleted, and so does the next
 * file of that name. */
TEST_WITH(deleted_again, begin, end)
{
    for (unsigned i = 0; i < 2; i++) {
        EFI_FILE_HANDLE file;

        assert_int_equal(save("\\ibsboot\\x.new", "numbers.txt", "of the area"), EFI_SUCCESS);
        file = opened("\\ibsboot\\numbers.txt", RW);
        assert_int_equal(file->Delete(file), EFI_SUCCESS);
        assert_int_equal(status_of_open("\\ibsboot\\numbers.txt", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
        file = opened("\\ibsboot\\numbers.txt", NEW);
        assert_int_equal(file->Delete(file), EFI_SUCCESS);
        assert_int_equal(status_of_open("\\ibsboot\\numbers.txt", EFI_FILE_MODE_READ, 0), EFI_NOT_FOUND);
    }
}

/* If another open file has the new name, the renamed file replaces it. */
TEST_WITH(replaced, begin, end)
{
    EFI_FILE_HANDLE old;

    assert_int_equal(save("\\ibsboot\\x.new", "x.txt", "old"), EFI_SUCCESS);
    old = opened("\\ibsboot\\x.txt", EFI_FILE_MODE_READ);
    assert_int_equal(save("\\ibsboot\\x.new", "x.txt", "new"), EFI_SUCCESS);
    assert_file("\\ibsboot\\x.txt", "new");
    assert_int_equal(old->Close(old), EFI_SUCCESS);
    assert_file("\\ibsboot\\x.txt", "new");
}

/* A file of the loader that is written to begins with the loader's bytes, which stay unchanged. */
TEST_WITH(changed, begin, end)
{
    EFI_FILE_HANDLE file = opened("\\ibsboot\\module.txt", RW);

    assert_int_equal(file->SetPosition(file, UINT64_MAX), EFI_SUCCESS);
    assert_int_equal(put(file, ", and more"), EFI_SUCCESS);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    assert_file("\\ibsboot\\module.txt", "of the loader, and more");
    assert_string_equal(module_text, "of the loader");
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    next_boot();
    assert_file("\\ibsboot\\module.txt", "of the loader, and more");
}

/* A file with its last name has ended: later writes to it get into no other file. */
TEST_WITH(ended, begin, end)
{
    EFI_FILE_HANDLE first = opened("\\ibsboot\\1.new", NEW), second;

    assert_int_equal(put(first, "first"), EFI_SUCCESS);
    assert_int_equal(name(first, "1.txt"), EFI_SUCCESS);
    second = opened("\\ibsboot\\2.new", NEW);
    take_memory(); /* this file does not need the area, which is free */
    assert_int_equal(put(second, "sec"), EFI_SUCCESS);
    assert_int_equal(first->SetPosition(first, 5), EFI_SUCCESS);
    assert_int_equal(put(first, "?"), EFI_DEVICE_ERROR);
    assert_int_equal(put(second, "ond"), EFI_SUCCESS);
    assert_int_equal(name(second, "2.txt"), EFI_SUCCESS);
    assert_int_equal(second->Close(second), EFI_SUCCESS);
    (void)first->Close(first);
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    next_boot();
    assert_file("\\ibsboot\\1.txt", "first");
    assert_file("\\ibsboot\\2.txt", "second");
}

/* A path has at most 127 characters, and a path in the run area 100. A file whose last path does not fit there is lost;
 * a file without any path can be given another one. */
TEST_WITH(long_names, begin, end)
{
    static const struct {
        unsigned length;
        bool fits, kept;
    } rows[] = {{99, true, true}, {100, true, true}, {101, false, false}, {127, false, false}, {128, false, true}};

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EFI_FILE_HANDLE file;
        char path[200] = "\\ibsboot\\", *own = path + strlen(path);

        begin(state);
        file = opened("\\ibsboot\\short.new", NEW);
        assert_int_equal(put(file, "text"), EFI_SUCCESS);
        memset(own, 'n', rows[i].length - 8);
        assert_int_equal(name(file, own), rows[i].fits ? EFI_SUCCESS : EFI_INVALID_PARAMETER);
        assert_int_equal(strstr(ports.sent, " was not written: ") != NULL, !rows[i].kept);
        if (!rows[i].fits && rows[i].kept)
            assert_int_equal(name(file, "other"), EFI_SUCCESS);
        (void)file->Close(file);
        assert_int_equal(root->Close(root), EFI_SUCCESS);
        next_boot();
        assert_null(strstr(listed("\\ibsboot"), "short"));
        if (rows[i].kept)
            assert_file(rows[i].fits ? path : "\\ibsboot\\other", "text");
        assert_int_equal(save("\\ibsboot\\next.new", "next.txt", "next"), EFI_SUCCESS);
        assert_file("\\ibsboot\\next.txt", "next");
    }
}

/* ---------------------------------------------------------------- what goes wrong */

/* A file in memory needs memory when it grows, and room in the area when it ends. */
TEST_WITH(in_memory, begin, end)
{
    EFI_FILE_HANDLE first = opened("\\ibsboot\\1", NEW), second = opened("\\ibsboot\\2", NEW);
    uint64_t room;
    char *text;
    UINTN size;

    assert_int_equal(put(first, "first"), EFI_SUCCESS);
    assert_int_equal(put(second, "second"), EFI_SUCCESS);
    room = store_room(&volume.area.store);
    text = calloc(1, room);
    size = room - DISK_SECTOR;
    assert_int_equal(first->Write(first, &size, text), EFI_SUCCESS);
    assert_int_equal(first->Close(first), EFI_SUCCESS);
    assert_int_equal(second->Close(second), EFI_VOLUME_FULL);
    assert_non_null(strstr(ports.sent, "ibsboot/2 was not written: "));
    assert_string_equal(listed("\\ibsboot"), "1 module.txt runs/ numbers.txt empty.txt ");
    free(text);
    begin(state);
    first = opened("\\ibsboot\\1", NEW);
    second = opened("\\ibsboot\\2", NEW);
    assert_int_equal(put(first, "first"), EFI_SUCCESS);
    take_memory();
    assert_int_equal(put(second, "second"), EFI_OUT_OF_RESOURCES);
    (void)second->Close(second);
    assert_int_equal(first->Close(first), EFI_SUCCESS);
}

TEST_WITH(disk_stops, begin, end)
{
    EFI_FILE_HANDLE file;
    struct fake_drive *drive = &fake_disks.drive[0];

    file = opened("\\ibsboot\\x.new", NEW);
    assert_int_equal(put(file, "x"), EFI_SUCCESS);
    drive->write_error = 0xcc;
    assert_int_equal(name(file, "x.txt"), 0xC00000001B5B0000 + AREA_UNWRITTEN);
    assert_non_null(strstr(ports.sent, "ibsboot/x.txt was not written: the disk did not write"));
    assert_int_equal(file->Delete(file), EFI_SUCCESS);
    /* The disk is pulled out. */
    file = opened("\\ibsboot\\y.new", NEW);
    drive->disk->bad_read = 0;
    assert_int_equal(put(file, "y"), EFI_SUCCESS); /* the file is in memory */
    assert_int_equal(name(file, "y.txt"), EFI_NO_MEDIA);
    assert_int_equal(file->Delete(file), EFI_SUCCESS);
    drive->fail = 1000;
    assert_int_equal(status_of_open("\\ibsboot\\numbers.txt", EFI_FILE_MODE_READ, 0), EFI_NO_MEDIA);
}

/* A header was refused, so the area is read again, and one of its sectors cannot be read. */
TEST_WITH(area_that_is_not_read_again, begin, end)
{
    struct test_disk *disk = fake_disks.drive[0].disk;
    uint64_t first = volume.area.store.tar.area.extents[0].sector;

    disk->bad_write = first;
    assert_int_equal(save("\\ibsboot\\x.new", "x.txt", "x"), 0xC00000001B5B0000 + AREA_UNWRITTEN);
    disk->bad_write = ~0ull;
    disk->bad_read = first;
    assert_int_equal(save("\\ibsboot\\y.new", "y.txt", "y"), 0xC00000001B5B0000 + AREA_UNREAD);
    disk->bad_read = ~0ull;
    assert_int_equal(save("\\ibsboot\\z.new", "z.txt", "z"), EFI_SUCCESS);
    assert_file("\\ibsboot\\z.txt", "z");
}

TEST_WITH(bad_sectors, begin, end)
{
    struct fake_drive *drive = &fake_disks.drive[0];
    struct fat_file numbers;
    char text[10001] = "";

    assert_int_equal(fat_open(&volume.fat, "ibsboot/numbers.txt", &numbers), FAT_OK);
    drive->disk->bad_read = volume.fat.data_start + numbers.first - 2 + 5;
    assert_int_equal(status_of_open("\\ibsboot\\numbers.txt", EFI_FILE_MODE_READ, 0), 0xC00000001B5B0000 + AREA_UNREAD);
    assert_non_null(strstr(ports.sent, "ibsboot/numbers.txt: the disk did not read a sector"));
    memset(text, 'x', sizeof text - 1);
    assert_int_equal(save("\\ibsboot\\x.new", "x.txt", text), EFI_SUCCESS);
    drive->disk->bad_read = volume.area.store.tar.area.extents[0].sector + 12;
    assert_int_equal(status_of_open("\\ibsboot\\x.txt", EFI_FILE_MODE_READ, 0), 0xC00000001B5B0000 + AREA_UNREAD);
}

TEST_WITH(no_room, begin, end)
{
    uint64_t room = store_room(&volume.area.store);
    char *text = calloc(1, room + 1);
    EFI_FILE_HANDLE file = opened("\\ibsboot\\big", NEW);
    UINTN size = room + 1;

    assert_int_equal(file->Write(file, &size, text), EFI_VOLUME_FULL);
    assert_int_equal(size, 0);
    size = room;
    assert_int_equal(file->Write(file, &size, text), EFI_SUCCESS);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    assert_int_equal(status_of_open("\\ibsboot\\runs\\0009-a", NEW, EFI_FILE_DIRECTORY),
                     0xC00000001B5B0000 + AREA_FULL);
    /* There is no memory for files of the area, and then none for any file. */
    take_memory();
    assert_int_equal(status_of_open("\\ibsboot\\big", EFI_FILE_MODE_READ, 0), EFI_OUT_OF_RESOURCES);
    free(text);
    while (memory_take(&bios.memory, 1, 0, UINT64_MAX, MEMORY_LOADER_DATA))
        ;
    file = NULL;
    assert_int_equal(uefi_open_volume(NULL, &file), EFI_OUT_OF_RESOURCES);
    assert_null(file);
}

/* Without memory for the handle nothing is opened, and the file is not in use. Allocated memory has a known type. */
TEST_WITH(no_handle, begin, end)
{
    EFI_FILE_HANDLE file = opened("\\only\\here\\deep.txt", EFI_FILE_MODE_READ);

    for (unsigned i = 0; i < bios.memory.rows; i++)
        assert_in_range(bios.memory.row[i].type, 0, EfiMaxMemoryType - 1);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
    while (memory_take(&bios.memory, 1, 0, UINT64_MAX, MEMORY_LOADER_DATA))
        ;
    assert_int_equal(status_of_open("\\only\\here\\deep.txt", EFI_FILE_MODE_READ, 0), EFI_OUT_OF_RESOURCES);
    for (unsigned i = 0; i < FILES_OPEN; i++)
        assert_int_equal(bios.files.node[i].users, 0);
}

/* A file whose path does not fit into the area is not begun, but the next one is. */
TEST_WITH(not_begun, begin, end)
{
    EFI_FILE_HANDLE file;
    char path[120] = "\\ibsboot\\";

    memset(path + 9, 'n', 110);
    file = opened(path, NEW);
    assert_int_equal(put(file, "text"), EFI_INVALID_PARAMETER);
    assert_int_equal(put(file, "text"), EFI_INVALID_PARAMETER);
    assert_int_equal(file->Delete(file), EFI_SUCCESS);
    file = opened("\\ibsboot\\next", NEW);
    take_memory(); /* this file does not need the area, which is free */
    assert_int_equal(put(file, "next"), EFI_SUCCESS);
    assert_int_equal(file->Close(file), EFI_SUCCESS);
}

/* Lists grow if there are more files than they have room for at first: all files are found, and have their own
 * bytes. */
TEST_WITH(many_files, begin, end)
{
    enum { MANY = 300 };
    EFI_FILE_HANDLE folder;
    char path[60], name_of_it[40];
    UINT64 buffer[100];
    EFI_FILE_INFO *told = (EFI_FILE_INFO *)buffer;

    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name_of_it, sizeof name_of_it, "%03u.txt", i);
        assert_int_equal(save("\\many\\x.new", name_of_it, name_of_it), EFI_SUCCESS);
    }
    for (unsigned boot = 0; boot < 2; boot++) {
        folder = opened("\\many", EFI_FILE_MODE_READ);
        for (unsigned i = 0; i <= MANY; i++) {
            UINTN size = sizeof buffer;

            assert_int_equal(folder->Read(folder, &size, buffer), EFI_SUCCESS);
            assert_int_equal(size == 0, i == MANY);
            if (i == MANY)
                break;
            snprintf(name_of_it, sizeof name_of_it, "%03u.txt", i);
            assert_memory_equal(told->FileName, wide(name_of_it), 2 * (strlen(name_of_it) + 1));
            snprintf(path, sizeof path, "\\many\\%s", name_of_it);
            assert_file(path, name_of_it);
        }
        assert_int_equal(folder->Close(folder), EFI_SUCCESS);
        assert_int_equal(root->Close(root), EFI_SUCCESS);
        next_boot();
    }
}

TEST_WITH(too_many, begin, end)
{
    EFI_FILE_HANDLE file[FILES_OPEN];
    char path[40];

    for (unsigned i = 0; i < FILES_OPEN; i++) {
        snprintf(path, sizeof path, "\\ibsboot\\%u", i);
        file[i] = opened(path, NEW);
    }
    assert_int_equal(status_of_open("\\ibsboot\\one-more", NEW, 0), EFI_OUT_OF_RESOURCES);
    assert_int_equal(status_of_open("\\ibsboot\\7", EFI_FILE_MODE_READ, 0), EFI_SUCCESS); /* open already */
    assert_int_equal(file[7]->Close(file[7]), EFI_SUCCESS);
    assert_int_equal(status_of_open("\\ibsboot\\one-more", NEW, 0), EFI_SUCCESS);
    for (unsigned i = 0; i < FILES_OPEN; i++)
        if (i != 7)
            assert_int_equal(file[i]->Close(file[i]), EFI_SUCCESS);
}

/* Without a volume, modules and files there is still the root. */
TEST(nothing_there)
{
    static const struct boot_info none;

    files_prepare(&none, NULL);
    assert_true(files_folder(""));
    assert_false(files_folder("ibsboot"));
}

RUN_TESTS(NULL, NULL)
