/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes a run folder (perf.data and run.ini) like that of the classic matrix multiply, without booting: samples of its
 * inner loop, by the code map of the image, where one load walks down a column of 4000-byte rows and has nearly all the
 * misses; one sample in 16 is elsewhere in the image. The seed is fixed, so the files are the same each time.
 *
 * usage: make_walk FOLDER COUNT BUILD_ID TEXT_RVA TEXT_SIZE TEXT_OFFSET [CORES NODES [SEED SHIFT WALKS]]
 *
 * COUNT op samples, a third as many fetch samples; numbers except COUNT, CORES and NODES in hexadecimal. With several
 * cores core c has samples in proportion to c + 1, core 0 also misses on every tenth element of a, and half of the
 * memory accesses of nodes above 0 go to another node. The certificate has a note on core 0.
 *
 * With SEED no sample is elsewhere, and WALKS of 1000 loads of the column miss the DTLB (else 977). SHIFT not 0: a
 * recording of the Linux twin; BUILD_ID and TEXT are the twin's, whose code is SHIFT above the image's. Only the name
 * of the system has to be replaced (sed).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "core/ibs/codemap.h"
#include "core/perfdata/perfdata.h"
#include "tests/host/ibsprof/generated.h"

enum { ROW = 4000, SIZE = 1000, CYCLES_PER_LOOP = 25, PERIOD = 512 };
#define MATRIX_A 0x400000013fe0ull
#define MATRIX_B 0x4000003e48e8ull
#define STACK    0x400000b95fa0ull

struct loop {
    uint32_t first, last;      /* instructions */
    uint32_t row_load, column; /* loads of a[i][k] and b[k][j] */
};

static struct rng rng;
static uint32_t cores = 1, nodes = 1, walks = 977;
static uint64_t base = IMAGE_BASE; /* of RVA 0 */

static uint32_t node_of(uint32_t core)
{
    return core * nodes / cores;
}

/* Core c with probability (c + 1) / (1 + 2 + ... + cores). */
static uint32_t draw_core(void)
{
    uint32_t at = rng_below(&rng, cores * (cores + 1) / 2), core = 0;

    while (at > core)
        at -= ++core;
    return core;
}

static bool chance(uint32_t per_mille)
{
    return rng_below(&rng, 1000) < per_mille;
}

/* The innermost loop of the function: the shortest backward jump. Its two loads by index register are a and b, in that
 * order. */
static struct loop find_loop(void)
{
    const struct codemap *map = &image_codemap;
    struct loop loop = {0};
    uint32_t shortest = UINT32_MAX, found = 0;

    for (uint32_t i = 0; i < map->insn_count; i++) {
        const struct codemap_insn *insn = &map->insns[i];

        if (strcmp(map->strings + map->funcs[insn->func].name, "multiply_matrices") != 0 ||
            insn->branch != CODEMAP_BR_COND || insn->target >= insn->rva || insn->rva - insn->target >= shortest)
            continue;
        shortest = insn->rva - insn->target;
        loop.first = (uint32_t)codemap_find(map, insn->target);
        loop.last = i;
    }
    for (uint32_t i = loop.first; i <= loop.last; i++)
        if (map->insns[i].mems && map->insns[i].mem[0].index != CODEMAP_REG_NONE)
            *(found++ == 0 ? &loop.row_load : &loop.column) = i;
    if (found != 2) {
        fprintf(stderr, "make_walk: the loop is not as expected\n");
        exit(1);
    }
    return loop;
}

static void miss(struct sample_record *record)
{
    uint64_t latency = 12 + rng_below(&rng, 3), source = IBS_NB_NONE;

    if (chance(270)) {
        latency = 165 + rng_below(&rng, 30);
        source = IBS_NB_DRAM;
        if (node_of(record->cpu) > 0 && chance(500)) {
            latency += 90;
            source |= IBS_NB_DST_PROC;
        }
    } else if (chance(20)) {
        latency = 50 + rng_below(&rng, 8);
        source = IBS_NB_L3;
    }
    record->reg[IBS_OP_DATA3] |= IBS_DC_MISS | latency << 32;
    record->reg[IBS_OP_DATA2] = source;
}

