/* SPDX-License-Identifier: BSD-2-Clause */
/* * The commands on one small run: all their output, and their messages when they are used wrongly. The files below
 * expected/ were checked by hand against the samples of make_samples, whose sums are at its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "core/profile/csv.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

/* Instructions of program.s. */
enum {
    PUSH = 0x401010,
    SET = 0x401011,
    LOAD = 0x401016,
    ADD = 0x401019,
    DEC = 0x40101b,
    JNZ = 0x40101d,
    POP = 0x40101f,
    RET = 0x401020,
    COLD = 0x401030,
    HANDLER = 0x401040,
    NOWHERE = 0x77
};

#define TIMES(tag_, comp_) ((uint64_t)(tag_) << 16 | (comp_)) /* cycles to retirement, from tag and completion */
#define LATENCY(cycles_)   ((uint64_t)(cycles_) << 32)

static char run[300];

static const char ini[] = "workload = \"loop\"\nn = 8\n\n#: figures = model\n#: machine.name = made by a test\n"
                          "#: silicon.HWCR = 0x1000000\n#: silicon.DC_CFG = faults\n#: core.1.silicon.PAT = 0x7\n"
                          "#: workload.n = 8\n#: workload.work = 800\n#: workload.unit = turns\n"
                          "#: core.0.node = 0\n#: core.1.node = 1\n";

static void make_samples(void)
{
    const uint64_t load = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID, missed = load | IBS_DC_MISS,
                   walked = IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS;
    const uint64_t done = IBS_FETCH_COMP | IBS_FETCH_PHY_VALID;

    made_run_begin();
    made_info.cores = 2;
    made_run_op(1, (struct made_op){.at = PUSH, .data = TIMES(10, 2)});
    made_run_op(2, (struct made_op){.at = SET, .data = TIMES(10, 2)});
    made_run_op(10, (struct made_op){.at = LOAD, .data = TIMES(20, 5), .data3 = load, .address = 0x7000000});
    made_run_op(6, (struct made_op){.at = LOAD,
                                    .data = TIMES(30, 5),
                                    .data2 = IBS_NB_NONE,
                                    .data3 = missed | LATENCY(15),
                                    .address = 0x7000040});
    made_run_op(3, (struct made_op){.at = LOAD,
                                    .data = TIMES(180, 5),
                                    .data2 = IBS_NB_DRAM,
                                    .data3 = missed | LATENCY(150),
                                    .address = 0x7000080,
                                    .cpu = 1});
    made_run_op(1, (struct made_op){.at = LOAD,
                                    .data = TIMES(300, 5),
                                    .data2 = IBS_NB_DRAM | IBS_NB_DST_PROC,
                                    .data3 = missed | walked | LATENCY(250),
                                    .address = 0x9000080,
                                    .cpu = 1});
    made_run_op(10, (struct made_op){.at = ADD, .data = TIMES(12, 3), .data3 = load | IBS_ST_OP, .address = 0x8000000});
    made_run_op(3, (struct made_op){.at = DEC, .data = TIMES(10, 2)});
    made_run_op(6, (struct made_op){.at = JNZ, .data = TIMES(10, 2) | IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN});
    made_run_op(2, (struct made_op){.at = JNZ, .data = TIMES(10, 2) | IBS_OP_BRN_RET | IBS_OP_BRN_MISP});
    made_run_op(1, (struct made_op){.at = POP, .data = TIMES(10, 2), .data3 = load, .address = 0x7fff000});
    made_run_op(1, (struct made_op){.at = RET,
                                    .data = TIMES(10, 2) | IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN | IBS_OP_RETURN,
                                    .data3 = load,
                                    .address = 0x7fff008});
    made_run_op(2, (struct made_op){.at = COLD, .data = TIMES(8, 1), .cpu = 1});
    made_run_op(5, (struct made_op){.at = HANDLER, .data = TIMES(50, 1)});
    made_run_op(1, (struct made_op){.at = NOWHERE, .data = TIMES(5, 1)});
    made_run_fetch(8, (struct made_fetch){.at = PUSH, .ctl = done | LATENCY(3)});
    made_run_fetch(2, (struct made_fetch){.at = PUSH});
    made_run_fetch(5, (struct made_fetch){.at = LOAD + 1, .ctl = done | IBS_FETCH_IC_MISS | LATENCY(40)});
    made_run_fetch(1, (struct made_fetch){
                          .at = LOAD + 1, .ctl = IBS_FETCH_L1TLB_MISS | IBS_FETCH_L2TLB_MISS | LATENCY(90), .cpu = 1});
    made_run_fetch(1, (struct made_fetch){.at = HANDLER, .ctl = done | LATENCY(3)});
    /* 54 ops: 46 in hot, 2 in cold, 6 elsewhere; 48 on core 0. Tag to retirement 1771 cycles, completion to retirement
     * 170. 32 loads (20 + 10 + 1 + 1), 10 stores, 9 branches. 10 loads missed: 6 * 15 + 3 * 150 + 250 = 790 cycles;
     * they take 6 * 30 + 3 * 180 + 300 = 1020 to retirement. 17 fetches: 2 killed, 14 completed, 1 aborted; latency of
     * those that were not killed 8 * 3 + 5 * 40 + 90 + 3 = 317. */
}

static int begin(void **state)
{
    make_samples();
    snprintf(run, sizeof(run), "%s", made_run_write("run", ini));
    program_make("program.elf");
    return 0;
}

