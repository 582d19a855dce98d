/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch prediction: learning, forgetting, and the kinds of results. */
#include <string.h>

#include "tests/unit/test.h"
#include "core/base/rng.h"
#include "vpmu/model/pipeline/predict.h"

static struct predictor predictor;
static uint64_t wrong_path;

static int setup(void **state)
{
    memset(&predictor, 0, sizeof(predictor));
    return 0;
}

static enum branch_result go(uint8_t kind, uint64_t rip, uint64_t target, bool taken)
{
    struct branch branch = {.kind = kind, .rip = rip, .fall_through = rip + 2, .target = target, .taken = taken};

    if (!taken)
        branch.target = branch.fall_through;
    return predict(&predictor, &branch, &wrong_path);
}

TEST_WITH(test_loop_branch, setup, NULL)
{
    unsigned wrong = 0;

    /* In a loop of 1000 the exit is the only misprediction of each round, once the counters are warm. */
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < 1000; i++) {
            enum branch_result result = go(CODEMAP_BR_COND, 0x401020, 0x401000, i < 999);

            wrong += round >= 2 && result == BRANCH_WRONG;
        }
    }
    assert_in_range(wrong, 18, 18 + 18 * 2);
}

TEST_WITH(test_history_learns_a_pattern, setup, NULL)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < 2000; i++)
        wrong += go(CODEMAP_BR_COND, 0x401020, 0x401000, i % 3 == 0) == BRANCH_WRONG && i >= 1000;
    assert_int_equal(wrong, 0);
}

TEST_WITH(test_wrong_paths, setup, NULL)
{
    assert_int_equal(go(CODEMAP_BR_COND, 0x1000, 0x2000, true), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x1002);
    for (unsigned i = 0; i < 100; i++)
        go(CODEMAP_BR_COND, 0x1000, 0x2000, true);
    assert_int_equal(go(CODEMAP_BR_COND, 0x1000, 0x2000, true), BRANCH_RIGHT);
    assert_int_equal(go(CODEMAP_BR_COND, 0x1000, 0x2000, false), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x2000);
}

TEST_WITH(test_direct_jump_is_late_once, setup, NULL)
{
    assert_int_equal(go(CODEMAP_BR_JUMP, 0x1000, 0x2000, true), BRANCH_LATE);
    assert_int_equal(go(CODEMAP_BR_JUMP, 0x1000, 0x2000, true), BRANCH_RIGHT);
}

/* Returns how many of 'count' jumps in sequence are late in a second round. */
static unsigned late_jumps(unsigned count)
{
    unsigned late = 0;

    for (unsigned i = 0; i < 2 * count; i++)
        late += go(CODEMAP_BR_JUMP, 0x400000 + i % count, 0x9000, true) == BRANCH_LATE;
    return late - count;
}

TEST_WITH(test_btb_holds_2048, setup, NULL)
{
    assert_int_equal(late_jumps(2048), 0);
    setup(state);
    assert_int_equal(late_jumps(4096), 4096); /* all sets of 4 overflow, oldest first */
}

TEST_WITH(test_indirect, setup, NULL)
{
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x2000, true), BRANCH_WRONG);
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x2000, true), BRANCH_RIGHT);
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x3000, true), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x2000);
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x3000, true), BRANCH_RIGHT); /* the last target counts */
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x2000, true), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x3000);
}

/* Returns how many returns are wrong after calls nested to the given depth. */
static unsigned wrong_returns(unsigned depth)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < depth; i++)
        go(CODEMAP_BR_CALL, 0x1000 + i * 16, 0x1010 + i * 16, true);
    for (unsigned i = depth; i-- > 0;)
        wrong += go(CODEMAP_BR_RETURN, 0x8000, 0x1002 + i * 16, true) == BRANCH_WRONG;
    return wrong;
}

