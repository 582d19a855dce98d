/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Access to memory of one sample, as its fields tell: the registers of IBS, or the data source that Linux' perf records
 * for any processor (perf mem record, perf c2c record: PERF_SAMPLE_DATA_SRC with the address and a weight).
 *
 * Sources: Linux include/uapi/linux/perf_event.h (union perf_mem_data_src), arch/x86/events/intel/ds.c and
 * arch/x86/events/amd/ibs.c (which words the kernel writes).
 */
#ifndef IBSPROF_ACCESS_H
#define IBSPROF_ACCESS_H

#include "tools/ibsprof/profile/profile.h"

/* Where a load found its data. */
enum access_answer {
    ANSWER_L1,
    ANSWER_BUFFER, /* a miss of the same line that was under way */
    ANSWER_L2,
    ANSWER_L3,
    ANSWER_NEAR,  /* L3 or another core's cache: Zen to Zen 3 do not tell which */
    ANSWER_CACHE, /* of another core of this node */
    ANSWER_REMOTE_CACHE,
    ANSWER_DRAM,
    ANSWER_REMOTE_DRAM,
    ANSWER_OTHER, /* uncacheable, I/O, or not told */
    ANSWERS,
};

/* Returns "L1", "another core's cache". */
const char *access_answer_name(enum access_answer answer);

struct access {
    uint64_t counts[DERIVED_COUNT]; /* derived events that the sample counts for */
    bool addressed;                 /* the addresses below are there */
    uint64_t address;               /* linear */
    uint64_t line;                  /* physical address; 0: not told */
    enum access_answer answer;      /* of loads */
    bool load, modified;            /* modified: another cache had the line so, and loads alone tell */
};

/* Reads accesses of op samples of the profile's processor from their registers, which are as in perfdata_plain. Those
 * that differ in addresses and latencies alone are decoded once. */
struct accesses;
struct accesses *accesses_make(const struct run_profile *profile);
void accesses_free(struct accesses *accesses);
/* Valid until the next call. */
const struct access *accesses_of_op(struct accesses *accesses, const uint8_t *registers);

/* Reads the access of a sample with a data source: loads, stores, misses, latency and TLB as derived events of IBS. */
void access_of_word(const struct perfdata_item *item, struct access *ret_access);

/* Returns whether accesses are those of samples with a data source: the file has them, and no registers of IBS' ops. */
bool access_is_by_word(const struct input_facts *facts);

/* Returns whether a sample is looked at: it has a data source, or is of the kind, and of a core that the profile is of.
 */
bool access_is_counted(const struct run_profile *profile, const struct perfdata_plain *sample, bool by_word,
                       enum sample_kind kind, const struct core_nodes *nodes);

#endif
