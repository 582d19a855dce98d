/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about samples of families after Family 10h (core/hardware/hardware_later_rows.h). */
#include "app/hardware/hardware.h"

#include "core/family/ibs_regs.h"

enum {
    LATENCY = 128,  /* of STEP_OP_SLOW */
    WIDTH_8 = 4,    /* IbsOpMemWidth of 8 bytes */
    CODE_KB = 8192, /* most between a branch and its target: the program is smaller */
};

/* Samples of a step, counted by a question's judgement. */
struct counted {
    struct ibs_machine machine;
    uint64_t all, wrong;
    uint64_t valid[IBS_RECORD_REGS]; /* meaningful bits of the sample */
};

typedef void judge_sample(struct counted *counted, const struct sample_record *record);

static struct counted count(const struct hardware *hardware, const struct hardware_step *step, judge_sample *judge)
{
    struct counted counted = {.machine = hardware_ibs(hardware)};

    for (uint32_t i = 0; i < step->samples; i++) {
        ibs_valid_bits(&counted.machine, &step->records[i], counted.valid);
        judge(&counted, &step->records[i]);
    }
    return counted;
}

static uint64_t op_bits(const struct counted *counted, const struct sample_record *record, enum ibs_op_reg reg)
{
    return record->kind == SAMPLE_OP ? record->reg[reg] & counted->valid[reg] : 0;
}

/* Returns the source of a load. */
static enum ibs_source source_of(const struct counted *counted, const struct sample_record *record)
{
    uint64_t data2 = op_bits(counted, record, IBS_OP_DATA2);

    return data2 ? ibs_source_of(&counted->machine, data2) : IBS_SOURCE_NONE;
}

static void found(struct hardware *hardware, enum hardware_steps which, judge_sample *judge, const char *text)
{
    const struct hardware_step *step = hardware_step(hardware, which);
    struct counted counted;

    if (!step)
        return;
    counted = count(hardware, step, judge);
    if (hardware_enough(hardware, counted.all))
        hardware_found(hardware, !counted.wrong, "%lu of %lu %s", counted.wrong, counted.all, text);
}

static void came_from_l3(struct counted *counted, const struct sample_record *record)
{
    enum ibs_source source = source_of(counted, record);

    counted->all += record->kind == SAMPLE_OP;
    counted->wrong += source == IBS_SOURCE_L3 || source == IBS_SOURCE_NEAR;
}

void hardware_ask_l3_miss_only_ops(struct hardware *hardware)
{
    found(hardware, STEP_OP_BEYOND_L3, came_from_l3, "filtered samples came from the L3");
}

static void lacks_l3_miss(struct counted *counted, const struct sample_record *record)
{
    counted->all += record->kind == SAMPLE_FETCH;
    counted->wrong += record->kind == SAMPLE_FETCH && !(record->reg[IBS_FETCH_CTL] & IBS_FETCH_L3_MISS);
}

/* The loop's fetches miss no cache, so few samples remain. */
void hardware_ask_l3_miss_only_fetches(struct hardware *hardware)
{
    const struct hardware_step *all = hardware_step(hardware, STEP_FETCH_ALU);
    const struct hardware_step *step = all ? hardware_step(hardware, STEP_FETCH_BEYOND_L3) : NULL;
    struct counted counted;

    if (!step || !hardware_enough(hardware, all->samples))
        return;
    counted = count(hardware, step, lacks_l3_miss);
    hardware_found(hardware, !counted.wrong && counted.all * 10 < all->samples,
                   "%lu of %lu filtered samples lack the bit; %u without the filter", counted.wrong, counted.all,
                   all->samples);
}

static void is_fast(struct counted *counted, const struct sample_record *record)
{
    uint64_t load = IBS_LD_OP | IBS_DC_MISS, data3 = record->reg[IBS_OP_DATA3];

    counted->all += record->kind == SAMPLE_OP;
    counted->wrong +=
        record->kind == SAMPLE_OP && ((data3 & load) != load || (data3 & IBS_DC_MISS_LAT) >> 32 <= LATENCY);
}

void hardware_ask_load_latency_passes(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_SLOW);
    struct counted counted;

    if (!step)
        return;
    counted = count(hardware, step, is_fast);
    if (hardware_enough(hardware, counted.all))
        hardware_found(hardware, counted.wrong * 10 <= counted.all,
                       "%lu of %lu filtered samples are not loads of this kind", counted.wrong, counted.all);
}

/* Adds up all completed steps. */
static struct counted count_all(const struct hardware *hardware, judge_sample *judge)
{
    struct counted sum = {0};

    for (unsigned i = 0; i < STEPS; i++) {
        struct counted counted;

        if (!hardware->step[i].good)
            continue;
        counted = count(hardware, &hardware->step[i], judge);
        sum.all += counted.all;
        sum.wrong += counted.wrong;
    }
    return sum;
}

static void is_rip_invalid(struct counted *counted, const struct sample_record *record)
{
    counted->all += record->kind == SAMPLE_OP;
    counted->wrong += record->kind == SAMPLE_OP && (record->reg[IBS_OP_DATA] & IBS_OP_RIP_INVALID);
}

