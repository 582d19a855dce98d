/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/access.h"

#include <stdlib.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/profile_count.h"

enum { HOPS = 7 }; /* mask */

const char *access_answer_name(enum access_answer answer)
{
    static const char *const names[ANSWERS] = {
        [ANSWER_L1] = "L1",
        [ANSWER_BUFFER] = "a miss under way",
        [ANSWER_L2] = "L2",
        [ANSWER_L3] = "L3",
        [ANSWER_NEAR] = "L3 or another core's cache",
        [ANSWER_CACHE] = "another core's cache",
        [ANSWER_REMOTE_CACHE] = "another node's cache",
        [ANSWER_DRAM] = "DRAM",
        [ANSWER_REMOTE_DRAM] = "another node's DRAM",
        [ANSWER_OTHER] = "elsewhere",
    };

    return names[answer];
}

static bool is_remote(uint64_t word)
{
    return word >> PERFDATA_MEM_REMOTE & 1;
}

static bool snooped(uint64_t word, unsigned snoop)
{
    return word >> PERFDATA_MEM_SNOOP & snoop;
}

/* Returns whose cache answered: another core's of this node with an L3 beside it, or one hop within the node (AMD);
 * otherwise another node's. */
static enum access_answer cache_of(uint64_t word)
{
    bool within = (word >> PERFDATA_MEM_HOPS & HOPS) == PERFDATA_MEM_HOPS_0;

    if (word >> PERFDATA_MEM_LVL & PERFDATA_MEM_LVL_L3)
        return snooped(word, PERFDATA_MEM_SNOOP_HIT | PERFDATA_MEM_SNOOP_HITM) ? ANSWER_CACHE : ANSWER_NEAR;
    return within ? ANSWER_CACHE : ANSWER_REMOTE_CACHE;
}

static enum access_answer answer_of(uint64_t word)
{
    uint64_t level = word >> PERFDATA_MEM_LVL;

    if (level & (PERFDATA_MEM_LVL_UNC | PERFDATA_MEM_LVL_IO))
        return ANSWER_OTHER;
    if (level & PERFDATA_MEM_LVL_L1)
        return ANSWER_L1;
    if (level & PERFDATA_MEM_LVL_LFB)
        return ANSWER_BUFFER;
    if (level & PERFDATA_MEM_LVL_L2)
        return ANSWER_L2;
    if (level & (PERFDATA_MEM_LVL_REM_CCE1 | PERFDATA_MEM_LVL_REM_CCE2))
        return cache_of(word);
    if (level & PERFDATA_MEM_LVL_L3)
        return snooped(word, PERFDATA_MEM_SNOOP_HITM) ? ANSWER_CACHE : ANSWER_L3;
    if (level & (PERFDATA_MEM_LVL_REM_RAM1 | PERFDATA_MEM_LVL_REM_RAM2))
        return ANSWER_REMOTE_DRAM;
    if (level & PERFDATA_MEM_LVL_LOC_RAM)
        return is_remote(word) ? ANSWER_REMOTE_DRAM : ANSWER_DRAM;
    return ANSWER_OTHER;
}

static void access_of_op(const struct run_profile *profile, const struct sample_record *record,
                         struct access *ret_access)
{
    uint64_t word = perfdata_data_src(&profile->set.machine, record), data3 = record->reg[IBS_OP_DATA3];

    *ret_access = (struct access){.addressed = data3 & IBS_DC_LIN_ADDR_VALID,
                                  .address = record->reg[IBS_OP_DCLINAD],
                                  .line = data3 & IBS_DC_PHY_ADDR_VALID ? record->reg[IBS_OP_DCPHYSAD] : 0,
                                  .answer = answer_of(word),
                                  .load = data3 & IBS_LD_OP,
                                  .modified = snooped(word, PERFDATA_MEM_SNOOP_HITM)};
    derived_add(&profile->set, ret_access->counts, record);
}

/* A decoded access, and the bits that decide everything except addresses and cycles: the upper half of IbsOpData with
 * the lower one of IbsOpData3, and IbsOpData2. */
struct decoded {
    uint64_t flags, data2;
    bool there;
    uint8_t cycle_count, cycles[DERIVED_COUNT]; /* events that add cycles */
    struct access access;
};

enum { DECODED = 256 };

struct accesses {
    const struct run_profile *profile;
    struct decoded decoded[DECODED]; /* by a hash */
};

struct accesses *accesses_make(const struct run_profile *profile)
{
    struct accesses *accesses = must_new(accesses);

    accesses->profile = profile;
    return accesses;
}

void accesses_free(struct accesses *accesses)
{
    free(accesses);
}