TEST_WITH(test_return_stack_holds_24, setup, NULL)
{
    assert_int_equal(wrong_returns(24), 0);
    assert_int_equal(wrong_returns(25), 1);
    assert_int_equal(predictor.stack_hits, 24 + 24);
    assert_int_equal(predictor.stack_overflows, 0 + 1);
    assert_int_equal(wrong_returns(40), 16);
    assert_int_equal(predictor.stack_hits, 3 * 24); /* the other returns found an empty stack */
    assert_int_equal(predictor.stack_overflows, 1 + 16);
}

TEST_WITH(test_return_elsewhere, setup, NULL)
{
    go(CODEMAP_BR_CALL, 0x1000, 0x2000, true);
    assert_int_equal(go(CODEMAP_BR_RETURN, 0x2010, 0x7777, true), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x1002);
}

/* ---------------------------------------------------------------- against a naive one */

/* The predictor as docs/model.md describes it, in the simplest way: sets are searched for the entry that was taken
 * longest ago, history and return stack are shifted in arrays. */
enum { COUNTERS = 16384, HISTORY = 12, SETS = 512, WAYS = 4, TARGETS = 512, CALLS = 24 };

static struct {
    int counter[COUNTERS];
    unsigned past[HISTORY]; /* the latest branch comes first */
    struct {
        uint64_t branch, target, when;
    } btb[SETS][WAYS];
    uint64_t target[TARGETS], calls[CALLS], now;
    unsigned nested, hits, overflows;
} naive;

static unsigned past_as_number(void)
{
    unsigned number = 0;

    for (unsigned i = 0; i < HISTORY; i++)
        number += naive.past[i] * (1u << i);
    return number;
}

static uint64_t *naive_target(uint64_t rip)
{
    for (unsigned way = 0; way < WAYS; way++)
        if (naive.btb[(rip ^ rip / SETS) % SETS][way].branch == rip)
            return &naive.btb[(rip ^ rip / SETS) % SETS][way].target;
    return NULL;
}

static void naive_learn(const struct branch *branch)
{
    unsigned set = (unsigned)((branch->rip ^ branch->rip / SETS) % SETS), oldest = 0;

    for (unsigned way = 0; way < WAYS; way++) {
        if (naive.btb[set][way].branch == branch->rip) {
            oldest = way;
            break;
        }
        if (naive.btb[set][way].when < naive.btb[set][oldest].when)
            oldest = way;
    }
    naive.btb[set][oldest].branch = branch->rip;
    naive.btb[set][oldest].target = branch->target;
    naive.btb[set][oldest].when = ++naive.now;
}

static enum branch_result naive_conditional(const struct branch *branch, uint64_t *path)
{
    int *counter = &naive.counter[(branch->rip ^ branch->rip / COUNTERS ^ past_as_number() * 4) % COUNTERS];
    uint64_t *known = naive_target(branch->rip), to = known && *counter > 1 ? *known : branch->fall_through;
    bool guess = known && *counter > 1;

    *counter += branch->taken ? *counter < 3 : -(*counter > 0);
    if (branch->taken)
        naive_learn(branch);
    for (unsigned i = HISTORY - 1; i > 0; i--)
        naive.past[i] = naive.past[i - 1];
    naive.past[0] = branch->taken;
    if (guess == branch->taken)
        return BRANCH_RIGHT;
    *path = to;
    return BRANCH_WRONG;
}

static enum branch_result naive_indirect(const struct branch *branch, uint64_t *path)
{
    uint64_t *target = &naive.target[(branch->rip ^ branch->rip / TARGETS ^ past_as_number()) % TARGETS];
    uint64_t guess = *target;

    *target = branch->target;
    if (guess == branch->target)
        return BRANCH_RIGHT;
    *path = guess ? guess : branch->fall_through;
    return BRANCH_WRONG;
}

