/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/selftest/selftest.h"

#include "app/base/sentence.h"

void selftest_judge(struct selftest *test)
{
    test->passed = test->failed = 0;
    test->wrong = 0;
    for (unsigned i = 0; i < SELFTEST_ROWS; i++) {
        struct selftest_found *found = &test->found[i];
        struct out_memory memory;

        out_memory_init(&memory, found->text, sizeof(found->text));
        found->verdict = selftest_table[i].judge(test, &memory.out);
        test->passed += found->verdict == SELFTEST_PASS;
        test->failed += found->verdict == SELFTEST_FAIL;
        test->wrong |= found->verdict == SELFTEST_FAIL ? selftest_table[i].parts : 0;
    }
}

const char *selftest_verdict_name(enum selftest_verdict verdict)
{
    static const char *const names[] = {
        [SELFTEST_PASS] = "PASS", [SELFTEST_FAIL] = "FAIL", [SELFTEST_NOT_ASKED] = "----"};

    return names[verdict];
}

void selftest_print_row(struct out *out, const struct selftest *test, unsigned row, const char *prefix)
{
    const struct selftest_found *found = &test->found[row];

    sentence(out, "%s%s %s: %s%s%s", prefix, selftest_verdict_name(found->verdict), selftest_table[row].name,
             selftest_table[row].question, found->text[0] ? ": " : "", found->text);
}
