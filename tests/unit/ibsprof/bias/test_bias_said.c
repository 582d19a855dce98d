/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what 'ibsprof bias' says in addition to the comparison: what sampling changed, whose figures these are, and
 * useless runs. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/bias/bias.h"

#define RUN                                                                                                            \
    "workload = \"loop\"\n#: workload.n = 10\n#: figures = silicon\n#: ibs.op_ctl = 0xa0020\n#: ibs.op_period = "      \
    "4096\n#: ibs.op_random_range = 256\n#: ibs.repeats = 8\nrandom = yes\n"
#define COUNTED                                                                                                        \
    "#: sampling = changed\n#: sampling.cycles.undisturbed = 1000000\n#: sampling.cycles.sampled = 1012300\n"          \
    "#: sampling.dc_misses.undisturbed = 100\n#: sampling.dc_misses.sampled = 90\n"                                    \
    "#: sampling.walks.undisturbed = 99\n#: sampling.walks.sampled = 990\n"                                            \
    "#: sampling.mispredicted.undisturbed = 5000\n"                                                                    \
    "#: sampling.instructions.undisturbed = 5000\n#: sampling.instructions.sampled = 6000\n"                           \
    "#: sampling.l2.undisturbed = 0\n#: sampling.l2.sampled = 7\n"

static void put(const char *path, const char *text)
{
    files_write(path, text, strlen(text));
}

/* Runs 'ibsprof bias' on a run with these lines of run.ini, whose samples are all at one instruction. */
static struct tool_result bias_with(const char *lines, unsigned samples, const char *option)
{
    char ini[2000], csv[300];

    put("exact/run.ini", "workload = \"loop\"\n#: workload.n = 10\n#: figures = silicon\n#: exact.whole = 1\n");
    put("exact/exact.csv", "rva,function,file,line,instruction,ops,executions,repetitions,taken,access1\n"
                           "0x1001,loop,,,add rax,2,2048000,,,\n");
    snprintf(ini, sizeof(ini), RUN "%s", lines);
    put("run/run.ini", ini);
    snprintf(csv, sizeof(csv),
             "rva,function,file,line,instruction,F100 All [samples]\n0x1001,loop,,,add rax,%u\n"
             ",(outside the map),,,,5\n",
             samples);
    put("run/profile.csv", csv);
    return tool_run(&command_bias, files_path("exact"), files_path("run"), option, NULL);
}

static void expect_line(const char *text, const char *line)
{
    if (!strstr(text, line))
        fail_msg("'%s' is not in\n%s", line, text);
}

/* Names changes that are not rare: of 10,000 cycles one or more, and no instructions. */
TEST(what_sampling_changed)
{
    expect_line(bias_with(COUNTED, 8000, NULL).out, "\n  sampling changed cycles +1.23 %, DC misses -10.00 %\n");
    expect_line(bias_with("#: sampling = changed\n", 8000, NULL).out,
                "\n  sampling changed nothing that was counted\n");
    expect_line(bias_with("#: sampling = not known: no counter is free\n", 8000, NULL).out,
                "\n  sampling: its effect is not known: no counter is free\n");
    expect_line(bias_with("", 8000, NULL).out, "\n  sampling: its effect is not known; reference=yes counts it\n");
    expect_line(bias_with("once = yes\n", 8000, NULL).out,
                "\n  sampling: one sample per pass, so that nothing before it was disturbed\n");
    assert_null(strstr(bias_with("once = yes\n", 8000, NULL).out, "not known"));
    expect_line(bias_with("once = yes\n" COUNTED, 8000, NULL).out,
                "\n  sampling: one sample per pass, so that nothing before it was disturbed\n"
                "  sampling changed cycles +1.23 %, DC misses -10.00 %\n");
}

TEST(numbers_in_json)
{
    const char *out = bias_with("", 7920, "--json").out;

    expect_line(out, "\"against\":\"macro-ops\",\"samples\":7920,\"outside\":5,");
    expect_line(out, "\"least\":7992.7");
    expect_line(out, "\"most\":8134.2");
    expect_line(out, "\"missing\":0.0091039601");
    out = bias_with("", 8216, "--json").out;
    expect_line(out, "\"missing\":0,\"surplus\":0.0100");
    expect_line(out, "\"figures\":null");
    assert_null(strstr(bias_with("#: error = 64\n", 7920, "--json").out, "\"least\":"));
}

/* A model's figures are called that, below the first line. */
TEST(whose_figures)
{
    put("model/run.ini", "workload = \"loop\"\n#: workload.n = 10\n#: figures = MODEL: made up\n#: exact.whole = 1\n");
    put("model/exact.csv", "rva,function,file,line,instruction,ops,executions,repetitions,taken,access1\n"
                           "0x1001,loop,,,add rax,2,2048000,,,\n");
    (void)bias_with("", 8000, NULL);
    expect_line(tool_run(&command_bias, files_path("model"), files_path("run"), NULL).out,
                "Exact counts of loop (model): 2048000 instructions, 4096000 macro-ops, at 1\n    addresses\n"
                "MODEL: made up\n\n1 run: ");
    assert_null(strstr(bias_with("", 8000, NULL).out, "MODEL"));
}

TEST(runs_of_no_use)
{
    char large[] = "run.ini is no text: \0";

    (void)bias_with("", 8000, NULL);
    put("begun/begun.ini", "workload = \"loop\"\n#: workload.n = 10\n#: phase = saving perf.data\n");
    tool_expect(tool_run(&command_bias, files_path("begun"), files_path("run"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/begun: it was not finished: name finished runs\n");
    files_write("damaged/run.ini", large, sizeof(large));
    tool_expect(tool_run(&command_bias, files_path("damaged"), files_path("run"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/damaged: run.ini beside it is not text, or larger than 1 MiB\n");
    put("counted/runs/0001-a/run.ini", RUN);
    put("counted/runs/0002-b/run.ini", RUN);
    tool_expect(tool_run(&command_bias, files_path("exact"), files_path("counted"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/counted: none of its runs sampled\n");
}

/* An address above 4 GB does not belong to the image, though its low half may. */
TEST(instructions_by_address)
{
    struct bias_insn insn[] = {{.rva = 0x1001}, {.rva = 0x1004}};
    struct bias_exact exact = {.insn = insn, .insns = 2};

    assert_int_equal(bias_exact_find(&exact, 0x1001), 0);
    assert_int_equal(bias_exact_find(&exact, 0x1004), 1);
    assert_int_equal(bias_exact_find(&exact, 0x1002), 2);
    assert_int_equal(bias_exact_find(&exact, 0x100001004), 2);
    assert_int_equal(bias_exact_find(&(struct bias_exact){.insns = 0}, 0x1001), 0);
}

RUN_TESTS(NULL, files_end)