static void reports(void **state)
{
    tool_writes(tool_run(&command_report, run, NULL), "report/report.txt");
    tool_writes(tool_run(&command_report, "--by=instruction", run, NULL), "report/report-instruction.txt");
    tool_writes(tool_run(&command_report, "--by", "function", run, NULL), "report/report-function.txt");
    tool_writes(tool_run(&command_report, "--by=line", run, NULL), "report/report-line.txt");
    tool_writes(tool_run(&command_report, "--by=core", run, NULL), "report/report-core.txt");
    tool_writes(tool_run(&command_report, "--by=core", "--csv", run, NULL), "report/report-core.csv");
    tool_writes(tool_run(&command_report, "--view=all", run, NULL), "report/report-all.txt");
    tool_writes(tool_run(&command_report, "--csv", run, NULL), "report/report.csv");
    tool_writes(tool_run(&command_report, "--json", run, NULL), "report/report.json");
    tool_writes(tool_run(&command_report, "--folded", run, NULL), "report/report.folded");
    tool_writes(tool_run(&command_report, "--folded", "--all-samples", "--event=F101", run, NULL),
                "report/report-all.folded");
}

static void report_options(void **state)
{
    /* Functions are sorted by misses, then by cycles to retirement: cold's 16 are fewer than handler's 250. */
    tool_writes(tool_run(&command_report, "--event=F206", "--view=ibs_dclat", "--width=100", run, NULL),
                "report/report-misses.txt");
    tool_writes(tool_run(&command_report, "--event", "F101", "--limit=14.2", "--width=60", run, NULL),
                "report/report-cycles.txt");
    tool_writes(tool_run(&command_report, "--view=ibs_dclat", "--view=ibs_op", "--by=function", run, NULL),
                "report/report-two-views.txt");
    tool_writes(tool_run(&command_report, "--object=program.elf", "--view=ibs_op", "--by=line", run, NULL),
                "report/report-object.txt");
    tool_writes(tool_run(&command_report, "--core=1", run, NULL), "report/report-core-1.txt");
    tool_writes(tool_run(&command_report, "--node=1", "--core=0-1", "--by=core", run, NULL),
                "report/report-node-1.txt");
    tool_writes(tool_run(&command_report, "--view=list", NULL), "counters/views.txt");
    struct tool_result none = tool_run(&command_report, "--view=br_assess", run, NULL);
    assert_int_equal(none.status, EXIT_USAGE);
    assert_string_equal(none.err, "ibsprof: FILES/run: no table 'br_assess': its events were not counted\n");
    tool_writes(tool_run(&command_report, "--help", NULL), "usage/usage-report.txt");
    tool_writes(tool_run(&command_report, "-h", NULL), "usage/usage-report.txt");
    for (int i = 0; i < 2; i++) {
        const char *forms[] = {"--format=text", "--format=csv"}, *files[] = {"report/report.txt", "report/report.csv"};

        tool_writes(tool_run(&command_report, forms[i], run, NULL), files[i]);
    }
}

static void report_to_a_file(void **state)
{
    static const char *const options[] = {"-o", "--output"};

    for (int i = 0; i < 2; i++) {
        char name[300];

        snprintf(name, sizeof(name), "%s", files_path(i ? "one.csv" : "two.csv"));
        tool_expect(tool_run(&command_report, "--csv", options[i], name, run, NULL), EXIT_DONE, "", "");
        expect_file(files_read(name), "report/report.csv");
    }
    tool_writes(tool_run(&command_report, "--csv", "-o", "-", run, NULL), "report/report.csv");
    tool_expect(tool_run(&command_report, "-o", "/nowhere/at/all", run, NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all: cannot be written: No such file or directory\n");
    /* The output is longer than the stream's buffer: the reason is still reported. */
    tool_expect(tool_run(&command_report, "--json", "-o", "/dev/full", run, NULL), EXIT_OUTPUT, "",
                "ibsprof: /dev/full: cannot be written: No space left on device\n");
}

/* The page has the profile as JSON, and the scripts that draw it. */
static void report_page(void **state)
{
    struct tool_result got = tool_run(&command_report, "--html", run, NULL);
    const char *data = strstr(got.out, "<script type=\"application/json\" id=\"profile\">\n"), *end;
    char *lines, *views;

    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, "<title>loop</title>"));
    assert_non_null(strstr(got.out, "</body>\n</html>\n"));
    assert_non_null(data);
    data = strchr(data, '\n') + 1;
    end = strstr(data, "</script>");
    assert_non_null(end);
    char *json = strndup(data, (size_t)(end - data));
    /* Only the page has cache lines. */
    lines = strstr(json, "\"cache_lines\":");
    assert_non_null(lines);
    views = strstr(lines, "\"views\":");
    memmove(lines, views, strlen(views) + 1);
    expect_file(json, "report/report.json");
    free(json);
}

/* The answer to a name that means no event of the run lists all events; to a name that means several events, these. */
static void refuses_event(struct tool_result got, const char *name)
{
    expect_text(got.out, "");
    expect_file(got.err, name);
    assert_int_equal(got.status, EXIT_USAGE);
}

