/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/stacks/call_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/profile/stacks/branch_chains.h"
#include "tools/ibsprof/profile/stacks/call_chains.h"
#include "tools/ibsprof/profile/stacks/frames.h"
#include "tools/ibsprof/profile/stacks/unwind.h"

enum { DEPTH_MAX = 1024 }; /* perf's own limit is 127 unless sysctl kernel.perf_event_max_stack says more */

struct reading {
    const struct run_profile *profile;
    const struct measure *measure;
    struct call_stacks *stacks;
    struct core_nodes nodes;
    struct frames frames;
    struct unwinder *unwinder; /* NULL: no copies of stacks in the recording */
    struct call_chains raw;    /* chains of frames; with from_branches the sample's, then branches and their targets */
    uint32_t *function_of;     /* by frame */
    struct table by_function;
};

bool call_stacks_recorded(const struct input_facts *facts)
{
    bool recorded = false;

    for (uint32_t i = 0; i < facts->event_count; i++)
        recorded |= (facts->events[i].sample_type & PERFDATA_SAMPLE_CALLCHAIN) != 0;
    return recorded;
}

static bool stacks_copied(const struct input_facts *facts)
{
    bool stacks = false;

    for (uint32_t i = 0; i < facts->event_count; i++)
        stacks |= (facts->events[i].sample_type & PERFDATA_SAMPLE_STACK_USER) != 0;
    return stacks;
}

static bool is_amd64(const struct input_facts *facts)
{
    return strcmp(facts->arch, "x86_64") == 0;
}

bool call_stacks_not_unwound(const struct input_facts *facts)
{
    return stacks_copied(facts) && !is_amd64(facts);
}

/* ---------------------------------------------------------------- samples */

/* Returns whether a word says in which mode the following addresses are. */
static bool is_context(uint64_t word, uint8_t *mode)
{
    if (word < PERFDATA_CONTEXT_MAX)
        return false;
    *mode = word == PERFDATA_CONTEXT_KERNEL         ? MODE_KERNEL
            : word == PERFDATA_CONTEXT_USER         ? MODE_USER
            : word == PERFDATA_CONTEXT_HYPERVISOR   ? MODE_HYPERVISOR
            : word == PERFDATA_CONTEXT_GUEST_KERNEL ? MODE_GUEST_KERNEL
            : word == PERFDATA_CONTEXT_GUEST_USER   ? MODE_GUEST_USER
                                                    : MODE_UNKNOWN;
    return true;
}

static uint64_t address_of(const struct run_profile *profile, const struct perfdata_item *item)
{
    if (!sample_is_ibs(item->record.kind) || (!item->exact && item->ip != 0))
        return item->ip;
    if (item->record.kind == SAMPLE_OP)
        return sample_op_address(&profile->set.machine, item->record.reg[IBS_OP_RIP], item->record.reg[IBS_OP_DATA]);
    return sample_linear_address(&profile->set.machine, item->record.reg[IBS_FETCH_LINAD]);
}

static uint64_t value_of(const struct reading *reading, const struct perfdata_item *item)
{
    const struct measure *measure = reading->measure;
    uint64_t counts[DERIVED_COUNT] = {0};

    if (measure->derived < 0)
        return measure->event == item->event                                          ? 1
               : measure->event == item->event + reading->profile->facts->event_count ? item->period
                                                                                      : 0;
    if (sample_is_ibs(item->record.kind))
        derived_add(&reading->profile->set, counts, &item->record);
    return counts[measure->derived];
}

/* Appends the callers in user mode to those in the kernel. */
static uint32_t unwind(struct reading *reading, const struct perfdata_item *item, uint32_t *ids, uint32_t most)
{
    uint64_t addresses[DEPTH_MAX];
    uint32_t count = 0;

    if (reading->unwinder)
        count = unwinder_addresses(reading->unwinder, reading->frames.spaces, item, addresses, most);
    for (uint32_t i = 0; i < count; i++)
        ids[i] = frames_add(&reading->frames, item->pid, MODE_USER, addresses[i]);
    return count;
}

static void add_sample(struct reading *reading, const struct perfdata_item *item)
{
    uint64_t value = value_of(reading, item);
    uint32_t ids[DEPTH_MAX], depth = 0;
    uint8_t mode = item->mode;
    bool begun = false; /* the next address is the interrupted one, not a return address */

    if (value == 0)
        return;
    reading->stacks->all += value;
    ids[depth++] = frames_add(&reading->frames, item->pid, item->mode, address_of(reading->profile, item));
    if (reading->stacks->from_branches) {
        depth += branch_chain_frames(&reading->frames, item, reading->profile->facts->is_linux, ids + depth);
        call_chains_add(&reading->raw, ids, depth, value);
        return;
    }
    for (uint32_t i = 0; i < item->callchain_count && depth < DEPTH_MAX; i++) {
        uint64_t word;

        memcpy(&word, item->callchain + i * sizeof(word), sizeof(word));
        if (is_context(word, &mode)) {
            begun = false;
            continue;
        }
        if (mode != MODE_UNKNOWN)
            ids[depth++] = frames_add(&reading->frames, item->pid, mode, word - (begun && word > 0));
        begun = true;
    }
    depth += unwind(reading, item, ids + depth, DEPTH_MAX - depth);
    reading->stacks->without += depth == 1 ? value : 0;
    call_chains_add(&reading->raw, ids, depth, value);
}

