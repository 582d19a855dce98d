/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fast way to samples for sums: reads only what these need, many samples at a time, from offsets that were worked
 * out once for each event.
 *
 * A plain sample is whole, and its fields are at offsets that its event determines (except for the length of a call
 * chain). All others, and all errors, are left to perfdata_read_at, which reads a plain one to the same result.
 */
#ifndef CORE_PERFDATA_PLAIN_H
#define CORE_PERFDATA_PLAIN_H

#include "core/perfdata/perfdata_read.h"

/* Fields as in struct perfdata_item; period is never 0. */
struct perfdata_plain {
    uint64_t time, period, ip;
    /* IBS: at least the registers that every family has, in the order of enum ibs_op_reg or ibs_fetch_reg;
     * register_count u64 in the file's memory, maybe at an odd address. NULL: no IBS. */
    const uint8_t *registers;
    uint32_t register_count;
    uint32_t event, pid, tid, cpu;
    uint8_t mode;
    bool exact;
    uint16_t size; /* of the record */
};

/* Makes a plain sample of an item, and points to its registers. */
static inline struct perfdata_plain perfdata_plain_of(const struct perfdata_item *item)
{
    return (struct perfdata_plain){.time = item->time,
                                   .period = item->period ? item->period : 1,
                                   .ip = item->ip,
                                   .registers =
                                       item->record.kind <= SAMPLE_OP ? (const uint8_t *)item->record.reg : NULL,
                                   .register_count = item->register_count < 8 ? item->register_count : 8,
                                   .event = item->event,
                                   .pid = item->pid,
                                   .tid = item->tid,
                                   .cpu = item->cpu,
                                   .mode = item->mode,
                                   .exact = item->exact,
                                   .size = (uint16_t)item->size};
}

/* Lets the next functions read the records from offset 'begin' up to 'end' from a copy of the file's bytes; NULL: from
 * the file. Other functions read the file alone. */
void perfdata_read_copy(struct perfdata_reader *reader, const uint8_t *copy, uint64_t begin, uint64_t end);

/* Reads up to 'count' plain samples in a row from 'at' on. None begins at or after 'end'; only the first may be later
 * than 'until'. Returns how many. */
uint32_t perfdata_read_plain(struct perfdata_reader *reader, uint64_t at, uint64_t end, uint64_t until,
                             struct perfdata_plain *samples, uint32_t count);

/* Passes samples from *at on while their times do not descend from *time, and none that begins at or after 'end'.
 * Moves *at and *time; what is then at *at is for perfdata_peek. Sets *all_plain (may be NULL) to false at a sample
 * that is not plain, or has a call chain: those are not looked at closely here. Passes no samples without times. */
void perfdata_pass_ascending(struct perfdata_reader *reader, uint64_t *at, uint64_t end, uint64_t *time,
                             bool *all_plain);

#endif
