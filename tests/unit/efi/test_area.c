/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs that UEFI writes to IBSRUNS.TAR in place: each call of the disk is refused once, the power is cut after each
 * sector, and everything else on the volume stays unchanged; and the reasons why the area cannot be used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "efi/area.h"
#include "tests/unit/efi/fake_blocks.h"

enum { AREA_SECTORS = 1300, FILES_OF_A_RUN = 3, ALL = (1 << FILES_OF_A_RUN) - 1 };

static const size_t sizes[FILES_OF_A_RUN] = {5000, 70000, 900}; /* the last is run.ini */
static struct efi_firmware efi;
static struct firmware *const fw = &efi.firmware;
static struct test_disk *before; /* the volume as it was made */
static struct fat fat;
static struct area_file area; /* the area as another reader sees it */
static uint8_t content[70000 + 8];

/* Makes a volume of 4 MB with the area in three pieces, and changes it by a command. */
static struct test_disk *stick(const char *command)
{
    return disk_made_by("e.img",
                        "rm -f e.img e.tar e.f && truncate -s 4M e.img && mformat -i e.img -c 1 -N 1B5B0071 :: && "
                        "truncate -s 100K e.f && "
                        "for i in a b c d; do mcopy -i e.img e.f ::/$i || exit 1; done && mdel -i e.img ::/a ::/c && "
                        "truncate -s %u e.tar && mcopy -i e.img e.tar ::/IBSRUNS.TAR && %s",
                        AREA_SECTORS * 512, command);
}

static int setup(void **state)
{
    for (unsigned i = 0; i < sizeof(content); i++)
        content[i] = (uint8_t)(1 + (i * 7 + i / 512) % 255);
    before = stick("true");
    fake_blocks_init(&efi, stick("true"));
    return 0;
}

static int teardown(void **state)
{
    efi_save_to(fw, false);
    efi_files_close(&efi);
    disk_free(before);
    return (int)fake_blocks_end();
}

/* Ends the program and the machine; the next one has the same disk. */
static void boot_again(void)
{
    struct test_disk *disk = fake_blocks.disk;

    efi_save_to(fw, false);
    efi_files_close(&efi);
    assert_int_equal(fake_blocks.pools + fake_blocks.roots, 0);
    disk->writes_left = ~0ull;
    fake_blocks_init(&efi, disk);
}

static void new_stick(const char *command)
{
    boot_again();
    disk_free(fake_blocks.disk);
    fake_blocks_init(&efi, stick(command));
}

static const char *path_of(unsigned run, const char *name)
{
    static char path[100];

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%04u-a%s%s", run, name[0] ? "\\" : "", name);
    return path;
}

static const char *file_of(unsigned run, unsigned file)
{
    char name[10];

    snprintf(name, sizeof(name), "file%u", file);
    return path_of(run, name);
}

static enum firmware_error save_file(const char *path, const uint8_t *bytes, size_t size)
{
    struct firmware_file *file = NULL;
    enum firmware_error error = efi_file_create(fw, path, &file), end;

    if (error)
        return error;
    for (size_t at = 0; !error && at < size; at += 1000)
        error = efi_file_write(file, bytes + at, size - at < 1000 ? size - at : 1000);
    end = efi_file_close(file, !error);
    return error ? error : end;
}

/* Saves a run as app/save does. Returns the files that were reported as saved, as bits. */
static unsigned save_run(unsigned run)
{
    unsigned saved = 0;

    efi_save_to(fw, true);
    if (efi_make_folder(fw, "\\ibsboot\\runs") || efi_make_folder(fw, path_of(run, "")))
        return 0;
    (void)save_file(path_of(run, "begun.ini"), (const uint8_t *)"begun\n", 6);
    for (unsigned i = 0; i < FILES_OF_A_RUN; i++) {
        (void)efi_file_append(fw, path_of(run, "begun.ini"), "saving\n", 7);
        saved |= (unsigned)!save_file(file_of(run, i), content + run, sizes[i]) << i;
    }
    if (saved == ALL)
        (void)efi_file_remove(fw, path_of(run, "begun.ini"));
    return saved;
}

/* Checks that every byte outside the area is unchanged, that every file in the area is whole, and that each file
 * reported as saved exists. */
