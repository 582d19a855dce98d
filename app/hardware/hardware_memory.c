/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about caches, TLBs and memory (core/hardware/hardware_memory_rows.h). */
#include "app/hardware/hardware.h"

#include "core/family/ibs_regs.h"
#include "drivers/cpu/cpu.h"

enum { LEVELS = 4 };

/* Computes the cycles of each hop of a walk, in thousandths. Returns false after hardware_cannot(). */
static bool hops(struct hardware *hardware, uint64_t cycles[LEVELS])
{
    static const enum hardware_steps steps[LEVELS] = {STEP_HOP_L1, STEP_HOP_L2, STEP_HOP_L3, STEP_HOP_DRAM};

    for (unsigned i = 0; i < LEVELS; i++) {
        const struct hardware_step *step = hardware_counted(hardware, steps[i]);

        if (!step)
            return false;
        cycles[i] = hardware_net(step, 0) * 1000 / hardware_param(step, "hops");
    }
    return true;
}

void hardware_ask_hop_cycles(struct hardware *hardware)
{
    /* Data larger than the L3 come from memory. */
    bool fits = hardware->run->machine->l3_kb >= hardware_param(&hardware->step[STEP_HOP_L3], "kb");
    uint64_t c[LEVELS];

    if (hops(hardware, c))
        hardware_found(hardware,
                       between(c[0], 1000, 2900, 3500) && between(c[1], 1000, 12000, 18000) &&
                           between(c[2], 1000, 45000, fits ? 65000 : 90000) && between(c[3], 1000, 100000, 250000),
                       "cycles per hop: L1 %s, L2 %s, L3 %s, memory %s", figure(c[0], 1000, 1).text,
                       figure(c[1], 1000, 1).text, figure(c[2], 1000, 1).text, figure(c[3], 1000, 1).text);
}

/* Answers whether each constant is within a third. */
void hardware_ask_explore_constants(struct hardware *hardware)
{
    uint64_t c[LEVELS];

    if (hops(hardware, c))
        hardware_found(hardware,
                       between(c[1], 15, 667000, 1333000) && between(c[2], 55, 667000, 1333000) &&
                           between(c[3], 140, 667000, 1333000),
                       "L2 %s, L3 %s, memory %s", figure(c[1], 1000, 1).text, figure(c[2], 1000, 1).text,
                       figure(c[3], 1000, 1).text);
}

void hardware_ask_misslat_medians(struct hardware *hardware)
{
    const struct hardware_step *l2 = hardware_step(hardware, STEP_OP_L2);
    const struct hardware_step *l3 = l2 ? hardware_step(hardware, STEP_OP_L3) : NULL;
    const struct hardware_step *dram = l3 ? hardware_step(hardware, STEP_OP_DRAM) : NULL;
    uint32_t a, b, c;

    if (!dram)
        return;
    a = hardware_miss_latency(l2);
    b = hardware_miss_latency(l3);
    c = hardware_miss_latency(dram);
    if (!a || !b || !c)
        hardware_cannot(hardware, "too few loads that missed");
    else
        hardware_found(hardware, between(a, 12, 800, 1250) && between(b, 52, 800, 1250) && between(c, 162, 600, 1600),
                       "median DcMissLat: L2 %u, L3 %u, memory %u", a, b, c);
}

/* Returns a / b in thousandths. */
static uint64_t thousandths(uint64_t a, uint64_t b)
{
    return b ? a * 1000 / b : 0;
}

void hardware_ask_l1d_index(struct hardware *hardware)
{
    const struct hardware_step *one = hardware_counted(hardware, STEP_INDEX_CONTIGUOUS);
    const struct hardware_step *two = one ? hardware_counted(hardware, STEP_INDEX_SHUFFLED) : NULL;
    uint64_t a, b;

    if (!two)
        return;
    a = thousandths(hardware_net(one, 0), hardware_net(one, 1));
    b = thousandths(hardware_net(two, 0), hardware_net(two, 1));
    hardware_found(hardware, b > 2 * a + 20, "041h of 1000 accesses: %lu contiguous, %lu shuffled", a, b);
}

