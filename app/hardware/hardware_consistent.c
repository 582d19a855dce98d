/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions on whether a sample's fields agree with each other (core/hardware/hardware_zen_rows.h). */
#include "app/hardware/hardware.h"

#include "core/family/ibs_regs.h"
#include "drivers/cpu/cpu.h"

#define LEAF_SIZES 0x80000008u /* EAX[7:0]: bits of a physical address (AMD APM vol. 3) */

enum { PAGE_OFFSET = 0xFFF };

/* A rule for each sample: if bits of 'some' are set, so is one of 'then'. */
struct rule {
    uint8_t kind, reg;
    bool raw; /* includes bits without meaning: the question is whether they are clear */
    uint64_t some, then;
    const char *text;
};

struct agreed {
    uint64_t all, wrong;
};

/* Judges whether a sample is covered, and whether it is wrong. */
typedef struct agreed judge_agreed(const struct sample_record *record, const uint64_t *valid, const void *argument);

static struct agreed count_step(const struct hardware *hardware, const struct hardware_step *step, judge_agreed *judge,
                                const void *argument)
{
    const struct ibs_machine machine = hardware_ibs(hardware);
    struct agreed sum = {0};

    for (uint32_t n = 0; step->good && n < step->samples; n++) {
        uint64_t valid[IBS_RECORD_REGS];
        struct agreed one;

        if (!sample_is_ibs(step->records[n].kind)) /* of a counter or the timer: no fields */
            continue;
        ibs_valid_bits(&machine, &step->records[n], valid);
        one = judge(&step->records[n], valid, argument);
        sum.all += one.all;
        sum.wrong += one.all && one.wrong;
    }
    return sum;
}

/* Judges all samples of all completed steps. */
static void over_all(struct hardware *hardware, judge_agreed *judge, const void *argument, const char *text)
{
    struct agreed sum = {0};

    for (unsigned i = 0; i < STEPS; i++) {
        struct agreed step = count_step(hardware, &hardware->step[i], judge, argument);

        sum.all += step.all;
        sum.wrong += step.wrong;
    }
    if (hardware_enough(hardware, sum.all))
        hardware_found(hardware, !sum.wrong, "%lu of %lu %s", sum.wrong, sum.all, text);
}

static struct agreed breaks(const struct sample_record *record, const uint64_t *valid, const void *argument)
{
    const struct rule *rule = argument;
    uint64_t reg;

    if (record->kind != rule->kind)
        return (struct agreed){0};
    reg = record->reg[rule->reg] & (rule->raw ? ~0ull : valid[rule->reg]);
    return (struct agreed){(reg & rule->some) != 0, !(reg & rule->then)};
}

#define RULE(id, kind_, reg_, raw_, some_, then_, text_)                                                               \
    void hardware_ask_##id(struct hardware *hardware)                                                                  \
    {                                                                                                                  \
        static const struct rule rule = {kind_, reg_, raw_, some_, then_, text_};                                      \
        over_all(hardware, breaks, &rule, rule.text);                                                                  \
    }

/* Rules that need more samples than other steps have: their own step runs first. */
#define RULE_OF(id, step, kind_, reg_, raw_, some_, then_, text_)                                                      \
    void hardware_ask_##id(struct hardware *hardware)                                                                  \
    {                                                                                                                  \
        static const struct rule rule = {kind_, reg_, raw_, some_, then_, text_};                                      \
        if (hardware_step(hardware, step))                                                                             \
            over_all(hardware, breaks, &rule, rule.text);                                                              \
    }

RULE(branch_bits_of_branches, SAMPLE_OP, IBS_OP_DATA, true, IBS_OP_RETURN | IBS_OP_BRN_TAKEN | IBS_OP_BRN_MISP,
     IBS_OP_BRN_RET, "samples with bits of branches lack IbsOpBrnRet")
RULE(returns_are_taken, SAMPLE_OP, IBS_OP_DATA, false, IBS_OP_RETURN, IBS_OP_BRN_TAKEN, "returns were not taken")
RULE(linear_of_physical, SAMPLE_OP, IBS_OP_DATA3, true, IBS_DC_PHY_ADDR_VALID, IBS_DC_LIN_ADDR_VALID,
     "samples have only a physical address")
