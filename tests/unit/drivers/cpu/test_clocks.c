/* SPDX-License-Identifier: BSD-2-Clause */
/* Two cores' clocks are compared: the other core answers in the first core's pauses. */
#include <string.h>

#include "drivers/cpu/clocks.h"
#include "tests/unit/drivers/fake_cpu.h"

enum { TICKS = 1000 /* by which the fake's TSC advances at each reading */ };

static struct clocks clocks;
static int64_t ahead;
static unsigned slow, never_from;

static void reset(void)
{
    fake_reset(4);
    memset(&clocks, 0, sizeof(clocks));
    ahead = 0;
    slow = 0;
    never_from = UINT32_MAX;
}

/* Answers as the other core: its TSC is 'ahead', and the answer to each question except the third comes some pauses
 * later. */
static void answer(unsigned pauses)
{
    static unsigned waited;

    if (clocks.asked == clocks.answered || clocks.asked >= never_from)
        return;
    if (clocks.asked != 3 && waited++ < slow)
        return;
    waited = 0;
    clocks.stamp = fake.tsc + (uint64_t)ahead;
    clocks.answered = clocks.asked;
    (void)pauses;
}

TEST(the_shortest_exchange_counts)
{
    static const int64_t cases[] = {0, 5000000, -7000000};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        reset();
        fake.on_pause = answer;
        slow = 5;
        ahead = cases[i];
        clocks_ask(&clocks, 8, 1000 * TICKS);
        assert_true(clocks.known);
        assert_int_equal(clocks.asked, 8);
        assert_int_equal(clocks.width, 2 * TICKS); /* the reading for the limit, and the last one */
        assert_int_equal(clocks.ahead, cases[i]);
        assert_int_equal(clocks.ended, 1);
    }
}

TEST(an_answer_that_never_comes)
{
    reset();
    fake.on_pause = answer;
    never_from = 1;
    clocks_ask(&clocks, 8, 50 * TICKS);
    assert_false(clocks.known);
    assert_int_equal(clocks.asked, 1);
    assert_int_equal(clocks.ended, 1);
    reset();
    fake.on_pause = answer;
    never_from = 4; /* earlier answers count */
    clocks_ask(&clocks, 8, 50 * TICKS);
    assert_true(clocks.known);
    assert_int_equal(clocks.asked, 4);
}

/* Asks as the other side: two questions, and the end. */
static void question(unsigned pauses)
{
    if (pauses == 3 || pauses == 6)
        clocks.asked++;
    if (pauses == 9)
        clocks.ended = 1;
}

TEST(answers_are_the_own_clock)
{
    reset();
    fake.on_pause = question;
    clocks_answer(&clocks, 1000 * TICKS);
    assert_int_equal(clocks.answered, 2);
    assert_in_range(clocks.stamp, fake.tsc - 6 * TICKS, fake.tsc);
    assert_int_equal(fake.pauses, 9);
    reset();
    clocks_answer(&clocks, 10 * TICKS); /* no question comes */
    assert_int_equal(clocks.answered, 0);
    assert_in_range(fake.pauses, 8, 12);
}

RUN_TESTS(NULL, NULL)
