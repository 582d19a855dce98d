/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/core/check.h"
#include "tests/unit/first_set.h"

#include "core/profile/pmc_profile.h"

#include "core/family/ibs_regs.h"

static const char strings[] =
    "setup\0multiply_matrices\0clear\0"
    "workloads/matmul/matmul_classic.c\0workloads/clear, \"fast\".c\0"
    "push rbp\0mov rbp, rsp\0ret\0"
    "mov dword ptr [rbp-0x14], 0x0\0jmp 0x1033\0mov eax, dword ptr [rbp-0x14]\0movsxd rdx, eax\0"
    "fld dword ptr [rcx+rdx*4]\0fmul dword ptr [rbx+rdx*4+0x7e48e8]\0fadd dword ptr [rbp-0x18]\0"
    "fstp dword ptr [rbp-0x18]\0add dword ptr [rbp-0x14], 0x1\0"
    "cmp dword ptr [rbp-0x14], 0x3e7\0jle 0x1019\0rep stosd\0idiv ecx\0nop\0";

/* Offsets into strings, in the order of the strings; a wrong one changes the golden listings. */
enum {
    S_SETUP = 0,
    S_MULTIPLY = 6,
    S_CLEAR = 24,
    S_FILE0 = 30,
    S_FILE1 = 64,
    S_PUSH = 90,
    S_MOV = 99,
    S_RET = 112,
    S_MOV0 = 116,
    S_JMP = 146,
    S_LOAD = 157,
    S_MOVSXD = 187,
    S_FLD = 203,
    S_FMUL = 229,
    S_FADD = 265,
    S_FSTP = 291,
    S_ADD = 317,
    S_CMP = 347,
    S_JLE = 379,
    S_STOS = 390,
    S_IDIV = 400,
    S_NOP = 409,
};

static const uint32_t files[] = {S_FILE0, S_FILE1};

static const struct codemap_func funcs[] = {
    {0x1000, 5, S_SETUP},
    {0x1010, 0x2d, S_MULTIPLY},
    {0x1050, 6, S_CLEAR},
};

/* Describes an instruction; the last arguments are its macro-ops, then what is special about it. */
#define INSN(rva_, length_, text_, func_, file_, line_, ops_, ...)                                                     \
    {                                                                                                                  \
        .rva = rva_, .length = length_, .text = text_, .func = func_, .file = file_, .line = line_, .ops = ops_,       \
        __VA_ARGS__                                                                                                    \
    }

static const struct codemap_insn insns[SMALL_INSNS] = {
    INSN(0x1000, 1, S_PUSH, 0, 0, 10, 1),
    INSN(0x1001, 3, S_MOV, 0, 0, 10, 1),
    INSN(0x1004, 1, S_RET, 0, 0, 12, 1, .branch = CODEMAP_BR_RETURN),

    INSN(0x1010, 7, S_MOV0, 1, 0, 40, 1),
    INSN(0x1017, 2, S_JMP, 1, 0, 40, 1, .branch = CODEMAP_BR_JUMP, .target = 0x1033),
    INSN(0x1019, 3, S_LOAD, 1, 0, 41, 1),
    INSN(0x101c, 3, S_MOVSXD, 1, 0, 41, 1),
    INSN(0x101f, 3, S_FLD, 1, 0, 41, 1),
    INSN(0x1022, 7, S_FMUL, 1, 0, 41, 1),
    INSN(0x1029, 3, S_FADD, 1, 0, 41, 1),
    INSN(0x102c, 3, S_FSTP, 1, 0, 41, 1),
    INSN(0x102f, 4, S_ADD, 1, 0, 40, 1),
    INSN(0x1033, 7, S_CMP, 1, 0, 40, 1),
    INSN(0x103a, 2, S_JLE, 1, 0, 40, 1, .branch = CODEMAP_BR_COND, .target = 0x1019),
    INSN(0x103c, 1, S_RET, 1, 0, 44, 1, .branch = CODEMAP_BR_RETURN),

    INSN(0x1050, 2, S_STOS, 2, 1, 7, 1, .flags = CODEMAP_INSN_REP),
    INSN(0x1052, 2, S_IDIV, 2, 1, 8, 8, .path = CODEMAP_PATH_VECTOR),
    INSN(0x1054, 1, S_NOP, 2, 0xffff, 0, 1),
    INSN(0x1055, 1, S_RET, 2, 0xffff, 0, 1, .branch = CODEMAP_BR_RETURN),
};

