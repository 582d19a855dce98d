/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/commit.h"

uint64_t commit_empty(struct vpmu *vpmu, struct truth_row *row, uint64_t last, uint64_t retired)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t empty = pipe->cycle - last;

    if (pipe->commits && pipe->abort == last)
        pipe->committing[pipe->commits - 1]->time_beyond += empty * CYCLE_SIXTHS;
    else
        vpmu->truth.rare[row - vpmu->truth.rows].empty_cycles += empty;
    return retired - last - 1 - empty;
}

void commit_settle(struct vpmu *vpmu)
{
    commit_cycle(&vpmu->pipe);
    vpmu->pipe.commits = 0;
}
