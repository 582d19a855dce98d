#include "tools/ibsprof/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ibs_regs.h"
#include "core/rng.h"
#include "tools/ibsprof/command.h"
#include "tools/ibsprof/elf_file.h"
#include "tools/ibsprof/profile_parts.h"

enum { PROGRESS_ITEMS = 1 << 16, DRAW_SEED = 1 };

/* The address that the sample is of. Registers first: they are the op's own, and fetch addresses need their upper bits
 * put right. Where the kernel found the register's address invalid it says where the interrupt came (not exact). */
static uint64_t address_of(const struct input_sample *sample, uint32_t kind)
{
    if ((kind != IBS_KIND_OP && kind != IBS_KIND_FETCH) || (!sample->exact && sample->ip != 0))
        return sample->ip;
    return ibs_canonical(sample->record.reg[kind == IBS_KIND_OP ? IBS_OP_RIP : IBS_FETCH_LINAD]);
}

/* ---------------------------------------------------------------- accesses for pictures */

static void draw(struct reading *reading, struct rng *rng, const struct tally_key *key,
                 const struct input_sample *sample)
{
    const struct ibs_record *record = &sample->record;
    uint64_t data3 = record->reg[IBS_OP_DATA3];
    struct run_profile *profile = reading->profile;
    uint64_t slot = profile->points_seen++;

    /* Reservoir sampling (Vitter, algorithm R): each access is kept with the same probability. */
    if (slot >= POINTS_MAX) {
        slot = slot < UINT32_MAX ? rng_below(rng, (uint32_t)slot + 1) : rng_next(rng) % (slot + 1);
        if (slot >= POINTS_MAX)
            return;
    } else {
        profile->point_count++;
    }
    reading->drawn[slot].key = *key;
    reading->drawn[slot].point =
        (struct profile_point){.time = sample->time,
                               .addr = record->reg[IBS_OP_DCLINAD],
                               .latency = ibs_ld_op(data3) && ibs_dc_miss(data3) ? (uint16_t)ibs_dc_miss_lat(data3) : 0,
                               .source = (uint8_t)data_source_of(record),
                               .store = ibs_st_op(data3),
                               .tlb_miss = ibs_dc_l1tlb_miss(data3) && ibs_dc_l2tlb_miss(data3)};
}

/* ---------------------------------------------------------------- samples */

static void add_op(struct reading *reading, struct rng *rng, struct tally_key *key, const struct input_sample *sample)
{
    const uint64_t *reg = sample->record.reg;
    uint64_t data3 = reg[IBS_OP_DATA3];
    struct tally_row *row;

    if (ibs_ld_op(data3) && ibs_dc_miss(data3))
        key->miss_bin = (uint8_t)(latency_bin(ibs_dc_miss_lat(data3)) + 1);
    row = tally_find(&reading->tally, key);
    row->count++;
    row->weight += sample->period;
    row->sums[TALLY_TAG_TO_RET] += ibs_op_tag_to_ret(reg[IBS_OP_DATA]);
    row->sums[TALLY_COMP_TO_RET] += ibs_op_comp_to_ret(reg[IBS_OP_DATA]);
    row->sums[TALLY_MISS_LAT] += ibs_dc_miss_lat(data3);
    reading->profile->tag_to_ret[latency_bin(ibs_op_tag_to_ret(reg[IBS_OP_DATA]))]++;
    if (ibs_dc_lin_addr_valid(data3) && (ibs_ld_op(data3) || ibs_st_op(data3)))
        draw(reading, rng, key, sample);
}

static void add_fetch(struct reading *reading, const struct tally_key *key, const struct input_sample *sample)
{
    uint64_t ctl = sample->record.reg[IBS_FETCH_CTL];
    struct tally_row *row = tally_find(&reading->tally, key);

    row->count++;
    row->weight += sample->period;
    row->sums[TALLY_FETCH_LAT] += ibs_fetch_lat(ctl);
    if (!ibs_fetch_killed(ctl))
        reading->profile->fetch_latency[latency_bin(ibs_fetch_lat(ctl))]++;
}

