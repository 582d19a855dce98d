/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sums over samples of one thread; those of several threads add up to the same total. Only for profile*.c.
 */
#ifndef TOOLS_IBSPROF_PROFILE_COUNT_H
#define TOOLS_IBSPROF_PROFILE_COUNT_H

#include <pthread.h>

#include "core/perfdata/perfdata_plain.h"
#include "tools/ibsprof/profile/spaces/spaces.h"
#include "tools/ibsprof/profile/tally.h"

/* Holds the tables for looking up samples, shared by threads. spaces_item() must not run while any thread counts. */
struct count_place {
    const struct input_facts *facts;
    struct derived_set set; /* events of the processor, for IBS samples only */
    struct data_sources sources;
    uint64_t more_data, more_data3; /* bits of tally_op_more() that it has */
    uint64_t rip_invalid;           /* bit of IbsOpData: the address is not the op's */
    bool signs;                     /* sign-extend addresses, as sample_linear_address() does */
    bool itlb_latency;              /* fetches have IbsItlbRefillLat */
    struct spaces *spaces;
    pthread_mutex_t *lock;          /* for spaces_locate_window(); NULL: one thread */
    const struct core_choice *only; /* as in profile_options; so is 'keep' */
    struct core_nodes nodes;
    bool (*keep)(void *context, uint64_t time);
    void *keep_context;
};

struct count {
    const struct count_place *place;
    struct spaces_window window; /* count_maps_changed() must follow spaces_item() */
    struct tally tally;
    uint64_t tag_to_ret[LATENCY_BINS], fetch_latency[LATENCY_BINS];
    uint64_t first_time, last_time; /* 0: none */
};

/* Sets the members that depend on the processor: set, sources, more... */
void count_place_machine(struct count_place *place, const struct ibs_machine *machine);

void count_init(struct count *count, const struct count_place *place);
void count_free(struct count *count);
void count_maps_changed(struct count *count);

/* Counts samples, but those that have no event or are filtered. ret_accesses[number]: which of them are accesses that
 * pictures may show. */
void count_samples(struct count *count, const struct perfdata_plain *samples, uint32_t number, bool *ret_accesses);

/* Counts a sample at an offset of the caller's choice in place of its address. */
void count_as(struct count *count, uint64_t offset, const struct perfdata_plain *sample);

/* Returns the key of a sample's place, mode and event, without its registers. */
struct tally_key count_key(struct count *count, const struct perfdata_plain *sample);

/* Returns where a load's data came from. */
enum data_source count_source(const struct count *count, const struct perfdata_plain *sample);

/* Adds all sums of 'more'. */
void count_merge(struct count *count, const struct count *more);

/* Returns a register of an IBS sample: little-endian like x86, at any address. */
static inline uint64_t count_register(const struct perfdata_plain *sample, uint32_t index)
{
    uint64_t value;

    __builtin_memcpy(&value, sample->registers + index * sizeof(value), sizeof(value));
    return value;
}

#endif
