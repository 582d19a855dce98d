/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about what IBS samples say (core/hardware/hardware_ibs_rows.h). */
#include "app/hardware/hardware.h"

#include "core/family/ibs_regs.h"
#include "core/platform/memory_type.h"

enum {
    FETCH_BYTES = 32,
    LOOP_BLOCKS = 8, /* of alu-independent: 249 bytes from its head, which begins the first one */
    CURCNT_RANDOM = 0x7F,
    PAT_FIRST = 0, /* entry of the PAT that our page tables name */
};

/* Returns whether software may read and write the current count; hardware_cannot() if not. */
static bool has_cur_cnt(struct hardware *hardware)
{
    bool has = hardware->run->machine->ibs_caps & IBS_CAP_RDWR_OPCNT;

    if (!has)
        hardware_cannot(hardware, "software must not write IbsOpCurCnt of this processor");
    return has;
}

/* Counts the step's op samples that have all of these bits in the register. */
static uint32_t with_bits(const struct hardware_step *step, enum ibs_op_reg reg, uint64_t bits)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < step->samples; i++)
        n += step->records[i].kind == SAMPLE_OP && (step->records[i].reg[reg] & bits) == bits;
    return n;
}

/* Counts over all op samples taken so far. */
static uint64_t over_all(const struct hardware *hardware, enum ibs_op_reg reg, uint64_t bits, uint64_t *ret_all)
{
    uint64_t some = 0;

    *ret_all = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        if (!hardware->step[i].good)
            continue;
        some += with_bits(&hardware->step[i], reg, bits);
        *ret_all += with_bits(&hardware->step[i], reg, 0);
    }
    return some;
}

/* The bit means "another node" only for sources with a node, which depend on the family. */
void hardware_ask_ibs_dst_proc(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_DRAM);
    const struct ibs_machine machine = hardware_ibs(hardware);
    uint32_t far = 0, near = 0, sources = machine.row ? machine.row->node_sources : 0;

    for (uint32_t i = 0; step && i < step->samples; i++) {
        uint64_t data2 = hardware_data2(&machine, step, i);
        bool of_a_node = sources >> ibs_raw_source(&machine, data2) & 1;

        far += of_a_node && ibs_nb_dst_proc(data2);
        near += of_a_node && !ibs_nb_dst_proc(data2);
    }
    if (!step)
        return;
    if (hardware->run->machine->nodes.count > 1)
        hardware_cannot(hardware, "%u nodes: %u loads without the bit, %u with it", hardware->run->machine->nodes.count,
                        near, far);
    else if (hardware_enough(hardware, near + far))
        hardware_found(hardware, !far, "%u loads from a node without the bit, %u with it", near, far);
}

void hardware_ask_fetch_counter(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_FETCH_TAKEN);
    uint64_t fetches, passes;

    if (!step || !hardware_enough(hardware, hardware_samples(step, SAMPLE_FETCH)))
        return;
    fetches = hardware_samples(step, SAMPLE_FETCH) * step->ibs.fetch_period;
    passes = hardware_param(step, "iterations");
    hardware_found(hardware, between(fetches, passes, 17000, 22000), "%s fetches counted per pass",
                   figure(fetches, passes, 1).text);
}

void hardware_ask_mispredicted_return(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_CALLS);
    uint32_t two, one;

    if (!step || !hardware_enough(hardware, with_bits(step, IBS_OP_DATA, IBS_OP_RETURN)))
        return;
    two = with_bits(step, IBS_OP_DATA, IBS_OP_RETURN | IBS_OP_BRN_MISP);
    one = with_bits(step, IBS_OP_DATA, IBS_OP_MISP_RETURN);
    hardware_found(hardware, two == one && two, "%u returns: %u by bits 34 and 36, %u by bit 33",
                   with_bits(step, IBS_OP_DATA, IBS_OP_RETURN), two, one);
}

void hardware_ask_data3_bit19(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_TLB);
    uint64_t hits, sum;

    if (!step)
        return;
    hits = hardware_share(step, DERIVED_F204_DTLB_L1M_L2H);
    sum = hardware_share(step, DERIVED_F215_DTLB_L2_4K) + hardware_share(step, DERIVED_F216_DTLB_L2_2M) +
          hardware_share(step, DERIVED_F217_DTLB_L2_1G);
    if (hardware_enough(hardware, hits))
        hardware_found(hardware, hits == sum && !with_bits(step, IBS_OP_DATA3, IBS_DC_L2TLB_HIT_1G),
                       "F204 %lu, sum of its pages %lu, bit 19 in %u", hits, sum,
                       with_bits(step, IBS_OP_DATA3, IBS_DC_L2TLB_HIT_1G));
}

