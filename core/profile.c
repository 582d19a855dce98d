#include "core/profile.h"

#include "core/ibs_regs.h"
#include "core/mem.h"

/* The memory is laid out as rows (8-byte counters), lines, line_of: descending alignment, so nothing needs padding. */
_Static_assert(sizeof(struct profile_line) == 8, "line_of follows without padding");

size_t profile_memory_size(const struct codemap *map)
{
    size_t per_insn = DERIVED_COUNT * sizeof(uint64_t) + sizeof(struct profile_line) + sizeof(uint32_t);

    return (map->insn_count * per_insn + 7) & ~(size_t)7;
}

static bool line_before(const struct profile_line *a, const struct codemap_insn *b)
{
    return a->file != b->file ? a->file < b->file : a->line < b->line;
}

/* Where the instruction's line is in the sorted array, or has to go. */
static uint32_t line_place(const struct profile *profile, const struct codemap_insn *insn)
{
    uint32_t low = 0, high = profile->line_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (line_before(&profile->lines[middle], insn))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool line_is_at(const struct profile *profile, uint32_t place, const struct codemap_insn *insn)
{
    return place < profile->line_count && profile->lines[place].file == insn->file &&
           profile->lines[place].line == insn->line;
}

static void find_lines(struct profile *profile)
{
    const struct codemap *map = profile->map;

    profile->line_count = 0;
    for (uint32_t i = 0; i < map->insn_count; i++) {
        uint32_t place = line_place(profile, &map->insns[i]);

        if (line_is_at(profile, place, &map->insns[i]))
            continue;
        memmove(&profile->lines[place + 1], &profile->lines[place],
                (profile->line_count - place) * sizeof(profile->lines[0]));
        profile->lines[place] =
            (struct profile_line){.first = i, .file = map->insns[i].file, .line = map->insns[i].line};
        profile->line_count++;
    }
    for (uint32_t i = 0; i < map->insn_count; i++)
        profile->line_of[i] = line_place(profile, &map->insns[i]);
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
    profile->lines = (struct profile_line *)(profile->rows + (size_t)map->insn_count * DERIVED_COUNT);
    profile->line_of = (uint32_t *)(profile->lines + map->insn_count);
    find_lines(profile);
    return true;
}

int32_t profile_find(const struct profile *profile, const struct ibs_record *record)
{
    uint64_t address = record->kind == IBS_KIND_FETCH ? record->reg[IBS_FETCH_LINAD] : record->reg[IBS_OP_RIP];

    /* Addresses below the image wrap around to huge ones, which are outside of the map too. */
    return codemap_find(profile->map, ibs_canonical(address) - profile->image_base);
}

void profile_add(struct profile *profile, const struct ibs_record *record)
{
    uint64_t sample[DERIVED_COUNT] = {0};
    uint64_t *row;
    int32_t insn;

    if (record->kind != IBS_KIND_FETCH && record->kind != IBS_KIND_OP) {
        profile->unknown_records++;
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
    switch (level) {
    case PROFILE_LINES:
        return profile->line_count;
    case PROFILE_FUNCTIONS:
        return profile->map->func_count;
    default:
        return profile->map->insn_count;
    }
}

uint32_t profile_level_of(const struct profile *profile, enum profile_level level, uint32_t insn)
{
    switch (level) {
    case PROFILE_LINES:
        return profile->line_of[insn];
    case PROFILE_FUNCTIONS:
        return profile->map->insns[insn].func;
    default:
        return insn;
    }
}

void profile_sum(const struct profile *profile, enum profile_level level, uint32_t index,
                 uint64_t counts[DERIVED_COUNT])
{
    if (level == PROFILE_INSTRUCTIONS) {
        memcpy(counts, profile_row(profile, index), DERIVED_COUNT * sizeof(counts[0]));
        return;
    }
    memset(counts, 0, DERIVED_COUNT * sizeof(counts[0]));
    for (uint32_t i = 0; i < profile->map->insn_count; i++) {
        const uint64_t *row = profile_row(profile, i);

        if (profile_level_of(profile, level, i) != index)
            continue;
        for (int event = 0; event < DERIVED_COUNT; event++)
            counts[event] += row[event];
    }
}
