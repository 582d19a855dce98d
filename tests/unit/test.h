/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of a program, each listed by its definition:
 *
 *     TEST(what_it_shows)
 *     {
 *         assert_true(...);
 *     }
 *
 *     RUN_TESTS(NULL, NULL)
 */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The tests in the order of their definitions: __COUNTER__ has no other use in a program of tests. */
__attribute__((unused)) static struct CMUnitTest unit_tests[100];

/* Lists a function, with what is called before and after it. */
#define TEST_LISTED(name_, setup_, teardown_)                                                                          \
    __attribute__((constructor)) static void list_##name_(void)                                                        \
    {                                                                                                                  \
        unit_tests[__COUNTER__] = (struct CMUnitTest){#name_, name_, setup_, teardown_, NULL};                         \
    }

/* Begin the definition of a test. */
#define TEST_WITH(name_, setup_, teardown_)                                                                            \
    static void name_(void **state);                                                                                   \
    TEST_LISTED(name_, setup_, teardown_)                                                                              \
    static void name_(void **state)
#define TEST(name_) TEST_WITH(name_, NULL, NULL)

/* Ends a program: main() runs all tests, between these two functions of the group. */
#define RUN_TESTS(setup_, teardown_)                                                                                   \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        enum { LISTED = __COUNTER__ };                                                                                 \
        _Static_assert(LISTED <= sizeof(unit_tests) / sizeof(unit_tests[0]), "unit_tests is too short");               \
        return _cmocka_run_group_tests("tests", unit_tests, LISTED, setup_, teardown_);                                \
    }

#endif
