/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/vpmu/random_walk.h"

/* Returns a random number below 'bound'. An expression calls the function at most once, as in random_program.c: C does
 * not define the order of two calls. */
static uint32_t below(struct rng *rng, uint32_t bound)
{
    return rng_below(rng, bound);
}

/* Returns true once in 'times' calls, on average. */
static bool once_in(struct rng *rng, uint32_t times)
{
    return rng_below(rng, times) == 0;
}

enum { SP = 4, BP = 5 };

/* Changes a register. Each register has its own pattern, so that all caches and TLBs see sequences, strides and random
 * addresses. The patterns are the same on each core, because the cores share their memory. */
static void change_register(struct walk *walk, uint32_t n)
{
    struct rng *rng = &walk->rng;
    uint64_t *reg = &walk->gpr[n];

    switch (n) {
    case 0: /* a stream of small elements; of large ones: 8; misaligned: 9 */
        *reg = 0x200000 + ((*reg + 8) & 0xFFFF);
        break;
    case 1:
        *reg = 0x100000 + 64ull * below(rng, 16); /* lines that all cores write to */
        break;
    case 2: /* a column */
        *reg = 0x400000 + ((*reg + 4000) & 0x3FFFFF);
        break;
    case 3:
        *reg = 0x180000 + below(rng, 0x10000);
        break;
    case SP:
        *reg = 0x12F800 + 8ull * below(rng, 64);
        break;
    case BP:
        *reg = 0x12FF80 - 16ull * below(rng, 4);
        break;
    case 6:
        *reg = 0x800000 + below(rng, 0x700000);
        break;
    case 7:
        *reg = 0x1000000 + below(rng, 0x3F000000);
        break;
    case 8:
        *reg = 0x2000000 + ((*reg + 32) & 0xFFFFF);
        break;
    case 9:
        *reg = 0x240000 + ((*reg + 13) & 0xFFFF);
        break;
    case 10: /* next to the end of a page */
        *reg = 0x300000 + 0x1000ull * below(rng, 64);
        *reg -= below(rng, 20);
        break;
    case 11: /* 1 GB pages */
        *reg = 0x40000000 + 0x8000000ull * below(rng, 400);
        break;
    case 12: /* addresses in one set of the L1D, and in one set of the L2 */
        *reg = 0x500000 + 0x8000ull * below(rng, 24);
        break;
    case 13:
        *reg = once_in(rng, 50) ? rng_next(rng) : 0x600000 + below(rng, 4096);
        break;
    default: /* indices */
        *reg = below(rng, 100);
        break;
    }
}

static void go_to(struct walk *walk, uint32_t index)
{
    walk->index = index;
    if (index < RANDOM_INSNS)
        walk->rip = walk->program->base + walk->program->insns[index].rva;
}

static void walk_jump(struct walk *walk)
{
    struct rng *rng = &walk->rng;

    go_to(walk, below(rng, RANDOM_INSNS));
    if (!once_in(rng, 4))
        return;
    walk->index = RANDOM_INSNS;
    walk->outside = below(rng, 12);
    walk->rip = walk->program->base + below(rng, 0x9000); /* sometimes within instructions */
    walk->rip += below(rng, 4) * 0x100000;
    if (once_in(rng, 8)) /* where no page is mapped */
        walk->rip = 1ull << 40;
}

void walk_begin(struct walk *walk, const struct random_program *program, uint32_t far, uint64_t seed)
{
    *walk = (struct walk){.program = program, .far = far};
    rng_seed(&walk->rng, seed);
    for (uint32_t n = 0; n < 16; n++)
        change_register(walk, n);
    go_to(walk, 0);
}

static void step_outside(struct walk *walk)
{
    struct rng *rng = &walk->rng;

    if (walk->outside == 0) {
        go_to(walk, below(rng, RANDOM_INSNS));
        return;
    }
    walk->outside--;
    walk->rip += once_in(rng, 6) ? below(rng, 0x2000) : 1 + below(rng, 15);
}

/* Continues at an address of the map. */
static void go_to_address(struct walk *walk, uint64_t rip)
{
    int32_t found = codemap_find(&walk->program->map, rip - walk->program->base);

    walk->rip = rip;
    walk->index = found < 0 ? RANDOM_INSNS : (uint32_t)found;
    walk->outside = 2;
}

static void step_branch(struct walk *walk, const struct codemap_insn *insn)
{
    struct rng *rng = &walk->rng;
    uint64_t target = walk->program->base + insn->target, after = walk->rip + insn->length;

    /* Some conditional branches are taken now and then, some nearly always, some in a fixed pattern seven times of
     * eight. */
    if (insn->branch == CODEMAP_BR_COND && (insn->rva % 3 == 0   ? once_in(rng, 2)
                                            : insn->rva % 3 == 1 ? once_in(rng, 9)
                                                                 : walk->steps % 8 == 0)) {
        go_to_address(walk, after);
        return;
    }
    if (insn->branch == CODEMAP_BR_JUMP_INDIRECT || insn->branch == CODEMAP_BR_CALL_INDIRECT)
        target += once_in(rng, 3) ? walk->program->insns[below(rng, 8)].rva - (uint64_t)insn->target : 0;
    if (insn->branch == CODEMAP_BR_RETURN && walk->depth > 0)
        target = walk->returns[--walk->depth];
    else if (insn->branch == CODEMAP_BR_RETURN && once_in(rng, 2))
        target = walk->program->base + 0x200000;
    if ((insn->branch == CODEMAP_BR_CALL || insn->branch == CODEMAP_BR_CALL_INDIRECT) && walk->depth < RANDOM_CALLS)
        walk->returns[walk->depth++] = after;
    go_to_address(walk, target);
}

void walk_step(struct walk *walk)
{
    const struct codemap_insn *insn = &walk->program->insns[walk->index];

    walk->steps++;
    if (walk->index == RANDOM_INSNS) {
        step_outside(walk);
        return;
    }
    for (uint32_t n = 0; n < 16; n++)
        if (insn->writes >> n & 1)
            change_register(walk, n);
    if (once_in(&walk->rng, walk->far)) /* backward branches alone would never leave some loops */
        walk_jump(walk);
    else if (insn->branch != CODEMAP_BR_NONE)
        step_branch(walk, insn);
    else if (!(insn->flags & CODEMAP_INSN_REP) ||
             !once_in(&walk->rng, 3)) /* otherwise the same instruction once more */
        go_to_address(walk, walk->rip + insn->length);
}

unsigned random_translate(void *context, uint64_t linear, uint64_t *physical, uint64_t tables[4], unsigned *count)
{
    enum { TABLES = 0x7000000 };

    (void)context;
    if (linear >> 36)
        return 0;
    *count = linear < 0x1000000 ? 4 : linear < 0x40000000 ? 3 : linear < 1ull << 35 ? 2 : 1;
    for (unsigned i = 0; i < *count; i++)
        tables[i] = TABLES + 0x100000ull * i + (linear >> (39 - 9 * i)) * 8;
    *physical = linear;
    if (*count == 4) /* an odd multiple of the page's number, modulo 2^12 pages: each page has its own frame */
        *physical = ((linear >> 12) * 1237 & 0xFFF) << 12 | (linear & 0xFFF);
    return *count == 4 ? 12 : *count == 3 ? 21 : 30; /* one table, as if there were no more levels */
}
