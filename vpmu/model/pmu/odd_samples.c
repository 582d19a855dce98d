/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields of samples that contradict each other, by switches of vpmu/model/hostile.h: one in sixteen of a row's
 * samples, at random. Each row turns an answer of config=hardware.
 */
#include "vpmu/model/caches/cache.h"
#include "vpmu/model/hostile.h"
#include "vpmu/model/pmu/ibs_unit.h"

#include <stddef.h>

enum {
    ONE_IN = 16, /* fewer than the one in ten that some answers allow */
    LEAK_IN = 4, /* samples that a filter should have dropped */
    COMP_MOST = 0xFFFF,
    WALK_TIMES = 4,
};

#define BRANCH (VDATA_BRANCH | VDATA_TAKEN)
#define MISSED (VDATA3_LOAD | VDATA3_MISS)
#define OPEN   (0x3Full << VDATA3_OPEN_SHIFT)
#define WIDTH  (0xFull << VDATA3_WIDTH_SHIFT)
#define LAT    (0xFFFFull << VDATA3_LAT_SHIFT)

/* Changes bits of the register 'in' where all bits of 'have' are set in the register 'of', and none of 'lack'. */
struct odd_row {
    uint16_t of, in;
    uint64_t have, lack, clear, set, flip;
};

#define OP(of, in) offsetof(struct op_sample, of), offsetof(struct op_sample, in)
static const struct odd_row odd_ops[] = {
    {OP(data, data), 0, VDATA_BRANCH, 0, VDATA_TAKEN, 0},                      /* taken, and no branch */
    {OP(data, data), BRANCH | VDATA_RETURN, 0, VDATA_TAKEN, 0, 0},             /* a return that was not taken */
    {OP(data, target), BRANCH, 0, UINT64_MAX, 0, 0},                           /* a taken branch to 0 */
    {OP(data, target), BRANCH, 0, 0, 0, 1ull << 40},                           /* and to another program */
    {OP(data, rip), 0, 0, 0, 0, 1ull << 63},                                   /* an address that is none */
    {OP(data3, data3), VDATA3_PHY_VALID, 0, VDATA3_LIN_VALID, 0, 0},           /* a physical address alone */
    {OP(data3, data3), 0, VDATA3_LOAD | VDATA3_STORE, 0, VDATA3_LIN_VALID, 0}, /* an address of no access */
    {OP(data3, dc_physical), VDATA3_PHY_VALID, 0, 0, 0, 1},                    /* another place in the page */
    {OP(data3, dc_physical), VDATA3_PHY_VALID, 0, 0, 1ull << 51, 0},           /* beyond CPUID's bits */
    {OP(data3, dc_linear), VDATA3_LIN_VALID, 0, 0, 0, 1ull << 47},
    {OP(data3, data3), VDATA3_LOAD, VDATA3_L1TLB_MISS, 0, VDATA3_L2TLB_MISS, 0},
    {OP(data3, data3), VDATA3_LOAD, VDATA3_L1TLB_MISS, 0, 7ull << VDATA3_TLB_LAT_SHIFT, 0},
    {OP(data3, data3), VDATA3_LOAD | VDATA3_L1TLB_MISS, 0, VDATA3_L1TLB_MISS, 0, 0}, /* its cycles stay */
    {OP(data3, data3), VDATA3_LOAD, VDATA3_MISS, 0, VDATA3_L2_MISS, 0},
    {OP(data3, data3), VDATA3_LOAD, VDATA3_MISS, 0, 1ull << VDATA3_LAT_SHIFT, 0},
    {OP(data3, data3), VDATA3_LOAD, VDATA3_MISS, 0, 1ull << VDATA3_OPEN_SHIFT, 0},
    {OP(data3, data3), MISSED, 0, LAT, 0, 0},
    {OP(data3, data3), MISSED, 0, VDATA3_PHY_VALID, 0, 0},
    {OP(data3, data3), MISSED | VDATA3_L2_MISS, 0, VDATA3_L2_MISS, 0, 0},
    {OP(data3, data3), VDATA3_LOAD, 0, WIDTH, 0, 0},
    {OP(data3, data3), VDATA3_LOAD | VDATA3_UC, 0, VDATA3_UC, VDATA3_WC, 0},
    {OP(data3, data3), VDATA3_L1HIT_2M, 0, VDATA3_L1HIT_2M, 0, 0}, /* from Zen 5 on the size of the page */
    {OP(data3, data2), MISSED | VDATA3_L2_MISS, 0, 0, VDATA2_REMOTE, 0},
    {OP(data3, data2), MISSED | VDATA3_L2_MISS, 0, 0xC7, 0x45, 0}, /* a source that the family does not have */
};
#undef OP

