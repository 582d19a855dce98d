/* SPDX-License-Identifier: BSD-2-Clause */
/* Without arguments: prints the host's nanoseconds per step in each configuration. "names": lists the configurations. A
 * name and a number of columns: runs this configuration. See bench/model_speed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit/vpmu/stream.h"

enum {
    WARM_UP = 20, /* columns of the paper's loop before the clock runs */
    COLUMNS = 150,
    COLUMN_STEPS = 16016, /* 16 instructions in each of 1000 iterations, 16 around them */
    OP_CTL = 0xC0011033,
    FETCH_CTL = 0xC0011030,
    PERF_CTL = 0xC0010000,
};

#define OP_EN      (1ull << 17)
#define OP_CNT_CTL (1ull << 19)
#define FETCH_EN   (1ull << 48)
#define FETCH_RAND (1ull << 57)
#define PERF_OS    (1ull << 17)
#define PERF_INT   (1ull << 20)
#define PERF_EN    (1ull << 22)

/* Both kinds of IBS, a sample of each every 4096 ops or fetches. */
static void arm(struct machine *machine)
{
    machine_wrmsr(machine, OP_CTL, 0x100 | OP_EN | OP_CNT_CTL);
    machine_wrmsr(machine, FETCH_CTL, 0x100 | FETCH_EN | FETCH_RAND);
}

/* IBS is enabled with a maximum of 0: everything is stepped, nothing is sampled. */
static void ibs(struct machine *machine)
{
    machine_wrmsr(machine, OP_CTL, OP_EN | OP_CNT_CTL);
    machine_wrmsr(machine, FETCH_CTL, FETCH_EN);
}

static void sampling(struct machine *machine)
{
    machine->handler = arm;
    arm(machine);
}

static void count(struct machine *machine, const uint64_t events[4], uint64_t bits)
{
    for (unsigned n = 0; n < 4; n++)
        machine_wrmsr(machine, PERF_CTL + n, events[n] | PERF_OS | PERF_EN | bits);
}

/* Cycles, instructions, DC misses, DTLB L1M L2M. */
static const uint64_t usual[4] = {0x76, 0xC0, 0x41, 0x746};
/* Three levels of retired ops and one of branches. */
static const uint64_t levels[4] = {0x10000C1, 0x20000C1, 0x30000C1, 0x10000C2};

static void counting(struct machine *machine)
{
    count(machine, usual, 0);
}

static void counters(struct machine *machine)
{
    count(machine, usual, PERF_INT);
}

static void masks(struct machine *machine)
{
    count(machine, levels, PERF_INT);
}

/* ---------------------------------------------------------------- a program that calls functions */

enum { AX, CX, DX, BX, SP, BP, NONE = CODEMAP_REG_NONE, CALLS = 16, CALL = 3, FUNCTION = 6 };

#define STACK (1ull << SP)
#define FRAME (1ull << BP)
#define FLAGS (1ull << CODEMAP_DEP_FLAGS)
#define OPERAND(reg, offset, access)                                                                                   \
    .mems = 1, .mem = {{.base = (reg), .disp = (offset), .index = NONE, .scale = 1, .size = 8, .flags = (access)}}

/* for (i = 0; i < n; i++) f(i); as gcc -O0 compiles it, four bytes to each instruction. */
static struct codemap_insn calls[CALLS] = {
    {.reads = FRAME, .writes = 1 << AX, OPERAND(BP, -8, CODEMAP_LOAD)}, /* mov rax, [rbp-8] */
    {.reads = 1 << AX, .writes = 1 << DX},                              /* mov rdx, rax */
    {.reads = 1 << DX, .writes = 1 << 7},                               /* mov rdi, rdx */
    {.ops = 2,
     .path = CODEMAP_PATH_DOUBLE,
     .branch = CODEMAP_BR_CALL,
     .reads = STACK,
     .writes = STACK,
     OPERAND(SP, -8, CODEMAP_STORE)},                                                 /* call f */
    {.reads = FRAME, .writes = FLAGS, OPERAND(BP, -8, CODEMAP_LOAD | CODEMAP_STORE)}, /* add [rbp-8], 1 */
    {.branch = CODEMAP_BR_COND, .reads = FLAGS},                                      /* jne */
    {.reads = STACK | FRAME, .writes = STACK, OPERAND(SP, -8, CODEMAP_STORE)},        /* f: push rbp */
    {.reads = STACK, .writes = FRAME},                                                /* mov rbp, rsp */
    {.reads = STACK, .writes = STACK | FLAGS},                                        /* sub rsp, 16 */
    {.reads = FRAME | 1 << 7, OPERAND(BP, -8, CODEMAP_STORE)},                        /* mov [rbp-8], rdi */
    {.reads = FRAME, .writes = 1 << AX, OPERAND(BP, -8, CODEMAP_LOAD)},               /* mov rax, [rbp-8] */
    {.reads = 1 << AX, .writes = 1 << AX | FLAGS},                                    /* add rax, 1 */
    {.reads = FRAME | 1 << AX, OPERAND(BP, -16, CODEMAP_STORE)},                      /* mov [rbp-16], rax */
    {.reads = FRAME, .writes = 1 << AX, OPERAND(BP, -16, CODEMAP_LOAD)},              /* mov rax, [rbp-16] */
    {.ops = 2,
     .path = CODEMAP_PATH_DOUBLE,
     .reads = FRAME,
     .writes = STACK | FRAME,
     OPERAND(BP, 0, CODEMAP_LOAD)}, /* leave */
    {.ops = 2,
     .path = CODEMAP_PATH_DOUBLE,
     .branch = CODEMAP_BR_RETURN,
     .reads = STACK,
     .writes = STACK,
     OPERAND(SP, 0, CODEMAP_LOAD)}, /* ret */
};
static struct codemap calls_map = {.insns = calls, .insn_count = CALLS};

