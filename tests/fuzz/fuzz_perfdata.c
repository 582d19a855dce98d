/* The perf.data reader on any bytes: no wrong access, no endless loop, and a reader that went wrong stays within the
 * file. Everything that an item points to is looked at. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/perfdata_read.h"

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
        if (perfdata_next(&reader, &item) != PERFDATA_OK || item.kind == PERFDATA_ITEM_END)
            return 0;
        /* A record has 8 bytes at least. */
        if (++records > size / 8 || item.size < 8 || item.at != at || record_size != item.size || type != item.type)
            abort();
        if (item.kind == PERFDATA_ITEM_SAMPLE && (item.record.kind >= IBS_KINDS || item.event >= reader.event_count))
            abort();
        look_at_item(&reader, &item);
    }
}
