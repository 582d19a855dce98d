/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of AMD's paper (bench/paper/published.h) are those of its text copy, and agree with what its program
 * does. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/paper/published.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

enum { ITERATIONS = 1000 }; /* millions: 1000 x 1000 x 1000 */

/* The figures, written one after the other, are the digits of the copy; those of NONE are part of what is left over. */
static void expect_digits(const char *digits, const long *figures, unsigned count)
{
    char copy[80], text[80] = "";
    unsigned length = 0;

    for (; *digits; digits++)
        if (isdigit(*digits))
            copy[length++] = *digits;
    copy[length] = '\0';
    for (unsigned i = 0; i < count; i++)
        if (figures[i] != NONE)
            sprintf(text + strlen(text), "%ld", figures[i]);
    if (strstr(copy, text) == NULL)
        fail_msg("%s is not in the digits %s", text, copy);
}

static void test_figures_are_the_digits_of_the_copy(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ROWS(published_accesses); i++) {
        const struct published_access *row = &published_accesses[i];
        const long figures[] = {row->loads, row->stores, row->misses, row->walks};

        expect_digits(row->digits, figures, 4);
    }
    for (unsigned i = 0; i < ROWS(published_counters); i++) {
        const struct published_counter *row = &published_counters[i];
        const long figures[] = {row->instructions, row->accesses, row->misses, row->walks};

        expect_digits(row->digits, figures, 4);
    }
    for (unsigned i = 0; i < ROWS(published_fetches); i++) {
        const struct published_fetch *row = &published_fetches[i];
        const long figures[] = {row->all, row->killed, row->attempted};

        expect_digits(row->digits, figures, row->all == NONE ? 1 : 3);
    }
    for (unsigned i = 0; i < ROWS(published_ops); i++) {
        const struct published_op *row = &published_ops[i];
        const long figures[] = {row->all, row->branches, row->accesses};

        if (row->accesses != NONE && row->all != NONE && row->branches != NONE)
            expect_digits(row->digits, figures, 3);
    }
}

static void test_loads_and_stores_are_those_of_the_op_table(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ROWS(published_accesses); i++)
        for (unsigned n = 0; n < ROWS(published_ops); n++)
            if (published_ops[n].address == published_accesses[i].address)
                assert_int_equal(published_accesses[i].loads + published_accesses[i].stores, published_ops[n].accesses);
}

static void test_fetches_agree_with_each_other(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ROWS(published_fetches); i++) {
        const struct published_fetch *row = &published_fetches[i];

        assert_int_equal(row->attempted, row->completed + row->aborted);
        if (row->all != NONE)
            assert_int_equal(row->all, row->killed + row->attempted);
    }
}

/* Samples times the period, in events of an iteration, within a half percent: a third of it is four standard errors of
 * the smallest sum, if samples came by chance. */
static void expect_each_iteration(long samples, long events)
{
    long each = samples * (PUBLISHED_PERIOD / 1000) / ITERATIONS; /* thousandths of an event */

    assert_in_range(each, events * 995, events * 1005);
}

static void test_sums_are_those_of_the_program(void **state)
{
    long instructions = 0, accesses = 0, fetches = 0;

    (void)state;
    for (unsigned i = 0; i < ROWS(published_counters); i++) {
        instructions += published_counters[i].instructions;
        accesses += published_counters[i].accesses;
    }
    for (unsigned i = 0; i < ROWS(published_fetches); i++)
        fetches += published_fetches[i].all == NONE ? published_fetches[i].attempted : published_fetches[i].all;
    expect_each_iteration(instructions, 16);
    expect_each_iteration(accesses, 11);
    expect_each_iteration(fetches, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_are_the_digits_of_the_copy),
        cmocka_unit_test(test_loads_and_stores_are_those_of_the_op_table),
        cmocka_unit_test(test_fetches_agree_with_each_other),
        cmocka_unit_test(test_sums_are_those_of_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
