/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists by address keep one cell for equal samples, with few cells in memory, and have the same rows however few these
 * are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/rng.h"
#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/report/lists/report_address_rows.h"

enum { FEW = 7, MANY = 100000, SAMPLES = 3000, LINES = 150 };

static const struct column columns[] = {
    {"Loads", DERIVED_F201_LOAD, -1, 0},
    {"Stores", DERIVED_F202_STORE, -1, 0},
    {"Mean", DERIVED_F219_DC_LOAD_LATENCY, DERIVED_X200_LOAD_DC_MISS, 0},
    {"L2", DERIVED_COUNT, -1, 1 << ANSWER_L2},
};
static const struct kind lines = {"line", "", columns, 4, SAMPLE_OP, DERIVED_F200_LOAD_STORE, CACHE_LINE, true, false};
static const struct kind regions = {"region", "", columns, 4, SAMPLE_OP, DERIVED_F200_LOAD_STORE, 0, false, false};

/* Adds a load that missed with these cycles (0: hit), or a store (cycles UINT64_MAX). */
static void add(struct list *list, struct address_place place, uint64_t address, uint64_t cycles)
{
    struct access access = {.addressed = true, .address = address, .answer = cycles ? ANSWER_L2 : ANSWER_L1};

    access.load = cycles != UINT64_MAX;
    access.modified = cycles % 3 == 1;
    access.counts[DERIVED_F200_LOAD_STORE] = 1;
    access.counts[access.load ? DERIVED_F201_LOAD : DERIVED_F202_STORE] = 1;
    access.counts[DERIVED_X200_LOAD_DC_MISS] = access.load && cycles;
    access.counts[DERIVED_F219_DC_LOAD_LATENCY] = access.load ? cycles : 0;
    address_add(list, &place, &access);
}

/* Adds samples of lines that several cores use, each at two linear addresses. Returns the largest number of cells in
 * memory. */
static uint32_t fill(struct list *list, uint32_t room)
{
    uint32_t most = 0;
    struct rng rng;

    *list = (struct list){.kind = &lines};
    address_begin(list, room);
    rng_seed(&rng, 3);
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t line = rng_below(&rng, LINES) * (uint64_t)CACHE_LINE, at = line + 8 * rng_below(&rng, 2);
        uint64_t linear = at + (rng_below(&rng, 2) ? 0x70000 : line % 3 * 0x100000);
        uint32_t cpu = rng_below(&rng, 3), kind = rng_below(&rng, 3);

        add(list, (struct address_place){line | 1, linear & ~63ull, cpu, 0}, linear,
            kind == 0   ? UINT64_MAX
            : kind == 1 ? 0
                        : 10 + rng_below(&rng, 90));
        most = sorter_count(list->cells) > most ? sorter_count(list->cells) : most;
    }
    return most;
}

/* Steps through both lists, asserts that all of their rows and parts are equal, and returns their number. */
static unsigned equal_rows(struct list *a, struct list *b)
{
    uint64_t samples = 0, before = 0, cycles = 0;
    unsigned rows = 0;

    for (; address_next(a); rows++) {
        assert_true(address_next(b));
        assert_memory_equal(&a->row, &b->row, sizeof(a->row));
        assert_int_equal(a->part_count, b->part_count);
        assert_memory_equal(a->parts, b->parts, a->part_count * sizeof(*a->parts));
        assert_true(a->kept || a->row.address >= before);
        for (uint32_t i = 0; i < a->part_count; i++)
            samples += a->parts[i].samples;
        before = a->row.address;
        cycles += a->row.part[2];
    }
    assert_false(address_next(b));
    assert_int_equal(a->all.samples, SAMPLES);
    if (!a->kept) {
        assert_int_equal(samples, SAMPLES);
        assert_int_equal(cycles, a->all.part[2]);
    }
    return rows;
}

static void few_in_memory(void **state)
{
    struct list few, all;

    assert_int_equal(fill(&few, FEW), FEW);
    assert_true(sorter_runs(few.cells) > SAMPLES / 20);
    assert_true(fill(&all, MANY) > LINES);
    assert_int_equal(sorter_runs(all.cells), 0);
    address_sort(&few);
    address_sort(&all);
    assert_int_equal(equal_rows(&few, &all), LINES);
    address_end(&few);
    address_end(&all);
}

static int by_samples(const void *left, const void *right)
{
    const struct row *a = left, *b = right;

    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return address_order(left, right);
}

static void best_are_kept(void **state)
{
    enum { BEST = 9 };
    struct list few, all;
    uint64_t least = UINT64_MAX;

    fill(&few, FEW);
    fill(&all, MANY);
    assert_int_equal(address_keep(&few, BEST, by_samples), LINES);
    assert_int_equal(address_keep(&all, LINES, by_samples), LINES);
    for (unsigned i = 0; i < BEST; i++) {
        assert_true(address_next(&few));
        assert_true(address_next(&all));
        assert_memory_equal(&few.row, &all.row, sizeof(few.row));
        assert_memory_equal(few.parts, all.parts, few.part_count * sizeof(*few.parts));
        assert_true(few.row.samples <= least);
        least = few.row.samples;
    }
    assert_false(address_next(&few));
    address_end(&few);
    address_end(&all);
}

/* A thousand equal samples are one cell; other samples of a page do not end its region. */
static void alike(void **state)
{
    static const uint64_t pages[] = {0x7000000, 0x7001000, 0x7100000, 0x7301000};
    struct list list = {.kind = &regions};

    address_begin(&list, MANY);
    for (unsigned i = 0; i < 1000; i++)
        add(&list, (struct address_place){.key = pages[0], .address = pages[0], .cpu = i}, pages[0] + i, 50);
    assert_int_equal(sorter_count(list.cells), 1);
    for (unsigned i = 1; i < 4; i++)
        for (unsigned what = 0; what < 3; what++)
            add(&list, (struct address_place){.key = pages[i], .address = pages[i]}, pages[i] + 0xff0 - what,
                what == 0   ? UINT64_MAX
                : what == 1 ? 0
                            : 30);
    assert_int_equal(sorter_count(list.cells), 10);
    address_sort(&list);
    assert_true(address_next(&list));
    assert_int_equal(list.row.samples, 1006);
    assert_int_equal(list.row.part[2], 50060);
    assert_int_equal(list.row.whole[2], 1002);
    assert_int_equal(list.row.address, 0x7000000);
    assert_int_equal(list.row.last, 0x7100ff0);
    assert_true(address_next(&list));
    assert_int_equal(list.row.address, 0x7301000);
    assert_int_equal(list.row.samples, 3);
    assert_false(address_next(&list));
    assert_false(address_next(&list));
    address_end(&list);
}

/* An empty list has no counts. */
static void nothing(void **state)
{
    struct list list = {.kind = &lines};

    address_begin(&list, FEW);
    address_sort(&list);
    assert_false(address_next(&list));
    address_end(&list);
    list = (struct list){.kind = &lines};
    address_begin(&list, FEW);
    assert_int_equal(address_keep(&list, FEW, by_samples), 0);
    assert_false(address_next(&list));
    address_end(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_in_memory),
        cmocka_unit_test(best_are_kept),
        cmocka_unit_test(alike),
        cmocka_unit_test(nothing),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
