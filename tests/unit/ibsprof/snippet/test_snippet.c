/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof snippet: the own code that it makes from a few instructions, and the message for each text from which it
 * makes none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/code/code.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/snippet/snippet_code.h"

static uint8_t bytes[1 << 20];
static struct code code;

static void read_code(const char *path)
{
    FILE *file = fopen(path, "rb");
    char said[300] = "";
    struct out_memory problems;
    size_t size;

    assert_non_null(file);
    size = fread(bytes, 1, sizeof(bytes), file);
    (void)fclose(file);
    out_memory_init(&problems, said, sizeof(said));
    if (!code_read(bytes, size, &code, &problems.out))
        fail_msg("%s", said);
}

static struct code_function function(const char *name)
{
    struct code_function found;

    for (uint64_t i = 0; code_function_at(&code, i, &found); i++)
        if (found.name && strcmp(found.name, name) == 0)
            return found;
    fail_msg("no function %s", name);
    return found;
}

/* Returns the bytes of the file at an address: all code is in one segment. */
static const uint8_t *at(uint32_t rva)
{
    for (unsigned i = 0; i < code.pieces; i++)
        if (code.piece[i].access == CODE_EXECUTE)
            return bytes + code.piece[i].offset + (rva - code.piece[i].rva);
    fail();
    return NULL;
}

static void check_parameter(unsigned n, const char *name, uint32_t min, uint32_t max, uint32_t initial, bool multiplies)
{
    const struct code_parameter *parameter = &code.note.parameter[n];

    assert_string_equal(parameter->name, name);
    assert_int_equal(parameter->min, min);
    assert_int_equal(parameter->max, max);
    assert_int_equal(parameter->initial, initial);
    assert_int_equal(parameter->multiplies, multiplies);
}

/* The snippet is imul rax, rbx; add rcx, rax. */
static const uint8_t snippet[] = {0x48, 0x0f, 0xaf, 0xc3, 0x48, 0x01, 0xc1};

static void check_loop(const char *name, unsigned times)
{
    static const uint8_t end[] = {0x49, 0xff, 0xcf}; /* dec r15 */
    struct code_function loop = function(name);
    const uint8_t *byte = at(loop.rva);

    assert_int_equal(loop.rva % 64, 0);
    for (unsigned i = 0; i < times; i++, byte += sizeof(snippet))
        assert_memory_equal(byte, snippet, sizeof(snippet));
    assert_memory_equal(byte, end, sizeof(end));
}

static void makes_three_loops(void **state)
{
    static const uint8_t init[] = {0xbb, 0x03, 0x00, 0x00, 0x00}; /* mov ebx, 3 */
    char said[200];

    (void)state;
    snprintf(said, sizeof(said),
             "FILES/three.elf: 2 instructions, 7 times in a loop of 50; its listing is "
             "FILES/three.map\n");
    tool_expect(tool_run(&command_snippet, "-o", files_path("three.elf"), "--unroll=7", "--loop=50",
                         "--init=mov ebx, 3", "imul rax, rbx; add rcx, rax", NULL),
                EXIT_DONE, said, "");
    read_code(files_path("three.elf"));
    assert_string_equal(code.note.name, "three");
    assert_string_equal(code.note.title, "imul rax, rbx; add rcx, rax");
    assert_string_equal(code.note.unit, "instructions");
    assert_int_equal(code.note.arena, 1 << 20);
    assert_int_equal(code.note.unit_ops, 1);
    check_parameter(0, "loop", 1, 100000000, 50, true);
    check_parameter(1, "body", 1, 3, 2, false);
    check_parameter(2, "unroll", 7, 7, 7, true);
    check_parameter(3, "instructions", 2, 2, 2, true);
    check_loop("empty", 0);
    check_loop("once", 7);
    check_loop("twice", 14);
    assert_non_null(memmem(at(code.run), function("run").size, init, sizeof(init)));
    /* The defaults are used; a title of many lines becomes one line, and ends. */
    tool_expect(
        tool_run(&command_snippet, "-o", files_path("long.elf"),
                 "nop\n\tnop # \xc3\xa4 0123456789012345678901234567890123456789012345678901234567890123456789", NULL),
        EXIT_DONE, "FILES/long.elf: 2 instructions, 100 times in a loop of 1000; its listing is FILES/long.map\n", "");
    read_code(files_path("long.elf"));
    assert_string_equal(code.note.title,
                        "nop; nop #    01234567890123456789012345678901234567890123456789012345678901...");
    tool_expect(tool_run(&command_snippet, "-o", files_path("div.elf"), "mul rbx; div rbx", NULL), EXIT_DONE,
                "FILES/div.elf: 2 instructions, 100 times in a loop of 1000; its listing is FILES/div.map\n", "");
    read_code(files_path("div.elf"));
    assert_in_range(code.note.unit_ops, 2, 40);
}

