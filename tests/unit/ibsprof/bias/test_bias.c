/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof bias: runs made of CSV files, their comparison with exact counts and with a truth, and runs that do not
 * belong together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/bias/bias.h"

#define PARAMETERS "workload = \"loop\"\n#: workload.n = 10\n#: workload.work = 1\n#: figures = silicon\n"
#define WHOLE      PARAMETERS "#: exact.whole = 1\n"
#define BY_OPS     PARAMETERS "#: ibs.op_ctl = 0xa0020\n"
#define BY_CYCLES  PARAMETERS "#: ibs.op_ctl = 0x20020\n"

/* A loop of 100 iterations between two instructions: 1 + 300 + 1 executions; the second instruction of the loop has two
 * macro-ops. */
#define EXACT                                                                                                          \
    "rva,function,file,line,instruction,ops,executions,repetitions,taken,access1\n"                                    \
    "0x1000,loop,,,push rbp,1,1,,,\n0x1001,loop,,,add rax,1,100,,,\n0x1004,loop,,,mul rbx,2,100,,,\n"                  \
    "0x1007,loop,,,jl 1001,1,100,,99,\n0x1009,loop,,,ret,1,1,,1,\n"
#define MAP "rva,function,file,line,instruction,"

static void make(const char *folder, const char *ini, const char *name, const char *csv)
{
    char path[200];

    snprintf(path, sizeof(path), "%s/run.ini", folder);
    files_write(path, ini, strlen(ini));
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (csv)
        files_write(path, csv, strlen(csv));
}

static struct tool_result bias_of(const char *a, const char *b, const char *option)
{
    char *first = strdup(files_path(a)), *second = b ? strdup(files_path(b)) : NULL;
    struct tool_result result =
        option ? tool_run(&command_bias, option, first, second, NULL) : tool_run(&command_bias, first, second, NULL);

    free(first);
    free(second);
    return result;
}

/* Makes runs: by ops as exact as possible, 402 ops and 804 samples; by cycles, where the multiplication has most; by
 * counters, one instruction too late. */
static int make_runs(void **state)
{
    static const char time[] = MAP "est. time [ppm],low [ppm],high [ppm],ops [samples]\n"
                                   "0x1001,loop,,,add rax,100000,0,0,1\n0x1004,loop,,,mul rbx,700000,0,0,1\n"
                                   "0x1007,loop,,,jl 1001,100000,0,0,1\n,(front end),,,,100000,0,0,0\n"
                                   ",(outside the map),,,,0,0,0,0\n";

    (void)state;
    make("boot/runs/0001-loop-exact", WHOLE, "exact.csv", EXACT);
    make("boot/runs/0002-loop-ibs", BY_OPS "#: samples.op_lost = 3\n", "profile.csv",
         MAP "F100 All IBS op [samples],F101 IBS tag-to-ret [cycles]\n"
             "0x1000,loop,,,push rbp,2,6\n0x1001,loop,,,add rax,200,600\n0x1004,loop,,,mul rbx,400,4000\n"
             "0x1007,loop,,,jl 1001,200,600\n0x1009,loop,,,ret,2,6\n,(outside the map),,,,5,50\n");
    make("boot/runs/0003-loop-ibs", BY_CYCLES "#: error = 64\n", "profile.csv",
         MAP "F100 All IBS op [samples],F101 IBS tag-to-ret [cycles]\n"
             "0x1001,loop,,,add rax,10,30\n0x1004,loop,,,mul rbx,80,800\n0x1007,loop,,,jl 1001,10,30\n"
             "0x100c,loop,,,nop,0,0\n");
    files_write("boot/runs/0002-loop-ibs/time.csv", time, strlen(time));
    make("boot/runs/0004-loop-events", PARAMETERS, "pmc.csv",
         MAP "0C0 RETIRED_INSTRUCTIONS [samples],076 CPU_CLK_UNHALTED [samples],041 MISSES [samples]\n"
             "0x1001,loop,,,add rax,100,20,\n0x1004,loop,,,mul rbx,100,0,\n0x1007,loop,,,jl 1001,100,80,\n"
             "0x100c,loop,,,nop,6,0,\n");
    make("boot/runs/0005-loop-tbp", PARAMETERS "once = yes\n", "pmc.csv",
         MAP "timer [samples]\n0x1001,loop,,,add rax,4\n");
    make("boot/runs/0006-loop-count", PARAMETERS, "counts.csv", "select\n");
    return 0;
}

static int make_truth(void **state)
{
    static const char truth[] = "# cycles,1200\n"
                                "rva,executions,ops,time_sixths,empty_cycles\n"
                                "0x1000,2,2,6,1\n0x1001,200,200,600,0\n0x1002,5,5,30,5\n0x1004,200,400,6000,0\n"
                                "0x1007,200,200,600,0\n0x1009,2,2,6,0\noutside,7,7,600,9\n";

    files_write("boot/truth.csv", truth, strlen(truth));
    return make_runs(state);
}

