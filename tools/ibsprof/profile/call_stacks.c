/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/call_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/base/search.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/call_chains.h"
#include "tools/ibsprof/profile/profile_objects.h"

enum { DEPTH_MAX = 1024 }; /* perf's own limit is 127 unless sysctl kernel.perf_event_max_stack says more */

/* A place in a stack, and its function once all files are known. */
struct frame {
    struct spaces_place place;
    uint32_t object;
    uint64_t rva;
    uint32_t function;
};

struct reading {
    const struct run_profile *profile;
    const struct measure *measure;
    struct call_stacks *stacks;
    struct spaces *spaces;
    struct core_nodes nodes;
    struct frame *frames;
    uint32_t frame_count;
    struct table by_place;
    struct call_chains raw; /* chains of frames */
    struct profile_objects objects;
    const struct codemap **maps; /* by objects */
    struct table by_function;
};

bool call_stacks_recorded(const struct input_facts *facts)
{
    bool recorded = false;

    for (uint32_t i = 0; i < facts->event_count; i++)
        recorded |= (facts->events[i].sample_type & PERFDATA_SAMPLE_CALLCHAIN) != 0;
    return recorded;
}

bool call_stacks_not_unwound(const struct input_facts *facts)
{
    bool stacks = false;

    for (uint32_t i = 0; i < facts->event_count; i++)
        stacks |= (facts->events[i].sample_type & PERFDATA_SAMPLE_STACK_USER) != 0;
    return stacks;
}

/* ---------------------------------------------------------------- samples */

static bool is_frame(const void *context, uint32_t number, const void *key)
{
    const struct spaces_place *a = &((const struct reading *)context)->frames[number - 1].place, *b = key;

    return a->file == b->file && a->offset == b->offset;
}

static uint32_t frame_of(struct reading *reading, uint32_t pid, uint8_t mode, uint64_t address)
{
    struct spaces_window window = {0};
    struct spaces_place place = spaces_locate_window(reading->spaces, pid, mode, address, &window);
    uint32_t *number =
        table_find(&reading->by_place, table_hash(place.offset * 31 + place.file), is_frame, reading, &place);

    if (*number == 0) {
        *must_add(reading->frames, reading->frame_count) = (struct frame){.place = place};
        *number = reading->frame_count;
    }
    return *number - 1;
}

/* A word that says where the addresses after it are. */
static bool is_context(uint64_t word, uint8_t *mode)
{
    if (word < PERFDATA_CONTEXT_MAX)
        return false;
    *mode = word == PERFDATA_CONTEXT_KERNEL       ? MODE_KERNEL
            : word == PERFDATA_CONTEXT_USER       ? MODE_USER
            : word == PERFDATA_CONTEXT_HYPERVISOR ? MODE_HYPERVISOR
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

static void add_sample(struct reading *reading, const struct perfdata_item *item)
{
    uint64_t value = value_of(reading, item);
    uint32_t ids[DEPTH_MAX], depth = 0;
    uint8_t mode = item->mode;
    bool begun = false; /* the next address is where something was interrupted, not a return address */

    if (value == 0)
        return;
    ids[depth++] = frame_of(reading, item->pid, item->mode, address_of(reading->profile, item));
    for (uint32_t i = 0; i < item->callchain_count && depth < DEPTH_MAX; i++) {
        uint64_t word;

        memcpy(&word, item->callchain + i * sizeof(word), sizeof(word));
        if (is_context(word, &mode)) {
            begun = false;
            continue;
        }
        if (mode != MODE_UNKNOWN)
            ids[depth++] = frame_of(reading, item->pid, mode, word - (begun && word > 0));
        begun = true;
    }
    reading->stacks->all += value;
    reading->stacks->without += depth == 1 ? value : 0;
    call_chains_add(&reading->raw, ids, depth, value);
}

static void read_items(struct reading *reading, struct input *input)
{
    const struct run_profile *profile = reading->profile;
    struct perfdata_item item;

    input_rewind(input);
    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END) {
        spaces_item(reading->spaces, &item);
        if (item.kind == PERFDATA_ITEM_SAMPLE && item.event < profile->facts->event_count &&
            (!profile->only ||
             (!profile->facts->events[item.event].no_cpu && core_chosen(profile->only, item.cpu, &reading->nodes))))
            add_sample(reading, &item);
    }
}

