/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes places from the counts; the contract is in profile_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/search.h"
#include "tools/ibsprof/profile/profile_objects.h"
#include "tools/ibsprof/profile/profile_parts.h"

/* Place of a row of the tally. */
struct sampled_address {
    uint32_t object;
    uint64_t rva;
    uint8_t mode;
    bool workload;
    const struct tally_row *row;
};

struct build {
    struct reading *reading;
    struct run_profile *profile;
    struct profile_objects objects;
    struct sampled_address *addresses;
    size_t address_count;
    struct core_nodes nodes;
    uint64_t *periods;           /* by event: period of each sample in its first row */
    struct profile_core nowhere; /* sums of samples without a core */
};

/* Returns whether an object is own code: the image is mapped first, and then the code that it was given
 * (docs/own-code.md). */
static bool is_own_code(const struct build *build, const struct object *object)
{
    return strcmp(object->name, spaces_file(build->reading->spaces, 0)->name) != 0;
}

/* Returns whether a place belongs to the measured program. In ibsboot runs the ELF file knows the workloads' addresses,
 * and the run's listing has the functions of sampled workloads; own code is itself one. Without these, everything
 * mapped counts, and profile->outside_unknown says that it is not known. */
static bool is_workload(const struct build *build, const struct sampled_address *address, bool chosen)
{
    uint64_t start, end;

    if (build->profile->facts->is_linux)
        return chosen && address->mode == MODE_USER;
    if (address->object == PROFILE_NO_OBJECT)
        return false;
    if (!object_workloads(build->profile->objects[address->object], &start, &end)) {
        const struct object *object = build->profile->objects[address->object];

        build->profile->outside_unknown |= !object->path && !object->listed;
        /* find_instruction() knows more about a listing, and about own code. */
        return !object->path || is_own_code(build, object);
    }
    return address->rva >= start && address->rva < end;
}

/* Finds the objects of sampled files, in the order of their mappings, because the tally's rows have no order. */
static void find_objects(struct build *build)
{
    const struct tally *tally = &build->reading->count.tally;
    uint32_t files = spaces_file_count(build->reading->spaces);
    bool *wanted = must_alloc(files, sizeof(*wanted));

    for (size_t i = 0; i < tally->room; i++) {
        struct spaces_place place = {.file = tally_key_file(&tally->rows[i].key), .offset = tally->rows[i].key.offset};

        if (tally->rows[i].count > 0 &&
            (!(place.file & SPACES_UNKNOWN) || spaces_locate_late(build->reading->spaces, &place)))
            wanted[place.file] = true;
    }
    for (uint32_t i = 0; i < files; i++)
        if (wanted[i])
            (void)profile_objects_of(&build->objects, i);
    build->profile->objects = build->objects.objects;
    build->profile->object_count = build->objects.count;
    free(wanted);
}

static struct sampled_address sampled_address_of(struct build *build, const struct tally_key *key)
{
    struct spaces_place place = {.file = tally_key_file(key), .offset = key->offset};
    struct sampled_address address = {.mode = key->origin.mode};

    profile_objects_locate(&build->objects, place, &address.object, &address.rva);
    address.workload = is_workload(build, &address, key->origin.chosen);
    return address;
}

static int compare(const void *left, const void *right)
{
    const struct sampled_address *a = left, *b = right;

    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->rva != b->rva)
        return a->rva < b->rva ? -1 : 1;
    if (a->mode != b->mode)
        return a->mode < b->mode ? -1 : 1;
    return (int)a->workload - (int)b->workload;
}

static void sort_addresses(struct build *build)
{
    if (build->address_count > 0)
        qsort(build->addresses, build->address_count, sizeof(*build->addresses), compare);
}

/* Finds the instruction once maps exist: an address inside an instruction belongs to it (the straddle rule,
 * core/ibs/codemap.h); code between the workloads' functions does not belong to them. */
