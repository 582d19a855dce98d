/* Every workload: its row, and that its check knows a right result from a wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/options.h"
#include "workloads/workload.h"

/* Other parameters than the defaults, small ones and odd ones; the rest are as they are. */
static const struct {
    const char *name;
    uint32_t params[WORKLOAD_VALUES]; /* the last one: cores */
} rows[] = {
    {"alu-independent", {1}},     {"alu-independent", {1000}},    {"branch-random", {1, 50}},
    {"branch-random", {999, 1}},  {"branch-random", {999, 50}},   {"branch-random", {999, 100}},
    {"code-walk", {1, 1}},        {"code-walk", {77, 24}},        {"code-walk", {5, 17}},
    {"divide-chain", {1}},        {"divide-chain", {2}},          {"divide-chain", {39}},
    {"divide-chain", {41}},       {"divide-chain", {1000}},       {"matmul-classic", {7, 2}},
    {"matmul-classic", {100, 1}}, {"matmul-classic-sse", {7, 2}}, {"pointer-chase", {1, 4}},
    {"pointer-chase", {64, 4}},   {"pointer-chase", {1000, 4}},   {"pointer-chase", {1000, 100}},
    {"tight-loop", {1}},          {"tight-loop", {12345}},
    {"branch-sorted", {1, 1}},
    {"branch-sorted", {2, 2}},
    {"matmul-interchanged", {9, 3}},
    {"matmul-blocked", {50, 2, 7}},
    {"matmul-blocked", {20, 20, 1000}},
    {"false-sharing", {1, 8, [WORKLOAD_CORES] = 1}},
    {"false-sharing", {777, 100, [WORKLOAD_CORES] = 1}},
    {"true-sharing", {777, [WORKLOAD_CORES] = 1}},
    {"own-page", {3, [WORKLOAD_CORES] = 1}},
};

enum { PAGE = 4096 };

static void *prepared(const struct workload *workload, const uint32_t *params)
{
    size_t size = (workload->arena_size(params) + PAGE - 1) / PAGE * PAGE;
    void *arena = aligned_alloc(PAGE, size);

    assert_non_null(arena);
    memset(arena, 0xA5, size);
    workload->prepare(arena, params);
    return arena;
}

static void results_are_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct workload *workload = params_find_workload(rows[i].name);
        struct workload_check check = {0};
        void *arena;

        assert_non_null(workload);
        arena = prepared(workload, rows[i].params);
        workload->run(arena, rows[i].params);
        if (!workload->check(arena, rows[i].params, &check) || check.expected != check.got)
            fail_msg("%s, row %zu: expected %llu, got %llu", rows[i].name, i, (unsigned long long)check.expected,
                     (unsigned long long)check.got);
        free(arena);
    }
}

/* What has not run is wrong, and so is what ran with more of its first parameter. */
static void wrong_results_are_seen(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct workload *workload = params_find_workload(rows[i].name);
        struct workload_check check;
        uint32_t more[WORKLOAD_VALUES];
        void *arena = prepared(workload, rows[i].params);

        assert_false(workload->check(arena, rows[i].params, &check));
        memcpy(more, rows[i].params, sizeof(more));
        more[0] += 63;
        /* The golden ratio, once settled, and what is rarely counted stay the same. */
        if (workload->instructions && strcmp(rows[i].name, "divide-chain") != 0 && rows[i].params[1] != 1) {
            workload->run(arena, more);
            assert_false(workload->check(arena, rows[i].params, &check));
        }
        free(arena);
    }
}

static void rows_are_complete(void **state)
{
    unsigned count = 0;

    (void)state;
    for (const struct workload *const *w = __start_workload_rows; w < __stop_workload_rows; w++, count++) {
        uint32_t params[WORKLOAD_VALUES] = {[WORKLOAD_CORES] = 1};
        bool tried = false;

        assert_in_range(strlen((*w)->name), 1, OPTIONS_NAME_MAX);
        assert_true((*w)->title && (*w)->shows && (*w)->kernel && (*w)->unit && (*w)->unit_ops);
        assert_in_range(strlen((*w)->title), 1, 79 - 14); /* as the report shows it */
        for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && (*w)->params[i].name; i++) {
            assert_in_range((*w)->params[i].fallback, (*w)->params[i].min, (*w)->params[i].max);
            params[i] = (*w)->params[i].fallback;
        }
        assert_true((*w)->work(params) > 0);
        /* Built-in defaults are sized alike: a few million ops, which the virtual PMU steps through in seconds. */
        assert_in_range((*w)->work(params) * (*w)->unit_ops, 500000, 25000000);
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
            tried |= strcmp(rows[i].name, (*w)->name) == 0;
        assert_true(tried);
    }
    assert_true(count >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_right),
        cmocka_unit_test(wrong_results_are_seen),
        cmocka_unit_test(rows_are_complete),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