static void prepare_calls(void)
{
    for (unsigned i = 0; i < CALLS; i++) {
        calls[i].rva = 0x1000 + 4 * i;
        calls[i].length = 4;
        calls[i].op_size = 8;
        calls[i].ops = calls[i].ops ? calls[i].ops : 1;
    }
}

static void step_calls(struct machine *machine, unsigned first, unsigned last)
{
    for (unsigned i = first; i <= last; i++)
        machine_step(machine, PAPER_BASE + calls[i].rva);
}

static void run_calls(struct machine *machine, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        machine->gpr[SP] = 0x12FF00;
        machine->gpr[BP] = 0x12FF80;
        step_calls(machine, 0, CALL);
        machine->gpr[SP] = 0x12FEF8;
        step_calls(machine, FUNCTION, FUNCTION);
        machine->gpr[SP] = 0x12FEF0;
        machine->gpr[BP] = 0x12FEF0;
        step_calls(machine, FUNCTION + 1, CALLS - 1);
        machine->gpr[BP] = 0x12FF80;
        step_calls(machine, CALL + 1, CALL + 2);
    }
}

/* ---------------------------------------------------------------- what is measured */

static const struct {
    const char *name;
    const struct codemap *map;
    enum frames frames;
    void (*start)(struct machine *machine);
} configurations[] = {
    {"ibs", &paper_map, FRAMES_CONTIGUOUS, ibs},           {"ibs-shuffled", &paper_map, FRAMES_SHUFFLED, ibs},
    {"ibs-calls", &calls_map, FRAMES_CONTIGUOUS, ibs},     {"sampling", &paper_map, FRAMES_CONTIGUOUS, sampling},
    {"counting", &paper_map, FRAMES_CONTIGUOUS, counting}, {"counters", &paper_map, FRAMES_CONTIGUOUS, counters},
    {"masks", &paper_map, FRAMES_CONTIGUOUS, masks},
};

enum { CONFIGURATIONS = sizeof(configurations) / sizeof(configurations[0]) };

/* Returns processor time, so that waiting on a busy machine does not count. */
static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A separate function, so that callgrind can count exactly the timed code. */
static __attribute__((noinline)) void measured(struct machine *machine, const struct codemap *map, unsigned columns)
{
    if (map == &paper_map)
        machine_matmul(machine, WARM_UP, WARM_UP + columns);
    else
        run_calls(machine, columns * COLUMN_STEPS / CALLS);
}

/* Returns nanoseconds per step. */
static double run(unsigned configuration, unsigned columns)
{
    const struct codemap *map = configurations[configuration].map;
    struct machine machine;
    double time;

    machine_init(&machine, VPMU_REV_C, map, 1);
    space_init(&machine.space, 12, configurations[configuration].frames);
    configurations[configuration].start(&machine);
    if (map == &paper_map)
        machine_matmul(&machine, 0, WARM_UP);
    time = seconds();
    measured(&machine, map, columns);
    time = seconds() - time;
    machine_free(&machine);
    return time * 1e9 / (columns * (double)COLUMN_STEPS);
}

int main(int count, char **arguments)
{
    prepare_calls();
    for (unsigned i = 0; i < CONFIGURATIONS; i++)
        if (count == 1)
            printf("%s %.3f\n", configurations[i].name, run(i, COLUMNS));
        else if (count == 2)
            printf("%s\n", configurations[i].name);
        else if (count == 3 && !strcmp(arguments[1], configurations[i].name))
            (void)run(i, (unsigned)atoi(arguments[2]));
    return 0;
}
