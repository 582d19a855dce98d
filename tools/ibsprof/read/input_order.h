/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the records of a perf.data file in the order of their times.
 *
 * perf writes the buffer of one processor after the other, and then a FINISHED_ROUND, so a map can follow samples in
 * it. A round is therefore scanned before it is read, and split into runs of ascending time, each a stretch of the
 * file; the runs are merged. Everything up to the latest time of the round before the last is complete
 * (tools/perf/util/ordered-events.c has the same rule). Memory: a few words per run.
 *
 * A file without rounds is scanned in steps of 'span' bytes. Records without a time (perf makes them up when it
 * starts) are delivered at once.
 */
#ifndef TOOLS_IBSPROF_INPUT_ORDER_H
#define TOOLS_IBSPROF_INPUT_ORDER_H

#include "core/perfdata/perfdata_plain.h"
#include "tools/ibsprof/base/windows.h"

struct input_order;

/* Begins with a reader, which must stay valid. *windows: not NULL if order_next_stretch() will be called, so samples
 * need a closer look; must be set before the first record. Samples are copied into the windows and looked at there. */
struct input_order *order_new(struct perfdata_reader *reader, uint64_t span, struct windows *const *windows);
void order_free(struct input_order *order);
void order_rewind(struct input_order *order);

/* Finds the next record; reader->end after the last. Reports an error after all readable records. */
enum perfdata_error order_next(struct input_order *order, uint64_t *ret_at);

/* Reads the next samples, from the one at *ret_at on, while they are plain, at most 'count'. Returns 0 if something
 * else follows, or the end. With order_next() every record comes once, in order. */
uint32_t order_next_plain(struct input_order *order, uint64_t *ret_at, struct perfdata_plain *samples, uint32_t count);

enum {
    ORDER_STRETCH_LEAST = 64 << 10,
    ORDER_STRETCH_MOST = 1 << 20,
    ORDER_RECORD_MOST = 1 << 16,
    ORDER_WINDOW = ORDER_STRETCH_MOST + ORDER_RECORD_MOST
};

/* Finds the next samples if they are all plain and in one piece of the file, sorted by time: at least
 * ORDER_STRETCH_LEAST bytes, at most ORDER_STRETCH_MOST and a record. perfdata_read_plain() reads them from *ret_begin
 * up to *ret_end. Returns false if they are for the other functions. */
bool order_next_stretch(struct input_order *order, uint64_t *ret_begin, uint64_t *ret_end);

/* Returns the offset before which all records were delivered. */
uint64_t order_done(const struct input_order *order);

#endif
