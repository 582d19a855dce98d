/* SPDX-License-Identifier: BSD-2-Clause */
/* Costs of events, which an exploration measures with workloads of its own before the user's. */
#include <string.h>

#include "tests/unit/app/fixture.h"

#define RUN  "menu=no n=50 config=explore"
#define FILE "\\ibsboot\\runs\\0001-matmul-classic-explore\\run.ini"

enum { COSTS = 13 }; /* sessions: two for each of six loops, one for the loop that begins cold */

/* Sets counts of a processor whose events agree. */
static void set_counts(void)
{
    static const struct fake_count counts[] = {
        {0x076, 1000000, 0, 0}, {0x0C0, 1200000, 0, 0}, {0x0C1, 1500000, 0, 0}, {0x0C1, 800000, 0, 1},
        {0x0C1, 500000, 0, 2},  {0x0C1, 200000, 0, 3},  {0x0C2, 200000, 0, 0},  {0x0D0, 100000, 0, 0},
        {0x0D1, 300000, 0, 0},  {0x0D5, 100000, 0, 0},  {0x0D8, 250000, 0, 0},  {0x040, 600000, 0, 0},
        {0x041, 20000, 0, 0},   {0x042, 20000, 0, 0},   {0x043, 10000, 0, 0},
    };

    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.otherwise = 1000;
}

/* The shorter time of each loop counts; most costs are the difference between two loops. */
APP_TEST(costs_of_events_are_measured_before)
{
    static const uint64_t totals[COSTS] = {
        8192 * 20,         8192 * 16,                       /* hops in the L2, */
        4096 * 150 + 1000,                                  /* in memory, cold; then in few pages, */
        4096 * 3,          4096 * 9,  16384 * 7, 16384 * 8, /* in more pages, and in more than the TLBs hold */
        6400 * 24,         6400 * 23, 2000 * 9,  2000 * 11, 6900, 6800,
    };

    set_counts();
    memcpy(fake_session.first_totals, totals, sizeof(totals));
    assert_int_equal(start(RUN), 0);
    assert_says("mispredict (12); measured before the run: L2 hit (16), memory access (150), L2 TLB hit (4), page walk "
                "(20), forwarding (6); data");
    assert_non_null(strstr(file_text(FILE),
                           "#: cost.l2 = 16\n#: cost.memory = 150\n#: cost.tlb_l2 = 4\n#: cost.walk = 20\n"
                           "#: cost.forward = 6\n"));
}

/* Impossible costs are rejected: the constants stay, and no cost is called measured. */
APP_TEST(costs_that_cannot_be)
{
    set_counts();
    for (unsigned i = 0; i < COSTS; i++)
        fake_session.first_totals[i] = 6400 * 10;
    fake_session.first_totals[7] = fake_session.first_totals[8] = 6400 * 3; /* walks faster than hits */
    assert_int_equal(start(RUN), 0);
    assert_shown("est.: by the cycles of one mispredict (12), L2 hit (8), memory access (16), L2\n"
                 "TLB hit (3), page walk (30), forwarding (7); data");
    assert_null(strstr(file_text(FILE), "cost.walk"));
}

/* A loop's clocks are divided by how often the loop does its work, and rounded: each row has the largest number of
 * clocks with which the cost is as stated. The loops of other rows take whole cycles. */
APP_TEST(work_of_each_loop)
{
    static const struct {
        unsigned first, sessions; /* index and number of the loop's sessions */
        uint64_t most;            /* clocks */
        const char *fact;
        int cost, next; /* the cost, and the cost with one clock more */
    } rows[] = {
        {0, 2, 8192 * 16 + 8192 / 2 - 1, "cost.l2", 16, 17},
        {2, 1, 4096 * 150 + 4096 / 2 - 1, "cost.memory", 150, 151},
        {3, 2, 4096 * 3 + 4096 / 2 + 4, "cost.tlb_l2", 4, 3}, /* 3.5009 cycles fewer than the other loop */
        {5, 2, 16384 * 7 + 16384 / 2 - 1, "cost.tlb_l2", 4, 5},
        {7, 2, 6400 * 23 + 6400 / 2 - 1, "cost.walk", 20, 21},
        {9, 2, 2000 * 9 + 2000 / 2 - 1, "cost.forward", 6, 7},
        {11, 2, 2000 * 3 + 2000 / 2 + 1, "cost.forward", 6, 5},
    };
    static const uint64_t totals[COSTS] = {8192 * 16, 8192 * 16, 4096 * 150, 4096 * 3, 4096 * 3, 16384 * 7, 16384 * 7,
                                           6400 * 23, 6400 * 23, 2000 * 9,   2000 * 9, 2000 * 3, 2000 * 3};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned more = 0; more < 2; more++) {
            fixture_teardown(NULL);
            fixture_setup(NULL);
            set_counts();
            memcpy(fake_session.first_totals, totals, sizeof(totals));
            for (unsigned s = 0; s < rows[i].sessions; s++)
                fake_session.first_totals[rows[i].first + s] = rows[i].most + more;
            assert_int_equal(start(RUN), 0);
            if (fact("0001-matmul-classic-explore", rows[i].fact) != (more ? rows[i].next : rows[i].cost))
                fail_msg("row %u, %u: %lld", i, more, fact("0001-matmul-classic-explore", rows[i].fact));
        }
}

RUN_TESTS(fixture_load, NULL)
