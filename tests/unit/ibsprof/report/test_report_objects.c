/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads and stores by data object: in a run of ours by its run.ini and the program's variables, in Linux' files by
 * variables and mappings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tests/unit/test.h"

/* The program has a variable with a size, a label, and a variable in .bss that continues behind the page of .data. */
static const char variables[] = ".text\n.globl _start\n.type _start, @function\n_start: nop\n.size _start, . - _start\n"
                                ".data\n.globl table\n.type table, @object\ntable: .zero 64\n.size table, 64\n"
                                "label: .quad 0\n.bss\n.type big, @object\nbig: .zero 0x3000\n.size big, 0x3000\n";
enum { TABLE = 0x402000, LABEL = TABLE + 64, BIG = LABEL + 8, PAGE = 0x1000 };

static void make_program(void)
{
    program_of("program.elf", variables, "",
               "-Ttext=0x401000 -Tdata=0x402000 --build-id=0x0102030405060708090a0b0c0d0e0f1011121314");
}

#define COLUMNS                                                                                                        \
    "object,module,address,last,F201 IBS load [samples],F202 IBS store [samples],F206 IBS DC miss [samples],"          \
    "Mean (F219/X200),O. cache [samples],DRAM [samples],from L1 [samples],from a miss under way [samples],"            \
    "from L2 [samples],from L3 [samples],from L3 or another core's cache [samples],"                                   \
    "from another core's cache [samples],from another node's cache [samples],from DRAM [samples],"                     \
    "from another node's DRAM [samples],from elsewhere [samples],modified elsewhere [samples]\n"

static const char ini[] = "workload = loop\n"
                          "#: object.0 = 0x7000000, 4096, a\n"
                          "#: object.1 = 0x7001000, 8, b, the second\n"
                          "#: object.2 = 0x7010000, 65536, stack\n"
                          "#: object.3 = 0x7000000, 65536, arena\n";

static void load(unsigned times, uint64_t address, uint64_t latency)
{
    made_run_op(times, (struct made_op){.at = 0x401000,
                                        .data3 = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID |
                                                 (latency ? IBS_DC_MISS | latency << 32 : 0),
                                        .address = address});
}

static const char *make_run(const char *name)
{
    made_run_begin();
    load(2, 0x7000000, 0);
    load(1, 0x7000fff, 50); /* the last byte */
    load(4, 0x7001007, 0);
    load(1, 0x7001008, 0); /* in the arena, and in no array */
    load(1, 0x701ffff, 0);
    load(1, 0x7020000, 0);
    made_run_op(3, (struct made_op){
                       .at = 0x401000, .data3 = IBS_ST_OP | IBS_DC_LIN_ADDR_VALID, .address = MADE_BASE + TABLE + 63});
    load(2, MADE_BASE + BIG + 0x2fff, 20);
    load(1, MADE_BASE + BIG + 0x3000, 0);
    return made_run_write(name, ini);
}

TEST(arrays_stack_and_variables_of_a_run)
{
    const char *run = make_run("run");

    make_program();
    tool_expect(tool_run(&command_report, "--csv", "--by=object", run, NULL), EXIT_DONE,
                COLUMNS "big,program.elf,0x10405047,0x10405047,2,0,2,20,0,0,0,0,2,0,0,0,0,0,0,0,0\n"
                        "a,,0x7000000,0x7000fff,3,0,1,50,0,0,2,0,1,0,0,0,0,0,0,0,0\n"
                        "\"b, the second\",,0x7001007,0x7001007,4,0,0,,0,0,4,0,0,0,0,0,0,0,0,0,0\n"
                        "table,program.elf,0x1040203f,0x1040203f,0,3,0,,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
                        "unknown,,0x7020000,0x10405048,2,0,0,,0,0,2,0,0,0,0,0,0,0,0,0,0\n"
                        "arena,,0x7001008,0x7001008,1,0,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n"
                        "stack,,0x701ffff,0x701ffff,1,0,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n",
                "");
    expect_file(tool_run(&command_report, "--by=object", "--limit=10", run, NULL).out, "lists/by-object.txt");
    expect_file(tool_run(&command_report, "--by=object", "--json", run, NULL).out, "lists/by-object.json");
}

