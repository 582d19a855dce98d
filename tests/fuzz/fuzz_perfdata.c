/* SPDX-License-Identifier: BSD-2-Clause */
/* The perf.data reader on any bytes: no invalid access, no endless loop, and a reader with an error stays within the
 * file. Everything that an item points to is read. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_plain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sum;

static void look_at(const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum += ((const uint8_t *)bytes)[i];
}

static void look_at_text(const char *text)
{
    if (text != NULL)
        sum += strlen(text);
}

static void look_at_features(struct perfdata_reader *reader)
{
    struct perfdata_map map;
    uint64_t at = 0;
    uint8_t mode;

    look_at_text(reader->hostname);
    look_at_text(reader->os_release);
    look_at_text(reader->version);
    look_at_text(reader->arch);
    look_at_text(reader->cpu_name);
    look_at_text(reader->cpuid);
    for (uint32_t i = 0; i < 100 && perfdata_command(reader, i) != NULL; i++)
        look_at_text(perfdata_command(reader, i));
    for (uint32_t i = 0; i < reader->event_count; i++) {
        look_at_text(reader->events[i].name);
        look_at_text(reader->events[i].pmu_name);
    }
    for (uint64_t before = 0; perfdata_build_id(reader, &at, &map, &mode); before = at) {
        if (at < before + 36)
            abort();
        look_at(map.build_id, map.build_id_size);
        look_at_text(map.name);
    }
}

static void look_at_item(struct perfdata_reader *reader, const struct perfdata_item *item)
{
    look_at(item->callchain, 8 * (size_t)item->callchain_count);
    look_at(item->raw, item->raw_size);
    look_at_text(item->text);
    look_at_text(item->map.name);
    look_at(item->map.build_id, item->map.build_id_size);
    for (uint32_t i = 0; i < item->value_count; i++) {
        uint64_t id, value;

        perfdata_value(reader, item, i, &id, &value);
        sum += id + value;
    }
}

/* The fast path returns the same sample as the general one, or none. */
static void look_at_plain(struct perfdata_reader *reader, const struct perfdata_item *item, bool good)
{
    struct perfdata_plain plain[3];
    uint32_t count = perfdata_read_plain(reader, item->at, UINT64_MAX, UINT64_MAX, plain, 3);
    uint64_t end = item->at, time = 0, peeked = 0;
    bool all_plain = true;
    uint32_t type, size;

    perfdata_pass_ascending(reader, &end, item->at + 1, &time, &all_plain);
    if ((count > 0 || end != item->at) && !good && (count > 0 || all_plain))
        abort();
    (void)perfdata_peek(reader, item->at, &type, &size, &peeked);
    if (good && end != item->at && (end != item->at + item->size || time != peeked || (all_plain && count == 0)))
        abort();
    if (count > 0 &&
        (item->kind != PERFDATA_ITEM_SAMPLE || plain->event != item->event || plain->pid != item->pid ||
         plain->tid != item->tid || plain->cpu != item->cpu || plain->ip != item->ip || plain->time != item->time ||
         plain->period != (item->period ? item->period : 1) || plain->mode != item->mode || plain->size != item->size))
        abort();
    if (count > 0 && plain->registers != NULL &&
        memcmp(plain->registers, item->record.reg,
               8 * (item->record.kind == SAMPLE_OP ? IBS_OP_REGS : IBS_FETCH_REGS)) != 0)
        abort();
    if (count > 0 && plain->registers == NULL && item->record.kind <= SAMPLE_OP)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct perfdata_reader reader;
    struct perfdata_item item;
    size_t records = 0;

    if (perfdata_open(&reader, data, size) != PERFDATA_OK) {
        if (reader.error_at > size)
            abort();
        return 0;
    }
    look_at_features(&reader);
    for (;;) {
        uint64_t at = reader.at, time;
        uint32_t type, record_size;

        if (at != reader.end && perfdata_peek(&reader, at, &type, &record_size, &time) == PERFDATA_OK &&
            record_size < 8)
            abort();
        bool good = perfdata_next(&reader, &item) == PERFDATA_OK;
        if (at >= reader.begin && at < reader.end) {
            item.at = at; /* not set where no room is left for a header */
            look_at_plain(&reader, &item, good);
        }
        if (!good || item.kind == PERFDATA_ITEM_END)
            return 0;
        /* A record has at least 8 bytes. */
        if (++records > size / 8 || item.size < 8 || item.at != at || record_size != item.size || type != item.type)
            abort();
        if (item.kind == PERFDATA_ITEM_SAMPLE && (item.record.kind >= SAMPLE_KINDS || item.event >= reader.event_count))
            abort();
        look_at_item(&reader, &item);
    }
}
