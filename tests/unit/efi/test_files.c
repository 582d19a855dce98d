/* SPDX-License-Identifier: BSD-2-Clause */
/* Files on a volume whose driver fails at the end: the written file stays under its name with .new. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/efi/fake_volume.h"

static struct efi_firmware efi;

static int setup(void **state)
{
    fake_system_init(&efi);
    fake_volume_init(&efi, 1000);
    fake_volume_put("\\runs", NULL, 0);
    return 0;
}

static int teardown(void **state)
{
    fake_volume_free();
    return (int)(fake_volume.open + fake_volume.pools); /* all files were closed and all memory freed */
}

/* Creates, writes and closes \runs\a.txt. */
static enum firmware_error save(void)
{
    struct firmware_file *open = NULL;
    char *path = strdup("\\runs\\a.txt");
    enum firmware_error error = efi_file_create(&efi.firmware, path, &open);

    free(path);
    assert_int_equal(error, FIRMWARE_OK);
    assert_non_null(fake_volume_find("\\runs\\a.txt.new"));
    error = efi_file_write(open, "text", 4);
    return efi_file_close(open, error == FIRMWARE_OK);
}

static void assert_text(const char *path, const char *text)
{
    const struct fake_node *node = fake_volume_find(path);

    assert_non_null(node);
    assert_int_equal(node->size, strlen(text));
    assert_memory_equal(node->data, text, strlen(text));
}

TEST_WITH(in_order, setup, teardown)
{
    assert_int_equal(save(), FIRMWARE_OK);
    assert_text("\\runs\\a.txt", "text");
    assert_int_equal(fake_volume.free, 1000 - 1);
    assert_int_equal(fake_volume_count(".new") + fake_volume_count(".tmp"), 0);
}

/* The calls of save(): 1 looks for an older .new, 2 creates, 3 writes, 4 flushes, 5 to 8 prove that there is room, 9
 * asks for the name, 10 looks for an older file, 11 renames. */
enum { CALL_WRITE = 3, CALL_FLUSH = 4, CALL_RENAME = 11, CALLS_OF_PROOF = 4 };

TEST_WITH(it_cannot_be_renamed, setup, teardown)
{
    fake_volume.refuse_call = CALL_RENAME;
    fake_volume.refuse_with = EFI_ACCESS_DENIED;
    assert_int_equal(save(), FIRMWARE_NOT_RENAMED);
    assert_text("\\runs\\a.txt.new", "text");
    assert_null(fake_volume_find("\\runs\\a.txt"));
}

TEST_WITH(it_cannot_be_flushed, setup, teardown)
{
    fake_volume.refuse_call = CALL_FLUSH;
    fake_volume.refuse_with = EFI_DEVICE_ERROR;
    assert_int_equal(save(), FIRMWARE_NOT_RENAMED);
    assert_text("\\runs\\a.txt.new", "text");
    assert_int_equal(fake_volume.calls, CALL_FLUSH); /* and is not renamed */
}

/* Half of a file is useless, and its room is needed. */
TEST_WITH(it_cannot_be_written, setup, teardown)
{
    fake_volume.refuse_call = CALL_WRITE;
    fake_volume.refuse_with = EFI_VOLUME_FULL;
    (void)save();
    assert_int_equal(fake_volume_count("a.txt") + fake_volume_count(".new"), 0);
    assert_int_equal(fake_volume.free, 1000);
}

/* This holds even if the driver reports that it wrote, or the caller wants to keep the rest. */
TEST_WITH(half_of_it_is_written, setup, teardown)
{
    struct firmware_file *open = NULL;

    fake_volume.short_writes = true;
    assert_int_equal(efi_file_create(&efi.firmware, "\\runs\\a.txt", &open), FIRMWARE_OK);
    assert_int_equal(efi_file_write(open, "text", 4), FIRMWARE_FULL);
    assert_int_equal(efi_file_close(open, true), FIRMWARE_OK);
    assert_int_equal(fake_volume_count("a.txt") + fake_volume_count(".new"), 0);
    fake_volume_put("\\runs\\a.txt", "text", 4);
    assert_int_equal(efi_file_append(&efi.firmware, "\\runs\\a.txt", "more", 4), FIRMWARE_FULL);
}