static void find_instruction(const struct run_profile *profile, struct sampled_address *address)
{
    int32_t insn;

    if (address->object == PROFILE_NO_OBJECT)
        return;
    insn = codemap_find(profile->maps[address->object], address->rva);
    if (insn >= 0)
        address->rva = profile->maps[address->object]->insns[insn].rva;
    else if (!profile->facts->is_linux &&
             (profile->objects[address->object]->path || profile->objects[address->object]->listed))
        address->workload = false;
}

/* Makes each object's code map, of the functions at its addresses. */
static void make_maps(struct build *build)
{
    struct run_profile *profile = build->profile;
    uint64_t *rvas = must_alloc(build->address_count, sizeof(*rvas));
    size_t at = 0;

    profile->maps = must_alloc(profile->object_count, sizeof(*profile->maps));
    for (uint32_t i = 0; i < profile->object_count; i++) { /* PROFILE_NO_OBJECT sorts after them all */
        size_t count = 0;

        for (; at < build->address_count && build->addresses[at].object == i; at++)
            rvas[count++] = build->addresses[at].rva;
        profile->maps[i] = object_codemap(profile->objects[i], rvas, count);
    }
    free(rvas);
}

static int32_t function_at(const struct codemap *map, uint64_t rva)
{
    size_t after = search_first(map->func_count, i, map->funcs[i].rva > rva);

    return after > 0 && rva - map->funcs[after - 1].rva < map->funcs[after - 1].size ? (int32_t)after - 1 : -1;
}

static void place_begin(struct run_profile *profile, struct profile_place *place, const struct sampled_address *address)
{
    *place = (struct profile_place){.object = address->object,
                                    .rva = address->rva,
                                    .mode = address->mode,
                                    .workload = address->workload,
                                    .insn = -1,
                                    .func = -1};
    if (address->object != PROFILE_NO_OBJECT) {
        place->insn = codemap_find(profile->maps[address->object], address->rva);
        place->func =
            function_at(profile->maps[address->object], address->rva - profile->objects[address->object]->base);
    }
    place->events = must_alloc(2 * (size_t)profile->facts->event_count, sizeof(uint64_t));
    place->event_weights = place->events + profile->facts->event_count;
}

/* Returns the sums of a core, new ones if needed. */
static struct profile_core *core_of(struct build *build, uint32_t cpu)
{
    struct run_profile *profile = build->profile;
    size_t at = search_first(profile->core_count, i, profile->cores[i].cpu >= cpu);

    if (at < profile->core_count && profile->cores[at].cpu == cpu)
        return &profile->cores[at];
    (void)must_add(profile->cores, profile->core_count);
    memmove(&profile->cores[at + 1], &profile->cores[at], (profile->core_count - 1 - at) * sizeof(*profile->cores));
    profile->cores[at] =
        (struct profile_core){.cpu = cpu, .node = core_node(&build->nodes, cpu), .ccx = core_ccx(&build->nodes, cpu)};
    return &profile->cores[at];
}

/* Notes whether samples have one period: then each row of the tally has the same mean; otherwise hardly ever. If all
 * are in one row, shares do not depend on it. */
static void note_period(struct build *build, uint32_t event, const struct tally_row *row)
{
    if (build->periods[event] == 0)
        build->periods[event] = row->weight / row->count;
    if (row->weight != row->count * build->periods[event])
        build->profile->event_varies[event] = true;
}

