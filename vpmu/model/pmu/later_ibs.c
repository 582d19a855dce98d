/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns a sample that was filled as Family 10h's into that of a later family's IBS unit. Fields that a family is known
 * to fill wrongly get random bits: a reader who shows them shows nonsense.
 *
 * Sources: as in later.c; errata: AMD 48063 (717), AMD_IBS_Toolkit (718, 719), Linux
 * tools/perf/util/amd-sample-raw.c (1238, 1293, 1347; the rules of Zen 5 and Zen 6).
 */
#include "vpmu/model/caches/cache.h"
#include "vpmu/model/pmu/ibs_unit.h"

enum {
    CAP_PAGE_SIZE = 1 << 19, /* IbsOpData3[5:4] is the size of the page */
    WIDEST = 7,              /* IbsOpMemWidth of 64 bytes, by the rule of the smaller ones */
    OPEN_MOST = 63,
};

static uint64_t random_bits(struct ibs_unit *unit, uint64_t mask)
{
    return rng_next(&unit->garbage) & mask;
}

/* IbsOpMemWidth: n for accesses of at most 1 << (n - 1) bytes, 0 without one (LX-h, the toolkit's decoder). */
static uint64_t width(uint32_t size)
{
    uint64_t n = 1;

    while (n < WIDEST && 1u << (n - 1) < size)
        n++;
    return size ? n : 0;
}

/* Returns NbIbsReqSrc and its companions, for a load that missed. */
static uint64_t source(struct ibs_unit *unit)
{
    static const uint8_t near[][CACHE_SOURCES] = {
        [SOURCES_10H] = {[SOURCE_L3] = 1, [SOURCE_DRAM] = 3, [SOURCE_MODIFIED] = 2, [SOURCE_OWNED] = 2},
        [SOURCES_ZEN] = {[SOURCE_L3] = 2, [SOURCE_DRAM] = 3, [SOURCE_MODIFIED] = 2, [SOURCE_OWNED] = 2},
        [SOURCES_ZEN4] = {[SOURCE_L3] = 1, [SOURCE_DRAM] = 3, [SOURCE_MODIFIED] = 1, [SOURCE_OWNED] = 1},
    };
    static const uint8_t far[] = {[SOURCES_10H] = 2, [SOURCES_ZEN] = 4, [SOURCES_ZEN4] = 5}; /* a cache's */
    const struct op_facts *facts = &unit->op.facts;
    bool cache = facts->source == SOURCE_MODIFIED || facts->source == SOURCE_OWNED;
    uint64_t value = facts->remote && cache ? far[unit->params->sources]
                                            : near[unit->params->sources][odd_source(unit, facts->source)];

    value |= facts->remote ? VDATA2_REMOTE | VDATA2_SOCKET : 0;
    return value | (facts->source == SOURCE_OWNED ? VDATA2_OWNED : 0);
}

/* Fills IbsOpData3 from bit 20 on, and the page's size. */
static void upper_data3(struct ibs_unit *unit)
{
    struct op_sample *op = &unit->op;
    const struct op_facts *facts = &op->facts;
    uint64_t refill = facts->refill < 0xFFFF ? facts->refill : 0xFFFF;

    op->data3 |= width(facts->size) << VDATA3_WIDTH_SHIFT;
    if ((op->data3 & VDATA3_MISS) && facts->source != SOURCE_L2)
        op->data3 |= VDATA3_L2_MISS;
    op->data3 |= (uint64_t)(facts->open < OPEN_MOST ? facts->open : OPEN_MOST) << VDATA3_OPEN_SHIFT;
    if (op->data3 & VDATA3_LOAD)
        op->data3 |= refill << VDATA3_TLB_LAT_SHIFT;
    if (unit->params->ibs_caps & CAP_PAGE_SIZE) {
        op->data3 &= ~(VDATA3_L1HIT_2M | VDATA3_L1HIT_1G);
        op->data3 |= op->data3 & VDATA3_PHY_VALID ? facts->page * VDATA3_L1HIT_2M : 0;
    }
}

static void wrong_op(struct ibs_unit *unit, uint32_t quirks)
{
    struct op_sample *op = &unit->op;

    if ((quirks & QUIRK_MAB_HIT) && (op->data3 & VDATA3_LIN_VALID) && !(op->data3 & VDATA3_MISS))
        op->data3 |= random_bits(unit, VDATA3_MAB_HIT);
    if ((quirks & QUIRK_BRANCH_TARGET) && op->target)
        op->target ^= random_bits(unit, 0x70);
    if ((quirks & QUIRK_NO_MAB) && (op->data3 & VDATA3_MAB_HIT)) {
        op->data3 ^= random_bits(unit, VDATA3_L2_MISS | (uint64_t)OPEN_MOST << VDATA3_OPEN_SHIFT);
        op->data2 = random_bits(unit, UINT64_MAX);
    }
    if (quirks & QUIRK_STATE)
        op->data2 ^= random_bits(unit, VDATA2_OWNED);
}