/* Files that an interrupted run left under these names do not become part of the new file. */
TEST_WITH(older_ones, setup, teardown)
{
    fake_volume_put("\\runs\\a.txt.new", "a longer text", 13);
    fake_volume_put("\\runs\\a.txt.tmp", "an older proof", 14);
    fake_volume_put("\\runs\\a.txt", "an older text", 13);
    assert_int_equal(save(), FIRMWARE_OK);
    assert_text("\\runs\\a.txt", "text");
    assert_int_equal(fake_volume_count(".new") + fake_volume_count(".tmp"), 0);
}

TEST_WITH(a_line_more, setup, teardown)
{
    assert_int_equal(efi_file_append(&efi.firmware, "\\runs\\a.txt", "x", 1), FIRMWARE_NOT_FOUND);
    assert_int_equal(efi_file_remove(&efi.firmware, "\\runs\\a.txt"), FIRMWARE_NOT_FOUND);
    assert_int_equal(save(), FIRMWARE_OK);
    assert_int_equal(efi_file_append(&efi.firmware, "\\runs\\a.txt", " more", 5), FIRMWARE_OK);
    assert_text("\\runs\\a.txt", "text more");
    fake_volume.refuse_call = fake_volume.calls + 3; /* opens, goes to the end, writes */
    fake_volume.refuse_with = EFI_VOLUME_FULL;
    assert_int_equal(efi_file_append(&efi.firmware, "\\runs\\a.txt", "x", 1), FIRMWARE_FULL);
    assert_text("\\runs\\a.txt", "text more");
    for (unsigned call = 1; call <= 4; call++) { /* and flushes */
        fake_volume.refuse_call = fake_volume.calls + call;
        fake_volume.refuse_with = EFI_ACCESS_DENIED;
        assert_int_equal(efi_file_append(&efi.firmware, "\\runs\\a.txt", "x", 1), FIRMWARE_READ_ONLY);
        assert_int_equal(fake_volume.calls, fake_volume.refuse_call);
    }
    assert_text("\\runs\\a.txt", "text morex");
    assert_int_equal(efi_file_remove(&efi.firmware, "\\runs\\a.txt"), FIRMWARE_OK);
    assert_null(fake_volume_find("\\runs\\a.txt"));
}

static unsigned pools; /* taken */
static EFI_ALLOCATE_POOL take;

static EFI_STATUS EFIAPI counted_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **ret_memory)
{
    pools++;
    return take(type, size, ret_memory);
}

/* Names may be as long as the volume's driver accepts, and not longer. */
TEST_WITH(long_names, setup, teardown)
{
    struct firmware_file *open = NULL;
    char path[EFI_PATH_MAX + 10] = "\\runs\\";

    take = fake_system.boot.AllocatePool;
    fake_system.boot.AllocatePool = counted_pool;
    memset(path + 6, 'x', EFI_PATH_MAX - 6 - 4); /* there is no room for .new */
    assert_int_equal(efi_file_create(&efi.firmware, path, &open), FIRMWARE_FAILED);
    path[EFI_PATH_MAX - 5] = '\0';
    assert_int_equal(efi_file_create(&efi.firmware, path, &open), FIRMWARE_OK);
    assert_int_equal(efi_file_close(open, true), FIRMWARE_OK);
    assert_non_null(fake_volume_find(path));
    /* A path without room for its end is refused before memory for it is used. */
    for (unsigned more = 0; more < 4; more++) {
        memset(path, 0, sizeof(path));
        memset(path, 'x', EFI_PATH_MAX + more);
        pools = 0;
        assert_int_equal(efi_file_create(&efi.firmware, path, &open), FIRMWARE_FAILED);
        assert_int_equal(pools, 0);
    }
}

/* On a BIOS no clusters have to be proved, and a file that cannot get its name does not exist. */
TEST_WITH(over_a_bios, setup, teardown)
{
    efi.bios = true;
    fake_volume.free = 1;
    assert_int_equal(save(), FIRMWARE_OK);
    assert_text("\\runs\\a.txt", "text");
    assert_int_equal(efi_file_remove(&efi.firmware, "\\runs\\a.txt"), FIRMWARE_OK);
    fake_volume.calls = 0;
    fake_volume.refuse_call = CALL_RENAME - CALLS_OF_PROOF;
    fake_volume.refuse_with = EFI_WRITE_PROTECTED;
    assert_int_equal(save(), FIRMWARE_READ_ONLY);
    fake_volume.calls = 0;
    fake_volume.refuse_call = CALL_FLUSH + 1; /* the older .new is deleted first */
    assert_int_equal(save(), FIRMWARE_NOT_RENAMED);
}

RUN_TESTS(NULL, NULL)
