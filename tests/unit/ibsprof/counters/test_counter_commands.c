/* SPDX-License-Identifier: BSD-2-Clause */
/* * Runs that sampled or counted events: pmc.csv, counts.csv and run.ini as ibsboot writes them, and the whole text of
 * 'ibsprof report' about them. The files below expected/ were checked by hand; the figures are at the tables below. */
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
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/counters/pmc_run.h"

/* Has samples of clocks, instructions, DC misses and the timer. */
static const char csv[] =
    "rva,function,file,line,instruction,076 CPU_CLK_UNHALTED [samples],0C0 RETIRED_INSTRUCTIONS [samples],"
    "041 DATA_CACHE_MISSES [samples],timer [samples]\n"
    "0x401010,hot,made/hot.c,10,push rbp,10,4,0,1\n"
    "0x401011,hot,made/hot.c,11,\"mov ecx, 0x64\",20,6,0,2\n"
    "0x401016,hot,made/hot.c,13,\"mov eax, dword ptr [rsi+rcx*4]\",170,30,25,17\n"
    "0x401019,hot,made/hot.c,13,\"add dword ptr [rdi], \"\"eax\"\"\",0,0,0,0\n"
    "0x401030,cold,work/cold.c,7,nop,40,10,5,4\n"
    "0x401031,cold,,,jmp 401010,0,0,0,0\n"
    ",(outside the map),,,,60,10,0,6\n";
/* Clocks: 240 in the map, 300 in all; instructions 50 and 60; misses 30; the timer 24 and 30. */

/* Clocks were counted all the time, in two runs; instructions are in group 0 and misses in group 1, which had 3 and 1
 * million ticks: 75 and 25 % of the time. */
static const char ini[] = "#: figures = model\n#: timer.us = 500\n#: groups = 2\n"
                          "#: group.0.run.0 = 1000000 ticks, 3 slices\n#: group.0.run.1 = 2000000 ticks, 3 slices\n"
                          "#: group.1.run.0 = 1000000 ticks, 3 slices\n#: group.53.run.0 = 7 ticks\n"
                          "#: event.0 = 076\n#: event.0.groups = 0 1\n#: event.0.period = 100000\n"
                          "#: event.0.active_ppm = 1000000\n#: event.0.runs = 2\n"
                          "#: event.1.groups = 0 x\n#: event.1.period = 50000\n#: event.1.active_ppm = 750000\n"
                          "#: event.1.runs = 1\n#: event.2.groups = 1 53\n#: event.2.period = 1000\n"
                          "#: event.2.active_ppm = 250000\n#: event.2.runs = 1\n#: event.9.period = 1\nnonsense\n";
/* Clocks: weight 100000, 300 * 100000 / 2 = 15,000,000 a run. Instructions: 50000 / 0.75 = 66,667 each, 4,000,000.
 * Misses: 4000 each, 120,000. The timer: 30 * 500 us. */

static void write_run(const char *folder, const char *pmc, const char *facts)
{
    char name[100];

    snprintf(name, sizeof(name), "%s/pmc.csv", folder);
    files_write(name, pmc, strlen(pmc));
    snprintf(name, sizeof(name), "%s/run.ini", folder);
    files_write(name, facts, strlen(facts));
}

