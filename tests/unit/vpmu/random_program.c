/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/vpmu/random_program.h"

#include <stddef.h>

#define TEXTS                                                                                                          \
    "\0fadd st0\0fild word\0fmul st1\0fdiv st0\0addps xmm0\0subsd xmm1\0mulpd xmm2\0sqrtss xmm3\0movaps xmm4\0"        \
    "paddd mm0\0addsubpd xmm5\0divss xmm6\0emms"
static const char strings[] = TEXTS;

enum {
    SP = 4,
    BP = 5,
    NONE = CODEMAP_REG_NONE,
    /* Has single ops that wait for nothing, enough of them for the longest skid of an interrupt. */
    QUICK_FIRST = 320,
    /* Has enough stores to fill the queue, and loads of their data. */
    STORES_FIRST = 400,
    STORES_END = 480,
    /* Has identical functions at distances at which their branches share BTB sets. */
    ALIKE_FIRST = RANDOM_INSNS - 6 * RANDOM_FUNCTION,
    ALIKE_STEP = 0x40000,
};

/* Two random numbers are never drawn in one expression: C does not define their order. */
static uint32_t below(struct rng *rng, uint32_t bound)
{
    return rng_below(rng, bound);
}

/* Returns true once in 'times' calls, on average. */
static bool once_in(struct rng *rng, uint32_t times)
{
    return rng_below(rng, times) == 0;
}

static uint32_t random_text(struct rng *rng)
{
    uint32_t at = below(rng, sizeof(strings) - 1);

    while (at > 0 && strings[at - 1] != '\0')
        at--;
    return at;
}

/* Returns a few of the dependencies: general registers, flags, x87, SSE. */
static uint64_t random_registers(struct rng *rng)
{
    uint64_t set = 0;

    for (uint32_t i = below(rng, 4); i > 0; i--)
        set |=
            1ull << below(rng, once_in(rng, 3) ? 36 : 17); /* two of these bits are bits that the model must ignore */
    if (once_in(rng, 8))
        set |= 1ull << CODEMAP_DEP_X87;
    return set;
}

static struct codemap_mem random_operand(struct rng *rng)
{
    static const uint8_t sizes[] = {4, 4, 4, 8, 8, 8, 8, 1, 2, 16, 10, 0, 28, 64, 108};
    static const uint8_t flags[] = {CODEMAP_LOAD, CODEMAP_LOAD, CODEMAP_STORE, CODEMAP_LOAD | CODEMAP_STORE};
    struct codemap_mem mem = {.base = (uint8_t)below(rng, 16), .index = NONE, .scale = 1};

    mem.size = sizes[below(rng, sizeof(sizes))];
    mem.flags = flags[below(rng, sizeof(flags))];
    mem.disp = (int32_t)below(rng, 64) - 32;
    if (once_in(rng, 2)) { /* a local variable, so that loads find stores */
        mem.base = below(rng, 2) ? BP : SP;
        mem.disp = -4 * (int32_t)below(rng, 12);
    } else if (once_in(rng, 4)) {
        mem.base = CODEMAP_REG_RIP;
        mem.disp = (int32_t)below(rng, 0x3000);
    } else if (once_in(rng, 8)) {
        mem.base = NONE;
        mem.disp = 0x300000 + (int32_t)below(rng, 0x100);
    }
    if (once_in(rng, 4)) {
        mem.index = (uint8_t)below(rng, 16);
        mem.scale = (uint8_t)(1u << below(rng, 4));
    }
    return mem;
}

static struct codemap_insn random_insn(struct rng *rng)
{
    static const uint8_t op_sizes[] = {1, 2, 4, 4, 8, 8, 10, 16};
    struct codemap_insn insn = {.reads = random_registers(rng)};

    insn.writes = random_registers(rng);
    insn.text = random_text(rng);
    insn.length = (uint8_t)(1 + below(rng, once_in(rng, 8) ? 15 : 7));
    insn.op_size = op_sizes[below(rng, sizeof(op_sizes))];
    insn.unit = (uint8_t)below(rng, CODEMAP_UNITS + 1);
    insn.ops = (uint8_t)(once_in(rng, 6) ? below(rng, 8) : 1);
    insn.path = (uint8_t)(once_in(rng, 10) ? CODEMAP_PATH_VECTOR : insn.ops == 2);
    insn.flags = (uint8_t)(once_in(rng, 12) ? below(rng, 16) : 0);
    if (!once_in(rng, 40))
        insn.flags &= (uint8_t)~CODEMAP_INSN_SERIAL;
    insn.mems = (uint8_t)(once_in(rng, 2) ? 1 + once_in(rng, 6) : 0);
    for (uint32_t i = 0; i < insn.mems; i++) {
        insn.mem[i] = random_operand(rng);
        if (insn.mem[i].base < 16)
            insn.reads |= 1ull << insn.mem[i].base;
    }
    return insn;
}