static bool chosen(struct ibs_unit *unit)
{
    return rng_below(&unit->garbage, ONE_IN) == 0;
}

static void apply(struct ibs_unit *unit, const struct odd_row *row, void *registers)
{
    uint64_t of = *(const uint64_t *)((const char *)registers + row->of);
    uint64_t *in = (uint64_t *)((char *)registers + row->in);

    if ((of & (row->have | row->lack)) == row->have && chosen(unit))
        *in = ((*in & ~row->clear) | row->set) ^ row->flip;
}

static void odd_fields(struct ibs_unit *unit)
{
    struct op_sample *op = &unit->op;
    uint64_t tagged = op->data >> VDATA_TAG_SHIFT & COMP_MOST;

    if (tagged < COMP_MOST && chosen(unit)) /* it completed before it was tagged */
        op->data = (op->data & ~(uint64_t)COMP_MOST) | (tagged + 1);
    for (uint32_t i = 0; i < sizeof(odd_ops) / sizeof(odd_ops[0]); i++)
        apply(unit, &odd_ops[i], op);
}

/* Adds four times the cycles of the look-up in the second DTLB, or of the page walk: those of the look-up are a few.
 */
static void add_walk(struct op_sample *op)
{
    uint64_t cycles = (op->data3 >> VDATA3_LAT_SHIFT & 0xFFFF) + WALK_TIMES * (uint64_t)op->facts.refill;

    if ((op->data3 & MISSED) == MISSED)
        op->data3 = (op->data3 & ~LAT) | (cycles < 0xFFFF ? cycles : 0xFFFF) << VDATA3_LAT_SHIFT;
}

void odd_op(struct ibs_unit *unit)
{
    if (hostile_has(unit->hostile, HOSTILE_WALK_IN_LATENCY))
        add_walk(&unit->op);
    if (hostile_has(unit->hostile, HOSTILE_ODD_FIELDS))
        odd_fields(unit);
}

uint8_t odd_source(struct ibs_unit *unit, uint8_t source)
{
    if (!hostile_has(unit->hostile, HOSTILE_SOURCES_WRONG))
        return source;
    if (source == SOURCE_L3 && rng_below(&unit->garbage, 3) == 0)
        return SOURCE_DRAM;
    return source == SOURCE_DRAM ? SOURCE_L3 : source;
}

bool odd_leak(struct ibs_unit *unit)
{
    return hostile_has(unit->hostile, HOSTILE_FILTERS_LEAK) && rng_below(&unit->garbage, LEAK_IN) == 0;
}

void odd_fetch(struct ibs_unit *unit)
{
    bool completed = unit->fetch_ctl & VFETCH_COMP, there = unit->fetch_ctl & VFETCH_PHY_VALID;

    if (!hostile_has(unit->hostile, HOSTILE_ODD_FIELDS))
        return;
    if (there && chosen(unit))
        unit->fetch_physical ^= 1;
    if (there && chosen(unit))
        unit->fetch_physical |= 1ull << 51;
    if (completed && there && chosen(unit))
        unit->fetch_ctl &= ~VFETCH_PHY_VALID;
    if (chosen(unit))
        unit->fetch_linear ^= 1ull << 48;
    if (completed && !(unit->fetch_ctl & VFETCH_L1TLB_MISS) && chosen(unit))
        unit->fetch_extended = 5;
}
