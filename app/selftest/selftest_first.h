/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the self-test before the first run of a boot, and applies its result to all runs. */
#ifndef APP_SELFTEST_FIRST_H
#define APP_SELFTEST_FIRST_H

#include "app/run/run.h"
#include "app/selftest/selftest.h"

/* Holds what later runs need of the self-test. */
struct selftest_summary {
    bool made;
    bool possible; /* memory sufficed */
    unsigned passed, failed;
    uint32_t wrong;       /* bits of enum selftest_part */
    uint32_t failed_rows; /* of selftest_table, bit n: row n */
};

/* Returns whether this prepared run may be measured, by the setting 'selftest'. Makes the self-test if none was made
 * and the run uses what it tests. Prints a line for each failed check, or one line if none fails. */
bool selftest_allows(struct selftest_summary *summary, const struct run *run, const struct options *options,
                     struct out *out);

/* Prints "passed", or the names of failed checks. */
void selftest_summary_print(struct out *out, const struct selftest_summary *summary);

#endif