/* Rows with mistakes are ignored, and without the program there are no variables. */
TEST(a_run_that_says_little)
{
    const char *run;

    made_run_begin();
    load(2, 0x7000000, 0);
    load(1, MADE_BASE + TABLE, 0);
    run = made_run_write("little", "workload = loop\n#: object.0 = 0x7000000\n#: object.1 = 0x7000000, 1,byte\n");
    remove(files_path("program.elf"));
    assert_string_equal(strchr(tool_run(&command_report, "--csv", "--by=object", run, NULL).out, '\n'),
                        "\nbyte,,0x7000000,0x7000000,2,0,0,,0,0,2,0,0,0,0,0,0,0,0,0,0\n"
                        "unknown,,0x10402000,0x10402000,1,0,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n");
}

/* Own code and its variables have addresses of their own. */
TEST(variables_of_own_code)
{
    static const uint8_t id[20] = {7, 7};
    struct perfdata_code code = {"own.elf", id, 0x20001000, PAGE, 0x1000};
    char run[300];

    made_run_begin();
    made_info.code = &code;
    made_info.code_count = 1;
    load(3, 0x20002000 + 8, 0);
    load(2, MADE_BASE + TABLE, 0);
    snprintf(run, sizeof(run), "%s", made_run_write("own", "workload = loop\n"));
    make_program();
    program_of("own.elf", variables, "",
               "-Ttext=0x401000 -Tdata=0x402000 --build-id=0x0707000000000000000000000000000000000000");
    assert_string_equal(strchr(tool_run(&command_report, "--csv", "--by=object", run, NULL).out, '\n'),
                        "\ntable,own.elf,0x20002008,0x20002008,3,0,0,,0,0,3,0,0,0,0,0,0,0,0,0,0\n"
                        "table,program.elf,0x10402000,0x10402000,2,0,0,,0,0,2,0,0,0,0,0,0,0,0,0,0\n");
}

enum { USER = 2, KERNEL = 1, DATA_MAP = 1 << 13 };

static void access_at(uint32_t pid, uint16_t mode, uint64_t time, uint64_t address, bool store)
{
    const uint64_t level = (uint64_t)(PERFDATA_MEM_LVL_HIT | PERFDATA_MEM_LVL_L1) << PERFDATA_MEM_LVL;

    linux_sample((struct linux_sample){.pid = pid,
                                       .tid = pid,
                                       .ip = 0x401000,
                                       .time = time,
                                       .period = 1000,
                                       .misc = mode | PERFDATA_MISC_EXACT_IP,
                                       .addr = address,
                                       .weight = 5,
                                       .data_src = level | (store ? 0x2 << 1 : 0x1 << 1)});
}

static void map_program(uint32_t pid, const char *path)
{
    linux_map2(pid, 0x401000, PAGE, 0x1000, path, USER, 5, program_id, sizeof(program_id));
    linux_map2(pid, 0x402000, PAGE, 0x2000, path, USER | DATA_MAP, 3, program_id, sizeof(program_id));
    linux_map2(pid, 0x403000, 0x4000, 0, "//anon", USER | DATA_MAP, 3, program_id, 0);
    linux_map2(pid, 0x600000, PAGE, 0, "[heap]", USER | DATA_MAP, 3, program_id, 0);
}