static void check(const char *what, unsigned at, unsigned run, unsigned saved)
{
    struct test_disk *disk = fake_blocks.disk;
    struct tar_entry entry;
    uint64_t sector = 0;
    unsigned refuse = fake_blocks.refuse_call;

    fake_blocks.refuse_call = 0;
    disk->writes_left = ~0ull;
    assert_int_equal(fat_mount(&fat, &disk->ops, 0), FAT_OK);
    area_file_open(&area, &fat);
    fake_blocks.refuse_call = refuse;
    if (area.refusal || area.pieces != 3)
        fail_msg("%s %u: %s, %u pieces", what, at, area_refusal_text(area.refusal), area.pieces);
    for (; sector < disk->sectors; sector++) {
        bool inside = false;

        for (unsigned i = 0; i < area.pieces; i++)
            inside = inside || sector - area.extents[i].sector < area.extents[i].count;
        if (!inside && memcmp(disk->bytes + sector * 512, before->bytes + sector * 512, 512) != 0)
            fail_msg("%s %u: sector %u is another", what, at, (unsigned)sector);
    }
    for (unsigned i = 0; i < FILES_OF_A_RUN; i++) {
        static uint8_t bytes[sizeof(content)];
        char name[TAR_NAME_MAX];
        size_t done = 0;

        (void)efi_area_name(&name, file_of(run, i));
        if (tar_find(&area.store.tar, name, &entry) != TAR_OK) {
            if (saved & 1 << i)
                fail_msg("%s %u: file %u of run %u is not there", what, at, i, run);
            continue;
        }
        assert_int_equal(tar_read(&area.store.tar, &entry, 0, bytes, sizeof(bytes), &done), TAR_OK);
        if (done != sizes[i] || memcmp(bytes, content + run, done) != 0)
            fail_msg("%s %u: file %u of run %u is not whole", what, at, i, run);
    }
}

TEST_WITH(each_call, setup, teardown)
{
    unsigned calls, told = 0, second;

    assert_int_equal(save_run(1), ALL);
    calls = fake_blocks.calls;
    check("call", 0, 1, ALL);
    for (unsigned call = 1; call <= calls; call++)
        for (unsigned after = 0; after < 2; after++) {
            unsigned first;

            new_stick("true");
            fake_blocks.refuse_call = call;
            fake_blocks.refuse_after = after;
            first = save_run(1);
            check("call", call, 1, first);
            second = save_run(2); /* in the same boot: only one call fails */
            told += first != ALL;
            check("call", call, 1, first);
            check("call", call, 2, second);
            boot_again();
            assert_int_equal(save_run(3), ALL);
            check("call", call, 1, first);
            check("call", call, 2, second);
            check("call", call, 3, ALL);
            if (second != ALL)
                fail_msg("call %u: the next run of the same boot is not saved: %x", call, second);
        }
    print_message("%u calls, each refused before and after: in %u runs a file was not saved\n", calls, told);
    assert_in_range(calls, 60, 400);
    assert_true(told > calls / 2);
}

TEST_WITH(power_cut, setup, teardown)
{
    uint64_t sectors;
    unsigned saved;

    assert_int_equal(save_run(1), ALL);
    sectors = fake_blocks.disk->written;
    assert_int_equal(save_run(2), ALL);
    sectors = fake_blocks.disk->written - sectors;
    for (uint64_t cut = 0; cut <= sectors + 1; cut++) {
        new_stick("true");
        assert_int_equal(save_run(1), ALL);
        fake_blocks.disk->writes_left = cut;
        saved = save_run(2);
        assert_int_equal(saved == ALL, cut >= sectors - 3); /* the last three sectors record that begun.ini is gone */
        check("cut", (unsigned)cut, 1, ALL);
        check("cut", (unsigned)cut, 2, saved);
        boot_again();
        assert_int_equal(save_run(3), ALL);
        check("cut", (unsigned)cut, 1, ALL);
        check("cut", (unsigned)cut, 2, saved);
        check("cut", (unsigned)cut, 3, ALL);
    }
    print_message("the power was cut after each of %u sectors\n", (unsigned)sectors);
}

static char listed[200];

static void note(void *argument, const char *name)
{
    strcat(strcat(listed, name), " ");
}

