/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code map of the program that the tests sample: small and always the same, so that whole reports and files can be
 * compared. 96 bytes of workloads at 1000h; the handler follows, and then the code that starts and stops a measurement.
 */
#include "tests/unit/app/map.h"

static const char strings[] =
    "multiply_matrices\0chase\0spin\0"
    "workloads/matmul/matmul_classic.c\0workloads/pointer_chase.c\0"
    "mov eax, dword ptr [rbp-0x14]\0movsxd rdx, eax\0fld dword ptr [rcx+rdx*4]\0"
    "fmul dword ptr [rbx+rdx*4+0x7e48e8]\0fstp dword ptr [rbp-0x18]\0add dword ptr [rbp-0x14], 0x1\0"
    "jle 0x1000\0ret\0"
    "mov rdi, qword ptr [rdi]\0sub ecx, 0x1\0jne 0x1030\0nop\0";

/* Offsets into strings, in their order. */
enum {
    S_MULTIPLY = 0,
    S_CHASE = 18,
    S_SPIN = 24,
    S_FILE0 = 29,
    S_FILE1 = 63,
    S_LOAD = 89,
    S_MOVSXD = 119,
    S_FLD = 135,
    S_FMUL = 161,
    S_FSTP = 197,
    S_ADD = 223,
    S_JLE = 253,
    S_RET = 264,
    S_NEXT = 268,
    S_SUB = 293,
    S_JNE = 306,
    S_NOP = 317,
};

static const uint32_t files[] = {S_FILE0, S_FILE1};

static const struct codemap_func funcs[] = {
    {0x1000, 0x1f, S_MULTIPLY},
    {0x1030, 0x09, S_CHASE},
    {0x1050, 0x02, S_SPIN},
};

#define INSN(rva_, length_, text_, func_, file_, line_, ...)                                                           \
    {                                                                                                                  \
        .rva = rva_, .length = length_, .text = text_, .func = func_, .file = file_, .line = line_, .ops = 1,          \
        __VA_ARGS__                                                                                                    \
    }
#define MEMORY .mems = 1, .mem = {{.base = CODEMAP_REG_RBP, .index = CODEMAP_REG_NONE, .scale = 1, .size = 4}}

static const struct codemap_insn insns[MAP_INSNS] = {
    INSN(0x1000, 3, S_LOAD, 0, 0, 41, MEMORY),
    INSN(0x1003, 3, S_MOVSXD, 0, 0, 41),
    INSN(0x1006, 3, S_FLD, 0, 0, 41, MEMORY),
    INSN(0x1009, 7, S_FMUL, 0, 0, 41, MEMORY),
    INSN(0x1010, 3, S_FSTP, 0, 0, 41, MEMORY),
    INSN(0x1013, 4, S_ADD, 0, 0, 40, MEMORY),
    INSN(0x1017, 7, S_JLE, 0, 0, 40, .branch = CODEMAP_BR_COND, .target = 0x1000),
    INSN(0x101e, 1, S_RET, 0, 0, 44, .branch = CODEMAP_BR_RETURN, MEMORY),

    INSN(0x1030, 3, S_NEXT, 1, 1, 20, MEMORY),
    INSN(0x1033, 3, S_SUB, 1, 1, 21),
    INSN(0x1036, 2, S_JNE, 1, 1, 21, .branch = CODEMAP_BR_COND, .target = 0x1030),
    INSN(0x1038, 1, S_RET, 1, 1, 22, .branch = CODEMAP_BR_RETURN, MEMORY),

    INSN(0x1050, 1, S_NOP, 2, 0xffff, 0),
    INSN(0x1051, 1, S_RET, 2, 0xffff, 0, .branch = CODEMAP_BR_RETURN, MEMORY),
};

const struct codemap image_codemap = {
    .insns = insns,
    .funcs = funcs,
    .files = files,
    .strings = strings,
    .insn_count = MAP_INSNS,
    .func_count = 3,
    .file_count = 2,
    .text_rva = MAP_TEXT,
    .text_size = MAP_TEXT_SIZE,
    .text_hash = 0x2174b4c8b4e487a5, /* FNV-1a over (7 i + 3) mod 256 */
};

uint8_t map_byte(unsigned i)
{
    return (uint8_t)(7 * i + 3);
}
