#include "core/profile.h"

#include "core/ibs_regs.h"
#include "core/mem.h"

size_t profile_memory_size(const struct codemap *map)
{
    return map->insn_count * DERIVED_COUNT * sizeof(uint64_t) + levels_memory_size(map);
}

bool profile_init(struct profile *profile, const struct codemap *map, uint64_t image_base, void *memory, size_t size)
{
    if (size < profile_memory_size(map) || (uintptr_t)memory % 8)
        return false;
    memset(profile, 0, sizeof(*profile));
    memset(memory, 0, size);
    profile->map = map;
    profile->image_base = image_base;
    profile->rows = memory;
    levels_init(&profile->levels, map, profile->rows + (size_t)map->insn_count * DERIVED_COUNT);
    return true;
}

int32_t profile_find(const struct profile *profile, const struct sample_record *record)
{
    uint64_t address = record->kind == SAMPLE_FETCH ? record->reg[IBS_FETCH_LINAD] : record->reg[IBS_OP_RIP];

    /* Addresses below the image wrap around to huge ones, which are outside of the map too. */
    return codemap_find(profile->map, ibs_canonical(address) - profile->image_base);
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
    insn = profile_find(profile, record);
    row = insn < 0 ? profile->outside : &profile->rows[(size_t)insn * DERIVED_COUNT];
    profile->records[record->kind]++;
    if (insn < 0)
        profile->outside_records[record->kind]++;
    derived_add(sample, record);
    for (int i = 0; i < DERIVED_COUNT; i++) {
        profile->total[i] += sample[i];
        row[i] += sample[i];
    }
}

const uint64_t *profile_row(const struct profile *profile, uint32_t insn)
{
    return &profile->rows[(size_t)insn * DERIVED_COUNT];
}

uint32_t profile_level_count(const struct profile *profile, enum profile_level level)
{
    return levels_count(&profile->levels, level);
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

        for (int event = 0; event < DERIVED_COUNT; event++)
            counts[event] += row[event];
    }
}