/* Files are read from the area in its present state; files grow, and are removed. */
TEST_WITH(read_back, setup, teardown)
{
    char text[40];
    size_t size = 0;

    assert_int_equal(save_run(1), ALL);
    assert_int_equal(efi_file_append(fw, path_of(1, "begun.ini"), "x", 1), FIRMWARE_NOT_FOUND);
    assert_int_equal(efi_file_remove(fw, path_of(1, "begun.ini")), FIRMWARE_NOT_FOUND);
    assert_int_equal(save_file(path_of(2, "begun.ini"), (const uint8_t *)"one\n", 4), FIRMWARE_OK);
    assert_int_equal(efi_file_append(fw, path_of(2, "begun.ini"), "two\n", 4), FIRMWARE_OK);
    assert_int_equal(efi_read_file(fw, path_of(2, "begun.ini"), text, sizeof(text), &size), FIRMWARE_OK);
    assert_int_equal(size, 8);
    assert_memory_equal(text, "one\ntwo\n", 8);
    assert_int_equal(efi_read_file(fw, path_of(2, "begun.ini"), text, 7, &size), FIRMWARE_TOO_LARGE);
    assert_int_equal(efi_list(fw, "\\ibsboot\\runs", note, NULL), FIRMWARE_OK);
    assert_string_equal(listed, "0001-a 0002-a ");
    /* A file of several parts is complete after it has grown. */
    assert_int_equal(efi_file_append(fw, file_of(1, 1), "end", 3), FIRMWARE_OK);
    {
        static uint8_t large[80000];

        assert_int_equal(efi_read_file(fw, file_of(1, 1), large, sizeof(large), &size), FIRMWARE_OK);
        assert_int_equal(size, sizes[1] + 3);
        assert_memory_equal(large, content + 1, sizes[1]);
        assert_memory_equal(large + sizes[1], "end", 3);
    }
    assert_int_equal(efi_file_remove(fw, file_of(1, 1)), FIRMWARE_OK);
    assert_int_equal(efi_read_file(fw, file_of(1, 1), text, sizeof(text), &size), FIRMWARE_NOT_FOUND);
    /* A file that is not kept never appears. */
    {
        struct firmware_file *file;

        assert_int_equal(efi_file_create(fw, path_of(3, "no"), &file), FIRMWARE_OK);
        assert_int_equal(efi_file_create(fw, path_of(3, "second"), &(struct firmware_file *){NULL}), FIRMWARE_FAILED);
        assert_int_equal(efi_file_write(file, content, 40000), FIRMWARE_OK);
        assert_int_equal(efi_file_close(file, false), FIRMWARE_OK);
    }
    assert_int_equal(efi_read_file(fw, path_of(3, "no"), text, sizeof(text), &size), FIRMWARE_NOT_FOUND);
    check("read", 0, 1, ALL & ~2);
}

/* The driver is restarted before the area is read and after it was written, and no more often. */
TEST_WITH(driver, setup, teardown)
{
    efi_save_to(fw, true);
    assert_int_equal(fake_blocks.starts, 0); /* nothing is saved yet */
    assert_int_equal(save_run(1), ALL);
    assert_int_equal(save_run(2), ALL);
    assert_int_equal(fake_blocks.starts, 1);
    assert_int_equal(fake_blocks.roots, 1);
    efi_save_to(fw, false);
    assert_int_equal(fake_blocks.starts, 2);
    assert_int_equal(fake_blocks.roots, 1);
    assert_null(efi.area);
    efi_save_to(fw, false);
    assert_int_equal(fake_blocks.starts, 2);
    /* ibsbios writes to the area itself. */
    efi.bios = true;
    efi_save_to(fw, true);
    assert_false(efi.to_area);
}

TEST_WITH(full, setup, teardown)
{
    efi_save_to(fw, true);
    assert_int_equal(efi_room(fw, "\\ibsboot", 1), FIRMWARE_FAILED); /* the area is not open yet */
    assert_int_equal(save_run(1), ALL);
    assert_int_equal(efi_room(fw, "\\ibsboot", store_room(&efi.area->file.store)), FIRMWARE_OK);
    assert_int_equal(efi_room(fw, "\\ibsboot", store_room(&efi.area->file.store) + 1), FIRMWARE_FULL);
    for (unsigned i = 0; i < 8 && store_room(&efi.area->file.store) >= sizes[1]; i++)
        assert_int_equal(save_file(file_of(2, i), content, sizes[1]), FIRMWARE_OK);
    assert_int_equal(save_file(file_of(3, 0), content, sizes[1]), FIRMWARE_FULL);
    while (store_room(&efi.area->file.store) >= 64 << 10)
        assert_int_equal(save_file(file_of(3, 1), content, 500), FIRMWARE_OK);
    assert_int_equal(efi_make_folder(fw, path_of(4, "")), FIRMWARE_AREA + AREA_FULL);
    check("full", 0, 1, ALL);
}

