/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sums over samples: what one thread counts. Sums of several threads add up to those of one. For profile*.c only.
 */
#ifndef TOOLS_IBSPROF_PROFILE_COUNT_H
#define TOOLS_IBSPROF_PROFILE_COUNT_H

#include <pthread.h>

#include "core/perfdata/perfdata_plain.h"
#include "tools/ibsprof/profile/spaces/spaces.h"
#include "tools/ibsprof/profile/tally.h"

/* Holds what samples are looked up in. Several threads share it; only while none counts may spaces_item be called. */
struct count_place {
    const struct input_facts *facts;
    struct derived_set set; /* events of the processor; of what are no IBS samples nothing is asked */
    struct data_sources sources;
    uint64_t more_data, more_data3; /* bits of tally_op_more that it has */
    uint64_t rip_invalid;           /* bit of IbsOpData: the address is not the op's */
    bool signs;                     /* addresses are sign-extended, as sample_linear_address does */
    bool itlb_latency;              /* fetches have IbsItlbRefillLat */
    struct spaces *spaces;
    pthread_mutex_t *lock;          /* of spaces_locate_window; NULL: there is one thread */
    const struct core_choice *only; /* as in profile_options, as keep */
    struct core_nodes nodes;
    bool (*keep)(void *context, uint64_t time);
    void *keep_context;
};

struct count {
    const struct count_place *place;
    struct spaces_window window; /* count_maps_changed after spaces_item */
    struct tally tally;
    uint64_t tag_to_ret[LATENCY_BINS], fetch_latency[LATENCY_BINS];
    uint64_t first_time, last_time; /* 0: none */
};

/* Sets what follows from the processor: set, sources, more... */
void count_place_machine(struct count_place *place, const struct ibs_machine *machine);

void count_init(struct count *count, const struct count_place *place);
void count_free(struct count *count);
void count_maps_changed(struct count *count);

/* Counts a sample, unless it has no event or is filtered. Returns true for accesses that pictures may show. */
bool count_sample(struct count *count, const struct perfdata_plain *sample);

/* The key of a sample's place, mode and event; not what its registers say. */
struct tally_key count_key(struct count *count, const struct perfdata_plain *sample);

/* Where a load's data came from. */
enum data_source count_source(const struct count *count, const struct perfdata_plain *sample);

/* Adds all of 'more'. */
void count_merge(struct count *count, const struct count *more);

/* A register of an IBS sample: little-endian as x86 is, maybe at an odd address. */
static inline uint64_t count_register(const struct perfdata_plain *sample, uint32_t index)
{
    uint64_t value;

    __builtin_memcpy(&value, sample->registers + index * sizeof(value), sizeof(value));
    return value;
}

#endif