static void decode(struct decoded *decoded, const struct run_profile *profile, const uint8_t *registers)
{
    struct sample_record record = {.kind = SAMPLE_OP};
    uint8_t events[DERIVED_COUNT];
    unsigned count;

    __builtin_memcpy(record.reg, registers, IBS_OP_REGS * sizeof(record.reg[0]));
    access_of_op(profile, &record, &decoded->access);
    count = derived_find(&profile->set, &record, events);
    decoded->cycle_count = 0;
    for (unsigned i = 0; i < count; i++)
        if (derived_events[events[i]].unit == DERIVED_CYCLES)
            decoded->cycles[decoded->cycle_count++] = events[i];
    decoded->there = true;
}

const struct access *accesses_of_op(struct accesses *accesses, const uint8_t *registers)
{
    const struct perfdata_plain sample = {.registers = registers};
    uint64_t data3 = count_register(&sample, IBS_OP_DATA3), data2 = count_register(&sample, IBS_OP_DATA2);
    uint64_t flags = (count_register(&sample, IBS_OP_DATA) & ~(uint64_t)UINT32_MAX) | (uint32_t)data3;
    struct decoded *decoded = &accesses->decoded[table_hash(flags + data2 * 31) % DECODED];

    if (!decoded->there || decoded->flags != flags || decoded->data2 != data2) {
        decoded->flags = flags;
        decoded->data2 = data2;
        decode(decoded, accesses->profile, registers);
        return &decoded->access;
    }
    decoded->access.address = count_register(&sample, IBS_OP_DCLINAD);
    decoded->access.line = data3 & IBS_DC_PHY_ADDR_VALID ? count_register(&sample, IBS_OP_DCPHYSAD) : 0;
    for (unsigned i = 0; i < decoded->cycle_count; i++) {
        const struct derived_event *event = &derived_events[decoded->cycles[i]];

        decoded->access.counts[decoded->cycles[i]] =
            count_register(&sample, event->field_reg) >> event->field_shift & UINT16_MAX;
    }
    return &decoded->access;
}

static void count_translation(uint64_t word, uint64_t counts[DERIVED_COUNT])
{
    uint64_t tlb = word >> PERFDATA_MEM_TLB;

    if (tlb & PERFDATA_MEM_TLB_HIT)
        counts[tlb & PERFDATA_MEM_TLB_L1 ? DERIVED_F203_DTLB_L1_HIT : DERIVED_F204_DTLB_L1M_L2H] = 1;
    else if (tlb & PERFDATA_MEM_TLB_MISS)
        counts[DERIVED_F205_DTLB_L1M_L2M] = 1;
}

void access_of_word(const struct perfdata_item *item, struct access *ret_access)
{
    uint64_t word = item->data_src, *counts = ret_access->counts;
    bool load = word >> PERFDATA_MEM_OP & PERFDATA_MEM_OP_LOAD, missed;
    bool store = !load && word >> PERFDATA_MEM_OP & PERFDATA_MEM_OP_STORE;

    *ret_access = (struct access){.addressed = item->addr != 0,
                                  .address = item->addr,
                                  .line = item->phys_addr,
                                  .answer = answer_of(word),
                                  .load = load,
                                  .modified = load && snooped(word, PERFDATA_MEM_SNOOP_HITM)};
    if (!load && !store)
        return;
    missed = load ? ret_access->answer != ANSWER_L1 && ret_access->answer != ANSWER_OTHER
                  : word >> PERFDATA_MEM_LVL & PERFDATA_MEM_LVL_MISS;
    counts[DERIVED_F200_LOAD_STORE] = 1;
    counts[load ? DERIVED_F201_LOAD : DERIVED_F202_STORE] = 1;
    counts[DERIVED_F206_DC_MISS] = missed;
    counts[DERIVED_X200_LOAD_DC_MISS] = load && missed;
    counts[DERIVED_F219_DC_LOAD_LATENCY] = load && missed ? item->weight : 0;
    count_translation(word, counts);
}

bool access_is_by_word(const struct input_facts *facts)
{
    bool words = false;

    for (uint32_t i = 0; i < facts->event_count; i++) {
        if (facts->events[i].kind == SAMPLE_OP)
            return false;
        words |= facts->events[i].sample_type & PERFDATA_SAMPLE_DATA_SRC &&
                 facts->events[i].sample_type & PERFDATA_SAMPLE_ADDR;
    }
    return words;
}

bool access_is_counted(const struct run_profile *profile, const struct perfdata_plain *sample, bool by_word,
                       enum sample_kind kind, const struct core_nodes *nodes)
{
    const struct input_event *event;

    if (!core_sample_chosen(profile->only, nodes, profile->facts, sample->event, sample->cpu))
        return false;
    event = &profile->facts->events[sample->event];
    return by_word ? event->sample_type & PERFDATA_SAMPLE_DATA_SRC : event->kind == kind;
}
