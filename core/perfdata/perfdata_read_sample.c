/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples of a perf.data file: fields by sample_type, in the order of Linux kernel/events/core.c
 * (perf_output_sample), and the identity that other records end with. */
#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_cursor.h"
#include "core/perfdata/perfdata_format.h"

static unsigned bits_in(uint64_t value)
{
    unsigned count = 0;
    for (; value != 0; value &= value - 1)
        count++;
    return count;
}

/* Counts the fields before ID in a sample. */
static unsigned before_id(uint64_t type)
{
    return 8 * bits_in(type & (PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_TID | PERFDATA_SAMPLE_TIME | PERFDATA_SAMPLE_ADDR));
}

/* Counts the fields after ID in a trailer, without itself. */
static unsigned behind_id(uint64_t type)
{
    return 8 * bits_in(type & (PERFDATA_SAMPLE_STREAM_ID | PERFDATA_SAMPLE_CPU));
}

/* Checks that the place of the id is known before the event is: with IDENTIFIER, which then all events must have,
 * first in a sample and last in a trailer; else ID's, which must be the same for all. perf itself refuses other files
 * (evlist__valid_sample_type). */
enum perfdata_error perfdata_check_events(struct perfdata_reader *reader)
{
    const struct perfdata_file_event *first = &reader->events[0];
    for (uint32_t i = 0; i < reader->event_count; i++) {
        uint64_t type = reader->events[i].sample_type;
        if ((type & ~(uint64_t)PERFDATA_SAMPLE_KNOWN) != 0)
            return wrong(reader, PERFDATA_UNSUPPORTED, 24, "samples have fields that are newer than this program");
        if (type & PERFDATA_SAMPLE_READ && (reader->events[i].read_format & ~(uint64_t)PERFDATA_READ_KNOWN) != 0)
            return wrong(reader, PERFDATA_UNSUPPORTED, 24, "counts have fields that are newer than this program");
        if ((type ^ first->sample_type) & PERFDATA_SAMPLE_IDENTIFIER ||
            (reader->event_count > 1 && !(type & PERFDATA_SAMPLE_IDENTIFIER) &&
             ((type ^ first->sample_type) & PERFDATA_SAMPLE_ID || before_id(type) != before_id(first->sample_type) ||
              behind_id(type) != behind_id(first->sample_type)))) {
            return wrong(reader, PERFDATA_DAMAGED, 24,
                         "events cannot be told apart: their samples have the id at different places");
        }
    }
    return PERFDATA_OK;
}

/* Returns the event with this id. A single event needs no ids. perf gives records of its own the id 0, and takes it
 * for the first event's. */
static int32_t event_of(struct perfdata_reader *reader, bool has_id, uint64_t id)
{
    bool only = reader->event_count == 1;
    if (only && (!has_id || reader->events[0].ids_size == 0))
        return 0;
    int32_t event = has_id ? perfdata_event_of_id(reader, id) : -1;
    return event < 0 && has_id && id == 0 ? 0 : event; /* only events say that there are ids */
}

static int32_t event_of_sample(struct perfdata_reader *reader, struct cursor body)
{
    uint64_t type = reader->events[0].sample_type; /* 0 when there is none */
    bool has_id = (type & (PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_ID)) != 0;
    if (has_id && !(type & PERFDATA_SAMPLE_IDENTIFIER))
        take(&body, before_id(type));
    uint64_t id = has_id ? take64(&body) : 0;
    return body.over ? -1 : event_of(reader, has_id, id);
}

uint64_t perfdata_sample_time(const struct perfdata_reader *reader, struct cursor body)
{
    /* The fields up to TIME are the same in all events, or TIME is not at the same place in all: then the first
     * event's decides the order. */
    uint64_t type = reader->events[0].sample_type; /* 0 when there is none */
    if (!(type & PERFDATA_SAMPLE_TIME))
        return 0;
    /* Every record's time is asked for: no loop over bits. */
    take(&body, (type & PERFDATA_SAMPLE_IDENTIFIER ? 8 : 0) + (type & PERFDATA_SAMPLE_IP ? 8 : 0) +
                    (type & PERFDATA_SAMPLE_TID ? 8 : 0));
    return take64(&body);
}

