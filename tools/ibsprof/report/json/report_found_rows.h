/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of the sums of bench/bias, which writes them here: the kind in report_found.c, the way of sampling, in how many
 * codes its shares are within chance of exact counts, and of how many. docs/exact.md has the same. */
FOUND(BY_OPS, "IBS, ops", 34, 34)
FOUND(ONCE, "one op a pass", 33, 34)
FOUND(BY_CYCLES, "IBS, cycles", 10, 34)
FOUND(COUNTERS, "0C0", 1, 13)
FOUND(COUNTERS, "076", 1, 15)
FOUND(TIMER, "timer", 2, 25)