static void report_mistakes(void **state)
{
    static const struct {
        const char *option, *error;
    } rows[] = {
        {"--view=ibs_nothing",
         "ibsprof: report: --view is a name that 'ibsprof report --view=list' lists, not 'ibs_nothing'\n"},
        {"--by=file", "ibsprof: report: --by is instruction, line, function, core, module, process, thread, fetch, "
                      "region, page, "
                      "cache-line, object, load, caller, callee, stack, branch or block, not 'file'\n"},
        {"--format=pdf", "ibsprof: report: --format is text, csv, json, html, folded or autofdo, not 'pdf'\n"},
        {"--limit=101", "ibsprof: report: --limit takes a number from 0 to 100, not '101'\n"},
        {"--limit=-1", "ibsprof: report: --limit takes a number from 0 to 100, not '-1'\n"},
        {"--limit=", "ibsprof: report: --limit takes a number from 0 to 100, not ''\n"},
        {"--limit=5x", "ibsprof: report: --limit takes a number from 0 to 100, not '5x'\n"},
        {"--width=59", "ibsprof: report: --width takes a whole number from 60 to 200, not '59'\n"},
        {"--width=79.5", "ibsprof: report: --width takes a whole number from 60 to 200, not '79.5'\n"},
        {"--width=201", "ibsprof: report: --width takes a whole number from 60 to 200, not '201'\n"},
        {"--core=x", "ibsprof: report: --core is a list of numbers below 1024, such as 0,2-3, not 'x'\n"},
        {"--node=1-", "ibsprof: report: --node is a list of numbers below 1024, such as 0,2-3, not '1-'\n"},
        {"--wiht=99", "ibsprof: report: no option '--wiht'; did you mean '--width'?\n"},
        {"--f", "ibsprof: report: several options begin with '--f'\n"},
        {"-Q", "ibsprof: report: no option '-Q'\n"},
        {"--no-pager=1", "ibsprof: report: no option '--no-pager'; 'ibsprof report --help' lists them\n"},
        {"--help=1", "ibsprof: report: --help takes no value\n"},
        {"--nothing", "ibsprof: report: no option '--nothing'; 'ibsprof report --help' lists them\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        tool_expect(tool_run(&command_report, rows[i].option, run, NULL), EXIT_USAGE, "", rows[i].error);
    tool_expect(tool_run(&command_report, NULL), EXIT_USAGE, "",
                "ibsprof: report: no FILE; 'ibsprof report --help' explains\n");
    tool_expect(tool_run(&command_report, run, "--width", NULL), EXIT_USAGE, "",
                "ibsprof: report: --width takes a value\n");
    tool_expect(tool_run(&command_report, files_path("none"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/none: No such file or directory\n");
    refuses_event(tool_run(&command_report, "--event=F999", run, NULL), "counters/events-none.txt");
    refuses_event(tool_run(&command_report, "--event=Sum of cycles", run, NULL), "counters/events-several.txt");
    tool_expect(tool_run(&command_report, "--core=5", run, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/run: no samples of core 5\n");
    tool_expect(tool_run(&command_report, "--node=7", run, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/run: no samples of node 7\n");
    tool_expect(tool_run(&command_report, "--core=0", "--node=1", run, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/run: no samples of core 0 of node 1\n");
    struct tool_result got = tool_run(&command_report, "--object=other.elf", run, NULL);
    expect_text(got.err, "ibsprof: no samples in a file named 'other.elf', or the file was not found\n");
    assert_int_equal(got.status, EXIT_USAGE);
}

/* The number of repeatable options is limited. */
static void too_many(void **state)
{
    static char file[40];
    const char *words[140] = {NULL};

    for (unsigned i = 0; i < 128; i++)
        words[i] = "--view=ibs_op";
    words[128] = run;
    assert_int_equal(tool_run_words(&command_report, words).status, EXIT_DONE);
    words[128] = "--view=ibs_fetch";
    words[129] = run;
    tool_expect(tool_run_words(&command_report, words), EXIT_USAGE, "",
                "ibsprof: report: --view may be given 128 times, not 'ibs_fetch'\n");
    snprintf(file, sizeof(file), "--views=docs/views.ini");
    for (unsigned i = 0; i < 17; i++)
        words[i] = file;
    words[17] = run;
    words[18] = NULL;
    tool_expect(tool_run_words(&command_report, words), EXIT_USAGE, "",
                "ibsprof: report: --views may be given 16 times, not 'docs/views.ini'\n");
}

/* Options are written as roff needs them: man(7) gives another meaning to '.' and an apostrophe at the beginning of a
 * line, and to '-'. */
static void manual(void **state)
{
    struct tool_result got;

    tool_expect(tool_run(&command_receive, "--manual", NULL), EXIT_DONE,
                ".TP\n.BR \\-\\-to =\\fIDIR\\fR\nmake the runs\\(aq folders in DIR (default: here)\n"
                ".TP\n.BR \\-\\-rate =\\fIBAUD\\fR\n115200, 57600, 38400, 19200 or 9600; rate of a serial port "
                "(default: 115200)\n"
                ".TP\n.BR \\-\\-wait =\\fISECONDS\\fR\nreceive all transmissions until nothing has arrived\n"
                "for this long (default: one transmission)\n"
                ".TP\n.BR \\-\\-all\nalso move unfinished runs of a boot server\n"
                ".TP\n.BR \\-\\-confirm =\\fIDIR\\fR\nwrite answers for the machines into DIR of the boot server, "
                "where they look for them\n"
                ".TP\n.BR \\-\\-archive =\\fIARCHIVE\\fR\nadd the runs of a boot server to this archive, before "
                "they are confirmed\n",
                "");
    got = tool_run(&command_compare, "--manual", NULL);
    assert_non_null(strstr(got.out, "\\&."));
}

/* The questions that ibsprof.bash asks. */
static void completions(void **state)
{
    struct tool_result got = tool_run(&command_report, "--complete", NULL);

    assert_true(strncmp(got.out, "--view=\n--by=\n", 14) == 0);
    assert_non_null(strstr(got.out, "\n--csv\n"));    /* an option without an argument */
    assert_non_null(strstr(got.out, "\n--symfs=\n")); /* an option of several commands */
    assert_non_null(strstr(got.out, "\n--help\n"));
    tool_expect(tool_run(&command_report, "--complete", "by", NULL), EXIT_DONE,
                "instruction\nline\nfunction\ncore\nmodule\nprocess\nthread\nfetch\nregion\npage\ncache-"
                "line\nobject\nload\ncaller\ncallee\nstack\nbranch\nblock\n",
                "");
    tool_expect(tool_run(&command_export, "--complete", "format", NULL), EXIT_DONE,
                "csv\njsonl\nperf.data\nfolded\nautofdo\nkonata\nhtml\n", "");
    tool_expect(tool_run(&command_compare, "--complete", "regime", NULL), EXIT_DONE, "firmware\nmasked\nalone\n", "");
    tool_expect(tool_run(&command_report, "--complete", "limit", NULL), EXIT_DONE, "", ""); /* no words */
    got = tool_run(&command_report, "--complete", "view", NULL);
    assert_non_null(strstr(got.out, "\nibs_dclat\n"));
    assert_non_null(strstr(got.out, "\nall\nlist\n"));
}

/* The last of options that exclude each other counts; "-" is standard output. */
static void last_option_holds(void **state)
{
    struct tool_result got = tool_run(&command_report, "--by=line", run, NULL);
    char wanted[20000];

    snprintf(wanted, sizeof(wanted), "%s", got.out);
    tool_expect(tool_run(&command_report, "--json", "--by=core", "--by=line", "--format=text", "-o", "-", run, NULL),
                EXIT_DONE, wanted, "");
}

/* The limits themselves are accepted. */
static void report_limits(void **state)
{
    static const char *const options[] = {"--limit=0", "--limit=100", "--width=60", "--width=200"};

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        assert_int_equal(tool_run(&command_report, options[i], run, NULL).status, EXIT_DONE);
}

/* A report is one column narrower than the terminal, and its hottest rows are bold unless NO_COLOR is set. */
static void report_on_a_terminal(void **state)
{
    static const struct {
        unsigned columns, width;
    } rows[] = {{80, 79}, {100, 99}, {61, 60}, {60, 60}, {20, 60}, {201, 200}, {300, 200}, {0, 79}};

    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tool_result got = tool_run_on_terminal(rows[i].columns, &command_report, "--view=ibs_op", run, NULL);
        const char *rule = strstr(got.out, "\r\n=====");

        assert_non_null(rule);
        assert_int_equal(strspn(rule + 2, "="), rows[i].width);
        assert_non_null(strstr(got.out, "\r\n\033[1m>401016 mov eax"));
    }
    setenv("NO_COLOR", "1", 1);
    assert_null(strchr(tool_run_on_terminal(80, &command_report, "--view=ibs_op", run, NULL).out, '\033'));
    setenv("NO_COLOR", "", 1);
    assert_non_null(strchr(tool_run_on_terminal(80, &command_report, "--view=ibs_op", run, NULL).out, '\033'));
    setenv("TERM", "dumb", 1);
    assert_null(strchr(tool_run_on_terminal(80, &command_report, "--view=ibs_op", run, NULL).out, '\033'));
    unsetenv("TERM");
    assert_non_null(strchr(tool_run_on_terminal(80, &command_report, "--view=ibs_op", run, NULL).out, '\033'));
}

/* Pages and JSON have the text of source lines if it is found, also in a folder that is named. */
static void source_of_pages(void **state)
{
    static const char text[] = "[\"made/hot.c\",12,\"\\u0009loop\"]", none[] = "[\"made/hot.c\",12,null]";
    char option[300];

    files_write("text/made/hot.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\nvoid hot(void)\n{\n\tloop\n\t\tsum();\n}\n", 51);
    snprintf(option, sizeof(option), "--source-dir=%s", files_path("text"));
    for (int i = 0; i < 2; i++) {
        const char *form = i ? "--html" : "--json";

        assert_non_null(strstr(tool_run(&command_report, form, run, NULL).out, none));
        assert_non_null(strstr(tool_run(&command_report, form, option, run, NULL).out, text));
    }
    tool_expect(tool_run(&command_report, "--html", "--source-dir=/nowhere/at/all", run, NULL), EXIT_USAGE, "",
                "ibsprof: report: --source-dir takes an existing folder, not '/nowhere/at/all'\n");
}

/* ---------------------------------------------------------------- annotate */

static void annotates(void **state)
{
    char file[300];

    tool_writes(tool_run(&command_annotate, run, NULL), "annotate/annotate.txt");
    tool_writes(tool_run(&command_annotate, "--limit=3.7", run, NULL), "annotate/annotate-three.txt");
    tool_writes(tool_run(&command_annotate, "--event=F201", "--width=60", run, "hot", NULL),
                "annotate/annotate-loads.txt");
    /* Several events have columns: 20 + 10 + 1 loads, 10 stores, 10 misses. */
    tool_writes(tool_run(&command_annotate, "--event=IBS load", "--event=F202", "--event=DC miss", run, "hot", NULL),
                "annotate/annotate-events.txt");
    tool_writes(tool_run(&command_annotate, run, "cold", "handler", NULL), "annotate/annotate-named.txt");
    tool_writes(tool_run(&command_annotate, run, "[c]old", "h?ndl*", NULL), "annotate/annotate-named.txt");
    tool_writes(tool_run(&command_annotate, "--help", NULL), "usage/usage-annotate.txt");
    tool_writes(tool_run(&command_annotate, "-h", NULL), "usage/usage-annotate.txt");
    /* The function's source is found in --source-dir, by its whole name or by its last part. */
    files_write("source/made/hot.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\nvoid hot(void)\n{\n\tloop\n\t\tsum();\n}\n", 51);
    snprintf(file, sizeof(file), "--source-dir=%s", files_path("source"));
    tool_writes(tool_run(&command_annotate, file, run, "hot", NULL), "annotate/annotate-source.txt");
    snprintf(file, sizeof(file), "--source-dir=%s", files_path("source/made"));
    tool_writes(tool_run(&command_annotate, file, run, "hot", NULL), "annotate/annotate-source.txt");
    tool_expect(tool_run(&command_annotate, "--source-dir=/nowhere/at/all", run, NULL), EXIT_USAGE, "",
                "ibsprof: annotate: --source-dir takes an existing folder, not '/nowhere/at/all'\n");
    snprintf(file, sizeof(file), "%s", files_path("hot.txt"));
    tool_expect(tool_run(&command_annotate, "-o", file, run, NULL), EXIT_DONE, "", "");
    expect_file(files_read(file), "annotate/annotate.txt");
}

static void annotate_mistakes(void **state)
{
    static const struct {
        const char *option, *error;
    } rows[] = {
        {"--limit=101", "ibsprof: annotate: --limit takes a number from 0 to 100, not '101'\n"},
        {"--limit=-0.5", "ibsprof: annotate: --limit takes a number from 0 to 100, not '-0.5'\n"},
        {"--limit=", "ibsprof: annotate: --limit takes a number from 0 to 100, not ''\n"},
        {"--limit=1x", "ibsprof: annotate: --limit takes a number from 0 to 100, not '1x'\n"},
        {"--width=59", "ibsprof: annotate: --width takes a whole number from 60 to 400, not '59'\n"},
        {"--width=401", "ibsprof: annotate: --width takes a whole number from 60 to 400, not '401'\n"},
        {"--width=", "ibsprof: annotate: --width takes a whole number from 60 to 400, not ''\n"},
        {"--width=80x", "ibsprof: annotate: --width takes a whole number from 60 to 400, not '80x'\n"},
        {"--core=0,", "ibsprof: annotate: --core is a list of numbers below 1024, such as 0,2-3, not '0,'\n"},
        {"--nothing", "ibsprof: annotate: no option '--nothing'; 'ibsprof annotate --help' lists them\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        tool_expect(tool_run(&command_annotate, rows[i].option, run, NULL), EXIT_USAGE, "", rows[i].error);
    refuses_event(tool_run(&command_annotate, "--event=F999", run, NULL), "counters/events-none.txt");
    tool_expect(tool_run(&command_annotate, NULL), EXIT_USAGE, "",
                "ibsprof: annotate: no FILE; 'ibsprof annotate --help' explains\n");
    tool_expect(tool_run(&command_annotate, files_path("none"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/none: No such file or directory\n");
    tool_expect(tool_run(&command_annotate, "-o", "/nowhere/at/all", run, NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all: cannot be written: No such file or directory\n");
    tool_expect(tool_run(&command_annotate, "-o", "/dev/full", run, NULL), EXIT_OUTPUT, "",
                "ibsprof: /dev/full: cannot be written: No space left on device\n");
    tool_expect(tool_run(&command_annotate, run, "nothing", NULL), EXIT_USAGE,
                "MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n\n",
                "ibsprof: FILES/run: no samples in a function 'nothing'\n");
    /* No sampled store was locked. */
    tool_expect(tool_run(&command_annotate, "--event=F20F", run, NULL), EXIT_INPUT,
                "MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n\n",
                "ibsprof: FILES/run: no samples of IBS locked operation in a function whose name is known\n");
}

static void annotate_on_a_terminal(void **state)
{
    static const struct {
        unsigned columns, width;
    } rows[] = {{80, 80}, {60, 60}, {59, 60}, {400, 400}, {401, 400}, {0, 79}};

    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tool_result got = tool_run_on_terminal(rows[i].columns, &command_annotate, run, NULL);
        const char *rule = strstr(got.out, "\r\n=====");

        assert_non_null(rule);
        assert_int_equal(strspn(rule + 2, "="), rows[i].width);
    }
    /* Colours are red from 10 % on, and yellow from 2 %. */
    expect_file(tool_run_on_terminal(80, &command_annotate, run, "hot", NULL).out, "annotate/annotate-colours.txt");
}

/* ---------------------------------------------------------------- info */

static void informs(void **state)
{
    char twice[8192], other[300];
    struct tool_result got;

    tool_writes(tool_run(&command_info, run, NULL), "info/info.txt");
    tool_writes(tool_run(&command_info, "--json", run, NULL), "info/info.json");
    tool_writes(tool_run(&command_info, "-j", run, NULL), "info/info.json");
    tool_writes(tool_run(&command_info, "--help", NULL), "usage/usage-info.txt");
    tool_writes(tool_run(&command_info, "-h", NULL), "usage/usage-info.txt");
    got = tool_run(&command_info, run, NULL);
    snprintf(twice, sizeof(twice), "%s\n%s", got.out, got.out);
    tool_expect(tool_run(&command_info, run, run, NULL), EXIT_DONE, twice, "");
    got = tool_run(&command_info, "--json", run, NULL);
    snprintf(twice, sizeof(twice), "%s%s", got.out, got.out);
    tool_expect(tool_run(&command_info, "--json", run, run, NULL), EXIT_DONE, twice, "");
    tool_expect(tool_run(&command_info, NULL), EXIT_USAGE, "",
                "ibsprof: info: no FILE; 'ibsprof info --help' explains\n");
    tool_expect(tool_run(&command_info, "--nothing", run, NULL), EXIT_USAGE, "",
                "ibsprof: info: no option '--nothing'; 'ibsprof info --help' lists them\n");
    /* If one of two files cannot be read the other is shown, and the status tells it, whichever comes first. */
    snprintf(other, sizeof(other), "%s", files_path("none"));
    got = tool_run(&command_info, run, NULL);
    snprintf(twice, sizeof(twice), "%s\n", got.out);
    tool_expect(tool_run(&command_info, run, other, NULL), EXIT_INPUT, twice,
                "ibsprof: FILES/none: No such file or directory\n");
    got = tool_run(&command_info, run, NULL);
    snprintf(twice, sizeof(twice), "\n%s", got.out);
    tool_expect(tool_run(&command_info, other, run, NULL), EXIT_INPUT, twice,
                "ibsprof: FILES/none: No such file or directory\n");
}

/* A file that ends early is reported, and everything before its end is used. */
static void broken_off(void **state)
{
    char name[400], bytes[20000], *text = NULL;
    FILE *file;
    size_t size;
    struct tool_result got;

    snprintf(name, sizeof(name), "%s/perf.data", run);
    file = fopen(name, "rb");
    size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    /* The damage is in the last of the 71 samples, which ends where the features begin: the type of its record becomes
     * one of a wrong size. */
    for (size_t at = 0; at + 8 < size; at++)
        if (memcmp(bytes + at, "\x09\0\0\0\x02\x40", 6) == 0)
            text = bytes + at;
    text[6] = 3;
    text[7] = 0;
    snprintf(name, sizeof(name), "%s", files_write("broken/perf.data", bytes, size));
    files_write("broken/run.ini", ini, sizeof(ini) - 1);
    got = tool_run(&command_info, files_path("broken"), NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    assert_non_null(strstr(got.err, "ibsprof: FILES/broken/perf.data: offset "));
    assert_non_null(strstr(got.out, "read          only up to this point: FILES/broken/perf.data: offset "));
    assert_non_null(strstr(got.out, "\nsamples       70; 70 in ring 0 (perf calls it user)\n"));
    files_write("100%%/perf.data", bytes, size); /* names are not used as formats */
    got = tool_run(&command_info, files_path("100%%"), NULL);
    assert_non_null(strstr(got.err, "ibsprof: FILES/100%%/perf.data: offset "));
    got = tool_run(&command_info, "--json", files_path("broken"), NULL);
    assert_non_null(strstr(got.out, ",\"error\":\"FILES/broken/perf.data: offset "));
    got = tool_run(&command_report, files_path("broken"), NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    assert_non_null(strstr(got.err, "ibsprof: FILES/broken/perf.data: offset "));
    assert_non_null(strstr(got.out, "IBS ops   54, "));
    got = tool_run(&command_export, "-s", "op", files_path("broken"), NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    got = tool_run(&command_export, "-f", "jsonl", files_path("broken"), NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    snprintf(bytes, sizeof(bytes), "%s", files_path("broken.data"));
    got = tool_run(&command_export, "-f", "perf.data", "-o", bytes, files_path("broken"), NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    got = tool_run(&command_compare, "--resamples=100", run, files_path("broken"), NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    assert_non_null(strstr(got.out, "WARNING: FILES/broken is cut off:"));
}

/* ---------------------------------------------------------------- export */

static void exports(void **state)
{
    char name[300];

    tool_writes(tool_run(&command_export, "--samples=op", run, NULL), "export/export-op.csv");
    tool_writes(tool_run(&command_export, "--format=csv", "-s", "fetch", run, NULL), "export/export-fetch.csv");
    tool_writes(tool_run(&command_export, "--format=jsonl", "--samples=fetch", run, NULL), "export/export-fetch.jsonl");
    tool_writes(tool_run(&command_export, "-f", "folded", run, NULL), "report/report.folded");
    tool_expect(tool_run(&command_export, "-f", "autofdo", run, NULL), EXIT_USAGE, "",
                "ibsprof: FILES/run: no op sample is in a function with a declaration in the debug information (build "
                "with -g)\n");
    tool_writes(tool_run(&command_export, "--help", NULL), "usage/usage-export.txt");
    tool_writes(tool_run(&command_export, "-h", NULL), "usage/usage-export.txt");
    snprintf(name, sizeof(name), "%s", files_path("op.csv"));
    tool_expect(tool_run(&command_export, "-s", "op", "--output", name, run, NULL), EXIT_DONE, "", "");
    expect_file(files_read(name), "export/export-op.csv");
    tool_expect(tool_run(&command_export, "-f", "folded", "-o", name, run, NULL), EXIT_DONE, "", "");
    expect_file(files_read(name), "report/report.folded");
    /* Each sample has a line: 54 ops and 17 fetches. */
    struct tool_result got = tool_run(&command_export, "-f", "jsonl", "-s", "all", run, NULL);
    unsigned lines = 0;
    for (const char *at = got.out; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 54 + 17);
}

/* The branch records of a run are in jsonl; all other forms treat its samples as usual. */
static void branch_records(void **state)
{
    static const struct sample_branches branches[2] = {
        {.entry = {{1ull << 63 | 0x10001020, 3ull << 62 | 0x10001010}, {0x10001040, 1ull << 62 | 0x10001000}}}};
    const char *folder;
    struct tool_result got;

    made_run_begin();
    made_info.branches = branches;
    made_run_op(2, (struct made_op){.at = ADD, .data = TIMES(12, 3)});
    folder = made_run_write("branches", NULL);
    got = tool_run(&command_export, "-f", "jsonl", folder, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(
        got.out,
        ",\"branches\":[{\"from\":\"0x10001020\",\"to\":\"0x10001010\",\"mispredicted\":true,\"wrong_path\":false},"
        "{\"from\":\"0x10001040\",\"to\":\"0x10001000\",\"mispredicted\":false,\"wrong_path\":true}],\"caps\""));
    assert_null(strstr(strstr(got.out, "\"branches\"") + 1, "\"branches\"")); /* the other sample has no branches */
    got = tool_run(&command_report, folder, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, "IBS ops   2"));
}

static void export_mistakes(void **state)
{
    tool_expect(tool_run(&command_export, "-f", "pdf", run, NULL), EXIT_USAGE, "",
                "ibsprof: export: --format is csv, jsonl, perf.data, folded, autofdo, konata or html, not 'pdf'\n");
    tool_expect(tool_run(&command_export, "-s", "some", run, NULL), EXIT_USAGE, "",
                "ibsprof: export: --samples is all, op, fetch or events, not 'some'\n");
    tool_expect(tool_run(&command_export, NULL), EXIT_USAGE, "",
                "ibsprof: export: no FILE; 'ibsprof export --help' explains\n");
    tool_expect(tool_run(&command_export, run, run, NULL), EXIT_USAGE, "",
                "ibsprof: export: more than one FILE; 'ibsprof export --help' explains\n");
    tool_expect(tool_run(&command_export, "--nothing", run, NULL), EXIT_USAGE, "",
                "ibsprof: export: no option '--nothing'; 'ibsprof export --help' lists them\n");
    tool_expect(
        tool_run(&command_export, run, NULL), EXIT_USAGE, "",
        "ibsprof: FILES/run: has several kinds of samples, whose columns differ: choose with --samples=op|fetch\n");
    tool_expect(tool_run(&command_export, "-f", "folded", "-s", "op", run, NULL), EXIT_USAGE, "",
                "ibsprof: --samples is not for autofdo, which is of ops, nor for folded stacks: choose with 'ibsprof "
                "report --format=folded "
                "--event=NAME'\n");
    tool_expect(tool_run(&command_export, "-s", "op", files_path("none"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/none: No such file or directory\n");
    tool_expect(tool_run(&command_export, "-s", "op", "-o", "/nowhere/at/all", run, NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all: cannot be written: No such file or directory\n");
    tool_expect(tool_run(&command_export, "-s", "op", "-o", "/dev/full", run, NULL), EXIT_OUTPUT, "",
                "ibsprof: /dev/full: cannot be written: No space left on device\n");
}

/* An exported perf.data has the same samples and the same map. */
static void exported_perfdata(void **state)
{
    static const char *const kinds[] = {"op", "fetch"};
    char name[300], other[300], wanted[20000];

    snprintf(name, sizeof(name), "%s", files_path("copy/perf.data"));
    snprintf(other, sizeof(other), "%s", files_path("copy"));
    tool_expect(tool_run(&command_export, "--format=perf.data", "-o", name, run, NULL), EXIT_DONE, "", "");
    for (int i = 0; i < 2; i++) {
        struct tool_result got = tool_run(&command_export, "-s", kinds[i], run, NULL);

        snprintf(wanted, sizeof(wanted), "%s", got.out);
        tool_expect(tool_run(&command_export, "-s", kinds[i], other, NULL), EXIT_DONE, wanted, "");
    }
    tool_writes(tool_run(&command_info, other, NULL), "info/info-copy.txt");
    tool_expect(tool_run(&command_export, "--format=perf.data", "-s", "fetch", "-o", name, run, NULL), EXIT_DONE, "",
                "");
    tool_writes(tool_run(&command_info, other, NULL), "info/info-copy-fetch.txt");
}

/* There are several files where one is expected, a file that does not exist, and a copy that was cut short. */
static void wrong_files(void **state)
{
    char cut[300], none[300];
    char *bytes = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&bytes, &size), *from;
    int c;

    snprintf(none, sizeof(none), "%s", files_path("none"));
    tool_expect(tool_run(&command_report, run, none, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/none: No such file or directory\n");
    struct tool_result got = tool_run(&command_annotate, run, run, NULL);
    assert_int_equal(got.status, EXIT_USAGE);
    assert_string_equal(got.err,
                        "ibsprof: annotate takes one run, followed by names of functions; 'FILES/run' is a file\n");
    from = fopen(files_path("run/perf.data"), "rb");
    assert_non_null(from);
    while ((c = getc(from)) != EOF)
        putc(c, to);
    fclose(from);
    fclose(to);
    snprintf(cut, sizeof(cut), "%s", files_write("cut.data", bytes, 100)); /* cut within its header */
    tool_expect(tool_run(&command_report, cut, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/cut.data: offset 100: the file ends in its header\n");
    free(bytes);
}

/* The estimate that the run has saved is read completely: of an instruction, of one that the run does not have, of code
 * elsewhere, and of the time without an op. */
static void csv_with_time(void **state)
{
    static const char time[] = "rva,function,file,line,instruction" CSV_TIME_TITLES ",ops [samples]\n"
                               "0x401016,hot,,,mov,500000,400000,600000,3\n0x402000,gone,,,nop,1,0,2,1\n"
                               ",(outside the map),,,,1000,900,1100,4\n,(front end),,,,250000,240000,260000,0\n";
    struct tool_result got;
    const char *row;

    files_write("run/time.csv", time, strlen(time));
    got = tool_run(&command_report, "--csv", run, NULL);
    assert_non_null(strstr(got.out, " [samples]" CSV_TIME_TITLES "\n"));
    row = strstr(got.out, "\n0x401016,");
    assert_non_null(row);
    assert_memory_equal(strchr(row + 1, '\n') - 21, ",500000,400000,600000", 21);
    row = strstr(got.out, "\n0x401019,");
    assert_non_null(row);
    assert_memory_equal(strchr(row + 1, '\n') - 6, ",0,0,0", 6);
    row = strstr(got.out, "\n,(outside the map),");
    assert_non_null(row);
    assert_memory_equal(strchr(row + 1, '\n') - 14, ",1000,900,1100", 14);
    assert_null(strstr(got.out, "0x402000"));
    assert_non_null(strstr(got.out, "\n,(front end),,,,0,0,"));
    assert_string_equal(got.out + strlen(got.out) - 22, ",250000,240000,260000\n");
    assert_null(strstr(tool_run(&command_report, "--csv", "--core=1", run, NULL).out, "est. time"));
    assert_int_equal(remove(files_path("run/time.csv")), 0);
}

/* A run is only in its folder: CSV, functions and shares are the same as with the ELF file; without its CSV they are
 * unknown. */
static void without_its_elf_file(void **state)
{
    static const char no_file[] = ": no ELF file found; ";
    char *csv = strdup(tool_run(&command_report, "--csv", run, NULL).out), alone[300], program[300], moved[300];
    struct tool_result got;

    /* In the image's file an address is its offset, which the run's CSV has; in this program the offset is 400000h
     * less. */
    for (char *at = csv; (at = strstr(at, "0x401")) != NULL;)
        memmove(at + 2, at + 4, strlen(at + 4) + 1);
    make_samples();
    snprintf(alone, sizeof(alone), "%s", made_run_write("alone", ini));
    files_write("alone/profile.csv", csv, strlen(csv));
    snprintf(program, sizeof(program), "%s", files_path("program.elf"));
    snprintf(moved, sizeof(moved), "%s", files_path("moved"));
    assert_int_equal(rename(program, moved), 0);
    got = tool_run(&command_report, "--csv", alone, NULL);
    expect_text(got.out, csv);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.err, no_file));
    assert_non_null(strstr(got.err, "names and instructions come from the run's own CSV\n"));
    got = tool_run(&command_report, alone, NULL);
    assert_non_null(strstr(got.out, "\nIBS ops   54, 11.1 % of them outside of the workload\n"));
    assert_non_null(strstr(got.out, " 1016 mov eax, dword ptr [rsi+rcx*4]"));
    assert_non_null(strstr(got.out, " 1030 nop")); /* an instruction of any function in the CSV */
    got = tool_run(&command_report, "--json", alone, NULL);
    assert_non_null(strstr(got.out, "\"op\":{\"all\":54,\"outside\":6}"));
    got = tool_run(&command_annotate, alone, "hot", NULL);
    assert_non_null(strstr(got.out, "\nhot  program.elf, 1010..1021: IBS all op samples, 46 of 54\n"));
    assert_int_equal(remove(files_path("alone/profile.csv")), 0);
    /* A run that sampled events as well may have sampled other functions with them. */
    files_write("alone/pmc.csv", csv, strlen(csv));
    got = tool_run(&command_annotate, alone, "hot", NULL);
    assert_non_null(strstr(got.out, "\nhot  program.elf, 1010..1021: IBS all op samples, 46 of 54\n"));
    assert_int_equal(remove(files_path("alone/pmc.csv")), 0);
    got = tool_run(&command_report, alone, NULL);
    assert_non_null(strstr(got.err, no_file));
    assert_non_null(strstr(got.err, "its samples are shown by address; --debug-dir=DIR looks for the file in DIR\n"));
    assert_non_null(
        strstr(got.out, "\nIBS ops   54; without the run's ELF file it is not known which belong to the workload\n"));
    assert_null(strstr(got.out, "outside of the workload"));
    got = tool_run(&command_report, "--json", alone, NULL);
    assert_non_null(strstr(got.out, "\"op\":{\"all\":54,\"outside\":null}"));
    got = tool_run(&command_report, "--csv", alone, NULL);
    assert_non_null(strstr(got.out, "\nprogram.elf,0x1016,,,,,user,,"));
    assert_int_equal(rename(moved, program), 0);
    tool_expect(tool_run(&command_report, "--debug-dir", files_path("none"), alone, NULL), EXIT_USAGE, "",
                "ibsprof: report: --debug-dir takes an existing folder, not 'FILES/none'\n");
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports),
        cmocka_unit_test(report_options),
        cmocka_unit_test(report_to_a_file),
        cmocka_unit_test(report_page),
        cmocka_unit_test(report_mistakes),
        cmocka_unit_test(too_many),
        cmocka_unit_test(manual),
        cmocka_unit_test(completions),
        cmocka_unit_test(last_option_holds),
        cmocka_unit_test(report_limits),
        cmocka_unit_test(report_on_a_terminal),
        cmocka_unit_test(annotates),
        cmocka_unit_test(annotate_mistakes),
        cmocka_unit_test(annotate_on_a_terminal),
        cmocka_unit_test(informs),
        cmocka_unit_test(broken_off),
        cmocka_unit_test(exports),
        cmocka_unit_test(branch_records),
        cmocka_unit_test(export_mistakes),
        cmocka_unit_test(exported_perfdata),
        cmocka_unit_test(wrong_files),
        cmocka_unit_test(csv_with_time),
        cmocka_unit_test(without_its_elf_file),
        cmocka_unit_test(source_of_pages),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