/* Answers by IBS samples without northbridge status, and by counts of refills from the L2. */
void hardware_ask_source_l2(struct hardware *hardware)
{
    const struct hardware_step *ibs = hardware_step(hardware, STEP_OP_L2);
    const struct hardware_step *count = ibs ? hardware_counted(hardware, STEP_HOP_L2) : NULL;
    uint64_t misses = 0, without = 0, a, b;

    if (!count)
        return;
    for (uint32_t i = 0; i < ibs->samples; i++) {
        const uint64_t *reg = ibs->records[i].reg;
        uint64_t load = IBS_LD_OP | IBS_DC_MISS;

        if (ibs->records[i].kind != SAMPLE_OP || (reg[IBS_OP_DATA3] & load) != load ||
            (reg[IBS_OP_DATA3] & IBS_DC_MAB_HIT))
            continue;
        misses++;
        without += ibs_nb_req_src(reg[IBS_OP_DATA2]) == IBS_NB_NONE;
    }
    a = thousandths(without, misses);
    b = thousandths(hardware_net(count, 1), hardware_net(count, 2));
    if (hardware_enough(hardware, misses))
        hardware_found(hardware, a <= b + 60 && b <= a + 60, "of 1000 misses: %lu by IBS, %lu by 042h:1E", a, b);
}

void hardware_ask_banks(struct hardware *hardware)
{
    static const enum hardware_steps steps[] = {STEP_OP_BANK_8, STEP_OP_BANK_16, STEP_OP_BANK_32, STEP_OP_BANK_64,
                                                STEP_OP_BANK_128};
    uint64_t share[5], stores = 0, loads;

    for (unsigned i = 0; i < 5; i++) {
        const struct hardware_step *step = hardware_step(hardware, steps[i]);

        if (!step)
            return;
        loads = hardware_share(step, DERIVED_F201_LOAD);
        if (!hardware_enough(hardware, loads))
            return;
        share[i] = thousandths(hardware_share(step, DERIVED_F209_BANK_CONFLICT_LOAD), loads);
        stores += hardware_share(step, DERIVED_F20A_BANK_CONFLICT_STORE);
    }
    hardware_found(hardware,
                   share[0] < 50 && share[1] < 50 && share[2] < 50 && between(share[3], 1000, 350, 650) &&
                       between(share[4], 1000, 350, 650) && !stores,
                   "F209 of 1000 loads: %lu, %lu, %lu, %lu, %lu at 8, 16, 32, 64, 128; F20A %lu", share[0], share[1],
                   share[2], share[3], share[4], stores);
}

void hardware_ask_streaming_stores(struct hardware *hardware)
{
    const struct hardware_step *cached = hardware_counted(hardware, STEP_WRITE);
    const struct hardware_step *streaming = cached ? hardware_counted(hardware, STEP_WRITE_STREAMING) : NULL;

    if (streaming)
        hardware_found(hardware, hardware_net(streaming, 0) * 20 < hardware_net(cached, 0),
                       "040h %lu through the caches, %lu streaming", hardware_net(cached, 0),
                       hardware_net(streaming, 0));
}

void hardware_ask_forward_reasons(struct hardware *hardware)
{
    const struct hardware_step *reasons = hardware_counted(hardware, STEP_FORWARD);
    const struct hardware_step *accesses = reasons ? hardware_counted(hardware, STEP_FORWARD_040) : NULL;
    uint64_t sum, iterations;

    if (!accesses)
        return;
    iterations = hardware_param(accesses, "iterations");
    sum = hardware_net(reasons, 0) + hardware_net(reasons, 1) + hardware_net(reasons, 2);
    hardware_found(
        hardware,
        between(sum, hardware_net(reasons, 3), 990, 1010) && between(hardware_net(accesses, 0), iterations, 1900, 2300),
        "02Ah %lu + %lu + %lu, 07 %lu; 040h %s per pass", hardware_net(reasons, 0), hardware_net(reasons, 1),
        hardware_net(reasons, 2), hardware_net(reasons, 3), figure(hardware_net(accesses, 0), iterations, 2).text);
}

