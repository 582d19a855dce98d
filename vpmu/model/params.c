/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/params.h"

#include "vpmu/model/pmu/ibs_unit.h"

#define OP_B   (VOP_MAX_CNT | VOP_EN | VOP_VAL)
#define OP_C   (OP_B | VOP_CNT_CTL | 0xFFFFFull << VOP_CUR_SHIFT) /* IbsOpCurCnt: 20 bits on this family */
#define DATA_3 (((1ull << 19) - 1) | 0xFFFFull << VDATA3_LAT_SHIFT)
#define TEXT(letter)                                                                                                   \
    .name = letter, .brand = "AMD Phenom(tm) virtual PMU model " letter, .text = "Family 10h PMU, revision " letter
#define COMMON                                                                                                         \
    CACHES_10H, .fetch_mask = (1ull << 58) - 1, .data_mask = (1ull << 38) - 1, .data2_mask = 0x37,                     \
                .physical_mask = (1ull << 48) - 1, .quirks = QUIRK_E420, .pmc_count = 4, .pci_id = 0x1200

/* Model numbers: AMD revision guide 41322. Frequencies: Opteron 2350, Phenom II X4 945, Phenom II X6 1090T (3.6 GHz
 * boosted).
 * L3: 2 MB 32-way and 6 MB 48-way (SOG appendix A; Tom's Hardware, Phenom II review). */
static const struct vpmu_params rows[] = {
    [VPMU_REV_B] = {TEXT("B"), COMMON, .signature = 0x00100F23, /* family 10h, model 2, stepping 3 */
                    .max_extended_leaf = 0x8000001A, .l3_sets = 1024, .l3_ways = 32, .l3_half_mb = 4,
                    /* A line's instructions end in the same aligned 16 bytes: choice, by the counter samples of AMD's
                     * IBS paper (docs/paper.md, "Where lines end"), of this revision. SOG-K8 chapter 4 has packets of
                     * 16 bytes, but a pick window of two. */
                    .window_shift = 4,
                    /* Choice, by 3141 of 4090 loads of b in the same paper (docs/paper.md, "The DTLB"). */
                    .l2_dtlb_random = true, TLBS_10H(0), .op_mask = OP_B, .data3_mask = DATA_3, VPMU_CLOCK(2000)},
    [VPMU_REV_C] = {TEXT("C"), COMMON, .signature = 0x00100F42,        /* family 10h, model 4, stepping 2 */
                    .max_extended_leaf = 0x8000001B, .ibs_caps = 0x1F, /* FFV, fetch, op, RdWrOpCnt, OpCnt */
                    .l3_sets = 2048, .l3_ways = 48, .l3_half_mb = 12, .window_shift = NO_WINDOWS, VPMU_CLOCK(3000),
                    .op_mask = OP_C, .data3_mask = DATA_3 | VDATA3_L2HIT_1G, .cnt_ctl = true, .rdwr_cur_cnt = true,
                    TLBS_10H(16, 16, 0)},
    [VPMU_REV_E] = {TEXT("E"), COMMON, .signature = 0x00100FA0, /* family 10h, model 0Ah, stepping 0 */
                    .max_extended_leaf = 0x8000001B, .ibs_caps = 0x1F, .l3_sets = 2048, .l3_ways = 48, .l3_half_mb = 12,
                    .window_shift = NO_WINDOWS, VPMU_CLOCK(3200), .op_mask = OP_C,
                    .data3_mask = DATA_3 | VDATA3_L2HIT_1G, .boost_mhz = 3600, .cnt_ctl = true, .rdwr_cur_cnt = true,
                    TLBS_10H(16, 16, 0)},
};

const struct vpmu_params *vpmu_params_of(enum vpmu_revision revision)
{
    return revision < VPMU_REV_LATER ? &rows[revision] : &vpmu_later[revision - VPMU_REV_LATER];
}

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

bool vpmu_revision_parse(const char *name, enum vpmu_revision *ret_revision)
{
    for (int i = 0; i <= VPMU_REV_LAST; i++) {
        if (same(name, vpmu_params_of((enum vpmu_revision)i)->name)) {
            *ret_revision = (enum vpmu_revision)i;
            return true;
        }
    }
    return false;
}

const char *vpmu_revision_text(enum vpmu_revision revision)
{
    return vpmu_params_of(revision)->text;
}

/* By execution class; operand sizes 1, 2, 4, 8 and more (GCC i386.c, amdfam10_cost; FMOVE: athlon.md, see
 * FP_LOAD_EXTRA). */
static const uint8_t latencies[CODEMAP_UNITS][5] = {
    [CODEMAP_UNIT_ALU] = {1, 1, 1, 1, 1},        [CODEMAP_UNIT_LEA] = {2, 2, 2, 2, 2},
    [CODEMAP_UNIT_SHIFT] = {1, 1, 1, 1, 1},      [CODEMAP_UNIT_IMUL] = {3, 4, 3, 4, 5},
    [CODEMAP_UNIT_IDIV] = {19, 35, 51, 83, 83},  [CODEMAP_UNIT_BRANCH] = {1, 1, 1, 1, 1},
    [CODEMAP_UNIT_FADD] = {4, 4, 4, 4, 4},       [CODEMAP_UNIT_FMUL] = {4, 4, 4, 4, 4},
    [CODEMAP_UNIT_FDIV] = {16, 16, 16, 20, 20},  /* divss, divsd; x87: below */
    [CODEMAP_UNIT_FSQRT] = {19, 19, 19, 27, 27}, /* sqrtss, sqrtsd; x87: below */
    [CODEMAP_UNIT_FMOVE] = {2, 2, 2, 2, 2},      [CODEMAP_UNIT_NOP] = {1, 1, 1, 1, 1},
    [CODEMAP_UNIT_OTHER] = {1, 1, 1, 1, 1},
};

enum {
    X87_FDIV = 19,
    X87_FSQRT = 35,
};

unsigned params_latency(const struct codemap_insn *insn)
{
    bool x87 = (insn->writes >> CODEMAP_DEP_X87) & 1;
    unsigned column = insn->op_size <= 1   ? 0
                      : insn->op_size <= 2 ? 1
                      : insn->op_size <= 4 ? 2
                      : insn->op_size <= 8 ? 3
                                           : 4;

    if (insn->unit >= CODEMAP_UNITS)
        return 1;
    if (x87 && insn->unit == CODEMAP_UNIT_FDIV)
        return X87_FDIV;
    if (x87 && insn->unit == CODEMAP_UNIT_FSQRT)
        return X87_FSQRT;
    /* A plain load ends with its data, a plain store when the queue has it: mov writes no flags, an operation does. */
    if (insn->mems) {
        bool load = insn->mem[0].flags & CODEMAP_LOAD;

        if (insn->unit == CODEMAP_UNIT_ALU && !((insn->writes >> CODEMAP_DEP_FLAGS) & 1))
            return load ? 0 : STORE_LATENCY;
        if (load && insn->unit == CODEMAP_UNIT_FMOVE)
            return 0;
    }
    return latencies[insn->unit][column];
}
