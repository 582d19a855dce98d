/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of pieces of a file have the file's bytes, stay while they are held, and end when they are useless. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/base/windows.h"

enum { FILE_SIZE = 1000, SIZE = 100 };

static uint8_t bytes[FILE_SIZE];
static int file = -1;

static int begin(void **state)
{
    for (int i = 0; i < FILE_SIZE; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    file = open(files_write("windows", bytes, sizeof(bytes)), O_RDONLY | O_CLOEXEC);
    return file < 0;
}

static int end(void **state)
{
    close(file);
    return files_end(state);
}

static void test_bytes(void **state)
{
    struct windows *windows = windows_new(file, 2, SIZE);
    const uint8_t *copy = windows_read(windows, 950, FILE_SIZE), *part;

    assert_memory_equal(copy, bytes + 950, 50);
    part = windows_hold(windows, 960, FILE_SIZE);
    assert_ptr_equal(part, copy + 10);
    assert_null(windows_hold(windows, 949, 960));
    assert_null(windows_hold(windows, 960, FILE_SIZE + 1));
    copy = windows_read(windows, 30, FILE_SIZE);
    assert_memory_equal(copy, bytes + 30, SIZE);
    assert_non_null(windows_hold(windows, 30, 30 + SIZE));
    assert_null(windows_hold(windows, 30, 31 + SIZE));
    assert_memory_equal(part, bytes + 960, 40);
    windows_free(windows);
}

/* A held copy is not overwritten, however often it is held; the copy released last is overwritten first. */
static void test_held(void **state)
{
    struct windows *windows = windows_new(file, 3, SIZE);
    const uint8_t *first = windows_read(windows, 0, FILE_SIZE), *second = windows_read(windows, 100, FILE_SIZE);

    assert_ptr_equal(windows_hold(windows, 0, 50), first);
    assert_ptr_equal(windows_hold(windows, 50, 100), first + 50);
    assert_ptr_equal(windows_hold(windows, 100, 200), second);
    windows_let(windows, NULL);
    windows_let(windows, first + 50);
    assert_ptr_not_equal(windows_read(windows, 200, FILE_SIZE), first); /* the third window */
    windows_let(windows, second);
    assert_ptr_equal(windows_read(windows, 300, FILE_SIZE), second);
    assert_non_null(windows_hold(windows, 200, 300));
    assert_non_null(windows_hold(windows, 300, 400));
    assert_null(windows_read(windows, 400, FILE_SIZE));
    windows_let(windows, first);
    assert_ptr_equal(windows_read(windows, 400, FILE_SIZE), first);
    assert_memory_equal(first, bytes + 400, SIZE);
    assert_null(windows_hold(windows, 0, 50));
    windows_free(windows);
}

/* The earliest copy that was never held is overwritten first. After eight such copies no more are made, unless others
 * are held. */
static void test_unused(void **state)
{
    struct windows *windows = windows_new(file, 2, SIZE);
    const uint8_t *late = windows_read(windows, 500, FILE_SIZE), *early = windows_read(windows, 0, FILE_SIZE);

    for (int i = 1; i <= 8; i++)
        assert_ptr_equal(windows_read(windows, (uint64_t)i, FILE_SIZE), early);
    assert_null(windows_read(windows, 0, FILE_SIZE));
    assert_ptr_equal(windows_hold(windows, 500, 600), late);
    assert_ptr_equal(windows_read(windows, 0, FILE_SIZE), early);
    assert_null(windows_read(windows, 0, FILE_SIZE));
    for (int i = 0; i < 3; i++)
        assert_non_null(windows_hold(windows, 500, 600));
    assert_null(windows_hold(windows, 600, 700));
    assert_null(windows_hold(windows, 700, 800)); /* bytes without a copy count as well */
    assert_ptr_equal(windows_read(windows, 0, FILE_SIZE), early);
    assert_null(windows_read(windows, 0, FILE_SIZE));
    windows_free(windows);
}

/* There is no copy without a file, or of a file that is shorter than announced. */
static void test_none(void **state)
{
    struct windows *windows = windows_new(-1, 2, SIZE);

    assert_null(windows_read(windows, 0, FILE_SIZE));
    assert_null(windows_hold(windows, 0, 1));
    windows_free(windows);
    windows = windows_new(file, 1, SIZE);
    assert_null(windows_read(windows, 950, FILE_SIZE + 1));
    assert_null(windows_hold(windows, 950, 951));
    assert_non_null(windows_read(windows, 950, FILE_SIZE));
    windows_free(windows);
    windows_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_unused),
        cmocka_unit_test(test_none),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