void hardware_ask_fetch_upper_bits(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_FETCH_TAKEN);

    if (step && hardware_enough(hardware, hardware_samples(step, SAMPLE_FETCH)))
        hardware_found(hardware, ibs_canonical(step->fetch_address) == step->fetch_address, "C001_1031 is %lx",
                       step->fetch_address);
}

void hardware_ask_curcnt_after_sample(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_FIXED);
    uint64_t seen[2] = {0, 0}, high = 0;
    unsigned values = 0;

    if (!has_cur_cnt(hardware) || !step || !hardware_enough(hardware, hardware_samples(step, SAMPLE_OP)))
        return;
    for (uint32_t i = 0; i < step->samples; i++) {
        uint32_t count = ibs_op_cur_cnt(step->records[i].reg[IBS_OP_CTL]), low = count & CURCNT_RANDOM;

        high = count - low > high ? count - low : high;
        seen[low / 64] |= 1ull << low % 64;
    }
    for (unsigned i = 0; i <= CURCNT_RANDOM; i++)
        values += seen[i / 64] >> i % 64 & 1;
    hardware_found(hardware, values > 16 && !high, "%u values of bits 6:0 in %u samples, the other bits up to %lx",
                   values, step->samples, high);
}

void hardware_ask_cycle_tags_wait(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_CYCLES);
    const struct hardware_step *clocks = step ? hardware_step(hardware, STEP_HOP_L3) : NULL;
    uint64_t sampled;

    if (!clocks || !hardware_enough(hardware, step->samples))
        return;
    sampled = hardware_samples(step, SAMPLE_OP) * step->ibs.op_period;
    for (uint32_t i = 0; i < step->samples; i++) /* nothing is counted between tag and retirement of an op */
        sampled += ibs_op_tag_to_ret(step->records[i].reg[IBS_OP_DATA]);
    hardware_found(hardware, between(sampled, clocks->count[0], 850, 1100), "%lu cycles by %u samples, %lu by 076h",
                   sampled, step->samples, clocks->count[0]);
}

/* The additions are 4 bytes each, in lines of three. On revision B lines end with 16 bytes of code, and intervals vary
 * by multiples of 16, which does not spread samples over a loop of so few cycles. */
void hardware_ask_line_ops_equal(struct hardware *hardware)
{
    enum { FIRST = 32, INSN = 4, OPS = 48 };
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_ALU_CYCLES);
    uint64_t base, n[OPS] = {0}, all = 0, square = 0;

    if (!step)
        return;
    if (hardware->run->machine->revision == 'B') {
        hardware_cannot(hardware, "revision B: intervals vary by multiples of 16 cycles");
        return;
    }
    base = (uint64_t)(uintptr_t)step->workload->run + FIRST;
    for (uint32_t i = 0; i < step->samples; i++) {
        uint64_t at = step->records[i].reg[IBS_OP_RIP] - base;

        if (at < INSN * OPS)
            n[at / INSN]++;
    }
    for (unsigned k = 0; k < OPS; k++) {
        all += n[k];
        square += n[k] * n[k];
    }
    if (!hardware_enough(hardware, all / 4))
        return;
    /* sum (n - mean)^2 / mean / (OPS - 1) = (OPS * sum n^2 / all - all) / (OPS - 1) */
    square = OPS * square * 100 / all - all * 100;
    hardware_found(hardware, square <= 200 * (OPS - 1), "chi-square %s per degree of freedom, %lu samples of %u ops",
                   figure(square, 100 * (OPS - 1), 2).text, all, OPS);
}

void hardware_ask_misslat_without_walk(struct hardware *hardware)
{
    const struct hardware_step *large = hardware_step(hardware, STEP_OP_L3);
    const struct hardware_step *small = large ? hardware_step(hardware, STEP_OP_L3_4K) : NULL;
    uint32_t with_walk, without;

    if (!small)
        return;
    with_walk = hardware_miss_latency(small);
    without = hardware_miss_latency(large);
    if (!with_walk || !without)
        hardware_cannot(hardware, "too few loads that missed");
    else
        hardware_found(hardware, between(with_walk, without, 900, 1100),
                       "median %u cycles with 4 KB pages, %u with 2 MB", with_walk, without);
}

