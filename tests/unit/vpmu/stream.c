/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/vpmu/stream.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- address spaces */

enum {
    TABLES = 0x4000000, /* assumed address of the page tables, after all frames */
};

void space_init(struct space *space, unsigned shift, enum frames frames)
{
    struct rng rng;

    space->shift = shift;
    space->frames = frames;
    space->calls = 0;
    rng_seed(&rng, 2007);
    for (unsigned i = 0; i < 4096; i++)
        space->frame[i] = (uint16_t)i;
    for (unsigned i = 4095; i > 0 && frames == FRAMES_SHUFFLED; i--) {
        unsigned other = rng_below(&rng, i + 1);
        uint16_t swap = space->frame[i];

        space->frame[i] = space->frame[other];
        space->frame[other] = swap;
    }
}

unsigned space_translate(void *context, uint64_t linear, uint64_t *physical, uint64_t tables[4], unsigned *count)
{
    struct space *space = context;
    unsigned levels = space->shift == 12 ? 4 : space->shift == 21 ? 3 : 2;

    space->calls++;
    if (linear >= 1ull << 40)
        return 0;
    *physical = linear;
    if (space->shift == 12 && linear >> 12 < 4096)
        *physical = (uint64_t)space->frame[linear >> 12] << 12 | (linear & 0xFFF);
    /* The tables follow one another: level 0 covers the whole space, each next level a 512th of it. */
    for (unsigned i = 0; i < levels; i++)
        tables[i] = TABLES + 0x100000ull * i + (linear >> (39 - 9 * i)) * 8;
    *count = levels;
    return space->shift;
}

/* ---------------------------------------------------------------- the paper's code */

enum { AX, CX, DX, BX, SP, BP, SI, DI, NONE = CODEMAP_REG_NONE };

#define R(reg) (1ull << (reg))
#define FLAGS  (1ull << CODEMAP_DEP_FLAGS)
#define X87    (1ull << CODEMAP_DEP_X87)
#define LD     CODEMAP_LOAD
#define ST     CODEMAP_STORE

#define INSN(at, len, kind, rd, wr, ...)                                                                               \
    {                                                                                                                  \
        .rva = (at)-0x400000, .length = (len), .unit = CODEMAP_UNIT_##kind, .reads = (rd), .writes = (wr),             \
        .op_size = 4, .ops = 1, __VA_ARGS__                                                                            \
    }
#define LOCAL(offset, access)                                                                                          \
    .mems = 1, .mem = {{.disp = (offset), .base = BP, .index = NONE, .scale = 1, .size = 4, .flags = (access)}}
#define ARRAY(at, row, column, access)                                                                                 \
    .mems = 1, .mem = {{.disp = (at), .base = (row), .index = (column), .scale = 4, .size = 4, .flags = (access)}}
#define JUMP(kind, to) .branch = CODEMAP_BR_##kind, .target = (to)-0x400000

