/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures that are kept of a run, and the limit of their number. */
#include "core/profile/figures.h"
#include "tests/unit/core/check.h"

/* The hottest rows are kept, and rows that are dropped are counted. */
TEST(most_rows)
{
    static struct figures a;
    uint64_t kept = 0;

    for (uint32_t i = 0; i < FIGURES_ROWS + 100; i++)
        figures_add(&a, i, i, i < 50 ? 1 : 1000 + i);
    figures_add(&a, 9999, 9999, 0);
    assert_int_equal(a.rows, FIGURES_ROWS);
    assert_int_equal(a.left, 100);
    for (unsigned i = 0; i < FIGURES_ROWS; i++) {
        assert_in_range(a.row[i].insn, 100, FIGURES_ROWS + 99);
        kept += a.row[i].samples;
    }
    assert_int_equal(a.left_samples, 50 + 50 * 1000 + (50 + 99) * 50 / 2);
    assert_int_equal(kept, 256 * 1000 + (100 + 355) * 256 / 2);
}

RUN_TESTS(NULL, NULL)
