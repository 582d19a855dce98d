/* SPDX-License-Identifier: BSD-2-Clause */
/* Every workload: its row, and that its check tells right results from wrong ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "app/settings/options.h"
#include "app/settings/params.h"
#include "workloads/workload.h"

/* Other parameters than the defaults, small and odd ones; parameters that are not listed keep their defaults. */
static const struct {
    const char *name;
    uint32_t params[WORKLOAD_VALUES]; /* the last one is the number of cores */
} rows[] = {
    {"alu-independent", {1}},
    {"alu-independent", {1000}},
    {"branch-random", {1, 50}},
    {"branch-random", {999, 1}},
    {"branch-random", {999, 50}},
    {"branch-random", {999, 100}},
    {"code-walk", {1, 1}},
    {"code-walk", {77, 24}},
    {"code-walk", {5, 17}},
    {"divide-chain", {1}},
    {"divide-chain", {2}},
    {"divide-chain", {39}},
    {"divide-chain", {41}},
    {"divide-chain", {1000}},
    {"matmul-classic", {7, 2}},
    {"matmul-classic", {100, 1}},
    {"matmul-classic-sse", {7, 2}},
    {"pointer-chase", {1, 4}},
    {"pointer-chase", {64, 4}},
    {"pointer-chase", {1000, 4}},
    {"pointer-chase", {1000, 100}},
    {"tight-loop", {1}},
    {"tight-loop", {12345}},
    {"branch-sorted", {1, 1}},
    {"branch-sorted", {2, 2}},
    {"matmul-interchanged", {9, 3}},
    {"matmul-blocked", {50, 2, 7}},
    {"matmul-blocked", {20, 20, 1000}},
    {"false-sharing", {1, 8, [WORKLOAD_CORES] = 1}},
    {"false-sharing", {777, 100, [WORKLOAD_CORES] = 1}},
    {"true-sharing", {777, [WORKLOAD_CORES] = 1}},
    {"own-page", {3, [WORKLOAD_CORES] = 1}},
    {"code-pages", {1, 2}},
    {"code-pages", {77, 40}},
    {"code-pages", {5, 17}},
    {"branch-always", {1, 1}},
    {"branch-always", {99, 2}},
    {"branch-pattern", {99, 1}},
    {"branch-pattern", {99, 7}},
    {"call-depth", {1, 1}},
    {"call-depth", {3, 48}},
    {"call-indirect", {50, 1}},
    {"call-indirect", {999, 16}},
    {"jump-indirect", {50, 1}},
    {"jump-indirect", {999, 2}},
    {"jump-indirect", {999, 7}},
    {"jump-indirect", {15, 16}},
    {"add-chain", {1}},
    {"add-chain", {77}},
    {"imul-chain", {1}},
    {"imul-chain", {77}},
    {"stream-read", {1, 4}},
    {"stream-read", {3, 37}},
    {"stream-write", {1, 4, 1}},
    {"stream-write", {3, 37, 2}},
    {"stream-copy", {1, 4}},
    {"stream-copy", {3, 37}},
    {"stream-triad", {1, 4}},
    {"stream-triad", {3, 37}},
    {"strided", {1, 4, 8}},
    {"strided", {3, 260, 4160}},
    {"strided", {3, 4, 1048576}}, /* one load */
    {"strided", {2, 5, 31}},      /* counts as 24 */
    {"misaligned", {1, 4, 1, 8}},
    {"misaligned", {3, 5, 60, 64}},
    {"misaligned", {2, 4, 64, 13}},
    {"tlb-reach", {1, 1}},
    {"tlb-reach", {100, 48}},
    {"tlb-reach", {1000, 640}},
    {"store-forward", {1, 8, 0, 0}},
    {"store-forward", {1000, 8, 0, 12}},
    {"store-forward", {1000, 8, 4, 3}},
    {"store-forward", {1000, 4, 0, 0}},
    {"store-forward", {1000, 2, 15, 63}},
    {"store-forward", {1000, 1, 0, 5}},
    {"bank-conflict", {1, 8}},
    {"bank-conflict", {1000, 64}},
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

/* The lines that prepare() writes are the lines that the workload declares as filled, except for the line of the
 * result. */
TEST(filled_ranges_are_what_is_written)
{
    enum { LINE = 64 };
    unsigned with_ranges = 0;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct workload *workload = params_find_workload(rows[i].name);
        size_t size = workload->arena_size(rows[i].params), lines = (size + LINE - 1) / LINE, beside = 0;
        bool *said = calloc(lines, 1);
        uint8_t *arena;
        struct workload_range range;

        if (!workload->filled) {
            free(said);
            continue;
        }
        for (uint32_t n = 0; workload->filled(rows[i].params, n, &range); n++) {
            assert_true(range.bytes > 0 && range.bytes <= PAGE && range.offset + range.bytes <= size);
            for (uint64_t at = range.offset / LINE; at <= (range.offset + range.bytes - 1) / LINE; at++)
                said[at] = true;
        }
        arena = prepared(workload, rows[i].params);
        for (size_t line = 0; line < lines; line++) {
            size_t left = size - line * LINE, same = 0, bytes = left < LINE ? left : LINE;

            for (size_t at = 0; at < bytes; at++)
                same += arena[line * LINE + at] == 0xA5;
            if (said[line] && same == bytes)
                fail_msg("%s, row %zu: line %zu is not written", rows[i].name, i, line);
            beside += !said[line] && same < bytes;
        }
        assert_true(beside <= 1);
        with_ranges++;
        free(arena);
        free(said);
    }
    assert_true(with_ranges > 8);
}