/* ---------------------------------------------------------------- functions */

static int by_rva(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

static void make_maps(struct reading *reading)
{
    uint64_t *rvas = must_alloc(reading->frame_count, sizeof(*rvas));

    for (uint32_t i = 0; i < reading->frame_count; i++)
        profile_objects_locate(&reading->objects, reading->frames[i].place, &reading->frames[i].object,
                               &reading->frames[i].rva);
    reading->maps = must_alloc(reading->objects.count, sizeof(*reading->maps));
    for (uint32_t object = 0; object < reading->objects.count; object++) {
        size_t count = 0;

        for (uint32_t i = 0; i < reading->frame_count; i++)
            if (reading->frames[i].object == object)
                rvas[count++] = reading->frames[i].rva;
        qsort(rvas, count, sizeof(*rvas), by_rva);
        reading->maps[object] = object_codemap(reading->objects.objects[object], rvas, count);
    }
    free(rvas);
}

static const char *name_of(const struct reading *reading, const struct frame *frame)
{
    const struct codemap *map;
    uint64_t rva;
    size_t after;

    if (frame->object == PROFILE_NO_OBJECT)
        return NULL;
    map = reading->maps[frame->object];
    rva = frame->rva - reading->objects.objects[frame->object]->base;
    after = search_first(map->func_count, i, map->funcs[i].rva > rva);
    return after > 0 && rva - map->funcs[after - 1].rva < map->funcs[after - 1].size
               ? map->strings + map->funcs[after - 1].name
               : NULL;
}

static bool is_function(const void *context, uint32_t number, const void *key)
{
    const struct call_function *a = &((const struct reading *)context)->stacks->functions[number - 1], *b = key;

    return a->object == b->object && (a->name && b->name ? strcmp(a->name, b->name) == 0 : a->name == b->name);
}

static void find_functions(struct reading *reading)
{
    struct call_stacks *stacks = reading->stacks;

    for (uint32_t i = 0; i < reading->frame_count; i++) {
        struct frame *frame = &reading->frames[i];
        struct call_function function = {.name = name_of(reading, frame)};
        uint32_t *number;

        if (frame->object != PROFILE_NO_OBJECT)
            function.object = reading->objects.objects[frame->object];
        number = table_find(&reading->by_function,
                            (function.name ? codemap_hash(function.name, (uint32_t)strlen(function.name)) : 0) +
                                table_hash((uint64_t)(uintptr_t)function.object),
                            is_function, reading, &function);
        if (*number == 0) {
            *must_add(stacks->functions, stacks->function_count) = function;
            *number = stacks->function_count;
        }
        frame->function = *number - 1;
    }
}

/* The interrupt's own function: see the header. */
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
        uint32_t functions[DEPTH_MAX];

        for (uint32_t k = 0; k < chain->depth; k++)
            functions[k] = reading->frames[reading->raw.ids[chain->first + k]].function;
        call_chains_add(joined, functions, without_interrupt(functions, chain->depth), chain->count);
    }
}

/* ---------------------------------------------------------------- all of it */

struct call_stacks *call_stacks_read(const struct run_profile *profile, struct input *input,
                                     const struct object_search *search, const struct measure *measure)
{
    struct call_stacks *stacks = must_alloc(1, sizeof(*stacks));
    struct reading reading = {.profile = profile, .measure = measure, .stacks = stacks};
    struct call_chains joined = {0};

    reading.spaces = spaces_make(profile->comm);
    core_nodes_read(&reading.nodes, profile->facts);
    read_items(&reading, input);
    profile_objects_init(&reading.objects, profile->facts, search, reading.spaces);
    make_maps(&reading);
    find_functions(&reading);
    join_stacks(&reading, &joined);
    call_stacks_sum(stacks, &joined);
    call_chains_free(&joined);
    call_chains_free(&reading.raw);
    free(reading.frames);
    table_free(&reading.by_place);
    table_free(&reading.by_function);
    free(reading.maps);
    free(reading.objects.objects);
    free(reading.objects.object_of);
    spaces_free(reading.spaces);
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
