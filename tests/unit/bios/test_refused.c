/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs that a BIOS saves to IBSRUNS.TAR: each call of INT 13h that moves sectors is refused once, with the attempts
 * that follow it or without, and memory is missing once at each call of a file's functions. Everything else on the
 * volume stays unchanged, files reported as saved are whole, and the next run is saved, in this boot and in the next
 * one. */
#include <stdio.h>
#include <string.h>

#include "bios/bios.h"
#include "bios/console.h"
#include "bios/disk/volume.h"
#include "bios/files.h"
#include "tests/unit/bios/fake_disks.h"
#include "tests/unit/bios/fake_machine.h"
#include "tests/unit/bios/fake_ports.h"

enum {
    AREA_SECTORS = 1300,
    FILES_OF_A_RUN = 3,
    ALL = (1 << FILES_OF_A_RUN) - 1,
    PART = 20000,
    TRIES = 4, /* the same number as in bios/disk/disk.c */
    RW = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE,
};

static const unsigned sizes[FILES_OF_A_RUN] = {5000, 70000, 900}; /* the last is run.ini */
static EFI_GUID file_info_guid = EFI_FILE_INFO_ID;
static uint8_t content[70000 + 8];
static struct volume volume;
static struct boot_info info;
static EFI_FILE_HANDLE root;
static struct test_disk *before; /* the volume as it was made */

/* ---------------------------------------------------------------- memory that is not there for one call */

static unsigned calls, dry_call; /* number of calls of files' functions; number of the one without memory, 0: none */
static unsigned pieces;
static struct {
    uint64_t base, pages;
} piece[64];

static void take_all(void)
{
    for (uint64_t pages = 4096; pages; pages /= 4)
        while ((piece[pieces].base = memory_take(&bios.memory, pages, 0, UINT64_MAX, MEMORY_LOADER_DATA)) != 0)
            piece[pieces++].pages = pages;
}

static void give_back(void)
{
    while (pieces--)
        assert_true(memory_give(&bios.memory, piece[pieces].base, piece[pieces].pages));
    pieces = 0;
}

/* Counts each call before it is made. */
static void next_call(void)
{
    give_back();
    if (++calls == dry_call)
        take_all();
}

/* ---------------------------------------------------------------- a run, as app/save does it through efi/files.c */

static void boot(void)
{
    memset(&volume, 0, sizeof volume);
    fake_machine_init();
    assert_true(volume_find(&volume, &info, false));
    files_prepare(&info, &volume);
    assert_int_equal(uefi_open_volume(NULL, &root), EFI_SUCCESS);
    calls = dry_call = fake_disks.moves = fake_disks.refuse_move = 0;
}

static void new_stick(void)
{
    ports_reset();
    console_end();
    console_serial();
    fake_disks_init();
    fake_disks_add(disk_made_by("r.img",
                                "rm -f r.img r.tar && truncate -s 4M r.img && mformat -i r.img -c 1 -N 1B5B0071 :: && "
                                "truncate -s %u r.tar && mcopy -i r.img r.tar ::/r && mcopy -i r.img r.tar "
                                "::/IBSRUNS.TAR && mdel -i r.img ::/r",
                                AREA_SECTORS * 512));
    boot();
}

static EFI_STATUS open_file(const char *path, UINT64 mode, EFI_FILE_HANDLE *ret_file)
{
    CHAR16 wide[100];

    for (unsigned i = 0; i == 0 || path[i - 1]; i++)
        wide[i] = (unsigned char)path[i];
    next_call();
    return root->Open(root, ret_file, wide, mode, 0);
}

static EFI_STATUS put(EFI_FILE_HANDLE file, const void *bytes, unsigned count)
{
    UINTN size = count;

    next_call();
    return file->Write(file, &size, (void *)bytes);
}

static EFI_STATUS name(EFI_FILE_HANDLE file, const char *to)
{
    UINT64 buffer[100];
    EFI_FILE_INFO *told = (EFI_FILE_INFO *)buffer;
    UINTN size = sizeof buffer, n = 0;
    EFI_STATUS status;

    next_call();
    status = file->GetInfo(file, &file_info_guid, &size, told);
    if (status)
        return status;
    do
        told->FileName[n] = (unsigned char)to[n];
    while (to[n++]);
    next_call();
    return file->SetInfo(file, &file_info_guid, SIZE_OF_EFI_FILE_INFO + n * 2, told);
}

static const char *path_of(unsigned run, unsigned file, const char *end)
{
    static char path[100];

    sprintf(path, file < FILES_OF_A_RUN ? "\\ibsboot\\runs\\%04u-a\\file%u%s" : "\\ibsboot\\runs\\%04u-a\\begun.ini",
            run, file, end);
    return path;
}

static bool save_file(unsigned run, unsigned number, const uint8_t *bytes, unsigned size)
{
    EFI_FILE_HANDLE file;
    EFI_STATUS status = open_file(path_of(run, number, ".new"), RW | EFI_FILE_MODE_CREATE, &file);
    unsigned at = 0;
    char last[20];

    if (status)
        return false;
    for (; !status && at < size; at += PART)
        status = put(file, bytes + at, size - at < PART ? size - at : PART);
    sprintf(last, number < FILES_OF_A_RUN ? "file%u" : "begun.ini", number);
    next_call();
    if (!status)
        status = file->Flush(file);
    if (!status)
        status = name(file, last);
    next_call();
    if (status)
        (void)file->Delete(file);
    else
        status = file->Close(file);
    return !status;
}

