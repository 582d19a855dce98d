/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/profile/profile_parts.h"

enum { PLAIN_AT_ONCE = 128, DRAW_SEED = 1, BYTES_WORTH_A_THREAD = 1 << 20 };

/* ---------------------------------------------------------------- accesses for pictures */

/* Returns the drawn access that one more access replaces; POINTS_MAX: none. Reservoir sampling (Vitter, algorithm R):
 * each access is kept with the same probability. */
static uint32_t draw(struct reading *reading)
{
    struct run_profile *profile = reading->profile;
    uint64_t slot = profile->points_seen++;

    if (slot < POINTS_MAX)
        return profile->point_count++;
    slot = slot < UINT32_MAX ? rng_below(&reading->rng, (uint32_t)slot + 1) : rng_next(&reading->rng) % (slot + 1);
    return slot < POINTS_MAX ? (uint32_t)slot : POINTS_MAX;
}

static void keep_access(struct reading *reading, uint32_t slot, const struct perfdata_plain *sample)
{
    uint64_t data3 = count_register(sample, IBS_OP_DATA3);

    reading->drawn[slot].key = count_key(&reading->count, sample);
    reading->drawn[slot].point = (struct profile_point){
        .time = sample->time,
        .addr = count_register(sample, IBS_OP_DCLINAD),
        .latency = data_missed(&reading->place.sources, data3) ? (uint16_t)ibs_dc_miss_lat(data3) : 0,
        .source = (uint8_t)count_source(&reading->count, sample),
        .store = ibs_st_op(data3),
        .tlb_miss = ibs_dc_l1tlb_miss(data3) && ibs_dc_l2tlb_miss(data3)};
}

static void show(const struct reading *reading, const struct perfdata_plain *samples, uint32_t count)
{
    if (reading->options->see && count > 0)
        reading->options->see(reading->options->see_context, reading->profile, samples, count);
}

/* Draws the accesses of a stretch that was counted in another thread, and shows its samples. */
static void stretch_counted(void *context, const struct input_stretch *stretch, const uint32_t *accesses,
                            uint32_t count)
{
    struct reading *reading = context;
    struct perfdata_plain samples[PLAIN_AT_ONCE];
    uint64_t at = stretch->begin;
    uint32_t read;

    input_read_stretch(stretch, &reading->reader);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = draw(reading);

        if (slot < POINTS_MAX &&
            perfdata_read_plain(&reading->reader, at + accesses[i], stretch->end, UINT64_MAX, samples, 1) == 1)
            keep_access(reading, slot, samples);
    }
    while (reading->options->see &&
           (read = perfdata_read_plain(&reading->reader, at, stretch->end, UINT64_MAX, samples, PLAIN_AT_ONCE)) > 0) {
        show(reading, samples, read);
        for (uint32_t i = 0; i < read; i++)
            at += samples[i].size;
    }
}

/* ---------------------------------------------------------------- items */

static void add_samples(struct reading *reading, const struct perfdata_plain *samples, uint32_t count)
{
    bool accesses[PLAIN_AT_ONCE];

    count_samples(&reading->count, samples, count, accesses);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = accesses[i] ? draw(reading) : POINTS_MAX;

        if (slot < POINTS_MAX)
            keep_access(reading, slot, &samples[i]);
    }
    show(reading, samples, count);
}

static void add_item(struct reading *reading, const struct perfdata_item *item)
{
    struct run_profile *profile = reading->profile;
    struct perfdata_plain sample;

    switch (item->kind) {
    case PERFDATA_ITEM_SAMPLE:
        sample = perfdata_plain_of(item);
        add_samples(reading, &sample, 1);
        break;
    case PERFDATA_ITEM_LOST:
        profile->lost += item->lost;
        break;
    case PERFDATA_ITEM_THROTTLE:
        profile->throttled++;
        break;
    case PERFDATA_ITEM_OTHER:
        profile->records_other++;
        break;
    case PERFDATA_ITEM_UNTHROTTLE:
    case PERFDATA_ITEM_END:
        break;
    default:
        spaces_item(reading->spaces, item);
        count_maps_changed(&reading->count);
        break;
    }
}

/* Stretches for all threads. */
static void give_stretches(struct reading *reading)
{
    struct input_stretch stretch;

    while (input_next_stretch(reading->input, &stretch))
        threads_give(reading->threads, &stretch);
    threads_wait(reading->threads);
}

