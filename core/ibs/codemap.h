/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code map: what the measured code is made of, instruction by instruction.
 *
 * The image has no disassembler. At build time tools/codemap walks the workload code of the linked image and emits this
 * table. The image uses it for listings and for the straddle rule; the virtual PMU uses it to know what it steps over.
 *
 * All addresses are RVAs: offsets from the image base, equal to the addresses in the ELF file (which is linked at 0).
 * The arrays live in section .codemap, which the linker script puts after everything that code refers to, so that
 * filling the map in does not move a byte of code.
 */
#ifndef CORE_CODEMAP_H
#define CORE_CODEMAP_H

#include <stdint.h>

/* Register numbers as in the instruction encoding: 0 rax, 1 rcx, 2 rdx, 3 rbx, 4 rsp, 5 rbp, 6 rsi, 7 rdi, 8..15
 * r8..r15. */
enum {
    CODEMAP_REG_RSP = 4,
    CODEMAP_REG_RBP = 5,
    CODEMAP_REG_RIP = 16, /* disp is then the RVA that is addressed, not a displacement */
    CODEMAP_REG_NONE = 255,
};

/* Bits of codemap_insn.reads and .writes; 0..15 are the general registers. */
enum {
    CODEMAP_DEP_FLAGS = 16,
    CODEMAP_DEP_X87 = 17,  /* the x87 stack as a whole */
    CODEMAP_DEP_XMM0 = 18, /* .. 33 = xmm15 */
};

enum codemap_mem_flags {
    CODEMAP_LOAD = 1,
    CODEMAP_STORE = 2,
};

/* One memory operand: address = base + index * scale + disp before the instruction executes. Implicit stack accesses
 * are operands too: push and call store at rsp-8, pop and ret load at rsp, leave loads at rbp. */
struct codemap_mem {
    int32_t disp;
    uint8_t base;  /* 0..15, CODEMAP_REG_RIP or CODEMAP_REG_NONE */
    uint8_t index; /* 0..15 or CODEMAP_REG_NONE */
    uint8_t scale; /* 1, 2, 4, 8 */
    uint8_t size;  /* bytes */
    uint8_t flags; /* enum codemap_mem_flags */
    uint8_t reserved[3];
};

enum codemap_branch {
    CODEMAP_BR_NONE,
    CODEMAP_BR_COND,
    CODEMAP_BR_JUMP,
    CODEMAP_BR_JUMP_INDIRECT,
    CODEMAP_BR_CALL,
    CODEMAP_BR_CALL_INDIRECT,
    CODEMAP_BR_RETURN,
};

/* How Family 10h decodes it: DirectPath single (1 macro-op), DirectPath double (2), VectorPath (3 or more). */
enum codemap_path {
    CODEMAP_PATH_SINGLE,
    CODEMAP_PATH_DOUBLE,
    CODEMAP_PATH_VECTOR,
};

/* Execution class: indexes the latency table of the virtual PMU. */
enum codemap_unit {
    CODEMAP_UNIT_ALU,
    CODEMAP_UNIT_LEA,
    CODEMAP_UNIT_SHIFT,
    CODEMAP_UNIT_IMUL,
    CODEMAP_UNIT_IDIV,
    CODEMAP_UNIT_BRANCH,
    CODEMAP_UNIT_FADD,
    CODEMAP_UNIT_FMUL,
    CODEMAP_UNIT_FDIV,
    CODEMAP_UNIT_FSQRT,
    CODEMAP_UNIT_FMOVE, /* x87 and SSE loads, stores, moves, conversions */
    CODEMAP_UNIT_NOP,
    CODEMAP_UNIT_OTHER,
    CODEMAP_UNITS,
};

enum codemap_insn_flags {
    CODEMAP_INSN_REP = 1, /* one trap per iteration when single-stepped */
    CODEMAP_INSN_LOCK = 2,
    CODEMAP_INSN_SERIAL = 4,      /* serialising, e.g. cpuid */
    CODEMAP_INSN_NONTEMPORAL = 8, /* streaming store: write-combining */
};

struct codemap_insn {
    uint64_t reads;  /* registers read, see CODEMAP_DEP_* (address registers included) */
    uint64_t writes; /* registers written */
    uint32_t rva;
    uint32_t text;   /* offset into codemap.strings: Intel syntax, as the listing shows it */
    uint32_t target; /* RVA of a direct branch's target, else 0 */
    uint16_t func;   /* index into codemap.funcs */
    uint16_t file;   /* index into codemap.files, 0xffff = not known */
    uint16_t line;   /* source line, 0 = not known */
    uint8_t length;  /* bytes, 1..15 */
    uint8_t op_size; /* operand size in bytes (selects the imul and div latency) */
    uint8_t ops;     /* macro-ops */
    uint8_t path;    /* enum codemap_path */
    uint8_t unit;    /* enum codemap_unit */
    uint8_t branch;  /* enum codemap_branch */
    uint8_t flags;   /* enum codemap_insn_flags */
    uint8_t mems;    /* memory operands used, 0..2 */
    struct codemap_mem mem[2];
};

struct codemap_func {
    uint32_t rva;
    uint32_t size;
    uint32_t name; /* offset into codemap.strings */
};

struct codemap {
    const struct codemap_insn *insns; /* ascending by rva, no gaps inside a function */
    const struct codemap_func *funcs; /* ascending by rva */
    const uint32_t *files;            /* offsets into strings: path relative to the project's root */
    const char *strings;
    uint32_t insn_count;
    uint32_t func_count;
    uint32_t file_count;
    uint32_t text_rva; /* the bytes that the hash covers: section .text of the workloads */
    uint32_t text_size;
    uint64_t text_hash; /* FNV-1a, 64 bits, over these bytes as linked (no relocation touches them) */
};

/* The map of this image; insn_count is 0 in the first of the two links. */
extern const struct codemap image_codemap;

/* Returns the index of the instruction that covers rva (it starts there or straddles it), or -1 when rva is outside
 * the map. This is the straddle rule: a fetch address inside an instruction belongs to that instruction (CodeAnalyst
 * documentation, "IBS fetch address"; AMD IBS paper 2007 section 4.1). */
int32_t codemap_find(const struct codemap *map, uint64_t rva);

/* Returns FNV-1a over size bytes (draft-eastlake-fnv: offset basis cbf29ce484222325h, prime 100000001b3h). */
uint64_t codemap_hash(const void *bytes, uint32_t size);

/* Returns the index after the last instruction of this instruction's function. */
uint32_t codemap_function_end(const struct codemap *map, uint32_t index);

#endif