const struct codemap small_map = {
    .insns = insns,
    .funcs = funcs,
    .files = files,
    .strings = strings,
    .insn_count = SMALL_INSNS,
    .func_count = 3,
    .file_count = 2,
};

uint64_t small_memory[4096];

struct profile small_profile(void)
{
    struct profile profile;

    assert_true(profile_init(&profile, &small_map, SMALL_BASE, first_set(), small_memory, sizeof(small_memory)));
    return profile;
}

struct sample_record op_record(uint32_t insn, unsigned offset, uint64_t data, uint64_t data2, uint64_t data3)
{
    struct sample_record record = {.kind = SAMPLE_OP};

    record.reg[IBS_OP_CTL] = IBS_OP_EN | IBS_OP_VAL | IBS_OP_CNT_CTL | 0x4000;
    record.reg[IBS_OP_RIP] = SMALL_BASE + insns[insn].rva + offset;
    record.reg[IBS_OP_DATA] = data;
    record.reg[IBS_OP_DATA2] = data2;
    record.reg[IBS_OP_DATA3] = data3;
    return record;
}

struct sample_record fetch_record(uint32_t insn, unsigned offset, uint64_t ctl)
{
    struct sample_record record = {.kind = SAMPLE_FETCH};

    record.reg[IBS_FETCH_CTL] = IBS_FETCH_EN | IBS_FETCH_VAL | IBS_FETCH_RAND_EN | ctl;
    record.reg[IBS_FETCH_LINAD] = SMALL_BASE + insns[insn].rva + offset;
    return record;
}

void add_many(struct profile *profile, struct sample_record record, unsigned count)
{
    while (count--)
        profile_add(profile, &record);
}

void add_paper_run(struct profile *profile)
{
    const uint64_t times = 12ull << 16 | 2; /* cycles from tag to retirement, and from completion to retirement */
    const uint64_t load = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID, store = IBS_ST_OP | IBS_DC_LIN_ADDR_VALID;
    const uint64_t walk = load | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS;
    const uint64_t latency = 104ull << 32, done = IBS_FETCH_COMP | IBS_FETCH_PHY_VALID;
    const uint64_t loop = times | IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN;

    add_many(profile, op_record(SMALL_LOOP, 0, times, 0, load), 4180);
    add_many(profile, op_record(SMALL_LOOP + 1, 0, times, 0, 0), 4101);
    add_many(profile, op_record(SMALL_LOOP + 2, 0, times, 0, load), 4123);
    add_many(profile, op_record(SMALL_LOOP + 2, 0, times, IBS_NB_L3, load | IBS_DC_MISS | 20ull << 32), 4);
    add_many(profile, op_record(SMALL_FMUL, 0, times, IBS_NB_DRAM, walk | IBS_DC_MISS | latency), 892);
    add_many(profile, op_record(SMALL_FMUL, 0, times, 0, walk), 3108);
    add_many(profile, op_record(SMALL_FMUL, 0, times, 0, load | IBS_DC_L1TLB_MISS), 90);
    add_many(profile, op_record(SMALL_FMUL, 0, times, 0, 0), 1);
    add_many(profile, op_record(SMALL_LOOP + 4, 0, times, 0, load | IBS_DC_ST_TO_LD_FWD), 4198);
    add_many(profile, op_record(SMALL_LOOP + 4, 0, times, 0, 0), 18);
    add_many(profile, op_record(SMALL_LOOP + 5, 0, times, 0, store), 4017);
    /* Stores that miss count as DC misses, but have no part in the average latency. */
    add_many(profile, op_record(SMALL_LOOP + 5, 0, times, 0, store | IBS_DC_MISS | latency), 60);
    add_many(profile, op_record(SMALL_LOOP + 6, 0, times, 0, load | store), 4150);
    add_many(profile, op_record(SMALL_COMPARE, 0, times, 0, load), 4102);
    add_many(profile, op_record(SMALL_COMPARE + 1, 0, loop, 0, 0), 4113);
    add_many(profile, op_record(SMALL_COMPARE + 1, 0, loop | IBS_OP_BRN_MISP, 0, 0), 2);
    add_many(profile, op_record(SMALL_CLEAR, 0, times, 0, store), 3);

    add_many(profile, fetch_record(SMALL_LOOP, 0, done | 3ull << 32), 4000);
    add_many(profile, fetch_record(SMALL_FMUL, 2, done | 3ull << 32), 3950);
    add_many(profile, fetch_record(SMALL_FMUL, 2, IBS_FETCH_PHY_VALID | 9ull << 32), 21);
    add_many(profile, fetch_record(SMALL_LOOP, 0, IBS_FETCH_IC_MISS | IBS_FETCH_L1TLB_MISS | 90ull << 32), 1);
    add_many(profile, fetch_record(SMALL_LOOP, 0, 0), 310);
    add_many(profile, fetch_record(SMALL_INSNS - 1, 0x100, done), 7); /* outside of the map */
}

