/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof codemap: the map of own code as ibsboot reads it, and the message for each file from which no map is made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/code/code_map.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

/* The function helper is out of order in .symtab, and has no size; the size of run does not include the nop. */
static const char assembly[] = ".file \"own.s\"\n"
                               ".text\n"
                               ".globl run\n"
                               "helper: ret\n"
                               " nop\n"
                               ".type run, @function\n"
                               "run: mov (%rdi), %eax\n"
                               " call helper\n"
                               " ret\n"
                               ".size run, . - run\n"
                               " nop\n"
                               ".type wide, @function\n"
                               "wide: vaddps %ymm0, %ymm1, %ymm2\n"
                               " .byte 6\n"
                               ".size wide, . - wide\n"
                               ".data\n"
                               " .quad run\n";

static const char notes[] = "NOTE: wide+0x0: vaddps ymm2, ymm1, ymm0: instruction that Family 10h does not have: the "
                            "virtual PMU times it as something else\n"
                            "NOTE: wide+0x4: (bad): no instruction: the virtual PMU times it as something else\n";

static uint64_t bytes[4096];
static struct codemap map;

static void read_map(const char *path)
{
    FILE *file = fopen(path, "rb");
    char said[300] = "";
    struct out_memory problems;
    uint64_t hash;
    size_t size;

    assert_non_null(file);
    size = fread(bytes, 1, sizeof(bytes), file);
    (void)fclose(file);
    out_memory_init(&problems, said, sizeof(said));
    if (!code_map_read(bytes, size, &map, &hash, &problems.out))
        fail_msg("%s", said);
}

static const char *text(uint32_t insn)
{
    return map.strings + map.insns[insn].text;
}

static void check_map(uint32_t base)
{
    assert_int_equal(map.insn_count, 7);
    assert_int_equal(map.func_count, 3);
    assert_string_equal(map.strings + map.funcs[0].name, "helper");
    assert_int_equal(map.insns[0].rva, base);
    assert_string_equal(text(0), "ret");
    assert_string_equal(text(1), "nop");
    assert_string_equal(text(2), "mov eax, dword ptr [rdi]");
    assert_int_equal(map.insns[2].reads, 1 << 7);  /* rdi, */
    assert_int_equal(map.insns[2].writes, 1 << 0); /* rax */
    assert_int_equal(map.insns[3].target, base);
    assert_string_equal(map.strings + map.funcs[map.insns[4].func].name, "run");
    assert_int_equal(map.funcs[1].size, 8);
    assert_string_equal(text(5), "vaddps ymm2, ymm1, ymm0");
    assert_string_equal(text(6), "(bad)");
    assert_int_equal(codemap_find(&map, base + 10), -1);
}

static void maps_both_types(void **state)
{
    char said[1000];

    (void)state;
    snprintf(said, sizeof(said), "%sFILES/own.map: 7 instructions in 3 functions\n", notes);
    tool_expect(tool_run(&command_codemap, program_of("own.elf", assembly, "-g", "-shared -Ttext=0x1000"), NULL),
                EXIT_DONE, said, "");
    read_map(files_path("own.map"));
    check_map(0x1000);
    assert_string_equal(map.strings + map.files[map.insns[2].file] + strlen(map.strings + map.files[0]) - 9,
                        "program.s");
    assert_int_equal(map.insns[2].line, 7);
    snprintf(said, sizeof(said), "%sFILES/other: 7 instructions in 3 functions\n", notes);
    tool_expect(tool_run(&command_codemap, "-o", files_path("other"), program_of("own.o", assembly, "-g", NULL), NULL),
                EXIT_DONE, said, "");
    read_map(files_path("other"));
    check_map(0x40); /* at the offset of its section in the file */
    assert_int_equal(map.insns[2].line, 7);
}

/* The map is still made: with it the image refuses the file, which it would run without a map. */
static void names_what_ibsboot_refuses(void **state)
{
    (void)state;
    tool_expect(
        tool_run(&command_codemap, program_of("state.o", ".globl run\nrun: nop\n cli\n int $128\n", "", NULL), NULL),
        EXIT_DONE,
        "NOTE: run+0x1: cli: it changes the processor's state: ibsboot refuses the file\n"
        "NOTE: run+0x2: int 0x80: there is no system to call here: ibsboot refuses the file\n"
        "FILES/state.o.map: 3 instructions in 1 functions\n",
        "");
}

static void refuses_with_a_line(void **state)
{
    const char *file;

    (void)state;
    tool_expect(tool_run(&command_codemap, files_path("none.elf"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/none.elf: it cannot be read: No such file or directory\n");
    file = files_write("text.elf", "text", 4);
    tool_expect(tool_run(&command_codemap, file, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/text.elf: it is not an ELF file\n");
    file = program_of("far.o", ".globl run\nrun: mov $run, %edi\n call memcpy\n", "", NULL);
    tool_expect(tool_run(&command_codemap, file, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/far.o: relocation R_X86_64_32 (10) at run+0x1: code is above 4 GB here: compile with "
                "-fPIE or -fPIC\n");
    file = program_of("calls.o", ".globl run\nrun: call memcpy\n", "", NULL);
    tool_expect(tool_run(&command_codemap, file, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/calls.o: relocation R_X86_64_PLT32 (4) at run+0x1: 'memcpy' is not defined here: link "
                "its definition into this file\n");
    file = program_of("long.o", ".globl run\nrun: .fill 16385, 1, 0x90\n", "", NULL);
    tool_expect(tool_run(&command_codemap, file, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/long.o: it has 16385 instructions, but a map at most 16384: leave out code that run() "
                "does not call\n");
    file = program_of("ends.o", ".globl run\nrun: nop\n", "", NULL);
    tool_expect(tool_run(&command_codemap, files_path("none.elf"), file, NULL), EXIT_INPUT,
                "FILES/ends.o.map: 1 instructions in 1 functions\n",
                "ibsprof: FILES/none.elf: it cannot be read: No such file or directory\n");
    file = program_of("fits.o", ".globl run\nrun: .fill 16384, 1, 0x90\n", "", NULL);
    tool_expect(tool_run(&command_codemap, "-o/nowhere/at/all", file, NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all: cannot be written: No such file or directory\n");
    assert_int_equal(tool_run(&command_codemap, NULL).status, EXIT_USAGE);
    assert_int_equal(tool_run(&command_codemap, "-o", "x", file, file, NULL).status, EXIT_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_both_types),
        cmocka_unit_test(names_what_ibsboot_refuses),
        cmocka_unit_test(refuses_with_a_line),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
