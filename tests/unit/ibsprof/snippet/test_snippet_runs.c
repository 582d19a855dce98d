/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof snippet --of: counts of two bodies subtracted, IBS samples by instruction, and runs that do not belong
 * together. */
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
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/snippet/snippet_runs.h"

#define MODEL  "MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon."
#define HEADER "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n"

/* The parameters are two instructions, 5 copies, 10 iterations: 100 in body 2. */
#define PARAMETERS                                                                                                     \
    "workload = \"pair\"\n#: core.0.works = 1\n"                                                                       \
    "#: workload.loop = 10\n#: workload.unroll = 5\n#: workload.instructions = 2\n"
#define SILICON "#: figures = silicon\n"

static void make(const char *folder, const char *ini, const char *counts)
{
    char name[200];

    snprintf(name, sizeof(name), "%s/run.ini", folder);
    files_write(name, ini, strlen(ini));
    snprintf(name, sizeof(name), "%s/counts.csv", folder);
    if (counts)
        files_write(name, counts, strlen(counts));
}

static struct tool_result of(const char *a, const char *b)
{
    char *first = strdup(files_path(a)), *second = b ? strdup(files_path(b)) : NULL;
    struct tool_result result = tool_run(&command_snippet, "--of", first, second, NULL);

    free(first);
    free(second);
    return result;
}

static int make_runs(void **state)
{
    (void)state;
    make("empty/0001-pair-count", PARAMETERS "#: workload.body = 1\n#: figures = " MODEL "\n",
         HEADER "0c0,00,0,RETIRED_INSTRUCTIONS,counted,3,40,40,40,0,0,0,1000000\n"
                "076,00,0,CPU_CLK_UNHALTED,counted,6,50,48,53,0,0,0,1000000\n"
                "0c4,00,0,RETIRED_TAKEN,not modelled,,,,,,,,\n"
                "041,07,2,MISSES,counted,3,9,9,9,0,0,0,1000000\n");
    make("body/0001-pair-count", PARAMETERS "#: workload.body = 2\n#: figures = " MODEL "\n",
         HEADER "076,00,0,CPU_CLK_UNHALTED,counted,6,250,247,256,0,0,0,1000000\n"
                "0c0,00,0,RETIRED_INSTRUCTIONS,counted,3,140,140,140,0,0,0,1000000\n"
                "0c4,00,0,RETIRED_TAKEN,counted,3,7,7,7,0,0,0,1000000\n"
                "041,07,2,MISSES,counted,3,4,4,4,0,0,0,1000000\n"
                "041,07,0,MISSES,counted,3,4,4,4,0,0,0,1000000\n");
    /* There are two runs of body 3, whose means are averaged, each with one repeat. */
    make("twice/0001-pair-count", PARAMETERS SILICON "#: workload.body = 3\n",
         HEADER "076,00,0,CPU_CLK_UNHALTED,counted,1,450,450,450,0,0,0,1000000\n");
    make("twice/0002-pair-count", PARAMETERS SILICON "#: workload.body = 3\n",
         HEADER "076,00,0,CPU_CLK_UNHALTED,counted,1,452,452,452,0,0,0,1000000\n");
    make("once", PARAMETERS SILICON "#: workload.body = 2\n",
         HEADER "076,00,0,CPU_CLK_UNHALTED,counted,1,250,250,250,0,0,0,1000000\n");
    make("none", PARAMETERS SILICON "#: workload.body = 1\n",
         HEADER "076,00,0,CPU_CLK_UNHALTED,counted,1,50,50,50,0,0,0,1000000\n");
    return 0;
}

static void subtracts_the_empty_loop(void **state)
{
    (void)state;
    tool_expect(of("body", "empty"), EXIT_DONE,
                "Snippet pair: 2 instructions, 5 times in a loop of 10\n" MODEL "\n"
                "\n"
                "Counts: the snippet (body=2, 3 repeats) minus the empty loop (body=1, 3 repeats)\n"
                "                                   instruction      least       most    snippet\n"
                "076:00 CPU_CLK_UNHALTED                 2.0000     1.9400     2.0800     4.0000\n"
                "0C0:00 RETIRED_INSTRUCTIONS             1.0000     1.0000     1.0000     2.0000\n"
                "0C4:00 RETIRED_TAKEN: not counted in both\n"
                "041:07 MISSES                          -0.0500    -0.0500    -0.0500    -0.1000\n"
                "041:07 MISSES: not counted in both\n"
                "This also subtracts cycles of the empty loop that the body hides; body=3 minus\n"
                "body=2 does not.\n",
                "");
}

