/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Time by state of commit, for each instruction, as TIP's oracle has it (Gottschall, Eeckhout, Jahre: TIP,
 * Time-Proportional Instruction Profiling, MICRO 2021, section 2):
 *
 *   ops retire in a cycle        each has an equal part of it
 *   none does                    the cycle is the oldest op's, which retires next
 *   ... the reorder buffer is empty, and the op that left it last was a mispredicted branch: the branch's
 *   ... or was none: a cycle of 'empty_cycles' of the instruction that is dispatched next
 *
 * An op is in the reorder buffer from the cycle after its dispatch on. Ops retire in program order, so sums are kept op
 * by op, and the sum of all is the cycle in which the latest one has retired.
 */
#ifndef VPMU_COMMIT_H
#define VPMU_COMMIT_H

#include "vpmu/model/state.h"

enum { CYCLE_SIXTHS = 6 };

/* Nearly all ops share their cycle with two others. So these two sixths of each op are not added up: time_beyond is
 * the rest of an op's time. */
enum { USUAL_SIXTHS = CYCLE_SIXTHS / RETIRE_WIDTH };

/* Returns the time of an instruction of the map without empty_cycles. Ops of a cycle that is not settled are among the
 * executions, and have no time yet. */
INLINED uint64_t commit_sixths(const struct vpmu *vpmu, uint32_t insn)
{
    const struct truth_row *row = &vpmu->truth.rows[insn];
    uint64_t ops = row->executions * vpmu->info[insn].ops;

    for (uint32_t i = 0; i < vpmu->pipe.commits; i++)
        ops -= vpmu->pipe.committing[i] == row;
    return row->time_beyond + ops * USUAL_SIXTHS;
}

/* Divides the cycle in which the latest ops retired among them. */
INLINED void commit_cycle(struct pipeline *pipe)
{
    uint32_t count = pipe->commits;

    if (USUALLY(count == RETIRE_WIDTH))
        return;
    if (count == 1) {
        pipe->committing[0]->time_beyond += CYCLE_SIXTHS - USUAL_SIXTHS;
    } else if (count == 2) {
        pipe->committing[0]->time_beyond += CYCLE_SIXTHS / 2 - USUAL_SIXTHS;
        pipe->committing[1]->time_beyond += CYCLE_SIXTHS / 2 - USUAL_SIXTHS;
    }
}

/* Divides the cycles without retirement from 'last', after which the op of the row was dispatched, to 'retired'. Takes
 * those with an empty reorder buffer; returns the others. */
uint64_t commit_empty(struct vpmu *vpmu, struct truth_row *row, uint64_t last, uint64_t retired);

/* Begins a cycle with an op of the row, the first that retires in it. */
INLINED void commit_first(struct pipeline *pipe, struct truth_row *row)
{
    commit_cycle(pipe);
    pipe->committing[0] = row;
    pipe->commits = 1;
}

/* Retires an op of the row that completes in the given cycle. Returns the cycle in which it retires. */
INLINED uint64_t commit(struct vpmu *vpmu, struct truth_row *row, uint64_t complete)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t last = pipe->retire_cycle, waits;

    if (complete < last) {
        if (pipe->retire_count < RETIRE_WIDTH) {
            pipe->retire_count++;
            pipe->committing[pipe->commits++] = row;
            return last;
        }
        pipe->retire_cycle = last + 1;
    } else {
        waits = complete - last;
        pipe->retire_cycle = complete + 1;
        if (waits) {
            if (RARELY(pipe->cycle > last))
                waits = commit_empty(vpmu, row, last, complete + 1);
            row->time_beyond += waits * CYCLE_SIXTHS;
        }
    }
    pipe->retire_count = 1;
    commit_first(pipe, row);
    return pipe->retire_cycle;
}

/* Gives the latest cycle to the ops that retired in it: the pipeline has drained, or counts are read. */
void commit_settle(struct vpmu *vpmu);

#endif
