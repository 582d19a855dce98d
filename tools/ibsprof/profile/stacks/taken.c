/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/stacks/taken.h"

#include <stdlib.h>

#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/base/must.h"

enum { BLOCK_MAX = 1 << 16 }; /* bytes */

bool taken_recorded(const struct input_facts *facts)
{
    bool recorded = false;

    for (uint32_t i = 0; i < facts->event_count; i++)
        recorded |= (facts->events[i].sample_type & PERFDATA_SAMPLE_BRANCH_STACK) != 0;
    return recorded;
}

static bool is_row(const void *context, uint32_t number, const void *key)
{
    const struct taken_row *a = &((const struct taken *)context)->rows[number - 1], *b = key;

    return a->first == b->first && a->last == b->last;
}

static void add_row(struct taken *taken, const struct perfdata_item *item, uint64_t first, uint64_t last,
                    const struct branch_record *branch, bool is_linux)
{
    const struct taken_row key = {.first = frames_add_branch(&taken->frames, item, first, is_linux),
                                  .last = frames_add_branch(&taken->frames, item, last, is_linux)};
    uint32_t *number =
        table_find(&taken->by_frames, table_hash((uint64_t)key.first << 32 | key.last), is_row, taken, &key);

    if (*number == 0) {
        *must_add(taken->rows, taken->row_count) = key;
        *number = taken->row_count;
    }
    taken->rows[*number - 1].count++;
    taken->rows[*number - 1].told += branch->told;
    taken->rows[*number - 1].mispredicted += branch->mispredicted;
    taken->all++;
    taken->told += branch->told;
    taken->mispredicted += branch->mispredicted;
}

static void add_sample(struct taken *taken, const struct perfdata_item *item, bool blocks, bool is_linux)
{
    uint64_t end = 0; /* of the next branch in time, which precedes in the list */
    uint32_t on_path = 0;

    for (uint32_t i = 0; i < item->branch_count; i++) {
        struct branch_record branch = perfdata_branch(item, i);

        if (branch.how == BRANCH_WRONG_PATH) {
            taken->wrong_path++;
            continue;
        }
        if (!blocks)
            add_row(taken, item, branch.from, branch.to, &branch, is_linux);
        else if (on_path > TAKEN_LATEST && end - branch.to < BLOCK_MAX)
            add_row(taken, item, branch.to, end, &branch, is_linux);
        else if (on_path > TAKEN_LATEST)
            taken->broken++;
        end = branch.from;
        on_path++;
    }
}

static void read_items(struct taken *taken, const struct run_profile *profile, struct input *input, bool blocks)
{
    struct perfdata_item item;
    struct core_nodes nodes;

    core_nodes_read(&nodes, profile->facts);
    input_rewind(input);
    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END) {
        spaces_item(taken->frames.spaces, &item);
        if (item.kind == PERFDATA_ITEM_SAMPLE &&
            core_sample_chosen(profile->only, &nodes, profile->facts, item.event, item.cpu))
            add_sample(taken, &item, blocks, profile->facts->is_linux);
    }
}

static int compare_places(const struct frames *frames, uint32_t left, uint32_t right)
{
    const struct frame *a = &frames->frame[left], *b = &frames->frame[right];

    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    return a->rva < b->rva ? -1 : a->rva > b->rva;
}

static int by_count(const void *left, const void *right, void *frames)
{
    const struct taken_row *a = left, *b = right;
    int first = compare_places(frames, a->first, b->first);

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return first ? first : compare_places(frames, a->last, b->last);
}

struct taken *taken_read(const struct run_profile *profile, struct input *input, const struct object_search *search,
                         bool blocks)
{
    struct taken *taken = must_new(taken);

    frames_begin(&taken->frames, profile);
    read_items(taken, profile, input, blocks);
    frames_find(&taken->frames, profile, search);
    if (taken->row_count > 0)
        qsort_r(taken->rows, taken->row_count, sizeof(*taken->rows), by_count, &taken->frames);
    return taken;
}

void taken_free(struct taken *taken)
{
    if (!taken)
        return;
    frames_free(&taken->frames);
    table_free(&taken->by_frames);
    free(taken->rows);
    free(taken);
}