static void add_sample(struct reading *reading, struct rng *rng, const struct input_sample *sample)
{
    struct run_profile *profile = reading->profile;
    uint32_t kind = profile->facts->events[sample->event].kind;
    struct spaces_place place = spaces_locate(reading->spaces, sample->pid, sample->mode, address_of(sample, kind));
    struct tally_key key = {.offset = place.offset,
                            .file = place.file,
                            .event = (uint16_t)sample->event,
                            .mode = sample->mode,
                            .chosen = place.chosen,
                            .kind = (uint8_t)kind,
                            .cpu = (uint16_t)(sample->cpu < UINT16_MAX ? sample->cpu : UINT16_MAX)};

    if (sample->time != 0) {
        if (sample->time < profile->first_time || profile->first_time == 0)
            profile->first_time = sample->time;
        if (sample->time > profile->last_time)
            profile->last_time = sample->time;
    }
    if (kind == IBS_KIND_OP || kind == IBS_KIND_FETCH)
        key.bits = tally_bits(&sample->record);
    if (kind == IBS_KIND_OP) {
        add_op(reading, rng, &key, sample);
    } else if (kind == IBS_KIND_FETCH) {
        add_fetch(reading, &key, sample);
    } else {
        struct tally_row *row = tally_find(&reading->tally, &key);

        row->count++;
        row->weight += sample->period;
    }
}

static void read_items(struct reading *reading, struct input *input, char *error, size_t error_size)
{
    struct run_profile *profile = reading->profile;
    struct core_nodes nodes;
    struct input_item item;
    struct rng rng;

    core_nodes_read(&nodes, profile->facts);
    rng_seed(&rng, DRAW_SEED);
    for (uint64_t count = 1;; count++) {
        if (!input_next(input, &item)) {
            snprintf(error, error_size, "%s", input_error(input));
            break;
        }
        switch (item.kind) {
        case INPUT_SAMPLE:
            if (item.sample.event < profile->facts->event_count &&
                core_chosen(profile->only, item.sample.cpu, &nodes) &&
                (reading->options->keep == NULL ||
                 reading->options->keep(reading->options->keep_context, &item.sample)))
                add_sample(reading, &rng, &item.sample);
            break;
        case INPUT_END:
            break;
        case INPUT_LOST:
            profile->lost += item.count;
            break;
        case INPUT_THROTTLE:
            profile->throttled++;
            break;
        case INPUT_UNTHROTTLE:
        case INPUT_OTHER:
            profile->records_other += item.kind == INPUT_OTHER;
            break;
        default:
            spaces_item(reading->spaces, &item);
            break;
        }
        if (item.kind == INPUT_END)
            break;
        if (reading->options->progress && count % PROGRESS_ITEMS == 0)
            progress(profile->facts->path, input_position(input), profile->facts->file_size);
    }
    if (reading->options->progress)
        progress_end();
}

struct run_profile *run_profile_read(struct input *input, const struct profile_options *options, char *error,
                                     size_t error_size)
{
    struct run_profile *profile = must_alloc(1, sizeof(*profile));
    struct reading reading = {.profile = profile, .options = options};

    if (error_size > 0)
        error[0] = '\0';
    profile->facts = input_facts(input);
    profile->only = options->only;
    if (profile->facts->event_count > UINT16_MAX) {
        snprintf(error, error_size, "%s: more events than ibsprof counts (%u)", profile->facts->path,
                 (unsigned)UINT16_MAX);
        free(profile);
        return NULL;
    }
    reading.spaces = spaces_make(options->comm);
    reading.drawn = must_alloc(POINTS_MAX, sizeof(*reading.drawn));
    tally_init(&reading.tally);
    read_items(&reading, input, error, error_size);
    profile_build(&reading);
    tally_free(&reading.tally);
    spaces_free(reading.spaces);
    free(reading.drawn);
    return profile;
}

void run_profile_free(struct run_profile *profile)
{
    if (profile == NULL)
        return;
    for (uint32_t i = 0; i < profile->place_count; i++) {
        free(profile->places[i].latency);
        free(profile->places[i].events);
    }
    free(profile->places);
    free(profile->objects);
    free(profile->maps);
    free(profile->event_samples);
    free(profile->cores);
    free(profile->points);
    free(profile);
}

const char *profile_object(const struct run_profile *profile, const struct profile_place *place)
{
    return place->object < profile->object_count ? profile->objects[place->object]->name : "[unknown]";
}

const char *profile_function(const struct run_profile *profile, const struct profile_place *place)
{
    const struct codemap *map;

    if (place->func < 0 || place->object >= profile->object_count)
        return NULL;
    map = profile->maps[place->object];
    return map->strings + map->funcs[place->func].name;
}
