/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The records of a perf.data file in the order of their times.
 *
 * perf writes what each processor's buffer holds, one buffer after the other, and then a FINISHED_ROUND: a map can come
 * after samples that are in it. A round is therefore scanned before it is read, and split into runs of
 * ascending time, a run being a stretch of the file; the runs are merged. What has a time up to the latest one of the
 * round before the last is complete (tools/perf/util/ordered-events.c has the same rule). Memory: a few words a run.
 *
 * A file without rounds is looked through in steps of 'span' bytes. Records without a time (those that perf makes up
 * when it starts) come as soon as they are seen.
 */
#ifndef TOOLS_IBSPROF_INPUT_ORDER_H
#define TOOLS_IBSPROF_INPUT_ORDER_H

#include "core/perfdata/perfdata_plain.h"

struct input_order;

/* The reader is used, and must stay. *stretches is true before the first record is asked for: order_next_stretch will
 * be called, which costs a closer look at samples. */
struct input_order *order_new(struct perfdata_reader *reader, uint64_t span, const bool *stretches);
void order_free(struct input_order *order);
void order_rewind(struct input_order *order);

/* Where the next record is; reader->end after the last. An error is reported after all records that could be read. */
enum perfdata_error order_next(struct input_order *order, uint64_t *ret_at);

/* The next samples, from the one at *ret_at on, as long as they are plain ones, at most 'count' of them; 0: what comes
 * next is something else, or the end. Together with order_next every record comes once, in the same order. */
uint32_t order_next_plain(struct input_order *order, uint64_t *ret_at, struct perfdata_plain *samples, uint32_t count);

enum { ORDER_STRETCH_LEAST = 64 << 10, ORDER_STRETCH_MOST = 1 << 20, ORDER_RECORD_MOST = 1 << 16 };

/* The next samples, if they lie in one piece of the file in the order of time, at least ORDER_STRETCH_LEAST bytes and
 * at most ORDER_STRETCH_MOST and a record, and are all plain: perfdata_read_plain reads them from *ret_begin up to
 * *ret_end. False: they are for the others. */
bool order_next_stretch(struct input_order *order, uint64_t *ret_begin, uint64_t *ret_end);

/* Nothing before this offset is still to come. */
uint64_t order_done(const struct input_order *order);

#endif
