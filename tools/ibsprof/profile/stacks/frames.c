/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/stacks/frames.h"

#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/search.h"

void frames_begin(struct frames *frames, const struct run_profile *profile)
{
    *frames = (struct frames){.spaces = spaces_make(profile->comm)};
    spaces_look_beside(frames->spaces, profile->facts->path);
}

static bool is_frame(const void *context, uint32_t number, const void *key)
{
    const struct spaces_place *a = &((const struct frames *)context)->frame[number - 1].place, *b = key;

    return a->file == b->file && a->offset == b->offset;
}

uint32_t frames_add(struct frames *frames, uint32_t pid, uint8_t mode, uint64_t address)
{
    struct spaces_window window = {0};
    struct spaces_place place = spaces_locate_window(frames->spaces, pid, mode, address, &window);
    uint32_t *number =
        table_find(&frames->by_place, table_hash(place.offset * 31 + place.file), is_frame, frames, &place);

    if (*number == 0) {
        *must_add(frames->frame, frames->count) = (struct frame){.place = place};
        *number = frames->count;
    }
    return *number - 1;
}

uint32_t frames_add_branch(struct frames *frames, const struct perfdata_item *item, uint64_t address, bool is_linux)
{
    bool guest = item->mode == MODE_GUEST_KERNEL || item->mode == MODE_GUEST_USER;
    uint8_t mode = !is_linux || guest ? item->mode : address >> 63 ? MODE_KERNEL : MODE_USER;

    return frames_add(frames, item->pid, mode, address);
}

static int by_rva(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

/* A branch that is fused with the comparison before it is recorded with the address of the comparison (Linux
 * arch/x86/events/utils.c, branch_type_fused). */
static uint8_t branch_at(const struct codemap *map, uint32_t at)
{
    const struct codemap_insn *insn = &map->insns[at];

    if (insn->branch == CODEMAP_BR_NONE && at + 1 < map->insn_count && insn[1].branch == CODEMAP_BR_COND &&
        insn[1].func == insn->func)
        return CODEMAP_BR_COND;
    return insn->branch;
}

static void find_function(struct frame *frame, const struct codemap *map, uint64_t base)
{
    uint64_t rva = frame->rva - base;
    size_t after = search_first(map->func_count, i, map->funcs[i].rva > rva);
    int32_t insn = codemap_find(map, rva);

    if (insn >= 0 && map->insns[insn].rva == rva)
        frame->branch = branch_at(map, (uint32_t)insn);
    for (uint32_t i = (uint32_t)insn; insn >= 0 && i < map->insn_count && !frame->straight; i++)
        if (map->insns[i].branch > CODEMAP_BR_COND)
            frame->straight = map->insns[i].rva + base;
    if (after == 0 || rva - map->funcs[after - 1].rva >= map->funcs[after - 1].size)
        return;
    frame->function = map->strings + map->funcs[after - 1].name;
    frame->offset = rva - map->funcs[after - 1].rva;
}

void frames_find(struct frames *frames, const struct run_profile *profile, const struct object_search *search)
{
    uint64_t *rvas = must_alloc(frames->count, sizeof(*rvas));

    profile_objects_init(&frames->objects, profile, search, frames->spaces);
    for (uint32_t i = 0; i < frames->count; i++) {
        struct frame *frame = &frames->frame[i];

        profile_objects_locate(&frames->objects, frame->place, &frame->object, &frame->rva);
        frame->offset = frame->rva;
    }
    for (uint32_t object = 0; object < frames->objects.count; object++) {
        struct object *of = frames->objects.objects[object];
        const struct codemap *map;
        size_t count = 0;

        for (uint32_t i = 0; i < frames->count; i++)
            if (frames->frame[i].object == object)
                rvas[count++] = frames->frame[i].rva;
        qsort(rvas, count, sizeof(*rvas), by_rva);
        map = object_codemap(of, rvas, count);
        for (uint32_t i = 0; i < frames->count; i++)
            if (frames->frame[i].object == object)
                find_function(&frames->frame[i], map, of->base);
    }
    free(rvas);
}

void frames_free(struct frames *frames)
{
    free(frames->frame);
    table_free(&frames->by_place);
    free(frames->objects.objects);
    free(frames->objects.object_of);
    spaces_free(frames->spaces);
}