static void naive_call(const struct branch *branch)
{
    if (naive.nested == CALLS) {
        for (unsigned i = 1; i < CALLS; i++)
            naive.calls[i - 1] = naive.calls[i];
        naive.overflows++;
        naive.nested--;
    }
    naive.calls[naive.nested++] = branch->fall_through;
}

static enum branch_result naive_return(const struct branch *branch, uint64_t *path)
{
    uint64_t guess = branch->fall_through;

    if (naive.nested > 0) {
        guess = naive.calls[--naive.nested];
        naive.hits++;
    }
    if (guess == branch->target)
        return BRANCH_RIGHT;
    *path = guess;
    return BRANCH_WRONG;
}

static enum branch_result naive_predict(const struct branch *branch, uint64_t *path)
{
    enum branch_result result = BRANCH_RIGHT;
    uint8_t kind = branch->kind;

    if (kind == CODEMAP_BR_COND)
        return naive_conditional(branch, path);
    if (kind == CODEMAP_BR_RETURN)
        return naive_return(branch, path);
    if (kind == CODEMAP_BR_JUMP || kind == CODEMAP_BR_CALL) {
        result = naive_target(branch->rip) ? BRANCH_RIGHT : BRANCH_LATE;
        naive_learn(branch);
    } else if (kind == CODEMAP_BR_JUMP_INDIRECT || kind == CODEMAP_BR_CALL_INDIRECT) {
        result = naive_indirect(branch, path);
    }
    if (kind == CODEMAP_BR_CALL || kind == CODEMAP_BR_CALL_INDIRECT)
        naive_call(branch);
    return result;
}

/* Returns a branch of a program that has few branches, near one another and far away; its kind and outcome are
 * random. */
static struct branch random_branch(struct rng *rng)
{
    uint64_t number = rng_below(rng, 300), far = rng_below(rng, 4), times = rng_below(rng, 3);
    struct branch branch = {.rip = 0x400000 + (number << far * 5) + far * 0x1234567,
                            .kind = (uint8_t)(CODEMAP_BR_NONE + rng_below(rng, CODEMAP_BR_RETURN + 1))};

    branch.fall_through = branch.rip + 2 + number % 5;
    branch.taken = branch.kind != CODEMAP_BR_COND || rng_below(rng, 8) < number % 9;
    branch.target = branch.rip + (times + 1) * 0x100;
    if (branch.kind == CODEMAP_BR_RETURN && naive.nested > 0 && times)
        branch.target = naive.calls[naive.nested - 1];
    if (!branch.taken)
        branch.target = branch.fall_through;
    return branch;
}

TEST_WITH(test_against_a_naive_one, setup, NULL)
{
    unsigned results[BRANCH_WRONG + 1] = {0}, deepest = 0;
    struct rng rng;

    rng_seed(&rng, 23);
    memset(&naive, 0, sizeof(naive));
    for (unsigned i = 0; i < 200000; i++) {
        struct branch branch = random_branch(&rng);
        uint64_t path = 0, expected_path = 0;
        enum branch_result result, expected;

        if (branch.kind == CODEMAP_BR_RETURN && i / 100 % 2) /* down into calls, and back again */
            continue;
        expected = naive_predict(&branch, &expected_path);
        result = predict(&predictor, &branch, &path);
        if (result != expected || path != expected_path)
            fail_msg("branch %u of kind %u: %d to %llx, not %d to %llx", i, branch.kind, (int)result,
                     (unsigned long long)path, (int)expected, (unsigned long long)expected_path);
        results[result]++;
        deepest = naive.nested > deepest ? naive.nested : deepest;
    }
    for (unsigned i = 0; i <= BRANCH_WRONG; i++)
        assert_true(results[i] > 1000);
    assert_int_equal(deepest, CALLS);
    assert_int_equal(predictor.stack_hits, naive.hits);
    assert_int_equal(predictor.stack_overflows, naive.overflows);
    assert_true(naive.overflows > 100);
}

RUN_TESTS(NULL, NULL)
