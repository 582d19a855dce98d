/* SPDX-License-Identifier: BSD-2-Clause */
/* * How long both sides' runs took, as 'ibsprof compare' prints it. Expected figures: means and spreads by hand; t with
 * 4 degrees of freedom has the 97.5 % quantile 2.776445105. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum { RUNS = 3 };

static char path[2 * RUNS][300];

/* Makes a run with 40 ops and one more of another size, so that no run is a copy. us 0: the run has no time. */
static void make(unsigned run, unsigned us)
{
    char folder[20], text[200];

    made_run_begin();
    made_run_op(40 + run, (struct made_op){.at = 0x401010, .data = 40 << 16 | 10});
    snprintf(text, sizeof(text), "#: figures = silicon\n#: config = ibs\n#: ibs.op_ctl = 0xe003e\n");
    if (us)
        snprintf(text + strlen(text), 100, "#: elapsed_us = %u\n", us);
    snprintf(folder, sizeof(folder), "%c%u", run < RUNS ? 'a' : 'b', run % RUNS);
    snprintf(path[run], sizeof(path[run]), "%s", made_run_write(folder, text));
}

/* Makes a run with the cycles that its counters counted. */
static void make_explored(unsigned run, unsigned cycles)
{
    char name[30], text[500];

    made_run_begin();
    made_run_op(40 + run, (struct made_op){.at = 0x401010, .data = 40 << 16 | 10});
    snprintf(name, sizeof(name), "%c%u", run < RUNS ? 'a' : 'b', run % RUNS);
    snprintf(path[run], sizeof(path[run]), "%s",
             made_run_write(name, "#: figures = silicon\n#: config = explore\n#: ibs.op_ctl = 0xe003e\n"));
    snprintf(name, sizeof(name), "%c%u/counts.csv", run < RUNS ? 'a' : 'b', run % RUNS);
    snprintf(text, sizeof(text),
             "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n"
             "076,00,0,CPU_CLK_UNHALTED,counted,4,%u,1,1,500,17,3,1000000\n"
             "0c0,00,0,RETIRED_INSTRUCTIONS,counted,4,1000000,1,1,0,9,0,1000000\n",
             cycles);
    files_write(name, text, strlen(text));
}

static const char *compare(const char *option)
{
    return tool_run(&command_compare, option, path[0], path[1], path[2], "--", path[3], path[4], path[5], NULL).out;
}

static void says(const char *text, const char *wanted)
{
    if (!strstr(text, wanted))
        fail_msg("'%s' is not in:\n%s", wanted, text);
}

static void begins(const char *text, const char *wanted)
{
    if (strncmp(text, wanted, strlen(wanted)) != 0)
        fail_msg("'%s' is not the beginning of:\n%s", wanted, text);
}

static void says_not(const char *text, const char *unwanted)
{
    if (strstr(text, unwanted))
        fail_msg("'%s' is in:\n%s", unwanted, text);
}

static int program(void **state)
{
    program_make("program.elf");
    return 0;
}

/* The times are 20,000 +- 100 us and 25,000 +- 200 us: SE is sqrt((100^2 + 200^2) / 3) = 129.1 us. Welch's degrees of
 * freedom are (100^2 + 200^2)^2 / ((100^4 + 200^4) / 2) = 2.941. */
static void elapsed(void **state)
{
    static const unsigned us[2 * RUNS] = {19900, 20000, 20100, 24800, 25000, 25200};
    const char *text;

    for (unsigned i = 0; i < 2 * RUNS; i++)
        make(i, us[i]);
    text = compare("--level=95");
    says(text, "\nTime of a run\n"
               "           A         B    B - A 95 % interval     Spread A, B\n"
               "  elapsed, with its sampling, ms\n"
               "      20.000    25.000    5.000 (4.584 to 5.416)    0.100 0.200  different\n"
               "     B takes 1.250 times as long as A\n");
    begins(text,
           "A run of B takes 1.250 times as long as one of A (elapsed, with its sampling).\nBy samples, equivalent: ");
    says_not(text, "recorded");
    says_not(text, "core cycles");
    assert_true(strstr(text, "\nTime of a run") < strstr(text, "\nOther differences"));
    text = compare("--json");
    says(text,
         "\"time\":[{\"key\":\"elapsed_us\",\"name\":\"elapsed, with its sampling\",\"unit\":\"ms\",\"scale\":0.001,"
         "\"a\":{\"value\":2e+04,");
    says(text, "\"verdict\":\"different\"}],\n");
    says(compare("--csv"), "\nelapsed_us,\"all\",,,,,20000,");
    says(compare("--html"), "\"key\":\"elapsed_us\"");
}