/* Addresses and instructions of AMD IBS paper 2007, appendix B; lengths are the distances between addresses. */
static const struct codemap_insn insns[PAPER_INSNS] = {
    INSN(0x40116F, 3, ALU, R(BP), R(CX), LOCAL(-8, LD)),
    INSN(0x401172, 3, ALU, R(CX), R(CX) | FLAGS, .mems = 0),
    INSN(0x401175, 3, ALU, R(BP) | R(CX), 0, LOCAL(-8, ST)),
    INSN(0x401178, 7, ALU, R(BP), FLAGS, LOCAL(-8, LD)),
    INSN(0x40117F, 2, BRANCH, FLAGS, 0, JUMP(COND, 0x4011E9)),
    INSN(0x401181, 7, ALU, R(BP), 0, LOCAL(-0xC, ST)),
    INSN(0x401188, 7, ALU, R(BP), 0, LOCAL(-0x10, ST)),
    INSN(0x40118F, 2, BRANCH, 0, 0, JUMP(JUMP, 0x40119A)),
    INSN(0x401191, 3, ALU, R(BP), R(DX), LOCAL(-0x10, LD)),
    INSN(0x401194, 3, ALU, R(DX), R(DX) | FLAGS, .mems = 0),
    INSN(0x401197, 3, ALU, R(BP) | R(DX), 0, LOCAL(-0x10, ST)),
    INSN(0x40119A, 7, ALU, R(BP), FLAGS, LOCAL(-0x10, LD)),
    INSN(0x4011A1, 2, BRANCH, FLAGS, 0, JUMP(COND, 0x4011D1)),
    INSN(0x4011A3, 3, ALU, R(BP), R(AX), LOCAL(-4, LD)),
    INSN(0x4011A6, 6, IMUL, R(AX), R(AX) | FLAGS, .mems = 0),
    INSN(0x4011AC, 3, ALU, R(BP), R(CX), LOCAL(-0x10, LD)),
    INSN(0x4011AF, 6, IMUL, R(CX), R(CX) | FLAGS, .mems = 0),
    INSN(0x4011B5, 3, ALU, R(BP), R(DX), LOCAL(-0x10, LD)),
    INSN(0x4011B8, 3, ALU, R(BP), R(SI), LOCAL(-8, LD)),
    INSN(0x4011BB, 7, FMOVE, R(AX) | R(DX), X87, ARRAY(0x413FE0, AX, DX, LD)),
    INSN(0x4011C2, 7, FMUL, R(CX) | R(SI) | X87, X87, ARRAY(0x7E48E8, CX, SI, LD)),
    INSN(0x4011C9, 3, FADD, R(BP) | X87, X87, LOCAL(-0xC, LD)),
    INSN(0x4011CC, 3, FMOVE, R(BP) | X87, X87, LOCAL(-0xC, ST)),
    INSN(0x4011CF, 2, BRANCH, 0, 0, JUMP(JUMP, 0x401191)),
    INSN(0x4011D1, 3, ALU, R(BP), R(AX), LOCAL(-4, LD)),
    INSN(0x4011D4, 6, IMUL, R(AX), R(AX) | FLAGS, .mems = 0),
    INSN(0x4011DA, 3, ALU, R(BP), R(CX), LOCAL(-8, LD)),
    INSN(0x4011DD, 3, ALU, R(BP), R(DX), LOCAL(-0xC, LD)),
    INSN(0x4011E0, 7, ALU, R(AX) | R(CX) | R(DX), 0, ARRAY(0xBB51E8, AX, CX, ST)),
    INSN(0x4011E7, 2, BRANCH, 0, 0, JUMP(JUMP, 0x40116F)),
};

const struct codemap paper_map = {.insns = insns, .insn_count = PAPER_INSNS};

/* ---------------------------------------------------------------- the machine */

void machine_init(struct machine *machine, enum vpmu_revision revision, const struct codemap *map, uint64_t seed)
{
    machine_init_as(machine, map, (struct vpmu_config){.revision = revision, .seed = seed});
}

void machine_init_as(struct machine *machine, const struct codemap *map, struct vpmu_config config)
{
    config.map = map;
    config.image_base = PAPER_BASE;
    config.translate = space_translate;
    config.context = &machine->space;
    *machine = (struct machine){.memory = malloc(vpmu_size(map))};
    memset(machine->memory, 0xA5, vpmu_size(map)); /* the firmware's memory may contain anything */
    space_init(&machine->space, 12, FRAMES_CONTIGUOUS);
    machine->vpmu = vpmu_init(machine->memory, vpmu_size(map), &config);
    machine->gpr[BP] = 0x12FF80; /* a typical stack address of a 32-bit program */
    vpmu_pci_write(machine->vpmu, 0, 3, 0x1CC, 0x101);
    vpmu_apic_write(machine->vpmu, 0x510, 0x400);
}

void machine_free(struct machine *machine)
{
    free(machine->memory);
    machine->memory = NULL;
}

void machine_start(struct machine *machine, const char *name, uint64_t hostile)
{
    struct vpmu_config config = {.seed = 1, .hostile = hostile};

    machine_free(machine);
    if (!vpmu_revision_parse(name, &config.revision))
        abort();
    machine_init_as(machine, &paper_map, config);
}

void machine_step(struct machine *machine, uint64_t rip)
{
    if (!vpmu_step(machine->vpmu, rip, machine->gpr))
        return;
    machine->nmis++;
    if (machine->handler)
        machine->handler(machine);
}

/* Announces the instructions first..last of the map, one after the other. */
static void straight(struct machine *machine, unsigned first, unsigned last)
{
    for (unsigned i = first; i <= last; i++)
        machine_step(machine, PAPER_BASE + insns[i].rva);
}

