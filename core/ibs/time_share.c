/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/time_share.h"

#include "core/base/stats.h"
#include "core/family/ibs_regs.h"

enum {
    LEAST_SAMPLES = 100,
    /* Cycles of a load that hits the data cache, to the use of its data; with floating point two more: AMD 40546,
     * appendix A. A walk that finds its entries in the L2 (15 cycles) takes about 18; an L2 DTLB hit about 3 (choices,
     * as docs/model.md has them). */
    LOAD = 3,
    LOAD_MORE = 2,
    WALK = 18,
    L2_TLB = 3,
    T9_MILLI = 2262, /* 97.5 % of Student's t with TIME_SHARE_GROUPS - 1 degrees of freedom */
};

bool time_share_supports(const struct ibs_machine *machine)
{
    return machine->row && (machine->row->traits & IBS_TRAIT_DEFAULT);
}

/* ---------------------------------------------------------------- samples */

void time_share_init(struct time_share *of, struct time_share_sample *samples, struct time_share_row *rows,
                     uint32_t row_count)
{
    *of = (struct time_share){.samples = samples, .rows = rows, .row_count = row_count, .least = UINT32_MAX};
}

void time_share_follow(struct time_share_row *rows, const struct codemap *map)
{
    for (uint32_t i = 0; i <= map->insn_count; i++)
        rows[i].follows =
            i && i < map->insn_count && map->insns[i - 1].rva + map->insns[i - 1].length == map->insns[i].rva;
}

/* Returns the most cycles of a load's access, IbsDcMissLat included. */
static uint16_t service(uint64_t data3)
{
    uint32_t cycles = LOAD + LOAD_MORE;

    if (!ibs_ld_op(data3) || (data3 & IBS_DC_ST_TO_LD_FWD))
        return 0;
    if (ibs_dc_miss(data3))
        cycles += (uint32_t)IBS_FIELD(data3, 47, 32);
    if (ibs_dc_l1tlb_miss(data3))
        cycles += ibs_dc_l2tlb_miss(data3) ? WALK : L2_TLB;
    return cycles < UINT16_MAX ? (uint16_t)cycles : UINT16_MAX;
}

/* Drops every other sample. */
static void thin(struct time_share *of)
{
    of->count /= 2;
    for (uint32_t i = 0; i < of->count; i++) {
        of->samples[i] = of->samples[2 * i];
        of->samples[i].group = (uint8_t)(i % TIME_SHARE_GROUPS);
    }
    of->stride++;
}

void time_share_add(struct time_share *of, uint32_t row, const struct sample_record *record)
{
    uint64_t data = record->reg[IBS_OP_DATA], data3 = record->reg[IBS_OP_DATA3], number = of->seen++;
    bool branch = ibs_op_brn_ret(data);

    if (number & ((1ull << of->stride) - 1))
        return;
    if (of->count == TIME_SHARE_SAMPLES)
        thin(of);
    if (number & ((1ull << of->stride) - 1))
        return;
    of->samples[of->count++] = (struct time_share_sample){
        .row = row,
        .in_flight = (uint16_t)ibs_op_tag_to_ret(data),
        .waited = (uint16_t)ibs_op_comp_to_ret(data),
        .service = service(data3),
        .group = (uint8_t)((number >> of->stride) % TIME_SHARE_GROUPS),
        .branch = branch,
        .taken = branch && (data & IBS_OP_BRN_TAKEN),
        .mispredicted = branch && (data & IBS_OP_BRN_MISP),
        .missed = ibs_dc_miss(data3) || ibs_dc_l2tlb_miss(data3),
        .store = ibs_st_op(data3) && !ibs_ld_op(data3),
    };
    if (ibs_op_comp_to_ret(data) < of->least)
        of->least = ibs_op_comp_to_ret(data);
}

static bool before(const struct time_share_sample *a, const struct time_share_sample *b)
{
    return a->row != b->row ? a->row < b->row : a->in_flight < b->in_flight;
}

/* Sifts 'top' into a heap of 'count' that is otherwise in order. */
static void sift(struct time_share_sample *heap, uint32_t top, uint32_t count)
{
    struct time_share_sample moved = heap[top];

    for (uint32_t child; (child = 2 * top + 1) < count; top = child) {
        if (child + 1 < count && before(&heap[child], &heap[child + 1]))
            child++;
        if (!before(&moved, &heap[child]))
            break;
        heap[top] = heap[child];
    }
    heap[top] = moved;
}

/* Sorts by rows, and within these by the time in flight. */
static void sort(struct time_share *of)
{
    struct time_share_sample *samples = of->samples;

    for (uint32_t i = of->count / 2; i-- > 0;)
        sift(samples, i, of->count);
    for (uint32_t last = of->count; last-- > 1;) {
        struct time_share_sample most = samples[0];

        samples[0] = samples[last];
        samples[last] = most;
        sift(samples, 0, last);
    }
    for (uint32_t i = 0; i < of->row_count; i++)
        of->rows[i].work = (struct time_share_work){0};
    for (uint32_t i = of->count; i-- > 0;) {
        of->rows[samples[i].row].work.first = i;
        of->rows[samples[i].row].work.count++;
    }
}

/* ---------------------------------------------------------------- shares */

static uint32_t millionths(uint64_t value, uint64_t all)
{
    return all ? (uint32_t)stats_mul_div(value, TIME_SHARE_MILLION, all) : 0;
}

static void spread_add(struct time_share_spread *spread, uint32_t share)
{
    spread->sum += share;
    spread->squares += (uint64_t)share * share;
}

/* Computes the jackknife's interval: without each group in turn the shares vary by a part of what chance does to them;
 * variance (n - 1) / n * sum of the squares of differences from their mean. */
static void set_interval(struct time_share_part *part, const struct time_share_spread *spread)
{
    uint64_t n = TIME_SHARE_GROUPS, squares = spread->squares - spread->sum * spread->sum / n;
    uint64_t half = (uint64_t)stats_isqrt(squares * (n - 1) / n) * T9_MILLI / 1000;

    part->low = half < part->share ? part->share - (uint32_t)half : 0;
    part->high = part->share + half < TIME_SHARE_MILLION ? part->share + (uint32_t)half : TIME_SHARE_MILLION;
}

bool time_share_estimate(struct time_share *of, uint64_t cycles, uint64_t ops)
{
    struct time_share_spread front = {0};
    uint64_t all, left;

    if (of->count < LEAST_SAMPLES || !cycles || !ops)
        return false;
    sort(of);
    for (unsigned without = 0; without < TIME_SHARE_GROUPS; without++) {
        all = time_share_values(of, without, cycles, ops, &left);
        spread_add(&front, millionths(left, all));
        for (uint32_t i = 0; i < of->row_count; i++)
            spread_add(&of->rows[i].work.spread, millionths(of->rows[i].work.value, all));
    }
    all = time_share_values(of, TIME_SHARE_ALL, cycles, ops, &left);
    of->front.share = millionths(left, all);
    set_interval(&of->front, &front);
    for (uint32_t i = 0; i < of->row_count; i++) {
        of->rows[i].part.share = millionths(of->rows[i].work.value, all);
        set_interval(&of->rows[i].part, &of->rows[i].work.spread);
    }
    return true;
}