RULE(accesses_have_addresses, SAMPLE_OP, IBS_OP_DATA3, true, IBS_LD_OP | IBS_ST_OP, IBS_DC_LIN_ADDR_VALID,
     "loads and stores have no linear address")
RULE(addresses_of_accesses, SAMPLE_OP, IBS_OP_DATA3, true, IBS_DC_LIN_ADDR_VALID, IBS_LD_OP | IBS_ST_OP,
     "samples with an address are neither load nor store")
RULE_OF(walks_miss_first, STEP_OP_WALKS, SAMPLE_OP, IBS_OP_DATA3, true, IBS_DC_L2TLB_MISS, IBS_DC_L1TLB_MISS,
        "samples with IbsDcL2TlbMiss lack IbsDcL1TlbMiss")
RULE(l2_misses_miss_first, SAMPLE_OP, IBS_OP_DATA3, false, IBS_DC_L2_MISS, IBS_DC_MISS,
     "samples with IbsL2Miss lack IbsDcMiss")
RULE(fetches_have_addresses, SAMPLE_FETCH, IBS_FETCH_CTL, true, IBS_FETCH_COMP, IBS_FETCH_PHY_VALID,
     "completed fetches have no physical address")

RULE_OF(open_requests_of_misses, STEP_OP_STREAM, SAMPLE_OP, IBS_OP_DATA3, false, IBS_DC_OPEN, IBS_DC_MISS,
        "samples with open requests are not misses")
RULE(width_of_accesses, SAMPLE_OP, IBS_OP_DATA3, false, IBS_LD_OP | IBS_ST_OP, IBS_DC_WIDTH,
     "loads and stores have no width")

static struct agreed counts_backwards(const struct sample_record *record, const uint64_t *valid, const void *argument)
{
    uint64_t data = record->reg[IBS_OP_DATA];

    return (struct agreed){record->kind == SAMPLE_OP, (data & IBS_OP_COMP_TO_RET) > (data & IBS_OP_TAG_TO_RET) >> 16};
}

void hardware_ask_counts_in_order(struct hardware *hardware)
{
    over_all(hardware, counts_backwards, NULL, "samples completed before they were tagged");
}

static struct agreed has_no_target(const struct sample_record *record, const uint64_t *valid, const void *argument)
{
    uint64_t taken = IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN;

    return (struct agreed){record->kind == SAMPLE_OP && (record->reg[IBS_OP_DATA] & taken) == taken,
                           !record->reg[IBS_OP_BRTARGET]};
}

void hardware_ask_targets_of_taken(struct hardware *hardware)
{
    over_all(hardware, has_no_target, NULL, "taken branches have no target");
}

static struct agreed op_offsets_differ(const struct sample_record *record, const uint64_t *valid, const void *argument)
{
    uint64_t both = IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID;

    return (struct agreed){record->kind == SAMPLE_OP && (record->reg[IBS_OP_DATA3] & both) == both,
                           ((record->reg[IBS_OP_DCLINAD] ^ record->reg[IBS_OP_DCPHYSAD]) & PAGE_OFFSET) != 0};
}

void hardware_ask_offsets_of_data(struct hardware *hardware)
{
    over_all(hardware, op_offsets_differ, NULL, "pairs of addresses differ within the page");
}

static struct agreed fetch_offsets_differ(const struct sample_record *record, const uint64_t *valid,
                                          const void *argument)
{
    return (struct agreed){record->kind == SAMPLE_FETCH && (record->reg[IBS_FETCH_CTL] & IBS_FETCH_PHY_VALID),
                           ((record->reg[IBS_FETCH_LINAD] ^ record->reg[IBS_FETCH_PHYSAD]) & PAGE_OFFSET) != 0};
}

void hardware_ask_offsets_of_code(struct hardware *hardware)
{
    over_all(hardware, fetch_offsets_differ, NULL, "pairs of addresses differ within the page");
}