static void read_items(struct reading *reading, struct input *input)
{
    const struct run_profile *profile = reading->profile;
    struct perfdata_item item;

    input_rewind(input);
    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END) {
        spaces_item(reading->frames.spaces, &item);
        if (item.kind == PERFDATA_ITEM_SAMPLE &&
            core_sample_chosen(profile->only, &reading->nodes, profile->facts, item.event, item.cpu))
            add_sample(reading, &item);
    }
}

/* ---------------------------------------------------------------- functions */

static bool is_function(const void *context, uint32_t number, const void *key)
{
    const struct call_function *a = &((const struct reading *)context)->stacks->functions[number - 1], *b = key;

    return a->object == b->object && (a->name && b->name ? strcmp(a->name, b->name) == 0 : a->name == b->name);
}

static void find_functions(struct reading *reading)
{
    struct call_stacks *stacks = reading->stacks;

    reading->function_of = must_alloc(reading->frames.count, sizeof(*reading->function_of));
    for (uint32_t i = 0; i < reading->frames.count; i++) {
        const struct frame *frame = &reading->frames.frame[i];
        struct call_function function = {.name = frame->function, .object = frames_object(&reading->frames, frame)};
        uint32_t *number;

        number = table_find(&reading->by_function,
                            (function.name ? codemap_hash(function.name, (uint32_t)strlen(function.name)) : 0) +
                                table_hash((uint64_t)(uintptr_t)function.object),
                            is_function, reading, &function);
        if (*number == 0) {
            *must_add(stacks->functions, stacks->function_count) = function;
            *number = stacks->function_count;
        }
        reading->function_of[i] = *number - 1;
    }
}

/* Removes the interrupt's own function: see the header. */
static uint32_t without_interrupt(uint32_t *functions, uint32_t depth)
{
    uint32_t leave_out = depth > 1 && functions[1] == functions[0]   ? 1
                         : depth > 2 && functions[2] == functions[0] ? 2
                                                                     : 0;

    memmove(functions + 1, functions + 1 + leave_out, (depth - 1 - leave_out) * sizeof(*functions));
    return depth - leave_out;
}

static void join_stacks(struct reading *reading, struct call_chains *joined)
{
    for (uint32_t i = 0; i < reading->raw.count; i++) {
        const struct call_chain *chain = &reading->raw.chains[i];
        const uint32_t *ids = reading->raw.ids + chain->first;
        uint32_t functions[DEPTH_MAX], open[BRANCH_CHAIN_MAX], depth = chain->depth;
        bool from_branches = reading->stacks->from_branches;

        if (from_branches) {
            depth = branch_chain_callers(&reading->frames, ids, depth, open);
            reading->stacks->without += depth == 1 ? chain->count : 0;
            ids = open;
        }
        for (uint32_t k = 0; k < depth; k++)
            functions[k] = reading->function_of[ids[k]];
        call_chains_add(joined, functions, from_branches ? depth : without_interrupt(functions, depth), chain->count);
    }
}

/* ---------------------------------------------------------------- all of it */

struct call_stacks *call_stacks_read(const struct run_profile *profile, struct input *input,
                                     const struct object_search *search, const struct measure *measure)
{
    struct call_stacks *stacks = must_new(stacks);
    struct reading reading = {.profile = profile, .measure = measure, .stacks = stacks};
    struct call_chains joined = {0};

    stacks->from_branches = !call_stacks_recorded(profile->facts);
    if (stacks_copied(profile->facts) && is_amd64(profile->facts))
        reading.unwinder = unwinder_make(profile, search);
    frames_begin(&reading.frames, profile);
    core_nodes_read(&reading.nodes, profile->facts);
    read_items(&reading, input);
    frames_find(&reading.frames, profile, search);
    find_functions(&reading);
    join_stacks(&reading, &joined);
    call_stacks_sum(stacks, &joined);
    call_chains_free(&joined);
    call_chains_free(&reading.raw);
    frames_free(&reading.frames);
    if (reading.unwinder)
        unwinder_free(reading.unwinder);
    free(reading.function_of);
    table_free(&reading.by_function);
    return stacks;
}

void call_stacks_free(struct call_stacks *stacks)
{
    if (!stacks)
        return;
    free(stacks->functions);
    free(stacks->edges);
    free(stacks->stacks);
    free(stacks->ids);
    free(stacks);
}
