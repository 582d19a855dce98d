/*
 * The records of a perf.data file in the order of their times.
 *
 * perf writes what each processor's buffer holds, one buffer after the other, and then a FINISHED_ROUND: a map can come
 * behind samples that lie in it. A round is therefore looked through before it is read, and split into runs of
 * ascending time, a run being a stretch of the file; the runs are merged. What has a time up to the latest one of the
 * round before the last is complete (tools/perf/util/ordered-events.c has the same rule). Memory: a few words a run.
 *
 * A file without rounds is looked through in steps of 'span' bytes. Records without a time (those that perf makes up
 * when it starts) come as soon as they are seen.
 */
#ifndef TOOLS_IBSPROF_INPUT_ORDER_H
#define TOOLS_IBSPROF_INPUT_ORDER_H

#include "core/perfdata_read.h"

struct input_order;

/* The reader is used, and must stay. */
struct input_order *order_new(struct perfdata_reader *reader, uint64_t span);
void order_free(struct input_order *order);
void order_rewind(struct input_order *order);

/* Where the next record is; reader->end behind the last. An error is reported behind all records that could be told. */
enum perfdata_error order_next(struct input_order *order, uint64_t *ret_at);

/* Nothing before this offset is still to come. */
uint64_t order_done(const struct input_order *order);

#endif