TEST(results_are_right)
{
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

/* A workload that has not run has a wrong result, and so has a run with a larger first parameter. */
TEST(wrong_results_are_seen)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct workload *workload = params_find_workload(rows[i].name);
        struct workload_check check;
        uint32_t more[WORKLOAD_VALUES];
        uint64_t instructions;
        void *arena = prepared(workload, rows[i].params);

        assert_false(workload->check(arena, rows[i].params, &check));
        memcpy(more, rows[i].params, sizeof(more));
        more[0] += 63;
        /* The golden ratio does not change once it has settled, nor do counts that are rarely incremented. */
        if (workload_instructions(workload, more, &instructions) && strcmp(rows[i].name, "divide-chain") &&
            rows[i].params[1] != 1) {
            workload->run(arena, more);
            assert_false(workload->check(arena, rows[i].params, &check));
        }
        free(arena);
    }
}

/* In a shared arena each of many cores has a place of its own. */
TEST(places_of_cores)
{
    enum { CORES = 300 };

    for (const struct workload *const *w = __start_workload_rows; w < __stop_workload_rows; w++) {
        uint32_t params[WORKLOAD_VALUES] = {3, 24, [WORKLOAD_CORES] = CORES};
        struct workload_check check;
        uint8_t *arena;

        if (!(*w)->shared || !strcmp((*w)->name, "true-sharing"))
            continue;
        arena = malloc((*w)->arena_size(params)); /* the address sanitizer knows the arena's end */
        (*w)->prepare(arena, params);
        for (params[WORKLOAD_CORE] = 0; params[WORKLOAD_CORE] < CORES; params[WORKLOAD_CORE]++)
            (*w)->run(arena, params);
        assert_true((*w)->check(arena, params, &check));
        assert_int_equal(check.expected, check.got);
        params[WORKLOAD_CORES] = 64;
        size_t most = (*w)->arena_size(params);
        params[WORKLOAD_CORES] = 1;
        assert_int_equal((*w)->arena_size(params), most);
        free(arena);
    }
}

TEST(rows_are_complete)
{
    unsigned count = 0;

    for (const struct workload *const *w = __start_workload_rows; w < __stop_workload_rows; w++, count++) {
        uint32_t params[WORKLOAD_VALUES] = {[WORKLOAD_CORES] = 1};
        bool tried = false;

        assert_in_range(strlen((*w)->name), 1, OPTIONS_NAME_MAX);
        assert_ptr_equal(params_find_workload((*w)->name), *w); /* no other workload has this name */
        assert_true((*w)->title && (*w)->shows && (*w)->kernel && (*w)->unit && (*w)->unit_ops);
        assert_in_range(strlen((*w)->title), 1, 79 - 22); /* the title fits the list */
        assert_in_range((*w)->group, 0, WORKLOAD_ABOUT_GROUPS - 1);
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

struct listed {
    const char *argument;
    const char *has, *lacks;
    unsigned most; /* lines */
};

/* The command 'list' shows all workloads on two screens of 80x25, whose last line is the pager's; each workload once,
 * in its group. */
TEST(lists_by_groups)
{
    static const struct listed lists[] = {
        {"", "-- branches -- ", "    shows", 2 * 24 - 1},
        {"all", "branch-random: ", "\xff", 1000},
        {"branches", "    percent=50  ", "matmul", 100},
        {"core", "divide-chain: ", "-- branches", 100},
        {"tight-loop", "tight-loop: one flat loop of 17 instructions\n    shows ", "--", 10},
    };
    char text[65536];
    struct out_memory memory, problems;
    char problem[100];

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        unsigned lines = 0, width = 0;

        out_memory_init(&memory, text, sizeof(text));
        out_memory_init(&problems, problem, sizeof(problem));
        assert_true(params_list(&memory.out, lists[i].argument, &problems.out));
        assert_in_range(memory.needed, 1, sizeof(text) - 1);
        assert_int_equal(problems.needed, 0);
        assert_non_null(strstr(text, lists[i].has));
        assert_null(strstr(text, lists[i].lacks));
        for (const char *c = text; *c; c++) {
            width = *c == '\n' ? 0 : width + 1;
            lines += *c == '\n';
            assert_in_range(width, 0, 79);
        }
        assert_in_range(lines, 2, lists[i].most);
        for (const struct workload *const *w = __start_workload_rows; i == 0 && w < __stop_workload_rows; w++) {
            char line[100];

            snprintf(line, sizeof(line), "  %-20s %s\n", (*w)->name, (*w)->title);
            assert_non_null(strstr(text, line));
            assert_null(strstr(strstr(text, line) + 1, line));
        }
    }
    assert_false(params_list(&memory.out, "memories", &problems.out));
    assert_non_null(strstr(problem, "list memories: neither 'all'"));
}

RUN_TESTS(NULL, NULL)
