/* SPDX-License-Identifier: BSD-2-Clause */
/* The nearest of some names to a word that was mistyped. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/nearest.h"

static const char *nearest(const char *word, const char *names)
{
    static char printed[80];
    struct out_memory memory;
    struct nearest nearest;

    nearest_begin(&nearest, word, strlen(word));
    nearest_try_each(&nearest, names);
    out_memory_init(&memory, printed, sizeof(printed));
    nearest_print(&nearest, &memory.out);
    return printed;
}

TEST(the_nearest_name)
{
    static const struct {
        const char *word, *names, *says;
    } cases[] = {
        {"revison", "reversed|revision|version", "; did you mean 'revision'?"},
        {"matmul", "memory|matmul-blocked|matmul-classic",
         "; did you mean 'matmul-blocked'?"}, /* the first of two names that begin so */
        {"Matmul_Clasic", "matmul-blocked|matmul-classic", "; did you mean 'matmul-classic'?"},
        {"ibs", "ib|ibs_all|ibs", "; did you mean 'ibs'?"}, /* the word itself comes before names that begin with it */
        {"ibt", "ibt_all|ibs|iba", "; did you mean 'ibt_all'?"}, /* the first of two that are equally near */
        {"abc", "abcdefgh", "; did you mean 'abcdefgh'?"},
        {"ab", "abcdefgh", ""}, /* the word is too short for a beginning */
        {"abd", "abcdefgh", ""},
        {"x", "y", ""}, /* nothing is alike */
        {"x", "yx", "; did you mean 'yx'?"},
        {"yx", "x", "; did you mean 'x'?"},
        {"xy", "zw", ""},
        {"xy", "xw", "; did you mean 'xw'?"},
        {"x", "yz", ""},
        {"X", "x", "; did you mean 'x'?"},
        {"", "y", ""},
        {"x", "", ""},
        {"abd", "|abc||xyz", "; did you mean 'abc'?"}, /* an empty name is never suggested */
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
         "; did you mean 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'?"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", ""}, /* words of 32 characters */
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (strcmp(nearest(cases[i].word, cases[i].names), cases[i].says) != 0)
            fail_msg("%s of %s: %s", cases[i].word, cases[i].names, nearest(cases[i].word, cases[i].names));
}

RUN_TESTS(NULL, NULL)
