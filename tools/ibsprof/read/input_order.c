/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/input_order.h"

#include <stdbool.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"

#include "core/perfdata/perfdata_format.h"

enum { RUNS_MAX = 1 << 16 }; /* with more runs in one round there is no order, and they are delivered */

struct run {
    uint64_t time;  /* of the record at 'at'; or of one before it, when there is no other stretch */
    uint64_t until; /* of the last record */
    uint64_t at, end;
    bool plain; /* all records are plain samples */
};

struct input_order {
    struct perfdata_reader *reader;
    uint64_t span;
    struct windows *const *windows; /* *windows is NULL: stretches are not wanted */
    struct perfdata_reader *near;   /* reads the copy that was made last, up to its end; none is scanned before it */
    struct run *runs;               /* a heap: the earliest first */
    uint32_t count;
    uint64_t scanned;      /* up to here the file was looked through */
    struct run last;       /* the stretch that ends at 'scanned', during the scan */
    uint64_t last_time;    /* of its last record */
    uint64_t limit;        /* records up to this time are all known */
    bool ended;            /* all are */
    uint64_t round_latest; /* latest time seen when the last round ended */
    uint64_t latest;
    enum perfdata_error error; /* at 'scanned' */
    uint64_t error_at;
    const char *why;
};

struct input_order *order_new(struct perfdata_reader *reader, uint64_t span, struct windows *const *windows)
{
    struct input_order *order = must_new(order);

    order->reader = reader;
    order->span = span;
    order->windows = windows;
    order->near = must_new(order->near);
    *order->near = *reader;
    order_rewind(order);
    return order;
}

void order_free(struct input_order *order)
{
    if (order) {
        free(order->runs);
        free(order->near);
    }
    free(order);
}

void order_rewind(struct input_order *order)
{
    struct run *runs = order->runs;

    order->near->end = 0;
    *order = (struct input_order){
        .reader = order->reader, .span = order->span, .windows = order->windows, .near = order->near, .runs = runs};
    order->scanned = order->reader->begin;
}

static bool earlier(const struct run *a, const struct run *b)
{
    return a->time != b->time ? a->time < b->time : a->at < b->at;
}

static void sift_down(struct input_order *order, uint32_t place)
{
    struct run moved = order->runs[place];

    for (;;) {
        uint32_t child = 2 * place + 1;

        if (child >= order->count)
            break;
        if (child + 1 < order->count && earlier(&order->runs[child + 1], &order->runs[child]))
            child++;
        if (!earlier(&order->runs[child], &moved))
            break;
        order->runs[place] = order->runs[child];
        place = child;
    }
    order->runs[place] = moved;
}

static void add_run(struct input_order *order, struct run run)
{
    uint32_t place = order->count;

    if (run.at == run.end)
        return;
    (void)must_add(order->runs, order->count);
    for (; place > 0 && earlier(&run, &order->runs[(place - 1) / 2]); place = (place - 1) / 2)
        order->runs[place] = order->runs[(place - 1) / 2];
    order->runs[place] = run;
}

static void end_last(struct input_order *order)
{
    order->last.until = order->last_time;
    add_run(order, order->last);
    order->last = (struct run){.time = 0, .at = order->scanned, .end = order->scanned};
    order->last_time = 0;
}

/* Adds a record to the scanned stretch, or all that end at 'end', with the last at 'time'. */
static void take(struct input_order *order, uint64_t end, uint64_t time)
{
    order->scanned = order->last.end = end;
    order->last_time = time;
    if (time > order->latest)
        order->latest = time;
}

/* Returns a reader for the records from 'scanned' on: of a copy, or of the file. A run begins with a copy of its own,
 * so that all of it is in one. */
static struct perfdata_reader *near_reader(struct input_order *order)
{
    uint64_t least = order->last.at != order->last.end ? ORDER_RECORD_MOST : ORDER_STRETCH_MOST / 2;
    struct perfdata_reader *near = order->near;
    const struct perfdata_reader *far = order->reader;
    const uint8_t *bytes;

    if (!*order->windows)
        return order->reader;
    if (order->scanned < near->end && (near->end == far->end || near->end - order->scanned >= least))
        return near;
    near->end = 0;
    bytes = windows_read(*order->windows, order->scanned, far->end);
    if (!bytes)
        return order->reader;
    perfdata_read_copy(near, bytes, order->scanned,
                       far->end - order->scanned < ORDER_WINDOW ? far->end : order->scanned + ORDER_WINDOW);
    return near;
}

/* Scans samples that continue the stretch, the most frequent case. Long stretches of plain samples form separate runs,
 * for order_next_stretch(). Returns true if the run is full and may continue. */
static bool pass_samples(struct input_order *order, uint64_t stop)
{
    uint64_t end = order->scanned, time = order->last_time, first;
    uint32_t type, size;
    bool plain = true;

    if (stop > end + ORDER_STRETCH_MOST)
        stop = end + ORDER_STRETCH_MOST;
    perfdata_pass_ascending(near_reader(order), &end, stop, &time, *order->windows ? &plain : NULL);
    plain &= *order->windows != NULL;
    if (end == order->scanned)
        return false;
    if (order->last.at != order->last.end && plain && !order->last.plain && end - order->scanned >= ORDER_STRETCH_LEAST)
        end_last(order);
    if (order->last.at == order->last.end) {
        (void)perfdata_peek(order->reader, order->scanned, &type, &size, &first); /* it was passed: it is good */
        order->last.time = first;
        order->last.plain = true;
    }
    order->last.plain &= plain;
    take(order, end, time);
    if (!order->last.plain || end - order->last.at < ORDER_STRETCH_MOST)
        return false;
    end_last(order);
    return true;
}