static void place_add(struct build *build, struct profile_place *place, const struct tally_row *row)
{
    struct run_profile *profile = build->profile;
    const struct tally_key *key = &row->key;
    /* Samples without a core are in no core's sums. */
    struct profile_core *core =
        profile->facts->events[key->origin.event].no_cpu ? &build->nowhere : core_of(build, key->origin.cpu);
    uint64_t counts[DERIVED_COUNT] = {0};

    note_period(build, key->origin.event, row);
    place->events[key->origin.event] += row->count;
    place->event_weights[key->origin.event] += row->weight;
    profile->event_samples[key->origin.event] += row->count;
    profile->event_weights[key->origin.event] += row->weight;
    if (!sample_is_ibs(key->origin.kind)) {
        core->others += row->count;
        return;
    }
    tally_expand(&build->reading->count.tally, row, &profile->set, counts);
    for (int event = 0; event < DERIVED_COUNT; event++) {
        place->counts[event] += counts[event];
        core->counts[event] += counts[event];
    }
    core->samples[key->origin.kind] += row->count;
    place->weighted[key->origin.kind] += row->weight;
    profile->samples[key->origin.kind] += row->count;
    if (!place->workload) {
        profile->outside[key->origin.kind] += row->count;
        core->outside[key->origin.kind] += row->count;
    }
    if (key->origin.miss_bin) {
        if (!place->latency)
            place->latency = must_alloc(LATENCY_BINS, sizeof(*place->latency));
        place->latency[key->origin.miss_bin - 1] += (uint32_t)row->count;
        profile->latency[key->origin.source][key->origin.miss_bin - 1] += row->count;
        core->latency[key->origin.miss_bin - 1] += row->count;
    }
}

static void make_places(struct build *build)
{
    struct run_profile *profile = build->profile;
    size_t distinct = 0;

    for (size_t i = 0; i < build->address_count; i++)
        distinct += i == 0 || compare(&build->addresses[i - 1], &build->addresses[i]) != 0;
    profile->places = must_alloc(distinct, sizeof(*profile->places));
    for (size_t i = 0; i < build->address_count; i++) {
        const struct sampled_address *address = &build->addresses[i];

        if (i == 0 || compare(address - 1, address) != 0)
            place_begin(profile, &profile->places[profile->place_count++], address);
        place_add(build, &profile->places[profile->place_count - 1], address->row);
    }
    for (uint32_t i = 0; i < profile->place_count; i++)
        for (int event = 0; event < DERIVED_COUNT; event++)
            profile->totals[event] += profile->places[i].counts[event];
}

static bool is_before(const struct profile_place *place, const struct sampled_address *address)
{
    struct sampled_address other = {place->object, place->rva, place->mode, place->workload, NULL};

    return compare(&other, address) < 0;
}

static void make_points(struct build *build)
{
    struct run_profile *profile = build->profile;

    profile->points = must_alloc(profile->point_count, sizeof(*profile->points));
    for (uint32_t i = 0; i < profile->point_count; i++) {
        const struct drawn_access *drawn = &build->reading->drawn[i];
        struct sampled_address address = sampled_address_of(build, &drawn->key);

        find_instruction(profile, &address);
        profile->points[i] = drawn->point;
        profile->points[i].place =
            (uint32_t)search_first(profile->place_count, k, !is_before(&profile->places[k], &address));
    }
}

void profile_build(struct reading *reading)
{
    struct run_profile *profile = reading->profile;
    const struct tally *tally = &reading->count.tally;
    struct build build = {.reading = reading, .profile = profile};

    core_nodes_read(&build.nodes, profile->facts);
    profile_objects_init(&build.objects, profile, &reading->options->search, reading->spaces);
    build.addresses = must_alloc(tally->used, sizeof(*build.addresses));
    profile->event_samples = must_alloc(2 * (size_t)profile->facts->event_count, sizeof(uint64_t));
    profile->event_weights = profile->event_samples + profile->facts->event_count;
    profile->event_varies = must_alloc(profile->facts->event_count, sizeof(bool));
    build.periods = must_alloc(profile->facts->event_count, sizeof(*build.periods));
    find_objects(&build);
    for (size_t i = 0; i < tally->room; i++) {
        if (tally->rows[i].count == 0)
            continue;
        build.addresses[build.address_count] = sampled_address_of(&build, &tally->rows[i].key);
        build.addresses[build.address_count++].row = &tally->rows[i];
    }
    sort_addresses(&build);
    make_maps(&build);
    for (size_t i = 0; i < build.address_count; i++)
        find_instruction(profile, &build.addresses[i]);
    sort_addresses(&build);
    make_places(&build);
    make_points(&build);
    free(build.objects.object_of);
    free(build.periods);
    free(build.addresses);
}