void hardware_ask_rip_invalid_share(struct hardware *hardware)
{
    struct counted counted;

    if (!hardware_step(hardware, STEP_OP_FIXED))
        return;
    counted = count_all(hardware, is_rip_invalid);
    if (hardware_enough(hardware, counted.all))
        hardware_found(hardware, counted.wrong * 10 <= counted.all, "in %lu of %lu samples", counted.wrong,
                       counted.all);
}

static void is_unknown(struct counted *counted, const struct sample_record *record)
{
    counted->all += source_of(counted, record) != IBS_SOURCE_NONE;
    counted->wrong += source_of(counted, record) == IBS_SOURCE_RESERVED;
}

void hardware_ask_sources_known(struct hardware *hardware)
{
    struct counted counted;

    if (!hardware_step(hardware, STEP_OP_L3))
        return;
    counted = count_all(hardware, is_unknown);
    if (hardware_enough(hardware, counted.all))
        hardware_found(hardware, !counted.wrong, "%lu of %lu sources are not in the family's list", counted.wrong,
                       counted.all);
}

static void lacks_l2_miss(struct counted *counted, const struct sample_record *record)
{
    bool beyond = source_of(counted, record) != IBS_SOURCE_NONE;

    counted->all += beyond;
    counted->wrong += beyond && !(record->reg[IBS_OP_DATA3] & IBS_DC_L2_MISS);
}

void hardware_ask_l2_miss_of_source(struct hardware *hardware)
{
    found(hardware, STEP_OP_L3, lacks_l2_miss, "loads with a source lack IbsL2Miss");
}

static void refills_oddly(struct counted *counted, const struct sample_record *record)
{
    uint64_t data3 = op_bits(counted, record, IBS_OP_DATA3), walk = IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS;
    bool load = (data3 & IBS_LD_OP) && (data3 & IBS_DC_PHY_ADDR_VALID), cycles = data3 >> 48;

    counted->all += load;
    counted->wrong += load && ((cycles && !(data3 & IBS_DC_L1TLB_MISS)) || (!cycles && (data3 & walk) == walk));
}

void hardware_ask_refill_of_a_miss(struct hardware *hardware)
{
    found(hardware, STEP_OP_L3_4K, refills_oddly, "loads have refill cycles without a miss, or a walk without cycles");
}

static void fetches_oddly(struct counted *counted, const struct sample_record *record)
{
    bool completed = record->kind == SAMPLE_FETCH && ibs_fetch_comp(record->reg[IBS_FETCH_CTL]);

    counted->all += completed;
    counted->wrong += completed && record->reg[IBS_FETCH_EXTD] &&
                      (!(record->reg[IBS_FETCH_CTL] & IBS_FETCH_L1TLB_MISS) || record->reg[IBS_FETCH_EXTD] >> 16);
}

void hardware_ask_itlb_refill(struct hardware *hardware)
{
    found(hardware, STEP_FETCH_ALU, fetches_oddly, "fetches have refill cycles without a miss, or more than 16 bits");
}

static void jumps_far(struct counted *counted, const struct sample_record *record)
{
    bool branch = record->kind == SAMPLE_OP && (record->reg[IBS_OP_DATA] & IBS_OP_BRN_RET);
    uint64_t target = record->reg[IBS_OP_BRTARGET], room = CODE_KB * 1024ull;

    counted->all += branch;
    counted->wrong += branch && target && target - record->reg[IBS_OP_RIP] + room > 2 * room;
}

void hardware_ask_branch_targets(struct hardware *hardware)
{
    found(hardware, STEP_OP_CALLS, jumps_far, "branches have a target outside of the program");
}

static void is_not_8_bytes(struct counted *counted, const struct sample_record *record)
{
    uint64_t data3 = op_bits(counted, record, IBS_OP_DATA3);
    bool missed = (data3 & IBS_LD_OP) && (data3 & IBS_DC_MISS); /* no other load of the loop does so */

    counted->all += missed;
    counted->wrong += missed && (data3 & IBS_DC_WIDTH) >> 22 != WIDTH_8;
}

void hardware_ask_width_of_loads(struct hardware *hardware)
{
    found(hardware, STEP_OP_L3, is_not_8_bytes, "loads of 8 bytes have another width");
}

static void is_no_4k(struct counted *counted, const struct sample_record *record)
{
    uint64_t data3 = op_bits(counted, record, IBS_OP_DATA3);
    bool load = (data3 & IBS_LD_OP) && (data3 & IBS_DC_MISS) && (data3 & IBS_DC_PHY_ADDR_VALID);

    counted->all += load;
    counted->wrong += load && (data3 & IBS_DC_PAGE_SIZE);
}

/* Samples that are 'wrong' for 4 KB have another page size. */
void hardware_ask_page_size_field(struct hardware *hardware)
{
    const struct hardware_step *small = hardware_step(hardware, STEP_OP_L3_4K);
    const struct hardware_step *large = small ? hardware_step(hardware, STEP_OP_L3) : NULL;
    struct counted a, b;

    if (!large)
        return;
    a = count(hardware, small, is_no_4k);
    b = count(hardware, large, is_no_4k);
    if (hardware_enough(hardware, a.all < b.all ? a.all : b.all))
        hardware_found(hardware, !a.wrong && b.wrong == b.all,
                       "not marked 4 KB: %lu of %lu with 4 KB pages, %lu of %lu with 2 MB", a.wrong, a.all, b.wrong,
                       b.all);
}