TEST(variables_and_mappings_of_linux)
{
    const struct linux_event event = {LINUX_IBS_OP, 0, 1000,
                                      PERFDATA_SAMPLE_ADDR | PERFDATA_SAMPLE_WEIGHT | PERFDATA_SAMPLE_DATA_SRC,
                                      .name = "ibs_op//"};
    const struct linux_facts facts = {.release = "6.1.0-test", .arch = "x86_64"};
    const char *file;
    char path[300];

    make_program();
    snprintf(path, sizeof(path), "%s", files_path("program.elf"));
    linux_begin(&event, 1);
    linux_map2(UINT32_MAX, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text", KERNEL, 5,
               program_id, 0);
    map_program(1, path);
    map_program(2, path);
    access_at(1, USER, 10, TABLE + 8, false);
    access_at(2, USER, 11, TABLE, true);
    access_at(1, USER, 12, LABEL, false);
    access_at(1, USER, 13, BIG, false);
    access_at(1, USER, 14, BIG + 0x2fff, true); /* in memory that no map of the file has */
    access_at(1, USER, 15, BIG + 0x3000, false);
    access_at(1, USER, 16, 0x401000, false);
    access_at(1, USER, 17, 0x600010, false);
    access_at(2, KERNEL, 18, 0x600020, true); /* on behalf of the program */
    access_at(1, USER, 19, 0xffffffff81000008, false);
    access_at(1, USER, 20, 0x900000, false);
    access_at(1, USER, 21, 0x700000, false);
    linux_map2(1, 0x700000, PAGE, 0, "/dev/shm/shared", USER | DATA_MAP, 3, program_id, 0);
    linux_map2(1, 0x701000, PAGE, 0, "//anon", USER | DATA_MAP, 3, program_id, 0);
    access_at(1, USER, 22, 0x701008, false); /* behind a file that does not exist */
    linux_comm(1, "another", PERFDATA_MISC_COMM_EXEC, 30);
    access_at(1, USER, 31, 0x600030, false); /* in an earlier mapping of the process */
    file = linux_write("objects.data", &facts);
    tool_expect(tool_run(&command_report, "--csv", "--by=object", file, NULL), EXIT_DONE,
                "object,module,address,last,Loads [samples],Stores [samples],DC miss [samples],Mean,O. cache [samples],"
                "DRAM [samples],from L1 [samples],from a miss under way [samples],from L2 [samples],from L3 [samples],"
                "from L3 or another core's cache [samples],from another core's cache [samples],"
                "from another node's cache [samples],from DRAM [samples],from another node's DRAM [samples],"
                "from elsewhere [samples],modified elsewhere [samples]\n"
                "[heap],,0x600010,0x600030,2,1,0,,0,0,2,0,0,0,0,0,0,0,0,0,0\n"
                "table,FILES/program.elf,0x402000,0x402008,1,1,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n"
                "big,FILES/program.elf,0x402048,0x405047,1,1,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n"
                "anon,,0x405048,0x701008,2,0,0,,0,0,2,0,0,0,0,0,0,0,0,0,0\n"
                "_start,FILES/program.elf,0x401000,0x401000,1,0,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n"
                "label,FILES/program.elf,0x402040,0x402040,1,0,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n"
                "/dev/shm/shared,,0x700000,0x700000,1,0,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n"
                "unknown,,0x900000,0x900000,1,0,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n"
                "[kernel.kallsyms]_text,,0xffffffff81000008,0xffffffff81000008,1,0,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n",
                "");
    /* On the screen a file is named without its folders. */
    assert_non_null(strstr(tool_run(&command_report, "--by=object", file, NULL).out, "\nshared   "));
}

enum { TRACEPOINT = 2, ACCESS = 0, MALLOC, MALLOC_RETURNS, CALLOC, CALLOC_RETURNS, FREE, PROBES };

/* Writes raw data as Linux' uprobes do: common fields, the last of which is the process, and words. */
static void probe(unsigned event, uint32_t tid, uint64_t time, uint64_t ip, const uint64_t *words, unsigned count)
{
    uint64_t behind_common[6] = {1};

    memcpy((uint8_t *)behind_common + 4, words, 8 * count);
    linux_sample((struct linux_sample){.event = event,
                                       .pid = 1,
                                       .tid = tid,
                                       .ip = ip,
                                       .time = time,
                                       .period = 1,
                                       .misc = USER,
                                       .caps = 77,
                                       .registers = behind_common,
                                       .register_count = count + 1});
}

static void asks(unsigned event, uint32_t tid, uint64_t time, uint64_t first, uint64_t second)
{
    const uint64_t words[] = {0x7f0000001000, first, second};

    probe(event, tid, time, words[0], words, event == CALLOC ? 3 : 2);
}

static void gets(unsigned event, uint32_t tid, uint64_t time, uint64_t caller, uint64_t address)
{
    const uint64_t words[] = {0x7f0000001000, caller, address};

    probe(event, tid, time, caller, words, 3);
}

/* The blocks of two functions: their ends, another block in place of a part, a freed block, and records that tell
 * nothing. */
