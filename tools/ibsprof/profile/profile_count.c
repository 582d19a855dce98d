/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/profile_count.h"

#include "core/family/ibs_regs.h"

void count_place_machine(struct count_place *place, const struct ibs_machine *machine)
{
    const uint64_t *op = machine->bits[SAMPLE_OP];

    place->set = derived_set_of(machine);
    place->sources = data_sources_of(machine);
    place->more_data = op[IBS_OP_DATA] & TALLY_OP_DATA_MORE;
    place->more_data3 = op[IBS_OP_DATA3] & TALLY_OP_DATA3_MORE;
    place->rip_invalid = op[IBS_OP_DATA] & IBS_OP_RIP_INVALID;
    place->signs = sample_linear_address(machine, IBS_BIT(47)) != IBS_BIT(47);
    place->itlb_latency = machine->bits[SAMPLE_FETCH][IBS_FETCH_EXTD] != 0;
}

void count_init(struct count *count, const struct count_place *place)
{
    *count = (struct count){.place = place};
    tally_init(&count->tally, place->set.has[DERIVED_X20A_LOAD_DTLB_REFILL]);
}

void count_free(struct count *count)
{
    tally_free(&count->tally);
}

void count_maps_changed(struct count *count)
{
    count->window.length = 0;
}

/* Returns the address of a sample. If the kernel found the register's address invalid, it recorded the interrupt's (not
 * exact). */
static inline uint64_t address_of(const struct count *count, const struct perfdata_plain *sample, uint32_t kind)
{
    const struct count_place *place = count->place;
    uint64_t address;

    if (!sample_is_ibs(kind) || (!sample->exact && sample->ip != 0))
        return sample->ip;
    if (kind == SAMPLE_OP && count_register(sample, IBS_OP_DATA) & place->rip_invalid)
        return 0;
    address = count_register(sample, kind == SAMPLE_OP ? (uint32_t)IBS_OP_RIP : (uint32_t)IBS_FETCH_LINAD);
    return place->signs ? ibs_canonical(address) : address;
}

static struct spaces_place locate_locked(struct count *count, const struct perfdata_plain *sample, uint64_t address)
{
    const struct count_place *place = count->place;
    struct spaces_place found;

    pthread_mutex_lock(place->lock);
    found = spaces_locate_window(place->spaces, sample->pid, sample->mode, address, &count->window);
    pthread_mutex_unlock(place->lock);
    return found;
}

static inline struct spaces_place locate(struct count *count, const struct perfdata_plain *sample, uint64_t address)
{
    if (count->place->lock && !spaces_is_in(&count->window, sample->pid, sample->mode, address))
        return locate_locked(count, sample, address);
    return spaces_locate_again(count->place->spaces, sample->pid, sample->mode, address, &count->window);
}

static inline struct tally_key key_of(struct count *count, const struct perfdata_plain *sample, uint32_t kind)
{
    struct spaces_place place = locate(count, sample, address_of(count, sample, kind));

    return (struct tally_key){.offset = place.offset,
                              .content = tally_content(place.file, 0),
                              .origin_word =
                                  tally_origin_word(sample->event, kind, sample->mode, place.chosen, sample->cpu)};
}

struct tally_key count_key(struct count *count, const struct perfdata_plain *sample)
{
    return key_of(count, sample, count->place->facts->events[sample->event].kind);
}

enum data_source count_source(const struct count *count, const struct perfdata_plain *sample)
{
    return data_source_by(&count->place->sources, count_register(sample, IBS_OP_DATA2),
                          count_register(sample, IBS_OP_DATA3));
}