static void no_protocol(void)
{
    fake_blocks.missing = true;
}
static void no_media(void)
{
    fake_blocks.media.MediaPresent = FALSE;
}
static void protected(void)
{
    fake_blocks.media.ReadOnly = TRUE;
}
static void large_sectors(void)
{
    fake_blocks.media.BlockSize = 4096;
}
static void no_end(void)
{
    fake_blocks.media.LastBlock = ~(EFI_LBA)0;
}
static void alignment(void)
{
    fake_blocks.media.IoAlign = 8192;
}
static void held(void)
{
    fake_blocks.held = true;
}
static void no_pool(void)
{
    fake_blocks.no_pool = 1;
}
static void no_pages(void)
{
    fake_blocks.no_pages = true;
}
static void shorter(void) /* makes the partition shorter than its volume says */
{
    fake_blocks.media.LastBlock -= 1;
}
static void no_boot_sector(void)
{
    fake_blocks.disk->bad_read = 0;
}
static void no_fat(void)
{
    fake_blocks.disk->bytes[510] = 0;
}
static void not_written(void)
{
    fake_blocks.disk->writes_left = 0;
}
static void no_tar(void)
{
    assert_int_equal(fat_mount(&fat, &fake_blocks.disk->ops, 0), FAT_OK);
    area_file_open(&area, &fat);
    memcpy(fake_blocks.disk->bytes + area.extents[0].sector * 512, "GIF89a", 6);
    fake_blocks.disk->written = 0;
}
static void as_it_is(void)
{
}

TEST_WITH(refusals, setup, teardown)
{
    static const struct {
        void (*change)(void);
        const char *command;
        unsigned error;
    } rows[] = {
        {no_protocol, "true", FIRMWARE_AREA + AREA_NO_SECTORS},
        {no_media, "true", FIRMWARE_NO_VOLUME},
        {protected, "true", FIRMWARE_READ_ONLY},
        {large_sectors, "true", FIRMWARE_AREA + AREA_LARGE},
        {no_end, "true", FIRMWARE_AREA + AREA_NO_SECTORS},
        {alignment, "true", FIRMWARE_AREA + AREA_NO_SECTORS},
        {held, "true", FIRMWARE_AREA + AREA_HELD},
        {no_pool, "true", FIRMWARE_NO_MEMORY},
        {no_pages, "true", FIRMWARE_NO_MEMORY},
        {shorter, "true", FIRMWARE_AREA + AREA_LOST},
        {no_boot_sector, "true", FIRMWARE_AREA + AREA_UNREAD},
        {no_fat, "true", FIRMWARE_AREA + AREA_NOT_FAT},
        {no_tar, "true", FIRMWARE_AREA + AREA_DAMAGED},
        {as_it_is, "mdel -i e.img ::/IBSRUNS.TAR", FIRMWARE_AREA + AREA_MISSING},
        {as_it_is, "mdel -i e.img ::/IBSRUNS.TAR && mmd -i e.img ::/IBSRUNS.TAR", FIRMWARE_AREA + AREA_FOLDER},
        {not_written, "true", FIRMWARE_AREA + AREA_UNWRITTEN},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        enum firmware_error error;
        struct firmware_file *file;

        new_stick(rows[i].command);
        rows[i].change();
        efi_save_to(fw, true);
        error = efi_make_folder(fw, "\\ibsboot\\runs");
        if (error != rows[i].error)
            fail_msg("row %u: %u, not %u", i, error, rows[i].error);
        assert_int_equal(fake_blocks.disk->written, 0);
        assert_null(efi.area);
        assert_int_equal(fake_blocks.pools, 0);
        /* No other file is written instead. */
        assert_int_equal(efi_file_create(fw, "\\ibsboot\\runs\\x", &file), FIRMWARE_FAILED);
        assert_int_equal(efi_file_append(fw, "\\ibsboot\\runs\\x", "x", 1), FIRMWARE_NOT_FOUND);
        assert_int_equal(efi_file_remove(fw, "\\ibsboot\\runs\\x"), FIRMWARE_NOT_FOUND);
        assert_int_equal(fake_blocks.pools, 0);
    }
    boot_again();
    efi_files_close(&efi); /* no volume */
    efi_save_to(fw, true);
    assert_int_equal(efi_make_folder(fw, "\\ibsboot\\runs"), FIRMWARE_NO_VOLUME);
}

