/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof plan, and what compare says about runs of a plan, by its blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum { LOAD = 0x401016, ADD = 0x401019, BLOCKS = 4 };

static void put(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

static void lists_the_runs(void **state)
{
    (void)state;
    put("p.ini", "kb = 4..8 x2\nworkload = pointer-chase\nplan_times = 2\nplan_order = abba\n");
    tool_expect(tool_run(&command_plan, files_path("p.ini"), NULL), EXIT_DONE,
                "4 runs: 2 different runs, 2 times each, forwards and backwards in turn\n"
                "    1  ibs pointer-chase kb=4; block 1, seed 1\n"
                "    2  ibs pointer-chase kb=8; block 1, seed 2\n"
                "    3  ibs pointer-chase kb=8; block 1, seed 4\n"
                "    4  ibs pointer-chase kb=4; block 1, seed 3\n",
                "");
}

static void says_what_is_wrong(void **state)
{
    struct tool_result got;

    (void)state;
    put("w.ini", "workload = pointer-chase\n\nkb = 4 | 3\n");
    got = tool_run(&command_plan, files_path("w.ini"), NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    assert_non_null(strstr(got.err, "w.ini:3: '3' is not a value of 'kb'; allowed is a number from 4 to 1048576"));
    got = tool_run(&command_plan, files_path("none.ini"), NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    got = tool_run(&command_plan, files_path("."), NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    assert_non_null(strstr(got.err, "Is a directory"));
    got = tool_run(&command_plan, NULL);
    assert_int_equal(got.status, EXIT_USAGE);
}

/* Returns a run in which B takes 4 to 6 % more cycles in its block; from block to block the machine becomes slower by a
 * tenth. */
static char *run_of(unsigned side, unsigned block)
{
    char folder[40], ini[300];
    uint64_t cycles = 100000 + 10000 * block;

    made_run_begin();
    made_run_op(400 + block + 9 * side, (struct made_op){.at = LOAD, .data3 = IBS_LD_OP});
    made_run_op(300, (struct made_op){.at = ADD});
    snprintf(folder, sizeof(folder), "plan/%u%u", side, block);
    snprintf(ini, sizeof(ini),
             "workload = loop\n#: figures = silicon\n#: plan = p.ini\n#: plan.block = %u\n"
             "#: sampling.cycles.undisturbed = %lu\n",
             block + 1, side ? cycles * (104 + block % 3) / 100 : cycles);
    return strdup(made_run_write(folder, ini));
}

static void compare_knows_blocks(void **state)
{
    char *a[BLOCKS], *b[BLOCKS];
    struct tool_result got;

    (void)state;
    for (unsigned block = 0; block < BLOCKS; block++) {
        a[block] = run_of(0, block);
        b[block] = run_of(1, block);
    }
    got = tool_run(&command_compare, "--json", a[0], a[1], a[2], a[3], "--", b[0], b[1], b[2], b[3], NULL);
    /* The interval is Student's t of ln 1.04, ln 1.05, ln 1.06, ln 1.04. */
    assert_non_null(strstr(got.out, "are 104.75 % of A's"));
    assert_non_null(strstr(got.out, "(95 % interval 103.24 to 106.28)"));
    got = tool_run(&command_compare, "--json", a[0], a[1], a[2], a[3], "--", b[0], b[1], b[2], NULL);
    assert_non_null(strstr(got.out, "1 blocks of the plan p.ini have runs only on one side"));
    for (unsigned block = 0; block < BLOCKS; block++) {
        free(a[block]);
        free(b[block]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_the_runs),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(compare_knows_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
