/* SPDX-License-Identifier: BSD-2-Clause */
/* The golden files' own rules: REBASE=1 writes files that differ, and the program then never succeeds; a changed row is
 * named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/golden_rows.h"

/* The name is relative to the folder of the golden files. */
#define NAME "../../../../build/golden-of-the-test.txt"
#define PATH "build/golden-of-the-test.txt"

/* Returns the exit status of a test program that compares this text with REBASE=1. */
static int status_with_rebase(const char *text)
{
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("REBASE", "1", 1);
        check_golden(NAME, text);
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(rebase_is_no_success_unless_nothing_changed)
{
    static const char *const texts[] = {"one\n", "two\n", "tw"};

    unsetenv("REBASE");
    remove(PATH);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_not_equal(status_with_rebase(texts[i]), 0);
        check_golden(NAME, texts[i]); /* the file was written */
        assert_int_equal(status_with_rebase(texts[i]), 0);
    }
    remove(PATH);
}

/* Adds one row in full and one as a checksum, in the order of a part. */
static void add_rows(struct golden_rows *rows, const char *part, const char *full, const char *summed)
{
    golden_rows_begin(rows, NAME);
    golden_rows_part(rows, part);
    golden_rows_add(rows, 0x00A, full, strlen(full), true);
    for (unsigned key = 0; key < 10; key++)
        golden_rows_add(rows, key, summed, strlen(summed), false);
    golden_rows_line(rows, "", 0);
}

TEST(a_changed_row_is_named)
{
    static const struct {
        const char *part, *full, *summed, *said;
    } rows[] = {
        {"part", "full\n", "sum\n", ""},
        {"part", "fill\n", "sum\n", "part, 00A is now:\nfill\n"},
        {"part", "full\n", "sun\n", "part, 000 is now:\nsun\npart, 001 is now:\nsun\n"},
        {"parts", "full\n", "sum\n", "parts, 000 is now:\nsum\nparts, 001 is now:\nsum\n"},
    };
    static struct golden_rows golden;

    remove(PATH);
    add_rows(&golden, rows[0].part, rows[0].full, rows[0].summed);
    assert_int_equal(strncmp(golden.text, "part\nfull\n  000:", 16), 0);
    assert_non_null(strstr(golden.text, "\n  008:"));
    assert_int_not_equal(status_with_rebase(golden.text), 0);
    free(golden.want);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        add_rows(&golden, rows[i].part, rows[i].full, rows[i].summed);
        if (strncmp(golden.said, rows[i].said, strlen(rows[i].said)) != 0 || !*golden.said != !*rows[i].said)
            fail_msg("row %zu: %s", i, golden.said);
        free(golden.want);
    }
    remove(PATH);
}

RUN_TESTS(NULL, NULL)
