/* SPDX-License-Identifier: BSD-2-Clause */
/* A run is saved to a volume on which each call of the driver is refused once, and to one with every number of free
 * clusters up to more than the run needs. The volume stays in order, files reported as saved are whole, and the next
 * run is saved if there is room. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/efi/fake_volume.h"

enum { PLENTY = 4000, FILES = 6, CONTENT = 120000, PROOF = 129 /* clusters */, ALL = 0x3F };

static struct efi_firmware efi;
static char content[CONTENT + FILES];

/* The files in the order in which they are saved; the first is begun.ini, which is removed at the end. */
static const struct {
    const char *name;
    size_t size, part;
} files[FILES] = {{"begun.ini", 900, 900},       {"report.txt", 5000, 5000}, {"profile.csv", 30000, 30000},
                  {"perf.data", CONTENT, 40000}, {"run.ini", 2000, 2000},    {"ibsboot.elf", 9000, 9000}};

static void volume(unsigned free)
{
    fake_volume_free();
    fake_system_init(&efi);
    fake_volume_init(&efi, free);
}

static void path_of(char *path, unsigned run, unsigned file)
{
    sprintf(path, "\\ibsboot\\runs\\%04u-matmul-classic-ibs", run);
    if (file < FILES)
        sprintf(path + strlen(path), "\\%s", files[file].name);
}

static enum firmware_error save_file(unsigned run, unsigned number)
{
    struct firmware_file *file;
    char path[EFI_PATH_MAX];
    enum firmware_error error;

    path_of(path, run, number);
    error = efi_file_create(&efi.firmware, path, &file);
    if (error)
        return error;
    for (size_t at = 0; !error && at < files[number].size; at += files[number].part)
        error = efi_file_write(file, content + run + at, files[number].part);
    if (error) {
        (void)efi_file_close(file, false);
        return error;
    }
    return efi_file_close(file, true);
}

static void count_name(void *argument, const char *name)
{
    *(unsigned *)argument += name[0] == '0';
}

/* Saves a run as app/save/begun.c and app/save/save.c do. Returns the files that were reported as saved, as bits;
 * *ret_error is the first error. */
static unsigned save_run(unsigned run, enum firmware_error *ret_error)
{
    char path[EFI_PATH_MAX];
    unsigned saved = 0, before = 0;
    enum firmware_error error = efi_list(&efi.firmware, "\\ibsboot\\runs", count_name, &before);

    if (error == FIRMWARE_NOT_FOUND)
        error = FIRMWARE_OK;
    if (!error)
        error = efi_make_folder(&efi.firmware, "\\ibsboot");
    if (!error)
        error = efi_make_folder(&efi.firmware, "\\ibsboot\\runs");
    path_of(path, run, FILES);
    if (!error)
        error = efi_make_folder(&efi.firmware, path);
    *ret_error = error;
    for (unsigned i = 0; i < FILES && (!error || i); i++) {
        enum firmware_error here = save_file(run, i);

        saved |= (unsigned)!here << i;
        if (!*ret_error)
            *ret_error = here;
        if (i)
            continue;
        path_of(path, run, 0);
        (void)efi_file_append(&efi.firmware, path, "#: phase = saving\n", 18);
    }
    if (saved & 1 << 4 && !efi_file_remove(&efi.firmware, path))
        saved |= 1 << FILES;
    return saved;
}

static bool is_whole(unsigned run, unsigned file)
{
    char path[EFI_PATH_MAX];
    const struct fake_node *node;

    path_of(path, run, file);
    node = fake_volume_find(path);
    return node && node->size == files[file].size && !memcmp(node->data, content + run, node->size);
}

static void check(const char *what, unsigned number, unsigned run, unsigned saved)
{
    if (fake_volume_damage())
        fail_msg("%s %u: the volume is damaged", what, number);
    if (fake_volume.open || fake_volume.pools)
        fail_msg("%s %u: %u files are open, %u pieces of memory are taken", what, number, fake_volume.open,
                 fake_volume.pools);
    for (unsigned i = 1; i < FILES; i++) {
        char path[EFI_PATH_MAX];

        path_of(path, run, i);
        if (saved & 1 << i ? !is_whole(run, i) : fake_volume_find(path) && !is_whole(run, i))
            fail_msg("%s %u: %s, said to be %s, is not whole", what, number, path,
                     saved & 1 << i ? "saved" : "missing");
    }
}

