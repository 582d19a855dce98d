/* SPDX-License-Identifier: BSD-2-Clause */
/* Call stacks of a recording of Linux: callers and callees of chains whose sums are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/family/ibs_regs.h"
#include "core/ibs/record.h"
#include "core/ibs/sample_branches.h"
#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum { WORK = 100, USER = 2, KERNEL = 1, CLOCK = 0, OP = 1 };
#define KERNEL_START  0xffffffff81000000u
#define IN_USER       ((uint64_t)-512)
#define IN_KERNEL     ((uint64_t)-128)
#define IN_USER_LATER ((uint64_t)-640) /* the next word is no address */
#define START_CALLED  0x401007         /* return addresses: of _start's call of hot, */
#define HOT_CALLED    0x401021         /* of a call at the end of hot, */
#define COLD_CALLED   0x401031         /* of a call in cold */
#define CHAIN(...)    (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)
#define CHAINS        .more = PERFDATA_SAMPLE_CALLCHAIN
static const struct linux_event events[] = {
    {LINUX_SOFTWARE, PERFDATA_SOFTWARE_CPU_CLOCK, 1000, CHAINS, .name = "cpu-clock"},
    {LINUX_IBS_OP, 0, 250000, PERFDATA_SAMPLE_CALLCHAIN | PERFDATA_SAMPLE_RAW, .name = "ibs_op//"},
};
static const struct linux_facts facts = {.release = "6.1.0-test", .arch = "x86_64"};
static char path[300], plain[300];
static uint64_t now;

static void ticks(unsigned times, uint16_t mode, uint64_t ip, const uint64_t *chain, uint64_t count)
{
    while (times-- > 0)
        linux_sample((struct linux_sample){.event = CLOCK,
                                           .pid = WORK,
                                           .tid = WORK,
                                           .ip = ip,
                                           .time = now += 10,
                                           .period = 1000,
                                           .misc = mode,
                                           .chain = chain,
                                           .chain_count = count});
}

static void ops(unsigned times, uint64_t ip, const uint64_t *chain, uint64_t count)
{
    const uint64_t registers[IBS_OP_REGS] = {[IBS_OP_RIP] = ip};

    while (times-- > 0)
        linux_sample((struct linux_sample){.event = OP,
                                           .pid = WORK,
                                           .tid = WORK,
                                           .ip = ip,
                                           .time = now += 10,
                                           .period = 250000,
                                           .misc = USER | PERFDATA_MISC_EXACT_IP,
                                           .registers = registers,
                                           .register_count = IBS_OP_REGS,
                                           .caps = 0x1f,
                                           .chain = chain,
                                           .chain_count = count});
}

