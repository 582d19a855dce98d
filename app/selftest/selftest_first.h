/* SPDX-License-Identifier: BSD-2-Clause */
/* The self-test before the first run of a boot, and what follows from it for the runs after it. */
#ifndef APP_SELFTEST_FIRST_H
#define APP_SELFTEST_FIRST_H

#include "app/run/run.h"
#include "app/selftest/selftest.h"

/* Holds what is kept of the self-test. */
struct selftest_summary {
    bool made;
    bool possible; /* there was memory for it */
    unsigned passed, failed;
    uint32_t wrong;       /* bits of enum selftest_part */
    uint32_t failed_rows; /* of selftest_table, bit n: row n */
};

/* Returns whether this run, prepared, may be measured, by the setting 'selftest'. Makes the self-test when none was
 * made yet and the run uses what it tests; a line each for checks that fail, one line when none does. */
bool selftest_allows(struct selftest_summary *summary, const struct run *run, const struct options *options,
                     struct out *out);

/* "passed", or the names of what failed. */
void selftest_summary_print(struct out *out, const struct selftest_summary *summary);

#endif
