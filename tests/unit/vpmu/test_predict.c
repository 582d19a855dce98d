/* Branch prediction: what is learned, what is forgotten, how the results are told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/vpmu/model/predict.h"

static struct predictor predictor;
static uint64_t wrong_path;

static int setup(void **state)
{
    (void)state;
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

static void test_loop_branch(void **state)
{
    unsigned wrong = 0;

    (void)state;
    /* A loop of 1000: the exit is the one surprise of each round, once the counters are warm. */
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < 1000; i++) {
            enum branch_result result = go(CODEMAP_BR_COND, 0x401020, 0x401000, i < 999);

            wrong += round >= 2 && result == BRANCH_WRONG;
        }
    }
    assert_in_range(wrong, 18, 18 + 18 * 2);
}

static void test_history_learns_a_pattern(void **state)
{
    unsigned wrong = 0;

    (void)state;
    for (unsigned i = 0; i < 2000; i++)
        wrong += go(CODEMAP_BR_COND, 0x401020, 0x401000, i % 3 == 0) == BRANCH_WRONG && i >= 1000;
    assert_int_equal(wrong, 0);
}

static void test_wrong_paths(void **state)
{
    (void)state;
    assert_int_equal(go(CODEMAP_BR_COND, 0x1000, 0x2000, true), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x1002);
    for (unsigned i = 0; i < 100; i++)
        go(CODEMAP_BR_COND, 0x1000, 0x2000, true);
    assert_int_equal(go(CODEMAP_BR_COND, 0x1000, 0x2000, true), BRANCH_RIGHT);
    assert_int_equal(go(CODEMAP_BR_COND, 0x1000, 0x2000, false), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x2000);
}

static void test_direct_jump_is_late_once(void **state)
{
    (void)state;
    assert_int_equal(go(CODEMAP_BR_JUMP, 0x1000, 0x2000, true), BRANCH_LATE);
    assert_int_equal(go(CODEMAP_BR_JUMP, 0x1000, 0x2000, true), BRANCH_RIGHT);
}

/* How many of 'count' jumps, one after the other, come late in a second round. */
static unsigned late_jumps(unsigned count)
{
    unsigned late = 0;

    for (unsigned i = 0; i < 2 * count; i++)
        late += go(CODEMAP_BR_JUMP, 0x400000 + i % count, 0x9000, true) == BRANCH_LATE;
    return late - count;
}

static void test_btb_holds_2048(void **state)
{
    (void)state;
    assert_int_equal(late_jumps(2048), 0);
    setup(state);
    assert_int_equal(late_jumps(4096), 4096); /* all sets of 4 overflow, oldest first */
}

static void test_indirect(void **state)
{
    (void)state;
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x2000, true), BRANCH_WRONG);
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x2000, true), BRANCH_RIGHT);
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x3000, true), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x2000);
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x3000, true), BRANCH_RIGHT); /* the last target counts */
    assert_int_equal(go(CODEMAP_BR_JUMP_INDIRECT, 0x1000, 0x2000, true), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x3000);
}

/* Calls nested to the given depth, then as many returns; how many of these are wrong. */
static unsigned wrong_returns(unsigned depth)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < depth; i++)
        go(CODEMAP_BR_CALL, 0x1000 + i * 16, 0x1010 + i * 16, true);
    for (unsigned i = depth; i-- > 0;)
        wrong += go(CODEMAP_BR_RETURN, 0x8000, 0x1002 + i * 16, true) == BRANCH_WRONG;
    return wrong;
}

static void test_return_stack_holds_24(void **state)
{
    (void)state;
    assert_int_equal(wrong_returns(24), 0);
    assert_int_equal(wrong_returns(25), 1);
    assert_int_equal(predictor.stack_hits, 24 + 24);
    assert_int_equal(predictor.stack_overflows, 0 + 1);
    assert_int_equal(wrong_returns(40), 16);
    assert_int_equal(predictor.stack_hits, 3 * 24); /* the others found it empty */
    assert_int_equal(predictor.stack_overflows, 1 + 16);
}

static void test_return_elsewhere(void **state)
{
    (void)state;
    go(CODEMAP_BR_CALL, 0x1000, 0x2000, true);
    assert_int_equal(go(CODEMAP_BR_RETURN, 0x2010, 0x7777, true), BRANCH_WRONG);
    assert_int_equal(wrong_path, 0x1002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_loop_branch, setup),
        cmocka_unit_test_setup(test_history_learns_a_pattern, setup),
        cmocka_unit_test_setup(test_wrong_paths, setup),
        cmocka_unit_test_setup(test_direct_jump_is_late_once, setup),
        cmocka_unit_test_setup(test_btb_holds_2048, setup),
        cmocka_unit_test_setup(test_indirect, setup),
        cmocka_unit_test_setup(test_return_stack_holds_24, setup),
        cmocka_unit_test_setup(test_return_elsewhere, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