static void subtracts_other_bodies(void **state)
{
    (void)state;
    tool_expect(of("twice", "once"), EXIT_DONE,
                "Snippet pair: 2 instructions, 5 times in a loop of 10\n"
                "\n"
                "Counts: the snippet twice (body=3, 2 repeats) minus the snippet (body=2, 1 repeat)\n"
                "                                   instruction      least       most    snippet\n"
                "076:00 CPU_CLK_UNHALTED                 2.0100     2.0000     2.0200     4.0200\n",
                "");
    tool_expect(of("none", "once"), EXIT_DONE,
                "Snippet pair: 2 instructions, 5 times in a loop of 10\n"
                "\n"
                "Counts: the snippet (body=2, 1 repeat) minus the empty loop (body=1, 1 repeat)\n"
                "                                   instruction      least       most    snippet\n"
                "076:00 CPU_CLK_UNHALTED                 2.0000          -          -     4.0000\n"
                "This also subtracts cycles of the empty loop that the body hides; body=3 minus\n"
                "body=2 does not.\n",
                "");
    /* There are twice as many instructions between bodies 1 and 3. */
    assert_non_null(strstr(of("twice", "none").out, "2.0050     2.0000     2.0100     4.0100"));
}

struct refused {
    const char *ini, *counts, *said;
};

static const struct refused refused[] = {
    {"workload = \"tight-loop\"\n", HEADER,
     "it is not a run of a snippet: its run.ini has no workload.loop; 'ibsprof snippet TEXT' makes one"},
    {PARAMETERS, HEADER,
     "it is not a run of a snippet: its run.ini has no workload.body; 'ibsprof snippet TEXT' makes one"},
    {PARAMETERS "#: workload.body = 4\n", HEADER, "body=4 is not a body of a snippet"},
    {PARAMETERS "#: workload.body = 2\n#: core.1.works = 1\n", HEADER,
     "its counts are sums of 2 cores: run the snippet on one core"},
    {PARAMETERS "#: workload.body = 2\n", "select,mask\n", "its counts.csv is damaged: copy the run again"},
    {PARAMETERS "#: workload.body = 2\n", NULL,
     "it has neither counts nor samples: config=count counts, config=ibs samples"},
};

static void refuses_runs(void **state)
{
    char folder[40], said[400];

    (void)state;
    for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        snprintf(folder, sizeof(folder), "refused-%u", i);
        make(folder, refused[i].ini, refused[i].counts);
        snprintf(said, sizeof(said), "ibsprof: FILES/%s: %s\n", folder, refused[i].said);
        tool_expect(of(folder, NULL), EXIT_INPUT, "", said);
    }
    tool_expect(of("nowhere", NULL), EXIT_INPUT, "", "ibsprof: FILES/nowhere: there is no run\n");
    tool_expect(of("once", NULL), EXIT_INPUT, "",
                "ibsprof: all counts are from body=2: count body=1 as well, to subtract it\n");
    tool_expect(of("none", NULL), EXIT_INPUT, "",
                "ibsprof: all counts are from body=1: count body=2 as well, to subtract it\n");
    assert_int_equal(tool_run(&command_snippet, "--of", NULL).status, EXIT_USAGE);
}

/* Runs of two snippets, or with two lengths of one, are not subtracted. */
static void refuses_others(void **state)
{
    static const char *const others[][2] = {
        {"workload = \"other\"\n#: workload.loop = 10\n#: workload.unroll = 5\n#: workload.instructions = 2\n",
         "its workload is other, but that of FILES/once is pair: name runs of one workload"},
        {"workload = \"pair\"\n#: workload.loop = 11\n#: workload.unroll = 5\n#: workload.instructions = 2\n",
         "it has loop=11, but FILES/once has 10: name runs that differ only in the body"},
        {"workload = \"pair\"\n#: workload.loop = 10\n#: workload.unroll = 6\n#: workload.instructions = 2\n",
         "it has unroll=6, but FILES/once has 5: name runs that differ only in the body"},
        {"workload = \"pair\"\n#: workload.loop = 10\n#: workload.unroll = 5\n#: workload.instructions = 3\n",
         "it has instructions=3, but FILES/once has 2: name runs that differ only in the body"},
    };
    char ini[300], said[400];

    (void)state;
    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        snprintf(ini, sizeof(ini), "%s#: workload.body = 1\n", others[i][0]);
        make("another", ini, HEADER);
        snprintf(said, sizeof(said), "ibsprof: FILES/another: %s\n", others[i][1]);
        tool_expect(of("once", "another"), EXIT_INPUT, "", said);
    }
    make("three/0001-a", PARAMETERS "#: workload.body = 1\n", HEADER);
    make("three/0002-b", PARAMETERS "#: workload.body = 2\n", HEADER);
    make("three/0003-c", PARAMETERS "#: workload.body = 3\n", HEADER);
    tool_expect(of("three", NULL), EXIT_INPUT, "",
                "ibsprof: three bodies were counted: name the runs of two of them\n");
}

