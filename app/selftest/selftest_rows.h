/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The checks of the self-test: SELFTEST_ROW(name, parts that are unreliable if it fails (enum selftest_part), what
 * holds if it passes, function of selftest_checks.c).
 */
/* clang-format off */
SELFTEST_ROW("passes", SELFTEST_ALL, "the loop ends, with the right result, whatever is measured", ended)
SELFTEST_ROW("restored", SELFTEST_ALL, "everything is put back", restored)
SELFTEST_ROW("clock", SELFTEST_ALL, "the TSC goes forward from sample to sample", clock)
SELFTEST_ROW("counts", SELFTEST_PMC, "counters count what is known beforehand", counts)
SELFTEST_ROW("overflows", SELFTEST_PMC, "overflows of a counter bring samples of the code that runs", overflows)
SELFTEST_ROW("op.samples", SELFTEST_IBS_OP, "there are as many op samples as the period says", op_samples)
SELFTEST_ROW("op.intervals", SELFTEST_IBS_RANDOM, "random op intervals have the mean that was asked for", op_intervals)
SELFTEST_ROW("op.places", SELFTEST_IBS_OP, "ops sampled are of the code that runs", op_places)
SELFTEST_ROW("op.data", SELFTEST_IBS_OP, "loads and stores have their valid bits and addresses", data_addresses)
SELFTEST_ROW("fetch.samples", SELFTEST_IBS_FETCH, "there are fetch samples, of the code that runs", fetches)
SELFTEST_ROW("identities", SELFTEST_IBS_OP | SELFTEST_IBS_FETCH, "identities between the counts of IBS samples hold", relations)
SELFTEST_ROW("ticks", SELFTEST_TIMER, "ticks come", ticks)
/* clang-format on */