/* Returns the files that were reported as saved, as bits. */
static unsigned save_run(unsigned run)
{
    EFI_FILE_HANDLE begun;
    unsigned saved = 0;

    (void)save_file(run, FILES_OF_A_RUN, (const uint8_t *)"begun\n", 6);
    for (unsigned i = 0; i < FILES_OF_A_RUN; i++) {
        if (open_file(path_of(run, FILES_OF_A_RUN, ""), RW, &begun) == EFI_SUCCESS) {
            (void)begun->SetPosition(begun, ~(UINT64)0);
            (void)put(begun, "saving\n", 7);
            next_call();
            (void)begun->Close(begun);
        }
        saved |= (unsigned)save_file(run, i, content + run, sizes[i]) << i;
    }
    if (saved == ALL && open_file(path_of(run, FILES_OF_A_RUN, ""), RW, &begun) == EFI_SUCCESS) {
        next_call();
        (void)begun->Delete(begun);
    }
    give_back();
    return saved;
}

/* ---------------------------------------------------------------- what always holds */

static void check(const char *what, unsigned at, unsigned run, unsigned saved)
{
    struct test_disk *disk = fake_disks.drive[0].disk;
    static struct area_file area;
    static struct fat fat;
    struct tar_entry entry;

    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_OK);
    area_file_open(&area, &fat);
    if (area.refusal || area.pieces != 1)
        fail_msg("%s %u: %s, %u pieces", what, at, area_refusal_text(area.refusal), area.pieces);
    for (uint64_t sector = 0; sector < disk->sectors; sector++)
        if (sector - area.extents[0].sector >= area.extents[0].count &&
            memcmp(disk->bytes + sector * 512, before->bytes + sector * 512, 512) != 0)
            fail_msg("%s %u: sector %u is another", what, at, (unsigned)sector);
    for (unsigned i = 0; i < FILES_OF_A_RUN; i++) {
        static uint8_t bytes[sizeof content];
        char name_there[TAR_NAME_MAX];
        size_t done = 0;

        sprintf(name_there, "ibsboot/runs/%04u-a/file%u", run, i);
        if (tar_find(&area.store.tar, name_there, &entry) != TAR_OK) {
            if (saved & 1 << i)
                fail_msg("%s %u: file %u of run %u is not there", what, at, i, run);
            continue;
        }
        assert_int_equal(tar_read(&area.store.tar, &entry, 0, bytes, sizeof bytes, &done), TAR_OK);
        if (done != sizes[i] || memcmp(bytes, content + run, done) != 0)
            fail_msg("%s %u: file %u of run %u is not whole", what, at, i, run);
    }
}

/* Checks the next run of the boot in which something was refused while the first run was saved, and the run of the next
 * boot. */
static void check_next(const char *what, unsigned at, unsigned first)
{
    check(what, at, 1, first);
    fake_disks.refuse_move = dry_call = 0;
    if (save_run(2) != ALL)
        fail_msg("%s %u: the next run of the same boot is not saved:\n%s", what, at, ports.sent);
    check(what, at, 1, first);
    check(what, at, 2, ALL);
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    boot();
    assert_int_equal(save_run(3), ALL);
    check(what, at, 1, first);
    check(what, at, 2, ALL);
    check(what, at, 3, ALL);
}

static int begin(void **state)
{
    for (unsigned i = 0; i < sizeof content; i++)
        content[i] = (uint8_t)(1 + (i * 7 + i / 512) % 255);
    new_stick();
    before = fake_disks.drive[0].disk;
    fake_disks.drive[0].disk = NULL;
    new_stick();
    return 0;
}

static int end(void **state)
{
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    fake_disks_init();
    disk_free(before);
    return 0;
}

TEST_WITH(each_call_of_the_disk, begin, end)
{
    unsigned moves, told = 0;

    assert_int_equal(save_run(1), ALL);
    moves = fake_disks.moves;
    for (unsigned move = 1; move <= moves; move++) {
        for (unsigned tries = 1; tries <= TRIES; tries += TRIES - 1) {
            unsigned first;

            assert_int_equal(root->Close(root), EFI_SUCCESS);
            new_stick();
            fake_disks.refuse_move = move;
            fake_disks.refuse_tries = tries;
            first = save_run(1);
            assert_true(tries > 1 || first == ALL);              /* the call is repeated */
            assert_false((ALL & ~first) & ((ALL & ~first) - 1)); /* one file is missing, and no later one */
            told += first != ALL;
            check_next("call", move, first);
        }
    }
    print_message("%u calls of INT 13h, each refused once and in all its tries: in %u runs a file was not saved\n",
                  moves, told);
    assert_in_range(moves, 40, 400);
    assert_in_range(told, 10, moves);
}

TEST_WITH(each_call_without_memory, begin, end)
{
    unsigned all, told = 0;

    assert_int_equal(save_run(1), ALL);
    all = calls;
    for (unsigned call = 1; call <= all; call++) {
        unsigned first;

        assert_int_equal(root->Close(root), EFI_SUCCESS);
        new_stick();
        dry_call = call;
        first = save_run(1);
        told += first != ALL;
        check_next("without memory", call, first);
    }
    print_message("%u calls without memory: in %u runs a file was not saved\n", all, told);
    assert_in_range(told, 3, all);
}

RUN_TESTS(NULL, NULL)