void perfdata_read_trailer(struct perfdata_reader *reader, struct cursor *body, struct perfdata_item *item)
{
    enum {
        IN_TRAILER = PERFDATA_SAMPLE_TID | PERFDATA_SAMPLE_TIME | PERFDATA_SAMPLE_ID | PERFDATA_SAMPLE_STREAM_ID |
                     PERFDATA_SAMPLE_CPU | PERFDATA_SAMPLE_IDENTIFIER
    };
    const struct perfdata_file_event *event = &reader->events[0];
    if (reader->event_count == 0 || !(event->flags & PERFDATA_ATTR_SAMPLE_ID_ALL))
        return;
    uint64_t type = event->sample_type;
    if (type & (PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_ID)) {
        uint64_t behind = type & PERFDATA_SAMPLE_IDENTIFIER ? 0 : behind_id(type);
        struct cursor id = *body;
        if (body->left < behind + 8)
            return;
        take(&id, body->left - behind - 8);
        item->id = take64(&id);
        int32_t index = event_of(reader, true, item->id);
        item->event = index < 0 ? UINT32_MAX : (uint32_t)index;
        type = reader->events[index < 0 ? 0 : index].sample_type;
    } else if (reader->event_count == 1) {
        item->event = 0;
    }
    uint64_t size = 8 * bits_in(type & IN_TRAILER);
    if (body->left < size)
        return;
    struct cursor trailer = {body->at + body->left - size, size, false};
    body->left -= size;
    item->pid = type & PERFDATA_SAMPLE_TID ? take32(&trailer) : 0;
    item->tid = type & PERFDATA_SAMPLE_TID ? take32(&trailer) : 0;
    item->time = type & PERFDATA_SAMPLE_TIME ? take64(&trailer) : 0;
    take(&trailer, type & PERFDATA_SAMPLE_ID ? 8 : 0);
    item->stream_id = type & PERFDATA_SAMPLE_STREAM_ID ? take64(&trailer) : 0;
    item->cpu = type & PERFDATA_SAMPLE_CPU ? take32(&trailer) : 0;
}

int perfdata_extra_index(enum sample_kind kind, uint32_t caps, enum perfdata_extra extra)
{
    /* Linux arch/x86/events/amd/ibs.c, perf_ibs_handle_irq: after the registers of all families, in the order of their
     * numbers. */
    switch (extra) {
    case PERFDATA_EXTRA_BRTARGET:
        return kind == SAMPLE_OP && caps & IBS_CAP_BRNTRGT ? IBS_OP_REGS : -1;
    case PERFDATA_EXTRA_OPDATA4:
        return kind == SAMPLE_OP && caps & IBS_CAP_OPDATA4 ? IBS_OP_REGS + (caps & IBS_CAP_BRNTRGT ? 1 : 0) : -1;
    case PERFDATA_EXTRA_FETCHCTLEXTD:
        return kind == SAMPLE_FETCH && caps & IBS_CAP_FETCHCTLEXTD ? IBS_FETCH_REGS : -1;
    }
    return -1;
}

/* Reads the raw data of an IBS sample: caps, then registers. */
static void read_registers(struct perfdata_item *item)
{
    struct cursor raw = {item->raw, item->raw_size, false};
    size_t wanted = item->record.kind == SAMPLE_OP ? IBS_OP_REGS : IBS_FETCH_REGS;
    if (item->raw_size < 4)
        return;
    item->caps = take32(&raw);
    /* The record has room for one register of later families: IBS_FETCH_EXTD, IBS_OP_BRTARGET. */
    wanted += item->caps & (item->record.kind == SAMPLE_OP ? IBS_CAP_BRNTRGT : IBS_CAP_FETCHCTLEXTD) ? 1 : 0;
    uint32_t count = (item->raw_size - 4) / 8;
    item->register_count = count < PERFDATA_RAW_REGS ? count : PERFDATA_RAW_REGS;
    for (size_t i = 0; i < item->register_count; i++) {
        item->registers[i] = take64(&raw);
        if (i < wanted)
            item->record.reg[i] = item->registers[i];
    }
}

/* Reads READ: the counts of the event, or of its group. */
static void read_values(const struct perfdata_reader *reader, const struct perfdata_file_event *event,
                        struct cursor *body, struct perfdata_item *item)
{
    uint64_t format = event->read_format;
    uint64_t each = 8 * (1 + bits_in(format & (PERFDATA_READ_ID | PERFDATA_READ_LOST)));
    uint64_t times = 8 * bits_in(format & (PERFDATA_READ_TIME_ENABLED | PERFDATA_READ_TIME_RUNNING));
    uint64_t count = 1;
    if (format & PERFDATA_READ_GROUP) {
        count = take64(body);
        take(body, times);
    }
    const uint8_t *values = take(body, count <= body->left / 8 ? each * count : UINT64_MAX);
    if (!(format & PERFDATA_READ_GROUP)) {
        /* value, times, id: a row like those of a group, but for the times in the middle */
        take(body, times);
    }
    if (values != NULL && !body->over) {
        item->values = (struct perfdata_section){(uint64_t)(values - reader->file), each * count};
        item->value_count = (uint32_t)count;
    }
}