/* A disk confirms writes without doing them; a stick is pulled out, and one becomes write-protected. */
TEST_WITH(while_it_is_written, setup, teardown)
{
    static const struct {
        EFI_STATUS status;
        enum firmware_error error;
    } rows[] = {{EFI_NO_MEDIA, FIRMWARE_NO_VOLUME},
                {EFI_MEDIA_CHANGED, FIRMWARE_NO_VOLUME},
                {EFI_WRITE_PROTECTED, FIRMWARE_READ_ONLY},
                {EFI_DEVICE_ERROR, FIRMWARE_AREA + AREA_UNWRITTEN}};
    char name[120];

    assert_int_equal(save_run(1), ALL);
    fake_blocks.disk->deaf = true;
    assert_int_equal(save_file(file_of(2, 0), content, 5000), FIRMWARE_AREA + AREA_UNWRITTEN);
    fake_blocks.disk->deaf = false;
    /* This also holds if it is noticed within a file, and not at its header. */
    {
        struct firmware_file *file;

        assert_int_equal(efi_file_create(fw, file_of(2, 1), &file), FIRMWARE_OK);
        fake_blocks.disk->deaf = true;
        assert_int_equal(efi_file_write(file, content, 40000), FIRMWARE_AREA + AREA_UNWRITTEN);
        fake_blocks.disk->deaf = false;
        assert_int_equal(efi_file_close(file, true), FIRMWARE_OK); /* the file is not kept */
    }
    assert_int_equal(save_run(2), ALL);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fake_blocks.refuse_with = rows[i].status;
        fake_blocks.refuse_call = fake_blocks.calls + 1;
        assert_int_equal(save_file(file_of(3, 0), content, 5000), rows[i].error);
    }
    fake_blocks.refuse_call = fake_blocks.calls + 1; /* the file that grows cannot be read */
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_int_equal(save_file(name, content, 1), FIRMWARE_FAILED);
    assert_int_equal(efi_file_append(fw, file_of(2, 1), "x", 1), FIRMWARE_AREA + AREA_UNREAD);
    assert_false(efi.area->file.store.writing);
    check("written", 0, 1, ALL);
    check("written", 0, 2, ALL);
    /* Without memory for the list's rows files are not found, and stay. */
    boot_again();
    efi_save_to(fw, true);
    fake_blocks.no_pool = 2;
    assert_int_equal(efi_make_folder(fw, "\\ibsboot\\runs"), FIRMWARE_OK);
    assert_int_equal(efi_file_append(fw, file_of(2, 1), "x", 1), FIRMWARE_NOT_FOUND);
}

/* Nothing behind the partition is read; a call for many sectors is several calls of the protocol. */
TEST_WITH(bounds, setup, teardown)
{
    static uint8_t bytes[200 * DISK_SECTOR];
    struct efi_sectors sectors;
    unsigned calls = fake_blocks.calls;

    assert_int_equal(efi_sectors_open(&sectors, &fake_system.boot, efi.loaded->DeviceHandle), FIRMWARE_OK);
    assert_int_equal(sectors.count, fake_blocks.disk->sectors);
    assert_int_equal(sectors.disk.read(&sectors, sectors.count - 1, 2, bytes), -1);
    assert_int_not_equal(sectors.disk.write(&sectors, sectors.count + 1, 1, bytes), 0);
    assert_int_not_equal(sectors.disk.read(&sectors, ~0ull, 1, bytes), 0);
    assert_int_equal(fake_blocks.calls, calls);
    assert_int_equal(sectors.disk.read(&sectors, sectors.count - 1, 1, bytes), 0);
    assert_int_equal(sectors.disk.read(&sectors, 0, 200, bytes), 0);
    assert_memory_equal(bytes, before->bytes, sizeof(bytes));
    assert_int_equal(fake_blocks.calls, calls + 5);
    assert_int_equal(sectors.disk.write(&sectors, 1000, 100, content), 0);
    assert_memory_equal(fake_blocks.disk->bytes + 1000 * DISK_SECTOR, content, 100 * DISK_SECTOR);
    efi_sectors_close(&sectors, &fake_system.boot);
    efi_sectors_close(&sectors, &fake_system.boot);
}

/* The time of an entry is that of the firmware's clock. */
TEST_WITH(time, setup, teardown)
{
    assert_int_equal(save_run(1), ALL);
    check("time", 0, 1, ALL);
    assert_memory_equal(fake_blocks.disk->bytes + area.extents[0].sector * 512 + 136, "15303102100", 12);
}

static EFI_STATUS EFIAPI no_time(EFI_TIME *time, EFI_TIME_CAPABILITIES *capabilities)
{
    *time = (EFI_TIME){.Year = 2031, .Month = 3, .Day = 4};
    return EFI_DEVICE_ERROR;
}

/* If the clock fails there is no time, whatever the clock returns. */
TEST_WITH(no_clock, setup, teardown)
{
    fake_system.runtime.GetTime = no_time;
    assert_int_equal(save_run(1), ALL);
    check("no clock", 0, 1, ALL);
    assert_memory_equal(fake_blocks.disk->bytes + area.extents[0].sector * 512 + 136, "00000000000", 12);
}

RUN_TESTS(NULL, NULL)
