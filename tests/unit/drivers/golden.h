/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares a test's accesses to the fake machine, one by one, with a file in tests/unit/drivers/golden. */
#ifndef TESTS_UNIT_DRIVERS_GOLDEN_H
#define TESTS_UNIT_DRIVERS_GOLDEN_H

#include <stddef.h>

/* Begins an empty text. */
void golden_begin(void);

/* Adds a title and the accesses since fake_clear_log(), or from a place in fake.log on; repeated lines are written
 * once. */
void golden_add(const char *title);
void golden_add_from(const char *title, size_t place);

/* Compares the text with golden/<name>. REBASE=1 in the environment rewrites a file that differs. */
void golden_compare(const char *name);

#endif
