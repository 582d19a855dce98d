/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/sample_branches.h"

#include "core/family/branch_regs.h"
#include "core/family/ibs_regs.h"

static struct branch_record decode(uint64_t from, uint64_t to)
{
    return (struct branch_record){
        .from = ibs_canonical(from & BRANCH_ADDRESS),
        .to = ibs_canonical(to & BRANCH_ADDRESS),
        .mispredicted = from & BRANCH_MISPREDICTED,
        .told = true,
        .how = (enum branch_how)(to >> BRANCH_HOW_SHIFT),
    };
}

unsigned branches_decode(const struct sample_branches *branches, struct branch_record found[SAMPLE_BRANCHES_MAX])
{
    unsigned count = 0;

    for (unsigned i = 0; i < SAMPLE_BRANCHES_MAX; i++) {
        found[count] = decode(branches->entry[i].from, branches->entry[i].to);
        count += found[count].how != BRANCH_EMPTY;
    }
    return count;
}

void branches_mark_retired(struct sample_branches *branches)
{
    for (unsigned i = 0; i < SAMPLE_BRANCHES_MAX; i++) {
        branches->entry[i].from &= BRANCH_ADDRESS;
        branches->entry[i].to &= BRANCH_ADDRESS;
        if (branches->entry[i].from || branches->entry[i].to)
            branches->entry[i].to |= (uint64_t)BRANCH_CERTAIN << BRANCH_HOW_SHIFT;
    }
}

void branches_add(struct branch_sums *sums, const struct sample_branches *branches, unsigned entries)
{
    for (unsigned i = 0; i < entries; i++) {
        struct branch_record record = decode(branches->entry[i].from, branches->entry[i].to);

        sums->by_how[record.how]++;
        sums->mispredicted += record.mispredicted && record.how >= BRANCH_CERTAIN;
    }
}