void later_op(struct ibs_unit *unit, const struct op_sample *before)
{
    const struct vpmu_params *params = unit->params;
    struct op_sample *op = &unit->op;

    op->target = op->data & VDATA_BRANCH ? op->facts.next : 0;
    op->data4 = 0; /* IbsOpLdResync: no processor with this register replays loads here */
    op->data |= op->facts.vector ? VDATA_MICROCODE : 0;
    if (op->data2)
        op->data2 = source(unit);
    if ((op->data3 & VDATA3_STORE) && (op->data3 & VDATA3_WC))
        op->data2 |= VDATA2_STREAMING;
    if (op->data3)
        upper_data3(unit);
    wrong_op(unit, params->quirks);
    if (unit->rip_invalid && !random_bits(unit, 7)) {
        op->data |= VDATA_RIP_INVALID;
        op->rip ^= 0x10 + random_bits(unit, 0xFE0);
    }
    if (params->quirks & QUIRK_STICKY)
        op->data3 |= before->data3 & 0xFFFFF;
    odd_op(unit);
    op->data &= params->data_mask;
    op->data2 &= params->data2_mask;
    op->data3 &= params->data3_mask;
}

/* ---------------------------------------------------------------- filters (AMD APM vol. 2 section 13.3.5) */

/* Returns whether the line came from beyond the node's L3. */
static bool l3_missed(const struct op_sample *op)
{
    return (op->data3 & VDATA3_MISS) && (op->facts.source == SOURCE_DRAM || op->facts.remote);
}

static uint64_t latency_of(const struct op_sample *op)
{
    return (op->data3 & VDATA3_LOAD) && (op->data3 & VDATA3_MISS) ? op->data3 >> VDATA3_LAT_SHIFT & 0xFFFF : 0;
}

bool later_op_passes(const struct ibs_unit *unit)
{
    const struct op_sample *op = &unit->candidate;
    uint64_t threshold = (((unit->op_ctl & VOP_LAT_MASK) >> VOP_LAT_SHIFT) + 1) * VLAT_UNIT;
    bool kernel = op->rip >> 63, streams = (op->data3 & VDATA3_STORE) && (op->data3 & VDATA3_WC);

    return !((unit->op_ctl & VOP_L3_ONLY) && !l3_missed(op)) &&
           !((unit->op_ctl & VOP_LAT_EN) && latency_of(op) <= threshold) &&
           !(unit->op_ctl2 & (kernel ? VOP2_NOT_KERNEL : VOP2_NOT_USER)) &&
           !((unit->op_ctl2 & VOP2_STREAMING) && !streams);
}

/* Finds misses by the cycles beyond a hit, which say where the line was. The pipeline has no op cache: each fetch
 * misses it. */
static uint64_t fetch_misses(const struct fetch_event *event)
{
    uint64_t bits = event->bits & VFETCH_COMP ? VFETCH_OC_MISS : 0;

    if (event->miss > L2_LATENCY - L1_LATENCY)
        bits |= VFETCH_L2_MISS;
    if (event->miss > L3_LATENCY - L1_LATENCY)
        bits |= VFETCH_L3_MISS;
    return bits;
}

bool later_fetch_passes(const struct ibs_unit *unit, const struct fetch_event *event)
{
    uint64_t threshold = (unit->fetch_ctl2 >> VFETCH2_LAT_SHIFT & 0xF) * VLAT_UNIT;
    bool kernel = event->address >> 63;

    return !((unit->fetch_ctl & VFETCH_L3_ONLY) && !(fetch_misses(event) & VFETCH_L3_MISS)) &&
           event->latency >= threshold && !(unit->fetch_ctl2 & (kernel ? VFETCH2_NOT_KERNEL : VFETCH2_NOT_USER));
}

/* ---------------------------------------------------------------- fetch */

void later_fetch(struct ibs_unit *unit, const struct fetch_event *event)
{
    static const uint64_t status = VFETCH_IC_MISS | 3ull << VFETCH_PGSZ_SHIFT | VFETCH_L1TLB_MISS | VFETCH_L2TLB_MISS |
                                   VFETCH_L2_MISS | VFETCH_OC_MISS | VFETCH_L3_MISS | 0xFFFFull << VFETCH_LAT_SHIFT;
    uint32_t quirks = unit->params->quirks, size = (unit->fetch_ctl >> VFETCH_PGSZ_SHIFT) & 3;

    unit->fetch_ctl |= fetch_misses(event);
    unit->fetch_extended = event->refill < 0xFFFF ? event->refill : 0xFFFF;
    if ((quirks & QUIRK_PAGE_SIZES) && size) /* 1 is 16 KB, which the pipeline does not have */
        unit->fetch_ctl += 1ull << VFETCH_PGSZ_SHIFT;
    if (quirks & QUIRK_IC_MISS)
        unit->fetch_ctl ^= random_bits(unit, VFETCH_IC_MISS);
    if ((quirks & QUIRK_FETCH_PHYSICAL) && !(event->bits & VFETCH_PHY_VALID)) {
        unit->fetch_ctl ^= random_bits(unit, status);
        unit->fetch_extended = random_bits(unit, 0xFFFF);
    }
    odd_fetch(unit);
    unit->fetch_ctl &= unit->params->fetch_mask;
}
