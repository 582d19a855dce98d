/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs of a plan, by its blocks (core/run/plan.h). Drifts during a plan, such as temperature, affect both sides of a
 * block alike, so the differences within blocks are tested: Student's t of one sample.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "core/run/facts.h"
#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/read/run_ini.h"

enum { BLOCKS_LEAST = 3 };

/* Logarithms of the cycles of a side's runs in a block. */
struct block {
    double sum;
    uint32_t runs;
};

static const struct input_facts *facts_of(const struct comparison *c, uint32_t side, uint32_t run)
{
    return c->runs[side][run].profile->facts;
}

/* Returns the plan of all runs; NULL: there is no common one. */
static const char *plan_of(const struct comparison *c)
{
    const char *plan = run_fact(facts_of(c, SIDE_A, 0), FACT_PLAN);

    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++) {
            const char *other = run_fact(facts_of(c, side, run), FACT_PLAN);

            if (!plan || !other || strcmp(plan, other) != 0)
                return NULL;
        }
    return plan;
}

/* Sums a side's runs of the block with known cycles. */
static struct block block_of(const struct comparison *c, uint32_t side, uint64_t number)
{
    struct block block = {0};

    for (uint32_t run = 0; run < c->run_count[side]; run++) {
        const struct input_facts *facts = facts_of(c, side, run);
        uint64_t cycles = run_number(facts, FACT_SAMPLING_UNDISTURBED, "cycles");

        if (run_number(facts, FACT_PLAN_BLOCK) != number || cycles == 0)
            continue;
        block.sum += log((double)cycles);
        block.runs++;
    }
    return block;
}

/* Returns the highest number of a block. */
static uint64_t last_block(const struct comparison *c)
{
    uint64_t last = 0;

    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++) {
            uint64_t number = run_number(facts_of(c, side, run), FACT_PLAN_BLOCK);

            last = number > last ? number : last;
        }
    return last;
}

void compare_plan(struct comparison *c)
{
    const char *plan = plan_of(c);
    double sum = 0, squares = 0, mean, half;
    uint32_t blocks = 0, alone = 0;

    if (!plan)
        return;
    for (uint64_t number = last_block(c); number > 0; number--) {
        struct block a = block_of(c, SIDE_A, number), b = block_of(c, SIDE_B, number);
        double difference;

        alone += (a.runs == 0) != (b.runs == 0);
        if (a.runs == 0 || b.runs == 0)
            continue;
        difference = b.sum / b.runs - a.sum / a.runs;
        sum += difference;
        squares += difference * difference;
        blocks++;
    }
    if (alone > 0)
        compare_note(c, true, "%u blocks of the plan %s have runs only on one side; they are not compared by blocks",
                     alone, plan);
    if (blocks < BLOCKS_LEAST)
        return;
    mean = sum / blocks;
    half = sqrt(fmax(0, squares - sum * mean) / (blocks - 1) / blocks) *
           gsl_cdf_tdist_Qinv((1 - c->options->level) / 2, blocks - 1);
    compare_note(c, false,
                 "by the %u blocks of the plan %s, B's cycles without sampling are %.2f %% of A's (%.0f %% interval "
                 "%.2f to %.2f)",
                 blocks, plan, 100 * exp(mean), 100 * c->options->level, 100 * exp(mean - half),
                 100 * exp(mean + half));
}