static void counter_samples(void **state)
{
    char folder[300], file[320];
    struct tool_result got;

    write_run("pmc", csv, ini);
    snprintf(folder, sizeof(folder), "%s", files_path("pmc"));
    tool_writes(tool_run(&command_report, folder, NULL), "counters/pmc.txt");
    tool_writes(tool_run(&command_report, "--by=function", folder, NULL), "counters/pmc-function.txt");
    tool_writes(tool_run(&command_report, "--by=line", "--view=ipc_assess", "--width=100", folder, NULL),
                "counters/pmc-line.txt");
    tool_writes(tool_run(&command_report, "--view=timer", "--view=ipc_assess", folder, NULL),
                "counters/pmc.txt"); /* all views that exist */
    got = tool_run(&command_report, "--view=timer", folder, NULL);
    assert_null(strstr(got.out, "\nIPC assessment"));
    assert_non_null(strstr(got.out, "\nTime-based profile"));
    tool_expect(tool_run(&command_report, "--csv", folder, NULL), EXIT_DONE, csv, "");
    snprintf(file, sizeof(file), "%s", files_path("out.csv"));
    tool_expect(tool_run(&command_report, "--csv", "-o", file, folder, NULL), EXIT_DONE, "", "");
    tool_expect(tool_run(&command_report, "-o", "/nowhere/at/all", folder, NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all: cannot be written: No such file or directory\n");
    tool_expect(tool_run(&command_report, "-o", "/dev/full", folder, NULL), EXIT_OUTPUT, "",
                "ibsprof: /dev/full: cannot be written: No space left on device\n");
    /* Other forms show samples of IBS, of which there are none. */
    assert_int_equal(tool_run(&command_report, "--json", folder, NULL).status, EXIT_INPUT);
}

/* A line above the columns that names the origin of the figures is printed, too. */
static void origin(void **state)
{
    char text[sizeof(csv) + 40];

    snprintf(text, sizeof(text), "# MODEL: made up by a test\n%s", csv);
    write_run("origin", text, ini);
    tool_expect(tool_run(&command_report, "--csv", files_path("origin"), NULL), EXIT_DONE, text, "");
}

/* A run on silicon has no facts of the events: the periods are the usual ones. */
static void without_facts(void **state)
{
    struct tool_result got;

    write_run("plain", csv, "#: figures = silicon\n");
    got = tool_run(&command_report, files_path("plain"), NULL);
    assert_null(strstr(got.out, "MODEL"));
    expect_file(got.out, "counters/pmc-plain.txt");
    write_run(
        "few",
        "rva,function,file,line,instruction,041 DATA_CACHE_MISSES [samples]\n0x10,f,,,nop,3\n,(outside the map),,,,0\n",
        "");
    got = tool_run(&command_report, files_path("few"), NULL);
    assert_non_null(strstr(got.out, "\nNo view has only these events; --csv has their samples by instruction.\n"));
    got = tool_run(&command_report, "--view=ipc_assess", files_path("few"), NULL);
    assert_null(strstr(got.out, "No view is made"));
    assert_null(strstr(got.out, "IPC"));
    assert_string_equal(got.err, "ibsprof: FILES/few: no table 'ipc_assess': its events were not counted\n");
    assert_int_equal(got.status, EXIT_USAGE);
    /* With all views there is still none. */
    got = tool_run(&command_report, "--view=all", files_path("few"), NULL);
    assert_string_equal(got.err, "");
    assert_int_equal(got.status, EXIT_DONE);
}

/* Rows of the file become instructions with their events. */
static void rows(void **state)
{
    static const struct {
        uint32_t rva, length, line;
        uint16_t func, file;
        const char *text;
    } wanted[] = {
        {0x401010, 1, 10, 0, 0, "push rbp"},
        {0x401011, 5, 11, 0, 0, "mov ecx, 0x64"},
        {0x401016, 3, 13, 0, 0, "mov eax, dword ptr [rsi+rcx*4]"},
        {0x401019, 1, 13, 0, 0, "add dword ptr [rdi], \"eax\""}, /* the next instruction is too far away to tell */
        {0x401030, 1, 7, 1, 1, "nop"},
        {0x401031, 1, 0, 1, 0xffff, "jmp 401010"},
    };
    struct pmc_run run;
    char file[300];

    write_run("pmc", csv, ini);
    for (int by_file = 0; by_file < 2; by_file++) {
        /* The operand is the folder, or any file in it. */
        snprintf(file, sizeof(file), "%s", files_path(by_file ? "pmc/run.ini" : "pmc"));
        assert_int_equal(pmc_run_read(&run, file), PMC_RUN_READ);
        assert_int_equal(run.map.insn_count, 6);
        for (unsigned i = 0; i < 6; i++) {
            const struct codemap_insn *insn = &run.map.insns[i];

            assert_int_equal(insn->rva, wanted[i].rva);
            assert_int_equal(insn->length, wanted[i].length);
            assert_int_equal(insn->line, wanted[i].line);
            assert_int_equal(insn->func, wanted[i].func);
            assert_int_equal(insn->file, wanted[i].file);
            assert_string_equal(run.map.strings + insn->text, wanted[i].text);
        }
        assert_int_equal(run.map.func_count, 2);
        assert_int_equal(run.map.funcs[0].rva, 0x401010);
        assert_int_equal(run.map.funcs[0].size, 10);
        assert_int_equal(run.map.funcs[1].size, 2);
        assert_string_equal(run.map.strings + run.map.funcs[1].name, "cold");
        assert_int_equal(run.map.file_count, 2);
        assert_string_equal(run.map.strings + run.map.files[1], "work/cold.c");
        assert_true(run.is_model);
        assert_int_equal(run.profile.event_count, 4);
        assert_int_equal(run.profile.event[0].samples, 300);
        assert_int_equal(run.profile.event[0].outside, 60);
        assert_int_equal(run.profile.event[0].period, 100000);
        assert_int_equal(run.profile.event[0].runs, 2);
        assert_int_equal(run.profile.event[0].active, 1000000);
        assert_int_equal(run.profile.event[1].active, 3000000);
        assert_int_equal(run.profile.event[1].possible, 4000000);
        assert_int_equal(run.profile.event[2].active, 1000000);
        assert_int_equal(run.profile.event[2].possible, 4000000);
        assert_int_equal(run.profile.event[3].period, 500);
        assert_int_equal(run.profile.event[3].runs, 1);
        assert_int_equal(run.profile.rows[2 * 4 + 1], 30);
        assert_int_equal(run.profile.rows[4 * 4 + 3], 4);
        pmc_run_free(&run);
        assert_null(run.map.insns);
    }
    assert_int_equal(pmc_run_read(&run, files_path("nothing")), PMC_RUN_NONE);
    files_write("empty/x", "", 0);
    assert_int_equal(pmc_run_read(&run, files_path("empty")), PMC_RUN_NONE);
}

/* An event that took turns, but whose groups are unknown, has its own fraction. */
static void fractions(void **state)
{
    static const struct {
        const char *facts;
        uint64_t active, possible;
    } rows[] = {
        {"", 1000000, 1000000},
        {"#: event.0.active_ppm = 400000\n", 400000, 1000000},
        {"#: event.0.active_ppm = 400000\n#: event.0.groups = 3\n#: group.3.run.0 = 5 ticks\n#: group.4.run.0 = 15 "
         "ticks\n",
         5, 20},
        {"#: event.0.active_ppm = 1000000\n#: event.0.groups = 3\n#: group.3.run.0 = 5 ticks\n#: group.4.run.0 = 15 "
         "ticks\n",
         1000000, 1000000},
        {"#: event.0.groups = 52 0\n#: group.0.run.0 = 5 ticks\n#: group.52.run.3 = 7 ticks\n#: group.1.run.0 = 1 "
         "ticks\n",
         12, 13},
        {"#: event.0.groups =\n#: group.0.run.0 = 5 ticks\n", 1000000, 1000000},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pmc_run run;

        write_run("one", "rva,function,file,line,instruction,076 X [samples]\n0x10,f,,,nop,3\n", rows[i].facts);
        assert_int_equal(pmc_run_read(&run, files_path("one")), PMC_RUN_READ);
        assert_int_equal(run.profile.event[0].active, rows[i].active);
        assert_int_equal(run.profile.event[0].possible, rows[i].possible);
        assert_false(run.is_model);
        pmc_run_free(&run);
    }
}

static void damaged(void **state)
{
#define HEAD "rva,function,file,line,instruction,076 CPU_CLK_UNHALTED [samples]\n"
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "line 0: it is empty"},
        {"rva,function,file,line,instruction\n", "line 1: these are not the columns of a run's pmc.csv"},
        {"address,function,file,line,instruction,076 X [samples]\n",
         "line 1: these are not the columns of a run's pmc.csv"},
        {"rva,function,file,line,instruction,nothing\n", "line 1: a column that is not an event of Family 10h"},
        {"rva,function,file,line,instruction,timer [samples],076 X\n",
         "line 1: a column that is not an event of Family 10h"},
        {HEAD "0x10,f,,,nop,3", "line 2: it ends in the middle of a line"},
        {HEAD "0x10,f,,,nop\n", "line 2: it has more or fewer fields than the first line"},
        {HEAD "0x10,f,,,nop,3,4\n", "line 2: it has more or fewer fields than the first line"},
        {HEAD "0x10,\"f,,,nop,3\n", "line 2: it has more or fewer fields than the first line"},
        {HEAD "0x10,\"f\"x,,,nop,3\n", "line 2: it has more or fewer fields than the first line"},
        {HEAD "0x10,f,,,nop,3\n0x10,f,,,nop,3\n", "line 3: addresses do not ascend"},
        {HEAD "0x10,f,,,nop,3\n0xf,f,,,nop,3\n", "line 3: addresses do not ascend"},
        {HEAD "0x100000000,f,,,nop,3\n", "line 2: addresses do not ascend"},
    };

    char wide[20 * PMC_PROFILE_EVENTS + 100];
    size_t used = (size_t)snprintf(wide, sizeof(wide), "rva,function,file,line,instruction");

    for (unsigned i = 0; i <= PMC_PROFILE_EVENTS; i++) /* one column more than allowed */
        used += (size_t)snprintf(wide + used, sizeof(wide) - used, ",0%02x X", i % 250);
    snprintf(wide + used, sizeof(wide) - used, "\n");
    write_run("wide", wide, "");
    tool_expect(tool_run(&command_report, files_path("wide"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/wide/pmc.csv: line 1: these are not the columns of a run's pmc.csv\n");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char error[400];

        write_run("bad", rows[i].text, "");
        snprintf(error, sizeof(error), "ibsprof: FILES/bad/pmc.csv: %s\n", rows[i].error);
        tool_expect(tool_run(&command_report, files_path("bad"), NULL), EXIT_INPUT, "", error);
    }
}

/* ---------------------------------------------------------------- beside samples of IBS */

/* The counts are for General Exploration, of a million cycles: retiring has 1.8 / 3 of the slots; 5000 mispredicted
 * branches of 12 cycles are 6 % bad speculation, of which 2 % were waited for (0D2); the front end has 10 % less the
 * other 4 %; the back end 25 % less 2 %; slack is 5 %. */
static const char counts[] =
    "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n"
    "076,00,0,CPU_CLK_UNHALTED,counted,4,1000000,999000,1001000,500,17,3,999546\n"
    "0c0,00,0,RETIRED_INSTRUCTIONS,counted,4,1500000,1500000,1500000,0,9,0,1000000\n"
    "0c1,00,0,RETIRED_UOPS,counted,4,1800000,1800000,1800000,0,9,0,1000000\n"
    "0d0,00,0,DECODER_EMPTY,counted,4,100000,100000,100000,0,9,0,990000\n"
    "0d1,00,0,DISPATCH_STALLS,counted,4,250000,250000,250000,0,9,0,990000\n"
    "0d2,00,0,DISPATCH_STALL_FOR_BRANCH_ABORT,counted,4,20000,20000,20000,0,9,0,990000\n"
    "0c3,00,0,RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS,counted,4,5000,5000,5000,0,9,0,990000\n"
    "0d3,00,0,DISPATCH_STALL_FOR_SERIALIZATION,not modelled,,,,,,,,\n"
    "0d4,00,0,DISPATCH_STALL_FOR_SEGMENT_LOAD,not counted,,,,,,,,\n";

static void make_ibs_run(const char *folder, const char *facts)
{
    made_run_begin();
    made_run_op(4, (struct made_op){.at = 0x401010, .data = 40 << 16 | 1});
    made_run_op(
        1, (struct made_op){.at = 0x401016, .data = 100 << 16 | 1, .data3 = IBS_LD_OP | IBS_DC_MISS | 60ull << 32});
    made_run_write(folder, facts);
    program_make("program.elf");
}

/* The cells are empty because the event's turn never came: it has no figures and no views, and its cells stay empty. */
static void never_counted(void **state)
{
    static const char empty[] =
        "rva,function,file,line,instruction,076 CPU_CLK_UNHALTED [samples],0C0 RETIRED_INSTRUCTIONS [samples],"
        "041 DATA_CACHE_MISSES [samples]\n"
        "0x10,f,,,nop,3,,2\n,(outside the map),,,,0,,0\n";
    struct tool_result got;

    write_run("turns", empty, "");
    got = tool_run(&command_report, files_path("turns"), NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, "0C0               250000  was not measured\n"));
    assert_null(strstr(got.out, "IPC assessment"));
    tool_expect(tool_run(&command_report, "--csv", files_path("turns"), NULL), EXIT_DONE, empty, "");
    got = tool_run(&command_report, "--view=ipc_assess", files_path("turns"), NULL);
    assert_int_equal(got.status, EXIT_USAGE);
    expect_text(got.err, "ibsprof: FILES/turns: no table 'ipc_assess': its events were not counted\n");
}

static const char *no_exploration(const char *run)
{
    static char text[500];

    snprintf(text, sizeof(text),
             "ibsprof: FILES/%s: there is no such exploration: config=explore makes a tree (cores=all one by core), "
             "config=explore_functions "
             "and explore_deep tables by function and line; on Linux, perf record -e r76,rc0,rc1,rc3,rd0,rd1,rd2 also "
             "by module, process and thread\n",
             run);
    return text;
}

/* With the events of config=explore_functions CPI and level 1 are shown by function, and by line on request. */
static void explored_functions(void **state)
{
    static const char samples[] =
        "rva,function,file,line,instruction,076 CPU_CLK_UNHALTED [samples],0C0 RETIRED_INSTRUCTIONS [samples],"
        "0C1 RETIRED_UOPS [samples],0C3 RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS [samples],"
        "0D0 DECODER_EMPTY [samples],0D1 DISPATCH_STALLS [samples],0D2 DISPATCH_STALL_FOR_BRANCH_ABORT [samples],"
        "0C2 RETIRED_BRANCH_INSTRUCTIONS [samples]\n"
        "0x401010,a_function_with_a_long_name,made/hot.c,10,nop,4000,3000,6000,10,50,2000,20,400\n"
        "0x401016,a_function_with_a_long_name,made/hot.c,13,nop,1000,800,900,5,100,300,0,100\n"
        "0x401030,cold,work/cold.c,7,nop,40,10,12,0,2,10,0,10\n,(outside the map),,,,0,0,0,0,0,0,0,0\n";
    char facts[1000] = "#: figures = silicon\n";
    struct tool_result got;

    for (int i = 0; i < 8; i++)
        snprintf(facts + strlen(facts), sizeof(facts) - strlen(facts),
                 "#: event.%d.period = 10000\n#: event.%d.runs = 1\n#: event.%d.active_ppm = 1000000\n", i, i, i);
    write_run("functions", samples, facts);
    tool_writes(tool_run(&command_report, files_path("functions"), NULL), "explore/explore-functions.txt");
    got = tool_run(&command_report, "--by=line", files_path("functions"), NULL);
    assert_non_null(strstr(got.out, "\nGeneral Exploration by source line"));
    assert_non_null(strstr(got.out, "\nhot.c:10 "));
    got = tool_run(&command_report, "--view=ipc_assess", files_path("functions"), NULL);
    assert_null(strstr(got.out, "General Exploration"));
    /* The table alone is shown in each form. */
    tool_writes(tool_run(&command_report, "--view=exploration", files_path("functions"), NULL),
                "explore/explored-functions.txt");
    tool_writes(tool_run(&command_report, "--view=exploration", "--csv", files_path("functions"), NULL),
                "explore/explored-functions.csv");
    tool_writes(tool_run(&command_report, "--view=exploration", "--csv", "--by=line", files_path("functions"), NULL),
                "explore/explored-lines.csv");
    tool_writes(tool_run(&command_report, "--view=exploration", "--json", files_path("functions"), NULL),
                "explore/explored-functions.json");
    tool_expect(tool_run(&command_report, "--view=exploration", "--by=module", files_path("functions"), NULL),
                EXIT_USAGE, "",
                "ibsprof: FILES/functions: only files of Linux have modules, processes and threads: without an "
                "operating system one program runs\n");
    tool_expect(tool_run(&command_report, "--view=exploration", "--view=ipc_assess", files_path("functions"), NULL),
                EXIT_USAGE, "",
                "ibsprof: report: --view=exploration stands alone, as text, csv, json or html; 'ibsprof report --help' "
                "explains\n");
    /* The runs here have no such table. */
    tool_expect(tool_run(&command_report, "--view=exploration", "--csv", files_path("pmc"), NULL), EXIT_USAGE, "",
                no_exploration("pmc"));
    tool_expect(tool_run(&command_report, "--view=exploration", "--by=core", files_path("functions"), NULL), EXIT_USAGE,
                "", no_exploration("functions"));
    tool_expect(tool_run(&command_report, "--view=exploration", "-o", "/dev/full", files_path("functions"), NULL),
                EXIT_OUTPUT, "", "ibsprof: /dev/full: cannot be written: No space left on device\n");
}

/* Returns the part of a JSON from one key to the next key of the outermost object. */
static const char *part(const char *json, const char *key)
{
    static char text[60000];
    const char *from = strstr(json, key);

    if (from == NULL)
        return "";
    snprintf(text, sizeof(text), "%s", from);
    return text;
}

static void exploration(void **state)
{
    static const char facts[] =
        "workload = \"loop\"\n#: figures = model\n#: config = explore\n#: ibs.op_ctl = 0xe003e\n";
    struct tool_result got;

    make_ibs_run("explore", facts);
    files_write("explore/counts.csv", counts, sizeof(counts) - 1);
    files_write("explore/pmc.csv", csv, sizeof(csv) - 1);
    got = tool_run(&command_report, "--json", files_path("explore"), NULL);
    assert_int_equal(got.status, EXIT_DONE);
    expect_file(part(got.out, "\"counters\":{"), "explore/explore.json");
    /* In a text the tree comes first; counter samples follow the tables of IBS. */
    got = tool_run(&command_report, "--by=function", files_path("explore"), NULL);
    assert_int_equal(got.status, EXIT_DONE);
    expect_file(got.out, "explore/explore.txt");
    assert_non_null(strstr(got.out, "\nCounter samples\nEvent "));
    assert_non_null(strstr(got.out, "IPC assessment by function"));
    /* The tree alone. */
    tool_writes(tool_run(&command_report, "--view=exploration", files_path("explore"), NULL),
                "explore/explored-tree.txt");
    tool_writes(tool_run(&command_report, "--view=exploration", "--csv", files_path("explore"), NULL),
                "explore/explored-tree.csv");
    tool_writes(tool_run(&command_report, "--view=exploration", "--json", files_path("explore"), NULL),
                "explore/explored-tree.json");
}

/* A check that passes only because passes differ in their cycles says by how much: D0 + D1 exceed C by 10 %, and a pass
 * is 4 % from the mean. */
static void exploration_of_unequal_passes(void **state)
{
    static const char json[] =
        "{\"says\":\"D0 + D1 \\u003c= 1.02 C\",\"verdict\":\"%s\",\"left\":%u,\"right\":1000000%s}";
    static const struct {
        unsigned empty;
        const char *verdict, *spread;
    } rows[] = {{770000, "pass", ""}, {850000, "pass", ",\"cycles_spread_ppm\":40000"}, {880000, "fail", ""}};

    make_ibs_run("unequal", "workload = \"loop\"\n#: config = explore\n#: ibs.op_ctl = 0xe003e\n");
    for (unsigned i = 0; i < 3; i++) {
        char *text = must_text("076,00,0,CPU_CLK_UNHALTED,counted,4,1000000,960000,1040000,40000,17,3,999546\n"
                               "0d0,00,0,DECODER_EMPTY,counted,4,%u,1,1,0,9,0,990000\n"
                               "0d1,00,0,DISPATCH_STALLS,counted,4,250000,250000,250000,0,9,0,990000\n",
                               rows[i].empty);
        char *file = must_text("%.*s%s", (int)(strchr(counts, '\n') + 1 - counts), counts, text);
        char *wanted = must_text(json, rows[i].verdict, rows[i].empty + 250000, rows[i].spread);

        files_write("unequal/counts.csv", file, strlen(file));
        assert_non_null(strstr(tool_run(&command_report, "--json", files_path("unequal"), NULL).out, wanted));
        free(wanted);
        free(file);
        free(text);
    }
}

/* The elapsed time stands above the tables: of counters alone, and of single views of IBS. */
static void elapsed(void **state)
{
    write_run("elapsed", csv, "#: figures = silicon\n#: elapsed_us = 1002030\n");
    assert_non_null(strstr(tool_run(&command_report, "--view=timer", files_path("elapsed"), NULL).out,
                           "\nElapsed   1.002030 s in the last pass\n"));
    make_ibs_run("elapsed-ibs", "#: figures = model\n#: elapsed_us = 652\n");
    for (unsigned i = 0; i < 2; i++)
        assert_non_null(
            strstr(tool_run(&command_report, i ? "--view=ibs_op" : "--by=core", files_path("elapsed-ibs"), NULL).out,
                   "\nElapsed   0.000652 s in the last pass, in the model's time\n"));
}

/* Each of two cores has a tree: core 0's stalls are all a quarter larger, and core 13 has no samples of IBS. Core 1 did
 * not work. */
static void exploration_by_core(void **state)
{
    static const char facts[] =
        "workload = \"loop\"\n#: figures = model\n#: config = explore\n#: ibs.op_ctl = 0xe003e\n"
        "#: elapsed_us = 1002030\n"
        "#: core.0.works = 1\n#: core.1.works = 0\n#: core.13.works = 1\n";
    static char cores[8000];
    struct tool_result got;

    make_ibs_run("cores", facts);
    files_write("cores/counts.csv", counts, sizeof(counts) - 1);
    strcpy(cores, "core,");
    for (unsigned core = 0; core < 14; core += 13)
        for (const char *line = counts, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            bool stalls = strncmp(line, "0d1", 3) == 0 && core == 0;

            if (line == counts && core > 0)
                continue;
            if (line > counts)
                sprintf(cores + strlen(cores), "%u,", core);
            if (stalls)
                strcat(cores, "0d1,00,0,DISPATCH_STALLS,counted,4,500000,500000,500000,0,9,0,990000\n");
            else
                strncat(cores, line, (size_t)(end + 1 - line));
        }
    tool_expect(tool_run(&command_report, "--view=exploration", "--by=core", files_path("cores"), NULL), EXIT_USAGE, "",
                no_exploration("cores"));
    files_write("cores/core-counts.csv", cores, strlen(cores));
    tool_writes(tool_run(&command_report, "--view=exploration", "--by=core", files_path("cores"), NULL),
                "explore/explored-cores.txt");
    tool_writes(tool_run(&command_report, "--view=exploration", "--by=core", "--csv", files_path("cores"), NULL),
                "explore/explored-cores.csv");
    tool_writes(tool_run(&command_report, "--view=exploration", "--by=core", "--json", files_path("cores"), NULL),
                "explore/explored-cores.json");
    got = tool_run(&command_report, "--by=core", files_path("cores"), NULL);
    assert_non_null(strstr(got.out, "\nElapsed   1.002030 s in the last pass, in the model's time\n"));
    assert_non_null(strstr(got.out, "\nGeneral Exploration by core           core 0   core 13\n"));
    assert_non_null(strstr(tool_run(&command_report, "--json", files_path("cores"), NULL).out, "\"core_trees\":["));
}

/* The image's check is made if the workload's instructions are known: each working core retires them, less the ret of
 * an empty workload. A view that was asked for, and rows by core, are shown without the tree. */
static void exploration_expected(void **state)
{
    static const struct {
        const char *facts, *check;
    } rows[] = {
        {"", "not checked C0 = expected + CF + exceptions\n"},
        {"#: expected.0c0:00 = 1500001\n", "PASS        C0 = expected + CF + exceptions: 1500000 against 1500000\n"},
        {"#: expected.0c0:00 = 750001\n#: core.0.works = 1\n#: core.2.works = 1\n#: core.3.works = 0\n",
         "PASS        C0 = expected + CF + exceptions: 1500000 against 1500000\n"},
        {"#: cost.l2 = 16\n#: cost.memory = 150\n#: cost.tlb_l2 = 4\n#: cost.walk = 20\n#: cost.forward = 6\n",
         "(12); measured before the run: L2 hit\n(16), memory access (150), L2 TLB hit (4), page walk (20), forwarding "
         "(6);"},
        {"#: cost.l2 = 16\n",
         "mispredict (12), L2 hit (16), memory access (140),\nL2 TLB hit (3), page walk (30), forwarding (7);"},
        {"#: expected.0c0:00 = 1500000\n", "FAIL        C0 = expected + CF + exceptions: 1500000 against 1499999\n"},
    };
    char text[sizeof(counts) + 100];

    snprintf(text, sizeof(text), "%s0cf,00,0,INTERRUPTS_TAKEN,counted,4,0,0,0,0,9,0,1000000\n", counts);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char facts[300];

        snprintf(facts, sizeof(facts), "#: config = explore\n#: ibs.op_ctl = 0xe003e\n%s", rows[i].facts);
        make_ibs_run("expected", facts);
        files_write("expected/counts.csv", text, strlen(text));
        assert_non_null(strstr(tool_run(&command_report, files_path("expected"), NULL).out, rows[i].check));
    }
    assert_null(strstr(tool_run(&command_report, "--view=ibs_op", files_path("expected"), NULL).out, "Exploration"));
    assert_null(strstr(tool_run(&command_report, "--by=core", files_path("expected"), NULL).out, "Exploration"));
}

