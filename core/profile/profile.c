/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/profile.h"

#include "core/base/mem.h"
#include "core/family/ibs_regs.h"

size_t profile_memory_size(const struct codemap *map)
{
    return map->insn_count * DERIVED_COUNT * sizeof(uint64_t) + levels_memory_size(map);
}

bool profile_init(struct profile *profile, const struct codemap *map, uint64_t image_base,
                  const struct derived_set *set, void *memory, size_t size)
{
    if (size < profile_memory_size(map) || (uintptr_t)memory % 8)
        return false;
    memset(profile, 0, sizeof(*profile));
    memset(memory, 0, size);
    profile->map = map;
    profile->image_base = image_base;
    profile->set = set;
    profile->rows = memory;
    levels_init(&profile->levels, map, profile->rows + (size_t)map->insn_count * DERIVED_COUNT);
    return true;
}

int32_t profile_find(const struct profile *profile, const struct sample_record *record)
{
    /* Addresses below the image wrap around to huge ones, which are outside of the map too. */
    return codemap_find(profile->map, ibs_canonical(sample_address(record)) - profile->image_base);
}

void profile_by_core(struct profile *profile, struct profile_sums *core, uint32_t cores)
{
    profile->core = core;
    profile->cores = cores;
}

void profile_sums_add(struct profile_sums *sum, const struct profile_sums *sums)
{
    for (int i = 0; i < DERIVED_COUNT; i++)
        sum->total[i] += sums->total[i];
    for (int far = 0; far < 2; far++)
        sum->dram_cycles[far] += sums->dram_cycles[far];
}

/* Adds a load's latency, which is in F24B or F24C, whoever served it. */
static void add_to_core(struct profile_sums *core, const uint64_t sample[DERIVED_COUNT])
{
    for (int i = 0; i < DERIVED_COUNT; i++)
        core->total[i] += sample[i];
    core->dram_cycles[0] += sample[DERIVED_F245_NB_LOCAL_DRAM] * sample[DERIVED_F24B_NB_LOCAL_LATENCY];
    core->dram_cycles[1] += sample[DERIVED_F246_NB_REMOTE_DRAM] * sample[DERIVED_F24C_NB_REMOTE_LATENCY];
}

/* Returns false for an op whose IbsOpRip is not valid (IbsRipInvalid, where the processor has the bit). */
static bool has_address(const struct profile *profile, const struct sample_record *record)
{
    return record->kind != SAMPLE_OP ||
           !(record->reg[IBS_OP_DATA] & profile->set->machine.bits[SAMPLE_OP][IBS_OP_DATA] & IBS_OP_RIP_INVALID);
}

void profile_add(struct profile *profile, const struct sample_record *record)
{
    uint64_t sample[DERIVED_COUNT] = {0};
    uint64_t *row;
    int32_t insn;

    if (record->kind != SAMPLE_FETCH && record->kind != SAMPLE_OP) {
        profile->unknown_records += record->kind >= SAMPLE_KINDS;
        return;
    }
    insn = has_address(profile, record) ? profile_find(profile, record) : -1;
    row = insn < 0 ? profile->outside : &profile->rows[(size_t)insn * DERIVED_COUNT];
    profile->records[record->kind]++;
    if (insn < 0)
        profile->outside_records[record->kind]++;
    derived_add(profile->set, sample, record);
    for (int i = 0; i < DERIVED_COUNT; i++) {
        profile->total[i] += sample[i];
        row[i] += sample[i];
    }
    if (record->cpu < profile->cores)
        add_to_core(&profile->core[record->cpu], sample);
}

const uint64_t *profile_row(const struct profile *profile, uint32_t insn)
{
    return &profile->rows[(size_t)insn * DERIVED_COUNT];
}

bool profile_empty(const struct profile *profile, uint32_t insn)
{
    const uint64_t *row = profile_row(profile, insn);

    return !row[DERIVED_F000_FETCH_ALL] && !row[DERIVED_F100_OP_ALL];
}

uint32_t profile_level_of(const struct profile *profile, enum profile_level level, uint32_t insn)
{
    return levels_of(&profile->levels, level, insn);
}

void profile_sum(const struct profile *profile, enum profile_level level, uint32_t index,
                 uint64_t counts[DERIVED_COUNT])
{
    if (level == PROFILE_INSTRUCTIONS) {
        memcpy(counts, profile_row(profile, index), DERIVED_COUNT * sizeof(counts[0]));
        return;
    }
    memset(counts, 0, DERIVED_COUNT * sizeof(counts[0]));
    for (uint32_t i = levels_first(&profile->levels, level, index); i != LEVELS_END;
         i = levels_next(&profile->levels, level, i)) {
        const uint64_t *row = profile_row(profile, i);

        if (profile_empty(profile, i)) /* most are */
            continue;
        for (int event = 0; event < DERIVED_COUNT; event++)
            counts[event] += row[event];
    }
}
