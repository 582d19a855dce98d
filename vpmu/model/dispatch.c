/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/dispatch.h"

static inline void count_span(struct span *span, uint64_t cycles)
{
    span->cycles += cycles;
    span->times++;
}

/* Ends a line: the cycles in which a cycle-mode tag could fall on it are divided equally among its ops. */
INLINED void end_line(struct vpmu *vpmu)
{
    static const uint8_t sixths[DISPATCH_WIDTH + 1] = {0, 6, 3, 2};
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t share = sixths[pipe->slots];

    if (!vpmu->config.lose_stalled)
        share *= pipe->cycle - pipe->from + 1;
    switch (pipe->slots) {
    case 3:
        pipe->members[2]->dispatch_sixths += share; /* fall through */
    case 2:
        pipe->members[1]->dispatch_sixths += share; /* fall through */
    case 1:
        pipe->members[0]->dispatch_sixths += share;
    }
    pipe->line_retire[pipe->line] = pipe->retire_cycle;
}

/* Cycle mode: a tag in the line that has ended retires, or one may fall on the new one. */
static __attribute__((noinline)) void look_for_tag(struct vpmu *vpmu)
{
    struct pipeline *pipe = &vpmu->pipe;

    ibs_line_end(&vpmu->ibs);
    ibs_line(&vpmu->ibs, vpmu->config.lose_stalled ? pipe->cycle : pipe->from, pipe->cycle);
}

INLINED void line_begun(struct vpmu *vpmu)
{
    if (RARELY(vpmu->ibs.line_tagged || vpmu->ibs.op_expiry <= vpmu->pipe.cycle))
        look_for_tag(vpmu);
}

/* Dispatch of the line is delayed. After a mispredicted branch the pipeline must have drained, which also frees a line
 * of the reorder buffer. Otherwise the line that occupies its place must have retired. */
static __attribute__((noinline)) void stall(struct vpmu *vpmu, uint64_t oldest)
{
    struct pipeline *pipe = &vpmu->pipe;

    if (pipe->abort >= pipe->from) {
        pipe->cycle = pipe->abort + 1;
        count_span(&vpmu->signals.aborting, pipe->cycle - pipe->from);
    } else {
        pipe->cycle = oldest + 1;
        count_span(&vpmu->signals.rob_full, pipe->cycle - pipe->from);
    }
    line_begun(vpmu);
}

/* The decoder delivered nothing between 'next' and the line that begins. But until a mispredicted branch is executed,
 * it delivers ops of the wrong path, which are not modelled. */
INLINED void count_empty(struct vpmu *vpmu, uint64_t next, uint64_t from)
{
    uint64_t since = later(vpmu->pipe.wrong_until, next);

    if (from <= since)
        return;
    vpmu->truth.totals.decoder_empty += from - since;
    vpmu->signals.empties++;
}

void dispatch_line(struct vpmu *vpmu, uint64_t available, uint8_t window)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t next = pipe->cycle + 1, from = later(available, next), oldest;
    uint32_t line = pipe->line + 1 == ROB_LINES ? 0 : pipe->line + 1;

    end_line(vpmu);
    if (RARELY(from > next))
        count_empty(vpmu, next, from);
    oldest = pipe->line_retire[line];
    pipe->line = line;
    pipe->window = window;
    pipe->slots = 0;
    if (USUALLY(vpmu->config.window_shift != NO_WINDOWS))
        pipe->retire_count = RETIRE_WIDTH; /* each line retires in a cycle of its own */
    pipe->limit = DISPATCH_WIDTH;
    pipe->from = pipe->cycle = from;
    if (RARELY(later(pipe->abort, oldest) >= from))
        stall(vpmu, oldest);
    else
        line_begun(vpmu);
}

void pipeline_drain(struct vpmu *vpmu, struct span *stall)
{
    struct pipeline *pipe = &vpmu->pipe;

    end_line(vpmu);
    ibs_line_end(&vpmu->ibs);
    pipe->slots = pipe->limit = 0;
    if (pipe->cycle < pipe->retire_cycle) {
        count_span(stall, pipe->retire_cycle - pipe->cycle);
        pipe->cycle = pipe->retire_cycle;
    }
    frontend_restart(vpmu, pipe->cycle);
}