/* Checks the next run, which has room. */
static void check_next(const char *what, unsigned number, unsigned run)
{
    enum firmware_error error;
    unsigned saved;

    fake_volume.free += PLENTY;
    saved = save_run(run, &error);
    if (error || (saved & ALL) != ALL)
        fail_msg("%s %u: the next run is not saved: %d, files %x", what, number, error, saved);
    check(what, number, run, saved);
}

TEST(each_call_refused)
{
    static const EFI_STATUS with[] = {EFI_DEVICE_ERROR, EFI_VOLUME_FULL, EFI_WRITE_PROTECTED};
    enum firmware_error error;
    unsigned calls, first;

    volume(PLENTY);
    assert_int_equal(save_run(1, &error), ALL | 1 << FILES);
    first = fake_volume.calls;
    assert_int_equal(save_run(2, &error), ALL | 1 << FILES);
    calls = fake_volume.calls - first;
    for (unsigned w = 0; w < 3; w++) {
        for (unsigned call = 1; call <= first; call++) {
            unsigned saved;

            volume(PLENTY);
            fake_volume.refuse_call = call;
            fake_volume.refuse_with = with[w];
            saved = save_run(1, &error);
            check("call", call, 1, saved);
            if ((saved & ALL) == ALL && fake_volume_count(".ini") == 1 && fake_volume_count(".tmp"))
                fail_msg("call %u: a proof of room is left", call);
            check_next("after call", call, 2);
            check("call", call, 1, saved); /* the first run is unchanged */
        }
        /* The call is also refused in the second run, when there are folders and files already. */
        for (unsigned call = 1; call <= calls; call++) {
            unsigned saved;

            volume(PLENTY);
            (void)save_run(1, &error);
            fake_volume.refuse_call = first + call;
            fake_volume.refuse_with = with[w];
            saved = save_run(2, &error);
            check("second, call", call, 2, saved);
            check("second, call", call, 1, ALL);
            check_next("after second, call", call, 3);
        }
    }
    print_message("%u and %u calls, each refused with 3 errors\n", first, calls);
    assert_in_range(first, 90, 200);
}

/* Each failure is reported as the error that it is. */
TEST(each_number_of_free_clusters)
{
    unsigned full = 0;

    for (unsigned before = 0; before < 3; before++) {
        for (unsigned n = 0; n < 600; n++) {
            enum firmware_error error;
            unsigned saved;

            volume(PLENTY);
            if (before)
                fake_volume_put("\\ibsboot\\runs", NULL, 0);
            if (before == 2) /* the folder of runs is full: the next entry needs a cluster */
                fake_volume_find("\\ibsboot\\runs")->entries = 16;
            fake_volume.free = n;
            saved = save_run(1, &error);
            if ((saved & ALL) != ALL && error != FIRMWARE_FULL)
                fail_msg("%u clusters: error %d", n, error);
            full += error == FIRMWARE_FULL;
            check("clusters", n, 1, saved);
            if (fake_volume_count(".tmp") || fake_volume_count(".new"))
                fail_msg("%u clusters: something is left", n);
            check_next("after clusters", n, 2);
            check("clusters", n, 1, saved);
        }
    }
    print_message("600 numbers of clusters, 3 ways in which the folders are: %u not all saved\n", full);
    assert_in_range(full, 3 * (PROOF + 2), 3 * 599 - 1);
}

/* No more room is required than is needed, so that the last of a stick can be used. */
TEST(room_that_is_enough)
{
    volume(PROOF);
    assert_int_equal(efi_prove_room(&efi, "\\ibsboot\\a"), FIRMWARE_OK);
    assert_int_equal(fake_volume.free, PROOF);
    volume(PROOF - 1);
    assert_int_equal(efi_prove_room(&efi, "\\ibsboot\\a"), FIRMWARE_FULL);
    assert_int_equal(fake_volume.free, PROOF - 1);
    assert_int_equal(fake_volume_count(".tmp"), 0);
    volume(PROOF); /* opened, positioned at the end, written, and not deleted */
    fake_volume.refuse_call = 4;
    assert_int_equal(efi_prove_room(&efi, "\\ibsboot\\a"), FIRMWARE_FAILED);
    volume(PROOF); /* written, and no cluster taken */
    fake_volume.short_writes = true;
    assert_int_equal(efi_prove_room(&efi, "\\ibsboot\\a"), FIRMWARE_FULL);
    assert_int_equal(fake_volume_count(".tmp"), 0);
    efi.bios = true;
    assert_int_equal(efi_prove_room(&efi, "\\ibsboot\\a"), FIRMWARE_OK);
}