static void make_op(struct sample_record *record, const struct loop *loop, uint64_t iteration)
{
    uint32_t at = loop->first + rng_below(&rng, loop->last - loop->first + 1);
    const struct codemap_insn *insn = &image_codemap.insns[at];
    uint64_t k = iteration % SIZE, j = iteration / SIZE % SIZE, to_retire = 30 + rng_below(&rng, 12);

    record->kind = SAMPLE_OP;
    record->reg[IBS_OP_CTL] = IBS_OP_EN | IBS_OP_VAL | IBS_OP_CNT_CTL | PERIOD >> 4;
    record->reg[IBS_OP_RIP] = base + insn->rva;
    record->reg[IBS_OP_DATA] = to_retire << 16 | (at == loop->column ? 1 : to_retire - 5);
    if (insn->branch)
        record->reg[IBS_OP_DATA] |= IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN;
    if (insn->mems == 0)
        return;
    record->reg[IBS_OP_DATA3] = IBS_DC_LIN_ADDR_VALID | (insn->mem[0].flags & CODEMAP_LOAD ? IBS_LD_OP : 0) |
                                (insn->mem[0].flags & CODEMAP_STORE ? IBS_ST_OP : 0);
    record->reg[IBS_OP_DCLINAD] = at == loop->row_load ? MATRIX_A + 4 * k
                                  : at == loop->column ? MATRIX_B + ROW * k + 4 * j
                                                       : STACK + (uint64_t)(int64_t)insn->mem[0].disp;
    if (at == loop->column && chance(walks))
        record->reg[IBS_OP_DATA3] |= IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS;
    if (at == loop->column ? chance(212) : at == loop->row_load && chance(cores > 1 && record->cpu == 0 ? 100 : 6))
        miss(record);
}

static void make_fetch(struct sample_record *record, const struct loop *loop)
{
    uint32_t first = image_codemap.insns[loop->first].rva, last = image_codemap.insns[loop->last].rva;
    uint64_t block = (first & ~31u) + 32 * rng_below(&rng, (last - first) / 32 + 1);
    bool killed = chance(270);

    record->kind = SAMPLE_FETCH;
    record->reg[IBS_FETCH_CTL] = IBS_FETCH_EN | IBS_FETCH_VAL | IBS_FETCH_RAND_EN | PERIOD >> 4;
    if (!killed)
        record->reg[IBS_FETCH_CTL] |= IBS_FETCH_PHY_VALID | 1ull << 53 | (3ull + (chance(20) ? 12 : 0)) << 32 |
                                      (chance(999) ? IBS_FETCH_COMP : 0);
    record->reg[IBS_FETCH_LINAD] = base + (block < first ? first : block);
}

static void write_certificate(FILE *file)
{
    fputs("#: certificate.samples.elsewhere = 0\n#: certificate.samples.edges = 3\n"
          "#: certificate.instructions_surplus = not available: only totals exclude the NMI handler (config=count)\n",
          file);
    for (uint32_t core = 0; core < cores; core++) {
        char name[40] = "certificate.";

        if (cores > 1) {
            fprintf(file, "#: core.%u.node = %u\n#: core.%u.nmi.empty = %u\n#: core.%u.nmi.late = 0\n", core,
                    node_of(core), core, core, core);
            fprintf(file, "#: core.%u.tsc.start = %u\n#: core.%u.tsc.stop = %u\n", core, 1000000 + core * 300, core,
                    26000000);
            snprintf(name, sizeof(name), "certificate.core.%u.", core);
        }
        fprintf(file, "#: %spasses = 1\n#: %ssmis = %u\n#: %sinterrupts = 16667\n#: %snmis = 16667\n", name, name,
                core == 0 ? 1 : 0, name, name);
        fprintf(file, "#: %sstrays = 0\n#: %saperf = 52000000\n#: %smperf = 50000000\n#: %spstate = 0, 0\n", name, name,
                name, name);
        fprintf(file, "#: %spstate_limit = 0, %u\n#: %sboost_off = not available: CPUID 8000_0007: no boost\n", name,
                core == 0 ? 1 : 0, name);
        fprintf(file, "#: %sgaps = %u\n#: %slooked_us = 10000\n#: %sreads = 500000\n#: %sgap_ns = 180\n", name,
                core == 0 ? 2 : 0, name, name, name);
        if (core == 0)
            fprintf(file,
                    "#: %sgaps: SMI = 1\n#: %sgaps: unknown = 1\n"
                    "#: %sgap.0 = 91000 ns, TSC 995000, before pass 0, SMI\n"
                    "#: %sgap.1 = 412 ns, TSC 26004000, after pass 0, unknown\n",
                    name, name, name, name);
    }
    fputs("#: tsc.start = 1000000\n#: tsc.stop = 26000000\n", file);
}