void machine_matmul(struct machine *machine, unsigned first, unsigned last)
{
    for (unsigned j = first; j < last; j++) {
        straight(machine, 0, 7);
        for (unsigned k = 0; k < 1000; k++) {
            if (k > 0)
                straight(machine, PAPER_K_LOAD, 10);
            machine->gpr[AX] = 0; /* i * 4000 */
            machine->gpr[CX] = k * 4000;
            machine->gpr[DX] = k;
            machine->gpr[SI] = j;
            straight(machine, 11, PAPER_JMP);
        }
        straight(machine, PAPER_K_LOAD, PAPER_JGE);
        machine->gpr[CX] = j;
        straight(machine, 24, 29);
    }
}

uint64_t machine_rdmsr(struct machine *machine, uint32_t msr)
{
    uint64_t value = 0;

    if (vpmu_rdmsr(machine->vpmu, msr, &value) != VPMU_OK)
        abort();
    return value;
}

void machine_wrmsr(struct machine *machine, uint32_t msr, uint64_t value)
{
    if (vpmu_wrmsr(machine->vpmu, msr, value) != VPMU_OK)
        abort();
}

/* ---------------------------------------------------------------- statistics */

static unsigned index_of(uint64_t rip)
{
    for (unsigned i = 0; i < PAPER_INSNS; i++)
        if (insns[i].rva + PAPER_BASE == rip)
            return i;
    return PAPER_INSNS;
}

static void arm(struct machine *machine, struct histogram *histogram)
{
    uint64_t half = histogram->random_bits ? 1ull << (histogram->random_bits - 1) : 0;
    uint64_t random = histogram->random_bits ? rng_bits(&histogram->rng, histogram->random_bits) : 0;
    uint64_t ctl = 1ull << 17 | (histogram->count_ops ? 1ull << 19 : 0);

    /* The mean is the period: with a random start in a longer period or, on revision B, with a random length. */
    if (machine->vpmu->params->rdwr_cur_cnt)
        ctl |= (histogram->period + half) >> 4 | random << 32;
    else
        ctl |= (histogram->period + half - random) >> 4;
    machine_wrmsr(machine, 0xC0011033, ctl);
}

static void sample(struct machine *machine)
{
    struct histogram *histogram = machine->context;
    unsigned at = index_of(machine_rdmsr(machine, 0xC0011034));
    uint64_t data3 = machine_rdmsr(machine, 0xC0011037);

    if (!(machine_rdmsr(machine, 0xC0011033) & (1ull << 18)))
        abort();
    histogram->samples++;
    histogram->op[at]++;
    histogram->loads[at] += data3 & 1;
    histogram->misses[at] += (data3 & 1) & (data3 >> 7);
    histogram->l1m_l2m[at] += (data3 >> 2) & (data3 >> 3) & 1;
    if ((data3 & 1) & (data3 >> 7))
        histogram->latency[at] += (data3 >> 32) & 0xFFFF;
    arm(machine, histogram);
}

void histogram_start(struct machine *machine, struct histogram *histogram)
{
    rng_seed(&histogram->rng, 1);
    machine->context = histogram;
    machine->handler = sample;
    arm(machine, histogram);
}

void histogram_stop(struct machine *machine)
{
    machine_wrmsr(machine, 0xC0011033, 1ull << 17);
    machine_wrmsr(machine, 0xC0011033, 0);
}

/* Returns a square root, since the tests are linked without libm. */
static double square_root(double x)
{
    double root = x > 1 ? x : 1;

    for (int i = 0; i < 60; i++)
        root = (root + x / root) / 2;
    return root;
}

static double sum(const uint64_t *values, unsigned count)
{
    double total = 0;

    for (unsigned i = 0; i < count; i++)
        total += (double)values[i];
    return total;
}

uint64_t total_variation(const uint64_t *samples, const uint64_t *weights, unsigned count)
{
    double all_samples = sum(samples, count), all_weights = sum(weights, count), total = 0;

    for (unsigned i = 0; i < count; i++)
        total += __builtin_fabs((double)samples[i] / all_samples - (double)weights[i] / all_weights);
    return (uint64_t)(total / 2 * 1e6);
}

uint64_t variation_floor(const uint64_t *weights, unsigned count, uint64_t samples)
{
    double all = sum(weights, count), total = 0;

    for (unsigned i = 0; i < count; i++) {
        double p = (double)weights[i] / all;

        total += square_root(p * (1 - p) / (2 * 3.14159265 * (double)samples));
    }
    return (uint64_t)(total * 1e6);
}
