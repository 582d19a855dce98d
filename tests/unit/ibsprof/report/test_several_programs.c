/* SPDX-License-Identifier: BSD-2-Clause */
/* Recordings of two programs with a function of the same name; and places of a program outside its functions. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum { USER_MODE = 2, EXACT = 1 << 14 }; /* PERF_RECORD_MISC_* */

static uint64_t now;

static void ops(unsigned times, uint64_t ip)
{
    while (times-- > 0) {
        const uint64_t registers[] = {0, ip, 20 << 16 | 5, 0, IBS_LD_OP | IBS_DC_LIN_ADDR_VALID, 0x5000, 0};

        linux_sample((struct linux_sample){.pid = 1,
                                           .tid = 1,
                                           .ip = ip,
                                           .time = now += 1000,
                                           .period = 1000,
                                           .misc = USER_MODE | EXACT,
                                           .caps = 0x1F,
                                           .registers = registers,
                                           .register_count = sizeof(registers) / sizeof(registers[0])});
    }
}

/* Records five loads in the first program, and three in the second, if there are two. */
static const char *record(unsigned programs)
{
    static const struct linux_event event = {LINUX_IBS_OP, 0x1003E8, 1000, PERFDATA_SAMPLE_RAW, 0, "ibs_op"};
    static const struct linux_facts facts = {.release = "6.1.0-test", .cpuid = "AuthenticAMD,16,4,2"};

    program_of("one.elf", ".text\n.globl both\n.type both,@function\nboth: mov (%rbx),%eax\nret\n.size both,.-both\n",
               "", "-Ttext=0x401000 -e 0");
    program_of("two.elf",
               ".text\n.globl both\n.type both,@function\nboth: mov (%rcx),%edx\nret\n.size both,.-both\n"
               ".globl second\n.type second,@function\nsecond: mov (%rsi),%edi\nret\n.size second,.-second\n",
               "", "-Ttext=0x501000 -e 0");
    linux_begin(&event, 1);
    linux_comm(1, "p", PERFDATA_MISC_COMM_EXEC, 0);
    linux_map(1, 0x401000, 0x1000, 0x1000, "/gone/one.elf", USER_MODE);
    linux_map(1, 0x501000, 0x1000, 0x1000, "/gone/two.elf", USER_MODE);
    ops(5, 0x401000);
    if (programs == 2) {
        ops(2, 0x501000);
        ops(1, 0x501003);
    }
    return linux_write("recorded", &facts);
}

static const char *said(struct tool_result got)
{
    if (got.status != EXIT_DONE)
        fail_msg("%s", got.err);
    return got.out;
}

static unsigned times(const char *text, const char *part)
{
    unsigned n = 0;

    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

/* Each function of that name is annotated, in whichever program it is. */
TEST(annotated_in_each_program)
{
    const char *file = record(2), *text = said(tool_run(&command_annotate, file, "both", NULL));

    assert_int_equal(times(text, "mov eax, dword ptr [rbx]"), 1);
    assert_int_equal(times(text, "mov edx, dword ptr [rcx]"), 1);
    text = said(tool_run(&command_annotate, file, "second", NULL));
    assert_int_equal(times(text, "mov edi, dword ptr [rsi]"), 1);
    assert_int_equal(times(text, "mov e"), 1);
}

/* Tables of two programs have names above them; those of one program do not. */
TEST(named_tables)
{
    const char *text = said(tool_run(&command_report, record(2), NULL));

    assert_int_equal(times(text, "\n/gone/one.elf\n") + times(text, "\none.elf\n"), 1);
    assert_int_equal(times(text, "\n/gone/two.elf\n") + times(text, "\ntwo.elf\n"), 1);
    text = said(tool_run(&command_report, record(1), NULL));
    assert_int_equal(times(text, "\n/gone/one.elf\n") + times(text, "\none.elf\n"), 0);
}

/* A program's addresses outside functions have rows: before one, between two, and behind the last. */
TEST(around_functions)
{
    program_of("program.elf",
               "nop\n.globl f\n.type f, @function\nf: nop\nret\n.size f, . - f\nnop\n"
               ".globl _start\n.type _start, @function\n_start: nop\nret\n.size _start, . - _start\nnop\n",
               "", "-Ttext=0x401000 --build-id=0x0102030405060708090a0b0c0d0e0f1011121314");
    made_run_begin();
    for (unsigned i = 0; i < 7; i++)
        made_run_op(i + 1, (struct made_op){.at = 0x401000 + i});
    if (!strstr(said(tool_run(&command_report, "--json", made_run_write("around", "#: figures = silicon\n"), NULL)),
                "\"rows\":[[\"0x401000\",null,-1,[13,1]],[\"0x401003\",null,-1,[13,4]],[\"0x401006\",null,-1,[13,7]]]"))
        fail_msg("%s", said(tool_run(&command_report, "--json", files_path("around"), NULL)));
}

RUN_TESTS(NULL, files_end)
