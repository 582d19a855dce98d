/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/stations.h"

/* ---------------------------------------------------------------- entries */

static uint32_t after(uint32_t entry, uint32_t entries)
{
    return entry + 1 == entries ? 0 : entry + 1;
}

/* Returns the entry that is free first, the lowest of several. Cycle and entry are compared as one number, so that the
 * loop has no branch to mispredict. */
INLINED uint32_t first_free(const uint64_t *until, uint32_t entries)
{
    enum { ENTRY_BITS = 6 };
    uint64_t first = until[0] << ENTRY_BITS;

#pragma GCC unroll 8
    for (uint32_t i = 1; i < entries; i++) {
        uint64_t other = until[i] << ENTRY_BITS | i;

        first = other < first ? other : first;
    }
    return first & ((1u << ENTRY_BITS) - 1);
}

/* The op that was dispatched last takes an entry and holds it until the given cycle. Returns the next one. */
INLINED uint32_t hold(const struct pipeline *pipe, struct queue *queue, uint32_t entries, uint64_t until)
{
    uint32_t entry = queue->next;

    if (RARELY(queue->until[entry] > pipe->cycle))
        entry = first_free(queue->until, entries);
    queue->until[entry] = until;
    return queue->next = after(entry, entries);
}

/* The cycle from which a number of entries is free, not before 'from'. */
static uint64_t free_from(const struct queue *queue, uint32_t entries, uint32_t needed, uint64_t from)
{
    uint32_t entry = queue->next, left = needed;

    /* Mostly those that were taken longest ago are. */
    for (; left && queue->until[entry] <= from; left--)
        entry = after(entry, entries);
    if (USUALLY(!left))
        return from;
    if (needed == 1)
        return later(from, queue->until[first_free(queue->until, entries)]);
    for (;;) {
        uint64_t next = UINT64_MAX;
        uint32_t free = 0;

        for (uint32_t i = 0; i < entries; i++) {
            free += queue->until[i] <= from;
            if (queue->until[i] > from && queue->until[i] < next)
                next = queue->until[i];
        }
        if (free >= needed)
            return from;
        from = next;
    }
}

/* ---------------------------------------------------------------- what ops hold */

/* The next line may have to wait for an entry. */
INLINED void crowd(struct pipeline *pipe, uint64_t until)
{
    if (until > pipe->crowded)
        pipe->crowded = until;
}

INLINED void hold_station(struct pipeline *pipe, uint64_t until)
{
    struct queue *station = &pipe->station[pipe->slots - 1];

    crowd(pipe, station->until[hold(pipe, station, STATION_ENTRIES, until)]);
}

/* A line takes up to three entries. */
INLINED void hold_ls1(struct pipeline *pipe, uint64_t until)
{
    struct queue *ls1 = &pipe->ls1;
    uint32_t next = hold(pipe, ls1, LS1_ENTRIES, until);

    crowd(pipe, ls1->until[next]);
    crowd(pipe, ls1->until[next = after(next, LS1_ENTRIES)]);
    crowd(pipe, ls1->until[after(next, LS1_ENTRIES)]);
}

void station_holds(struct pipeline *pipe, struct access_times access, uint64_t cycle)
{
    if (access_waits(pipe, access))
        hold_ls1(pipe, access.looks_up);
    hold_station(pipe, cycle);
}

void access_holds(struct pipeline *pipe, const struct insn_info *info, struct access_times access)
{
    if (info->holds != HELD_STATION && access.address > pipe->patience)
        hold_station(pipe, access.address);
    hold_ls1(pipe, access.looks_up);
}

uint64_t ls2_search(struct queue *ls2, uint64_t cycle)
{
    ls2->next = first_free(ls2->until, LS2_ENTRIES);
    return later(cycle, ls2->until[ls2->next]);
}

uint64_t unit_take(struct pipeline *pipe, const struct insn_info *info, uint64_t cycle)
{
    uint64_t *used = pipe->units[info->unit];
    uint64_t last;

    for (;; cycle++) {
        last = cycle + info->twice;
        if (used[cycle & (PORT_RING - 1)] != cycle && used[last & (PORT_RING - 1)] != last)
            break;
    }
    used[cycle & (PORT_RING - 1)] = cycle;
    used[last & (PORT_RING - 1)] = last;
    return cycle;
}

/* ---------------------------------------------------------------- dispatch */

/* Takes the line of the scheduler that is free first instead. */
static uint64_t fp_from(struct pipeline *pipe)
{
    uint64_t *line = &pipe->fp[pipe->fp_line], *first = &pipe->fp[first_free(pipe->fp, FP_LINES)], kept = *line;

    *line = *first;
    *first = kept;
    return *line;
}

static uint64_t waited(struct span *span, uint64_t from, uint64_t until)
{
    if (until <= from)
        return from;
    span->cycles += until - from;
    span->times++;
    return until;
}

uint64_t stations_wait(struct vpmu *vpmu, uint8_t need, uint64_t from)
{
    struct pipeline *pipe = &vpmu->pipe;
    struct signals *signals = &vpmu->signals;
    uint32_t accesses = need >> NEED_ACCESS_SHIFT;
    uint64_t cycle = from, station = from;

    if ((need & NEED_FP) && pipe->fp[pipe->fp_line] > from)
        cycle = waited(&signals->fp_full, from, fp_from(pipe));
    if (pipe->crowded <= from)
        return cycle;
    for (uint32_t place = 0; place < DISPATCH_WIDTH; place++)
        if (need >> place & 1)
            station = later(station, free_from(&pipe->station[place], STATION_ENTRIES, 1, from));
    cycle = later(cycle, waited(&signals->station_full, from, station));
    return later(cycle, waited(&signals->ls_full, from, free_from(&pipe->ls1, LS1_ENTRIES, accesses, from)));
}