static void jumps_within_itself(void **state)
{
    (void)state;
    tool_expect(tool_run(&command_snippet, "-o", files_path("jump.elf"),
                         "a: test rax, rax; jnz end; jz b; jmp a; b: mov rax, [rip + b]; end:", NULL),
                EXIT_DONE,
                "FILES/jump.elf: 5 instructions, 100 times in a loop of 1000; its listing is FILES/jump.map\n", "");
    tool_expect(tool_run(&command_snippet, "-o", files_path("avx.elf"), "vaddps ymm0, ymm1, ymm2", NULL), EXIT_DONE,
                "NOTE: vaddps ymm0, ymm1, ymm2: instruction that Family 10h does not have: the virtual PMU times it as "
                "something else\n"
                "FILES/avx.elf: 1 instruction, 100 times in a loop of 1000; its listing is FILES/avx.map\n",
                "");
}

struct refusal {
    const char *text, *said;
};

static const struct refusal refusals[] = {
    {"", "it has no instruction"},
    {"# nothing", "it has no instruction"},
    {"jmp out", "it refers to out, which is neither a register nor a label in it: all memory is in the arena, at r14"},
    {"mov rax, rbz", "it refers to rbz, which is neither a register nor a label in it: all memory is in the arena, at "
                     "r14"},
    {"a: mov rax, offset a", "it refers to an address, which is neither a register nor a label in it: all memory is in "
                             "the arena, at r14"},
    {".data; .quad 3", "it has its own data, in .data: all memory is in the arena, at r14"},
    {".bss; .skip 3", "it has its own data, in .bss: all memory is in the arena, at r14"},
    {"push rax", "'push rax' writes rsp: memory of the snippet is in the arena, at r14"},
    {"nop; pop rax", "'pop rax' writes rsp: memory of the snippet is in the arena, at r14"},
    {"mov spl, 1", "'mov spl, 1' writes rsp: memory of the snippet is in the arena, at r14"},
    {"xor r15d, r15d", "'xor r15d, r15d' writes r15, the loop's counter: use another register"},
    {"ret", "'ret' leaves the snippet: jumps to labels in it are possible"},
    {"a: call a", "'call 1000000' leaves the snippet: jumps to labels in it are possible"},
    {"jmp rax", "'jmp rax' leaves the snippet: jumps to labels in it are possible"},
    {"jmp [rax]", "'jmp qword ptr [rax]' leaves the snippet: jumps to labels in it are possible"},
    {"call rax", "'call rax' leaves the snippet: jumps to labels in it are possible"},
    {"int 3", "'int3' leaves the snippet: jumps to labels in it are possible"},
    {"int 0x80", "'int 0x80' leaves the snippet: jumps to labels in it are possible"},
    {"syscall", "'syscall' leaves the snippet: jumps to labels in it are possible"},
    {"hlt", "'hlt' leaves the snippet: jumps to labels in it are possible"},
    {"nop; jmp . + 9", "its jump at +0x1 does not lead to one of its instructions: jump to a label in it"},
    {"jmp . - 9", "its jump at +0x0 does not lead to one of its instructions: jump to a label in it"},
    {"jz . + 3; mov eax, 1", "its jump at +0x0 does not lead to one of its instructions: jump to a label in it"},
    {"nop; .byte 6", "its bytes at +0x1 are not an instruction"},
    {".skip 1048577, 0x90", "it has 1048577 bytes, but at most 1048576 are allowed"},
};

static void refuses_a_text(void **state)
{
    char said[400];

    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        snprintf(said, sizeof(said), "ibsprof: the snippet: %s\n", refusals[i].said);
        tool_expect(tool_run(&command_snippet, "-o", files_path("no.elf"), refusals[i].text, NULL), EXIT_INPUT, "",
                    said);
    }
    tool_expect(tool_run(&command_snippet, "-o", files_path("no.elf"), "nop\nfoo rax, 1", NULL), EXIT_INPUT, "",
                "ibsprof: the snippet, line 2: no such instruction: `foo rax,1'\n");
    tool_expect(tool_run(&command_snippet, "-o", files_path("no.elf"), "--init=push 3", "nop", NULL), EXIT_INPUT, "",
                "ibsprof: --init: 'push 3' writes rsp: memory of the snippet is in the arena, at r14\n");
    tool_expect(tool_run(&command_snippet, "-o", files_path("no.elf"), "--init=foo", "nop", NULL), EXIT_INPUT, "",
                "ibsprof: --init, line 1: no such instruction: `foo'\n");
    tool_expect(tool_run(&command_snippet, "-o", files_path("no.elf"), "--unroll=2720", "nop; nop", NULL), EXIT_DONE,
                "FILES/no.elf: 2 instructions, 2720 times in a loop of 1000; its listing is FILES/no.map\n", "");
    tool_expect(
        tool_run(&command_snippet, "-o", files_path("no.elf"), "--unroll=2721", "nop; nop", NULL), EXIT_INPUT, "",
        "ibsprof: the snippet: with 2 instructions, a map has room for only 2720 copies: choose --unroll=2720\n");
    tool_expect(
        tool_run(&command_snippet, "-o", files_path("no.elf"), "--unroll=2721", "--init=.fill 100, 1, 0x90", "nop; nop",
                 NULL),
        EXIT_INPUT, "",
        "ibsprof: the snippet: with 2 instructions, a map has room for only 2704 copies: choose --unroll=2704\n");
    tool_expect(
        tool_run(&command_snippet, "-o", files_path("no.elf"), "--unroll=1", "--init=.fill 16400, 1, 0x90", "nop",
                 NULL),
        EXIT_INPUT, "",
        "ibsprof: the snippet: with 1 instructions, and 16400 of --init, it is longer than a map allows, 16384\n");
}