TEST(allocations_of_linux)
{
    static const char program[] = ".text\n.globl _start\n.type _start, @function\n_start: .zero 16\n.size _start, 16\n"
                                  ".type other, @function\nother: .zero 16\n.size other, 16\n";
    enum { FIRST = 0x401010, SECOND = 0x401020 }; /* addresses behind calls that are the functions' last instructions */
    const struct linux_event events[PROBES] = {
        [ACCESS] = {LINUX_IBS_OP, 0, 1000, PERFDATA_SAMPLE_ADDR | PERFDATA_SAMPLE_WEIGHT | PERFDATA_SAMPLE_DATA_SRC,
                    .name = "ibs_op//"},
        [MALLOC] = {TRACEPOINT, 1, 1, PERFDATA_SAMPLE_RAW | PERFDATA_SAMPLE_ADDR, .name = "probe_libc:malloc"},
        [MALLOC_RETURNS] = {TRACEPOINT, 2, 1, PERFDATA_SAMPLE_RAW, .name = "probe_libc:malloc__return"},
        [CALLOC] = {TRACEPOINT, 3, 1, PERFDATA_SAMPLE_RAW, .name = "probe_libc:calloc"},
        [CALLOC_RETURNS] = {TRACEPOINT, 4, 1, PERFDATA_SAMPLE_RAW, .name = "probe_libc:calloc__return"},
        [FREE] = {TRACEPOINT, 5, 1, PERFDATA_SAMPLE_RAW, .name = "probe_libc:free"},
    };
    const struct linux_facts facts = {.release = "6.1.0-test", .arch = "x86_64"};
    char path[300];

    program_of("program.elf", program, "", "-Ttext=0x401000 --build-id=0x0102030405060708090a0b0c0d0e0f1011121314");
    snprintf(path, sizeof(path), "%s", files_path("program.elf"));
    linux_begin(events, PROBES);
    map_program(1, path);
    map_program(2, path);
    asks(MALLOC, 1, 10, 64, 0);
    asks(MALLOC, 2, 11, 8, 0); /* in another thread, while the first one is in the call */
    gets(MALLOC_RETURNS, 1, 12, FIRST, 0x600100);
    access_at(1, USER, 13, 0x600100, false);
    access_at(1, USER, 14, 0x60013f, true);
    access_at(1, USER, 15, 0x600140, false); /* behind the block */
    access_at(2, USER, 16, 0x600100, false); /* in another process */
    gets(MALLOC_RETURNS, 2, 17, SECOND, 0x600120);
    access_at(1, USER, 18, 0x600127, false);
    access_at(1, USER, 19, 0x600100, false); /* the block at that address is gone */
    asks(CALLOC, 1, 20, 4, 16);
    gets(CALLOC_RETURNS, 1, 21, SECOND, 0x600200);
    access_at(1, USER, 22, 0x60023f, false);
    asks(FREE, 1, 23, 0x600200, 0);
    access_at(1, USER, 24, 0x600200, false);
    asks(MALLOC, 1, 25, 64, 0);
    gets(CALLOC_RETURNS, 1, 26, FIRST, 0x600300); /* a return whose call is lost */
    access_at(1, USER, 27, 0x600300, false);
    gets(MALLOC_RETURNS, 1, 28, FIRST, 0); /* no memory was returned */
    access_at(1, USER, 29, 0, false);
    asks(CALLOC, 1, 30, UINT64_MAX, 16);
    gets(CALLOC_RETURNS, 1, 31, FIRST, 0x600400);
    access_at(1, USER, 32, 0x600400, false);
    asks(MALLOC, 1, 33, 64, 0);
    gets(MALLOC_RETURNS, 1, 34, 0x7f0000002000, 0x600500); /* from a file that does not exist */
    access_at(1, USER, 35, 0x600500, false);
    assert_string_equal(
        strstr(tool_run(&command_report, "--csv", "--by=object", linux_write("allocations.data", &facts), NULL).out,
               "\n[heap]"),
        "\n[heap],,0x600100,0x600500,7,0,0,,0,0,7,0,0,0,0,0,0,0,0,0,0\n"
        "allocated by _start,FILES/program.elf,0x600100,0x60013f,1,1,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n"
        "allocated by other,FILES/program.elf,0x600127,0x60023f,2,0,0,,0,0,2,0,0,0,0,0,0,0,0,0,0\n");
}

RUN_TESTS(NULL, files_end)