/* Room for a whole run is tried in its folder, and freed again; a BIOS is asked for its area as well. */
TEST(room_for_a_run)
{
    volume(PROOF + 2);
    assert_int_equal(efi_make_folder(&efi.firmware, "\\ibsboot\\runs"), FIRMWARE_OK);
    fake_volume.free = 20;
    for (unsigned bios = 0; bios < 2; bios++) {
        efi.bios = bios;
        unsigned free = fake_volume.free;

        assert_int_equal(efi_room(&efi.firmware, "\\ibsboot\\runs", free * FAKE_CLUSTER + 1), FIRMWARE_FULL);
        assert_int_equal(efi_room(&efi.firmware, "\\ibsboot\\runs", (free - 2) * FAKE_CLUSTER), FIRMWARE_OK);
        assert_in_range(fake_volume.free, free - 2, free); /* entries of the folder itself */
        assert_int_equal(fake_volume_count(".tmp"), 0);
    }
}

/* A folder that an earlier version left without a cluster is reported, and no file is written to it. */
TEST(half_folder)
{
    struct fake_node *half;
    enum firmware_error error;

    volume(PLENTY);
    fake_volume_put("\\ibsboot\\runs", NULL, 0);
    half = fake_volume_find("\\ibsboot\\runs");
    half->clusters = half->entries = 0;
    assert_int_equal(save_run(1, &error), 0);
    assert_int_equal(error, FIRMWARE_BAD_FOLDER);
    assert_int_equal(fake_volume.free, PLENTY);
    assert_int_equal(fake_volume.lost, 0);
    /* A driver that reports no sizes of folders reveals nothing. */
    volume(PLENTY);
    fake_volume.without_sizes = true;
    assert_int_equal(save_run(1, &error), ALL | 1 << FILES);
    assert_int_equal(fake_volume.open, 0);
    /* Without another folder to compare with, the size reveals nothing, either. */
    volume(PLENTY);
    strcpy(fake_volume_find("\\EFI")->path, "\\other");
    fake_volume.without_sizes = true;
    assert_int_equal(save_run(1, &error), ALL | 1 << FILES);
    /* A file with the folder's name is left alone. */
    volume(PLENTY);
    fake_volume_put("\\ibsboot\\runs", "mine", 4);
    assert_int_equal(save_run(1, &error), 0);
    assert_int_equal(error, FIRMWARE_BAD_FOLDER);
    assert_memory_equal(fake_volume_find("\\ibsboot\\runs")->data, "mine", 4);
    /* A folder that the driver does not describe is used as it is. */
    volume(PLENTY);
    fake_volume.refuse_call = 2; /* the folder is opened, then described */
    fake_volume.refuse_with = EFI_DEVICE_ERROR;
    assert_int_equal(efi_make_folder(&efi.firmware, "\\ibsboot"), FIRMWARE_OK);
    assert_int_equal(fake_volume.calls, 2);
    /* A folder without a size is used, too, if the driver does not describe \\EFI. */
    volume(PLENTY);
    fake_volume.without_sizes = true;
    fake_volume.refuse_call = 4; /* the description of \\EFI */
    fake_volume.refuse_with = EFI_DEVICE_ERROR;
    assert_int_equal(efi_make_folder(&efi.firmware, "\\ibsboot"), FIRMWARE_OK);
    assert_int_equal(fake_volume.calls, 4);
    assert_int_equal(fake_volume.open, 0);
}

/* Parts of a folder that a failed call of the driver left are removed if the driver can do that; otherwise they are
 * reported. */
TEST(what_is_left_of_a_folder)
{
    for (unsigned deletes = 0; deletes < 2; deletes++) {
        volume(PLENTY);
        fake_volume.halves = true;
        fake_volume.deletes_half = deletes;
        assert_int_equal(efi_make_folder(&efi.firmware, "\\ibsboot\\runs"),
                         deletes ? FIRMWARE_FULL : FIRMWARE_BAD_FOLDER);
        assert_int_equal(fake_volume_damage(), !deletes);
        assert_int_equal(fake_volume.open, 0);
        assert_int_equal(fake_volume_count("\\runs"), !deletes);
    }
}

static int setup(void **state)
{
    for (unsigned i = 0; i < sizeof(content); i++)
        content[i] = (char)(i * 7 + i / 1000);
    return 0;
}

static int teardown(void **state)
{
    fake_volume_free();
    return 0;
}

RUN_TESTS(setup, teardown)
