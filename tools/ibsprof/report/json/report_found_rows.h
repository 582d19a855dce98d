/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that bench/bias writes: the kind in report_found.c, the way of sampling, the number of codes whose shares agree
 * with exact counts within chance, and the number of all. docs/exact.md has the same. */
FOUND(BY_OPS, "IBS, ops", 34, 34)
FOUND(ONCE, "one op per pass", 32, 34)
FOUND(BY_CYCLES, "IBS, cycles", 6, 34)
FOUND(COUNTERS, "0C0", 2, 34)
FOUND(COUNTERS, "076", 3, 34)
FOUND(TIMER, "timer", 2, 34)