static void read_items(struct reading *reading, char *error, size_t error_size)
{
    struct perfdata_plain samples[PLAIN_AT_ONCE];
    struct perfdata_item item;

    for (;;) {
        uint32_t plain;

        if (reading->threads)
            give_stretches(reading);
        plain = input_next_plain(reading->input, samples, PLAIN_AT_ONCE);
        add_samples(reading, samples, plain);
        if (plain == 0) {
            if (!input_next(reading->input, &item)) {
                snprintf(error, error_size, "%s", input_error(reading->input));
                break;
            }
            if (item.kind == PERFDATA_ITEM_END)
                break;
            add_item(reading, &item);
        }
    }
}

static void start_threads(struct reading *reading, pthread_mutex_t *lock)
{
    unsigned count = reading->options->threads ? reading->options->threads : threads_usable();

    if (reading->options->threads == 1 || !input_reader(reading->input) ||
        input_facts(reading->input)->file_size < count * (uint64_t)BYTES_WORTH_A_THREAD)
        return;
    reading->reader = *input_reader(reading->input);
    reading->place.lock = lock;
    reading->threads = threads_start(count, reading->input, &reading->place, stretch_counted, reading);
}

static void take_sums(struct run_profile *profile, const struct count *count)
{
    memcpy(profile->tag_to_ret, count->tag_to_ret, sizeof(profile->tag_to_ret));
    memcpy(profile->fetch_latency, count->fetch_latency, sizeof(profile->fetch_latency));
    profile->first_time = count->first_time;
    profile->last_time = count->last_time;
}

struct run_profile *run_profile_read(struct input *input, const struct profile_options *options, char *error,
                                     size_t error_size)
{
    struct run_profile *profile = must_new(profile);
    struct reading *reading = must_new(reading);
    struct ibs_machine machine;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    error[0] = '\0';
    profile->facts = input_facts(input);
    profile->only = options->only;
    profile->comm = options->comm;
    if (profile->facts->event_count > UINT16_MAX) {
        snprintf(error, error_size, "%s: more events than ibsprof counts (%u)", profile->facts->path,
                 (unsigned)UINT16_MAX);
        free(reading);
        free(profile);
        return NULL;
    }
    profile->opened = options->search.opened ? options->search.opened : &profile->own;
    *reading = (struct reading){.profile = profile, .options = options, .input = input};
    reading->spaces = spaces_make(options->comm);
    spaces_look_beside(reading->spaces, input_facts(input)->path);
    reading->place = (struct count_place){.facts = profile->facts,
                                          .spaces = reading->spaces,
                                          .only = options->only,
                                          .keep = options->keep,
                                          .keep_context = options->keep_context};
    machine = ibs_machine_of(profile->facts->family, profile->facts->model, profile->facts->ibs_caps);
    count_place_machine(&reading->place, &machine);
    profile->set = reading->place.set;
    profile->source_count = reading->place.sources.count;
    core_nodes_read(&reading->place.nodes, profile->facts);
    reading->drawn = must_alloc(POINTS_MAX, sizeof(*reading->drawn));
    rng_seed(&reading->rng, DRAW_SEED);
    count_init(&reading->count, &reading->place);
    start_threads(reading, &lock);
    read_items(reading, error, error_size);
    if (reading->threads)
        threads_end(reading->threads, &reading->count);
    if (error[0])
        profile->error = must_copy(error);
    take_sums(profile, &reading->count);
    profile_build(reading);
    count_free(&reading->count);
    spaces_free(reading->spaces);
    free(reading->drawn);
    free(reading);
    return profile;
}

bool profile_weighted(const struct run_profile *profile, uint32_t event)
{
    const struct input_event *events = profile->facts->events;

    if (sample_is_ibs(events[event].kind))
        return profile_varies(profile, event);
    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        if (!sample_is_ibs(events[i].kind) && profile_varies(profile, i))
            return true;
    return false;
}

void run_profile_free(struct run_profile *profile)
{
    if (!profile)
        return;
    for (uint32_t i = 0; i < profile->place_count; i++) {
        free(profile->places[i].latency);
        free(profile->places[i].events);
    }
    free(profile->places);
    free(profile->objects);
    free(profile->maps);
    free(profile->event_samples);
    free(profile->event_varies);
    free(profile->cores);
    free(profile->points);
    objects_free(&profile->own);
    free(profile->error);
    free(profile);
}

const char *profile_object(const struct run_profile *profile, const struct profile_place *place)
{
    return place->object < profile->object_count ? profile->objects[place->object]->name : "[unknown]";
}

uint64_t profile_function_start(const struct run_profile *profile, uint32_t object, int32_t func)
{
    return profile->objects[object]->base + profile->maps[object]->funcs[func].rva;
}

const char *profile_function(const struct run_profile *profile, const struct profile_place *place)
{
    const struct codemap *map;

    if (place->func < 0 || place->object >= profile->object_count)
        return NULL;
    map = profile->maps[place->object];
    return map->strings + map->funcs[place->func].name;
}