/* The facts that name a workload's work, unit and result are no parameters. */
static void facts_that_may_differ(void **state)
{
    (void)state;
    make("boot/runs/0007-loop-ibs", BY_OPS "#: workload.unit = turns\n#: workload.check = 12\n", "profile.csv",
         MAP "F100 All IBS op [samples]\n0x1004,loop,,,mul rbx,400\n");
    assert_int_equal(bias_of("boot/runs/0001-loop-exact", "boot/runs/0007-loop-ibs", NULL).status, EXIT_DONE);
}

static void all_ways(void **state)
{
    (void)state;
    tool_writes(bias_of("boot/runs/0001-loop-exact", "boot", NULL), "counters/bias.txt");
    tool_writes(bias_of("boot/runs/0001-loop-exact", "boot", "--json"), "counters/bias.json");
}

/* Expects that a run is refused with one line. */
static void refused(const char *exact, const char *run, const char *line)
{
    struct tool_result got = bias_of(exact, run, NULL);

    assert_int_equal(got.status, EXIT_INPUT);
    assert_string_equal(got.out, "");
    expect_text(got.err, line);
}

static void runs_that_do_not_belong(void **state)
{
    static const char exact[] = "boot/runs/0001-loop-exact";

    (void)state;
    make("n", "workload = \"loop\"\n#: workload.n = 11\n", "profile.csv", "x\n");
    make("more", PARAMETERS "#: workload.m = 1\n", "profile.csv", "x\n");
    make("other", "workload = \"chain\"\n", "profile.csv", "x\n");
    make("cores", PARAMETERS "#: core.0.works = 1\n#: core.1.works = 1\n", "profile.csv", "x\n");
    make("damaged", PARAMETERS, "profile.csv", "x\n");
    make("code", BY_OPS, "profile.csv", MAP "F100 all [samples]\n0x1004,loop,,,mul rcx,4\n");
    make("nothing", PARAMETERS, "pmc.csv", MAP "041 MISSES [samples]\n0x1004,loop,,,mul rbx,4\n");
    make("half", PARAMETERS "#: exact.whole = 0\n", "exact.csv", EXACT);
    make("wrong", WHOLE, "exact.csv", "rva\n");
    refused(exact, "n",
            "ibsprof: FILES/n: it has n=11, but FILES/boot/runs/0001-loop-exact has 10: name runs with the same "
            "parameters\n");
    refused(exact, "more",
            "ibsprof: FILES/more: it has m=1, but FILES/boot/runs/0001-loop-exact has none: name runs with the same "
            "parameters\n");
    refused(exact, "other",
            "ibsprof: FILES/other: its workload is chain, but that of FILES/boot/runs/0001-loop-exact is loop: name "
            "runs of one workload\n");
    refused(exact, "cores",
            "ibsprof: FILES/cores: it sampled 2 cores, but exact counts are from one core: sample the workload on one "
            "core\n");
    refused(exact, "damaged", "ibsprof: FILES/damaged: its profile.csv is damaged: copy the run again\n");
    refused(exact, "code",
            "ibsprof: FILES/code: its code differs from that of FILES/boot/runs/0001-loop-exact: 'mul rcx' is 'mul "
            "rbx' there; name runs of the same image, or of own code\n");
    refused(exact, "nothing",
            "ibsprof: FILES/nothing: it has no samples of IBS ops, of the counters 0C0 and 076, or "
            "of the timer\n");
    refused(exact, "boot/runs/0006-loop-count",
            "ibsprof: FILES/boot/runs/0006-loop-count: it has no samples of IBS "
            "ops, of the counters 0C0 and 076, or of the timer\n");
    refused("n", exact,
            "ibsprof: FILES/n: it has no exact.csv: name a run with config=exact first, and then runs with samples\n");
    refused("half", exact, "ibsprof: FILES/half: its counts end before the workload's end: let it run to the end\n");
    refused("wrong", exact, "ibsprof: FILES/wrong: its exact.csv is damaged: copy the run again\n");
    refused(exact, "missing", "ibsprof: FILES/missing: there is no run\n");
}

