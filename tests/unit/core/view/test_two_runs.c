/* SPDX-License-Identifier: BSD-2-Clause */
/* Two runs compared: the verdicts, and how often equal runs are called different. */
#include <string.h>

#include "core/base/rng.h"
#include "core/view/two_runs.h"
#include "tests/unit/core/check.h"

static struct figures a, b;
static struct two_runs two;

static int setup(void **state)
{
    (void)state;
    a = (struct figures){.workload = "some-work", .unit = "passes", .config = "ibs", .settings = "", .good = true};
    strcpy(a.what, "IBS ops");
    a.map = &small_map;
    b = a;
    return 0;
}

static void fill(struct figures *figures, const unsigned *samples, unsigned count)
{
    for (uint32_t i = 0; i < count; i++) {
        figures_add(figures, i, 0x1000 + 4 * i, samples[i]);
        figures->samples += samples[i];
    }
}

/* Compares the verdict of each share with its difference in standard errors; rare ones are last. */
TEST_WITH(verdicts, setup, NULL)
{
    static const unsigned of_a[] = {50000, 20000, 5000, 300, 3, 2, 24695};
    static const unsigned of_b[] = {50100, 16000, 5500, 330, 1, 3, 28066};
    static const struct {
        uint32_t insn, a, b;
        enum two_runs_verdict verdict;
    } rows[] = {{0, 500000, 501000, TWO_RUNS_EQUIVALENT}, {6, 246950, 280660, TWO_RUNS_DIFFERENT},
                {1, 200000, 160000, TWO_RUNS_DIFFERENT},  {2, 50000, 55000, TWO_RUNS_DIFFERENT},
                {3, 3000, 3300, TWO_RUNS_EQUIVALENT},     {0, 50, 40, TWO_RUNS_EQUIVALENT}};

    fill(&a, of_a, 7);
    fill(&b, of_b, 7);
    assert_true(two_runs_shares(&a, &b));
    two_runs_judge(&two, &a, &b);
    assert_int_equal(two.count, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(two.share[i].insn, rows[i].insn);
        assert_int_equal(two.share[i].ppm[0], rows[i].a);
        assert_int_equal(two.share[i].ppm[1], rows[i].b);
        assert_int_equal(two.share[i].verdict, rows[i].verdict);
        assert_int_equal(two.share[i].rare, i == 5 ? 2 : 0);
    }
    /* sqrt(0.18 * 0.82 * 2 / 100000) */
    assert_int_equal(two.share[2].error_ppm, 1718);
    /* 1.96 sqrt((0.2 * 0.8 + 0.16 * 0.84) / 100000) */
    assert_int_equal(two.share[2].interval_ppm, 3361);
    assert_int_equal(two.verdict, TWO_RUNS_DIFFERENT);
    assert_int_equal(two.of[TWO_RUNS_DIFFERENT], 3);
}

static enum two_runs_verdict verdict_of(unsigned x, unsigned y, unsigned n)
{
    (void)setup(NULL);
    fill(&a, (unsigned[]){x, n - x}, 2);
    fill(&b, (unsigned[]){y, n - y}, 2);
    two_runs_judge(&two, &a, &b);
    return two.verdict;
}

/* Many rare instructions are enough together; the only instruction of both runs is not rare. */
TEST_WITH(rare_together, setup, NULL)
{
    fill(&a, (const unsigned[]){990, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, 11);
    fill(&b, (const unsigned[]){1030}, 1);
    two_runs_judge(&two, &a, &b);
    assert_int_equal(two.count, 2);
    assert_int_equal(two.share[1].rare, 10);
    assert_int_equal(two.share[1].verdict, TWO_RUNS_DIFFERENT);
    assert_int_equal(two.judged, 2);
    (void)setup(NULL);
    fill(&a, (const unsigned[]){100000}, 1);
    fill(&b, (const unsigned[]){100001}, 1);
    two_runs_judge(&two, &a, &b);
    assert_int_equal(two.share[0].rare, 0);
    assert_int_equal(two.verdict, TWO_RUNS_EQUIVALENT);
}

/* The limit of two shares is 2.24 standard errors, of 0.7 points here. */
TEST(limits)
{
    assert_int_equal(verdict_of(5000, 5157, 10000), TWO_RUNS_INCONCLUSIVE);
    assert_int_equal(verdict_of(5000, 5161, 10000), TWO_RUNS_DIFFERENT);
    assert_int_equal(verdict_of(500000, 504000, 1000000), TWO_RUNS_BOTH);
    assert_int_equal(verdict_of(500000, 501000, 1000000), TWO_RUNS_EQUIVALENT);
    assert_int_equal(verdict_of(5000, 5000, 10000), TWO_RUNS_INCONCLUSIVE); /* copies */
    assert_true(two.copies);
    assert_int_equal(verdict_of(2, 0, 5), TWO_RUNS_INCONCLUSIVE); /* too few for any verdict */
    assert_int_equal(two.judged, 0);
    assert_int_equal(verdict_of(0, 10000, 10000), TWO_RUNS_DIFFERENT);
    assert_int_equal(two.share[0].rare + two.share[1].rare,
                     0); /* each run has one instruction that the other does not have */
}

/* An instruction that one run did not keep has no verdict; if that run left nothing out, the instruction has no samples
 * there. */
TEST_WITH(not_kept, setup, NULL)
{
    fill(&a, (const unsigned[]){500, 300, 200}, 3);
    fill(&b, (const unsigned[]){700, 300}, 2);
    two_runs_judge(&two, &a, &b);
    assert_int_equal(two.share[2].verdict, TWO_RUNS_DIFFERENT);
    b.left = 9;
    two_runs_judge(&two, &a, &b);
    assert_int_equal(two.share[2].insn, 2);
    assert_int_equal(two.share[2].verdict, TWO_RUNS_NOT_KEPT);
    assert_false(two.share[2].kept[1]);
}

TEST_WITH(refused, setup, NULL)
{
    fill(&a, (const unsigned[]){500}, 1);
    b = a;
    assert_true(two_runs_shares(&a, &b));
    b.outside = 500;
    assert_false(two_runs_shares(&a, &b));
    b.outside = 0;
    strcpy(b.what, "timer");
    assert_false(two_runs_shares(&a, &b));
    b = a;
    b.workload = "other";
    assert_false(two_runs_shares(&a, &b));
    b = a;
    a.what[0] = b.what[0] = '\0';
    assert_false(two_runs_shares(&a, &b));
}

static void draw(struct figures *figures, struct rng *rng, unsigned samples)
{
    unsigned x[20] = {0};

    for (unsigned i = 0; i < samples; i++) { /* shares from 1 to 20 of 210 */
        unsigned at = rng_below(rng, 210), row = 0;

        for (; at > row; row++)
            at -= row + 1;
        x[row]++;
    }
    fill(figures, x, 20);
}

/* Equal runs are called different in at most 5 of 100 cases, apart from chance; runs of unlike length, too. */
TEST(equal_runs)
{
    struct rng rng = {7};
    unsigned different[2] = {0};

    for (unsigned i = 0; i < 800; i++) {
        (void)setup(NULL);
        draw(&a, &rng, 2000);
        draw(&b, &rng, i % 2 ? 2000 : 400);
        two_runs_judge(&two, &a, &b);
        different[i % 2] += two.verdict == TWO_RUNS_DIFFERENT || two.verdict == TWO_RUNS_BOTH;
    }
    assert_in_range(different[0], 1, 33);
    assert_in_range(different[1], 1, 33);
}

RUN_TESTS(NULL, NULL)
