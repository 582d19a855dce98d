/* SPDX-License-Identifier: BSD-2-Clause */
/* * Profiles for compilers: each line's count, compared with addr2line and objdump on the same program. An instruction
 * has as many samples as its number in the program, so that no two have the same. */
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

enum { TEXT_SIZE = 0x200, INSTRUCTIONS = 100, ADD_DECLARED = 1, MAIN_DECLARED = 9 };

static const char source[] = "__asm__(\".text\\n.globl image_workloads\\nimage_workloads:\"); int add(int a, int b)\n"
                             "{\n"
                             "    return a + b;\n"
                             "}\n"
                             "static inline __attribute__((always_inline)) int twice(int a)\n"
                             "{\n"
                             "    return a * 2;\n"
                             "}\n"
                             "int main(void)\n"
                             "{\n"
                             "    int sum = 0;\n"
                             "    for (int i = 0; i < 9; i++) sum += i > 4 ? add(i, sum) : i;\n"
                             "    return twice(sum);\n"
                             "}\n"
                             "__asm__(\".text\\n.globl image_workloads_end\\nimage_workloads_end:\");\n";

static struct instruction {
    uint64_t at;
    char function[20];
    unsigned line, discriminator;
    bool inlined, first;
} instructions[INSTRUCTIONS];
static unsigned count;

static void make_program(const char *options)
{
    char command[1200], path[300];

    snprintf(path, sizeof(path), "%s", files_write("program.c", source, sizeof(source) - 1));
    snprintf(command, sizeof(command),
             "cc %s -O0 -ffreestanding -fno-pie -fcf-protection=none -nostdlib -static -no-pie -e main "
             "-Wl,-Ttext=0x401000 -Wl,--build-id=0x0102030405060708090a0b0c0d0e0f1011121314 "
             "%s -o %s",
             options, path, files_path("program.elf"));
    assert_int_equal(system(command), 0);
}

/* Reads the instructions from objdump, and their lines from addr2line. */
static void read_program(void)
{
    char command[700], line[400], path[300];
    FILE *listing, *lines;

    snprintf(path, sizeof(path), "%s", files_path("program.elf"));
    snprintf(command, sizeof(command), "objdump -d --no-show-raw-insn %s", path);
    listing = popen(command, "r");
    assert_non_null(listing);
    count = 0;
    while (fgets(line, sizeof(line), listing)) {
        unsigned long long at;
        char rest[100];

        if (sscanf(line, " %llx: %99s", &at, rest) == 2 && strcmp(rest, "nop") != 0 && count < INSTRUCTIONS)
            instructions[count++] = (struct instruction){.at = at};
    }
    pclose(listing);
    for (unsigned i = 0; i < count; i++) {
        struct instruction *one = &instructions[i];
        char inner[50], where[200], outer[50] = "", name[50];
        const char *colon, *told;

        snprintf(command, sizeof(command), "addr2line -f -i -e %s 0x%llx", path, (unsigned long long)one->at);
        lines = popen(command, "r");
        assert_non_null(lines);
        assert_int_equal(fscanf(lines, "%49s ", inner), 1);
        assert_non_null(fgets(where, sizeof(where), lines));
        one->inlined = fscanf(lines, "%49s", outer) == 1;
        pclose(lines);
        colon = strrchr(where, ':');
        assert_non_null(colon);
        one->line = (unsigned)atoi(colon + 1);
        told = strstr(where, "discriminator ");
        one->discriminator = told ? (unsigned)atoi(told + 14) : 0;
        snprintf(name, sizeof(name), "%s", inner);
        snprintf(one->function, sizeof(one->function), "%.19s", name);
        one->first = true;
        for (unsigned k = 0; k < i; k++)
            one->first &= strcmp(instructions[k].function, one->function) != 0;
    }
}

static const char *make_run(void)
{
    made_run_begin();
    made_info.text_size = TEXT_SIZE;
    for (unsigned i = 0; i < count; i++)
        made_run_op(i + 1, (struct made_op){.at = instructions[i].at});
    return made_run_write("run", "workload = loop\n#: figures = silicon\n");
}

/* Compares the part of one function. */
static void expect_function(char **text, const char *name, unsigned declared)
{
    uint64_t total = 0, head = 0;
    char lines[1000] = "";

    for (unsigned line = declared; line < declared + 20; line++)
        for (unsigned discriminator = 0; discriminator < 20; discriminator++) {
            uint64_t most = 0;

            for (unsigned i = 0; i < count; i++) {
                const struct instruction *one = &instructions[i];

                if (one->inlined || strcmp(one->function, name) != 0 || one->line != line ||
                    one->discriminator != discriminator)
                    continue;
                most = i + 1 > most ? i + 1 : most;
                head += one->first ? i + 1 : 0;
            }
            if (most == 0)
                continue;
            total += most;
            sprintf(lines + strlen(lines), " %u", line - declared);
            if (discriminator)
                sprintf(lines + strlen(lines), ".%u", discriminator);
            sprintf(lines + strlen(lines), ": %llu\n", (unsigned long long)most);
        }
    *text += sprintf(*text, "%s:%llu:%llu\n%s", name, (unsigned long long)total, (unsigned long long)head, lines);
}

static void lines_have_their_counts(void **state)
{
    char wanted[4000], *end = wanted;
    uint64_t inlined = 0;
    unsigned discriminators = 0;

    make_program("-g");
    read_program();
    assert_in_range(count, 20, INSTRUCTIONS - 1);
    for (unsigned i = 0; i < count; i++) {
        inlined += instructions[i].inlined ? i + 1 : 0;
        discriminators += instructions[i].discriminator > 0;
    }
    assert_true(inlined > 0 && discriminators > 0);
    end += sprintf(end, "# left out: %llu samples of inlined code, 0 whose function is not known\n",
                   (unsigned long long)inlined);
    expect_function(&end, "add", ADD_DECLARED);
    expect_function(&end, "main", MAIN_DECLARED);
    tool_expect(tool_run(&command_report, "--format=autofdo", make_run(), NULL), EXIT_DONE, wanted, "");
}

/* Without -g the line of a function's declaration is unknown. */
static void nothing_is_known(void **state)
{
    make_program("");
    tool_expect(tool_run(&command_report, "--format=autofdo", files_path("run"), NULL), EXIT_USAGE, "",
                "ibsprof: FILES/run: no op sample is in a function with a declaration in the debug information (build "
                "with -g)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_have_their_counts), cmocka_unit_test(nothing_is_known)};

    return cmocka_run_group_tests(tests, NULL, files_end);
}
