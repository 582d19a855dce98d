/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fast way to samples that are to be counted: what a sum over many of them needs, many at a time, from places that
 * were worked out once for each event.
 *
 * Plain is a sample whose fields are at offsets that its event determines (except for the length of a call chain), and
 * that is whole. All others, and all that is wrong, are left to perfdata_read_at, which says the same of a plain one.
 */
#ifndef CORE_PERFDATA_PLAIN_H
#define CORE_PERFDATA_PLAIN_H

#include "core/perfdata/perfdata_read.h"

/* Fields as in struct perfdata_item; period is never 0. */
struct perfdata_plain {
    uint64_t time, period, ip;
    /* IBS: at least the registers that every family has, in the order of enum ibs_op_reg or ibs_fetch_reg; that many
     * u64 in the memory of the file, maybe at an odd address. NULL: no IBS. */
    const uint8_t *registers;
    uint32_t register_count;
    uint32_t event, pid, tid, cpu;
    uint8_t mode;
    bool exact;
    uint16_t size; /* of the record */
};

/* Makes a plain sample of one that was read the other way; its registers are the item's. */
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

/* Reads plain samples one after the other from 'at' on, at most 'count' of them: none that begins at 'end' or after
 * it, and, but for the first, none later than 'until'. Returns how many. */
uint32_t perfdata_read_plain(struct perfdata_reader *reader, uint64_t at, uint64_t end, uint64_t until,
                             struct perfdata_plain *samples, uint32_t count);

/* Goes over samples from *at on while their times do not descend from *time: none that begins at 'end' or after it.
 * Moves *at and *time; what is at *at then is for perfdata_peek. Makes *all_plain (which may be NULL: the caller need
 * not know) false when one of them is not plain, or has a call chain: those are not looked at closely here. Where
 * samples have no times, none is passed. */
void perfdata_pass_ascending(struct perfdata_reader *reader, uint64_t *at, uint64_t end, uint64_t *time,
                             bool *all_plain);

#endif