void perfdata_value(const struct perfdata_reader *reader, const struct perfdata_item *item, uint32_t index,
                    uint64_t *ret_id, uint64_t *ret_value)
{
    uint64_t format = reader->events[item->event].read_format;
    uint64_t each = item->values.size / item->value_count;
    struct cursor value = {reader->file + item->values.offset + each * index, UINT64_MAX, false};
    *ret_value = take64(&value);
    if (!(format & PERFDATA_READ_GROUP))
        take(&value, 8 * bits_in(format & (PERFDATA_READ_TIME_ENABLED | PERFDATA_READ_TIME_RUNNING)));
    *ret_id = format & PERFDATA_READ_ID ? take64(&value) : 0;
}

/* Takes so many entries of 8 bytes, each 'words' long. */
static const uint8_t *take_entries(struct cursor *body, uint64_t count, uint64_t words)
{
    return take(body, count <= body->left / 8 ? count * words * 8 : UINT64_MAX);
}

/* Reads three words each; counters, if any, follow all of them. */
static void read_branches(struct cursor *body, uint64_t branch_sample_type, struct perfdata_item *item)
{
    uint64_t count = take64(body);
    take(body, branch_sample_type & PERFDATA_BRANCH_HW_INDEX ? 8 : 0);
    item->branches = take_entries(body, count, 3);
    item->branch_count = item->branches != NULL ? (uint32_t)count : 0;
    take_entries(body, branch_sample_type & PERFDATA_BRANCH_COUNTERS ? count : 0, 1);
}

struct branch_record perfdata_branch(const struct perfdata_item *item, uint32_t index)
{
    struct cursor entry = {item->branches + 24 * (size_t)index, 24, false};
    uint64_t from = take64(&entry), to = take64(&entry), flags = take64(&entry);
    return (struct branch_record){from, to, flags & PERFDATA_BRANCH_MISPREDICTED,
                                  flags & (PERFDATA_BRANCH_MISPREDICTED | PERFDATA_BRANCH_PREDICTED),
                                  (enum branch_how)(flags >> PERFDATA_BRANCH_SPEC & 3)};
}

/* Returns the registers; NULL: the sample was taken where there are none (the ABI is 0). */
static const uint8_t *take_registers(struct cursor *body, uint64_t mask, uint64_t *ret_abi)
{
    *ret_abi = take64(body);
    return *ret_abi != 0 ? take(body, 8 * bits_in(mask)) : NULL;
}

static void read_user(const struct perfdata_file_event *event, struct cursor *body, struct perfdata_item *item)
{
    if (event->sample_type & PERFDATA_SAMPLE_REGS_USER)
        item->user_registers = take_registers(body, event->regs_user, &item->user_abi);
    item->user_mask = event->regs_user;
    if (event->sample_type & PERFDATA_SAMPLE_STACK_USER) {
        uint64_t size = take64(body);
        item->user_stack = take(body, size);
        uint64_t filled = size != 0 ? take64(body) : 0;
        item->user_stack_size = filled < size ? filled : size;
    }
}

bool perfdata_user_register(const struct perfdata_item *item, unsigned number, uint64_t *ret_value)
{
    if (item->user_registers == NULL || number > 63 || !(item->user_mask >> number & 1))
        return false;
    struct cursor value = {item->user_registers + 8 * bits_in(item->user_mask & ((1ull << number) - 1)), 8, false};
    *ret_value = take64(&value);
    return true;
}