static bool hits(const struct sample_record *record)
{
    return record->kind == SAMPLE_OP && (record->reg[IBS_OP_DATA3] & IBS_LD_OP) &&
           !(record->reg[IBS_OP_DATA3] & IBS_DC_MISS);
}

static struct agreed has_latency(const struct sample_record *record, const uint64_t *valid, const void *argument)
{
    return (struct agreed){hits(record), (record->reg[IBS_OP_DATA3] & IBS_DC_MISS_LAT) != 0};
}

void hardware_ask_latency_of_hits(struct hardware *hardware)
{
    over_all(hardware, has_latency, NULL, "loads that hit have a latency");
}

static bool missed(const struct sample_record *record)
{
    uint64_t load = IBS_LD_OP | IBS_DC_MISS;

    return record->kind == SAMPLE_OP && (record->reg[IBS_OP_DATA3] & load) == load;
}

static struct agreed has_no_latency(const struct sample_record *record, const uint64_t *valid, const void *argument)
{
    return (struct agreed){missed(record), !(record->reg[IBS_OP_DATA3] & IBS_DC_MISS_LAT)};
}

void hardware_ask_latency_of_misses(struct hardware *hardware)
{
    over_all(hardware, has_no_latency, NULL, "loads that missed have no latency");
}

static struct agreed has_no_address(const struct sample_record *record, const uint64_t *valid, const void *argument)
{
    return (struct agreed){missed(record), !(record->reg[IBS_OP_DATA3] & IBS_DC_PHY_ADDR_VALID)};
}

void hardware_ask_address_of_misses(struct hardware *hardware)
{
    over_all(hardware, has_no_address, NULL, "loads that missed have no physical address");
}

/* An address in a record, valid if one of the bits is set; 0: valid in every sample. */
struct address {
    uint8_t kind, reg, there;
    uint64_t bits;
    uint64_t unused; /* bits that must be clear */
};

static struct agreed is_beyond(const struct sample_record *record, const uint64_t *valid, const void *argument)
{
    const struct address *address = argument;
    bool there = !address->bits || record->reg[address->there] & address->bits;

    return (struct agreed){record->kind == address->kind && there, (record->reg[address->reg] & address->unused) != 0};
}

static void within_physical(struct hardware *hardware, struct address address)
{
    struct cpu_cpuid r;

    cpu_cpuid(LEAF_SIZES, 0, &r);
    address.unused = ~0ull << (r.eax & 0x3F);
    over_all(hardware, is_beyond, &address, "physical addresses are beyond CPUID's bits");
}

void hardware_ask_physical_data(struct hardware *hardware)
{
    within_physical(hardware, (struct address){SAMPLE_OP, IBS_OP_DCPHYSAD, IBS_OP_DATA3, IBS_DC_PHY_ADDR_VALID, 0});
}

void hardware_ask_physical_fetches(struct hardware *hardware)
{
    within_physical(hardware, (struct address){SAMPLE_FETCH, IBS_FETCH_PHYSAD, IBS_FETCH_CTL, IBS_FETCH_PHY_VALID, 0});
}

static struct agreed is_no_address(const struct sample_record *record, const uint64_t *valid, const void *argument)
{
    const struct address *address = argument;
    bool there = !address->bits || record->reg[address->there] & address->bits;
    uint64_t upper = record->reg[address->reg] >> 47;

    return (struct agreed){record->kind == address->kind && there, upper && upper != 0x1FFFF};
}

#define CANONICAL(id, ...)                                                                                             \
    void hardware_ask_##id(struct hardware *hardware)                                                                  \
    {                                                                                                                  \
        static const struct address address = {__VA_ARGS__};                                                           \
        over_all(hardware, is_no_address, &address, "addresses are not canonical");                                    \
    }

CANONICAL(canonical_data, SAMPLE_OP, IBS_OP_DCLINAD, IBS_OP_DATA3, IBS_DC_LIN_ADDR_VALID, 0)
CANONICAL(canonical_fetches, SAMPLE_FETCH, IBS_FETCH_LINAD, IBS_FETCH_CTL, 0, 0)
CANONICAL(canonical_ops, SAMPLE_OP, IBS_OP_RIP, IBS_OP_DATA, 0, 0)

