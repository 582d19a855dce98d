/* SPDX-License-Identifier: BSD-2-Clause */
/* * Reports at their edges: programs that only an option finds, samples between two instructions, names that are too
 * long, instructions without a line, modules of the kernel, cores without a miss, runs of a model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/base/out_file.h"

enum { PUSH = 0x401010, LOAD = 0x401016, COLD = 0x401030 };
enum { KERNEL_MODE = 1, USER_MODE = 2 }; /* PERF_RECORD_MISC_* */

static const struct linux_event event = {LINUX_HARDWARE, 0, 1000, 0, 0, "cycles"};
static uint64_t now;

static void begin(void)
{
    linux_begin(&event, 1);
    linux_comm(1, "p", PERFDATA_MISC_COMM_EXEC, 0);
    now = 0;
}

static void samples(unsigned times, uint64_t ip, uint16_t mode)
{
    while (times-- > 0)
        linux_sample(
            (struct linux_sample){.pid = 1, .tid = 1, .ip = ip, .time = now += 1000, .period = 1000, .misc = mode});
}

static const char *write_file(const char *name)
{
    static const struct linux_facts facts = {.release = "6.1.0-test"};

    return linux_write(name, &facts);
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("'%s' is in\n%s", part, text);
}

static char *said(const struct command *command, const char *one, const char *two, const char *three)
{
    struct tool_result got = tool_run(command, one, two, three, NULL);

    if (got.status != EXIT_DONE)
        fail_msg("%s", got.err);
    return got.out;
}

/* The program is neither where the recording says, nor beside it. */
static void where_programs_are(void **state)
{
    char file[300], root[320], flat[320], ids[320], bare_ids[320], other[320], path[200],
        id[2 * sizeof(program_id) + 2];
    const char *text;
    size_t used = 0;

    for (size_t i = 0; i < sizeof(program_id); i++)
        used += (size_t)snprintf(id + used, sizeof(id) - used, i ? "%02x" : "%02x/", program_id[i]);
    begin();
    linux_map2(1, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/far/program.elf", USER_MODE, 4, program_id,
               sizeof(program_id));
    samples(60, LOAD, USER_MODE);
    snprintf(file, sizeof(file), "%s", write_file("deep/in/a/folder/recorded"));
    program_make("root/gone/far/program.elf");
    program_make("flat/program.elf");
    snprintf(path, sizeof(path), "ids/.build-id/%s/elf", id);
    program_make(path);
    snprintf(path, sizeof(path), "bare/%s.debug", id);
    program_make(path);
    program_of("other/program.elf", ".text\n.globl f\nf: nop\n", "", "-Ttext=0x401000 -e 0");
    snprintf(root, sizeof(root), "--symfs=%s", files_path("root"));
    snprintf(flat, sizeof(flat), "--symfs=%s", files_path("flat"));
    snprintf(ids, sizeof(ids), "--debug-dir=%s", files_path("ids"));
    snprintf(bare_ids, sizeof(bare_ids), "--debug-dir=%s", files_path("bare"));
    snprintf(other, sizeof(other), "--symfs=%s", files_path("other"));

    text = said(&command_report, "--csv", file, NULL);
    has(text, "0x1016,");
    has_not(text, "hot");
    has(said(&command_report, "--csv", root, file), ",hot,made/hot.c,13,");
    has(said(&command_report, "--csv", flat, file), ",hot,made/hot.c,13,");
    has(said(&command_report, "--csv", ids, file), ",hot,made/hot.c,13,");
    has(said(&command_report, "--csv", bare_ids, file), ",hot,made/hot.c,13,");
    text = tool_run(&command_report, "--csv", bare_ids, ids, file, NULL).out; /* the second folder counts, too */
    has(text, ",hot,made/hot.c,13,");
    snprintf(path, sizeof(path), "--debug-dir=%s", files_path("other"));
    has(tool_run(&command_report, "--csv", path, ids, file, NULL).out, ",hot,made/hot.c,13,");
    has_not(said(&command_report, "--csv", other, file), "hot"); /* with another build-id */
    /* The halves of each side search in the same places. */
    has_not(said(&command_compare, "--csv", file, file), "\nshare,hot+0x6");
    text = tool_run(&command_compare, "--csv", root, file, file, NULL).out;
    has(text, "\nshare,hot+0x6");
    text = tool_run(&command_compare, "--csv", ids, file, file, NULL).out;
    has(text, "\nshare,hot+0x6");
}

