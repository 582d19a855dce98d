/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Dispatch in lines of three ops, and retirement in order. Inline: on the path of every op.
 */
#ifndef VPMU_DISPATCH_H
#define VPMU_DISPATCH_H

#include "vpmu/model/state.h"

/* Ends the current line and begins another, whose first op the decoder delivers in cycle 'available'. */
void dispatch_line(struct vpmu *vpmu, uint64_t available, uint8_t window);

INLINED void dispatch(struct vpmu *vpmu, const struct insn_info *info, uint64_t available)
{
    struct pipeline *pipe = &vpmu->pipe;

    if (pipe->slots == pipe->limit || available > pipe->cycle || info->window != pipe->window)
        dispatch_line(vpmu, available, info->window);
    pipe->members[pipe->slots++] = info->row;
}

/* No further op joins the line. */
INLINED void dispatch_close(struct pipeline *pipe)
{
    pipe->limit = pipe->slots;
}

INLINED uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The x87 stack can be used from the given cycle on. A push leaves the other registers as they were: the latest cycle
 * counts. */
INLINED void x87_written(struct pipeline *pipe, uint64_t cycle)
{
    pipe->ready[CODEMAP_DEP_X87] = later(pipe->ready[CODEMAP_DEP_X87], cycle);
}

/* Returns the cycle in which an op retires that completes in the given cycle. */
INLINED uint64_t retire(struct pipeline *pipe, uint64_t complete)
{
    uint64_t cycle = pipe->retire_cycle;
    uint32_t count = pipe->retire_count + 1;

    if (complete >= cycle) {
        cycle = complete + 1;
        count = 1;
    } else if (count > RETIRE_WIDTH) {
        cycle++;
        count = 1;
    }
    pipe->retire_cycle = cycle;
    pipe->retire_count = count;
    return cycle;
}

#endif
