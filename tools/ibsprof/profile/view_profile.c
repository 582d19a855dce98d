/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/view_profile.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

static uint64_t samples_of(const struct profile_place *place, int kind)
{
    return place->counts[kind == SAMPLE_OP ? DERIVED_F100_OP_ALL : DERIVED_F002_FETCH_ATTEMPTED];
}

/* Marks the shown functions: a byte for each one of the object's map. */
static void take_functions(const struct run_profile *profile, uint32_t object, double min_share, uint8_t *taken)
{
    const struct codemap *map = profile->maps[object];
    uint64_t *samples = must_alloc(2 * (size_t)map->func_count, sizeof(*samples));
    uint64_t start, end;
    bool image = !profile->facts->is_linux && object_workloads(profile->objects[object], &start, &end);

    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        if (place->object == object && place->func >= 0 && place->workload)
            for (int kind = 0; kind < 2; kind++)
                samples[2 * place->func + kind] += samples_of(place, kind);
    }
    for (uint32_t i = 0; i < map->func_count; i++) {
        if (profile->objects[object]->listed) { /* only sampled functions of workloads */
            taken[i] = 1;
            continue;
        }
        if (image) {
            taken[i] = map->funcs[i].rva >= start && map->funcs[i].rva < end;
            continue;
        }
        for (int kind = 0; kind < 2; kind++)
            taken[i] |= samples[2 * i + kind] > 0 &&
                        (double)samples[2 * i + kind] >= min_share * (double)profile->samples[kind];
    }
    free(samples);
}

static void add_place(struct view_profile *core, const struct profile_place *place, uint32_t object)
{
    int32_t insn = place->object == object && place->workload ? codemap_find(core->map, place->rva) : -1;
    uint64_t *row = insn >= 0 ? &core->profile.rows[(size_t)insn * DERIVED_COUNT] : core->profile.outside;

    for (int event = 0; event < DERIVED_COUNT; event++)
        row[event] += place->counts[event];
    for (int kind = 0; kind < 2; kind++) {
        core->profile.records[kind] += samples_of(place, kind);
        if (insn >= 0)
            core->taken[kind] += samples_of(place, kind);
    }
}

void view_profile_make(struct view_profile *core, const struct run_profile *profile, uint32_t object, double min_share)
{
    static const struct codemap empty = {.strings = ""};
    const struct codemap *map = object < profile->object_count ? profile->maps[object] : &empty;
    uint8_t *taken = must_alloc(map->func_count, sizeof(*taken));
    struct ibs_machine first = ibs_machine_of(0, 0, 0);
    size_t size;

    *core = (struct view_profile){.set = derived_set_of(&first)};
    if (map != &empty)
        take_functions(profile, object, min_share, taken);
    core->map = codemap_select(map, taken);
    free(taken);
    size = profile_memory_size(core->map);
    core->memory = must_alloc(size, 1);
    (void)profile_init(&core->profile, core->map, 0, &core->set, core->memory, size);
    for (uint32_t i = 0; i < profile->place_count; i++)
        add_place(core, &profile->places[i], object);
    memcpy(core->profile.total, profile->totals, sizeof(core->profile.total));
}

void view_profile_free(struct view_profile *core)
{
    codemap_part_free(core->map);
    free(core->memory);
}

uint32_t main_object(const struct run_profile *profile)
{
    uint64_t *samples = must_alloc(profile->object_count, sizeof(*samples));
    uint32_t most = PROFILE_NO_OBJECT;

    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        if (!place->workload || place->object >= profile->object_count)
            continue;
        for (uint32_t e = 0; e < profile->facts->event_count; e++)
            samples[place->object] += place->events[e];
    }
    for (uint32_t i = 0; i < profile->object_count; i++)
        if (samples[i] > 0 && (most == PROFILE_NO_OBJECT || samples[i] > samples[most]))
            most = i;
    free(samples);
    return most;
}