static inline bool add_op(struct count *count, struct tally_key key, const struct perfdata_plain *sample)
{
    const struct count_place *place = count->place;
    uint64_t data = count_register(sample, IBS_OP_DATA), data3 = count_register(sample, IBS_OP_DATA3);
    struct tally_row *row;

    key.content |= tally_op_bits(data, count_register(sample, IBS_OP_DATA2), data3);
    if (place->more_data | place->more_data3)
        key.origin_word |= (uint64_t)tally_op_more(data & place->more_data, data3 & place->more_data3) << TALLY_MORE;
    if (data_missed(&place->sources, data3))
        key.origin_word |= tally_miss_word(ibs_dc_miss_lat(data3), count_source(count, sample));
    row = tally_find(&count->tally, key);
    row->count++;
    row->weight += sample->period;
    row->sums[TALLY_TAG_TO_RET] += ibs_op_tag_to_ret(data);
    row->sums[TALLY_COMP_TO_RET] += ibs_op_comp_to_ret(data);
    row->sums[TALLY_MISS_LAT] += ibs_dc_miss_lat(data3);
    if (count->tally.refill)
        count->tally.refill[row - count->tally.rows] += data3 >> 48;
    count->tag_to_ret[latency_bin(ibs_op_tag_to_ret(data))]++;
    return ibs_dc_lin_addr_valid(data3) && (ibs_ld_op(data3) || ibs_st_op(data3));
}

static inline void add_fetch(struct count *count, struct tally_key key, const struct perfdata_plain *sample)
{
    uint64_t ctl = count_register(sample, IBS_FETCH_CTL);
    struct tally_row *row;

    key.content |= tally_fetch_bits(ctl);
    row = tally_find(&count->tally, key);
    row->count++;
    row->weight += sample->period;
    row->sums[TALLY_FETCH_LAT] += ibs_fetch_lat(ctl);
    if (count->place->itlb_latency && sample->register_count > IBS_FETCH_EXTD)
        row->sums[TALLY_ITLB_LAT] += count_register(sample, IBS_FETCH_EXTD) & 0xFFFF;
    if (fetch_has_latency(&count->place->set.machine, ctl))
        count->fetch_latency[latency_bin(ibs_fetch_lat(ctl))]++;
}

static void add_time(struct count *count, uint64_t first, uint64_t last)
{
    if (first - 1 < count->first_time - 1) /* 0 means none, and counts as the greatest number here */
        count->first_time = first;
    if (last > count->last_time)
        count->last_time = last;
}

bool count_sample(struct count *count, const struct perfdata_plain *sample)
{
    const struct count_place *place = count->place;
    struct tally_key key;
    uint32_t kind;

    if (sample->event >= place->facts->event_count ||
        (place->only &&
         (place->facts->events[sample->event].no_cpu || !core_chosen(place->only, sample->cpu, &place->nodes))) ||
        (place->keep && !place->keep(place->keep_context, sample->time)))
        return false;
    kind = place->facts->events[sample->event].kind;
    key = key_of(count, sample, kind);
    add_time(count, sample->time, sample->time);
    if (kind == SAMPLE_OP)
        return add_op(count, key, sample);
    if (kind == SAMPLE_FETCH) {
        add_fetch(count, key, sample);
    } else {
        struct tally_row *row = tally_find(&count->tally, key);

        row->count++;
        row->weight += sample->period;
    }
    return false;
}

void count_merge(struct count *count, const struct count *more)
{
    /* The rows arrive sorted by hash: in a smaller table they would all go into one part of it, and each search would
     * pass all of them. */
    tally_reserve(&count->tally, more->tally.used);
    for (size_t i = 0; i < more->tally.room; i++) {
        const struct tally_row *from = &more->tally.rows[i];
        struct tally_row *to;

        if (from->count == 0)
            continue;
        to = tally_find(&count->tally, from->key);
        to->count += from->count;
        to->weight += from->weight;
        for (int sum = 0; sum < TALLY_SUMS; sum++)
            to->sums[sum] += from->sums[sum];
        if (count->tally.refill)
            count->tally.refill[to - count->tally.rows] += more->tally.refill[i];
    }
    for (int bin = 0; bin < LATENCY_BINS; bin++) {
        count->tag_to_ret[bin] += more->tag_to_ret[bin];
        count->fetch_latency[bin] += more->fetch_latency[bin];
    }
    add_time(count, more->first_time, more->last_time);
}