static void sentences(void **state)
{
    static const struct {
        struct stat_bias stat;
        const char *says;
    } rows[] = {
        {{.n = 0, .never = 1}, "no samples on the workload: nothing is shown"},
        {{.n = 9, .never = 4, .tvd = 0.1004, .floor_high = 0.1},
         "beyond chance: 4 samples are where no executed instruction begins"},
        {{.n = 9, .never = 4, .beyond = true, .tvd = 0.1006, .floor_high = 0.1},
         "beyond chance: 0.1 % of the samples, or more, are elsewhere"},
        {{.n = 9, .beyond = true, .tvd = 0.1004, .floor_high = 0.1},
         "just beyond chance: for the shares of some instructions, not for all together"},
        {{.n = 9, .even = true}, "more even than chance: intervals are not random, and may match the loop"},
        {{.n = 250, .floor_high = 0.034}, "within chance of 250 samples, which hides differences below 3.4 %"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *sentence = bias_sentence(&(struct bias_row){.stat = rows[i].stat});

        assert_string_equal(sentence, rows[i].says);
        free(sentence);
    }
}

/* A truth for other parameters is refused. */
static void truth_of_others(void **state)
{
    static const char truth[] = "rva,executions,ops,time_sixths,empty_cycles\n"
                                "0x1000,2,2,6,1\n0x1001,200,200,600,0\n0x1004,200,400,6000,0\n"
                                "0x1007,201,200,600,0\n0x1009,2,2,6,0\n";
    struct tool_result got;

    (void)state;
    files_write("boot/truth.csv", truth, strlen(truth));
    got = bias_of("boot/runs/0001-loop-exact", "boot/runs/0003-loop-ibs", NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, "truth.csv beside it has other executions than the exact run"));
    assert_null(strstr(got.out, "Nearest"));
    files_write("boot/truth.csv", "x\n", 2);
    got = bias_of("boot/runs/0001-loop-exact", "boot/runs/0003-loop-ibs", NULL);
    assert_non_null(strstr(got.out, "truth.csv beside it is damaged"));
}

/* 4,096,000 ops in each of eight passes, in intervals of 3,968 to 4,224 ops, have 8000 samples, or 127 more if 64 ops
 * of each handler are part of an interval. Chance is four times sqrt(8 / 12 + 8000 / 12 / 256). */
#define NUMBER(random, more)                                                                                           \
    BY_OPS "random = " random "\n" more "#: ibs.op_period = 4096\n#: ibs.op_random_range = 256\n#: ibs.repeats = 8\n"

static char *number_of(const char *ini, unsigned samples)
{
    static char got[2000];
    char csv[200];

    snprintf(csv, sizeof(csv), MAP "F100 All [samples]\n0x1001,loop,,,add rax,%u\n,(outside the map),,,,500\n",
             samples);
    make("number/exact", WHOLE, "exact.csv",
         "rva,function,file,line,instruction,ops,executions,repetitions,taken,access1\n"
         "0x1001,loop,,,add rax,2,2048000,,,\n");
    make("number/run", ini, "profile.csv", csv);
    snprintf(got, sizeof(got), "%s", bias_of("number/exact", "number/run", NULL).out);
    return got;
}

static void number_of_samples(void **state)
{
    static const struct {
        unsigned samples;
        const char *says;
    } rows[] = {
        {7993, NULL},
        {7992, "MISSING: at least 0.01 % of the samples did not come or were lost\n"},
        {7920, "MISSING: at least 0.91 % of the samples did not come or were lost\n"}, /* one in 100 of 8000 */
        {8134, NULL},
        {8216, "TOO MANY: at least 1.01 % came between the ends of intervals\n"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *got = number_of(NUMBER("yes", "load_latency = 0\n"), rows[i].samples);

        assert_non_null(strstr(got, "\n  the intervals between its ops allow 7993 to 8134 samples\n"));
        if (rows[i].says)
            assert_non_null(strstr(got, rows[i].says));
        assert_int_equal(!rows[i].says, !strstr(got, "MISSING") && !strstr(got, "TOO MANY"));
    }
}

/* If the number of samples to expect is unknown, nothing is said; intervals without a random part fall into step with
 * loops. */
static void number_not_known(void **state)
{
    static const char *const inis[] = {
        NUMBER("no", ""),
        NUMBER("yes", "l3_miss_only = yes\n"),
        NUMBER("yes", "load_latency = 128\n"),
        NUMBER("yes", "once = yes\n"),
        NUMBER("yes", "#: error = 64\n"),
        NUMBER("yes", "#: samples.op_lost = 1\n"),
        BY_OPS "random = yes\n#: ibs.op_period = 64\n#: ibs.repeats = 8\n",
        BY_OPS "random = yes\n#: ibs.op_period = 4096\n",
        BY_CYCLES "random = yes\n#: ibs.op_period = 4096\n#: ibs.repeats = 8\n",
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(inis) / sizeof(inis[0]); i++)
        assert_null(strstr(number_of(inis[i], 20), "the intervals between its ops"));
    assert_non_null(strstr(number_of(NUMBER("yes", "l3_miss_only = no\n"), 20), "the intervals between its ops"));
}

static void misused(void **state)
{
    (void)state;
    assert_int_equal(tool_run(&command_bias, NULL).status, EXIT_USAGE);
    assert_int_equal(bias_of("boot", NULL, NULL).status, EXIT_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences),
        cmocka_unit_test_setup(all_ways, make_truth),
        cmocka_unit_test_setup(facts_that_may_differ, make_runs),
        cmocka_unit_test_setup(runs_that_do_not_belong, make_runs),
        cmocka_unit_test_setup(truth_of_others, make_runs),
        cmocka_unit_test(number_of_samples),
        cmocka_unit_test(number_not_known),
        cmocka_unit_test(misused),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
