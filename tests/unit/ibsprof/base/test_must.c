/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory and texts without which the program ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/ibsprof/base/must.h"

static void memory(void **state)
{
    uint32_t *some = must_alloc(3, sizeof(*some));
    char *none = must_alloc(0, 1);

    assert_int_equal(some[0] | some[1] | some[2], 0);
    assert_int_equal(*none, 0);
    some[0] = 7;
    some[2] = 9;
    some = must_grow(some, 1000, sizeof(*some));
    some[999] = 1;
    assert_int_equal(some[0] + some[2], 16);
    some = must_grow(some, 0, sizeof(*some));
    assert_int_equal(some[0], 7);
    free(some);
    free(none);
}

static void texts(void **state)
{
    char *text = must_text("%0500d of %s", 7, "x");

    assert_int_equal(strlen(text), 505);
    assert_string_equal(text + 498, "07 of x");
    free(text);
    text = must_copy("abc");
    assert_string_equal(text, "abc");
    free(text);
    text = must_text("%s", "");
    assert_string_equal(text, "");
    free(text);
}

/* Without memory the program ends with status 1 and a message. */
static void no_memory(void **state)
{
    char line[100] = "";
    int ends[2], status;
    pid_t child;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        must_have(NULL);
        _exit(0);
    }
    close(ends[1]);
    assert_true(read(ends[0], line, sizeof(line) - 1) > 0);
    close(ends[0]);
    waitpid(child, &status, 0);
    assert_string_equal(line, "ibsprof: out of memory\n");
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory), cmocka_unit_test(texts), cmocka_unit_test(no_memory)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