/* Levels of memory that answer a load; before Zen 4 a near cache may be the L3 or another core's. */
enum level { LEVEL_L2, LEVEL_L3, LEVEL_MEMORY, LEVELS, LEVEL_NONE = LEVELS };

static enum level level_of(const struct ibs_machine *machine, const struct sample_record *record)
{
    uint64_t valid[IBS_RECORD_REGS], load = IBS_LD_OP | IBS_DC_MISS;
    enum ibs_source source = IBS_SOURCE_NONE;

    if (record->kind != SAMPLE_OP || (record->reg[IBS_OP_DATA3] & load) != load)
        return LEVEL_NONE;
    ibs_valid_bits(machine, record, valid);
    if (record->reg[IBS_OP_DATA2] & valid[IBS_OP_DATA2])
        source = ibs_source_of(machine, record->reg[IBS_OP_DATA2] & valid[IBS_OP_DATA2]);
    if (source == IBS_SOURCE_NONE)
        return LEVEL_L2;
    if (source == IBS_SOURCE_L3 || source == IBS_SOURCE_NEAR)
        return LEVEL_L3;
    return source == IBS_SOURCE_DRAM ? LEVEL_MEMORY : LEVEL_NONE;
}

struct by_level {
    uint64_t loads[LEVELS + 1], cycles[LEVELS + 1];
};

static void add_step(struct by_level *levels, const struct ibs_machine *machine, const struct hardware_step *step)
{
    for (uint32_t n = 0; n < step->samples; n++) {
        enum level level = level_of(machine, &step->records[n]);

        levels->loads[level]++;
        levels->cycles[level] += (step->records[n].reg[IBS_OP_DATA3] & IBS_DC_MISS_LAT) >> 32;
    }
}

/* Answers whether at least 'least' in ten loads from beyond the L2 are from this level. */
static void mostly_from(struct hardware *hardware, enum hardware_steps which, enum level level, unsigned least)
{
    const struct hardware_step *step = hardware_step(hardware, which);
    const struct ibs_machine machine = hardware_ibs(hardware);
    struct by_level levels = {0};
    uint64_t beyond;

    if (!step)
        return;
    add_step(&levels, &machine, step);
    beyond = levels.loads[LEVEL_L3] + levels.loads[LEVEL_MEMORY];
    if (hardware_enough(hardware, beyond))
        hardware_found(hardware, levels.loads[level] * 10 >= beyond * least, "%lu of %lu loads that missed the L2",
                       levels.loads[level], beyond);
}

void hardware_ask_source_of_l3(struct hardware *hardware)
{
    mostly_from(hardware, STEP_OP_L3, LEVEL_L3, 9);
}

void hardware_ask_source_of_memory(struct hardware *hardware)
{
    mostly_from(hardware, STEP_OP_DRAM, LEVEL_MEMORY, 3);
}

void hardware_ask_latencies_rise(struct hardware *hardware)
{
    static const enum hardware_steps which[] = {STEP_OP_L2, STEP_OP_L3, STEP_OP_DRAM};
    const struct ibs_machine machine = hardware_ibs(hardware);
    struct by_level levels = {0};
    uint64_t mean[LEVELS];

    for (unsigned i = 0; i < LEVELS; i++) {
        const struct hardware_step *step = hardware_step(hardware, which[i]);

        if (!step)
            return;
        add_step(&levels, &machine, step);
    }
    for (unsigned i = 0; i < LEVELS; i++) {
        if (!hardware_enough(hardware, levels.loads[i]))
            return;
        mean[i] = levels.cycles[i] / levels.loads[i];
    }
    hardware_found(hardware, mean[LEVEL_L2] < mean[LEVEL_L3] && mean[LEVEL_L3] < mean[LEVEL_MEMORY],
                   "on average %lu, %lu, %lu cycles", mean[LEVEL_L2], mean[LEVEL_L3], mean[LEVEL_MEMORY]);
}