void hardware_ask_miss_in_flight(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_STREAM);
    uint32_t waits, both;

    if (!step)
        return;
    waits = with_bits(step, IBS_OP_DATA3, IBS_LD_OP | IBS_DC_MAB_HIT);
    both = with_bits(step, IBS_OP_DATA3, IBS_LD_OP | IBS_DC_MAB_HIT | IBS_DC_MISS);
    if (hardware_enough(hardware, waits))
        hardware_found(hardware, both == waits, "%u loads with IbsDcMabHit, %u of them with IbsDcMiss", waits, both);
}

void hardware_ask_revision_b_counter(struct hardware *hardware)
{
    const struct hardware_step *step, *clocks;

    if (hardware->run->machine->revision != 'B') {
        hardware_cannot(hardware, "revision %c", hardware->run->machine->revision);
        return;
    }
    step = hardware_step(hardware, STEP_OP_FIXED);
    clocks = step ? hardware_step(hardware, STEP_ALU_COUNT) : NULL;
    if (clocks)
        hardware_found(hardware,
                       between(hardware_samples(step, SAMPLE_OP) * step->ibs.op_period, clocks->count[0], 900, 1100),
                       "%lu cycles by samples, %lu by 076h", hardware_samples(step, SAMPLE_OP) * step->ibs.op_period,
                       clocks->count[0]);
}

void hardware_ask_loop_head(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_FETCH_ALU);
    uint64_t base, head = 0, all = 0;

    if (!step || !hardware_enough(hardware, hardware_samples(step, SAMPLE_FETCH)))
        return;
    base = (uint64_t)(uintptr_t)step->workload->run;
    for (uint32_t i = 0; i < step->samples; i++) {
        uint64_t block = (step->records[i].reg[IBS_FETCH_LINAD] - base) / FETCH_BYTES;

        head += block == 0;
        all += block <= LOOP_BLOCKS;
    }
    hardware_found(hardware, head * 20 < all, "%lu of %lu samples; an equal share is %lu", head, all,
                   all / (LOOP_BLOCKS + 1));
}

void hardware_ask_fetch_cnt_reads_max(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_FETCH_ALU);
    uint32_t same = 0;

    if (!step || !hardware_enough(hardware, hardware_samples(step, SAMPLE_FETCH)))
        return;
    for (uint32_t i = 0; i < step->samples; i++) {
        uint64_t ctl = step->records[i].reg[IBS_FETCH_CTL];

        same += (ctl & IBS_FETCH_CNT) >> 16 == ibs_fetch_max_cnt(ctl);
    }
    hardware_found(hardware, same == step->samples, "equal in %u of %u samples", same, step->samples);
}

void hardware_ask_curcnt_shortens(struct hardware *hardware)
{
    const struct hardware_step *fixed, *random;
    uint64_t one, other;

    if (!has_cur_cnt(hardware))
        return;
    fixed = hardware_step(hardware, STEP_OP_FIXED);
    random = fixed ? hardware_step(hardware, STEP_OP_RANDOM) : NULL;
    if (!random)
        return;
    one = hardware_samples(fixed, SAMPLE_OP);
    other = hardware_samples(random, SAMPLE_OP);
    if (hardware_enough(hardware, one))
        hardware_found(hardware, between(other, one, 920, 1080),
                       "%lu samples with random intervals, %lu with fixed ones", other, one);
}

void hardware_ask_rip_invalid(struct hardware *hardware)
{
    uint64_t all, some;

    if (!hardware_step(hardware, STEP_OP_FIXED))
        return;
    some = over_all(hardware, IBS_OP_DATA, IBS_OP_RIP_INVALID, &all);
    if (hardware_enough(hardware, all))
        hardware_found(hardware, !some, "in %lu of %lu samples", some, all);
}

/* Answers by the samples, and by the MTRRs if they are known. */
void hardware_ask_arena_write_back(struct hardware *hardware)
{
    const struct paging_plan *paging = &hardware->place.paging;
    enum memory_type type;
    uint64_t all, uncached, combined;

    if (!hardware_step(hardware, STEP_OP_CYCLES))
        return;
    type = memory_type_of(&hardware->run->machine->silicon, paging->physical, paging->size, PAT_FIRST);
    uncached = over_all(hardware, IBS_OP_DATA3, IBS_DC_UC_MEM_ACC, &all);
    combined = over_all(hardware, IBS_OP_DATA3, IBS_DC_WC_MEM_ACC, &all);
    if (hardware_enough(hardware, all))
        hardware_found(hardware, !uncached && !combined && (type == MEMORY_WB || type == MEMORY_UNKNOWN),
                       "memory type %s; of %lu ops F20D counts %lu, F20E %lu", memory_type_name(type), all, uncached,
                       combined);
}
