/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/stacks/branch_chains.h"

#include <string.h>

#include "core/ibs/sample_branches.h"

uint32_t branch_chain_frames(struct frames *frames, const struct perfdata_item *item, bool is_linux, uint32_t *ids)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < item->branch_count && count + 2 < BRANCH_CHAIN_MAX; i++) {
        struct branch_record branch = perfdata_branch(item, i);

        if (branch.how == BRANCH_WRONG_PATH)
            continue;
        ids[count++] = frames_add_branch(frames, item, branch.from, is_linux);
        ids[count++] = frames_add_branch(frames, item, branch.to, is_linux);
    }
    return count;
}

/* Returns whether a place is in the block from a branch's target to the next branch. The latest block ends at the
 * interrupt, so at the next call, return or jump at the latest. */
static bool is_in_block(const struct frame *place, const struct frame *begin, const struct frame *end)
{
    if (place->object != begin->object || place->rva < begin->rva)
        return false;
    if (end)
        return end->object == place->object && place->rva <= end->rva;
    return place->rva <= begin->straight;
}

uint32_t branch_chain_callers(const struct frames *frames, const uint32_t *ids, uint32_t count, uint32_t *callers)
{
    const struct frame *frame = frames->frame, *end = NULL;
    uint32_t at = 1, depth = 1, returned = 0;

    callers[0] = ids[0];
    /* The interrupt is later than the op: ignore branches taken in between. */
    for (; at + 1 < count && !is_in_block(&frame[ids[0]], &frame[ids[at + 1]], end); at += 2)
        end = &frame[ids[at]];
    for (; at + 1 < count && frame[ids[at]].branch != CODEMAP_BR_NONE; at += 2) {
        uint8_t branch = frame[ids[at]].branch;

        if (branch == CODEMAP_BR_RETURN)
            returned++;
        else if (branch != CODEMAP_BR_CALL && branch != CODEMAP_BR_CALL_INDIRECT)
            continue;
        else if (returned > 0)
            returned--;
        else
            callers[depth++] = ids[at];
    }
    return depth;
}