/* The time of memory is known only for runs that counted ops, with samples; the tree is config=explore's. */
static void exploration_needs(void **state)
{
    static const struct {
        const char *facts;
        bool tree, memory;
    } rows[] = {
        {"#: config = explore\n#: ibs.op_ctl = 0xe003e\n", true, true},
        {"#: config = explore\n#: ibs.op_ctl = 0x6003e\n", true, false}, /* cycles were counted */
        {"#: config = explore\n", true, false},
        {"#: config = count\n#: ibs.op_ctl = 0xe003e\n", false, false},
        {"", false, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *at;

        make_ibs_run("needs", rows[i].facts);
        files_write("needs/counts.csv", counts, sizeof(counts) - 1);
        at = part(tool_run(&command_report, "--json", files_path("needs"), NULL).out, "\"counters\":{");
        assert_non_null(strstr(at, "\"event\":\"RETIRED_UOPS\",\"state\":\"counted\",\"repeats\":4,\"mean\":1800000"));
        assert_int_equal(strstr(at, "\"tree\":") != NULL, rows[i].tree);
        /* One of five ops waited for 60 cycles, more than the back end's 0.13 of each. */
        at = strstr(at, "{\"name\":\"Memory bound\",");
        if (rows[i].tree)
            assert_int_equal(strncmp(strstr(at, "\"state\":"), "\"state\":\"known\",\"value_ppm\":230000,", 35) == 0,
                             rows[i].memory);
    }
    /* There is no tree without counts.csv, nor with one of another kind. */
    make_ibs_run("none", "#: config = explore\n");
    assert_string_equal(part(tool_run(&command_report, "--json", files_path("none"), NULL).out, "\"counters\""), "");
    files_write("none/counts.csv", "nothing\n", 8);
    assert_string_equal(part(tool_run(&command_report, "--json", files_path("none"), NULL).out, "\"counters\""), "");
    files_write("none/pmc.csv", "nothing\n", 8);
    assert_string_equal(part(tool_run(&command_report, "--json", files_path("none"), NULL).out, "\"counter_samples\""),
                        "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counter_samples),
        cmocka_unit_test(origin),
        cmocka_unit_test(elapsed),
        cmocka_unit_test(without_facts),
        cmocka_unit_test(rows),
        cmocka_unit_test(never_counted),
        cmocka_unit_test(fractions),
        cmocka_unit_test(damaged),
        cmocka_unit_test(exploration),
        cmocka_unit_test(exploration_of_unequal_passes),
        cmocka_unit_test(explored_functions),
        cmocka_unit_test(exploration_by_core),
        cmocka_unit_test(exploration_needs),
        cmocka_unit_test(exploration_expected),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