/* Reads the fields after READ, which few samples have. */
static void read_more(const struct perfdata_file_event *event, struct cursor *body, struct perfdata_item *item)
{
    uint64_t type = event->sample_type;
    if (type & PERFDATA_SAMPLE_CALLCHAIN) {
        uint64_t frames = take64(body);
        item->callchain = take_entries(body, frames, 1);
        item->callchain_count = item->callchain != NULL ? (uint32_t)frames : 0;
    }
    if (type & PERFDATA_SAMPLE_RAW) {
        uint32_t size = take32(body);
        item->raw = take(body, size);
        item->raw_size = item->raw != NULL ? size : 0;
    }
    if (type & PERFDATA_SAMPLE_BRANCH_STACK)
        read_branches(body, event->branch_sample_type, item);
    read_user(event, body, item);
    if (type & PERFDATA_SAMPLE_WEIGHT_STRUCT) {
        item->weight = take32(body);
        item->weight2 = take16(body);
        item->weight3 = take16(body);
    } else if (type & PERFDATA_SAMPLE_WEIGHT) {
        item->weight = take64(body);
    }
    item->data_src = type & PERFDATA_SAMPLE_DATA_SRC ? take64(body) : 0;
    item->transaction = type & PERFDATA_SAMPLE_TRANSACTION ? take64(body) : 0;
    uint64_t abi;
    if (type & PERFDATA_SAMPLE_REGS_INTR)
        take_registers(body, event->regs_intr, &abi);
    item->phys_addr = type & PERFDATA_SAMPLE_PHYS_ADDR ? take64(body) : 0;
    item->cgroup = type & PERFDATA_SAMPLE_CGROUP ? take64(body) : 0;
    item->data_page_size = type & PERFDATA_SAMPLE_DATA_PAGE_SIZE ? take64(body) : 0;
    item->code_page_size = type & PERFDATA_SAMPLE_CODE_PAGE_SIZE ? take64(body) : 0;
    if (type & PERFDATA_SAMPLE_AUX)
        take(body, take64(body));
}

enum sample_kind perfdata_kind(const struct perfdata_file_event *event)
{
    if (event->pmu != PERFDATA_PMU_OTHER && event->sample_type & PERFDATA_SAMPLE_RAW)
        return event->pmu == PERFDATA_PMU_IBS_OP ? SAMPLE_OP : SAMPLE_FETCH;
    /* Returns whether an event is one of perf's clocks: its samples are ticks, not events. */
    return event->type == PERFDATA_TYPE_SOFTWARE &&
                   (event->config == PERFDATA_SOFTWARE_CPU_CLOCK || event->config == PERFDATA_SOFTWARE_TASK_CLOCK)
               ? SAMPLE_TIMER
               : SAMPLE_PMC;
}

enum perfdata_error perfdata_read_sample(struct perfdata_reader *reader, struct cursor body, struct perfdata_item *item)
{
    int32_t index = event_of_sample(reader, body);
    if (index < 0)
        return wrong(reader, PERFDATA_DAMAGED, item->at, "a sample that belongs to no event");
    const struct perfdata_file_event *event = &reader->events[index];
    uint64_t type = event->sample_type;
    item->kind = PERFDATA_ITEM_SAMPLE;
    item->exact = (item->misc & PERFDATA_MISC_EXACT_IP) != 0;
    item->event = (uint32_t)index;
    item->id = type & PERFDATA_SAMPLE_IDENTIFIER ? take64(&body) : 0;
    item->ip = type & PERFDATA_SAMPLE_IP ? take64(&body) : 0;
    item->pid = type & PERFDATA_SAMPLE_TID ? take32(&body) : 0;
    item->tid = type & PERFDATA_SAMPLE_TID ? take32(&body) : 0;
    item->time = type & PERFDATA_SAMPLE_TIME ? take64(&body) : 0;
    item->addr = type & PERFDATA_SAMPLE_ADDR ? take64(&body) : 0;
    item->id = type & PERFDATA_SAMPLE_ID ? take64(&body) : item->id;
    item->stream_id = type & PERFDATA_SAMPLE_STREAM_ID ? take64(&body) : 0;
    item->cpu = type & PERFDATA_SAMPLE_CPU ? take32(&body) : PERFDATA_NO_CPU;
    take(&body, type & PERFDATA_SAMPLE_CPU ? 4 : 0);
    item->period = type & PERFDATA_SAMPLE_PERIOD ? take64(&body) : event->period;
    if (type & PERFDATA_SAMPLE_READ)
        read_values(reader, event, &body, item);
    read_more(event, &body, item);
    if (body.over)
        return wrong(reader, PERFDATA_TRUNCATED, item->at, "a sample is too short for its fields");
    item->record.kind = (uint32_t)perfdata_kind(event);
    item->record.cpu = type & PERFDATA_SAMPLE_CPU ? item->cpu : 0;
    item->record.tsc = item->time;
    if (sample_is_ibs(item->record.kind))
        read_registers(item);
    else
        item->record.reg[0] = item->ip; /* PMC_RIP, TIMER_RIP */
    return PERFDATA_OK;
}
