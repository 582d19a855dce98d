/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes places of what was counted; the contract is in profile_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/search.h"
#include "tools/ibsprof/profile/profile_parts.h"
#include "tools/ibsprof/read/run_folder.h"

/* Where a row of the tally belongs. */
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
    uint32_t *object_of; /* by file of spaces: index of its object + 1 */
    struct sampled_address *addresses;
    size_t address_count;
    struct core_nodes nodes;
    uint64_t *periods;           /* by event: the period of each sample in its first row */
    struct profile_core nowhere; /* sums of samples that do not say their core */
};

/* The kernel's map says where a symbol of it was: "[kernel.kallsyms]_text". Modules have the kernel's. */
static void use_kallsyms(const struct build *build, struct object *object, const struct object_search *search)
{
    static const char name[] = "[kernel.kallsyms]";

    for (uint32_t i = 0; i < spaces_file_count(build->reading->spaces); i++) {
        const struct spaces_file *kernel = spaces_file(build->reading->spaces, i);

        if (kernel->kernel && strncmp(kernel->name, name, sizeof(name) - 1) == 0)
            object_use_kallsyms(object, search, kernel->build_id, kernel->build_id_size,
                                kernel->name + sizeof(name) - 1, kernel->reference);
    }
}

/* A run that was copied without the ELF file has the listing of what was sampled beside it. */
static void use_listing(const char *run, struct object *object)
{
    static const char *const names[] = {"profile.csv", "pmc.csv"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        FILE *csv = run_folder_open(run, names[i]);

        if (!csv)
            continue;
        (void)object_use_csv(object, csv);
        fclose(csv);
    }
}

static uint32_t object_index(struct build *build, uint32_t file)
{
    const struct spaces_file *mapped = spaces_file(build->reading->spaces, file);
    struct object_search search = build->reading->options->search;
    struct run_profile *profile = build->profile;
    struct object *object;

    if (build->object_of[file])
        return build->object_of[file] - 1;
    if (!search.beside)
        search.beside = profile->facts->path;
    object = object_get(&search, mapped->name, mapped->build_id, mapped->build_id_size);
    if (mapped->kernel)
        use_kallsyms(build, object, &search);
    else if (!object->path && !profile->facts->is_linux)
        use_listing(profile->facts->path, object);
    *must_add(profile->objects, profile->object_count) = object;
    build->object_of[file] = profile->object_count;
    return profile->object_count - 1;
}

/* Is it the measured program's? Of our runs the ELF file knows where the workloads are, and the run's own listing has
 * the functions of workloads that were sampled. Without both, all that is mapped is taken for one, and
 * profile->outside_unknown says that it is not known. */
static bool is_workload(const struct build *build, const struct sampled_address *address, bool chosen)
{
    uint64_t start, end;

    if (build->profile->facts->is_linux)
        return chosen && address->mode == MODE_USER;
    if (address->object == PROFILE_NO_OBJECT)
        return false;
    if (!object_workloads(build->profile->objects[address->object], &start, &end)) {
        build->profile->outside_unknown |=
            !build->profile->objects[address->object]->path && !build->profile->objects[address->object]->listed;
        return !build->profile->objects[address->object]->path; /* of a listing: find_instruction() knows */
    }
    return address->rva >= start && address->rva < end;
}

/* Objects of the files that were sampled, in the order in which they were mapped: not in that of the tally's rows,
 * which is any. */
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
            (void)object_index(build, i);
    free(wanted);
}

static struct sampled_address sampled_address_of(struct build *build, const struct tally_key *key)
{
    struct spaces_place place = {.file = tally_key_file(key), .offset = key->offset};
    struct sampled_address address = {.object = PROFILE_NO_OBJECT, .rva = key->offset, .mode = key->origin.mode};

    if (!(place.file & SPACES_UNKNOWN) || spaces_locate_late(build->reading->spaces, &place)) {
        const struct object *object;

        address.object = object_index(build, place.file);
        object = build->profile->objects[address.object];
        address.rva = place.offset;
        /* After the end of the file that was found: it is not the file that was mapped. */
        if (object->path && !object_address(object, place.offset, &address.rva))
            address.object = PROFILE_NO_OBJECT;
    }
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

/* With the maps made: an address inside an instruction is that instruction's (the straddle rule, core/codemap.h), and
 * what is between the workloads' functions is not theirs. */
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

/* The code map of each object, of the functions that its addresses are in. */
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

/* The core's sums, made where there are none. */
static struct profile_core *core_of(struct build *build, uint32_t cpu)
{
    struct run_profile *profile = build->profile;
    size_t at = search_first(profile->core_count, i, profile->cores[i].cpu >= cpu);

    if (at < profile->core_count && profile->cores[at].cpu == cpu)
        return &profile->cores[at];
    (void)must_add(profile->cores, profile->core_count);
    memmove(&profile->cores[at + 1], &profile->cores[at], (profile->core_count - 1 - at) * sizeof(*profile->cores));
    profile->cores[at] = (struct profile_core){.cpu = cpu, .node = core_node(&build->nodes, cpu)};
    return &profile->cores[at];
}

/* Samples of one period have the same mean in each row of the tally; others hardly ever. Where all are in one row it
 * does not matter to a share. */
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
    /* Samples that do not say their core are in no core's sums. */
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
    tally_expand(row, counts);
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
    build.object_of = must_alloc(spaces_file_count(reading->spaces), sizeof(*build.object_of));
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
    free(build.object_of);
    free(build.periods);
    free(build.addresses);
}