/* ---------------------------------------------------------------- IBS */

enum { TEXT = 0x1000, ONCE = 0x10c0, TWICE = 0x1100, COPY = 7, TEXT_SIZE = 0x200 };

static void sample(uint64_t at, unsigned tag, unsigned completion)
{
    made_run_op(1, (struct made_op){.at = at, .data = (uint64_t)tag << 16 | completion});
}

/* Samples 'imul rax, rbx; add rcx, rax' five times from ONCE on, ten times from TWICE on. */
static void sample_copies(uint64_t begin, unsigned copies)
{
    made_run_begin();
    made_info.text_rva = made_info.text_offset = TEXT;
    made_info.text_size = TEXT_SIZE;
    made_info.elf_name = "pair.elf";
    made_info.build_id = NULL;
    sample(begin - 1, 1, 1);
    sample(begin, 30, 3);
    sample(begin + COPY, 50, 1);
    sample(begin + (copies - 1) * COPY, 40, 2);
    sample(begin + (copies - 1) * COPY + 4, 65535, 0);
    sample(begin + 1, 1, 1); /* within an instruction */
    sample(begin + copies * COPY, 1, 1);
    sample(0x10000000, 1, 1);
    made_run_fetch(1, (struct made_fetch){.at = begin});
}

static const char *make_elf(const char *name)
{
    const char *path = files_path(name);

    assert_int_equal(
        tool_run(&command_snippet, "--unroll=5", "--loop=10", "-o", path, "imul rax, rbx; add rcx, rax", NULL).status,
        EXIT_DONE);
    return path;
}

#define SAMPLES                                                                                                        \
    " 4 of 8 on the snippet; cycles, nothing subtracted\n"                                                             \
    "                                      tag to retirement completion to ret.\n"                                     \
    "                             samples median least  most median least  most\n"                                     \
    "imul rax, rbx                      3     40    30    50      2     1     3\n"                                     \
    "add rcx, rax                       1  65535 65535 65535      0     0     0\n"

static void samples_by_instruction(void **state)
{
    (void)state;
    sample_copies(ONCE, 5);
    made_run_write("ibs-once", PARAMETERS SILICON "#: workload.body = 2\n");
    tool_expect(of("ibs-once", NULL), EXIT_INPUT, "Snippet pair: 2 instructions, 5 times in a loop of 10\n",
                "ibsprof: FILES/ibs-once: pair.elf: it is missing: the run was saved with the file, whose code says "
                "which instructions were sampled\n");
    make_elf("ibs-once/pair.elf");
    tool_expect(of("ibs-once", NULL), EXIT_DONE,
                "Snippet pair: 2 instructions, 5 times in a loop of 10\n\nIBS op samples: body=2," SAMPLES, "");
    sample_copies(TWICE, 10);
    made_run_write("ibs-twice", PARAMETERS SILICON "#: workload.body = 3\n");
    make_elf("ibs-twice/pair.elf");
    tool_expect(of("ibs-twice", NULL), EXIT_DONE,
                "Snippet pair: 2 instructions, 5 times in a loop of 10\n\nIBS op samples: body=3," SAMPLES, "");
    made_run_write("ibs-empty", PARAMETERS SILICON "#: workload.body = 1\n");
    tool_expect(of("ibs-empty", NULL), EXIT_DONE,
                "Snippet pair: 2 instructions, 5 times in a loop of 10\n\n"
                "IBS op samples of the empty loop (body=1) are on no instruction of the snippet.\n",
                "");
}

static void damaged_samples(void **state)
{
    (void)state;
    sample_copies(ONCE, 5);
    made_run_write("ibs-text", PARAMETERS SILICON "#: workload.body = 2\n");
    files_write("ibs-text/pair.elf", "text", 4);
    assert_non_null(strstr(of("ibs-text", NULL).err, "pair.elf: "));
    make_elf("ibs-cut/pair.elf");
    files_write("ibs-cut/run.ini", PARAMETERS "#: workload.body = 2\n", strlen(PARAMETERS "#: workload.body = 2\n"));
    files_write("ibs-cut/perf.data", "PERF", 4);
    assert_int_equal(of("ibs-cut", NULL).status, EXIT_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subtracts_the_empty_loop),
        cmocka_unit_test(subtracts_other_bodies),
        cmocka_unit_test(refuses_runs),
        cmocka_unit_test(refuses_others),
        cmocka_unit_test(samples_by_instruction),
        cmocka_unit_test(damaged_samples),
    };

    return cmocka_run_group_tests(tests, make_runs, files_end);
}