/* Times that agree within 5 % of A are equivalent, and are not mentioned at the top. */
static void equal_times(void **state)
{
    static const unsigned us[2 * RUNS] = {19900, 20000, 20100, 20000, 20100, 20200};
    const char *text;

    for (unsigned i = 0; i < 2 * RUNS; i++)
        make(i, us[i]);
    text = compare("--level=95");
    says(text, "(-0.127 to 0.327)");
    says(text, "equivalent\n     B takes 1.005 times as long as A\n");
    says_not(text, "A run of B");
}

/* The clock's last digit is a microsecond: however well runs agree, the variance is at least 1/12 of that. */
static void runs_that_agree(void **state)
{
    static const unsigned us[2 * RUNS] = {20, 20, 20, 21, 21, 21};
    const char *text;

    for (unsigned i = 0; i < 2 * RUNS; i++)
        make(i, us[i]);
    text = compare("--level=95");
    says(text, "       0.020     0.021    0.001 (0.000 to 0.002)    0.000 0.000  different\n");
    text = compare("--json");
    says(text, "\"difference\":{\"value\":1,\"low\":0.199"); /* 1 - 1.96 * sqrt(2 / 12) */
}

/* With one run a side there is no verdict. If a run of a side has no time, only the other side's is printed. */
static void not_judged(void **state)
{
    static const unsigned us[2 * RUNS] = {19900, 20000, 20100, 24800, 25000, 25200};
    const char *text;

    for (unsigned i = 0; i < 2 * RUNS; i++)
        make(i, us[i]);
    text = tool_run(&command_compare, path[0], path[3], NULL).out;
    says(text, "      19.900    24.800    4.900 not judged\n     B takes 1.246 times as long as A\n");
    says_not(text, "A run of B");
    make(4, 0);
    text = compare("--level=95");
    says(text, "\nTime of a run\n");
    says(text, "\n  elapsed, with its sampling, ms: 20.000 in A, not known in B\n");
    make(4, 25000);
    make(1, 0);
    text = compare("--level=95");
    says(text, "\n  elapsed, with its sampling, ms: 25.000 in B, not known in A\n");
    says(compare("--json"), "\"a\":null,\"b\":{\"value\":2.5e+04,");
    make(3, 0);
    says_not(compare("--level=95"), "Time of a run");
    says(compare("--json"), "\"time\":[],");
}

/* Counted cycles are known to 0.1 %, however well runs agree: 1.96 * 0.001 * sqrt((1 + 1.001^2) / 3) is 0.0016. */
static void cycles(void **state)
{
    static const unsigned counted[2 * RUNS] = {1000000, 1000000, 1000000, 1001000, 1001000, 1001000};
    const char *text;

    for (unsigned i = 0; i < 2 * RUNS; i++)
        make_explored(i, counted[i]);
    text = compare("--level=95");
    says(text, "  core cycles, not sampled, millions\n"
               "       1.000     1.001    0.001 (-0.001 to 0.003)   0.000 0.000  equivalent\n");
    for (unsigned i = RUNS; i < 2 * RUNS; i++)
        make_explored(i, 1100000);
    text = compare("--level=95");
    says(text, "different\n     B takes 1.100 times as long as A\n");
    begins(text, "A run of B takes 1.100 times as long as one of A (core cycles, not sampled). By\nsamples, ");
}

/* A file of an operating system has the times of its samples: 1000 ticks of 1 GHz apart. */
static void recorded(void **state)
{
    const char *text;

    for (unsigned run = 0; run < 2 * RUNS; run++) {
        char name[30];

        made_run_begin();
        made_run_op(run < RUNS ? 101 + run : 201 + run, (struct made_op){.at = 0x401010, .data = 40 << 16 | 10});
        snprintf(name, sizeof(name), "linux%u", run);
        snprintf(path[run], sizeof(path[run]), "%s/perf.data", made_run_write(name, NULL));
        made_run_as_linux(path[run]);
    }
    text = compare("--level=95");
    says(text, "  recorded, first sample to last, ms\n");
    says(text, "       0.101     0.204    0.103 (0.10");
    says_not(text, "elapsed");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(elapsed),    cmocka_unit_test(equal_times), cmocka_unit_test(runs_that_agree),
        cmocka_unit_test(not_judged), cmocka_unit_test(cycles),      cmocka_unit_test(recorded),
    };

    return cmocka_run_group_tests(tests, program, NULL);
}
