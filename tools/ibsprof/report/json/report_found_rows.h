/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of the sums of bench/bias, which writes them here: the kind in report_found.c, the way of sampling, in how many
 * codes its shares are within chance of exact counts, and of how many. docs/exact.md has the same. */
FOUND(BY_OPS, "IBS, ops", 34, 34)
FOUND(ONCE, "one op a pass", 32, 34)
FOUND(BY_CYCLES, "IBS, cycles", 6, 34)
FOUND(COUNTERS, "0C0", 2, 34)
FOUND(COUNTERS, "076", 3, 34)
FOUND(TIMER, "timer", 2, 34)