static void begin_file(const struct linux_event *of, unsigned count)
{
    now = 5000;
    linux_begin(of, count);
    linux_map(UINT32_MAX, KERNEL_START, 0x100000, KERNEL_START, "[kernel.kallsyms]_text", KERNEL);
    linux_comm(WORK, "program", PERFDATA_MISC_COMM_EXEC, 0);
    linux_map2(WORK, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", USER, 5, program_id, 20);
}

static int begin(void **state)
{
    const struct linux_event without = {LINUX_SOFTWARE, PERFDATA_SOFTWARE_CPU_CLOCK, 1000, .name = "cpu-clock"};

    program_make("program.elf");
    begin_file(events, 2);
    ticks(5, USER, 0x401016, CHAIN(IN_USER, 0x401016, START_CALLED));
    /* The kernel was entered from hot: the address is where hot was interrupted, 0x401010, and not behind a call. */
    ticks(2, KERNEL, KERNEL_START + 0x20, CHAIN(IN_KERNEL, KERNEL_START + 0x20, IN_USER, 0x401010, START_CALLED));
    ticks(3, USER, 0x401016, CHAIN(IN_USER, 0x401016, HOT_CALLED, COLD_CALLED, START_CALLED));
    ticks(1, USER, 0x401016, CHAIN(IN_USER, 0x401016, IN_USER_LATER, 0x401030));
    ticks(1, USER, 0x401016, CHAIN(IN_USER, 0x401016, 0x12345));
    ops(4, 0x401030, CHAIN(IN_USER, 0x401016, COLD_CALLED, START_CALLED)); /* cold has called hot since */
    ops(1, 0x401020, CHAIN(IN_USER, START_CALLED));                        /* hot has returned since */
    ops(2, 0x401016, NULL, 0);
    snprintf(path, sizeof(path), "%s", linux_write("calls.data", &facts));
    begin_file(&without, 1);
    ticks(1, USER, 0x401016, NULL, 0);
    snprintf(plain, sizeof(plain), "%s", linux_write("plain.data", &facts));
    return 0;
}

#define BRANCHES(...) (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 24
#define CALL          0x401002, 0x401010, 0 /* _start calls hot, */
#define OUTER_CALL    0x401002, 0x401000, 0 /* or the call to itself */
#define LOOP          0x40101d, 0x401016, 0
#define FUSED_LOOP    0x40101b, 0x401016, 0
#define RETURN        0x401020, START_CALLED, 0

static void branched(unsigned times, uint64_t ip, const uint64_t *branches, uint64_t count)
{
    while (times-- > 0)
        linux_sample((struct linux_sample){.pid = WORK,
                                           .tid = WORK,
                                           .ip = ip,
                                           .time = now += 10,
                                           .period = 1000,
                                           .misc = USER,
                                           .branches = branches,
                                           .branch_count = count});
}

/* Callers follow from calls that no return has undone; branches that were taken after the sample's own block tell
 * nothing. */
static void from_branches(void **state)
{
    const struct linux_event event = {LINUX_CPU, 0x76, 1000, PERFDATA_SAMPLE_BRANCH_STACK, .name = "cycles"};
    const uint64_t wrong = (uint64_t)BRANCH_WRONG_PATH << PERFDATA_BRANCH_SPEC;
    uint64_t many[3 * 80];
    const char *file;

    for (unsigned i = 0; i < 80; i++)
        memcpy(many + (size_t)3 * i, (uint64_t[]){OUTER_CALL}, 24);
    begin_file(&event, 1);
    branched(30, 0x401016, BRANCHES(CALL));
    branched(3, 0x401016, BRANCHES(LOOP, FUSED_LOOP, CALL));
    branched(4, 0x401020, BRANCHES(RETURN, LOOP, CALL));                      /* the interrupt came after the return */
    branched(5, 0x401016, BRANCHES(CALL, 0x401011, 0x401000, 0, OUTER_CALL)); /* nothing is known before an interrupt */
    branched(20, 0x401016, BRANCHES(CALL, OUTER_CALL));
    branched(7, START_CALLED, BRANCHES(RETURN, LOOP, CALL, OUTER_CALL));
    branched(6, START_CALLED, BRANCHES(RETURN, LOOP, CALL));
    branched(3, START_CALLED, BRANCHES(OUTER_CALL)); /* behind the call that ends straight code */
    branched(2, 0x401030, BRANCHES(LOOP, CALL));     /* in no block */
    branched(1, 0x401030, BRANCHES(RETURN, 0x401031, 0x401010, 0, OUTER_CALL)); /* straight into the next function */
    branched(9, 0x401016, BRANCHES(0x401002, 0x401010, wrong, 0x401031, 0x401010, 0));
    branched(2, 0x401016, NULL, 0);
    file = linux_write("branched.data", &facts);
    tool_expect(tool_run(&command_report, "--csv", "--by=stack", file, NULL), EXIT_DONE,
                "# Made from branch records: callers from before the oldest branch are missing\n"
                "stack,samples,depth,percent,function,module\n"
                "1,42,2,45.6521739130435,hot,program.elf\n"
                "1,42,2,45.6521739130435,_start,program.elf\n"
                "2,20,3,21.7391304347826,hot,program.elf\n"
                "2,20,3,21.7391304347826,_start,program.elf\n"
                "2,20,3,21.7391304347826,_start,program.elf\n"
                "3,11,1,11.9565217391304,hot,program.elf\n"
                "4,9,1,9.78260869565217,_start,program.elf\n"
                "5,7,2,7.60869565217391,_start,program.elf\n"
                "5,7,2,7.60869565217391,_start,program.elf\n"
                "6,2,1,2.17391304347826,cold,program.elf\n"
                "7,1,2,1.08695652173913,cold,program.elf\n"
                "7,1,2,1.08695652173913,_start,program.elf\n",
                "");
    expect_file(tool_run(&command_report, "--by=stack", file, NULL).out, "lists/by-stack-branches.txt");
    expect_file(tool_run(&command_report, "--by=caller", "--json", file, NULL).out, "lists/by-caller-branches.json");
    begin_file(&event, 1);
    branched(1, 0x401001, many, 80);
    file = linux_write("many.data", &facts);
    assert_non_null(strstr(tool_run(&command_report, "--csv", "--by=stack", file, NULL).out, "\n1,1,65,100,_start,"));
    begin_file(&event, 1);
    branched(1, START_CALLED, BRANCHES(CALL)); /* before the beginning of the latest block */
    file = linux_write("before.data", &facts);
    tool_expect(tool_run(&command_report, "--csv", "--by=stack", file, NULL), EXIT_DONE,
                "# Made from branch records: callers from before the oldest branch are missing\n"
                "stack,samples,depth,percent,function,module\n"
                "1,1,1,100,_start,program.elf\n",
                "");
}

/* Functions with equal sums and without names are in the order of their modules. */
static void modules_in_order(void **state)
{
    begin_file(events, 2);
    linux_map(WORK, 0x10000, 0x1000, 0, "/gone/z.so", USER);
    linux_map(WORK, 0x20000, 0x1000, 0, "/gone/a.so", USER);
    linux_map(WORK, 0x30000, 0x1000, 0, "/gone/m.so", USER);
    ticks(1, USER, 0x10800, CHAIN(IN_USER, 0x10800));
    ticks(1, USER, 0x20800, CHAIN(IN_USER, 0x20800));
    ticks(1, USER, 0x30800, CHAIN(IN_USER, 0x30800));
    expect_text(tool_run(&command_report, "--csv", "--by=caller", "--event=cpu-clock",
                         linux_write("modules.data", &facts), NULL)
                    .out,
                "row,total,self,percent,function,module\n"
                "function,1,1,33.3333333333333,[unknown],a.so\n"
                "function,1,1,33.3333333333333,[unknown],m.so\n"
                "function,1,1,33.3333333333333,[unknown],z.so\n");
}

/* The chain has each word that says where addresses are, and a word that is none of these. */
static void places_in_chains(void **state)
{
    static const uint64_t words[] = {PERFDATA_CONTEXT_HYPERVISOR,   PERFDATA_CONTEXT_KERNEL,     PERFDATA_CONTEXT_USER,
                                     PERFDATA_CONTEXT_GUEST_KERNEL, PERFDATA_CONTEXT_GUEST_USER, (uint64_t)-4095};

    begin_file(events, 2);
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        ticks(6 - i, USER, 0x401016, CHAIN(IN_USER, 0x401016, words[i], 0x500010));
    expect_text(
        tool_run(&command_report, "--csv", "--by=stack", "--event=cpu-clock", linux_write("places.data", &facts), NULL)
            .out,
        "stack,samples,depth,percent,function,module\n"
        "1,15,2,71.4285714285714,hot,program.elf\n"
        "1,15,2,71.4285714285714,[unknown],\n"
        "2,3,2,14.2857142857143,hot,program.elf\n"
        "2,3,2,14.2857142857143,[unknown],[guest kernel]\n"
        "3,2,2,9.52380952380952,hot,program.elf\n"
        "3,2,2,9.52380952380952,[unknown],[guest]\n"
        "4,1,1,4.76190476190476,hot,program.elf\n");
}

static void csv(void **state)
{
    static const struct {
        const char *by, *event, *wanted;
    } rows[] = {
        {"--by=caller", "--event=cpu-clock",
         "row,total,self,percent,function,module\n"
         "function,12,10,100,hot,program.elf\n"
         "caller,7,,58.3333333333333,_start,program.elf\n"
         "caller,3,,25,hot,program.elf\n"
         "caller,3,,25,cold,program.elf\n"
         "caller,1,,8.33333333333333,[unknown],\n"
         "function,10,0,83.3333333333333,_start,program.elf\n"
         "function,3,0,25,cold,program.elf\n"
         "caller,3,,25,_start,program.elf\n"
         "function,2,2,16.6666666666667,[unknown],[kernel.kallsyms]_text\n"
         "caller,2,,16.6666666666667,hot,program.elf\n"
         "function,1,0,8.33333333333333,[unknown],\n"},
        {"--by=callee", "--event=cpu-clock",
         "row,total,self,percent,function,module\n"
         "function,12,10,100,hot,program.elf\n"
         "callee,3,,25,hot,program.elf\n"
         "callee,2,,16.6666666666667,[unknown],[kernel.kallsyms]_text\n"
         "function,10,0,83.3333333333333,_start,program.elf\n"
         "callee,7,,58.3333333333333,hot,program.elf\n"
         "callee,3,,25,cold,program.elf\n"
         "function,3,0,25,cold,program.elf\n"
         "callee,3,,25,hot,program.elf\n"
         "function,2,2,16.6666666666667,[unknown],[kernel.kallsyms]_text\n"
         "function,1,0,8.33333333333333,[unknown],\n"
         "callee,1,,8.33333333333333,hot,program.elf\n"},
        {"--by=caller", "--event=F100",
         "row,total,self,percent,function,module\n"
         "function,5,0,71.4285714285714,_start,program.elf\n"
         "function,4,4,57.1428571428571,cold,program.elf\n"
         "caller,4,,57.1428571428571,_start,program.elf\n"
         "function,3,3,42.8571428571429,hot,program.elf\n"
         "caller,1,,14.2857142857143,_start,program.elf\n"},
        {"--by=stack", "--event=F100",
         "stack,samples,depth,percent,function,module\n"
         "1,4,2,57.1428571428571,cold,program.elf\n"
         "1,4,2,57.1428571428571,_start,program.elf\n"
         "2,2,1,28.5714285714286,hot,program.elf\n"
         "3,1,2,14.2857142857143,hot,program.elf\n"
         "3,1,2,14.2857142857143,_start,program.elf\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        tool_expect(tool_run(&command_report, "--csv", rows[i].by, rows[i].event, path, NULL), EXIT_DONE,
                    rows[i].wanted, "");
}

static void text(void **state)
{
    expect_file(tool_run(&command_report, "--by=caller", "--event=cpu-clock", "--limit=20", path, NULL).out,
                "lists/by-caller.txt");
    expect_file(tool_run(&command_report, "--by=callee", path, NULL).out, "lists/by-callee.txt");
    expect_file(tool_run(&command_report, "--by=stack", "--event=cpu-clock", "--limit=10", path, NULL).out,
                "lists/by-stack.txt");
}

static void json(void **state)
{
    unsigned named = 0;

    expect_file(tool_run(&command_report, "--by=caller", "--json", path, NULL).out, "lists/by-caller.json");
    expect_file(tool_run(&command_report, "--by=stack", "--json", path, NULL).out, "lists/by-stack.json");
    /* Functions and callers are counted: by_caller has as many lines. */
    for (const char *at = tool_run(&command_report, "--by=caller", "--json", "--event=cpu-clock", path, NULL).out;
         (at = strstr(at, "\"module\":")); at++)
        named++;
    assert_int_equal(named, 11);
}

static void folded(void **state)
{
    tool_expect(tool_run(&command_report, "--by=stack", "--folded", "--event=cpu-clock", path, NULL), EXIT_DONE,
                "_start;hot 5\n_start;cold;hot;hot 3\n_start;hot;[kernel.kallsyms]_text 2\nhot 1\n[unknown];hot 1\n",
                "");
}

static void exported(void **state)
{
    const char *events_csv = tool_run(&command_export, "--samples=events", path, NULL).out;

    assert_non_null(strstr(events_csv, ",Period,Addr,Callchain\n"));
    assert_non_null(strstr(events_csv, ",0xfffffffffffffe00 0x401016 0x401021 0x401031 0x401007\n"));
    assert_non_null(
        strstr(tool_run(&command_export, "--samples=op", path, NULL).out, ",0xfffffffffffffe00 0x401007\n"));
    assert_null(strstr(tool_run(&command_export, "--samples=events", plain, NULL).out, "Callchain"));
}

static void refused(void **state)
{
    tool_expect(tool_run(&command_report, "--by=caller", plain, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/plain.data: no call stacks were recorded; 'perf record -g' records them for programs "
                "that keep frame pointers, and the setting call_stack on the image; branch records ('perf record -b', "
                "branches=yes) also suffice\n");
    tool_expect(tool_run(&command_report, "--by=stack", "--html", path, NULL), EXIT_USAGE, "",
                "ibsprof: report: tables of call stacks are text, csv, json or folded; 'ibsprof report --help' "
                "explains\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv),
        cmocka_unit_test(from_branches),
        cmocka_unit_test(modules_in_order),
        cmocka_unit_test(places_in_chains),
        cmocka_unit_test(text),
        cmocka_unit_test(json),
        cmocka_unit_test(folded),
        cmocka_unit_test(exported),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
