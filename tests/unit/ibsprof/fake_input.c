/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/fake_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static bool next_item(struct input *input, struct perfdata_item *item)
{
    struct fake_input *fake = (struct fake_input *)input;

    if (fake->at < fake->count) {
        *item = fake->items[fake->at++];
        return true;
    }
    *item = (struct perfdata_item){.kind = PERFDATA_ITEM_END};
    if (fake->broken == NULL)
        return true;
    snprintf(input->error, sizeof(input->error), "%s", fake->broken);
    return false;
}

static void rewind_items(struct input *input)
{
    ((struct fake_input *)input)->at = 0;
}

static uint64_t position(const struct input *input)
{
    return ((const struct fake_input *)input)->at;
}

struct fake_input *fake_input_make(bool with_clock)
{
    struct fake_input *fake = calloc(1, sizeof(*fake));

    fake->events[0] = (struct input_event){.name = "ibs_fetch//", .kind = SAMPLE_FETCH};
    fake->events[1] = (struct input_event){.name = "ibs_op//", .kind = SAMPLE_OP};
    fake->events[2] = (struct input_event){.name = "cpu-clock", .kind = SAMPLE_TIMER};
    fake->input.facts = (struct input_facts){.path = "fake",
                                             .vendor = "",
                                             .cpu_name = "",
                                             .hostname = "",
                                             .release = "",
                                             .arch = "",
                                             .version = "",
                                             .command = "",
                                             .workload = "",
                                             .work_unit = "",
                                             .is_linux = true,
                                             .events = fake->events,
                                             .event_count = with_clock ? 3 : 2};
    fake->input.next = next_item;
    fake->input.rewind = rewind_items;
    fake->input.position = position;
    return fake;
}

void fake_input_free(struct fake_input *fake)
{
    free(fake->items);
    free(fake);
}

struct perfdata_item *fake_input_add(struct fake_input *fake, enum perfdata_item_kind kind)
{
    if (fake->count == fake->room) {
        fake->room = fake->room ? 2 * fake->room : 64;
        fake->items = realloc(fake->items, fake->room * sizeof(*fake->items));
    }
    fake->items[fake->count] = (struct perfdata_item){.kind = kind};
    return &fake->items[fake->count++];
}

struct perfdata_item *fake_input_map(struct fake_input *fake, uint32_t pid, uint64_t start, uint64_t length,
                                     uint64_t page_offset, const char *name)
{
    struct perfdata_item *item = fake_input_add(fake, PERFDATA_ITEM_MAP);

    item->pid = item->tid = pid;
    item->mode = MODE_USER;
    item->map = (struct perfdata_map){
        .start = start, .length = length, .page_offset = page_offset, .protection = PROT_EXEC, .name = name};
    return item;
}

struct perfdata_item *fake_input_clock(struct fake_input *fake, uint32_t pid, uint64_t ip)
{
    struct perfdata_item *sample = fake_input_add(fake, PERFDATA_ITEM_SAMPLE);

    sample->event = 2;
    sample->mode = MODE_USER;
    sample->pid = sample->tid = pid;
    sample->ip = ip;
    sample->period = 1;
    sample->record.kind = SAMPLE_TIMER;
    return sample;
}

struct perfdata_item *fake_input_ibs(struct fake_input *fake, uint32_t pid, const struct sample_record *record)
{
    struct perfdata_item *sample = fake_input_clock(fake, pid, 0);

    sample->event = record->kind == SAMPLE_OP;
    sample->exact = true;
    sample->record = *record;
    return sample;
}
