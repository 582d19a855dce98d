# SPDX-License-Identifier: BSD-2-Clause
"""A small made-up tree for test_mutate.py: a room with two source files, a test of them, and a Makefile."""
import os

MAKEFILE = """\
unit-core: build/unit/core/test_made
build/unit/%.o: %.c
\tcc -std=gnu11 -Werror -I. -Dmain=run_$(*F) -c $< -o $@
build/unit/core/test_made: build/unit/tests/unit/core/sum/test_made.o build/unit/core/made.o build/unit/core/sum.o
\tcc $^ -o $@ -lcmocka
"""

MADE_H = """\
int made_sum(const int *from, int count);
int made_clamp(int value);
int made_twice(int value);
int made_never(int value);
int made_child(int value);
"""

# What test_mutate.py looks for is named by the text of these lines. In this file no defect is a hang, each of which takes seconds.
SUM_C = """\
#include "core/made.h"

/* if (value == 3) value = 4; */
int made_sum(const int *from, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += from[i];
    return sum;
}

int made_clamp(int value)
{
    if (value > 9)
        return 9;
    return value;
}
"""

MADE_C = """\
#include "core/made.h"

int made_twice(int value)
{
    unsigned steps = 0;
    for (unsigned long i = 0; i != 2; i++)
        steps += value;
    return steps + 0 * 7;
}

int made_never(int value)
{
    return value + 5;
}

int made_child(int value)
{
    return value + 6;
}
"""

# Of clamp only what is far from its limit; of never nothing.
TEST_C = """\
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/made.h"

static void test_made(void **state)
{
    /* On the heap, from zeroes: what lies after the numbers is 0 without ASan. */
    int *three = calloc(1, 3 * sizeof(int));
    three[0] = 1, three[1] = 2, three[2] = 4;
    assert_int_equal(made_sum(three, 3), 7);
    free(three);
    assert_int_equal(made_clamp(50), 9);
    assert_int_equal(made_clamp(1), 1);
    assert_int_equal(made_twice(21), 42);
    int status;
    if (fork() == 0)
        _exit(made_child(1));
    wait(&status);
    assert_int_equal(WEXITSTATUS(status), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_made)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def make(folder):
    write(folder, "Makefile", MAKEFILE)
    write(folder, "core/made.h", MADE_H)
    write(folder, "core/made.c", MADE_C)
    write(folder, "core/sum.c", SUM_C)
    write(folder, "tests/unit/core/sum/test_made.c", TEST_C)