static void pass_record(struct input_order *order, uint32_t type, uint32_t size, uint64_t time)
{
    const struct run *last = &order->last;

    if (type >= PERFDATA_RECORD_USER)
        time = order->last_time;
    if (time < order->last_time || (last->plain && last->end - last->at >= ORDER_STRETCH_LEAST))
        end_last(order);
    if (last->at == last->end)
        order->last.time = time;
    order->last.plain = false;
    take(order, order->scanned + size, time);
}

/* Scans the next round. */
static void scan(struct input_order *order)
{
    struct perfdata_reader *reader = order->reader;
    uint64_t stop = order->scanned + order->span;

    order->last = (struct run){.time = 0, .at = order->scanned, .end = order->scanned};
    order->last_time = 0;
    while (order->scanned < reader->end) {
        uint32_t type = PERFDATA_RECORD_SAMPLE, size;
        uint64_t time;

        if (!pass_samples(order, stop) && order->scanned < stop && order->scanned < reader->end) {
            order->error = perfdata_peek(reader, order->scanned, &type, &size, &time);
            if (order->error != PERFDATA_OK) {
                order->error_at = reader->error_at;
                order->why = reader->why;
                break;
            }
            pass_record(order, type, size, time);
        }
        if (type == PERFDATA_RECORD_FINISHED_ROUND) {
            end_last(order);
            order->limit = order->round_latest;
            order->round_latest = order->latest;
            return;
        }
        if (order->scanned >= stop || order->count == RUNS_MAX) {
            end_last(order);
            order->limit = order->latest;
            return;
        }
    }
    end_last(order);
    order->ended = true;
}

/* Returns the size of a scanned record. */
static uint32_t size_of(const struct input_order *order, uint64_t at)
{
    enum { SIZE = 6 }; /* struct perf_event_header */
    const uint8_t *header = order->reader->file + at;

    return header[SIZE] | (uint32_t)header[SIZE + 1] << 8;
}

/* Scans rounds until the earliest record is known. Returns false if there is none. */
static bool find_first(struct input_order *order)
{
    while (!order->ended && (order->count == 0 || order->runs[0].time > order->limit))
        scan(order);
    return order->count > 0;
}

/* Restores the heap after the first run's 'at' has moved. */
static void put_back(struct input_order *order)
{
    struct run *first = order->runs;

    if (first->at == first->end) {
        *first = order->runs[--order->count];
    } else if (order->count > 1 || first->until > order->limit) {
        uint32_t type, size;
        uint64_t time;

        (void)perfdata_peek(order->reader, first->at, &type, &size, &time); /* was valid during the scan */
        if (type < PERFDATA_RECORD_USER)
            first->time = time;
    }
    if (order->count > 1)
        sift_down(order, 0);
}

enum perfdata_error order_next(struct input_order *order, uint64_t *ret_at)
{
    if (!find_first(order)) {
        *ret_at = order->scanned;
        order->reader->error_at = order->error_at;
        order->reader->why = order->why;
        return order->error;
    }
    *ret_at = order->runs->at;
    order->runs->at += size_of(order, order->runs->at);
    put_back(order);
    return PERFDATA_OK;
}

/* Returns the time up to which all records of the first run precede those of others. */
static uint64_t first_until(const struct input_order *order)
{
    const struct run *runs = order->runs, *second = order->count > 1 ? &runs[1] : NULL;
    uint64_t until = order->ended ? UINT64_MAX : order->limit;

    if (order->count > 2 && earlier(&runs[2], second))
        second = &runs[2];
    /* For equal times, the item that is earlier in the file comes first. */
    if (second && second->time <= until)
        until = second->time - (runs->at > second->at && second->time > 0);
    return until;
}

uint32_t order_next_plain(struct input_order *order, uint64_t *ret_at, struct perfdata_plain *samples, uint32_t count)
{
    struct run *first;
    uint32_t given;

    if (!find_first(order))
        return 0;
    first = order->runs;
    *ret_at = first->at;
    given = perfdata_read_plain(order->reader, first->at, first->end, first_until(order), samples, count);
    for (uint32_t i = 0; i < given; i++)
        first->at += samples[i].size;
    if (given > 0)
        put_back(order);
    return given;
}

bool order_next_stretch(struct input_order *order, uint64_t *ret_begin, uint64_t *ret_end)
{
    struct run *first;

    if (!find_first(order))
        return false;
    first = order->runs;
    if (!first->plain || first->end - first->at < ORDER_STRETCH_LEAST || first->until > first_until(order))
        return false;
    *ret_begin = first->at;
    *ret_end = first->at = first->end;
    put_back(order);
    return true;
}

uint64_t order_done(const struct input_order *order)
{
    uint64_t done = order->scanned;

    for (uint32_t i = 0; i < order->count; i++)
        if (order->runs[i].at < done)
            done = order->runs[i].at;
    return done;
}
