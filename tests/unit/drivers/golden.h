/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares a test's accesses to the fake machine, one by one, with a file of tests/unit/drivers/golden. */
#ifndef TESTS_UNIT_DRIVERS_GOLDEN_H
#define TESTS_UNIT_DRIVERS_GOLDEN_H

#include <stddef.h>

/* Begins a text without anything in it. */
void golden_begin(void);

/* Adds a title and the accesses since fake_clear_log(), or from a place of fake.log on; lines that come again and again
 * are told once. */
void golden_add(const char *title);
void golden_add_from(const char *title, size_t place);

/* Compares the text with golden/<name>. With REBASE=1 in the environment a file that differs is written anew. */
void golden_compare(const char *name);

#endif
