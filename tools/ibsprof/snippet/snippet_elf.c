/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/snippet/snippet_elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/code/code_note.h"
#include "tools/ibsprof/base/must.h"

/* All paths have the same instructions before and after the loop. 'jmp [rsp]' needs no register, and 'dec' keeps the
 * carry, so a chain of adc continues from one iteration to the next. */
static const char before[] = ".intel_syntax noprefix\n"
                             ".macro begin name\n"
                             ".p2align 6, 0xcc\n"
                             ".type \\name, @function\n"
                             "\\name:\n"
                             ".endm\n"
                             ".macro end name\n"
                             "dec r15\n"
                             "jnz \\name\n"
                             "jmp done\n"
                             ".size \\name, . - \\name\n"
                             ".endm\n"
                             ".text\n"
                             ".globl run\n"
                             "begin run\n"
                             "push rbx\npush rbp\npush r12\npush r13\npush r14\npush r15\n"
                             "sub rsp, 16\n"
                             "mov eax, [rsi]\n"
                             "mov [rsp + 8], rax\n"
                             "mov eax, [rsi + 4]\n"
                             "lea rcx, [rip + empty]\n"
                             "lea rdx, [rip + " SNIPPET_ONCE "]\n"
                             "lea rbx, [rip + " SNIPPET_TWICE "]\n"
                             "cmp eax, 2\n"
                             "cmove rcx, rdx\n"
                             "cmova rcx, rbx\n"
                             "mov [rsp], rcx\n"
                             "lea r14, [rdi + %d]\n"
                             "mov rdi, r14\n"
                             "mov rsi, r14\n"
                             "xor eax, eax\nxor ebx, ebx\nxor ecx, ecx\nxor edx, edx\nxor ebp, ebp\nxor r8d, r8d\n"
                             "xor r9d, r9d\nxor r10d, r10d\nxor r11d, r11d\nxor r12d, r12d\nxor r13d, r13d\n";

static const char between[] = "mov r15, [rsp + 8]\n"
                              "jmp [rsp]\n"
                              ".size run, . - run\n"
                              "begin empty\n"
                              "end empty\n";

static const char after[] = "begin done\n"
                            "cld\n"
                            "add rsp, 16\n"
                            "pop r15\npop r14\npop r13\npop r12\npop rbp\npop rbx\n"
                            "ret\n"
                            ".size done, . - done\n";

static void put_bytes(FILE *to, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;

    for (size_t i = 0; i < size; i++)
        fprintf(to, "%s%u%s", i % 32 == 0 ? ".byte " : ",", byte[i], i % 32 == 31 || i + 1 == size ? "\n" : "");
}

static void put_unrolled(FILE *to, const struct snippet *snippet, const char *name, uint32_t times)
{
    fprintf(to, "begin %s\n.rept %u\n", name, times);
    put_bytes(to, snippet->code.bytes, snippet->code.size);
    fprintf(to, ".endr\nend %s\n", name);
}

/* Writes the snippet in one line of ASCII, as required for a title; "..." ends a longer one. */
static void put_title(char *title, size_t size, const char *text)
{
    size_t length = 0;

    for (; *text && length + 1 < size; text++)
        title[length++] = *text == '\n' ? ';' : *text < ' ' || *text > '~' ? ' ' : *text;
    title[length] = '\0';
    if (*text)
        memcpy(title + size - 4, "...", 4);
}

static struct code_parameter parameter(const char *name, const char *help, uint32_t min, uint32_t max, uint32_t initial)
{
    struct code_parameter made = {.min = min, .max = max, .initial = initial};

    (void)snprintf(made.name, sizeof(made.name), "%s", name);
    (void)snprintf(made.help, sizeof(made.help), "%s", help);
    return made;
}

static struct code_note note_of(const struct snippet *snippet)
{
    uint32_t ops = snippet->code.ops, instructions = snippet->code.instructions;
    struct code_note note = {.unit = "instructions", .arena = SNIPPET_ARENA, .unit_ops = 1};

    (void)snprintf(note.name, sizeof(note.name), "%s", snippet->name);
    put_title(note.title, sizeof(note.title), snippet->text);
    if (ops > instructions)
        note.unit_ops = (ops + instructions / 2) / instructions;
    note.parameter[0] = parameter("loop", "iterations", 1, SNIPPET_LOOP_MAX, snippet->loop);
    note.parameter[1] = parameter("body", "1 none, 2 the snippet unrolled, 3 twice that", 1, 3, 2);
    note.parameter[2] = parameter("unroll", "the snippet in body 2", snippet->unroll, snippet->unroll, snippet->unroll);
    note.parameter[3] = parameter("instructions", "of the snippet", instructions, instructions, instructions);
    note.parameter[0].multiplies = note.parameter[2].multiplies = note.parameter[3].multiplies = 1;
    return note;
}

char *snippet_source(const struct snippet *snippet)
{
    struct code_note note = note_of(snippet);
    char *text = NULL;
    size_t size = 0;
    FILE *to = must_have(open_memstream(&text, &size));

    fprintf(to, before, SNIPPET_ARENA / 2);
    put_bytes(to, snippet->init.bytes, snippet->init.size);
    fputs(between, to);
    put_unrolled(to, snippet, SNIPPET_ONCE, snippet->unroll);
    put_unrolled(to, snippet, SNIPPET_TWICE, 2 * snippet->unroll);
    fputs(after, to);
    fprintf(to, ".section .note.ibsboot, \"a\", @note\n.balign 4\n.long 8, %zu, %d\n.asciz \"ibsboot\"\n", sizeof(note),
            CODE_NOTE_VERSION);
    put_bytes(to, &note, sizeof(note));
    (void)fclose(to);
    return must_have(text);
}
