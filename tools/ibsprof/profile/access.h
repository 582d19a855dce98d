/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory access of one sample, from its fields: IBS registers, or the data source that Linux' perf records for any
 * processor (perf mem record, perf c2c record: PERF_SAMPLE_DATA_SRC with the address and a weight).
 *
 * Sources: Linux include/uapi/linux/perf_event.h (union perf_mem_data_src), arch/x86/events/intel/ds.c and
 * arch/x86/events/amd/ibs.c (which words the kernel writes).
 */
#ifndef IBSPROF_ACCESS_H
#define IBSPROF_ACCESS_H

#include "tools/ibsprof/profile/profile.h"

/* Says where a load found its data. */
enum access_answer {
    ANSWER_L1,
    ANSWER_BUFFER, /* an outstanding miss of the same line */
    ANSWER_L2,
    ANSWER_L3,
    ANSWER_NEAR,  /* L3 or another core's cache: Zen to Zen 3 do not distinguish them */
    ANSWER_CACHE, /* another core's cache in this node */
    ANSWER_REMOTE_CACHE,
    ANSWER_DRAM,
    ANSWER_REMOTE_DRAM,
    ANSWER_OTHER, /* uncacheable, I/O, or not known */
    ANSWERS,
};

/* Returns a name such as "L1" or "another core's cache". */
const char *access_answer_name(enum access_answer answer);

struct access {
    uint64_t counts[DERIVED_COUNT]; /* derived events that the sample counts for */
    bool addressed;                 /* the addresses below are valid */
    uint64_t address;               /* linear */
    uint64_t line;                  /* physical address; 0: not known */
    enum access_answer answer;      /* for loads */
    bool load, modified;            /* modified: another cache had the line modified; only known for loads */
};

/* Decodes accesses of the profile's op samples from their registers, in the form of perfdata_plain. Samples that differ
 * only in addresses and latencies are decoded once. */
struct accesses;
struct accesses *accesses_make(const struct run_profile *profile);
void accesses_free(struct accesses *accesses);
/* Returns an access that is valid until the next call. */
const struct access *accesses_of_op(struct accesses *accesses, const uint8_t *registers);

/* Decodes a sample's data source: loads, stores, misses, latency and TLB as derived events of IBS. */
void access_of_word(const struct perfdata_item *item, struct access *ret_access);

/* Returns whether accesses come from data sources: the file has them, but no registers of IBS ops. */
bool access_is_by_word(const struct input_facts *facts);

/* Returns whether a sample counts: it has a data source, or is of this kind and from a core of the profile. */
bool access_is_counted(const struct run_profile *profile, const struct perfdata_plain *sample, bool by_word,
                       enum sample_kind kind, const struct core_nodes *nodes);

#endif