static void refuses_a_name_or_place(void **state)
{
    static const char *const names[] = {"Upper.elf", "none",      ".elf",
                                        "a.b.elf",   "x.elf.elf", "a0123456789012345678901234567890.elf"};
    char said[400], *path, *folder;

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(said, sizeof(said),
                 "ibsprof: %s: ibsboot takes names of at most 31 characters of a-z, 0-9, '-' and '_' followed by .elf: "
                 "choose another name\n",
                 names[i]);
        tool_expect(tool_run(&command_snippet, "-o", names[i], "nop", NULL), EXIT_USAGE, "", said);
    }
    tool_expect(tool_run(&command_snippet, "-o", "/nowhere/at/all.elf", "nop", NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all.elf: cannot be written: No such file or directory\n");
    assert_int_equal(tool_run(&command_snippet, NULL).status, EXIT_USAGE);
    assert_int_equal(tool_run(&command_snippet, "nop", "nop", NULL).status, EXIT_USAGE);
    assert_int_equal(tool_run(&command_snippet, "--unroll=0", "nop", NULL).status, EXIT_USAGE);
    path = strdup(getenv("PATH"));
    folder = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    setenv("PATH", "/nowhere", 1);
    tool_expect(tool_run(&command_snippet, "-o", files_path("no.elf"), "nop", NULL), EXIT_INPUT, "",
                "ibsprof: as cannot be run: No such file or directory: install binutils\n");
    setenv("PATH", path, 1);
    setenv("TMPDIR", "/nowhere", 1);
    tool_expect(tool_run(&command_snippet, "-o", files_path("no.elf"), "nop", NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere: no folder can be made there: No such file or directory: "
                "name another folder in TMPDIR\n");
    if (folder)
        setenv("TMPDIR", folder, 1);
    else
        unsetenv("TMPDIR");
    free(path);
    free(folder);
}

/* Programs fail in other ways than binutils' do: each has this name and this text. */
static void other_programs(void **state)
{
    static const struct {
        const char *program, *script, *said;
    } rows[] = {
        {"as", "echo strange; echo more; exit 1", "the snippet: as failed: strange"},
        {"as", "exit 3", "the snippet: as failed: without a message"},
        {"as", "echo x.s:7: Error: odd >&2; exit 1", "the snippet, line 7: odd"},
        {"as", "echo Error: odd: 7; exit 1", "the snippet: as failed: Error: odd: 7"},
        {"as", "kill -9 $$", "the snippet: as failed: without a message"},
        {"as", "read line && exit 1; exit 0", "the snippet: the output of as cannot be read"}, /* as gets no input */
        {"ld", "echo full; exit 1", "the linked snippet: ld failed: full"},
    };
    char *path = strdup(getenv("PATH")), text[400], said[200];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char name[30];

        snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", rows[i].script);
        snprintf(name, sizeof(name), "bin%zu/%s", i, rows[i].program);
        files_write(name, text, strlen(text));
        assert_int_equal(chmod(files_path(name), 0755), 0);
        *strchr(name, '/') = '\0';
        snprintf(text, sizeof(text), "%s:%s", files_path(name), path);
        setenv("PATH", text, 1);
        snprintf(said, sizeof(said), "ibsprof: %s\n", rows[i].said);
        tool_expect(tool_run(&command_snippet, "-o", files_path("no.elf"), "nop", NULL), EXIT_INPUT, "", said);
    }
    setenv("PATH", path, 1);
    free(path);
}

/* The folder in which as and ld worked is removed. */
static void leaves_nothing(void **state)
{
    char *made = strdup(files_path("tmp/x"));

    (void)state;
    *strrchr(made, '/') = '\0';
    setenv("TMPDIR", made, 1);
    assert_int_equal(tool_run(&command_snippet, "-o", files_path("left.elf"), "nop", NULL).status, EXIT_DONE);
    assert_int_equal(tool_run(&command_snippet, "-o", files_path("left.elf"), "nope", NULL).status, EXIT_INPUT);
    unsetenv("TMPDIR");
    assert_int_equal(rmdir(made), 0);
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_three_loops), cmocka_unit_test(jumps_within_itself),
        cmocka_unit_test(refuses_a_text),    cmocka_unit_test(refuses_a_name_or_place),
        cmocka_unit_test(leaves_nothing),    cmocka_unit_test(other_programs),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
