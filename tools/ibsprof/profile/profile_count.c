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

/* Looks up an address that is not in the window. */
static struct spaces_place locate_anew(struct count *count, const struct perfdata_plain *sample, uint64_t address)
{
    const struct count_place *place = count->place;
    struct spaces_place found;

    if (place->lock)
        pthread_mutex_lock(place->lock);
    found = spaces_locate_window(place->spaces, sample->pid, sample->mode, address, &count->window);
    if (place->lock)
        pthread_mutex_unlock(place->lock);
    return found;
}

static inline struct spaces_place locate(struct count *count, const struct perfdata_plain *sample, uint64_t address)
{
    return spaces_is_in(&count->window, sample->pid, sample->mode, address) ? spaces_place_in(&count->window, address)
                                                                            : locate_anew(count, sample, address);
}

/* Inlined like all that takes a key by value: a key in memory is written in words and read in pairs of words, for which
 * the processor waits, and this is for every sample. */
static inline __attribute__((always_inline)) struct tally_key key_at(struct spaces_place place,
                                                                     const struct perfdata_plain *sample, uint32_t kind)
{
    return (struct tally_key){.offset = place.offset,
                              .content = tally_content(place.file, 0),
                              .origin_word =
                                  tally_origin_word(sample->event, kind, sample->mode, place.chosen, sample->cpu)};
}

static inline __attribute__((always_inline)) struct tally_key key_of(struct count *count,
                                                                     const struct perfdata_plain *sample, uint32_t kind)
{
    return key_at(locate(count, sample, address_of(count, sample, kind)), sample, kind);
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

static inline __attribute__((always_inline)) struct tally_row *add_row(struct count *count, struct tally_key key,
                                                                       const struct perfdata_plain *sample)
{
    struct tally_row *row = tally_find(&count->tally, key);

    row->count++;
    row->weight += sample->period;
    return row;
}

static inline __attribute__((always_inline)) bool add_op(struct count *count, struct tally_key key,
                                                         const struct perfdata_plain *sample)
{
    const struct count_place *place = count->place;
    uint64_t data = count_register(sample, IBS_OP_DATA), data3 = count_register(sample, IBS_OP_DATA3);
    struct tally_row *row;

    key.content |= tally_op_bits(data, count_register(sample, IBS_OP_DATA2), data3);
    if (place->more_data | place->more_data3)
        key.origin_word |= (uint64_t)tally_op_more(data & place->more_data, data3 & place->more_data3) << TALLY_MORE;
    if (data_missed(&place->sources, data3))
        key.origin_word |= tally_miss_word(ibs_dc_miss_lat(data3), count_source(count, sample));
    row = add_row(count, key, sample);
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
    row = add_row(count, key, sample);
    row->sums[TALLY_FETCH_LAT] += ibs_fetch_lat(ctl);
    if (count->place->itlb_latency && sample->register_count > IBS_FETCH_EXTD)
        row->sums[TALLY_ITLB_LAT] += count_register(sample, IBS_FETCH_EXTD) & 0xFFFF;
    if (fetch_has_latency(&count->place->set.machine, ctl))
        count->fetch_latency[latency_bin(ibs_fetch_lat(ctl))]++;
}

static inline bool is_counted(const struct count_place *place, const struct perfdata_plain *sample)
{
    return core_sample_chosen(place->only, &place->nodes, place->facts, sample->event, sample->cpu) &&
           (!place->keep || place->keep(place->keep_context, sample->time));
}

/* Returns whether it is an access. */
static inline __attribute__((always_inline)) bool add_sample(struct count *count, struct tally_key key,
                                                             const struct perfdata_plain *sample, uint32_t kind)
{
    if (kind == SAMPLE_OP)
        return add_op(count, key, sample);
    if (kind == SAMPLE_FETCH)
        add_fetch(count, key, sample);
    else
        (void)add_row(count, key, sample);
    return false;
}

void count_as(struct count *count, uint64_t offset, const struct perfdata_plain *sample)
{
    uint32_t kind = count->place->facts->events[sample->event].kind;

    (void)add_sample(count, key_at((struct spaces_place){.offset = offset}, sample, kind), sample, kind);
}

void count_samples(struct count *count, const struct perfdata_plain *samples, uint32_t number, bool *ret_accesses)
{
    uint64_t before_first = count->first_time - 1, last = count->last_time; /* 0 is none: then the greatest of all */

    for (uint32_t i = 0; i < number; i++) {
        const struct perfdata_plain *sample = &samples[i];
        uint32_t kind;

        ret_accesses[i] = false;
        if (!is_counted(count->place, sample))
            continue;
        kind = count->place->facts->events[sample->event].kind;
        ret_accesses[i] = add_sample(count, key_of(count, sample, kind), sample, kind);
        if (sample->time - 1 < before_first)
            before_first = sample->time - 1;
        if (sample->time > last)
            last = sample->time;
    }
    count->first_time = before_first + 1;
    count->last_time = last;
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
    if (more->first_time - 1 < count->first_time - 1) /* 0 is none: then the greatest of all */
        count->first_time = more->first_time;
    if (more->last_time > count->last_time)
        count->last_time = more->last_time;
}
