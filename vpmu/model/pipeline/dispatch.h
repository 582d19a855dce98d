/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Dispatch in lines of three ops, and retirement in order. Inline: on the path of every op.
 */
#ifndef VPMU_DISPATCH_H
#define VPMU_DISPATCH_H

#include "vpmu/model/pipeline/stations.h"

/* ---------------------------------------------------------------- a line */

/* Retires a cycle-mode tag of the line that has ended, or lets one fall on the new line. */
void dispatch_tags(struct vpmu *vpmu);
INLINED void line_begun(struct vpmu *vpmu)
{
    if (RARELY(vpmu->ibs.line_tagged || vpmu->ibs.op_expiry <= vpmu->pipe.cycle))
        dispatch_tags(vpmu);
}

/* Ends a line: the cycles in which a cycle-mode tag could fall on it are divided equally among its ops. An empty line,
 * after pipeline_drain(), has no share. */
INLINED void end_line(struct vpmu *vpmu)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t share = 2 * (pipe->cycle - pipe->from + 1); /* of each of three ops, in sixths */

    pipe->line_retire[pipe->line] = pipe->retire_cycle;
    if (USUALLY(pipe->slots == DISPATCH_WIDTH)) {
        vpmu->signals.lines[DISPATCH_WIDTH]++;
        pipe->members[0]->dispatch_sixths += share;
        pipe->members[1]->dispatch_sixths += share;
        pipe->members[2]->dispatch_sixths += share;
        return;
    }
    vpmu->signals.lines[pipe->slots]++;
    if (pipe->slots == 1) {
        pipe->members[0]->dispatch_sixths += 3 * share;
    } else if (pipe->slots == 2) {
        pipe->members[0]->dispatch_sixths += share + share / 2;
        pipe->members[1]->dispatch_sixths += share + share / 2;
    }
}

/* Counts the cycles between 'next' and the line that begins as an empty decoder. But until a mispredicted branch is
 * executed, the decoder delivers ops of the wrong path, which are not modelled. */
INLINED void count_empty(struct vpmu *vpmu, uint64_t next, uint64_t from)
{
    uint64_t since = later(vpmu->pipe.wrong_until, next), wrong = (from < since ? from : since) - next;
    uint64_t lines = wrong < ROB_LINES ? wrong : ROB_LINES;

    vpmu->signals.wrong_lines += lines;
    vpmu->signals.wrong_waits += wrong - lines;
    if (wrong)
        ibs_wrong_path(&vpmu->ibs, lines * DISPATCH_WIDTH);
    if (from <= since)
        return;
    vpmu->truth.totals.decoder_empty += from - since;
    vpmu->signals.empties++;
}

/* Delays the dispatch of the line that begins in pipe->from: the line before it in the same place of the reorder
 * buffer retires in cycle 'oldest', and queues of its ops may be full before cycle 'crowded'. */
void dispatch_stall(struct vpmu *vpmu, uint64_t oldest, uint64_t crowded, uint8_t need);

/* Ends the current line and begins another, which needs what 'need' says and whose first op is in the block that was
 * fetched last. */
INLINED void dispatch_line(struct vpmu *vpmu, uint8_t window, uint8_t need)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t next = pipe->cycle + 1, from = later(vpmu->front.available, next), oldest, crowded = pipe->crowded;
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
    pipe->from = pipe->cycle = from;
    pipe->patience = from + OP_PATIENCE;
    if (need & NEED_FP)
        crowded = later(crowded, fp_take(pipe));
    if (RARELY(oldest >= from) || RARELY(crowded > from))
        dispatch_stall(vpmu, oldest, crowded, need);
    else
        line_begun(vpmu);
}

/* ---------------------------------------------------------------- ops */

INLINED void dispatch(struct vpmu *vpmu, const struct insn_info *info, uint32_t op)
{
    struct pipeline *pipe = &vpmu->pipe;
    struct truth_row *row = info->row;

    if (pipe->slots == DISPATCH_WIDTH || info->window != pipe->window)
        dispatch_line(vpmu, info->window, info->need[op > 0]);
    pipe->members[pipe->slots++] = row;
}

/* Lets no further op join the line. */
INLINED void dispatch_close(struct pipeline *pipe)
{
    pipe->window = NO_WINDOW;
}

/* Keeps dispatch to the next cycle, after a mispredicted branch has retired. */
INLINED void dispatch_abort(struct pipeline *pipe)
{
    pipe->abort = pipe->retire_cycle;
    pipe->crowded = later(pipe->crowded, pipe->abort + 1);
}

/* Counts the cycles after 'last' without retirement, until the op of pipe->cycle completes. */
void dispatch_no_retire(struct vpmu *vpmu, const struct insn_info *info, uint64_t last, uint64_t complete);

#endif