static void make_branch(struct codemap_insn *insn, const struct codemap_insn *insns, uint32_t first, uint32_t at,
                        struct rng *rng)
{
    static const uint8_t kinds[] = {CODEMAP_BR_COND,          CODEMAP_BR_COND, CODEMAP_BR_COND,
                                    CODEMAP_BR_JUMP,          CODEMAP_BR_CALL, CODEMAP_BR_JUMP_INDIRECT,
                                    CODEMAP_BR_CALL_INDIRECT, CODEMAP_BR_CALL, CODEMAP_BR_RETURN};

    insn->branch = kinds[below(rng, sizeof(kinds))];
    insn->unit = CODEMAP_UNIT_BRANCH;
    insn->target = insns[first + below(rng, at - first + 1)].rva; /* backwards, or to itself */
    if (insn->branch >= CODEMAP_BR_CALL)
        insn->target = insns[below(rng, first + 1)].rva;
}

/* Returns an instruction of a sequence of stores after a load that may take long, with a load of one store's data now
 * and then. */
static struct codemap_insn queue_insn(struct rng *rng, uint32_t n)
{
    struct codemap_insn insn = {.ops = 1, .length = 4, .op_size = 8, .mems = 1};

    insn.mem[0] = (struct codemap_mem){.base = SP, .index = NONE, .scale = 1, .size = 4, .flags = CODEMAP_STORE};
    insn.mem[0].disp = -4 * (int32_t)(n % 40);
    if (n == 0)
        insn.mem[0].base = 7;
    if (n % 8 == 0)
        insn.mem[0].flags = CODEMAP_LOAD;
    if (n % 8 == 0 && n > 40)
        insn.mem[0].disp = -4 * (int32_t)((n - 30 - below(rng, 10)) % 40);
    return insn;
}

static struct codemap_insn make_insn(const struct random_program *program, uint32_t i, uint32_t first, struct rng *rng)
{
    struct codemap_insn insn = {.ops = 1, .length = 4, .op_size = 8};

    if (i >= ALIKE_FIRST + RANDOM_FUNCTION) {
        insn = program->insns[i - RANDOM_FUNCTION];
        insn.target += insn.target > 0 && insn.branch < CODEMAP_BR_CALL ? ALIKE_STEP : 0;
    } else if (i >= STORES_FIRST && i < STORES_END) {
        insn = queue_insn(rng, i - STORES_FIRST);
    } else if (i < QUICK_FIRST || i >= STORES_END) {
        insn = random_insn(rng);
        if (once_in(rng, i < ALIKE_FIRST ? 7 : 3))
            make_branch(&insn, program->insns, first, i, rng);
    }
    return insn;
}

void random_program_make(struct random_program *program, uint64_t base, uint64_t seed)
{
    struct rng rng;
    uint32_t rva = 0x1000, first = 0;

    rng_seed(&rng, seed);
    *program = (struct random_program){.base = base};
    for (uint32_t i = 0; i < RANDOM_INSNS; i++) {
        struct codemap_insn *insn = &program->insns[i];

        if (i % RANDOM_FUNCTION == 0 && (i <= QUICK_FIRST || i >= STORES_END)) {
            first = i;
            rva += below(&rng, once_in(&rng, 6) ? 0x6000 : 0x1000); /* more pages than the ITLB has entries */
            if (i > ALIKE_FIRST)
                rva = program->insns[i - RANDOM_FUNCTION].rva + ALIKE_STEP;
        }
        insn->rva = rva; /* a branch may lead to itself */
        *insn = make_insn(program, i, first, &rng);
        insn->rva = rva;
        rva += insn->length;
    }
    program->map =
        (struct codemap){.insns = program->insns, .insn_count = RANDOM_INSNS, .strings = seed & 1 ? strings : NULL};
}