double root_of(double x)
{
    double root = x > 1 ? x : 1;

    /* Newton's iteration begins above the root; 600 halvings cover the exponents of a double, and then it converges
     * quickly. */
    for (int i = 0; i < 600 && x > 0; i++)
        root = (root + x / root) / 2;
    return x > 0 ? root : 0;
}

double distance_of(double a, double b)
{
    return a > b ? a - b : b - a;
}

static void golden_path(char path[200], const char *name)
{
    snprintf(path, 200, "tests/unit/core/golden/%s", name);
}

char *golden_text(const char *name)
{
    char path[200], *text;
    FILE *file;
    long size;

    golden_path(path, name);
    file = fopen(path, "r");
    if (!file)
        return calloc(1, 1);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = calloc(1, (size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static bool written;

static void fail_at_exit(void)
{
    fflush(stdout);
    _exit(1);
}

static void write_golden(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file)
        fail_msg("cannot write %s (run from the project's root)", path);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    /* The program fails at its end, so that a test with several golden files writes all of them. */
    if (!written)
        atexit(fail_at_exit);
    written = true;
}

void check_golden(const char *name, const char *text)
{
    const char *rebase = getenv("REBASE");
    char path[200], *want;
    bool same;

    golden_path(path, name);
    want = golden_text(name);
    same = strcmp(want, text) == 0;
    free(want);
    if (same)
        return;
    if (rebase && *rebase == '1') {
        print_error("%s is written anew: look at the difference with git\n", path);
        write_golden(path, text);
        return;
    }
    print_error("%s differs (REBASE=1 writes it anew); it is now:\n%s", path, text);
    fail_msg("%s differs", path);
}

void ran_groups(struct pmc_profile *profile, const struct event_group *groups, unsigned count)
{
    int timer = pmc_profile_timer(profile);

    for (unsigned event = 0; event < profile->event_count; event++) {
        unsigned with = 0;

        for (unsigned g = 0; g < count; g++)
            for (unsigned i = 0; i < groups[g].count; i++)
                with += groups[g].event[i] == event;
        if ((int)event != timer)
            pmc_profile_ran(profile, event, with, count);
        else
            pmc_profile_ran(profile, event, 1, 1);
    }
}

void all_ran(struct pmc_profile *profile)
{
    for (unsigned event = 0; event < profile->event_count; event++)
        pmc_profile_ran(profile, event, 1, 1);
}
