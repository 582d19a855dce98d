/*
 * Dispatch in lines of three ops, and retirement in order. Inline: each op comes through here.
 */
#ifndef VPMU_DISPATCH_H
#define VPMU_DISPATCH_H

#include "vpmu/model/state.h"

/* The line that is being filled ends; another one begins with an op that is there from 'available' on. */
void dispatch_line(struct vpmu *vpmu, uint64_t available);

INLINED void dispatch(struct vpmu *vpmu, struct truth_row *row, uint64_t available)
{
    struct pipeline *pipe = &vpmu->pipe;

    if (pipe->slots == pipe->limit || available > pipe->cycle)
        dispatch_line(vpmu, available);
    pipe->members[pipe->slots++] = row;
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

/* The x87 stack can be used from the given cycle on. A push leaves the rest of it as it was: what is ready last counts.
 */
INLINED void x87_written(struct pipeline *pipe, uint64_t cycle)
{
    pipe->ready[CODEMAP_DEP_X87] = later(pipe->ready[CODEMAP_DEP_X87], cycle);
}

/* In which cycle the op retires that completes in the given one. */
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
