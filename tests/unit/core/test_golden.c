/* SPDX-License-Identifier: BSD-2-Clause */
/* check_golden() itself: REBASE=1 writes what differs, and is never a success then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/core/check.h"

/* Seen from the folder of the golden files. */
#define NAME "../../../../build/golden-of-the-test.txt"
#define PATH "build/golden-of-the-test.txt"

/* How a test program ends that compares this text with REBASE=1. */
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

static void rebase_is_no_success_unless_nothing_changed(void **state)
{
    static const char *const texts[] = {"one\n", "two\n", "tw"};

    unsetenv("REBASE");
    remove(PATH);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_not_equal(status_with_rebase(texts[i]), 0);
        check_golden(NAME, texts[i]); /* it was written */
        assert_int_equal(status_with_rebase(texts[i]), 0);
    }
    remove(PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rebase_is_no_success_unless_nothing_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