/* Each missing file is reported, and no other: neither objects that are no files, nor files that exist. */
static void missing_files(void **state)
{
    begin();
    linux_map(1, 0x301000, 0x1000, 0, "[vdso]", USER_MODE);
    linux_map(1, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", USER_MODE);
    linux_map(1, 0x501000, 0x1000, 0, "/gone/one.so", USER_MODE);
    linux_map(1, 0x601000, 0x1000, 0, "/gone/two.so", USER_MODE);
    samples(1, 0x301000, USER_MODE);
    samples(1, LOAD, USER_MODE);
    samples(1, 0x501000, USER_MODE);
    samples(1, 0x601000, USER_MODE);
    program_make("program.elf");
    expect_text(tool_run(&command_report, "--csv", write_file("missing"), NULL).err,
                "ibsprof: /gone/one.so: no ELF file found; its samples are shown by address; --debug-dir=DIR looks for "
                "the file in DIR\n"
                "ibsprof: /gone/two.so: no ELF file found; its samples are shown by address; --debug-dir=DIR looks for "
                "the file in DIR\n");
}

/* An address within an instruction belongs to that instruction; an address behind the end of the file does not,
 * although a function's size reaches there. */
static void between_instructions(void **state)
{
    char file[300];
    const char *text;

    program_of("odd.elf", ".text\n.globl f\n.type f,@function\nf: mov $1,%eax\nret\n.size f,100\n", "",
               "-Ttext=0x401000 -e 0");
    begin();
    linux_map(1, 0x401000, 0x1000, 0x1000, "/gone/odd.elf", USER_MODE);
    samples(4, 0x401000, USER_MODE);
    samples(1, 0x401003, USER_MODE);
    samples(2, 0x401050, USER_MODE);
    snprintf(file, sizeof(file), "%s", write_file("between"));
    text = said(&command_report, "--csv", file, NULL);
    has(text, "odd.elf,0x401000,f,,,\"mov eax, 1\",user,1,5\n");
    has(text, "[unknown],0x1050,,,,,user,1,2\n");
    text = said(&command_report, "--json", file, NULL);
    has(text, "\"rows\":[[0,\"mov eax, 1\",");
    has(text, "\"rows\":[[\"0x1050\",null,-1,[");
}

static void names_of_rows(void **state)
{
    char file[300];
    const char *text;

    /* The name has 70 characters; no line is known. */
    program_of("long.elf",
               ".text\n.globl a_function_with_a_name_that_is_longer_than_the_column_for_it_in_80_columns\n"
               ".type a_function_with_a_name_that_is_longer_than_the_column_for_it_in_80_columns,@function\n"
               "a_function_with_a_name_that_is_longer_than_the_column_for_it_in_80_columns: nop\n"
               ".size a_function_with_a_name_that_is_longer_than_the_column_for_it_in_80_columns,1\n",
               "", "-Ttext=0x401000 -e 0");
    begin();
    linux_map(1, 0x401000, 0x1000, 0x1000, "/gone/long.elf", USER_MODE);
    linux_map(UINT32_MAX, 0xffffffffc0000000, 0x1000, 0, "/lib/modules/made_up.ko", KERNEL_MODE);
    samples(9, 0x401000, USER_MODE);
    samples(5, 0xffffffffc0000010, KERNEL_MODE);
    snprintf(file, sizeof(file), "%s", write_file("named"));
    text = said(&command_report, "--by=function", "--width=80", file);
    has(text, ">       9   64.3%  a_function_with_a_name_that_is_lon.. long.elf\n");
    has(text, "\n        5   35.7%  (no symbols)                         [kernel] *\n");
    text = said(&command_report, "--by=line", "--width=120", file);
    has(text, "  (line not known)  a_function_with");
}

/* Instructions of one line are a row, and so are those of one function; the same line in another function is another
 * row. */
static void rows_of_lines(void **state)
{
    char file[300];
    char *text;

    begin();
    linux_map(1, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", USER_MODE);
    samples(3, LOAD, USER_MODE);
    samples(2, LOAD + 3, USER_MODE);
    samples(4, PUSH, USER_MODE);
    samples(1, COLD, USER_MODE);
    snprintf(file, sizeof(file), "%s", write_file("lines"));
    program_make("program.elf");
    text = strstr(said(&command_report, "--by=line", "--width=80", file), "\n>");
    assert_non_null(text);
    *strstr(text, "\n---") = '\0';
    expect_text(text, "\n>       5   50.0%  hot.c:13  hot                        program.elf\n"
                      "        4   40.0%  hot.c:10  hot                        program.elf\n"
                      "        1   10.0%  cold.c:7  cold                       program.elf");
    text = strstr(said(&command_report, "--by=function", "--width=80", file), "\n>");
    *strstr(text, "\n---") = '\0';
    expect_text(text, "\n>       9   90.0%  hot                                  program.elf\n"
                      "        1   10.0%  cold                                 program.elf");
    text = strstr(said(&command_report, "--by=instruction", "--width=80", file), "\n>");
    *strstr(text, "\n---") = '\0';
    expect_text(text, "\n>       4   40.0%  401010 push rbp                      program.elf\n"
                      "        3   30.0%  401016 mov eax, dword ptr [rsi+rcx.. program.elf\n"
                      "        2   20.0%  401019 add dword ptr [rdi], eax      program.elf\n"
                      "        1   10.0%  401030 nop                           program.elf");
}

/* Core 1 has no load that missed, so it has no latency. */
static void cores_without_misses(void **state)
{
    const char *text;

    made_run_begin();
    made_run_op(3, (struct made_op){.at = LOAD, .data2 = 3, .data3 = IBS_LD_OP | IBS_DC_MISS | 90ull << 32});
    made_run_op(2, (struct made_op){.at = LOAD, .data3 = IBS_LD_OP, .cpu = 1});
    text = said(&command_report, "--by=core", "--csv", made_run_write("cores", "#: figures = silicon\n"));
    has(text, "\n0,0,3,0,0,0,0,90,90,90,");
    has(text, "\n1,0,2,0,0,0,0,,,,");
}

/* Without op samples there is one column less. */
static void cores_of_fetches(void **state)
{
    made_run_begin();
    made_run_fetch(3, (struct made_fetch){.at = LOAD, .ctl = IBS_FETCH_VAL | IBS_FETCH_COMP});
    made_run_fetch(5, (struct made_fetch){.at = LOAD, .ctl = IBS_FETCH_VAL | IBS_FETCH_COMP, .cpu = 1});
    has(said(&command_report, "--by=core", made_run_write("fetches", "#: figures = silicon\n"), NULL),
        "\nCores\n               IBS fetches      others  % of all\n"
        "core 0 node 0            3           0      37.5\n"
        "core 1 node 0            5           0      62.5\n");
}

/* Samples at the beginning of the text belong to no function; those of the first function follow. */
static void before_the_first_function(void **state)
{
    program_of("program.elf",
               "nop\nnop\n.globl _start\n.type _start, @function\n_start: nop\nret\n.size _start, . - _start\n", "",
               "-Ttext=0x401000 --build-id=0x0102030405060708090a0b0c0d0e0f1011121314");
    made_run_begin();
    made_run_op(2, (struct made_op){.at = 0x401000});
    made_run_op(3, (struct made_op){.at = 0x401002});
    made_run_op(4, (struct made_op){.at = 0x401001});
    has(said(&command_report, "--json", made_run_write("before", "#: figures = silicon\n"), NULL),
        "\"functions\":[{\"object\":0,\"name\":null,\"start\":\"0x0\",\"size\":0,\"workload\":false,\"first_row\":0,"
        "\"rows\":[[\"0x401000\",null,-1,[13,2]],[\"0x401001\",null,-1,[13,4]]],\"sources\":[]},\n"
        "{\"object\":0,\"name\":\"_start\",\"start\":\"0x401002\",\"size\":2,\"workload\":false,\"first_row\":2,"
        "\"rows\":[[0,\"nop\",-1,[13,3]],[1,\"ret\",-1]],\"sources\":[]}],\n");
}

/* There are more instructions than fit at once; runs of a model say so. */
static void sweeps(void **state)
{
    char one[300], two[300];

    for (int i = 0; i < 2; i++) {
        made_run_begin();
        for (unsigned at = 0; at < 2000; at++)
            made_run_op(1, (struct made_op){.at = PUSH + 7 * at, .data3 = IBS_LD_OP});
        snprintf(
            i ? two : one, sizeof(one), "%s",
            made_run_write(i ? "sweep/2" : "sweep/1", i ? "workload = w\n#: figures = model\n#: workload.a = 2\n"
                                                        : "workload = w\n#: figures = model\n#: workload.a = 1\n"));
    }
    has(said(&command_report, one, two, NULL),
        "w, 2 runs\nMODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n");
}

/* The reason of a write that failed before the end is reported, too. */
static void written_in_vain(void **state)
{
    FILE *file = fopen("/dev/full", "w"), *errors = tmpfile();
    char text[200];
    int saved = dup(STDERR_FILENO);

    assert_true(file != NULL && errors != NULL);
    setvbuf(file, NULL, _IONBF, 0);
    assert_int_equal(fputs("x", file), EOF);
    fflush(stderr);
    assert_int_equal(dup2(fileno(errors), STDERR_FILENO), STDERR_FILENO);
    assert_false(output_close(file, "some/file"));
    fflush(stderr);
    assert_int_equal(dup2(saved, STDERR_FILENO), STDERR_FILENO);
    close(saved);
    rewind(errors);
    text[fread(text, 1, sizeof(text) - 1, errors)] = '\0';
    fclose(errors);
    expect_text(text, "ibsprof: some/file: cannot be written: No space left on device\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_programs_are),
        cmocka_unit_test(missing_files),
        cmocka_unit_test(between_instructions),
        cmocka_unit_test(names_of_rows),
        cmocka_unit_test(rows_of_lines),
        cmocka_unit_test(cores_without_misses),
        cmocka_unit_test(cores_of_fetches),
        cmocka_unit_test(before_the_first_function),
        cmocka_unit_test(sweeps),
        cmocka_unit_test(written_in_vain),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