int main(int argc, char **argv)
{
    if (argc != 7 && argc != 9 && argc != 12) {
        fprintf(
            stderr,
            "usage: make_walk FOLDER COUNT BUILD_ID TEXT_RVA TEXT_SIZE TEXT_OFFSET [CORES NODES [SEED SHIFT WALKS]]\n");
        return 2;
    }
    size_t ops = strtoull(argv[2], NULL, 10), count = ops + ops / 3, made = 0;
    uint64_t iteration = 0, tsc = 1000000, shift = 0;
    struct sample_record *records = calloc(count + 1, sizeof(*records));
    struct loop loop = find_loop();
    struct perfdata_info info;
    FILE *file;

    if (!generated_info(&info, argv + 3))
        return 2;
    info.cpu_name = "generated by make_walk";
    info.command = "make_walk";
    info.comm = "matmul-classic";
    info.event[SAMPLE_OP] = info.event[SAMPLE_FETCH] = (struct perfdata_event){true, true, PERIOD, 0};
    if (argc >= 9) {
        info.cores = cores = (uint32_t)strtoul(argv[7], NULL, 10);
        nodes = (uint32_t)strtoul(argv[8], NULL, 10);
    }
    rng_seed(&rng, argc == 12 ? strtoul(argv[9], NULL, 10) : 1);
    if (argc == 12) {
        shift = strtoull(argv[10], NULL, 16);
        walks = (uint32_t)strtoul(argv[11], NULL, 10);
    }
    if (shift != 0) {
        base = shift;
        info.image_base = 0;
        info.elf_name = "ibsboot-workloads";
    }
    while (made < count) {
        /* The whole product of one row, however many samples: a million iterations. */
        iteration = (uint64_t)made * SIZE * SIZE / count;
        records[made].cpu = cores > 1 ? draw_core() : 0;
        records[made].tsc = tsc + iteration * CYCLES_PER_LOOP + made % 7;
        if (made % 4 == 3)
            make_fetch(&records[made], &loop);
        else
            make_op(&records[made], &loop, iteration);
        if (argc != 12 && chance(1000 / 16)) {
            uint32_t rva = info.text_rva + rng_below(&rng, info.text_size);

            memset(records[made].reg + 1, 0, sizeof(records[made].reg) - sizeof(records[made].reg[0]));
            records[made].reg[records[made].kind == SAMPLE_OP ? IBS_OP_RIP : IBS_FETCH_LINAD] = IMAGE_BASE + rva;
        }
        made++;
    }
    generated_perfdata(generated_file(argv[1], "perf.data"), &info, records, count);
    free(records);
    file = generated_file(argv[1], "run.ini");
    fputs("workload = \"matmul-classic\"\nconfig = \"ibs\"\nn = 1000\nrows = 1\n\n"
          "#: figures = model or hypervisor, not silicon\n#: machine.name = generated by make_walk\n"
          "#: machine.family = 16\n#: machine.model = 4\n#: machine.stepping = 2\n#: machine.ibs_caps = 0x1f\n"
          "#: machine.nodes = 1\n#: workload.n = 1000\n#: workload.rows = 1\n#: workload.work = 1000000\n"
          "#: workload.unit = inner iterations\n#: workload.check = 1\n#: nmi.all = 1\n"
          "#: restored.0 = CR3, 0x1f801000, 0x1f801000, same\n",
          file);
    write_certificate(file);
    return fclose(file) == 0 ? 0 : 1;
}
