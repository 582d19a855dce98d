/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/dispatch.h"

#include "vpmu/model/pipeline/commit.h"

static inline void count_span(struct span *span, uint64_t cycles)
{
    span->cycles += cycles;
    span->times++;
}

void dispatch_tags(struct vpmu *vpmu)
{
    struct pipeline *pipe = &vpmu->pipe;

    ibs_line_end(&vpmu->ibs);
    ibs_line(&vpmu->ibs, pipe->from, pipe->cycle, pipe->wrong_until);
}

/* Stalls. After a mispredicted branch the pipeline must have drained, which also frees a line of the reorder buffer
 * and all else. Otherwise the line in its place must have retired, and queues of its ops must have room; all of it is
 * counted, so the counts overlap. */
void dispatch_stall(struct vpmu *vpmu, uint64_t oldest, uint64_t crowded, uint8_t need)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t from = pipe->from, cycle = from;

    if (pipe->abort >= pipe->from) {
        pipe->cycle = pipe->abort + 1;
        count_span(&vpmu->signals.aborting, pipe->cycle - pipe->from);
    } else {
        if (oldest >= from && !(vpmu->config.free & FREE_WINDOW)) {
            cycle = oldest + 1;
            count_span(&vpmu->signals.rob_full, cycle - from);
        }
        if (crowded > from && !(vpmu->config.free & FREE_SCHEDULERS))
            cycle = stations_wait(vpmu, need, from, cycle);
        else if (cycle > from)
            count_span(&vpmu->signals.token_stalls[0], cycle - from);
        if (cycle > from)
            count_span(&vpmu->signals.full, cycle - from);
        pipe->cycle = cycle;
    }
    if (vpmu->config.lose_stalled)
        pipe->from = pipe->cycle; /* no tag falls on the line before */
    pipe->patience = pipe->cycle + OP_PATIENCE;
    line_begun(vpmu);
}

/* Counts the op as outside the reorder buffer until its dispatch; nothing else is in there: the ops before it have
 * retired. */
void dispatch_no_retire(struct vpmu *vpmu, const struct insn_info *info, uint64_t last, uint64_t complete)
{
    uint64_t there = vpmu->pipe.cycle < complete ? vpmu->pipe.cycle : complete;
    bool loads = false;

    for (uint32_t i = 0; i < info->mems; i++)
        loads |= (info->mem[i].flags & CODEMAP_LOAD) != 0;
    if (there > last)
        count_span(&vpmu->signals.retire_empty, there - last);
    else
        there = last;
    if (complete == there)
        return;
    count_span(&vpmu->signals.retire_waits, complete - there);
    if (loads)
        count_span(&vpmu->signals.retire_loads, complete - there);
}

void pipeline_drain(struct vpmu *vpmu, struct span *stall)
{
    struct pipeline *pipe = &vpmu->pipe;

    end_line(vpmu);
    commit_settle(vpmu);
    ibs_line_end(&vpmu->ibs);
    combine_flush(&vpmu->caches, pipe->retire_cycle);
    pipe->slots = 0;
    if (pipe->cycle < pipe->retire_cycle) {
        count_span(stall, pipe->retire_cycle - pipe->cycle);
        pipe->cycle = pipe->retire_cycle;
    }
    frontend_restart(vpmu, pipe->cycle);
}
