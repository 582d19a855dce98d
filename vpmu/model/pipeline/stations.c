/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/stations.h"

/* ---------------------------------------------------------------- entries */

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

INLINED uint64_t *place_of(struct sorted_queue *queue, uint32_t number)
{
    return &queue->until[number & (SORTED_RING - 1)];
}

/* Gives the last dispatched op the entry that is free first, 'first', until the given cycle. Mostly no other is held
 * for longer, so the new one's place is looked for from the end. */
INLINED void hold(struct sorted_queue *queue, uint32_t first, uint32_t entries, uint64_t until)
{
    uint32_t place = first + entries;

    for (; RARELY(*place_of(queue, place - 1) > until) && place != first + 1; place--)
        *place_of(queue, place) = *place_of(queue, place - 1);
    *place_of(queue, place) = until;
}

/* ---------------------------------------------------------------- what ops hold */

/* Lets the next line wait for an entry until the given cycle. */
INLINED void crowd(struct pipeline *pipe, uint64_t until)
{
    if (until > pipe->crowded)
        pipe->crowded = until;
}

INLINED void hold_station(struct pipeline *pipe, uint64_t until)
{
    uint64_t place = (uint64_t)pipe->slots - 1;
    uint32_t first = pipe->station_first[place]++;

    hold(&pipe->station[place], first, STATION_ENTRIES, until);
    crowd(pipe, *place_of(&pipe->station[place], first + 1));
}

INLINED void hold_ls1(struct pipeline *pipe, uint64_t until)
{
    uint32_t first = pipe->ls1_first++;

    hold(&pipe->ls1, first, LS1_ENTRIES, until);
    crowd(pipe, *place_of(&pipe->ls1, first + DISPATCH_WIDTH)); /* a line takes up to three entries */
}

void access_holds(struct pipeline *pipe, const struct insn_info *info, struct access_times access)
{
    if (info->holds != HELD_STATION && access.address > pipe->patience)
        hold_station(pipe, access.address);
    hold_ls1(pipe, access.looks_up);
}

INLINED void issues_late(struct pipeline *pipe, const struct insn_info *info, struct access_times access,
                         uint64_t cycle)
{
    if (info->holds == HELD_STATION) {
        if (access_waits(pipe, access))
            hold_ls1(pipe, access.looks_up);
        hold_station(pipe, cycle);
        return;
    }
    if (info->holds == HELD_FP && cycle > pipe->fp[pipe->fp_line])
        pipe->fp[pipe->fp_line] = cycle;
    if (access_waits(pipe, access))
        access_holds(pipe, info, access);
}

void op_issues_late(struct pipeline *pipe, const struct insn_info *info, struct access_times access, uint64_t cycle)
{
    issues_late(pipe, info, access, cycle);
}

INLINED uint64_t take_unit(struct pipeline *pipe, const struct insn_info *info, uint64_t cycle)
{
    enum { IN_RING = PORT_RING - 1 };
    uint64_t *used = pipe->units[info->unit];

    if (RARELY(info->twice)) {
        while (used[cycle & IN_RING] == cycle || used[(cycle + 1) & IN_RING] == cycle + 1)
            cycle++;
        used[(cycle + 1) & IN_RING] = cycle + 1;
    }
    while (RARELY(used[cycle & IN_RING] == cycle))
        cycle++;
    return used[cycle & IN_RING] = cycle;
}

uint64_t unit_take(struct pipeline *pipe, const struct insn_info *info, uint64_t cycle)
{
    return take_unit(pipe, info, cycle);
}

uint64_t op_complete_more(struct pipeline *pipe, const struct insn_info *info, struct access_times access,
                          uint64_t cycle)
{
    uint64_t complete;

    cycle = op_reads(pipe, info, cycle);
    if (info->unit != EXEC_ANY)
        cycle = take_unit(pipe, info, cycle);
    complete = cycle + info->latency;
    pipe->ready[info->written[0]] = complete;
    pipe->ready[info->written[1]] = complete;
    if (info->writes_x87)
        x87_written(pipe, complete);
    if (RARELY(cycle > pipe->patience))
        issues_late(pipe, info, access, cycle);
    return complete;
}

uint64_t ls2_search(struct queue *ls2, uint64_t cycle)
{
    ls2->next = first_free(ls2->until, LS2_ENTRIES);
    return later(cycle, ls2->until[ls2->next]);
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

uint64_t stations_wait(struct vpmu *vpmu, uint8_t need, uint64_t from, uint64_t placed)
{
    struct pipeline *pipe = &vpmu->pipe;
    struct signals *signals = &vpmu->signals;
    uint64_t fp = from, station = from, access = from;
    uint32_t accesses;

    if ((need & NEED_FP) && pipe->fp[pipe->fp_line] > from)
        fp = waited(&signals->fp_full, from, fp_from(pipe));
    if (pipe->crowded > from) {
#pragma GCC unroll 3
        for (uint32_t place = 0; place < DISPATCH_WIDTH; place++)
            if (need >> place & 1)
                station = later(station, *place_of(&pipe->station[place], pipe->station_first[place]));
        station = waited(&signals->station_full, from, station);
        accesses = need >> NEED_ACCESS_SHIFT & NEED_ACCESSES;
        if (accesses)
            access = waited(&signals->ls_full, from, *place_of(&pipe->ls1, pipe->ls1_first + accesses - 1));
        (void)waited(&signals->load_full, from, need & NEED_LOADS ? access : from);
        (void)waited(&signals->store_full, from, need & NEED_STORES ? access : from);
    }
    return later(waited(&signals->token_stalls[0], from, later(placed, station)),
                 waited(&signals->token_stalls[1], from, later(fp, access)));
}
