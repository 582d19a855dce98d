/* SPDX-License-Identifier: BSD-2-Clause */
/* 'ibsprof compare' has the same results for A and B as for B and A, whatever the sides are; and the work of several
 * cores. */
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

enum { LOAD = 0x401016, ADD = 0x401019, DEC = 0x40101b, COLD = 0x401030, RUNS = 2 };

/* A side: its folder, samples of three instructions, the number of cores that each took them, and the files beside
 * perf.data. Only the runs of "with" have the ELF file. */
static const struct side {
    const char *folder;
    unsigned load, add, dec;
    uint32_t cores;
    const char *workload; /* NULL: no run.ini */
    unsigned repeats;     /* 0: not in run.ini, so once */
} sides[] = {
    {"with/a", 400, 300, 300, 1, "loop", 0},     {"with/b", 400, 300, 300, 1, "loop", 0},
    {"with/slow", 700, 200, 100, 1, "loop", 0},  {"with/four", 100, 75, 75, 4, "loop", 0},
    {"alone/a", 400, 300, 300, 1, NULL, 0},      {"alone/slow", 700, 200, 100, 1, NULL, 0},
    {"with/other", 300, 300, 400, 1, "walk", 0}, {"with/twice", 400, 300, 300, 1, "loop", 2},
};
enum { SIDES_MADE = sizeof(sides) / sizeof(sides[0]) };

static char paths[SIDES_MADE][RUNS][300];

static void make(unsigned which, unsigned run)
{
    const struct side *side = &sides[which];
    char folder[100], ini[300];

    made_run_begin();
    made_info.cores = side->cores;
    for (uint32_t cpu = 0; cpu < side->cores; cpu++) {
        made_run_op(side->load + run + 2 * which, (struct made_op){.at = LOAD, .data3 = IBS_LD_OP, .cpu = cpu});
        made_run_op(side->add, (struct made_op){.at = ADD, .cpu = cpu});
        made_run_op(side->dec, (struct made_op){.at = DEC, .cpu = cpu});
    }
    snprintf(folder, sizeof(folder), "%s/%u", side->folder, run);
    snprintf(ini, sizeof(ini),
             "workload = %s\n#: figures = silicon\n#: repeats = 7\n#: ibs.repeats = %u\n#: workload.work = %u\n#: "
             "workload.unit = turns\n",
             side->workload, side->repeats, 1000 / side->cores / (side->repeats ? side->repeats : 1));
    snprintf(paths[which][run], sizeof(paths[which][run]), "%s", made_run_write(folder, side->workload ? ini : NULL));
}

static int begin(void **state)
{
    for (unsigned which = 0; which < SIDES_MADE; which++)
        for (unsigned run = 0; run < RUNS; run++)
            make(which, run);
    program_make("with/program.elf");
    return 0;
}

static struct tool_result compare(unsigned a, unsigned b, const char *form)
{
    return tool_run(&command_compare, form, paths[a][0], paths[a][1], "--", paths[b][0], paths[b][1], NULL);
}

static unsigned times(const char *text, const char *word)
{
    unsigned count = 0;

    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

/* Verdicts, places and warnings of two sides, without their order. */
struct said {
    unsigned different, equivalent, both, inconclusive, places, warnings;
    char headline[20];
    int status;
};

static struct said said_of(unsigned a, unsigned b)
{
    struct tool_result got = compare(a, b, "--format=json");
    struct said said = {
        .different = times(got.out, "\"verdict\":\"different\""),
        .equivalent = times(got.out, "\"verdict\":\"equivalent\""),
        .both = times(got.out, "\"verdict\":\"both\""),
        .inconclusive = times(got.out, "\"verdict\":\"inconclusive\""),
        .places = times(got.out, "\"instruction\":\""),
        .status = got.status,
    };

    assert_int_equal(got.status, EXIT_DONE);
    got = compare(a, b, "--format=text");
    said.warnings = times(got.out, "WARNING");
    sscanf(got.out, "%19[A-Za-z]", said.headline);
    return said;
}

static void order_says_nothing(void **state)
{
    unsigned different = 0;

    for (unsigned a = 0; a < SIDES_MADE; a++)
        for (unsigned b = 0; b < a; b++) {
            struct said one = said_of(a, b), other = said_of(b, a);

            if (memcmp(&one, &other, sizeof(one)) != 0)
                fail_msg("%s and %s: %s, %u different, %u places; swapped: %s, %u different, %u places",
                         sides[a].folder, sides[b].folder, one.headline, one.different, one.places, other.headline,
                         other.different, other.places);
            different += one.different > 0;
        }
    assert_in_range(different, 5, SIDES_MADE * (SIDES_MADE - 1) / 2 - 5);
}

/* The names come from a file that only one side has. */
static void one_file_serves_all(void **state)
{
    for (unsigned turn = 0; turn < 2; turn++) {
        struct tool_result got = turn ? compare(4, 0, "--all") : compare(0, 4, "--all");

        assert_string_equal(got.err, "");
        assert_non_null(strstr(got.out, "hot+0x"));
    }
}

/* Four cores do four times the work, each with a quarter of the samples; two repeats do twice the work. */
static void all_work_counts(void **state)
{
    static const unsigned others[] = {3, 7};

    for (unsigned i = 0; i < 2; i++) {
        struct tool_result got = compare(0, others[i], "--format=json");
        double work[2] = {0, 0};
        const char *at = got.out;

        for (int side = 0; side < 2; side++) {
            at = strstr(at + 1, "\"work\":");
            assert_non_null(at);
            sscanf(at, "\"work\":%lf", &work[side]);
        }
        assert_true(work[0] == RUNS * 1000 && work[1] == RUNS * 1000);
        assert_int_equal(times(got.out, "\"verdict\":\"different\""), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_says_nothing),
        cmocka_unit_test(one_file_serves_all),
        cmocka_unit_test(all_work_counts),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