/* Counts 045h and 046h for 1000 hops. */
static bool reach(struct hardware *hardware, enum hardware_steps which, uint64_t *hits, uint64_t *walks)
{
    const struct hardware_step *step = hardware_counted(hardware, which);
    uint32_t n = step ? hardware_param(step, "hops") : 1;

    if (step) {
        *hits = thousandths(hardware_net(step, 1), n);
        *walks = thousandths(hardware_net(step, 2), n);
    }
    return step;
}

void hardware_ask_tlb_steps(struct hardware *hardware)
{
    static const enum hardware_steps steps[] = {STEP_REACH_48, STEP_REACH_49, STEP_REACH_512, STEP_REACH_576,
                                                STEP_REACH_640};
    bool random = hardware->run->machine->revision == 'B';
    uint64_t hits[5], walks[5];

    for (unsigned i = 0; i < 5; i++)
        if (!reach(hardware, steps[i], &hits[i], &walks[i]))
            return;
    /* Random replacement (revision B) keeps some entries of a circle that does not fit. */
    hardware_found(hardware,
                   hits[0] < 100 && hits[1] > 800 && walks[2] < 300 && walks[3] > walks[2] + (random ? 100 : 200) &&
                       walks[4] > (random ? 450 : 900),
                   "in 1000 hops 045h %lu, %lu at 48, 49; 046h %lu, %lu, %lu at 512, 576, 640", hits[0], hits[1],
                   walks[2], walks[3], walks[4]);
}

void hardware_ask_l2_dtlb_replacement(struct hardware *hardware)
{
    uint64_t hits, walks;
    bool random = hardware->run->machine->revision == 'B';

    if (!reach(hardware, STEP_REACH_640, &hits, &walks))
        return;
    hardware_found(hardware, (walks > 950) != random, "046h %lu in 1000 hops at 640 pages", walks);
}

void hardware_ask_prefetch_stride(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_STRIDE_128);
    uint64_t share;

    if (!step)
        return;
    share = thousandths(hardware_net(step, 0), hardware_net(step, 1));
    hardware_found(hardware, share > 900, "%lu misses in 1000 accesses", share);
}

void hardware_ask_walk_through_l2(struct hardware *hardware)
{
    const struct hardware_step *small = hardware_counted(hardware, STEP_REACH_2048);
    const struct hardware_step *large = small ? hardware_counted(hardware, STEP_REACH_2048_LARGE) : NULL;
    uint64_t more, walks;

    if (!large)
        return;
    more = hardware_net(small, 0) > hardware_net(large, 0) ? hardware_net(small, 0) - hardware_net(large, 0) : 0;
    walks = hardware_net(small, 2);
    hardware_found(hardware, between(more, walks, 10000, 60000), "%s additional cycles for each of %lu walks",
                   figure(more, walks, 1).text, walks);
}

void hardware_ask_l3_present(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_L3);
    const struct ibs_machine machine = hardware_ibs(hardware);
    struct cpu_cpuid r;
    uint64_t served = 0, all = 0;

    if (!step)
        return;
    cpu_cpuid(0x80000006, 0, &r);
    for (uint32_t i = 0; i < step->samples; i++) {
        enum ibs_source source = ibs_source_of(&machine, hardware_data2(&machine, step, i));

        all += source != IBS_SOURCE_NONE && source != IBS_SOURCE_RESERVED;
        served += source == IBS_SOURCE_L3 || source == IBS_SOURCE_NEAR;
    }
    if (!(r.edx >> 18) || hardware_enough(hardware, all))
        hardware_found(hardware, r.edx >> 18 && served * 2 > all, "%u units of 512 KB; the L3 served %lu of %lu loads",
                       r.edx >> 18, served, all);
}
