/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The checks of the self-test: SELFTEST_ROW(name, parts that are unreliable if it fails (enum selftest_part), what
 * holds if it passes, function of selftest_checks.c).
 */
/* clang-format off */
SELFTEST_ROW("passes", SELFTEST_ALL, "the loop ends with the right result in each measurement", ended)
SELFTEST_ROW("restored", SELFTEST_ALL, "all registers and tables are restored", restored)
SELFTEST_ROW("clock", SELFTEST_ALL, "the TSC rises from sample to sample", clock)
SELFTEST_ROW("counts", SELFTEST_PMC, "counters count what is known beforehand", counts)
SELFTEST_ROW("overflows", SELFTEST_PMC, "overflows of a counter bring samples of the running code", overflows)
SELFTEST_ROW("op.samples", SELFTEST_IBS_OP, "the number of op samples matches the period", op_samples)
SELFTEST_ROW("op.intervals", SELFTEST_IBS_RANDOM, "random op intervals have the mean that was set", op_intervals)
SELFTEST_ROW("op.places", SELFTEST_IBS_OP, "ops sampled belong to the running code", op_places)
SELFTEST_ROW("op.data", SELFTEST_IBS_OP, "loads and stores have their valid bits and addresses", data_addresses)
SELFTEST_ROW("fetch.samples", SELFTEST_IBS_FETCH, "there are fetch samples, of the running code", fetches)
SELFTEST_ROW("identities", SELFTEST_IBS_OP | SELFTEST_IBS_FETCH, "identities between the counts of IBS samples hold", relations)
SELFTEST_ROW("ticks", SELFTEST_TIMER, "ticks come", ticks)
/* clang-format on */
