/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps account of what ops hold from dispatch on, beside their place in the reorder buffer: entries of reservation
 * stations, of the floating-point scheduler, and of the two queues of the load-store unit. Sizes and sources: params.h.
 *
 * For the sake of speed an op that issues within OP_PATIENCE cycles is not entered. A station that has an op enter and
 * another leave each cycle is full when each waits for as long as it has entries; so what is neglected are stalls of
 * fewer cycles, in a station that is full for a moment.
 */
#ifndef VPMU_STATIONS_H
#define VPMU_STATIONS_H

#include "vpmu/model/state.h"

enum {
    OP_PATIENCE = STATION_ENTRIES, /* cycles from dispatch to issue; L1_LATENCY less for the look-up of an access */
};

/* Times of the access of the op that was dispatched last; 0: it has none, or not yet. */
struct access_times {
    uint64_t address;  /* is known */
    uint64_t looks_up; /* leaves LS1 */
};

/* Enters LS1 and a reservation station, as far as an access waits there. */
void access_holds(struct pipeline *pipe, const struct insn_info *info, struct access_times access);

INLINED bool access_waits(const struct pipeline *pipe, struct access_times access)
{
    return RARELY(access.looks_up + L1_LATENCY > pipe->patience);
}

/* Takes the unit of an instruction's last op, whose operands are all there in the given cycle. Returns the first cycle
 * from then on that no other op has. */
uint64_t unit_take(struct pipeline *pipe, const struct insn_info *info, uint64_t cycle);
INLINED uint64_t unit_from(struct pipeline *pipe, const struct insn_info *info, uint64_t cycle)
{
    return USUALLY(info->unit == EXEC_ANY) ? cycle : unit_take(pipe, info, cycle);
}

/* Issues that op in the given cycle, when all its operands are there. A line of the floating-point scheduler is free
 * when all of its ops have issued. */
void op_issues_late(struct pipeline *pipe, const struct insn_info *info, struct access_times access, uint64_t cycle);
INLINED void op_issues(struct pipeline *pipe, const struct insn_info *info, struct access_times access, uint64_t cycle)
{
    if (RARELY(cycle > pipe->patience))
        op_issues_late(pipe, info, access, cycle);
}

/* Lets the x87 stack be used from the given cycle on. A push leaves the other registers as they were: the latest cycle
 * counts. */
INLINED void x87_written(struct pipeline *pipe, uint64_t cycle)
{
    pipe->ready[CODEMAP_DEP_X87] = later(pipe->ready[CODEMAP_DEP_X87], cycle);
}

/* Returns the cycle, from the given one on, in which all registers but the address's are there. Few instructions read
 * a second one. */
INLINED uint64_t op_reads(const struct pipeline *pipe, const struct insn_info *info, uint64_t cycle)
{
    cycle = later(cycle, pipe->ready[info->read[0]]);
    if (RARELY(info->read[1] != NEVER_WRITTEN))
        cycle = later(cycle, pipe->ready[info->read[1]]);
    return cycle;
}

/* Completes the last op of an instruction with 'more' set, up to its retirement: op_complete(). */
uint64_t op_complete_more(struct pipeline *pipe, const struct insn_info *info, struct access_times access,
                          uint64_t cycle);

/* Passes an access that looks up the cache in the given cycle on to LS2, until 'until'. Returns the cycle in which it
 * leaves LS1, where it waits for an entry in LS2. */
uint64_t ls2_search(struct queue *ls2, uint64_t cycle);
INLINED uint64_t ls2_enter(struct pipeline *pipe, uint64_t cycle, uint64_t until)
{
    struct queue *ls2 = &pipe->ls2;

    if (RARELY(ls2->until[ls2->next] > cycle))
        cycle = ls2_search(ls2, cycle);
    ls2->until[ls2->next] = until;
    ls2->next = (ls2->next + 1) & (LS2_ENTRIES - 1);
    return cycle;
}

/* Enters the access of a store, whose op has issued before. */
INLINED void store_enters(struct pipeline *pipe, const struct insn_info *info, struct access_times access,
                          uint64_t until)
{
    access.looks_up = ls2_enter(pipe, access.looks_up, until);
    if (access_waits(pipe, access))
        access_holds(pipe, info, access);
}

/* Takes, for a line with floating-point ops, the line of the scheduler that was taken longest ago. Returns the cycle
 * from which it is free. */
INLINED uint64_t fp_take(struct pipeline *pipe)
{
    uint32_t line = pipe->fp_line + 1 == FP_LINES ? 0 : pipe->fp_line + 1;

    pipe->fp_line = line;
    return pipe->fp[line];
}

/* Returns the cycle from which a line can be dispatched that begins in cycle 'from', needs what 'need' says, and has
 * its place in the reorder buffer from cycle 'placed' on. Counts its other waits. */
uint64_t stations_wait(struct vpmu *vpmu, uint8_t need, uint64_t from, uint64_t placed);

#endif
